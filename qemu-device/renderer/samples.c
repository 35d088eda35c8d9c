/* SPDX-License-Identifier: MIT */
/*
 * The drawing happens in a sub-context of the engine that command streams cannot reach, so that it disturbs no state.
 * Objects that never change are made once, at first use; shaders are made once per kind. Bits survive: a texel that is
 * read as a number of its format and written as one is the same again (but for NaNs, and X components, which nobody can
 * read).
 */
#include "samples.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "d3dgpu_stream.h"
#include "engine.h"

#define SUB_CONTEXT 1u
#define GUEST_SUB_CONTEXT 0u
#define STREAM_WORDS 1024u

/* What a texel is to a shader. */
enum texel_kind { TEXEL_FLOAT, TEXEL_UINT, TEXEL_SINT, TEXEL_DEPTH, TEXEL_DEPTH24, TEXEL_STENCIL, TEXEL_KINDS };

/* Textures as shaders read them. */
enum source_kind { SOURCE_SINGLE, SOURCE_SAMPLES, SOURCE_SAMPLES_ARRAY, SOURCE_KINDS };

/* Objects of the sub-context; 0 is none. */
enum handle {
	HANDLE_BLEND = 1,
	HANDLE_COLOR_DSA,
	HANDLE_DEPTH_DSA,
	HANDLE_STENCIL_DSA,
	HANDLE_RASTERIZER,
	HANDLE_VERTEX_ELEMENTS,
	HANDLE_SAMPLER,
	HANDLE_VERTEX_SHADER,
	HANDLE_SURFACE,			/* these two for one drawing only */
	HANDLE_VIEW,
	HANDLE_SHADERS,			/* TEXEL_KINDS * SOURCE_KINDS of them */
};

static bool made_objects;
static bool made_shader[TEXEL_KINDS][SOURCE_KINDS];

struct stream {
	uint32_t words[STREAM_WORDS];
	uint32_t count;
};

/* Streams here have a size that is known beforehand: far below the room. */
static void put(struct stream *stream, uint32_t count, const uint32_t *words)
{
	memcpy(stream->words + stream->count, words, count * sizeof(uint32_t));
	stream->count += count;
}

#define WORDS(...) sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__}

static uint32_t command(enum d3dgpu_command opcode, uint32_t length)
{
	return d3dgpu_header(opcode, 0, length);
}

static uint32_t create(enum d3dgpu_object type, uint32_t length)
{
	return d3dgpu_header(D3DGPU_CMD_CREATE_OBJECT, type, length);
}

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void put_shader(struct stream *stream, uint32_t handle, enum d3dgpu_stage stage, const char *text)
{
	uint32_t size = (uint32_t)strlen(text) + 1, words = (size + 3) / 4;
	uint32_t padded[STREAM_WORDS / 2] = {0};

	memcpy(padded, text, size);
	put(stream, WORDS(create(D3DGPU_OBJ_SHADER, D3DGPU_SHADER_HEADER_WORDS + words), handle, stage, size, 300, 0));
	put(stream, words, padded);
}

/* One triangle that covers everything, from the vertex number alone. */
static const char vertex_shader[] = "VERT\n"
				    "DCL SV[0], VERTEXID\n"
				    "DCL OUT[0], POSITION\n"
				    "DCL TEMP[0]\n"
				    "IMM[0] FLT32 {4.0, -1.0, 0.0, 1.0}\n"
				    "IMM[1] UINT32 {1, 0, 0, 0}\n"
				    "0: AND TEMP[0].x, SV[0].xxxx, IMM[1].xxxx\n"
				    "1: USHR TEMP[0].y, SV[0].xxxx, IMM[1].xxxx\n"
				    "2: U2F TEMP[0].xy, TEMP[0].xyxx\n"
				    "3: MAD OUT[0].xy, TEMP[0].xyxx, IMM[0].xxxx, IMM[0].yyyy\n"
				    "4: MOV OUT[0].zw, IMM[0].zzzw\n"
				    "5: END\n";

/*
 * How a texel goes from TEMP[1] to the output. DEPTH24 is for an engine that reads depth too large: back to the integer
 * that is stored, by the scale 2^24 * (1 - 2^-23), and from there to the nearest float; 1.0 is right as it is.
 */
static const char *const moves[] = {
	[TEXEL_FLOAT] = "MOV OUT[0], TEMP[1]\n",
	[TEXEL_UINT] = "MOV OUT[0], TEMP[1]\n",
	[TEXEL_SINT] = "MOV OUT[0], TEMP[1]\n",
	[TEXEL_DEPTH] = "MOV OUT[0].z, TEMP[1].xxxx\n",
	[TEXEL_DEPTH24] = "MUL TEMP[1].y, TEMP[1].xxxx, IMM[0].xxxx\n"
			  "ROUND TEMP[1].y, TEMP[1].yyyy\n"
			  "DIV TEMP[1].y, TEMP[1].yyyy, IMM[0].yyyy\n"
			  "ADD TEMP[1].z, TEMP[1].xxxx, IMM[0].zzzz\n"
			  "CMP OUT[0].z, TEMP[1].zzzz, TEMP[1].yyyy, TEMP[1].xxxx\n",
	[TEXEL_STENCIL] = "MOV OUT[0].y, TEMP[1].xxxx\n",
};

/* CONST[0].xy = layer, and the sample (level 0 of a single-sampled source). */
static void put_pixel_shader(struct stream *stream, enum texel_kind texel, enum source_kind source)
{
	static const char *const targets[SOURCE_KINDS] = {"2D", "2D_MSAA", "2D_ARRAY_MSAA"};
	static const char *const types[TEXEL_KINDS] = {"FLOAT", "UINT", "SINT", "FLOAT", "FLOAT", "UINT"};
	static const char *const outputs[TEXEL_KINDS] = {"COLOR", "COLOR", "COLOR", "POSITION", "POSITION", "STENCIL"};
	char text[1024];

	snprintf(text, sizeof(text),
		 "FRAG\n"
		 "PROPERTY FS_COORD_ORIGIN UPPER_LEFT\n"
		 "DCL IN[0], POSITION, LINEAR\n"
		 "DCL OUT[0], %s\n"
		 "DCL SAMP[0]\n"
		 "DCL SVIEW[0], %s, %s\n"
		 "DCL CONST[0]\n"
		 "DCL TEMP[0..1]\n"
		 "IMM[0] FLT32 {16777214.0, 16777215.0, -1.0, 0.0}\n"
		 "F2I TEMP[0].xy, IN[0].xyyy\n"
		 "F2I TEMP[0].zw, CONST[0].xyxy\n"
		 "TXF TEMP[1], TEMP[0], SAMP[0], %s\n"
		 "%s"
		 "END\n",
		 outputs[texel], targets[source], types[texel], targets[source], moves[texel]);
	put_shader(stream, HANDLE_SHADERS + texel * SOURCE_KINDS + source, D3DGPU_STAGE_PIXEL, text);
}

static void put_objects(struct stream *stream)
{
	uint32_t write = d3dgpu_put(D3DGPU_BLEND_WRITE_MASK, D3DGPU_MASK_RGBA);
	uint32_t depth = d3dgpu_put(D3DGPU_DSA_DEPTH_ENABLE, 1) | d3dgpu_put(D3DGPU_DSA_DEPTH_WRITE, 1) |
			 d3dgpu_put(D3DGPU_DSA_DEPTH_FUNC, D3DGPU_COMPARE_ALWAYS);
	uint32_t stencil =
		d3dgpu_put(D3DGPU_DSA_STENCIL_ENABLE, 1) | d3dgpu_put(D3DGPU_DSA_STENCIL_FUNC, D3DGPU_COMPARE_ALWAYS) |
		d3dgpu_put(D3DGPU_DSA_STENCIL_FAIL, D3DGPU_STENCIL_REPLACE) |
		d3dgpu_put(D3DGPU_DSA_STENCIL_ZPASS, D3DGPU_STENCIL_REPLACE) |
		d3dgpu_put(D3DGPU_DSA_STENCIL_ZFAIL, D3DGPU_STENCIL_REPLACE) |
		d3dgpu_put(D3DGPU_DSA_STENCIL_READ_MASK, 0xff) | d3dgpu_put(D3DGPU_DSA_STENCIL_WRITE_MASK, 0xff);
	uint32_t rasterizer = d3dgpu_put(D3DGPU_RAST_CLIP_HALFZ, 1) | d3dgpu_put(D3DGPU_RAST_MULTISAMPLE, 1);
	uint32_t one = float_bits(1);
	uint32_t clamp = d3dgpu_put(D3DGPU_SAMPLER_WRAP_S, D3DGPU_WRAP_CLAMP_TO_EDGE) |
			 d3dgpu_put(D3DGPU_SAMPLER_WRAP_T, D3DGPU_WRAP_CLAMP_TO_EDGE) |
			 d3dgpu_put(D3DGPU_SAMPLER_WRAP_R, D3DGPU_WRAP_CLAMP_TO_EDGE) |
			 d3dgpu_put(D3DGPU_SAMPLER_MIP_FILTER, D3DGPU_MIP_NONE);

	put(stream, WORDS(create(D3DGPU_OBJ_BLEND, 11), HANDLE_BLEND, 0, 0, write, write, write, write, write, write,
			  write, write));
	put(stream, WORDS(create(D3DGPU_OBJ_DSA, 5), HANDLE_COLOR_DSA, 0, 0, 0, 0));
	put(stream, WORDS(create(D3DGPU_OBJ_DSA, 5), HANDLE_DEPTH_DSA, depth, 0, 0, 0));
	put(stream, WORDS(create(D3DGPU_OBJ_DSA, 5), HANDLE_STENCIL_DSA, 0, stencil, 0, 0));
	put(stream, WORDS(create(D3DGPU_OBJ_RASTERIZER, 9), HANDLE_RASTERIZER, rasterizer, one, 0, 0, one, 0, 0, 0));
	put(stream, WORDS(create(D3DGPU_OBJ_VERTEX_ELEMENTS, 1), HANDLE_VERTEX_ELEMENTS));
	put(stream, WORDS(create(D3DGPU_OBJ_SAMPLER_STATE, 9), HANDLE_SAMPLER, clamp, 0, 0, 0, 0, 0, 0, 0));
	put_shader(stream, HANDLE_VERTEX_SHADER, D3DGPU_STAGE_VERTEX, vertex_shader);
	put(stream, WORDS(d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_BLEND, 1), HANDLE_BLEND));
	put(stream, WORDS(d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_RASTERIZER, 1), HANDLE_RASTERIZER));
	put(stream,
	    WORDS(d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 1), HANDLE_VERTEX_ELEMENTS));
	put(stream, WORDS(command(D3DGPU_CMD_BIND_SAMPLER_STATES, 3), D3DGPU_STAGE_PIXEL, 0, HANDLE_SAMPLER));
	put(stream, WORDS(command(D3DGPU_CMD_BIND_SHADER, 2), HANDLE_VERTEX_SHADER, D3DGPU_STAGE_VERTEX));
}

/* Enters the sub-context and makes what the drawing needs there. */
static int prepare(enum texel_kind texel, enum source_kind source)
{
	struct stream stream = {0};
	int error;

	if (!made_objects)
		put(&stream, WORDS(command(D3DGPU_CMD_CREATE_SUB_CTX, 1), SUB_CONTEXT));
	put(&stream, WORDS(command(D3DGPU_CMD_SET_SUB_CTX, 1), SUB_CONTEXT));
	if (!made_objects)
		put_objects(&stream);
	if (!made_shader[texel][source])
		put_pixel_shader(&stream, texel, source);
	error = engine_submit(stream.words, stream.count);
	if (error)
		return error;
	made_objects = true;
	made_shader[texel][source] = true;
	return 0;
}

static int leave(void)
{
	uint32_t words[] = {command(D3DGPU_CMD_SET_SUB_CTX, 1), GUEST_SUB_CONTEXT};

	return engine_submit(words, 2);
}

/* ---- formats ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), end_length = strlen(end);

	return length >= end_length && !strcmp(name + length - end_length, end);
}

static bool has_depth(uint32_t format)
{
	return format == D3DGPU_FMT_Z16_UNORM || format == D3DGPU_FMT_Z24X8_UNORM || format == D3DGPU_FMT_Z32_UNORM ||
	       format == D3DGPU_FMT_Z32_FLOAT || format == D3DGPU_FMT_S8_UINT_Z24_UNORM ||
	       format == D3DGPU_FMT_Z32_FLOAT_S8X24_UINT;
}

static bool has_stencil(uint32_t format)
{
	return format == D3DGPU_FMT_S8_UINT_Z24_UNORM || format == D3DGPU_FMT_Z32_FLOAT_S8X24_UINT;
}

/* What there is besides stencil. */
static enum texel_kind kind_of(uint32_t format)
{
	if (format == D3DGPU_FMT_S8_UINT_Z24_UNORM || format == D3DGPU_FMT_Z24X8_UNORM)
		return engine_reads_depth_too_large() ? TEXEL_DEPTH24 : TEXEL_DEPTH;
	if (has_depth(format))
		return TEXEL_DEPTH;
	if (ends_with(d3dgpu_format_name(format), "_UINT"))
		return TEXEL_UINT;
	return ends_with(d3dgpu_format_name(format), "_SINT") ? TEXEL_SINT : TEXEL_FLOAT;
}

/* sRGB texels are moved as the numbers they are stored as. */
static uint32_t linear_format(uint32_t format)
{
	switch (format) {
	case D3DGPU_FMT_B8G8R8A8_SRGB:
		return D3DGPU_FMT_B8G8R8A8_UNORM;
	case D3DGPU_FMT_B8G8R8X8_SRGB:
		return D3DGPU_FMT_B8G8R8X8_UNORM;
	case D3DGPU_FMT_R8G8B8A8_SRGB:
		return D3DGPU_FMT_R8G8B8A8_UNORM;
	default:
		return format;
	}
}

/* ---- drawing ---- */

struct drawing {
	uint32_t source, destination;		/* resource ids */
	uint32_t source_layers;			/* that the source has */
	uint32_t source_layer, destination_layer;
	uint32_t source_sample;			/* 0 of a single-sampled source */
	uint32_t sample_mask;
	uint32_t format, width, height;
	enum texel_kind texel;
	enum source_kind kind;
};

#define SWIZZLE_IDENTITY                                                                                               \
	(d3dgpu_put(D3DGPU_VIEW_SWIZZLE_R, D3DGPU_SWIZZLE_RED) |                                                       \
	 d3dgpu_put(D3DGPU_VIEW_SWIZZLE_G, D3DGPU_SWIZZLE_GREEN) |                                                     \
	 d3dgpu_put(D3DGPU_VIEW_SWIZZLE_B, D3DGPU_SWIZZLE_BLUE) |                                                      \
	 d3dgpu_put(D3DGPU_VIEW_SWIZZLE_A, D3DGPU_SWIZZLE_ALPHA))

/* The source's view, the target, and the state that depends on them. */
static void put_bindings(struct stream *stream, const struct drawing *drawing)
{
	static const uint32_t dsa[TEXEL_KINDS] = {HANDLE_COLOR_DSA, HANDLE_COLOR_DSA, HANDLE_COLOR_DSA,
						  HANDLE_DEPTH_DSA, HANDLE_DEPTH_DSA, HANDLE_STENCIL_DSA};
	uint32_t view_format = drawing->texel == TEXEL_STENCIL ? D3DGPU_FMT_X24S8_UINT : drawing->format;
	uint32_t layers = d3dgpu_put(D3DGPU_SURFACE_FIRST_LAYER, drawing->destination_layer) |
			  d3dgpu_put(D3DGPU_SURFACE_LAST_LAYER, drawing->destination_layer);

	put(stream, WORDS(create(D3DGPU_OBJ_SAMPLER_VIEW, 6), HANDLE_VIEW, drawing->source, view_format,
			  d3dgpu_put(D3DGPU_VIEW_LAST_LAYER, drawing->source_layers - 1), 0, SWIZZLE_IDENTITY));
	put(stream, WORDS(command(D3DGPU_CMD_SET_SAMPLER_VIEWS, 3), D3DGPU_STAGE_PIXEL, 0, HANDLE_VIEW));
	put(stream,
	    WORDS(create(D3DGPU_OBJ_SURFACE, 5), HANDLE_SURFACE, drawing->destination, drawing->format, 0, layers));
	if (has_depth(drawing->format))
		put(stream, WORDS(command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 2), 0, HANDLE_SURFACE));
	else
		put(stream, WORDS(command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 3), 1, 0, HANDLE_SURFACE));
	put(stream, WORDS(d3dgpu_header(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_DSA, 1), dsa[drawing->texel]));
	put(stream, WORDS(command(D3DGPU_CMD_BIND_SHADER, 2),
			  HANDLE_SHADERS + drawing->texel * SOURCE_KINDS + drawing->kind, D3DGPU_STAGE_PIXEL));
}

static int draw_texels(const struct drawing *drawing)
{
	uint32_t half_width = float_bits((float)drawing->width / 2),
		 half_height = float_bits((float)drawing->height / 2);
	struct stream stream = {0};
	int error = prepare(drawing->texel, drawing->kind);

	if (error)
		return error;
	put_bindings(&stream, drawing);
	put(&stream, WORDS(command(D3DGPU_CMD_SET_VIEWPORT_STATE, 7), 0, half_width, half_height, float_bits(1),
			   half_width, half_height, 0));
	put(&stream, WORDS(command(D3DGPU_CMD_SET_SAMPLE_MASK, 1), drawing->sample_mask));
	put(&stream, WORDS(command(D3DGPU_CMD_SET_CONSTANT_BUFFER, 6), D3DGPU_STAGE_PIXEL, 0,
			   float_bits((float)drawing->source_layer), float_bits((float)drawing->source_sample), 0, 0));
	put(&stream, WORDS(command(D3DGPU_CMD_DRAW_VBO, 12), 0, 3, D3DGPU_PRIM_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 2, 0));
	/* Nothing of the resources may stay bound. */
	put(&stream, WORDS(command(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 2), 0, 0));
	put(&stream, WORDS(command(D3DGPU_CMD_SET_SAMPLER_VIEWS, 3), D3DGPU_STAGE_PIXEL, 0, 0));
	put(&stream, WORDS(d3dgpu_header(D3DGPU_CMD_DESTROY_OBJECT, D3DGPU_OBJ_SURFACE, 1), HANDLE_SURFACE));
	put(&stream, WORDS(d3dgpu_header(D3DGPU_CMD_DESTROY_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 1), HANDLE_VIEW));
	return engine_submit(stream.words, stream.count);
}

/* Depth and stencil of one texel are two drawings. */
static int draw(struct drawing drawing)
{
	int error;

	drawing.texel = kind_of(drawing.format);
	error = draw_texels(&drawing);
	if (error || !has_stencil(drawing.format))
		return error;
	drawing.texel = TEXEL_STENCIL;
	return draw_texels(&drawing);
}

/* ---- transfers ---- */

/* Draws between the resource's sample and the plain texture, and transfers that. */
static int transfer_sample(const struct resource *resource, const struct d3dgpu_resource_desc *plain,
			   enum transfer_direction direction, uint32_t layer, uint32_t sample)
{
	const struct d3dgpu_resource_desc *desc = &resource->desc;
	struct engine_box box = {.width = desc->width, .height = desc->height, .depth = 1};
	struct engine_layout layout = {
		.offset = sample * d3dgpu_linear_offset(desc, 0, d3dgpu_layer_count(desc)) +
			  d3dgpu_linear_offset(desc, 0, layer),
		.pitch = d3dgpu_linear_pitch(desc, 0),
	};
	struct drawing drawing = {
		.format = plain->format,
		.width = desc->width,
		.height = desc->height,
		.source_layers = 1,
	};
	int error;

	if (direction == TRANSFER_FLUSH) {
		drawing.source = resource->id;
		drawing.source_layer = layer;
		drawing.source_sample = sample;
		drawing.destination = RESOURCES_ID_SAMPLES;
		drawing.sample_mask = ~0u;
		drawing.kind = desc->target == D3DGPU_TARGET_2D ? SOURCE_SAMPLES : SOURCE_SAMPLES_ARRAY;
		drawing.source_layers = desc->array_size;
		error = draw(drawing);
		return error ? error : engine_read(RESOURCES_ID_SAMPLES, 0, &box, &layout);
	}
	drawing.source = RESOURCES_ID_SAMPLES;
	drawing.destination = resource->id;
	drawing.destination_layer = layer;
	drawing.sample_mask = 1u << sample;
	drawing.kind = SOURCE_SINGLE;
	error = engine_write(RESOURCES_ID_SAMPLES, 0, &box, &layout);
	return error ? error : draw(drawing);
}

int samples_transfer(const struct resource *resource, enum transfer_direction direction, uint32_t layer)
{
	struct d3dgpu_resource_desc plain = resource->desc;
	struct iovec backing = resource->backing;
	int error;

	plain.format = (uint16_t)linear_format(plain.format);
	plain.target = D3DGPU_TARGET_2D;
	plain.array_size = 1;
	plain.samples = 0;
	plain.bind |= D3DGPU_BIND_SAMPLER_VIEW;
	error = engine_resource_create(RESOURCES_ID_SAMPLES, &plain);
	if (error)
		return error;
	error = engine_backing_attach(RESOURCES_ID_SAMPLES, &backing);
	for (uint32_t sample = 0; sample < resource->desc.samples && !error; sample++)
		error = transfer_sample(resource, &plain, direction, layer, sample);
	engine_resource_destroy(RESOURCES_ID_SAMPLES); /* before it is left: it may be bound there */
	return error ? error : leave();
}

int samples_end(void)
{
	uint32_t words[] = {command(D3DGPU_CMD_DESTROY_SUB_CTX, 1), SUB_CONTEXT};

	if (!made_objects)
		return 0;
	made_objects = false;
	memset(made_shader, 0, sizeof(made_shader));
	return engine_submit(words, 2);
}
