/* SPDX-License-Identifier: MIT */
/*
 * From dirty bits to commands. Everything that a draw needs goes into one submit: room is reserved first, then all
 * bound objects are listed, then what is dirty is sent.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Words of everything but inline constants: state, six stages of units and constant buffers, samplers made on the
 * way. */
#define STATE_WORDS 4096u

uint32_t emit_bound(struct gpu_device *dev)
{
	uint32_t words = STATE_WORDS;

	for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
		if (dev->stages[stage].variant)
			words += 4 * dev->stages[stage].variant->constants.total + 3;
	return words;
}

/* ---- lists ---- */

static struct gpu_vertex_elements *current_elements(struct gpu_device *dev)
{
	return dev->vertex_elements ? dev->vertex_elements : empty_elements(dev);
}

/* The binding that an element or slot of the engine reads. */
static const struct vertex_binding *slot_binding(const struct gpu_device *dev, const struct gpu_vertex_elements *ve,
						 uint32_t slot)
{
	return &dev->vertex_buffers[ve->slot_per_element ? ve->elements[slot].buffer : slot];
}

/* Everything that a draw may use: buffers of the input and the one of zeros, six stages, targets. */
#define USES_MAX (GPU_MAX_VERTEX_BUFFERS + 2 + STAGE_COUNT * (GPU_MAX_UNITS + GPU_MAX_CONSTANT_BUFFERS) + \
		  GPU_MAX_RENDER_TARGETS + 1)

struct use_list {
	struct list_use uses[USES_MAX];
	uint32_t count;
};

static void add_use(struct use_list *list, struct resource *res, bool write)
{
	if (res)
		list->uses[list->count++] = use_of(res, write);
}

static void add_input(struct gpu_device *dev, const struct gpu_draw *draw, struct use_list *list)
{
	const struct gpu_vertex_elements *ve = current_elements(dev);

	if (draw->indexed)
		add_use(list, dev->index_buffer, false);
	for (uint32_t i = 0; ve && i < ve->slots; i++)
		add_use(list, slot_binding(dev, ve, i)->buffer, false);
	if (dev->zero_buffer)
		add_use(list, to_resource(dev->zero_buffer), false);
}

static void add_stage(struct stage_state *state, struct use_list *list)
{
	const struct shader_info *info = gpu_shader_info(state->shader);

	for (uint32_t i = 0; i < info->unit_count; i++) {
		uint32_t reg = info->units[i].texture;

		if (reg < MAX_TEXTURES && state->textures[reg])
			add_use(list, state->textures[reg]->res, false);
	}
	for (unsigned i = 0; i < GPU_MAX_CONSTANT_BUFFERS; i++)
		if (info->constant_buffers & 1u << i)
			add_use(list, state->buffers[i].buffer, false);
}

static void add_targets(struct gpu_device *dev, struct use_list *list)
{
	if (dev->depth_target)
		add_use(list, dev->depth_target->res, true);
	for (uint32_t i = 0; i < dev->target_count; i++)
		if (dev->targets[i])
			add_use(list, dev->targets[i]->res, true);
}

static bool bindings_listed(const struct gpu_device *dev, const struct gpu_draw *draw)
{
	return dev->bindings_listed == dev->serial &&
	       (!draw->indexed || dev->index_buffer->tracked.listed == dev->serial);
}

/* Room for the state of a draw in a submit that lists all that is bound. */
static int claim_bindings(struct gpu_device *dev, const struct gpu_draw *draw)
{
	struct use_list list; /* large: only what is counted is filled in */
	int error;

	list.count = 0;
	add_input(dev, draw, &list);
	for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++)
		if (dev->stages[stage].shader)
			add_stage(&dev->stages[stage], &list);
	add_targets(dev, &list);
	error = device_claim(dev, emit_bound(dev), list.uses, list.count);
	if (!error)
		dev->bindings_listed = dev->serial;
	return error;
}

/* ---- bytes that the GPU does not have yet ---- */

/* The vertices that an indexed draw reads, where the CPU can look at the indices. Returns false when it cannot. */
static bool index_range(const struct gpu_device *dev, const struct gpu_draw *draw, uint32_t *first, uint32_t *last)
{
	const struct resource *res = dev->index_buffer;
	uint64_t begin = dev->index_offset + (uint64_t)draw->start * dev->index_size;
	uint32_t low = UINT32_MAX, high = 0;
	const uint8_t *data;

	if (!res->slots.count || res->slots.stale || draw->primitive_restart || begin % dev->index_size ||
	    begin + (uint64_t)draw->count * dev->index_size > res->base.desc.width)
		return false;
	data = slots_data(res) + begin;
	for (uint32_t i = 0; i < draw->count; i++) {
		uint32_t index = dev->index_size == 2 ? ((const uint16_t *)data)[i] : ((const uint32_t *)data)[i];

		low = index < low ? index : low;
		high = index > high ? index : high;
	}
	*first = low + (uint32_t)draw->base_vertex;
	*last = high + (uint32_t)draw->base_vertex;
	return *first <= *last;
}

static int send_vertices(struct gpu_device *dev, const struct gpu_vertex_element *element, const struct gpu_draw *draw)
{
	const struct vertex_binding *binding = &dev->vertex_buffers[element->buffer];
	uint32_t first = draw->start, last = draw->start + draw->count - 1, reach;
	uint64_t begin, end;

	if (!binding->buffer || !binding->buffer->slots.unsent)
		return 0;
	if (element->divisor || (draw->indexed && !index_range(dev, draw, &first, &last)))
		return slots_send(dev, binding->buffer, 0, UINT32_MAX);
	/* whole vertices, so that all elements of a buffer ask for the same */
	reach = element->offset + d3dgpu_format_block(element->format).bytes;
	begin = binding->offset + (uint64_t)first * binding->stride;
	end = binding->offset + (uint64_t)last * binding->stride + (reach > binding->stride ? reach : binding->stride);
	if (begin > UINT32_MAX || end - begin > UINT32_MAX)
		return 0; /* all of it is outside the buffer */
	return slots_send(dev, binding->buffer, (uint32_t)begin, (uint32_t)(end - begin));
}

static int send_input(struct gpu_device *dev, const struct gpu_draw *draw)
{
	const struct gpu_vertex_elements *ve = dev->vertex_elements;
	int error = 0;

	for (uint32_t i = 0; ve && !error && i < ve->count; i++)
		error = send_vertices(dev, &ve->elements[i], draw);
	if (!error && draw->indexed)
		error = slots_send(dev, dev->index_buffer, dev->index_offset + draw->start * dev->index_size,
				   draw->count * dev->index_size);
	return error;
}

/* ---- what is read where nothing is bound ---- */

#define ZERO_BUFFER_SIZE 65536u /* bytes: the largest constant buffer */

static int make_zero_buffer(struct gpu_device *dev)
{
	static const uint8_t zeros[ZERO_BUFFER_SIZE];
	const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_VERTEX_BUFFER | D3DGPU_BIND_CONSTANT_BUFFER,
		.width = ZERO_BUFFER_SIZE,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	int error = 0;

	if (!dev->zero_buffer)
		error = gpu_resource_create(dev, &desc, GPU_USAGE_DEFAULT, &dev->zero_buffer);
	if (!error)
		error = gpu_update(dev, dev->zero_buffer, 0, NULL, zeros, ZERO_BUFFER_SIZE, ZERO_BUFFER_SIZE);
	return error;
}

static bool needs_zeros(struct gpu_device *dev)
{
	const struct gpu_vertex_elements *ve = current_elements(dev);

	for (uint32_t i = 0; ve && i < ve->slots; i++)
		if (!slot_binding(dev, ve, i)->buffer)
			return true;
	for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++) {
		const struct stage_state *state = &dev->stages[stage];
		uint32_t read = state->shader ? gpu_shader_info(state->shader)->constant_buffers : 0;

		for (unsigned i = 0; read && i < GPU_MAX_CONSTANT_BUFFERS; i++)
			if (read & 1u << i && !state->buffers[i].buffer)
				return true;
	}
	return false;
}

/* ---- output ---- */

void emit_targets(struct gpu_device *dev, uint32_t count, struct gpu_surface *const *colors, struct gpu_surface *depth)
{
	uint32_t handles[GPU_MAX_RENDER_TARGETS];

	for (uint32_t i = 0; i < count; i++) {
		handles[i] = colors[i] ? colors[i]->handle : 0;
		dev->bound_targets[i] = colors[i];
	}
	dev->bound_target_count = count;
	dev->bound_depth_target = depth;
	stream_set_framebuffer(&dev->stream, count, handles, depth ? depth->handle : 0);
	dev->dirty |= DIRTY_TARGETS;
}

static void emit_bound_targets(struct gpu_device *dev)
{
	const struct gpu_viewport *v = &dev->viewports[0];

	emit_targets(dev, dev->target_count, dev->targets, dev->depth_target);
	if (!dev->target_count && !dev->depth_target && dev->viewport_count)
		stream_set_framebuffer_no_attach(&dev->stream, (uint32_t)(v->x + v->width),
						 (uint32_t)(v->y + v->height), 1, 0);
	dev->dirty &= ~DIRTY_TARGETS;
}

static void emit_blend(struct gpu_device *dev)
{
	struct state_object *object = current_blend(dev), *old = dev->bound_blend;
	static const struct gpu_blend_desc plain = {.targets[0].write_mask = 15};

	if (!object || object == old)
		return;
	/* A new logic operation is only taken when the enable bit changes. */
	if (dev->caps.quirks & D3DGPU_QUIRK_LOGIC_OP_STICKS && old && object->blend.logic_op != old->blend.logic_op &&
	    d3dgpu_get(D3DGPU_BLEND_LOGIC_ENABLE, object->blend.flags) &&
	    d3dgpu_get(D3DGPU_BLEND_LOGIC_ENABLE, old->blend.flags)) {
		struct gpu_blend *between = gpu_blend_get(dev, &plain);

		if (between)
			stream_bind_object(&dev->stream, D3DGPU_OBJ_BLEND, between->object.handle);
	}
	stream_bind_object(&dev->stream, D3DGPU_OBJ_BLEND, object->handle);
	dev->bound_blend = object;
}

static void emit_viewports(struct gpu_device *dev)
{
	struct stream_viewport packed[GPU_MAX_VIEWPORTS];

	for (uint32_t i = 0; i < dev->viewport_count; i++) {
		const struct gpu_viewport *v = &dev->viewports[i];
		/* The engine takes whole pixels; the rest of x and y is in SHADER_SYS_POSITION. y runs downwards. */
		float x = floorf(v->x), y = floorf(v->y), width = roundf(v->width), height = roundf(v->height);

		packed[i] = (struct stream_viewport){
			.scale = {width / 2, -height / 2, v->max_depth - v->min_depth},
			.translate = {x + width / 2, y + height / 2, v->min_depth},
		};
	}
	if (dev->viewport_count)
		stream_set_viewports(&dev->stream, 0, dev->viewport_count, packed);
}

static uint16_t clamp_coordinate(int32_t value)
{
	return value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : (uint16_t)value;
}

static void emit_scissors(struct gpu_device *dev)
{
	struct stream_scissor packed[GPU_MAX_VIEWPORTS];

	for (uint32_t i = 0; i < dev->scissor_count; i++) {
		const struct gpu_rect *r = &dev->scissors[i];
		struct stream_scissor *s = &packed[i];

		s->min_x = clamp_coordinate(r->left);
		s->min_y = clamp_coordinate(r->top);
		s->max_x = clamp_coordinate(r->right > r->left ? r->right : r->left);
		s->max_y = clamp_coordinate(r->bottom > r->top ? r->bottom : r->top);
	}
	if (dev->scissor_count)
		stream_set_scissors(&dev->stream, 0, dev->scissor_count, packed);
}

/* Rasterizer before viewports: the engine computes the depth range with the rasterizer that is bound at that moment. */
static void emit_output(struct gpu_device *dev)
{
	struct stream *s = &dev->stream;
	struct state_object *object;
	uint32_t dirty = dev->dirty;

	if (dirty & DIRTY_TARGETS)
		emit_bound_targets(dev);
	if (dirty & DIRTY_BLEND)
		emit_blend(dev);
	if (dirty & DIRTY_BLEND_COLOR)
		stream_set_blend_color(s, dev->blend_factor);
	if (dirty & DIRTY_SAMPLE_MASK)
		stream_set_sample_mask(s, dev->sample_mask);
	if (dirty & DIRTY_DEPTH_STENCIL && (object = current_depth_stencil(dev)) &&
	    object != dev->bound_depth_stencil) {
		stream_bind_object(s, D3DGPU_OBJ_DSA, object->handle);
		dev->bound_depth_stencil = object;
	}
	if (dirty & DIRTY_STENCIL_REF)
		stream_set_stencil_ref(s, dev->stencil_ref[0], dev->stencil_ref[1]);
	if (dirty & DIRTY_RASTERIZER && (object = current_rasterizer(dev)) && object != dev->bound_rasterizer) {
		stream_bind_object(s, D3DGPU_OBJ_RASTERIZER, object->handle);
		dev->bound_rasterizer = object;
	}
	if (dirty & DIRTY_VIEWPORTS)
		emit_viewports(dev);
	if (dirty & DIRTY_SCISSORS)
		emit_scissors(dev);
	if (dirty & DIRTY_CLIP_PLANES)
		stream_set_clip_planes(s, (const float(*)[4])dev->clip_planes);
}

/* ---- input ---- */

static int emit_vertex_buffers(struct gpu_device *dev)
{
	const struct gpu_vertex_elements *ve = current_elements(dev);
	struct stream_vertex_buffer packed[GPU_MAX_VERTEX_BUFFERS];

	for (uint32_t i = 0; i < ve->slots; i++) {
		const struct vertex_binding *binding = slot_binding(dev, ve, i);
		struct resource *res = binding->buffer;

		if (!res) {
			packed[i] =
				(struct stream_vertex_buffer){0, 0, to_resource(dev->zero_buffer)->tracked.bo->res_id};
			continue;
		}
		if (binding->stride > D3DGPU_STREAM_MAX_STRIDE)
			return -EINVAL;
		packed[i] = (struct stream_vertex_buffer){
			.stride = binding->stride,
			.offset = binding->offset + buffer_offset(res) +
				  (ve->slot_per_element ? ve->elements[i].offset : 0),
			.resource = res->tracked.bo->res_id,
		};
	}
	if (ve->slots == dev->bound_vertex_buffer_count &&
	    !memcmp(packed, dev->bound_vertex_buffers, ve->slots * sizeof(packed[0])))
		return 0;
	stream_set_vertex_buffers(&dev->stream, ve->slots, packed);
	memcpy(dev->bound_vertex_buffers, packed, ve->slots * sizeof(packed[0]));
	dev->bound_vertex_buffer_count = ve->slots;
	return 0;
}

/* The engine ignores the first index of a draw: it goes into the buffer's offset. */
static void emit_index_buffer(struct gpu_device *dev, const struct gpu_draw *draw)
{
	const struct resource *res = dev->index_buffer;
	uint32_t wanted[3] = {
		res->tracked.bo->res_id,
		dev->index_size,
		dev->index_offset + buffer_offset(res) + draw->start * dev->index_size,
	};

	if (!memcmp(wanted, dev->bound_index, sizeof(wanted)))
		return;
	stream_set_index_buffer(&dev->stream, wanted[0], wanted[1], wanted[2]);
	memcpy(dev->bound_index, wanted, sizeof(wanted));
}

static int emit_input(struct gpu_device *dev, const struct gpu_draw *draw)
{
	struct gpu_vertex_elements *ve = current_elements(dev);
	int error = 0;

	if (!ve)
		return -ENOMEM;
	if (dev->bound_elements != ve) {
		stream_bind_object(&dev->stream, D3DGPU_OBJ_VERTEX_ELEMENTS, ve->handle);
		dev->bound_elements = ve;
	}
	if (dev->dirty & (DIRTY_VERTEX_BUFFERS | DIRTY_VERTEX_ELEMENTS))
		error = emit_vertex_buffers(dev);
	if (draw->indexed)
		emit_index_buffer(dev, draw);
	return error;
}

/* ---- stages ---- */

/* System constants that the core knows itself; the rest are the front's. */
static void system_constant(const struct gpu_device *dev, const struct stage_state *state, uint32_t which,
			    const struct gpu_draw *draw, float out[4])
{
	const struct gpu_viewport *v = &dev->viewports[0];
	int32_t base = draw->indexed ? draw->base_vertex : (int32_t)draw->start;

	memcpy(out, state->system[which], 4 * sizeof(float));
	if (which == SHADER_SYS_DRAW) {
		memcpy(out, &base, sizeof(base));
	} else if (which == SHADER_SYS_POSITION && dev->viewport_count && v->width > 0 && v->height > 0) {
		out[0] += 2 * (v->x - floorf(v->x)) / v->width;
		out[1] -= 2 * (v->y - floorf(v->y)) / v->height;
	}
}

static void emit_constants(struct gpu_device *dev, enum shader_stage stage, const struct gpu_draw *draw)
{
	struct stage_state *state = &dev->stages[stage];
	const struct shader_constants *c = &state->variant->constants;
	uint32_t *words;

	if (!c->total)
		return;
	words = stream_set_constants(&dev->stream, (enum d3dgpu_stage)stage, 4 * c->total);
	if (!words)
		return;
	memset(words, 0, 16 * c->total);
	memcpy(words + 4 * c->float_base, state->floats, 16 * c->float_count);
	memcpy(words + 4 * c->int_base, state->integers, 16 * c->int_count);
	memcpy(words + 4 * c->bool_base, state->booleans, 4 * c->bool_count);
	for (uint32_t i = 0; i < c->system_count; i++)
		system_constant(dev, state, i, draw, (float *)(words + 4 * (c->system_base + i)));
}

static void emit_constant_buffers(struct gpu_device *dev, enum shader_stage stage, const struct shader_info *info)
{
	struct stage_state *state = &dev->stages[stage];

	for (unsigned i = 0; i < GPU_MAX_CONSTANT_BUFFERS; i++) {
		const struct constant_binding *binding = &state->buffers[i];
		struct resource *res = binding->buffer;
		uint32_t offset = binding->offset, size = binding->size;

		if (!(info->constant_buffers & 1u << i))
			continue;
		if (!res || offset >= res->base.desc.width) {
			res = to_resource(dev->zero_buffer);
			offset = size = 0;
		}
		if (!size || size > res->base.desc.width - offset)
			size = res->base.desc.width - offset;
		if (size > ZERO_BUFFER_SIZE)
			size = ZERO_BUFFER_SIZE;
		stream_set_uniform_buffer(&dev->stream, (enum d3dgpu_stage)stage, i + 1, offset + buffer_offset(res),
					  size, res->tracked.bo->res_id);
		state->bound_buffers[i] = res->tracked.bo->res_id;
	}
}

/* The handles of a stage's units: view 0 where nothing is bound. Returns their number. */
static uint32_t wanted_views(const struct stage_state *state, uint32_t views[GPU_MAX_UNITS])
{
	const struct shader_info *info = state->shader ? gpu_shader_info(state->shader) : NULL;
	uint32_t count = info ? info->unit_count : 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t reg = info->units[i].texture;

		views[i] = reg < MAX_TEXTURES && state->textures[reg] ? state->textures[reg]->handle : 0;
	}
	return count;
}

/*
 * Taking a view, the engine binds its texture to the unit that happens to be active, that is the last one of an earlier
 * draw, and so do transfers, copies and the creation of resources and views. It binds units again only where the view is
 * another one. So when anything of that happened, every unit of every stage is emptied and set.
 */
static void find_disturbed_units(struct gpu_device *dev)
{
	uint32_t views[GPU_MAX_UNITS];

	for (unsigned stage = 0; stage < SHADER_COMPUTE && !dev->units_disturbed; stage++) {
		const struct stage_state *state = &dev->stages[stage];
		uint32_t count;

		if (!(state->dirty & STAGE_DIRTY_UNITS))
			continue;
		count = wanted_views(state, views);
		dev->units_disturbed = count != state->bound_view_count ||
				       memcmp(views, state->bound_views, count * sizeof(*views));
	}
	for (unsigned stage = 0; stage < SHADER_COMPUTE && dev->units_disturbed; stage++)
		dev->stages[stage].dirty |= STAGE_DIRTY_UNITS;
}

static void emit_views(struct gpu_device *dev, enum shader_stage stage)
{
	static const uint32_t none[GPU_MAX_UNITS];
	struct stage_state *state = &dev->stages[stage];
	uint32_t views[GPU_MAX_UNITS], count = wanted_views(state, views);

	if (!count && !state->bound_view_count)
		return;
	stream_set_views(&dev->stream, (enum d3dgpu_stage)stage, 0, count, none);
	if (count)
		stream_set_views(&dev->stream, (enum d3dgpu_stage)stage, 0, count, views);
	memcpy(state->bound_views, views, count * sizeof(*views));
	state->bound_view_count = count;
}

static void emit_samplers(struct gpu_device *dev, enum shader_stage stage, const struct shader_info *info)
{
	struct stage_state *state = &dev->stages[stage];
	uint32_t samplers[GPU_MAX_UNITS], count = info->unit_count;

	for (uint32_t i = 0; i < count; i++) {
		const struct shader_unit *unit = &info->units[i];
		struct gpu_view *view = unit->texture < MAX_TEXTURES ? state->textures[unit->texture] : NULL;
		struct gpu_sampler *sampler = unit->sampler < MAX_SAMPLERS ? state->samplers[unit->sampler] : NULL;

		if (!sampler)
			sampler = default_sampler(dev);
		samplers[i] = sampler ? sampler_handle(dev, sampler, view ? view->lod_shift : 0) : 0;
	}
	if (count && (count != state->bound_sampler_count ||
		      memcmp(samplers, state->bound_samplers, count * sizeof(*samplers)))) {
		stream_bind_samplers(&dev->stream, (enum d3dgpu_stage)stage, 0, count, samplers);
		memcpy(state->bound_samplers, samplers, count * sizeof(*samplers));
		state->bound_sampler_count = count;
	}
}

/* Whether a stage's constants depend on the draw itself. */
static bool constants_follow_draw(const struct stage_state *state)
{
	return state->variant->system_mask & 1u << SHADER_SYS_DRAW;
}

static bool constants_follow_viewport(const struct gpu_device *dev, const struct stage_state *state)
{
	return dev->dirty & DIRTY_VIEWPORTS && state->variant->system_mask & 1u << SHADER_SYS_POSITION;
}

static void emit_stage(struct gpu_device *dev, enum shader_stage stage, const struct gpu_draw *draw)
{
	struct stage_state *state = &dev->stages[stage];
	struct gpu_shader *shader = state->shader;
	uint32_t handle = shader ? state->variant->handle : 0;
	const struct shader_info *info;

	if (stage == SHADER_PIXEL && !shader)
		handle = dev->null_pixel_shader->variants->handle;
	if (handle != state->bound_shader) {
		stream_bind_shader(&dev->stream, (enum d3dgpu_stage)stage, handle);
		state->bound_shader = handle;
	}
	if (!shader)
		return;
	info = gpu_shader_info(shader);
	if (state->dirty & STAGE_DIRTY_CONSTANTS || constants_follow_draw(state) ||
	    constants_follow_viewport(dev, state))
		emit_constants(dev, stage, draw);
	if (state->dirty & STAGE_DIRTY_BUFFERS)
		emit_constant_buffers(dev, stage, info);
	if (state->dirty & STAGE_DIRTY_UNITS) {
		if (dev->units_disturbed)
			emit_views(dev, stage);
		emit_samplers(dev, stage, info);
	}
	state->dirty = 0;
}

/* ---- all of it ---- */

int emit_state(struct gpu_device *dev, const struct gpu_draw *draw)
{
	int error = shaders_update(dev);

	if (!error && !dev->zero_buffer && dev->bindings_listed != dev->serial && needs_zeros(dev))
		error = make_zero_buffer(dev);
	if (!error)
		error = send_input(dev, draw);
	if (error)
		return error;
	/* This may submit what was recorded: only then is it known what must be listed. */
	error = stream_reserve(&dev->stream, emit_bound(dev));
	if (!error && !bindings_listed(dev, draw))
		error = claim_bindings(dev, draw);
	if (error)
		return error;
	emit_output(dev);
	error = emit_input(dev, draw);
	if (error)
		return error;
	find_disturbed_units(dev);
	for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++)
		emit_stage(dev, stage, draw);
	dev->units_disturbed = false;
	dev->dirty = 0;
	return dev->stream.error;
}
