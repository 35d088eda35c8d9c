/* SPDX-License-Identifier: MIT */
/*
 * A Test Anything Protocol producer for our C tests.
 *
 * A test program names one behaviour per tap_* call, and ends with `return tap_done();`, which prints the plan and returns
 * the exit status (0 only when everything passed). Every helper returns whether the check passed, so that a test can
 * stop early; a failure prints where it happened and both values, as TAP diagnostics.
 * Threads may call these: one line is one atomic write.
 */
#ifndef D3DGPU_TESTS_TAP_H
#define D3DGPU_TESTS_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool tap_check(const char *file, int line, bool passed, const char *name, ...) __attribute__((format(printf, 4, 5)));
bool tap_check_u64(const char *file, int line, uint64_t got, uint64_t want, const char *name, ...)
	__attribute__((format(printf, 5, 6)));
bool tap_check_near(const char *file, int line, double got, double want, double tolerance, const char *name, ...)
	__attribute__((format(printf, 6, 7)));
bool tap_check_str(const char *file, int line, const char *got, const char *want, const char *name, ...)
	__attribute__((format(printf, 5, 6)));
bool tap_check_mem(const char *file, int line, const void *got, const void *want, size_t size, const char *name, ...)
	__attribute__((format(printf, 6, 7)));

/* A check that something is true. */
#define tap_ok(passed, ...) tap_check(__FILE__, __LINE__, (passed), __VA_ARGS__)
/* Equality of integers (also HRESULTs and register values), of floats within a tolerance, of strings and of memory. */
#define tap_eq(got, want, ...) tap_check_u64(__FILE__, __LINE__, (uint64_t)(got), (uint64_t)(want), __VA_ARGS__)
#define tap_near(got, want, tolerance, ...) tap_check_near(__FILE__, __LINE__, (got), (want), (tolerance), __VA_ARGS__)
#define tap_str(got, want, ...) tap_check_str(__FILE__, __LINE__, (got), (want), __VA_ARGS__)
#define tap_mem(got, want, size, ...) tap_check_mem(__FILE__, __LINE__, (got), (want), (size), __VA_ARGS__)

/* One skipped test: only for what this machine cannot do, with the reason. */
void tap_skip(const char *reason, const char *name);
/* A line of explanation in the output. */
void tap_diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Stops at once: the program cannot go on (prints "Bail out!", exits with 99). */
_Noreturn void tap_bail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the plan. Returns the program's exit status. */
int tap_done(void);

#endif
