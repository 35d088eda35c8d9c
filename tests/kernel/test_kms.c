/* SPDX-License-Identifier: MIT */
/* The display: modes, dumb buffers, page flips, textures as framebuffers, damage. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <xf86drmMode.h>

#include "gpu.h"
#include "tap.h"

struct picture {
	uint32_t handle, pitch, fb;
	uint64_t size;
	uint32_t *pixels;
};

struct screen {
	uint32_t connector, crtc;
	drmModeModeInfo mode;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

static int add_fb(int fd, uint32_t width, uint32_t height, uint32_t format, uint32_t handle, uint32_t pitch, uint32_t *fb)
{
	uint32_t handles[4] = {handle}, pitches[4] = {pitch}, offsets[4] = {0};

	return drmModeAddFB2(fd, width, height, format, handles, pitches, offsets, fb, 0) ? -errno : 0;
}

static struct picture make_picture(int fd, uint32_t width, uint32_t height, uint32_t colour)
{
	struct drm_mode_create_dumb create = {.width = width, .height = height, .bpp = 32};
	struct drm_mode_map_dumb map = {0};
	struct picture picture = {0};

	if (gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create))
		tap_bail("no dumb buffer");
	picture.handle = map.handle = create.handle;
	picture.pitch = create.pitch;
	picture.size = create.size;
	if (gpu_call(fd, DRM_IOCTL_MODE_MAP_DUMB, &map))
		tap_bail("dumb buffer cannot be mapped");
	picture.pixels = mmap(NULL, picture.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
	if (picture.pixels == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++)
			picture.pixels[y * picture.pitch / 4 + x] = (x / 32 + y / 32) % 2 ? colour : 0x202020;
	tap_eq(add_fb(fd, width, height, DRM_FORMAT_XRGB8888, picture.handle, picture.pitch, &picture.fb), 0,
	       "a dumb buffer of %ux%u as framebuffer", width, height);
	return picture;
}

static void end_picture(int fd, struct picture *picture)
{
	drmModeRmFB(fd, picture->fb);
	munmap(picture->pixels, picture->size);
	gpu_close(fd, picture->handle);
}

/* The first connected connector and its CRTC. */
static bool find_screen(int fd, struct screen *screen)
{
	drmModeRes *resources = drmModeGetResources(fd);
	drmModeConnector *connector;
	bool found;

	if (!tap_ok(resources && resources->count_connectors, "there are connectors"))
		return false;
	tap_eq(resources->count_crtcs, resources->count_connectors, "and as many CRTCs");
	connector = drmModeGetConnector(fd, resources->connectors[0]);
	tap_eq(connector->connection, DRM_MODE_CONNECTED, "the first is connected");
	found = tap_ok(connector->count_modes > 0, "it has modes (%d)", connector->count_modes);
	if (found) {
		screen->connector = connector->connector_id;
		screen->crtc = resources->crtcs[0];
		screen->mode = connector->modes[0];
		tap_ok(screen->mode.type & DRM_MODE_TYPE_PREFERRED, "the first mode is the preferred one (%ux%u)",
		       screen->mode.hdisplay, screen->mode.vdisplay);
	}
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
	return found;
}

static bool has_edid(int fd, const struct screen *screen)
{
	drmModeObjectProperties *properties =
		drmModeObjectGetProperties(fd, screen->connector, DRM_MODE_OBJECT_CONNECTOR);
	bool found = false;

	for (uint32_t i = 0; i < properties->count_props; i++) {
		drmModePropertyRes *property = drmModeGetProperty(fd, properties->props[i]);

		if (!strcmp(property->name, "EDID") && properties->prop_values[i]) {
			drmModePropertyBlobRes *blob = drmModeGetPropertyBlob(fd, (uint32_t)properties->prop_values[i]);

			found = blob && blob->length >= 128 && !memcmp(blob->data, "\0\xff\xff\xff\xff\xff\xff", 8);
			drmModeFreePropertyBlob(blob);
		}
		drmModeFreeProperty(property);
	}
	drmModeFreeObjectProperties(properties);
	return found;
}

struct flip {
	bool done;
	unsigned sequence;
	int64_t time;		/* microseconds */
};

static void flip_handler(int fd, unsigned sequence, unsigned seconds, unsigned microseconds, void *data)
{
	struct flip *flip = data;

	*flip = (struct flip){true, sequence, seconds * 1000000ll + microseconds};
}

static bool wait_for_flip(int fd, struct flip *flip)
{
	drmEventContext events = {.version = 2, .page_flip_handler = flip_handler};
	int64_t deadline = now() + 10 * SECOND;

	while (!flip->done && now() < deadline) {
		struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

		if (poll(&poll_fd, 1, 1000) > 0)
			drmHandleEvent(fd, &events);
	}
	return flip->done;
}

static bool flip_to(int fd, const struct screen *screen, uint32_t fb, struct flip *flip)
{
	*flip = (struct flip){0};
	return !drmModePageFlip(fd, screen->crtc, fb, DRM_MODE_PAGE_FLIP_EVENT, flip) && wait_for_flip(fd, flip);
}

static void test_flips(int fd, const struct screen *screen, struct picture pictures[2])
{
	struct flip first = {0}, last = {0};
	unsigned done = 0;

	tap_ok(flip_to(fd, screen, pictures[1].fb, &first), "a page flip completes");
	for (unsigned i = 0; i < 20; i++)
		done += flip_to(fd, screen, pictures[i % 2].fb, &last);
	tap_eq(done, 20, "twenty more");
	tap_ok(last.sequence - first.sequence >= 20, "each took a vblank (%u)", last.sequence - first.sequence);
	tap_ok(last.time - first.time >= 19 * 1000000 / (int64_t)screen->mode.vrefresh,
	       "not faster than the %u Hz of the mode (%lld us)", screen->mode.vrefresh, (long long)(last.time - first.time));
}

static void test_damage(int fd, const struct screen *screen, struct picture *picture)
{
	drmModeClip clip = {.x1 = 10, .y1 = 20, .x2 = 100, .y2 = 80};
	struct flip flip;

	flip_to(fd, screen, picture->fb, &flip);
	tap_eq(drmModeDirtyFB(fd, picture->fb, &clip, 1), 0, "damage to a part of what is shown");
	tap_eq(drmModeDirtyFB(fd, picture->fb, NULL, 0), 0, "damage to all of it");
}

/* A texture is shown as it lies in its linear image. */
static void test_texture(int fd, const struct screen *screen)
{
	uint32_t width = screen->mode.hdisplay, height = screen->mode.vdisplay, fb;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(width, height), other = desc;
	uint32_t pitch = d3dgpu_linear_pitch(&desc, 0);
	struct gpu_bo texture, staging = gpu_staging(fd, (uint64_t)width * height * 4 + 4096);
	struct flip flip;

	if (!tap_eq(gpu_resource_create(fd, &desc, &texture), 0, "a texture of the screen's size"))
		return;
	tap_eq(add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, pitch + 64, &fb), -EINVAL,
	       "with another pitch than its own: -EINVAL");
	tap_eq(add_fb(fd, width, height, DRM_FORMAT_XBGR8888, texture.handle, pitch, &fb), -EINVAL,
	       "with another format than its own: -EINVAL");
	tap_eq(add_fb(fd, width + 1, height, DRM_FORMAT_XRGB8888, texture.handle, pitch, &fb), -EINVAL,
	       "wider than it is: -EINVAL");
	tap_eq(add_fb(fd, width, height, DRM_FORMAT_XRGB8888, staging.handle, width * 4, &fb), -EINVAL,
	       "a staging buffer is no framebuffer: -EINVAL");
	if (tap_eq(add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, pitch, &fb), 0, "a texture is one")) {
		tap_ok(flip_to(fd, screen, fb, &flip), "and is flipped to");
		drmModeRmFB(fd, fb);
	}
	gpu_close(fd, texture.handle);

	other.format = D3DGPU_FMT_R16G16B16A16_FLOAT;
	if (!gpu_resource_create(fd, &other, &texture)) {
		tap_eq(add_fb(fd, width, height, DRM_FORMAT_XRGB8888, texture.handle, d3dgpu_linear_pitch(&other, 0), &fb),
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
	uint32_t fb;

	if (!tap_eq(gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create), 0, "a dumb buffer with rows of 128 KiB"))
		return;
	tap_eq(add_fb(fd, 64, 16, DRM_FORMAT_XRGB8888, create.handle, 131072, &fb), -EINVAL,
	       "a framebuffer with a pitch above 64 KiB: -EINVAL");
	tap_eq(add_fb(fd, 64, 16, DRM_FORMAT_RGB565, create.handle, 130, &fb), -EINVAL,
	       "with one that is no multiple of 4: -EINVAL");
	if (tap_eq(add_fb(fd, 64, 16, DRM_FORMAT_XRGB8888, create.handle, 65536, &fb), 0, "with one of 64 KiB"))
		drmModeRmFB(fd, fb);
	gpu_close(fd, create.handle);
}

static void test_modes(int fd, struct screen *screen)
{
	drmModeConnector *connector = drmModeGetConnector(fd, screen->connector);
	unsigned tried = 0, set = 0;

	for (int i = 0; i < connector->count_modes && tried < 4; i += 1 + connector->count_modes / 4) {
		drmModeModeInfo *mode = &connector->modes[i];
		struct picture picture = make_picture(fd, mode->hdisplay, mode->vdisplay, 0x00c000);

		tried++;
		set += !drmModeSetCrtc(fd, screen->crtc, picture.fb, 0, 0, &screen->connector, 1, mode);
		end_picture(fd, &picture);
	}
	tap_eq(set, tried, "%u other modes are set", tried);
	drmModeFreeConnector(connector);
}

int main(void)
{
	struct screen screen = {0};
	struct picture pictures[2];
	int fd = gpu_open_card();

	if (!find_screen(fd, &screen))
		return tap_done();
	tap_ok(has_edid(fd, &screen), "the connector has an EDID");
	test_bad_dumb(fd);
	test_bad_layout(fd);
	for (unsigned i = 0; i < 2; i++)
		pictures[i] = make_picture(fd, screen.mode.hdisplay, screen.mode.vdisplay, i ? 0x4060ff : 0xff8040);
	if (tap_eq(drmModeSetCrtc(fd, screen.crtc, pictures[0].fb, 0, 0, &screen.connector, 1, &screen.mode), 0, "set the mode")) {
		tap_diag("screendump kms");
		usleep(300000);
		test_flips(fd, &screen, pictures);
		test_damage(fd, &screen, &pictures[0]);
		test_texture(fd, &screen);
		test_modes(fd, &screen);
		tap_eq(drmModeSetCrtc(fd, screen.crtc, 0, 0, 0, NULL, 0, NULL), 0, "switch the head off");
	}
	for (unsigned i = 0; i < 2; i++)
		end_picture(fd, &pictures[i]);
	close(fd);
	return tap_done();
}
