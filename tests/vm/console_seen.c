/* SPDX-License-Identifier: MIT */
/*
 * What the host sees is what is in the frame buffer of the text console, whoever made it: the firmware, or the driver. The
 * console's cursor must not blink.
 *
 * usage: console_seen NAME (of the picture)
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "screen.h"
#include "tap.h"

#define CONSOLE_COLOURS 16u

/* How many colours there are, up to one more than a console has. */
static unsigned colours(const uint32_t *pixels, size_t count)
{
	uint32_t seen[CONSOLE_COLOURS + 1];
	unsigned number = 0;

	for (size_t i = 0; i < count && number <= CONSOLE_COLOURS; i++) {
		unsigned at = 0;

		while (at < number && seen[at] != pixels[i])
			at++;
		if (at == number)
			seen[number++] = pixels[i];
	}
	return number;
}

static void read_rows(int fd, const struct fb_var_screeninfo *mode, uint32_t pitch, uint32_t *pixels)
{
	size_t row = (size_t)mode->xres * sizeof(*pixels);

	for (uint32_t y = 0; y < mode->yres; y++) {
		off_t at = (off_t)(mode->yoffset + y) * pitch + (off_t)mode->xoffset * 4;
		uint32_t *line = pixels + (size_t)y * mode->xres;

		if (pread(fd, line, row, at) != (ssize_t)row)
			tap_bail("row %u: %s", y, strerror(errno));
		for (uint32_t x = 0; x < mode->xres; x++)
			line[x] &= 0xffffff;
	}
}

int main(int argc, char **argv)
{
	struct fb_var_screeninfo mode = {0};
	struct fb_fix_screeninfo fixed = {0};
	int fd = open("/dev/fb0", O_RDONLY);
	uint32_t *pixels;
	unsigned number;

	if (argc != 2)
		tap_bail("usage: console_seen NAME");
	if (fd < 0 || ioctl(fd, FBIOGET_VSCREENINFO, &mode) || ioctl(fd, FBIOGET_FSCREENINFO, &fixed))
		tap_bail("no frame buffer: %s", strerror(errno));
	tap_diag("%.16s: %ux%u, %u bits per pixel", fixed.id, mode.xres, mode.yres, mode.bits_per_pixel);
	if (!tap_eq(mode.bits_per_pixel, 32, "32 bits per pixel"))
		return tap_done();
	pixels = malloc((size_t)mode.xres * mode.yres * sizeof(*pixels));
	if (!pixels)
		tap_bail("no memory");
	read_rows(fd, &mode, fixed.line_length, pixels);
	number = colours(pixels, (size_t)mode.xres * mode.yres);
	tap_ok(number > 1, "there is text");
	tap_ok(number <= CONSOLE_COLOURS, "and nothing but text");
	screen_check(argv[1], 0, mode.xres, mode.yres, pixels, "which the host sees");
	free(pixels);
	close(fd);
	return tap_done();
}
