/* SPDX-License-Identifier: MIT */
/*
 * The promise of a steady frame: after a few frames of warming up, a frame is one submit, and nothing is created or
 * allocated by anybody. Heap allocations are counted twice: by the driver itself, and by wrapping the allocator.
 *
 * test_driver_steady [device]: on the null winsys, whose fences are only done when waited for, or on the device.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_fixture.h"
#include "null.h"
#include "tap.h"

#define FRAMES 100
#define LATENCY 3 /* frames in flight */

static unsigned long heap_calls;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	heap_calls++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	heap_calls++;
	return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	heap_calls++;
	return __real_realloc(old, size);
}

struct scene {
	struct gpu gpu;
	struct gpu_resource *target, *depth, *vertices, *constants, *texture;
	struct gpu_surface *surface, *zs;
	struct gpu_view *view;
	struct gpu_plain plain;
	struct gpu_shader *textured;
	uint64_t fences[LATENCY];
};

static void scene_init(struct scene *scene, bool on_device)
{
	static const char pixel[] =
		"FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[0..1]\nDCL TEMP[0]\n"
		"MOV TEMP[0], CONST[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D\nMOV OUT[0], TEMP[0]\nEND\n";
	struct gpu *gpu = &scene->gpu;

	if (on_device)
		scene->gpu = gpu_open_device(NULL);
	else
		scene->gpu = gpu_open_null(D3DGPU_QUIRK_DIVISOR_BY_ELEMENT | D3DGPU_QUIRK_VIEW_LEVEL_TWICE);
	scene->target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 256, 256);
	scene->depth = gpu_depth(gpu, D3DGPU_DS_D24S8, 256, 256, 0);
	scene->texture = gpu_texture(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 64, 64, 1, 1, D3DGPU_BIND_SAMPLER_VIEW);
	scene->vertices = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DYNAMIC, 4096, NULL);
	scene->constants = gpu_buffer(gpu, D3DGPU_BIND_CONSTANT_BUFFER, GPU_USAGE_DEFAULT, 256, NULL);
	scene->surface = gpu_surface(gpu, scene->target, 0, 0);
	scene->zs = gpu_surface(gpu, scene->depth, 0, 0);
	scene->view = gpu_view_of(gpu, scene->texture);
	scene->plain = gpu_plain_pipeline(gpu, scene->surface, scene->zs, 256, 256);
	scene->textured = gpu_tgsi(gpu, SHADER_PIXEL, pixel);
}

static void scene_fini(struct scene *scene)
{
	struct gpu *gpu = &scene->gpu;

	gpu_shader_destroy(gpu->dev, scene->textured);
	gpu_plain_destroy(gpu, &scene->plain);
	gpu_view_destroy(gpu->dev, scene->view);
	gpu_surface_destroy(gpu->dev, scene->surface);
	gpu_surface_destroy(gpu->dev, scene->zs);
	gpu_resource_destroy(gpu->dev, scene->target);
	gpu_resource_destroy(gpu->dev, scene->depth);
	gpu_resource_destroy(gpu->dev, scene->texture);
	gpu_resource_destroy(gpu->dev, scene->vertices);
	gpu_resource_destroy(gpu->dev, scene->constants);
	gpu_close(gpu);
}

/* One of the frame's draws: streamed vertices and constants, states that go back and forth. */
static void draw_part(struct scene *scene, unsigned frame, unsigned i)
{
	static const uint8_t bytes[256];
	struct gpu_device *dev = scene->gpu.dev;
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .start = i * 3, .count = 3, .instance_count = 1};
	struct gpu_depth_stencil_desc ds = {.depth_test = i & 1, .depth_func = D3DGPU_COMPARE_LESS};
	struct gpu_blend_desc blend = {.targets[0] = {.write_mask = (uint8_t)(i & 15)}};
	float constant[4] = {(float)i, (float)frame, 0, 0};
	struct gpu_mapping map;

	gpu_map(dev, scene->vertices, 0, NULL, GPU_MAP_WRITE | (i ? GPU_MAP_NO_OVERWRITE : GPU_MAP_DISCARD), &map);
	memset((char *)map.data + 96 * i, (int)i, 96);
	gpu_unmap(dev, scene->vertices, 0);
	gpu_update(dev, scene->constants, 0, NULL, bytes, 256, 256);
	gpu_set_depth_stencil(dev, gpu_depth_stencil_get(dev, &ds), 0, 0);
	gpu_set_blend(dev, gpu_blend_get(dev, &blend), NULL, UINT32_MAX);
	gpu_set_float_constants(dev, SHADER_PIXEL, 0, 1, constant);
	gpu_set_shader(dev, SHADER_PIXEL, i & 1 ? scene->textured : scene->plain.pixel);
	if (gpu_draw(dev, &draw))
		tap_bail("draw failed");
}

static void draw_frame(struct scene *scene, unsigned number)
{
	static const uint8_t bytes[64 * 64 * 4];
	static const uint32_t no_color[4];
	static const struct gpu_rect part = {10, 10, 50, 50};
	struct gpu_device *dev = scene->gpu.dev;
	uint64_t *slot = &scene->fences[number % LATENCY];

	gpu_clear_color(dev, scene->surface, no_color, 0, NULL);
	gpu_clear_depth_stencil(dev, scene->zs, GPU_CLEAR_DEPTH, 1, 0, 0, NULL);
	gpu_clear_color(dev, scene->surface, no_color, 1, &part);
	gpu_update(dev, scene->texture, 0, NULL, bytes, 256, sizeof(bytes));
	gpu_set_texture(dev, SHADER_PIXEL, 0, scene->view);
	gpu_set_constant_buffer(dev, SHADER_VERTEX, 0, scene->constants, 0, 0);
	gpu_set_vertex_buffer(dev, 0, scene->vertices, 32, 0);
	for (unsigned i = 0; i < 20; i++)
		draw_part(scene, number, i);
	if (*slot)
		gpu_fence_wait(dev, *slot, UINT64_MAX);
	gpu_flush(dev, slot);
}

int main(int argc, char **argv)
{
	bool on_device = argc > 1;
	struct scene scene = {0};
	struct gpu_stats before, after;
	unsigned long heap;

	scene_init(&scene, on_device);
	if (!on_device)
		winsys_null_hold(scene.gpu.ws, 0);
	for (unsigned i = 0; i < 20; i++)
		draw_frame(&scene, i);
	gpu_get_stats(scene.gpu.dev, &before);
	heap = heap_calls;
	for (unsigned i = 20; i < 20 + FRAMES; i++)
		draw_frame(&scene, i);
	heap = heap_calls - heap;
	gpu_get_stats(scene.gpu.dev, &after);

	tap_eq(after.draws - before.draws, 20 * FRAMES, "%d frames drew", FRAMES);
	tap_eq(after.winsys.submits - before.winsys.submits, FRAMES, "one submit a frame");
	tap_eq(after.winsys.bo_creates - before.winsys.bo_creates, 0, "no buffer object is created");
	tap_eq(after.winsys.bo_destroys - before.winsys.bo_destroys, 0, "nor destroyed");
	tap_eq(after.staging_buffers - before.staging_buffers, 0, "no staging buffer is created");
	tap_eq(after.state_objects - before.state_objects, 0, "no state object is created");
	tap_eq(after.shaders - before.shaders, 0, "no shader is created");
	tap_eq(after.allocations - before.allocations, 0, "the driver counts no allocation");
	tap_eq(heap, 0, "nor does the heap");
	if (on_device) {
		uint64_t calls = after.winsys.ioctls - before.winsys.ioctls, waits = after.winsys.waits - before.winsys.waits;

		tap_eq(calls - waits, FRAMES, "the submit is the only call into the kernel");
		tap_ok(waits <= FRAMES, "but for at most one a frame that sleeps, where the GPU is slower (%u in %d)",
		       (unsigned)waits, FRAMES);
		tap_eq(gpu_device_status(scene.gpu.dev), 0, "the context is alive");
	} else {
		tap_eq(after.winsys.ioctls - before.winsys.ioctls, FRAMES,
		       "the submit is the only call into the kernel");
		winsys_null_hold(scene.gpu.ws, UINT64_MAX);
	}
	scene_fini(&scene);
	return tap_done();
}
