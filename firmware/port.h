/* SPDX-License-Identifier: MIT */
/*
 * The firmware's only door to the hardware. On the firmware core these are loads and stores (port_gcp.c); in the unit tests a
 * mock stands behind them (tests/unit/firmware).
 */
#ifndef D3DGPU_FIRMWARE_PORT_H
#define D3DGPU_FIRMWARE_PORT_H

#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"

/* Peripheral registers, D3DGPU_GCP_* offsets. */
uint32_t port_read(uint32_t offset);
void port_write(uint32_t offset, uint32_t value);

/* The control block. Shared with the kernel: use the load and store helpers below. */
struct d3dgpu_ctrl *port_ctrl(void);

/* Hands an entry to its engine: 0, or why it was refused (enum d3dgpu_fault). The entry is copied. */
uint32_t port_dispatch(const struct d3dgpu_entry *entry);
/* Takes the oldest engine event. Call it only when D3DGPU_GCP_EVENT_COUNT is not 0. */
void port_pop_event(struct d3dgpu_engine_event *event);

/* Sleeps until an enabled interrupt is pending. */
void port_sleep(void);

/* Aligned words are single accesses; the core has no A extension, so that order comes from fences. */
static inline uint32_t shared_load(const uint32_t *word)
{
	uint32_t value = *(const volatile uint32_t *)word;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return value;
}

static inline void shared_store(uint32_t *word, uint32_t value)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*(volatile uint32_t *)word = value;
}

/*
 * A 64-bit word that only rises, for readers that may read it in one go at any moment: low half first, so that what they see
 * in between is too small (an older moment) and never too large.
 */
static inline void shared_store_rising(uint64_t *word, uint64_t value)
{
	uint32_t *halves = (uint32_t *)word;

	shared_store(&halves[0], (uint32_t)value);
	shared_store(&halves[1], (uint32_t)(value >> 32));
}

#endif
