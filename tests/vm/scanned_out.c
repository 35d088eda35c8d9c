/* SPDX-License-Identifier: MIT */
/*
 * What the host sees is what a program that is not of ours has put into the framebuffer that the first CRTC scans out. For root,
 * while that program draws nothing.
 *
 * usage: scanned_out NAME (of the picture)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <drm_fourcc.h>
#include <xf86drmMode.h>

#include "gpu.h"
#include "screen.h"
#include "tap.h"

static const uint32_t *map(int fd, uint32_t handle, size_t size)
{
	struct drm_mode_map_dumb map = {.handle = handle};
	void *pixels;

	if (gpu_call(fd, DRM_IOCTL_MODE_MAP_DUMB, &map))
		tap_bail("the framebuffer cannot be mapped");
	pixels = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)map.offset);
	if (pixels == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	return pixels;
}

/* How many colours there are among the first few: one is an empty screen. */
static unsigned colours(const uint32_t *pixels, size_t count)
{
	uint32_t seen[8];
	unsigned number = 0;

	for (size_t i = 0; i < count && number < 8; i++) {
		unsigned at = 0;

		while (at < number && seen[at] != pixels[i])
			at++;
		if (at == number)
			seen[number++] = pixels[i];
	}
	return number;
}

int main(int argc, char **argv)
{
	int fd = gpu_open_card();
	drmModeRes *resources = drmModeGetResources(fd);
	drmModeCrtc *crtc = resources ? drmModeGetCrtc(fd, resources->crtcs[0]) : NULL;
	drmModeFB2 *fb = crtc ? drmModeGetFB2(fd, crtc->buffer_id) : NULL;
	const uint32_t *mapped;
	uint32_t *screen;

	if (argc != 2)
		tap_bail("usage: scanned_out NAME");
	if (!tap_ok(fb && crtc->mode_valid && fb->pixel_format == DRM_FORMAT_XRGB8888, "the first CRTC shows a framebuffer"))
		return tap_done();
	mapped = map(fd, fb->handles[0], (size_t)fb->pitches[0] * fb->height);
	screen = malloc((size_t)crtc->width * crtc->height * sizeof(*screen));
	if (!screen)
		tap_bail("no memory");
	for (uint32_t y = 0; y < crtc->height; y++)
		for (uint32_t x = 0; x < crtc->width; x++)
			screen[y * crtc->width + x] = mapped[(crtc->y + y) * (fb->pitches[0] / 4) + crtc->x + x] & 0xffffff;
	tap_ok(colours(screen, (size_t)crtc->width * crtc->height) > 1, "with something on it");
	screen_check(argv[1], 0, crtc->width, crtc->height, screen, "which the host sees");
	free(screen);
	return tap_done();
}
