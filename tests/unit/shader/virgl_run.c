/* SPDX-License-Identifier: MIT */
#include "virgl_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include <virgl/virglrenderer.h>

/* Words of the protocol: command | object << 8 | length << 16. */
enum {
	CREATE_OBJECT = 1, BIND_OBJECT = 2, SET_VIEWPORT = 4, SET_FRAMEBUFFER = 5, SET_VERTEX_BUFFERS = 6, CLEAR = 7,
	DRAW_VBO = 8, INLINE_WRITE = 9, SET_SAMPLER_VIEWS = 10, SET_CONSTANT_BUFFER = 12, BIND_SAMPLERS = 18,
	SET_CLIP = 23, SET_UNIFORM_BUFFER = 27, SET_SUB_CTX = 28, CREATE_SUB_CTX = 29, BIND_SHADER = 31,
};
enum {
	OBJECT_BLEND = 1, OBJECT_RASTERIZER = 2, OBJECT_DSA = 3, OBJECT_SHADER = 4, OBJECT_ELEMENTS = 5,
	OBJECT_VIEW = 6, OBJECT_SAMPLER = 7, OBJECT_SURFACE = 8,
};
enum { BIND_DEPTH = 1, BIND_TARGET = 2, BIND_VIEW = 8, BIND_VERTEX = 0x10, BIND_CONSTANT = 0x40 };

#define CLEAR_BITS 0xdeadbeefu
#define MAX_WORDS 65536

/* The library takes it, but its header only names it. */
struct virgl_box {
	uint32_t x, y, z, w, h, d;
};

struct session {
	uint32_t context;
	uint32_t resources[16];
	uint32_t resource_count;
	uint32_t handle;		/* last object handle */
	uint32_t words[MAX_WORDS];
	uint32_t used;
	bool failed;
};

static char log_text[4096];
static uint32_t last_context, last_resource;

static void add_log(const char *format, va_list arguments)
{
	size_t used = strlen(log_text);

	vsnprintf(log_text + used, sizeof(log_text) - used, format, arguments);
}

static void note(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_log(format, arguments);
	va_end(arguments);
}

const char *virgl_run_log(void)
{
	return log_text;
}

static void write_fence(void *cookie, uint32_t fence)
{
}

static int get_drm_fd(void *cookie)
{
	return -1;
}

bool virgl_run_available(void)
{
	static struct virgl_renderer_callbacks callbacks = {
		.version = 2, .write_fence = write_fence, .get_drm_fd = get_drm_fd};
	static int state;		/* 0 unknown, 1 runs, -1 does not */
	static char capabilities[4096];

	if (state)
		return state > 0;
	virgl_set_debug_callback(add_log);
	state = virgl_renderer_init(&callbacks, VIRGL_RENDERER_USE_EGL | VIRGL_RENDERER_USE_SURFACELESS, &callbacks) ?
			-1 : 1;
	if (state > 0)
		virgl_renderer_fill_caps(2, 2, capabilities);
	return state > 0;
}

static void word(struct session *s, uint32_t value)
{
	if (s->used < MAX_WORDS)
		s->words[s->used++] = value;
	else
		s->failed = true;
}

static void header(struct session *s, uint32_t command, uint32_t object, uint32_t length)
{
	word(s, command | object << 8 | length << 16);
}

static void command(struct session *s, uint32_t number, uint32_t object, uint32_t length, const uint32_t *words)
{
	header(s, number, object, length);
	for (uint32_t i = 0; i < length; i++)
		word(s, words[i]);
}

static uint32_t bits(float value)
{
	uint32_t result;

	memcpy(&result, &value, 4);
	return result;
}

static void submit(struct session *s)
{
	if (!s->used)
		return;
	if (s->failed || virgl_renderer_submit_cmd(s->words, (int)s->context, (int)s->used)) {
		note("submit failed\n");
		s->failed = true;
	}
	s->used = 0;
}

static uint32_t create_resource(struct session *s, struct virgl_renderer_resource_create_args args)
{
	args.handle = ++last_resource;
	if (virgl_renderer_resource_create(&args, NULL, 0)) {
		note("resource %u was refused\n", args.handle);
		s->failed = true;
		return 0;
	}
	s->resources[s->resource_count++] = args.handle;
	virgl_renderer_ctx_attach_resource((int)s->context, (int)args.handle);
	return args.handle;
}

static uint32_t create_buffer(struct session *s, const void *data, uint32_t size, uint32_t bind)
{
	uint32_t resource = create_resource(s, (struct virgl_renderer_resource_create_args){
						       .target = 0, .format = 64, .bind = bind, .width = size, .height = 1,
						       .depth = 1, .array_size = 1});
	const uint32_t *words = data;

	header(s, INLINE_WRITE, 0, 11 + size / 4);
	word(s, resource);
	for (unsigned i = 0; i < 5; i++)
		word(s, 0);
	word(s, 0);
	word(s, 0);
	word(s, size);
	word(s, 1);
	word(s, 1);
	for (uint32_t i = 0; i < size / 4; i++)
		word(s, words[i]);
	return resource;
}

static uint32_t create_target(struct session *s, uint32_t format, uint32_t bind, const struct virgl_run *run)
{
	return create_resource(s, (struct virgl_renderer_resource_create_args){
					  .target = VIRGL_RUN_2D, .format = format, .bind = bind, .width = run->width,
					  .height = run->height, .depth = 1, .array_size = 1});
}

static uint32_t create_surface(struct session *s, uint32_t resource, uint32_t format)
{
	command(s, CREATE_OBJECT, OBJECT_SURFACE, 5, (uint32_t[]){++s->handle, resource, format, 0, 0});
	return s->handle;
}

static void create_states(struct session *s, const struct virgl_run *run)
{
	uint32_t blend[11] = {++s->handle};
	uint32_t dsa[5] = {++s->handle, run->depth ? 3 | 1 << 2 : 0};
	/* depth clip, half z, first vertex provokes, pixel centres at .5 */
	uint32_t rasterizer[9] = {++s->handle, 1u << 1 | 1u << 2 | 1u << 4 | 1u << 29, bits(1), 0,
				  run->clip_planes << 24, bits(1)};

	for (unsigned i = 3; i < 11; i++)
		blend[i] = 15u << 27;
	command(s, CREATE_OBJECT, OBJECT_BLEND, 11, blend);
	command(s, CREATE_OBJECT, OBJECT_DSA, 5, dsa);
	command(s, CREATE_OBJECT, OBJECT_RASTERIZER, 9, rasterizer);
	command(s, BIND_OBJECT, OBJECT_BLEND, 1, blend);
	command(s, BIND_OBJECT, OBJECT_DSA, 1, dsa);
	command(s, BIND_OBJECT, OBJECT_RASTERIZER, 1, rasterizer);
	command(s, SET_VIEWPORT, 0, 7,
		(uint32_t[]){0, bits((float)run->width / 2), bits(-(float)run->height / 2), bits(1),
			     bits((float)run->width / 2), bits((float)run->height / 2), bits(0)});
	if (run->planes) {
		header(s, SET_CLIP, 0, 32);
		for (unsigned i = 0; i < 32; i++)
			word(s, bits(run->planes[i / 4][i % 4]));
	}
}

static void create_shader(struct session *s, const struct virgl_run_stage *stage, uint32_t number)
{
	uint32_t size = (uint32_t)strlen(stage->text) + 1, words = (size + 3) / 4, handle = ++s->handle;
	const char *text = stage->text;

	header(s, CREATE_OBJECT, OBJECT_SHADER, 5 + words);
	word(s, handle);
	word(s, number);
	word(s, size);
	word(s, stage->token_bound);
	word(s, 0);
	for (uint32_t i = 0; i < words; i++) {
		uint32_t part = 0, left = size - 4 * i;

		memcpy(&part, text + 4 * i, left < 4 ? left : 4);
		word(s, part);
	}
	command(s, BIND_SHADER, 0, 2, (uint32_t[]){handle, number});
}

static uint32_t texel_size(enum virgl_run_format format)
{
	return format == VIRGL_RUN_DEPTH16 ? 2 : 16;
}

static uint32_t minified(uint32_t size, uint32_t level)
{
	return size >> level ? size >> level : 1;
}

static uint32_t create_texture(struct session *s, const struct virgl_run_texture *texture)
{
	bool is_3d = texture->target == VIRGL_RUN_3D, buffer = texture->target == VIRGL_RUN_BUFFER;
	uint32_t size = texel_size(texture->format), resource;
	uint32_t bind = BIND_VIEW | (texture->format == VIRGL_RUN_DEPTH16 ? BIND_DEPTH : 0);

	resource = create_resource(s, (struct virgl_renderer_resource_create_args){
					      .target = texture->target,
					      .format = buffer ? 64u : texture->format, .bind = bind,
					      .width = buffer ? texture->width * size : texture->width,
					      .height = texture->height, .depth = is_3d ? texture->layers : 1,
					      .array_size = is_3d ? 1 : texture->layers,
					      .last_level = texture->levels - 1});
	submit(s);
	for (uint32_t level = 0; level < texture->levels; level++) {
		uint32_t width = minified(texture->width, level), height = minified(texture->height, level);
		uint32_t layers = is_3d ? minified(texture->layers, level) : texture->layers;
		uint32_t slice = width * height * size;

		for (uint32_t layer = 0; layer < layers; layer++) {
			struct virgl_box box = {0, 0, layer, buffer ? width * size : width, height, 1};
			struct iovec iov = {(char *)(uintptr_t)texture->data[level] + layer * slice, slice};

			if (virgl_renderer_transfer_write_iov(resource, s->context, (int)level, width * size, slice, &box, 0,
							      &iov, 1)) {
				note("a texture upload failed\n");
				s->failed = true;
			}
		}
	}
	return resource;
}

static void bind_textures(struct session *s, const struct virgl_run_stage *stage, uint32_t number)
{
	uint32_t views[1 + 1 + VIRGL_RUN_MAX_TEXTURES] = {number}, samplers[2 + VIRGL_RUN_MAX_TEXTURES] = {number};

	if (!stage->texture_count)
		return;
	for (uint32_t i = 0; i < stage->texture_count; i++) {
		const struct virgl_run_texture *texture = &stage->textures[i];
		uint32_t resource = create_texture(s, texture), filter = texture->linear;
		bool buffer = texture->target == VIRGL_RUN_BUFFER;
		uint32_t last = texture->target == VIRGL_RUN_3D ? 0 : texture->layers - 1;
		uint32_t ranges[2] = {last << 16, (texture->levels - 1) << 8};

		if (buffer) {
			ranges[0] = 0;
			ranges[1] = texture->width - 1;
		}
		views[2 + i] = ++s->handle;
		command(s, CREATE_OBJECT, OBJECT_VIEW, 6,
			(uint32_t[]){s->handle, resource, texture->format | (uint32_t)texture->target << 24, ranges[0],
				     ranges[1], 0 | 1 << 3 | 2 << 6 | 3 << 9});
		samplers[2 + i] = ++s->handle;
		command(s, CREATE_OBJECT, OBJECT_SAMPLER, 9,
			(uint32_t[]){s->handle, 2 | 2 << 3 | 2 << 6 | filter << 9 | 0 << 11 | filter << 13 |
					     (uint32_t)texture->compare << 15 | 3 << 16,
				     0, 0, bits(1000), 0, 0, 0, 0});
	}
	command(s, SET_SAMPLER_VIEWS, 0, 2 + stage->texture_count, views);
	command(s, BIND_SAMPLERS, 0, 2 + stage->texture_count, samplers);
}

static void bind_stage(struct session *s, const struct virgl_run_stage *stage, uint32_t number)
{
	const uint32_t *words = stage->constants;

	if (!stage->text)
		return;
	bind_textures(s, stage, number);
	create_shader(s, stage, number);
	if (stage->constant_count) {
		header(s, SET_CONSTANT_BUFFER, 0, 2 + 4 * stage->constant_count);
		word(s, number);
		word(s, 0);
		for (uint32_t i = 0; i < 4 * stage->constant_count; i++)
			word(s, words[i]);
	}
	if (stage->buffer_count) {
		uint32_t buffer = create_buffer(s, stage->buffer, 16 * stage->buffer_count, BIND_CONSTANT);

		command(s, SET_UNIFORM_BUFFER, 0, 5,
			(uint32_t[]){number, 1, 0, 16 * stage->buffer_count, buffer});
	}
}

static void draw(struct session *s, const struct virgl_run *run)
{
	uint32_t stride = 16 * run->input_count, total = run->first_vertex + run->vertex_count;
	uint32_t elements = ++s->handle, buffer;
	char *vertices = calloc(total ? total : 1, stride ? stride : 16);

	if (!vertices) {
		s->failed = true;
		return;
	}
	if (stride)
		memcpy(vertices + (size_t)run->first_vertex * stride, run->inputs, (size_t)run->vertex_count * stride);
	buffer = create_buffer(s, vertices, total * (stride ? stride : 16), BIND_VERTEX);
	free(vertices);
	header(s, CREATE_OBJECT, OBJECT_ELEMENTS, 1 + 4 * run->input_count);
	word(s, elements);
	for (uint32_t i = 0; i < run->input_count; i++) {
		word(s, 16 * i);
		word(s, 0);
		word(s, 0);
		word(s, 31);
	}
	command(s, BIND_OBJECT, OBJECT_ELEMENTS, 1, &elements);
	command(s, SET_VERTEX_BUFFERS, 0, 3, (uint32_t[]){stride, 0, buffer});
	command(s, DRAW_VBO, 0, 12,
		(uint32_t[]){run->first_vertex, run->vertex_count, run->primitive, 0, run->instance_count, 0, 0, 0, 0, 0,
			     total ? total - 1 : 0, 0});
}

static void read_back(struct session *s, uint32_t resource, uint32_t texel, const struct virgl_run *run, void *data)
{
	struct virgl_box box = {0, 0, 0, run->width, run->height, 1};
	struct iovec iov = {data, (size_t)run->width * run->height * texel};

	if (virgl_renderer_transfer_read_iov(resource, s->context, 0, run->width * texel, 0, &box, 0, &iov, 1)) {
		note("reading back failed\n");
		s->failed = true;
	}
}

int virgl_run(struct virgl_run *run)
{
	struct session *s = calloc(1, sizeof(*s));
	uint32_t target, depth = 0, surface, depth_surface = 0;
	bool failed;

	log_text[0] = '\0';
	if (!s || run->width * run->height > VIRGL_RUN_MAX_TEXELS || !virgl_run_available()) {
		free(s);
		return -1;
	}
	s->context = ++last_context;
	virgl_renderer_context_create(s->context, 4, "test");
	command(s, CREATE_SUB_CTX, 0, 1, (uint32_t[]){1});
	command(s, SET_SUB_CTX, 0, 1, (uint32_t[]){1});
	target = create_target(s, run->format, BIND_TARGET | BIND_VIEW, run);
	surface = create_surface(s, target, run->format);
	if (run->depth) {
		depth = create_target(s, 18, BIND_DEPTH, run);
		depth_surface = create_surface(s, depth, 18);
	}
	command(s, SET_FRAMEBUFFER, 0, 3, (uint32_t[]){1, depth_surface, surface});
	create_states(s, run);
	command(s, CLEAR, 0, 8,
		(uint32_t[]){run->depth ? 5 : 4, CLEAR_BITS, CLEAR_BITS, CLEAR_BITS, CLEAR_BITS, 0, 0x3ff00000, 0});
	bind_stage(s, &run->vertex, 0);
	bind_stage(s, &run->pixel, 1);
	bind_stage(s, &run->geometry, 2);
	draw(s, run);
	submit(s);
	command(s, SET_SUB_CTX, 0, 1, (uint32_t[]){1});	/* a context in error refuses this one */
	submit(s);
	read_back(s, target, 16, run, run->texels);
	if (run->depth)
		read_back(s, depth, 4, run, run->depths);
	failed = s->failed || strstr(log_text, "rror");
	virgl_renderer_context_destroy(s->context);
	for (uint32_t i = 0; i < s->resource_count; i++)
		virgl_renderer_resource_unref(s->resources[i]);
	free(s);
	return failed ? -1 : 0;
}
