/* SPDX-License-Identifier: MIT */
/* SM1-3 flow control. Subroutines are inlined where they are called; loops get a counter of their own. */
#include "sm1_state.h"

#include <errno.h>

static int begin_loop(struct sm1 *sm1, const struct sm1_insn *insn, bool with_index)
{
	struct ir_program *out = sm1->ir;
	struct ir_src control, done;
	struct sm1_loop *loop;
	int ret = sm1_source(sm1, insn, with_index ? 1 : 0, &control);

	if (ret)
		return ret;
	if (sm1->loop_count == SM1_MAX_LOOPS)
		return sm1_error(sm1, insn, -EINVAL, "loops are nested too deeply");
	loop = &sm1->loops[sm1->loop_count++];
	loop->counter = ir_new_temp(out);
	loop->index = SHADER_NONE;
	ir_emit1(out, IR_OP_MOV, ir_dst(IR_TEMP, loop->counter, IR_MASK_X), ir_scalar(control, 0));
	if (with_index) {
		loop->index = ir_new_temp(out);
		loop->step = ir_scalar(control, 2);
		ir_emit1(out, IR_OP_MOV, ir_dst(IR_TEMP, loop->index, IR_MASK_X), ir_scalar(control, 1));
	}
	ir_emit0(out, IR_OP_BGNLOOP);
	done = ir_value2(out, IR_OP_ISGE, IR_MASK_X, ir_immu(0), ir_src(IR_TEMP, loop->counter));
	ir_test(out, IR_OP_UIF, ir_scalar(done, 0));
	ir_emit0(out, IR_OP_BRK);
	ir_emit0(out, IR_OP_ENDIF);
	sm1->flow_depth++;
	return 0;
}

static int end_loop(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct ir_program *out = sm1->ir;
	struct sm1_loop *loop;
	struct ir_dst dst;

	if (!sm1->loop_count || !sm1->flow_depth)
		return sm1_error(sm1, insn, -EINVAL, "no loop is open");
	loop = &sm1->loops[--sm1->loop_count];
	dst = ir_dst(IR_TEMP, loop->counter, IR_MASK_X);
	ir_emit2(out, IR_OP_UADD, dst, ir_src_of(dst), ir_immu(UINT32_MAX));
	if (loop->index != SHADER_NONE) {
		dst = ir_dst(IR_TEMP, loop->index, IR_MASK_X);
		ir_emit2(out, IR_OP_UADD, dst, ir_src_of(dst), loop->step);
	}
	ir_emit0(out, IR_OP_ENDLOOP);
	sm1->flow_depth--;
	return 0;
}

/* A boolean constant or a predicate component, possibly negated. */
static int condition(struct sm1 *sm1, const struct sm1_insn *insn, unsigned which, struct ir_src *src)
{
	int ret;

	if (insn->src[which].type != SM1_REG_CONSTBOOL && insn->src[which].type != SM1_REG_PREDICATE)
		return sm1_error(sm1, insn, -EINVAL, "the condition is neither boolean nor predicate");
	ret = sm1_source(sm1, insn, which, src);
	if (!ret && insn->src[which].modifier == SM1_MOD_NOT)
		*src = ir_scalar(ir_value2(sm1->ir, IR_OP_USEQ, IR_MASK_X, *src, ir_immu(0)), 0);
	return ret;
}

static int comparison(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_src *result)
{
	struct ir_src a, b;
	int ret = sm1_source(sm1, insn, 0, &a);

	if (!ret)
		ret = sm1_source(sm1, insn, 1, &b);
	if (!ret)
		ret = sm1_compare(sm1, insn, insn->control & 7, a, b, IR_MASK_X, result);
	if (!ret)
		*result = ir_scalar(*result, 0);
	return ret;
}

static void break_if(struct sm1 *sm1, struct ir_src test)
{
	ir_test(sm1->ir, IR_OP_UIF, test);
	ir_emit0(sm1->ir, IR_OP_BRK);
	ir_emit0(sm1->ir, IR_OP_ENDIF);
}

/* The body is translated again for each call; IR_MAX_INSNS bounds the result, SM1_MAX_CALL_DEPTH recursion. */
static int call(struct sm1 *sm1, const struct sm1_insn *insn)
{
	uint16_t label = insn->src[0].number;
	uint32_t back = sm1->reader.position, flow_depth = sm1->flow_depth;
	int ret;

	if (insn->src[0].type != SM1_REG_LABEL || label >= SM1_MAX_LABELS || !sm1->label_position[label])
		return sm1_error(sm1, insn, -EINVAL, "label is not defined");
	if (sm1->call_depth == SM1_MAX_CALL_DEPTH)
		return sm1_error(sm1, insn, -EINVAL, "calls are nested too deeply");
	sm1->call_depth++;
	sm1->flow_depth = 0;
	sm1->reader.position = sm1->label_position[label];
	ret = sm1_translate_block(sm1);
	sm1->reader.position = back;
	sm1->flow_depth = flow_depth;
	sm1->call_depth--;
	return ret;
}

static int call_if(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct ir_src test;
	int ret = condition(sm1, insn, 1, &test);

	if (ret)
		return ret;
	ir_test(sm1->ir, IR_OP_UIF, test);
	ret = call(sm1, insn);
	ir_emit0(sm1->ir, IR_OP_ENDIF);
	return ret;
}

int sm1_flow(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct ir_src test;
	int ret = 0;

	switch (insn->opcode) {
	case SM1_LOOP:
		return begin_loop(sm1, insn, true);
	case SM1_REP:
		return begin_loop(sm1, insn, false);
	case SM1_ENDLOOP:
	case SM1_ENDREP:
		return end_loop(sm1, insn);
	case SM1_IF:
	case SM1_IFC:
		ret = insn->opcode == SM1_IF ? condition(sm1, insn, 0, &test) : comparison(sm1, insn, &test);
		if (!ret)
			ir_test(sm1->ir, IR_OP_UIF, test);
		sm1->flow_depth++;
		return ret;
	case SM1_ELSE:
		ir_emit0(sm1->ir, IR_OP_ELSE);
		return 0;
	case SM1_ENDIF:
		if (!sm1->flow_depth)
			return sm1_error(sm1, insn, -EINVAL, "no if is open");
		sm1->flow_depth--;
		ir_emit0(sm1->ir, IR_OP_ENDIF);
		return 0;
	case SM1_BREAK:
		ir_emit0(sm1->ir, IR_OP_BRK);
		return 0;
	case SM1_BREAKC:
	case SM1_BREAKP:
		ret = insn->opcode == SM1_BREAKP ? condition(sm1, insn, 0, &test) : comparison(sm1, insn, &test);
		if (!ret)
			break_if(sm1, test);
		return ret;
	case SM1_CALL:
		return call(sm1, insn);
	case SM1_CALLNZ:
		return call_if(sm1, insn);
	}
	return 1;
}
