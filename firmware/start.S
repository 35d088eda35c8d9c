/* SPDX-License-Identifier: MIT */
/* Entry point: stack, zeroed bss, trap vector, then firmware_main(). A trap is a bug: the panic code is its cause. */
	.section .text.start, "ax"
	.globl _start
_start:
	la	sp, __stack_top
	la	t0, trap
	csrw	mtvec, t0
	la	t0, __bss_start
	la	t1, __bss_end
1:	bgeu	t0, t1, 2f
	sw	zero, 0(t0)
	addi	t0, t0, 4
	j	1b
2:	li	t0, 0x800		/* mie.MEIE: interrupts wake WFI; mstatus.MIE stays 0, nothing is taken */
	csrw	mie, t0
	call	firmware_main
	j	.

	.balign 4
trap:
	csrr	a0, mcause
	csrr	a1, mepc
	csrr	a2, mtval
	call	firmware_trap
	j	.
