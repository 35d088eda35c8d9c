/* SPDX-License-Identifier: MIT */
/* The runtimes' log (stderr) and debug flags (environment D3DGPU_DEBUG: names with commas between them). */
#ifndef D3DGPU_RUNTIME_DEBUG_H
#define D3DGPU_RUNTIME_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

enum runtime_debug_flag {
	RUNTIME_DEBUG_CALLS = 1 << 0,	/* "calls": why a call was refused */
	RUNTIME_DEBUG_PRESENT = 1 << 1,	/* "present": each present, with the counters of its frame */
};

/* Flags that are on. Read once per process. */
uint32_t runtime_debug_flags(void);
/* One line, always. */
void runtime_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line when "calls" is on: which argument made the runtime refuse. */
void runtime_refused(const char *function, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
