/* SPDX-License-Identifier: MIT */
/* A device for tests: the core with a fake worker, and what its callbacks said. */
#ifndef TESTS_CORE_DEVICE_H
#define TESTS_CORE_DEVICE_H

#include <pthread.h>

#include "core.h"

struct device {
	struct d3dgpu_core *core;
	struct d3dgpu_ctrl *ctrl;	/* the last D3DGPU_CTRL_SIZE bytes of VRAM */
	uint64_t ctrl_offset;
	/* counted by callbacks, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned irqs[D3DGPU_VECTOR_COUNT];
	unsigned scanouts, damages, cursors, guest_lines, error_lines;
	struct core_notice damage;
	char last_line[256];
};

/* Creates the device with properties as text, "" for none; the worker is argv[1] of the test unless they name one. */
void device_create(struct device *device, const char *properties);
/* The same, for creations that fail: returns the error, and the message in device->last_line. */
int device_try(struct device *device, const char *properties);
void device_destroy(struct device *device);

/* The programs that the test was given: argv[1] the worker, argv[2] the firmware image (may be missing). */
void device_arguments(int argc, char **argv);

uint32_t device_read(struct device *device, uint32_t offset);
void device_write(struct device *device, uint32_t offset, uint32_t value);
/* Programs CTRL_BASE with the last bytes of VRAM. */
void device_latch_ctrl(struct device *device);

/* Waits (a minute at most) for a number of interrupts of a vector; returns the number seen. */
unsigned device_wait_irq(struct device *device, unsigned vector, unsigned count);
/* Waits (a minute at most) until a register has a value under a mask; returns what it read last. */
uint32_t device_wait_register(struct device *device, uint32_t offset, uint32_t mask, uint32_t value);

/* Puts a firmware image with a good header around the code into VRAM at 1 MiB, and boots it. */
void device_boot_code(struct device *device, const uint32_t *code, unsigned words);
/* Boots the real image (argv[2]); false when there is none. */
bool device_boot_firmware(struct device *device);

/* The engine port without firmware. */
uint32_t device_dispatch(struct device *device, const struct d3dgpu_entry *entry);
/* Waits (a minute at most) for the next event; type 0 when none comes. */
struct d3dgpu_engine_event device_event(struct device *device);
/*
 * Kills a context's worker; bails out when it has none. Tests never call kill() with what the core says: -1 would mean every
 * process of the machine.
 */
int device_kill_worker(struct device *device, unsigned context);
/* Creates a context through the port and takes its event. */
uint32_t device_create_context(struct device *device, uint16_t context);

/* With firmware: puts an entry into a ring, and rings the doorbell. */
void device_submit(struct device *device, unsigned ring, const struct d3dgpu_entry *entry);
/* Waits (a minute at most) for a fence; false when it does not come. */
bool device_wait_fence(struct device *device, unsigned context, uint64_t fence);

#endif
