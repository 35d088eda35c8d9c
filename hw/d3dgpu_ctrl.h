/* SPDX-License-Identifier: MIT */
/*
 * The control block: the part of VRAM through which kernel driver, firmware and device core talk without register
 * accesses. The kernel driver places it (the last D3DGPU_CTRL_SIZE bytes of VRAM by convention) and programs its offset in
 * D3DGPU_REG_CTRL_BASE. Nobody but the kernel may map it: rings and fences are in it.
 *
 * Index rules: `tail` is written by the kernel, `head` by the firmware; both run freely modulo 2^32 and are reduced by the
 * ring size on use; empty when equal; tail - head never exceeds the ring size. Each side's words have a cache line of their own.
 */
#ifndef D3DGPU_CTRL_H
#define D3DGPU_CTRL_H

#include "d3dgpu_ds.h"
#include "d3dgpu_regs.h"
#include "d3dgpu_ring.h"
#include "d3dgpu_types.h"

#define D3DGPU_RING_ENTRIES 1024
#define D3DGPU_FAULT_ENTRIES 128
#define D3DGPU_LOG_SIZE 16384
#define D3DGPU_CTRL_SIZE 0x80000	/* 512 KiB */

struct d3dgpu_ring_state {
	uint32_t tail;			/* kernel: entries written */
	uint32_t reserved0[15];
	uint32_t head;			/* firmware: entries fetched */
	uint32_t reserved1[15];
};

/* One per context. Written by the firmware: guilty and status first, value last. Cleared by it at context creation. */
struct d3dgpu_fence_slot {
	uint64_t value;			/* all fences <= value are done */
	uint32_t status;		/* enum d3dgpu_fault, sticky: not 0 = the context is lost */
	uint32_t reserved;
	uint64_t guilty;		/* first fence that did not complete properly; valid when status is not 0 */
	uint64_t timestamp;		/* device time of the last update, nanoseconds */
};

struct d3dgpu_fault_entry {
	uint32_t code;			/* enum d3dgpu_fault */
	uint32_t context;
	uint64_t fence;			/* of the guilty entry */
	uint64_t timestamp;		/* nanoseconds */
	uint32_t info;			/* engine's own code (offset in the stream, signal number, errno) */
	uint32_t opcode;		/* of the guilty entry */
};

/* Counters since reset; written by the firmware, readable at any time. */
struct d3dgpu_counters {
	uint64_t entries;		/* ring entries fetched */
	uint64_t dispatches;		/* entries given to an engine */
	uint64_t completions;
	uint64_t interrupts;		/* raised towards the host */
	uint64_t doorbells;
	uint64_t faults;
	uint64_t idle_loops;		/* turns of the main loop, each of which ends in sleep */
	uint64_t stream_bytes;		/* of EXEC entries */
	uint64_t turns;			/* engine slots given */
	uint64_t waits;			/* of them: not at once */
	uint64_t overruns;		/* slots taken from a context whose engine was still busy after its turn */
};

/* One per context: how it shares the engines. Cleared at context creation; up to date when its engine is idle, or a turn old. */
struct d3dgpu_context_usage {
	uint64_t engine_time;		/* nanoseconds that its engine was busy */
	uint64_t waited;		/* nanoseconds that it had work and no engine slot */
	uint64_t turns;			/* slots given */
	uint64_t reserved;
};

/* A head's gamma table. Written by the kernel; the display engine copies it at a commit. 65535 is full intensity. */
struct d3dgpu_gamma {
	struct {
		uint16_t red, green, blue, reserved;
	} entries[D3DGPU_GAMMA_ENTRIES];
};

struct d3dgpu_ctrl {
	struct d3dgpu_ring_state rings[D3DGPU_MAX_RINGS];		/* 0x00000 */
	uint8_t pad0[0x1000 - D3DGPU_MAX_RINGS * 128];
	struct d3dgpu_ds_mailbox dsu;					/* 0x01000, alone on its page */
	uint8_t pad1[0x1000 - sizeof(struct d3dgpu_ds_mailbox)];
	struct d3dgpu_fence_slot fences[D3DGPU_MAX_CONTEXTS];		/* 0x02000 */
	uint32_t fault_head;						/* 0x04000, kernel: faults read */
	uint32_t reserved0[15];
	uint32_t fault_tail;						/* firmware: faults written; when full, drops new ones */
	uint32_t faults_dropped;
	uint32_t reserved1[14];
	struct d3dgpu_fault_entry faults[D3DGPU_FAULT_ENTRIES];		/* 0x04080 */
	uint8_t pad2[0x6000 - 0x4080 - D3DGPU_FAULT_ENTRIES * 32];
	struct d3dgpu_counters counters;				/* 0x06000 */
	uint8_t pad3[0x1000 - sizeof(struct d3dgpu_counters)];
	uint32_t log_tail;						/* 0x07000, bytes written, runs freely */
	uint32_t log_pad[1023];
	char log[D3DGPU_LOG_SIZE];					/* 0x08000, text lines, ring buffer */
	uint8_t pad4[0x10000 - 0x8000 - D3DGPU_LOG_SIZE];
	struct d3dgpu_entry entries[D3DGPU_MAX_RINGS][D3DGPU_RING_ENTRIES]; /* 0x10000 */
	struct d3dgpu_gamma gamma[D3DGPU_MAX_HEADS];			/* 0x50000 */
	struct d3dgpu_context_usage usage[D3DGPU_MAX_CONTEXTS];	/* 0x52000 */
	uint8_t pad5[D3DGPU_CTRL_SIZE - 0x52000 - D3DGPU_MAX_CONTEXTS * 32];
};

D3DGPU_ASSERT_SIZE(struct d3dgpu_ring_state, 128);
D3DGPU_ASSERT_SIZE(struct d3dgpu_fence_slot, 32);
D3DGPU_ASSERT_SIZE(struct d3dgpu_fault_entry, 32);
D3DGPU_ASSERT_SIZE(struct d3dgpu_gamma, 2048);
D3DGPU_ASSERT_SIZE(struct d3dgpu_counters, 88);
D3DGPU_ASSERT_SIZE(struct d3dgpu_context_usage, 32);
D3DGPU_ASSERT_SIZE(struct d3dgpu_ctrl, D3DGPU_CTRL_SIZE);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, dsu, 0x1000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, fences, 0x2000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, fault_head, 0x4000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, fault_tail, 0x4040);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, faults, 0x4080);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, counters, 0x6000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, log_tail, 0x7000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, log, 0x8000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, entries, 0x10000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, gamma, 0x50000);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ctrl, usage, 0x52000);

#endif
