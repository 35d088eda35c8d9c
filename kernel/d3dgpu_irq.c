// SPDX-License-Identifier: GPL-2.0-only
#include <linux/interrupt.h>

#include "d3dgpu_context.h"
#include "d3dgpu_state.h"
#include "d3dgpu_trace.h"

/**
 * DOC: Interrupts
 *
 * One MSI-X vector per ring, one for the display, one for faults. The ring handlers read memory
 * only: they look at the fence slots of the contexts on the ring. The fault handler runs in a
 * thread, because it prints, and because what it finds may need a reset.
 */

static irqreturn_t d3dgpu_irq_ring(int irq, void *data)
{
	struct d3dgpu_ring *ring = data;

	trace_d3dgpu_irq(D3DGPU_VECTOR_RING0 + ring->index);
	d3dgpu_fence_process(ring);
	return IRQ_HANDLED;
}

static irqreturn_t d3dgpu_irq_display(int irq, void *data)
{
	trace_d3dgpu_irq(D3DGPU_VECTOR_DISPLAY);
	d3dgpu_kms_irq(data);
	return IRQ_HANDLED;
}

static void d3dgpu_fault_report(struct d3dgpu_device *gdev, const struct d3dgpu_fault_entry *fault)
{
	struct d3dgpu_context *context = d3dgpu_context_find(gdev, fault->context);

	dev_err_ratelimited(gdev->drm.dev,
			    "context %u (%s): %s at fence %llu, opcode %u, info %#x\n",
			    fault->context, context ? context->name : "gone",
			    d3dgpu_fault_text(fault->code), fault->fence, fault->opcode,
			    fault->info);
	if (context)
		d3dgpu_context_put(context);
}

/* The queue's head is ours, its tail the firmware's. */
static void d3dgpu_fault_drain(struct d3dgpu_device *gdev)
{
	struct d3dgpu_ctrl *ctrl = gdev->ctrl;
	u32 tail = virt_load_acquire(&ctrl->fault_tail); /* the entries are there before it */
	u32 head = ctrl->fault_head;

	if (tail - head > D3DGPU_FAULT_ENTRIES)
		head = tail - D3DGPU_FAULT_ENTRIES;
	for (; head != tail; head++) {
		struct d3dgpu_fault_entry fault = ctrl->faults[head % D3DGPU_FAULT_ENTRIES];

		d3dgpu_fault_report(gdev, &fault);
	}
	virt_store_release(&ctrl->fault_head, head); /* they were read before it */
}

static irqreturn_t d3dgpu_irq_fault(int irq, void *data)
{
	struct d3dgpu_device *gdev = data;
	unsigned int i;

	trace_d3dgpu_irq(D3DGPU_VECTOR_FAULT);
	/* A context that had nothing to do when it was lost has no other interrupt. */
	for (i = 0; i < D3DGPU_MAX_RINGS; i++)
		d3dgpu_fence_process(&gdev->rings[i]);
	d3dgpu_fault_drain(gdev);
	d3dgpu_device_check(gdev);
	return IRQ_HANDLED;
}

static int d3dgpu_irq_request(struct d3dgpu_device *gdev, unsigned int vector)
{
	static const char * const names[D3DGPU_VECTOR_COUNT] = {
		"d3dgpu-ring0", "d3dgpu-ring1", "d3dgpu-ring2",
		"d3dgpu-ring3", "d3dgpu-display", "d3dgpu-fault",
	};
	struct pci_dev *pdev = to_pci_dev(gdev->drm.dev);
	int irq = pci_irq_vector(pdev, vector);

	switch (vector) {
	case D3DGPU_VECTOR_DISPLAY:
		return devm_request_irq(&pdev->dev, irq, d3dgpu_irq_display, 0, names[vector],
					gdev);
	case D3DGPU_VECTOR_FAULT:
		return devm_request_threaded_irq(&pdev->dev, irq, NULL, d3dgpu_irq_fault,
						 IRQF_ONESHOT, names[vector], gdev);
	default:
		return devm_request_irq(&pdev->dev, irq, d3dgpu_irq_ring, 0, names[vector],
					&gdev->rings[vector - D3DGPU_VECTOR_RING0]);
	}
}

/**
 * d3dgpu_irq_enable() - let vectors through
 * @gdev: the device
 * @vectors: one bit for each, of those that interrupt
 */
void d3dgpu_irq_enable(struct d3dgpu_device *gdev, u32 vectors)
{
	d3dgpu_write(gdev, D3DGPU_REG_INTR_STATUS, ~0u);
	d3dgpu_write(gdev, D3DGPU_REG_INTR_ENABLE, vectors);
}

/**
 * d3dgpu_irq_disable() - let none through
 * @gdev: the device
 */
void d3dgpu_irq_disable(struct d3dgpu_device *gdev)
{
	d3dgpu_write(gdev, D3DGPU_REG_INTR_ENABLE, 0);
}

/**
 * d3dgpu_irq_is_enabled() - whether a vector interrupts
 * @gdev: the device
 * @vector: its number
 *
 * Return: whether it does.
 */
bool d3dgpu_irq_is_enabled(struct d3dgpu_device *gdev, unsigned int vector)
{
	return d3dgpu_read(gdev, D3DGPU_REG_INTR_ENABLE) & BIT(vector);
}

/**
 * d3dgpu_irq_sync() - wait until no handler runs any more
 * @gdev: the device, with nothing enabled
 */
void d3dgpu_irq_sync(struct d3dgpu_device *gdev)
{
	struct pci_dev *pdev = to_pci_dev(gdev->drm.dev);
	unsigned int vector;

	for (vector = 0; vector < D3DGPU_VECTOR_COUNT; vector++)
		synchronize_irq(pci_irq_vector(pdev, vector));
}

/**
 * d3dgpu_irq_init() - get the vectors
 * @gdev: the device, with nothing enabled
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_irq_init(struct d3dgpu_device *gdev)
{
	struct pci_dev *pdev = to_pci_dev(gdev->drm.dev);
	unsigned int vector;
	int ret;

	ret = pci_alloc_irq_vectors(pdev, D3DGPU_VECTOR_COUNT, D3DGPU_VECTOR_COUNT, PCI_IRQ_MSIX);
	if (ret < 0) {
		drm_err(&gdev->drm, "needs %u MSI-X vectors (%d)\n", D3DGPU_VECTOR_COUNT, ret);
		return ret;
	}
	for (vector = 0; vector < D3DGPU_VECTOR_COUNT; vector++) {
		ret = d3dgpu_irq_request(gdev, vector);
		if (ret)
			return ret;
	}
	return 0;
}
