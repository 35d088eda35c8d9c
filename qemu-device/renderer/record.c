/* SPDX-License-Identifier: MIT */
#include "record.h"

int record_init(struct record *record, struct resources *resources)
{
	*record = (struct record){.resources = resources, .stand_in = D3DGPU_STREAM_MAX_HANDLE + 1};
	return objects_init(&record->objects);
}

void record_destroy(struct record *record)
{
	for (struct object *ghost = record->ghosts, *next; ghost; ghost = next) {
		next = ghost->next;
		objects_free(&record->objects, ghost);
	}
	if (record->objects.buckets)
		objects_destroy(&record->objects);
	bindings_destroy(&record->bindings);
	*record = (struct record){0};
}

enum binding_group record_group_of_type(enum d3dgpu_object type)
{
	static const uint8_t groups[D3DGPU_OBJ_COUNT] = {
		[D3DGPU_OBJ_BLEND] = GROUP_STATES,
		[D3DGPU_OBJ_RASTERIZER] = GROUP_STATES,
		[D3DGPU_OBJ_DSA] = GROUP_STATES,
		[D3DGPU_OBJ_VERTEX_ELEMENTS] = GROUP_STATES,
		[D3DGPU_OBJ_SHADER] = GROUP_SHADERS,
		[D3DGPU_OBJ_SAMPLER_VIEW] = GROUP_VIEWS,
		[D3DGPU_OBJ_SAMPLER_STATE] = GROUP_SAMPLERS,
		[D3DGPU_OBJ_SURFACE] = GROUP_FRAMEBUFFER,
		[D3DGPU_OBJ_QUERY] = GROUP_CONDITION,
		[D3DGPU_OBJ_STREAMOUT_TARGET] = GROUP_STREAM_TARGETS,
	};

	return groups[type];
}

static bool is_bound(struct record *record, const struct object *object)
{
	return slots_hold(bindings_of_type(&record->bindings, object->type), object->handle);
}

/* ---- ghosts ---- */

static struct object *find_ghost(const struct record *record, uint32_t handle)
{
	struct object *ghost = record->ghosts;

	while (ghost && ghost->handle != handle)
		ghost = ghost->next;
	return ghost;
}

/* Gives an object that is in no table a handle that nobody uses, where it is bound also. */
static void rename_object(struct record *record, struct object *object)
{
	uint32_t handle = record->stand_in;

	do {
		handle = handle > 1 ? handle - 1 : D3DGPU_STREAM_MAX_HANDLE;
	} while (objects_find(&record->objects, handle) || find_ghost(record, handle));
	slots_rename(bindings_of_type(&record->bindings, object->type), object->handle, handle);
	object->handle = handle;
	record->stand_in = handle;
}

void record_sweep(struct record *record)
{
	struct object **link = &record->ghosts;

	while (*link) {
		struct object *ghost = *link;

		if (is_bound(record, ghost)) {
			link = &ghost->next;
			continue;
		}
		*link = ghost->next;
		objects_free(&record->objects, ghost);
	}
}

static void make_ghost(struct record *record, struct object *object)
{
	record_sweep(record); /* at most as many as there are slots remain */
	rename_object(record, object);
	object->ghost = true;
	object->next = record->ghosts;
	record->ghosts = object;
}

const struct object *record_object(const struct record *record, enum d3dgpu_object type, uint32_t handle)
{
	const struct object *object;

	if (!handle)
		return NULL;
	object = objects_find(&record->objects, handle);
	if (!object)
		object = find_ghost(record, handle);
	return object && object->type == type ? object : NULL;
}

/* ---- objects ---- */

/*
 * The object's handle is free from now on. Its type decides whether it lives on: the engine itself unbinds vertex
 * elements, queries and stream output targets (the latter with the others bound beside them).
 */
static void remove_object(struct record *record, struct object *object)
{
	struct bindings *bindings = &record->bindings;

	objects_take_out(&record->objects, object);
	if (is_bound(record, object)) {
		switch ((enum d3dgpu_object)object->type) {
		case D3DGPU_OBJ_STREAMOUT_TARGET:
			bindings_drop_stream_targets(bindings);
			break;
		case D3DGPU_OBJ_VERTEX_ELEMENTS:
		case D3DGPU_OBJ_QUERY:
			break;
		default:
			make_ghost(record, object);
			return;
		}
		slots_rename(bindings_of_type(bindings, object->type), object->handle, 0);
	}
	objects_free(&record->objects, object);
}

static struct resource *resource_of(const struct record *record, const uint32_t *command)
{
	switch ((enum d3dgpu_object)d3dgpu_get(D3DGPU_HEADER_OBJECT, command[0])) {
	case D3DGPU_OBJ_SAMPLER_VIEW:
	case D3DGPU_OBJ_SURFACE:
	case D3DGPU_OBJ_STREAMOUT_TARGET:
		return resources_find(record->resources, command[2]);
	case D3DGPU_OBJ_QUERY:
		return resources_find(record->resources, command[4]);
	default:
		return NULL;
	}
}

static bool follow_create(struct record *record, const uint32_t *command)
{
	struct object *object = objects_find(&record->objects, command[1]);
	struct object *ghost = find_ghost(record, command[1]);

	if (d3dgpu_get(D3DGPU_HEADER_OBJECT, command[0]) == D3DGPU_OBJ_SHADER &&
	    d3dgpu_get(D3DGPU_SHADER_CONTINUATION, command[3])) {
		if (!object || object->type != D3DGPU_OBJ_SHADER)
			return true; /* destroyed before it was complete: the engine refuses the rest */
		return objects_extend(&record->objects, object, command);
	}
	if (object)
		remove_object(record, object); /* replaced */
	if (ghost)
		rename_object(record, ghost);
	return objects_add(&record->objects, command, resource_of(record, command));
}

static void follow_destroy(struct record *record, uint32_t handle)
{
	struct object *object = objects_find(&record->objects, handle);

	if (object)
		remove_object(record, object);
}

/* ---- commands ---- */

static void follow_query(struct record *record, uint32_t handle, bool running)
{
	struct object *query = objects_find(&record->objects, handle);

	if (query && query->type == D3DGPU_OBJ_QUERY)
		query->running = running;
}

static void follow_bind(struct record *record, const uint32_t *command)
{
	struct object *object;

	if (d3dgpu_get(D3DGPU_HEADER_OBJECT, command[0]) == D3DGPU_OBJ_VERTEX_ELEMENTS) {
		object = objects_find(&record->objects, command[1]);
		if (object)
			object->used = true;
	}
	bindings_follow(&record->bindings, command);
}

/* The engine ignores a shader that does not exist, or not for that stage. */
static void follow_bind_shader(struct record *record, const uint32_t *command)
{
	const struct object *shader = objects_find(&record->objects, command[1]);

	if (!command[1] || (shader && shader->type == D3DGPU_OBJ_SHADER && shader->words[2] == command[2]))
		bindings_follow(&record->bindings, command);
}

/* It takes samplers that do not exist for none. */
static void follow_bind_samplers(struct record *record, const uint32_t *command)
{
	uint32_t *slots = record->bindings.samplers[command[1]];
	uint32_t end = command[2] + d3dgpu_get(D3DGPU_HEADER_LENGTH, command[0]) - 2;

	bindings_follow(&record->bindings, command);
	for (uint32_t slot = command[2]; slot < end; slot++)
		if (slots[slot] && !record_object(record, D3DGPU_OBJ_SAMPLER_STATE, slots[slot]))
			slots[slot] = 0;
}

/* Buffers that GL's vertex arrays get to know. */
static void mark_array(const struct record *record, uint32_t id)
{
	struct resource *resource = id ? resources_find(record->resources, id) : NULL;

	if (resource)
		resource->in_arrays = true;
}

static void follow_vertex_buffers(struct record *record, const uint32_t *command)
{
	uint32_t length = d3dgpu_get(D3DGPU_HEADER_LENGTH, command[0]);

	for (uint32_t word = 3; word <= length; word += 3)
		mark_array(record, command[word]);
	bindings_follow(&record->bindings, command);
}

static bool follow(struct record *record, const uint32_t *command)
{
	switch ((enum d3dgpu_command)d3dgpu_get(D3DGPU_HEADER_OPCODE, command[0])) {
	case D3DGPU_CMD_DRAW_VBO:
		return true; /* the most frequent one */
	case D3DGPU_CMD_CREATE_OBJECT:
		return follow_create(record, command);
	case D3DGPU_CMD_DESTROY_OBJECT:
		follow_destroy(record, command[1]);
		return true;
	case D3DGPU_CMD_BEGIN_QUERY:
	case D3DGPU_CMD_END_QUERY:
		follow_query(record, command[1],
			     d3dgpu_get(D3DGPU_HEADER_OPCODE, command[0]) == D3DGPU_CMD_BEGIN_QUERY);
		return true;
	case D3DGPU_CMD_BIND_OBJECT:
		follow_bind(record, command);
		return true;
	case D3DGPU_CMD_BIND_SHADER:
		follow_bind_shader(record, command);
		return true;
	case D3DGPU_CMD_BIND_SAMPLER_STATES:
		follow_bind_samplers(record, command);
		return true;
	case D3DGPU_CMD_SET_VERTEX_BUFFERS:
		follow_vertex_buffers(record, command);
		return true;
	case D3DGPU_CMD_SET_INDEX_BUFFER:
		mark_array(record, command[1]);
		return bindings_follow(&record->bindings, command);
	case D3DGPU_CMD_SET_RENDER_CONDITION:
		/* A query that does not exist leaves the condition as it is. */
		if (!command[1] || record_object(record, D3DGPU_OBJ_QUERY, command[1]))
			bindings_follow(&record->bindings, command);
		return true;
	default:
		return bindings_follow(&record->bindings, command);
	}
}

/* Whether the command destroys or replaces an object that the engine uses without a reference while it is bound. */
static bool leaves_dangling(struct record *record, const uint32_t *command)
{
	uint32_t opcode = d3dgpu_get(D3DGPU_HEADER_OPCODE, command[0]);
	const struct object *object;

	if (opcode != D3DGPU_CMD_DESTROY_OBJECT && opcode != D3DGPU_CMD_CREATE_OBJECT)
		return false;
	object = objects_find(&record->objects, command[1]);
	return object && (object->type == D3DGPU_OBJ_DSA || object->type == D3DGPU_OBJ_SAMPLER_STATE) &&
	       is_bound(record, object);
}

static void undo(struct record *record, uint32_t handle)
{
	const struct object *object = objects_find(&record->objects, handle);

	slots_rename(bindings_of_type(&record->bindings, object->type), handle, 0);
	record->undone = 1u << record_group_of_type(object->type);
}

uint32_t record_stream(struct record *record, const uint32_t *words, uint32_t at, uint32_t count)
{
	record->followed = true;
	for (; at < count && !record->failed; at += 1 + d3dgpu_get(D3DGPU_HEADER_LENGTH, words[at])) {
		if (leaves_dangling(record, words + at)) {
			undo(record, words[at + 1]);
			return at;
		}
		record->failed = !follow(record, words + at);
	}
	return at;
}

bool record_empty(const struct record *record)
{
	return !record->followed;
}

/* ---- resources ---- */

uint32_t record_groups_of(struct record *record, const struct resource *resource)
{
	uint32_t groups = 0;

	for (const struct object *object = resource->objects; object; object = object->sibling)
		if (object->type != D3DGPU_OBJ_QUERY && is_bound(record, object))
			groups |= 1u << record_group_of_type(object->type);
	for (enum binding_group group = 0; group < GROUP_NAMING; group++)
		if (slots_hold(bindings_of_resources(&record->bindings, group), resource->id))
			groups |= 1u << group;
	return groups;
}

static void unlink_ghost(struct record *record, const struct object *object)
{
	struct object **link = &record->ghosts;

	while (*link != object)
		link = &(*link)->next;
	*link = object->next;
}

void record_forget(struct record *record, struct resource *resource)
{
	for (struct object *object = resource->objects, *next; object; object = next) {
		next = object->sibling;
		if (object->type == D3DGPU_OBJ_QUERY) {
			object_leave_resource(object); /* the engine has memory of its own for the result */
			continue;
		}
		if (object->type == D3DGPU_OBJ_STREAMOUT_TARGET && is_bound(record, object))
			bindings_drop_stream_targets(&record->bindings);
		slots_rename(bindings_of_type(&record->bindings, object->type), object->handle, 0);
		if (object->ghost)
			unlink_ghost(record, object);
		else
			objects_take_out(&record->objects, object);
		objects_free(&record->objects, object);
	}
	for (enum binding_group group = 0; group < GROUP_NAMING; group++)
		slots_rename(bindings_of_resources(&record->bindings, group), resource->id, 0);
}
