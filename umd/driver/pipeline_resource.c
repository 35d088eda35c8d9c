/* SPDX-License-Identifier: MIT */
/* Resources: creation, sharing, end. */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool resource_is_buffer(const struct resource *res)
{
	return res->base.desc.target == D3DGPU_TARGET_BUFFER;
}

bool resource_packs_stencil(const struct resource *res)
{
	return res->base.desc.format == D3DGPU_FMT_S8_UINT_Z24_UNORM;
}

struct level_extent resource_level(const struct resource *res, uint32_t subresource)
{
	const struct d3dgpu_resource_desc *desc = &res->base.desc;
	uint32_t level = subresource % res->base.levels;

	return (struct level_extent){
		.width = d3dgpu_level_extent(desc->width, level),
		.height = d3dgpu_level_extent(desc->height, level),
		.depth = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : 1,
	};
}

static bool inside(uint32_t first, uint32_t count, uint32_t extent)
{
	return count && first < extent && count <= extent - first;
}

/* Whether a range of a block-compressed axis begins at a block, and ends at one or at the edge. */
static bool on_blocks(uint32_t first, uint32_t count, uint32_t extent, uint32_t block)
{
	return first % block == 0 && (count % block == 0 || first + count == extent);
}

int resource_box(const struct resource *res, uint32_t subresource, const struct gpu_box *box, struct gpu_box *out)
{
	struct d3dgpu_block block = d3dgpu_format_block(res->base.desc.format);
	struct level_extent level;

	if (subresource >= res->base.levels * res->base.layers)
		return -EINVAL;
	level = resource_level(res, subresource);
	if (!box) {
		*out = (struct gpu_box){.width = level.width, .height = level.height, .depth = level.depth};
		return 0;
	}
	if (!inside(box->x, box->width, level.width) || !inside(box->y, box->height, level.height) ||
	    !inside(box->z, box->depth, level.depth) || !on_blocks(box->x, box->width, level.width, block.width) ||
	    !on_blocks(box->y, box->height, level.height, block.height))
		return -EINVAL;
	*out = *box;
	return 0;
}

static bool renames(const struct d3dgpu_resource_desc *desc, enum gpu_usage usage)
{
	const uint32_t pinned = D3DGPU_BIND_SAMPLER_VIEW | D3DGPU_BIND_STREAM_OUTPUT | D3DGPU_BIND_SHADER_BUFFER |
				D3DGPU_BIND_RENDER_TARGET;

	if (desc->target != D3DGPU_TARGET_BUFFER || desc->bind & pinned)
		return false;
	return usage == GPU_USAGE_DYNAMIC || desc->bind == D3DGPU_BIND_CONSTANT_BUFFER;
}

static void fill_counts(struct resource *res)
{
	res->base.levels = res->base.desc.last_level + 1u;
	res->base.layers = d3dgpu_layer_count(&res->base.desc);
}

/*
 * A depth-stencil resource without going through Direct3D 9's formats: the unit is asked all the same, for it is the
 * authority on what may exist.
 */
static int depth_create(struct gpu_device *dev, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out)
{
	static const uint32_t formats[][2] = {
		{D3DGPU_FMT_Z16_UNORM, D3DGPU_DS_D16},
		{D3DGPU_FMT_S8_UINT_Z24_UNORM, D3DGPU_DS_D24S8},
		{D3DGPU_FMT_Z32_UNORM, D3DGPU_DS_D32},
		{D3DGPU_FMT_Z32_FLOAT, D3DGPU_DS_D32F_LOCKABLE},
		{D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, D3DGPU_DS_D32FS8},
	};
	struct d3dgpu_ds_mailbox ds = {
		.width = desc->width,
		.height = desc->height,
		.samples = desc->samples,
		.layers = desc->array_size,
		.levels = desc->last_level + 1,
		.usage = (desc->bind & D3DGPU_BIND_SAMPLER_VIEW ? D3DGPU_DS_USAGE_SAMPLE : 0) |
			 (desc->target == D3DGPU_TARGET_CUBE || desc->target == D3DGPU_TARGET_CUBE_ARRAY
				  ? D3DGPU_DS_USAGE_CUBE
				  : 0),
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i][0] == desc->format)
			ds.format = formats[i][1];
	if (!ds.format || desc->bind & D3DGPU_BIND_RENDER_TARGET || desc->target == D3DGPU_TARGET_3D)
		return -EINVAL;
	return dev->ws->ops->ds_create(dev->ws, &ds, out);
}

static int staging_init(struct gpu_device *dev, struct resource *res)
{
	if (res->base.desc.samples)
		return -EINVAL;
	if (resource_packs_stencil(res)) {
		res->engine_order = device_alloc(dev, res->base.levels * res->base.layers);
		if (!res->engine_order)
			return -ENOMEM;
	}
	return dev->ws->ops->staging_create(dev->ws, d3dgpu_linear_size(&res->base.desc), &res->shadow.bo);
}

static void resource_free(struct resource *res)
{
	free(res->engine_order);
	free(res->slots.serials);
	free(res);
}

int resource_alloc(struct gpu_device *dev, const struct d3dgpu_resource_desc *desc, enum gpu_usage usage,
		   struct resource **out)
{
	struct resource *res = device_alloc(dev, sizeof(*res));
	int error;

	if (!res)
		return -ENOMEM;
	res->base.desc = *desc;
	res->base.usage = usage;
	fill_counts(res);
	if (usage == GPU_USAGE_STAGING)
		error = staging_init(dev, res);
	else if (renames(desc, usage))
		error = slots_init(dev, res);
	else if (desc->bind & D3DGPU_BIND_DEPTH_STENCIL)
		error = depth_create(dev, desc, &res->tracked.bo);
	else
		error = dev->ws->ops->resource_create(dev->ws, desc, &res->tracked.bo);
	if (error) {
		resource_free(res);
		return error;
	}
	res->base.bo = res->tracked.bo;
	*out = res;
	return 0;
}

/* Pending work and idle staging memory may hold what a failed allocation needs: waits for the one,
 * returns the other. */
static int device_idle(struct gpu_device *dev)
{
	int error = gpu_flush(dev, NULL);

	if (!error)
		error = device_wait(dev, dev->serial - 1);
	staging_trim(dev);
	return error;
}

int gpu_resource_create(struct gpu_device *dev, const struct d3dgpu_resource_desc *desc, enum gpu_usage usage,
			struct gpu_resource **out)
{
	struct resource *res;
	int error;

	if (!d3dgpu_resource_valid(desc))
		return -EINVAL;
	error = resource_alloc(dev, desc, usage, &res);
	if (error == -ENOMEM && !device_idle(dev))
		error = resource_alloc(dev, desc, usage, &res);
	if (!error)
		*out = &res->base;
	return error;
}

/* Makes a resource around a buffer object that exists already. Takes it over, also on failure. */
static int resource_wrap(struct gpu_device *dev, struct winsys_bo *bo, struct resource **out)
{
	struct resource *res = device_alloc(dev, sizeof(*res));

	if (!res) {
		dev->ws->ops->bo_destroy(bo);
		return -ENOMEM;
	}
	res->base.desc = bo->desc;
	res->base.usage = GPU_USAGE_DEFAULT;
	res->base.bo = res->tracked.bo = bo;
	fill_counts(res);
	*out = res;
	return 0;
}

int gpu_ds_create(struct gpu_device *dev, struct d3dgpu_ds_mailbox *ds, struct gpu_resource **out)
{
	struct winsys_bo *bo;
	struct resource *res;
	int error = dev->ws->ops->ds_create(dev->ws, ds, &bo);

	if (error == -ENOMEM && !device_idle(dev))
		error = dev->ws->ops->ds_create(dev->ws, ds, &bo);
	if (!error)
		error = resource_wrap(dev, bo, &res);
	if (error)
		return error;
	res->base.discard = ds->discard;
	*out = &res->base;
	return 0;
}

int gpu_resource_open(struct gpu_device *dev, uint64_t token, struct gpu_resource **out)
{
	struct winsys_bo *bo;
	struct resource *res;
	int error = dev->ws->ops->open(dev->ws, token, &bo);

	if (error)
		return error;
	if (bo->kind == WINSYS_BO_STAGING) {
		dev->ws->ops->bo_destroy(bo);
		return -EINVAL;
	}
	error = resource_wrap(dev, bo, &res);
	if (error)
		return error;
	res->written = true;
	*out = &res->base;
	return 0;
}

int gpu_resource_share(struct gpu_device *dev, struct gpu_resource *base, uint64_t *token)
{
	struct resource *res = to_resource(base);
	int error;

	if (!base->bo || res->slots.count)
		return -EINVAL;
	error = dev->ws->ops->share(base->bo, token);
	/* What was drawn until now is what others shall see. */
	if (!error)
		error = gpu_flush(dev, NULL);
	return error;
}

void gpu_resource_destroy(struct gpu_device *dev, struct gpu_resource *base)
{
	struct resource *res = to_resource(base);

	if (!base)
		return;
	unbind_resource(dev, res);
	mappings_drop(dev, res);
	device_retire(dev, &res->tracked);
	device_retire(dev, &res->shadow);
	resource_free(res);
}
