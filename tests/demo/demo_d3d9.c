/* SPDX-License-Identifier: MIT */
/*
 * The scene through IDirect3DDevice9Ex, with the depth-stencil surface from CreateDepthStencilSurfaceEx: a run for each format,
 * one picture each.
 */
#include <windows.h>
#include <d3d9.h>
#include <stdio.h>
#include <string.h>

#include "demo.h"
#include "hlsl/scene_ps_2_0.h"
#include "hlsl/scene_vs_2_0.h"

struct program {
	const struct demo_options *options;
	const struct scene *scene;
	IDirect3D9Ex *d3d9;
	IDirect3DDevice9Ex *device;
	IDirect3DVertexBuffer9 *vertices;
	IDirect3DIndexBuffer9 *indices;
	IDirect3DVertexDeclaration9 *declaration;
	IDirect3DVertexShader9 *vertex_shader;
	IDirect3DPixelShader9 *pixel_shader;
	IDirect3DSurface9 *readback;
};

struct run {
	const char *name;
	D3DFORMAT format;
	BOOL discard;
};

static const struct run runs[] = {
	{ "d24s8", D3DFMT_D24S8, TRUE },
	{ "d24s8_keep", D3DFMT_D24S8, FALSE },
	{ "d16", D3DFMT_D16, TRUE },
	{ "d32f_lockable", D3DFMT_D32F_LOCKABLE, FALSE },
};

static HRESULT create_device(struct program *p)
{
	D3DPRESENT_PARAMETERS present = {
		.BackBufferWidth = p->options->width, .BackBufferHeight = p->options->height,
		.BackBufferFormat = D3DFMT_X8R8G8B8, .BackBufferCount = 2, .SwapEffect = D3DSWAPEFFECT_DISCARD,
		.Windowed = !p->options->fullscreen, .PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE };
	D3DDISPLAYMODEEX mode = { .Size = sizeof(mode), .Width = p->options->width, .Height = p->options->height,
				  .RefreshRate = 60, .Format = D3DFMT_X8R8G8B8,
				  .ScanLineOrdering = D3DSCANLINEORDERING_PROGRESSIVE };

	if (p->options->fullscreen)
		present.FullScreen_RefreshRateInHz = mode.RefreshRate;
	return IDirect3D9Ex_CreateDeviceEx(p->d3d9, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &present,
					   p->options->fullscreen ? &mode : NULL, &p->device);
}

static HRESULT create_geometry(struct program *p)
{
	static const D3DVERTEXELEMENT9 elements[] = {
		{ 0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0 },
		{ 0, 12, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_NORMAL, 0 },
		D3DDECL_END()
	};
	UINT vertex_bytes = p->scene->vertex_count * (UINT)sizeof(struct scene_vertex);
	UINT index_bytes = p->scene->index_count * (UINT)sizeof(uint16_t);
	void *data;
	HRESULT hr;

	if (FAILED(hr = IDirect3DDevice9Ex_CreateVertexBuffer(p->device, vertex_bytes, D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT,
							      &p->vertices, NULL)) ||
	    FAILED(hr = IDirect3DDevice9Ex_CreateIndexBuffer(p->device, index_bytes, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
							     D3DPOOL_DEFAULT, &p->indices, NULL)) ||
	    FAILED(hr = IDirect3DVertexBuffer9_Lock(p->vertices, 0, 0, &data, 0)))
		return hr;
	memcpy(data, p->scene->vertices, vertex_bytes);
	IDirect3DVertexBuffer9_Unlock(p->vertices);
	if (FAILED(hr = IDirect3DIndexBuffer9_Lock(p->indices, 0, 0, &data, 0)))
		return hr;
	memcpy(data, p->scene->indices, index_bytes);
	IDirect3DIndexBuffer9_Unlock(p->indices);
	return IDirect3DDevice9Ex_CreateVertexDeclaration(p->device, elements, &p->declaration);
}

static HRESULT create_objects(struct program *p)
{
	HRESULT hr;

	if (FAILED(hr = create_geometry(p)) ||
	    FAILED(hr = IDirect3DDevice9Ex_CreateVertexShader(p->device, (const DWORD *)scene_vs_2_0, &p->vertex_shader)) ||
	    FAILED(hr = IDirect3DDevice9Ex_CreatePixelShader(p->device, (const DWORD *)scene_ps_2_0, &p->pixel_shader)))
		return hr;
	return IDirect3DDevice9Ex_CreateOffscreenPlainSurface(p->device, p->options->width, p->options->height, D3DFMT_X8R8G8B8,
							      D3DPOOL_SYSTEMMEM, &p->readback, NULL);
}

static void bind_state(struct program *p)
{
	IDirect3DDevice9Ex_SetStreamSource(p->device, 0, p->vertices, 0, sizeof(struct scene_vertex));
	IDirect3DDevice9Ex_SetIndices(p->device, p->indices);
	IDirect3DDevice9Ex_SetVertexDeclaration(p->device, p->declaration);
	IDirect3DDevice9Ex_SetVertexShader(p->device, p->vertex_shader);
	IDirect3DDevice9Ex_SetPixelShader(p->device, p->pixel_shader);
	IDirect3DDevice9Ex_SetRenderState(p->device, D3DRS_ZENABLE, D3DZB_TRUE);
	IDirect3DDevice9Ex_SetRenderState(p->device, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
	IDirect3DDevice9Ex_SetRenderState(p->device, D3DRS_CULLMODE, D3DCULL_CCW);
}

static HRESULT draw_frame(struct program *p, float seconds)
{
	struct scene_object objects[SCENE_OBJECTS];
	HRESULT hr;

	scene_animate(seconds, (float)p->options->width / (float)p->options->height, objects);
	IDirect3DDevice9Ex_BeginScene(p->device);
	hr = IDirect3DDevice9Ex_Clear(p->device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER,
				      D3DCOLOR_XRGB(SCENE_CLEAR_R, SCENE_CLEAR_G, SCENE_CLEAR_B), 1.0f, 0);
	for (unsigned i = 0; i < SCENE_OBJECTS && SUCCEEDED(hr); i++) {
		const struct scene_mesh *mesh = &p->scene->meshes[objects[i].mesh];
		const float *constants = (const float *)&objects[i].constants;
		UINT count = sizeof(objects[i].constants) / 16;

		IDirect3DDevice9Ex_SetVertexShaderConstantF(p->device, 0, constants, count);
		IDirect3DDevice9Ex_SetPixelShaderConstantF(p->device, 0, constants, count);
		hr = IDirect3DDevice9Ex_DrawIndexedPrimitive(p->device, D3DPT_TRIANGLELIST, mesh->base_vertex, 0, mesh->vertex_count,
							     mesh->first_index, mesh->index_count / 3);
	}
	IDirect3DDevice9Ex_EndScene(p->device);
	return hr;
}

/* The picture that was drawn last, through GetRenderTargetData and LockRect. */
static int save_picture(struct program *p, const char *name)
{
	IDirect3DSurface9 *back_buffer;
	D3DLOCKED_RECT locked;
	HRESULT hr;
	int saved;

	if (FAILED(hr = IDirect3DDevice9Ex_GetBackBuffer(p->device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &back_buffer)))
		return demo_failed("GetBackBuffer", hr);
	hr = IDirect3DDevice9Ex_GetRenderTargetData(p->device, back_buffer, p->readback);
	IDirect3DSurface9_Release(back_buffer);
	if (FAILED(hr) || FAILED(hr = IDirect3DSurface9_LockRect(p->readback, &locked, NULL, D3DLOCK_READONLY)))
		return demo_failed("reading the picture", hr);
	saved = demo_write_png(p->options->output, name, locked.pBits, p->options->width, p->options->height, (uint32_t)locked.Pitch);
	IDirect3DSurface9_UnlockRect(p->readback);
	return saved;
}

static int draw_run(struct program *p, const struct run *run)
{
	struct d3dgpu_statistics before, after;
	IDirect3DSurface9 *depth;
	char label[64], picture[64];
	double start;
	HRESULT hr;

	hr = IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(p->device, p->options->width, p->options->height, run->format,
							    D3DMULTISAMPLE_NONE, 0, run->discard, &depth, NULL, 0);
	if (FAILED(hr))
		return demo_failed("CreateDepthStencilSurfaceEx", hr);
	IDirect3DDevice9Ex_SetDepthStencilSurface(p->device, depth);
	IDirect3DSurface9_Release(depth); /* the device keeps it */
	snprintf(label, sizeof(label), "d3d9 %s", run->name);
	snprintf(picture, sizeof(picture), "demo_d3d9_%s.png", run->name);
	for (unsigned frame = 0; frame < 3 && SUCCEEDED(hr); frame++) { /* shaders and buffers settle */
		hr = draw_frame(p, 0);
		if (SUCCEEDED(hr))
			hr = IDirect3DDevice9Ex_PresentEx(p->device, NULL, NULL, NULL, NULL, 0);
	}
	D3DGPUGetStatistics9(p->device, &before);
	start = demo_now();
	for (uint32_t frame = 0; frame < p->options->frames && SUCCEEDED(hr); frame++) {
		hr = draw_frame(p, (float)frame / 60);
		if (SUCCEEDED(hr))
			hr = IDirect3DDevice9Ex_PresentEx(p->device, NULL, NULL, NULL, NULL, 0);
	}
	if (FAILED(hr))
		return demo_failed("drawing a frame", hr);
	D3DGPUGetStatistics9(p->device, &after);
	demo_print_rate(label, p->options->frames, demo_now() - start, &before, &after);
	if (FAILED(hr = draw_frame(p, 0.8f)))
		return demo_failed("drawing the picture", hr);
	return save_picture(p, picture);
}

static void release(struct program *p)
{
	IUnknown *objects[] = { (IUnknown *)p->readback, (IUnknown *)p->pixel_shader, (IUnknown *)p->vertex_shader,
				(IUnknown *)p->declaration, (IUnknown *)p->indices, (IUnknown *)p->vertices,
				(IUnknown *)p->device, (IUnknown *)p->d3d9 };

	for (unsigned i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (objects[i])
			IUnknown_Release(objects[i]);
}

int demo_d3d9(const struct demo_options *options, const struct scene *scene)
{
	struct program p = { .options = options, .scene = scene };
	int result = 0;
	HRESULT hr;

	if (FAILED(hr = Direct3DCreate9Ex(D3D_SDK_VERSION, &p.d3d9)))
		return demo_failed("Direct3DCreate9Ex", hr);
	if (FAILED(hr = create_device(&p)))
		result = demo_failed("IDirect3D9Ex::CreateDeviceEx", hr);
	else if (FAILED(hr = create_objects(&p)))
		result = demo_failed("creating the scene's objects", hr);
	if (!result)
		bind_state(&p);
	for (unsigned i = 0; i < sizeof(runs) / sizeof(runs[0]) && !result; i++)
		result = draw_run(&p, &runs[i]);
	release(&p);
	return result;
}
