/* SPDX-License-Identifier: MIT */
/* The device thread and what it waits for. */
#ifndef D3DGPU_CORE_THREAD_H
#define D3DGPU_CORE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "d3dgpu_core.h"

/* What a poll event is about. */
enum core_source {
	CORE_SOURCE_KICK,
	CORE_SOURCE_DOORBELL,		/* index = ring */
	CORE_SOURCE_WORKER,		/* index = slot */
	CORE_SOURCE_CHILD,		/* index = slot */
	CORE_SOURCE_MANAGER,
	CORE_SOURCE_WORKER_LOG,
};

struct core_thread {
	pthread_t id;
	bool started;
	int epoll;
	int kick;			/* eventfd that ends a wait */
	int doorbells[D3DGPU_MAX_RINGS]; /* eventfds */
	/* no lock needed: */
	atomic_uint rung;		/* what is new: rings whose doorbell was written, and a bit for anything else */
	atomic_bool waiting;		/* sleeps, or is about to: needs a write to kick */
	atomic_bool stop;
};

int core_thread_init(struct d3dgpu_core *core);
int core_thread_start(struct d3dgpu_core *core);
void core_thread_stop(struct d3dgpu_core *core);
void core_thread_destroy(struct d3dgpu_core *core);

/*
 * What the thread does between two waits, for a caller that has stopped it and holds the lock: fuzzers run the device step by
 * step this way. Returns whether a descriptor had news.
 */
bool core_thread_turn(struct d3dgpu_core *core);

/* Makes the thread look again. Any thread. */
void core_thread_kick(struct d3dgpu_core *core);
/* Rings a doorbell without the lock. Any thread. */
void core_thread_ring(struct d3dgpu_core *core, unsigned ring);

/* Watches a descriptor. events = EPOLL*; change also for one that is watched already. 0 or -errno. */
int core_thread_watch(struct d3dgpu_core *core, int fd, enum core_source source, unsigned index, uint32_t events);

#endif
