/* SPDX-License-Identifier: MIT */
/*
 * What d3dgpu's runtimes and driver say to each other beyond the published interface: things that on Windows the runtime
 * asks the kernel (D3DKMT*). They travel through the entries that the interface has for private data:
 *   GetCaps(D3DGPU_DDICAPS_ADAPTER)      D3DKMTQueryAdapterInfo, D3DKMTQueryVideoMemoryInfo
 *   GetInfo(D3DGPU_DEVINFO_STATISTICS)   performance counters of the device
 *   GetInfo(D3DGPU_DEVINFO_FRAMES)       the kernel's present queue
 *   pPrivateDriverData of shared resources
 */
#ifndef D3DGPU_DDI_H
#define D3DGPU_DDI_H

#include <stdint.h>

#include "d3dgpu_statistics.h"

/* D3DDDIARG_GETCAPS.Type of Direct3D 9 and D3D10_2DDIARG_GETCAPS.Type of 10/11. */
#define D3DGPU_DDICAPS_ADAPTER 0x1000

struct d3dgpu_ddi_adapter {
	uint64_t luid;			/* low part first */
	uint64_t vram_size;		/* bytes of the pool */
	uint64_t vram_free;		/* bytes now */
	uint32_t feature_level;		/* D3D_FEATURE_LEVEL */
	uint32_t driver_version;	/* major << 16 | minor */
	uint32_t vendor_id;		/* PCI ids of the device */
	uint32_t device_id;
	char description[128];		/* NUL-terminated */
	uint32_t cube_face_with_2d_depth; /* 1: a cube's face as target goes with a 2D depth-stencil surface */
	uint32_t reserved;		/* 0 */
};

/* D3D10_2DDIARG_GETCAPS.Type, BOOL: one cube face as render target goes with a 2D depth-stencil below level 10_0. The Direct3D 9
 * interface has published bits for the other three Direct3D 9 options, but none for this one. */
#define D3DGPU_DDICAPS_CUBE_DEPTH 0x1001

/* SubDeviceID of pfnRetrieveSubObject (Direct3D 10/11 have no pfnGetInfo) */
#define D3DGPU_SUBOBJECT_STATISTICS 0x1000	/* out: struct d3dgpu_statistics */
#define D3DGPU_SUBOBJECT_FRAMES 0x1001		/* in: struct d3dgpu_ddi_frames */

/* pfnGetInfo.DevInfoID */
#define D3DGPU_DEVINFO_STATISTICS 0x1000	/* struct d3dgpu_statistics */
#define D3DGPU_DEVINFO_FRAMES 0x1001		/* struct d3dgpu_ddi_frames */

/* Returns when at most max_pending of the presents before this call are not done yet. */
struct d3dgpu_ddi_frames {
	uint32_t max_pending;
	uint32_t reserved;		/* 0 */
};

/*
 * Shared resources. The creating driver calls pfnAllocateCb with hResource = the runtime's handle and this as
 * pPrivateDriverData: the runtime makes the token its shared handle. To open, the runtime passes it to pfnOpenResource with
 * what the program expects; the driver refuses (E_INVALIDARG) what does not match.
 */
struct d3dgpu_ddi_shared {
	uint64_t token;
	uint32_t width, height, depth;
	uint32_t format;		/* D3DFORMAT or DXGI_FORMAT of the interface in use; 0 on open: not checked */
	uint32_t levels;
	uint32_t samples;		/* per pixel, 0 or 1 = single-sampled */
	uint32_t flags;			/* D3DDDI_RESOURCEFLAGS of Direct3D 9; 0 for 10/11 */
	uint32_t layers;
};

#endif
