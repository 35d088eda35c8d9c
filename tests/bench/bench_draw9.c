/* SPDX-License-Identifier: MIT */
/*
 * Draws and clears in a second through Direct3D 9, from the call until the GPU has done them. A draw is one triangle of a few
 * pixels, so that the way to the GPU is measured and not its pixels. Clears are of a whole 1280x720 target, with a draw between
 * them: a clear that nothing was drawn on need not be done.
 */
#include "bench9.h"

#include <string.h>

#include "hlsl/inverted_ps.h"
#include "hlsl/textured_ps.h"

#define BUFFER_TRIANGLES 4096u

struct drawing {
	struct bench9 bench;
	IDirect3DPixelShader9 *inverted_ps, *textured_ps;
	IDirect3DTexture9 *textures[2];
	IDirect3DVertexBuffer9 *dynamic;	/* of BUFFER_TRIANGLES */
	unsigned next;				/* free triangle of it */
};

static void draw(struct drawing *d)
{
	bench_must(IDirect3DDevice9Ex_DrawPrimitive(d->bench.device, D3DPT_TRIANGLELIST, 0, 1), "DrawPrimitive");
}

static void draw_unchanged(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++)
		draw(d);
	bench9_finish(&d->bench);
}

static void draw_with_constants(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++) {
		const float move[4] = {(float)(i % 8) / 16, 0, 0, 0};

		IDirect3DDevice9Ex_SetVertexShaderConstantF(d->bench.device, 0, move, 1);
		draw(d);
	}
	bench9_finish(&d->bench);
}

static void draw_with_textures(void *data, unsigned count)
{
	struct drawing *d = data;

	IDirect3DDevice9Ex_SetPixelShader(d->bench.device, d->textured_ps);
	for (unsigned i = 0; i < count; i++) {
		IDirect3DDevice9Ex_SetTexture(d->bench.device, 0, (IDirect3DBaseTexture9 *)d->textures[i % 2]);
		draw(d);
	}
	IDirect3DDevice9Ex_SetTexture(d->bench.device, 0, NULL);
	IDirect3DDevice9Ex_SetPixelShader(d->bench.device, d->bench.tinted_ps);
	bench9_finish(&d->bench);
}

static void draw_with_shaders(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++) {
		IDirect3DDevice9Ex_SetPixelShader(d->bench.device, i % 2 ? d->inverted_ps : d->bench.tinted_ps);
		draw(d);
	}
	IDirect3DDevice9Ex_SetPixelShader(d->bench.device, d->bench.tinted_ps);
	bench9_finish(&d->bench);
}

static void draw_dynamic(void *data, unsigned count)
{
	struct drawing *d = data;
	void *to;

	IDirect3DDevice9Ex_SetStreamSource(d->bench.device, 0, d->dynamic, 0, sizeof(struct bench9_vertex));
	for (unsigned i = 0; i < count; i++) {
		d->next %= BUFFER_TRIANGLES;
		bench_must(IDirect3DVertexBuffer9_Lock(d->dynamic, d->next * sizeof(bench9_triangle), sizeof(bench9_triangle), &to,
						       d->next ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD),
			   "Lock");
		memcpy(to, bench9_triangle, sizeof(bench9_triangle));
		IDirect3DVertexBuffer9_Unlock(d->dynamic);
		bench_must(IDirect3DDevice9Ex_DrawPrimitive(d->bench.device, D3DPT_TRIANGLELIST, d->next * 3, 1), "DrawPrimitive");
		d->next++;
	}
	IDirect3DDevice9Ex_SetStreamSource(d->bench.device, 0, d->bench.vertices, 0, sizeof(struct bench9_vertex));
	bench9_finish(&d->bench);
}

static void draw_user_memory(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++)
		bench_must(IDirect3DDevice9Ex_DrawPrimitiveUP(d->bench.device, D3DPT_TRIANGLELIST, 1, bench9_triangle,
							      sizeof(struct bench9_vertex)),
			   "DrawPrimitiveUP");
	IDirect3DDevice9Ex_SetStreamSource(d->bench.device, 0, d->bench.vertices, 0, sizeof(struct bench9_vertex));
	bench9_finish(&d->bench);
}

static void clear(struct drawing *d, DWORD flags, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DDevice9Ex_Clear(d->bench.device, 0, NULL, flags, 0xff000000 | i, 1.0f, 0), "Clear");
		draw(d);
	}
	bench9_finish(&d->bench);
}

static void clear_color(void *data, unsigned count)
{
	clear(data, D3DCLEAR_TARGET, count);
}

static void clear_all(void *data, unsigned count)
{
	clear(data, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, count);
}

/* On a large target of its own, with depth and stencil. */
static void measure_clears(struct drawing *d)
{
	IDirect3DSurface9 *target, *depth;

	bench_must(IDirect3DDevice9Ex_CreateRenderTarget(d->bench.device, 1280, 720, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
							 &target, NULL),
		   "CreateRenderTarget");
	bench_must(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(d->bench.device, 1280, 720, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0,
								  TRUE, &depth, NULL, 0),
		   "CreateDepthStencilSurfaceEx");
	IDirect3DDevice9Ex_SetRenderTarget(d->bench.device, 0, target);
	IDirect3DDevice9Ex_SetDepthStencilSurface(d->bench.device, depth);
	IDirect3DSurface9_Release(target); /* the device keeps them */
	IDirect3DSurface9_Release(depth);
	bench_rate("d3d9.clear.color", "clears/s", clear_color, d);
	bench_rate("d3d9.clear.color_depth_stencil", "clears/s", clear_all, d);
}

static void create(struct drawing *d)
{
	bench9_open(&d->bench, 64, 64);
	d->inverted_ps = bench9_pixel_shader(&d->bench, inverted_ps);
	d->textured_ps = bench9_pixel_shader(&d->bench, textured_ps);
	for (unsigned i = 0; i < 2; i++)
		bench_must(IDirect3DDevice9Ex_CreateTexture(d->bench.device, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
							    &d->textures[i], NULL),
			   "CreateTexture");
	bench_must(IDirect3DDevice9Ex_CreateVertexBuffer(d->bench.device, BUFFER_TRIANGLES * sizeof(bench9_triangle),
							 D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT, &d->dynamic,
							 NULL),
		   "CreateVertexBuffer");
	bench_must(IDirect3DDevice9Ex_BeginScene(d->bench.device), "BeginScene");
}

static void destroy(struct drawing *d)
{
	IDirect3DDevice9Ex_EndScene(d->bench.device);
	IDirect3DVertexBuffer9_Release(d->dynamic);
	for (unsigned i = 0; i < 2; i++)
		IDirect3DTexture9_Release(d->textures[i]);
	IDirect3DPixelShader9_Release(d->textured_ps);
	IDirect3DPixelShader9_Release(d->inverted_ps);
	bench9_close(&d->bench);
}

int main(int argc, char **argv)
{
	struct drawing d = {0};

	bench_open(argc, argv,
		   "Draws of one small triangle through Direct3D 9: with nothing changed between them, with a constant, the texture\n"
		   "or the pixel shader changed, from a dynamic vertex buffer, from the program's memory; clears of\n"
		   "1280x720, with such a draw between them.");
	create(&d);
	bench_rate("d3d9.draw.unchanged", "draws/s", draw_unchanged, &d);
	bench_rate("d3d9.draw.constants", "draws/s", draw_with_constants, &d);
	bench_rate("d3d9.draw.texture", "draws/s", draw_with_textures, &d);
	bench_rate("d3d9.draw.shader", "draws/s", draw_with_shaders, &d);
	bench_rate("d3d9.draw.dynamic", "draws/s", draw_dynamic, &d);
	bench_rate("d3d9.draw.user_memory", "draws/s", draw_user_memory, &d);
	measure_clears(&d);
	destroy(&d);
	return 0;
}
