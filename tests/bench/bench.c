/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEGABYTE 1e6

static struct {
	unsigned rounds;
	double seconds;			/* that a round takes, about */
} settings = {.rounds = 7, .seconds = 0.2};

static void usage(FILE *to, const char *program, const char *about)
{
	fprintf(to,
		"usage: %s [--rounds N] [--milliseconds N]\n\n%s\n"
		"  --rounds N        samples of each figure (%u)\n"
		"  --milliseconds N  about how long a round takes (%.0f)\n\n"
		"Each figure is a line: NAME VALUE UNIT (LOW..HIGH of N): median, 10th and 90th percentile.\n"
		"D3DGPU_WINSYS=loopback runs the device inside the process; without it the first d3dgpu is used.\n",
		program, about, settings.rounds, settings.seconds * 1e3);
}

void bench_open(int argc, char **argv, const char *about)
{
	static const struct option names[] = {
		{"rounds", required_argument, NULL, 'r'},
		{"milliseconds", required_argument, NULL, 'm'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	struct {
		unsigned rounds, milliseconds;
	} wanted = {settings.rounds, (unsigned)(settings.seconds * 1e3)};
	bool understood = true;
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (c == 'h') {
			usage(stdout, program, about);
			exit(0);
		}
		if (c == 'r')
			wanted.rounds = (unsigned)strtoul(optarg, NULL, 10);
		else if (c == 'm')
			wanted.milliseconds = (unsigned)strtoul(optarg, NULL, 10);
		else
			understood = false;
	}
	if (!understood || optind != argc || !wanted.rounds || !wanted.milliseconds) {
		usage(stderr, program, about);
		exit(2);
	}
	settings.rounds = wanted.rounds;
	settings.seconds = wanted.milliseconds / 1e3;
	setvbuf(stdout, NULL, _IOLBF, 0);
}

void bench_must(int32_t result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "%s: %#x\n", what, (unsigned)result);
	exit(1);
}

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double bench_now(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

double bench_thread_time(void)
{
	return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

unsigned bench_rounds(void)
{
	return settings.rounds;
}

/* ---- samples ---- */

void bench_add(struct bench_samples *samples, double value)
{
	if (samples->count == samples->room) {
		samples->room = samples->room ? samples->room * 2 : 16;
		samples->values = realloc(samples->values, samples->room * sizeof(*samples->values));
		if (!samples->values)
			abort();
	}
	samples->values[samples->count++] = value;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort(const struct bench_samples *samples)
{
	qsort(samples->values, samples->count, sizeof(*samples->values), by_size);
}

double bench_median(const struct bench_samples *samples)
{
	size_t half = samples->count / 2;

	if (!samples->count)
		return NAN;
	sort(samples);
	return samples->count % 2 ? samples->values[half] : (samples->values[half - 1] + samples->values[half]) / 2;
}

/* As many digits as mean something. */
static const char *number(double value, char text[32])
{
	snprintf(text, 32, "%.*f", fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 3, value);
	return text;
}

void bench_report_part(const char *name, const char *part, const char *unit, struct bench_samples *samples)
{
	char median[32], low[32], high[32];
	size_t tenth = samples->count / 11;

	if (samples->count) {
		printf("%s%s%s %s %s", name, *part ? "." : "", part, number(bench_median(samples), median), unit);
		if (samples->count > 1)
			printf(" (%s..%s of %zu)", number(samples->values[tenth], low),
			       number(samples->values[samples->count - 1 - tenth], high), samples->count);
		putchar('\n');
	}
	free(samples->values);
	memset(samples, 0, sizeof(*samples));
}

void bench_report(const char *name, const char *unit, struct bench_samples *samples)
{
	bench_report_part(name, "", unit, samples);
}

void bench_report_times(const char *name, struct bench_samples *samples)
{
	struct bench_samples worst = {0};

	if (!samples->count)
		return;
	for (size_t i = 0; i < samples->count; i++)
		samples->values[i] *= 1e6;
	sort(samples);
	bench_add(&worst, samples->values[samples->count * 99 / 100]);
	bench_report(name, "us", samples);
	bench_report_part(name, "p99", "us", &worst);
}

/* ---- work ---- */

static double timed(bench_work work, void *data, unsigned count)
{
	double start = bench_now();

	work(data, count);
	return bench_now() - start;
}

/* Doubles the count until it takes a good part of a round, and does so again: on a busy machine, once may have been an
 * accident. The first two things are not timed: shaders are compiled in them. */
static unsigned calibrate(bench_work work, void *data)
{
	unsigned count = 1;
	double seconds;

	work(data, 2);
	do {
		while (timed(work, data, count) < settings.seconds / 2 && count < 1u << 24)
			count *= 2;
		seconds = timed(work, data, count);
	} while (seconds < settings.seconds / 2 && count < 1u << 24);
	count = (unsigned)(count * settings.seconds / seconds);
	return count ? count : 1;
}

void bench_rate(const char *name, const char *things_per_second, bench_work work, void *data)
{
	struct bench_samples rates = {0}, costs = {0};
	unsigned count = calibrate(work, data);

	for (unsigned i = 0; i < settings.rounds; i++) {
		double processor = bench_thread_time(), seconds = timed(work, data, count);

		bench_add(&rates, count / seconds);
		bench_add(&costs, (bench_thread_time() - processor) / count * 1e6);
	}
	bench_report(name, things_per_second, &rates);
	bench_report_part(name, "cpu", "us", &costs);
}

void bench_duration(const char *name, bench_work work, void *data)
{
	struct bench_samples times = {0};

	for (unsigned i = 0; i < settings.rounds; i++)
		bench_add(&times, timed(work, data, 1) * 1e3);
	bench_report(name, "ms", &times);
}

struct plain_copy {
	char *to, *from;
	size_t bytes;
};

static void copy(void *data, unsigned count)
{
	struct plain_copy *c = data;

	for (unsigned i = 0; i < count; i++) {
		memcpy(c->to, c->from, c->bytes);
		__asm__ volatile("" : : "r"(c->to) : "memory"); /* each copy is made */
	}
}

void bench_throughput(const char *name, size_t bytes, bench_work work, void *data)
{
	struct plain_copy plain = {malloc(bytes), malloc(bytes), bytes};
	struct bench_samples rates = {0}, ratios = {0};
	unsigned count = calibrate(work, data), copies;

	if (!plain.to || !plain.from)
		abort();
	memset(plain.from, 1, bytes);
	copies = calibrate(copy, &plain);
	for (unsigned i = 0; i < settings.rounds; i++) {
		double each = timed(work, data, count) / count, memcpy_each = timed(copy, &plain, copies) / copies;

		bench_add(&rates, (double)bytes / each / MEGABYTE);
		bench_add(&ratios, memcpy_each / each);
	}
	bench_report(name, "MB/s", &rates);
	bench_report_part(name, "ratio", "of_memcpy", &ratios);
	free(plain.to);
	free(plain.from);
}
