/* SPDX-License-Identifier: MIT */
/*
 * Buffers that the CPU writes often. Such a buffer object holds several slots, each as large as the buffer; beside it
 * lies a staging buffer with the same slots. Discarding the content means moving on to a slot that no pending work
 * uses, so that neither side waits. A buffer starts with few slots and gets more when they are all busy.
 *
 * Programs append to large buffers with no-overwrite maps that do not say where they write. Uploading all of the
 * buffer each time would be far too much: such a slot is marked, and each draw sends the bytes that it reads.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_ALIGN 256u /* bytes; enough for vertex, index and constant bindings */
#define SLOTS_AT_FIRST 4u
#define SLOTS_BUDGET (4u << 20) /* bytes that a buffer may grow to; at least SLOTS_AT_FIRST slots */

/* Makes the two buffer objects for `count` slots. */
static int slots_create(struct gpu_device *dev, struct resource *res, uint32_t count, struct tracked_bo *tracked,
			struct tracked_bo *shadow, uint64_t **serials)
{
	struct d3dgpu_resource_desc desc = res->base.desc;
	uint64_t size = (uint64_t)res->slots.stride * count;
	int error;

	if (size > UINT32_MAX)
		return -EINVAL;
	desc.width = (uint32_t)size;
	*serials = device_alloc(dev, count * sizeof(**serials));
	if (!*serials)
		return -ENOMEM;
	error = dev->ws->ops->resource_create(dev->ws, &desc, &tracked->bo);
	if (error)
		goto free_serials;
	error = dev->ws->ops->staging_create(dev->ws, size, &shadow->bo);
	if (error)
		goto destroy_bo;
	dev->stats.staging_buffers++;
	return 0;

destroy_bo:
	dev->ws->ops->bo_destroy(tracked->bo);
	tracked->bo = NULL;
free_serials:
	free(*serials);
	*serials = NULL;
	return error;
}

int slots_init(struct gpu_device *dev, struct resource *res)
{
	uint32_t count = SLOTS_AT_FIRST;
	int error;

	res->slots.stride = (uint32_t)d3dgpu_align(res->base.desc.width, SLOT_ALIGN);
	if ((uint64_t)res->slots.stride * count > 16u << 20)
		count = 2;
	error = slots_create(dev, res, count, &res->tracked, &res->shadow, &res->slots.serials);
	if (!error)
		res->slots.count = count;
	return error;
}

/* Doubles the number of slots. The old buffer objects go when pending work is done with them. */
static int slots_grow(struct gpu_device *dev, struct resource *res, bool keep)
{
	struct tracked_bo tracked = {0}, shadow = {0};
	uint64_t *serials;
	uint32_t count = res->slots.count * 2;
	int error = slots_create(dev, res, count, &tracked, &shadow, &serials);

	if (error)
		return error;
	if (keep)
		memcpy(shadow.bo->map, slots_data(res), res->base.desc.width);
	unbind_constant_buffers(dev, res);
	device_retire(dev, &res->tracked);
	device_retire(dev, &res->shadow);
	free(res->slots.serials);
	res->tracked = tracked;
	res->shadow = shadow;
	res->base.bo = tracked.bo;
	res->slots.serials = serials;
	res->slots.count = count;
	res->slots.current = 0;
	return 0;
}

bool slots_busy(struct gpu_device *dev, const struct resource *res)
{
	return !device_done(dev, res->tracked.listed);
}

static void slots_move(struct resource *res, uint32_t next, bool keep)
{
	const uint8_t *old = slots_data(res);

	res->slots.current = next;
	if (keep)
		memcpy(slots_data(res), old, res->base.desc.width);
}

int slots_advance(struct gpu_device *dev, struct resource *res, bool keep)
{
	struct rename_slots *slots = &res->slots;
	uint32_t next = (slots->current + 1) % slots->count;
	bool full = (uint64_t)slots->stride * slots->count * 2 > SLOTS_BUDGET;
	int error = 0;

	if (!slots_busy(dev, res))
		goto done; /* nobody has seen what is in it */
	slots->serials[slots->current] = dev->serial;
	if (device_done(dev, slots->serials[next]))
		slots_move(res, next, keep);
	else if (full || slots_grow(dev, res, keep)) {
		/* As large as it may get: wait for the oldest slot. */
		error = device_wait(dev, slots->serials[next]);
		if (!error)
			slots_move(res, next, keep);
	}
	rebind_buffer(dev, res);
done:
	slots->unsent = false;
	slots->stale = slots->stale && keep;
	return error;
}

uint8_t *slots_data(const struct resource *res)
{
	return (uint8_t *)res->shadow.bo->map + buffer_offset(res);
}

int slots_upload(struct gpu_device *dev, struct resource *res, uint32_t offset, uint32_t size)
{
	struct stream_transfer transfer = {
		.box = {buffer_offset(res) + offset, 0, 0, size, 1, 1},
		.offset = buffer_offset(res) + offset,
		/* The slot was free when it was taken, and the caller keeps off what pending draws read. */
		.synchronized = false,
	};
	const struct list_use uses[] = {use_of(res, true), use_of_memory(&res->shadow, false)};
	int error = device_claim(dev, STREAM_COMMAND_WORDS, uses, 2);

	if (error)
		return error;
	transfer.resource = res->tracked.bo->res_id;
	transfer.staging = res->shadow.bo->res_id;
	stream_transfer(&dev->stream, &transfer);
	dev->stats.copies++;
	return 0;
}

void slots_mark_unsent(struct resource *res)
{
	res->slots.unsent = true;
	res->slots.sent_first = res->slots.sent_end = 0;
}

int slots_send(struct gpu_device *dev, struct resource *res, uint32_t offset, uint32_t size)
{
	struct rename_slots *slots = &res->slots;
	uint32_t width = res->base.desc.width, end;
	int error;

	if (!slots->unsent || offset >= width || !size)
		return 0;
	end = size < width - offset ? offset + size : width;
	if (offset >= slots->sent_first && end <= slots->sent_end)
		return 0;
	error = slots_upload(dev, res, offset, end - offset);
	if (error)
		return error;
	if (offset <= slots->sent_end && end >= slots->sent_first && slots->sent_end) {
		slots->sent_first = offset < slots->sent_first ? offset : slots->sent_first;
		slots->sent_end = end > slots->sent_end ? end : slots->sent_end;
	} else {
		slots->sent_first = offset;
		slots->sent_end = end;
	}
	if (slots->sent_first == 0 && slots->sent_end == width)
		slots->unsent = false;
	return 0;
}
