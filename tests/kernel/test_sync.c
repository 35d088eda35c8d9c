/* SPDX-License-Identifier: MIT */
/* In- and out-syncobjs of submits, binary and timeline, within a context and between contexts. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

static int submit_synced(int fd, uint32_t ctx, struct drm_d3dgpu_sync *in, uint32_t in_count, struct drm_d3dgpu_sync *out,
			 uint32_t out_count)
{
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);

	submit.in_syncs = (uintptr_t)in;
	submit.in_sync_count = in_count;
	submit.out_syncs = (uintptr_t)out;
	submit.out_sync_count = out_count;
	return gpu_submit(fd, &submit);
}

static void test_binary(int fd)
{
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_sync a = {.handle = gpu_syncobj(fd, 0)}, b = {.handle = gpu_syncobj(fd, 0)};
	struct drm_d3dgpu_sync done = {.handle = gpu_syncobj(fd, DRM_SYNCOBJ_CREATE_SIGNALED)}, both[2];

	tap_eq(submit_synced(fd, ctx, NULL, 0, &a, 1), 0, "a submit with an out-syncobj");
	tap_eq(gpu_syncobj_wait(fd, a.handle, PATIENCE), 0, "it is signalled");
	tap_eq(gpu_syncobj_status(fd, a.handle), 1, "without an error");
	tap_eq(submit_synced(fd, ctx, &a, 1, &a, 1), 0, "the same syncobj in and out");
	tap_eq(gpu_syncobj_wait(fd, a.handle, PATIENCE), 0, "is signalled");
	both[0] = a;
	both[1] = done;
	tap_eq(submit_synced(fd, ctx, both, 2, &b, 1), 0, "two in-syncobjs, one signalled from the start");
	tap_eq(gpu_syncobj_wait(fd, b.handle, PATIENCE), 0, "the out-syncobj is signalled");
	both[1] = b;
	tap_eq(submit_synced(fd, ctx, NULL, 0, both, 2), 0, "two out-syncobjs");
	tap_eq(gpu_syncobj_wait(fd, a.handle, PATIENCE), 0, "the first is signalled");
	tap_eq(gpu_syncobj_wait(fd, b.handle, PATIENCE), 0, "the second is signalled");
	drmSyncobjDestroy(fd, a.handle);
	drmSyncobjDestroy(fd, b.handle);
	drmSyncobjDestroy(fd, done.handle);
	gpu_ctx_destroy(fd, ctx);
}

static int timeline_wait(int fd, uint32_t handle, uint64_t point, int64_t timeout_ns)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return drmSyncobjTimelineWait(fd, &handle, &point, 1, time.tv_sec * SECOND + time.tv_nsec + timeout_ns, 0, NULL) ?
		       -errno :
		       0;
}

static void test_timeline(int fd)
{
	uint32_t first = gpu_ctx(fd), second = gpu_ctx(fd);
	struct drm_d3dgpu_sync one = {.handle = gpu_syncobj(fd, 0), .point = 1}, two = one, far = one;
	uint64_t value = 0;

	two.point = 2;
	far.point = 9;
	tap_eq(submit_synced(fd, first, NULL, 0, &one, 1), 0, "a submit signals point 1");
	tap_eq(submit_synced(fd, second, &one, 1, &two, 1), 0, "one of another context waits for it and signals point 2");
	tap_eq(timeline_wait(fd, one.handle, 2, PATIENCE), 0, "point 2 comes");
	tap_eq(drmSyncobjQuery(fd, &one.handle, &value, 1), 0, "query the timeline");
	tap_eq(value, 2, "it is at 2");
	tap_eq(submit_synced(fd, first, &far, 1, NULL, 0), -EINVAL, "waiting for a point that nobody will signal: -EINVAL");
	drmSyncobjDestroy(fd, one.handle);
	gpu_ctx_destroy(fd, first);
	gpu_ctx_destroy(fd, second);
}

/* A chain over two contexts whose every link copies what the link before wrote. */
static void test_order(int fd)
{
	enum { LINKS = 8, WIDTH = 16, HEIGHT = 16, BYTES = WIDTH * HEIGHT * 4 };
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	uint32_t ctx[2] = {gpu_ctx(fd), gpu_ctx(fd)};
	struct drm_d3dgpu_sync sync = {.handle = gpu_syncobj(fd, DRM_SYNCOBJ_CREATE_SIGNALED)};
	struct gpu_bo commands = gpu_staging(fd, 4096 * LINKS), buffers[LINKS + 1], textures[2];
	unsigned queued = 0;

	for (unsigned i = 0; i <= LINKS; i++)
		buffers[i] = gpu_staging(fd, BYTES);
	for (unsigned i = 0; i < 2; i++)
		if (gpu_resource_create(fd, &desc, &textures[i]))
			tap_bail("no texture");
	memset(buffers[0].map, 0x3c, BYTES);
	for (unsigned i = 0; i < LINKS; i++) {
		const struct gpu_bo *texture = &textures[i % 2];
		struct drm_d3dgpu_submit_bo list[] = {
			{.handle = buffers[i].handle},
			{.handle = buffers[i + 1].handle, .flags = D3DGPU_SUBMIT_BO_WRITE},
			{.handle = texture->handle, .flags = D3DGPU_SUBMIT_BO_WRITE},
		};
		uint32_t *words = (uint32_t *)commands.map + 1024 * i;
		size_t count = gpu_put_upload(words, texture->res_id, WIDTH, HEIGHT, buffers[i].res_id);
		struct drm_d3dgpu_submit submit;

		count += gpu_put_download(words + count, texture->res_id, WIDTH, HEIGHT, buffers[i + 1].res_id);
		submit = gpu_submit_args(ctx[i % 2], &commands, (uint32_t)count, list, 3);
		submit.command_offset = 4096 * i;
		submit.in_syncs = submit.out_syncs = (uintptr_t)&sync;
		submit.in_sync_count = submit.out_sync_count = 1;
		queued += !gpu_submit(fd, &submit);
	}
	tap_eq(queued, LINKS, "%d submits in a chain, by turns in two contexts", LINKS);
	tap_eq(gpu_syncobj_wait(fd, sync.handle, PATIENCE), 0, "the last completes");
	tap_mem(buffers[LINKS].map, buffers[0].map, BYTES, "the last buffer has the bytes of the first");
	for (unsigned i = 0; i <= LINKS; i++)
		gpu_staging_end(fd, &buffers[i]);
	for (unsigned i = 0; i < 2; i++) {
		gpu_close(fd, textures[i].handle);
		gpu_ctx_destroy(fd, ctx[i]);
	}
	gpu_staging_end(fd, &commands);
	drmSyncobjDestroy(fd, sync.handle);
}

/* Destroying a context does not cut off what was submitted. */
static void test_destroy(int fd)
{
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_sync out = {.handle = gpu_syncobj(fd, 0)};

	for (unsigned i = 0; i < 100; i++)
		submit_synced(fd, ctx, NULL, 0, &out, 1);
	gpu_ctx_destroy(fd, ctx);
	tap_eq(gpu_syncobj_wait(fd, out.handle, PATIENCE), 0, "submits complete after their context's handle has gone");
	tap_eq(gpu_syncobj_status(fd, out.handle), 1, "without an error");
	drmSyncobjDestroy(fd, out.handle);
}

int main(void)
{
	int fd = gpu_open();

	test_binary(fd);
	test_timeline(fd);
	test_order(fd);
	test_destroy(fd);
	close(fd);
	return tap_done();
}
