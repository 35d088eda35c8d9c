/* SPDX-License-Identifier: MIT */
/*
 * Between the device core and a renderer worker: one AF_UNIX SOCK_SEQPACKET pair per worker, fixed-size packets.
 *
 *   core → worker   struct worker_setup, once, with the VRAM memfd as SCM_RIGHTS
 *   worker → core   struct worker_hello, once, when GL is up and the sandbox is locked
 *   core → worker   struct d3dgpu_entry (64 bytes), for the context's life: CTX_CREATE first, then RES_*, BIND_BACKING, EXEC,
 *                   FLUSH, LOAD, EVICT, RESTORE, CTX_SAVE, FENCE; CTX_DESTROY last
 *   worker → core   struct worker_done, exactly one per entry, in order
 *
 * The worker believes nothing but the packet's size; the core believes nothing from the worker: every field is checked,
 * an answer that was not asked for ends it. Closing the socket ends the other side. Standard error of the worker is its log.
 *
 * Wake-up economy: both sides may coalesce; a worker executes all entries that have arrived before it sleeps again.
 *
 * The worker program: d3dgpu-worker --fd N [--shader-cache FD] (the socket is descriptor N; nothing else is inherited but
 * 0, 1, 2 and the cache). A manager's socket (worker-socket) is SOCK_SEQPACKET too: the core sends struct worker_request,
 * gets one byte 0 back with the worker's end of a fresh pair as SCM_RIGHTS, or one byte errno without. Behind the socket the manager
 * should send a pidfd of the worker, as a second descriptor: it is how the core ends a worker that hangs. It is used where the
 * manager's worker may be signalled by the core's user; a worker without one ends when it next looks at its socket, or by its watch thread.
 */
#ifndef D3DGPU_RENDERER_PROTOCOL_H
#define D3DGPU_RENDERER_PROTOCOL_H

#include "d3dgpu_ring.h"

#define WORKER_PROTOCOL_VERSION 1

struct worker_request {
	uint32_t version;		/* WORKER_PROTOCOL_VERSION */
	uint32_t reserved;
};

struct worker_setup {
	uint32_t version;		/* WORKER_PROTOCOL_VERSION */
	uint32_t flags;			/* WORKER_SETUP_* */
	uint64_t vram_size;		/* bytes; the descriptor's size must be at least this */
	uint64_t memory_limit;		/* bytes of address space beyond VRAM (RLIMIT_AS); 0 = the worker's default */
};
#define WORKER_SETUP_NO_SANDBOX (1u << 0)	/* sanitizer builds: seccomp and rlimits off; logged aloud */

#define WORKER_CAPSET_MAX 2048

struct worker_hello {
	uint32_t version;
	uint32_t status;		/* 0, or an errno: GL or the sandbox did not come up (text on standard error) */
	uint32_t sandbox;		/* WORKER_SANDBOX_*: what is in force */
	uint32_t engine_version;	/* virglrenderer: major << 16 | minor << 8 | micro */
	uint32_t capset_size;		/* bytes used of capset */
	uint32_t reserved;
	uint8_t capset[WORKER_CAPSET_MAX]; /* virglrenderer's capability set 2 as it is; zero-padded */
};
#define WORKER_SANDBOX_NO_NEW_PRIVS (1u << 0)
#define WORKER_SANDBOX_SECCOMP (1u << 1)
#define WORKER_SANDBOX_RLIMITS (1u << 2)
#define WORKER_SANDBOX_LANDLOCK (1u << 3)
#define WORKER_SANDBOX_NO_NETWORK (1u << 4)

struct worker_done {
	uint32_t status;		/* enum d3dgpu_fault; not NONE = the context is lost, the worker exits */
	uint32_t info;			/* detail for logs: errno, or dword offset in the stream */
	uint64_t fence;			/* of the entry */
	uint32_t opcode;		/* of the entry */
	uint32_t reserved;
	uint64_t reserved2;
};

D3DGPU_ASSERT_SIZE(struct worker_setup, 24);
D3DGPU_ASSERT_SIZE(struct worker_hello, 24 + WORKER_CAPSET_MAX);
D3DGPU_ASSERT_SIZE(struct worker_done, 32);

#endif
