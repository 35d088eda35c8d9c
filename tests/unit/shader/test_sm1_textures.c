/* SPDX-License-Identifier: MIT */
/* SM1-3 texture instructions on the engine. */
#include <math.h>
#include <string.h>

#include "sm1_programs.h"
#include "tap.h"

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

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "SM1-3 textures");
		return tap_done();
	}
	test_sampling();
	test_shadow();
	test_ps1_textures();
	test_bump();
	return tap_done();
}
