/* SPDX-License-Identifier: MIT */
#include "stream_check.h"

#include <string.h>

/* Reasons that several commands share. */
static const char no_resource[] = "unknown resource, or not of the kind needed";
static const char outside[] = "range or box outside its resource";
static const char too_many[] = "slots out of range";
static const char bad_stage[] = "no such shader stage";
static const char bad_value[] = "value out of range";

#define CONSTANTS_MAX 16384u		/* words that SET_CONSTANT_BUFFER can carry: 64 KiB */
#define UNIFORM_SLOTS 32u
#define STORAGE_SLOTS 32u
#define STREAM_TARGETS 4u
#define PATCH_VERTICES_MAX 32u
#define CONDITION_MODES 4u

void stream_check_init(struct stream_check *check, stream_find_resource find, void *opaque)
{
	*check = (struct stream_check){.find = find, .opaque = opaque};
}

/* ---- resources ---- */

const struct d3dgpu_resource_desc *stream_resource(const struct stream_check *check, uint32_t id,
						   enum stream_resource_kind kind)
{
	const struct d3dgpu_resource_desc *desc = check->find(check->opaque, id);

	if (!desc)
		return NULL;
	if (kind == STREAM_STAGING)
		return desc->bind & D3DGPU_BIND_STAGING ? desc : NULL;
	if (kind == STREAM_QUERY)
		return desc->bind & D3DGPU_BIND_CUSTOM ? desc : NULL;
	/* Staging and query buffers have no object in the engine, only memory. */
	if (desc->bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_CUSTOM))
		return NULL;
	if (kind == STREAM_BUFFER && desc->target != D3DGPU_TARGET_BUFFER)
		return NULL;
	if (kind == STREAM_TEXTURE && desc->target == D3DGPU_TARGET_BUFFER)
		return NULL;
	return desc;
}

bool stream_range_inside(const struct d3dgpu_resource_desc *desc, uint32_t offset, uint32_t size)
{
	return offset <= desc->width && size <= desc->width - offset;
}

bool stream_layers_inside(const struct d3dgpu_resource_desc *desc, uint32_t level, uint32_t first, uint32_t last)
{
	uint32_t layers = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : desc->array_size;

	return first <= last && last < layers;
}

static bool extent_inside(uint32_t first, uint32_t size, uint64_t extent)
{
	return (uint64_t)first + size <= extent;
}

/* box = x, y, z, width, height, depth. Compressed levels are as large as their blocks. */
static bool box_inside(const struct d3dgpu_resource_desc *desc, uint32_t level, const uint32_t *box)
{
	struct d3dgpu_block block = d3dgpu_format_block(desc->format);
	uint64_t width, height, depth;

	if (desc->target == D3DGPU_TARGET_BUFFER)
		return !level && !box[1] && !box[2] && box[4] == 1 && box[5] == 1 &&
		       stream_range_inside(desc, box[0], box[3]);
	if (level > desc->last_level)
		return false;
	width = d3dgpu_align(d3dgpu_level_extent(desc->width, level), block.width);
	height = d3dgpu_align(d3dgpu_level_extent(desc->height, level), block.height);
	depth = desc->target == D3DGPU_TARGET_3D ? d3dgpu_level_extent(desc->depth, level) : desc->array_size;
	return extent_inside(box[0], box[3], width) && extent_inside(box[1], box[4], height) &&
	       extent_inside(box[2], box[5], depth);
}

/* The resource at word 1 with a level at word 2 and a box somewhere: all transfers. */
static const char *check_box(const struct stream_check *check, const struct stream_command *command, uint32_t box)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, command->words[1], STREAM_OBJECT);

	if (!desc)
		return no_resource;
	if (desc->samples)
		return "transfer of a multisampled resource";
	return box_inside(desc, command->words[2], command->words + box) ? NULL : outside;
}

/* ---- commands about slots: stage at word 1 where there is one ---- */

static bool slots_fit(uint32_t start, uint32_t count, uint32_t slots)
{
	return start <= slots && count <= slots - start;
}

static const char *check_stage_slots(const struct stream_command *command, uint32_t step, uint32_t slots)
{
	if (command->words[1] >= D3DGPU_STAGE_COUNT)
		return bad_stage;
	return slots_fit(command->words[2], (command->length - 2) / step, slots) ? NULL : too_many;
}

static const char *check_vertex_buffers(const struct stream_check *check, const struct stream_command *command)
{
	for (const uint32_t *entry = command->words + 1; entry <= command->words + command->length; entry += 3) {
		const struct d3dgpu_resource_desc *desc = stream_resource(check, entry[2], STREAM_BUFFER);

		if (entry[2] && !desc)
			return no_resource;
		if (entry[0] > D3DGPU_STREAM_MAX_STRIDE)
			return bad_value;
		if (desc && entry[1] > desc->width)
			return outside;
	}
	return NULL;
}

static const char *check_index_buffer(const struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	const struct d3dgpu_resource_desc *desc;

	if (command->length == 1)
		return words[1] ? bad_value : NULL;
	if (words[2] != 1 && words[2] != 2 && words[2] != 4)
		return bad_value;
	if (!words[1])
		return NULL;
	desc = stream_resource(check, words[1], STREAM_BUFFER);
	if (!desc)
		return no_resource;
	return words[3] <= desc->width ? NULL : outside;
}

static const char *check_uniform_buffer(const struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	const struct d3dgpu_resource_desc *desc = stream_resource(check, words[5], STREAM_BUFFER);

	if (words[1] >= D3DGPU_STAGE_COUNT)
		return bad_stage;
	if (words[2] >= UNIFORM_SLOTS)
		return too_many;
	if (!words[5])
		return NULL;
	if (!desc)
		return no_resource;
	return stream_range_inside(desc, words[3], words[4]) ? NULL : outside;
}

/* Entries of byte offset, length, resource, from `first` on: storage and counter buffers. */
static const char *check_ranges(const struct stream_check *check, const struct stream_command *command, uint32_t first)
{
	for (const uint32_t *entry = command->words + first; entry <= command->words + command->length; entry += 3) {
		const struct d3dgpu_resource_desc *desc = stream_resource(check, entry[2], STREAM_BUFFER);

		if (!entry[2])
			continue;
		if (!desc)
			return no_resource;
		if (!stream_range_inside(desc, entry[0], entry[1]))
			return outside;
	}
	return NULL;
}

static const char *check_shader_buffers(const struct stream_check *check, const struct stream_command *command)
{
	const char *wrong = check_stage_slots(command, 3, STORAGE_SLOTS);

	return wrong ? wrong : check_ranges(check, command, 3);
}

static const char *check_atomic_buffers(const struct stream_check *check, const struct stream_command *command)
{
	if (!slots_fit(command->words[1], (command->length - 1) / 3, STORAGE_SLOTS))
		return too_many;
	return check_ranges(check, command, 2);
}

/* One image: format, access, layers or byte offset, level or byte size, resource. */
static const char *check_image(const struct stream_check *check, const uint32_t *image)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, image[4], STREAM_OBJECT);

	if (!image[4])
		return NULL;
	if (!desc)
		return no_resource;
	if (!d3dgpu_format_block(image[0]).bytes || image[1] > 3)
		return bad_value;
	if (desc->target == D3DGPU_TARGET_BUFFER)
		return stream_range_inside(desc, image[2], image[3]) ? NULL : outside;
	if (image[3] > desc->last_level || !stream_layers_inside(desc, image[3], image[2] & 0xffff, image[2] >> 16))
		return outside;
	return NULL;
}

static const char *check_shader_images(const struct stream_check *check, const struct stream_command *command)
{
	const char *wrong = check_stage_slots(command, 5, STORAGE_SLOTS);

	for (const uint32_t *image = command->words + 3; !wrong && image <= command->words + command->length;
	     image += 5)
		wrong = check_image(check, image);
	return wrong;
}

/* ---- drawing and copying ---- */

static bool buffer_or_none(const struct stream_check *check, uint32_t id)
{
	return !id || stream_resource(check, id, STREAM_BUFFER);
}

static const char *check_draw(const struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;

	if (words[3] >= D3DGPU_PRIM_COUNT ||
	    (words[3] > D3DGPU_PRIM_TRIANGLE_FAN && words[3] < D3DGPU_PRIM_LINES_ADJACENCY))
		return "primitive that the engine does not have";
	if (words[4] > 1 || words[8] > 1)
		return bad_value;
	if (command->length >= 14 && words[13] > PATCH_VERTICES_MAX)
		return bad_value;
	if (words[3] == D3DGPU_PRIM_PATCHES && (command->length < 14 || !words[13]))
		return bad_value;
	if (command->length == 20 && (!buffer_or_none(check, words[15]) || !buffer_or_none(check, words[20])))
		return no_resource;
	return NULL;
}

static const char *check_grid(const struct stream_check *check, const struct stream_command *command)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, command->words[7], STREAM_BUFFER);

	if (!command->words[7])
		return NULL;
	if (!desc)
		return no_resource;
	return stream_range_inside(desc, command->words[8], 12) ? NULL : outside;
}

static const char *check_blit(const struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	const struct d3dgpu_resource_desc *destination = stream_resource(check, words[4], STREAM_TEXTURE);
	const struct d3dgpu_resource_desc *source = stream_resource(check, words[13], STREAM_TEXTURE);

	if (!destination || !source)
		return no_resource;
	if (words[5] > destination->last_level || words[14] > source->last_level)
		return outside;
	if (!d3dgpu_format_block(words[6]).bytes || !d3dgpu_format_block(words[15]).bytes)
		return bad_value;
	if ((d3dgpu_get(D3DGPU_BLIT_MASK, words[1]) & ~(D3DGPU_MASK_RGBA | D3DGPU_MASK_DEPTH | D3DGPU_MASK_STENCIL)) ||
	    d3dgpu_get(D3DGPU_BLIT_FILTER, words[1]) > D3DGPU_FILTER_LINEAR)
		return bad_value;
	return NULL;
}

static const char *check_copy_region(const struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	const struct d3dgpu_resource_desc *destination = stream_resource(check, words[1], STREAM_OBJECT);
	const struct d3dgpu_resource_desc *source = stream_resource(check, words[6], STREAM_OBJECT);
	uint32_t corner[6] = {words[3], words[4], words[5], 1, 1, 1};

	if (!destination || !source)
		return no_resource;
	if ((destination->target == D3DGPU_TARGET_BUFFER) != (source->target == D3DGPU_TARGET_BUFFER))
		return "copy between a buffer and a texture";
	/* Where block sizes differ, the destination's box is another: its corner must be inside, the engine's GL checks
	 * the rest. */
	if (d3dgpu_format_block(destination->format).width == d3dgpu_format_block(source->format).width)
		memcpy(corner + 3, words + 11, 3 * sizeof(uint32_t));
	return box_inside(source, words[7], words + 8) && box_inside(destination, words[2], corner) ? NULL : outside;
}

static const char *check_transfer(const struct stream_check *check, const struct stream_command *command)
{
	if (command->words[13] != D3DGPU_TRANSFER_TO_RESOURCE && command->words[13] != D3DGPU_TRANSFER_FROM_RESOURCE)
		return bad_value;
	return check_box(check, command, 6);
}

static const char *check_copy_transfer(const struct stream_check *check, const struct stream_command *command)
{
	if (!stream_resource(check, command->words[12], STREAM_STAGING))
		return no_resource;
	if (command->words[14] > 3)
		return bad_value;
	return check_box(check, command, 6);
}

static const char *check_clear_texture(const struct stream_check *check, const struct stream_command *command)
{
	if (!stream_resource(check, command->words[1], STREAM_TEXTURE))
		return no_resource;
	return check_box(check, command, 3);
}

static const char *check_query_to_buffer(const struct stream_check *check, const struct stream_command *command)
{
	const struct d3dgpu_resource_desc *desc = stream_resource(check, command->words[2], STREAM_BUFFER);

	if (!desc)
		return no_resource;
	if (command->words[4] > 3)
		return bad_value;
	/* 32-bit results are the even and odd type numbers below 2. */
	return stream_range_inside(desc, command->words[5], command->words[4] < 2 ? 4 : 8) ? NULL : outside;
}

/* ---- all of them ---- */

static const char *check_command(struct stream_check *check, const struct stream_command *command)
{
	const uint32_t *words = command->words;
	uint32_t length = command->length;

	switch ((enum d3dgpu_command)d3dgpu_get(D3DGPU_HEADER_OPCODE, words[0])) {
	case D3DGPU_CMD_CREATE_OBJECT:
		return stream_check_object(check, command);
	case D3DGPU_CMD_DESTROY_OBJECT:
		return words[1] <= D3DGPU_STREAM_MAX_HANDLE ? NULL : bad_value;
	case D3DGPU_CMD_SET_VIEWPORT_STATE:
		return slots_fit(words[1], (length - 1) / 6, D3DGPU_STREAM_MAX_VIEWPORTS) ? NULL : too_many;
	case D3DGPU_CMD_SET_SCISSOR_STATE:
		return slots_fit(words[1], (length - 1) / 2, D3DGPU_STREAM_MAX_VIEWPORTS) ? NULL : too_many;
	case D3DGPU_CMD_SET_FRAMEBUFFER_STATE:
		return words[1] == length - 2 ? NULL : bad_value;
	case D3DGPU_CMD_SET_VERTEX_BUFFERS:
		return check_vertex_buffers(check, command);
	case D3DGPU_CMD_SET_INDEX_BUFFER:
		return check_index_buffer(check, command);
	case D3DGPU_CMD_DRAW_VBO:
		return check_draw(check, command);
	case D3DGPU_CMD_RESOURCE_INLINE_WRITE:
		return check_box(check, command, 6);
	case D3DGPU_CMD_SET_SAMPLER_VIEWS:
	case D3DGPU_CMD_BIND_SAMPLER_STATES:
		return check_stage_slots(command, 1, D3DGPU_STREAM_MAX_UNITS);
	case D3DGPU_CMD_SET_CONSTANT_BUFFER:
		if (words[1] >= D3DGPU_STAGE_COUNT)
			return bad_stage;
		return length - 2 <= CONSTANTS_MAX ? NULL : bad_value;
	case D3DGPU_CMD_SET_UNIFORM_BUFFER:
		return check_uniform_buffer(check, command);
	case D3DGPU_CMD_SET_SHADER_BUFFERS:
		return check_shader_buffers(check, command);
	case D3DGPU_CMD_SET_SHADER_IMAGES:
		return check_shader_images(check, command);
	case D3DGPU_CMD_SET_ATOMIC_BUFFERS:
		return check_atomic_buffers(check, command);
	case D3DGPU_CMD_SET_STREAMOUT_TARGETS:
		return length - 1 <= STREAM_TARGETS ? NULL : too_many;
	case D3DGPU_CMD_SET_RENDER_CONDITION:
		return words[2] <= 1 && words[3] < CONDITION_MODES ? NULL : bad_value;
	case D3DGPU_CMD_BIND_SHADER:
		return words[2] < D3DGPU_STAGE_COUNT ? NULL : bad_stage;
	case D3DGPU_CMD_LAUNCH_GRID:
		return check_grid(check, command);
	case D3DGPU_CMD_BLIT:
		return check_blit(check, command);
	case D3DGPU_CMD_RESOURCE_COPY_REGION:
		return check_copy_region(check, command);
	case D3DGPU_CMD_TRANSFER3D:
		return check_transfer(check, command);
	case D3DGPU_CMD_COPY_TRANSFER3D:
		return check_copy_transfer(check, command);
	case D3DGPU_CMD_CLEAR_TEXTURE:
		return check_clear_texture(check, command);
	case D3DGPU_CMD_GET_QUERY_RESULT_QBO:
		return check_query_to_buffer(check, command);
	case D3DGPU_CMD_SEND_STRING_MARKER:
		return words[1] <= (length - 1) * 4 ? NULL : bad_value;
	case D3DGPU_CMD_SET_SUB_CTX:
	case D3DGPU_CMD_CREATE_SUB_CTX:
	case D3DGPU_CMD_DESTROY_SUB_CTX:
		/* A Direct3D device is one context with one state. */
	case D3DGPU_CMD_SET_DEBUG_FLAGS:
	case D3DGPU_CMD_SET_TWEAKS:
		/* These are settings of the host. */
	case D3DGPU_CMD_PIPE_RESOURCE_CREATE:
	case D3DGPU_CMD_PIPE_RESOURCE_SET_TYPE:
		/* Memory is made by the kernel only. */
	case D3DGPU_CMD_GET_MEMORY_INFO:
		/* The engine follows a null pointer. */
		return "command that streams must not have";
	default:
		/* The header's length was all there was to check. */
		return NULL;
	}
}

bool stream_check(struct stream_check *check, const uint32_t *words, uint32_t count, struct stream_error *error)
{
	*error = (struct stream_error){0};
	while (error->word < count) {
		struct stream_command command = {
			.words = words + error->word,
			.length = d3dgpu_get(D3DGPU_HEADER_LENGTH, words[error->word]),
		};

		if (!d3dgpu_header_valid(command.words[0]))
			error->reason = "no command, or one of another length";
		else if (command.length >= count - error->word)
			error->reason = "command is cut off";
		else
			error->reason = check_command(check, &command);
		if (error->reason)
			return false;
		error->word += 1 + command.length;
	}
	return true;
}
