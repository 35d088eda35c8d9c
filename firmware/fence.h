/* SPDX-License-Identifier: MIT */
/* Fence slots, fault queue, interrupts and counters: everything that the firmware tells the kernel. */
#ifndef D3DGPU_FIRMWARE_FENCE_H
#define D3DGPU_FIRMWARE_FENCE_H

#include "context.h"

/* Device time in nanoseconds, as it was when it was last read from the hardware: when the main loop's turn began, or went to the rings again. */
uint64_t device_time(void);
void device_time_read(void);

/* The context begins anew: its slot is cleared. */
void fence_reset(uint32_t id);
/* An entry is done, with the context's status: writes the slot when the entry asked for a fence, remembers its interrupt. */
void fence_complete(uint32_t id, uint64_t fence, uint8_t flags, uint8_t ring);
/* The context is lost from this fence on: status and guilty fence. */
void fence_lost(uint32_t id, uint32_t code, uint64_t fence);
/* The same by a fault: a fault entry and the fault interrupt, too. */
void fence_fault(uint32_t id, uint32_t code, uint64_t fence, uint32_t info, uint8_t opcode);

/* Interrupts are collected and raised once per turn of the main loop. */
void interrupts_raise(void);

/* The counters, kept in SRAM; published in the control block once per turn of the main loop. */
extern struct d3dgpu_counters counters;
void counters_init(void);
void counters_publish(void);

#endif
