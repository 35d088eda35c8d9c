/* SPDX-License-Identifier: MIT */
/*
 * Test vectors on the engine: a shader pair is compiled, vector i is drawn as point i, and its result is texel i.
 * The vertex shader's input 0 is the position; inputs 1..3 are the operands a, b, c.
 */
#ifndef D3DGPU_TESTS_VECTORS_H
#define D3DGPU_TESTS_VECTORS_H

#include "shader.h"
#include "virgl_run.h"

#define VECTOR_COUNT 8

/* Operands a, b, c of each vector. */
extern const float vectors[VECTOR_COUNT][3][4];

struct vector_run {
	const void *vertex, *pixel, *geometry;	/* bytecode; geometry may be NULL */
	size_t vertex_size, pixel_size, geometry_size;
	struct shader_key vertex_key, pixel_key, geometry_key;	/* linkages are filled in */
	const float (*constants)[4];	/* float registers (SM1-3) or constant buffer 0, for both stages */
	uint32_t constant_count;
	const int32_t (*integers)[4];	/* i0.. */
	uint32_t integer_count;
	uint32_t booleans;		/* bit n = b n */
	float system[SHADER_SYS_COUNT][4];
	bool integer_target;
	uint32_t columns[4];		/* what input i is: 0 position, 1..3 = a, b, c */
	struct virgl_run run;		/* textures and the like may be set; results are here */
};

/* Returns 0; on failure the reason is printed as a TAP diagnostic. */
int vector_run(struct vector_run *v);

static inline float texel_float(const struct virgl_run *run, unsigned texel, unsigned component)
{
	union {
		uint32_t bits;
		float value;
	} texel_bits = {.bits = run->texels[texel][component]};

	return texel_bits.value;
}

#endif
