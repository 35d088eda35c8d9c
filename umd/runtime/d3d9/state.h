/* SPDX-License-Identifier: MIT */
/*
 * The state of a device that a state block can hold, and which parts of it one does. The device and each block have a
 * struct d3d9_state; bound objects in it are held with object_bind.
 */
#ifndef D3DGPU_D3D9_STATE_H
#define D3DGPU_D3D9_STATE_H

#include "object.h"

#define STATE_RENDER_STATES 256
#define STATE_SAMPLERS 20		/* 0..15 pixel, 16..19 vertex */
#define STATE_SAMPLER_STATES 14		/* by D3DSAMP_ number */
#define STATE_STAGES 8
#define STATE_STAGE_STATES 33		/* by D3DTSS_ number */
#define STATE_STREAMS 16
#define STATE_VS_FLOATS 256
#define STATE_PS_FLOATS 224
#define STATE_INTS 16
#define STATE_BOOLS 16
#define STATE_CLIP_PLANES 6
#define STATE_TRANSFORMS 512		/* by D3DTS_ number */
#define STATE_LIGHTS 64			/* indices that a program can use */

struct d3d9_buffer;
struct d3d9_texture;
struct d3d9_declaration;
struct d3d9_shader;

struct state_stream {
	struct d3d9_buffer *buffer;
	UINT offset, stride, frequency;
};

struct state_light {
	bool defined, enabled;
	D3DLIGHT9 light;
};

/* Constants of one shader stage. */
struct state_constants {
	float floats[STATE_VS_FLOATS][4];
	int ints[STATE_INTS][4];
	BOOL bools[STATE_BOOLS];
};

struct d3d9_state {
	DWORD render[STATE_RENDER_STATES];
	DWORD sampler[STATE_SAMPLERS][STATE_SAMPLER_STATES];
	DWORD stage[STATE_STAGES][STATE_STAGE_STATES];
	struct d3d9_texture *textures[STATE_SAMPLERS];
	struct state_stream streams[STATE_STREAMS];
	struct d3d9_buffer *indices;
	struct d3d9_declaration *declaration;
	struct d3d9_shader *vs, *ps;
	struct state_constants vs_constants, ps_constants;
	D3DMATRIX transforms[STATE_TRANSFORMS];
	D3DMATERIAL9 material;
	struct state_light lights[STATE_LIGHTS];
	float clip_planes[STATE_CLIP_PLANES][4];
	D3DVIEWPORT9 viewport;
	RECT scissor;
};

/* Bit sets of what a block holds. */
struct constant_marks {
	uint32_t floats[STATE_VS_FLOATS / 32];
	uint32_t ints, bools;
};

struct state_marks {
	uint32_t render[STATE_RENDER_STATES / 32];
	uint32_t sampler[STATE_SAMPLERS];
	uint64_t stage[STATE_STAGES];
	uint32_t textures, streams, frequencies, lights, light_enables, clip_planes;
	uint32_t transforms[STATE_TRANSFORMS / 32];
	struct constant_marks vs_constants, ps_constants;
	bool indices, declaration, vs, ps, material, viewport, scissor;
};

static inline void mark(uint32_t *set, unsigned bit)
{
	set[bit / 32] |= 1u << bit % 32;
}

static inline bool is_marked(const uint32_t *set, unsigned bit)
{
	return set[bit / 32] >> bit % 32 & 1;
}

/* Direct3D's defaults; width and height are the back buffer's. Bound objects are not touched. */
void state_set_defaults(struct d3d9_state *state, UINT width, UINT height, bool auto_depth_stencil);
/* What a block of a type holds. */
void marks_for_type(struct state_marks *marks, D3DSTATEBLOCKTYPE type);
/* Lets go of everything that is bound in it. */
void state_unbind_all(struct d3d9_state *state);

#endif
