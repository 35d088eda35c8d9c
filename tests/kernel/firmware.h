/* SPDX-License-Identifier: MIT */
/*
 * Firmware that does not do its work, and how to give it to the device behind the driver's back. Mapping the registers needs
 * "iomem=relaxed" on the kernel's command line.
 */
#ifndef TESTS_KERNEL_FIRMWARE_H
#define TESTS_KERNEL_FIRMWARE_H

#include <stdbool.h>
#include <stdint.h>

/* A firmware of a few instructions, with its SHA-256. */
struct firmware {
	const char *does;
	const char *reason;		/* in the driver's words */
	uint32_t state;			/* enum d3dgpu_gcp_state: what the device then says */
	uint32_t code[5], words;
	uint8_t sha256[32];
};

extern const struct firmware firmware_dies, firmware_idles;

/* Boots it. False: the kernel does not let programs map registers. */
bool firmware_boot(const struct firmware *firmware);

#endif
