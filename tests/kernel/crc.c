/* SPDX-License-Identifier: MIT */
#include "crc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <xf86drm.h>

#include "tap.h"

#define PATIENCE_MS 60000

static int open_file(const struct display *display, const char *name, int flags)
{
	char path[96];
	struct stat card;
	int fd;

	if (fstat(display->fd, &card))
		tap_bail("no card: %s", strerror(errno));
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/crtc-%u/crc/%s", minor(card.st_rdev), display->head, name);
	fd = open(path, flags | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int crc_choose(const struct display *display, const char *source)
{
	int fd = open_file(display, "control", O_WRONLY), error = 0;

	if (fd < 0)
		return fd;
	if (write(fd, source, strlen(source)) < 0)
		error = -errno;
	close(fd);
	return error;
}

int crc_open(const struct display *display)
{
	return open_file(display, "data", O_RDONLY | O_NONBLOCK);
}

bool crc_next(int crcs, uint32_t *frame, uint32_t *value)
{
	struct pollfd poll_fd = {.fd = crcs, .events = POLLIN};
	char line[128];
	ssize_t length;

	if (poll(&poll_fd, 1, PATIENCE_MS) <= 0)
		return false;
	length = read(crcs, line, sizeof(line) - 1);
	if (length <= 0)
		return false;
	line[length] = '\0';
	return sscanf(line, "%x %x", frame, value) == 2;
}

uint32_t crc_from(int crcs, uint32_t count, uint32_t *frame)
{
	uint32_t at, value;

	do
		if (!crc_next(crcs, &at, &value))
			tap_bail("no CRC of frame %u comes", count);
	while ((int32_t)(at - count) < 0);
	if (frame)
		*frame = at;
	return value;
}

uint32_t crc_now(int crcs, const struct display *display)
{
	return crc_from(crcs, crc_vblank(display) + 1, NULL);
}

uint32_t crc_vblank(const struct display *display)
{
	uint64_t count = 0, time;

	if (drmCrtcGetSequence(display->fd, display->crtc, &count, &time))
		tap_bail("no sequence: %s", strerror(errno));
	return (uint32_t)count;
}
