/* SPDX-License-Identifier: MIT */
/*
 * User interface of the d3dgpu DRM driver.
 *
 * Rules
 *  - All structures have the same layout for 32- and 64-bit callers; pointers are __u64.
 *  - Unknown flag bits, and padding or reserved fields that are not 0, give -EINVAL and change nothing. So may every field be
 *    extended later.
 *  - Handles are GEM handles of the file, not 0. Context ids belong to the file that made them.
 *  - The kernel never parses command streams. It checks handles, ranges and flags; what a stream does wrong costs its context:
 *    D3DGPU_CTX_QUERY tells, later submits give -EIO, fences carry an error.
 *  - A device that is gone gives -ENODEV; one in reset delays the call.
 *
 * Objects
 *  - A *staging buffer* is VRAM that the CPU maps: command streams, uploads, readbacks.
 *  - A *resource* is a 3D object of the engine with a range in VRAM for its linear image; it is never mapped. Streams
 *    name it by its res_id. It exists in a context's engine from the first submit that lists it. What one context has written,
 *    another sees in the submits that are ordered behind it.
 *  - Objects that are not in use leave VRAM when others need the room, and come back when a submit lists them.
 *  - A *depth-stencil surface* is a resource that was sized and admitted by the device's depth-stencil unit.
 *  - A *context* is one engine context (one renderer process of the host).
 */
#ifndef _UAPI_D3DGPU_DRM_H_
#define _UAPI_D3DGPU_DRM_H_

#ifdef __KERNEL__
#include <drm/drm.h>
#else
#include "drm.h" /* libdrm's */
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define D3DGPU_DRIVER_NAME "d3dgpu"

#define DRM_D3DGPU_GET_PARAM 0x00
#define DRM_D3DGPU_GET_CAPS 0x01
#define DRM_D3DGPU_CTX_CREATE 0x02
#define DRM_D3DGPU_CTX_DESTROY 0x03
#define DRM_D3DGPU_CTX_QUERY 0x04
#define DRM_D3DGPU_STAGING_CREATE 0x05
#define DRM_D3DGPU_RESOURCE_CREATE 0x06
#define DRM_D3DGPU_DS_CREATE 0x07
#define DRM_D3DGPU_GEM_MMAP 0x08
#define DRM_D3DGPU_GEM_INFO 0x09
#define DRM_D3DGPU_SUBMIT 0x0a
#define DRM_D3DGPU_GEM_SHARE 0x0b
#define DRM_D3DGPU_GEM_OPEN 0x0c
#define DRM_D3DGPU_GEM_MADVISE 0x0d

enum drm_d3dgpu_param {
	D3DGPU_PARAM_INTERFACE_VERSION = 0,	/* of the hardware: major << 16 | minor */
	D3DGPU_PARAM_VRAM_SIZE = 1,		/* bytes of the pool */
	D3DGPU_PARAM_VRAM_FREE = 2,		/* bytes not allocated at this moment */
	D3DGPU_PARAM_FIRMWARE_VERSION = 3,
	D3DGPU_PARAM_LUID = 4,
	D3DGPU_PARAM_MAX_STREAM = 5,		/* bytes of one command stream */
	D3DGPU_PARAM_RESETS = 6,		/* device resets since the module was loaded */
	D3DGPU_PARAM_RING_ENTRIES = 7,		/* entries fetched since the device's last reset, of all programs */
	D3DGPU_PARAM_INTERRUPTS = 8,		/* raised by the firmware since then */
	D3DGPU_PARAM_MEMORY_LIMIT = 9,		/* bytes that all objects together may have, in VRAM or evicted */
	D3DGPU_PARAM_EVICTIONS = 10,		/* objects that have left VRAM to make room since the module was loaded */
	D3DGPU_PARAM_BYTES_EVICTED = 11,	/* their bytes */
	D3DGPU_PARAM_BYTES_RESTORED = 12,	/* bytes that have come back since then */
	D3DGPU_PARAM_HEADS = 13,		/* display heads */
	D3DGPU_PARAM_ENGINES = 14,		/* contexts that may have their engine at work at once */
	D3DGPU_PARAM_HANG_TIMEOUT = 15,		/* milliseconds that a submit may keep its engine; 0 = for ever */

	/* + n, a multiple of 4: the 32-bit word at byte n of the capability block (struct d3dgpu_caps, hw/d3dgpu_caps.h) */
	D3DGPU_PARAM_CAPS = 0x2000,
};

/* -EINVAL: unknown param */
struct drm_d3dgpu_get_param {
	__u32 param;			/* in: enum drm_d3dgpu_param */
	__u32 pad;
	__u64 value;			/* out */
};

/* Copies the device's capability block (struct d3dgpu_caps, hw/d3dgpu_caps.h) unchanged. */
struct drm_d3dgpu_get_caps {
	__u64 ptr;			/* in: where to */
	__u32 size;			/* in: room; out: size of the block. min(room, block) bytes are copied; 0 only asks */
	__u32 pad;
};

/* -ENOSPC: no context left; -EACCES: priority above normal without CAP_SYS_NICE; -EIO: no worker on the host */
struct drm_d3dgpu_ctx_create {
	__u32 flags;			/* in: 0 */
	__u32 priority;			/* in: enum d3dgpu_priority (hw/d3dgpu_ring.h) */
	__u32 ctx_id;			/* out */
	__u32 progress;			/* in: 0; out: index of its struct drm_d3dgpu_progress */
};

/*
 * What CTX_QUERY tells without a call: mmap() of this offset, 4096 bytes, PROT_READ, gives an array of this structure. A context's
 * entry is its own until CTX_DESTROY. `status` is written before the `completed` of the first submit that it spoiled: read
 * `completed` first, with acquire semantics.
 */
#define D3DGPU_PROGRESS_OFFSET 0x10000

struct drm_d3dgpu_progress {
	__u64 completed;		/* highest seqno that is done */
	__u32 status;			/* 0 alive, or enum d3dgpu_fault */
	__u32 pad;
};

struct drm_d3dgpu_ctx_destroy {
	__u32 ctx_id;
	__u32 pad;
};

struct drm_d3dgpu_ctx_query {
	__u32 ctx_id;			/* in */
	__u32 status;			/* out: 0 alive, or enum d3dgpu_fault: why it was lost */
	__u64 completed;		/* out: highest seqno that is done */
	__u64 submitted;		/* out: highest seqno given out */
};

/* -ENOMEM: VRAM pool exhausted. -EINVAL: size 0 or more than the pool. */
struct drm_d3dgpu_staging_create {
	__u64 size;			/* in: bytes; out: rounded up to pages */
	__u32 flags;			/* in: 0 */
	__u32 handle;			/* out */
	__u32 res_id;			/* out: name in command streams (a buffer of `size` bytes, bind STAGING) */
	__u32 pad;
};

/* The descriptor is struct d3dgpu_resource_desc (hw/d3dgpu_resource.h). -EINVAL: malformed, or above the capabilities. -ENOMEM. */
struct drm_d3dgpu_resource_create {
	__u8 desc[24];			/* in */
	__u32 flags;			/* in: 0 */
	__u32 handle;			/* out */
	__u32 res_id;			/* out */
	__u32 pad;
	__u64 size;			/* out: bytes of the VRAM range */
};

/*
 * Creates a depth-stencil surface through the depth-stencil unit; the fields are those of struct d3dgpu_ds_mailbox
 * (hw/d3dgpu_ds.h). When the unit refuses, the call gives -EINVAL and `status` says why (handle 0). -ENOMEM: pool exhausted.
 */
struct drm_d3dgpu_ds_create {
	__u32 width, height;		/* in */
	__u32 format;			/* in: enum d3dgpu_ds_format */
	__u32 samples;			/* in */
	__u32 quality;			/* in */
	__u32 usage;			/* in: D3DGPU_DS_USAGE_* */
	__u32 discard;			/* in: 0 or 1 */
	__u16 layers, levels;		/* in */
	__u32 flags;			/* in: 0 */
	__u32 status;			/* out: enum d3dgpu_ds_status */
	__u32 handle;			/* out */
	__u32 res_id;			/* out */
	__u32 storage_format;		/* out */
	__u32 pitch;			/* out: bytes, of the linear image's level 0 */
	__u64 size;			/* out: bytes of VRAM */
	__u64 stencil_offset;		/* out */
	__u32 quality_levels;		/* out */
	__u32 ds_flags;			/* out: D3DGPU_DS_FLAG_* */
};

/* Fake offset to mmap a staging buffer at. -EINVAL for resources: they are never mapped. */
struct drm_d3dgpu_gem_mmap {
	__u32 handle;
	__u32 pad;
	__u64 offset;			/* out */
};

/* Where an object was when the call looked; it may be elsewhere when it returns, unless it is pinned. */
enum drm_d3dgpu_placement {
	D3DGPU_PLACEMENT_VRAM = 1,
	D3DGPU_PLACEMENT_EVICTED = 2,		/* in system memory, until a submit lists it */
	D3DGPU_PLACEMENT_PURGED = 3,		/* its content was thrown away, see GEM_MADVISE */
};

#define D3DGPU_INFO_PINNED (1u << 0)		/* stays in VRAM: it is scanned out */
#define D3DGPU_INFO_PURGEABLE (1u << 1)		/* by GEM_MADVISE */
#define D3DGPU_INFO_SHARED (1u << 2)		/* submits synchronise implicitly on it */

struct drm_d3dgpu_gem_info {
	__u32 handle;			/* in */
	__u32 kind;			/* out: enum drm_d3dgpu_kind */
	__u32 res_id;			/* out */
	__u32 pad;
	__u64 size;			/* out */
	__u8 desc[24];			/* out: descriptor (zero for staging buffers) */
	__u32 placement;		/* out: enum drm_d3dgpu_placement */
	__u32 flags;			/* out: D3DGPU_INFO_* */
};

/*
 * What is to happen to an object's content when VRAM is short: it is kept, or, for caches, may be thrown away. What was thrown
 * away is lost for good: the object is clear, or what submits have written since. An object that is used is not kept by that.
 */
enum drm_d3dgpu_advice {
	D3DGPU_ADVICE_WILLNEED = 0,		/* as all objects are made */
	D3DGPU_ADVICE_DONTNEED = 1,
};

struct drm_d3dgpu_gem_madvise {
	__u32 handle;			/* in */
	__u32 advice;			/* in: enum drm_d3dgpu_advice */
	__u32 retained;			/* out: 1: the content is there; 0: it was thrown away since the last WILLNEED */
	__u32 pad;
};

enum drm_d3dgpu_kind {
	D3DGPU_KIND_STAGING = 1,
	D3DGPU_KIND_RESOURCE = 2,
	D3DGPU_KIND_DEPTH_STENCIL = 3,
	D3DGPU_KIND_DUMB = 4,
};

/*
 * The stream writes it. What is written without this flag can be lost: the kernel moves content between memory and the engines
 * of contexts by what it knows of writers.
 */
#define D3DGPU_SUBMIT_BO_WRITE (1u << 0)

struct drm_d3dgpu_submit_bo {
	__u32 handle;
	__u32 flags;			/* D3DGPU_SUBMIT_BO_* */
};

struct drm_d3dgpu_sync {
	__u32 handle;			/* syncobj */
	__u32 pad;
	__u64 point;			/* 0 = binary */
};

#define D3DGPU_SUBMIT_MAX_BOS 16384
#define D3DGPU_SUBMIT_MAX_SYNCS 64

/*
 * Queues one command stream on a context. Order within a context is the order of the calls. Every object that the stream names must
 * be in the list; it is kept alive until the fence signals. The command buffer itself need not be listed.
 * -EINVAL: handle, range, alignment, count or flag; -ENOENT: no such context or syncobj; -EIO: the context is lost;
 * -ENOMEM: all listed objects together, and the command buffer, do not fit into VRAM. Nothing was queued then, and no syncobj
 * touched.
 */
struct drm_d3dgpu_submit {
	__u32 ctx_id;
	__u32 flags;			/* 0 */
	__u32 command_handle;		/* staging buffer that holds the stream; 0 with size 0: only a fence */
	__u32 command_offset;		/* bytes, multiple of 4 */
	__u32 command_size;		/* bytes, multiple of 4, at most D3DGPU_PARAM_MAX_STREAM */
	__u32 bo_count;
	__u64 bos;			/* struct drm_d3dgpu_submit_bo[] */
	__u32 in_sync_count;
	__u32 out_sync_count;
	__u64 in_syncs;			/* struct drm_d3dgpu_sync[]: waited for by the GPU before the stream starts */
	__u64 out_syncs;		/* struct drm_d3dgpu_sync[]: signalled when it is done */
	__u64 seqno;			/* out: of this submit in its context, from 1 */
};

/* A name for an object that another process can open: unguessable, valid as long as the object lives. */
struct drm_d3dgpu_gem_share {
	__u32 handle;			/* in */
	__u32 pad;
	__u64 token;			/* out, not 0 */
};

/* -ENOENT: no such token */
struct drm_d3dgpu_gem_open {
	__u64 token;			/* in */
	__u32 handle;			/* out */
	__u32 kind;			/* out: enum drm_d3dgpu_kind */
	__u32 res_id;			/* out */
	__u32 pad;
	__u64 size;			/* out */
	__u8 desc[24];			/* out: descriptor */
};

#define DRM_IOCTL_D3DGPU_GET_PARAM DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GET_PARAM, struct drm_d3dgpu_get_param)
#define DRM_IOCTL_D3DGPU_GET_CAPS DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GET_CAPS, struct drm_d3dgpu_get_caps)
#define DRM_IOCTL_D3DGPU_CTX_CREATE DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_CTX_CREATE, struct drm_d3dgpu_ctx_create)
#define DRM_IOCTL_D3DGPU_CTX_DESTROY DRM_IOW(DRM_COMMAND_BASE + DRM_D3DGPU_CTX_DESTROY, struct drm_d3dgpu_ctx_destroy)
#define DRM_IOCTL_D3DGPU_CTX_QUERY DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_CTX_QUERY, struct drm_d3dgpu_ctx_query)
#define DRM_IOCTL_D3DGPU_STAGING_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_STAGING_CREATE, struct drm_d3dgpu_staging_create)
#define DRM_IOCTL_D3DGPU_RESOURCE_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_RESOURCE_CREATE, struct drm_d3dgpu_resource_create)
#define DRM_IOCTL_D3DGPU_DS_CREATE DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_DS_CREATE, struct drm_d3dgpu_ds_create)
#define DRM_IOCTL_D3DGPU_GEM_MMAP DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GEM_MMAP, struct drm_d3dgpu_gem_mmap)
#define DRM_IOCTL_D3DGPU_GEM_INFO DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GEM_INFO, struct drm_d3dgpu_gem_info)
#define DRM_IOCTL_D3DGPU_SUBMIT DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_SUBMIT, struct drm_d3dgpu_submit)
#define DRM_IOCTL_D3DGPU_GEM_SHARE DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GEM_SHARE, struct drm_d3dgpu_gem_share)
#define DRM_IOCTL_D3DGPU_GEM_OPEN DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GEM_OPEN, struct drm_d3dgpu_gem_open)
#define DRM_IOCTL_D3DGPU_GEM_MADVISE DRM_IOWR(DRM_COMMAND_BASE + DRM_D3DGPU_GEM_MADVISE, struct drm_d3dgpu_gem_madvise)

#if defined(__cplusplus)
}
#endif

#endif
