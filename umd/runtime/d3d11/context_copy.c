/* SPDX-License-Identifier: MIT */
/* Data in and out of resources: maps, updates, copies, resolves, mip maps, discards. */
#include "d3d11_private.h"

#include <string.h>

#define ALL_COPY_FLAGS (D3D11_COPY_NO_OVERWRITE | D3D11_COPY_DISCARD)

/* ---- Map ---- */

static bool is_writable_in_place(const struct d3d11_resource *resource)
{
	/* Without options beyond 11.0: vertex and index buffers; with ours also constant buffers. */
	return resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER &&
	       !(resource->bind &
		 ~(UINT)(D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER));
}

static bool map_allowed(const struct d3d11_resource *resource, D3D11_MAP type, UINT flags)
{
	switch (type) {
	case D3D11_MAP_READ:
		return resource->usage == D3D11_USAGE_STAGING && resource->cpu_access & D3D11_CPU_ACCESS_READ;
	case D3D11_MAP_WRITE:
		return resource->usage == D3D11_USAGE_STAGING && resource->cpu_access & D3D11_CPU_ACCESS_WRITE;
	case D3D11_MAP_READ_WRITE:
		return resource->usage == D3D11_USAGE_STAGING &&
		       resource->cpu_access == (D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE);
	case D3D11_MAP_WRITE_DISCARD:
		return resource->usage == D3D11_USAGE_DYNAMIC && !flags;
	case D3D11_MAP_WRITE_NO_OVERWRITE:
		return resource->usage == D3D11_USAGE_DYNAMIC && !flags && is_writable_in_place(resource);
	default:
		return false;
	}
}

/* The driver's entries for a resource. */
static void map_entries(const D3D11_1DDI_DEVICEFUNCS *funcs, const struct d3d11_resource *resource, D3D11_MAP type,
			PFND3D10DDI_RESOURCEMAP *map, PFND3D10DDI_RESOURCEUNMAP *unmap)
{
	bool discard = type == D3D11_MAP_WRITE_DISCARD;

	if (resource->usage == D3D11_USAGE_STAGING) {
		*map = funcs->pfnStagingResourceMap;
		*unmap = funcs->pfnStagingResourceUnmap;
	} else if (resource->bind & D3D11_BIND_CONSTANT_BUFFER) {
		*map = discard ? funcs->pfnDynamicConstantBufferMapDiscard
			       : funcs->pfnDynamicConstantBufferMapNoOverwrite;
		*unmap = funcs->pfnDynamicConstantBufferUnmap;
	} else if (resource->bind & (D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER)) {
		*map = discard ? funcs->pfnDynamicIABufferMapDiscard : funcs->pfnDynamicIABufferMapNoOverwrite;
		*unmap = funcs->pfnDynamicIABufferUnmap;
	} else {
		*map = discard ? funcs->pfnDynamicResourceMapDiscard : funcs->pfnResourceMap;
		*unmap = funcs->pfnDynamicResourceUnmap;
	}
}

static HRESULT STDMETHODCALLTYPE context_Map(ID3D11DeviceContext1 *iface, ID3D11Resource *object, UINT subresource,
					     D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE *mapped)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *resource = (struct d3d11_resource *)object;
	D3D10DDI_MAPPED_SUBRESOURCE ddi = {0};
	PFND3D10DDI_RESOURCEUNMAP unmap;
	PFND3D10DDI_RESOURCEMAP map;
	HRESULT hr;

	if (mapped)
		memset(mapped, 0, sizeof(*mapped));
	if (!resource || !mapped || subresource >= resource_subresources(resource) ||
	    flags & ~(UINT)D3D11_MAP_FLAG_DO_NOT_WAIT || !map_allowed(resource, type, flags) ||
	    resource->mapped[subresource]) {
		runtime_refused("Map", "subresource, type or flags, or mapped already");
		return E_INVALIDARG;
	}
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	map_entries(&device->funcs, resource, type, &map, &unmap);
	d3d11_enter(device);
	map(device->ddi, resource->ddi, subresource, (D3D10_DDI_MAP)type,
	    flags & D3D11_MAP_FLAG_DO_NOT_WAIT ? D3D10_DDI_MAP_FLAG_DONOTWAIT : 0, &ddi);
	if (SUCCEEDED(device->error))
		resource->mapped[subresource] = (UINT8)type;
	hr = d3d11_leave(device);
	if (SUCCEEDED(hr))
		*mapped = (D3D11_MAPPED_SUBRESOURCE){ddi.pData, ddi.RowPitch, ddi.DepthPitch};
	return hr;
}

static void STDMETHODCALLTYPE context_Unmap(ID3D11DeviceContext1 *iface, ID3D11Resource *object, UINT subresource)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *resource = (struct d3d11_resource *)object;
	PFND3D10DDI_RESOURCEUNMAP unmap;
	PFND3D10DDI_RESOURCEMAP map;

	if (!resource || subresource >= resource_subresources(resource) || !resource->mapped[subresource])
		return;
	map_entries(&device->funcs, resource, (D3D11_MAP)resource->mapped[subresource], &map, &unmap);
	d3d11_enter(device);
	resource->mapped[subresource] = 0;
	unmap(device->ddi, resource->ddi, subresource);
	d3d11_leave(device);
}

/* ---- boxes ---- */

struct region {
	UINT width, height, depth, block;
};

static struct region subresource_region(const struct d3d11_resource *resource, UINT subresource)
{
	const struct format_info *info = format_info(resource->format);
	UINT level = subresource % resource->levels;

	return (struct region){level_extent(resource->width, level), level_extent(resource->height, level),
			       level_extent(resource->depth, level), info ? info->block : 1};
}

static bool span_valid(UINT first, UINT end, UINT extent, UINT block)
{
	/* Compressed edges may stick out of a level that is no multiple of a block. */
	UINT limit = (extent + block - 1) / block * block;

	return first < end && end <= limit && !(first % block) && (!(end % block) || end == extent);
}

static bool box_valid(const D3D11_BOX *box, struct region region)
{
	return span_valid(box->left, box->right, region.width, region.block) &&
	       span_valid(box->top, box->bottom, region.height, region.block) &&
	       span_valid(box->front, box->back, region.depth, 1);
}

static D3D10_DDI_BOX ddi_box(const D3D11_BOX *box)
{
	return (D3D10_DDI_BOX){(LONG)box->left,  (LONG)box->top,    (LONG)box->front,
			       (LONG)box->right, (LONG)box->bottom, (LONG)box->back};
}

/* ---- UpdateSubresource ---- */

static bool update_allowed(const struct d3d11_resource *resource, UINT subresource, const D3D11_BOX *box)
{
	if (subresource >= resource_subresources(resource) || resource->usage != D3D11_USAGE_DEFAULT ||
	    resource->bind & D3D11_BIND_DEPTH_STENCIL || resource->samples.Count > 1)
		return false;
	if (!box)
		return true;
	/* Parts of constant buffers are whole constants: option ConstantBufferPartialUpdate. */
	if (resource->bind & D3D11_BIND_CONSTANT_BUFFER && (box->left % 16 || box->right % 16))
		return false;
	return box_valid(box, subresource_region(resource, subresource));
}

static void STDMETHODCALLTYPE context_UpdateSubresource1(ID3D11DeviceContext1 *iface, ID3D11Resource *object,
							 UINT subresource, const D3D11_BOX *box, const void *data,
							 UINT pitch, UINT slice_pitch, UINT flags)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *resource = (struct d3d11_resource *)object;
	PFND3D11_1DDI_RESOURCEUPDATESUBRESOURCEUP update;
	D3D10_DDI_BOX ddi;

	if (!resource || !data || flags & ~(UINT)ALL_COPY_FLAGS || FAILED(device->removed))
		return;
	/* An empty box is nothing to do, not an error. */
	if (box && (box->left >= box->right || box->top >= box->bottom || box->front >= box->back))
		return;
	if (!update_allowed(resource, subresource, box)) {
		runtime_refused("UpdateSubresource", "usage, subresource or box");
		return;
	}
	if (box)
		ddi = ddi_box(box);
	update = resource->bind & D3D11_BIND_CONSTANT_BUFFER && !box
			 ? device->funcs.pfnDefaultConstantBufferUpdateSubresourceUP
			 : device->funcs.pfnResourceUpdateSubresourceUP;
	d3d11_enter(device);
	update(device->ddi, resource->ddi, subresource, box ? &ddi : NULL, data, pitch, slice_pitch, flags);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_UpdateSubresource(ID3D11DeviceContext1 *iface, ID3D11Resource *resource,
							UINT subresource, const D3D11_BOX *box, const void *data,
							UINT pitch, UINT slice_pitch)
{
	context_UpdateSubresource1(iface, resource, subresource, box, data, pitch, slice_pitch, 0);
}

/* ---- copies ---- */

static bool any_mapped(const struct d3d11_resource *resource)
{
	for (UINT i = 0; i < resource_subresources(resource); i++)
		if (resource->mapped[i])
			return true;
	return false;
}

/* Same dimension, one family of formats, the same samples, a destination that may be written. */
static bool copy_allowed(const struct d3d11_resource *dst, const struct d3d11_resource *src)
{
	const struct format_info *a = format_info(dst->format), *b = format_info(src->format);

	if (dst->dimension != src->dimension || dst->usage == D3D11_USAGE_IMMUTABLE ||
	    dst->usage == D3D11_USAGE_DYNAMIC || dst->samples.Count != src->samples.Count ||
	    dst->samples.Quality != src->samples.Quality)
		return false;
	return dst->dimension == D3D11_RESOURCE_DIMENSION_BUFFER || (a && b && a->family == b->family);
}

static bool same_shape(const struct d3d11_resource *dst, const struct d3d11_resource *src)
{
	return dst->width == src->width && dst->height == src->height && dst->depth == src->depth &&
	       dst->levels == src->levels && dst->layers == src->layers;
}

static void STDMETHODCALLTYPE context_CopyResource(ID3D11DeviceContext1 *iface, ID3D11Resource *dst_object,
						   ID3D11Resource *src_object)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *dst = (struct d3d11_resource *)dst_object, *src = (struct d3d11_resource *)src_object;

	if (!dst || !src || FAILED(device->removed))
		return;
	if (dst == src || !copy_allowed(dst, src) || !same_shape(dst, src) || any_mapped(dst) || any_mapped(src)) {
		runtime_refused("CopyResource", "the same, mapped or unlike resources");
		return;
	}
	d3d11_enter(device);
	if (dst->format == src->format)
		device->funcs.pfnResourceCopy(device->ddi, dst->ddi, src->ddi);
	else
		device->funcs.pfnResourceConvert(device->ddi, dst->ddi, src->ddi);
	d3d11_leave(device);
}

/* The part of the source that is copied, inside both subresources. Depth and multisampled ones are copied whole. */
static bool region_allowed(const struct d3d11_resource *dst, UINT dst_sub, UINT x, UINT y, UINT z,
			   const struct d3d11_resource *src, UINT src_sub, const D3D11_BOX *box)
{
	struct region to = subresource_region(dst, dst_sub), from = subresource_region(src, src_sub);
	UINT width = box ? box->right - box->left : from.width, height = box ? box->bottom - box->top : from.height;
	UINT depth = box ? box->back - box->front : from.depth;
	bool whole =
		src->bind & D3D11_BIND_DEPTH_STENCIL || dst->bind & D3D11_BIND_DEPTH_STENCIL || src->samples.Count > 1;

	if (box && !box_valid(box, from))
		return false;
	if (whole && (box ? width != from.width || height != from.height || depth != from.depth : false))
		return false;
	if (whole && (x || y || z || width != to.width || height != to.height))
		return false;
	if (x > to.width || y > to.height || z > to.depth || x % to.block || y % to.block)
		return false;
	/* Blocks at the edge may stick out. */
	return width <= (to.width - x + to.block - 1) / to.block * to.block &&
	       height <= (to.height - y + to.block - 1) / to.block * to.block && depth <= to.depth - z;
}

static void STDMETHODCALLTYPE context_CopySubresourceRegion1(ID3D11DeviceContext1 *iface, ID3D11Resource *dst_object,
							     UINT dst_sub, UINT x, UINT y, UINT z,
							     ID3D11Resource *src_object, UINT src_sub,
							     const D3D11_BOX *box, UINT flags)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *dst = (struct d3d11_resource *)dst_object, *src = (struct d3d11_resource *)src_object;
	D3D10_DDI_BOX ddi;

	if (!dst || !src || flags & ~(UINT)ALL_COPY_FLAGS || FAILED(device->removed))
		return;
	if (box && (box->left >= box->right || box->top >= box->bottom || box->front >= box->back))
		return;
	if (dst_sub >= resource_subresources(dst) || src_sub >= resource_subresources(src) || !copy_allowed(dst, src) ||
	    dst->mapped[dst_sub] || src->mapped[src_sub] || !region_allowed(dst, dst_sub, x, y, z, src, src_sub, box)) {
		runtime_refused("CopySubresourceRegion", "mapped or unlike resources, or a region outside of them");
		return;
	}
	if (box)
		ddi = ddi_box(box);
	d3d11_enter(device);
	if (dst->format == src->format)
		device->funcs.pfnResourceCopyRegion(device->ddi, dst->ddi, dst_sub, x, y, z, src->ddi, src_sub,
						    box ? &ddi : NULL, flags);
	else
		device->funcs.pfnResourceConvertRegion(device->ddi, dst->ddi, dst_sub, x, y, z, src->ddi, src_sub,
						       box ? &ddi : NULL, flags);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_CopySubresourceRegion(ID3D11DeviceContext1 *iface, ID3D11Resource *dst,
							    UINT dst_sub, UINT x, UINT y, UINT z, ID3D11Resource *src,
							    UINT src_sub, const D3D11_BOX *box)
{
	context_CopySubresourceRegion1(iface, dst, dst_sub, x, y, z, src, src_sub, box, 0);
}

/* ---- resolves, mip maps, discards ---- */

static bool resolve_allowed(struct d3d11_device *device, const struct d3d11_resource *dst, UINT dst_sub,
			    const struct d3d11_resource *src, UINT src_sub, DXGI_FORMAT format)
{
	struct region to, from;

	if (dst_sub >= resource_subresources(dst) || src_sub >= resource_subresources(src) ||
	    dst->usage != D3D11_USAGE_DEFAULT || dst->samples.Count != 1 || src->samples.Count < 2)
		return false;
	to = subresource_region(dst, dst_sub);
	from = subresource_region(src, src_sub);
	if (to.width != from.width || to.height != from.height || !format_castable(dst->format, format) ||
	    !format_castable(src->format, format))
		return false;
	return format_support(device, format) & D3D11_FORMAT_SUPPORT_MULTISAMPLE_RESOLVE;
}

static void STDMETHODCALLTYPE context_ResolveSubresource(ID3D11DeviceContext1 *iface, ID3D11Resource *dst_object,
							 UINT dst_sub, ID3D11Resource *src_object, UINT src_sub,
							 DXGI_FORMAT format)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *dst = (struct d3d11_resource *)dst_object, *src = (struct d3d11_resource *)src_object;

	if (!dst || !src || FAILED(device->removed))
		return;
	if (!resolve_allowed(device, dst, dst_sub, src, src_sub, format)) {
		runtime_refused("ResolveSubresource", "samples, extents or format");
		return;
	}
	d3d11_enter(device);
	device->funcs.pfnResourceResolveSubresource(device->ddi, dst->ddi, dst_sub, src->ddi, src_sub, format);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_GenerateMips(ID3D11DeviceContext1 *iface, ID3D11ShaderResourceView *object)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_view *view = (struct d3d11_view *)object;

	if (!view || FAILED(device->removed) || view->level_count < 2)
		return;
	if (!(view->resource->misc & D3D11_RESOURCE_MISC_GENERATE_MIPS)) {
		runtime_refused("GenerateMips", "resource without D3D11_RESOURCE_MISC_GENERATE_MIPS");
		return;
	}
	d3d11_enter(device);
	device->funcs.pfnGenMips(device->ddi, (D3D10DDI_HSHADERRESOURCEVIEW){view->ddi});
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DiscardResource(ID3D11DeviceContext1 *iface, ID3D11Resource *object)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_resource *resource = (struct d3d11_resource *)object;

	if (!resource || resource->usage == D3D11_USAGE_STAGING || resource->usage == D3D11_USAGE_IMMUTABLE ||
	    FAILED(device->removed))
		return;
	d3d11_enter(device);
	device->funcs.pfnDiscard(device->ddi, D3D10DDI_HT_RESOURCE, resource->ddi.pDrvPrivate, NULL, 0);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DiscardView1(ID3D11DeviceContext1 *iface, ID3D11View *object,
						   const D3D11_RECT *rects, UINT count)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_view *view = (struct d3d11_view *)object;

	if (!view || (view->base.kind != KIND_RTV && view->base.kind != KIND_DSV) || FAILED(device->removed))
		return;
	d3d11_enter(device);
	device->funcs.pfnDiscard(
		device->ddi, view->base.kind == KIND_RTV ? D3D10DDI_HT_RENDERTARGETVIEW : D3D10DDI_HT_DEPTHSTENCILVIEW,
		view->ddi, rects, count);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DiscardView(ID3D11DeviceContext1 *iface, ID3D11View *view)
{
	context_DiscardView1(iface, view, NULL, 0);
}

void context_copy_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	vtbl->Map = context_Map;
	vtbl->Unmap = context_Unmap;
	vtbl->UpdateSubresource = context_UpdateSubresource;
	vtbl->UpdateSubresource1 = context_UpdateSubresource1;
	vtbl->CopyResource = context_CopyResource;
	vtbl->CopySubresourceRegion = context_CopySubresourceRegion;
	vtbl->CopySubresourceRegion1 = context_CopySubresourceRegion1;
	vtbl->ResolveSubresource = context_ResolveSubresource;
	vtbl->GenerateMips = context_GenerateMips;
	vtbl->DiscardResource = context_DiscardResource;
	vtbl->DiscardView = context_DiscardView;
	vtbl->DiscardView1 = context_DiscardView1;
}
