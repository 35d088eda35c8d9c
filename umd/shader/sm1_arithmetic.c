/* SPDX-License-Identifier: MIT */
/*
 * SM1-3 arithmetic. What Direct3D 9 defines differently from plain IEEE arithmetic is kept: rsq, log and pow take the
 * absolute value, and results that would be infinite are the largest float, so that 0 * rcp(0) is 0 and not NaN.
 */
#include "sm1_state.h"

#include <errno.h>
#include <float.h>

/* Scalar instructions read one component, named by a replicate swizzle. */
static struct ir_src scalar_source(struct ir_src src)
{
	return ir_scalar(src, 0);
}

static struct ir_src bounded(struct ir_program *out, struct ir_src value)
{
	value = ir_value2(out, IR_OP_MIN, IR_MASK_X, value, ir_immf(FLT_MAX));
	return ir_scalar(ir_value2(out, IR_OP_MAX, IR_MASK_X, value, ir_immf(-FLT_MAX)), 0);
}

static struct ir_src reciprocal_root(struct ir_program *out, struct ir_src src)
{
	struct ir_src value = ir_value1(out, IR_OP_RSQ, IR_MASK_X, ir_abs(src));

	return ir_scalar(ir_value2(out, IR_OP_MIN, IR_MASK_X, value, ir_immf(FLT_MAX)), 0);
}

static struct ir_src logarithm(struct ir_program *out, struct ir_src src)
{
	struct ir_src value = ir_value1(out, IR_OP_LG2, IR_MASK_X, ir_abs(src));

	return ir_scalar(ir_value2(out, IR_OP_MAX, IR_MASK_X, value, ir_immf(-FLT_MAX)), 0);
}

/* x = 2^floor(s), y = s - floor(s), z = 2^s, w = 1: the vs_1_1 form of expp. */
static void partial_exponent(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	struct ir_src whole = ir_value1(out, IR_OP_FLR, IR_MASK_X, s);

	ir_emit1(out, IR_OP_EX2, ir_dst_masked(dst, IR_MASK_X), ir_scalar(whole, 0));
	ir_emit1(out, IR_OP_FRC, ir_dst_masked(dst, IR_MASK_Y), s);
	ir_emit1(out, IR_OP_EX2, ir_dst_masked(dst, IR_MASK_Z), s);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_W), ir_immf(1));
}

/* x = exponent, y = mantissa, z = log2|s|, w = 1: the vs_1_1 form of logp. */
static void partial_logarithm(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	struct ir_src log = logarithm(out, s);
	struct ir_src exponent = ir_scalar(ir_value1(out, IR_OP_FLR, IR_MASK_X, log), 0);
	struct ir_src scale = ir_scalar(ir_value1(out, IR_OP_EX2, IR_MASK_X, ir_negated(exponent)), 0);

	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_X), exponent);
	ir_emit2(out, IR_OP_MUL, ir_dst_masked(dst, IR_MASK_Y), ir_abs(s), scale);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_Z), log);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_W), ir_immf(1));
}

/* Lighting coefficients: (1, max(N.L, 0), N.L > 0 and N.H > 0 ? N.H^power : 0, 1). */
static void lighting(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	const float limit = 127.9961f;
	struct ir_src power = ir_value2(out, IR_OP_MIN, IR_MASK_X, ir_scalar(s, 3), ir_immf(limit));
	struct ir_src lit, specular;

	power = ir_value2(out, IR_OP_MAX, IR_MASK_X, ir_scalar(power, 0), ir_immf(-limit));
	specular = ir_value2(out, IR_OP_MUL, IR_MASK_X, logarithm(out, ir_scalar(s, 1)), ir_scalar(power, 0));
	specular = ir_value1(out, IR_OP_EX2, IR_MASK_X, specular);
	lit = ir_value2(out, IR_OP_MIN, IR_MASK_X, ir_scalar(s, 0), ir_scalar(s, 1));
	lit = ir_value2(out, IR_OP_FSLT, IR_MASK_X, ir_immf(0), lit);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_X | IR_MASK_W), ir_immf(1));
	ir_emit2(out, IR_OP_MAX, ir_dst_masked(dst, IR_MASK_Y), ir_scalar(s, 0), ir_immf(0));
	ir_emit3(out, IR_OP_UCMP, ir_dst_masked(dst, IR_MASK_Z), ir_scalar(lit, 0), ir_scalar(specular, 0),
		 ir_immf(0));
}

/* (1, a.y * b.y, a.z, b.w) */
static void distance_vector(struct ir_program *out, struct ir_dst dst, struct ir_src a, struct ir_src b)
{
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_X), ir_immf(1));
	ir_emit2(out, IR_OP_MUL, ir_dst_masked(dst, IR_MASK_Y), a, b);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_Z), a);
	ir_emit1(out, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_W), b);
}

static void cross_product(struct ir_program *out, struct ir_dst dst, struct ir_src a, struct ir_src b)
{
	struct ir_src product = ir_value2(out, IR_OP_MUL, IR_MASK_XYZ, ir_swizzled(a, 2, 0, 1, 3),
					  ir_swizzled(b, 1, 2, 0, 3));

	ir_emit3(out, IR_OP_MAD, ir_dst_masked(dst, IR_MASK_XYZ), ir_swizzled(a, 1, 2, 0, 3),
		 ir_swizzled(b, 2, 0, 1, 3), ir_negated(product));
}

static void normalise(struct ir_program *out, struct ir_dst dst, struct ir_src s)
{
	struct ir_src square = ir_value2(out, IR_OP_DP3, IR_MASK_X, s, s);

	ir_emit2(out, IR_OP_MUL, dst, s, reciprocal_root(out, ir_scalar(square, 0)));
}

/* dst.row = source . matrix row */
static int matrix(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, struct ir_src vector,
		  enum ir_op product, unsigned rows)
{
	for (unsigned row = 0; row < rows; row++) {
		struct ir_src coefficients;
		int ret = sm1_source_row(sm1, insn, 1, row, &coefficients);

		if (ret)
			return ret;
		if (dst.mask & (1u << row))
			ir_emit2(sm1->ir, product, ir_dst_masked(dst, 1u << row), vector, coefficients);
	}
	return 0;
}

/* Integer address from a float: vs_1_1 rounds down, mova rounds to nearest. */
static void address(struct ir_program *out, struct ir_dst dst, struct ir_src src, enum ir_op rounding)
{
	struct ir_src rounded = ir_value1(out, rounding, dst.mask, src);

	ir_emit1(out, IR_OP_F2I, dst, rounded);
}

static void move(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, struct ir_src src)
{
	bool to_address = insn->dst.type == SM1_REG_ADDR && !sm1->pixel;

	if (insn->opcode == SM1_MOVA)
		address(sm1->ir, dst, src, IR_OP_ROUND);
	else if (to_address)
		address(sm1->ir, dst, src, sm1->version < 0x200 ? IR_OP_FLR : IR_OP_ROUND);
	else
		ir_emit1(sm1->ir, IR_OP_MOV, dst, src);
}

/* test ? yes : no, where test is ~0 or 0 */
static void choose(struct ir_program *out, struct ir_dst dst, struct ir_src test, struct ir_src yes, struct ir_src no)
{
	ir_emit3(out, IR_OP_UCMP, dst, test, yes, no);
}

static void interpolate(struct ir_program *out, struct ir_dst dst, struct ir_src factor, struct ir_src a,
			struct ir_src b)
{
	struct ir_src difference = ir_value2(out, IR_OP_ADD, dst.mask, a, ir_negated(b));

	ir_emit3(out, IR_OP_MAD, dst, factor, difference, b);
}

int sm1_compare(struct sm1 *sm1, const struct sm1_insn *insn, unsigned comparison, struct ir_src a, struct ir_src b,
		unsigned mask, struct ir_src *result)
{
	static const struct {
		uint16_t op;
		bool swap;
	} comparisons[7] = {
		[1] = {IR_OP_FSLT, true},  [2] = {IR_OP_FSEQ, false}, [3] = {IR_OP_FSGE, false},
		[4] = {IR_OP_FSLT, false}, [5] = {IR_OP_FSNE, false}, [6] = {IR_OP_FSGE, true},
	};

	if (comparison < 1 || comparison > 6)
		return sm1_error(sm1, insn, -EINVAL, "comparison");
	if (comparisons[comparison].swap)
		*result = ir_value2(sm1->ir, comparisons[comparison].op, mask, b, a);
	else
		*result = ir_value2(sm1->ir, comparisons[comparison].op, mask, a, b);
	return 0;
}

static int set_predicate(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, struct ir_src a,
			 struct ir_src b)
{
	struct ir_src result;
	int ret = sm1_compare(sm1, insn, insn->control & 7, a, b, dst.mask, &result);

	if (!ret)
		ir_emit1(sm1->ir, IR_OP_MOV, dst, result);
	return ret;
}

static void scalar(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, struct ir_src a, struct ir_src b)
{
	struct ir_program *out = sm1->ir;
	struct ir_src s = scalar_source(a), result;

	switch (insn->opcode) {
	case SM1_RCP:
		result = bounded(out, ir_value1(out, IR_OP_RCP, IR_MASK_X, s));
		break;
	case SM1_RSQ:
		result = reciprocal_root(out, s);
		break;
	case SM1_LOG:
	case SM1_LOGP:
		result = logarithm(out, s);
		break;
	case SM1_POW:
		/* |a|^b with 0^0 = 1 through exp2(b * log2 |a|). */
		result = ir_value2(out, IR_OP_MUL, IR_MASK_X, logarithm(out, s), scalar_source(b));
		result = ir_scalar(ir_value1(out, IR_OP_EX2, IR_MASK_X, result), 0);
		break;
	default:
		result = ir_scalar(ir_value1(out, IR_OP_EX2, IR_MASK_X, s), 0);
	}
	ir_emit1(out, IR_OP_MOV, dst, result);
}

/* cnd: s0 > 0.5; before ps_1_4 the condition is always r0.a. */
static void conditional(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, const struct ir_src *s)
{
	struct ir_src test;

	if (insn->opcode == SM1_CMP)
		test = ir_value2(sm1->ir, IR_OP_FSGE, dst.mask, s[0], ir_immf(0));
	else
		test = ir_value2(sm1->ir, IR_OP_FSLT, dst.mask, ir_immf(0.5f), s[0]);
	choose(sm1->ir, dst, test, s[1], s[2]);
}

static int expand(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst, const struct ir_src *s)
{
	struct ir_program *out = sm1->ir;

	switch (insn->opcode) {
	case SM1_MOV:
	case SM1_MOVA:
		move(sm1, insn, dst, s[0]);
		return 0;
	case SM1_SUB:
		ir_emit2(out, IR_OP_ADD, dst, s[0], ir_negated(s[1]));
		return 0;
	case SM1_ABS:
		ir_emit1(out, IR_OP_MOV, dst, ir_abs(s[0]));
		return 0;
	case SM1_EXPP:
	case SM1_LOGP:
		if (sm1->version >= 0x200 || sm1->pixel)
			scalar(sm1, insn, dst, s[0], s[1]);
		else if (insn->opcode == SM1_EXPP)
			partial_exponent(out, dst, scalar_source(s[0]));
		else
			partial_logarithm(out, dst, scalar_source(s[0]));
		return 0;
	case SM1_RCP:
	case SM1_RSQ:
	case SM1_EXP:
	case SM1_LOG:
	case SM1_POW:
		scalar(sm1, insn, dst, s[0], s[1]);
		return 0;
	case SM1_LIT:
		lighting(out, dst, s[0]);
		return 0;
	case SM1_DST:
		distance_vector(out, dst, s[0], s[1]);
		return 0;
	case SM1_LRP:
		interpolate(out, dst, s[0], s[1], s[2]);
		return 0;
	case SM1_CRS:
		cross_product(out, dst, s[0], s[1]);
		return 0;
	case SM1_SGN:
		ir_emit1(out, IR_OP_SSG, dst, s[0]);
		return 0;
	case SM1_NRM:
		normalise(out, dst, s[0]);
		return 0;
	case SM1_SINCOS:
		ir_emit1(out, IR_OP_COS, ir_dst_masked(dst, IR_MASK_X), scalar_source(s[0]));
		ir_emit1(out, IR_OP_SIN, ir_dst_masked(dst, IR_MASK_Y), scalar_source(s[0]));
		return 0;
	case SM1_CMP:
	case SM1_CND:
		conditional(sm1, insn, dst, s);
		return 0;
	case SM1_DP2ADD:
		ir_emit2(out, IR_OP_ADD, dst, ir_scalar(ir_value2(out, IR_OP_DP2, IR_MASK_X, s[0], s[1]), 0),
			 ir_scalar(s[2], 0));
		return 0;
	case SM1_SETP:
		return set_predicate(sm1, insn, dst, s[0], s[1]);
	case SM1_M4X4:
		return matrix(sm1, insn, dst, s[0], IR_OP_DP4, 4);
	case SM1_M4X3:
		return matrix(sm1, insn, dst, s[0], IR_OP_DP4, 3);
	case SM1_M3X4:
		return matrix(sm1, insn, dst, s[0], IR_OP_DP3, 4);
	case SM1_M3X3:
		return matrix(sm1, insn, dst, s[0], IR_OP_DP3, 3);
	case SM1_M3X2:
		return matrix(sm1, insn, dst, s[0], IR_OP_DP3, 2);
	}
	return 1;
}

int sm1_arithmetic(struct sm1 *sm1, const struct sm1_insn *insn)
{
	const struct sm1_opcode_info *info = sm1_opcode_info(insn->opcode);
	struct sm1_target target;
	struct ir_src s[4];
	int ret = 0;

	if (!info->dst_count || !info->src_count || (insn->opcode >= SM1_TEXCOORD && insn->opcode <= SM1_TEXM3X3VSPEC) ||
	    (insn->opcode >= SM1_TEXREG2RGB && insn->opcode <= SM1_TEXDEPTH) || insn->opcode == SM1_BEM ||
	    insn->opcode == SM1_TEXLDD || insn->opcode == SM1_TEXLDL)
		return 1;
	for (unsigned i = 0; i < 4; i++)
		s[i] = ir_immf(0);
	for (unsigned i = 0; !ret && i < info->src_count; i++)
		ret = sm1_source(sm1, insn, i, &s[i]);
	if (!ret)
		ret = sm1_begin(sm1, insn, info->ir_op == IR_OP_COUNT && insn->opcode != SM1_MOV, &target);
	if (ret)
		return ret;
	if (info->ir_op != IR_OP_COUNT) {
		struct ir_insn *out = ir_emit3(sm1->ir, info->ir_op, target.work, s[0], s[1], s[2]);

		for (unsigned i = info->src_count; i < IR_MAX_SOURCES; i++)
			out->src[i] = ir_src(IR_NULL, 0);
	} else {
		ret = expand(sm1, insn, target.work, s);
	}
	if (!ret)
		sm1_finish(sm1, &target);
	return ret;
}
