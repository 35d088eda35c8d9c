// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"

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
 * d3dgpu_job_free() - free a job that never runs, or has run
 * @job: the job; its scheduler part is cleaned up already
 */
void d3dgpu_job_free(struct d3dgpu_job *job)
{
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];

		/* Not written, and nothing behind it will be: the worker never heard of it. */
		if (entry->create)
			clear_bit(job->context->id, entry->bo->contexts);
		d3dgpu_bo_put(entry->bo);
	}
	if (job->commands)
		d3dgpu_bo_put(job->commands);
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
 * d3dgpu_job_arm() - give a job its place in its context's queue
 * @job: the job, which must be pushed next; the context's submit lock is held
 *
 * Return: the fence that tells that it is done; the job has the reference.
 */
struct dma_fence *d3dgpu_job_arm(struct d3dgpu_job *job)
{
	struct d3dgpu_context *context = job->context;

	lockdep_assert_held(&context->submit_lock);
	drm_sched_job_arm(&job->base);
	d3dgpu_fence_init(job->fence, context->timeline, ++context->job_count);
	job->fence->submit = job->seqno;
	job->armed = true;
	return &job->fence->base;
}

static int d3dgpu_job_write(struct d3dgpu_job *job)
{
	struct d3dgpu_context *context = job->context;
	struct d3dgpu_entry entry = { .opcode = D3DGPU_OP_FENCE };
	int ret = 0;
	u32 i;

	if (job->size) {
		entry.opcode = D3DGPU_OP_EXEC;
		entry.exec.offset = d3dgpu_bo_offset(job->commands) + job->offset;
		entry.exec.size = job->size;
		job->fence->stream_offset = entry.exec.offset;
		job->fence->stream_size = job->size;
	}
	d3dgpu_ring_begin(context->ring);
	for (i = 0; i < job->bo_count && !ret; i++) {
		if (!job->bos[i].create)
			continue;
		ret = d3dgpu_context_write_create(context, job->bos[i].bo);
		job->bos[i].create = ret;
	}
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
