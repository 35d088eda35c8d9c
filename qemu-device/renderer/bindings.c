/* SPDX-License-Identifier: MIT */
#include "bindings.h"

#include <stdlib.h>
#include <string.h>

void bindings_destroy(struct bindings *bindings)
{
	for (uint32_t stage = 0; stage < D3DGPU_STAGE_COUNT; stage++)
		free(bindings->constants[stage].words);
	*bindings = (struct bindings){0};
}

/* ---- following ---- */

static bool follow_constants(struct constants *constants, const uint32_t *words, uint32_t count)
{
	constants->count = 0;
	if (!count)
		return true; /* there may be no words yet to copy none to */
	if (count > constants->room) {
		uint32_t *room = realloc(constants->words, count * sizeof(uint32_t));

		if (!room)
			return false;
		constants->words = room;
		constants->room = count;
	}
	memcpy(constants->words, words, count * sizeof(uint32_t));
	constants->count = count;
	return true;
}

/* Copies slots of `step` words that begin at slot `first`, and marks them as set. */
static void follow_slots(uint32_t *slots, uint32_t *mask, uint32_t first, const uint32_t *words, uint32_t count,
			 uint32_t step)
{
	memcpy(slots + first * step, words, count * step * sizeof(uint32_t));
	for (uint32_t slot = first; slot < first + count; slot++)
		*mask |= 1u << slot;
}

/* Units behind the last that the command names are dropped. */
static void follow_views(struct bindings *bindings, const uint32_t *command, uint32_t count)
{
	uint32_t *views = bindings->views[command[1]];
	uint32_t *bound = &bindings->view_count[command[1]];
	uint32_t end = command[2] + count;

	memcpy(views + command[2], command + 3, count * sizeof(uint32_t));
	if (*bound > end)
		memset(views + end, 0, (*bound - end) * sizeof(uint32_t));
	*bound = end;
}

static void follow_samplers(struct bindings *bindings, const uint32_t *command, uint32_t count)
{
	uint32_t end = command[2] + count;

	memcpy(bindings->samplers[command[1]] + command[2], command + 3, count * sizeof(uint32_t));
	if (bindings->sampler_count[command[1]] < end)
		bindings->sampler_count[command[1]] = end;
}

static void follow_framebuffer(struct bindings *bindings, const uint32_t *command)
{
	bindings->target_count = command[1];
	memset(bindings->targets, 0, sizeof(bindings->targets));
	memcpy(bindings->targets, command + 2, (1 + command[1]) * sizeof(uint32_t));
}

void bindings_drop_stream_targets(struct bindings *bindings)
{
	memset(bindings->stream_targets, 0, sizeof(bindings->stream_targets));
	bindings->stream_target_count = 0;
}

static void follow_stream_targets(struct bindings *bindings, const uint32_t *command, uint32_t count)
{
	bindings_drop_stream_targets(bindings);
	memcpy(bindings->stream_targets, command + 2, count * sizeof(uint32_t));
	bindings->stream_target_count = count;
}

static void follow_index_buffer(struct bindings *bindings, const uint32_t *command, uint32_t length)
{
	memset(bindings->index_buffer, 0, sizeof(bindings->index_buffer));
	memcpy(bindings->index_buffer, command + 1, length * sizeof(uint32_t));
}

static void follow_plain(struct bindings *bindings, enum plain plain, const uint32_t *command, uint32_t length)
{
	memcpy(bindings->plain[plain].words, command, (1 + length) * sizeof(uint32_t));
}

/* Commands with a stage at word 1. */
static bool follow_stage(struct bindings *bindings, const uint32_t *command, uint32_t length)
{
	uint32_t stage = command[1];

	switch ((enum d3dgpu_command)d3dgpu_get(D3DGPU_HEADER_OPCODE, command[0])) {
	case D3DGPU_CMD_SET_CONSTANT_BUFFER:
		return follow_constants(&bindings->constants[stage], command + 3, length - 2);
	case D3DGPU_CMD_SET_UNIFORM_BUFFER:
		follow_slots(bindings->uniform_buffers[stage][0], &bindings->uniform_mask[stage], command[2],
			     command + 3, 1, 3);
		break;
	case D3DGPU_CMD_SET_SAMPLER_VIEWS:
		follow_views(bindings, command, length - 2);
		break;
	case D3DGPU_CMD_BIND_SAMPLER_STATES:
		follow_samplers(bindings, command, length - 2);
		break;
	case D3DGPU_CMD_SET_SHADER_BUFFERS:
		follow_slots(bindings->shader_buffers[stage][0], &bindings->shader_buffer_mask[stage], command[2],
			     command + 3, (length - 2) / 3, 3);
		break;
	default:
		follow_slots(bindings->images[stage][0], &bindings->image_mask[stage], command[2], command + 3,
			     (length - 2) / 5, 5);
		break;
	}
	return true;
}

bool bindings_follow(struct bindings *bindings, const uint32_t *command)
{
	uint32_t length = d3dgpu_get(D3DGPU_HEADER_LENGTH, command[0]);

	switch ((enum d3dgpu_command)d3dgpu_get(D3DGPU_HEADER_OPCODE, command[0])) {
	case D3DGPU_CMD_SET_CONSTANT_BUFFER:
	case D3DGPU_CMD_SET_UNIFORM_BUFFER:
	case D3DGPU_CMD_SET_SAMPLER_VIEWS:
	case D3DGPU_CMD_BIND_SAMPLER_STATES:
	case D3DGPU_CMD_SET_SHADER_BUFFERS:
	case D3DGPU_CMD_SET_SHADER_IMAGES:
		return follow_stage(bindings, command, length);
	case D3DGPU_CMD_BIND_OBJECT:
		bindings->states[d3dgpu_get(D3DGPU_HEADER_OBJECT, command[0])] = command[1];
		break;
	case D3DGPU_CMD_BIND_SHADER:
		bindings->shaders[command[2]] = command[1];
		break;
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE:
		follow_framebuffer(bindings, command);
		break;
	case D3DGPU_CMD_SET_VERTEX_BUFFERS:
		memcpy(bindings->vertex_buffers, command + 1, length * sizeof(uint32_t));
		bindings->vertex_buffer_count = length / 3;
		break;
	case D3DGPU_CMD_SET_INDEX_BUFFER:
		follow_index_buffer(bindings, command, length);
		break;
	case D3DGPU_CMD_SET_ATOMIC_BUFFERS:
		follow_slots(bindings->atomic_buffers[0], &bindings->atomic_mask, command[1], command + 2,
			     (length - 1) / 3, 3);
		break;
	case D3DGPU_CMD_SET_STREAMOUT_TARGETS:
		follow_stream_targets(bindings, command, length - 1);
		break;
	case D3DGPU_CMD_SET_VIEWPORT_STATE:
		follow_slots(bindings->viewports[0], &bindings->viewport_mask, command[1], command + 2,
			     (length - 1) / 6, 6);
		break;
	case D3DGPU_CMD_SET_SCISSOR_STATE:
		follow_slots(bindings->scissors[0], &bindings->scissor_mask, command[1], command + 2, (length - 1) / 2,
			     2);
		break;
	case D3DGPU_CMD_SET_RENDER_CONDITION:
		memcpy(bindings->condition, command + 1, sizeof(bindings->condition));
		break;
	case D3DGPU_CMD_SET_STENCIL_REF:
		follow_plain(bindings, PLAIN_STENCIL_REF, command, length);
		break;
	case D3DGPU_CMD_SET_BLEND_COLOR:
		follow_plain(bindings, PLAIN_BLEND_COLOR, command, length);
		break;
	case D3DGPU_CMD_SET_POLYGON_STIPPLE:
		follow_plain(bindings, PLAIN_STIPPLE, command, length);
		break;
	case D3DGPU_CMD_SET_CLIP_STATE:
		follow_plain(bindings, PLAIN_CLIP, command, length);
		break;
	case D3DGPU_CMD_SET_SAMPLE_MASK:
		follow_plain(bindings, PLAIN_SAMPLE_MASK, command, length);
		break;
	case D3DGPU_CMD_SET_MIN_SAMPLES:
		follow_plain(bindings, PLAIN_MIN_SAMPLES, command, length);
		break;
	case D3DGPU_CMD_SET_TESS_STATE:
		follow_plain(bindings, PLAIN_TESS, command, length);
		break;
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH:
		follow_plain(bindings, PLAIN_NO_ATTACH, command, length);
		break;
	default:
		break;
	}
	return true;
}

/* ---- slots ---- */

#define SLOTS(array, words, name_at)                                                                                   \
	((struct binding_slots){(uint32_t *)(array) + (name_at), sizeof(array) / sizeof(uint32_t) / (words), words})

struct binding_slots bindings_of_type(struct bindings *bindings, enum d3dgpu_object type)
{
	switch (type) {
	case D3DGPU_OBJ_BLEND:
	case D3DGPU_OBJ_RASTERIZER:
	case D3DGPU_OBJ_DSA:
	case D3DGPU_OBJ_VERTEX_ELEMENTS:
		return (struct binding_slots){&bindings->states[type], 1, 1};
	case D3DGPU_OBJ_SHADER:
		return SLOTS(bindings->shaders, 1, 0);
	case D3DGPU_OBJ_SAMPLER_VIEW:
		return SLOTS(bindings->views, 1, 0);
	case D3DGPU_OBJ_SAMPLER_STATE:
		return SLOTS(bindings->samplers, 1, 0);
	case D3DGPU_OBJ_SURFACE:
		return SLOTS(bindings->targets, 1, 0);
	case D3DGPU_OBJ_QUERY:
		return (struct binding_slots){bindings->condition, 1, 1};
	case D3DGPU_OBJ_STREAMOUT_TARGET:
		return SLOTS(bindings->stream_targets, 1, 0);
	default:
		return (struct binding_slots){0};
	}
}

struct binding_slots bindings_of_resources(struct bindings *bindings, enum binding_group group)
{
	switch (group) {
	case GROUP_VERTEX_BUFFERS:
		return (struct binding_slots){bindings->vertex_buffers[0] + 2, bindings->vertex_buffer_count, 3};
	case GROUP_INDEX_BUFFER:
		return (struct binding_slots){bindings->index_buffer, 1, 1};
	case GROUP_UNIFORM_BUFFERS:
		return SLOTS(bindings->uniform_buffers, 3, 2);
	case GROUP_SHADER_BUFFERS:
		return SLOTS(bindings->shader_buffers, 3, 2);
	case GROUP_IMAGES:
		return SLOTS(bindings->images, 5, 4);
	case GROUP_ATOMIC_BUFFERS:
		return SLOTS(bindings->atomic_buffers, 3, 2);
	default:
		return (struct binding_slots){0};
	}
}

bool slots_hold(struct binding_slots slots, uint32_t name)
{
	for (uint32_t i = 0; i < slots.count; i++)
		if (slots.first[i * slots.step] == name)
			return true;
	return false;
}

void slots_rename(struct binding_slots slots, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < slots.count; i++)
		if (slots.first[i * slots.step] == from)
			slots.first[i * slots.step] = to;
}
