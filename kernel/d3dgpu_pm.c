// SPDX-License-Identifier: GPL-2.0-only
#include <linux/pm.h>
#include <linux/vmalloc.h>

#include <drm/drm_modeset_helper.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_pm.h"

/**
 * DOC: Power management
 *
 * Across system sleep nothing is lost, although the device forgets everything, VRAM included when
 * the machine hibernates. Going to sleep, with user space frozen::
 *
 *	displays off
 *	wait for what is queued           bounded by the device's hang watch
 *	evict all objects                 their content is in system memory then
 *	copy what is pinned in VRAM       the console's picture
 *	CTX_SAVE for each context         a command stream that makes its state again
 *	reset
 *
 * When all is evicted, the pool is a large empty range: it takes the saved stream of one context
 * after the other. Up to the reset everything can be taken back, and is if a step fails.
 *
 * Waking up, each context gets a new worker, is told all objects that it knew, each evicted at
 * once, and executes the saved stream. Then it is as it was, with everything evicted, and what it
 * uses comes back as after any other eviction. Objects need a range of VRAM when they are made,
 * which nobody reads or writes before they are evicted: all get the same.
 *
 * There is no runtime suspend. A device that nobody uses costs the host nothing: its core sleeps,
 * workers exist for contexts only, a display that is off has no timer. So the device is always
 * active, as the PCI core has it when a driver does not ask for anything else.
 */

/* How long sleep waits for the device to do something. */
#define D3DGPU_PM_PATIENCE (60 * HZ)

/**
 * struct d3dgpu_pinned - content of an object that may not leave VRAM
 * @link: entry of &d3dgpu_device.pm.pinned
 * @offset: of the object in VRAM
 * @size: bytes
 * @content: the bytes
 */
struct d3dgpu_pinned {
	struct list_head link;
	u64 offset;
	u64 size;
	void *content;
};

/* Calls a function for all contexts, until one fails. */
static int d3dgpu_pm_for_each_context(struct d3dgpu_device *gdev,
				      int (*call)(struct d3dgpu_context *context))
{
	int ret = 0;
	u32 id;

	for (id = 1; id < D3DGPU_MAX_CONTEXTS && !ret; id++) {
		struct d3dgpu_context *context = d3dgpu_context_find(gdev, id);

		if (!context)
			continue;
		ret = call(context);
		d3dgpu_context_put(context);
	}
	return ret;
}

static int d3dgpu_pm_wait_fence(struct d3dgpu_fence *fence)
{
	if (!dma_fence_wait_timeout(&fence->base, false, D3DGPU_PM_PATIENCE))
		return -EBUSY;
	return fence->base.error;
}

/* ---- going to sleep ---- */

static int d3dgpu_pm_wait_jobs(struct d3dgpu_context *context)
{
	if (wait_event_timeout(context->idle, !atomic_read(&context->jobs), D3DGPU_PM_PATIENCE))
		return 0;
	drm_warn(&context->gdev->drm, "context %u (%s) is busy: no sleep\n", context->id,
		 context->name);
	return -EBUSY;
}

/* Nobody queues anything any more: waits until all that was queued is done, and cleaned up. */
static int d3dgpu_pm_drain(struct d3dgpu_device *gdev)
{
	int ret = d3dgpu_pm_for_each_context(gdev, d3dgpu_pm_wait_jobs);

	if (ret)
		return ret;
	flush_workqueue(gdev->wq);
	if (!wait_event_timeout(gdev->reap.wait, !atomic_read(&gdev->reap.count),
				D3DGPU_PM_PATIENCE))
		return -EBUSY;
	return 0;
}

static void d3dgpu_pm_forget_pinned(struct d3dgpu_device *gdev)
{
	struct d3dgpu_pinned *pinned, *next;

	list_for_each_entry_safe(pinned, next, &gdev->pm.pinned, link) {
		kvfree(pinned->content);
		kfree(pinned);
	}
	INIT_LIST_HEAD(&gdev->pm.pinned);
}

static int d3dgpu_pm_save_object(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo)
{
	struct d3dgpu_pinned *pinned = kzalloc(sizeof(*pinned), GFP_KERNEL);

	if (!pinned)
		return -ENOMEM;
	pinned->offset = d3dgpu_bo_offset(bo);
	pinned->size = d3dgpu_bo_size(bo);
	pinned->content = kvmalloc(pinned->size, GFP_KERNEL);
	if (!pinned->content) {
		kfree(pinned);
		return -ENOMEM;
	}
	memcpy(pinned->content, gdev->vram + pinned->offset, pinned->size);
	list_add_tail(&pinned->link, &gdev->pm.pinned);
	return 0;
}

static int d3dgpu_pm_save_pinned(struct d3dgpu_device *gdev)
{
	struct d3dgpu_bo *bo;
	int ret = 0;

	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link) {
		if (bo->placed)
			ret = d3dgpu_pm_save_object(gdev, bo);
		if (ret)
			break;
	}
	mutex_unlock(&gdev->bo_lock);
	return ret;
}

static void d3dgpu_pm_restore_pinned(struct d3dgpu_device *gdev)
{
	struct d3dgpu_pinned *pinned;

	list_for_each_entry(pinned, &gdev->pm.pinned, link)
		memcpy(gdev->vram + pinned->offset, pinned->content, pinned->size);
	d3dgpu_pm_forget_pinned(gdev);
}

static void d3dgpu_pm_forget_context(struct d3dgpu_context *context)
{
	kvfree(context->saved);
	context->saved = NULL;
}

static int d3dgpu_pm_forget_saved(struct d3dgpu_context *context)
{
	d3dgpu_pm_forget_context(context);
	return 0;
}

/* Takes over the stream that the worker has left at the start of VRAM. */
static int d3dgpu_pm_take_stream(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_saved_context head = *(struct d3dgpu_saved_context *)gdev->vram;

	if (head.magic != D3DGPU_SAVED_CONTEXT_MAGIC || head.size % 4 ||
	    head.size > D3DGPU_MAX_STREAM || head.size > gdev->pool_size - sizeof(head)) {
		drm_warn(&gdev->drm, "context %u (%s) cannot be saved (%u bytes): no sleep\n",
			 context->id, context->name, head.size);
		return -EFBIG;
	}
	context->saved = kvmalloc(max(head.size, 1u), GFP_KERNEL);
	if (!context->saved)
		return -ENOMEM;
	memcpy(context->saved, gdev->vram + sizeof(head), head.size);
	context->saved_size = head.size;
	return 0;
}

/* A context that is lost, or gets lost by this, has nothing that could be saved. */
static int d3dgpu_pm_save_context(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_CTX_SAVE,
		.ctx_save.offset = 0,
		.ctx_save.size = min_t(u64, gdev->pool_size, D3DGPU_MAX_STREAM + PAGE_SIZE),
	};
	struct d3dgpu_fence *fence;
	int ret;

	if (READ_ONCE(context->lost) || READ_ONCE(context->state) != D3DGPU_CONTEXT_LIVE)
		return 0;
	fence = d3dgpu_fence_create(GFP_KERNEL);
	if (!fence)
		return -ENOMEM;
	d3dgpu_ring_begin(context->ring);
	ret = d3dgpu_context_write(context, &entry, fence);
	d3dgpu_ring_end(context->ring);
	if (!ret)
		ret = d3dgpu_pm_wait_fence(fence);
	dma_fence_put(&fence->base);
	if (ret == -EIO)
		return 0;
	return ret ? ret : d3dgpu_pm_take_stream(context);
}

static int d3dgpu_pm_save(struct d3dgpu_device *gdev)
{
	int ret;

	ret = d3dgpu_pm_drain(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_evict_all(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_pm_save_pinned(gdev);
	if (!ret)
		ret = d3dgpu_pm_for_each_context(gdev, d3dgpu_pm_save_context);
	if (ret) {
		d3dgpu_pm_restore_pinned(gdev);
		d3dgpu_pm_for_each_context(gdev, d3dgpu_pm_forget_saved);
	}
	return ret;
}

/**
 * d3dgpu_pm_suspend() - get ready for a sleep in which the device forgets everything
 * @dev: the device
 *
 * Return: 0, or a negative error code: then it goes on as before.
 */
int d3dgpu_pm_suspend(struct device *dev)
{
	struct d3dgpu_device *gdev = dev_get_drvdata(dev);
	int ret;

	ret = drm_mode_config_helper_suspend(&gdev->drm);
	if (ret)
		return ret;
	flush_work(&gdev->reset_work);
	ret = READ_ONCE(gdev->dead) ? 0 : d3dgpu_pm_save(gdev);
	if (ret) {
		drm_mode_config_helper_resume(&gdev->drm);
		return ret;
	}
	d3dgpu_device_sleep(gdev);
	return 0;
}

/* ---- waking up ---- */

/* The worker shall know an object again, as one that is evicted. */
static int d3dgpu_pm_write_object(struct d3dgpu_context *context, struct d3dgpu_bo *bo)
{
	struct d3dgpu_entry create = {
		.opcode = D3DGPU_OP_RES_CREATE,
		.res_create = {
			.resource = bo->res_id,
			.backing = 0,
			.size = d3dgpu_bo_size(bo),
			.desc = bo->desc,
		},
	};
	struct d3dgpu_entry evict = {
		.opcode = D3DGPU_OP_EVICT,
		.evict.resource = bo->res_id,
	};
	int ret = d3dgpu_context_write(context, &create, NULL);

	return ret ? ret : d3dgpu_context_write(context, &evict, NULL);
}

/* The same for all objects that the context knows. */
static int d3dgpu_pm_write_objects(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_bo *bo;
	int ret = 0;

	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link) {
		if (test_bit(context->id, bo->contexts))
			ret = d3dgpu_pm_write_object(context, bo);
		if (ret)
			break;
	}
	mutex_unlock(&gdev->bo_lock);
	return ret;
}

/* All that makes a new worker what the old one was. The ring is locked. */
static int d3dgpu_pm_write_state(struct d3dgpu_context *context, struct d3dgpu_fence *fence)
{
	struct d3dgpu_entry exec = {
		.opcode = D3DGPU_OP_EXEC,
		.exec = {
			.offset = 0,
			.size = context->saved_size,
			.flags = D3DGPU_EXEC_SAVED,
		},
	};
	struct d3dgpu_entry done = { .opcode = D3DGPU_OP_FENCE };
	int ret;

	ret = d3dgpu_pm_write_objects(context);
	if (!ret && context->saved_size)
		ret = d3dgpu_context_write(context, &exec, NULL);
	if (!ret)
		ret = d3dgpu_context_write(context, &done, fence);
	return ret;
}

static int d3dgpu_pm_restore_state(struct d3dgpu_context *context)
{
	struct d3dgpu_fence *fence = d3dgpu_fence_create(GFP_KERNEL | __GFP_NOFAIL);
	int ret;

	memcpy(context->gdev->vram, context->saved, context->saved_size);
	d3dgpu_ring_begin(context->ring);
	ret = d3dgpu_pm_write_state(context, fence);
	d3dgpu_ring_end(context->ring);
	if (!ret)
		ret = d3dgpu_pm_wait_fence(fence);
	dma_fence_put(&fence->base);
	return ret;
}

/* One that cannot be restored is lost, and no concern of the others. */
static int d3dgpu_pm_restore_context(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	int ret;

	if (!context->saved)
		return 0;
	context->state = D3DGPU_CONTEXT_NEW;
	ret = d3dgpu_context_start(context, false);
	if (!ret)
		ret = d3dgpu_pm_restore_state(context);
	if (ret) {
		drm_err(&gdev->drm, "context %u (%s) is lost: it cannot be restored (%d)\n",
			context->id, context->name, ret);
		d3dgpu_context_kill(context, D3DGPU_FAULT_RESET);
	}
	d3dgpu_pm_forget_context(context);
	return 0;
}

/**
 * d3dgpu_pm_resume() - make everything as it was before d3dgpu_pm_suspend()
 * @dev: the device, in any state
 *
 * Return: 0, or a negative error code: it does not come up.
 */
int d3dgpu_pm_resume(struct device *dev)
{
	struct d3dgpu_device *gdev = dev_get_drvdata(dev);
	int ret = d3dgpu_device_wake(gdev);

	if (!ret)
		d3dgpu_pm_for_each_context(gdev, d3dgpu_pm_restore_context);
	else
		d3dgpu_pm_for_each_context(gdev, d3dgpu_pm_forget_saved);
	d3dgpu_pm_restore_pinned(gdev);
	return drm_mode_config_helper_resume(&gdev->drm) ?: ret;
}

/**
 * d3dgpu_pm_init() - get ready to sleep some day
 * @gdev: the device
 */
void d3dgpu_pm_init(struct d3dgpu_device *gdev)
{
	INIT_LIST_HEAD(&gdev->pm.pinned);
}
