/* SPDX-License-Identifier: MIT */
/*
 * One GPU context's life: takes ring entries from the socket, executes them, answers each in order.
 */
#ifndef D3DGPU_RENDERER_WORKER_H
#define D3DGPU_RENDERER_WORKER_H

#include "protocol.h"
#include "record.h"
#include "residency.h"
#include "resources.h"
#include "stream_check.h"
#include "vram.h"

/* Answers that wait for the GPU. More entries are not read meanwhile. */
#define WORKER_PENDING_MAX 256u

struct worker_answer {
	struct worker_done done;
	uint32_t fence;			/* the engine's, 0 = none: goes out as soon as the one before has */
};

struct worker {
	int socket;
	struct vram vram;
	struct resources resources;
	struct stream_check check;
	struct record record;
	struct residency residency;
	bool evicted_too;		/* a stream may name evicted resources: one that was saved */
	bool units_disturbed;		/* entries worked on resources since the last stream */
	bool has_context;
	uint16_t context;		/* the device's number of it, for checks */
	bool ended; /* CTX_DESTROY was executed, or a fault found: answer what is pending, then leave */
	uint32_t *stream;		/* private copy of the command stream being executed */
	uint32_t stream_room;		/* bytes */
	struct worker_answer pending[WORKER_PENDING_MAX]; /* a ring, oldest at `first` */
	uint32_t first, count;
};

/* The engine must be up. Returns 0 or an errno. VRAM becomes the worker's. */
int worker_init(struct worker *worker, int socket, const struct vram *vram);
/* Until the context ends or the other side closes. Returns the last status: D3DGPU_FAULT_NONE, or why the context was
 * lost. */
uint32_t worker_run(struct worker *worker);
void worker_destroy(struct worker *worker);

#endif
