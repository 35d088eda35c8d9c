// SPDX-License-Identifier: GPL-2.0-only
#include <linux/dma-fence.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "d3dgpu_context.h"

/**
 * DOC: Watch
 *
 * The firmware watches contexts, and says so when it dies itself: then the device is reset. It
 * cannot say that it is alive and does nothing. So while there is something to do, a work looks at
 * it every few seconds:
 *
 * - Its loop must turn. A doorbell makes it turn, whether or not a ring has anything new.
 * - A context that was told to end must end.
 *
 * Where this does not happen for long, the device is given up and reset. The bounds are generous:
 * the firmware's core may be emulated, in a virtual machine that gets little time.
 */

#define D3DGPU_WATCH_PERIOD	(4 * HZ)
/* Looks in a row at a loop that does not turn. */
#define D3DGPU_WATCH_LOOKS	5
/* How long the device may take to end a context that has nothing to do, or is dead. */
#define D3DGPU_WATCH_END	(60 * HZ)

/* Whether anything is waited for; and whether a context has not ended in time. */
static bool d3dgpu_watch_contexts(struct d3dgpu_device *gdev, bool *stuck)
{
	struct d3dgpu_context *context;
	bool busy = !list_empty(&gdev->paging->pending);
	unsigned long id;

	xa_lock(&gdev->contexts); /* keeps them from being freed */
	xa_for_each(&gdev->contexts, id, context) {
		busy |= !list_empty(&context->pending);
		/* Ended: then @end and @ended, which were written before, are there too. */
		if (smp_load_acquire(&context->state) == D3DGPU_CONTEXT_ENDED &&
		    !dma_fence_is_signaled(context->end) &&
		    time_after(jiffies, context->ended + D3DGPU_WATCH_END))
			*stuck = true;
	}
	xa_unlock(&gdev->contexts);
	return busy;
}

/* Whether the firmware's loop has turned since it was looked at last; if not, makes it. */
static bool d3dgpu_watch_firmware(struct d3dgpu_device *gdev)
{
	u64 turns = READ_ONCE(gdev->ctrl->counters.idle_loops);

	if (turns != gdev->watch.turns) {
		gdev->watch.turns = turns;
		return true;
	}
	d3dgpu_write(gdev, D3DGPU_REG_DOORBELL(D3DGPU_MAX_RINGS - 1), 1);
	return false;
}

static void d3dgpu_watch_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, watch.work.work);
	bool stuck = false;
	int idx;

	if (!drm_dev_enter(&gdev->drm, &idx))
		return;
	if (READ_ONCE(gdev->down) || !d3dgpu_watch_contexts(gdev, &stuck)) {
		gdev->watch.looks = 0;
		goto exit;
	}
	gdev->watch.looks = d3dgpu_watch_firmware(gdev) ? 0 : gdev->watch.looks + 1;
	if (stuck || gdev->watch.looks >= D3DGPU_WATCH_LOOKS) {
		drm_err(&gdev->drm, "%s\n", stuck ? "a context does not end" :
						    "the firmware does not do anything");
		gdev->watch.looks = 0;
		d3dgpu_device_give_up(gdev);
		goto exit;
	}
	queue_delayed_work(gdev->wq, &gdev->watch.work, D3DGPU_WATCH_PERIOD);
exit:
	drm_dev_exit(idx);
}

/**
 * d3dgpu_watch() - the device has something to do: look after it
 * @gdev: the device
 */
void d3dgpu_watch(struct d3dgpu_device *gdev)
{
	if (!delayed_work_pending(&gdev->watch.work))
		queue_delayed_work(gdev->wq, &gdev->watch.work, D3DGPU_WATCH_PERIOD);
}

/**
 * d3dgpu_watch_stop() - look no more
 * @gdev: the device, which is down
 */
void d3dgpu_watch_stop(struct d3dgpu_device *gdev)
{
	cancel_delayed_work_sync(&gdev->watch.work);
}

/**
 * d3dgpu_watch_init() - get ready to look
 * @gdev: the device
 */
void d3dgpu_watch_init(struct d3dgpu_device *gdev)
{
	INIT_DELAYED_WORK(&gdev->watch.work, d3dgpu_watch_work);
}
