/* SPDX-License-Identifier: MIT */
/*
 * The hart, one instruction at a time, against the rules of the RISC-V unprivileged and privileged ISA. Every test places an
 * instruction in SRAM, sets registers, steps once and looks at what changed.
 */
#include <string.h>

#include "d3dgpu_gcp.h"
#include "gcp_cpu.h"
#include "tap.h"

#define SRAM_SIZE 4096
#define CTRL_SIZE 256
#define CODE D3DGPU_GCP_SRAM
#define DATA (D3DGPU_GCP_SRAM + 0x800)

static uint8_t sram[SRAM_SIZE] __attribute__((aligned(8)));
static uint8_t ctrl[CTRL_SIZE] __attribute__((aligned(8)));
static struct gcp_cpu cpu;
static uint32_t bus_address, bus_value;
static unsigned bus_size;

static bool bus_load(void *opaque, uint32_t address, unsigned size, uint32_t *value)
{
	bus_address = address;
	bus_size = size;
	*value = 0xcafef00d;
	return address - D3DGPU_GCP_PERIPHERALS < 4096;
}

static bool bus_store(void *opaque, uint32_t address, unsigned size, uint32_t value)
{
	bus_address = address;
	bus_size = size;
	bus_value = value;
	return address - D3DGPU_GCP_PERIPHERALS < 4096;
}

static void put_word(uint32_t address, uint32_t value)
{
	memcpy(sram + (address - D3DGPU_GCP_SRAM), &value, 4);
}

static uint32_t get_word(uint32_t address)
{
	uint32_t value;

	memcpy(&value, sram + (address - D3DGPU_GCP_SRAM), 4);
	return value;
}

static void setup(uint32_t instruction)
{
	memset(sram, 0, sizeof(sram));
	memset(ctrl, 0, sizeof(ctrl));
	cpu = (struct gcp_cpu){ .sram = sram, .sram_base = D3DGPU_GCP_SRAM, .sram_size = SRAM_SIZE,
				.ctrl = ctrl, .ctrl_base = D3DGPU_GCP_CTRL, .ctrl_size = CTRL_SIZE,
				.bus = { .load = bus_load, .store = bus_store } };
	gcp_cpu_reset(&cpu, CODE);
	put_word(CODE, instruction);
}

/* ---- encodings, written from the ISA's format tables ---- */

static uint32_t r_type(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
	return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static uint32_t i_type(uint32_t opcode, int32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd)
{
	return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t s_type(int32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
	uint32_t i = (uint32_t)imm;

	return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 31) << 7 | 0x23;
}

static uint32_t b_type(int32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3)
{
	uint32_t i = (uint32_t)imm;

	return (i >> 12 & 1) << 31 | (i >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i >> 1 & 15) << 8 |
	       (i >> 11 & 1) << 7 | 0x63;
}

static uint32_t j_type(int32_t imm, uint32_t rd)
{
	uint32_t i = (uint32_t)imm;

	return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 | (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

/* ---- register-register and register-immediate ---- */

struct operation {
	const char *name;
	uint32_t funct7, funct3, a, b, want;
};

static const struct operation operations[] = {
	{ "add wraps", 0, 0, 0xffffffff, 2, 1 },
	{ "sub wraps", 0x20, 0, 1, 2, 0xffffffff },
	{ "sll uses five bits of the amount", 0, 1, 1, 33, 2 },
	{ "slt compares signed", 0, 2, 0x80000000, 1, 1 },
	{ "slt of equals is 0", 0, 2, 5, 5, 0 },
	{ "sltu compares unsigned", 0, 3, 0x80000000, 1, 0 },
	{ "sltu is 1 for smaller", 0, 3, 1, 0x80000000, 1 },
	{ "xor", 0, 4, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0 },
	{ "srl fills with zeros", 0, 5, 0x80000000, 31, 1 },
	{ "sra fills with the sign", 0x20, 5, 0x80000000, 31, 0xffffffff },
	{ "or", 0, 6, 0xf0f00000, 0x00000f0f, 0xf0f00f0f },
	{ "and", 0, 7, 0xff00ff00, 0x0ff00ff0, 0x0f000f00 },
	{ "mul keeps the low half", 1, 0, 0x12345678, 0x9abcdef0, 0x242d2080 },
	{ "mulh of negatives", 1, 1, 0xffffffff, 0xffffffff, 0 },
	{ "mulh of the smallest squared", 1, 1, 0x80000000, 0x80000000, 0x40000000 },
	{ "mulhsu takes the second operand unsigned", 1, 2, 0xffffffff, 0xffffffff, 0xffffffff },
	{ "mulhu", 1, 3, 0xffffffff, 0xffffffff, 0xfffffffe },
	{ "div truncates towards zero", 1, 4, (uint32_t)-7, 2, (uint32_t)-3 },
	{ "div by zero gives -1", 1, 4, 7, 0, 0xffffffff },
	{ "div overflow gives the dividend", 1, 4, 0x80000000, 0xffffffff, 0x80000000 },
	{ "divu", 1, 5, 0xfffffff9, 2, 0x7ffffffc },
	{ "divu by zero gives all ones", 1, 5, 7, 0, 0xffffffff },
	{ "rem takes the dividend's sign", 1, 6, (uint32_t)-7, 2, (uint32_t)-1 },
	{ "rem by zero gives the dividend", 1, 6, (uint32_t)-7, 0, (uint32_t)-7 },
	{ "rem overflow gives 0", 1, 6, 0x80000000, 0xffffffff, 0 },
	{ "remu", 1, 7, 0xfffffff9, 16, 9 },
	{ "remu by zero gives the dividend", 1, 7, 7, 0, 7 },
};

static void test_register_operations(void)
{
	for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		const struct operation *op = &operations[i];

		setup(r_type(op->funct7, 11, 10, op->funct3, 12));
		cpu.x[10] = op->a;
		cpu.x[11] = op->b;
		gcp_cpu_run(&cpu, 1);
		tap_eq(cpu.x[12], op->want, "%s", op->name);
	}
	setup(r_type(0, 11, 10, 0, 0));
	cpu.x[10] = 1;
	cpu.x[11] = 2;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[0], 0, "x0 stays 0 when it is a destination");
	tap_eq(cpu.pc, CODE + 4, "an instruction moves pc on by its length");
	tap_eq(cpu.instret, 1, "a retired instruction is counted");
}

static void test_immediate_operations(void)
{
	static const struct { const char *name; uint32_t funct3; int32_t imm; uint32_t a, want; } cases[] = {
		{ "addi sign-extends", 0, -2048, 0, 0xfffff800 },
		{ "slti compares signed with the extended immediate", 2, -1, 0xfffffffe, 1 },
		{ "sltiu compares unsigned with the sign-extended immediate", 3, -1, 5, 1 },
		{ "xori with -1 inverts", 4, -1, 0x0f0f0f0f, 0xf0f0f0f0 },
		{ "ori", 6, 0x7ff, 0x800, 0xfff },
		{ "andi keeps the upper bits for negative immediates", 7, -16, 0x12345678, 0x12345670 },
		{ "slli", 1, 4, 0x0f0f0f0f, 0xf0f0f0f0 },
		{ "srli", 5, 4, 0xf0f0f0f0, 0x0f0f0f0f },
		{ "srai", 5, 0x400 | 4, 0xf0f0f0f0, 0xff0f0f0f },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(i_type(0x13, cases[i].imm, 10, cases[i].funct3, 12));
		cpu.x[10] = cases[i].a;
		gcp_cpu_run(&cpu, 1);
		tap_eq(cpu.x[12], cases[i].want, "%s", cases[i].name);
	}
	setup(0xfffff637);
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 0xfffff000, "lui sets the upper 20 bits");
	setup(0x00001617);
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], CODE + 0x1000, "auipc adds to its own address");
}

/* ---- control flow ---- */

static void test_branches(void)
{
	static const struct { const char *name; uint32_t funct3, a, b; bool taken; } cases[] = {
		{ "beq of equals is taken", 0, 7, 7, true },		{ "beq of others is not", 0, 7, 8, false },
		{ "bne of others is taken", 1, 7, 8, true },		{ "bne of equals is not", 1, 7, 7, false },
		{ "blt compares signed", 4, 0xffffffff, 0, true },	{ "blt of equals is not taken", 4, 3, 3, false },
		{ "bge of equals is taken", 5, 3, 3, true },		{ "bge compares signed", 5, 0xffffffff, 0, false },
		{ "bltu compares unsigned", 6, 0xffffffff, 0, false },	{ "bltu of smaller is taken", 6, 0, 1, true },
		{ "bgeu compares unsigned", 7, 0xffffffff, 0, true },	{ "bgeu of smaller is not", 7, 0, 1, false },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(b_type(-0x556, 11, 10, cases[i].funct3));
		cpu.x[10] = cases[i].a;
		cpu.x[11] = cases[i].b;
		gcp_cpu_run(&cpu, 1);
		tap_eq(cpu.pc, cases[i].taken ? CODE - 0x556 : CODE + 4, "%s", cases[i].name);
	}
}

static void test_jumps(void)
{
	setup(j_type(0x5556a, 1));
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.pc, CODE + 0x5556a, "jal jumps by its offset");
	tap_eq(cpu.x[1], CODE + 4, "jal links to the next instruction");
	setup(j_type(-0x100000, 0));
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.pc, CODE - 0x100000, "jal reaches back by 1 MiB");
	setup(i_type(0x67, 0x7ff, 10, 0, 10));
	cpu.x[10] = DATA;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.pc, (DATA + 0x7ff) & ~1u, "jalr clears bit 0 of its target");
	tap_eq(cpu.x[10], CODE + 4, "jalr may link to its own base register");
	setup(0x9782u); /* c.jalr a5 */
	cpu.x[15] = DATA;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[1], CODE + 2, "a compressed jump links two bytes on");
}

/* ---- memory ---- */

static void test_loads(void)
{
	static const struct { const char *name; uint32_t funct3, want; } cases[] = {
		{ "lb sign-extends", 0, 0xffffff84 }, { "lh sign-extends", 1, 0xffff8384 }, { "lw", 2, 0x81828384 },
		{ "lbu zero-extends", 4, 0x84 }, { "lhu zero-extends", 5, 0x8384 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(i_type(0x03, -4, 10, cases[i].funct3, 12));
		put_word(DATA, 0x81828384);
		cpu.x[10] = DATA + 4;
		gcp_cpu_run(&cpu, 1);
		tap_eq(cpu.x[12], cases[i].want, "%s", cases[i].name);
	}
	setup(i_type(0x03, 8, 10, 2, 12));
	ctrl[8] = 0x5a;
	cpu.x[10] = D3DGPU_GCP_CTRL;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 0x5a, "the control block is memory");
	setup(i_type(0x03, D3DGPU_GCP_TIME_LO, 10, 2, 12));
	cpu.x[10] = D3DGPU_GCP_PERIPHERALS;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 0xcafef00d, "a peripheral's register is read through the bus");
	tap_ok(bus_address == D3DGPU_GCP_PERIPHERALS + D3DGPU_GCP_TIME_LO && bus_size == 4, "with its address and width");
}

static void test_stores(void)
{
	static const struct { const char *name; uint32_t funct3, want; } cases[] = {
		{ "sb changes one byte", 0, 0x111111dd }, { "sh changes two bytes", 1, 0x1111ccdd }, { "sw", 2, 0xaabbccdd },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(s_type(-8, 11, 10, cases[i].funct3));
		put_word(DATA, 0x11111111);
		cpu.x[10] = DATA + 8;
		cpu.x[11] = 0xaabbccdd;
		gcp_cpu_run(&cpu, 1);
		tap_eq(get_word(DATA), cases[i].want, "%s", cases[i].name);
	}
	setup(s_type(D3DGPU_GCP_RAISE, 11, 10, 2));
	cpu.x[10] = D3DGPU_GCP_PERIPHERALS;
	cpu.x[11] = 5;
	gcp_cpu_run(&cpu, 1);
	tap_ok(bus_address == D3DGPU_GCP_PERIPHERALS + D3DGPU_GCP_RAISE && bus_value == 5, "a store reaches the bus");
}

/* ---- traps ---- */

static void test_traps(void)
{
	static const struct { const char *name; uint32_t instruction, address, cause, value; } cases[] = {
		{ "an illegal instruction traps", 0xffffffff, 0, 2, 0xffffffff },
		{ "a 32-bit instruction of a reserved opcode traps", 0x0000000b, 0, 2, 0x0000000b },
		{ "ecall traps", 0x00000073, 0, 11, 0 },
		{ "ebreak traps", 0x00100073, 0, 3, CODE },
		{ "a misaligned load traps", 0x00052603, DATA + 2, 4, DATA + 2 },
		{ "a misaligned store traps", 0x00b52023, DATA + 1, 6, DATA + 1 },
		{ "a load from nowhere traps", 0x00052603, 0x1000, 5, 0x1000 },
		{ "a store to nowhere traps", 0x00b52023, 0x1000, 7, 0x1000 },
		{ "a load across the end of SRAM traps", 0x00052603, D3DGPU_GCP_SRAM + SRAM_SIZE, 5, D3DGPU_GCP_SRAM + SRAM_SIZE },
		{ "the register that the bus refuses traps", 0x00052603, D3DGPU_GCP_PERIPHERALS + 4096, 5, D3DGPU_GCP_PERIPHERALS + 4096 },
		{ "an unknown CSR is illegal", 0x7c002673, 0, 2, 0x7c002673 },
		{ "writing a read-only CSR is illegal", 0xc0051073, 0, 2, 0xc0051073 },
	};

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		setup(cases[i].instruction);
		cpu.mtvec = CODE + 0x100;
		cpu.mstatus = 1u << 3;
		cpu.x[10] = cases[i].address;
		cpu.x[12] = 0x5555;
		gcp_cpu_run(&cpu, 1);
		tap_ok(cpu.pc == CODE + 0x100 && cpu.mepc == CODE && cpu.mcause == cases[i].cause && cpu.mtval == cases[i].value &&
		       cpu.x[12] == 0x5555 && cpu.instret == 0 && cpu.mstatus == 1u << 7,
		       "%s: handler, mepc, mcause %u, mtval, nothing written, interrupts off", cases[i].name, cases[i].cause);
	}
}

static void test_fetch_faults(void)
{
	setup(0);
	cpu.pc = D3DGPU_GCP_CTRL;
	tap_eq(gcp_cpu_run(&cpu, 1), GCP_STOP_PANIC, "without a handler a trap stops the hart");
	tap_eq(cpu.panic_code, D3DGPU_GCP_PANIC_TRAP + 1, "executing from the control block is a fetch fault");
	setup(0);
	cpu.mtvec = CODE;
	tap_eq(gcp_cpu_run(&cpu, 100), GCP_STOP_PANIC, "a trap in the trap handler stops the hart");
	tap_eq(cpu.panic_code, D3DGPU_GCP_PANIC_TRAP + 2, "with the cause of the second trap");
	tap_eq(gcp_cpu_run(&cpu, 100), GCP_STOP_PANIC, "a panicked hart does not run again");
	setup(0);
	cpu.pc = CODE + SRAM_SIZE - 2;
	sram[SRAM_SIZE - 2] = 0x03;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.panic_code, D3DGPU_GCP_PANIC_TRAP + 1, "an instruction cut off by the end of SRAM is a fetch fault");
}

static void test_mret(void)
{
	setup(0x30200073);
	cpu.mepc = DATA;
	cpu.mstatus = 1u << 7;
	cpu.in_trap = true;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.pc, DATA, "mret returns to mepc");
	tap_eq(cpu.mstatus, 1u << 3 | 1u << 7, "mret restores the interrupt enable");
	tap_ok(!cpu.in_trap, "mret leaves the handler");
}

static void test_interrupts(void)
{
	setup(0x10500073);
	cpu.mie = 1u << 11;
	tap_eq(gcp_cpu_run(&cpu, 10), GCP_STOP_WFI, "wfi sleeps while nothing is pending");
	tap_eq(cpu.pc, CODE + 4, "and goes on behind it");
	setup(0x10500073);
	cpu.mie = 1u << 11;
	gcp_cpu_set_interrupt(&cpu, true);
	tap_eq(gcp_cpu_run(&cpu, 1), GCP_STOP_BUDGET, "wfi does not sleep when an enabled interrupt is pending");
	setup(0x10500073);
	gcp_cpu_set_interrupt(&cpu, true);
	tap_eq(gcp_cpu_run(&cpu, 10), GCP_STOP_WFI, "an interrupt that mie masks does not wake it");
	setup(0x00000013);
	cpu.mie = 1u << 11;
	cpu.mstatus = 1u << 3;
	cpu.mtvec = (CODE + 0x100) | 1;
	put_word(CODE + 0x100 + 4 * 11, 0x00000013);
	gcp_cpu_set_interrupt(&cpu, true);
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.mcause, GCP_CAUSE_EXTERNAL_INTERRUPT, "an enabled interrupt is taken before the next instruction");
	tap_eq(cpu.mepc, CODE, "which it returns to");
	tap_eq(cpu.pc, CODE + 0x100 + 4 * 11 + 4, "vectored mode enters at base + 4 * cause");
	setup(0x00000013);
	cpu.mie = 1u << 11;
	gcp_cpu_set_interrupt(&cpu, true);
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.pc, CODE + 4, "with mstatus.MIE 0 nothing is taken");
}

static void test_csrs(void)
{
	setup(0x34051673); /* csrrw a2, mscratch, a0 */
	cpu.mscratch = 0x1234;
	cpu.x[10] = 0x5678;
	gcp_cpu_run(&cpu, 1);
	tap_ok(cpu.x[12] == 0x1234 && cpu.mscratch == 0x5678, "csrrw swaps");
	setup(0x34052673); /* csrrs a2, mscratch, a0 */
	cpu.mscratch = 0xf0;
	cpu.x[10] = 0x0f;
	gcp_cpu_run(&cpu, 1);
	tap_ok(cpu.x[12] == 0xf0 && cpu.mscratch == 0xff, "csrrs sets bits");
	setup(0x34053673); /* csrrc a2, mscratch, a0 */
	cpu.mscratch = 0xff;
	cpu.x[10] = 0x0f;
	gcp_cpu_run(&cpu, 1);
	tap_ok(cpu.x[12] == 0xff && cpu.mscratch == 0xf0, "csrrc clears bits");
	setup(0x340fd673); /* csrrwi a2, mscratch, 31 */
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.mscratch, 31, "csrrwi writes its five bits");
	setup(0xc0202673); /* csrrs a2, instret, x0 */
	cpu.instret = 0x700000009;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 9, "instret reads the low half");
	setup(0xc8202673);
	cpu.instret = 0x700000009;
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 7, "instreth reads the high half");
	setup(0x30102673);
	gcp_cpu_run(&cpu, 1);
	tap_eq(cpu.x[12], 0x40001104, "misa says RV32IMC");
}

static void test_run_limits(void)
{
	setup(0x0000006f); /* j . */
	tap_eq(gcp_cpu_run(&cpu, 1000), GCP_STOP_BUDGET, "an endless loop uses up its budget");
	tap_eq(cpu.instret, 1000, "exactly");
	gcp_cpu_panic(&cpu, 7);
	tap_eq(gcp_cpu_run(&cpu, 1000), GCP_STOP_PANIC, "a panic stops it");
	gcp_cpu_reset(&cpu, CODE);
	tap_eq(gcp_cpu_run(&cpu, 1), GCP_STOP_BUDGET, "reset brings it back");
}

/* sum of 1..100 by a loop of compressed and full instructions, as an assembler laid it out. */
static void test_program(void)
{
	static const uint16_t program[] = {
		0x4501,			/* c.li a0, 0 */
		0x0593, 0x0640,		/* li a1, 100 */
		0x952e,			/* c.add a0, a1 */
		0x15fd,			/* c.addi a1, -1 */
		0xfdf5,			/* c.bnez a1, -4 */
		0x0073, 0x1050,		/* wfi */
	};

	setup(0);
	memcpy(sram, program, sizeof(program));
	tap_eq(gcp_cpu_run(&cpu, 1000), GCP_STOP_WFI, "a loop of mixed instruction lengths ends");
	tap_eq(cpu.x[10], 5050, "with the right sum");
}

int main(void)
{
	test_register_operations();
	test_immediate_operations();
	test_branches();
	test_jumps();
	test_loads();
	test_stores();
	test_traps();
	test_fetch_faults();
	test_mret();
	test_interrupts();
	test_csrs();
	test_run_limits();
	test_program();
	return tap_done();
}
