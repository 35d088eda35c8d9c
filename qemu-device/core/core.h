/* SPDX-License-Identifier: MIT */
/*
 * The device as its parts see it. Everything in struct d3dgpu_core is guarded by its lock but for what is marked otherwise.
 *
 * Two kinds of threads come here. Register accesses arrive on the user's thread; they take the lock, do a bounded amount
 * of work and leave. The device thread (thread.c) runs the firmware and reads worker sockets, also under the lock, in
 * slices; it gives the lock up between slices, and whenever it waits. Callbacks are made without the lock, save log and
 * trace.
 *
 * VRAM is shared with the guest and the workers, which may change it at any moment: what has to be checked is copied first.
 */
#ifndef D3DGPU_CORE_CORE_H
#define D3DGPU_CORE_CORE_H

#include <pthread.h>
#include <stdatomic.h>

#include "d3dgpu_core.h"
#include "display.h"
#include "engine.h"
#include "gcp.h"
#include "thread.h"
#include "workers.h"

struct core_regs {
	uint32_t intr_status, intr_enable;
	uint32_t ctrl_lo, ctrl_hi;	/* as written */
	bool ctrl_valid;
	uint64_t ctrl_base;		/* VRAM offset, when valid */
	uint32_t guest_errors, last_error;
	uint32_t hang_timeout;
	uint32_t turn_budget;
	uint32_t dsu_runs;
	uint32_t time_hi;		/* latched by a read of TIME_LO */
};

/* One for each level: what the guest does wrong must not hide what is wrong with the host. */
struct core_log_limit {
	uint64_t second;		/* since the epoch of device time */
	unsigned lines;			/* in it */
};

struct d3dgpu_core {
	/* fixed after creation; no lock needed */
	struct d3dgpu_config config;
	struct d3dgpu_callbacks callbacks;
	struct d3dgpu_caps caps;
	uint8_t *vram;
	uint64_t vram_size;
	int vram_fd;

	pthread_mutex_t lock;
	atomic_uint waiters;		/* threads that want the lock for a register access; no lock needed */
	atomic_uint_least64_t epoch;	/* CLOCK_MONOTONIC at device time 0, nanoseconds; read without the lock */
	uint32_t irq_out;		/* vectors to report once the lock is released */
	struct core_log_limit log_limits[D3DGPU_LOG_INFO + 1]; /* index: enum d3dgpu_log_level */

	struct core_regs regs;
	struct core_display display;
	struct core_gcp gcp;
	struct core_engine engine;
	struct core_workers workers;
	struct core_thread thread;
};

/* For register accesses: makes the device thread give way. */
void core_lock(struct d3dgpu_core *core);
/* Releases the lock, then reports the interrupts that were raised meanwhile. */
void core_unlock(struct d3dgpu_core *core);

/* Raises an interrupt vector. */
void core_raise(struct d3dgpu_core *core, unsigned vector);
/* Counts, remembers and logs what the guest did wrong. */
void core_guest_error(struct d3dgpu_core *core, enum d3dgpu_guest_error code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* One line for the log; of each level a limited number in a second. */
void core_log(struct d3dgpu_core *core, enum d3dgpu_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void core_trace(struct d3dgpu_core *core, enum d3dgpu_trace_point point, uint32_t context, uint64_t fence, uint64_t a,
		uint64_t b);

/* Device time, nanoseconds. */
uint64_t core_now(const struct d3dgpu_core *core);

/* The control block, or NULL when none is latched. Shared memory. */
struct d3dgpu_ctrl *core_ctrl(struct d3dgpu_core *core);

/* Everything to power-on values but VRAM. */
void core_reset_locked(struct d3dgpu_core *core);

static inline bool core_in_vram(const struct d3dgpu_core *core, uint64_t offset, uint64_t size)
{
	return size <= core->vram_size && offset <= core->vram_size - size;
}

/* Copies out of shared memory; what the copy holds afterwards does not change any more. */
static inline void core_copy_in(void *to, const void *shared, size_t size)
{
	__builtin_memcpy(to, shared, size);
	__asm__ volatile("" : : : "memory");
}

#endif
