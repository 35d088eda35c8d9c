// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_residency.h"

/**
 * DOC: Residency
 *
 * A resource has its content in one place or in several: in its linear image, and in the 3D objects
 * of workers that know it. The kernel knows where the content is, because a submit says which
 * objects its stream writes. A submit of a context that does not have the content makes the last
 * writer flush its object into the image, and its own worker load it from there. Between contexts,
 * of one program or of several, nobody else has to care. Objects whose memory is their storage in
 * the engine too, staging buffers above all, need none of this.
 *
 * When an object leaves VRAM, all workers that use its range must let go of it: EVICT, with a flush
 * in the last writer's queue. They remember what it was, and get it back with RESTORE, one by one as
 * they use it again.
 *
 * All this is bookkeeping about what has been queued, in the order in which it was queued: the jobs
 * are ordinary ones in the contexts' queues, and what they wait for are ordinary fences.
 * &d3dgpu_device.residency protects it. A submit that changes nothing, as those of a steady frame
 * do not, holds it for reading while it is queued; whoever changes something, for writing. Nobody
 * waits for the device under it.
 *
 * What a lost context had written is lost. The image stays what it was.
 */

/**
 * struct d3dgpu_departure - a worker that is letting go of an object
 * @context: its context, referenced
 * @fence: of the job; NULL: the context takes no jobs any more
 */
struct d3dgpu_departure {
	struct d3dgpu_context *context;
	struct dma_fence *fence;
};

/* The image has the content, or will when the fence is signalled; consumes it. */
static void d3dgpu_residency_set_image(struct d3dgpu_bo *bo, struct dma_fence *fence)
{
	dma_fence_put(bo->image_fence);
	bo->image_fence = fence;
	bo->image_current = true;
	bo->writer = 0;
}

/* Makes the image current: queues a flush in the last writer. */
static int d3dgpu_residency_flush(struct d3dgpu_bo *bo)
{
	struct d3dgpu_context *context;
	struct dma_fence *fence = NULL;

	if (!bo->written || bo->image_current)
		return 0;
	context = d3dgpu_context_find(d3dgpu_bo_device(bo), bo->writer);
	if (context) {
		fence = d3dgpu_sched_push(context, D3DGPU_OP_FLUSH, 0, bo);
		d3dgpu_context_put(context);
	}
	if (IS_ERR(fence))
		return PTR_ERR(fence);
	d3dgpu_residency_set_image(bo, fence);
	return 0;
}

static int d3dgpu_residency_wait_image(struct d3dgpu_bo *bo, struct d3dgpu_job *job)
{
	if (!bo->image_fence)
		return 0;
	if (!dma_fence_is_signaled(bo->image_fence))
		return d3dgpu_job_add_dependency(job, dma_fence_get(bo->image_fence));
	dma_fence_put(bo->image_fence);
	bo->image_fence = NULL;
	return 0;
}

/* ---- submits ---- */

static bool d3dgpu_residency_must_load(const struct d3dgpu_bo *bo, u32 id)
{
	return bo->written && !test_bit(id, bo->current_in);
}

/* Who was the last to write an object has it, with its content. */
static bool d3dgpu_residency_is_steady(const struct d3dgpu_job_bo *entry, u32 id)
{
	const struct d3dgpu_bo *bo = entry->bo;

	if (bo->writer == id)
		return true;
	if (entry->write && !d3dgpu_bo_is_storage(bo))
		return false;
	return test_bit(id, bo->resident) && !d3dgpu_residency_must_load(bo, id);
}

/**
 * d3dgpu_residency_check() - see what a submit needs
 * @job: the submit; &d3dgpu_device.residency is held
 *
 * Return: the worst that one of its objects needs.
 */
enum d3dgpu_residency_need d3dgpu_residency_check(struct d3dgpu_job *job)
{
	enum d3dgpu_residency_need need = D3DGPU_RESIDENCY_STEADY;
	u32 id = job->context->id;
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];

		/* The offset is there before it. */
		if (!smp_load_acquire(&entry->bo->placed) ||
		    (entry->bo->implicit && !entry->implicit))
			return D3DGPU_RESIDENCY_RESERVE;
		if (need == D3DGPU_RESIDENCY_STEADY && !d3dgpu_residency_is_steady(entry, id))
			need = D3DGPU_RESIDENCY_CHANGES;
	}
	return need;
}

/**
 * d3dgpu_residency_prepare() - make a submit wait for the content of its objects
 * @job: the submit; &d3dgpu_device.residency is held for writing
 *
 * Return: 0 or -ENOMEM. Then some images may have been brought up to date, which does no harm.
 */
int d3dgpu_residency_prepare(struct d3dgpu_job *job)
{
	u32 id = job->context->id;
	int ret;
	u32 i;

	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_bo *bo = job->bos[i].bo;

		if (!test_bit(id, bo->resident)) {
			ret = d3dgpu_job_add_dependencies(job, bo->ttm.base.resv,
							  DMA_RESV_USAGE_KERNEL);
			if (ret)
				return ret;
		}
		if (!d3dgpu_residency_must_load(bo, id))
			continue;
		ret = d3dgpu_residency_flush(bo);
		if (!ret)
			ret = d3dgpu_residency_wait_image(bo, job);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * d3dgpu_residency_commit() - note what a submit changes, and what its worker has to be told
 * @job: the submit, which nothing can stop any more; &d3dgpu_device.residency is held for writing
 */
void d3dgpu_residency_commit(struct d3dgpu_job *job)
{
	u32 id = job->context->id;
	u32 i;

	job->has_steps = true;
	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];
		struct d3dgpu_bo *bo = entry->bo;

		if (!test_and_set_bit(id, bo->resident))
			entry->steps |= test_and_set_bit(id, bo->contexts) ? D3DGPU_STEP_RESTORE :
									    D3DGPU_STEP_CREATE;
		if (d3dgpu_residency_must_load(bo, id)) {
			entry->steps |= D3DGPU_STEP_LOAD;
			set_bit(id, bo->current_in);
		}
		if (!entry->write || d3dgpu_bo_is_storage(bo))
			continue;
		bitmap_zero(bo->current_in, D3DGPU_MAX_CONTEXTS);
		set_bit(id, bo->current_in);
		bo->written = true;
		bo->image_current = false;
		bo->writer = id;
	}
}

/**
 * d3dgpu_residency_cancel() - the worker has never heard of what a submit had to tell it
 * @entry: an object of the submit, whose context runs nothing any more
 * @id: the context
 */
void d3dgpu_residency_cancel(struct d3dgpu_job_bo *entry, u32 id)
{
	if (!(entry->steps & (D3DGPU_STEP_CREATE | D3DGPU_STEP_RESTORE)))
		return;
	clear_bit(id, entry->bo->current_in);
	clear_bit(id, entry->bo->resident);
	if (entry->steps & D3DGPU_STEP_CREATE)
		clear_bit(id, entry->bo->contexts);
}

/**
 * d3dgpu_residency_update_image() - make an object's image current, for a reader of the image
 * @bo: the object, reserved and in VRAM
 *
 * The reader waits for the writers among the fences of the reservation object.
 *
 * Return: 0 or -ENOMEM.
 */
int d3dgpu_residency_update_image(struct d3dgpu_bo *bo)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	struct dma_resv *resv = bo->ttm.base.resv;
	int ret;

	if (d3dgpu_bo_is_storage(bo))
		return 0;
	ret = dma_resv_reserve_fences(resv, 1);
	if (ret)
		return ret;
	down_write(&gdev->residency);
	ret = d3dgpu_residency_flush(bo);
	if (!ret && bo->image_fence)
		dma_resv_add_fence(resv, bo->image_fence, DMA_RESV_USAGE_WRITE);
	up_write(&gdev->residency);
	return ret;
}

/* ---- eviction ---- */

static int d3dgpu_residency_push_evict(struct d3dgpu_bo *bo, u32 id,
				       struct d3dgpu_departure *departure)
{
	bool flush = bo->writer == id;
	struct d3dgpu_context *context = d3dgpu_context_find(d3dgpu_bo_device(bo), id);
	struct dma_fence *fence = NULL;

	if (context)
		fence = d3dgpu_sched_push(context, D3DGPU_OP_EVICT, flush ? D3DGPU_EVICT_FLUSH : 0,
					  bo);
	if (IS_ERR(fence)) {
		d3dgpu_context_put(context);
		return PTR_ERR(fence);
	}
	clear_bit(id, bo->resident);
	clear_bit(id, bo->current_in);
	if (flush)
		d3dgpu_residency_set_image(bo, dma_fence_get(fence));
	departure->context = context;
	departure->fence = fence;
	return 0;
}

/* The worker touches the range no more: it has done what it was told, or it is dead. */
static int d3dgpu_residency_wait_departure(struct d3dgpu_departure *departure, bool interruptible)
{
	int ret = 0;

	if (departure->fence)
		ret = dma_fence_wait(departure->fence, interruptible);
	if (!ret && departure->context && (!departure->fence || departure->fence->error))
		ret = d3dgpu_context_wait_dead(departure->context, interruptible);
	return ret;
}

static void d3dgpu_residency_forget_departure(struct d3dgpu_departure *departure)
{
	dma_fence_put(departure->fence);
	if (departure->context)
		d3dgpu_context_put(departure->context);
}

/* Of what is purged, nothing is left: it is as if it had never been written. */
static void d3dgpu_residency_purge(struct d3dgpu_bo *bo)
{
	d3dgpu_residency_set_image(bo, NULL);
	bo->written = false;
	bo->purged = true;
}

/**
 * d3dgpu_residency_evict() - make all workers let go of an object's range of VRAM
 * @bo: the object, reserved
 * @purge: whether its content is thrown away; else its image is current afterwards
 * @interruptible: whether a signal ends the wait
 *
 * New submits with it wait for its reservation from now on. When this fails, the object remains
 * where it is, and workers that have let go of it get it back when they use it.
 *
 * Return: 0, -ENOMEM or -ERESTARTSYS.
 */
int d3dgpu_residency_evict(struct d3dgpu_bo *bo, bool purge, bool interruptible)
{
	struct d3dgpu_device *gdev = d3dgpu_bo_device(bo);
	struct d3dgpu_departure *departures;
	u32 count = 0, i;
	unsigned long id;
	int ret = 0;

	down_write(&gdev->residency);
	departures = kcalloc(bitmap_weight(bo->resident, D3DGPU_MAX_CONTEXTS), sizeof(*departures),
			     GFP_KERNEL);
	if (!departures)
		ret = -ENOMEM;
	else if (purge)
		d3dgpu_residency_purge(bo);
	WRITE_ONCE(bo->placed, false);
	for_each_set_bit(id, bo->resident, D3DGPU_MAX_CONTEXTS) {
		if (ret)
			break;
		ret = d3dgpu_residency_push_evict(bo, id, &departures[count]);
		if (!ret)
			count++;
	}
	up_write(&gdev->residency);

	for (i = 0; i < count; i++) {
		if (!ret)
			ret = d3dgpu_residency_wait_departure(&departures[i], interruptible);
		d3dgpu_residency_forget_departure(&departures[i]);
	}
	kfree(departures);
	if (ret)
		WRITE_ONCE(bo->placed, true);
	return ret;
}

/**
 * d3dgpu_residency_withdraw() - make all workers let go of an object that stays in VRAM
 * @bo: the object, reserved; its image is current afterwards
 *
 * Return: as d3dgpu_residency_evict().
 */
int d3dgpu_residency_withdraw(struct d3dgpu_bo *bo)
{
	int ret = d3dgpu_residency_evict(bo, false, true);

	WRITE_ONCE(bo->placed, true);
	return ret;
}

/* ---- the end of a context ---- */

/**
 * d3dgpu_residency_rescue() - queue flushes of what only a context has that is about to end
 * @context: the context, closed: nobody writes anything in it any more
 *
 * Objects that nobody has a handle of are left alone.
 *
 * Return: whether there was anything.
 */
bool d3dgpu_residency_rescue(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_bo *bo;
	bool any = false;

	down_write(&gdev->residency);
	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link) {
		if (bo->writer != context->id)
			continue;
		if (d3dgpu_residency_flush(bo))
			drm_err(&gdev->drm, "no memory to rescue object %u\n", bo->res_id);
		any |= bo->image_fence != NULL;
	}
	mutex_unlock(&gdev->bo_lock);
	up_write(&gdev->residency);
	return any;
}

/**
 * d3dgpu_residency_forget() - no worker of this context exists any more
 * @context: the context
 */
void d3dgpu_residency_forget(struct d3dgpu_context *context)
{
	struct d3dgpu_device *gdev = context->gdev;
	struct d3dgpu_bo *bo;

	down_write(&gdev->residency);
	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link) {
		clear_bit(context->id, bo->contexts);
		clear_bit(context->id, bo->resident);
		clear_bit(context->id, bo->current_in);
		if (bo->writer == context->id)
			d3dgpu_residency_set_image(bo, NULL);
	}
	mutex_unlock(&gdev->bo_lock);
	up_write(&gdev->residency);
}
