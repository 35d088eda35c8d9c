/* SPDX-License-Identifier: MIT */
/* Memory: exhaustion, and that all of it comes back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define PIECE (16u << 20)
#define MOST 4096

/* Objects that nothing uses leave VRAM for others, until all together have as much as they may. */
static void test_exhaustion(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	uint64_t pool = gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE), limit = gpu_param(fd, D3DGPU_PARAM_MEMORY_LIMIT);
	uint32_t *handles = calloc(MOST, sizeof(*handles));
	unsigned count = 0;
	struct gpu_bo bo;
	int ret;

	while (!(ret = gpu_staging_create(fd, PIECE, &bo)) && count < MOST)
		handles[count++] = bo.handle;
	tap_ok(limit > pool, "there may be more than the pool holds (%llu of %llu MiB)", (unsigned long long)limit >> 20,
	       (unsigned long long)pool >> 20);
	tap_eq(ret, -ENOMEM, "buffers without end: -ENOMEM");
	tap_ok((uint64_t)count * PIECE <= limit, "no more than the limit");
	tap_ok((uint64_t)(count + 4) * PIECE >= limit, "and nearly all of it (%u buffers)", count);
	tap_eq(gpu_close(fd, handles[count / 2]), 0, "give one back");
	tap_eq(gpu_staging_create(fd, PIECE, &bo), 0, "and there is room for one");
	handles[count / 2] = bo.handle;
	while (count)
		gpu_close(fd, handles[--count]);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all of it comes back");
	free(handles);
}

/* Objects that a worker has come back too, though later. */
static void test_resident(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(1024, 1024);
	struct drm_d3dgpu_submit_bo list = {.flags = D3DGPU_SUBMIT_BO_WRITE};
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit;
	unsigned made = 0, ran = 0, rounds;
	struct gpu_bo bo;

	rounds = (unsigned)(free_before / (4u << 20)) * 2;
	for (unsigned i = 0; i < rounds; i++) {
		if (gpu_resource_create(fd, &desc, &bo))
			break;
		made++;
		list.handle = bo.handle;
		submit = gpu_submit_args(ctx, NULL, 0, &list, 1);
		ran += !gpu_submit(fd, &submit);
		gpu_close(fd, bo.handle);
	}
	tap_eq(made, rounds, "twice the pool in textures, each given to a context and closed");
	tap_eq(ran, rounds, "all of their submits were taken");
	submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "the context is well");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and not lost");
	tap_ok(gpu_vram_comes_back(fd, free_before), "all memory comes back while the context lives");

	gpu_resource_create(fd, &desc, &bo);
	list.handle = bo.handle;
	submit = gpu_submit_args(ctx, NULL, 0, &list, 1);
	gpu_run(fd, &submit);
	gpu_close(fd, bo.handle);
	gpu_ctx_destroy(fd, ctx);
	tap_ok(gpu_vram_comes_back(fd, free_before), "and when the context ends with its objects");
}

static void test_too_large(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(4096, 4096);
	uint64_t size = gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE);
	struct d3dgpu_caps caps;
	struct gpu_bo bo;

	gpu_caps(fd, &caps);
	desc.target = D3DGPU_TARGET_2D_ARRAY;
	desc.array_size = (uint16_t)(size / (4096 * 4096 * 4) + 1);
	if (caps.max_texture_2d < 4096 || caps.max_texture_layers < desc.array_size) {
		tap_skip("no resource can be larger than this pool", "a resource larger than the pool");
		return;
	}
	tap_eq(gpu_resource_create(fd, &desc, &bo), -ENOMEM, "a resource larger than the pool: -ENOMEM");
}

int main(void)
{
	int fd = gpu_open();

	test_exhaustion(fd);
	test_resident(fd);
	test_too_large(fd);
	close(fd);
	return tap_done();
}
