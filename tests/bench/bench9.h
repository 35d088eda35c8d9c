/* SPDX-License-Identifier: MIT */
/* What the Direct3D 9 measurements share: a device, one small triangle, waiting. Every failure ends the program. */
#ifndef D3DGPU_TESTS_BENCH9_H
#define D3DGPU_TESTS_BENCH9_H

#include <windows.h>
#include <d3d9.h>

#include "bench.h"

struct bench9_vertex {
	float x, y, z, w;		/* clip space */
};

struct bench9 {
	IDirect3D9Ex *d3d;
	IDirect3DDevice9Ex *device;
	IDirect3DQuery9 *event;
	IDirect3DVertexDeclaration9 *declaration;
	IDirect3DVertexBuffer9 *vertices;	/* bench9_triangle */
	IDirect3DVertexShader9 *moved_vs;	/* adds c0 */
	IDirect3DPixelShader9 *tinted_ps;	/* c0 */
};

extern const struct bench9_vertex bench9_triangle[3];	/* a few pixels of a small target */

/* A windowed device with a back buffer of this size, everything of the struct made and bound, no culling, no depth test. */
void bench9_open(struct bench9 *b, UINT width, UINT height);
void bench9_close(struct bench9 *b);

IDirect3DDevice9Ex *bench9_device(IDirect3D9Ex *d3d, UINT width, UINT height);
IDirect3DPixelShader9 *bench9_pixel_shader(struct bench9 *b, const uint32_t *code);

/* Waits until the GPU has done everything. */
void bench9_finish(struct bench9 *b);

#endif
