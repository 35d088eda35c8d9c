/* SPDX-License-Identifier: MIT */
/*
 * The engine moves less per call than its interface suggests: a read returns one layer or slice whatever depth the box
 * has, and a write to a cube or to a compressed array takes one layer. So every call here is for one layer or slice.
 */
#include "transfer.h"

#include "engine.h"
#include "log.h"
#include "samples.h"

static int transfer_box(const struct resource *resource, enum transfer_direction direction, uint32_t level,
			const struct engine_box *box, const struct engine_layout *layout)
{
	if (direction == TRANSFER_FLUSH)
		return engine_read(resource->id, level, box, layout);
	return engine_write(resource->id, level, box, layout);
}

static int transfer_slice(const struct resource *resource, enum transfer_direction direction, uint32_t level,
			  uint32_t slice, struct engine_layout layout)
{
	const struct d3dgpu_resource_desc *desc = &resource->desc;
	uint32_t rows = d3dgpu_level_extent(desc->height, level);
	struct engine_box box = {
		.z = slice,
		.width = d3dgpu_level_extent(desc->width, level),
		.height = rows,
		.depth = 1,
	};
	int error = 0;

	if (layout.pitch % d3dgpu_format_block(desc->format).bytes == 0)
		return transfer_box(resource, direction, level, &box, &layout);
	/* GL counts pitches in texels: with 12-byte texels ours is none, and the engine silently takes another. Row by
	 * row. */
	box.height = 1;
	for (box.y = 0; box.y < rows && !error; box.y++) {
		error = transfer_box(resource, direction, level, &box, &layout);
		layout.offset += layout.pitch;
	}
	return error;
}

static int transfer_subresource(const struct resource *resource, enum transfer_direction direction,
				uint32_t subresource)
{
	const struct d3dgpu_resource_desc *desc = &resource->desc;
	uint32_t level = subresource % (desc->last_level + 1u);
	uint32_t layer = subresource / (desc->last_level + 1u);
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);
	uint32_t rows = (d3dgpu_level_extent(desc->height, level) + block.height - 1) / block.height;
	uint32_t slices = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : 1;
	struct engine_layout layout = {
		.offset = d3dgpu_linear_offset(desc, level, layer),
		.pitch = d3dgpu_linear_pitch(desc, level),
	};
	int error = 0;

	layout.slice_pitch = layout.pitch * rows;
	for (uint32_t slice = 0; slice < slices && !error; slice++) {
		error = transfer_slice(resource, direction, level, layer + slice, layout);
		layout.offset += layout.slice_pitch;
	}
	return error;
}

static int transfer_buffer(const struct resource *resource, enum transfer_direction direction)
{
	struct engine_box box = {.width = resource->desc.width, .height = 1, .depth = 1};
	struct engine_layout layout = {0};

	if (direction == TRANSFER_FLUSH)
		return engine_read(resource->id, 0, &box, &layout);
	return engine_write(resource->id, 0, &box, &layout);
}

uint32_t transfer_run(const struct resource *resource, enum transfer_direction direction, uint32_t first,
		      uint32_t count, uint32_t *info)
{
	const struct d3dgpu_resource_desc *desc = &resource->desc;
	uint32_t total = d3dgpu_layer_count(desc) * (desc->last_level + 1u);
	int error = 0;

	if (first >= total || count > total - first)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (resource_is_range(desc))
		return D3DGPU_FAULT_NONE;
	if (!count)
		count = total - first;
	*info = first;
	if (desc->target == D3DGPU_TARGET_BUFFER) {
		error = transfer_buffer(resource, direction);
	} else {
		for (uint32_t i = 0; i < count && !error; i++) {
			*info = first + i;
			/* Multisampled resources have one level: the subresource is the layer. */
			if (desc->samples)
				error = samples_transfer(resource, direction, first + i);
			else
				error = transfer_subresource(resource, direction, first + i);
		}
	}
	if (error) {
		log_line("resource %u: transfer of subresource %u failed: %d", resource->id, *info, error);
		return D3DGPU_FAULT_BAD_RESOURCE;
	}
	*info = 0;
	return D3DGPU_FAULT_NONE;
}
