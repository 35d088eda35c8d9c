// SPDX-License-Identifier: GPL-2.0-only
#include <linux/aperture.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_fb_helper.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>
#include <drm/drm_prime.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_compat.h"
#include "d3dgpu_context.h"
#include "d3dgpu_coredump.h"
#include "d3dgpu_drv.h"
#include "d3dgpu_progress.h"
#include "d3dgpu_pm.h"
#include "d3dgpu_usage.h"

/**
 * DOC: d3dgpu
 *
 * DRM driver of the d3dgpu virtual Direct3D GPU. One file per job of the hardware:
 *
 * ==================  =====================================================
 * d3dgpu_drv.c        probe, ioctl table, the ioctls about the device
 * d3dgpu_device.c     BARs, start, reset
 * d3dgpu_firmware.c   the command processor's program
 * d3dgpu_ring.c       command rings
 * d3dgpu_irq.c        interrupts, faults
 * d3dgpu_pm.c         system sleep
 * d3dgpu_watch.c      whether the device does anything
 * d3dgpu_fence.c      completion
 * d3dgpu_context.c    engine contexts
 * d3dgpu_sched.c      jobs on their way to a ring
 * d3dgpu_submit.c     the submit ioctl
 * d3dgpu_bo.c         buffer objects
 * d3dgpu_paging.c     what the kernel wants of the device itself
 * d3dgpu_vram.c       the VRAM pool
 * d3dgpu_ttm.c        places and moves
 * d3dgpu_residency.c  what workers have of objects
 * d3dgpu_reap.c       the end of buffer objects
 * d3dgpu_share.c      tokens and implicit synchronisation
 * d3dgpu_ds.c         the depth-stencil unit
 * d3dgpu_kms.c        the display engine; it names its other files
 * d3dgpu_usage.c      what an open file has used
 * d3dgpu_progress.c   what a program sees of it without a system call
 * d3dgpu_debugfs.c    what is going on
 * d3dgpu_state.c      the same as text
 * d3dgpu_coredump.c   what was going on when something went wrong
 * ==================  =====================================================
 *
 * Order of locks, outermost first: &d3dgpu_device.implicit_lock, &d3dgpu_context.submit_lock,
 * &d3dgpu_device.vram_pool, reservation objects, &d3dgpu_device.residency, &d3dgpu_device.bo_lock,
 * &d3dgpu_context.push_lock, &d3dgpu_device.dsu_lock, &d3dgpu_ring.lock (all rings in the order of
 * their numbers), &d3dgpu_ring.fence_lock. The others are taken alone.
 */

/* One of the firmware's counters, which are in VRAM. */
static int d3dgpu_get_counter(struct d3dgpu_device *gdev, const u64 *counter, u64 *value)
{
	int idx;

	if (!drm_dev_enter(&gdev->drm, &idx))
		return -ENODEV;
	*value = READ_ONCE(*counter);
	drm_dev_exit(idx);
	return 0;
}

static int d3dgpu_get_cap(const struct d3dgpu_device *gdev, u32 offset, u64 *value)
{
	if (offset % sizeof(u32) || offset >= sizeof(gdev->caps))
		return -EINVAL;
	*value = ((const u32 *)&gdev->caps)[array_index_nospec(offset / sizeof(u32), sizeof(gdev->caps) / sizeof(u32))];
	return 0;
}

static int d3dgpu_get_param_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_get_param *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);

	if (args->pad)
		return -EINVAL;
	switch (args->param) {
	case D3DGPU_PARAM_INTERFACE_VERSION:
		args->value = gdev->caps.version;
		return 0;
	case D3DGPU_PARAM_VRAM_SIZE:
		args->value = gdev->pool_size;
		return 0;
	case D3DGPU_PARAM_VRAM_FREE:
		args->value = d3dgpu_ttm_free(gdev);
		return 0;
	case D3DGPU_PARAM_FIRMWARE_VERSION:
		args->value = gdev->firmware_version;
		return 0;
	case D3DGPU_PARAM_LUID:
		args->value = gdev->caps.luid;
		return 0;
	case D3DGPU_PARAM_MAX_STREAM:
		args->value = D3DGPU_MAX_STREAM;
		return 0;
	case D3DGPU_PARAM_RESETS:
		args->value = READ_ONCE(gdev->resets);
		return 0;
	case D3DGPU_PARAM_RING_ENTRIES:
		return d3dgpu_get_counter(gdev, &gdev->ctrl->counters.entries, &args->value);
	case D3DGPU_PARAM_MEMORY_LIMIT:
		args->value = gdev->vram_pool.limit;
		return 0;
	case D3DGPU_PARAM_EVICTIONS:
		args->value = atomic64_read(&gdev->vram_pool.evictions);
		return 0;
	case D3DGPU_PARAM_BYTES_EVICTED:
		args->value = atomic64_read(&gdev->vram_pool.evicted);
		return 0;
	case D3DGPU_PARAM_BYTES_RESTORED:
		args->value = atomic64_read(&gdev->vram_pool.restored);
		return 0;
	case D3DGPU_PARAM_INTERRUPTS:
		return d3dgpu_get_counter(gdev, &gdev->ctrl->counters.interrupts, &args->value);
	case D3DGPU_PARAM_HEADS:
		args->value = gdev->head_count;
		return 0;
	case D3DGPU_PARAM_ENGINES:
		args->value = gdev->engine_count;
		return 0;
	case D3DGPU_PARAM_HANG_TIMEOUT:
		args->value = gdev->hang_timeout;
		return 0;
	default:
		return d3dgpu_get_cap(gdev, args->param - D3DGPU_PARAM_CAPS, &args->value);
	}
}

static int d3dgpu_get_caps_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_get_caps *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	u32 size = min_t(u32, args->size, sizeof(gdev->caps));

	if (args->pad)
		return -EINVAL;
	if (copy_to_user(u64_to_user_ptr(args->ptr), &gdev->caps, size))
		return -EFAULT;
	args->size = sizeof(gdev->caps);
	return 0;
}

static int d3dgpu_open(struct drm_device *drm, struct drm_file *file)
{
	struct d3dgpu_file *dfile = kzalloc(sizeof(*dfile), GFP_KERNEL);

	if (!dfile)
		return -ENOMEM;
	dfile->usage = d3dgpu_usage_create();
	if (!dfile->usage)
		goto free_dfile;
	dfile->progress = d3dgpu_progress_create();
	if (!dfile->progress)
		goto put_usage;
	xa_init_flags(&dfile->contexts, XA_FLAGS_ALLOC1);
	file->driver_priv = dfile;
	return 0;

put_usage:
	d3dgpu_usage_put(dfile->usage);
free_dfile:
	kfree(dfile);
	return -ENOMEM;
}

static void d3dgpu_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct d3dgpu_file *dfile = file->driver_priv;

	d3dgpu_contexts_close(to_d3dgpu(drm), dfile);
	d3dgpu_usage_put(dfile->usage);
	put_page(dfile->progress);
	kfree(dfile);
}

static const struct drm_ioctl_desc d3dgpu_ioctls[] = {
	DRM_IOCTL_DEF_DRV(D3DGPU_GET_PARAM, d3dgpu_get_param_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GET_CAPS, d3dgpu_get_caps_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_CTX_CREATE, d3dgpu_ctx_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_CTX_DESTROY, d3dgpu_ctx_destroy_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_CTX_QUERY, d3dgpu_ctx_query_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_STAGING_CREATE, d3dgpu_staging_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_RESOURCE_CREATE, d3dgpu_resource_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_DS_CREATE, d3dgpu_ds_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GEM_MMAP, d3dgpu_gem_mmap_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GEM_INFO, d3dgpu_gem_info_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_SUBMIT, d3dgpu_submit_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GEM_SHARE, d3dgpu_gem_share_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GEM_OPEN, d3dgpu_gem_open_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(D3DGPU_GEM_MADVISE, d3dgpu_gem_madvise_ioctl, DRM_RENDER_ALLOW),
};

static const struct file_operations d3dgpu_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	.mmap = d3dgpu_mmap,
	.show_fdinfo = d3dgpu_usage_show_fdinfo,
	D3DGPU_COMPAT_FILE_FLAGS
};

static const struct drm_driver d3dgpu_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE |
			   DRIVER_MODESET | DRIVER_ATOMIC | D3DGPU_COMPAT_CURSOR_FEATURES,
	.open = d3dgpu_open,
	.postclose = d3dgpu_postclose,
	.ioctls = d3dgpu_ioctls,
	.num_ioctls = ARRAY_SIZE(d3dgpu_ioctls),
	.fops = &d3dgpu_fops,
	.dumb_create = d3dgpu_bo_dumb_create,
	/* between the nodes of this device only, see d3dgpu_bo_gem_pin() */
	.prime_handle_to_fd = d3dgpu_share_handle_to_fd,
	.prime_fd_to_handle = drm_gem_prime_fd_to_handle,
#ifdef CONFIG_DEBUG_FS
	.debugfs_init = d3dgpu_debugfs_init,
#endif
	.name = D3DGPU_DRIVER_NAME,
	.desc = "Virtual Direct3D GPU",
	D3DGPU_COMPAT_DATE("20261130")
	D3DGPU_COMPAT_CONSOLE
	.major = 1,
	.minor = 0,
};

/* Everything that has no hardware behind it. */
static int d3dgpu_init_software(struct d3dgpu_device *gdev)
{
	int ret;

	d3dgpu_contexts_init(gdev);
	d3dgpu_pm_init(gdev);
	ret = drmm_mutex_init(&gdev->drm, &gdev->dsu_lock);
	if (ret)
		return ret;
	ret = d3dgpu_coredump_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_rings_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_paging_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_share_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_vram_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_ttm_init(gdev);
	if (ret)
		return ret;
	return d3dgpu_reap_init(gdev);
}

static int d3dgpu_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct d3dgpu_device *gdev;
	int ret;

	ret = aperture_remove_conflicting_pci_devices(pdev, D3DGPU_DRIVER_NAME);
	if (ret)
		return ret;
	gdev = devm_drm_dev_alloc(&pdev->dev, &d3dgpu_driver, struct d3dgpu_device, drm);
	if (IS_ERR(gdev))
		return PTR_ERR(gdev);
	pci_set_drvdata(pdev, gdev);

	ret = d3dgpu_device_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_init_software(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_firmware_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_kms_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_irq_init(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_device_start(gdev);
	if (ret)
		goto stop_device;
	ret = drm_dev_register(&gdev->drm, 0);
	if (ret)
		goto stop_device;
	d3dgpu_compat_console_setup(&gdev->drm);
	return 0;

stop_device:
	d3dgpu_device_halt(gdev);
	d3dgpu_device_stop(gdev);
	return ret;
}

/*
 * Also for shutdown and kexec: programs are still running then, and must not wake the device up
 * again that the next kernel gets.
 */
static void d3dgpu_remove(struct pci_dev *pdev)
{
	struct d3dgpu_device *gdev = pci_get_drvdata(pdev);

	d3dgpu_device_halt(gdev);
	drm_dev_unplug(&gdev->drm);
	drm_atomic_helper_shutdown(&gdev->drm);
	d3dgpu_device_stop(gdev);
}

static DEFINE_SIMPLE_DEV_PM_OPS(d3dgpu_pm_ops, d3dgpu_pm_suspend, d3dgpu_pm_resume);

static const struct pci_device_id d3dgpu_ids[] = {
	{ PCI_DEVICE(D3DGPU_PCI_VENDOR, D3DGPU_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, d3dgpu_ids);

static struct pci_driver d3dgpu_pci_driver = {
	.name = D3DGPU_DRIVER_NAME,
	.id_table = d3dgpu_ids,
	.probe = d3dgpu_probe,
	.remove = d3dgpu_remove,
	.shutdown = d3dgpu_remove,
	.driver.pm = pm_sleep_ptr(&d3dgpu_pm_ops),
};

static int __init d3dgpu_init(void)
{
	if (drm_firmware_drivers_only())
		return -ENODEV;
	d3dgpu_fences_init();
	return pci_register_driver(&d3dgpu_pci_driver);
}
module_init(d3dgpu_init);

static void __exit d3dgpu_exit(void)
{
	pci_unregister_driver(&d3dgpu_pci_driver);
	d3dgpu_fences_fini();
}
module_exit(d3dgpu_exit);

MODULE_DESCRIPTION("DRM driver of the d3dgpu virtual Direct3D GPU");
MODULE_LICENSE("GPL");
