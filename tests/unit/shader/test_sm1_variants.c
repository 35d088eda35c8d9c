/* SPDX-License-Identifier: MIT */
/* What the variant key and the linkage change in SM1-3 shaders, on the engine. */
#include <math.h>
#include <string.h>

#include "sm1_programs.h"
#include "tap.h"

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

static void test_missing_fog(void)
{
	struct vector_run v = {.pixel_key.fog = SHADER_FOG_VERTEX};
	struct sm1_asm vertex, pixel;

	memcpy(v.system[SHADER_SYS_FOG], (float[4]){0, 1, 2, 9}, 16);
	pass_vertex(&vertex, VS(2, 0));
	make_fog_pixel(&pixel);
	tap_ok(!run(&v, &vertex, &pixel) && matches(&v.run, 0, (float[4]){0, 1, 2, 0.75f}, 0),
	       "a vertex shader that does not write oFog is fully fogged");
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
		tap_skip("the engine does not start here", "SM1-3 variants");
		return tap_done();
	}
	test_defaults();
	test_fog();
	test_missing_fog();
	test_position();
	test_clip_planes();
	test_colour_clamp();
	return tap_done();
}
