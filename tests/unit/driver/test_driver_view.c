/* SPDX-License-Identifier: MIT */
/* What a shader reads through views: layers, levels, formats, swizzles. */
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

struct sampling {
	struct gpu *gpu;
	struct gpu_resource *target, *vb;
	struct gpu_surface *surface;
	struct gpu_plain plain;
	struct gpu_shader *flat, *array;
};

static struct sampling sampling_open(struct gpu *gpu)
{
	static const char flat[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
				   "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n"
				   "TEX TEMP[0], TEMP[0], SAMP[0], 2D\nMOV OUT[0], TEMP[0]\nEND\n";
	static const char array[] = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
				    "DCL SVIEW[0], 2D_ARRAY, FLOAT\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n"
				    "TEX TEMP[0], TEMP[0], SAMP[0], 2D_ARRAY\nMOV OUT[0], TEMP[0]\nEND\n";
	/* texture coordinates in the middle, layer 0 */
	static const struct gpu_vertex whole[] = {
		{{-1, 3, 0, 1}, {0.5f, 0.5f, 0, 0}},
		{{3, -1, 0, 1}, {0.5f, 0.5f, 0, 0}},
		{{-1, -1, 0, 1}, {0.5f, 0.5f, 0, 0}},
	};
	struct gpu_sampler_desc nearest = {
		.wrap_s = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.wrap_t = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.max_lod = 15,
	};
	struct sampling s = {.gpu = gpu};

	s.target = gpu_target(gpu, D3DGPU_FMT_R8G8B8A8_UNORM, 4, 4);
	s.surface = gpu_surface(gpu, s.target, 0, 0);
	s.plain = gpu_plain_pipeline(gpu, s.surface, NULL, 4, 4);
	s.vb = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(whole), whole);
	s.flat = gpu_tgsi(gpu, SHADER_PIXEL, flat);
	s.array = gpu_tgsi(gpu, SHADER_PIXEL, array);
	gpu_set_vertex_buffer(gpu->dev, 0, s.vb, sizeof(whole[0]), 0);
	gpu_set_sampler(gpu->dev, SHADER_PIXEL, 0, gpu_sampler_get(gpu->dev, &nearest));
	return s;
}

static void sampling_close(struct sampling *s)
{
	gpu_shader_destroy(s->gpu->dev, s->flat);
	gpu_shader_destroy(s->gpu->dev, s->array);
	gpu_plain_destroy(s->gpu, &s->plain);
	gpu_resource_destroy(s->gpu->dev, s->vb);
	gpu_surface_destroy(s->gpu->dev, s->surface);
	gpu_resource_destroy(s->gpu->dev, s->target);
}

/* What is sampled, as R8G8B8A8. */
static uint32_t sampled(struct sampling *s, struct gpu_resource *res, const struct gpu_view_desc *desc)
{
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .count = 3, .instance_count = 1};
	struct gpu_view *view;
	uint32_t pixel;

	if (gpu_view_create(s->gpu->dev, res, desc, &view))
		tap_bail("view");
	gpu_set_shader(s->gpu->dev, SHADER_PIXEL, desc->target == D3DGPU_TARGET_2D ? s->flat : s->array);
	gpu_set_texture(s->gpu->dev, SHADER_PIXEL, 0, view);
	gpu_draw(s->gpu->dev, &draw);
	pixel = gpu_pixel(s->gpu, s->target, 0, 2, 2);
	gpu_view_destroy(s->gpu->dev, view);
	return pixel;
}

/* Fills level l of layer n with one value a texel, 32 bits. */
static void fill(struct gpu *gpu, struct gpu_resource *res, uint32_t sub, uint32_t texel)
{
	uint32_t data[64];

	for (unsigned i = 0; i < 64; i++)
		data[i] = texel;
	gpu_update(gpu->dev, res, sub, NULL, data, 32, 256);
}

static void test_layers(struct sampling *s)
{
	struct gpu_view_desc desc = {.target = D3DGPU_TARGET_2D_ARRAY, .swizzle = {0, 1, 2, 3}, .last_layer = 2};
	struct gpu_resource *color =
		gpu_texture(s->gpu, D3DGPU_FMT_R8G8B8A8_UNORM, 4, 4, 1, 3, D3DGPU_BIND_SAMPLER_VIEW);
	struct gpu_resource *red = gpu_texture(s->gpu, D3DGPU_FMT_R32_FLOAT, 4, 4, 1, 3, D3DGPU_BIND_SAMPLER_VIEW);
	static const float values[3] = {0, 0.2f, 1};

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t word;

		memcpy(&word, &values[i], 4);
		fill(s->gpu, color, i, 0x01020304 * (i + 1));
		fill(s->gpu, red, i, word);
	}
	tap_eq(sampled(s, color, &desc), 0x01020304, "a view of all layers: layer 0");
	desc.first_layer = 1;
	tap_eq(sampled(s, color, &desc), 0x02040608, "a view from layer 1 on");
	desc.first_layer = 2;
	tap_eq(sampled(s, color, &desc), 0x0306090c, "and from layer 2");
	tap_eq(sampled(s, red, &desc), 0xff0000ff, "of a red format: green and blue are 0");
	desc.target = D3DGPU_TARGET_2D;
	desc.first_layer = desc.last_layer = 1;
	tap_eq(sampled(s, color, &desc), 0x02040608, "one layer as a plain texture");
	gpu_resource_destroy(s->gpu->dev, color);
	gpu_resource_destroy(s->gpu->dev, red);
}

static void test_levels(struct sampling *s)
{
	struct gpu_view_desc desc = {.target = D3DGPU_TARGET_2D, .swizzle = {0, 1, 2, 3}};
	struct gpu_resource *res = gpu_texture(s->gpu, D3DGPU_FMT_R8G8B8A8_UNORM, 8, 8, 4, 1, D3DGPU_BIND_SAMPLER_VIEW);

	for (uint32_t level = 0; level < 4; level++)
		fill(s->gpu, res, level, 0xff000010 + level);
	for (uint8_t level = 0; level < 4; level++) {
		desc.first_level = level;
		desc.last_level = 3;
		desc.format = 0;
		tap_eq(sampled(s, res, &desc), 0xff000010 + level, "a view from level %u on", level);
		desc.format = D3DGPU_FMT_B8G8R8A8_UNORM;
		tap_eq(sampled(s, res, &desc), 0xff000010 + level, "the same in another format");
	}
	gpu_resource_destroy(s->gpu->dev, res);
}

static void test_swizzles(struct sampling *s)
{
	struct gpu_view_desc desc = {
		.target = D3DGPU_TARGET_2D,
		.swizzle = {D3DGPU_SWIZZLE_BLUE, D3DGPU_SWIZZLE_ONE, D3DGPU_SWIZZLE_ZERO, D3DGPU_SWIZZLE_RED},
	};
	struct gpu_resource *res = gpu_texture(s->gpu, D3DGPU_FMT_R8G8B8A8_UNORM, 4, 4, 1, 1, D3DGPU_BIND_SAMPLER_VIEW);

	fill(s->gpu, res, 0, 0x44332211);
	tap_eq(sampled(s, res, &desc), 0x1100ff33, "components of a view come as its swizzle says");
	gpu_resource_destroy(s->gpu->dev, res);
}

int main(void)
{
	struct gpu gpu = gpu_open_device(NULL);
	struct sampling s = sampling_open(&gpu);

	test_layers(&s);
	test_levels(&s);
	test_swizzles(&s);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	sampling_close(&s);
	gpu_close(&gpu);
	return tap_done();
}
