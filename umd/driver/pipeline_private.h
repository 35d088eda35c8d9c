/* SPDX-License-Identifier: MIT */
/*
 * Inside of the pipeline core: the device's state, and what its files offer to each other.
 *
 *   pipeline_device.c    context, submits, fences
 *   pipeline_list.c      the list of objects that a submit names
 *   pipeline_staging.c   sub-allocation of CPU-mapped memory
 *   pipeline_resource.c  resources and their life
 *   pipeline_buffer.c    renaming of buffers that the CPU writes often
 *   pipeline_transfer.c  moving subresources between staging memory and the engine
 *   pipeline_map.c       map, unmap, update
 *   pipeline_copy.c      copy, blit, mip maps, discard
 *   pipeline_state.c     blend, depth-stencil, rasterizer, sampler, vertex elements
 *   pipeline_view.c      views and surfaces
 *   pipeline_shader.c    shaders and their variants
 *   pipeline_bind.c      binding: stores and dirty bits
 *   pipeline_emit.c      from dirty bits to commands
 *   pipeline_draw.c      draws
 *   pipeline_clear.c     clears, and the quad that clears rectangles
 *   pipeline_query.c     queries
 *
 * Serial numbers: the submit that is being recorded has dev->serial; it is the fence that the winsys will give it.
 */
#ifndef D3DGPU_UMD_PIPELINE_PRIVATE_H
#define D3DGPU_UMD_PIPELINE_PRIVATE_H

#include "pipeline.h"
#include "stream.h"

#define STAGE_COUNT 6
#define MAX_TEXTURES 128		/* t# per stage */
#define MAX_SAMPLERS 32			/* s# per stage: 16 of Direct3D 10+, and the vertex samplers of Direct3D 9 */
#define MAX_INTEGERS 32			/* i# per stage */
#define MAX_BOOLEANS 32			/* b# per stage */

#define COMMAND_BUFFER_SIZE (512u << 10) /* bytes of one command buffer object */
#define COMMAND_BUFFER_COUNT 4
#define COMMAND_TAIL 2048u		/* words kept free for what a submit appends: query results */
#define COMMAND_LEAST 14000u		/* words: with fewer left, the next buffer is taken */

/* An object in VRAM and where it stands in the current submit's list. */
struct tracked_bo {
	struct winsys_bo *bo;
	uint64_t listed;		/* serial of the last submit that lists it */
	uint32_t index;			/* in that list */
	uint64_t counted;		/* last dev->count_pass that saw it */
};

/* ---- staging ---- */

struct staging_chunk {
	struct staging_chunk *next;
	struct tracked_bo tracked;
	uint64_t used;			/* bytes handed out since it was last empty */
	uint64_t serial;		/* last submit that uses it */
	uint32_t pins;			/* ranges not released yet */
	bool unneeded;			/* the kernel may throw it away until it is asked for again */
};

struct staging_range {
	struct staging_chunk *chunk;
	uint64_t offset;		/* bytes, in the chunk's buffer object */
	uint8_t *data;
};

/* ---- resources ---- */

/* A buffer that is renamed: `count` copies of it lie one after the other in its buffer object, and their CPU side in
 * `shadow`. */
struct rename_slots {
	uint32_t count, current;
	uint32_t stride;		/* bytes from slot to slot */
	uint64_t *serials;		/* per slot: last submit that uses it; the current one's is not kept */
	bool stale;			/* the GPU wrote the current slot: its CPU side is older */
	bool unsent;			/* written on the CPU side without saying where: draws send what they read */
	uint32_t sent_first, sent_end;	/* then: bytes that were sent since */
};

struct resource {
	struct gpu_resource base;	/* first */
	struct tracked_bo tracked;	/* bo NULL for staging resources */
	struct tracked_bo shadow;	/* staging resources: the content; renamed buffers: CPU side of the slots */
	struct rename_slots slots;	/* count 0 = not renamed */
	uint64_t write_serial;		/* last submit that writes it (staging resources: its CPU side) */
	uint64_t read_serial;		/* staging resources: last submit that reads it */
	uint8_t *engine_order;		/* staging, packed depth: per subresource, in the engine's order of bits */
	bool written;			/* it has had content */
};

static inline struct resource *to_resource(struct gpu_resource *res)
{
	return (struct resource *)res;
}

struct mapping {
	struct mapping *next;
	struct resource *res;
	uint32_t subresource, flags;
	struct gpu_box box;
	struct staging_range range;	/* chunk NULL: the resource's own memory */
	uint32_t pitch, slice_pitch;
};

/* ---- state objects ---- */

struct state_object {
	struct state_object *next;	/* in its cache's bucket */
	uint32_t handle;
	bool cached;			/* owned by the device */
	union {
		struct stream_blend blend;
		struct stream_dsa dsa;
		struct stream_rasterizer rasterizer;
		struct stream_sampler sampler;
	};
};

struct gpu_blend { struct state_object object; };
struct gpu_depth_stencil { struct state_object object; };
struct gpu_rasterizer { struct state_object object; };
struct gpu_sampler {
	struct state_object object;
	uint32_t shifted[15];		/* the same with its levels moved up by n + 1: see view_lod_shift */
};

#define CACHE_BUCKETS 64
struct object_cache { struct state_object *buckets[CACHE_BUCKETS]; };

struct gpu_vertex_elements {
	uint32_t handle;
	uint32_t count;
	bool slot_per_element;		/* vertex buffer i of the engine is that of element i */
	uint32_t slots;			/* vertex buffers of the engine that are read */
	struct gpu_vertex_element elements[D3DGPU_STREAM_MAX_ATTRIBUTES];
};

struct gpu_view {
	uint32_t handle;
	struct resource *res;
	uint32_t format;
	uint32_t first_level, last_level, first_layer, last_layer;
	uint32_t lod_shift;		/* levels that the sampler must add (D3DGPU_QUIRK_VIEW_LEVEL_TWICE) */
};

struct gpu_surface {
	uint32_t handle;
	struct resource *res;
	struct gpu_surface_desc desc;	/* format filled in */
	uint32_t width, height;		/* texels of its level */
};

/* ---- shaders ---- */

struct shader_variant {
	struct shader_variant *next;
	struct shader_key key;
	uint32_t handle;
	struct shader_constants constants;
	uint32_t system_mask;
};

struct gpu_shader {
	enum shader_stage stage;
	struct shader *parsed;		/* NULL for one in the device's text */
	struct shader_info *text_info;	/* then: what its declarations say */
	struct shader_variant *variants;
};

/* ---- device ---- */

enum dirty {
	DIRTY_BLEND = 1 << 0,
	DIRTY_BLEND_COLOR = 1 << 1,
	DIRTY_SAMPLE_MASK = 1 << 2,
	DIRTY_DEPTH_STENCIL = 1 << 3,
	DIRTY_STENCIL_REF = 1 << 4,
	DIRTY_RASTERIZER = 1 << 5,
	DIRTY_VERTEX_ELEMENTS = 1 << 6,
	DIRTY_VERTEX_BUFFERS = 1 << 7,
	DIRTY_INDEX_BUFFER = 1 << 8,
	DIRTY_TARGETS = 1 << 9,
	DIRTY_VIEWPORTS = 1 << 10,
	DIRTY_SCISSORS = 1 << 11,
	DIRTY_CLIP_PLANES = 1 << 12,
	DIRTY_SHADERS = 1 << 13,	/* shaders or keys: variants must be found again */
	DIRTY_ALL = (1 << 14) - 1,
};

enum stage_dirty {
	STAGE_DIRTY_CONSTANTS = 1 << 0,
	STAGE_DIRTY_BUFFERS = 1 << 1,
	STAGE_DIRTY_UNITS = 1 << 2,
	STAGE_DIRTY_ALL = 7,
};

struct vertex_binding { struct resource *buffer; uint32_t stride, offset; };
struct constant_binding { struct resource *buffer; uint32_t offset, size; };

struct stage_state {
	struct gpu_shader *shader;
	struct shader_key key;
	struct shader_variant *variant;	/* in the engine, or to be */
	uint32_t dirty;			/* enum stage_dirty */
	struct gpu_view *textures[MAX_TEXTURES];
	struct gpu_sampler *samplers[MAX_SAMPLERS];
	struct constant_binding buffers[GPU_MAX_CONSTANT_BUFFERS];
	float floats[GPU_MAX_INLINE_CONSTANTS][4];
	int32_t integers[MAX_INTEGERS][4];
	int32_t booleans[MAX_BOOLEANS];
	float system[SHADER_SYS_COUNT][4];
	/* what the engine has */
	uint32_t bound_shader;
	uint32_t bound_views[GPU_MAX_UNITS], bound_samplers[GPU_MAX_UNITS];
	uint32_t bound_view_count, bound_sampler_count;
	uint32_t bound_buffers[GPU_MAX_CONSTANT_BUFFERS];
};

struct gpu_device {
	struct winsys *ws;
	struct winsys_ctx *ctx;
	struct d3dgpu_caps caps;
	struct gpu_stats stats;
	uint32_t debug;			/* enum debug_flag */

	/* recording */
	struct stream stream;
	struct tracked_bo commands[COMMAND_BUFFER_COUNT];
	uint64_t command_serials[COMMAND_BUFFER_COUNT];
	uint32_t command_current;
	uint32_t command_offset;	/* bytes, of the stream in its buffer object */
	uint64_t serial, completed;
	uint64_t looked;		/* serial in which `completed` was last asked for by device_done() */
	struct winsys_bo **bos;		/* list of the current submit */
	uint8_t *bo_writes;
	uint32_t bo_count, bo_capacity;
	uint64_t bo_bytes;		/* of all that it lists */
	uint64_t count_pass;
	struct access_tracker *access;	/* DEBUG_ACCESS: follows the streams */
	struct winsys_bo **retired;	/* destroyed, but the current submit lists them */
	uint32_t retired_count;
	uint32_t next_handle;
	bool submitting;
	/* The engine may have bound a texture, for work of its own, to the unit that it used last (pipeline_emit.c). */
	bool units_disturbed;
	uint32_t fault;			/* enum d3dgpu_fault: why this side gave the context up */

	struct staging_chunk *chunks, *chunk; /* all; the one that is being filled */
	uint64_t staging_size;		/* bytes of all chunks */
	uint64_t staged;		/* bytes of ranges that the stream being recorded may use */
	struct mapping *mappings, *free_mappings;

	struct object_cache blends, depth_stencils, rasterizers, samplers;

	/* bound */
	uint32_t dirty;
	struct gpu_blend *blend;
	float blend_factor[4];
	uint32_t sample_mask;
	struct gpu_depth_stencil *depth_stencil;
	uint8_t stencil_ref[2];
	struct gpu_rasterizer *rasterizer;
	struct gpu_vertex_elements *vertex_elements;
	struct vertex_binding vertex_buffers[GPU_MAX_VERTEX_BUFFERS];
	struct resource *index_buffer;
	uint32_t index_size, index_offset;
	struct stage_state stages[STAGE_COUNT];
	struct gpu_surface *targets[GPU_MAX_RENDER_TARGETS], *depth_target;
	uint32_t target_count;
	struct gpu_viewport viewports[GPU_MAX_VIEWPORTS];
	uint32_t viewport_count;
	struct gpu_rect scissors[GPU_MAX_VIEWPORTS];
	uint32_t scissor_count;
	float clip_planes[8][4];

	/* what the engine has, where it is not the above without its dirty bit */
	uint64_t bindings_listed;	/* serial in which all bound objects are listed */
	struct state_object *bound_blend, *bound_depth_stencil, *bound_rasterizer;
	struct gpu_vertex_elements *bound_elements;
	struct stream_vertex_buffer bound_vertex_buffers[GPU_MAX_VERTEX_BUFFERS];
	uint32_t bound_vertex_buffer_count;
	uint32_t bound_index[3];	/* resource, size, offset */
	struct gpu_surface *bound_targets[GPU_MAX_RENDER_TARGETS], *bound_depth_target;
	uint32_t bound_target_count;

	/* what is used when nothing is bound, made at first use */
	struct gpu_blend *default_blend;
	struct gpu_depth_stencil *default_depth_stencil;
	struct gpu_rasterizer *default_rasterizer;
	struct gpu_sampler *default_sampler;
	struct gpu_vertex_elements *empty_elements;
	struct gpu_shader *null_pixel_shader;
	struct gpu_resource *zero_buffer;
	struct quad *quad;		/* pipeline_clear.c */
	struct query_pool *queries;	/* pipeline_query.c */
};

enum debug_flag {
	DEBUG_STREAM = 1 << 0,		/* print every stream that is submitted */
	DEBUG_DISCARD = 1 << 1,		/* fill discarded surfaces with a pattern */
	DEBUG_SHADERS = 1 << 2,		/* print shader text */
	DEBUG_ACCESS = 1 << 3,		/* compare lists with streams; a submit whose list is wrong fails */
};

/* ---- pipeline_device.c ---- */

/* Zeroed memory; counted. */
void *device_alloc(struct gpu_device *dev, size_t size);
uint32_t device_handle(struct gpu_device *dev);
/* 0, or -EIO when the context is lost. */
int device_error(struct gpu_device *dev);
/* Whether the submit with this serial was done when last looked; looks at most once a submit, for it may be a system
 * call. */
bool device_done(struct gpu_device *dev, uint64_t serial);
/* Waits until the submit with this serial is done, submitting it first if it is the current one. */
int device_wait(struct gpu_device *dev, uint64_t serial);

/* ---- pipeline_list.c ---- */

/* What a command does with an object */
struct list_use {
	struct tracked_bo *tracked;
	struct resource *res;		/* NULL for memory that is no resource's */
	bool write;
};

static inline struct list_use use_of(struct resource *res, bool write)
{
	return (struct list_use){&res->tracked, res, write};
}

static inline struct list_use use_of_memory(struct tracked_bo *tracked, bool write)
{
	return (struct list_use){tracked, NULL, write};
}

/* Room for a command of up to `words` words in the stream, together with all objects that it uses in the submit's list.
 * What was recorded may be submitted first. -ENOMEM: its objects are more than the pool. */
int device_claim(struct gpu_device *dev, uint32_t words, const struct list_use *uses, uint32_t count);
/* Destroys a buffer object when the submit that lists it is queued. */
void device_retire(struct gpu_device *dev, struct tracked_bo *tracked);
/* It is queued: they go. */
void retire_listed(struct gpu_device *dev);
/* D3DGPU_DEBUG=access: -EINVAL, and why on standard error, where the list is not what the stream uses. */
int list_check(struct gpu_device *dev, const struct winsys_submit *submit);

/* ---- pipeline_staging.c ---- */

int staging_alloc(struct gpu_device *dev, uint64_t size, struct staging_range *out);
/* The range may be reused when the current submit is done. */
void staging_release(struct gpu_device *dev, struct staging_range *range);
/* After a submit: says which memory has long been idle. */
void staging_age(struct gpu_device *dev);
/* Gives idle memory back to the pool. */
void staging_trim(struct gpu_device *dev);
void staging_fini(struct gpu_device *dev);

/* ---- pipeline_resource.c ---- */

struct level_extent { uint32_t width, height, depth; };
struct level_extent resource_level(const struct resource *res, uint32_t subresource);
/* Checks a box against a subresource (NULL = all of it). Returns 0 or -EINVAL. */
int resource_box(const struct resource *res, uint32_t subresource, const struct gpu_box *box, struct gpu_box *out);
bool resource_is_buffer(const struct resource *res);
/* Whether depth and stencil lie in the engine's dwords in another order than in Direct3D's. */
bool resource_packs_stencil(const struct resource *res);
int resource_alloc(struct gpu_device *dev, const struct d3dgpu_resource_desc *desc, enum gpu_usage usage,
		   struct resource **out);

/* ---- pipeline_buffer.c ---- */

int slots_init(struct gpu_device *dev, struct resource *res);
void slots_fini(struct gpu_device *dev, struct resource *res);
/* Moves on to a slot that no pending work uses; `keep` copies the content of the CPU side. */
int slots_advance(struct gpu_device *dev, struct resource *res, bool keep);
/* Whether pending or recorded work uses the current slot. */
bool slots_busy(struct gpu_device *dev, const struct resource *res);
/* Bytes from the buffer object's start to the buffer's. */
static inline uint32_t buffer_offset(const struct resource *res)
{
	return res->slots.current * res->slots.stride;
}
uint8_t *slots_data(const struct resource *res);
/* Records the upload of a part of the current slot. */
int slots_upload(struct gpu_device *dev, struct resource *res, uint32_t offset, uint32_t size);
/* The CPU wrote somewhere in the current slot. */
void slots_mark_unsent(struct resource *res);
/* Makes sure that the GPU has these bytes of the current slot. size UINT32_MAX = to the end. */
int slots_send(struct gpu_device *dev, struct resource *res, uint32_t offset, uint32_t size);

/* ---- pipeline_transfer.c ---- */

/* Where a box of a subresource lies in linear memory */
struct linear_image {
	struct tracked_bo *staging;
	uint64_t offset;		/* bytes, of the box's first texel */
	uint32_t pitch, slice_pitch;	/* bytes */
};
int transfer_write(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
		   const struct linear_image *image);
int transfer_read(struct gpu_device *dev, struct resource *res, uint32_t subresource, const struct gpu_box *box,
		  const struct linear_image *image);
/* Bytes of a row of blocks, and number of such rows, of a box. */
uint32_t box_row_bytes(const struct resource *res, const struct gpu_box *box);
uint32_t box_rows(const struct resource *res, const struct gpu_box *box);
/* Bytes from a subresource's first texel to a box's. */
uint64_t box_offset(const struct resource *res, const struct gpu_box *box, uint32_t pitch, uint32_t slice_pitch);
/* Copies a box between two linear memories. */
void copy_linear(const struct resource *res, const struct gpu_box *box, uint8_t *dst, uint32_t dst_pitch,
		 uint32_t dst_slice_pitch, const uint8_t *src, uint32_t src_pitch, uint32_t src_slice_pitch);
enum depth_order { DEPTH_ENGINE_TO_D3D, DEPTH_D3D_TO_ENGINE };
/* Rotates the dwords of packed depth-stencil texels in place. */
void reorder_depth(const struct resource *res, const struct gpu_box *box, uint8_t *data, uint32_t pitch,
		   uint32_t slice_pitch, enum depth_order order);

/* ---- pipeline_map.c ---- */

/* Brings a staging resource's subresource into the wanted order of bits, waiting for pending transfers. */
int staging_order(struct gpu_device *dev, struct resource *res, uint32_t subresource, bool engine);
void mappings_drop(struct gpu_device *dev, struct resource *res);
void mappings_fini(struct gpu_device *dev);
struct linear_image staging_image(struct resource *res, uint32_t subresource, const struct gpu_box *box);

/* ---- pipeline_state.c ---- */

void state_fini(struct gpu_device *dev);
struct state_object *current_blend(struct gpu_device *dev);
struct state_object *current_depth_stencil(struct gpu_device *dev);
struct state_object *current_rasterizer(struct gpu_device *dev);
struct gpu_sampler *default_sampler(struct gpu_device *dev);
struct gpu_vertex_elements *empty_elements(struct gpu_device *dev);
/* Handle of a sampler for a view with this shift. */
uint32_t sampler_handle(struct gpu_device *dev, struct gpu_sampler *sampler, uint32_t lod_shift);

/* ---- pipeline_shader.c ---- */

/* Finds or makes the variants of all bound shaders. */
int shaders_update(struct gpu_device *dev);
int shader_variant(struct gpu_device *dev, struct gpu_shader *shader, const struct shader_key *key,
		   struct shader_variant **out);

/* ---- pipeline_bind.c ---- */

/* Forget what is bound where an object is about to go; in the engine too. */
void unbind_resource(struct gpu_device *dev, struct resource *res);
/* A buffer's object is about to go: the engine must forget it where constants come from, for it holds no reference. What
 * is bound here stays. */
void unbind_constant_buffers(struct gpu_device *dev, const struct resource *res);
void unbind_view(struct gpu_device *dev, struct gpu_view *view);
void unbind_sampler(struct gpu_device *dev, struct gpu_sampler *sampler);
void unbind_surface(struct gpu_device *dev, struct gpu_surface *surface);
void unbind_shader(struct gpu_device *dev, struct gpu_shader *shader);
/* A buffer's place changed: bindings of it must be sent again. */
void rebind_buffer(struct gpu_device *dev, struct resource *res);

/* ---- pipeline_emit.c ---- */

/* Words that the state of a draw may take, inline constants included. */
uint32_t emit_bound(struct gpu_device *dev);
/* Lists what is bound, then sends what is dirty. */
int emit_state(struct gpu_device *dev, const struct gpu_draw *draw);
void emit_targets(struct gpu_device *dev, uint32_t count, struct gpu_surface *const *colors, struct gpu_surface *depth);
struct resource *zero_buffer(struct gpu_device *dev);

/* ---- pipeline_clear.c ---- */

void quad_fini(struct gpu_device *dev);

/* ---- pipeline_query.c ---- */

/* Appends what brings the results of queries that ended in this submit to the CPU. */
void queries_submit(struct gpu_device *dev);
/* What the pause uses; returns how many, at most 1. To be claimed with the draw. */
uint32_t queries_pause_uses(struct gpu_device *dev, struct list_use *use);
/* Draws between these two are the driver's own, and not counted by occlusion queries. */
void queries_pause(struct gpu_device *dev);
void queries_resume(struct gpu_device *dev);
void queries_fini(struct gpu_device *dev);

#endif
