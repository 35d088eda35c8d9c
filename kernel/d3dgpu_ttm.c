// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include <drm/drm_managed.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_range_manager.h>
#include <drm/ttm/ttm_tt.h>

#include "d3dgpu_bo.h"

/**
 * DOC: The VRAM pool
 *
 * TTM manages the pool. Every buffer object lies in VRAM for its whole life: the placement that
 * TTM is given allows nothing else, and says nothing about what it might do when the pool is
 * full, so that it refuses with -ENOMEM and evicts nobody.
 */

static const struct ttm_place d3dgpu_vram_place = { .mem_type = TTM_PL_VRAM };

static struct ttm_placement d3dgpu_vram_placement = {
	.num_placement = 1,
	.placement = &d3dgpu_vram_place,
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

/* An object is given its place while it is made, and nothing has to be copied then. */
static int d3dgpu_ttm_move(struct ttm_buffer_object *tbo, bool evict, struct ttm_operation_ctx *ctx,
			   struct ttm_resource *to, struct ttm_place *hop)
{
	if (tbo->resource && tbo->resource->mem_type != TTM_PL_SYSTEM)
		return -EINVAL;
	ttm_bo_move_null(tbo, to);
	return 0;
}

static bool d3dgpu_ttm_eviction_valuable(struct ttm_buffer_object *tbo,
					 const struct ttm_place *place)
{
	return false;
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
	.move = d3dgpu_ttm_move,
	.io_mem_reserve = d3dgpu_ttm_io_mem_reserve,
};

/**
 * d3dgpu_ttm_bo_init() - give an object a range of VRAM
 * @gdev: the device
 * @bo: the object, whose GEM part is initialised
 * @alignment: bytes, of the offset in VRAM
 * @destroy: frees the object; called on failure too
 *
 * Return: 0, or a negative error code: -ENOMEM: there is no such range.
 */
int d3dgpu_ttm_bo_init(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo, u32 alignment,
		       void (*destroy)(struct ttm_buffer_object *tbo))
{
	struct ttm_operation_ctx ctx = { .interruptible = true };
	int ret;

	ret = ttm_bo_init_reserved(&gdev->ttm, &bo->ttm, ttm_bo_type_device, &d3dgpu_vram_placement,
				   alignment >> PAGE_SHIFT, &ctx, NULL, NULL, destroy);
	if (!ret)
		ttm_bo_unreserve(&bo->ttm);
	return ret;
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
