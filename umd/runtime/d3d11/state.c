/* SPDX-License-Identifier: MIT */
/*
 * State objects are unique: creating one with the description of another gives that one. They live in hash chains per
 * kind, at most 4096 of a kind at a time.
 */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STATES D3D11_REQ_BLEND_OBJECT_COUNT_PER_DEVICE

/* What a kind is for the driver. */
struct state_entries {
	SIZE_T (*size)(struct d3d11_device *device, const struct d3d11_state *state);
	void (*create)(struct d3d11_device *device, struct d3d11_state *state);
	void (*destroy)(struct d3d11_device *device, struct d3d11_state *state);
};

/* ---- the driver's descriptions ---- */

static D3D11_1_DDI_BLEND_DESC ddi_blend(const D3D11_BLEND_DESC1 *desc)
{
	D3D11_1_DDI_BLEND_DESC ddi = {desc->AlphaToCoverageEnable, desc->IndependentBlendEnable, {{0}}};

	for (unsigned i = 0; i < ARRAY_COUNT(desc->RenderTarget); i++) {
		const D3D11_RENDER_TARGET_BLEND_DESC1 *in = &desc->RenderTarget[i];

		ddi.RenderTarget[i] = (D3D11_1_DDI_RENDER_TARGET_BLEND_DESC){
			in->BlendEnable,
			in->LogicOpEnable,
			(D3D10_DDI_BLEND)in->SrcBlend,
			(D3D10_DDI_BLEND)in->DestBlend,
			(D3D10_DDI_BLEND_OP)in->BlendOp,
			(D3D10_DDI_BLEND)in->SrcBlendAlpha,
			(D3D10_DDI_BLEND)in->DestBlendAlpha,
			(D3D10_DDI_BLEND_OP)in->BlendOpAlpha,
			(D3D11_1_DDI_LOGIC_OP)in->LogicOp,
			in->RenderTargetWriteMask,
		};
	}
	return ddi;
}

static D3D10_DDI_DEPTH_STENCILOP_DESC ddi_face(const D3D11_DEPTH_STENCILOP_DESC *face)
{
	return (D3D10_DDI_DEPTH_STENCILOP_DESC){
		(D3D10_DDI_STENCIL_OP)face->StencilFailOp,
		(D3D10_DDI_STENCIL_OP)face->StencilDepthFailOp,
		(D3D10_DDI_STENCIL_OP)face->StencilPassOp,
		(D3D10_DDI_COMPARISON_FUNC)face->StencilFunc,
	};
}

static D3D10_DDI_DEPTH_STENCIL_DESC ddi_depth_stencil(const D3D11_DEPTH_STENCIL_DESC *desc)
{
	return (D3D10_DDI_DEPTH_STENCIL_DESC){
		.DepthEnable = desc->DepthEnable,
		.DepthWriteMask = (D3D10_DDI_DEPTH_WRITE_MASK)desc->DepthWriteMask,
		.DepthFunc = (D3D10_DDI_COMPARISON_FUNC)desc->DepthFunc,
		.StencilEnable = desc->StencilEnable,
		.FrontEnable = desc->StencilEnable,
		.BackEnable = desc->StencilEnable,
		.StencilReadMask = desc->StencilReadMask,
		.StencilWriteMask = desc->StencilWriteMask,
		.FrontFace = ddi_face(&desc->FrontFace),
		.BackFace = ddi_face(&desc->BackFace),
	};
}

static D3D11_1_DDI_RASTERIZER_DESC ddi_rasterizer(const D3D11_RASTERIZER_DESC1 *desc)
{
	return (D3D11_1_DDI_RASTERIZER_DESC){
		(D3D10_DDI_FILL_MODE)desc->FillMode,
		(D3D10_DDI_CULL_MODE)desc->CullMode,
		desc->FrontCounterClockwise,
		desc->DepthBias,
		desc->DepthBiasClamp,
		desc->SlopeScaledDepthBias,
		desc->DepthClipEnable,
		desc->ScissorEnable,
		desc->MultisampleEnable,
		desc->AntialiasedLineEnable,
		desc->ForcedSampleCount,
	};
}

static D3D10_DDI_SAMPLER_DESC ddi_sampler(const D3D11_SAMPLER_DESC *desc)
{
	D3D10_DDI_SAMPLER_DESC ddi = {
		.Filter = desc->Filter,
		.AddressU = (D3D10_DDI_TEXTURE_ADDRESS_MODE)desc->AddressU,
		.AddressV = (D3D10_DDI_TEXTURE_ADDRESS_MODE)desc->AddressV,
		.AddressW = (D3D10_DDI_TEXTURE_ADDRESS_MODE)desc->AddressW,
		.MipLODBias = desc->MipLODBias,
		.MaxAnisotropy = desc->MaxAnisotropy,
		.ComparisonFunc = (D3D10_DDI_COMPARISON_FUNC)desc->ComparisonFunc,
		.MinLOD = desc->MinLOD,
		.MaxLOD = desc->MaxLOD,
	};

	memcpy(ddi.BorderColor, desc->BorderColor, sizeof(ddi.BorderColor));
	return ddi;
}

/* ---- the driver's entries ---- */

static SIZE_T blend_size(struct d3d11_device *device, const struct d3d11_state *state)
{
	D3D11_1_DDI_BLEND_DESC desc = ddi_blend(&state->desc.blend);

	return device->funcs.pfnCalcPrivateBlendStateSize(device->ddi, &desc);
}

static void blend_construct(struct d3d11_device *device, struct d3d11_state *state)
{
	D3D11_1_DDI_BLEND_DESC desc = ddi_blend(&state->desc.blend);

	device->funcs.pfnCreateBlendState(device->ddi, &desc, (D3D10DDI_HBLENDSTATE){state->ddi},
					  (D3D10DDI_HRTBLENDSTATE){state});
}

static void blend_destroy(struct d3d11_device *device, struct d3d11_state *state)
{
	device->funcs.pfnDestroyBlendState(device->ddi, (D3D10DDI_HBLENDSTATE){state->ddi});
}

static SIZE_T depth_stencil_size(struct d3d11_device *device, const struct d3d11_state *state)
{
	D3D10_DDI_DEPTH_STENCIL_DESC desc = ddi_depth_stencil(&state->desc.depth_stencil);

	return device->funcs.pfnCalcPrivateDepthStencilStateSize(device->ddi, &desc);
}

static void depth_stencil_construct(struct d3d11_device *device, struct d3d11_state *state)
{
	D3D10_DDI_DEPTH_STENCIL_DESC desc = ddi_depth_stencil(&state->desc.depth_stencil);

	device->funcs.pfnCreateDepthStencilState(device->ddi, &desc, (D3D10DDI_HDEPTHSTENCILSTATE){state->ddi},
						 (D3D10DDI_HRTDEPTHSTENCILSTATE){state});
}

static void depth_stencil_destroy(struct d3d11_device *device, struct d3d11_state *state)
{
	device->funcs.pfnDestroyDepthStencilState(device->ddi, (D3D10DDI_HDEPTHSTENCILSTATE){state->ddi});
}

static SIZE_T rasterizer_size(struct d3d11_device *device, const struct d3d11_state *state)
{
	D3D11_1_DDI_RASTERIZER_DESC desc = ddi_rasterizer(&state->desc.rasterizer);

	return device->funcs.pfnCalcPrivateRasterizerStateSize(device->ddi, &desc);
}

static void rasterizer_construct(struct d3d11_device *device, struct d3d11_state *state)
{
	D3D11_1_DDI_RASTERIZER_DESC desc = ddi_rasterizer(&state->desc.rasterizer);

	device->funcs.pfnCreateRasterizerState(device->ddi, &desc, (D3D10DDI_HRASTERIZERSTATE){state->ddi},
					       (D3D10DDI_HRTRASTERIZERSTATE){state});
}

static void rasterizer_destroy(struct d3d11_device *device, struct d3d11_state *state)
{
	device->funcs.pfnDestroyRasterizerState(device->ddi, (D3D10DDI_HRASTERIZERSTATE){state->ddi});
}

static SIZE_T sampler_size(struct d3d11_device *device, const struct d3d11_state *state)
{
	D3D10_DDI_SAMPLER_DESC desc = ddi_sampler(&state->desc.sampler);

	return device->funcs.pfnCalcPrivateSamplerSize(device->ddi, &desc);
}

static void sampler_construct(struct d3d11_device *device, struct d3d11_state *state)
{
	D3D10_DDI_SAMPLER_DESC desc = ddi_sampler(&state->desc.sampler);

	device->funcs.pfnCreateSampler(device->ddi, &desc, (D3D10DDI_HSAMPLER){state->ddi},
				       (D3D10DDI_HRTSAMPLER){state});
}

static void sampler_destroy(struct d3d11_device *device, struct d3d11_state *state)
{
	device->funcs.pfnDestroySampler(device->ddi, (D3D10DDI_HSAMPLER){state->ddi});
}

static const struct state_entries entries[STATE_KINDS] = {
	[KIND_BLEND - KIND_BLEND] = {blend_size, blend_construct, blend_destroy},
	[KIND_DEPTH_STENCIL - KIND_BLEND] = {depth_stencil_size, depth_stencil_construct, depth_stencil_destroy},
	[KIND_RASTERIZER - KIND_BLEND] = {rasterizer_size, rasterizer_construct, rasterizer_destroy},
	[KIND_SAMPLER - KIND_BLEND] = {sampler_size, sampler_construct, sampler_destroy},
};

/* ---- the chains; under the device's lock ---- */

static struct d3d11_state **bucket(struct d3d11_device *device, enum d3d11_kind kind, const void *desc, size_t size)
{
	const uint8_t *bytes = desc;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return &device->states[kind - KIND_BLEND][hash % STATE_BUCKETS];
}

static size_t desc_size(enum d3d11_kind kind)
{
	static const size_t sizes[STATE_KINDS] = {sizeof(D3D11_BLEND_DESC1), sizeof(D3D11_DEPTH_STENCIL_DESC),
						  sizeof(D3D11_RASTERIZER_DESC1), sizeof(D3D11_SAMPLER_DESC)};

	return sizes[kind - KIND_BLEND];
}

static void destroy(struct d3d11_child *child)
{
	struct d3d11_state *state = (struct d3d11_state *)child;
	struct d3d11_state **link = bucket(child->device, child->kind, &state->desc, desc_size(child->kind));

	while (*link != state)
		link = &(*link)->next;
	*link = state->next;
	child->device->state_counts[child->kind - KIND_BLEND]--;
	entries[child->kind - KIND_BLEND].destroy(child->device, state);
	free(state);
}

static HRESULT construct(struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl, const void *desc,
			 size_t size, struct d3d11_state **out)
{
	const struct state_entries *driver = &entries[kind - KIND_BLEND];
	struct d3d11_state sample, *state, **link;
	void *memory = NULL;

	memcpy(&sample.desc, desc, size);
	state = child_alloc(sizeof(*state), driver->size(device, &sample), &memory);
	if (!state)
		return E_OUTOFMEMORY;
	memcpy(&state->desc, desc, size);
	state->ddi = memory;
	driver->create(device, state);
	if (FAILED(device->error)) {
		free(state);
		return device->error;
	}
	child_init(&state->base, device, kind, vtbl, destroy);
	link = bucket(device, kind, desc, size);
	state->next = *link;
	*link = state;
	device->state_counts[kind - KIND_BLEND]++;
	*out = state;
	return S_OK;
}

HRESULT state_get(struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl, const void *desc, size_t size,
		  struct d3d11_state **out)
{
	struct d3d11_state *state;
	HRESULT hr = S_OK;

	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	d3d11_enter(device);
	state = *bucket(device, kind, desc, size);
	while (state && memcmp(&state->desc, desc, size))
		state = state->next;
	if (state)
		child_AddRef(&state->base);
	else if (device->state_counts[kind - KIND_BLEND] >= MAX_STATES)
		hr = D3D11_ERROR_TOO_MANY_UNIQUE_STATE_OBJECTS;
	else
		hr = construct(device, kind, vtbl, desc, size, &state);
	*out = state;
	if (SUCCEEDED(hr)) {
		d3d11_leave(device);
		return S_OK;
	}
	device->error = hr;
	return d3d11_leave(device);
}
