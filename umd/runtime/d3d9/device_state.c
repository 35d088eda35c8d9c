/* SPDX-License-Identifier: MIT */
/* Render, sampler and stage states, transforms, material, lights, clip planes, viewport, scissor. */
#include "device.h"

/* Where a setter writes: the block that is being recorded, else the device. */
static struct d3d9_state *target_state(struct d3d9_device *device)
{
	return device->recording ? state_block_state(device->recording) : &device->state;
}

/* ---- render states ---- */

static void send_render_state(struct d3d9_device *device, D3DRENDERSTATETYPE state, DWORD value)
{
	D3DDDIARG_RENDERSTATE args = {state, value};

	device->ddi.pfnSetRenderState(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state, DWORD value)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	/* Unknown numbers are ignored, as by Windows. */
	if (state >= STATE_RENDER_STATES)
		return D3D_OK;
	if (device->recording) {
		state_block_state(device->recording)->render[state] = value;
		mark(state_block_marks(device->recording)->render, state);
		return D3D_OK;
	}
	if (device->state.render[state] == value)
		return D3D_OK;
	device->state.render[state] = value;
	send_render_state(device, state, value);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetRenderState(IDirect3DDevice9Ex *iface, D3DRENDERSTATETYPE state,
						       DWORD *value)
{
	if (!value || state >= STATE_RENDER_STATES)
		return D3DERR_INVALIDCALL;
	*value = device_from(iface)->state.render[state];
	return D3D_OK;
}

/* ---- samplers and stages ---- */

/* 0..15 pixel, 16..19 vertex; -1: the displacement sampler, -2: none. */
static int sampler_slot(DWORD sampler)
{
	if (sampler < 16)
		return (int)sampler;
	if (sampler >= D3DVERTEXTEXTURESAMPLER0 && sampler <= D3DVERTEXTEXTURESAMPLER3)
		return (int)(16 + sampler - D3DVERTEXTEXTURESAMPLER0);
	return sampler == D3DDMAPSAMPLER ? -1 : -2;
}

static UINT ddi_stage(int slot)
{
	return slot < 16 ? (UINT)slot : D3DVERTEXTEXTURESAMPLER0 + (UINT)slot - 16;
}

static void send_sampler_state(struct d3d9_device *device, int slot, D3DSAMPLERSTATETYPE state, DWORD value)
{
	static const BYTE numbers[STATE_SAMPLER_STATES] = {
		[D3DSAMP_ADDRESSU] = D3DDDITSS_ADDRESSU,
		[D3DSAMP_ADDRESSV] = D3DDDITSS_ADDRESSV,
		[D3DSAMP_ADDRESSW] = D3DDDITSS_ADDRESSW,
		[D3DSAMP_BORDERCOLOR] = D3DDDITSS_BORDERCOLOR,
		[D3DSAMP_MAGFILTER] = D3DDDITSS_MAGFILTER,
		[D3DSAMP_MINFILTER] = D3DDDITSS_MINFILTER,
		[D3DSAMP_MIPFILTER] = D3DDDITSS_MIPFILTER,
		[D3DSAMP_MIPMAPLODBIAS] = D3DDDITSS_MIPMAPLODBIAS,
		[D3DSAMP_MAXMIPLEVEL] = D3DDDITSS_MAXMIPLEVEL,
		[D3DSAMP_MAXANISOTROPY] = D3DDDITSS_MAXANISOTROPY,
		[D3DSAMP_SRGBTEXTURE] = D3DDDITSS_SRGBTEXTURE,
		[D3DSAMP_ELEMENTINDEX] = D3DDDITSS_ELEMENTINDEX,
		[D3DSAMP_DMAPOFFSET] = D3DDDITSS_DMAPOFFSET,
	};
	D3DDDIARG_TEXTURESTAGESTATE args = {ddi_stage(slot), (D3DDDITEXTURESTAGESTATETYPE)numbers[state], value};

	device->ddi.pfnSetTextureStageState(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
							D3DSAMPLERSTATETYPE state, DWORD value)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	int slot = sampler_slot(sampler);
	DWORD *stored;

	if (slot < 0 || state < D3DSAMP_ADDRESSU || state >= STATE_SAMPLER_STATES)
		return D3D_OK;
	stored = &target_state(device)->sampler[slot][state];
	if (device->recording) {
		*stored = value;
		state_block_marks(device->recording)->sampler[slot] |= 1u << state;
		return D3D_OK;
	}
	if (*stored == value)
		return D3D_OK;
	*stored = value;
	send_sampler_state(device, slot, state, value);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetSamplerState(IDirect3DDevice9Ex *iface, DWORD sampler,
							D3DSAMPLERSTATETYPE state, DWORD *value)
{
	int slot = sampler_slot(sampler);

	if (!value)
		return D3DERR_INVALIDCALL;
	*value = slot >= 0 && state < STATE_SAMPLER_STATES ? device_from(iface)->state.sampler[slot][state] : 0;
	return D3D_OK;
}

static void send_stage_state(struct d3d9_device *device, DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
	D3DDDIARG_TEXTURESTAGESTATE args = {stage, (D3DDDITEXTURESTAGESTATETYPE)state, value};

	device->ddi.pfnSetTextureStageState(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
							     D3DTEXTURESTAGESTATETYPE state, DWORD value)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	DWORD *stored;

	if (stage >= STATE_STAGES || state >= STATE_STAGE_STATES)
		return D3D_OK;
	stored = &target_state(device)->stage[stage][state];
	if (device->recording) {
		*stored = value;
		state_block_marks(device->recording)->stage[stage] |= 1ull << state;
		return D3D_OK;
	}
	if (*stored == value)
		return D3D_OK;
	*stored = value;
	send_stage_state(device, stage, state, value);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetTextureStageState(IDirect3DDevice9Ex *iface, DWORD stage,
							     D3DTEXTURESTAGESTATETYPE state, DWORD *value)
{
	if (!value || stage >= STATE_STAGES || state >= STATE_STAGE_STATES)
		return D3DERR_INVALIDCALL;
	*value = device_from(iface)->state.stage[stage][state];
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_ValidateDevice(IDirect3DDevice9Ex *iface, DWORD *passes)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_VALIDATETEXTURESTAGESTATE args = {0};
	HRESULT hr = device_result(device, device->ddi.pfnValidateDevice(device->driver, &args));

	if (SUCCEEDED(hr) && passes)
		*passes = args.NumPasses;
	return hr;
}

/* ---- state blocks ---- */

static HRESULT STDMETHODCALLTYPE device_CreateStateBlock(IDirect3DDevice9Ex *iface, D3DSTATEBLOCKTYPE type,
							 IDirect3DStateBlock9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	return device->recording ? D3DERR_INVALIDCALL : state_block_create(device, type, out);
}

static HRESULT STDMETHODCALLTYPE device_BeginStateBlock(IDirect3DDevice9Ex *iface)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	return device->recording ? D3DERR_INVALIDCALL : state_block_begin(device);
}

static HRESULT STDMETHODCALLTYPE device_EndStateBlock(IDirect3DDevice9Ex *iface, IDirect3DStateBlock9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!device->recording || !out)
		return D3DERR_INVALIDCALL;
	*out = state_block_end(device);
	return D3D_OK;
}

/* ---- fixed-function state: kept here; its translation to shaders reads it from the device ---- */

static HRESULT STDMETHODCALLTYPE device_SetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
						     const D3DMATRIX *matrix)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!matrix || state >= STATE_TRANSFORMS)
		return D3DERR_INVALIDCALL;
	target_state(device)->transforms[state] = *matrix;
	if (device->recording)
		mark(state_block_marks(device->recording)->transforms, state);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
						     D3DMATRIX *matrix)
{
	if (!matrix || state >= STATE_TRANSFORMS)
		return D3DERR_INVALIDCALL;
	*matrix = device_from(iface)->state.transforms[state];
	return D3D_OK;
}

/* Not recorded: it multiplies what the device has, as Windows does. */
static HRESULT STDMETHODCALLTYPE device_MultiplyTransform(IDirect3DDevice9Ex *iface, D3DTRANSFORMSTATETYPE state,
							  const D3DMATRIX *matrix)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DMATRIX old;

	if (!matrix || state >= STATE_TRANSFORMS)
		return D3DERR_INVALIDCALL;
	old = device->state.transforms[state];
	for (unsigned row = 0; row < 4; row++) {
		for (unsigned column = 0; column < 4; column++) {
			float sum = 0.0f;

			for (unsigned k = 0; k < 4; k++)
				sum += matrix->m[row][k] * old.m[k][column];
			device->state.transforms[state].m[row][column] = sum;
		}
	}
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetMaterial(IDirect3DDevice9Ex *iface, const D3DMATERIAL9 *material)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!material)
		return D3DERR_INVALIDCALL;
	target_state(device)->material = *material;
	if (device->recording)
		state_block_marks(device->recording)->material = true;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetMaterial(IDirect3DDevice9Ex *iface, D3DMATERIAL9 *material)
{
	if (!material)
		return D3DERR_INVALIDCALL;
	*material = device_from(iface)->state.material;
	return D3D_OK;
}

static bool light_good(const D3DLIGHT9 *light)
{
	switch (light->Type) {
	case D3DLIGHT_POINT:
	case D3DLIGHT_SPOT:
		return light->Attenuation0 >= 0.0f && light->Attenuation1 >= 0.0f && light->Attenuation2 >= 0.0f;
	case D3DLIGHT_DIRECTIONAL:
		return true;
	default:
		return false;
	}
}

static HRESULT STDMETHODCALLTYPE device_SetLight(IDirect3DDevice9Ex *iface, DWORD index, const D3DLIGHT9 *light)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct state_light *stored;

	if (index >= STATE_LIGHTS || !light || !light_good(light))
		return D3DERR_INVALIDCALL;
	stored = &target_state(device)->lights[index];
	stored->light = *light;
	stored->defined = true;
	if (device->recording && index < 32)
		state_block_marks(device->recording)->lights |= 1u << index;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetLight(IDirect3DDevice9Ex *iface, DWORD index, D3DLIGHT9 *light)
{
	const struct d3d9_device *device = device_from(iface);

	if (index >= STATE_LIGHTS || !light || !device->state.lights[index].defined)
		return D3DERR_INVALIDCALL;
	*light = device->state.lights[index].light;
	return D3D_OK;
}

/* A light that was never set gets Direct3D's default: white, directional, along z. */
static HRESULT STDMETHODCALLTYPE device_LightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL enable)
{
	static const D3DLIGHT9 standard = {
		.Type = D3DLIGHT_DIRECTIONAL, .Diffuse = {1, 1, 1, 0}, .Direction = {0, 0, 1}};
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct state_light *stored;

	if (index >= STATE_LIGHTS)
		return D3DERR_INVALIDCALL;
	stored = &target_state(device)->lights[index];
	if (!stored->defined) {
		stored->light = standard;
		stored->defined = true;
	}
	stored->enabled = enable;
	if (device->recording && index < 32)
		state_block_marks(device->recording)->light_enables |= 1u << index;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetLightEnable(IDirect3DDevice9Ex *iface, DWORD index, BOOL *enable)
{
	const struct d3d9_device *device = device_from(iface);

	if (index >= STATE_LIGHTS || !enable || !device->state.lights[index].defined)
		return D3DERR_INVALIDCALL;
	*enable = device->state.lights[index].enabled ? 128 : 0;	/* what Windows answers for TRUE */
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetClipStatus(IDirect3DDevice9Ex *iface, const D3DCLIPSTATUS9 *status)
{
	if (!status)
		return D3DERR_INVALIDCALL;
	device_from(iface)->clip_status = *status;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetClipStatus(IDirect3DDevice9Ex *iface, D3DCLIPSTATUS9 *status)
{
	if (!status)
		return D3DERR_INVALIDCALL;
	*status = device_from(iface)->clip_status;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetNPatchMode(IDirect3DDevice9Ex *iface, float segments)
{
	return D3D_OK;
}

static float STDMETHODCALLTYPE device_GetNPatchMode(IDirect3DDevice9Ex *iface)
{
	return 0.0f;
}

/* ---- clip planes, viewport, scissor ---- */

static void send_clip_plane(struct d3d9_device *device, DWORD index)
{
	D3DDDIARG_SETCLIPPLANE args = {.Index = index};

	memcpy(args.Plane, device->state.clip_planes[index], sizeof(args.Plane));
	device->ddi.pfnSetClipPlane(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, const float *plane)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!plane || index >= STATE_CLIP_PLANES)
		return D3DERR_INVALIDCALL;
	memcpy(target_state(device)->clip_planes[index], plane, 4 * sizeof(float));
	if (device->recording)
		state_block_marks(device->recording)->clip_planes |= 1u << index;
	else
		send_clip_plane(device, index);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetClipPlane(IDirect3DDevice9Ex *iface, DWORD index, float *plane)
{
	if (!plane || index >= STATE_CLIP_PLANES)
		return D3DERR_INVALIDCALL;
	memcpy(plane, device_from(iface)->state.clip_planes[index], 4 * sizeof(float));
	return D3D_OK;
}

static void send_viewport(struct d3d9_device *device)
{
	const D3DVIEWPORT9 *viewport = &device->state.viewport;
	D3DDDIARG_VIEWPORTINFO area = {viewport->X, viewport->Y, viewport->Width, viewport->Height};
	D3DDDIARG_ZRANGE range = {viewport->MinZ, viewport->MaxZ};

	device->ddi.pfnSetViewport(device->driver, &area);
	device->ddi.pfnSetZRange(device->driver, &range);
}

static HRESULT STDMETHODCALLTYPE device_SetViewport(IDirect3DDevice9Ex *iface, const D3DVIEWPORT9 *viewport)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!viewport)
		return D3DERR_INVALIDCALL;
	target_state(device)->viewport = *viewport;
	if (device->recording)
		state_block_marks(device->recording)->viewport = true;
	else
		send_viewport(device);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetViewport(IDirect3DDevice9Ex *iface, D3DVIEWPORT9 *viewport)
{
	if (!viewport)
		return D3DERR_INVALIDCALL;
	*viewport = device_from(iface)->state.viewport;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetScissorRect(IDirect3DDevice9Ex *iface, const RECT *rect)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!rect)
		return D3DERR_INVALIDCALL;
	target_state(device)->scissor = *rect;
	if (device->recording)
		state_block_marks(device->recording)->scissor = true;
	else
		device->ddi.pfnSetScissorRect(device->driver, rect);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetScissorRect(IDirect3DDevice9Ex *iface, RECT *rect)
{
	if (!rect)
		return D3DERR_INVALIDCALL;
	*rect = device_from(iface)->state.scissor;
	return D3D_OK;
}

void device_reset_viewport(struct d3d9_device *device, UINT width, UINT height)
{
	device->state.viewport = (D3DVIEWPORT9){0, 0, width, height, 0.0f, 1.0f};
	device->state.scissor = (RECT){0, 0, (LONG)width, (LONG)height};
	send_viewport(device);
	device->ddi.pfnSetScissorRect(device->driver, &device->state.scissor);
}

void device_send_state(struct d3d9_device *device)
{
	for (UINT i = 0; i < STATE_RENDER_STATES; i++)
		send_render_state(device, (D3DRENDERSTATETYPE)i, device->state.render[i]);
	for (int slot = 0; slot < STATE_SAMPLERS; slot++)
		for (UINT i = D3DSAMP_ADDRESSU; i < STATE_SAMPLER_STATES; i++)
			send_sampler_state(device, slot, (D3DSAMPLERSTATETYPE)i, device->state.sampler[slot][i]);
	for (DWORD stage = 0; stage < STATE_STAGES; stage++)
		send_stage_state(device, stage, D3DTSS_TEXTURETRANSFORMFLAGS,
				 device->state.stage[stage][D3DTSS_TEXTURETRANSFORMFLAGS]);
	for (DWORD i = 0; i < STATE_CLIP_PLANES; i++)
		send_clip_plane(device, i);
	send_viewport(device);
	device->ddi.pfnSetScissorRect(device->driver, &device->state.scissor);
}

void device_state_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->SetRenderState = device_SetRenderState;
	vtbl->GetRenderState = device_GetRenderState;
	vtbl->SetSamplerState = device_SetSamplerState;
	vtbl->GetSamplerState = device_GetSamplerState;
	vtbl->SetTextureStageState = device_SetTextureStageState;
	vtbl->GetTextureStageState = device_GetTextureStageState;
	vtbl->ValidateDevice = device_ValidateDevice;
	vtbl->CreateStateBlock = device_CreateStateBlock;
	vtbl->BeginStateBlock = device_BeginStateBlock;
	vtbl->EndStateBlock = device_EndStateBlock;
	vtbl->SetTransform = device_SetTransform;
	vtbl->GetTransform = device_GetTransform;
	vtbl->MultiplyTransform = device_MultiplyTransform;
	vtbl->SetMaterial = device_SetMaterial;
	vtbl->GetMaterial = device_GetMaterial;
	vtbl->SetLight = device_SetLight;
	vtbl->GetLight = device_GetLight;
	vtbl->LightEnable = device_LightEnable;
	vtbl->GetLightEnable = device_GetLightEnable;
	vtbl->SetClipStatus = device_SetClipStatus;
	vtbl->GetClipStatus = device_GetClipStatus;
	vtbl->SetNPatchMode = device_SetNPatchMode;
	vtbl->GetNPatchMode = device_GetNPatchMode;
	vtbl->SetClipPlane = device_SetClipPlane;
	vtbl->GetClipPlane = device_GetClipPlane;
	vtbl->SetViewport = device_SetViewport;
	vtbl->GetViewport = device_GetViewport;
	vtbl->SetScissorRect = device_SetScissorRect;
	vtbl->GetScissorRect = device_GetScissorRect;
}
