/* SPDX-License-Identifier: MIT */
/*
 * The pipeline core: one GPU context with its pipeline state, resources, draws and maps. The two fronts (d3d9_*.c,
 * d3d11_*.c) translate their DDI into these calls; below it are the encoder, which writes the command stream, and the
 * winsys.
 *
 * Conventions
 *  - Enumerations are those of the command stream (hw/d3dgpu_stream.h): the fronts translate once, at state creation.
 *  - Everything is D3D-shaped: row 0 is the top, depth 0..1, pixel centres at .5, clockwise rules by front_ccw.
 *  - State objects are immutable, created once, bound by pointer. Binding is a store and a dirty bit; gpu_draw emits
 *    what is dirty. Nothing is allocated and no system call is made on the way of a steady draw.
 *  - A bound object may be destroyed: it is unbound first.
 *  - One thread at a time per device; different devices are independent.
 *  - Errors are negative errno: -ENOMEM (VRAM pool), -EINVAL, -ENOTSUP, -EIO (context lost; see gpu_device_status).
 */
#ifndef D3DGPU_UMD_PIPELINE_H
#define D3DGPU_UMD_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3dgpu_resource.h"
#include "d3dgpu_stream.h"
#include "shader.h"
#include "winsys.h"

struct gpu_device;
struct gpu_shader;
struct gpu_blend;
struct gpu_depth_stencil;
struct gpu_rasterizer;
struct gpu_vertex_elements;
struct gpu_sampler;
struct gpu_view;
struct gpu_surface;
struct gpu_query;

#define GPU_MAX_RENDER_TARGETS 8
#define GPU_MAX_VERTEX_BUFFERS 16
#define GPU_MAX_UNITS 32
#define GPU_MAX_CONSTANT_BUFFERS 14
#define GPU_MAX_VIEWPORTS 16
#define GPU_MAX_INLINE_CONSTANTS 1024	/* vec4s per stage */

/* ---- device ---- */

int gpu_device_create(struct winsys *ws, struct gpu_device **out);
void gpu_device_destroy(struct gpu_device *dev);
struct winsys *gpu_device_winsys(struct gpu_device *dev);
const struct d3dgpu_caps *gpu_device_caps(struct gpu_device *dev);
/* 0 = alive, else enum d3dgpu_fault: why the context was lost. */
uint32_t gpu_device_status(struct gpu_device *dev);

/* Submits what was recorded. *fence may be NULL. Does nothing when nothing was recorded (fence = the last one). */
int gpu_flush(struct gpu_device *dev, uint64_t *fence);
bool gpu_fence_done(struct gpu_device *dev, uint64_t fence);
int gpu_fence_wait(struct gpu_device *dev, uint64_t fence, uint64_t timeout_ns);

/* Counters of this device since creation; for tests and the HUD. */
struct gpu_stats {
	uint64_t draws, clears, copies;
	uint64_t state_objects;		/* state objects created in the engine */
	uint64_t shaders;		/* shader variants created in the engine */
	uint64_t allocations;		/* heap allocations made by the driver since creation */
	uint64_t staging_buffers;	/* staging buffer objects created */
	struct winsys_stats winsys;
};
void gpu_get_stats(struct gpu_device *dev, struct gpu_stats *out);

/* ---- resources ---- */

enum gpu_usage {
	GPU_USAGE_DEFAULT,		/* lives in VRAM, maps go through staging */
	GPU_USAGE_DYNAMIC,		/* written by the CPU often: renamed on discard */
	GPU_USAGE_STAGING,		/* CPU side of copies: system memory image, no engine object until copied */
};

struct gpu_resource {
	struct d3dgpu_resource_desc desc;
	enum gpu_usage usage;
	struct winsys_bo *bo;		/* NULL for GPU_USAGE_STAGING */
	uint32_t levels, layers;	/* subresource = level + layer * levels */
	bool discard;			/* depth-stencil whose content need not survive (gpu_discard) */
};

int gpu_resource_create(struct gpu_device *dev, const struct d3dgpu_resource_desc *desc, enum gpu_usage usage,
			struct gpu_resource **out);
/* Through the depth-stencil unit; the answer part of *ds is filled whatever the result. */
int gpu_ds_create(struct gpu_device *dev, struct d3dgpu_ds_mailbox *ds, struct gpu_resource **out);
int gpu_resource_open(struct gpu_device *dev, uint64_t token, struct gpu_resource **out);
int gpu_resource_share(struct gpu_device *dev, struct gpu_resource *res, uint64_t *token);
void gpu_resource_destroy(struct gpu_device *dev, struct gpu_resource *res);

struct gpu_box { uint32_t x, y, z, width, height, depth; };

enum gpu_map_flags {
	GPU_MAP_READ = 1 << 0,
	GPU_MAP_WRITE = 1 << 1,
	GPU_MAP_DISCARD = 1 << 2,	/* old content of the whole resource is not needed */
	GPU_MAP_NO_OVERWRITE = 1 << 3,	/* the caller does not touch what pending work uses */
	GPU_MAP_DONT_WAIT = 1 << 4,	/* -EBUSY instead of waiting */
};

struct gpu_mapping {
	void *data;			/* first byte of the box */
	uint32_t pitch;			/* bytes between rows of blocks */
	uint32_t slice_pitch;		/* bytes between slices */
};

/* One mapping per subresource at a time (-EINVAL otherwise). box NULL = all; it must lie in the subresource and on
 * whole compression blocks. Multisampled resources are not mapped. */
int gpu_map(struct gpu_device *dev, struct gpu_resource *res, uint32_t subresource, const struct gpu_box *box,
	    uint32_t flags, struct gpu_mapping *out);
void gpu_unmap(struct gpu_device *dev, struct gpu_resource *res, uint32_t subresource);
/* Records an upload; the data is taken before it returns. */
int gpu_update(struct gpu_device *dev, struct gpu_resource *res, uint32_t subresource, const struct gpu_box *box,
	       const void *data, uint32_t pitch, uint32_t slice_pitch);
/* Raw copy between equal formats or within a view class; also between staging and others. box NULL = all. Parts of one
 * subresource may overlap (compressed ones: -ENOTSUP then). */
int gpu_copy(struct gpu_device *dev, struct gpu_resource *dst, uint32_t dst_sub, uint32_t x, uint32_t y, uint32_t z,
	     struct gpu_resource *src, uint32_t src_sub, const struct gpu_box *box);
struct gpu_blit {
	struct gpu_resource *dst, *src;
	uint32_t dst_sub, src_sub;
	uint32_t dst_format, src_format;	/* 0 = the resource's */
	int32_t dst_x, dst_y, dst_z, dst_width, dst_height, dst_depth;	/* negative extents mirror */
	int32_t src_x, src_y, src_z, src_width, src_height, src_depth;
	uint32_t mask;			/* D3DGPU_MASK_RGBA, _DEPTH, _STENCIL of the stream */
	bool linear;
};
int gpu_blit(struct gpu_device *dev, const struct gpu_blit *blit);	/* scales, converts, resolves */
int gpu_generate_mips(struct gpu_device *dev, struct gpu_view *view);
/* Content of the resource becomes undefined; with D3DGPU_DEBUG=discard it is filled with a pattern. */
void gpu_discard(struct gpu_device *dev, struct gpu_resource *res);

/* ---- state objects ---- */

struct gpu_blend_target {
	bool enable;
	uint8_t rgb_func, rgb_src, rgb_dst, alpha_func, alpha_src, alpha_dst;
	uint8_t write_mask;		/* R1 G2 B4 A8 */
};
struct gpu_blend_desc {
	bool independent, alpha_to_coverage, alpha_to_one, logic_op_enable, dither;
	uint8_t logic_op;
	struct gpu_blend_target targets[GPU_MAX_RENDER_TARGETS];
};
struct gpu_stencil_face { uint8_t func, fail_op, zpass_op, zfail_op, read_mask, write_mask; };
struct gpu_depth_stencil_desc {
	bool depth_test, depth_write;
	uint8_t depth_func;
	bool stencil, two_sided;
	struct gpu_stencil_face front, back;
	bool alpha_test;
	uint8_t alpha_func;
	float alpha_ref;
};
struct gpu_rasterizer_desc {
	uint8_t cull, fill;		/* stream enums */
	bool front_ccw, scissor, depth_clip, flat_shade, multisample, line_smooth, point_sprite, point_size_per_vertex;
	uint8_t clip_planes;		/* mask */
	float depth_bias_units, depth_bias_slope, depth_bias_clamp, point_size;
	uint32_t sprite_coords;		/* GENERIC slots replaced by the point coordinate */
};
struct gpu_vertex_element {
	uint16_t offset;		/* bytes */
	uint8_t buffer;			/* slot of gpu_set_vertex_buffer */
	uint32_t format;		/* d3dgpu_format.h */
	uint32_t divisor;		/* 0 = per vertex */
};
struct gpu_sampler_desc {
	uint8_t wrap_s, wrap_t, wrap_r, min_filter, mag_filter, mip_filter, compare_func, max_anisotropy;
	bool compare, seamless_cube;
	float lod_bias, min_lod, max_lod;
	float border[4];
};
struct gpu_view_desc {
	uint32_t format;		/* 0 = the resource's */
	uint8_t target;			/* enum d3dgpu_target */
	uint8_t first_level, last_level;
	uint16_t first_layer, last_layer;
	uint32_t first_element, last_element;	/* buffers */
	uint8_t swizzle[4];		/* 0..3 = RGBA, 4 zero, 5 one */
};
struct gpu_surface_desc {
	uint32_t format;		/* 0 = the resource's */
	uint8_t level;
	uint16_t first_layer, last_layer;
};

int gpu_blend_create(struct gpu_device *dev, const struct gpu_blend_desc *desc, struct gpu_blend **out);
void gpu_blend_destroy(struct gpu_device *dev, struct gpu_blend *blend);
int gpu_depth_stencil_create(struct gpu_device *dev, const struct gpu_depth_stencil_desc *desc,
			     struct gpu_depth_stencil **out);
void gpu_depth_stencil_destroy(struct gpu_device *dev, struct gpu_depth_stencil *ds);
int gpu_rasterizer_create(struct gpu_device *dev, const struct gpu_rasterizer_desc *desc, struct gpu_rasterizer **out);
void gpu_rasterizer_destroy(struct gpu_device *dev, struct gpu_rasterizer *rasterizer);
int gpu_vertex_elements_create(struct gpu_device *dev, const struct gpu_vertex_element *elements, unsigned count,
			       struct gpu_vertex_elements **out);
void gpu_vertex_elements_destroy(struct gpu_device *dev, struct gpu_vertex_elements *elements);
int gpu_sampler_create(struct gpu_device *dev, const struct gpu_sampler_desc *desc, struct gpu_sampler **out);
void gpu_sampler_destroy(struct gpu_device *dev, struct gpu_sampler *sampler);
/* Views and surfaces are destroyed before their resource. */
int gpu_view_create(struct gpu_device *dev, struct gpu_resource *res, const struct gpu_view_desc *desc,
		    struct gpu_view **out);
void gpu_view_destroy(struct gpu_device *dev, struct gpu_view *view);
int gpu_surface_create(struct gpu_device *dev, struct gpu_resource *res, const struct gpu_surface_desc *desc,
		       struct gpu_surface **out);
void gpu_surface_destroy(struct gpu_device *dev, struct gpu_surface *surface);

/* The D3D9 front changes single states: these return a cached object for the description (owned by the device, created
 * at its first use), so that a steady frame finds its objects again. */
struct gpu_blend *gpu_blend_get(struct gpu_device *dev, const struct gpu_blend_desc *desc);
struct gpu_depth_stencil *gpu_depth_stencil_get(struct gpu_device *dev, const struct gpu_depth_stencil_desc *desc);
struct gpu_rasterizer *gpu_rasterizer_get(struct gpu_device *dev, const struct gpu_rasterizer_desc *desc);
struct gpu_sampler *gpu_sampler_get(struct gpu_device *dev, const struct gpu_sampler_desc *desc);

/* ---- shaders ---- */

/* Parses bytecode. Variants are emitted and cached by key at draw. message as in shader_parse. */
int gpu_shader_create(struct gpu_device *dev, const void *code, size_t size, struct gpu_shader **out, char *message,
		      size_t message_size);
/* A shader in the device's own text, for the driver's internal use. */
int gpu_shader_create_tgsi(struct gpu_device *dev, enum shader_stage stage, const char *text, struct gpu_shader **out);
void gpu_shader_destroy(struct gpu_device *dev, struct gpu_shader *shader);
const struct shader_info *gpu_shader_info(const struct gpu_shader *shader);

/* ---- binding ---- */

void gpu_set_blend(struct gpu_device *dev, struct gpu_blend *blend, const float factor[4], uint32_t sample_mask);
void gpu_set_depth_stencil(struct gpu_device *dev, struct gpu_depth_stencil *ds, uint8_t ref_front, uint8_t ref_back);
void gpu_set_rasterizer(struct gpu_device *dev, struct gpu_rasterizer *rasterizer);
void gpu_set_vertex_elements(struct gpu_device *dev, struct gpu_vertex_elements *elements);
void gpu_set_vertex_buffer(struct gpu_device *dev, unsigned slot, struct gpu_resource *buffer, uint32_t stride,
			   uint32_t offset);
/* index_size 2 or 4; NULL unbinds. */
void gpu_set_index_buffer(struct gpu_device *dev, struct gpu_resource *buffer, uint32_t index_size, uint32_t offset);
void gpu_set_shader(struct gpu_device *dev, enum shader_stage stage, struct gpu_shader *shader);
/* Parts of the variant key that come from state: everything but linkage, which the core fills from the bound pixel
 * shader. */
void gpu_set_shader_key(struct gpu_device *dev, enum shader_stage stage, const struct shader_key *key);
/* SM1-3 registers, kept by the core; uploaded for what the bound shader reads. first, count in vec4s (bools:
 * registers). */
void gpu_set_float_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			     const float *data);
void gpu_set_int_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			   const int32_t *data);
void gpu_set_bool_constants(struct gpu_device *dev, enum shader_stage stage, uint32_t first, uint32_t count,
			    const int32_t *data);
void gpu_set_system_constant(struct gpu_device *dev, enum shader_stage stage, enum shader_system_constant which,
			     const float data[4]);
/* SM4+ constant buffer; NULL unbinds. size in bytes, 0 = to the end. */
void gpu_set_constant_buffer(struct gpu_device *dev, enum shader_stage stage, unsigned slot,
			     struct gpu_resource *buffer, uint32_t offset, uint32_t size);
/* By API register: textures t#/s#, samplers s#. The core pairs them into units for the bound shader
 * (shader_info.units). */
void gpu_set_texture(struct gpu_device *dev, enum shader_stage stage, unsigned reg, struct gpu_view *view);
void gpu_set_sampler(struct gpu_device *dev, enum shader_stage stage, unsigned reg, struct gpu_sampler *sampler);
void gpu_set_targets(struct gpu_device *dev, unsigned count, struct gpu_surface *const *colors,
		     struct gpu_surface *depth_stencil);
struct gpu_viewport { float x, y, width, height, min_depth, max_depth; };
void gpu_set_viewports(struct gpu_device *dev, unsigned count, const struct gpu_viewport *viewports);
struct gpu_rect { int32_t left, top, right, bottom; };
void gpu_set_scissors(struct gpu_device *dev, unsigned count, const struct gpu_rect *rects);
void gpu_set_clip_planes(struct gpu_device *dev, const float planes[8][4]);

/* ---- work ---- */

struct gpu_draw {
	uint8_t topology;		/* stream primitive mode */
	bool indexed;
	bool primitive_restart;
	uint32_t start, count;		/* first vertex, or first index */
	uint32_t instance_count;	/* 1 = plain */
	uint32_t start_instance;
	int32_t base_vertex;
};
/* -EINVAL when a shader, vertex elements or target that it needs is missing: then nothing is drawn. */
int gpu_draw(struct gpu_device *dev, const struct gpu_draw *draw);

#define GPU_CLEAR_DEPTH 1u
#define GPU_CLEAR_STENCIL 2u
/* One surface, whole or rectangles (count 0 = whole); color are raw bits of the surface's numeric type. */
int gpu_clear_color(struct gpu_device *dev, struct gpu_surface *surface, const uint32_t color[4], unsigned rect_count,
		    const struct gpu_rect *rects);
int gpu_clear_depth_stencil(struct gpu_device *dev, struct gpu_surface *surface, uint32_t flags, float depth,
			    uint8_t stencil, unsigned rect_count, const struct gpu_rect *rects);

/* ---- queries ---- */

enum gpu_query_type {
	GPU_QUERY_EVENT, GPU_QUERY_OCCLUSION, GPU_QUERY_OCCLUSION_PREDICATE, GPU_QUERY_TIMESTAMP,
};
int gpu_query_create(struct gpu_device *dev, enum gpu_query_type type, struct gpu_query **out);
void gpu_query_destroy(struct gpu_device *dev, struct gpu_query *query);
int gpu_query_begin(struct gpu_device *dev, struct gpu_query *query);
int gpu_query_end(struct gpu_device *dev, struct gpu_query *query);
/* 0 with *result, -EBUSY not ready (flush asks to submit what is pending), -EIO. */
int gpu_query_result(struct gpu_device *dev, struct gpu_query *query, bool flush, uint64_t *result);

#endif
