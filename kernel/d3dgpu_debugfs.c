// SPDX-License-Identifier: GPL-2.0-only
#include <linux/seq_file.h>

#include <drm/drm_debugfs.h>
#include <drm/ttm/ttm_resource.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_context.h"

/**
 * DOC: debugfs
 *
 * Files in /sys/kernel/debug/dri/N that show what the driver and the firmware are doing. All of
 * them only read.
 */

static struct d3dgpu_device *d3dgpu_debugfs_device(struct seq_file *m)
{
	struct drm_info_node *node = m->private;

	return to_d3dgpu(node->minor->dev);
}

/* The pool, range by range. */
static int d3dgpu_debugfs_vram(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	struct drm_printer p = drm_seq_file_printer(m);

	drm_printf(&p, "pool %llu bytes, free %llu\n", gdev->pool_size, d3dgpu_ttm_free(gdev));
	ttm_resource_manager_debug(ttm_manager_type(&gdev->ttm, TTM_PL_VRAM), &p);
	return 0;
}

static const char *d3dgpu_debugfs_kind(enum drm_d3dgpu_kind kind)
{
	switch (kind) {
	case D3DGPU_KIND_STAGING:
		return "staging";
	case D3DGPU_KIND_RESOURCE:
		return "resource";
	case D3DGPU_KIND_DEPTH_STENCIL:
		return "depth-stencil";
	case D3DGPU_KIND_DUMB:
		return "dumb";
	}
	return "?";
}

static int d3dgpu_debugfs_bos(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	struct d3dgpu_bo *bo;

	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link)
		seq_printf(m, "%u %s offset %#llx size %llu %ux%u %s%s contexts %*pbl\n",
			   bo->res_id, d3dgpu_debugfs_kind(bo->kind), d3dgpu_bo_offset(bo),
			   d3dgpu_bo_size(bo), bo->desc.width, bo->desc.height,
			   d3dgpu_format_name(bo->desc.format), bo->implicit ? " shared" : "",
			   D3DGPU_MAX_CONTEXTS, bo->contexts);
	mutex_unlock(&gdev->bo_lock);
	seq_printf(m, "dying: %d\n", atomic_read(&gdev->reap.count));
	return 0;
}

static int d3dgpu_debugfs_rings(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	unsigned int i;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++)
		seq_printf(m, "ring %u: tail %u rung %u head %u of %u\n", i,
			   READ_ONCE(gdev->rings[i].tail), READ_ONCE(gdev->rings[i].rung),
			   READ_ONCE(gdev->ctrl->rings[i].head), D3DGPU_RING_ENTRIES);
	return 0;
}

static int d3dgpu_debugfs_contexts(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	u32 id;

	for (id = 1; id < D3DGPU_MAX_CONTEXTS; id++) {
		struct d3dgpu_context *context = d3dgpu_context_find(gdev, id);

		if (!context)
			continue;
		seq_printf(m,
			   "%u %s ring %u state %d lost %u submitted %llu completed %llu jobs %d ",
			   id, context->name, context->ring->index, READ_ONCE(context->state),
			   READ_ONCE(context->lost), READ_ONCE(context->submitted),
			   READ_ONCE(context->completed), atomic_read(&context->jobs));
		seq_printf(m, "entries %llu done %llu status %u guilty %llu\n",
			   READ_ONCE(context->next_fence) - 1, READ_ONCE(context->slot->value),
			   READ_ONCE(context->slot->status), READ_ONCE(context->slot->guilty));
		d3dgpu_context_put(context);
	}
	return 0;
}

static int d3dgpu_debugfs_counters(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	const struct d3dgpu_counters *counters = &gdev->ctrl->counters;

	seq_printf(m, "entries %llu\n", READ_ONCE(counters->entries));
	seq_printf(m, "dispatches %llu\n", READ_ONCE(counters->dispatches));
	seq_printf(m, "completions %llu\n", READ_ONCE(counters->completions));
	seq_printf(m, "interrupts %llu\n", READ_ONCE(counters->interrupts));
	seq_printf(m, "doorbells %llu\n", READ_ONCE(counters->doorbells));
	seq_printf(m, "faults %llu\n", READ_ONCE(counters->faults));
	seq_printf(m, "faults_dropped %u\n", READ_ONCE(gdev->ctrl->faults_dropped));
	seq_printf(m, "idle_loops %llu\n", READ_ONCE(counters->idle_loops));
	seq_printf(m, "stream_bytes %llu\n", READ_ONCE(counters->stream_bytes));
	seq_printf(m, "resets %u\n", READ_ONCE(gdev->resets));
	return 0;
}

/* The firmware's log, oldest byte first. */
static int d3dgpu_debugfs_firmware_log(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	u32 tail = virt_load_acquire(&gdev->ctrl->log_tail); /* the text is there before it */
	u32 at = tail > D3DGPU_LOG_SIZE ? tail - D3DGPU_LOG_SIZE : 0;

	for (; at != tail; at++)
		seq_putc(m, READ_ONCE(gdev->ctrl->log[at % D3DGPU_LOG_SIZE]));
	return 0;
}

static const struct drm_info_list d3dgpu_debugfs_files[] = {
	{ "vram", d3dgpu_debugfs_vram },
	{ "bos", d3dgpu_debugfs_bos },
	{ "rings", d3dgpu_debugfs_rings },
	{ "contexts", d3dgpu_debugfs_contexts },
	{ "counters", d3dgpu_debugfs_counters },
	{ "firmware_log", d3dgpu_debugfs_firmware_log },
};

/**
 * d3dgpu_debugfs_init() - make the files
 * @minor: the device node they belong to
 */
void d3dgpu_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_create_files(d3dgpu_debugfs_files, ARRAY_SIZE(d3dgpu_debugfs_files),
				 minor->debugfs_root, minor);
}
