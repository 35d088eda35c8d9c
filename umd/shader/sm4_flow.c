/* SPDX-License-Identifier: MIT */
/* SM4/5 flow control, discard and geometry output. */
#include <errno.h>

#include "sm4_state.h"

#define TEST_NONZERO (1u << 18)

/* The value whose .x is not zero where the instruction takes effect. */
static int condition(struct sm4 *sm4, const struct sm4_insn *insn, struct ir_src *test)
{
	int ret = sm4_source(sm4, insn, 0, test);

	if (ret)
		return ret;
	*test = ir_scalar(*test, 0);
	if (!(insn->token & TEST_NONZERO))
		*test = ir_scalar(ir_value2(sm4->ir, IR_OP_USEQ, IR_MASK_X, *test, ir_immu(0)), 0);
	return 0;
}

static int conditional(struct sm4 *sm4, const struct sm4_insn *insn, enum ir_op op)
{
	struct ir_src test;
	int ret = condition(sm4, insn, &test);

	if (ret)
		return ret;
	ir_test(sm4->ir, IR_OP_UIF, test);
	ir_emit0(sm4->ir, op);
	ir_emit0(sm4->ir, IR_OP_ENDIF);
	return 0;
}

/* Stream 0 only. */
static int geometry(struct sm4 *sm4, const struct sm4_insn *insn)
{
	bool emits = insn->opcode == SM4_EMIT || insn->opcode == SM4_EMITTHENCUT ||
		     insn->opcode == SM4_EMIT_STREAM || insn->opcode == SM4_EMITTHENCUT_STREAM;
	bool cuts = insn->opcode != SM4_EMIT && insn->opcode != SM4_EMIT_STREAM;

	if (sm4->shader->info.stage != SHADER_GEOMETRY)
		return sm4_error(sm4, insn, -EINVAL, "outside of a geometry shader");
	if (insn->operand_count && insn->operand[0].index[0])
		return sm4_error(sm4, insn, -ENOTSUP, "streams other than 0 are not built");
	if (emits)
		ir_test(sm4->ir, IR_OP_EMIT, ir_immu(0));
	if (cuts)
		ir_test(sm4->ir, IR_OP_ENDPRIM, ir_immu(0));
	return 0;
}

int sm4_flow(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_opcode_info *info = sm4_opcode_info(insn->opcode);
	struct ir_src test;
	int ret;

	switch (insn->opcode) {
	case SM4_IF:
		ret = condition(sm4, insn, &test);
		if (!ret)
			ir_test(sm4->ir, IR_OP_UIF, test);
		return ret;
	case SM4_BREAKC:
		return conditional(sm4, insn, IR_OP_BRK);
	case SM4_CONTINUEC:
		return conditional(sm4, insn, IR_OP_CONTINUE);
	case SM4_RETC:
		return conditional(sm4, insn, IR_OP_RET);
	case SM4_DISCARD:
		sm4->shader->info.kills = true;
		return conditional(sm4, insn, IR_OP_KILL);
	case SM4_SWITCH:
		ret = sm4_source(sm4, insn, 0, &test);
		if (!ret)
			ir_test(sm4->ir, IR_OP_SWITCH, ir_scalar(test, 0));
		return ret;
	case SM4_CASE:
		if (insn->operand[0].type != SM4_REG_IMMEDIATE32)
			return sm4_error(sm4, insn, -EINVAL, "the label is no constant");
		ir_test(sm4->ir, IR_OP_CASE, ir_immu(insn->operand[0].imm[0]));
		return 0;
	case SM4_EMIT:
	case SM4_CUT:
	case SM4_EMITTHENCUT:
	case SM4_EMIT_STREAM:
	case SM4_CUT_STREAM:
	case SM4_EMITTHENCUT_STREAM:
		return geometry(sm4, insn);
	}
	if (info->dst_count || info->src_count || info->ir_op == IR_OP_COUNT)
		return 1;
	ir_emit0(sm4->ir, info->ir_op);
	return 0;
}
