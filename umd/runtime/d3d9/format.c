/* SPDX-License-Identifier: MIT */
#include "format.h"

#define COLOR(name, bytes) {D3DFMT_##name, bytes, 1, 1, false, false, false}
#define BLOCK(name, bytes) {D3DFMT_##name, bytes, 4, 4, false, false, false}

static const struct format_info formats[] = {
	COLOR(R8G8B8, 3),
	COLOR(A8R8G8B8, 4),
	COLOR(X8R8G8B8, 4),
	COLOR(R5G6B5, 2),
	COLOR(X1R5G5B5, 2),
	COLOR(A1R5G5B5, 2),
	COLOR(A4R4G4B4, 2),
	COLOR(R3G3B2, 1),
	COLOR(A8, 1),
	COLOR(A8R3G3B2, 2),
	COLOR(X4R4G4B4, 2),
	COLOR(A2B10G10R10, 4),
	COLOR(A8B8G8R8, 4),
	COLOR(X8B8G8R8, 4),
	COLOR(G16R16, 4),
	COLOR(A2R10G10B10, 4),
	COLOR(A16B16G16R16, 8),
	COLOR(A8P8, 2),
	COLOR(P8, 1),
	COLOR(L8, 1),
	COLOR(A8L8, 2),
	COLOR(A4L4, 1),
	COLOR(L16, 2),
	COLOR(V8U8, 2),
	COLOR(L6V5U5, 2),
	COLOR(X8L8V8U8, 4),
	COLOR(Q8W8V8U8, 4),
	COLOR(V16U16, 4),
	COLOR(A2W10V10U10, 4),
	COLOR(Q16W16V16U16, 8),
	COLOR(R16F, 2),
	COLOR(G16R16F, 4),
	COLOR(A16B16G16R16F, 8),
	COLOR(R32F, 4),
	COLOR(G32R32F, 8),
	COLOR(A32B32G32R32F, 16),
	COLOR(CxV8U8, 2),
	{D3DFMT_UYVY, 4, 2, 1, false, false, false},
	{D3DFMT_YUY2, 4, 2, 1, false, false, false},
	BLOCK(DXT1, 8),
	BLOCK(DXT2, 16),
	BLOCK(DXT3, 16),
	BLOCK(DXT4, 16),
	BLOCK(DXT5, 16),
	BLOCK(ATI1, 8),
	BLOCK(ATI2, 16),
	{D3DFMT_D16_LOCKABLE, 2, 1, 1, true, false, true},
	{D3DFMT_D32, 4, 1, 1, true, false, false},
	{D3DFMT_D15S1, 2, 1, 1, true, true, false},
	{D3DFMT_D24S8, 4, 1, 1, true, true, false},
	{D3DFMT_D24X8, 4, 1, 1, true, false, false},
	{D3DFMT_D24X4S4, 4, 1, 1, true, true, false},
	{D3DFMT_D16, 2, 1, 1, true, false, false},
	{D3DFMT_D32F_LOCKABLE, 4, 1, 1, true, false, true},
	{D3DFMT_D24FS8, 4, 1, 1, true, true, false},
	{D3DDDIFMT_D32_LOCKABLE, 4, 1, 1, true, false, true},
	{D3DDDIFMT_S8_LOCKABLE, 1, 1, 1, false, true, true},
	{D3DFMT_INTZ, 4, 1, 1, true, true, false},
};

const struct format_info *format_info(D3DFORMAT format)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].format == format)
			return &formats[i];
	return NULL;
}

bool format_is_depth(D3DFORMAT format)
{
	const struct format_info *info = format_info(format);

	return info && (info->depth || info->stencil);
}

/* Direct3D aligns rows of system memory images to four bytes. */
UINT format_pitch(const struct format_info *info, UINT width)
{
	UINT blocks = (width + info->block_width - 1) / info->block_width;

	return (blocks * info->block_bytes + 3) & ~3u;
}

UINT format_rows(const struct format_info *info, UINT height)
{
	return (height + info->block_height - 1) / info->block_height;
}
