/* SPDX-License-Identifier: MIT */
/* Clears on the device: whole surfaces, rectangles, one of depth and stencil, integer and layered targets. */
#include <errno.h>
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

#define SIZE 32

static const struct gpu_rect corner = {4, 6, 12, 10};

static void color_of(float r, float g, float b, float a, uint32_t out[4])
{
	float rgba[4] = {r, g, b, a};

	memcpy(out, rgba, sizeof(rgba));
}

static void test_color(struct gpu *gpu)
{
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_rect rects[3] = {corner, {-5, -5, 2, 2}, {30, 30, 99, 99}}, none = {40, 40, 50, 50};
	uint32_t red[4], green[4];

	color_of(1, 0, 0, 1, red);
	color_of(0, 1, 0, 0.5f, green);
	tap_eq(gpu_clear_color(gpu->dev, surface, red, 0, NULL), 0, "whole clear");
	tap_eq(gpu_clear_color(gpu->dev, surface, green, 3, rects), 0,
	       "clear of rectangles, some of them partly outside");
	tap_eq(gpu_pixel(gpu, target, 0, 4, 6), 0x8000ff00, "top left pixel of the rectangle");
	tap_eq(gpu_pixel(gpu, target, 0, 11, 9), 0x8000ff00, "bottom right pixel of it");
	tap_eq(gpu_pixel(gpu, target, 0, 3, 6), 0xffff0000, "left of it nothing changed");
	tap_eq(gpu_pixel(gpu, target, 0, 12, 9), 0xffff0000, "nor right of it");
	tap_eq(gpu_pixel(gpu, target, 0, 4, 5), 0xffff0000, "nor above");
	tap_eq(gpu_pixel(gpu, target, 0, 11, 10), 0xffff0000, "nor below");
	tap_eq(gpu_pixel(gpu, target, 0, 1, 1), 0x8000ff00, "a rectangle is clipped at the origin");
	tap_eq(gpu_pixel(gpu, target, 0, 31, 31), 0x8000ff00, "and at the far edges");
	tap_eq(gpu_clear_color(gpu->dev, surface, red, 1, &none), 0, "a rectangle outside clears nothing");
	tap_eq(gpu_pixel(gpu, target, 0, 31, 31), 0x8000ff00, "so nothing changed");
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void test_integers(struct gpu *gpu)
{
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_R32_UINT, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	uint32_t value[4] = {0x89abcdef}, other[4] = {0xfffffffe};

	gpu_clear_color(gpu->dev, surface, value, 0, NULL);
	tap_eq(gpu_clear_color(gpu->dev, surface, other, 1, &corner), 0, "clear of an integer target");
	tap_eq(gpu_pixel(gpu, target, 0, 0, 0), 0x89abcdef, "keeps all 32 bits");
	tap_eq(gpu_pixel(gpu, target, 0, 5, 7), 0xfffffffe, "also in a rectangle");
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void test_srgb(struct gpu *gpu)
{
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface_desc desc = {.format = D3DGPU_FMT_B8G8R8A8_SRGB};
	struct gpu_surface *surface;
	uint32_t half[4];

	color_of(0.5f, 0.5f, 0.5f, 0.5f, half);
	tap_eq(gpu_surface_create(gpu->dev, target, &desc, &surface), 0, "an sRGB surface of a linear resource");
	gpu_clear_color(gpu->dev, surface, half, 0, NULL);
	tap_eq(gpu_pixel(gpu, target, 0, 0, 0), 0x80bcbcbc, "encodes what is cleared to it");
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void test_depth_stencil(struct gpu *gpu)
{
	struct gpu_resource *depth = gpu_depth(gpu, D3DGPU_DS_D24S8, SIZE, SIZE, 0);
	struct gpu_surface *zs = gpu_surface(gpu, depth, 0, 0);

	tap_eq(gpu_clear_depth_stencil(gpu->dev, zs, 0, 1, 0, 0, NULL), -EINVAL, "clearing neither is refused");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL, 1, 0x11, 0, NULL);
	tap_eq(gpu_pixel(gpu, depth, 0, 0, 0), 0x11ffffff, "depth and stencil");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_STENCIL, 0, 0x22, 0, NULL);
	tap_eq(gpu_pixel(gpu, depth, 0, 0, 0), 0x22ffffff, "stencil alone");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH, 0, 0x33, 0, NULL);
	tap_eq(gpu_pixel(gpu, depth, 0, 0, 0), 0x22000000, "depth alone");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH, 1, 0x44, 1, &corner);
	tap_eq(gpu_pixel(gpu, depth, 0, 5, 7), 0x22ffffff, "depth in a rectangle");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_STENCIL, 0.5f, 0x55, 1, &corner);
	tap_eq(gpu_pixel(gpu, depth, 0, 5, 7), 0x55ffffff, "stencil in a rectangle");
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL, 0, 0x66, 1, &corner);
	tap_eq(gpu_pixel(gpu, depth, 0, 5, 7), 0x66000000, "both in a rectangle");
	tap_eq(gpu_pixel(gpu, depth, 0, 12, 10), 0x22000000, "and nothing outside");
	gpu_surface_destroy(gpu->dev, zs);
	gpu_resource_destroy(gpu->dev, depth);
}

static void test_layers(struct gpu *gpu)
{
	struct gpu_resource *array =
		gpu_texture(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE, 2, 3, D3DGPU_BIND_RENDER_TARGET);
	struct gpu_surface_desc desc = {.level = 1, .last_layer = 2};
	struct gpu_surface *all, *one = gpu_surface(gpu, array, 0, 2);
	uint32_t red[4], green[4];

	color_of(1, 0, 0, 1, red);
	color_of(0, 1, 0, 1, green);
	gpu_surface_create(gpu->dev, array, &desc, &all);
	gpu_clear_color(gpu->dev, all, red, 0, NULL);
	gpu_clear_color(gpu->dev, one, green, 0, NULL);
	tap_eq(gpu_pixel(gpu, array, 1, 3, 3), 0xffff0000, "a layered surface: first layer, level 1");
	tap_eq(gpu_pixel(gpu, array, 5, 3, 3), 0xffff0000, "last layer, level 1");
	tap_eq(gpu_pixel(gpu, array, 4, 3, 3), 0xff00ff00, "level 0 of the last layer was cleared on its own");
	gpu_clear_color(gpu->dev, all, green, 1, &corner);
	tap_eq(gpu_pixel(gpu, array, 5, 5, 7), 0xff00ff00, "a rectangle reaches every layer");
	tap_eq(gpu_pixel(gpu, array, 3, 3, 3), 0xffff0000, "and only the rectangle");
	gpu_surface_destroy(gpu->dev, all);
	gpu_surface_destroy(gpu->dev, one);
	gpu_resource_destroy(gpu->dev, array);
}

/* The quad must not disturb what the program has bound. */
static void test_state_survives(struct gpu *gpu)
{
	static const struct gpu_vertex whole[] = {
		{{-1, 3, 0.25f, 1}, {0, 0, 1, 1}},
		{{3, -1, 0.25f, 1}, {0, 0, 1, 1}},
		{{-1, -1, 0.25f, 1}, {0, 0, 1, 1}},
	};
	struct gpu_depth_stencil_desc less = {
		.depth_test = true, .depth_write = true, .depth_func = D3DGPU_COMPARE_LESS};
	struct gpu_blend_desc masked = {.targets[0].write_mask = D3DGPU_MASK_B | D3DGPU_MASK_A};
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .count = 3, .instance_count = 1};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *depth = gpu_depth(gpu, D3DGPU_DS_D16, SIZE, SIZE, 0);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0), *zs = gpu_surface(gpu, depth, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, zs, SIZE, SIZE);
	struct gpu_resource *vb = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(whole), whole);
	uint32_t red[4];

	color_of(1, 0, 0, 1, red);
	gpu_set_depth_stencil(gpu->dev, gpu_depth_stencil_get(gpu->dev, &less), 0, 0);
	gpu_set_blend(gpu->dev, gpu_blend_get(gpu->dev, &masked), NULL, UINT32_MAX);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(whole[0]), 0);
	gpu_clear_color(gpu->dev, surface, red, 0, NULL);
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH, 1, 0, 0, NULL);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "a draw");
	gpu_clear_color(gpu->dev, surface, red, 1, &corner);
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH, 1, 0, 1, &corner);
	tap_eq(gpu_pixel(gpu, target, 0, 5, 7), 0xffff0000, "the rectangle is cleared whatever the write mask");
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "the same draw again");
	tap_eq(gpu_pixel(gpu, target, 0, 5, 7), 0xffff00ff, "draws with shaders, buffers, mask and viewport as before");
	tap_eq(gpu_pixel(gpu, target, 0, 30, 30), 0xffff00ff, "everywhere");
	gpu_resource_destroy(gpu->dev, vb);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_surface_destroy(gpu->dev, zs);
	gpu_resource_destroy(gpu->dev, target);
	gpu_resource_destroy(gpu->dev, depth);
}

int main(void)
{
	struct gpu gpu = gpu_open_device(NULL);

	test_color(&gpu);
	test_integers(&gpu);
	test_srgb(&gpu);
	test_depth_stencil(&gpu);
	test_layers(&gpu);
	test_state_survives(&gpu);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	gpu_close(&gpu);
	return tap_done();
}
