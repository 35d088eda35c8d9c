/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows which kernel this is built for. Everything else is written for the
 * interfaces of Debian 12's 6.1; where another kernel differs, an inline function with a name
 * of ours hides it.
 */
#ifndef D3DGPU_COMPAT_H
#define D3DGPU_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_plane.h>
#include <drm/gpu_scheduler.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "d3dgpu needs Linux 6.1 or newer"
#endif

/**
 * d3dgpu_compat_sched_init() - start a scheduler
 * @sched: memory for it
 * @ops: what it calls
 * @jobs: jobs on the device at a time
 * @timeout: of a job, in jiffies
 * @wq: where the time-out handlers run
 * @dev: for its messages
 *
 * The late releases of the 6.1 series take the arguments in a structure.
 *
 * Return: 0 or a negative error code.
 */
static inline int d3dgpu_compat_sched_init(struct drm_gpu_scheduler *sched,
					   const struct drm_sched_backend_ops *ops,
					   u32 jobs, long timeout,
					   struct workqueue_struct *wq,
					   struct device *dev)
{
	const struct drm_sched_init_args args = {
		.ops = ops,
		.timeout_wq = wq,
		.credit_limit = jobs,
		.timeout = timeout,
		.name = "d3dgpu",
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
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

#endif
