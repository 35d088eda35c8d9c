/* SPDX-License-Identifier: MIT */
/*
 * Moving subresources between linear memory and the engine. The engine's transfers have gaps, which are closed here:
 * cube faces and compressed layers go one at a time, read-back is one slice at a time, and depth-stencil dwords are
 * rotated.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <string.h>

uint32_t box_row_bytes(const struct resource *res, const struct gpu_box *box)
{
	struct d3dgpu_block block = d3dgpu_format_block(res->base.desc.format);

	return (box->width + block.width - 1) / block.width * block.bytes;
}

uint32_t box_rows(const struct resource *res, const struct gpu_box *box)
{
	struct d3dgpu_block block = d3dgpu_format_block(res->base.desc.format);

	return (box->height + block.height - 1) / block.height;
}

uint64_t box_offset(const struct resource *res, const struct gpu_box *box, uint32_t pitch, uint32_t slice_pitch)
{
	struct d3dgpu_block block = d3dgpu_format_block(res->base.desc.format);

	return (uint64_t)box->z * slice_pitch + (uint64_t)(box->y / block.height) * pitch +
	       box->x / block.width * block.bytes;
}

void copy_linear(const struct resource *res, const struct gpu_box *box, uint8_t *dst, uint32_t dst_pitch,
		 uint32_t dst_slice_pitch, const uint8_t *src, uint32_t src_pitch, uint32_t src_slice_pitch)
{
	uint32_t bytes = box_row_bytes(res, box), rows = box_rows(res, box);

	for (uint32_t z = 0; z < box->depth; z++)
		for (uint32_t y = 0; y < rows; y++)
			memcpy(dst + (size_t)z * dst_slice_pitch + (size_t)y * dst_pitch,
			       src + (size_t)z * src_slice_pitch + (size_t)y * src_pitch, bytes);
}

void reorder_depth(const struct resource *res, const struct gpu_box *box, uint8_t *data, uint32_t pitch,
		   uint32_t slice_pitch, enum depth_order order)
{
	/* engine: depth << 8 | stencil; Direct3D: stencil << 24 | depth */
	unsigned right = order == DEPTH_ENGINE_TO_D3D ? 8 : 24;

	if (!resource_packs_stencil(res))
		return;
	for (uint32_t z = 0; z < box->depth; z++)
		for (uint32_t y = 0; y < box->height; y++) {
			uint32_t *texel = (uint32_t *)(data + (size_t)z * slice_pitch + (size_t)y * pitch);

			for (uint32_t x = 0; x < box->width; x++)
				texel[x] = texel[x] >> right | texel[x] << (32 - right);
		}
}

/* The engine's box of a part of a subresource; for arrays and cubes z is the layer. */
static struct stream_box engine_box(const struct resource *res, uint32_t subresource, const struct gpu_box *box)
{
	uint32_t layer = subresource / res->base.levels;

	if (resource_is_buffer(res))
		return (struct stream_box){buffer_offset(res) + box->x, 0, 0, box->width, 1, 1};
	return (struct stream_box){
		.x = box->x,
		.y = box->y,
		.z = res->base.desc.target == D3DGPU_TARGET_3D ? box->z : layer,
		.width = box->width,
		.height = box->height,
		.depth = box->depth,
	};
}

static int transfer(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
		    const struct linear_image *image, bool read)
{
	bool buffer = resource_is_buffer(res);
	uint32_t slices = read ? box->depth : 1;
	struct stream_transfer t = {
		.level = subresource % res->base.levels,
		.stride = buffer ? 0 : image->pitch,
		.layer_stride = buffer ? 0 : image->slice_pitch,
		.box = engine_box(res, subresource, box),
		.from_resource = read,
		.synchronized = true,
	};
	const struct list_use uses[] = {use_of(res, !read), use_of_memory(image->staging, read)};

	if (res->base.desc.samples || image->offset + (uint64_t)slices * image->slice_pitch > UINT32_MAX)
		return -EINVAL;
	t.box.depth /= slices;
	dev->units_disturbed |= !buffer;
	for (uint32_t i = 0; i < slices; i++) {
		int error = device_claim(dev, 2 * STREAM_COMMAND_WORDS, uses, 2);

		if (error)
			return error;
		t.resource = res->tracked.bo->res_id;
		t.staging = image->staging->bo->res_id;
		t.offset = (uint32_t)(image->offset + (uint64_t)i * image->slice_pitch);
		stream_transfer(&dev->stream, &t);
		t.box.z++;
	}
	dev->stats.copies++;
	return dev->stream.error;
}

int transfer_write(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
		   const struct linear_image *image)
{
	return transfer(dev, res, subresource, box, image, false);
}

int transfer_read(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
		  const struct linear_image *image)
{
	return transfer(dev, res, subresource, box, image, true);
}
