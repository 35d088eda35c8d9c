/* SPDX-License-Identifier: MIT */
#include "decode.h"

#include <ctype.h>
#include <string.h>

/*
 * How payloads are printed: names of the words, in order, each with the letter of its type: u unsigned, i signed, x
 * hex, f float, d double (two words), F format, and a last name with '*' takes the rest.
 */
struct layout {
	uint32_t number;
	const char *words;
};

static const struct layout command_layouts[] = {
	{D3DGPU_CMD_BIND_OBJECT, "handle:u"},
	{D3DGPU_CMD_DESTROY_OBJECT, "handle:u"},
	{D3DGPU_CMD_SET_VIEWPORT_STATE, "first:u scale_translate:f*"},
	{D3DGPU_CMD_SET_FRAMEBUFFER_STATE, "count:u depth:u colors:u*"},
	{D3DGPU_CMD_SET_VERTEX_BUFFERS, "stride_offset_resource:u*"},
	{D3DGPU_CMD_CLEAR, "buffers:x r:f g:f b:f a:f depth:d stencil:u"},
	{D3DGPU_CMD_DRAW_VBO, "start:u count:u mode:u indexed:u instances:u bias:i start_instance:u restart:u "
			      "restart_index:x min:u max:x from_so:u more:u*"},
	{D3DGPU_CMD_RESOURCE_INLINE_WRITE,
	 "resource:u level:u usage:u stride:u layer_stride:u x:u y:u z:u w:u h:u d:u data:x*"},
	{D3DGPU_CMD_SET_SAMPLER_VIEWS, "stage:u first:u views:u*"},
	{D3DGPU_CMD_SET_INDEX_BUFFER, "resource:u size:u offset:u"},
	{D3DGPU_CMD_SET_CONSTANT_BUFFER, "stage:u index:u data:f*"},
	{D3DGPU_CMD_SET_STENCIL_REF, "front_back:x"},
	{D3DGPU_CMD_SET_BLEND_COLOR, "color:f*"},
	{D3DGPU_CMD_SET_SCISSOR_STATE, "first:u min_max:x*"},
	{D3DGPU_CMD_BLIT, "mask_filter:x scissor_min:x scissor_max:x dst:u level:u format:F x:i y:i z:i w:i h:i d:i "
			  "src:u level:u format:F x:i y:i z:i w:i h:i d:i"},
	{D3DGPU_CMD_RESOURCE_COPY_REGION, "dst:u level:u x:u y:u z:u src:u level:u x:u y:u z:u w:u h:u d:u"},
	{D3DGPU_CMD_BIND_SAMPLER_STATES, "stage:u first:u samplers:u*"},
	{D3DGPU_CMD_BEGIN_QUERY, "handle:u"},
	{D3DGPU_CMD_END_QUERY, "handle:u"},
	{D3DGPU_CMD_GET_QUERY_RESULT, "handle:u wait:u"},
	{D3DGPU_CMD_SET_CLIP_STATE, "planes:f*"},
	{D3DGPU_CMD_SET_SAMPLE_MASK, "mask:x"},
	{D3DGPU_CMD_SET_STREAMOUT_TARGETS, "append:x targets:u*"},
	{D3DGPU_CMD_SET_RENDER_CONDITION, "query:u condition:u mode:u"},
	{D3DGPU_CMD_SET_UNIFORM_BUFFER, "stage:u slot:u offset:u size:u resource:u"},
	{D3DGPU_CMD_BIND_SHADER, "handle:u stage:u"},
	{D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH, "size:x layers_samples:x"},
	{D3DGPU_CMD_GET_QUERY_RESULT_QBO, "query:u buffer:u wait:u type:u offset:u index:i"},
	{D3DGPU_CMD_TRANSFER3D, "resource:u level:u usage:u stride:u layer_stride:u x:u y:u z:u w:u h:u d:u offset:u "
				"direction:u"},
	{D3DGPU_CMD_COPY_TRANSFER3D,
	 "resource:u level:u usage:u stride:u layer_stride:u x:u y:u z:u w:u h:u d:u staging:u "
	 "offset:u flags:x"},
	{D3DGPU_CMD_CLEAR_TEXTURE, "resource:u level:u x:u y:u z:u w:u h:u d:u texel:x*"},
	{D3DGPU_CMD_LINK_SHADER, "handles:u*"},
};

static const struct layout object_layouts[] = {
	{D3DGPU_OBJ_BLEND, "handle:u flags:x logic_op:u targets:x*"},
	{D3DGPU_OBJ_RASTERIZER, "handle:u flags:x point_size:f sprites:x clip:x line_width:f units:f scale:f clamp:f"},
	{D3DGPU_OBJ_DSA, "handle:u depth:x front:x back:x alpha_ref:f"},
	{D3DGPU_OBJ_SHADER, "handle:u stage:u offset:x tokens:u outputs:u"},
	{D3DGPU_OBJ_VERTEX_ELEMENTS, "handle:u offset_divisor_buffer_format:u*"},
	{D3DGPU_OBJ_SAMPLER_VIEW, "handle:u resource:u format:x layers:x levels:x swizzle:x"},
	{D3DGPU_OBJ_SAMPLER_STATE, "handle:u flags:x bias:f min:f max:f border:x*"},
	{D3DGPU_OBJ_SURFACE, "handle:u resource:u format:F level:u layers:x"},
	{D3DGPU_OBJ_QUERY, "handle:u type:x offset:u resource:u"},
	{D3DGPU_OBJ_STREAMOUT_TARGET, "handle:u resource:u offset:u size:u"},
};

bool decode_next(const uint32_t *words, uint32_t count, uint32_t *position, struct decode_command *out)
{
	uint32_t header;

	if (*position >= count)
		return false;
	header = words[*position];
	out->opcode = d3dgpu_get(D3DGPU_HEADER_OPCODE, header);
	out->object = d3dgpu_get(D3DGPU_HEADER_OBJECT, header);
	out->length = d3dgpu_get(D3DGPU_HEADER_LENGTH, header);
	out->payload = words + *position + 1;
	if (!d3dgpu_header_valid(header) || out->length >= count - *position)
		return false;
	*position += 1 + out->length;
	return true;
}

static const char *find_layout(const struct layout *layouts, size_t count, uint32_t number)
{
	for (size_t i = 0; i < count; i++)
		if (layouts[i].number == number)
			return layouts[i].words;
	return "words:x*";
}

/* Prints one value; returns how many words it took. */
static uint32_t print_value(FILE *file, char type, const uint32_t *w, uint32_t left)
{
	double wide;
	float narrow;

	switch (type) {
	case 'd':
		if (left < 2)
			return left;
		memcpy(&wide, w, sizeof(wide));
		fprintf(file, "%g", wide);
		return 2;
	case 'f':
		memcpy(&narrow, w, sizeof(narrow));
		fprintf(file, "%g", (double)narrow);
		return 1;
	case 'i':
		fprintf(file, "%d", (int32_t)*w);
		return 1;
	case 'u':
		fprintf(file, "%u", *w);
		return 1;
	case 'F':
		fprintf(file, "%s", d3dgpu_format_name(*w));
		return 1;
	default:
		fprintf(file, "0x%x", *w);
		return 1;
	}
}

static void print_words(FILE *file, const char *layout, const uint32_t *words, uint32_t count)
{
	uint32_t at = 0;

	while (*layout && at < count) {
		const char *colon = strchr(layout, ':');
		char type = colon[1];
		bool rest = colon[2] == '*';

		fprintf(file, " %.*s=", (int)(colon - layout), layout);
		at += print_value(file, type, words + at, count - at);
		while (rest && at < count) {
			fputc(',', file);
			at += print_value(file, type, words + at, count - at);
		}
		layout = colon + 2 + rest;
		while (*layout == ' ')
			layout++;
	}
}

static void print_text(FILE *file, const char *text, size_t size)
{
	fputs(" text=\"", file);
	for (size_t i = 0; i < size && text[i]; i++)
		fputc(text[i] == '\n' ? '|' : isprint((unsigned char)text[i]) ? text[i] : '?', file);
	fputc('"', file);
}

void decode_print_command(FILE *file, const struct decode_command *c)
{
	bool create = c->opcode == D3DGPU_CMD_CREATE_OBJECT;
	const char *layout =
		create ? find_layout(object_layouts, sizeof(object_layouts) / sizeof(object_layouts[0]), c->object)
		       : find_layout(command_layouts, sizeof(command_layouts) / sizeof(command_layouts[0]), c->opcode);

	fputs(d3dgpu_command_name(c->opcode), file);
	if (c->object)
		fprintf(file, " %s", d3dgpu_object_name(c->object));
	print_words(file, layout, c->payload, c->length);
	if (create && c->object == D3DGPU_OBJ_SHADER)
		print_text(file, (const char *)(c->payload + D3DGPU_SHADER_HEADER_WORDS),
			   (c->length - D3DGPU_SHADER_HEADER_WORDS) * 4);
}

bool decode_print(FILE *file, const uint32_t *words, uint32_t count)
{
	struct decode_command command;
	uint32_t position = 0;

	while (decode_next(words, count, &position, &command)) {
		decode_print_command(file, &command);
		fputc('\n', file);
	}
	if (position != count)
		fprintf(file, "malformed command 0x%08x at word %u of %u\n", words[position], position, count);
	return position == count;
}
