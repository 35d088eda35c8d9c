/* SPDX-License-Identifier: MIT */
/* Drawing in the Direct3D 9 tests: rectangles by pixels, with one colour or with texture coordinates. */
#ifndef D3DGPU_TESTS_DRAW9_H
#define D3DGPU_TESTS_DRAW9_H

#include "test9.h"

struct color_vertex {
	float x, y, z, w;		/* clip space */
	DWORD color;			/* A8R8G8B8 */
};

struct textured_vertex {
	float x, y, z, w;
	float u, v, s, q;
};

/* Declarations and shaders that most tests use, and the size of the target that rectangles are measured in. */
struct draw9 {
	IDirect3DDevice9Ex *device;
	UINT width, height;
	IDirect3DVertexDeclaration9 *color_declaration, *textured_declaration;
	IDirect3DVertexShader9 *color_vs, *textured_vs;
	IDirect3DPixelShader9 *color_ps, *textured_ps;
};

/* Sets a state that rectangles need: no culling, no depth test, and binds the colour shaders. */
void draw9_open(struct draw9 *d, IDirect3DDevice9Ex *device, UINT width, UINT height);
void draw9_close(struct draw9 *d);
void draw9_use_color(struct draw9 *d);
void draw9_use_texture(struct draw9 *d);

/* Edges in pixels from the left and top, in Direct3D 9's convention: pixel centres are whole numbers. */
HRESULT draw9_rect(struct draw9 *d, float left, float top, float right, float bottom, float z, DWORD color);
/* The whole target; coordinates 0..1, each pixel's at the middle of its texel; s and q as given. */
HRESULT draw9_textured(struct draw9 *d, float s, float q);
/* Corners in the order of a triangle strip (top left, top right, bottom left, bottom right) with their coordinates. */
HRESULT draw9_corners(struct draw9 *d, const float coordinates[4][4]);

#endif
