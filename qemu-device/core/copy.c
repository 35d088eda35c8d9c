/* SPDX-License-Identifier: MIT */
#include "copy.h"

#include <string.h>

#include "core.h"

/* Bytes of one turn, under the lock: some tens of microseconds, some hundreds where VRAM has never been touched. */
#define PIECE (256u << 10)

bool core_copy_takes(const struct d3dgpu_entry *entry)
{
	switch (entry->opcode) {
	case D3DGPU_OP_COPY:
		return entry->copy.size && entry->copy.source != entry->copy.destination;
	case D3DGPU_OP_FILL:
		return entry->fill.size;
	default:
		return false;
	}
}

bool core_copy_running(const struct core_context *context)
{
	return context->sent != context->head &&
	       core_copy_takes(&context->queue[(context->sent - 1) % CORE_ENGINE_DEPTH]);
}

void core_copy_start(struct d3dgpu_core *core, struct core_context *context)
{
	context->moved = 0;
	core->engine.copying++;
	core_thread_kick(core);
}

/* Overlapping ranges behave as if all were read first: upward moves go from the end down. */
static void copy_piece(struct d3dgpu_core *core, const struct d3dgpu_entry *entry, uint64_t moved, uint64_t piece)
{
	bool upwards = entry->copy.destination > entry->copy.source;
	uint64_t at = upwards ? entry->copy.size - moved - piece : moved;

	memmove(core->vram + entry->copy.destination + at, core->vram + entry->copy.source + at, piece);
}

static void fill_piece(struct d3dgpu_core *core, const struct d3dgpu_entry *entry, uint64_t moved, uint64_t piece)
{
	uint32_t *words = (uint32_t *)(core->vram + entry->fill.offset + moved), value = entry->fill.value;

	for (uint64_t i = 0; i < piece / sizeof(*words); i++)
		words[i] = value;
}

/* Returns whether it was the last piece. */
static bool do_piece(struct d3dgpu_core *core, struct core_context *context)
{
	const struct d3dgpu_entry *entry = &context->queue[context->head % CORE_ENGINE_DEPTH];
	bool is_fill = entry->opcode == D3DGPU_OP_FILL;
	uint64_t size = is_fill ? entry->fill.size : entry->copy.size, left = size - context->moved;
	uint64_t piece = left < PIECE ? left : PIECE;

	if (is_fill)
		fill_piece(core, entry, context->moved, piece);
	else
		copy_piece(core, entry, context->moved, piece);
	context->moved += piece;
	return context->moved == size;
}

bool core_copy_run(struct d3dgpu_core *core)
{
	struct core_engine *engine = &core->engine;

	for (unsigned tries = 0; engine->copying && tries < D3DGPU_MAX_CONTEXTS; tries++) {
		unsigned id = engine->copy_turn++ % D3DGPU_MAX_CONTEXTS;
		struct core_context *context = &engine->contexts[id];

		if (!core_copy_running(context))
			continue;
		if (do_piece(core, context)) {
			context->moved = 0;
			engine->copying--;
			core_engine_finish(core, id);
			core_engine_pump(core, id);
		}
		break;
	}
	return engine->copying;
}
