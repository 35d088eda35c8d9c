/* SPDX-License-Identifier: MIT */
/* Resources: creation in the pool that the runtime names, sharing, and the surfaces and views that bindings need. */
#include "d3d9_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_buffer(const D3DDDI_RESOURCEFLAGS *flags)
{
	return flags->VertexBuffer || flags->IndexBuffer;
}

static HRESULT keep_images(struct d3d9_resource *resource, const D3DDDI_SURFACEINFO *surfaces, UINT count)
{
	resource->images = calloc(count, sizeof(*resource->images));
	if (!resource->images)
		return E_OUTOFMEMORY;
	for (UINT i = 0; i < count; i++) {
		resource->images[i].data = (uint8_t *)surfaces[i].pSysMem;
		resource->images[i].pitch = surfaces[i].SysMemPitch;
		resource->images[i].slice_pitch = surfaces[i].SysMemSlicePitch;
	}
	return S_OK;
}

/* ---- in video memory ---- */

static enum gpu_usage usage_of(const struct d3d9_resource *resource)
{
	return resource->flags.Dynamic ? GPU_USAGE_DYNAMIC : GPU_USAGE_DEFAULT;
}

static int create_buffer(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = resource->flags.IndexBuffer ? D3DGPU_BIND_INDEX_BUFFER : D3DGPU_BIND_VERTEX_BUFFER,
		.width = resource->width,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};

	return gpu_resource_create(dev->gpu, &desc, usage_of(resource), &resource->gpu);
}

/* What the depth-stencil unit refused, in the API's words. */
static HRESULT ds_refused(uint32_t status)
{
	switch (status) {
	case D3DGPU_DS_FORMAT_UNAVAILABLE:
	case D3DGPU_DS_BAD_SAMPLES:
	case D3DGPU_DS_BAD_USAGE:
		return D3DDDIERR_NOTAVAILABLE;
	default:
		return E_INVALIDARG;
	}
}

static HRESULT create_depth_stencil(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	struct d3dgpu_ds_mailbox ds = {
		.width = resource->width,
		.height = resource->height,
		.format = resource->format->ds_format,
		.samples = resource->samples > 1 ? resource->samples : 0,
		.discard = resource->flags.DiscardRenderTarget,
		.layers = (uint16_t)resource->layers,
		.levels = (uint16_t)resource->levels,
	};
	int err;

	if (resource->flags.Texture)
		ds.usage |= D3DGPU_DS_USAGE_SAMPLE;
	if (!resource->flags.NotLockable)
		ds.usage |= D3DGPU_DS_USAGE_LOCKABLE;
	if (resource->flags.SharedResource)
		ds.usage |= D3DGPU_DS_USAGE_SHARED;
	if (resource->flags.RestrictedContent)
		ds.usage |= D3DGPU_DS_USAGE_RESTRICTED;
	if (resource->flags.CubeMap)
		ds.usage |= D3DGPU_DS_USAGE_CUBE;
	err = gpu_ds_create(dev->gpu, &ds, &resource->gpu);
	return err && ds.status ? ds_refused(ds.status) : d3d9_result(dev, err);
}

static uint32_t texture_bind(const struct d3dgpu_caps *caps, const struct d3d9_resource *resource)
{
	uint32_t bits = caps->formats[resource->format->format], bind = 0;
	bool plain = !resource->flags.Texture && !resource->flags.RenderTarget;

	if (bits & D3DGPU_FORMAT_SAMPLE)
		bind |= D3DGPU_BIND_SAMPLER_VIEW;
	if (resource->flags.RenderTarget || resource->flags.AutogenMipmap)
		bind |= D3DGPU_BIND_RENDER_TARGET;
	/* A plain surface can be filled and stretched into. */
	if (plain && (bits & D3DGPU_FORMAT_RENDER) && !(resource->format->flags & D3D9_FORMAT_COMPRESSED))
		bind |= D3DGPU_BIND_RENDER_TARGET;
	if (resource->flags.Primary)
		bind |= D3DGPU_BIND_SCANOUT;
	return bind;
}

static int create_texture(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	struct d3dgpu_resource_desc desc = {
		.format = resource->format->format,
		.target = resource->flags.CubeMap ? D3DGPU_TARGET_CUBE :
			  resource->flags.Volume ? D3DGPU_TARGET_3D : D3DGPU_TARGET_2D,
		.samples = (uint8_t)(resource->samples > 1 ? resource->samples : 0),
		.bind = texture_bind(gpu_device_caps(dev->gpu), resource),
		.width = resource->width,
		.height = (uint16_t)resource->height,
		.depth = (uint16_t)resource->depth,
		.array_size = (uint16_t)resource->layers,
		.last_level = (uint8_t)(resource->levels - 1),
	};

	return gpu_resource_create(dev->gpu, &desc, usage_of(resource), &resource->gpu);
}

static HRESULT create_in_video_memory(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	if (resource->flags.ZBuffer)
		return create_depth_stencil(dev, resource);
	return d3d9_result(dev,
			   is_buffer(&resource->flags) ? create_buffer(dev, resource) : create_texture(dev, resource));
}

/* Tells the runtime the name under which others can open the resource. */
static HRESULT announce_share(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	struct d3dgpu_ddi_shared shared = {
		.width = resource->width,
		.height = resource->height,
		.depth = resource->depth,
		.format = resource->format ? resource->format->d3d : D3DFMT_UNKNOWN,
		.levels = resource->levels,
		.samples = resource->samples,
		.flags = resource->flags.Value,
		.layers = resource->layers,
	};
	D3DDDICB_ALLOCATE allocate = {
		.pPrivateDriverData = &shared,
		.PrivateDriverDataSize = sizeof(shared),
		.hResource = resource->runtime,
	};
	int err = gpu_resource_share(dev->gpu, resource->gpu, &shared.token);

	if (err)
		return d3d9_result(dev, err);
	return dev->callbacks.pfnAllocateCb ? dev->callbacks.pfnAllocateCb(dev->runtime, &allocate) : E_NOTIMPL;
}

/* ---- entries ---- */

static void free_resource(struct d3d9_device *dev, struct d3d9_resource *resource)
{
	for (unsigned i = 0; i < 2; i++)
		if (resource->views[i])
			gpu_view_destroy(dev->gpu, resource->views[i]);
	for (UINT i = 0; resource->surfaces && i < resource->levels * resource->layers * 2; i++)
		if (resource->surfaces[i])
			gpu_surface_destroy(dev->gpu, resource->surfaces[i]);
	if (resource->gpu)
		gpu_resource_destroy(dev->gpu, resource->gpu);
	if (resource->stencil_lock)
		free(resource->stencil_lock->bytes);
	free(resource->stencil_lock);
	free(resource->surfaces);
	free(resource->images);
	free(resource);
}

/* Describes the resource from the arguments. NULL: arguments that are none of Direct3D 9's shapes, or no memory. */
static struct d3d9_resource *describe(struct d3d9_device *dev, const D3DDDIARG_CREATERESOURCE2 *args, HRESULT *hr)
{
	struct d3d9_resource *resource;

	*hr = E_INVALIDARG;
	if (!args->pSurfList || !args->SurfCount)
		return NULL;
	resource = calloc(1, sizeof(*resource));
	if (!resource) {
		*hr = E_OUTOFMEMORY;
		return NULL;
	}
	resource->runtime = args->hResource;
	resource->flags = args->Flags;
	resource->width = args->pSurfList[0].Width;
	resource->height = args->pSurfList[0].Height ? args->pSurfList[0].Height : 1;
	resource->depth = args->pSurfList[0].Depth ? args->pSurfList[0].Depth : 1;
	resource->layers = args->Flags.CubeMap ? 6 : 1;
	resource->levels = args->MipLevels ? args->MipLevels : 1;
	resource->samples = 1;
	if (args->SurfCount != resource->levels * resource->layers)
		goto refuse;
	if (is_buffer(&args->Flags))
		return resource;
	resource->format = d3d9_format(args->Format);
	if (!resource->format)
		goto refuse;
	if (args->Flags.RenderTarget || args->Flags.ZBuffer)
		resource->samples = d3d9_sample_count(gpu_device_caps(dev->gpu), resource->format,
						      args->MultisampleType, args->MultisampleQuality);
	if (!resource->samples) {
		*hr = D3DDDIERR_NOTAVAILABLE;
		goto refuse;
	}
	return resource;
refuse:
	free(resource);
	return NULL;
}

static HRESULT create_resource2(HANDLE hDevice, D3DDDIARG_CREATERESOURCE2 *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource;
	HRESULT hr;

	resource = describe(dev, args, &hr);
	if (!resource)
		return hr;
	if (args->Pool == D3DDDIPOOL_SYSTEMMEM)
		hr = keep_images(resource, args->pSurfList, args->SurfCount);
	else
		hr = create_in_video_memory(dev, resource);
	if (SUCCEEDED(hr) && args->Flags.SharedResource)
		hr = announce_share(dev, resource);
	if (FAILED(hr)) {
		free_resource(dev, resource);
		return hr;
	}
	args->hResource = resource;
	return S_OK;
}

static bool same_shape(const struct d3dgpu_resource_desc *desc, const struct d3dgpu_ddi_shared *expected)
{
	const struct d3d9_format *format = d3d9_format(expected->format);
	UINT samples = desc->samples ? desc->samples : 1;

	if (desc->width != expected->width || desc->height != expected->height || desc->depth != expected->depth ||
	    desc->last_level + 1u != expected->levels || samples != (expected->samples ? expected->samples : 1))
		return false;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return !format;
	return format && format->format == desc->format && d3dgpu_layer_count(desc) == expected->layers;
}

static HRESULT open_resource(HANDLE hDevice, D3DDDIARG_OPENRESOURCE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	const struct d3dgpu_ddi_shared *shared = args->pPrivateDriverData;
	struct d3d9_resource *resource;
	int err;

	if (!shared || args->PrivateDriverDataSize != sizeof(*shared))
		return E_INVALIDARG;
	resource = calloc(1, sizeof(*resource));
	if (!resource)
		return E_OUTOFMEMORY;
	err = gpu_resource_open(dev->gpu, shared->token, &resource->gpu);
	if (err) {
		free(resource);
		return d3d9_result(dev, err);
	}
	resource->runtime = args->hResource;
	resource->format = d3d9_format(shared->format);
	resource->flags.Value = shared->flags;
	resource->width = shared->width;
	resource->height = shared->height;
	resource->depth = shared->depth;
	resource->levels = shared->levels;
	resource->layers = shared->layers;
	resource->samples = shared->samples ? shared->samples : 1;
	if (!same_shape(&resource->gpu->desc, shared)) {
		free_resource(dev, resource);
		return E_INVALIDARG;
	}
	args->hResource = resource;
	return S_OK;
}

/* The core unbinds what is destroyed; the front forgets it here. */
static void unbind(struct d3d9_device *dev, const struct d3d9_resource *resource)
{
	for (unsigned i = 0; i < D3D9_SAMPLERS; i++) {
		if (dev->textures[i] != resource)
			continue;
		dev->textures[i] = NULL;
		dev->dirty_textures |= 1u << i;
	}
	for (unsigned i = 0; i < D3D9_STREAMS; i++)
		if (dev->streams[i].buffer == resource)
			dev->streams[i].buffer = NULL;
	for (unsigned i = 0; i < D3D9_TARGETS; i++)
		if (dev->targets[i].resource == resource)
			dev->targets[i].resource = NULL;
	if (dev->depth_stencil == resource)
		dev->depth_stencil = NULL;
	if (dev->indices == resource)
		dev->indices = NULL;
	dev->dirty |= D3D9_DIRTY_TARGETS | D3D9_DIRTY_STREAMS | D3D9_DIRTY_INDICES;
}

static HRESULT destroy_resource(HANDLE hDevice, HANDLE hResource)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	unbind(dev, hResource);
	free_resource(dev, hResource);
	return S_OK;
}

static HRESULT discard(HANDLE hDevice, const D3DDDIARG_DISCARD *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource = args->hResource;

	/* Rectangles and parts of a resource keep their content: that is always right. */
	if (resource->gpu && !args->NumRects && !args->FirstSubResource &&
	    args->NumSubResources == resource->levels * resource->layers)
		gpu_discard(dev->gpu, resource->gpu);
	return S_OK;
}

/* Everything that is not evicted is in GPU memory, and eviction is undone before use. */
static HRESULT query_residency(HANDLE hDevice, const D3DDDIARG_QUERYRESOURCERESIDENCY *args)
{
	return d3d9_status(d3d9_device(hDevice));
}

static HRESULT resolve_shared(HANDLE hDevice, const D3DDDIARG_RESOLVESHAREDRESOURCE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	int err = gpu_flush(dev->gpu, NULL);

	return err ? d3d9_result(dev, err) : d3d9_status(dev);
}

void d3d9_resource_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnCreateResource2 = create_resource2;
	table->pfnOpenResource = open_resource;
	table->pfnDestroyResource = destroy_resource;
	table->pfnDiscard = discard;
	table->pfnQueryResourceResidency = query_residency;
	table->pfnResolveSharedResource = resolve_shared;
}

/* ---- surfaces and views ---- */

struct gpu_surface *d3d9_surface(struct d3d9_device *dev, struct d3d9_resource *resource, UINT subresource, bool srgb)
{
	UINT count = resource->levels * resource->layers * 2;
	struct gpu_surface_desc desc = {0};
	UINT index;

	srgb = srgb && resource->format->srgb;
	index = subresource * 2 + srgb;
	if (index >= count || !resource->gpu)
		return NULL;
	if (!resource->surfaces)
		resource->surfaces = calloc(count, sizeof(*resource->surfaces));
	if (!resource->surfaces)
		return NULL;
	if (!resource->surfaces[index]) {
		desc.format = srgb ? resource->format->srgb : 0;
		desc.level = (uint8_t)(subresource % resource->levels);
		desc.first_layer = desc.last_layer = (uint16_t)(subresource / resource->levels);
		gpu_surface_create(dev->gpu, resource->gpu, &desc, &resource->surfaces[index]);
	}
	return resource->surfaces[index];
}

struct gpu_view *d3d9_view(struct d3d9_device *dev, struct d3d9_resource *resource, bool srgb)
{
	struct gpu_view_desc desc = {0};

	srgb = srgb && resource->format->srgb;
	if (resource->views[srgb] || !resource->gpu)
		return resource->views[srgb];
	desc.format = srgb ? resource->format->srgb : 0;
	desc.target = resource->gpu->desc.target;
	desc.last_level = (uint8_t)(resource->levels - 1);
	desc.last_layer = (uint16_t)(resource->layers - 1);
	memcpy(desc.swizzle, resource->format->swizzle, sizeof(desc.swizzle));
	gpu_view_create(dev->gpu, resource->gpu, &desc, &resource->views[srgb]);
	return resource->views[srgb];
}
