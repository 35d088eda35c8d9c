/* SPDX-License-Identifier: MIT */
/*
 * CTX_SAVE and EXEC of what it left: a drawing that is begun in one worker goes on in another, and the picture is the same
 * as from one worker alone.
 */
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "d3dgpu_stream.h"
#include "drawing.h"
#include "stream_check.h"
#include "tap.h"

#define SAVED_AT 0x1800000u
#define SAVED_SIZE 0x100000u
#define QUERY 20
#define QUERY_AT 0x1400000u
#define QUERY_HANDLE 50

#define PICTURE_BYTES (DRAWING_SIZE * DRAWING_SIZE * 4u)

static uint32_t save(struct client *client, uint64_t offset, uint64_t size)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_SAVE, .ctx_save = {.offset = offset, .size = size}};

	return client_run(client, &entry);
}

static uint32_t exec_saved(struct client *client, uint64_t offset, uint32_t size)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_EXEC,
		.exec = {.offset = offset, .size = size, .flags = D3DGPU_EXEC_SAVED},
	};

	return client_run(client, &entry);
}

static struct d3dgpu_saved_context saved_head(const struct client *client)
{
	struct d3dgpu_saved_context head;

	memcpy(&head, client->vram + SAVED_AT, sizeof(head));
	return head;
}

static uint32_t run(struct client *client, const struct stream *stream)
{
	return client_exec(client, DRAWING_STREAM_AT, stream->dwords, stream->count);
}

/* All of VRAM goes from one client to another: ranges and saved context. */
static void hand_over(const struct client *from, struct client *to)
{
	memcpy(to->vram, from->vram, CLIENT_VRAM_SIZE);
}

static void flush_all(struct client *client)
{
	for (uint32_t id = DRAWING_COLOR; id <= DRAWING_TEXTURE; id++)
		if (client_transfer(client, D3DGPU_OP_FLUSH, id, 0, 0) != D3DGPU_FAULT_NONE)
			tap_bail("resource %u cannot be flushed", id);
}

static void create_all(struct client *client)
{
	for (uint32_t id = DRAWING_COLOR; id <= DRAWING_TEXTURE; id++) {
		struct d3dgpu_resource_desc desc = drawing_resource(id);

		if (client_create(client, id, &desc, drawing_place(id)) != D3DGPU_FAULT_NONE)
			tap_bail("resource %u cannot be created again", id);
	}
}

/* How the second worker gets its resources. */
enum order {
	RESOURCES_FIRST,		/* loaded before the stream */
	EVICTED_FIRST,			/* created and evicted, and restored after the stream */
};

static void restore_context(struct client *client, enum order order)
{
	create_all(client);
	for (uint32_t id = DRAWING_COLOR; id <= DRAWING_TEXTURE; id++) {
		if (order == EVICTED_FIRST)
			client_evict(client, id, 0);
		else
			client_transfer(client, D3DGPU_OP_LOAD, id, 0, 0);
	}
	tap_eq(exec_saved(client, SAVED_AT + sizeof(struct d3dgpu_saved_context), saved_head(client).size),
	       D3DGPU_FAULT_NONE, "the saved context is taken by a new worker");
	for (uint32_t id = DRAWING_COLOR; id <= DRAWING_TEXTURE && order == EVICTED_FIRST; id++) {
		struct d3dgpu_resource_desc desc = drawing_resource(id);

		if (client_restore(client, id, drawing_place(id), d3dgpu_linear_size(&desc), D3DGPU_RESTORE_LOAD) !=
		    D3DGPU_FAULT_NONE)
			tap_bail("resource %u cannot be restored", id);
	}
}

static void begin(struct client *client, bool destroy_handles)
{
	struct stream stream = {0};

	client_start(client, NULL);
	drawing_create(client);
	drawing_begin(&stream);
	drawing_draw(&stream, 0);
	if (destroy_handles)
		drawing_destroy_handles(&stream);
	if (run(client, &stream) != D3DGPU_FAULT_NONE)
		tap_bail("the drawing is refused");
}

static void finish(struct client *client, uint8_t *picture)
{
	struct stream stream = {0};

	drawing_draw(&stream, 1);
	tap_eq(run(client, &stream), D3DGPU_FAULT_NONE, "drawing goes on");
	flush_all(client);
	memcpy(picture, client->vram + drawing_place(DRAWING_COLOR), PICTURE_BYTES);
	memcpy(picture + PICTURE_BYTES, client->vram + drawing_place(DRAWING_DEPTH), PICTURE_BYTES);
	tap_eq(client_end(client), 0, "the worker ends quietly");
}

static void check_way(const char *name, const uint8_t *want, bool destroy_handles, enum order order)
{
	uint8_t *got = malloc(2 * PICTURE_BYTES);
	struct client first, second;
	uint32_t size;

	if (!got)
		tap_bail("no memory");
	begin(&first, destroy_handles);
	tap_eq(save(&first, SAVED_AT, SAVED_SIZE), D3DGPU_FAULT_NONE, "%s: the context is saved", name);
	tap_eq(saved_head(&first).magic, D3DGPU_SAVED_CONTEXT_MAGIC, "with the magic number");
	size = saved_head(&first).size;
	tap_ok(size && size <= SAVED_SIZE - sizeof(struct d3dgpu_saved_context), "and it fits: %u bytes", size);
	flush_all(&first);
	client_start(&second, NULL);
	hand_over(&first, &second);
	client_end(&first);
	restore_context(&second, order);
	save(&second, SAVED_AT, SAVED_SIZE);
	tap_eq(saved_head(&second).size, size, "saved again it is as long");
	finish(&second, got);
	tap_mem(got, want, 2 * PICTURE_BYTES, "%s: the picture is the same", name);
	free(got);
}

static void test_ways(void)
{
	uint8_t *want = malloc(2 * PICTURE_BYTES);
	struct client client;

	if (!want)
		tap_bail("no memory");
	begin(&client, false);
	finish(&client, want);
	check_way("as it is", want, false, RESOURCES_FIRST);
	check_way("with handles destroyed that are bound", want, true, RESOURCES_FIRST);
	check_way("into a worker with everything evicted", want, false, EVICTED_FIRST);
	check_way("the same with handles destroyed", want, true, EVICTED_FIRST);
	free(want);
}

/* ---- what does not fit, and what goes on ---- */

static void test_range(void)
{
	uint8_t filled[64];
	struct client client;
	struct stream stream = {0};

	memset(filled, 0x5a, sizeof(filled));
	begin(&client, false);
	/* constants that alone need more than a page */
	stream.dwords[0] = STREAM_HEADER(12, 0, 2 + 2000);
	stream.count = 1 + 2 + 2000;
	run(&client, &stream);
	memset(client.vram + SAVED_AT, 0x5a, SAVED_SIZE);
	tap_eq(save(&client, SAVED_AT, 4096), D3DGPU_FAULT_NONE, "saving into a range that is too small is no fault");
	tap_ok(saved_head(&client).magic == D3DGPU_SAVED_CONTEXT_MAGIC && saved_head(&client).size > 8000,
	       "the head says how much is needed");
	tap_mem(client.vram + SAVED_AT + sizeof(struct d3dgpu_saved_context), filled, sizeof(filled), "nothing follows");
	stream.count = 0;
	drawing_draw(&stream, 1);
	tap_eq(run(&client, &stream), D3DGPU_FAULT_NONE, "and the context goes on");
	client_end(&client);
}

static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	static struct d3dgpu_resource_desc desc;

	if (id < DRAWING_COLOR || id > DRAWING_TEXTURE)
		return NULL;
	desc = drawing_resource(id);
	return &desc;
}

/* A program that is between two pieces of a shader, among finished ones of the same stage. */
static void test_stream(void)
{
	struct stream_error error;
	struct stream_check check;
	struct stream stream = {0};
	struct client client;
	uint32_t words[8192], size;

	begin(&client, false);
	for (uint32_t handle = 100; handle < 120; handle++)
		stream_shader(&stream, handle, 0, "VERT\nDCL OUT[0], POSITION\nMOV OUT[0], OUT[0]\nEND\n");
	stream_add(&stream, STREAM_HEADER(1, 4, 6), 90, 0, 12, 300, 0, 0x54524556 /* VERT */);
	run(&client, &stream);
	save(&client, SAVED_AT, SAVED_SIZE);
	size = saved_head(&client).size;
	if (size > sizeof(words))
		tap_bail("the saved stream is larger than this test's room");
	memcpy(words, client.vram + SAVED_AT + sizeof(struct d3dgpu_saved_context), size);
	stream_check_init(&check, find, NULL);
	tap_ok(stream_check(&check, words, size / 4, &error), "a saved stream passes the checker: %s",
	       error.reason ? error.reason : "");
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(1, 4, 7), 90, 0, 0x80000004, 300, 0, 0x444e450a /* \nEND */, 0);
	tap_ok(stream_check(&check, stream.dwords, stream.count, &error), "and the unfinished shader can be finished");
	client_end(&client);
}

/* ---- queries ---- */

static struct d3dgpu_query_record query_record(const struct client *client)
{
	struct d3dgpu_query_record record;

	memcpy(&record, client->vram + QUERY_AT, sizeof(record));
	return record;
}

static void test_queries(void)
{
	struct d3dgpu_resource_desc results = client_buffer(D3DGPU_BIND_CUSTOM, 4096);
	struct d3dgpu_query_record whole;
	struct stream stream = {0};
	struct client first, second;

	begin(&first, false);
	client_create(&first, QUERY, &results, QUERY_AT);
	/* one from the clear to the end of a draw, the result asked for; then another one, not ended */
	stream_add(&stream, STREAM_HEADER(1, 9, 4), QUERY_HANDLE, 0, 0, QUERY, STREAM_HEADER(19, 0, 1), QUERY_HANDLE);
	stream_add(&stream, STREAM_HEADER(7, 0, 8), 3, 0, 0, 0, 0, 0, 0x3ff00000, 0);
	drawing_draw(&stream, 0);
	stream_add(&stream, STREAM_HEADER(20, 0, 1), QUERY_HANDLE, STREAM_HEADER(21, 0, 2), QUERY_HANDLE, 0);
	run(&first, &stream);
	save(&first, SAVED_AT, SAVED_SIZE);
	whole = query_record(&first);
	tap_ok(whole.state == D3DGPU_QUERY_DONE && whole.result, "a result that was asked for is there when the context is saved");
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(19, 0, 1), QUERY_HANDLE);
	drawing_draw(&stream, 1);
	run(&first, &stream);
	tap_eq(save(&first, SAVED_AT, SAVED_SIZE), D3DGPU_FAULT_NONE, "a context is saved with a query running");
	tap_eq(query_record(&first).result, whole.result, "which leaves the last result alone");
	flush_all(&first);

	client_start(&second, NULL);
	hand_over(&first, &second);
	client_end(&first);
	client_create(&second, QUERY, &results, QUERY_AT);
	restore_context(&second, RESOURCES_FIRST);
	tap_eq(query_record(&second).result, whole.result, "as does the restored one");
	/* the same as the first query saw */
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(7, 0, 8), 3, 0, 0, 0, 0, 0, 0x3ff00000, 0);
	drawing_draw(&stream, 0);
	stream_add(&stream, STREAM_HEADER(20, 0, 1), QUERY_HANDLE, STREAM_HEADER(21, 0, 2), QUERY_HANDLE, 0);
	memset(second.vram + QUERY_AT, 0, sizeof(whole));
	tap_eq(run(&second, &stream), D3DGPU_FAULT_NONE, "the running query can be ended there");
	tap_eq(query_record(&second).result, whole.result, "and counted from the restoring on");
	client_end(&second);
}

/* ---- refusals ---- */

static void check_save(const char *name, uint64_t offset, uint64_t size)
{
	struct client client;

	client_start(&client, NULL);
	tap_eq(save(&client, offset, size), D3DGPU_FAULT_BAD_ENTRY, "%s", name);
	client_end(&client);
}

static void test_refusals(void)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_EXEC, .exec = {.offset = DRAWING_STREAM_AT, .size = 4, .flags = 2}};
	struct stream stream = {0};
	struct client client;

	check_save("saving outside VRAM is refused", CLIENT_VRAM_SIZE - 4096, 8192);
	check_save("saving at an odd place is refused", SAVED_AT + 64, 8192);
	check_save("saving into less than a page is refused", SAVED_AT, 4095);

	client_start(&client, NULL);
	tap_eq(client_run(&client, &entry), D3DGPU_FAULT_BAD_ENTRY, "an unknown flag of EXEC is refused");
	client_end(&client);

	client_start(&client, NULL);
	client_exec(&client, DRAWING_STREAM_AT, (uint32_t[]){0}, 1);
	tap_eq(exec_saved(&client, DRAWING_STREAM_AT, 4), D3DGPU_FAULT_BAD_ENTRY,
	       "a saved context is refused where a stream has run already");
	client_end(&client);

	client_start(&client, NULL);
	drawing_create(&client);
	drawing_begin(&stream);
	memcpy(client.vram + DRAWING_STREAM_AT, stream.dwords, stream.count * 4);
	tap_eq(exec_saved(&client, DRAWING_STREAM_AT, stream.count * 4), D3DGPU_FAULT_BAD_STREAM,
	       "a saved context with a clear in it is refused");
	client_end(&client);
}

int main(void)
{
	test_ways();
	test_range();
	test_stream();
	test_queries();
	test_refusals();
	return tap_done();
}
