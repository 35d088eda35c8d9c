/* SPDX-License-Identifier: MIT */
/* SM4 and SM5 programs, decoded one instruction at a time. */
#ifndef D3DGPU_SHADER_SM4_H
#define D3DGPU_SHADER_SM4_H

#include "compiler.h"

enum sm4_opcode {
	SM4_ADD = 0, SM4_AND, SM4_BREAK, SM4_BREAKC, SM4_CALL, SM4_CALLC, SM4_CASE, SM4_CONTINUE, SM4_CONTINUEC,
	SM4_CUT, SM4_DEFAULT, SM4_DERIV_RTX, SM4_DERIV_RTY, SM4_DISCARD, SM4_DIV, SM4_DP2, SM4_DP3, SM4_DP4,
	SM4_ELSE, SM4_EMIT, SM4_EMITTHENCUT, SM4_ENDIF, SM4_ENDLOOP, SM4_ENDSWITCH, SM4_EQ, SM4_EXP, SM4_FRC,
	SM4_FTOI, SM4_FTOU, SM4_GE, SM4_IADD, SM4_IF, SM4_IEQ, SM4_IGE, SM4_ILT, SM4_IMAD, SM4_IMAX, SM4_IMIN,
	SM4_IMUL, SM4_INE, SM4_INEG, SM4_ISHL, SM4_ISHR, SM4_ITOF, SM4_LABEL, SM4_LD, SM4_LD2DMS, SM4_LOG, SM4_LOOP,
	SM4_LT, SM4_MAD, SM4_MIN, SM4_MAX, SM4_CUSTOMDATA, SM4_MOV, SM4_MOVC, SM4_MUL, SM4_NE, SM4_NOP, SM4_NOT,
	SM4_OR, SM4_RESINFO, SM4_RET, SM4_RETC, SM4_ROUND_NE, SM4_ROUND_NI, SM4_ROUND_PI, SM4_ROUND_Z, SM4_RSQ,
	SM4_SAMPLE, SM4_SAMPLE_C, SM4_SAMPLE_C_LZ, SM4_SAMPLE_L, SM4_SAMPLE_D, SM4_SAMPLE_B, SM4_SQRT, SM4_SWITCH,
	SM4_SINCOS, SM4_UDIV, SM4_ULT, SM4_UGE, SM4_UMUL, SM4_UMAD, SM4_UMAX, SM4_UMIN, SM4_USHR, SM4_UTOF, SM4_XOR,
	SM4_DCL_RESOURCE = 88, SM4_DCL_CONSTANT_BUFFER, SM4_DCL_SAMPLER, SM4_DCL_INDEX_RANGE,
	SM4_DCL_OUTPUT_TOPOLOGY, SM4_DCL_INPUT_PRIMITIVE, SM4_DCL_VERTICES_OUT, SM4_DCL_INPUT, SM4_DCL_INPUT_SGV,
	SM4_DCL_INPUT_SIV, SM4_DCL_INPUT_PS, SM4_DCL_INPUT_PS_SGV, SM4_DCL_INPUT_PS_SIV, SM4_DCL_OUTPUT,
	SM4_DCL_OUTPUT_SGV, SM4_DCL_OUTPUT_SIV, SM4_DCL_TEMPS, SM4_DCL_INDEXABLE_TEMP, SM4_DCL_GLOBAL_FLAGS,
	SM4_LOD = 108, SM4_GATHER4, SM4_SAMPLE_POS, SM4_SAMPLE_INFO,
	SM4_EMIT_STREAM = 117, SM4_CUT_STREAM, SM4_EMITTHENCUT_STREAM,
	SM4_BUFINFO = 121, SM4_DERIV_RTX_COARSE, SM4_DERIV_RTX_FINE, SM4_DERIV_RTY_COARSE, SM4_DERIV_RTY_FINE,
	SM4_GATHER4_C = 126, SM4_GATHER4_PO, SM4_GATHER4_PO_C, SM4_RCP, SM4_F32TOF16, SM4_F16TOF32, SM4_UADDC,
	SM4_USUBB, SM4_COUNTBITS, SM4_FIRSTBIT_HI, SM4_FIRSTBIT_LO, SM4_FIRSTBIT_SHI, SM4_UBFE, SM4_IBFE, SM4_BFI,
	SM4_BFREV, SM4_SWAPC, SM4_DCL_STREAM,
	SM4_DCL_GS_INSTANCES = 206,
	SM4_OPCODE_COUNT = 256,
};

enum sm4_register_type {
	SM4_REG_TEMP = 0, SM4_REG_INPUT = 1, SM4_REG_OUTPUT = 2, SM4_REG_INDEXABLE_TEMP = 3, SM4_REG_IMMEDIATE32 = 4,
	SM4_REG_IMMEDIATE64 = 5, SM4_REG_SAMPLER = 6, SM4_REG_RESOURCE = 7, SM4_REG_CONSTANT_BUFFER = 8,
	SM4_REG_IMMEDIATE_BUFFER = 9, SM4_REG_PRIMITIVE_ID = 11, SM4_REG_OUTPUT_DEPTH = 12, SM4_REG_NULL = 13,
	SM4_REG_RASTERIZER = 14, SM4_REG_OUTPUT_COVERAGE = 15, SM4_REG_STREAM = 16, SM4_REG_INPUT_COVERAGE = 35,
	SM4_REG_GS_INSTANCE = 37, SM4_REG_OUTPUT_DEPTH_GE = 38, SM4_REG_OUTPUT_DEPTH_LE = 39,
};

/* System values as tokens number them; up to sample index the same as D3D10_NAME_*. */
enum sm4_name {
	SM4_NAME_NONE = 0, SM4_NAME_POSITION = 1, SM4_NAME_CLIP_DISTANCE = 2, SM4_NAME_CULL_DISTANCE = 3,
	SM4_NAME_TARGET_INDEX = 4, SM4_NAME_VIEWPORT_INDEX = 5, SM4_NAME_VERTEX_ID = 6, SM4_NAME_PRIMITIVE_ID = 7,
	SM4_NAME_INSTANCE_ID = 8, SM4_NAME_FRONT_FACE = 9, SM4_NAME_SAMPLE_INDEX = 10,
};

#define SM4_MAX_OPERANDS 6

/* The register that a relative index reads: its own indices are immediate. */
struct sm4_relative {
	bool used;
	uint8_t type;
	uint8_t component;
	uint32_t index[2];
	uint8_t index_count;
};

struct sm4_operand {
	uint8_t type;			/* enum sm4_register_type, or a number that is not built */
	uint8_t components;		/* 0, 1, 4 */
	uint8_t mask;			/* as a destination */
	uint8_t swizzle[4];		/* as a source */
	bool negate, absolute;
	uint8_t index_count;
	uint32_t index[3];
	struct sm4_relative rel[3];
	uint32_t imm[4];
};

struct sm4_insn {
	uint32_t at;			/* dword offset, for messages */
	uint32_t token;
	uint16_t opcode;
	bool saturate;
	uint8_t operand_count;		/* destinations first */
	struct sm4_operand operand[SM4_MAX_OPERANDS];
	int8_t offset[3];
	const unsigned char *extra;	/* dwords behind the operands: declarations, custom data */
	uint32_t extra_count;
};

struct sm4_opcode_info {
	const char *name;
	uint8_t dst_count, src_count;
	uint16_t ir_op;			/* the operation with the same operands, else IR_OP_COUNT */
};

struct sm4_reader {
	const unsigned char *code;
	uint32_t count;			/* dwords of the program */
	uint32_t position;
	const struct shader_message *message;
	enum shader_stage stage;
	uint8_t major, minor;
};

/* NULL for numbers without an entry (not built). */
const struct sm4_opcode_info *sm4_opcode_info(uint32_t opcode);
/* The name of any opcode, for messages. */
const char *sm4_opcode_name(uint32_t opcode);

int sm4_reader_init(struct sm4_reader *reader, const void *code, size_t size, const struct shader_message *message);
/* 0, -EINVAL, -ENOTSUP; 1 at the end of the program. */
int sm4_read(struct sm4_reader *reader, struct sm4_insn *insn);
uint32_t sm4_extra(const struct sm4_insn *insn, uint32_t number);

#endif
