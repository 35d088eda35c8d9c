/* SPDX-License-Identifier: MIT */
/*
 * A draw and a clear in the guest's GL context, with no texture, no buffer of the guest's and a target of one pixel,
 * leave nothing of the guest's in use. They disturb state, which is bound again afterwards. Queries that run would
 * count them: then it is not done.
 */
#include "tidy.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>

#include "engine.h"
#include "replay.h"
#include "samples.h"

/* Handles that streams cannot have. */
enum handle {
	HANDLE_SURFACE = D3DGPU_STREAM_MAX_HANDLE + 1,
	HANDLE_ELEMENTS,
	HANDLE_VERTEX_SHADER,
	HANDLE_PIXEL_SHADER,
};

#define CONSTANT_SLOTS 12u /* 1 to 12: what every GL has per stage */
#define TEXT_ROOM 2048u    /* bytes of a shader */

static uint32_t command(enum d3dgpu_command opcode, uint32_t length)
{
	return d3dgpu_header(opcode, 0, length);
}

/*
 * The draw has to use constant buffers, or the driver keeps those of the last draw: each shader adds up the first
 * constant of every slot, which is zero, and 2. As a position that is a triangle without area, outside.
 */
static void put_shader(struct script *script, uint32_t handle, enum d3dgpu_stage stage)
{
	uint32_t words[TEXT_ROOM / 4] = {0}, count, size;
	char *text = (char *)words;
	int at = sprintf(text, "%s\nDCL OUT[0], %s\nDCL TEMP[0]\nIMM[0] FLT32 {2.0, 2.0, 2.0, 2.0}\n",
			 stage == D3DGPU_STAGE_VERTEX ? "VERT" : "FRAG",
			 stage == D3DGPU_STAGE_VERTEX ? "POSITION" : "COLOR");

	for (uint32_t slot = 1; slot <= CONSTANT_SLOTS; slot++)
		at += sprintf(text + at, "DCL CONST[%u][0]\n", slot);
	at += sprintf(text + at, "MOV TEMP[0], IMM[0]\n");
	for (uint32_t slot = 1; slot <= CONSTANT_SLOTS; slot++)
		at += sprintf(text + at, "ADD TEMP[0], TEMP[0], CONST[%u][0]\n", slot);
	at += sprintf(text + at, "MOV OUT[0], TEMP[0]\nEND\n");
	size = (uint32_t)at + 1;
	count = (size + 3) / 4;
	script_add(script,
		   d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SHADER, D3DGPU_SHADER_HEADER_WORDS + count),
		   handle, stage, size, 300 + 30 * CONSTANT_SLOTS, 0);
	script_put(script, count, words);
}

static void put_objects(struct script *script)
{
	script_add(script, d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SURFACE, 5), HANDLE_SURFACE,
		   RESOURCES_ID_PIXEL, D3DGPU_FMT_B8G8R8A8_UNORM, 0, 0);
	script_add(script, d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 1), HANDLE_ELEMENTS);
	put_shader(script, HANDLE_VERTEX_SHADER, D3DGPU_STAGE_VERTEX);
	put_shader(script, HANDLE_PIXEL_SHADER, D3DGPU_STAGE_PIXEL);
}

static void put_draw(struct script *script)
{
	script_add(script, command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 3), 1, 0, HANDLE_SURFACE);
	script_add(script, d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 1), HANDLE_ELEMENTS);
	script_add(script, command(D3DGPU_CMD_BIND_SHADER, 2), HANDLE_VERTEX_SHADER, D3DGPU_STAGE_VERTEX);
	script_add(script, command(D3DGPU_CMD_BIND_SHADER, 2), HANDLE_PIXEL_SHADER, D3DGPU_STAGE_PIXEL);
	for (uint32_t stage = D3DGPU_STAGE_GEOMETRY; stage <= D3DGPU_STAGE_DOMAIN; stage++)
		script_add(script, command(D3DGPU_CMD_BIND_SHADER, 2), 0, stage);
	for (uint32_t stage = 0; stage <= D3DGPU_STAGE_PIXEL; stage++)
		for (uint32_t slot = 1; slot <= CONSTANT_SLOTS; slot++)
			script_add(script, command(D3DGPU_CMD_SET_UNIFORM_BUFFER, 5), stage, slot, 0, 16,
				   RESOURCES_ID_ZEROS);
	script_add(script, command(D3DGPU_CMD_DRAW_VBO, 12), 0, 3, D3DGPU_PRIM_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 2, 0);
	/* llvmpipe lets go of what finished scenes used when it begins another; the draw alone begins none. */
	script_add(script, command(D3DGPU_CMD_CLEAR, 8), D3DGPU_CLEAR_COLOR(0), 0, 0, 0, 0, 0, 0, 0);
}

/* What the draw has changed is bound as it was, and what is not bound is unbound. */
static void put_back(struct script *script, struct record *record)
{
	for (uint32_t stage = 0; stage <= D3DGPU_STAGE_PIXEL; stage++)
		for (uint32_t slot = 1; slot <= CONSTANT_SLOTS; slot++)
			script_add(script, command(D3DGPU_CMD_SET_UNIFORM_BUFFER, 5), stage, slot, 0, 0, 0);
	replay_groups(script, record,
		      1u << GROUP_FRAMEBUFFER | 1u << GROUP_UNIFORM_BUFFERS | 1u << GROUP_STATES | 1u << GROUP_SHADERS |
			      1u << GROUP_CONDITION,
		      true);
	if (record->bindings.stream_target_count)
		replay_groups(script, record, 1u << GROUP_STREAM_TARGETS, true);
}

static bool query_runs(const struct record *record)
{
	const struct object *object = NULL;

	do {
		object = objects_next(&record->objects, object);
	} while (object && !object->running);
	return object;
}

/* Made at the first time, for good. */
static int make_pixel(struct tidy *tidy, struct script *script)
{
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET,
		.width = 1,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	int error;

	if (tidy->ready)
		return 0;
	error = engine_resource_create(RESOURCES_ID_PIXEL, &desc);
	if (error)
		return error;
	put_objects(script);
	tidy->ready = true;
	return 0;
}

static int draw(struct tidy *tidy, struct script *script)
{
	const struct bindings *bindings = &tidy->record->bindings;
	int error = make_pixel(tidy, script);

	if (bindings->stream_target_count)
		script_add(script, command(D3DGPU_CMD_SET_STREAMOUT_TARGETS, 1), 0);
	if (bindings->condition[0])
		script_add(script, command(D3DGPU_CMD_SET_RENDER_CONDITION, 3), 0, 0, 0);
	put_draw(script);
	put_back(script, tidy->record);
	if (!error)
		error = script->failed ? ENOMEM : engine_submit(script->words, script->count);
	script_clear(script);
	return error;
}

int tidy_run(struct tidy *tidy, struct script *script)
{
	int error = samples_end();

	if (!error)
		error = engine_finish();
	if (!error && !query_runs(tidy->record))
		error = draw(tidy, script);
	if (!error)
		error = engine_finish();
	malloc_trim(0);
	tidy->freed = 0;
	return error;
}
