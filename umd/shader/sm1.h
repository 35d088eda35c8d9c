/* SPDX-License-Identifier: MIT */
/* The token stream of shader models 1 to 3, decoded one instruction at a time. */
#ifndef D3DGPU_SHADER_SM1_H
#define D3DGPU_SHADER_SM1_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler.h"

enum sm1_opcode {
	SM1_NOP = 0, SM1_MOV = 1, SM1_ADD = 2, SM1_SUB = 3, SM1_MAD = 4, SM1_MUL = 5, SM1_RCP = 6, SM1_RSQ = 7,
	SM1_DP3 = 8, SM1_DP4 = 9, SM1_MIN = 10, SM1_MAX = 11, SM1_SLT = 12, SM1_SGE = 13, SM1_EXP = 14, SM1_LOG = 15,
	SM1_LIT = 16, SM1_DST = 17, SM1_LRP = 18, SM1_FRC = 19, SM1_M4X4 = 20, SM1_M4X3 = 21, SM1_M3X4 = 22,
	SM1_M3X3 = 23, SM1_M3X2 = 24, SM1_CALL = 25, SM1_CALLNZ = 26, SM1_LOOP = 27, SM1_RET = 28, SM1_ENDLOOP = 29,
	SM1_LABEL = 30, SM1_DCL = 31, SM1_POW = 32, SM1_CRS = 33, SM1_SGN = 34, SM1_ABS = 35, SM1_NRM = 36,
	SM1_SINCOS = 37, SM1_REP = 38, SM1_ENDREP = 39, SM1_IF = 40, SM1_IFC = 41, SM1_ELSE = 42, SM1_ENDIF = 43,
	SM1_BREAK = 44, SM1_BREAKC = 45, SM1_MOVA = 46, SM1_DEFB = 47, SM1_DEFI = 48,
	SM1_TEXCOORD = 64, SM1_TEXKILL = 65, SM1_TEX = 66, SM1_TEXBEM = 67, SM1_TEXBEML = 68, SM1_TEXREG2AR = 69,
	SM1_TEXREG2GB = 70, SM1_TEXM3X2PAD = 71, SM1_TEXM3X2TEX = 72, SM1_TEXM3X3PAD = 73, SM1_TEXM3X3TEX = 74,
	SM1_TEXM3X3DIFF = 75, SM1_TEXM3X3SPEC = 76, SM1_TEXM3X3VSPEC = 77, SM1_EXPP = 78, SM1_LOGP = 79, SM1_CND = 80,
	SM1_DEF = 81, SM1_TEXREG2RGB = 82, SM1_TEXDP3TEX = 83, SM1_TEXM3X2DEPTH = 84, SM1_TEXDP3 = 85,
	SM1_TEXM3X3 = 86, SM1_TEXDEPTH = 87, SM1_CMP = 88, SM1_BEM = 89, SM1_DP2ADD = 90, SM1_DSX = 91, SM1_DSY = 92,
	SM1_TEXLDD = 93, SM1_SETP = 94, SM1_TEXLDL = 95, SM1_BREAKP = 96,
	SM1_OPCODE_COUNT,
	SM1_PHASE = 0xfffd, SM1_COMMENT = 0xfffe, SM1_END = 0xffff,
};

enum sm1_register_type {
	SM1_REG_TEMP = 0, SM1_REG_INPUT = 1, SM1_REG_CONST = 2, SM1_REG_ADDR = 3, SM1_REG_TEXTURE = 3,
	SM1_REG_RASTOUT = 4, SM1_REG_ATTROUT = 5, SM1_REG_OUTPUT = 6, SM1_REG_CONSTINT = 7, SM1_REG_COLOROUT = 8,
	SM1_REG_DEPTHOUT = 9, SM1_REG_SAMPLER = 10, SM1_REG_CONST2 = 11, SM1_REG_CONST3 = 12, SM1_REG_CONST4 = 13,
	SM1_REG_CONSTBOOL = 14, SM1_REG_LOOP = 15, SM1_REG_TEMPFLOAT16 = 16, SM1_REG_MISC = 17, SM1_REG_LABEL = 18,
	SM1_REG_PREDICATE = 19,
};

enum sm1_modifier {
	SM1_MOD_NONE, SM1_MOD_NEG, SM1_MOD_BIAS, SM1_MOD_BIASNEG, SM1_MOD_SIGN, SM1_MOD_SIGNNEG, SM1_MOD_COMP,
	SM1_MOD_X2, SM1_MOD_X2NEG, SM1_MOD_DZ, SM1_MOD_DW, SM1_MOD_ABS, SM1_MOD_ABSNEG, SM1_MOD_NOT,
};

/* D3DDECLUSAGE_* */
enum sm1_usage {
	SM1_USAGE_POSITION = 0, SM1_USAGE_PSIZE = 4, SM1_USAGE_TEXCOORD = 5, SM1_USAGE_COLOR = 10, SM1_USAGE_FOG = 11,
};

/* A destination or source parameter. */
struct sm1_operand {
	uint8_t type;			/* enum sm1_register_type */
	uint16_t number;
	uint8_t mask;			/* destinations */
	bool saturate, centroid;
	int8_t shift;			/* ps_1_x: result times 2^shift */
	uint8_t swizzle[4];		/* sources */
	uint8_t modifier;		/* enum sm1_modifier */
	bool relative;
	uint8_t relative_type;		/* SM1_REG_ADDR or SM1_REG_LOOP */
	uint8_t relative_component;
};

struct sm1_insn {
	uint32_t at;			/* dword offset of the opcode token, for messages */
	uint16_t opcode;
	uint8_t control;		/* bits 16-23 */
	bool predicated, coissue;
	struct sm1_operand dst, predicate, src[4];
	uint8_t src_count;
	uint32_t raw[4];		/* DEF*: values; DCL: raw[0] = usage token */
};

struct sm1_opcode_info {
	const char *name;
	uint8_t dst_count, src_count;
	uint8_t stages;			/* bit 0 vertex, bit 1 pixel */
	uint16_t first, last;		/* versions, major << 8 | minor; last 0 = all later ones */
	uint16_t ir_op;			/* simple ones: the operation with the same operands, else IR_OP_COUNT */
};

struct sm1_reader {
	const unsigned char *code;
	uint32_t count;			/* dwords */
	uint32_t position;
	bool pixel;
	uint16_t version;
	const struct shader_message *message;
};

/* NULL for numbers that are no instruction. */
const struct sm1_opcode_info *sm1_opcode_info(uint32_t opcode);

/* Reads the version token. */
int sm1_reader_init(struct sm1_reader *reader, const void *code, size_t size, const struct shader_message *message);
/* Decodes the instruction at reader->position and moves behind it; comments are skipped. The end is SM1_END. */
int sm1_read(struct sm1_reader *reader, struct sm1_insn *insn);

#endif
