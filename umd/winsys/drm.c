/* SPDX-License-Identifier: MIT */
/*
 * The winsys on the kernel driver: one ioctl per submit. Fences are the numbers of submits; what is done, and whether a
 * context is alive, is read from the page that the kernel keeps for the file. To sleep, there is a timeline syncobj per
 * context whose points are the same numbers.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "d3dgpu_drm.h"
#include "winsys.h"

struct drm_winsys {
	struct winsys base;
	struct winsys_stats stats; /* counters are changed atomically */
	const struct drm_d3dgpu_progress *progress; /* a page of them */
};

#define PROGRESS_SIZE 4096u

struct kernel_ctx {
	struct winsys_ctx base;
	const struct drm_d3dgpu_progress *progress;
	uint32_t syncobj;
	uint64_t submitted;
	struct drm_d3dgpu_submit_bo *list; /* kept between submits */
	uint32_t list_capacity;
};

static struct drm_winsys *drm_winsys(struct winsys *ws)
{
	return (struct drm_winsys *)ws;
}

static struct kernel_ctx *kernel_ctx(struct winsys_ctx *ctx)
{
	return (struct kernel_ctx *)ctx;
}

static void add(uint64_t *counter, uint64_t amount)
{
	__atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

/* Returns 0 or a negative errno. */
static int call(struct winsys *ws, unsigned long request, void *argument)
{
	add(&drm_winsys(ws)->stats.ioctls, 1);
	return drmIoctl(ws->drm_fd, request, argument) ? -errno : 0;
}

static void drm_destroy(struct winsys *ws)
{
	if (drm_winsys(ws)->progress)
		munmap((void *)drm_winsys(ws)->progress, PROGRESS_SIZE);
	close(ws->drm_fd);
	free(ws);
}

/* ---- contexts ---- */

static int drm_ctx_create(struct winsys *ws, uint32_t priority, struct winsys_ctx **out)
{
	struct drm_d3dgpu_ctx_create create = {.priority = priority};
	struct kernel_ctx *ctx = calloc(1, sizeof(*ctx));
	int error;

	if (!ctx)
		return -ENOMEM;
	add(&drm_winsys(ws)->stats.ioctls, 1);
	if (drmSyncobjCreate(ws->drm_fd, 0, &ctx->syncobj)) {
		error = -errno;
		goto free_ctx;
	}
	error = call(ws, DRM_IOCTL_D3DGPU_CTX_CREATE, &create);
	if (error)
		goto destroy_syncobj;
	ctx->base.ws = ws;
	ctx->base.id = create.ctx_id;
	ctx->progress = &drm_winsys(ws)->progress[create.progress];
	*out = &ctx->base;
	return 0;

destroy_syncobj:
	drmSyncobjDestroy(ws->drm_fd, ctx->syncobj);
free_ctx:
	free(ctx);
	return error;
}

static void drm_ctx_destroy(struct winsys_ctx *base)
{
	struct drm_d3dgpu_ctx_destroy destroy;

	if (!base)
		return;
	destroy = (struct drm_d3dgpu_ctx_destroy){.ctx_id = base->id};
	call(base->ws, DRM_IOCTL_D3DGPU_CTX_DESTROY, &destroy);
	drmSyncobjDestroy(base->ws->drm_fd, kernel_ctx(base)->syncobj);
	free(kernel_ctx(base)->list);
	free(base);
}

static uint32_t drm_ctx_status(struct winsys_ctx *base)
{
	return __atomic_load_n(&kernel_ctx(base)->progress->status, __ATOMIC_RELAXED);
}

/* ---- objects ---- */

static void close_handle(struct winsys *ws, uint32_t handle)
{
	struct drm_gem_close close = {.handle = handle};

	call(ws, DRM_IOCTL_GEM_CLOSE, &close);
}

/* Makes the user's name of an object from a handle, which it takes over also on failure. */
static int bo_wrap(struct winsys *ws, const struct winsys_bo *image, struct winsys_bo **out)
{
	struct drm_d3dgpu_gem_mmap map = {.handle = image->handle};
	struct winsys_bo *bo = malloc(sizeof(*bo));
	int error = -ENOMEM;

	if (!bo)
		goto close;
	*bo = *image;
	bo->ws = ws;
	bo->map = NULL;
	if (bo->kind == WINSYS_BO_STAGING) {
		error = call(ws, DRM_IOCTL_D3DGPU_GEM_MMAP, &map);
		if (error)
			goto free_bo;
		bo->map = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, ws->drm_fd, (off_t)map.offset);
		if (bo->map == MAP_FAILED) {
			error = -errno;
			goto free_bo;
		}
	}
	add(&drm_winsys(ws)->stats.bo_creates, 1);
	*out = bo;
	return 0;

free_bo:
	free(bo);
close:
	close_handle(ws, image->handle);
	return error;
}

static int drm_staging_create(struct winsys *ws, uint64_t size, struct winsys_bo **out)
{
	struct drm_d3dgpu_staging_create create = {.size = size};
	int error = call(ws, DRM_IOCTL_D3DGPU_STAGING_CREATE, &create);
	struct winsys_bo image = {
		.kind = WINSYS_BO_STAGING,
		.res_id = create.res_id,
		.handle = create.handle,
		.size = create.size,
	};

	return error ? error : bo_wrap(ws, &image, out);
}

static int drm_resource_create(struct winsys *ws, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out)
{
	struct drm_d3dgpu_resource_create create = {0};
	struct winsys_bo image = {.kind = WINSYS_BO_RESOURCE, .desc = *desc};
	int error;

	memcpy(create.desc, desc, sizeof(create.desc));
	error = call(ws, DRM_IOCTL_D3DGPU_RESOURCE_CREATE, &create);
	if (error)
		return error;
	image.res_id = create.res_id;
	image.handle = create.handle;
	image.size = create.size;
	return bo_wrap(ws, &image, out);
}

static void ds_answer(struct d3dgpu_ds_mailbox *ds, const struct drm_d3dgpu_ds_create *create)
{
	ds->status = create->status;
	ds->storage_format = create->storage_format;
	ds->size = create->size;
	ds->alignment = create->status ? 0 : D3DGPU_RESOURCE_ALIGN;
	ds->pitch = create->pitch;
	ds->stencil_offset = create->stencil_offset;
	ds->quality_levels = create->quality_levels;
	ds->flags = create->ds_flags;
}

static int drm_ds_create(struct winsys *ws, struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out)
{
	struct drm_d3dgpu_ds_create create = {
		.width = ds->width,
		.height = ds->height,
		.format = ds->format,
		.samples = ds->samples,
		.quality = ds->quality,
		.usage = ds->usage,
		.discard = ds->discard,
		.layers = ds->layers,
		.levels = ds->levels,
	};
	struct drm_d3dgpu_gem_info info = {0};
	struct winsys_bo image = {.kind = WINSYS_BO_DEPTH_STENCIL};
	int error = call(ws, DRM_IOCTL_D3DGPU_DS_CREATE, &create);

	/* DRM copies the answer back also when the call fails. */
	ds_answer(ds, &create);
	if (error)
		return error;
	info.handle = create.handle;
	error = call(ws, DRM_IOCTL_D3DGPU_GEM_INFO, &info);
	if (error) {
		close_handle(ws, create.handle);
		return error;
	}
	image.res_id = create.res_id;
	image.handle = create.handle;
	image.size = create.size;
	image.ds = *ds;
	memcpy(&image.desc, info.desc, sizeof(image.desc));
	return bo_wrap(ws, &image, out);
}

static int drm_set_needed(struct winsys_bo *bo, bool needed)
{
	struct drm_d3dgpu_gem_madvise advise = {
		.handle = bo->handle,
		.advice = needed ? D3DGPU_ADVICE_WILLNEED : D3DGPU_ADVICE_DONTNEED,
	};
	int error = call(bo->ws, DRM_IOCTL_D3DGPU_GEM_MADVISE, &advise);

	return error ? error : (int)advise.retained;
}

static void drm_bo_destroy(struct winsys_bo *bo)
{
	if (!bo)
		return;
	if (bo->map)
		munmap(bo->map, bo->size);
	close_handle(bo->ws, bo->handle);
	add(&drm_winsys(bo->ws)->stats.bo_destroys, 1);
	free(bo);
}

static int drm_share(struct winsys_bo *bo, uint64_t *token)
{
	struct drm_d3dgpu_gem_share share = {.handle = bo->handle};
	int error = call(bo->ws, DRM_IOCTL_D3DGPU_GEM_SHARE, &share);

	*token = share.token;
	return error;
}

static int drm_open(struct winsys *ws, uint64_t token, struct winsys_bo **out)
{
	struct drm_d3dgpu_gem_open open = {.token = token};
	int error = call(ws, DRM_IOCTL_D3DGPU_GEM_OPEN, &open);
	struct winsys_bo image = {.res_id = open.res_id, .handle = open.handle, .size = open.size};

	if (error)
		return error;
	image.kind = open.kind == D3DGPU_KIND_STAGING         ? WINSYS_BO_STAGING
		     : open.kind == D3DGPU_KIND_DEPTH_STENCIL ? WINSYS_BO_DEPTH_STENCIL
							      : WINSYS_BO_RESOURCE;
	memcpy(&image.desc, open.desc, sizeof(image.desc));
	return bo_wrap(ws, &image, out);
}

/* ---- submits ---- */

static int fill_list(struct kernel_ctx *ctx, const struct winsys_submit *submit)
{
	if (submit->bo_count > ctx->list_capacity) {
		uint32_t capacity = submit->bo_count * 2;
		struct drm_d3dgpu_submit_bo *list = realloc(ctx->list, capacity * sizeof(*list));

		if (!list)
			return -ENOMEM;
		ctx->list = list;
		ctx->list_capacity = capacity;
	}
	for (uint32_t i = 0; i < submit->bo_count; i++)
		ctx->list[i] = (struct drm_d3dgpu_submit_bo){
			.handle = submit->bos[i]->handle,
			.flags = submit->writes && submit->writes[i] ? D3DGPU_SUBMIT_BO_WRITE : 0,
		};
	return 0;
}

static int drm_submit(struct winsys_ctx *base, const struct winsys_submit *submit, uint64_t *fence)
{
	struct drm_winsys *ws = drm_winsys(base->ws);
	struct kernel_ctx *ctx = kernel_ctx(base);
	struct drm_d3dgpu_sync out = {.handle = ctx->syncobj, .point = ctx->submitted + 1};
	struct drm_d3dgpu_submit args = {
		.ctx_id = base->id,
		.command_handle = submit->commands ? submit->commands->handle : 0,
		.command_offset = submit->offset,
		.command_size = submit->size,
		.bo_count = submit->bo_count,
		.out_sync_count = 1,
		.out_syncs = (uintptr_t)&out,
	};
	int error = fill_list(ctx, submit);

	if (error)
		return error;
	args.bos = (uintptr_t)ctx->list;
	error = call(base->ws, DRM_IOCTL_D3DGPU_SUBMIT, &args);
	if (error)
		return error;
	ctx->submitted++;
	add(&ws->stats.submits, 1);
	add(&ws->stats.stream_bytes, submit->size);
	*fence = ctx->submitted;
	return 0;
}

static uint64_t drm_completed(struct winsys_ctx *base)
{
	return __atomic_load_n(&kernel_ctx(base)->progress->completed, __ATOMIC_ACQUIRE);
}

/* The kernel takes an absolute time, signed. */
static int64_t deadline(uint64_t timeout)
{
	struct timespec time;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &time);
	now = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	return timeout > (uint64_t)INT64_MAX - now ? INT64_MAX : (int64_t)(now + timeout);
}

static int drm_wait(struct winsys_ctx *base, uint64_t fence, uint64_t timeout)
{
	struct drm_winsys *ws = drm_winsys(base->ws);
	struct kernel_ctx *ctx = kernel_ctx(base);

	if (fence > ctx->submitted)
		return -EINVAL;
	if (drm_completed(base) < fence) {
		add(&ws->stats.ioctls, 1);
		add(&ws->stats.waits, 1);
		if (drmSyncobjTimelineWait(base->ws->drm_fd, &ctx->syncobj, &fence, 1, deadline(timeout), 0, NULL))
			return errno == ETIME ? -ETIME : -errno;
	}
	/* The fences of a lost context signal too. */
	return drm_ctx_status(base) ? -EIO : 0;
}

/* ---- facts ---- */

/* Not counted: whoever measures looks at numbers only before and after. */
static uint64_t get_param(struct winsys *ws, enum drm_d3dgpu_param param)
{
	struct drm_d3dgpu_get_param get = {.param = param};

	return drmIoctl(ws->drm_fd, DRM_IOCTL_D3DGPU_GET_PARAM, &get) ? 0 : get.value;
}

static uint64_t drm_vram_free(struct winsys *ws)
{
	return get_param(ws, D3DGPU_PARAM_VRAM_FREE);
}

static void drm_get_stats(struct winsys *ws, struct winsys_stats *out)
{
	*out = drm_winsys(ws)->stats;
	out->vram_size = get_param(ws, D3DGPU_PARAM_VRAM_SIZE);
	out->vram_used = out->vram_size - drm_vram_free(ws);
	out->ring_entries = get_param(ws, D3DGPU_PARAM_RING_ENTRIES);
	out->interrupts = get_param(ws, D3DGPU_PARAM_INTERRUPTS);
}

static const struct winsys_ops drm_ops = {
	.destroy = drm_destroy,
	.ctx_create = drm_ctx_create,
	.ctx_destroy = drm_ctx_destroy,
	.ctx_status = drm_ctx_status,
	.staging_create = drm_staging_create,
	.resource_create = drm_resource_create,
	.ds_create = drm_ds_create,
	.set_needed = drm_set_needed,
	.bo_destroy = drm_bo_destroy,
	.submit = drm_submit,
	.completed = drm_completed,
	.wait = drm_wait,
	.share = drm_share,
	.open = drm_open,
	.get_stats = drm_get_stats,
	.vram_free = drm_vram_free,
};

static int check_driver(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool ours = version && !strcmp(version->name, D3DGPU_DRIVER_NAME);

	drmFreeVersion(version);
	return ours ? 0 : -ENODEV;
}

static int map_progress(struct winsys *ws)
{
	void *page = mmap(NULL, PROGRESS_SIZE, PROT_READ, MAP_SHARED, ws->drm_fd, D3DGPU_PROGRESS_OFFSET);

	if (page == MAP_FAILED)
		return -errno;
	drm_winsys(ws)->progress = page;
	return 0;
}

static int read_caps(struct winsys *ws)
{
	struct drm_d3dgpu_get_caps get = {.ptr = (uintptr_t)&ws->caps, .size = sizeof(ws->caps)};
	int error = call(ws, DRM_IOCTL_D3DGPU_GET_CAPS, &get);

	if (!error && ws->caps.magic != D3DGPU_CAPS_MAGIC)
		error = -ENODEV;
	return error;
}

int winsys_drm_open(int fd, struct winsys **out)
{
	struct drm_winsys *ws;
	int error = check_driver(fd);

	if (error)
		return error;
	ws = calloc(1, sizeof(*ws));
	if (!ws)
		return -ENOMEM;
	ws->base.ops = &drm_ops;
	ws->base.drm_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (ws->base.drm_fd < 0) {
		error = -errno;
		free(ws);
		return error;
	}
	error = read_caps(&ws->base);
	if (!error)
		error = map_progress(&ws->base);
	if (error) {
		drm_destroy(&ws->base);
		return error;
	}
	*out = &ws->base;
	return 0;
}
