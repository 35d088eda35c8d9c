// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"
#include "d3dgpu_usage.h"

/**
 * DOC: Usage
 *
 * What an open file has used of the GPU, in /proc/PID/fdinfo, with the keys that DRM has for all
 * drivers. Contexts are processes of the host that run in parallel, so engine time is counted per
 * context: from when the device has the oldest submit that is not done until it is done.
 *
 * Which objects are in use is found out when somebody asks, by a census of the jobs: to note it with
 * each submit would cost each of its objects.
 */

/* Held during a census; protects its number. */
static DEFINE_MUTEX(d3dgpu_usage_lock);
static u64 d3dgpu_usage_census;

struct d3dgpu_usage *d3dgpu_usage_create(void)
{
	static atomic64_t last_id;
	struct d3dgpu_usage *usage = kzalloc(sizeof(*usage), GFP_KERNEL);

	if (!usage)
		return NULL;
	kref_init(&usage->refcount);
	usage->id = atomic64_inc_return(&last_id);
	return usage;
}

struct d3dgpu_usage *d3dgpu_usage_get(struct d3dgpu_usage *usage)
{
	kref_get(&usage->refcount);
	return usage;
}

static void d3dgpu_usage_free(struct kref *refcount)
{
	kfree(container_of(refcount, struct d3dgpu_usage, refcount));
}

void d3dgpu_usage_put(struct d3dgpu_usage *usage)
{
	kref_put(&usage->refcount, d3dgpu_usage_free);
}

/**
 * d3dgpu_usage_add() - count engine time
 * @usage: of the file
 * @nanoseconds: how long
 *
 * Any context, interrupts included.
 */
void d3dgpu_usage_add(struct d3dgpu_usage *usage, u64 nanoseconds)
{
	atomic64_add(nanoseconds, &usage->engine);
}

/* Bytes of objects that a file has handles of. */
struct d3dgpu_usage_memory {
	u64 total, shared, resident, active, purgeable;
};

/* Marks what the jobs of a context list that are not done. */
static void d3dgpu_usage_mark(struct d3dgpu_context *context)
{
	struct d3dgpu_job *job;
	u32 i;

	mutex_lock(&context->queue_lock);
	list_for_each_entry(job, &context->queue, link) {
		if (dma_fence_is_signaled(&job->fence->base))
			continue;
		for (i = 0; i < job->bo_count; i++)
			WRITE_ONCE(job->bos[i].bo->census, d3dgpu_usage_census);
	}
	mutex_unlock(&context->queue_lock);
}

static void d3dgpu_usage_count(struct drm_file *file)
{
	struct d3dgpu_file *dfile = file->driver_priv;
	struct d3dgpu_context *context;
	unsigned long handle;

	d3dgpu_usage_census++;
	xa_for_each(&dfile->contexts, handle, context) {
		context = d3dgpu_context_lookup(dfile, handle);
		if (!context)
			continue;
		d3dgpu_usage_mark(context);
		d3dgpu_context_put(context);
	}
}

static void d3dgpu_usage_add_bo(struct d3dgpu_usage_memory *sum, struct d3dgpu_bo *bo)
{
	u64 size = d3dgpu_bo_size(bo);

	sum->total += size;
	if (bo->ttm.base.handle_count > 1)
		sum->shared += size;
	if (!READ_ONCE(bo->placed))
		return;
	sum->resident += size;
	if (READ_ONCE(bo->census) == d3dgpu_usage_census)
		sum->active += size;
	else if (READ_ONCE(bo->purgeable))
		sum->purgeable += size;
}

static void d3dgpu_usage_sum(struct drm_file *file, struct d3dgpu_usage_memory *sum)
{
	struct drm_gem_object *obj;
	int handle;

	mutex_lock(&d3dgpu_usage_lock);
	d3dgpu_usage_count(file);
	spin_lock(&file->table_lock);
	idr_for_each_entry(&file->object_idr, obj, handle)
		d3dgpu_usage_add_bo(sum, to_d3dgpu_bo(obj));
	spin_unlock(&file->table_lock);
	mutex_unlock(&d3dgpu_usage_lock);
}

static void d3dgpu_usage_show_memory(struct seq_file *m, const char *key, u64 bytes)
{
	seq_printf(m, "drm-%s:\t%llu KiB\n", key, bytes >> 10);
}

void d3dgpu_usage_show_fdinfo(struct seq_file *m, struct file *f)
{
	struct drm_file *file = f->private_data;
	struct d3dgpu_file *dfile = file->driver_priv;
	struct d3dgpu_usage_memory sum = { };

	d3dgpu_usage_sum(file, &sum);
	seq_puts(m, "drm-driver:\t" D3DGPU_DRIVER_NAME "\n");
	seq_printf(m, "drm-pdev:\t%s\n", dev_name(file->minor->dev->dev));
	seq_printf(m, "drm-client-id:\t%llu\n", dfile->usage->id);
	seq_printf(m, "drm-engine-3d:\t%lld ns\n", atomic64_read(&dfile->usage->engine));
	d3dgpu_usage_show_memory(m, "total-vram", sum.total);
	d3dgpu_usage_show_memory(m, "shared-vram", sum.shared);
	d3dgpu_usage_show_memory(m, "resident-vram", sum.resident);
	d3dgpu_usage_show_memory(m, "memory-vram", sum.resident);
	d3dgpu_usage_show_memory(m, "active-vram", sum.active);
	d3dgpu_usage_show_memory(m, "purgeable-vram", sum.purgeable);
	d3dgpu_usage_show_memory(m, "resident-system", sum.total - sum.resident);
}
