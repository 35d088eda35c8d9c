/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "sm1_programs.h"
#include "tap.h"

/* Vertex shaders: a program computes r0 from v1..v3 (a, b, c), which the pixel shader shows. */

void begin_vertex(struct sm1_asm *a, uint32_t version)
{
	asm_begin(a, version);
	asm_dcl(a, SM1_USAGE_POSITION, 0, D(INPUT(0), 15));
	for (uint32_t i = 0; i < 3; i++)
		asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(INPUT(1 + i), 15));
	if ((version & 0xffff) < 0x300) {
		asm_op(a, SM1_MOV, 2, D(SM1_REG_RASTOUT, 0, 15), S(INPUT(0), XYZW));
		for (uint32_t i = 1; i < 3; i++)
			asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, i, 15), S(INPUT(1 + i), XYZW));
		return;
	}
	asm_dcl(a, SM1_USAGE_POSITION, 0, D(SM1_REG_OUTPUT, 0, 15));
	for (uint32_t i = 0; i < 3; i++)
		asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(SM1_REG_OUTPUT, 1 + i, 15));
	asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 0, 15), S(INPUT(0), XYZW));
	for (uint32_t i = 1; i < 3; i++)
		asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 1 + i, 15), S(INPUT(1 + i), XYZW));
}

void end_vertex(struct sm1_asm *a)
{
	uint32_t output = (a->version & 0xffff) < 0x300 ? 0 : 1;

	asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, output, 15), S(TEMP(0), XYZW));
	asm_end(a);
}

/* The operands as they come. */
void pass_vertex(struct sm1_asm *a, uint32_t version)
{
	begin_vertex(a, version);
	asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
	end_vertex(a);
}

/* Pixel shaders: ps_3_0 has a, b, c in v0..v2, ps_2_0 in t0..t2; the result is r0. */

void begin_pixel(struct sm1_asm *a, uint32_t version)
{
	asm_begin(a, version);
	for (uint32_t i = 0; i < 3; i++) {
		if ((version & 0xffff) >= 0x300)
			asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(INPUT(i), 15));
		else if ((version & 0xffff) >= 0x200)
			asm_dcl(a, 0, 0, D(TEXTURE(i), 15));
	}
}

void end_pixel(struct sm1_asm *a)
{
	if ((a->version & 0xffff) >= 0x200)
		asm_op(a, SM1_MOV, 2, D(SM1_REG_COLOROUT, 0, 15), S(TEMP(0), XYZW));
	asm_end(a);
}

void show_pixel(struct sm1_asm *a, uint32_t version)
{
	begin_pixel(a, version);
	if ((version & 0xffff) >= 0x300)
		asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(0), XYZW));
	else
		asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	end_pixel(a);
}

int run(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel)
{
	v->vertex = vertex->words;
	v->vertex_size = 4 * vertex->count;
	v->pixel = pixel->words;
	v->pixel_size = 4 * pixel->count;
	return vector_run(v);
}

bool matches(const struct virgl_run *run, unsigned texel, const float *want, float tolerance)
{
	bool good = true;

	for (unsigned c = 0; c < 4; c++) {
		float got = texel_float(run, texel, c);

		if (isnan(want[c]) || fabsf(got - want[c]) <= tolerance * fmaxf(1, fabsf(want[c])))
			continue;
		tap_diag("texel %u component %u: got %g, want %g", texel, c, (double)got, (double)want[c]);
		good = false;
	}
	return good;
}

void expect(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel,
		   reference_fn *reference, const char *name)
{
	bool good = !run(v, vertex, pixel);

	for (unsigned i = 0; good && i < VECTOR_COUNT; i++) {
		float want[4];

		reference(vectors[i], want);
		good &= matches(&v->run, i, want, 1e-4f);
	}
	tap_ok(good, "%s", name);
}

void expect_vertex(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name)
{
	bool sm3 = (a->version & 0xffff) >= 0x300;
	struct sm1_asm pixel;

	end_vertex(a);
	show_pixel(&pixel, sm3 ? PS(3, 0) : PS(2, 0));
	expect(v, a, &pixel, reference, name);
}

void expect_pixel(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name)
{
	bool sm3 = (a->version & 0xffff) >= 0x300;
	struct sm1_asm vertex;

	end_pixel(a);
	pass_vertex(&vertex, sm3 ? VS(3, 0) : VS(2, 0));
	expect(v, &vertex, a, reference, name);
}
