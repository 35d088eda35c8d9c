// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_managed.h>

#include "d3dgpu_context.h"

/**
 * DOC: Paging
 *
 * The last ring is for what the kernel wants of the device itself, which there is context 0: its copy
 * engine clears memory that somebody else had before. The CPU goes on meanwhile; who wants to use the
 * memory waits for a fence of the kind that nobody may ignore, DMA_RESV_USAGE_KERNEL.
 *
 * A device that is reset forgets what it had to clear. The CPU does it then, before the fence is
 * signalled: no program ever sees what another has left.
 */

/**
 * d3dgpu_paging_clear() - have the device clear a range of VRAM
 * @gdev: the device
 * @offset: where, in bytes; a multiple of 4
 * @size: how many bytes; a multiple of 4
 *
 * Return: a fence, referenced, or NULL: it does not.
 */
struct dma_fence *d3dgpu_paging_clear(struct d3dgpu_device *gdev, u64 offset, u64 size)
{
	struct d3dgpu_fence *fence = d3dgpu_fence_create(GFP_KERNEL);
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_FILL,
		.fill = { .offset = offset, .size = size },
	};
	int ret;

	if (!fence)
		return NULL;
	fence->clear_offset = offset;
	fence->clear_size = size;
	d3dgpu_ring_begin(gdev->paging->ring);
	ret = d3dgpu_context_write(gdev->paging, &entry, fence);
	d3dgpu_ring_end(gdev->paging->ring);
	if (!ret)
		return &fence->base;
	dma_fence_put(&fence->base);
	return NULL;
}

/**
 * d3dgpu_paging_abandon() - the device has forgotten what it had to do
 * @gdev: the device, which is down; the locks of all rings are held
 */
void d3dgpu_paging_abandon(struct d3dgpu_device *gdev)
{
	struct d3dgpu_context *paging = gdev->paging;
	struct d3dgpu_fence *fence;

	/* Nobody adds or signals any while the device is down. */
	list_for_each_entry(fence, &paging->pending, link)
		memset(gdev->vram + fence->clear_offset, 0, fence->clear_size);
	d3dgpu_fence_abandon(paging);
	paging->next_fence = 1;
	paging->done = 0;
}

/**
 * d3dgpu_paging_init() - make the context that is the device itself
 * @gdev: the device, whose rings are initialised
 *
 * Return: 0 or -ENOMEM.
 */
int d3dgpu_paging_init(struct d3dgpu_device *gdev)
{
	struct d3dgpu_context *paging = drmm_kzalloc(&gdev->drm, sizeof(*paging), GFP_KERNEL);

	if (!paging)
		return -ENOMEM;
	paging->gdev = gdev;
	paging->ring = &gdev->rings[D3DGPU_CONTEXT_RINGS];
	paging->slot = &gdev->ctrl->fences[0];
	paging->next_fence = 1;
	paging->state = D3DGPU_CONTEXT_LIVE;
	INIT_LIST_HEAD(&paging->pending);
	list_add_tail(&paging->ring_link, &paging->ring->contexts);
	gdev->paging = paging;
	return 0;
}
