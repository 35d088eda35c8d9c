/* SPDX-License-Identifier: MIT */
#include "coredump.h"

#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define MOST (4u << 20)		/* bytes; a dump is smaller */
#define PERIOD_US 2500000	/* the driver makes one every two seconds at most */

/* Opens the dump's file. -1: there is none. */
static int open_dump(int flags)
{
	glob_t found;
	int fd = -1;

	if (!glob("/sys/class/devcoredump/devcd*/data", 0, NULL, &found))
		fd = open(found.gl_pathv[0], flags | O_CLOEXEC);
	globfree(&found);
	return fd;
}

static bool is_gone(void *data)
{
	int fd = open_dump(O_RDONLY);

	(void)data;
	if (fd >= 0)
		close(fd);
	return fd < 0;
}

void coredump_clear(void)
{
	int fd = open_dump(O_WRONLY);

	if (fd >= 0) {
		if (write(fd, "0", 1) != 1)
			tap_bail("the core dump cannot be thrown away");
		close(fd);
		if (!gpu_eventually(is_gone, NULL, PATIENCE))
			tap_bail("the core dump does not go away");
	}
	usleep(PERIOD_US);
}

char *coredump_read(void)
{
	int fd = open_dump(O_RDONLY);
	size_t used = 0;
	char *dump;
	ssize_t got;

	if (fd < 0)
		return NULL;
	dump = malloc(MOST + 1);
	if (!dump)
		tap_bail("no memory");
	while (used < MOST && (got = read(fd, dump + used, MOST - used)) > 0)
		used += (size_t)got;
	close(fd);
	dump[used] = '\0';
	return dump;
}

bool coredump_has(const char *dump, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return strstr(dump, text);
}
