/* SPDX-License-Identifier: MIT */
/*
 * The window onto the kernel: buffer objects, contexts, submit, wait. Three implementations: drm (ioctls on a render
 * node), loopback (the device core in this process) and null (records, executes nothing). The driver above never
 * knows which.
 *
 * Threads: a winsys and its buffer objects may be used from any thread; one context's submits come from one thread at
 * a time. Errors: 0 or a negative errno; -ENOMEM pool exhausted, -EIO context lost, -ENODEV device gone, -EINVAL
 * refused, -ENOSPC too many contexts, -ENOENT no object with that token.
 */
#ifndef D3DGPU_UMD_WINSYS_H
#define D3DGPU_UMD_WINSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "d3dgpu_caps.h"
#include "d3dgpu_ds.h"
#include "d3dgpu_ring.h"

struct winsys;

enum winsys_bo_kind { WINSYS_BO_STAGING, WINSYS_BO_RESOURCE, WINSYS_BO_DEPTH_STENCIL };

/* A reference to an object in VRAM. Implementations embed it; fields are constant after creation. */
struct winsys_bo {
	struct winsys *ws;
	enum winsys_bo_kind kind;
	uint32_t res_id;		/* its name in command streams */
	uint32_t handle;		/* GEM handle (drm), else implementation's */
	uint64_t size;			/* bytes of VRAM */
	void *map;			/* staging: CPU address for the object's whole life; else NULL */
	struct d3dgpu_resource_desc desc;
	struct d3dgpu_ds_mailbox ds;	/* depth-stencil: the unit's answer */
};

struct winsys_ctx {
	struct winsys *ws;
	uint32_t id;
};

struct winsys_submit {
	struct winsys_bo *commands;	/* staging; NULL with size 0: only a fence */
	uint32_t offset, size;		/* bytes */
	struct winsys_bo *const *bos;	/* every object that the stream names */
	const uint8_t *writes;		/* per bo: the stream writes it; may be NULL */
	uint32_t bo_count;
};

/* Running totals, for the HUD, the demonstration and the steady-frame tests. */
struct winsys_stats {
	uint64_t ioctls;		/* system calls made (drm), or calls that would be (loopback, null) */
	uint64_t submits;
	uint64_t stream_bytes;
	uint64_t bo_creates, bo_destroys;
	uint64_t waits;			/* fence waits that had to sleep */
	uint64_t ring_entries;		/* of the device since reset, if known */
	uint64_t interrupts;		/* of the device since reset, if known */
	uint64_t vram_used, vram_size;	/* bytes of the pool */
};

struct winsys_ops {
	void (*destroy)(struct winsys *ws);

	/* Context = one worker. priority: enum d3dgpu_priority. */
	int (*ctx_create)(struct winsys *ws, uint32_t priority, struct winsys_ctx **out);
	void (*ctx_destroy)(struct winsys_ctx *ctx);
	/* 0 = alive; else enum d3dgpu_fault. */
	uint32_t (*ctx_status)(struct winsys_ctx *ctx);

	int (*staging_create)(struct winsys *ws, uint64_t size, struct winsys_bo **out);
	int (*resource_create)(struct winsys *ws, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out);
	/* Fills the answer part of *ds whatever the result. -EINVAL: refused, ds->status says why. */
	int (*ds_create)(struct winsys *ws, struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out);
	/* Whether the content of an object is needed. While it is not, it may be thrown away for want of memory; nothing may
	 * use the object until it is said to be needed again. Then 1: the content is there, or 0: it is undefined. */
	int (*set_needed)(struct winsys_bo *bo, bool needed);
	/* The object goes when the last submit that lists it is done. NULL is fine. */
	void (*bo_destroy)(struct winsys_bo *bo);

	/* Queues a stream; *fence rises by one per submit of the context. */
	int (*submit)(struct winsys_ctx *ctx, const struct winsys_submit *submit, uint64_t *fence);
	/* Highest fence of the context that is done; no system call where the implementation can. */
	uint64_t (*completed)(struct winsys_ctx *ctx);
	/* Waits for a fence. timeout in nanoseconds, UINT64_MAX = for ever. 0, -ETIME, -EIO. */
	int (*wait)(struct winsys_ctx *ctx, uint64_t fence, uint64_t timeout);

	/* Sharing with other processes (loopback: other devices of this process). */
	int (*share)(struct winsys_bo *bo, uint64_t *token);
	int (*open)(struct winsys *ws, uint64_t token, struct winsys_bo **out);

	void (*get_stats)(struct winsys *ws, struct winsys_stats *out);
	/* Bytes of the pool that are free now. */
	uint64_t (*vram_free)(struct winsys *ws);
};

struct winsys {
	const struct winsys_ops *ops;
	struct d3dgpu_caps caps;	/* as the device says */
	int drm_fd;			/* -1 if none: used by the window system layer to scan out */
};

/* Opens a render node (or card node). The descriptor is duplicated. */
int winsys_drm_open(int fd, struct winsys **out);
/* The device inside this process, one per process, shared by all callers; caps = D3DGPU_CAPS text or NULL. Loads
 * libd3dgpu_loopback.so. message gets the reason of a failure. */
int winsys_loopback_open(const char *caps, struct winsys **out, char *message, size_t size);
/* Records only: completes at once, executes nothing. */
int winsys_null_open(const struct d3dgpu_caps *caps, struct winsys **out);

#endif
