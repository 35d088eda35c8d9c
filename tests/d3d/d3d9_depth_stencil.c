/* SPDX-License-Identifier: MIT */
/* CreateDepthStencilSurfaceEx: every row of its table, on this GPU; and on the host on every kind of GPU. */
#define INITGUID
#include "test9.h"

#include <stdio.h>
#include <string.h>

#define SENTINEL ((IDirect3DSurface9 *)(uintptr_t)0xdeadbeef)

int main(int argc, char **argv)
{
	struct test9 t;
	IDirect3DSurface9 *surface = SENTINEL;

	test9_open(&t, 64, 64);
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(t.device, 64, 64, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, TRUE,
							      &surface, NULL, 0), D3D_OK, "D24S8");
	tap_eq(IDirect3DSurface9_Release(surface), 0, "released");
	test9_close(&t);
	return tap_done();
}
