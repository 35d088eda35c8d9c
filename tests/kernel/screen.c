/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <string.h>

#include <zlib.h>

#include "host.h"
#include "tap.h"

uint32_t screen_checksum(uint32_t width, uint32_t height, const uint32_t *pixels)
{
	uLong crc = crc32(0, NULL, 0);

	for (size_t i = 0; i < (size_t)width * height; i++) {
		uint8_t bytes[3] = {(uint8_t)(pixels[i] >> 16), (uint8_t)(pixels[i] >> 8), (uint8_t)pixels[i]};

		crc = crc32(crc, bytes, sizeof(bytes));
	}
	return (uint32_t)crc;
}

void screen_check(const char *name, unsigned head, uint32_t width, uint32_t height, const uint32_t *pixels, const char *what)
{
	char seen[HOST_ANSWER_MAX];

	tap_diag("screendump %s head=%u crc32=%08x", name, head, screen_checksum(width, height, pixels));
	host_answer(name, seen);
	tap_ok(!strcmp(seen, "same"), "%s (%s)", what, seen);
}
