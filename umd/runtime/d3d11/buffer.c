/* SPDX-License-Identifier: MIT */
/* ID3D11Buffer. */
#include "d3d11_private.h"

static void STDMETHODCALLTYPE buffer_GetDesc(ID3D11Buffer *iface, D3D11_BUFFER_DESC *desc)
{
	const struct d3d11_resource *buffer = (struct d3d11_resource *)iface;

	*desc = (D3D11_BUFFER_DESC){buffer->width,      buffer->usage, buffer->bind,
				    buffer->cpu_access, buffer->misc,  buffer->stride};
}

const ID3D11BufferVtbl buffer_vtbl = {
	RESOURCE_METHODS(ID3D11Buffer),
	.GetDesc = buffer_GetDesc,
};

HRESULT buffer_create(struct d3d11_device *device, const D3D11_BUFFER_DESC *desc, const D3D11_SUBRESOURCE_DATA *data,
		      ID3D11Buffer **out)
{
	struct d3d11_resource wanted, *buffer;
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!desc)
		return E_INVALIDARG;
	wanted = (struct d3d11_resource){
		.dimension = D3D11_RESOURCE_DIMENSION_BUFFER,
		.width = desc->ByteWidth,
		.height = 1,
		.depth = 1,
		.levels = 1,
		.layers = 1,
		.samples = {1, 0},
		.usage = desc->Usage,
		.bind = desc->BindFlags,
		.cpu_access = desc->CPUAccessFlags,
		.misc = desc->MiscFlags,
		.stride = desc->MiscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED ? desc->StructureByteStride : 0,
	};
	hr = resource_validate(device, &wanted, data);
	if (FAILED(hr))
		return hr;
	if (!out)
		return S_FALSE;
	hr = resource_create(device, &wanted, data, 0, &buffer);
	if (SUCCEEDED(hr))
		*out = (ID3D11Buffer *)buffer;
	return hr;
}
