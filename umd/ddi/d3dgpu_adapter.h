/* SPDX-License-Identifier: MIT */
/*
 * What the runtime's pfnQueryAdapterInfoCb hands to the driver as pPrivateDriverData: where the adapter is. The Linux
 * counterpart of the blob that a Windows kernel driver gives to its user-mode driver.
 */
#ifndef D3DGPU_ADAPTER_H
#define D3DGPU_ADAPTER_H

#include <stdint.h>

enum d3dgpu_adapter_kind {
	D3DGPU_ADAPTER_DRM = 1,
	D3DGPU_ADAPTER_LOOPBACK = 2,
	D3DGPU_ADAPTER_NULL = 3,
};

struct d3dgpu_adapter_info {
	uint32_t size;			/* sizeof(struct d3dgpu_adapter_info) */
	uint32_t kind;			/* enum d3dgpu_adapter_kind */
	int32_t fd;			/* DRM: render node, owned by the runtime; else -1 */
	uint32_t reserved;
	char caps[512];			/* LOOPBACK, NULL: device properties (D3DGPU_CAPS), NUL-terminated */
};

#endif
