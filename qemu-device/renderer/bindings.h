/* SPDX-License-Identifier: MIT */
/*
 * The state that a context's command streams have set, slot by slot, by handle or resource id: what every SET_ and BIND_
 * command left. Nothing here is allocated for a command but room for inline constants, which grows to 64 KiB per stage.
 */
#ifndef D3DGPU_RENDERER_BINDINGS_H
#define D3DGPU_RENDERER_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "d3dgpu_stream.h"

#define BINDINGS_STREAM_TARGETS 4u
#define BINDINGS_PLAIN_WORDS 33u
#define BINDINGS_BUFFERS 32u		/* slots of uniform, storage and counter buffers, and of images, per stage */

/*
 * What belongs together: bound by one command, or by one command for each stage. Those up to GROUP_NAMING hold names of
 * resources or of objects that may be of a resource.
 */
enum binding_group {
	GROUP_FRAMEBUFFER,
	GROUP_VIEWS,
	GROUP_VERTEX_BUFFERS,
	GROUP_INDEX_BUFFER,
	GROUP_UNIFORM_BUFFERS,
	GROUP_SHADER_BUFFERS,
	GROUP_IMAGES,
	GROUP_ATOMIC_BUFFERS,
	GROUP_STREAM_TARGETS,
	GROUP_NAMING,
	GROUP_STATES = GROUP_NAMING,	/* blend, rasterizer, depth-stencil, vertex elements */
	GROUP_SHADERS,
	GROUP_SAMPLERS,
	GROUP_VIEWPORTS,
	GROUP_SCISSORS,
	GROUP_CONSTANTS,
	GROUP_PLAIN,
	GROUP_CONDITION,
	GROUP_COUNT,
};

/* Inline constants of a stage. */
struct constants {
	uint32_t *words;		/* owned */
	uint32_t count, room;
};

/* Commands that only leave values, whole: header 0 = never given. */
struct plain_command {
	uint32_t words[BINDINGS_PLAIN_WORDS];
};
enum plain {
	PLAIN_STENCIL_REF,
	PLAIN_BLEND_COLOR,
	PLAIN_STIPPLE,
	PLAIN_CLIP,
	PLAIN_SAMPLE_MASK,
	PLAIN_MIN_SAMPLES,
	PLAIN_TESS,
	PLAIN_NO_ATTACH,
	PLAIN_COUNT,
};

/* Slots without a bit in a mask have never been set. Words are as in the command that sets them. */
struct bindings {
	uint32_t states[D3DGPU_OBJ_COUNT];	/* by object type: what BIND_OBJECT binds */
	uint32_t shaders[D3DGPU_STAGE_COUNT];
	uint32_t target_count;
	uint32_t targets[1 + D3DGPU_STREAM_MAX_TARGETS]; /* depth-stencil surface, colour surfaces */
	uint32_t view_count[D3DGPU_STAGE_COUNT];
	uint32_t views[D3DGPU_STAGE_COUNT][D3DGPU_STREAM_MAX_UNITS];
	uint32_t sampler_count[D3DGPU_STAGE_COUNT];
	uint32_t samplers[D3DGPU_STAGE_COUNT][D3DGPU_STREAM_MAX_UNITS];
	uint32_t vertex_buffer_count;
	uint32_t vertex_buffers[D3DGPU_STREAM_MAX_ATTRIBUTES][3];
	uint32_t index_buffer[3];
	uint32_t uniform_mask[D3DGPU_STAGE_COUNT];
	uint32_t uniform_buffers[D3DGPU_STAGE_COUNT][BINDINGS_BUFFERS][3];
	uint32_t shader_buffer_mask[D3DGPU_STAGE_COUNT];
	uint32_t shader_buffers[D3DGPU_STAGE_COUNT][BINDINGS_BUFFERS][3];
	uint32_t image_mask[D3DGPU_STAGE_COUNT];
	uint32_t images[D3DGPU_STAGE_COUNT][BINDINGS_BUFFERS][5];
	uint32_t atomic_mask;
	uint32_t atomic_buffers[BINDINGS_BUFFERS][3];
	uint32_t stream_target_count;
	uint32_t stream_targets[BINDINGS_STREAM_TARGETS];
	uint32_t viewport_mask, scissor_mask;
	uint32_t viewports[D3DGPU_STREAM_MAX_VIEWPORTS][6];
	uint32_t scissors[D3DGPU_STREAM_MAX_VIEWPORTS][2];
	struct constants constants[D3DGPU_STAGE_COUNT];
	struct plain_command plain[PLAIN_COUNT];
	uint32_t condition[3];			/* query (0 = none), inverted, mode */
};

void bindings_destroy(struct bindings *bindings);

/*
 * Follows a command that has passed the checker and whose names exist; others than SET_ and BIND_ commands change
 * nothing. Returns false when there is no memory for constants.
 */
bool bindings_follow(struct bindings *bindings, const uint32_t *command);

/* No stream output targets are bound any more: the engine drops all when one is destroyed. */
void bindings_drop_stream_targets(struct bindings *bindings);

/*
 * Slots that hold names: `count` of them, each `step` words after the one before. `slots` is a group's, and where that has
 * several arrays, one of them.
 */
struct binding_slots {
	uint32_t *first;
	uint32_t count, step;
};
/* Those that hold handles of objects of a type. */
struct binding_slots bindings_of_type(struct bindings *bindings, enum d3dgpu_object type);
/* Those of a group that hold ids of resources; none for a group that has no such. */
struct binding_slots bindings_of_resources(struct bindings *bindings, enum binding_group group);

/* Whether any slot holds the name; gives every such slot another name. */
bool slots_hold(struct binding_slots slots, uint32_t name);
void slots_rename(struct binding_slots slots, uint32_t from, uint32_t to);

#endif
