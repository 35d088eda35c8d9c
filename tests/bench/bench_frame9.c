/* SPDX-License-Identifier: MIT */
/* What a frame costs through Direct3D 9: time, and the driver's counters. */
#include "bench9.h"

#include "counters.h"
#include "hlsl/textured_ps.h"

#define DRAWS 100u	/* of a frame: each with its own constants, every tenth with another texture */
#define TEXTURES 4u

struct scene {
	struct bench9 bench;
	IDirect3DPixelShader9 *textured_ps;
	IDirect3DTexture9 *textures[TEXTURES];
};

static void frame(void *data)
{
	struct scene *s = data;
	IDirect3DDevice9Ex *device = s->bench.device;

	IDirect3DDevice9Ex_BeginScene(device);
	bench_must(IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xff204060, 1.0f, 0), "Clear");
	for (unsigned i = 0; i < DRAWS; i++) {
		const float place[4] = {(float)(i % 10) / 6 - 0.9f, (float)(i / 10) / 6 - 0.9f, 0, 0};

		if (i % 10 == 0)
			IDirect3DDevice9Ex_SetTexture(device, 0, (IDirect3DBaseTexture9 *)s->textures[i / 10 % TEXTURES]);
		IDirect3DDevice9Ex_SetVertexShaderConstantF(device, 0, place, 1);
		bench_must(IDirect3DDevice9Ex_DrawPrimitive(device, D3DPT_TRIANGLELIST, 0, 1), "DrawPrimitive");
	}
	IDirect3DDevice9Ex_EndScene(device);
	bench_must(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), "PresentEx");
}

static void frames(void *data, unsigned count)
{
	struct scene *s = data;

	for (unsigned i = 0; i < count; i++)
		frame(s);
	bench9_finish(&s->bench);
}

static void read_statistics(void *data, struct d3dgpu_statistics *out)
{
	struct scene *s = data;

	bench_must(D3DGPUGetStatistics9(s->bench.device, out), "D3DGPUGetStatistics9");
}

static void create(struct scene *s)
{
	IDirect3DSurface9 *depth;

	bench9_open(&s->bench, 640, 480);
	s->textured_ps = bench9_pixel_shader(&s->bench, textured_ps);
	for (unsigned i = 0; i < TEXTURES; i++)
		bench_must(IDirect3DDevice9Ex_CreateTexture(s->bench.device, 64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
							    &s->textures[i], NULL),
			   "CreateTexture");
	bench_must(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(s->bench.device, 640, 480, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
								  TRUE, &depth, NULL, 0),
		   "CreateDepthStencilSurfaceEx");
	IDirect3DDevice9Ex_SetDepthStencilSurface(s->bench.device, depth);
	IDirect3DSurface9_Release(depth); /* the device keeps it */
	IDirect3DDevice9Ex_SetRenderState(s->bench.device, D3DRS_ZENABLE, D3DZB_TRUE);
	IDirect3DDevice9Ex_SetPixelShader(s->bench.device, s->textured_ps);
}

static void destroy(struct scene *s)
{
	for (unsigned i = 0; i < TEXTURES; i++)
		IDirect3DTexture9_Release(s->textures[i]);
	IDirect3DPixelShader9_Release(s->textured_ps);
	bench9_close(&s->bench);
}

int main(int argc, char **argv)
{
	struct scene s = {0};

	bench_open(argc, argv,
		   "A frame of 640x480 through Direct3D 9: a clear of colour and depth, 100 draws of a small triangle with a constant\n"
		   "each and ten texture changes, PresentEx. Frames in a second, then system calls and more for each.");
	create(&s);
	bench_rate("d3d9.frame", "frames/s", frames, &s);
	counters_report("d3d9.frame", frame, read_statistics, &s);
	destroy(&s);
	return 0;
}
