/* SPDX-License-Identifier: MIT */
/* Output merger targets with their hazard rules, and clears. */
#include "d3d11_private.h"

#include <string.h>

#define TARGETS D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT

/* ---- hazards: one subresource is not read and written at a time ---- */

static bool ranges_overlap(UINT a, UINT a_count, UINT b, UINT b_count)
{
	return a < b + b_count && b < a + a_count;
}

static bool views_overlap(const struct d3d11_view *a, const struct d3d11_view *b)
{
	return a->resource == b->resource &&
	       ranges_overlap(a->first_level, a->level_count, b->first_level, b->level_count) &&
	       (a->resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D ||
		ranges_overlap(a->first_layer, a->layer_count, b->first_layer, b->layer_count));
}

/* Depth views write planes: what a read-only plane shows may be read. */
static bool conflicts(const struct d3d11_view *written, const struct d3d11_view *read)
{
	if (!written || !views_overlap(written, read))
		return false;
	if (written->base.kind != KIND_DSV)
		return true;
	return (written->writes_depth && read->depth) || (written->writes_stencil && read->stencil);
}

bool hazard_is_written(const struct d3d11_context *context, const struct d3d11_view *view)
{
	for (UINT i = 0; i < TARGETS; i++)
		if (conflicts(context->bound.targets[i], view))
			return true;
	return conflicts(context->bound.depth, view);
}

void hazard_unbind_views(struct d3d11_context *context, const struct d3d11_view *written)
{
	if (!(written->resource->bind & D3D11_BIND_SHADER_RESOURCE))
		return;
	for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
		struct d3d11_stage_state *state = &context->bound.stages[stage];

		for (UINT i = 0; i < state->view_limit; i++)
			if (state->views[i] && conflicts(written, state->views[i])) {
				bind_child(&state->views[i], NULL);
				stage_apply_views(context, (enum d3d11_stage)stage, i, 1);
			}
	}
}

/* ---- targets ---- */

/* Below level 10 a cube face and a 2D depth-stencil go together only on a GPU with the option. */
static bool pairing_refused(const struct d3d11_context *context)
{
	const struct d3d11_view *depth = context->bound.depth;

	if (!depth || context->base.device->options.cube_depth)
		return false;
	for (UINT i = 0; i < TARGETS; i++)
		if (context->bound.targets[i] &&
		    context->bound.targets[i]->resource->misc & D3D11_RESOURCE_MISC_TEXTURECUBE)
			return true;
	return false;
}

static void apply_targets(struct d3d11_context *context, UINT count_before)
{
	struct d3d11_device *device = context->base.device;
	struct d3d11_view *depth = context->bound.depth;
	D3D10DDI_HRENDERTARGETVIEW handles[TARGETS];
	UINT count = 0;

	context->targets_refused = pairing_refused(context);
	if (context->targets_refused) {
		runtime_refused("OMSetRenderTargets", "cube face with a 2D depth-stencil on a GPU without the option");
		depth = NULL;
	}
	for (UINT i = 0; i < TARGETS; i++) {
		struct d3d11_view *view = context->targets_refused ? NULL : context->bound.targets[i];

		handles[i].pDrvPrivate = view ? view->ddi : NULL;
		if (view)
			count = i + 1;
	}
	device->funcs.pfnSetRenderTargets(device->ddi, handles, count, count_before > count ? count_before - count : 0,
					  (D3D10DDI_HDEPTHSTENCILVIEW){depth ? depth->ddi : NULL}, NULL, NULL, 0, 0, 0,
					  0);
}

static void set_targets(struct d3d11_context *context, UINT count, ID3D11RenderTargetView *const *targets,
			ID3D11DepthStencilView *depth)
{
	for (UINT i = 0; i < TARGETS; i++) {
		struct d3d11_view *view = i < count && targets ? (struct d3d11_view *)targets[i] : NULL;

		bind_child(&context->bound.targets[i], view);
		if (view)
			hazard_unbind_views(context, view);
	}
	bind_child(&context->bound.depth, depth);
	if (depth)
		hazard_unbind_views(context, (struct d3d11_view *)depth);
	apply_targets(context, TARGETS);
}

/* One resource twice, or targets and depth of different sample counts: Windows keeps what was bound. */
static bool targets_valid(UINT count, ID3D11RenderTargetView *const *targets, ID3D11DepthStencilView *depth)
{
	const struct d3d11_view *first = (struct d3d11_view *)depth;

	for (UINT i = 0; targets && i < count; i++) {
		const struct d3d11_view *view = (struct d3d11_view *)targets[i];

		if (!view)
			continue;
		if (first && first->samples != view->samples)
			return false;
		first = view;
		for (UINT k = 0; k < i; k++)
			if (targets[k] && views_overlap(view, (struct d3d11_view *)targets[k]))
				return false;
	}
	return true;
}

static void STDMETHODCALLTYPE context_OMSetRenderTargets(ID3D11DeviceContext1 *iface, UINT count,
							 ID3D11RenderTargetView *const *targets,
							 ID3D11DepthStencilView *depth)
{
	struct d3d11_context *context = context_impl(iface);

	if (count > TARGETS || !targets_valid(count, targets, depth)) {
		runtime_refused("OMSetRenderTargets",
				"too many targets, one subresource twice, or different sample counts");
		return;
	}
	d3d11_enter(context->base.device);
	set_targets(context, count, targets, depth);
	d3d11_leave(context->base.device);
}

/* Unordered access views cannot be created: only the targets matter. */
static void STDMETHODCALLTYPE context_OMSetRenderTargetsAndUnorderedAccessViews(
	ID3D11DeviceContext1 *iface, UINT count, ID3D11RenderTargetView *const *targets, ID3D11DepthStencilView *depth,
	UINT first, UINT uav_count, ID3D11UnorderedAccessView *const *uavs, const UINT *initial)
{
	if (count != D3D11_KEEP_RENDER_TARGETS_AND_DEPTH_STENCIL)
		context_OMSetRenderTargets(iface, count, targets, depth);
}

static void STDMETHODCALLTYPE context_OMGetRenderTargets(ID3D11DeviceContext1 *iface, UINT count,
							 ID3D11RenderTargetView **targets,
							 ID3D11DepthStencilView **depth)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	for (UINT i = 0; targets && i < count; i++)
		targets[i] = i < TARGETS ? get_child(bound->targets[i]) : NULL;
	if (depth)
		*depth = get_child(bound->depth);
}

static void STDMETHODCALLTYPE context_OMGetRenderTargetsAndUnorderedAccessViews(ID3D11DeviceContext1 *iface, UINT count,
										ID3D11RenderTargetView **targets,
										ID3D11DepthStencilView **depth,
										UINT first, UINT uav_count,
										ID3D11UnorderedAccessView **uavs)
{
	context_OMGetRenderTargets(iface, count, targets, depth);
	for (UINT i = 0; uavs && i < uav_count; i++)
		uavs[i] = NULL;
}

void context_clear_outputs(struct d3d11_context *context)
{
	set_targets(context, 0, NULL, NULL);
}

/* ---- clears ---- */

static void STDMETHODCALLTYPE context_ClearRenderTargetView(ID3D11DeviceContext1 *iface, ID3D11RenderTargetView *object,
							    const FLOAT color[4])
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_view *view = (struct d3d11_view *)object;
	FLOAT copy[4];

	if (!view || !color || FAILED(device->removed))
		return;
	memcpy(copy, color, sizeof(copy));
	d3d11_enter(device);
	device->funcs.pfnClearRenderTargetView(device->ddi, (D3D10DDI_HRENDERTARGETVIEW){view->ddi}, copy);
	d3d11_leave(device);
}

static FLOAT saturate(FLOAT value)
{
	return value > 0 ? (value < 1 ? value : 1) : 0;
}

static void STDMETHODCALLTYPE context_ClearDepthStencilView(ID3D11DeviceContext1 *iface, ID3D11DepthStencilView *object,
							    UINT flags, FLOAT depth, UINT8 stencil)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_view *view = (struct d3d11_view *)object;

	if (!view || FAILED(device->removed))
		return;
	if (!view->stencil)
		flags &= ~(UINT)D3D11_CLEAR_STENCIL;
	flags &= D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL;
	if (!flags)
		return;
	d3d11_enter(device);
	device->funcs.pfnClearDepthStencilView(device->ddi, (D3D10DDI_HDEPTHSTENCILVIEW){view->ddi}, flags,
					       saturate(depth), stencil);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_ClearView(ID3D11DeviceContext1 *iface, ID3D11View *object, const FLOAT color[4],
						const D3D11_RECT *rects, UINT count)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_view *view = (struct d3d11_view *)object;

	if (!view || !color || (count && !rects) || FAILED(device->removed))
		return;
	if (view->base.kind != KIND_RTV) {
		runtime_refused("ClearView", "only render target views can be cleared this way");
		return;
	}
	d3d11_enter(device);
	device->funcs.pfnClearView(device->ddi, D3D10DDI_HT_RENDERTARGETVIEW, view->ddi, color, rects, count);
	d3d11_leave(device);
}

void context_output_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	vtbl->OMSetRenderTargets = context_OMSetRenderTargets;
	vtbl->OMSetRenderTargetsAndUnorderedAccessViews = context_OMSetRenderTargetsAndUnorderedAccessViews;
	vtbl->OMGetRenderTargets = context_OMGetRenderTargets;
	vtbl->OMGetRenderTargetsAndUnorderedAccessViews = context_OMGetRenderTargetsAndUnorderedAccessViews;
	vtbl->ClearRenderTargetView = context_ClearRenderTargetView;
	vtbl->ClearDepthStencilView = context_ClearDepthStencilView;
	vtbl->ClearView = context_ClearView;
}
