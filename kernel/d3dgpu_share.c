// SPDX-License-Identifier: GPL-2.0-only
#include <linux/random.h>

#include <drm/drm_managed.h>
#include <drm/drm_prime.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"

/**
 * DOC: Sharing
 *
 * Direct3D names shared objects by a number that any process may pass to any other. A token is
 * 64 random bits: who knows it was told. It stays valid as long as the object has a handle
 * somewhere.
 *
 * Between the files of one program a dma-buf does the same, which is how a picture that was made on
 * the render node gets to the node with the display. Other devices cannot reach VRAM.
 *
 * From the first token, dma-buf or foreign handle on, submits synchronise on the object's reservation
 * object. Those that were queued before did not: the last fence of each context that knows the object
 * is put there instead.
 */

static struct d3dgpu_bo *d3dgpu_share_find(struct d3dgpu_device *gdev, u64 token)
{
	struct d3dgpu_bo *bo;

	lockdep_assert_held(&gdev->share_lock);
	hash_for_each_possible(gdev->shares, bo, share_link, token)
		if (bo->token == token)
			return bo;
	return NULL;
}

static u64 d3dgpu_share_new_token(struct d3dgpu_device *gdev)
{
	u64 token;

	do
		token = get_random_u64();
	while (!token || d3dgpu_share_find(gdev, token));
	return token;
}

/**
 * d3dgpu_share_forget() - the object has no reference any more: neither has its token a meaning
 * @bo: the object
 */
void d3dgpu_share_forget(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);

	if (!READ_ONCE(bo->implicit))
		return;
	mutex_lock(&gdev->share_lock);
	if (bo->token)
		hash_del(&bo->share_link);
	mutex_unlock(&gdev->share_lock);
}

/* The last fence of a context that may have used an object before it was implicit. */
static void d3dgpu_share_add_last_fence(struct d3dgpu_bo *bo, struct d3dgpu_context *context)
{
	struct dma_resv *resv = bo->ttm.base.resv;
	struct dma_fence *fence = d3dgpu_context_get_last(context);

	if (!fence)
		return;
	dma_resv_lock(resv, NULL);
	if (!dma_resv_reserve_fences(resv, 1))
		dma_resv_add_fence(resv, fence, DMA_RESV_USAGE_WRITE);
	else
		dma_fence_wait(fence, false);
	dma_resv_unlock(resv);
	dma_fence_put(fence);
}

/**
 * d3dgpu_bo_make_implicit() - make submits synchronise on an object from now on
 * @bo: the object
 *
 * A submit that saw it private has been queued when the residency lock is ours. Two callers at a
 * time: neither returns before the fences are there.
 */
void d3dgpu_bo_make_implicit(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	DECLARE_BITMAP(users, D3DGPU_MAX_CONTEXTS) = { };
	struct d3dgpu_context *context;
	unsigned long id;

	mutex_lock(&gdev->implicit_lock);
	down_write(&gdev->residency);
	if (!bo->implicit)
		bitmap_copy(users, bo->contexts, D3DGPU_MAX_CONTEXTS);
	WRITE_ONCE(bo->implicit, true);
	up_write(&gdev->residency);
	for_each_set_bit(id, users, D3DGPU_MAX_CONTEXTS) {
		context = d3dgpu_context_find(gdev, id);
		if (!context)
			continue;
		d3dgpu_share_add_last_fence(bo, context);
		d3dgpu_context_put(context);
	}
	mutex_unlock(&gdev->implicit_lock);
}

/**
 * d3dgpu_share_opened() - a file gets a handle of an object
 * @bo: the object
 * @file: the file
 *
 * By whatever way another than its owner has come to it: token, dma-buf, or the name of GEM_FLINK.
 */
void d3dgpu_share_opened(struct d3dgpu_bo *bo, struct drm_file *file)
{
	struct d3dgpu_file *dfile = file->driver_priv;

	if (bo->owner != dfile->usage && !READ_ONCE(bo->implicit))
		d3dgpu_bo_make_implicit(bo);
}

/**
 * d3dgpu_share_handle_to_fd() - export an object as a dma-buf
 * @drm: the device
 * @file: the file that has it
 * @handle: its handle
 * @flags: DRM_CLOEXEC, DRM_RDWR
 * @fd: where to put the descriptor
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_share_handle_to_fd(struct drm_device *drm, struct drm_file *file, u32 handle, u32 flags,
			      int *fd)
{
	struct d3dgpu_bo *bo = d3dgpu_bo_lookup(file, handle);

	if (!bo)
		return -ENOENT;
	d3dgpu_bo_make_implicit(bo);
	d3dgpu_bo_put(bo);
	return drm_gem_prime_handle_to_fd(drm, file, handle, flags, fd);
}

int d3dgpu_gem_share_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_gem_share *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	struct d3dgpu_bo *bo;

	if (args->pad)
		return -EINVAL;
	bo = d3dgpu_bo_lookup(file, args->handle);
	if (!bo)
		return -EINVAL;
	d3dgpu_bo_make_implicit(bo);

	mutex_lock(&gdev->share_lock);
	if (!bo->token) {
		bo->token = d3dgpu_share_new_token(gdev);
		hash_add(gdev->shares, &bo->share_link, bo->token);
	}
	args->token = bo->token;
	mutex_unlock(&gdev->share_lock);
	d3dgpu_bo_put(bo);
	return 0;
}

int d3dgpu_gem_open_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_gem_open *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	struct d3dgpu_bo *bo;
	int ret;

	if (args->pad)
		return -EINVAL;
	mutex_lock(&gdev->share_lock);
	bo = args->token ? d3dgpu_share_find(gdev, args->token) : NULL;
	if (bo && !kref_get_unless_zero(&bo->ttm.base.refcount))
		bo = NULL;
	mutex_unlock(&gdev->share_lock);
	if (!bo)
		return -ENOENT;

	ret = drm_gem_handle_create(file, &bo->ttm.base, &args->handle);
	if (!ret) {
		args->kind = bo->kind;
		args->res_id = bo->res_id;
		args->size = d3dgpu_bo_size(bo);
		memset(args->desc, 0, sizeof(args->desc));
		if (!d3dgpu_bo_mappable(bo))
			memcpy(args->desc, &bo->desc, sizeof(args->desc));
	}
	d3dgpu_bo_put(bo);
	return ret;
}

/**
 * d3dgpu_share_init() - get ready to share
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_share_init(struct d3dgpu_device *gdev)
{
	int ret;

	hash_init(gdev->shares);
	ret = drmm_mutex_init(&gdev->drm, &gdev->implicit_lock);
	if (ret)
		return ret;
	return drmm_mutex_init(&gdev->drm, &gdev->share_lock);
}
