/* SPDX-License-Identifier: MIT */
/* Planes, gamma and rotation: what the host sees of them, pixel by pixel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "display.h"
#include "model.h"
#include "screen.h"
#include "tap.h"

#define OVERLAY_WIDTH 96u
#define OVERLAY_HEIGHT 64u

static void expect(const struct display *display, const char *name, const char *what)
{
	screen_check(name, display->head, model.width, model.height, model.pixels, what);
}

static void test_overlay(const struct display *display, const struct picture *screen)
{
	struct picture picture = display_picture(display->fd, OVERLAY_WIDTH, OVERLAY_HEIGHT, DRM_FORMAT_XRGB8888);
	drmModeAtomicReq *request = drmModeAtomicAlloc();
	uint32_t plane = display->overlay;

	display_paint(&picture, 77);
	display_set_plane(request, display, plane, &picture, 50, 40, 3 * OVERLAY_WIDTH, 2 * OVERLAY_HEIGHT);
	display_set(request, display->fd, plane, DRM_MODE_OBJECT_PLANE, "SCALING_FILTER", 1);
	tap_eq(display_commit(display->fd, request, 0), 0, "an overlay, three times as wide, twice as high");
	model_copy(screen);
	for (uint32_t y = 0; y < 2 * OVERLAY_HEIGHT; y++)
		for (uint32_t x = 0; x < 3 * OVERLAY_WIDTH; x++)
			*model_pixel(50 + x, 40 + y) = *display_pixel(&picture, x / 3, y / 2) & 0xffffff;
	expect(display, "planes-overlay", "the host sees it over the primary plane");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, plane, &picture, -32, -10, OVERLAY_WIDTH, OVERLAY_HEIGHT);
	tap_eq(display_commit(display->fd, request, 0), 0, "the overlay moved over the edge");
	model_copy(screen);
	for (uint32_t y = 10; y < OVERLAY_HEIGHT; y++)
		for (uint32_t x = 32; x < OVERLAY_WIDTH; x++)
			*model_pixel(x - 32, y - 10) = *display_pixel(&picture, x, y) & 0xffffff;
	expect(display, "planes-edge", "what is outside is cut off, and where it was is as before");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, plane, &picture, 0, 0, 1, 1);
	tap_ok(display_commit(display->fd, request, 0) < 0, "96 times smaller: refused");

	drmModeSetPlane(display->fd, plane, display->crtc, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	model_copy(screen);
	expect(display, "planes-none", "switched off, it is gone");
	display_picture_end(display->fd, &picture);
}

/* Alpha of the pixels, multiplied into the colours already: one half, over the primary plane. */
static void test_blending(const struct display *display, const struct picture *screen)
{
	struct picture picture = display_picture(display->fd, OVERLAY_WIDTH, OVERLAY_HEIGHT, DRM_FORMAT_ARGB8888);
	drmModeAtomicReq *request = drmModeAtomicAlloc();

	for (uint32_t y = 0; y < picture.height; y++)
		for (uint32_t x = 0; x < picture.width; x++)
			*display_pixel(&picture, x, y) = x < picture.width / 2 ? 0 : 0xff123456;
	display_set_plane(request, display, display->overlay, &picture, 100, 100, picture.width, picture.height);
	tap_eq(display_commit(display->fd, request, 0), 0, "an overlay whose left half is transparent");
	model_copy(screen);
	for (uint32_t y = 0; y < picture.height; y++)
		for (uint32_t x = picture.width / 2; x < picture.width; x++)
			*model_pixel(100 + x, 100 + y) = 0x123456;
	expect(display, "planes-alpha", "shows the primary plane there");
	drmModeSetPlane(display->fd, display->overlay, display->crtc, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	display_picture_end(display->fd, &picture);
}

/* The guest runs without a window: so the device draws the cursor into the picture. */
static void test_cursor(const struct display *display, const struct picture *screen)
{
	struct picture image = display_picture(display->fd, 64, 64, DRM_FORMAT_ARGB8888);

	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x < 64; x++)
			*display_pixel(&image, x, y) = x + y < 64 ? 0xff00ffff : 0;
	tap_eq(drmModeSetCursor2(display->fd, display->crtc, image.handle, 64, 64, 3, 5) ? -errno : 0, 0, "a cursor");
	tap_eq(drmModeMoveCursor(display->fd, display->crtc, 200, 150) ? -errno : 0, 0, "moved");
	model_copy(screen);
	for (uint32_t y = 0; y < 64; y++)
		for (uint32_t x = 0; x + y < 64; x++)
			*model_pixel(200 + x, 150 + y) = 0x00ffff;
	expect(display, "planes-cursor", "the host sees it");
	tap_eq(drmModeMoveCursor(display->fd, display->crtc, -60, (int)display->mode.vdisplay - 4) ? -errno : 0, 0,
	       "moved into a corner");
	model_copy(screen);
	for (uint32_t y = 0; y < 4; y++)
		for (uint32_t x = 60; x + y < 64; x++)
			*model_pixel(x - 60, model.height - 4 + y) = 0x00ffff;
	expect(display, "planes-corner", "only a corner of it is left");
	tap_eq(drmModeSetCursor2(display->fd, display->crtc, 0, 0, 0, 0, 0) ? -errno : 0, 0, "and none");
	model_copy(screen);
	expect(display, "planes-no-cursor", "the screen is as before");
	display_picture_end(display->fd, &image);

	image = display_picture(display->fd, 320, 320, DRM_FORMAT_ARGB8888);
	tap_eq(drmModeSetCursor2(display->fd, display->crtc, image.handle, 320, 320, 0, 0) ? -errno : 0, -EINVAL,
	       "a cursor of 320x320: -EINVAL");
	display_picture_end(display->fd, &image);
}

static void test_gamma(const struct display *display, const struct picture *screen)
{
	struct drm_color_lut lut[256] = {0};
	drmModeAtomicReq *request = drmModeAtomicAlloc();
	uint16_t ramp[3][256];
	uint32_t blob;

	for (uint32_t i = 0; i < 256; i++) {
		ramp[0][i] = (uint16_t)(65535 - i * 257);
		ramp[1][i] = (uint16_t)(i * 257);
		ramp[2][i] = (uint16_t)(i / 2 * 257);
	}
	tap_eq(drmModeCrtcSetGamma(display->fd, display->crtc, 256, ramp[0], ramp[1], ramp[2]) ? -errno : 0, 0, "a gamma ramp");
	for (uint32_t y = 0; y < model.height; y++)
		for (uint32_t x = 0; x < model.width; x++) {
			uint32_t pixel = *display_pixel(screen, x, y);

			*model_pixel(x, y) = (255 - (pixel >> 16 & 255)) << 16 | (pixel & 0xff00) | (pixel & 255) / 2;
		}
	expect(display, "planes-gamma", "the host sees colours that went through it");

	drmModeCreatePropertyBlob(display->fd, lut, sizeof(lut[0]) * 255, &blob);
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "GAMMA_LUT", blob);
	tap_eq(display_commit(display->fd, request, 0), -EINVAL, "a table of 255 entries: -EINVAL");
	drmModeDestroyPropertyBlob(display->fd, blob);
	request = drmModeAtomicAlloc();
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "GAMMA_LUT", 0);
	tap_eq(display_commit(display->fd, request, 0), 0, "no table");
	model_copy(screen);
	expect(display, "planes-no-gamma", "and the colours are as they were");
}

static void test_rotation(const struct display *display, const struct picture *screen)
{
	struct picture turned = display_picture(display->fd, screen->height, screen->width, DRM_FORMAT_XRGB8888);
	drmModeAtomicReq *request = drmModeAtomicAlloc();

	display_paint(&turned, 5);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "rotation", DRM_MODE_ROTATE_180);
	tap_eq(display_commit(display->fd, request, 0), 0, "the primary plane turned by 180 degrees");
	for (uint32_t y = 0; y < model.height; y++)
		for (uint32_t x = 0; x < model.width; x++)
			*model_pixel(x, y) = *display_pixel(screen, model.width - 1 - x, model.height - 1 - y) & 0xffffff;
	expect(display, "planes-180", "the host sees it upside down");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, display->primary, &turned, 0, 0, screen->width, screen->height);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "rotation", DRM_MODE_ROTATE_90);
	tap_eq(display_commit(display->fd, request, 0), 0, "a framebuffer in portrait format, turned by 90 degrees");
	for (uint32_t y = 0; y < model.height; y++)
		for (uint32_t x = 0; x < model.width; x++)
			*model_pixel(x, y) = *display_pixel(&turned, turned.width - 1 - y, x) & 0xffffff;
	expect(display, "planes-90", "fills the screen, counter-clockwise");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, display->primary, screen, 0, 0, screen->width, screen->height);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "rotation", DRM_MODE_ROTATE_0);
	tap_eq(display_commit(display->fd, request, 0), 0, "and back");
	display_picture_end(display->fd, &turned);
}

/* The primary plane is one like the others: it may be smaller, partly outside, or off. */
static void test_primary(const struct display *display, const struct picture *screen)
{
	struct picture small = display_picture(display->fd, 200, 100, DRM_FORMAT_XRGB8888);
	drmModeAtomicReq *request = drmModeAtomicAlloc();

	display_paint(&small, 9);
	display_set_plane(request, display, display->primary, &small, 30, -40, 200, 100);
	tap_eq(display_commit(display->fd, request, 0), 0, "a primary plane of 200x100, partly above the screen");
	memset(model.pixels, 0, (size_t)model.width * model.height * sizeof(*model.pixels));
	for (uint32_t y = 40; y < 100; y++)
		for (uint32_t x = 0; x < 200; x++)
			*model_pixel(30 + x, y - 40) = *display_pixel(&small, x, y) & 0xffffff;
	expect(display, "planes-primary", "the host sees it with black around it");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, display->overlay, &small, 300, 200, 200, 100);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "FB_ID", 0);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "CRTC_ID", 0);
	tap_eq(display_commit(display->fd, request, 0), 0, "an overlay, and no primary plane");
	memset(model.pixels, 0, (size_t)model.width * model.height * sizeof(*model.pixels));
	for (uint32_t y = 0; y < 100; y++)
		for (uint32_t x = 0; x < 200; x++)
			*model_pixel(300 + x, 200 + y) = *display_pixel(&small, x, y) & 0xffffff;
	expect(display, "planes-no-primary", "the host sees it on black");
	tap_eq(drmModePageFlip(display->fd, display->crtc, screen->fb, 0, NULL) ? -errno : 0, -EBUSY,
	       "there is nothing to flip: -EBUSY");

	request = drmModeAtomicAlloc();
	display_set_plane(request, display, display->primary, screen, 0, 0, screen->width + 1, screen->height);
	tap_eq(display_commit(display->fd, request, 0), -ERANGE, "it cannot be scaled: -ERANGE");
	request = drmModeAtomicAlloc();
	display_set_plane(request, display, display->primary, screen, 0, 0, screen->width, screen->height);
	display_set(request, display->fd, display->overlay, DRM_MODE_OBJECT_PLANE, "FB_ID", 0);
	display_set(request, display->fd, display->overlay, DRM_MODE_OBJECT_PLANE, "CRTC_ID", 0);
	tap_eq(display_commit(display->fd, request, 0), 0, "and back");
	model_copy(screen);
	expect(display, "planes-whole", "all is as before");
	display_picture_end(display->fd, &small);
}

/* Clips of a flip: the host takes over what they say, and that is all that is different. */
static void test_clips(const struct display *display, const struct picture *screen)
{
	struct picture other = display_picture(display->fd, screen->width, screen->height, DRM_FORMAT_XRGB8888);
	struct drm_mode_rect clips[2] = {{16, 16, 80, 48}, {300, 200, 310, 290}};
	drmModeAtomicReq *request = drmModeAtomicAlloc();
	uint32_t blob;

	memcpy(other.pixels, screen->pixels, screen->size);
	for (unsigned i = 0; i < 2; i++)
		for (int y = clips[i].y1; y < clips[i].y2; y++)
			for (int x = clips[i].x1; x < clips[i].x2; x++)
				*display_pixel(&other, (uint32_t)x, (uint32_t)y) = 0xffffffff;
	drmModeCreatePropertyBlob(display->fd, clips, sizeof(clips), &blob);
	display_set_plane(request, display, display->primary, &other, 0, 0, other.width, other.height);
	display_set(request, display->fd, display->primary, DRM_MODE_OBJECT_PLANE, "FB_DAMAGE_CLIPS", blob);
	tap_eq(display_commit(display->fd, request, 0), 0, "a flip with two damage clips");
	model_copy(&other);
	expect(display, "planes-clips", "the host sees them");
	drmModeDestroyPropertyBlob(display->fd, blob);
	display_show(display, screen);
	display_picture_end(display->fd, &other);
}

static void test_formats(const struct display *display)
{
	static const uint32_t formats[] = {DRM_FORMAT_XBGR8888, DRM_FORMAT_ABGR8888, DRM_FORMAT_ARGB8888};

	for (unsigned i = 0; i < 3; i++) {
		struct picture picture =
			display_picture(display->fd, display->mode.hdisplay, display->mode.vdisplay, formats[i]);

		display_paint(&picture, i);
		tap_eq(display_show(display, &picture), 0, "a framebuffer of format %.4s", (const char *)&formats[i]);
		model_copy(&picture);
		for (size_t p = 0; i < 2 && p < (size_t)model.width * model.height; p++)
			model.pixels[p] = (model.pixels[p] & 0xff00) | (model.pixels[p] & 0xff) << 16 | model.pixels[p] >> 16;
		expect(display, "planes-format", "is seen in its colours");
		display_picture_end(display->fd, &picture);
	}
}

/* usage: test_planes [HEAD] */
int main(int argc, char **argv)
{
	struct display display = display_open(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
	struct picture screen = display_picture(display.fd, display.mode.hdisplay, display.mode.vdisplay, DRM_FORMAT_XRGB8888);

	model.width = screen.width;
	model.height = screen.height;
	model.pixels = malloc((size_t)model.width * model.height * sizeof(*model.pixels));
	if (!model.pixels)
		tap_bail("no memory");
	tap_ok(display.primary && display.overlay && display.cursor, "the head has a primary plane, an overlay and a cursor");
	display_paint(&screen, 1);
	if (tap_eq(display_show(&display, &screen), 0, "set the mode")) {
		test_overlay(&display, &screen);
		test_blending(&display, &screen);
		test_cursor(&display, &screen);
		test_gamma(&display, &screen);
		test_rotation(&display, &screen);
		test_primary(&display, &screen);
		test_clips(&display, &screen);
		test_formats(&display);
		display_off(&display);
	}
	free(model.pixels);
	display_picture_end(display.fd, &screen);
	close(display.fd);
	return tap_done();
}
