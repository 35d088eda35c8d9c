/* SPDX-License-Identifier: MIT */
/*
 * The firmware core (GCP) as its program sees it: an RV32IMC hart, machine mode only, little-endian.
 *
 *   0x40000000  4 KiB     peripherals (registers below, 32-bit accesses)
 *   0x60000000  512 KiB   the control block (d3dgpu_ctrl.h)
 *   0x80000000  512 KiB   SRAM: image from the start, stack from the end downwards
 *
 * Any other access, and misaligned ones, trap. The hart sleeps in WFI until a bit of INT_PENDING that is also in
 * INT_ENABLE is set (machine external interrupt). It starts at the header's entry point with sp undefined.
 */
#ifndef D3DGPU_GCP_H
#define D3DGPU_GCP_H

#include "d3dgpu_types.h"

#define D3DGPU_GCP_PERIPHERALS 0x40000000u
#define D3DGPU_GCP_CTRL 0x60000000u
#define D3DGPU_GCP_SRAM 0x80000000u
#define D3DGPU_GCP_SRAM_SIZE 0x80000u

#define D3DGPU_GCP_INT_PENDING 0x00	/* R: D3DGPU_GCP_INT_* */
#define D3DGPU_GCP_INT_ENABLE 0x04	/* RW */
#define D3DGPU_GCP_INT_ACK 0x08		/* W: 1 clears */
#define D3DGPU_GCP_DOORBELLS 0x0c	/* R: rings whose doorbell rang since the last read; reading clears them */
#define D3DGPU_GCP_TIME_LO 0x10		/* R: nanoseconds; reading LO latches HI */
#define D3DGPU_GCP_TIME_HI 0x14
#define D3DGPU_GCP_ALARM_LO 0x18	/* RW: INT_ALARM becomes pending when time >= alarm; writing HI arms, ~0 disarms */
#define D3DGPU_GCP_ALARM_HI 0x1c
#define D3DGPU_GCP_DISPATCH 0x20	/* W: SRAM address of a struct d3dgpu_entry: hand it to its engine */
#define D3DGPU_GCP_DISPATCH_STATUS 0x24	/* R: enum d3dgpu_fault of the last dispatch: 0 = accepted, one event will follow */
#define D3DGPU_GCP_EVENT_POP 0x28	/* W: SRAM address that takes a struct d3dgpu_engine_event */
#define D3DGPU_GCP_EVENT_COUNT 0x2c	/* R: events waiting */
#define D3DGPU_GCP_RAISE 0x30		/* W: enum d3dgpu_vector: raise this interrupt towards the host */
#define D3DGPU_GCP_SET_READY 0x34	/* W: version: the firmware serves rings from now on */
#define D3DGPU_GCP_PANIC_CODE 0x38	/* W: stop with this code (not 0) */
#define D3DGPU_GCP_HANG_TIMEOUT 0x3c	/* R: D3DGPU_REG_HANG_TIMEOUT, milliseconds */
#define D3DGPU_GCP_ENGINES 0x40		/* R: D3DGPU_REG_ENGINES */
#define D3DGPU_GCP_TURN_BUDGET 0x44	/* R: D3DGPU_REG_TURN_BUDGET, microseconds */

#define D3DGPU_GCP_INT_DOORBELL (1u << 0)
#define D3DGPU_GCP_INT_EVENT (1u << 1)
#define D3DGPU_GCP_INT_ALARM (1u << 2)

/* Panic codes: the firmware's own are below 0x100; the core's: */
#define D3DGPU_GCP_PANIC_TRAP 0x100u	/* + mcause: trap with no handler (mtvec 0), or in the handler */
#define D3DGPU_GCP_PANIC_WATCHDOG 0x200u /* ran for too many instructions without sleeping */

/* How the 3D and copy engines report. Exactly one per accepted dispatch, in dispatch order within a context; CONTEXT_LOST
 * comes on its own, once, after which nothing more comes for that context until it is created anew. */
enum d3dgpu_event_type {
	D3DGPU_EVENT_DONE = 1,
	D3DGPU_EVENT_CONTEXT_LOST = 2,
};

struct d3dgpu_engine_event {
	uint32_t type;			/* enum d3dgpu_event_type */
	uint32_t context;
	uint64_t fence;			/* of the entry */
	uint32_t status;		/* enum d3dgpu_fault */
	uint32_t info;			/* detail for logs */
	uint32_t opcode;		/* of the entry */
	uint32_t reserved;
};
D3DGPU_ASSERT_SIZE(struct d3dgpu_engine_event, 32);

/* The firmware file: this header, then `size` bytes that are copied to the start of SRAM. */
#define D3DGPU_FW_MAGIC 0x57463344u	/* "D3FW" */
#define D3DGPU_FW_FILE "d3dgpu/gcp.bin"	/* below /lib/firmware */

struct d3dgpu_fw_header {
	uint32_t magic;
	uint32_t header_size;		/* bytes: sizeof(struct d3dgpu_fw_header) */
	uint32_t interface_version;	/* D3DGPU_VERSION; the major part must equal the device's, the minor not exceed it */
	uint32_t fw_version;		/* major << 16 | minor << 8 | patch */
	uint32_t size;			/* bytes of the image behind the header, multiple of 4 */
	uint32_t entry;			/* address in SRAM */
	uint32_t bss_size;		/* bytes after the image that must be free */
	uint32_t reserved;		/* 0 */
	uint8_t sha256[32];		/* of the image */
};
D3DGPU_ASSERT_SIZE(struct d3dgpu_fw_header, 64);

#endif
