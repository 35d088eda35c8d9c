/* SPDX-License-Identifier: MIT */
/*
 * Engines with a clock behind the mock hardware: each context's engine works on its entries one after the other, beside
 * those of the others, and each entry takes as long as the test says.
 */
#ifndef D3DGPU_TESTS_FIRMWARE_SIMULATION_H
#define D3DGPU_TESTS_FIRMWARE_SIMULATION_H

#include "mock.h"

#define US 1000ull			/* nanoseconds */
#define MS 1000000ull
#define FOREVER UINT64_MAX		/* an entry that its engine never finishes */

void simulation_start(unsigned engines);
/* A context, created and idle. */
void simulation_create(unsigned context, unsigned priority);
/* One entry that takes this long. Returns its fence. */
uint64_t simulation_submit(unsigned context, uint64_t duration);
/* From now on the context always has `depth` such entries, in its engine or on the way to it; 0 = no more. */
void simulation_flood(unsigned context, uint64_t duration, unsigned depth);
/* Lets time pass, to this device time. */
void simulation_run(uint64_t until);
/* Lets time pass until the fence is signalled, for at most a minute. Returns how long it took. */
uint64_t simulation_wait(unsigned context, uint64_t fence);
/* Engine time that the context has had. */
uint64_t simulation_served(unsigned context);
/* Longest time between two completions of the context, since it was asked last. */
uint64_t simulation_longest_gap(unsigned context);

#endif
