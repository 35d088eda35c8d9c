/* SPDX-License-Identifier: MIT */
/* SM4/5 arithmetic. Most instructions are one IR operation (sm4_opcodes.c); here are the others. */
#include <errno.h>

#include "sm4_state.h"

/* Shift counts are taken modulo 32 in Direct3D, and undefined beyond that on the device. */
static struct ir_src shift_count(struct ir_program *out, struct ir_src count, unsigned mask)
{
	if (count.file == IR_IMMEDIATE) {
		for (unsigned i = 0; i < 4; i++)
			count.imm[i] &= 31;
		return count;
	}
	return ir_value2(out, IR_OP_AND, mask, count, ir_immu(31));
}

static void shift(struct ir_program *out, const struct sm4_insn *insn, struct ir_dst dst, const struct ir_src *s)
{
	enum ir_op op = insn->opcode == SM4_ISHL ? IR_OP_SHL : insn->opcode == SM4_ISHR ? IR_OP_ISHR : IR_OP_USHR;

	ir_emit2(out, op, dst, s[0], shift_count(out, s[1], dst.mask));
}

/* Conversions saturate, and NaN is 0: the device leaves both undefined. */
static void float_to_unsigned(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	const float limit = 4294967296.0f;
	struct ir_src value = ir_value2(out, IR_OP_MAX, dst.mask, s, ir_immf(0));
	struct ir_src large = ir_value2(out, IR_OP_FSGE, dst.mask, value, ir_immf(limit));
	struct ir_src positive = ir_value2(out, IR_OP_FSLT, dst.mask, ir_immf(0), s);

	value = ir_value1(out, IR_OP_F2U, dst.mask, value);
	value = ir_value2(out, IR_OP_OR, dst.mask, value, large);
	ir_emit2(out, IR_OP_AND, dst, value, positive);
}

static void float_to_signed(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	const float limit = 2147483648.0f;
	struct ir_src value = ir_value2(out, IR_OP_MAX, dst.mask, s, ir_immf(-limit));
	struct ir_src large = ir_value2(out, IR_OP_FSGE, dst.mask, s, ir_immf(limit));
	struct ir_src number = ir_value2(out, IR_OP_FSEQ, dst.mask, s, s);

	value = ir_value1(out, IR_OP_F2I, dst.mask, value);
	value = ir_value3(out, IR_OP_UCMP, dst.mask, large, ir_immu(INT32_MAX), value);
	ir_emit2(out, IR_OP_AND, dst, value, number);
}

/* The index of the highest bit, counted from the top: ~0 where there is none. */
static void first_high_bit(struct ir_program *out, const struct sm4_insn *insn, struct ir_dst dst, struct ir_src s)
{
	enum ir_op op = insn->opcode == SM4_FIRSTBIT_HI ? IR_OP_UMSB : IR_OP_IMSB;
	struct ir_src bit = ir_value1(out, op, dst.mask, s);
	struct ir_src none = ir_value2(out, IR_OP_USEQ, dst.mask, bit, ir_immu(UINT32_MAX));
	struct ir_src from_top = ir_value2(out, IR_OP_UADD, dst.mask, ir_immu(31),
					   ir_value1(out, IR_OP_INEG, dst.mask, bit));

	ir_emit2(out, IR_OP_OR, dst, from_top, none);
}

/* Bits [offset, offset + width) of the value, both modulo 32; width 0 gives 0. */
static void extract(struct ir_program *out, const struct sm4_insn *insn, struct ir_dst dst, const struct ir_src *s)
{
	enum ir_op right = insn->opcode == SM4_IBFE ? IR_OP_ISHR : IR_OP_USHR;
	unsigned mask = dst.mask;
	struct ir_src width = ir_value2(out, IR_OP_AND, mask, s[0], ir_immu(31));
	struct ir_src offset = ir_value2(out, IR_OP_AND, mask, s[1], ir_immu(31));
	struct ir_src end = ir_value2(out, IR_OP_UADD, mask, width, offset);
	struct ir_src inside = ir_value2(out, IR_OP_USLT, mask, end, ir_immu(32)), up, down, cut, rest, none;

	/* Shift the field to the top, then down; a field that passes bit 31 only goes down. */
	up = ir_value2(out, IR_OP_UADD, mask, ir_immu(32), ir_value1(out, IR_OP_INEG, mask, end));
	up = ir_value2(out, IR_OP_AND, mask, up, ir_immu(31));
	down = ir_value2(out, IR_OP_UADD, mask, ir_immu(32), ir_value1(out, IR_OP_INEG, mask, width));
	down = ir_value2(out, IR_OP_AND, mask, down, ir_immu(31));
	cut = ir_value2(out, right, mask, ir_value2(out, IR_OP_SHL, mask, s[2], up), down);
	rest = ir_value2(out, right, mask, s[2], offset);
	cut = ir_value3(out, IR_OP_UCMP, mask, inside, cut, rest);
	none = ir_value2(out, IR_OP_USNE, mask, width, ir_immu(0));
	ir_emit2(out, IR_OP_AND, dst, cut, none);
}

/* width, offset, inserted, base */
static void insert(struct ir_program *out, struct ir_dst dst, const struct ir_src *s)
{
	unsigned mask = dst.mask;
	struct ir_src width = ir_value2(out, IR_OP_AND, mask, s[0], ir_immu(31));
	struct ir_src offset = ir_value2(out, IR_OP_AND, mask, s[1], ir_immu(31));
	struct ir_src bits = ir_value2(out, IR_OP_SHL, mask, ir_immu(1), width), field, kept;

	bits = ir_value2(out, IR_OP_UADD, mask, bits, ir_immu(UINT32_MAX));
	bits = ir_value2(out, IR_OP_SHL, mask, bits, offset);
	field = ir_value2(out, IR_OP_AND, mask, ir_value2(out, IR_OP_SHL, mask, s[2], offset), bits);
	kept = ir_value2(out, IR_OP_AND, mask, s[3], ir_value1(out, IR_OP_NOT, mask, bits));
	ir_emit2(out, IR_OP_OR, dst, field, kept);
}

/* Half precision in the low 16 bits: 5 bits of exponent, bias 15. */
static void half_to_float(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	const uint32_t rebias = (127 - 15) << 23;
	unsigned mask = dst.mask;
	struct ir_src sign = ir_value2(out, IR_OP_AND, mask, s, ir_immu(0x8000));
	struct ir_src rest = ir_value2(out, IR_OP_AND, mask, s, ir_immu(0x7fff)), result, small, large, test;

	sign = ir_value2(out, IR_OP_SHL, mask, sign, ir_immu(16));
	result = ir_value2(out, IR_OP_SHL, mask, rest, ir_immu(13));
	large = ir_value2(out, IR_OP_OR, mask, result, ir_immu(0x7f800000));
	result = ir_value2(out, IR_OP_UADD, mask, result, ir_immu(rebias));
	test = ir_value2(out, IR_OP_USGE, mask, rest, ir_immu(0x7c00));
	result = ir_value3(out, IR_OP_UCMP, mask, test, large, result);
	/* Denormal halves are multiples of 2^-24. */
	small = ir_value1(out, IR_OP_U2F, mask, rest);
	small = ir_value2(out, IR_OP_MUL, mask, small, ir_immf(1.0f / 16777216));
	test = ir_value2(out, IR_OP_USLT, mask, rest, ir_immu(0x400));
	result = ir_value3(out, IR_OP_UCMP, mask, test, small, result);
	ir_emit2(out, IR_OP_OR, dst, result, sign);
}

/* Rounds to nearest even. */
static void float_to_half(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	const uint32_t rebias = (127 - 15) << 23;
	unsigned mask = dst.mask;
	struct ir_src value = ir_value1(out, IR_OP_MOV, mask, s), sign, rest, odd, result, small, test;

	sign = ir_value2(out, IR_OP_USHR, mask, value, ir_immu(16));
	sign = ir_value2(out, IR_OP_AND, mask, sign, ir_immu(0x8000));
	rest = ir_value2(out, IR_OP_AND, mask, value, ir_immu(0x7fffffff));
	odd = ir_value2(out, IR_OP_USHR, mask, rest, ir_immu(13));
	odd = ir_value2(out, IR_OP_AND, mask, odd, ir_immu(1));
	result = ir_value2(out, IR_OP_UADD, mask, rest, ir_immu(0xfff - rebias));
	result = ir_value2(out, IR_OP_UADD, mask, result, odd);
	result = ir_value2(out, IR_OP_USHR, mask, result, ir_immu(13));
	/* Below 2^-14: multiples of 2^-24. */
	small = ir_value2(out, IR_OP_MUL, mask, rest, ir_immf(16777216));
	small = ir_value1(out, IR_OP_ROUND, mask, small);
	small = ir_value1(out, IR_OP_F2U, mask, small);
	test = ir_value2(out, IR_OP_USLT, mask, rest, ir_immu(0x38800000));
	result = ir_value3(out, IR_OP_UCMP, mask, test, small, result);
	/* From 65520 on: infinity, and NaN stays one. */
	test = ir_value2(out, IR_OP_USGE, mask, rest, ir_immu(0x477ff000));
	result = ir_value3(out, IR_OP_UCMP, mask, test, ir_immu(0x7c00), result);
	test = ir_value2(out, IR_OP_USLT, mask, ir_immu(0x7f800000), rest);
	result = ir_value3(out, IR_OP_UCMP, mask, test, ir_immu(0x7e00), result);
	ir_emit2(out, IR_OP_OR, dst, result, sign);
}

/* The two results of a division or multiplication, or sine and cosine. Either destination may be null. */
static void two_results(struct ir_program *out, const struct sm4_insn *insn, const struct ir_dst *dsts,
			const struct ir_src *s)
{
	unsigned masks[2] = {dsts[0].mask, dsts[1].mask};
	struct ir_src results[2], by_zero;

	switch (insn->opcode) {
	case SM4_SINCOS:
		results[0] = ir_value1(out, IR_OP_SIN, masks[0], s[0]);
		results[1] = ir_value1(out, IR_OP_COS, masks[1], s[0]);
		break;
	case SM4_IMUL:
	case SM4_UMUL:
		results[0] = ir_value2(out, insn->opcode == SM4_IMUL ? IR_OP_IMUL_HI : IR_OP_UMUL_HI, masks[0], s[0],
				       s[1]);
		results[1] = ir_value2(out, IR_OP_UMUL, masks[1], s[0], s[1]);
		break;
	case SM4_UDIV:
		/* Division by zero gives ~0 twice. */
		by_zero = ir_value2(out, IR_OP_USEQ, masks[0] | masks[1], s[1], ir_immu(0));
		results[0] = ir_value2(out, IR_OP_UDIV, masks[0], s[0], s[1]);
		results[0] = ir_value2(out, IR_OP_OR, masks[0], results[0], by_zero);
		results[1] = ir_value2(out, IR_OP_UMOD, masks[1], s[0], s[1]);
		results[1] = ir_value2(out, IR_OP_OR, masks[1], results[1], by_zero);
		break;
	case SM4_UADDC:
		results[0] = ir_value2(out, IR_OP_UADD, masks[0] | masks[1], s[0], s[1]);
		results[1] = ir_value2(out, IR_OP_USLT, masks[1], results[0], s[0]);
		results[1] = ir_value2(out, IR_OP_AND, masks[1], results[1], ir_immu(1));
		break;
	case SM4_USUBB:
		results[0] = ir_value1(out, IR_OP_INEG, masks[0], s[1]);
		results[0] = ir_value2(out, IR_OP_UADD, masks[0], s[0], results[0]);
		results[1] = ir_value2(out, IR_OP_USLT, masks[1], s[0], s[1]);
		results[1] = ir_value2(out, IR_OP_AND, masks[1], results[1], ir_immu(1));
		break;
	default: /* SM4_SWAPC */
		results[0] = ir_value3(out, IR_OP_UCMP, masks[0], s[0], s[2], s[1]);
		results[1] = ir_value3(out, IR_OP_UCMP, masks[1], s[0], s[1], s[2]);
	}
	for (unsigned i = 0; i < 2; i++) {
		if (dsts[i].file != IR_NULL)
			ir_emit1(out, IR_OP_MOV, dsts[i], results[i])->saturate = insn->saturate;
	}
}

static int simple(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_opcode_info *info,
		  struct ir_dst dst, const struct ir_src *s)
{
	struct ir_insn *out = ir_add(sm4->ir, info->ir_op);

	out->dst = dst;
	out->saturate = insn->saturate && info->dst_count;
	for (unsigned i = 0; i < info->src_count; i++)
		out->src[i] = s[i];
	return 0;
}

static int expand(struct sm4 *sm4, const struct sm4_insn *insn, const struct ir_dst *dsts, const struct ir_src *s)
{
	struct ir_program *out = sm4->ir;

	switch (insn->opcode) {
	case SM4_ISHL:
	case SM4_ISHR:
	case SM4_USHR:
		shift(out, insn, dsts[0], s);
		return 0;
	case SM4_FTOI:
		float_to_signed(out, dsts[0], s[0]);
		return 0;
	case SM4_FTOU:
		float_to_unsigned(out, dsts[0], s[0]);
		return 0;
	case SM4_F16TOF32:
		half_to_float(out, dsts[0], s[0]);
		return 0;
	case SM4_F32TOF16:
		float_to_half(out, dsts[0], s[0]);
		return 0;
	case SM4_FIRSTBIT_HI:
	case SM4_FIRSTBIT_SHI:
		first_high_bit(out, insn, dsts[0], s[0]);
		return 0;
	case SM4_UBFE:
	case SM4_IBFE:
		extract(out, insn, dsts[0], s);
		return 0;
	case SM4_BFI:
		insert(out, dsts[0], s);
		return 0;
	case SM4_SINCOS:
	case SM4_IMUL:
	case SM4_UMUL:
	case SM4_UDIV:
	case SM4_UADDC:
	case SM4_USUBB:
	case SM4_SWAPC:
		two_results(out, insn, dsts, s);
		return 0;
	}
	return 1;
}

int sm4_arithmetic(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_opcode_info *info = sm4_opcode_info(insn->opcode);
	struct ir_dst dsts[2];
	struct ir_src s[SM4_MAX_OPERANDS];
	int ret = 0;

	if (!info->dst_count || !info->src_count)
		return 1;
	for (unsigned i = 1; i < insn->operand_count; i++) {
		if (insn->operand[i].type == SM4_REG_RESOURCE)
			return 1;
	}
	for (unsigned i = 0; !ret && i < info->dst_count; i++)
		ret = sm4_destination(sm4, insn, i, &dsts[i]);
	for (unsigned i = 0; !ret && i < info->src_count; i++)
		ret = sm4_source(sm4, insn, info->dst_count + i, &s[i]);
	if (ret)
		return ret;
	if (info->ir_op != IR_OP_COUNT)
		return simple(sm4, insn, info, dsts[0], s);
	return expand(sm4, insn, dsts, s);
}
