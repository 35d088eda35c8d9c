/* SPDX-License-Identifier: MIT */
/*
 * State objects: descriptions packed into the engine's words. Creation sends them at once. The four that Direct3D 9
 * changes bit by bit can also be had from a cache, whose key is the packed words: two descriptions that mean the same
 * share an object.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name, value) d3dgpu_put(name, (uint32_t)(value))

/* ---- packing ---- */

static struct stream_blend pack_blend(const struct gpu_blend_desc *desc)
{
	struct stream_blend out = {
		.flags = FIELD(D3DGPU_BLEND_INDEPENDENT, desc->independent) |
			 FIELD(D3DGPU_BLEND_LOGIC_ENABLE, desc->logic_op_enable) |
			 FIELD(D3DGPU_BLEND_DITHER, desc->dither) |
			 FIELD(D3DGPU_BLEND_ALPHA_TO_COVERAGE, desc->alpha_to_coverage) |
			 FIELD(D3DGPU_BLEND_ALPHA_TO_ONE, desc->alpha_to_one),
		.logic_op = desc->logic_op_enable ? desc->logic_op : 0,
	};

	for (unsigned i = 0; i < GPU_MAX_RENDER_TARGETS; i++) {
		const struct gpu_blend_target *target = &desc->targets[desc->independent ? i : 0];

		out.targets[i] = FIELD(D3DGPU_BLEND_WRITE_MASK, target->write_mask);
		if (target->enable)
			out.targets[i] |= FIELD(D3DGPU_BLEND_ENABLE, 1) |
					  FIELD(D3DGPU_BLEND_RGB_FUNC, target->rgb_func) |
					  FIELD(D3DGPU_BLEND_RGB_SRC, target->rgb_src) |
					  FIELD(D3DGPU_BLEND_RGB_DST, target->rgb_dst) |
					  FIELD(D3DGPU_BLEND_ALPHA_FUNC, target->alpha_func) |
					  FIELD(D3DGPU_BLEND_ALPHA_SRC, target->alpha_src) |
					  FIELD(D3DGPU_BLEND_ALPHA_DST, target->alpha_dst);
	}
	return out;
}

static uint32_t pack_stencil(const struct gpu_stencil_face *face)
{
	return FIELD(D3DGPU_DSA_STENCIL_ENABLE, 1) | FIELD(D3DGPU_DSA_STENCIL_FUNC, face->func) |
	       FIELD(D3DGPU_DSA_STENCIL_FAIL, face->fail_op) | FIELD(D3DGPU_DSA_STENCIL_ZPASS, face->zpass_op) |
	       FIELD(D3DGPU_DSA_STENCIL_ZFAIL, face->zfail_op) | FIELD(D3DGPU_DSA_STENCIL_READ_MASK, face->read_mask) |
	       FIELD(D3DGPU_DSA_STENCIL_WRITE_MASK, face->write_mask);
}

static struct stream_dsa pack_depth_stencil(const struct gpu_depth_stencil_desc *desc)
{
	struct stream_dsa out = {0};

	if (desc->depth_test)
		out.depth = FIELD(D3DGPU_DSA_DEPTH_ENABLE, 1) | FIELD(D3DGPU_DSA_DEPTH_WRITE, desc->depth_write) |
			    FIELD(D3DGPU_DSA_DEPTH_FUNC, desc->depth_func);
	if (desc->alpha_test) {
		out.depth |= FIELD(D3DGPU_DSA_ALPHA_ENABLE, 1) | FIELD(D3DGPU_DSA_ALPHA_FUNC, desc->alpha_func);
		out.alpha_ref = desc->alpha_ref;
	}
	if (desc->stencil)
		out.front = pack_stencil(&desc->front);
	if (desc->stencil && desc->two_sided)
		out.back = pack_stencil(&desc->back);
	return out;
}

static struct stream_rasterizer pack_rasterizer(const struct gpu_rasterizer_desc *desc)
{
	bool bias = desc->depth_bias_units != 0 || desc->depth_bias_slope != 0;
	struct stream_rasterizer out = {
		.flags = FIELD(D3DGPU_RAST_FLATSHADE, desc->flat_shade) |
			 FIELD(D3DGPU_RAST_DEPTH_CLIP, desc->depth_clip) | FIELD(D3DGPU_RAST_CLIP_HALFZ, 1) |
			 FIELD(D3DGPU_RAST_FLATSHADE_FIRST, 1) | FIELD(D3DGPU_RAST_POINT_QUAD, desc->point_sprite) |
			 FIELD(D3DGPU_RAST_CULL, desc->cull) | FIELD(D3DGPU_RAST_FILL_FRONT, desc->fill) |
			 FIELD(D3DGPU_RAST_FILL_BACK, desc->fill) | FIELD(D3DGPU_RAST_SCISSOR, desc->scissor) |
			 FIELD(D3DGPU_RAST_FRONT_CCW, desc->front_ccw) | FIELD(D3DGPU_RAST_OFFSET_LINE, bias) |
			 FIELD(D3DGPU_RAST_OFFSET_POINT, bias) | FIELD(D3DGPU_RAST_OFFSET_TRI, bias) |
			 FIELD(D3DGPU_RAST_POINT_SIZE_PER_VERTEX, desc->point_size_per_vertex) |
			 FIELD(D3DGPU_RAST_MULTISAMPLE, desc->multisample) |
			 FIELD(D3DGPU_RAST_LINE_SMOOTH, desc->line_smooth) | FIELD(D3DGPU_RAST_HALF_PIXEL_CENTER, 1),
		.point_size = desc->point_size > 0 ? desc->point_size : 1.0f,
		.sprite_coords = desc->point_sprite ? desc->sprite_coords : 0,
		.clip_planes = desc->clip_planes,
		.line_width = 1.0f,
	};

	if (bias) {
		out.offset_units = desc->depth_bias_units;
		out.offset_scale = desc->depth_bias_slope;
		out.offset_clamp = desc->depth_bias_clamp;
	}
	return out;
}

/* Mirror-once that the engine does not have: the nearest mode that it does. */
static uint32_t pack_wrap(const struct gpu_device *dev, uint32_t wrap)
{
	if (wrap >= D3DGPU_WRAP_MIRROR_CLAMP && !(dev->caps.options & D3DGPU_OPTION_MIRROR_ONCE))
		return D3DGPU_WRAP_MIRROR_REPEAT;
	return wrap;
}

static struct stream_sampler pack_sampler(const struct gpu_device *dev, const struct gpu_sampler_desc *desc)
{
	struct stream_sampler out = {
		.flags = FIELD(D3DGPU_SAMPLER_WRAP_S, pack_wrap(dev, desc->wrap_s)) |
			 FIELD(D3DGPU_SAMPLER_WRAP_T, pack_wrap(dev, desc->wrap_t)) |
			 FIELD(D3DGPU_SAMPLER_WRAP_R, pack_wrap(dev, desc->wrap_r)) |
			 FIELD(D3DGPU_SAMPLER_MIN_FILTER, desc->min_filter) |
			 FIELD(D3DGPU_SAMPLER_MIP_FILTER, desc->mip_filter) |
			 FIELD(D3DGPU_SAMPLER_MAG_FILTER, desc->mag_filter) |
			 FIELD(D3DGPU_SAMPLER_SEAMLESS, desc->seamless_cube) |
			 FIELD(D3DGPU_SAMPLER_ANISOTROPY, desc->max_anisotropy > 16 ? 16 : desc->max_anisotropy),
		.lod_bias = desc->lod_bias,
		.min_lod = desc->min_lod,
		.max_lod = desc->max_lod,
	};

	if (desc->compare)
		out.flags |= FIELD(D3DGPU_SAMPLER_COMPARE, 1) | FIELD(D3DGPU_SAMPLER_COMPARE_FUNC, desc->compare_func);
	memcpy(out.border, desc->border, sizeof(out.border));
	return out;
}

/* ---- objects and their caches ---- */

static uint32_t hash_words(const void *words, size_t size)
{
	const uint32_t *w = words;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size / 4; i++)
		hash = (hash ^ w[i]) * 16777619u;
	return hash ^ hash >> 16;
}

static int send_object(struct gpu_device *dev, struct state_object *object, enum d3dgpu_object type)
{
	struct stream *s = &dev->stream;

	switch (type) {
	case D3DGPU_OBJ_BLEND:
		stream_create_blend(s, object->handle, &object->blend);
		break;
	case D3DGPU_OBJ_DSA:
		stream_create_dsa(s, object->handle, &object->dsa);
		break;
	case D3DGPU_OBJ_RASTERIZER:
		stream_create_rasterizer(s, object->handle, &object->rasterizer);
		break;
	default:
		stream_create_sampler(s, object->handle, &object->sampler);
		break;
	}
	dev->stats.state_objects++;
	return s->error;
}

/* Makes an object of `size` bytes whose packed words are key[0..key_size). With a cache, finds it there first. */
static int object_get(struct gpu_device *dev, enum d3dgpu_object type, size_t size, const void *key, size_t key_size,
		      struct object_cache *cache, void *out)
{
	struct state_object **bucket = cache ? &cache->buckets[hash_words(key, key_size) % CACHE_BUCKETS] : NULL;
	struct state_object *object = bucket ? *bucket : NULL;
	int error;

	for (; object; object = object->next)
		if (!memcmp(&object->blend, key, key_size)) {
			*(struct state_object **)out = object;
			return 0;
		}
	object = device_alloc(dev, size);
	if (!object)
		return -ENOMEM;
	object->handle = device_handle(dev);
	memcpy(&object->blend, key, key_size);
	error = send_object(dev, object, type);
	if (error) {
		free(object);
		return error;
	}
	if (bucket) {
		object->cached = true;
		object->next = *bucket;
		*bucket = object;
	}
	*(struct state_object **)out = object;
	return 0;
}

int gpu_blend_create(struct gpu_device *dev, const struct gpu_blend_desc *desc, struct gpu_blend **out)
{
	struct stream_blend key = pack_blend(desc);

	return object_get(dev, D3DGPU_OBJ_BLEND, sizeof(struct gpu_blend), &key, sizeof(key), NULL, out);
}

int gpu_depth_stencil_create(struct gpu_device *dev, const struct gpu_depth_stencil_desc *desc,
			     struct gpu_depth_stencil **out)
{
	struct stream_dsa key = pack_depth_stencil(desc);

	return object_get(dev, D3DGPU_OBJ_DSA, sizeof(struct gpu_depth_stencil), &key, sizeof(key), NULL, out);
}

int gpu_rasterizer_create(struct gpu_device *dev, const struct gpu_rasterizer_desc *desc, struct gpu_rasterizer **out)
{
	struct stream_rasterizer key = pack_rasterizer(desc);

	return object_get(dev, D3DGPU_OBJ_RASTERIZER, sizeof(struct gpu_rasterizer), &key, sizeof(key), NULL, out);
}

int gpu_sampler_create(struct gpu_device *dev, const struct gpu_sampler_desc *desc, struct gpu_sampler **out)
{
	struct stream_sampler key = pack_sampler(dev, desc);

	return object_get(dev, D3DGPU_OBJ_SAMPLER_STATE, sizeof(struct gpu_sampler), &key, sizeof(key), NULL, out);
}

struct gpu_blend *gpu_blend_get(struct gpu_device *dev, const struct gpu_blend_desc *desc)
{
	struct stream_blend key = pack_blend(desc);
	struct gpu_blend *blend = NULL;

	object_get(dev, D3DGPU_OBJ_BLEND, sizeof(*blend), &key, sizeof(key), &dev->blends, &blend);
	return blend;
}

struct gpu_depth_stencil *gpu_depth_stencil_get(struct gpu_device *dev, const struct gpu_depth_stencil_desc *desc)
{
	struct stream_dsa key = pack_depth_stencil(desc);
	struct gpu_depth_stencil *ds = NULL;

	object_get(dev, D3DGPU_OBJ_DSA, sizeof(*ds), &key, sizeof(key), &dev->depth_stencils, &ds);
	return ds;
}

struct gpu_rasterizer *gpu_rasterizer_get(struct gpu_device *dev, const struct gpu_rasterizer_desc *desc)
{
	struct stream_rasterizer key = pack_rasterizer(desc);
	struct gpu_rasterizer *rasterizer = NULL;

	object_get(dev, D3DGPU_OBJ_RASTERIZER, sizeof(*rasterizer), &key, sizeof(key), &dev->rasterizers, &rasterizer);
	return rasterizer;
}

struct gpu_sampler *gpu_sampler_get(struct gpu_device *dev, const struct gpu_sampler_desc *desc)
{
	struct stream_sampler key = pack_sampler(dev, desc);
	struct gpu_sampler *sampler = NULL;

	object_get(dev, D3DGPU_OBJ_SAMPLER_STATE, sizeof(*sampler), &key, sizeof(key), &dev->samplers, &sampler);
	return sampler;
}

/* ---- ends ---- */

/* Takes an object out of the engine, unbinding it there first when it is what *bound names. */
static void object_destroy(struct gpu_device *dev, struct state_object *object, enum d3dgpu_object type,
			   struct state_object **bound)
{
	if (bound && *bound == object) {
		stream_bind_object(&dev->stream, type, 0);
		*bound = NULL;
	}
	stream_destroy_object(&dev->stream, type, object->handle);
	free(object);
}

void gpu_blend_destroy(struct gpu_device *dev, struct gpu_blend *blend)
{
	if (!blend || blend->object.cached)
		return;
	if (dev->blend == blend) {
		dev->blend = NULL;
		dev->dirty |= DIRTY_BLEND;
	}
	object_destroy(dev, &blend->object, D3DGPU_OBJ_BLEND, &dev->bound_blend);
}

void gpu_depth_stencil_destroy(struct gpu_device *dev, struct gpu_depth_stencil *ds)
{
	if (!ds || ds->object.cached)
		return;
	if (dev->depth_stencil == ds) {
		dev->depth_stencil = NULL;
		dev->dirty |= DIRTY_DEPTH_STENCIL;
	}
	object_destroy(dev, &ds->object, D3DGPU_OBJ_DSA, &dev->bound_depth_stencil);
}

void gpu_rasterizer_destroy(struct gpu_device *dev, struct gpu_rasterizer *rasterizer)
{
	if (!rasterizer || rasterizer->object.cached)
		return;
	if (dev->rasterizer == rasterizer) {
		dev->rasterizer = NULL;
		dev->dirty |= DIRTY_RASTERIZER;
	}
	object_destroy(dev, &rasterizer->object, D3DGPU_OBJ_RASTERIZER, &dev->bound_rasterizer);
}

static void sampler_destroy(struct gpu_device *dev, struct gpu_sampler *sampler)
{
	for (unsigned i = 0; i < sizeof(sampler->shifted) / sizeof(sampler->shifted[0]); i++)
		if (sampler->shifted[i])
			stream_destroy_object(&dev->stream, D3DGPU_OBJ_SAMPLER_STATE, sampler->shifted[i]);
	object_destroy(dev, &sampler->object, D3DGPU_OBJ_SAMPLER_STATE, NULL);
}

void gpu_sampler_destroy(struct gpu_device *dev, struct gpu_sampler *sampler)
{
	if (!sampler || sampler->object.cached)
		return;
	unbind_sampler(dev, sampler);
	sampler_destroy(dev, sampler);
}

static void cache_fini(struct gpu_device *dev, struct object_cache *cache)
{
	for (unsigned i = 0; i < CACHE_BUCKETS; i++)
		while (cache->buckets[i]) {
			struct state_object *object = cache->buckets[i];

			cache->buckets[i] = object->next;
			free(object);
		}
}

/* The context goes with all objects in it: only memory is freed. */
void state_fini(struct gpu_device *dev)
{
	cache_fini(dev, &dev->blends);
	cache_fini(dev, &dev->depth_stencils);
	cache_fini(dev, &dev->rasterizers);
	cache_fini(dev, &dev->samplers);
}

/* ---- samplers that make up for views ---- */

uint32_t sampler_handle(struct gpu_device *dev, struct gpu_sampler *sampler, uint32_t lod_shift)
{
	struct stream_sampler state = sampler->object.sampler;
	uint32_t *handle;

	if (!lod_shift)
		return sampler->object.handle;
	handle = &sampler->shifted[lod_shift - 1];
	if (!*handle) {
		*handle = device_handle(dev);
		state.min_lod = (state.min_lod > 0 ? state.min_lod : 0) + (float)lod_shift;
		state.max_lod = (state.max_lod > 0 ? state.max_lod : 0) + (float)lod_shift;
		stream_create_sampler(&dev->stream, *handle, &state);
		dev->stats.state_objects++;
	}
	return *handle;
}

/* ---- defaults ---- */

struct state_object *current_blend(struct gpu_device *dev)
{
	static const struct gpu_blend_desc plain = {.targets[0].write_mask = 15};

	if (dev->blend)
		return &dev->blend->object;
	if (!dev->default_blend)
		dev->default_blend = gpu_blend_get(dev, &plain);
	return dev->default_blend ? &dev->default_blend->object : NULL;
}

struct state_object *current_depth_stencil(struct gpu_device *dev)
{
	static const struct gpu_depth_stencil_desc plain = {
		.depth_test = true,
		.depth_write = true,
		.depth_func = D3DGPU_COMPARE_LESS,
	};

	if (dev->depth_stencil)
		return &dev->depth_stencil->object;
	if (!dev->default_depth_stencil)
		dev->default_depth_stencil = gpu_depth_stencil_get(dev, &plain);
	return dev->default_depth_stencil ? &dev->default_depth_stencil->object : NULL;
}

struct state_object *current_rasterizer(struct gpu_device *dev)
{
	static const struct gpu_rasterizer_desc plain = {.cull = D3DGPU_CULL_BACK, .depth_clip = true};

	if (dev->rasterizer)
		return &dev->rasterizer->object;
	if (!dev->default_rasterizer)
		dev->default_rasterizer = gpu_rasterizer_get(dev, &plain);
	return dev->default_rasterizer ? &dev->default_rasterizer->object : NULL;
}

struct gpu_sampler *default_sampler(struct gpu_device *dev)
{
	static const struct gpu_sampler_desc plain = {
		.wrap_s = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.wrap_t = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.wrap_r = D3DGPU_WRAP_CLAMP_TO_EDGE,
		.min_filter = D3DGPU_FILTER_LINEAR,
		.mag_filter = D3DGPU_FILTER_LINEAR,
		.mip_filter = D3DGPU_MIP_LINEAR,
		.max_lod = 1000,
	};

	if (!dev->default_sampler)
		dev->default_sampler = gpu_sampler_get(dev, &plain);
	return dev->default_sampler;
}

/* ---- vertex elements ---- */

int gpu_vertex_elements_create(struct gpu_device *dev, const struct gpu_vertex_element *elements, unsigned count,
			       struct gpu_vertex_elements **out)
{
	struct stream_element packed[D3DGPU_STREAM_MAX_ATTRIBUTES];
	struct gpu_vertex_elements *ve;

	if (count > D3DGPU_STREAM_MAX_ATTRIBUTES)
		return -EINVAL;
	for (unsigned i = 0; i < count; i++)
		if (elements[i].buffer >= GPU_MAX_VERTEX_BUFFERS || !d3dgpu_format_block(elements[i].format).bytes)
			return -EINVAL;
	ve = device_alloc(dev, sizeof(*ve));
	if (!ve)
		return -ENOMEM;
	ve->handle = device_handle(dev);
	ve->count = count;
	if (count)
		memcpy(ve->elements, elements, count * sizeof(*elements));
	for (unsigned i = 0; i < count; i++)
		if ((elements[i].divisor && dev->caps.quirks & D3DGPU_QUIRK_DIVISOR_BY_ELEMENT) ||
		    elements[i].offset > D3DGPU_STREAM_MAX_ELEMENT_OFFSET)
			ve->slot_per_element = true;
	for (unsigned i = 0; i < count; i++) {
		uint32_t slot = ve->slot_per_element ? i : elements[i].buffer;

		packed[i] = (struct stream_element){
			.offset = ve->slot_per_element ? 0 : elements[i].offset, /* else part of the buffer's offset */
			.divisor = elements[i].divisor,
			.buffer = slot,
			.format = elements[i].format,
		};
		if (slot >= ve->slots)
			ve->slots = slot + 1;
	}
	stream_create_vertex_elements(&dev->stream, ve->handle, count, packed);
	dev->stats.state_objects++;
	if (dev->stream.error) {
		free(ve);
		return dev->stream.error;
	}
	*out = ve;
	return 0;
}

void gpu_vertex_elements_destroy(struct gpu_device *dev, struct gpu_vertex_elements *ve)
{
	if (!ve)
		return;
	if (dev->vertex_elements == ve) {
		dev->vertex_elements = NULL;
		dev->dirty |= DIRTY_VERTEX_ELEMENTS;
	}
	if (dev->bound_elements == ve) {
		stream_bind_object(&dev->stream, D3DGPU_OBJ_VERTEX_ELEMENTS, 0);
		dev->bound_elements = NULL;
		dev->dirty |= DIRTY_VERTEX_ELEMENTS;
	}
	stream_destroy_object(&dev->stream, D3DGPU_OBJ_VERTEX_ELEMENTS, ve->handle);
	free(ve);
}

struct gpu_vertex_elements *empty_elements(struct gpu_device *dev)
{
	if (!dev->empty_elements)
		gpu_vertex_elements_create(dev, NULL, 0, &dev->empty_elements);
	return dev->empty_elements;
}
