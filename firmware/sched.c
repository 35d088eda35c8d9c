/* SPDX-License-Identifier: MIT */
#include "sched.h"

#include "fence.h"
#include "log.h"
#include "turn.h"

#define NOBODY 0xffffu
#define NEVER UINT64_MAX

static uint16_t first_ready, last_ready;	/* contexts to be looked at, in the order in which something happened to them */
static uint32_t engines_busy;	/* entries that engines have, all contexts */
static uint64_t hang_look;	/* device time of the next look for hangs */
static uint64_t alarm;		/* device time for which the alarm is armed */

static uint32_t context_id(const struct context *context)
{
	return (uint32_t)(context - context_get(0));
}

void sched_init(void)
{
	contexts_init();
	turns_init();
	first_ready = NOBODY;
	engines_busy = 0;
	hang_look = alarm = NEVER;
}

/* Whether the context's oldest entry can leave the queue now, as far as the context itself is concerned. */
static bool can_leave(const struct context *context)
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
	if (context->inflight_count == ENGINE_DEPTH)
		return false;
	newest = &context->inflight[(context->inflight_first + context->inflight_count - 1) % ENGINE_DEPTH];
	return newest->opcode != D3DGPU_OP_CTX_CREATE && newest->opcode != D3DGPU_OP_CTX_DESTROY;
}

/* Something happened to the context: it will be looked at. */
static void make_ready(struct context *context)
{
	uint16_t id = (uint16_t)context_id(context);

	if (context->ready)
		return;
	context->ready = true;
	context->next_ready = NOBODY;
	if (first_ready == NOBODY)
		first_ready = id;
	else
		context_get(last_ready)->next_ready = id;
	last_ready = id;
}

static struct context *take_ready(void)
{
	struct context *context;

	if (first_ready == NOBODY)
		return NULL;
	context = context_get(first_ready);
	first_ready = context->next_ready;
	context->ready = false;
	return context;
}

/* ---- loss ---- */

/* The oldest entry that the engine has leaves. The next one's time begins: until now it may only have waited. */
static struct inflight take_inflight(struct context *context)
{
	struct inflight entry = context->inflight[context->inflight_first];
	uint64_t now = device_time();

	context->inflight_first = (uint8_t)((context->inflight_first + 1) % ENGINE_DEPTH);
	context->inflight_count--;
	engines_busy--;
	if (context->inflight_count)
		context->inflight[context->inflight_first].since = now;
	if (entry.opcode != D3DGPU_OP_CTX_CREATE)
		turn_charge(context, now - entry.since);
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
 * The context's entries complete from now on without an engine. Only a destruction that the engine has already waits until
 * the worker is dead, as one that comes later does.
 */
static void give_up(struct context *context, uint32_t code)
{
	context->state = CONTEXT_LOST;
	context->status = code;
	while (context->inflight_count && context->inflight[context->inflight_first].opcode != D3DGPU_OP_CTX_DESTROY) {
		struct inflight entry = take_inflight(context);

		fence_complete(context_id(context), entry.fence, entry.flags, entry.ring);
	}
	make_ready(context);
}

/* A fault. The first entry that did not complete is the guilty one. */
static void lose(struct context *context, uint32_t code, uint64_t fence, uint32_t info, uint8_t opcode)
{
	if (context->state != CONTEXT_LIVE)
		return;
	fence_fault(context_id(context), code, fence, info, opcode);
	if (context_id(context))
		give_up(context, code);
}

static void kill_worker(struct context *context)
{
	struct d3dgpu_entry kill = { .opcode = D3DGPU_OP_CTX_KILL, .context = (uint16_t)context_id(context) };

	if (context->engine_alive && !context->killing)
		context->killing = !port_dispatch(&kill);
}

/* Whatever the context has, queued or in its engine, is not wanted any more. No fault: the kernel wishes it. */
static void end_now(struct context *context)
{
	const struct d3dgpu_entry *waiting;
	uint8_t ring;

	if (context->state != CONTEXT_LIVE)
		return;
	waiting = context_peek(context, &ring);
	if (context->inflight_count)
		fence_lost(context_id(context), D3DGPU_FAULT_ENDED, context->inflight[context->inflight_first].fence);
	else if (waiting)
		fence_lost(context_id(context), D3DGPU_FAULT_ENDED, waiting->fence);
	give_up(context, D3DGPU_FAULT_ENDED);
	kill_worker(context);
}

/* ---- submission ---- */

static bool ends_now(const struct d3dgpu_entry *entry)
{
	return entry->opcode == D3DGPU_OP_CTX_DESTROY && entry->ctx_destroy.flags & D3DGPU_DESTROY_NOW;
}

static bool well_formed(const struct d3dgpu_entry *entry, uint8_t ring)
{
	if (entry->opcode >= D3DGPU_OP_CTX_KILL || entry->flags & ~D3DGPU_ENTRY_FLAGS || entry->reserved)
		return false;
	if (entry->context >= D3DGPU_MAX_CONTEXTS)
		return false;
	if (entry->context)
		return ring != D3DGPU_PAGING_RING || ends_now(entry);
	return entry->opcode == D3DGPU_OP_NOP || entry->opcode == D3DGPU_OP_FENCE || entry->opcode == D3DGPU_OP_COPY ||
	       entry->opcode == D3DGPU_OP_FILL;
}

bool sched_submit(const struct d3dgpu_entry *entry, uint8_t ring)
{
	struct context *context;

	if (!well_formed(entry, ring)) {
		fence_fault(0, D3DGPU_FAULT_BAD_ENTRY, entry->fence, entry->context, entry->opcode);
		return true;
	}
	context = context_get(entry->context);
	if (ends_now(entry)) { /* it does not wait for room in what it ends */
		end_now(context);
		context->ending++;
	} else if (!context_has_room(context)) {
		return false;
	}
	context_push(context, ring);
	make_ready(context);
	return true;
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
	if (context->ending) { /* it is to end before it has begun */
		fence_lost(context_id(context), D3DGPU_FAULT_ENDED, entry->fence);
		give_up(context, D3DGPU_FAULT_ENDED);
		return false;
	}
	context->state = CONTEXT_LIVE;
	context->status = D3DGPU_FAULT_NONE;
	context->killing = false;
	turn_begin(context, entry->ctx_create.priority);
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

/*
 * Whether the entry can go without a turn: what needs no engine, what is the device's own, and the start of an engine, which
 * may take its time.
 */
static bool needs_no_turn(const struct context *context, const struct d3dgpu_entry *entry)
{
	return !context_id(context) || entry->opcode == D3DGPU_OP_CTX_CREATE || needs_no_engine(context, entry);
}

/* The oldest entry leaves the queue. */
static void run_one(struct context *context)
{
	uint8_t ring;
	const struct d3dgpu_entry *entry = context_peek(context, &ring);

	context->ending -= ends_now(entry);
	if (entry->opcode == D3DGPU_OP_CTX_CREATE && !begin_context(context, entry))
		fence_complete(entry->context, entry->fence, entry->flags, ring);
	else if (needs_no_engine(context, entry))
		complete_without_engine(context, entry, ring);
	else
		dispatch(context, entry, ring);
	context_pop(context);
}

/* All entries that can leave the queue now. */
static void serve(struct context *context)
{
	uint8_t ring;

	while (can_leave(context)) {
		if (!needs_no_turn(context, context_peek(context, &ring)) && !turn_may_dispatch(context))
			return;
		run_one(context);
	}
	if (!context->inflight_count)
		turn_leave(context);
}

void sched_dispatch(void)
{
	struct context *context;

	do {
		while ((context = take_ready()))
			serve(context);
		while ((context = turn_next()))
			serve(context);
	} while (first_ready != NOBODY);
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
	make_ready(context);
}

/* ---- hang watch ---- */

static uint64_t timeout(void)
{
	return (uint64_t)port_read(D3DGPU_GCP_HANG_TIMEOUT) * 1000000u;
}

void sched_arm(void)
{
	uint64_t at = turn_deadline(), limit;

	if (hang_look == NEVER && engines_busy && (limit = timeout()))
		hang_look = device_time() + limit / 4;
	if (hang_look < at)
		at = hang_look;
	if (at >= alarm) /* an alarm that comes too early only looks again */
		return;
	port_write(D3DGPU_GCP_ALARM_LO, (uint32_t)at);
	port_write(D3DGPU_GCP_ALARM_HI, (uint32_t)(at >> 32));
	alarm = at;
}

void sched_watch(void)
{
	uint64_t limit = timeout(), now = device_time();

	alarm = NEVER;
	if (now < hang_look)
		return;
	hang_look = NEVER;
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
