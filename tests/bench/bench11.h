/* SPDX-License-Identifier: MIT */
/* What the Direct3D 11 measurements share: a device, a target, one small triangle, waiting. Every failure ends the program. */
#ifndef D3DGPU_TESTS_BENCH11_H
#define D3DGPU_TESTS_BENCH11_H

#include <windows.h>
#include <d3d11.h>

#include "bench.h"

struct bench11_vertex {
	float x, y, z, w;		/* clip space */
};

struct bench11 {
	ID3D11Device *device;
	ID3D11DeviceContext *context;
	ID3D11Query *event;
	ID3D11RenderTargetView *target;		/* R8G8B8A8_UNORM */
	ID3D11InputLayout *layout;
	ID3D11Buffer *vertices;			/* bench11_triangle */
	ID3D11Buffer *constants;		/* 16 bytes, dynamic, zero; b0 of both stages */
	ID3D11VertexShader *moved_vs;		/* adds b0 */
	ID3D11PixelShader *tinted_ps;		/* b0 */
};

extern const struct bench11_vertex bench11_triangle[3];	/* a few pixels of a small target */

/* A device with a target of this size, everything of the struct made and bound. */
void bench11_open(struct bench11 *b, UINT width, UINT height);
void bench11_close(struct bench11 *b);

ID3D11Buffer *bench11_buffer(struct bench11 *b, UINT bind, D3D11_USAGE usage, const void *data, UINT size);
ID3D11Texture2D *bench11_texture(struct bench11 *b, UINT width, UINT height, UINT bind, D3D11_USAGE usage, UINT cpu);
ID3D11PixelShader *bench11_pixel_shader(struct bench11 *b, const uint32_t *code, size_t size);

/* Binds a vertex buffer of bench11_vertex. */
void bench11_use_vertices(struct bench11 *b, ID3D11Buffer *buffer);
/* Maps with WRITE_DISCARD and fills the constants. */
void bench11_set_constants(struct bench11 *b, const float values[4]);

/* Waits until the GPU has done everything. */
void bench11_finish(struct bench11 *b);

#endif
