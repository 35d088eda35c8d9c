// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/sort.h>
#include <linux/ww_mutex.h>

#include <drm/drm_gem.h>
#include <drm/drm_managed.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_usage.h"

/**
 * DOC: The VRAM pool
 *
 * The pool can be over-committed: objects that do not fit are evicted to system memory and come back
 * when a submit lists them. All objects that a submit lists must be in VRAM at the same time, and so
 * must those that are pinned: what is scanned out, or mapped by the kernel.
 *
 * TTM's LRU list decides who goes. The place of an object in it is refreshed when it is used, but at
 * most every few hundredths of a second, so that a submit whose objects are all there pays nothing.
 *
 * Who brings objects in, holds their reservations while others leave, and for that needs theirs. Two
 * who need each other's are told apart by their tickets: the younger one must back off. TTM does not
 * say so, but that there is no room. So who is told that there is none waits until nobody else has a
 * ticket, and tries once more: what it is told then is true.
 *
 * Objects together may have as many bytes as the pool, and half of the system's memory more. Then
 * there is no memory for new ones: a program that makes objects without end shall not be the end of
 * the others.
 */

/* ---- who uses how much ---- */

/**
 * d3dgpu_vram_account() - count an object that has come to VRAM, or left it
 * @bo: the object
 * @placed: which
 */
void d3dgpu_vram_account(struct d3dgpu_bo *bo, bool placed)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	s64 size = d3dgpu_bo_size(bo);

	if (placed) {
		if (atomic64_add_return(size, &bo->owner->vram) == size)
			atomic_inc(&gdev->vram_pool.files);
	} else {
		if (!atomic64_sub_return(size, &bo->owner->vram))
			atomic_dec(&gdev->vram_pool.files);
	}
}

/**
 * d3dgpu_vram_above_share() - whether an object's owner uses more than its fair share of VRAM
 * @bo: the object
 *
 * Any context.
 *
 * Return: whether it does.
 */
bool d3dgpu_vram_above_share(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	u64 share = div_u64(gdev->pool_size, max(atomic_read(&gdev->vram_pool.files), 1));

	return atomic64_read(&bo->owner->vram) > share;
}

/**
 * d3dgpu_vram_refresh() - put an object among those that were used last
 * @bo: the object
 * @reserved: whether its reservation is held
 */
void d3dgpu_vram_refresh(struct d3dgpu_bo *bo, bool reserved)
{
	if (!reserved && !dma_resv_trylock(bo->ttm.base.resv))
		return;
	WRITE_ONCE(bo->touched, jiffies);
	ttm_bo_move_to_lru_tail_unlocked(&bo->ttm);
	if (!reserved)
		dma_resv_unlock(bo->ttm.base.resv);
}

/* ---- reservations ---- */

/*
 * Reserves all objects. drm_gem_lock_reservations() would say that this is all that the ticket is for;
 * but TTM waits with it for objects that could make room, and that somebody else has reserved.
 */
static int d3dgpu_vram_reserve(struct drm_gem_object **objects, u32 count,
			       struct ww_acquire_ctx *ticket)
{
	u32 locked = 0;
	int ret = 0;

	ww_acquire_init(ticket, &reservation_ww_class);
	while (locked < count && !ret) {
		ret = dma_resv_lock_interruptible(objects[locked]->resv, ticket);
		if (!ret) {
			locked++;
			continue;
		}
		swap(objects[0], objects[locked]); /* the locked ones are behind it now */
		while (locked)
			dma_resv_unlock(objects[locked--]->resv);
		if (ret != -EDEADLK)
			break;
		ret = dma_resv_lock_slow_interruptible(objects[0]->resv, ticket);
		if (!ret)
			locked = 1;
	}
	if (ret)
		ww_acquire_fini(ticket);
	return ret;
}

/**
 * d3dgpu_vram_lock() - reserve objects wherever they are
 * @gdev: the device
 * @objects: the objects, each once
 * @count: how many
 * @ticket: for d3dgpu_vram_unlock()
 *
 * Return: 0, or a negative error code.
 */
int d3dgpu_vram_lock(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
		     struct ww_acquire_ctx *ticket)
{
	int ret = down_read_interruptible(&gdev->vram_pool.reservers);

	if (ret)
		return ret;
	ret = d3dgpu_vram_reserve(objects, count, ticket);
	if (ret)
		up_read(&gdev->vram_pool.reservers);
	return ret;
}

/**
 * d3dgpu_vram_unlock() - undo d3dgpu_vram_lock() or d3dgpu_vram_lock_placed()
 * @gdev: the device
 * @objects: the objects, in any order
 * @count: how many
 * @ticket: of their reservation
 */
void d3dgpu_vram_unlock(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
			struct ww_acquire_ctx *ticket)
{
	drm_gem_unlock_reservations(objects, count, ticket);
	up_read(&gdev->vram_pool.reservers);
}

/* ---- bringing objects in ---- */

static int d3dgpu_vram_compare(const void *a, const void *b)
{
	const struct drm_gem_object *first = *(struct drm_gem_object *const *)a;
	const struct drm_gem_object *second = *(struct drm_gem_object *const *)b;

	return first->size < second->size ? 1 : first->size > second->size ? -1 : 0;
}

static int d3dgpu_vram_try_all(struct drm_gem_object **objects, u32 count,
			       enum d3dgpu_ttm_pass pass)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = d3dgpu_ttm_place(to_d3dgpu_bo(objects[i]), pass);
	return ret;
}

/* The list's own objects may have cut the pool into pieces: all give way, the largest return first. */
static int d3dgpu_vram_compact(struct drm_gem_object **objects, u32 count)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < count && !ret; i++)
		ret = d3dgpu_ttm_evict(to_d3dgpu_bo(objects[i]));
	if (ret)
		return ret;
	sort(objects, count, sizeof(*objects), d3dgpu_vram_compare, NULL);
	return d3dgpu_vram_try_all(objects, count, D3DGPU_TTM_PASS_ANY);
}

static bool d3dgpu_vram_fits(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count)
{
	u64 size = 0;
	u32 i;

	for (i = 0; i < count; i++)
		size += objects[i]->size;
	return size <= gdev->pool_size;
}

/* When TTM finds no room, the ticket may have met a deadlock: then it is of no use any more. */
static int d3dgpu_vram_attempt(struct d3dgpu_device *gdev, struct drm_gem_object **objects,
			       u32 count, struct ww_acquire_ctx *ticket, enum d3dgpu_ttm_pass pass)
{
	int ret = d3dgpu_vram_lock(gdev, objects, count, ticket);

	if (ret)
		return ret;
	ret = d3dgpu_vram_try_all(objects, count, pass);
	if (ret)
		d3dgpu_vram_unlock(gdev, objects, count, ticket);
	return ret;
}

/* The last attempt, when all others have done with their reservations, which they do not have for long. */
static int d3dgpu_vram_attempt_alone(struct d3dgpu_device *gdev, struct drm_gem_object **objects,
				     u32 count, struct ww_acquire_ctx *ticket)
{
	int ret = down_write_killable(&gdev->vram_pool.reservers);

	if (ret)
		return ret;
	ret = d3dgpu_vram_reserve(objects, count, ticket);
	if (ret)
		goto up;
	ret = d3dgpu_vram_try_all(objects, count, D3DGPU_TTM_PASS_ANY);
	if (ret == -ENOMEM && count > 1)
		ret = d3dgpu_vram_compact(objects, count);
	if (ret)
		goto unreserve;
	downgrade_write(&gdev->vram_pool.reservers);
	return 0;

unreserve:
	drm_gem_unlock_reservations(objects, count, ticket);
up:
	up_write(&gdev->vram_pool.reservers);
	return ret;
}

/* With the pool locked. */
static int d3dgpu_vram_find_room(struct d3dgpu_device *gdev, struct drm_gem_object **objects,
				 u32 count, struct ww_acquire_ctx *ticket)
{
	struct d3dgpu_patience patience;
	enum d3dgpu_ttm_pass pass;
	int ret;

	d3dgpu_patience_begin(gdev, &patience);
	for (pass = 0; pass < D3DGPU_TTM_PASSES; pass++) {
		ret = d3dgpu_vram_attempt(gdev, objects, count, ticket, pass);
		if (ret != -ENOMEM)
			return ret;
	}
	do {
		ret = d3dgpu_vram_attempt_alone(gdev, objects, count, ticket);
	} while (ret == -ENOMEM && d3dgpu_patience_wait(gdev, &patience));
	return ret;
}

/**
 * d3dgpu_vram_lock_placed() - reserve objects, all in VRAM at the same time
 * @gdev: the device
 * @objects: the objects, each once; their order may change
 * @count: how many
 * @ticket: for d3dgpu_vram_unlock()
 *
 * Return: 0, or a negative error code: -ENOMEM: there is not so much room beside what is pinned.
 */
int d3dgpu_vram_lock_placed(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
			    struct ww_acquire_ctx *ticket)
{
	int ret;

	if (!d3dgpu_vram_fits(gdev, objects, count))
		return -ENOMEM;
	ret = mutex_lock_interruptible(&gdev->vram_pool.lock);
	if (ret)
		return ret;
	ret = d3dgpu_vram_find_room(gdev, objects, count, ticket);
	mutex_unlock(&gdev->vram_pool.lock);
	return ret;
}

/**
 * d3dgpu_vram_place() - bring an object into VRAM
 * @bo: the object
 *
 * Return: 0, or a negative error code: -ENOMEM: there is no room.
 */
int d3dgpu_vram_place(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	struct drm_gem_object *object = &bo->ttm.base;
	struct ww_acquire_ctx ticket;
	int ret;

	ret = d3dgpu_vram_lock_placed(gdev, &object, 1, &ticket);
	if (!ret)
		d3dgpu_vram_unlock(gdev, &object, 1, &ticket);
	return ret;
}

/**
 * d3dgpu_vram_pin() - bring an object into VRAM and keep it there, with its image up to date
 * @bo: the object
 *
 * The flush of the image is among the fences of the object's reservation.
 *
 * Return: 0, or a negative error code: -ENOMEM: there is no room.
 */
int d3dgpu_vram_pin(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	struct drm_gem_object *object = &bo->ttm.base;
	struct ww_acquire_ctx ticket;
	int ret;

	ret = d3dgpu_vram_lock_placed(gdev, &object, 1, &ticket);
	if (ret)
		return ret;
	ret = d3dgpu_residency_update_image(bo);
	if (!ret)
		ttm_bo_pin(&bo->ttm);
	d3dgpu_vram_unlock(gdev, &object, 1, &ticket);
	return ret;
}

/**
 * d3dgpu_vram_unpin() - undo d3dgpu_vram_pin()
 * @bo: the object
 */
void d3dgpu_vram_unpin(struct d3dgpu_bo *bo)
{
	dma_resv_lock(bo->ttm.base.resv, NULL);
	ttm_bo_unpin(&bo->ttm);
	dma_resv_unlock(bo->ttm.base.resv);
}

/* ---- everything ---- */

/* Takes an object out of VRAM; one that is pinned, only out of the workers. */
static int d3dgpu_vram_evict(struct d3dgpu_bo *bo)
{
	int ret;

	ret = dma_resv_lock_interruptible(bo->ttm.base.resv, NULL);
	if (ret)
		return ret;
	if (bo->placed && bo->ttm.pin_count) {
		dma_resv_wait_timeout(bo->ttm.base.resv, DMA_RESV_USAGE_KERNEL, false,
				      MAX_SCHEDULE_TIMEOUT);
		ret = d3dgpu_residency_withdraw(bo);
	} else {
		ret = d3dgpu_ttm_evict(bo);
	}
	dma_resv_unlock(bo->ttm.base.resv);
	return ret;
}

/* The object behind another, referenced; that of the other is given back. */
static struct d3dgpu_bo *d3dgpu_vram_next(struct d3dgpu_device *gdev, struct d3dgpu_bo *previous)
{
	struct d3dgpu_bo *bo = previous;
	bool found = false;

	mutex_lock(&gdev->bo_lock);
	bo = list_prepare_entry(bo, &gdev->bos, link);
	list_for_each_entry_continue(bo, &gdev->bos, link) {
		found = kref_get_unless_zero(&bo->ttm.base.refcount);
		if (found)
			break;
	}
	mutex_unlock(&gdev->bo_lock);
	if (previous)
		d3dgpu_bo_put(previous);
	return found ? bo : NULL;
}

/**
 * d3dgpu_evict_all() - take all objects out of VRAM, as far as they are not pinned, and out of workers
 * @gdev: the device, which must be running
 *
 * The images of all objects have their content then, those of pinned ones in VRAM.
 *
 * Return: 0, or a negative error code; then some have been evicted.
 */
int d3dgpu_evict_all(struct d3dgpu_device *gdev)
{
	struct d3dgpu_bo *bo = NULL;
	int ret = 0;

	while (!ret && (bo = d3dgpu_vram_next(gdev, bo)))
		ret = d3dgpu_vram_evict(bo);
	if (bo)
		d3dgpu_bo_put(bo);
	return ret;
}

/**
 * d3dgpu_vram_init() - get ready to give out memory
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_vram_init(struct d3dgpu_device *gdev)
{
	init_rwsem(&gdev->residency);
	init_rwsem(&gdev->vram_pool.reservers);
	gdev->vram_pool.limit = gdev->pool_size + ((u64)totalram_pages() << PAGE_SHIFT) / 2;
	return drmm_mutex_init(&gdev->drm, &gdev->vram_pool.lock);
}
