/* SPDX-License-Identifier: MIT */
/* Direct3D bytecode through the pipeline core: linkage, constants, variants by key, system constants. */
#include <string.h>

#include "gpu_fixture.h"
#include "sm1_asm.h"
#include "tap.h"

#define SIZE 16

enum { USAGE_POSITION = 0, USAGE_COLOR = 10, ALL = 15 };

static struct gpu_shader *compile(struct gpu *gpu, const struct sm1_asm *code)
{
	struct gpu_shader *shader;
	char message[256] = "";

	if (gpu_shader_create(gpu->dev, code->words, code->count * 4, &shader, message, sizeof(message)))
		tap_bail("shader: %s", message);
	return shader;
}

/* oPos = v0, oD0 = v1 + c2 */
static struct gpu_shader *vertex_shader(struct gpu *gpu)
{
	struct sm1_asm a;

	asm_begin(&a, VS(2, 0));
	asm_dcl(&a, USAGE_POSITION, 0, D(SM1_REG_INPUT, 0, ALL));
	asm_dcl(&a, USAGE_COLOR, 0, D(SM1_REG_INPUT, 1, ALL));
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_RASTOUT, 0, ALL), S(SM1_REG_INPUT, 0, XYZW));
	asm_op(&a, SM1_ADD, 3, D(SM1_REG_ATTROUT, 0, ALL), S(SM1_REG_INPUT, 1, XYZW), S(SM1_REG_CONST, 2, XYZW));
	asm_word(&a, 0xffff);
	return compile(gpu, &a);
}

/* oC0 = v0 * c1 */
static struct gpu_shader *pixel_shader(struct gpu *gpu)
{
	struct sm1_asm a;

	asm_begin(&a, PS(2, 0));
	asm_dcl(&a, USAGE_POSITION, 0, D(SM1_REG_INPUT, 0, ALL));
	asm_op(&a, SM1_MUL, 3, D(SM1_REG_TEMP, 0, ALL), S(SM1_REG_INPUT, 0, XYZW), S(SM1_REG_CONST, 1, XYZW));
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_COLOROUT, 0, ALL), S(SM1_REG_TEMP, 0, XYZW));
	asm_word(&a, 0xffff);
	return compile(gpu, &a);
}

static uint64_t shaders_made(struct gpu *gpu)
{
	struct gpu_stats stats;

	gpu_get_stats(gpu->dev, &stats);
	return stats.shaders;
}

int main(void)
{
	/* a quad over the left half */
	static const struct gpu_vertex corners[] = {
		{{-1, 1, 0, 1}, {0.5f, 0, 0, 1}},
		{{0, 1, 0, 1}, {0.5f, 0, 0, 1}},
		{{-1, -1, 0, 1}, {0.5f, 0, 0, 1}},
		{{0, -1, 0, 1}, {0.5f, 0, 0, 1}},
	};
	static const float half_more[4] = {0.5f, 0.25f, 0, 0}, scale[4] = {1, 4, 1, 1},
			   shift[4] = {4.0f / SIZE, 0, 0, 0};
	static const float none[4];
	struct gpu_viewport fractional = {2.25f, 0, SIZE, SIZE, 0, 1}, whole = {0, 0, SIZE, SIZE, 0, 1};
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
	struct gpu gpu = gpu_open_device(NULL);
	struct gpu_resource *target = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(&gpu, target, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(&gpu, surface, NULL, SIZE, SIZE);
	struct gpu_resource *vb =
		gpu_buffer(&gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, sizeof(corners), corners);
	struct gpu_shader *vertex = vertex_shader(&gpu), *pixel = pixel_shader(&gpu);
	struct shader_key key;
	uint32_t black[4] = {0};
	uint64_t made;

	memset(&key, 0, sizeof(key));
	gpu_set_vertex_buffer(gpu.dev, 0, vb, sizeof(corners[0]), 0);
	gpu_set_shader(gpu.dev, SHADER_VERTEX, vertex);
	gpu_set_shader(gpu.dev, SHADER_PIXEL, pixel);
	gpu_set_float_constants(gpu.dev, SHADER_VERTEX, 2, 1, half_more);
	gpu_set_float_constants(gpu.dev, SHADER_PIXEL, 1, 1, scale);
	gpu_clear_color(gpu.dev, surface, black, 0, NULL);
	made = shaders_made(&gpu);
	tap_eq(gpu_draw(gpu.dev, &draw), 0, "a draw with Direct3D shaders");
	tap_eq(shaders_made(&gpu) - made, 2, "makes two variants");
	tap_eq(gpu_pixel(&gpu, target, 0, 2, 2), 0xffffff00, "constants of both stages and the varying arrive");
	tap_eq(gpu_pixel(&gpu, target, 0, SIZE / 2 + 1, 2), 0, "the right half is empty");

	key.position_offset = 1;
	gpu_set_shader_key(gpu.dev, SHADER_VERTEX, &key);
	gpu_set_system_constant(gpu.dev, SHADER_VERTEX, SHADER_SYS_POSITION, shift);
	gpu_draw(gpu.dev, &draw);
	tap_eq(shaders_made(&gpu) - made, 3, "another key makes another variant");
	tap_eq(gpu_pixel(&gpu, target, 0, SIZE / 2 + 1, 2), 0xffffff00, "which adds the position offset: two pixels");
	tap_eq(gpu_pixel(&gpu, target, 0, SIZE / 2 + 2, 2), 0, "and not three");
	key.position_offset = 0;
	gpu_set_shader_key(gpu.dev, SHADER_VERTEX, &key);
	gpu_draw(gpu.dev, &draw);
	tap_eq(shaders_made(&gpu) - made, 3, "going back finds the first variant");

	gpu_clear_color(gpu.dev, surface, black, 0, NULL);
	gpu_set_viewports(gpu.dev, 1, &fractional);
	gpu_set_system_constant(gpu.dev, SHADER_VERTEX, SHADER_SYS_POSITION, none);
	gpu_draw(gpu.dev, &draw);
	tap_eq(gpu_pixel(&gpu, target, 0, 2, 2), 0xffffff00, "a viewport at 2.25 covers the pixel whose centre is 2.5");
	fractional.x = 2.75f;
	gpu_clear_color(gpu.dev, surface, black, 0, NULL);
	gpu_set_viewports(gpu.dev, 1, &fractional);
	gpu_draw(gpu.dev, &draw);
	tap_eq(gpu_pixel(&gpu, target, 0, 2, 2), 0, "one at 2.75 does not");
	tap_eq(gpu_pixel(&gpu, target, 0, 3, 2), 0xffffff00, "but the next one");
	gpu_set_viewports(gpu.dev, 1, &whole);

	gpu_set_shader(gpu.dev, SHADER_PIXEL, NULL);
	tap_eq(gpu_draw(gpu.dev, &draw), 0, "a draw without pixel shader");
	gpu_shader_destroy(gpu.dev, pixel);
	gpu_shader_destroy(gpu.dev, vertex);
	tap_eq(gpu_draw(gpu.dev, &draw), -22, "a destroyed vertex shader is unbound: the draw is refused");
	gpu_pixel(&gpu, target, 0, 0, 0);
	tap_eq(gpu_device_status(gpu.dev), 0, "the context survived all of it");
	gpu_resource_destroy(gpu.dev, vb);
	gpu_plain_destroy(&gpu, &plain);
	gpu_surface_destroy(gpu.dev, surface);
	gpu_resource_destroy(gpu.dev, target);
	gpu_close(&gpu);
	return tap_done();
}
