/* SPDX-License-Identifier: MIT */
/* Building and copying of the intermediate representation. */
#include "ir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct ir_op_info ir_op_infos[IR_OP_COUNT] = {
#define IR_OP_INFO(name, dsts, srcs, type, flags) {#name, dsts, srcs, type, flags},
	IR_OPS(IR_OP_INFO)
#undef IR_OP_INFO
};

static void fail(struct ir_program *program, int error)
{
	if (!program->error)
		program->error = error;
}

static bool reserve(struct ir_program *program, uint32_t extra)
{
	uint32_t capacity = program->capacity ? program->capacity : 64;
	struct ir_insn *insns;

	if (program->error)
		return false;
	if (extra > IR_MAX_INSNS - program->count) {
		fail(program, -E2BIG);
		return false;
	}
	while (capacity < program->count + extra)
		capacity *= 2;
	if (capacity == program->capacity)
		return true;
	insns = realloc(program->insns, capacity * sizeof(*insns));
	if (!insns) {
		fail(program, -ENOMEM);
		return false;
	}
	program->insns = insns;
	program->capacity = capacity;
	return true;
}

void ir_free(struct ir_program *program)
{
	free(program->insns);
	*program = (struct ir_program){0};
}

void ir_copy(struct ir_program *copy, const struct ir_program *program)
{
	*copy = *program;
	copy->insns = NULL;
	copy->count = copy->capacity = 0;
	if (program->count && reserve(copy, program->count)) {
		memcpy(copy->insns, program->insns, program->count * sizeof(*program->insns));
		copy->count = program->count;
	}
}

void ir_prepend(struct ir_program *program, struct ir_program *head)
{
	uint32_t count = head->count;

	if (head->error)
		fail(program, head->error);
	if (count && reserve(program, count)) {
		memmove(program->insns + count, program->insns, program->count * sizeof(*program->insns));
		memcpy(program->insns, head->insns, count * sizeof(*head->insns));
		program->count += count;
	}
	ir_free(head);
}

void ir_begin_rewrite(struct ir_program *next, const struct ir_program *program)
{
	*next = *program;
	next->insns = NULL;
	next->count = next->capacity = 0;
}

void ir_end_rewrite(struct ir_program *next, struct ir_program *program)
{
	ir_free(program);
	*program = *next;
}

uint32_t ir_new_temp(struct ir_program *program)
{
	if (program->temp_count >= IR_MAX_TEMPS) {
		fail(program, -E2BIG);
		return 0;
	}
	return program->temp_count++;
}

uint32_t ir_new_array(struct ir_program *program, uint32_t size)
{
	if (program->array_count >= IR_MAX_ARRAYS) {
		fail(program, -E2BIG);
		return 0;
	}
	program->array_sizes[program->array_count] = size;
	return program->array_count++;
}

struct ir_insn *ir_add(struct ir_program *program, enum ir_op op)
{
	static _Thread_local struct ir_insn scratch;
	struct ir_insn *insn = &scratch;

	if (reserve(program, 1))
		insn = &program->insns[program->count++];
	*insn = (struct ir_insn){.op = (uint16_t)op, .texture.swizzle = {0, 1, 2, 3}};
	return insn;
}

struct ir_insn *ir_add_copy(struct ir_program *program, const struct ir_insn *insn)
{
	struct ir_insn *copy = ir_add(program, insn->op);

	*copy = *insn;
	return copy;
}

struct ir_insn *ir_emit0(struct ir_program *program, enum ir_op op)
{
	return ir_add(program, op);
}

struct ir_insn *ir_test(struct ir_program *program, enum ir_op op, struct ir_src src)
{
	struct ir_insn *insn = ir_add(program, op);

	insn->src[0] = src;
	return insn;
}

struct ir_insn *ir_emit1(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a)
{
	struct ir_insn *insn = ir_test(program, op, a);

	insn->dst = dst;
	return insn;
}

struct ir_insn *ir_emit2(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a,
			 struct ir_src b)
{
	struct ir_insn *insn = ir_emit1(program, op, dst, a);

	insn->src[1] = b;
	return insn;
}

struct ir_insn *ir_emit3(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a,
			 struct ir_src b, struct ir_src c)
{
	struct ir_insn *insn = ir_emit2(program, op, dst, a, b);

	insn->src[2] = c;
	return insn;
}

struct ir_dst ir_dst(enum ir_file file, uint32_t index, unsigned mask)
{
	return (struct ir_dst){.file = (uint8_t)file, .index = index, .mask = (uint8_t)mask};
}

struct ir_dst ir_dst_masked(struct ir_dst dst, unsigned mask)
{
	dst.mask &= mask;
	return dst;
}

struct ir_src ir_src(enum ir_file file, uint32_t index)
{
	return (struct ir_src){.file = (uint8_t)file, .index = index, .swizzle = {0, 1, 2, 3}};
}

struct ir_src ir_src_of(struct ir_dst dst)
{
	struct ir_src src = ir_src(dst.file, dst.index);

	src.dim = dst.dim;
	src.rel = dst.rel;
	return src;
}

struct ir_src ir_imm4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
	struct ir_src src = ir_src(IR_IMMEDIATE, 0);

	src.imm[0] = x;
	src.imm[1] = y;
	src.imm[2] = z;
	src.imm[3] = w;
	return src;
}

struct ir_src ir_immf4(float x, float y, float z, float w)
{
	struct ir_src src = ir_src(IR_IMMEDIATE, 0);
	float values[4] = {x, y, z, w};

	memcpy(src.imm, values, sizeof(values));
	return src;
}

struct ir_src ir_immf(float value)
{
	return ir_immf4(value, value, value, value);
}

struct ir_src ir_immu(uint32_t value)
{
	return ir_imm4(value, value, value, value);
}

struct ir_src ir_swizzled(struct ir_src src, unsigned x, unsigned y, unsigned z, unsigned w)
{
	unsigned components[4] = {x, y, z, w};
	struct ir_src result = src;

	for (unsigned i = 0; i < 4; i++)
		result.swizzle[i] = src.swizzle[components[i]];
	return result;
}

struct ir_src ir_scalar(struct ir_src src, unsigned component)
{
	return ir_swizzled(src, component, component, component, component);
}

struct ir_src ir_negated(struct ir_src src)
{
	src.negate = !src.negate;
	return src;
}

struct ir_src ir_abs(struct ir_src src)
{
	src.negate = false;
	src.absolute = true;
	return src;
}

struct ir_src ir_value1(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a)
{
	struct ir_dst dst = ir_dst(IR_TEMP, ir_new_temp(program), mask);

	ir_emit1(program, op, dst, a);
	return ir_src_of(dst);
}

struct ir_src ir_value2(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a, struct ir_src b)
{
	struct ir_dst dst = ir_dst(IR_TEMP, ir_new_temp(program), mask);

	ir_emit2(program, op, dst, a, b);
	return ir_src_of(dst);
}

struct ir_src ir_value3(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a, struct ir_src b,
			struct ir_src c)
{
	struct ir_dst dst = ir_dst(IR_TEMP, ir_new_temp(program), mask);

	ir_emit3(program, op, dst, a, b, c);
	return ir_src_of(dst);
}

unsigned ir_source_mask(const struct ir_insn *insn, unsigned which)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];

	if (insn->op == IR_OP_DP2)
		return IR_MASK_X | IR_MASK_Y;
	if (insn->op == IR_OP_DP3)
		return IR_MASK_XYZ;
	if (insn->op == IR_OP_DP4 || insn->op == IR_OP_KILL_IF || (info->flags & IR_OP_TEXTURE))
		return IR_MASK_XYZW;
	if (info->flags & IR_OP_FLOW)
		return IR_MASK_X;
	return which < info->src_count ? insn->dst.mask : 0;
}

void ir_drop_empty(struct ir_program *program)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < program->count; i++) {
		const struct ir_insn *insn = &program->insns[i];

		if (!ir_op_infos[insn->op].dst_count || insn->dst.file == IR_NULL || insn->dst.mask)
			program->insns[kept++] = *insn;
	}
	program->count = kept;
}
