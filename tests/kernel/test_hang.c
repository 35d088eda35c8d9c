/* SPDX-License-Identifier: MIT */
/* A stream that takes longer than the device allows: its context is ended, nobody else waits for it. */
#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define EXTENT 1024
#define COPIES 200000u		/* of 4 MiB each: minutes */

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A context that copies for minutes. */
struct busy {
	uint32_t ctx;
	struct gpu_bo texture, buffer, commands;
};

/* Submits its stream, with a syncobj or 0. */
static void busy_begin(int fd, struct busy *busy, uint32_t syncobj)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(EXTENT, EXTENT);
	struct drm_d3dgpu_sync out = {.handle = syncobj};
	struct drm_d3dgpu_submit_bo list[2];
	struct drm_d3dgpu_submit submit;
	size_t words = 0;

	busy->ctx = gpu_ctx(fd);
	busy->buffer = gpu_staging(fd, EXTENT * EXTENT * 4);
	busy->commands = gpu_staging(fd, COPIES * 60 + 4096);
	if (gpu_resource_create(fd, &desc, &busy->texture))
		tap_bail("no texture");
	for (unsigned i = 0; i < COPIES; i++)
		words += gpu_put_upload((uint32_t *)busy->commands.map + words, busy->texture.res_id, EXTENT, EXTENT,
					busy->buffer.res_id);
	list[0] = (struct drm_d3dgpu_submit_bo){.handle = busy->buffer.handle};
	list[1] = (struct drm_d3dgpu_submit_bo){.handle = busy->texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	submit = gpu_submit_args(busy->ctx, &busy->commands, (uint32_t)words, list, 2);
	submit.out_syncs = (uintptr_t)&out;
	submit.out_sync_count = syncobj ? 1 : 0;
	tap_eq(gpu_submit(fd, &submit), 0, "a stream that copies for minutes is taken");
}

static void check_others(int fd, const char *name)
{
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	unsigned completed = 0;

	for (unsigned i = 0; i < 20; i++)
		completed += !gpu_run(fd, &submit);
	tap_eq(completed, 20, "%s: twenty submits of another context complete", name);
	gpu_ctx_destroy(fd, ctx);
}

struct level {
	int fd;
	uint64_t free;
};

static bool is_free(void *data)
{
	struct level *level = data;

	return gpu_param(level->fd, D3DGPU_PARAM_VRAM_FREE) >= level->free;
}

static void test_hang(int fd)
{
	struct level level = {fd, gpu_param(fd, D3DGPU_PARAM_VRAM_FREE)};
	uint32_t syncobj = gpu_syncobj(fd, 0);
	double begin = seconds();
	struct busy busy;

	busy_begin(fd, &busy, syncobj);
	check_others(fd, "meanwhile");
	tap_eq(gpu_syncobj_wait(fd, syncobj, 0), -ETIME, "the stream is still running");
	tap_eq(gpu_syncobj_wait(fd, syncobj, PATIENCE), 0, "its fence is signalled in the end");
	tap_eq(gpu_syncobj_status(fd, syncobj), -EIO, "with an error");
	tap_eq(gpu_ctx_query(fd, busy.ctx).status, D3DGPU_FAULT_HANG, "the context is lost: hang (after %.1f s)",
	       seconds() - begin);
	gpu_close(fd, busy.texture.handle);
	gpu_staging_end(fd, &busy.buffer);
	gpu_staging_end(fd, &busy.commands);
	tap_ok(gpu_eventually(is_free, &level, PATIENCE), "its memory comes back when its worker is dead");
	gpu_ctx_destroy(fd, busy.ctx);
	drmSyncobjDestroy(fd, syncobj);
}

/* A program that ends in the middle of such a stream. */
static void test_closed(int fd)
{
	struct level level = {fd, gpu_param(fd, D3DGPU_PARAM_VRAM_FREE)};
	double begin = seconds();
	int other = gpu_open();
	struct busy busy;

	busy_begin(other, &busy, 0);
	munmap(busy.buffer.map, busy.buffer.size);	/* a mapping keeps its object */
	munmap(busy.commands.map, busy.commands.size);
	usleep(200000);
	close(other);
	tap_ok(seconds() - begin < 8, "closing the file does not wait for the stream (%.1f s)", seconds() - begin);
	check_others(fd, "afterwards");
	tap_ok(gpu_eventually(is_free, &level, PATIENCE), "the memory of the file comes back");
}

int main(void)
{
	int fd = gpu_open();

	test_hang(fd);
	test_closed(fd);
	close(fd);
	return tap_done();
}
