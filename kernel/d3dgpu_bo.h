/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_BO_H
#define D3DGPU_BO_H

#include <linux/bitmap.h>
#include <linux/dma-fence.h>
#include <linux/jiffies.h>

#include "d3dgpu_drv.h"

struct d3dgpu_usage;
struct drm_mode_create_dumb;
struct ww_acquire_ctx;

/**
 * struct d3dgpu_bo - a buffer object: memory, in VRAM while it is in use, and what it means to the
 * 3D engine
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

	/** @owner: Whose memory it counts as: the file that made it; referenced. */
	struct d3dgpu_usage *owner;

	/** @link: Entry of &d3dgpu_device.bos, under its lock. */
	struct list_head link;

	/**
	 * @placed: It is in VRAM. Set under the reservation, cleared under that
	 * and &d3dgpu_device.residency for writing.
	 */
	bool placed;

	/** @offset: Where in VRAM, in bytes; of use while @placed. */
	u64 offset;

	/** @touched: When its place in the LRU list was refreshed, in jiffies. */
	unsigned long touched;

	/** @census: The last one that found a job that lists it, see d3dgpu_usage.c. */
	u64 census;

	/**
	 * @contexts: Contexts of the device whose workers know this object, or
	 * will when the submits that were queued have run. Bits are set under
	 * &d3dgpu_device.residency for writing, and cleared when the worker has
	 * forgotten the object.
	 */
	DECLARE_BITMAP(contexts, D3DGPU_MAX_CONTEXTS);

	/**
	 * @resident: Those of them that use the range in VRAM. This and what
	 * follows is written under &d3dgpu_device.residency for writing, except
	 * that bits of a context that runs nothing any more may be cleared
	 * without it.
	 */
	DECLARE_BITMAP(resident, D3DGPU_MAX_CONTEXTS);

	/** @current_in: Those of them whose 3D object has the content. */
	DECLARE_BITMAP(current_in, D3DGPU_MAX_CONTEXTS);

	/** @written: A submit has written it, which no storage is told; until then it is clear. */
	bool written;

	/** @writer: The context that wrote last, if the image is not current; else 0. */
	u32 writer;

	/** @image_current: The linear image has the content, once @image_fence is signalled. */
	bool image_current;

	/** @image_fence: Of the last job that wrote the image, or NULL. */
	struct dma_fence *image_fence;

	/** @purgeable: Its content may be thrown away; under the reservation. */
	bool purgeable;

	/** @purged: And that has happened; under the reservation. */
	bool purged;

	/**
	 * @implicit: Submits synchronise on the reservation object, because
	 * others than the contexts of one file may use it. Never cleared.
	 * Written under &d3dgpu_device.residency for writing.
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

/**
 * enum d3dgpu_ttm_pass - which objects may be evicted to make room
 * @D3DGPU_TTM_PASS_PURGEABLE: those whose content nobody needs
 * @D3DGPU_TTM_PASS_UNFAIR: those of files that use more than their share
 * @D3DGPU_TTM_PASS_ANY: any
 * @D3DGPU_TTM_PASSES: how many there are
 */
enum d3dgpu_ttm_pass {
	D3DGPU_TTM_PASS_PURGEABLE,
	D3DGPU_TTM_PASS_UNFAIR,
	D3DGPU_TTM_PASS_ANY,
	D3DGPU_TTM_PASSES,
};

static inline struct d3dgpu_bo *to_d3dgpu_bo(struct drm_gem_object *obj)
{
	return container_of(obj, struct d3dgpu_bo, ttm.base);
}

static inline struct d3dgpu_device *d3dgpu_bo_device(struct d3dgpu_bo *bo)
{
	return to_d3dgpu(bo->ttm.base.dev);
}

/* Where it lies in VRAM; of use while it cannot leave. */
static inline u64 d3dgpu_bo_offset(const struct d3dgpu_bo *bo)
{
	return bo->offset;
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

/*
 * Whether its memory is its storage in the engine too: there are no two copies that can differ. Of
 * all others, the memory holds the linear image.
 */
static inline bool d3dgpu_bo_is_storage(const struct d3dgpu_bo *bo)
{
	return bo->desc.bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_CUSTOM);
}

/* d3dgpu_bo.c */
struct d3dgpu_bo *d3dgpu_bo_create(struct drm_file *file, enum drm_d3dgpu_kind kind, u64 size,
				   u32 alignment, const struct d3dgpu_resource_desc *desc);
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
int d3dgpu_gem_madvise_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* d3dgpu_ttm.c */
int d3dgpu_ttm_bo_init(struct d3dgpu_device *gdev, struct d3dgpu_bo *bo, u32 alignment,
		       void (*destroy)(struct ttm_buffer_object *tbo));
int d3dgpu_ttm_place(struct d3dgpu_bo *bo, enum d3dgpu_ttm_pass pass);
int d3dgpu_ttm_evict(struct d3dgpu_bo *bo);

/* d3dgpu_vram.c */
int d3dgpu_vram_init(struct d3dgpu_device *gdev);
void d3dgpu_vram_account(struct d3dgpu_bo *bo, bool placed);
bool d3dgpu_vram_above_share(struct d3dgpu_bo *bo);
void d3dgpu_vram_refresh(struct d3dgpu_bo *bo, bool reserved);
int d3dgpu_vram_lock(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
		     struct ww_acquire_ctx *ticket);
void d3dgpu_vram_unlock(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
			struct ww_acquire_ctx *ticket);
int d3dgpu_vram_lock_placed(struct d3dgpu_device *gdev, struct drm_gem_object **objects, u32 count,
			    struct ww_acquire_ctx *ticket);
int d3dgpu_vram_place(struct d3dgpu_bo *bo);
int d3dgpu_vram_pin(struct d3dgpu_bo *bo);
void d3dgpu_vram_unpin(struct d3dgpu_bo *bo);
int d3dgpu_evict_all(struct d3dgpu_device *gdev);

/* d3dgpu_residency.c */
int d3dgpu_residency_evict(struct d3dgpu_bo *bo, bool purge, bool interruptible);
int d3dgpu_residency_withdraw(struct d3dgpu_bo *bo);
int d3dgpu_residency_update_image(struct d3dgpu_bo *bo);

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
void d3dgpu_share_opened(struct d3dgpu_bo *bo, struct drm_file *file);
void d3dgpu_bo_make_implicit(struct d3dgpu_bo *bo);
int d3dgpu_share_handle_to_fd(struct drm_device *drm, struct drm_file *file, u32 handle, u32 flags,
			      int *fd);
int d3dgpu_gem_share_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_gem_open_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* How long the place of an object in the LRU list is good enough. */
#define D3DGPU_LRU_PERIOD msecs_to_jiffies(50)

/* Notes that an object is used. @reserved: its reservation is held. */
static inline void d3dgpu_bo_touch(struct d3dgpu_bo *bo, bool reserved)
{
	if (time_after_eq(jiffies, READ_ONCE(bo->touched) + D3DGPU_LRU_PERIOD))
		d3dgpu_vram_refresh(bo, reserved);
}

#endif
