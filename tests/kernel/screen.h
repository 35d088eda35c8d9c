/* SPDX-License-Identifier: MIT */
/* What the host sees on a head: who runs the guest (scripts/vm) takes a screen dump and compares it. */
#ifndef TESTS_KERNEL_SCREEN_H
#define TESTS_KERNEL_SCREEN_H

#include <stdint.h>

/* CRC-32 of pixels as a screen dump has them: three bytes each, red, green, blue. */
uint32_t screen_checksum(uint32_t width, uint32_t height, const uint32_t *pixels);

/* A check: the screen dump of a head has these pixels (0x00RRGGBB). The picture is kept under the name. */
void screen_check(const char *name, unsigned head, uint32_t width, uint32_t height, const uint32_t *pixels, const char *what);

#endif
