/* SPDX-License-Identifier: MIT */
/*
 * The depth-stencil unit: sizes and admits depth-stencil surfaces. Software fills the mailbox of the control block and writes
 * D3DGPU_REG_DSU_RUN; when the write returns, the mailbox holds the answer. The unit is the authority on formats,
 * sample counts and limits. It allocates nothing: software provides `size` bytes of VRAM at `alignment` and creates
 * the 3D object with `storage_format`.
 */
#ifndef D3DGPU_DS_H
#define D3DGPU_DS_H

#include "d3dgpu_types.h"

/* Depth-stencil formats, numbered as D3DFORMAT does. Bit (format - FIRST) of d3dgpu_caps.ds_formats says that it is there. */
#define D3DGPU_DS_FIRST_FORMAT 70
enum d3dgpu_ds_format {
	D3DGPU_DS_D16_LOCKABLE = 70,
	D3DGPU_DS_D32 = 71,
	D3DGPU_DS_D15S1 = 73,
	D3DGPU_DS_D24S8 = 75,
	D3DGPU_DS_D24X8 = 77,
	D3DGPU_DS_D24X4S4 = 79,
	D3DGPU_DS_D16 = 80,
	D3DGPU_DS_D32F_LOCKABLE = 82,
	D3DGPU_DS_D24FS8 = 83,
	D3DGPU_DS_D32_LOCKABLE = 84,
	D3DGPU_DS_S8_LOCKABLE = 85,
	D3DGPU_DS_D32FS8 = 86,		/* float depth and 8 bits of stencil, Direct3D 10's D32_FLOAT_S8X24_UINT */
};
#define D3DGPU_DS_FORMAT_COUNT 17	/* numbers 70..86 */

/* d3dgpu_ds_mailbox.usage: what the surface is for */
#define D3DGPU_DS_USAGE_SAMPLE (1u << 0)	/* also bound as a texture */
#define D3DGPU_DS_USAGE_LOCKABLE (1u << 1)	/* must be lockable */
#define D3DGPU_DS_USAGE_SHARED (1u << 2)	/* opened by other contexts */
#define D3DGPU_DS_USAGE_RESTRICTED (1u << 3)	/* protected content (D3DUSAGE_RESTRICTED_CONTENT) */
#define D3DGPU_DS_USAGE_CUBE (1u << 4)		/* six faces (level 10_0 and up) */
#define D3DGPU_DS_USAGE_ALL 0x1fu

enum d3dgpu_ds_status {
	D3DGPU_DS_OK = 0,
	D3DGPU_DS_BAD_SIZE = 1,		/* width, height, layers or levels 0, or above the limits */
	D3DGPU_DS_NOT_A_DS_FORMAT = 2,	/* no number of enum d3dgpu_ds_format */
	D3DGPU_DS_FORMAT_UNAVAILABLE = 3, /* a depth-stencil format that this GPU does not have */
	D3DGPU_DS_BAD_SAMPLES = 4,	/* sample count not available for this format */
	D3DGPU_DS_BAD_QUALITY = 5,	/* quality >= quality_levels */
	D3DGPU_DS_BAD_USAGE = 6,	/* unknown bits, not lockable, sampling not possible */
	D3DGPU_DS_DISCARD_LOCKABLE = 7,	/* discard with a lockable format */
	D3DGPU_DS_BAD_FIELD = 8,	/* reserved field not 0 */
};

struct d3dgpu_ds_mailbox {
	/* written by software */
	uint32_t width;			/* pixels */
	uint32_t height;
	uint32_t format;		/* enum d3dgpu_ds_format */
	uint32_t samples;		/* per pixel: 0 or 1 = single-sampled; 2, 4, 8, 16 */
	uint32_t quality;
	uint32_t usage;			/* D3DGPU_DS_USAGE_* */
	uint32_t discard;		/* 0 or 1: contents need not survive (see D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL) */
	uint16_t layers;		/* array slices, 1 for a plain surface */
	uint16_t levels;		/* mip levels, 1 for a plain surface */
	uint32_t reserved[4];		/* 0 */
	/* written by the unit, complete even when the status is not OK (then 0 but for status and quality_levels) */
	uint32_t status;		/* enum d3dgpu_ds_status */
	uint32_t storage_format;	/* d3dgpu_format.h number to create the 3D object with */
	uint64_t size;			/* bytes of VRAM, all planes and samples */
	uint32_t alignment;		/* bytes, of the VRAM offset */
	uint32_t pitch;			/* bytes from row to row of the linear image's level 0 */
	uint64_t stencil_offset;	/* bytes to a separate stencil plane; 0: none, or interleaved with depth */
	uint32_t quality_levels;	/* for this format and sample count; 0 = not available */
	uint32_t flags;			/* D3DGPU_DS_FLAG_* */
	uint32_t reserved2[2];
};

#define D3DGPU_DS_FLAG_LOCKABLE (1u << 0)
#define D3DGPU_DS_FLAG_STENCIL (1u << 1)

D3DGPU_ASSERT_SIZE(struct d3dgpu_ds_mailbox, 96);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ds_mailbox, status, 48);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_ds_mailbox, size, 56);

#endif
