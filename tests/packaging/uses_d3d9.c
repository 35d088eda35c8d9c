/* SPDX-License-Identifier: MIT */
/* A program of somebody who has only the packages: clears a surface with Direct3D 9Ex and looks at a pixel. */
#include <stdint.h>
#include <stdio.h>

#include <windows.h>
#include <d3d9.h>

#include <d3dgpu_wsi.h>

#define EXTENT 16

static uint32_t first_pixel(IDirect3DSurface9 *surface)
{
	D3DLOCKED_RECT locked;
	uint32_t pixel;

	if (FAILED(IDirect3DSurface9_LockRect(surface, &locked, NULL, D3DLOCK_READONLY)))
		return 0;
	pixel = *(const uint32_t *)locked.pBits;
	IDirect3DSurface9_UnlockRect(surface);
	return pixel;
}

int main(void)
{
	D3DPRESENT_PARAMETERS parameters = {.BackBufferWidth = EXTENT, .BackBufferHeight = EXTENT, .BackBufferFormat = D3DFMT_A8R8G8B8,
					    .SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE};
	IDirect3DSurface9 *back = NULL, *memory = NULL;
	IDirect3DDevice9Ex *device;
	IDirect3D9Ex *d3d;
	uint32_t pixel;

	if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)) ||
	    FAILED(IDirect3D9Ex_CreateDeviceEx(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING,
					       &parameters, NULL, &device)))
		return fprintf(stderr, "no device\n"), 1;
	if (FAILED(IDirect3DDevice9Ex_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back)) ||
	    FAILED(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, EXTENT, EXTENT, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &memory,
								  NULL)))
		return fprintf(stderr, "no surfaces\n"), 1;
	IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff3300ff, 1, 0);
	IDirect3DDevice9Ex_GetRenderTargetData(device, back, memory);
	pixel = first_pixel(memory);
	printf("pixel %08x\n", pixel);

	IDirect3DSurface9_Release(memory);
	IDirect3DSurface9_Release(back);
	IDirect3DDevice9Ex_Release(device);
	IDirect3D9Ex_Release(d3d);
	return pixel == 0xff3300ff ? 0 : 1;
}
