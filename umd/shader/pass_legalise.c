/* SPDX-License-Identifier: MIT */
/*
 * Operand rules of the device that the IR does not have: integer operations take no modifiers, results of integer and
 * texture operations cannot be saturated, texture coordinates are plain temporaries, and some operations compute a
 * single component.
 */
#include "compiler.h"

static bool has_modifier(const struct ir_src *src)
{
	return src->negate || src->absolute;
}

static struct ir_src without_modifier(struct ir_src src)
{
	src.negate = src.absolute = false;
	return src;
}

/* Integer -x and |x| as values of their own. */
static struct ir_src integer_modified(struct ir_program *out, struct ir_src src, unsigned mask)
{
	struct ir_src value = without_modifier(src);

	if (src.absolute) {
		struct ir_src minus = ir_value1(out, IR_OP_INEG, mask, value);

		value = ir_value2(out, IR_OP_IMAX, mask, value, minus);
	}
	return src.negate ? ir_value1(out, IR_OP_INEG, mask, value) : value;
}

static void fix_sources(struct ir_program *out, struct ir_insn *insn)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];

	for (unsigned i = 0; i < info->src_count; i++) {
		struct ir_src *src = &insn->src[i];
		unsigned mask = ir_source_mask(insn, i);

		if (!mask)
			mask = IR_MASK_XYZW;
		if ((info->flags & IR_OP_TEXTURE) && !(insn->op == IR_OP_TG4 && i == 1)) {
			if (src->file != IR_TEMP || has_modifier(src))
				*src = ir_value1(out, IR_OP_MOV, IR_MASK_XYZW, *src);
		} else if (has_modifier(src) && info->type == IR_INT) {
			*src = integer_modified(out, *src, mask);
		} else if (has_modifier(src) && info->type == IR_ANY) {
			*src = ir_value1(out, IR_OP_MOV, mask, *src);
		}
	}
}

static bool can_saturate(const struct ir_insn *insn)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];

	return info->type == IR_FLOAT && !(info->flags & IR_OP_TEXTURE) && insn->op != IR_OP_F2I &&
	       insn->op != IR_OP_F2U;
}

static void by_component(struct ir_program *out, const struct ir_insn *insn)
{
	struct ir_insn one = *insn;

	for (unsigned c = 0; c < 4; c++) {
		if (!(insn->dst.mask & (1u << c)))
			continue;
		one.dst.mask = (uint8_t)(1u << c);
		for (unsigned i = 0; i < ir_op_infos[insn->op].src_count; i++)
			one.src[i] = ir_scalar(insn->src[i], c);
		ir_add_copy(out, &one);
	}
}

static void lower(struct ir_program *out, const struct ir_insn *original)
{
	const struct ir_op_info *info = &ir_op_infos[original->op];
	struct ir_insn insn = *original;
	bool single = (info->flags & IR_OP_SCALAR) && (insn.dst.mask & (insn.dst.mask - 1));
	bool indirect = insn.saturate && !can_saturate(&insn);
	struct ir_dst result = insn.dst;

	if (info->dst_count && insn.dst.file == IR_NULL)
		return;
	fix_sources(out, &insn);
	/* Arithmetic writes temporaries; other files are reached by moves. */
	indirect |= insn.op != IR_OP_MOV && info->dst_count && insn.dst.file != IR_TEMP;
	if (indirect || single)
		insn.dst = ir_dst(IR_TEMP, ir_new_temp(out), result.mask);
	if (indirect)
		insn.saturate = false;
	if (single)
		by_component(out, &insn);
	else
		ir_add_copy(out, &insn);
	if (indirect || single)
		ir_emit1(out, IR_OP_MOV, result, ir_src_of(insn.dst))->saturate = indirect && original->saturate;
}

void pass_legalise(struct ir_program *program)
{
	struct ir_program out;

	ir_begin_rewrite(&out, program);
	for (uint32_t i = 0; i < program->count; i++)
		lower(&out, &program->insns[i]);
	ir_end_rewrite(&out, program);
}
