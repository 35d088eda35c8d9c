/* SPDX-License-Identifier: MIT */
/*
 * The UEFI driver in the device's option ROM: a boot screen (graphics output protocol) by means of the DISPI registers. It is
 * loaded by the firmware that finds the device; the operating system's driver takes over from what it leaves.
 */
#include "d3dgpu_regs.h"
#include "efi.h"

#define PIXEL_BYTES 4u

static const struct efi_guid pci_io_guid = EFI_PCI_IO_GUID, binding_guid = EFI_DRIVER_BINDING_GUID,
			     output_guid = EFI_GRAPHICS_OUTPUT_GUID, path_guid = EFI_DEVICE_PATH_GUID;
static struct efi_boot_services *services;

/* The first is replaced by the size that the host's window would like. */
struct size {
	uint32_t width, height;
};
static const struct size sizes[] = {{1024, 768}, {640, 480},  {800, 600},  {1024, 768},  {1152, 864},
				    {1280, 720}, {1280, 800}, {1280, 1024}, {1600, 1200}, {1920, 1080}};
#define MODES (sizeof(sizes) / sizeof(sizes[0]))

/* A device that was started; lives in boot services' memory. */
struct adapter {
	struct efi_graphics_output output; /* first: what the protocol's callers have */
	struct efi_mode mode;
	struct efi_mode_info info;
	struct efi_display_path *path;
	struct efi_pci_io *pci;
	efi_handle child;
	struct size sizes[MODES];
	uint8_t registers;		/* number of the BAR, as PCI_IO counts them */
	uint32_t *pixels;		/* VRAM */
	uint64_t vram_size;
};

static struct adapter *to_adapter(struct efi_graphics_output *output)
{
	return (struct adapter *)output;
}

/* ---- registers ---- */

static uint32_t read_register(struct adapter *adapter, uint32_t offset)
{
	uint32_t value = 0;

	adapter->pci->mem_read(adapter->pci, EFI_PCI_32, adapter->registers, offset, 1, &value);
	return value;
}

static void write_dispi(struct adapter *adapter, enum d3dgpu_dispi index, uint16_t value)
{
	adapter->pci->mem_write(adapter->pci, EFI_PCI_16, adapter->registers, D3DGPU_REG_DISPI + 2 * (uint32_t)index, 1,
				&value);
}

/* ---- the protocol ---- */

static void describe(struct efi_mode_info *info, struct size size)
{
	*info = (struct efi_mode_info){.width = size.width,
				       .height = size.height,
				       .format = EFI_PIXEL_BGRX,
				       .pixels_per_line = size.width};
}

static efi_status query_mode(struct efi_graphics_output *self, uint32_t number, uint64_t *size, struct efi_mode_info **info)
{
	void *memory;

	if (number >= MODES || !size || !info)
		return EFI_INVALID_PARAMETER;
	if (services->allocate_pool(EFI_BOOT_SERVICES_DATA, sizeof(**info), &memory))
		return EFI_OUT_OF_RESOURCES;
	*info = memory;
	*size = sizeof(**info);
	describe(*info, to_adapter(self)->sizes[number]);
	return EFI_SUCCESS;
}

static efi_status set_mode(struct efi_graphics_output *self, uint32_t number)
{
	struct adapter *adapter = to_adapter(self);
	struct size size;
	uint64_t pixels;

	if (number >= MODES)
		return EFI_UNSUPPORTED;
	size = adapter->sizes[number];
	pixels = (uint64_t)size.width * size.height;
	for (uint64_t i = 0; i < pixels; i++)
		adapter->pixels[i] = 0;
	write_dispi(adapter, D3DGPU_DISPI_ENABLE, 0);
	write_dispi(adapter, D3DGPU_DISPI_XRES, (uint16_t)size.width);
	write_dispi(adapter, D3DGPU_DISPI_YRES, (uint16_t)size.height);
	write_dispi(adapter, D3DGPU_DISPI_BPP, 32);
	write_dispi(adapter, D3DGPU_DISPI_VIRT_WIDTH, (uint16_t)size.width);
	write_dispi(adapter, D3DGPU_DISPI_X_OFFSET, 0);
	write_dispi(adapter, D3DGPU_DISPI_Y_OFFSET, 0);
	write_dispi(adapter, D3DGPU_DISPI_ENABLE, D3DGPU_DISPI_ENABLED | D3DGPU_DISPI_LFB);
	describe(&adapter->info, size);
	adapter->mode.current = number;
	adapter->mode.frame_buffer_size = pixels * PIXEL_BYTES;
	return EFI_SUCCESS;
}

/* A rectangle of pixels somewhere. */
struct area {
	uint32_t *pixels;	/* its upper left one */
	uint64_t stride;	/* pixels from row to row */
};

/* As if all had been read first: on the screen the areas may overlap. */
static void copy(struct area to, struct area from, uint64_t width, uint64_t height)
{
	bool backwards = to.pixels > from.pixels;

	for (uint64_t row = 0; row < height; row++) {
		uint64_t y = backwards ? height - 1 - row : row;

		for (uint64_t column = 0; column < width; column++) {
			uint64_t x = backwards ? width - 1 - column : column;

			to.pixels[y * to.stride + x] = from.pixels[y * from.stride + x];
		}
	}
}

static void fill(struct area to, uint32_t colour, uint64_t width, uint64_t height)
{
	for (uint64_t y = 0; y < height; y++)
		for (uint64_t x = 0; x < width; x++)
			to.pixels[y * to.stride + x] = colour;
}

static bool on_screen(const struct efi_mode_info *info, uint64_t x, uint64_t y, uint64_t width, uint64_t height)
{
	return x <= info->width && width <= info->width - x && y <= info->height && height <= info->height - y;
}

static efi_status blt(struct efi_graphics_output *self, uint32_t *buffer, enum efi_blt operation, uint64_t from_x, uint64_t from_y,
		      uint64_t to_x, uint64_t to_y, uint64_t width, uint64_t height, uint64_t delta)
{
	struct adapter *adapter = to_adapter(self);
	const struct efi_mode_info *info = &adapter->info;
	uint64_t stride = delta ? delta / PIXEL_BYTES : width;
	bool reads_screen = operation == EFI_BLT_READ || operation == EFI_BLT_COPY, writes_screen = operation != EFI_BLT_READ;
	struct area source = {adapter->pixels + from_y * info->width + from_x, info->width};
	struct area target = {adapter->pixels + to_y * info->width + to_x, info->width};

	if (operation > EFI_BLT_COPY || !width || !height || (operation != EFI_BLT_COPY && !buffer) ||
	    (reads_screen && !on_screen(info, from_x, from_y, width, height)) ||
	    (writes_screen && !on_screen(info, to_x, to_y, width, height)))
		return EFI_INVALID_PARAMETER;
	if (operation == EFI_BLT_FILL) {
		fill(target, *buffer, width, height);
		return EFI_SUCCESS;
	}
	if (operation == EFI_BLT_READ)
		target = (struct area){buffer + to_y * stride + to_x, stride};
	if (operation == EFI_BLT_WRITE)
		source = (struct area){buffer + from_y * stride + from_x, stride};
	copy(target, source, width, height);
	return EFI_SUCCESS;
}

/* ---- finding the device ---- */

static bool is_ours(struct efi_pci_io *pci)
{
	uint32_t id = 0;

	return !pci->config_read(pci, EFI_PCI_32, 0, 1, &id) && id == ((uint32_t)D3DGPU_PCI_DEVICE << 16 | D3DGPU_PCI_VENDOR);
}

/* Where a BAR is and how large. false: there is none. */
static bool find_bar(struct efi_pci_io *pci, uint8_t number, uint64_t *start, uint64_t *size)
{
	struct efi_bar *bar;
	void *resources;

	if (pci->get_bar_attributes(pci, number, 0, &resources))
		return false;
	bar = resources;
	*start = bar->start;
	*size = bar->size;
	services->free_pool(resources);
	return true;
}

/* VRAM is the first BAR. Firmwares count those that follow a 64-bit BAR in two ways: the registers are told by their size. */
static bool find_bars(struct adapter *adapter)
{
	uint64_t start, size;

	if (!find_bar(adapter->pci, 0, &start, &adapter->vram_size))
		return false;
	adapter->pixels = (uint32_t *)start;
	for (uint8_t number = 1; number < 6; number++) {
		if (!find_bar(adapter->pci, number, &start, &size) || size != D3DGPU_BAR_REGS_SIZE)
			continue;
		adapter->registers = number;
		return read_register(adapter, D3DGPU_REG_ID) == D3DGPU_ID;
	}
	return false;
}

static void find_sizes(struct adapter *adapter)
{
	uint32_t width = read_register(adapter, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_PREFERRED_WIDTH);
	uint32_t height = read_register(adapter, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_PREFERRED_HEIGHT);

	for (unsigned i = 0; i < MODES; i++)
		adapter->sizes[i] = sizes[i];
	if (width >= 640 && height >= 480 && width <= D3DGPU_HEAD_MAX_EXTENT && height <= D3DGPU_HEAD_MAX_EXTENT &&
	    (uint64_t)width * height * PIXEL_BYTES <= adapter->vram_size / 2)
		adapter->sizes[0] = (struct size){width, height};
}

/* ---- driver binding ---- */

static efi_status supported(struct efi_driver_binding *self, efi_handle controller, struct efi_device_path *rest)
{
	efi_status status;
	void *pci;

	(void)rest;
	status = services->open_protocol(controller, &pci_io_guid, &pci, self->handle, controller, EFI_OPEN_BY_DRIVER);
	if (status)
		return status;
	status = is_ours(pci) ? EFI_SUCCESS : EFI_UNSUPPORTED;
	services->close_protocol(controller, &pci_io_guid, self->handle, controller);
	return status;
}

/* The path of a head: that of the PCI device, and the display's node behind it. The caller frees it. */
static struct efi_device_path *make_path(const struct efi_device_path *parent)
{
	const uint8_t *from = (const uint8_t *)parent;
	struct efi_display_path last = {{2, 3, {8, 0}}, EFI_ACPI_ADR(0), {0x7f, 0xff, {4, 0}}};
	uint64_t length = 0;
	uint8_t *to;
	void *memory;

	while (from[length] != 0x7f)
		length += from[length + 2] | from[length + 3] << 8;
	if (services->allocate_pool(EFI_BOOT_SERVICES_DATA, length + sizeof(last), &memory))
		return 0;
	to = memory;
	for (uint64_t i = 0; i < length; i++)
		to[i] = from[i];
	for (uint64_t i = 0; i < sizeof(last); i++)
		to[length + i] = ((const uint8_t *)&last)[i];
	return memory;
}

static efi_status publish(struct efi_driver_binding *self, efi_handle controller, struct adapter *adapter)
{
	struct efi_device_path *path;
	efi_status status;
	void *parent, *pci;

	status = services->open_protocol(controller, &path_guid, &parent, self->handle, controller, EFI_OPEN_GET);
	if (status)
		return status;
	path = make_path(parent);
	if (!path)
		return EFI_OUT_OF_RESOURCES;
	status = services->install_protocols(&adapter->child, &path_guid, path, &output_guid, &adapter->output, (void *)0);
	if (status) {
		services->free_pool(path);
		return status;
	}
	adapter->path = (struct efi_display_path *)path;
	return services->open_protocol(controller, &pci_io_guid, &pci, self->handle, adapter->child, EFI_OPEN_BY_CHILD);
}

static efi_status start(struct efi_driver_binding *self, efi_handle controller, struct efi_device_path *rest)
{
	struct adapter *adapter;
	efi_status status;
	void *pci, *memory;

	(void)rest;
	status = services->open_protocol(controller, &pci_io_guid, &pci, self->handle, controller, EFI_OPEN_BY_DRIVER);
	if (status)
		return status;
	status = services->allocate_pool(EFI_BOOT_SERVICES_DATA, sizeof(*adapter), &memory);
	if (status)
		goto close_pci;
	adapter = memory;
	*adapter = (struct adapter){.output = {query_mode, set_mode, blt, &adapter->mode}, .pci = pci};
	adapter->mode = (struct efi_mode){.count = MODES, .info = &adapter->info, .info_size = sizeof(adapter->info)};
	adapter->pci->attributes(pci, EFI_PCI_ENABLE, EFI_PCI_MEMORY, 0);
	status = EFI_DEVICE_ERROR;
	if (!find_bars(adapter))
		goto free_adapter;
	find_sizes(adapter);
	adapter->mode.frame_buffer = (uint64_t)adapter->pixels;
	set_mode(&adapter->output, 0);
	status = publish(self, controller, adapter);
	if (!status)
		return EFI_SUCCESS;

free_adapter:
	services->free_pool(adapter);
close_pci:
	services->close_protocol(controller, &pci_io_guid, self->handle, controller);
	return status;
}

static efi_status stop(struct efi_driver_binding *self, efi_handle controller, uint64_t count, efi_handle *children)
{
	struct adapter *adapter;
	efi_status status;
	void *output;

	if (!count)
		return services->close_protocol(controller, &pci_io_guid, self->handle, controller);
	status = services->open_protocol(children[0], &output_guid, &output, self->handle, controller, EFI_OPEN_GET);
	if (status)
		return EFI_DEVICE_ERROR;
	adapter = to_adapter(output);
	services->close_protocol(controller, &pci_io_guid, self->handle, adapter->child);
	if (services->uninstall_protocols(adapter->child, &path_guid, adapter->path, &output_guid, output, (void *)0))
		return EFI_DEVICE_ERROR;
	write_dispi(adapter, D3DGPU_DISPI_ENABLE, 0);
	services->free_pool(adapter->path);
	services->free_pool(adapter);
	return EFI_SUCCESS;
}

static struct efi_driver_binding binding = {.supported = supported, .start = start, .stop = stop, .version = 0x10};

efi_status efi_main(efi_handle image, struct efi_system_table *table);
efi_status efi_main(efi_handle image, struct efi_system_table *table)
{
	services = table->boot_services;
	binding.image = binding.handle = image;
	return services->install_protocols(&binding.handle, &binding_guid, &binding, (void *)0);
}
