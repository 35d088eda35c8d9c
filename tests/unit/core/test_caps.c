/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "caps.h"
#include "capset.h"
#include "capset_fixture.h"
#include "tap.h"

static char message[256];

static struct d3dgpu_caps build(const char *properties)
{
	struct d3dgpu_config config;
	struct worker_hello hello;
	struct d3dgpu_caps caps;

	fixture_hello(&hello);
	d3dgpu_config_defaults(&config);
	if (d3dgpu_config_parse(&config, properties, message, sizeof(message)) ||
	    core_caps_build(&caps, &hello, &config, message, sizeof(message)))
		tap_bail("%s", message);
	return caps;
}

static void whole_engine(void)
{
	struct d3dgpu_caps caps = build("");

	tap_eq(caps.magic, D3DGPU_CAPS_MAGIC, "magic");
	tap_eq(caps.version, D3DGPU_VERSION, "version");
	tap_eq(caps.size, 4096, "size");
	tap_eq(caps.feature_level, D3DGPU_LEVEL_11_1, "llvmpipe carries level 11_1");
	tap_eq(caps.vertex_shader, 0x0500, "level 11_1: shader model 5");
	tap_eq(caps.options, 0x03fffc1d | D3DGPU_OPTION_GEOMETRY | D3DGPU_OPTION_STREAM_OUTPUT, "level 11_1: all options");
	tap_eq(caps.max_texture_2d, 16384, "2D textures: 16384");
	tap_eq(caps.max_vertex_attributes, 16, "vertex attributes: the engine's 16, not the level's 32");
	tap_eq(caps.max_samplers, 32, "texture units: the engine's 32");
	tap_eq(caps.sample_counts, 7, "samples: 1, 2, 4");
	tap_eq(caps.max_constant_size, 65536, "constant buffers: 64 KiB");
	tap_eq(caps.max_point_size, 255, "points: 255 pixels");
	tap_eq(caps.max_contexts, 255, "contexts: 255");
	tap_eq(caps.engine_version, 0x000a04, "engine version 0.10.4");
	tap_eq(caps.engine_revision, 15, "engine revision 15");
	tap_str(caps.engine_name, "LLVMPIPE (LLVM 15.0.6, 256 bits)", "engine name");
	tap_eq(caps.ds_formats, 0x1f6ab, "depth-stencil formats: all 12");
}

static void format_bits(void)
{
	struct d3dgpu_caps caps = build("");
	const uint32_t colour = D3DGPU_FORMAT_SAMPLE | D3DGPU_FORMAT_FILTER | D3DGPU_FORMAT_RENDER | D3DGPU_FORMAT_BLEND |
				D3DGPU_FORMAT_READBACK;

	tap_eq(caps.formats[D3DGPU_FMT_B8G8R8X8_UNORM], colour | 0x70000, "B8G8R8X8: everything but vertices");
	tap_eq(caps.formats[D3DGPU_FMT_R8G8B8A8_UNORM], colour | D3DGPU_FORMAT_VERTEX | 0x70000, "R8G8B8A8: also vertices");
	tap_eq(caps.formats[D3DGPU_FMT_R32_UINT], D3DGPU_FORMAT_SAMPLE | D3DGPU_FORMAT_RENDER | D3DGPU_FORMAT_READBACK |
						       D3DGPU_FORMAT_VERTEX | 0x70000,
	       "R32_UINT: neither filtered nor blended");
	tap_eq(caps.formats[D3DGPU_FMT_DXT5_RGBA], D3DGPU_FORMAT_SAMPLE | D3DGPU_FORMAT_FILTER, "DXT5: sampled only");
	tap_eq(caps.formats[D3DGPU_FMT_S8_UINT_Z24_UNORM],
	       D3DGPU_FORMAT_SAMPLE | D3DGPU_FORMAT_FILTER | D3DGPU_FORMAT_DEPTH | D3DGPU_FORMAT_READBACK | 0x70000,
	       "S8Z24: depth, sampled, multisampled, never a render target");
	tap_eq(caps.formats[D3DGPU_FMT_R10G10B10A2_UINT], 0, "R10G10B10A2_UINT: the engine has nothing of it");
	tap_eq(caps.formats[D3DGPU_FMT_R32G32B32_FLOAT], D3DGPU_FORMAT_VERTEX, "R32G32B32_FLOAT: vertices only");
	tap_eq(caps.formats[0] | caps.formats[511], 0, "numbers that are no formats: 0");
}

static void levels(void)
{
	static const struct {
		const char *properties;
		uint32_t level, vs, ps, texture, volume, cube, targets, anisotropy, layers;
	} levels[] = {
		{"feature-level=9_1", 0x9100, 0x0200, 0x0200, 2048, 256, 512, 1, 2, 1},
		{"feature-level=9_2", 0x9200, 0x0200, 0x0200, 2048, 256, 512, 1, 16, 1},
		{"feature-level=9_3", 0x9300, 0x0300, 0x0300, 4096, 256, 4096, 4, 16, 1},
		{"feature-level=10_0", 0xa000, 0x0400, 0x0400, 8192, 2048, 8192, 8, 16, 512},
		{"feature-level=10_1", 0xa100, 0x0401, 0x0401, 8192, 2048, 8192, 8, 16, 512},
		{"feature-level=11_0", 0xb000, 0x0500, 0x0500, 16384, 2048, 16384, 8, 16, 2048},
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct d3dgpu_caps caps = build(levels[i].properties);

		tap_eq(caps.feature_level, levels[i].level, "%s", levels[i].properties);
		tap_ok(caps.vertex_shader == levels[i].vs && caps.pixel_shader == levels[i].ps, "%s: shader models %x %x",
		       levels[i].properties, caps.vertex_shader, caps.pixel_shader);
		tap_ok(caps.max_texture_2d == levels[i].texture && caps.max_texture_3d == levels[i].volume &&
			       caps.max_texture_cube == levels[i].cube,
		       "%s: texture limits %u %u %u", levels[i].properties, caps.max_texture_2d, caps.max_texture_3d,
		       caps.max_texture_cube);
		tap_ok(caps.max_render_targets == levels[i].targets && caps.max_anisotropy == levels[i].anisotropy &&
			       caps.max_texture_layers == levels[i].layers,
		       "%s: targets, anisotropy, layers", levels[i].properties);
	}
}

/* Every combination of the four switches, below and from level 10_0. */
static void four_options(void)
{
	for (unsigned bits = 0; bits < 16; bits++) {
		const uint32_t want = (bits & 1 ? D3DGPU_OPTION_NPOT : D3DGPU_OPTION_NPOT_CONDITIONAL) |
				      (bits & 2 ? D3DGPU_OPTION_SHADOW : 0) | (bits & 4 ? D3DGPU_OPTION_INSTANCING : 0) |
				      (bits & 8 ? D3DGPU_OPTION_CUBE_DS : 0);
		const uint32_t all = D3DGPU_OPTION_NPOT | D3DGPU_OPTION_SHADOW | D3DGPU_OPTION_INSTANCING |
				     D3DGPU_OPTION_CUBE_DS;
		char properties[128];
		struct d3dgpu_caps caps;

		snprintf(properties, sizeof(properties), "npot=%s,shadow=%s,instancing=%s,cube-ds=%s,feature-level=9_3",
			 bits & 1 ? "on" : "off", bits & 2 ? "on" : "off", bits & 4 ? "on" : "off",
			 bits & 8 ? "on" : "off");
		caps = build(properties);
		tap_eq(caps.options & 0xff, want, "%s", properties);
		strcpy(strrchr(properties, '='), "=10_0");
		caps = build(properties);
		tap_eq(caps.options & 0xff, all, "%s: all four, whatever the switches say", properties);
	}
}

static void narrowed(void)
{
	struct d3dgpu_caps caps = build("max-texture=1024,msaa=2,ds-formats=D16+D24S8");

	tap_eq(caps.max_texture_2d, 1024, "max-texture limits 2D");
	tap_eq(caps.max_texture_3d, 1024, "max-texture limits 3D");
	tap_eq(caps.sample_counts, 3, "msaa=2: 1 and 2 samples");
	tap_eq(caps.formats[D3DGPU_FMT_B8G8R8X8_UNORM] >> 16, 3, "msaa=2: so with the formats");
	tap_eq(caps.ds_formats, 1u << (80 - 70) | 1u << (75 - 70), "ds-formats: just these");
	tap_ok(caps.formats[D3DGPU_FMT_Z16_UNORM] & D3DGPU_FORMAT_DEPTH, "their storage can be attached");
	tap_ok(!(caps.formats[D3DGPU_FMT_Z32_FLOAT] & D3DGPU_FORMAT_DEPTH), "other depth formats cannot");
	tap_eq(build("msaa=1").sample_counts, 1, "msaa=1: no multisampling");
	tap_eq(build("feature-level=9_1").options & D3DGPU_OPTION_OCCLUSION, 0, "level 9_1: no occlusion queries");
	tap_eq(build("feature-level=10_1").options & (D3DGPU_OPTION_TESSELLATION | D3DGPU_OPTION_COMPUTE), 0,
	       "level 10_1: neither tessellation nor compute");
}

static void quirks(void)
{
	struct d3dgpu_config config;
	struct worker_hello hello;
	struct d3dgpu_caps caps;

	tap_eq(build("").quirks, 0x3ff, "0.10.4 has all known faults");
	fixture_hello(&hello);
	hello.engine_version = 0x010100;
	fixture_set(&hello, CAPSET_BITS_2, 0x3be93);
	d3dgpu_config_defaults(&config);
	core_caps_build(&caps, &hello, &config, message, sizeof(message));
	tap_eq(caps.quirks, D3DGPU_QUIRK_ANISOTROPY_IGNORED | D3DGPU_QUIRK_CBUFFER_NOT_DIRTY | D3DGPU_QUIRK_DIVISOR_BY_ELEMENT,
	       "1.1.0 has three");
}

static uint32_t level_of(const struct worker_hello *hello)
{
	struct d3dgpu_config config;
	struct d3dgpu_caps caps;

	d3dgpu_config_defaults(&config);
	if (core_caps_build(&caps, hello, &config, message, sizeof(message)))
		return 0;
	return caps.feature_level;
}

static void weaker_engines(void)
{
	struct worker_hello hello;

	fixture_hello(&hello);
	fixture_set(&hello, CAPSET_BITS, 0xdff7ffff | CAPSET_BIT_HOST_IS_GLES);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_11_0, "on GLES: 11_0");
	fixture_set(&hello, CAPSET_BITS, 0xdff7ffff & ~CAPSET_BIT_COMPUTE);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_10_1, "without compute shaders: 10_1");
	fixture_set(&hello, CAPSET_MAX_SAMPLES, 1);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_10_0, "without four samples: 10_0");
	fixture_set(&hello, CAPSET_MAX_TEXTURE_2D, 4096);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_9_3, "with small textures: 9_3");
	fixture_set(&hello, CAPSET_MAX_RENDER_TARGETS, 1);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_9_2, "with one render target: 9_2");
}

static void refused(const char *why, struct worker_hello *hello)
{
	struct d3dgpu_config config;
	struct d3dgpu_caps caps;

	d3dgpu_config_defaults(&config);
	message[0] = '\0';
	tap_ok(core_caps_build(&caps, hello, &config, message, sizeof(message)) == -EIO && message[0], "refused: %s (%s)", why,
	       message);
}

static void impossible_engines(void)
{
	struct worker_hello hello;

	memset(&hello, 0, sizeof(hello));
	refused("an empty capability set", &hello);
	memset(&hello, 0xff, sizeof(hello));
	refused("a capability set of ones", &hello);
	fixture_hello(&hello);
	hello.capset_size = 308;
	refused("capability set 1", &hello);
	fixture_hello(&hello);
	fixture_set(&hello, CAPSET_BITS, 0xdff7ffff & ~CAPSET_BIT_CLIP_HALFZ);
	refused("no depth range control", &hello);
	fixture_hello(&hello);
	fixture_set(&hello, CAPSET_UNIFORM_ALIGNMENT, 48);
	refused("an alignment that is no power of two", &hello);
	fixture_hello(&hello);
	memset(hello.capset + CAPSET_RENDERER, 0x1b, 64);
	fixture_set_float(&hello, CAPSET_MAX_POINT_SIZE, -1.0f / 0.0f);
	fixture_set_float(&hello, CAPSET_MAX_ANISOTROPY, 0.0f / 0.0f);
	tap_eq(level_of(&hello), D3DGPU_LEVEL_11_1, "control characters in the name and impossible floats do no harm");
}

int main(void)
{
	whole_engine();
	format_bits();
	levels();
	four_options();
	narrowed();
	quirks();
	weaker_engines();
	impossible_engines();
	return tap_done();
}
