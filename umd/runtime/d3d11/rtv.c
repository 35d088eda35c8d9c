/* SPDX-License-Identifier: MIT */
/* ID3D11RenderTargetView. */
#include "d3d11_private.h"

static void STDMETHODCALLTYPE rtv_GetDesc(ID3D11RenderTargetView *iface, D3D11_RENDER_TARGET_VIEW_DESC *desc)
{
	*desc = ((struct d3d11_view *)iface)->desc.rtv;
}

static const ID3D11RenderTargetViewVtbl rtv_vtbl = {
	VIEW_METHODS(ID3D11RenderTargetView),
	.GetDesc = rtv_GetDesc,
};

static SIZE_T driver_size(struct d3d11_device *device, const void *args)
{
	return device->funcs.pfnCalcPrivateRenderTargetViewSize(device->ddi, args);
}

static void driver_create(struct d3d11_device *device, const void *args, void *driver, struct d3d11_view *view)
{
	device->funcs.pfnCreateRenderTargetView(device->ddi, args, (D3D10DDI_HRENDERTARGETVIEW){driver}, (D3D10DDI_HRTRENDERTARGETVIEW){view});
}

static void driver_destroy(struct d3d11_device *device, void *driver)
{
	device->funcs.pfnDestroyRenderTargetView(device->ddi, (D3D10DDI_HRENDERTARGETVIEW){driver});
}

static const struct d3d11_view_type rtv_type = {KIND_RTV, &rtv_vtbl, driver_size, driver_create, driver_destroy};

/* A NULL description: level 0, all slices. */
static D3D11_RENDER_TARGET_VIEW_DESC default_desc(const struct d3d11_resource *resource)
{
	D3D11_RENDER_TARGET_VIEW_DESC desc = {.Format = resource->format};
	bool array = resource->layers > 1;

	switch (resource->dimension) {
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		desc.ViewDimension = array ? D3D11_RTV_DIMENSION_TEXTURE1DARRAY : D3D11_RTV_DIMENSION_TEXTURE1D;
		desc.Texture1DArray.ArraySize = array ? ~0u : 0;
		break;
	case D3D11_RESOURCE_DIMENSION_TEXTURE2D:
		if (resource->samples.Count > 1) {
			desc.ViewDimension =
				array ? D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY : D3D11_RTV_DIMENSION_TEXTURE2DMS;
			desc.Texture2DMSArray.ArraySize = array ? ~0u : 0;
		} else {
			desc.ViewDimension = array ? D3D11_RTV_DIMENSION_TEXTURE2DARRAY : D3D11_RTV_DIMENSION_TEXTURE2D;
			desc.Texture2DArray.ArraySize = array ? ~0u : 0;
		}
		break;
	case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
		desc.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE3D;
		desc.Texture3D.WSize = ~0u;
		break;
	default:
		break;
	}
	return desc;
}

static bool resolve(struct d3d11_view *view, const struct d3d11_resource *resource)
{
	const D3D11_RESOURCE_DIMENSION dim1 = D3D11_RESOURCE_DIMENSION_TEXTURE1D,
				       dim2 = D3D11_RESOURCE_DIMENSION_TEXTURE2D;
	D3D11_RENDER_TARGET_VIEW_DESC *desc = &view->desc.rtv;
	bool multisampled = resource->samples.Count > 1;
	UINT one = 1;

	switch (desc->ViewDimension) {
	case D3D11_RTV_DIMENSION_TEXTURE1D:
		return view_slices(view, resource, dim1, desc->Texture1D.MipSlice, 0, &one);
	case D3D11_RTV_DIMENSION_TEXTURE1DARRAY:
		return view_slices(view, resource, dim1, desc->Texture1DArray.MipSlice,
				 desc->Texture1DArray.FirstArraySlice, &desc->Texture1DArray.ArraySize);
	case D3D11_RTV_DIMENSION_TEXTURE2D:
		return !multisampled && view_slices(view, resource, dim2, desc->Texture2D.MipSlice, 0, &one);
	case D3D11_RTV_DIMENSION_TEXTURE2DARRAY:
		return !multisampled &&
		       view_slices(view, resource, dim2, desc->Texture2DArray.MipSlice,
				 desc->Texture2DArray.FirstArraySlice, &desc->Texture2DArray.ArraySize);
	case D3D11_RTV_DIMENSION_TEXTURE2DMS:
		return view_slices(view, resource, dim2, 0, 0, &one);
	case D3D11_RTV_DIMENSION_TEXTURE2DMSARRAY:
		return view_slices(view, resource, dim2, 0, desc->Texture2DMSArray.FirstArraySlice,
				 &desc->Texture2DMSArray.ArraySize);
	case D3D11_RTV_DIMENSION_TEXTURE3D:
		return view_slices(view, resource, D3D11_RESOURCE_DIMENSION_TEXTURE3D, desc->Texture3D.MipSlice,
				 desc->Texture3D.FirstWSlice, &desc->Texture3D.WSize);
	default:
		return false;
	}
}

static HRESULT validate(struct d3d11_device *device, struct d3d11_resource *resource, struct d3d11_view *view)
{
	if (!(resource->bind & D3D11_BIND_RENDER_TARGET))
		return view_refuse("CreateRenderTargetView", "resource without D3D11_BIND_RENDER_TARGET");
	if (!view_format(resource, &view->desc.rtv.Format) ||
	    !(format_support(device, view->desc.rtv.Format) & D3D11_FORMAT_SUPPORT_RENDER_TARGET))
		return view_refuse("CreateRenderTargetView", "format");
	return resolve(view, resource) ? S_OK : view_refuse("CreateRenderTargetView", "dimension or range");
}

static D3D10DDIRESOURCE_TYPE ddi_type(const struct d3d11_resource *resource)
{
	switch (resource->dimension) {
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		return D3D10DDIRESOURCE_TEXTURE1D;
	case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
		return D3D10DDIRESOURCE_TEXTURE3D;
	default:
		return D3D10DDIRESOURCE_TEXTURE2D;
	}
}

HRESULT rtv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_RENDER_TARGET_VIEW_DESC *desc, ID3D11RenderTargetView **out)
{
	D3D10DDIARG_CREATERENDERTARGETVIEW args;
	struct d3d11_view proto = {0};
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!resource)
		return E_INVALIDARG;
	proto.desc.rtv = desc ? *desc : default_desc(resource);
	hr = validate(device, resource, &proto);
	if (FAILED(hr))
		return hr;
	args = (D3D10DDIARG_CREATERENDERTARGETVIEW){
		.hDrvResource = resource->ddi,
		.Format = proto.desc.rtv.Format,
		.ResourceDimension = ddi_type(resource),
		.Tex2D = {proto.first_level, proto.first_layer, proto.layer_count},
	};
	return view_create(device, &rtv_type, &proto, resource, args.Format, &args, (void **)out);
}
