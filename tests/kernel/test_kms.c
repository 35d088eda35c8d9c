/* SPDX-License-Identifier: MIT */
/* The display: modes, dumb buffers, page flips, textures as framebuffers, damage. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "display.h"
#include "gpu.h"
#include "screen.h"
#include "tap.h"

static void test_connectors(int fd)
{
	drmModeRes *resources = drmModeGetResources(fd);
	drmModeConnector *connector = drmModeGetConnector(fd, resources->connectors[0]);

	tap_eq(resources->count_crtcs, resources->count_connectors, "there are as many CRTCs as connectors");
	tap_eq(connector->connection, DRM_MODE_CONNECTED, "the first is connected");
	tap_ok(connector->count_modes > 1, "it has modes (%d)", connector->count_modes);
	tap_ok(connector->modes[0].type & DRM_MODE_TYPE_PREFERRED, "the first mode is the preferred one (%ux%u)",
	       connector->modes[0].hdisplay, connector->modes[0].vdisplay);
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
}

static void test_edid(const struct display *display)
{
	drmModePropertyBlobRes *blob;
	uint64_t id;

	display_property(display->fd, display->connector, DRM_MODE_OBJECT_CONNECTOR, "EDID", &id);
	blob = drmModeGetPropertyBlob(display->fd, (uint32_t)id);
	tap_ok(blob && blob->length >= 128 && !memcmp(blob->data, "\0\xff\xff\xff\xff\xff\xff", 8), "the connector has an EDID");
	drmModeFreePropertyBlob(blob);
}

/* Expects what a picture of the screen's size has. */
static void check_screen(const struct display *display, const struct picture *picture, const char *name, const char *what)
{
	if (picture->pitch != picture->width * 4)
		tap_bail("a pitch of %u bytes for %u pixels", picture->pitch, picture->width);
	screen_check(name, display->head, picture->width, picture->height, picture->pixels, what);
}

static void test_flips(const struct display *display, struct picture pictures[2])
{
	struct flip first = {0}, last = {0};
	unsigned done = 0;

	tap_ok(display_flip(display, pictures[1].fb, 0, &first), "a page flip completes");
	check_screen(display, &pictures[1], "kms-flipped", "and the host sees the other buffer");
	for (unsigned i = 0; i < 20; i++)
		done += display_flip(display, pictures[i % 2].fb, 0, &last);
	tap_eq(done, 20, "twenty more");
	tap_ok(last.sequence - first.sequence >= 20, "each took a vblank (%u)", last.sequence - first.sequence);
	tap_ok(last.time - first.time >= 19 * 1000000 / (int64_t)display->mode.vrefresh,
	       "not faster than the %u Hz of the mode (%lld us)", display->mode.vrefresh, (long long)(last.time - first.time));
}

static void test_damage(const struct display *display, struct picture *picture)
{
	drmModeClip clip = {.x1 = 10, .y1 = 20, .x2 = 100, .y2 = 80};
	struct flip flip;

	display_flip(display, picture->fb, 0, &flip);
	for (uint32_t y = clip.y1; y < clip.y2; y++)
		for (uint32_t x = clip.x1; x < clip.x2; x++)
			*display_pixel(picture, x, y) = 0xff00ff00;
	tap_eq(drmModeDirtyFB(display->fd, picture->fb, &clip, 1), 0, "damage to a part of what is shown");
	check_screen(display, picture, "kms-damage", "which the host sees");
	tap_eq(drmModeDirtyFB(display->fd, picture->fb, NULL, 0), 0, "damage to all of it");
}

/* A texture is shown as it lies in its linear image. */
static void test_texture(const struct display *display)
{
	uint32_t width = display->mode.hdisplay, height = display->mode.vdisplay, fb;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(width, height), other = desc;
	uint32_t pitch = d3dgpu_linear_pitch(&desc, 0);
	int fd = display->fd;
	struct gpu_bo texture, staging = gpu_staging(fd, (uint64_t)width * height * 4 + 4096);
	struct flip flip;

	if (!tap_eq(gpu_resource_create(fd, &desc, &texture), 0, "a texture of the screen's size"))
		return;
	tap_eq(display_add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, pitch + 64, &fb), -EINVAL,
	       "with another pitch than its own: -EINVAL");
	tap_eq(display_add_fb(fd, width, height, DRM_FORMAT_XBGR8888, texture.handle, pitch, &fb), -EINVAL,
	       "with another format than its own: -EINVAL");
	tap_eq(display_add_fb(fd, width + 1, height, DRM_FORMAT_XRGB8888, texture.handle, pitch, &fb), -EINVAL,
	       "wider than it is: -EINVAL");
	tap_eq(display_add_fb(fd, width, height, DRM_FORMAT_XRGB8888, staging.handle, width * 4, &fb), -EINVAL,
	       "a staging buffer is no framebuffer: -EINVAL");
	if (tap_eq(display_add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, pitch, &fb), 0, "a texture is one")) {
		tap_ok(display_flip(display, fb, 0, &flip), "and is flipped to");
		drmModeRmFB(fd, fb);
	}
	gpu_close(fd, texture.handle);

	other.format = D3DGPU_FMT_R16G16B16A16_FLOAT;
	if (!gpu_resource_create(fd, &other, &texture)) {
		tap_eq(display_add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, d3dgpu_linear_pitch(&other, 0),
				      &fb),
		       -EINVAL, "a texture of floats is not: -EINVAL");
		gpu_close(fd, texture.handle);
	}
	gpu_staging_end(fd, &staging);
}

static void test_bad_dumb(int fd)
{
	struct drm_mode_create_dumb create = {.width = 100, .height = 100, .bpp = 24};

	tap_eq(gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create), -EINVAL, "a dumb buffer of 24 bits: -EINVAL");
	create = (struct drm_mode_create_dumb){.width = 1u << 20, .height = 1u << 20, .bpp = 32};
	tap_ok(gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create) < 0, "one of 2^40 pixels is refused");
	create = (struct drm_mode_create_dumb){.width = 101, .height = 7, .bpp = 16};
	tap_eq(gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0, "one of 101x7 of 16 bits");
	tap_eq(create.pitch, 256, "its pitch is a multiple of 64");
	gpu_close(fd, create.handle);
}

/* A layout that the device would refuse, and never flip to. */
static void test_bad_layout(int fd)
{
	struct drm_mode_create_dumb create = {.width = 32768, .height = 20, .bpp = 32};
	struct drm_mode_fb_cmd2 tiled = {.width = 64, .height = 16, .pixel_format = DRM_FORMAT_XRGB8888, .pitches = {65536},
					 .flags = DRM_MODE_FB_MODIFIERS, .modifier = {DRM_FORMAT_MOD_INVALID}};
	uint32_t fb;

	if (!tap_eq(gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0, "a dumb buffer with rows of 128 KiB"))
		return;
	tiled.handles[0] = create.handle;
	tap_eq(gpu_call(fd, DRM_IOCTL_MODE_ADDFB2, &tiled), -EINVAL, "a framebuffer that is not linear: -EINVAL");
	tap_eq(display_add_fb(fd, 64, 16, DRM_FORMAT_XRGB8888, create.handle, 131072, &fb), -EINVAL,
	       "a framebuffer with a pitch above 64 KiB: -EINVAL");
	tap_eq(display_add_fb(fd, 64, 16, DRM_FORMAT_RGB565, create.handle, 130, &fb), -EINVAL,
	       "with one that is no multiple of 4: -EINVAL");
	if (tap_eq(display_add_fb(fd, 64, 16, DRM_FORMAT_XRGB8888, create.handle, 65536, &fb), 0, "with one of 64 KiB"))
		drmModeRmFB(fd, fb);
	gpu_close(fd, create.handle);
}

static void test_modes(const struct display *display)
{
	drmModeConnector *connector = drmModeGetConnector(display->fd, display->connector);
	unsigned tried = 0, set = 0;

	for (int i = 0; i < connector->count_modes && tried < 4; i += 1 + connector->count_modes / 4) {
		struct display other = *display;
		struct picture picture;

		other.mode = connector->modes[i];
		picture = display_picture(display->fd, other.mode.hdisplay, other.mode.vdisplay, DRM_FORMAT_XRGB8888);
		tried++;
		set += !display_show(&other, &picture);
		display_picture_end(display->fd, &picture);
	}
	tap_eq(set, tried, "%u other modes are set", tried);
	drmModeFreeConnector(connector);
}

/* Modes that the device cannot have. */
static void test_bad_modes(const struct display *display, const struct picture *picture)
{
	static const struct {
		uint32_t clock;
		uint16_t vscan;
		uint32_t flags;
		const char *what;
	} bad[] = {
		{900000, 0, 0, "more than 240 Hz"},
		{100, 0, 0, "less than 1 Hz"},
		{65000, 0, DRM_MODE_FLAG_INTERLACE, "interlaced"},
		{65000, 0, DRM_MODE_FLAG_DBLSCAN, "with double scan"},
		{65000, 2, 0, "with lines that are shown twice"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct display other = *display;

		other.mode.clock = bad[i].clock;
		other.mode.vscan = bad[i].vscan;
		other.mode.flags = bad[i].flags;
		tap_eq(display_show(&other, picture), -EINVAL, "a mode of %s: -EINVAL", bad[i].what);
	}
}

int main(void)
{
	struct display display = display_open(0);
	struct picture pictures[2];

	test_connectors(display.fd);
	test_edid(&display);
	test_bad_dumb(display.fd);
	test_bad_layout(display.fd);
	for (unsigned i = 0; i < 2; i++) {
		pictures[i] = display_picture(display.fd, display.mode.hdisplay, display.mode.vdisplay, DRM_FORMAT_XRGB8888);
		display_paint(&pictures[i], i);
	}
	if (tap_eq(display_show(&display, &pictures[0]), 0, "set the mode")) {
		check_screen(&display, &pictures[0], "kms", "the screen dump is the framebuffer");
		test_flips(&display, pictures);
		test_damage(&display, &pictures[0]);
		test_texture(&display);
		test_modes(&display);
		test_bad_modes(&display, &pictures[0]);
		display_off(&display);
	}
	for (unsigned i = 0; i < 2; i++)
		display_picture_end(display.fd, &pictures[i]);
	close(display.fd);
	return tap_done();
}
