/* SPDX-License-Identifier: MIT */
/*
 * The command stream: the instruction set of the 3D engine, which EXEC ring entries run. Its one definition, for the
 * user-mode driver's encoder, the tracing decoder and the worker's checker. docs/command-stream.md is its manual.
 *
 * A stream is a sequence of commands of 32-bit little-endian words. Word 0 of a command is its header: opcode, object
 * type (CREATE_, BIND_ and DESTROY_OBJECT only) and payload length in words. Word n of the manual is payload[n - 1]
 * here. Floats are their IEEE bits; 64-bit values are two words, low first. Resources are named by the kernel's
 * res_id; objects by handles, 1 to D3DGPU_STREAM_MAX_HANDLE, that the stream's author chooses; all types share one name
 * space per context.
 */
#ifndef D3DGPU_STREAM_H
#define D3DGPU_STREAM_H

#include "d3dgpu_types.h"

/* A field is the pair "lowest bit, number of bits", to be given to the two functions below as it is. */
static inline uint32_t d3dgpu_put(unsigned shift, unsigned bits, uint32_t value)
{
	return (value & (uint32_t)((1ull << bits) - 1)) << shift;
}

static inline uint32_t d3dgpu_get(unsigned shift, unsigned bits, uint32_t word)
{
	return (word >> shift) & (uint32_t)((1ull << bits) - 1);
}

/* ---- commands ---- */

#define D3DGPU_HEADER_OPCODE 0, 8
#define D3DGPU_HEADER_OBJECT 8, 8
#define D3DGPU_HEADER_LENGTH 16, 16	/* payload words */
#define D3DGPU_MAX_PAYLOAD 65535u	/* words */

static inline uint32_t d3dgpu_header(uint32_t opcode, uint32_t object, uint32_t length)
{
	return d3dgpu_put(D3DGPU_HEADER_OPCODE, opcode) | d3dgpu_put(D3DGPU_HEADER_OBJECT, object) |
	       d3dgpu_put(D3DGPU_HEADER_LENGTH, length);
}

/* X(name, opcode, fixed, step, most): the payload is fixed + step * n words, 0 <= n <= most. CREATE_OBJECT: by object
 * type. */
#define D3DGPU_COMMAND_LIST(X) \
	X(NOP, 0, 0, 1, 65535) \
	X(CREATE_OBJECT, 1, 1, 1, 65534) \
	X(BIND_OBJECT, 2, 1, 0, 0) \
	X(DESTROY_OBJECT, 3, 1, 0, 0) \
	X(SET_VIEWPORT_STATE, 4, 1, 6, 16) \
	X(SET_FRAMEBUFFER_STATE, 5, 2, 1, 8) \
	X(SET_VERTEX_BUFFERS, 6, 0, 3, 16) \
	X(CLEAR, 7, 8, 0, 0) \
	X(DRAW_VBO, 8, 12, 2, 4) /* 12, 14 or 20 */ \
	X(RESOURCE_INLINE_WRITE, 9, 11, 1, 65524) \
	X(SET_SAMPLER_VIEWS, 10, 2, 1, 32) \
	X(SET_INDEX_BUFFER, 11, 1, 2, 1) \
	X(SET_CONSTANT_BUFFER, 12, 2, 1, 65533) \
	X(SET_STENCIL_REF, 13, 1, 0, 0) \
	X(SET_BLEND_COLOR, 14, 4, 0, 0) \
	X(SET_SCISSOR_STATE, 15, 1, 2, 16) \
	X(BLIT, 16, 21, 0, 0) \
	X(RESOURCE_COPY_REGION, 17, 13, 0, 0) \
	X(BIND_SAMPLER_STATES, 18, 2, 1, 32) \
	X(BEGIN_QUERY, 19, 1, 0, 0) \
	X(END_QUERY, 20, 1, 0, 0) \
	X(GET_QUERY_RESULT, 21, 2, 0, 0) \
	X(SET_POLYGON_STIPPLE, 22, 32, 0, 0) \
	X(SET_CLIP_STATE, 23, 32, 0, 0) \
	X(SET_SAMPLE_MASK, 24, 1, 0, 0) \
	X(SET_STREAMOUT_TARGETS, 25, 1, 1, 16) \
	X(SET_RENDER_CONDITION, 26, 3, 0, 0) \
	X(SET_UNIFORM_BUFFER, 27, 5, 0, 0) \
	X(SET_SUB_CTX, 28, 1, 0, 0) \
	X(CREATE_SUB_CTX, 29, 1, 0, 0) \
	X(DESTROY_SUB_CTX, 30, 1, 0, 0) \
	X(BIND_SHADER, 31, 2, 0, 0) \
	X(SET_TESS_STATE, 32, 6, 0, 0) \
	X(SET_MIN_SAMPLES, 33, 1, 0, 0) \
	X(SET_SHADER_BUFFERS, 34, 2, 3, 32) \
	X(SET_SHADER_IMAGES, 35, 2, 5, 32) \
	X(MEMORY_BARRIER, 36, 1, 0, 0) \
	X(LAUNCH_GRID, 37, 8, 0, 0) \
	X(SET_FRAMEBUFFER_STATE_NO_ATTACH, 38, 2, 0, 0) \
	X(TEXTURE_BARRIER, 39, 1, 0, 0) \
	X(SET_ATOMIC_BUFFERS, 40, 1, 3, 32) \
	X(SET_DEBUG_FLAGS, 41, 2, 1, 65533) \
	X(GET_QUERY_RESULT_QBO, 42, 6, 0, 0) \
	X(TRANSFER3D, 43, 13, 0, 0) \
	X(END_TRANSFERS, 44, 0, 1, 65535) \
	X(COPY_TRANSFER3D, 45, 14, 0, 0) \
	X(SET_TWEAKS, 46, 2, 0, 0) \
	X(CLEAR_TEXTURE, 47, 12, 0, 0) \
	X(PIPE_RESOURCE_CREATE, 48, 11, 0, 0) \
	X(PIPE_RESOURCE_SET_TYPE, 49, 8, 2, 4) \
	X(GET_MEMORY_INFO, 50, 1, 0, 0) \
	X(SEND_STRING_MARKER, 51, 2, 1, 65533) \
	X(LINK_SHADER, 52, 6, 0, 0)

enum d3dgpu_command {
#define D3DGPU_COMMAND_NUMBER(name, opcode, fixed, step, most) D3DGPU_CMD_##name = opcode,
	D3DGPU_COMMAND_LIST(D3DGPU_COMMAND_NUMBER)
#undef D3DGPU_COMMAND_NUMBER
	D3DGPU_CMD_COUNT,
};

/* X(name, type, fixed, step, most): payload of CREATE_OBJECT, handle included, as above */
#define D3DGPU_OBJECT_LIST(X) \
	X(BLEND, 1, 11, 0, 0) \
	X(RASTERIZER, 2, 9, 0, 0) \
	X(DSA, 3, 5, 0, 0) \
	X(SHADER, 4, 6, 1, 65529) \
	X(VERTEX_ELEMENTS, 5, 1, 4, 32) \
	X(SAMPLER_VIEW, 6, 6, 0, 0) \
	X(SAMPLER_STATE, 7, 9, 0, 0) \
	X(SURFACE, 8, 5, 0, 0) \
	X(QUERY, 9, 4, 0, 0) \
	X(STREAMOUT_TARGET, 10, 4, 0, 0) \
	X(MSAA_SURFACE, 11, 6, 0, 0)

enum d3dgpu_object {
	D3DGPU_OBJ_NONE = 0,
#define D3DGPU_OBJECT_NUMBER(name, type, fixed, step, most) D3DGPU_OBJ_##name = type,
	D3DGPU_OBJECT_LIST(D3DGPU_OBJECT_NUMBER)
#undef D3DGPU_OBJECT_NUMBER
	D3DGPU_OBJ_COUNT,
};

static inline const char *d3dgpu_command_name(uint32_t opcode)
{
	switch (opcode) {
#define D3DGPU_COMMAND_NAME(name, opcode, fixed, step, most) \
	case opcode: \
		return #name;
	D3DGPU_COMMAND_LIST(D3DGPU_COMMAND_NAME)
#undef D3DGPU_COMMAND_NAME
	default:
		return "?";
	}
}

static inline const char *d3dgpu_object_name(uint32_t type)
{
	switch (type) {
#define D3DGPU_OBJECT_NAME(name, type, fixed, step, most) \
	case type: \
		return #name;
	D3DGPU_OBJECT_LIST(D3DGPU_OBJECT_NAME)
#undef D3DGPU_OBJECT_NAME
	default:
		return "?";
	}
}

static inline bool d3dgpu_length_fits(uint32_t length, uint32_t fixed, uint32_t step, uint32_t most)
{
	if (length < fixed)
		return false;
	if (!step)
		return length == fixed;
	return (length - fixed) % step == 0 && (length - fixed) / step <= most;
}

/* Whether a header is one of a command above with a length that the command can have. */
static inline bool d3dgpu_header_valid(uint32_t header)
{
	uint32_t opcode = d3dgpu_get(D3DGPU_HEADER_OPCODE, header);
	uint32_t object = d3dgpu_get(D3DGPU_HEADER_OBJECT, header);
	uint32_t length = d3dgpu_get(D3DGPU_HEADER_LENGTH, header);

	if (opcode == D3DGPU_CMD_CREATE_OBJECT) {
		switch (object) {
#define D3DGPU_OBJECT_LENGTH(name, type, fixed, step, most) \
	case type: \
		return d3dgpu_length_fits(length, fixed, step, most);
			D3DGPU_OBJECT_LIST(D3DGPU_OBJECT_LENGTH)
#undef D3DGPU_OBJECT_LENGTH
		default:
			return false;
		}
	}
	if (opcode == D3DGPU_CMD_BIND_OBJECT)
		return length == 1 && (object == D3DGPU_OBJ_BLEND || object == D3DGPU_OBJ_RASTERIZER ||
				       object == D3DGPU_OBJ_DSA || object == D3DGPU_OBJ_VERTEX_ELEMENTS);
	if (opcode == D3DGPU_CMD_DESTROY_OBJECT)
		return length == 1 && object > D3DGPU_OBJ_NONE && object < D3DGPU_OBJ_COUNT;
	if (object)
		return false;
	if (opcode == D3DGPU_CMD_DRAW_VBO)
		return length == 12 || length == 14 || length == 20;
	switch (opcode) {
#define D3DGPU_COMMAND_LENGTH(name, opcode, fixed, step, most) \
	case opcode: \
		return d3dgpu_length_fits(length, fixed, step, most);
		D3DGPU_COMMAND_LIST(D3DGPU_COMMAND_LENGTH)
#undef D3DGPU_COMMAND_LENGTH
	default:
		return false;
	}
}

/* ---- limits ---- */

#define D3DGPU_STREAM_MAX_HANDLE 0xfffeffffu /* of an object; higher ones are the engine's own */
#define D3DGPU_STREAM_MAX_TARGETS 8	/* colour buffers */
#define D3DGPU_STREAM_MAX_VIEWPORTS 16
#define D3DGPU_STREAM_MAX_ATTRIBUTES 16	/* vertex elements and vertex buffers that the engine's GL takes */
#define D3DGPU_STREAM_MAX_UNITS 32	/* samplers and views per stage */
#define D3DGPU_STREAM_MAX_STRIDE 2048	/* bytes, of a vertex buffer */
#define D3DGPU_STREAM_MAX_ELEMENT_OFFSET 2047 /* bytes, of a vertex element */
#define D3DGPU_STREAM_MAX_CLIP_PLANES 8

/* ---- enumerations ---- */

enum d3dgpu_stage {
	D3DGPU_STAGE_VERTEX = 0,
	D3DGPU_STAGE_PIXEL = 1,
	D3DGPU_STAGE_GEOMETRY = 2,
	D3DGPU_STAGE_HULL = 3,
	D3DGPU_STAGE_DOMAIN = 4,
	D3DGPU_STAGE_COMPUTE = 5,
	D3DGPU_STAGE_COUNT,
};

/* Primitive modes. 7, 8 and 9 (quads, strips of them, polygons) kill the context. */
enum d3dgpu_primitive {
	D3DGPU_PRIM_POINTS = 0,
	D3DGPU_PRIM_LINES = 1,
	D3DGPU_PRIM_LINE_LOOP = 2,
	D3DGPU_PRIM_LINE_STRIP = 3,
	D3DGPU_PRIM_TRIANGLES = 4,
	D3DGPU_PRIM_TRIANGLE_STRIP = 5,
	D3DGPU_PRIM_TRIANGLE_FAN = 6,
	D3DGPU_PRIM_LINES_ADJACENCY = 10,
	D3DGPU_PRIM_LINE_STRIP_ADJACENCY = 11,
	D3DGPU_PRIM_TRIANGLES_ADJACENCY = 12,
	D3DGPU_PRIM_TRIANGLE_STRIP_ADJACENCY = 13,
	D3DGPU_PRIM_PATCHES = 14,
	D3DGPU_PRIM_COUNT,
};

/* Depth, stencil, alpha and sampler comparison: Direct3D's number - 1 */
enum d3dgpu_compare {
	D3DGPU_COMPARE_NEVER = 0,
	D3DGPU_COMPARE_LESS = 1,
	D3DGPU_COMPARE_EQUAL = 2,
	D3DGPU_COMPARE_LESS_EQUAL = 3,
	D3DGPU_COMPARE_GREATER = 4,
	D3DGPU_COMPARE_NOT_EQUAL = 5,
	D3DGPU_COMPARE_GREATER_EQUAL = 6,
	D3DGPU_COMPARE_ALWAYS = 7,
};

enum d3dgpu_stencil_op {
	D3DGPU_STENCIL_KEEP = 0,
	D3DGPU_STENCIL_ZERO = 1,
	D3DGPU_STENCIL_REPLACE = 2,
	D3DGPU_STENCIL_INCR_SAT = 3,
	D3DGPU_STENCIL_DECR_SAT = 4,
	D3DGPU_STENCIL_INCR = 5,	/* wraps */
	D3DGPU_STENCIL_DECR = 6,	/* wraps */
	D3DGPU_STENCIL_INVERT = 7,
};

enum d3dgpu_blend_func {
	D3DGPU_BLEND_ADD = 0,
	D3DGPU_BLEND_SUBTRACT = 1,	/* source - destination */
	D3DGPU_BLEND_REVERSE_SUBTRACT = 2,
	D3DGPU_BLEND_MIN = 3,
	D3DGPU_BLEND_MAX = 4,
};

enum d3dgpu_blend_factor {
	D3DGPU_FACTOR_ONE = 0x01,
	D3DGPU_FACTOR_SRC_COLOR = 0x02,
	D3DGPU_FACTOR_SRC_ALPHA = 0x03,
	D3DGPU_FACTOR_DST_ALPHA = 0x04,
	D3DGPU_FACTOR_DST_COLOR = 0x05,
	D3DGPU_FACTOR_SRC_ALPHA_SATURATE = 0x06,
	D3DGPU_FACTOR_CONST_COLOR = 0x07,
	D3DGPU_FACTOR_CONST_ALPHA = 0x08,
	D3DGPU_FACTOR_SRC1_COLOR = 0x09,
	D3DGPU_FACTOR_SRC1_ALPHA = 0x0a,
	D3DGPU_FACTOR_ZERO = 0x11,
	D3DGPU_FACTOR_INV_SRC_COLOR = 0x12,
	D3DGPU_FACTOR_INV_SRC_ALPHA = 0x13,
	D3DGPU_FACTOR_INV_DST_ALPHA = 0x14,
	D3DGPU_FACTOR_INV_DST_COLOR = 0x15,
	D3DGPU_FACTOR_INV_CONST_COLOR = 0x17,
	D3DGPU_FACTOR_INV_CONST_ALPHA = 0x18,
	D3DGPU_FACTOR_INV_SRC1_COLOR = 0x19,
	D3DGPU_FACTOR_INV_SRC1_ALPHA = 0x1a,
};

static inline bool d3dgpu_factor_valid(uint32_t factor)
{
	return (factor >= 0x01 && factor <= 0x0a) || (factor >= 0x11 && factor <= 0x1a && factor != 0x16);
}

enum d3dgpu_logic_op {
	D3DGPU_LOGIC_CLEAR = 0,
	D3DGPU_LOGIC_NOR = 1,
	D3DGPU_LOGIC_AND_INVERTED = 2,
	D3DGPU_LOGIC_COPY_INVERTED = 3,
	D3DGPU_LOGIC_AND_REVERSE = 4,
	D3DGPU_LOGIC_INVERT = 5,
	D3DGPU_LOGIC_XOR = 6,
	D3DGPU_LOGIC_NAND = 7,
	D3DGPU_LOGIC_AND = 8,
	D3DGPU_LOGIC_EQUIV = 9,
	D3DGPU_LOGIC_NOOP = 10,
	D3DGPU_LOGIC_OR_INVERTED = 11,
	D3DGPU_LOGIC_COPY = 12,
	D3DGPU_LOGIC_OR_REVERSE = 13,
	D3DGPU_LOGIC_OR = 14,
	D3DGPU_LOGIC_SET = 15,
};

enum d3dgpu_wrap {
	D3DGPU_WRAP_REPEAT = 0,
	D3DGPU_WRAP_CLAMP = 1,		/* the engine takes it as CLAMP_TO_EDGE */
	D3DGPU_WRAP_CLAMP_TO_EDGE = 2,
	D3DGPU_WRAP_CLAMP_TO_BORDER = 3,
	D3DGPU_WRAP_MIRROR_REPEAT = 4,
	D3DGPU_WRAP_MIRROR_CLAMP = 5,
	D3DGPU_WRAP_MIRROR_CLAMP_TO_EDGE = 6, /* Direct3D's MIRROR_ONCE; D3DGPU_OPTION_MIRROR_ONCE */
	D3DGPU_WRAP_MIRROR_CLAMP_TO_BORDER = 7,
};

enum d3dgpu_filter {
	D3DGPU_FILTER_NEAREST = 0,
	D3DGPU_FILTER_LINEAR = 1,
};

enum d3dgpu_mip_filter {
	D3DGPU_MIP_NEAREST = 0,
	D3DGPU_MIP_LINEAR = 1,
	D3DGPU_MIP_NONE = 2,
};

enum d3dgpu_swizzle {
	D3DGPU_SWIZZLE_RED = 0,
	D3DGPU_SWIZZLE_GREEN = 1,
	D3DGPU_SWIZZLE_BLUE = 2,
	D3DGPU_SWIZZLE_ALPHA = 3,
	D3DGPU_SWIZZLE_ZERO = 4,
	D3DGPU_SWIZZLE_ONE = 5,
	D3DGPU_SWIZZLE_COUNT,
};

enum d3dgpu_cull {
	D3DGPU_CULL_NONE = 0,
	D3DGPU_CULL_FRONT = 1,
	D3DGPU_CULL_BACK = 2,
	D3DGPU_CULL_BOTH = 3,
};

enum d3dgpu_fill {
	D3DGPU_FILL_SOLID = 0,
	D3DGPU_FILL_LINE = 1,
	D3DGPU_FILL_POINT = 2,
};

/* Query types. Missing numbers kill the context. */
enum d3dgpu_query {
	D3DGPU_QUERY_OCCLUSION = 0,	/* samples passed */
	D3DGPU_QUERY_OCCLUSION_PREDICATE = 1,
	D3DGPU_QUERY_TIMESTAMP = 2,	/* nanoseconds; END_QUERY only */
	D3DGPU_QUERY_TIME_ELAPSED = 4,
	D3DGPU_QUERY_PRIMITIVES_GENERATED = 5,
	D3DGPU_QUERY_PRIMITIVES_EMITTED = 6,
	D3DGPU_QUERY_SO_OVERFLOW = 8,
	D3DGPU_QUERY_SO_OVERFLOW_ANY = 12,
};

/* What the engine writes into the query's result resource. */
struct d3dgpu_query_record {
	uint32_t state;			/* enum d3dgpu_query_state */
	uint32_t size;			/* bytes of the result: 4 or 8 */
	uint64_t result;
};
enum d3dgpu_query_state {
	D3DGPU_QUERY_NEW = 0,
	D3DGPU_QUERY_DONE = 1,
	D3DGPU_QUERY_WAITING = 2,
};
D3DGPU_ASSERT_SIZE(struct d3dgpu_query_record, 16);

/* Component masks of BLIT, and of a blend target's write mask (RGBA only) */
#define D3DGPU_MASK_R 0x01u
#define D3DGPU_MASK_G 0x02u
#define D3DGPU_MASK_B 0x04u
#define D3DGPU_MASK_A 0x08u
#define D3DGPU_MASK_RGBA 0x0fu
#define D3DGPU_MASK_DEPTH 0x10u
#define D3DGPU_MASK_STENCIL 0x20u

/* Buffers of CLEAR */
#define D3DGPU_CLEAR_DEPTH 0x1u
#define D3DGPU_CLEAR_STENCIL 0x2u
#define D3DGPU_CLEAR_COLOR(n) (0x4u << (n))

/* ---- fields: BLEND ---- */

#define D3DGPU_BLEND_INDEPENDENT 0, 1	/* word 2; 0 = target 0's state is used for all */
#define D3DGPU_BLEND_LOGIC_ENABLE 1, 1
#define D3DGPU_BLEND_DITHER 2, 1
#define D3DGPU_BLEND_ALPHA_TO_COVERAGE 3, 1
#define D3DGPU_BLEND_ALPHA_TO_ONE 4, 1
#define D3DGPU_BLEND_LOGIC_OP 0, 4	/* word 3 */
#define D3DGPU_BLEND_ENABLE 0, 1	/* words 4..11, one per target */
#define D3DGPU_BLEND_RGB_FUNC 1, 3
#define D3DGPU_BLEND_RGB_SRC 4, 5
#define D3DGPU_BLEND_RGB_DST 9, 5
#define D3DGPU_BLEND_ALPHA_FUNC 14, 3
#define D3DGPU_BLEND_ALPHA_SRC 17, 5
#define D3DGPU_BLEND_ALPHA_DST 22, 5
#define D3DGPU_BLEND_WRITE_MASK 27, 4

/* ---- fields: RASTERIZER, word 2 ---- */

#define D3DGPU_RAST_FLATSHADE 0, 1
#define D3DGPU_RAST_DEPTH_CLIP 1, 1	/* 0 = depth is clamped */
#define D3DGPU_RAST_CLIP_HALFZ 2, 1	/* depth 0..1 */
#define D3DGPU_RAST_DISCARD 3, 1
#define D3DGPU_RAST_FLATSHADE_FIRST 4, 1
#define D3DGPU_RAST_TWO_SIDE 5, 1
#define D3DGPU_RAST_SPRITE_LOWER_LEFT 6, 1 /* origin of the point coordinate; 0 = row 0 */
#define D3DGPU_RAST_POINT_QUAD 7, 1
#define D3DGPU_RAST_CULL 8, 2
#define D3DGPU_RAST_FILL_FRONT 10, 2
#define D3DGPU_RAST_FILL_BACK 12, 2	/* must equal the front's */
#define D3DGPU_RAST_SCISSOR 14, 1
#define D3DGPU_RAST_FRONT_CCW 15, 1
#define D3DGPU_RAST_CLAMP_VERTEX_COLOR 16, 1
#define D3DGPU_RAST_CLAMP_FRAGMENT_COLOR 17, 1
#define D3DGPU_RAST_OFFSET_LINE 18, 1
#define D3DGPU_RAST_OFFSET_POINT 19, 1
#define D3DGPU_RAST_OFFSET_TRI 20, 1
#define D3DGPU_RAST_POINT_SIZE_PER_VERTEX 24, 1
#define D3DGPU_RAST_MULTISAMPLE 25, 1
#define D3DGPU_RAST_LINE_SMOOTH 26, 1
#define D3DGPU_RAST_LINE_LAST_PIXEL 28, 1
#define D3DGPU_RAST_HALF_PIXEL_CENTER 29, 1
#define D3DGPU_RAST_CLIP_PLANES 24, 8	/* word 5 */

/* ---- fields: DSA ---- */

#define D3DGPU_DSA_DEPTH_ENABLE 0, 1	/* word 2 */
#define D3DGPU_DSA_DEPTH_WRITE 1, 1
#define D3DGPU_DSA_DEPTH_FUNC 2, 3
#define D3DGPU_DSA_ALPHA_ENABLE 8, 1
#define D3DGPU_DSA_ALPHA_FUNC 9, 3
#define D3DGPU_DSA_STENCIL_ENABLE 0, 1	/* words 3 (front) and 4 (back; enable = two-sided) */
#define D3DGPU_DSA_STENCIL_FUNC 1, 3
#define D3DGPU_DSA_STENCIL_FAIL 4, 3
#define D3DGPU_DSA_STENCIL_ZPASS 7, 3
#define D3DGPU_DSA_STENCIL_ZFAIL 10, 3
#define D3DGPU_DSA_STENCIL_READ_MASK 13, 8
#define D3DGPU_DSA_STENCIL_WRITE_MASK 21, 8

/* ---- fields: SAMPLER_STATE, word 2 ---- */

#define D3DGPU_SAMPLER_WRAP_S 0, 3
#define D3DGPU_SAMPLER_WRAP_T 3, 3
#define D3DGPU_SAMPLER_WRAP_R 6, 3
#define D3DGPU_SAMPLER_MIN_FILTER 9, 2
#define D3DGPU_SAMPLER_MIP_FILTER 11, 2
#define D3DGPU_SAMPLER_MAG_FILTER 13, 2
#define D3DGPU_SAMPLER_COMPARE 15, 1
#define D3DGPU_SAMPLER_COMPARE_FUNC 16, 3
#define D3DGPU_SAMPLER_SEAMLESS 19, 1
#define D3DGPU_SAMPLER_ANISOTROPY 20, 5

/* ---- fields: SAMPLER_VIEW, SURFACE ---- */

#define D3DGPU_VIEW_FORMAT 0, 24	/* word 3 */
#define D3DGPU_VIEW_TARGET 24, 8	/* enum d3dgpu_target; 0 = the resource's */
#define D3DGPU_VIEW_FIRST_LAYER 0, 16	/* word 4; buffers: first element */
#define D3DGPU_VIEW_LAST_LAYER 16, 16
#define D3DGPU_VIEW_FIRST_LEVEL 0, 8	/* word 5; buffers: last element, inclusive */
#define D3DGPU_VIEW_LAST_LEVEL 8, 8
#define D3DGPU_VIEW_SWIZZLE_R 0, 3	/* word 6 */
#define D3DGPU_VIEW_SWIZZLE_G 3, 3
#define D3DGPU_VIEW_SWIZZLE_B 6, 3
#define D3DGPU_VIEW_SWIZZLE_A 9, 3
#define D3DGPU_SURFACE_FIRST_LAYER 0, 16 /* word 5 */
#define D3DGPU_SURFACE_LAST_LAYER 16, 16

/* ---- fields: SHADER ---- */

/* Word 3: bytes of the whole text with its NUL, or, in a continuation, the bytes that were sent before. */
#define D3DGPU_SHADER_OFFSET 0, 31
#define D3DGPU_SHADER_CONTINUATION 31, 1
#define D3DGPU_SHADER_HEADER_WORDS 5	/* without stream output declarations */

/* ---- fields: others ---- */

#define D3DGPU_QUERY_TYPE 0, 16		/* QUERY, word 2 */
#define D3DGPU_QUERY_INDEX 16, 16
#define D3DGPU_STENCIL_REF_FRONT 0, 8	/* SET_STENCIL_REF, word 1 */
#define D3DGPU_STENCIL_REF_BACK 8, 8
#define D3DGPU_SCISSOR_X 0, 16		/* SET_SCISSOR_STATE: words of minimum and (exclusive) maximum */
#define D3DGPU_SCISSOR_Y 16, 16
#define D3DGPU_BLIT_MASK 0, 8		/* BLIT, word 1 */
#define D3DGPU_BLIT_FILTER 8, 2
#define D3DGPU_BLIT_SCISSOR 10, 1
#define D3DGPU_BLIT_CONDITION 11, 1
#define D3DGPU_COPY_SYNCHRONIZED 0, 1	/* COPY_TRANSFER3D, word 14 */
#define D3DGPU_COPY_FROM_RESOURCE 1, 1	/* 0: staging -> resource; 1: resource -> staging */
#define D3DGPU_TRANSFER_TO_RESOURCE 1u	/* TRANSFER3D, word 13: linear image -> object */
#define D3DGPU_TRANSFER_FROM_RESOURCE 2u /* object -> linear image */

#endif
