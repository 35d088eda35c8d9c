/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_BO_H
#define D3DGPU_BO_H

#include <linux/bitmap.h>
#include <linux/dma-fence.h>

#include "d3dgpu_drv.h"

struct drm_mode_create_dumb;

/**
 * struct d3dgpu_bo - a buffer object: a range of VRAM, and what it means to the 3D engine
 */
struct d3dgpu_bo {
	/** @ttm: TTM's part; its first member is the GEM object. */
	struct ttm_buffer_object ttm;

	/** @kind: What it is; constant. */
	enum drm_d3dgpu_kind kind;

	/** @res_id: Its name in command streams; constant. */
	u32 res_id;

	/** @desc: What the engine creates for it; constant. */
	struct d3dgpu_resource_desc desc;

	/** @link: Entry of &d3dgpu_device.bos, under its lock. */
	struct list_head link;

	/**
	 * @contexts: Contexts of the device in whose workers this object
	 * exists, or will when the submits that were queued have run. A bit is
	 * set under the context's submit lock, and cleared when the worker has
	 * forgotten the object.
	 */
	DECLARE_BITMAP(contexts, D3DGPU_MAX_CONTEXTS);

	/**
	 * @implicit: Submits synchronise on the reservation object, because
	 * others than the contexts of one file may use it. Never cleared.
	 * Written under the device's implicit lock, read without.
	 */
	bool implicit;

	/** @token: Name for other processes, 0 = none; under the share lock. */
	u64 token;

	/** @share_link: Entry of &d3dgpu_device.shares if there is a token. */
	struct hlist_node share_link;

	/** @reap_link: Entry of a list of dead objects, see d3dgpu_reap.c. */
	struct list_head reap_link;

	/** @reap_cb: Waits for a context to forget it. */
	struct dma_fence_cb reap_cb;

	/** @reap_context: Which context that is. */
	u32 reap_context;

	/** @reap_end: The fence is that of the context's end: it counts even with an error. */
	bool reap_end;
};

/**
 * struct d3dgpu_patience - an allocation that waits for memory that is on its way
 * @deadline: when it gives up, in jiffies
 * @jobs: jobs that were queued when it began; later ones are not waited for
 * @progress: &d3dgpu_device.reap.progress when it last tried
 */
struct d3dgpu_patience {
	unsigned long deadline;
	s64 jobs;
	int progress;
};

static inline struct d3dgpu_bo *to_d3dgpu_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct d3dgpu_bo, ttm.base);
}

static inline struct d3dgpu_device *d3dgpu_bo_device(struct d3dgpu_bo *bo)
{
	return to_d3dgpu(bo->ttm.base.dev);
}

/* Where it lies in VRAM. Nothing moves (yet), so that no lock is needed. */
static inline u64 d3dgpu_bo_offset(const struct d3dgpu_bo *bo)
{
	return (u64)bo->ttm.resource->start << PAGE_SHIFT;
}

static inline u64 d3dgpu_bo_size(const struct d3dgpu_bo *bo)
{
	return bo->ttm.base.size;
}

/* Whether the CPU may map it. */
static inline bool d3dgpu_bo_mappable(const struct d3dgpu_bo *bo)
{
	return bo->kind == D3DGPU_KIND_STAGING || bo->kind == D3DGPU_KIND_DUMB;
}

/* d3dgpu_bo.c */
struct d3dgpu_bo *d3dgpu_bo_create(struct d3dgpu_device *gdev, enum drm_d3dgpu_kind kind,
				   u64 size, u32 alignment,
				   const struct d3dgpu_resource_desc *desc);
struct d3dgpu_bo *d3dgpu_bo_lookup(struct drm_file *file, u32 handle);
void d3dgpu_bo_put(struct d3dgpu_bo *bo);
void d3dgpu_bo_release(struct d3dgpu_bo *bo);
int d3dgpu_bo_to_handle(struct d3dgpu_bo *bo, struct drm_file *file, u32 *handle);
bool d3dgpu_bo_desc_supported(struct d3dgpu_device *gdev,
			      const struct d3dgpu_resource_desc *desc);
int d3dgpu_bo_dumb_create(struct drm_file *file, struct drm_device *drm,
			  struct drm_mode_create_dumb *args);
int d3dgpu_staging_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_resource_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_gem_mmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_gem_info_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* d3dgpu_ttm.c */
int d3dgpu_ttm_bo_init(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo, u32 alignment,
		       void (*destroy)(struct ttm_buffer_object *tbo));

/* d3dgpu_reap.c */
int d3dgpu_reap_init(struct d3dgpu_device *gdev);
void d3dgpu_reap(struct d3dgpu_bo *bo);
void d3dgpu_reap_job_queued(struct d3dgpu_device *gdev);
void d3dgpu_reap_job_freed(struct d3dgpu_device *gdev);
void d3dgpu_patience_begin(struct d3dgpu_device *gdev, struct d3dgpu_patience *patience);
bool d3dgpu_patience_wait(struct d3dgpu_device *gdev, struct d3dgpu_patience *patience);

/* d3dgpu_share.c */
int d3dgpu_share_init(struct d3dgpu_device *gdev);
void d3dgpu_share_forget(struct d3dgpu_bo *bo);
void d3dgpu_bo_make_implicit(struct d3dgpu_bo *bo, struct drm_file *file);
int d3dgpu_share_handle_to_fd(struct drm_device *drm, struct drm_file *file, u32 handle, u32 flags,
			      int *fd);
int d3dgpu_gem_share_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_gem_open_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
