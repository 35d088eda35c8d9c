/* SPDX-License-Identifier: MIT */
/* Resources in a second through Direct3D 9: each is created, used by the GPU, and released. */
#include "bench9.h"

#include <string.h>

static void textures(void *data, unsigned count)
{
	struct bench9 *b = data;
	IDirect3DTexture9 *texture;
	IDirect3DSurface9 *surface;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DDevice9Ex_CreateTexture(b->device, 256, 256, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
							    D3DPOOL_DEFAULT, &texture, NULL),
			   "CreateTexture");
		bench_must(IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface), "GetSurfaceLevel");
		bench_must(IDirect3DDevice9Ex_ColorFill(b->device, surface, NULL, 0xff102030), "ColorFill");
		IDirect3DSurface9_Release(surface);
		IDirect3DTexture9_Release(texture);
	}
	bench9_finish(b);
}

static void vertex_buffers(void *data, unsigned count)
{
	struct bench9 *b = data;
	IDirect3DVertexBuffer9 *buffer;
	void *to;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DDevice9Ex_CreateVertexBuffer(b->device, 4096, D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT, &buffer,
								 NULL),
			   "CreateVertexBuffer");
		bench_must(IDirect3DVertexBuffer9_Lock(buffer, 0, 0, &to, 0), "Lock");
		memcpy(to, bench9_triangle, sizeof(bench9_triangle));
		IDirect3DVertexBuffer9_Unlock(buffer);
		IDirect3DDevice9Ex_SetStreamSource(b->device, 0, buffer, 0, sizeof(struct bench9_vertex));
		bench_must(IDirect3DDevice9Ex_DrawPrimitive(b->device, D3DPT_TRIANGLELIST, 0, 1), "DrawPrimitive");
		IDirect3DDevice9Ex_SetStreamSource(b->device, 0, NULL, 0, 0);
		IDirect3DVertexBuffer9_Release(buffer);
	}
	bench9_finish(b);
}

static void depth_stencils(struct bench9 *b, BOOL discard, unsigned count)
{
	IDirect3DSurface9 *surface;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(b->device, 640, 480, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
									  discard, &surface, NULL, 0),
			   "CreateDepthStencilSurfaceEx");
		bench_must(IDirect3DDevice9Ex_SetDepthStencilSurface(b->device, surface), "SetDepthStencilSurface");
		IDirect3DSurface9_Release(surface); /* the device keeps it until the next is set */
		bench_must(IDirect3DDevice9Ex_Clear(b->device, 0, NULL, D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, 0, 1.0f, 0), "Clear");
	}
	IDirect3DDevice9Ex_SetDepthStencilSurface(b->device, NULL);
	bench9_finish(b);
}

static void depth_stencils_keep(void *data, unsigned count)
{
	depth_stencils(data, FALSE, count);
}

static void depth_stencils_discard(void *data, unsigned count)
{
	depth_stencils(data, TRUE, count);
}

int main(int argc, char **argv)
{
	struct bench9 b;

	bench_open(argc, argv,
		   "Resources that are created, used and released through Direct3D 9: textures of 256x256 that are filled, vertex\n"
		   "buffers of 4 KiB that are written and drawn from, depth-stencil surfaces (CreateDepthStencilSurfaceEx, D24S8,\n"
		   "640x480, with Discard and without) that are bound and cleared.");
	bench9_open(&b, 640, 480);
	bench_rate("d3d9.resource.texture", "resources/s", textures, &b);
	bench_rate("d3d9.resource.vertex_buffer", "resources/s", vertex_buffers, &b);
	bench_rate("d3d9.resource.depth_stencil", "resources/s", depth_stencils_keep, &b);
	bench_rate("d3d9.resource.depth_stencil_discard", "resources/s", depth_stencils_discard, &b);
	bench9_close(&b);
	return 0;
}
