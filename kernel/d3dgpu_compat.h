/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows which kernel this is built for. Everything else is written for the
 * interfaces of Debian 12's 6.1; where another kernel differs, an inline function with a name
 * of ours hides it. Tried: 6.1, 6.12 and 7.3 (scripts/check-kernels).
 */
#ifndef D3DGPU_COMPAT_H
#define D3DGPU_COMPAT_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/version.h>

#include <drm/drm_device.h>
#include <drm/drm_edid.h>
#include <drm/drm_file.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_plane.h>
#include <drm/gpu_scheduler.h>
#include <drm/ttm/ttm_device.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "d3dgpu needs Linux 6.1 or newer"
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#include <drm/ttm/ttm_bo.h>
#else
#include <drm/ttm/ttm_bo_api.h>
#include <drm/ttm/ttm_bo_driver.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#include <drm/clients/drm_client_setup.h>
#include <drm/drm_fbdev_ttm.h>
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <drm/drm_client_setup.h>
#include <drm/drm_fbdev_ttm.h>
#else
#include <drm/drm_fb_helper.h>
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#include <drm/drm_panic.h>
#endif

#include "d3dgpu_picture.h"

/* ---- the driver ---- */

/* Drivers have had no date since 6.14; before, they must have one. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 14, 0)
#define D3DGPU_COMPAT_DATE(text) .date = text,
#else
#define D3DGPU_COMPAT_DATE(text)
#endif

/* DRM's files since 6.12 say that their offsets, which mmap() takes, have no sign. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define D3DGPU_COMPAT_FILE_FLAGS .fop_flags = FOP_UNSIGNED_OFFSET,
#else
#define D3DGPU_COMPAT_FILE_FLAGS
#endif

/* What the driver gives for the console, which sets itself up where there is nothing to give. */
#ifdef DRM_FBDEV_TTM_DRIVER_OPS
#define D3DGPU_COMPAT_CONSOLE DRM_FBDEV_TTM_DRIVER_OPS,
#else
#define D3DGPU_COMPAT_CONSOLE
#endif

/**
 * d3dgpu_compat_console_setup() - show the console
 * @drm: the device, which is registered
 */
static inline void d3dgpu_compat_console_setup(struct drm_device *drm)
{
#ifdef DRM_FBDEV_TTM_DRIVER_OPS
	drm_client_setup(drm, NULL);
#else
	drm_fbdev_generic_setup(drm, 32);
#endif
}

/**
 * d3dgpu_compat_vm_flags_mod() - change the flags of a mapping that is being made
 * @vma: the mapping
 * @set: flags to set
 * @clear: flags to clear
 */
static inline void d3dgpu_compat_vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
					      vm_flags_t clear)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#else
	vm_flags_mod(vma, set, clear);
#endif
}

/* ---- memory ---- */

/**
 * d3dgpu_compat_ttm_device_init() - set up TTM's part of a device that needs no DMA memory
 * @ttm: memory for it
 * @funcs: what it calls
 * @drm: the device
 *
 * Return: 0 or a negative error code.
 */
static inline int d3dgpu_compat_ttm_device_init(struct ttm_device *ttm,
						struct ttm_device_funcs *funcs,
						struct drm_device *drm)
{
	struct address_space *mapping = drm->anon_inode->i_mapping;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	return ttm_device_init(ttm, funcs, drm->dev, mapping, drm->vma_offset_manager, 0);
#else
	return ttm_device_init(ttm, funcs, drm->dev, mapping, drm->vma_offset_manager, false,
			       false);
#endif
}

/*
 * Places where others may be evicted to make room. Later kernels try the ordinary ones a second time.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
#define D3DGPU_COMPAT_BUSY_PLACEMENT(count, places) \
	.num_busy_placement = (count), .busy_placement = (places),
#else
#define D3DGPU_COMPAT_BUSY_PLACEMENT(count, places)
#endif

/**
 * d3dgpu_compat_ttm_bo_put() - give back the reference that an object was made with
 * @tbo: TTM's part of the object
 */
static inline void d3dgpu_compat_ttm_bo_put(struct ttm_buffer_object *tbo)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	ttm_bo_fini(tbo);
#else
	ttm_bo_put(tbo);
#endif
}

/* ---- scheduler ---- */

/**
 * d3dgpu_compat_sched_init() - start a scheduler
 * @sched: memory for it
 * @ops: what it calls
 * @jobs: jobs on the device at a time
 * @timeout: of a job, in jiffies
 * @wq: where the time-out handlers run
 * @dev: for its messages
 *
 * The late releases of the 6.1 series take the arguments in a structure, as 6.15 does.
 *
 * Return: 0 or a negative error code.
 */
static inline int d3dgpu_compat_sched_init(struct drm_gpu_scheduler *sched,
					   const struct drm_sched_backend_ops *ops,
					   u32 jobs, long timeout,
					   struct workqueue_struct *wq,
					   struct device *dev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return drm_sched_init(sched, ops, NULL, DRM_SCHED_PRIORITY_COUNT, jobs, 0, timeout, wq,
			      NULL, "d3dgpu", dev);
#else
	const struct drm_sched_init_args args = {
		.ops = ops,
		.timeout_wq = wq,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.credit_limit = jobs,
		.timeout = timeout,
		.name = "d3dgpu",
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
#endif
}

/**
 * d3dgpu_compat_sched_job_init() - make a job of an entity
 * @job: memory for it
 * @entity: where it queues
 * @file: whose it is, or NULL
 *
 * Return: 0 or a negative error code.
 */
static inline int d3dgpu_compat_sched_job_init(struct drm_sched_job *job,
					       struct drm_sched_entity *entity,
					       struct drm_file *file)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
	return drm_sched_job_init(job, entity, 1, file, file ? file->client_id : 0);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return drm_sched_job_init(job, entity, 1, file);
#else
	return drm_sched_job_init(job, entity, file);
#endif
}

/**
 * d3dgpu_compat_sched_wait_on() - from a time-out: wait for the job again
 * @job: the job
 *
 * Before 6.17 the scheduler can be told so only by stopping it and running its jobs anew.
 *
 * Return: what the time-out handler returns.
 */
static inline enum drm_gpu_sched_stat d3dgpu_compat_sched_wait_on(struct drm_sched_job *job)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
	return DRM_GPU_SCHED_STAT_NO_HANG;
#else
	struct drm_gpu_scheduler *sched = job->sched;

	drm_sched_stop(sched, job);
	drm_sched_resubmit_jobs(sched);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	drm_sched_start(sched, 0);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	drm_sched_start(sched);
#else
	drm_sched_start(sched, true);
#endif
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

/* ---- kernel mappings ---- */

/**
 * d3dgpu_compat_vmap_lock() - take an object's reservation lock, to map it into the kernel
 * @obj: the object
 *
 * Since 6.2 DRM holds it when it has objects mapped and unmapped.
 */
static inline void d3dgpu_compat_vmap_lock(struct drm_gem_object *obj)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	dma_resv_lock(obj->resv, NULL);
#endif
}

/**
 * d3dgpu_compat_vmap_unlock() - release it
 * @obj: the object
 */
static inline void d3dgpu_compat_vmap_unlock(struct drm_gem_object *obj)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	dma_resv_unlock(obj->resv);
#endif
}

/* ---- fences ---- */

/**
 * d3dgpu_compat_fence_init() - make a fence that may outlive the module
 * @fence: memory for it
 * @ops: its operations, until d3dgpu_compat_fence_detach()
 * @lock: memory for its lock, as long-lived as the fence
 * @done: the kernel's own fence that is signalled
 * @timeline: from dma_fence_context_alloc()
 * @seqno: number on the timeline
 *
 * Newer fences bring their lock along. An older one's is given a class that does not go with the
 * module, as one whose key is in the module would.
 */
static inline void d3dgpu_compat_fence_init(struct dma_fence *fence,
					    const struct dma_fence_ops *ops, spinlock_t *lock,
					    struct dma_fence *done, u64 timeline, u64 seqno)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
	dma_fence_init(fence, ops, NULL, timeline, seqno);
#else
	spin_lock_init(lock);
	lockdep_set_class_and_name(lock, (struct lock_class_key *)done,
				   done->ops->get_driver_name(done));
	dma_fence_init(fence, ops, lock, timeline, seqno);
#endif
}

/**
 * d3dgpu_compat_fence_detach() - make a signalled fence forget the module
 * @fence: the fence
 * @done: the kernel's own fence that is signalled
 *
 * Newer fences do so by themselves.
 */
static inline void d3dgpu_compat_fence_detach(struct dma_fence *fence, struct dma_fence *done)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
	WRITE_ONCE(fence->ops, done->ops);
#endif
}

/* ---- display ---- */

/* An update's new and old states have another name since 7.3. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0)
#define drm_atomic_state drm_atomic_commit
#define drm_atomic_state_put drm_atomic_commit_put
#endif

/**
 * d3dgpu_compat_edid_modes() - take a connector's modes from its EDID
 * @connector: the connector
 * @edid: the EDID, or NULL: there is none
 *
 * Return: how many modes there are.
 */
static inline int d3dgpu_compat_edid_modes(struct drm_connector *connector,
					   const struct drm_edid *edid)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
	drm_edid_connector_update(connector, edid);
	return drm_edid_connector_add_modes(connector);
#else
	return drm_edid_connector_update(connector, edid);
#endif
}

/* Since 6.17 DRM looks the format up before a framebuffer is made. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define D3DGPU_COMPAT_FORMAT_PARAMETER
#else
#define D3DGPU_COMPAT_FORMAT_PARAMETER , const struct drm_format_info *info
#endif

/**
 * d3dgpu_compat_gem_fb_create() - make a framebuffer whose damage is flushed
 * @drm: the device
 * @file: whose objects they are
 * @cmd: which objects, and how they make a picture
 *
 * Return: the framebuffer or an error.
 */
static inline struct drm_framebuffer *
d3dgpu_compat_gem_fb_create(struct drm_device *drm, struct drm_file *file,
			    const struct drm_mode_fb_cmd2 *cmd)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
	const struct drm_format_info *info =
		drm_get_format_info(drm, cmd->pixel_format, cmd->modifier[0]);

	return drm_gem_fb_create_with_dirty(drm, file, info, cmd);
#else
	return drm_gem_fb_create_with_dirty(drm, file, cmd);
#endif
}

/* ---- cursors ---- */

/*
 * Hot spots came with the framebuffer once; now they are the plane's, where a driver says that it
 * has them. (Atomic programs that know nothing of hot spots do not see such a plane.)
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define D3DGPU_COMPAT_CURSOR_FEATURES 0
#else
#define D3DGPU_COMPAT_CURSOR_FEATURES DRIVER_CURSOR_HOTSPOT
#endif

/* Whether an update may be made without a commit: later kernels say whether it is a page flip. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define D3DGPU_COMPAT_FLIP_PARAMETER
#else
#define D3DGPU_COMPAT_FLIP_PARAMETER , bool flip
#endif

/**
 * d3dgpu_compat_hotspot_x() - column of a cursor's hot spot in its image
 * @state: state of the cursor plane, with a framebuffer
 *
 * Return: what user space said.
 */
static inline s32 d3dgpu_compat_hotspot_x(const struct drm_plane_state *state)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
	return state->fb->hot_x;
#else
	return state->hotspot_x;
#endif
}

/**
 * d3dgpu_compat_hotspot_y() - row of a cursor's hot spot in its image
 * @state: state of the cursor plane, with a framebuffer
 *
 * Return: what user space said.
 */
static inline s32 d3dgpu_compat_hotspot_y(const struct drm_plane_state *state)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
	return state->fb->hot_y;
#else
	return state->hotspot_y;
#endif
}

/**
 * d3dgpu_compat_copy_hotspot() - give a plane state the hot spot of another
 * @to: the state
 * @from: the other, whose framebuffer @to has already
 */
static inline void d3dgpu_compat_copy_hotspot(struct drm_plane_state *to,
					      const struct drm_plane_state *from)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	to->hotspot_x = from->hotspot_x;
	to->hotspot_y = from->hotspot_y;
#endif
}

/* ---- panics ---- */

/**
 * d3dgpu_compat_console() - what the text console has drawn, as far as nobody else shows it
 * @drm: the device
 * @picture: the console's shadow in system memory
 *
 * Return: false if there is no console, or the kernel has a panic screen of its own.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
static inline bool d3dgpu_compat_console(struct drm_device *drm, struct d3dgpu_picture *picture)
{
	return false;
}

static inline int d3dgpu_compat_scanout_buffer(struct drm_plane *plane,
					       struct drm_scanout_buffer *buffer)
{
	struct d3dgpu_picture picture;

	if (!d3dgpu_panic_picture(plane, &picture))
		return -ENODEV;
	buffer->format = picture.format;
	buffer->width = picture.width;
	buffer->height = picture.height;
	buffer->pitch[0] = picture.pitch;
	iosys_map_set_vaddr(&buffer->map[0], picture.pixels);
	return 0;
}

#define D3DGPU_COMPAT_PANIC_FUNCS \
	.get_scanout_buffer = d3dgpu_compat_scanout_buffer, .panic_flush = d3dgpu_panic_flush,
#else
static inline bool d3dgpu_compat_console(struct drm_device *drm, struct d3dgpu_picture *picture)
{
	struct drm_fb_helper *helper = drm->fb_helper;
	struct fb_info *info = NULL;

	if (helper)
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
		info = helper->fbdev;
#else
		info = helper->info;
#endif
	if (!info || !info->screen_buffer || info->var.bits_per_pixel != 32)
		return false;
	picture->format = NULL;
	picture->pixels = info->screen_buffer;
	picture->width = info->var.xres;
	picture->height = info->var.yres;
	picture->pitch = info->fix.line_length;
	return true;
}

#define D3DGPU_COMPAT_PANIC_FUNCS
#endif

#endif
