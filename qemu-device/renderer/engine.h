/* SPDX-License-Identifier: MIT */
/*
 * The 3D engine: libvirglrenderer with one context. engine.c is the only file that calls the library.
 *
 * The library and the host's GL belong to one thread, the one that called engine_start(): everything here is called
 * from it. The library's own return values are inconsistent (0, -1, errno of either sign, or success with only a log
 * line); this interface returns 0 or a positive errno, always.
 */
#ifndef D3DGPU_RENDERER_ENGINE_H
#define D3DGPU_RENDERER_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "d3dgpu_resource.h"

/* Brings GL up, without a window system, until the process ends. Returns 0 or EIO (the reason is in the log). */
int engine_start(void);

/* Capability set 2 as the library gives it, cut at `size`. Returns the bytes used, 0 when the library has none. */
size_t engine_capset(void *buffer, size_t size);
/* Version of the library this was built for: major << 16 | minor << 8 | micro. */
uint32_t engine_version(void);

/*
 * Whether shaders read 24-bit depth a little too large: llvmpipe multiplies by a rounded reciprocal, 2^-24 * (1 +
 * 2^-23). To be asked after engine_capset().
 */
bool engine_reads_depth_too_large(void);

/* The one context. */
int engine_context_create(const char *name);
void engine_context_destroy(void);

/*
 * A resource without content, usable by the context under `id`. EINVAL: the engine refuses the description; ENOMEM.
 * engine_resource_destroy() gives its backing back.
 */
int engine_resource_create(uint32_t id, const struct d3dgpu_resource_desc *desc);
void engine_resource_destroy(uint32_t id);

/*
 * Memory behind a resource: the storage itself of staging and query buffers, the far side of transfers for anything
 * else. `range` must stay where it is until the backing is detached or replaced by a second call.
 */
int engine_backing_attach(uint32_t id, struct iovec *range);
void engine_backing_detach(uint32_t id);

/* A box of one subresource, in texels (in bytes of a buffer). z counts slices of a volume and layers of an array. */
struct engine_box {
	uint32_t x, y, z;
	uint32_t width, height, depth;
};

/* Where a box lies in the resource's backing: bytes. */
struct engine_layout {
	uint64_t offset;
	uint32_t pitch;
	uint32_t slice_pitch;
};

/* 3D object → backing, and the reverse. Synchronous. */
int engine_read(uint32_t id, uint32_t level, const struct engine_box *box, const struct engine_layout *layout);
int engine_write(uint32_t id, uint32_t level, const struct engine_box *box, const struct engine_layout *layout);

/*
 * Executes a checked command stream. Returns 0 when all of it was accepted; otherwise the context is in its error state
 * for good (EINVAL), also where the library reports success.
 */
int engine_submit(uint32_t *dwords, uint32_t count);

/* Inserts a fence behind everything so far. Returns its number, or 0 when that failed. */
uint32_t engine_fence(void);
/* Retires fences and brings query results into their buffers. */
void engine_poll(void);
/* Whether a fence was reached, as of the last engine_poll(). */
bool engine_fence_reached(uint32_t fence);
/* Waits until the GPU has done everything so far and query results are in their buffers. Returns 0 or ENOMEM. */
int engine_finish(void);

#endif
