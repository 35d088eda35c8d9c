// SPDX-License-Identifier: GPL-2.0-only
#include <linux/delay.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "d3dgpu_context.h"
#include "d3dgpu_coredump.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Device
 *
 * BAR 0 is VRAM, BAR 2 the registers. VRAM is the host's memory, not the other side of a bus:
 * both sides see the same cache lines, so it is mapped cached (a write-combined mapping would
 * make every readback crawl for nothing), and the barriers are those between CPUs. It is
 * divided in three::
 *
 *	0 ........................ pool of buffer objects (d3dgpu_ttm.c)
 *	vram - ctrl - firmware ... the firmware image, while it is loaded
 *	vram - ctrl .............. the control block, which only the kernel touches
 *
 * A device whose firmware has died is reset and goes on: every context that it had is lost,
 * which their programs learn from the next submit; VRAM keeps its content. Reset holds the locks of
 * all rings, so calls that need the device meanwhile are only delayed. It waits for nobody who may
 * wait for the GPU: it stops the device, then signals all fences, each as failed. The display gets
 * its modes back when those who set them let go (d3dgpu_blackout.c).
 *
 * A device that is removed is stopped in the same way before anything else, because the locks of
 * mode setting are needed to take down what is above it.
 */

#define D3DGPU_FIRMWARE_MAX	(sizeof(struct d3dgpu_fw_header) + D3DGPU_GCP_SRAM_SIZE)
#define D3DGPU_FIRMWARE_AREA	ALIGN(D3DGPU_FIRMWARE_MAX, PAGE_SIZE)

static int d3dgpu_device_map(struct d3dgpu_device *gdev)
{
	struct pci_dev *pdev = to_pci_dev(gdev->drm.dev);
	resource_size_t size;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;

	gdev->vram_base = pci_resource_start(pdev, D3DGPU_BAR_VRAM);
	if (pci_resource_len(pdev, D3DGPU_BAR_REGS) != D3DGPU_BAR_REGS_SIZE || !gdev->vram_base) {
		drm_err(&gdev->drm, "BARs are missing or have the wrong size\n");
		return -ENODEV;
	}
	ret = pcim_iomap_regions(pdev, BIT(D3DGPU_BAR_REGS), "d3dgpu");
	if (ret)
		return ret;
	gdev->regs = pcim_iomap_table(pdev)[D3DGPU_BAR_REGS];

	size = pci_resource_len(pdev, D3DGPU_BAR_VRAM);
	if (!devm_request_mem_region(gdev->drm.dev, gdev->vram_base, size, "d3dgpu-vram"))
		return -EBUSY;
	gdev->vram = devm_memremap(gdev->drm.dev, gdev->vram_base, size, MEMREMAP_WB);
	return PTR_ERR_OR_ZERO(gdev->vram);
}

static int d3dgpu_device_identify(struct d3dgpu_device *gdev)
{
	struct pci_dev *pdev = to_pci_dev(gdev->drm.dev);
	u32 id = d3dgpu_read(gdev, D3DGPU_REG_ID);
	u32 version = d3dgpu_read(gdev, D3DGPU_REG_VERSION);

	if (id != D3DGPU_ID) {
		drm_err(&gdev->drm, "not a d3dgpu: id %#x\n", id);
		return -ENODEV;
	}
	if (version >> 16 != D3DGPU_VERSION_MAJOR) {
		drm_err(&gdev->drm, "device has interface %u.%u, this driver wants %u.x\n",
			version >> 16, version & 0xffff, D3DGPU_VERSION_MAJOR);
		return -ENODEV;
	}
	gdev->vram_size = d3dgpu_read64(gdev, D3DGPU_REG_VRAM_SIZE_LO);
	if (gdev->vram_size != pci_resource_len(pdev, D3DGPU_BAR_VRAM) ||
	    gdev->vram_size < 4 * (D3DGPU_CTRL_SIZE + D3DGPU_FIRMWARE_AREA)) {
		drm_err(&gdev->drm, "VRAM of %llu bytes does not fit its BAR\n", gdev->vram_size);
		return -ENODEV;
	}
	gdev->hang_timeout = d3dgpu_read(gdev, D3DGPU_REG_HANG_TIMEOUT);
	gdev->engine_count = d3dgpu_read(gdev, D3DGPU_REG_ENGINES);
	gdev->head_count = clamp(d3dgpu_read(gdev, D3DGPU_REG_HEADS), 1u, D3DGPU_MAX_HEADS + 0u);
	return 0;
}

static int d3dgpu_device_read_caps(struct d3dgpu_device *gdev)
{
	u32 *words = (u32 *)&gdev->caps;
	unsigned int i;

	for (i = 0; i < sizeof(gdev->caps) / sizeof(*words); i++)
		words[i] = d3dgpu_read(gdev, D3DGPU_REG_CAPS + i * sizeof(*words));
	if (gdev->caps.magic != D3DGPU_CAPS_MAGIC || gdev->caps.size > sizeof(gdev->caps)) {
		drm_err(&gdev->drm, "capability block is damaged: magic %#x, size %u\n",
			gdev->caps.magic, gdev->caps.size);
		return -ENODEV;
	}
	gdev->caps.engine_name[sizeof(gdev->caps.engine_name) - 1] = '\0';
	return 0;
}

/**
 * d3dgpu_device_start() - bring the device from reset to serving rings
 * @gdev: the device
 *
 * The caller holds the locks of all rings, or is alone.
 *
 * Return: 0; -ENODEV: it refused the control block; or what the firmware's boot gave.
 */
int d3dgpu_device_start(struct d3dgpu_device *gdev)
{
	int ret;

	memset(gdev->ctrl, 0, sizeof(*gdev->ctrl));
	d3dgpu_rings_clear(gdev);
	d3dgpu_paging_abandon(gdev);
	d3dgpu_write64(gdev, D3DGPU_REG_CTRL_BASE_LO, gdev->ctrl_offset);
	if (!(d3dgpu_read(gdev, D3DGPU_REG_STATUS) & D3DGPU_STATUS_CTRL_VALID)) {
		drm_err(&gdev->drm, "device refused the control block at %#llx\n",
			gdev->ctrl_offset);
		return -ENODEV;
	}
	d3dgpu_write(gdev, D3DGPU_REG_HANG_TIMEOUT, gdev->hang_timeout);

	ret = d3dgpu_firmware_boot(gdev);
	/* The display needs no firmware. */
	d3dgpu_irq_enable(gdev, ret ? BIT(D3DGPU_VECTOR_DISPLAY) : BIT(D3DGPU_VECTOR_COUNT) - 1);
	return ret;
}

/* The device is down when this returns, and before: who waits for it with a lock lets go. */
static void d3dgpu_device_lock(struct d3dgpu_device *gdev)
{
	WRITE_ONCE(gdev->down, true);
	mutex_lock(&gdev->dsu_lock);
	d3dgpu_rings_lock(gdev);
	WRITE_ONCE(gdev->down, true); /* a reset that was under way has ended meanwhile */
}

static void d3dgpu_device_unlock(struct d3dgpu_device *gdev)
{
	d3dgpu_rings_unlock(gdev);
	mutex_unlock(&gdev->dsu_lock);
}

/* Contexts and workers end with the register write, and heads are off. */
static void d3dgpu_device_quiesce(struct d3dgpu_device *gdev)
{
	d3dgpu_irq_disable(gdev);
	d3dgpu_irq_sync(gdev);
	d3dgpu_blackout_begin(gdev);
	d3dgpu_write(gdev, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	d3dgpu_read(gdev, D3DGPU_REG_STATUS);
}

/* What contexts had to signal is signalled. */
static void d3dgpu_device_reset_locked(struct d3dgpu_device *gdev)
{
	d3dgpu_device_quiesce(gdev);
	d3dgpu_contexts_abandon(gdev);
}

static void d3dgpu_device_restart_locked(struct d3dgpu_device *gdev)
{
	int ret;

	d3dgpu_device_reset_locked(gdev);
	ret = d3dgpu_device_start(gdev);
	if (ret)
		drm_err(&gdev->drm, "device did not come up again (%d)\n", ret);
	WRITE_ONCE(gdev->dead, ret);
	WRITE_ONCE(gdev->down, ret);
	WRITE_ONCE(gdev->resets, gdev->resets + 1);
}

static void d3dgpu_device_reset_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, reset_work);
	int idx;

	if (!drm_dev_enter(&gdev->drm, &idx))
		return;
	drm_warn(&gdev->drm, "resetting: firmware state %u, panic %#x at %#x\n",
		 d3dgpu_read(gdev, D3DGPU_REG_GCP_STATE), d3dgpu_read(gdev, D3DGPU_REG_GCP_PANIC),
		 d3dgpu_read(gdev, D3DGPU_REG_GCP_PC));
	d3dgpu_coredump(gdev, NULL, d3dgpu_read(gdev, D3DGPU_REG_STATUS) & D3DGPU_STATUS_FATAL ?
				    "firmware died" : "firmware does nothing");

	d3dgpu_device_lock(gdev);
	if (!gdev->dead) /* d3dgpu_device_halt() may have been faster */
		d3dgpu_device_restart_locked(gdev);
	d3dgpu_device_unlock(gdev);
	wake_up_all(&gdev->up);
	d3dgpu_blackout_end(gdev);
	drm_dev_exit(idx);
}

/**
 * d3dgpu_device_check() - reset the device if only that helps
 * @gdev: the device
 */
void d3dgpu_device_check(struct d3dgpu_device *gdev)
{
	int idx;

	if (!drm_dev_enter(&gdev->drm, &idx))
		return;
	if (!READ_ONCE(gdev->down) && d3dgpu_read(gdev, D3DGPU_REG_STATUS) & D3DGPU_STATUS_FATAL)
		queue_work(gdev->wq, &gdev->reset_work);
	drm_dev_exit(idx);
}

/**
 * d3dgpu_device_give_up() - reset a device that does not do its work, whatever it says
 * @gdev: the device
 *
 * From now on it takes no entries, until it is reset.
 */
void d3dgpu_device_give_up(struct d3dgpu_device *gdev)
{
	WRITE_ONCE(gdev->down, true);
	queue_work(gdev->wq, &gdev->reset_work);
}

/**
 * d3dgpu_device_wait() - wait until a reset is over
 * @gdev: the device
 *
 * Return: 0: it takes entries, as far as one can tell; -EIO: it never will; or -ERESTARTSYS.
 */
int d3dgpu_device_wait(struct d3dgpu_device *gdev)
{
	int ret = wait_event_interruptible(gdev->up,
					   !READ_ONCE(gdev->down) || READ_ONCE(gdev->dead));

	if (ret)
		return ret;
	return READ_ONCE(gdev->dead) ? -EIO : 0;
}

/**
 * d3dgpu_device_sleep() - silence the device
 * @gdev: the device
 *
 * It is down until d3dgpu_device_wake(). What contexts wait for stays as it is.
 */
void d3dgpu_device_sleep(struct d3dgpu_device *gdev)
{
	d3dgpu_device_lock(gdev);
	d3dgpu_device_quiesce(gdev);
	d3dgpu_device_unlock(gdev);
	d3dgpu_watch_stop(gdev);
}

/**
 * d3dgpu_device_wake() - make it serve rings again
 * @gdev: the device, after d3dgpu_device_sleep(); it may have been in any other hands meanwhile
 *
 * It knows no contexts then. They are lost if it does not come up.
 *
 * Return: 0, or what d3dgpu_device_start() gave.
 */
int d3dgpu_device_wake(struct d3dgpu_device *gdev)
{
	int ret;

	d3dgpu_device_lock(gdev);
	d3dgpu_device_quiesce(gdev);
	ret = d3dgpu_device_start(gdev);
	if (ret) {
		drm_err(&gdev->drm, "device does not wake up (%d)\n", ret);
		d3dgpu_contexts_abandon(gdev);
	}
	WRITE_ONCE(gdev->dead, ret);
	WRITE_ONCE(gdev->down, ret);
	d3dgpu_device_unlock(gdev);
	wake_up_all(&gdev->up);
	return ret;
}

/**
 * d3dgpu_device_halt() - end all contexts, for ever
 * @gdev: the device
 *
 * Whoever waits for something that it was to do goes on.
 */
void d3dgpu_device_halt(struct d3dgpu_device *gdev)
{
	d3dgpu_device_lock(gdev);
	d3dgpu_device_reset_locked(gdev);
	WRITE_ONCE(gdev->dead, true);
	d3dgpu_device_unlock(gdev);
	wake_up_all(&gdev->up);
}

/**
 * d3dgpu_device_stop() - silence the device
 * @gdev: the device, which is halted, and unplugged if it was registered
 *
 * When this returns, nothing of the driver will touch it any more.
 */
void d3dgpu_device_stop(struct d3dgpu_device *gdev)
{
	cancel_work_sync(&gdev->reset_work);
	d3dgpu_watch_stop(gdev);
	cancel_work_sync(&gdev->hotplug_work);
	cancel_work_sync(&gdev->relight_work);
	flush_workqueue(gdev->wq);
	flush_delayed_work(&gdev->reap.work);
}

static void d3dgpu_device_fini(struct drm_device *drm, void *data)
{
	struct d3dgpu_device *gdev = to_d3dgpu(drm);

	destroy_workqueue(gdev->wq);
	destroy_workqueue(gdev->timeout_wq);
}

static int d3dgpu_device_init_queues(struct d3dgpu_device *gdev)
{
	INIT_WORK(&gdev->reset_work, d3dgpu_device_reset_work);
	init_waitqueue_head(&gdev->up);
	d3dgpu_watch_init(gdev);
	gdev->wq = alloc_workqueue("d3dgpu", WQ_UNBOUND, 2 * D3DGPU_MAX_CONTEXTS);
	if (!gdev->wq)
		return -ENOMEM;
	gdev->timeout_wq = alloc_ordered_workqueue("d3dgpu-timeout", 0);
	if (!gdev->timeout_wq) {
		destroy_workqueue(gdev->wq);
		return -ENOMEM;
	}
	return drmm_add_action_or_reset(&gdev->drm, d3dgpu_device_fini, NULL);
}

/**
 * d3dgpu_device_init() - map the device, identify it, divide VRAM
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_device_init(struct d3dgpu_device *gdev)
{
	int ret;

	ret = d3dgpu_device_init_queues(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_device_map(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_device_identify(gdev);
	if (ret)
		return ret;
	ret = d3dgpu_device_read_caps(gdev);
	if (ret)
		return ret;

	gdev->ctrl_offset = gdev->vram_size - D3DGPU_CTRL_SIZE;
	gdev->ctrl = gdev->vram + gdev->ctrl_offset;
	gdev->firmware_offset = gdev->ctrl_offset - D3DGPU_FIRMWARE_AREA;
	gdev->pool_size = gdev->firmware_offset;

	/* A driver before us may have left it running: that of a kernel that crashed. */
	d3dgpu_write(gdev, D3DGPU_REG_CONTROL, D3DGPU_CONTROL_RESET);
	pci_set_master(to_pci_dev(gdev->drm.dev)); /* MSI-X messages */
	drm_info(&gdev->drm, "%llu MiB of VRAM, feature level %u_%u, engine: %s\n",
		 gdev->vram_size >> 20, gdev->caps.feature_level >> 12,
		 gdev->caps.feature_level >> 8 & 0xf, gdev->caps.engine_name);
	return 0;
}
