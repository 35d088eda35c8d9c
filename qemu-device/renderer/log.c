/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char log_name[40] = "-";
static unsigned engine_lines;

void log_set_name(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(log_name) - 1 && name[i]; i++)
		log_name[i] = isprint((unsigned char)name[i]) ? name[i] : '?';
	log_name[i] = '\0';
}

/* One write() per line, so that lines of several workers on one terminal or pipe do not mix. */
static void write_line(const char *prefix, const char *format, va_list arguments)
{
	char line[1024];
	int head = snprintf(line, sizeof(line), "d3dgpu-worker[%d] %s: %s", (int)getpid(), log_name, prefix);
	int room = (int)sizeof(line) - 1 - head;
	int text = vsnprintf(line + head, (size_t)room, format, arguments);
	int size;

	if (text < 0)
		return;
	size = head + (text < room ? text : room - 1);
	if (line[size - 1] != '\n')
		line[size++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)size) < 0)
		return; /* nowhere to say it */
}

void log_line(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	write_line("", format, arguments);
	va_end(arguments);
}

void log_engine(const char *format, va_list arguments)
{
	if (engine_lines > LOG_ENGINE_LINES)
		return;
	if (engine_lines++ == LOG_ENGINE_LINES)
		log_line("the engine says too much, the rest is dropped");
	else
		write_line("engine: ", format, arguments);
}
