/* SPDX-License-Identifier: MIT */
/* SM1-3 registers: declarations, definitions, source modifiers, destinations. */
#include "sm1_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int sm1_error(struct sm1 *sm1, const struct sm1_insn *insn, int error, const char *what)
{
	const struct sm1_opcode_info *info = sm1_opcode_info(insn->opcode);

	return shader_fail(sm1->message, error, "dword %u: %s: %s", insn->at, info ? info->name : "?", what);
}

uint32_t sm1_temp(struct sm1 *sm1, uint32_t *slot)
{
	if (*slot == SHADER_NONE)
		*slot = ir_new_temp(sm1->ir);
	return *slot;
}

/* Inputs */

static int add_input(struct sm1 *sm1, const struct sm1_insn *insn, unsigned kind, unsigned number, uint32_t usage,
		     uint32_t usage_index, unsigned mask)
{
	struct shader_info *info = &sm1->shader->info;
	struct shader_input *input;
	struct ir_src src;

	if (info->input_count >= SHADER_MAX_INPUTS)
		return sm1_error(sm1, insn, -EINVAL, "too many inputs");
	src = ir_src(IR_INPUT, info->input_count);
	input = &info->inputs[info->input_count++];
	*input = (struct shader_input){.semantic = {usage, usage_index}, .reg = number, .mask = (uint8_t)mask,
				       .location = insn->opcode == SM1_DCL && insn->dst.centroid};
	if (usage == SM1_USAGE_COLOR && sm1->pixel)
		input->interpolation = SHADER_INTERPOLATE_COLOR;
	if (!sm1->input_declared[kind][number]) {
		sm1->input_declared[kind][number] = true;
		sm1->inputs[kind][number] = src;
		return 0;
	}
	/* Several semantics share the register: gather them. */
	if (sm1->inputs[kind][number].file == IR_INPUT) {
		struct ir_dst gathered = ir_dst(IR_TEMP, ir_new_temp(sm1->ir), IR_MASK_XYZW);

		ir_emit1(&sm1->prologue, IR_OP_MOV, gathered, sm1->inputs[kind][number]);
		sm1->inputs[kind][number] = ir_src_of(gathered);
	}
	ir_emit1(&sm1->prologue, IR_OP_MOV, ir_dst(IR_TEMP, sm1->inputs[kind][number].index, mask), src);
	return 0;
}

int sm1_input(struct sm1 *sm1, const struct sm1_insn *insn, unsigned kind, unsigned number, struct ir_src *src)
{
	int ret = 0;

	if (number >= 32)
		return sm1_error(sm1, insn, -EINVAL, "input register number");
	if (!sm1->input_declared[kind][number]) {
		if (!sm1->pixel || sm1->version >= 0x300)
			return sm1_error(sm1, insn, -EINVAL, "reads an input that is not declared");
		ret = add_input(sm1, insn, kind, number, kind ? SM1_USAGE_TEXCOORD : SM1_USAGE_COLOR, number,
				IR_MASK_XYZW);
	}
	*src = sm1->inputs[kind][number];
	return ret;
}

/* Constants */

static uint32_t float_register(const struct sm1_operand *operand)
{
	switch (operand->type) {
	case SM1_REG_CONST2:
		return operand->number + 2048u;
	case SM1_REG_CONST3:
		return operand->number + 4096u;
	case SM1_REG_CONST4:
		return operand->number + 6144u;
	default:
		return operand->number;
	}
}

/* c# that the version has; its software form (minor 255) has all that tokens can name. */
static uint32_t float_limit(const struct sm1 *sm1)
{
	if ((sm1->version & 0xff) == 0xff)
		return SM1_MAX_FLOAT_CONSTS;
	if (!sm1->pixel)
		return SM1_HARDWARE_CONSTS;
	return sm1->version < 0x200 ? 8 : sm1->version < 0x300 ? 32 : 224;
}

static bool is_float_const(uint8_t type)
{
	return type == SM1_REG_CONST || (type >= SM1_REG_CONST2 && type <= SM1_REG_CONST4);
}

static int define_float(struct sm1 *sm1, const struct sm1_insn *insn)
{
	uint32_t reg = float_register(&insn->dst);
	struct sm1_definition *definition;

	if (!is_float_const(insn->dst.type) || reg >= float_limit(sm1))
		return sm1_error(sm1, insn, -EINVAL, "no float constant of this version");
	if (sm1->float_count == sm1->float_capacity) {
		uint32_t capacity = sm1->float_capacity ? sm1->float_capacity * 2 : 32;
		struct sm1_definition *floats = realloc(sm1->floats, capacity * sizeof(*floats));

		if (!floats)
			return -ENOMEM;
		sm1->floats = floats;
		sm1->float_capacity = capacity;
	}
	if (!sm1->float_slot[reg])
		sm1->float_slot[reg] = (uint16_t)++sm1->float_count;
	definition = &sm1->floats[sm1->float_slot[reg] - 1];
	definition->reg = reg;
	memcpy(definition->value, insn->raw, sizeof(definition->value));
	return 0;
}

int sm1_define(struct sm1 *sm1, const struct sm1_insn *insn)
{
	bool is_int = insn->opcode == SM1_DEFI;
	uint16_t number = insn->dst.number;
	struct sm1_definition *definition;

	if (insn->opcode == SM1_DEF)
		return define_float(sm1, insn);
	if (insn->dst.type != (is_int ? SM1_REG_CONSTINT : SM1_REG_CONSTBOOL) || number >= 16)
		return sm1_error(sm1, insn, -EINVAL, "constant register");
	definition = is_int ? &sm1->ints[number] : &sm1->bools[number];
	memcpy(definition->value, insn->raw, sizeof(definition->value));
	(is_int ? sm1->int_defined : sm1->bool_defined)[number] = true;
	return 0;
}

/* ps_1_x hardware holds constants within [-1, 1]. */
static struct ir_src clamped(struct sm1 *sm1, struct ir_src src)
{
	struct ir_program *out = &sm1->prologue;
	uint32_t temp = sm1_temp(sm1, &sm1->clamped_consts[src.index & 31]);
	struct ir_dst dst = ir_dst(IR_TEMP, temp, IR_MASK_XYZW);

	for (uint32_t i = 0; i < out->count; i++) {
		if (out->insns[i].dst.file == IR_TEMP && out->insns[i].dst.index == temp)
			return ir_src_of(dst);
	}
	ir_emit2(out, IR_OP_MAX, dst, src, ir_immf(-1));
	ir_emit2(out, IR_OP_MIN, dst, ir_src_of(dst), ir_immf(1));
	return ir_src_of(dst);
}

/*
 * A relative read may reach registers that the shader defined itself and that are therefore not in the constant array:
 * choose among them by the final index.
 */
static struct ir_src select_definition(struct sm1 *sm1, struct ir_src src)
{
	struct ir_program *out = sm1->ir;
	struct ir_dst value, here;
	struct ir_src index;

	if (!sm1->float_count)
		return src;
	value = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);
	here = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_X);
	ir_emit1(out, IR_OP_MOV, value, src);
	index = ir_value2(out, IR_OP_UADD, IR_MASK_X, ir_scalar(ir_src(IR_TEMP, src.rel.temp), src.rel.component),
			  ir_immu(src.index));
	for (uint32_t i = 0; i < sm1->float_count; i++) {
		const uint32_t *v = sm1->floats[i].value;

		ir_emit2(out, IR_OP_USEQ, here, index, ir_immu(sm1->floats[i].reg));
		ir_emit3(out, IR_OP_UCMP, value, ir_scalar(ir_src_of(here), 0), ir_imm4(v[0], v[1], v[2], v[3]),
			 ir_src_of(value));
	}
	return ir_src_of(value);
}

static int address_of(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
		      struct ir_relative *rel)
{
	rel->used = true;
	if (operand->relative_type == SM1_REG_LOOP) {
		for (uint32_t i = sm1->loop_count; i > 0; i--) {
			if (sm1->loops[i - 1].index != SHADER_NONE) {
				rel->temp = (uint16_t)sm1->loops[i - 1].index;
				rel->component = 0;
				return 0;
			}
		}
		return sm1_error(sm1, insn, -EINVAL, "aL outside of a loop");
	}
	if (sm1->pixel)
		return sm1_error(sm1, insn, -EINVAL, "a0 in a pixel shader");
	rel->temp = (uint16_t)sm1_temp(sm1, &sm1->address);
	rel->component = operand->relative_component;
	return 0;
}

static int float_const(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
		       struct ir_src *src)
{
	uint32_t reg = float_register(operand);
	int ret;

	if (reg >= float_limit(sm1))
		return sm1_error(sm1, insn, -EINVAL, "constant register number");
	*src = ir_src(IR_FLOAT_CONST, reg);
	if (operand->relative) {
		ret = address_of(sm1, insn, operand, &src->rel);
		if (!ret)
			*src = select_definition(sm1, *src);
		return ret;
	}
	if (sm1->float_slot[reg]) {
		const uint32_t *v = sm1->floats[sm1->float_slot[reg] - 1].value;

		*src = ir_imm4(v[0], v[1], v[2], v[3]);
	} else if (sm1->pixel && sm1->version < 0x200 && reg < 32) {
		*src = clamped(sm1, *src);
	}
	return 0;
}

/* Sources */

static int input_source(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
			struct ir_src *src)
{
	if (!operand->relative)
		return sm1_input(sm1, insn, 0, operand->number, src);
	if (sm1->input_array == SHADER_NONE)
		sm1->input_array = ir_new_array(sm1->ir, 32);
	*src = ir_src(IR_ARRAY, operand->number);
	src->dim = sm1->input_array;
	return address_of(sm1, insn, operand, &src->rel);
}

static int texture_source(struct sm1 *sm1, const struct sm1_insn *insn, unsigned number, struct ir_src *src)
{
	bool fresh;
	int ret;

	if (number >= 8)
		return sm1_error(sm1, insn, -EINVAL, "texture register number");
	ret = sm1_input(sm1, insn, 1, number, src);
	if (ret || sm1->version >= 0x104)
		return ret;
	/* ps_1_0..1_3: a register that starts as the coordinate. */
	fresh = sm1->texture_temps[number] == SHADER_NONE;
	sm1_temp(sm1, &sm1->texture_temps[number]);
	if (fresh)
		ir_emit1(&sm1->prologue, IR_OP_MOV, ir_dst(IR_TEMP, sm1->texture_temps[number], IR_MASK_XYZW), *src);
	*src = ir_src(IR_TEMP, sm1->texture_temps[number]);
	return 0;
}

static int register_source(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
			   struct ir_src *src)
{
	uint16_t number = operand->number;

	switch (operand->type) {
	case SM1_REG_TEMP:
		if (number >= SM1_MAX_TEMPS)
			return sm1_error(sm1, insn, -EINVAL, "temporary register number");
		*src = ir_src(IR_TEMP, sm1_temp(sm1, &sm1->temps[number]));
		return 0;
	case SM1_REG_INPUT:
		return input_source(sm1, insn, operand, src);
	case SM1_REG_TEXTURE:
		if (sm1->pixel)
			return texture_source(sm1, insn, number, src);
		*src = ir_src(IR_TEMP, sm1_temp(sm1, &sm1->address));
		return 0;
	case SM1_REG_CONSTINT:
	case SM1_REG_CONSTBOOL: {
		bool is_int = operand->type == SM1_REG_CONSTINT;
		const struct sm1_definition *definition;

		if (number >= 16)
			return sm1_error(sm1, insn, -EINVAL, "constant register number");
		definition = is_int ? &sm1->ints[number] : &sm1->bools[number];
		if (!(is_int ? sm1->int_defined : sm1->bool_defined)[number])
			*src = ir_src(is_int ? IR_INT_CONST : IR_BOOL_CONST, number);
		else if (is_int)
			*src = ir_imm4(definition->value[0], definition->value[1], definition->value[2],
				       definition->value[3]);
		else
			*src = ir_immu(definition->value[0] ? 1 : 0);
		return 0;
	}
	case SM1_REG_PREDICATE:
		*src = ir_src(IR_TEMP, sm1_temp(sm1, &sm1->predicate));
		return 0;
	case SM1_REG_MISC:
		if (number > 1 || !sm1->pixel)
			return sm1_error(sm1, insn, -EINVAL, "register");
		*src = ir_src(IR_VALUE, number ? IR_VALUE_FACE : IR_VALUE_PIXEL);
		return 0;
	case SM1_REG_LOOP: {
		struct ir_relative rel = {0};
		struct sm1_operand loop = {.relative_type = SM1_REG_LOOP};
		int ret = address_of(sm1, insn, &loop, &rel);

		/* aL counts in integers; as a value it is a float. */
		if (!ret)
			*src = ir_scalar(ir_value1(sm1->ir, IR_OP_I2F, IR_MASK_X, ir_src(IR_TEMP, rel.temp)), 0);
		return ret;
	}
	default:
		if (is_float_const(operand->type))
			return float_const(sm1, insn, operand, src);
		return sm1_error(sm1, insn, -EINVAL, "register type cannot be read");
	}
}

static struct ir_src modified(struct sm1 *sm1, unsigned modifier, struct ir_src src)
{
	struct ir_program *out = sm1->ir;

	switch (modifier) {
	case SM1_MOD_NEG:
		return ir_negated(src);
	case SM1_MOD_ABS:
		return ir_abs(src);
	case SM1_MOD_ABSNEG:
		return ir_negated(ir_abs(src));
	case SM1_MOD_BIAS:
	case SM1_MOD_BIASNEG:
		src = ir_value2(out, IR_OP_ADD, IR_MASK_XYZW, src, ir_immf(-0.5f));
		return modifier == SM1_MOD_BIASNEG ? ir_negated(src) : src;
	case SM1_MOD_SIGN:
	case SM1_MOD_SIGNNEG:
		src = ir_value3(out, IR_OP_MAD, IR_MASK_XYZW, src, ir_immf(2), ir_immf(-1));
		return modifier == SM1_MOD_SIGNNEG ? ir_negated(src) : src;
	case SM1_MOD_COMP:
		return ir_value2(out, IR_OP_ADD, IR_MASK_XYZW, ir_immf(1), ir_negated(src));
	case SM1_MOD_X2:
	case SM1_MOD_X2NEG:
		src = ir_value2(out, IR_OP_ADD, IR_MASK_XYZW, src, src);
		return modifier == SM1_MOD_X2NEG ? ir_negated(src) : src;
	default:	/* DZ and DW belong to the texture instructions, NOT to predicates */
		return src;
	}
}

int sm1_operand_source(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
		       struct ir_src *src)
{
	int ret = register_source(sm1, insn, operand, src);

	if (ret)
		return ret;
	*src = ir_swizzled(*src, operand->swizzle[0], operand->swizzle[1], operand->swizzle[2], operand->swizzle[3]);
	*src = modified(sm1, operand->modifier, *src);
	return 0;
}

int sm1_source(struct sm1 *sm1, const struct sm1_insn *insn, unsigned which, struct ir_src *src)
{
	return sm1_operand_source(sm1, insn, &insn->src[which], src);
}

int sm1_source_row(struct sm1 *sm1, const struct sm1_insn *insn, unsigned which, unsigned row, struct ir_src *src)
{
	struct sm1_operand operand = insn->src[which];

	operand.number = (uint16_t)(operand.number + row);
	return sm1_operand_source(sm1, insn, &operand, src);
}

/* Destinations */

static void add_output(struct sm1 *sm1, uint32_t reg, uint32_t usage, uint32_t index, unsigned mask,
		       uint32_t system_value)
{
	struct shader_info *info = &sm1->shader->info;

	for (uint32_t i = 0; i < info->output_count; i++) {
		struct shader_output *output = &info->outputs[i];

		if (output->reg == reg && output->semantic.usage == usage && output->semantic.index == index) {
			output->mask |= mask;
			return;
		}
	}
	if (info->output_count < SHADER_MAX_OUTPUTS)
		info->outputs[info->output_count++] = (struct shader_output){
			.semantic = {usage, index}, .reg = reg, .mask = (uint8_t)mask, .system_value = system_value};
}

static int pixel_output(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst *dst)
{
	struct shader_info *info = &sm1->shader->info;
	const struct sm1_operand *operand = &insn->dst;

	if (operand->type == SM1_REG_DEPTHOUT) {
		info->writes_depth = true;
		*dst = ir_dst(IR_OUTPUT, IR_OUTPUT_DEPTH, IR_MASK_X);
		return 0;
	}
	if (operand->number >= 4)
		return sm1_error(sm1, insn, -EINVAL, "colour output number");
	info->render_targets |= 1u << operand->number;
	add_output(sm1, operand->number, SM1_USAGE_COLOR, operand->number, operand->mask, 64);
	*dst = ir_dst(IR_OUTPUT, operand->number, operand->mask);
	return 0;
}

static int vertex_output(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst *dst)
{
	static const uint8_t rastout[3] = {SM1_OUT_POSITION, SM1_OUT_FOG, SM1_OUT_PSIZE};
	static const uint8_t usages[3] = {SM1_USAGE_POSITION, SM1_USAGE_FOG, SM1_USAGE_PSIZE};
	const struct sm1_operand *operand = &insn->dst;
	uint16_t number = operand->number;
	uint32_t reg;

	if (operand->relative && (operand->type != SM1_REG_OUTPUT || sm1->version < 0x300))
		return sm1_error(sm1, insn, -EINVAL, "only o# of vs_3_0 can be indexed");
	switch (operand->type) {
	case SM1_REG_RASTOUT:
		if (number >= 3)
			return sm1_error(sm1, insn, -EINVAL, "output number");
		reg = rastout[number];
		add_output(sm1, reg, usages[number], 0, operand->mask, number == 0 ? 1 : 0);
		break;
	case SM1_REG_ATTROUT:
		if (number >= 2)
			return sm1_error(sm1, insn, -EINVAL, "output number");
		reg = SM1_OUT_COLOR + number;
		add_output(sm1, reg, SM1_USAGE_COLOR, number, operand->mask, 0);
		break;
	default:
		if (number >= (sm1->version >= 0x300 ? 12 : 8))
			return sm1_error(sm1, insn, -EINVAL, "output number");
		reg = number;
		if (sm1->version < 0x300) {
			reg = SM1_OUT_TEXCOORD + number;
			add_output(sm1, reg, SM1_USAGE_TEXCOORD, number, operand->mask, 0);
		}
	}
	*dst = ir_dst(IR_OUTPUT, reg, operand->mask);
	return operand->relative ? address_of(sm1, insn, operand, &dst->rel) : 0;
}

static int register_destination(struct sm1 *sm1, const struct sm1_insn *insn, struct ir_dst *dst)
{
	const struct sm1_operand *operand = &insn->dst;
	struct ir_src src;
	int ret;

	switch (operand->type) {
	case SM1_REG_TEMP:
		if (operand->number >= SM1_MAX_TEMPS)
			return sm1_error(sm1, insn, -EINVAL, "temporary register number");
		*dst = ir_dst(IR_TEMP, sm1_temp(sm1, &sm1->temps[operand->number]), operand->mask);
		return 0;
	case SM1_REG_TEXTURE:
		if (sm1->pixel && sm1->version < 0x104) {
			ret = texture_source(sm1, insn, operand->number, &src);
			if (!ret)
				*dst = ir_dst(IR_TEMP, src.index, operand->mask);
			return ret;
		}
		if (sm1->pixel || operand->number)
			return sm1_error(sm1, insn, -EINVAL, "destination register");
		*dst = ir_dst(IR_TEMP, sm1_temp(sm1, &sm1->address), operand->mask);
		return 0;
	case SM1_REG_PREDICATE:
		*dst = ir_dst(IR_TEMP, sm1_temp(sm1, &sm1->predicate), operand->mask);
		return 0;
	case SM1_REG_COLOROUT:
	case SM1_REG_DEPTHOUT:
		if (!sm1->pixel)
			break;
		return pixel_output(sm1, insn, dst);
	case SM1_REG_RASTOUT:
	case SM1_REG_ATTROUT:
	case SM1_REG_OUTPUT:
		if (sm1->pixel)
			break;
		return vertex_output(sm1, insn, dst);
	}
	return sm1_error(sm1, insn, -EINVAL, "destination register");
}

/* Is the next instruction the second half of a pair with this one? */
static bool next_is_coissued(const struct sm1 *sm1)
{
	struct sm1_reader peek = sm1->reader;
	struct sm1_insn next;
	struct shader_message silent = {0};

	if (!sm1->pixel || sm1->version >= 0x200)
		return false;
	peek.message = &silent;
	return !sm1_read(&peek, &next) && next.coissue;
}

int sm1_begin(struct sm1 *sm1, const struct sm1_insn *insn, bool scratch, struct sm1_target *target)
{
	int ret;

	*target = (struct sm1_target){.saturate = insn->dst.saturate, .shift = insn->dst.shift};
	if (!insn->dst.mask)
		return sm1_error(sm1, insn, -EINVAL, "empty write mask");
	ret = register_destination(sm1, insn, &target->final);
	if (ret)
		return ret;
	target->predicated = insn->predicated;
	if (insn->predicated) {
		target->predicate_not = insn->predicate.modifier == SM1_MOD_NOT;
		ret = sm1_operand_source(sm1, insn, &insn->predicate, &target->predicate);
		if (ret)
			return ret;
	}
	target->work = target->final;
	if (scratch || target->final.rel.used || target->shift || target->predicated || target->saturate || next_is_coissued(sm1))
		target->work = ir_dst(IR_TEMP, ir_new_temp(sm1->ir), target->final.mask);
	return 0;
}

static void apply_deferred(struct sm1 *sm1)
{
	if (sm1->has_deferred)
		ir_add_copy(sm1->ir, &sm1->deferred);
	sm1->has_deferred = false;
}

void sm1_finish(struct sm1 *sm1, const struct sm1_target *target)
{
	struct ir_program *out = sm1->ir;
	struct ir_src value = ir_src_of(target->work);
	struct ir_insn insn = {.op = IR_OP_MOV, .saturate = target->saturate, .dst = target->final,
			       .texture.swizzle = {0, 1, 2, 3}};

	if (target->work.file == target->final.file && target->work.index == target->final.index) {
		apply_deferred(sm1);
		return;
	}
	if (target->shift) {
		float factor = target->shift > 0 ? (float)(1 << target->shift) : 1.0f / (float)(1 << -target->shift);

		insn.op = IR_OP_MUL;
		insn.src[1] = ir_immf(factor);
	}
	insn.src[0] = value;
	if (target->predicated) {
		/* The final value where the predicate holds, else what was there. */
		struct ir_src old = ir_src_of(target->final);

		insn.dst = target->work;
		ir_add_copy(out, &insn);
		insn = (struct ir_insn){.op = IR_OP_UCMP, .dst = target->final};
		insn.src[0] = target->predicate;
		insn.src[1] = target->predicate_not ? old : value;
		insn.src[2] = target->predicate_not ? value : old;
		ir_add_copy(out, &insn);
		return;
	}
	if (next_is_coissued(sm1) && !sm1->has_deferred) {
		sm1->deferred = insn;
		sm1->has_deferred = true;
		return;
	}
	ir_add_copy(out, &insn);
	apply_deferred(sm1);
}

/* Declarations */

static int declare_sampler(struct sm1 *sm1, const struct sm1_insn *insn)
{
	static const uint8_t dimensions[5] = {0, SHADER_DIM_1D, SHADER_DIM_2D, SHADER_DIM_CUBE, SHADER_DIM_3D};
	unsigned type = (insn->raw[0] >> 27) & 15;

	if (insn->dst.number >= SM1_SAMPLERS || type < 1 || type > 4)
		return sm1_error(sm1, insn, -EINVAL, "sampler declaration");
	sm1->sampler_dimension[insn->dst.number] = dimensions[type];
	return 0;
}

int sm1_declare(struct sm1 *sm1, const struct sm1_insn *insn)
{
	uint32_t usage = insn->raw[0] & 15, index = (insn->raw[0] >> 16) & 15;
	uint16_t number = insn->dst.number;

	switch (insn->dst.type) {
	case SM1_REG_SAMPLER:
		return declare_sampler(sm1, insn);
	case SM1_REG_MISC:
		return number > 1 || !sm1->pixel ? sm1_error(sm1, insn, -EINVAL, "register") : 0;
	case SM1_REG_INPUT:
		if (number >= 16)
			return sm1_error(sm1, insn, -EINVAL, "input register number");
		if (sm1->pixel && sm1->version < 0x300) {
			usage = SM1_USAGE_COLOR;
			index = number;
		}
		return add_input(sm1, insn, 0, number, usage, index, insn->dst.mask);
	case SM1_REG_TEXTURE:
		if (!sm1->pixel || number >= 8)
			break;
		return add_input(sm1, insn, 1, number, SM1_USAGE_TEXCOORD, number, insn->dst.mask);
	case SM1_REG_OUTPUT:
		if (sm1->pixel || sm1->version < 0x300 || number >= 12)
			break;
		add_output(sm1, number, usage, index, insn->dst.mask, usage == SM1_USAGE_POSITION && !index);
		return 0;
	}
	return sm1_error(sm1, insn, -EINVAL, "declares a register that cannot be declared");
}

void sm1_end_registers(struct sm1 *sm1)
{
	if (sm1->input_array != SHADER_NONE) {
		for (unsigned i = 0; i < 32; i++) {
			struct ir_dst element = ir_dst(IR_ARRAY, i, IR_MASK_XYZW);

			element.dim = sm1->input_array;
			if (sm1->input_declared[0][i])
				ir_emit1(&sm1->prologue, IR_OP_MOV, element, sm1->inputs[0][i]);
		}
	}
	if (sm1->pixel && sm1->version < 0x200) {
		ir_emit1(sm1->ir, IR_OP_MOV, ir_dst(IR_OUTPUT, 0, IR_MASK_XYZW),
			 ir_src(IR_TEMP, sm1_temp(sm1, &sm1->temps[0])));
		sm1->shader->info.render_targets = 1;
		add_output(sm1, 0, SM1_USAGE_COLOR, 0, IR_MASK_XYZW, 64);
	}
}
