/* SPDX-License-Identifier: MIT */
/*
 * Host memory of a worker: what is evicted or destroyed is gone, however it was used before, and nothing grows in loops.
 * VRAM itself is shared memory and does not count: anonymous memory only.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "d3dgpu_stream.h"
#include "drawing.h"
#include "tap.h"

#define BIG 20
#define BIG_AT 0x1000000u
#define BIG_WIDTH 2048u
#define BIG_HEIGHT 2048u
#define BIG_BYTES (BIG_WIDTH * BIG_HEIGHT * 4u)
#define LEFT_BYTES (4u << 20)		/* what allocators may leave behind */
#define OVERHEAD_BYTES (96u << 20)	/* what a worker may be late with giving back, and temporary copies */
#define SETTLE_MS 20000u		/* it does so when it is idle, and the machine may be busy */

/* Bytes. */
static uint64_t anonymous_memory(const struct client *client)
{
	char path[64], line[128];
	unsigned long kilobytes = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)client->pid);
	status = fopen(path, "r");
	if (!status)
		tap_bail("no %s", path);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "RssAnon: %lu kB", &kilobytes) == 1)
			break;
	fclose(status);
	return (uint64_t)kilobytes << 10;
}

static void run(struct client *client, const struct stream *stream, const char *name)
{
	if (client_exec(client, DRAWING_STREAM_AT, stream->dwords, stream->count) != D3DGPU_FAULT_NONE)
		tap_bail("%s: the stream is refused", name);
}

/* ---- ways to use a resource ---- */

static void use_nothing(struct client *client)
{
}

static void use_target(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(1, 8, 5), 100, BIG, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
	stream_add(&stream, STREAM_HEADER(5, 0, 3), 1, 0, 100);
	stream_add(&stream, STREAM_HEADER(7, 0, 8), 4, 0, 0, 0, 0, 0, 0, 0);
	drawing_draw(&stream, 1);
	run(client, &stream, "target");
}

static void use_depth(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(1, 8, 5), 100, BIG, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, 0);
	stream_add(&stream, STREAM_HEADER(5, 0, 2), 0, 100);
	stream_add(&stream, STREAM_HEADER(7, 0, 8), 3, 0, 0, 0, 0, 0, 0x3ff00000, 0);
	drawing_draw(&stream, 1);
	run(client, &stream, "depth");
}

static void use_texture(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(1, 6, 6), 100, BIG, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0x688);
	stream_add(&stream, STREAM_HEADER(10, 0, 3), 1, 0, 100);
	drawing_draw(&stream, 1);
	run(client, &stream, "texture");
}

/* The same, and nothing is bound or alive any more when it is evicted. */
static void use_texture_and_leave(struct client *client)
{
	struct stream stream = {0};

	use_texture(client);
	stream_add(&stream, STREAM_HEADER(10, 0, 3), 1, 0, 0, STREAM_HEADER(3, 6, 1), 100);
	run(client, &stream, "texture");
}

static void use_blit(struct client *client)
{
	struct stream stream = {0};

	/* scaled to the drawing's target, with a filter */
	stream_add(&stream, STREAM_HEADER(16, 0, 21), D3DGPU_MASK_RGBA | 1u << 8, 0, 0, DRAWING_COLOR, 0,
		   D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0, DRAWING_SIZE, DRAWING_SIZE, 1, BIG, 0, D3DGPU_FMT_B8G8R8A8_UNORM, 0,
		   0, 0, BIG_WIDTH, BIG_HEIGHT, 1);
	/* and back, swizzled */
	stream_add(&stream, STREAM_HEADER(16, 0, 21), D3DGPU_MASK_R, 0, 0, BIG, 0, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0,
		   BIG_WIDTH, BIG_HEIGHT, 1, DRAWING_COLOR, 0, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0, DRAWING_SIZE,
		   DRAWING_SIZE, 1);
	run(client, &stream, "blit");
}

static void use_copy(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(17, 0, 13), BIG, 0, 0, 0, 0, DRAWING_COLOR, 0, 0, 0, 0, DRAWING_SIZE,
		   DRAWING_SIZE, 1);
	run(client, &stream, "copy");
}

static void use_vertices(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(6, 0, 3), 32, 0, BIG);
	drawing_draw(&stream, 1);
	run(client, &stream, "vertices");
}

static void use_indices(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(11, 0, 3), BIG, 2, 0);
	drawing_draw(&stream, 1);
	run(client, &stream, "indices");
}

static void use_uniforms(struct client *client)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(27, 0, 5), 1, 1, 0, 256, BIG);
	drawing_draw(&stream, 1);
	run(client, &stream, "uniforms");
}

/* ---- */

static const struct d3dgpu_resource_desc big_color = {
	.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .width = BIG_WIDTH, .height = BIG_HEIGHT, .depth = 1,
	.bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW, .array_size = 1,
};
static const struct d3dgpu_resource_desc big_depth = {
	.format = D3DGPU_FMT_S8_UINT_Z24_UNORM, .target = D3DGPU_TARGET_2D, .width = BIG_WIDTH, .height = BIG_HEIGHT,
	.depth = 1, .bind = D3DGPU_BIND_DEPTH_STENCIL, .array_size = 1,
};
static const struct d3dgpu_resource_desc big_samples = {
	.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .width = BIG_WIDTH / 2, .height = BIG_HEIGHT / 2,
	.depth = 1, .bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW, .array_size = 1, .samples = 4,
};
static const struct d3dgpu_resource_desc big_buffer = {
	.format = D3DGPU_FMT_R8_UNORM, .target = D3DGPU_TARGET_BUFFER, .width = BIG_BYTES, .height = 1, .depth = 1,
	.bind = D3DGPU_BIND_VERTEX_BUFFER, .array_size = 1,
};

/* Waits until the worker has given back what it is done with. Returns what it has then. */
static uint64_t settled_memory(const struct client *client, uint64_t goal)
{
	uint64_t memory = anonymous_memory(client);

	for (unsigned waited = 0; memory > goal && waited < SETTLE_MS; waited += 50) {
		usleep(50000);
		memory = anonymous_memory(client);
	}
	return memory;
}

static void begin_drawing(struct client *client)
{
	struct stream stream = {0};

	client_start(client, NULL);
	drawing_create(client);
	drawing_begin(&stream);
	drawing_draw(&stream, 1);
	run(client, &stream, "drawing");
}

/* Megabytes. */
static double mb(uint64_t bytes)
{
	return (double)bytes / (1 << 20);
}

static void check_use(const char *name, const struct d3dgpu_resource_desc *desc, void (*use)(struct client *client),
		      bool evict)
{
	struct client client;
	uint64_t before, with, after;

	begin_drawing(&client);
	before = anonymous_memory(&client);
	if (client_create(&client, BIG, desc, BIG_AT) != D3DGPU_FAULT_NONE ||
	    client_transfer(&client, D3DGPU_OP_LOAD, BIG, 0, 0) != D3DGPU_FAULT_NONE)
		tap_bail("%s: cannot be created", name);
	use(&client);
	with = anonymous_memory(&client);
	if (evict)
		client_evict(&client, BIG, D3DGPU_EVICT_FLUSH);
	else
		client_destroy(&client, BIG);
	after = settled_memory(&client, before + LEFT_BYTES);
	tap_ok(with > before + BIG_BYTES / 2 && after <= before + LEFT_BYTES,
	       "%s, %s: nothing is left of it (%.1f MB, with it %.1f, after it %.1f)", name,
	       evict ? "evicted" : "destroyed", mb(before), mb(with), mb(after));
	client_end(&client);
}

static void test_uses(void)
{
	static const struct {
		const char *name;
		const struct d3dgpu_resource_desc *desc;
		void (*use)(struct client *client);
	} cases[] = {
		{"a loaded texture", &big_color, use_nothing},
		{"a render target", &big_color, use_target},
		{"a depth-stencil buffer", &big_depth, use_depth},
		{"a multisampled render target", &big_samples, use_target},
		{"a texture", &big_color, use_texture},
		{"a texture that was let go", &big_color, use_texture_and_leave},
		{"source and destination of blits", &big_color, use_blit},
		{"a copy's destination", &big_color, use_copy},
		{"a vertex buffer", &big_buffer, use_vertices},
		{"an index buffer", &big_buffer, use_indices},
		{"a constant buffer", &big_buffer, use_uniforms},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_use(cases[i].name, cases[i].desc, cases[i].use, true);
		check_use(cases[i].name, cases[i].desc, cases[i].use, false);
	}
}

/* ---- loops ---- */

#define POOL_SLOTS 8u			/* of PIECE_BYTES each: what fits at a time */
#define PIECES 160u
#define PIECE_SIDE 724u			/* about 2 MB */

static uint64_t slot_at(uint32_t slot)
{
	return BIG_AT + slot * 0x200000ull;
}

/* Twenty times the pool: each piece gets a slot, is cleared, and is evicted when another needs the slot. */
static void test_pool(void)
{
	struct d3dgpu_resource_desc desc = client_texture(
		D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW, PIECE_SIDE, PIECE_SIDE);
	uint64_t size = d3dgpu_linear_size(&desc), before, most = 0, after;
	uint32_t in_slot[POOL_SLOTS] = {0};
	uint32_t failed = 0;
	struct client client;

	begin_drawing(&client);
	before = anonymous_memory(&client);
	for (uint32_t turn = 0; turn < 3 * PIECES; turn++) {
		uint32_t piece = 100 + turn * 7 % PIECES, slot = turn % POOL_SLOTS;
		struct stream stream = {0};
		uint64_t memory;

		if (in_slot[slot])
			failed += client_evict(&client, in_slot[slot], D3DGPU_EVICT_FLUSH);
		if (turn < PIECES)
			failed += client_create(&client, piece, &desc, slot_at(slot));
		else
			failed += client_restore(&client, piece, slot_at(slot), size, D3DGPU_RESTORE_LOAD);
		in_slot[slot] = piece;
		if (turn < PIECES)
			stream_add(&stream, STREAM_HEADER(1, 8, 5), piece, piece, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
		stream_add(&stream, STREAM_HEADER(5, 0, 3), 1, 0, piece);
		stream_add(&stream, STREAM_HEADER(7, 0, 8), 4, 0, 0, 0, 0, 0, 0, 0);
		failed += client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count);
		memory = anonymous_memory(&client);
		if (memory > most)
			most = memory;
	}
	tap_eq(failed, 0, "%u textures in a pool for %u take turns", PIECES, POOL_SLOTS);
	tap_ok(most < before + POOL_SLOTS * size + OVERHEAD_BYTES,
	       "the worker's memory is bounded by the pool's size and an overhead (%.1f MB before, at most %.1f)",
	       mb(before), mb(most));
	for (uint32_t slot = 0; slot < POOL_SLOTS; slot++)
		client_evict(&client, in_slot[slot], 0);
	after = settled_memory(&client, before + LEFT_BYTES);
	tap_ok(after <= before + LEFT_BYTES, "and with all evicted it is what it was (%.1f MB)", mb(after));
	client_end(&client);
}

#define LOOPS 3200u			/* of 32 creations and destructions */
#define LOOPS_WARM 320u

static void create_and_destroy(struct client *client, uint32_t loop)
{
	struct d3dgpu_resource_desc desc = client_texture(
		D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW, 32, 32);
	struct stream stream = {0};
	uint32_t failed = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t id = 1000 + 4 * loop + i, handle = 1000 + 16 * (loop % 50) + 4 * i;

		failed += client_create(client, id, &desc, slot_at(i));
		stream_add(&stream, STREAM_HEADER(1, 6, 6), handle, id, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0x688);
		stream_add(&stream, STREAM_HEADER(1, 8, 5), handle + 1, id, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
		stream_shader(&stream, handle + 2, 1, "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
		/* Every other view goes with its resource, and is bound when it does. */
		if (i & 1)
			stream_add(&stream, STREAM_HEADER(3, 6, 1), handle, STREAM_HEADER(3, 8, 1), handle + 1);
		else
			stream_add(&stream, STREAM_HEADER(10, 0, 3), 1, 0, handle);
		stream_add(&stream, STREAM_HEADER(3, 4, 1), handle + 2);
	}
	failed += client_exec(client, DRAWING_STREAM_AT, stream.dwords, stream.count);
	for (uint32_t i = 0; i < 4; i++)
		failed += client_destroy(client, 1000 + 4 * loop + i);
	if (failed)
		tap_bail("loop %u fails", loop);
}

static void test_objects(void)
{
	struct client client;
	uint64_t warm = 0, after;

	begin_drawing(&client);
	for (uint32_t loop = 0; loop < LOOPS; loop++) {
		create_and_destroy(&client, loop);
		if (loop == LOOPS_WARM) {
			sleep(1);
			warm = anonymous_memory(&client);
		}
	}
	after = settled_memory(&client, warm + LEFT_BYTES);
	tap_ok(after <= warm + LEFT_BYTES,
	       "%u creations and destructions of textures, views, surfaces and shaders leave nothing (%.1f MB, then %.1f)",
	       LOOPS * 32, mb(warm), mb(after));
	client_end(&client);
}

int main(void)
{
	test_uses();
	test_pool();
	test_objects();
	return tap_done();
}
