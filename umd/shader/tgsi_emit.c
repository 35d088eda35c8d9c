/* SPDX-License-Identifier: MIT */
/*
 * The device's shader text. The instructions are written first, because they decide which registers, constants and
 * immediates are declared; then declarations and instructions are put together.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "text.h"

#define MAX_IMMEDIATES 1024
#define RELATIVE_FLOAT_CONSTS 256	/* what a relative read can reach: c0..c255 */
#define MAX_INLINE_CONSTS 4096
#define MAX_TEMPS 4096

static const char *const target_names[IR_TARGET_COUNT] = {
	[IR_TARGET_BUFFER] = "BUFFER",
	[IR_TARGET_1D] = "1D",
	[IR_TARGET_2D] = "2D",
	[IR_TARGET_3D] = "3D",
	[IR_TARGET_CUBE] = "CUBE",
	[IR_TARGET_1D_ARRAY] = "1D_ARRAY",
	[IR_TARGET_2D_ARRAY] = "2D_ARRAY",
	[IR_TARGET_CUBE_ARRAY] = "CUBEARRAY",
	[IR_TARGET_2D_MS] = "2D_MSAA",
	[IR_TARGET_2D_MS_ARRAY] = "2D_ARRAY_MSAA",
	[IR_TARGET_SHADOW_1D] = "SHADOW1D",
	[IR_TARGET_SHADOW_2D] = "SHADOW2D",
	[IR_TARGET_SHADOW_CUBE] = "SHADOWCUBE",
	[IR_TARGET_SHADOW_1D_ARRAY] = "SHADOW1D_ARRAY",
	[IR_TARGET_SHADOW_2D_ARRAY] = "SHADOW2D_ARRAY",
	[IR_TARGET_SHADOW_CUBE_ARRAY] = "SHADOWCUBEARRAY",
};

static const char *const semantic_names[DEVICE_SEMANTIC_COUNT] = {
	[DEVICE_POSITION] = "POSITION",	  [DEVICE_GENERIC] = "GENERIC",
	[DEVICE_COLOR] = "COLOR",	  [DEVICE_PSIZE] = "PSIZE",
	[DEVICE_CLIPDIST] = "CLIPDIST",	  [DEVICE_CULLDIST] = "CULLDIST",
	[DEVICE_CLIPVERTEX] = "CLIPVERTEX", [DEVICE_LAYER] = "LAYER",
	[DEVICE_VIEWPORT_INDEX] = "VIEWPORT_INDEX", [DEVICE_PRIM_ID] = "PRIM_ID",
	[DEVICE_SAMPLEMASK] = "SAMPLEMASK",
};

/* System values; pixel position, face, primitive and fog are inputs instead. */
static const char *const value_names[IR_VALUE_COUNT] = {
	[IR_VALUE_VERTEX_ID] = "VERTEXID",  [IR_VALUE_INSTANCE_ID] = "INSTANCEID",
	[IR_VALUE_SAMPLE_ID] = "SAMPLEID",  [IR_VALUE_COVERAGE] = "SAMPLEMASK",
	[IR_VALUE_INVOCATION_ID] = "INVOCATIONID",
};

struct immediate {
	uint32_t value[4];
	unsigned used;			/* components taken */
};

struct emitter {
	const struct shader_variant *variant;
	const struct shader_info *info;
	struct text body;
	uint32_t *temp_numbers;		/* by IR temporary, SHADER_NONE if unused */
	uint32_t temp_count;		/* without arrays */
	uint32_t array_bases[IR_MAX_ARRAYS];
	struct immediate *immediates;
	uint32_t immediate_count;
	uint32_t value_numbers[IR_VALUE_COUNT];	/* SV or extra IN of a value */
	uint32_t sv_count, input_count;
	struct shader_constants constants;
	uint32_t system_mask;
	uint32_t buffer_sizes[14];	/* vec4s to declare */
	uint32_t target_of_unit[SHADER_MAX_UNITS];
	bool addresses;
	int error;
};

static void fail(struct emitter *e, int error)
{
	if (!e->error)
		e->error = error;
}

/* What the program uses */

static void max_of(uint32_t *count, uint32_t value)
{
	if (value > *count)
		*count = value;
}

static void use_temp(struct emitter *e, uint32_t temp)
{
	if (e->temp_numbers[temp] == SHADER_NONE)
		e->temp_numbers[temp] = e->temp_count++;
}

static void use_source(struct emitter *e, const struct ir_src *src)
{
	switch (src->file) {
	case IR_TEMP:
		use_temp(e, src->index);
		break;
	case IR_FLOAT_CONST:
		max_of(&e->constants.float_count, src->index + 1);
		if (src->rel.used)
			max_of(&e->constants.float_count, RELATIVE_FLOAT_CONSTS);
		break;
	case IR_INT_CONST:
		max_of(&e->constants.int_count, src->index + 1);
		break;
	case IR_BOOL_CONST:
		max_of(&e->constants.bool_count, src->index + 1);
		break;
	case IR_SYSTEM:
		max_of(&e->constants.system_count, src->index + 1);
		e->system_mask |= 1u << src->index;
		break;
	case IR_BUFFER:
		max_of(&e->buffer_sizes[src->dim], src->index + 1);
		max_of(&e->buffer_sizes[src->dim], e->info->constant_buffer_size[src->dim]);
		break;
	case IR_VALUE:
		if (e->value_numbers[src->index] == SHADER_NONE)
			e->value_numbers[src->index] =
				value_names[src->index] ? e->sv_count++ : e->input_count++;
		break;
	}
	if (src->rel.used)
		use_temp(e, src->rel.temp);
	if (src->dim_rel.used)
		use_temp(e, src->dim_rel.temp);
	e->addresses |= src->rel.used || src->dim_rel.used;
}

static void use_destination(struct emitter *e, const struct ir_dst *dst)
{
	if (dst->file == IR_TEMP)
		use_temp(e, dst->index);
	if (dst->rel.used) {
		use_temp(e, dst->rel.temp);
		e->addresses = true;
	}
}

static void scan(struct emitter *e)
{
	const struct ir_program *ir = &e->variant->ir;
	struct shader_constants *c = &e->constants;
	uint32_t base;

	for (uint32_t i = 0; i < ir->count; i++) {
		const struct ir_insn *insn = &ir->insns[i];
		const struct ir_op_info *info = &ir_op_infos[insn->op];

		for (unsigned s = 0; s < info->src_count; s++)
			use_source(e, &insn->src[s]);
		if (info->dst_count)
			use_destination(e, &insn->dst);
		if (info->flags & IR_OP_TEXTURE)
			e->target_of_unit[insn->texture.unit] = insn->texture.target;
	}
	base = e->temp_count;
	for (uint32_t i = 0; i < ir->array_count; i++) {
		e->array_bases[i] = base;
		base += ir->array_sizes[i];
	}
	if (base > MAX_TEMPS)
		fail(e, shader_fail(e->variant->message, -E2BIG, "%u temporaries", base));
	c->int_base = c->float_count;
	c->bool_base = c->int_base + c->int_count;
	c->system_base = c->bool_base + (c->bool_count + 3) / 4;
	c->total = c->system_base + c->system_count;
	if (c->total > MAX_INLINE_CONSTS)
		fail(e, shader_fail(e->variant->message, -E2BIG, "%u constants", c->total));
}

/* Immediates: values share vectors, because the device takes a limited number of them. */

static bool fits(const struct immediate *immediate, const uint32_t *wanted, unsigned mask, uint8_t *places,
		 struct immediate *result)
{
	*result = *immediate;
	for (unsigned c = 0; c < 4; c++) {
		unsigned place;

		if (!(mask & (1u << c)))
			continue;
		for (place = 0; place < result->used && result->value[place] != wanted[c]; place++)
			;
		if (place == 4)
			return false;
		if (place == result->used)
			result->value[result->used++] = wanted[c];
		places[c] = (uint8_t)place;
	}
	return true;
}

static uint32_t place_immediate(struct emitter *e, const struct ir_src *src, unsigned mask, uint8_t *swizzle)
{
	uint32_t wanted[4];
	uint8_t places[4] = {0};
	struct immediate result;
	uint32_t i;

	for (unsigned c = 0; c < 4; c++)
		wanted[c] = src->imm[src->swizzle[c]];
	for (i = 0; i < MAX_IMMEDIATES; i++) {
		if (i == e->immediate_count)
			e->immediates[e->immediate_count++] = (struct immediate){0};
		if (fits(&e->immediates[i], wanted, mask, places, &result))
			break;
	}
	if (i == MAX_IMMEDIATES) {
		fail(e, shader_fail(e->variant->message, -E2BIG, "more than %u immediates", MAX_IMMEDIATES));
		return 0;
	}
	e->immediates[i] = result;
	for (unsigned c = 0; c < 4; c++)
		swizzle[c] = mask & (1u << c) ? places[c] : places[__builtin_ctz(mask)];
	return i;
}

/* Operands */

static void add_swizzle(struct text *text, const uint8_t *swizzle)
{
	text_add(text, ".%c%c%c%c", "xyzw"[swizzle[0]], "xyzw"[swizzle[1]], "xyzw"[swizzle[2]], "xyzw"[swizzle[3]]);
}

static void add_mask(struct text *text, unsigned mask)
{
	static const char *const names[16] = {"",  ".x",  ".y",	 ".xy",	 ".z",	".xz",	".yz",	".xyz",
					      ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw", ""};

	text_add(text, "%s", names[mask & 15]);
}

/* [n] or [ADDR[0].x+n] */
static void add_index(struct text *text, uint32_t index, const struct ir_relative *rel)
{
	if (rel->used)
		text_add(text, "[ADDR[0].x+%u]", index);
	else
		text_add(text, "[%u]", index);
}

static void add_value(struct emitter *e, uint32_t value)
{
	text_add(&e->body, "%s[%u]", value_names[value] ? "SV" : "IN", e->value_numbers[value]);
}

static void add_register(struct emitter *e, const struct ir_src *src, unsigned mask, uint8_t *swizzle)
{
	const struct shader_constants *c = &e->constants;
	struct text *text = &e->body;

	switch (src->file) {
	case IR_TEMP:
		text_add(text, "TEMP[%u]", e->temp_numbers[src->index]);
		break;
	case IR_ARRAY:
		text_add(text, "TEMP");
		add_index(text, e->array_bases[src->dim] + src->index, &src->rel);
		text_add(text, "(%u)", src->dim + 1);
		break;
	case IR_INPUT:
		text_add(text, "IN");
		if (e->info->stage == SHADER_GEOMETRY)
			add_index(text, src->dim, &src->dim_rel);
		text_add(text, "[%u]", src->index);
		break;
	case IR_FLOAT_CONST:
		text_add(text, "CONST");
		add_index(text, c->float_base + src->index, &src->rel);
		break;
	case IR_INT_CONST:
		text_add(text, "CONST[%u]", c->int_base + src->index);
		break;
	case IR_BOOL_CONST:
		text_add(text, "CONST[%u]", c->bool_base + src->index / 4);
		memset(swizzle, (int)(src->index % 4), 4);
		break;
	case IR_SYSTEM:
		text_add(text, "CONST[%u]", c->system_base + src->index);
		break;
	case IR_BUFFER:
		text_add(text, "CONST[%u]", src->dim + 1);
		add_index(text, src->index, &src->rel);
		break;
	case IR_VALUE:
		add_value(e, src->index);
		break;
	case IR_IMMEDIATE:
		text_add(text, "IMM[%u]", place_immediate(e, src, mask, swizzle));
		break;
	default:
		fail(e, -EINVAL);
	}
}

static void add_source(struct emitter *e, const struct ir_src *src, unsigned mask)
{
	uint8_t swizzle[4];

	memcpy(swizzle, src->swizzle, sizeof(swizzle));
	if (src->negate)
		text_add(&e->body, "-");
	if (src->absolute)
		text_add(&e->body, "|");
	add_register(e, src, mask ? mask : IR_MASK_XYZW, swizzle);
	add_swizzle(&e->body, swizzle);
	if (src->absolute)
		text_add(&e->body, "|");
}

static void add_destination(struct emitter *e, const struct ir_dst *dst)
{
	struct text *text = &e->body;

	if (dst->file == IR_ARRAY) {
		text_add(text, "TEMP");
		add_index(text, e->array_bases[dst->dim] + dst->index, &dst->rel);
		text_add(text, "(%u)", dst->dim + 1);
	} else if (dst->file == IR_OUTPUT) {
		text_add(text, "OUT[%u]", dst->index);
	} else {
		text_add(text, "TEMP[%u]", e->temp_numbers[dst->index]);
	}
	add_mask(text, dst->mask);
}

/* Instructions */

static void load_address(struct emitter *e, const struct ir_relative *rel)
{
	uint8_t swizzle[4] = {rel->component, rel->component, rel->component, rel->component};

	if (!rel->used)
		return;
	text_add(&e->body, "UARL ADDR[0].x, TEMP[%u]", e->temp_numbers[rel->temp]);
	add_swizzle(&e->body, swizzle);
	text_add(&e->body, "\n");
}

static void add_texture(struct emitter *e, const struct ir_texture *texture)
{
	const int8_t *offset = texture->offset;

	text_add(&e->body, ", SAMP[%u], %s", texture->unit, target_names[texture->target]);
	if (offset[0] || offset[1] || offset[2]) {
		struct ir_src values = ir_imm4((uint32_t)offset[0], (uint32_t)offset[1], (uint32_t)offset[2], 0);
		uint8_t swizzle[4];
		uint32_t number = place_immediate(e, &values, IR_MASK_XYZ, swizzle);

		text_add(&e->body, ", IMM[%u].%c%c%c", number, "xyzw"[swizzle[0]], "xyzw"[swizzle[1]],
			 "xyzw"[swizzle[2]]);
	}
}

static void add_instruction(struct emitter *e, const struct ir_insn *insn)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];
	const char *separator = " ";

	for (unsigned i = 0; i < info->src_count; i++) {
		load_address(e, &insn->src[i].rel);
		load_address(e, &insn->src[i].dim_rel);
	}
	if (info->dst_count)
		load_address(e, &insn->dst.rel);
	text_add(&e->body, "%s%s", info->name, insn->saturate ? "_SAT" : "");
	if (info->dst_count) {
		text_add(&e->body, " ");
		add_destination(e, &insn->dst);
		separator = ", ";
	}
	for (unsigned i = 0; i < info->src_count; i++) {
		text_add(&e->body, "%s", separator);
		add_source(e, &insn->src[i], ir_source_mask(insn, i));
		separator = ", ";
	}
	if (info->flags & IR_OP_TEXTURE)
		add_texture(e, &insn->texture);
	text_add(&e->body, "\n");
}

/* Declarations */

static const char *interpolation_name(const struct emitter *e, const struct shader_input *input)
{
	switch (input->interpolation) {
	case SHADER_INTERPOLATE_LINEAR:
		return "LINEAR";
	case SHADER_INTERPOLATE_CONSTANT:
		return "CONSTANT";
	case SHADER_INTERPOLATE_COLOR:
		return e->variant->key->flat_shading ? "CONSTANT" : "PERSPECTIVE";
	default:
		return "PERSPECTIVE";
	}
}

static void declare_geometry_input(const struct emitter *e, struct text *text, uint32_t number, uint32_t *slot)
{
	switch (e->variant->shader->input_values[number]) {
	case 0:
		text_add(text, "DCL IN[][%u], GENERIC[%u]\n", number, (*slot)++);
		break;
	case 1:
		text_add(text, "DCL IN[][%u], POSITION\n", number);
		break;
	default:
		text_add(text, "DCL IN[][%u], CLIPDIST[0]\n", number);
	}
}

static void declare_inputs(const struct emitter *e, struct text *text)
{
	static const char *const locations[3] = {"", ", CENTROID", ", SAMPLE"};
	uint32_t slot = 0;

	for (uint32_t i = 0; i < e->info->input_count; i++) {
		const struct shader_input *input = &e->info->inputs[i];

		if (e->info->stage == SHADER_VERTEX)
			text_add(text, "DCL IN[%u]\n", i);
		else if (e->info->stage == SHADER_GEOMETRY)
			declare_geometry_input(e, text, i, &slot);
		else
			text_add(text, "DCL IN[%u], GENERIC[%u], %s%s\n", i, i, interpolation_name(e, input),
				 locations[input->location < 3 ? input->location : 0]);
	}
	for (unsigned value = 0; value < IR_VALUE_COUNT; value++) {
		uint32_t number = e->value_numbers[value];

		if (number == SHADER_NONE)
			continue;
		if (value_names[value])
			text_add(text, "DCL SV[%u], %s\n", number, value_names[value]);
		else if (value == IR_VALUE_FOG)
			text_add(text, "DCL IN[%u], GENERIC[%u], PERSPECTIVE\n", number, e->info->input_count);
		else if (value == IR_VALUE_PRIMITIVE_ID)
			text_add(text, "DCL IN[%u], PRIM_ID, CONSTANT\n", number);
		else if (value == IR_VALUE_FACE)
			text_add(text, "DCL IN[%u], FACE, CONSTANT\n", number);
		else
			text_add(text, "DCL IN[%u], POSITION, LINEAR\n", number);
	}
}

static void declare_outputs(const struct emitter *e, struct text *text)
{
	for (uint32_t i = 0; i < e->variant->output_count; i++) {
		const struct device_output *output = &e->variant->outputs[i];
		bool indexed = output->semantic == DEVICE_GENERIC || output->semantic == DEVICE_COLOR ||
			       output->semantic == DEVICE_CLIPDIST || output->semantic == DEVICE_CULLDIST;

		text_add(text, "DCL OUT[%u], %s", i, semantic_names[output->semantic]);
		if (indexed)
			text_add(text, "[%u]", output->index);
		text_add(text, "\n");
	}
}

static void declare_units(const struct emitter *e, struct text *text)
{
	static const char *const types[3] = {"FLOAT", "UINT", "SINT"};

	for (uint32_t i = 0; i < e->info->unit_count; i++) {
		uint8_t type = e->info->units[i].return_type;

		if (e->target_of_unit[i] == SHADER_NONE)
			continue;
		text_add(text, "DCL SAMP[%u]\n", i);
		text_add(text, "DCL SVIEW[%u], %s, %s\n", i, target_names[e->target_of_unit[i]],
			 types[type < 3 ? type : 0]);
	}
}

static void declare_registers(const struct emitter *e, struct text *text)
{
	const struct ir_program *ir = &e->variant->ir;

	if (e->constants.total)
		text_add(text, "DCL CONST[0..%u]\n", e->constants.total - 1);
	for (unsigned i = 0; i < 14; i++) {
		if (e->buffer_sizes[i])
			text_add(text, "DCL CONST[%u][0..%u]\n", i + 1, e->buffer_sizes[i] - 1);
	}
	if (e->temp_count)
		text_add(text, "DCL TEMP[0..%u]\n", e->temp_count - 1);
	for (uint32_t i = 0; i < ir->array_count; i++)
		text_add(text, "DCL TEMP[%u..%u], ARRAY(%u)\n", e->array_bases[i],
			 e->array_bases[i] + ir->array_sizes[i] - 1, i + 1);
	if (e->addresses)
		text_add(text, "DCL ADDR[0]\n");
	for (uint32_t i = 0; i < e->immediate_count; i++)
		text_add(text, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, e->immediates[i].value[0],
			 e->immediates[i].value[1], e->immediates[i].value[2], e->immediates[i].value[3]);
}

static void add_geometry_properties(const struct emitter *e, struct text *text)
{
	static const char *const primitives[14] = {
		"POINTS", "LINES", "LINE_LOOP", "LINE_STRIP", "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS",
		"QUAD_STRIP", "POLYGON", "LINES_ADJACENCY", "LINE_STRIP_ADJACENCY", "TRIANGLES_ADJACENCY",
		"TRIANGLE_STRIP_ADJACENCY",
	};
	const struct shader_geometry *geometry = &e->variant->shader->geometry;

	text_add(text, "PROPERTY GS_INPUT_PRIMITIVE %s\n", primitives[geometry->input_primitive]);
	text_add(text, "PROPERTY GS_OUTPUT_PRIMITIVE %s\n", primitives[geometry->output_primitive]);
	text_add(text, "PROPERTY GS_MAX_OUTPUT_VERTICES %u\n", geometry->max_vertices);
	text_add(text, "PROPERTY GS_INVOCATIONS %u\n", geometry->invocations);
}

static void add_header(const struct emitter *e, struct text *text)
{
	const struct shader_variant *variant = e->variant;

	switch (e->info->stage) {
	case SHADER_PIXEL:
		text_add(text, "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\n");
		if (e->value_numbers[IR_VALUE_PIXEL] != SHADER_NONE)
			text_add(text, "PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n");
		if (variant->shader->early_depth)
			text_add(text, "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n");
		break;
	case SHADER_GEOMETRY:
		text_add(text, "GEOM\n");
		add_geometry_properties(e, text);
		break;
	default:
		text_add(text, "VERT\n");
	}
	if (variant->clip_distances)
		text_add(text, "PROPERTY NUM_CLIPDIST_ENABLED %u\n", variant->clip_distances);
	if (variant->cull_distances)
		text_add(text, "PROPERTY NUM_CULLDIST_ENABLED %u\n", variant->cull_distances);
}

static int assemble(struct emitter *e, struct shader_text *out)
{
	struct text text = {0};
	char *body;

	add_header(e, &text);
	declare_inputs(e, &text);
	declare_outputs(e, &text);
	declare_units(e, &text);
	declare_registers(e, &text);
	body = text_take(&e->body, NULL);
	if (!body) {
		text_free(&text);
		return -ENOMEM;
	}
	text_append(&text, body);
	free(body);
	text_add(&text, "END\n");
	out->tgsi = text_take(&text, &out->size);
	return out->tgsi ? 0 : -ENOMEM;
}

int tgsi_emit(const struct shader_variant *variant, struct shader_text *out)
{
	const struct ir_program *ir = &variant->ir;
	struct emitter e = {.variant = variant, .info = &variant->shader->info};
	int ret = -ENOMEM;

	e.temp_numbers = malloc((ir->temp_count + 1) * sizeof(*e.temp_numbers));
	e.immediates = malloc(MAX_IMMEDIATES * sizeof(*e.immediates));
	if (!e.temp_numbers || !e.immediates)
		goto out;
	memset(e.temp_numbers, 0xff, (ir->temp_count + 1) * sizeof(*e.temp_numbers));
	memset(e.value_numbers, 0xff, sizeof(e.value_numbers));
	memset(e.target_of_unit, 0xff, sizeof(e.target_of_unit));
	e.input_count = e.info->input_count;
	scan(&e);
	for (uint32_t i = 0; i < ir->count && !e.error; i++)
		add_instruction(&e, &ir->insns[i]);
	ret = e.error ? e.error : assemble(&e, out);
	if (ret)
		goto out;
	out->constants = e.constants;
	out->system_mask = e.system_mask;
	for (uint32_t i = 0; i < variant->output_count; i++) {
		if (variant->outputs[i].semantic == DEVICE_GENERIC)
			out->slot_outputs[variant->outputs[i].index] = (uint8_t)i;
	}
	/* What the device needs for its binary form; its own rule of thumb, generously. */
	out->token_bound = 300 + 24 * ir->count +
			   10 * (e.input_count + e.sv_count + variant->output_count + e.immediate_count +
				 2 * e.info->unit_count + ir->array_count + 32);
out:
	text_free(&e.body);
	free(e.temp_numbers);
	free(e.immediates);
	return ret;
}
