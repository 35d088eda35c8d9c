// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_residency.h"

/**
 * DOC: Scheduling
 *
 * Which context runs next is the firmware's business. The kernel's scheduler is only there for
 * what must be settled before: a job waits in it for its in-fences, then its entries go into
 * the ring. So every context has a scheduler of its own with one entity; jobs of one context
 * stay in order and those of others never wait for them.
 *
 * The device watches over hanging jobs itself and ends their context. The time-out here is the
 * second line, for a device that does not answer at all: it asks for the context's end, resets
 * the device if its firmware has died, and then waits on, because memory may be reused only
 * when the device has really let go of it.
 */

/* Jobs of one context that the device may have. */
#define D3DGPU_SCHED_JOBS 64
/* Milliseconds after the device's own time-out. */
#define D3DGPU_SCHED_GRACE 20000

/**
 * d3dgpu_job_alloc() - memory for a job
 * @context: whose job
 * @bo_count: how many objects it can have
 *
 * Return: the job, without objects, or NULL.
 */
struct d3dgpu_job *d3dgpu_job_alloc(struct d3dgpu_context *context, u32 bo_count)
{
	struct d3dgpu_job *job = kvzalloc(struct_size(job, bos, bo_count), GFP_KERNEL);

	if (!job)
		return NULL;
	job->context = context;
	job->opcode = D3DGPU_OP_FENCE;
	job->fence = d3dgpu_fence_alloc(GFP_KERNEL);
	if (job->fence)
		return job;
	kvfree(job);
	return NULL;
}

/**
 * d3dgpu_job_free() - free a job that never runs, or has run
 * @job: the job; its scheduler part is cleaned up already
 */
void d3dgpu_job_free(struct d3dgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];

		/* Not written, and nothing behind it will be. */
		if (job->has_steps)
			d3dgpu_residency_cancel(entry, job->context->id);
		d3dgpu_bo_put(entry->bo);
	}
	if (job->armed)
		dma_fence_put(&job->fence->base);
	else
		kfree(job->fence);
	kvfree(job);
}

/**
 * d3dgpu_job_add_dependency() - make a job wait for a fence
 * @job: the job, not armed yet
 * @fence: the fence; the reference is taken over
 *
 * Jobs of one context are in order anyway, and need not be done one by one.
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_job_add_dependency(struct d3dgpu_job *job, struct dma_fence *fence)
{
	if (fence->context != job->context->timeline)
		return drm_sched_job_add_dependency(&job->base, fence);
	dma_fence_put(fence);
	return 0;
}

/**
 * d3dgpu_job_add_dependencies() - make a job wait for fences of a reservation object
 * @job: the job, not armed yet
 * @resv: the reservation object, locked or not
 * @usage: which fences
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_job_add_dependencies(struct d3dgpu_job *job, struct dma_resv *resv,
				enum dma_resv_usage usage)
{
	struct dma_resv_iter cursor;
	struct dma_fence *fence;
	int ret = 0;

	dma_resv_iter_begin(&cursor, resv, usage);
	dma_resv_for_each_fence_unlocked(&cursor, fence) {
		ret = d3dgpu_job_add_dependency(job, dma_fence_get(fence));
		if (ret)
			break;
	}
	dma_resv_iter_end(&cursor);
	return ret;
}

/* The entry that does what the job is for. */
static void d3dgpu_job_fill_entry(struct d3dgpu_job *job, struct d3dgpu_entry *entry)
{
	entry->opcode = job->opcode;
	switch (job->opcode) {
	case D3DGPU_OP_EXEC:
		entry->exec.offset = d3dgpu_bo_offset(job->commands) + job->offset;
		entry->exec.size = job->size;
		job->fence->stream_offset = entry->exec.offset;
		job->fence->stream_size = job->size;
		break;
	case D3DGPU_OP_FLUSH:
		entry->transfer.resource = job->bos[0].bo->res_id;
		break;
	case D3DGPU_OP_EVICT:
		entry->evict.resource = job->bos[0].bo->res_id;
		entry->evict.flags = job->flags;
		break;
	}
}

static int d3dgpu_job_write(struct d3dgpu_job *job)
{
	struct d3dgpu_context *context = job->context;
	struct d3dgpu_entry entry = { };
	int ret = 0;
	u32 i;

	d3dgpu_job_fill_entry(job, &entry);
	d3dgpu_ring_begin(context->ring);
	for (i = 0; job->has_steps && i < job->bo_count && !ret; i++)
		ret = d3dgpu_context_write_steps(context, &job->bos[i]);
	if (!ret)
		ret = d3dgpu_context_write(context, &entry, job->fence);
	d3dgpu_ring_end(context->ring);
	return ret;
}

/* Called again after a time-out: a job is written only once. */
static struct dma_fence *d3dgpu_sched_run_job(struct drm_sched_job *base)
{
	struct d3dgpu_job *job = to_d3dgpu_job(base);
	struct d3dgpu_context *context = job->context;
	int ret;

	if (job->ran)
		return dma_fence_get(&job->fence->base);
	if (READ_ONCE(context->lost))
		return ERR_PTR(-EIO);

	ret = d3dgpu_job_write(job);
	if (ret)
		return ERR_PTR(ret);
	job->ran = true;
	return dma_fence_get(&job->fence->base);
}

static enum drm_gpu_sched_stat d3dgpu_sched_timedout_job(struct drm_sched_job *base)
{
	struct d3dgpu_job *job = to_d3dgpu_job(base);
	struct d3dgpu_context *context = job->context;
	struct d3dgpu_device *gdev = context->gdev;

	/* Perhaps only an interrupt got lost. */
	d3dgpu_fence_process(context->ring);
	if (job->ran && !dma_fence_is_signaled(&job->fence->base)) {
		drm_err(&gdev->drm, "context %u (%s): submit %llu does not end\n", context->id,
			context->name, job->seqno);
		d3dgpu_device_check(gdev);
		d3dgpu_context_kill(context, D3DGPU_FAULT_HANG);
	}
	return d3dgpu_compat_sched_wait_on(base);
}

static void d3dgpu_sched_free_job(struct drm_sched_job *base)
{
	struct d3dgpu_job *job = to_d3dgpu_job(base);
	struct d3dgpu_context *context = job->context;

	mutex_lock(&context->queue_lock);
	list_del(&job->link);
	mutex_unlock(&context->queue_lock);
	if (!job->ran)
		d3dgpu_fence_fail(job->fence, context, base->s_fence->finished.error ?: -EIO);
	drm_sched_job_cleanup(base);
	d3dgpu_job_free(job);
	d3dgpu_reap_job_freed(context->gdev);
	if (atomic_dec_and_test(&context->jobs))
		wake_up(&context->idle);
}

static const struct drm_sched_backend_ops d3dgpu_sched_ops = {
	.run_job = d3dgpu_sched_run_job,
	.timedout_job = d3dgpu_sched_timedout_job,
	.free_job = d3dgpu_sched_free_job,
};

/**
 * d3dgpu_job_arm() - give a job its place in its context's queue
 * @job: the job; its context's push lock is held until it is pushed
 *
 * Return: the fence that tells that it is done; the job has the reference.
 */
struct dma_fence *d3dgpu_job_arm(struct d3dgpu_job *job)
{
	struct d3dgpu_context *context = job->context;
	struct dma_fence *fence = &job->fence->base;

	lockdep_assert_held(&context->push_lock);
	drm_sched_job_arm(&job->base);
	d3dgpu_fence_init(job->fence, context->timeline, ++context->job_count);
	job->fence->submit = job->seqno;
	job->armed = true;
	dma_fence_put(context->last);
	context->last = dma_fence_get(fence);
	return fence;
}

/**
 * d3dgpu_job_push() - queue a job
 * @job: the job, armed; the scheduler owns it from now on
 */
void d3dgpu_job_push(struct d3dgpu_job *job)
{
	struct d3dgpu_context *context = job->context;

	atomic_inc(&context->jobs);
	mutex_lock(&context->queue_lock);
	list_add_tail(&job->link, &context->queue);
	mutex_unlock(&context->queue_lock);
	d3dgpu_reap_job_queued(context->gdev);
	drm_sched_entity_push_job(&job->base);
}

/**
 * d3dgpu_sched_push() - queue a job about one object, behind all that the context has to do
 * @context: the context
 * @opcode: enum d3dgpu_opcode: FLUSH or EVICT
 * @flags: D3DGPU_EVICT_*
 * @bo: the object
 *
 * Return: its fence, referenced; NULL: the context takes no jobs any more, or the object is
 * on its way out; or -ENOMEM.
 */
struct dma_fence *d3dgpu_sched_push(struct d3dgpu_context *context, u8 opcode, u32 flags,
				    struct d3dgpu_bo *bo)
{
	struct d3dgpu_job *job = d3dgpu_job_alloc(context, 1);
	struct dma_fence *fence = NULL;

	if (!job)
		return ERR_PTR(-ENOMEM);
	job->opcode = opcode;
	job->flags = flags;
	mutex_lock(&context->push_lock);
	if (context->shut || !kref_get_unless_zero(&bo->ttm.base.refcount))
		goto free_job;
	job->bos[job->bo_count++].bo = bo;
	if (d3dgpu_compat_sched_job_init(&job->base, &context->entity, NULL)) {
		fence = ERR_PTR(-ENOMEM);
		goto free_job;
	}
	fence = dma_fence_get(d3dgpu_job_arm(job));
	d3dgpu_job_push(job);
	mutex_unlock(&context->push_lock);
	return fence;

free_job:
	mutex_unlock(&context->push_lock);
	d3dgpu_job_free(job);
	return fence;
}

static long d3dgpu_sched_timeout(struct d3dgpu_device *gdev)
{
	if (!gdev->hang_timeout)
		return MAX_SCHEDULE_TIMEOUT;
	return msecs_to_jiffies(2 * min(gdev->hang_timeout, 3600000u) + D3DGPU_SCHED_GRACE);
}

/**
 * d3dgpu_sched_init() - start the scheduler of a context
 * @context: the context
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_sched_init(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct drm_gpu_scheduler *sched = &context->sched;
	int ret;

	ret = d3dgpu_compat_sched_init(sched, &d3dgpu_sched_ops, D3DGPU_SCHED_JOBS,
				       d3dgpu_sched_timeout(gdev), gdev->timeout_wq, gdev->drm.dev);
	if (ret)
		return ret;
	ret = drm_sched_entity_init(&context->entity, DRM_SCHED_PRIORITY_NORMAL, &sched, 1, NULL);
	if (ret)
		drm_sched_fini(sched);
	return ret;
}

/**
 * d3dgpu_sched_fini() - stop the scheduler of a context
 * @context: the context, whose entity is finished and whose jobs are freed
 */
void d3dgpu_sched_fini(struct d3dgpu_context *context)
{
	drm_sched_fini(&context->sched);
}
