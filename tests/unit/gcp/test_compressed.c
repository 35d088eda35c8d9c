/* SPDX-License-Identifier: MIT */
/*
 * Compressed instructions against their 32-bit equivalents. The encodings were made by an independent assembler (LLVM's) from
 * the instruction's text and that of its equivalent, with extreme and mixed-bit immediates.
 */
#include "gcp_cpu.h"
#include "tap.h"

struct pair {
	uint16_t compressed;
	uint32_t full;
	const char *text;
};

static const struct pair pairs[] = {
	{ 0x1fe8, 0x3fc10513, "c.addi4spn a0,sp,1020" },
	{ 0x0044, 0x00410493, "c.addi4spn s1,sp,4" },
	{ 0x5c7c, 0x07c42783, "c.lw a5,124(s0)" },
	{ 0x43a0, 0x0407a403, "c.lw s0,64(a5)" },
	{ 0x41c8, 0x0045a503, "c.lw a0,4(a1)" },
	{ 0xdc7c, 0x06f42e23, "c.sw a5,124(s0)" },
	{ 0xc604, 0x00962423, "c.sw s1,8(a2)" },
	{ 0x0001, 0x00000013, "c.nop" },
	{ 0x1f81, 0xfe0f8f93, "c.addi t6,-32" },
	{ 0x057d, 0x01f50513, "c.addi a0,31" },
	{ 0x2ffd, 0x7fe000ef, "c.jal 2046" },
	{ 0x3001, 0x801ff0ef, "c.jal -2048" },
	{ 0x246d, 0x2aa000ef, "c.jal 682" },
	{ 0x557d, 0xfff00513, "c.li a0,-1" },
	{ 0x42d5, 0x01500293, "c.li t0,21" },
	{ 0x617d, 0x1f010113, "c.addi16sp sp,496" },
	{ 0x7101, 0xe0010113, "c.addi16sp sp,-512" },
	{ 0x610d, 0x0a010113, "c.addi16sp sp,160" },
	{ 0x657d, 0x0001f537, "c.lui a0,31" },
	{ 0x7d81, 0xfffe0db7, "c.lui s11,0xfffe0" },
	{ 0x817d, 0x01f55513, "c.srli a0,31" },
	{ 0x8005, 0x00145413, "c.srli s0,1" },
	{ 0x87fd, 0x41f7d793, "c.srai a5,31" },
	{ 0x849d, 0x4074d493, "c.srai s1,7" },
	{ 0x9a81, 0xfe06f693, "c.andi a3,-32" },
	{ 0x8855, 0x01547413, "c.andi s0,21" },
	{ 0x8d1d, 0x40f50533, "c.sub a0,a5" },
	{ 0x8c25, 0x00944433, "c.xor s0,s1" },
	{ 0x8e55, 0x00d66633, "c.or a2,a3" },
	{ 0x8f61, 0x00877733, "c.and a4,s0" },
	{ 0xaffd, 0x7fe0006f, "c.j 2046" },
	{ 0xb001, 0x801ff06f, "c.j -2048" },
	{ 0xbb99, 0xd57ff06f, "c.j -682" },
	{ 0xcc7d, 0x0e040f63, "c.beqz s0,254" },
	{ 0xd381, 0xf00780e3, "c.beqz a5,-256" },
	{ 0xc939, 0x04050b63, "c.beqz a0,86" },
	{ 0xe4cd, 0x0a049563, "c.bnez s1,170" },
	{ 0xfd7d, 0xfe051fe3, "c.bnez a0,-2" },
	{ 0x0ffe, 0x01ff9f93, "c.slli t6,31" },
	{ 0x0506, 0x00151513, "c.slli a0,1" },
	{ 0x50fe, 0x0fc12083, "c.lwsp ra,252(sp)" },
	{ 0x4fd6, 0x05412f83, "c.lwsp t6,84(sp)" },
	{ 0x8082, 0x00008067, "c.jr ra" },
	{ 0x8f82, 0x000f8067, "c.jr t6" },
	{ 0x857e, 0x01f00533, "c.mv a0,t6" },
	{ 0x8d86, 0x00100db3, "c.mv s11,ra" },
	{ 0x9002, 0x00100073, "c.ebreak" },
	{ 0x9782, 0x000780e7, "c.jalr a5" },
	{ 0x917e, 0x01f10133, "c.add sp,t6" },
	{ 0x952e, 0x00b50533, "c.add a0,a1" },
	{ 0xdf86, 0x0e112e23, "c.swsp ra,252(sp)" },
	{ 0xd57e, 0x0bf12423, "c.swsp t6,168(sp)" },
};

/* Encodings that RV32C reserves, or that need floating point or 64 bits. */
static const struct pair reserved[] = {
	{ 0x0000, 0, "all zeros" },
	{ 0x2000, 0, "c.fld" },
	{ 0x8000, 0, "quadrant 0, function 4" },
	{ 0x6101, 0, "c.addi16sp with immediate 0" },
	{ 0x6001, 0, "c.lui with immediate 0" },
	{ 0x9001, 0, "c.srli with shamt[5]" },
	{ 0x9401, 0, "c.srai with shamt[5]" },
	{ 0x9c01, 0, "c.subw" },
	{ 0x1002, 0, "c.slli with shamt[5]" },
	{ 0x4002, 0, "c.lwsp to x0" },
	{ 0x8002, 0, "c.jr x0" },
	{ 0xa002, 0, "c.fsdsp" },
};

int main(void)
{
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		tap_eq(gcp_expand(pairs[i].compressed), pairs[i].full, "%s expands to its 32-bit equivalent", pairs[i].text);
	for (unsigned i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		tap_eq(gcp_expand(reserved[i].compressed), 0, "%s is illegal", reserved[i].text);
	return tap_done();
}
