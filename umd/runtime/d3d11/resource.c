/* SPDX-License-Identifier: MIT */
/* Resources of all dimensions: creation through the driver, the shared methods. resource_validate.c has the rules. */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LEVELS 15

static UINT ddi_bind(UINT bind)
{
	UINT ddi = bind & (D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER |
			   D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_STREAM_OUTPUT | D3D11_BIND_RENDER_TARGET |
			   D3D11_BIND_DEPTH_STENCIL);

	_Static_assert((int)D3D11_BIND_DEPTH_STENCIL == D3D10_DDI_BIND_DEPTH_STENCIL,
		       "the API's numbers are the DDI's");
	return ddi | (bind & D3D11_BIND_UNORDERED_ACCESS ? D3D11_DDI_BIND_UNORDERED_ACCESS : 0);
}

static D3D10DDIRESOURCE_TYPE ddi_type(const struct d3d11_resource *desc)
{
	switch (desc->dimension) {
	case D3D11_RESOURCE_DIMENSION_BUFFER:
		return D3D10DDIRESOURCE_BUFFER;
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		return D3D10DDIRESOURCE_TEXTURE1D;
	case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
		return D3D10DDIRESOURCE_TEXTURE3D;
	default:
		/* A cube whose slices are no whole number of cubes is an array that cube views are made of. */
		return desc->misc & D3D11_RESOURCE_MISC_TEXTURECUBE && !(desc->layers % 6)
			       ? D3D10DDIRESOURCE_TEXTURECUBE
			       : D3D10DDIRESOURCE_TEXTURE2D;
	}
}

static void fill_levels(const struct d3d11_resource *desc, D3D10DDI_MIPINFO levels[MAX_LEVELS])
{
	const struct format_info *info = format_info(desc->format);
	UINT block = info ? info->block : 1;

	for (UINT i = 0; i < desc->levels; i++) {
		D3D10DDI_MIPINFO *level = &levels[i];

		level->TexelWidth = level_extent(desc->width, i);
		level->TexelHeight = level_extent(desc->height, i);
		level->TexelDepth = level_extent(desc->depth, i);
		level->PhysicalWidth = (level->TexelWidth + block - 1) / block * block;
		level->PhysicalHeight = (level->TexelHeight + block - 1) / block * block;
		level->PhysicalDepth = level->TexelDepth;
	}
}

static void destroy(struct d3d11_child *child)
{
	struct d3d11_resource *resource = (struct d3d11_resource *)child;

	child->device->funcs.pfnDestroyResource(child->device->ddi, resource->ddi);
	free(resource->mapped);
	free(resource);
}

static const void *vtbl_of(D3D11_RESOURCE_DIMENSION dimension, enum d3d11_kind *kind)
{
	switch (dimension) {
	case D3D11_RESOURCE_DIMENSION_BUFFER:
		*kind = KIND_BUFFER;
		return &buffer_vtbl;
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		*kind = KIND_TEXTURE1D;
		return &texture1d_vtbl;
	case D3D11_RESOURCE_DIMENSION_TEXTURE2D:
		*kind = KIND_TEXTURE2D;
		return &texture2d_vtbl;
	default:
		*kind = KIND_TEXTURE3D;
		return &texture3d_vtbl;
	}
}

/* The object with the driver's part constructed, or the error. */
static HRESULT construct(struct d3d11_device *device, const struct d3d11_resource *desc,
			 const D3D11DDIARG_CREATERESOURCE *args, struct d3d11_resource **out)
{
	D3D10DDI_HRTRESOURCE runtime;
	struct d3d11_resource *resource;
	enum d3d11_kind kind;
	const void *vtbl = vtbl_of(desc->dimension, &kind);
	void *driver = NULL;
	HRESULT hr;

	d3d11_enter(device);
	resource = child_alloc(sizeof(*resource), device->funcs.pfnCalcPrivateResourceSize(device->ddi, args), &driver);
	if (resource) {
		*resource = *desc;
		resource->mapped = calloc(resource_subresources(desc), 1);
	}
	if (!resource || !resource->mapped) {
		free(resource);
		d3d11_leave(device);
		return E_OUTOFMEMORY;
	}
	runtime.handle = resource;
	resource->ddi.pDrvPrivate = driver;
	device->funcs.pfnCreateResource(device->ddi, args, resource->ddi, runtime);
	hr = d3d11_leave(device);
	if (FAILED(hr)) {
		free(resource->mapped);
		free(resource);
		return hr;
	}
	child_init(&resource->base, device, kind, vtbl, destroy);
	resource->dxgi_resource.lpVtbl = &dxgi_resource_vtbl;
	resource->dxgi_surface.lpVtbl = &dxgi_surface_vtbl;
	resource->priority = DXGI_RESOURCE_PRIORITY_NORMAL;
	*out = resource;
	return S_OK;
}

HRESULT resource_create(struct d3d11_device *device, const struct d3d11_resource *desc,
			const D3D11_SUBRESOURCE_DATA *data, UINT extra_bind, struct d3d11_resource **out)
{
	D3D10DDI_MIPINFO levels[MAX_LEVELS];
	D3D11DDIARG_CREATERESOURCE args = {
		.pMipInfoList = levels,
		.ResourceDimension = ddi_type(desc),
		.Usage = desc->usage,
		.BindFlags = ddi_bind(desc->bind) | extra_bind,
		.MapFlags = desc->cpu_access,
		.MiscFlags = desc->misc & D3D11_RESOURCE_MISC_GENERATE_MIPS ? D3D10_DDI_RESOURCE_AUTO_GEN_MIP_MAP : 0,
		.Format = desc->format,
		.SampleDesc = desc->samples,
		.MipLevels = desc->levels,
		.ArraySize = desc->layers,
		.ByteStride = desc->stride,
	};

	_Static_assert(sizeof(D3D11_SUBRESOURCE_DATA) == sizeof(D3D10_DDIARG_SUBRESOURCE_UP), "the same three members");
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	args.pInitialDataUP = (const D3D10_DDIARG_SUBRESOURCE_UP *)data;
	fill_levels(desc, levels);
	return construct(device, desc, &args, out);
}

/* ---- methods ---- */

void STDMETHODCALLTYPE resource_GetType(struct d3d11_child *child, D3D11_RESOURCE_DIMENSION *dimension)
{
	*dimension = ((struct d3d11_resource *)child)->dimension;
}

void STDMETHODCALLTYPE resource_SetEvictionPriority(struct d3d11_child *child, UINT priority)
{
	((struct d3d11_resource *)child)->priority = priority;
}

UINT STDMETHODCALLTYPE resource_GetEvictionPriority(struct d3d11_child *child)
{
	return ((struct d3d11_resource *)child)->priority;
}
