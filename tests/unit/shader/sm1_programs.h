/* SPDX-License-Identifier: MIT */
/*
 * SM1-3 programs on the engine. Vertex shaders get position, a, b, c in v0..v3; pixel shaders get a, b, c in v0..v2
 * (SM3) or t0..t2. A program computes r0; the helpers add what surrounds it.
 */
#ifndef D3DGPU_TESTS_SM1_PROGRAMS_H
#define D3DGPU_TESTS_SM1_PROGRAMS_H

#include <math.h>

#include "sm1_asm.h"
#include "vectors.h"

#define TEMP(n) SM1_REG_TEMP, n
#define INPUT(n) SM1_REG_INPUT, n
#define CONST(n) SM1_REG_CONST, n
#define TEXTURE(n) SM1_REG_TEXTURE, n

/* The value of r0 for operands v; components that are NAN are not compared. */
typedef void reference_fn(const float (*v)[4], float *out);

/* Declarations, and moves of what the program does not compute itself. */
void begin_vertex(struct sm1_asm *a, uint32_t version);
void end_vertex(struct sm1_asm *a);
void begin_pixel(struct sm1_asm *a, uint32_t version);
void end_pixel(struct sm1_asm *a);
/* The operands as they come, and operand a as the colour. */
void pass_vertex(struct sm1_asm *a, uint32_t version);
void show_pixel(struct sm1_asm *a, uint32_t version);

int run(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel);
bool matches(const struct virgl_run *run, unsigned texel, const float *want, float tolerance);
/* One TAP test: every vector against its reference. The open program is ended. */
void expect(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel, reference_fn *reference,
	    const char *name);
void expect_vertex(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name);
void expect_pixel(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name);

static inline float saturate(float value)
{
	return fmaxf(0, fminf(1, value));
}

static inline float dot(const float *a, const float *b, unsigned count)
{
	float sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

#endif
