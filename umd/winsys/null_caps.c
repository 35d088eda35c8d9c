/* SPDX-License-Identifier: MIT */
/* What a GPU of the null winsys can do when nobody says otherwise: a level 11_0 device without quirks. */
#include "null.h"

#include <string.h>

void winsys_null_caps(struct d3dgpu_caps *caps)
{
	const uint32_t all = D3DGPU_FORMAT_SAMPLE | D3DGPU_FORMAT_FILTER | D3DGPU_FORMAT_RENDER | D3DGPU_FORMAT_BLEND |
			     D3DGPU_FORMAT_DEPTH | D3DGPU_FORMAT_VERTEX | D3DGPU_FORMAT_READBACK |
			     D3DGPU_FORMAT_SAMPLES(0) | D3DGPU_FORMAT_SAMPLES(2);

	memset(caps, 0, sizeof(*caps));
	*caps = (struct d3dgpu_caps){
		.magic = D3DGPU_CAPS_MAGIC,
		.version = 1 << 16,
		.size = sizeof(*caps),
		.feature_level = D3DGPU_LEVEL_11_0,
		.options = D3DGPU_OPTION_NPOT | D3DGPU_OPTION_SHADOW | D3DGPU_OPTION_INSTANCING |
			   D3DGPU_OPTION_CUBE_DS | D3DGPU_OPTION_INDEPENDENT_BLEND | D3DGPU_OPTION_DUAL_SOURCE |
			   D3DGPU_OPTION_CUBE_ARRAY | D3DGPU_OPTION_TEXTURE_VIEW | D3DGPU_OPTION_CLEAR_TEXTURE |
			   D3DGPU_OPTION_TIMESTAMP | D3DGPU_OPTION_OCCLUSION | D3DGPU_OPTION_DEPTH_CLAMP |
			   D3DGPU_OPTION_DEPTH_BIAS_CLAMP | D3DGPU_OPTION_MIRROR_ONCE | D3DGPU_OPTION_LOGIC_OP,
		.vertex_shader = 0x0500,
		.pixel_shader = 0x0500,
		.ds_formats = (1u << D3DGPU_DS_FORMAT_COUNT) - 1,
		.sample_counts = 1 << 0 | 1 << 2,
		.max_texture_2d = 16384,
		.max_texture_3d = 2048,
		.max_texture_cube = 16384,
		.max_texture_layers = 2048,
		.max_render_targets = 8,
		.max_viewports = 16,
		.max_vertex_attributes = 16,
		.max_samplers = 32,
		.max_constant_buffers = 14,
		.max_constant_size = 65536,
		.max_anisotropy = 1,
		.max_varyings = 32,
		.max_stream_outputs = 4,
		.constant_alignment = 256,
		.max_vertex_stride = 2048,
		.max_point_size = 256,
		.max_clip_planes = 8,
		.max_contexts = 255,
		.vram_size = 256ull << 20,
		.luid = 0x6e756c6c,
		.timestamp_frequency = 1000000000,
		.engine_name = "null",
	};
	for (uint32_t i = 0; i < D3DGPU_CAPS_FORMATS; i++)
		if (d3dgpu_format_block(i).bytes)
			caps->formats[i] = all;
}
