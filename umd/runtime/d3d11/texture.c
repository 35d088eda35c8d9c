/* SPDX-License-Identifier: MIT */
/* ID3D11Texture1D, 2D and 3D. */
#include "d3d11_private.h"

static HRESULT create(struct d3d11_device *device, struct d3d11_resource *wanted, const D3D11_SUBRESOURCE_DATA *data,
		      void **out)
{
	struct d3d11_resource *texture;
	HRESULT hr = resource_validate(device, wanted, data);

	if (FAILED(hr))
		return hr;
	if (!out)
		return S_FALSE;
	hr = resource_create(device, wanted, data, 0, &texture);
	if (SUCCEEDED(hr))
		*out = texture;
	return hr;
}

/* ---- ID3D11Texture1D ---- */

static void STDMETHODCALLTYPE texture1d_GetDesc(ID3D11Texture1D *iface, D3D11_TEXTURE1D_DESC *desc)
{
	const struct d3d11_resource *texture = (struct d3d11_resource *)iface;

	*desc = (D3D11_TEXTURE1D_DESC){texture->width, texture->levels, texture->layers,     texture->format,
				       texture->usage, texture->bind,   texture->cpu_access, texture->misc};
}

const ID3D11Texture1DVtbl texture1d_vtbl = {
	RESOURCE_METHODS(ID3D11Texture1D),
	.GetDesc = texture1d_GetDesc,
};

HRESULT texture1d_create(struct d3d11_device *device, const D3D11_TEXTURE1D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture1D **out)
{
	struct d3d11_resource wanted;

	if (out)
		*out = NULL;
	if (!desc || !level_10(device))
		return E_INVALIDARG;
	wanted = (struct d3d11_resource){
		.dimension = D3D11_RESOURCE_DIMENSION_TEXTURE1D,
		.width = desc->Width,
		.height = 1,
		.depth = 1,
		.levels = desc->MipLevels,
		.layers = desc->ArraySize,
		.format = desc->Format,
		.samples = {1, 0},
		.usage = desc->Usage,
		.bind = desc->BindFlags,
		.cpu_access = desc->CPUAccessFlags,
		.misc = desc->MiscFlags,
	};
	return create(device, &wanted, data, (void **)out);
}

/* ---- ID3D11Texture2D ---- */

static void STDMETHODCALLTYPE texture2d_GetDesc(ID3D11Texture2D *iface, D3D11_TEXTURE2D_DESC *desc)
{
	const struct d3d11_resource *texture = (struct d3d11_resource *)iface;

	*desc = (D3D11_TEXTURE2D_DESC){texture->width,      texture->height,  texture->levels, texture->layers,
				       texture->format,     texture->samples, texture->usage,  texture->bind,
				       texture->cpu_access, texture->misc};
}

const ID3D11Texture2DVtbl texture2d_vtbl = {
	RESOURCE_METHODS(ID3D11Texture2D),
	.GetDesc = texture2d_GetDesc,
};

HRESULT texture2d_create(struct d3d11_device *device, const D3D11_TEXTURE2D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture2D **out)
{
	struct d3d11_resource wanted;

	if (out)
		*out = NULL;
	if (!desc)
		return E_INVALIDARG;
	wanted = (struct d3d11_resource){
		.dimension = D3D11_RESOURCE_DIMENSION_TEXTURE2D,
		.width = desc->Width,
		.height = desc->Height,
		.depth = 1,
		.levels = desc->MipLevels,
		.layers = desc->ArraySize,
		.format = desc->Format,
		.samples = desc->SampleDesc,
		.usage = desc->Usage,
		.bind = desc->BindFlags,
		.cpu_access = desc->CPUAccessFlags,
		.misc = desc->MiscFlags,
	};
	return create(device, &wanted, data, (void **)out);
}

/* ---- ID3D11Texture3D ---- */

static void STDMETHODCALLTYPE texture3d_GetDesc(ID3D11Texture3D *iface, D3D11_TEXTURE3D_DESC *desc)
{
	const struct d3d11_resource *texture = (struct d3d11_resource *)iface;

	*desc = (D3D11_TEXTURE3D_DESC){texture->width,  texture->height,     texture->depth,
				       texture->levels, texture->format,     texture->usage,
				       texture->bind,   texture->cpu_access, texture->misc};
}

const ID3D11Texture3DVtbl texture3d_vtbl = {
	RESOURCE_METHODS(ID3D11Texture3D),
	.GetDesc = texture3d_GetDesc,
};

HRESULT texture3d_create(struct d3d11_device *device, const D3D11_TEXTURE3D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture3D **out)
{
	struct d3d11_resource wanted;

	if (out)
		*out = NULL;
	if (!desc)
		return E_INVALIDARG;
	wanted = (struct d3d11_resource){
		.dimension = D3D11_RESOURCE_DIMENSION_TEXTURE3D,
		.width = desc->Width,
		.height = desc->Height,
		.depth = desc->Depth,
		.levels = desc->MipLevels,
		.layers = 1,
		.format = desc->Format,
		.samples = {1, 0},
		.usage = desc->Usage,
		.bind = desc->BindFlags,
		.cpu_access = desc->CPUAccessFlags,
		.misc = desc->MiscFlags,
	};
	return create(device, &wanted, data, (void **)out);
}
