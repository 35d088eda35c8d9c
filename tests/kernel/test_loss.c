/* SPDX-License-Identifier: MIT */
/* A context that does something wrong is lost; nobody else notices. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "d3dgpu_stream.h"
#include "gpu.h"
#include "tap.h"

struct context {
	int fd;
	uint32_t id;
};

static bool is_lost(void *data)
{
	struct context *context = data;

	return gpu_ctx_query(context->fd, context->id).status;
}

static void check_lost(int fd, uint32_t ctx, uint32_t want, const char *name)
{
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	struct context context = {fd, ctx};

	tap_ok(gpu_eventually(is_lost, &context, PATIENCE), "%s: the context is lost", name);
	tap_eq(gpu_ctx_query(fd, ctx).status, want, "%s: and why", name);
	tap_eq(gpu_submit(fd, &submit), -EIO, "%s: later submits give -EIO", name);
}

/* Runs words that the engine refuses. */
static void lose_by_stream(int fd, uint32_t ctx, const uint32_t *words, uint32_t count, const char *name)
{
	struct gpu_bo commands = gpu_staging(fd, 4096);
	struct drm_d3dgpu_sync out = {.handle = gpu_syncobj(fd, 0)};
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, &commands, count, NULL, 0);

	memcpy(commands.map, words, count * 4);
	submit.out_syncs = (uintptr_t)&out;
	submit.out_sync_count = 1;
	tap_eq(gpu_submit(fd, &submit), 0, "%s: the kernel takes the stream", name);
	tap_eq(gpu_syncobj_wait(fd, out.handle, PATIENCE), 0, "%s: its fence is signalled", name);
	tap_eq(gpu_syncobj_status(fd, out.handle), -EIO, "%s: with an error", name);
	drmSyncobjDestroy(fd, out.handle);
	gpu_staging_end(fd, &commands);
}

static void test_bad_streams(int fd)
{
	const uint32_t garbage[] = {0xffffffffu, 0xffffffffu};
	const uint32_t unknown_resource[] = {
		d3dgpu_header(D3DGPU_CMD_COPY_TRANSFER3D, 0, 14), 0xdead, 0, 0, 64, 1024, 0, 0, 0, 4, 4, 1, 0xbeef, 0, 1};
	uint32_t good = gpu_ctx(fd), bad = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit;

	lose_by_stream(fd, bad, garbage, 2, "garbage");
	check_lost(fd, bad, D3DGPU_FAULT_BAD_STREAM, "garbage");
	submit = gpu_submit_args(good, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "another context of the same file goes on");
	tap_eq(gpu_ctx_destroy(fd, bad), 0, "the lost one is destroyed");

	bad = gpu_ctx(fd);
	lose_by_stream(fd, bad, unknown_resource, 15, "unknown resource");
	check_lost(fd, bad, D3DGPU_FAULT_BAD_STREAM, "unknown resource");
	gpu_ctx_destroy(fd, bad);

	submit = gpu_submit_args(good, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "the good one still goes on");
	gpu_ctx_destroy(fd, good);
	good = gpu_ctx(fd);
	submit = gpu_submit_args(good, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "and so does a new one");
	gpu_ctx_destroy(fd, good);
}

/* What was queued behind the guilty stream fails with it; what was done before does not. */
static void test_queue(int fd)
{
	const uint32_t garbage = 0xffffffffu;
	uint32_t ctx = gpu_ctx(fd);
	struct gpu_bo commands = gpu_staging(fd, 4096);
	struct drm_d3dgpu_sync out[3];
	struct drm_d3dgpu_submit submit;
	unsigned taken = 0;

	memcpy(commands.map, &garbage, 4);
	for (unsigned i = 0; i < 3; i++) {
		out[i] = (struct drm_d3dgpu_sync){.handle = gpu_syncobj(fd, 0)};
		submit = gpu_submit_args(ctx, &commands, i == 1, NULL, 0);
		submit.out_syncs = (uintptr_t)&out[i];
		submit.out_sync_count = 1;
		if (gpu_submit(fd, &submit))
			break; /* it may be lost already when the third comes */
		taken++;
	}
	tap_ok(taken >= 2, "a good stream, a bad one, and perhaps another good one are queued");
	for (unsigned i = 0; i < taken; i++) {
		tap_eq(gpu_syncobj_wait(fd, out[i].handle, PATIENCE), 0, "number %u is signalled", i);
		tap_eq(gpu_syncobj_status(fd, out[i].handle), i ? -EIO : 1, "number %u: %s", i, i ? "error" : "no error");
	}
	for (unsigned i = 0; i < 3 && i <= taken; i++)
		drmSyncobjDestroy(fd, out[i].handle);
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, ctx);
}

/* A lost context that nobody destroys must not keep memory. */
static void test_memory(int fd)
{
	const uint32_t garbage = 0xffffffffu;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(512, 512);
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit_bo list = {.flags = D3DGPU_SUBMIT_BO_WRITE};
	struct drm_d3dgpu_submit submit;
	struct gpu_bo texture;

	if (gpu_resource_create(fd, &desc, &texture))
		tap_bail("no texture");
	list.handle = texture.handle;
	submit = gpu_submit_args(ctx, NULL, 0, &list, 1);
	tap_eq(gpu_run(fd, &submit), 0, "a context has a texture");
	lose_by_stream(fd, ctx, &garbage, 1, "with a texture");
	check_lost(fd, ctx, D3DGPU_FAULT_BAD_STREAM, "with a texture");
	gpu_close(fd, texture.handle);
	tap_ok(gpu_vram_comes_back(fd, free_before), "its memory comes back while the handle is still there");
	gpu_ctx_destroy(fd, ctx);
}

int main(void)
{
	int fd = gpu_open();

	test_bad_streams(fd);
	test_queue(fd);
	test_memory(fd);
	close(fd);
	return tap_done();
}
