// SPDX-License-Identifier: GPL-2.0-only
#include <linux/sizes.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_range_manager.h>
#include <drm/ttm/ttm_tt.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"

/**
 * DOC: Places
 *
 * TTM manages the pool. An object is in VRAM or in system memory, which it has only while it is
 * evicted; nothing runs from there. TTM looks for a range, and when there is none evicts objects in
 * the order in which they were used, as far as the pass allows (enum d3dgpu_ttm_pass).
 *
 * Leaving VRAM, an object is taken away from the workers first (d3dgpu_residency.c), then copied.
 * What has never been written needs no copy: its system memory is not even allocated, and coming
 * back it is cleared.
 */

static const struct ttm_place d3dgpu_vram_passes[D3DGPU_TTM_PASSES] = {
	[0 ... D3DGPU_TTM_PASSES - 1] = { .mem_type = TTM_PL_VRAM },
};

static const struct ttm_place d3dgpu_system_place = { .mem_type = TTM_PL_SYSTEM };

static struct ttm_placement d3dgpu_system_placement = {
	.num_placement = 1,
	.placement = &d3dgpu_system_place,
	D3DGPU_COMPAT_BUSY_PLACEMENT(1, &d3dgpu_system_place)
};

static struct d3dgpu_device *d3dgpu_from_ttm(struct ttm_device *ttm)
{
	return container_of(ttm, struct d3dgpu_device, ttm);
}

static struct ttm_tt *d3dgpu_ttm_tt_create(struct ttm_buffer_object *tbo, u32 flags)
{
	struct ttm_tt *tt = kzalloc(sizeof(*tt), GFP_KERNEL);

	if (tt && ttm_tt_init(tt, tbo, flags, ttm_cached, 0)) {
		kfree(tt);
		tt = NULL;
	}
	return tt;
}

static void d3dgpu_ttm_tt_destroy(struct ttm_device *ttm, struct ttm_tt *tt)
{
	ttm_tt_fini(tt);
	kfree(tt);
}

static struct d3dgpu_bo *d3dgpu_bo_from_ttm(struct ttm_buffer_object *tbo)
{
	return container_of(tbo, struct d3dgpu_bo, ttm);
}

/* ---- moves ---- */

/* Up to so many bytes, the CPU has cleared them before the device knows that it should. */
#define D3DGPU_CLEAR_SMALL SZ_64K

/* Bytes that the CPU clears at a time. */
#define D3DGPU_CLEAR_PIECE SZ_2M

/* In pieces: an object may be gigabytes, and others want the CPU. */
static void d3dgpu_ttm_clear(struct d3dgpu_bo *bo, u64 offset)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	u64 size = d3dgpu_bo_size(bo);
	struct dma_fence *fence = NULL;
	u64 at;

	if (size > D3DGPU_CLEAR_SMALL)
		fence = d3dgpu_paging_clear(gdev, offset, size);
	if (fence) {
		dma_resv_add_fence(bo->ttm.base.resv, fence, DMA_RESV_USAGE_KERNEL);
		dma_fence_put(fence);
		return;
	}

	for (at = 0; at < size; at += D3DGPU_CLEAR_PIECE) {
		memset(gdev->vram + offset + at, 0, min_t(u64, size - at, D3DGPU_CLEAR_PIECE));
		cond_resched();
	}
}

static bool d3dgpu_ttm_has_pages(struct ttm_tt *tt)
{
	return tt && (ttm_tt_is_populated(tt) || tt->page_flags & TTM_TT_FLAG_SWAPPED);
}

/* Into VRAM. When the device has gone, there is nothing to fill. */
static int d3dgpu_ttm_move_in(struct d3dgpu_bo *bo, struct ttm_operation_ctx *ctx,
			      struct ttm_resource *to)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	u64 offset = (u64)to->start << PAGE_SHIFT;
	u64 size = d3dgpu_bo_size(bo);
	bool copy = d3dgpu_ttm_has_pages(bo->ttm.ttm);
	int idx, ret = 0;

	if (!drm_dev_enter(&gdev->drm, &idx)) {
		ttm_bo_move_null(&bo->ttm, to);
	} else {
		if (copy) {
			ret = ttm_bo_move_memcpy(&bo->ttm, ctx, to);
		} else {
			d3dgpu_ttm_clear(bo, offset);
			ttm_bo_move_null(&bo->ttm, to);
		}
		drm_dev_exit(idx);
	}
	if (ret)
		return ret;
	if (copy)
		atomic64_add(size, &gdev->vram_pool.restored);
	bo->offset = offset;
	d3dgpu_vram_account(bo, true);
	smp_store_release(&bo->placed, true); /* the offset is there before it */
	return 0;
}

/* Nobody needs what is left behind: there is nothing to copy. Pages that are asked for are clear. */
static void d3dgpu_ttm_drop(struct d3dgpu_bo *bo, struct ttm_resource *to)
{
	bo->ttm.ttm->page_flags |= TTM_TT_FLAG_ZERO_ALLOC;
	ttm_bo_move_null(&bo->ttm, to);
}

/* Out of VRAM. */
static int d3dgpu_ttm_move_out(struct d3dgpu_bo *bo, struct ttm_operation_ctx *ctx,
			       struct ttm_resource *to)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	int idx, ret;

	ret = ttm_bo_wait_ctx(&bo->ttm, ctx);
	if (ret)
		return ret;
	ret = d3dgpu_residency_evict(bo, bo->purgeable, ctx->interruptible);
	if (ret)
		return ret;
	if (bo->purgeable || (!d3dgpu_bo_is_storage(bo) && !bo->written) ||
	    !drm_dev_enter(&gdev->drm, &idx)) {
		d3dgpu_ttm_drop(bo, to);
	} else {
		ret = ttm_bo_move_memcpy(&bo->ttm, ctx, to);
		drm_dev_exit(idx);
	}
	if (ret) {
		WRITE_ONCE(bo->placed, true);
		return ret;
	}
	d3dgpu_vram_account(bo, false);
	atomic64_inc(&gdev->vram_pool.evictions);
	atomic64_add(d3dgpu_bo_size(bo), &gdev->vram_pool.evicted);
	return 0;
}

static int d3dgpu_ttm_move(struct ttm_buffer_object *tbo, bool evict, struct ttm_operation_ctx *ctx,
			   struct ttm_resource *to, struct ttm_place *hop)
{
	struct d3dgpu_bo *bo = d3dgpu_bo_from_ttm(tbo);
	int ret;

	if (to->mem_type == TTM_PL_VRAM)
		return d3dgpu_ttm_move_in(bo, ctx, to);
	if (!tbo->resource || tbo->resource->mem_type == TTM_PL_SYSTEM) {
		ttm_bo_move_null(tbo, to);
		return 0;
	}
	/* Who is on the way out makes room by that. */
	if (!kref_get_unless_zero(&tbo->base.refcount))
		return -EBUSY;
	ret = d3dgpu_ttm_move_out(bo, ctx, to);
	d3dgpu_bo_put(bo);
	return ret;
}

static void d3dgpu_ttm_evict_flags(struct ttm_buffer_object *tbo, struct ttm_placement *placement)
{
	*placement = d3dgpu_system_placement;
}

/*
 * Called under a spinlock. TTM asks also before it swaps out an object that is in system memory,
 * with a place of its own.
 */
static bool d3dgpu_ttm_eviction_valuable(struct ttm_buffer_object *tbo,
					 const struct ttm_place *place)
{
	struct d3dgpu_bo *bo = d3dgpu_bo_from_ttm(tbo);

	if (tbo->resource->mem_type != TTM_PL_VRAM)
		return true;
	if (!kref_read(&tbo->base.refcount))
		return tbo->deleted; /* then it is only waited for */
	if (place == &d3dgpu_vram_passes[D3DGPU_TTM_PASS_PURGEABLE])
		return bo->purgeable;
	if (place == &d3dgpu_vram_passes[D3DGPU_TTM_PASS_UNFAIR])
		return d3dgpu_vram_above_share(bo);
	return true;
}

static int d3dgpu_ttm_io_mem_reserve(struct ttm_device *ttm, struct ttm_resource *mem)
{
	struct d3dgpu_device *gdev = d3dgpu_from_ttm(ttm);
	u64 offset = (u64)mem->start << PAGE_SHIFT;

	if (mem->mem_type != TTM_PL_VRAM)
		return mem->mem_type == TTM_PL_SYSTEM ? 0 : -EINVAL;
	mem->bus.addr = gdev->vram + offset;
	mem->bus.offset = gdev->vram_base + offset;
	mem->bus.is_iomem = true;
	mem->bus.caching = ttm_cached;
	return 0;
}

static struct ttm_device_funcs d3dgpu_ttm_funcs = {
	.ttm_tt_create = d3dgpu_ttm_tt_create,
	.ttm_tt_destroy = d3dgpu_ttm_tt_destroy,
	.eviction_valuable = d3dgpu_ttm_eviction_valuable,
	.evict_flags = d3dgpu_ttm_evict_flags,
	.move = d3dgpu_ttm_move,
	.io_mem_reserve = d3dgpu_ttm_io_mem_reserve,
};

/* ---- calls ---- */

/**
 * d3dgpu_ttm_bo_init() - make an object known to TTM
 * @gdev: the device
 * @bo: the object, whose GEM part is initialised; it is evicted, and clear
 * @alignment: bytes, of the offset in VRAM
 * @destroy: frees the object; called on failure too
 *
 * Return: 0, or a negative error code.
 */
int d3dgpu_ttm_bo_init(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo, u32 alignment,
		       void (*destroy)(struct ttm_buffer_object *tbo))
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	int ret;

	ret = ttm_bo_init_reserved(&gdev->ttm, &bo->ttm, ttm_bo_type_device,
				   &d3dgpu_system_placement, alignment >> PAGE_SHIFT, &ctx, NULL,
				   NULL, destroy);
	if (!ret)
		ttm_bo_unreserve(&bo->ttm);
	return ret;
}

/**
 * d3dgpu_ttm_place() - bring an object into VRAM if it is not there
 * @bo: the object, reserved; if with a ticket, TTM waits for objects that others have reserved
 * @pass: who may have to leave
 *
 * Return: 0, or a negative error code: -ENOMEM: there is no room, and nobody who could be evicted, or
 * whom the ticket may wait for: then all that is reserved with it must be released.
 */
int d3dgpu_ttm_place(struct d3dgpu_bo *bo, enum d3dgpu_ttm_pass pass)
{
	const struct ttm_place *place = &d3dgpu_vram_passes[pass];
	struct ttm_placement placement = {
		.num_placement = 1,
		.placement = place,
		D3DGPU_COMPAT_BUSY_PLACEMENT(1, place)
	};
	struct ttm_operation_ctx ctx = { .interruptible = true };

	return ttm_bo_validate(&bo->ttm, &placement, &ctx);
}

/**
 * d3dgpu_ttm_evict() - move an object out of VRAM if it is there and not pinned
 * @bo: the object, reserved
 *
 * Return: 0, or a negative error code.
 */
int d3dgpu_ttm_evict(struct d3dgpu_bo *bo)
{
	struct ttm_operation_ctx ctx = { .interruptible = true };

	if (bo->ttm.pin_count)
		return 0;
	return ttm_bo_validate(&bo->ttm, &d3dgpu_system_placement, &ctx);
}

/**
 * d3dgpu_ttm_free() - room in the pool
 * @gdev: the device
 *
 * Return: bytes that are not allocated.
 */
u64 d3dgpu_ttm_free(struct d3dgpu_device *gdev)
{
	u64 used = ttm_resource_manager_usage(ttm_manager_type(&gdev->ttm, TTM_PL_VRAM));

	return gdev->pool_size - used;
}

static void d3dgpu_ttm_fini(struct drm_device *drm, void *data)
{
	struct d3dgpu_device *gdev = to_d3dgpu(drm);

	ttm_range_man_fini(&gdev->ttm, TTM_PL_VRAM);
	ttm_device_fini(&gdev->ttm);
}

/**
 * d3dgpu_ttm_init() - set up the pool
 * @gdev: the device, whose VRAM is divided
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_ttm_init(struct d3dgpu_device *gdev)
{
	struct drm_device *drm = &gdev->drm;
	int ret;

	ret = d3dgpu_compat_ttm_device_init(&gdev->ttm, &d3dgpu_ttm_funcs, drm);
	if (ret)
		return ret;
	ret = ttm_range_man_init(&gdev->ttm, TTM_PL_VRAM, false, gdev->pool_size >> PAGE_SHIFT);
	if (ret) {
		ttm_device_fini(&gdev->ttm);
		return ret;
	}
	return drmm_add_action_or_reset(drm, d3dgpu_ttm_fini, NULL);
}
