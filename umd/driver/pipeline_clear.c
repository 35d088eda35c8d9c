/* SPDX-License-Identifier: MIT */
/*
 * Clears. The engine clears whole attachments of the bound framebuffer; rectangles are drawn as a quad whose viewport
 * is the rectangle. Both leave the state that they change marked dirty, so that the next draw sends the program's
 * again.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct quad {
	struct gpu_shader *vertex, *color; /* the second writes CONST[0] */
	struct gpu_vertex_elements *elements;
	struct gpu_resource *corners;
	struct gpu_blend *blend;
	struct gpu_rasterizer *rasterizer;
	struct gpu_depth_stencil *depth_stencil[4]; /* index GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL; 0 touches neither */
	struct gpu_shader *nothing;
};

/* ---- whole surfaces ---- */

/* Room for the clear of one surface of a framebuffer, all of which is named. */
static int claim_surfaces(struct gpu_device *dev, uint32_t count, struct gpu_surface *const *colors,
			  struct gpu_surface *depth, struct gpu_surface *written)
{
	struct list_use uses[GPU_MAX_RENDER_TARGETS + 2];
	uint32_t used = 0;

	uses[used++] = use_of(written->res, true);
	if (depth)
		uses[used++] = use_of(depth->res, depth == written);
	for (uint32_t i = 0; i < count; i++)
		if (colors[i])
			uses[used++] = use_of(colors[i]->res, colors[i] == written);
	return device_claim(dev, 4 * STREAM_COMMAND_WORDS, uses, used);
}

static int find_target(struct gpu_surface *const *targets, uint32_t count, const struct gpu_surface *surface)
{
	for (uint32_t i = 0; i < count; i++)
		if (targets[i] == surface)
			return (int)i;
	return -1;
}

/* Makes a framebuffer with the surface current: the program's if the surface is in it. Returns its index as a colour
 * (0 for a depth-stencil surface), or a negative errno. */
static int select_target(struct gpu_device *dev, struct gpu_surface *surface, bool depth, bool alone)
{
	bool bound = !alone && (depth ? dev->depth_target == surface
				      : find_target(dev->targets, dev->target_count, surface) >= 0);
	struct gpu_surface *const *colors = bound ? dev->targets : &surface;
	uint32_t count = bound ? dev->target_count : depth ? 0 : 1;
	struct gpu_surface *zs = bound ? dev->depth_target : depth ? surface : NULL;
	bool current = dev->bound_target_count == count && dev->bound_depth_target == zs &&
		       !memcmp(dev->bound_targets, colors, count * sizeof(*colors));
	int error = claim_surfaces(dev, count, colors, zs, surface);

	if (error)
		return error;
	if (!current || (dev->dirty & DIRTY_TARGETS && !bound))
		emit_targets(dev, count, colors, zs);
	if (bound && !current)
		dev->dirty &= ~DIRTY_TARGETS;
	return depth ? 0 : find_target(colors, count, surface);
}

static bool integer_format(uint32_t format)
{
	const char *name = d3dgpu_format_name(format);
	size_t length = strlen(name);

	return length > 5 && (!strcmp(name + length - 5, "_UINT") || !strcmp(name + length - 5, "_SINT"));
}

static int clear_color_whole(struct gpu_device *dev, struct gpu_surface *surface, const uint32_t color[4])
{
	/* Some of several attachments: the engine takes the colour as floats then. */
	int index = select_target(dev, surface, false, integer_format(surface->desc.format));

	if (index < 0)
		return index;
	stream_clear(&dev->stream, D3DGPU_CLEAR_COLOR(index), color, 0, 0);
	return dev->stream.error;
}

static int clear_depth_whole(struct gpu_device *dev, struct gpu_surface *surface, uint32_t flags, float depth,
			     uint8_t stencil)
{
	static const uint32_t no_color[4];
	uint32_t buffers = (flags & GPU_CLEAR_DEPTH ? D3DGPU_CLEAR_DEPTH : 0) |
			   (flags & GPU_CLEAR_STENCIL ? D3DGPU_CLEAR_STENCIL : 0);
	int index = select_target(dev, surface, true, false);

	if (index < 0)
		return index;
	stream_clear(&dev->stream, buffers, no_color, (double)depth, stencil);
	return dev->stream.error;
}

/* ---- the quad ---- */

static struct gpu_depth_stencil *quad_depth_stencil(struct gpu_device *dev, uint32_t flags)
{
	struct gpu_depth_stencil_desc desc = {
		.depth_test = flags & GPU_CLEAR_DEPTH,
		.depth_write = true,
		.depth_func = D3DGPU_COMPARE_ALWAYS,
		.stencil = flags & GPU_CLEAR_STENCIL,
		.front =
			{
				.func = D3DGPU_COMPARE_ALWAYS,
				.fail_op = D3DGPU_STENCIL_REPLACE,
				.zpass_op = D3DGPU_STENCIL_REPLACE,
				.zfail_op = D3DGPU_STENCIL_REPLACE,
				.read_mask = 0xff,
				.write_mask = 0xff,
			},
	};

	return gpu_depth_stencil_get(dev, &desc);
}

static int quad_corners(struct gpu_device *dev, struct gpu_resource **out)
{
	static const float corners[4][4] = {{-1, -1, 0, 1}, {-1, 1, 0, 1}, {1, -1, 0, 1}, {1, 1, 0, 1}};
	const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_VERTEX_BUFFER,
		.width = sizeof(corners),
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	int error = gpu_resource_create(dev, &desc, GPU_USAGE_DEFAULT, out);

	return error ? error : gpu_update(dev, *out, 0, NULL, corners, sizeof(corners), sizeof(corners));
}

static int quad_init(struct gpu_device *dev)
{
	static const char vertex[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";
	static const char color[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nMOV OUT[0], CONST[0]\nEND\n";
	static const char nothing[] = "FRAG\nEND\n";
	static const struct gpu_vertex_element element = {.format = D3DGPU_FMT_R32G32B32A32_FLOAT};
	static const struct gpu_blend_desc blend = {.targets[0].write_mask = 15};
	static const struct gpu_rasterizer_desc rasterizer = {.cull = D3DGPU_CULL_NONE, .multisample = true};
	struct quad *quad;
	int error;

	if (dev->quad)
		return 0;
	quad = dev->quad = device_alloc(dev, sizeof(*quad));
	if (!quad)
		return -ENOMEM;
	error = gpu_shader_create_tgsi(dev, SHADER_VERTEX, vertex, &quad->vertex);
	if (!error)
		error = gpu_shader_create_tgsi(dev, SHADER_PIXEL, color, &quad->color);
	if (!error)
		error = gpu_shader_create_tgsi(dev, SHADER_PIXEL, nothing, &quad->nothing);
	if (!error)
		error = gpu_vertex_elements_create(dev, &element, 1, &quad->elements);
	if (!error)
		error = quad_corners(dev, &quad->corners);
	quad->blend = gpu_blend_get(dev, &blend);
	quad->rasterizer = gpu_rasterizer_get(dev, &rasterizer);
	for (uint32_t i = 0; i < 4; i++) {
		quad->depth_stencil[i] = quad_depth_stencil(dev, i);
		if (!error && !quad->depth_stencil[i])
			error = -ENOMEM;
	}
	if (!error && (!quad->blend || !quad->rasterizer))
		error = -ENOMEM;
	if (error)
		quad_fini(dev);
	return error;
}

void quad_fini(struct gpu_device *dev)
{
	struct quad *quad = dev->quad;

	if (!quad)
		return;
	gpu_shader_destroy(dev, quad->vertex);
	gpu_shader_destroy(dev, quad->color);
	gpu_shader_destroy(dev, quad->nothing);
	gpu_vertex_elements_destroy(dev, quad->elements);
	gpu_resource_destroy(dev, quad->corners);
	free(quad);
	dev->quad = NULL;
}

static void quad_shaders(struct gpu_device *dev, bool color)
{
	for (unsigned stage = 0; stage < SHADER_COMPUTE; stage++) {
		struct stage_state *state = &dev->stages[stage];
		struct gpu_shader *shader = stage == SHADER_VERTEX  ? dev->quad->vertex
					    : stage == SHADER_PIXEL ? (color ? dev->quad->color : dev->quad->nothing)
								    : NULL;
		uint32_t handle = shader ? shader->variants->handle : 0;

		if (state->bound_shader != handle)
			stream_bind_shader(&dev->stream, (enum d3dgpu_stage)stage, handle);
		state->bound_shader = handle;
	}
}

/* Everything but target and viewport. */
static void quad_state(struct gpu_device *dev, uint32_t flags, uint8_t stencil, const uint32_t *color)
{
	struct quad *quad = dev->quad;
	struct state_object *ds = &quad->depth_stencil[flags]->object;
	struct stream_vertex_buffer corners = {16, 0, to_resource(quad->corners)->tracked.bo->res_id};
	struct stream *s = &dev->stream;
	uint32_t *words;

	stream_bind_object(s, D3DGPU_OBJ_BLEND, quad->blend->object.handle);
	stream_bind_object(s, D3DGPU_OBJ_DSA, ds->handle);
	stream_bind_object(s, D3DGPU_OBJ_RASTERIZER, quad->rasterizer->object.handle);
	stream_bind_object(s, D3DGPU_OBJ_VERTEX_ELEMENTS, quad->elements->handle);
	stream_set_vertex_buffers(s, 1, &corners);
	stream_set_sample_mask(s, UINT32_MAX);
	stream_set_stencil_ref(s, stencil, stencil);
	quad_shaders(dev, color);
	words = color ? stream_set_constants(s, D3DGPU_STAGE_PIXEL, 4) : NULL;
	if (words)
		memcpy(words, color, 16);
	dev->bound_blend = &quad->blend->object;
	dev->bound_depth_stencil = ds;
	dev->bound_rasterizer = &quad->rasterizer->object;
	dev->bound_elements = quad->elements;
	dev->bound_vertex_buffers[0] = corners;
	dev->bound_vertex_buffer_count = 1;
	dev->stages[SHADER_PIXEL].dirty |= STAGE_DIRTY_CONSTANTS;
	dev->dirty |= DIRTY_BLEND | DIRTY_DEPTH_STENCIL | DIRTY_RASTERIZER | DIRTY_VERTEX_ELEMENTS |
		      DIRTY_VERTEX_BUFFERS | DIRTY_SAMPLE_MASK | DIRTY_STENCIL_REF | DIRTY_VIEWPORTS;
}

static void quad_draw(struct gpu_device *dev, const struct gpu_rect *rect, float depth)
{
	float width = (float)(rect->right - rect->left), height = (float)(rect->bottom - rect->top);
	struct stream_viewport viewport = {
		.scale = {width / 2, -height / 2, 0},
		.translate = {(float)rect->left + width / 2, (float)rect->top + height / 2, depth},
	};
	static const struct stream_draw draw = {.count = 4, .mode = D3DGPU_PRIM_TRIANGLE_STRIP, .instances = 1};

	stream_set_viewports(&dev->stream, 0, 1, &viewport);
	stream_draw(&dev->stream, &draw);
}

/* ---- rectangles ---- */

static bool clip_rect(const struct gpu_surface *surface, const struct gpu_rect *rect, struct gpu_rect *out)
{
	int32_t width = (int32_t)surface->width, height = (int32_t)surface->height;

	out->left = rect->left > 0 ? rect->left : 0;
	out->top = rect->top > 0 ? rect->top : 0;
	out->right = rect->right < width ? rect->right : width;
	out->bottom = rect->bottom < height ? rect->bottom : height;
	return out->left < out->right && out->top < out->bottom;
}

static bool covers(const struct gpu_surface *surface, unsigned count, const struct gpu_rect *rects)
{
	for (unsigned i = 0; i < count; i++) {
		struct gpu_rect r;

		if (clip_rect(surface, &rects[i], &r) && r.left == 0 && r.top == 0 &&
		    r.right == (int32_t)surface->width && r.bottom == (int32_t)surface->height)
			return true;
	}
	return !count;
}

/* What is to be cleared, for both kinds */
struct clear {
	const uint32_t *color; /* NULL: depth and stencil */
	uint32_t flags;
	float depth;
	uint8_t stencil;
};

/* Room for a quad on a surface, with all that it uses. */
static int claim_quad(struct gpu_device *dev, struct gpu_surface *surface)
{
	struct list_use uses[3] = {use_of(surface->res, true), use_of(to_resource(dev->quad->corners), false)};
	uint32_t count = 2 + queries_pause_uses(dev, &uses[2]);

	return device_claim(dev, 8 * STREAM_COMMAND_WORDS, uses, count);
}

static int clear_rects(struct gpu_device *dev, struct gpu_surface *surface, const struct clear *clear, unsigned count,
		       const struct gpu_rect *rects)
{
	int error = quad_init(dev);

	if (error)
		return error;
	for (unsigned i = 0; i < count; i++) {
		struct gpu_rect rect;

		if (!clip_rect(surface, &rects[i], &rect))
			continue;
		error = claim_quad(dev, surface);
		if (!error)
			error = select_target(dev, surface, !clear->color, true);
		if (error < 0)
			return error;
		queries_pause(dev);
		quad_state(dev, clear->flags, clear->stencil, clear->color);
		quad_draw(dev, &rect, clear->depth);
		queries_resume(dev);
	}
	return dev->stream.error;
}

/* A quad only reaches the first layer: layered surfaces are cleared through a surface of each. */
static int clear_layers(struct gpu_device *dev, struct gpu_surface *surface, const struct clear *clear, unsigned count,
			const struct gpu_rect *rects)
{
	for (uint32_t layer = surface->desc.first_layer; layer <= surface->desc.last_layer; layer++) {
		struct gpu_surface_desc desc = surface->desc;
		struct gpu_surface *single;
		int error;

		desc.first_layer = desc.last_layer = (uint16_t)layer;
		error = gpu_surface_create(dev, &surface->res->base, &desc, &single);
		if (error)
			return error;
		error = clear_rects(dev, single, clear, count, rects);
		gpu_surface_destroy(dev, single);
		if (error)
			return error;
	}
	return 0;
}

static int clear_part(struct gpu_device *dev, struct gpu_surface *surface, const struct clear *clear, unsigned count,
		      const struct gpu_rect *rects)
{
	if (surface->desc.first_layer != surface->desc.last_layer)
		return clear_layers(dev, surface, clear, count, rects);
	return clear_rects(dev, surface, clear, count, rects);
}

int gpu_clear_color(struct gpu_device *dev, struct gpu_surface *surface, const uint32_t color[4], unsigned rect_count,
		    const struct gpu_rect *rects)
{
	struct clear clear = {.color = color};

	if (!surface || !(surface->res->base.desc.bind & D3DGPU_BIND_RENDER_TARGET))
		return -EINVAL;
	dev->stats.clears++;
	if (covers(surface, rect_count, rects))
		return clear_color_whole(dev, surface, color);
	return clear_part(dev, surface, &clear, rect_count, rects);
}

int gpu_clear_depth_stencil(struct gpu_device *dev, struct gpu_surface *surface, uint32_t flags, float depth,
			    uint8_t stencil, unsigned rect_count, const struct gpu_rect *rects)
{
	struct clear clear = {.flags = flags, .depth = depth, .stencil = stencil};

	if (!surface || !(surface->res->base.desc.bind & D3DGPU_BIND_DEPTH_STENCIL) || !flags ||
	    flags & ~(GPU_CLEAR_DEPTH | GPU_CLEAR_STENCIL))
		return -EINVAL;
	dev->stats.clears++;
	if (covers(surface, rect_count, rects))
		return clear_depth_whole(dev, surface, flags, depth, stencil);
	return clear_part(dev, surface, &clear, rect_count, rects);
}
