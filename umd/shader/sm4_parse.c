/* SPDX-License-Identifier: MIT */
/*
 * Decoding of SM4/5 programs. As with SM1-3 the tokens are untrusted: each dword is fetched through a cursor that ends
 * with the instruction, and each instruction ends within the program.
 */
#include "sm4.h"

#include <errno.h>
#include <string.h>

#define EXTENDED_BIT 0x80000000u

/* The dwords of one instruction. */
struct cursor {
	const struct sm4_reader *reader;
	uint32_t position, end;
};

static uint32_t dword_at(const struct sm4_reader *reader, uint32_t position)
{
	uint32_t value;

	memcpy(&value, reader->code + (size_t)position * 4, 4);
	return value;
}

static int fetch(struct cursor *cursor, uint32_t *token)
{
	*token = 0;
	if (cursor->position >= cursor->end)
		return shader_fail(cursor->reader->message, -EINVAL, "dword %u: an instruction is cut short",
				   cursor->position);
	*token = dword_at(cursor->reader, cursor->position++);
	return 0;
}

static void decode_selection(uint32_t token, struct sm4_operand *operand)
{
	static const uint8_t counts[4] = {0, 1, 4, 0};
	unsigned mode = (token >> 2) & 3;

	operand->components = counts[token & 3];
	operand->mask = IR_MASK_XYZW;
	for (unsigned i = 0; i < 4; i++)
		operand->swizzle[i] = (uint8_t)i;
	if (operand->components == 1) {
		operand->mask = IR_MASK_X;
		memset(operand->swizzle, 0, 4);
	} else if (operand->components == 4 && mode == 0) {
		operand->mask = (token >> 4) & 15;
	} else if (operand->components == 4) {
		for (unsigned i = 0; i < 4; i++)
			operand->swizzle[i] = (token >> (mode == 1 ? 4 + 2 * i : 4)) & 3;
	}
}

static int fetch_modifiers(struct cursor *cursor, uint32_t token, struct sm4_operand *operand)
{
	while (token & EXTENDED_BIT) {
		int ret = fetch(cursor, &token);

		if (ret)
			return ret;
		if ((token & 63) != 1)
			continue;
		operand->negate = (token >> 6) & 1;
		operand->absolute = (token >> 7) & 1;
	}
	return 0;
}

/* An operand that is used as an index: registers with immediate indices only. */
static int fetch_relative(struct cursor *cursor, struct sm4_relative *rel)
{
	struct sm4_operand operand = {0};
	uint32_t token;
	int ret = fetch(cursor, &token);

	if (ret)
		return ret;
	decode_selection(token, &operand);
	*rel = (struct sm4_relative){.used = true, .type = (token >> 12) & 0xff, .component = operand.swizzle[0],
				     .index_count = (token >> 20) & 3};
	ret = fetch_modifiers(cursor, token, &operand);
	if (!ret && rel->index_count > 2)
		ret = shader_fail(cursor->reader->message, -ENOTSUP, "dword %u: an index with three indices",
				  cursor->position);
	for (unsigned i = 0; !ret && i < rel->index_count; i++) {
		if ((token >> (22 + 3 * i)) & 7)
			return shader_fail(cursor->reader->message, -ENOTSUP,
					   "dword %u: an index that is itself indexed", cursor->position);
		ret = fetch(cursor, &rel->index[i]);
	}
	return ret;
}

static int fetch_index(struct cursor *cursor, unsigned representation, uint32_t *index, struct sm4_relative *rel)
{
	uint32_t high = 0;
	int ret = 0;

	if (representation > 4)
		return shader_fail(cursor->reader->message, -EINVAL, "dword %u: index representation %u",
				   cursor->position, representation);
	if (representation != 2)
		ret = fetch(cursor, index);
	if (!ret && (representation == 1 || representation == 4)) {
		ret = fetch(cursor, &high);
		if (!ret && high)
			return shader_fail(cursor->reader->message, -EINVAL, "dword %u: index beyond 32 bits",
					   cursor->position);
	}
	if (!ret && representation >= 2)
		ret = fetch_relative(cursor, rel);
	return ret;
}

static int fetch_immediate(struct cursor *cursor, struct sm4_operand *operand)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < operand->components; i++)
		ret = fetch(cursor, &operand->imm[i]);
	for (unsigned i = 1; operand->components == 1 && i < 4; i++)
		operand->imm[i] = operand->imm[0];
	for (unsigned i = 0; i < 4; i++)
		operand->swizzle[i] = (uint8_t)i;
	return ret;
}

static int fetch_operand(struct cursor *cursor, struct sm4_operand *operand)
{
	uint32_t token;
	int ret = fetch(cursor, &token);

	if (ret)
		return ret;
	*operand = (struct sm4_operand){.type = (token >> 12) & 0xff, .index_count = (token >> 20) & 3};
	decode_selection(token, operand);
	ret = fetch_modifiers(cursor, token, operand);
	if (!ret && operand->type == SM4_REG_IMMEDIATE64)
		ret = shader_fail(cursor->reader->message, -ENOTSUP, "dword %u: double immediates are not built",
				  cursor->position);
	if (!ret && operand->type == SM4_REG_IMMEDIATE32)
		ret = fetch_immediate(cursor, operand);
	for (unsigned i = 0; !ret && i < operand->index_count; i++)
		ret = fetch_index(cursor, (token >> (22 + 3 * i)) & 7, &operand->index[i], &operand->rel[i]);
	return ret;
}

static int nibble(uint32_t token, unsigned shift)
{
	int value = (token >> shift) & 15;

	return value > 7 ? value - 16 : value;
}

static int fetch_extended(struct cursor *cursor, struct sm4_insn *insn)
{
	uint32_t token = insn->token;

	while (token & EXTENDED_BIT) {
		int ret = fetch(cursor, &token);

		if (ret)
			return ret;
		if ((token & 63) == 1) {
			for (unsigned i = 0; i < 3; i++)
				insn->offset[i] = (int8_t)nibble(token, 9 + 4 * i);
		}
	}
	return 0;
}

int sm4_reader_init(struct sm4_reader *reader, const void *code, size_t size, const struct shader_message *message)
{
	static const char stages[6] = {SHADER_PIXEL, SHADER_VERTEX, SHADER_GEOMETRY, SHADER_HULL, SHADER_DOMAIN,
				       SHADER_COMPUTE};
	uint32_t version, length;

	*reader = (struct sm4_reader){.code = code, .message = message};
	if (size < 8)
		return shader_fail(message, -EINVAL, "a program of %zu bytes", size);
	version = dword_at(reader, 0);
	length = dword_at(reader, 1);
	reader->major = (version >> 4) & 15;
	reader->minor = version & 15;
	if (version >> 16 > 5 || reader->major < 4 || reader->major > 5 || reader->minor > 1)
		return shader_fail(message, -EINVAL, "program version %#x", version);
	reader->stage = stages[version >> 16];
	if (length < 2 || length > size / 4)
		return shader_fail(message, -EINVAL, "a program of %u dwords in %zu bytes", length, size);
	reader->count = length;
	reader->position = 2;
	return 0;
}

static int instruction_length(const struct sm4_reader *reader, uint32_t token, uint32_t *length)
{
	uint32_t rest = reader->count - reader->position;

	*length = (token >> 24) & 0x7f;
	if ((token & 0x7ff) == SM4_CUSTOMDATA)
		*length = rest > 1 ? dword_at(reader, reader->position + 1) : 0;
	if (*length == 0 || *length > rest || ((token & 0x7ff) == SM4_CUSTOMDATA && *length < 2))
		return shader_fail(reader->message, -EINVAL, "dword %u: an instruction of %u dwords, %u are left",
				   reader->position, *length, rest);
	return 0;
}

int sm4_read(struct sm4_reader *reader, struct sm4_insn *insn)
{
	struct cursor cursor = {.reader = reader};
	const struct sm4_opcode_info *info;
	uint32_t length;
	int ret;

	if (reader->position >= reader->count)
		return 1;
	*insn = (struct sm4_insn){.at = reader->position, .token = dword_at(reader, reader->position)};
	insn->opcode = insn->token & 0x7ff;
	ret = instruction_length(reader, insn->token, &length);
	if (ret)
		return ret;
	cursor.position = reader->position + 1;
	cursor.end = reader->position + length;
	reader->position = cursor.end;
	info = sm4_opcode_info(insn->opcode);
	if (!info)
		return shader_fail(reader->message, -ENOTSUP, "dword %u: %s (opcode %u) is not built", insn->at,
				   sm4_opcode_name(insn->opcode), insn->opcode);
	insn->saturate = insn->token & (1u << 13);
	if (insn->opcode == SM4_CUSTOMDATA)
		cursor.position++;
	else
		ret = fetch_extended(&cursor, insn);
	insn->operand_count = (uint8_t)(info->dst_count + info->src_count);
	for (unsigned i = 0; !ret && i < insn->operand_count; i++)
		ret = fetch_operand(&cursor, &insn->operand[i]);
	insn->extra = reader->code + (size_t)cursor.position * 4;
	insn->extra_count = cursor.end - cursor.position;
	return ret;
}

uint32_t sm4_extra(const struct sm4_insn *insn, uint32_t number)
{
	uint32_t value = 0;

	if (number < insn->extra_count)
		memcpy(&value, insn->extra + (size_t)number * 4, 4);
	return value;
}
