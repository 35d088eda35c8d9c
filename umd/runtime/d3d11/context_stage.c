/* SPDX-License-Identifier: MIT */
/* The six shader stages: shaders, constant buffers, shader resources and samplers. */
#include "d3d11_private.h"

#include <string.h>

#define VIEW_SLOTS D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT
#define SAMPLER_SLOTS D3D11_COMMONSHADER_SAMPLER_SLOT_COUNT
#define CONSTANT_SLOTS D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT
#define MAX_CONSTANTS D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT

/* The driver's entries of a stage; NULL for stages that it does not have: their state is kept here only. */
struct stage_entries {
	PFND3D11_1DDI_SETCONSTANTBUFFERS constants;
	PFND3D10DDI_SETSHADERRESOURCES views;
	PFND3D10DDI_SETSAMPLERS samplers;
	PFND3D10DDI_SETSHADER shader;
};

static struct stage_entries entries_of(const D3D11_1DDI_DEVICEFUNCS *f, enum d3d11_stage stage)
{
	switch (stage) {
	case STAGE_VS:
		return (struct stage_entries){f->pfnVsSetConstantBuffers, f->pfnVsSetShaderResources,
					      f->pfnVsSetSamplers, f->pfnVsSetShader};
	case STAGE_HS:
		return (struct stage_entries){f->pfnHsSetConstantBuffers, f->pfnHsSetShaderResources,
					      f->pfnHsSetSamplers, f->pfnHsSetShader};
	case STAGE_DS:
		return (struct stage_entries){f->pfnDsSetConstantBuffers, f->pfnDsSetShaderResources,
					      f->pfnDsSetSamplers, f->pfnDsSetShader};
	case STAGE_GS:
		return (struct stage_entries){f->pfnGsSetConstantBuffers, f->pfnGsSetShaderResources,
					      f->pfnGsSetSamplers, f->pfnGsSetShader};
	case STAGE_PS:
		return (struct stage_entries){f->pfnPsSetConstantBuffers, f->pfnPsSetShaderResources,
					      f->pfnPsSetSamplers, f->pfnPsSetShader};
	default:
		return (struct stage_entries){f->pfnCsSetConstantBuffers, f->pfnCsSetShaderResources,
					      f->pfnCsSetSamplers, f->pfnCsSetShader};
	}
}

static bool slots_valid(UINT first, UINT count, UINT slots)
{
	return first < slots && count <= slots - first;
}

/* ---- shaders ---- */

static void set_shader(struct d3d11_context *context, enum d3d11_stage stage, void *object)
{
	struct d3d11_device *device = context->base.device;
	struct d3d11_shader *shader = object;
	PFND3D10DDI_SETSHADER set = entries_of(&device->funcs, stage).shader;

	d3d11_enter(device);
	bind_child(&context->bound.stages[stage].shader, shader);
	if (set)
		set(device->ddi, (D3D10DDI_HSHADER){shader ? shader->ddi : NULL});
	d3d11_leave(device);
}

/* Class linkage is not there: shaders have no instances. */
static void *get_shader(struct d3d11_context *context, enum d3d11_stage stage, UINT *instance_count)
{
	if (instance_count)
		*instance_count = 0;
	return get_child(context->bound.stages[stage].shader);
}

/* ---- constant buffers ---- */

static void apply_constants(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count)
{
	const struct d3d11_constant_buffer *slots = &context->bound.stages[stage].constants[first];
	struct d3d11_device *device = context->base.device;
	PFND3D11_1DDI_SETCONSTANTBUFFERS set = entries_of(&device->funcs, stage).constants;
	D3D10DDI_HRESOURCE handles[CONSTANT_SLOTS];
	UINT firsts[CONSTANT_SLOTS], counts[CONSTANT_SLOTS];

	if (!set || !count)
		return;
	for (UINT i = 0; i < count; i++) {
		handles[i].pDrvPrivate = slots[i].buffer ? slots[i].buffer->ddi.pDrvPrivate : NULL;
		firsts[i] = slots[i].first;
		counts[i] = slots[i].count;
	}
	set(device->ddi, first, count, handles, firsts, counts);
}

/* A part of a buffer: in constants, whole groups of 16. */
static bool valid_part(UINT first, UINT count)
{
	return !(first % 16) && !(count % 16) && count <= MAX_CONSTANTS;
}

static void set_constants(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
			  ID3D11Buffer *const *buffers, const UINT *first_constants, const UINT *constant_counts)
{
	struct d3d11_device *device = context->base.device;
	bool parts = first_constants && constant_counts;

	if (!slots_valid(first, count, CONSTANT_SLOTS) || !first_constants != !constant_counts) {
		runtime_refused("SetConstantBuffers", "slots %u + %u, or half of the parts", first, count);
		return;
	}
	for (UINT i = 0; parts && i < count; i++)
		if (!valid_part(first_constants[i], constant_counts[i]))
			return;
	d3d11_enter(device);
	for (UINT i = 0; i < count; i++) {
		struct d3d11_constant_buffer *slot = &context->bound.stages[stage].constants[first + i];
		struct d3d11_resource *buffer = buffers ? (struct d3d11_resource *)buffers[i] : NULL;

		if (buffer && !(buffer->bind & D3D11_BIND_CONSTANT_BUFFER)) {
			runtime_refused("SetConstantBuffers", "buffer %u without D3D11_BIND_CONSTANT_BUFFER", i);
			buffer = NULL;
		}
		bind_child(&slot->buffer, buffer);
		slot->first = parts ? first_constants[i] : 0;
		slot->count = parts ? constant_counts[i] : 0;
	}
	apply_constants(context, stage, first, count);
	d3d11_leave(device);
}

static void get_constants(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
			  ID3D11Buffer **buffers, UINT *first_constants, UINT *constant_counts)
{
	if (!slots_valid(first, count, CONSTANT_SLOTS))
		return;
	for (UINT i = 0; i < count; i++) {
		const struct d3d11_constant_buffer *slot = &context->bound.stages[stage].constants[first + i];

		if (buffers)
			buffers[i] = get_child(slot->buffer);
		if (first_constants)
			first_constants[i] = slot->first;
		if (constant_counts)
			constant_counts[i] = slot->count ? slot->count : MAX_CONSTANTS;
	}
}

/* ---- shader resources ---- */

void stage_apply_views(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count)
{
	struct d3d11_view *const *slots = &context->bound.stages[stage].views[first];
	struct d3d11_device *device = context->base.device;
	PFND3D10DDI_SETSHADERRESOURCES set = entries_of(&device->funcs, stage).views;
	D3D10DDI_HSHADERRESOURCEVIEW handles[VIEW_SLOTS];

	if (!set || !count)
		return;
	for (UINT i = 0; i < count; i++)
		handles[i].pDrvPrivate = slots[i] ? slots[i]->ddi : NULL;
	set(device->ddi, first, count, handles);
}

static void set_views(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
		      ID3D11ShaderResourceView *const *views)
{
	struct d3d11_stage_state *state = &context->bound.stages[stage];
	struct d3d11_device *device = context->base.device;

	if (!slots_valid(first, count, VIEW_SLOTS))
		return;
	d3d11_enter(device);
	for (UINT i = 0; i < count; i++) {
		struct d3d11_view *view = views ? (struct d3d11_view *)views[i] : NULL;

		/* What is being written cannot be read: the slot becomes NULL. */
		if (view && hazard_is_written(context, view))
			view = NULL;
		bind_child(&state->views[first + i], view);
		if (view && state->view_limit < first + i + 1)
			state->view_limit = first + i + 1;
	}
	stage_apply_views(context, stage, first, count);
	d3d11_leave(device);
}

static void get_views(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
		      ID3D11ShaderResourceView **views)
{
	if (!slots_valid(first, count, VIEW_SLOTS))
		return;
	for (UINT i = 0; views && i < count; i++)
		views[i] = get_child(context->bound.stages[stage].views[first + i]);
}

/* ---- samplers ---- */

static void apply_samplers(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count)
{
	struct d3d11_state *const *slots = &context->bound.stages[stage].samplers[first];
	struct d3d11_device *device = context->base.device;
	PFND3D10DDI_SETSAMPLERS set = entries_of(&device->funcs, stage).samplers;
	D3D10DDI_HSAMPLER handles[SAMPLER_SLOTS];

	if (!set || !count)
		return;
	/* A slot without a sampler samples with the defaults. */
	for (UINT i = 0; i < count; i++)
		handles[i].pDrvPrivate = slots[i] ? slots[i]->ddi : context->default_sampler->ddi;
	set(device->ddi, first, count, handles);
}

static void set_samplers(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
			 ID3D11SamplerState *const *samplers)
{
	struct d3d11_device *device = context->base.device;

	if (!slots_valid(first, count, SAMPLER_SLOTS))
		return;
	d3d11_enter(device);
	for (UINT i = 0; i < count; i++)
		bind_child(&context->bound.stages[stage].samplers[first + i], samplers ? (void *)samplers[i] : NULL);
	apply_samplers(context, stage, first, count);
	d3d11_leave(device);
}

static void get_samplers(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count,
			 ID3D11SamplerState **samplers)
{
	if (!slots_valid(first, count, SAMPLER_SLOTS))
		return;
	for (UINT i = 0; samplers && i < count; i++)
		samplers[i] = get_child(context->bound.stages[stage].samplers[first + i]);
}

/* ---- ClearState ---- */

static void clear_stage(struct d3d11_context *context, enum d3d11_stage stage)
{
	struct d3d11_stage_state *state = &context->bound.stages[stage];
	struct d3d11_device *device = context->base.device;
	PFND3D10DDI_SETSHADER set = entries_of(&device->funcs, stage).shader;

	bind_child(&state->shader, NULL);
	if (set)
		set(device->ddi, (D3D10DDI_HSHADER){NULL});
	for (UINT i = 0; i < CONSTANT_SLOTS; i++) {
		bind_child(&state->constants[i].buffer, NULL);
		state->constants[i].first = state->constants[i].count = 0;
	}
	apply_constants(context, stage, 0, CONSTANT_SLOTS);
	for (UINT i = 0; i < state->view_limit; i++)
		bind_child(&state->views[i], NULL);
	stage_apply_views(context, stage, 0, state->view_limit);
	state->view_limit = 0;
	for (UINT i = 0; i < SAMPLER_SLOTS; i++)
		bind_child(&state->samplers[i], NULL);
	apply_samplers(context, stage, 0, SAMPLER_SLOTS);
}

void context_clear_stages(struct d3d11_context *context)
{
	for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
		clear_stage(context, stage);
}

/* ---- the methods: the same ten for each stage ---- */

#define STAGE_METHODS(XS, type)                                                                                        \
	static void STDMETHODCALLTYPE context_##XS##SetShader(ID3D11DeviceContext1 *iface, type *shader,               \
							      ID3D11ClassInstance *const *instances, UINT count)       \
	{                                                                                                              \
		set_shader(context_impl(iface), STAGE_##XS, shader);                                                   \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##GetShader(ID3D11DeviceContext1 *iface, type **shader,              \
							      ID3D11ClassInstance **instances, UINT *count)            \
	{                                                                                                              \
		*shader = get_shader(context_impl(iface), STAGE_##XS, count);                                          \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##SetConstantBuffers(ID3D11DeviceContext1 *iface, UINT first,        \
								       UINT count, ID3D11Buffer *const *buffers)       \
	{                                                                                                              \
		set_constants(context_impl(iface), STAGE_##XS, first, count, buffers, NULL, NULL);                     \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##SetConstantBuffers1(ID3D11DeviceContext1 *iface, UINT first,       \
									UINT count, ID3D11Buffer *const *buffers,      \
									const UINT *firsts, const UINT *counts)        \
	{                                                                                                              \
		set_constants(context_impl(iface), STAGE_##XS, first, count, buffers, firsts, counts);                 \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##GetConstantBuffers(ID3D11DeviceContext1 *iface, UINT first,        \
								       UINT count, ID3D11Buffer **buffers)             \
	{                                                                                                              \
		get_constants(context_impl(iface), STAGE_##XS, first, count, buffers, NULL, NULL);                     \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##GetConstantBuffers1(ID3D11DeviceContext1 *iface, UINT first,       \
									UINT count, ID3D11Buffer **buffers,            \
									UINT *firsts, UINT *counts)                    \
	{                                                                                                              \
		get_constants(context_impl(iface), STAGE_##XS, first, count, buffers, firsts, counts);                 \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##SetShaderResources(                                                \
		ID3D11DeviceContext1 *iface, UINT first, UINT count, ID3D11ShaderResourceView *const *views)           \
	{                                                                                                              \
		set_views(context_impl(iface), STAGE_##XS, first, count, views);                                       \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##GetShaderResources(ID3D11DeviceContext1 *iface, UINT first,        \
								       UINT count, ID3D11ShaderResourceView **views)   \
	{                                                                                                              \
		get_views(context_impl(iface), STAGE_##XS, first, count, views);                                       \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##SetSamplers(ID3D11DeviceContext1 *iface, UINT first, UINT count,   \
								ID3D11SamplerState *const *samplers)                   \
	{                                                                                                              \
		set_samplers(context_impl(iface), STAGE_##XS, first, count, samplers);                                 \
	}                                                                                                              \
	static void STDMETHODCALLTYPE context_##XS##GetSamplers(ID3D11DeviceContext1 *iface, UINT first, UINT count,   \
								ID3D11SamplerState **samplers)                         \
	{                                                                                                              \
		get_samplers(context_impl(iface), STAGE_##XS, first, count, samplers);                                 \
	}                                                                                                              \
	static void XS##_methods(ID3D11DeviceContext1Vtbl *vtbl)                                                       \
	{                                                                                                              \
		vtbl->XS##SetShader = context_##XS##SetShader;                                                         \
		vtbl->XS##GetShader = context_##XS##GetShader;                                                         \
		vtbl->XS##SetConstantBuffers = context_##XS##SetConstantBuffers;                                       \
		vtbl->XS##SetConstantBuffers1 = context_##XS##SetConstantBuffers1;                                     \
		vtbl->XS##GetConstantBuffers = context_##XS##GetConstantBuffers;                                       \
		vtbl->XS##GetConstantBuffers1 = context_##XS##GetConstantBuffers1;                                     \
		vtbl->XS##SetShaderResources = context_##XS##SetShaderResources;                                       \
		vtbl->XS##GetShaderResources = context_##XS##GetShaderResources;                                       \
		vtbl->XS##SetSamplers = context_##XS##SetSamplers;                                                     \
		vtbl->XS##GetSamplers = context_##XS##GetSamplers;                                                     \
	}

STAGE_METHODS(VS, ID3D11VertexShader)
STAGE_METHODS(HS, ID3D11HullShader)
STAGE_METHODS(DS, ID3D11DomainShader)
STAGE_METHODS(GS, ID3D11GeometryShader)
STAGE_METHODS(PS, ID3D11PixelShader)
STAGE_METHODS(CS, ID3D11ComputeShader)

void context_stage_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	VS_methods(vtbl);
	HS_methods(vtbl);
	DS_methods(vtbl);
	GS_methods(vtbl);
	PS_methods(vtbl);
	CS_methods(vtbl);
}
