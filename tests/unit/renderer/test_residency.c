/* SPDX-License-Identifier: MIT */
/*
 * EVICT and RESTORE of what is in use: a drawing goes on with the bindings that were made before, and the picture is the
 * same as without. And what the entries refuse.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "drawing.h"
#include "tap.h"

#define MOVED_BY 0x2000000u

struct picture {
	uint8_t color[DRAWING_SIZE * DRAWING_SIZE * 4], depth[DRAWING_SIZE * DRAWING_SIZE * 4];
};

/* Bits of the resources by id, for those to evict; bit 0 for a pause in between. */
#define BIT(resource) (1u << (resource))
#define PAUSE 1u
#define EVERYTHING \
	(BIT(DRAWING_COLOR) | BIT(DRAWING_DEPTH) | BIT(DRAWING_VERTICES) | BIT(DRAWING_INDICES) | \
	 BIT(DRAWING_UNIFORMS) | BIT(DRAWING_TEXTURE))

static void flush_picture(struct client *client, uint64_t moved_color, uint64_t moved_depth, struct picture *picture)
{
	client_transfer(client, D3DGPU_OP_FLUSH, DRAWING_COLOR, 0, 0);
	client_transfer(client, D3DGPU_OP_FLUSH, DRAWING_DEPTH, 0, 0);
	memcpy(picture->color, client->vram + drawing_place(DRAWING_COLOR) + moved_color, sizeof(picture->color));
	memcpy(picture->depth, client->vram + drawing_place(DRAWING_DEPTH) + moved_depth, sizeof(picture->depth));
}

/* Long enough for the worker to think that it is idle, and to tidy up. */
#define PAUSE_US 300000u

/* Evicts all of the set, moves their images, and restores all, in the other order. Returns the number of refusals. */
static uint32_t move_all(struct client *client, uint32_t set)
{
	uint32_t refused = 0;

	for (uint32_t id = 1; id < 32; id++)
		if (set & BIT(id))
			refused += client_evict(client, id, D3DGPU_EVICT_FLUSH) != D3DGPU_FAULT_NONE;
	if (set & PAUSE)
		usleep(PAUSE_US);
	for (uint32_t id = 1; id < 32; id++) {
		struct d3dgpu_resource_desc desc;
		uint8_t *image;

		if (!(set & BIT(id)))
			continue;
		desc = drawing_resource(id);
		image = client->vram + drawing_place(id);
		memcpy(image + MOVED_BY, image, d3dgpu_linear_size(&desc));
		memset(image, 0xee, d3dgpu_linear_size(&desc));
	}
	for (uint32_t id = 31; id; id--) {
		struct d3dgpu_resource_desc desc;

		if (!(set & BIT(id)))
			continue;
		desc = drawing_resource(id);
		refused += client_restore(client, id, drawing_place(id) + MOVED_BY, d3dgpu_linear_size(&desc),
					  D3DGPU_RESTORE_LOAD) != D3DGPU_FAULT_NONE;
	}
	return refused;
}

/* Two drawings, with what is asked for in between; the second brings nothing but its draw. */
static void draw_twice(struct picture *picture, const struct stream *between, uint32_t evicted, const char *name)
{
	struct stream first = {0}, second = {0};
	uint32_t refused = 0;
	struct client client;

	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&first);
	drawing_draw(&first, 0);
	if (between)
		stream_put(&first, between->count, between->dwords);
	drawing_draw(&second, 1);
	if (client_exec(&client, DRAWING_STREAM_AT, first.dwords, first.count) != D3DGPU_FAULT_NONE)
		tap_bail("%s: the first drawing is refused", name);
	refused = move_all(&client, evicted);
	tap_eq(refused, 0, "%s can be evicted and restored", name);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, second.dwords, second.count), D3DGPU_FAULT_NONE,
	       "%s: drawing goes on", name);
	flush_picture(&client, evicted & BIT(DRAWING_COLOR) ? MOVED_BY : 0, evicted & BIT(DRAWING_DEPTH) ? MOVED_BY : 0,
		      picture);
	tap_eq(client_end(&client), 0, "%s: the worker ends quietly", name);
}

static void compare(const struct picture *got, const struct picture *want, const char *name)
{
	tap_mem(got->color, want->color, sizeof(want->color), "%s: the colours are the same as without", name);
	tap_mem(got->depth, want->depth, sizeof(want->depth), "%s: so is the depth", name);
}

static void test_in_use(const struct picture *want)
{
	static const struct {
		const char *name;
		uint32_t set;
	} cases[] = {
		{"a render target", BIT(DRAWING_COLOR)},
		{"a depth-stencil buffer", BIT(DRAWING_DEPTH)},
		{"a vertex buffer", BIT(DRAWING_VERTICES)},
		{"an index buffer", BIT(DRAWING_INDICES)},
		{"a constant buffer", BIT(DRAWING_UNIFORMS)},
		{"a texture", BIT(DRAWING_TEXTURE)},
		{"everything", EVERYTHING},
		{"a texture, with a pause", BIT(DRAWING_TEXTURE) | PAUSE},
		{"everything, with a pause", EVERYTHING | PAUSE},
	};
	struct picture *got = malloc(sizeof(*got));

	if (!got)
		tap_bail("no memory");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		draw_twice(got, NULL, cases[i].set, cases[i].name);
		compare(got, want, cases[i].name);
	}
	free(got);
}

/* Handles that the program destroyed, some used again for something else, while what they named is still bound. */
static void test_ghosts(const struct picture *want)
{
	struct picture *got = malloc(sizeof(*got));
	struct stream between = {0};

	if (!got)
		tap_bail("no memory");
	drawing_destroy_handles(&between);
	draw_twice(got, &between, 0, "destroying what is bound");
	compare(got, want, "destroying what is bound");
	draw_twice(got, &between, EVERYTHING, "everything, its handles destroyed");
	compare(got, want, "everything, its handles destroyed");
	free(got);
}

static void test_refusals(void)
{
	static const struct {
		const char *name;
		bool evicted;
		struct d3dgpu_entry entry;
		uint32_t status;
	} cases[] = {
		{"evicting what is not there", false,
		 {.opcode = D3DGPU_OP_EVICT, .evict = {.resource = 30}}, D3DGPU_FAULT_BAD_RESOURCE},
		{"an unknown flag of EVICT", false,
		 {.opcode = D3DGPU_OP_EVICT, .evict = {.resource = DRAWING_TEXTURE, .flags = 2}}, D3DGPU_FAULT_BAD_ENTRY},
		{"evicting twice", true,
		 {.opcode = D3DGPU_OP_EVICT, .evict = {.resource = DRAWING_TEXTURE}}, D3DGPU_FAULT_BAD_RESOURCE},
		{"restoring what is there", false,
		 {.opcode = D3DGPU_OP_RESTORE,
		  .restore = {.resource = DRAWING_TEXTURE, .backing = 0x1000000, .size = 0x100000}},
		 D3DGPU_FAULT_BAD_RESOURCE},
		{"an unknown flag of RESTORE", true,
		 {.opcode = D3DGPU_OP_RESTORE,
		  .restore = {.resource = DRAWING_TEXTURE, .flags = 2, .backing = 0x1000000, .size = 0x100000}},
		 D3DGPU_FAULT_BAD_ENTRY},
		{"restoring outside VRAM", true,
		 {.opcode = D3DGPU_OP_RESTORE,
		  .restore = {.resource = DRAWING_TEXTURE, .backing = CLIENT_VRAM_SIZE, .size = 0x100000}},
		 D3DGPU_FAULT_BAD_ENTRY},
		{"restoring into a range that is too small", true,
		 {.opcode = D3DGPU_OP_RESTORE,
		  .restore = {.resource = DRAWING_TEXTURE, .backing = 0x1000000, .size = 4096}},
		 D3DGPU_FAULT_BAD_ENTRY},
		{"flushing what is evicted", true,
		 {.opcode = D3DGPU_OP_FLUSH, .transfer = {.resource = DRAWING_TEXTURE}}, D3DGPU_FAULT_BAD_RESOURCE},
		{"moving what is evicted", true,
		 {.opcode = D3DGPU_OP_BIND_BACKING,
		  .bind_backing = {.resource = DRAWING_TEXTURE, .backing = 0x1000000, .size = 0x100000}},
		 D3DGPU_FAULT_BAD_RESOURCE},
		{"creating what is evicted", true,
		 {.opcode = D3DGPU_OP_RES_CREATE,
		  .res_create = {.resource = DRAWING_TEXTURE, .backing = 0x1000000, .size = 0x100000,
				 .desc = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 64,
					  .height = 1, .depth = 1, .array_size = 1}}},
		 D3DGPU_FAULT_BAD_RESOURCE},
		{"destroying what is evicted", true,
		 {.opcode = D3DGPU_OP_RES_DESTROY, .res_destroy = {.resource = DRAWING_TEXTURE}}, D3DGPU_FAULT_NONE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct d3dgpu_entry entry = cases[i].entry;
		struct client client;

		client_start(&client, NULL);
		drawing_create(&client);
		if (cases[i].evicted && client_evict(&client, DRAWING_TEXTURE, 0) != D3DGPU_FAULT_NONE)
			tap_bail("the texture cannot be evicted");
		tap_eq(client_run(&client, &entry), cases[i].status, "%s", cases[i].name);
		client_end(&client);
	}
}

/* A stream that names what is evicted is a bad one; what is only bound reads as nothing. */
static void test_streams(void)
{
	struct stream stream = {0};
	struct client client;

	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&stream);
	drawing_draw(&stream, 0);
	client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count);
	for (uint32_t id = 1; id < 32; id++)
		if (EVERYTHING & BIT(id))
			client_evict(&client, id, 0);
	stream.count = 0;
	drawing_draw(&stream, 1);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "a draw with everything evicted draws nothing");
	stream.count = 0;
	drawing_view(&stream, 200);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_BAD_STREAM,
	       "a view of an evicted resource is a bad stream");
	client_end(&client);
}

/* What is destroyed takes its views along and is bound no more, so that its memory is free whatever the program does. */
static void test_destruction(void)
{
	struct stream stream = {0};
	struct client client;

	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&stream);
	client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count);
	stream.count = 0;
	drawing_draw(&stream, 0);
	for (uint32_t id = 1; id < 32; id++) {
		if (!(EVERYTHING & BIT(id)))
			continue;
		tap_eq(client_destroy(&client, id), D3DGPU_FAULT_NONE, "resource %u is destroyed while it is bound", id);
		tap_eq(client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
		       "and drawing goes on without it");
	}
	tap_eq(client_end(&client), 0, "the worker ends quietly");
}

/* Roles that the drawing has no use for: bound, evicted, restored, and let go, between two draws that are not theirs. */
static void test_other_roles(const struct picture *want)
{
	struct picture *got = malloc(sizeof(*got));
	struct stream bind = {0}, let_go = {0};
	struct client client;

	if (!got)
		tap_bail("no memory");
	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&bind);
	drawing_draw(&bind, 0);
	stream_add(&bind, STREAM_HEADER(1, 10, 4), 300, DRAWING_VERTICES, 0, 4096, STREAM_HEADER(25, 0, 2), 0, 300);
	stream_add(&bind, STREAM_HEADER(1, 6, 6), 301, DRAWING_VERTICES, D3DGPU_FMT_R32_FLOAT, 0, 255, 0x688);
	stream_add(&bind, STREAM_HEADER(10, 0, 3), 1, 5, 301);
	stream_add(&bind, STREAM_HEADER(34, 0, 5), 1, 3, 0, 256, DRAWING_UNIFORMS);
	stream_add(&bind, STREAM_HEADER(35, 0, 7), 1, 2, D3DGPU_FMT_R8G8B8A8_UNORM, 1, 0, 1, DRAWING_TEXTURE);
	stream_add(&bind, STREAM_HEADER(40, 0, 4), 1, 0, 64, DRAWING_INDICES);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, bind.dwords, bind.count), D3DGPU_FAULT_NONE,
	       "stream output target, texel, storage and counter buffer and image are bound");
	tap_eq(move_all(&client, EVERYTHING), 0, "they can be evicted and restored");
	stream_add(&let_go, STREAM_HEADER(25, 0, 1), 0, STREAM_HEADER(10, 0, 3), 1, 5, 0, STREAM_HEADER(3, 10, 1), 300);
	stream_add(&let_go, STREAM_HEADER(34, 0, 5), 1, 3, 0, 0, 0, STREAM_HEADER(35, 0, 7), 1, 2, 0, 0, 0, 0, 0);
	stream_add(&let_go, STREAM_HEADER(40, 0, 4), 1, 0, 0, 0, STREAM_HEADER(3, 6, 1), 301);
	drawing_draw(&let_go, 1);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, let_go.dwords, let_go.count), D3DGPU_FAULT_NONE,
	       "and let go afterwards");
	flush_picture(&client, MOVED_BY, MOVED_BY, got);
	compare(got, want, "other roles");
	tap_eq(client_end(&client), 0, "other roles: the worker ends quietly");
	free(got);
}

/* The engine would go on using their memory. */
static void test_states(void)
{
	struct stream stream = {0};
	struct client client;

	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&stream);
	drawing_draw(&stream, 0);
	drawing_destroy_states(&stream);
	drawing_draw(&stream, 1);
	drawing_view(&stream, 200);
	for (uint32_t handle = 300; handle < 400; handle++) /* what memory there was is used for something else */
		stream_add(&stream, STREAM_HEADER(1, 3, 5), handle, 0x7f, 0xffffffff, 0xffffffff, 0);
	drawing_draw(&stream, 1);
	tap_eq(client_exec(&client, DRAWING_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "a depth-stencil state and a sampler can be destroyed while they are bound");
	tap_eq(client_end(&client), 0, "and are not used any more");
}

int main(void)
{
	struct picture *want = malloc(sizeof(*want));

	if (!want)
		tap_bail("no memory");
	draw_twice(want, NULL, 0, "nothing");
	test_in_use(want);
	test_ghosts(want);
	test_other_roles(want);
	free(want);
	test_refusals();
	test_streams();
	test_destruction();
	test_states();
	return tap_done();
}
