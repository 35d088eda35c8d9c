/* SPDX-License-Identifier: MIT */
/* CRCs of frames: of what the test knows that is shown, and of what the host's screen dump has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "crc.h"
#include "display.h"
#include "firmware.h"
#include "gpu.h"
#include "model.h"
#include "screen.h"
#include "tap.h"

#define FLIPS 20u
#define CURSOR 64u

static uint32_t model_crc(void)
{
	return screen_checksum(model.width, model.height, model.pixels);
}

static void test_control(const struct display *display)
{
	tap_eq(crc_choose(display, "pipe"), -EINVAL, "a source that there is not: -EINVAL");
	tap_eq(crc_choose(display, "auto"), 0, "the source \"auto\"");
	display_off(display);
	tap_eq(crc_open(display), -EIO, "a CRTC that is off has no CRCs: -EIO");
}

static void test_content(const struct display *display, const struct picture *screen, int crcs)
{
	uint32_t *corner = display_pixel(screen, model.width - 1, model.height - 1);
	uint32_t first = crc_now(crcs, display), frame, next, value;

	model_copy(screen);
	tap_eq(first, model_crc(), "the CRC of a frame is that of the framebuffer's pixels");
	screen_check("crc", display->head, model.width, model.height, model.pixels, "and of the screen dump");
	if (!crc_next(crcs, &frame, &value) || !crc_next(crcs, &next, &value))
		tap_bail("no more CRCs come");
	tap_ok(next == frame + 1 && next < crc_vblank(display) && value == first, "frame after frame, as long as nothing changes");
	*corner ^= 1;
	tap_ok(crc_now(crcs, display) != first, "one pixel with another blue has another");
	*corner ^= 1;
	tap_eq(crc_now(crcs, display), first, "painted back, the frame has the first one again");
}

static void test_flips(const struct display *display, const struct picture pictures[2], int crcs)
{
	unsigned early = 0, late = 0;
	uint32_t values[2];
	struct flip flip;

	for (unsigned i = 0; i < 2; i++) {
		model_copy(&pictures[i]);
		values[i] = model_crc();
	}
	display_flip(display, pictures[0].fb, 0, &flip);
	crc_now(crcs, display);
	for (unsigned i = 1; i <= FLIPS; i++) {
		uint32_t before = crc_vblank(display), frame = before, value = values[!(i % 2)];

		if (!display_flip(display, pictures[i % 2].fb, 0, &flip))
			tap_bail("a flip does not complete");
		while ((int32_t)(frame - flip.sequence) < 0) {
			if (!crc_next(crcs, &frame, &value))
				tap_bail("no CRC comes");
			early += (int32_t)(frame - before) <= 0 && value != values[!(i % 2)];
		}
		late += value != values[i % 2];
	}
	tap_eq(early, 0, "no frame before a flip shows what it flips to");
	tap_eq(late, 0, "that of its vblank does, each of %u times", FLIPS);
	display_flip(display, pictures[0].fb, 0, &flip);
}

static void test_cursor(const struct display *display, const struct picture *screen, int crcs)
{
	struct picture image = display_picture(display->fd, CURSOR, CURSOR, DRM_FORMAT_ARGB8888);
	const uint32_t places[2][2] = {{100, 70}, {model.width - 10, 200}};

	for (uint32_t i = 0; i < CURSOR * CURSOR; i++)
		*display_pixel(&image, i % CURSOR, i / CURSOR) = i / CURSOR < 32 ? 0xff00ffff : 0;
	tap_eq(drmModeSetCursor(display->fd, display->crtc, image.handle, CURSOR, CURSOR) ? -errno : 0, 0, "a cursor");
	for (unsigned i = 0; i < 2; i++) {
		drmModeMoveCursor(display->fd, display->crtc, (int)places[i][0], (int)places[i][1]);
		model_copy(screen);
		for (uint32_t y = 0; y < CURSOR / 2; y++)
			for (uint32_t x = 0; x < CURSOR && places[i][0] + x < model.width; x++)
				*model_pixel(places[i][0] + x, places[i][1] + y) = 0x00ffff;
		tap_eq(crc_now(crcs, display), model_crc(), "the frame has it at %u,%u", places[i][0], places[i][1]);
	}
	drmModeSetCursor(display->fd, display->crtc, 0, 0, 0);
	model_copy(screen);
	tap_eq(crc_now(crcs, display), model_crc(), "and no more when it is gone");
	display_picture_end(display->fd, &image);
}

static void test_colours(const struct display *display, const struct picture *screen, int crcs)
{
	uint16_t ramp[256], straight[256];
	drmModeAtomicReq *request = drmModeAtomicAlloc();

	for (uint32_t i = 0; i < 256; i++) {
		straight[i] = (uint16_t)(i * 257);
		ramp[i] = (uint16_t)(65535 - straight[i]);
	}
	drmModeCrtcSetGamma(display->fd, display->crtc, 256, ramp, straight, straight);
	model_copy(screen);
	for (size_t i = 0; i < (size_t)model.width * model.height; i++)
		model.pixels[i] ^= 0xff0000;
	tap_eq(crc_now(crcs, display), model_crc(), "with a gamma ramp, colours have gone through it");
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "GAMMA_LUT", 0);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "rotation", DRM_MODE_ROTATE_180);
	tap_eq(display_commit(display->fd, request, 0), 0, "no gamma, the primary plane upside down");
	for (uint32_t y = 0; y < model.height; y++)
		for (uint32_t x = 0; x < model.width; x++)
			*model_pixel(x, y) = *display_pixel(screen, model.width - 1 - x, model.height - 1 - y) & 0xffffff;
	tap_eq(crc_now(crcs, display), model_crc(), "the frame has it so");
	request = drmModeAtomicAlloc();
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "rotation", DRM_MODE_ROTATE_0);
	display_commit(display->fd, request, 0);
}

/* As long as they are read, CRCs come: after a time off, and after the device forgot everything. */
static void test_interruptions(const struct display *display, const struct picture *screen, int crcs)
{
	uint64_t resets = gpu_param(display->fd, D3DGPU_PARAM_RESETS);
	uint32_t ctx;

	model_copy(screen);
	display_off(display);
	display_show(display, screen);
	tap_eq(crc_now(crcs, display), model_crc(), "switched off and on, the CRTC has CRCs again");
	if (!firmware_boot(&firmware_dies)) {
		tap_skip("the kernel does not let programs map registers (iomem=relaxed)", "reset");
		return;
	}
	if (!gpu_ctx_create(display->fd, D3DGPU_PRIORITY_NORMAL, &ctx))
		gpu_ctx_destroy(display->fd, ctx);
	if (tap_ok(gpu_param_reaches(display->fd, D3DGPU_PARAM_RESETS, resets + 1), "the device is reset"))
		tap_eq(crc_now(crcs, display), model_crc(), "and goes on with them");
}

/* usage: test_crc [HEAD] */
int main(int argc, char **argv)
{
	struct display display = display_open(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
	struct picture pictures[2];
	int crcs;

	for (unsigned i = 0; i < 2; i++) {
		pictures[i] = display_picture(display.fd, display.mode.hdisplay, display.mode.vdisplay, DRM_FORMAT_XRGB8888);
		display_paint(&pictures[i], i);
	}
	model = (struct model){pictures[0].width, pictures[0].height, malloc(pictures[0].size)};
	if (!model.pixels)
		tap_bail("no memory");
	test_control(&display);
	if (tap_eq(display_show(&display, &pictures[0]), 0, "set the mode")) {
		crcs = crc_open(&display);
		if (!tap_ok(crcs >= 0, "CRCs of the CRTC's frames (%d)", crcs))
			return tap_done();
		tap_eq(crc_open(&display), -EBUSY, "for one program at a time: -EBUSY");
		test_content(&display, &pictures[0], crcs);
		test_flips(&display, pictures, crcs);
		test_cursor(&display, &pictures[0], crcs);
		test_colours(&display, &pictures[0], crcs);
		test_interruptions(&display, &pictures[0], crcs);
		close(crcs);
		display_off(&display);
	}
	free(model.pixels);
	for (unsigned i = 0; i < 2; i++)
		display_picture_end(display.fd, &pictures[i]);
	close(display.fd);
	return tap_done();
}
