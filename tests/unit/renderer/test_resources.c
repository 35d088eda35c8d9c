/* SPDX-License-Identifier: MIT */
/* Resources: creation, duplicates, destruction, moving of their VRAM range; staging and query buffers, whose range is
 * the storage. */
#include <string.h>

#include "client.h"
#include "tap.h"

#define RESOURCE 20
#define STAGING 21
#define QUERY 22
#define AT 0x1000000u
#define ELSEWHERE 0x1800000u

static const struct d3dgpu_resource_desc texture = {
	.format = D3DGPU_FMT_R8G8B8A8_UNORM,
	.target = D3DGPU_TARGET_2D,
	.bind = D3DGPU_BIND_SAMPLER_VIEW | D3DGPU_BIND_RENDER_TARGET,
	.width = 64,
	.height = 64,
	.depth = 1,
	.array_size = 1,
};

/* Creation that is refused, in a worker of its own: the context is lost by it. */
static void check_refused(const char *name, struct d3dgpu_resource_desc desc, uint32_t fault)
{
	struct client client;

	client_start(&client, NULL);
	tap_eq(client_create(&client, RESOURCE, &desc, AT), fault, "%s", name);
	client_end(&client);
}

static void check_range_refused(const char *name, uint64_t backing, uint64_t size)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RES_CREATE,
		.res_create = {.resource = RESOURCE, .backing = backing, .size = size, .desc = texture},
	};
	struct client client;

	client_start(&client, NULL);
	tap_eq(client_run(&client, &entry), D3DGPU_FAULT_BAD_ENTRY, "%s", name);
	client_end(&client);
}

static void test_refusals(void)
{
	struct d3dgpu_resource_desc desc = texture;

	desc.format = D3DGPU_FMT_R8G8B8_UNORM;
	check_refused("a format that the engine does not have is refused", desc, D3DGPU_FAULT_BAD_RESOURCE);
	desc = texture;
	desc.last_level = 9;
	check_refused("more levels than the size has are refused", desc, D3DGPU_FAULT_BAD_RESOURCE);
	desc = texture;
	desc.flags = 1;
	check_refused("unknown flags are refused", desc, D3DGPU_FAULT_BAD_RESOURCE);
	desc = texture;
	desc.format = D3DGPU_FMT_DXT1_RGBA;
	desc.target = D3DGPU_TARGET_3D;
	desc.depth = 4;
	check_refused("a BC1 volume is refused at once", desc, D3DGPU_FAULT_BAD_RESOURCE);
	check_refused("a staging buffer that is something else too is refused",
		      client_buffer(D3DGPU_BIND_STAGING | D3DGPU_BIND_VERTEX_BUFFER, 64), D3DGPU_FAULT_BAD_RESOURCE);
	check_range_refused("a range that is too small is refused", AT, 64 * 64 * 4 - 1);
	check_range_refused("a range outside VRAM is refused", CLIENT_VRAM_SIZE - 4096, 64 * 64 * 4);
	check_range_refused("a range at an odd place is refused", AT + 64, 64 * 64 * 4);
}

static void test_names(void)
{
	struct client client;

	client_start(&client, NULL);
	tap_eq(client_create(&client, RESOURCE, &texture, AT), D3DGPU_FAULT_NONE, "a texture is created");
	tap_eq(client_create(&client, RESOURCE + 1, &texture, ELSEWHERE), D3DGPU_FAULT_NONE, "another one too");
	tap_eq(client_destroy(&client, RESOURCE), D3DGPU_FAULT_NONE, "the first is destroyed");
	tap_eq(client_create(&client, RESOURCE, &texture, AT), D3DGPU_FAULT_NONE, "its id can be used again");
	tap_eq(client_create(&client, RESOURCE, &texture, AT), D3DGPU_FAULT_BAD_RESOURCE, "but not twice");
	client_end(&client);

	client_start(&client, NULL);
	tap_eq(client_destroy(&client, RESOURCE), D3DGPU_FAULT_BAD_RESOURCE, "destroying an unknown id is an error");
	client_end(&client);
}

/* More than the table holds at first, with gaps; all are found again. */
static void test_many(void)
{
	struct d3dgpu_resource_desc buffer = client_buffer(D3DGPU_BIND_VERTEX_BUFFER, 64);
	uint32_t failed = 0;
	struct client client;

	client_start(&client, NULL);
	for (uint32_t i = 1; i <= 3000; i++)
		failed += client_create(&client, i * 7, &buffer, 4096 * (uint64_t)i) != D3DGPU_FAULT_NONE;
	tap_eq(failed, 0, "3000 buffers are created");
	for (uint32_t i = 3000; i; i -= 2)
		failed += client_destroy(&client, i * 7) != D3DGPU_FAULT_NONE;
	tap_eq(failed, 0, "every other one is destroyed");
	for (uint32_t i = 1; i <= 3000; i += 2)
		failed += client_transfer(&client, D3DGPU_OP_LOAD, i * 7, 0, 0) != D3DGPU_FAULT_NONE;
	tap_eq(failed, 0, "the others are there");
	tap_eq(client_end(&client), 0, "the worker leaves quietly with resources alive");
}

static uint32_t rebind(struct client *client, uint32_t id, uint64_t backing, uint64_t size)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_BIND_BACKING,
		.bind_backing = {.resource = id, .backing = backing, .size = size},
	};

	return client_run(client, &entry);
}

static uint32_t copy_transfer(struct client *client, uint32_t staging_offset, uint32_t flags)
{
	struct stream stream = {0};

	stream_add(&stream, STREAM_HEADER(45, 0, 14), RESOURCE, 0, 0, 64 * 4, 0, 0, 0, 0, 64, 64, 1, STAGING,
		   staging_offset, flags);
	return client_exec(client, SCENE_STREAM_AT, stream.dwords, stream.count);
}

static void test_moving(void)
{
	struct d3dgpu_resource_desc staging = client_buffer(D3DGPU_BIND_STAGING, 64 * 64 * 4 + 256);
	uint32_t size = 64 * 64 * 4;
	struct client client;

	client_start(&client, NULL);
	client_create(&client, RESOURCE, &texture, AT);
	memset(client.vram + AT, 0x21, size);
	client_transfer(&client, D3DGPU_OP_LOAD, RESOURCE, 0, 0);
	tap_eq(rebind(&client, RESOURCE, ELSEWHERE, size), D3DGPU_FAULT_NONE, "a texture's range can move");
	memset(client.vram + AT, 0, size);
	client_transfer(&client, D3DGPU_OP_FLUSH, RESOURCE, 0, 0);
	tap_ok(client.vram[ELSEWHERE] == 0x21 && client.vram[ELSEWHERE + size - 1] == 0x21,
	       "a flush goes to the new one");
	tap_ok(!client.vram[AT] && !client.vram[AT + size - 1], "and not to the old one");

	client_create(&client, STAGING, &staging, AT);
	memset(client.vram + AT + 256, 0x42, size);
	tap_eq(copy_transfer(&client, 256, 1), D3DGPU_FAULT_NONE, "an upload from a staging buffer, at an offset");
	client_transfer(&client, D3DGPU_OP_FLUSH, RESOURCE, 0, 0);
	tap_ok(client.vram[ELSEWHERE] == 0x42 && client.vram[ELSEWHERE + size - 1] == 0x42, "arrives in the texture");
	tap_eq(rebind(&client, STAGING, AT + 0x100000, size + 4096), D3DGPU_FAULT_NONE, "the staging buffer moves");
	tap_eq(copy_transfer(&client, 0, 3), D3DGPU_FAULT_NONE, "a copy back to it");
	tap_ok(client.vram[AT + 0x100000] == 0x42 && client.vram[AT + 0x100000 + size - 1] == 0x42,
	       "goes to its new range");
	tap_eq(rebind(&client, STAGING, CLIENT_VRAM_SIZE, size + 4096), D3DGPU_FAULT_BAD_ENTRY,
	       "a range outside VRAM is refused");
	client_end(&client);
}

static void test_queries(void)
{
	struct d3dgpu_resource_desc results = client_buffer(D3DGPU_BIND_CUSTOM, 4096);
	struct stream stream = {0};
	struct d3dgpu_query_record {
		uint32_t state, size;
		uint64_t value;
	} record;
	struct client client;

	client_start(&client, NULL);
	scene_create(&client);
	memset(client.vram + AT, 0x5a, 4096);
	tap_eq(client_create(&client, QUERY, &results, AT), D3DGPU_FAULT_NONE, "a query buffer is created");
	tap_eq(client.vram[AT + 4095], 0x5a, "its range keeps what is in it");
	stream_add(&stream, STREAM_HEADER(1, 9, 4), 50, 0, 0, QUERY);
	scene_stream(&stream);
	stream_add(&stream, STREAM_HEADER(19, 0, 1), 50);
	/* once more, nearer: every pixel of the triangle passes again with LESS-EQUAL only, so clear the depth first */
	stream_add(&stream, STREAM_HEADER(7, 0, 8), 1, 0, 0, 0, 0, 0, 0x3ff00000, 0);
	stream_add(&stream, STREAM_HEADER(8, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0);
	stream_add(&stream, STREAM_HEADER(20, 0, 1), 50, STREAM_HEADER(21, 0, 2), 50, 1);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "an occlusion query around the triangle");
	memcpy(&record, client.vram + AT, sizeof(record));
	tap_eq(record.state, 1, "the result is there when the fence is");
	tap_near(record.value, 0.5 * 128 * 1.3 * 128, 100, "and is the triangle's area in pixels");

	tap_eq(rebind(&client, QUERY, ELSEWHERE, 4096), D3DGPU_FAULT_NONE, "the query buffer moves");
	memset(client.vram + AT, 0x77, 4096);
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(19, 0, 1), 50, STREAM_HEADER(20, 0, 1), 50, STREAM_HEADER(21, 0, 2), 50, 1);
	client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count);
	memcpy(&record, client.vram + ELSEWHERE, sizeof(record));
	tap_ok(record.state == 1 && record.value == 0, "the next result goes to the new range");
	tap_eq(client.vram[AT], 0x77, "and the old one is left alone");
	tap_eq(client_end(&client), 0, "the worker leaves quietly");
}

int main(void)
{
	test_names();
	test_many();
	test_moving();
	test_queries();
	test_refusals();
	return tap_done();
}
