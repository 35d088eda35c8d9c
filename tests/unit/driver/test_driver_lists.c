/* SPDX-License-Identifier: MIT */
/*
 * What the kernel is told about memory: which objects a submit lists, which of them it writes, how much of the pool it asks
 * for at a time, and which memory nobody needs. Every list is also compared with its stream (D3DGPU_DEBUG=access).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_fixture.h"
#include "null.h"
#include "tap.h"

#define SIZE 64u

/* The submits since the last flush of a test */
static struct {
	unsigned submits, count;
	uint32_t res_ids[256];
	bool writes[256];
	uint64_t largest; /* bytes that one of them lists */
} seen;

static void record(void *opaque, const struct winsys_submit *submit, const uint32_t *words, uint32_t count)
{
	uint64_t bytes = 0;

	seen.count = submit->bo_count < 256 ? submit->bo_count : 256;
	for (uint32_t i = 0; i < seen.count; i++) {
		seen.res_ids[i] = submit->bos[i]->res_id;
		seen.writes[i] = submit->writes[i];
		bytes += submit->bos[i]->size;
	}
	seen.largest = bytes > seen.largest ? bytes : seen.largest;
	seen.submits++;
}

static void start(struct gpu *gpu)
{
	gpu_flush(gpu->dev, NULL);
	memset(&seen, 0, sizeof(seen));
}

enum use { UNLISTED, READ, WRITTEN };

static enum use use_of(const struct gpu_resource *res)
{
	for (unsigned i = 0; i < seen.count; i++)
		if (seen.res_ids[i] == res->bo->res_id)
			return seen.writes[i] ? WRITTEN : READ;
	return UNLISTED;
}

/* Flushes; then the two resources must have been used like this. */
static void expect(struct gpu *gpu, const struct gpu_resource *a, enum use use_a, const struct gpu_resource *b,
		   enum use use_b, const char *name)
{
	tap_eq(gpu_flush(gpu->dev, NULL), 0, "%s: is submitted", name);
	tap_eq(use_of(a), use_a, "%s: the first is %s", name, use_a == WRITTEN ? "written" : "read");
	tap_eq(use_of(b), use_b, "%s: the second is %s", name,
	       use_b == WRITTEN ? "written" : use_b == READ ? "read" : "not listed");
}

static void test_uses(void)
{
	static const uint32_t black[4];
	static uint8_t bytes[SIZE * SIZE * 4];
	const struct gpu_rect part = {1, 1, 5, 5};
	struct gpu gpu = gpu_open_null(0);
	struct gpu_resource *a = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *b = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE);
	struct gpu_resource *zs = gpu_depth(&gpu, D3DGPU_DS_D24S8, SIZE, SIZE, 0);
	struct gpu_resource *mips = gpu_texture(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, SIZE, SIZE, 4, 1,
						D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW);
	struct gpu_surface *surface = gpu_surface(&gpu, a, 0, 0), *depth = gpu_surface(&gpu, zs, 0, 0);
	struct gpu_plain plain = gpu_plain_pipeline(&gpu, surface, depth, SIZE, SIZE);
	struct gpu_resource *vertices = gpu_buffer(&gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, 4096, bytes);
	struct gpu_view *view = gpu_view_of(&gpu, mips);
	struct gpu_blit blit = {.dst = a, .src = b, .dst_width = SIZE, .dst_height = SIZE, .dst_depth = 1, .src_width = SIZE,
				.src_height = SIZE, .src_depth = 1, .mask = D3DGPU_MASK_RGBA};
	struct gpu_draw draw = {.topology = D3DGPU_PRIM_TRIANGLES, .count = 3, .instance_count = 1};
	struct gpu_mapping map;

	winsys_null_record(gpu.ws, record, NULL);
	start(&gpu);
	gpu_clear_color(gpu.dev, surface, black, 0, NULL);
	expect(&gpu, a, WRITTEN, zs, READ, "a clear of one of two surfaces");
	start(&gpu);
	gpu_clear_depth_stencil(gpu.dev, depth, GPU_CLEAR_DEPTH, 1, 0, 1, &part);
	expect(&gpu, zs, WRITTEN, b, UNLISTED, "a clear of a rectangle");
	start(&gpu);
	gpu_copy(gpu.dev, a, 0, 0, 0, 0, b, 0, NULL);
	expect(&gpu, a, WRITTEN, b, READ, "a copy");
	start(&gpu);
	gpu_blit(gpu.dev, &blit);
	expect(&gpu, a, WRITTEN, b, READ, "a blit");
	start(&gpu);
	gpu_generate_mips(gpu.dev, view);
	expect(&gpu, mips, WRITTEN, b, UNLISTED, "mip maps");
	start(&gpu);
	gpu_update(gpu.dev, b, 0, NULL, bytes, SIZE * 4, sizeof(bytes));
	expect(&gpu, b, WRITTEN, a, UNLISTED, "an update");
	start(&gpu);
	gpu_map(gpu.dev, b, 0, NULL, GPU_MAP_READ, &map);
	gpu_unmap(gpu.dev, b, 0);
	tap_eq(use_of(b), READ, "a read-back reads");
	start(&gpu);
	gpu_set_vertex_buffer(gpu.dev, 0, vertices, 32, 0);
	gpu_draw(gpu.dev, &draw);
	expect(&gpu, a, WRITTEN, vertices, READ, "a draw");
	tap_eq(use_of(zs), WRITTEN, "a draw: so is the depth-stencil surface");
	start(&gpu);
	gpu_draw(gpu.dev, &draw);
	expect(&gpu, a, WRITTEN, vertices, READ, "a draw that sends nothing of its state");
	tap_eq(gpu_device_status(gpu.dev), 0, "no list was wrong");
	gpu_plain_destroy(&gpu, &plain);
	gpu_view_destroy(gpu.dev, view);
	gpu_surface_destroy(gpu.dev, surface);
	gpu_surface_destroy(gpu.dev, depth);
	gpu_resource_destroy(gpu.dev, a);
	gpu_resource_destroy(gpu.dev, b);
	gpu_resource_destroy(gpu.dev, zs);
	gpu_resource_destroy(gpu.dev, mips);
	gpu_resource_destroy(gpu.dev, vertices);
	gpu_close(&gpu);
}

/* ---- how much at a time ---- */

#define POOL (64ull << 20)
#define TEXTURES 24u	/* of 4 MiB each */

/* A null GPU with a small pool, which does not count against itself: resources may be more than it. */
static struct gpu open_small(void)
{
	struct d3dgpu_caps caps;
	struct gpu gpu;

	winsys_null_caps(&caps);
	if (winsys_null_open(&caps, &gpu.ws))
		tap_bail("no null winsys");
	gpu.ws->caps.vram_size = POOL;
	if (gpu_device_create(gpu.ws, &gpu.dev))
		tap_bail("no device");
	winsys_null_record(gpu.ws, record, NULL);
	return gpu;
}

static void test_cut(void)
{
	struct gpu gpu = open_small();
	struct gpu_resource *textures[TEXTURES], *target = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 1024, 1024);

	for (unsigned i = 0; i < TEXTURES; i++)
		textures[i] = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 1024, 1024);
	start(&gpu);
	for (unsigned i = 0; i < TEXTURES; i++)
		gpu_copy(gpu.dev, target, 0, 0, 0, 0, textures[i], 0, NULL);
	gpu_flush(gpu.dev, NULL);
	tap_ok(seen.submits > 3, "96 MiB of textures take more than three submits (%u)", seen.submits);
	tap_ok(seen.largest <= POOL / 2, "none lists more than half of the pool (%u MiB)", (unsigned)(seen.largest >> 20));
	tap_eq(gpu_device_status(gpu.dev), 0, "the device is alive");
	for (unsigned i = 0; i < TEXTURES; i++)
		gpu_resource_destroy(gpu.dev, textures[i]);
	gpu_resource_destroy(gpu.dev, target);
	gpu_close(&gpu);
}

static void test_too_much(void)
{
	struct gpu gpu = open_small();
	struct gpu_resource *a = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 4096, 2048 + 64);
	struct gpu_resource *b = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 4096, 2048);

	start(&gpu);
	tap_eq(gpu_copy(gpu.dev, a, 0, 0, 0, 0, b, 0, NULL), -ENOMEM, "a copy between more than the pool: -ENOMEM");
	tap_eq(gpu_flush(gpu.dev, NULL), 0, "and the device goes on");
	tap_eq(gpu_device_status(gpu.dev), 0, "unharmed");
	gpu_resource_destroy(gpu.dev, a);
	gpu_resource_destroy(gpu.dev, b);
	gpu_close(&gpu);
}

/* ---- memory that nobody needs ---- */

static void upload(struct gpu *gpu, struct gpu_resource *res, uint32_t size)
{
	uint8_t *bytes = calloc(1, (size_t)size * size * 4);
	const struct gpu_box box = {.width = size, .height = size, .depth = 1};

	gpu_update(gpu->dev, res, 0, &box, bytes, size * 4, size * size * 4);
	gpu_flush(gpu->dev, NULL);
	free(bytes);
}

static void test_idle_staging(void)
{
	struct gpu gpu = gpu_open_null(0);
	struct gpu_resource *res = gpu_target(&gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 1024, 1024);
	struct gpu_stats before, after;

	upload(&gpu, res, 16);
	upload(&gpu, res, 1024);
	gpu_get_stats(gpu.dev, &before);
	tap_eq(winsys_null_unneeded(gpu.ws), 0, "what was just used is needed");
	for (unsigned i = 0; i < 300; i++)
		upload(&gpu, res, 16);
	tap_ok(winsys_null_unneeded(gpu.ws) >= 4u << 20, "300 submits later the large upload's memory is not");
	upload(&gpu, res, 1024);
	tap_ok(winsys_null_unneeded(gpu.ws) < 4u << 20, "until it is used again");
	gpu_get_stats(gpu.dev, &after);
	tap_eq(after.staging_buffers, before.staging_buffers, "without a new buffer");
	gpu_resource_destroy(gpu.dev, res);
	gpu_close(&gpu);
}

int main(void)
{
	setenv("D3DGPU_DEBUG", "access", 1);
	test_uses();
	test_cut();
	test_too_much();
	test_idle_staging();
	return tap_done();
}
