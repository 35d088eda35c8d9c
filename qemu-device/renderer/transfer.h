/* SPDX-License-Identifier: MIT */
/*
 * FLUSH and LOAD: whole subresources between the 3D object and its linear image in VRAM (layout: hw/d3dgpu_resource.h).
 */
#ifndef D3DGPU_RENDERER_TRANSFER_H
#define D3DGPU_RENDERER_TRANSFER_H

#include "resources.h"

enum transfer_direction {
	TRANSFER_FLUSH,		/* 3D object → linear image */
	TRANSFER_LOAD,		/* linear image → 3D object */
};

/*
 * Transfers `count` subresources from `first` on (0 = all that follow). Nothing is to be done where the range is the
 * storage. Returns an enum d3dgpu_fault: BAD_ENTRY when they do not exist, BAD_RESOURCE when the engine cannot, with
 * *info = the subresource.
 */
uint32_t transfer_run(const struct resource *resource, enum transfer_direction direction, uint32_t first,
		      uint32_t count, uint32_t *info);

#endif
