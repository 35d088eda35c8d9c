/* SPDX-License-Identifier: MIT */
/* CRC-32 as Ethernet, PNG and zlib have it (polynomial 0x04c11db7, bits reflected), over pixels. */
#ifndef D3DGPU_CORE_CRC32_H
#define D3DGPU_CORE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * The CRC of what had `crc` (nothing: 0), and behind it pixels 0xXXRRGGBB as three bytes R, G, B each. So the pixels of an image
 * may be given in pieces.
 */
uint32_t core_crc32_pixels(uint32_t crc, const uint32_t *pixels, size_t count);

#endif
