// SPDX-License-Identifier: GPL-2.0-only
#include <linux/seq_file.h>

#include <drm/drm_debugfs.h>
#include <drm/drm_drv.h>
#include <drm/ttm/ttm_placement.h>
#include <drm/ttm/ttm_resource.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_state.h"
#include "d3dgpu_usage.h"

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

	drm_printf(&p, "pool %llu bytes, free %llu, all objects %lld of %llu\n", gdev->pool_size,
		   d3dgpu_ttm_free(gdev), atomic64_read(&gdev->vram_pool.bytes),
		   gdev->vram_pool.limit);
	drm_printf(&p, "evictions %lld, bytes evicted %lld, restored %lld\n",
		   atomic64_read(&gdev->vram_pool.evictions),
		   atomic64_read(&gdev->vram_pool.evicted),
		   atomic64_read(&gdev->vram_pool.restored));
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

static void d3dgpu_debugfs_bo(struct seq_file *m, struct d3dgpu_bo *bo)
{
	seq_printf(m, "%u %s size %llu %ux%u %s ", bo->res_id, d3dgpu_debugfs_kind(bo->kind),
		   d3dgpu_bo_size(bo), bo->desc.width, bo->desc.height,
		   d3dgpu_format_name(bo->desc.format));
	if (READ_ONCE(bo->placed))
		seq_printf(m, "vram %#llx", d3dgpu_bo_offset(bo));
	else
		seq_puts(m, bo->purged ? "purged" : "evicted");
	seq_printf(m, "%s%s%s owner %llu known %*pbl resident %*pbl", bo->ttm.pin_count ? " pinned" : "",
		   bo->purgeable ? " purgeable" : "", bo->implicit ? " shared" : "", bo->owner->id,
		   D3DGPU_MAX_CONTEXTS, bo->contexts, D3DGPU_MAX_CONTEXTS, bo->resident);
	if (!d3dgpu_bo_is_storage(bo))
		seq_printf(m, " current %*pbl%s", D3DGPU_MAX_CONTEXTS, bo->current_in,
			   bo->image_current ? " image" : "");
	seq_putc(m, '\n');
}

static int d3dgpu_debugfs_bos(struct seq_file *m, void *unused)
{
	struct d3dgpu_device *gdev = d3dgpu_debugfs_device(m);
	struct d3dgpu_bo *bo;

	mutex_lock(&gdev->bo_lock);
	list_for_each_entry(bo, &gdev->bos, link)
		d3dgpu_debugfs_bo(m, bo);
	mutex_unlock(&gdev->bo_lock);
	seq_printf(m, "dying: %d\n", atomic_read(&gdev->reap.count));
	return 0;
}

/* What d3dgpu_state.c knows to print of a device that is there. */
static int d3dgpu_debugfs_state(struct seq_file *m, void *unused)
{
	struct drm_info_node *node = m->private;
	struct d3dgpu_device *gdev = to_d3dgpu(node->minor->dev);
	void (*print)(struct d3dgpu_device *gdev, struct drm_printer *p) = node->info_ent->data;
	struct drm_printer p = drm_seq_file_printer(m);
	int idx;

	if (!drm_dev_enter(&gdev->drm, &idx))
		return -ENODEV;
	print(gdev, &p);
	drm_dev_exit(idx);
	return 0;
}

static const struct drm_info_list d3dgpu_debugfs_files[] = {
	{ "vram", d3dgpu_debugfs_vram },
	{ "bos", d3dgpu_debugfs_bos },
	{ "registers", d3dgpu_debugfs_state, 0, d3dgpu_state_print_registers },
	{ "rings", d3dgpu_debugfs_state, 0, d3dgpu_state_print_rings },
	{ "contexts", d3dgpu_debugfs_state, 0, d3dgpu_state_print_contexts },
	{ "faults", d3dgpu_debugfs_state, 0, d3dgpu_state_print_faults },
	{ "counters", d3dgpu_debugfs_state, 0, d3dgpu_state_print_counters },
	{ "firmware_log", d3dgpu_debugfs_state, 0, d3dgpu_state_print_log },
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
