/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "device.h"
#include "regs.h"
#include "tap.h"

static void identity(struct device *device)
{
	tap_eq(device_read(device, D3DGPU_REG_ID), 0x47443344, "ID");
	tap_eq(device_read(device, D3DGPU_REG_VERSION), 0x10000, "VERSION 1.0");
	tap_eq(device_read(device, D3DGPU_REG_STATUS), 0, "STATUS after power-on");
	tap_eq(device_read(device, D3DGPU_REG_VRAM_SIZE_LO), 64 << 20, "VRAM_SIZE_LO");
	tap_eq(device_read(device, D3DGPU_REG_VRAM_SIZE_HI), 0, "VRAM_SIZE_HI");
	tap_eq(device_read(device, D3DGPU_REG_HEADS), 2, "HEADS");
	tap_eq(device_read(device, D3DGPU_REG_HANG_TIMEOUT), 1234, "HANG_TIMEOUT's reset value is the property");
	tap_eq(device_read(device, D3DGPU_REG_GUEST_ERRORS), 0, "nothing wrong so far");
}

static void capability_block(struct device *device)
{
	const struct d3dgpu_caps *caps = d3dgpu_core_caps(device->core);
	struct d3dgpu_caps read;

	for (uint32_t i = 0; i < sizeof(read); i += 4)
		((uint32_t *)&read)[i / 4] = device_read(device, D3DGPU_REG_CAPS + i);
	tap_mem(&read, caps, sizeof(read), "CAPS reads the capability block");
	tap_ok(caps->luid, "the LUID is not 0");
	device_write(device, D3DGPU_REG_CAPS, 0);
	tap_eq(device_read(device, D3DGPU_REG_CAPS), D3DGPU_CAPS_MAGIC, "CAPS cannot be written");
	device_write(device, D3DGPU_REG_LAST_ERROR, 0);
}

/* Does it, and tells which error it was and by how much the count rose. */
static void expect_error(struct device *device, uint32_t before, uint32_t code, const char *what)
{
	tap_ok(device_read(device, D3DGPU_REG_GUEST_ERRORS) == before + 1 &&
		       device_read(device, D3DGPU_REG_LAST_ERROR) == code,
	       "%s is guest error %u, counted once", what, code);
	device_write(device, D3DGPU_REG_LAST_ERROR, 0);
}

static void bad_accesses(struct device *device)
{
	static const struct {
		uint64_t offset;
		unsigned size;
		const char *what;
	} bad[] = {
		{0x1000, 1, "a byte access"},	   {0x1000, 2, "a 16-bit access"},  {0x1000, 8, "a 64-bit access"},
		{0x1002, 4, "a misaligned access"}, {0x0600, 4, "an offset between blocks"},
		{0x1048, 4, "an offset behind the last register"}, {0x1504, 4, "a head that is not there"},
		{0x2fff, 4, "across the end of CAPS"}, {0xe3ff, 2, "across the end of an EDID"},
		{0xe800, 1, "the EDID of a head that is not there"}, {0xffff, 1, "the last byte"},
		{0x10000, 4, "behind the BAR"}, {0xfffffffffffffffc, 4, "the end of the address space"},
		{0x0516, 2, "behind the last DISPI register"}, {0x0501, 2, "a misaligned DISPI access"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS);

		tap_eq(d3dgpu_core_read(device->core, bad[i].offset, bad[i].size), 0, "reading %s gives 0", bad[i].what);
		expect_error(device, before, D3DGPU_GUEST_ERROR_REGISTER, "reading it");
		before++;
		d3dgpu_core_write(device->core, bad[i].offset, ~0ull, bad[i].size);
		expect_error(device, before, D3DGPU_GUEST_ERROR_REGISTER, "writing it");
	}
}

static void read_only_and_write_only(struct device *device)
{
	static const uint32_t read_only[] = {D3DGPU_REG_ID, D3DGPU_REG_STATUS, D3DGPU_REG_DSU_RUNS, D3DGPU_REG_GCP_STATE,
					     D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_COUNT};
	static const uint32_t write_only[] = {D3DGPU_REG_CONTROL, D3DGPU_REG_DSU_RUN, D3DGPU_REG_GCP_CONTROL,
					      D3DGPU_REG_HEAD(1) + D3DGPU_HEAD_COMMIT, D3DGPU_REG_DOORBELL(0)};

	for (size_t i = 0; i < 5; i++) {
		uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS), value = device_read(device, read_only[i]);

		device_write(device, read_only[i], ~value);
		expect_error(device, before, D3DGPU_GUEST_ERROR_REGISTER, "writing a read-only register");
		tap_eq(device_read(device, read_only[i]), value, "%s at 0x%x keeps its value",
		       core_register_name(read_only[i]), read_only[i]);
	}
	for (size_t i = 0; i < 5; i++) {
		uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS);

		tap_eq(device_read(device, write_only[i]), 0, "%s at 0x%x reads 0", core_register_name(write_only[i]),
		       write_only[i]);
		expect_error(device, before, D3DGPU_GUEST_ERROR_REGISTER, "reading a write-only register");
	}
}

static void control_block(struct device *device)
{
	uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS);

	device_latch_ctrl(device);
	tap_eq(device_read(device, D3DGPU_REG_STATUS), D3DGPU_STATUS_CTRL_VALID, "a good control block is latched");
	tap_eq(device_read(device, D3DGPU_REG_CTRL_BASE_LO), (64 << 20) - 0x80000, "CTRL_BASE_LO reads what was written");
	device_write(device, D3DGPU_REG_CTRL_BASE_LO, (64 << 20) - 0x7f000);
	tap_eq(device_read(device, D3DGPU_REG_STATUS), D3DGPU_STATUS_CTRL_VALID, "writing LO alone does nothing");
	device_write(device, D3DGPU_REG_CTRL_BASE_HI, 0);
	expect_error(device, before, D3DGPU_GUEST_ERROR_CTRL_BASE, "a block across the end of VRAM");
	tap_eq(device_read(device, D3DGPU_REG_STATUS), 0, "then none is latched");
	device_write(device, D3DGPU_REG_CTRL_BASE_LO, 0x800);
	device_write(device, D3DGPU_REG_CTRL_BASE_HI, 0);
	expect_error(device, before + 1, D3DGPU_GUEST_ERROR_CTRL_BASE, "a misaligned block");
	device_write(device, D3DGPU_REG_CTRL_BASE_LO, 0);
	device_write(device, D3DGPU_REG_CTRL_BASE_HI, 0xffffffff);
	expect_error(device, before + 2, D3DGPU_GUEST_ERROR_CTRL_BASE, "a block far away");
}

static void depth_stencil_unit(struct device *device)
{
	struct d3dgpu_ds_mailbox *box = &device->ctrl->dsu;
	uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS);

	device_write(device, D3DGPU_REG_DSU_RUN, 1);
	expect_error(device, before, D3DGPU_GUEST_ERROR_DSU, "a run without a control block");
	device_latch_ctrl(device);
	*box = (struct d3dgpu_ds_mailbox){
		.width = 640, .height = 480, .format = D3DGPU_DS_D24S8, .layers = 1, .levels = 1, .status = 99};
	device_write(device, D3DGPU_REG_DSU_RUN, 0);
	tap_ok(box->status == D3DGPU_DS_OK && box->size == 1228800 && box->storage_format == 20,
	       "the answer is there when the write returns");
	box->width = 0;
	device_write(device, D3DGPU_REG_DSU_RUN, 0);
	tap_ok(box->status == D3DGPU_DS_BAD_SIZE && !box->size, "a refusal is no guest error, and leaves nothing of the last answer");
	tap_eq(device_read(device, D3DGPU_REG_DSU_RUNS), 3, "DSU_RUNS counts all runs");
	tap_eq(device_read(device, D3DGPU_REG_GUEST_ERRORS), before + 1, "no further guest error");
}

static void interrupts(struct device *device)
{
	tap_eq(device_read(device, D3DGPU_REG_INTR_ENABLE), 0, "no vector is enabled after power-on");
	d3dgpu_core_resize(device->core, 0, 800, 600);
	tap_eq(device->irqs[D3DGPU_VECTOR_DISPLAY], 0, "a vector that is off sends nothing");
	tap_eq(device_read(device, D3DGPU_REG_INTR_STATUS), 1 << D3DGPU_VECTOR_DISPLAY, "but INTR_STATUS shows it");
	device_write(device, D3DGPU_REG_INTR_ENABLE, ~0u);
	tap_eq(device_read(device, D3DGPU_REG_INTR_ENABLE), 0x3f, "INTR_ENABLE has six bits");
	tap_eq(device->irqs[D3DGPU_VECTOR_DISPLAY], 1, "switching it on sends what has waited");
	d3dgpu_core_resize(device->core, 0, 801, 600);
	tap_eq(device->irqs[D3DGPU_VECTOR_DISPLAY], 2, "each event sends a message, acknowledged or not");
	device_write(device, D3DGPU_REG_INTR_STATUS, 1 << D3DGPU_VECTOR_FAULT);
	tap_eq(device_read(device, D3DGPU_REG_INTR_STATUS), 1 << D3DGPU_VECTOR_DISPLAY, "acknowledging another clears nothing");
	device_write(device, D3DGPU_REG_INTR_STATUS, 1 << D3DGPU_VECTOR_DISPLAY);
	tap_eq(device_read(device, D3DGPU_REG_INTR_STATUS), 0, "acknowledging clears");
}

static void reset(struct device *device)
{
	device_write(device, D3DGPU_REG_HANG_TIMEOUT, 7);
	*(uint32_t *)d3dgpu_core_vram(device->core) = 0x12345678;
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_eq(device_read(device, D3DGPU_REG_STATUS), 0, "reset drops the control block");
	tap_eq(device_read(device, D3DGPU_REG_HANG_TIMEOUT), 1234, "reset gives HANG_TIMEOUT its value back");
	tap_eq(device_read(device, D3DGPU_REG_INTR_ENABLE), 0, "reset disables interrupts");
	tap_eq(device_read(device, D3DGPU_REG_GUEST_ERRORS), 0, "reset clears the error count");
	tap_eq(*(uint32_t *)d3dgpu_core_vram(device->core), 0x12345678, "reset leaves VRAM alone");
	device_write(device, D3DGPU_REG_CONTROL, 0x100);
	expect_error(device, 0, D3DGPU_GUEST_ERROR_REGISTER, "an unknown CONTROL bit");
}

static void doorbells(struct device *device)
{
	uint32_t before = device_read(device, D3DGPU_REG_GUEST_ERRORS);

	device_write(device, D3DGPU_REG_DOORBELL(2), 1);
	device_wait_register(device, D3DGPU_REG_GUEST_ERRORS, ~0u, before + 1);
	expect_error(device, before, D3DGPU_GUEST_ERROR_RING, "a doorbell without firmware");
	tap_eq(d3dgpu_core_doorbell_fd(device->core, 4), -1, "there is no fifth doorbell");
}

static void flood(struct device *device)
{
	unsigned before = device->guest_lines;

	for (unsigned i = 0; i < 10000; i++)
		device_read(device, 0x3000);
	tap_ok(device->guest_lines - before <= 60, "10000 guest errors make only %u log lines", device->guest_lines - before);
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "heads=2,hang-timeout=1234");
	identity(&device);
	capability_block(&device);
	bad_accesses(&device);
	read_only_and_write_only(&device);
	control_block(&device);
	depth_stencil_unit(&device);
	interrupts(&device);
	reset(&device);
	doorbells(&device);
	flood(&device);
	device_destroy(&device);
	return tap_done();
}
