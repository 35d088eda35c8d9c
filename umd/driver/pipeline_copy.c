/* SPDX-License-Identifier: MIT */
/* Copies, blits, mip maps, discard. */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies ---- */

/* The box in the destination that a box of the source lands on. Returns 0 or -EINVAL when it does not fit. */
static int target_box(struct resource *dst, uint32_t subresource, uint32_t x, uint32_t y, uint32_t z,
		      const struct gpu_box *from, struct gpu_box *out)
{
	struct gpu_box box = {x, y, z, from->width, from->height, from->depth};

	return resource_box(dst, subresource, &box, out);
}

/* Formats between which the engine copies bits: the same, and pairs that differ in sRGB only. */
static bool raw_copy(uint32_t a, uint32_t b)
{
	static const uint16_t pairs[][2] = {
		{D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_FMT_B8G8R8A8_SRGB},
		{D3DGPU_FMT_B8G8R8X8_UNORM, D3DGPU_FMT_B8G8R8X8_SRGB},
		{D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_FMT_R8G8B8A8_SRGB},
		{D3DGPU_FMT_DXT1_RGB, D3DGPU_FMT_DXT1_SRGB},
		{D3DGPU_FMT_DXT1_RGBA, D3DGPU_FMT_DXT1_SRGBA},
		{D3DGPU_FMT_DXT3_RGBA, D3DGPU_FMT_DXT3_SRGBA},
		{D3DGPU_FMT_DXT5_RGBA, D3DGPU_FMT_DXT5_SRGBA},
		{D3DGPU_FMT_BPTC_RGBA_UNORM, D3DGPU_FMT_BPTC_SRGBA},
		{D3DGPU_FMT_L8_UNORM, D3DGPU_FMT_L8_SRGB},
	};

	if (a == b)
		return true;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if ((a == pairs[i][0] && b == pairs[i][1]) || (a == pairs[i][1] && b == pairs[i][0]))
			return true;
	return false;
}

static bool boxes_overlap(const struct gpu_box *a, const struct gpu_box *b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height &&
	       a->z < b->z + b->depth && b->z < a->z + a->depth;
}

/* Within one image, where source and destination may share texels: through memory of its own. */
static int copy_linear_overlapping(struct gpu_device *dev, struct resource *res, const struct gpu_box *box, uint8_t *to,
				   const uint8_t *from, uint32_t pitch, uint32_t slice_pitch)
{
	uint32_t row = box_row_bytes(res, box), slice = row * box_rows(res, box);
	uint8_t *between = device_alloc(dev, (size_t)slice * box->depth);

	if (!between)
		return -ENOMEM;
	copy_linear(res, box, between, row, slice, from, pitch, slice_pitch);
	copy_linear(res, box, to, pitch, slice_pitch, between, row, slice);
	free(between);
	return 0;
}

static int copy_in_memory(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub, const struct gpu_box *dst_box,
			  struct resource *src, uint32_t src_sub, const struct gpu_box *src_box)
{
	uint8_t *to_map = dst->shadow.bo->map;
	const uint8_t *from_map = src->shadow.bo->map;
	struct linear_image to = staging_image(dst, dst_sub, dst_box), from = staging_image(src, src_sub, src_box);
	int error = device_wait(dev, src->write_serial);

	if (!error)
		error = device_wait(dev, dst->write_serial > dst->read_serial ? dst->write_serial : dst->read_serial);
	if (!error)
		error = staging_order(dev, src, src_sub, false);
	if (!error)
		error = staging_order(dev, dst, dst_sub, false);
	if (error)
		return error;
	dst->written = true;
	if (dst == src && dst_sub == src_sub)
		return copy_linear_overlapping(dev, dst, src_box, to_map + to.offset, from_map + from.offset, to.pitch,
					       to.slice_pitch);
	copy_linear(dst, src_box, to_map + to.offset, to.pitch, to.slice_pitch, from_map + from.offset, from.pitch,
		    from.slice_pitch);
	return 0;
}

static int copy_upload(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub, const struct gpu_box *dst_box,
		       struct resource *src, uint32_t src_sub, const struct gpu_box *src_box)
{
	struct linear_image from = staging_image(src, src_sub, src_box);
	int error = staging_order(dev, src, src_sub, true);

	if (!error)
		error = slots_send(dev, dst, 0, UINT32_MAX);
	if (!error)
		error = transfer_write(dev, dst, dst_sub, dst_box, &from);
	if (error)
		return error;
	src->read_serial = dev->serial;
	dst->slots.stale = true;
	return 0;
}

/* Part of a compressed level: the engine only reads whole ones, so the CPU cuts it out. */
static int copy_compressed_part(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub,
				const struct gpu_box *dst_box, struct resource *src, uint32_t src_sub,
				const struct gpu_box *src_box)
{
	struct linear_image to = staging_image(dst, dst_sub, dst_box);
	struct gpu_mapping map;
	int error = gpu_map(dev, &src->base, src_sub, src_box, GPU_MAP_READ, &map);

	if (error)
		return error;
	copy_linear(dst, src_box, (uint8_t *)dst->shadow.bo->map + to.offset, to.pitch, to.slice_pitch, map.data,
		    map.pitch, map.slice_pitch);
	gpu_unmap(dev, &src->base, src_sub);
	dst->written = true;
	return 0;
}

static int copy_download(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub, const struct gpu_box *dst_box,
			 struct resource *src, uint32_t src_sub, const struct gpu_box *src_box)
{
	struct linear_image to = staging_image(dst, dst_sub, dst_box);
	struct level_extent level = resource_level(src, src_sub);
	int error;

	if (d3dgpu_format_block(src->base.desc.format).width > 1 &&
	    (src_box->width != level.width || src_box->height != level.height))
		return copy_compressed_part(dev, dst, dst_sub, dst_box, src, src_sub, src_box);
	error = staging_order(dev, dst, dst_sub, true);
	if (!error)
		error = slots_send(dev, src, 0, UINT32_MAX);
	if (!error)
		error = transfer_read(dev, src, src_sub, src_box, &to);
	if (error)
		return error;
	dst->write_serial = dev->serial;
	dst->written = true;
	return 0;
}

static struct stream_box copy_box(const struct resource *res, uint32_t subresource, const struct gpu_box *box)
{
	struct stream_box out = {box->x, box->y, box->z, box->width, box->height, box->depth};

	if (resource_is_buffer(res))
		out.x += buffer_offset(res);
	else if (res->base.desc.target != D3DGPU_TARGET_3D)
		out.z = subresource / res->base.levels;
	return out;
}

/*
 * Between formats of one size that the engine would convert, and between parts of a subresource that overlap, which the
 * engine copies in no order: the bits go through staging memory, in stream order and without the CPU.
 */
static int copy_bits(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub, const struct gpu_box *dst_box,
		     struct resource *src, uint32_t src_sub, const struct gpu_box *src_box)
{
	struct d3dgpu_block from = d3dgpu_format_block(src->base.desc.format),
			    to = d3dgpu_format_block(dst->base.desc.format);
	struct staging_range range;
	struct linear_image image;
	int error;

	if (from.bytes != to.bytes || from.width != 1 || to.width != 1 || dst->base.desc.samples ||
	    src->base.desc.samples)
		return -ENOTSUP;
	image.pitch = (uint32_t)d3dgpu_align(box_row_bytes(src, src_box), D3DGPU_PITCH_ALIGN);
	image.slice_pitch = image.pitch * box_rows(src, src_box);
	error = staging_alloc(dev, (uint64_t)image.slice_pitch * src_box->depth, &range);
	if (error)
		return error;
	image.staging = &range.chunk->tracked;
	image.offset = range.offset;
	error = transfer_read(dev, src, src_sub, src_box, &image);
	if (!error)
		error = transfer_write(dev, dst, dst_sub, dst_box, &image);
	staging_release(dev, &range);
	return error;
}

/* Room for a command from one resource to another, which go into the list. */
static int use_both(struct gpu_device *dev, struct resource *dst, struct resource *src)
{
	const struct list_use uses[] = {use_of(src, false), use_of(dst, true)};

	return device_claim(dev, 3 * STREAM_COMMAND_WORDS, uses, 2);
}

static int copy_in_engine(struct gpu_device *dev, struct resource *dst, uint32_t dst_sub, const struct gpu_box *dst_box,
			  struct resource *src, uint32_t src_sub, const struct gpu_box *src_box)
{
	struct stream_box to, from;
	int error;

	if (dst->base.desc.samples != src->base.desc.samples)
		return -ENOTSUP;
	if (!raw_copy(dst->base.desc.format, src->base.desc.format) ||
	    (dst == src && dst_sub == src_sub && boxes_overlap(dst_box, src_box)))
		return copy_bits(dev, dst, dst_sub, dst_box, src, src_sub, src_box);
	error = slots_send(dev, src, 0, UINT32_MAX);
	if (!error)
		error = slots_send(dev, dst, 0, UINT32_MAX);
	if (error)
		return error;
	error = use_both(dev, dst, src);
	if (error)
		return error;
	to = copy_box(dst, dst_sub, dst_box);
	from = copy_box(src, src_sub, src_box);
	dev->units_disturbed |= !resource_is_buffer(dst);
	stream_copy_region(&dev->stream, dst->tracked.bo->res_id, dst_sub % dst->base.levels, to.x, to.y, to.z,
			   src->tracked.bo->res_id, src_sub % src->base.levels, &from);
	dst->slots.stale = true;
	dev->stats.copies++;
	return dev->stream.error;
}

int gpu_copy(struct gpu_device *dev, struct gpu_resource *dst_base, uint32_t dst_sub, uint32_t x, uint32_t y,
	     uint32_t z, struct gpu_resource *src_base, uint32_t src_sub, const struct gpu_box *box)
{
	struct resource *dst = to_resource(dst_base), *src = to_resource(src_base);
	bool dst_staging = dst_base->usage == GPU_USAGE_STAGING, src_staging = src_base->usage == GPU_USAGE_STAGING;
	struct gpu_box from, to;

	if (resource_box(src, src_sub, box, &from) || target_box(dst, dst_sub, x, y, z, &from, &to) ||
	    resource_is_buffer(dst) != resource_is_buffer(src) ||
	    d3dgpu_format_block(dst_base->desc.format).bytes != d3dgpu_format_block(src_base->desc.format).bytes)
		return -EINVAL;
	if (dst_staging && src_staging)
		return copy_in_memory(dev, dst, dst_sub, &to, src, src_sub, &from);
	if (src_staging)
		return copy_upload(dev, dst, dst_sub, &to, src, src_sub, &from);
	if (dst_staging)
		return copy_download(dev, dst, dst_sub, &to, src, src_sub, &from);
	return copy_in_engine(dev, dst, dst_sub, &to, src, src_sub, &from);
}

/* ---- blits ---- */

/* Whether a possibly mirrored range lies inside an extent. */
static bool range_inside(int32_t first, int32_t count, uint32_t extent)
{
	int64_t low = count < 0 ? (int64_t)first + count : first, high = count < 0 ? first : (int64_t)first + count;

	return count && low >= 0 && high <= (int64_t)extent;
}

static bool blit_end_valid(const struct resource *res, const struct stream_blit_end *end)
{
	struct level_extent extent;
	uint32_t layers;

	if (end->level >= res->base.levels)
		return false;
	extent = resource_level(res, end->level);
	layers = res->base.desc.target == D3DGPU_TARGET_3D ? extent.depth : res->base.layers;
	return range_inside(end->x, end->width, extent.width) && range_inside(end->y, end->height, extent.height) &&
	       end->depth > 0 && range_inside(end->z, end->depth, layers);
}

int gpu_blit(struct gpu_device *dev, const struct gpu_blit *b)
{
	struct resource *dst = to_resource(b->dst), *src = to_resource(b->src);
	struct stream_blit_end to = {
		.level = b->dst_sub % b->dst->levels,
		.format = b->dst_format ? b->dst_format : b->dst->desc.format,
		.x = b->dst_x,
		.y = b->dst_y,
		.z = b->dst_z,
		.width = b->dst_width,
		.height = b->dst_height,
		.depth = b->dst_depth,
	};
	struct stream_blit_end from = {
		.level = b->src_sub % b->src->levels,
		.format = b->src_format ? b->src_format : b->src->desc.format,
		.x = b->src_x,
		.y = b->src_y,
		.z = b->src_z,
		.width = b->src_width,
		.height = b->src_height,
		.depth = b->src_depth,
	};
	int error;

	if (resource_is_buffer(dst) || resource_is_buffer(src) || !b->dst->bo || !b->src->bo || !b->mask)
		return -EINVAL;
	if (b->dst->desc.target != D3DGPU_TARGET_3D)
		to.z += (int32_t)(b->dst_sub / b->dst->levels);
	if (b->src->desc.target != D3DGPU_TARGET_3D)
		from.z += (int32_t)(b->src_sub / b->src->levels);
	if (!blit_end_valid(dst, &to) || !blit_end_valid(src, &from))
		return -EINVAL;
	error = use_both(dev, dst, src);
	if (error)
		return error;
	to.resource = dst->tracked.bo->res_id;
	from.resource = src->tracked.bo->res_id;
	dev->units_disturbed = true;
	stream_blit(&dev->stream, b->mask, b->linear ? D3DGPU_FILTER_LINEAR : D3DGPU_FILTER_NEAREST, &to, &from);
	dev->stats.copies++;
	return dev->stream.error;
}

int gpu_generate_mips(struct gpu_device *dev, struct gpu_view *view)
{
	struct resource *res = view->res;
	bool volume = res->base.desc.target == D3DGPU_TARGET_3D;

	for (uint32_t layer = view->first_layer; layer <= view->last_layer; layer++)
		for (uint32_t level = view->first_level + 1; level <= view->last_level; level++) {
			struct level_extent to = resource_level(res, level), from = resource_level(res, level - 1);
			struct gpu_blit blit = {
				.dst = &res->base,
				.src = &res->base,
				.dst_sub = level + layer * res->base.levels,
				.src_sub = level - 1 + layer * res->base.levels,
				.dst_format = view->format,
				.src_format = view->format,
				.dst_width = (int32_t)to.width,
				.dst_height = (int32_t)to.height,
				.dst_depth = volume ? (int32_t)to.depth : 1,
				.src_width = (int32_t)from.width,
				.src_height = (int32_t)from.height,
				.src_depth = volume ? (int32_t)from.depth : 1,
				.mask = D3DGPU_MASK_RGBA,
				.linear = true,
			};
			int error = gpu_blit(dev, &blit);

			if (error)
				return error;
		}
	return 0;
}

/* ---- discard ---- */

/* What D3DGPU_DEBUG=discard fills with: magenta, a depth and a stencil value that nobody clears to. */
static int fill_pattern(struct gpu_device *dev, struct resource *res)
{
	static const float magenta[4] = {1, 0, 1, 1};
	bool depth = res->base.desc.bind & D3DGPU_BIND_DEPTH_STENCIL;
	struct gpu_surface_desc desc = {.last_layer = (uint16_t)(res->base.layers - 1)};
	struct gpu_surface *surface;
	uint32_t color[4];
	int error = gpu_surface_create(dev, &res->base, &desc, &surface);

	if (error)
		return error;
	memcpy(color, magenta, sizeof(color));
	if (depth)
		error = gpu_clear_depth_stencil(dev, surface, GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL, 0.666f, 0xdd, 0,
						NULL);
	else
		error = gpu_clear_color(dev, surface, color, 0, NULL);
	gpu_surface_destroy(dev, surface);
	return error;
}

void gpu_discard(struct gpu_device *dev, struct gpu_resource *base)
{
	struct resource *res = to_resource(base);

	if (dev->debug & DEBUG_DISCARD && base->bo && base->desc.target == D3DGPU_TARGET_2D &&
	    base->desc.bind & (D3DGPU_BIND_DEPTH_STENCIL | D3DGPU_BIND_RENDER_TARGET))
		fill_pattern(dev, res);
	else
		res->written = false; /* a partial write need not read it back first */
}
