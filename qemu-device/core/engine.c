/* SPDX-License-Identifier: MIT */
#include "engine.h"

#include <string.h>

#include "core.h"
#include "copy.h"
#include "entry.h"

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

static void forget_queue(struct core_engine *engine, struct core_context *context)
{
	unsigned waiting = context->tail - context->head;

	if (core_copy_running(context))
		engine->copying--;
	context->credits -= waiting;
	engine->unanswered -= waiting;
	context->head = context->sent = context->tail = 0;
	context->moved = 0;
}

static uint32_t create(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context = &core->engine.contexts[entry->context];

	if (context->state == CORE_CONTEXT_LIVE || context->state == CORE_CONTEXT_ENDING) {
		core_guest_error(core, D3DGPU_GUEST_ERROR_CONTEXT, "context %u is created twice", entry->context);
		return D3DGPU_FAULT_BAD_ENTRY;
	}
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
	return core_copy_takes(entry) || entry->opcode == D3DGPU_OP_NOP || !entry->context;
}

void core_engine_finish(struct d3dgpu_core *core, unsigned id)
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
	context->sent++;
	if (core_copy_takes(entry)) {
		core_copy_start(core, context);
		return false;
	}
	core_engine_finish(core, id);
	return true;
}

void core_engine_pump(struct d3dgpu_core *core, unsigned id)
{
	struct core_context *context = &core->engine.contexts[id];

	while (context->sent != context->tail && !core_copy_running(context)) {
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
	core_engine_finish(core, id);
	core_engine_pump(core, id);
	return true;
}

static uint32_t admit(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context = &core->engine.contexts[entry->context];

	if (context->credits >= CORE_ENGINE_DEPTH)
		return D3DGPU_FAULT_NO_MEMORY;
	if (!entry->context)
		return D3DGPU_FAULT_NONE;
	if (entry->opcode == D3DGPU_OP_CTX_CREATE)
		return create(core, entry);
	if (context->state == CORE_CONTEXT_LOST)
		return context->lost_status;
	if (context->state == CORE_CONTEXT_LIVE)
		return D3DGPU_FAULT_NONE;
	core_guest_error(core, D3DGPU_GUEST_ERROR_CONTEXT, "opcode %u for context %u, which is not there", entry->opcode,
			 entry->context);
	return D3DGPU_FAULT_NO_CONTEXT;
}

uint32_t core_engine_dispatch(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	struct core_context *context;
	uint32_t status;

	core_trace(core, D3DGPU_TRACE_DISPATCH, entry->context, entry->fence, entry->opcode, 0);
	if (!core_entry_check(core, entry))
		return D3DGPU_FAULT_BAD_ENTRY;
	if (entry->opcode == D3DGPU_OP_CTX_KILL)
		return kill_context(core, entry->context);
	status = admit(core, entry);
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

/* ---- reset and outside views ---- */

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
		context->moved = 0;
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
