/* SPDX-License-Identifier: MIT */
/*
 * How errors are found. The library counts a stream as done although parts of it failed: a shader that does not compile
 * at the draw, an unknown vertex layout, a framebuffer without surfaces. It then marks its context as being in error,
 * says so in its log, and from then on ignores draws silently. The mark itself cannot be asked for, but making a marked
 * context current fails. So: the log callback raises a flag, which costs nothing; and when it is up after a submit, the
 * context is switched away and back by an empty command, which answers the question for certain.
 */
#include "engine.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <strings.h>

#include <virgl/virglrenderer.h>

#include "log.h"

#define ENGINE_CONTEXT 1	/* the library's name for the one context */
#define ENGINE_CAPSET 2
#define ENGINE_CAPSET_VERSION 2
#define CAPSET_ROOM 16384		/* bytes; known versions have less than 1500 */
#define CAPSET_RENDERER 696		/* offset of the renderer's name, 64 bytes */

/* The library declares the box of its transfers only in its private headers. */
struct virgl_box {
	uint32_t x, y, z;
	uint32_t w, h, d;
};

static struct {
	bool said_something;		/* the library logged since the flag was lowered */
	uint32_t last_fence;		/* inserted */
	uint32_t reached_fence;		/* signalled; equals last_fence when idle */
	uint8_t capset[CAPSET_ROOM];
} engine;

static void on_fence(void *cookie, uint32_t fence)
{
	/* The library reports the newest of a run only. */
	engine.reached_fence = fence;
}

static void on_log(const char *format, va_list arguments)
{
	engine.said_something = true;
	log_engine(format, arguments);
}

/* The library keeps the pointer. */
static struct virgl_renderer_callbacks callbacks = {
	.version = 1,
	.write_fence = on_fence,
};

/* Folds the library's return values into one convention. */
static int to_errno(int result)
{
	if (result == -1)
		return EIO;
	return result < 0 ? -result : result;
}

int engine_start(void)
{
	virgl_set_debug_callback(on_log);
	/* EGL without a window system; the library looks for a render node itself and does without one. */
	if (virgl_renderer_init(&engine, VIRGL_RENDERER_USE_EGL | VIRGL_RENDERER_USE_SURFACELESS, &callbacks)) {
		log_line("the host's GL did not come up");
		return EIO;
	}
	return 0;
}

size_t engine_capset(void *buffer, size_t size)
{
	uint32_t version = 0, used = 0;

	virgl_renderer_get_cap_set(ENGINE_CAPSET, &version, &used);
	if (version < ENGINE_CAPSET_VERSION || !used || used > sizeof(engine.capset))
		return 0;
	/* Also makes the library learn GL's limits: without it, sizes are checked against defaults. */
	virgl_renderer_fill_caps(ENGINE_CAPSET, ENGINE_CAPSET_VERSION, engine.capset);
	if (used > size)
		used = (uint32_t)size;
	memcpy(buffer, engine.capset, used);
	return used;
}

bool engine_reads_depth_too_large(void)
{
	return !strncasecmp((const char *)engine.capset + CAPSET_RENDERER, "llvmpipe", strlen("llvmpipe"));
}

uint32_t engine_version(void)
{
	return ENGINE_VERSION;
}

int engine_context_create(const char *name)
{
	return to_errno(virgl_renderer_context_create(ENGINE_CONTEXT, (uint32_t)strlen(name), name));
}

void engine_context_destroy(void)
{
	virgl_renderer_context_destroy(ENGINE_CONTEXT);
}

/*
 * The library wants exactly one use for a buffer, and takes it only as the GL target for uploads: any GL buffer can be
 * used for everything. Staging and query buffers are kinds of their own. Texel buffers may be combined.
 */
static uint32_t buffer_bind(uint32_t bind)
{
	if (bind == D3DGPU_BIND_STAGING || bind == D3DGPU_BIND_CUSTOM)
		return bind;
	if (bind & D3DGPU_BIND_SAMPLER_VIEW)
		return D3DGPU_BIND_SAMPLER_VIEW | D3DGPU_BIND_VERTEX_BUFFER;
	return D3DGPU_BIND_VERTEX_BUFFER;
}

/* What it wants to know of a texture. Scan-out reads the linear image, never the 3D object. */
static uint32_t texture_bind(uint32_t bind)
{
	bind &= D3DGPU_BIND_DEPTH_STENCIL | D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW;
	return bind ? bind : D3DGPU_BIND_SAMPLER_VIEW;
}

/*
 * Makes the guest's GL context the current one. Objects are created and deleted in it: GL takes a deleted object off the
 * binding points of the current context only, and Mesa keeps a buffer that another context than its creator deletes until
 * the creator has something to do with buffers.
 */
static int enter_context(void)
{
	uint32_t nop = 0;

	return virgl_renderer_submit_cmd(&nop, ENGINE_CONTEXT, 1);
}

int engine_resource_create(uint32_t id, const struct d3dgpu_resource_desc *desc)
{
	bool buffer = desc->target == D3DGPU_TARGET_BUFFER;
	struct virgl_renderer_resource_create_args args = {
		.handle = id,
		.target = desc->target,
		.format = desc->format,
		.bind = buffer ? buffer_bind(desc->bind) : texture_bind(desc->bind),
		.width = desc->width,
		.height = desc->height,
		.depth = desc->depth,
		.array_size = desc->array_size,
		.last_level = desc->last_level,
		.nr_samples = desc->samples,
	};
	int error;

	enter_context();
	error = to_errno(virgl_renderer_resource_create(&args, NULL, 0));
	if (error)
		return error;
	virgl_renderer_ctx_attach_resource(ENGINE_CONTEXT, (int)id);
	return 0;
}

void engine_resource_destroy(uint32_t id)
{
	enter_context();
	engine_backing_detach(id);
	virgl_renderer_ctx_detach_resource(ENGINE_CONTEXT, (int)id);
	virgl_renderer_resource_unref(id);
}

int engine_backing_attach(uint32_t id, struct iovec *range)
{
	engine_backing_detach(id);
	return to_errno(virgl_renderer_resource_attach_iov((int)id, range, 1));
}

void engine_backing_detach(uint32_t id)
{
	struct iovec *range = NULL;
	int count = 0;

	virgl_renderer_resource_detach_iov((int)id, &range, &count);
}

int engine_read(uint32_t id, uint32_t level, const struct engine_box *box, const struct engine_layout *layout)
{
	struct virgl_box region = {box->x, box->y, box->z, box->width, box->height, box->depth};

	return to_errno(virgl_renderer_transfer_read_iov(id, ENGINE_CONTEXT, level, layout->pitch, layout->slice_pitch,
							 &region, layout->offset, NULL, 0));
}

int engine_write(uint32_t id, uint32_t level, const struct engine_box *box, const struct engine_layout *layout)
{
	struct virgl_box region = {box->x, box->y, box->z, box->width, box->height, box->depth};

	return to_errno(virgl_renderer_transfer_write_iov(id, ENGINE_CONTEXT, (int)level, layout->pitch,
							  layout->slice_pitch, &region, layout->offset, NULL, 0));
}

/* Whether the context is in its error state; see the top of this file. */
static bool context_in_error(void)
{
	virgl_renderer_force_ctx_0();
	return enter_context() != 0;
}

int engine_submit(uint32_t *dwords, uint32_t count)
{
	engine.said_something = false;
	if (virgl_renderer_submit_cmd(dwords, ENGINE_CONTEXT, (int)count))
		return EINVAL;
	if (engine.said_something && context_in_error())
		return EINVAL;
	return 0;
}

uint32_t engine_fence(void)
{
	uint32_t fence = engine.last_fence + 1;

	if (!fence)
		fence = 1; /* 0 says failure */
	enter_context(); /* a fence waits for the context that is current */
	if (virgl_renderer_create_fence((int)fence, ENGINE_CONTEXT))
		return 0;
	engine.last_fence = fence;
	return fence;
}

void engine_poll(void)
{
	virgl_renderer_poll();
}

bool engine_fence_reached(uint32_t fence)
{
	return (int32_t)(engine.reached_fence - fence) >= 0;
}

int engine_finish(void)
{
	uint32_t fence = engine_fence();

	if (!fence)
		return ENOMEM;
	for (engine_poll(); !engine_fence_reached(fence); engine_poll())
		sched_yield(); /* llvmpipe's threads may want this processor */
	return 0;
}
