/* SPDX-License-Identifier: MIT */
/* ID3D11DeviceContext1: the immediate context's life, its table, ClearState and Flush. */
#include "d3d11_private.h"

#include <stdlib.h>

void bind_child(void *slot, void *child)
{
	struct d3d11_child **bound = slot, *before = *bound;

	if (before == child)
		return;
	child_hold(child);
	*bound = child;
	child_drop(before);
}

void *get_child(void *child)
{
	if (child)
		child_AddRef(child);
	return child;
}

static void STDMETHODCALLTYPE context_ClearState(ID3D11DeviceContext1 *iface)
{
	struct d3d11_context *context = context_impl(iface);

	d3d11_enter(context->base.device);
	context_clear_state(context);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_Flush(ID3D11DeviceContext1 *iface)
{
	struct d3d11_device *device = context_impl(iface)->base.device;

	if (FAILED(device->removed))
		return;
	d3d11_enter(device);
	device->funcs.pfnFlush(device->ddi, 0);
	d3d11_leave(device);
}

static D3D11_DEVICE_CONTEXT_TYPE STDMETHODCALLTYPE context_GetType(ID3D11DeviceContext1 *iface)
{
	return D3D11_DEVICE_CONTEXT_IMMEDIATE;
}

static UINT STDMETHODCALLTYPE context_GetContextFlags(ID3D11DeviceContext1 *iface)
{
	return 0;
}

/* Only deferred contexts record. */
static HRESULT STDMETHODCALLTYPE context_FinishCommandList(ID3D11DeviceContext1 *iface, BOOL restore,
							   ID3D11CommandList **list)
{
	if (list)
		*list = NULL;
	return DXGI_ERROR_INVALID_CALL;
}

static ID3D11DeviceContext1Vtbl context_vtbl = {
	CHILD_METHODS(ID3D11DeviceContext1),
	.ClearState = context_ClearState,
	.Flush = context_Flush,
	.GetType = context_GetType,
	.GetContextFlags = context_GetContextFlags,
	.FinishCommandList = context_FinishCommandList,
};
static pthread_once_t vtbl_once = PTHREAD_ONCE_INIT;

static void fill_vtbl(void)
{
	context_stage_methods(&context_vtbl);
	context_state_methods(&context_vtbl);
	context_output_methods(&context_vtbl);
	context_copy_methods(&context_vtbl);
	context_draw_methods(&context_vtbl);
	context_unbuilt_methods(&context_vtbl);
}

void context_clear_state(struct d3d11_context *context)
{
	context_clear_outputs(context);
	context_clear_stages(context);
	context_clear_states(context);
}

/* Turns the reference of a creation into a hold: the context keeps the object, the device is not kept by it. */
static struct d3d11_state *keep(void *object)
{
	struct d3d11_state *state = object;

	child_hold(&state->base);
	child_Release(&state->base);
	return state;
}

static HRESULT create_defaults(struct d3d11_context *context)
{
	struct d3d11_device *device = context->base.device;
	D3D11_BLEND_DESC1 blend_desc = blend_default();
	D3D11_DEPTH_STENCIL_DESC depth_stencil_desc = depth_stencil_default();
	D3D11_RASTERIZER_DESC1 rasterizer_desc = rasterizer_default();
	D3D11_SAMPLER_DESC sampler_desc = sampler_default();
	ID3D11DepthStencilState *depth_stencil;
	ID3D11RasterizerState1 *rasterizer;
	ID3D11SamplerState *sampler;
	ID3D11BlendState1 *blend;
	HRESULT hr = blend_create(device, &blend_desc, &blend);

	if (SUCCEEDED(hr)) {
		context->default_blend = keep(blend);
		hr = depth_stencil_create(device, &depth_stencil_desc, &depth_stencil);
	}
	if (SUCCEEDED(hr)) {
		context->default_depth_stencil = keep(depth_stencil);
		hr = rasterizer_create(device, &rasterizer_desc, &rasterizer);
	}
	if (SUCCEEDED(hr)) {
		context->default_rasterizer = keep(rasterizer);
		hr = sampler_create(device, &sampler_desc, &sampler);
	}
	if (SUCCEEDED(hr))
		context->default_sampler = keep(sampler);
	return hr;
}

static void drop_defaults(struct d3d11_context *context)
{
	bind_child(&context->default_blend, NULL);
	bind_child(&context->default_depth_stencil, NULL);
	bind_child(&context->default_rasterizer, NULL);
	bind_child(&context->default_sampler, NULL);
}

struct d3d11_context *context_create(struct d3d11_device *device)
{
	struct d3d11_context *context = calloc(1, sizeof(*context));

	if (!context)
		return NULL;
	pthread_once(&vtbl_once, fill_vtbl);
	/* Part of the device: it starts without a reference of the program. */
	context->base = (struct d3d11_child){.vtbl = &context_vtbl, .device = device, .kind = KIND_CONTEXT, .holds = 1};
	context->annotation.lpVtbl = &annotation_vtbl;
	if (FAILED(create_defaults(context))) {
		drop_defaults(context);
		free(context);
		return NULL;
	}
	d3d11_enter(device);
	context_clear_state(context);
	d3d11_leave(device);
	return context;
}

void context_destroy(struct d3d11_context *context)
{
	struct d3d11_device *device = context->base.device;

	d3d11_enter(device);
	context_clear_state(context);
	/* The driver still has the defaults bound: it unbinds what is destroyed. */
	drop_defaults(context);
	d3d11_leave(device);
	private_store_clear(&context->base.data);
	free(context);
}
