/* SPDX-License-Identifier: MIT */
/*
 * The capability block: what this GPU can do. Read-only registers at D3DGPU_REG_CAPS, passed up to user space unchanged.
 * Every answer of the driver comes from here. The device makes it from what the 3D engine reports and narrows it by the
 * properties it was started with.
 */
#ifndef D3DGPU_CAPS_H
#define D3DGPU_CAPS_H

#include "d3dgpu_types.h"

#define D3DGPU_CAPS_MAGIC 0x53504143u	/* "CAPS" */
#define D3DGPU_CAPS_FORMATS 512		/* formats are numbered as in d3dgpu_format.h */

/* Levels as D3D_FEATURE_LEVEL numbers them */
#define D3DGPU_LEVEL_9_1 0x9100
#define D3DGPU_LEVEL_9_2 0x9200
#define D3DGPU_LEVEL_9_3 0x9300
#define D3DGPU_LEVEL_10_0 0xa000
#define D3DGPU_LEVEL_10_1 0xa100
#define D3DGPU_LEVEL_11_0 0xb000
#define D3DGPU_LEVEL_11_1 0xb100

/* d3dgpu_caps.options: the four Direct3D 9 options */
#define D3DGPU_OPTION_NPOT (1u << 0)		/* full non-power-of-two textures */
#define D3DGPU_OPTION_NPOT_CONDITIONAL (1u << 1) /* without NPOT: allowed with clamp addressing and no mip maps */
#define D3DGPU_OPTION_SHADOW (1u << 2)		/* depth texture sampled with less-equal comparison */
#define D3DGPU_OPTION_INSTANCING (1u << 3)	/* simple instancing */
#define D3DGPU_OPTION_CUBE_DS (1u << 4)		/* cube face as render target with a 2D depth-stencil */
/* further features of the engine */
#define D3DGPU_OPTION_GEOMETRY (1u << 8)
#define D3DGPU_OPTION_STREAM_OUTPUT (1u << 9)
#define D3DGPU_OPTION_TESSELLATION (1u << 10)
#define D3DGPU_OPTION_COMPUTE (1u << 11)
#define D3DGPU_OPTION_INDEPENDENT_BLEND (1u << 12)
#define D3DGPU_OPTION_DUAL_SOURCE (1u << 13)
#define D3DGPU_OPTION_CUBE_ARRAY (1u << 14)
#define D3DGPU_OPTION_TEXTURE_VIEW (1u << 15)	/* views may re-interpret the format within a class */
#define D3DGPU_OPTION_CLEAR_TEXTURE (1u << 16)
#define D3DGPU_OPTION_TIMESTAMP (1u << 17)
#define D3DGPU_OPTION_OCCLUSION (1u << 18)
#define D3DGPU_OPTION_DEPTH_CLAMP (1u << 19)
#define D3DGPU_OPTION_DEPTH_BIAS_CLAMP (1u << 20)
#define D3DGPU_OPTION_MIRROR_ONCE (1u << 21)
#define D3DGPU_OPTION_GATHER (1u << 22)
#define D3DGPU_OPTION_SAMPLE_SHADING (1u << 23)
#define D3DGPU_OPTION_DOUBLES (1u << 24)
#define D3DGPU_OPTION_LOGIC_OP (1u << 25)

/* d3dgpu_caps.quirks: what the engine does wrongly and the driver must work around */
#define D3DGPU_QUIRK_VIEW_LEVEL_TWICE (1u << 0)	/* re-interpreting view applies first_level twice (G.12) */
#define D3DGPU_QUIRK_VIEW_LAYER_IGNORED (1u << 1) /* same-format array view ignores first_layer (G.12) */
#define D3DGPU_QUIRK_NO_CLEAR_SURFACE (1u << 2)	/* CLEAR_SURFACE missing */
#define D3DGPU_QUIRK_LOGIC_OP_STICKS (1u << 3)	/* logic-op function only re-sent on enable (G.32) */
#define D3DGPU_QUIRK_SLOTS_SHARED (1u << 4)	/* SSBO and image slots are shared by the stages */
#define D3DGPU_QUIRK_ANISOTROPY_IGNORED (1u << 5) /* anisotropic filtering has no effect (G.6) */
#define D3DGPU_QUIRK_NO_PIPELINE_STATISTICS (1u << 6)
#define D3DGPU_QUIRK_CBUFFER_NOT_DIRTY (1u << 7) /* constant buffers must be re-sent between draw and dispatch (G.26) */
#define D3DGPU_QUIRK_SAMPLES_ONE_IS_MSAA (1u << 8) /* nr_samples 1 makes a multisample texture (G.35) */
#define D3DGPU_QUIRK_DIVISOR_BY_ELEMENT (1u << 9) /* instance divisor of binding i comes from element i: one slot each */

/* d3dgpu_caps.formats[n] */
#define D3DGPU_FORMAT_SAMPLE (1u << 0)
#define D3DGPU_FORMAT_FILTER (1u << 1)
#define D3DGPU_FORMAT_RENDER (1u << 2)
#define D3DGPU_FORMAT_BLEND (1u << 3)
#define D3DGPU_FORMAT_DEPTH (1u << 4)
#define D3DGPU_FORMAT_VERTEX (1u << 5)
#define D3DGPU_FORMAT_READBACK (1u << 6)	/* transfers can read it */
#define D3DGPU_FORMAT_SAMPLES_SHIFT 16		/* bits 16..20: 1, 2, 4, 8, 16 samples per pixel possible */
#define D3DGPU_FORMAT_SAMPLES(n) (1u << (D3DGPU_FORMAT_SAMPLES_SHIFT + (n)))	/* n = log2 of the sample count */

struct d3dgpu_caps {
	uint32_t magic;			/* D3DGPU_CAPS_MAGIC */
	uint32_t version;		/* interface version, as D3DGPU_REG_VERSION */
	uint32_t size;			/* bytes of this structure that are valid */
	uint32_t feature_level;		/* highest D3DGPU_LEVEL_* */
	uint32_t options;		/* D3DGPU_OPTION_* */
	uint32_t quirks;		/* D3DGPU_QUIRK_* */
	uint32_t vertex_shader;		/* highest shader model, major << 8 | minor: 0x0200, 0x0300, 0x0400, 0x0401, 0x0500 */
	uint32_t pixel_shader;
	uint32_t ds_formats;		/* bit n = depth-stencil format number D3DGPU_DS_FIRST_FORMAT + n (d3dgpu_ds.h) */
	uint32_t sample_counts;		/* bit n = 2^n samples per pixel, for render targets and depth-stencil surfaces */
	uint32_t max_texture_2d;	/* texels */
	uint32_t max_texture_3d;
	uint32_t max_texture_cube;
	uint32_t max_texture_layers;
	uint32_t max_render_targets;
	uint32_t max_viewports;
	uint32_t max_vertex_attributes;
	uint32_t max_samplers;		/* texture units per stage */
	uint32_t max_constant_buffers;	/* per stage, besides the inline constants */
	uint32_t max_constant_size;	/* bytes of one constant buffer, and of the inline constants */
	uint32_t max_anisotropy;
	uint32_t max_varyings;		/* vec4s between two stages */
	uint32_t max_stream_outputs;	/* buffers */
	uint32_t constant_alignment;	/* bytes, of constant buffer offsets */
	uint32_t max_vertex_stride;	/* bytes */
	uint32_t max_point_size;	/* pixels */
	uint32_t max_clip_planes;
	uint32_t max_contexts;
	uint64_t vram_size;		/* bytes */
	uint64_t luid;			/* locally unique id of this adapter, not 0; low part first */
	uint32_t engine_version;	/* of the 3D engine's library: major << 16 | minor << 8 | micro */
	uint32_t engine_revision;	/* the library's own monotonic revision */
	uint32_t timestamp_frequency;	/* ticks per second; 0 = none */
	uint32_t reserved0;
	char engine_name[64];		/* renderer text, NUL-terminated */
	uint32_t reserved[460];
	uint32_t formats[D3DGPU_CAPS_FORMATS];
};

D3DGPU_ASSERT_OFFSET(struct d3dgpu_caps, vram_size, 0x70);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_caps, engine_name, 0x90);
D3DGPU_ASSERT_OFFSET(struct d3dgpu_caps, formats, 0x800);

D3DGPU_ASSERT_SIZE(struct d3dgpu_caps, 0x1000);

#endif
