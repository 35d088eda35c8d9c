/* SPDX-License-Identifier: MIT */
/* Shaders and their constants. */
#include "d3d9_front.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static HRESULT create_shader(struct d3d9_device *dev, const UINT *code, UINT size, HANDLE *out)
{
	static uint64_t serials;
	struct d3d9_shader *shader = calloc(1, sizeof(*shader));
	char message[256];
	int err;

	if (!shader)
		return E_OUTOFMEMORY;
	err = gpu_shader_create(dev->gpu, code, size, &shader->gpu, message, sizeof(message));
	if (err) {
		fprintf(stderr, "d3dgpu: shader refused: %s\n", message);
		free(shader);
		return err == -ENOMEM ? E_OUTOFMEMORY : err == -ENOTSUP ? D3DDDIERR_NOTAVAILABLE : E_INVALIDARG;
	}
	shader->serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
	*out = shader;
	return S_OK;
}

static HRESULT create_vertex_shader(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERFUNC *args, const UINT *code)
{
	return create_shader(d3d9_device(hDevice), code, args->Size, &args->ShaderHandle);
}

static HRESULT create_pixel_shader(HANDLE hDevice, D3DDDIARG_CREATEPIXELSHADER *args, const UINT *code)
{
	return create_shader(d3d9_device(hDevice), code, args->CodeSize, &args->ShaderHandle);
}

static HRESULT set_vertex_shader(HANDLE hDevice, HANDLE hShader)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->vs = hShader;
	gpu_set_shader(dev->gpu, SHADER_VERTEX, dev->vs ? dev->vs->gpu : NULL);
	/* Point size comes from the shader or from the state. */
	dev->dirty |= D3D9_DIRTY_VERTEX | D3D9_DIRTY_KEYS | D3D9_DIRTY_RASTERIZER;
	return S_OK;
}

static HRESULT set_pixel_shader(HANDLE hDevice, HANDLE hShader)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->ps = hShader;
	gpu_set_shader(dev->gpu, SHADER_PIXEL, dev->ps ? dev->ps->gpu : NULL);
	dev->dirty |= D3D9_DIRTY_KEYS;
	return S_OK;
}

static HRESULT delete_shader(HANDLE hDevice, HANDLE hShader)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_shader *shader = hShader;

	if (dev->vs == shader)
		set_vertex_shader(hDevice, NULL);
	if (dev->ps == shader)
		set_pixel_shader(hDevice, NULL);
	gpu_shader_destroy(dev->gpu, shader->gpu);
	free(shader);
	return S_OK;
}

/* ---- constants ---- */

static HRESULT set_vs_float(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *args, const VOID *data)
{
	gpu_set_float_constants(d3d9_device(hDevice)->gpu, SHADER_VERTEX, args->Register, args->Count, data);
	return S_OK;
}

static HRESULT set_vs_int(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *args, const INT *data)
{
	gpu_set_int_constants(d3d9_device(hDevice)->gpu, SHADER_VERTEX, args->Register, args->Count, data);
	return S_OK;
}

static HRESULT set_vs_bool(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *args, const BOOL *data)
{
	gpu_set_bool_constants(d3d9_device(hDevice)->gpu, SHADER_VERTEX, args->Register, args->Count, data);
	return S_OK;
}

static HRESULT set_ps_float(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONST *args, const FLOAT *data)
{
	gpu_set_float_constants(d3d9_device(hDevice)->gpu, SHADER_PIXEL, args->Register, args->Count, data);
	return S_OK;
}

static HRESULT set_ps_int(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONST *args, const INT *data)
{
	gpu_set_int_constants(d3d9_device(hDevice)->gpu, SHADER_PIXEL, args->Register, args->Count, data);
	return S_OK;
}

static HRESULT set_ps_bool(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONSTB *args, const BOOL *data)
{
	gpu_set_bool_constants(d3d9_device(hDevice)->gpu, SHADER_PIXEL, args->Register, args->Count, data);
	return S_OK;
}

void d3d9_shader_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnCreateVertexShaderFunc = create_vertex_shader;
	table->pfnDeleteVertexShaderFunc = delete_shader;
	table->pfnSetVertexShaderFunc = set_vertex_shader;
	table->pfnCreatePixelShader = create_pixel_shader;
	table->pfnDeletePixelShader = delete_shader;
	table->pfnSetPixelShader = set_pixel_shader;
	table->pfnSetVertexShaderConst = set_vs_float;
	table->pfnSetVertexShaderConstI = set_vs_int;
	table->pfnSetVertexShaderConstB = set_vs_bool;
	table->pfnSetPixelShaderConst = set_ps_float;
	table->pfnSetPixelShaderConstI = set_ps_int;
	table->pfnSetPixelShaderConstB = set_ps_bool;
}
