/* SPDX-License-Identifier: MIT */
/* The entry point of a fuzz target, as libFuzzer calls it. */
#ifndef D3DGPU_TESTS_FUZZ_H
#define D3DGPU_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
