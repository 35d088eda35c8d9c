/* SPDX-License-Identifier: MIT */
/* Every compiled shader of hlsl/, by name. */
#ifndef D3DGPU_TESTS_SHADER_BLOBS_H
#define D3DGPU_TESTS_SHADER_BLOBS_H

#include <stddef.h>
#include <stdint.h>

struct blob {
	const char *name;
	const uint32_t *code;
	size_t size;			/* bytes */
};

extern const struct blob blobs[];
extern const unsigned blob_count;

#endif
