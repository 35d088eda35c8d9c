/* SPDX-License-Identifier: MIT */
/*
 * SM4/5 texture instructions. Textures and samplers are independent there and paired on the device: each combination
 * that occurs becomes one unit. Loads need no sampler and share any unit of their texture that does not compare.
 */
#include <errno.h>

#include "sm4_state.h"

static int find_unit(struct sm4 *sm4, const struct sm4_insn *insn, uint32_t texture, uint32_t sampler,
		     bool comparison, uint32_t *unit)
{
	struct shader_info *info = &sm4->shader->info;
	const struct sm4_resource *resource = &sm4->resources[texture];

	for (uint32_t i = 0; i < info->unit_count; i++) {
		const struct shader_unit *u = &info->units[i];

		if (u->texture == texture && u->comparison == comparison &&
		    (u->sampler == sampler || sampler == SHADER_NONE)) {
			*unit = i;
			return 0;
		}
	}
	if (info->unit_count == SHADER_MAX_UNITS)
		return sm4_error(sm4, insn, -ENOTSUP, "more than 32 combinations of texture and sampler");
	*unit = info->unit_count;
	info->units[info->unit_count++] = (struct shader_unit){
		.texture = texture, .sampler = sampler, .dimension = resource->dimension,
		.return_type = resource->return_type, .comparison = comparison};
	return 0;
}

/* The unit of the resource in operand `which`, with the sampler behind it or none. */
static int unit_of(struct sm4 *sm4, const struct sm4_insn *insn, unsigned which, bool sampled, bool comparison,
		   uint32_t *unit)
{
	const struct sm4_operand *resource = &insn->operand[which], *sampler = &insn->operand[which + 1];

	if (resource->type != SM4_REG_RESOURCE || resource->index_count != 1 || resource->rel[0].used ||
	    resource->index[0] >= SM4_RESOURCES || !sm4->resources[resource->index[0]].declared)
		return sm4_error(sm4, insn, -EINVAL, "resource operand");
	if (!sampled)
		return find_unit(sm4, insn, resource->index[0], SHADER_NONE, false, unit);
	if (sampler->type != SM4_REG_SAMPLER || sampler->index_count != 1 || sampler->rel[0].used ||
	    sampler->index[0] >= SM4_SAMPLERS)
		return sm4_error(sm4, insn, -EINVAL, "sampler operand");
	return find_unit(sm4, insn, resource->index[0], sampler->index[0], comparison, unit);
}

/* Sets of enum shader_dimension. */
#define DIM(name) (1u << SHADER_DIM_##name)
#define ARRAYS (DIM(1D_ARRAY) | DIM(2D_ARRAY))
#define CUBES (DIM(CUBE) | DIM(CUBE_ARRAY))
#define MULTISAMPLED (DIM(2D_MS) | DIM(2D_MS_ARRAY))
#define FLAT (DIM(1D) | DIM(2D) | ARRAYS)
#define SAMPLED (FLAT | CUBES | DIM(3D))
#define COMPARED (FLAT | CUBES)
#define GATHERED (DIM(2D) | DIM(2D_ARRAY) | CUBES)
#define LOADED (FLAT | DIM(3D) | DIM(BUFFER))
#define ANY (SAMPLED | MULTISAMPLED | DIM(BUFFER))

struct texture_operation {
	uint16_t opcode;
	uint16_t ir_op;
	uint8_t resource;		/* operand number */
	bool sampled;			/* the sampler follows */
	bool comparison;
	uint16_t dimensions;		/* of the resource */
	uint8_t sources;		/* of the IR operation */
	uint8_t source[3];		/* their operand numbers */
};

static const struct texture_operation operations[] = {
	{SM4_SAMPLE, IR_OP_SAMPLE, 2, true, false, SAMPLED, 1, {1}},
	{SM4_SAMPLE_B, IR_OP_SAMPLE_BIAS, 2, true, false, SAMPLED, 2, {1, 4}},
	{SM4_SAMPLE_L, IR_OP_SAMPLE_LOD, 2, true, false, SAMPLED, 2, {1, 4}},
	{SM4_SAMPLE_D, IR_OP_SAMPLE_GRAD, 2, true, false, SAMPLED, 3, {1, 4, 5}},
	{SM4_SAMPLE_C, IR_OP_SAMPLE_CMP, 2, true, true, COMPARED, 2, {1, 4}},
	{SM4_SAMPLE_C_LZ, IR_OP_SAMPLE_CMP_LZ, 2, true, true, COMPARED, 2, {1, 4}},
	{SM4_GATHER4, IR_OP_GATHER, 2, true, false, GATHERED, 1, {1}},
	{SM4_GATHER4_C, IR_OP_GATHER_CMP, 2, true, true, GATHERED, 2, {1, 4}},
	{SM4_GATHER4_PO, IR_OP_GATHER, 3, true, false, GATHERED & ~CUBES, 1, {1}},
	{SM4_GATHER4_PO_C, IR_OP_GATHER_CMP, 3, true, true, GATHERED & ~CUBES, 2, {1, 5}},
	{SM4_LOD, IR_OP_LOD, 2, true, false, SAMPLED, 1, {1}},
	{SM4_LD, IR_OP_FETCH, 2, false, false, LOADED, 1, {1}},
	{SM4_LD2DMS, IR_OP_FETCH_MS, 2, false, false, MULTISAMPLED, 2, {1, 3}},
	{SM4_RESINFO, IR_OP_SIZE, 2, false, false, ANY, 1, {1}},
	{SM4_SAMPLE_INFO, IR_OP_SAMPLES, 1, false, false, MULTISAMPLED, 0, {0}},
};

static const struct texture_operation *find_operation(uint32_t opcode)
{
	for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (operations[i].opcode == opcode)
			return &operations[i];
	}
	return NULL;
}

/* Bit n = component n of resinfo is an extent, neither an array length nor the level count. */
static unsigned extent_mask(unsigned dimension)
{
	switch (dimension) {
	case SHADER_DIM_BUFFER:
	case SHADER_DIM_1D:
	case SHADER_DIM_1D_ARRAY:
		return IR_MASK_X;
	case SHADER_DIM_3D:
		return IR_MASK_XYZ;
	default:
		return IR_MASK_X | IR_MASK_Y;
	}
}

/* resinfo and sampleinfo answer integers, floats or reciprocals; the resource swizzle applies to the outcome. */
static void convert_answer(struct sm4 *sm4, const struct sm4_insn *insn, struct ir_dst dst, struct ir_src value,
			   const struct ir_texture *texture, unsigned dimension)
{
	bool info = insn->opcode == SM4_RESINFO;
	unsigned type = info ? (insn->token >> 11) & 3 : (insn->token >> 11) & 1 ? 2 : 0;
	unsigned extents = extent_mask(dimension);

	if (type != 2)
		value = ir_value1(sm4->ir, IR_OP_U2F, IR_MASK_XYZW, value);
	if (info && type == 1)
		ir_emit1(sm4->ir, IR_OP_RCP, ir_dst(IR_TEMP, value.index, extents), value);
	ir_emit1(sm4->ir, IR_OP_MOV, dst, ir_swizzled(value, texture->swizzle[0], texture->swizzle[1],
						      texture->swizzle[2], texture->swizzle[3]));
}

static int check_dimension(struct sm4 *sm4, const struct sm4_insn *insn, const struct texture_operation *operation,
			   uint32_t unit)
{
	unsigned dimension = 1u << sm4->shader->info.units[unit].dimension;
	bool offset = insn->offset[0] || insn->offset[1] || insn->offset[2];

	if (!(operation->dimensions & dimension))
		return sm4_error(sm4, insn, -EINVAL, "resources of this dimension do not have it");
	if (offset && (dimension & (CUBES | MULTISAMPLED | DIM(BUFFER))))
		return sm4_error(sm4, insn, -EINVAL, "resources of this dimension take no offset");
	return 0;
}

/* gather4_po: an offset that is a value, in texels, becomes part of the coordinate. */
static int add_offset(struct sm4 *sm4, const struct sm4_insn *insn, uint32_t unit, struct ir_src *coordinate)
{
	struct ir_program *out = sm4->ir;
	const unsigned xy = IR_MASK_X | IR_MASK_Y;
	struct ir_src offset, size;
	struct ir_dst moved;
	int ret = sm4_source(sm4, insn, 2, &offset);

	if (ret)
		return ret;
	size = ir_src(IR_TEMP, ir_new_temp(out));
	moved = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);
	ir_emit1(out, IR_OP_SIZE, ir_dst(IR_TEMP, size.index, IR_MASK_XYZW), ir_immu(0))->texture.unit = (uint8_t)unit;
	/* Six signed bits count. */
	offset = ir_value2(out, IR_OP_SHL, xy, offset, ir_immu(26));
	offset = ir_value2(out, IR_OP_ISHR, xy, offset, ir_immu(26));
	offset = ir_value1(out, IR_OP_I2F, xy, offset);
	size = ir_value1(out, IR_OP_U2F, xy, size);
	offset = ir_value2(out, IR_OP_DIV, xy, offset, size);
	ir_emit1(out, IR_OP_MOV, moved, *coordinate);
	ir_emit2(out, IR_OP_ADD, ir_dst_masked(moved, xy), ir_src_of(moved), offset);
	*coordinate = ir_src_of(moved);
	return 0;
}

int sm4_texture(struct sm4 *sm4, const struct sm4_insn *insn)
{
	static const uint8_t identity[4] = {0, 1, 2, 3};
	const struct texture_operation *operation = find_operation(insn->opcode);
	struct ir_texture texture = {0};
	struct ir_insn *out;
	struct ir_src sources[3];
	struct ir_dst dst, result;
	uint32_t unit;
	bool query;
	int ret;

	if (!operation)
		return 1;
	ret = sm4_destination(sm4, insn, 0, &dst);
	for (unsigned i = 0; !ret && i < operation->sources; i++)
		ret = sm4_source(sm4, insn, operation->source[i], &sources[i]);
	if (!ret)
		ret = unit_of(sm4, insn, operation->resource, operation->sampled, operation->comparison, &unit);
	if (!ret)
		ret = check_dimension(sm4, insn, operation, unit);
	if (!ret && (insn->opcode == SM4_GATHER4_PO || insn->opcode == SM4_GATHER4_PO_C))
		ret = add_offset(sm4, insn, unit, &sources[0]);
	if (ret)
		return ret;
	if (dst.file == IR_NULL)
		return 0;
	texture.unit = (uint8_t)unit;
	for (unsigned i = 0; i < 4; i++)
		texture.swizzle[i] = insn->operand[operation->resource].swizzle[i];
	for (unsigned i = 0; i < 3; i++)
		texture.offset[i] = insn->offset[i];
	if (operation->ir_op == IR_OP_GATHER || operation->ir_op == IR_OP_GATHER_CMP)
		texture.component = insn->operand[operation->resource + 1].swizzle[0];
	query = operation->ir_op == IR_OP_SIZE || operation->ir_op == IR_OP_SAMPLES;
	result = query ? ir_dst(IR_TEMP, ir_new_temp(sm4->ir), IR_MASK_XYZW) : dst;
	out = ir_add(sm4->ir, operation->ir_op);
	out->dst = result;
	for (unsigned i = 0; i < operation->sources; i++)
		out->src[i] = sources[i];
	out->texture = texture;
	if (query) {
		for (unsigned i = 0; i < 4; i++)
			out->texture.swizzle[i] = identity[i];
		convert_answer(sm4, insn, dst, ir_src_of(result), &texture,
			       sm4->shader->info.units[unit].dimension);
	}
	return 0;
}
