/* SPDX-License-Identifier: MIT */
/*
 * Counters of a device, for HUDs, the demonstration and tests. Totals since the device's creation; take differences.
 * libd3d9.so and libd3d11.so export a function that fills them (below): the only thing a program needs beyond Direct3D.
 */
#ifndef D3DGPU_STATISTICS_H
#define D3DGPU_STATISTICS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct d3dgpu_statistics {
	uint64_t draws, clears, copies;
	uint64_t state_objects;		/* created in the engine */
	uint64_t shaders;		/* variants created in the engine */
	uint64_t allocations;		/* heap allocations of the driver */
	uint64_t staging_buffers;	/* created */
	uint64_t ioctls;		/* system calls (loopback: calls that would be) */
	uint64_t submits;
	uint64_t stream_bytes;		/* of command stream */
	uint64_t waits;			/* that had to sleep */
	uint64_t ring_entries;		/* of the whole GPU since its reset, 0 if not known */
	uint64_t interrupts;		/* of the whole GPU since its reset, 0 if not known */
	uint64_t vram_used, vram_size;	/* bytes of the pool */
};

/* device: an IDirect3DDevice9 (libd3d9.so). 0, or -1 when device is NULL or lost. */
int D3DGPUGetStatistics9(void *device, struct d3dgpu_statistics *statistics);
/* device: an ID3D11Device (libd3d11.so). */
int D3DGPUGetStatistics11(void *device, struct d3dgpu_statistics *statistics);

#ifdef __cplusplus
}
#endif

#endif
