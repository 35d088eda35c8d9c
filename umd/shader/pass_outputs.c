/* SPDX-License-Identifier: MIT */
/*
 * Output registers become temporaries that start with Direct3D's defaults. At the end of the program (in a geometry
 * shader at each emit) they are moved to the device's outputs: those that the next stage's linkage asks for, position
 * in the device's convention, clip distances, and for pixel shaders the colours, fog included.
 */
#include <errno.h>
#include <string.h>

#include "compiler.h"
#include "sm1.h"

/* D3D10_NAME_* */
enum {
	NAME_POSITION = 1, NAME_CLIP_DISTANCE = 2, NAME_CULL_DISTANCE = 3, NAME_TARGET_INDEX = 4,
	NAME_VIEWPORT_INDEX = 5, NAME_PRIMITIVE_ID = 7,
};

#define OUTPUT_REGISTERS 32

struct outputs {
	struct shader_variant *variant;
	const struct shader_info *info;
	uint32_t temps[IR_OUTPUT_COUNT];
	uint32_t array;			/* of o0..o31 where one is indexed, else SHADER_NONE */
};

static struct ir_src stored(const struct outputs *outputs, uint32_t reg)
{
	struct ir_src src;

	if (reg < OUTPUT_REGISTERS && outputs->array != SHADER_NONE) {
		src = ir_src(IR_ARRAY, reg);
		src.dim = outputs->array;
		return src;
	}
	return ir_src(IR_TEMP, outputs->temps[reg]);
}

static void store_register(struct outputs *outputs, uint8_t *file, uint32_t *index, uint32_t *dim)
{
	if (*file != IR_OUTPUT)
		return;
	if (*index < OUTPUT_REGISTERS && outputs->array != SHADER_NONE) {
		*file = IR_ARRAY;
		*dim = outputs->array;
		return;
	}
	*file = IR_TEMP;
	if (outputs->temps[*index] == SHADER_NONE)
		outputs->temps[*index] = ir_new_temp(&outputs->variant->ir);
	*index = outputs->temps[*index];
}

static struct ir_src default_value(const struct outputs *outputs, uint32_t usage, uint32_t index)
{
	if (!shader_is_sm1(outputs->variant->shader))
		return ir_immf(0);
	if (usage == SM1_USAGE_COLOR)
		return ir_immf(index == 0 ? 1 : 0);
	if (usage == SM1_USAGE_FOG)
		return ir_immf(0);	/* fully fogged */
	return ir_immf4(0, 0, 0, 1);
}

/* Every register starts with the default of its first semantic, because masks may leave components out. */
static void initialise(struct outputs *outputs)
{
	struct ir_program head = {0};
	bool pixel = outputs->info->stage == SHADER_PIXEL;

	for (uint32_t reg = 0; reg < IR_OUTPUT_COUNT; reg++) {
		struct ir_src value = ir_immf(0), destination = stored(outputs, reg);
		struct ir_dst dst = ir_dst(destination.file, destination.index, IR_MASK_XYZW);
		bool declared = false;

		for (uint32_t i = outputs->info->output_count; i-- > 0;) {
			const struct shader_output *output = &outputs->info->outputs[i];

			if (output->reg != reg)
				continue;
			declared = true;
			if (!pixel)
				value = default_value(outputs, output->semantic.usage, output->semantic.index);
		}
		dst.dim = destination.dim;
		if (destination.file == IR_ARRAY ? declared : outputs->temps[reg] != SHADER_NONE)
			ir_emit1(&head, IR_OP_MOV, dst, value);
	}
	ir_prepend(&outputs->variant->ir, &head);
}

static void rewrite(struct outputs *outputs)
{
	struct ir_program *ir = &outputs->variant->ir;

	for (uint32_t i = 0; i < ir->count; i++) {
		const struct ir_op_info *info = &ir_op_infos[ir->insns[i].op];

		if (info->dst_count && ir->insns[i].dst.file == IR_OUTPUT && ir->insns[i].dst.rel.used)
			outputs->array = 0;
	}
	if (outputs->array != SHADER_NONE)
		outputs->array = ir_new_array(ir, OUTPUT_REGISTERS);
	for (uint32_t i = 0; i < ir->count; i++) {
		struct ir_insn *insn = &ir->insns[i];
		const struct ir_op_info *info = &ir_op_infos[insn->op];

		if (info->dst_count)
			store_register(outputs, &insn->dst.file, &insn->dst.index, &insn->dst.dim);
		for (unsigned s = 0; s < info->src_count; s++)
			store_register(outputs, &insn->src[s].file, &insn->src[s].index, &insn->src[s].dim);
	}
}

static bool is_written(const struct outputs *outputs, uint32_t reg)
{
	return outputs->temps[reg] != SHADER_NONE || (reg < OUTPUT_REGISTERS && outputs->array != SHADER_NONE);
}

static void add(struct outputs *outputs, enum device_semantic semantic, unsigned index, unsigned mask,
		struct ir_src value)
{
	struct shader_variant *variant = outputs->variant;

	if (variant->output_count < DEVICE_MAX_OUTPUTS)
		variant->outputs[variant->output_count++] = (struct device_output){
			.semantic = (uint8_t)semantic, .index = (uint8_t)index, .mask = (uint8_t)mask, .value = value};
}

/* Moves in front of an emit or at the end. */
static void write_outputs(const struct shader_variant *variant, struct ir_program *out, uint32_t first)
{
	for (uint32_t i = first; i < variant->output_count; i++) {
		const struct device_output *output = &variant->outputs[i];

		ir_emit1(out, IR_OP_MOV, ir_dst(IR_OUTPUT, i, output->mask), output->value);
	}
}

static const struct shader_output *find_value(const struct shader_info *info, uint32_t system_value)
{
	for (uint32_t i = 0; i < info->output_count; i++) {
		if (info->outputs[i].system_value == system_value)
			return &info->outputs[i];
	}
	return NULL;
}

static struct ir_src position(struct outputs *outputs, struct ir_program *out)
{
	const struct shader_output *output = find_value(outputs->info, NAME_POSITION);
	struct ir_src value, offset = ir_src(IR_SYSTEM, SHADER_SYS_POSITION);
	struct ir_dst moved;

	if (!output || !is_written(outputs, output->reg))
		return ir_immf4(0, 0, 0, 1);
	value = stored(outputs, output->reg);
	if (!outputs->variant->key->position_offset)
		return value;
	moved = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);
	ir_emit1(out, IR_OP_MOV, moved, value);
	ir_emit3(out, IR_OP_MAD, ir_dst_masked(moved, IR_MASK_X | IR_MASK_Y), ir_scalar(value, 3), offset, value);
	return ir_src_of(moved);
}

/* Collects the components of all clip (or cull) distances, in order, into one or two vectors. */
static uint32_t distances(struct outputs *outputs, struct ir_program *out, uint32_t name,
			  enum device_semantic semantic)
{
	struct ir_dst vectors[2];
	uint32_t count = 0;

	for (uint32_t i = 0; i < outputs->info->output_count; i++) {
		const struct shader_output *output = &outputs->info->outputs[i];

		if (output->system_value != name || !is_written(outputs, output->reg))
			continue;
		for (unsigned c = 0; c < 4 && count < 8; c++) {
			struct ir_dst *vector = &vectors[count / 4];

			if (!(output->mask & (1u << c)))
				continue;
			if (count % 4 == 0) {
				*vector = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);
				ir_emit1(out, IR_OP_MOV, *vector, ir_immf(0));
				add(outputs, semantic, count / 4, IR_MASK_XYZW, ir_src_of(*vector));
			}
			ir_emit1(out, IR_OP_MOV, ir_dst_masked(*vector, 1u << (count % 4)),
				 ir_scalar(stored(outputs, output->reg), c));
			count++;
		}
	}
	return count;
}

static void add_varyings(struct outputs *outputs, struct ir_program *out)
{
	const struct shader_linkage *linkage = &outputs->variant->key->linkage;
	bool saturates = shader_is_sm1(outputs->variant->shader) && outputs->info->major < 3;

	for (uint32_t slot = 0; slot < linkage->count; slot++) {
		const struct shader_semantic *wanted = &linkage->slots[slot];
		struct ir_src value = default_value(outputs, wanted->usage, wanted->index);

		for (uint32_t i = 0; i < outputs->info->output_count; i++) {
			const struct shader_output *output = &outputs->info->outputs[i];

			if (output->semantic.usage == wanted->usage && output->semantic.index == wanted->index &&
			    is_written(outputs, output->reg)) {
				value = stored(outputs, output->reg);
				break;
			}
		}
		/* vs_1 and vs_2 colours and fog factors are within [0, 1]. */
		if (saturates && value.file != IR_IMMEDIATE &&
		    (wanted->usage == SM1_USAGE_COLOR || wanted->usage == SM1_USAGE_FOG)) {
			struct ir_dst clamped = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_XYZW);

			ir_emit1(out, IR_OP_MOV, clamped, value)->saturate = true;
			value = ir_src_of(clamped);
		}
		add(outputs, DEVICE_GENERIC, slot, IR_MASK_XYZW, value);
	}
}

static void add_point_size(struct outputs *outputs)
{
	if (!outputs->variant->key->point_size)
		return;
	for (uint32_t i = 0; i < outputs->info->output_count; i++) {
		const struct shader_output *output = &outputs->info->outputs[i];

		if (output->semantic.usage == SM1_USAGE_PSIZE && is_written(outputs, output->reg)) {
			add(outputs, DEVICE_PSIZE, 0, IR_MASK_X, ir_scalar(stored(outputs, output->reg), 0));
			return;
		}
	}
}

static int add_routing(struct outputs *outputs)
{
	static const struct {
		uint32_t name;
		enum device_semantic semantic;
	} routes[] = {
		{NAME_TARGET_INDEX, DEVICE_LAYER},
		{NAME_VIEWPORT_INDEX, DEVICE_VIEWPORT_INDEX},
		{NAME_PRIMITIVE_ID, DEVICE_PRIM_ID},
	};

	for (unsigned i = 0; i < 3; i++) {
		const struct shader_output *output = find_value(outputs->info, routes[i].name);
		unsigned component = 0;

		if (!output || !is_written(outputs, output->reg))
			continue;
		if (outputs->info->stage != SHADER_GEOMETRY)
			return shader_fail(outputs->variant->message, -ENOTSUP,
					   "only a geometry shader can choose target, viewport or primitive");
		while (component < 3 && !(output->mask & (1u << component)))
			component++;
		add(outputs, routes[i].semantic, 0, IR_MASK_X,
		    ir_scalar(stored(outputs, output->reg), component));
	}
	return 0;
}

/* Everything that goes to the rasterizer or the next stage. */
static int vertex_outputs(struct outputs *outputs, struct ir_program *out)
{
	struct shader_variant *variant = outputs->variant;

	add(outputs, DEVICE_POSITION, 0, IR_MASK_XYZW, position(outputs, out));
	if (variant->key->clip_planes) {
		const struct shader_output *output = find_value(outputs->info, NAME_POSITION);

		if (output && is_written(outputs, output->reg))
			add(outputs, DEVICE_CLIPVERTEX, 0, IR_MASK_XYZW, stored(outputs, output->reg));
	}
	add_varyings(outputs, out);
	add_point_size(outputs);
	variant->clip_distances = distances(outputs, out, NAME_CLIP_DISTANCE, DEVICE_CLIPDIST);
	variant->cull_distances = distances(outputs, out, NAME_CULL_DISTANCE, DEVICE_CULLDIST);
	return add_routing(outputs);
}

static struct ir_src fog_factor(struct shader_variant *variant, struct ir_program *out)
{
	const float log2_e = 1.442695041f;
	struct ir_src parameters = ir_src(IR_SYSTEM, SHADER_SYS_FOG_PARAMS);
	struct ir_src depth = ir_scalar(ir_src(IR_VALUE, IR_VALUE_POSITION), 2), factor;
	struct ir_dst result = ir_dst(IR_TEMP, ir_new_temp(out), IR_MASK_X);

	switch (variant->key->fog) {
	case SHADER_FOG_VERTEX:
		variant->reads_fog = true;
		factor = ir_scalar(ir_src(IR_VALUE, IR_VALUE_FOG), 0);
		break;
	case SHADER_FOG_LINEAR:
		factor = ir_value2(out, IR_OP_ADD, IR_MASK_X, ir_scalar(parameters, 1), ir_negated(depth));
		factor = ir_value2(out, IR_OP_MUL, IR_MASK_X, factor, ir_scalar(parameters, 3));
		break;
	default:
		factor = ir_value2(out, IR_OP_MUL, IR_MASK_X, ir_scalar(parameters, 2), depth);
		if (variant->key->fog == SHADER_FOG_EXP2)
			factor = ir_value2(out, IR_OP_MUL, IR_MASK_X, factor, factor);
		factor = ir_value2(out, IR_OP_MUL, IR_MASK_X, factor, ir_immf(-log2_e));
		factor = ir_value1(out, IR_OP_EX2, IR_MASK_X, factor);
	}
	ir_emit1(out, IR_OP_MOV, result, factor)->saturate = true;
	return ir_scalar(ir_src_of(result), 0);
}

/* rgb = fog + factor (rgb - fog) */
static void apply_fog(struct outputs *outputs, struct ir_program *out)
{
	struct ir_src colour = stored(outputs, 0), fog = ir_src(IR_SYSTEM, SHADER_SYS_FOG), factor, difference;

	factor = fog_factor(outputs->variant, out);
	difference = ir_value2(out, IR_OP_ADD, IR_MASK_XYZ, colour, ir_negated(fog));
	ir_emit3(out, IR_OP_MAD, ir_dst(IR_TEMP, outputs->temps[0], IR_MASK_XYZ), factor, difference, fog);
}

static void pixel_outputs(struct outputs *outputs, struct ir_program *out)
{
	struct shader_variant *variant = outputs->variant;

	if (variant->key->fog != SHADER_FOG_NONE && outputs->info->major < 3 && is_written(outputs, 0))
		apply_fog(outputs, out);
	for (uint32_t target = 0; target < 8; target++) {
		if (is_written(outputs, target) && (outputs->info->render_targets & (1u << target)))
			add(outputs, DEVICE_COLOR, target, IR_MASK_XYZW, stored(outputs, target));
	}
	if (is_written(outputs, IR_OUTPUT_DEPTH))
		add(outputs, DEVICE_POSITION, 0, IR_MASK_Z, ir_scalar(stored(outputs, IR_OUTPUT_DEPTH), 0));
	if (is_written(outputs, IR_OUTPUT_COVERAGE))
		add(outputs, DEVICE_SAMPLEMASK, 0, IR_MASK_X, ir_scalar(stored(outputs, IR_OUTPUT_COVERAGE), 0));
}

/* A geometry shader has no end where outputs are written: each emit is one. */
static int geometry_outputs(struct outputs *outputs)
{
	struct shader_variant *variant = outputs->variant;
	struct ir_program out;
	int ret = 0;

	ir_begin_rewrite(&out, &variant->ir);
	for (uint32_t i = 0; i < variant->ir.count && !ret; i++) {
		if (variant->ir.insns[i].op == IR_OP_EMIT) {
			variant->output_count = 0;
			ret = vertex_outputs(outputs, &out);
			write_outputs(variant, &out, 0);
		}
		ir_add_copy(&out, &variant->ir.insns[i]);
	}
	ir_end_rewrite(&out, &variant->ir);
	return ret;
}

int pass_outputs(struct shader_variant *variant)
{
	struct outputs outputs = {.variant = variant, .info = &variant->shader->info, .array = SHADER_NONE};
	int ret = 0;

	memset(outputs.temps, 0xff, sizeof(outputs.temps));
	rewrite(&outputs);
	if (variant->key->linkage.count > SHADER_MAX_INPUTS)
		return shader_fail(variant->message, -E2BIG, "linkage of %u slots", variant->key->linkage.count);
	initialise(&outputs);
	switch (variant->shader->info.stage) {
	case SHADER_GEOMETRY:
		return geometry_outputs(&outputs);
	case SHADER_PIXEL:
		pixel_outputs(&outputs, &variant->ir);
		break;
	default:
		ret = vertex_outputs(&outputs, &variant->ir);
	}
	if (!ret)
		write_outputs(variant, &variant->ir, 0);
	return ret;
}
