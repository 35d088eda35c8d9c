/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;	/* tests reported so far; under lock */
static unsigned failed; /* of these, failed; under lock */

static bool report(bool passed, const char *name, va_list args)
{
	pthread_mutex_lock(&lock);
	count++;
	failed += !passed;
	printf("%s %u - ", passed ? "ok" : "not ok", count);
	vprintf(name, args);
	putchar('\n');
	fflush(stdout);
	pthread_mutex_unlock(&lock);
	return passed;
}

bool tap_check(const char *file, int line, bool passed, const char *name, ...)
{
	va_list args;

	va_start(args, name);
	report(passed, name, args);
	va_end(args);
	if (!passed)
		tap_diag("at %s:%d", file, line);
	return passed;
}

bool tap_check_u64(const char *file, int line, uint64_t got, uint64_t want, const char *name, ...)
{
	bool passed = got == want;
	va_list args;

	va_start(args, name);
	report(passed, name, args);
	va_end(args);
	if (!passed)
		tap_diag("at %s:%d: got 0x%llx (%lld), want 0x%llx (%lld)", file, line, (unsigned long long)got,
			 (long long)got, (unsigned long long)want, (long long)want);
	return passed;
}

bool tap_check_near(const char *file, int line, double got, double want, double tolerance, const char *name, ...)
{
	bool passed = fabs(got - want) <= tolerance;
	va_list args;

	va_start(args, name);
	report(passed, name, args);
	va_end(args);
	if (!passed)
		tap_diag("at %s:%d: got %.9g, want %.9g within %.3g", file, line, got, want, tolerance);
	return passed;
}

bool tap_check_str(const char *file, int line, const char *got, const char *want, const char *name, ...)
{
	bool passed = got && want ? !strcmp(got, want) : got == want;
	va_list args;

	va_start(args, name);
	report(passed, name, args);
	va_end(args);
	if (!passed)
		tap_diag("at %s:%d: got \"%s\", want \"%s\"", file, line, got ? got : "(null)", want ? want : "(null)");
	return passed;
}

bool tap_check_mem(const char *file, int line, const void *got, const void *want, size_t size, const char *name, ...)
{
	const unsigned char *g = got, *w = want;
	bool passed = !memcmp(got, want, size);
	va_list args;

	va_start(args, name);
	report(passed, name, args);
	va_end(args);
	for (size_t i = 0; !passed && i < size; i++) {
		if (g[i] != w[i]) {
			tap_diag("at %s:%d: byte %zu of %zu is 0x%02x, want 0x%02x", file, line, i, size, g[i], w[i]);
			break;
		}
	}
	return passed;
}

void tap_skip(const char *reason, const char *name)
{
	pthread_mutex_lock(&lock);
	count++;
	printf("ok %u - %s # SKIP %s\n", count, name, reason);
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

void tap_diag(const char *format, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	fputs("# ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	pthread_mutex_unlock(&lock);
}

_Noreturn void tap_bail(const char *format, ...)
{
	va_list args;

	pthread_mutex_lock(&lock);
	fputs("Bail out! ", stdout);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	exit(99);
}

int tap_done(void)
{
	printf("1..%u\n", count);
	fflush(stdout);
	return failed || !count;
}
