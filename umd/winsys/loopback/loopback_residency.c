/* SPDX-License-Identifier: MIT */
/*
 * Which objects lie in VRAM, in which workers they are, and who has their present content: the part of the kernel
 * driver's memory management, in small.
 *
 * The content of a resource is in the workers' 3D objects or in its linear image. A worker that reads what another one
 * wrote last gets it by a flush there and a load here. When the pool is full, the objects that were used longest ago
 * leave it: their workers flush and forget them, and the images go to plain memory. They come back, with a new range,
 * when a submit lists them again. Objects whose range is their storage (staging buffers, which the program has mapped,
 * and query results) never leave.
 *
 * A submit holds its objects while its entries are written: held objects stay where they are. Only one thread at a time
 * places objects, so that two submits that each have half of what they need do not starve each other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loopback.h"

/* Objects that leave the pool in one go. */
#define VICTIMS_MAX 256u

static bool is_storage(const struct loopback_object *object)
{
	return object->image.desc.bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_CUSTOM);
}

static bool in_vram(const struct loopback_object *object)
{
	return object->offset != VRAM_NOWHERE;
}

/* ---- who has it ---- */

/* Whether the context is the one that had this generation of its slot, and has a worker that does what it is told. */
static bool context_works(const struct loopback_context *context, uint32_t generation)
{
	return context->generation == generation && context->state == CONTEXT_LIVE && !context_fault(context);
}

static struct object_user *find_user(struct loopback_object *object, const struct loopback_context *context)
{
	for (unsigned i = 0; i < object->user_count; i++)
		if (object->users[i].context == context->base.id)
			return &object->users[i];
	return NULL;
}

/* The context's entry in the object's list, of no meaning yet if its generation is another one. */
static struct object_user *add_user(struct loopback_object *object, const struct loopback_context *context)
{
	struct object_user *user = find_user(object, context), *users;

	if (user)
		return user;
	users = realloc(object->users, (object->user_count + 1) * sizeof(*users));
	if (!users)
		return NULL;
	object->users = users;
	user = &users[object->user_count++];
	*user = (struct object_user){.context = context->base.id};
	return user;
}

/* Has the last writer bring the linear image up to date, and waits for it. What a lost context wrote is lost with it. */
static void flush_image(struct loopback_object *object, struct loopback_device *device)
{
	struct loopback_context *writer = &device->contexts[object->writer];
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FLUSH, .transfer.resource = object->image.res_id};
	uint32_t generation = object->writer_generation;
	uint64_t number, version = object->version;

	if (context_works(writer, generation) && !ring_write(writer, &entry, true, &number)) {
		ring_kick(device);
		context_wait_entry(writer, generation, number);
	}
	/* The lock was given up: if it was written again, that is what the next reader asks for. */
	if (object->version == version)
		object->image_current = true;
}

static int write_create(struct loopback_context *context, const struct loopback_object *object)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RES_CREATE,
		.res_create =
			{
				.resource = object->image.res_id,
				.backing = object->offset,
				.size = object->size,
				.desc = object->image.desc,
			},
	};

	return ring_write(context, &entry, false, NULL);
}

static int write_load(struct loopback_context *context, const struct loopback_object *object)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_LOAD, .transfer.resource = object->image.res_id};

	return ring_write(context, &entry, false, NULL);
}

static int write_restore(struct loopback_context *context, const struct loopback_object *object, bool load)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RESTORE,
		.restore =
			{
				.resource = object->image.res_id,
				.flags = load ? D3DGPU_RESTORE_LOAD : 0,
				.backing = object->offset,
				.size = object->size,
			},
	};

	return ring_write(context, &entry, false, NULL);
}

/* Others have used it: their work on it, and on its image, is done first. */
static void wait_for_others(struct loopback_context *context, const struct loopback_object *object)
{
	struct loopback_context *other = &context->device->contexts[object->last_context];

	if (object->last_entry && other != context)
		context_wait_entry(other, object->last_generation, object->last_entry);
}

int object_prepare(struct loopback_context *context, struct loopback_object *object)
{
	struct object_user *user = add_user(object, context);
	bool known, resident, load;
	int error = 0;

	if (!user)
		return -ENOMEM;
	/* Waiting gives the lock up, and then the list may move; what it says of this context stays. */
	known = user->generation == context->generation;
	resident = known && user->resident;
	wait_for_others(context, object);
	load = object->version && !is_storage(object) &&
	       !(resident && find_user(object, context)->version == object->version);
	if (load && !object->image_current)
		flush_image(object, context->device);
	if (!known)
		error = write_create(context, object);
	else if (!resident)
		error = write_restore(context, object, load);
	if (!error && load && (!known || resident))
		error = write_load(context, object);
	if (error)
		return error;
	user = find_user(object, context);
	*user = (struct object_user){context->base.id, context->generation, true, object->version};
	return 0;
}

void object_used(struct loopback_context *context, struct loopback_object *object, uint64_t entry, bool write)
{
	struct loopback_device *device = context->device;

	object->last_context = context->base.id;
	object->last_generation = context->generation;
	object->last_entry = entry;
	if (is_storage(object))
		return;
	TAILQ_REMOVE(&device->objects, object, link);
	TAILQ_INSERT_TAIL(&device->objects, object, link);
	if (!write)
		return;
	find_user(object, context)->version = ++object->version;
	object->writer = context->base.id;
	object->writer_generation = context->generation;
	object->image_current = false;
}

/* An object whose present content only this context's worker has. */
static struct loopback_object *find_unflushed(struct loopback_context *context)
{
	struct loopback_object *object;

	TAILQ_FOREACH (object, &context->device->objects, link)
		if (object->version && !object->image_current && object->writer == context->base.id &&
		    object->writer_generation == context->generation)
			break;
	return object;
}

void objects_flush_context(struct loopback_context *context)
{
	struct loopback_object *object;

	while ((object = find_unflushed(context))) {
		struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FLUSH, .transfer.resource = object->image.res_id};

		object->image_current = true;
		object->last_context = context->base.id;
		object->last_generation = context->generation;
		object->last_entry = context->next_entry;
		if (ring_write(context, &entry, true, NULL))
			return;
	}
}

/* ---- out of VRAM ---- */

static bool may_leave(const struct loopback_object *object)
{
	return in_vram(object) && !is_storage(object) && !object->held && !object->wanted;
}

/* Has all workers forget an object; last[] gets the entry that each of them must have done. */
static void write_evictions(struct loopback_device *device, struct loopback_object *object, uint64_t *last)
{
	for (unsigned i = 0; i < object->user_count; i++) {
		struct object_user *user = &object->users[i];
		struct loopback_context *context = &device->contexts[user->context];
		bool writer = object->version && !object->image_current && !object->unneeded &&
			      object->writer == user->context && object->writer_generation == user->generation;
		struct d3dgpu_entry entry = {
			.opcode = D3DGPU_OP_EVICT,
			.evict = {.resource = object->image.res_id, .flags = writer ? D3DGPU_EVICT_FLUSH : 0},
		};

		if (!user->resident || user->generation != context->generation)
			continue;
		user->resident = false;
		if (context->state == CONTEXT_LIVE && !context_fault(context))
			ring_write(context, &entry, true, &last[user->context]);
	}
}

/* Moves the image of an object that no worker has any more into plain memory, if anybody needs it. Without memory for it,
 * it stays. */
static void move_out(struct loopback_device *device, struct loopback_object *object)
{
	object->moving = false;
	object->image_current = true;
	if (object->unneeded)
		object->version = 0;
	if (object->version) {
		object->saved = malloc(object->size);
		if (!object->saved)
			return;
		memcpy(object->saved, device->memory + object->offset, object->size);
	}
	vram_free(&device->vram, object->offset, object->size);
	object->offset = VRAM_NOWHERE;
}

/* Evicts what was used longest ago until `size` bytes are free, together. Returns whether anything left the pool. */
static bool evict(struct loopback_device *device, uint64_t size)
{
	struct loopback_object *victims[VICTIMS_MAX], *object;
	uint64_t last[D3DGPU_MAX_CONTEXTS] = {0}, before = device->vram.used, bytes = 0;
	uint32_t generations[D3DGPU_MAX_CONTEXTS];
	unsigned count = 0;

	TAILQ_FOREACH (object, &device->objects, link) {
		if (count == VICTIMS_MAX || bytes >= size)
			break;
		if (!may_leave(object))
			continue;
		object->moving = true;
		bytes += object->size;
		victims[count++] = object;
	}
	for (unsigned i = 0; i < D3DGPU_MAX_CONTEXTS; i++)
		generations[i] = device->contexts[i].generation;
	for (unsigned i = 0; i < count; i++)
		write_evictions(device, victims[i], last);
	ring_kick(device);
	for (unsigned i = 0; i < D3DGPU_MAX_CONTEXTS; i++)
		if (last[i])
			context_wait_entry(&device->contexts[i], generations[i], last[i]);
	/* A lost context signals before its worker is dead. */
	contexts_end_lost(device);
	for (unsigned i = 0; i < count; i++)
		move_out(device, victims[i]);
	return device->vram.used < before;
}

/* ---- into VRAM ---- */

static bool anything_held(const struct loopback_device *device)
{
	const struct loopback_object *object;

	TAILQ_FOREACH (object, &device->objects, link)
		if (object->held)
			return true;
	return false;
}

static void placer_enter(struct loopback_device *device)
{
	while (device->placing)
		device_sleep_unlocked(device, device_interrupts(device));
	device->placing = true;
}

static void placer_leave(struct loopback_device *device)
{
	device->placing = false;
}

/* What never moves lies at the pool's end, so that the rest stays in one piece. */
static int take_range(struct loopback_device *device, struct loopback_object *object)
{
	return is_storage(object)
		       ? vram_alloc_top(&device->vram, object->size, object->alignment, &object->offset)
		       : vram_alloc(&device->vram, object->size, object->alignment, &object->offset);
}

/* A range for the placer: free, or freed by eviction, or by objects that workers are about to forget. */
static int find_range(struct loopback_device *device, struct loopback_object *object)
{
	for (;;) {
		uint32_t seen = device_interrupts(device);
		int error;

		objects_reap(device);
		error = take_range(device, object);
		if (error != -ENOMEM)
			return error;
		if (evict(device, object->size))
			continue;
		if (device_dead(device) || (!device->zombies && !anything_held(device)))
			return -ENOMEM;
		device_sleep_unlocked(device, seen);
	}
}

static int move_in(struct loopback_device *device, struct loopback_object *object)
{
	int error = find_range(device, object);

	if (error)
		return error;
	if (object->saved)
		memcpy(device->memory + object->offset, object->saved, object->size);
	free(object->saved);
	object->saved = NULL;
	return 0;
}

int object_place(struct loopback_device *device, struct loopback_object *object)
{
	int error = take_range(device, object);

	if (error != -ENOMEM)
		return error;
	placer_enter(device);
	error = find_range(device, object);
	placer_leave(device);
	return error;
}

/* ---- the objects of a submit ---- */

static struct loopback_object *listed(struct winsys_bo *const *bos, uint32_t i)
{
	return ((struct loopback_bo *)bos[i])->object;
}

static bool all_in_vram(struct winsys_bo *const *bos, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!in_vram(listed(bos, i)) || listed(bos, i)->moving)
			return false;
	return true;
}

static void want(struct winsys_bo *const *bos, uint32_t count, bool wanted)
{
	for (uint32_t i = 0; i < count; i++)
		listed(bos, i)->wanted = wanted;
}

static int move_all_in(struct loopback_device *device, struct winsys_bo *const *bos, uint32_t count)
{
	int error = 0;

	want(bos, count, true);
	for (uint32_t i = 0; i < count && !error; i++)
		if (!in_vram(listed(bos, i)))
			error = move_in(device, listed(bos, i));
	want(bos, count, false);
	return error;
}

/* Their bytes may all fit and still not find a place between each other: then they leave too, and come back in turn. */
static int place_list(struct loopback_device *device, struct winsys_bo *const *bos, uint32_t count)
{
	int error = move_all_in(device, bos, count);

	if (error != -ENOMEM)
		return error;
	while (evict(device, UINT64_MAX))
		;
	return move_all_in(device, bos, count);
}

int objects_hold(struct loopback_device *device, struct winsys_bo *const *bos, uint32_t count)
{
	int error = 0;

	if (!all_in_vram(bos, count)) {
		placer_enter(device);
		error = place_list(device, bos, count);
		placer_leave(device);
	}
	for (uint32_t i = 0; i < count && !error; i++)
		listed(bos, i)->held++;
	return error;
}

void objects_release(struct winsys_bo *const *bos, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		listed(bos, i)->held--;
}
