/* SPDX-License-Identifier: MIT */
#include "dsu.h"

#include <string.h>

#include "d3dgpu_resource.h"
#include "ds_formats.h"

static bool is_cube(const struct d3dgpu_ds_mailbox *box)
{
	return box->usage & D3DGPU_DS_USAGE_CUBE;
}

static bool is_multisampled(const struct d3dgpu_ds_mailbox *box)
{
	return box->samples > 1;
}

static bool fields_good(const struct d3dgpu_ds_mailbox *box)
{
	return box->discard <= 1 && !(box->reserved[0] | box->reserved[1] | box->reserved[2] | box->reserved[3]);
}

static bool levels_good(const struct d3dgpu_caps *caps, const struct d3dgpu_ds_mailbox *box)
{
	uint32_t largest = box->width > box->height ? box->width : box->height;

	if (box->levels == 1)
		return true;
	/* Below 10_0 Direct3D knows no mipmapped depth-stencil surface; a multisampled one has no levels anywhere. */
	return caps->feature_level >= D3DGPU_LEVEL_10_0 && !is_multisampled(box) && box->levels <= 15 &&
	       largest >> (box->levels - 1);
}

static bool layers_good(const struct d3dgpu_caps *caps, const struct d3dgpu_ds_mailbox *box)
{
	if (is_cube(box)) {
		bool whole = box->layers % 6 == 0 && box->width == box->height;

		if (box->layers > 6 && !(caps->options & D3DGPU_OPTION_CUBE_ARRAY))
			return false;
		return whole && (box->layers == 6 || box->layers <= caps->max_texture_layers);
	}
	return box->layers <= caps->max_texture_layers;
}

static bool size_good(const struct d3dgpu_caps *caps, const struct d3dgpu_ds_mailbox *box)
{
	uint32_t limit = is_cube(box) ? caps->max_texture_cube : caps->max_texture_2d;

	return box->width <= limit && box->height <= limit && levels_good(caps, box) && layers_good(caps, box);
}

/* 1 where the sample count works with the format: there is one quality level per count. */
static uint32_t quality_levels(const struct d3dgpu_caps *caps, const struct core_ds_format *format, uint32_t samples)
{
	if (samples <= 1)
		return 1;
	if (samples > 16 || (samples & (samples - 1)))
		return 0;
	/* The content of a lockable surface is a plain image of one sample per pixel. */
	if (format->flags & D3DGPU_DS_FLAG_LOCKABLE)
		return 0;
	return caps->formats[format->storage] & D3DGPU_FORMAT_SAMPLES((uint32_t)__builtin_ctz(samples)) ? 1 : 0;
}

static bool usage_good(const struct d3dgpu_caps *caps, const struct d3dgpu_ds_mailbox *box,
		       const struct core_ds_format *format)
{
	if (box->usage & ~D3DGPU_DS_USAGE_ALL)
		return false;
	if (is_cube(box) && caps->feature_level < D3DGPU_LEVEL_10_0)
		return false;
	if ((box->usage & D3DGPU_DS_USAGE_LOCKABLE) && !(format->flags & D3DGPU_DS_FLAG_LOCKABLE))
		return false;
	if (box->usage & D3DGPU_DS_USAGE_SAMPLE) {
		if (!(caps->options & D3DGPU_OPTION_SHADOW) || !(caps->formats[format->storage] & D3DGPU_FORMAT_SAMPLE))
			return false;
		if (is_multisampled(box) && caps->feature_level < D3DGPU_LEVEL_10_1)
			return false;
	}
	return true;
}

static uint32_t check(const struct d3dgpu_caps *caps, struct d3dgpu_ds_mailbox *box)
{
	const struct core_ds_format *format;

	if (!fields_good(box))
		return D3DGPU_DS_BAD_FIELD;
	if (!box->width || !box->height || !box->layers || !box->levels)
		return D3DGPU_DS_BAD_SIZE;
	format = core_ds_format_find(box->format);
	if (!format)
		return D3DGPU_DS_NOT_A_DS_FORMAT;
	if (!(caps->ds_formats & core_ds_format_bit(format)))
		return D3DGPU_DS_FORMAT_UNAVAILABLE;
	box->quality_levels = quality_levels(caps, format, box->samples);
	if (!size_good(caps, box))
		return D3DGPU_DS_BAD_SIZE;
	if (!box->quality_levels || (is_cube(box) && is_multisampled(box)))
		return D3DGPU_DS_BAD_SAMPLES;
	if (box->quality >= box->quality_levels)
		return D3DGPU_DS_BAD_QUALITY;
	if (!usage_good(caps, box, format))
		return D3DGPU_DS_BAD_USAGE;
	if (box->discard && (format->flags & D3DGPU_DS_FLAG_LOCKABLE))
		return D3DGPU_DS_DISCARD_LOCKABLE;
	return D3DGPU_DS_OK;
}

static uint8_t target_of(const struct d3dgpu_ds_mailbox *box)
{
	if (is_cube(box))
		return box->layers > 6 ? D3DGPU_TARGET_CUBE_ARRAY : D3DGPU_TARGET_CUBE;
	return box->layers > 1 ? D3DGPU_TARGET_2D_ARRAY : D3DGPU_TARGET_2D;
}

void core_dsu_answer(const struct d3dgpu_caps *caps, struct d3dgpu_ds_mailbox *box)
{
	const struct core_ds_format *format = core_ds_format_find(box->format);
	struct d3dgpu_resource_desc desc = {0};

	memset(&box->status, 0, sizeof(*box) - offsetof(struct d3dgpu_ds_mailbox, status));
	box->status = check(caps, box);
	if (box->status != D3DGPU_DS_OK)
		return;

	desc.format = (uint16_t)format->storage;
	desc.target = target_of(box);
	desc.samples = is_multisampled(box) ? (uint8_t)box->samples : 0;
	desc.bind = D3DGPU_BIND_DEPTH_STENCIL;
	desc.width = box->width;
	desc.height = (uint16_t)box->height;
	desc.depth = 1;
	desc.array_size = box->layers;
	desc.last_level = (uint8_t)(box->levels - 1);

	box->storage_format = format->storage;
	box->size = d3dgpu_linear_size(&desc);
	box->alignment = D3DGPU_RESOURCE_ALIGN;
	box->pitch = d3dgpu_linear_pitch(&desc, 0);
	box->flags = format->flags;
}
