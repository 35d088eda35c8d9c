/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "device.h"
#include "tap.h"

static void set_dispi(struct device *device, unsigned index, uint16_t value)
{
	d3dgpu_core_write(device->core, D3DGPU_REG_DISPI + index * 2, value, 2);
}

static uint16_t get_dispi(struct device *device, unsigned index)
{
	return (uint16_t)d3dgpu_core_read(device->core, D3DGPU_REG_DISPI + index * 2, 2);
}

static struct d3dgpu_scanout scanout(struct device *device, unsigned head)
{
	struct d3dgpu_scanout shown;

	d3dgpu_core_scanout(device->core, head, &shown);
	return shown;
}

static void boot_screen(struct device *device)
{
	struct d3dgpu_scanout shown;

	tap_eq(get_dispi(device, D3DGPU_DISPI_ID), 0xb0c5, "DISPI ID");
	tap_eq(get_dispi(device, D3DGPU_DISPI_VRAM_64K), 1024, "DISPI: 64 MiB in units of 64 KiB");
	tap_ok(!scanout(device, 0).enabled, "nothing is shown after power-on");
	set_dispi(device, D3DGPU_DISPI_XRES, 800);
	set_dispi(device, D3DGPU_DISPI_YRES, 600);
	set_dispi(device, D3DGPU_DISPI_BPP, 32);
	set_dispi(device, D3DGPU_DISPI_ENABLE, D3DGPU_DISPI_ENABLED | D3DGPU_DISPI_LFB);
	shown = scanout(device, 0);
	tap_ok(shown.enabled && shown.width == 800 && shown.height == 600 && shown.pitch == 3200 && !shown.offset &&
		       shown.format == D3DGPU_SCANOUT_XRGB8888,
	       "DISPI shows 800x600 from the start of VRAM");
	tap_eq(device->scanouts, 4, "each write tells the host to look");
	set_dispi(device, D3DGPU_DISPI_VIRT_WIDTH, 1024);
	set_dispi(device, D3DGPU_DISPI_Y_OFFSET, 10);
	set_dispi(device, D3DGPU_DISPI_X_OFFSET, 3);
	shown = scanout(device, 0);
	tap_ok(shown.pitch == 4096 && shown.offset == 10 * 4096 + 12, "a virtual width and an offset");
	set_dispi(device, D3DGPU_DISPI_Y_OFFSET, 65535);
	tap_ok(!scanout(device, 0).enabled, "a picture outside VRAM is not shown");
	set_dispi(device, D3DGPU_DISPI_Y_OFFSET, 0);
	set_dispi(device, D3DGPU_DISPI_BPP, 24);
	tap_ok(!scanout(device, 0).enabled, "24 bits per pixel are not shown");
	set_dispi(device, D3DGPU_DISPI_BPP, 16);
	tap_eq(scanout(device, 0).format, D3DGPU_SCANOUT_RGB565, "16 bits per pixel are");
	set_dispi(device, D3DGPU_DISPI_VIRT_WIDTH, 1025);
	tap_ok(!scanout(device, 0).enabled, "but not with rows that are no whole words");
	set_dispi(device, D3DGPU_DISPI_VIRT_WIDTH, 32770);
	tap_ok(!scanout(device, 0).enabled, "nor with rows of more than 64 KiB");
	set_dispi(device, D3DGPU_DISPI_VIRT_WIDTH, 1024);
}

static void set_head(struct device *device, unsigned head, uint32_t offset, uint32_t value)
{
	device_write(device, D3DGPU_REG_HEAD(head) + offset, value);
}

static uint32_t get_head(struct device *device, unsigned head, uint32_t offset)
{
	return device_read(device, D3DGPU_REG_HEAD(head) + offset);
}

static void set_mode(struct device *device, unsigned head, uint32_t width, uint32_t height, uint32_t pitch, uint64_t offset)
{
	set_head(device, head, D3DGPU_HEAD_WIDTH, width);
	set_head(device, head, D3DGPU_HEAD_HEIGHT, height);
	set_head(device, head, D3DGPU_HEAD_PITCH, pitch);
	set_head(device, head, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_XRGB8888);
	set_head(device, head, D3DGPU_HEAD_OFFSET_LO, (uint32_t)offset);
	set_head(device, head, D3DGPU_HEAD_OFFSET_HI, (uint32_t)(offset >> 32));
	set_head(device, head, D3DGPU_HEAD_ENABLE, 1);
}

static void mode_set(struct device *device)
{
	struct d3dgpu_scanout shown;
	uint32_t status;

	set_mode(device, 0, 1024, 768, 4096, 0x10000);
	tap_eq(scanout(device, 0).width, 800, "registers do nothing before the commit");
	set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
	shown = scanout(device, 0);
	tap_ok(shown.enabled && shown.width == 1024 && shown.offset == 0x10000, "the commit takes over from DISPI");
	status = get_head(device, 0, D3DGPU_HEAD_STATUS);
	tap_ok(status & D3DGPU_HEAD_STATUS_CONNECTED && !(status & D3DGPU_HEAD_STATUS_BAD_MODE), "connected, mode good");
	device_write(device, D3DGPU_REG_INTR_ENABLE, 1 << D3DGPU_VECTOR_DISPLAY);
	device_wait_irq(device, D3DGPU_VECTOR_DISPLAY, 2);
	status = get_head(device, 0, D3DGPU_HEAD_STATUS);
	tap_ok(status & D3DGPU_HEAD_STATUS_FLIP_DONE && status & D3DGPU_HEAD_STATUS_VBLANK &&
		       !(status & D3DGPU_HEAD_STATUS_FLIP_PENDING),
	       "the flip is done at a vblank");
	set_head(device, 0, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_FLIP_DONE);
	tap_ok(!(get_head(device, 0, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_FLIP_DONE), "writing 1 clears an event");
}

static void vblank_rate(struct device *device)
{
	uint32_t first, passed;
	uint64_t start, span;

	set_head(device, 0, D3DGPU_HEAD_REFRESH, 200000);
	set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
	first = get_head(device, 0, D3DGPU_HEAD_VBLANK_COUNT);
	start = d3dgpu_core_time(device->core);
	device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_COUNT, ~0u, first + 40);
	span = d3dgpu_core_time(device->core) - start;
	passed = get_head(device, 0, D3DGPU_HEAD_VBLANK_COUNT) - first;
	tap_near((double)span / 5e6, passed, 6.0, "at 200 Hz a vblank takes 5 ms: %u in %.1f ms", passed, (double)span / 1e6);
	set_head(device, 0, D3DGPU_HEAD_REFRESH, 999);
	tap_eq(get_head(device, 0, D3DGPU_HEAD_REFRESH), 200000, "less than 1 Hz is refused");
	tap_eq(device_read(device, D3DGPU_REG_LAST_ERROR), D3DGPU_GUEST_ERROR_DISPLAY, "as a guest error");
}

static void bad_modes(struct device *device)
{
	static const struct {
		uint32_t width, height, pitch;
		uint64_t offset;
		const char *what;
	} bad[] = {
		{0, 768, 4096, 0, "width 0"},
		{1024, 0, 4096, 0, "height 0"},
		{16385, 1, 65540, 0, "too wide"},
		{1024, 768, 4092, 0, "pitch shorter than a row"},
		{1024, 768, 4097, 0, "pitch that is no multiple of a pixel"},
		{1024, 768, 4096, 1, "offset that is no multiple of a pixel"},
		{1024, 768, 4096, 64 << 20, "outside VRAM"},
		{1024, 768, 4096, (64 << 20) - 4096 * 767 - 4092, "one pixel outside VRAM"},
		{1024, 768, 4096, 0xfffffffffffff000, "so far that the end wraps around"},
		{16384, 16384, 0xfffffffc, 0, "a pitch so large that the size wraps around"},
		{1024, 2, 0x80000000, 0, "a pitch that is negative to the host"},
		{1024, 768, 65540, 0, "a pitch of more than 64 KiB"},
		{1024, 768, 8192, (64 << 20) - 8192 * 767 - 4096, "the rest of the last row outside VRAM"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t errors = device_read(device, D3DGPU_REG_GUEST_ERRORS);

		set_mode(device, 0, bad[i].width, bad[i].height, bad[i].pitch, bad[i].offset);
		set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
		tap_ok(get_head(device, 0, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_BAD_MODE &&
			       device_read(device, D3DGPU_REG_GUEST_ERRORS) == errors + 1 && scanout(device, 0).width == 1024 &&
			       scanout(device, 0).offset == 0x10000,
		       "%s: BAD_MODE, the old mode stays", bad[i].what);
	}
	set_mode(device, 0, 1023, 768, 2046, 0);
	set_head(device, 0, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_RGB565);
	set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
	tap_ok(get_head(device, 0, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_BAD_MODE,
	       "16-bit pixels, rows that are no whole words: BAD_MODE");
	set_mode(device, 0, 1024, 768, 4096, (64 << 20) - 4096 * 768);
	set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
	tap_eq(get_head(device, 0, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_BAD_MODE, 0, "up to VRAM's last byte is good");
}

static void report(struct device *device, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	set_head(device, 0, D3DGPU_HEAD_DAMAGE_X, x);
	set_head(device, 0, D3DGPU_HEAD_DAMAGE_Y, y);
	set_head(device, 0, D3DGPU_HEAD_DAMAGE_WIDTH, width);
	set_head(device, 0, D3DGPU_HEAD_DAMAGE_HEIGHT, height);
}

static void damage(struct device *device)
{
	report(device, 10, 20, 30, 40);
	tap_ok(device->damages == 1 && device->damage.x == 10 && device->damage.y == 20 && device->damage.width == 30 &&
		       device->damage.height == 40,
	       "damage reaches the host");
	report(device, 1000, 760, 0xffffffff, 0xffffffff);
	tap_ok(device->damages == 2 && device->damage.width == 24 && device->damage.height == 8, "clipped to the picture");
	report(device, 1024, 0, 1, 1);
	report(device, 0, 0, 0, 10);
	tap_eq(device->damages, 2, "what is outside or empty is not reported");
}

static void hotplug(struct device *device)
{
	unsigned irqs;

	set_head(device, 0, D3DGPU_HEAD_ENABLE, 0);
	set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
	tap_eq(scanout(device, 0).format, D3DGPU_SCANOUT_RGB565, "switched off, DISPI shows again");
	tap_ok(get_head(device, 0, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_FLIP_DONE, "switching off is done at once");
	irqs = device->irqs[D3DGPU_VECTOR_DISPLAY];
	d3dgpu_core_resize(device->core, 1, 1280, 720);
	tap_eq(device->irqs[D3DGPU_VECTOR_DISPLAY], irqs + 1, "a new window size raises an interrupt");
	tap_ok(get_head(device, 1, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_HOTPLUG, "HOTPLUG");
	tap_eq(get_head(device, 1, D3DGPU_HEAD_PREFERRED_WIDTH), 1280, "PREFERRED_WIDTH");
	tap_eq(get_head(device, 1, D3DGPU_HEAD_PREFERRED_HEIGHT), 720, "PREFERRED_HEIGHT");
	d3dgpu_core_resize(device->core, 1, 1280, 720);
	tap_eq(device->irqs[D3DGPU_VECTOR_DISPLAY], irqs + 1, "the same size again does not");
	d3dgpu_core_resize(device->core, 7, 1, 1);
	d3dgpu_core_resize(device->core, 1, 0, 0);
	tap_eq(get_head(device, 1, D3DGPU_HEAD_PREFERRED_WIDTH), 1280, "no size, no change");
	tap_eq(get_head(device, 0, D3DGPU_HEAD_PREFERRED_WIDTH), 1440, "head 0 prefers the properties' size");
}

static void edid(struct device *device)
{
	uint8_t bytes[128], own[256], sum = 0;

	for (unsigned i = 0; i < 128; i++)
		bytes[i] = (uint8_t)d3dgpu_core_read(device->core, D3DGPU_REG_HEAD_EDID(1) + i, 1);
	for (unsigned i = 0; i < 128; i++)
		sum = (uint8_t)(sum + bytes[i]);
	tap_eq(d3dgpu_core_read(device->core, D3DGPU_REG_EDID, 4), 0xffffff00, "the EDID begins as EDIDs do");
	tap_eq(sum, 0, "its bytes add up to 0");
	tap_eq(bytes[56] | (bytes[58] >> 4) << 8, 1280, "its timing is as wide as the window");
	tap_eq(bytes[59] | (bytes[61] >> 4) << 8, 720, "and as high");
	memset(own, 0x5a, sizeof(own));
	d3dgpu_core_set_edid(device->core, 1, own, sizeof(own));
	d3dgpu_core_resize(device->core, 1, 640, 480);
	tap_eq(d3dgpu_core_read(device->core, D3DGPU_REG_HEAD_EDID(1) + 252, 4), 0x5a5a5a5a, "the user's EDID stays");
	tap_eq(d3dgpu_core_read(device->core, D3DGPU_REG_HEAD_EDID(1) + 256, 4), 0, "behind it: zeros");
}

static uint64_t vblank_time(struct device *device)
{
	uint64_t low = get_head(device, 0, D3DGPU_HEAD_VBLANK_TIME_LO);

	return (uint64_t)get_head(device, 0, D3DGPU_HEAD_VBLANK_TIME_HI) << 32 | low;
}

/* Commits at the moment that a vblank is due, when the device's thread cannot have been there yet. */
static void flip_after_vblank(struct device *device)
{
	const uint64_t period = 5000000;
	unsigned early = 0;

	for (unsigned i = 0; i < 20; i++) {
		uint64_t due = vblank_time(device) + period, committed;

		while ((committed = d3dgpu_core_time(device->core)) < due)
			;
		set_head(device, 0, D3DGPU_HEAD_COMMIT, 1);
		device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_FLIP_PENDING, 0);
		early += vblank_time(device) < committed;
	}
	tap_eq(early, 0, "a flip is never done with a vblank that was before it");
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "heads=2,xres=1440,yres=900");
	boot_screen(&device);
	mode_set(&device);
	vblank_rate(&device);
	flip_after_vblank(&device);
	set_mode(&device, 0, 1024, 768, 4096, 0x10000);
	set_head(&device, 0, D3DGPU_HEAD_COMMIT, 1);
	bad_modes(&device);
	damage(&device);
	hotplug(&device);
	edid(&device);
	device_destroy(&device);
	return tap_done();
}
