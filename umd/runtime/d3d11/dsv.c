/* SPDX-License-Identifier: MIT */
/* ID3D11DepthStencilView. */
#include "d3d11_private.h"

#include <stdlib.h>

#define READ_ONLY_FLAGS (D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL)

static void STDMETHODCALLTYPE dsv_GetDesc(ID3D11DepthStencilView *iface, D3D11_DEPTH_STENCIL_VIEW_DESC *desc)
{
	*desc = ((struct d3d11_view *)iface)->desc.dsv;
}

static const ID3D11DepthStencilViewVtbl dsv_vtbl = {
	VIEW_METHODS(ID3D11DepthStencilView),
	.GetDesc = dsv_GetDesc,
};

static void destroy(struct d3d11_child *child)
{
	struct d3d11_view *view = (struct d3d11_view *)child;
	D3D10DDI_HDEPTHSTENCILVIEW handle = {view->ddi};

	child->device->funcs.pfnDestroyDepthStencilView(child->device->ddi, handle);
	child_drop(&view->resource->base);
	free(view);
}

/* A NULL description: level 0, all slices. */
static D3D11_DEPTH_STENCIL_VIEW_DESC default_desc(const struct d3d11_resource *resource)
{
	D3D11_DEPTH_STENCIL_VIEW_DESC desc = {.Format = resource->format};
	bool array = resource->layers > 1;

	if (resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D) {
		desc.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE1DARRAY : D3D11_DSV_DIMENSION_TEXTURE1D;
		desc.Texture1DArray.ArraySize = array ? ~0u : 0;
	} else if (resource->samples.Count > 1) {
		desc.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY : D3D11_DSV_DIMENSION_TEXTURE2DMS;
		desc.Texture2DMSArray.ArraySize = array ? ~0u : 0;
	} else {
		desc.ViewDimension = array ? D3D11_DSV_DIMENSION_TEXTURE2DARRAY : D3D11_DSV_DIMENSION_TEXTURE2D;
		desc.Texture2DArray.ArraySize = array ? ~0u : 0;
	}
	return desc;
}

static bool set_range(struct d3d11_view *view, const struct d3d11_resource *resource,
		      D3D11_RESOURCE_DIMENSION dimension, UINT level, UINT first, UINT *count)
{
	if (resource->dimension != dimension || level >= resource->levels ||
	    !view_range(resource->layers, first, count))
		return false;
	view->first_level = level;
	view->level_count = 1;
	view->first_layer = first;
	view->layer_count = *count;
	return true;
}

static bool resolve(struct d3d11_view *view, const struct d3d11_resource *resource)
{
	const D3D11_RESOURCE_DIMENSION dim1 = D3D11_RESOURCE_DIMENSION_TEXTURE1D,
				       dim2 = D3D11_RESOURCE_DIMENSION_TEXTURE2D;
	D3D11_DEPTH_STENCIL_VIEW_DESC *desc = &view->desc.dsv;
	bool multisampled = resource->samples.Count > 1;
	UINT one = 1;

	switch (desc->ViewDimension) {
	case D3D11_DSV_DIMENSION_TEXTURE1D:
		return set_range(view, resource, dim1, desc->Texture1D.MipSlice, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
		return set_range(view, resource, dim1, desc->Texture1DArray.MipSlice,
				 desc->Texture1DArray.FirstArraySlice, &desc->Texture1DArray.ArraySize);
	case D3D11_DSV_DIMENSION_TEXTURE2D:
		return !multisampled && set_range(view, resource, dim2, desc->Texture2D.MipSlice, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
		return !multisampled &&
		       set_range(view, resource, dim2, desc->Texture2DArray.MipSlice,
				 desc->Texture2DArray.FirstArraySlice, &desc->Texture2DArray.ArraySize);
	case D3D11_DSV_DIMENSION_TEXTURE2DMS: /* also of a plain texture: one sample is a count */
		return (multisampled || resource->layers == 1) && set_range(view, resource, dim2, 0, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
		return multisampled && set_range(view, resource, dim2, 0, desc->Texture2DMSArray.FirstArraySlice,
						 &desc->Texture2DMSArray.ArraySize);
	default:
		return false;
	}
}

static HRESULT validate(struct d3d11_device *device, struct d3d11_resource *resource, struct d3d11_view *view)
{
	D3D11_DEPTH_STENCIL_VIEW_DESC *desc = &view->desc.dsv;
	const struct format_info *info;

	if (!(resource->bind & D3D11_BIND_DEPTH_STENCIL))
		return view_refuse("CreateDepthStencilView", "resource without D3D11_BIND_DEPTH_STENCIL");
	if (!view_format(resource, &desc->Format) ||
	    !(format_support(device, desc->Format) & D3D11_FORMAT_SUPPORT_DEPTH_STENCIL))
		return view_refuse("CreateDepthStencilView", "format");
	info = format_info(desc->Format);
	if (desc->Flags & ~(UINT)READ_ONLY_FLAGS || (desc->Flags && device->level < D3D_FEATURE_LEVEL_11_0))
		return view_refuse("CreateDepthStencilView", "flags");
	if (desc->Flags & D3D11_DSV_READ_ONLY_STENCIL && !(info->flags & FORMAT_STENCIL))
		return view_refuse("CreateDepthStencilView", "read-only stencil of a format without stencil");
	view->writes_depth = !(desc->Flags & D3D11_DSV_READ_ONLY_DEPTH);
	view->writes_stencil = info->flags & FORMAT_STENCIL && !(desc->Flags & D3D11_DSV_READ_ONLY_STENCIL);
	return resolve(view, resource) ? S_OK : view_refuse("CreateDepthStencilView", "dimension or range");
}

static HRESULT construct(struct d3d11_device *device, struct d3d11_view *proto, struct d3d11_resource *resource,
			 struct d3d11_view **out)
{
	D3D11DDIARG_CREATEDEPTHSTENCILVIEW args = {
		.hDrvResource = resource->ddi,
		.Format = proto->desc.dsv.Format,
		.ResourceDimension = resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D
					     ? D3D10DDIRESOURCE_TEXTURE1D
					     : D3D10DDIRESOURCE_TEXTURE2D,
		.Flags = proto->desc.dsv.Flags,
		.Tex2D = {proto->first_level, proto->first_layer, proto->layer_count},
	};
	D3D10DDI_HDEPTHSTENCILVIEW handle;
	D3D10DDI_HRTDEPTHSTENCILVIEW runtime;
	struct d3d11_view *view;
	void *driver = NULL;
	HRESULT hr;

	d3d11_enter(device);
	view = child_alloc(sizeof(*view), device->funcs.pfnCalcPrivateDepthStencilViewSize(device->ddi, &args),
			   &driver);
	if (!view) {
		d3d11_leave(device);
		return E_OUTOFMEMORY;
	}
	*view = *proto;
	view->ddi = handle.pDrvPrivate = driver;
	runtime.handle = view;
	device->funcs.pfnCreateDepthStencilView(device->ddi, &args, handle, runtime);
	hr = d3d11_leave(device);
	if (FAILED(hr)) {
		free(view);
		return hr;
	}
	view_init(view, device, KIND_DSV, &dsv_vtbl, destroy, resource, proto->desc.dsv.Format);
	*out = view;
	return S_OK;
}

HRESULT dsv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_DEPTH_STENCIL_VIEW_DESC *desc, ID3D11DepthStencilView **out)
{
	struct d3d11_view proto = {0}, *view;
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!resource)
		return E_INVALIDARG;
	proto.desc.dsv = desc ? *desc : default_desc(resource);
	hr = validate(device, resource, &proto);
	if (FAILED(hr))
		return hr;
	if (!out)
		return S_FALSE;
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	hr = construct(device, &proto, resource, &view);
	if (SUCCEEDED(hr))
		*out = (ID3D11DepthStencilView *)view;
	return hr;
}
