/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "abi.h"
#include "d3dgpu_caps.h"
#include "d3dgpu_ds.h"
#include "d3dgpu_regs.h"
#include "d3dgpu_resource.h"
#include "d3dgpu_ring.h"
#include "tap.h"

#define NO_HANDLE 4711u		/* a name that nothing has */
#define TOP (1ull << 63)
#define TOP32 (1u << 31)
#define BAD_POINTER 8
#define FAR_POINTER (1ull << 33)	/* beyond what a 32-bit program can have; nothing is there in any other */

#define PLACE(type, field) #field, offsetof(struct type, field), sizeof(((struct type *)0)->field)
#define IN(type, field, wrong, error) {PLACE(type, field), ABI_IN, wrong, error}
#define PAD(type, field) IN(type, field, 1, -EINVAL), IN(type, field, TOP32, -EINVAL)
#define ANY(type, field) {PLACE(type, field), ABI_ANY, 0, 0}
#define OUT(type, field) {PLACE(type, field), ABI_OUT, 0, 0}

static void close_handle(struct abi_world *world, uint32_t handle)
{
	struct drm_gem_close args = {.handle = handle};

	abi_need(world->fd, DRM_IOCTL_GEM_CLOSE, &args, "GEM_CLOSE");
}

/* ---- GET_PARAM, GET_CAPS ---- */

static void prepare_get_param(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_get_param *args = memory;

	args->param = D3DGPU_PARAM_MAX_STREAM;
	args->pad = 0;
}

static void check_get_param(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_get_param *args = memory;

	tap_eq(args->value, D3DGPU_MAX_STREAM, "GET_PARAM: the value");
}

static const struct abi_field get_param_fields[] = {
	IN(drm_d3dgpu_get_param, param, 4711, -EINVAL),
	IN(drm_d3dgpu_get_param, param, UINT32_MAX, -EINVAL),
	PAD(drm_d3dgpu_get_param, pad),
	OUT(drm_d3dgpu_get_param, value),
};

static void prepare_get_caps(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_get_caps *args = memory;

	memset(world->caps, 0, sizeof(world->caps));
	*args = (struct drm_d3dgpu_get_caps){.ptr = (uintptr_t)world->caps, .size = sizeof(world->caps)};
}

static void check_get_caps(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_get_caps *args = memory;
	struct d3dgpu_caps caps;

	memcpy(&caps, world->caps, sizeof(caps));
	tap_eq(args->size, sizeof(caps), "GET_CAPS: the size of the block");
	tap_eq(caps.magic, D3DGPU_CAPS_MAGIC, "GET_CAPS: the block");
}

static const struct abi_field get_caps_fields[] = {
	IN(drm_d3dgpu_get_caps, ptr, 0, -EFAULT),
	IN(drm_d3dgpu_get_caps, ptr, BAD_POINTER, -EFAULT),
	IN(drm_d3dgpu_get_caps, ptr, FAR_POINTER, -EFAULT),
	IN(drm_d3dgpu_get_caps, ptr, TOP, -EFAULT),
	ANY(drm_d3dgpu_get_caps, size),
	PAD(drm_d3dgpu_get_caps, pad),
};

/* ---- contexts ---- */

static void prepare_ctx_create(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_ctx_create *args = memory;

	args->flags = args->progress = 0;
	args->priority = D3DGPU_PRIORITY_HIGH;	/* tests are root */
}

static void check_ctx_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_ctx_create *args = memory;

	tap_ok(args->ctx_id && args->ctx_id != world->ctx, "CTX_CREATE: an id");
}

static void undo_ctx_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_ctx_create *made = memory;
	struct drm_d3dgpu_ctx_destroy args = {.ctx_id = made->ctx_id};

	abi_need(world->fd, DRM_IOCTL_D3DGPU_CTX_DESTROY, &args, "CTX_DESTROY");
}

static const struct abi_field ctx_create_fields[] = {
	IN(drm_d3dgpu_ctx_create, flags, 1, -EINVAL),
	IN(drm_d3dgpu_ctx_create, flags, TOP32, -EINVAL),
	IN(drm_d3dgpu_ctx_create, priority, D3DGPU_PRIORITY_COUNT, -EINVAL),
	IN(drm_d3dgpu_ctx_create, priority, UINT32_MAX, -EINVAL),
	OUT(drm_d3dgpu_ctx_create, ctx_id),
	PAD(drm_d3dgpu_ctx_create, progress),
};

static void prepare_ctx_destroy(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_ctx_destroy *args = memory;

	if (!world->doomed)
		world->doomed = abi_new_context(world->fd);
	*args = (struct drm_d3dgpu_ctx_destroy){.ctx_id = world->doomed};
}

static void check_ctx_destroy(struct abi_world *world, const void *memory)
{
	struct drm_d3dgpu_ctx_query args = {.ctx_id = world->doomed};

	tap_eq(abi_ioctl(world->fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &args), -ENOENT, "CTX_DESTROY: the context is not there");
}

static void undo_ctx_destroy(struct abi_world *world, const void *memory)
{
	world->doomed = 0;
}

static const struct abi_field ctx_destroy_fields[] = {
	IN(drm_d3dgpu_ctx_destroy, ctx_id, 0, -ENOENT),
	IN(drm_d3dgpu_ctx_destroy, ctx_id, NO_HANDLE, -ENOENT),
	PAD(drm_d3dgpu_ctx_destroy, pad),
};

static void prepare_ctx_query(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_ctx_query *args = memory;

	args->ctx_id = world->ctx;
}

static void check_ctx_query(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_ctx_query *args = memory;

	tap_eq(args->status, 0, "CTX_QUERY: the context is alive");
}

static const struct abi_field ctx_query_fields[] = {
	IN(drm_d3dgpu_ctx_query, ctx_id, 0, -ENOENT),
	IN(drm_d3dgpu_ctx_query, ctx_id, NO_HANDLE, -ENOENT),
	OUT(drm_d3dgpu_ctx_query, status),
	OUT(drm_d3dgpu_ctx_query, completed),
	OUT(drm_d3dgpu_ctx_query, submitted),
};

/* ---- objects ---- */

static void prepare_staging_create(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_staging_create *args = memory;

	args->size = 5000;
	args->flags = args->pad = 0;
}

static void check_staging_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_staging_create *args = memory;

	tap_eq(args->size, 8192, "STAGING_CREATE: the size in pages");
	tap_ok(args->handle && args->res_id, "STAGING_CREATE: a handle and a name");
}

static void undo_staging_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_staging_create *args = memory;

	close_handle(world, args->handle);
}

static const struct abi_field staging_create_fields[] = {
	IN(drm_d3dgpu_staging_create, size, 0, -EINVAL),
	IN(drm_d3dgpu_staging_create, size, TOP, -EINVAL),
	IN(drm_d3dgpu_staging_create, size, UINT64_MAX, -EINVAL),
	IN(drm_d3dgpu_staging_create, flags, 1, -EINVAL),
	IN(drm_d3dgpu_staging_create, flags, TOP32, -EINVAL),
	OUT(drm_d3dgpu_staging_create, handle),
	OUT(drm_d3dgpu_staging_create, res_id),
	PAD(drm_d3dgpu_staging_create, pad),
};

static void prepare_resource_create(struct abi_world *world, void *memory)
{
	const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = D3DGPU_BIND_SAMPLER_VIEW,
		.width = 64, .height = 32, .depth = 1, .array_size = 1};
	struct drm_d3dgpu_resource_create *args = memory;

	memcpy(args->desc, &desc, sizeof(desc));
	args->flags = args->pad = 0;
}

static void check_resource_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_resource_create *args = memory;

	tap_ok(args->handle && args->res_id, "RESOURCE_CREATE: a handle and a name");
	tap_eq(args->size, 64 * 32 * 4, "RESOURCE_CREATE: the size");
}

static void undo_resource_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_resource_create *args = memory;

	close_handle(world, args->handle);
}

/* The descriptor is at the structure's begin. */
#define DESC(field, wrong) IN(d3dgpu_resource_desc, field, wrong, -EINVAL)

static const struct abi_field resource_create_fields[] = {
	DESC(format, 0),
	DESC(format, 60000),
	DESC(target, 5),
	DESC(target, 255),
	DESC(samples, 3),
	DESC(bind, 0),
	DESC(bind, TOP32),
	DESC(bind, D3DGPU_BIND_STAGING),
	DESC(bind, D3DGPU_BIND_DEPTH_STENCIL),
	DESC(width, 0),
	DESC(width, UINT32_MAX),
	DESC(height, 0),
	DESC(height, UINT16_MAX),
	DESC(depth, 0),
	DESC(depth, 2),
	DESC(array_size, 0),
	DESC(array_size, 2),
	DESC(last_level, 7),
	DESC(last_level, 255),
	DESC(flags, 1),
	DESC(reserved, 1),
	IN(drm_d3dgpu_resource_create, flags, 1, -EINVAL),
	IN(drm_d3dgpu_resource_create, flags, TOP32, -EINVAL),
	OUT(drm_d3dgpu_resource_create, handle),
	OUT(drm_d3dgpu_resource_create, res_id),
	PAD(drm_d3dgpu_resource_create, pad),
	OUT(drm_d3dgpu_resource_create, size),
};

static void prepare_ds_create(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_ds_create *args = memory;

	args->width = 320;
	args->height = 200;
	args->format = D3DGPU_DS_D24S8;
	args->layers = args->levels = 1;
	args->samples = args->quality = args->usage = args->discard = args->flags = 0;
}

static void check_ds_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_ds_create *args = memory;

	tap_eq(args->status, D3DGPU_DS_OK, "DS_CREATE: the unit's answer");
	tap_ok(args->handle && args->res_id, "DS_CREATE: a handle and a name");
	tap_ok(args->size >= (uint64_t)args->pitch * 200 && args->pitch >= 320 * 4, "DS_CREATE: size and pitch");
	tap_ok(args->storage_format && args->quality_levels, "DS_CREATE: format and quality levels");
}

static void undo_ds_create(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_ds_create *args = memory;

	close_handle(world, args->handle);
}

#define DS(field, wrong) IN(drm_d3dgpu_ds_create, field, wrong, -EINVAL)

static const struct abi_field ds_create_fields[] = {
	DS(width, 0), DS(width, UINT32_MAX),
	DS(height, 0), DS(height, UINT32_MAX),
	DS(format, 0), DS(format, 21),
	DS(samples, 3), DS(samples, UINT32_MAX),
	DS(quality, 1000), DS(quality, UINT32_MAX),
	DS(usage, TOP32),
	DS(discard, 2), DS(discard, UINT32_MAX),
	DS(layers, 0), DS(layers, UINT16_MAX),
	DS(levels, 0), DS(levels, UINT16_MAX),
	DS(flags, 1), DS(flags, TOP32),
	OUT(drm_d3dgpu_ds_create, status),
	OUT(drm_d3dgpu_ds_create, handle),
	OUT(drm_d3dgpu_ds_create, res_id),
	OUT(drm_d3dgpu_ds_create, storage_format),
	OUT(drm_d3dgpu_ds_create, pitch),
	OUT(drm_d3dgpu_ds_create, size),
	OUT(drm_d3dgpu_ds_create, stencil_offset),
	OUT(drm_d3dgpu_ds_create, quality_levels),
	OUT(drm_d3dgpu_ds_create, ds_flags),
};

static void prepare_gem_mmap(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_gem_mmap *args = memory;

	args->handle = world->staging;
	args->pad = 0;
}

/* The offset is above 4 GiB: a 32-bit program needs an off_t of 64 bits for it. */
static void check_gem_mmap(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_mmap *args = memory;
	uint32_t *map = abi_map(world->fd, args->offset);

	if (!tap_ok(map != NULL, "GEM_MMAP: the offset can be mapped"))
		return;
	tap_eq(map[1], world->stream[1], "GEM_MMAP: it is the buffer");
	munmap(map, ABI_PAGE);
}

static const struct abi_field gem_mmap_fields[] = {
	IN(drm_d3dgpu_gem_mmap, handle, 0, -EINVAL),
	IN(drm_d3dgpu_gem_mmap, handle, NO_HANDLE, -EINVAL),
	PAD(drm_d3dgpu_gem_mmap, pad),
	OUT(drm_d3dgpu_gem_mmap, offset),
};

static void prepare_gem_info(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_gem_info *args = memory;

	args->handle = world->texture;
	args->pad = 0;
}

static void check_gem_info(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_info *args = memory;

	tap_eq(args->kind, D3DGPU_KIND_RESOURCE, "GEM_INFO: the kind");
	tap_ok(args->res_id, "GEM_INFO: the name");
	tap_eq(args->size, 64 * 64 * 4, "GEM_INFO: the size");
	tap_eq(args->placement, D3DGPU_PLACEMENT_VRAM, "GEM_INFO: where it is");
	tap_eq(args->flags, D3DGPU_INFO_SHARED, "GEM_INFO: it has a token");
}

static const struct abi_field gem_info_fields[] = {
	IN(drm_d3dgpu_gem_info, handle, 0, -EINVAL),
	IN(drm_d3dgpu_gem_info, handle, NO_HANDLE, -EINVAL),
	OUT(drm_d3dgpu_gem_info, kind),
	OUT(drm_d3dgpu_gem_info, res_id),
	PAD(drm_d3dgpu_gem_info, pad),
	OUT(drm_d3dgpu_gem_info, size),
	OUT(drm_d3dgpu_gem_info, desc),
	OUT(drm_d3dgpu_gem_info, placement),
	OUT(drm_d3dgpu_gem_info, flags),
};

static void prepare_gem_madvise(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_gem_madvise *args = memory;

	args->handle = world->texture;
	args->advice = D3DGPU_ADVICE_WILLNEED;
	args->pad = 0;
}

static void check_gem_madvise(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_madvise *args = memory;

	tap_eq(args->retained, 1, "GEM_MADVISE: the content is there");
}

static const struct abi_field gem_madvise_fields[] = {
	IN(drm_d3dgpu_gem_madvise, handle, 0, -EINVAL),
	IN(drm_d3dgpu_gem_madvise, handle, NO_HANDLE, -EINVAL),
	IN(drm_d3dgpu_gem_madvise, advice, 2, -EINVAL),
	IN(drm_d3dgpu_gem_madvise, advice, UINT32_MAX, -EINVAL),
	OUT(drm_d3dgpu_gem_madvise, retained),
	PAD(drm_d3dgpu_gem_madvise, pad),
};

static void prepare_gem_share(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_gem_share *args = memory;

	args->handle = world->texture;
	args->pad = 0;
}

static void check_gem_share(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_share *args = memory;

	tap_eq(args->token, world->token, "GEM_SHARE: the same token each time");
}

static const struct abi_field gem_share_fields[] = {
	IN(drm_d3dgpu_gem_share, handle, 0, -EINVAL),
	IN(drm_d3dgpu_gem_share, handle, NO_HANDLE, -EINVAL),
	PAD(drm_d3dgpu_gem_share, pad),
	OUT(drm_d3dgpu_gem_share, token),
};

static void prepare_gem_open(struct abi_world *world, void *memory)
{
	struct drm_d3dgpu_gem_open *args = memory;

	args->token = world->token;
	args->pad = 0;
}

static void check_gem_open(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_open *args = memory;

	tap_ok(args->handle && args->handle != world->texture, "GEM_OPEN: a handle of its own");
	tap_eq(args->kind, D3DGPU_KIND_RESOURCE, "GEM_OPEN: the kind");
	tap_eq(args->size, 64 * 64 * 4, "GEM_OPEN: the size");
}

static void undo_gem_open(struct abi_world *world, const void *memory)
{
	const struct drm_d3dgpu_gem_open *args = memory;

	close_handle(world, args->handle);
}

static const struct abi_field gem_open_fields[] = {
	IN(drm_d3dgpu_gem_open, token, 0, -ENOENT),
	IN(drm_d3dgpu_gem_open, token, 1, -ENOENT),
	IN(drm_d3dgpu_gem_open, token, UINT64_MAX, -ENOENT),
	OUT(drm_d3dgpu_gem_open, handle),
	OUT(drm_d3dgpu_gem_open, kind),
	OUT(drm_d3dgpu_gem_open, res_id),
	PAD(drm_d3dgpu_gem_open, pad),
	OUT(drm_d3dgpu_gem_open, size),
	OUT(drm_d3dgpu_gem_open, desc),
};

/* ---- SUBMIT ---- */

/* The structure, and behind it the lists that it points to. */
struct submit_memory {
	struct drm_d3dgpu_submit args;
	struct drm_d3dgpu_submit_bo bo;
	struct drm_d3dgpu_sync in, out;
};

static void prepare_submit(struct abi_world *world, void *memory)
{
	struct submit_memory *submit = memory;

	submit->args = (struct drm_d3dgpu_submit){
		.ctx_id = world->ctx,
		.command_handle = world->staging,
		.command_offset = 64,
		.command_size = 256,
		.bo_count = 1,
		.bos = (uintptr_t)&submit->bo,
		.in_sync_count = 1,
		.out_sync_count = 1,
		.in_syncs = (uintptr_t)&submit->in,
		.out_syncs = (uintptr_t)&submit->out,
	};
	submit->bo = (struct drm_d3dgpu_submit_bo){.handle = world->texture, .flags = D3DGPU_SUBMIT_BO_WRITE};
	submit->in = submit->out = (struct drm_d3dgpu_sync){.handle = world->syncobj};
}

static void check_submit(struct abi_world *world, const void *memory)
{
	const struct submit_memory *submit = memory;
	uint32_t handle = submit->out.handle;
	struct drm_syncobj_wait wait = {.handles = (uintptr_t)&handle, .timeout_nsec = INT64_MAX, .count_handles = 1};
	struct drm_d3dgpu_ctx_query query = {.ctx_id = world->ctx};

	abi_need(world->fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait, "SYNCOBJ_WAIT");
	abi_need(world->fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &query, "CTX_QUERY");
	tap_eq(query.status, 0, "SUBMIT: the stream was good");
	tap_eq(query.completed, query.submitted, "SUBMIT: it has run");
}

#define SUBMIT(field, wrong, error) IN(submit_memory, field, wrong, error)

static const struct abi_field submit_fields[] = {
	SUBMIT(args.ctx_id, 0, -ENOENT),
	SUBMIT(args.ctx_id, NO_HANDLE, -ENOENT),
	SUBMIT(args.flags, 1, -EINVAL),
	SUBMIT(args.flags, TOP32, -EINVAL),
	SUBMIT(args.command_handle, 0, -EINVAL),
	SUBMIT(args.command_handle, NO_HANDLE, -EINVAL),
	SUBMIT(args.command_offset, 2, -EINVAL),
	SUBMIT(args.command_offset, ABI_PAGE, -EINVAL),
	SUBMIT(args.command_offset, UINT32_MAX - 3, -EINVAL),
	SUBMIT(args.command_size, 0, -EINVAL),
	SUBMIT(args.command_size, 6, -EINVAL),
	SUBMIT(args.command_size, ABI_PAGE, -EINVAL),
	SUBMIT(args.command_size, UINT32_MAX - 3, -EINVAL),
	SUBMIT(args.bo_count, D3DGPU_SUBMIT_MAX_BOS + 1, -EINVAL),
	SUBMIT(args.bo_count, UINT32_MAX, -EINVAL),
	SUBMIT(args.bos, 0, -EFAULT),
	SUBMIT(args.bos, BAD_POINTER, -EFAULT),
	SUBMIT(args.bos, FAR_POINTER, -EFAULT),
	SUBMIT(args.bos, TOP, -EFAULT),
	SUBMIT(args.in_sync_count, D3DGPU_SUBMIT_MAX_SYNCS + 1, -EINVAL),
	SUBMIT(args.in_sync_count, UINT32_MAX, -EINVAL),
	SUBMIT(args.out_sync_count, D3DGPU_SUBMIT_MAX_SYNCS + 1, -EINVAL),
	SUBMIT(args.out_sync_count, UINT32_MAX, -EINVAL),
	SUBMIT(args.in_syncs, 0, -EFAULT),
	SUBMIT(args.in_syncs, FAR_POINTER, -EFAULT),
	SUBMIT(args.in_syncs, TOP, -EFAULT),
	SUBMIT(args.out_syncs, 0, -EFAULT),
	SUBMIT(args.out_syncs, FAR_POINTER, -EFAULT),
	SUBMIT(args.out_syncs, TOP, -EFAULT),
	OUT(submit_memory, args.seqno),
	SUBMIT(bo.handle, 0, -EINVAL),
	SUBMIT(bo.handle, NO_HANDLE, -EINVAL),
	SUBMIT(bo.flags, 2, -EINVAL),
	SUBMIT(bo.flags, TOP32, -EINVAL),
	SUBMIT(in.handle, 0, -ENOENT),
	SUBMIT(in.handle, NO_HANDLE, -ENOENT),
	SUBMIT(in.pad, 1, -EINVAL),
	SUBMIT(in.point, 1, -EINVAL),	/* it has no point */
	SUBMIT(out.handle, 0, -ENOENT),
	SUBMIT(out.handle, NO_HANDLE, -ENOENT),
	SUBMIT(out.pad, 1, -EINVAL),
	ANY(submit_memory, out.point),
};

/* ---- the table ---- */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define CALL(NAME, name, check, undo) \
	{#NAME, DRM_IOCTL_D3DGPU_##NAME, sizeof(struct drm_d3dgpu_##name), prepare_##name, check, undo, name##_fields, \
	 COUNT(name##_fields)}

const struct abi_call abi_calls[] = {
	CALL(GET_PARAM, get_param, check_get_param, NULL),
	CALL(GET_CAPS, get_caps, check_get_caps, NULL),
	CALL(CTX_CREATE, ctx_create, check_ctx_create, undo_ctx_create),
	CALL(CTX_DESTROY, ctx_destroy, check_ctx_destroy, undo_ctx_destroy),
	CALL(CTX_QUERY, ctx_query, check_ctx_query, NULL),
	CALL(STAGING_CREATE, staging_create, check_staging_create, undo_staging_create),
	CALL(RESOURCE_CREATE, resource_create, check_resource_create, undo_resource_create),
	CALL(DS_CREATE, ds_create, check_ds_create, undo_ds_create),
	CALL(GEM_MMAP, gem_mmap, check_gem_mmap, NULL),
	CALL(GEM_INFO, gem_info, check_gem_info, NULL),
	CALL(GEM_MADVISE, gem_madvise, check_gem_madvise, NULL),
	CALL(GEM_SHARE, gem_share, check_gem_share, NULL),
	CALL(GEM_OPEN, gem_open, check_gem_open, undo_gem_open),
	{"SUBMIT", DRM_IOCTL_D3DGPU_SUBMIT, sizeof(struct submit_memory), prepare_submit, check_submit, NULL, submit_fields,
	 COUNT(submit_fields)},
};
const size_t abi_call_count = COUNT(abi_calls);
