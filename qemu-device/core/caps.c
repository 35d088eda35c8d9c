/* SPDX-License-Identifier: MIT */
#include "caps.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capset.h"
#include "ds_formats.h"
#include "formats.h"

#define VERSION(major, minor, micro) ((uint32_t)(major) << 16 | (minor) << 8 | (micro))

/* What a level promises at most: an engine that can do more is cut down to it, so that the level is what a program sees. */
struct level_limits {
	uint32_t level;
	uint32_t vertex_shader, pixel_shader;
	uint32_t texture_2d, texture_3d, texture_cube, layers;
	uint32_t render_targets, viewports, attributes, samplers, anisotropy, clip_planes;
};

/*
 * Levels 9_x: minimum D3DCAPS9 of the level. 9_3 signals itself by vertex shader 3.0; as Direct3D 9 pairs vs_3_0 with
 * ps_3_0 only, the pixel shader model goes with it.
 */
static const struct level_limits limits[] = {
	{D3DGPU_LEVEL_9_1, 0x0200, 0x0200, 2048, 256, 512, 1, 1, 1, 16, 16, 2, 6},
	{D3DGPU_LEVEL_9_2, 0x0200, 0x0200, 2048, 256, 512, 1, 1, 1, 16, 16, 16, 6},
	{D3DGPU_LEVEL_9_3, 0x0300, 0x0300, 4096, 256, 4096, 1, 4, 1, 16, 16, 16, 6},
	{D3DGPU_LEVEL_10_0, 0x0400, 0x0400, 8192, 2048, 8192, 512, 8, 16, 16, 128, 16, 8},
	{D3DGPU_LEVEL_10_1, 0x0401, 0x0401, 8192, 2048, 8192, 512, 8, 16, 32, 128, 16, 8},
	{D3DGPU_LEVEL_11_0, 0x0500, 0x0500, 16384, 2048, 16384, 2048, 8, 16, 32, 128, 16, 8},
	{D3DGPU_LEVEL_11_1, 0x0500, 0x0500, 16384, 2048, 16384, 2048, 8, 16, 32, 128, 16, 8},
};

static const struct level_limits *limits_of(uint32_t level)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].level == level)
			return &limits[i];
	return &limits[0];
}

static uint32_t word(const struct worker_hello *hello, unsigned offset)
{
	uint32_t value;

	memcpy(&value, hello->capset + offset, sizeof(value));
	return value;
}

/* A float field as a whole number from 0 to 2^20; nonsense is 0. */
static uint32_t whole(const struct worker_hello *hello, unsigned offset)
{
	float value;

	memcpy(&value, hello->capset + offset, sizeof(value));
	return isfinite(value) && value > 0 ? (uint32_t)fminf(value, 1 << 20) : 0;
}

static bool in_mask(const struct worker_hello *hello, unsigned mask, uint32_t format)
{
	return word(hello, mask + format / 32 * 4) >> (format % 32) & 1;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t engine_level(const struct worker_hello *hello)
{
	uint32_t features = word(hello, CAPSET_FEATURES), bits = word(hello, CAPSET_BITS);

	if (word(hello, CAPSET_MAX_RENDER_TARGETS) < 4 || word(hello, CAPSET_MAX_TEXTURE_2D) < 4096)
		return D3DGPU_LEVEL_9_2;
	if (word(hello, CAPSET_GLSL_LEVEL) < 150 || !word(hello, CAPSET_MAX_STREAM_OUTPUTS) ||
	    word(hello, CAPSET_MAX_RENDER_TARGETS) < 8 || word(hello, CAPSET_MAX_TEXTURE_2D) < 8192 ||
	    word(hello, CAPSET_MAX_UNIFORM_BLOCKS) < 14 || word(hello, CAPSET_MAX_LAYERS) < 512)
		return D3DGPU_LEVEL_9_3;
	if (!(features & CAPSET_FEATURE_CUBE_ARRAY) || !(features & CAPSET_FEATURE_MULTISAMPLE_TEXTURE) ||
	    word(hello, CAPSET_MAX_GATHER_COMPONENTS) < 1 || word(hello, CAPSET_MAX_SAMPLES) < 4)
		return D3DGPU_LEVEL_10_0;
	if (!(features & CAPSET_FEATURE_TESSELLATION) || !(bits & CAPSET_BIT_COMPUTE) ||
	    word(hello, CAPSET_GLSL_LEVEL) < 400 || word(hello, CAPSET_MAX_TEXTURE_2D) < 16384 ||
	    word(hello, CAPSET_MAX_LAYERS) < 2048)
		return D3DGPU_LEVEL_10_1;
	if ((bits & CAPSET_BIT_HOST_IS_GLES) || !word(hello, CAPSET_MAX_IMAGES_OTHER_STAGES))
		return D3DGPU_LEVEL_11_0;
	return D3DGPU_LEVEL_11_1;
}

/* The four options: free to choose below 10_0, part of the level from there on. */
static uint32_t d3d9_options(const struct d3dgpu_config *config, uint32_t level)
{
	bool all = level >= D3DGPU_LEVEL_10_0;

	return (all || config->npot ? D3DGPU_OPTION_NPOT : D3DGPU_OPTION_NPOT_CONDITIONAL) |
	       (all || config->shadow ? D3DGPU_OPTION_SHADOW : 0) |
	       (all || config->instancing ? D3DGPU_OPTION_INSTANCING : 0) |
	       (all || config->cube_ds ? D3DGPU_OPTION_CUBE_DS : 0);
}

static uint32_t engine_options(const struct worker_hello *hello, uint32_t level)
{
	const uint32_t features = word(hello, CAPSET_FEATURES), bits = word(hello, CAPSET_BITS);
	const struct {
		uint32_t option;
		uint32_t level;		/* from which it is part of the API */
		bool there;
	} options[] = {
		{D3DGPU_OPTION_OCCLUSION, D3DGPU_LEVEL_9_2, features & CAPSET_FEATURE_OCCLUSION},
		{D3DGPU_OPTION_MIRROR_ONCE, D3DGPU_LEVEL_9_2, features & CAPSET_FEATURE_MIRROR_CLAMP},
		{D3DGPU_OPTION_TIMESTAMP, D3DGPU_LEVEL_9_1, features & CAPSET_FEATURE_TIMER},
		{D3DGPU_OPTION_CLEAR_TEXTURE, D3DGPU_LEVEL_9_1, bits & CAPSET_BIT_CLEAR_TEXTURE},
		{D3DGPU_OPTION_TEXTURE_VIEW, D3DGPU_LEVEL_9_1, bits & CAPSET_BIT_TEXTURE_VIEW},
		{D3DGPU_OPTION_INDEPENDENT_BLEND, D3DGPU_LEVEL_9_3, features & CAPSET_FEATURE_INDEPENDENT_BLEND},
		{D3DGPU_OPTION_GEOMETRY, D3DGPU_LEVEL_10_0, true},
		{D3DGPU_OPTION_STREAM_OUTPUT, D3DGPU_LEVEL_10_0, true},
		{D3DGPU_OPTION_DUAL_SOURCE, D3DGPU_LEVEL_10_0, word(hello, CAPSET_MAX_DUAL_SOURCE)},
		{D3DGPU_OPTION_DEPTH_CLAMP, D3DGPU_LEVEL_10_0, features & CAPSET_FEATURE_DEPTH_CLIP_DISABLE},
		{D3DGPU_OPTION_DEPTH_BIAS_CLAMP, D3DGPU_LEVEL_10_0, features & CAPSET_FEATURE_OFFSET_CLAMP},
		{D3DGPU_OPTION_LOGIC_OP, D3DGPU_LEVEL_10_0, !(bits & CAPSET_BIT_HOST_IS_GLES)},
		{D3DGPU_OPTION_CUBE_ARRAY, D3DGPU_LEVEL_10_1, features & CAPSET_FEATURE_CUBE_ARRAY},
		{D3DGPU_OPTION_GATHER, D3DGPU_LEVEL_10_1, word(hello, CAPSET_MAX_GATHER_COMPONENTS)},
		{D3DGPU_OPTION_SAMPLE_SHADING, D3DGPU_LEVEL_10_1, features & CAPSET_FEATURE_SAMPLE_SHADING},
		{D3DGPU_OPTION_TESSELLATION, D3DGPU_LEVEL_11_0, features & CAPSET_FEATURE_TESSELLATION},
		{D3DGPU_OPTION_COMPUTE, D3DGPU_LEVEL_11_0, bits & CAPSET_BIT_COMPUTE},
		{D3DGPU_OPTION_DOUBLES, D3DGPU_LEVEL_11_0, features & CAPSET_FEATURE_DOUBLES},
	};
	uint32_t result = 0;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (level >= options[i].level && options[i].there)
			result |= options[i].option;
	return result;
}

/* Faults of virglrenderer by version; measured on 0.10.4, 1.1.0 and 1.3.0 (design reference, section G). */
static uint32_t engine_quirks(const struct worker_hello *hello)
{
	uint32_t quirks = D3DGPU_QUIRK_ANISOTROPY_IGNORED | D3DGPU_QUIRK_CBUFFER_NOT_DIRTY |
			  D3DGPU_QUIRK_DIVISOR_BY_ELEMENT;

	if (hello->engine_version < VERSION(1, 1, 0))
		quirks |= D3DGPU_QUIRK_VIEW_LEVEL_TWICE | D3DGPU_QUIRK_VIEW_LAYER_IGNORED |
			  D3DGPU_QUIRK_NO_CLEAR_SURFACE | D3DGPU_QUIRK_LOGIC_OP_STICKS | D3DGPU_QUIRK_SLOTS_SHARED |
			  D3DGPU_QUIRK_SAMPLES_ONE_IS_MSAA;
	if (!(word(hello, CAPSET_BITS_2) & CAPSET_BIT2_PIPELINE_STATISTICS))
		quirks |= D3DGPU_QUIRK_NO_PIPELINE_STATISTICS;
	return quirks;
}

static uint32_t sample_counts(const struct worker_hello *hello, const struct d3dgpu_config *config)
{
	uint32_t most = word(hello, CAPSET_MAX_SAMPLES), counts = 1;

	if (config->msaa)
		most = least(most, config->msaa);
	for (unsigned n = 1; n <= 4 && 1u << n <= most; n++)
		counts |= 1u << n;
	return counts;
}

/* Everything about one format but for depth, which the depth-stencil formats decide. */
static uint32_t format_bits(const struct worker_hello *hello, uint32_t format, uint32_t counts)
{
	uint32_t traits = core_format_traits(format), bits = 0;

	if (in_mask(hello, CAPSET_SAMPLER_FORMATS, format)) {
		bits |= D3DGPU_FORMAT_SAMPLE;
		if (!(traits & CORE_FORMAT_INTEGER))
			bits |= D3DGPU_FORMAT_FILTER;
	}
	if (in_mask(hello, CAPSET_RENDER_FORMATS, format) && !(traits & CORE_FORMAT_DEPTH)) {
		bits |= D3DGPU_FORMAT_RENDER;
		if (!(traits & CORE_FORMAT_INTEGER))
			bits |= D3DGPU_FORMAT_BLEND;
	}
	if (traits & CORE_FORMAT_VERTEX)
		bits |= D3DGPU_FORMAT_VERTEX;
	if (in_mask(hello, CAPSET_READBACK_FORMATS, format))
		bits |= D3DGPU_FORMAT_READBACK;
	if ((bits & D3DGPU_FORMAT_RENDER) || (traits & CORE_FORMAT_DEPTH)) {
		bool multisample = in_mask(hello, CAPSET_MULTISAMPLE_FORMATS, format);

		bits |= (multisample ? counts : 1) << D3DGPU_FORMAT_SAMPLES_SHIFT;
	}
	return bits;
}

static void fill_formats(struct d3dgpu_caps *caps, const struct worker_hello *hello, uint32_t wanted_ds)
{
	const struct core_ds_format *ds;

	for (uint32_t format = 1; format < D3DGPU_CAPS_FORMATS; format++)
		if (d3dgpu_format_block(format).bytes)
			caps->formats[format] = format_bits(hello, format, caps->sample_counts);

	/* The engine's own depth-stencil mask is always empty; what it can sample of these it can also attach. */
	for (unsigned i = 0; (ds = core_ds_format_at(i)); i++) {
		if (!(wanted_ds & core_ds_format_bit(ds)) || !(caps->formats[ds->storage] & D3DGPU_FORMAT_SAMPLE))
			continue;
		caps->ds_formats |= core_ds_format_bit(ds);
		caps->formats[ds->storage] |= D3DGPU_FORMAT_DEPTH;
	}
	for (uint32_t format = 1; format < D3DGPU_CAPS_FORMATS; format++)
		if (!(caps->formats[format] & (D3DGPU_FORMAT_DEPTH | D3DGPU_FORMAT_RENDER)))
			caps->formats[format] &= ~(0x1fu << D3DGPU_FORMAT_SAMPLES_SHIFT);
}

static void fill_limits(struct d3dgpu_caps *caps, const struct worker_hello *hello, const struct d3dgpu_config *config)
{
	const struct level_limits *level = limits_of(caps->feature_level);
	uint32_t texture = config->max_texture ? config->max_texture : UINT32_MAX;

	caps->vertex_shader = level->vertex_shader;
	caps->pixel_shader = level->pixel_shader;
	caps->max_texture_2d = least(least(word(hello, CAPSET_MAX_TEXTURE_2D), level->texture_2d), texture);
	caps->max_texture_3d = least(least(word(hello, CAPSET_MAX_TEXTURE_3D), level->texture_3d), texture);
	caps->max_texture_cube = least(least(word(hello, CAPSET_MAX_TEXTURE_CUBE), level->texture_cube), texture);
	caps->max_texture_layers = least(word(hello, CAPSET_MAX_LAYERS), level->layers);
	caps->max_render_targets = least(word(hello, CAPSET_MAX_RENDER_TARGETS), level->render_targets);
	caps->max_viewports = least(word(hello, CAPSET_MAX_VIEWPORTS), level->viewports);
	caps->max_vertex_attributes = least(word(hello, CAPSET_MAX_VERTEX_ATTRIBUTES), level->attributes);
	caps->max_samplers = least(least(word(hello, CAPSET_MAX_TEXTURE_UNITS), level->samplers), 32);
	caps->max_constant_buffers = least(word(hello, CAPSET_MAX_UNIFORM_BLOCKS), 32);
	caps->max_constant_size = word(hello, CAPSET_MAX_UNIFORM_BLOCK_SIZE);
	for (unsigned stage = 0; stage < 6; stage++)
		caps->max_constant_size = least(caps->max_constant_size, word(hello, CAPSET_MAX_CONSTANTS + stage * 4));
	caps->max_constant_size &= ~15u;
	caps->max_anisotropy = least(whole(hello, CAPSET_MAX_ANISOTROPY), level->anisotropy);
	caps->max_varyings = least(word(hello, CAPSET_MAX_VERTEX_OUTPUTS), 32);
	if (caps->feature_level >= D3DGPU_LEVEL_10_0)
		caps->max_stream_outputs = least(word(hello, CAPSET_MAX_STREAM_OUTPUTS), 4);
	caps->constant_alignment = word(hello, CAPSET_UNIFORM_ALIGNMENT);
	caps->max_vertex_stride = word(hello, CAPSET_MAX_VERTEX_STRIDE);
	caps->max_point_size = whole(hello, CAPSET_MAX_POINT_SIZE);
	caps->max_clip_planes = level->clip_planes;
	caps->max_contexts = D3DGPU_MAX_CONTEXTS - 1;
}

/* What Direct3D cannot be done without; also catches a set that is garbage. Returns what is missing, or NULL. */
static const char *missing(const struct worker_hello *hello)
{
	uint32_t bits = word(hello, CAPSET_BITS), alignment = word(hello, CAPSET_UNIFORM_ALIGNMENT);

	if (word(hello, CAPSET_MAX_VERSION) < 1 || hello->capset_size < CAPSET_MINIMUM_SIZE)
		return "its capability set is too old";
	if (!(bits & CAPSET_BIT_CLIP_HALFZ))
		return "no control of the clip volume's depth range (GL_ARB_clip_control)";
	if (!(bits & CAPSET_BIT_COPY_TRANSFER) || !(word(hello, CAPSET_BITS_2) & CAPSET_BIT2_COPY_BOTH_WAYS))
		return "no copy transfers in both directions";
	if (word(hello, CAPSET_MAX_TEXTURE_2D) < 2048 || word(hello, CAPSET_MAX_TEXTURE_3D) < 256 ||
	    word(hello, CAPSET_MAX_TEXTURE_CUBE) < 512)
		return "textures are too small";
	if (!word(hello, CAPSET_MAX_RENDER_TARGETS) || !word(hello, CAPSET_MAX_VIEWPORTS) ||
	    word(hello, CAPSET_MAX_VERTEX_ATTRIBUTES) < 16 || word(hello, CAPSET_MAX_TEXTURE_UNITS) < 16)
		return "too few targets, vertex attributes or texture units";
	if (!alignment || alignment > 4096 || (alignment & (alignment - 1)))
		return "impossible constant buffer alignment";
	if (!in_mask(hello, CAPSET_RENDER_FORMATS, D3DGPU_FMT_B8G8R8A8_UNORM) ||
	    !in_mask(hello, CAPSET_SAMPLER_FORMATS, D3DGPU_FMT_S8_UINT_Z24_UNORM))
		return "no basic colour and depth formats";
	return NULL;
}

/* Printable text only: it goes to logs and up to programs. */
static void copy_engine_name(char *out, size_t size, const struct worker_hello *hello)
{
	const char *name = (const char *)hello->capset + CAPSET_RENDERER;
	size_t n = 0;

	while (n + 1 < size && n < 64 && name[n]) {
		out[n] = '?';
		if (name[n] >= ' ' && name[n] <= '~')
			out[n] = name[n];
		n++;
	}
	out[n] = '\0';
}

int core_caps_build(struct d3dgpu_caps *caps, const struct worker_hello *hello, const struct d3dgpu_config *config,
		    char *message, size_t size)
{
	const char *lacks = missing(hello);
	uint32_t wanted_ds;

	if (lacks) {
		snprintf(message, size, "the host's 3D engine cannot carry Direct3D: %s", lacks);
		return -EIO;
	}
	if (!core_ds_formats_parse(config->ds_formats, &wanted_ds)) {
		snprintf(message, size, "property 'ds-formats' does not accept '%s'", config->ds_formats);
		return -EINVAL;
	}
	memset(caps, 0, sizeof(*caps));
	caps->magic = D3DGPU_CAPS_MAGIC;
	caps->version = D3DGPU_VERSION;
	caps->size = sizeof(*caps);
	caps->feature_level = least(engine_level(hello), config->feature_level);
	caps->options = d3d9_options(config, caps->feature_level) | engine_options(hello, caps->feature_level);
	caps->quirks = engine_quirks(hello);
	caps->sample_counts = sample_counts(hello, config);
	fill_limits(caps, hello, config);
	fill_formats(caps, hello, wanted_ds);
	caps->vram_size = config->vram_size;
	caps->engine_version = hello->engine_version;
	caps->engine_revision = word(hello, CAPSET_REVISION);
	caps->timestamp_frequency = caps->options & D3DGPU_OPTION_TIMESTAMP ? 1000000000 : 0;
	copy_engine_name(caps->engine_name, sizeof(caps->engine_name), hello);
	return 0;
}
