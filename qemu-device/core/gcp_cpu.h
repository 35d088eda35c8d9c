/* SPDX-License-Identifier: MIT */
/*
 * The firmware core's hart: an RV32IMC interpreter, machine mode only, with Zicsr and Zifencei. It knows memory and the
 * bus, nothing of the GPU; gcp.c is what surrounds it.
 *
 * One thread at a time. No state outside struct gcp_cpu.
 */
#ifndef D3DGPU_GCP_CPU_H
#define D3DGPU_GCP_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* What is not SRAM or control block. size is 1, 2 or 4, the address aligned to it. false = access fault. */
struct gcp_bus {
	void *opaque;
	bool (*load)(void *opaque, uint32_t address, unsigned size, uint32_t *value);
	bool (*store)(void *opaque, uint32_t address, unsigned size, uint32_t value);
};

enum gcp_stop {
	GCP_STOP_WFI,			/* asleep: nothing pending */
	GCP_STOP_BUDGET,		/* ran for all the instructions it was given */
	GCP_STOP_PANIC,			/* dead: panic_code; runs no more until reset */
	GCP_STOP_REQUEST,		/* a bus access asked for it (stop_request) */
};

/* Exception causes (mcause) */
enum gcp_cause {
	GCP_CAUSE_FETCH_FAULT = 1,
	GCP_CAUSE_ILLEGAL = 2,
	GCP_CAUSE_BREAKPOINT = 3,
	GCP_CAUSE_LOAD_MISALIGNED = 4,
	GCP_CAUSE_LOAD_FAULT = 5,
	GCP_CAUSE_STORE_MISALIGNED = 6,
	GCP_CAUSE_STORE_FAULT = 7,
	GCP_CAUSE_ECALL = 11,
};
#define GCP_CAUSE_EXTERNAL_INTERRUPT 0x8000000bu

struct gcp_cpu {
	/* registers */
	uint32_t x[32];			/* x[0] is always 0 */
	uint32_t pc;
	uint64_t instret;
	uint64_t wfi_instret;		/* instret at the last WFI, sleeping or not: what a watchdog measures from */
	/* control and status registers */
	uint32_t mstatus, mie, mtvec, mscratch, mepc, mcause, mtval;
	bool external_pending;		/* mip.MEIP: a bit of INT_PENDING & INT_ENABLE is set */
	bool in_trap;			/* between a trap and its mret: another exception is fatal */
	/* why it stopped */
	bool stop_request;		/* set by a bus access: stop after this instruction */
	bool panicked;
	uint32_t panic_code;
	/* memory; set once by the owner */
	uint8_t *sram;
	uint32_t sram_base, sram_size;
	uint8_t *ctrl;			/* NULL = absent: accesses fault */
	uint32_t ctrl_base, ctrl_size;
	struct gcp_bus bus;
	const uint32_t *expansions;	/* gcp_expansions(), set by reset */
};

/* Registers and CSRs to their reset values; memory pointers and bus stay. */
void gcp_cpu_reset(struct gcp_cpu *cpu, uint32_t pc);
/* Level of the external interrupt line. */
void gcp_cpu_set_interrupt(struct gcp_cpu *cpu, bool pending);
/* Runs until something stops it, for max_instructions at most. */
enum gcp_stop gcp_cpu_run(struct gcp_cpu *cpu, uint64_t max_instructions);
/* Stops for good with this code. */
void gcp_cpu_panic(struct gcp_cpu *cpu, uint32_t code);

/* The 32-bit instruction that a compressed one stands for; 0 (which is illegal) when there is none. */
uint32_t gcp_expand(uint16_t instruction);
/* The same for all 65536, made at the first call: what the hart fetches through. */
const uint32_t *gcp_expansions(void);

#endif
