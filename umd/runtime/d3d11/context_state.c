/* SPDX-License-Identifier: MIT */
/* Input assembler, rasterizer, blend and depth-stencil state of the context. */
#include "d3d11_private.h"

#include <string.h>

#define VERTEX_SLOTS D3D11_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT
#define MAX_VIEWPORTS D3D11_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE

/* ---- input assembler ---- */

static void STDMETHODCALLTYPE context_IASetInputLayout(ID3D11DeviceContext1 *iface, ID3D11InputLayout *object)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_input_layout *layout = (struct d3d11_input_layout *)object;
	struct d3d11_device *device = context->base.device;

	d3d11_enter(device);
	bind_child(&context->bound.layout, layout);
	device->funcs.pfnIaSetInputLayout(device->ddi, (D3D10DDI_HELEMENTLAYOUT){layout ? layout->ddi : NULL});
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_IAGetInputLayout(ID3D11DeviceContext1 *iface, ID3D11InputLayout **layout)
{
	*layout = get_child(context_impl(iface)->bound.layout);
}

static void apply_vertex_buffers(struct d3d11_context *context, UINT first, UINT count)
{
	const struct d3d11_vertex_buffer *slots = &context->bound.vertex[first];
	struct d3d11_device *device = context->base.device;
	D3D10DDI_HRESOURCE handles[VERTEX_SLOTS];
	UINT strides[VERTEX_SLOTS], offsets[VERTEX_SLOTS];

	for (UINT i = 0; i < count; i++) {
		handles[i].pDrvPrivate = slots[i].buffer ? slots[i].buffer->ddi.pDrvPrivate : NULL;
		strides[i] = slots[i].stride;
		offsets[i] = slots[i].offset;
	}
	device->funcs.pfnIaSetVertexBuffers(device->ddi, first, count, handles, strides, offsets);
}

static bool vertex_slots_valid(UINT first, UINT count)
{
	return first < VERTEX_SLOTS && count && count <= VERTEX_SLOTS - first;
}

static void STDMETHODCALLTYPE context_IASetVertexBuffers(ID3D11DeviceContext1 *iface, UINT first, UINT count,
							 ID3D11Buffer *const *buffers, const UINT *strides,
							 const UINT *offsets)
{
	struct d3d11_context *context = context_impl(iface);

	if (!vertex_slots_valid(first, count) || (buffers && (!strides || !offsets))) {
		runtime_refused("IASetVertexBuffers", "slots %u + %u, or no strides or offsets", first, count);
		return;
	}
	d3d11_enter(context->base.device);
	for (UINT i = 0; i < count; i++) {
		struct d3d11_vertex_buffer *slot = &context->bound.vertex[first + i];
		struct d3d11_resource *buffer = buffers ? (struct d3d11_resource *)buffers[i] : NULL;

		if (buffer && !(buffer->bind & D3D11_BIND_VERTEX_BUFFER))
			buffer = NULL;
		bind_child(&slot->buffer, buffer);
		slot->stride = strides ? strides[i] : 0;
		slot->offset = offsets ? offsets[i] : 0;
	}
	apply_vertex_buffers(context, first, count);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_IAGetVertexBuffers(ID3D11DeviceContext1 *iface, UINT first, UINT count,
							 ID3D11Buffer **buffers, UINT *strides, UINT *offsets)
{
	if (!vertex_slots_valid(first, count))
		return;
	for (UINT i = 0; i < count; i++) {
		const struct d3d11_vertex_buffer *slot = &context_impl(iface)->bound.vertex[first + i];

		if (buffers)
			buffers[i] = get_child(slot->buffer);
		if (strides)
			strides[i] = slot->stride;
		if (offsets)
			offsets[i] = slot->offset;
	}
}

static void apply_index_buffer(struct d3d11_context *context)
{
	struct d3d11_device *device = context->base.device;
	struct d3d11_resource *buffer = context->bound.index;

	device->funcs.pfnIaSetIndexBuffer(device->ddi, (D3D10DDI_HRESOURCE){buffer ? buffer->ddi.pDrvPrivate : NULL},
					  context->bound.index_format, context->bound.index_offset);
}

static void STDMETHODCALLTYPE context_IASetIndexBuffer(ID3D11DeviceContext1 *iface, ID3D11Buffer *object,
						       DXGI_FORMAT format, UINT offset)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_resource *buffer = (struct d3d11_resource *)object;

	if (buffer && (!(buffer->bind & D3D11_BIND_INDEX_BUFFER) ||
		       (format != DXGI_FORMAT_R16_UINT && format != DXGI_FORMAT_R32_UINT) ||
		       (format == DXGI_FORMAT_R32_UINT && context->base.device->level < D3D_FEATURE_LEVEL_9_2))) {
		runtime_refused("IASetIndexBuffer", "no index buffer, or not an index format of the level");
		buffer = NULL;
	}
	d3d11_enter(context->base.device);
	bind_child(&context->bound.index, buffer);
	context->bound.index_format = buffer ? format : DXGI_FORMAT_UNKNOWN;
	context->bound.index_offset = buffer ? offset : 0;
	apply_index_buffer(context);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_IAGetIndexBuffer(ID3D11DeviceContext1 *iface, ID3D11Buffer **buffer,
						       DXGI_FORMAT *format, UINT *offset)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	if (buffer)
		*buffer = get_child(bound->index);
	if (format)
		*format = bound->index_format;
	if (offset)
		*offset = bound->index_offset;
}

static void STDMETHODCALLTYPE context_IASetPrimitiveTopology(ID3D11DeviceContext1 *iface,
							     D3D11_PRIMITIVE_TOPOLOGY topology)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;

	d3d11_enter(device);
	context->bound.topology = topology;
	device->funcs.pfnIaSetTopology(device->ddi, (D3D10_DDI_PRIMITIVE_TOPOLOGY)topology);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_IAGetPrimitiveTopology(ID3D11DeviceContext1 *iface,
							     D3D11_PRIMITIVE_TOPOLOGY *topology)
{
	*topology = context_impl(iface)->bound.topology;
}

/* ---- blend and depth-stencil ---- */

static void apply_blend(struct d3d11_context *context)
{
	struct d3d11_state *state = context->bound.blend ? context->bound.blend : context->default_blend;
	struct d3d11_device *device = context->base.device;

	device->funcs.pfnSetBlendState(device->ddi, (D3D10DDI_HBLENDSTATE){state->ddi}, context->bound.blend_factor,
				       context->bound.sample_mask);
}

static void STDMETHODCALLTYPE context_OMSetBlendState(ID3D11DeviceContext1 *iface, ID3D11BlendState *state,
						      const FLOAT factor[4], UINT mask)
{
	static const FLOAT ones[4] = {1, 1, 1, 1};
	struct d3d11_context *context = context_impl(iface);

	d3d11_enter(context->base.device);
	bind_child(&context->bound.blend, state);
	memcpy(context->bound.blend_factor, factor ? factor : ones, sizeof(ones));
	context->bound.sample_mask = mask;
	apply_blend(context);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_OMGetBlendState(ID3D11DeviceContext1 *iface, ID3D11BlendState **state,
						      FLOAT factor[4], UINT *mask)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	if (state)
		*state = get_child(bound->blend);
	if (factor)
		memcpy(factor, bound->blend_factor, sizeof(bound->blend_factor));
	if (mask)
		*mask = bound->sample_mask;
}

static void apply_depth_stencil(struct d3d11_context *context)
{
	struct d3d11_state *state =
		context->bound.depth_stencil ? context->bound.depth_stencil : context->default_depth_stencil;
	struct d3d11_device *device = context->base.device;

	device->funcs.pfnSetDepthStencilState(device->ddi, (D3D10DDI_HDEPTHSTENCILSTATE){state->ddi},
					      context->bound.stencil_ref);
}

static void STDMETHODCALLTYPE context_OMSetDepthStencilState(ID3D11DeviceContext1 *iface,
							     ID3D11DepthStencilState *state, UINT ref)
{
	struct d3d11_context *context = context_impl(iface);

	d3d11_enter(context->base.device);
	bind_child(&context->bound.depth_stencil, state);
	context->bound.stencil_ref = ref;
	apply_depth_stencil(context);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_OMGetDepthStencilState(ID3D11DeviceContext1 *iface,
							     ID3D11DepthStencilState **state, UINT *ref)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	if (state)
		*state = get_child(bound->depth_stencil);
	if (ref)
		*ref = bound->stencil_ref;
}

/* ---- rasterizer ---- */

static void apply_rasterizer(struct d3d11_context *context)
{
	struct d3d11_state *state = context->bound.rasterizer ? context->bound.rasterizer : context->default_rasterizer;
	struct d3d11_device *device = context->base.device;

	device->funcs.pfnSetRasterizerState(device->ddi, (D3D10DDI_HRASTERIZERSTATE){state->ddi});
}

static void STDMETHODCALLTYPE context_RSSetState(ID3D11DeviceContext1 *iface, ID3D11RasterizerState *state)
{
	struct d3d11_context *context = context_impl(iface);

	d3d11_enter(context->base.device);
	bind_child(&context->bound.rasterizer, state);
	apply_rasterizer(context);
	d3d11_leave(context->base.device);
}

static void STDMETHODCALLTYPE context_RSGetState(ID3D11DeviceContext1 *iface, ID3D11RasterizerState **state)
{
	*state = get_child(context_impl(iface)->bound.rasterizer);
}

/* Slots behind the new ones, up to those that were set before, are cleared. */
static UINT slots_to_clear(UINT before, UINT now)
{
	return before > now ? before - now : 0;
}

static void STDMETHODCALLTYPE context_RSSetViewports(ID3D11DeviceContext1 *iface, UINT count,
						     const D3D11_VIEWPORT *viewports)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;
	UINT clear;

	_Static_assert(sizeof(D3D11_VIEWPORT) == sizeof(D3D10_DDI_VIEWPORT), "the same six members");
	if (count > MAX_VIEWPORTS || (count && !viewports))
		return;
	for (UINT i = 0; i < count; i++)
		if (!(viewports[i].Width >= 0 && viewports[i].Height >= 0 && viewports[i].MinDepth >= 0 &&
		      viewports[i].MaxDepth <= 1)) {
			runtime_refused("RSSetViewports", "viewport %u", i);
			return;
		}
	d3d11_enter(device);
	clear = slots_to_clear(context->bound.viewport_count, count);
	context->bound.viewport_count = count;
	if (count)
		memcpy(context->bound.viewports, viewports, count * sizeof(*viewports));
	device->funcs.pfnSetViewports(device->ddi, count, clear, (const D3D10_DDI_VIEWPORT *)viewports);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_RSGetViewports(ID3D11DeviceContext1 *iface, UINT *count,
						     D3D11_VIEWPORT *viewports)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	if (!count)
		return;
	for (UINT i = 0; viewports && i < *count; i++)
		viewports[i] = i < bound->viewport_count ? bound->viewports[i] : (D3D11_VIEWPORT){0};
	if (!viewports)
		*count = bound->viewport_count;
}

static void STDMETHODCALLTYPE context_RSSetScissorRects(ID3D11DeviceContext1 *iface, UINT count,
							const D3D11_RECT *rects)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;
	UINT clear;

	if (count > MAX_VIEWPORTS || (count && !rects))
		return;
	d3d11_enter(device);
	clear = slots_to_clear(context->bound.scissor_count, count);
	context->bound.scissor_count = count;
	if (count)
		memcpy(context->bound.scissors, rects, count * sizeof(*rects));
	device->funcs.pfnSetScissorRects(device->ddi, count, clear, rects);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_RSGetScissorRects(ID3D11DeviceContext1 *iface, UINT *count, D3D11_RECT *rects)
{
	struct d3d11_bound *bound = &context_impl(iface)->bound;

	if (!count)
		return;
	for (UINT i = 0; rects && i < *count; i++)
		rects[i] = i < bound->scissor_count ? bound->scissors[i] : (D3D11_RECT){0};
	if (!rects)
		*count = bound->scissor_count;
}

/* ---- ClearState ---- */

static void clear_input(struct d3d11_context *context)
{
	struct d3d11_device *device = context->base.device;

	bind_child(&context->bound.layout, NULL);
	device->funcs.pfnIaSetInputLayout(device->ddi, (D3D10DDI_HELEMENTLAYOUT){NULL});
	for (UINT i = 0; i < VERTEX_SLOTS; i++) {
		bind_child(&context->bound.vertex[i].buffer, NULL);
		context->bound.vertex[i].stride = context->bound.vertex[i].offset = 0;
	}
	apply_vertex_buffers(context, 0, VERTEX_SLOTS);
	bind_child(&context->bound.index, NULL);
	context->bound.index_format = DXGI_FORMAT_UNKNOWN;
	context->bound.index_offset = 0;
	apply_index_buffer(context);
	context->bound.topology = D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED;
	device->funcs.pfnIaSetTopology(device->ddi, D3D10_DDI_PRIMITIVE_TOPOLOGY_UNDEFINED);
}

void context_clear_states(struct d3d11_context *context)
{
	struct d3d11_bound *bound = &context->bound;
	struct d3d11_device *device = context->base.device;

	clear_input(context);
	bind_child(&bound->blend, NULL);
	for (unsigned i = 0; i < 4; i++)
		bound->blend_factor[i] = 1.0f;
	bound->sample_mask = D3D11_DEFAULT_SAMPLE_MASK;
	apply_blend(context);
	bind_child(&bound->depth_stencil, NULL);
	bound->stencil_ref = 0;
	apply_depth_stencil(context);
	bind_child(&bound->rasterizer, NULL);
	apply_rasterizer(context);
	device->funcs.pfnSetViewports(device->ddi, 0, bound->viewport_count, NULL);
	device->funcs.pfnSetScissorRects(device->ddi, 0, bound->scissor_count, NULL);
	bound->viewport_count = bound->scissor_count = 0;
}

void context_state_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	vtbl->IASetInputLayout = context_IASetInputLayout;
	vtbl->IAGetInputLayout = context_IAGetInputLayout;
	vtbl->IASetVertexBuffers = context_IASetVertexBuffers;
	vtbl->IAGetVertexBuffers = context_IAGetVertexBuffers;
	vtbl->IASetIndexBuffer = context_IASetIndexBuffer;
	vtbl->IAGetIndexBuffer = context_IAGetIndexBuffer;
	vtbl->IASetPrimitiveTopology = context_IASetPrimitiveTopology;
	vtbl->IAGetPrimitiveTopology = context_IAGetPrimitiveTopology;
	vtbl->OMSetBlendState = context_OMSetBlendState;
	vtbl->OMGetBlendState = context_OMGetBlendState;
	vtbl->OMSetDepthStencilState = context_OMSetDepthStencilState;
	vtbl->OMGetDepthStencilState = context_OMGetDepthStencilState;
	vtbl->RSSetState = context_RSSetState;
	vtbl->RSGetState = context_RSGetState;
	vtbl->RSSetViewports = context_RSSetViewports;
	vtbl->RSGetViewports = context_RSGetViewports;
	vtbl->RSSetScissorRects = context_RSSetScissorRects;
	vtbl->RSGetScissorRects = context_RSGetScissorRects;
}
