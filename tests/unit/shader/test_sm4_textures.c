/* SPDX-License-Identifier: MIT */
/* Every SM4/5 texture instruction on every dimension that it takes, in both stages: the engine accepts what we emit. */
#include <stdio.h>

#include "sm4_asm.h"
#include "tap.h"
#include "vectors.h"

enum { BUFFER = 1, TEX1D, TEX2D, TEX2DMS, TEX3D, CUBE, TEX1DARRAY, TEX2DARRAY, TEX2DMSARRAY, CUBEARRAY };

static const char *const dimension_names[] = {
	[BUFFER] = "buffer", [TEX1D] = "1D", [TEX2D] = "2D", [TEX2DMS] = "2D MS", [TEX3D] = "3D", [CUBE] = "cube",
	[TEX1DARRAY] = "1D array", [TEX2DARRAY] = "2D array", [TEX2DMSARRAY] = "2D MS array",
	[CUBEARRAY] = "cube array",
};

#define D(n) (1u << (n))
#define FLAT (D(TEX1D) | D(TEX2D) | D(TEX1DARRAY) | D(TEX2DARRAY))
#define CUBES (D(CUBE) | D(CUBEARRAY))

struct texture_case {
	const char *name;
	uint32_t opcode;
	unsigned dimensions;
	bool sampler;
	unsigned extra;			/* operands behind resource and sampler */
	bool pixel_only, offset, integer;
};

static const struct texture_case cases[] = {
	{"sample", SM4_SAMPLE, FLAT | CUBES | D(TEX3D), true, 0, false, true, false},
	{"sample_b", SM4_SAMPLE_B, FLAT | CUBES | D(TEX3D), true, 1, true, true, false},
	{"sample_l", SM4_SAMPLE_L, FLAT | CUBES | D(TEX3D), true, 1, false, true, false},
	{"sample_d", SM4_SAMPLE_D, FLAT | CUBES | D(TEX3D), true, 2, false, true, false},
	{"sample_c", SM4_SAMPLE_C, FLAT | CUBES, true, 1, false, true, false},
	{"sample_c_lz", SM4_SAMPLE_C_LZ, FLAT | CUBES, true, 1, false, true, false},
	{"gather4", SM4_GATHER4, D(TEX2D) | D(TEX2DARRAY) | CUBES, true, 0, false, true, false},
	{"gather4_c", SM4_GATHER4_C, D(TEX2D) | D(TEX2DARRAY) | CUBES, true, 1, false, true, false},
	{"lod", SM4_LOD, FLAT | CUBES | D(TEX3D), true, 0, true, false, false},
	{"ld", SM4_LD, FLAT | D(TEX3D) | D(BUFFER), false, 0, false, true, true},
	{"ldms", SM4_LD2DMS, D(TEX2DMS) | D(TEX2DMSARRAY), false, 1, false, false, true},
	{"resinfo", SM4_RESINFO, FLAT | CUBES | D(TEX3D) | D(BUFFER) | D(TEX2DMS) | D(TEX2DMSARRAY), false, 0, false,
	 false, true},
};

static void add_texture(struct sm4_asm *a, const struct texture_case *test, unsigned dimension, uint32_t type,
			bool with_offset)
{
	sm4_open(a, SM4_DCL_SAMPLER);
	sm4_dst(a, SM4_REG_SAMPLER, 0, 0);
	sm4_close(a);
	sm4_open(a, SM4_DCL_RESOURCE | dimension << 11);
	sm4_dst(a, SM4_REG_RESOURCE, 0, 0);
	sm4_word(a, type * 0x1111);
	sm4_close(a);
	sm4_dcl_temps(a, 3);
	sm4_open(a, SM4_MOV);
	sm4_dst(a, SM4_REG_TEMP, 0, 15);
	sm4_imm(a, 0, 0, 0, 0);
	sm4_close(a);
	sm4_open(a, test->opcode | (with_offset ? 0x80000000u : 0));
	if (with_offset)
		sm4_word(a, 1 | 1 << 9 | (dimension == TEX1D || dimension == TEX1DARRAY ? 0 : 15 << 13));
	sm4_dst(a, SM4_REG_TEMP, 1, 15);
	sm4_src(a, SM4_REG_TEMP, 0, SM4_XYZW);
	sm4_src(a, SM4_REG_RESOURCE, 0, SM4_XYZW);
	if (test->sampler)
		sm4_src(a, SM4_REG_SAMPLER, 0, SM4_REPLICATE(0));
	for (unsigned i = 0; i < test->extra; i++)
		sm4_src(a, SM4_REG_TEMP, 0, SM4_XYZW);
	sm4_close(a);
}

static void make_vertex(struct sm4_asm *a, const struct texture_case *test, unsigned dimension, uint32_t type,
			bool with_offset)
{
	sm4_begin(a, SM4_VS(5, 0));
	sm4_dcl(a, SM4_DCL_INPUT, SM4_REG_INPUT, 0, 15, 0);
	sm4_dcl(a, SM4_DCL_OUTPUT_SIV, SM4_REG_OUTPUT, 0, 15, SM4_NAME_POSITION);
	sm4_dcl(a, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, 1, 15, 0);
	if (test)
		add_texture(a, test, dimension, type, with_offset);
	sm4_mov(a, SM4_REG_OUTPUT, 0, SM4_REG_INPUT, 0);
	sm4_mov(a, SM4_REG_OUTPUT, 1, test ? SM4_REG_TEMP : SM4_REG_INPUT, test ? 1 : 0);
	sm4_plain(a, SM4_RET);
	sm4_end(a);
}

static void make_pixel(struct sm4_asm *a, const struct texture_case *test, unsigned dimension, uint32_t type,
		       bool with_offset)
{
	sm4_begin(a, SM4_PS(5, 0));
	sm4_dcl(a, SM4_DCL_INPUT_PS | 1u << 11, SM4_REG_INPUT, 1, 15, 0);
	sm4_dcl(a, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, 0, 15, 0);
	if (test)
		add_texture(a, test, dimension, type, with_offset);
	sm4_mov(a, SM4_REG_OUTPUT, 0, test ? SM4_REG_TEMP : SM4_REG_INPUT, 1);
	sm4_plain(a, SM4_RET);
	sm4_end(a);
}

static bool accepted(const struct texture_case *test, unsigned dimension, uint32_t type, bool in_vertex,
		     bool with_offset)
{
	struct sm4_asm vertex, pixel;
	struct vector_run v = {.integer_target = true};

	make_vertex(&vertex, in_vertex ? test : NULL, dimension, type, with_offset);
	make_pixel(&pixel, in_vertex ? NULL : test, dimension, type, with_offset);
	v.vertex = vertex.words;
	v.vertex_size = 4 * vertex.count;
	v.pixel = pixel.words;
	v.pixel_size = 4 * pixel.count;
	return !vector_run(&v);
}

static void test_case(const struct texture_case *test, unsigned dimension)
{
	const uint32_t types[3] = {5, 4, 3};	/* float, unsigned, signed */
	bool offset = test->offset && dimension != CUBE && dimension != CUBEARRAY && dimension != BUFFER;
	bool good = true;

	for (unsigned t = 0; t < (test->integer ? 3 : 1); t++) {
		good &= accepted(test, dimension, types[t], false, false);
		if (!test->pixel_only)
			good &= accepted(test, dimension, types[t], true, false);
	}
	if (offset)
		good &= accepted(test, dimension, types[0], false, true);
	tap_ok(good, "%s on %s", test->name, dimension_names[dimension]);
}

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "SM4/5 textures");
		return tap_done();
	}
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned dimension = BUFFER; dimension <= CUBEARRAY; dimension++) {
			if (cases[i].dimensions & D(dimension))
				test_case(&cases[i], dimension);
		}
	}
	return tap_done();
}
