/* SPDX-License-Identifier: MIT */
/*
 * The DDI hands over a shader as its program (version token first) and its signatures without names. The shader
 * compiler reads DXBC containers: this builds one. User semantics get the name "R" and their register as index, which
 * is how stages are linked anyway; system values get their names.
 */
#include <stdlib.h>
#include <string.h>

#include "d3d11_front.h"
#include "dxbc_checksum.h"

#define TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define CHUNKS 3u
#define ELEMENT_SIZE 24u /* bytes of a signature element */
#define PROGRAM_PIXEL 0u /* bits 16..31 of the version token */
#define MAX_PROGRAM_WORDS (1u << 24)

/* D3D_NAME_*: the signature chunk's numbering */
#define NAME_TARGET 64u
#define NAME_DEPTH 65u

static const char *const system_names[] = {
	"R",
	"SV_Position",
	"SV_ClipDistance",
	"SV_CullDistance",
	"SV_RenderTargetArrayIndex",
	"SV_ViewportArrayIndex",
	"SV_VertexID",
	"SV_PrimitiveID",
	"SV_InstanceID",
	"SV_IsFrontFace",
	"SV_SampleIndex",
};

struct writer {
	uint8_t *data; /* NULL: only measure */
	size_t size;
};

static void put_bytes(struct writer *w, const void *bytes, size_t size)
{
	if (w->data)
		memcpy(w->data + w->size, bytes, size);
	w->size += size;
}

static void put_word(struct writer *w, uint32_t word)
{
	put_bytes(w, &word, sizeof(word));
}

struct element_name {
	const char *text;
	uint32_t index, system_value;
};

static struct element_name name_of(const D3D11_1DDIARG_SIGNATURE_ENTRY *entry, bool pixel_output)
{
	if (pixel_output && entry->Register == UINT32_MAX)
		return (struct element_name){"SV_Depth", 0, NAME_DEPTH};
	if (pixel_output)
		return (struct element_name){"SV_Target", entry->Register, NAME_TARGET};
	if (entry->SystemValue && entry->SystemValue < sizeof(system_names) / sizeof(system_names[0]))
		return (struct element_name){system_names[entry->SystemValue], 0, entry->SystemValue};
	return (struct element_name){"R", entry->Register, 0};
}

static void put_signature(struct writer *w, uint32_t tag, const D3D11_1DDIARG_SIGNATURE_ENTRY *entries, UINT count,
			  bool pixel_output)
{
	uint32_t names = 8 + ELEMENT_SIZE * count;
	size_t size = names;

	for (UINT i = 0; i < count; i++)
		size += strlen(name_of(&entries[i], pixel_output).text) + 1;
	put_word(w, tag);
	put_word(w, (uint32_t)d3dgpu_align(size, 4));
	put_word(w, count);
	put_word(w, 8);
	for (UINT i = 0; i < count; i++) {
		struct element_name name = name_of(&entries[i], pixel_output);
		uint8_t masks[4] = {entries[i].Mask, pixel_output ? 0 : entries[i].Mask, 0, 0};

		put_word(w, names);
		put_word(w, name.index);
		put_word(w, name.system_value);
		put_word(w, entries[i].RegisterComponentType);
		put_word(w, entries[i].Register);
		put_bytes(w, masks, sizeof(masks));
		names += (uint32_t)strlen(name.text) + 1;
	}
	for (UINT i = 0; i < count; i++) {
		const char *text = name_of(&entries[i], pixel_output).text;

		put_bytes(w, text, strlen(text) + 1);
	}
	put_bytes(w, "\0\0\0", d3dgpu_align(size, 4) - size);
}

static void put_container(struct writer *w, const UINT *code, const D3D11_1DDIARG_STAGE_IO_SIGNATURES *signatures,
			  const uint32_t offsets[CHUNKS], uint32_t total, uint32_t starts[CHUNKS])
{
	static const uint8_t no_checksum[16];
	bool pixel = code[0] >> 16 == PROGRAM_PIXEL;
	bool model5 = (code[0] >> 4 & 15) >= 5;

	put_word(w, TAG('D', 'X', 'B', 'C'));
	put_bytes(w, no_checksum, sizeof(no_checksum));
	put_word(w, 1);
	put_word(w, total);
	put_word(w, CHUNKS);
	put_bytes(w, offsets, CHUNKS * sizeof(offsets[0]));
	starts[0] = (uint32_t)w->size;
	put_signature(w, TAG('I', 'S', 'G', 'N'), signatures->pInputSignature, signatures->NumInputSignatureEntries,
		      false);
	starts[1] = (uint32_t)w->size;
	put_signature(w, TAG('O', 'S', 'G', 'N'), signatures->pOutputSignature, signatures->NumOutputSignatureEntries,
		      pixel);
	starts[2] = (uint32_t)w->size;
	put_word(w, model5 ? TAG('S', 'H', 'E', 'X') : TAG('S', 'H', 'D', 'R'));
	put_word(w, code[1] * 4);
	put_bytes(w, code, code[1] * 4);
}

void *d3d11_container(const UINT *code, const D3D11_1DDIARG_STAGE_IO_SIGNATURES *signatures, size_t *size)
{
	uint32_t offsets[CHUNKS] = {0}, starts[CHUNKS];
	struct writer measure = {0}, writer = {0};

	if (code[1] < 2 || code[1] > MAX_PROGRAM_WORDS)
		return NULL;
	put_container(&measure, code, signatures, offsets, 0, starts);
	writer.data = malloc(measure.size);
	if (!writer.data)
		return NULL;
	memcpy(offsets, starts, sizeof(offsets));
	put_container(&writer, code, signatures, offsets, (uint32_t)measure.size, starts);
	dxbc_checksum(writer.data + DXBC_CHECKSUM_START, writer.size - DXBC_CHECKSUM_START, writer.data + 4);
	*size = writer.size;
	return writer.data;
}
