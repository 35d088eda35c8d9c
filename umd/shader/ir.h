/* SPDX-License-Identifier: MIT */
/*
 * The shader compiler's intermediate representation: a flat list of instructions on untyped four-component registers,
 * with structured flow control. Both front ends (SM1-3 tokens, SM4/5 programs) produce it and the passes rewrite it in
 * place until only operations that the device has (IR_OP_NATIVE) are left.
 *
 * A register holds 32-bit patterns; the operation says whether they are floats or integers. Booleans are 0 or ~0.
 * Memory errors and exhausted limits are sticky: ir_program.error is set, later calls do nothing, and the caller looks
 * once, at the end.
 */
#ifndef D3DGPU_SHADER_IR_H
#define D3DGPU_SHADER_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "shader.h"

#define IR_MASK_X 1
#define IR_MASK_Y 2
#define IR_MASK_Z 4
#define IR_MASK_W 8
#define IR_MASK_XYZ 7
#define IR_MASK_XYZW 15

#define IR_MAX_SOURCES 4
#define IR_MAX_ARRAYS 64
/* Bounds what a small malicious program may expand to (inlined calls, macro instructions). */
#define IR_MAX_INSNS 65536
#define IR_MAX_TEMPS 16384

enum ir_file {
	IR_NULL,	/* no destination: the result is dropped */
	IR_TEMP,	/* index */
	IR_ARRAY,	/* dim = array number, index = element, rel */
	IR_INPUT,	/* index = entry of shader_info.inputs; GS: dim = vertex, dim_rel */
	IR_OUTPUT,	/* index = output register (shader_output.reg), or IR_OUTPUT_* */
	IR_FLOAT_CONST,	/* SM1-3 c#: index, rel */
	IR_INT_CONST,	/* SM1-3 i# */
	IR_BOOL_CONST,	/* SM1-3 b#, a scalar 0 or 1: the swizzle is ignored */
	IR_BUFFER,	/* SM4+ cb#: dim = slot, index, rel */
	IR_SYSTEM,	/* index = enum shader_system_constant */
	IR_VALUE,	/* index = enum ir_value */
	IR_IMMEDIATE,	/* imm */
};

/* Output registers that have no number in the bytecode; they follow the numbered ones (o0..o31). */
enum {
	IR_OUTPUT_DEPTH = 32,
	IR_OUTPUT_COVERAGE,
	IR_OUTPUT_COUNT,
};

/* Values that the device generates, in Direct3D's form. */
enum ir_value {
	IR_VALUE_VERTEX_ID,	/* .x, counts from the first vertex of the draw call's vertex range */
	IR_VALUE_INSTANCE_ID,	/* .x */
	IR_VALUE_PRIMITIVE_ID,	/* .x */
	IR_VALUE_POSITION,	/* PS: pixel centre xy, depth z, clip-space w */
	IR_VALUE_PIXEL,		/* PS, SM3 vPos: xy as integers in float form */
	IR_VALUE_FACE,		/* PS: positive for front faces */
	IR_VALUE_FRONT_FACE,	/* PS: ~0 for front faces, else 0 */
	IR_VALUE_SAMPLE_ID,	/* PS: .x */
	IR_VALUE_COVERAGE,	/* PS: .x */
	IR_VALUE_INVOCATION_ID,	/* GS: .x */
	IR_VALUE_FOG,		/* PS: .x, the fog varying of a variant with vertex fog */
	IR_VALUE_COUNT,
};

/* What an operation's operands are. */
enum ir_type {
	IR_ANY,		/* bits */
	IR_FLOAT,
	IR_INT,
};

/* ir_op_info.flags */
#define IR_OP_NATIVE 1		/* the device has it under the same name */
#define IR_OP_SCALAR 2		/* the device computes one component at a time */
#define IR_OP_FLOW 4
#define IR_OP_TEXTURE 8		/* unit and target are meaningful */
#define IR_OP_PIXEL 16		/* only pixel shaders: needs neighbours, or drops the pixel */

/*
 * name, destinations, sources, type, flags.
 * SAMPLE_* to LOD are Direct3D's texture operations; pass_texture lowers them to the device's (TEX to TG4).
 */
#define IR_OPS(X) \
	X(MOV, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(ADD, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(MUL, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(MAD, 1, 3, IR_FLOAT, IR_OP_NATIVE) \
	X(DIV, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(MIN, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(MAX, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(FRC, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(FLR, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(CEIL, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(TRUNC, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(ROUND, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(SQRT, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(RSQ, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_SCALAR) \
	X(RCP, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(EX2, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(LG2, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(POW, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(SIN, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(COS, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(SSG, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(DP2, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(DP3, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(DP4, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(DDX, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_PIXEL) \
	X(DDY, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_PIXEL) \
	X(DDX_FINE, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_PIXEL) \
	X(DDY_FINE, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_PIXEL) \
	X(SLT, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(SGE, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(FSEQ, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(FSNE, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(FSLT, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(FSGE, 1, 2, IR_FLOAT, IR_OP_NATIVE) \
	X(F2I, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(F2U, 1, 1, IR_FLOAT, IR_OP_NATIVE) \
	X(I2F, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(U2F, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(UCMP, 1, 3, IR_ANY, IR_OP_NATIVE) \
	X(UADD, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMUL, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMAD, 1, 3, IR_INT, IR_OP_NATIVE) \
	X(IMUL_HI, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMUL_HI, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UDIV, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMOD, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(INEG, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(IMIN, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(IMAX, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMIN, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(UMAX, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(ISLT, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(ISGE, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(USLT, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(USGE, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(USEQ, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(USNE, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(NOT, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(AND, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(OR, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(XOR, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(SHL, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(ISHR, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(USHR, 1, 2, IR_INT, IR_OP_NATIVE) \
	X(BREV, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(POPC, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(LSB, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(IMSB, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(UMSB, 1, 1, IR_INT, IR_OP_NATIVE) \
	X(SAMPLE, 1, 1, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate */ \
	X(SAMPLE_BIAS, 1, 2, IR_FLOAT, IR_OP_TEXTURE | IR_OP_PIXEL)	/* coordinate, bias */ \
	X(SAMPLE_LOD, 1, 2, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate, level */ \
	X(SAMPLE_GRAD, 1, 3, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate, d/dx, d/dy */ \
	X(SAMPLE_CMP, 1, 2, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate, reference */ \
	X(SAMPLE_CMP_LZ, 1, 2, IR_FLOAT, IR_OP_TEXTURE) /* the same at level 0 */ \
	X(FETCH, 1, 1, IR_INT, IR_OP_TEXTURE)		/* texel address, .w = level */ \
	X(FETCH_MS, 1, 2, IR_INT, IR_OP_TEXTURE)	/* texel address, sample */ \
	X(SIZE, 1, 1, IR_INT, IR_OP_TEXTURE)		/* level: extents in xyz, .w = level count */ \
	X(SAMPLES, 1, 0, IR_INT, IR_OP_TEXTURE)		/* .x = sample count */ \
	X(GATHER, 1, 1, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate; ir_texture.component */ \
	X(GATHER_CMP, 1, 2, IR_FLOAT, IR_OP_TEXTURE)	/* coordinate, reference */ \
	X(LOD, 1, 1, IR_FLOAT, IR_OP_TEXTURE | IR_OP_PIXEL)		/* .x clamped, .y unclamped */ \
	X(TEX, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TEX2, 1, 2, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXB, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXB2, 1, 2, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXL, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXL2, 1, 2, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXD, 1, 3, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXF, 1, 1, IR_INT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXQ, 1, 1, IR_INT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TXQS, 1, 0, IR_INT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(TG4, 1, 2, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(LODQ, 1, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_TEXTURE) \
	X(KILL, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_PIXEL) \
	X(KILL_IF, 0, 1, IR_FLOAT, IR_OP_NATIVE | IR_OP_PIXEL)	/* if any component is negative */ \
	X(EMIT, 0, 1, IR_ANY, IR_OP_NATIVE) \
	X(ENDPRIM, 0, 1, IR_ANY, IR_OP_NATIVE) \
	X(UIF, 0, 1, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW)	/* if .x is not zero */ \
	X(ELSE, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW) \
	X(ENDIF, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW) \
	X(BGNLOOP, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW) \
	X(ENDLOOP, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW) \
	X(BRK, 0, 0, IR_ANY, IR_OP_NATIVE | IR_OP_FLOW)	/* leaves the innermost loop or switch */ \
	X(CONTINUE, 0, 0, IR_ANY, IR_OP_FLOW) \
	X(SWITCH, 0, 1, IR_INT, IR_OP_FLOW) \
	X(CASE, 0, 1, IR_INT, IR_OP_FLOW) \
	X(DEFAULT, 0, 0, IR_ANY, IR_OP_FLOW) \
	X(ENDSWITCH, 0, 0, IR_ANY, IR_OP_FLOW) \
	X(RET, 0, 0, IR_ANY, IR_OP_FLOW)		/* leaves the program */

enum ir_op {
#define IR_OP_ENUM(name, dsts, srcs, type, flags) IR_OP_##name,
	IR_OPS(IR_OP_ENUM)
#undef IR_OP_ENUM
	IR_OP_COUNT
};

struct ir_op_info {
	const char *name;
	uint8_t dst_count, src_count;
	uint8_t type;			/* enum ir_type of sources and, but for conversions and compares, result */
	uint8_t flags;
};

extern const struct ir_op_info ir_op_infos[IR_OP_COUNT];

/* A register that is added to an index: TEMP[index].component as an integer. */
struct ir_relative {
	bool used;
	uint8_t component;
	uint16_t temp;
};

struct ir_src {
	uint8_t file;			/* enum ir_file */
	bool negate, absolute;		/* -|x|, in this order from the outside */
	uint8_t swizzle[4];
	struct ir_relative rel, dim_rel;
	uint32_t index, dim;
	uint32_t imm[4];
};

struct ir_dst {
	uint8_t file;
	uint8_t mask;
	struct ir_relative rel;
	uint32_t index, dim;
};

/* Texture targets of the device. */
enum ir_target {
	IR_TARGET_BUFFER, IR_TARGET_1D, IR_TARGET_2D, IR_TARGET_3D, IR_TARGET_CUBE, IR_TARGET_1D_ARRAY,
	IR_TARGET_2D_ARRAY, IR_TARGET_CUBE_ARRAY, IR_TARGET_2D_MS, IR_TARGET_2D_MS_ARRAY,
	IR_TARGET_SHADOW_1D, IR_TARGET_SHADOW_2D, IR_TARGET_SHADOW_CUBE, IR_TARGET_SHADOW_1D_ARRAY,
	IR_TARGET_SHADOW_2D_ARRAY, IR_TARGET_SHADOW_CUBE_ARRAY,
	IR_TARGET_COUNT
};

struct ir_texture {
	uint8_t unit;			/* entry of shader_info.units */
	uint8_t target;			/* enum ir_target, set by pass_texture */
	uint8_t component;		/* GATHER: 0..3 */
	uint8_t swizzle[4];		/* applied to the result before the write mask */
	int8_t offset[3];		/* texels */
};

struct ir_insn {
	uint16_t op;
	bool saturate;
	struct ir_dst dst;
	struct ir_src src[IR_MAX_SOURCES];
	struct ir_texture texture;
};

struct ir_program {
	struct ir_insn *insns;
	uint32_t count, capacity;
	uint32_t temp_count;
	uint32_t array_count;
	uint32_t array_sizes[IR_MAX_ARRAYS];	/* in registers */
	int error;				/* 0, -ENOMEM, -E2BIG */
};

void ir_free(struct ir_program *program);
/* Makes *copy an independent copy. */
void ir_copy(struct ir_program *copy, const struct ir_program *program);
/* Moves every instruction of *head in front of those of *program and frees *head. Only program numbers registers. */
void ir_prepend(struct ir_program *program, struct ir_program *head);

/* An empty program that numbers new temporaries and arrays on from another one's: for passes that rebuild the list. */
void ir_begin_rewrite(struct ir_program *next, const struct ir_program *program);
void ir_end_rewrite(struct ir_program *next, struct ir_program *program);

uint32_t ir_new_temp(struct ir_program *program);
/* Returns the array's number. */
uint32_t ir_new_array(struct ir_program *program, uint32_t size);

/* Appends. The pointer is valid until the next append; on a sticky error it is a scratch instruction. */
struct ir_insn *ir_add(struct ir_program *program, enum ir_op op);
struct ir_insn *ir_add_copy(struct ir_program *program, const struct ir_insn *insn);
struct ir_insn *ir_emit0(struct ir_program *program, enum ir_op op);
struct ir_insn *ir_test(struct ir_program *program, enum ir_op op, struct ir_src src);	/* no destination */
struct ir_insn *ir_emit1(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a);
struct ir_insn *ir_emit2(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a,
			 struct ir_src b);
struct ir_insn *ir_emit3(struct ir_program *program, enum ir_op op, struct ir_dst dst, struct ir_src a,
			 struct ir_src b, struct ir_src c);

/* Operands. */
struct ir_dst ir_dst(enum ir_file file, uint32_t index, unsigned mask);
struct ir_dst ir_dst_masked(struct ir_dst dst, unsigned mask);	/* the components that both masks have */
struct ir_src ir_src(enum ir_file file, uint32_t index);
struct ir_src ir_src_of(struct ir_dst dst);			/* reads what dst writes */
struct ir_src ir_imm4(uint32_t x, uint32_t y, uint32_t z, uint32_t w);
struct ir_src ir_immf4(float x, float y, float z, float w);
struct ir_src ir_immf(float value);				/* in all components */
struct ir_src ir_immu(uint32_t value);
struct ir_src ir_scalar(struct ir_src src, unsigned component);	/* component in all four */
struct ir_src ir_swizzled(struct ir_src src, unsigned x, unsigned y, unsigned z, unsigned w);
struct ir_src ir_negated(struct ir_src src);
struct ir_src ir_abs(struct ir_src src);

/* A new temporary that holds op(...), and its value. */
struct ir_src ir_value1(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a);
struct ir_src ir_value2(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a, struct ir_src b);
struct ir_src ir_value3(struct ir_program *program, enum ir_op op, unsigned mask, struct ir_src a, struct ir_src b,
			struct ir_src c);

/* Removes operations whose write mask is empty, so that builders need not care. */
void ir_drop_empty(struct ir_program *program);

/* The components of source number `which` that the instruction reads, before the swizzle. */
unsigned ir_source_mask(const struct ir_insn *insn, unsigned which);

/* ir_print.c: one instruction a line, in a malloc'ed text; NULL when out of memory. */
char *ir_print(const struct ir_program *program);
/* ir_validate.c: 0, or -EINVAL with the first offence in message. native: only device operations may be left. */
int ir_validate(const struct ir_program *program, const struct shader_info *info, bool native, char *message,
		size_t message_size);

#endif
