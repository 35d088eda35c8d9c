/* SPDX-License-Identifier: MIT */
/* Shaders and their constants. */
#include "device.h"
#include "shader.h"

static void replace(struct d3d9_shader **slot, struct d3d9_shader *shader)
{
	struct d3d9_shader *old = *slot;

	object_bind((struct d3d9_object *)shader);
	*slot = shader;
	object_unbind((struct d3d9_object *)old);
}

static HRESULT STDMETHODCALLTYPE device_CreateVertexShader(IDirect3DDevice9Ex *iface, const DWORD *code,
							   IDirect3DVertexShader9 **out)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return shader_create(device_from(iface), false, code, (struct d3d9_shader **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreatePixelShader(IDirect3DDevice9Ex *iface, const DWORD *code,
							  IDirect3DPixelShader9 **out)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return shader_create(device_from(iface), true, code, (struct d3d9_shader **)out);
}

static HRESULT STDMETHODCALLTYPE device_SetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 *vs)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_shader *shader = (struct d3d9_shader *)vs;

	if (device->recording) {
		replace(&state_block_state(device->recording)->vs, shader);
		state_block_marks(device->recording)->vs = true;
	} else if (device->state.vs != shader) {
		device->ddi.pfnSetVertexShaderFunc(device->driver, shader ? shader->handle : NULL);
		replace(&device->state.vs, shader);
	}
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 *ps)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_shader *shader = (struct d3d9_shader *)ps;

	if (device->recording) {
		replace(&state_block_state(device->recording)->ps, shader);
		state_block_marks(device->recording)->ps = true;
	} else if (device->state.ps != shader) {
		device->ddi.pfnSetPixelShader(device->driver, shader ? shader->handle : NULL);
		replace(&device->state.ps, shader);
	}
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetVertexShader(IDirect3DDevice9Ex *iface, IDirect3DVertexShader9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DVertexShader9 *)device->state.vs;
	if (*out)
		IDirect3DVertexShader9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetPixelShader(IDirect3DDevice9Ex *iface, IDirect3DPixelShader9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DPixelShader9 *)device->state.ps;
	if (*out)
		IDirect3DPixelShader9_AddRef(*out);
	return D3D_OK;
}

/* ---- constants ---- */

/* Cuts a range to the registers that exist; false: nothing is left, or a range that Direct3D refuses. */
static bool float_range(UINT first, UINT count, UINT registers)
{
	return first < registers && count <= registers - first;
}

/* Integers and booleans: what goes beyond the registers is ignored. */
static UINT cut(UINT first, UINT count, UINT registers)
{
	return count < registers - first ? count : registers - first;
}

static void mark_floats(struct constant_marks *marks, UINT first, UINT count)
{
	for (UINT i = first; i < first + count; i++)
		mark(marks->floats, i);
}

static uint32_t range_bits(UINT first, UINT count)
{
	return ((1u << count) - 1) << first;
}

/* The constants of a stage that a setter writes. */
static struct state_constants *constants(struct d3d9_device *device, bool pixel)
{
	struct d3d9_state *state = device->recording ? state_block_state(device->recording) : &device->state;

	return pixel ? &state->ps_constants : &state->vs_constants;
}

static struct constant_marks *constant_marks(struct d3d9_device *device, bool pixel)
{
	struct state_marks *marks = state_block_marks(device->recording);

	return pixel ? &marks->ps_constants : &marks->vs_constants;
}

static HRESULT set_floats(struct d3d9_device *device, bool pixel, UINT first, const float *data, UINT count)
{
	UINT registers = pixel ? STATE_PS_FLOATS : STATE_VS_FLOATS;

	if (!data || !float_range(first, count, registers))
		return D3DERR_INVALIDCALL;
	if (!count)
		return D3D_OK;
	memcpy(constants(device, pixel)->floats[first], data, count * sizeof(float[4]));
	if (device->recording)
		mark_floats(constant_marks(device, pixel), first, count);
	else if (pixel)
		device->ddi.pfnSetPixelShaderConst(device->driver, &(D3DDDIARG_SETPIXELSHADERCONST){first, count},
						   data);
	else
		device->ddi.pfnSetVertexShaderConst(device->driver, &(D3DDDIARG_SETVERTEXSHADERCONST){first, count},
						    data);
	return D3D_OK;
}

static HRESULT set_ints(struct d3d9_device *device, bool pixel, UINT first, const int *data, UINT count)
{
	if (!data || first >= STATE_INTS)
		return D3DERR_INVALIDCALL;
	count = cut(first, count, STATE_INTS);
	memcpy(constants(device, pixel)->ints[first], data, count * sizeof(int[4]));
	if (device->recording)
		constant_marks(device, pixel)->ints |= range_bits(first, count);
	else if (pixel)
		device->ddi.pfnSetPixelShaderConstI(device->driver, &(D3DDDIARG_SETPIXELSHADERCONST){first, count},
						    data);
	else
		device->ddi.pfnSetVertexShaderConstI(device->driver, &(D3DDDIARG_SETVERTEXSHADERCONST){first, count},
						     data);
	return D3D_OK;
}

static HRESULT set_bools(struct d3d9_device *device, bool pixel, UINT first, const BOOL *data, UINT count)
{
	struct state_constants *stored;

	if (!data || first >= STATE_BOOLS)
		return D3DERR_INVALIDCALL;
	count = cut(first, count, STATE_BOOLS);
	stored = constants(device, pixel);
	for (UINT i = 0; i < count; i++)
		stored->bools[first + i] = data[i] != 0;
	if (device->recording)
		constant_marks(device, pixel)->bools |= range_bits(first, count);
	else if (pixel)
		device->ddi.pfnSetPixelShaderConstB(device->driver, &(D3DDDIARG_SETPIXELSHADERCONSTB){first, count},
						    &stored->bools[first]);
	else
		device->ddi.pfnSetVertexShaderConstB(device->driver, &(D3DDDIARG_SETVERTEXSHADERCONST){first, count},
						     &stored->bools[first]);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first,
								 const float *data, UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_floats(device_from(iface), false, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_SetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *data,
								 UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_ints(device_from(iface), false, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_SetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first,
								 const BOOL *data, UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_bools(device_from(iface), false, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_SetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first,
								const float *data, UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_floats(device_from(iface), true, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_SetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, const int *data,
								UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_ints(device_from(iface), true, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_SetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, const BOOL *data,
								UINT count)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return set_bools(device_from(iface), true, first, data, count);
}

static HRESULT get_floats(const struct state_constants *stored, UINT registers, UINT first, float *data, UINT count)
{
	if (!data || !float_range(first, count, registers))
		return D3DERR_INVALIDCALL;
	memcpy(data, stored->floats[first], count * sizeof(float[4]));
	return D3D_OK;
}

static HRESULT get_ints(const struct state_constants *stored, UINT first, int *data, UINT count)
{
	if (!data || first >= STATE_INTS)
		return D3DERR_INVALIDCALL;
	memcpy(data, stored->ints[first], cut(first, count, STATE_INTS) * sizeof(int[4]));
	return D3D_OK;
}

static HRESULT get_bools(const struct state_constants *stored, UINT first, BOOL *data, UINT count)
{
	if (!data || first >= STATE_BOOLS)
		return D3DERR_INVALIDCALL;
	memcpy(data, &stored->bools[first], cut(first, count, STATE_BOOLS) * sizeof(BOOL));
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetVertexShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *data,
								 UINT count)
{
	return get_floats(&device_from(iface)->state.vs_constants, STATE_VS_FLOATS, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_GetVertexShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *data,
								 UINT count)
{
	return get_ints(&device_from(iface)->state.vs_constants, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_GetVertexShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *data,
								 UINT count)
{
	return get_bools(&device_from(iface)->state.vs_constants, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_GetPixelShaderConstantF(IDirect3DDevice9Ex *iface, UINT first, float *data,
								UINT count)
{
	return get_floats(&device_from(iface)->state.ps_constants, STATE_PS_FLOATS, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_GetPixelShaderConstantI(IDirect3DDevice9Ex *iface, UINT first, int *data,
								UINT count)
{
	return get_ints(&device_from(iface)->state.ps_constants, first, data, count);
}

static HRESULT STDMETHODCALLTYPE device_GetPixelShaderConstantB(IDirect3DDevice9Ex *iface, UINT first, BOOL *data,
								UINT count)
{
	return get_bools(&device_from(iface)->state.ps_constants, first, data, count);
}

void device_shader_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->CreateVertexShader = device_CreateVertexShader;
	vtbl->SetVertexShader = device_SetVertexShader;
	vtbl->GetVertexShader = device_GetVertexShader;
	vtbl->SetVertexShaderConstantF = device_SetVertexShaderConstantF;
	vtbl->GetVertexShaderConstantF = device_GetVertexShaderConstantF;
	vtbl->SetVertexShaderConstantI = device_SetVertexShaderConstantI;
	vtbl->GetVertexShaderConstantI = device_GetVertexShaderConstantI;
	vtbl->SetVertexShaderConstantB = device_SetVertexShaderConstantB;
	vtbl->GetVertexShaderConstantB = device_GetVertexShaderConstantB;
	vtbl->CreatePixelShader = device_CreatePixelShader;
	vtbl->SetPixelShader = device_SetPixelShader;
	vtbl->GetPixelShader = device_GetPixelShader;
	vtbl->SetPixelShaderConstantF = device_SetPixelShaderConstantF;
	vtbl->GetPixelShaderConstantF = device_GetPixelShaderConstantF;
	vtbl->SetPixelShaderConstantI = device_SetPixelShaderConstantI;
	vtbl->GetPixelShaderConstantI = device_GetPixelShaderConstantI;
	vtbl->SetPixelShaderConstantB = device_SetPixelShaderConstantB;
	vtbl->GetPixelShaderConstantB = device_GetPixelShaderConstantB;
}
