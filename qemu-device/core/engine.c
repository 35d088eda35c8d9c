/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <string.h>

#include "core.h"

/* Bytes that the copy engine moves in one turn, under the lock: some tens of microseconds. */
#define COPY_PIECE (256u << 10)

#define OPS(opcode) (1u << (opcode))
#define OPS_ANYWHERE (OPS(D3DGPU_OP_NOP) | OPS(D3DGPU_OP_FENCE) | OPS(D3DGPU_OP_COPY))

/* Bytes of the payload that each opcode uses; the rest must be 0. */
static size_t payload_used(uint8_t opcode)
{
	const struct d3dgpu_entry *entry = NULL;

	switch (opcode) {
	case D3DGPU_OP_CTX_CREATE:
		return sizeof(entry->ctx_create);
	case D3DGPU_OP_RES_CREATE:
		return sizeof(entry->res_create);
	case D3DGPU_OP_RES_DESTROY:
		return sizeof(entry->res_destroy);
	case D3DGPU_OP_BIND_BACKING:
		return sizeof(entry->bind_backing);
	case D3DGPU_OP_EXEC:
		return sizeof(entry->exec);
	case D3DGPU_OP_FLUSH:
	case D3DGPU_OP_LOAD:
		return sizeof(entry->transfer);
	case D3DGPU_OP_COPY:
		return sizeof(entry->copy);
	default:
		return 0;
	}
}

static bool backing_good(const struct d3dgpu_core *core, uint64_t backing, uint64_t size)
{
	return !(backing % D3DGPU_RESOURCE_ALIGN) && size && core_in_vram(core, backing, size);
}

static bool name_ends(const char *name, size_t size)
{
	return memchr(name, '\0', size);
}

static bool payload_good(const struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	switch (entry->opcode) {
	case D3DGPU_OP_CTX_CREATE:
		return entry->ctx_create.priority < D3DGPU_PRIORITY_COUNT && !entry->ctx_create.reserved &&
		       name_ends(entry->ctx_create.name, sizeof(entry->ctx_create.name));
	case D3DGPU_OP_RES_CREATE:
		return entry->res_create.resource && !entry->res_create.reserved &&
		       backing_good(core, entry->res_create.backing, entry->res_create.size) &&
		       d3dgpu_resource_valid(&entry->res_create.desc) &&
		       entry->res_create.size >= d3dgpu_linear_size(&entry->res_create.desc);
	case D3DGPU_OP_RES_DESTROY:
		return entry->res_destroy.resource;
	case D3DGPU_OP_BIND_BACKING:
		return entry->bind_backing.resource && !entry->bind_backing.reserved &&
		       backing_good(core, entry->bind_backing.backing, entry->bind_backing.size);
	case D3DGPU_OP_EXEC:
		return !(entry->exec.offset % 4) && !(entry->exec.size % 4) && entry->exec.size &&
		       entry->exec.size <= D3DGPU_MAX_STREAM && !entry->exec.reserved &&
		       core_in_vram(core, entry->exec.offset, entry->exec.size);
	case D3DGPU_OP_FLUSH:
	case D3DGPU_OP_LOAD:
		return entry->transfer.resource;
	case D3DGPU_OP_COPY:
		return core_in_vram(core, entry->copy.source, entry->copy.size) &&
		       core_in_vram(core, entry->copy.destination, entry->copy.size);
	default:
		return true;
	}
}

static bool entry_good(const struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	if (entry->opcode >= D3DGPU_OP_COUNT || (entry->flags & ~D3DGPU_ENTRY_FLAGS) || entry->reserved ||
	    entry->context >= D3DGPU_MAX_CONTEXTS)
		return false;
	if (!entry->context && !(OPS(entry->opcode) & OPS_ANYWHERE))
		return false;
	for (size_t i = payload_used(entry->opcode); i < sizeof(entry->payload); i++)
		if (entry->payload[i])
			return false;
	return payload_good(core, entry);
}

/* ---- events ---- */

static void push_event(struct d3dgpu_core *core, const struct d3dgpu_engine_event *event)
{
	struct core_engine *engine = &core->engine;

	engine->events[(engine->first + engine->count) % CORE_ENGINE_EVENTS] = *event;
	engine->count++;
	core_trace(core, D3DGPU_TRACE_COMPLETE, event->context, event->fence, event->opcode, event->status);
	core_gcp_interrupt(core, D3DGPU_GCP_INT_EVENT);
}

void core_engine_pop(struct d3dgpu_core *core, struct d3dgpu_engine_event *event)
{
	struct core_engine *engine = &core->engine;
	struct core_context *context;

	memset(event, 0, sizeof(*event));
	if (!engine->count)
		return;
	*event = engine->events[engine->first];
	engine->first = (engine->first + 1) % CORE_ENGINE_EVENTS;
	engine->count--;
	context = &engine->contexts[event->context];
	if (event->type == D3DGPU_EVENT_CONTEXT_LOST)
		context->loss_unread = false;
	else
		context->credits--;
}

/* ---- contexts ---- */

/* A COPY that was started and is not done. Nothing behind it may start. */
static bool copy_running(const struct core_context *context)
{
	return context->sent != context->head &&
	       context->queue[(context->sent - 1) % CORE_ENGINE_DEPTH].opcode == D3DGPU_OP_COPY;
}

static void forget_queue(struct core_engine *engine, struct core_context *context)
{
	unsigned waiting = context->tail - context->head;

	if (copy_running(context))
		engine->copying--;
	context->credits -= waiting;
	engine->unanswered -= waiting;
	context->head = context->sent = context->tail = 0;
	context->copied = 0;
}

static uint32_t create(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context = &core->engine.contexts[entry->context];

	if (context->state == CORE_CONTEXT_LIVE || context->state == CORE_CONTEXT_ENDING)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (context->loss_unread) /* a death must be heard of before a new life */
		return context->lost_status;
	context->state = CORE_CONTEXT_LIVE;
	context->lost_status = D3DGPU_FAULT_NONE;
	context->worker = NULL;
	if (core_workers_assign(core, entry->context))
		return D3DGPU_FAULT_NONE;
	context->state = CORE_CONTEXT_NONE;
	return D3DGPU_FAULT_NO_WORKER;
}

void core_engine_lose(struct d3dgpu_core *core, unsigned id, uint32_t status, uint32_t info)
{
	struct core_context *context = &core->engine.contexts[id];
	struct d3dgpu_engine_event event = {
		.type = D3DGPU_EVENT_CONTEXT_LOST, .context = id, .status = status, .info = info};

	if (context->head != context->tail) {
		const struct d3dgpu_entry *guilty = &context->queue[context->head % CORE_ENGINE_DEPTH];

		event.fence = guilty->fence;
		event.opcode = guilty->opcode;
	}
	forget_queue(&core->engine, context);
	context->state = CORE_CONTEXT_LOST;
	context->lost_status = status;
	context->loss_unread = true;
	if (context->worker) {
		core_worker_end(core, context->worker, true);
		context->worker = NULL;
	}
	core_log(core, D3DGPU_LOG_INFO, "context %u is lost: fault %u, detail %u", id, status, info);
	push_event(core, &event);
}

/* CTX_KILL has no answer of its own: the loss is its answer. */
static uint32_t kill_context(struct d3dgpu_core *core, unsigned id)
{
	struct core_context *context = &core->engine.contexts[id];

	if (context->state != CORE_CONTEXT_LIVE && context->state != CORE_CONTEXT_ENDING)
		return D3DGPU_FAULT_NO_CONTEXT;
	core_engine_lose(core, id, D3DGPU_FAULT_HANG, 0);
	return D3DGPU_FAULT_NONE;
}

/* ---- the queue ---- */

static bool is_local(const struct d3dgpu_entry *entry)
{
	return entry->opcode == D3DGPU_OP_COPY || entry->opcode == D3DGPU_OP_NOP || !entry->context;
}

static void finish(struct d3dgpu_core *core, unsigned id)
{
	struct core_context *context = &core->engine.contexts[id];
	const struct d3dgpu_entry *entry = &context->queue[context->head % CORE_ENGINE_DEPTH];
	struct d3dgpu_engine_event event = {
		.type = D3DGPU_EVENT_DONE, .context = id, .fence = entry->fence, .opcode = entry->opcode};

	context->head++;
	core->engine.unanswered--;
	if (entry->opcode == D3DGPU_OP_CTX_DESTROY) {
		context->state = CORE_CONTEXT_NONE;
		if (context->worker)
			core_worker_end(core, context->worker, false);
		context->worker = NULL;
	}
	push_event(core, &event);
}

/* Executes what needs no worker once it has come to the head. Returns whether the queue can go on. */
static bool execute_local(struct d3dgpu_core *core, unsigned id)
{
	struct core_context *context = &core->engine.contexts[id];
	const struct d3dgpu_entry *entry = &context->queue[context->sent % CORE_ENGINE_DEPTH];

	if (context->sent != context->head)
		return false;
	if (entry->opcode == D3DGPU_OP_COPY && entry->copy.size && entry->copy.source != entry->copy.destination) {
		core->engine.copying++;
		context->sent++;
		context->copied = 0;
		core_thread_kick(core);
		return false;
	}
	context->sent++;
	finish(core, id);
	return true;
}

void core_engine_pump(struct d3dgpu_core *core, unsigned id)
{
	struct core_context *context = &core->engine.contexts[id];

	while (context->sent != context->tail && !copy_running(context)) {
		const struct d3dgpu_entry *entry = &context->queue[context->sent % CORE_ENGINE_DEPTH];
		int sent;

		if (is_local(entry)) {
			if (!execute_local(core, id))
				return;
			continue;
		}
		if (!context->worker) /* a manager owes us one */
			return;
		sent = core_worker_send(core, context->worker, entry);
		if (sent < 0)
			core_engine_lose(core, id, D3DGPU_FAULT_WORKER_DIED, (uint32_t)-sent);
		if (sent <= 0)
			return;
		context->sent++;
	}
}

bool core_engine_waits(const struct d3dgpu_core *core, unsigned id)
{
	return core->engine.contexts[id].sent != core->engine.contexts[id].head;
}

bool core_engine_answer(struct d3dgpu_core *core, unsigned id, const struct worker_done *done)
{
	struct core_context *context = &core->engine.contexts[id];
	const struct d3dgpu_entry *entry = &context->queue[context->head % CORE_ENGINE_DEPTH];

	if (context->sent == context->head || is_local(entry) || done->fence != entry->fence ||
	    done->opcode != entry->opcode || done->status > D3DGPU_FAULT_RESET)
		return false;
	if (done->status) {
		core_engine_lose(core, id, done->status, done->info);
		return true;
	}
	finish(core, id);
	core_engine_pump(core, id);
	return true;
}

static uint32_t admit(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context = &core->engine.contexts[entry->context];

	if (!entry_good(core, entry))
		return D3DGPU_FAULT_BAD_ENTRY;
	if (context->credits >= CORE_ENGINE_DEPTH)
		return D3DGPU_FAULT_NO_MEMORY;
	if (!entry->context)
		return D3DGPU_FAULT_NONE;
	if (entry->opcode == D3DGPU_OP_CTX_CREATE)
		return create(core, entry);
	if (context->state == CORE_CONTEXT_LOST)
		return context->lost_status;
	return context->state == CORE_CONTEXT_LIVE ? D3DGPU_FAULT_NONE : D3DGPU_FAULT_NO_CONTEXT;
}

uint32_t core_engine_dispatch(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context;
	uint32_t status;

	core_trace(core, D3DGPU_TRACE_DISPATCH, entry->context, entry->fence, entry->opcode, 0);
	if (entry->opcode == D3DGPU_OP_CTX_KILL)
		return entry_good(core, entry) ? kill_context(core, entry->context) : D3DGPU_FAULT_BAD_ENTRY;
	status = admit(core, entry);
	if (status == D3DGPU_FAULT_BAD_ENTRY)
		core_guest_error(core, D3DGPU_GUEST_ERROR_ENTRY, "context %u: bad entry, opcode %u", entry->context,
				 entry->opcode);
	if (status)
		return status;
	context = &core->engine.contexts[entry->context];
	context->queue[context->tail++ % CORE_ENGINE_DEPTH] = *entry;
	context->credits++;
	core->engine.unanswered++;
	if (entry->opcode == D3DGPU_OP_CTX_DESTROY)
		context->state = CORE_CONTEXT_ENDING;
	core_engine_pump(core, entry->context);
	return D3DGPU_FAULT_NONE;
}

/* ---- the copy engine ---- */

/* Moves the next piece. Overlapping ranges behave as if all were read first: upward moves go from the end down. */
static bool copy_piece(struct d3dgpu_core *core, struct core_context *context)
{
	const struct d3dgpu_entry *entry = &context->queue[context->head % CORE_ENGINE_DEPTH];
	uint64_t left = entry->copy.size - context->copied;
	uint64_t piece = left < COPY_PIECE ? left : COPY_PIECE;
	uint64_t at = entry->copy.destination > entry->copy.source ? left - piece : context->copied;

	memmove(core->vram + entry->copy.destination + at, core->vram + entry->copy.source + at, piece);
	context->copied += piece;
	return context->copied == entry->copy.size;
}

bool core_engine_copy(struct d3dgpu_core *core)
{
	struct core_engine *engine = &core->engine;

	for (unsigned tries = 0; engine->copying && tries < D3DGPU_MAX_CONTEXTS; tries++) {
		unsigned id = engine->copy_turn++ % D3DGPU_MAX_CONTEXTS;
		struct core_context *context = &engine->contexts[id];

		if (!copy_running(context))
			continue;
		if (copy_piece(core, context)) {
			context->copied = 0;
			engine->copying--;
			finish(core, id);
			core_engine_pump(core, id);
		}
		break;
	}
	return engine->copying;
}

void core_engine_reset(struct d3dgpu_core *core)
{
	for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS; id++) {
		struct core_context *context = &core->engine.contexts[id];

		if (context->worker)
			core_worker_end(core, context->worker, true);
		context->worker = NULL;
		context->state = CORE_CONTEXT_NONE;
		context->lost_status = D3DGPU_FAULT_NONE;
		context->loss_unread = false;
		context->credits = context->head = context->sent = context->tail = 0;
		context->copied = 0;
	}
	core->engine.first = core->engine.count = core->engine.unanswered = 0;
	core->engine.copying = core->engine.copy_turn = 0;
}

unsigned d3dgpu_core_contexts(struct d3dgpu_core *core)
{
	unsigned count = 0;

	core_lock(core);
	for (unsigned id = 1; id < D3DGPU_MAX_CONTEXTS; id++)
		if (core->engine.contexts[id].state == CORE_CONTEXT_LIVE ||
		    core->engine.contexts[id].state == CORE_CONTEXT_ENDING)
			count++;
	core_unlock(core);
	return count;
}

int d3dgpu_core_worker_pid(struct d3dgpu_core *core, unsigned context)
{
	int pid = -1;

	if (!context || context >= D3DGPU_MAX_CONTEXTS)
		return -1;
	core_lock(core);
	if (core->engine.contexts[context].worker)
		pid = core->engine.contexts[context].worker->pid;
	core_unlock(core);
	return pid;
}
