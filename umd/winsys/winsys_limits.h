/* SPDX-License-Identifier: MIT */
/* Which resources a GPU can have: the same answers as the kernel driver's. */
#ifndef D3DGPU_UMD_WINSYS_LIMITS_H
#define D3DGPU_UMD_WINSYS_LIMITS_H

#include "d3dgpu_caps.h"
#include "d3dgpu_ds.h"
#include "d3dgpu_resource.h"

static inline bool winsys_extent_supported(const struct d3dgpu_caps *caps, const struct d3dgpu_resource_desc *desc)
{
	uint32_t layers = caps->max_texture_layers ? caps->max_texture_layers : 1;

	switch (desc->target) {
	case D3DGPU_TARGET_BUFFER:
		return true;
	case D3DGPU_TARGET_3D:
		return desc->width <= caps->max_texture_3d && desc->height <= caps->max_texture_3d &&
		       desc->depth <= caps->max_texture_3d;
	case D3DGPU_TARGET_CUBE:
		return desc->width <= caps->max_texture_cube;
	case D3DGPU_TARGET_CUBE_ARRAY:
		return caps->options & D3DGPU_OPTION_CUBE_ARRAY && desc->width <= caps->max_texture_cube &&
		       desc->array_size <= layers;
	default:
		return desc->width <= caps->max_texture_2d && desc->height <= caps->max_texture_2d &&
		       desc->array_size <= layers;
	}
}

/* Staging buffers and depth-stencil surfaces have calls of their own, and are refused here. */
static inline bool winsys_resource_supported(const struct d3dgpu_caps *caps, const struct d3dgpu_resource_desc *desc)
{
	uint32_t format, log2 = 0;

	if (!d3dgpu_resource_valid(desc) || !winsys_extent_supported(caps, desc) ||
	    desc->bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_DEPTH_STENCIL))
		return false;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return true;
	format = caps->formats[desc->format];
	while (1u << log2 < desc->samples)
		log2++;
	return format && (!desc->samples || format & D3DGPU_FORMAT_SAMPLES(log2));
}

/* The 3D object of a depth-stencil surface that the unit admitted. */
static inline struct d3dgpu_resource_desc winsys_ds_desc(const struct d3dgpu_ds_mailbox *ds)
{
	struct d3dgpu_resource_desc desc = {
		.format = (uint16_t)ds->storage_format,
		.target = D3DGPU_TARGET_2D,
		.samples = ds->samples > 1 ? (uint8_t)ds->samples : 0,
		.bind = D3DGPU_BIND_DEPTH_STENCIL,
		.width = ds->width,
		.height = (uint16_t)ds->height,
		.depth = 1,
		.array_size = ds->layers,
		.last_level = (uint8_t)(ds->levels - 1),
	};

	if (ds->usage & D3DGPU_DS_USAGE_CUBE)
		desc.target = ds->layers == 6 ? D3DGPU_TARGET_CUBE : D3DGPU_TARGET_CUBE_ARRAY;
	else if (ds->layers > 1)
		desc.target = D3DGPU_TARGET_2D_ARRAY;
	if (ds->usage & D3DGPU_DS_USAGE_SAMPLE)
		desc.bind |= D3DGPU_BIND_SAMPLER_VIEW;
	return desc;
}

/* A staging buffer of `size` bytes, as streams see it. */
static inline struct d3dgpu_resource_desc winsys_staging_desc(uint64_t size)
{
	return (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_STAGING,
		.width = (uint32_t)size,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
}

#endif
