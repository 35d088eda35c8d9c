/* SPDX-License-Identifier: MIT */
/* ID3D11ShaderResourceView. */
#include "d3d11_private.h"

static void STDMETHODCALLTYPE srv_GetDesc(ID3D11ShaderResourceView *iface, D3D11_SHADER_RESOURCE_VIEW_DESC *desc)
{
	*desc = ((struct d3d11_view *)iface)->desc.srv;
}

static const ID3D11ShaderResourceViewVtbl srv_vtbl = {
	VIEW_METHODS(ID3D11ShaderResourceView),
	.GetDesc = srv_GetDesc,
};

static SIZE_T driver_size(struct d3d11_device *device, const void *args)
{
	return device->funcs.pfnCalcPrivateShaderResourceViewSize(device->ddi, args);
}

static void driver_create(struct d3d11_device *device, const void *args, void *driver, struct d3d11_view *view)
{
	device->funcs.pfnCreateShaderResourceView(device->ddi, args, (D3D10DDI_HSHADERRESOURCEVIEW){driver}, (D3D10DDI_HRTSHADERRESOURCEVIEW){view});
}

static void driver_destroy(struct d3d11_device *device, void *driver)
{
	device->funcs.pfnDestroyShaderResourceView(device->ddi, (D3D10DDI_HSHADERRESOURCEVIEW){driver});
}

static const struct d3d11_view_type srv_type = {KIND_SRV, &srv_vtbl, driver_size, driver_create, driver_destroy};

/* A NULL description: everything, in the resource's format. */
static bool default_desc(const struct d3d11_resource *resource, D3D11_SHADER_RESOURCE_VIEW_DESC *desc)
{
	bool array = resource->layers > 1;

	*desc = (D3D11_SHADER_RESOURCE_VIEW_DESC){.Format = resource->format};
	switch (resource->dimension) {
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		desc->ViewDimension = array ? D3D11_SRV_DIMENSION_TEXTURE1DARRAY : D3D11_SRV_DIMENSION_TEXTURE1D;
		break;
	case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
		desc->ViewDimension = D3D11_SRV_DIMENSION_TEXTURE3D;
		break;
	case D3D11_RESOURCE_DIMENSION_TEXTURE2D:
		if (resource->misc & D3D11_RESOURCE_MISC_TEXTURECUBE)
			desc->ViewDimension = resource->layers >= 12 ? D3D11_SRV_DIMENSION_TEXTURECUBEARRAY
								     : D3D11_SRV_DIMENSION_TEXTURECUBE;
		else if (resource->samples.Count > 1)
			desc->ViewDimension =
				array ? D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY : D3D11_SRV_DIMENSION_TEXTURE2DMS;
		else
			desc->ViewDimension =
				array ? D3D11_SRV_DIMENSION_TEXTURE2DARRAY : D3D11_SRV_DIMENSION_TEXTURE2D;
		break;
	default:
		return false;
	}
	switch (desc->ViewDimension) {
	case D3D11_SRV_DIMENSION_TEXTURECUBEARRAY:
		desc->TextureCubeArray = (D3D11_TEXCUBE_ARRAY_SRV){0, ~0u, 0, resource->layers / 6};
		break;
	case D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY:
		desc->Texture2DMSArray.ArraySize = ~0u;
		break;
	default: /* MostDetailedMip, MipLevels and, of arrays, FirstArraySlice, ArraySize */
		desc->Texture2DArray = (D3D11_TEX2D_ARRAY_SRV){0, ~0u, 0, ~0u};
		break;
	}
	return true;
}

struct request {
	struct d3d11_resource *resource;
	struct d3d11_view *view;
	D3D11_SHADER_RESOURCE_VIEW_DESC *desc;
	D3D11DDIARG_CREATESHADERRESOURCEVIEW *args;
};

static bool set_levels(struct request *r, UINT first, UINT *count)
{
	if (!view_range(r->resource->levels, first, count))
		return false;
	r->view->first_level = first;
	r->view->level_count = *count;
	return true;
}

static bool set_layers(struct request *r, UINT first, UINT *count)
{
	if (!view_range(r->resource->layers, first, count))
		return false;
	r->view->first_layer = first;
	r->view->layer_count = *count;
	return true;
}

static bool fill_buffer(struct request *r)
{
	const struct format_info *info = format_info(r->desc->Format);
	UINT first = r->desc->Buffer.FirstElement, count = r->desc->Buffer.NumElements;

	if (r->resource->dimension != D3D11_RESOURCE_DIMENSION_BUFFER || !count || info->flags & FORMAT_COMPRESSED ||
	    ((UINT64)first + count) * info->bytes > r->resource->width)
		return false;
	r->view->level_count = r->view->layer_count = 1;
	r->args->ResourceDimension = D3D10DDIRESOURCE_BUFFER;
	r->args->Buffer = (D3D10DDIARG_BUFFER_SHADERRESOURCEVIEW){first, count};
	return true;
}

/* Texture1D, 2D and their arrays and multisampled kinds. */
static bool fill_plain(struct request *r, D3D11_RESOURCE_DIMENSION dimension, UINT first_level, UINT *levels,
		       UINT first_layer, UINT *layers)
{
	if (r->resource->dimension != dimension || !set_levels(r, first_level, levels) ||
	    !set_layers(r, first_layer, layers))
		return false;
	r->args->ResourceDimension = dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D ? D3D10DDIRESOURCE_TEXTURE1D
										     : D3D10DDIRESOURCE_TEXTURE2D;
	r->args->Tex2D = (D3D10DDIARG_TEX2D_SHADERRESOURCEVIEW){first_level, first_layer, *levels, *layers};
	return true;
}

static bool fill_cube(struct request *r, UINT first_level, UINT *levels, UINT first_face, UINT *cubes)
{
	UINT faces;

	if (!(r->resource->misc & D3D11_RESOURCE_MISC_TEXTURECUBE))
		return false;
	if (*cubes == ~0u && first_face < r->resource->layers)
		*cubes = (r->resource->layers - first_face) / 6;
	if (*cubes > D3D11_REQ_TEXTURE2D_ARRAY_AXIS_DIMENSION)
		return false;
	faces = *cubes * 6;
	if (!set_levels(r, first_level, levels) || !set_layers(r, first_face, &faces))
		return false;
	r->args->ResourceDimension = D3D10DDIRESOURCE_TEXTURECUBE;
	r->args->TexCube = (D3D10_1DDIARG_TEXCUBE_SHADERRESOURCEVIEW){first_level, *levels, first_face, *cubes};
	return true;
}

static bool fill_volume(struct request *r)
{
	D3D11_TEX3D_SRV *tex = &r->desc->Texture3D;

	if (r->resource->dimension != D3D11_RESOURCE_DIMENSION_TEXTURE3D ||
	    !set_levels(r, tex->MostDetailedMip, &tex->MipLevels))
		return false;
	r->view->layer_count = 1;
	r->args->ResourceDimension = D3D10DDIRESOURCE_TEXTURE3D;
	r->args->Tex3D = (D3D10DDIARG_TEX3D_SHADERRESOURCEVIEW){tex->MostDetailedMip, tex->MipLevels};
	return true;
}

/* Checks the ranges against the resource and fills view, description (resolved) and the driver's arguments. */
static bool fill(struct request *r)
{
	D3D11_SHADER_RESOURCE_VIEW_DESC *desc = r->desc;
	const D3D11_RESOURCE_DIMENSION dim1 = D3D11_RESOURCE_DIMENSION_TEXTURE1D,
				       dim2 = D3D11_RESOURCE_DIMENSION_TEXTURE2D;
	bool multisampled = r->resource->samples.Count > 1;
	UINT one = 1, one_layer = 1;

	switch (desc->ViewDimension) {
	case D3D11_SRV_DIMENSION_BUFFER:
		return fill_buffer(r);
	case D3D11_SRV_DIMENSION_TEXTURE1D:
		return fill_plain(r, dim1, desc->Texture1D.MostDetailedMip, &desc->Texture1D.MipLevels, 0, &one);
	case D3D11_SRV_DIMENSION_TEXTURE1DARRAY:
		return fill_plain(r, dim1, desc->Texture1DArray.MostDetailedMip, &desc->Texture1DArray.MipLevels,
				  desc->Texture1DArray.FirstArraySlice, &desc->Texture1DArray.ArraySize);
	case D3D11_SRV_DIMENSION_TEXTURE2D:
		return !multisampled &&
		       fill_plain(r, dim2, desc->Texture2D.MostDetailedMip, &desc->Texture2D.MipLevels, 0, &one);
	case D3D11_SRV_DIMENSION_TEXTURE2DARRAY:
		return !multisampled &&
		       fill_plain(r, dim2, desc->Texture2DArray.MostDetailedMip, &desc->Texture2DArray.MipLevels,
				  desc->Texture2DArray.FirstArraySlice, &desc->Texture2DArray.ArraySize);
	case D3D11_SRV_DIMENSION_TEXTURE2DMS:
		return fill_plain(r, dim2, 0, &one, 0, &one_layer);
	case D3D11_SRV_DIMENSION_TEXTURE2DMSARRAY:
		return multisampled && fill_plain(r, dim2, 0, &one, desc->Texture2DMSArray.FirstArraySlice,
						  &desc->Texture2DMSArray.ArraySize);
	case D3D11_SRV_DIMENSION_TEXTURE3D:
		return fill_volume(r);
	case D3D11_SRV_DIMENSION_TEXTURECUBE:
		return fill_cube(r, desc->TextureCube.MostDetailedMip, &desc->TextureCube.MipLevels, 0, &one);
	case D3D11_SRV_DIMENSION_TEXTURECUBEARRAY:
		return r->view->base.device->level >= D3D_FEATURE_LEVEL_10_1 &&
		       fill_cube(r, desc->TextureCubeArray.MostDetailedMip, &desc->TextureCubeArray.MipLevels,
				 desc->TextureCubeArray.First2DArrayFace, &desc->TextureCubeArray.NumCubes);
	default:
		return false;
	}
}

static HRESULT validate(struct d3d11_device *device, struct request *r)
{
	const UINT shader = D3D11_FORMAT_SUPPORT_SHADER_LOAD | D3D11_FORMAT_SUPPORT_SHADER_SAMPLE;

	if (!(r->resource->bind & D3D11_BIND_SHADER_RESOURCE))
		return view_refuse("CreateShaderResourceView", "resource without D3D11_BIND_SHADER_RESOURCE");
	if (!view_format(r->resource, &r->desc->Format) || !(format_support(device, r->desc->Format) & shader))
		return view_refuse("CreateShaderResourceView", "format");
	return fill(r) ? S_OK : view_refuse("CreateShaderResourceView", "dimension or range");
}

HRESULT srv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_SHADER_RESOURCE_VIEW_DESC *desc, ID3D11ShaderResourceView **out)
{
	D3D11DDIARG_CREATESHADERRESOURCEVIEW args = {0};
	struct d3d11_view proto = {.base.device = device};
	struct request request = {resource, &proto, &proto.desc.srv, &args};
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!resource)
		return E_INVALIDARG;
	if (desc)
		proto.desc.srv = *desc;
	else if (!default_desc(resource, &proto.desc.srv))
		return view_refuse("CreateShaderResourceView", "buffer without a description");
	hr = validate(device, &request);
	if (FAILED(hr))
		return hr;
	args.hDrvResource = resource->ddi;
	args.Format = proto.desc.srv.Format;
	return view_create(device, &srv_type, &proto, resource, args.Format, &args, (void **)out);
}
