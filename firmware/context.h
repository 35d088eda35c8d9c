/* SPDX-License-Identifier: MIT */
/*
 * GPU contexts as the firmware keeps them: a queue of entries that wait for their engine, and a short list of those that
 * the engine has. Entries live in a pool that all contexts share.
 */
#ifndef D3DGPU_FIRMWARE_CONTEXT_H
#define D3DGPU_FIRMWARE_CONTEXT_H

#include "port.h"

#define QUEUE_POOL 3072			/* entries waiting in all contexts together */
#define PAGING_RESERVE 64		/* of them for the paging ring alone */
#define CONTEXT_QUEUE 512		/* and in one: a greedy context stops its ring, not the pool */
#define ENGINE_DEPTH 8			/* entries of one context that its engine may have at once */

enum context_state {
	CONTEXT_FREE,			/* no such context */
	CONTEXT_LIVE,
	CONTEXT_LOST,			/* faulted: its entries complete at once with its status */
};

enum turn_place {
	TURN_NONE,
	TURN_WAITING,			/* for an engine slot */
	TURN_RUNNING,			/* has one */
	TURN_OVERRUN,			/* had one; its engine has not run dry in time, the slot was handed on */
};

/* What is remembered of an entry that an engine has. */
struct inflight {
	uint64_t fence;
	uint64_t since;			/* device time from which it can have been worked on, nanoseconds */
	uint8_t opcode, flags, ring;
};

struct context {
	uint8_t state;			/* enum context_state */
	uint8_t priority;		/* enum d3dgpu_priority */
	bool engine_alive;		/* the engine still has something of it: a worker, or a death to report */
	bool killing;			/* the hang watch has ended its worker */
	bool ready;			/* is in the list of those to be looked at */
	uint16_t next_ready;
	uint16_t first, last, queued;	/* pool indices of the queue's ends, valid when queued is not 0 */
	uint8_t inflight_first, inflight_count;
	struct inflight inflight[ENGINE_DEPTH];
	uint32_t status;		/* enum d3dgpu_fault, when lost */
	uint64_t done;			/* highest fence written to the slot */
	uint16_t ending;		/* queued destructions with DESTROY_NOW: no life before them begins any more */

	/* turn.c's; times in nanoseconds */
	uint8_t place;			/* enum turn_place */
	uint16_t next_waiting;
	uint64_t virtual_time;		/* engine time that it had, by the weight of its priority */
	uint64_t since;			/* device time at which it began to wait, or got its turn */
	uint64_t turn_end;		/* device time, when it has a turn */
	uint32_t typical;		/* engine time of an entry: a running average */
	uint64_t engine_time, waited, turns; /* in this life */
};

void contexts_init(void);
struct context *context_get(uint32_t id);

/* Room for the ring's next entry in the pool, to be filled before context_push(); NULL when there is none for it. */
struct d3dgpu_entry *pool_room(uint8_t ring);
/* Whether the context's queue takes another entry. */
bool context_has_room(const struct context *context);
/* Appends the entry that pool_room() holds; ring is where it came from. */
void context_push(struct context *context, uint8_t ring);
/* The oldest waiting entry; NULL when there is none. */
const struct d3dgpu_entry *context_peek(const struct context *context, uint8_t *ring);
void context_pop(struct context *context);

#endif
