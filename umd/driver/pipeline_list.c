/* SPDX-License-Identifier: MIT */
/*
 * The list of objects that a submit names, and which of them it writes. The kernel keeps listed objects in place and
 * moves all others as it likes; of an object that was not flagged as written it takes the content for unchanged. So what
 * is missing here shows as lost pictures under memory pressure and at no other time: D3DGPU_DEBUG=access compares every
 * list with its stream.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "decode.h"

/* Every listed object may also have to be retired: both arrays grow together, so that retiring cannot fail. */
static int list_grow(struct gpu_device *dev)
{
	uint32_t capacity = dev->bo_capacity ? dev->bo_capacity * 2 : 256;
	struct winsys_bo **bos = device_alloc(dev, capacity * sizeof(*bos));
	struct winsys_bo **retired = device_alloc(dev, capacity * sizeof(*retired));
	uint8_t *writes = device_alloc(dev, capacity);

	if (!bos || !writes || !retired) {
		free(bos);
		free(retired);
		free(writes);
		return -ENOMEM;
	}
	if (dev->bo_count) {
		memcpy(bos, dev->bos, dev->bo_count * sizeof(*bos));
		memcpy(writes, dev->bo_writes, dev->bo_count);
	}
	if (dev->retired_count)
		memcpy(retired, dev->retired, dev->retired_count * sizeof(*retired));
	free(dev->bos);
	free(dev->retired);
	free(dev->bo_writes);
	dev->bos = bos;
	dev->retired = retired;
	dev->bo_writes = writes;
	dev->bo_capacity = capacity;
	return 0;
}

/* The kernel takes 16384 objects a submit; a draw has far fewer than the rest. */
#define LIST_LIMIT 16000u
/* What a submit lists must be in VRAM together. Beyond this part of the pool it is cut into several. */
#define POOL_PART 2u

static int list_one(struct gpu_device *dev, const struct list_use *use)
{
	struct tracked_bo *tracked = use->tracked;

	if (tracked->listed != dev->serial) {
		if (dev->bo_count == dev->bo_capacity) {
			int error = list_grow(dev);

			if (error)
				return error;
		}
		tracked->listed = dev->serial;
		tracked->index = dev->bo_count;
		dev->bos[dev->bo_count] = tracked->bo;
		dev->bo_writes[dev->bo_count++] = 0;
		dev->bo_bytes += tracked->bo->size;
	}
	if (!use->write)
		return 0;
	dev->bo_writes[tracked->index] = 1;
	if (use->res) {
		use->res->write_serial = dev->serial;
		use->res->written = true;
	}
	return 0;
}

/* Bytes of all objects of a command, and of those that the current submit does not list yet. */
static uint64_t count_bytes(struct gpu_device *dev, const struct list_use *uses, uint32_t count, uint64_t *fresh)
{
	uint64_t all = 0;

	dev->count_pass++;
	*fresh = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct tracked_bo *tracked = uses[i].tracked;

		if (tracked->counted == dev->count_pass)
			continue;
		tracked->counted = dev->count_pass;
		all += tracked->bo->size;
		*fresh += tracked->listed != dev->serial ? tracked->bo->size : 0;
	}
	return all;
}

/* Objects that no submit could have in VRAM together are refused; too many for one submit begin the next. */
static int make_list_room(struct gpu_device *dev, const struct list_use *uses, uint32_t count)
{
	uint64_t pool = dev->caps.vram_size, fresh;

	if (count_bytes(dev, uses, count, &fresh) > pool)
		return -ENOMEM;
	if (!fresh || !dev->bo_count || dev->submitting ||
	    (dev->bo_bytes + fresh <= pool / POOL_PART && dev->bo_count + count <= LIST_LIMIT))
		return 0;
	return gpu_flush(dev, NULL);
}

int device_claim(struct gpu_device *dev, uint32_t words, const struct list_use *uses, uint32_t count)
{
	int error = make_list_room(dev, uses, count);

	if (!error)
		error = stream_reserve(&dev->stream, words);
	for (uint32_t i = 0; i < count && !error; i++)
		error = list_one(dev, &uses[i]);
	return error;
}

void device_retire(struct gpu_device *dev, struct tracked_bo *tracked)
{
	/* The winsys keeps a listed object alive from the submit on; until then the list holds a bare pointer. */
	if (tracked->bo && tracked->listed == dev->serial)
		dev->retired[dev->retired_count++] = tracked->bo;
	else if (tracked->bo)
		dev->ws->ops->bo_destroy(tracked->bo);
	tracked->bo = NULL;
}

void retire_listed(struct gpu_device *dev)
{
	while (dev->retired_count)
		dev->ws->ops->bo_destroy(dev->retired[--dev->retired_count]);
}

/* ---- the check ---- */

/* A list under comparison with its stream */
struct check {
	const struct winsys_submit *submit;
	unsigned faults;
};

static void check_use(void *opaque, uint32_t resource, bool write)
{
	struct check *check = opaque;
	const struct winsys_submit *submit = check->submit;
	uint32_t i = 0;

	while (i < submit->bo_count && submit->bos[i]->res_id != resource)
		i++;
	if (i < submit->bo_count && (!write || submit->writes[i]))
		return;
	check->faults++;
	fprintf(stderr, "d3dgpu: the stream %s resource %u, which is %s\n", write ? "writes" : "names", resource,
		i < submit->bo_count ? "listed as read" : "not listed");
}

int list_check(struct gpu_device *dev, const struct winsys_submit *submit)
{
	struct check check = {.submit = submit};

	if (!(dev->debug & DEBUG_ACCESS))
		return 0;
	if (!dev->access)
		dev->access = access_create();
	if (!dev->access ||
	    !access_follow(dev->access, dev->stream.words, dev->stream.used, check_use, &check))
		return -EINVAL;
	if (check.faults)
		decode_print(stderr, dev->stream.words, dev->stream.used);
	return check.faults ? -EINVAL : 0;
}
