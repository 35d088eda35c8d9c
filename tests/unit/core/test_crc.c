/* SPDX-License-Identifier: MIT */
/* CRCs of frames: what they are of, which frames have one, and when. */
#include <stdlib.h>
#include <string.h>

#include "crc32.h"
#include "device.h"
#include "tap.h"

#define WIDTH 320u
#define HEIGHT 200u
#define SURFACE 0x100000u
#define OTHER 0x200000u
#define SMALL 0x400000u /* buffer of overlay and cursor, 64x64 */
#define LARGE 2048u     /* pixels of a square screen that takes longer to read than a frame at 240 Hz */

static void set_head(struct device *device, uint32_t offset, uint32_t value)
{
	device_write(device, D3DGPU_REG_HEAD(0) + offset, value);
}

static void set_overlay(struct device *device, uint32_t offset, uint32_t value)
{
	device_write(device, D3DGPU_REG_OVERLAY(0) + offset, value);
}

static uint32_t get_head(struct device *device, uint32_t offset)
{
	return device_read(device, D3DGPU_REG_HEAD(0) + offset);
}

static uint32_t get_crc(struct device *device, uint32_t offset)
{
	return device_read(device, D3DGPU_REG_CRC(0) + offset);
}

static uint32_t *pixels_at(struct device *device, uint32_t offset)
{
	return (uint32_t *)((uint8_t *)d3dgpu_core_vram(device->core) + offset);
}

static void set_mode(struct device *device, uint32_t width, uint32_t height, uint32_t offset, uint32_t flags)
{
	set_head(device, D3DGPU_HEAD_WIDTH, width);
	set_head(device, D3DGPU_HEAD_HEIGHT, height);
	set_head(device, D3DGPU_HEAD_PITCH, width * 4);
	set_head(device, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_XRGB8888);
	set_head(device, D3DGPU_HEAD_OFFSET_LO, offset);
	set_head(device, D3DGPU_HEAD_ENABLE, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, flags);
	if (get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_BAD_MODE)
		tap_bail("the mode is refused");
}

static void wait_vblanks(struct device *device, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		set_head(device, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_VBLANK);
		device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_VBLANK,
				     D3DGPU_HEAD_STATUS_VBLANK);
	}
}

static void wait_event(struct device *device)
{
	if (!(device_wait_register(device, D3DGPU_REG_HEAD(0) + D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_CRC,
				   D3DGPU_HEAD_STATUS_CRC) &
	      D3DGPU_HEAD_STATUS_CRC))
		tap_bail("no CRC comes");
}

/* Takes the next CRC; returns the number of its frame. */
static uint32_t next_frame(struct device *device, uint32_t *value)
{
	uint32_t frame;

	wait_event(device);
	frame = get_crc(device, D3DGPU_CRC_FRAME);
	*value = get_crc(device, D3DGPU_CRC_VALUE);
	set_head(device, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_CRC);
	return frame;
}

/* The CRC of a frame that begins after this call. */
static uint32_t crc_now(struct device *device)
{
	uint32_t before = get_head(device, D3DGPU_HEAD_VBLANK_COUNT), value;

	while ((int32_t)(next_frame(device, &value) - before) <= 0)
		;
	return value;
}

/* What the picture that the device describes should have. */
static uint32_t expected(struct device *device)
{
	struct d3dgpu_picture shown;
	uint32_t *image, crc;
	size_t count;

	d3dgpu_core_picture(device->core, 0, &shown);
	count = (size_t)shown.surface.width * shown.surface.height;
	image = malloc(count * sizeof(*image));
	if (!image)
		tap_bail("no memory");
	d3dgpu_picture_compose(&shown, d3dgpu_core_vram(device->core), true, 0, 0, shown.surface.width, shown.surface.height, image,
			       shown.surface.width * sizeof(*image));
	crc = core_crc32_pixels(0, image, count);
	free(image);
	return crc;
}

static void registers(struct device *device)
{
	uint32_t frame, value, gaps = 0, longest = 0;

	set_mode(device, WIDTH, HEIGHT, SURFACE, D3DGPU_COMMIT_LATCH);
	wait_vblanks(device, 3);
	tap_ok(!(get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_CRC) && !get_crc(device, D3DGPU_CRC_FRAME),
	       "there are no CRCs unless somebody asks");
	device_write(device, D3DGPU_REG_CRC(0) + D3DGPU_CRC_CONTROL, ~0u);
	tap_eq(get_crc(device, D3DGPU_CRC_CONTROL), D3DGPU_CRC_ENABLED, "CONTROL keeps the bits that it has");
	wait_event(device);
	frame = get_crc(device, D3DGPU_CRC_FRAME);
	value = get_crc(device, D3DGPU_CRC_VALUE);
	tap_ok(frame && (int32_t)(get_head(device, D3DGPU_HEAD_VBLANK_COUNT) - frame) > 0, "a CRC is of a frame that has ended");
	pixels_at(device, SURFACE)[0] ^= 1;
	wait_vblanks(device, 3);
	tap_ok(get_crc(device, D3DGPU_CRC_FRAME) == frame && get_crc(device, D3DGPU_CRC_VALUE) == value,
	       "what is not taken stays");
	for (unsigned i = 0; i < 5; i++) {
		frame += get_crc(device, D3DGPU_CRC_FRAMES);
		set_head(device, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_CRC);
		wait_event(device);
		gaps += get_crc(device, D3DGPU_CRC_FRAME) != frame;
		longest = longest > get_crc(device, D3DGPU_CRC_FRAMES) ? longest : get_crc(device, D3DGPU_CRC_FRAMES);
	}
	tap_ok(longest >= 2, "meanwhile the next frame was shown %u times", longest);
	tap_eq(gaps, 0, "each frame is of one CRC");
	device_write(device, D3DGPU_REG_CRC(0) + D3DGPU_CRC_FRAME, 1);
	tap_eq(device_read(device, D3DGPU_REG_LAST_ERROR), D3DGPU_GUEST_ERROR_REGISTER, "FRAME cannot be written");
}

static void surface(struct device *device)
{
	uint32_t *pixels = pixels_at(device, SURFACE), first, plain;

	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
		pixels[i] = i * 2654435761u;
	set_mode(device, WIDTH, HEIGHT, SURFACE, D3DGPU_COMMIT_LATCH);
	first = crc_now(device);
	plain = core_crc32_pixels(0, pixels, WIDTH * HEIGHT);
	tap_eq(first, plain, "the CRC of a surface is that of its pixels");
	tap_eq(crc_now(device), first, "a frame that looks the same has the same");
	pixels[WIDTH * HEIGHT - 1] ^= 1;
	tap_ok(crc_now(device) != first, "one pixel with another blue has another");
	pixels[WIDTH * HEIGHT - 1] ^= 0xff000001;
	tap_eq(crc_now(device), first, "the surface's fourth byte does not count");
	set_head(device, D3DGPU_HEAD_TRANSFORM, 2);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_eq(crc_now(device), expected(device), "a surface that is turned");
	tap_ok(expected(device) != plain, "looks otherwise");
	set_head(device, D3DGPU_HEAD_TRANSFORM, 0);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
}

static void planes(struct device *device)
{
	static const uint32_t overlay[][2] = {
		{D3DGPU_OVERLAY_FORMAT, D3DGPU_SCANOUT_ARGB8888},
		{D3DGPU_OVERLAY_PITCH, 256},
		{D3DGPU_OVERLAY_OFFSET_LO, SMALL},
		{D3DGPU_OVERLAY_WIDTH, 64},
		{D3DGPU_OVERLAY_HEIGHT, 64},
		{D3DGPU_OVERLAY_SRC_WIDTH, 64 << 16},
		{D3DGPU_OVERLAY_SRC_HEIGHT, 64 << 16},
		{D3DGPU_OVERLAY_DST_X, 40},
		{D3DGPU_OVERLAY_DST_Y, (uint32_t)-20},
		{D3DGPU_OVERLAY_DST_WIDTH, 150},
		{D3DGPU_OVERLAY_DST_HEIGHT, 90},
		{D3DGPU_OVERLAY_ALPHA, 0xc000},
		{D3DGPU_OVERLAY_FILTER, D3DGPU_SCALING_LINEAR},
		{D3DGPU_OVERLAY_ENABLE, 1},
	};
	uint32_t last = crc_now(device), now;

	memset(pixels_at(device, SMALL), 0x5a, 64 * 64 * 4);
	for (size_t i = 0; i < sizeof(overlay) / sizeof(overlay[0]); i++)
		set_overlay(device, overlay[i][0], overlay[i][1]);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	now = crc_now(device);
	tap_ok(now == expected(device) && now != last, "an overlay counts");
	last = now;
	set_head(device, D3DGPU_HEAD_CURSOR_OFFSET_LO, SMALL);
	set_head(device, D3DGPU_HEAD_CURSOR_PITCH, 256);
	set_head(device, D3DGPU_HEAD_CURSOR_SIZE, 64 | 64 << 16);
	set_head(device, D3DGPU_HEAD_CURSOR_ENABLE, 1);
	set_head(device, D3DGPU_HEAD_CURSOR_COMMIT, 1);
	now = crc_now(device);
	tap_ok(now == expected(device) && now != last, "a cursor counts");
	last = now;
	set_head(device, D3DGPU_HEAD_CURSOR_POSITION, 100 | 50 << 16);
	now = crc_now(device);
	tap_ok(now == expected(device) && now != last, "and where it is");
	last = now;
	device_latch_ctrl(device);
	for (unsigned i = 0; i < D3DGPU_GAMMA_ENTRIES; i++)
		device->ctrl->gamma[0].entries[i].green = (uint16_t)(65535 - i * 257);
	set_head(device, D3DGPU_HEAD_GAMMA, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	now = crc_now(device);
	tap_ok(now == expected(device) && now != last, "gamma counts");
	set_overlay(device, D3DGPU_OVERLAY_ENABLE, 0);
	set_head(device, D3DGPU_HEAD_GAMMA, 0);
	set_head(device, D3DGPU_HEAD_CURSOR_ENABLE, 0);
	set_head(device, D3DGPU_HEAD_CURSOR_COMMIT, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
}

/* A driver that reports what is drawn is relied on. */
static void reports(struct device *device)
{
	uint32_t last;

	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_REPORTS);
	last = crc_now(device);
	pixels_at(device, SURFACE)[7] ^= 1;
	tap_eq(crc_now(device), last, "with REPORTS nothing is read again that was not reported");
	set_head(device, D3DGPU_HEAD_DAMAGE_X, 7);
	set_head(device, D3DGPU_HEAD_DAMAGE_Y, 0);
	set_head(device, D3DGPU_HEAD_DAMAGE_WIDTH, 1);
	set_head(device, D3DGPU_HEAD_DAMAGE_HEIGHT, 1);
	tap_ok(crc_now(device) != last, "what was is read");
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
}

static void fill(struct device *device, uint32_t offset, uint32_t colour)
{
	uint32_t *pixels = pixels_at(device, offset);

	for (size_t i = 0; i < (size_t)LARGE * LARGE; i++)
		pixels[i] = colour;
}

/* A guest that paints into a surface as soon as it is not shown any more, on a screen that takes more than a frame to read. */
static void slow(struct device *device)
{
	const uint32_t first = SURFACE, second = SURFACE + LARGE * LARGE * 4;
	uint32_t red, blue, value, mixed = 0;

	set_head(device, D3DGPU_HEAD_REFRESH, 240000);
	fill(device, first, 0xff0000);
	set_mode(device, LARGE, LARGE, first, D3DGPU_COMMIT_LATCH);
	red = crc_now(device);
	fill(device, second, 0x0000ff);
	set_mode(device, LARGE, LARGE, second, D3DGPU_COMMIT_LATCH);
	blue = crc_now(device);
	for (unsigned i = 0; i < 6; i++) {
		bool even = i % 2 == 0;

		fill(device, even ? first : second, even ? 0xff0000 : 0x0000ff);
		set_mode(device, LARGE, LARGE, even ? first : second, D3DGPU_COMMIT_LATCH);
		while (get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_FLIP_PENDING) {
			next_frame(device, &value);
			mixed += value != red && value != blue;
		}
		fill(device, even ? second : first, 0x123456);
		tap_eq(crc_now(device), even ? red : blue, "after flip %u the CRC is that of the new surface", i + 1);
	}
	tap_eq(mixed, 0, "a surface is never painted over while it is read");
	set_head(device, D3DGPU_HEAD_REFRESH, 60000);
}

static void ends(struct device *device)
{
	uint32_t frame, value;

	set_mode(device, WIDTH, HEIGHT, SURFACE, D3DGPU_COMMIT_LATCH);
	crc_now(device);
	set_head(device, D3DGPU_HEAD_ENABLE, 0);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	set_head(device, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_CRC);
	frame = get_crc(device, D3DGPU_CRC_FRAME);
	tap_ok(!(get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_CRC), "a head that is off has no frames");
	set_head(device, D3DGPU_HEAD_ENABLE, 1);
	set_head(device, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	tap_ok((int32_t)(next_frame(device, &value) - frame) > 0, "switched on again, it has");
	device_write(device, D3DGPU_REG_CRC(0) + D3DGPU_CRC_CONTROL, 0);
	set_head(device, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_CRC);
	wait_vblanks(device, 3);
	tap_ok(!(get_head(device, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_CRC), "switched off, CRCs come no more");
	device_write(device, D3DGPU_REG_CRC(0) + D3DGPU_CRC_CONTROL, 1);
	next_frame(device, &value);
	device_write(device, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	tap_ok(!get_crc(device, D3DGPU_CRC_CONTROL) && !get_crc(device, D3DGPU_CRC_FRAME) && !get_crc(device, D3DGPU_CRC_VALUE),
	       "a reset forgets them");
}

int main(int argc, char **argv)
{
	struct device device;

	device_arguments(argc, argv);
	device_create(&device, "");
	registers(&device);
	surface(&device);
	planes(&device);
	reports(&device);
	slow(&device);
	ends(&device);
	device_destroy(&device);
	return tap_done();
}
