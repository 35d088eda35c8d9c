/* SPDX-License-Identifier: MIT */
/* A context that has work for minutes: for tests of what happens to those who wait for it. */
#ifndef TESTS_KERNEL_BUSY_H
#define TESTS_KERNEL_BUSY_H

#include "gpu.h"

struct busy {
	uint32_t ctx;
	struct gpu_bo texture, buffer, commands;
};

/* Has a stream copy into a texture of this size, which must be at least 1024x512. Signals a syncobj in the end, if it is not 0. */
struct busy busy_begin(int fd, uint32_t width, uint32_t height, uint32_t syncobj);
/* Gives back all that it has, whether or not it is done. */
void busy_end(int fd, struct busy *busy);

#endif
