/* SPDX-License-Identifier: MIT */
/* Two devices of one process share a target; one device outlives the loss of another; memory runs out and
 * comes back. */
#include <errno.h>
#include <string.h>

#include "gpu_fixture.h"
#include "tap.h"

#define SIZE 16

static void clear(struct gpu *gpu, struct gpu_surface *surface, float red, float green)
{
	float rgba[4] = {red, green, 0, 1};
	uint32_t color[4];

	memcpy(color, rgba, sizeof(color));
	gpu_clear_color(gpu->dev, surface, color, 0, NULL);
}

/* A second context on the same winsys. */
static struct gpu second_device(struct gpu *first)
{
	struct gpu gpu = {.ws = first->ws};
	int error = gpu_device_create(gpu.ws, &gpu.dev);

	if (error)
		tap_bail("second device: %s", strerror(-error));
	return gpu;
}

static void test_shared_target(struct gpu *gpu)
{
	struct gpu other = second_device(gpu);
	struct gpu_resource *mine = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE), *theirs;
	struct gpu_surface *surface = gpu_surface(gpu, mine, 0, 0), *their_surface;
	struct gpu_rect corner = {0, 0, 4, 4};
	float green[4] = {0, 1, 0, 1};
	uint32_t color[4];
	uint64_t token;

	memcpy(color, green, sizeof(color));
	clear(gpu, surface, 1, 0);
	tap_eq(gpu_resource_share(gpu->dev, mine, &token), 0, "a target is shared");
	tap_eq(gpu_resource_open(other.dev, token, &theirs), 0, "and opened by another device");
	tap_eq(theirs->desc.width, SIZE, "which knows its size");
	tap_eq(gpu_pixel(&other, theirs, 0, 5, 5), 0xffff0000, "and sees what was in it before");
	their_surface = gpu_surface(&other, theirs, 0, 0);
	gpu_clear_color(other.dev, their_surface, color, 1, &corner);
	gpu_flush(other.dev, NULL);
	tap_eq(gpu_pixel(gpu, mine, 0, 1, 1), 0xff00ff00, "what the other draws is seen by the first");
	tap_eq(gpu_pixel(gpu, mine, 0, 9, 9), 0xffff0000, "beside what it had drawn itself");
	gpu_surface_destroy(other.dev, their_surface);
	gpu_resource_destroy(other.dev, theirs);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, mine);
	gpu_device_destroy(other.dev);
}

/* A stream that the engine refuses ends its own device and no other. */
static void test_lost_device(struct gpu *gpu)
{
	struct gpu other = second_device(gpu);
	struct gpu_resource *target = gpu_target(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *theirs = gpu_target(&other, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_surface *surface = gpu_surface(gpu, target, 0, 0);
	struct gpu_surface *their_surface = gpu_surface(&other, theirs, 0, 0);
	struct gpu_shader *broken = gpu_tgsi(&other, SHADER_PIXEL, "FRAG\nthis is no shader\n");
	struct gpu_mapping map;
	int error = gpu_map(other.dev, theirs, 0, NULL, GPU_MAP_READ, &map);

	tap_eq(error, -EIO, "a map on a lost device fails instead of waiting for ever");
	tap_ok(gpu_device_status(other.dev), "its status says why (%u)", gpu_device_status(other.dev));
	clear(&other, their_surface, 0, 1);
	tap_eq(gpu_flush(other.dev, NULL), -EIO, "it takes no more submits");
	clear(gpu, surface, 0, 1);
	tap_eq(gpu_pixel(gpu, target, 0, 1, 1), 0xff00ff00, "the other device goes on");
	gpu_shader_destroy(other.dev, broken);
	gpu_surface_destroy(other.dev, their_surface);
	gpu_resource_destroy(other.dev, theirs);
	gpu_device_destroy(other.dev);
	other = second_device(gpu);
	theirs = gpu_target(&other, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	gpu_pixel(&other, theirs, 0, 1, 1);
	tap_eq(gpu_device_status(other.dev), 0, "a new device works at once");
	gpu_resource_destroy(other.dev, theirs);
	gpu_device_destroy(other.dev);
	gpu_surface_destroy(gpu->dev, surface);
	gpu_resource_destroy(gpu->dev, target);
}

/* The pool of 256 MiB is no limit for many resources together; for one it is. */
static void test_exhaustion(struct gpu *gpu)
{
	enum { MANY = 64 };
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET,
		.width = 2048,
		.height = 1024,
		.depth = 1,
		.array_size = 1,
	};
	struct gpu_resource *resources[MANY], *large;
	unsigned count = 0, right = 0;

	while (count < MANY && !gpu_resource_create(gpu->dev, &desc, GPU_USAGE_DEFAULT, &resources[count])) {
		struct gpu_surface *surface = gpu_surface(gpu, resources[count], 0, 0);

		clear(gpu, surface, count & 1 ? 1 : 0, count & 2 ? 1 : 0);
		gpu_surface_destroy(gpu->dev, surface);
		count++;
	}
	tap_eq(count, MANY, "twice as many targets as the pool has room for");
	desc.width = desc.height = 8192;
	tap_eq(gpu_resource_create(gpu->dev, &desc, GPU_USAGE_DEFAULT, &large), -ENOMEM,
	       "one that is larger than the pool: -ENOMEM");
	for (unsigned i = 0; i < count; i++)
		right += gpu_pixel(gpu, resources[i], 0, i, i) ==
			 (0xff000000u | (i & 1 ? 0xff0000u : 0) | (i & 2 ? 0xff00u : 0));
	tap_eq(right, count, "all of them are as they were drawn");
	while (count)
		gpu_resource_destroy(gpu->dev, resources[--count]);
}

int main(void)
{
	struct gpu gpu = gpu_open_device("vram=256M");

	test_shared_target(&gpu);
	test_lost_device(&gpu);
	test_exhaustion(&gpu);
	tap_eq(gpu_device_status(gpu.dev), 0, "the first device survived all of it");
	gpu_close(&gpu);
	return tap_done();
}
