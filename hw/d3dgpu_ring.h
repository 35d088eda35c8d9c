/* SPDX-License-Identifier: MIT */
/*
 * Ring entries: 64 bytes, written by the kernel driver only. The firmware forwards the same 64 bytes to the engine port, and
 * the device core forwards those for the 3D engine to the context's worker: one definition for the whole road.
 *
 * Entries of one context are executed in order. Entries of different contexts are not ordered.
 */
#ifndef D3DGPU_RING_H
#define D3DGPU_RING_H

#include "d3dgpu_resource.h"
#include "d3dgpu_types.h"

#define D3DGPU_MAX_CONTEXTS 256		/* context ids 1..255; 0 names the device itself (NOP, FENCE, COPY, FILL) */

/* The ring that is fetched before the others. It takes entries of context 0, and CTX_DESTROY with D3DGPU_DESTROY_NOW. */
#define D3DGPU_PAGING_RING 3

enum d3dgpu_opcode {
	D3DGPU_OP_NOP = 0,
	D3DGPU_OP_CTX_CREATE = 1,
	D3DGPU_OP_CTX_DESTROY = 2,	/* after all that was queued for it; its worker ends */
	D3DGPU_OP_RES_CREATE = 3,
	D3DGPU_OP_RES_DESTROY = 4,
	D3DGPU_OP_BIND_BACKING = 5,	/* the resource's VRAM range moved */
	D3DGPU_OP_EXEC = 6,
	D3DGPU_OP_FLUSH = 7,		/* 3D object -> its linear image in VRAM */
	D3DGPU_OP_LOAD = 8,		/* linear image -> 3D object */
	D3DGPU_OP_COPY = 9,		/* copy engine, inside VRAM */
	D3DGPU_OP_FENCE = 10,		/* only signals */
	D3DGPU_OP_EVICT = 11,		/* the 3D object goes, its VRAM range is not touched any more; the worker remembers it */
	D3DGPU_OP_RESTORE = 12,		/* and it comes back, in another range, with its views and bindings */
	D3DGPU_OP_CTX_SAVE = 13,	/* the context's objects and bound state -> a command stream in VRAM */
	D3DGPU_OP_FILL = 14,		/* copy engine, inside VRAM */
	D3DGPU_OP_CTX_KILL = 15,	/* firmware to engine port only: end the worker now */
	D3DGPU_OP_COUNT,
};

#define D3DGPU_ENTRY_FENCE (1u << 0)	/* write `fence` to the context's fence slot when done */
#define D3DGPU_ENTRY_IRQ (1u << 1)	/* and raise the ring's interrupt */
#define D3DGPU_ENTRY_FLAGS 0x3u

struct d3dgpu_entry {
	uint8_t opcode;			/* enum d3dgpu_opcode */
	uint8_t flags;			/* D3DGPU_ENTRY_* */
	uint16_t context;
	uint32_t reserved;		/* 0 */
	uint64_t fence;			/* rises by at least 1 within a context */
	union {
		uint8_t payload[48];	/* unused bytes must be 0 */
		struct {
			uint32_t priority;	/* enum d3dgpu_priority */
			uint32_t reserved;
			char name[40];		/* for logs, NUL-terminated: the program's name */
		} ctx_create;
		struct {
			uint32_t resource;	/* id, not 0, chosen by the kernel, unique within the device */
			uint32_t reserved;
			uint64_t backing;	/* VRAM offset of the range, multiple of 4096 */
			uint64_t size;		/* bytes, >= d3dgpu_linear_size() */
			struct d3dgpu_resource_desc desc;
		} res_create;
		struct {
			uint32_t resource;
		} res_destroy;
		struct {
			uint32_t resource;
			uint32_t reserved;
			uint64_t backing;
			uint64_t size;
		} bind_backing;
		struct {
			uint64_t offset;	/* VRAM offset of the command stream, multiple of 4 */
			uint32_t size;		/* bytes, multiple of 4, at most D3DGPU_MAX_STREAM */
			uint32_t flags;		/* D3DGPU_EXEC_* */
		} exec;
		struct {
			uint32_t resource;
			uint32_t first;		/* subresource */
			uint32_t count;		/* 0 = all from first on */
		} transfer;			/* FLUSH, LOAD */
		struct {
			uint64_t source;	/* VRAM offsets */
			uint64_t destination;
			uint64_t size;		/* bytes */
		} copy;
		struct {
			uint64_t offset;	/* VRAM offset, multiple of 4 */
			uint64_t size;		/* bytes, multiple of 4 */
			uint32_t value;		/* of each 32-bit word */
		} fill;
		struct {
			uint32_t resource;
			uint32_t flags;		/* D3DGPU_EVICT_* */
		} evict;
		struct {
			uint32_t resource;
			uint32_t flags;		/* D3DGPU_RESTORE_* */
			uint64_t backing;	/* as in res_create */
			uint64_t size;
		} restore;
		struct {
			uint64_t offset;	/* VRAM offset of the range, multiple of 4096; begins with struct d3dgpu_saved_context */
			uint64_t size;		/* bytes of the range, at least 4096 */
		} ctx_save;
		struct {
			uint32_t flags;		/* D3DGPU_DESTROY_* */
		} ctx_destroy;
	};
};

/*
 * EVICT and RESTORE. Resources whose VRAM range is their storage (staging, query results) only lose and get their range. Others
 * lose their 3D object: no engine memory stays behind, whatever views and bindings there are. Until RESTORE a stream that names
 * an evicted resource is a bad stream; what is bound reads as nothing.
 */
#define D3DGPU_EVICT_FLUSH (1u << 0)	/* 3D object -> linear image first */
#define D3DGPU_RESTORE_LOAD (1u << 0)	/* linear image -> 3D object */

/*
 * Do not finish what is queued or runs: end the worker. All other fences of the context complete at once, with D3DGPU_FAULT_ENDED,
 * the destruction's own when the worker is dead. It may come by another ring than the context's.
 */
#define D3DGPU_DESTROY_NOW (1u << 0)

/*
 * EXEC of what CTX_SAVE left, in a context that has run no stream: only objects and state, and what is of an evicted resource is
 * remembered until RESTORE.
 */
#define D3DGPU_EXEC_SAVED (1u << 0)

/* What CTX_SAVE leaves. The stream, run by EXEC with SAVED in a new context that has the same resources (evicted or not), makes
 * it the same context. */
struct d3dgpu_saved_context {
	uint32_t magic;			/* D3DGPU_SAVED_CONTEXT_MAGIC */
	uint32_t size;			/* bytes of the stream that follows; larger than the rest of the range: it did not fit, nothing follows */
};
#define D3DGPU_SAVED_CONTEXT_MAGIC 0x53434433u	/* "3DCS" */
D3DGPU_ASSERT_SIZE(struct d3dgpu_saved_context, 8);

#define D3DGPU_MAX_STREAM (16u << 20)	/* bytes of one command stream */

enum d3dgpu_priority {
	D3DGPU_PRIORITY_LOW = 0,
	D3DGPU_PRIORITY_NORMAL = 1,
	D3DGPU_PRIORITY_HIGH = 2,
	D3DGPU_PRIORITY_COUNT,
};

D3DGPU_ASSERT_SIZE(struct d3dgpu_entry, 64);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_entry, fence, 8);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_entry, payload, 16);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_entry, res_create.desc, 40);

/* Why an entry failed: completion status of the engines, status of a fence slot, code of a fault. */
enum d3dgpu_fault {
	D3DGPU_FAULT_NONE = 0,
	D3DGPU_FAULT_BAD_ENTRY = 1,	/* malformed, or range outside VRAM */
	D3DGPU_FAULT_NO_CONTEXT = 2,
	D3DGPU_FAULT_NO_WORKER = 3,	/* the host could not start one */
	D3DGPU_FAULT_NO_MEMORY = 4,	/* the worker could not create a resource */
	D3DGPU_FAULT_BAD_STREAM = 5,	/* the engine refused the stream, or is in its error state after it */
	D3DGPU_FAULT_WORKER_DIED = 6,	/* crash, killed, broke the protocol */
	D3DGPU_FAULT_HANG = 7,		/* longer than D3DGPU_REG_HANG_TIMEOUT */
	D3DGPU_FAULT_BAD_RESOURCE = 8,	/* unknown or duplicate resource id, or descriptor refused by the engine */
	D3DGPU_FAULT_RESET = 9,		/* device reset */
	D3DGPU_FAULT_ENDED = 10,	/* by D3DGPU_DESTROY_NOW: the kernel's wish, so no fault is queued */
};

#endif
