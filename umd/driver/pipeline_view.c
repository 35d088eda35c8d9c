/* SPDX-License-Identifier: MIT */
/* Views (what shaders sample) and surfaces (what is rendered to). A resource's views and surfaces are destroyed
 * before it. */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Another format with the same meaning, so that the engine makes a real view: without one it ignores the first layer
 * of an array view (D3DGPU_QUIRK_VIEW_LAYER_IGNORED). Luminance stands for red alone: it only differs in what green
 * and blue read.
 */
struct twin {
	uint16_t format, twin;
	bool luminance;
};

static const struct twin twins[] = {
	{D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_FMT_R8G8B8A8_UNORM, false},
	{D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_FMT_B8G8R8A8_UNORM, false},
	{D3DGPU_FMT_B8G8R8A8_SRGB, D3DGPU_FMT_R8G8B8A8_SRGB, false},
	{D3DGPU_FMT_R8G8B8A8_SRGB, D3DGPU_FMT_B8G8R8A8_SRGB, false},
	{D3DGPU_FMT_R32_FLOAT, D3DGPU_FMT_L32_FLOAT, true},
	{D3DGPU_FMT_R16_FLOAT, D3DGPU_FMT_L16_FLOAT, true},
	{D3DGPU_FMT_R16_UNORM, D3DGPU_FMT_L16_UNORM, true},
	{D3DGPU_FMT_R8_UNORM, D3DGPU_FMT_L8_UNORM, true},
};

static void use_twin(struct stream_view *view)
{
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
		if (twins[i].format != view->format)
			continue;
		view->format = twins[i].twin;
		for (unsigned c = 0; twins[i].luminance && c < 4; c++)
			if (view->swizzle[c] == D3DGPU_SWIZZLE_GREEN || view->swizzle[c] == D3DGPU_SWIZZLE_BLUE)
				view->swizzle[c] = D3DGPU_SWIZZLE_ZERO;
		return;
	}
}

static int check_texture_view(const struct resource *res, const struct gpu_view_desc *desc)
{
	if (desc->first_level > desc->last_level || desc->last_level >= res->base.levels ||
	    desc->first_layer > desc->last_layer)
		return -EINVAL;
	if (res->base.desc.target != D3DGPU_TARGET_3D && desc->last_layer >= res->base.layers)
		return -EINVAL;
	if ((desc->target == D3DGPU_TARGET_CUBE && desc->last_layer - desc->first_layer != 5) ||
	    (desc->target == D3DGPU_TARGET_CUBE_ARRAY && (desc->last_layer - desc->first_layer + 1) % 6))
		return -EINVAL;
	return 0;
}

static int check_view(const struct resource *res, const struct gpu_view_desc *desc, uint32_t format)
{
	uint32_t bytes = d3dgpu_format_block(format).bytes;

	if (!bytes)
		return -EINVAL;
	for (unsigned i = 0; i < 4; i++)
		if (desc->swizzle[i] >= D3DGPU_SWIZZLE_COUNT)
			return -EINVAL;
	if (!resource_is_buffer(res))
		return desc->target == D3DGPU_TARGET_BUFFER ? -EINVAL : check_texture_view(res, desc);
	if (desc->target != D3DGPU_TARGET_BUFFER || desc->first_element > desc->last_element ||
	    (uint64_t)(desc->last_element + 1ull) * bytes > res->base.desc.width)
		return -EINVAL;
	return 0;
}

/* Applies the engine's quirks to a view. Returns the levels that samplers must add. */
static uint32_t adapt_view(const struct gpu_device *dev, const struct resource *res, struct stream_view *view)
{
	uint32_t native = res->base.desc.format, shift = 0;

	if (view->target == D3DGPU_TARGET_BUFFER)
		return 0;
	if (dev->caps.quirks & D3DGPU_QUIRK_VIEW_LAYER_IGNORED && view->first && view->format == native &&
	    view->target == res->base.desc.target)
		use_twin(view);
	if (dev->caps.quirks & D3DGPU_QUIRK_VIEW_LEVEL_TWICE && view->first_level && view->format != native) {
		shift = view->first_level;
		view->first_level = 0;
	}
	return shift;
}

int gpu_view_create(struct gpu_device *dev, struct gpu_resource *base, const struct gpu_view_desc *desc,
		    struct gpu_view **out)
{
	struct resource *res = to_resource(base);
	struct stream_view packed = {
		.format = desc->format ? desc->format : base->desc.format,
		.target = desc->target,
		.first_level = desc->first_level,
		.last_level = desc->last_level,
		.swizzle = {desc->swizzle[0], desc->swizzle[1], desc->swizzle[2], desc->swizzle[3]},
	};
	struct list_use use = use_of(res, false);
	struct gpu_view *view;
	int error = -EINVAL;

	if (base->bo && !res->slots.count && base->desc.bind & D3DGPU_BIND_SAMPLER_VIEW)
		error = check_view(res, desc, packed.format);
	if (!error)
		error = device_claim(dev, 2 * STREAM_COMMAND_WORDS, &use, 1);
	if (error)
		return error;
	view = device_alloc(dev, sizeof(*view));
	if (!view)
		return -ENOMEM;
	*view = (struct gpu_view){
		.handle = device_handle(dev),
		.res = res,
		.format = packed.format,
		.first_level = desc->first_level,
		.last_level = desc->last_level,
		.first_layer = desc->first_layer,
		.last_layer = desc->last_layer,
	};
	packed.resource = res->tracked.bo->res_id;
	packed.first = resource_is_buffer(res) ? desc->first_element : desc->first_layer;
	packed.last = resource_is_buffer(res) ? desc->last_element : desc->last_layer;
	view->lod_shift = adapt_view(dev, res, &packed);
	stream_create_view(&dev->stream, view->handle, &packed);
	dev->units_disturbed = true;
	if (dev->stream.error) {
		free(view);
		return dev->stream.error;
	}
	dev->stats.state_objects++;
	*out = view;
	return 0;
}

void gpu_view_destroy(struct gpu_device *dev, struct gpu_view *view)
{
	if (!view)
		return;
	unbind_view(dev, view);
	stream_destroy_object(&dev->stream, D3DGPU_OBJ_SAMPLER_VIEW, view->handle);
	free(view);
}

int gpu_surface_create(struct gpu_device *dev, struct gpu_resource *base, const struct gpu_surface_desc *desc,
		       struct gpu_surface **out)
{
	struct resource *res = to_resource(base);
	struct list_use use = use_of(res, false);
	struct level_extent extent;
	struct gpu_surface *surface;
	uint32_t layers;
	int error;

	if (!base->bo || resource_is_buffer(res) || desc->level >= base->levels ||
	    desc->first_layer > desc->last_layer ||
	    !(base->desc.bind & (D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_DEPTH_STENCIL)))
		return -EINVAL;
	extent = resource_level(res, desc->level);
	layers = base->desc.target == D3DGPU_TARGET_3D ? extent.depth : base->layers;
	if (desc->last_layer >= layers)
		return -EINVAL;
	error = device_claim(dev, 2 * STREAM_COMMAND_WORDS, &use, 1);
	if (error)
		return error;
	surface = device_alloc(dev, sizeof(*surface));
	if (!surface)
		return -ENOMEM;
	surface->handle = device_handle(dev);
	surface->res = res;
	surface->desc = *desc;
	if (!desc->format)
		surface->desc.format = base->desc.format;
	surface->width = extent.width;
	surface->height = extent.height;
	dev->units_disturbed = true;
	stream_create_surface(&dev->stream, surface->handle, res->tracked.bo->res_id, surface->desc.format, desc->level,
			      desc->first_layer, desc->last_layer);
	if (dev->stream.error) {
		free(surface);
		return dev->stream.error;
	}
	dev->stats.state_objects++;
	*out = surface;
	return 0;
}

void gpu_surface_destroy(struct gpu_device *dev, struct gpu_surface *surface)
{
	if (!surface)
		return;
	unbind_surface(dev, surface);
	stream_destroy_object(&dev->stream, D3DGPU_OBJ_SURFACE, surface->handle);
	free(surface);
}
