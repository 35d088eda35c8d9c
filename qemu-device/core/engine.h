/* SPDX-License-Identifier: MIT */
/*
 * The engine port: what stands behind the firmware's DISPATCH and EVENT registers. Each context has a short queue of
 * dispatched entries, which are executed and answered in order: most by the context's worker, COPY and FILL by the copy engine (copy.h).
 * Context 0 has no worker.
 *
 * Everything is bounded: a context holds at most CORE_ENGINE_DEPTH entries and unread answers, and one loss.
 */
#ifndef D3DGPU_CORE_ENGINE_H
#define D3DGPU_CORE_ENGINE_H

#include "d3dgpu_core.h"
#include "protocol.h"

#define CORE_ENGINE_DEPTH 16u		/* dispatched entries and unread events of one context */
#define CORE_ENGINE_EVENTS (D3DGPU_MAX_CONTEXTS * (CORE_ENGINE_DEPTH + 1))

enum core_context_state {
	CORE_CONTEXT_NONE,
	CORE_CONTEXT_LIVE,
	CORE_CONTEXT_ENDING,		/* CTX_DESTROY was dispatched */
	CORE_CONTEXT_LOST,
};

struct core_worker;

struct core_context {
	enum core_context_state state;
	uint32_t lost_status;		/* enum d3dgpu_fault, when lost */
	bool loss_unread;		/* its CONTEXT_LOST is still in the event queue */
	unsigned credits;		/* entries in the queue, and their events that have not been read */
	struct core_worker *worker;	/* NULL: waits for one (or context 0) */
	/* entries head..tail are unanswered, head..sent are being executed; indices run freely */
	unsigned head, sent, tail;
	uint64_t moved;			/* bytes that the COPY or FILL at the head has done */
	struct d3dgpu_entry queue[CORE_ENGINE_DEPTH];
};

struct core_engine {
	struct core_context contexts[D3DGPU_MAX_CONTEXTS];
	struct d3dgpu_engine_event events[CORE_ENGINE_EVENTS];
	unsigned first, count;		/* of events */
	unsigned unanswered;		/* entries, all contexts */
	unsigned copying;		/* contexts whose COPY or FILL is under way */
	unsigned copy_turn;		/* whose turn it is */
};

/* Ends all contexts without a word, forgets all entries and events. */
void core_engine_reset(struct d3dgpu_core *core);
/* Takes a copy of the entry. Returns D3DGPU_FAULT_NONE, or why it is refused. */
uint32_t core_engine_dispatch(struct d3dgpu_core *core, const struct d3dgpu_entry *entry);
/* Takes the oldest event; zeros when there is none. */
void core_engine_pop(struct d3dgpu_core *core, struct d3dgpu_engine_event *event);

/* A worker's answer. false: nothing was asked that this answers. */
bool core_engine_answer(struct d3dgpu_core *core, unsigned context, const struct worker_done *done);
/* Whether the context's worker owes an answer. */
bool core_engine_waits(const struct d3dgpu_core *core, unsigned context);
/* The context is lost: one event, its entries are forgotten, its worker ends. */
void core_engine_lose(struct d3dgpu_core *core, unsigned context, uint32_t status, uint32_t info);
/* Gives the worker what it can take; executes what needs none. */
void core_engine_pump(struct d3dgpu_core *core, unsigned context);
/* The context's oldest entry is done: one event. core_engine_pump() should follow. */
void core_engine_finish(struct d3dgpu_core *core, unsigned context);

#endif
