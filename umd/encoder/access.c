/* SPDX-License-Identifier: MIT */
#include "access.h"

#include <stdlib.h>
#include <string.h>

#include "decode.h"

#define TARGETS 8u
#define VERTEX_BUFFERS 16u
#define STREAM_TARGETS 16u
#define SLOTS 32u		/* of each kind, per stage */
#define STAGES ((uint32_t)D3DGPU_STAGE_COUNT)

struct access_tracker {
	uint32_t *objects;	/* by handle: the resource of a view, surface or stream target, 0 = none */
	uint32_t object_count;
	/* resources of what is bound */
	uint32_t targets[TARGETS], depth;
	uint32_t vertex_buffers[VERTEX_BUFFERS], index_buffer;
	uint32_t stream_targets[STREAM_TARGETS];
	uint32_t views[STAGES][SLOTS];
	uint32_t buffers[STAGES][SLOTS], images[STAGES][SLOTS];
};

/* One stream on its way through the tracker */
struct walk {
	struct access_tracker *tracker;
	access_visit visit;
	void *opaque;
};

struct access_tracker *access_create(void)
{
	return calloc(1, sizeof(struct access_tracker));
}

void access_destroy(struct access_tracker *tracker)
{
	if (tracker)
		free(tracker->objects);
	free(tracker);
}

static void visit(const struct walk *walk, uint32_t resource, bool write)
{
	if (resource)
		walk->visit(walk->opaque, resource, write);
}

static void visit_all(const struct walk *walk, const uint32_t *resources, uint32_t count, bool write)
{
	for (uint32_t i = 0; i < count; i++)
		visit(walk, resources[i], write);
}

/* ---- objects ---- */

static bool set_object(struct access_tracker *t, uint32_t handle, uint32_t resource)
{
	if (handle >= t->object_count) {
		uint32_t count = handle + handle / 2 + 64, *objects = realloc(t->objects, count * sizeof(*objects));

		if (!objects)
			return false;
		memset(objects + t->object_count, 0, (count - t->object_count) * sizeof(*objects));
		t->objects = objects;
		t->object_count = count;
	}
	t->objects[handle] = resource;
	return true;
}

static uint32_t object_resource(const struct access_tracker *t, uint32_t handle)
{
	return handle < t->object_count ? t->objects[handle] : 0;
}

static bool create_object(const struct walk *walk, const struct decode_command *c)
{
	switch (c->object) {
	case D3DGPU_OBJ_SAMPLER_VIEW:
	case D3DGPU_OBJ_SURFACE:
	case D3DGPU_OBJ_MSAA_SURFACE:
	case D3DGPU_OBJ_STREAMOUT_TARGET:
		visit(walk, c->payload[1], false);
		return set_object(walk->tracker, c->payload[0], c->payload[1]);
	case D3DGPU_OBJ_QUERY:
		visit(walk, c->payload[3], false);
		return true;
	default:
		return true;
	}
}

/* ---- bindings ---- */

/* The resources of a list of handles, which the command names. The rest of the array becomes empty. */
static void bind_handles(const struct walk *walk, uint32_t *bound, uint32_t slots, const uint32_t *handles,
			 uint32_t count)
{
	for (uint32_t i = 0; i < slots; i++) {
		bound[i] = i < count ? object_resource(walk->tracker, handles[i]) : 0;
		visit(walk, bound[i], false);
	}
}

/* Slots of a stage that are set by entries of `step` words, whose last is the resource. */
static void bind_slots(const struct walk *walk, uint32_t (*bound)[SLOTS], const struct decode_command *c, uint32_t step)
{
	uint32_t stage = c->payload[0], first = c->payload[1];

	for (uint32_t i = 0; stage < STAGES && (i + 1) * step <= c->length - 2 && first + i < SLOTS; i++) {
		bound[stage][first + i] = c->payload[2 + i * step + step - 1];
		visit(walk, bound[stage][first + i], false);
	}
}

static void bind_views(const struct walk *walk, const struct decode_command *c)
{
	uint32_t stage = c->payload[0], first = c->payload[1], count = c->length - 2;

	if (stage < STAGES && first < SLOTS)
		bind_handles(walk, walk->tracker->views[stage] + first, SLOTS - first, c->payload + 2, count);
}

static void bind_vertex_buffers(const struct walk *walk, const struct decode_command *c)
{
	struct access_tracker *t = walk->tracker;

	for (uint32_t i = 0; i < VERTEX_BUFFERS; i++)
		t->vertex_buffers[i] = 3 * i + 2 < c->length ? c->payload[3 * i + 2] : 0;
	visit_all(walk, t->vertex_buffers, VERTEX_BUFFERS, false);
}

static void bind_targets(const struct walk *walk, const struct decode_command *c)
{
	struct access_tracker *t = walk->tracker;

	bind_handles(walk, &t->depth, 1, c->payload + 1, 1);
	bind_handles(walk, t->targets, TARGETS, c->payload + 2, c->length - 2);
}

static void unbind_targets(struct access_tracker *t)
{
	t->depth = 0;
	memset(t->targets, 0, sizeof(t->targets));
}

/* ---- work ---- */

static void clear(const struct walk *walk, uint32_t buffers)
{
	const struct access_tracker *t = walk->tracker;

	if (buffers & (D3DGPU_CLEAR_DEPTH | D3DGPU_CLEAR_STENCIL))
		visit(walk, t->depth, true);
	for (uint32_t i = 0; i < TARGETS; i++)
		if (buffers & D3DGPU_CLEAR_COLOR(i))
			visit(walk, t->targets[i], true);
}

static void run_stage(const struct walk *walk, uint32_t stage)
{
	const struct access_tracker *t = walk->tracker;

	visit_all(walk, t->views[stage], SLOTS, false);
	visit_all(walk, t->buffers[stage], SLOTS, true);
	visit_all(walk, t->images[stage], SLOTS, true);
}

static void draw(const struct walk *walk, bool indexed)
{
	const struct access_tracker *t = walk->tracker;

	visit_all(walk, t->vertex_buffers, VERTEX_BUFFERS, false);
	if (indexed)
		visit(walk, t->index_buffer, false);
	for (uint32_t stage = 0; stage < STAGES; stage++)
		if (stage != D3DGPU_STAGE_COMPUTE)
			run_stage(walk, stage);
	visit(walk, t->depth, true);
	visit_all(walk, t->targets, TARGETS, true);
	visit_all(walk, t->stream_targets, STREAM_TARGETS, true);
}

/* Commands whose resources stand in their words */
static const struct named {
	uint32_t opcode, word;
	bool write;
} named[] = {
	{D3DGPU_CMD_RESOURCE_INLINE_WRITE, 0, true},
	{D3DGPU_CMD_CLEAR_TEXTURE, 0, true},
	{D3DGPU_CMD_RESOURCE_COPY_REGION, 0, true},
	{D3DGPU_CMD_RESOURCE_COPY_REGION, 5, false},
	{D3DGPU_CMD_BLIT, 3, true},
	{D3DGPU_CMD_BLIT, 12, false},
	{D3DGPU_CMD_GET_QUERY_RESULT_QBO, 1, true},
	{D3DGPU_CMD_SET_UNIFORM_BUFFER, 4, false},
	{D3DGPU_CMD_SET_INDEX_BUFFER, 0, false},
	{D3DGPU_CMD_TRANSFER3D, 0, true}, /* writes the object, or its linear image */
};

static void visit_named(const struct walk *walk, const struct decode_command *c)
{
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].opcode == c->opcode && named[i].word < c->length)
			visit(walk, c->payload[named[i].word], named[i].write);
}

static void copy_transfer(const struct walk *walk, const uint32_t *payload)
{
	bool read = d3dgpu_get(D3DGPU_COPY_FROM_RESOURCE, payload[13]);

	visit(walk, payload[0], !read);
	visit(walk, payload[11], read);
}

static bool follow(const struct walk *walk, const struct decode_command *c)
{
	struct access_tracker *t = walk->tracker;

	visit_named(walk, c);
	switch (c->opcode) {
	case D3DGPU_CMD_CREATE_OBJECT:
		return create_object(walk, c);
	case D3DGPU_CMD_DESTROY_OBJECT:
		return set_object(t, c->payload[0], 0);
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE:
		bind_targets(walk, c);
		return true;
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH:
		unbind_targets(t);
		return true;
	case D3DGPU_CMD_SET_VERTEX_BUFFERS:
		bind_vertex_buffers(walk, c);
		return true;
	case D3DGPU_CMD_SET_INDEX_BUFFER:
		t->index_buffer = c->payload[0];
		return true;
	case D3DGPU_CMD_SET_STREAMOUT_TARGETS:
		bind_handles(walk, t->stream_targets, STREAM_TARGETS, c->payload + 1, c->length - 1);
		return true;
	case D3DGPU_CMD_SET_SAMPLER_VIEWS:
		bind_views(walk, c);
		return true;
	case D3DGPU_CMD_SET_SHADER_BUFFERS:
		bind_slots(walk, t->buffers, c, 3);
		return true;
	case D3DGPU_CMD_SET_SHADER_IMAGES:
		bind_slots(walk, t->images, c, 5);
		return true;
	case D3DGPU_CMD_COPY_TRANSFER3D:
		copy_transfer(walk, c->payload);
		return true;
	case D3DGPU_CMD_CLEAR:
		clear(walk, c->payload[0]);
		return true;
	case D3DGPU_CMD_DRAW_VBO:
		draw(walk, c->payload[3]);
		return true;
	case D3DGPU_CMD_LAUNCH_GRID:
		run_stage(walk, D3DGPU_STAGE_COMPUTE);
		return true;
	default:
		return true;
	}
}

bool access_follow(struct access_tracker *tracker, const uint32_t *words, uint32_t count, access_visit visit,
		   void *opaque)
{
	const struct walk walk = {tracker, visit, opaque};
	struct decode_command command;
	uint32_t position = 0;

	while (decode_next(words, count, &position, &command))
		if (!follow(&walk, &command))
			return false;
	return position == count;
}
