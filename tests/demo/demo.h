/* SPDX-License-Identifier: MIT */
/* The parts of the demonstration program. Each returns 0, or -1 after it has said on stderr what failed. */
#ifndef D3DGPU_DEMO_H
#define D3DGPU_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "d3dgpu_statistics.h"
#include "scene.h"

struct demo_options {
	uint32_t width, height;		/* of the picture */
	uint32_t frames;		/* drawn per API */
	bool fullscreen;
	const char *output;		/* folder for the PNG files */
};

/* Prints the adapter as IDirect3D9Ex and DXGI see it, and the Direct3D 9 options of ID3D11Device. */
int demo_report(void);
int demo_d3d9(const struct demo_options *options, const struct scene *scene);
int demo_d3d11(const struct demo_options *options, const struct scene *scene);

/* Rows of B, G, R, X bytes, top first, as a PNG file output/name. Prints the path. */
int demo_write_png(const char *output, const char *name, const void *pixels, uint32_t width, uint32_t height, uint32_t pitch);

/* Seconds of a monotonic clock. */
double demo_now(void);
/* Frames per second, and what one frame cost: call with the statistics before and after. */
void demo_print_rate(const char *api, uint32_t frames, double seconds, const struct d3dgpu_statistics *before,
		     const struct d3dgpu_statistics *after);
/* Says on stderr that a call failed, with its HRESULT. Always -1. */
int demo_failed(const char *call, int32_t result);

#endif
