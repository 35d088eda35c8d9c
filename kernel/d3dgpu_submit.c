// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/ww_mutex.h>

#include <drm/drm_gem.h>
#include <drm/drm_syncobj.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_residency.h"
#include "d3dgpu_trace.h"

/**
 * DOC: Submit
 *
 * A submit is gathered first: arguments, handles, fences to wait for, places for the
 * out-fences. All that can fail happens there, and undoing it leaves no trace. Then, under the
 * context's submit lock, it gets its number and is queued, which cannot fail.
 *
 * What the stream says is not looked at. It can do harm only to objects that its context's
 * worker knows, and the worker knows only what was listed here by somebody who had a handle.
 *
 * Objects that only contexts of one file use need no reservation, as long as they are in VRAM: their
 * order is the program's own business. Objects that are shared, or scanned out, synchronise
 * implicitly; they are moved to the front of the list, where d3dgpu_vram_lock() finds them
 * in one array. When an object is evicted, all are reserved until the submit is queued, so that
 * none of them leaves again while the others come.
 */

/**
 * struct d3dgpu_out_sync - where to put a submit's fence
 * @syncobj: the synchronisation object, referenced
 * @chain: link of its timeline, or NULL: binary
 * @point: point on the timeline
 */
struct d3dgpu_out_sync {
	struct drm_syncobj *syncobj;
	struct dma_fence_chain *chain;
	u64 point;
};

/**
 * struct d3dgpu_submit - a submit while it is gathered
 * @file: who submits
 * @args: the arguments
 * @context: the context, referenced
 * @job: the job; the scheduler's once it is pushed
 * @implicit: an object of the list synchronised when it was looked up
 * @objects: objects that are reserved, as an array for the reservation helpers
 * @object_count: how many; they are the first of the job
 * @ticket: their reservation
 * @fence: the job's, referenced, once it is queued
 * @out: where to put the fence; entries with no syncobj are not filled in yet
 */
struct d3dgpu_submit {
	struct drm_file *file;
	struct drm_d3dgpu_submit *args;
	struct d3dgpu_context *context;
	struct d3dgpu_job *job;
	bool implicit;
	struct drm_gem_object **objects;
	u32 object_count;
	struct ww_acquire_ctx ticket;
	struct dma_fence *fence;
	struct d3dgpu_out_sync *out;
};

static int d3dgpu_submit_check_args(const struct drm_d3dgpu_submit *args)
{
	if (args->flags || args->bo_count > D3DGPU_SUBMIT_MAX_BOS ||
	    args->in_sync_count > D3DGPU_SUBMIT_MAX_SYNCS ||
	    args->out_sync_count > D3DGPU_SUBMIT_MAX_SYNCS)
		return -EINVAL;
	if ((args->command_offset | args->command_size) & 3 ||
	    args->command_size > D3DGPU_MAX_STREAM)
		return -EINVAL;
	if (!args->command_handle != !args->command_size ||
	    (!args->command_handle && args->command_offset))
		return -EINVAL;
	return 0;
}

static int d3dgpu_submit_get_commands(struct d3dgpu_submit *submit)
{
	const struct drm_d3dgpu_submit *args = submit->args;
	struct d3dgpu_job *job = submit->job;
	struct d3dgpu_bo *commands;

	if (!args->command_handle)
		return 0;
	commands = d3dgpu_bo_lookup(submit->file, args->command_handle);
	if (!commands)
		return -EINVAL;
	job->bos[job->bo_count++].bo = commands;
	submit->implicit |= READ_ONCE(commands->implicit);
	if (commands->kind != D3DGPU_KIND_STAGING ||
	    (u64)args->command_offset + args->command_size > d3dgpu_bo_size(commands))
		return -EINVAL;
	job->opcode = D3DGPU_OP_EXEC;
	job->commands = commands;
	job->offset = args->command_offset;
	job->size = args->command_size;
	return 0;
}

/* References for some handles of the list, with the file's table locked once. */
static int d3dgpu_submit_lookup_bos(struct d3dgpu_submit *submit,
				    const struct drm_d3dgpu_submit_bo *list, u32 count)
{
	struct d3dgpu_job *job = submit->job;
	u32 i;

	spin_lock(&submit->file->table_lock);
	for (i = 0; i < count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[job->bo_count];
		struct drm_gem_object *obj = idr_find(&submit->file->object_idr, list[i].handle);

		if (!obj || list[i].flags & ~D3DGPU_SUBMIT_BO_WRITE)
			break;
		drm_gem_object_get(obj);
		entry->bo = to_d3dgpu_bo(obj);
		entry->write = list[i].flags & D3DGPU_SUBMIT_BO_WRITE;
		submit->implicit |= READ_ONCE(entry->bo->implicit);
		job->bo_count++;
	}
	spin_unlock(&submit->file->table_lock);
	return i == count ? 0 : -EINVAL;
}

/* In pieces: most lists are one, and need no memory. */
static int d3dgpu_submit_get_bos(struct d3dgpu_submit *submit)
{
	struct drm_d3dgpu_submit_bo __user *user = u64_to_user_ptr(submit->args->bos);
	struct drm_d3dgpu_submit_bo list[64];
	u32 left = submit->args->bo_count;
	int ret = 0;
	u32 count;

	for (; left && !ret; left -= count, user += count) {
		count = min_t(u32, left, ARRAY_SIZE(list));
		if (copy_from_user(list, user, count * sizeof(*list)))
			return -EFAULT;
		ret = d3dgpu_submit_lookup_bos(submit, list, count);
	}
	return ret;
}

static int d3dgpu_submit_read_sync(u64 array, u32 index, struct drm_d3dgpu_sync *sync)
{
	if (copy_from_user(sync, u64_to_user_ptr(array + index * sizeof(*sync)), sizeof(*sync)))
		return -EFAULT;
	return sync->pad ? -EINVAL : 0;
}

static int d3dgpu_submit_get_in_syncs(struct d3dgpu_submit *submit)
{
	struct drm_d3dgpu_sync sync;
	struct dma_fence *fence;
	int ret;
	u32 i;

	for (i = 0; i < submit->args->in_sync_count; i++) {
		ret = d3dgpu_submit_read_sync(submit->args->in_syncs, i, &sync);
		if (ret)
			return ret;
		ret = drm_syncobj_find_fence(submit->file, sync.handle, sync.point, 0, &fence);
		if (ret)
			return ret;
		ret = d3dgpu_job_add_dependency(submit->job, fence);
		if (ret)
			return ret;
	}
	return 0;
}

static int d3dgpu_submit_get_out_syncs(struct d3dgpu_submit *submit)
{
	u32 count = submit->args->out_sync_count;
	struct drm_d3dgpu_sync sync;
	int ret;
	u32 i;

	if (!count)
		return 0;
	submit->out = kcalloc(count, sizeof(*submit->out), GFP_KERNEL);
	if (!submit->out)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct d3dgpu_out_sync *out = &submit->out[i];

		ret = d3dgpu_submit_read_sync(submit->args->out_syncs, i, &sync);
		if (ret)
			return ret;
		out->syncobj = drm_syncobj_find(submit->file, sync.handle);
		if (!out->syncobj)
			return -ENOENT;
		out->point = sync.point;
		if (!out->point)
			continue;
		out->chain = dma_fence_chain_alloc();
		if (!out->chain)
			return -ENOMEM;
	}
	return 0;
}

static void d3dgpu_submit_put_out_syncs(struct d3dgpu_submit *submit)
{
	u32 i;

	if (!submit->out)
		return;
	for (i = 0; i < submit->args->out_sync_count && submit->out[i].syncobj; i++) {
		dma_fence_chain_free(submit->out[i].chain);
		drm_syncobj_put(submit->out[i].syncobj);
	}
	kfree(submit->out);
}

/* ---- under the submit lock ---- */

static int d3dgpu_submit_compare_bos(const void *a, const void *b)
{
	const struct d3dgpu_job_bo *first = a, *second = b;

	return first->bo < second->bo ? -1 : first->bo > second->bo;
}

/* Makes the list have each object once. */
static void d3dgpu_submit_merge_bos(struct d3dgpu_job *job)
{
	u32 i, last = 0;

	sort(job->bos, job->bo_count, sizeof(*job->bos), d3dgpu_submit_compare_bos, NULL);
	for (i = 1; i < job->bo_count; i++) {
		if (job->bos[i].bo != job->bos[last].bo) {
			job->bos[++last] = job->bos[i];
			continue;
		}
		job->bos[last].write |= job->bos[i].write;
		d3dgpu_bo_put(job->bos[i].bo);
	}
	job->bo_count = last + 1;
}

/* Whether the object is among the first already; if so, adds what this entry says. */
static bool d3dgpu_submit_is_repeated(struct d3dgpu_submit *submit, struct d3dgpu_job_bo *entry)
{
	struct d3dgpu_job *job = submit->job;
	u32 i;

	for (i = 0; i < submit->object_count; i++) {
		if (job->bos[i].bo != entry->bo)
			continue;
		job->bos[i].write |= entry->write;
		return true;
	}
	return false;
}

/* Moves objects that must be reserved to the front of the list, each once. */
static int d3dgpu_submit_sort_bos(struct d3dgpu_submit *submit, bool all)
{
	struct d3dgpu_job *job = submit->job;
	u32 i;

	submit->object_count = 0;
	if (!all && !submit->implicit)
		return 0;
	if (all && job->bo_count)
		d3dgpu_submit_merge_bos(job);
	for (i = 0; i < job->bo_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];

		cond_resched();
		entry->implicit = READ_ONCE(entry->bo->implicit);
		entry->reserved = all || entry->implicit;
		if (!entry->reserved || (!all && d3dgpu_submit_is_repeated(submit, entry)))
			continue;
		swap(job->bos[i], job->bos[submit->object_count]);
		submit->object_count++;
	}
	kvfree(submit->objects);
	submit->objects = NULL;
	if (!submit->object_count)
		return 0;
	submit->objects = kvmalloc_array(submit->object_count, sizeof(*submit->objects),
					 GFP_KERNEL);
	if (!submit->objects)
		return -ENOMEM;
	for (i = 0; i < submit->object_count; i++)
		submit->objects[i] = &job->bos[i].bo->ttm.base;
	return 0;
}

/* Makes the job wait for the other users of objects that synchronise. They are reserved. */
static int d3dgpu_submit_add_implicit(struct d3dgpu_submit *submit)
{
	struct d3dgpu_job *job = submit->job;
	int ret;
	u32 i;

	for (i = 0; i < submit->object_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];
		struct dma_resv *resv = entry->bo->ttm.base.resv;

		if (!entry->implicit)
			continue;
		ret = dma_resv_reserve_fences(resv, 1);
		if (ret)
			return ret;
		ret = d3dgpu_job_add_dependencies(job, resv, dma_resv_usage_rw(entry->write));
		if (ret)
			return ret;
	}
	return 0;
}

static void d3dgpu_submit_unreserve(struct d3dgpu_submit *submit)
{
	if (submit->object_count)
		d3dgpu_vram_unlock(submit->context->gdev, submit->objects, submit->object_count,
				   &submit->ticket);
}

/* Reserves objects that synchronise, or all of them, which are then in VRAM. */
static int d3dgpu_submit_reserve(struct d3dgpu_submit *submit, bool all)
{
	struct d3dgpu_device *gdev = submit->context->gdev;
	int ret;

	ret = d3dgpu_submit_sort_bos(submit, all);
	if (ret || !submit->object_count)
		return ret;
	if (all)
		ret = d3dgpu_vram_lock_placed(gdev, submit->objects, submit->object_count,
					      &submit->ticket);
	else
		ret = d3dgpu_vram_lock(gdev, submit->objects, submit->object_count,
				       &submit->ticket);
	if (ret)
		return ret;
	ret = d3dgpu_submit_add_implicit(submit);
	if (ret)
		d3dgpu_submit_unreserve(submit);
	return ret;
}

/* Gives the submit its number and queues it. From now on the scheduler may free the job. */
static void d3dgpu_submit_push(struct d3dgpu_submit *submit)
{
	struct d3dgpu_context *context = submit->context;
	struct d3dgpu_job *job = submit->job;
	u32 i;

	job->seqno = context->submitted + 1;
	WRITE_ONCE(context->submitted, job->seqno);
	submit->args->seqno = job->seqno;
	trace_d3dgpu_submit(context->id, job->seqno, job->size, job->bo_count);

	mutex_lock(&context->push_lock);
	submit->fence = dma_fence_get(d3dgpu_job_arm(job));
	for (i = 0; i < job->bo_count; i++)
		d3dgpu_bo_touch(job->bos[i].bo, job->bos[i].reserved);
	for (i = 0; i < submit->object_count; i++) {
		struct d3dgpu_job_bo *entry = &job->bos[i];

		if (entry->implicit)
			dma_resv_add_fence(entry->bo->ttm.base.resv, submit->fence,
					   entry->write ? DMA_RESV_USAGE_WRITE :
							  DMA_RESV_USAGE_READ);
	}
	d3dgpu_submit_unreserve(submit);
	d3dgpu_job_push(job);
	mutex_unlock(&context->push_lock);
}

/* Queues a submit that changes what is known about its objects. -EAGAIN: it needs reservations. */
static int d3dgpu_submit_queue_changes(struct d3dgpu_submit *submit)
{
	struct d3dgpu_device *gdev = submit->context->gdev;
	struct d3dgpu_job *job = submit->job;
	int ret = -EAGAIN;

	down_write(&gdev->residency);
	if (d3dgpu_residency_check(job) != D3DGPU_RESIDENCY_RESERVE)
		ret = d3dgpu_residency_prepare(job);
	if (!ret) {
		d3dgpu_residency_commit(job);
		d3dgpu_submit_push(submit);
	}
	up_write(&gdev->residency);
	return ret;
}

static int d3dgpu_submit_queue_reserved(struct d3dgpu_submit *submit)
{
	struct d3dgpu_device *gdev = submit->context->gdev;
	enum d3dgpu_residency_need need;

	down_read(&gdev->residency);
	need = d3dgpu_residency_check(submit->job);
	if (need == D3DGPU_RESIDENCY_STEADY)
		d3dgpu_submit_push(submit);
	up_read(&gdev->residency);
	switch (need) {
	case D3DGPU_RESIDENCY_STEADY:
		return 0;
	case D3DGPU_RESIDENCY_CHANGES:
		return d3dgpu_submit_queue_changes(submit);
	default:
		return -EAGAIN;
	}
}

static void d3dgpu_submit_publish(struct d3dgpu_submit *submit)
{
	struct dma_fence *fence = submit->fence;
	u32 i;

	for (i = 0; i < submit->args->out_sync_count; i++) {
		struct d3dgpu_out_sync *out = &submit->out[i];

		if (out->chain) {
			drm_syncobj_add_point(out->syncobj, out->chain, fence, out->point);
			out->chain = NULL;
		} else {
			drm_syncobj_replace_fence(out->syncobj, fence);
		}
	}
}

/*
 * On success the job belongs to the scheduler. The first try is for a frame like the one before: what
 * it uses is there. The next has all objects reserved and in VRAM.
 */
static int d3dgpu_submit_queue(struct d3dgpu_submit *submit)
{
	struct d3dgpu_context *context = submit->context;
	bool all = false;
	int ret;

	lockdep_assert_held(&context->submit_lock);
	if (context->closed)
		return -ENOENT;
	if (READ_ONCE(context->lost))
		return -EIO;
	do {
		ret = d3dgpu_submit_reserve(submit, all);
		if (ret)
			return ret;
		ret = d3dgpu_submit_queue_reserved(submit);
		if (ret)
			d3dgpu_submit_unreserve(submit);
		all = true;
	} while (ret == -EAGAIN);
	if (ret)
		return ret;
	d3dgpu_submit_publish(submit);
	dma_fence_put(submit->fence);
	return 0;
}

int d3dgpu_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct d3dgpu_submit submit = { .file = file, .args = data };
	int ret;

	ret = d3dgpu_submit_check_args(submit.args);
	if (ret)
		return ret;
	submit.context = d3dgpu_context_lookup(file->driver_priv, submit.args->ctx_id);
	if (!submit.context)
		return -ENOENT;
	submit.job = d3dgpu_job_alloc(submit.context, submit.args->bo_count + 1);
	if (!submit.job) {
		ret = -ENOMEM;
		goto put_context;
	}
	ret = d3dgpu_submit_get_bos(&submit);
	if (ret)
		goto free_job;
	ret = d3dgpu_submit_get_commands(&submit);
	if (ret)
		goto free_job;
	ret = d3dgpu_compat_sched_job_init(&submit.job->base, &submit.context->entity, file);
	if (ret)
		goto free_job;
	ret = d3dgpu_submit_get_in_syncs(&submit);
	if (ret)
		goto cleanup_job;
	ret = d3dgpu_submit_get_out_syncs(&submit);
	if (ret)
		goto put_out_syncs;

	ret = mutex_lock_interruptible(&submit.context->submit_lock);
	if (ret)
		goto put_out_syncs;
	ret = d3dgpu_submit_queue(&submit);
	mutex_unlock(&submit.context->submit_lock);
	kvfree(submit.objects);

put_out_syncs:
	d3dgpu_submit_put_out_syncs(&submit);
cleanup_job:
	if (ret)
		drm_sched_job_cleanup(&submit.job->base);
free_job:
	if (ret)
		d3dgpu_job_free(submit.job);
put_context:
	d3dgpu_context_put(submit.context);
	return ret;
}
