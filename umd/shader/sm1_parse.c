/* SPDX-License-Identifier: MIT */
/*
 * Decoding of SM1-3 token streams. The stream comes from a program and is not trusted: every dword is fetched through
 * fetch(), which knows the end, and nothing is taken from the stream as a length without a check against it.
 */
#include "sm1.h"

#include <errno.h>
#include <string.h>

#define PARAMETER_BIT 0x80000000u

static int fetch(struct sm1_reader *reader, uint32_t *token)
{
	*token = 0;
	if (reader->position >= reader->count)
		return shader_fail(reader->message, -EINVAL, "the token stream ends at dword %u without an end token",
				   reader->count);
	memcpy(token, reader->code + (size_t)reader->position * 4, 4);
	reader->position++;
	return 0;
}

static int fetch_parameter(struct sm1_reader *reader, uint32_t *token)
{
	int ret = fetch(reader, token);

	if (!ret && !(*token & PARAMETER_BIT))
		return shader_fail(reader->message, -EINVAL, "dword %u: %#x is not a parameter token",
				   reader->position - 1, *token);
	return ret;
}

static void decode_register(uint32_t token, struct sm1_operand *operand)
{
	*operand = (struct sm1_operand){0};
	operand->type = (uint8_t)(((token >> 28) & 7) | ((token >> 8) & 0x18));
	operand->number = token & 0x7ff;
	operand->relative = token & (1u << 13);
	for (unsigned i = 0; i < 4; i++)
		operand->swizzle[i] = (token >> (16 + 2 * i)) & 3;
}

/* SM2 and later name the address register in a token of its own; vs_1_1 means a0.x. */
static int read_relative(struct sm1_reader *reader, struct sm1_operand *operand)
{
	struct sm1_operand address;
	uint32_t token;
	int ret;

	operand->relative_type = SM1_REG_ADDR;
	operand->relative_component = 0;
	if (!operand->relative || reader->version < 0x200)
		return 0;
	ret = fetch_parameter(reader, &token);
	if (ret)
		return ret;
	decode_register(token, &address);
	if (address.type != SM1_REG_ADDR && address.type != SM1_REG_LOOP)
		return shader_fail(reader->message, -EINVAL, "dword %u: register type %u cannot address",
				   reader->position - 1, address.type);
	operand->relative_type = address.type;
	operand->relative_component = address.swizzle[0];
	return 0;
}

static int read_source(struct sm1_reader *reader, struct sm1_operand *operand)
{
	uint32_t token;
	int ret = fetch_parameter(reader, &token);

	if (ret)
		return ret;
	decode_register(token, operand);
	operand->modifier = (token >> 24) & 15;
	if (operand->modifier > SM1_MOD_NOT)
		return shader_fail(reader->message, -EINVAL, "dword %u: source modifier %u", reader->position - 1,
				   operand->modifier);
	return read_relative(reader, operand);
}

static int read_destination(struct sm1_reader *reader, struct sm1_operand *operand)
{
	uint32_t token;
	int ret = fetch_parameter(reader, &token);

	if (ret)
		return ret;
	decode_register(token, operand);
	operand->mask = (token >> 16) & 15;
	operand->saturate = token & (1u << 20);
	operand->centroid = token & (4u << 20);
	operand->shift = (int8_t)((token >> 24) & 15);
	if (operand->shift > 7)
		operand->shift = (int8_t)(operand->shift - 16);
	return read_relative(reader, operand);
}

/* Counts that depend on the version. */
static void operand_counts(const struct sm1_reader *reader, const struct sm1_insn *insn,
			   const struct sm1_opcode_info *info, unsigned *dsts, unsigned *srcs)
{
	*dsts = info->dst_count;
	*srcs = info->src_count;
	switch (insn->opcode) {
	case SM1_SGN:
	case SM1_SINCOS:
		if (reader->version < 0x300)
			*srcs = 3;
		break;
	case SM1_TEXCOORD:
		if (reader->version >= 0x104)
			*srcs = 1;
		break;
	case SM1_TEX:
		if (reader->version >= 0x104)
			*srcs = reader->version >= 0x200 ? 2 : 1;
		break;
	}
}

static int read_raw(struct sm1_reader *reader, struct sm1_insn *insn, unsigned count)
{
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++)
		ret = fetch(reader, &insn->raw[i]);
	return ret;
}

static int read_operands(struct sm1_reader *reader, struct sm1_insn *insn, const struct sm1_opcode_info *info)
{
	unsigned dsts, srcs;
	int ret = 0;

	operand_counts(reader, insn, info, &dsts, &srcs);
	if (insn->opcode == SM1_DCL)
		ret = fetch_parameter(reader, &insn->raw[0]);
	if (!ret && dsts)
		ret = read_destination(reader, &insn->dst);
	if (!ret && insn->predicated)
		ret = read_source(reader, &insn->predicate);
	for (unsigned i = 0; !ret && i < srcs; i++)
		ret = read_source(reader, &insn->src[i]);
	insn->src_count = (uint8_t)srcs;
	if (ret)
		return ret;
	if (insn->opcode == SM1_DEF || insn->opcode == SM1_DEFI)
		return read_raw(reader, insn, 4);
	if (insn->opcode == SM1_DEFB)
		return read_raw(reader, insn, 1);
	return 0;
}

static int check_version(const struct sm1_reader *reader, const struct sm1_insn *insn,
			 const struct sm1_opcode_info *info)
{
	bool stage = info->stages & (reader->pixel ? 2 : 1);
	/* 2_x (minor 1) and 2_sw (minor 255) are supersets. */
	bool version = reader->version >= info->first && (!info->last || reader->version <= info->last);

	if (stage && version)
		return 0;
	return shader_fail(reader->message, -EINVAL, "dword %u: %s does not exist in %s_%u_%u", insn->at, info->name,
			   reader->pixel ? "ps" : "vs", reader->version >> 8, reader->version & 0xff);
}

int sm1_reader_init(struct sm1_reader *reader, const void *code, size_t size, const struct shader_message *message)
{
	uint32_t token;
	int ret;

	*reader = (struct sm1_reader){.code = code, .message = message};
	reader->count = size / 4 > UINT32_MAX ? UINT32_MAX : (uint32_t)(size / 4);
	ret = fetch(reader, &token);
	if (ret)
		return ret;
	reader->pixel = token >> 16 == 0xffff;
	reader->version = token & 0xffff;
	if (token >> 16 != 0xffff && token >> 16 != 0xfffe)
		return shader_fail(message, -EINVAL, "version token %#x", token);
	switch (reader->version) {
	case 0x100: case 0x101: case 0x200: case 0x201: case 0x2ff: case 0x300: case 0x3ff:
		return 0;
	case 0x102: case 0x103: case 0x104:
		if (reader->pixel)
			return 0;
	}
	return shader_fail(message, -EINVAL, "shader version %u.%u", reader->version >> 8, reader->version & 0xff);
}

static int skip_comment(struct sm1_reader *reader, uint32_t token)
{
	uint32_t length = (token >> 16) & 0x7fff;

	if (length > reader->count - reader->position)
		return shader_fail(reader->message, -EINVAL, "dword %u: a comment of %u dwords passes the end",
				   reader->position - 1, length);
	reader->position += length;
	return 0;
}

int sm1_read(struct sm1_reader *reader, struct sm1_insn *insn)
{
	const struct sm1_opcode_info *info;
	uint32_t token, length;
	int ret;

	do {
		ret = fetch(reader, &token);
		if (!ret && (token & 0xffff) == SM1_COMMENT)
			ret = skip_comment(reader, token);
		if (ret)
			return ret;
	} while ((token & 0xffff) == SM1_COMMENT);

	*insn = (struct sm1_insn){.at = reader->position - 1, .opcode = token & 0xffff};
	if (insn->opcode == SM1_END || insn->opcode == SM1_PHASE)
		return 0;
	insn->control = (token >> 16) & 0xff;
	insn->predicated = token & (1u << 28);
	insn->coissue = token & (1u << 30);
	info = sm1_opcode_info(insn->opcode);
	if (!info || (token & PARAMETER_BIT))
		return shader_fail(reader->message, -EINVAL, "dword %u: %#x is not an instruction", insn->at, token);
	ret = check_version(reader, insn, info);
	if (!ret)
		ret = read_operands(reader, insn, info);
	if (ret || reader->version < 0x200)
		return ret;
	length = (token >> 24) & 15;
	if (reader->position - insn->at - 1 != length)
		return shader_fail(reader->message, -EINVAL, "dword %u: %s has length %u, its operands take %u", insn->at,
				   info->name, length, reader->position - insn->at - 1);
	return 0;
}
