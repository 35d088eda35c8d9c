/* SPDX-License-Identifier: MIT */
/* Instruction words for tiny test programs of the firmware core. */
#ifndef TESTS_CORE_RV32_H
#define TESTS_CORE_RV32_H

#include <stdint.h>

enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1 };

static inline uint32_t rv_addi(unsigned rd, unsigned rs, int32_t imm)
{
	return (uint32_t)imm << 20 | rs << 15 | rd << 7 | 0x13;
}

/* upper: the whole 32-bit value, of which the low 12 bits are not used */
static inline uint32_t rv_lui(unsigned rd, uint32_t upper)
{
	return (upper & 0xfffff000) | rd << 7 | 0x37;
}

static inline uint32_t rv_lw(unsigned rd, unsigned base, int32_t offset)
{
	return (uint32_t)offset << 20 | base << 15 | 2 << 12 | rd << 7 | 0x03;
}

static inline uint32_t rv_sw(unsigned source, unsigned base, int32_t offset)
{
	return ((uint32_t)offset >> 5 & 0x7f) << 25 | source << 20 | base << 15 | 2 << 12 | ((uint32_t)offset & 0x1f) << 7 |
	       0x23;
}

/* Jump by an offset in bytes from this instruction. */
static inline uint32_t rv_j(int32_t offset)
{
	uint32_t o = (uint32_t)offset;

	return (o & 0x100000) << 11 | (o & 0x7fe) << 20 | (o & 0x800) << 9 | (o & 0xff000) | 0x6f;
}

/* csrrw x0, csr, rs */
static inline uint32_t rv_csrw(uint32_t csr, unsigned rs)
{
	return csr << 20 | rs << 15 | 1 << 12 | 0x73;
}

#define RV_WFI 0x10500073u
#define RV_ILLEGAL 0x0u
#define RV_CSR_MIE 0x304
/* The bit of mie that lets INT_PENDING end a WFI, made of two instructions: lui and srli would need more. */
#define RV_MEIE 0x800

#endif
