/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <string.h>

#define BLOCK 64u

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t value, unsigned by)
{
	return value >> by | value << (32 - by);
}

static uint32_t big_endian(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t schedule[64], v[8];

	for (unsigned i = 0; i < 16; i++)
		schedule[i] = big_endian(block + i * 4);
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = schedule[i - 15], b = schedule[i - 2];

		schedule[i] = schedule[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + schedule[i - 7] +
			      (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, state, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
		uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		uint32_t first = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice +
				 round_constants[i] + schedule[i];
		uint32_t second = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += first;
		v[0] = first + second;
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

/* The rest, the bit 1, zeros, and the length in bits fill one block or two. */
static void add_end(uint32_t state[8], const uint8_t *rest, size_t rest_size, uint64_t total)
{
	uint8_t end[2 * BLOCK] = {0};
	size_t size = rest_size < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	if (rest_size)
		memcpy(end, rest, rest_size);
	end[rest_size] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		end[size - 1 - i] = (uint8_t)(total * 8 >> (i * 8));
	for (size_t at = 0; at < size; at += BLOCK)
		add_block(state, end + at);
}

void core_sha256(const void *data, size_t size, uint8_t digest[32])
{
	uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	const uint8_t *bytes = data;
	size_t whole = size / BLOCK * BLOCK;

	for (size_t at = 0; at < whole; at += BLOCK)
		add_block(state, bytes + at);
	add_end(state, bytes + whole, size - whole, size);
	for (unsigned i = 0; i < 32; i++)
		digest[i] = (uint8_t)(state[i / 4] >> (24 - i % 4 * 8));
}
