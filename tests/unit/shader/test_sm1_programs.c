/* SPDX-License-Identifier: MIT */
/* SM1-3 programs on the engine: macros, addressing, flow control, registers, ps_1_x arithmetic. */
#include <math.h>
#include <string.h>

#include "sm1_programs.h"
#include "tap.h"

static const float table[12][4] = {
	{1, 0, 0, 2}, {0, 2, 0, -1}, {0, 0, 3, 0.5f}, {1, 1, 1, 1}, {10, 20, 30, 40}, {100, 200, 300, 400},
	{-1, -2, -3, -4}, {7, 8, 9, 10}, {0.5f, 0.25f, 0.125f, 1}, {2, 4, 6, 8}, {11, 12, 13, 14}, {5, 5, 5, 5},
};

#define WITH_TABLE (&(struct vector_run){.constants = table, .constant_count = 12})

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
	test_indexed_outputs();
	return tap_done();
}
