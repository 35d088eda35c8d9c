/* SPDX-License-Identifier: MIT */
/* ID3D11VertexShader and ID3D11PixelShader; the checks of the stages that are not built. */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

static const ID3D11VertexShaderVtbl vertex_vtbl = {CHILD_METHODS(ID3D11VertexShader)};
static const ID3D11PixelShaderVtbl pixel_vtbl = {CHILD_METHODS(ID3D11PixelShader)};

static void destroy(struct d3d11_child *child)
{
	D3D10DDI_HSHADER handle = {((struct d3d11_shader *)child)->ddi};

	child->device->funcs.pfnDestroyShader(child->device->ddi, handle);
	free(child);
}

/* Shader model as major << 4 | minor that a level takes. Below level 10 the programs are those of the 4_0_level_9_x
 * profiles. */
static UINT highest_model(D3D_FEATURE_LEVEL level)
{
	if (level >= D3D_FEATURE_LEVEL_11_0)
		return 0x50;
	return level >= D3D_FEATURE_LEVEL_10_1 ? 0x41 : 0x40;
}

static HRESULT parse_for(struct d3d11_device *device, const void *code, SIZE_T size, enum d3d11_stage stage,
			 struct d3d11_bytecode *out)
{
	static const UINT types[STAGE_COUNT] = {
		[STAGE_PS] = 0, [STAGE_VS] = 1, [STAGE_GS] = 2, [STAGE_HS] = 3, [STAGE_DS] = 4, [STAGE_CS] = 5,
	};
	HRESULT hr = bytecode_parse(code, size, out);

	if (FAILED(hr))
		return hr;
	if (!out->program || out->type != types[stage] ||
	    (out->major << 4 | out->minor) > highest_model(device->level)) {
		runtime_refused("CreateShader", "program of another stage, or of a model above the level's");
		return E_INVALIDARG;
	}
	return S_OK;
}

/* The DDI numbers system values as the program's tokens do; targets and depth outputs have none there. */
static UINT fill_signature(const struct d3d11_signature *in, D3D11_1DDIARG_SIGNATURE_ENTRY out[MAX_SIGNATURE])
{
	const UINT last_token_value = 10;

	for (UINT i = 0; i < in->count; i++)
		out[i] = (D3D11_1DDIARG_SIGNATURE_ENTRY){
			.SystemValue =
				in->elements[i].system_value <= last_token_value ? in->elements[i].system_value : 0,
			.Register = in->elements[i].reg,
			.Mask = in->elements[i].mask,
			.RegisterComponentType = in->elements[i].component_type,
			.MinPrecision = in->elements[i].min_precision,
		};
	return in->count;
}

static HRESULT construct(struct d3d11_device *device, const struct d3d11_bytecode *bytecode, enum d3d11_stage stage,
			 void **out)
{
	D3D11_1DDIARG_SIGNATURE_ENTRY inputs[MAX_SIGNATURE], outputs[MAX_SIGNATURE];
	D3D11_1DDIARG_STAGE_IO_SIGNATURES signatures = {inputs, fill_signature(&bytecode->input, inputs), outputs,
							fill_signature(&bytecode->output, outputs)};
	D3D10DDI_HSHADER handle;
	D3D10DDI_HRTSHADER runtime;
	struct d3d11_shader *shader;
	void *driver = NULL;
	HRESULT hr;

	d3d11_enter(device);
	shader = child_alloc(sizeof(*shader),
			     device->funcs.pfnCalcPrivateShaderSize(device->ddi, bytecode->program, &signatures),
			     &driver);
	if (!shader) {
		d3d11_leave(device);
		return E_OUTOFMEMORY;
	}
	shader->ddi = handle.pDrvPrivate = driver;
	runtime.handle = shader;
	if (stage == STAGE_VS)
		device->funcs.pfnCreateVertexShader(device->ddi, bytecode->program, handle, runtime, &signatures);
	else
		device->funcs.pfnCreatePixelShader(device->ddi, bytecode->program, handle, runtime, &signatures);
	hr = d3d11_leave(device);
	if (FAILED(hr)) {
		free(shader);
		return hr;
	}
	child_init(&shader->base, device, stage == STAGE_VS ? KIND_VERTEX_SHADER : KIND_PIXEL_SHADER,
		   stage == STAGE_VS ? (const void *)&vertex_vtbl : (const void *)&pixel_vtbl, destroy);
	*out = shader;
	return S_OK;
}

HRESULT shader_create(struct d3d11_device *device, const void *code, SIZE_T size, enum d3d11_stage stage, void **out)
{
	struct d3d11_bytecode *bytecode;
	HRESULT hr;

	if (out)
		*out = NULL;
	bytecode = malloc(sizeof(*bytecode));
	if (!bytecode)
		return E_OUTOFMEMORY;
	hr = parse_for(device, code, size, stage, bytecode);
	if (SUCCEEDED(hr) && !out)
		hr = S_FALSE;
	else if (SUCCEEDED(hr) && FAILED(device->removed))
		hr = DXGI_ERROR_DEVICE_REMOVED;
	else if (SUCCEEDED(hr))
		hr = construct(device, bytecode, stage, out);
	free(bytecode);
	return hr;
}

HRESULT shader_refuse(struct d3d11_device *device, const void *code, SIZE_T size, enum d3d11_stage stage, void **out)
{
	D3D_FEATURE_LEVEL needed = stage == STAGE_GS ? D3D_FEATURE_LEVEL_10_0 : D3D_FEATURE_LEVEL_11_0;
	struct d3d11_bytecode *bytecode;
	HRESULT hr;

	if (out)
		*out = NULL;
	if (device->level < needed)
		return E_INVALIDARG;
	bytecode = malloc(sizeof(*bytecode));
	if (!bytecode)
		return E_OUTOFMEMORY;
	hr = parse_for(device, code, size, stage, bytecode);
	free(bytecode);
	return FAILED(hr) ? hr : E_NOTIMPL;
}
