/* SPDX-License-Identifier: MIT */
/* What the runtime itself has to know of formats: size in memory and kind. What a GPU can do with them it asks the
 * driver. */
#ifndef D3DGPU_D3D9_FORMAT_H
#define D3DGPU_D3D9_FORMAT_H

#include <stdbool.h>

#include <windows.h>
#include <d3d9types.h>

#include "d3d9umddi.h"

struct format_info {
	D3DFORMAT format;
	UINT block_bytes;
	UINT block_width, block_height; /* texels; 1 unless compressed */
	bool depth, stencil;		/* has that part */
	bool lockable_depth;		/* depth-stencil format that can be locked */
};

/* NULL: unknown, or nothing that has texels in memory. */
const struct format_info *format_info(D3DFORMAT format);
/* Whether it can be a depth-stencil format at all, whatever this adapter has. */
bool format_is_depth(D3DFORMAT format);
/* Bytes of a row of blocks, aligned for system memory images. */
UINT format_pitch(const struct format_info *info, UINT width);
UINT format_rows(const struct format_info *info, UINT height);

static inline UINT level_extent(UINT extent, UINT level)
{
	extent >>= level;
	return extent ? extent : 1;
}

/* Levels of a full chain. */
static inline UINT full_levels(UINT width, UINT height, UINT depth)
{
	UINT largest = width > height ? width : height, levels = 1;

	if (depth > largest)
		largest = depth;
	while (largest >>= 1)
		levels++;
	return levels;
}

#define D3DFMT_INTZ ((D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))
#define D3DFMT_ATI1 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '1'))
#define D3DFMT_ATI2 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'))

#endif
