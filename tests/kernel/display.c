/* SPDX-License-Identifier: MIT */
#include "display.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <drm_fourcc.h>

#include "gpu.h"
#include "tap.h"

#ifndef DRM_CLIENT_CAP_CURSOR_PLANE_HOTSPOT
#define DRM_CLIENT_CAP_CURSOR_PLANE_HOTSPOT 6 /* since Linux 6.8; Debian 12's libdrm is older */
#endif

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

/* ---- pictures ---- */

int display_add_fb(int fd, uint32_t width, uint32_t height, uint32_t format, uint32_t handle, uint32_t pitch, uint32_t *fb)
{
	uint32_t handles[4] = {handle}, pitches[4] = {pitch}, offsets[4] = {0};

	return drmModeAddFB2(fd, width, height, format, handles, pitches, offsets, fb, 0) ? -errno : 0;
}

struct picture display_picture(int fd, uint32_t width, uint32_t height, uint32_t format)
{
	struct drm_mode_create_dumb create = {.width = width, .height = height, .bpp = 32};
	struct picture picture = {.width = width, .height = height};
	struct drm_mode_map_dumb map = {0};

	if (gpu_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &create))
		tap_bail("no dumb buffer of %ux%u", width, height);
	picture.handle = map.handle = create.handle;
	picture.pitch = create.pitch;
	picture.size = create.size;
	if (gpu_call(fd, DRM_IOCTL_MODE_MAP_DUMB, &map))
		tap_bail("a dumb buffer cannot be mapped");
	picture.pixels = mmap(NULL, picture.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
	if (picture.pixels == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	if (display_add_fb(fd, width, height, format, picture.handle, picture.pitch, &picture.fb))
		tap_bail("no framebuffer of %ux%u", width, height);
	return picture;
}

void display_picture_end(int fd, struct picture *picture)
{
	drmModeRmFB(fd, picture->fb);
	munmap(picture->pixels, picture->size);
	gpu_close(fd, picture->handle);
}

uint32_t display_colour(uint32_t x, uint32_t y, uint32_t seed)
{
	return 0xff000000 | (((x * 5 + seed) & 0xff) << 16) | (((y * 3 + seed * 7) & 0xff) << 8) | ((x / 16 + y / 16 + seed) & 0xff);
}

void display_paint(struct picture *picture, uint32_t seed)
{
	for (uint32_t y = 0; y < picture->height; y++)
		for (uint32_t x = 0; x < picture->width; x++)
			*display_pixel(picture, x, y) = display_colour(x, y, seed);
}

/* ---- finding things ---- */

uint32_t display_property(int fd, uint32_t object, uint32_t type, const char *name, uint64_t *value)
{
	drmModeObjectProperties *properties = drmModeObjectGetProperties(fd, object, type);
	uint32_t id = 0;

	*value = 0;
	for (uint32_t i = 0; properties && i < properties->count_props && !id; i++) {
		drmModePropertyRes *property = drmModeGetProperty(fd, properties->props[i]);

		if (property && !strcmp(property->name, name)) {
			id = property->prop_id;
			*value = properties->prop_values[i];
		}
		drmModeFreeProperty(property);
	}
	drmModeFreeObjectProperties(properties);
	return id;
}

static void find_planes(struct display *display, unsigned crtc_index)
{
	drmModePlaneRes *planes = drmModeGetPlaneResources(display->fd);

	for (uint32_t i = 0; planes && i < planes->count_planes; i++) {
		drmModePlane *plane = drmModeGetPlane(display->fd, planes->planes[i]);
		uint64_t type;

		display_property(display->fd, planes->planes[i], DRM_MODE_OBJECT_PLANE, "type", &type);
		if (plane && plane->possible_crtcs & 1u << crtc_index)
			*(type == DRM_PLANE_TYPE_PRIMARY  ? &display->primary
			  : type == DRM_PLANE_TYPE_CURSOR ? &display->cursor
							  : &display->overlay) = planes->planes[i];
		drmModeFreePlane(plane);
	}
	drmModeFreePlaneResources(planes);
}

struct display display_open(unsigned head)
{
	struct display display = {.fd = gpu_open_card(), .head = head};
	drmModeRes *resources = drmModeGetResources(display.fd);
	drmModeConnector *connector;

	if (!resources || (int)head >= resources->count_connectors)
		tap_bail("no head %u", head);
	connector = drmModeGetConnector(display.fd, resources->connectors[head]);
	if (!connector || connector->connection != DRM_MODE_CONNECTED || !connector->count_modes)
		tap_bail("head %u is not connected", head);
	drmSetClientCap(display.fd, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
	if (drmSetClientCap(display.fd, DRM_CLIENT_CAP_ATOMIC, 1))
		tap_bail("no atomic commits");
	drmSetClientCap(display.fd, DRM_CLIENT_CAP_CURSOR_PLANE_HOTSPOT, 1); /* older kernels show the cursor's plane to all */
	display.connector = connector->connector_id;
	display.crtc = resources->crtcs[head];
	display.mode = connector->modes[0];
	find_planes(&display, head);
	drmModeFreeConnector(connector);
	drmModeFreeResources(resources);
	return display;
}

/* ---- commits ---- */

void display_set(drmModeAtomicReq *request, int fd, uint32_t object, uint32_t type, const char *name, uint64_t value)
{
	uint64_t old;
	uint32_t property = display_property(fd, object, type, name, &old);

	if (!property || drmModeAtomicAddProperty(request, object, property, value) < 0)
		tap_bail("no property %s of object %u", name, object);
}

void display_set_plane(drmModeAtomicReq *request, const struct display *display, uint32_t plane, const struct picture *picture,
		       int32_t x, int32_t y, uint32_t width, uint32_t height)
{
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
		{"FB_ID", picture->fb},
		{"CRTC_ID", display->crtc},
		{"SRC_X", 0},
		{"SRC_Y", 0},
		{"SRC_W", (uint64_t)picture->width << 16},
		{"SRC_H", (uint64_t)picture->height << 16},
		{"CRTC_X", (uint64_t)(int64_t)x},
		{"CRTC_Y", (uint64_t)(int64_t)y},
		{"CRTC_W", width},
		{"CRTC_H", height},
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		display_set(request, display->fd, plane, DRM_MODE_OBJECT_PLANE, values[i].name, values[i].value);
}

int display_commit(int fd, drmModeAtomicReq *request, uint32_t flags)
{
	int error = drmModeAtomicCommit(fd, request, flags, NULL) ? -errno : 0;

	drmModeAtomicFree(request);
	return error;
}

int display_show(const struct display *display, const struct picture *picture)
{
	drmModeModeInfo mode = display->mode;
	uint32_t connector = display->connector;

	return drmModeSetCrtc(display->fd, display->crtc, picture->fb, 0, 0, &connector, 1, &mode) ? -errno : 0;
}

int display_show_atomic(const struct display *display, const struct picture *picture)
{
	drmModeAtomicReq *request = drmModeAtomicAlloc();
	uint32_t blob = 0;
	int error;

	if (drmModeCreatePropertyBlob(display->fd, &display->mode, sizeof(display->mode), &blob))
		tap_bail("no blob");
	display_set(request, display->fd, display->connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", display->crtc);
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "MODE_ID", blob);
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "ACTIVE", 1);
	display_set_plane(request, display, display->primary, picture, 0, 0, picture->width, picture->height);
	error = display_commit(display->fd, request, DRM_MODE_ATOMIC_ALLOW_MODESET);
	drmModeDestroyPropertyBlob(display->fd, blob);
	return error;
}

void display_off(const struct display *display)
{
	drmModeSetCrtc(display->fd, display->crtc, 0, 0, 0, NULL, 0, NULL);
}

/* ---- flips ---- */

static void flip_handler(int fd, unsigned sequence, unsigned seconds, unsigned microseconds, void *data)
{
	struct flip *flip = data;

	*flip = (struct flip){true, sequence, seconds * 1000000ll + microseconds};
}

bool display_wait_flip(int fd, struct flip *flip)
{
	drmEventContext events = {.version = 2, .page_flip_handler = flip_handler};
	int64_t deadline = now() + PATIENCE;

	while (!flip->done && now() < deadline) {
		struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

		if (poll(&poll_fd, 1, 1000) > 0)
			drmHandleEvent(fd, &events);
	}
	return flip->done;
}

bool display_flip(const struct display *display, uint32_t fb, uint32_t flags, struct flip *flip)
{
	*flip = (struct flip){0};
	return !drmModePageFlip(display->fd, display->crtc, fb, DRM_MODE_PAGE_FLIP_EVENT | flags, flip) &&
	       display_wait_flip(display->fd, flip);
}
