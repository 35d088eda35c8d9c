/* SPDX-License-Identifier: MIT */
/*
 * The shader compiler's one public interface: Direct3D bytecode in, the device's shader text (TGSI) and what the
 * driver must know to bind it out.
 *
 *   SM1-3 token stream ─┐
 *   DXBC (SM4, SM5)    ─┴→ parse → IR → passes → emit → TGSI text
 *
 * A compiled shader depends on its bytecode and on a key (state outside the bytecode that changes code). The driver
 * parses once at creation (shader_parse), then emits one variant per key that draws need (shader_emit), and caches it.
 *
 * Resources as the device sees them:
 *  - CONST[i] (no dimension) is the stage's inline constant array, sent with SET_CONSTANT_BUFFER. Its layout is
 *    struct shader_constants: SM1-3 float, integer and boolean registers, then the system constants. For SM4+ it holds
 *    the system constants only.
 *  - CONST[n][i], n >= 1, is Direct3D 10+ constant buffer n-1.
 *  - SAMP[u]/SVIEW[u]: unit u is entry u of shader_info.units.
 *  - VS IN[i]: entry i of shader_info.inputs; the driver makes vertex element i for it.
 *  - Varyings: pixel shader inputs are GENERIC[slot], numbered by the pixel shader's own shader_linkage; the stage before it
 *    is emitted against that linkage and writes every slot, with Direct3D's default where it has no such output.
 *
 * Thread safety: no global state; a struct shader is immutable after shader_parse and may be emitted from any thread.
 */
#ifndef D3DGPU_UMD_SHADER_H
#define D3DGPU_UMD_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stage numbers of the device's command stream. */
enum shader_stage {
	SHADER_VERTEX = 0,
	SHADER_PIXEL = 1,
	SHADER_GEOMETRY = 2,
	SHADER_HULL = 3,
	SHADER_DOMAIN = 4,
	SHADER_COMPUTE = 5,
};

#define SHADER_MAX_INPUTS 32
#define SHADER_MAX_OUTPUTS 32
#define SHADER_MAX_UNITS 32
#define SHADER_NONE 0xffffffffu

/* D3DDECLUSAGE numbers for SM1-3. For SM4+, user semantics are SHADER_USAGE_REGISTER with index = register number: level
 * 10 hardware links by register. */
#define SHADER_USAGE_REGISTER 0x100u

/* How one element of a signature is named. */
struct shader_semantic {
	uint32_t usage;		/* D3DDECLUSAGE_*, or SHADER_USAGE_REGISTER */
	uint32_t index;		/* usage index, or register number */
};

enum shader_interpolation {
	SHADER_INTERPOLATE_PERSPECTIVE,
	SHADER_INTERPOLATE_LINEAR,	/* no perspective */
	SHADER_INTERPOLATE_CONSTANT,
	SHADER_INTERPOLATE_COLOR,	/* follows D3DRS_SHADEMODE / the flatshade bit */
};

struct shader_input {
	struct shader_semantic semantic;
	uint32_t reg;			/* register in the bytecode (v#) */
	uint8_t mask;			/* components that are read, xyzw = bits 0..3 */
	uint8_t type;			/* 0 float, 1 unsigned, 2 signed integer */
	uint8_t interpolation;		/* enum shader_interpolation; pixel shader inputs */
	uint8_t location;		/* where it is evaluated: 0 pixel centre, 1 centroid, 2 sample */
	char name[32];			/* SM4+: semantic name of the signature, upper case; "" for SM1-3 */
	uint32_t name_index;		/* SM4+: semantic index */
};

struct shader_output {
	struct shader_semantic semantic;
	uint32_t reg;
	uint8_t mask;
	uint8_t pad[3];
	uint32_t system_value;		/* 0, or D3D10_NAME_* (1 position, ...; 64 target; 65 depth) */
	char name[32];			/* SM4+: as in shader_input */
	uint32_t name_index;
};

/* Entry u: what must be bound to texture unit u. */
struct shader_unit {
	uint32_t texture;		/* t# (SM4+), s# (SM1-3) */
	uint32_t sampler;		/* s#, SHADER_NONE for plain loads */
	uint8_t dimension;		/* enum shader_dimension */
	uint8_t return_type;		/* 0 float (also UNORM/SNORM), 1 unsigned, 2 signed */
	bool comparison;		/* sampled with a reference value */
	uint8_t pad;
};

enum shader_dimension {
	SHADER_DIM_BUFFER, SHADER_DIM_1D, SHADER_DIM_2D, SHADER_DIM_3D, SHADER_DIM_CUBE, SHADER_DIM_1D_ARRAY,
	SHADER_DIM_2D_ARRAY, SHADER_DIM_CUBE_ARRAY, SHADER_DIM_2D_MS, SHADER_DIM_2D_MS_ARRAY,
};

/*
 * Layout of the stage's inline constant array, in vec4 units. A count is the highest register the shader can read + 1
 * (all of them with relative addressing). Registers that the shader defines itself (def, defi, defb) are immediates and
 * not counted. Booleans take one component each: b0..b3 are x..w of the first vec4, as 0 or 1 (uint32).
 */
struct shader_constants {
	uint32_t float_base, float_count;
	uint32_t int_base, int_count;
	uint32_t bool_base, bool_count;	/* bool_count in registers, not vec4s */
	uint32_t system_base, system_count;
	uint32_t total;			/* vec4s to upload; 0 = nothing */
};

/* System constants, in vec4s from shader_constants.system_base. The driver fills those that system_mask asks for. */
enum shader_system_constant {
	SHADER_SYS_POSITION = 0,	/* VS: {x, y} added to position.xy * w (D3D9 half pixel: +1/W, -1/H); zw spare */
	SHADER_SYS_DRAW = 1,		/* VS: x = base vertex (int) to subtract from the vertex index */
	SHADER_SYS_FOG = 2,		/* PS: fog colour rgb */
	SHADER_SYS_FOG_PARAMS = 3,	/* PS: start, end, density, 1/(end-start) */
	SHADER_SYS_BUMP = 4,		/* ps_1_x, + stage (0..5): BUMPENVMAT 00, 01, 10, 11 */
	SHADER_SYS_BUMP_LUMINANCE = 10,	/* ps_1_x, + stage (0..5): BUMPENVLSCALE, BUMPENVLOFFSET */
	SHADER_SYS_COUNT = 16,
};

struct shader_info {
	enum shader_stage stage;
	uint8_t major, minor;
	uint32_t instruction_count;
	uint32_t input_count;
	struct shader_input inputs[SHADER_MAX_INPUTS];
	uint32_t output_count;
	struct shader_output outputs[SHADER_MAX_OUTPUTS];
	uint32_t unit_count;
	struct shader_unit units[SHADER_MAX_UNITS];
	uint32_t constant_buffers;	/* SM4+: bit n = cb n is read */
	uint32_t constant_buffer_size[14]; /* SM4+: declared size in vec4s */
	uint32_t render_targets;	/* PS: bit n = oC n / SV_Target n is written */
	bool writes_depth;
	bool kills;			/* may discard */
};

/* Input slots of a pixel shader, which the stage before it must write. */
struct shader_linkage {
	uint32_t count;
	struct shader_semantic slots[SHADER_MAX_INPUTS];	/* slot i = GENERIC[i] */
};

enum shader_fog {
	SHADER_FOG_NONE,
	SHADER_FOG_VERTEX,		/* factor from the FOG varying */
	SHADER_FOG_LINEAR, SHADER_FOG_EXP, SHADER_FOG_EXP2,	/* table fog from depth */
};

/* State outside the bytecode that changes code. Zero is the plain variant. Compare and hash as bytes: zero it first. */
struct shader_key {
	/* before the rasterizer */
	struct shader_linkage linkage;	/* of the pixel shader; SHADER_PIXEL ignores it */
	uint8_t position_offset;	/* apply SHADER_SYS_POSITION (D3D9 pixel centres, fractional viewports) */
	uint8_t clip_planes;		/* D3D9: number of user clip planes written as CLIPVERTEX */
	uint8_t point_size;		/* keep the PSIZE output */
	/* pixel */
	uint8_t fog;			/* enum shader_fog; ps_1_x and ps_2_x only */
	uint8_t flat_shading;
	uint8_t pad[3];
	uint32_t shadow_units;		/* SM1-3: units whose texture has a depth format: compare with the coordinate's z */
	uint32_t projected_units;	/* ps_1_x: D3DTTFF_PROJECTED */
	uint32_t unit_swizzle_one;	/* reserved, 0 */
	uint8_t stage_dimension[8];	/* ps_1_x: enum shader_dimension of the texture in each stage, 0 = as in units */
};

struct shader;

/*
 * Parses and validates bytecode: an SM1-3 token stream (version token first), a DXBC container (checksum verified), or a
 * bare SM4/5 program as the Direct3D 10+ DDI passes it (version token first, no signatures: names are then empty).
 * size is in bytes; everything behind the end token is ignored. Nothing outside [code, code+size) is ever read.
 * Returns 0, -EINVAL (malformed; message says where), -ENOTSUP (well-formed, but an instruction or stage that is not
 * built yet; message names it), -ENOMEM. message may be NULL, else is always NUL-terminated.
 */
int shader_parse(const void *code, size_t size, struct shader **out, char *message, size_t message_size);
void shader_destroy(struct shader *shader);
const struct shader_info *shader_get_info(const struct shader *shader);
/* The input slots of a pixel or geometry shader. Count 0 for other stages. */
const struct shader_linkage *shader_get_linkage(const struct shader *shader);
/*
 * The slots of the variant that key makes of a pixel shader: those of shader_get_linkage, and the fog varying behind them
 * with SHADER_FOG_VERTEX. This is what the stage before it is emitted against.
 */
void shader_variant_linkage(const struct shader *shader, const struct shader_key *key, struct shader_linkage *linkage);

/* One emitted variant. */
struct shader_text {
	char *tgsi;			/* NUL-terminated; owned by this struct */
	size_t size;			/* bytes including the NUL */
	uint32_t token_bound;		/* num_tokens for CREATE SHADER */
	struct shader_constants constants;
	uint32_t system_mask;		/* bit n = enum shader_system_constant n is read */
	/* Before the rasterizer: the device's output register of each linkage slot, for stream output; position is 0. */
	uint8_t slot_outputs[SHADER_MAX_INPUTS];
};

/* Returns 0, -ENOTSUP, -ENOMEM, -E2BIG (more varyings or constants than the device has). */
int shader_emit(const struct shader *shader, const struct shader_key *key, struct shader_text *out,
		char *message, size_t message_size);
void shader_text_free(struct shader_text *text);

/* Prints the IR before and after the passes, one instruction a line; malloc'ed text. For D3DGPU_DEBUG=shaders. */
char *shader_print(const struct shader *shader);

/* Generated shaders of the driver itself (blits, clears, fixed function) are written as TGSI by hand or through ir.h. */

#endif
