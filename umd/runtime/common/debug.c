/* SPDX-License-Identifier: MIT */
#include "debug.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t flags;
static pthread_once_t flags_once = PTHREAD_ONCE_INIT;

static void read_flags(void)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} names[] = {{"calls", RUNTIME_DEBUG_CALLS}, {"present", RUNTIME_DEBUG_PRESENT}};
	const char *at = getenv("D3DGPU_DEBUG");

	while (at && *at) {
		size_t length = strcspn(at, ",");

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strlen(names[i].name) == length && !strncmp(at, names[i].name, length))
				flags |= names[i].flag;
		at += length + (at[length] == ',');
	}
}

uint32_t runtime_debug_flags(void)
{
	pthread_once(&flags_once, read_flags);
	return flags;
}

static void write_line(const char *prefix, const char *format, va_list args)
{
	char line[512];
	int used = snprintf(line, sizeof(line), "d3dgpu: %s", prefix);

	vsnprintf(line + used, sizeof(line) - (size_t)used, format, args);
	fprintf(stderr, "%s\n", line);
}

void runtime_log(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line("", format, args);
	va_end(args);
}

void runtime_refused(const char *function, const char *format, ...)
{
	char prefix[96];
	va_list args;

	if (!(runtime_debug_flags() & RUNTIME_DEBUG_CALLS))
		return;
	snprintf(prefix, sizeof(prefix), "%s: ", function);
	va_start(args, format);
	write_line(prefix, format, args);
	va_end(args);
}
