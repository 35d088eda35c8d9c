/* SPDX-License-Identifier: MIT */
/*
 * The window system as the runtimes see it: a table of callbacks. Without one, every HWND (also NULL) is a headless window
 * with a client area of the back buffer's size; D3DGPU_WSI=kms shows on the display through KMS. A program, or a shim for
 * Wine or a toolkit, registers its own table before it creates the first device.
 *
 * Callbacks may come from any thread that calls Direct3D, one call per window at a time. `window` is the program's HWND as
 * is; `user` is the table's. Functions return 0 or a negative errno unless they say otherwise.
 */
#ifndef D3DGPU_WSI_H
#define D3DGPU_WSI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum d3dgpu_wsi_source {
	D3DGPU_WSI_NOTHING,		/* present only keeps the time */
	D3DGPU_WSI_PIXELS,		/* present gets the picture in memory */
	D3DGPU_WSI_BUFFER,		/* present gets a GEM handle to scan out */
};

/* All pictures and modes have 32 bits per pixel, B G R X in memory (D3DFMT_X8R8G8B8). */
struct d3dgpu_wsi_mode {
	uint32_t width, height;		/* pixels */
	uint32_t refresh;		/* Hz */
};

struct d3dgpu_wsi_image {
	uint32_t width, height;		/* pixels */
	uint32_t pitch;			/* bytes from row to row; 0 with D3DGPU_WSI_BUFFER: that of the GPU's linear images */
	const void *pixels;		/* D3DGPU_WSI_PIXELS: top row first; valid during the call */
	int drm_fd;			/* D3DGPU_WSI_BUFFER: render node that the handle belongs to */
	uint32_t handle;		/* D3DGPU_WSI_BUFFER: GEM handle; the picture is its linear image at offset 0 */
	uint32_t interval;		/* vertical blanks to wait: 0 = at once, 1..4 */
};

struct d3dgpu_wsi {
	uint32_t size;			/* sizeof(struct d3dgpu_wsi): newer members are only used when they are there */
	uint32_t source;		/* enum d3dgpu_wsi_source */
	void *user;
	/* Size of the window's client area in pixels. -ENOENT: no such window, use the back buffer's size. */
	int (*client_size)(void *user, void *window, uint32_t *width, uint32_t *height);
	/* Whether anything of the window can be seen, and whether it has the focus. */
	bool (*visible)(void *user, void *window);
	bool (*focused)(void *user, void *window);
	/* Display modes: number, one of them, the present one, and a change (NULL = back to the desktop's). */
	uint32_t (*mode_count)(void *user);
	int (*get_mode)(void *user, uint32_t index, struct d3dgpu_wsi_mode *mode);
	int (*current_mode)(void *user, struct d3dgpu_wsi_mode *mode);
	int (*set_mode)(void *user, void *window, const struct d3dgpu_wsi_mode *mode);
	/* Shows a picture in the window; returns when the next one may be drawn into another buffer. */
	int (*present)(void *user, void *window, const struct d3dgpu_wsi_image *image);
	/* Waits for the next vertical blank. */
	int (*wait_vblank)(void *user);
	/* A buffer that was presented goes away (drm_fd, handle), or with handle 0 the window's swap chain. */
	void (*release)(void *user, void *window, int drm_fd, uint32_t handle);
};

/* Copies the table; it is used by devices created from now on. -EINVAL: size too small or a callback missing. NULL: back to
 * the default. */
int d3dgpu_wsi_register(const struct d3dgpu_wsi *wsi);

#ifdef __cplusplus
}
#endif

#endif
