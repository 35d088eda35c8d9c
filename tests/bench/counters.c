/* SPDX-License-Identifier: MIT */
#include "counters.h"

#define FRAMES 100u

static const struct {
	const char *name, *unit;
	size_t at;
} counters[] = {
	{"ioctls", "calls/frame", offsetof(struct d3dgpu_statistics, ioctls)},
	{"submits", "submits/frame", offsetof(struct d3dgpu_statistics, submits)},
	{"stream", "bytes/frame", offsetof(struct d3dgpu_statistics, stream_bytes)},
	{"ring_entries", "entries/frame", offsetof(struct d3dgpu_statistics, ring_entries)},
	{"interrupts", "interrupts/frame", offsetof(struct d3dgpu_statistics, interrupts)},
	{"waits", "waits/frame", offsetof(struct d3dgpu_statistics, waits)},
	{"allocations", "allocations/frame", offsetof(struct d3dgpu_statistics, allocations)},
};
#define COUNTERS (sizeof(counters) / sizeof(counters[0]))

static uint64_t value(const struct d3dgpu_statistics *statistics, unsigned counter)
{
	return *(const uint64_t *)((const char *)statistics + counters[counter].at);
}

void counters_report(const char *name, counters_frame frame, counters_read read, void *data)
{
	struct bench_samples samples[COUNTERS] = {0};
	struct d3dgpu_statistics before, after;

	for (unsigned round = 0; round < bench_rounds(); round++) {
		read(data, &before);
		for (unsigned i = 0; i < FRAMES; i++)
			frame(data);
		read(data, &after);
		for (unsigned i = 0; i < COUNTERS; i++)
			bench_add(&samples[i], (double)(value(&after, i) - value(&before, i)) / FRAMES);
	}
	for (unsigned i = 0; i < COUNTERS; i++)
		bench_report_part(name, counters[i].name, counters[i].unit, &samples[i]);
}
