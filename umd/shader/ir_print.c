/* SPDX-License-Identifier: MIT */
/* The intermediate representation as text: one instruction a line, indented by flow control. */
#include "ir.h"
#include "text.h"

static const char components[] = "xyzw";

static const char *const value_names[IR_VALUE_COUNT] = {
	[IR_VALUE_VERTEX_ID] = "vertex_id",	 [IR_VALUE_INSTANCE_ID] = "instance_id",
	[IR_VALUE_PRIMITIVE_ID] = "primitive_id", [IR_VALUE_POSITION] = "position",
	[IR_VALUE_PIXEL] = "pixel",		 [IR_VALUE_FACE] = "face",
	[IR_VALUE_FRONT_FACE] = "front_face",	 [IR_VALUE_SAMPLE_ID] = "sample_id",
	[IR_VALUE_COVERAGE] = "coverage",	 [IR_VALUE_INVOCATION_ID] = "invocation_id",
	[IR_VALUE_FOG] = "fog",
};

static void print_index(struct text *text, uint32_t index, const struct ir_relative *rel)
{
	if (rel->used)
		text_add(text, "[t%u.%c+%u]", rel->temp, components[rel->component & 3], index);
	else
		text_add(text, "[%u]", index);
}

static void print_register(struct text *text, uint8_t file, uint32_t index, uint32_t dim,
			   const struct ir_relative *rel, const struct ir_relative *dim_rel)
{
	switch (file) {
	case IR_NULL:
		text_add(text, "null");
		return;
	case IR_TEMP:
		text_add(text, "t%u", index);
		return;
	case IR_ARRAY:
		text_add(text, "x%u", dim);
		break;
	case IR_INPUT:
		text_add(text, "in");
		if (dim || dim_rel->used)
			print_index(text, dim, dim_rel);
		break;
	case IR_OUTPUT:
		text_add(text, "out");
		break;
	case IR_FLOAT_CONST:
		text_add(text, "c");
		break;
	case IR_INT_CONST:
		text_add(text, "i");
		break;
	case IR_BOOL_CONST:
		text_add(text, "b");
		break;
	case IR_BUFFER:
		text_add(text, "cb%u", dim);
		break;
	case IR_SYSTEM:
		text_add(text, "sys");
		break;
	case IR_VALUE:
		text_add(text, "%s", index < IR_VALUE_COUNT ? value_names[index] : "?");
		return;
	default:
		text_add(text, "?%u", file);
	}
	print_index(text, index, rel);
}

static void print_src(struct text *text, const struct ir_src *src)
{
	if (src->negate)
		text_add(text, "-");
	if (src->absolute)
		text_add(text, "|");
	if (src->file == IR_IMMEDIATE)
		text_add(text, "{%#x, %#x, %#x, %#x}", src->imm[0], src->imm[1], src->imm[2], src->imm[3]);
	else
		print_register(text, src->file, src->index, src->dim, &src->rel, &src->dim_rel);
	text_add(text, ".");
	for (unsigned i = 0; i < 4; i++)
		text_add(text, "%c", components[src->swizzle[i] & 3]);
	if (src->absolute)
		text_add(text, "|");
}

static void print_dst(struct text *text, const struct ir_dst *dst)
{
	static const struct ir_relative none;

	print_register(text, dst->file, dst->index, dst->dim, &dst->rel, &none);
	text_add(text, ".");
	for (unsigned i = 0; i < 4; i++) {
		if (dst->mask & (1u << i))
			text_add(text, "%c", components[i]);
	}
}

static void print_insn(struct text *text, const struct ir_insn *insn)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];
	const char *separator = " ";

	text_add(text, "%s%s", info->name, insn->saturate ? "_SAT" : "");
	if (info->dst_count) {
		text_add(text, " ");
		print_dst(text, &insn->dst);
		separator = ", ";
	}
	for (unsigned i = 0; i < info->src_count; i++) {
		text_add(text, "%s", separator);
		print_src(text, &insn->src[i]);
		separator = ", ";
	}
	if (info->flags & IR_OP_TEXTURE) {
		text_add(text, "%sunit%u", separator, insn->texture.unit);
		if (insn->texture.offset[0] || insn->texture.offset[1] || insn->texture.offset[2])
			text_add(text, " offset(%d %d %d)", insn->texture.offset[0], insn->texture.offset[1],
				 insn->texture.offset[2]);
	}
	text_add(text, "\n");
}

char *ir_print(const struct ir_program *program)
{
	struct text text = {0};
	unsigned depth = 0;

	for (uint32_t i = 0; i < program->count; i++) {
		const struct ir_insn *insn = &program->insns[i];
		bool closes = insn->op == IR_OP_ENDIF || insn->op == IR_OP_ENDLOOP || insn->op == IR_OP_ENDSWITCH;
		bool opens = insn->op == IR_OP_UIF || insn->op == IR_OP_BGNLOOP || insn->op == IR_OP_SWITCH;

		if (closes && depth)
			depth--;
		text_add(&text, "%4u: %*s", i, (int)(depth < 20 ? depth : 20) * 2, "");
		print_insn(&text, insn);
		if (opens)
			depth++;
	}
	return text_take(&text, NULL);
}
