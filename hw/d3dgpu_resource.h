/* SPDX-License-Identifier: MIT */
/*
 * What a 3D resource is, and its linear image: how its content lies in its VRAM range when it is not in the engine.
 *
 * Linear image: subresources in Direct3D order, subresource = level + layer * (last_level + 1), each beginning at a
 * multiple of D3DGPU_LINEAR_ALIGN. A row of blocks takes d3dgpu_linear_pitch() bytes, a slice of a volume pitch * block rows.
 * A multisampled resource has `samples` such images one after the other, sample 0 first. A buffer is its bytes.
 */
#ifndef D3DGPU_RESOURCE_H
#define D3DGPU_RESOURCE_H

#include "d3dgpu_format.h"
#include "d3dgpu_types.h"

/* Targets, as the command stream numbers them */
enum d3dgpu_target {
	D3DGPU_TARGET_BUFFER = 0,
	D3DGPU_TARGET_1D = 1,
	D3DGPU_TARGET_2D = 2,
	D3DGPU_TARGET_3D = 3,
	D3DGPU_TARGET_CUBE = 4,
	D3DGPU_TARGET_1D_ARRAY = 6,
	D3DGPU_TARGET_2D_ARRAY = 7,
	D3DGPU_TARGET_CUBE_ARRAY = 8,
};

/* Bind flags, as the command stream numbers them */
#define D3DGPU_BIND_DEPTH_STENCIL 0x1u
#define D3DGPU_BIND_RENDER_TARGET 0x2u
#define D3DGPU_BIND_SAMPLER_VIEW 0x8u
#define D3DGPU_BIND_VERTEX_BUFFER 0x10u
#define D3DGPU_BIND_INDEX_BUFFER 0x20u
#define D3DGPU_BIND_CONSTANT_BUFFER 0x40u
#define D3DGPU_BIND_STREAM_OUTPUT 0x800u
#define D3DGPU_BIND_SHADER_BUFFER 0x4000u
#define D3DGPU_BIND_QUERY_BUFFER 0x8000u
#define D3DGPU_BIND_CUSTOM 0x20000u	/* query results: the VRAM range is the storage */
#define D3DGPU_BIND_SCANOUT 0x40000u
#define D3DGPU_BIND_STAGING 0x80000u	/* the VRAM range is the storage; CPU-mappable; transfers only */
#define D3DGPU_BIND_ALL 0xec87bu

struct d3dgpu_resource_desc {
	uint16_t format;		/* enum d3dgpu_format; buffers: D3DGPU_FMT_R8_UNORM */
	uint8_t target;			/* enum d3dgpu_target */
	uint8_t samples;		/* 0 = single-sampled, or 2, 4, 8, 16 */
	uint32_t bind;			/* D3DGPU_BIND_* */
	uint32_t width;			/* texels, or bytes of a buffer */
	uint16_t height;
	uint16_t depth;
	uint16_t array_size;		/* layers; 6 for a cube */
	uint8_t last_level;
	uint8_t flags;			/* 0 */
	uint32_t reserved;		/* 0 */
};
D3DGPU_ASSERT_SIZE(struct d3dgpu_resource_desc, 24);

#define D3DGPU_LINEAR_ALIGN 256u	/* bytes, of a subresource */
#define D3DGPU_PITCH_ALIGN 64u		/* bytes, of a row */
#define D3DGPU_RESOURCE_ALIGN 4096u	/* bytes, of a resource's VRAM range */

static inline uint32_t d3dgpu_level_extent(uint32_t extent, uint32_t level)
{
	extent >>= level;
	return extent ? extent : 1;
}

static inline uint64_t d3dgpu_align(uint64_t value, uint64_t alignment)
{
	return (value + alignment - 1) & ~(alignment - 1);
}

static inline uint32_t d3dgpu_layer_count(const struct d3dgpu_resource_desc *desc)
{
	return desc->target == D3DGPU_TARGET_3D || desc->target == D3DGPU_TARGET_BUFFER ? 1u : desc->array_size;
}

/* Bytes from one row of blocks to the next at a level. */
static inline uint32_t d3dgpu_linear_pitch(const struct d3dgpu_resource_desc *desc, uint32_t level)
{
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);
	uint32_t width = d3dgpu_level_extent(desc->width, level);

	return (uint32_t)d3dgpu_align((uint64_t)((width + block.width - 1) / block.width) * block.bytes, D3DGPU_PITCH_ALIGN);
}

/* Bytes of one subresource at a level: all slices of a volume, one layer of anything else, one sample. */
static inline uint64_t d3dgpu_linear_level_size(const struct d3dgpu_resource_desc *desc, uint32_t level)
{
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);
	uint32_t rows = (d3dgpu_level_extent(desc->height, level) + block.height - 1) / block.height;
	uint32_t slices = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : 1;

	if (desc->target == D3DGPU_TARGET_BUFFER)
		return desc->width;
	return d3dgpu_align((uint64_t)d3dgpu_linear_pitch(desc, level) * rows * slices, D3DGPU_LINEAR_ALIGN);
}

/* Byte offset of a subresource in the range (sample 0). */
static inline uint64_t d3dgpu_linear_offset(const struct d3dgpu_resource_desc *desc, uint32_t level, uint32_t layer)
{
	uint64_t chain = 0, offset = 0;

	for (uint32_t l = 0; l <= desc->last_level; l++) {
		if (l == level)
			offset = chain;
		chain += d3dgpu_linear_level_size(desc, l);
	}
	return layer * chain + offset;
}

/* Bytes of the whole linear image, a multiple of D3DGPU_RESOURCE_ALIGN: the size of the VRAM range. */
static inline uint64_t d3dgpu_linear_size(const struct d3dgpu_resource_desc *desc)
{
	uint64_t size = d3dgpu_linear_offset(desc, 0, d3dgpu_layer_count(desc));

	if (desc->target == D3DGPU_TARGET_BUFFER)
		size = desc->width;
	return d3dgpu_align(size * (desc->samples ? desc->samples : 1), D3DGPU_RESOURCE_ALIGN);
}

/*
 * Whether a descriptor is well-formed: extents against the target, levels, samples, reserved fields. Limits and formats that
 * depend on the GPU are in the capabilities. Sizes stay below 2^48 for every descriptor that passes.
 */
static inline bool d3dgpu_resource_valid(const struct d3dgpu_resource_desc *desc)
{
	uint32_t largest = desc->width;

	if (desc->flags || desc->reserved || (desc->bind & ~D3DGPU_BIND_ALL) || !desc->bind)
		return false;
	if (!desc->width || !desc->height || !desc->depth || !desc->array_size || !d3dgpu_format_block(desc->format).bytes)
		return false;
	if (desc->samples && (desc->samples > 16 || desc->samples == 1 || (desc->samples & (desc->samples - 1))))
		return false;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return desc->height == 1 && desc->depth == 1 && desc->array_size == 1 && !desc->last_level && !desc->samples &&
		       desc->format == D3DGPU_FMT_R8_UNORM;
	if (desc->width > 16384 || desc->height > 16384 || desc->depth > 2048 || desc->array_size > 2048)
		return false;
	if (desc->bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_CUSTOM | D3DGPU_BIND_VERTEX_BUFFER | D3DGPU_BIND_INDEX_BUFFER |
			  D3DGPU_BIND_CONSTANT_BUFFER | D3DGPU_BIND_STREAM_OUTPUT | D3DGPU_BIND_QUERY_BUFFER))
		return false;
	if (desc->samples && (desc->last_level || (desc->target != D3DGPU_TARGET_2D && desc->target != D3DGPU_TARGET_2D_ARRAY)))
		return false;
	if (desc->height > largest)
		largest = desc->height;
	if (desc->depth > largest)
		largest = desc->depth;
	if (desc->last_level > 14 || !(largest >> desc->last_level))
		return false;
	switch (desc->target) {
	case D3DGPU_TARGET_1D:
		return desc->height == 1 && desc->depth == 1 && desc->array_size == 1;
	case D3DGPU_TARGET_1D_ARRAY:
		return desc->height == 1 && desc->depth == 1;
	case D3DGPU_TARGET_2D:
		return desc->depth == 1 && desc->array_size == 1;
	case D3DGPU_TARGET_2D_ARRAY:
		return desc->depth == 1;
	case D3DGPU_TARGET_3D:
		return desc->array_size == 1;
	case D3DGPU_TARGET_CUBE:
		return desc->depth == 1 && desc->array_size == 6 && desc->width == desc->height;
	case D3DGPU_TARGET_CUBE_ARRAY:
		return desc->depth == 1 && desc->array_size % 6 == 0 && desc->width == desc->height;
	default:
		return false;
	}
}

#endif
