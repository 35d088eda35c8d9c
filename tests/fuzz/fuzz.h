/* SPDX-License-Identifier: MIT */
/* What every fuzz target shares: its entry point as libFuzzer calls it, the input as a tape, and what to do when a
 * promise breaks. */
#ifndef D3DGPU_TESTS_FUZZ_H
#define D3DGPU_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that the documents make. abort() is what libFuzzer and the replayer take for a finding. */
#define fuzz_check(promise, ...)                                                                                       \
	do {                                                                                                           \
		if (!(promise)) {                                                                                      \
			fprintf(stderr, "%s:%d: broken promise: ", __FILE__, __LINE__);                                \
			fprintf(stderr, __VA_ARGS__);                                                                  \
			fputc('\n', stderr);                                                                           \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* The input is read like a tape; behind its end there are zeros. */
struct fuzz_tape {
	const uint8_t *at;
	size_t left;
};

static inline void fuzz_take(struct fuzz_tape *tape, void *to, size_t size)
{
	size_t there = size < tape->left ? size : tape->left;

	memset(to, 0, size);
	if (there)
		memcpy(to, tape->at, there);
	tape->at += there;
	tape->left -= there;
}

static inline uint8_t fuzz_take8(struct fuzz_tape *tape)
{
	uint8_t value;

	fuzz_take(tape, &value, sizeof(value));
	return value;
}

static inline uint16_t fuzz_take16(struct fuzz_tape *tape)
{
	uint16_t value;

	fuzz_take(tape, &value, sizeof(value));
	return value;
}

static inline uint32_t fuzz_take32(struct fuzz_tape *tape)
{
	uint32_t value;

	fuzz_take(tape, &value, sizeof(value));
	return value;
}

static inline uint64_t fuzz_take64(struct fuzz_tape *tape)
{
	uint64_t value;

	fuzz_take(tape, &value, sizeof(value));
	return value;
}

#endif
