/* SPDX-License-Identifier: MIT */
/* CREATE_OBJECT: every field that the engine uses as an index or a size. */
#include "stream_check.h"

static const char no_resource[] = "unknown resource, or not of the kind needed";
static const char outside[] = "view outside its resource";
static const char bad_value[] = "value out of range in an object";

#define STREAM_OUTPUTS_MAX 64u
#define STREAM_BUFFERS 4u
#define REGISTERS_MAX 64u
#define TEXT_MAX (4u << 20)		/* bytes of one shader */
#define TOKENS_MAX (1u << 22)		/* the engine allocates four bytes for each */
#define QUERY_RECORD_BYTES sizeof(struct d3dgpu_query_record)

static const char *check_blend(const uint32_t *words)
{
	for (uint32_t target = 0; target < D3DGPU_STREAM_MAX_TARGETS; target++) {
		uint32_t word = words[4 + target];

		if (!d3dgpu_get(D3DGPU_BLEND_ENABLE, word))
			continue;
		if (d3dgpu_get(D3DGPU_BLEND_RGB_FUNC, word) > D3DGPU_BLEND_MAX ||
		    d3dgpu_get(D3DGPU_BLEND_ALPHA_FUNC, word) > D3DGPU_BLEND_MAX)
			return bad_value;
		if (!d3dgpu_factor_valid(d3dgpu_get(D3DGPU_BLEND_RGB_SRC, word)) ||
		    !d3dgpu_factor_valid(d3dgpu_get(D3DGPU_BLEND_RGB_DST, word)) ||
		    !d3dgpu_factor_valid(d3dgpu_get(D3DGPU_BLEND_ALPHA_SRC, word)) ||
		    !d3dgpu_factor_valid(d3dgpu_get(D3DGPU_BLEND_ALPHA_DST, word)))
			return bad_value;
	}
	return NULL;
}

static const char *check_rasterizer(const uint32_t *words)
{
	if (d3dgpu_get(D3DGPU_RAST_FILL_FRONT, words[2]) > D3DGPU_FILL_POINT ||
	    d3dgpu_get(D3DGPU_RAST_FILL_BACK, words[2]) > D3DGPU_FILL_POINT)
		return bad_value;
	return NULL;
}

static const char *check_vertex_elements(const struct stream_command *command)
{
	if ((command->length - 1) / 4 > D3DGPU_STREAM_MAX_ATTRIBUTES)
		return "more vertex elements than the engine has";
	/* offset, divisor, buffer, format */
	for (const uint32_t *element = command->words + 2; element <= command->words + command->length; element += 4) {
		if (element[0] > D3DGPU_STREAM_MAX_ELEMENT_OFFSET || element[2] >= D3DGPU_STREAM_MAX_ATTRIBUTES)
			return bad_value;
		if (!d3dgpu_format_block(element[3]).bytes)
			return "unknown format";
	}
	return NULL;
}

static const char *check_sampler_state(const uint32_t *words)
{
	/* All eight wrap modes and comparisons exist. */
	if (d3dgpu_get(D3DGPU_SAMPLER_MIN_FILTER, words[2]) > D3DGPU_FILTER_LINEAR ||
	    d3dgpu_get(D3DGPU_SAMPLER_MAG_FILTER, words[2]) > D3DGPU_FILTER_LINEAR ||
	    d3dgpu_get(D3DGPU_SAMPLER_MIP_FILTER, words[2]) > D3DGPU_MIP_NONE)
		return bad_value;
	return NULL;
}

/* A texel buffer: elements in units of the view's format. */
static const char *check_buffer_view(const struct d3dgpu_resource_desc *desc, const uint32_t *words)
{
	uint32_t bytes = d3dgpu_format_block(d3dgpu_get(D3DGPU_VIEW_FORMAT, words[3])).bytes;

	if (words[4] > words[5] || ((uint64_t)words[5] + 1) * bytes > desc->width)
		return outside;
	return NULL;
}

static const char *check_sampler_view(const struct stream_check *check, const uint32_t *words)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, words[2], STREAM_OBJECT);
	uint32_t first_level = d3dgpu_get(D3DGPU_VIEW_FIRST_LEVEL, words[5]);
	uint32_t last_level = d3dgpu_get(D3DGPU_VIEW_LAST_LEVEL, words[5]);
	uint32_t target = d3dgpu_get(D3DGPU_VIEW_TARGET, words[3]);

	if (!desc)
		return no_resource;
	if (!d3dgpu_format_block(d3dgpu_get(D3DGPU_VIEW_FORMAT, words[3])).bytes)
		return "unknown format";
	if (d3dgpu_get(D3DGPU_VIEW_SWIZZLE_R, words[6]) >= D3DGPU_SWIZZLE_COUNT ||
	    d3dgpu_get(D3DGPU_VIEW_SWIZZLE_G, words[6]) >= D3DGPU_SWIZZLE_COUNT ||
	    d3dgpu_get(D3DGPU_VIEW_SWIZZLE_B, words[6]) >= D3DGPU_SWIZZLE_COUNT ||
	    d3dgpu_get(D3DGPU_VIEW_SWIZZLE_A, words[6]) >= D3DGPU_SWIZZLE_COUNT)
		return bad_value;
	if (target > D3DGPU_TARGET_CUBE_ARRAY)
		return bad_value;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return check_buffer_view(desc, words);
	if (first_level > last_level || last_level > desc->last_level)
		return outside;
	if (!stream_layers_inside(desc, 0, d3dgpu_get(D3DGPU_VIEW_FIRST_LAYER, words[4]),
				  d3dgpu_get(D3DGPU_VIEW_LAST_LAYER, words[4])))
		return outside;
	return NULL;
}

static const char *check_surface(const struct stream_check *check, const uint32_t *words)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, words[2], STREAM_TEXTURE);

	if (!desc)
		return no_resource;
	if (!d3dgpu_format_block(words[3]).bytes)
		return "unknown format";
	if (words[4] > desc->last_level ||
	    !stream_layers_inside(desc, words[4], d3dgpu_get(D3DGPU_SURFACE_FIRST_LAYER, words[5]),
				  d3dgpu_get(D3DGPU_SURFACE_LAST_LAYER, words[5])))
		return outside;
	return NULL;
}

static const char *check_query(const struct stream_check *check, const uint32_t *words)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, words[4], STREAM_QUERY);

	if (!desc)
		return no_resource;
	if (desc->width < QUERY_RECORD_BYTES)
		return outside;
	return d3dgpu_get(D3DGPU_QUERY_INDEX, words[2]) < STREAM_BUFFERS ? NULL : bad_value;
}

static const char *check_stream_target(const struct stream_check *check, const uint32_t *words)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, words[2], STREAM_BUFFER);

	if (!desc)
		return no_resource;
	return stream_range_inside(desc, words[3], words[4]) ? NULL : outside;
}

/* Declarations of stream output: four strides, then two words for each output. */
static const char *check_stream_outputs(const uint32_t *outputs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++, outputs += 2) {
		uint32_t index = outputs[0] & 0xff, start = outputs[0] >> 8 & 3, components = outputs[0] >> 10 & 7;

		if (index >= REGISTERS_MAX || start + components > 4 || (outputs[0] >> 13 & 7) >= STREAM_BUFFERS)
			return bad_value;
	}
	return NULL;
}

/* Header of a shader's first packet: how much text follows and what of the packet is text. */
static const char *begin_shader(struct stream_shader *shader, const struct stream_command *command, uint32_t *text_at)
{
	const uint32_t *words = command->words;
	uint32_t outputs = words[2] == D3DGPU_STAGE_COMPUTE ? 0 : words[5];

	if (shader->received < shader->size)
		return "shader begun before another of its stage was complete";
	if (!words[3] || words[3] > TEXT_MAX || words[4] > TOKENS_MAX || outputs > STREAM_OUTPUTS_MAX)
		return bad_value;
	*text_at = 1 + D3DGPU_SHADER_HEADER_WORDS;
	if (outputs) {
		*text_at += 4 + 2 * outputs;
		if (*text_at > command->length)
			return "shader without text";
	}
	shader->handle = words[1];
	shader->size = words[3];
	shader->received = 0;
	shader_text_begin(&shader->text, (uint8_t)words[2]);
	return outputs ? check_stream_outputs(words + 10, outputs) : NULL;
}

static const char *check_shader(struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	struct stream_shader *shader;
	uint32_t text_at = 1 + D3DGPU_SHADER_HEADER_WORDS, bytes;
	const char *wrong = NULL;

	if (words[2] >= D3DGPU_STAGE_COUNT)
		return "no such shader stage";
	shader = &check->shaders[words[2]];
	if (!d3dgpu_get(D3DGPU_SHADER_CONTINUATION, words[3]))
		wrong = begin_shader(shader, command, &text_at);
	else if (shader->received >= shader->size || shader->handle != words[1] || words[5] ||
		 d3dgpu_get(D3DGPU_SHADER_OFFSET, words[3]) != shader->received)
		wrong = "continuation of a shader that does not follow";
	if (wrong)
		return wrong;
	bytes = (command->length + 1 - text_at) * 4;
	/* The last packet is padded to a word; a full word more than needed is not padding. */
	if (bytes >= shader->size - shader->received + 4)
		return "more shader text than announced";
	shader->received += bytes;
	wrong = shader_text_read(&shader->text, words + text_at, bytes);
	if (!wrong && shader->received >= shader->size && !shader->text.ended)
		wrong = "shader text without an end";
	return wrong;
}

const char *stream_check_object(struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;

	if (!words[1] || words[1] > D3DGPU_STREAM_MAX_HANDLE)
		return "handle that streams cannot have";
	switch ((enum d3dgpu_object)d3dgpu_get(D3DGPU_HEADER_OBJECT, words[0])) {
	case D3DGPU_OBJ_BLEND:
		return check_blend(words);
	case D3DGPU_OBJ_RASTERIZER:
		return check_rasterizer(words);
	case D3DGPU_OBJ_SHADER:
		return check_shader(check, command);
	case D3DGPU_OBJ_VERTEX_ELEMENTS:
		return check_vertex_elements(command);
	case D3DGPU_OBJ_SAMPLER_VIEW:
		return check_sampler_view(check, words);
	case D3DGPU_OBJ_SAMPLER_STATE:
		return check_sampler_state(words);
	case D3DGPU_OBJ_SURFACE:
		return check_surface(check, words);
	case D3DGPU_OBJ_QUERY:
		return check_query(check, words);
	case D3DGPU_OBJ_STREAMOUT_TARGET:
		return check_stream_target(check, words);
	case D3DGPU_OBJ_MSAA_SURFACE:
		return "implicit multisampling is not offered";
	default:
		return NULL;
	}
}
