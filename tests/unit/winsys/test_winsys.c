/* SPDX-License-Identifier: MIT */
/* What winsys.h promises, asked of one implementation: test_winsys null|loopback|drm. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "winsys.h"

#define SECOND 1000000000ull

static struct winsys *ws;
static const struct winsys_ops *ops;
static bool executes; /* streams have effects */

static struct d3dgpu_resource_desc texture(uint32_t width, uint32_t height)
{
	return (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW,
		.width = width,
		.height = (uint16_t)height,
		.depth = 1,
		.array_size = 1,
	};
}

/* Whether at least so many bytes of the pool are free, now or a little later: workers must forget objects first. */
static bool returned(uint64_t bytes)
{
	for (unsigned i = 0; i < 1000 && ops->vram_free(ws) < bytes; i++)
		usleep(1000);
	return ops->vram_free(ws) >= bytes;
}

static void test_objects(void)
{
	struct d3dgpu_resource_desc good = texture(64, 32), bad = texture(0, 32), huge = texture(16384, 16384),
				    depth = good;
	uint64_t before = ops->vram_free(ws);
	struct winsys_bo *staging, *res, *nothing;

	tap_eq(ops->staging_create(ws, 5000, &staging), 0, "a staging buffer");
	tap_eq(staging->size, 8192, "is as large as its pages");
	tap_ok(staging->map && staging->kind == WINSYS_BO_STAGING, "and mapped");
	memset(staging->map, 0x5a, staging->size);
	tap_eq(ops->staging_create(ws, 0, &nothing), -EINVAL, "none of size 0");
	tap_eq(ops->staging_create(ws, ws->caps.vram_size * 2, &nothing), -EINVAL, "nor one larger than the pool");
	tap_eq(ops->resource_create(ws, &good, &res), 0, "a texture");
	tap_eq(res->size, 64 * 32 * 4, "is as large as its linear image");
	tap_ok(!res->map && res->res_id != staging->res_id && res->res_id, "has a name of its own, and no mapping");
	tap_eq(before - ops->vram_free(ws), 8192 + 8192, "both are taken from the pool");
	tap_eq(ops->resource_create(ws, &bad, &nothing), -EINVAL, "a texture without width is refused");
	depth.bind = D3DGPU_BIND_DEPTH_STENCIL;
	tap_eq(ops->resource_create(ws, &depth, &nothing), -EINVAL, "depth-stencil surfaces have a call of their own");
	huge.width = ws->caps.max_texture_2d * 2;
	tap_eq(ops->resource_create(ws, &huge, &nothing), -EINVAL, "a texture above the limits is refused");
	ops->bo_destroy(res);
	ops->bo_destroy(staging);
	ops->bo_destroy(NULL);
	tap_eq(ops->vram_free(ws), before, "what is destroyed returns to the pool");
}

static void test_depth_stencil(void)
{
	struct d3dgpu_ds_mailbox ds = {.width = 100, .height = 50, .format = D3DGPU_DS_D24S8, .layers = 1, .levels = 1};
	struct winsys_bo *bo;

	tap_eq(ops->ds_create(ws, &ds, &bo), 0, "a depth-stencil surface");
	tap_eq(ds.status, D3DGPU_DS_OK, "is admitted");
	tap_eq(ds.storage_format, D3DGPU_FMT_S8_UINT_Z24_UNORM, "with its storage format");
	tap_eq(ds.pitch, 448, "and pitch");
	tap_eq(ds.quality_levels, 1, "and one quality level");
	tap_eq(bo->desc.format, D3DGPU_FMT_S8_UINT_Z24_UNORM, "the object's descriptor says so too");
	ops->bo_destroy(bo);
	ds.format = 21; /* D3DFMT_A8R8G8B8 */
	tap_eq(ops->ds_create(ws, &ds, &bo), -EINVAL, "a colour format is refused");
	tap_eq(ds.status, D3DGPU_DS_NOT_A_DS_FORMAT, "because it is none");
	ds.format = D3DGPU_DS_D24S8;
	ds.width = 0;
	tap_eq(ops->ds_create(ws, &ds, &bo), -EINVAL, "width 0 is refused");
	tap_eq(ds.status, D3DGPU_DS_BAD_SIZE, "because of the size");
	ds.width = 100;
	ds.samples = 16;
	tap_eq(ops->ds_create(ws, &ds, &bo), -EINVAL, "16 samples are refused");
	tap_eq(ds.status, D3DGPU_DS_BAD_SAMPLES, "because of the samples");
}

static void test_exhaustion(void)
{
	enum { MOST = 4096, SIZE = 32 << 20 };
	static struct winsys_bo *bos[MOST];
	uint64_t before = ops->vram_free(ws);
	unsigned count = 0;
	int error = 0;

	while (count < MOST && !(error = ops->staging_create(ws, SIZE, &bos[count])))
		count++;
	tap_eq(error, -ENOMEM, "an exhausted pool says so");
	tap_ok(count >= before / SIZE - 1 && count <= before / SIZE, "when it is full (%u of %u)", count,
	       (unsigned)(before / SIZE));
	while (count)
		ops->bo_destroy(bos[--count]);
	tap_eq(ops->vram_free(ws), before, "and nothing of it leaks");
}

static void test_sharing(void)
{
	struct d3dgpu_resource_desc desc = texture(64, 64);
	uint64_t before = ops->vram_free(ws), token = 0, again = 0;
	struct winsys_bo *bo, *other, *nothing;

	ops->resource_create(ws, &desc, &bo);
	tap_eq(ops->share(bo, &token), 0, "an object is shared");
	tap_ok(token, "its token is not 0");
	ops->share(bo, &again);
	tap_eq(again, token, "and stays");
	tap_eq(ops->open(ws, token ^ 1, &nothing), -ENOENT, "another token opens nothing");
	tap_eq(ops->open(ws, token, &other), 0, "the token opens it");
	tap_eq(other->res_id, bo->res_id, "it is the same object");
	tap_mem(&other->desc, &desc, sizeof(desc), "of the same description");
	ops->bo_destroy(bo);
	tap_ok(ops->vram_free(ws) < before, "it lives as long as one name of it");
	ops->bo_destroy(other);
	tap_eq(ops->vram_free(ws), before, "and goes with the last");
	tap_eq(ops->open(ws, token, &nothing), -ENOENT, "then the token means nothing");
}

/* ---- submits ---- */

static void test_fences(void)
{
	struct winsys_ctx *ctx;
	struct winsys_submit empty = {0};
	uint64_t fence, previous = 0;
	unsigned wrong = 0;

	tap_eq(ops->ctx_create(ws, D3DGPU_PRIORITY_COUNT, &ctx), -EINVAL, "a priority that does not exist is refused");
	tap_eq(ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx), 0, "a context");
	tap_eq(ops->ctx_status(ctx), 0, "is alive");
	tap_eq(ops->completed(ctx), 0, "with nothing done");
	for (unsigned i = 0; i < 2000; i++) {
		wrong += ops->submit(ctx, &empty, &fence) != 0 || fence != previous + 1;
		previous = fence;
	}
	tap_eq(wrong, 0, "2000 empty submits: fences rise by one");
	tap_eq(fence, 2000, "from 1");
	tap_eq(ops->wait(ctx, fence, 30 * SECOND), 0, "the last one is waited for");
	tap_eq(ops->completed(ctx), 2000, "and then all are done");
	tap_eq(ops->wait(ctx, fence + 1, 0), -EINVAL, "a fence that was not given out is refused");
	ops->ctx_destroy(ctx);
}

static void test_bad_submits(void)
{
	struct winsys_bo *staging, *res;
	struct d3dgpu_resource_desc desc = texture(4, 4);
	struct winsys_ctx *ctx;
	uint64_t fence = 77;

	ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx);
	ops->staging_create(ws, 4096, &staging);
	ops->resource_create(ws, &desc, &res);
	tap_eq(ops->submit(ctx, &(struct winsys_submit){staging, 2, 4, NULL, NULL, 0}, &fence), -EINVAL,
	       "misaligned offset");
	tap_eq(ops->submit(ctx, &(struct winsys_submit){staging, 0, 6, NULL, NULL, 0}, &fence), -EINVAL,
	       "misaligned size");
	tap_eq(ops->submit(ctx, &(struct winsys_submit){staging, 4096, 4, NULL, NULL, 0}, &fence), -EINVAL,
	       "outside the buffer");
	tap_eq(ops->submit(ctx, &(struct winsys_submit){res, 0, 4, NULL, NULL, 0}, &fence), -EINVAL,
	       "not a staging buffer");
	tap_eq(ops->submit(ctx, &(struct winsys_submit){NULL, 0, 4, NULL, NULL, 0}, &fence), -EINVAL, "no buffer");
	tap_eq(fence, 77, "leave the fence alone");
	tap_eq(ops->ctx_status(ctx), 0, "and cost nothing");
	ops->bo_destroy(staging);
	ops->bo_destroy(res);
	ops->ctx_destroy(ctx);
}

/* A texture is cleared through CLEAR_TEXTURE and read back into a staging buffer. */
static void test_execution(void)
{
	static const uint32_t stream[] = {
		0x000c002f, 0, 0, 0, 0,  0,  4, 4, 1, 0xff336699, 0, 0, 0,         /* CLEAR_TEXTURE */
		0x000e002d, 0, 0, 0, 16, 64, 0, 0, 0, 4,          4, 1, 0, 256, 3, /* COPY_TRANSFER3D */
	};
	struct winsys_bo *staging, *commands, *res, *list[2];
	struct d3dgpu_resource_desc desc = texture(4, 4);
	const uint8_t writes[2] = {1, 1};
	struct winsys_ctx *ctx;
	uint32_t *words;
	uint64_t fence;

	ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx);
	ops->staging_create(ws, 4096, &commands);
	ops->staging_create(ws, 4096, &staging);
	ops->resource_create(ws, &desc, &res);
	memset(staging->map, 0, 4096);
	words = memcpy(commands->map, stream, sizeof(stream));
	words[1] = words[14] = res->res_id;
	words[25] = staging->res_id;
	list[0] = res;
	list[1] = staging;
	tap_eq(ops->submit(ctx, &(struct winsys_submit){commands, 0, sizeof(stream), list, writes, 2}, &fence), 0,
	       "a stream");
	tap_eq(ops->wait(ctx, fence, 30 * SECOND), 0, "is executed");
	tap_eq(((uint32_t *)staging->map)[64], executes ? 0xff336699 : 0,
	       "its effect is in memory when the fence is done");
	tap_eq(((uint32_t *)staging->map)[64 + 16], 0, "and only where it was told to be");
	ops->ctx_destroy(ctx);
	ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx);
	words[9] = 0xff112233;
	ops->submit(ctx, &(struct winsys_submit){commands, 0, sizeof(stream), list, writes, 2}, &fence);
	tap_eq(ops->wait(ctx, fence, 30 * SECOND), 0, "objects outlive a context: the next one uses them");
	tap_eq(((uint32_t *)staging->map)[64], executes ? 0xff112233 : 0, "with the same effect");
	ops->bo_destroy(res);
	ops->bo_destroy(staging);
	ops->bo_destroy(commands);
	ops->ctx_destroy(ctx);
}

/* What one context does wrong costs that context only. */
static void test_lost_context(void)
{
	struct winsys_ctx *bad, *good;
	struct winsys_bo *commands;
	struct winsys_submit submit = {.size = 4}, empty = {0};
	uint64_t fence, before = ops->vram_free(ws);

	if (!executes)
		return;
	ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &bad);
	ops->ctx_create(ws, D3DGPU_PRIORITY_HIGH, &good);
	ops->staging_create(ws, 4096, &commands);
	*(uint32_t *)commands->map = 0xff; /* no such command */
	submit.commands = commands;
	tap_eq(ops->submit(bad, &submit, &fence), 0, "a malformed stream is queued");
	tap_eq(ops->wait(bad, fence, 30 * SECOND), -EIO, "its fence tells");
	tap_eq(ops->ctx_status(bad), D3DGPU_FAULT_BAD_STREAM, "the context is lost, and says why");
	tap_eq(ops->submit(bad, &empty, &fence), -EIO, "it takes no more submits");
	tap_eq(ops->submit(good, &empty, &fence), 0, "another context does");
	tap_eq(ops->wait(good, fence, 30 * SECOND), 0, "and goes on");
	ops->bo_destroy(commands);
	ops->ctx_destroy(bad);
	ops->ctx_destroy(good);
	tap_ok(returned(before), "nothing leaks");
	tap_eq(ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &bad), 0, "a new context works at once");
	tap_eq(ops->submit(bad, &empty, &fence), 0, "and takes submits");
	tap_eq(ops->wait(bad, fence, 30 * SECOND), 0, "that complete");
	ops->ctx_destroy(bad);
}

static void open_winsys(const char *which)
{
	char message[512] = "";
	int error;

	executes = strcmp(which, "null");
	if (!strcmp(which, "loopback")) {
		error = winsys_loopback_open("vram=128M", &ws, message, sizeof(message));
	} else if (!strcmp(which, "drm")) {
		int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

		error = fd < 0 ? -errno : winsys_drm_open(fd, &ws);
		close(fd);
	} else {
		error = winsys_null_open(NULL, &ws);
	}
	if (error)
		tap_bail("cannot open %s: %s (%s)", which, message, strerror(-error));
	ops = ws->ops;
}

static void *look_at_pool(void *stop)
{
	while (!atomic_load((atomic_bool *)stop)) {
		ops->vram_free(ws);
		usleep(50);
	}
	return NULL;
}

/* Contexts are lost while objects of theirs end, under the eyes of other threads that reap them. */
static void test_loss_in_threads(void)
{
	enum { ROUNDS = 6, OBJECTS = 16, THREADS = 3 };
	uint64_t before = ops->vram_free(ws), fence;
	pthread_t threads[THREADS];
	atomic_bool stop = false;
	unsigned lost = 0;

	for (unsigned i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, look_at_pool, &stop))
			tap_bail("no thread");
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct winsys_bo *bos[OBJECTS];
		struct winsys_submit submit = {.size = 4, .bos = bos, .bo_count = OBJECTS};
		struct winsys_ctx *ctx;

		if (ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx))
			tap_bail("no context");
		for (unsigned i = 0; i < OBJECTS; i++)
			if (ops->staging_create(ws, 4096, &bos[i]))
				tap_bail("no object");
		memset(bos[0]->map, 0xff, 4);
		submit.commands = bos[0];
		ops->submit(ctx, &submit, &fence);
		for (unsigned i = 0; i < OBJECTS; i++)
			ops->bo_destroy(bos[i]);
		lost += ops->wait(ctx, fence, 10 * SECOND) == -EIO;
		ops->ctx_destroy(ctx);
	}
	atomic_store(&stop, true);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tap_eq(lost, ROUNDS, "contexts are lost while others look after the pool");
	tap_ok(returned(before), "all memory returns");
}

static void test_single_device(void)
{
	char message[512] = "";
	struct winsys *second;

	tap_eq(winsys_loopback_open("vram=128M", &second, message, sizeof(message)), 0, "a second caller");
	tap_ok(second == ws, "gets the same device");
	second->ops->destroy(second);
	tap_eq(winsys_loopback_open("vram=64M", &second, message, sizeof(message)), -EBUSY,
	       "one who wants another is refused");
	tap_ok(strstr(message, "vram=128M"), "and told: %s", message);
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "null";

	open_winsys(which);
	test_objects();
	test_depth_stencil();
	test_exhaustion();
	test_sharing();
	test_fences();
	test_bad_submits();
	test_execution();
	test_lost_context();
	if (executes)
		test_loss_in_threads();
	if (!strcmp(which, "loopback"))
		test_single_device();
	ws->ops->destroy(ws);
	if (!strcmp(which, "loopback")) {
		char message[512] = "";

		tap_eq(winsys_loopback_open("no-such-property=1", &ws, message, sizeof(message)), -EINVAL,
		       "an unknown property is an error");
		tap_ok(message[0], "that is explained: %s", message);
	}
	return tap_done();
}
