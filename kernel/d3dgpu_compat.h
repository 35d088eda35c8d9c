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

#endif
