/* SPDX-License-Identifier: MIT */
#include "sched.h"

#include "fence.h"
#include "log.h"

#define NO_CONTEXT 0xffffu

/* Contexts that can dispatch, in the order of their turns. */
struct run_queue {
	uint16_t first, last;
};

static struct run_queue run_queues[D3DGPU_PRIORITY_COUNT];
static uint32_t engines_busy;	/* entries that engines have, all contexts */
static bool alarm_armed;

static uint32_t context_id(const struct context *context)
{
	return (uint32_t)(context - context_get(0));
}

void sched_init(void)
{
	contexts_init();
	for (unsigned i = 0; i < D3DGPU_PRIORITY_COUNT; i++)
		run_queues[i].first = NO_CONTEXT;
	engines_busy = 0;
	alarm_armed = false;
}

/* An entry of the copy engine, or of context 0, is not ordered by a worker: it runs alone. */
static bool runs_alone(const struct d3dgpu_entry *entry)
{
	return entry->opcode == D3DGPU_OP_COPY;
}

/* Whether the context's oldest entry can leave the queue now. */
static bool can_dispatch(const struct context *context)
{
	const struct inflight *newest;
	const struct d3dgpu_entry *entry;
	uint8_t ring;

	entry = context_peek(context, &ring);
	if (!entry)
		return false;
	if (context->state != CONTEXT_LIVE) /* completes without an engine, but a death must be reported before a new life */
		return !context->engine_alive || (entry->opcode != D3DGPU_OP_CTX_DESTROY && entry->opcode != D3DGPU_OP_CTX_CREATE);
	if (!context->inflight_count)
		return true;
	if (context->inflight_count == ENGINE_DEPTH || runs_alone(entry))
		return false;
	newest = &context->inflight[(context->inflight_first + context->inflight_count - 1) % ENGINE_DEPTH];
	return newest->opcode != D3DGPU_OP_COPY && newest->opcode != D3DGPU_OP_CTX_DESTROY;
}

/* Puts the context at the end of its run queue if it can dispatch and is not there. */
static void make_runnable(struct context *context)
{
	struct run_queue *queue = &run_queues[context->priority];
	uint16_t id = (uint16_t)context_id(context);

	if (context->runnable || !can_dispatch(context))
		return;
	context->runnable = true;
	context->next = NO_CONTEXT;
	if (queue->first == NO_CONTEXT)
		queue->first = id;
	else
		context_get(queue->last)->next = id;
	queue->last = id;
}

static struct context *take_runnable(void)
{
	for (int priority = D3DGPU_PRIORITY_COUNT - 1; priority >= 0; priority--) {
		struct run_queue *queue = &run_queues[priority];
		struct context *context;

		if (queue->first == NO_CONTEXT)
			continue;
		context = context_get(queue->first);
		queue->first = context->next;
		context->runnable = false;
		return context;
	}
	return NULL;
}

static bool well_formed(const struct d3dgpu_entry *entry)
{
	if (entry->opcode >= D3DGPU_OP_CTX_KILL || entry->flags & ~D3DGPU_ENTRY_FLAGS || entry->reserved)
		return false;
	if (entry->context >= D3DGPU_MAX_CONTEXTS)
		return false;
	return entry->context || entry->opcode == D3DGPU_OP_NOP || entry->opcode == D3DGPU_OP_FENCE ||
	       entry->opcode == D3DGPU_OP_COPY;
}

bool sched_submit(const struct d3dgpu_entry *entry, uint8_t ring)
{
	struct context *context;

	if (!well_formed(entry)) {
		fence_fault(0, D3DGPU_FAULT_BAD_ENTRY, entry->fence, entry->context, entry->opcode);
		return true;
	}
	context = context_get(entry->context);
	if (!context_has_room(context))
		return false;
	context_push(context, ring);
	make_runnable(context);
	return true;
}

/* ---- loss ---- */

/* The oldest entry that the engine has leaves. The next one's time begins: until now it may only have waited. */
static struct inflight take_inflight(struct context *context)
{
	struct inflight entry = context->inflight[context->inflight_first];

	context->inflight_first = (uint8_t)((context->inflight_first + 1) % ENGINE_DEPTH);
	context->inflight_count--;
	engines_busy--;
	if (context->inflight_count)
		context->inflight[context->inflight_first].since = device_time();
	return entry;
}

/* The engine has nothing of the context any more, and the destruction that it had, always the newest entry, is done. */
static void end_context(struct context *context)
{
	struct inflight entry = take_inflight(context);

	context->engine_alive = false;
	context->killing = false;
	context->state = CONTEXT_FREE;
	fence_complete(context_id(context), entry.fence, entry.flags, entry.ring);
}

/*
 * The context's entries complete from now on without an engine. The first that did not complete is the guilty one. Only a
 * destruction that the engine has already waits until the worker is dead, as one that comes later does.
 */
static void lose(struct context *context, uint32_t code, uint64_t fence, uint32_t info, uint8_t opcode)
{
	uint32_t id = context_id(context);

	if (context->state != CONTEXT_LIVE)
		return;
	fence_fault(id, code, fence, info, opcode);
	if (!id)
		return;
	context->state = CONTEXT_LOST;
	context->status = code;
	while (context->inflight_count && context->inflight[context->inflight_first].opcode != D3DGPU_OP_CTX_DESTROY) {
		struct inflight entry = take_inflight(context);

		fence_complete(id, entry.fence, entry.flags, entry.ring);
	}
	make_runnable(context);
}

static void kill_worker(struct context *context)
{
	struct d3dgpu_entry kill = { .opcode = D3DGPU_OP_CTX_KILL, .context = (uint16_t)context_id(context) };

	if (context->engine_alive && !context->killing)
		context->killing = !port_dispatch(&kill);
}

/* ---- dispatch ---- */

/* Entries that the firmware answers itself: of contexts that are not alive, and those that do nothing. */
static void complete_without_engine(struct context *context, const struct d3dgpu_entry *entry, uint8_t ring)
{
	uint32_t id = context_id(context);

	if (context->state == CONTEXT_FREE)
		fence_fault(id, D3DGPU_FAULT_NO_CONTEXT, entry->fence, 0, entry->opcode);
	fence_complete(id, entry->fence, entry->flags, ring);
	if (entry->opcode == D3DGPU_OP_CTX_DESTROY)
		context->state = CONTEXT_FREE;
}

static bool begin_context(struct context *context, const struct d3dgpu_entry *entry)
{
	if (context->state != CONTEXT_FREE) {
		lose(context, D3DGPU_FAULT_BAD_ENTRY, entry->fence, 0, entry->opcode);
		kill_worker(context);
		return false;
	}
	fence_reset(context_id(context));
	context->state = CONTEXT_LIVE;
	context->priority = (uint8_t)(entry->ctx_create.priority < D3DGPU_PRIORITY_COUNT ? entry->ctx_create.priority
											 : D3DGPU_PRIORITY_NORMAL);
	context->status = D3DGPU_FAULT_NONE;
	context->killing = false;
	return true;
}

static void dispatch(struct context *context, const struct d3dgpu_entry *entry, uint8_t ring)
{
	uint32_t status = port_dispatch(entry);

	if (status) {
		lose(context, status, entry->fence, 0, entry->opcode);
		kill_worker(context);
		fence_complete(context_id(context), entry->fence, entry->flags, ring);
		return;
	}
	if (entry->opcode == D3DGPU_OP_CTX_CREATE)
		context->engine_alive = true;
	if (entry->opcode == D3DGPU_OP_EXEC)
		counters.stream_bytes += entry->exec.size;
	context->inflight[(context->inflight_first + context->inflight_count++) % ENGINE_DEPTH] = (struct inflight){
		.fence = entry->fence, .since = device_time(), .opcode = entry->opcode, .flags = entry->flags, .ring = ring };
	engines_busy++;
	counters.dispatches++;
}

static bool needs_no_engine(const struct context *context, const struct d3dgpu_entry *entry)
{
	if (context->state != CONTEXT_LIVE)
		return true;
	return !context->inflight_count && (entry->opcode == D3DGPU_OP_NOP || entry->opcode == D3DGPU_OP_FENCE);
}

static void run_one(struct context *context)
{
	uint8_t ring;
	const struct d3dgpu_entry *entry = context_peek(context, &ring);

	if (entry->opcode == D3DGPU_OP_CTX_CREATE && !begin_context(context, entry))
		fence_complete(entry->context, entry->fence, entry->flags, ring);
	else if (needs_no_engine(context, entry))
		complete_without_engine(context, entry, ring);
	else
		dispatch(context, entry, ring);
	context_pop(context);
	make_runnable(context);
}

void sched_dispatch(void)
{
	struct context *context;

	while ((context = take_runnable()))
		if (can_dispatch(context)) /* it may have been lost since it was queued */
			run_one(context);
}

/* ---- events ---- */

static void engine_done(struct context *context, const struct d3dgpu_engine_event *event)
{
	uint32_t id = context_id(context);
	struct inflight entry;

	if (!context->inflight_count || (context->state == CONTEXT_LOST && event->opcode != D3DGPU_OP_CTX_DESTROY))
		return; /* it was lost meanwhile */
	entry = context->inflight[context->inflight_first];
	if (event->status) {
		lose(context, event->status, entry.fence, event->info, entry.opcode);
		if (context->state == CONTEXT_LOST) {
			kill_worker(context);
			return;
		}
	}
	if (entry.opcode == D3DGPU_OP_CTX_DESTROY) {
		end_context(context);
		return;
	}
	take_inflight(context);
	fence_complete(id, entry.fence, entry.flags, entry.ring);
}

void sched_event(const struct d3dgpu_engine_event *event)
{
	struct context *context;

	if (event->context >= D3DGPU_MAX_CONTEXTS)
		return;
	context = context_get(event->context);
	counters.completions++;
	if (event->type == D3DGPU_EVENT_DONE) {
		engine_done(context, event);
	} else if (event->type == D3DGPU_EVENT_CONTEXT_LOST) {
		lose(context, event->status ? event->status : D3DGPU_FAULT_WORKER_DIED,
		     context->inflight_count ? context->inflight[context->inflight_first].fence : context->done + 1,
		     event->info, context->inflight_count ? context->inflight[context->inflight_first].opcode : 0);
		context->engine_alive = false;
		context->killing = false;
		if (context->inflight_count)
			end_context(context);
	}
	make_runnable(context);
}

/* ---- hang watch ---- */

static uint64_t timeout(void)
{
	return (uint64_t)port_read(D3DGPU_GCP_HANG_TIMEOUT) * 1000000u;
}

void sched_arm(void)
{
	uint64_t limit, alarm;

	if (alarm_armed || !engines_busy)
		return;
	limit = timeout();
	if (!limit)
		return;
	alarm = device_time() + limit / 4;
	port_write(D3DGPU_GCP_ALARM_LO, (uint32_t)alarm);
	port_write(D3DGPU_GCP_ALARM_HI, (uint32_t)(alarm >> 32));
	alarm_armed = true;
}

void sched_watch(void)
{
	uint64_t limit = timeout(), now = device_time();

	alarm_armed = false;
	for (uint32_t id = 1; limit && id < D3DGPU_MAX_CONTEXTS; id++) {
		struct context *context = context_get(id);
		struct inflight *oldest = &context->inflight[context->inflight_first];

		if (!context->inflight_count || now - oldest->since < limit)
			continue;
		log_line("context %u: no answer for %u ms", id, (unsigned)port_read(D3DGPU_GCP_HANG_TIMEOUT));
		lose(context, D3DGPU_FAULT_HANG, oldest->fence, 0, oldest->opcode);
		kill_worker(context);
	}
}
