// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <linux/math64.h>

#include <drm/drm_drv.h>
#include <drm/drm_vblank.h>

#include "d3dgpu_drv.h"

/**
 * DOC: Vblanks
 *
 * The device counts the vblanks of a head and knows when the last one was due, in its own time. To
 * say that in the system's, we must know how far the two clocks are apart. The device's clock,
 * read between two looks at the system's, gives bounds of that; looks that follow narrow them, but
 * for what the clocks may drift in between. So times of vblanks are as good as the quickest of many
 * register reads, not as the one at hand.
 *
 * As counter and time are the device's, interrupts are needed only for those who wait, and are off
 * at all other times.
 */

/* How often the clocks are compared, and how many nanoseconds in each they may drift apart. */
#define D3DGPU_CLOCK_INTERVAL	(100 * NSEC_PER_MSEC)
#define D3DGPU_CLOCK_DRIFT	20000

/* The low half latches the high one. */
static u64 d3dgpu_read_time(void __iomem *low)
{
	u64 time = readl(low);

	return time | (u64)readl(low + 4) << 32;
}

/* Compares the clocks. Bounds that contradict the old ones come after a stop of the machine. */
static void d3dgpu_clock_sample(struct d3dgpu_device *gdev, struct d3dgpu_clock *clock)
{
	s64 before = ktime_get_ns();
	s64 device = d3dgpu_read_time(gdev->regs + D3DGPU_REG_TIME_LO);
	s64 after = ktime_get_ns();
	s64 drift = div64_u64(after - clock->sampled, D3DGPU_CLOCK_INTERVAL) * D3DGPU_CLOCK_DRIFT;
	s64 low = max(device - after, clock->low - drift);
	s64 high = min(device - before, clock->high + drift);

	if (!clock->sampled || low > high) {
		low = device - after;
		high = device - before;
	}
	clock->low = low;
	clock->high = high;
	clock->sampled = after;
}

/**
 * d3dgpu_vblank_timestamp() - when the last vblank was
 * @crtc: the CRTC
 * @max_error: how many nanoseconds it may be wrong
 * @time: when it was
 * @in_vblank_irq: called for a vblank interrupt
 *
 * Return: false if the device has gone.
 */
bool d3dgpu_vblank_timestamp(struct drm_crtc *crtc, int *max_error, ktime_t *time,
			     bool in_vblank_irq)
{
	struct d3dgpu_device *gdev = to_d3dgpu(crtc->dev);
	struct d3dgpu_head *head = crtc_to_head(crtc);
	struct d3dgpu_clock *clock = &gdev->clock;
	unsigned long flags;
	int idx;

	if (!drm_dev_enter(crtc->dev, &idx))
		return false;
	spin_lock_irqsave(&clock->lock, flags);
	if (!clock->sampled || ktime_get() - clock->sampled > D3DGPU_CLOCK_INTERVAL)
		d3dgpu_clock_sample(gdev, clock);
	*time = d3dgpu_read_time(head->regs + D3DGPU_HEAD_VBLANK_TIME_LO) -
		(clock->low + (clock->high - clock->low) / 2);
	*max_error = min_t(s64, (clock->high - clock->low) / 2, INT_MAX);
	spin_unlock_irqrestore(&clock->lock, flags);
	drm_dev_exit(idx);
	return true;
}

/**
 * d3dgpu_vblank_count() - how many vblanks there were
 * @crtc: the CRTC
 *
 * Return: the device's counter, and what came on top of it.
 */
u32 d3dgpu_vblank_count(struct drm_crtc *crtc)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);

	return d3dgpu_head_read(head, D3DGPU_HEAD_VBLANK_COUNT) + atomic_read(&head->extra_vblanks);
}

/**
 * d3dgpu_vblank_enable() - have an interrupt for each vblank
 * @crtc: the CRTC
 *
 * One that has passed is no news.
 *
 * Return: 0.
 */
int d3dgpu_vblank_enable(struct drm_crtc *crtc)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);

	d3dgpu_head_write(head, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_VBLANK);
	d3dgpu_head_write(head, D3DGPU_HEAD_EVENT_ENABLE, D3DGPU_HEAD_STATUS_EVENTS);
	return 0;
}

/**
 * d3dgpu_vblank_disable() - have none
 * @crtc: the CRTC
 */
void d3dgpu_vblank_disable(struct drm_crtc *crtc)
{
	d3dgpu_head_write(crtc_to_head(crtc), D3DGPU_HEAD_EVENT_ENABLE,
			  D3DGPU_HEAD_STATUS_EVENTS & ~D3DGPU_HEAD_STATUS_VBLANK);
}

/**
 * d3dgpu_vblank_on() - there are vblanks from now on
 * @head: the head
 *
 * But not if it is dark, or becomes so meanwhile.
 */
void d3dgpu_vblank_on(struct d3dgpu_head *head)
{
	drm_crtc_vblank_on(&head->crtc);
	if (READ_ONCE(head->dark))
		drm_crtc_vblank_off(&head->crtc);
}

/**
 * d3dgpu_vblank_off() - there are none any more
 * @head: the head
 *
 * Who waits for a vblank looks at nothing but the count, and complains when it stands still: the
 * vblank that will not come is counted.
 */
void d3dgpu_vblank_off(struct d3dgpu_head *head)
{
	atomic_inc(&head->extra_vblanks);
	drm_crtc_vblank_off(&head->crtc);
}

/**
 * d3dgpu_vblank_init() - tell the DRM core what the device can do
 * @gdev: the device
 */
void d3dgpu_vblank_init(struct d3dgpu_device *gdev)
{
	spin_lock_init(&gdev->clock.lock);
	gdev->drm.max_vblank_count = U32_MAX;
	gdev->drm.vblank_disable_immediate = true;
}
