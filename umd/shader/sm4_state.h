/* SPDX-License-Identifier: MIT */
/* State of one SM4/5 translation, shared by its files: registers and declarations, arithmetic and flow, textures. */
#ifndef D3DGPU_SHADER_SM4_STATE_H
#define D3DGPU_SHADER_SM4_STATE_H

#include "dxbc.h"
#include "sm4.h"

#define SM4_MAX_TEMPS 4096
#define SM4_REGISTERS 32		/* v#, o# */
#define SM4_RESOURCES 128
#define SM4_SAMPLERS 16
#define SM4_CONSTANT_BUFFERS 14
#define SM4_MAX_IMMEDIATE_BUFFER 4096	/* vec4s */

struct sm4_resource {
	bool declared;
	uint8_t dimension;		/* enum shader_dimension */
	uint8_t return_type;		/* as in struct shader_unit */
};

/* An input register that is not (only) a user input: gathered in a temporary. */
struct sm4_value {
	uint32_t reg;
	unsigned mask;
	enum ir_value value;
};

struct sm4 {
	struct sm4_reader reader;
	const struct shader_message *message;
	struct shader *shader;
	struct ir_program *ir;		/* &shader->ir */
	struct ir_program prologue;
	const struct dxbc_signature *inputs, *outputs;	/* NULL: a bare program */

	uint32_t temp_base, temp_count;
	uint32_t arrays[IR_MAX_ARRAYS];	/* x#: IR array + 1 */

	uint32_t input_entry[SM4_REGISTERS];	/* of shader_info.inputs, SHADER_NONE */
	uint32_t input_temp[SM4_REGISTERS];	/* SHADER_NONE: read the input itself */
	struct sm4_value values[16];
	uint32_t value_count;
	uint32_t input_array;		/* v[i], SHADER_NONE */

	const unsigned char *immediate_buffer;
	uint32_t immediate_count;	/* vec4s */
	uint32_t immediate_array;

	struct sm4_resource resources[SM4_RESOURCES];
};

int sm4_error(struct sm4 *sm4, const struct sm4_insn *insn, int error, const char *what);

/* sm4_registers.c */
int sm4_declaration(struct sm4 *sm4, const struct sm4_insn *insn);	/* 1 = not a declaration */
int sm4_source(struct sm4 *sm4, const struct sm4_insn *insn, unsigned which, struct ir_src *src);
int sm4_destination(struct sm4 *sm4, const struct sm4_insn *insn, unsigned which, struct ir_dst *dst);
/* What the code in front of the program must set up: gathered inputs, arrays. */
void sm4_end_registers(struct sm4 *sm4);

/* sm4_arithmetic.c, sm4_flow.c, sm4_texture.c: 1 if the instruction is not of that family. */
int sm4_arithmetic(struct sm4 *sm4, const struct sm4_insn *insn);
int sm4_flow(struct sm4 *sm4, const struct sm4_insn *insn);
int sm4_texture(struct sm4 *sm4, const struct sm4_insn *insn);

#endif
