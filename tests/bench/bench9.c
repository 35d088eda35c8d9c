/* SPDX-License-Identifier: MIT */
#include "bench9.h"

#include <string.h>
#include <unistd.h>

#include "hlsl/moved_vs.h"
#include "hlsl/tinted_ps.h"

const struct bench9_vertex bench9_triangle[3] = {{0, 0, 0.5f, 1}, {0.2f, 0, 0.5f, 1}, {0, 0.2f, 0.5f, 1}};

IDirect3DDevice9Ex *bench9_device(IDirect3D9Ex *d3d, UINT width, UINT height)
{
	D3DPRESENT_PARAMETERS params = {
		.BackBufferWidth = width,
		.BackBufferHeight = height,
		.BackBufferFormat = D3DFMT_X8R8G8B8,
		.BackBufferCount = 2,
		.SwapEffect = D3DSWAPEFFECT_DISCARD,
		.Windowed = TRUE,
		.PresentationInterval = D3DPRESENT_INTERVAL_IMMEDIATE,
	};
	IDirect3DDevice9Ex *device;

	bench_must(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params, NULL,
					       &device),
		   "CreateDeviceEx");
	return device;
}

IDirect3DPixelShader9 *bench9_pixel_shader(struct bench9 *b, const uint32_t *code)
{
	IDirect3DPixelShader9 *shader;

	bench_must(IDirect3DDevice9Ex_CreatePixelShader(b->device, (const DWORD *)code, &shader), "CreatePixelShader");
	return shader;
}

static void create_triangle(struct bench9 *b)
{
	static const D3DVERTEXELEMENT9 elements[] = {
		{0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
		D3DDECL_END(),
	};
	void *data;

	bench_must(IDirect3DDevice9Ex_CreateVertexDeclaration(b->device, elements, &b->declaration), "CreateVertexDeclaration");
	bench_must(IDirect3DDevice9Ex_CreateVertexShader(b->device, (const DWORD *)moved_vs, &b->moved_vs), "CreateVertexShader");
	b->tinted_ps = bench9_pixel_shader(b, tinted_ps);
	bench_must(IDirect3DDevice9Ex_CreateVertexBuffer(b->device, sizeof(bench9_triangle), D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT,
							 &b->vertices, NULL),
		   "CreateVertexBuffer");
	bench_must(IDirect3DVertexBuffer9_Lock(b->vertices, 0, 0, &data, 0), "Lock");
	memcpy(data, bench9_triangle, sizeof(bench9_triangle));
	IDirect3DVertexBuffer9_Unlock(b->vertices);
}

void bench9_open(struct bench9 *b, UINT width, UINT height)
{
	static const float zero[4];

	bench_must(Direct3DCreate9Ex(D3D_SDK_VERSION, &b->d3d), "Direct3DCreate9Ex");
	b->device = bench9_device(b->d3d, width, height);
	bench_must(IDirect3DDevice9Ex_CreateQuery(b->device, D3DQUERYTYPE_EVENT, &b->event), "CreateQuery");
	create_triangle(b);
	IDirect3DDevice9Ex_SetRenderState(b->device, D3DRS_CULLMODE, D3DCULL_NONE);
	IDirect3DDevice9Ex_SetRenderState(b->device, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetVertexDeclaration(b->device, b->declaration);
	IDirect3DDevice9Ex_SetStreamSource(b->device, 0, b->vertices, 0, sizeof(struct bench9_vertex));
	IDirect3DDevice9Ex_SetVertexShader(b->device, b->moved_vs);
	IDirect3DDevice9Ex_SetPixelShader(b->device, b->tinted_ps);
	IDirect3DDevice9Ex_SetVertexShaderConstantF(b->device, 0, zero, 1);
	IDirect3DDevice9Ex_SetPixelShaderConstantF(b->device, 0, zero, 1);
}

void bench9_close(struct bench9 *b)
{
	IDirect3DPixelShader9_Release(b->tinted_ps);
	IDirect3DVertexShader9_Release(b->moved_vs);
	IDirect3DVertexBuffer9_Release(b->vertices);
	IDirect3DVertexDeclaration9_Release(b->declaration);
	IDirect3DQuery9_Release(b->event);
	IDirect3DDevice9Ex_Release(b->device);
	IDirect3D9Ex_Release(b->d3d);
}

void bench9_finish(struct bench9 *b)
{
	HRESULT hr;

	bench_must(IDirect3DQuery9_Issue(b->event, D3DISSUE_END), "Issue");
	while ((hr = IDirect3DQuery9_GetData(b->event, NULL, 0, D3DGETDATA_FLUSH)) == S_FALSE)
		usleep(20);
	bench_must(hr, "waiting for the GPU");
}
