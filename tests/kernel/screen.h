/* SPDX-License-Identifier: MIT */
/* What the host sees on a head: who runs the guest (scripts/vm) takes a screen dump and compares it. */
#ifndef TESTS_KERNEL_SCREEN_H
#define TESTS_KERNEL_SCREEN_H

#include <stdint.h>

/* A check: the screen dump of a head has these pixels (0x00RRGGBB). The picture is kept under the name. */
void screen_check(const char *name, unsigned head, uint32_t width, uint32_t height, const uint32_t *pixels, const char *what);

#endif
