/* SPDX-License-Identifier: MIT */
#include "capset_fixture.h"

#include <string.h>

#include "capset.h"

void fixture_set(struct worker_hello *hello, unsigned offset, uint32_t value)
{
	memcpy(hello->capset + offset, &value, sizeof(value));
}

void fixture_set_float(struct worker_hello *hello, unsigned offset, float value)
{
	memcpy(hello->capset + offset, &value, sizeof(value));
}

void fixture_set_format(struct worker_hello *hello, unsigned mask, uint32_t format, bool on)
{
	uint8_t *byte = &hello->capset[mask + format / 8];

	*byte = (uint8_t)(on ? *byte | 1u << format % 8 : *byte & ~(1u << format % 8));
}

static void set_formats(struct worker_hello *hello)
{
	static const uint32_t colour[] = {1, 2, 5, 7, 8, 28, 31, 64, 67, 91, 94, 100, 104, 124, 131, 177, 193};
	static const uint32_t depth[] = {16, 17, 18, 20, 21, 126};
	static const uint32_t sampled_only[] = {106, 107, 108, 136};

	for (size_t i = 0; i < sizeof(colour) / sizeof(colour[0]); i++) {
		fixture_set_format(hello, CAPSET_SAMPLER_FORMATS, colour[i], true);
		fixture_set_format(hello, CAPSET_RENDER_FORMATS, colour[i], true);
		fixture_set_format(hello, CAPSET_READBACK_FORMATS, colour[i], true);
		fixture_set_format(hello, CAPSET_MULTISAMPLE_FORMATS, colour[i], true);
	}
	for (size_t i = 0; i < sizeof(depth) / sizeof(depth[0]); i++) {
		fixture_set_format(hello, CAPSET_SAMPLER_FORMATS, depth[i], true);
		fixture_set_format(hello, CAPSET_READBACK_FORMATS, depth[i], true);
		fixture_set_format(hello, CAPSET_MULTISAMPLE_FORMATS, depth[i], true);
	}
	for (size_t i = 0; i < sizeof(sampled_only) / sizeof(sampled_only[0]); i++)
		fixture_set_format(hello, CAPSET_SAMPLER_FORMATS, sampled_only[i], true);
}

void fixture_hello(struct worker_hello *hello)
{
	static const struct {
		unsigned offset;
		uint32_t value;
	} words[] = {
		{CAPSET_MAX_VERSION, 2},	{CAPSET_FEATURES, 0xffe1fd7f},	{CAPSET_GLSL_LEVEL, 450},
		{CAPSET_MAX_LAYERS, 2048},	{CAPSET_MAX_STREAM_OUTPUTS, 4}, {CAPSET_MAX_DUAL_SOURCE, 1},
		{CAPSET_MAX_RENDER_TARGETS, 8}, {CAPSET_MAX_SAMPLES, 4},	{CAPSET_MAX_UNIFORM_BLOCKS, 15},
		{CAPSET_MAX_VIEWPORTS, 16},	{CAPSET_MAX_GATHER_COMPONENTS, 4}, {CAPSET_MAX_VERTEX_OUTPUTS, 32},
		{CAPSET_MAX_VERTEX_ATTRIBUTES, 16}, {CAPSET_UNIFORM_ALIGNMENT, 16}, {CAPSET_BITS, 0xdff7ffff},
		{CAPSET_MAX_VERTEX_STRIDE, 2048}, {CAPSET_MAX_IMAGES_OTHER_STAGES, 32}, {CAPSET_MAX_TEXTURE_2D, 16384},
		{CAPSET_MAX_TEXTURE_3D, 2048},	{CAPSET_MAX_TEXTURE_CUBE, 16384}, {CAPSET_REVISION, 15},
		{CAPSET_BITS_2, 0x693},		{CAPSET_MAX_TEXTURE_UNITS, 32}, {CAPSET_MAX_UNIFORM_BLOCK_SIZE, 65536},
	};

	memset(hello, 0, sizeof(*hello));
	hello->version = WORKER_PROTOCOL_VERSION;
	hello->sandbox = 0x1f;
	hello->engine_version = 0x000a04;
	hello->capset_size = 1376;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		fixture_set(hello, words[i].offset, words[i].value);
	for (unsigned stage = 0; stage < 6; stage++)
		fixture_set(hello, CAPSET_MAX_CONSTANTS + stage * 4, 65536);
	fixture_set_float(hello, CAPSET_MAX_POINT_SIZE, 255);
	fixture_set_float(hello, CAPSET_MAX_ANISOTROPY, 16);
	memcpy(hello->capset + CAPSET_RENDERER, "LLVMPIPE (LLVM 15.0.6, 256 bits)", 32);
	set_formats(hello);
}
