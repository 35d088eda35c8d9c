/* SPDX-License-Identifier: MIT */
/*
 * The checksum of a DXBC container: MD5's compression with a padding of its own. It covers the bytes from offset 20 to
 * the end and is stored at offset 4. The runtime verifies it, the driver makes it for containers that it builds.
 */
#ifndef D3DGPU_DXBC_CHECKSUM_H
#define D3DGPU_DXBC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DXBC_CHECKSUM_START 20u /* bytes of the container that are not covered */

static inline void dxbc_compress(uint32_t state[4], const uint8_t block[64])
{
	static const uint32_t constants[64] = {
		0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
		0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
		0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
		0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
		0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
		0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
		0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
		0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
	};
	static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t words[16];

	memcpy(words, block, sizeof(words));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t f, rotated;
		unsigned word, shift = shifts[i / 16][i % 4];

		switch (i / 16) {
		case 0:
			f = (b & c) | (~b & d);
			word = i;
			break;
		case 1:
			f = (d & b) | (~d & c);
			word = (5 * i + 1) % 16;
			break;
		case 2:
			f = b ^ c ^ d;
			word = (3 * i + 5) % 16;
			break;
		default:
			f = c ^ (b | ~d);
			word = 7 * i % 16;
			break;
		}
		f += a + constants[i] + words[word];
		rotated = f << shift | f >> (32 - shift);
		a = d;
		d = c;
		c = b;
		b += rotated;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

/* data, size: the covered bytes. */
static inline void dxbc_checksum(const uint8_t *data, size_t size, uint8_t digest[16])
{
	uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
	uint32_t bits = (uint32_t)(size * 8), tail = bits >> 2 | 1;
	uint8_t block[64];
	size_t rest = size % 64;

	for (size_t i = 0; i + 64 <= size; i += 64)
		dxbc_compress(state, data + i);
	data += size - rest;
	memset(block, 0, sizeof(block));
	if (rest < 56) {
		memcpy(block, &bits, 4);
		memcpy(block + 4, data, rest);
		block[4 + rest] = 0x80;
	} else {
		memcpy(block, data, rest);
		block[rest] = 0x80;
		dxbc_compress(state, block);
		memset(block, 0, sizeof(block));
		memcpy(block, &bits, 4);
	}
	memcpy(block + 60, &tail, 4);
	dxbc_compress(state, block);
	memcpy(digest, state, 16);
}

#endif
