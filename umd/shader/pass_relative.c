/* SPDX-License-Identifier: MIT */
/*
 * The device has one address register worth using. After this pass an indexed operand stands only in a move that has
 * one such operand; the emitter loads the address register in front of it.
 */
#include "compiler.h"

static bool is_indexed(const struct ir_src *src)
{
	return src->rel.used || src->dim_rel.used;
}

static void lower(struct ir_program *out, const struct ir_insn *original)
{
	const struct ir_op_info *info = &ir_op_infos[original->op];
	struct ir_insn insn = *original;
	bool to_indexed = info->dst_count && insn.dst.rel.used;
	struct ir_dst result = insn.dst;

	if (insn.op == IR_OP_MOV && !to_indexed && !insn.saturate && !(insn.src[0].negate || insn.src[0].absolute)) {
		ir_add_copy(out, &insn);
		return;
	}
	for (unsigned i = 0; i < info->src_count; i++) {
		struct ir_src *src = &insn.src[i], loaded;
		struct ir_src whole = *src;

		if (!is_indexed(src))
			continue;
		for (unsigned c = 0; c < 4; c++)
			whole.swizzle[c] = (uint8_t)c;
		whole.negate = whole.absolute = false;
		loaded = ir_value1(out, IR_OP_MOV, IR_MASK_XYZW, whole);
		for (unsigned c = 0; c < 4; c++)
			loaded.swizzle[c] = src->swizzle[c];
		loaded.negate = src->negate;
		loaded.absolute = src->absolute;
		*src = loaded;
	}
	if (to_indexed)
		insn.dst = ir_dst(IR_TEMP, ir_new_temp(out), result.mask);
	ir_add_copy(out, &insn);
	if (to_indexed)
		ir_emit1(out, IR_OP_MOV, result, ir_src_of(insn.dst));
}

void pass_relative(struct ir_program *program)
{
	struct ir_program out;
	bool needed = false;

	for (uint32_t i = 0; i < program->count && !needed; i++) {
		const struct ir_insn *insn = &program->insns[i];

		needed = ir_op_infos[insn->op].dst_count && insn->dst.rel.used;
		for (unsigned s = 0; s < ir_op_infos[insn->op].src_count; s++)
			needed |= is_indexed(&insn->src[s]);
	}
	if (!needed)
		return;
	ir_begin_rewrite(&out, program);
	for (uint32_t i = 0; i < program->count; i++)
		lower(&out, &program->insns[i]);
	ir_end_rewrite(&out, program);
}
