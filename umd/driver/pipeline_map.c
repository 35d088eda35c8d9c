/* SPDX-License-Identifier: MIT */
/*
 * CPU access. Three kinds of resources: staging ones are CPU memory and only wait for transfers; renamed buffers hand
 * out the CPU side of a slot; everything else goes through a staging range that is read back before or uploaded
 * after.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Above this many bytes, keeping a renamed buffer's old content waits instead of copying it to a new slot. */
#define COPY_LIMIT (1u << 20)

/* ---- records of mappings ---- */

static struct mapping *find_mapping(struct gpu_device *dev, struct resource *res, uint32_t subresource)
{
	for (struct mapping *map = dev->mappings; map; map = map->next)
		if (map->res == res && map->subresource == subresource)
			return map;
	return NULL;
}

static struct mapping *take_mapping(struct gpu_device *dev)
{
	struct mapping *map = dev->free_mappings;

	if (map) {
		dev->free_mappings = map->next;
		memset(map, 0, sizeof(*map));
		return map;
	}
	return device_alloc(dev, sizeof(*map));
}

static void put_mapping(struct gpu_device *dev, struct mapping *map)
{
	if (map->range.chunk)
		staging_release(dev, &map->range);
	map->next = dev->free_mappings;
	dev->free_mappings = map;
}

static void unlink_mapping(struct gpu_device *dev, struct mapping *map)
{
	struct mapping **link = &dev->mappings;

	while (*link != map)
		link = &(*link)->next;
	*link = map->next;
}

void mappings_drop(struct gpu_device *dev, struct resource *res)
{
	struct mapping *map = dev->mappings, *next;

	for (; map; map = next) {
		next = map->next;
		if (map->res != res)
			continue;
		unlink_mapping(dev, map);
		put_mapping(dev, map);
	}
}

static void free_mapping_list(struct mapping *map)
{
	while (map) {
		struct mapping *next = map->next;

		free(map);
		map = next;
	}
}

void mappings_fini(struct gpu_device *dev)
{
	free_mapping_list(dev->mappings);
	free_mapping_list(dev->free_mappings);
	dev->mappings = dev->free_mappings = NULL;
}

/* Waits for a submit; with DONT_WAIT only looks, after making sure that it is on its way. */
static int wait_serial(struct gpu_device *dev, uint64_t serial, uint32_t flags)
{
	int error;

	if (!(flags & GPU_MAP_DONT_WAIT))
		return device_wait(dev, serial);
	if (serial >= dev->serial) {
		error = gpu_flush(dev, NULL);
		if (error)
			return error;
	}
	return gpu_fence_done(dev, serial) ? 0 : -EBUSY;
}

/* ---- staging resources ---- */

struct linear_image staging_image(struct resource *res, uint32_t subresource, const struct gpu_box *box)
{
	const struct d3dgpu_resource_desc *desc = &res->base.desc;
	uint32_t level = subresource % res->base.levels;
	struct level_extent extent = resource_level(res, subresource);
	struct gpu_box all = {.width = extent.width, .height = extent.height, .depth = extent.depth};
	struct linear_image image = {.staging = &res->shadow};

	if (resource_is_buffer(res)) {
		image.pitch = image.slice_pitch = desc->width;
		image.offset = box->x;
		return image;
	}
	image.pitch = d3dgpu_linear_pitch(desc, level);
	image.slice_pitch = image.pitch * box_rows(res, &all);
	image.offset = d3dgpu_linear_offset(desc, level, subresource / res->base.levels) +
		       box_offset(res, box, image.pitch, image.slice_pitch);
	return image;
}

int staging_order(struct gpu_device *dev, struct resource *res, uint32_t subresource, bool engine)
{
	struct gpu_box all;
	struct linear_image image;
	int error;

	if (!res->engine_order || res->engine_order[subresource] == engine)
		return 0;
	error = device_wait(dev, res->write_serial > res->read_serial ? res->write_serial : res->read_serial);
	if (error)
		return error;
	resource_box(res, subresource, NULL, &all);
	image = staging_image(res, subresource, &all);
	reorder_depth(res, &all, (uint8_t *)res->shadow.bo->map + image.offset, image.pitch, image.slice_pitch,
		      engine ? DEPTH_D3D_TO_ENGINE : DEPTH_ENGINE_TO_D3D);
	res->engine_order[subresource] = engine;
	return 0;
}

static int map_staging(struct gpu_device *dev, struct mapping *map, struct gpu_mapping *out)
{
	struct resource *res = map->res;
	struct linear_image image = staging_image(res, map->subresource, &map->box);
	int error = 0;

	if (!(map->flags & GPU_MAP_NO_OVERWRITE)) {
		error = wait_serial(dev, res->write_serial, map->flags);
		if (!error && map->flags & GPU_MAP_WRITE)
			error = wait_serial(dev, res->read_serial, map->flags);
	}
	if (!error)
		error = staging_order(dev, res, map->subresource, false);
	if (error)
		return error;
	out->data = (uint8_t *)res->shadow.bo->map + image.offset;
	out->pitch = image.pitch;
	out->slice_pitch = image.slice_pitch;
	return 0;
}

/* ---- renamed buffers ---- */

/* The GPU wrote the buffer: brings the CPU side of the current slot up to date. */
static int slots_read_back(struct gpu_device *dev, struct resource *res, uint32_t flags)
{
	struct gpu_box all = {.width = res->base.desc.width, .height = 1, .depth = 1};
	struct linear_image image = {.staging = &res->shadow, .offset = buffer_offset(res), .slice_pitch = all.width};
	int error;

	if (!res->slots.stale)
		return 0;
	error = wait_serial(dev, res->write_serial, flags);
	if (!error)
		error = transfer_read(dev, res, 0, &all, &image);
	if (!error)
		error = device_wait(dev, dev->serial);
	res->slots.stale = error != 0;
	return error;
}

/* The old content is kept and pending work must not see what is written now. */
static int slots_preserve(struct gpu_device *dev, struct mapping *map)
{
	struct resource *res = map->res;
	int error = slots_read_back(dev, res, map->flags);

	if (error || !slots_busy(dev, res))
		return error;
	if (res->base.desc.width > COPY_LIMIT)
		return wait_serial(dev, res->tracked.listed, map->flags);
	error = slots_advance(dev, res, true);
	resource_box(res, 0, NULL, &map->box); /* the new slot needs all of it */
	return error;
}

static int map_slots(struct gpu_device *dev, struct mapping *map, struct gpu_mapping *out)
{
	struct resource *res = map->res;
	uint32_t first = map->box.x;
	int error;

	if (map->flags & GPU_MAP_DISCARD)
		error = slots_advance(dev, res, false);
	else if (map->flags & GPU_MAP_WRITE && !(map->flags & GPU_MAP_NO_OVERWRITE))
		error = slots_preserve(dev, map);
	else
		error = slots_read_back(dev, res, map->flags);
	if (error)
		return error;
	out->data = slots_data(res) + first;
	out->pitch = out->slice_pitch = res->base.desc.width;
	return 0;
}

/* ---- everything else ---- */

/* Compressed levels can only be read back whole: the box that has to be transferred for one that is wanted. */
static struct gpu_box readable_box(const struct resource *res, uint32_t subresource, const struct gpu_box *box)
{
	struct gpu_box all;

	if (d3dgpu_format_block(res->base.desc.format).width == 1)
		return *box;
	resource_box(res, subresource, NULL, &all);
	all.z = box->z;
	all.depth = box->depth;
	return all;
}

/* A staging range with the layout of the mapping's box. */
static int map_range(struct gpu_device *dev, struct mapping *map, const struct gpu_box *box)
{
	struct resource *res = map->res;

	map->pitch = (uint32_t)d3dgpu_align(box_row_bytes(res, box), D3DGPU_PITCH_ALIGN);
	map->slice_pitch = map->pitch * box_rows(res, box);
	return staging_alloc(dev, (uint64_t)map->slice_pitch * box->depth, &map->range);
}

static struct linear_image range_image(const struct mapping *map)
{
	return (struct linear_image){
		.staging = &map->range.chunk->tracked,
		.offset = map->range.offset,
		.pitch = map->pitch,
		.slice_pitch = map->slice_pitch,
	};
}

/* Fills the range with the current content. On success out->data is the box's first texel in it. */
static int read_range(struct gpu_device *dev, struct mapping *map, struct gpu_mapping *out)
{
	struct resource *res = map->res;
	struct gpu_box box = readable_box(res, map->subresource, &map->box), part = map->box;
	struct linear_image image;
	int error;

	if (map->flags & GPU_MAP_DONT_WAIT) {
		error = wait_serial(dev, res->write_serial, map->flags);
		if (error)
			return error;
	}
	error = map_range(dev, map, &box);
	if (error)
		return error;
	image = range_image(map);
	error = transfer_read(dev, res, map->subresource, &box, &image);
	if (!error)
		error = device_wait(dev, dev->serial);
	if (error)
		return error;
	reorder_depth(res, &box, map->range.data, map->pitch, map->slice_pitch, DEPTH_ENGINE_TO_D3D);
	part.x -= box.x;
	part.y -= box.y;
	part.z -= box.z;
	out->data = map->range.data + box_offset(res, &part, map->pitch, map->slice_pitch);
	if (map->flags & GPU_MAP_WRITE)
		map->box = box; /* what was read goes back with what is written */
	return 0;
}

static int map_through_range(struct gpu_device *dev, struct mapping *map, struct gpu_mapping *out)
{
	bool keep = !(map->flags & GPU_MAP_DISCARD) && map->res->written;
	int error;

	if (map->flags & GPU_MAP_READ || keep)
		error = read_range(dev, map, out);
	else
		error = map_range(dev, map, &map->box);
	if (error)
		return error;
	if (!out->data)
		out->data = map->range.data;
	out->pitch = map->pitch;
	out->slice_pitch = map->slice_pitch;
	return 0;
}

int gpu_map(struct gpu_device *dev, struct gpu_resource *base, uint32_t subresource, const struct gpu_box *box,
	    uint32_t flags, struct gpu_mapping *out)
{
	struct resource *res = to_resource(base);
	struct gpu_box checked;
	struct mapping *map;
	int error = resource_box(res, subresource, box, &checked);

	if (error || !(flags & (GPU_MAP_READ | GPU_MAP_WRITE)) || find_mapping(dev, res, subresource) ||
	    base->desc.samples)
		return -EINVAL;
	map = take_mapping(dev);
	if (!map)
		return -ENOMEM;
	map->res = res;
	map->subresource = subresource;
	map->flags = flags;
	map->box = checked;
	*out = (struct gpu_mapping){0};
	if (base->usage == GPU_USAGE_STAGING)
		error = map_staging(dev, map, out);
	else if (res->slots.count)
		error = map_slots(dev, map, out);
	else
		error = map_through_range(dev, map, out);
	if (error) {
		put_mapping(dev, map);
		return error;
	}
	map->next = dev->mappings;
	dev->mappings = map;
	return 0;
}

/* Constants are small and read whole; of vertices and indices a draw says what it reads. */
static void upload_slot(struct gpu_device *dev, struct mapping *map)
{
	struct resource *res = map->res;
	bool whole = map->box.width == res->base.desc.width;

	if (map->flags & GPU_MAP_NO_OVERWRITE && whole && !(res->base.desc.bind & D3DGPU_BIND_CONSTANT_BUFFER))
		slots_mark_unsent(res);
	else
		slots_upload(dev, res, map->box.x, map->box.width);
}

static void upload_range(struct gpu_device *dev, struct mapping *map)
{
	struct linear_image image = range_image(map);

	reorder_depth(map->res, &map->box, map->range.data, map->pitch, map->slice_pitch, DEPTH_D3D_TO_ENGINE);
	transfer_write(dev, map->res, map->subresource, &map->box, &image);
}

void gpu_unmap(struct gpu_device *dev, struct gpu_resource *base, uint32_t subresource)
{
	struct resource *res = to_resource(base);
	struct mapping *map = find_mapping(dev, res, subresource);

	if (!map)
		return;
	unlink_mapping(dev, map);
	if (map->flags & GPU_MAP_WRITE) {
		if (base->usage == GPU_USAGE_STAGING)
			res->written = true;
		else if (res->slots.count)
			upload_slot(dev, map);
		else
			upload_range(dev, map);
	}
	put_mapping(dev, map);
}

/* ---- updates ---- */

static int update_staging(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
			  const uint8_t *data, uint32_t pitch, uint32_t slice_pitch)
{
	struct linear_image image = staging_image(res, subresource, box);
	int error = device_wait(dev, res->write_serial > res->read_serial ? res->write_serial : res->read_serial);

	if (!error)
		error = staging_order(dev, res, subresource, false);
	if (error)
		return error;
	copy_linear(res, box, (uint8_t *)res->shadow.bo->map + image.offset, image.pitch, image.slice_pitch, data,
		    pitch, slice_pitch);
	res->written = true;
	return 0;
}

static int update_slots(struct gpu_device *dev, struct resource *res, const struct gpu_box *box, const void *data)
{
	bool whole = box->width == res->base.desc.width;
	struct mapping map = {
		.res = res,
		.flags = GPU_MAP_WRITE | (whole ? GPU_MAP_DISCARD : 0),
		.box = *box,
	};
	struct gpu_mapping target;
	int error = map_slots(dev, &map, &target);

	if (error)
		return error;
	memcpy(target.data, data, box->width);
	return slots_upload(dev, res, map.box.x, map.box.width);
}

int gpu_update(struct gpu_device *dev, struct gpu_resource *base, uint32_t subresource, const struct gpu_box *box,
	       const void *data, uint32_t pitch, uint32_t slice_pitch)
{
	struct resource *res = to_resource(base);
	struct mapping map = {.res = res, .subresource = subresource};
	struct linear_image image;
	int error = resource_box(res, subresource, box, &map.box);

	if (error || base->desc.samples)
		return -EINVAL;
	if (base->usage == GPU_USAGE_STAGING)
		return update_staging(dev, res, subresource, &map.box, data, pitch, slice_pitch);
	if (res->slots.count)
		return update_slots(dev, res, &map.box, data);
	error = map_range(dev, &map, &map.box);
	if (error)
		return error;
	copy_linear(res, &map.box, map.range.data, map.pitch, map.slice_pitch, data, pitch, slice_pitch);
	reorder_depth(res, &map.box, map.range.data, map.pitch, map.slice_pitch, DEPTH_D3D_TO_ENGINE);
	image = range_image(&map);
	error = transfer_write(dev, res, subresource, &map.box, &image);
	staging_release(dev, &map.range);
	return error;
}
