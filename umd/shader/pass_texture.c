/* SPDX-License-Identifier: MIT */
/*
 * Direct3D's texture operations become the device's: one coordinate vector that also carries reference value, bias or
 * level, and a target that says whether a comparison is made.
 */
#include "compiler.h"

static const uint8_t plain_targets[] = {
	[SHADER_DIM_BUFFER] = IR_TARGET_BUFFER,	      [SHADER_DIM_1D] = IR_TARGET_1D,
	[SHADER_DIM_2D] = IR_TARGET_2D,		      [SHADER_DIM_3D] = IR_TARGET_3D,
	[SHADER_DIM_CUBE] = IR_TARGET_CUBE,	      [SHADER_DIM_1D_ARRAY] = IR_TARGET_1D_ARRAY,
	[SHADER_DIM_2D_ARRAY] = IR_TARGET_2D_ARRAY,   [SHADER_DIM_CUBE_ARRAY] = IR_TARGET_CUBE_ARRAY,
	[SHADER_DIM_2D_MS] = IR_TARGET_2D_MS,	      [SHADER_DIM_2D_MS_ARRAY] = IR_TARGET_2D_MS_ARRAY,
};

struct lowering {
	const struct shader_variant *variant;
	struct ir_program *out;
	const struct ir_insn *insn;	/* Direct3D's operation */
	struct ir_insn device;		/* the device's, being built */
	struct ir_dst coordinate;	/* its coordinate temporary */
};

static unsigned dimension_of(const struct shader_variant *variant, unsigned unit)
{
	const struct shader_info *info = &variant->shader->info;
	unsigned stage = info->units[unit].texture;

	if (info->stage == SHADER_PIXEL && info->major == 1 && stage < 8) {
		unsigned dimension = variant->key->stage_dimension[stage];

		if (dimension && dimension <= SHADER_DIM_CUBE)
			return dimension;
	}
	return info->units[unit].dimension;
}

static unsigned shadow_target(unsigned target)
{
	switch (target) {
	case IR_TARGET_1D:
		return IR_TARGET_SHADOW_1D;
	case IR_TARGET_CUBE:
		return IR_TARGET_SHADOW_CUBE;
	case IR_TARGET_1D_ARRAY:
		return IR_TARGET_SHADOW_1D_ARRAY;
	case IR_TARGET_2D_ARRAY:
		return IR_TARGET_SHADOW_2D_ARRAY;
	case IR_TARGET_CUBE_ARRAY:
		return IR_TARGET_SHADOW_CUBE_ARRAY;
	default:
		return IR_TARGET_SHADOW_2D;
	}
}

static void set_component(struct lowering *l, unsigned component, struct ir_src value)
{
	ir_emit1(l->out, IR_OP_MOV, ir_dst_masked(l->coordinate, 1u << component), ir_scalar(value, 0));
}

/* Puts the reference value where the target wants it; returns whether it needs an operand of its own. */
static bool set_reference(struct lowering *l, struct ir_src reference)
{
	switch (l->device.texture.target) {
	case IR_TARGET_SHADOW_CUBE_ARRAY:
		l->device.src[1] = ir_scalar(reference, 0);
		return true;
	case IR_TARGET_SHADOW_2D_ARRAY:
	case IR_TARGET_SHADOW_CUBE:
		set_component(l, 3, reference);
		return false;
	default:
		set_component(l, 2, reference);
		return false;
	}
}

static bool is_cube_array(const struct lowering *l)
{
	return l->device.texture.target == IR_TARGET_CUBE_ARRAY ||
	       l->device.texture.target == IR_TARGET_SHADOW_CUBE_ARRAY;
}

/* The device has no explicit level for these comparisons; zero gradients name level 0 as well. */
static void lower_compare_level_zero(struct lowering *l)
{
	unsigned target = l->device.texture.target;

	if (set_reference(l, l->insn->src[1])) {
		l->device.op = IR_OP_TEX2;
	} else if (target == IR_TARGET_SHADOW_2D_ARRAY || target == IR_TARGET_SHADOW_CUBE) {
		l->device.op = IR_OP_TXD;
		l->device.src[1] = l->device.src[2] = ir_immf(0);
	} else {
		l->device.op = IR_OP_TXL;
		set_component(l, 3, ir_immf(0));
	}
}

static void lower_level(struct lowering *l, enum ir_op op, enum ir_op op_cube_array)
{
	if (is_cube_array(l)) {
		l->device.op = (uint16_t)op_cube_array;
		l->device.src[1] = ir_scalar(l->insn->src[1], 0);
		return;
	}
	l->device.op = (uint16_t)op;
	set_component(l, 3, l->insn->src[1]);
}

static void lower_operation(struct lowering *l)
{
	switch (l->insn->op) {
	case IR_OP_SAMPLE:
		l->device.op = IR_OP_TEX;
		break;
	case IR_OP_SAMPLE_BIAS:
		lower_level(l, IR_OP_TXB, IR_OP_TXB2);
		break;
	case IR_OP_SAMPLE_LOD:
		lower_level(l, IR_OP_TXL, IR_OP_TXL2);
		break;
	case IR_OP_SAMPLE_GRAD:
		l->device.op = IR_OP_TXD;
		l->device.src[1] = l->insn->src[1];
		l->device.src[2] = l->insn->src[2];
		break;
	case IR_OP_SAMPLE_CMP:
		l->device.op = set_reference(l, l->insn->src[1]) ? IR_OP_TEX2 : IR_OP_TEX;
		break;
	case IR_OP_SAMPLE_CMP_LZ:
		lower_compare_level_zero(l);
		break;
	case IR_OP_FETCH:
		l->device.op = IR_OP_TXF;
		break;
	case IR_OP_FETCH_MS:
		l->device.op = IR_OP_TXF;
		set_component(l, 3, l->insn->src[1]);
		break;
	case IR_OP_GATHER:
	case IR_OP_GATHER_CMP:
		l->device.op = IR_OP_TG4;
		if (l->insn->op == IR_OP_GATHER_CMP)
			set_reference(l, l->insn->src[1]);
		l->device.src[1] = ir_immu(l->insn->texture.component);
		break;
	case IR_OP_LOD:
		l->device.op = IR_OP_LODQ;
		break;
	}
}

/* Extents in xyz, level count in w, zero where the dimension has none: the device answers them separately. */
static void lower_size(struct lowering *l)
{
	static const uint8_t extents[] = {
		[SHADER_DIM_BUFFER] = 1, [SHADER_DIM_1D] = 1, [SHADER_DIM_2D] = 3, [SHADER_DIM_3D] = 7,
		[SHADER_DIM_CUBE] = 3, [SHADER_DIM_1D_ARRAY] = 3, [SHADER_DIM_2D_ARRAY] = 7,
		[SHADER_DIM_CUBE_ARRAY] = 7, [SHADER_DIM_2D_MS] = 3, [SHADER_DIM_2D_MS_ARRAY] = 7,
	};
	unsigned dimension = dimension_of(l->variant, l->insn->texture.unit);
	struct ir_dst size = ir_dst(IR_TEMP, ir_new_temp(l->out), IR_MASK_XYZW);
	bool has_levels = dimension != SHADER_DIM_BUFFER && dimension < SHADER_DIM_2D_MS;

	ir_emit1(l->out, IR_OP_MOV, size, ir_immu(0));
	l->device.op = IR_OP_TXQ;
	l->device.src[0] = ir_scalar(l->insn->src[0], 0);
	l->device.dst = ir_dst_masked(size, extents[dimension]);
	ir_add_copy(l->out, &l->device);
	if (has_levels) {
		l->device.dst = ir_dst_masked(size, IR_MASK_W);
		ir_add_copy(l->out, &l->device);
	}
	ir_emit1(l->out, IR_OP_MOV, l->insn->dst, ir_swizzled(ir_src_of(size), l->insn->texture.swizzle[0],
		 l->insn->texture.swizzle[1], l->insn->texture.swizzle[2], l->insn->texture.swizzle[3]));
}

static void lower_samples(struct lowering *l)
{
	struct ir_dst count = ir_dst(IR_TEMP, ir_new_temp(l->out), IR_MASK_X);

	l->device.op = IR_OP_TXQS;
	l->device.dst = count;
	ir_add_copy(l->out, &l->device);
	ir_emit1(l->out, IR_OP_MOV, l->insn->dst, ir_scalar(ir_src_of(count), 0));
}

static bool is_comparison(const struct ir_insn *insn)
{
	return insn->op == IR_OP_SAMPLE_CMP || insn->op == IR_OP_SAMPLE_CMP_LZ || insn->op == IR_OP_GATHER_CMP;
}

/* The result's swizzle; comparisons deliver one value. */
static void store_result(struct lowering *l, bool one_value)
{
	const struct ir_texture *texture = &l->insn->texture;
	struct ir_dst texel = ir_dst(IR_TEMP, ir_new_temp(l->out), one_value ? IR_MASK_X : IR_MASK_XYZW);
	struct ir_src value = ir_src_of(texel);

	if (l->device.op == IR_OP_LODQ)
		texel.mask = IR_MASK_X | IR_MASK_Y;
	l->device.dst = texel;
	ir_add_copy(l->out, &l->device);
	if (one_value)
		value = ir_scalar(value, 0);
	else
		value = ir_swizzled(value, texture->swizzle[0], texture->swizzle[1], texture->swizzle[2],
				    texture->swizzle[3]);
	ir_emit1(l->out, IR_OP_MOV, l->insn->dst, value)->saturate = l->insn->saturate;
}

static void lower(const struct shader_variant *variant, struct ir_program *out, const struct ir_insn *insn)
{
	struct lowering l = {.variant = variant, .out = out, .insn = insn};
	unsigned unit = insn->texture.unit;
	bool sm1 = shader_is_sm1(variant->shader);
	/* Direct3D 9: sampling a depth texture compares with the coordinate's z. */
	bool implicit = sm1 && (variant->key->shadow_units & (1u << unit));
	bool projected = sm1 && variant->shader->info.major == 1 && (variant->key->projected_units & (1u << unit));

	l.device = (struct ir_insn){.op = IR_OP_TEX, .texture = insn->texture};
	l.device.texture.target = plain_targets[dimension_of(variant, unit)];
	if (is_comparison(insn) || implicit)
		l.device.texture.target = (uint8_t)shadow_target(l.device.texture.target);
	if (insn->op == IR_OP_SIZE) {
		lower_size(&l);
		return;
	}
	if (insn->op == IR_OP_SAMPLES) {
		lower_samples(&l);
		return;
	}
	l.coordinate = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);
	if (projected) {
		struct ir_src inverse = ir_value1(out, IR_OP_RCP, IR_MASK_X, ir_scalar(insn->src[0], 3));

		ir_emit2(out, IR_OP_MUL, l.coordinate, insn->src[0], ir_scalar(inverse, 0));
	} else {
		ir_emit1(out, IR_OP_MOV, l.coordinate, insn->src[0]);
	}
	l.device.src[0] = ir_src_of(l.coordinate);
	lower_operation(&l);
	store_result(&l, (is_comparison(insn) && insn->op != IR_OP_GATHER_CMP) || implicit);
}

void pass_texture(struct shader_variant *variant)
{
	struct ir_program out;

	if (!variant->shader->info.unit_count)
		return;
	ir_begin_rewrite(&out, &variant->ir);
	for (uint32_t i = 0; i < variant->ir.count; i++) {
		const struct ir_insn *insn = &variant->ir.insns[i];

		if ((ir_op_infos[insn->op].flags & IR_OP_TEXTURE) && insn->dst.file != IR_NULL)
			lower(variant, &out, insn);
		else
			ir_add_copy(&out, insn);
	}
	ir_end_rewrite(&out, &variant->ir);
}
