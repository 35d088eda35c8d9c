// SPDX-License-Identifier: GPL-2.0-only
#include <linux/iosys-map.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem_ttm_helper.h>
#include <drm/drm_mode.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_usage.h"

/**
 * DOC: Buffer objects
 *
 * A buffer object is memory with a descriptor, which tells the engine what to create for it,
 * and a res_id, its name in command streams. Staging and dumb buffers are what the CPU can map;
 * to the engine they are buffers whose storage is that memory. Resources and depth-stencil
 * surfaces live in the workers; their memory holds a linear image of them when they are
 * flushed, and is never mapped.
 *
 * The memory is a range of VRAM while the object is in use, and system pages while it is evicted
 * (d3dgpu_vram.c). A new object is clear. The range of one that has gone is free only when no
 * worker has it any more; d3dgpu_reap.c sees to that.
 */

#define D3DGPU_DUMB_PITCH_ALIGN D3DGPU_PITCH_ALIGN

static void d3dgpu_bo_gem_free(struct drm_gem_object *obj)
{
	d3dgpu_reap(to_d3dgpu_bo(obj));
}

static int d3dgpu_bo_gem_open(struct drm_gem_object *obj, struct drm_file *file)
{
	d3dgpu_share_opened(to_d3dgpu_bo(obj), file);
	return 0;
}

static int d3dgpu_bo_gem_mmap(struct drm_gem_object *obj, struct vm_area_struct *vma)
{
	if (!d3dgpu_bo_mappable(to_d3dgpu_bo(obj)))
		return -EINVAL;
	return drm_gem_ttm_mmap(obj, vma);
}

/*
 * Called before another device maps an exported buffer for DMA. VRAM is memory of this device that
 * no other can reach, so exported buffers only come home: to another file of ours, such as the one
 * that scans them out.
 */
static int d3dgpu_bo_gem_pin(struct drm_gem_object *gem)
{
	return -EOPNOTSUPP;
}

/* In VRAM, where it stays until it is unmapped. */
static int d3dgpu_bo_map_vram(struct d3dgpu_bo *bo, struct iosys_map *map)
{
	int ret;

	ret = d3dgpu_ttm_place(bo, D3DGPU_TTM_PASS_ANY);
	if (ret)
		return ret;
	dma_resv_wait_timeout(bo->ttm.base.resv, DMA_RESV_USAGE_KERNEL, false,
			      MAX_SCHEDULE_TIMEOUT);
	ttm_bo_pin(&bo->ttm);
	ret = ttm_bo_vmap(&bo->ttm, map);
	if (ret)
		ttm_bo_unpin(&bo->ttm);
	return ret;
}

/*
 * The console outlives the device while somebody has it open, and maps its buffer to draw. As user
 * space gets a page of nothing then, so does the console get memory that nobody sees.
 */
static int d3dgpu_bo_gem_vmap(struct drm_gem_object *obj, struct iosys_map *map)
{
	void *nothing;
	int ret;

	if (!drm_dev_is_unplugged(obj->dev)) {
		d3dgpu_compat_vmap_lock(obj);
		ret = d3dgpu_bo_map_vram(to_d3dgpu_bo(obj), map);
		d3dgpu_compat_vmap_unlock(obj);
		return ret;
	}
	nothing = vzalloc(obj->size);
	if (!nothing)
		return -ENOMEM;
	iosys_map_set_vaddr(map, nothing);
	return 0;
}

static void d3dgpu_bo_gem_vunmap(struct drm_gem_object *obj, struct iosys_map *map)
{
	if (!map->is_iomem) { /* as VRAM always is */
		vfree(map->vaddr);
		return;
	}
	d3dgpu_compat_vmap_lock(obj);
	ttm_bo_vunmap(&to_d3dgpu_bo(obj)->ttm, map);
	ttm_bo_unpin(&to_d3dgpu_bo(obj)->ttm);
	d3dgpu_compat_vmap_unlock(obj);
}

static const struct drm_gem_object_funcs d3dgpu_bo_gem_funcs = {
	.free = d3dgpu_bo_gem_free,
	.open = d3dgpu_bo_gem_open,
	.pin = d3dgpu_bo_gem_pin,
	.print_info = drm_gem_ttm_print_info,
	.vmap = d3dgpu_bo_gem_vmap,
	.vunmap = d3dgpu_bo_gem_vunmap,
	.mmap = d3dgpu_bo_gem_mmap,
};

/* Takes back what d3dgpu_bo_alloc() gave. */
static void d3dgpu_bo_free(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);

	if (bo->res_id)
		ida_free(&gdev->res_ids, bo->res_id);
	atomic64_sub(d3dgpu_bo_size(bo), &gdev->vram_pool.bytes);
	d3dgpu_usage_put(bo->owner);
	drm_gem_object_release(&bo->ttm.base);
	kfree(bo);
}

/* TTM has freed the memory; or there never was any. */
static void d3dgpu_bo_destroy(struct ttm_buffer_object *tbo)
{
	struct d3dgpu_bo *bo = container_of(tbo, struct d3dgpu_bo, ttm);

	if (bo->placed)
		d3dgpu_vram_account(bo, false);
	dma_fence_put(bo->image_fence);
	d3dgpu_bo_free(bo);
}

/**
 * d3dgpu_bo_put() - give a reference back
 * @bo: the object
 */
void d3dgpu_bo_put(struct d3dgpu_bo *bo)
{
	drm_gem_object_put(&bo->ttm.base);
}

/**
 * d3dgpu_bo_release() - free an object that nobody has any more, worker or handle
 * @bo: the object
 */
void d3dgpu_bo_release(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);

	mutex_lock(&gdev->bo_lock);
	list_del(&bo->link);
	mutex_unlock(&gdev->bo_lock);
	d3dgpu_compat_ttm_bo_put(&bo->ttm);
}

/* Without memory. It counts as its owner's, and among all bytes. */
static struct d3dgpu_bo *d3dgpu_bo_alloc(struct d3dgpu_device *gdev, struct d3dgpu_usage *owner,
					 u64 size)
{
	struct d3dgpu_bo *bo;
	int ret;

	bo = kzalloc(sizeof(*bo), GFP_KERNEL);
	if (!bo)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&bo->link);
	INIT_LIST_HEAD(&bo->reap_link);
	bo->owner = d3dgpu_usage_get(owner);
	bo->image_current = true;
	bo->ttm.base.funcs = &d3dgpu_bo_gem_funcs;
	drm_gem_private_object_init(&gdev->drm, &bo->ttm.base, size);
	ret = -ENOMEM;
	if (atomic64_add_return(size, &gdev->vram_pool.bytes) > gdev->vram_pool.limit)
		goto free_bo;
	ret = ida_alloc_min(&gdev->res_ids, 1, GFP_KERNEL);
	if (ret < 0)
		goto free_bo;
	bo->res_id = ret;
	return bo;

free_bo:
	d3dgpu_bo_free(bo);
	return ERR_PTR(ret);
}

/**
 * d3dgpu_bo_create() - make an object, in VRAM and clear
 * @file: whose it is
 * @kind: what it is
 * @size: bytes, not 0
 * @alignment: bytes, a power of two, of its offset in VRAM
 * @desc: what it is to the engine
 *
 * Return: the object, or an error: -ENOMEM: there is no room in the pool, and none can be made.
 */
struct d3dgpu_bo *d3dgpu_bo_create(struct drm_file *file, enum drm_d3dgpu_kind kind, u64 size,
				   u32 alignment, const struct d3dgpu_resource_desc *desc)
{
	struct d3dgpu_device *gdev = to_d3dgpu(file->minor->dev);
	struct d3dgpu_file *dfile = file->driver_priv;
	struct d3dgpu_bo *bo;
	int ret;

	if (size > gdev->pool_size)
		return ERR_PTR(-ENOMEM);
	bo = d3dgpu_bo_alloc(gdev, dfile->usage, PAGE_ALIGN(size));
	if (IS_ERR(bo))
		return bo;
	bo->kind = kind;
	bo->desc = *desc;
	alignment = max(alignment, D3DGPU_RESOURCE_ALIGN);
	ret = d3dgpu_ttm_bo_init(gdev, bo, alignment, d3dgpu_bo_destroy);
	if (ret)
		return ERR_PTR(ret);

	mutex_lock(&gdev->bo_lock);
	list_add_tail(&bo->link, &gdev->bos);
	mutex_unlock(&gdev->bo_lock);
	ret = d3dgpu_vram_place(bo);
	if (ret) {
		d3dgpu_bo_put(bo);
		return ERR_PTR(ret);
	}
	return bo;
}

/**
 * d3dgpu_bo_lookup() - object of a handle
 * @file: the file
 * @handle: the handle
 *
 * Return: the object, referenced, or NULL.
 */
struct d3dgpu_bo *d3dgpu_bo_lookup(struct drm_file *file, u32 handle)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);

	return obj ? to_d3dgpu_bo(obj) : NULL;
}

/* ---- descriptors ---- */

static bool d3dgpu_bo_extent_supported(const struct d3dgpu_caps *caps,
				       const struct d3dgpu_resource_desc *desc)
{
	switch (desc->target) {
	case D3DGPU_TARGET_BUFFER:
		return true;
	case D3DGPU_TARGET_3D:
		return desc->width <= caps->max_texture_3d &&
		       desc->height <= caps->max_texture_3d && desc->depth <= caps->max_texture_3d;
	case D3DGPU_TARGET_CUBE:
		return desc->width <= caps->max_texture_cube;
	case D3DGPU_TARGET_CUBE_ARRAY:
		return caps->options & D3DGPU_OPTION_CUBE_ARRAY &&
		       desc->width <= caps->max_texture_cube &&
		       desc->array_size <= caps->max_texture_layers;
	default:
		return desc->width <= caps->max_texture_2d &&
		       desc->height <= caps->max_texture_2d &&
		       desc->array_size <= max(caps->max_texture_layers, 1u);
	}
}

/**
 * d3dgpu_bo_desc_supported() - whether the GPU can have such a resource
 * @gdev: the device
 * @desc: the descriptor
 *
 * Return: true if it is well-formed and within the capabilities.
 */
bool d3dgpu_bo_desc_supported(struct d3dgpu_device *gdev, const struct d3dgpu_resource_desc *desc)
{
	const struct d3dgpu_caps *caps = &gdev->caps;
	u32 format;

	if (!d3dgpu_resource_valid(desc) || !d3dgpu_bo_extent_supported(caps, desc))
		return false;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return true;
	format = caps->formats[desc->format];
	return format && (!desc->samples || format & D3DGPU_FORMAT_SAMPLES(ilog2(desc->samples)));
}

static struct d3dgpu_resource_desc d3dgpu_bo_staging_desc(u64 size)
{
	return (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_STAGING,
		.width = size,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
}

/* ---- ioctls ---- */

/**
 * d3dgpu_bo_to_handle() - make a handle, which takes over the reference
 * @bo: the object; it may be gone when this returns, for another thread may close the handle
 * @file: the file
 * @handle: where to put it
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_bo_to_handle(struct d3dgpu_bo *bo, struct drm_file *file, u32 *handle)
{
	int ret = drm_gem_handle_create(file, &bo->ttm.base, handle);

	d3dgpu_bo_put(bo);
	return ret;
}

/* A buffer that the CPU maps. */
static struct d3dgpu_bo *d3dgpu_bo_create_mappable(struct drm_file *file,
						   enum drm_d3dgpu_kind kind, u64 size)
{
	struct d3dgpu_resource_desc desc;

	if (!size || size > U32_MAX - PAGE_SIZE) /* widths are 32 bits */
		return ERR_PTR(-EINVAL);
	size = PAGE_ALIGN(size);
	desc = d3dgpu_bo_staging_desc(size);
	return d3dgpu_bo_create(file, kind, size, 0, &desc);
}

int d3dgpu_staging_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_staging_create *args = data;
	struct d3dgpu_bo *bo;
	u64 size;
	u32 res_id;
	int ret;

	if (args->flags || args->pad || args->size > to_d3dgpu(drm)->pool_size)
		return -EINVAL;
	bo = d3dgpu_bo_create_mappable(file, D3DGPU_KIND_STAGING, args->size);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	size = d3dgpu_bo_size(bo);
	res_id = bo->res_id;
	ret = d3dgpu_bo_to_handle(bo, file, &args->handle);
	if (ret)
		return ret;
	args->size = size;
	args->res_id = res_id;
	return 0;
}

int d3dgpu_resource_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_resource_create *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	struct d3dgpu_resource_desc desc;
	struct d3dgpu_bo *bo;
	u64 size;
	u32 res_id;
	int ret;

	BUILD_BUG_ON(sizeof(args->desc) != sizeof(desc));
	if (args->flags || args->pad)
		return -EINVAL;
	memcpy(&desc, args->desc, sizeof(desc));
	if (desc.bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_DEPTH_STENCIL))
		return -EINVAL; /* these have calls of their own */
	if (!d3dgpu_bo_desc_supported(gdev, &desc))
		return -EINVAL;
	bo = d3dgpu_bo_create(file, D3DGPU_KIND_RESOURCE, d3dgpu_linear_size(&desc),
			      D3DGPU_RESOURCE_ALIGN, &desc);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	size = d3dgpu_bo_size(bo);
	res_id = bo->res_id;
	ret = d3dgpu_bo_to_handle(bo, file, &args->handle);
	if (ret)
		return ret;
	args->size = size;
	args->res_id = res_id;
	return 0;
}

int d3dgpu_bo_dumb_create(struct drm_file *file, struct drm_device *drm,
			  struct drm_mode_create_dumb *args)
{
	struct d3dgpu_bo *bo;
	u64 pitch;

	if (args->flags || (args->bpp != 16 && args->bpp != 32))
		return -EINVAL;
	pitch = ALIGN((u64)args->width * args->bpp / 8, D3DGPU_DUMB_PITCH_ALIGN);
	bo = d3dgpu_bo_create_mappable(file, D3DGPU_KIND_DUMB, pitch * args->height);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	args->pitch = pitch;
	args->size = d3dgpu_bo_size(bo);
	return d3dgpu_bo_to_handle(bo, file, &args->handle);
}

int d3dgpu_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_gem_mmap *args = data;
	struct d3dgpu_bo *bo;
	int ret = 0;

	if (args->pad)
		return -EINVAL;
	bo = d3dgpu_bo_lookup(file, args->handle);
	if (!bo)
		return -EINVAL;
	if (d3dgpu_bo_mappable(bo))
		args->offset = drm_vma_node_offset_addr(&bo->ttm.base.vma_node);
	else
		ret = -EINVAL;
	d3dgpu_bo_put(bo);
	return ret;
}

static u32 d3dgpu_bo_placement(struct d3dgpu_bo *bo)
{
	if (bo->purged)
		return D3DGPU_PLACEMENT_PURGED;
	return READ_ONCE(bo->placed) ? D3DGPU_PLACEMENT_VRAM : D3DGPU_PLACEMENT_EVICTED;
}

static u32 d3dgpu_bo_info_flags(struct d3dgpu_bo *bo)
{
	u32 flags = 0;

	if (bo->ttm.pin_count)
		flags |= D3DGPU_INFO_PINNED;
	if (bo->purgeable)
		flags |= D3DGPU_INFO_PURGEABLE;
	if (READ_ONCE(bo->implicit))
		flags |= D3DGPU_INFO_SHARED;
	return flags;
}

int d3dgpu_gem_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_gem_info *args = data;
	struct d3dgpu_bo *bo;

	if (args->pad)
		return -EINVAL;
	bo = d3dgpu_bo_lookup(file, args->handle);
	if (!bo)
		return -EINVAL;
	args->kind = bo->kind;
	args->res_id = bo->res_id;
	args->size = d3dgpu_bo_size(bo);
	if (d3dgpu_bo_mappable(bo))
		memset(args->desc, 0, sizeof(args->desc));
	else
		memcpy(args->desc, &bo->desc, sizeof(args->desc));
	args->placement = d3dgpu_bo_placement(bo);
	args->flags = d3dgpu_bo_info_flags(bo);
	d3dgpu_bo_put(bo);
	return 0;
}

int d3dgpu_gem_madvise_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_gem_madvise *args = data;
	struct d3dgpu_bo *bo;
	int ret;

	if (args->advice > D3DGPU_ADVICE_DONTNEED || args->pad)
		return -EINVAL;
	bo = d3dgpu_bo_lookup(file, args->handle);
	if (!bo)
		return -EINVAL;
	ret = dma_resv_lock_interruptible(bo->ttm.base.resv, NULL);
	if (!ret) {
		args->retained = !bo->purged;
		bo->purgeable = args->advice == D3DGPU_ADVICE_DONTNEED;
		bo->purged = bo->purged && bo->purgeable;
		dma_resv_unlock(bo->ttm.base.resv);
	}
	d3dgpu_bo_put(bo);
	return ret;
}
