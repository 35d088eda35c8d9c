/* SPDX-License-Identifier: MIT */
/* Draws, end to end: driver, command stream, firmware, worker, engine, and back. */
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

#define SIZE 64

static const float black[4] = {0, 0, 0, 1};

static void clear_black(struct gpu *gpu, struct gpu_surface *surface)
{
	uint32_t color[4];

	memcpy(color, black, sizeof(color));
	gpu_clear_color(gpu->dev, surface, color, 0, NULL);
}

/* A triangle with its apex at the top: row 0 is the top. */
static void test_triangle(struct gpu *gpu)
{
	static const struct gpu_vertex triangle[3] = {
		{{-1, -1, 0.5f, 1}, {1, 0, 0, 1}},
		{{1, -1, 0.5f, 1}, {1, 0, 0, 1}},
		{{0, 1, 0.5f, 1}, {1, 0, 0, 1}},
	};
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .count = 3, .instance_count = 1};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vertices =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(triangle), triangle);

	clear_black(gpu, surface);
	gpu_set_vertex_buffer(gpu->dev, 0, vertices, sizeof(triangle[0]), 0);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "a triangle is drawn");
	tap_eq(gpu_pixel(gpu, target, 0, SIZE / 2, SIZE / 2), 0xffff0000, "its middle is red");
	tap_eq(gpu_pixel(gpu, target, 0, 1, 1), 0xff000000, "the top left corner is not");
	tap_eq(gpu_pixel(gpu, target, 0, 1, SIZE - 1), 0xffff0000, "the bottom left corner is: rows run downwards");
	tap_eq(gpu_device_status(gpu->dev), 0, "the context is alive");
	gpu_resource_destroy(gpu->dev, vertices);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

/* Four quadrants from an index buffer, with a first index and a base vertex. */
static void test_indexed(struct gpu *gpu)
{
	static const struct gpu_vertex vertices[] = {
		{{9, 9, 9, 1}, {0}}, /* skipped by the base vertex */
		{{-1, 1, 0, 1}, {0, 1, 0, 1}},
		{{1, 1, 0, 1}, {0, 1, 0, 1}},
		{{-1, -1, 0, 1}, {0, 1, 0, 1}},
	};
	static const uint16_t indices[] = {7, 7, 0, 1, 2};
	struct gpu_draw draw = {
		.topology = D3DGPU_PRIM_TRIANGLES,
		.indexed = true,
		.start = 2,
		.count = 3,
		.base_vertex = 1,
		.instance_count = 1,
	};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(vertices), vertices);
	struct gpu_resource *ib =
		gpu_buffer(gpu, D3DGPU_BIND_INDEX_BUFFER, GPU_USAGE_DYNAMIC, sizeof(indices), indices);

	clear_black(gpu, surface);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(vertices[0]), 0);
	tap_eq(gpu_draw(gpu->dev, &draw), -22, "an indexed draw without index buffer is refused");
	gpu_set_index_buffer(gpu->dev, ib, 2, 0);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "an indexed draw");
	tap_eq(gpu_pixel(gpu, target, 0, 2, 2), 0xff00ff00, "first index and base vertex are applied");
	tap_eq(gpu_pixel(gpu, target, 0, SIZE - 2, SIZE - 2), 0xff000000, "the other half is black");
	gpu_resource_destroy(gpu->dev, vb);
	gpu_resource_destroy(gpu->dev, ib);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

/* Two instances whose colour and place come from a second buffer. */
static void test_instances(struct gpu *gpu)
{
	static const char vertex[] =
		"VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
		"DCL TEMP[0]\nADD TEMP[0], IN[0], IN[1]\nMOV OUT[0], TEMP[0]\nMOV OUT[1], IN[2]\nEND\n";
	static const struct gpu_vertex_element elements[] = {
		{.format = D3DGPU_FMT_R32G32B32A32_FLOAT, .buffer = 0},
		{.format = D3DGPU_FMT_R32G32B32A32_FLOAT, .buffer = 1, .divisor = 1},
		{.format = D3DGPU_FMT_R32G32B32A32_FLOAT, .buffer = 1, .offset = 16, .divisor = 1},
	};
	static const float corners[4][4] = {{-1, -1, 0, 1}, {-1, 1, 0, 1}, {0, -1, 0, 1}, {0, 1, 0, 1}};
	static const struct gpu_vertex instances[] = {
		{{9}, {0}}, {{0, 0, 0, 0}, {1, 0, 0, 1}}, {{1, 0, 0, 0}, {0, 0, 1, 1}}};
	struct gpu_draw draw = {
		.topology = D3DGPU_PRIM_TRIANGLE_STRIP,
		.count = 4,
		.instance_count = 2,
		.start_instance = 1,
	};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(corners), corners);
	struct gpu_resource *per =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(instances), instances);
	struct gpu_shader *shader = gpu_tgsi(gpu, SHADER_VERTEX, vertex);
	struct gpu_vertex_elements *ve;

	gpu_vertex_elements_create(gpu->dev, elements, 3, &ve);
	clear_black(gpu, surface);
	gpu_set_shader(gpu->dev, SHADER_VERTEX, shader);
	gpu_set_vertex_elements(gpu->dev, ve);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, 16, 0);
	gpu_set_vertex_buffer(gpu->dev, 1, per, sizeof(instances[0]), 0);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "two instances");
	tap_eq(gpu_pixel(gpu, target, 0, SIZE / 4, SIZE / 2), 0xffff0000, "the first is red, left");
	tap_eq(gpu_pixel(gpu, target, 0, 3 * SIZE / 4, SIZE / 2), 0xff0000ff, "the second blue, right");
	gpu_vertex_elements_destroy(gpu->dev, ve);
	gpu_shader_destroy(gpu->dev, shader);
	gpu_resource_destroy(gpu->dev, vb);
	gpu_resource_destroy(gpu->dev, per);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

static void quad(struct gpu *gpu, float z, const float color[4])
{
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
	struct gpu_vertex corners[4];
	struct gpu_resource *vb;

	for (int i = 0; i < 4; i++) {
		float position[4] = {i & 2 ? 1 : -1, i & 1 ? 1 : -1, z, 1};

		memcpy(corners[i].position, position, sizeof(position));
		memcpy(corners[i].color, color, sizeof(corners[i].color));
	}
	vb = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(corners), corners);
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(corners[0]), 0);
	gpu_draw(gpu->dev, &draw);
	gpu_resource_destroy(gpu->dev, vb);
}

static void test_depth(struct gpu *gpu)
{
	static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};
	struct gpu_depth_stencil_desc less = {
		.depth_test = true, .depth_write = true, .depth_func = D3DGPU_COMPARE_LESS};
	struct gpu_viewport half = {0, 0, SIZE, SIZE, 0.25f, 0.75f};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *depth = gpu_depth(gpu, D3DGPU_DS_D24S8, SIZE, SIZE, 0);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0), *zs = gpu_surface(gpu, depth, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, zs, SIZE, SIZE);

	gpu_set_depth_stencil(gpu->dev, gpu_depth_stencil_get(gpu->dev, &less), 0, 0);
	tap_ok(gpu_depth_stencil_get(gpu->dev, &less) == gpu_depth_stencil_get(gpu->dev, &less),
	       "equal descriptions share an object");
	clear_black(gpu, surface);
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL, 1, 0x5a, 0, NULL);
	quad(gpu, 0.5f, red);
	quad(gpu, 0.6f, green);
	tap_eq(gpu_pixel(gpu, target, 0, 9, 9), 0xffff0000, "the nearer quad wins");
	gpu_set_viewports(gpu->dev, 1, &half);
	gpu_clear_depth_stencil(gpu->dev, zs, GPU_CLEAR_DEPTH, 1, 0, 0, NULL);
	quad(gpu, 0.5f, green);
	tap_near(gpu_pixel(gpu, depth, 0, 9, 9) & 0xffffff, 0xffffff / 2.0, 0.5,
		 "depth range 0.25..0.75 maps 0.5 to 0.5");
	tap_eq(gpu_pixel(gpu, depth, 0, 9, 9) >> 24, 0x5a,
	       "clearing depth alone kept stencil, in the top byte as Direct3D has it");
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_surface_destroy(gpu->dev, zs);
	gpu_resource_destroy(gpu->dev, target);
	gpu_resource_destroy(gpu->dev, depth);
}

/* A texture of four texels, sampled by the nearest. */
static void test_texture(struct gpu *gpu)
{
	static const char pixel[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
				    "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n"
				    "TEX TEMP[0], TEMP[0], SAMP[0], 2D\nMOV OUT[0], TEMP[0]\nEND\n";
	static const uint32_t texels[4] = {0xff112233, 0xff445566, 0xff778899, 0xffaabbcc};
	static const struct gpu_vertex corners[] = {
		{{-1, 1, 0, 1}, {0, 0}},
		{{1, 1, 0, 1}, {1, 0}},
		{{-1, -1, 0, 1}, {0, 1}},
		{{1, -1, 0, 1}, {1, 1}},
	};
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
	struct gpu_sampler_desc nearest = {
		.wrap_s = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.wrap_t = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.mip_filter = D3DGPU_MIP_NONE,
	};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *texture =
		gpu_texture(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 2, 2, 1, 1, D3DGPU_BIND_SAMPLER_VIEW);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(corners), corners);
	struct gpu_shader *shader = gpu_tgsi(gpu, SHADER_PIXEL, pixel);
	struct gpu_view *view = gpu_view_of(gpu, texture);

	tap_eq(gpu_update(gpu->dev, texture, 0, NULL, texels, 8, 16), 0, "a texture takes its content");
	gpu_set_shader(gpu->dev, SHADER_PIXEL, shader);
	gpu_set_texture(gpu->dev, SHADER_PIXEL, 0, view);
	gpu_set_sampler(gpu->dev, SHADER_PIXEL, 0, gpu_sampler_get(gpu->dev, &nearest));
	gpu_set_vertex_buffer(gpu->dev, 0, vb, sizeof(corners[0]), 0);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "a textured quad");
	tap_eq(gpu_pixel(gpu, target, 0, 5, 5), texels[0], "top left texel");
	tap_eq(gpu_pixel(gpu, target, 0, SIZE - 5, 5), texels[1], "top right texel");
	tap_eq(gpu_pixel(gpu, target, 0, 5, SIZE - 5), texels[2], "bottom left texel");
	tap_eq(gpu_pixel(gpu, target, 0, SIZE - 5, SIZE - 5), texels[3], "bottom right texel");
	gpu_view_destroy(gpu->dev, view);
	tap_eq(gpu_draw(gpu->dev, &draw), 0, "a destroyed view is unbound first");
	gpu_pixel(gpu, target, 0, 5, 5);
	tap_eq(gpu_device_status(gpu->dev), 0, "and the context is alive");
	gpu_shader_destroy(gpu->dev, shader);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, vb);
	gpu_resource_destroy(gpu->dev, texture);
	gpu_resource_destroy(gpu->dev, target);
}

/* The front's inline constants, as a text shader reads them. */
static void test_constants(struct gpu *gpu)
{
	static const char pixel[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0..3]\nMOV OUT[0], CONST[3]\nEND\n";
	static const float blue[4] = {0, 0, 1, 1};
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(gpu, surface, NULL, SIZE, SIZE);
	struct gpu_shader *shader = gpu_tgsi(gpu, SHADER_PIXEL, pixel);

	gpu_set_shader(gpu->dev, SHADER_PIXEL, shader);
	gpu_set_float_constants(gpu->dev, SHADER_PIXEL, 3, 1, blue);
	quad(gpu, 0, black);
	tap_eq(gpu_pixel(gpu, target, 0, 5, 5), 0xff0000ff, "constant 3 reaches the shader");
	gpu_shader_destroy(gpu->dev, shader);
	gpu_plain_destroy(gpu, &plain);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

int main(void)
{
	struct gpu gpu = gpu_open_device(NULL);
	struct gpu_stats stats;

	test_triangle(&gpu);
	test_indexed(&gpu);
	test_instances(&gpu);
	test_depth(&gpu);
	test_texture(&gpu);
	test_constants(&gpu);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	gpu_get_stats(gpu.dev, &stats);
	if (gpu.ws->drm_fd < 0) /* the kernel keeps these to itself */
		tap_ok(stats.winsys.ring_entries > 0 && stats.winsys.interrupts > 0,
		       "the firmware counted entries and interrupts");
	gpu_close(&gpu);
	return tap_done();
}
