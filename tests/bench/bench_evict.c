/* SPDX-License-Identifier: MIT */
/* Textures that drive each other out of VRAM, and a picture that two contexts hand to each other. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "d3dgpu_stream.h"
#include "winsys.h"

#define WIDTH 1024u
#define HEIGHT 1024u
#define TEXTURE_BYTES (WIDTH * HEIGHT * 4ull)
#define TEXTURES_MAX 512u

static struct {
	struct winsys *ws;
	const struct winsys_ops *ops;
	struct winsys_ctx *contexts[2];
	struct winsys_bo *commands;
	struct winsys_bo *textures[TEXTURES_MAX];
	unsigned count, next;
} state;

static void open_gpu(void)
{
	const char *winsys = getenv("D3DGPU_WINSYS");
	char message[256] = "";
	int error, fd;

	if (winsys && !strcmp(winsys, "loopback")) {
		error = winsys_loopback_open("vram=64M", &state.ws, message, sizeof(message));
	} else {
		fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
		error = fd < 0 ? -errno : winsys_drm_open(fd, &state.ws);
		close(fd);
	}
	bench_must(error, "the GPU");
	state.ops = state.ws->ops;
	for (unsigned i = 0; i < 2; i++)
		bench_must(state.ops->ctx_create(state.ws, D3DGPU_PRIORITY_NORMAL, &state.contexts[i]), "a context");
	bench_must(state.ops->staging_create(state.ws, 4096, &state.commands), "a buffer");
}

/* Runs a stream of a context that uses the texture, and waits for it. size 0: only the texture is asked for. */
static void use(struct winsys_ctx *ctx, struct winsys_bo *texture, bool write, uint32_t size)
{
	const uint8_t writes[] = {write};
	struct winsys_submit submit = {size ? state.commands : NULL, 0, size, &texture, writes, 1};
	uint64_t fence;

	bench_must(state.ops->submit(ctx, &submit, &fence), "a submit");
	bench_must(state.ops->wait(ctx, fence, UINT64_MAX), "waiting for it");
}

static void draw(struct winsys_ctx *ctx, struct winsys_bo *texture)
{
	const uint32_t words[] = {
		d3dgpu_header(D3DGPU_CMD_CLEAR_TEXTURE, 0, 12),
		texture->res_id, 0, 0, 0, 0, WIDTH, HEIGHT, 1, 0xff123456, 0, 0, 0,
	};

	memcpy(state.commands->map, words, sizeof(words));
	use(ctx, texture, true, sizeof(words));
}

/* Twice the pool, all with content. */
static void make_textures(void)
{
	static const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET,
		.width = WIDTH,
		.height = HEIGHT,
		.depth = 1,
		.array_size = 1,
	};
	struct winsys_stats stats;

	state.ops->get_stats(state.ws, &stats);
	state.count = (unsigned)(2 * stats.vram_size / TEXTURE_BYTES);
	if (state.count > TEXTURES_MAX)
		state.count = TEXTURES_MAX;
	for (unsigned i = 0; i < state.count; i++) {
		bench_must(state.ops->resource_create(state.ws, &desc, &state.textures[i]), "a texture");
		draw(state.contexts[0], state.textures[i]);
	}
}

/* In turn: each that is used was the one that went longest ago, and makes another one go. */
static void in_turn(void *data, unsigned count)
{
	(void)data;
	for (unsigned i = 0; i < count; i++)
		use(state.contexts[0], state.textures[state.next++ % state.count], false, 0);
}

/* The same, and each has changed when it goes. */
static void in_turn_drawn(void *data, unsigned count)
{
	(void)data;
	for (unsigned i = 0; i < count; i++)
		draw(state.contexts[0], state.textures[state.next++ % state.count]);
}

/* One draws, the other one uses it. */
static void handed_over(void *data, unsigned count)
{
	(void)data;
	for (unsigned i = 0; i < count; i++) {
		draw(state.contexts[0], state.textures[0]);
		use(state.contexts[1], state.textures[0], false, 0);
	}
}

int main(int argc, char **argv)
{
	bench_open(argc, argv,
		   "Memory: textures of 4 MiB, twice as many as the pool has room for, used in turn, so that each use brings one back and\n"
		   "evicts another, unchanged or drawn into; and a texture of 4 MiB that one context draws and another one uses.");
	open_gpu();
	make_textures();
	bench_throughput("memory.evict.unchanged", TEXTURE_BYTES, in_turn, NULL);
	bench_throughput("memory.evict.drawn", TEXTURE_BYTES, in_turn_drawn, NULL);
	bench_throughput("memory.hand_over", TEXTURE_BYTES, handed_over, NULL);
	for (unsigned i = 0; i < state.count; i++)
		state.ops->bo_destroy(state.textures[i]);
	state.ops->bo_destroy(state.commands);
	for (unsigned i = 0; i < 2; i++)
		state.ops->ctx_destroy(state.contexts[i]);
	state.ops->destroy(state.ws);
	return 0;
}
