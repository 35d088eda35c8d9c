/* SPDX-License-Identifier: MIT */
/* Checks what passes and the emitter rely on. Runs after the parse, and after each pass in debug builds. */
#include "ir.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct validator {
	const struct ir_program *program;
	const struct shader_info *info;
	bool native;
	char *message;
	size_t message_size;
	uint32_t at;
	uint16_t *open;			/* the flow operations that are open, innermost last */
	uint32_t depth;
};

__attribute__((format(printf, 2, 3))) static int offence(struct validator *v, const char *format, ...)
{
	char text[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (v->message)
		snprintf(v->message, v->message_size, "IR instruction %u (%s): %s", v->at,
			 ir_op_infos[v->program->insns[v->at].op < IR_OP_COUNT ? v->program->insns[v->at].op : 0].name,
			 text);
	return -EINVAL;
}

static int check_relative(struct validator *v, const struct ir_relative *rel)
{
	if (rel->used && (rel->temp >= v->program->temp_count || rel->component > 3))
		return offence(v, "address in t%u.%u", rel->temp, rel->component);
	return 0;
}

/* Bit n = stage n has the value. */
static const uint8_t value_stages[IR_VALUE_COUNT] = {
	[IR_VALUE_VERTEX_ID] = 1 << SHADER_VERTEX,
	[IR_VALUE_INSTANCE_ID] = 1 << SHADER_VERTEX,
	[IR_VALUE_PRIMITIVE_ID] = 1 << SHADER_PIXEL | 1 << SHADER_GEOMETRY,
	[IR_VALUE_POSITION] = 1 << SHADER_PIXEL,
	[IR_VALUE_PIXEL] = 1 << SHADER_PIXEL,
	[IR_VALUE_FACE] = 1 << SHADER_PIXEL,
	[IR_VALUE_FRONT_FACE] = 1 << SHADER_PIXEL,
	[IR_VALUE_SAMPLE_ID] = 1 << SHADER_PIXEL,
	[IR_VALUE_COVERAGE] = 1 << SHADER_PIXEL,
	[IR_VALUE_INVOCATION_ID] = 1 << SHADER_GEOMETRY,
	[IR_VALUE_FOG] = 1 << SHADER_PIXEL,
};

static int check_register(struct validator *v, uint8_t file, uint32_t index, uint32_t dim,
			  const struct ir_relative *rel)
{
	uint32_t limit = UINT32_MAX;

	switch (file) {
	case IR_TEMP:
		limit = v->program->temp_count;
		break;
	case IR_ARRAY:
		if (dim >= v->program->array_count)
			return offence(v, "array %u of %u", dim, v->program->array_count);
		limit = rel->used ? UINT32_MAX : v->program->array_sizes[dim];
		break;
	case IR_INPUT:
		limit = v->info->input_count;
		break;
	case IR_OUTPUT:
		limit = IR_OUTPUT_COUNT;
		break;
	case IR_SYSTEM:
		limit = SHADER_SYS_COUNT;
		break;
	case IR_VALUE:
		limit = IR_VALUE_COUNT;
		if (index < limit && !(value_stages[index] & (1u << v->info->stage)))
			return offence(v, "this stage does not have value %u", index);
		break;
	case IR_BUFFER:
		if (dim >= 14)
			return offence(v, "constant buffer %u", dim);
		break;
	case IR_FLOAT_CONST:
	case IR_INT_CONST:
	case IR_BOOL_CONST:
	case IR_IMMEDIATE:
		break;
	default:
		return offence(v, "register file %u", file);
	}
	if (index >= limit)
		return offence(v, "register %u of %u in file %u", index, limit, file);
	return check_relative(v, rel);
}

static int check_operands(struct validator *v, const struct ir_insn *insn)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];
	int ret = 0;

	if (info->dst_count && insn->dst.file != IR_NULL) {
		if (!insn->dst.mask || insn->dst.mask > IR_MASK_XYZW)
			return offence(v, "write mask %#x", insn->dst.mask);
		if (insn->dst.file != IR_TEMP && insn->dst.file != IR_ARRAY && insn->dst.file != IR_OUTPUT)
			return offence(v, "destination file %u", insn->dst.file);
		ret = check_register(v, insn->dst.file, insn->dst.index, insn->dst.dim, &insn->dst.rel);
	}
	for (unsigned i = 0; !ret && i < info->src_count; i++) {
		const struct ir_src *src = &insn->src[i];

		for (unsigned c = 0; c < 4; c++) {
			if (src->swizzle[c] > 3)
				return offence(v, "swizzle of source %u", i);
		}
		ret = check_register(v, src->file, src->index, src->dim, &src->rel);
		if (!ret)
			ret = check_relative(v, &src->dim_rel);
	}
	if (!ret && (info->flags & IR_OP_TEXTURE) && insn->texture.unit >= v->info->unit_count)
		return offence(v, "texture unit %u", insn->texture.unit);
	return ret;
}

static bool inside(const struct validator *v, enum ir_op op)
{
	for (uint32_t i = 0; i < v->depth; i++) {
		if (v->open[i] == op)
			return true;
	}
	return false;
}

static uint16_t innermost(const struct validator *v)
{
	return v->depth ? v->open[v->depth - 1] : IR_OP_COUNT;
}

static int check_flow(struct validator *v, const struct ir_insn *insn)
{
	switch (insn->op) {
	case IR_OP_UIF:
	case IR_OP_BGNLOOP:
	case IR_OP_SWITCH:
		v->open[v->depth++] = insn->op;
		return 0;
	case IR_OP_ELSE:
		if (innermost(v) != IR_OP_UIF)
			return offence(v, "outside of an if block");
		v->open[v->depth - 1] = IR_OP_ELSE;
		return 0;
	case IR_OP_ENDIF:
		if (innermost(v) != IR_OP_UIF && innermost(v) != IR_OP_ELSE)
			return offence(v, "outside of an if block");
		v->depth--;
		return 0;
	case IR_OP_ENDLOOP:
		if (innermost(v) != IR_OP_BGNLOOP)
			return offence(v, "outside of a loop");
		v->depth--;
		return 0;
	case IR_OP_CASE:
	case IR_OP_DEFAULT:
	case IR_OP_ENDSWITCH:
		if (innermost(v) != IR_OP_SWITCH)
			return offence(v, "outside of a switch");
		if (insn->op == IR_OP_ENDSWITCH)
			v->depth--;
		return 0;
	case IR_OP_BRK:
		return inside(v, IR_OP_BGNLOOP) || inside(v, IR_OP_SWITCH) ? 0 : offence(v, "nothing to leave");
	case IR_OP_CONTINUE:
		return inside(v, IR_OP_BGNLOOP) ? 0 : offence(v, "outside of a loop");
	default:
		return 0;
	}
}

int ir_validate(const struct ir_program *program, const struct shader_info *info, bool native, char *message,
		size_t message_size)
{
	struct validator v = {.program = program, .info = info, .message = message, .message_size = message_size};
	int ret = 0;

	v.native = native;
	v.open = malloc((program->count + 1) * sizeof(*v.open));
	if (!v.open)
		return -ENOMEM;
	for (v.at = 0; !ret && v.at < program->count; v.at++) {
		const struct ir_insn *insn = &program->insns[v.at];

		if (insn->op >= IR_OP_COUNT)
			ret = offence(&v, "operation %u", insn->op);
		else if ((ir_op_infos[insn->op].flags & IR_OP_PIXEL) && v.info->stage != SHADER_PIXEL)
			ret = offence(&v, "outside of a pixel shader");
		else if (native && !(ir_op_infos[insn->op].flags & IR_OP_NATIVE))
			ret = offence(&v, "the device does not have it");
		else
			ret = check_operands(&v, insn);
		if (!ret)
			ret = check_flow(&v, insn);
		if (ret)
			break;
	}
	if (!ret && v.depth) {
		v.at = program->count - 1;
		ret = offence(&v, "%u flow blocks are still open", v.depth);
	}
	free(v.open);
	return ret;
}
