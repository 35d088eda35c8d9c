/* SPDX-License-Identifier: MIT */
/* State of one SM1-3 translation, shared by its files: registers (sm1_registers.c), flow, arithmetic and textures. */
#ifndef D3DGPU_SHADER_SM1_STATE_H
#define D3DGPU_SHADER_SM1_STATE_H

#include "sm1.h"

#define SM1_MAX_TEMPS 256
#define SM1_MAX_FLOAT_CONSTS 8192
#define SM1_HARDWARE_CONSTS 256
#define SM1_MAX_LABELS 2048
#define SM1_MAX_CALL_DEPTH 4
#define SM1_MAX_LOOPS 32
#define SM1_SAMPLERS 16

/* Output registers of vs_1 and vs_2, which have names instead of numbers. */
enum {
	SM1_OUT_COLOR = 0,	/* oD0, oD1 */
	SM1_OUT_TEXCOORD = 2,	/* oT0..oT7 */
	SM1_OUT_POSITION = 10,
	SM1_OUT_FOG = 11,
	SM1_OUT_PSIZE = 12,
};

struct sm1_definition {
	uint32_t reg;
	uint32_t value[4];
};

/* An open loop or rep: its counter and, for loops, aL. */
struct sm1_loop {
	uint32_t counter;
	uint32_t index;			/* SHADER_NONE for rep */
	struct ir_src step;
};

struct sm1 {
	struct sm1_reader reader;
	const struct shader_message *message;
	struct shader *shader;
	struct ir_program *ir;		/* &shader->ir */
	struct ir_program prologue;	/* goes in front of ir; shares its register numbers through ir */
	bool pixel;
	uint16_t version;

	/* IR temporaries of the bytecode's registers, SHADER_NONE until used. */
	uint32_t temps[SM1_MAX_TEMPS];
	uint32_t texture_temps[8];	/* ps_1_0..1_3 t#, which are read and written */
	uint32_t clamped_consts[32];	/* ps_1_x c# */
	uint32_t address, predicate;

	struct ir_src inputs[2][32];	/* v#, t# */
	bool input_declared[2][32];
	uint32_t input_array;		/* v[aL] */

	struct sm1_definition *floats;
	uint32_t float_count, float_capacity;
	uint16_t float_slot[SM1_MAX_FLOAT_CONSTS];	/* entry of floats + 1 */
	struct sm1_definition ints[16], bools[16];
	bool int_defined[16], bool_defined[16];

	uint8_t sampler_dimension[SM1_SAMPLERS];
	uint32_t sampler_unit[SM1_SAMPLERS];

	uint32_t label_position[SM1_MAX_LABELS];	/* dword behind the label instruction, 0 = none */
	uint32_t call_depth;
	uint32_t flow_depth;		/* open blocks in this subroutine */
	struct sm1_loop loops[SM1_MAX_LOOPS];
	uint32_t loop_count;

	struct ir_insn deferred;	/* first half of a co-issued pair: applied behind the second */
	bool has_deferred;
	uint32_t matrix_rows[2];	/* texm3x*pad results */
	uint32_t matrix_row_count;
};

/* Where an instruction's result goes. Handlers write `work` only, then call sm1_finish. */
struct sm1_target {
	struct ir_dst final, work;
	bool saturate;
	int shift;
	bool predicated;
	struct ir_src predicate;
	bool predicate_not;
};

/* sm1_registers.c */
int sm1_source(struct sm1 *sm1, const struct sm1_insn *insn, unsigned which, struct ir_src *src);
int sm1_operand_source(struct sm1 *sm1, const struct sm1_insn *insn, const struct sm1_operand *operand,
		       struct ir_src *src);
/* Source `which` + row: the rows of a matrix in consecutive registers. */
int sm1_source_row(struct sm1 *sm1, const struct sm1_insn *insn, unsigned which, unsigned row, struct ir_src *src);
/* scratch: work must not alias a source, because the handler writes it before it has read all of them. */
int sm1_begin(struct sm1 *sm1, const struct sm1_insn *insn, bool scratch, struct sm1_target *target);
void sm1_finish(struct sm1 *sm1, const struct sm1_target *target);
int sm1_declare(struct sm1 *sm1, const struct sm1_insn *insn);
int sm1_define(struct sm1 *sm1, const struct sm1_insn *insn);
/* An input on demand, for versions without dcl. kind 0 = v, 1 = t. */
int sm1_input(struct sm1 *sm1, const struct sm1_insn *insn, unsigned kind, unsigned number, struct ir_src *src);
uint32_t sm1_temp(struct sm1 *sm1, uint32_t *slot);
int sm1_error(struct sm1 *sm1, const struct sm1_insn *insn, int error, const char *what);
/* What the end of the program still needs: input arrays, the ps_1_x result. */
void sm1_end_registers(struct sm1 *sm1);

/* sm1_arithmetic.c, sm1_texture.c, sm1_flow.c: 1 if the instruction is not of that family. */
int sm1_arithmetic(struct sm1 *sm1, const struct sm1_insn *insn);
int sm1_texture(struct sm1 *sm1, const struct sm1_insn *insn);
int sm1_flow(struct sm1 *sm1, const struct sm1_insn *insn);

/* sm1_translate.c: translates from reader.position to the end of the subroutine or program. */
int sm1_translate_block(struct sm1 *sm1);

/* *result = ~0 where a (comparison) b, comparison as in bits 16-18 of the token. */
int sm1_compare(struct sm1 *sm1, const struct sm1_insn *insn, unsigned comparison, struct ir_src a, struct ir_src b,
		unsigned mask, struct ir_src *result);

#endif
