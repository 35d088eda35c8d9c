/* SPDX-License-Identifier: MIT */
/*
 * What the Direct3D 11 tests share: a device, a target to draw into and read back, shaders.
 * The programs use nothing but the public API, so that the same binary runs on the host (D3DGPU_WINSYS=loopback) and in
 * the guest.
 */
#ifndef D3DGPU_TESTS_D3D11_H
#define D3DGPU_TESTS_D3D11_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>
#include <d3d11_1.h>
#include <dxgi1_4.h>

#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

extern const D3D_FEATURE_LEVEL test11_levels[7]; /* 9_1 .. 11_1 */
const char *test11_level_name(D3D_FEATURE_LEVEL level);

struct test11 {
	ID3D11Device *device;
	ID3D11DeviceContext *context;
	D3D_FEATURE_LEVEL level;
};

/* A device of exactly this level; 0 = the highest. false when the GPU does not have the level. */
bool test11_open(struct test11 *t, D3D_FEATURE_LEVEL level);
/* As test11_open with the highest level, but bails out. */
void test11_must_open(struct test11 *t);
/* Releases context and device and checks that nothing is left. */
void test11_close(struct test11 *t);

/* A 2D texture with a view to draw into, and its copy for reading. R8G8B8A8_UNORM unless said otherwise. */
struct test11_target {
	ID3D11Texture2D *texture, *staging;
	ID3D11RenderTargetView *view;
	UINT width, height;
	uint8_t *pixels; /* after test11_read: width * height * 4 bytes, top row first */
};
bool test11_target_create(struct test11 *t, UINT width, UINT height, DXGI_FORMAT format, struct test11_target *out);
void test11_target_destroy(struct test11_target *target);
/* Copies one subresource of a texture of the target's size (NULL: the target itself) into pixels. false: reported. */
bool test11_read(struct test11 *t, struct test11_target *target, ID3D11Texture2D *source, UINT subresource);
/* A pixel as 0xAABBGGRR: byte order in memory. */
uint32_t test11_pixel(const struct test11_target *target, UINT x, UINT y);
/* Whether every component is within `tolerance` of 0xAABBGGRR `want`. */
bool test11_check(const struct test11_target *target, UINT x, UINT y, uint32_t want, unsigned tolerance,
		  const char *name);
/* Binds the target (and depth), with a viewport of its size. */
void test11_bind(struct test11 *t, struct test11_target *target, ID3D11DepthStencilView *depth);
void test11_clear(struct test11 *t, struct test11_target *target, float r, float g, float b, float a);

ID3D11Buffer *test11_buffer(struct test11 *t, UINT bind, const void *data, UINT size);
/* A depth-stencil texture with a view of everything. NULL: reported. */
ID3D11DepthStencilView *test11_depth(struct test11 *t, UINT width, UINT height, DXGI_FORMAT format, UINT samples);
ID3D11VertexShader *test11_vs(struct test11 *t, const uint32_t *code, size_t size);
ID3D11PixelShader *test11_ps(struct test11 *t, const uint32_t *code, size_t size);
#define TEST11_VS(t, code) test11_vs(t, code, sizeof(code))
#define TEST11_PS(t, code) test11_ps(t, code, sizeof(code))

/* The pair that most tests draw with: float3 POSITION and float4 COLOR, passed through. */
struct test11_vertex {
	float x, y, z;
	float r, g, b, a;
};
struct test11_color_pipe {
	ID3D11VertexShader *vs;
	ID3D11PixelShader *ps;
	ID3D11InputLayout *layout;
	ID3D11Buffer *vertices; /* room for 6 */
};
bool test11_color_pipe(struct test11 *t, struct test11_color_pipe *out);
void test11_color_pipe_destroy(struct test11_color_pipe *pipe);
/* Draws a rectangle in clip space at depth z. */
void test11_draw_rect(struct test11 *t, struct test11_color_pipe *pipe, float left, float top, float right,
		      float bottom, float z, const float color[4]);

#endif
