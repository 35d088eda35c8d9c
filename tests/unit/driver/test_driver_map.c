/* SPDX-License-Identifier: MIT */
/* CPU access on the device: staging resources, default ones through staging memory, renamed buffers, odd formats. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

static struct gpu_resource *make(struct gpu *gpu, uint32_t format, enum d3dgpu_target target, uint32_t width,
				 uint32_t height, uint32_t depth, uint32_t levels, uint32_t layers,
				 enum gpu_usage usage)
{
	struct d3dgpu_resource_desc desc = {
		.format = (uint16_t)format,
		.target = (uint8_t)target,
		.bind = D3DGPU_BIND_SAMPLER_VIEW,
		.width = width,
		.height = (uint16_t)height,
		.depth = (uint16_t)depth,
		.array_size = (uint16_t)layers,
		.last_level = (uint8_t)(levels - 1),
	};
	struct gpu_resource *res;
	int error = gpu_resource_create(gpu->dev, &desc, usage, &res);

	if (error)
		tap_bail("%s: %s", d3dgpu_format_name(format), strerror(-error));
	return res;
}

/* A byte that tells subresource, slice, row and column apart. */
static uint8_t pattern(uint32_t sub, uint32_t z, uint32_t row, uint32_t byte)
{
	return (uint8_t)(sub * 101 + z * 53 + row * 17 + byte * 3 + 1);
}

struct shape {
	uint32_t row_bytes, rows, slices;
};

static struct shape shape_of(const struct gpu_resource *res, uint32_t sub)
{
	struct d3dgpu_block block = d3dgpu_format_block(res->desc.format);
	uint32_t level = sub % res->levels, width = d3dgpu_level_extent(res->desc.width, level);
	uint32_t height = d3dgpu_level_extent(res->desc.height, level);

	return (struct shape){
		(width + block.width - 1) / block.width * block.bytes,
		(height + block.height - 1) / block.height,
		res->desc.target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(res->desc.depth, level) : 1,
	};
}

static void write_pattern(struct gpu *gpu, struct gpu_resource *res)
{
	static uint8_t data[1 << 20];

	for (uint32_t sub = 0; sub < res->levels * res->layers; sub++) {
		struct shape s = shape_of(res, sub);
		uint8_t *out = data;

		for (uint32_t z = 0; z < s.slices; z++)
			for (uint32_t y = 0; y < s.rows; y++)
				for (uint32_t x = 0; x < s.row_bytes; x++)
					*out++ = pattern(sub, z, y, x);
		if (gpu_update(gpu->dev, res, sub, NULL, data, s.row_bytes, s.row_bytes * s.rows))
			tap_bail("update failed");
	}
}

/* The number of subresources that are not what was written. */
static unsigned wrong_subresources(struct gpu *gpu, struct gpu_resource *res)
{
	unsigned wrong = 0;

	for (uint32_t sub = 0; sub < res->levels * res->layers; sub++) {
		struct shape s = shape_of(res, sub);
		struct gpu_mapping map;
		bool good = true;

		if (gpu_map(gpu->dev, res, sub, NULL, GPU_MAP_READ, &map))
			tap_bail("map failed");
		for (uint32_t z = 0; z < s.slices; z++)
			for (uint32_t y = 0; y < s.rows; y++)
				for (uint32_t x = 0; x < s.row_bytes; x++)
					good &= ((uint8_t *)map.data)[z * map.slice_pitch + y * map.pitch + x] ==
						pattern(sub, z, y, x);
		gpu_unmap(gpu->dev, res, sub);
		if (!good)
			tap_diag("subresource %u differs", sub);
		wrong += !good;
	}
	return wrong;
}

/* Write, read back, and the way through a staging resource in both directions. */
static void round_trip(struct gpu *gpu, const char *name, uint32_t format, enum d3dgpu_target target, uint32_t width,
		       uint32_t height, uint32_t depth, uint32_t levels, uint32_t layers)
{
	struct gpu_resource *res = make(gpu, format, target, width, height, depth, levels, layers, GPU_USAGE_DEFAULT);
	struct gpu_resource *staging =
		make(gpu, format, target, width, height, depth, levels, layers, GPU_USAGE_STAGING);
	struct gpu_resource *second =
		make(gpu, format, target, width, height, depth, levels, layers, GPU_USAGE_DEFAULT);
	int error = 0;

	write_pattern(gpu, res);
	tap_eq(wrong_subresources(gpu, res), 0, "%s: what is written is read back", name);
	for (uint32_t sub = 0; sub < res->levels * res->layers; sub++)
		error |= gpu_copy(gpu->dev, staging, sub, 0, 0, 0, res, sub, NULL);
	tap_eq(error, 0, "%s: copied to a staging resource", name);
	tap_eq(wrong_subresources(gpu, staging), 0, "%s: which has it", name);
	for (uint32_t sub = 0; sub < res->levels * res->layers; sub++)
		error |= gpu_copy(gpu->dev, second, sub, 0, 0, 0, staging, sub, NULL);
	tap_eq(error, 0, "%s: and back to another one", name);
	tap_eq(wrong_subresources(gpu, second), 0, "%s: which has it too", name);
	gpu_resource_destroy(gpu->dev, res);
	gpu_resource_destroy(gpu->dev, staging);
	gpu_resource_destroy(gpu->dev, second);
}

static void test_shapes(struct gpu *gpu)
{
	round_trip(gpu, "2D with mip maps", D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_TARGET_2D, 37, 21, 1, 6, 1);
	round_trip(gpu, "array", D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_TARGET_2D_ARRAY, 16, 16, 1, 3, 4);
	round_trip(gpu, "volume", D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_TARGET_3D, 8, 6, 5, 3, 1);
	round_trip(gpu, "cube", D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_TARGET_CUBE, 16, 16, 1, 2, 6);
	round_trip(gpu, "1D", D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_TARGET_1D, 32, 1, 1, 2, 1);
	round_trip(gpu, "1D array", D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_TARGET_1D_ARRAY, 32, 1, 1, 1, 3);
	round_trip(gpu, "one byte a texel", D3DGPU_FMT_R8_UNORM, D3DGPU_TARGET_2D, 13, 7, 1, 1, 1);
	round_trip(gpu, "16 bits packed", D3DGPU_FMT_B5G6R5_UNORM, D3DGPU_TARGET_2D, 9, 5, 1, 2, 1);
	round_trip(gpu, "integers", D3DGPU_FMT_R32_UINT, D3DGPU_TARGET_2D, 9, 5, 1, 1, 1);
	round_trip(gpu, "BC1", D3DGPU_FMT_DXT1_RGBA, D3DGPU_TARGET_2D, 32, 16, 1, 4, 1);
	round_trip(gpu, "BC3 array", D3DGPU_FMT_DXT5_RGBA, D3DGPU_TARGET_2D_ARRAY, 16, 16, 1, 1, 3);
}

static void test_partial_writes(struct gpu *gpu)
{
	struct gpu_resource *res =
		make(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_TARGET_2D, 16, 16, 1, 1, 1, GPU_USAGE_DYNAMIC);
	struct gpu_box box = {4, 4, 0, 8, 8, 1}, outside = {12, 12, 0, 8, 8, 1};
	struct gpu_mapping map;
	uint32_t texel = 0xdeadbeef;

	write_pattern(gpu, res);
	tap_eq(gpu_map(gpu->dev, res, 0, &outside, GPU_MAP_WRITE, &map), -EINVAL, "a box that sticks out is refused");
	tap_eq(gpu_map(gpu->dev, res, 1, NULL, GPU_MAP_WRITE, &map), -EINVAL,
	       "and so is a subresource that does not exist");
	tap_eq(gpu_map(gpu->dev, res, 0, &box, GPU_MAP_WRITE, &map), 0, "a box is mapped for writing");
	memcpy((char *)map.data + map.pitch * 2 + 4 * 3, &texel, 4);
	gpu_unmap(gpu->dev, res, 0);
	tap_eq(gpu_pixel(gpu, res, 0, 7, 6), 0xdeadbeef, "the texel that was written is there");
	tap_eq(gpu_pixel(gpu, res, 0, 8, 6) & 0xff, pattern(0, 0, 6, 32),
	       "its neighbours in the box kept their content");
	tap_eq(gpu_pixel(gpu, res, 0, 1, 1) & 0xff, pattern(0, 0, 1, 4), "and so did what is outside");
	gpu_unmap(gpu->dev, res, 0);
	tap_ok(true, "unmapping what is not mapped does nothing");
	gpu_resource_destroy(gpu->dev, res);
}

static void test_compressed_boxes(struct gpu *gpu)
{
	struct gpu_resource *res =
		make(gpu, D3DGPU_FMT_DXT1_RGBA, D3DGPU_TARGET_2D, 32, 16, 1, 1, 1, GPU_USAGE_DEFAULT);
	struct gpu_resource *staging =
		make(gpu, D3DGPU_FMT_DXT1_RGBA, D3DGPU_TARGET_2D, 8, 4, 1, 1, 1, GPU_USAGE_STAGING);
	struct gpu_box block = {8, 4, 0, 8, 4, 1}, inside = {2, 4, 0, 4, 4, 1};
	struct gpu_mapping map;
	uint8_t want[16];

	write_pattern(gpu, res);
	for (uint32_t i = 0; i < 16; i++)
		want[i] = pattern(0, 0, 1, 16 + i);
	tap_eq(gpu_map(gpu->dev, res, 0, &inside, GPU_MAP_READ, &map), -EINVAL, "a box that cuts blocks is refused");
	tap_eq(gpu_map(gpu->dev, res, 0, &block, GPU_MAP_READ, &map), 0,
	       "two blocks of a compressed texture are mapped");
	tap_mem(map.data, want, 16, "and are the right ones");
	gpu_unmap(gpu->dev, res, 0);
	tap_eq(gpu_copy(gpu->dev, staging, 0, 0, 0, 0, res, 0, &block), 0, "and copied to a staging resource");
	gpu_map(gpu->dev, staging, 0, NULL, GPU_MAP_READ, &map);
	tap_mem(map.data, want, 16, "where they arrive");
	gpu_unmap(gpu->dev, staging, 0);
	gpu_resource_destroy(gpu->dev, res);
	gpu_resource_destroy(gpu->dev, staging);
}

/* Direct3D's order of bits, whichever way depth-stencil data takes. */
static void test_depth_order(struct gpu *gpu)
{
	struct gpu_resource *depth = gpu_depth(gpu, D3DGPU_DS_D24S8, 8, 8, 0),
			    *second = gpu_depth(gpu, D3DGPU_DS_D24S8, 8, 8, 0);
	struct d3dgpu_resource_desc desc = depth->desc;
	struct gpu_surface *zs = gpu_surface(gpu, depth, 0, 0);
	struct gpu_resource *staging;
	struct gpu_mapping map;
	uint32_t texel = 0x7f123456;

	desc.bind = D3DGPU_BIND_SAMPLER_VIEW;
	tap_eq(gpu_resource_create(gpu->dev, &desc, GPU_USAGE_STAGING, &staging), 0, "a staging resource of D24S8");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL, 0, 0xab, 0, NULL);
	gpu_copy(gpu->dev, staging, 0, 0, 0, 0, depth, 0, NULL);
	gpu_map(gpu->dev, staging, 0, NULL, GPU_MAP_READ | GPU_MAP_WRITE, &map);
	tap_eq(*(uint32_t *)map.data, 0xab000000, "stencil is in the top byte");
	*(uint32_t *)map.data = texel;
	gpu_unmap(gpu->dev, staging, 0);
	gpu_copy(gpu->dev, second, 0, 0, 0, 0, staging, 0, NULL);
	tap_eq(gpu_pixel(gpu, second, 0, 0, 0), texel, "and comes back from there");
	tap_eq(gpu_pixel(gpu, second, 0, 7, 7), 0xab000000, "for every texel");
	gpu_surface_destroy(gpu->dev, zs);
	gpu_resource_destroy(gpu->dev, staging);
	gpu_resource_destroy(gpu->dev, depth);
	gpu_resource_destroy(gpu->dev, second);
}

/* Lockable depth formats: written by the CPU, read by the CPU. */
static void test_depth_formats(struct gpu *gpu)
{
	struct gpu_resource *d16 = gpu_depth(gpu, D3DGPU_DS_D16_LOCKABLE, 8, 4, 0);
	struct gpu_resource *d32f = gpu_depth(gpu, D3DGPU_DS_D32F_LOCKABLE, 8, 4, 0);
	uint16_t words[32], got16[32];
	float depths[32], got32[32];

	for (unsigned i = 0; i < 32; i++) {
		words[i] = (uint16_t)(i * 2000 + 7);
		depths[i] = (float)i / 32;
	}
	gpu_update(gpu->dev, d16, 0, NULL, words, 16, sizeof(words));
	gpu_update(gpu->dev, d32f, 0, NULL, depths, 32, sizeof(depths));
	gpu_pixels(gpu, d16, 0, got16, 16);
	gpu_pixels(gpu, d32f, 0, got32, 32);
	tap_mem(got16, words, sizeof(words), "D16_LOCKABLE keeps what is written to it");
	tap_mem(got32, depths, sizeof(depths), "D32F_LOCKABLE too");
	gpu_resource_destroy(gpu->dev, d16);
	gpu_resource_destroy(gpu->dev, d32f);
}

/* Many discards in one submit: each draw must see its own vertices. */
static void test_dynamic_vertices(struct gpu *gpu)
{
	enum { COLUMNS = 64 };
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, COLUMNS, 4);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, COLUMNS, 4);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DYNAMIC, 4 * sizeof(struct gpu_vertex), NULL);
	uint32_t row[COLUMNS], black[4] = {0};
	unsigned wrong = 0;

	gpu_clear_color(gpu->dev, surface, black, 0, NULL);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(struct gpu_vertex), 0);
	for (unsigned i = 0; i < COLUMNS; i++) {
		struct gpu_mapping map;

		gpu_map(gpu->dev, vb, 0, NULL, GPU_MAP_WRITE | GPU_MAP_DISCARD, &map);
		for (unsigned corner = 0; corner < 4; corner++) {
			float x = 2.0f * (float)(i + (corner >> 1)) / COLUMNS - 1;
			struct gpu_vertex vertex = {{x, corner & 1 ? 1 : -1, 0, 1}, {0, (float)i / 255, 0, 1}};

			memcpy((struct gpu_vertex *)map.data + corner, &vertex, sizeof(vertex));
		}
		gpu_unmap(gpu->dev, vb, 0);
		gpu_draw(gpu->dev, &draw);
	}
	gpu_pixels(gpu, target, 0, row, 4);
	for (unsigned i = 0; i < COLUMNS; i++)
		wrong += gpu_pixel(gpu, target, 0, i, 2) != (0xff000000 | i << 8);
	tap_eq(wrong, 0, "%d draws, each with the vertices of its own discard", COLUMNS);
	gpu_resource_destroy(gpu->dev, vb);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

/* A large ring that is appended to with maps that do not say where: draws must see it, and only it is uploaded. */
static void test_append(struct gpu *gpu)
{
	enum { COLUMNS = 32, VERTICES = 4096 };
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .indexed = true, .count = 6, .instance_count = 1};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, COLUMNS, 4);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, COLUMNS, 4);
	struct gpu_resource *vb = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DYNAMIC,
					     VERTICES * sizeof(struct gpu_vertex), NULL);
	struct gpu_resource *ib = gpu_buffer(gpu, D3DGPU_BIND_INDEX_BUFFER, GPU_USAGE_DYNAMIC, VERTICES * 2, NULL);
	uint32_t black[4] = {0};
	unsigned wrong = 0;

	gpu_clear_color(gpu->dev, surface, black, 0, NULL);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(struct gpu_vertex), 0);
	gpu_set_index_buffer(gpu->dev, ib, 2, 0);
	for (unsigned i = 0; i < COLUMNS; i++) {
		static const uint16_t quad[6] = {0, 1, 2, 2, 1, 3};
		uint32_t flags = GPU_MAP_WRITE | (i ? GPU_MAP_NO_OVERWRITE : GPU_MAP_DISCARD);
		struct gpu_mapping vertices, indices;

		gpu_map(gpu->dev, vb, 0, NULL, flags, &vertices);
		for (unsigned corner = 0; corner < 4; corner++) {
			float x = 2.0f * (float)(i + (corner >> 1)) / COLUMNS - 1;
			struct gpu_vertex vertex = {{x, corner & 1 ? 1 : -1, 0, 1}, {0, 0, (float)(i + 1) / 255, 1}};

			memcpy((struct gpu_vertex *)vertices.data + i * 8 + corner, &vertex, sizeof(vertex));
		}
		gpu_unmap(gpu->dev, vb, 0);
		gpu_map(gpu->dev, ib, 0, NULL, flags, &indices);
		memcpy((uint16_t *)indices.data + i * 6, quad, sizeof(quad));
		gpu_unmap(gpu->dev, ib, 0);
		draw.start = i * 6;
		draw.base_vertex = (int32_t)i * 8;
		gpu_draw(gpu->dev, &draw);
	}
	for (unsigned i = 0; i < COLUMNS; i++)
		wrong += gpu_pixel(gpu, target, 0, i, 2) != (0xff000000 | (i + 1));
	tap_eq(wrong, 0, "%d draws from a ring that is appended to", COLUMNS);
	gpu_resource_destroy(gpu->dev, vb);
	gpu_resource_destroy(gpu->dev, ib);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void test_dont_wait(struct gpu *gpu)
{
	struct gpu_resource *res =
		make(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_TARGET_2D, 256, 256, 1, 1, 1, GPU_USAGE_DEFAULT);
	struct gpu_resource *staging =
		make(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_TARGET_2D, 256, 256, 1, 1, 1, GPU_USAGE_STAGING);
	struct gpu_mapping map;
	int error;

	write_pattern(gpu, res);
	gpu_copy(gpu->dev, staging, 0, 0, 0, 0, res, 0, NULL);
	error = gpu_map(gpu->dev, staging, 0, NULL, GPU_MAP_READ | GPU_MAP_DONT_WAIT, &map);
	tap_ok(error == -EBUSY || !error, "a map that must not wait says busy, or succeeds");
	while (error == -EBUSY)
		error = gpu_map(gpu->dev, staging, 0, NULL, GPU_MAP_READ | GPU_MAP_DONT_WAIT, &map);
	tap_eq(error, 0, "asking again and again gets there");
	gpu_unmap(gpu->dev, staging, 0);
	tap_eq(wrong_subresources(gpu, staging), 0, "with the content");
	gpu_resource_destroy(gpu->dev, res);
	gpu_resource_destroy(gpu->dev, staging);
}

/* Many times the pool's size, faster than the GPU takes it: the program waits, and the rest of the pool stays free. */
static void test_upload_flood(void)
{
	struct gpu gpu = gpu_open_device("vram=64M");
	struct gpu_resource *res = gpu_texture(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 1024, 1024, 1, 1, D3DGPU_BIND_SAMPLER_VIEW);
	uint32_t *texels = calloc(1024 * 1024, 4);
	unsigned failed = 0;
	uint64_t most = 0;
	struct gpu_stats stats;

	for (uint32_t i = 1; i <= 100; i++) {
		texels[1023 * 1024 + 5] = i;
		failed += gpu_update(gpu.dev, res, 0, NULL, texels, 4096, 0) != 0;
		gpu_get_stats(gpu.dev, &stats);
		if (stats.winsys.vram_used > most)
			most = stats.winsys.vram_used;
	}
	tap_eq(failed, 0, "a hundred uploads of 4 MiB in a row fit into a pool of 64 MiB");
	tap_ok(most < 40u << 20, "and leave a third of it free (%llu MiB were used)", (unsigned long long)most >> 20);
	tap_eq(gpu_pixel(&gpu, res, 0, 5, 1023), 100, "the last one is what the texture holds");
	free(texels);
	gpu_resource_destroy(gpu.dev, res);
	gpu_close(&gpu);
}

int main(void)
{
	struct gpu gpu = gpu_open_device(NULL);

	test_shapes(&gpu);
	test_partial_writes(&gpu);
	test_compressed_boxes(&gpu);
	test_depth_order(&gpu);
	test_depth_formats(&gpu);
	test_dynamic_vertices(&gpu);
	test_append(&gpu);
	test_dont_wait(&gpu);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	gpu_close(&gpu);
	test_upload_flood();
	return tap_done();
}
