/* SPDX-License-Identifier: MIT */
/*
 * Formats of resources, views, surfaces and vertex elements, by the numbers of the command stream. Component names go
 * from the lowest address or bit upwards: B8G8R8A8 is the bytes B, G, R, A. Which of them this GPU has, and for
 * what, is in d3dgpu_caps.formats.
 */
#ifndef D3DGPU_FORMAT_H
#define D3DGPU_FORMAT_H

#include "d3dgpu_types.h"

/* X(name, number, bytes of a block, texels of a block across, and down) */
#define D3DGPU_FORMAT_LIST(X) \
	X(B8G8R8A8_UNORM, 1, 4, 1, 1) \
	X(B8G8R8X8_UNORM, 2, 4, 1, 1) \
	X(A8R8G8B8_UNORM, 3, 4, 1, 1) \
	X(X8R8G8B8_UNORM, 4, 4, 1, 1) \
	X(B5G5R5A1_UNORM, 5, 2, 1, 1) \
	X(B4G4R4A4_UNORM, 6, 2, 1, 1) \
	X(B5G6R5_UNORM, 7, 2, 1, 1) \
	X(R10G10B10A2_UNORM, 8, 4, 1, 1) \
	X(L8_UNORM, 9, 1, 1, 1) \
	X(A8_UNORM, 10, 1, 1, 1) \
	X(L16_UNORM, 13, 2, 1, 1) \
	X(Z16_UNORM, 16, 2, 1, 1) \
	X(Z32_UNORM, 17, 4, 1, 1) \
	X(Z32_FLOAT, 18, 4, 1, 1) \
	X(S8_UINT_Z24_UNORM, 20, 4, 1, 1) \
	X(Z24X8_UNORM, 21, 4, 1, 1) \
	X(R32_FLOAT, 28, 4, 1, 1) \
	X(R32G32_FLOAT, 29, 8, 1, 1) \
	X(R32G32B32_FLOAT, 30, 12, 1, 1) \
	X(R32G32B32A32_FLOAT, 31, 16, 1, 1) \
	X(R32G32B32A32_UNORM, 35, 16, 1, 1) \
	X(R32_USCALED, 36, 4, 1, 1) \
	X(R16_UNORM, 48, 2, 1, 1) \
	X(R16G16_UNORM, 49, 4, 1, 1) \
	X(R16G16B16A16_UNORM, 51, 8, 1, 1) \
	X(R16G16_USCALED, 53, 4, 1, 1) \
	X(R16G16B16A16_USCALED, 55, 8, 1, 1) \
	X(R16_SNORM, 56, 2, 1, 1) \
	X(R16G16_SNORM, 57, 4, 1, 1) \
	X(R16G16B16A16_SNORM, 59, 8, 1, 1) \
	X(R16G16_SSCALED, 61, 4, 1, 1) \
	X(R16G16B16A16_SSCALED, 63, 8, 1, 1) \
	X(R8_UNORM, 64, 1, 1, 1) \
	X(R8G8_UNORM, 65, 2, 1, 1) \
	X(R8G8B8_UNORM, 66, 3, 1, 1) \
	X(R8G8B8A8_UNORM, 67, 4, 1, 1) \
	X(R8_USCALED, 69, 1, 1, 1) \
	X(R8G8_USCALED, 70, 2, 1, 1) \
	X(R8G8B8_USCALED, 71, 3, 1, 1) \
	X(R8G8B8A8_USCALED, 72, 4, 1, 1) \
	X(R8_SNORM, 74, 1, 1, 1) \
	X(R8G8_SNORM, 75, 2, 1, 1) \
	X(R8G8B8A8_SNORM, 77, 4, 1, 1) \
	X(R8_SSCALED, 82, 1, 1, 1) \
	X(R8G8_SSCALED, 83, 2, 1, 1) \
	X(R8G8B8_SSCALED, 84, 3, 1, 1) \
	X(R8G8B8A8_SSCALED, 85, 4, 1, 1) \
	X(R16_FLOAT, 91, 2, 1, 1) \
	X(R16G16_FLOAT, 92, 4, 1, 1) \
	X(R16G16B16A16_FLOAT, 94, 8, 1, 1) \
	X(L8_SRGB, 95, 1, 1, 1) \
	X(B8G8R8A8_SRGB, 100, 4, 1, 1) \
	X(B8G8R8X8_SRGB, 101, 4, 1, 1) \
	X(R8G8B8A8_SRGB, 104, 4, 1, 1) \
	X(DXT1_RGB, 105, 8, 4, 4) \
	X(DXT1_RGBA, 106, 8, 4, 4) \
	X(DXT3_RGBA, 107, 16, 4, 4) \
	X(DXT5_RGBA, 108, 16, 4, 4) \
	X(DXT1_SRGB, 109, 8, 4, 4) \
	X(DXT1_SRGBA, 110, 8, 4, 4) \
	X(DXT3_SRGBA, 111, 16, 4, 4) \
	X(DXT5_SRGBA, 112, 16, 4, 4) \
	X(RGTC1_UNORM, 113, 8, 4, 4) \
	X(RGTC1_SNORM, 114, 8, 4, 4) \
	X(RGTC2_UNORM, 115, 16, 4, 4) \
	X(RGTC2_SNORM, 116, 16, 4, 4) \
	X(A8B8G8R8_UNORM, 121, 4, 1, 1) \
	X(B5G5R5X1_UNORM, 122, 2, 1, 1) \
	X(R10G10B10A2_USCALED, 123, 4, 1, 1) \
	X(R11G11B10_FLOAT, 124, 4, 1, 1) \
	X(R9G9B9E5_FLOAT, 125, 4, 1, 1) \
	X(Z32_FLOAT_S8X24_UINT, 126, 8, 1, 1) \
	X(B10G10R10A2_UNORM, 131, 4, 1, 1) \
	X(R8G8B8X8_UNORM, 134, 4, 1, 1) \
	X(B4G4R4X4_UNORM, 135, 2, 1, 1) \
	X(X24S8_UINT, 136, 4, 1, 1) \
	X(B2G3R3_UNORM, 139, 1, 1, 1) \
	X(A16_UNORM, 141, 2, 1, 1) \
	X(L8_SNORM, 148, 1, 1, 1) \
	X(L16_SNORM, 152, 2, 1, 1) \
	X(A16_FLOAT, 155, 2, 1, 1) \
	X(L16_FLOAT, 156, 2, 1, 1) \
	X(A32_FLOAT, 159, 4, 1, 1) \
	X(L32_FLOAT, 160, 4, 1, 1) \
	X(R10G10B10A2_SSCALED, 172, 4, 1, 1) \
	X(R10G10B10A2_SNORM, 173, 4, 1, 1) \
	X(B10G10R10A2_SNORM, 176, 4, 1, 1) \
	X(R8_UINT, 177, 1, 1, 1) \
	X(R8G8_UINT, 178, 2, 1, 1) \
	X(R8G8B8A8_UINT, 180, 4, 1, 1) \
	X(R8_SINT, 181, 1, 1, 1) \
	X(R8G8_SINT, 182, 2, 1, 1) \
	X(R8G8B8A8_SINT, 184, 4, 1, 1) \
	X(R16_UINT, 185, 2, 1, 1) \
	X(R16G16_UINT, 186, 4, 1, 1) \
	X(R16G16B16A16_UINT, 188, 8, 1, 1) \
	X(R16_SINT, 189, 2, 1, 1) \
	X(R16G16_SINT, 190, 4, 1, 1) \
	X(R16G16B16A16_SINT, 192, 8, 1, 1) \
	X(R32_UINT, 193, 4, 1, 1) \
	X(R32G32_UINT, 194, 8, 1, 1) \
	X(R32G32B32_UINT, 195, 12, 1, 1) \
	X(R32G32B32A32_UINT, 196, 16, 1, 1) \
	X(R32_SINT, 197, 4, 1, 1) \
	X(R32G32_SINT, 198, 8, 1, 1) \
	X(R32G32B32_SINT, 199, 12, 1, 1) \
	X(R32G32B32A32_SINT, 200, 16, 1, 1) \
	X(A8_UINT, 201, 1, 1, 1) \
	X(L8_UINT, 203, 1, 1, 1) \
	X(A8_SINT, 205, 1, 1, 1) \
	X(L8_SINT, 207, 1, 1, 1) \
	X(A16_UINT, 209, 2, 1, 1) \
	X(L16_UINT, 211, 2, 1, 1) \
	X(A16_SINT, 213, 2, 1, 1) \
	X(L16_SINT, 215, 2, 1, 1) \
	X(A32_UINT, 217, 4, 1, 1) \
	X(L32_UINT, 219, 4, 1, 1) \
	X(A32_SINT, 221, 4, 1, 1) \
	X(L32_SINT, 223, 4, 1, 1) \
	X(B10G10R10A2_UINT, 225, 4, 1, 1) \
	X(R8G8B8X8_SNORM, 229, 4, 1, 1) \
	X(R8G8B8X8_SRGB, 230, 4, 1, 1) \
	X(R8G8B8X8_UINT, 231, 4, 1, 1) \
	X(R8G8B8X8_SINT, 232, 4, 1, 1) \
	X(B10G10R10X2_UNORM, 233, 4, 1, 1) \
	X(R16G16B16X16_UNORM, 234, 8, 1, 1) \
	X(R16G16B16X16_SNORM, 235, 8, 1, 1) \
	X(R16G16B16X16_FLOAT, 236, 8, 1, 1) \
	X(R16G16B16X16_UINT, 237, 8, 1, 1) \
	X(R16G16B16X16_SINT, 238, 8, 1, 1) \
	X(R10G10B10A2_UINT, 253, 4, 1, 1) \
	X(BPTC_RGBA_UNORM, 255, 16, 4, 4) \
	X(BPTC_SRGBA, 256, 16, 4, 4) \
	X(BPTC_RGB_FLOAT, 257, 16, 4, 4) \
	X(BPTC_RGB_UFLOAT, 258, 16, 4, 4) \
	X(R10G10B10X2_UNORM, 308, 4, 1, 1) \
	X(A4B4G4R4_UNORM, 311, 2, 1, 1) \
	X(R8_SRGB, 312, 1, 1, 1) \
	X(R8G8_SRGB, 313, 2, 1, 1)

enum d3dgpu_format {
	D3DGPU_FMT_NONE = 0,
#define D3DGPU_FORMAT_NUMBER(name, number, bytes, width, height) D3DGPU_FMT_##name = number,
	D3DGPU_FORMAT_LIST(D3DGPU_FORMAT_NUMBER)
#undef D3DGPU_FORMAT_NUMBER
};

struct d3dgpu_block {
	uint8_t bytes;			/* 0: no such format */
	uint8_t width, height;		/* texels */
};

/* Size of the unit that a format is stored in: a texel, or a compressed block. */
static inline struct d3dgpu_block d3dgpu_format_block(uint32_t format)
{
	struct d3dgpu_block block = {0, 1, 1};

	switch (format) {
#define D3DGPU_FORMAT_CASE(name, number, block_bytes, block_width, block_height) \
	case number: \
		block.bytes = block_bytes; \
		block.width = block_width; \
		block.height = block_height; \
		break;
	D3DGPU_FORMAT_LIST(D3DGPU_FORMAT_CASE)
#undef D3DGPU_FORMAT_CASE
	default:
		break;
	}
	return block;
}

static inline const char *d3dgpu_format_name(uint32_t format)
{
	switch (format) {
#define D3DGPU_FORMAT_NAME(name, number, bytes, width, height) \
	case number: \
		return #name;
	D3DGPU_FORMAT_LIST(D3DGPU_FORMAT_NAME)
#undef D3DGPU_FORMAT_NAME
	default:
		return "?";
	}
}

#endif
