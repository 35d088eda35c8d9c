/* SPDX-License-Identifier: MIT */
/*
 * The null winsys: accounts for memory and fences as a device would, shows streams to a recorder, executes nothing.
 * Content of resources never changes; staging buffers are plain memory.
 */
#include "null.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "winsys_limits.h"
#include "winsys_share.h"

/* An object, shared by all winsys_bo that name it. */
struct null_object {
	uint32_t references;
	uint64_t size;
	uint64_t token;           /* 0 = not shared yet */
	struct winsys_bo image;   /* what a new name of it starts from */
	struct null_object *next; /* in null_winsys.shared */
};

struct null_bo {
	struct winsys_bo base;
	struct null_object *object;
};

struct null_ctx {
	struct winsys_ctx base;
	uint64_t submitted;
};

struct null_winsys {
	struct winsys base;
	pthread_mutex_t lock; /* everything below */
	struct winsys_stats stats;
	struct null_object *shared;
	uint32_t next_id, next_ctx;
	uint64_t released; /* fences above stay pending */
	uint64_t unneeded; /* bytes of objects that are not needed */
	uint32_t fault;
	winsys_null_recorder recorder;
	void *opaque;
};

static struct null_winsys *null_winsys(struct winsys *ws)
{
	return (struct null_winsys *)ws;
}

static void null_destroy(struct winsys *ws)
{
	struct null_winsys *n = null_winsys(ws);

	pthread_mutex_destroy(&n->lock);
	free(n);
}

/* ---- contexts ---- */

static int null_ctx_create(struct winsys *ws, uint32_t priority, struct winsys_ctx **out)
{
	struct null_winsys *n = null_winsys(ws);
	struct null_ctx *ctx;

	if (priority >= D3DGPU_PRIORITY_COUNT)
		return -EINVAL;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx)
		return -ENOMEM;
	ctx->base.ws = ws;
	pthread_mutex_lock(&n->lock);
	ctx->base.id = ++n->next_ctx;
	n->stats.ioctls++;
	pthread_mutex_unlock(&n->lock);
	*out = &ctx->base;
	return 0;
}

static void null_ctx_destroy(struct winsys_ctx *ctx)
{
	free(ctx);
}

static uint32_t null_ctx_status(struct winsys_ctx *ctx)
{
	return null_winsys(ctx->ws)->fault;
}

/* ---- objects ---- */

/* Takes the memory from the pool and makes the first name of a new object. */
static int null_bo_create(struct winsys *ws, enum winsys_bo_kind kind, uint64_t size,
			  const struct d3dgpu_resource_desc *desc, const struct d3dgpu_ds_mailbox *ds,
			  struct winsys_bo **out)
{
	struct null_winsys *n = null_winsys(ws);
	struct null_object *object = calloc(1, sizeof(*object));
	struct null_bo *bo = calloc(1, sizeof(*bo));
	int error = -ENOMEM;

	if (!object || !bo)
		goto free_both;
	object->references = 1;
	object->size = size;
	object->image = (struct winsys_bo){.ws = ws, .kind = kind, .size = size};
	if (desc)
		object->image.desc = *desc;
	if (ds)
		object->image.ds = *ds;
	if (kind == WINSYS_BO_STAGING) {
		object->image.map = calloc(1, size);
		if (!object->image.map)
			goto free_both;
	}
	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	if (n->stats.vram_used + size > n->stats.vram_size) {
		pthread_mutex_unlock(&n->lock);
		goto free_map;
	}
	n->stats.vram_used += size;
	n->stats.bo_creates++;
	object->image.res_id = object->image.handle = ++n->next_id;
	pthread_mutex_unlock(&n->lock);
	bo->base = object->image;
	bo->object = object;
	*out = &bo->base;
	return 0;

free_map:
	free(object->image.map);
free_both:
	free(object);
	free(bo);
	return error;
}

static int null_staging_create(struct winsys *ws, uint64_t size, struct winsys_bo **out)
{
	size = d3dgpu_align(size, D3DGPU_RESOURCE_ALIGN);
	if (!size || size > ws->caps.vram_size)
		return -EINVAL;
	return null_bo_create(ws, WINSYS_BO_STAGING, size, NULL, NULL, out);
}

static int null_resource_create(struct winsys *ws, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out)
{
	if (!winsys_resource_supported(&ws->caps, desc))
		return -EINVAL;
	return null_bo_create(ws, WINSYS_BO_RESOURCE, d3dgpu_linear_size(desc), desc, NULL, out);
}

static int null_ds_create(struct winsys *ws, struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out)
{
	static const uint16_t storage[D3DGPU_DS_FORMAT_COUNT] = {
		[D3DGPU_DS_D16_LOCKABLE - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z16_UNORM,
		[D3DGPU_DS_D32 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z32_UNORM,
		[D3DGPU_DS_D15S1 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_S8_UINT_Z24_UNORM,
		[D3DGPU_DS_D24S8 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_S8_UINT_Z24_UNORM,
		[D3DGPU_DS_D24X8 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_S8_UINT_Z24_UNORM,
		[D3DGPU_DS_D24X4S4 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_S8_UINT_Z24_UNORM,
		[D3DGPU_DS_D16 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z16_UNORM,
		[D3DGPU_DS_D32F_LOCKABLE - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z32_FLOAT,
		[D3DGPU_DS_D24FS8 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z32_FLOAT_S8X24_UINT,
		[D3DGPU_DS_D32FS8 - D3DGPU_DS_FIRST_FORMAT] = D3DGPU_FMT_Z32_FLOAT_S8X24_UINT,
	};
	struct d3dgpu_resource_desc desc;
	uint32_t n = ds->format - D3DGPU_DS_FIRST_FORMAT;

	memset(&ds->status, 0, sizeof(*ds) - offsetof(struct d3dgpu_ds_mailbox, status));
	ds->status = D3DGPU_DS_OK;
	if (n >= D3DGPU_DS_FORMAT_COUNT)
		ds->status = D3DGPU_DS_NOT_A_DS_FORMAT;
	else if (!(ws->caps.ds_formats & 1u << n) || !storage[n])
		ds->status = D3DGPU_DS_FORMAT_UNAVAILABLE;
	else if (ds->samples > 1 && !(ws->caps.sample_counts & ds->samples))
		ds->status = D3DGPU_DS_BAD_SAMPLES;
	else if (ds->quality)
		ds->status = D3DGPU_DS_BAD_QUALITY;
	if (ds->status)
		return -EINVAL;
	ds->storage_format = storage[n];
	desc = winsys_ds_desc(ds);
	if (!d3dgpu_resource_valid(&desc) || !winsys_extent_supported(&ws->caps, &desc)) {
		ds->storage_format = 0;
		ds->status = D3DGPU_DS_BAD_SIZE;
		return -EINVAL;
	}
	ds->size = d3dgpu_linear_size(&desc);
	ds->alignment = D3DGPU_RESOURCE_ALIGN;
	ds->pitch = d3dgpu_linear_pitch(&desc, 0);
	ds->quality_levels = 1;
	return null_bo_create(ws, WINSYS_BO_DEPTH_STENCIL, ds->size, &desc, ds, out);
}

static int null_set_needed(struct winsys_bo *bo, bool needed)
{
	struct null_winsys *n = null_winsys(bo->ws);

	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	n->unneeded += needed ? -bo->size : bo->size;
	pthread_mutex_unlock(&n->lock);
	return 1;
}

static void null_object_release(struct null_winsys *n, struct null_object *object)
{
	struct null_object **link = &n->shared;

	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	if (--object->references) {
		pthread_mutex_unlock(&n->lock);
		return;
	}
	while (*link && *link != object)
		link = &(*link)->next;
	if (*link)
		*link = object->next;
	n->stats.vram_used -= object->size;
	n->stats.bo_destroys++;
	pthread_mutex_unlock(&n->lock);
	free(object->image.map);
	free(object);
}

static void null_bo_destroy(struct winsys_bo *base)
{
	struct null_bo *bo = (struct null_bo *)base;

	if (!bo)
		return;
	null_object_release(null_winsys(base->ws), bo->object);
	free(bo);
}

static int null_share(struct winsys_bo *base, uint64_t *token)
{
	struct null_object *object = ((struct null_bo *)base)->object;
	struct null_winsys *n = null_winsys(base->ws);
	int error = 0;

	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	if (!object->token) {
		error = winsys_random_token(&object->token);
		if (!error) {
			object->next = n->shared;
			n->shared = object;
		}
	}
	*token = object->token;
	pthread_mutex_unlock(&n->lock);
	return error;
}

static int null_open(struct winsys *ws, uint64_t token, struct winsys_bo **out)
{
	struct null_winsys *n = null_winsys(ws);
	struct null_bo *bo = calloc(1, sizeof(*bo));
	struct null_object *object;

	if (!bo)
		return -ENOMEM;
	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	for (object = n->shared; object && object->token != token; object = object->next)
		;
	if (object)
		object->references++;
	pthread_mutex_unlock(&n->lock);
	if (!object) {
		free(bo);
		return -ENOENT;
	}
	bo->base = object->image;
	bo->object = object;
	*out = &bo->base;
	return 0;
}

/* ---- submits ---- */

static int null_submit(struct winsys_ctx *base, const struct winsys_submit *submit, uint64_t *fence)
{
	struct null_ctx *ctx = (struct null_ctx *)base;
	struct null_winsys *n = null_winsys(base->ws);

	if (submit->size % 4 || submit->offset % 4 || submit->size > D3DGPU_MAX_STREAM ||
	    (submit->size && (!submit->commands || !submit->commands->map ||
			      (uint64_t)submit->offset + submit->size > submit->commands->size)))
		return -EINVAL;
	if (n->fault)
		return -EIO;
	pthread_mutex_lock(&n->lock);
	n->stats.ioctls++;
	n->stats.submits++;
	n->stats.stream_bytes += submit->size;
	pthread_mutex_unlock(&n->lock);
	if (n->recorder)
		n->recorder(n->opaque, submit,
			    submit->size ? (const uint32_t *)((char *)submit->commands->map + submit->offset) : NULL,
			    submit->size / 4);
	*fence = ++ctx->submitted;
	return 0;
}

static uint64_t null_completed(struct winsys_ctx *base)
{
	uint64_t submitted = ((struct null_ctx *)base)->submitted, released = null_winsys(base->ws)->released;

	return submitted < released ? submitted : released;
}

static int null_wait(struct winsys_ctx *ctx, uint64_t fence, uint64_t timeout)
{
	struct null_winsys *n = null_winsys(ctx->ws);

	if (fence > ((struct null_ctx *)ctx)->submitted)
		return -EINVAL;
	if (n->fault)
		return -EIO;
	if (null_completed(ctx) >= fence)
		return 0;
	pthread_mutex_lock(&n->lock);
	n->stats.waits++;
	if (timeout == UINT64_MAX && n->released < fence)
		n->released = fence; /* nobody else would ever release it */
	pthread_mutex_unlock(&n->lock);
	return null_completed(ctx) >= fence ? 0 : -ETIME;
}

static void null_get_stats(struct winsys *ws, struct winsys_stats *out)
{
	struct null_winsys *n = null_winsys(ws);

	pthread_mutex_lock(&n->lock);
	*out = n->stats;
	pthread_mutex_unlock(&n->lock);
}

static uint64_t null_vram_free(struct winsys *ws)
{
	struct winsys_stats stats;

	null_get_stats(ws, &stats);
	return stats.vram_size - stats.vram_used;
}

static const struct winsys_ops null_ops = {
	.destroy = null_destroy,
	.ctx_create = null_ctx_create,
	.ctx_destroy = null_ctx_destroy,
	.ctx_status = null_ctx_status,
	.staging_create = null_staging_create,
	.resource_create = null_resource_create,
	.ds_create = null_ds_create,
	.set_needed = null_set_needed,
	.bo_destroy = null_bo_destroy,
	.submit = null_submit,
	.completed = null_completed,
	.wait = null_wait,
	.share = null_share,
	.open = null_open,
	.get_stats = null_get_stats,
	.vram_free = null_vram_free,
};

int winsys_null_open(const struct d3dgpu_caps *caps, struct winsys **out)
{
	struct null_winsys *n = calloc(1, sizeof(*n));

	if (!n)
		return -ENOMEM;
	n->base.ops = &null_ops;
	n->base.drm_fd = -1;
	if (caps)
		n->base.caps = *caps;
	else
		winsys_null_caps(&n->base.caps);
	n->stats.vram_size = n->base.caps.vram_size;
	n->released = UINT64_MAX;
	pthread_mutex_init(&n->lock, NULL);
	*out = &n->base;
	return 0;
}

void winsys_null_record(struct winsys *ws, winsys_null_recorder recorder, void *opaque)
{
	null_winsys(ws)->recorder = recorder;
	null_winsys(ws)->opaque = opaque;
}

void winsys_null_hold(struct winsys *ws, uint64_t fence)
{
	null_winsys(ws)->released = fence;
}

uint64_t winsys_null_unneeded(struct winsys *ws)
{
	return null_winsys(ws)->unneeded;
}

void winsys_null_lose(struct winsys *ws, uint32_t fault)
{
	null_winsys(ws)->fault = fault;
}
