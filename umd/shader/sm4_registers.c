/* SPDX-License-Identifier: MIT */
/* SM4/5 declarations and operands. */
#include <errno.h>
#include <string.h>

#include "sm4_state.h"

int sm4_error(struct sm4 *sm4, const struct sm4_insn *insn, int error, const char *what)
{
	return shader_fail(sm4->message, error, "dword %u: %s: %s", insn->at, sm4_opcode_name(insn->opcode), what);
}

/* Declarations */

static const struct dxbc_element *find_element(const struct dxbc_signature *signature, uint32_t reg, unsigned mask)
{
	for (uint32_t i = 0; signature && i < signature->count; i++) {
		if (signature->elements[i].reg == reg && (signature->elements[i].mask & mask))
			return &signature->elements[i];
	}
	return NULL;
}

static uint8_t interpolation(unsigned mode)
{
	if (mode == 1)
		return SHADER_INTERPOLATE_CONSTANT;
	return mode == 4 || mode == 5 || mode == 7 ? SHADER_INTERPOLATE_LINEAR : SHADER_INTERPOLATE_PERSPECTIVE;
}

static uint8_t location(unsigned mode)
{
	if (mode == 3 || mode == 5)
		return 1;
	return mode == 6 || mode == 7 ? 2 : 0;
}

/* A user input, or a geometry shader's system-interpreted one. */
static int declare_user_input(struct sm4 *sm4, const struct sm4_insn *insn, uint32_t reg, unsigned mask,
			      unsigned mode, uint32_t value)
{
	const struct dxbc_element *element = find_element(sm4->inputs, reg, mask);
	struct shader_info *info = &sm4->shader->info;
	struct shader_input *input;

	if (sm4->input_entry[reg] != SHADER_NONE) {
		info->inputs[sm4->input_entry[reg]].mask |= mask;
		return 0;
	}
	if (info->input_count >= SHADER_MAX_INPUTS)
		return sm4_error(sm4, insn, -EINVAL, "too many inputs");
	sm4->input_entry[reg] = info->input_count;
	sm4->shader->input_values[info->input_count] = value;
	input = &info->inputs[info->input_count++];
	*input = (struct shader_input){.semantic = {SHADER_USAGE_REGISTER, reg}, .reg = reg, .mask = (uint8_t)mask,
				       .interpolation = interpolation(mode), .location = location(mode)};
	if (element) {
		memcpy(input->name, element->name, sizeof(input->name));
		input->name_index = element->name_index;
		input->type = element->component_type == 1 ? 1 : element->component_type == 2 ? 2 : 0;
	}
	return 0;
}

static int declare_value(struct sm4 *sm4, const struct sm4_insn *insn, uint32_t reg, unsigned mask, uint32_t name)
{
	bool pixel = sm4->shader->info.stage == SHADER_PIXEL;
	enum ir_value value;

	switch (name) {
	case SM4_NAME_POSITION:
		value = IR_VALUE_POSITION;
		break;
	case SM4_NAME_VERTEX_ID:
		value = IR_VALUE_VERTEX_ID;
		break;
	case SM4_NAME_INSTANCE_ID:
		value = IR_VALUE_INSTANCE_ID;
		break;
	case SM4_NAME_PRIMITIVE_ID:
		value = IR_VALUE_PRIMITIVE_ID;
		break;
	case SM4_NAME_FRONT_FACE:
		value = IR_VALUE_FRONT_FACE;
		break;
	case SM4_NAME_SAMPLE_INDEX:
		value = IR_VALUE_SAMPLE_ID;
		break;
	case SM4_NAME_CLIP_DISTANCE:
	case SM4_NAME_CULL_DISTANCE:
		return declare_user_input(sm4, insn, reg, mask, 2, pixel ? 0 : name);
	case SM4_NAME_TARGET_INDEX:
	case SM4_NAME_VIEWPORT_INDEX:
		/* What the stage before wrote comes as a varying, beside its effect. */
		if (pixel)
			return declare_user_input(sm4, insn, reg, mask, 1, 0);
		return sm4_error(sm4, insn, -EINVAL, "system value");
	default:
		return sm4_error(sm4, insn, -ENOTSUP, "this system value is not built");
	}
	if (sm4->value_count == sizeof(sm4->values) / sizeof(sm4->values[0]))
		return sm4_error(sm4, insn, -EINVAL, "too many system values");
	sm4->values[sm4->value_count++] = (struct sm4_value){reg, mask, value};
	if (sm4->input_temp[reg] == SHADER_NONE)
		sm4->input_temp[reg] = ir_new_temp(sm4->ir);
	return 0;
}

static int declare_input(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_operand *operand = &insn->operand[0];
	bool geometry = sm4->shader->info.stage == SHADER_GEOMETRY;
	bool has_name = insn->opcode != SM4_DCL_INPUT && insn->opcode != SM4_DCL_INPUT_PS;
	unsigned mode = insn->opcode >= SM4_DCL_INPUT_PS ? (insn->token >> 11) & 15 : 0;
	uint32_t name = has_name ? sm4_extra(insn, 0) : SM4_NAME_NONE, reg;

	if (operand->type == SM4_REG_PRIMITIVE_ID || operand->type == SM4_REG_GS_INSTANCE ||
	    operand->type == SM4_REG_INPUT_COVERAGE)
		return 0;
	if (operand->type != SM4_REG_INPUT || !operand->index_count || !operand->mask)
		return sm4_error(sm4, insn, -ENOTSUP, "this input register is not built");
	reg = operand->index[operand->index_count - 1];
	if (reg >= SM4_REGISTERS)
		return sm4_error(sm4, insn, -EINVAL, "input register number");
	if (geometry && (name == SM4_NAME_POSITION || name == SM4_NAME_CLIP_DISTANCE))
		return declare_user_input(sm4, insn, reg, operand->mask, mode, name);
	if (name != SM4_NAME_NONE)
		return declare_value(sm4, insn, reg, operand->mask, name);
	return declare_user_input(sm4, insn, reg, operand->mask, mode, 0);
}

static int declare_pixel_output(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_operand *operand = &insn->operand[0];
	struct shader_info *info = &sm4->shader->info;

	switch (operand->type) {
	case SM4_REG_OUTPUT_DEPTH:
	case SM4_REG_OUTPUT_DEPTH_GE:
	case SM4_REG_OUTPUT_DEPTH_LE:
		info->writes_depth = true;
		return 0;
	case SM4_REG_OUTPUT_COVERAGE:
		return 0;
	case SM4_REG_OUTPUT:
		break;
	default:
		return sm4_error(sm4, insn, -ENOTSUP, "this output register is not built");
	}
	if (operand->index_count != 1 || operand->index[0] >= 8)
		return sm4_error(sm4, insn, -EINVAL, "render target number");
	info->render_targets |= 1u << operand->index[0];
	return 0;
}

static int declare_output(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_operand *operand = &insn->operand[0];
	struct shader_info *info = &sm4->shader->info;
	const struct dxbc_element *element;
	struct shader_output *output;
	bool pixel = info->stage == SHADER_PIXEL;
	uint32_t name = insn->opcode == SM4_DCL_OUTPUT ? 0 : sm4_extra(insn, 0), reg;

	if (pixel) {
		int ret = declare_pixel_output(sm4, insn);

		if (ret || operand->type != SM4_REG_OUTPUT)
			return ret;
		name = 64;
	}
	if (operand->type != SM4_REG_OUTPUT || operand->index_count != 1)
		return sm4_error(sm4, insn, -EINVAL, "output register");
	reg = operand->index[0];
	if (reg >= SM4_REGISTERS || !operand->mask)
		return sm4_error(sm4, insn, -EINVAL, "output register number");
	if (!pixel && name > SM4_NAME_PRIMITIVE_ID)
		return sm4_error(sm4, insn, -ENOTSUP, "this system value is not built");
	if (info->output_count >= SHADER_MAX_OUTPUTS)
		return sm4_error(sm4, insn, -EINVAL, "too many outputs");
	element = find_element(sm4->outputs, reg, operand->mask);
	output = &info->outputs[info->output_count++];
	*output = (struct shader_output){.semantic = {SHADER_USAGE_REGISTER, reg}, .reg = reg, .mask = operand->mask,
					 .system_value = name};
	if (element) {
		memcpy(output->name, element->name, sizeof(output->name));
		output->name_index = element->name_index;
	}
	return 0;
}

static int declare_resource(struct sm4 *sm4, const struct sm4_insn *insn)
{
	static const uint8_t dimensions[11] = {
		[1] = SHADER_DIM_BUFFER, [2] = SHADER_DIM_1D, [3] = SHADER_DIM_2D, [4] = SHADER_DIM_2D_MS,
		[5] = SHADER_DIM_3D, [6] = SHADER_DIM_CUBE, [7] = SHADER_DIM_1D_ARRAY, [8] = SHADER_DIM_2D_ARRAY,
		[9] = SHADER_DIM_2D_MS_ARRAY, [10] = SHADER_DIM_CUBE_ARRAY,
	};
	const struct sm4_operand *operand = &insn->operand[0];
	unsigned dimension = (insn->token >> 11) & 31, type = sm4_extra(insn, 0) & 15;
	struct sm4_resource *resource;

	if (operand->index_count != 1 || operand->index[0] >= SM4_RESOURCES || dimension < 1 || dimension > 10)
		return sm4_error(sm4, insn, -EINVAL, "resource register");
	resource = &sm4->resources[operand->index[0]];
	resource->declared = true;
	resource->dimension = dimensions[dimension];
	resource->return_type = type == 4 ? 1 : type == 3 ? 2 : 0;
	return 0;
}

static int declare_constant_buffer(struct sm4 *sm4, const struct sm4_insn *insn)
{
	const struct sm4_operand *operand = &insn->operand[0];
	struct shader_info *info = &sm4->shader->info;
	uint32_t slot = operand->index[0], size = operand->index[1];

	if (operand->index_count != 2)
		return sm4_error(sm4, insn, -ENOTSUP, "constant buffers of shader model 5.1 are not built");
	if (slot >= SM4_CONSTANT_BUFFERS || size > 4096)
		return sm4_error(sm4, insn, -EINVAL, "constant buffer slot or size");
	/* Size 0 means unknown: all that a buffer can have. */
	info->constant_buffers |= 1u << slot;
	info->constant_buffer_size[slot] = size ? size : 4096;
	return 0;
}

static int declare_temps(struct sm4 *sm4, const struct sm4_insn *insn)
{
	uint32_t count = sm4_extra(insn, 0);

	if (count > SM4_MAX_TEMPS || sm4->temp_count)
		return sm4_error(sm4, insn, -EINVAL, "temporary registers");
	sm4->temp_base = sm4->ir->temp_count;
	for (uint32_t i = 0; i < count; i++)
		ir_new_temp(sm4->ir);
	sm4->temp_count = count;
	return 0;
}

static int declare_indexable_temp(struct sm4 *sm4, const struct sm4_insn *insn)
{
	uint32_t number = sm4_extra(insn, 0), size = sm4_extra(insn, 1);

	if (number >= IR_MAX_ARRAYS || !size || size > SM4_MAX_TEMPS || sm4->arrays[number])
		return sm4_error(sm4, insn, -EINVAL, "indexable temporary");
	sm4->arrays[number] = ir_new_array(sm4->ir, size) + 1;
	return 0;
}

static int declare_immediate_buffer(struct sm4 *sm4, const struct sm4_insn *insn)
{
	if (((insn->token >> 11) & 0x1fffff) != 3)
		return 0;
	if (insn->extra_count % 4 || insn->extra_count / 4 > SM4_MAX_IMMEDIATE_BUFFER)
		return sm4_error(sm4, insn, -EINVAL, "immediate constant buffer size");
	sm4->immediate_buffer = insn->extra;
	sm4->immediate_count = insn->extra_count / 4;
	return 0;
}

static int declare_geometry(struct sm4 *sm4, const struct sm4_insn *insn)
{
	/* The device's primitive numbers and the vertices of each, by the token's number. */
	static const uint8_t inputs[8][2] = {[1] = {0, 1}, [2] = {1, 2}, [3] = {4, 3}, [6] = {10, 4}, [7] = {12, 6}};
	static const uint8_t outputs[6] = {[1] = 0 + 1, [3] = 3 + 1, [5] = 5 + 1};
	struct shader_geometry *geometry = &sm4->shader->geometry;
	uint32_t value = (insn->token >> 11) & 63;

	switch (insn->opcode) {
	case SM4_DCL_INPUT_PRIMITIVE:
		if (value >= 8 || !inputs[value][1])
			return sm4_error(sm4, insn, -EINVAL, "primitive");
		geometry->input_primitive = inputs[value][0];
		geometry->input_vertices = inputs[value][1];
		return 0;
	case SM4_DCL_OUTPUT_TOPOLOGY:
		if (value >= 6 || !outputs[value])
			return sm4_error(sm4, insn, -EINVAL, "topology");
		geometry->output_primitive = outputs[value] - 1u;
		return 0;
	case SM4_DCL_VERTICES_OUT:
		geometry->max_vertices = sm4_extra(insn, 0);
		return geometry->max_vertices > 1024 ? sm4_error(sm4, insn, -EINVAL, "vertex count") : 0;
	default:
		geometry->invocations = sm4_extra(insn, 0);
		return geometry->invocations > 32 ? sm4_error(sm4, insn, -EINVAL, "instance count") : 0;
	}
}

int sm4_declaration(struct sm4 *sm4, const struct sm4_insn *insn)
{
	switch (insn->opcode) {
	case SM4_DCL_INPUT:
	case SM4_DCL_INPUT_SGV:
	case SM4_DCL_INPUT_SIV:
	case SM4_DCL_INPUT_PS:
	case SM4_DCL_INPUT_PS_SGV:
	case SM4_DCL_INPUT_PS_SIV:
		return declare_input(sm4, insn);
	case SM4_DCL_OUTPUT:
	case SM4_DCL_OUTPUT_SGV:
	case SM4_DCL_OUTPUT_SIV:
		return declare_output(sm4, insn);
	case SM4_DCL_RESOURCE:
		return declare_resource(sm4, insn);
	case SM4_DCL_CONSTANT_BUFFER:
		return declare_constant_buffer(sm4, insn);
	case SM4_DCL_TEMPS:
		return declare_temps(sm4, insn);
	case SM4_DCL_INDEXABLE_TEMP:
		return declare_indexable_temp(sm4, insn);
	case SM4_CUSTOMDATA:
		return declare_immediate_buffer(sm4, insn);
	case SM4_DCL_GLOBAL_FLAGS:
		sm4->shader->early_depth = insn->token & (1u << 13);
		return 0;
	case SM4_DCL_INPUT_PRIMITIVE:
	case SM4_DCL_OUTPUT_TOPOLOGY:
	case SM4_DCL_VERTICES_OUT:
	case SM4_DCL_GS_INSTANCES:
		return declare_geometry(sm4, insn);
	case SM4_DCL_STREAM:
		if (insn->operand[0].index_count != 1 || insn->operand[0].index[0])
			return sm4_error(sm4, insn, -ENOTSUP, "streams other than 0 are not built");
		return 0;
	case SM4_DCL_SAMPLER:
	case SM4_DCL_INDEX_RANGE:
	case SM4_NOP:
		return 0;
	}
	return 1;
}

/* Operands */

static int source_register(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			   struct ir_src *src);

/* An index register as the integer temporary that the IR wants. */
static int relative_index(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_relative *rel,
			  struct ir_relative *result)
{
	struct sm4_operand operand = {.type = rel->type, .components = 4, .index_count = rel->index_count,
				      .index = {rel->index[0], rel->index[1]}};
	struct ir_src src;
	int ret = source_register(sm4, insn, &operand, &src);

	if (ret)
		return ret;
	if (src.file != IR_TEMP)
		src = ir_value1(sm4->ir, IR_OP_MOV, IR_MASK_XYZW, src);
	*result = (struct ir_relative){.used = true, .temp = (uint16_t)src.index, .component = rel->component};
	return 0;
}

static int input_source(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			struct ir_src *src)
{
	bool geometry = sm4->shader->info.stage == SHADER_GEOMETRY;
	unsigned last = geometry ? 1 : 0;
	uint32_t reg = operand->index[last];

	if (operand->index_count != last + 1 || reg >= SM4_REGISTERS)
		return sm4_error(sm4, insn, -EINVAL, "input operand");
	if (operand->rel[last].used) {
		if (geometry)
			return sm4_error(sm4, insn, -ENOTSUP, "indexed geometry inputs are not built");
		if (sm4->input_array == SHADER_NONE)
			sm4->input_array = ir_new_array(sm4->ir, SM4_REGISTERS);
		*src = ir_src(IR_ARRAY, reg);
		src->dim = sm4->input_array;
		return relative_index(sm4, insn, &operand->rel[last], &src->rel);
	}
	if (sm4->input_temp[reg] != SHADER_NONE) {
		*src = ir_src(IR_TEMP, sm4->input_temp[reg]);
		return 0;
	}
	if (sm4->input_entry[reg] == SHADER_NONE)
		return sm4_error(sm4, insn, -EINVAL, "reads an input that is not declared");
	*src = ir_src(IR_INPUT, sm4->input_entry[reg]);
	if (!geometry)
		return 0;
	src->dim = operand->index[0];
	if (operand->rel[0].used)
		return relative_index(sm4, insn, &operand->rel[0], &src->dim_rel);
	return src->dim < sm4->shader->geometry.input_vertices ? 0 : sm4_error(sm4, insn, -EINVAL, "vertex number");
}

static int constant_source(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			   struct ir_src *src)
{
	uint32_t slot = operand->index[0];

	if (operand->index_count != 2 || operand->rel[0].used)
		return sm4_error(sm4, insn, -ENOTSUP, "an indexed constant buffer slot is not built");
	if (slot >= SM4_CONSTANT_BUFFERS || !(sm4->shader->info.constant_buffers & (1u << slot)) ||
	    operand->index[1] >= 4096)
		return sm4_error(sm4, insn, -EINVAL, "constant buffer operand");
	*src = ir_src(IR_BUFFER, operand->index[1]);
	src->dim = slot;
	if (operand->rel[1].used)
		return relative_index(sm4, insn, &operand->rel[1], &src->rel);
	return 0;
}

static int array_operand(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			 uint32_t *array)
{
	uint32_t number = operand->index[0];

	if (operand->index_count != 2 || operand->rel[0].used || number >= IR_MAX_ARRAYS || !sm4->arrays[number])
		return sm4_error(sm4, insn, -EINVAL, "indexable temporary");
	*array = sm4->arrays[number] - 1;
	if (!operand->rel[1].used && operand->index[1] >= sm4->ir->array_sizes[*array])
		return sm4_error(sm4, insn, -EINVAL, "index of an indexable temporary");
	return 0;
}

static struct ir_src immediate_element(const struct sm4 *sm4, uint32_t index)
{
	uint32_t v[4];

	memcpy(v, sm4->immediate_buffer + (size_t)index * 16, sizeof(v));
	return ir_imm4(v[0], v[1], v[2], v[3]);
}

static int immediate_source(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			    struct ir_src *src)
{
	uint32_t index = operand->index[0];

	if (operand->index_count != 1 || !sm4->immediate_count)
		return sm4_error(sm4, insn, -EINVAL, "immediate constant buffer operand");
	if (!operand->rel[0].used) {
		*src = index < sm4->immediate_count ? immediate_element(sm4, index) : ir_immu(0);
		return 0;
	}
	if (sm4->immediate_array == SHADER_NONE)
		sm4->immediate_array = ir_new_array(sm4->ir, sm4->immediate_count);
	*src = ir_src(IR_ARRAY, index);
	src->dim = sm4->immediate_array;
	return relative_index(sm4, insn, &operand->rel[0], &src->rel);
}

static int source_register(struct sm4 *sm4, const struct sm4_insn *insn, const struct sm4_operand *operand,
			   struct ir_src *src)
{
	uint32_t array;
	int ret;

	switch (operand->type) {
	case SM4_REG_TEMP:
		if (operand->index_count != 1 || operand->index[0] >= sm4->temp_count)
			return sm4_error(sm4, insn, -EINVAL, "temporary register number");
		*src = ir_src(IR_TEMP, sm4->temp_base + operand->index[0]);
		return 0;
	case SM4_REG_INPUT:
		return input_source(sm4, insn, operand, src);
	case SM4_REG_INDEXABLE_TEMP:
		ret = array_operand(sm4, insn, operand, &array);
		if (ret)
			return ret;
		*src = ir_src(IR_ARRAY, operand->index[1]);
		src->dim = array;
		return operand->rel[1].used ? relative_index(sm4, insn, &operand->rel[1], &src->rel) : 0;
	case SM4_REG_IMMEDIATE32:
		*src = ir_imm4(operand->imm[0], operand->imm[1], operand->imm[2], operand->imm[3]);
		return 0;
	case SM4_REG_CONSTANT_BUFFER:
		return constant_source(sm4, insn, operand, src);
	case SM4_REG_IMMEDIATE_BUFFER:
		return immediate_source(sm4, insn, operand, src);
	case SM4_REG_PRIMITIVE_ID:
		*src = ir_src(IR_VALUE, IR_VALUE_PRIMITIVE_ID);
		return 0;
	case SM4_REG_GS_INSTANCE:
		*src = ir_src(IR_VALUE, IR_VALUE_INVOCATION_ID);
		return 0;
	case SM4_REG_INPUT_COVERAGE:
		*src = ir_src(IR_VALUE, IR_VALUE_COVERAGE);
		return 0;
	}
	return sm4_error(sm4, insn, -ENOTSUP, "this source register is not built");
}

int sm4_source(struct sm4 *sm4, const struct sm4_insn *insn, unsigned which, struct ir_src *src)
{
	const struct sm4_operand *operand = &insn->operand[which];
	int ret = source_register(sm4, insn, operand, src);

	if (ret)
		return ret;
	*src = ir_swizzled(*src, operand->swizzle[0], operand->swizzle[1], operand->swizzle[2], operand->swizzle[3]);
	src->negate = operand->negate;
	src->absolute = operand->absolute;
	return 0;
}

int sm4_destination(struct sm4 *sm4, const struct sm4_insn *insn, unsigned which, struct ir_dst *dst)
{
	const struct sm4_operand *operand = &insn->operand[which];
	uint32_t array;
	int ret;

	if (operand->type != SM4_REG_NULL && !operand->mask)
		return sm4_error(sm4, insn, -EINVAL, "empty write mask");
	switch (operand->type) {
	case SM4_REG_NULL:
		*dst = ir_dst(IR_NULL, 0, IR_MASK_XYZW);
		return 0;
	case SM4_REG_TEMP:
		if (operand->index_count != 1 || operand->index[0] >= sm4->temp_count)
			return sm4_error(sm4, insn, -EINVAL, "temporary register number");
		*dst = ir_dst(IR_TEMP, sm4->temp_base + operand->index[0], operand->mask);
		return 0;
	case SM4_REG_OUTPUT:
		if (operand->index_count != 1 || operand->index[0] >= SM4_REGISTERS)
			return sm4_error(sm4, insn, -EINVAL, "output register number");
		*dst = ir_dst(IR_OUTPUT, operand->index[0], operand->mask);
		return operand->rel[0].used ? relative_index(sm4, insn, &operand->rel[0], &dst->rel) : 0;
	case SM4_REG_INDEXABLE_TEMP:
		ret = array_operand(sm4, insn, operand, &array);
		if (ret)
			return ret;
		*dst = ir_dst(IR_ARRAY, operand->index[1], operand->mask);
		dst->dim = array;
		return operand->rel[1].used ? relative_index(sm4, insn, &operand->rel[1], &dst->rel) : 0;
	case SM4_REG_OUTPUT_DEPTH:
	case SM4_REG_OUTPUT_DEPTH_GE:
	case SM4_REG_OUTPUT_DEPTH_LE:
		*dst = ir_dst(IR_OUTPUT, IR_OUTPUT_DEPTH, IR_MASK_X);
		return 0;
	case SM4_REG_OUTPUT_COVERAGE:
		*dst = ir_dst(IR_OUTPUT, IR_OUTPUT_COVERAGE, IR_MASK_X);
		return 0;
	}
	return sm4_error(sm4, insn, -ENOTSUP, "this destination register is not built");
}

static void gather_inputs(struct sm4 *sm4)
{
	for (uint32_t reg = 0; reg < SM4_REGISTERS; reg++) {
		uint32_t entry = sm4->input_entry[reg];

		if (sm4->input_temp[reg] != SHADER_NONE && entry != SHADER_NONE)
			ir_emit1(&sm4->prologue, IR_OP_MOV,
				 ir_dst(IR_TEMP, sm4->input_temp[reg], sm4->shader->info.inputs[entry].mask),
				 ir_src(IR_INPUT, entry));
	}
	for (uint32_t i = 0; i < sm4->value_count; i++) {
		const struct sm4_value *value = &sm4->values[i];
		struct ir_src src = ir_src(IR_VALUE, value->value);

		if (value->value != IR_VALUE_POSITION)
			src = ir_scalar(src, 0);
		ir_emit1(&sm4->prologue, IR_OP_MOV, ir_dst(IR_TEMP, sm4->input_temp[value->reg], value->mask), src);
	}
}

static void fill_input_array(struct sm4 *sm4)
{
	for (uint32_t reg = 0; reg < SM4_REGISTERS; reg++) {
		struct ir_dst element = ir_dst(IR_ARRAY, reg, IR_MASK_XYZW);

		element.dim = sm4->input_array;
		if (sm4->input_temp[reg] != SHADER_NONE)
			ir_emit1(&sm4->prologue, IR_OP_MOV, element, ir_src(IR_TEMP, sm4->input_temp[reg]));
		else if (sm4->input_entry[reg] != SHADER_NONE)
			ir_emit1(&sm4->prologue, IR_OP_MOV, element, ir_src(IR_INPUT, sm4->input_entry[reg]));
	}
}

void sm4_end_registers(struct sm4 *sm4)
{
	gather_inputs(sm4);
	if (sm4->input_array != SHADER_NONE)
		fill_input_array(sm4);
	for (uint32_t i = 0; sm4->immediate_array != SHADER_NONE && i < sm4->immediate_count; i++) {
		struct ir_dst element = ir_dst(IR_ARRAY, i, IR_MASK_XYZW);

		element.dim = sm4->immediate_array;
		ir_emit1(&sm4->prologue, IR_OP_MOV, element, immediate_element(sm4, i));
	}
}
