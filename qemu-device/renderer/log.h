/* SPDX-License-Identifier: MIT */
/*
 * The worker's log: whole lines on standard error, each naming the process and its context. What the engine's library
 * says goes through log_engine(), which is limited: a guest must not be able to fill the host's disk.
 */
#ifndef D3DGPU_RENDERER_LOG_H
#define D3DGPU_RENDERER_LOG_H

#include <stdarg.h>

/* Name of the context, for all later lines. Unprintable characters become '?'. */
void log_set_name(const char *name);
/* One line; a newline at its end is added where it is missing. Any thread. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* One line of the engine's library. After LOG_ENGINE_LINES of them the rest is only counted. */
void log_engine(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#define LOG_ENGINE_LINES 200

#endif
