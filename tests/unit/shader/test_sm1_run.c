/* SPDX-License-Identifier: MIT */
/* SM1-3 instructions on the engine, in both stages, against their definitions in C. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "sm1_asm.h"
#include "tap.h"
#include "vectors.h"

typedef void reference_fn(const float (*v)[4], float *out);

/* What a vector's component is expected to be; NAN = not defined, not compared. */
struct instruction_case {
	const char *name;
	uint32_t opcode;
	unsigned sources;
	uint32_t swizzle;		/* of all sources */
	uint32_t mask;			/* components that the instruction may write */
	reference_fn *reference;
	float tolerance;		/* relative, absolute below 1 */
};

#define A(i) v[0][i]
#define B(i) v[1][i]
#define C(i) v[2][i]
#define EACH(name, expression) \
	static void name(const float (*v)[4], float *out) \
	{ \
		for (unsigned i = 0; i < 4; i++) \
			out[i] = (expression); \
	}

static float dot(const float *a, const float *b, unsigned count)
{
	float sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

static float bounded(float value)
{
	return fmaxf(-FLT_MAX, fminf(FLT_MAX, value));
}

EACH(ref_mov, A(i))
EACH(ref_add, A(i) + B(i))
EACH(ref_sub, A(i) - B(i))
EACH(ref_mul, A(i) * B(i))
EACH(ref_mad, A(i) * B(i) + C(i))
EACH(ref_min, fminf(A(i), B(i)))
EACH(ref_max, fmaxf(A(i), B(i)))
EACH(ref_slt, A(i) < B(i) ? 1 : 0)
EACH(ref_sge, A(i) >= B(i) ? 1 : 0)
EACH(ref_frc, A(i) - floorf(A(i)))
EACH(ref_abs, fabsf(A(i)))
EACH(ref_lrp, A(i) * (B(i) - C(i)) + C(i))
EACH(ref_cmp, A(i) >= 0 ? B(i) : C(i))
EACH(ref_sgn, (A(i) > 0) - (A(i) < 0))
EACH(ref_dp3, dot(v[0], v[1], 3) + 0 * (float)i)
EACH(ref_dp4, dot(v[0], v[1], 4) + 0 * (float)i)
EACH(ref_dp2add, dot(v[0], v[1], 2) + C(0) + 0 * (float)i)
EACH(ref_rcp, bounded(1 / A(1)) + 0 * (float)i)
EACH(ref_rsq, bounded(1 / sqrtf(fabsf(A(1)))) + 0 * (float)i)
EACH(ref_exp, exp2f(A(1)) + 0 * (float)i)
EACH(ref_log, fmaxf(-FLT_MAX, log2f(fabsf(A(1)))) + 0 * (float)i)
EACH(ref_pow, powf(fabsf(A(1)), B(1)) + 0 * (float)i)

static void ref_nrm(const float (*v)[4], float *out)
{
	float length = sqrtf(dot(v[0], v[0], 3));

	for (unsigned i = 0; i < 4; i++)
		out[i] = length > 0 ? v[0][i] / length : 0;
}

static void ref_crs(const float (*v)[4], float *out)
{
	out[0] = A(1) * B(2) - A(2) * B(1);
	out[1] = A(2) * B(0) - A(0) * B(2);
	out[2] = A(0) * B(1) - A(1) * B(0);
	out[3] = NAN;
}

static void ref_dst(const float (*v)[4], float *out)
{
	out[0] = 1;
	out[1] = A(1) * B(1);
	out[2] = A(2);
	out[3] = B(3);
}

static void ref_lit(const float (*v)[4], float *out)
{
	float power = fmaxf(-127.9961f, fminf(127.9961f, A(3)));

	out[0] = out[3] = 1;
	out[1] = fmaxf(A(0), 0);
	out[2] = A(0) > 0 && A(1) > 0 ? powf(A(1), power) : 0;
}

static void ref_sincos(const float (*v)[4], float *out)
{
	out[0] = cosf(A(1));
	out[1] = sinf(A(1));
	out[2] = out[3] = NAN;
}

static const struct instruction_case both_stages[] = {
	{"mov", SM1_MOV, 1, XYZW, 15, ref_mov, 0},
	{"add", SM1_ADD, 2, XYZW, 15, ref_add, 1e-6f},
	{"sub", SM1_SUB, 2, XYZW, 15, ref_sub, 1e-6f},
	{"mul", SM1_MUL, 2, XYZW, 15, ref_mul, 1e-6f},
	{"mad", SM1_MAD, 3, XYZW, 15, ref_mad, 1e-6f},
	{"min", SM1_MIN, 2, XYZW, 15, ref_min, 0},
	{"max", SM1_MAX, 2, XYZW, 15, ref_max, 0},
	{"dp3", SM1_DP3, 2, XYZW, 15, ref_dp3, 1e-5f},
	{"dp4", SM1_DP4, 2, XYZW, 15, ref_dp4, 1e-5f},
	{"frc", SM1_FRC, 1, XYZW, 15, ref_frc, 1e-5f},
	{"abs", SM1_ABS, 1, XYZW, 15, ref_abs, 0},
	{"lrp", SM1_LRP, 3, XYZW, 15, ref_lrp, 1e-5f},
	{"rcp", SM1_RCP, 1, REPLICATE(1), 15, ref_rcp, 1e-5f},
	{"rsq", SM1_RSQ, 1, REPLICATE(1), 15, ref_rsq, 1e-4f},
	{"exp", SM1_EXP, 1, REPLICATE(1), 15, ref_exp, 1e-4f},
	{"log", SM1_LOG, 1, REPLICATE(1), 15, ref_log, 1e-4f},
	{"pow", SM1_POW, 2, REPLICATE(1), 15, ref_pow, 1e-3f},
	{"nrm", SM1_NRM, 1, XYZW, 15, ref_nrm, 1e-4f},
	{"crs", SM1_CRS, 2, XYZW, 7, ref_crs, 1e-5f},
	{"sincos", SM1_SINCOS, 1, REPLICATE(1), 3, ref_sincos, 1e-3f},
};

static const struct instruction_case vertex_only[] = {
	{"slt", SM1_SLT, 2, XYZW, 15, ref_slt, 0},
	{"sge", SM1_SGE, 2, XYZW, 15, ref_sge, 0},
	{"dst", SM1_DST, 2, XYZW, 15, ref_dst, 1e-6f},
	{"lit", SM1_LIT, 1, XYZW, 15, ref_lit, 1e-3f},
	{"sgn", SM1_SGN, 1, XYZW, 15, ref_sgn, 0},
};

static const struct instruction_case pixel_only[] = {
	{"cmp", SM1_CMP, 3, XYZW, 15, ref_cmp, 0},
	{"dp2add", SM1_DP2ADD, 3, XYZW, 15, ref_dp2add, 1e-5f},
};

static bool is_near(float got, float want, float tolerance)
{
	if (isnan(want) || got == want)
		return true;
	if (fabsf(want) >= FLT_MAX && fabsf(got) >= FLT_MAX * 0.999f)
		return (got > 0) == (want > 0);
	return fabsf(got - want) <= tolerance * fmaxf(1, fabsf(want));
}

static bool compare(const struct virgl_run *run, reference_fn *reference, float tolerance, const char *name)
{
	bool good = true;

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		float want[4];

		reference(vectors[i], want);
		for (unsigned c = 0; c < 4; c++) {
			float got = texel_float(run, i, c);

			if (is_near(got, want[c], tolerance))
				continue;
			tap_diag("%s: vector %u component %u: got %.9g, want %.9g", name, i, c, (double)got,
				 (double)want[c]);
			good = false;
		}
	}
	return good;
}

/* vs_3_0: o0 = position, o1..o3 = operands. Left open for more instructions. */
static void begin_vertex(struct sm1_asm *a)
{
	asm_begin(a, VS(3, 0));
	asm_dcl(a, SM1_USAGE_POSITION, 0, D(SM1_REG_INPUT, 0, 15));
	for (uint32_t i = 0; i < 3; i++)
		asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(SM1_REG_INPUT, 1 + i, 15));
	asm_dcl(a, SM1_USAGE_POSITION, 0, D(SM1_REG_OUTPUT, 0, 15));
	for (uint32_t i = 0; i < 3; i++)
		asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(SM1_REG_OUTPUT, 1 + i, 15));
	asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 0, 15), S(SM1_REG_INPUT, 0, XYZW));
	for (uint32_t i = 1; i < 3; i++)
		asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 1 + i, 15), S(SM1_REG_INPUT, 1 + i, XYZW));
}

static void pass_vertex(struct sm1_asm *a)
{
	begin_vertex(a);
	asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 1, 15), S(SM1_REG_INPUT, 1, XYZW));
	asm_end(a);
}

static void begin_pixel(struct sm1_asm *a)
{
	asm_begin(a, PS(3, 0));
	for (uint32_t i = 0; i < 3; i++)
		asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(SM1_REG_INPUT, i, 15));
}

static void end_pixel(struct sm1_asm *a)
{
	asm_op(a, SM1_MOV, 2, D(SM1_REG_COLOROUT, 0, 15), S(SM1_REG_TEMP, 0, XYZW));
	asm_end(a);
}

/* ps_3_0 that shows operand a. */
static void pass_pixel(struct sm1_asm *a)
{
	begin_pixel(a);
	asm_op(a, SM1_MOV, 2, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_INPUT, 0, XYZW));
	end_pixel(a);
}

/* r0 = instruction(v[first]...) */
static void add_instruction(struct sm1_asm *a, const struct instruction_case *test, uint32_t first)
{
	asm_word(a, test->opcode | (1 + test->sources) << 24);
	asm_word(a, D(SM1_REG_TEMP, 0, test->mask));
	for (uint32_t i = 0; i < test->sources; i++)
		asm_word(a, S(SM1_REG_INPUT, first + i, test->swizzle));
}

static int run_pair(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel)
{
	v->vertex = vertex->words;
	v->vertex_size = 4 * vertex->count;
	v->pixel = pixel->words;
	v->pixel_size = 4 * pixel->count;
	return vector_run(v);
}

static void test_in_vertex(const struct instruction_case *test)
{
	struct sm1_asm vertex, pixel;
	struct vector_run v = {0};

	begin_vertex(&vertex);
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_INPUT, 1, XYZW));
	add_instruction(&vertex, test, 1);
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_OUTPUT, 1, 15), S(SM1_REG_TEMP, 0, XYZW));
	asm_end(&vertex);
	pass_pixel(&pixel);
	tap_ok(!run_pair(&v, &vertex, &pixel) && compare(&v.run, test->reference, test->tolerance, test->name),
	       "vertex shader: %s", test->name);
}

static void test_in_pixel(const struct instruction_case *test)
{
	struct sm1_asm vertex, pixel;
	struct vector_run v = {0};

	pass_vertex(&vertex);
	begin_pixel(&pixel);
	asm_op(&pixel, SM1_MOV, 2, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_INPUT, 0, XYZW));
	add_instruction(&pixel, test, 0);
	end_pixel(&pixel);
	tap_ok(!run_pair(&v, &vertex, &pixel) && compare(&v.run, test->reference, test->tolerance, test->name),
	       "pixel shader: %s", test->name);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "SM1-3 instructions");
		return tap_done();
	}
	for (unsigned i = 0; i < COUNT(both_stages); i++) {
		test_in_vertex(&both_stages[i]);
		test_in_pixel(&both_stages[i]);
	}
	for (unsigned i = 0; i < COUNT(vertex_only); i++)
		test_in_vertex(&vertex_only[i]);
	for (unsigned i = 0; i < COUNT(pixel_only); i++)
		test_in_pixel(&pixel_only[i]);
	return tap_done();
}
