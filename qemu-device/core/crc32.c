/* SPDX-License-Identifier: MIT */
#include "crc32.h"

#include <pthread.h>

#define POLYNOMIAL 0xedb88320u /* reflected */

/* What a byte adds to the CRC, with as many zero bytes behind it as the table's index says. */
static uint32_t tables[3][256];
static pthread_once_t tables_made = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t crc = byte;

		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		tables[0][byte] = crc;
	}
	for (unsigned behind = 1; behind < 3; behind++)
		for (uint32_t byte = 0; byte < 256; byte++) {
			uint32_t crc = tables[behind - 1][byte];

			tables[behind][byte] = crc >> 8 ^ tables[0][crc & 0xff];
		}
}

uint32_t core_crc32_pixels(uint32_t crc, const uint32_t *pixels, size_t count)
{
	pthread_once(&tables_made, make_tables);
	crc = ~crc;
	for (size_t i = 0; i < count; i++) {
		uint32_t red = pixels[i] >> 16, green = pixels[i] >> 8, blue = pixels[i];

		crc = tables[2][(crc ^ red) & 0xff] ^ tables[1][(crc >> 8 ^ green) & 0xff] ^ tables[0][(crc >> 16 ^ blue) & 0xff] ^
		      crc >> 24;
	}
	return ~crc;
}
