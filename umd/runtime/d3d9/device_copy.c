/* SPDX-License-Identifier: MIT */
/* Copies between surfaces and textures, fills, and what the program asks about residency. */
#include "buffer.h"
#include "device.h"
#include "swapchain.h"
#include "texture.h"

static HRESULT blt(struct d3d9_device *device, const struct d3d9_surface *src, const RECT *src_rect,
		   const struct d3d9_surface *dst, const RECT *dst_rect, D3DTEXTUREFILTERTYPE filter)
{
	D3DDDIARG_BLT args = {
		.hSrcResource = src->storage->handle,
		.SrcSubResourceIndex = src->subresource,
		.SrcRect = *src_rect,
		.hDstResource = dst->storage->handle,
		.DstSubResourceIndex = dst->subresource,
		.DstRect = *dst_rect,
	};

	/* A surface that the driver does not know (SCRATCH, or a format only kept in memory) cannot take part. */
	if (!args.hSrcResource || !args.hDstResource)
		return D3DERR_INVALIDCALL;
	args.Flags.Linear = filter == D3DTEXF_LINEAR;
	args.Flags.Point = !args.Flags.Linear;
	return device_result(device, device->ddi.pfnBlt(device->driver, &args));
}

/* A handle means something to the driver of its own device only. */
static bool both_ours(const struct d3d9_device *device, const struct d3d9_surface *src, const struct d3d9_surface *dst)
{
	return src && dst && src->object.device == device && dst->object.device == device;
}

static bool same_size(const RECT *a, const RECT *b)
{
	return a->right - a->left == b->right - b->left && a->bottom - a->top == b->bottom - b->top;
}

static bool on_block_border(const struct d3d9_surface *surface, const RECT *rect)
{
	const struct format_info *info = surface->storage->info;

	return !((UINT)rect->left % info->block_width) && !((UINT)rect->top % info->block_height) &&
	       (!((UINT)rect->right % info->block_width) || (UINT)rect->right == surface_width(surface)) &&
	       (!((UINT)rect->bottom % info->block_height) || (UINT)rect->bottom == surface_height(surface));
}

static bool is_locked(const struct d3d9_surface *surface)
{
	return surface->storage->locks[surface->subresource].locked;
}

static bool is_depth(const struct d3d9_surface *surface)
{
	return surface->storage->info->depth || surface->storage->info->stencil;
}

/* ---- UpdateSurface, UpdateTexture ---- */

static HRESULT STDMETHODCALLTYPE device_UpdateSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
						      const RECT *src_rect, IDirect3DSurface9 *dst_iface,
						      const POINT *dst_point)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *src = surface_from(src_iface), *dst = surface_from(dst_iface);
	RECT from, to;

	if (!both_ours(device, src, dst) || src->storage->pool != D3DPOOL_SYSTEMMEM ||
	    dst->storage->pool != D3DPOOL_DEFAULT ||
	    src->storage->format != dst->storage->format || dst->storage->multisample || is_locked(src) ||
	    is_locked(dst) || is_depth(dst)) {
		runtime_refused(__func__, "pools, formats, samples or a locked surface");
		return D3DERR_INVALIDCALL;
	}
	if (!surface_rect(src, src_rect, &from))
		return D3DERR_INVALIDCALL;
	to = (RECT){0, 0, from.right - from.left, from.bottom - from.top};
	if (dst_point)
		to = (RECT){dst_point->x, dst_point->y, dst_point->x + to.right, dst_point->y + to.bottom};
	if (!surface_rect(dst, &to, &to) || !on_block_border(src, &from) || !on_block_border(dst, &to))
		return D3DERR_INVALIDCALL;
	return blt(device, src, &from, dst, &to, D3DTEXF_POINT);
}

/* The source may have more levels: then its smaller ones match the destination's. */
static bool textures_match(const struct d3d9_texture *src, const struct d3d9_texture *dst, UINT *first_level)
{
	const struct d3d9_storage *from = src->storage, *to = dst->storage;

	if (src->type != dst->type || from->format != to->format || from->pool != D3DPOOL_SYSTEMMEM ||
	    to->pool != D3DPOOL_DEFAULT || !from->handle || from->levels < dst->visible_levels)
		return false;
	for (*first_level = 0; *first_level + dst->visible_levels <= from->levels; ++*first_level)
		if (level_extent(from->width, *first_level) == to->width &&
		    level_extent(from->height, *first_level) == to->height &&
		    (src->type != D3DRTYPE_VOLUMETEXTURE || level_extent(from->depth, *first_level) == to->depth))
			return true;
	return false;
}

/* With the levels of both aligned the driver copies the changed part of all of them at once. */
static HRESULT update_aligned(struct d3d9_device *device, struct d3d9_texture *src, struct d3d9_texture *dst,
			      UINT layer)
{
	const D3DBOX *dirty = &src->storage->dirty[layer];
	D3DDDIARG_TEXBLT1 texture = {
		.hDstResource = dst->storage->handle,
		.hSrcResource = src->storage->handle,
		.CubeMapFace = layer,
		.DstPoint = {(LONG)dirty->Left, (LONG)dirty->Top},
		.SrcRect = {(LONG)dirty->Left, (LONG)dirty->Top, (LONG)dirty->Right, (LONG)dirty->Bottom},
	};
	D3DDDIARG_VOLUMEBLT1 volume = {
		.hDstResource = dst->storage->handle,
		.hSrcResource = src->storage->handle,
		.DstX = dirty->Left,
		.DstY = dirty->Top,
		.DstZ = dirty->Front,
		.SrcBox = {dirty->Left, dirty->Top, dirty->Right, dirty->Bottom, dirty->Front, dirty->Back},
	};

	if (src->type == D3DRTYPE_VOLUMETEXTURE)
		return device_result(device, device->ddi.pfnVolBlt1(device->driver, &volume));
	return device_result(device, device->ddi.pfnTexBlt1(device->driver, &texture));
}

static HRESULT update_levels(struct d3d9_device *device, struct d3d9_texture *src, struct d3d9_texture *dst, UINT layer,
			     UINT first_level)
{
	HRESULT hr = D3D_OK;

	for (UINT level = 0; level < dst->visible_levels && SUCCEEDED(hr); level++) {
		struct d3d9_surface *from = texture_level(src, layer, first_level + level);
		struct d3d9_surface *to = texture_level(dst, layer, level);
		RECT rect = {0, 0, (LONG)surface_width(to), (LONG)surface_height(to)};

		hr = blt(device, from, &rect, to, &rect, D3DTEXF_POINT);
	}
	return hr;
}

static HRESULT STDMETHODCALLTYPE device_UpdateTexture(IDirect3DDevice9Ex *iface, IDirect3DBaseTexture9 *src_iface,
						      IDirect3DBaseTexture9 *dst_iface)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_texture *src = (struct d3d9_texture *)src_iface, *dst = (struct d3d9_texture *)dst_iface;
	UINT first_level;
	HRESULT hr = D3D_OK;

	if (!src || !dst || src->object.device != device || dst->object.device != device ||
	    !textures_match(src, dst, &first_level)) {
		runtime_refused(__func__, "textures do not match");
		return D3DERR_INVALIDCALL;
	}
	for (UINT layer = 0; layer < src->storage->layers && SUCCEEDED(hr); layer++) {
		D3DBOX *dirty = &src->storage->dirty[layer];

		if (dirty->Left >= dirty->Right)
			continue;
		if (!first_level && src->storage->levels == dst->visible_levels)
			hr = update_aligned(device, src, dst, layer);
		else if (src->type != D3DRTYPE_VOLUMETEXTURE)
			hr = update_levels(device, src, dst, layer, first_level);
		else
			hr = D3DERR_INVALIDCALL;
		if (SUCCEEDED(hr))
			*dirty = (D3DBOX){0};
	}
	if (SUCCEEDED(hr) && (dst->storage->usage & D3DUSAGE_AUTOGENMIPMAP))
		IDirect3DBaseTexture9_GenerateMipSubLevels(dst_iface);
	return hr;
}

/* ---- read-back ---- */

static HRESULT STDMETHODCALLTYPE device_GetRenderTargetData(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
							    IDirect3DSurface9 *dst_iface)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *src = surface_from(src_iface), *dst = surface_from(dst_iface);
	RECT rect;

	if (!both_ours(device, src, dst) || !(src->storage->usage & D3DUSAGE_RENDERTARGET) || src->storage->multisample ||
	    dst->storage->pool != D3DPOOL_SYSTEMMEM || src->storage->format != dst->storage->format ||
	    surface_width(src) != surface_width(dst) || surface_height(src) != surface_height(dst)) {
		runtime_refused(__func__,
				"not a single-sampled target and a system memory surface of its size and format");
		return D3DERR_INVALIDCALL;
	}
	surface_rect(src, NULL, &rect);
	return blt(device, src, &rect, dst, &rect, D3DTEXF_POINT);
}

static HRESULT STDMETHODCALLTYPE device_GetFrontBufferData(IDirect3DDevice9Ex *iface, UINT chain,
							   IDirect3DSurface9 *dst)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (chain >= DEVICE_MAX_SWAPCHAINS || !device->swapchains[chain] || !dst)
		return D3DERR_INVALIDCALL;
	return swapchain_get_front(device->swapchains[chain], surface_from(dst));
}

/* ---- StretchRect, ColorFill ---- */

/* Depth is copied whole, unfiltered, outside of scenes, between surfaces that keep their content. */
static bool depth_stretch_good(const struct d3d9_device *device, const struct d3d9_surface *src, const RECT *from,
			       const struct d3d9_surface *dst, const RECT *to, D3DTEXTUREFILTERTYPE filter)
{
	RECT whole_src, whole_dst;

	surface_rect(src, NULL, &whole_src);
	surface_rect(dst, NULL, &whole_dst);
	return is_depth(src) && is_depth(dst) && !device->in_scene && filter <= D3DTEXF_POINT && same_size(from, to) &&
	       same_size(from, &whole_src) && same_size(to, &whole_dst) && !src->storage->discard &&
	       !dst->storage->discard && src->storage->format == dst->storage->format;
}

static bool color_stretch_good(const struct d3d9_device *device, const struct d3d9_surface *src, const RECT *from,
			       const struct d3d9_surface *dst, const RECT *to)
{
	UINT from_operations = adapter_operations(device->adapter, src->storage->format);
	UINT to_operations = adapter_operations(device->adapter, dst->storage->format);
	bool src_texture = src->storage->flags.Texture, dst_texture = dst->storage->flags.Texture;
	bool dst_target = dst->storage->usage & D3DUSAGE_RENDERTARGET;

	/* Into a texture only when it is a target; into a plain surface only from a plain surface, without scaling. */
	if (dst_texture && !dst_target)
		return false;
	if (!dst_target && (src_texture || (src->storage->usage & D3DUSAGE_RENDERTARGET) || !same_size(from, to)))
		return false;
	if (dst->storage->multisample && src->storage->multisample != dst->storage->multisample)
		return false;
	if (src->storage->format == dst->storage->format)
		return on_block_border(src, from) && on_block_border(dst, to);
	return (from_operations & FORMATOP_CONVERT_TO_ARGB) && (to_operations & FORMATOP_MEMBEROFGROUP_ARGB);
}

static HRESULT STDMETHODCALLTYPE device_StretchRect(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src_iface,
						    const RECT *src_rect, IDirect3DSurface9 *dst_iface,
						    const RECT *dst_rect, D3DTEXTUREFILTERTYPE filter)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *src = surface_from(src_iface), *dst = surface_from(dst_iface);
	RECT from, to;
	bool good;

	if (!both_ours(device, src, dst) || src == dst || src->storage->pool != D3DPOOL_DEFAULT ||
	    dst->storage->pool != D3DPOOL_DEFAULT || filter > D3DTEXF_LINEAR || !surface_rect(src, src_rect, &from) ||
	    !surface_rect(dst, dst_rect, &to) || is_locked(src) || is_locked(dst))
		return D3DERR_INVALIDCALL;
	good = is_depth(src) || is_depth(dst) ? depth_stretch_good(device, src, &from, dst, &to, filter) :
						color_stretch_good(device, src, &from, dst, &to);
	if (!good) {
		runtime_refused(__func__, "kinds, formats or samples of the surfaces");
		return D3DERR_INVALIDCALL;
	}
	return blt(device, src, &from, dst, &to, filter);
}

static HRESULT STDMETHODCALLTYPE device_ColorFill(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *target,
						  const RECT *rect, D3DCOLOR color)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *surface = surface_from(target);
	D3DDDIARG_COLORFILL args = {.Color = color};

	if (!surface || surface->object.device != device || surface->storage->pool != D3DPOOL_DEFAULT ||
	    is_depth(surface) ||
	    surface->storage->info->block_width > 1 || !surface_rect(surface, rect, &args.DstRect))
		return D3DERR_INVALIDCALL;
	/* Targets, their textures, and plain surfaces; not other textures. */
	if (surface->storage->flags.Texture && !(surface->storage->usage & D3DUSAGE_RENDERTARGET))
		return D3DERR_INVALIDCALL;
	args.hResource = surface->storage->handle;
	args.SubResourceIndex = surface->subresource;
	return device_result(device, device->ddi.pfnColorFill(device->driver, &args));
}

/* ---- residency ---- */

static const struct d3d9_storage *storage_of(IDirect3DResource9 *resource)
{
	switch (IDirect3DResource9_GetType(resource)) {
	case D3DRTYPE_SURFACE:
		return ((struct d3d9_surface *)resource)->storage;
	case D3DRTYPE_VERTEXBUFFER:
	case D3DRTYPE_INDEXBUFFER:
		return ((struct d3d9_buffer *)resource)->storage;
	default:
		return ((struct d3d9_texture *)resource)->storage;
	}
}

static HRESULT STDMETHODCALLTYPE device_CheckResourceResidency(IDirect3DDevice9Ex *iface,
							       IDirect3DResource9 **resources, UINT32 count)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	HRESULT worst = S_OK;

	if (count && !resources)
		return D3DERR_INVALIDCALL;
	for (UINT32 i = 0; i < count; i++) {
		D3DDDIARG_QUERYRESOURCERESIDENCY args = {.NumResources = 1};
		const struct d3d9_storage *storage;
		HRESULT hr;

		if (!resources[i])
			return D3DERR_INVALIDCALL;
		storage = storage_of(resources[i]);
		if (!storage->handle || storage->pool == D3DPOOL_SYSTEMMEM)
			continue;
		args.pHandleList = &storage->handle;
		hr = device_result(device, device->ddi.pfnQueryResourceResidency(device->driver, &args));
		if (FAILED(hr))
			return hr;
		if (hr == S_NOT_RESIDENT || worst == S_OK)
			worst = hr;
	}
	return worst;
}

void device_copy_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->UpdateSurface = device_UpdateSurface;
	vtbl->UpdateTexture = device_UpdateTexture;
	vtbl->GetRenderTargetData = device_GetRenderTargetData;
	vtbl->GetFrontBufferData = device_GetFrontBufferData;
	vtbl->StretchRect = device_StretchRect;
	vtbl->ColorFill = device_ColorFill;
	vtbl->CheckResourceResidency = device_CheckResourceResidency;
}
