/* SPDX-License-Identifier: MIT */
/* DXGI base entries: present and blit. What the device has no use for says so. */
#include <errno.h>
#include <string.h>

#include "d3d11_front.h"

static struct d3d11_device *device_of(DXGI_DDI_HDEVICE handle)
{
	return (struct d3d11_device *)handle;
}

static struct d3d11_resource *resource_of(DXGI_DDI_HRESOURCE handle)
{
	return (struct d3d11_resource *)handle;
}

static HRESULT result_of(struct d3d11_device *dev, int err)
{
	if (!err)
		return S_OK;
	if (err == -EIO || err == -ENODEV) {
		dev->removed = true;
		return D3DDDIERR_DEVICEREMOVED;
	}
	return err == -ENOMEM ? E_OUTOFMEMORY : DXGI_DDI_ERR_UNSUPPORTED;
}

/* The work is submitted, and the runtime is told what to show: a page flip waits for it by itself. */
static HRESULT present(DXGI_DDI_ARG_PRESENT *args)
{
	struct d3d11_device *dev = device_of(args->hDevice);
	struct d3d11_resource *res = resource_of(args->hSurfaceToPresent);
	DXGIDDICB_PRESENT show = {.pDXGIContext = args->pDXGIContext};
	uint64_t fence = 0;
	int err = gpu_flush(dev->gpu, &fence);

	if (!err && gpu_device_status(dev->gpu))
		err = -EIO;
	if (err)
		return result_of(dev, err);
	dev->present_fences[dev->present_count++ % D3D11_PRESENTS] = fence;
	show.hSrcAllocation = res->gpu->bo ? res->gpu->bo->handle : 0;
	return dev->dxgi->pfnPresentCb(dev->runtime, &show);
}

int d3d11_wait_presents(struct d3d11_device *dev, uint32_t max_pending)
{
	if (max_pending >= D3D11_PRESENTS || dev->present_count <= max_pending)
		return 0;
	return gpu_fence_wait(dev->gpu, dev->present_fences[(dev->present_count - 1 - max_pending) % D3D11_PRESENTS],
			      UINT64_MAX);
}

static HRESULT blit(struct d3d11_device *dev, const DXGI_DDI_ARG_BLT1 *args)
{
	struct d3d11_resource *dst = resource_of(args->hDstResource), *src = resource_of(args->hSrcResource);
	struct gpu_blit job = {
		.dst = dst->gpu,
		.src = src->gpu,
		.dst_sub = args->DstSubresource,
		.src_sub = args->SrcSubresource,
		.dst_x = (int32_t)args->DstLeft,
		.dst_y = (int32_t)args->DstTop,
		.dst_width = (int32_t)(args->DstRight - args->DstLeft),
		.dst_height = (int32_t)(args->DstBottom - args->DstTop),
		.dst_depth = 1,
		.src_x = (int32_t)args->SrcLeft,
		.src_y = (int32_t)args->SrcTop,
		.src_width = (int32_t)(args->SrcRight - args->SrcLeft),
		.src_height = (int32_t)(args->SrcBottom - args->SrcTop),
		.src_depth = 1,
		.mask = D3DGPU_MASK_RGBA,
		.linear = args->Flags.Stretch,
	};

	if (args->Rotate > 1)
		return DXGI_DDI_ERR_UNSUPPORTED;
	return result_of(dev, gpu_blit(dev->gpu, &job));
}

static HRESULT blt1(DXGI_DDI_ARG_BLT1 *args)
{
	return blit(device_of(args->hDevice), args);
}

/* The whole source. */
static HRESULT blt(DXGI_DDI_ARG_BLT *args)
{
	struct d3d11_resource *src = resource_of(args->hSrcResource);
	UINT level = args->SrcSubresource % src->levels;
	DXGI_DDI_ARG_BLT1 whole = {
		.hDevice = args->hDevice,
		.hDstResource = args->hDstResource,
		.DstSubresource = args->DstSubresource,
		.DstLeft = args->DstLeft,
		.DstTop = args->DstTop,
		.DstRight = args->DstRight,
		.DstBottom = args->DstBottom,
		.hSrcResource = args->hSrcResource,
		.SrcSubresource = args->SrcSubresource,
		.SrcRight = d3dgpu_level_extent(src->gpu->desc.width, level),
		.SrcBottom = d3dgpu_level_extent(src->gpu->desc.height, level),
		.Flags = args->Flags,
		.Rotate = args->Rotate,
	};

	return blit(device_of(args->hDevice), &whole);
}

/* A linear ramp only: the display engine has no gamma table. */
static HRESULT get_gamma_caps(DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS *args)
{
	DXGI_GAMMA_CONTROL_CAPABILITIES *caps = args->pGammaCapabilities;

	memset(caps, 0, sizeof(*caps));
	caps->MaxConvertedValue = 1.0f;
	caps->NumGammaControlPoints = 2;
	caps->ControlPointPositions[1] = 1.0f;
	return S_OK;
}

/* Modes are set by the runtime's window system layer. */
static HRESULT set_display_mode(DXGI_DDI_ARG_SETDISPLAYMODE *args)
{
	return DXGI_DDI_ERR_UNSUPPORTED;
}

/* The VRAM pool evicts by least recent use: priorities are hints that it does not take. */
static HRESULT set_resource_priority(DXGI_DDI_ARG_SETRESOURCEPRIORITY *args)
{
	return S_OK;
}

/* What was evicted comes back before its next use. */
static HRESULT query_resource_residency(DXGI_DDI_ARG_QUERYRESOURCERESIDENCY *args)
{
	for (SIZE_T i = 0; i < args->Resources; i++)
		args->pStatus[i] = DXGI_DDI_RESIDENCY_FULLY_RESIDENT;
	return S_OK;
}

static HRESULT rotate_resource_identities(DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES *args)
{
	return DXGI_DDI_ERR_UNSUPPORTED;
}

static HRESULT resolve_shared_resource(DXGI_DDI_ARG_RESOLVESHAREDRESOURCE *args)
{
	struct d3d11_device *dev = device_of(args->hDevice);

	return result_of(dev, gpu_flush(dev->gpu, NULL));
}

static HRESULT offer_resources(DXGI_DDI_ARG_OFFERRESOURCES *args)
{
	return S_OK;
}

/* Offered resources keep their content. */
static HRESULT reclaim_resources(DXGI_DDI_ARG_RECLAIMRESOURCES *args)
{
	for (UINT i = 0; args->pDiscarded && i < args->Resources; i++)
		args->pDiscarded[i] = FALSE;
	return S_OK;
}

static HRESULT no_overlays(void *args)
{
	return DXGI_DDI_ERR_UNSUPPORTED;
}

void d3d11_present_entries(DXGI1_2_DDI_BASE_FUNCTIONS *table)
{
	*table = (DXGI1_2_DDI_BASE_FUNCTIONS){
		.pfnPresent = present,
		.pfnGetGammaCaps = get_gamma_caps,
		.pfnSetDisplayMode = set_display_mode,
		.pfnSetResourcePriority = set_resource_priority,
		.pfnQueryResourceResidency = query_resource_residency,
		.pfnRotateResourceIdentities = rotate_resource_identities,
		.pfnBlt = blt,
		.pfnResolveSharedResource = resolve_shared_resource,
		.pfnBlt1 = blt1,
		.pfnOfferResources = offer_resources,
		.pfnReclaimResources = reclaim_resources,
		.pfnGetMultiPlaneOverlayCaps = no_overlays,
		.pfnGetMultiPlaneOverlayFilterRange = no_overlays,
		.pfnCheckMultiPlaneOverlaySupport = no_overlays,
		.pfnPresentMultiPlaneOverlay = no_overlays,
	};
}
