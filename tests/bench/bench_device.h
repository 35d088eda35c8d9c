/* SPDX-License-Identifier: MIT */
/* A device without a kernel driver: the core with real workers and the real firmware, its rings filled by hand. */
#ifndef D3DGPU_TESTS_BENCH_DEVICE_H
#define D3DGPU_TESTS_BENCH_DEVICE_H

#include <pthread.h>

#include "d3dgpu_core.h"

#define BENCH_STREAM_AT (2u << 20)	/* VRAM offset of an empty command stream: NOP of one word, 8 bytes */
#define BENCH_MEMORY_AT (4u << 20)	/* VRAM from here up to the control block is the measurement's */

struct bench_device {
	struct d3dgpu_core *core;
	struct d3dgpu_ctrl *ctrl;
	uint64_t fences[D3DGPU_MAX_CONTEXTS];	/* the last one given to each context */
	pthread_mutex_t lock;
	pthread_cond_t interrupt;
};

/* Creates a device of 64 MiB with these properties ("" for none), and boots it. Ends the program with a message when that fails. */
void bench_device_create(struct bench_device *device, const char *properties, const char *worker, const char *firmware);
void bench_device_destroy(struct bench_device *device);

/* A context that is up. */
void bench_device_context(struct bench_device *device, uint16_t context);
/* Puts the entry into a ring, with the context's next fence, and rings the doorbell. Waits while the ring is full. Returns the fence. */
uint64_t bench_device_submit(struct bench_device *device, unsigned ring, struct d3dgpu_entry entry);
bool bench_device_signalled(struct bench_device *device, uint16_t context, uint64_t fence);
/* Waits without sleeping, and until the interrupt of an entry that asked for one. */
void bench_device_spin(struct bench_device *device, uint16_t context, uint64_t fence);
void bench_device_sleep(struct bench_device *device, uint16_t context, uint64_t fence);

#endif
