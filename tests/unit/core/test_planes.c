/* SPDX-License-Identifier: MIT */
/* The display engine's planes, gamma, flips and vblank times, through registers. */
#include <string.h>

#include "device.h"
#include "tap.h"

static void set_head(struct device *device, uint32_t offset, uint32_t value)
{
	device_write(device, D3DGPU_REG_HEAD(0) + offset, value);
}

static uint32_t get_head(struct device *device, uint32_t offset)
{
	return device_read(device, D3DGPU_REG_HEAD(0) + offset);
}

static void set_overlay(struct device *device, uint32_t offset, uint32_t value)
{
	device_write(device, D3DGPU_REG_OVERLAY(0) + offset, value);
}

static struct d3dgpu_picture picture(struct device *device)
{
	struct d3dgpu_picture shown;

	d3dgpu_core_picture(device->core, 0, &shown);
	return shown;
}

static bool refused(struct device *device)
{
	return get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_BAD_MODE;
}

static void set_mode(struct device *device)
{
	set_head(device, D3DGPU_HEAD_WIDTH, 640);
	set_head(device, D3DGPU_HEAD_HEIGHT, 480);
	set_head(device, D3DGPU_HEAD_PITCH, 2560);
	set_head(device, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_XRGB8888);
	set_head(device, D3DGPU_HEAD_OFFSET_LO, 0x100000);
	set_head(device, D3DGPU_HEAD_ENABLE, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	if (refused(device))
		tap_bail("the mode is refused");
}

static bool refuses_place(struct device *device, uint32_t position, uint32_t size)
{
	set_head(device, D3DGPU_HEAD_SURFACE_POSITION, position);
	set_head(device, D3DGPU_HEAD_SURFACE_SIZE, size);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	return refused(device);
}

static void surface(struct device *device)
{
	tap_ok(!refuses_place(device, 540 | 380 << 16, 100 | 100 << 16), "a surface of 100x100 in the lower right corner");
	tap_ok(picture(device).surface.left == 540 && picture(device).surface.top == 380 &&
		       picture(device).surface.surface_width == 100 && picture(device).surface.surface_height == 100,
	       "is described so");
	tap_ok(refuses_place(device, 541 | 380 << 16, 100 | 100 << 16), "one pixel further to the right: refused");
	tap_ok(refuses_place(device, 540 | 381 << 16, 100 | 100 << 16), "further down: refused");
	tap_ok(refuses_place(device, 0, 641 | 100 << 16), "wider than the screen: refused");
	tap_ok(refuses_place(device, 0, 100), "with no height: refused");
	tap_ok(refuses_place(device, 1, 0), "one that covers the screen, elsewhere: refused");
	tap_eq(picture(device).surface.left, 540, "and the old one stays");
	set_head(device, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_NONE);
	set_head(device, D3DGPU_HEAD_PITCH, 1);
	tap_ok(!refuses_place(device, ~0u, ~0u), "without a surface, nothing of it is looked at");
	tap_ok(picture(device).surface.enabled && picture(device).surface.format == D3DGPU_SCANOUT_NONE, "the head is on");
	set_head(device, D3DGPU_HEAD_SURFACE_POSITION, 0);
	set_head(device, D3DGPU_HEAD_SURFACE_SIZE, 0);
	set_mode(device);
	tap_eq(picture(device).surface.surface_width, 640, "a size of 0 is the screen's");
}

static void set_good_overlay(struct device *device)
{
	static const uint32_t values[][2] = {
		{D3DGPU_OVERLAY_FORMAT, D3DGPU_SCANOUT_ARGB8888},
		{D3DGPU_OVERLAY_PITCH, 256},
		{D3DGPU_OVERLAY_OFFSET_LO, 0x400000},
		{D3DGPU_OVERLAY_OFFSET_HI, 0},
		{D3DGPU_OVERLAY_WIDTH, 64},
		{D3DGPU_OVERLAY_HEIGHT, 32},
		{D3DGPU_OVERLAY_SRC_X, 1 << 15},
		{D3DGPU_OVERLAY_SRC_Y, 0},
		{D3DGPU_OVERLAY_SRC_WIDTH, 63 << 16},
		{D3DGPU_OVERLAY_SRC_HEIGHT, 32 << 16},
		{D3DGPU_OVERLAY_DST_X, (uint32_t)-20},
		{D3DGPU_OVERLAY_DST_Y, 30},
		{D3DGPU_OVERLAY_DST_WIDTH, 300},
		{D3DGPU_OVERLAY_DST_HEIGHT, 200},
		{D3DGPU_OVERLAY_TRANSFORM, 0},
		{D3DGPU_OVERLAY_ALPHA, 0xffff},
		{D3DGPU_OVERLAY_BLEND, D3DGPU_BLEND_PREMULTIPLIED},
		{D3DGPU_OVERLAY_FILTER, D3DGPU_SCALING_LINEAR},
		{D3DGPU_OVERLAY_ENABLE, 1},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		set_overlay(device, values[i][0], values[i][1]);
}

static void overlay(struct device *device)
{
	static const struct {
		uint32_t offset, value;
		const char *what;
	} bad[] = {
		{D3DGPU_OVERLAY_FORMAT, 9, "no such format"},
		{D3DGPU_OVERLAY_PITCH, 252, "a pitch shorter than a row"},
		{D3DGPU_OVERLAY_OFFSET_HI, 1, "a buffer outside VRAM"},
		{D3DGPU_OVERLAY_WIDTH, 0, "a buffer without width"},
		{D3DGPU_OVERLAY_SRC_X, 0x18000, "a source that reaches out of the buffer"},
		{D3DGPU_OVERLAY_SRC_Y, 0xffffffff, "one that wraps around"},
		{D3DGPU_OVERLAY_SRC_WIDTH, 0, "an empty source"},
		{D3DGPU_OVERLAY_DST_X, 0x80000000, "a place far outside the screen"},
		{D3DGPU_OVERLAY_DST_WIDTH, 0, "an empty place"},
		{D3DGPU_OVERLAY_DST_HEIGHT, 20000, "a place that is too high"},
		{D3DGPU_OVERLAY_TRANSFORM, 16, "no such transform"},
		{D3DGPU_OVERLAY_ALPHA, 0x10000, "more than opaque"},
		{D3DGPU_OVERLAY_BLEND, 3, "no such blending"},
		{D3DGPU_OVERLAY_FILTER, 2, "no such filter"},
	};

	set_good_overlay(device);
	tap_ok(!picture(device).overlay.enabled, "an overlay's registers do nothing before the commit");
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(!refused(device) && picture(device).overlay.enabled && picture(device).overlay.dst_x == -20 &&
		       picture(device).overlay.src_x == 1 << 15,
	       "the head's commit latches them");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_good_overlay(device);
		set_overlay(device, bad[i].offset, bad[i].value);
		set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
		tap_ok(refused(device) && picture(device).overlay.dst_width == 300, "%s: BAD_MODE, what was shown stays",
		       bad[i].what);
	}
	set_overlay(device, D3DGPU_OVERLAY_ENABLE, 0);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(!refused(device) && !picture(device).overlay.enabled, "one that is off may have any values");
}

static void set_cursor(struct device *device, uint32_t size, uint32_t hot, uint32_t pitch, uint32_t offset)
{
	set_head(device, D3DGPU_HEAD_CURSOR_ENABLE, 1);
	set_head(device, D3DGPU_HEAD_CURSOR_SIZE, size);
	set_head(device, D3DGPU_HEAD_CURSOR_HOT, hot);
	set_head(device, D3DGPU_HEAD_CURSOR_PITCH, pitch);
	set_head(device, D3DGPU_HEAD_CURSOR_OFFSET_LO, offset);
	set_head(device, D3DGPU_HEAD_CURSOR_COMMIT, 1);
}

static void cursor(struct device *device)
{
	static const struct {
		uint32_t size, hot, pitch, offset;
		const char *what;
	} bad[] = {
		{257 | 64 << 16, 0, 2048, 0, "a cursor that is too wide"},
		{64 | 257 << 16, 0, 256, 0, "too high"},
		{0, 0, 256, 0, "without extent"},
		{64 | 64 << 16, 0, 252, 0, "with a pitch shorter than a row"},
		{64 | 64 << 16, 64, 256, 0, "with a hot spot outside"},
		{64 | 64 << 16, 0, 256, 0x3fffffc, "outside VRAM"},
	};
	uint32_t serial = picture(device).cursor.serial;
	unsigned told = device->cursors;

	set_head(device, D3DGPU_HEAD_CURSOR_POSITION, 100 | 50 << 16);
	set_cursor(device, 64 | 48 << 16, 3 | 4 << 16, 256, 0x200000);
	tap_ok(picture(device).cursor.enabled && picture(device).cursor.width == 64 && picture(device).cursor.height == 48 &&
		       picture(device).cursor.hot_x == 3 && picture(device).cursor.hot_y == 4 &&
		       picture(device).cursor.offset == 0x200000,
	       "CURSOR_COMMIT shows the cursor");
	tap_ok(picture(device).cursor.serial != serial && device->cursors == told + 2, "the host hears of it");
	tap_ok(picture(device).cursor.x == 100 && picture(device).cursor.y == 50, "it is where it was put");
	serial = picture(device).cursor.serial;
	set_head(device, D3DGPU_HEAD_CURSOR_POSITION, 0xfff0 | 0x8000u << 16);
	tap_ok(picture(device).cursor.x == -16 && picture(device).cursor.y == -32768, "it moves at once, also out of the screen");
	tap_eq(picture(device).cursor.serial, serial, "with the same image");
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(picture(device).cursor.enabled && picture(device).cursor.serial == serial, "a commit of the head leaves it alone");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set_cursor(device, bad[i].size, bad[i].hot, bad[i].pitch, bad[i].offset);
		tap_ok(refused(device) && picture(device).cursor.height == 48, "%s: BAD_MODE, the old one stays", bad[i].what);
	}
	set_head(device, D3DGPU_HEAD_CURSOR_ENABLE, 0);
	set_head(device, D3DGPU_HEAD_CURSOR_COMMIT, 1);
	tap_ok(!refused(device) && !picture(device).cursor.enabled, "and it goes");
}

static void gamma_table(struct device *device)
{
	set_head(device, D3DGPU_HEAD_GAMMA, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(refused(device) && !picture(device).gamma, "gamma without a control block, where its table is: BAD_MODE");
	device_latch_ctrl(device);
	for (unsigned i = 0; i < D3DGPU_GAMMA_ENTRIES; i++)
		device->ctrl->gamma[0].entries[i].red = (uint16_t)(65535 - i * 257);
	device->ctrl->gamma[0].entries[7].blue = 129;
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(picture(device).gamma && picture(device).lut[0][0] == 255 && picture(device).lut[0][255] == 0 &&
		       picture(device).lut[0][100] == 155 && picture(device).lut[1][9] == 0 && picture(device).lut[2][7] == 1,
	       "the commit takes the table, rounded to eight bits");
	device->ctrl->gamma[0].entries[0].red = 0;
	tap_eq(picture(device).lut[0][0], 255, "what is written afterwards waits for the next commit");
	set_head(device, D3DGPU_HEAD_GAMMA, 0);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok(!picture(device).gamma, "and it can be switched off");
}

static void flips(struct device *device)
{
	uint32_t serial = picture(device).serial, status;

	set_head(device, D3DGPU_HEAD_REFRESH, 1000);
	device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_FLIP_PENDING, 0);
	set_head(device, D3DGPU_HEAD_STATUS, ~0u);
	set_head(device, D3DGPU_HEAD_OFFSET_LO, 0x300000);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH | D3DGPU_COMMIT_ASYNC);
	status = get_head(device, D3DGPU_HEAD_STATUS);
	tap_ok(status & D3DGPU_HEAD_STATUS_FLIP_DONE && !(status & D3DGPU_HEAD_STATUS_FLIP_PENDING),
	       "an asynchronous flip is done at once");
	tap_eq(picture(device).serial, serial + 1, "a commit may change everything");
	tap_ok(!picture(device).reports, "and the host has to look itself for what is drawn");
	set_head(device, D3DGPU_HEAD_OFFSET_LO, 0x100000);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH | D3DGPU_COMMIT_ASYNC | D3DGPU_COMMIT_PARTIAL);
	tap_ok(picture(device).serial == serial + 1 && picture(device).surface.offset == 0x100000,
	       "a partial one changes only what was reported");
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH | D3DGPU_COMMIT_ASYNC | D3DGPU_COMMIT_REPORTS);
	tap_ok(picture(device).reports, "a driver that reports all that is drawn says so");
	set_head(device, D3DGPU_HEAD_REFRESH, 100000);
}

static uint64_t read_time(struct device *device, uint32_t low)
{
	uint64_t time = device_read(device, low);

	return time | (uint64_t)device_read(device, low + 4) << 32;
}

static void times(struct device *device)
{
	uint64_t first, last, before = read_time(device, D3DGPU_REG_TIME_LO), after;
	uint32_t count, passed;

	after = d3dgpu_core_time(device->core);
	tap_ok(before <= after && after - before < 10000000000ull, "TIME is the device's time");
	count = get_head(device, D3DGPU_HEAD_VBLANK_COUNT);
	device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_COUNT, ~0u, count + 1);
	do {
		count = get_head(device, D3DGPU_HEAD_VBLANK_COUNT);
		first = read_time(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_TIME_LO);
	} while (get_head(device, D3DGPU_HEAD_VBLANK_COUNT) != count);
	device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_COUNT, ~0u, count + 20);
	do {
		passed = get_head(device, D3DGPU_HEAD_VBLANK_COUNT) - count;
		last = read_time(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_TIME_LO);
	} while (get_head(device, D3DGPU_HEAD_VBLANK_COUNT) - count != passed);
	tap_eq(last - first, passed * 10000000ull, "%u vblanks at 100 Hz are 10 ms apart, to the nanosecond", passed);
	tap_ok(last <= d3dgpu_core_time(device->core), "and none is in the future");
}

static void masked_events(struct device *device)
{
	uint32_t count;
	unsigned irqs;

	device_write(device, D3DGPU_REG_INTR_ENABLE, 1 << D3DGPU_VECTOR_DISPLAY);
	set_head(device, D3DGPU_HEAD_EVENT_ENABLE, ~0u);
	tap_eq(get_head(device, D3DGPU_HEAD_EVENT_ENABLE), D3DGPU_HEAD_STATUS_EVENTS, "only events can be enabled");
	device_wait_irq(device, D3DGPU_VECTOR_DISPLAY, device->irqs[D3DGPU_VECTOR_DISPLAY] + 1);
	set_head(device, D3DGPU_HEAD_EVENT_ENABLE, D3DGPU_HEAD_STATUS_FLIP_DONE);
	count = get_head(device, D3DGPU_HEAD_VBLANK_COUNT);
	irqs = device->irqs[D3DGPU_VECTOR_DISPLAY];
	device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_VBLANK_COUNT, ~0u, count + 5);
	tap_ok(device->irqs[D3DGPU_VECTOR_DISPLAY] <= irqs + 1, "an event that is not enabled raises nothing");
	tap_ok(get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_VBLANK, "but is seen");
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH | D3DGPU_COMMIT_ASYNC);
	tap_ok(device_wait_irq(device, D3DGPU_VECTOR_DISPLAY, irqs + 1) > irqs, "one that is does");
}

static void reset_values(struct device *device)
{
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_ok(!picture(device).surface.enabled && !picture(device).cursor.enabled && !picture(device).overlay.enabled,
	       "a reset switches all planes off");
	tap_eq(get_head(device, D3DGPU_HEAD_EVENT_ENABLE), D3DGPU_HEAD_STATUS_EVENTS, "and enables all events");
	tap_eq(get_head(device, D3DGPU_HEAD_REFRESH), 60000, "at 60 Hz");
	tap_eq(device_read(device, D3DGPU_REG_OVERLAY(0) + D3DGPU_OVERLAY_WIDTH), 0, "the overlay's registers are 0");
	tap_eq(get_head(device, D3DGPU_HEAD_CURSOR_SIZE), 0, "and the cursor's");
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "");
	set_mode(&device);
	surface(&device);
	overlay(&device);
	cursor(&device);
	gamma_table(&device);
	flips(&device);
	times(&device);
	masked_events(&device);
	reset_values(&device);
	device_destroy(&device);
	return tap_done();
}
