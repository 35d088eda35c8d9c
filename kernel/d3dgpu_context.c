// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <drm/drm_drv.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_coredump.h"
#include "d3dgpu_progress.h"
#include "d3dgpu_residency.h"
#include "d3dgpu_state.h"
#include "d3dgpu_trace.h"
#include "d3dgpu_usage.h"

/**
 * DOC: Contexts
 *
 * A context is one renderer process of the host. User space knows it by a handle of its file,
 * the device by an id, which is also the number of its fence slot. An id is free again only
 * when the device has said that the worker is gone.
 *
 * Its end has several causes and always the same steps, in a work of its own, because each of
 * them may wait::
 *
 *	no more submits                   the handle is gone
 *	wait for what was queued          its hang watch sees to it that this ends
 *	flush what only it has            of objects that somebody has a handle of
 *	CTX_DESTROY, wait for its fence   now the worker is dead, and writes to VRAM no more
 *	free scheduler and id
 *
 * When the file was closed, nobody wants to see what was queued or runs: CTX_DESTROY ends the worker
 * whatever it does, and what is queued fails when its turn comes. Only for objects that others have
 * too, there is a moment's grace to finish and flush them.
 *
 * When the device says that a context is lost, CTX_DESTROY is sent at once: memory that its
 * worker may still write to can be reused only after that, and a program that never closes its
 * handle must not keep it.
 */

/*
 * Entries that the firmware may hold of one context. Its queue per context is larger; a context
 * that filled it would stop the ring for all others. Every 128th entry signals, so that there
 * is something to wait for.
 */
#define D3DGPU_CONTEXT_DEPTH 384
#define D3DGPU_CONTEXT_MARK  128u

/* How long the host may take to start a worker. */
#define D3DGPU_CONTEXT_START (60 * HZ)

/* How long a context whose file was closed may still take for objects that others have. */
#define D3DGPU_CONTEXT_GRACE (10 * HZ)

static void d3dgpu_context_free(struct kref *refcount)
{
	struct d3dgpu_context *context = container_of(refcount, struct d3dgpu_context, refcount);

	dma_fence_put(context->last);
	dma_fence_put(context->end);
	d3dgpu_usage_put(context->usage);
	put_page(context->progress);
	mutex_destroy(&context->push_lock);
	mutex_destroy(&context->submit_lock);
	drm_dev_put(&context->gdev->drm);
	kfree(context);
}

void d3dgpu_context_put(struct d3dgpu_context *context)
{
	kref_put(&context->refcount, d3dgpu_context_free);
}

/**
 * d3dgpu_context_lookup() - context of a handle
 * @dfile: the file
 * @handle: the handle
 *
 * Return: the context, referenced, or NULL.
 */
struct d3dgpu_context *d3dgpu_context_lookup(struct d3dgpu_file *dfile, u32 handle)
{
	struct d3dgpu_context *context;

	xa_lock(&dfile->contexts);
	context = xa_load(&dfile->contexts, handle);
	if (context)
		kref_get(&context->refcount);
	xa_unlock(&dfile->contexts);
	return context;
}

/**
 * d3dgpu_context_find() - context of an id of the device
 * @gdev: the device
 * @id: the id
 *
 * Return: the context, referenced, or NULL: it has ended.
 */
struct d3dgpu_context *d3dgpu_context_find(struct d3dgpu_device *gdev, u32 id)
{
	struct d3dgpu_context *context;

	xa_lock(&gdev->contexts);
	context = xa_load(&gdev->contexts, id);
	if (context && !kref_get_unless_zero(&context->refcount))
		context = NULL;
	xa_unlock(&gdev->contexts);
	return context;
}

/* ---- entries ---- */

/* A device that says that more is done than there was is taken at its word. */
static bool d3dgpu_context_is_full(struct d3dgpu_context *context)
{
	return (s64)(context->next_fence - READ_ONCE(context->done)) > D3DGPU_CONTEXT_DEPTH;
}

/* Waits until the firmware may be given another entry. Gives up the ring's lock meanwhile. */
static void d3dgpu_context_throttle(struct d3dgpu_context *context)
{
	struct d3dgpu_ring *ring = context->ring;

	while (d3dgpu_context_is_full(context) && !READ_ONCE(ring->gdev->down) &&
	       context->state == D3DGPU_CONTEXT_LIVE) {
		d3dgpu_ring_end(ring);
		wait_event_timeout(ring->space,
				   READ_ONCE(ring->gdev->down) || !d3dgpu_context_is_full(context),
				   HZ / 10);
		d3dgpu_ring_begin(ring);
	}
}

/**
 * d3dgpu_context_write() - write an entry of a context
 * @context: the context; its ring is locked, but the lock may be given up for a while
 * @entry: the entry; context, number and flags are filled in
 * @fence: signalled when it is done, or NULL. On success only.
 *
 * Return: 0, or -EIO: the device does not have the context.
 */
int d3dgpu_context_write(struct d3dgpu_context *context, struct d3dgpu_entry *entry,
			 struct d3dgpu_fence *fence)
{
	bool create = entry->opcode == D3DGPU_OP_CTX_CREATE;
	int ret;

	/* The end of a context that does not answer must not wait for its answer. */
	if (entry->opcode != D3DGPU_OP_CTX_DESTROY)
		d3dgpu_context_throttle(context);
	if (context->state != (create ? D3DGPU_CONTEXT_NEW : D3DGPU_CONTEXT_LIVE))
		return -EIO;
	ret = d3dgpu_ring_wait(context->ring);
	if (ret)
		return ret;

	entry->context = context->id;
	entry->fence = context->next_fence++;
	if (fence)
		d3dgpu_fence_arm(fence, context, entry->fence);
	if (fence || entry->fence % D3DGPU_CONTEXT_MARK == 0)
		entry->flags = D3DGPU_ENTRY_FENCE | D3DGPU_ENTRY_IRQ;
	trace_d3dgpu_dispatch(context->id, entry->fence, entry->opcode, fence ? fence->submit : 0);
	d3dgpu_ring_put(context->ring, entry);
	return 0;
}

static int d3dgpu_context_write_create(struct d3dgpu_context *context, struct d3dgpu_bo *bo)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RES_CREATE,
		.res_create = {
			.resource = bo->res_id,
			.backing = d3dgpu_bo_offset(bo),
			.size = d3dgpu_bo_size(bo),
			.desc = bo->desc,
		},
	};

	return d3dgpu_context_write(context, &entry, NULL);
}

static int d3dgpu_context_write_restore(struct d3dgpu_context *context, struct d3dgpu_bo *bo,
					u32 flags)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RESTORE,
		.restore = {
			.resource = bo->res_id,
			.flags = flags,
			.backing = d3dgpu_bo_offset(bo),
			.size = d3dgpu_bo_size(bo),
		},
	};

	return d3dgpu_context_write(context, &entry, NULL);
}

static int d3dgpu_context_write_load(struct d3dgpu_context *context, struct d3dgpu_bo *bo)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_LOAD,
		.transfer.resource = bo->res_id,
	};

	return d3dgpu_context_write(context, &entry, NULL);
}

/**
 * d3dgpu_context_write_steps() - tell a context's worker what it has to do for an object
 * @context: the context; its ring is locked
 * @entry: the object and what is to be done; what has been written is taken off
 *
 * Return: as d3dgpu_context_write().
 */
int d3dgpu_context_write_steps(struct d3dgpu_context *context, struct d3dgpu_job_bo *entry)
{
	int ret = 0;

	if (entry->steps & D3DGPU_STEP_RESTORE) {
		ret = d3dgpu_context_write_restore(context, entry->bo,
						   entry->steps & D3DGPU_STEP_LOAD ?
						   D3DGPU_RESTORE_LOAD : 0);
		if (!ret)
			entry->steps = 0;
	}
	if (entry->steps & D3DGPU_STEP_CREATE) {
		ret = d3dgpu_context_write_create(context, entry->bo);
		if (!ret)
			entry->steps &= ~D3DGPU_STEP_CREATE;
	}
	if (!ret && entry->steps & D3DGPU_STEP_LOAD) {
		ret = d3dgpu_context_write_load(context, entry->bo);
		if (!ret)
			entry->steps = 0;
	}
	return ret;
}

/* How many entries the firmware may be given now. */
static u32 d3dgpu_context_room(struct d3dgpu_context *context)
{
	s64 used = context->next_fence - READ_ONCE(context->done);

	return clamp_t(s64, D3DGPU_CONTEXT_DEPTH - used, 0, D3DGPU_CONTEXT_DEPTH);
}

/* RES_DESTROY for the first objects of the list, as many as there is room for; they move to @told. */
static int d3dgpu_context_write_destroy(struct d3dgpu_context *context, struct list_head *bos,
					struct list_head *told, struct d3dgpu_fence *fence)
{
	u32 room = d3dgpu_context_room(context);
	struct d3dgpu_bo *bo, *next;
	int ret;

	list_for_each_entry_safe(bo, next, bos, reap_link) {
		struct d3dgpu_entry entry = {
			.opcode = D3DGPU_OP_RES_DESTROY,
			.res_destroy.resource = bo->res_id,
		};
		bool last = room == 1 || list_is_last(&bo->reap_link, bos);

		if (!room--)
			break;
		ret = d3dgpu_context_write(context, &entry, last ? fence : NULL);
		if (ret)
			return ret;
		list_move_tail(&bo->reap_link, told);
	}
	return 0;
}

/**
 * d3dgpu_context_forget() - make a context's worker forget objects
 * @context: the context
 * @bos: the objects, a list through &d3dgpu_bo.reap_link
 * @told: where those go that the returned fence is about; others must be tried again
 * @end: set to whether the fence is that of the context's end
 *
 * A context that is lost signals all its fences at once, with an error, while its worker may still
 * be alive. Such a fence says nothing about the objects, unless it is that of the end.
 *
 * Return: a fence after which the worker does not have them any more, or NULL: it has not.
 */
struct dma_fence *d3dgpu_context_forget(struct d3dgpu_context *context, struct list_head *bos,
					struct list_head *told, bool *end)
{
	struct d3dgpu_fence *fence = d3dgpu_fence_create(GFP_KERNEL | __GFP_NOFAIL);
	struct dma_fence *result = &fence->base;
	int ret;

	if (READ_ONCE(context->lost))
		d3dgpu_context_kill(context, context->lost);

	d3dgpu_ring_begin(context->ring);
	ret = d3dgpu_context_write_destroy(context, bos, told, fence);
	if (ret)
		list_splice_tail_init(bos, told);
	if (ret || list_empty(told)) {
		dma_fence_put(&fence->base);
		result = NULL;
	}
	if (ret && context->state == D3DGPU_CONTEXT_ENDED)
		result = dma_fence_get(context->end);
	*end = ret;
	d3dgpu_ring_end(context->ring);
	return result;
}

/* ---- end ---- */

/* Writes CTX_DESTROY, once. What is lost or thrown away needs not be finished. */
static void d3dgpu_context_end(struct d3dgpu_context *context)
{
	struct d3dgpu_fence *fence = d3dgpu_fence_create(GFP_KERNEL | __GFP_NOFAIL);
	struct d3dgpu_entry entry = { .opcode = D3DGPU_OP_CTX_DESTROY };

	if (READ_ONCE(context->lost) || READ_ONCE(context->cancel))
		entry.ctx_destroy.flags = D3DGPU_DESTROY_NOW;
	d3dgpu_ring_begin(context->ring);
	if (d3dgpu_context_write(context, &entry, fence)) {
		dma_fence_put(&fence->base);
	} else {
		context->end = &fence->base;
		context->ended = jiffies;
		smp_store_release(&context->state, D3DGPU_CONTEXT_ENDED); /* d3dgpu_watch.c */
	}
	d3dgpu_ring_end(context->ring);
}

/* Notes what can be said about the loss of a context, and signals its fences. */
static void d3dgpu_context_dump(struct d3dgpu_context *context)
{
	if (context->lost != D3DGPU_FAULT_ENDED)
		d3dgpu_coredump(context->gdev, context, d3dgpu_fault_text(context->lost));
	spin_lock_irq(&context->ring->fence_lock);
	context->dumped = true;
	spin_unlock_irq(&context->ring->fence_lock);
	d3dgpu_fence_process(context->ring);
}

static void d3dgpu_context_lost_work(struct work_struct *work)
{
	struct d3dgpu_context *context = container_of(work, struct d3dgpu_context, lost_work);

	d3dgpu_context_dump(context);
	d3dgpu_context_end(context);
	d3dgpu_context_put(context);
}

/**
 * d3dgpu_context_lose() - note that the device has lost a context
 * @context: the context; its ring's fence lock is held
 * @fault: enum d3dgpu_fault
 */
void d3dgpu_context_lose(struct d3dgpu_context *context, u32 fault)
{
	if (!d3dgpu_progress_lost(context, fault))
		return;
	kref_get(&context->refcount);
	if (!queue_work(context->gdev->wq, &context->lost_work))
		kref_put(&context->refcount, d3dgpu_context_free);
}

/**
 * d3dgpu_context_kill() - end a context that does not answer, whatever is queued in it
 * @context: the context
 * @fault: why: enum d3dgpu_fault
 */
void d3dgpu_context_kill(struct d3dgpu_context *context, u32 fault)
{
	if (d3dgpu_progress_lost(context, fault))
		d3dgpu_context_dump(context);
	d3dgpu_context_end(context);
}

/**
 * d3dgpu_context_wait_dead() - wait until a context's worker touches VRAM no more
 * @context: the context: lost, or it takes no jobs any more; it is ended if it was not yet
 * @interruptible: whether a signal ends the wait
 *
 * Return: 0 or -ERESTARTSYS.
 */
int d3dgpu_context_wait_dead(struct d3dgpu_context *context, bool interruptible)
{
	struct dma_fence *end;
	int ret;

	d3dgpu_context_end(context);
	d3dgpu_ring_begin(context->ring);
	end = dma_fence_get(context->end);
	d3dgpu_ring_end(context->ring);
	if (!end)
		return 0; /* the device does not have it */
	ret = dma_fence_wait(end, interruptible);
	dma_fence_put(end);
	return ret;
}

/**
 * d3dgpu_contexts_abandon() - the device has forgotten all contexts
 * @gdev: the device; the locks of all rings are held
 */
void d3dgpu_contexts_abandon(struct d3dgpu_device *gdev)
{
	struct d3dgpu_context *context;
	unsigned long id;

	d3dgpu_fence_sync(gdev);
	d3dgpu_paging_abandon(gdev);
	/* None goes meanwhile: taking one out needs its ring's lock, which is ours. */
	xa_for_each(&gdev->contexts, id, context) {
		if (context->state == D3DGPU_CONTEXT_NEW)
			continue;
		d3dgpu_progress_lost(context, D3DGPU_FAULT_RESET);
		context->state = D3DGPU_CONTEXT_GONE;
		d3dgpu_fence_abandon(context);
	}
}

static void d3dgpu_context_unregister(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_ring *ring = context->ring;

	d3dgpu_residency_forget(context);
	d3dgpu_ring_begin(ring);
	context->state = D3DGPU_CONTEXT_GONE;
	xa_erase(&gdev->contexts, context->id);
	d3dgpu_ring_end(ring);

	spin_lock_irq(&ring->fence_lock);
	list_del(&context->ring_link);
	spin_unlock_irq(&ring->fence_lock);
	ida_free(&gdev->context_ids, context->id);
}

/**
 * d3dgpu_context_get_last() - finished fence of the last job that was queued
 * @context: the context
 *
 * Return: the fence, referenced, or NULL: there was none.
 */
struct dma_fence *d3dgpu_context_get_last(struct d3dgpu_context *context)
{
	struct dma_fence *fence;

	mutex_lock(&context->push_lock);
	fence = dma_fence_get(context->last);
	mutex_unlock(&context->push_lock);
	return fence;
}

/* Waits for the last job. False: there is none that is not done, or time is up. */
static bool d3dgpu_context_wait_last(struct d3dgpu_context *context, long timeout)
{
	struct dma_fence *fence = d3dgpu_context_get_last(context);
	bool waited = fence && !dma_fence_is_signaled(fence) &&
		      dma_fence_wait_timeout(fence, false, timeout) > 0;

	dma_fence_put(fence);
	return waited;
}

/*
 * Nobody submits any more, but others may still want something: the last job can become another one
 * while it is waited for.
 */
static void d3dgpu_context_finish(struct d3dgpu_context *context)
{
	bool idle;

	if (d3dgpu_residency_rescue(context) && context->cancel)
		d3dgpu_context_wait_last(context, D3DGPU_CONTEXT_GRACE);
	do {
		while (!context->cancel && d3dgpu_context_wait_last(context, MAX_SCHEDULE_TIMEOUT))
			;
		mutex_lock(&context->push_lock);
		idle = !context->last || dma_fence_is_signaled(context->last);
		context->shut = idle || context->cancel;
		mutex_unlock(&context->push_lock);
	} while (!context->shut);
}

static void d3dgpu_context_close_work(struct work_struct *work)
{
	struct d3dgpu_context *context = container_of(work, struct d3dgpu_context, close_work);

	d3dgpu_context_finish(context);
	if (context->cancel)
		d3dgpu_context_end(context);
	/* An entity that ends with jobs queued makes most kernels lose a fence: the queue runs empty. */
	wait_event(context->idle, !atomic_read(&context->jobs));
	drm_sched_entity_fini(&context->entity);
	d3dgpu_context_wait_dead(context, false);
	d3dgpu_sched_fini(context);
	d3dgpu_context_unregister(context);
	d3dgpu_context_put(context);
}

/* Consumes the handle's reference. */
static void d3dgpu_context_close(struct d3dgpu_context *context, bool cancel)
{
	mutex_lock(&context->submit_lock);
	context->closed = true;
	context->cancel = cancel;
	mutex_unlock(&context->submit_lock);
	queue_work(context->gdev->wq, &context->close_work);
}

/**
 * d3dgpu_contexts_close() - end all contexts of a file; what is queued in them is thrown away
 * @gdev: the device
 * @dfile: the file
 *
 * Does not wait for them, unless the device has gone: then the file's reference may be the last
 * but theirs, and the works that end them, and their objects, must not be what frees the device.
 */
void d3dgpu_contexts_close(struct d3dgpu_device *gdev, struct d3dgpu_file *dfile)
{
	struct d3dgpu_context *context;
	unsigned long handle;

	xa_for_each(&dfile->contexts, handle, context)
		d3dgpu_context_close(context, true);
	xa_destroy(&dfile->contexts);
	if (drm_dev_is_unplugged(&gdev->drm)) {
		flush_workqueue(gdev->wq);
		flush_delayed_work(&gdev->reap.work);
	}
}

/* ---- begin ---- */

/* An id that the device does not use. When there is none, waits for contexts that are ending. */
static int d3dgpu_context_get_id(struct d3dgpu_device *gdev)
{
	u32 last = clamp(gdev->caps.max_contexts, 1u, D3DGPU_MAX_CONTEXTS - 1u);
	int id = ida_alloc_range(&gdev->context_ids, 1, last, GFP_KERNEL);

	if (id == -ENOSPC) {
		flush_workqueue(gdev->wq);
		id = ida_alloc_range(&gdev->context_ids, 1, last, GFP_KERNEL);
	}
	return id;
}

/* Its slot is looked at from now on. What a former context left must not signal our fences. */
static void d3dgpu_context_register(struct d3dgpu_context *context)
{
	struct d3dgpu_ring *ring = context->ring;

	d3dgpu_ring_begin(ring);
	if (!READ_ONCE(ring->gdev->down))
		memset(context->slot, 0, sizeof(*context->slot));
	spin_lock_irq(&ring->fence_lock);
	list_add_tail(&context->ring_link, &ring->contexts);
	spin_unlock_irq(&ring->fence_lock);
	d3dgpu_ring_end(ring);
}

/* Makes the context known here; the device hears of it later. */
static struct d3dgpu_context *d3dgpu_context_new(struct d3dgpu_device *gdev,
						 struct d3dgpu_file *dfile, u32 priority)
{
	struct d3dgpu_context *context;
	int ret;

	context = kzalloc(sizeof(*context), GFP_KERNEL);
	if (!context)
		return ERR_PTR(-ENOMEM);
	ret = d3dgpu_context_get_id(gdev);
	if (ret < 0)
		goto free_context;

	drm_dev_get(&gdev->drm);
	kref_init(&context->refcount);
	context->gdev = gdev;
	context->usage = d3dgpu_usage_get(dfile->usage);
	context->id = ret;
	d3dgpu_progress_begin(context, dfile->progress);
	context->priority = priority;
	context->ring = &gdev->rings[priority];
	context->slot = &gdev->ctrl->fences[context->id];
	context->next_fence = 1;
	context->timeline = dma_fence_context_alloc(1);
	get_task_comm(context->name, current);
	INIT_LIST_HEAD(&context->pending);
	INIT_WORK(&context->close_work, d3dgpu_context_close_work);
	INIT_WORK(&context->lost_work, d3dgpu_context_lost_work);
	init_waitqueue_head(&context->idle);
	mutex_init(&context->submit_lock);
	mutex_init(&context->push_lock);
	mutex_init(&context->queue_lock);
	INIT_LIST_HEAD(&context->queue);

	ret = d3dgpu_sched_init(context);
	if (ret)
		goto free_id;
	ret = xa_err(xa_store(&gdev->contexts, context->id, context, GFP_KERNEL));
	if (ret)
		goto fini_sched;

	d3dgpu_context_register(context);
	return context;

fini_sched:
	drm_sched_entity_fini(&context->entity);
	d3dgpu_sched_fini(context);
free_id:
	ida_free(&gdev->context_ids, context->id);
	d3dgpu_context_put(context);
	return ERR_PTR(ret);
free_context:
	kfree(context);
	return ERR_PTR(ret);
}

/**
 * d3dgpu_context_start() - have the device start a worker, and wait for it
 * @context: the context, of which the device knows nothing
 * @interruptible: whether a signal ends the wait
 *
 * Return: 0; -EIO: the host could not start one, or the device is down; or -ERESTARTSYS.
 */
int d3dgpu_context_start(struct d3dgpu_context *context, bool interruptible)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_CTX_CREATE,
		.ctx_create.priority = context->priority,
	};
	struct d3dgpu_fence *fence = d3dgpu_fence_create(GFP_KERNEL);
	long left;
	int ret;

	if (!fence)
		return -ENOMEM;
	strscpy(entry.ctx_create.name, context->name, sizeof(entry.ctx_create.name));

	d3dgpu_ring_begin(context->ring);
	ret = d3dgpu_context_write(context, &entry, fence);
	if (!ret)
		context->state = D3DGPU_CONTEXT_LIVE;
	d3dgpu_ring_end(context->ring);
	if (ret)
		goto put_fence;

	left = dma_fence_wait_timeout(&fence->base, interruptible, D3DGPU_CONTEXT_START);
	if (left > 0)
		ret = fence->base.error;
	else
		ret = left ? left : -EIO;
put_fence:
	dma_fence_put(&fence->base);
	return ret;
}

/* Makes a context that the device has. One in reset is waited for, and asked again. */
static struct d3dgpu_context *d3dgpu_context_create(struct d3dgpu_device *gdev,
						    struct d3dgpu_file *dfile, u32 priority)
{
	struct d3dgpu_context *context;
	bool reset;
	u32 resets;
	int ret;

	do {
		ret = d3dgpu_device_wait(gdev);
		if (ret)
			break;
		resets = READ_ONCE(gdev->resets);
		context = d3dgpu_context_new(gdev, dfile, priority);
		if (IS_ERR(context))
			return context;
		ret = d3dgpu_context_start(context, true);
		if (!ret)
			return context;
		reset = READ_ONCE(gdev->down) || resets != READ_ONCE(gdev->resets);
		d3dgpu_context_close(context, true);
	} while (ret == -EIO && reset);
	return ERR_PTR(ret);
}

int d3dgpu_ctx_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_ctx_create *args = data;
	struct d3dgpu_file *dfile = file->driver_priv;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	struct d3dgpu_context *context;
	int ret;

	if (args->flags || args->progress || args->priority >= D3DGPU_PRIORITY_COUNT)
		return -EINVAL;
	if (args->priority > D3DGPU_PRIORITY_NORMAL && !capable(CAP_SYS_NICE))
		return -EACCES;

	context = d3dgpu_context_create(gdev, dfile, args->priority);
	if (IS_ERR(context))
		return PTR_ERR(context);
	args->progress = context->id;
	ret = xa_alloc(&dfile->contexts, &args->ctx_id, context, XA_LIMIT(1, U32_MAX), GFP_KERNEL);
	if (ret)
		d3dgpu_context_close(context, true);
	return ret;
}

int d3dgpu_ctx_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_ctx_destroy *args = data;
	struct d3dgpu_file *dfile = file->driver_priv;
	struct d3dgpu_context *context;

	if (args->pad)
		return -EINVAL;
	context = xa_erase(&dfile->contexts, args->ctx_id);
	if (!context)
		return -ENOENT;
	d3dgpu_context_close(context, false);
	return 0;
}

int d3dgpu_ctx_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_ctx_query *args = data;
	struct d3dgpu_context *context;

	context = d3dgpu_context_lookup(file->driver_priv, args->ctx_id);
	if (!context)
		return -ENOENT;
	args->status = READ_ONCE(context->lost);
	args->completed = READ_ONCE(context->completed);
	args->submitted = READ_ONCE(context->submitted);
	d3dgpu_context_put(context);
	return 0;
}

/**
 * d3dgpu_contexts_init() - initialise the device's list of contexts
 * @gdev: the device
 */
void d3dgpu_contexts_init(struct d3dgpu_device *gdev)
{
	ida_init(&gdev->context_ids);
	xa_init(&gdev->contexts);
}
