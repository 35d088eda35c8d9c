/* SPDX-License-Identifier: MIT */
/* The device core dump that the driver has made. There is at most one. */
#ifndef TESTS_KERNEL_COREDUMP_H
#define TESTS_KERNEL_COREDUMP_H

#include <stdbool.h>

/* Throws it away, and waits until another one can be made. */
void coredump_clear(void);
/* Its text, to be freed; NULL: there is none. */
char *coredump_read(void);
/* Whether a text is in it. */
__attribute__((format(printf, 2, 3))) bool coredump_has(const char *dump, const char *format, ...);

#endif
