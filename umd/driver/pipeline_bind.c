/* SPDX-License-Identifier: MIT */
/* Binding: a store and a dirty bit. Also unbinding of what is about to be destroyed, here and in the engine. */
#include "pipeline_private.h"

#include <string.h>

/* ---- fixed function ---- */

void gpu_set_blend(struct gpu_device *dev, struct gpu_blend *blend, const float factor[4], uint32_t sample_mask)
{
	static const float one[4] = {1, 1, 1, 1};

	if (!factor)
		factor = one;
	if (dev->blend != blend) {
		dev->blend = blend;
		dev->dirty |= DIRTY_BLEND;
	}
	if (memcmp(dev->blend_factor, factor, sizeof(dev->blend_factor))) {
		memcpy(dev->blend_factor, factor, sizeof(dev->blend_factor));
		dev->dirty |= DIRTY_BLEND_COLOR;
	}
	if (dev->sample_mask != sample_mask) {
		dev->sample_mask = sample_mask;
		dev->dirty |= DIRTY_SAMPLE_MASK;
	}
}

void gpu_set_depth_stencil(struct gpu_device *dev, struct gpu_depth_stencil *ds, uint8_t ref_front, uint8_t ref_back)
{
	if (dev->depth_stencil != ds) {
		dev->depth_stencil = ds;
		dev->dirty |= DIRTY_DEPTH_STENCIL;
	}
	if (dev->stencil_ref[0] != ref_front || dev->stencil_ref[1] != ref_back) {
		dev->stencil_ref[0] = ref_front;
		dev->stencil_ref[1] = ref_back;
		dev->dirty |= DIRTY_STENCIL_REF;
	}
}

void gpu_set_rasterizer(struct gpu_device *dev, struct gpu_rasterizer *rasterizer)
{
	if (dev->rasterizer == rasterizer)
		return;
	dev->rasterizer = rasterizer;
	dev->dirty |= DIRTY_RASTERIZER;
}

void gpu_set_viewports(struct gpu_device *dev, unsigned count, const struct gpu_viewport *viewports)
{
	if (count > GPU_MAX_VIEWPORTS)
		count = GPU_MAX_VIEWPORTS;
	if (dev->viewport_count == count && !memcmp(dev->viewports, viewports, count * sizeof(*viewports)))
		return;
	if (count)
		memcpy(dev->viewports, viewports, count * sizeof(*viewports));
	dev->viewport_count = count;
	/* a fractional viewport asks for other vertex shaders */
	dev->dirty |= DIRTY_VIEWPORTS | DIRTY_SHADERS;
}

void gpu_set_scissors(struct gpu_device *dev, unsigned count, const struct gpu_rect *rects)
{
	if (count > GPU_MAX_VIEWPORTS)
		count = GPU_MAX_VIEWPORTS;
	if (dev->scissor_count == count && !memcmp(dev->scissors, rects, count * sizeof(*rects)))
		return;
	if (count)
		memcpy(dev->scissors, rects, count * sizeof(*rects));
	dev->scissor_count = count;
	dev->dirty |= DIRTY_SCISSORS;
}

void gpu_set_clip_planes(struct gpu_device *dev, const float planes[8][4])
{
	if (!memcmp(dev->clip_planes, planes, sizeof(dev->clip_planes)))
		return;
	memcpy(dev->clip_planes, planes, sizeof(dev->clip_planes));
	dev->dirty |= DIRTY_CLIP_PLANES;
}

void gpu_set_targets(struct gpu_device *dev, unsigned count, struct gpu_surface *const *colors,
		     struct gpu_surface *depth_stencil)
{
	struct gpu_surface *targets[GPU_MAX_RENDER_TARGETS] = {0};

	if (count > GPU_MAX_RENDER_TARGETS)
		count = GPU_MAX_RENDER_TARGETS;
	for (unsigned i = 0; i < count; i++)
		targets[i] = colors[i];
	while (count && !targets[count - 1])
		count--; /* a list of nothing but holes puts the engine into its error state */
	if (dev->target_count == count && dev->depth_target == depth_stencil &&
	    !memcmp(dev->targets, targets, sizeof(targets)))
		return;
	memcpy(dev->targets, targets, sizeof(targets));
	dev->target_count = count;
	dev->depth_target = depth_stencil;
	dev->dirty |= DIRTY_TARGETS;
	dev->bindings_listed = 0;
}

/* ---- input assembly ---- */

void gpu_set_vertex_elements(struct gpu_device *dev, struct gpu_vertex_elements *elements)
{
	if (dev->vertex_elements == elements)
		return;
	dev->vertex_elements = elements;
	dev->dirty |= DIRTY_VERTEX_ELEMENTS | DIRTY_VERTEX_BUFFERS;
	dev->bindings_listed = 0;
}

void gpu_set_vertex_buffer(struct gpu_device *dev, unsigned slot, struct gpu_resource *buffer, uint32_t stride,
			   uint32_t offset)
{
	struct vertex_binding *binding;

	if (slot >= GPU_MAX_VERTEX_BUFFERS)
		return;
	binding = &dev->vertex_buffers[slot];
	if (binding->buffer == to_resource(buffer) && binding->stride == stride && binding->offset == offset)
		return;
	*binding = (struct vertex_binding){to_resource(buffer), stride, offset};
	dev->dirty |= DIRTY_VERTEX_BUFFERS;
	dev->bindings_listed = 0;
}

void gpu_set_index_buffer(struct gpu_device *dev, struct gpu_resource *buffer, uint32_t index_size, uint32_t offset)
{
	dev->index_buffer = to_resource(buffer);
	dev->index_size = index_size;
	dev->index_offset = offset;
	dev->dirty |= DIRTY_INDEX_BUFFER;
	dev->bindings_listed = 0;
}

/* ---- shader stages ---- */

void gpu_set_shader(struct gpu_device *dev, enum shader_stage stage, struct gpu_shader *shader)
{
	if (dev->stages[stage].shader == shader)
		return;
	dev->stages[stage].shader = shader;
	dev->dirty |= DIRTY_SHADERS;
	dev->bindings_listed = 0;
}

void gpu_set_shader_key(struct gpu_device *dev, enum shader_stage stage, const struct shader_key *key)
{
	if (!memcmp(&dev->stages[stage].key, key, sizeof(*key)))
		return;
	dev->stages[stage].key = *key;
	dev->dirty |= DIRTY_SHADERS;
}

void gpu_set_float_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			     const float *data)
{
	struct stage_state *state = &dev->stages[stage];

	if (first >= GPU_MAX_INLINE_CONSTANTS || count > GPU_MAX_INLINE_CONSTANTS - first)
		return;
	memcpy(state->floats[first], data, count * sizeof(state->floats[0]));
	state->dirty |= STAGE_DIRTY_CONSTANTS;
}

void gpu_set_int_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			   const int32_t *data)
{
	struct stage_state *state = &dev->stages[stage];

	if (first >= MAX_INTEGERS || count > MAX_INTEGERS - first)
		return;
	memcpy(state->integers[first], data, count * sizeof(state->integers[0]));
	state->dirty |= STAGE_DIRTY_CONSTANTS;
}

void gpu_set_bool_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			    const int32_t *data)
{
	struct stage_state *state = &dev->stages[stage];

	if (first >= MAX_BOOLEANS || count > MAX_BOOLEANS - first)
		return;
	for (uint32_t i = 0; i < count; i++)
		state->booleans[first + i] = data[i] != 0;
	state->dirty |= STAGE_DIRTY_CONSTANTS;
}

void gpu_set_system_constant(struct gpu_device *dev, enum shader_stage stage, enum shader_system_constant which,
			     const float data[4])
{
	struct stage_state *state = &dev->stages[stage];

	if (which >= SHADER_SYS_COUNT || !memcmp(state->system[which], data, sizeof(state->system[which])))
		return;
	memcpy(state->system[which], data, sizeof(state->system[which]));
	state->dirty |= STAGE_DIRTY_CONSTANTS;
}

void gpu_set_constant_buffer(struct gpu_device *dev, enum shader_stage stage, unsigned slot,
			     struct gpu_resource *buffer, uint32_t offset, uint32_t size)
{
	struct constant_binding binding = {to_resource(buffer), offset, size};
	struct stage_state *state = &dev->stages[stage];

	if (slot >= GPU_MAX_CONSTANT_BUFFERS || !memcmp(&state->buffers[slot], &binding, sizeof(binding)))
		return;
	state->buffers[slot] = binding;
	state->dirty |= STAGE_DIRTY_BUFFERS;
	dev->bindings_listed = 0;
}

void gpu_set_texture(struct gpu_device *dev, enum shader_stage stage, unsigned reg, struct gpu_view *view)
{
	struct stage_state *state = &dev->stages[stage];

	if (reg >= MAX_TEXTURES || state->textures[reg] == view)
		return;
	state->textures[reg] = view;
	state->dirty |= STAGE_DIRTY_UNITS;
	dev->bindings_listed = 0;
}

void gpu_set_sampler(struct gpu_device *dev, enum shader_stage stage, unsigned reg, struct gpu_sampler *sampler)
{
	struct stage_state *state = &dev->stages[stage];

	if (reg >= MAX_SAMPLERS || state->samplers[reg] == sampler)
		return;
	state->samplers[reg] = sampler;
	state->dirty |= STAGE_DIRTY_UNITS;
}

/* ---- ends ---- */

void rebind_buffer(struct gpu_device *dev, struct resource *res)
{
	for (unsigned i = 0; i < GPU_MAX_VERTEX_BUFFERS; i++)
		if (dev->vertex_buffers[i].buffer == res)
			dev->dirty |= DIRTY_VERTEX_BUFFERS;
	if (dev->index_buffer == res)
		dev->dirty |= DIRTY_INDEX_BUFFER;
	for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
		for (unsigned i = 0; i < GPU_MAX_CONSTANT_BUFFERS; i++)
			if (dev->stages[stage].buffers[i].buffer == res)
				dev->stages[stage].dirty |= STAGE_DIRTY_BUFFERS;
	dev->bindings_listed = 0;
}

void unbind_constant_buffers(struct gpu_device *dev, const struct resource *res)
{
	uint32_t id = res->tracked.bo->res_id;

	for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
		for (unsigned i = 0; i < GPU_MAX_CONSTANT_BUFFERS; i++) {
			struct stage_state *state = &dev->stages[stage];

			if (state->bound_buffers[i] != id)
				continue;
			stream_set_uniform_buffer(&dev->stream, stage, i + 1, 0, 0, 0);
			state->bound_buffers[i] = 0;
		}
}

static void unbind_in_engine(struct gpu_device *dev, const struct resource *res)
{
	uint32_t id = res->tracked.bo->res_id;

	unbind_constant_buffers(dev, res);
	for (unsigned i = 0; i < dev->bound_vertex_buffer_count; i++)
		if (dev->bound_vertex_buffers[i].resource == id) {
			stream_set_vertex_buffers(&dev->stream, 0, NULL);
			dev->bound_vertex_buffer_count = 0;
			dev->dirty |= DIRTY_VERTEX_BUFFERS;
		}
	if (dev->bound_index[0] == id) {
		stream_set_index_buffer(&dev->stream, 0, 0, 0);
		dev->bound_index[0] = 0;
		dev->dirty |= DIRTY_INDEX_BUFFER;
	}
}

void unbind_resource(struct gpu_device *dev, struct resource *res)
{
	rebind_buffer(dev, res);
	for (unsigned i = 0; i < GPU_MAX_VERTEX_BUFFERS; i++)
		if (dev->vertex_buffers[i].buffer == res)
			dev->vertex_buffers[i] = (struct vertex_binding){0};
	if (dev->index_buffer == res)
		dev->index_buffer = NULL;
	for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
		for (unsigned i = 0; i < GPU_MAX_CONSTANT_BUFFERS; i++)
			if (dev->stages[stage].buffers[i].buffer == res)
				dev->stages[stage].buffers[i] = (struct constant_binding){0};
	if (res->tracked.bo)
		unbind_in_engine(dev, res);
}

void unbind_view(struct gpu_device *dev, struct gpu_view *view)
{
	for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
		struct stage_state *state = &dev->stages[stage];

		for (unsigned i = 0; i < MAX_TEXTURES; i++)
			if (state->textures[i] == view)
				gpu_set_texture(dev, stage, i, NULL);
		for (unsigned i = 0; i < state->bound_view_count; i++)
			if (state->bound_views[i] == view->handle) {
				stream_set_views(&dev->stream, stage, 0, 0, NULL);
				state->bound_view_count = 0;
				state->dirty |= STAGE_DIRTY_UNITS;
			}
	}
}

static bool is_sampler(const struct gpu_sampler *sampler, uint32_t handle)
{
	if (sampler->object.handle == handle)
		return true;
	for (unsigned i = 0; i < sizeof(sampler->shifted) / sizeof(sampler->shifted[0]); i++)
		if (sampler->shifted[i] && sampler->shifted[i] == handle)
			return true;
	return false;
}

void unbind_sampler(struct gpu_device *dev, struct gpu_sampler *sampler)
{
	static const uint32_t nothing[GPU_MAX_UNITS];

	for (unsigned stage = 0; stage < STAGE_COUNT; stage++) {
		struct stage_state *state = &dev->stages[stage];

		for (unsigned i = 0; i < MAX_SAMPLERS; i++)
			if (state->samplers[i] == sampler)
				gpu_set_sampler(dev, stage, i, NULL);
		for (unsigned i = 0; i < state->bound_sampler_count; i++)
			if (is_sampler(sampler, state->bound_samplers[i])) {
				stream_bind_samplers(&dev->stream, stage, 0, state->bound_sampler_count, nothing);
				state->bound_sampler_count = 0;
				state->dirty |= STAGE_DIRTY_UNITS;
			}
	}
}

void unbind_surface(struct gpu_device *dev, struct gpu_surface *surface)
{
	struct gpu_surface *targets[GPU_MAX_RENDER_TARGETS];
	bool bound = dev->bound_depth_target == surface;

	for (unsigned i = 0; i < GPU_MAX_RENDER_TARGETS; i++)
		targets[i] = dev->targets[i] == surface ? NULL : dev->targets[i];
	gpu_set_targets(dev, dev->target_count, targets, dev->depth_target == surface ? NULL : dev->depth_target);
	for (unsigned i = 0; i < dev->bound_target_count; i++)
		bound |= dev->bound_targets[i] == surface;
	if (bound)
		emit_targets(dev, 0, NULL, NULL);
}

void unbind_shader(struct gpu_device *dev, struct gpu_shader *shader)
{
	struct stage_state *state = &dev->stages[shader->stage];

	if (state->shader == shader)
		gpu_set_shader(dev, shader->stage, NULL);
	for (struct shader_variant *variant = shader->variants; variant; variant = variant->next) {
		if (state->variant == variant) {
			state->variant = NULL;
			dev->dirty |= DIRTY_SHADERS;
		}
		if (state->bound_shader == variant->handle) {
			stream_bind_shader(&dev->stream, (enum d3dgpu_stage)shader->stage, 0);
			state->bound_shader = 0;
		}
	}
}
