/* SPDX-License-Identifier: MIT */
/* A stream that takes longer than the device allows: its context is ended, nobody else waits for it. */
#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "busy.h"
#include "gpu.h"
#include "tap.h"

#define EXTENT 1024

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
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

static void test_hang(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	uint32_t syncobj = gpu_syncobj(fd, 0);
	double begin = seconds();
	struct busy busy;

	busy = busy_begin(fd, EXTENT, EXTENT, syncobj);
	check_others(fd, "meanwhile");
	tap_eq(gpu_syncobj_wait(fd, syncobj, 0), -ETIME, "the stream is still running");
	tap_eq(gpu_syncobj_wait(fd, syncobj, PATIENCE), 0, "its fence is signalled in the end");
	tap_eq(gpu_syncobj_status(fd, syncobj), -EIO, "with an error");
	tap_eq(gpu_ctx_query(fd, busy.ctx).status, D3DGPU_FAULT_HANG, "the context is lost: hang (after %.1f s)",
	       seconds() - begin);
	gpu_close(fd, busy.texture.handle);
	gpu_staging_end(fd, &busy.buffer);
	gpu_staging_end(fd, &busy.commands);
	tap_ok(gpu_vram_comes_back(fd, free_before), "its memory comes back when its worker is dead");
	gpu_ctx_destroy(fd, busy.ctx);
	drmSyncobjDestroy(fd, syncobj);
}

/* A program that ends in the middle of such a stream. */
static void test_closed(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	double begin = seconds();
	int other = gpu_open();
	struct busy busy;

	busy = busy_begin(other, EXTENT, EXTENT, 0);
	munmap(busy.buffer.map, busy.buffer.size);	/* a mapping keeps its object */
	munmap(busy.commands.map, busy.commands.size);
	usleep(200000);
	close(other);
	tap_ok(seconds() - begin < 8, "closing the file does not wait for the stream (%.1f s)", seconds() - begin);
	check_others(fd, "afterwards");
	tap_ok(gpu_vram_comes_back(fd, free_before), "the memory of the file comes back");
}

/* The same syncobj in another file. */
static uint32_t hand_over(int from, uint32_t syncobj, int to)
{
	uint32_t handle = 0;
	int passed = -1;

	if (drmSyncobjHandleToFD(from, syncobj, &passed) || drmSyncobjFDToHandle(to, passed, &handle))
		tap_bail("a syncobj cannot be passed");
	close(passed);
	return handle;
}

/* A program that has done something, waits for such a stream of another, and ends before it. */
static void test_waiter_closed(int fd)
{
	int hanging = gpu_open(), waiting = gpu_open();
	uint32_t awaited = gpu_syncobj(fd, 0), done = gpu_syncobj(fd, 0), ctx = gpu_ctx(waiting);
	struct drm_d3dgpu_sync in = {.handle = hand_over(fd, awaited, waiting)}, out = {.handle = hand_over(fd, done, waiting)};
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	struct busy busy = busy_begin(hanging, EXTENT, EXTENT, hand_over(fd, awaited, hanging));

	tap_eq(gpu_run(waiting, &submit), 0, "a submit of another program");
	submit.in_syncs = (uintptr_t)&in;
	submit.out_syncs = (uintptr_t)&out;
	submit.in_sync_count = submit.out_sync_count = 1;
	tap_eq(gpu_submit(waiting, &submit), 0, "one that waits for the stream");
	close(waiting);
	check_others(fd, "the waiting program has gone");
	munmap(busy.buffer.map, busy.buffer.size);
	munmap(busy.commands.map, busy.commands.size);
	close(hanging);
	tap_eq(gpu_syncobj_wait(fd, done, PATIENCE), 0, "what it had queued ends in the end");
	tap_eq(gpu_syncobj_status(fd, done), -EIO, "with an error");
	drmSyncobjDestroy(fd, awaited);
	drmSyncobjDestroy(fd, done);
}

int main(void)
{
	int fd = gpu_open();

	test_hang(fd);
	test_closed(fd);
	test_waiter_closed(fd);
	close(fd);
	return tap_done();
}
