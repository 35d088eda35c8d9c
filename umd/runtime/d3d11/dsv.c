/* SPDX-License-Identifier: MIT */
/* ID3D11DepthStencilView. */
#include "d3d11_private.h"

#define READ_ONLY_FLAGS (D3D11_DSV_READ_ONLY_DEPTH | D3D11_DSV_READ_ONLY_STENCIL)

static void STDMETHODCALLTYPE dsv_GetDesc(ID3D11DepthStencilView *iface, D3D11_DEPTH_STENCIL_VIEW_DESC *desc)
{
	*desc = ((struct d3d11_view *)iface)->desc.dsv;
}

static const ID3D11DepthStencilViewVtbl dsv_vtbl = {
	VIEW_METHODS(ID3D11DepthStencilView),
	.GetDesc = dsv_GetDesc,
};

static SIZE_T driver_size(struct d3d11_device *device, const void *args)
{
	return device->funcs.pfnCalcPrivateDepthStencilViewSize(device->ddi, args);
}

static void driver_create(struct d3d11_device *device, const void *args, void *driver, struct d3d11_view *view)
{
	device->funcs.pfnCreateDepthStencilView(device->ddi, args, (D3D10DDI_HDEPTHSTENCILVIEW){driver}, (D3D10DDI_HRTDEPTHSTENCILVIEW){view});
}

static void driver_destroy(struct d3d11_device *device, void *driver)
{
	device->funcs.pfnDestroyDepthStencilView(device->ddi, (D3D10DDI_HDEPTHSTENCILVIEW){driver});
}

static const struct d3d11_view_type dsv_type = {KIND_DSV, &dsv_vtbl, driver_size, driver_create, driver_destroy};

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

static bool resolve(struct d3d11_view *view, const struct d3d11_resource *resource)
{
	const D3D11_RESOURCE_DIMENSION dim1 = D3D11_RESOURCE_DIMENSION_TEXTURE1D,
				       dim2 = D3D11_RESOURCE_DIMENSION_TEXTURE2D;
	D3D11_DEPTH_STENCIL_VIEW_DESC *desc = &view->desc.dsv;
	bool multisampled = resource->samples.Count > 1;
	UINT one = 1;

	switch (desc->ViewDimension) {
	case D3D11_DSV_DIMENSION_TEXTURE1D:
		return view_slices(view, resource, dim1, desc->Texture1D.MipSlice, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE1DARRAY:
		return view_slices(view, resource, dim1, desc->Texture1DArray.MipSlice,
				 desc->Texture1DArray.FirstArraySlice, &desc->Texture1DArray.ArraySize);
	case D3D11_DSV_DIMENSION_TEXTURE2D:
		return !multisampled && view_slices(view, resource, dim2, desc->Texture2D.MipSlice, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE2DARRAY:
		return !multisampled &&
		       view_slices(view, resource, dim2, desc->Texture2DArray.MipSlice,
				 desc->Texture2DArray.FirstArraySlice, &desc->Texture2DArray.ArraySize);
	case D3D11_DSV_DIMENSION_TEXTURE2DMS: /* also of a plain texture: one sample is a count */
		return (multisampled || resource->layers == 1) && view_slices(view, resource, dim2, 0, 0, &one);
	case D3D11_DSV_DIMENSION_TEXTURE2DMSARRAY:
		return multisampled && view_slices(view, resource, dim2, 0, desc->Texture2DMSArray.FirstArraySlice,
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

HRESULT dsv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_DEPTH_STENCIL_VIEW_DESC *desc, ID3D11DepthStencilView **out)
{
	D3D11DDIARG_CREATEDEPTHSTENCILVIEW args;
	struct d3d11_view proto = {0};
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!resource)
		return E_INVALIDARG;
	proto.desc.dsv = desc ? *desc : default_desc(resource);
	hr = validate(device, resource, &proto);
	if (FAILED(hr))
		return hr;
	args = (D3D11DDIARG_CREATEDEPTHSTENCILVIEW){
		.hDrvResource = resource->ddi,
		.Format = proto.desc.dsv.Format,
		.ResourceDimension = resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D
					     ? D3D10DDIRESOURCE_TEXTURE1D
					     : D3D10DDIRESOURCE_TEXTURE2D,
		.Flags = proto.desc.dsv.Flags,
		.Tex2D = {proto.first_level, proto.first_layer, proto.layer_count},
	};
	return view_create(device, &dsv_type, &proto, resource, args.Format, &args, (void **)out);
}
