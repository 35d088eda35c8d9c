/* SPDX-License-Identifier: MIT */
/*
 * The encoder: one function per command of the stream (hw/d3dgpu_stream.h), writing into a buffer that never grows.
 * When the buffer has no room, the owner's `full` callback hands out a fresh one (usually after submitting the old
 * one).
 *
 * Functions take packed words where the hardware header defines fields, and plain values elsewhere. They return
 * nothing: the first failure sets `error`, and everything after it is dropped until the owner gives a new buffer.
 */
#ifndef D3DGPU_UMD_STREAM_H
#define D3DGPU_UMD_STREAM_H

#include "d3dgpu_resource.h"
#include "d3dgpu_stream.h"

struct stream {
	uint32_t *words;		/* buffer, owned by the user */
	uint32_t used, capacity;	/* words */
	int error;			/* 0 or negative errno */
	/* Gives room for `words` more words through stream_set_buffer(). Returns 0 or a negative errno. NULL = none. */
	int (*full)(struct stream *s, uint32_t words);
	void *opaque;			/* of the user */
};

void stream_set_buffer(struct stream *s, uint32_t *words, uint32_t capacity);
/* Makes sure that the next `words` words go into one buffer. Returns 0 or the stream's error. */
int stream_reserve(struct stream *s, uint32_t words);

/* Words that the largest plain command needs, header included: all but constants, shaders and inline data */
#define STREAM_COMMAND_WORDS 144

/* ---- objects ---- */

/* The first four hold 32-bit words only, so that their bytes can be compared and hashed. */
struct stream_blend {
	uint32_t flags;			/* word 2: D3DGPU_BLEND_INDEPENDENT.. */
	uint32_t logic_op;		/* enum d3dgpu_logic_op */
	uint32_t targets[D3DGPU_STREAM_MAX_TARGETS]; /* words 4..11: D3DGPU_BLEND_ENABLE.. */
};

struct stream_dsa {
	uint32_t depth;			/* word 2: D3DGPU_DSA_DEPTH_ENABLE.. */
	uint32_t front, back;		/* D3DGPU_DSA_STENCIL_ENABLE.. */
	float alpha_ref;
};

struct stream_rasterizer {
	uint32_t flags;			/* word 2: D3DGPU_RAST_FLATSHADE.. */
	float point_size;		/* pixels; 0 = leave */
	uint32_t sprite_coords;
	uint32_t clip_planes;		/* mask */
	float line_width;
	float offset_units, offset_scale, offset_clamp;
};

struct stream_sampler {
	uint32_t flags;			/* word 2: D3DGPU_SAMPLER_WRAP_S.. */
	float lod_bias, min_lod, max_lod;
	uint32_t border[4];		/* raw bits */
};

struct stream_element {
	uint32_t offset;		/* bytes */
	uint32_t divisor;
	uint32_t buffer;		/* slot */
	uint32_t format;
};

struct stream_view {
	uint32_t resource;
	uint32_t format, target;
	uint32_t first, last;		/* layers; buffers: elements, inclusive */
	uint32_t first_level, last_level;
	uint8_t swizzle[4];
};

void stream_create_blend(struct stream *s, uint32_t handle, const struct stream_blend *state);
void stream_create_rasterizer(struct stream *s, uint32_t handle, const struct stream_rasterizer *state);
void stream_create_dsa(struct stream *s, uint32_t handle, const struct stream_dsa *state);
/* text is NUL-terminated and size counts the NUL. Sent in pieces that fit the buffer. */
void stream_create_shader(struct stream *s, uint32_t handle, enum d3dgpu_stage stage, const char *text, uint32_t size,
			  uint32_t token_bound);
void stream_create_vertex_elements(struct stream *s, uint32_t handle, uint32_t count,
				   const struct stream_element *elements);
void stream_create_view(struct stream *s, uint32_t handle, const struct stream_view *view);
void stream_create_sampler(struct stream *s, uint32_t handle, const struct stream_sampler *state);
void stream_create_surface(struct stream *s, uint32_t handle, uint32_t resource, uint32_t format, uint32_t level,
			   uint32_t first_layer, uint32_t last_layer);
void stream_create_query(struct stream *s, uint32_t handle, uint32_t type, uint32_t index, uint32_t resource);
void stream_destroy_object(struct stream *s, enum d3dgpu_object type, uint32_t handle);
/* Blend, rasterizer, DSA and vertex elements. Handle 0 unbinds. */
void stream_bind_object(struct stream *s, enum d3dgpu_object type, uint32_t handle);
void stream_bind_shader(struct stream *s, enum d3dgpu_stage stage, uint32_t handle);

/* ---- state ---- */

struct stream_viewport { float scale[3], translate[3]; };
struct stream_scissor { uint16_t min_x, min_y, max_x, max_y; };
struct stream_vertex_buffer { uint32_t stride, offset, resource; };

void stream_set_viewports(struct stream *s, uint32_t first, uint32_t count, const struct stream_viewport *viewports);
void stream_set_scissors(struct stream *s, uint32_t first, uint32_t count, const struct stream_scissor *scissors);
void stream_set_framebuffer(struct stream *s, uint32_t count, const uint32_t *colors, uint32_t depth_stencil);
void stream_set_framebuffer_no_attach(struct stream *s, uint32_t width, uint32_t height, uint32_t layers,
				      uint32_t samples);
void stream_set_vertex_buffers(struct stream *s, uint32_t count, const struct stream_vertex_buffer *buffers);
/* resource 0 unbinds */
void stream_set_index_buffer(struct stream *s, uint32_t resource, uint32_t index_size, uint32_t offset);
/* Returns where to write `count` words of inline constants; NULL on failure. */
uint32_t *stream_set_constants(struct stream *s, enum d3dgpu_stage stage, uint32_t count);
void stream_set_uniform_buffer(struct stream *s, enum d3dgpu_stage stage, uint32_t slot, uint32_t offset, uint32_t size,
			       uint32_t resource);
void stream_set_views(struct stream *s, enum d3dgpu_stage stage, uint32_t first, uint32_t count, const uint32_t *views);
void stream_bind_samplers(struct stream *s, enum d3dgpu_stage stage, uint32_t first, uint32_t count,
			  const uint32_t *samplers);
void stream_set_stencil_ref(struct stream *s, uint8_t front, uint8_t back);
void stream_set_blend_color(struct stream *s, const float color[4]);
void stream_set_sample_mask(struct stream *s, uint32_t mask);
void stream_set_clip_planes(struct stream *s, const float planes[D3DGPU_STREAM_MAX_CLIP_PLANES][4]);

/* ---- work ---- */

struct stream_draw {
	uint32_t start, count, mode, indexed, instances;
	int32_t index_bias;
	uint32_t start_instance;
	uint32_t restart, restart_index;
};

struct stream_box { uint32_t x, y, z, width, height, depth; };

/* One end of a transfer between a resource and a staging buffer */
struct stream_transfer {
	uint32_t resource, level;
	uint32_t stride, layer_stride;	/* bytes, in the linear data */
	struct stream_box box;
	uint32_t staging;		/* resource id */
	uint32_t offset;		/* bytes, in the linear data */
	bool from_resource;		/* direction: read-back */
	bool synchronized;		/* after pending work that uses the range */
};

struct stream_blit_end {
	uint32_t resource, level, format;
	int32_t x, y, z, width, height, depth;
};

void stream_draw(struct stream *s, const struct stream_draw *draw);
void stream_clear(struct stream *s, uint32_t buffers, const uint32_t color[4], double depth, uint32_t stencil);
/* One texel in the resource's memory format, zero-padded */
void stream_clear_texture(struct stream *s, uint32_t resource, uint32_t level, const struct stream_box *box,
			  const uint32_t texel[4]);
void stream_blit(struct stream *s, uint32_t mask, enum d3dgpu_filter filter, const struct stream_blit_end *dst,
		 const struct stream_blit_end *src);
void stream_copy_region(struct stream *s, uint32_t dst, uint32_t dst_level, uint32_t x, uint32_t y, uint32_t z,
			uint32_t src, uint32_t src_level, const struct stream_box *box);
void stream_transfer(struct stream *s, const struct stream_transfer *transfer);
void stream_begin_query(struct stream *s, uint32_t handle);
void stream_end_query(struct stream *s, uint32_t handle);
/* Writes the 64-bit result into a buffer, in stream order, waiting for it. */
void stream_query_to_buffer(struct stream *s, uint32_t handle, uint32_t resource, uint32_t offset);
void stream_nop(struct stream *s);

#endif
