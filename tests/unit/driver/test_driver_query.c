/* SPDX-License-Identifier: MIT */
/* Queries on the device, blits, mip maps and copies inside it. */
#include <errno.h>
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

#define SIZE 32

static const struct gpu_vertex left_half[] = {
	{{-1, 1, 0, 1}, {1, 0, 0, 1}},
	{{0, 1, 0, 1}, {1, 0, 0, 1}},
	{{-1, -1, 0, 1}, {1, 0, 0, 1}},
	{{0, -1, 0, 1}, {1, 0, 0, 1}},
};
static const struct gpu_draw strip = {.topology = D3DGPU_PRIM_TRIANGLE_STRIP, .count = 4, .instance_count = 1};

static uint64_t result_of(struct gpu *gpu, struct gpu_query *query)
{
	uint64_t result = UINT64_MAX;
	int error;

	while ((error = gpu_query_result(gpu->dev, query, true, &result)) == -EBUSY)
		;
	if (error)
		tap_bail("query: %s", strerror(-error));
	return result;
}

static void test_queries(struct gpu *gpu)
{
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(left_half), left_half);
	struct gpu_query *samples, *predicate, *nothing, *event, *early, *late;
	uint64_t result, first, second;

	gpu_query_create(gpu->dev, GPU_QUERY_OCCLUSION, &samples);
	gpu_query_create(gpu->dev, GPU_QUERY_OCCLUSION_PREDICATE, &predicate);
	gpu_query_create(gpu->dev, GPU_QUERY_OCCLUSION, &nothing);
	gpu_query_create(gpu->dev, GPU_QUERY_EVENT, &event);
	gpu_query_create(gpu->dev, GPU_QUERY_TIMESTAMP, &early);
	gpu_query_create(gpu->dev, GPU_QUERY_TIMESTAMP, &late);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(left_half[0]), 0);
	tap_eq(gpu_query_result(gpu->dev, samples, true, &result), -EINVAL, "a query that never ended has no result");

	gpu_query_end(gpu->dev, early);
	gpu_query_begin(gpu->dev, samples);
	gpu_draw(gpu->dev, &strip);
	gpu_query_end(gpu->dev, samples);
	tap_eq(gpu_query_result(gpu->dev, samples, false, &result), -EBUSY, "nor one that was not submitted");
	gpu_query_begin(gpu->dev, nothing);
	gpu_query_end(gpu->dev, nothing);
	gpu_query_begin(gpu->dev, predicate);
	gpu_draw(gpu->dev, &strip);
	gpu_query_end(gpu->dev, predicate);
	gpu_query_end(gpu->dev, late);
	gpu_query_end(gpu->dev, event);
	tap_eq(result_of(gpu, samples), SIZE * SIZE / 2, "half the samples passed");
	tap_eq(result_of(gpu, nothing), 0, "none where nothing was drawn");
	tap_eq(result_of(gpu, predicate), 1, "the predicate says that some did");
	tap_eq(result_of(gpu, event), 1, "the event has happened");
	first = result_of(gpu, early);
	second = result_of(gpu, late);
	tap_ok(first && second >= first, "time stamps rise (%llu, %llu)", (unsigned long long)first,
	       (unsigned long long)second);

	gpu_query_begin(gpu->dev, samples);
	gpu_draw(gpu->dev, &strip);
	gpu_flush(gpu->dev, NULL);
	gpu_draw(gpu->dev, &strip);
	gpu_query_end(gpu->dev, samples);
	tap_eq(result_of(gpu, samples), SIZE * SIZE, "a query that spans two submits counts both");
	gpu_query_begin(gpu->dev, samples);
	gpu_draw(gpu->dev, &strip);
	gpu_clear_color(gpu->dev, surface, (uint32_t[4]){0}, 1, &(struct gpu_rect){2, 2, 9, 9});
	gpu_flush(gpu->dev, NULL);
	gpu_clear_color(gpu->dev, surface, (uint32_t[4]){0}, 1, &(struct gpu_rect){2, 2, 9, 9});
	gpu_draw(gpu->dev, &strip);
	gpu_query_end(gpu->dev, samples);
	tap_eq(result_of(gpu, samples), SIZE * SIZE, "clears of rectangles are not counted");
	gpu_query_destroy(gpu->dev, samples);
	gpu_query_destroy(gpu->dev, predicate);
	gpu_query_destroy(gpu->dev, nothing);
	gpu_query_destroy(gpu->dev, event);
	gpu_query_destroy(gpu->dev, early);
	gpu_query_destroy(gpu->dev, late);
	gpu_resource_destroy(gpu->dev, vb);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void fill_quadrants(struct gpu *gpu, struct gpu_resource *res)
{
	static const uint32_t texels[4] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff};
	uint32_t data[SIZE * SIZE];

	for (uint32_t i = 0; i < SIZE * SIZE; i++)
		data[i] = texels[(i / SIZE >= SIZE / 2) * 2 + (i % SIZE >= SIZE / 2)];
	gpu_update(gpu->dev, res, 0, NULL, data, SIZE * 4, sizeof(data));
}

static void test_copies(struct gpu *gpu)
{
	struct gpu_resource *a = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *b = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *small = gpu_target(gpu, D3DGPU_FMT_R8G8B8A8_UNORM, SIZE / 2, SIZE / 2);
	struct gpu_resource *bits = gpu_target(gpu, D3DGPU_FMT_R32_UINT, SIZE, SIZE);
	struct gpu_box box = {0, SIZE / 2, 0, 4, 4, 1};
	struct gpu_blit blit = {
		.dst = small,
		.src = a,
		.dst_width = SIZE / 2,
		.dst_height = SIZE / 2,
		.dst_depth = 1,
		.src_width = SIZE,
		.src_height = SIZE,
		.src_depth = 1,
		.mask = D3DGPU_MASK_RGBA,
	};

	fill_quadrants(gpu, a);
	fill_quadrants(gpu, b);
	tap_eq(gpu_copy(gpu->dev, b, 0, 20, 2, 0, a, 0, &box), 0, "copy of a box");
	tap_eq(gpu_pixel(gpu, b, 0, 20, 2), 0xff0000ff, "its first texel");
	tap_eq(gpu_pixel(gpu, b, 0, 23, 5), 0xff0000ff, "its last");
	tap_eq(gpu_pixel(gpu, b, 0, 24, 5), 0xff00ff00, "and not more");
	tap_eq(gpu_copy(gpu->dev, b, 0, SIZE - 2, 0, 0, a, 0, &box), -EINVAL, "a copy that sticks out is refused");
	tap_eq(gpu_copy(gpu->dev, bits, 0, 0, 0, 0, a, 0, &box), 0, "copy to another format of 32 bits");
	tap_eq(gpu_pixel(gpu, bits, 0, 3, 3), 0xff0000ff, "moves the bits as they are");
	tap_eq(gpu_blit(gpu->dev, &blit), 0, "a blit that scales and converts");
	tap_eq(gpu_pixel(gpu, small, 0, 2, 2), 0xff0000ff, "red, now as R, G, B, A");
	tap_eq(gpu_pixel(gpu, small, 0, SIZE / 2 - 2, SIZE / 2 - 2), 0xffffffff, "white stays");
	blit.dst_x = SIZE / 2;
	blit.dst_width = -(SIZE / 2);
	tap_eq(gpu_blit(gpu->dev, &blit), 0, "a blit that mirrors");
	tap_eq(gpu_pixel(gpu, small, 0, 2, 2), 0xff00ff00, "has the right half on the left");
	blit.src_width = SIZE + 1;
	tap_eq(gpu_blit(gpu->dev, &blit), -EINVAL, "a blit from outside is refused");
	gpu_resource_destroy(gpu->dev, a);
	gpu_resource_destroy(gpu->dev, b);
	gpu_resource_destroy(gpu->dev, small);
	gpu_resource_destroy(gpu->dev, bits);
}

static void test_mips(struct gpu *gpu)
{
	struct gpu_resource *res = gpu_texture(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE, 6, 1,
					       D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW);
	struct gpu_view *view = gpu_view_of(gpu, res);
	uint32_t last;

	fill_quadrants(gpu, res);
	tap_eq(gpu_generate_mips(gpu->dev, view), 0, "mip maps are made");
	tap_eq(gpu_pixel(gpu, res, 1, 1, 1), 0xffff0000, "level 1 has the corner's colour");
	last = gpu_pixel(gpu, res, 5, 0, 0);
	tap_near(last & 0xff, 127.5, 3, "the last level is the average: blue");
	tap_near(last >> 8 & 0xff, 127.5, 3, "green");
	tap_near(last >> 16 & 0xff, 127.5, 3, "red");
	gpu_view_destroy(gpu->dev, view);
	gpu_resource_destroy(gpu->dev, res);
}

/* A quarter of the samples of a pixel is covered: the resolve averages. */
static void test_resolve(struct gpu *gpu)
{
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.samples = 4,
		.bind = D3DGPU_BIND_RENDER_TARGET,
		.width = SIZE,
		.height = SIZE,
		.depth = 1,
		.array_size = 1,
	};
	struct gpu_resource *target, *resolved = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(left_half), left_half);
	struct gpu_blit blit = {
		.dst = resolved,
		.dst_width = SIZE,
		.dst_height = SIZE,
		.dst_depth = 1,
		.src_width = SIZE,
		.src_height = SIZE,
		.src_depth = 1,
		.mask = D3DGPU_MASK_RGBA,
	};
	struct gpu_surface *surface;
	struct gpu_plain plain;
	struct gpu_mapping map;
	uint32_t black[4] = {0}, color;

	if (!(gpu_device_caps(gpu->dev)->sample_counts & 4)) {
		tap_skip("no multisampling here", "resolve");
		gpu_resource_destroy(gpu->dev, resolved);
		gpu_resource_destroy(gpu->dev, vb);
		return;
	}
	tap_eq(gpu_resource_create(gpu->dev, &desc, GPU_USAGE_DEFAULT, &target), 0, "a target of 4 samples");
	surface = gpu_surface(gpu, target, 0, 0);
	plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(left_half[0]), 0);
	gpu_clear_color(gpu->dev, surface, black, 0, NULL);
	gpu_set_blend(gpu->dev, NULL, NULL, 0x1);
	gpu_draw(gpu->dev, &strip);
	gpu_set_blend(gpu->dev, NULL, NULL, UINT32_MAX);
	blit.src = target;
	tap_eq(gpu_blit(gpu->dev, &blit), 0, "is resolved by a blit");
	color = gpu_pixel(gpu, resolved, 0, 4, 4);
	tap_near(color >> 16 & 0xff, 64, 1, "the sample mask let one of four samples through");
	tap_eq(gpu_map(gpu->dev, target, 0, NULL, GPU_MAP_READ, &map), -EINVAL,
	       "multisampled resources are not mapped");
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
	gpu_resource_destroy(gpu->dev, resolved);
	gpu_resource_destroy(gpu->dev, vb);
}

int main(void)
{
	struct gpu gpu = gpu_open_device(NULL);

	test_queries(&gpu);
	test_copies(&gpu);
	test_mips(&gpu);
	test_resolve(&gpu);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	gpu_close(&gpu);
	return tap_done();
}
