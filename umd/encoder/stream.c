/* SPDX-License-Identifier: MIT */
#include "stream.h"

#include <errno.h>
#include <string.h>

void stream_set_buffer(struct stream *s, uint32_t *words, uint32_t capacity)
{
	s->words = words;
	s->capacity = capacity;
	s->used = 0;
	s->error = 0;
}

int stream_reserve(struct stream *s, uint32_t words)
{
	int error;

	if (s->error)
		return s->error;
	if (s->capacity - s->used >= words)
		return 0;
	error = s->full ? s->full(s, words) : -ENOSPC;
	if (!error && s->capacity - s->used < words)
		error = -ENOSPC;
	if (error)
		s->error = error;
	return error;
}

/* Writes a header and returns where its payload goes; NULL when there is no room. */
static uint32_t *begin(struct stream *s, enum d3dgpu_command command, enum d3dgpu_object object, uint32_t length)
{
	uint32_t *words;

	if (stream_reserve(s, 1 + length))
		return NULL;
	words = s->words + s->used;
	words[0] = d3dgpu_header(command, object, length);
	s->used += 1 + length;
	return words + 1;
}

static uint32_t bits(float value)
{
	uint32_t word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

static void copy_words(uint32_t *to, const void *from, uint32_t count)
{
	if (count)
		memcpy(to, from, count * sizeof(uint32_t));
}

static void put_box(uint32_t *w, const struct stream_box *box)
{
	w[0] = box->x;
	w[1] = box->y;
	w[2] = box->z;
	w[3] = box->width;
	w[4] = box->height;
	w[5] = box->depth;
}

/* ---- objects ---- */

void stream_create_blend(struct stream *s, uint32_t handle, const struct stream_blend *state)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_BLEND, 3 + D3DGPU_STREAM_MAX_TARGETS);

	if (!w)
		return;
	w[0] = handle;
	w[1] = state->flags;
	w[2] = d3dgpu_put(D3DGPU_BLEND_LOGIC_OP, state->logic_op);
	copy_words(w + 3, state->targets, D3DGPU_STREAM_MAX_TARGETS);
}

void stream_create_rasterizer(struct stream *s, uint32_t handle, const struct stream_rasterizer *state)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_RASTERIZER, 9);

	if (!w)
		return;
	w[0] = handle;
	w[1] = state->flags;
	w[2] = bits(state->point_size);
	w[3] = state->sprite_coords;
	w[4] = d3dgpu_put(D3DGPU_RAST_CLIP_PLANES, state->clip_planes);
	w[5] = bits(state->line_width);
	w[6] = bits(state->offset_units);
	w[7] = bits(state->offset_scale);
	w[8] = bits(state->offset_clamp);
}

void stream_create_dsa(struct stream *s, uint32_t handle, const struct stream_dsa *state)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_DSA, 5);

	if (!w)
		return;
	w[0] = handle;
	w[1] = state->depth;
	w[2] = state->front;
	w[3] = state->back;
	w[4] = bits(state->alpha_ref);
}

void stream_create_shader(struct stream *s, uint32_t handle, enum d3dgpu_stage stage, const char *text, uint32_t size,
			  uint32_t token_bound)
{
	enum { HEADER = D3DGPU_SHADER_HEADER_WORDS, LARGEST = 4096 /* words of text in one piece */ };
	uint32_t sent = 0;

	while (sent < size) {
		uint32_t rest = size - sent, words = (rest + 3) / 4, *w;

		if (words > LARGEST) {
			words = LARGEST;
			rest = LARGEST * 4;
		}
		w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SHADER, HEADER + words);
		if (!w)
			return;
		w[0] = handle;
		w[1] = stage;
		w[2] = sent ? d3dgpu_put(D3DGPU_SHADER_OFFSET, sent) | d3dgpu_put(D3DGPU_SHADER_CONTINUATION, 1) : size;
		w[3] = token_bound;
		w[4] = 0; /* no stream output */
		w[HEADER + words - 1] = 0;
		memcpy(w + HEADER, text + sent, rest);
		sent += rest;
	}
}

void stream_create_vertex_elements(struct stream *s, uint32_t handle, uint32_t count,
				   const struct stream_element *elements)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 1 + 4 * count);

	if (!w)
		return;
	*w++ = handle;
	for (uint32_t i = 0; i < count; i++) {
		*w++ = elements[i].offset;
		*w++ = elements[i].divisor;
		*w++ = elements[i].buffer;
		*w++ = elements[i].format;
	}
}

void stream_create_view(struct stream *s, uint32_t handle, const struct stream_view *view)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 6);
	bool buffer = view->target == D3DGPU_TARGET_BUFFER;

	if (!w)
		return;
	w[0] = handle;
	w[1] = view->resource;
	w[2] = d3dgpu_put(D3DGPU_VIEW_FORMAT, view->format) | d3dgpu_put(D3DGPU_VIEW_TARGET, view->target);
	w[3] = buffer ? view->first
		      : d3dgpu_put(D3DGPU_VIEW_FIRST_LAYER, view->first) |
				d3dgpu_put(D3DGPU_VIEW_LAST_LAYER, view->last);
	w[4] = buffer ? view->last
		      : d3dgpu_put(D3DGPU_VIEW_FIRST_LEVEL, view->first_level) |
				d3dgpu_put(D3DGPU_VIEW_LAST_LEVEL, view->last_level);
	w[5] = d3dgpu_put(D3DGPU_VIEW_SWIZZLE_R, view->swizzle[0]) |
	       d3dgpu_put(D3DGPU_VIEW_SWIZZLE_G, view->swizzle[1]) |
	       d3dgpu_put(D3DGPU_VIEW_SWIZZLE_B, view->swizzle[2]) |
	       d3dgpu_put(D3DGPU_VIEW_SWIZZLE_A, view->swizzle[3]);
}

void stream_create_sampler(struct stream *s, uint32_t handle, const struct stream_sampler *state)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_STATE, 9);

	if (!w)
		return;
	w[0] = handle;
	w[1] = state->flags;
	w[2] = bits(state->lod_bias);
	w[3] = bits(state->min_lod);
	w[4] = bits(state->max_lod);
	copy_words(w + 5, state->border, 4);
}

void stream_create_surface(struct stream *s, uint32_t handle, uint32_t resource, uint32_t format, uint32_t level,
			   uint32_t first_layer, uint32_t last_layer)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SURFACE, 5);

	if (!w)
		return;
	w[0] = handle;
	w[1] = resource;
	w[2] = format;
	w[3] = level;
	w[4] = d3dgpu_put(D3DGPU_SURFACE_FIRST_LAYER, first_layer) | d3dgpu_put(D3DGPU_SURFACE_LAST_LAYER, last_layer);
}

void stream_create_query(struct stream *s, uint32_t handle, uint32_t type, uint32_t index, uint32_t resource)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_QUERY, 4);

	if (!w)
		return;
	w[0] = handle;
	w[1] = d3dgpu_put(D3DGPU_QUERY_TYPE, type) | d3dgpu_put(D3DGPU_QUERY_INDEX, index);
	w[2] = 0;
	w[3] = resource;
}

void stream_destroy_object(struct stream *s, enum d3dgpu_object type, uint32_t handle)
{
	uint32_t *w = begin(s, D3DGPU_CMD_DESTROY_OBJECT, type, 1);

	if (w)
		w[0] = handle;
}

void stream_bind_object(struct stream *s, enum d3dgpu_object type, uint32_t handle)
{
	uint32_t *w = begin(s, D3DGPU_CMD_BIND_OBJECT, type, 1);

	if (w)
		w[0] = handle;
}

void stream_bind_shader(struct stream *s, enum d3dgpu_stage stage, uint32_t handle)
{
	uint32_t *w = begin(s, D3DGPU_CMD_BIND_SHADER, D3DGPU_OBJ_NONE, 2);

	if (!w)
		return;
	w[0] = handle;
	w[1] = stage;
}

/* ---- state ---- */

void stream_set_viewports(struct stream *s, uint32_t first, uint32_t count, const struct stream_viewport *viewports)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_VIEWPORT_STATE, D3DGPU_OBJ_NONE, 1 + 6 * count);

	if (!w)
		return;
	w[0] = first;
	copy_words(w + 1, viewports, 6 * count);
}

void stream_set_scissors(struct stream *s, uint32_t first, uint32_t count, const struct stream_scissor *scissors)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_SCISSOR_STATE, D3DGPU_OBJ_NONE, 1 + 2 * count);

	if (!w)
		return;
	*w++ = first;
	for (uint32_t i = 0; i < count; i++) {
		*w++ = d3dgpu_put(D3DGPU_SCISSOR_X, scissors[i].min_x) |
		       d3dgpu_put(D3DGPU_SCISSOR_Y, scissors[i].min_y);
		*w++ = d3dgpu_put(D3DGPU_SCISSOR_X, scissors[i].max_x) |
		       d3dgpu_put(D3DGPU_SCISSOR_Y, scissors[i].max_y);
	}
}

void stream_set_framebuffer(struct stream *s, uint32_t count, const uint32_t *colors, uint32_t depth_stencil)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_FRAMEBUFFER_STATE, D3DGPU_OBJ_NONE, 2 + count);

	if (!w)
		return;
	w[0] = count;
	w[1] = depth_stencil;
	copy_words(w + 2, colors, count);
}

void stream_set_framebuffer_no_attach(struct stream *s, uint32_t width, uint32_t height, uint32_t layers,
				      uint32_t samples)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH, D3DGPU_OBJ_NONE, 2);

	if (!w)
		return;
	w[0] = (width & 0xffff) | height << 16;
	w[1] = (layers & 0xffff) | samples << 16;
}

void stream_set_vertex_buffers(struct stream *s, uint32_t count, const struct stream_vertex_buffer *buffers)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_VERTEX_BUFFERS, D3DGPU_OBJ_NONE, 3 * count);

	if (w)
		copy_words(w, buffers, 3 * count);
}

void stream_set_index_buffer(struct stream *s, uint32_t resource, uint32_t index_size, uint32_t offset)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_INDEX_BUFFER, D3DGPU_OBJ_NONE, resource ? 3 : 1);

	if (!w)
		return;
	w[0] = resource;
	if (!resource)
		return;
	w[1] = index_size;
	w[2] = offset;
}

uint32_t *stream_set_constants(struct stream *s, enum d3dgpu_stage stage, uint32_t count)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_CONSTANT_BUFFER, D3DGPU_OBJ_NONE, 2 + count);

	if (!w)
		return NULL;
	w[0] = stage;
	w[1] = 0;
	return w + 2;
}

void stream_set_uniform_buffer(struct stream *s, enum d3dgpu_stage stage, uint32_t slot, uint32_t offset, uint32_t size,
			       uint32_t resource)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_UNIFORM_BUFFER, D3DGPU_OBJ_NONE, 5);

	if (!w)
		return;
	w[0] = stage;
	w[1] = slot;
	w[2] = offset;
	w[3] = size;
	w[4] = resource;
}

static void set_units(struct stream *s, enum d3dgpu_command command, enum d3dgpu_stage stage, uint32_t first,
		      uint32_t count, const uint32_t *handles)
{
	uint32_t *w = begin(s, command, D3DGPU_OBJ_NONE, 2 + count);

	if (!w)
		return;
	w[0] = stage;
	w[1] = first;
	copy_words(w + 2, handles, count);
}

void stream_set_views(struct stream *s, enum d3dgpu_stage stage, uint32_t first, uint32_t count, const uint32_t *views)
{
	set_units(s, D3DGPU_CMD_SET_SAMPLER_VIEWS, stage, first, count, views);
}

void stream_bind_samplers(struct stream *s, enum d3dgpu_stage stage, uint32_t first, uint32_t count,
			  const uint32_t *samplers)
{
	set_units(s, D3DGPU_CMD_BIND_SAMPLER_STATES, stage, first, count, samplers);
}

void stream_set_stencil_ref(struct stream *s, uint8_t front, uint8_t back)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_STENCIL_REF, D3DGPU_OBJ_NONE, 1);

	if (w)
		w[0] = d3dgpu_put(D3DGPU_STENCIL_REF_FRONT, front) | d3dgpu_put(D3DGPU_STENCIL_REF_BACK, back);
}

void stream_set_blend_color(struct stream *s, const float color[4])
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_BLEND_COLOR, D3DGPU_OBJ_NONE, 4);

	if (w)
		copy_words(w, color, 4);
}

void stream_set_sample_mask(struct stream *s, uint32_t mask)
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_SAMPLE_MASK, D3DGPU_OBJ_NONE, 1);

	if (w)
		w[0] = mask;
}

void stream_set_clip_planes(struct stream *s, const float planes[D3DGPU_STREAM_MAX_CLIP_PLANES][4])
{
	uint32_t *w = begin(s, D3DGPU_CMD_SET_CLIP_STATE, D3DGPU_OBJ_NONE, 32);

	if (w)
		copy_words(w, planes, 32);
}

/* ---- work ---- */

void stream_draw(struct stream *s, const struct stream_draw *draw)
{
	uint32_t *w = begin(s, D3DGPU_CMD_DRAW_VBO, D3DGPU_OBJ_NONE, 12);

	if (!w)
		return;
	w[0] = draw->start;
	w[1] = draw->count;
	w[2] = draw->mode;
	w[3] = draw->indexed;
	w[4] = draw->instances;
	w[5] = (uint32_t)draw->index_bias;
	w[6] = draw->start_instance;
	w[7] = draw->restart;
	w[8] = draw->restart_index;
	w[9] = 0;
	w[10] = UINT32_MAX; /* index range unknown */
	w[11] = 0;
}

void stream_clear(struct stream *s, uint32_t buffers, const uint32_t color[4], double depth, uint32_t stencil)
{
	uint32_t *w = begin(s, D3DGPU_CMD_CLEAR, D3DGPU_OBJ_NONE, 8);

	if (!w)
		return;
	w[0] = buffers;
	copy_words(w + 1, color, 4);
	memcpy(w + 5, &depth, sizeof(depth));
	w[7] = stencil;
}

void stream_clear_texture(struct stream *s, uint32_t resource, uint32_t level, const struct stream_box *box,
			  const uint32_t texel[4])
{
	uint32_t *w = begin(s, D3DGPU_CMD_CLEAR_TEXTURE, D3DGPU_OBJ_NONE, 12);

	if (!w)
		return;
	w[0] = resource;
	w[1] = level;
	put_box(w + 2, box);
	copy_words(w + 8, texel, 4);
}

static void put_blit_end(uint32_t *w, const struct stream_blit_end *end)
{
	w[0] = end->resource;
	w[1] = end->level;
	w[2] = end->format;
	w[3] = (uint32_t)end->x;
	w[4] = (uint32_t)end->y;
	w[5] = (uint32_t)end->z;
	w[6] = (uint32_t)end->width;
	w[7] = (uint32_t)end->height;
	w[8] = (uint32_t)end->depth;
}

void stream_blit(struct stream *s, uint32_t mask, enum d3dgpu_filter filter, const struct stream_blit_end *dst,
		 const struct stream_blit_end *src)
{
	uint32_t *w = begin(s, D3DGPU_CMD_BLIT, D3DGPU_OBJ_NONE, 21);

	if (!w)
		return;
	w[0] = d3dgpu_put(D3DGPU_BLIT_MASK, mask) | d3dgpu_put(D3DGPU_BLIT_FILTER, filter);
	w[1] = 0; /* no scissor */
	w[2] = 0;
	put_blit_end(w + 3, dst);
	put_blit_end(w + 12, src);
}

void stream_copy_region(struct stream *s, uint32_t dst, uint32_t dst_level, uint32_t x, uint32_t y, uint32_t z,
			uint32_t src, uint32_t src_level, const struct stream_box *box)
{
	uint32_t *w = begin(s, D3DGPU_CMD_RESOURCE_COPY_REGION, D3DGPU_OBJ_NONE, 13);

	if (!w)
		return;
	w[0] = dst;
	w[1] = dst_level;
	w[2] = x;
	w[3] = y;
	w[4] = z;
	w[5] = src;
	w[6] = src_level;
	put_box(w + 7, box);
}

void stream_transfer(struct stream *s, const struct stream_transfer *t)
{
	uint32_t *w = begin(s, D3DGPU_CMD_COPY_TRANSFER3D, D3DGPU_OBJ_NONE, 14);

	if (!w)
		return;
	w[0] = t->resource;
	w[1] = t->level;
	w[2] = 0; /* usage: ignored */
	w[3] = t->stride;
	w[4] = t->layer_stride;
	put_box(w + 5, &t->box);
	w[11] = t->staging;
	w[12] = t->offset;
	w[13] = d3dgpu_put(D3DGPU_COPY_SYNCHRONIZED, t->synchronized) |
		d3dgpu_put(D3DGPU_COPY_FROM_RESOURCE, t->from_resource);
}

static void one_handle(struct stream *s, enum d3dgpu_command command, uint32_t handle)
{
	uint32_t *w = begin(s, command, D3DGPU_OBJ_NONE, 1);

	if (w)
		w[0] = handle;
}

void stream_begin_query(struct stream *s, uint32_t handle)
{
	one_handle(s, D3DGPU_CMD_BEGIN_QUERY, handle);
}

void stream_end_query(struct stream *s, uint32_t handle)
{
	one_handle(s, D3DGPU_CMD_END_QUERY, handle);
}

void stream_query_to_buffer(struct stream *s, uint32_t handle, uint32_t resource, uint32_t offset)
{
	enum { RESULT_U64 = 3 };
	uint32_t *w = begin(s, D3DGPU_CMD_GET_QUERY_RESULT_QBO, D3DGPU_OBJ_NONE, 6);

	if (!w)
		return;
	w[0] = handle;
	w[1] = resource;
	w[2] = 1; /* wait */
	w[3] = RESULT_U64;
	w[4] = offset;
	w[5] = 0; /* the result, not its availability */
}

void stream_nop(struct stream *s)
{
	begin(s, D3DGPU_CMD_NOP, D3DGPU_OBJ_NONE, 0);
}
