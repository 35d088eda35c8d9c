/* SPDX-License-Identifier: MIT */
#include "residency.h"

#include <errno.h>

#include "engine.h"
#include "replay.h"
#include "transfer.h"

#define ZEROS_BYTES 4096u /* more than the largest offset of a vertex element and the element */

int residency_begin(void)
{
	static uint8_t zeros[ZEROS_BYTES];
	static struct iovec range = {zeros, sizeof(zeros)};
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_VERTEX_BUFFER,
		.width = ZEROS_BYTES,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	struct engine_box box = {.width = ZEROS_BYTES, .height = 1, .depth = 1};
	struct engine_layout layout = {0};
	int error = engine_resource_create(RESOURCES_ID_ZEROS, &desc);

	if (!error)
		error = engine_backing_attach(RESOURCES_ID_ZEROS, &range);
	return error ? error : engine_write(RESOURCES_ID_ZEROS, 0, &box, &layout);
}

static int run_script(struct script *script)
{
	int error = 0;

	if (script->failed)
		error = ENOMEM;
	else if (script->count)
		error = engine_submit(script->words, script->count);
	script_clear(script);
	return error;
}

/*
 * Vertex elements have a GL vertex array each, which keeps the buffers of the last draw with it. So those that a buffer
 * may be in are made anew.
 */
static void put_new_arrays(struct script *script, struct record *record)
{
	uint32_t bound = record->bindings.states[D3DGPU_OBJ_VERTEX_ELEMENTS];

	for (struct object *object = objects_next(&record->objects, NULL); object;
	     object = objects_next(&record->objects, object)) {
		if (!object->used)
			continue;
		object->used = object->handle == bound;
		object_put_destroy(script, object);
		object_put_create(script, object);
	}
	if (bound)
		script_add(script, d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 1), bound);
}

/* The engine forgets all that refers to the resource. */
static int cut_off(struct residency *residency, struct resource *resource, uint32_t groups)
{
	struct script *script = &residency->script;

	resource->evicted = true; /* what is of it is not to be bound */
	replay_groups(script, residency->record, groups, true);
	for (const struct object *object = resource->objects; object; object = object->sibling)
		if (!object->ghost && object->type != D3DGPU_OBJ_QUERY)
			object_put_destroy(script, object);
	if (resource->in_arrays)
		put_new_arrays(script, residency->record);
	resource->evicted = false;
	resource->in_arrays = false;
	return run_script(script);
}

static bool has_object(const struct resource *resource)
{
	return !resource_is_range(&resource->desc);
}

/* Takes the object out of the engine. */
static int remove_object(struct residency *residency, struct resource *resource)
{
	int error = cut_off(residency, resource, record_groups_of(residency->record, resource));

	if (error)
		return error;
	resources_evict(resource);
	tidy_note(&residency->tidy, d3dgpu_linear_size(&resource->desc));
	return residency->tidy.freed >= TIDY_BYTES ? tidy_run(&residency->tidy, &residency->script) : 0;
}

static uint32_t to_fault(int error, uint32_t *info)
{
	*info = (uint32_t)error;
	if (!error)
		return D3DGPU_FAULT_NONE;
	return error == ENOMEM ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_BAD_RESOURCE;
}

uint32_t residency_evict(struct residency *residency, uint32_t id, uint32_t flags, uint32_t *info)
{
	struct resource *resource = resources_find(residency->resources, id);
	uint32_t fault = D3DGPU_FAULT_NONE;

	if (!resource || resource->evicted)
		return D3DGPU_FAULT_BAD_RESOURCE;
	if (flags & ~D3DGPU_EVICT_FLUSH)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (flags & D3DGPU_EVICT_FLUSH)
		fault = transfer_run(resource, TRANSFER_FLUSH, 0, 0, info);
	if (fault)
		return fault;
	if (has_object(resource))
		return to_fault(remove_object(residency, resource), info);
	/* Results that are on their way come into the range first. */
	if (resource->desc.bind & D3DGPU_BIND_CUSTOM)
		fault = to_fault(engine_finish(), info);
	if (!fault)
		resources_evict(resource);
	return fault;
}

/* The engine learns again all that refers to the resource. */
static int put_back(struct residency *residency, struct resource *resource)
{
	uint32_t groups = record_groups_of(residency->record, resource);
	struct script *script = &residency->script;

	for (const struct object *object = resource->objects; object; object = object->sibling)
		if (!object->ghost && object->type != D3DGPU_OBJ_QUERY)
			object_put_create(script, object);
	replay_groups(script, residency->record, groups, true);
	if (groups & (1u << GROUP_VERTEX_BUFFERS | 1u << GROUP_INDEX_BUFFER))
		resource->in_arrays = true;
	return run_script(script);
}

uint32_t residency_restore(struct residency *residency, const struct d3dgpu_entry *entry, uint32_t *info)
{
	struct resource *resource = resources_find(residency->resources, entry->restore.resource);
	uint32_t fault;

	if (!resource || !resource->evicted)
		return D3DGPU_FAULT_BAD_RESOURCE;
	if (entry->restore.flags & ~D3DGPU_RESTORE_LOAD)
		return D3DGPU_FAULT_BAD_ENTRY;
	fault = resources_restore(residency->resources, resource, entry->restore.backing, entry->restore.size, info);
	if (!fault && (entry->restore.flags & D3DGPU_RESTORE_LOAD))
		fault = transfer_run(resource, TRANSFER_LOAD, 0, 0, info);
	if (fault || !has_object(resource))
		return fault;
	return to_fault(put_back(residency, resource), info);
}

uint32_t residency_destroy(struct residency *residency, uint32_t id, uint32_t *info)
{
	struct resource *resource = resources_find(residency->resources, id);
	int error = 0;

	if (!resource)
		return D3DGPU_FAULT_BAD_RESOURCE;
	if (has_object(resource) && !resource->evicted)
		error = remove_object(residency, resource);
	if (error)
		return to_fault(error, info);
	record_forget(residency->record, resource);
	resources_remove(residency->resources, resource);
	return D3DGPU_FAULT_NONE;
}

int residency_bind(struct residency *residency, uint32_t groups)
{
	replay_groups(&residency->script, residency->record, groups, true);
	return run_script(&residency->script);
}
