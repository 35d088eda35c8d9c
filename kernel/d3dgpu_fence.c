// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "d3dgpu_context.h"
#include "d3dgpu_progress.h"
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
 * failed: that one and all after it carry -EIO. They are signalled by the work that ends the
 * context, after it has made a dump.
 *
 * The fence of a job is one for all: it exists from the submit on, is what user space and other
 * drivers get, and is what the scheduler waits for. The scheduler's own fences stay in the
 * driver: they point to their scheduler, and may not outlive it. Ours may outlive everything, the
 * module included, in a sync_file that lies about for weeks. So they point to nothing that could
 * go: their lock is their own, and when they are signalled, they exchange their operations, which
 * are functions of the module, for those of the kernel's own fence that is always signalled. The
 * device is removed before the module; all fences are signalled then; and the module's exit waits
 * for whoever is still inside one of the functions.
 */

/* The kernel's own fence that is signalled: what it has outlives us. */
static struct dma_fence *d3dgpu_fence_done;

static const char *d3dgpu_fence_get_driver_name(struct dma_fence *base)
{
	return D3DGPU_DRIVER_NAME;
}

static const char *d3dgpu_fence_get_timeline_name(struct dma_fence *base)
{
	return "context";
}

static const struct dma_fence_ops d3dgpu_fence_ops = {
	.get_driver_name = d3dgpu_fence_get_driver_name,
	.get_timeline_name = d3dgpu_fence_get_timeline_name,
};

/**
 * d3dgpu_fence_alloc() - memory for a fence
 * @gfp: how to allocate
 *
 * It is no fence before d3dgpu_fence_init(); until then kfree() ends it.
 *
 * Return: the memory or NULL.
 */
struct d3dgpu_fence *d3dgpu_fence_alloc(gfp_t gfp)
{
	return kzalloc(sizeof(struct d3dgpu_fence), gfp);
}

/**
 * d3dgpu_fence_init() - make it a fence, which must be signalled in the end
 * @fence: from d3dgpu_fence_alloc(); the caller's reference becomes one on &d3dgpu_fence.base
 * @timeline: from dma_fence_context_alloc()
 * @seqno: number on the timeline
 */
void d3dgpu_fence_init(struct d3dgpu_fence *fence, u64 timeline, u64 seqno)
{
	d3dgpu_compat_fence_init(&fence->base, &d3dgpu_fence_ops, &fence->lock, d3dgpu_fence_done,
				 timeline, seqno);
}

/**
 * d3dgpu_fence_create() - make a fence that has a timeline of its own
 * @gfp: how to allocate
 *
 * Return: the fence or NULL.
 */
struct d3dgpu_fence *d3dgpu_fence_create(gfp_t gfp)
{
	struct d3dgpu_fence *fence = d3dgpu_fence_alloc(gfp);

	if (fence)
		d3dgpu_fence_init(fence, dma_fence_context_alloc(1), 1);
	return fence;
}

/**
 * d3dgpu_fence_arm() - have the device signal a fence
 * @fence: the fence
 * @context: the context; its ring is locked
 * @entry: number of the entry that is about to be written, whose end it tells
 */
void d3dgpu_fence_arm(struct d3dgpu_fence *fence, struct d3dgpu_context *context, u64 entry)
{
	struct d3dgpu_ring *ring = context->ring;

	fence->context_id = context->id;
	fence->entry = entry;
	fence->started = ktime_get_ns();

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
	if (fence->submit)
		d3dgpu_progress_done(context, fence->submit);
	if (error)
		dma_fence_set_error(&fence->base, error);
	dma_fence_signal(&fence->base);
	d3dgpu_compat_fence_detach(&fence->base, d3dgpu_fence_done);
}

/* Signals a fence that the device was to signal. */
static void d3dgpu_fence_complete(struct d3dgpu_fence *fence, struct d3dgpu_context *context,
				  int error)
{
	list_del(&fence->link);
	trace_d3dgpu_complete(context->id, fence->entry, error);
	d3dgpu_fence_account(fence, context);
	d3dgpu_fence_signal(fence, context, error);
	dma_fence_put(&fence->base);
}

/**
 * d3dgpu_fence_fail() - signal a fence that the device has never heard of
 * @fence: the fence
 * @context: its context
 * @error: why
 */
void d3dgpu_fence_fail(struct d3dgpu_fence *fence, struct d3dgpu_context *context, int error)
{
	spin_lock_irq(&context->ring->fence_lock);
	d3dgpu_fence_signal(fence, context, error);
	spin_unlock_irq(&context->ring->fence_lock);
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
		if (fence->entry > value || (fence->entry >= guilty && !context->dumped))
			break;
		d3dgpu_fence_complete(fence, context, fence->entry >= guilty ? -EIO : 0);
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
		d3dgpu_fence_complete(fence, context, -EIO);
	spin_unlock_irq(&ring->fence_lock);
}

/**
 * d3dgpu_fences_init() - get ready to make fences; when the module is loaded
 */
void d3dgpu_fences_init(void)
{
	d3dgpu_fence_done = dma_fence_get_stub();
}

/**
 * d3dgpu_fences_fini() - wait until nobody uses functions of fences; when the module is unloaded
 *
 * Signalled fences may still be held, and may stay.
 */
void d3dgpu_fences_fini(void)
{
	synchronize_rcu_tasks();
	dma_fence_put(d3dgpu_fence_done);
}
