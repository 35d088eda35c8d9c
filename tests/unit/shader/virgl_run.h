/* SPDX-License-Identifier: MIT */
/*
 * Runs emitted shader text on the real engine, libvirglrenderer: one draw into a small target, whose texels come back.
 * Each run has a context of its own, so that a shader that the engine rejects costs one test.
 *
 * Points are the usual way: vertex i lands on texel i, its attributes reach the pixel shader unchanged, and texel i is
 * the shader's result for test vector i.
 */
#ifndef D3DGPU_TESTS_VIRGL_RUN_H
#define D3DGPU_TESTS_VIRGL_RUN_H

#include <stdbool.h>
#include <stdint.h>

#define VIRGL_RUN_MAX_TEXTURES 4
#define VIRGL_RUN_MAX_TEXELS 256

enum virgl_run_format {
	VIRGL_RUN_FLOAT = 31,		/* R32G32B32A32_FLOAT */
	VIRGL_RUN_UINT = 196,		/* R32G32B32A32_UINT */
	VIRGL_RUN_DEPTH16 = 16,		/* Z16_UNORM: two bytes a texel */
};

enum virgl_run_target {			/* PIPE_TEXTURE_* */
	VIRGL_RUN_BUFFER = 0, VIRGL_RUN_1D = 1, VIRGL_RUN_2D = 2, VIRGL_RUN_3D = 3, VIRGL_RUN_CUBE = 4,
	VIRGL_RUN_2D_ARRAY = 7,
};

struct virgl_run_texture {
	enum virgl_run_target target;
	enum virgl_run_format format;
	uint32_t width, height, layers;	/* of level 0; layers: depth, faces or array size */
	uint32_t levels;
	const void *data[4];		/* by level, tightly packed */
	bool compare;			/* less-equal */
	bool linear;
};

struct virgl_run_stage {
	const char *text;		/* NULL: no such stage */
	uint32_t token_bound;
	const void *constants;		/* inline array */
	uint32_t constant_count;	/* vec4s */
	const void *buffer;		/* constant buffer 0 */
	uint32_t buffer_count;		/* vec4s */
	struct virgl_run_texture textures[VIRGL_RUN_MAX_TEXTURES];
	uint32_t texture_count;
};

enum { VIRGL_RUN_POINTS = 0, VIRGL_RUN_TRIANGLES = 4, VIRGL_RUN_TRIANGLE_STRIP = 5 };

struct virgl_run {
	struct virgl_run_stage vertex, pixel, geometry;
	uint32_t primitive;
	uint32_t input_count;		/* attributes of four floats */
	uint32_t vertex_count;
	const float (*inputs)[4];	/* vertex_count * input_count */
	uint32_t instance_count;	/* 0 = not instanced */
	uint32_t first_vertex;		/* vertices in front of this one are zero */
	enum virgl_run_format format;
	uint32_t width, height;
	uint32_t clip_planes;		/* rasterizer mask */
	const float (*planes)[4];	/* eight, NULL = none */
	bool depth;			/* has a depth buffer, cleared to 1, test LESS */
	uint32_t texels[VIRGL_RUN_MAX_TEXELS][4];	/* result, row by row from the top */
	float depths[VIRGL_RUN_MAX_TEXELS];		/* with depth */
};

/* false: the engine cannot start here. */
bool virgl_run_available(void);
/* 0, or -1 when the engine rejected something; its log is in virgl_run_log(). Cleared texels hold 0xdeadbeef... bits. */
int virgl_run(struct virgl_run *run);
const char *virgl_run_log(void);

#endif
