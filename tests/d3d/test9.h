/* SPDX-License-Identifier: MIT */
/*
 * What the Direct3D 9 tests share: a device, reading pixels, children with other GPUs. The programs use nothing but the
 * public API, so that the same binary runs on the host (D3DGPU_WINSYS=loopback) and in the guest.
 */
#ifndef D3DGPU_TESTS_D3D9_H
#define D3DGPU_TESTS_D3D9_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>
#include <d3d9.h>

#include "child.h"
#include "tap.h"

struct test9 {
	IDirect3D9Ex *d3d;
	IDirect3DDevice9Ex *device;
	D3DCAPS9 caps;
	UINT width, height;		/* of the back buffer, X8R8G8B8 */
};

/* Opens the adapter and a windowed device; bails out when there is none. */
void test9_open(struct test9 *t, UINT width, UINT height);
void test9_close(struct test9 *t);
/* Another device on the same IDirect3D9Ex. NULL on failure. */
IDirect3DDevice9Ex *test9_device(IDirect3D9Ex *d3d, UINT width, UINT height, DWORD flags);

/* Waits until the device has done all its work. */
void test9_finish(IDirect3DDevice9Ex *device);

/* A plain target with a copy in system memory, for reading pixels. */
struct test9_target {
	IDirect3DSurface9 *surface, *copy;
	UINT width, height;
	DWORD *pixels;			/* A8R8G8B8, top row first; after test9_read */
};
bool test9_target_create(IDirect3DDevice9Ex *device, UINT width, UINT height, struct test9_target *out);
void test9_target_destroy(struct test9_target *target);
/* Copies the target into pixels. false: a call failed (reported). */
bool test9_read(IDirect3DDevice9Ex *device, struct test9_target *target);
DWORD test9_pixel(const struct test9_target *target, UINT x, UINT y);
/* Whether every component of a pixel is within `tolerance` of the wanted one; reports under the given name. */
bool test9_check_pixel(const struct test9_target *target, UINT x, UINT y, DWORD want, unsigned tolerance,
		       const char *name);

/* A shader pair from bytecode; bails out when a shader does not compile. */
IDirect3DVertexShader9 *test9_vs(IDirect3DDevice9Ex *device, const uint32_t *code);
IDirect3DPixelShader9 *test9_ps(IDirect3DDevice9Ex *device, const uint32_t *code);

#endif
