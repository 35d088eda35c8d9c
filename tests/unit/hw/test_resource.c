/* SPDX-License-Identifier: MIT */
/* Descriptors and linear images: what is well-formed, and where every subresource lies. */
#include "d3dgpu_caps.h"
#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"
#include "tap.h"

#define TEXTURE_2D { .format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = D3DGPU_BIND_SAMPLER_VIEW, \
		     .width = 100, .height = 60, .depth = 1, .array_size = 1 }

static void test_formats(void)
{
	struct d3dgpu_block block = d3dgpu_format_block(D3DGPU_FMT_DXT1_RGBA);

	tap_ok(block.bytes == 8 && block.width == 4 && block.height == 4, "BC1 is stored in 4x4 blocks of 8 bytes");
	tap_eq(d3dgpu_format_block(D3DGPU_FMT_Z32_FLOAT_S8X24_UINT).bytes, 8, "D32_FLOAT_S8X24 takes 8 bytes");
	tap_eq(d3dgpu_format_block(D3DGPU_FMT_S8_UINT_Z24_UNORM).bytes, 4, "D24S8 takes 4 bytes");
	tap_eq(d3dgpu_format_block(D3DGPU_FMT_B5G6R5_UNORM).bytes, 2, "R5G6B5 takes 2 bytes");
	tap_eq(d3dgpu_format_block(D3DGPU_FMT_R32G32B32_FLOAT).bytes, 12, "R32G32B32 takes 12 bytes");
	tap_eq(d3dgpu_format_block(19).bytes, 0, "format 19 does not exist");
	tap_eq(d3dgpu_format_block(100000).bytes, 0, "nor does 100000");
	tap_str(d3dgpu_format_name(20), "S8_UINT_Z24_UNORM", "formats have names");
}

static void test_pitch_and_size(void)
{
	struct d3dgpu_resource_desc desc = TEXTURE_2D;

	tap_eq(d3dgpu_linear_pitch(&desc, 0), 448, "a row of 100 pixels is 400 bytes, aligned to 448");
	tap_eq(d3dgpu_linear_level_size(&desc, 0), 26880, "60 rows of it");
	tap_eq(d3dgpu_linear_size(&desc), 28672, "the range is whole pages");
	desc.last_level = 6;
	tap_eq(d3dgpu_linear_offset(&desc, 1, 0), 26880, "level 1 follows level 0");
	tap_eq(d3dgpu_linear_pitch(&desc, 6), 64, "the last level's row is one pixel, aligned to 64");
	tap_eq(d3dgpu_linear_level_size(&desc, 6), 256, "and takes 256 bytes");
	tap_eq(d3dgpu_linear_offset(&desc, 2, 0), 26880 + 256 * 30, "level 2 follows level 1");
}

static void test_layers(void)
{
	struct d3dgpu_resource_desc desc = TEXTURE_2D;
	uint64_t chain;

	desc.target = D3DGPU_TARGET_CUBE;
	desc.width = desc.height = 64;
	desc.array_size = 6;
	desc.last_level = 1;
	chain = 64 * 256 + 32 * 128;
	tap_eq(d3dgpu_linear_offset(&desc, 0, 1), chain, "a cube face follows the mip chain of the one before");
	tap_eq(d3dgpu_linear_offset(&desc, 1, 5), 5 * chain + 64 * 256, "and has its own levels");
	tap_eq(d3dgpu_linear_size(&desc), d3dgpu_align(6 * chain, 4096), "six chains in all");
}

static void test_volume_and_blocks(void)
{
	struct d3dgpu_resource_desc desc = TEXTURE_2D;

	desc.target = D3DGPU_TARGET_3D;
	desc.depth = 8;
	desc.width = desc.height = 16;
	desc.last_level = 1;
	tap_eq(d3dgpu_linear_level_size(&desc, 0), 8 * 16 * 64, "a volume's level holds all its slices");
	tap_eq(d3dgpu_linear_level_size(&desc, 1), 4 * 8 * 64, "of which the next level has half");
	desc = (struct d3dgpu_resource_desc)TEXTURE_2D;
	desc.format = D3DGPU_FMT_DXT5_RGBA;
	tap_eq(d3dgpu_linear_pitch(&desc, 0), 448, "25 blocks of 16 bytes, aligned to 448");
	tap_eq(d3dgpu_linear_level_size(&desc, 0), d3dgpu_align(448 * 15, 256), "15 rows of blocks");
}

static void test_samples(void)
{
	struct d3dgpu_resource_desc desc = TEXTURE_2D;

	desc.samples = 4;
	tap_eq(d3dgpu_linear_size(&desc), d3dgpu_align(4 * 26880, 4096), "each sample has an image of its own");
}

static void test_buffer(void)
{
	struct d3dgpu_resource_desc desc = { .format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 5000,
					     .height = 1, .depth = 1, .array_size = 1 };

	tap_eq(d3dgpu_linear_size(&desc), 8192, "a buffer takes its bytes, in whole pages");
	tap_ok(d3dgpu_resource_valid(&desc), "a vertex buffer is well-formed");
	desc.height = 2;
	tap_ok(!d3dgpu_resource_valid(&desc), "a buffer has no height");
}

static void test_valid(void)
{
	static const struct { const char *name; struct d3dgpu_resource_desc desc; } bad[] = {
		{ "width 0", { 1, 2, 0, 8, 0, 60, 1, 1, 0, 0, 0 } },
		{ "height 0", { 1, 2, 0, 8, 100, 0, 1, 1, 0, 0, 0 } },
		{ "an unknown format", { 19, 2, 0, 8, 100, 60, 1, 1, 0, 0, 0 } },
		{ "an unknown target", { 1, 5, 0, 8, 100, 60, 1, 1, 0, 0, 0 } },
		{ "no bind flag", { 1, 2, 0, 0, 100, 60, 1, 1, 0, 0, 0 } },
		{ "an unknown bind flag", { 1, 2, 0, 8 | 4, 100, 60, 1, 1, 0, 0, 0 } },
		{ "a buffer's bind flag", { 1, 2, 0, 8 | D3DGPU_BIND_INDEX_BUFFER, 100, 60, 1, 1, 0, 0, 0 } },
		{ "one sample", { 1, 2, 1, 8, 100, 60, 1, 1, 0, 0, 0 } },
		{ "three samples", { 1, 2, 3, 8, 100, 60, 1, 1, 0, 0, 0 } },
		{ "samples with levels", { 1, 2, 4, 8, 100, 60, 1, 1, 1, 0, 0 } },
		{ "more levels than the extent has", { 1, 2, 0, 8, 100, 60, 1, 1, 7, 0, 0 } },
		{ "flags", { 1, 2, 0, 8, 100, 60, 1, 1, 0, 1, 0 } },
		{ "a reserved field", { 1, 2, 0, 8, 100, 60, 1, 1, 0, 0, 1 } },
		{ "a 2D texture with layers", { 1, 2, 0, 8, 100, 60, 1, 2, 0, 0, 0 } },
		{ "a cube that is not square", { 1, 4, 0, 8, 100, 60, 1, 6, 0, 0, 0 } },
		{ "a cube with five faces", { 1, 4, 0, 8, 64, 64, 1, 5, 0, 0, 0 } },
		{ "a 1D texture with height", { 1, 1, 0, 8, 100, 60, 1, 1, 0, 0, 0 } },
		{ "17000 pixels", { 1, 2, 0, 8, 17000, 60, 1, 1, 0, 0, 0 } },
	};
	struct d3dgpu_resource_desc good = TEXTURE_2D;

	tap_ok(d3dgpu_resource_valid(&good), "a plain 2D texture is well-formed");
	good.last_level = 6;
	tap_ok(d3dgpu_resource_valid(&good), "with all its levels too");
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		tap_ok(!d3dgpu_resource_valid(&bad[i].desc), "%s is refused", bad[i].name);
}

int main(void)
{
	test_formats();
	test_pitch_and_size();
	test_layers();
	test_volume_and_blocks();
	test_samples();
	test_buffer();
	test_valid();
	return tap_done();
}
