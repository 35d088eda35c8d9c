/* SPDX-License-Identifier: MIT */
/* The firmware's main loop, in pieces that the unit tests can turn by hand. */
#ifndef D3DGPU_FIRMWARE_H
#define D3DGPU_FIRMWARE_H

#include <stdint.h>

#define FIRMWARE_VERSION 0x000100u	/* major << 16 | minor << 8 | patch */

/* Panic codes below 0x100 are the firmware's own. */
#define FIRMWARE_PANIC_TRAP 0x40u	/* + mcause */

void firmware_init(void);
/* One turn: interrupts, rings, events, dispatch, fences. */
void firmware_step(void);
_Noreturn void firmware_main(void);
_Noreturn void firmware_trap(uint32_t cause, uint32_t pc, uint32_t value);

#endif
