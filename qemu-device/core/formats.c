/* SPDX-License-Identifier: MIT */
#include "formats.h"

#include <string.h>

/* By the words of the name, which say it all: the name's last word is the number type. */
static bool is_integer(const char *name)
{
	return strstr(name, "_UINT") || strstr(name, "_SINT");
}

static bool is_depth(uint32_t format)
{
	switch (format) {
	case D3DGPU_FMT_Z16_UNORM:
	case D3DGPU_FMT_Z32_UNORM:
	case D3DGPU_FMT_Z32_FLOAT:
	case D3DGPU_FMT_S8_UINT_Z24_UNORM:
	case D3DGPU_FMT_Z24X8_UNORM:
	case D3DGPU_FMT_Z32_FLOAT_S8X24_UINT:
	case D3DGPU_FMT_X24S8_UINT:
		return true;
	default:
		return false;
	}
}

/* The engine's capability set does not tell: plain 8, 16 and 32-bit components from R upwards, and a few packed ones. */
static bool is_vertex(uint32_t format, const char *name)
{
	switch (format) {
	case D3DGPU_FMT_B8G8R8A8_UNORM:
	case D3DGPU_FMT_R10G10B10A2_UNORM:
	case D3DGPU_FMT_R10G10B10A2_USCALED:
	case D3DGPU_FMT_R10G10B10A2_SSCALED:
	case D3DGPU_FMT_R10G10B10A2_SNORM:
	case D3DGPU_FMT_B10G10R10A2_UNORM:
	case D3DGPU_FMT_B10G10R10A2_SNORM:
	case D3DGPU_FMT_A8B8G8R8_UNORM:
	case D3DGPU_FMT_R11G11B10_FLOAT:
		return true;
	default:
		break;
	}
	/* R8.., R16.., R32..: no X components, no sRGB, and no R9, R10, R11. */
	if (strncmp(name, "R8", 2) && strncmp(name, "R16", 3) && strncmp(name, "R32", 3))
		return false;
	return !strchr(name, 'X') && !strstr(name, "SRGB");
}

uint32_t core_format_traits(uint32_t format)
{
	const char *name = d3dgpu_format_name(format);

	if (!d3dgpu_format_block(format).bytes)
		return 0;
	return (is_depth(format) ? CORE_FORMAT_DEPTH : is_integer(name) ? CORE_FORMAT_INTEGER : 0) |
	       (is_vertex(format, name) ? CORE_FORMAT_VERTEX : 0);
}
