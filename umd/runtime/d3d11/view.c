/* SPDX-License-Identifier: MIT */
/* What the three kinds of views share. */
#include "d3d11_private.h"

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

void view_init(struct d3d11_view *view, struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl,
	       void (*destroy)(struct d3d11_child *), struct d3d11_resource *resource, DXGI_FORMAT format)
{
	const struct format_info *info = format_info(format);
	UINT flags = info ? info->flags : 0;

	child_init(&view->base, device, kind, vtbl, destroy);
	view->resource = resource;
	view->depth = flags & (FORMAT_DEPTH | FORMAT_DEPTH_PLANE);
	view->stencil = flags & FORMAT_STENCIL_PLANE || (flags & FORMAT_DEPTH && flags & FORMAT_STENCIL);
	view->width = level_extent(resource->width, view->first_level);
	view->height = level_extent(resource->height, view->first_level);
	view->samples = resource->samples.Count;
	pthread_mutex_lock(&device->lock);
	child_hold(&resource->base);
	pthread_mutex_unlock(&device->lock);
}

void STDMETHODCALLTYPE view_GetResource(struct d3d11_child *child, ID3D11Resource **resource)
{
	struct d3d11_view *view = (struct d3d11_view *)child;

	*resource = (ID3D11Resource *)view->resource;
	child_AddRef(&view->resource->base);
}
