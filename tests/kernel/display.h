/* SPDX-License-Identifier: MIT */
/* A screen and pictures on it, for tests of mode setting. What a test cannot go on without bails out. */
#ifndef TESTS_KERNEL_DISPLAY_H
#define TESTS_KERNEL_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <xf86drmMode.h>

/* A dumb buffer of 32 bits per pixel, mapped, and a framebuffer of it. */
struct picture {
	uint32_t handle, pitch, fb, width, height;
	uint64_t size;
	uint32_t *pixels;
};

/* A connected connector with its CRTC, that CRTC's planes, and a mode. */
struct display {
	int fd;
	unsigned head;
	uint32_t connector, crtc, primary, overlay, cursor;
	drmModeModeInfo mode;
};

/* The display of head `head`, in the connector's preferred mode; universal planes and atomic commits are on. */
struct display display_open(unsigned head);

int display_add_fb(int fd, uint32_t width, uint32_t height, uint32_t format, uint32_t handle, uint32_t pitch, uint32_t *fb);
struct picture display_picture(int fd, uint32_t width, uint32_t height, uint32_t format);
void display_picture_end(int fd, struct picture *picture);
static inline uint32_t *display_pixel(const struct picture *picture, uint32_t x, uint32_t y)
{
	return picture->pixels + (uint64_t)y * (picture->pitch / 4) + x;
}
/* Fills a picture so that each pixel tells where it is; `seed` tells pictures apart. */
void display_paint(struct picture *picture, uint32_t seed);
uint32_t display_colour(uint32_t x, uint32_t y, uint32_t seed);

/* A property of an object by its name: its id, or 0 and its value 0. */
uint32_t display_property(int fd, uint32_t object, uint32_t type, const char *name, uint64_t *value);
/* Adds a property of an object to an atomic request. */
void display_set(drmModeAtomicReq *request, int fd, uint32_t object, uint32_t type, const char *name, uint64_t value);
/* Adds all that shows a whole framebuffer on a plane, at a place on the screen, scaled. */
void display_set_plane(drmModeAtomicReq *request, const struct display *display, uint32_t plane, const struct picture *picture,
		       int32_t x, int32_t y, uint32_t width, uint32_t height);
/* Commits a request and frees it: 0 or -errno. */
int display_commit(int fd, drmModeAtomicReq *request, uint32_t flags);
/* Sets the mode with a picture on the primary plane: 0 or -errno. */
int display_show(const struct display *display, const struct picture *picture);
/* The same with one atomic commit. */
int display_show_atomic(const struct display *display, const struct picture *picture);
void display_off(const struct display *display);

/* A flip that was asked for with this as its user data. */
struct flip {
	bool done;
	unsigned sequence;
	int64_t time; /* microseconds */
};
/* Waits (a minute at most) until it is done. */
bool display_wait_flip(int fd, struct flip *flip);
/* Flips to a framebuffer with these flags, and waits. */
bool display_flip(const struct display *display, uint32_t fb, uint32_t flags, struct flip *flip);

#endif
