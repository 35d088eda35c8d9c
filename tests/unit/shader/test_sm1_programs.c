/* SPDX-License-Identifier: MIT */
/* SM1-3 programs on the engine: what compilers do not emit, and what depends on the variant key. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "sm1_asm.h"
#include "tap.h"
#include "vectors.h"

#define TEMP(n) SM1_REG_TEMP, n
#define INPUT(n) SM1_REG_INPUT, n
#define CONST(n) SM1_REG_CONST, n
#define TEXTURE(n) SM1_REG_TEXTURE, n

typedef void reference_fn(const float (*v)[4], float *out);

/* Vertex shaders: a program computes r0 from v1..v3 (a, b, c), which the pixel shader shows. */

static void begin_vertex(struct sm1_asm *a, uint32_t version)
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

static void end_vertex(struct sm1_asm *a)
{
	uint32_t output = (a->version & 0xffff) < 0x300 ? 0 : 1;

	asm_op(a, SM1_MOV, 2, D(SM1_REG_OUTPUT, output, 15), S(TEMP(0), XYZW));
	asm_end(a);
}

/* The operands as they come. */
static void pass_vertex(struct sm1_asm *a, uint32_t version)
{
	begin_vertex(a, version);
	asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
	end_vertex(a);
}

/* Pixel shaders: ps_3_0 has a, b, c in v0..v2, ps_2_0 in t0..t2; the result is r0. */

static void begin_pixel(struct sm1_asm *a, uint32_t version)
{
	asm_begin(a, version);
	for (uint32_t i = 0; i < 3; i++) {
		if ((version & 0xffff) >= 0x300)
			asm_dcl(a, SM1_USAGE_TEXCOORD, i, D(INPUT(i), 15));
		else if ((version & 0xffff) >= 0x200)
			asm_dcl(a, 0, 0, D(TEXTURE(i), 15));
	}
}

static void end_pixel(struct sm1_asm *a)
{
	if ((a->version & 0xffff) >= 0x200)
		asm_op(a, SM1_MOV, 2, D(SM1_REG_COLOROUT, 0, 15), S(TEMP(0), XYZW));
	asm_end(a);
}

static void show_pixel(struct sm1_asm *a, uint32_t version)
{
	begin_pixel(a, version);
	if ((version & 0xffff) >= 0x300)
		asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(0), XYZW));
	else
		asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	end_pixel(a);
}

static int run(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel)
{
	v->vertex = vertex->words;
	v->vertex_size = 4 * vertex->count;
	v->pixel = pixel->words;
	v->pixel_size = 4 * pixel->count;
	return vector_run(v);
}

static bool matches(const struct virgl_run *run, unsigned texel, const float *want, float tolerance)
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

static void expect(struct vector_run *v, const struct sm1_asm *vertex, const struct sm1_asm *pixel,
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

static void expect_vertex(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name)
{
	bool sm3 = (a->version & 0xffff) >= 0x300;
	struct sm1_asm pixel;

	end_vertex(a);
	show_pixel(&pixel, sm3 ? PS(3, 0) : PS(2, 0));
	expect(v, a, &pixel, reference, name);
}

static void expect_pixel(struct vector_run *v, struct sm1_asm *a, reference_fn *reference, const char *name)
{
	bool sm3 = (a->version & 0xffff) >= 0x300;
	struct sm1_asm vertex;

	end_pixel(a);
	pass_vertex(&vertex, sm3 ? VS(3, 0) : VS(2, 0));
	expect(v, &vertex, a, reference, name);
}

static const float table[12][4] = {
	{1, 0, 0, 2}, {0, 2, 0, -1}, {0, 0, 3, 0.5f}, {1, 1, 1, 1}, {10, 20, 30, 40}, {100, 200, 300, 400},
	{-1, -2, -3, -4}, {7, 8, 9, 10}, {0.5f, 0.25f, 0.125f, 1}, {2, 4, 6, 8}, {11, 12, 13, 14}, {5, 5, 5, 5},
};

#define WITH_TABLE (&(struct vector_run){.constants = table, .constant_count = 12})

static float dot(const float *a, const float *b, unsigned count)
{
	float sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Matrices */

static void ref_m4x4(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = dot(v[0], table[i], 4);
}

static void ref_m3x2(const float (*v)[4], float *out)
{
	out[0] = dot(v[0], table[0], 3);
	out[1] = dot(v[0], table[1], 3);
	out[2] = out[3] = NAN;
}

static void test_matrices(void)
{
	struct sm1_asm a;

	begin_vertex(&a, VS(1, 1));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
	asm_op(&a, SM1_M4X4, 3, D(TEMP(0), 15), S(TEMP(0), XYZW), S(CONST(0), XYZW));
	expect_vertex(WITH_TABLE, &a, ref_m4x4, "vs_1_1 m4x4 with the same source and destination");
	begin_vertex(&a, VS(2, 0));
	asm_op(&a, SM1_M3X2, 3, D(TEMP(0), 3), S(INPUT(1), XYZW), S(CONST(0), XYZW));
	expect_vertex(WITH_TABLE, &a, ref_m3x2, "vs_2_0 m3x2");
}

/* Addressing */

static void ref_address_floor(const float (*v)[4], float *out)
{
	memcpy(out, table[(int)floorf(fminf(fmaxf(v[1][1], 0), 5)) + 4], 16);
}

static void ref_address_round(const float (*v)[4], float *out)
{
	memcpy(out, table[(int)nearbyintf(fminf(fmaxf(v[1][1], 0), 5)) + 4], 16);
}

static void ref_address_def(const float (*v)[4], float *out)
{
	int index = (int)nearbyintf(fminf(fmaxf(v[1][1], 0), 5)) + 4;

	if (index == 6)
		memcpy(out, (float[4]){-9, -8, -7, -6}, 16);
	else
		memcpy(out, table[index], 16);
}

static void clamp_b(struct sm1_asm *a)
{
	asm_def(a, 20, 0, 5, 0, 0);
	asm_op(a, SM1_MAX, 3, D(TEMP(1), 15), S(INPUT(2), XYZW), S(CONST(20), REPLICATE(0)));
	asm_op(a, SM1_MIN, 3, D(TEMP(1), 15), S(TEMP(1), XYZW), S(CONST(20), REPLICATE(1)));
}

static void test_addressing(void)
{
	struct sm1_asm a;

	begin_vertex(&a, VS(1, 1));
	clamp_b(&a);
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_ADDR, 0, 1), S(TEMP(1), REPLICATE(1)));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), RELATIVE(S(CONST(4), XYZW)));
	expect_vertex(WITH_TABLE, &a, ref_address_floor, "vs_1_1 mov a0 rounds down");
	begin_vertex(&a, VS(2, 0));
	clamp_b(&a);
	asm_op(&a, SM1_MOVA, 2, D(SM1_REG_ADDR, 0, 2), S(TEMP(1), REPLICATE(1)));
	asm_op(&a, SM1_MOV, 3, D(TEMP(0), 15), RELATIVE(S(CONST(4), XYZW)), S(SM1_REG_ADDR, 0, REPLICATE(1)));
	expect_vertex(WITH_TABLE, &a, ref_address_round, "vs_2_0 mova rounds to nearest, c[a0.y + n]");
	begin_vertex(&a, VS(2, 0));
	asm_def(&a, 6, -9, -8, -7, -6);
	clamp_b(&a);
	asm_op(&a, SM1_MOVA, 2, D(SM1_REG_ADDR, 0, 2), S(TEMP(1), REPLICATE(1)));
	asm_op(&a, SM1_MOV, 3, D(TEMP(0), 15), RELATIVE(S(CONST(4), XYZW)), S(SM1_REG_ADDR, 0, REPLICATE(1)));
	expect_vertex(WITH_TABLE, &a, ref_address_def, "an indexed constant may be one that the shader defines");
}

/* Flow control */

static void ref_rep(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = 5 * v[0][i];
}

static void ref_loop(const float (*v)[4], float *out)
{
	/* aL = 4, 6, 8 */
	for (unsigned i = 0; i < 4; i++)
		out[i] = table[4][i] + table[6][i] + table[8][i];
}

static void ref_break(const float (*v)[4], float *out)
{
	float sum = 0;

	for (unsigned i = 0; i < 5; i++) {
		if (sum > v[1][0])
			break;
		sum += 1;
	}
	out[0] = out[1] = out[2] = out[3] = sum;
}

static void ref_ifc(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = v[0][0] > v[1][0] ? v[1][i] : v[2][i];
}

static void ref_call(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = 4 * v[0][i] + v[1][i];
}

static void ref_predicate(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = v[0][i] >= v[1][i] ? v[2][i] : -v[0][i];
}

static void ref_show_a(const float (*v)[4], float *out)
{
	memcpy(out, v[0], 16);
}

static void ref_show_b(const float (*v)[4], float *out)
{
	memcpy(out, v[1], 16);
}

static void test_loops(void)
{
	static const int32_t integers[2][4] = {{5, 0, 0, 0}, {3, 4, 2, 0}};
	struct vector_run v = {.constants = table, .constant_count = 12, .integers = integers, .integer_count = 2};
	struct vector_run w = v;
	struct sm1_asm a;

	begin_vertex(&a, VS(2, 0));
	asm_op(&a, SM1_SUB, 3, D(TEMP(0), 15), S(INPUT(1), XYZW), S(INPUT(1), XYZW));
	asm_op(&a, SM1_REP, 1, S(SM1_REG_CONSTINT, 0, XYZW));
	asm_op(&a, SM1_ADD, 3, D(TEMP(0), 15), S(TEMP(0), XYZW), S(INPUT(1), XYZW));
	asm_op(&a, SM1_ENDREP, 0);
	expect_vertex(&v, &a, ref_rep, "rep i0");

	begin_vertex(&a, VS(3, 0));
	asm_op(&a, SM1_SUB, 3, D(TEMP(0), 15), S(INPUT(1), XYZW), S(INPUT(1), XYZW));
	asm_op(&a, SM1_LOOP, 2, S(SM1_REG_LOOP, 0, XYZW), S(SM1_REG_CONSTINT, 1, XYZW));
	asm_op(&a, SM1_ADD, 4, D(TEMP(0), 15), S(TEMP(0), XYZW), RELATIVE(S(CONST(0), XYZW)),
	       S(SM1_REG_LOOP, 0, REPLICATE(0)));
	asm_op(&a, SM1_ENDLOOP, 0);
	expect_vertex(&w, &a, ref_loop, "loop aL, i1 with c[aL]");

	begin_pixel(&a, PS(3, 0));
	asm_op(&a, SM1_DEFI, 5, D(SM1_REG_CONSTINT, 3, 15), 5u, 0u, 0u, 0u);
	asm_def(&a, 20, 0, 1, 0, 0);
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(CONST(20), REPLICATE(0)));
	asm_op(&a, SM1_REP, 1, S(SM1_REG_CONSTINT, 3, XYZW));
	asm_op(&a, SM1_BREAKC | 1 << 16, 2, S(TEMP(0), REPLICATE(0)), S(INPUT(1), REPLICATE(0)));
	asm_op(&a, SM1_ADD, 3, D(TEMP(0), 15), S(TEMP(0), XYZW), S(CONST(20), REPLICATE(1)));
	asm_op(&a, SM1_ENDREP, 0);
	expect_pixel(&(struct vector_run){0}, &a, ref_break, "ps_3_0 break_gt in rep with defi");
}

static void test_branches(void)
{
	struct sm1_asm a;

	begin_pixel(&a, PS(3, 0));
	asm_op(&a, SM1_IFC | 1 << 16, 2, S(INPUT(0), REPLICATE(0)), S(INPUT(1), REPLICATE(0)));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
	asm_op(&a, SM1_ELSE, 0);
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(2), XYZW));
	asm_op(&a, SM1_ENDIF, 0);
	expect_pixel(&(struct vector_run){0}, &a, ref_ifc, "ps_3_0 if_gt else");

	for (unsigned value = 0; value < 2; value++) {
		begin_vertex(&a, VS(2, 0));
		asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
		asm_op(&a, SM1_IF, 1, S(SM1_REG_CONSTBOOL, 6, XYZW));
		asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(2), XYZW));
		asm_op(&a, SM1_ENDIF, 0);
		expect_vertex(&(struct vector_run){.booleans = value << 6}, &a, value ? ref_show_b : ref_show_a,
			      value ? "if b6, true" : "if b6, false");
	}

	/* Subroutines end with ret and follow the main program. */
	begin_vertex(&a, VS(2, 0));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(1), XYZW));
	asm_op(&a, SM1_CALL, 1, S(SM1_REG_LABEL, 1, XYZW));
	asm_op(&a, SM1_CALL, 1, S(SM1_REG_LABEL, 1, XYZW));
	asm_op(&a, SM1_CALLNZ, 2, S(SM1_REG_LABEL, 2, XYZW), S(SM1_REG_CONSTBOOL, 0, XYZW));
	asm_op(&a, SM1_CALLNZ, 2, S(SM1_REG_LABEL, 1, XYZW), S(SM1_REG_CONSTBOOL, 1, XYZW));
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_OUTPUT, 0, 15), S(TEMP(0), XYZW));
	asm_op(&a, SM1_RET, 0);
	asm_op(&a, SM1_LABEL, 1, S(SM1_REG_LABEL, 1, XYZW));
	asm_op(&a, SM1_ADD, 3, D(TEMP(0), 15), S(TEMP(0), XYZW), S(TEMP(0), XYZW));
	asm_op(&a, SM1_RET, 0);
	asm_op(&a, SM1_LABEL, 1, S(SM1_REG_LABEL, 2, XYZW));
	asm_op(&a, SM1_ADD, 3, D(TEMP(0), 15), S(TEMP(0), XYZW), S(INPUT(2), XYZW));
	asm_op(&a, SM1_RET, 0);
	asm_end(&a);
	{
		struct sm1_asm pixel;

		show_pixel(&pixel, PS(2, 0));
		expect(&(struct vector_run){.booleans = 1}, &a, &pixel, ref_call, "call twice, callnz taken and not");
	}

	begin_pixel(&a, PS(3, 0));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), MODIFIED(S(INPUT(0), XYZW), SM1_MOD_NEG));
	asm_op(&a, SM1_SETP | 3 << 16, 3, D(SM1_REG_PREDICATE, 0, 15), S(INPUT(0), XYZW), S(INPUT(1), XYZW));
	asm_op(&a, SM1_MOV | 1 << 28, 3, D(TEMP(0), 15), S(SM1_REG_PREDICATE, 0, XYZW), S(INPUT(2), XYZW));
	expect_pixel(&(struct vector_run){0}, &a, ref_predicate, "ps_3_0 setp_ge and a predicated mov");
}

/* Pixel shader registers of SM3 */

static void ref_input_loop(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = v[0][i] + v[1][i] + v[2][i];
}

static void test_sm3_registers(void)
{
	struct vector_run v = {0};
	struct sm1_asm a, vertex;
	bool good;

	begin_pixel(&a, PS(3, 0));
	asm_op(&a, SM1_DEFI, 5, D(SM1_REG_CONSTINT, 0, 15), 3u, 0u, 1u, 0u);
	asm_op(&a, SM1_SUB, 3, D(TEMP(0), 15), S(INPUT(0), XYZW), S(INPUT(0), XYZW));
	asm_op(&a, SM1_LOOP, 2, S(SM1_REG_LOOP, 0, XYZW), S(SM1_REG_CONSTINT, 0, XYZW));
	asm_op(&a, SM1_ADD, 4, D(TEMP(0), 15), S(TEMP(0), XYZW), RELATIVE(S(INPUT(0), XYZW)),
	       S(SM1_REG_LOOP, 0, REPLICATE(0)));
	asm_op(&a, SM1_ENDLOOP, 0);
	expect_pixel(&v, &a, ref_input_loop, "ps_3_0 v[aL]");

	begin_pixel(&a, PS(3, 0));
	asm_dcl(&a, 0, 0, D(SM1_REG_MISC, 0, 3));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(SM1_REG_MISC, 0, SWIZZLE(0, 1, 0, 1)));
	asm_def(&a, 0, 0.375f, 0, 0, 0);
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_DEPTHOUT, 0, 15), S(CONST(0), REPLICATE(0)));
	end_pixel(&a);
	pass_vertex(&vertex, VS(3, 0));
	v = (struct vector_run){.run.depth = true};
	good = !run(&v, &vertex, &a);
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= matches(&v.run, i, (float[4]){(float)i, 0, (float)i, 0}, 0) && v.run.depths[i] == 0.375f;
	tap_ok(good, "ps_3_0 vPos has integer coordinates, oDepth writes depth");
}

static void test_face(void)
{
	static const float clockwise[3][4] = {{-1, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}, {3, -1, 0.5f, 1}};
	static const float counter[3][4] = {{-1, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}};
	struct sm1_asm vertex, pixel;
	struct vector_run v = {0};
	bool good;

	asm_begin(&vertex, VS(3, 0));
	asm_dcl(&vertex, SM1_USAGE_POSITION, 0, D(INPUT(0), 15));
	asm_dcl(&vertex, SM1_USAGE_POSITION, 0, D(SM1_REG_OUTPUT, 0, 15));
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_OUTPUT, 0, 15), S(INPUT(0), XYZW));
	asm_end(&vertex);
	asm_begin(&pixel, PS(3, 0));
	asm_dcl(&pixel, 0, 0, D(SM1_REG_MISC, 1, 15));
	asm_op(&pixel, SM1_MOV, 2, D(SM1_REG_COLOROUT, 0, 15), S(SM1_REG_MISC, 1, REPLICATE(0)));
	asm_end(&pixel);
	v.run = (struct virgl_run){.input_count = 1, .vertex_count = 3, .width = 1, .height = 1,
				   .primitive = VIRGL_RUN_TRIANGLES, .inputs = clockwise};
	good = !run(&v, &vertex, &pixel) && texel_float(&v.run, 0, 0) > 0;
	v.run.inputs = counter;
	good &= !run(&v, &vertex, &pixel) && texel_float(&v.run, 0, 0) < 0;
	tap_ok(good, "ps_3_0 vFace: positive for clockwise triangles, negative for others");
}

/* vs_1_1 partial precision vectors */

static void ref_expp(const float (*v)[4], float *out)
{
	float power = v[1][0];

	out[0] = exp2f(floorf(power));
	out[1] = power - floorf(power);
	out[2] = exp2f(power);
	out[3] = 1;
}

static void ref_logp(const float (*v)[4], float *out)
{
	float value = fabsf(v[1][0]);

	out[0] = floorf(log2f(value));
	out[1] = value / exp2f(out[0]);
	out[2] = log2f(value);
	out[3] = 1;
}

static void test_partial(void)
{
	struct sm1_asm a;

	begin_vertex(&a, VS(1, 1));
	asm_op(&a, SM1_EXPP, 2, D(TEMP(0), 15), S(INPUT(2), REPLICATE(0)));
	expect_vertex(&(struct vector_run){0}, &a, ref_expp, "vs_1_1 expp");
	begin_vertex(&a, VS(1, 1));
	asm_op(&a, SM1_LOGP, 2, D(TEMP(0), 15), S(INPUT(2), REPLICATE(0)));
	expect_vertex(&(struct vector_run){0}, &a, ref_logp, "vs_1_1 logp");
}

/* ps_1_x: colours come from v0 (not written here: white), t0..t2 are operands through texcrd or texcoord. */

static float saturate(float value)
{
	return fmaxf(0, fminf(1, value));
}

static void ref_texcoord(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 3; i++)
		out[i] = saturate(v[0][i]);
	out[3] = 1;
}

static void ref_ps1_modifiers(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++) {
		float a = i < 3 ? saturate(v[0][i]) : 1, b = i < 3 ? saturate(v[1][i]) : 1;

		out[i] = 2 * ((2 * a - 1) * (1 - b) + (a - 0.5f));
	}
}

static void ref_coissue(const float (*v)[4], float *out)
{
	float a[4] = {saturate(v[0][0]), saturate(v[0][1]), saturate(v[0][2]), 1};

	for (unsigned i = 0; i < 3; i++)
		out[i] = 1 - a[i];
	out[3] = a[2];			/* the old blue, not the new one */
}

static void ref_cnd(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++) {
		float a = i < 3 ? v[0][i] : 1, b = i < 3 ? v[1][i] : 0, c = i < 3 ? v[2][i] : 0.75f;

		out[i] = c > 0.5f ? a : b;
	}
}

static void test_ps1(void)
{
	struct sm1_asm a;

	asm_begin(&a, PS(1, 1));
	asm_op(&a, SM1_TEXCOORD, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	expect_pixel(&(struct vector_run){0}, &a, ref_texcoord, "ps_1_1 texcoord saturates, w = 1");

	asm_begin(&a, PS(1, 1));
	asm_op(&a, SM1_TEXCOORD, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_TEXCOORD, 1, D(TEXTURE(1), 15));
	asm_op(&a, SM1_MAD, 4, D(TEMP(0), 15) | 1 << 24, MODIFIED(S(TEXTURE(0), XYZW), SM1_MOD_SIGN),
	       MODIFIED(S(TEXTURE(1), XYZW), SM1_MOD_COMP), MODIFIED(S(TEXTURE(0), XYZW), SM1_MOD_BIAS));
	expect_pixel(&(struct vector_run){0}, &a, ref_ps1_modifiers, "ps_1_1 _bx2, 1-, _bias and _x2");

	asm_begin(&a, PS(1, 1));
	asm_op(&a, SM1_TEXCOORD, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 7), MODIFIED(S(TEMP(0), XYZW), SM1_MOD_COMP));
	asm_op(&a, SM1_MOV | 1 << 30, 2, D(TEMP(0), 8), S(TEMP(0), REPLICATE(2)));
	expect_pixel(&(struct vector_run){0}, &a, ref_coissue, "ps_1_1 co-issued instructions read old values");

	asm_begin(&a, PS(1, 4));
	asm_def(&a, 0, 0, 0, 0, 0.75f);
	asm_def(&a, 1, 0, 0, 0, 1);
	for (uint32_t i = 0; i < 3; i++)
		asm_op(&a, SM1_TEXCOORD, 2, D(TEMP(1 + i), 7), S(TEXTURE(i), SWIZZLE(0, 1, 2, 2)));
	asm_op(&a, SM1_MOV, 2, D(TEMP(1), 8), S(CONST(1), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(2), 8), S(CONST(0), REPLICATE(0)));
	asm_op(&a, SM1_MOV, 2, D(TEMP(3), 8), S(CONST(0), XYZW));
	asm_op(&a, SM1_CND, 4, D(TEMP(0), 15), S(TEMP(3), XYZW), S(TEMP(1), XYZW), S(TEMP(2), XYZW));
	expect_pixel(&(struct vector_run){0}, &a, ref_cnd, "ps_1_4 texcrd and cnd");
}

/* Textures: 4x4, texel (x, y) is (x, y, 0, 1); a smaller level has z = 1. */

static float image_0[16][4], image_1[4][4];

static struct virgl_run_texture image(void)
{
	for (unsigned i = 0; i < 16; i++)
		memcpy(image_0[i], (float[4]){(float)(i % 4), (float)(i / 4), 0, 1}, 16);
	for (unsigned i = 0; i < 4; i++)
		memcpy(image_1[i], (float[4]){(float)(i % 2), (float)(i / 2), 1, 1}, 16);
	return (struct virgl_run_texture){.target = VIRGL_RUN_2D, .format = VIRGL_RUN_FLOAT, .width = 4, .height = 4,
					  .layers = 1, .levels = 2, .data = {image_0, image_1}};
}

static float texel_of(float coordinate, float size)
{
	return fmaxf(0, fminf(size - 1, floorf(coordinate * size)));
}

/* Coordinates from the constant c0 alone, so that they are easy to follow. */
static bool sample_at(struct sm1_asm *a, const float *coordinate, const struct vector_run *settings, const float *want)
{
	float constants[2][4] = {{0}};
	struct vector_run v = *settings;
	struct sm1_asm vertex;

	memcpy(constants[0], coordinate, 16);
	v.constants = (const float (*)[4])constants;
	v.constant_count = 2;
	v.run.pixel.texture_count = 1;
	if (!v.run.pixel.textures[0].levels)
		v.run.pixel.textures[0] = image();
	pass_vertex(&vertex, (a->version & 0xffff) >= 0x300 ? VS(3, 0) : VS(2, 0));
	return !run(&v, &vertex, a) && matches(&v.run, 0, want, 1e-4f);
}

/* r0 = instruction(c0, s0) in ps_3_0 */
static void make_sampler(struct sm1_asm *a, uint32_t opcode)
{
	begin_pixel(a, PS(3, 0));
	asm_op(a, SM1_DCL, 2, 0x80000000u | 2u << 27, D(SM1_REG_SAMPLER, 0, 15));
	asm_op(a, SM1_MOV, 2, D(TEMP(1), 15), S(CONST(0), XYZW));
	if (opcode == SM1_TEXLDD)
		asm_op(a, opcode, 5, D(TEMP(0), 15), S(TEMP(1), XYZW), S(SM1_REG_SAMPLER, 0, XYZW),
		       S(CONST(0), REPLICATE(3)), S(CONST(0), REPLICATE(3)));
	else
		asm_op(a, opcode, 3, D(TEMP(0), 15), S(TEMP(1), XYZW), S(SM1_REG_SAMPLER, 0, XYZW));
	end_pixel(a);
}

static void test_sampling(void)
{
	struct vector_run v = {0};
	struct sm1_asm a;

	make_sampler(&a, SM1_TEX);
	tap_ok(sample_at(&a, (float[4]){0.6f, 0.3f, 0, 5}, &v, (float[4]){2, 1, 0, 1}), "texld");
	make_sampler(&a, SM1_TEX | 1 << 16);
	tap_ok(sample_at(&a, (float[4]){1.2f, 0.6f, 0, 2}, &v, (float[4]){2, 1, 0, 1}), "texldp divides by w");
	make_sampler(&a, SM1_TEX | 2 << 16);
	tap_ok(sample_at(&a, (float[4]){0.6f, 0.3f, 0, 100}, &v, (float[4]){1, 0, 1, 1}), "texldb: bias in w");
	make_sampler(&a, SM1_TEXLDL);
	tap_ok(sample_at(&a, (float[4]){0.6f, 0.3f, 0, 1}, &v, (float[4]){1, 0, 1, 1}), "texldl: level in w");
	make_sampler(&a, SM1_TEXLDD);
	tap_ok(sample_at(&a, (float[4]){0.6f, 0.3f, 0, 0.001f}, &v, (float[4]){2, 1, 0, 1}) &&
		       sample_at(&a, (float[4]){0.6f, 0.3f, 0, 4}, &v, (float[4]){1, 0, 1, 1}),
	       "texldd: gradients");
}

static void test_shadow(void)
{
	static const uint16_t depths[4] = {0x4000, 0x8000, 0xc000, 0xffff};
	struct vector_run v = {.pixel_key.shadow_units = 1};
	struct sm1_asm a;

	v.run.pixel.textures[0] = (struct virgl_run_texture){.target = VIRGL_RUN_2D, .format = VIRGL_RUN_DEPTH16,
							     .width = 2, .height = 2, .layers = 1, .levels = 1,
							     .data = {depths}, .compare = true};
	make_sampler(&a, SM1_TEX);
	tap_ok(sample_at(&a, (float[4]){0.7f, 0.2f, 0.4f, 1}, &v, (float[4]){1, 1, 1, 1}) &&
		       sample_at(&a, (float[4]){0.7f, 0.2f, 0.6f, 1}, &v, (float[4]){0, 0, 0, 0}),
	       "a depth texture compares z with less-equal, in all components");
	make_sampler(&a, SM1_TEX | 1 << 16);
	tap_ok(sample_at(&a, (float[4]){1.4f, 0.4f, 0.8f, 2}, &v, (float[4]){1, 1, 1, 1}) &&
		       sample_at(&a, (float[4]){1.4f, 0.4f, 1.2f, 2}, &v, (float[4]){0, 0, 0, 0}),
	       "texldp of a depth texture divides z as well");
	make_sampler(&a, SM1_TEXLDL);
	tap_ok(sample_at(&a, (float[4]){0.7f, 0.2f, 0.4f, 0}, &v, (float[4]){1, 1, 1, 1}), "texldl of a depth texture");
}

/* Operand a is the coordinate of stage 0. */
static void ref_tex(const float (*v)[4], float *out)
{
	out[0] = texel_of(v[0][0], 4);
	out[1] = texel_of(v[0][1], 4);
	out[2] = 0;
	out[3] = 1;
}

static void ref_tex_projected(const float (*v)[4], float *out)
{
	out[0] = v[0][3] != 0 ? texel_of(v[0][0] / v[0][3], 4) : NAN;
	out[1] = v[0][3] != 0 ? texel_of(v[0][1] / v[0][3], 4) : NAN;
	out[2] = 0;
	out[3] = 1;
}

static void ref_texreg2gb(const float (*v)[4], float *out)
{
	/* Stage 0's texel has g = y, b = 0. */
	out[0] = texel_of(texel_of(v[0][1], 4), 4);
	out[1] = 0;
	out[2] = 0;
	out[3] = 1;
}

static void ref_texdp3(const float (*v)[4], float *out)
{
	float texel[3] = {texel_of(v[0][0], 4), texel_of(v[0][1], 4), 0};

	out[0] = out[1] = out[2] = out[3] = dot(v[1], texel, 3);
}

static void ref_texm3x3(const float (*v)[4], float *out)
{
	float texel[3] = {texel_of(v[0][0], 4), texel_of(v[0][1], 4), 0};

	out[0] = dot(v[1], texel, 3);
	out[1] = dot(v[2], texel, 3);
	out[2] = 0;
	out[3] = 1;
}

static void test_ps1_textures(void)
{
	struct vector_run v = {.run.pixel.texture_count = 1}, w;
	struct sm1_asm a;

	v.run.pixel.textures[0] = image();
	v.run.pixel.textures[0].levels = 1;
	asm_begin(&a, PS(1, 1));
	asm_op(&a, SM1_TEX, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	w = v;
	expect_pixel(&w, &a, ref_tex, "ps_1_1 tex");
	w = v;
	w.pixel_key.projected_units = 1;
	a.count--;
	expect_pixel(&w, &a, ref_tex_projected, "ps_1_1 tex of a projected stage");

	asm_begin(&a, PS(1, 4));
	asm_op(&a, SM1_TEX, 2, D(TEMP(0), 15), S(TEXTURE(0), XYZW));
	w = v;
	expect_pixel(&w, &a, ref_tex, "ps_1_4 texld r0, t0");

	asm_begin(&a, PS(1, 3));
	asm_op(&a, SM1_TEX, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_TEXREG2GB, 2, D(TEXTURE(1), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(1), XYZW));
	w = v;
	w.run.pixel.texture_count = 2;
	w.run.pixel.textures[1] = w.run.pixel.textures[0];
	expect_pixel(&w, &a, ref_texreg2gb, "ps_1_3 texreg2gb");

	asm_begin(&a, PS(1, 3));
	asm_op(&a, SM1_TEX, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_TEXDP3, 2, D(TEXTURE(1), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(1), XYZW));
	w = v;
	expect_pixel(&w, &a, ref_texdp3, "ps_1_3 texdp3");

	/* Coordinate 3 is not written: (0, 0, 0, 1). */
	asm_begin(&a, PS(1, 3));
	asm_op(&a, SM1_TEX, 1, D(TEXTURE(0), 15));
	asm_op(&a, SM1_TEXM3X3PAD, 2, D(TEXTURE(1), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_TEXM3X3PAD, 2, D(TEXTURE(2), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_TEXM3X3, 2, D(TEXTURE(3), 15), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(3), XYZW));
	w = v;
	expect_pixel(&w, &a, ref_texm3x3, "ps_1_3 texm3x3");
}

/* Stage 1's bump matrix is (1/4 0, 1/8 -1/4), its luminance 1/2 and 1/4. */
static void ref_texbem(const float (*v)[4], float *out)
{
	float du = texel_of(v[0][0], 4), dv = texel_of(v[0][1], 4);

	out[0] = texel_of(v[1][0] + 0.25f * du + 0.125f * dv, 4);
	out[1] = texel_of(v[1][1] - 0.25f * dv, 4);
	out[2] = 0;
	out[3] = 1;
}

static void ref_texbeml(const float (*v)[4], float *out)
{
	ref_texbem(v, out);
	for (unsigned i = 0; i < 4; i++)
		out[i] *= 0.25f;		/* the bump map's third component is 0 */
}

static void ref_bem(const float (*v)[4], float *out)
{
	out[0] = v[0][0] + 0.25f * v[1][0] + 0.125f * v[1][1];
	out[1] = v[0][1] - 0.25f * v[1][1];
	out[2] = 0;
	out[3] = 0;
}

static void test_bump(void)
{
	struct vector_run v = {.run.pixel.texture_count = 2}, w;
	struct sm1_asm a;

	memcpy(v.system[SHADER_SYS_BUMP + 1], (float[4]){0.25f, 0, 0.125f, -0.25f}, 16);
	memcpy(v.system[SHADER_SYS_BUMP], (float[4]){0.25f, 0, 0.125f, -0.25f}, 16);
	memcpy(v.system[SHADER_SYS_BUMP_LUMINANCE + 1], (float[4]){0.5f, 0.25f, 0, 0}, 16);
	v.run.pixel.textures[0] = v.run.pixel.textures[1] = image();
	v.run.pixel.textures[0].levels = v.run.pixel.textures[1].levels = 1;
	for (unsigned luminance = 0; luminance < 2; luminance++) {
		asm_begin(&a, PS(1, 1));
		asm_op(&a, SM1_TEX, 1, D(TEXTURE(0), 15));
		asm_op(&a, luminance ? SM1_TEXBEML : SM1_TEXBEM, 2, D(TEXTURE(1), 15), S(TEXTURE(0), XYZW));
		asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(TEXTURE(1), XYZW));
		w = v;
		expect_pixel(&w, &a, luminance ? ref_texbeml : ref_texbem, luminance ? "texbeml" : "texbem");
	}
	asm_begin(&a, PS(1, 4));
	asm_def(&a, 0, 0, 0, 0, 0);
	asm_op(&a, SM1_TEXCOORD, 2, D(TEMP(1), 7), S(TEXTURE(0), XYZW));
	asm_op(&a, SM1_TEXCOORD, 2, D(TEMP(2), 7), S(TEXTURE(1), XYZW));
	asm_op(&a, SM1_MOV, 2, D(TEMP(0), 15), S(CONST(0), XYZW));
	asm_op(&a, SM1_BEM, 3, D(TEMP(0), 3), S(TEMP(1), XYZW), S(TEMP(2), XYZW));
	w = v;
	w.run.pixel.texture_count = 0;
	expect_pixel(&w, &a, ref_bem, "ps_1_4 bem");
}

/* o1..o3 = 2 a, 2 b, 2 c through o[aL + 1] */
static void ref_twice_a(const float (*v)[4], float *out)
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = 2 * v[0][i];
}

static void test_indexed_outputs(void)
{
	struct sm1_asm a, pixel;

	begin_vertex(&a, VS(3, 0));
	asm_op(&a, SM1_DEFI, 5, D(SM1_REG_CONSTINT, 0, 15), 3u, 0u, 1u, 0u);
	asm_op(&a, SM1_LOOP, 2, S(SM1_REG_LOOP, 0, XYZW), S(SM1_REG_CONSTINT, 0, XYZW));
	asm_op(&a, SM1_MOV, 3, D(TEMP(0), 15), RELATIVE(S(INPUT(1), XYZW)), S(SM1_REG_LOOP, 0, REPLICATE(0)));
	asm_op(&a, SM1_ADD, 4, RELATIVE(D(SM1_REG_OUTPUT, 1, 15)), S(SM1_REG_LOOP, 0, REPLICATE(0)),
	       S(TEMP(0), XYZW), S(TEMP(0), XYZW));
	asm_op(&a, SM1_ENDLOOP, 0);
	asm_end(&a);
	show_pixel(&pixel, PS(3, 0));
	expect(&(struct vector_run){0}, &a, &pixel, ref_twice_a, "vs_3_0 o[aL + 1] and v[aL + 1]");
}

/* What the variant key changes */

static void test_defaults(void)
{
	struct sm1_asm vertex, pixel;
	struct vector_run v = {0};
	bool good;

	/* The vertex shader writes neither colours nor the fourth coordinate. */
	pass_vertex(&vertex, VS(2, 0));
	asm_begin(&pixel, PS(2, 0));
	asm_dcl(&pixel, 0, 0, D(INPUT(0), 15));
	asm_dcl(&pixel, 0, 0, D(INPUT(1), 15));
	asm_dcl(&pixel, 0, 0, D(TEXTURE(3), 15));
	asm_def(&pixel, 0, 10, 100, 0, 0);
	asm_op(&pixel, SM1_MAD, 4, D(TEMP(0), 15), S(INPUT(1), XYZW), S(CONST(0), REPLICATE(0)), S(INPUT(0), XYZW));
	asm_op(&pixel, SM1_MAD, 4, D(TEMP(0), 15), S(TEXTURE(3), XYZW), S(CONST(0), REPLICATE(1)), S(TEMP(0), XYZW));
	end_pixel(&pixel);
	good = !run(&v, &vertex, &pixel);
	tap_ok(good && matches(&v.run, 0, (float[4]){1, 1, 1, 101}, 0),
	       "varyings that nobody writes: white diffuse, black specular, coordinate 0 0 0 1");
}

static void make_fog_pixel(struct sm1_asm *a)
{
	asm_begin(a, PS(2, 0));
	asm_def(a, 0, 1, 0.5f, 0.25f, 0.75f);
	asm_op(a, SM1_MOV, 2, D(TEMP(0), 15), S(CONST(0), XYZW));
	end_pixel(a);
}

/* Depth is 0.5 everywhere; fog colour (0, 1, 2). */
static void test_fog(void)
{
	static const struct {
		enum shader_fog fog;
		const char *name;
		float factor;
	} cases[] = {
		{SHADER_FOG_NONE, "none", 1},
		{SHADER_FOG_VERTEX, "vertex", 0.25f},
		{SHADER_FOG_LINEAR, "linear", 0.6f},		/* start .2, end .8 -> .5 */
		{SHADER_FOG_EXP, "exponential", 0.36787944f},
		{SHADER_FOG_EXP2, "squared exponential", 0.36787944f},
	};
	struct sm1_asm vertex, pixel;

	asm_begin(&vertex, VS(2, 0));
	asm_dcl(&vertex, SM1_USAGE_POSITION, 0, D(INPUT(0), 15));
	asm_def(&vertex, 0, 0.25f, 0, 0, 0);
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_RASTOUT, 0, 15), S(INPUT(0), XYZW));
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_RASTOUT, 1, 1), S(CONST(0), XYZW));
	asm_end(&vertex);
	make_fog_pixel(&pixel);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct vector_run v = {.pixel_key.fog = (uint8_t)cases[i].fog};
		float f = cases[i].factor, *parameters = v.system[SHADER_SYS_FOG_PARAMS];

		memcpy(v.system[SHADER_SYS_FOG], (float[4]){0, 1, 2, 9}, 16);
		parameters[0] = 0.2f;
		parameters[1] = 0.8f;
		parameters[2] = 2;
		parameters[3] = 2;		/* a fog that is steeper than start and end say: the driver's word counts */
		tap_ok(!run(&v, &vertex, &pixel) &&
			       matches(&v.run, 0, (float[4]){f, 1 - 0.5f * f, 2 - 1.75f * f, 0.75f}, 1e-3f),
		       "%s fog", cases[i].name);
	}
}

static void test_position(void)
{
	struct vector_run v = {.vertex_key.position_offset = 1};
	struct sm1_asm vertex, pixel;
	bool good;

	/* One texel to the right: 2 / width in clip space. */
	v.system[SHADER_SYS_POSITION][0] = 2.0f / VECTOR_COUNT;
	pass_vertex(&vertex, VS(2, 0));
	show_pixel(&pixel, PS(2, 0));
	good = !run(&v, &vertex, &pixel) && v.run.texels[0][0] == 0xdeadbeef;
	for (unsigned i = 1; i < VECTOR_COUNT; i++)
		good &= matches(&v.run, i, vectors[i - 1][0], 0);
	tap_ok(good, "the position is moved by SHADER_SYS_POSITION");
}

static void test_clip_planes(void)
{
	static const float planes[8][4] = {{1, 0, 0, 0}};	/* keeps x >= 0 */
	struct vector_run v = {.vertex_key.clip_planes = 1};
	struct sm1_asm vertex, pixel;
	bool good;

	pass_vertex(&vertex, VS(2, 0));
	show_pixel(&pixel, PS(2, 0));
	v.run.clip_planes = 1;
	v.run.planes = planes;
	good = !run(&v, &vertex, &pixel);
	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		if (i < VECTOR_COUNT / 2)
			good &= v.run.texels[i][0] == 0xdeadbeef;
		else
			good &= matches(&v.run, i, vectors[i][0], 0);
	}
	tap_ok(good, "user clip planes");
}

static void test_colour_clamp(void)
{
	struct sm1_asm vertex, pixel;
	struct vector_run v = {0};
	bool good;

	asm_begin(&vertex, VS(2, 0));
	asm_dcl(&vertex, SM1_USAGE_POSITION, 0, D(INPUT(0), 15));
	asm_dcl(&vertex, SM1_USAGE_TEXCOORD, 0, D(INPUT(1), 15));
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_RASTOUT, 0, 15), S(INPUT(0), XYZW));
	asm_op(&vertex, SM1_MOV, 2, D(SM1_REG_ATTROUT, 0, 15), S(INPUT(1), XYZW));
	asm_end(&vertex);
	asm_begin(&pixel, PS(2, 0));
	asm_dcl(&pixel, 0, 0, D(INPUT(0), 15));
	asm_op(&pixel, SM1_MOV, 2, D(TEMP(0), 15), S(INPUT(0), XYZW));
	end_pixel(&pixel);
	good = !run(&v, &vertex, &pixel);
	for (unsigned i = 0; good && i < VECTOR_COUNT; i++) {
		float want[4];

		for (unsigned c = 0; c < 4; c++)
			want[c] = saturate(vectors[i][0][c]);
		good &= matches(&v.run, i, want, 1e-6f);
	}
	tap_ok(good, "vs_2_0 colours are clamped to [0, 1]");
}

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "SM1-3 programs");
		return tap_done();
	}
	test_matrices();
	test_addressing();
	test_loops();
	test_branches();
	test_sm3_registers();
	test_face();
	test_partial();
	test_ps1();
	test_sampling();
	test_shadow();
	test_ps1_textures();
	test_bump();
	test_indexed_outputs();
	test_defaults();
	test_fog();
	test_position();
	test_clip_planes();
	test_colour_clamp();
	return tap_done();
}
