/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: creation, names, end. When the last reference goes, every worker that knows the object is told to
 * forget it; its memory returns to the pool when they have, which is checked when memory is wanted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "winsys_limits.h"
#include "loopback.h"
#include "winsys_share.h"

/* ---- end ---- */

static bool user_done(const struct loopback_device *device, const struct zombie *zombie, unsigned i)
{
	const struct loopback_context *context = &device->contexts[zombie->users[i].context];

	if (context->generation != zombie->users[i].generation || context->state == CONTEXT_NONE ||
	    context->state == CONTEXT_ENDED)
		return true;
	/* A lost context signals before its worker is dead: only its end counts. */
	return context->state == CONTEXT_LIVE && !context_fault(context) &&
	       context_value(context) >= zombie->users[i].entry;
}

static bool zombie_done(const struct loopback_device *device, const struct zombie *zombie)
{
	for (unsigned i = 0; i < zombie->count; i++)
		if (!user_done(device, zombie, i))
			return false;
	return true;
}

void objects_reap(struct loopback_device *device)
{
	struct zombie **link;

	if (device->zombies)
		contexts_end_lost(device);
	/* From here on the lock is held: others end objects too. */
	link = &device->zombies;
	while (*link) {
		struct zombie *zombie = *link;

		if (!zombie_done(device, zombie)) {
			link = &zombie->next;
			continue;
		}
		*link = zombie->next;
		if (zombie->offset != VRAM_NOWHERE)
			vram_free(&device->vram, zombie->offset, zombie->size);
		device->stats.bo_destroys++;
		free(zombie);
	}
}

/* Tells one worker to forget an object; adds it to those that must have done so. */
static void forget(struct loopback_device *device, const struct loopback_object *object,
		   const struct object_user *user, struct zombie *zombie)
{
	struct loopback_context *context = &device->contexts[user->context];
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_RES_DESTROY, .res_destroy.resource = object->image.res_id};
	uint64_t number = UINT64_MAX;

	if (user->generation != context->generation || context->state == CONTEXT_NONE ||
	    context->state == CONTEXT_ENDED)
		return;
	if (context->state == CONTEXT_LIVE && !context_fault(context) && ring_write(context, &entry, true, &number))
		number = UINT64_MAX;
	zombie->users[zombie->count].context = user->context;
	zombie->users[zombie->count].generation = user->generation;
	zombie->users[zombie->count++].entry = number;
}

/* The last reference is gone. device->lock is held. */
static void object_end(struct loopback_device *device, struct loopback_object *object)
{
	struct zombie *zombie = calloc(1, sizeof(*zombie) + object->user_count * sizeof(zombie->users[0]));
	struct loopback_object **link = &device->shared;

	while (object->moving)
		device_sleep_unlocked(device, device_interrupts(device));
	TAILQ_REMOVE(&device->objects, object, link);
	while (*link && *link != object)
		link = &(*link)->next;
	if (*link)
		*link = object->next;
	if (zombie) { /* without one its memory is lost to the pool, nothing else is */
		zombie->offset = object->offset;
		zombie->size = object->size;
		for (unsigned i = 0; i < object->user_count; i++)
			forget(device, object, &object->users[i], zombie);
		zombie->next = device->zombies;
		device->zombies = zombie;
	}
	ring_kick(device);
	objects_reap(device);
	free(object->saved);
	free(object->users);
	free(object);
}

void object_destroy(struct winsys_bo *base)
{
	struct loopback_bo *bo = (struct loopback_bo *)base;
	struct loopback_device *device;

	if (!bo)
		return;
	device = (struct loopback_device *)base->ws;
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	if (!--bo->object->references)
		object_end(device, bo->object);
	pthread_mutex_unlock(&device->lock);
	free(bo);
}

/* ---- creation ---- */

static int object_create(struct winsys *ws, enum winsys_bo_kind kind, const struct d3dgpu_resource_desc *desc,
			 uint64_t size, uint64_t alignment, const struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out)
{
	struct loopback_device *device = (struct loopback_device *)ws;
	struct loopback_object *object = calloc(1, sizeof(*object));
	struct loopback_bo *bo = calloc(1, sizeof(*bo));
	int error = -ENOMEM;

	if (!object || !bo)
		goto fail;
	object->size = d3dgpu_align(size, D3DGPU_RESOURCE_ALIGN);
	object->alignment = alignment;
	object->image_current = true;
	object->image.desc = *desc;
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	error = object_place(device, object);
	if (!error) {
		device->stats.bo_creates++;
		object->image.res_id = ++device->next_resource;
		TAILQ_INSERT_TAIL(&device->objects, object, link);
	}
	pthread_mutex_unlock(&device->lock);
	if (error)
		goto fail;
	object->references = 1;
	object->image.ws = ws;
	object->image.kind = kind;
	object->image.handle = object->image.res_id;
	object->image.size = object->size;
	if (ds)
		object->image.ds = *ds;
	if (kind == WINSYS_BO_STAGING)
		object->image.map = device->memory + object->offset;
	bo->base = object->image;
	bo->object = object;
	*out = &bo->base;
	return 0;

fail:
	free(object);
	free(bo);
	return error;
}

int object_staging(struct winsys *ws, uint64_t size, struct winsys_bo **out)
{
	struct loopback_device *device = (struct loopback_device *)ws;
	struct d3dgpu_resource_desc desc;

	if (!size || size > device->stats.vram_size || size > UINT32_MAX - D3DGPU_RESOURCE_ALIGN)
		return -EINVAL;
	size = d3dgpu_align(size, D3DGPU_RESOURCE_ALIGN);
	desc = winsys_staging_desc(size);
	return object_create(ws, WINSYS_BO_STAGING, &desc, size, D3DGPU_RESOURCE_ALIGN, NULL, out);
}

int object_resource(struct winsys *ws, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out)
{
	if (!winsys_resource_supported(&ws->caps, desc))
		return -EINVAL;
	return object_create(ws, WINSYS_BO_RESOURCE, desc, d3dgpu_linear_size(desc), D3DGPU_RESOURCE_ALIGN, NULL, out);
}

/* Runs the depth-stencil unit. */
static void ask_unit(struct loopback_device *device, struct d3dgpu_ds_mailbox *ds)
{
	memset(&ds->status, 0, sizeof(*ds) - offsetof(struct d3dgpu_ds_mailbox, status));
	pthread_mutex_lock(&device->lock);
	device->ctrl->dsu = *ds;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	d3dgpu_core_write(device->core, D3DGPU_REG_DSU_RUN, 1, 4);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	*ds = device->ctrl->dsu;
	pthread_mutex_unlock(&device->lock);
}

int object_depth_stencil(struct winsys *ws, struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out)
{
	struct d3dgpu_resource_desc desc;

	ask_unit((struct loopback_device *)ws, ds);
	if (ds->status != D3DGPU_DS_OK)
		return -EINVAL;
	desc = winsys_ds_desc(ds);
	if (!d3dgpu_resource_valid(&desc) || ds->size < d3dgpu_linear_size(&desc))
		return -EIO;
	return object_create(ws, WINSYS_BO_DEPTH_STENCIL, &desc, ds->size,
			     ds->alignment < D3DGPU_RESOURCE_ALIGN ? D3DGPU_RESOURCE_ALIGN : ds->alignment, ds, out);
}

/* Those that never leave VRAM keep their content whatever is said. */
int object_set_needed(struct winsys_bo *base, bool needed)
{
	struct loopback_device *device = (struct loopback_device *)base->ws;
	struct loopback_object *object = ((struct loopback_bo *)base)->object;
	bool purged;

	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	purged = object->unneeded && !object->version;
	object->unneeded = !needed;
	pthread_mutex_unlock(&device->lock);
	return !purged;
}

/* ---- sharing ---- */

int object_share(struct winsys_bo *base, uint64_t *token)
{
	struct loopback_device *device = (struct loopback_device *)base->ws;
	struct loopback_object *object = ((struct loopback_bo *)base)->object;
	int error = 0;

	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	if (!object->token) {
		error = winsys_random_token(&object->token);
		if (!error) {
			object->next = device->shared;
			device->shared = object;
		}
	}
	*token = object->token;
	pthread_mutex_unlock(&device->lock);
	return error;
}

int object_open(struct winsys *ws, uint64_t token, struct winsys_bo **out)
{
	struct loopback_device *device = (struct loopback_device *)ws;
	struct loopback_bo *bo = calloc(1, sizeof(*bo));
	struct loopback_object *object;

	if (!bo)
		return -ENOMEM;
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	for (object = device->shared; object && object->token != token; object = object->next)
		;
	if (object)
		object->references++;
	pthread_mutex_unlock(&device->lock);
	if (!object) {
		free(bo);
		return -ENOENT;
	}
	bo->base = object->image;
	bo->object = object;
	*out = &bo->base;
	return 0;
}
