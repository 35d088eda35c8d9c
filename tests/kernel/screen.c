/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

#include "tap.h"

#define WAIT_US 10000u
#define MAX_WAITS 6000u

static uint32_t checksum(uint32_t width, uint32_t height, const uint32_t *pixels)
{
	uLong crc = crc32(0, NULL, 0);

	for (size_t i = 0; i < (size_t)width * height; i++) {
		uint8_t bytes[3] = {(uint8_t)(pixels[i] >> 16), (uint8_t)(pixels[i] >> 8), (uint8_t)pixels[i]};

		crc = crc32(crc, bytes, sizeof(bytes));
	}
	return (uint32_t)crc;
}

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

void screen_check(const char *name, unsigned head, uint32_t width, uint32_t height, const uint32_t *pixels, const char *what)
{
	char line[256] = "no answer";
	size_t length = strlen(name);
	int fd = answers_port();

	if (fd < 0)
		tap_bail("no port for answers: %s", strerror(errno));
	tap_diag("screendump %s head=%u crc32=%08x", name, head, checksum(width, height, pixels));
	/* Answers to others may lie in the port. */
	while (read_line(fd, line, sizeof(line)) && strncmp(line, name, length))
		;
	tap_ok(!strncmp(line, name, length) && !strcmp(line + length, " same"), "%s (%s)", what, line);
}
