/* SPDX-License-Identifier: MIT */
/* What the three kinds of views share. */
#include "d3d11_private.h"

#include <stdlib.h>

HRESULT view_refuse(const char *function, const char *why)
{
	runtime_refused(function, "%s", why);
	return E_INVALIDARG;
}

bool view_range(UINT available, UINT first, UINT *count)
{
	if (first >= available)
		return false;
	if (*count == ~0u)
		*count = available - first;
	return *count && *count <= available - first;
}

bool view_format(const struct d3d11_resource *resource, DXGI_FORMAT *format)
{
	const struct format_info *info;

	if (*format == DXGI_FORMAT_UNKNOWN)
		*format = resource->format;
	info = format_info(*format);
	if (!info || info->flags & FORMAT_TYPELESS)
		return false;
	return resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER || format_castable(resource->format, *format);
}

bool view_slices(struct d3d11_view *view, const struct d3d11_resource *resource, D3D11_RESOURCE_DIMENSION dimension,
		 UINT level, UINT first, UINT *count)
{
	UINT available = resource->layers;

	if (resource->dimension != dimension || level >= resource->levels)
		return false;
	if (dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D)
		available = level_extent(resource->depth, level);
	if (!view_range(available, first, count))
		return false;
	view->first_level = level;
	view->level_count = 1;
	view->first_layer = first;
	view->layer_count = *count;
	return true;
}

static void destroy(struct d3d11_child *child)
{
	struct d3d11_view *view = (struct d3d11_view *)child;

	view->type->driver_destroy(child->device, view->ddi);
	child_drop(&view->resource->base);
	free(view);
}

/* The object of a view that the driver has made: planes, extent, and the hold on the resource. */
static void init(struct d3d11_view *view, struct d3d11_device *device, DXGI_FORMAT format)
{
	const struct format_info *info = format_info(format);
	UINT flags = info ? info->flags : 0;

	child_init(&view->base, device, view->type->kind, view->type->vtbl, destroy);
	view->depth = flags & (FORMAT_DEPTH | FORMAT_DEPTH_PLANE);
	view->stencil = flags & FORMAT_STENCIL_PLANE || (flags & FORMAT_DEPTH && flags & FORMAT_STENCIL);
	view->width = level_extent(view->resource->width, view->first_level);
	view->height = level_extent(view->resource->height, view->first_level);
	view->samples = view->resource->samples.Count;
	pthread_mutex_lock(&device->lock);
	child_hold(&view->resource->base);
	pthread_mutex_unlock(&device->lock);
}

HRESULT view_create(struct d3d11_device *device, const struct d3d11_view_type *type, const struct d3d11_view *proto,
		    struct d3d11_resource *resource, DXGI_FORMAT format, const void *args, void **out)
{
	struct d3d11_view *view;
	void *driver = NULL;
	HRESULT hr;

	if (!out)
		return S_FALSE;
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	d3d11_enter(device);
	view = child_alloc(sizeof(*view), type->driver_size(device, args), &driver);
	if (!view) {
		d3d11_leave(device);
		return E_OUTOFMEMORY;
	}
	*view = *proto;
	view->type = type;
	view->resource = resource;
	view->ddi = driver;
	type->driver_create(device, args, driver, view);
	hr = d3d11_leave(device);
	if (FAILED(hr)) {
		free(view);
		return hr;
	}
	init(view, device, format);
	*out = view;
	return S_OK;
}

void STDMETHODCALLTYPE view_GetResource(struct d3d11_child *child, ID3D11Resource **resource)
{
	struct d3d11_view *view = (struct d3d11_view *)child;

	*resource = (ID3D11Resource *)view->resource;
	child_AddRef(&view->resource->base);
}
