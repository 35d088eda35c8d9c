/* SPDX-License-Identifier: MIT */
/* The resources that the fuzzed streams of a context find: one of each kind that the checker tells apart. */
#ifndef D3DGPU_FUZZ_STREAM_RESOURCES_H
#define D3DGPU_FUZZ_STREAM_RESOURCES_H

#include "d3dgpu_resource.h"

#define STREAM_RESOURCES 6u		/* ids 1 to 5 */

static const struct d3dgpu_resource_desc stream_resources[STREAM_RESOURCES] = {
	[1] = {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_2D_ARRAY, .bind = D3DGPU_BIND_SAMPLER_VIEW,
	       .width = 64, .height = 32, .depth = 1, .array_size = 4, .last_level = 3},
	[2] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 1024, .height = 1, .depth = 1,
	       .array_size = 1},
	[3] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_STAGING, .width = 65536, .height = 1, .depth = 1,
	       .array_size = 1},
	[4] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_CUSTOM, .width = 16, .height = 1, .depth = 1,
	       .array_size = 1},
	[5] = {.format = D3DGPU_FMT_DXT1_RGBA, .target = D3DGPU_TARGET_CUBE, .bind = D3DGPU_BIND_SAMPLER_VIEW,
	       .width = 16, .height = 16, .depth = 1, .array_size = 6, .last_level = 4},
};

#endif
