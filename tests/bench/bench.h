/* SPDX-License-Identifier: MIT */
/*
 * Time and statistics for the measurements. Each figure is one line on stdout:
 *
 *     NAME VALUE UNIT (LOW..HIGH of N)
 *
 * VALUE is the median of N samples, LOW and HIGH their 10th and 90th percentile (with ten or fewer samples: the lowest and
 * the highest); one sample has no brackets. scripts/bench reads these lines. Nothing here judges a time: a program fails only
 * when a call fails.
 */
#ifndef D3DGPU_TESTS_BENCH_H
#define D3DGPU_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the command line; prints usage and ends the program when it asks for help or is not understood. `about`: what the
 * program measures, whole lines. Line-buffers stdout, so that a guest's figures come as they are made. */
void bench_open(int argc, char **argv, const char *about);

/* Ends the program with a message when a result is an error: a negative HRESULT or errno. */
void bench_must(int32_t result, const char *what);

/* Seconds of the monotonic clock, and of processor time of the calling thread. */
double bench_now(void);
double bench_thread_time(void);

/* How many samples a figure is made of, as the command line says. */
unsigned bench_rounds(void);

/* ---- samples ---- */

struct bench_samples {
	double *values;			/* owned */
	size_t count, room;
};

void bench_add(struct bench_samples *samples, double value);
double bench_median(const struct bench_samples *samples); /* NaN without samples */
/* Prints the line and frees the samples; bench_report_part adds ".part" to the name. */
void bench_report(const char *name, const char *unit, struct bench_samples *samples);
void bench_report_part(const char *name, const char *part, const char *unit, struct bench_samples *samples);
/* For many single times, in seconds: reports them in microseconds, and NAME.p99, the 99th percentile. */
void bench_report_times(const char *name, struct bench_samples *samples);

/* ---- work ---- */

/* Does something `count` times and returns when all of it is done, by the GPU also. */
typedef void (*bench_work)(void *data, unsigned count);

/*
 * Finds the count that fills a round, warms up on the way, and reports
 *     NAME      things done in a second of wall time
 *     NAME.cpu  microseconds of processor time of the calling thread for each
 */
void bench_rate(const char *name, const char *things_per_second, bench_work work, void *data);

/* Reports seconds of one run of the work in milliseconds; for what is too slow to be repeated many times in a round. */
void bench_duration(const char *name, bench_work work, void *data);

/* Runs the work and plain copies of `bytes` in turn, and reports
 *     NAME        MB/s of the work, which moves `bytes` each time
 *     NAME.ratio  its throughput, as part of memcpy's in the same round */
void bench_throughput(const char *name, size_t bytes, bench_work work, void *data);

#endif
