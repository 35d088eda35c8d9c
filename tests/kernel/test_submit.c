/* SPDX-License-Identifier: MIT */
/* SUBMIT: that streams run, and every argument wrong once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define WIDTH 64
#define HEIGHT 32

/* Two staging buffers, a texture, a command buffer with a stream that copies from the first through the texture to the second. */
struct round_trip {
	struct gpu_bo from, to, texture, commands;
	struct drm_d3dgpu_submit_bo list[3];
	uint32_t words;
};

static void round_trip_begin(int fd, struct round_trip *trip)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	uint32_t *words;

	trip->from = gpu_staging(fd, WIDTH * HEIGHT * 4);
	trip->to = gpu_staging(fd, WIDTH * HEIGHT * 4);
	trip->commands = gpu_staging(fd, 4096);
	if (gpu_resource_create(fd, &desc, &trip->texture))
		tap_bail("no texture");
	for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
		((uint32_t *)trip->from.map)[i] = 0x9e3779b9u * (i + 1);
	words = trip->commands.map;
	trip->words = (uint32_t)gpu_put_upload(words, trip->texture.res_id, WIDTH, HEIGHT, trip->from.res_id);
	trip->words += (uint32_t)gpu_put_download(words + trip->words, trip->texture.res_id, WIDTH, HEIGHT, trip->to.res_id);
	trip->list[0] = (struct drm_d3dgpu_submit_bo){.handle = trip->from.handle};
	trip->list[1] = (struct drm_d3dgpu_submit_bo){.handle = trip->to.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	trip->list[2] = (struct drm_d3dgpu_submit_bo){.handle = trip->texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
}

static void round_trip_end(int fd, struct round_trip *trip)
{
	gpu_staging_end(fd, &trip->from);
	gpu_staging_end(fd, &trip->to);
	gpu_staging_end(fd, &trip->commands);
	gpu_close(fd, trip->texture.handle);
}

static void test_streams(int fd)
{
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	struct drm_d3dgpu_ctx_query query;
	struct round_trip trip;

	tap_eq(gpu_run(fd, &submit), 0, "a submit of nothing completes");
	tap_eq(submit.seqno, 1, "it is number 1");

	round_trip_begin(fd, &trip);
	submit = gpu_submit_args(ctx, &trip.commands, trip.words, trip.list, 3);
	tap_eq(gpu_run(fd, &submit), 0, "a stream with two copies completes");
	tap_eq(submit.seqno, 2, "it is number 2");
	tap_mem(trip.to.map, trip.from.map, WIDTH * HEIGHT * 4, "every texel made the way through the texture");

	memset(trip.to.map, 0, trip.to.size);
	submit = gpu_submit_args(ctx, &trip.commands, trip.words, trip.list, 3);
	tap_eq(gpu_run(fd, &submit), 0, "again with objects that the context knows");
	tap_mem(trip.to.map, trip.from.map, WIDTH * HEIGHT * 4, "every texel once more");

	/* The same stream further inside the command buffer. */
	memcpy((uint8_t *)trip.commands.map + 2048, trip.commands.map, trip.words * 4);
	memset(trip.commands.map, 0xff, 2048);
	memset(trip.to.map, 0, trip.to.size);
	submit = gpu_submit_args(ctx, &trip.commands, trip.words, trip.list, 3);
	submit.command_offset = 2048;
	tap_eq(gpu_run(fd, &submit), 0, "a stream at an offset completes");
	tap_mem(trip.to.map, trip.from.map, WIDTH * HEIGHT * 4, "and is the one that ran");

	query = gpu_ctx_query(fd, ctx);
	tap_eq(query.submitted, 4, "four submits");
	tap_eq(query.completed, 4, "all completed");
	tap_eq(query.status, 0, "and the context is well");
	round_trip_end(fd, &trip);
	gpu_ctx_destroy(fd, ctx);
}

/* What a refused submit must not have changed. */
struct unchanged {
	int fd;
	uint32_t ctx, syncobj;
	uint64_t submitted;
};

static void refuses(const struct unchanged *state, struct drm_d3dgpu_submit args, int want, const char *name)
{
	struct drm_d3dgpu_sync out = {.handle = state->syncobj};

	if (!args.out_sync_count) {
		args.out_syncs = (uintptr_t)&out;
		args.out_sync_count = 1;
	}
	tap_eq(gpu_submit(state->fd, &args), want, "submit, %s: %s", name, strerror(-want));
	tap_eq(gpu_ctx_query(state->fd, state->ctx).submitted, state->submitted, "%s: nothing was queued", name);
	/* A syncobj that no fence was given to cannot be waited for. */
	tap_eq(gpu_syncobj_wait(state->fd, state->syncobj, 0), -EINVAL, "%s: no syncobj was touched", name);
}

static void test_bad_arguments(const struct unchanged *state, const struct gpu_bo *commands)
{
	const struct drm_d3dgpu_submit good = gpu_submit_args(state->ctx, commands, 4, NULL, 0);
	struct drm_d3dgpu_submit args = good;

	args.ctx_id += 1000;
	refuses(state, args, -ENOENT, "unknown context");
	args = good;
	args.flags = 1;
	refuses(state, args, -EINVAL, "a flag");
	args = good;
	args.command_handle = 4711;
	refuses(state, args, -EINVAL, "unknown command handle");
	args = good;
	args.command_handle = 0;
	refuses(state, args, -EINVAL, "a size and no command handle");
	args = good;
	args.command_size = 0;
	refuses(state, args, -EINVAL, "a command handle and no size");
	args = good;
	args.command_handle = args.command_size = 0;
	args.command_offset = 4;
	refuses(state, args, -EINVAL, "an offset and no command handle");
	args = good;
	args.command_offset = 2;
	refuses(state, args, -EINVAL, "misaligned offset");
	args = good;
	args.command_size = 6;
	refuses(state, args, -EINVAL, "misaligned size");
	args = good;
	args.command_offset = (uint32_t)commands->size - 12;
	refuses(state, args, -EINVAL, "a stream that ends behind its buffer");
	args = good;
	args.command_offset = 0xfffffffcu;
	refuses(state, args, -EINVAL, "an offset near 2^32");
	args = good;
	args.command_size = (16u << 20) + 4;
	refuses(state, args, -EINVAL, "a stream above the limit");
}

static void test_bad_lists(int fd, const struct unchanged *state, const struct gpu_bo *commands)
{
	const struct drm_d3dgpu_submit good = gpu_submit_args(state->ctx, commands, 4, NULL, 0);
	struct drm_d3dgpu_submit_bo bos[2] = {{.handle = commands->handle}, {.handle = commands->handle}};
	struct d3dgpu_resource_desc desc = gpu_texture_desc(16, 16);
	struct drm_d3dgpu_submit args = good;
	struct gpu_bo texture;

	args.bo_count = D3DGPU_SUBMIT_MAX_BOS + 1;
	args.bos = (uintptr_t)bos;
	refuses(state, args, -EINVAL, "too many objects");
	args.bo_count = 2;
	args.bos = 8;
	refuses(state, args, -EFAULT, "a bad pointer to objects");
	args.bos = (uintptr_t)bos;
	bos[1].handle = 4711;
	refuses(state, args, -EINVAL, "an unknown object");
	bos[1].handle = 0;
	refuses(state, args, -EINVAL, "object 0");
	bos[1] = (struct drm_d3dgpu_submit_bo){.handle = commands->handle, .flags = 2};
	refuses(state, args, -EINVAL, "an unknown object flag");

	if (gpu_resource_create(fd, &desc, &texture))
		tap_bail("no texture");
	args = good;
	args.command_handle = texture.handle;
	refuses(state, args, -EINVAL, "a stream in a texture");
	gpu_close(fd, texture.handle);
}

static void test_bad_syncs(int fd, const struct unchanged *state, const struct gpu_bo *commands)
{
	const struct drm_d3dgpu_submit good = gpu_submit_args(state->ctx, commands, 4, NULL, 0);
	struct drm_d3dgpu_sync sync = {.handle = 4711};
	struct drm_d3dgpu_submit args = good;
	uint32_t empty = gpu_syncobj(fd, 0);

	args.in_syncs = (uintptr_t)&sync;
	args.in_sync_count = 1;
	refuses(state, args, -ENOENT, "an unknown in-syncobj");
	sync.handle = empty;
	refuses(state, args, -EINVAL, "an in-syncobj with no fence");
	sync.pad = 1;
	refuses(state, args, -EINVAL, "in-sync padding");
	args.in_sync_count = D3DGPU_SUBMIT_MAX_SYNCS + 1;
	refuses(state, args, -EINVAL, "too many in-syncs");
	args.in_sync_count = 1;
	args.in_syncs = 8;
	refuses(state, args, -EFAULT, "a bad pointer to in-syncs");

	sync = (struct drm_d3dgpu_sync){.handle = 4711};
	args = good;
	args.out_syncs = (uintptr_t)&sync;
	args.out_sync_count = 1;
	refuses(state, args, -ENOENT, "an unknown out-syncobj");
	sync = (struct drm_d3dgpu_sync){.handle = state->syncobj, .pad = 1};
	refuses(state, args, -EINVAL, "out-sync padding");
	args.out_sync_count = D3DGPU_SUBMIT_MAX_SYNCS + 1;
	refuses(state, args, -EINVAL, "too many out-syncs");
	args.out_sync_count = 1;
	args.out_syncs = 8;
	refuses(state, args, -EFAULT, "a bad pointer to out-syncs");
	drmSyncobjDestroy(fd, empty);
}

static void test_refusals(int fd)
{
	struct unchanged state = {.fd = fd, .ctx = gpu_ctx(fd), .syncobj = gpu_syncobj(fd, 0)};
	struct gpu_bo commands = gpu_staging(fd, 4096);
	struct drm_d3dgpu_submit submit = gpu_submit_args(state.ctx, &commands, 4, NULL, 0);

	gpu_put_nops(commands.map, 1024);
	tap_eq(gpu_run(fd, &submit), 0, "the good submit completes");
	state.submitted = 1;
	test_bad_arguments(&state, &commands);
	test_bad_lists(fd, &state, &commands);
	test_bad_syncs(fd, &state, &commands);
	submit = gpu_submit_args(state.ctx, &commands, 4, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "the context is well after all of that");
	drmSyncobjDestroy(fd, state.syncobj);
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, state.ctx);
}

/* The largest stream, and the longest list. */
static void test_large(int fd)
{
	struct drm_d3dgpu_submit_bo *list = calloc(D3DGPU_SUBMIT_MAX_BOS, sizeof(*list));
	struct gpu_bo commands = gpu_staging(fd, D3DGPU_MAX_STREAM);
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, &commands, D3DGPU_MAX_STREAM / 4, NULL, 0);

	gpu_put_nops(commands.map, D3DGPU_MAX_STREAM / 4);
	tap_eq(gpu_run(fd, &submit), 0, "a stream of 16 MiB completes");
	for (unsigned i = 0; i < D3DGPU_SUBMIT_MAX_BOS; i++)
		list[i] = (struct drm_d3dgpu_submit_bo){.handle = commands.handle};
	submit = gpu_submit_args(ctx, &commands, 4, list, D3DGPU_SUBMIT_MAX_BOS);
	tap_eq(gpu_run(fd, &submit), 0, "a list of %u entries, all the same object, completes", D3DGPU_SUBMIT_MAX_BOS);
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and the object was created once");
	free(list);
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, ctx);
}

int main(void)
{
	int fd = gpu_open();

	test_streams(fd);
	test_refusals(fd);
	test_large(fd);
	close(fd);
	return tap_done();
}
