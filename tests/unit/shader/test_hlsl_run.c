/* SPDX-License-Identifier: MIT */
/* Compiled HLSL on the engine: whole programs with flow control, indexing, textures and system values. */
#include <math.h>
#include <string.h>

#include "tap.h"
#include "vectors.h"

#include "hlsl/clip_vs_4.h"
#include "hlsl/common_vs_3.h"
#include "hlsl/common_vs_4.h"
#include "hlsl/constants_ps_4.h"
#include "hlsl/depth_ps_4.h"
#include "hlsl/discards_ps_2.h"
#include "hlsl/discards_ps_4.h"
#include "hlsl/early_return_ps_4.h"
#include "hlsl/face_ps_4.h"
#include "hlsl/gather_offset_ps_5.h"
#include "hlsl/gather_ps_5.h"
#include "hlsl/geometry_gs_4.h"
#include "hlsl/ids_vs_4.h"
#include "hlsl/immediates_ps_4.h"
#include "hlsl/indexing_vs_2.h"
#include "hlsl/indexing_vs_4.h"
#include "hlsl/lit_ps_2.h"
#include "hlsl/lit_ps_3.h"
#include "hlsl/lit_ps_4.h"
#include "hlsl/lit_ps_5.h"
#include "hlsl/lit_vs_2.h"
#include "hlsl/lit_vs_3.h"
#include "hlsl/lit_vs_4.h"
#include "hlsl/lit_vs_5.h"
#include "hlsl/load_buffer_ps_4.h"
#include "hlsl/load_ps_4.h"
#include "hlsl/loops_ps_4.h"
#include "hlsl/nested_ps_4.h"
#include "hlsl/numbers_gs_4.h"
#include "hlsl/outputs_ps_4.h"
#include "hlsl/position_ps_4.h"
#include "hlsl/primitives_ps_4.h"
#include "hlsl/sample_array_ps_4.h"
#include "hlsl/sample_compare_ps_4.h"
#include "hlsl/sample_cube_ps_4.h"
#include "hlsl/sample_gradient_ps_4.h"
#include "hlsl/sample_implicit_ps_4.h"
#include "hlsl/sample_level_ps_4.h"
#include "hlsl/sample_volume_ps_4.h"
#include "hlsl/show_a_ps_4.h"
#include "hlsl/show_ps_4.h"
#include "hlsl/size_ps_4.h"
#include "hlsl/switches_ps_4.h"
#include "hlsl/temporaries_ps_4.h"

#define PAIR(vs, ps) .vertex = (vs), .vertex_size = sizeof(vs), .pixel = (ps), .pixel_size = sizeof(ps)

typedef void reference_fn(const float (*v)[4], float *out);

/* Matches NAN in `want` with a texel that was not drawn. */
static bool compare(const struct virgl_run *run, const float (*want)[4], unsigned count, float tolerance)
{
	bool good = true;

	for (unsigned i = 0; i < count; i++) {
		for (unsigned c = 0; c < 4; c++) {
			float got = texel_float(run, i, c);
			bool same = isnan(want[i][c]) ? run->texels[i][c] == 0xdeadbeef :
							fabsf(got - want[i][c]) <=
								tolerance * fmaxf(1, fabsf(want[i][c]));

			if (!same)
				tap_diag("texel %u component %u: got %g (%#x), want %g", i, c, (double)got,
					 run->texels[i][c], (double)want[i][c]);
			good &= same;
		}
	}
	return good;
}

static void expect(struct vector_run *v, reference_fn *reference, const char *name)
{
	float want[VECTOR_COUNT][4];

	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		reference(vectors[i], want[i]);
	tap_ok(!vector_run(v) && compare(&v->run, (const float (*)[4])want, VECTOR_COUNT, 1e-4f), "%s", name);
}

/* Flow control */

static void ref_loops(const float (*v)[4], float *out)
{
	memset(out, 0, 16);
	for (int i = 0; i < 10; i++) {
		if (i == 3)
			continue;
		if (out[0] > 40)
			break;
		for (unsigned c = 0; c < 4; c++)
			out[c] += v[1][c] * (float)i;
		if (v[0][0] < -2) {
			for (unsigned c = 0; c < 4; c++)
				out[c] = -1;
			return;
		}
	}
}

static void ref_nested(const float (*v)[4], float *out)
{
	float count = 0, inner = 0;

	for (int i = 0; i < 5; i++) {
		for (int j = 0; j < 5; j++) {
			if (j > i)
				break;
			if ((i + j) % 2)
				continue;
			inner += 1;
		}
		if (v[1][0] * (float)i > 6)
			break;
		count += 1;
	}
	out[0] = count;
	out[1] = inner;
	out[2] = 0;
	out[3] = 1;
}

static void ref_switches(const float (*v)[4], float *out)
{
	out[0] = out[1] = out[2] = out[3] = 5;
	switch ((int)v[1][0]) {
	case 0:
		out[0] = 10;
		break;
	case 1:
	case 2:
		out[1] = 20;
		if (v[0][0] > 5)
			break;
		out[2] = 30;
		break;
	case 3:
		out[0] = out[1] = out[2] = out[3] = 7;
		return;
	default:
		out[3] = 40;
	}
}

static void ref_discards(const float (*v)[4], float *out)
{
	for (unsigned c = 0; c < 4; c++)
		out[c] = v[0][0] < 0 ? NAN : v[0][c];
}

static void ref_early_return(const float (*v)[4], float *out)
{
	for (unsigned c = 0; c < 4; c++) {
		if (v[0][0] > 1)
			out[c] = v[1][c];
		else
			out[c] = 2 * (v[0][0] > 0 ? v[2][c] : v[0][c]);
	}
}

static void ref_mov(const float (*v)[4], float *out)
{
	memcpy(out, v[0], 16);
}

static void test_flow(void)
{
	expect(&(struct vector_run){PAIR(common_vs_4, loops_ps_4)}, ref_loops, "for with continue, break and return");
	expect(&(struct vector_run){PAIR(common_vs_4, nested_ps_4)}, ref_nested, "nested loops with continue and break");
	expect(&(struct vector_run){PAIR(common_vs_4, switches_ps_4)}, ref_switches, "switch with shared labels and return");
	expect(&(struct vector_run){PAIR(common_vs_4, discards_ps_4)}, ref_discards, "ps_4_0 discard");
	expect(&(struct vector_run){PAIR(common_vs_3, discards_ps_2)}, ref_discards, "ps_2_0 discard");
	expect(&(struct vector_run){PAIR(common_vs_4, early_return_ps_4)}, ref_early_return, "return from nested ifs");
}

/* Indexing */

static const float table[8][4] = {
	{1, 2, 3, 4}, {10, 20, 30, 40}, {100, 200, 300, 400}, {-1, -2, -3, -4},
	{0.5f, 0.25f, 0.75f, 1}, {7, 7, 7, 7}, {8, 9, 10, 11}, {1000, 0, 0, 1},
};

static void ref_constants(const float (*v)[4], float *out)
{
	for (unsigned c = 0; c < 4; c++)
		out[c] = table[(unsigned)v[1][2] % 8][c] + table[0][c];
}

static void ref_vertex_constants(const float (*v)[4], float *out)
{
	memcpy(out, table[(unsigned)fabsf(v[1][2]) % 8], 16);
}

static void ref_immediates(const float (*v)[4], float *out)
{
	for (unsigned c = 0; c < 4; c++)
		out[c] = (float)(4 * ((unsigned)v[1][2] % 4) + c + 1);
}

static void ref_temporaries(const float (*v)[4], float *out)
{
	unsigned index = (unsigned)v[1][2] % 4;

	for (unsigned c = 0; c < 4; c++) {
		float one = v[0][c] + (index == 1);

		out[c] = v[0][c] * (float)index + 1 + one;
	}
}

static void test_indexing(void)
{
	expect(&(struct vector_run){PAIR(common_vs_4, constants_ps_4), .constants = table, .constant_count = 8},
	       ref_constants, "indexed constant buffer");
	expect(&(struct vector_run){PAIR(common_vs_4, immediates_ps_4)}, ref_immediates,
	       "indexed immediate constants");
	expect(&(struct vector_run){PAIR(common_vs_4, temporaries_ps_4)}, ref_temporaries, "indexed temporaries");
	expect(&(struct vector_run){PAIR(indexing_vs_4, show_ps_4), .constants = table, .constant_count = 8},
	       ref_vertex_constants, "vertex shader 4: indexed constant buffer");
}

/* Textures: 4x4 with one smaller level; texel (x, y) of level l is (x, y, l, 1). */

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

/* Operand a of each point, for coordinates. */
static const float coordinates[VECTOR_COUNT][4] = {
	{0.1f, 0.1f, 0, 0},	{0.6f, 0.1f, 0, 0},    {0.9f, 0.9f, 1, 0},    {0.3f, 0.8f, 1, 0},
	{0.45f, 0.55f, 0.4f, 0}, {0.7f, 0.3f, 0.3f, 0}, {0.2f, 0.7f, 0.9f, 0}, {0.8f, 0.2f, 0.1f, 0},
};

static unsigned texel_of(float coordinate, unsigned size)
{
	float texel = floorf(coordinate * (float)size);

	return texel < 0 ? 0 : texel >= (float)size ? size - 1 : (unsigned)texel;
}

static void fill_points(float (*inputs)[4], const float (*a)[4])
{
	memset(inputs, 0, 4 * VECTOR_COUNT * 16);
	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		inputs[4 * i][0] = (2 * (float)i + 1) / VECTOR_COUNT - 1;
		inputs[4 * i][2] = 0.5f;
		inputs[4 * i][3] = 1;
		memcpy(inputs[4 * i + 1], a[i], 16);
	}
}

static bool run_texture_at(const uint32_t *pixel, size_t size, struct virgl_run_texture texture, const float (*a)[4],
			   const float (*b)[4], struct vector_run *v)
{
	float inputs[4 * VECTOR_COUNT][4];
	int ret;

	fill_points(inputs, a);
	for (unsigned i = 0; b && i < VECTOR_COUNT; i++)
		memcpy(inputs[4 * i + 2], b[i], 16);
	*v = (struct vector_run){.vertex = common_vs_4, .vertex_size = sizeof(common_vs_4), .pixel = pixel,
				 .pixel_size = size};
	v->run = (struct virgl_run){.input_count = 4, .vertex_count = VECTOR_COUNT, .width = VECTOR_COUNT, .height = 1,
				    .inputs = (const float (*)[4])inputs};
	v->run.pixel.texture_count = 1;
	v->run.pixel.textures[0] = texture;
	ret = vector_run(v);
	v->run.inputs = NULL;
	return !ret;
}

static bool run_texture(const uint32_t *pixel, size_t size, struct virgl_run_texture texture, const float (*a)[4],
			struct vector_run *v)
{
	return run_texture_at(pixel, size, texture, a, NULL, v);
}

#define RUN_TEXTURE(ps, texture, v) run_texture(ps, sizeof(ps), texture, coordinates, v)

static void test_levels(void)
{
	struct vector_run v;
	float want[VECTOR_COUNT][4];
	bool ran = RUN_TEXTURE(sample_level_ps_4, image(), &v);

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		unsigned level = coordinates[i][2] >= 0.5f, size = 4 >> level;

		memcpy(want[i], (float[4]){(float)texel_of(coordinates[i][0], size),
					   (float)texel_of(coordinates[i][1], size), (float)level, 1}, 16);
	}
	tap_ok(ran && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0), "sample_l takes the level");
	ran = RUN_TEXTURE(sample_gradient_ps_4, image(), &v);
	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		/* Gradients of g per pixel are 4 g texels. */
		float lod = coordinates[i][2] > 0 ? log2f(4 * coordinates[i][2] * sqrtf(2)) : -1;
		unsigned level = lod >= 0.5f, size = 4 >> level;

		memcpy(want[i], (float[4]){(float)texel_of(coordinates[i][0], size),
					   (float)texel_of(coordinates[i][1], size), (float)level, 1}, 16);
		/* Implementations approximate; only clear cases count. */
		if (fabsf(lod - 0.5f) < 0.6f)
			for (unsigned c = 0; c < 4; c++)
				want[i][c] = texel_float(&v.run, i, c);
	}
	tap_ok(ran && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0), "sample_d takes gradients");
	ran = RUN_TEXTURE(sample_implicit_ps_4, image(), &v);
	tap_ok(ran && texel_float(&v.run, 2, 3) == 2, "sample and sample_b in one shader");
	ran = RUN_TEXTURE(load_ps_4, image(), &v);
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		memcpy(want[i], (float[4]){(float)texel_of(coordinates[i][0], 4) + 1,
					   (float)texel_of(coordinates[i][1], 4) + 1, 1, 2}, 16);
	tap_ok(ran && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0), "ld with level and offset");
}

static void test_queries(void)
{
	static const float sizes[4] = {4, 4, 2, 1};
	static const float offsets[VECTOR_COUNT][4] = {[4] = {1, -1, 0, 0}};
	struct vector_run v;
	float want[VECTOR_COUNT][4];
	bool ran = RUN_TEXTURE(size_ps_4, image(), &v);

	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		memcpy(want[i], sizes, 16);
	tap_ok(ran && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0), "resinfo: width, height, levels");
	ran = RUN_TEXTURE(gather_ps_5, image(), &v);
	/* Point 4 (0.45, 0.55) lies among texels (1,1) (2,1) (1,2) (2,2): x of lower left, lower right, upper right, left. */
	memcpy(want[4], (float[4]){1, 2, 2, 1}, 16);
	tap_ok(ran && compare((struct virgl_run *)&v.run, (const float (*)[4])want, 0, 0) &&
		       texel_float(&v.run, 4, 0) == 1 && texel_float(&v.run, 4, 1) == 2 &&
		       texel_float(&v.run, 4, 2) == 2 && texel_float(&v.run, 4, 3) == 1,
	       "gather4 order");
	/* The offset is operand b, which fill_points leaves 0 but for point 4. */
	ran = run_texture_at(gather_offset_ps_5, sizeof(gather_offset_ps_5), image(), coordinates, offsets, &v);
	tap_ok(ran && texel_float(&v.run, 4, 0) == 2 && texel_float(&v.run, 4, 1) == 3 &&
		       texel_float(&v.run, 4, 2) == 3 && texel_float(&v.run, 4, 3) == 2,
	       "gather4_po: an offset from a register");
}

static void test_dimensions(void)
{
	static float layers[6][4][4];		/* six 2x2 slices; texel = (x, y, slice, 1) */
	static const float directions[VECTOR_COUNT][4] = {
		{1, 0.1f, 0.1f, 0}, {-1, 0.1f, 0.1f, 0}, {0.1f, 1, 0.1f, 0}, {0.1f, -1, 0.1f, 0},
		{0.1f, 0.1f, 1, 0}, {0.1f, 0.1f, -1, 0}, {2, -0.3f, 0.4f, 0}, {0.2f, 0.3f, -3, 0}};
	static const float faces[VECTOR_COUNT] = {0, 1, 2, 3, 4, 5, 0, 5};
	static const float slices[VECTOR_COUNT][4] = {
		{0.1f, 0.1f, 0, 0}, {0.9f, 0.1f, 1, 0}, {0.1f, 0.9f, 2, 0}, {0.9f, 0.9f, 3, 0},
		{0.1f, 0.1f, 4, 0}, {0.9f, 0.1f, 5, 0}, {0.1f, 0.9f, 9, 0}, {0.9f, 0.9f, -3, 0}};
	static const float indices[VECTOR_COUNT][4] = {{0}, {1}, {5}, {8}, {15}, {16}, {20}, {23}};
	struct virgl_run_texture texture = {.format = VIRGL_RUN_FLOAT, .width = 2, .height = 2, .layers = 6,
					    .levels = 1, .data = {layers}};
	struct vector_run v;
	bool ran, good = true;

	for (unsigned i = 0; i < 24; i++)
		memcpy(layers[i / 4][i % 4], (float[4]){(float)(i % 2), (float)(i / 2 % 2), (float)(i / 4), 1}, 16);
	texture.target = VIRGL_RUN_CUBE;
	ran = run_texture(sample_cube_ps_4, sizeof(sample_cube_ps_4), texture, directions, &v);
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= texel_float(&v.run, i, 2) == faces[i];
	tap_ok(ran && good, "sample a cube: every face");
	texture.target = VIRGL_RUN_2D_ARRAY;
	ran = run_texture(sample_array_ps_4, sizeof(sample_array_ps_4), texture, slices, &v);
	good = true;
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= texel_float(&v.run, i, 2) == fminf(5, fmaxf(0, slices[i][2])) &&
			texel_float(&v.run, i, 0) == (slices[i][0] > 0.5f);
	tap_ok(ran && good, "sample an array: layer in z, clamped");
	texture.target = VIRGL_RUN_3D;
	texture.layers = 4;
	ran = run_texture(sample_volume_ps_4, sizeof(sample_volume_ps_4), texture, coordinates, &v);
	good = true;
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= texel_float(&v.run, i, 2) == (float)texel_of(coordinates[i][2], 4);
	tap_ok(ran && good, "sample a volume");
	texture = (struct virgl_run_texture){.target = VIRGL_RUN_BUFFER, .format = VIRGL_RUN_FLOAT, .width = 24,
					     .height = 1, .layers = 1, .levels = 1, .data = {layers}};
	ran = run_texture(load_buffer_ps_4, sizeof(load_buffer_ps_4), texture, indices, &v);
	good = true;
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= texel_float(&v.run, i, 2) == floorf(indices[i][0] / 4);
	tap_ok(ran && good, "ld from a buffer");
}

static void test_comparison(void)
{
	static const uint16_t depths[4] = {0x4000, 0x8000, 0xc000, 0xffff};	/* .25 .5 .75 1 */
	struct virgl_run_texture texture = {.target = VIRGL_RUN_2D, .format = VIRGL_RUN_DEPTH16, .width = 2,
					    .height = 2, .layers = 1, .levels = 1, .data = {depths}, .compare = true};
	struct vector_run v;
	float want[VECTOR_COUNT][4];
	bool ran = RUN_TEXTURE(sample_compare_ps_4, texture, &v);

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		unsigned texel = texel_of(coordinates[i][0], 2) + 2 * texel_of(coordinates[i][1], 2);
		float lit = coordinates[i][2] <= (float)depths[texel] / 65535;

		memcpy(want[i], (float[4]){lit, lit, 0, 1}, 16);
	}
	tap_ok(ran && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0),
	       "sample_c and sample_c_lz compare with less-equal");
}

/* System values */

static void test_values(void)
{
	struct vector_run v = {PAIR(ids_vs_4, show_ps_4)};
	float want[VECTOR_COUNT][4];
	int base = 3;
	float inputs[VECTOR_COUNT][4];
	bool good = true;

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		memcpy(inputs[i], (float[4]){(2 * (float)i + 1) / VECTOR_COUNT - 1, 0, 0.5f, 1}, 16);
		memcpy(want[i], (float[4]){(float)i, 0, 0, 1}, 16);
	}
	memcpy(&v.system[SHADER_SYS_DRAW][0], &base, 4);
	v.run = (struct virgl_run){.input_count = 1, .vertex_count = VECTOR_COUNT, .first_vertex = 3,
				   .width = VECTOR_COUNT, .height = 1, .inputs = (const float (*)[4])inputs};
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0),
	       "SV_VertexID counts from the first vertex of the draw");
	v.run.instance_count = 3;
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		want[i][1] = 2;
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0), "SV_InstanceID");

	v = (struct vector_run){PAIR(common_vs_4, position_ps_4)};
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		memcpy(want[i], (float[4]){(float)i + 0.5f, 0.5f, 0.5f, 1}, 16);
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 1e-5f),
	       "SV_Position: pixel centres, depth, w");

	v = (struct vector_run){PAIR(common_vs_4, primitives_ps_4)};
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		memcpy(want[i], (float[4]){(float)i, 0, 0, 1}, 16);
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0),
	       "SV_PrimitiveID in a pixel shader");

	v = (struct vector_run){PAIR(common_vs_4, depth_ps_4), .run.depth = true};
	good = !vector_run(&v);
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		good &= v.run.depths[i] == 0.25f;
	tap_ok(good, "SV_Depth");
}

/* A triangle that covers the target; winding as seen on the screen. */
static void test_faces(void)
{
	static const float clockwise[3][4] = {{-1, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}, {3, -1, 0.5f, 1}};
	static const float counter[3][4] = {{-1, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}};
	struct vector_run v = {PAIR(ids_vs_4, face_ps_4)};

	v.run = (struct virgl_run){.input_count = 1, .vertex_count = 3, .width = 2, .height = 2,
				   .primitive = VIRGL_RUN_TRIANGLES, .inputs = clockwise};
	tap_ok(!vector_run(&v) && texel_float(&v.run, 0, 1) == 2, "SV_IsFrontFace is true for a clockwise triangle");
	v.run.inputs = counter;
	tap_ok(!vector_run(&v) && texel_float(&v.run, 0, 1) == 6, "SV_IsFrontFace is false for the other winding");
}

/* The usual pair, in every model: position = transform * position, colour and texel as in the source. */
static void test_lit(const char *model, const uint32_t *vs, size_t vs_size, const uint32_t *ps, size_t ps_size)
{
	/* Columns of the matrix; HLSL packs them column by column. Mirrors x. */
	static const float constants[5][4] = {{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1},
					      {0.5f, 0.25f, 0, 0.125f}};
	struct vector_run v = {.vertex = vs, .vertex_size = vs_size, .pixel = ps, .pixel_size = ps_size,
			       .constants = constants, .constant_count = 5};
	float inputs[3 * VECTOR_COUNT][4], want[VECTOR_COUNT][4];

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		float x = (2 * (float)i + 1) / VECTOR_COUNT - 1, normal[3] = {(float)i / 8, 0.5f, -1};
		float colour = fmaxf(normal[0] * 0.5f + normal[1] * 0.25f, 0) + 0.125f;
		float *texel = want[VECTOR_COUNT - 1 - i];

		memcpy(inputs[3 * i], (float[4]){x, 0, 0.5f, 1}, 16);
		memcpy(inputs[3 * i + 1], (float[4]){normal[0], normal[1], normal[2], 1}, 16);
		memcpy(inputs[3 * i + 2], coordinates[i], 16);
		texel[0] = (float)texel_of(coordinates[i][0], 4) * colour;
		texel[1] = (float)texel_of(coordinates[i][1], 4) * colour;
		texel[2] = 0;
		texel[3] = colour;
	}
	v.run = (struct virgl_run){.input_count = 3, .vertex_count = VECTOR_COUNT, .width = VECTOR_COUNT, .height = 1,
				   .inputs = (const float (*)[4])inputs};
	v.run.pixel.texture_count = 1;
	v.run.pixel.textures[0] = image();
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 1e-5f),
	       "transform, light and texture in shader model %s", model);
}

/* What is not drawn is NAN in `want`. */
static void test_outputs(void)
{
	struct vector_run v = {PAIR(clip_vs_4, show_ps_4), .run.clip_planes = 1};

	expect(&v, ref_discards, "SV_ClipDistance: negative is clipped");
	expect(&(struct vector_run){PAIR(common_vs_4, outputs_ps_4)}, ref_mov, "SV_Target0 beside SV_Target2");
}

static void test_geometry(void)
{
	struct vector_run v = {PAIR(common_vs_4, show_a_ps_4), .geometry = geometry_gs_4,
			       .geometry_size = sizeof(geometry_gs_4), .run.height = 2};
	float want[2 * VECTOR_COUNT][4];

	/* Points stand on the border of the two rows: y = 0 is the upper edge of the lower row. */
	v.vertex_key.position_offset = 0;
	v.geometry_key.position_offset = 1;
	v.system[SHADER_SYS_POSITION][1] = 0.5f;
	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		for (unsigned c = 0; c < 4; c++) {
			want[i][c] = vectors[i][0][c];
			want[VECTOR_COUNT + i][c] = vectors[i][0][c] + vectors[i][1][c];
		}
	}
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, 2 * VECTOR_COUNT, 1e-5f),
	       "gs_4_0: two points from one, offset applied by the last stage");

	v.geometry = numbers_gs_4;
	v.geometry_size = sizeof(numbers_gs_4);
	v.run.inputs = NULL;
	for (unsigned i = 0; i < VECTOR_COUNT; i++)
		memcpy(want[i], (float[4]){(float)i, 0, 0, 1}, 16);
	tap_ok(!vector_run(&v) && compare(&v.run, (const float (*)[4])want, VECTOR_COUNT, 0),
	       "gs_4_0: SV_PrimitiveID");
}

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "compiled HLSL");
		return tap_done();
	}
	test_lit("2", lit_vs_2, sizeof(lit_vs_2), lit_ps_2, sizeof(lit_ps_2));
	test_lit("3", lit_vs_3, sizeof(lit_vs_3), lit_ps_3, sizeof(lit_ps_3));
	test_lit("4", lit_vs_4, sizeof(lit_vs_4), lit_ps_4, sizeof(lit_ps_4));
	test_lit("5", lit_vs_5, sizeof(lit_vs_5), lit_ps_5, sizeof(lit_ps_5));
	test_flow();
	test_indexing();
	expect(&(struct vector_run){PAIR(indexing_vs_2, discards_ps_2), .constants = table, .constant_count = 8},
	       ref_vertex_constants, "vertex shader 2: c[a0.x + n]");
	test_levels();
	test_queries();
	test_dimensions();
	test_comparison();
	test_values();
	test_faces();
	test_outputs();
	test_geometry();
	return tap_done();
}
