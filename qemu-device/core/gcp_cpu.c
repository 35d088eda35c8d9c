/* SPDX-License-Identifier: MIT */
/*
 * Fetch, decode, execute. A step either completes (true) or has raised an exception (false): then no register and no memory has
 * changed, and pc is that of the trap handler, or the hart has panicked.
 */
#include "gcp_cpu.h"

#include <string.h>

#include "d3dgpu_gcp.h"

#define MSTATUS_MIE (1u << 3)
#define MSTATUS_MPIE (1u << 7)
#define MSTATUS_MPP (3u << 11)		/* machine mode is the only one: reads as 3 */
#define MIE_MEIE (1u << 11)
#define MISA_RV32IMC (1u << 30 | 1u << 2 | 1u << 8 | 1u << 12)

enum {
	CSR_MSTATUS = 0x300, CSR_MISA = 0x301, CSR_MIE = 0x304, CSR_MTVEC = 0x305,
	CSR_MSCRATCH = 0x340, CSR_MEPC = 0x341, CSR_MCAUSE = 0x342, CSR_MTVAL = 0x343, CSR_MIP = 0x344,
	CSR_MCYCLE = 0xb00, CSR_MINSTRET = 0xb02, CSR_MCYCLEH = 0xb80, CSR_MINSTRETH = 0xb82,
	CSR_CYCLE = 0xc00, CSR_INSTRET = 0xc02, CSR_CYCLEH = 0xc80, CSR_INSTRETH = 0xc82,
	CSR_MVENDORID = 0xf11, CSR_MARCHID = 0xf12, CSR_MIMPID = 0xf13, CSR_MHARTID = 0xf14,
};

void gcp_cpu_reset(struct gcp_cpu *cpu, uint32_t pc)
{
	memset(cpu->x, 0, sizeof(cpu->x));
	cpu->pc = pc;
	cpu->instret = cpu->wfi_instret = 0;
	cpu->mstatus = cpu->mie = cpu->mtvec = cpu->mscratch = cpu->mepc = cpu->mcause = cpu->mtval = 0;
	cpu->external_pending = cpu->in_trap = cpu->stop_request = cpu->panicked = false;
	cpu->panic_code = 0;
	cpu->expansions = gcp_expansions();
}

void gcp_cpu_set_interrupt(struct gcp_cpu *cpu, bool pending)
{
	cpu->external_pending = pending;
}

void gcp_cpu_panic(struct gcp_cpu *cpu, uint32_t code)
{
	cpu->panicked = true;
	cpu->panic_code = code;
}

static void enter_trap(struct gcp_cpu *cpu, uint32_t cause, uint32_t value)
{
	cpu->mepc = cpu->pc;
	cpu->mcause = cause;
	cpu->mtval = value;
	cpu->mstatus = (cpu->mstatus & MSTATUS_MIE ? MSTATUS_MPIE : 0);
	cpu->in_trap = true;
	cpu->pc = cpu->mtvec & ~3u;
	if ((cpu->mtvec & 3) == 1 && cause >> 31)
		cpu->pc += 4 * (cause & 0x7fffffff);
}

/* Always false: what a step returns when it cannot complete. */
static bool raise_exception(struct gcp_cpu *cpu, enum gcp_cause cause, uint32_t value)
{
	if (!cpu->mtvec || cpu->in_trap)
		gcp_cpu_panic(cpu, D3DGPU_GCP_PANIC_TRAP + cause);
	else
		enter_trap(cpu, cause, value);
	return false;
}

static bool illegal(struct gcp_cpu *cpu, uint32_t instruction)
{
	return raise_exception(cpu, GCP_CAUSE_ILLEGAL, instruction);
}

/* ---- memory ---- */

static uint8_t *direct(const struct gcp_cpu *cpu, uint32_t address, unsigned size)
{
	if (address - cpu->sram_base <= cpu->sram_size - size)
		return cpu->sram + (address - cpu->sram_base);
	if (cpu->ctrl && address - cpu->ctrl_base <= cpu->ctrl_size - size)
		return cpu->ctrl + (address - cpu->ctrl_base);
	return NULL;
}

/*
 * The control block is shared with the guest's CPUs and aligned accesses must not tear: word-sized loads and stores are single
 * host accesses, with acquire and release order so that an index is never seen before what it publishes.
 */
static bool load(struct gcp_cpu *cpu, uint32_t address, unsigned size, uint32_t *value)
{
	const uint8_t *memory;

	if (address & (size - 1))
		return raise_exception(cpu, GCP_CAUSE_LOAD_MISALIGNED, address);
	memory = direct(cpu, address, size);
	if (!memory)
		return cpu->bus.load(cpu->bus.opaque, address, size, value) ||
		       raise_exception(cpu, GCP_CAUSE_LOAD_FAULT, address);
	switch (size) {
	case 1:
		*value = __atomic_load_n(memory, __ATOMIC_ACQUIRE);
		break;
	case 2:
		*value = __atomic_load_n((const uint16_t *)memory, __ATOMIC_ACQUIRE);
		break;
	default:
		*value = __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
	}
	return true;
}

static bool store(struct gcp_cpu *cpu, uint32_t address, unsigned size, uint32_t value)
{
	uint8_t *memory;

	if (address & (size - 1))
		return raise_exception(cpu, GCP_CAUSE_STORE_MISALIGNED, address);
	memory = direct(cpu, address, size);
	if (!memory)
		return cpu->bus.store(cpu->bus.opaque, address, size, value) ||
		       raise_exception(cpu, GCP_CAUSE_STORE_FAULT, address);
	switch (size) {
	case 1:
		__atomic_store_n(memory, (uint8_t)value, __ATOMIC_RELEASE);
		break;
	case 2:
		__atomic_store_n((uint16_t *)memory, (uint16_t)value, __ATOMIC_RELEASE);
		break;
	default:
		__atomic_store_n((uint32_t *)memory, value, __ATOMIC_RELEASE);
	}
	return true;
}

/* ---- control and status registers ---- */

static bool csr_read(const struct gcp_cpu *cpu, uint32_t csr, uint32_t *value)
{
	switch (csr) {
	case CSR_MSTATUS:
		*value = cpu->mstatus | MSTATUS_MPP;
		return true;
	case CSR_MISA:
		*value = MISA_RV32IMC;
		return true;
	case CSR_MIE:
		*value = cpu->mie;
		return true;
	case CSR_MTVEC:
		*value = cpu->mtvec;
		return true;
	case CSR_MSCRATCH:
		*value = cpu->mscratch;
		return true;
	case CSR_MEPC:
		*value = cpu->mepc;
		return true;
	case CSR_MCAUSE:
		*value = cpu->mcause;
		return true;
	case CSR_MTVAL:
		*value = cpu->mtval;
		return true;
	case CSR_MIP:
		*value = cpu->external_pending ? MIE_MEIE : 0;
		return true;
	case CSR_MCYCLE: case CSR_MINSTRET: case CSR_CYCLE: case CSR_INSTRET:
		*value = (uint32_t)cpu->instret;
		return true;
	case CSR_MCYCLEH: case CSR_MINSTRETH: case CSR_CYCLEH: case CSR_INSTRETH:
		*value = (uint32_t)(cpu->instret >> 32);
		return true;
	case CSR_MVENDORID: case CSR_MARCHID: case CSR_MIMPID: case CSR_MHARTID:
		*value = 0;
		return true;
	default:
		return false;
	}
}

static bool csr_write(struct gcp_cpu *cpu, uint32_t csr, uint32_t value)
{
	switch (csr) {
	case CSR_MSTATUS:
		cpu->mstatus = value & (MSTATUS_MIE | MSTATUS_MPIE);
		return true;
	case CSR_MIE:
		cpu->mie = value & MIE_MEIE;
		return true;
	case CSR_MTVEC:
		cpu->mtvec = value & ~2u;
		return true;
	case CSR_MSCRATCH:
		cpu->mscratch = value;
		return true;
	case CSR_MEPC:
		cpu->mepc = value & ~1u;
		return true;
	case CSR_MCAUSE:
		cpu->mcause = value;
		return true;
	case CSR_MTVAL:
		cpu->mtval = value;
		return true;
	case CSR_MISA: case CSR_MIP: case CSR_MCYCLE: case CSR_MINSTRET: case CSR_MCYCLEH: case CSR_MINSTRETH:
		return true; /* writable by rule, fixed here */
	default:
		return false; /* unknown, or read-only */
	}
}

static bool execute_csr(struct gcp_cpu *cpu, uint32_t instruction, uint32_t *result)
{
	uint32_t csr = instruction >> 20, source = instruction >> 15 & 31, old, value;
	unsigned operation = instruction >> 12 & 3;

	value = instruction & (1u << 14) ? source : cpu->x[source];
	if (!csr_read(cpu, csr, &old))
		return illegal(cpu, instruction);
	if (operation == 2)
		value |= old;
	else if (operation == 3)
		value = old & ~value;
	if ((operation == 1 || source) && !csr_write(cpu, csr, value))
		return illegal(cpu, instruction);
	*result = old;
	return true;
}

/* ---- instructions ---- */

static uint32_t imm_i(uint32_t instruction)
{
	return (uint32_t)((int32_t)instruction >> 20);
}

static uint32_t imm_s(uint32_t instruction)
{
	return (uint32_t)((int32_t)(instruction & 0xfe000000) >> 20) | (instruction >> 7 & 0x1f);
}

static uint32_t imm_b(uint32_t instruction)
{
	return (uint32_t)((int32_t)(instruction & 0x80000000) >> 19) | (instruction << 4 & 0x800) |
	       (instruction >> 20 & 0x7e0) | (instruction >> 7 & 0x1e);
}

static uint32_t imm_j(uint32_t instruction)
{
	return (uint32_t)((int32_t)(instruction & 0x80000000) >> 11) | (instruction & 0xff000) |
	       (instruction >> 9 & 0x800) | (instruction >> 20 & 0x7fe);
}

/* M extension. Division by zero and overflow give the results that the ISA defines; nothing traps. */
static uint32_t multiply_divide(unsigned funct3, uint32_t a, uint32_t b)
{
	int32_t sa = (int32_t)a, sb = (int32_t)b;
	bool overflow = a == 0x80000000u && b == 0xffffffffu;

	switch (funct3) {
	case 0:
		return a * b;
	case 1:
		return (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32);
	case 2:
		return (uint32_t)((uint64_t)((int64_t)sa * (int64_t)(uint64_t)b) >> 32);
	case 3:
		return (uint32_t)((uint64_t)a * b >> 32);
	case 4:
		return !b ? 0xffffffffu : overflow ? a : (uint32_t)(sa / sb);
	case 5:
		return !b ? 0xffffffffu : a / b;
	case 6:
		return !b ? a : overflow ? 0 : (uint32_t)(sa % sb);
	default:
		return !b ? a : a % b;
	}
}

static uint32_t arithmetic(unsigned funct3, bool alternate, uint32_t a, uint32_t b)
{
	switch (funct3) {
	case 0:
		return alternate ? a - b : a + b;
	case 1:
		return a << (b & 31);
	case 2:
		return (int32_t)a < (int32_t)b;
	case 3:
		return a < b;
	case 4:
		return a ^ b;
	case 5:
		return alternate ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
	case 6:
		return a | b;
	default:
		return a & b;
	}
}

static bool execute_register(struct gcp_cpu *cpu, uint32_t instruction, uint32_t a, uint32_t b, uint32_t *result)
{
	unsigned funct3 = instruction >> 12 & 7, funct7 = instruction >> 25;

	if (funct7 == 1)
		*result = multiply_divide(funct3, a, b);
	else if (funct7 == 0 || (funct7 == 0x20 && (funct3 == 0 || funct3 == 5)))
		*result = arithmetic(funct3, funct7 != 0, a, b);
	else
		return illegal(cpu, instruction);
	return true;
}

static bool execute_immediate(struct gcp_cpu *cpu, uint32_t instruction, uint32_t a, uint32_t *result)
{
	unsigned funct3 = instruction >> 12 & 7, funct7 = instruction >> 25;

	if ((funct3 == 1 && funct7) || (funct3 == 5 && (funct7 & ~0x20u)))
		return illegal(cpu, instruction);
	*result = arithmetic(funct3, funct3 == 5 && funct7, a, imm_i(instruction));
	return true;
}

static bool execute_load(struct gcp_cpu *cpu, uint32_t instruction, uint32_t base, uint32_t *result)
{
	uint32_t address = base + imm_i(instruction);

	switch (instruction >> 12 & 7) {
	case 0:
		if (!load(cpu, address, 1, result))
			return false;
		*result = (uint32_t)(int8_t)*result;
		return true;
	case 1:
		if (!load(cpu, address, 2, result))
			return false;
		*result = (uint32_t)(int16_t)*result;
		return true;
	case 2:
		return load(cpu, address, 4, result);
	case 4:
		return load(cpu, address, 1, result);
	case 5:
		return load(cpu, address, 2, result);
	default:
		return illegal(cpu, instruction);
	}
}

static bool execute_store(struct gcp_cpu *cpu, uint32_t instruction, uint32_t base, uint32_t value)
{
	unsigned funct3 = instruction >> 12 & 7;

	if (funct3 > 2)
		return illegal(cpu, instruction);
	return store(cpu, base + imm_s(instruction), 1u << funct3, value);
}

static bool branch_taken(struct gcp_cpu *cpu, uint32_t instruction, uint32_t a, uint32_t b, bool *taken)
{
	switch (instruction >> 12 & 7) {
	case 0:
		*taken = a == b;
		return true;
	case 1:
		*taken = a != b;
		return true;
	case 4:
		*taken = (int32_t)a < (int32_t)b;
		return true;
	case 5:
		*taken = (int32_t)a >= (int32_t)b;
		return true;
	case 6:
		*taken = a < b;
		return true;
	case 7:
		*taken = a >= b;
		return true;
	default:
		return illegal(cpu, instruction);
	}
}

/* ECALL, EBREAK, MRET, WFI and the CSR instructions. */
static bool execute_system(struct gcp_cpu *cpu, uint32_t instruction, uint32_t *next, uint32_t *result, bool *sleep)
{
	if (instruction >> 12 & 3)
		return execute_csr(cpu, instruction, result);
	switch (instruction) {
	case 0x00000073:
		return raise_exception(cpu, GCP_CAUSE_ECALL, 0);
	case 0x00100073:
		return raise_exception(cpu, GCP_CAUSE_BREAKPOINT, cpu->pc);
	case 0x30200073: /* mret */
		*next = cpu->mepc;
		cpu->mstatus = MSTATUS_MPIE | (cpu->mstatus & MSTATUS_MPIE ? MSTATUS_MIE : 0);
		cpu->in_trap = false;
		return true;
	case 0x10500073: /* wfi: wakes by what is enabled in mie, whatever mstatus.MIE says */
		*sleep = !(cpu->external_pending && cpu->mie & MIE_MEIE);
		cpu->wfi_instret = cpu->instret;
		return true;
	default:
		return illegal(cpu, instruction);
	}
}

static bool execute(struct gcp_cpu *cpu, uint32_t instruction, unsigned length, bool *sleep)
{
	unsigned rd = instruction >> 7 & 31;
	uint32_t a = cpu->x[instruction >> 15 & 31], b = cpu->x[instruction >> 20 & 31];
	uint32_t next = cpu->pc + length, result = 0;
	bool taken = false, writes = true;

	switch (instruction & 0x7f) {
	case 0x37: /* lui */
		result = instruction & 0xfffff000;
		break;
	case 0x17: /* auipc */
		result = cpu->pc + (instruction & 0xfffff000);
		break;
	case 0x6f: /* jal */
		result = next;
		next = cpu->pc + imm_j(instruction);
		break;
	case 0x67: /* jalr */
		if (instruction >> 12 & 7)
			return illegal(cpu, instruction);
		result = next;
		next = (a + imm_i(instruction)) & ~1u;
		break;
	case 0x63:
		if (!branch_taken(cpu, instruction, a, b, &taken))
			return false;
		if (taken)
			next = cpu->pc + imm_b(instruction);
		writes = false;
		break;
	case 0x03:
		if (!execute_load(cpu, instruction, a, &result))
			return false;
		break;
	case 0x23:
		if (!execute_store(cpu, instruction, a, b))
			return false;
		writes = false;
		break;
	case 0x13:
		if (!execute_immediate(cpu, instruction, a, &result))
			return false;
		break;
	case 0x33:
		if (!execute_register(cpu, instruction, a, b, &result))
			return false;
		break;
	case 0x0f: /* fence, fence.i: loads and stores are ordered already, nothing caches instructions */
		if ((instruction >> 12 & 7) > 1)
			return illegal(cpu, instruction);
		writes = false;
		break;
	case 0x73:
		if (!execute_system(cpu, instruction, &next, &result, sleep))
			return false;
		writes = (instruction >> 12 & 3) != 0;
		break;
	default:
		return illegal(cpu, instruction);
	}
	if (writes && rd)
		cpu->x[rd] = result;
	cpu->pc = next;
	cpu->instret++;
	return true;
}

/* Instructions come from SRAM only. */
static bool fetch(struct gcp_cpu *cpu, uint32_t *instruction, unsigned *length)
{
	uint32_t offset = cpu->pc - cpu->sram_base;
	uint16_t low, high;

	if (offset > cpu->sram_size - 2)
		return raise_exception(cpu, GCP_CAUSE_FETCH_FAULT, cpu->pc);
	memcpy(&low, cpu->sram + offset, 2);
	if ((low & 3) != 3) {
		*length = 2;
		*instruction = cpu->expansions[low];
		return *instruction || illegal(cpu, low);
	}
	if (offset > cpu->sram_size - 4)
		return raise_exception(cpu, GCP_CAUSE_FETCH_FAULT, cpu->pc);
	memcpy(&high, cpu->sram + offset + 2, 2);
	*length = 4;
	*instruction = (uint32_t)high << 16 | low;
	return true;
}

enum gcp_stop gcp_cpu_run(struct gcp_cpu *cpu, uint64_t max_instructions)
{
	uint32_t instruction = 0;
	unsigned length = 0;
	bool sleep = false;

	cpu->stop_request = false;
	for (uint64_t n = 0; n < max_instructions; n++) {
		if (cpu->panicked)
			return GCP_STOP_PANIC;
		if (cpu->external_pending && cpu->mie & MIE_MEIE && cpu->mstatus & MSTATUS_MIE)
			enter_trap(cpu, GCP_CAUSE_EXTERNAL_INTERRUPT, 0);
		if (!fetch(cpu, &instruction, &length) || !execute(cpu, instruction, length, &sleep))
			continue; /* trapped: go on in the handler, or stop above */
		if (sleep)
			return GCP_STOP_WFI;
		if (cpu->stop_request)
			return cpu->panicked ? GCP_STOP_PANIC : GCP_STOP_REQUEST;
	}
	return cpu->panicked ? GCP_STOP_PANIC : GCP_STOP_BUDGET;
}
