/* SPDX-License-Identifier: MIT */
/*
 * Short words for the d3dgpu ioctls, for tests of the kernel driver. What can fail returns 0 or a negative errno; what a test
 * cannot go on without bails out.
 */
#ifndef TESTS_KERNEL_GPU_H
#define TESTS_KERNEL_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xf86drm.h>

#include "d3dgpu_caps.h"
#include "d3dgpu_drm.h"
#include "d3dgpu_ds.h"
#include "d3dgpu_resource.h"
#include "d3dgpu_ring.h"

#define SECOND 1000000000ll	/* nanoseconds */
#define PATIENCE (60 * SECOND)	/* for what must come: the guest may be emulated */

/* The device: render node, or the node with the display. */
int gpu_open(void);
int gpu_open_card(void);
/* One ioctl: 0 or -errno. */
int gpu_call(int fd, unsigned long request, void *argument);

uint64_t gpu_param(int fd, uint32_t param);
void gpu_caps(int fd, struct d3dgpu_caps *caps);

/* ---- contexts ---- */

int gpu_ctx_create(int fd, uint32_t priority, uint32_t *ctx);
int gpu_ctx_destroy(int fd, uint32_t ctx);
/* A context that a test needs. */
uint32_t gpu_ctx(int fd);
struct drm_d3dgpu_ctx_query gpu_ctx_query(int fd, uint32_t ctx);

/* ---- objects ---- */

struct gpu_bo {
	uint32_t handle, res_id;
	uint64_t size;
	void *map;		/* NULL: not mapped */
};

int gpu_staging_create(int fd, uint64_t size, struct gpu_bo *out);
int gpu_resource_create(int fd, const struct d3dgpu_resource_desc *desc, struct gpu_bo *out);
int gpu_close(int fd, uint32_t handle);
/* What GEM_INFO says of an object that there is. */
struct drm_d3dgpu_gem_info gpu_info(int fd, uint32_t handle);
/* A mapped staging buffer that a test needs; and its end. */
struct gpu_bo gpu_staging(int fd, uint64_t size);
void gpu_staging_end(int fd, struct gpu_bo *bo);
/* A B8G8R8A8 render target. */
struct d3dgpu_resource_desc gpu_texture_desc(uint32_t width, uint32_t height);

/* ---- streams ---- */

/* Appends to a stream; return the words written. */
size_t gpu_put_nops(uint32_t *words, size_t count);
/* A whole B8G8R8A8 texture from a staging buffer, or to it. */
size_t gpu_put_upload(uint32_t *words, uint32_t texture, uint32_t width, uint32_t height, uint32_t staging);
size_t gpu_put_download(uint32_t *words, uint32_t texture, uint32_t width, uint32_t height, uint32_t staging);

/* ---- submits ---- */

/* A submit of words of a staging buffer, that lists objects. The caller adds syncs. */
struct drm_d3dgpu_submit gpu_submit_args(uint32_t ctx, const struct gpu_bo *commands, uint32_t words,
					 const struct drm_d3dgpu_submit_bo *bos, uint32_t bo_count);
int gpu_submit(int fd, struct drm_d3dgpu_submit *args);
/* Submits with an out-syncobj and waits for it. */
int gpu_run(int fd, struct drm_d3dgpu_submit *args);

uint32_t gpu_syncobj(int fd, uint32_t flags);
/* Waits for a binary syncobj: 0, -ETIME, -EINVAL. */
int gpu_syncobj_wait(int fd, uint32_t handle, int64_t timeout_ns);
/* 1 = signalled, a negative errno = signalled with an error, 0 = not signalled. */
int gpu_sync_file_status(int file);
int gpu_syncobj_status(int fd, uint32_t handle);

/* Waits until a parameter has at least a value. Returns whether it comes to that. */
bool gpu_param_reaches(int fd, uint32_t param, uint64_t least);
/* The same of the bytes of VRAM that are free. */
static inline bool gpu_vram_comes_back(int fd, uint64_t free)
{
	return gpu_param_reaches(fd, D3DGPU_PARAM_VRAM_FREE, free);
}

/* Waits until a condition holds, looking every millisecond. Returns whether it does. */
bool gpu_eventually(bool (*condition)(void *data), void *data, int64_t timeout_ns);

#endif
