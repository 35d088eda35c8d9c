/* SPDX-License-Identifier: MIT */
/*
 * Copies and fills. A resource lives in system memory (the runtime's images) or in video memory; a copy between the two
 * is an upload or a read-back, inside video memory a copy or, when it scales, converts or resolves, a blit.
 */
#include "d3d9_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A part of a subresource, in texels. */
struct region {
	struct d3d9_resource *resource;
	UINT subresource;
	struct gpu_box box;
};

static UINT subresource_count(const struct d3d9_resource *resource)
{
	return resource->levels * resource->layers;
}

static struct gpu_box rect_box(const RECT *rect)
{
	return (struct gpu_box){
		.x = (uint32_t)rect->left,
		.y = (uint32_t)rect->top,
		.width = (uint32_t)(rect->right - rect->left),
		.height = (uint32_t)(rect->bottom - rect->top),
		.depth = 1,
	};
}

static struct gpu_box level_box(const struct d3d9_resource *resource, UINT level)
{
	return (struct gpu_box){
		.width = d3dgpu_level_extent(resource->width, level),
		.height = d3dgpu_level_extent(resource->height, level),
		.depth = d3dgpu_level_extent(resource->depth, level),
	};
}

/* ---- between system and video memory ---- */

static uint8_t *image_at(const struct region *region)
{
	const struct d3d9_image *image = &region->resource->images[region->subresource];
	struct d3dgpu_block block = d3dgpu_format_block(region->resource->format->format);

	return image->data + (size_t)region->box.z * image->slice_pitch +
	       (size_t)(region->box.y / block.height) * image->pitch +
	       (size_t)(region->box.x / block.width) * block.bytes;
}

static int upload(struct d3d9_device *dev, const struct region *dst, const struct region *src)
{
	const struct d3d9_image *image = &src->resource->images[src->subresource];
	struct gpu_box box = dst->box;

	box.width = src->box.width;
	box.height = src->box.height;
	box.depth = src->box.depth;
	return gpu_update(dev->gpu, dst->resource->gpu, dst->subresource, &box, image_at(src), image->pitch,
			  image->slice_pitch);
}

static void copy_rows(uint8_t *dst, UINT dst_pitch, UINT dst_slice, const uint8_t *src, UINT src_pitch, UINT src_slice,
		      const struct gpu_box *box, struct d3dgpu_block block)
{
	UINT rows = (box->height + block.height - 1) / block.height;
	size_t bytes = (size_t)((box->width + block.width - 1) / block.width) * block.bytes;

	for (UINT z = 0; z < box->depth; z++)
		for (UINT y = 0; y < rows; y++)
			memcpy(dst + (size_t)z * dst_slice + (size_t)y * dst_pitch,
			       src + (size_t)z * src_slice + (size_t)y * src_pitch, bytes);
}

static int read_back(struct d3d9_device *dev, const struct region *dst, const struct region *src)
{
	const struct d3d9_image *image = &dst->resource->images[dst->subresource];
	struct gpu_mapping mapping;
	int err = gpu_map(dev->gpu, src->resource->gpu, src->subresource, &src->box, GPU_MAP_READ, &mapping);

	if (err)
		return err;
	copy_rows(image_at(dst), image->pitch, image->slice_pitch, mapping.data, mapping.pitch, mapping.slice_pitch,
		  &src->box, d3dgpu_format_block(src->resource->format->format));
	gpu_unmap(dev->gpu, src->resource->gpu, src->subresource);
	return 0;
}

static void copy_images(const struct region *dst, const struct region *src)
{
	const struct d3d9_image *to = &dst->resource->images[dst->subresource];
	const struct d3d9_image *from = &src->resource->images[src->subresource];

	copy_rows(image_at(dst), to->pitch, to->slice_pitch, image_at(src), from->pitch, from->slice_pitch, &src->box,
		  d3dgpu_format_block(src->resource->format->format));
}

/* ---- inside video memory ---- */

static int blit(struct d3d9_device *dev, const struct region *dst, const struct region *src,
		const D3DDDI_BLTFLAGS *flags)
{
	bool depth = dst->resource->format->flags & D3D9_FORMAT_DEPTH;
	struct gpu_blit args = {
		.dst = dst->resource->gpu,
		.src = src->resource->gpu,
		.dst_sub = dst->subresource,
		.src_sub = src->subresource,
		.dst_x = (int32_t)dst->box.x,
		.dst_y = (int32_t)dst->box.y,
		.dst_z = (int32_t)dst->box.z,
		.dst_width = (int32_t)dst->box.width,
		.dst_height = (int32_t)dst->box.height,
		.dst_depth = (int32_t)dst->box.depth,
		.src_x = (int32_t)src->box.x,
		.src_y = (int32_t)src->box.y,
		.src_z = (int32_t)src->box.z,
		.src_width = (int32_t)src->box.width,
		.src_height = (int32_t)src->box.height,
		.src_depth = (int32_t)src->box.depth,
		.mask = D3DGPU_MASK_RGBA,
		.linear = flags->Linear && !depth,
	};

	if (depth)
		args.mask = D3DGPU_MASK_DEPTH |
			    (dst->resource->format->flags & D3D9_FORMAT_STENCIL ? D3DGPU_MASK_STENCIL : 0);
	if (flags->MirrorLeftRight) {
		args.dst_x += args.dst_width;
		args.dst_width = -args.dst_width;
	}
	if (flags->MirrorUpDown) {
		args.dst_y += args.dst_height;
		args.dst_height = -args.dst_height;
	}
	if (flags->LinearToSrgb)
		args.dst_format = dst->resource->format->srgb;
	return gpu_blit(dev->gpu, &args);
}

static bool is_plain_copy(const struct region *dst, const struct region *src, const D3DDDI_BLTFLAGS *flags)
{
	return dst->resource->format->format == src->resource->format->format &&
	       dst->resource->samples == src->resource->samples && dst->resource->samples == 1 &&
	       dst->box.width == src->box.width && dst->box.height == src->box.height &&
	       dst->box.depth == src->box.depth && !flags->MirrorLeftRight && !flags->MirrorUpDown &&
	       !flags->LinearToSrgb;
}

static int copy_in_video_memory(struct d3d9_device *dev, const struct region *dst, const struct region *src,
				const D3DDDI_BLTFLAGS *flags)
{
	if (is_plain_copy(dst, src, flags))
		return gpu_copy(dev->gpu, dst->resource->gpu, dst->subresource, dst->box.x, dst->box.y, dst->box.z,
				src->resource->gpu, src->subresource, &src->box);
	return blit(dev, dst, src, flags);
}

static int copy_region(struct d3d9_device *dev, const struct region *dst, const struct region *src,
		       const D3DDDI_BLTFLAGS *flags)
{
	if (dst->subresource >= subresource_count(dst->resource) ||
	    src->subresource >= subresource_count(src->resource) || !dst->resource->format || !src->resource->format)
		return -EINVAL;
	if (dst->resource->gpu && src->resource->gpu)
		return copy_in_video_memory(dev, dst, src, flags);
	/* The runtime asks for system memory only with equal formats and sizes. */
	if (dst->resource->format->format != src->resource->format->format)
		return -EINVAL;
	if (dst->resource->gpu)
		return upload(dev, dst, src);
	if (src->resource->gpu)
		return read_back(dev, dst, src);
	copy_images(dst, src);
	return 0;
}

/* ---- entries ---- */

static HRESULT blt(HANDLE hDevice, const D3DDDIARG_BLT *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct region dst = {args->hDstResource, args->DstSubResourceIndex, rect_box(&args->DstRect)};
	struct region src = {args->hSrcResource, args->SrcSubResourceIndex, rect_box(&args->SrcRect)};

	if (args->Flags.SrcColorKey || args->Flags.DstColorKey || args->Flags.Rotate)
		return E_NOTIMPL;
	return d3d9_result(dev, copy_region(dev, &dst, &src, &args->Flags));
}

/* The part of a level that [first, end) of level 0 covers, in whole blocks and never empty: the last texel of an odd
 * extent has no texel of its own in the next level. */
static void level_span(UINT first, UINT end, UINT level, UINT extent, UINT block, uint32_t *start, uint32_t *size)
{
	UINT last = ((end - 1) >> level) + 1;

	first >>= level;
	if (first >= extent)
		first = extent - 1;
	last = (last + block - 1) / block * block;
	if (last > extent)
		last = extent;
	*start = first - first % block;
	*size = last - *start;
}

/* One rectangle of level 0, and of every further level the part that it covers. */
static HRESULT tex_blt1(HANDLE hDevice, const D3DDDIARG_TEXBLT1 *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *dst = args->hDstResource, *src = args->hSrcResource;
	UINT levels = dst->levels < src->levels ? dst->levels : src->levels;
	D3DDDI_BLTFLAGS flags = {.Point = 1};
	int err = 0;

	for (UINT level = 0; level < levels && !err; level++) {
		struct gpu_box whole = level_box(src, level);
		struct region from = {src, level + (src->layers > 1 ? args->CubeMapFace * src->levels : 0), whole};
		struct region to = {dst, level + (dst->layers > 1 ? args->CubeMapFace * dst->levels : 0), whole};
		struct d3dgpu_block block = d3dgpu_format_block(src->format->format);

		level_span((UINT)args->SrcRect.left, (UINT)args->SrcRect.right, level, whole.width, block.width,
			   &from.box.x, &from.box.width);
		level_span((UINT)args->SrcRect.top, (UINT)args->SrcRect.bottom, level, whole.height, block.height,
			   &from.box.y, &from.box.height);
		to.box = from.box;
		to.box.x += (UINT)((args->DstPoint.x - args->SrcRect.left) >> level);
		to.box.y += (UINT)((args->DstPoint.y - args->SrcRect.top) >> level);
		err = copy_region(dev, &to, &from, &flags);
	}
	return d3d9_result(dev, err);
}

static HRESULT vol_blt1(HANDLE hDevice, const D3DDDIARG_VOLUMEBLT1 *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *dst = args->hDstResource, *src = args->hSrcResource;
	UINT levels = dst->levels < src->levels ? dst->levels : src->levels;
	const D3DDDIBOX *box = &args->SrcBox;
	D3DDDI_BLTFLAGS flags = {.Point = 1};
	int err = 0;

	for (UINT level = 0; level < levels && !err; level++) {
		struct gpu_box whole = level_box(src, level);
		struct region from = {src, level, whole}, to = {dst, level, whole};
		struct d3dgpu_block block = d3dgpu_format_block(src->format->format);

		level_span(box->Left, box->Right, level, whole.width, block.width, &from.box.x, &from.box.width);
		level_span(box->Top, box->Bottom, level, whole.height, block.height, &from.box.y, &from.box.height);
		level_span(box->Front, box->Back, level, whole.depth, 1, &from.box.z, &from.box.depth);
		to.box = from.box;
		to.box.x += (UINT)((INT)(args->DstX - box->Left) >> level);
		to.box.y += (UINT)((INT)(args->DstY - box->Top) >> level);
		to.box.z += (UINT)((INT)(args->DstZ - box->Front) >> level);
		err = copy_region(dev, &to, &from, &flags);
	}
	return d3d9_result(dev, err);
}

static HRESULT buf_blt1(HANDLE hDevice, const D3DDDIARG_BUFFERBLT1 *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *dst = args->hDstResource, *src = args->hSrcResource;
	struct gpu_box box = {.x = args->SrcRange.Offset, .width = args->SrcRange.Size, .height = 1, .depth = 1};
	int err;

	if (!dst->gpu)
		return E_INVALIDARG;
	if (src->gpu) {
		err = gpu_copy(dev->gpu, dst->gpu, 0, args->Offset, 0, 0, src->gpu, 0, &box);
	} else {
		box.x = args->Offset;
		err = gpu_update(dev->gpu, dst->gpu, 0, &box, src->images[0].data + args->SrcRange.Offset, box.width,
				 box.width);
	}
	return d3d9_result(dev, err);
}

static HRESULT update_subresource_up(HANDLE hDevice, const D3DDDIARG_UPDATESUBRESOURCEUP *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource = args->hResource;
	struct gpu_box box;

	if (!resource->gpu || args->SubResourceIndex >= subresource_count(resource))
		return E_INVALIDARG;
	box = level_box(resource, args->SubResourceIndex % resource->levels);
	if (args->Flags.BoxValid)
		box = (struct gpu_box){args->DstBox.Left, args->DstBox.Top, args->DstBox.Front,
				       args->DstBox.Right - args->DstBox.Left, args->DstBox.Bottom - args->DstBox.Top,
				       args->DstBox.Back - args->DstBox.Front};
	return d3d9_result(dev, gpu_update(dev->gpu, resource->gpu, args->SubResourceIndex, &box, args->pSysMemUP,
					   args->RowPitch, args->DepthPitch));
}

static HRESULT color_fill(HANDLE hDevice, const D3DDDIARG_COLORFILL *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource = args->hResource;
	struct gpu_surface *surface = d3d9_surface(dev, resource, args->SubResourceIndex, false);
	struct gpu_rect rect = {args->DstRect.left, args->DstRect.top, args->DstRect.right, args->DstRect.bottom};
	float color[4];
	uint32_t bits[4];

	if (!surface)
		return E_INVALIDARG;
	color[0] = (float)(args->Color >> 16 & 0xff) / 255.0f;
	color[1] = (float)(args->Color >> 8 & 0xff) / 255.0f;
	color[2] = (float)(args->Color & 0xff) / 255.0f;
	color[3] = (float)(args->Color >> 24) / 255.0f;
	memcpy(bits, color, sizeof(bits));
	return d3d9_result(dev, gpu_clear_color(dev->gpu, surface, bits, 1, &rect));
}

static HRESULT generate_mips(HANDLE hDevice, const D3DDDIARG_GENERATEMIPSUBLEVELS *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct gpu_view *view = d3d9_view(dev, args->hResource, false);

	return view ? d3d9_result(dev, gpu_generate_mips(dev->gpu, view)) : E_OUTOFMEMORY;
}

void d3d9_copy_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnBlt = blt;
	table->pfnTexBlt1 = tex_blt1;
	table->pfnVolBlt1 = vol_blt1;
	table->pfnBufBlt1 = buf_blt1;
	table->pfnUpdateSubresourceUP = update_subresource_up;
	table->pfnColorFill = color_fill;
	table->pfnGenerateMipSubLevels = generate_mips;
}
