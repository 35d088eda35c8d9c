/* SPDX-License-Identifier: MIT */
/* Known answers: the check value of CRC-32 is that of the digits 1 to 9, three pixels here. */
#include "crc32.h"
#include "tap.h"

int main(void)
{
	static const uint32_t digits[] = {0x00313233, 0xff343536, 0x80373839};
	static const uint32_t black[1000];
	uint32_t whole = core_crc32_pixels(0, digits, 3), pieces;

	tap_eq(core_crc32_pixels(0, digits, 0), 0, "of no pixels");
	tap_eq(whole, 0xcbf43926, "of 123456789, whatever is in the fourth byte");
	pieces = core_crc32_pixels(core_crc32_pixels(0, digits, 1), digits + 1, 2);
	tap_eq(pieces, whole, "in two pieces");
	tap_eq(core_crc32_pixels(0, black, 1000), 0xda865b0d, "of 3000 zeros");
	return tap_done();
}
