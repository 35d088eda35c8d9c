/* SPDX-License-Identifier: MIT */
/* A little assembler for SM1-3 token streams: for what no compiler emits, and for broken programs. */
#ifndef D3DGPU_TESTS_SM1_ASM_H
#define D3DGPU_TESTS_SM1_ASM_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "sm1.h"

struct sm1_asm {
	uint32_t words[1024];
	uint32_t count;
	uint32_t version;
};

#define VS(major, minor) (0xfffe0000u | (major) << 8 | (minor))
#define PS(major, minor) (0xffff0000u | (major) << 8 | (minor))

#define XYZW 0xe4u
#define SWIZZLE(x, y, z, w) ((x) | (y) << 2 | (z) << 4 | (w) << 6)
#define REPLICATE(c) ((c) * 0x55u)
#define SAT 1u

static inline uint32_t asm_register(uint32_t type, uint32_t number)
{
	return 0x80000000u | (type & 7) << 28 | (type & 0x18) << 8 | number;
}

/* Parameter tokens. */
static inline uint32_t D(uint32_t type, uint32_t number, uint32_t mask)
{
	return asm_register(type, number) | mask << 16;
}

static inline uint32_t S(uint32_t type, uint32_t number, uint32_t swizzle)
{
	return asm_register(type, number) | swizzle << 16;
}

static inline uint32_t MODIFIED(uint32_t source, uint32_t modifier)
{
	return source | modifier << 24;
}

static inline uint32_t RELATIVE(uint32_t parameter)
{
	return parameter | 1u << 13;
}

static inline void asm_begin(struct sm1_asm *a, uint32_t version)
{
	a->version = version;
	a->words[0] = version;
	a->count = 1;
}

static inline void asm_word(struct sm1_asm *a, uint32_t word)
{
	if (a->count < sizeof(a->words) / sizeof(a->words[0]))
		a->words[a->count++] = word;
}

/* opcode may carry control and predication bits; the length is filled in for SM2 and later. */
static inline void asm_op(struct sm1_asm *a, uint32_t opcode, unsigned count, ...)
{
	va_list arguments;

	asm_word(a, opcode | ((a->version & 0xffff) >= 0x200 ? count << 24 : 0));
	va_start(arguments, count);
	for (unsigned i = 0; i < count; i++)
		asm_word(a, va_arg(arguments, uint32_t));
	va_end(arguments);
}

static inline void asm_dcl(struct sm1_asm *a, uint32_t usage, uint32_t index, uint32_t parameter)
{
	asm_op(a, SM1_DCL, 2, 0x80000000u | usage | index << 16, parameter);
}

static inline uint32_t asm_float(float value)
{
	uint32_t word;

	memcpy(&word, &value, 4);
	return word;
}

static inline void asm_def(struct sm1_asm *a, uint32_t number, float x, float y, float z, float w)
{
	asm_op(a, SM1_DEF, 5, D(SM1_REG_CONST, number, 15), asm_float(x), asm_float(y), asm_float(z), asm_float(w));
}

static inline void asm_end(struct sm1_asm *a)
{
	asm_word(a, SM1_END);
}

#endif
