/* SPDX-License-Identifier: MIT */
/* What the screen should have: a test's own model of the display engine. */
#ifndef TESTS_KERNEL_MODEL_H
#define TESTS_KERNEL_MODEL_H

#include <stdint.h>

#include "display.h"

/* The program gives it its size and memory. */
extern struct model {
	uint32_t width, height;
	uint32_t *pixels;		/* 0x00RRGGBB */
} model;

uint32_t *model_pixel(uint32_t x, uint32_t y);
/* A picture of the screen's size is all that is shown. */
void model_copy(const struct picture *picture);

#endif
