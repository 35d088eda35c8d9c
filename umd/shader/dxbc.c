/* SPDX-License-Identifier: MIT */
#include "dxbc.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "dxbc_checksum.h"

#define HEADER_SIZE 32

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
	uint8_t checksum[16];
	uint32_t total, count;

	*dxbc = (struct dxbc){0};
	if (size < HEADER_SIZE || dword(bytes) != DXBC_MAGIC)
		return shader_fail(message, -EINVAL, "neither a token stream nor a DXBC container");
	total = dword(bytes + 24);
	count = dword(bytes + 28);
	if (total < HEADER_SIZE || total > size)
		return shader_fail(message, -EINVAL, "the container says %u bytes, there are %zu", total, size);
	if (dword(bytes + 20) != 1 || count > (total - HEADER_SIZE) / 4)
		return shader_fail(message, -EINVAL, "container version %u with %u chunks", dword(bytes + 20), count);
	dxbc_checksum(bytes + DXBC_CHECKSUM_START, total - DXBC_CHECKSUM_START, checksum);
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
