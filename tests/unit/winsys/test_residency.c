/* SPDX-License-Identifier: MIT */
/*
 * More resources than VRAM, and several contexts with one resource: nothing is lost, whoever asks. On the loopback device,
 * or with the argument drm on the kernel's.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "d3dgpu_stream.h"
#include "tap.h"
#include "winsys.h"

#define SECOND 1000000000ull
#define WIDTH 1024u
#define HEIGHT 512u
#define TEXTURE_SIZE (WIDTH * HEIGHT * 4ull)
#define TEXTURES_MAX 4096u

static struct winsys *ws;
static const struct winsys_ops *ops;
static uint64_t pool; /* bytes */

static const struct d3dgpu_resource_desc texture_desc = {
	.format = D3DGPU_FMT_B8G8R8A8_UNORM,
	.target = D3DGPU_TARGET_2D,
	.bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW,
	.width = WIDTH,
	.height = HEIGHT,
	.depth = 1,
	.array_size = 1,
};

/* A context with a page for commands and one for texels */
struct user {
	struct winsys_ctx *ctx;
	struct winsys_bo *commands, *texels;
};

static struct user user_open(void)
{
	struct user user = {0};

	if (ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &user.ctx) || ops->staging_create(ws, 4096, &user.commands) ||
	    ops->staging_create(ws, 4096, &user.texels))
		tap_bail("no context");
	return user;
}

static void user_close(struct user *user)
{
	ops->ctx_destroy(user->ctx);
	ops->bo_destroy(user->commands);
	ops->bo_destroy(user->texels);
}

/* Runs a stream that uses the texture, and waits for it. */
static int run(struct user *user, struct winsys_bo *texture, bool write, const uint32_t *words, size_t size)
{
	struct winsys_bo *list[] = {texture, user->texels};
	const uint8_t writes[] = {write, !write};
	struct winsys_submit submit = {user->commands, 0, (uint32_t)size, list, writes, 2};
	uint64_t fence;
	int error;

	memcpy(user->commands->map, words, size);
	error = ops->submit(user->ctx, &submit, &fence);
	return error ? error : ops->wait(user->ctx, fence, 60 * SECOND);
}

static int fill(struct user *user, struct winsys_bo *texture, uint32_t color)
{
	const uint32_t words[] = {
		d3dgpu_header(D3DGPU_CMD_CLEAR_TEXTURE, 0, 12),
		texture->res_id, 0, 0, 0, 0, WIDTH, HEIGHT, 1, color, 0, 0, 0,
	};

	return run(user, texture, true, words, sizeof(words));
}

/* The texel at (x, y), or 0 with a complaint: no colour here is 0. */
static uint32_t texel(struct user *user, struct winsys_bo *texture, uint32_t x, uint32_t y)
{
	const uint32_t words[] = {
		d3dgpu_header(D3DGPU_CMD_COPY_TRANSFER3D, 0, 14),
		texture->res_id, 0, 0, 64, 64, x, y, 0, 1, 1, 1, user->texels->res_id, 0,
		d3dgpu_put(D3DGPU_COPY_SYNCHRONIZED, 1) | d3dgpu_put(D3DGPU_COPY_FROM_RESOURCE, 1),
	};
	int error;

	memset(user->texels->map, 0, 4);
	error = run(user, texture, false, words, sizeof(words));
	if (error)
		tap_diag("a texel: %s", strerror(-error));
	return error ? 0 : *(const uint32_t *)user->texels->map;
}

static uint32_t color_of(unsigned i, unsigned round)
{
	return 0xff000000u | (i * 2654435761u + round * 40503u) >> 8;
}

static unsigned make_textures(struct winsys_bo **textures, unsigned count)
{
	unsigned made = 0;

	while (made < count && made < TEXTURES_MAX && !ops->resource_create(ws, &texture_desc, &textures[made]))
		made++;
	return made;
}

static void end_textures(struct winsys_bo **textures, unsigned count)
{
	while (count)
		ops->bo_destroy(textures[--count]);
}

/* ---- more than the pool ---- */

/* Four pools of textures are drawn in turn, each looked at long after it left VRAM. */
static void test_overcommit(void)
{
	static struct winsys_bo *textures[TEXTURES_MAX];
	unsigned wanted = (unsigned)(4 * pool / TEXTURE_SIZE), count = make_textures(textures, wanted), wrong = 0;
	struct user user = user_open();

	tap_eq(count, wanted, "textures of four times the pool exist");
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < count; i++)
			wrong += fill(&user, textures[i], color_of(i, round)) != 0;
		/* another order, so that those looked at are not always the oldest */
		for (unsigned i = 0; i < count; i++) {
			unsigned which = i * 7 % count;

			wrong += texel(&user, textures[which], i % WIDTH, i % HEIGHT) != color_of(which, round);
		}
	}
	tap_eq(wrong, 0, "and keep their content through two rounds of eviction");
	tap_eq(ops->ctx_status(user.ctx), 0, "the context is alive");
	end_textures(textures, count);
	user_close(&user);
}

/* A submit whose objects do not fit together is refused; one that needs all of the pool gets it. */
static void test_large_lists(void)
{
	static struct winsys_bo *textures[TEXTURES_MAX];
	unsigned count = make_textures(textures, (unsigned)(2 * pool / TEXTURE_SIZE));
	struct winsys_submit submit = {.bos = textures, .bo_count = count};
	struct user user = user_open();
	uint64_t fence = 77;

	for (unsigned i = 0; i < count; i++)
		fill(&user, textures[i], color_of(i, 5));
	tap_eq(ops->submit(user.ctx, &submit, &fence), -ENOMEM, "a submit with twice the pool is refused");
	tap_eq(fence, 77, "without a fence");
	tap_eq(ops->ctx_status(user.ctx), 0, "and costs nothing");
	submit.bo_count = (uint32_t)((pool - (4 << 20)) / TEXTURE_SIZE);
	tap_eq(ops->submit(user.ctx, &submit, &fence), 0, "one with nearly all of it is taken");
	tap_eq(ops->wait(user.ctx, fence, 60 * SECOND), 0, "and done");
	tap_eq(texel(&user, textures[0], 3, 3), color_of(0, 5), "its objects are what they were");
	tap_eq(texel(&user, textures[count - 1], 3, 3), color_of(count - 1, 5), "and so are the others");
	end_textures(textures, count);
	user_close(&user);
}

/* Holes of two megabytes everywhere: a texture that needs most of the pool makes all others leave. */
static void test_fragmentation(void)
{
	static struct winsys_bo *textures[TEXTURES_MAX];
	struct d3dgpu_resource_desc desc = texture_desc;
	unsigned count = make_textures(textures, (unsigned)(pool / TEXTURE_SIZE)), wrong = 0;
	struct user user = user_open();
	struct winsys_bo *large;

	for (unsigned i = 0; i < count; i++)
		fill(&user, textures[i], color_of(i, 9));
	for (unsigned i = 0; i < count; i += 2) {
		ops->bo_destroy(textures[i]);
		textures[i] = NULL;
	}
	desc.width = 4096;
	desc.height = (uint16_t)(pool * 3 / 4 / (4096 * 4));
	if (desc.height > 4096)
		desc.height = 4096;
	tap_eq(ops->resource_create(ws, &desc, &large), 0, "a texture that no hole can take");
	tap_eq(fill(&user, large, 0xff123456), 0, "is drawn");
	tap_eq(texel(&user, large, 1000, 500), 0xff123456, "and read");
	for (unsigned i = 1; i < count; i += 2)
		wrong += texel(&user, textures[i], 9, 9) != color_of(i, 9);
	tap_eq(wrong, 0, "those that had to leave come back");
	tap_eq(texel(&user, large, 1023, 511), 0xff123456, "and so does the large one");
	ops->bo_destroy(large);
	for (unsigned i = 1; i < count; i += 2)
		ops->bo_destroy(textures[i]);
	user_close(&user);
}

/* ---- several contexts ---- */

static void test_sharing(void)
{
	struct user a = user_open(), b = user_open();
	struct winsys_bo *texture;
	unsigned wrong = 0;

	if (ops->resource_create(ws, &texture_desc, &texture))
		tap_bail("no texture");
	for (unsigned i = 0; i < 100; i++) {
		struct user *writer = i & 1 ? &b : &a, *reader = i & 1 ? &a : &b;

		wrong += fill(writer, texture, color_of(i, 1)) != 0;
		wrong += texel(reader, texture, i, i) != color_of(i, 1);
		wrong += texel(writer, texture, i, i) != color_of(i, 1);
	}
	tap_eq(wrong, 0, "what one context writes the other reads, 100 times to and fro");
	fill(&a, texture, color_of(1, 2));
	user_close(&a);
	tap_eq(texel(&b, texture, 5, 5), color_of(1, 2), "the writer's end takes nothing with it");
	ops->bo_destroy(texture);
	user_close(&b);
}

/* A context that is lost takes with it what only it had; the others go on with what was there before. */
static void test_lost_writer(void)
{
	static const uint32_t garbage[] = {0xffffffffu};
	struct user good = user_open(), bad = user_open();
	struct winsys_bo *texture;

	if (ops->resource_create(ws, &texture_desc, &texture))
		tap_bail("no texture");
	fill(&good, texture, color_of(3, 3));
	fill(&bad, texture, color_of(4, 4)); /* loads it first: the linear image has the old content */
	tap_eq(run(&bad, texture, false, garbage, sizeof(garbage)), -EIO, "the last writer is lost");
	tap_eq(texel(&good, texture, 8, 8), color_of(3, 3), "the other context sees what was there before");
	tap_eq(fill(&good, texture, color_of(5, 5)), 0, "and goes on");
	tap_eq(texel(&good, texture, 8, 8), color_of(5, 5), "as if nothing had happened");
	ops->bo_destroy(texture);
	user_close(&good);
	user_close(&bad);
}

/* Three threads of two thirds of the pool each. Returns how many things were wrong. */
static void *thrash(void *argument)
{
	unsigned seed = *(unsigned *)argument, count = (unsigned)(pool * 2 / 3 / TEXTURE_SIZE);
	struct winsys_bo **textures = calloc(count, sizeof(*textures));
	struct user user = user_open();
	uintptr_t wrong = make_textures(textures, count) != count;

	for (unsigned round = 0; round < 3 && !wrong; round++) {
		for (unsigned i = 0; i < count; i++)
			wrong += fill(&user, textures[i], color_of(i + seed, round)) != 0;
		for (unsigned i = 0; i < count; i++)
			wrong += texel(&user, textures[i], i, i) != color_of(i + seed, round);
	}
	end_textures(textures, count);
	free(textures);
	user_close(&user);
	return (void *)wrong;
}

static void test_threads(void)
{
	enum { THREADS = 3 };
	unsigned seeds[THREADS];
	pthread_t threads[THREADS];
	uintptr_t wrong = 0;
	void *result;

	for (unsigned i = 0; i < THREADS; i++) {
		seeds[i] = 10000 * (i + 1);
		if (pthread_create(&threads[i], NULL, thrash, &seeds[i]))
			tap_bail("no thread");
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		wrong += (uintptr_t)result;
	}
	tap_eq(wrong, 0, "three contexts that drive each other out of VRAM keep what is theirs");
}

/* Whether at least so many bytes of the pool are free, now or a little later. */
static bool returned(uint64_t bytes)
{
	for (unsigned i = 0; i < 2000 && ops->vram_free(ws) < bytes; i++)
		usleep(1000);
	return ops->vram_free(ws) >= bytes;
}

static void open_winsys(bool drm)
{
	struct winsys_stats stats;
	char message[512] = "";
	int error, fd;

	if (drm) {
		fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
		error = fd < 0 ? -errno : winsys_drm_open(fd, &ws);
		close(fd);
	} else {
		error = winsys_loopback_open("vram=64M", &ws, message, sizeof(message));
	}
	if (error)
		tap_bail("no device: %s (%s)", message, strerror(-error));
	ops = ws->ops;
	ops->get_stats(ws, &stats);
	pool = stats.vram_size;
}

int main(int argc, char **argv)
{
	uint64_t before;

	open_winsys(argc > 1 && !strcmp(argv[1], "drm"));
	before = ops->vram_free(ws);
	test_overcommit();
	test_large_lists();
	test_fragmentation();
	test_sharing();
	test_lost_writer();
	test_threads();
	tap_ok(returned(before), "all memory returns to the pool");
	ws->ops->destroy(ws);
	return tap_done();
}
