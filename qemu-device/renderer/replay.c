/* SPDX-License-Identifier: MIT */
/*
 * Ghosts have no handle in the engine. Where one is to be bound it is created under its stand-in, bound, and destroyed
 * again at the end: then it is what it was, an object that only its binding keeps.
 */
#include "replay.h"

/* Where commands go, and what they may name. */
struct replay {
	struct script *script;
	struct record *record;
	bool present_only;
};

static bool present(const struct replay *replay, const struct object *object)
{
	return !replay->present_only || !object->resource || resource_in_engine(object->resource);
}

/* What to write for a handle or resource id: itself, or 0 for what is not to be named. */
static uint32_t object_name(const struct replay *replay, enum d3dgpu_object type, uint32_t handle)
{
	const struct object *object = record_object(replay->record, type, handle);

	return object && present(replay, object) ? handle : 0;
}

static uint32_t resource_name(const struct replay *replay, uint32_t id)
{
	const struct resource *resource = id ? resources_find(replay->record->resources, id) : NULL;

	return resource && (!replay->present_only || !resource->evicted) ? id : 0;
}

static uint32_t command(enum d3dgpu_command opcode, uint32_t length)
{
	return d3dgpu_header(opcode, 0, length);
}

/* ---- groups ---- */

/*
 * A list of targets that are all holes is an error in the engine: then it is empty. With nothing at all a draw would be
 * one, unless the framebuffer has a size of its own.
 */
static void put_framebuffer(const struct replay *replay, const struct bindings *bindings)
{
	const uint32_t one_pixel[] = {command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH, 2), 1 | 1 << 16, 0};
	const uint32_t *own_size = bindings->plain[PLAIN_NO_ATTACH].words;
	uint32_t targets[1 + D3DGPU_STREAM_MAX_TARGETS];
	uint32_t count = 0;

	for (uint32_t i = 0; i <= bindings->target_count; i++) {
		targets[i] = object_name(replay, D3DGPU_OBJ_SURFACE, bindings->targets[i]);
		if (i && targets[i])
			count = bindings->target_count;
	}
	script_add(replay->script, command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 2 + count), count);
	script_put(replay->script, 1 + count, targets);
	if (own_size[0])
		script_put(replay->script, 3, own_size);
	else if (replay->present_only)
		script_put(replay->script, 3, one_pixel);
}

/* Units of one stage: views or samplers. Those without a sampler are named too: binding none still makes the engine
 * look at the unit again. */
static void put_units(const struct replay *replay, enum d3dgpu_command opcode, enum d3dgpu_object type, uint32_t stage,
		      const uint32_t *handles, uint32_t count)
{
	if (!count)
		return;
	script_add(replay->script, command(opcode, 2 + count), stage, 0);
	for (uint32_t unit = 0; unit < count; unit++)
		script_add(replay->script, object_name(replay, type, handles[unit]));
}

static void put_views(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		put_units(replay, D3DGPU_CMD_SET_SAMPLER_VIEWS, D3DGPU_OBJ_SAMPLER_VIEW, stage, bindings->views[stage],
			  bindings->view_count[stage]);
}

static void put_samplers(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++) {
		uint32_t count = bindings->sampler_count[stage];

		if (count < bindings->view_count[stage])
			count = bindings->view_count[stage];
		put_units(replay, D3DGPU_CMD_BIND_SAMPLER_STATES, D3DGPU_OBJ_SAMPLER_STATE, stage,
			  bindings->samplers[stage], count);
	}
}

/* llvmpipe follows a null pointer where a draw finds no vertex buffer: it gets zeros instead. */
static void put_vertex_buffers(const struct replay *replay, const struct bindings *bindings)
{
	script_add(replay->script, command(D3DGPU_CMD_SET_VERTEX_BUFFERS, bindings->vertex_buffer_count * 3));
	for (uint32_t slot = 0; slot < bindings->vertex_buffer_count; slot++) {
		const uint32_t *buffer = bindings->vertex_buffers[slot];
		uint32_t name = resource_name(replay, buffer[2]);

		if (name || !replay->present_only)
			script_add(replay->script, buffer[0], buffer[1], name);
		else
			script_add(replay->script, 0, 0, RESOURCES_ID_ZEROS);
	}
}

static void put_index_buffer(const struct replay *replay, const struct bindings *bindings)
{
	uint32_t name = resource_name(replay, bindings->index_buffer[0]);

	if (name)
		script_add(replay->script, command(D3DGPU_CMD_SET_INDEX_BUFFER, 3), name, bindings->index_buffer[1],
			   bindings->index_buffer[2]);
	else
		script_add(replay->script, command(D3DGPU_CMD_SET_INDEX_BUFFER, 1), 0);
}

/* Slots of one stage that were ever set, one command each. The resource is the last of a slot's words. */
static void put_slots(const struct replay *replay, enum d3dgpu_command opcode, uint32_t stage, uint32_t mask,
		      const uint32_t *slots, uint32_t step)
{
	for (uint32_t slot = 0; mask; slot++, mask >>= 1) {
		const uint32_t *words = slots + slot * step;

		if (!(mask & 1))
			continue;
		script_add(replay->script, command(opcode, 2 + step), stage, slot);
		script_put(replay->script, step - 1, words);
		script_add(replay->script, resource_name(replay, words[step - 1]));
	}
}

static void put_uniform_buffers(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		put_slots(replay, D3DGPU_CMD_SET_UNIFORM_BUFFER, stage, bindings->uniform_mask[stage],
			  bindings->uniform_buffers[stage][0], 3);
}

static void put_shader_buffers(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		put_slots(replay, D3DGPU_CMD_SET_SHADER_BUFFERS, stage, bindings->shader_buffer_mask[stage],
			  bindings->shader_buffers[stage][0], 3);
}

static void put_images(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		put_slots(replay, D3DGPU_CMD_SET_SHADER_IMAGES, stage, bindings->image_mask[stage],
			  bindings->images[stage][0], 5);
}

static void put_atomic_buffers(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t slot = 0, mask = bindings->atomic_mask; mask; slot++, mask >>= 1) {
		const uint32_t *buffer = bindings->atomic_buffers[slot];

		if (mask & 1)
			script_add(replay->script, command(D3DGPU_CMD_SET_ATOMIC_BUFFERS, 4), slot, buffer[0],
				   buffer[1], resource_name(replay, buffer[2]));
	}
}

/* They belong together: all or none. */
static void put_stream_targets(const struct replay *replay, const struct bindings *bindings)
{
	uint32_t count = bindings->stream_target_count;

	for (uint32_t i = 0; i < bindings->stream_target_count; i++)
		if (bindings->stream_targets[i] &&
		    !object_name(replay, D3DGPU_OBJ_STREAMOUT_TARGET, bindings->stream_targets[i]))
			count = 0;
	script_add(replay->script, command(D3DGPU_CMD_SET_STREAMOUT_TARGETS, 1 + count), 0);
	script_put(replay->script, count, bindings->stream_targets);
}

static void put_states(const struct replay *replay, const struct bindings *bindings)
{
	static const uint8_t types[] = {D3DGPU_OBJ_RASTERIZER, D3DGPU_OBJ_BLEND, D3DGPU_OBJ_DSA,
					D3DGPU_OBJ_VERTEX_ELEMENTS};

	for (uint32_t i = 0; i < sizeof(types); i++)
		script_add(replay->script, d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, types[i], 1),
			   object_name(replay, types[i], bindings->states[types[i]]));
}

static void put_shaders(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		script_add(replay->script, command(D3DGPU_CMD_BIND_SHADER, 2),
			   object_name(replay, D3DGPU_OBJ_SHADER, bindings->shaders[stage]), stage);
}

/* The depth range is computed with the rasterizer that is bound: that comes first. */
static void put_viewports(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t slot = 0; slot < D3DGPU_STREAM_MAX_VIEWPORTS; slot++) {
		if (!(bindings->viewport_mask & 1u << slot))
			continue;
		script_add(replay->script, command(D3DGPU_CMD_SET_VIEWPORT_STATE, 7), slot);
		script_put(replay->script, 6, bindings->viewports[slot]);
	}
}

static void put_scissors(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t slot = 0; slot < D3DGPU_STREAM_MAX_VIEWPORTS; slot++)
		if (bindings->scissor_mask & 1u << slot)
			script_add(replay->script, command(D3DGPU_CMD_SET_SCISSOR_STATE, 3), slot,
				   bindings->scissors[slot][0], bindings->scissors[slot][1]);
}

static void put_constants(const struct replay *replay, const struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++) {
		const struct constants *constants = &bindings->constants[stage];

		if (!constants->count)
			continue;
		script_add(replay->script, command(D3DGPU_CMD_SET_CONSTANT_BUFFER, 2 + constants->count), stage, 0);
		script_put(replay->script, constants->count, constants->words);
	}
}

static void put_plain(const struct replay *replay, const struct bindings *bindings)
{
	for (enum plain plain = 0; plain < PLAIN_COUNT; plain++) {
		const uint32_t *words = bindings->plain[plain].words;

		if (words[0])
			script_put(replay->script, 1 + d3dgpu_get(D3DGPU_HEADER_LENGTH, words[0]), words);
	}
}

static void put_condition(const struct replay *replay, const struct bindings *bindings)
{
	if (!object_name(replay, D3DGPU_OBJ_QUERY, bindings->condition[0]))
		return;
	script_add(replay->script, command(D3DGPU_CMD_SET_RENDER_CONDITION, 3));
	script_put(replay->script, 3, bindings->condition);
}

static void (*const put_group[GROUP_COUNT])(const struct replay *, const struct bindings *) = {
	[GROUP_FRAMEBUFFER] = put_framebuffer,
	[GROUP_VIEWS] = put_views,
	[GROUP_VERTEX_BUFFERS] = put_vertex_buffers,
	[GROUP_INDEX_BUFFER] = put_index_buffer,
	[GROUP_UNIFORM_BUFFERS] = put_uniform_buffers,
	[GROUP_SHADER_BUFFERS] = put_shader_buffers,
	[GROUP_IMAGES] = put_images,
	[GROUP_ATOMIC_BUFFERS] = put_atomic_buffers,
	[GROUP_STREAM_TARGETS] = put_stream_targets,
	[GROUP_STATES] = put_states,
	[GROUP_SHADERS] = put_shaders,
	[GROUP_SAMPLERS] = put_samplers,
	[GROUP_VIEWPORTS] = put_viewports,
	[GROUP_SCISSORS] = put_scissors,
	[GROUP_CONSTANTS] = put_constants,
	[GROUP_PLAIN] = put_plain,
	[GROUP_CONDITION] = put_condition,
};

/* ---- all of it ---- */

static bool ghost_needed(const struct replay *replay, const struct object *ghost, uint32_t groups)
{
	return (groups & 1u << record_group_of_type(ghost->type)) && present(replay, ghost);
}

static void put_groups(const struct replay *replay, uint32_t groups)
{
	record_sweep(replay->record);
	for (const struct object *ghost = replay->record->ghosts; ghost; ghost = ghost->next)
		if (ghost_needed(replay, ghost, groups))
			object_put_create(replay->script, ghost);
	for (enum binding_group group = 0; group < GROUP_COUNT; group++)
		if (groups & 1u << group)
			put_group[group](replay, &replay->record->bindings);
	for (const struct object *ghost = replay->record->ghosts; ghost; ghost = ghost->next)
		if (ghost_needed(replay, ghost, groups))
			object_put_destroy(replay->script, ghost);
}

void replay_groups(struct script *script, struct record *record, uint32_t groups, bool present_only)
{
	struct replay replay = {script, record, present_only};

	put_groups(&replay, groups);
}

/* A query whose results have no resource any more cannot be created. */
static bool can_create(const struct replay *replay, const struct object *object)
{
	return present(replay, object) && (object->type != D3DGPU_OBJ_QUERY || object->resource);
}

/* A shader that is not finished would be in the way of others of its stage: those are put in a second turn. */
static void put_objects(const struct replay *replay, bool unfinished)
{
	const struct objects *objects = &replay->record->objects;

	for (const struct object *object = objects_next(objects, NULL); object; object = objects_next(objects, object))
		if (can_create(replay, object) && object_unfinished(object) == unfinished)
			object_put_create(replay->script, object);
}

void replay_all(struct script *script, struct record *record, bool present_only)
{
	struct replay replay = {script, record, present_only};
	const struct object *object;

	put_objects(&replay, false);
	put_objects(&replay, true);
	put_groups(&replay, REPLAY_ALL_GROUPS & ~(1u << GROUP_CONDITION));
	for (object = objects_next(&record->objects, NULL); object; object = objects_next(&record->objects, object))
		if (object->running && can_create(&replay, object))
			script_add(script, command(D3DGPU_CMD_BEGIN_QUERY, 1), object->handle);
	put_groups(&replay, 1u << GROUP_CONDITION);
}

static bool keeps_state(uint32_t opcode)
{
	switch ((enum d3dgpu_command)opcode) {
	case D3DGPU_CMD_CREATE_OBJECT:
	case D3DGPU_CMD_BIND_OBJECT:
	case D3DGPU_CMD_DESTROY_OBJECT:
	case D3DGPU_CMD_SET_VIEWPORT_STATE:
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE:
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH:
	case D3DGPU_CMD_SET_VERTEX_BUFFERS:
	case D3DGPU_CMD_SET_SAMPLER_VIEWS:
	case D3DGPU_CMD_SET_INDEX_BUFFER:
	case D3DGPU_CMD_SET_CONSTANT_BUFFER:
	case D3DGPU_CMD_SET_STENCIL_REF:
	case D3DGPU_CMD_SET_BLEND_COLOR:
	case D3DGPU_CMD_SET_SCISSOR_STATE:
	case D3DGPU_CMD_BIND_SAMPLER_STATES:
	case D3DGPU_CMD_BEGIN_QUERY:
	case D3DGPU_CMD_SET_POLYGON_STIPPLE:
	case D3DGPU_CMD_SET_CLIP_STATE:
	case D3DGPU_CMD_SET_SAMPLE_MASK:
	case D3DGPU_CMD_SET_STREAMOUT_TARGETS:
	case D3DGPU_CMD_SET_RENDER_CONDITION:
	case D3DGPU_CMD_SET_UNIFORM_BUFFER:
	case D3DGPU_CMD_BIND_SHADER:
	case D3DGPU_CMD_SET_TESS_STATE:
	case D3DGPU_CMD_SET_MIN_SAMPLES:
	case D3DGPU_CMD_SET_SHADER_BUFFERS:
	case D3DGPU_CMD_SET_SHADER_IMAGES:
	case D3DGPU_CMD_SET_ATOMIC_BUFFERS:
		return true;
	default:
		return false;
	}
}

bool replay_is_state(const uint32_t *words, uint32_t count)
{
	for (uint32_t at = 0; at < count; at += 1 + d3dgpu_get(D3DGPU_HEADER_LENGTH, words[at]))
		if (!keeps_state(d3dgpu_get(D3DGPU_HEADER_OPCODE, words[at])))
			return false;
	return true;
}
