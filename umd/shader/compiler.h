/* SPDX-License-Identifier: MIT */
/* What the compiler's own files share: the parsed shader, and the passes. */
#ifndef D3DGPU_SHADER_COMPILER_H
#define D3DGPU_SHADER_COMPILER_H

#include "ir.h"

/* Where errors are described; text may be NULL. */
struct shader_message {
	char *text;
	size_t size;
};

/* Writes the description and returns error. */
int shader_fail(const struct shader_message *message, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Primitive names are the device's mode numbers (points 0 ... triangle strip adjacency 13). */
struct shader_geometry {
	uint32_t input_primitive, output_primitive;
	uint32_t input_vertices;
	uint32_t max_vertices;
	uint32_t invocations;
};

struct shader {
	struct shader_info info;
	struct shader_linkage linkage;
	struct shader_geometry geometry;
	struct ir_program ir;
	uint32_t input_values[SHADER_MAX_INPUTS];	/* GS: D3D10_NAME_* of each input, 0 = user semantic */
	bool early_depth;
};

static inline bool shader_is_sm1(const struct shader *shader)
{
	return shader->info.major < 4;
}

/* sm1_translate.c, sm4_translate.c: fill shader->info, geometry and ir. size in bytes. */
int sm1_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message);
int sm4_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message);

/* What the device's interface registers are for. */
enum device_semantic {
	DEVICE_POSITION, DEVICE_GENERIC, DEVICE_COLOR, DEVICE_PSIZE, DEVICE_CLIPDIST, DEVICE_CULLDIST,
	DEVICE_CLIPVERTEX, DEVICE_LAYER, DEVICE_VIEWPORT_INDEX, DEVICE_PRIM_ID, DEVICE_SAMPLEMASK,
	DEVICE_SEMANTIC_COUNT
};

struct device_output {
	uint8_t semantic;		/* enum device_semantic */
	uint8_t index;
	uint8_t mask;			/* components that the shader writes */
	struct ir_src value;		/* what goes there */
};

#define DEVICE_MAX_OUTPUTS 48

/* One emission: the program on its way to the device's form. */
struct shader_variant {
	const struct shader *shader;
	const struct shader_key *key;
	const struct shader_message *message;
	struct ir_program ir;
	/* Behind pass_outputs, IR_OUTPUT n is entry n. */
	struct device_output outputs[DEVICE_MAX_OUTPUTS];
	uint32_t output_count;
	uint32_t clip_distances, cull_distances;
	bool reads_fog;			/* PS: the fog varying is input info.input_count */
};

/*
 * The passes, in the order in which shader.c runs them. Each leaves a valid program; memory and limit errors are the
 * program's sticky one.
 */
void pass_flow(struct ir_program *program);		/* continue, switch and return become breaks */
int pass_outputs(struct shader_variant *variant);	/* output registers, linkage, fixed-function tails */
void pass_values(struct shader_variant *variant);	/* device values in Direct3D's form */
void pass_texture(struct shader_variant *variant);	/* Direct3D's texture operations to the device's */
void pass_relative(struct ir_program *program);		/* indexed operands only in moves */
void pass_legalise(struct ir_program *program);		/* operand rules of the device */
void pass_registers(struct ir_program *program);	/* few temporaries */

/* tgsi_emit.c */
int tgsi_emit(const struct shader_variant *variant, struct shader_text *out);

#endif
