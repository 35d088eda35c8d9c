/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_PICTURE_H
#define D3DGPU_PICTURE_H

#include <linux/types.h>

struct drm_format_info;
struct drm_plane;

/**
 * struct d3dgpu_picture - pixels that can be read and drawn on in a panic
 */
struct d3dgpu_picture {
	/** @format: Their format, or NULL: that of the console, XRGB8888. */
	const struct drm_format_info *format;

	/** @pixels: The first of them. */
	void *pixels;

	/** @width: Pixels in a row. */
	unsigned int width;

	/** @height: Rows. */
	unsigned int height;

	/** @pitch: Bytes from row to row. */
	unsigned int pitch;
};

/* d3dgpu_panic.c */
bool d3dgpu_panic_picture(struct drm_plane *plane, struct d3dgpu_picture *picture);
void d3dgpu_panic_flush(struct drm_plane *plane);

#endif
