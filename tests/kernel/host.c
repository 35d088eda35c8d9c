/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define WAIT_US 10000u
#define MAX_WAITS 6000u

static bool is_answers_port(const char *port)
{
	char path[512], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", port);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	fclose(file);
	return !strncmp(name, "d3dgpu.answers", 14);
}

/* The descriptor stays open: a port can be open only once, and what comes while it is closed is lost. */
static int answers_port(void)
{
	static int fd = -1;
	struct dirent *entry;
	DIR *ports;

	if (fd >= 0)
		return fd;
	ports = opendir("/sys/class/virtio-ports");
	while (ports && fd < 0 && (entry = readdir(ports))) {
		char path[512];

		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		if (is_answers_port(entry->d_name))
			fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	}
	if (ports)
		closedir(ports);
	return fd;
}

/* One line, without its end. False when none comes. */
static bool read_line(int fd, char *line, size_t size)
{
	size_t length = 0;

	for (unsigned waits = 0; length + 1 < size && waits < MAX_WAITS;) {
		ssize_t got = read(fd, line + length, 1);

		if (got <= 0) { /* nothing yet, or the host has not even connected */
			usleep(WAIT_US);
			waits++;
			continue;
		}
		if (line[length] == '\n') {
			line[length] = '\0';
			return true;
		}
		length++;
	}
	return false;
}

void host_answer(const char *name, char answer[HOST_ANSWER_MAX])
{
	size_t length = strlen(name);
	char line[HOST_ANSWER_MAX];
	int fd = answers_port();

	if (fd < 0)
		tap_bail("no port for answers: %s", strerror(errno));
	strcpy(answer, "no answer");
	while (read_line(fd, line, sizeof(line))) {
		if (!strncmp(line, name, length) && line[length] == ' ') {
			strcpy(answer, line + length + 1);
			return;
		}
		/* else it lay in the port for somebody who did not wait for it */
	}
}

struct host_memory host_memory(void)
{
	struct host_memory memory;
	char answer[HOST_ANSWER_MAX];

	tap_diag("host-memory");
	host_answer("host-memory", answer);
	if (sscanf(answer, "%" SCNu64 " %u %" SCNu64, &memory.vmm, &memory.workers, &memory.of_workers) != 3)
		tap_bail("the host does not tell its memory: %s", answer);
	return memory;
}
