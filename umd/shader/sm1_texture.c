/* SPDX-License-Identifier: MIT */
/* SM1-3 texture instructions. Texture and sampler are one thing there: s#, or the stage of the same number in ps_1_x. */
#include "sm1_state.h"

#include <errno.h>

/* TEX control in SM2 and later */
#define TEX_PROJECT 1
#define TEX_BIAS 2

#define SM1_STAGES 6		/* of ps_1_4; earlier versions have four */

static int unit_of(struct sm1 *sm1, const struct sm1_insn *insn, unsigned sampler, unsigned fallback,
		   uint32_t *unit)
{
	struct shader_info *info = &sm1->shader->info;
	uint8_t dimension;

	if (sampler >= SM1_SAMPLERS)
		return sm1_error(sm1, insn, -EINVAL, "sampler number");
	if (sm1->sampler_unit[sampler] == SHADER_NONE) {
		dimension = sm1->sampler_dimension[sampler];
		if (!dimension)
			dimension = (uint8_t)fallback;
		if (!dimension)
			return sm1_error(sm1, insn, -EINVAL, "sampler is not declared");
		sm1->sampler_unit[sampler] = info->unit_count;
		info->units[info->unit_count++] = (struct shader_unit){
			.texture = sampler, .sampler = sampler, .dimension = dimension};
	}
	*unit = sm1->sampler_unit[sampler];
	return 0;
}

static struct ir_src divided(struct ir_program *out, struct ir_src coordinate, unsigned component)
{
	struct ir_src inverse = ir_value1(out, IR_OP_RCP, IR_MASK_X, ir_scalar(coordinate, component));

	return ir_value2(out, IR_OP_MUL, IR_MASK_XYZW, coordinate, ir_scalar(inverse, 0));
}

/* Samples stage `stage` (ps_1_x) at coordinate into dst. */
static int sample_stage(struct sm1 *sm1, const struct sm1_insn *insn, unsigned stage, unsigned dimension,
			struct ir_dst dst, struct ir_src coordinate)
{
	uint32_t unit;
	int ret = unit_of(sm1, insn, stage, dimension, &unit);

	if (!ret)
		ir_emit1(sm1->ir, IR_OP_SAMPLE, dst, coordinate)->texture.unit = (uint8_t)unit;
	return ret;
}

/* ps_1_4 names the coordinate: r# or t#, divided by z or w where a modifier says so. */
static int coordinate14(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_src *coordinate)
{
	int ret = sm1_source(sm1, insn, 0, coordinate);

	if (!ret && (insn->src[0].modifier == SM1_MOD_DZ || insn->src[0].modifier == SM1_MOD_DW))
		*coordinate = divided(sm1->ir, *coordinate, 2);	/* .xyw puts w there for _dw */
	return ret;
}

static int texld1(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	unsigned stage = insn->dst.number;
	struct ir_src coordinate;
	int ret;

	if (sm1->version >= 0x104)
		ret = coordinate14(sm1, insn, &coordinate);
	else
		ret = sm1_input(sm1, insn, 1, stage, &coordinate);
	if (!ret)
		ret = sample_stage(sm1, insn, stage, SHADER_DIM_2D, dst, coordinate);
	return ret;
}

static int texcoord(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src coordinate;
	int ret;

	if (sm1->version >= 0x104) {
		ret = coordinate14(sm1, insn, &coordinate);
		if (!ret)
			ir_emit1(sm1->ir, IR_OP_MOV, dst, coordinate);
		return ret;
	}
	ret = sm1_input(sm1, insn, 1, insn->dst.number, &coordinate);
	if (ret)
		return ret;
	ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_XYZ), coordinate)->saturate = true;
	ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_W), ir_immf(1));
	return 0;
}

/* texld of SM2 and later, texldl, texldd: the sampler is a source, its swizzle reorders the texel. */
static int texld2(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src coordinate, ddx, ddy;
	struct ir_insn *sample;
	uint32_t unit;
	int ret = sm1_source(sm1, insn, 0, &coordinate);

	if (!ret && insn->src[1].type != SM1_REG_SAMPLER)
		ret = sm1_error(sm1, insn, -EINVAL, "the second source is no sampler");
	if (!ret)
		ret = unit_of(sm1, insn, insn->src[1].number, 0, &unit);
	if (!ret && insn->opcode == SM1_TEXLDD) {
		ret = sm1_source(sm1, insn, 2, &ddx);
		if (!ret)
			ret = sm1_source(sm1, insn, 3, &ddy);
	}
	if (ret)
		return ret;
	if (insn->opcode == SM1_TEXLDD)
		sample = ir_emit3(sm1->ir, IR_OP_SAMPLE_GRAD, dst, coordinate, ddx, ddy);
	else if (insn->opcode == SM1_TEXLDL)
		sample = ir_emit2(sm1->ir, IR_OP_SAMPLE_LOD, dst, coordinate, ir_scalar(coordinate, 3));
	else if (insn->control == TEX_BIAS)
		sample = ir_emit2(sm1->ir, IR_OP_SAMPLE_BIAS, dst, coordinate, ir_scalar(coordinate, 3));
	else if (insn->control == TEX_PROJECT)
		sample = ir_emit1(sm1->ir, IR_OP_SAMPLE, dst, divided(sm1->ir, coordinate, 3));
	else
		sample = ir_emit1(sm1->ir, IR_OP_SAMPLE, dst, coordinate);
	sample->texture.unit = (uint8_t)unit;
	for (unsigned i = 0; i < 4; i++)
		sample->texture.swizzle[i] = insn->src[1].swizzle[i];
	return 0;
}

/* The operand is a destination token, but it is only read. */
static int texkill(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct sm1_operand operand = insn->dst;
	/* ps_1_x tests u, v and w; later versions what the mask names. */
	unsigned mask = sm1->version < 0x200 ? IR_MASK_XYZ : insn->dst.mask, first = 0;
	struct ir_src src;
	int ret;

	if (!mask)
		return sm1_error(sm1, insn, -EINVAL, "empty mask");
	while (!(mask & (1u << first)))
		first++;
	for (unsigned i = 0; i < 4; i++)
		operand.swizzle[i] = (uint8_t)(mask & (1u << i) ? i : first);
	operand.modifier = SM1_MOD_NONE;
	ret = sm1_operand_source(sm1, insn, &operand, &src);
	if (ret)
		return ret;
	sm1->shader->info.kills = true;
	if (insn->predicated)
		return sm1_error(sm1, insn, -ENOTSUP, "predication is not built");
	ir_test(sm1->ir, IR_OP_KILL_IF, src);
	return 0;
}

/* Dependent reads of ps_1_x: two or three components of another texture's result are the coordinate. */
static int texreg2(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src src;
	int ret = sm1_source(sm1, insn, 0, &src);

	if (ret)
		return ret;
	if (insn->opcode == SM1_TEXREG2AR)
		src = ir_swizzled(src, 3, 0, 3, 3);
	else if (insn->opcode == SM1_TEXREG2GB)
		src = ir_swizzled(src, 1, 2, 2, 2);
	return sample_stage(sm1, insn, insn->dst.number, SHADER_DIM_2D, dst, src);
}

/* One row of a texture matrix: coordinate of this stage . result of another. */
static int matrix_row(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_src *row)
{
	struct ir_src coordinate, vector;
	int ret = sm1_source(sm1, insn, 0, &vector);

	if (!ret)
		ret = sm1_input(sm1, insn, 1, insn->dst.number, &coordinate);
	if (!ret)
		*row = ir_scalar(ir_value2(sm1->ir, IR_OP_DP3, IR_MASK_X, coordinate, vector), 0);
	return ret;
}

static int matrix_pad(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct ir_src row;
	int ret;

	if (sm1->matrix_row_count >= 2)
		return sm1_error(sm1, insn, -EINVAL, "too many rows");
	ret = matrix_row(sm1, insn, &row);
	if (!ret)
		sm1->matrix_rows[sm1->matrix_row_count++] = row.index;
	return ret;
}

/* Collects the rows into one vector; this instruction adds the last one. */
static int matrix_vector(struct sm1 *sm1, const struct sm1_insn *insn, unsigned rows, struct ir_src *vector)
{
	struct ir_dst dst = ir_dst(IR_TEMP, ir_new_temp(sm1->ir), IR_MASK_XYZW);
	struct ir_src row;
	int ret = matrix_row(sm1, insn, &row);

	if (ret)
		return ret;
	if (sm1->matrix_row_count != rows - 1)
		return sm1_error(sm1, insn, -EINVAL, "rows are missing before it");
	ir_emit1(sm1->ir, IR_OP_MOV, dst, ir_immf4(0, 0, 0, 1));
	for (unsigned i = 0; i + 1 < rows; i++)
		ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(dst, 1u << i),
			 ir_scalar(ir_src(IR_TEMP, sm1->matrix_rows[i]), 0));
	ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(dst, 1u << (rows - 1)), row);
	sm1->matrix_row_count = 0;
	*vector = ir_src_of(dst);
	return 0;
}

/* The eye vector of texm3x3vspec: the w of the three coordinates involved. */
static int eye_from_coordinates(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_src *eye)
{
	struct ir_dst dst = ir_dst(IR_TEMP, ir_new_temp(sm1->ir), IR_MASK_XYZ);
	struct ir_src coordinate;

	if (insn->dst.number < 2)
		return sm1_error(sm1, insn, -EINVAL, "stage number");
	for (unsigned i = 0; i < 3; i++) {
		int ret = sm1_input(sm1, insn, 1, insn->dst.number - 2u + i, &coordinate);

		if (ret)
			return ret;
		ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(dst, 1u << i), ir_scalar(coordinate, 3));
	}
	*eye = ir_src_of(dst);
	return 0;
}

/* 2 (N.E) / (N.N) N - E */
static struct ir_src reflection(struct ir_program *out, struct ir_src normal, struct ir_src eye)
{
	struct ir_src along = ir_value2(out, IR_OP_DP3, IR_MASK_X, normal, eye);
	struct ir_src square = ir_value2(out, IR_OP_DP3, IR_MASK_X, normal, normal);
	struct ir_src factor = ir_value1(out, IR_OP_RCP, IR_MASK_X, square);

	factor = ir_value2(out, IR_OP_MUL, IR_MASK_X, factor, along);
	factor = ir_value2(out, IR_OP_ADD, IR_MASK_X, factor, factor);
	return ir_value3(out, IR_OP_MAD, IR_MASK_XYZ, normal, ir_scalar(factor, 0), ir_negated(eye));
}

static int texm3x3(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src vector, eye;
	int ret = matrix_vector(sm1, insn, 3, &vector);

	if (ret)
		return ret;
	if (insn->opcode == SM1_TEXM3X3) {
		ir_emit1(sm1->ir, IR_OP_MOV, dst, vector);
		return 0;
	}
	if (insn->opcode != SM1_TEXM3X3TEX) {
		ret = insn->opcode == SM1_TEXM3X3SPEC ? sm1_source(sm1, insn, 1, &eye) :
							eye_from_coordinates(sm1, insn, &eye);
		if (ret)
			return ret;
		vector = reflection(sm1->ir, vector, eye);
	}
	return sample_stage(sm1, insn, insn->dst.number, SHADER_DIM_CUBE, dst, vector);
}

static int texm3x2tex(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src vector;
	int ret = matrix_vector(sm1, insn, 2, &vector);

	return ret ? ret : sample_stage(sm1, insn, insn->dst.number, SHADER_DIM_2D, dst, vector);
}

/* Depth = numerator / denominator, 1 where the denominator is 0. */
static void write_depth(struct sm1 *sm1, struct ir_src numerator, struct ir_src denominator)
{
	struct ir_program *out = sm1->ir;
	struct ir_src quotient = ir_value2(out, IR_OP_DIV, IR_MASK_X, numerator, denominator);
	struct ir_src usable = ir_value2(out, IR_OP_FSNE, IR_MASK_X, denominator, ir_immf(0));

	sm1->shader->info.writes_depth = true;
	ir_emit3(out, IR_OP_UCMP, ir_dst(IR_OUTPUT, IR_OUTPUT_DEPTH, IR_MASK_X), usable, quotient, ir_immf(1));
}

static int depth(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct sm1_operand operand = insn->dst;
	struct ir_src src;
	int ret;

	if (insn->opcode == SM1_TEXM3X2DEPTH) {
		ret = matrix_vector(sm1, insn, 2, &src);
	} else {
		for (unsigned i = 0; i < 4; i++)
			operand.swizzle[i] = (uint8_t)i;
		ret = sm1_operand_source(sm1, insn, &operand, &src);
	}
	if (!ret)
		write_depth(sm1, ir_scalar(src, 0), ir_scalar(src, 1));
	return ret;
}

static int texdp3(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_dst vector;
	struct ir_src row;
	int ret = matrix_row(sm1, insn, &row);

	if (ret)
		return ret;
	if (insn->opcode == SM1_TEXDP3) {
		ir_emit1(sm1->ir, IR_OP_MOV, dst, row);
		return 0;
	}
	vector = ir_dst(IR_TEMP, ir_new_temp(sm1->ir), IR_MASK_XYZW);
	ir_emit1(sm1->ir, IR_OP_MOV, vector, ir_immf(0));
	ir_emit1(sm1->ir, IR_OP_MOV, ir_dst_masked(vector, IR_MASK_X), row);
	return sample_stage(sm1, insn, insn->dst.number, SHADER_DIM_2D, dst, ir_src_of(vector));
}

/* base.xy + the stage's bump matrix times bump.xy */
static struct ir_src bumped(struct ir_program *out, unsigned stage, struct ir_src base, struct ir_src bump)
{
	struct ir_src matrix = ir_src(IR_SYSTEM, SHADER_SYS_BUMP + stage);
	struct ir_dst result = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);

	ir_emit1(out, IR_OP_MOV, result, base);
	result.mask = IR_MASK_X | IR_MASK_Y;
	ir_emit3(out, IR_OP_MAD, result, ir_scalar(bump, 0), ir_swizzled(matrix, 0, 1, 0, 1), ir_src_of(result));
	ir_emit3(out, IR_OP_MAD, result, ir_scalar(bump, 1), ir_swizzled(matrix, 2, 3, 2, 3), ir_src_of(result));
	return ir_src_of(result);
}

/* Environment bump mapping; texbeml scales the texel by the luminance in the bump map's third component. */
static int texbem(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_program *out = sm1->ir;
	unsigned stage = insn->dst.number;
	struct ir_src coordinate, bump, scale;
	struct ir_src luminance = ir_src(IR_SYSTEM, SHADER_SYS_BUMP_LUMINANCE + stage);
	int ret = sm1_source(sm1, insn, 0, &bump);

	if (!ret)
		ret = sm1_input(sm1, insn, 1, stage, &coordinate);
	if (!ret)
		ret = sample_stage(sm1, insn, stage, SHADER_DIM_2D, dst, bumped(out, stage, coordinate, bump));
	if (ret || insn->opcode == SM1_TEXBEM)
		return ret;
	scale = ir_value3(out, IR_OP_MAD, IR_MASK_X, ir_scalar(bump, 2), ir_scalar(luminance, 0),
			  ir_scalar(luminance, 1));
	ir_emit2(out, IR_OP_MUL, dst, ir_src_of(dst), ir_scalar(scale, 0));
	return 0;
}

static int bem(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	struct ir_src base, bump;
	int ret = sm1_source(sm1, insn, 0, &base);

	if (!ret)
		ret = sm1_source(sm1, insn, 1, &bump);
	if (!ret)
		ir_emit1(sm1->ir, IR_OP_MOV, dst, bumped(sm1->ir, insn->dst.number, base, bump));
	return ret;
}

static int with_result(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst dst)
{
	switch (insn->opcode) {
	case SM1_TEX:
		return sm1->version < 0x200 ? texld1(sm1, insn, dst) : texld2(sm1, insn, dst);
	case SM1_TEXLDL:
	case SM1_TEXLDD:
		return texld2(sm1, insn, dst);
	case SM1_TEXCOORD:
		return texcoord(sm1, insn, dst);
	case SM1_TEXBEM:
	case SM1_TEXBEML:
		return texbem(sm1, insn, dst);
	case SM1_BEM:
		return bem(sm1, insn, dst);
	case SM1_TEXREG2AR:
	case SM1_TEXREG2GB:
	case SM1_TEXREG2RGB:
		return texreg2(sm1, insn, dst);
	case SM1_TEXM3X2TEX:
		return texm3x2tex(sm1, insn, dst);
	case SM1_TEXM3X3:
	case SM1_TEXM3X3TEX:
	case SM1_TEXM3X3SPEC:
	case SM1_TEXM3X3VSPEC:
		return texm3x3(sm1, insn, dst);
	case SM1_TEXDP3:
	case SM1_TEXDP3TEX:
		return texdp3(sm1, insn, dst);
	}
	return 1;
}

int sm1_texture(struct sm1 *sm1, const struct sm1_insn *insn)
{
	struct sm1_target target;
	int ret;

	switch (insn->opcode) {
	case SM1_TEXKILL:
		return texkill(sm1, insn);
	case SM1_TEXM3X2PAD:
	case SM1_TEXM3X3PAD:
		return matrix_pad(sm1, insn);
	case SM1_TEXM3X2DEPTH:
	case SM1_TEXDEPTH:
		return depth(sm1, insn);
	}
	if (!sm1_opcode_info(insn->opcode)->dst_count)
		return 1;
	if (sm1->version < 0x200 && insn->dst.number >= SM1_STAGES)
		return sm1_error(sm1, insn, -EINVAL, "stage number");
	ret = sm1_begin(sm1, insn, true, &target);
	if (!ret)
		ret = with_result(sm1, insn, target.work);
	if (!ret)
		sm1_finish(sm1, &target);
	return ret;
}
