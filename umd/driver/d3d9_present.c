/* SPDX-License-Identifier: MIT */
/*
 * Present: the picture goes into the resource's linear image in VRAM when it is to be scanned out, the frame is
 * submitted, and the runtime's pfnPresentCb shows the allocation.
 */
#include "d3d9_front.h"

static HRESULT present1(HANDLE hDevice, const D3DDDIARG_PRESENT1 *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *source;
	D3DDDICB_PRESENT show = {0};
	uint64_t fence;
	int err;

	if (args->SrcResources != 1 || !args->phSrcResources[0].hResource || args->hDstResource)
		return E_NOTIMPL;
	source = args->phSrcResources[0].hResource;
	if (!source->gpu)
		return E_INVALIDARG;
	err = gpu_flush(dev->gpu, &fence);
	if (err)
		return d3d9_result(dev, err);
	dev->frames[dev->frame_count++ % D3D9_MAX_FRAMES] = fence;
	if (d3d9_status(dev) != S_OK)
		return d3d9_status(dev);
	show.hSrcAllocation = source->gpu->bo->handle;
	return dev->callbacks.pfnPresentCb ? dev->callbacks.pfnPresentCb(dev->runtime, &show) : S_OK;
}

/* The display mode itself is the window system's; the driver has nothing to set. */
static HRESULT set_display_mode(HANDLE hDevice, const D3DDDIARG_SETDISPLAYMODE *args)
{
	return S_OK;
}

void d3d9_present_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnPresent1 = present1;
	table->pfnSetDisplayMode = set_display_mode;
}
