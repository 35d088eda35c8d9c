/* SPDX-License-Identifier: MIT */
/* Data in and out of resources: maps, updates, copies, resolves, mip maps. */
#include <errno.h>

#include "d3d11_front.h"

static uint32_t map_flags(D3D10_DDI_MAP map, UINT flags)
{
	static const uint32_t modes[] = {
		[D3D10_DDI_MAP_READ] = GPU_MAP_READ,
		[D3D10_DDI_MAP_WRITE] = GPU_MAP_WRITE,
		[D3D10_DDI_MAP_READWRITE] = GPU_MAP_READ | GPU_MAP_WRITE,
		[D3D10_DDI_MAP_WRITE_DISCARD] = GPU_MAP_WRITE | GPU_MAP_DISCARD,
		[D3D10_DDI_MAP_WRITE_NOOVERWRITE] = GPU_MAP_WRITE | GPU_MAP_NO_OVERWRITE,
	};

	return modes[map] | (flags & D3D10_DDI_MAP_FLAG_DONOTWAIT ? GPU_MAP_DONT_WAIT : 0);
}

/* All of the DDI's maps are one here: the pipeline core knows what kind of resource it is. */
static void map_resource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hResource, UINT Subresource, D3D10_DDI_MAP DDIMap,
			 UINT Flags, D3D10DDI_MAPPED_SUBRESOURCE *pMappedSubResource)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct gpu_mapping mapping;
	int err = gpu_map(dev->gpu, d3d11_resource(hResource)->gpu, Subresource, NULL, map_flags(DDIMap, Flags),
			  &mapping);

	if (err) {
		pMappedSubResource->pData = NULL;
		d3d11_check(dev, err);
		return;
	}
	*pMappedSubResource = (D3D10DDI_MAPPED_SUBRESOURCE){mapping.data, mapping.pitch, mapping.slice_pitch};
}

static void unmap_resource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hResource, UINT Subresource)
{
	gpu_unmap(d3d11_device(hDevice)->gpu, d3d11_resource(hResource)->gpu, Subresource);
}

static BOOL is_staging_busy(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hResource)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct gpu_resource *gpu = d3d11_resource(hResource)->gpu;
	struct gpu_mapping mapping;

	if (gpu_map(dev->gpu, gpu, 0, NULL, GPU_MAP_READ | GPU_MAP_DONT_WAIT, &mapping))
		return TRUE;
	gpu_unmap(dev->gpu, gpu, 0);
	return FALSE;
}

static struct gpu_box gpu_box_of(const D3D10_DDI_BOX *box)
{
	return (struct gpu_box){(uint32_t)box->left,
				(uint32_t)box->top,
				(uint32_t)box->front,
				(uint32_t)(box->right - box->left),
				(uint32_t)(box->bottom - box->top),
				(uint32_t)(box->back - box->front)};
}

static void update_subresource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hDstResource, UINT DstSubresource,
			       const D3D10_DDI_BOX *pDstBox, const VOID *pSysMemUP, UINT RowPitch, UINT DepthPitch,
			       UINT CopyFlags)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct gpu_box box = pDstBox ? gpu_box_of(pDstBox) : (struct gpu_box){0};

	d3d11_check_lost(dev, gpu_update(dev->gpu, d3d11_resource(hDstResource)->gpu, DstSubresource,
					 pDstBox ? &box : NULL, pSysMemUP, RowPitch, DepthPitch));
}

static void copy_region(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hDstResource, UINT DstSubresource, UINT DstX,
			UINT DstY, UINT DstZ, D3D10DDI_HRESOURCE hSrcResource, UINT SrcSubresource,
			const D3D10_DDI_BOX *pSrcBox, UINT copyFlags)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct gpu_box box = pSrcBox ? gpu_box_of(pSrcBox) : (struct gpu_box){0};

	d3d11_check_lost(dev, gpu_copy(dev->gpu, d3d11_resource(hDstResource)->gpu, DstSubresource, DstX, DstY, DstZ,
				       d3d11_resource(hSrcResource)->gpu, SrcSubresource, pSrcBox ? &box : NULL));
}

static void copy_resource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hDstResource, D3D10DDI_HRESOURCE hSrcResource)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_resource *dst = d3d11_resource(hDstResource), *src = d3d11_resource(hSrcResource);
	int err = 0;

	for (UINT i = 0; i < dst->levels * dst->layers && !err; i++)
		err = gpu_copy(dev->gpu, dst->gpu, i, 0, 0, 0, src->gpu, i, NULL);
	d3d11_check_lost(dev, err);
}

static void resolve_subresource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hDstResource, UINT DstSubresource,
				D3D10DDI_HRESOURCE hSrcResource, UINT SrcSubresource, DXGI_FORMAT ResolveFormat)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct gpu_resource *dst = d3d11_resource(hDstResource)->gpu, *src = d3d11_resource(hSrcResource)->gpu;
	const struct d3d11_format *format = d3d11_format(ResolveFormat);
	uint32_t level = DstSubresource % dst->levels;
	int32_t width = (int32_t)d3dgpu_level_extent(dst->desc.width, level);
	int32_t height = (int32_t)d3dgpu_level_extent(dst->desc.height, level);
	struct gpu_blit blit = {
		.dst = dst,
		.src = src,
		.dst_sub = DstSubresource,
		.src_sub = SrcSubresource,
		.dst_format = format ? format->color : 0,
		.src_format = format ? format->color : 0,
		.dst_width = width,
		.dst_height = height,
		.dst_depth = 1,
		.src_width = width,
		.src_height = height,
		.src_depth = 1,
		.mask = D3DGPU_MASK_RGBA,
	};

	d3d11_check_lost(dev, gpu_blit(dev->gpu, &blit));
}

static void generate_mips(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADERRESOURCEVIEW hShaderResourceView)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_srv *srv = hShaderResourceView.pDrvPrivate;

	d3d11_check_lost(dev, gpu_generate_mips(dev->gpu, srv->view));
}

static void discard(D3D10DDI_HDEVICE hDevice, D3D11DDI_HANDLETYPE HandleType, VOID *hResourceOrView,
		    const D3D10_DDI_RECT *pRects, UINT NumRects)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_resource *res;

	switch (HandleType) {
	case D3D10DDI_HT_RESOURCE:
		res = hResourceOrView;
		break;
	case D3D10DDI_HT_RENDERTARGETVIEW:
		res = ((struct d3d11_rtv *)hResourceOrView)->resource;
		break;
	case D3D10DDI_HT_DEPTHSTENCILVIEW:
		res = ((struct d3d11_dsv *)hResourceOrView)->resource;
		break;
	default:
		return;
	}
	/* The core forgets whole resources only; a part keeps its content, which is allowed. */
	if (!NumRects && res->levels * res->layers == 1)
		gpu_discard(dev->gpu, res->gpu);
}

void d3d11_transfer_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnDynamicIABufferMapNoOverwrite = map_resource;
	table->pfnDynamicIABufferMapDiscard = map_resource;
	table->pfnDynamicIABufferUnmap = unmap_resource;
	table->pfnDynamicConstantBufferMapDiscard = map_resource;
	table->pfnDynamicConstantBufferUnmap = unmap_resource;
	table->pfnDynamicConstantBufferMapNoOverwrite = map_resource;
	table->pfnDynamicResourceMapDiscard = map_resource;
	table->pfnDynamicResourceUnmap = unmap_resource;
	table->pfnStagingResourceMap = map_resource;
	table->pfnStagingResourceUnmap = unmap_resource;
	table->pfnResourceMap = map_resource;
	table->pfnResourceUnmap = unmap_resource;
	table->pfnResourceIsStagingBusy = is_staging_busy;
	table->pfnDefaultConstantBufferUpdateSubresourceUP = update_subresource;
	table->pfnResourceUpdateSubresourceUP = update_subresource;
	table->pfnResourceCopy = copy_resource;
	table->pfnResourceCopyRegion = copy_region;
	table->pfnResourceConvert = copy_resource;
	table->pfnResourceConvertRegion = copy_region;
	table->pfnResourceResolveSubresource = resolve_subresource;
	table->pfnGenMips = generate_mips;
	table->pfnDiscard = discard;
}
