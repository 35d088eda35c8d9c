/* SPDX-License-Identifier: MIT */
#include "dxbc.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define HEADER_SIZE 32
#define CHECKED_FROM 20		/* the checksum covers everything behind itself */

/* MD5's compression function (RFC 1321). */

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

/* floor(2^32 |sin(i + 1)|) */
static const uint32_t md5_sines[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static void md5_block(uint32_t state[4], const unsigned char *block)
{
	static const uint8_t shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	static const uint8_t steps[4][2] = {{1, 0}, {5, 1}, {3, 5}, {7, 0}};
	uint32_t words[16], a = state[0], b = state[1], c = state[2], d = state[3];

	memcpy(words, block, sizeof(words));
	for (unsigned i = 0; i < 64; i++) {
		unsigned round = i / 16, word = (i * steps[round][0] + steps[round][1]) % 16;
		uint32_t mixed, next;

		if (round == 0)
			mixed = (b & c) | (~b & d);
		else if (round == 1)
			mixed = (d & b) | (~d & c);
		else if (round == 2)
			mixed = b ^ c ^ d;
		else
			mixed = c ^ (b | ~d);
		next = b + rotate(a + mixed + words[word] + md5_sines[i], shifts[round][i % 4]);
		a = d;
		d = c;
		c = b;
		b = next;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

/* MD5 with another padding: the length stands in front of the last block as well as, modified, at its end. */
void dxbc_checksum(const void *data, size_t size, uint32_t checksum[4])
{
	const unsigned char *bytes = (const unsigned char *)data + CHECKED_FROM;
	size_t length = size - CHECKED_FROM, rest = length % 64;
	uint32_t bits = (uint32_t)(length * 8), tail = bits >> 2 | 1;
	unsigned char block[64] = {0};

	checksum[0] = 0x67452301;
	checksum[1] = 0xefcdab89;
	checksum[2] = 0x98badcfe;
	checksum[3] = 0x10325476;
	for (size_t at = 0; at + 64 <= length; at += 64)
		md5_block(checksum, bytes + at);
	bytes += length - rest;
	if (rest < 56) {
		memcpy(block, &bits, 4);
		memcpy(block + 4, bytes, rest);
		block[4 + rest] = 0x80;
	} else {
		memcpy(block, bytes, rest);
		block[rest] = 0x80;
		md5_block(checksum, block);
		memset(block, 0, sizeof(block));
		memcpy(block, &bits, 4);
	}
	memcpy(block + 60, &tail, 4);
	md5_block(checksum, block);
}

static uint32_t dword(const unsigned char *data)
{
	uint32_t value;

	memcpy(&value, data, 4);
	return value;
}

static int copy_name(struct dxbc_element *element, const unsigned char *chunk, uint32_t size, uint32_t offset)
{
	uint32_t length = 0;

	while (offset + length < size && chunk[offset + length])
		length++;
	if (offset >= size || offset + length >= size)
		return -EINVAL;
	for (uint32_t i = 0; i < length && i < sizeof(element->name) - 1; i++)
		element->name[i] = (char)toupper(chunk[offset + i]);
	return 0;
}

/* stride 24: plain; 28: a stream number in front; 32: that and a minimum precision behind. */
static int parse_signature(const unsigned char *chunk, uint32_t size, uint32_t stride,
			   struct dxbc_signature *signature, const struct shader_message *message)
{
	uint32_t count, first, lead = stride > 24 ? 4 : 0;

	if (size < 8)
		return shader_fail(message, -EINVAL, "a signature chunk of %u bytes", size);
	count = dword(chunk);
	first = dword(chunk + 4);
	if (count > DXBC_MAX_ELEMENTS || first > size || count > (size - first) / stride)
		return shader_fail(message, -EINVAL, "a signature of %u elements at %u in %u bytes", count, first, size);
	signature->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const unsigned char *raw = chunk + first + i * stride + lead;
		struct dxbc_element *element = &signature->elements[signature->count++];

		*element = (struct dxbc_element){.name_index = dword(raw + 4), .system_value = dword(raw + 8),
						 .component_type = dword(raw + 12), .reg = dword(raw + 16),
						 .mask = raw[20] & 15};
		if (copy_name(element, chunk, size, dword(raw)))
			return shader_fail(message, -EINVAL, "the name of signature element %u", i);
	}
	return 0;
}

static int parse_chunk(const unsigned char *chunk, uint32_t tag, uint32_t size, struct dxbc *dxbc,
		       const struct shader_message *message)
{
	switch (tag) {
	case DXBC_TAG('I', 'S', 'G', 'N'):
		return parse_signature(chunk, size, 24, &dxbc->inputs, message);
	case DXBC_TAG('I', 'S', 'G', '1'):
		return parse_signature(chunk, size, 32, &dxbc->inputs, message);
	case DXBC_TAG('O', 'S', 'G', 'N'):
		return parse_signature(chunk, size, 24, &dxbc->outputs, message);
	case DXBC_TAG('O', 'S', 'G', '5'):
		return parse_signature(chunk, size, 28, &dxbc->outputs, message);
	case DXBC_TAG('O', 'S', 'G', '1'):
		return parse_signature(chunk, size, 32, &dxbc->outputs, message);
	case DXBC_TAG('S', 'H', 'D', 'R'):
	case DXBC_TAG('S', 'H', 'E', 'X'):
		dxbc->program = chunk;
		dxbc->program_size = size;
		return 0;
	default:
		return 0;
	}
}

int dxbc_parse(const void *data, size_t size, struct dxbc *dxbc, const struct shader_message *message)
{
	const unsigned char *bytes = data;
	uint32_t checksum[4], total, count;

	*dxbc = (struct dxbc){0};
	if (size < HEADER_SIZE || dword(bytes) != DXBC_MAGIC)
		return shader_fail(message, -EINVAL, "neither a token stream nor a DXBC container");
	total = dword(bytes + 24);
	count = dword(bytes + 28);
	if (total < HEADER_SIZE || total > size)
		return shader_fail(message, -EINVAL, "the container says %u bytes, there are %zu", total, size);
	if (dword(bytes + 20) != 1 || count > (total - HEADER_SIZE) / 4)
		return shader_fail(message, -EINVAL, "container version %u with %u chunks", dword(bytes + 20), count);
	dxbc_checksum(data, total, checksum);
	if (memcmp(checksum, bytes + 4, sizeof(checksum)))
		return shader_fail(message, -EINVAL, "the container's checksum is wrong");
	for (uint32_t i = 0; i < count; i++) {
		uint32_t offset = dword(bytes + HEADER_SIZE + 4 * i), chunk_size;
		int ret;

		if (offset > total || total - offset < 8)
			return shader_fail(message, -EINVAL, "chunk %u lies outside of the container", i);
		chunk_size = dword(bytes + offset + 4);
		if (chunk_size > total - offset - 8)
			return shader_fail(message, -EINVAL, "chunk %u passes the container's end", i);
		ret = parse_chunk(bytes + offset + 8, dword(bytes + offset), chunk_size, dxbc, message);
		if (ret)
			return ret;
	}
	if (!dxbc->program)
		return shader_fail(message, -EINVAL, "the container holds no SM4 or SM5 program");
	return 0;
}
