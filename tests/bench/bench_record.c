/* SPDX-License-Identifier: MIT */
/*
 * What a worker does with a stream before its engine gets it, without the engine: the checker, and the record of objects
 * and bindings. The stream is a frame of draws, each with constants and texture units, every fourth with other buffers.
 */
#include <string.h>

#include "bench.h"
#include "record.h"
#include "stream_check.h"

#define DRAWS 250u
#define RESOURCES 64u
#define CONSTANTS 64u			/* words, for a draw */
#define VIEW(n) (1u + (n))
#define SAMPLER 200u
#define BLEND(n) (210u + (n))

static struct resource resources[RESOURCES];

struct work {
	struct stream_check check;
	struct record record;
	bool recording;
	struct script setup, frame;
};

struct resource *resources_find(const struct resources *unused, uint32_t id)
{
	return id && id < RESOURCES ? &resources[id] : NULL;
}

static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	const struct resource *resource = resources_find(NULL, id);

	return resource ? &resource->desc : NULL;
}

/* Odd ids are buffers, even ones textures. */
static void make_resources(void)
{
	for (uint32_t id = 1; id < RESOURCES; id++) {
		struct d3dgpu_resource_desc buffer = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER,
						      .width = 65536, .height = 1, .depth = 1, .array_size = 1};
		struct d3dgpu_resource_desc texture = {.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D,
						       .bind = D3DGPU_BIND_SAMPLER_VIEW, .width = 256, .height = 256,
						       .depth = 1, .array_size = 1};

		resources[id] = (struct resource){.id = id, .desc = id & 1 ? buffer : texture};
	}
}

static uint32_t command(enum d3dgpu_command opcode, uint32_t length)
{
	return d3dgpu_header(opcode, 0, length);
}

static void put_setup(struct script *script)
{
	for (uint32_t i = 0; i < 30; i++)
		script_add(script, d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 6), VIEW(i), 2 + 2 * i,
			   D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0, 0x688);
	script_add(script, d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_STATE, 9), SAMPLER, 0, 0, 0, 0, 0, 0,
		   0, 0);
	for (uint32_t i = 0; i < 2; i++)
		script_add(script, d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_BLEND, 11), BLEND(i), 0, 0, 0, 0, 0,
			   0, 0, 0, 0, 0);
}

static void put_draw(struct script *script, uint32_t draw)
{
	uint32_t constants[CONSTANTS] = {draw};

	script_add(script, command(D3DGPU_CMD_SET_CONSTANT_BUFFER, 2 + CONSTANTS), D3DGPU_STAGE_VERTEX, 0);
	script_put(script, CONSTANTS, constants);
	script_add(script, command(D3DGPU_CMD_SET_SAMPLER_VIEWS, 4), D3DGPU_STAGE_PIXEL, 0, VIEW(draw % 29),
		   VIEW(draw % 29 + 1));
	script_add(script, command(D3DGPU_CMD_BIND_SAMPLER_STATES, 4), D3DGPU_STAGE_PIXEL, 0, SAMPLER, SAMPLER);
	script_add(script, d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_BLEND, 1), BLEND(draw & 1));
	if (draw % 4 == 0) {
		script_add(script, command(D3DGPU_CMD_SET_VERTEX_BUFFERS, 6), 32, 0, 1 + 2 * (draw % 30), 16, 0, 3);
		script_add(script, command(D3DGPU_CMD_SET_INDEX_BUFFER, 3), 5, 2, 0);
		script_add(script, command(D3DGPU_CMD_SET_UNIFORM_BUFFER, 5), D3DGPU_STAGE_PIXEL, 1, 0, 256, 7);
	}
	script_add(script, command(D3DGPU_CMD_DRAW_VBO, 12), 0, 3, D3DGPU_PRIM_TRIANGLES, 1, 1, 0, 0, 0, 0, 0, 2, 0);
}

static void take(struct work *work, const struct script *script)
{
	struct stream_error error;

	bench_must(stream_check(&work->check, script->words, script->count, &error) ? 0 : -1, "the checker");
	for (uint32_t at = 0; work->recording && at < script->count;)
		at = record_stream(&work->record, script->words, at, script->count);
}

static void frames(void *data, unsigned count)
{
	struct work *work = data;

	for (unsigned i = 0; i < count; i++)
		take(work, &work->frame);
}

int main(int argc, char **argv)
{
	struct work work = {.recording = true};

	bench_open(argc, argv,
		   "A worker's checker and record, without an engine: frames of 250 draws in a second, first with the checker\n"
		   "alone, then with both.");
	make_resources();
	stream_check_init(&work.check, find, NULL);
	bench_must(record_init(&work.record, NULL), "the record");
	put_setup(&work.setup);
	for (uint32_t draw = 0; draw < DRAWS; draw++)
		put_draw(&work.frame, draw);
	take(&work, &work.setup);
	work.recording = false;
	bench_rate("worker.stream.check", "frames/s", frames, &work);
	work.recording = true;
	bench_rate("worker.stream.check_and_record", "frames/s", frames, &work);
	record_destroy(&work.record);
	script_free(&work.setup);
	script_free(&work.frame);
	return 0;
}
