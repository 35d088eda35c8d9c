// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <linux/slab.h>

#include "d3dgpu_context.h"
#include "d3dgpu_trace.h"
#include "d3dgpu_usage.h"

/**
 * DOC: Fences
 *
 * Ring entries of a context are numbered from 1. The firmware writes the number of the last one
 * that is done to the context's slot in the control block and raises the ring's vector; all
 * fences up to it are signalled then. So one word of memory is all that completes a frame: no
 * register is read.
 *
 * A context that is lost has a status in its slot, and the number of the first entry that
 * failed: that one and all after it carry -EIO. The scheduler of this kernel does not hand
 * errors from the device's fence to its own, which is the one that everybody waits for, so it
 * is given there too, before anything is signalled.
 */

static struct d3dgpu_fence *to_d3dgpu_fence(struct dma_fence *base)
{
	return container_of(base, struct d3dgpu_fence, base);
}

static const char *d3dgpu_fence_get_driver_name(struct dma_fence *base)
{
	return D3DGPU_DRIVER_NAME;
}

static const char *d3dgpu_fence_get_timeline_name(struct dma_fence *base)
{
	return "context";
}

static void d3dgpu_fence_value_str(struct dma_fence *base, char *text, int size)
{
	struct d3dgpu_fence *fence = to_d3dgpu_fence(base);

	snprintf(text, size, "%u:%llu", fence->context_id, base->seqno);
}

static const struct dma_fence_ops d3dgpu_fence_ops = {
	.get_driver_name = d3dgpu_fence_get_driver_name,
	.get_timeline_name = d3dgpu_fence_get_timeline_name,
	.fence_value_str = d3dgpu_fence_value_str,
	.use_64bit_seqno = true,
};

/**
 * d3dgpu_fence_alloc() - memory for a fence
 * @gfp: how to allocate
 *
 * It is no fence before d3dgpu_fence_arm(); until then kfree() ends it.
 *
 * Return: the memory or NULL.
 */
struct d3dgpu_fence *d3dgpu_fence_alloc(gfp_t gfp)
{
	return kzalloc(sizeof(struct d3dgpu_fence), gfp);
}

/**
 * d3dgpu_fence_arm() - make the fence of an entry that is about to be written
 * @fence: from d3dgpu_fence_alloc(); the caller's reference becomes one on &d3dgpu_fence.base
 * @context: the context; its ring is locked
 * @seqno: the entry's number
 */
void d3dgpu_fence_arm(struct d3dgpu_fence *fence, struct d3dgpu_context *context, u64 seqno)
{
	struct d3dgpu_ring *ring = context->ring;

	spin_lock_init(&fence->lock);
	fence->context_id = context->id;
	fence->started = ktime_get_ns();
	dma_fence_init(&fence->base, &d3dgpu_fence_ops, &fence->lock, context->fence_context,
		       seqno);

	dma_fence_get(&fence->base);
	spin_lock_irq(&ring->fence_lock);
	list_add_tail(&fence->link, &context->pending);
	spin_unlock_irq(&ring->fence_lock);
}

/* Submits of a context run one after the other: each began when the one before it was done. */
static void d3dgpu_fence_account(struct d3dgpu_fence *fence, struct d3dgpu_context *context)
{
	u64 now = ktime_get_ns();

	if (fence->submit)
		d3dgpu_usage_add(context->usage, now - max(fence->started, context->busy));
	context->busy = now;
}

static void d3dgpu_fence_signal(struct d3dgpu_fence *fence, struct d3dgpu_context *context,
				int error)
{
	lockdep_assert_held(&context->ring->fence_lock);
	list_del(&fence->link);
	trace_d3dgpu_complete(context->id, fence->base.seqno, error);
	d3dgpu_fence_account(fence, context);
	if (fence->submit && fence->submit > context->completed)
		WRITE_ONCE(context->completed, fence->submit);
	if (error) {
		dma_fence_set_error(&fence->base, error);
		if (fence->finished)
			dma_fence_set_error(fence->finished, error);
	}
	dma_fence_signal(&fence->base);
	dma_fence_put(fence->finished);
	fence->finished = NULL;
	dma_fence_put(&fence->base);
}

/* Signals what the context's slot says. */
static void d3dgpu_fence_process_context(struct d3dgpu_context *context)
{
	struct d3dgpu_fence_slot *slot = context->slot;
	u64 value = virt_load_acquire(&slot->value); /* then the status, written before it */
	u32 status = READ_ONCE(slot->status);
	u64 guilty = status ? READ_ONCE(slot->guilty) : U64_MAX;
	struct d3dgpu_fence *fence, *next;

	WRITE_ONCE(context->done, value);
	if (status)
		d3dgpu_context_lose(context, status);
	list_for_each_entry_safe(fence, next, &context->pending, link) {
		if (fence->base.seqno > value)
			break;
		d3dgpu_fence_signal(fence, context, fence->base.seqno >= guilty ? -EIO : 0);
	}
}

/**
 * d3dgpu_fence_process() - signal everything that is done on a ring
 * @ring: the ring
 *
 * Any context, interrupts included.
 */
void d3dgpu_fence_process(struct d3dgpu_ring *ring)
{
	struct d3dgpu_context *context;
	unsigned long flags;

	spin_lock_irqsave(&ring->fence_lock, flags);
	if (!READ_ONCE(ring->gdev->down))
		list_for_each_entry(context, &ring->contexts, ring_link)
			d3dgpu_fence_process_context(context);
	spin_unlock_irqrestore(&ring->fence_lock, flags);
	wake_up(&ring->space);
}

/**
 * d3dgpu_fence_sync() - wait until nobody looks at fence slots any more
 * @gdev: the device, which is down
 */
void d3dgpu_fence_sync(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++) {
		spin_lock_irq(&gdev->rings[i].fence_lock);
		spin_unlock_irq(&gdev->rings[i].fence_lock);
	}
}

/**
 * d3dgpu_fence_abandon() - signal all that a context waits for: the device has forgotten it
 * @context: the context
 */
void d3dgpu_fence_abandon(struct d3dgpu_context *context)
{
	struct d3dgpu_ring *ring = context->ring;
	struct d3dgpu_fence *fence, *next;

	spin_lock_irq(&ring->fence_lock);
	list_for_each_entry_safe(fence, next, &context->pending, link)
		d3dgpu_fence_signal(fence, context, -EIO);
	spin_unlock_irq(&ring->fence_lock);
}
