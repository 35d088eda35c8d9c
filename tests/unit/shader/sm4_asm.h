/* SPDX-License-Identifier: MIT */
/* A little assembler for bare SM4/5 programs: one instruction of any kind, and broken programs. */
#ifndef D3DGPU_TESTS_SM4_ASM_H
#define D3DGPU_TESTS_SM4_ASM_H

#include <stdint.h>
#include <string.h>

#include "sm4.h"

struct sm4_asm {
	uint32_t words[2048];
	uint32_t count;
	uint32_t start;			/* of the open instruction */
};

#define SM4_PS(major, minor) (0u << 16 | (major) << 4 | (minor))
#define SM4_VS(major, minor) (1u << 16 | (major) << 4 | (minor))
#define SM4_GS(major, minor) (2u << 16 | (major) << 4 | (minor))

#define SM4_XYZW 0xe4u
#define SM4_REPLICATE(c) ((c) * 0x55u)
#define SM4_NONZERO (1u << 18)
#define SM4_SAT (1u << 13)

static inline void sm4_word(struct sm4_asm *a, uint32_t word)
{
	if (a->count < sizeof(a->words) / sizeof(a->words[0]))
		a->words[a->count++] = word;
}

static inline void sm4_begin(struct sm4_asm *a, uint32_t version)
{
	a->count = 0;
	sm4_word(a, version);
	sm4_word(a, 0);
}

static inline void sm4_end(struct sm4_asm *a)
{
	a->words[1] = a->count;
}

/* An instruction is open until sm4_close, which fills in its length. */
static inline void sm4_open(struct sm4_asm *a, uint32_t opcode_and_controls)
{
	a->start = a->count;
	sm4_word(a, opcode_and_controls);
}

static inline void sm4_close(struct sm4_asm *a)
{
	a->words[a->start] |= (a->count - a->start) << 24;
}

/* Operands: a register with one index; mask (destination) or swizzle (source). */
static inline void sm4_dst(struct sm4_asm *a, uint32_t type, uint32_t index, uint32_t mask)
{
	sm4_word(a, 2 | 0 << 2 | mask << 4 | type << 12 | 1 << 20);
	sm4_word(a, index);
}

static inline void sm4_null(struct sm4_asm *a)
{
	sm4_word(a, SM4_REG_NULL << 12);
}

static inline void sm4_src(struct sm4_asm *a, uint32_t type, uint32_t index, uint32_t swizzle)
{
	sm4_word(a, 2 | 1 << 2 | swizzle << 4 | type << 12 | 1 << 20);
	sm4_word(a, index);
}

/* modifier: 1 negate, 2 absolute, 3 both */
static inline void sm4_src_modified(struct sm4_asm *a, uint32_t type, uint32_t index, uint32_t swizzle,
				    uint32_t modifier)
{
	sm4_word(a, 0x80000000u | 2 | 1 << 2 | swizzle << 4 | type << 12 | 1 << 20);
	sm4_word(a, 1 | modifier << 6);
	sm4_word(a, index);
}

static inline void sm4_imm(struct sm4_asm *a, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
	sm4_word(a, 2 | SM4_REG_IMMEDIATE32 << 12);
	sm4_word(a, x);
	sm4_word(a, y);
	sm4_word(a, z);
	sm4_word(a, w);
}

static inline void sm4_imm1(struct sm4_asm *a, uint32_t value)
{
	sm4_word(a, 1 | SM4_REG_IMMEDIATE32 << 12);
	sm4_word(a, value);
}

static inline void sm4_dcl_temps(struct sm4_asm *a, uint32_t count)
{
	sm4_open(a, SM4_DCL_TEMPS);
	sm4_word(a, count);
	sm4_close(a);
}

/* opcode may carry the interpolation in bits 11-14; name 0 = none. */
static inline void sm4_dcl(struct sm4_asm *a, uint32_t opcode, uint32_t type, uint32_t index, uint32_t mask,
			   uint32_t name)
{
	sm4_open(a, opcode);
	sm4_dst(a, type, index, mask);
	if (name)
		sm4_word(a, name);
	sm4_close(a);
}

static inline void sm4_plain(struct sm4_asm *a, uint32_t opcode)
{
	sm4_open(a, opcode);
	sm4_close(a);
}

static inline void sm4_mov(struct sm4_asm *a, uint32_t dst_type, uint32_t dst, uint32_t src_type, uint32_t src)
{
	sm4_open(a, SM4_MOV);
	sm4_dst(a, dst_type, dst, 15);
	sm4_src(a, src_type, src, SM4_XYZW);
	sm4_close(a);
}

#endif
