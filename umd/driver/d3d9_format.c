/* SPDX-License-Identifier: MIT */
/*
 * Direct3D 9's formats on this GPU: how each is stored, and what the capability block lets it be used for. A format
 * that is not in the table, or whose storage the GPU cannot sample, is not offered.
 *
 * Depth as texture: D16, D24X8 and D24S8 compare with less-equal; INTZ (24 bits of depth and stencil) reads the depth
 * itself. Both come with the shadow option.
 */
#include "d3d9_front.h"

#define ALPHA D3D9_FORMAT_ALPHA
#define DXT D3D9_FORMAT_COMPRESSED
#define NO_RENDER D3D9_FORMAT_NO_RENDER
#define DEPTH D3D9_FORMAT_DEPTH
#define STENCIL (D3D9_FORMAT_DEPTH | D3D9_FORMAT_STENCIL)
#define RGBA {0, 1, 2, 3}
#define RG11 {0, 1, 5, 5}
#define R111 {0, 5, 5, 5}

/*
 * Units of the engine's depth bias in 1.0, as measured on llvmpipe: two steps of the format for integer depth; for
 * float depth a step at 0.5, because its steps grow with the depth and Direct3D 9's bias does not.
 */
#define BITS16 32768.0f
#define BITS24 8388608.0f
#define BITS32 2147483648.0f
#define FLOAT_DEPTH 16777216.0f

#define FOURCC_INTZ ((D3DDDIFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))
#define FOURCC_ATI1 ((D3DDDIFORMAT)MAKEFOURCC('A', 'T', 'I', '1'))
#define FOURCC_ATI2 ((D3DDDIFORMAT)MAKEFOURCC('A', 'T', 'I', '2'))

static const struct d3d9_format formats[] = {
	{D3DFMT_A8R8G8B8, D3DGPU_FMT_B8G8R8A8_UNORM, D3DGPU_FMT_B8G8R8A8_SRGB, 0, ALPHA, RGBA, 0},
	{D3DFMT_X8R8G8B8, D3DGPU_FMT_B8G8R8X8_UNORM, D3DGPU_FMT_B8G8R8X8_SRGB, 0, D3D9_FORMAT_DISPLAY, RGBA, 0},
	{D3DFMT_R5G6B5, D3DGPU_FMT_B5G6R5_UNORM, 0, 0, 0, RGBA, 0},
	{D3DFMT_X1R5G5B5, D3DGPU_FMT_B5G5R5X1_UNORM, 0, 0, 0, RGBA, 0},
	{D3DFMT_A1R5G5B5, D3DGPU_FMT_B5G5R5A1_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_A4R4G4B4, D3DGPU_FMT_B4G4R4A4_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_X4R4G4B4, D3DGPU_FMT_B4G4R4X4_UNORM, 0, 0, 0, RGBA, 0},
	{D3DFMT_A8, D3DGPU_FMT_A8_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_A2B10G10R10, D3DGPU_FMT_R10G10B10A2_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_A8B8G8R8, D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_FMT_R8G8B8A8_SRGB, 0, ALPHA, RGBA, 0},
	{D3DFMT_X8B8G8R8, D3DGPU_FMT_R8G8B8X8_UNORM, D3DGPU_FMT_R8G8B8X8_SRGB, 0, 0, RGBA, 0},
	{D3DFMT_G16R16, D3DGPU_FMT_R16G16_UNORM, 0, 0, 0, RG11, 0},
	{D3DFMT_A2R10G10B10, D3DGPU_FMT_B10G10R10A2_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_A16B16G16R16, D3DGPU_FMT_R16G16B16A16_UNORM, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_L8, D3DGPU_FMT_L8_UNORM, D3DGPU_FMT_L8_SRGB, 0, NO_RENDER, RGBA, 0},
	{D3DFMT_A8L8, D3DGPU_FMT_R8G8_UNORM, 0, 0, NO_RENDER | ALPHA, {0, 0, 0, 1}, 0},
	{D3DFMT_L16, D3DGPU_FMT_L16_UNORM, 0, 0, NO_RENDER, RGBA, 0},
	{D3DFMT_V8U8, D3DGPU_FMT_R8G8_SNORM, 0, 0, NO_RENDER, RG11, 0},
	{D3DFMT_Q8W8V8U8, D3DGPU_FMT_R8G8B8A8_SNORM, 0, 0, NO_RENDER | ALPHA, RGBA, 0},
	{D3DFMT_V16U16, D3DGPU_FMT_R16G16_SNORM, 0, 0, NO_RENDER, RG11, 0},
	{D3DFMT_Q16W16V16U16, D3DGPU_FMT_R16G16B16A16_SNORM, 0, 0, NO_RENDER | ALPHA, RGBA, 0},
	{D3DFMT_R16F, D3DGPU_FMT_R16_FLOAT, 0, 0, 0, R111, 0},
	{D3DFMT_G16R16F, D3DGPU_FMT_R16G16_FLOAT, 0, 0, 0, RG11, 0},
	{D3DFMT_A16B16G16R16F, D3DGPU_FMT_R16G16B16A16_FLOAT, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_R32F, D3DGPU_FMT_R32_FLOAT, 0, 0, 0, R111, 0},
	{D3DFMT_G32R32F, D3DGPU_FMT_R32G32_FLOAT, 0, 0, 0, RG11, 0},
	{D3DFMT_A32B32G32R32F, D3DGPU_FMT_R32G32B32A32_FLOAT, 0, 0, ALPHA, RGBA, 0},
	{D3DFMT_DXT1, D3DGPU_FMT_DXT1_RGBA, D3DGPU_FMT_DXT1_SRGBA, 0, DXT | ALPHA, RGBA, 0},
	{D3DFMT_DXT2, D3DGPU_FMT_DXT3_RGBA, D3DGPU_FMT_DXT3_SRGBA, 0, DXT | ALPHA, RGBA, 0},
	{D3DFMT_DXT3, D3DGPU_FMT_DXT3_RGBA, D3DGPU_FMT_DXT3_SRGBA, 0, DXT | ALPHA, RGBA, 0},
	{D3DFMT_DXT4, D3DGPU_FMT_DXT5_RGBA, D3DGPU_FMT_DXT5_SRGBA, 0, DXT | ALPHA, RGBA, 0},
	{D3DFMT_DXT5, D3DGPU_FMT_DXT5_RGBA, D3DGPU_FMT_DXT5_SRGBA, 0, DXT | ALPHA, RGBA, 0},
	{FOURCC_ATI1, D3DGPU_FMT_RGTC1_UNORM, 0, 0, DXT, {0, 0, 0, 5}, 0},
	{FOURCC_ATI2, D3DGPU_FMT_RGTC2_UNORM, 0, 0, DXT, {1, 0, 5, 5}, 0},
	{D3DFMT_D16_LOCKABLE, D3DGPU_FMT_Z16_UNORM, 0, D3DGPU_DS_D16_LOCKABLE, DEPTH, RGBA, BITS16},
	{D3DFMT_D32, D3DGPU_FMT_Z32_UNORM, 0, D3DGPU_DS_D32, DEPTH, RGBA, BITS32},
	{D3DFMT_D15S1, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_D15S1, STENCIL, RGBA, BITS24},
	{D3DFMT_D24S8, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_D24S8, STENCIL, RGBA, BITS24},
	{D3DFMT_D24X8, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_D24X8, DEPTH, RGBA, BITS24},
	{D3DFMT_D24X4S4, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_D24X4S4, STENCIL, RGBA, BITS24},
	{D3DFMT_D16, D3DGPU_FMT_Z16_UNORM, 0, D3DGPU_DS_D16, DEPTH, RGBA, BITS16},
	{D3DFMT_D32F_LOCKABLE, D3DGPU_FMT_Z32_FLOAT, 0, D3DGPU_DS_D32F_LOCKABLE, DEPTH, RGBA, FLOAT_DEPTH},
	{D3DFMT_D24FS8, D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, 0, D3DGPU_DS_D24FS8, STENCIL, RGBA, FLOAT_DEPTH},
	{D3DDDIFMT_D32_LOCKABLE, D3DGPU_FMT_Z32_UNORM, 0, D3DGPU_DS_D32_LOCKABLE, DEPTH, RGBA, BITS32},
	{D3DDDIFMT_S8_LOCKABLE, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_S8_LOCKABLE, STENCIL, RGBA, BITS24},
	{FOURCC_INTZ, D3DGPU_FMT_S8_UINT_Z24_UNORM, 0, D3DGPU_DS_D24S8, STENCIL | D3D9_FORMAT_RAW_DEPTH, R111, BITS24},
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

const struct d3d9_format *d3d9_format(D3DDDIFORMAT format)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].d3d == format)
			return &formats[i];
	return NULL;
}

unsigned d3d9_format_count(void)
{
	return FORMAT_COUNT;
}

static bool can_sample_depth(const struct d3dgpu_caps *caps, const struct d3d9_format *format)
{
	return (caps->options & D3DGPU_OPTION_SHADOW) && (caps->formats[format->format] & D3DGPU_FORMAT_SAMPLE) &&
	       (format->d3d == D3DFMT_D16 || format->d3d == D3DFMT_D24X8 || format->d3d == D3DFMT_D24S8 ||
		(format->flags & D3D9_FORMAT_RAW_DEPTH));
}

static UINT depth_operations(const struct d3dgpu_caps *caps, const struct d3d9_format *format)
{
	UINT operations = FORMATOP_ZSTENCIL | FORMATOP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH;

	if (!(caps->ds_formats & 1u << (format->ds_format - D3DGPU_DS_FIRST_FORMAT)))
		return 0;
	if (can_sample_depth(caps, format))
		return operations | FORMATOP_TEXTURE;
	/* INTZ is only for textures. */
	return format->flags & D3D9_FORMAT_RAW_DEPTH ? 0 : operations;
}

static UINT sample_operations(const struct d3dgpu_caps *caps, const struct d3d9_format *format)
{
	uint32_t bits = caps->formats[format->format];
	UINT operations = FORMATOP_TEXTURE | FORMATOP_CUBETEXTURE | FORMATOP_OFFSCREENPLAIN;

	if (!(format->flags & D3D9_FORMAT_COMPRESSED))
		operations |= FORMATOP_VOLUMETEXTURE;
	if (!(bits & D3DGPU_FORMAT_FILTER))
		operations |= FORMATOP_NOFILTER;
	if (caps->vertex_shader >= 0x0300)
		operations |= FORMATOP_VERTEXTEXTURE;
	if (format->srgb && (caps->formats[format->srgb] & D3DGPU_FORMAT_SAMPLE))
		operations |= FORMATOP_SRGBREAD;
	if (!(caps->options & D3DGPU_OPTION_NPOT))
		operations |= FORMATOP_NOTEXCOORDWRAPNORMIP;
	return operations;
}

static UINT render_operations(const struct d3dgpu_caps *caps, const struct d3d9_format *format)
{
	uint32_t bits = caps->formats[format->format];
	UINT operations = FORMATOP_OFFSCREEN_RENDERTARGET | FORMATOP_SAME_FORMAT_RENDERTARGET |
			  FORMATOP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET;

	if (!(bits & D3DGPU_FORMAT_BLEND))
		operations |= FORMATOP_NOALPHABLEND;
	if ((bits & D3DGPU_FORMAT_FILTER) && (bits & D3DGPU_FORMAT_SAMPLE))
		operations |= FORMATOP_AUTOGENMIPMAP;
	if (format->srgb && (caps->formats[format->srgb] & D3DGPU_FORMAT_RENDER))
		operations |= FORMATOP_SRGBWRITE;
	if (format->d3d == D3DFMT_A8R8G8B8 || format->d3d == D3DFMT_X8R8G8B8 || format->d3d == D3DFMT_R5G6B5 ||
	    format->d3d == D3DFMT_X1R5G5B5 || format->d3d == D3DFMT_A1R5G5B5 || format->d3d == D3DFMT_A2R10G10B10)
		operations |= FORMATOP_MEMBEROFGROUP_ARGB | FORMATOP_CONVERT_TO_ARGB;
	if (format->flags & D3D9_FORMAT_DISPLAY)
		operations |= FORMATOP_DISPLAYMODE | FORMATOP_3DACCELERATION;
	return operations;
}

static bool is_lockable_depth(const struct d3d9_format *format)
{
	return format->ds_format == D3DGPU_DS_D16_LOCKABLE || format->ds_format == D3DGPU_DS_D32F_LOCKABLE ||
	       format->ds_format == D3DGPU_DS_D32_LOCKABLE || format->ds_format == D3DGPU_DS_S8_LOCKABLE;
}

/* Bit n = 2^n samples per pixel, n >= 1. */
static uint32_t sample_counts(const struct d3dgpu_caps *caps, const struct d3d9_format *format)
{
	if (is_lockable_depth(format) || (format->flags & (D3D9_FORMAT_COMPRESSED | D3D9_FORMAT_NO_RENDER)))
		return 0;
	return caps->formats[format->format] >> D3DGPU_FORMAT_SAMPLES_SHIFT & caps->sample_counts & 0x1e;
}

void d3d9_format_operations(const struct d3dgpu_caps *caps, unsigned index, FORMATOP *out)
{
	const struct d3d9_format *format = &formats[index];
	uint32_t bits = caps->formats[format->format], counts;

	*out = (FORMATOP){.Format = format->d3d};
	if (format->flags & D3D9_FORMAT_DEPTH) {
		out->Operations = depth_operations(caps, format);
	} else if (bits & D3DGPU_FORMAT_SAMPLE) {
		out->Operations = sample_operations(caps, format);
		if ((bits & D3DGPU_FORMAT_RENDER) && !(format->flags & (NO_RENDER | DXT)))
			out->Operations |= render_operations(caps, format);
	}
	if (!(out->Operations & (FORMATOP_OFFSCREEN_RENDERTARGET | FORMATOP_ZSTENCIL)))
		return;
	counts = sample_counts(caps, format);
	if (counts)
		out->BltMsTypes |= 1u << (D3DDDIMULTISAMPLE_NONMASKABLE - 1);
	for (unsigned n = 1; n <= 4; n++)
		if (counts & 1u << n)
			out->BltMsTypes |= 1u << ((1u << n) - 1);
	out->FlipMsTypes = out->BltMsTypes;
}

UINT d3d9_quality_levels(const struct d3dgpu_caps *caps, const struct d3d9_format *format, D3DDDIMULTISAMPLE_TYPE type)
{
	uint32_t counts = sample_counts(caps, format);

	if (type == D3DDDIMULTISAMPLE_NONE)
		return 1;
	if (type == D3DDDIMULTISAMPLE_NONMASKABLE)
		return (UINT)__builtin_popcount(counts);
	return !(type & (type - 1)) && counts >> __builtin_ctz(type) & 1;
}

unsigned d3d9_sample_count(const struct d3dgpu_caps *caps, const struct d3d9_format *format,
			   D3DDDIMULTISAMPLE_TYPE type, UINT quality)
{
	uint32_t counts = sample_counts(caps, format);

	if (type == D3DDDIMULTISAMPLE_NONE)
		return 1;
	if (quality >= d3d9_quality_levels(caps, format, type))
		return 0;
	if (type != D3DDDIMULTISAMPLE_NONMASKABLE)
		return type;
	/* The quality-th of the counts, lowest first. */
	while (quality--)
		counts &= counts - 1;
	return 1u << __builtin_ctz(counts);
}
