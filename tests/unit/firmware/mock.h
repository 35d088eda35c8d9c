/* SPDX-License-Identifier: MIT */
/* The hardware under the firmware, as a mock: records dispatches, delivers events, counts interrupts, has a clock to turn. */
#ifndef D3DGPU_TESTS_FIRMWARE_MOCK_H
#define D3DGPU_TESTS_FIRMWARE_MOCK_H

#include "port.h"

#define MOCK_DISPATCHES 4096

struct mock {
	struct d3dgpu_ctrl ctrl;
	uint64_t time;				/* nanoseconds */
	uint64_t alarm;
	uint32_t hang_timeout;			/* milliseconds */
	uint32_t engines;			/* slots */
	uint32_t turn_budget;			/* microseconds */
	uint32_t pending;			/* D3DGPU_GCP_INT_* */
	uint32_t ready, panic;
	unsigned raised[D3DGPU_VECTOR_COUNT];
	struct d3dgpu_entry dispatched[MOCK_DISPATCHES];
	unsigned dispatch_count;
	uint32_t refuse;			/* status of the next dispatches; 0 = accept */
	struct d3dgpu_engine_event events[64];
	unsigned event_count;
};

extern struct mock mock;

/* Power on: clears everything and starts the firmware. */
void mock_start(void);
/* The same with a number of engine slots other than 16. */
void mock_start_with(unsigned engines);
/* Writes an entry into a ring as the kernel does, without running the firmware. */
void mock_ring(unsigned ring, const struct d3dgpu_entry *entry);
/* The engine reports. */
void mock_event(uint32_t type, uint32_t context, uint64_t fence, uint32_t status);
/* Completes the n oldest dispatches that have no answer yet, of one context. */
void mock_complete(uint32_t context, unsigned n);
/* Turns the main loop once. */
void mock_step(void);

#endif
