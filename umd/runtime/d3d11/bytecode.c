/* SPDX-License-Identifier: MIT */
/* DXBC containers: the checksum, the program and the signatures. Nothing outside the given bytes is read. */
#include "d3d11_private.h"

#include <ctype.h>
#include <string.h>

#include "dxbc_checksum.h"

#define HEADER_SIZE 32u
#define MAX_CHUNKS 64u

struct chunk {
	const uint8_t *data;
	UINT size;
};

static UINT word_at(const uint8_t *data)
{
	UINT word;

	memcpy(&word, data, sizeof(word));
	return word;
}

static bool is_tag(const uint8_t *data, const char *tag)
{
	return !memcmp(data, tag, 4);
}

/* ---- signatures ---- */

/* Where the fields of an element are: newer kinds have a stream before and a precision behind. */
struct layout {
	UINT size, start;
	bool precision;
};

static struct layout layout_of(const uint8_t *tag)
{
	if (tag[3] == '1')
		return (struct layout){32, 4, true};
	if (tag[3] == '5')
		return (struct layout){28, 4, false};
	return (struct layout){24, 0, false};
}

/* The name in upper case. false: not terminated inside the chunk, or too long. */
static bool read_name(struct chunk chunk, UINT offset, char out[64])
{
	for (UINT i = 0; offset + i < chunk.size && i < 64; i++) {
		out[i] = (char)toupper(chunk.data[offset + i]);
		if (!out[i])
			return true;
	}
	return false;
}

static bool parse_element(struct chunk chunk, UINT at, struct layout layout, struct d3d11_signature_element *out)
{
	const uint8_t *fields = chunk.data + at + layout.start;

	if (!read_name(chunk, word_at(fields), out->name))
		return false;
	out->semantic_index = word_at(fields + 4);
	out->system_value = word_at(fields + 8);
	out->component_type = word_at(fields + 12);
	out->reg = word_at(fields + 16);
	out->mask = fields[20];
	out->used = fields[21];
	out->min_precision = layout.precision ? word_at(fields + 24) : 0;
	return true;
}

static bool parse_signature(const uint8_t *tag, struct chunk chunk, struct d3d11_signature *out)
{
	struct layout layout = layout_of(tag);
	UINT count, start;

	if (chunk.size < 8)
		return false;
	count = word_at(chunk.data);
	start = word_at(chunk.data + 4);
	if (count > MAX_SIGNATURE || start > chunk.size || (uint64_t)count * layout.size > chunk.size - start)
		return false;
	out->count = count;
	for (UINT i = 0; i < count; i++)
		if (!parse_element(chunk, start + i * layout.size, layout, &out->elements[i]))
			return false;
	return true;
}

/* ---- program ---- */

static bool parse_program(struct chunk chunk, struct d3d11_bytecode *out)
{
	UINT version;

	if (chunk.size < 8 || (uintptr_t)chunk.data % sizeof(UINT))
		return false;
	out->program = (const UINT *)(const void *)chunk.data;
	out->program_words = out->program[1];
	version = out->program[0];
	out->type = version >> 16;
	out->major = version >> 4 & 15;
	out->minor = version & 15;
	return out->program_words >= 2 && out->program_words <= chunk.size / 4 && out->type <= 5 &&
	       (out->major == 4 || out->major == 5);
}

static bool parse_chunk(const uint8_t *tag, struct chunk chunk, struct d3d11_bytecode *out)
{
	if (is_tag(tag, "SHDR") || is_tag(tag, "SHEX"))
		return parse_program(chunk, out);
	if (is_tag(tag, "ISGN") || is_tag(tag, "ISG1"))
		return parse_signature(tag, chunk, &out->input);
	if (is_tag(tag, "OSGN") || is_tag(tag, "OSG5") || is_tag(tag, "OSG1"))
		return parse_signature(tag, chunk, &out->output);
	if (is_tag(tag, "PCSG") || is_tag(tag, "PSG1"))
		return parse_signature(tag, chunk, &out->patch);
	return true;
}

static bool valid_container(const uint8_t *bytes, SIZE_T size)
{
	uint8_t digest[16];

	if (size < HEADER_SIZE || !is_tag(bytes, "DXBC") || word_at(bytes + 20) != 1 || word_at(bytes + 24) > size ||
	    word_at(bytes + 24) < HEADER_SIZE)
		return false;
	dxbc_checksum(bytes + DXBC_CHECKSUM_START, word_at(bytes + 24) - DXBC_CHECKSUM_START, digest);
	return !memcmp(digest, bytes + 4, sizeof(digest));
}

HRESULT bytecode_parse(const void *code, SIZE_T size, struct d3d11_bytecode *out)
{
	const uint8_t *bytes = code;
	UINT total, count;

	memset(out, 0, sizeof(*out));
	if (!code || !valid_container(bytes, size)) {
		runtime_refused("bytecode", "not a DXBC container, or its checksum is wrong");
		return E_INVALIDARG;
	}
	total = word_at(bytes + 24);
	count = word_at(bytes + 28);
	if (count > MAX_CHUNKS || count > (total - HEADER_SIZE) / 4)
		return E_INVALIDARG;
	for (UINT i = 0; i < count; i++) {
		UINT offset = word_at(bytes + HEADER_SIZE + 4 * i);
		struct chunk chunk;

		if (offset > total - 8)
			return E_INVALIDARG;
		chunk = (struct chunk){bytes + offset + 8, word_at(bytes + offset + 4)};
		if (chunk.size > total - offset - 8 || !parse_chunk(bytes + offset, chunk, out)) {
			runtime_refused("bytecode", "chunk %u is malformed", i);
			return E_INVALIDARG;
		}
	}
	return S_OK;
}
