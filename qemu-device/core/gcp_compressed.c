/* SPDX-License-Identifier: MIT */
/*
 * The C extension: every 16-bit instruction is short for a 32-bit one, so it is expanded and then executed like any other.
 * Source: RISC-V unprivileged ISA, chapter "C" (RV32C without floating point).
 */
#include "gcp_cpu.h"

#include <pthread.h>

enum { OP_LOAD = 0x03, OP_IMM = 0x13, OP_STORE = 0x23, OP = 0x33, OP_LUI = 0x37, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f };

static uint32_t encode_r(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
	return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | OP;
}

static uint32_t encode_i(uint32_t op, uint32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
	return imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | op;
}

static uint32_t encode_s(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
	return (imm >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (imm & 0x1f) << 7 | OP_STORE;
}

static uint32_t encode_b(uint32_t imm, uint32_t rs1, uint32_t funct3)
{
	return (imm >> 12 & 1) << 31 | (imm >> 5 & 0x3f) << 25 | rs1 << 15 | funct3 << 12 | (imm >> 1 & 0xf) << 8 |
	       (imm >> 11 & 1) << 7 | OP_BRANCH;
}

static uint32_t encode_j(uint32_t imm, uint32_t rd)
{
	return (imm >> 20 & 1) << 31 | (imm >> 1 & 0x3ff) << 21 | (imm >> 11 & 1) << 20 | (imm >> 12 & 0xff) << 12 |
	       rd << 7 | OP_JAL;
}

/* Bit `from` of the instruction, moved to bit `to`. */
static uint32_t bit(uint16_t c, unsigned from, unsigned to)
{
	return (uint32_t)(c >> from & 1) << to;
}

static uint32_t field(uint16_t c, unsigned low, unsigned count)
{
	return c >> low & ((1u << count) - 1);
}

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
	return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

/* The 6-bit immediate of CI instructions: imm[5] in bit 12, imm[4:0] in bits 6:2. */
static uint32_t imm6(uint16_t c)
{
	return sign_extend(bit(c, 12, 5) | field(c, 2, 5), 6);
}

static uint32_t jump_offset(uint16_t c)
{
	return sign_extend(bit(c, 12, 11) | bit(c, 11, 4) | field(c, 9, 2) << 8 | bit(c, 8, 10) | bit(c, 7, 6) |
			   bit(c, 6, 7) | field(c, 3, 3) << 1 | bit(c, 2, 5), 12);
}

static uint32_t branch_offset(uint16_t c)
{
	return sign_extend(bit(c, 12, 8) | field(c, 10, 2) << 3 | field(c, 5, 2) << 6 | field(c, 3, 2) << 1 | bit(c, 2, 5), 9);
}

/* Quadrant 0: stack-relative address, loads and stores with the eight popular registers. */
static uint32_t expand_quadrant0(uint16_t c)
{
	uint32_t rd = 8 + field(c, 2, 3), rs1 = 8 + field(c, 7, 3);
	uint32_t offset = field(c, 10, 3) << 3 | bit(c, 6, 2) | bit(c, 5, 6);
	uint32_t stack = field(c, 11, 2) << 4 | field(c, 7, 4) << 6 | bit(c, 6, 2) | bit(c, 5, 3);

	switch (c >> 13) {
	case 0: /* c.addi4spn; the all-zero instruction is illegal by this rule */
		return stack ? encode_i(OP_IMM, stack, 2, 0, rd) : 0;
	case 2: /* c.lw */
		return encode_i(OP_LOAD, offset, rs1, 2, rd);
	case 6: /* c.sw */
		return encode_s(offset, rd, rs1, 2);
	default: /* floating point */
		return 0;
	}
}

/* c.srli, c.srai, c.andi and the register-register group. */
static uint32_t expand_arithmetic(uint16_t c)
{
	uint32_t rd = 8 + field(c, 7, 3), rs2 = 8 + field(c, 2, 3);

	switch (field(c, 10, 2)) {
	case 0: /* c.srli: shamt[5] must be 0 on RV32 */
		return c & 0x1000 ? 0 : encode_i(OP_IMM, field(c, 2, 5), rd, 5, rd);
	case 1: /* c.srai */
		return c & 0x1000 ? 0 : encode_i(OP_IMM, 0x400 | field(c, 2, 5), rd, 5, rd);
	case 2: /* c.andi */
		return encode_i(OP_IMM, imm6(c), rd, 7, rd);
	}
	if (c & 0x1000)
		return 0; /* RV64 words */
	switch (field(c, 5, 2)) {
	case 0:
		return encode_r(0x20, rs2, rd, 0, rd); /* c.sub */
	case 1:
		return encode_r(0, rs2, rd, 4, rd); /* c.xor */
	case 2:
		return encode_r(0, rs2, rd, 6, rd); /* c.or */
	default:
		return encode_r(0, rs2, rd, 7, rd); /* c.and */
	}
}

static uint32_t expand_quadrant1(uint16_t c)
{
	uint32_t rd = field(c, 7, 5), imm = imm6(c);

	switch (c >> 13) {
	case 0: /* c.addi, c.nop */
		return encode_i(OP_IMM, imm, rd, 0, rd);
	case 1: /* c.jal */
		return encode_j(jump_offset(c), 1);
	case 2: /* c.li */
		return encode_i(OP_IMM, imm, 0, 0, rd);
	case 3:
		if (rd == 2) { /* c.addi16sp */
			imm = sign_extend(bit(c, 12, 9) | bit(c, 6, 4) | bit(c, 5, 6) | field(c, 3, 2) << 7 | bit(c, 2, 5), 10);
			return imm ? encode_i(OP_IMM, imm, 2, 0, 2) : 0;
		}
		return imm ? imm << 12 | rd << 7 | OP_LUI : 0; /* c.lui */
	case 4:
		return expand_arithmetic(c);
	case 5: /* c.j */
		return encode_j(jump_offset(c), 0);
	case 6: /* c.beqz */
		return encode_b(branch_offset(c), 8 + field(c, 7, 3), 0);
	default: /* c.bnez */
		return encode_b(branch_offset(c), 8 + field(c, 7, 3), 1);
	}
}

/* c.jr, c.mv, c.ebreak, c.jalr, c.add */
static uint32_t expand_register_group(uint16_t c)
{
	uint32_t rd = field(c, 7, 5), rs2 = field(c, 2, 5);

	if (!(c & 0x1000)) {
		if (rs2)
			return encode_r(0, rs2, 0, 0, rd);
		return rd ? encode_i(OP_JALR, 0, rd, 0, 0) : 0;
	}
	if (rs2)
		return encode_r(0, rs2, rd, 0, rd);
	return rd ? encode_i(OP_JALR, 0, rd, 0, 1) : 0x00100073u;
}

static uint32_t expand_quadrant2(uint16_t c)
{
	uint32_t rd = field(c, 7, 5);

	switch (c >> 13) {
	case 0: /* c.slli */
		return c & 0x1000 ? 0 : encode_i(OP_IMM, field(c, 2, 5), rd, 1, rd);
	case 2: /* c.lwsp */
		return rd ? encode_i(OP_LOAD, bit(c, 12, 5) | field(c, 4, 3) << 2 | field(c, 2, 2) << 6, 2, 2, rd) : 0;
	case 4:
		return expand_register_group(c);
	case 6: /* c.swsp */
		return encode_s(field(c, 9, 4) << 2 | field(c, 7, 2) << 6, field(c, 2, 5), 2, 2);
	default: /* floating point */
		return 0;
	}
}

uint32_t gcp_expand(uint16_t instruction)
{
	switch (instruction & 3) {
	case 0:
		return expand_quadrant0(instruction);
	case 1:
		return expand_quadrant1(instruction);
	case 2:
		return expand_quadrant2(instruction);
	default: /* not compressed */
		return 0;
	}
}

static uint32_t expansions[0x10000];

static void make_expansions(void)
{
	for (uint32_t instruction = 0; instruction < 0x10000; instruction++)
		expansions[instruction] = gcp_expand((uint16_t)instruction);
}

const uint32_t *gcp_expansions(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_expansions);
	return expansions;
}
