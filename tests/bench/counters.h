/* SPDX-License-Identifier: MIT */
/* What frames cost by the driver's own counters (d3dgpu_statistics.h). */
#ifndef D3DGPU_TESTS_BENCH_COUNTERS_H
#define D3DGPU_TESTS_BENCH_COUNTERS_H

#include "d3dgpu_statistics.h"

#include "bench.h"

/* Draws one frame. */
typedef void (*counters_frame)(void *data);
/* Fills the statistics of the frame's device. */
typedef void (*counters_read)(void *data, struct d3dgpu_statistics *out);

/* Counts over frames that follow each other, and reports NAME.ioctls, .submits, .stream, .ring_entries, .interrupts, .waits and
 * .allocations of each. */
void counters_report(const char *name, counters_frame frame, counters_read read, void *data);

#endif
