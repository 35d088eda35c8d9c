/* SPDX-License-Identifier: MIT */
/*
 * The parts of UEFI 2.x that the boot ROM uses. Members that it does not use are there for their places only. This is compiled
 * for x86-64 Windows, whose calling convention is UEFI's.
 */
#ifndef D3DGPU_BOOTROM_EFI_H
#define D3DGPU_BOOTROM_EFI_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t efi_status;
typedef void *efi_handle;

#define EFI_SUCCESS 0ull
#define EFI_ERROR(code) (1ull << 63 | (code))
#define EFI_INVALID_PARAMETER EFI_ERROR(2)
#define EFI_UNSUPPORTED EFI_ERROR(3)
#define EFI_DEVICE_ERROR EFI_ERROR(7)
#define EFI_OUT_OF_RESOURCES EFI_ERROR(9)

struct efi_guid {
	uint32_t a;
	uint16_t b, c;
	uint8_t d[8];
};

#define EFI_PCI_IO_GUID {0x4cf5b200, 0x68b8, 0x4ca5, {0x9e, 0xec, 0xb2, 0x3e, 0x3f, 0x50, 0x02, 0x9a}}
#define EFI_DRIVER_BINDING_GUID {0x18a031ab, 0xb443, 0x4d1a, {0xa5, 0xc0, 0x0c, 0x09, 0x26, 0x1e, 0x9f, 0x71}}
#define EFI_GRAPHICS_OUTPUT_GUID {0x9042a9de, 0x23dc, 0x4a38, {0x96, 0xfb, 0x7a, 0xde, 0xd0, 0x80, 0x51, 0x6a}}
#define EFI_DEVICE_PATH_GUID {0x09576e91, 0x6d3f, 0x11d2, {0x8e, 0x39, 0x00, 0xa0, 0xc9, 0x69, 0x72, 0x3b}}

/* ---- tables ---- */

#define EFI_BOOT_SERVICES_DATA 4u

#define EFI_OPEN_GET 0x02u
#define EFI_OPEN_BY_CHILD 0x08u
#define EFI_OPEN_BY_DRIVER 0x10u

struct efi_boot_services {
	uint8_t header[24];
	void *raise_tpl, *restore_tpl;
	void *allocate_pages, *free_pages, *get_memory_map;
	efi_status (*allocate_pool)(uint32_t type, uint64_t size, void **buffer);
	efi_status (*free_pool)(void *buffer);
	void *create_event, *set_timer, *wait_for_event, *signal_event, *close_event, *check_event;
	void *install_protocol, *reinstall_protocol, *uninstall_protocol, *handle_protocol, *reserved;
	void *register_protocol_notify, *locate_handle, *locate_device_path, *install_configuration_table;
	void *load_image, *start_image, *exit, *unload_image, *exit_boot_services;
	void *get_next_monotonic_count, *stall, *set_watchdog_timer;
	void *connect_controller, *disconnect_controller;
	efi_status (*open_protocol)(efi_handle handle, const struct efi_guid *protocol, void **interface, efi_handle agent,
				    efi_handle controller, uint32_t attributes);
	efi_status (*close_protocol)(efi_handle handle, const struct efi_guid *protocol, efi_handle agent,
				     efi_handle controller);
	void *open_protocol_information, *protocols_per_handle, *locate_handle_buffer, *locate_protocol;
	efi_status (*install_protocols)(efi_handle *handle, ...);	/* pairs of GUID and interface; NULL */
	efi_status (*uninstall_protocols)(efi_handle handle, ...);
};

struct efi_system_table {
	uint8_t header[24];
	void *vendor;
	uint64_t revision;
	efi_handle console_in_handle;
	void *console_in;
	efi_handle console_out_handle;
	void *console_out;
	efi_handle error_handle;
	void *error;
	void *runtime_services;
	struct efi_boot_services *boot_services;
};

/* ---- device paths ---- */

struct efi_device_path {
	uint8_t type, subtype, length[2];
};

/* A display, as ACPI names it (_ADR), and the path's end. */
struct efi_display_path {
	struct efi_device_path node;
	uint32_t adr;
	struct efi_device_path end;
} __attribute__((packed));

#define EFI_ACPI_ADR(display) (0x80010100u | (display)) /* a VGA display that the firmware can detect */

/* ---- driver binding ---- */

struct efi_driver_binding {
	efi_status (*supported)(struct efi_driver_binding *self, efi_handle controller, struct efi_device_path *rest);
	efi_status (*start)(struct efi_driver_binding *self, efi_handle controller, struct efi_device_path *rest);
	efi_status (*stop)(struct efi_driver_binding *self, efi_handle controller, uint64_t count, efi_handle *children);
	uint32_t version;
	efi_handle image, handle;
};

/* ---- PCI ---- */

enum efi_pci_width {
	EFI_PCI_16 = 1,
	EFI_PCI_32 = 2,
};

#define EFI_PCI_ENABLE 2u	/* operation of attributes() */
#define EFI_PCI_MEMORY 0x200u

struct efi_pci_io;
typedef efi_status (*efi_pci_mem)(struct efi_pci_io *self, enum efi_pci_width width, uint8_t bar, uint64_t offset, uint64_t count,
				  void *buffer);
typedef efi_status (*efi_pci_config)(struct efi_pci_io *self, enum efi_pci_width width, uint32_t offset, uint64_t count,
				     void *buffer);

struct efi_pci_io {
	void *poll_mem, *poll_io;
	efi_pci_mem mem_read, mem_write;
	efi_pci_mem io_read, io_write;
	efi_pci_config config_read, config_write;
	void *copy_mem, *map, *unmap, *allocate_buffer, *free_buffer, *flush, *get_location;
	efi_status (*attributes)(struct efi_pci_io *self, uint32_t operation, uint64_t attributes, uint64_t *result);
	efi_status (*get_bar_attributes)(struct efi_pci_io *self, uint8_t bar, uint64_t *supports, void **resources);
};

/* What get_bar_attributes() gives: an address space descriptor of ACPI. */
struct efi_bar {
	uint8_t descriptor;
	uint16_t length_of_rest;
	uint8_t type, flags, more_flags;
	uint64_t granularity, start, end, translation, size;
} __attribute__((packed));

/* ---- graphics output ---- */

enum efi_pixel_format {
	EFI_PIXEL_BGRX = 1,
};

struct efi_mode_info {
	uint32_t version, width, height;
	enum efi_pixel_format format;
	uint32_t masks[4];
	uint32_t pixels_per_line;
};

struct efi_mode {
	uint32_t count, current;
	struct efi_mode_info *info;
	uint64_t info_size, frame_buffer, frame_buffer_size;
};

enum efi_blt {
	EFI_BLT_FILL,
	EFI_BLT_READ,		/* screen to buffer */
	EFI_BLT_WRITE,
	EFI_BLT_COPY,		/* on the screen */
};

struct efi_graphics_output {
	efi_status (*query_mode)(struct efi_graphics_output *self, uint32_t number, uint64_t *size,
				 struct efi_mode_info **info);
	efi_status (*set_mode)(struct efi_graphics_output *self, uint32_t number);
	/* `delta`: bytes from row to row of the buffer, 0 = as many as `width` pixels have */
	efi_status (*blt)(struct efi_graphics_output *self, uint32_t *buffer, enum efi_blt operation, uint64_t from_x,
			  uint64_t from_y, uint64_t to_x, uint64_t to_y, uint64_t width, uint64_t height, uint64_t delta);
	struct efi_mode *mode;
};

#endif
