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
	bool early_depth;
};

static inline bool shader_is_sm1(const struct shader *shader)
{
	return shader->info.major < 4;
}

/* sm1_translate.c, sm4_translate.c: fill shader->info, geometry and ir. size in bytes. */
int sm1_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message);
int sm4_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message);

/* What one emission has beyond the program. */
struct shader_variant {
	const struct shader *shader;
	const struct shader_key *key;
	struct ir_program ir;
	/* Values by output register: the temporaries that gather them, SHADER_NONE if not written. */
	uint32_t output_temps[IR_OUTPUT_COUNT];
	struct shader_linkage linkage;	/* PS: its own slots; before it: those to write */
	uint32_t epilogue;		/* first instruction behind the program proper */
};

/* Passes, in this order. Each leaves a valid program; errors are the program's sticky one. */
void pass_values(struct shader_variant *variant);	/* device values, fixed-function tails */
void pass_outputs(struct shader_variant *variant);	/* output registers become temporaries */
void pass_texture(struct shader_variant *variant);	/* Direct3D's texture operations to the device's */
void pass_flow(struct ir_program *program);		/* continue, switch, return */
void pass_relative(struct ir_program *program);		/* indexed operands */
void pass_legalise(struct ir_program *program);		/* operand rules of the device */

/* tgsi_emit.c */
int tgsi_emit(const struct shader_variant *variant, struct shader_text *out, const struct shader_message *message);

#endif
