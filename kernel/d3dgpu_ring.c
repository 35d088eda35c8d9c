// SPDX-License-Identifier: GPL-2.0-only
#include <linux/jiffies.h>

#include <drm/drm_managed.h>

#include "d3dgpu_context.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Rings
 *
 * A ring is an array of 64-byte entries in the control block, written here and read by the
 * firmware. Both sides keep a free running index. Writing costs no exit from the virtual
 * machine: the entry, then the tail; one doorbell write after the last entry of a batch tells
 * the firmware. A driver who lets the firmware's head steer it must survive any value of it:
 * head is believed only if it leaves between nothing and a full ring in use.
 *
 * There is one ring per context priority; all entries of a context go through the same one,
 * which keeps them in order.
 */

/* How long a ring may be full before it is called dead; the device's hang watch is far faster. */
#define D3DGPU_RING_STUCK (120 * HZ)

static u32 d3dgpu_ring_space(struct d3dgpu_ring *ring)
{
	u32 used = ring->tail - READ_ONCE(ring->gdev->ctrl->rings[ring->index].head);

	return used > D3DGPU_RING_ENTRIES ? 0 : D3DGPU_RING_ENTRIES - used;
}

static void d3dgpu_ring_kick(struct d3dgpu_ring *ring)
{
	if (ring->rung == ring->tail)
		return;
	ring->rung = ring->tail;
	d3dgpu_write(ring->gdev, D3DGPU_REG_DOORBELL(ring->index), 1);
	d3dgpu_watch(ring->gdev);
}

/**
 * d3dgpu_ring_begin() - start a batch of entries
 * @ring: the ring, which is locked until d3dgpu_ring_end()
 */
void d3dgpu_ring_begin(struct d3dgpu_ring *ring)
{
	mutex_lock(&ring->lock);
}

/**
 * d3dgpu_ring_wait() - wait until there is space for an entry
 * @ring: the ring, locked
 *
 * Not interruptible: jobs are written by kernel threads that have nobody to give the error to.
 *
 * Return: 0, or -EIO: the device is in reset or gone.
 */
int d3dgpu_ring_wait(struct d3dgpu_ring *ring)
{
	unsigned long deadline = jiffies + D3DGPU_RING_STUCK;
	struct d3dgpu_device *gdev = ring->gdev;

	lockdep_assert_held(&ring->lock);
	while (!READ_ONCE(gdev->down) && !d3dgpu_ring_space(ring)) {
		d3dgpu_ring_kick(ring);
		/* The firmware moves the head without an interrupt: look again soon. */
		wait_event_timeout(ring->space, READ_ONCE(gdev->down) || d3dgpu_ring_space(ring),
				   1);
		if (time_after(jiffies, deadline)) {
			drm_err(&gdev->drm, "ring %u is stuck\n", ring->index);
			d3dgpu_device_give_up(gdev);
		}
	}
	return READ_ONCE(gdev->down) ? -EIO : 0;
}

/**
 * d3dgpu_ring_put() - write an entry
 * @ring: the ring, locked, with space since d3dgpu_ring_wait()
 * @entry: the entry
 */
void d3dgpu_ring_put(struct d3dgpu_ring *ring, const struct d3dgpu_entry *entry)
{
	struct d3dgpu_ctrl *ctrl = ring->gdev->ctrl;

	lockdep_assert_held(&ring->lock);
	ctrl->entries[ring->index][ring->tail % D3DGPU_RING_ENTRIES] = *entry;
	ring->tail++;
	/* The entry is there before the tail that covers it. */
	virt_store_release(&ctrl->rings[ring->index].tail, ring->tail);
}

/**
 * d3dgpu_ring_end() - end a batch: ring the doorbell once, unlock
 * @ring: the ring
 */
void d3dgpu_ring_end(struct d3dgpu_ring *ring)
{
	if (!READ_ONCE(ring->gdev->down))
		d3dgpu_ring_kick(ring);
	mutex_unlock(&ring->lock);
}

/**
 * d3dgpu_rings_lock() - keep everybody off all rings
 * @gdev: the device
 */
void d3dgpu_rings_lock(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++)
		mutex_lock_nested(&gdev->rings[i].lock, i);
}

/**
 * d3dgpu_rings_unlock() - undo d3dgpu_rings_lock()
 * @gdev: the device
 */
void d3dgpu_rings_unlock(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++)
		mutex_unlock(&gdev->rings[i].lock);
}

/**
 * d3dgpu_rings_clear() - forget what was in the rings, as the device has
 * @gdev: the device, whose control block is clear
 */
void d3dgpu_rings_clear(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++) {
		gdev->rings[i].tail = 0;
		gdev->rings[i].rung = 0;
	}
}

/**
 * d3dgpu_rings_init() - initialise the rings' structures
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_rings_init(struct d3dgpu_device *gdev)
{
	unsigned int i;
	int ret;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++) {
		struct d3dgpu_ring *ring = &gdev->rings[i];

		ring->gdev = gdev;
		ring->index = i;
		ret = drmm_mutex_init(&gdev->drm, &ring->lock);
		if (ret)
			return ret;
		spin_lock_init(&ring->fence_lock);
		init_waitqueue_head(&ring->space);
		INIT_LIST_HEAD(&ring->contexts);
	}
	return 0;
}
