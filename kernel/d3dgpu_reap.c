// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_managed.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"

/**
 * DOC: The end of buffer objects
 *
 * When the last handle of an object has gone, and the last job that lists it is done, workers
 * may still have it. Each of them must forget it before its range of VRAM and its name can be
 * given to somebody else. The last reference may be dropped where nobody may wait for a ring,
 * so a work does it: it takes the dead objects, writes RES_DESTROY for all of them that have a
 * context in common, with one fence at the end, and leaves. The fence clears the context's bit
 * in the objects and brings them back to the list; an object that comes without bits is freed. A
 * context that has its hands full is not waited for, but tried again a little later.
 *
 * Making an object waits here when the pool is full, for objects that are on their way out and
 * for jobs that may hold the last reference to others.
 */

/* How long an allocation waits for memory that is on its way. */
#define D3DGPU_REAP_PATIENCE (2 * HZ)

/* When a context that had no room is tried again. */
#define D3DGPU_REAP_RETRY    msecs_to_jiffies(10)

static void d3dgpu_reap_queue(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	unsigned long flags;

	spin_lock_irqsave(&gdev->reap.lock, flags);
	list_add_tail(&bo->reap_link, &gdev->reap.dead);
	spin_unlock_irqrestore(&gdev->reap.lock, flags);
	mod_delayed_work(gdev->reap.wq, &gdev->reap.work, 0);
}

static void d3dgpu_reap_retry(struct d3dgpu_device *gdev, struct list_head *bos)
{
	if (list_empty(bos))
		return;
	spin_lock_irq(&gdev->reap.lock);
	list_splice_tail_init(bos, &gdev->reap.dead);
	spin_unlock_irq(&gdev->reap.lock);
	queue_delayed_work(gdev->reap.wq, &gdev->reap.work, D3DGPU_REAP_RETRY);
}

/*
 * A context has forgotten the object, or was lost before it could: then its end is waited for in
 * another round. Called by the fence, in interrupts.
 */
static void d3dgpu_reap_forgotten(struct dma_fence *fence, struct dma_fence_cb *cb)
{
	struct d3dgpu_bo *bo = container_of(cb, struct d3dgpu_bo, reap_cb);

	if (!fence || !fence->error || bo->reap_end)
		clear_bit(bo->reap_context, bo->contexts);
	d3dgpu_reap_queue(bo);
}

static void d3dgpu_reap_progress(struct d3dgpu_device *gdev)
{
	atomic_inc(&gdev->reap.progress);
	wake_up_all(&gdev->reap.wait);
}

/**
 * d3dgpu_reap_job_queued() - a job holds references now
 * @gdev: the device
 */
void d3dgpu_reap_job_queued(struct d3dgpu_device *gdev)
{
	atomic64_inc(&gdev->reap.jobs_queued);
}

/**
 * d3dgpu_reap_job_freed() - a job has given its references back
 * @gdev: the device
 */
void d3dgpu_reap_job_freed(struct d3dgpu_device *gdev)
{
	atomic64_inc(&gdev->reap.jobs_freed);
	d3dgpu_reap_progress(gdev);
}

static void d3dgpu_reap_free(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo)
{
	d3dgpu_bo_release(bo);
	atomic_dec(&gdev->reap.count);
	d3dgpu_reap_progress(gdev);
}

/* Makes a context forget all objects of the list that it is the first to have; they leave it. */
static void d3dgpu_reap_context(struct d3dgpu_device *gdev, u32 id, struct list_head *dead)
{
	struct d3dgpu_context *context = d3dgpu_context_find(gdev, id);
	struct dma_fence *fence = NULL;
	struct d3dgpu_bo *bo, *next;
	LIST_HEAD(batch);
	LIST_HEAD(told);
	bool end = true;

	list_for_each_entry_safe(bo, next, dead, reap_link) {
		if (find_first_bit(bo->contexts, D3DGPU_MAX_CONTEXTS) != id)
			continue;
		bo->reap_context = id;
		list_move_tail(&bo->reap_link, &batch);
	}
	if (context) {
		fence = d3dgpu_context_forget(context, &batch, &told, &end);
		d3dgpu_context_put(context);
		d3dgpu_reap_retry(gdev, &batch);
	} else {
		list_splice_init(&batch, &told);
	}
	list_for_each_entry_safe(bo, next, &told, reap_link) {
		list_del_init(&bo->reap_link);
		bo->reap_end = end;
		if (!fence || dma_fence_add_callback(fence, &bo->reap_cb, d3dgpu_reap_forgotten))
			d3dgpu_reap_forgotten(fence, &bo->reap_cb);
	}
	dma_fence_put(fence);
}

static void d3dgpu_reap_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, reap.work.work);
	struct d3dgpu_bo *bo;
	LIST_HEAD(dead);
	u32 id;

	spin_lock_irq(&gdev->reap.lock);
	list_splice_init(&gdev->reap.dead, &dead);
	spin_unlock_irq(&gdev->reap.lock);

	while ((bo = list_first_entry_or_null(&dead, struct d3dgpu_bo, reap_link))) {
		id = find_first_bit(bo->contexts, D3DGPU_MAX_CONTEXTS);
		if (id < D3DGPU_MAX_CONTEXTS) {
			d3dgpu_reap_context(gdev, id, &dead);
		} else {
			list_del_init(&bo->reap_link);
			d3dgpu_reap_free(gdev, bo);
		}
	}
}

/**
 * d3dgpu_reap() - free an object once no worker has it any more
 * @bo: the object, with no reference left
 *
 * Does not wait for the device.
 */
void d3dgpu_reap(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);

	atomic_inc(&gdev->reap.count);
	d3dgpu_share_forget(bo);
	if (bitmap_empty(bo->contexts, D3DGPU_MAX_CONTEXTS))
		d3dgpu_reap_free(gdev, bo);
	else
		d3dgpu_reap_queue(bo);
}

/**
 * d3dgpu_patience_begin() - get ready to wait for memory
 * @gdev: the device
 * @patience: what is waited for: all that is on its way now
 */
void d3dgpu_patience_begin(struct d3dgpu_device *gdev, struct d3dgpu_patience *patience)
{
	patience->deadline = jiffies + D3DGPU_REAP_PATIENCE;
	patience->jobs = atomic64_read(&gdev->reap.jobs_queued);
	patience->progress = atomic_read(&gdev->reap.progress);
}

/**
 * d3dgpu_patience_wait() - wait until some memory may have become free since this was asked last
 * @gdev: the device
 * @patience: from d3dgpu_patience_begin()
 *
 * Return: true if it is worth trying again.
 */
bool d3dgpu_patience_wait(struct d3dgpu_device *gdev, struct d3dgpu_patience *patience)
{
	int seen = patience->progress;
	long left = patience->deadline - jiffies;

	if (atomic_read(&gdev->reap.progress) == seen) {
		if (!atomic_read(&gdev->reap.count) &&
		    atomic64_read(&gdev->reap.jobs_freed) >= patience->jobs)
			return false;
		if (left <= 0 ||
		    !wait_event_timeout(gdev->reap.wait, atomic_read(&gdev->reap.progress) != seen,
					left))
			return false;
	}
	patience->progress = atomic_read(&gdev->reap.progress);
	return left > 0;
}

static void d3dgpu_reap_fini(struct drm_device *drm, void *data)
{
	struct d3dgpu_device *gdev = to_d3dgpu(drm);

	flush_delayed_work(&gdev->reap.work);
	destroy_workqueue(gdev->reap.wq);
}

/**
 * d3dgpu_reap_init() - get ready to free objects
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_reap_init(struct d3dgpu_device *gdev)
{
	int ret;

	ida_init(&gdev->res_ids);
	INIT_LIST_HEAD(&gdev->bos);
	ret = drmm_mutex_init(&gdev->drm, &gdev->bo_lock);
	if (ret)
		return ret;
	spin_lock_init(&gdev->reap.lock);
	INIT_LIST_HEAD(&gdev->reap.dead);
	INIT_DELAYED_WORK(&gdev->reap.work, d3dgpu_reap_work);
	atomic_set(&gdev->reap.count, 0);
	atomic_set(&gdev->reap.progress, 0);
	atomic64_set(&gdev->reap.jobs_queued, 0);
	atomic64_set(&gdev->reap.jobs_freed, 0);
	init_waitqueue_head(&gdev->reap.wait);
	gdev->reap.wq = alloc_ordered_workqueue("d3dgpu-reap", 0);
	if (!gdev->reap.wq)
		return -ENOMEM;
	return drmm_add_action_or_reset(&gdev->drm, d3dgpu_reap_fini, NULL);
}
