/* SPDX-License-Identifier: MIT */
/*
 * DXGI formats: the facts that do not depend on a driver, and the D3D11_FORMAT_SUPPORT word made from them, the feature
 * level and the driver's bits. Resource and view creation use the same word: what is answered is what works.
 */
#include "d3d11_private.h"

#define TYPED(format, family, bytes, shader, target, vertex, flags)                                                    \
	[DXGI_FORMAT_##format] = {bytes, 1, flags, DXGI_FORMAT_##family, shader, target, vertex}
#define TYPELESS(format, bytes)                                                                                        \
	[DXGI_FORMAT_##format] = {bytes, 1, FORMAT_TYPELESS, DXGI_FORMAT_##format, 0xa0, 0xa0, 0}
#define BLOCKS(format, family, bytes, shader, flags)                                                                   \
	[DXGI_FORMAT_##format] = {bytes, 4, FORMAT_COMPRESSED | (flags), DXGI_FORMAT_##family, shader, 0, 0}

#define INT FORMAT_INTEGER
#define SRGB FORMAT_SRGB
#define SHOWN FORMAT_DISPLAY

static const struct format_info formats[] = {
	TYPELESS(R32G32B32A32_TYPELESS, 16),
	TYPED(R32G32B32A32_FLOAT, R32G32B32A32_TYPELESS, 16, 0x93, 0x93, 0x91, 0),
	TYPED(R32G32B32A32_UINT, R32G32B32A32_TYPELESS, 16, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R32G32B32A32_SINT, R32G32B32A32_TYPELESS, 16, 0xa0, 0xa0, 0xa0, INT),
	TYPELESS(R32G32B32_TYPELESS, 12),
	TYPED(R32G32B32_FLOAT, R32G32B32_TYPELESS, 12, 0xa0, 0xa0, 0x91, 0),
	TYPED(R32G32B32_UINT, R32G32B32_TYPELESS, 12, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R32G32B32_SINT, R32G32B32_TYPELESS, 12, 0xa0, 0xa0, 0xa0, INT),
	TYPELESS(R16G16B16A16_TYPELESS, 8),
	TYPED(R16G16B16A16_FLOAT, R16G16B16A16_TYPELESS, 8, 0x92, 0x93, 0x93, SHOWN),
	TYPED(R16G16B16A16_UNORM, R16G16B16A16_TYPELESS, 8, 0x92, 0xa0, 0x93, 0),
	TYPED(R16G16B16A16_UINT, R16G16B16A16_TYPELESS, 8, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R16G16B16A16_SNORM, R16G16B16A16_TYPELESS, 8, 0x91, 0xa0, 0x91, 0),
	TYPED(R16G16B16A16_SINT, R16G16B16A16_TYPELESS, 8, 0xa0, 0xa0, 0x91, INT),
	TYPELESS(R32G32_TYPELESS, 8),
	TYPED(R32G32_FLOAT, R32G32_TYPELESS, 8, 0xa0, 0xa0, 0x91, 0),
	TYPED(R32G32_UINT, R32G32_TYPELESS, 8, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R32G32_SINT, R32G32_TYPELESS, 8, 0xa0, 0xa0, 0xa0, INT),
	[DXGI_FORMAT_R32G8X24_TYPELESS] = {8, 1, FORMAT_TYPELESS | FORMAT_STENCIL, DXGI_FORMAT_R32G8X24_TYPELESS, 0xa0,
					   0, 0},
	TYPED(D32_FLOAT_S8X24_UINT, R32G8X24_TYPELESS, 8, 0, 0xa0, 0, FORMAT_DEPTH | FORMAT_STENCIL),
	TYPED(R32_FLOAT_X8X24_TYPELESS, R32G8X24_TYPELESS, 8, 0xa0, 0, 0, FORMAT_DEPTH_PLANE | FORMAT_COMPARISON),
	TYPED(X32_TYPELESS_G8X24_UINT, R32G8X24_TYPELESS, 8, 0xa0, 0, 0, FORMAT_STENCIL_PLANE | INT),
	TYPELESS(R10G10B10A2_TYPELESS, 4),
	TYPED(R10G10B10A2_UNORM, R10G10B10A2_TYPELESS, 4, 0xa0, 0xa0, 0xa0, SHOWN),
	TYPED(R10G10B10A2_UINT, R10G10B10A2_TYPELESS, 4, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R11G11B10_FLOAT, R11G11B10_FLOAT, 4, 0xa0, 0xa0, 0xa0, 0),
	TYPELESS(R8G8B8A8_TYPELESS, 4),
	TYPED(R8G8B8A8_UNORM, R8G8B8A8_TYPELESS, 4, 0x91, 0x91, 0x91, SHOWN),
	TYPED(R8G8B8A8_UNORM_SRGB, R8G8B8A8_TYPELESS, 4, 0x91, 0x91, 0, SHOWN | SRGB),
	TYPED(R8G8B8A8_UINT, R8G8B8A8_TYPELESS, 4, 0xa0, 0xa0, 0x91, INT),
	TYPED(R8G8B8A8_SNORM, R8G8B8A8_TYPELESS, 4, 0x91, 0xa0, 0xa0, 0),
	TYPED(R8G8B8A8_SINT, R8G8B8A8_TYPELESS, 4, 0xa0, 0xa0, 0xa0, INT),
	TYPELESS(R16G16_TYPELESS, 4),
	TYPED(R16G16_FLOAT, R16G16_TYPELESS, 4, 0x93, 0x93, 0x93, 0),
	TYPED(R16G16_UNORM, R16G16_TYPELESS, 4, 0x93, 0x93, 0x93, 0),
	TYPED(R16G16_UINT, R16G16_TYPELESS, 4, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R16G16_SNORM, R16G16_TYPELESS, 4, 0x91, 0xa0, 0x91, 0),
	TYPED(R16G16_SINT, R16G16_TYPELESS, 4, 0xa0, 0xa0, 0x91, INT),
	TYPELESS(R32_TYPELESS, 4),
	TYPED(D32_FLOAT, R32_TYPELESS, 4, 0, 0xa0, 0, FORMAT_DEPTH),
	TYPED(R32_FLOAT, R32_TYPELESS, 4, 0x93, 0x93, 0x91, FORMAT_COMPARISON),
	TYPED(R32_UINT, R32_TYPELESS, 4, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R32_SINT, R32_TYPELESS, 4, 0xa0, 0xa0, 0xa0, INT),
	[DXGI_FORMAT_R24G8_TYPELESS] = {4, 1, FORMAT_TYPELESS | FORMAT_STENCIL, DXGI_FORMAT_R24G8_TYPELESS, 0x91, 0, 0},
	TYPED(D24_UNORM_S8_UINT, R24G8_TYPELESS, 4, 0, 0x91, 0, FORMAT_DEPTH | FORMAT_STENCIL),
	TYPED(R24_UNORM_X8_TYPELESS, R24G8_TYPELESS, 4, 0x91, 0, 0, FORMAT_DEPTH_PLANE | FORMAT_COMPARISON),
	TYPED(X24_TYPELESS_G8_UINT, R24G8_TYPELESS, 4, 0xa0, 0, 0, FORMAT_STENCIL_PLANE | INT),
	TYPELESS(R8G8_TYPELESS, 2),
	TYPED(R8G8_UNORM, R8G8_TYPELESS, 2, 0x91, 0xa0, 0xa0, 0),
	TYPED(R8G8_UINT, R8G8_TYPELESS, 2, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R8G8_SNORM, R8G8_TYPELESS, 2, 0x91, 0xa0, 0xa0, 0),
	TYPED(R8G8_SINT, R8G8_TYPELESS, 2, 0xa0, 0xa0, 0xa0, INT),
	[DXGI_FORMAT_R16_TYPELESS] = {2, 1, FORMAT_TYPELESS, DXGI_FORMAT_R16_TYPELESS, 0x91, 0xa0, 0},
	TYPED(R16_FLOAT, R16_TYPELESS, 2, 0xa0, 0xa0, 0xa0, 0),
	TYPED(D16_UNORM, R16_TYPELESS, 2, 0, 0x91, 0, FORMAT_DEPTH),
	TYPED(R16_UNORM, R16_TYPELESS, 2, 0x91, 0xa0, 0xa0, FORMAT_COMPARISON),
	TYPED(R16_UINT, R16_TYPELESS, 2, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R16_SNORM, R16_TYPELESS, 2, 0xa0, 0xa0, 0xa0, 0),
	TYPED(R16_SINT, R16_TYPELESS, 2, 0xa0, 0xa0, 0xa0, INT),
	TYPELESS(R8_TYPELESS, 1),
	TYPED(R8_UNORM, R8_TYPELESS, 1, 0x91, 0xa0, 0xa0, 0),
	TYPED(R8_UINT, R8_TYPELESS, 1, 0xa0, 0xa0, 0xa0, INT),
	TYPED(R8_SNORM, R8_TYPELESS, 1, 0xa0, 0xa0, 0xa0, 0),
	TYPED(R8_SINT, R8_TYPELESS, 1, 0xa0, 0xa0, 0xa0, INT),
	TYPED(A8_UNORM, A8_UNORM, 1, 0x91, 0xa0, 0, 0),
	TYPED(R9G9B9E5_SHAREDEXP, R9G9B9E5_SHAREDEXP, 4, 0xa0, 0, 0, 0),
	BLOCKS(BC1_TYPELESS, BC1_TYPELESS, 8, 0xa0, FORMAT_TYPELESS),
	BLOCKS(BC1_UNORM, BC1_TYPELESS, 8, 0x91, 0),
	BLOCKS(BC1_UNORM_SRGB, BC1_TYPELESS, 8, 0x91, SRGB),
	BLOCKS(BC2_TYPELESS, BC2_TYPELESS, 16, 0xa0, FORMAT_TYPELESS),
	BLOCKS(BC2_UNORM, BC2_TYPELESS, 16, 0x91, 0),
	BLOCKS(BC2_UNORM_SRGB, BC2_TYPELESS, 16, 0x91, SRGB),
	BLOCKS(BC3_TYPELESS, BC3_TYPELESS, 16, 0xa0, FORMAT_TYPELESS),
	BLOCKS(BC3_UNORM, BC3_TYPELESS, 16, 0x91, 0),
	BLOCKS(BC3_UNORM_SRGB, BC3_TYPELESS, 16, 0x91, SRGB),
	BLOCKS(BC4_TYPELESS, BC4_TYPELESS, 8, 0xa0, FORMAT_TYPELESS),
	BLOCKS(BC4_UNORM, BC4_TYPELESS, 8, 0xa0, 0),
	BLOCKS(BC4_SNORM, BC4_TYPELESS, 8, 0xa0, 0),
	BLOCKS(BC5_TYPELESS, BC5_TYPELESS, 16, 0xa0, FORMAT_TYPELESS),
	BLOCKS(BC5_UNORM, BC5_TYPELESS, 16, 0xa0, 0),
	BLOCKS(BC5_SNORM, BC5_TYPELESS, 16, 0xa0, 0),
	TYPED(B5G6R5_UNORM, B5G6R5_UNORM, 2, 0x91, 0x91, 0, 0),
	TYPED(B5G5R5A1_UNORM, B5G5R5A1_UNORM, 2, 0x91, 0x91, 0, 0),
	TYPED(B8G8R8A8_UNORM, B8G8R8A8_TYPELESS, 4, 0x91, 0x91, 0x91, SHOWN),
	TYPED(B8G8R8X8_UNORM, B8G8R8X8_TYPELESS, 4, 0x91, 0x91, 0, 0),
	TYPELESS(B8G8R8A8_TYPELESS, 4),
	TYPED(B8G8R8A8_UNORM_SRGB, B8G8R8A8_TYPELESS, 4, 0x91, 0x91, 0, SHOWN | SRGB),
	TYPELESS(B8G8R8X8_TYPELESS, 4),
	TYPED(B8G8R8X8_UNORM_SRGB, B8G8R8X8_TYPELESS, 4, 0x91, 0x91, 0, SRGB),
	BLOCKS(BC6H_TYPELESS, BC6H_TYPELESS, 16, 0xb0, FORMAT_TYPELESS),
	BLOCKS(BC6H_UF16, BC6H_TYPELESS, 16, 0xb0, 0),
	BLOCKS(BC6H_SF16, BC6H_TYPELESS, 16, 0xb0, 0),
	BLOCKS(BC7_TYPELESS, BC7_TYPELESS, 16, 0xb0, FORMAT_TYPELESS),
	BLOCKS(BC7_UNORM, BC7_TYPELESS, 16, 0xb0, 0),
	BLOCKS(BC7_UNORM_SRGB, BC7_TYPELESS, 16, 0xb0, SRGB),
	TYPED(B4G4R4A4_UNORM, B4G4R4A4_UNORM, 2, 0x91, 0xb1, 0, 0),
};

const struct format_info *format_info(DXGI_FORMAT format)
{
	if ((unsigned)format >= ARRAY_COUNT(formats) || !formats[format].bytes)
		return NULL;
	return &formats[format];
}

static UINT driver_support(struct d3d11_device *device, DXGI_FORMAT format)
{
	UINT support = 0;

	d3d11_enter(device);
	device->funcs.pfnCheckFormatSupport(device->ddi, format, &support);
	d3d11_leave(device);
	return support;
}

static bool from_level(const struct d3d11_device *device, UINT8 level)
{
	return level && (UINT)device->level >> 8 >= level;
}

static UINT depth_support(struct d3d11_device *device, const struct format_info *info, UINT driver)
{
	UINT support = D3D11_FORMAT_SUPPORT_TEXTURE2D | D3D11_FORMAT_SUPPORT_DEPTH_STENCIL;

	if (!from_level(device, info->target_level) || driver & D3D11_1DDI_FORMAT_SUPPORT_NOT_SUPPORTED)
		return 0;
	if (level_10(device))
		support |= D3D11_FORMAT_SUPPORT_TEXTURE1D | D3D11_FORMAT_SUPPORT_TEXTURECUBE | D3D11_FORMAT_SUPPORT_MIP;
	if (driver & D3D10_DDI_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET)
		support |= D3D11_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET;
	return support;
}

/* Where textures of a format may be used by shaders. */
static UINT texture_support(const struct d3d11_device *device, const struct format_info *info)
{
	UINT support = D3D11_FORMAT_SUPPORT_TEXTURE2D | D3D11_FORMAT_SUPPORT_MIP;
	bool plane = info->flags & (FORMAT_DEPTH_PLANE | FORMAT_STENCIL_PLANE);

	if (plane && !level_10(device))
		return D3D11_FORMAT_SUPPORT_TEXTURE2D;
	support |= D3D11_FORMAT_SUPPORT_TEXTURECUBE;
	if (!plane)
		support |= D3D11_FORMAT_SUPPORT_TEXTURE3D | D3D11_FORMAT_SUPPORT_CPU_LOCKABLE;
	if (level_10(device) && !(info->flags & FORMAT_COMPRESSED))
		support |= D3D11_FORMAT_SUPPORT_TEXTURE1D;
	return support;
}

static UINT shader_support(struct d3d11_device *device, const struct format_info *info, UINT driver)
{
	/* A driver's SHADER_SAMPLE is sampling with a filter; what can only be loaded shows by BUFFER. */
	bool load = driver & (D3D10_DDI_FORMAT_SUPPORT_SHADER_SAMPLE | D3D11_1DDI_FORMAT_SUPPORT_BUFFER);
	bool sample = driver & D3D10_DDI_FORMAT_SUPPORT_SHADER_SAMPLE && !(info->flags & FORMAT_INTEGER);
	UINT support;

	if (!load || !from_level(device, info->shader_level))
		return 0;
	support = texture_support(device, info);
	if (sample)
		support |= D3D11_FORMAT_SUPPORT_SHADER_SAMPLE;
	if (!level_10(device))
		return support;
	support |= D3D11_FORMAT_SUPPORT_SHADER_LOAD;
	if (driver & D3D11_1DDI_FORMAT_SUPPORT_BUFFER)
		support |= D3D11_FORMAT_SUPPORT_BUFFER;
	if (info->flags & FORMAT_COMPARISON)
		support |= D3D11_FORMAT_SUPPORT_SHADER_SAMPLE_COMPARISON;
	if (device->level >= D3D_FEATURE_LEVEL_10_1 && driver & D3D11_1DDI_FORMAT_SUPPORT_SHADER_GATHER)
		support |= D3D11_FORMAT_SUPPORT_SHADER_GATHER;
	return support;
}

static UINT target_support(struct d3d11_device *device, const struct format_info *info, UINT driver)
{
	UINT support =
		D3D11_FORMAT_SUPPORT_TEXTURE2D | D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_CPU_LOCKABLE;

	if (!(driver & D3D10_DDI_FORMAT_SUPPORT_RENDERTARGET) || !from_level(device, info->target_level))
		return 0;
	if (driver & D3D10_DDI_FORMAT_SUPPORT_BLENDABLE)
		support |= D3D11_FORMAT_SUPPORT_BLENDABLE;
	if (driver & D3D10_DDI_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET) {
		support |= D3D11_FORMAT_SUPPORT_MULTISAMPLE_RENDERTARGET;
		if (!(info->flags & FORMAT_INTEGER))
			support |= D3D11_FORMAT_SUPPORT_MULTISAMPLE_RESOLVE;
	}
	if (driver & D3D10_DDI_FORMAT_SUPPORT_MULTISAMPLE_LOAD)
		support |= D3D11_FORMAT_SUPPORT_MULTISAMPLE_LOAD;
	if (info->flags & FORMAT_DISPLAY)
		support |= D3D11_FORMAT_SUPPORT_DISPLAY;
	return support;
}

static UINT typed_support(struct d3d11_device *device, DXGI_FORMAT format, const struct format_info *info, UINT driver)
{
	UINT support = shader_support(device, info, driver) | target_support(device, info, driver);

	if ((support & (D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_SHADER_SAMPLE)) ==
	    (D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_SHADER_SAMPLE))
		support |= D3D11_FORMAT_SUPPORT_MIP_AUTOGEN;
	if (driver & D3D11_1DDI_FORMAT_SUPPORT_VERTEX_BUFFER && from_level(device, info->vertex_level))
		support |= D3D11_FORMAT_SUPPORT_IA_VERTEX_BUFFER;
	if (format == DXGI_FORMAT_R16_UINT ||
	    (format == DXGI_FORMAT_R32_UINT && device->level >= D3D_FEATURE_LEVEL_9_2))
		support |= D3D11_FORMAT_SUPPORT_IA_INDEX_BUFFER;
	if (support && level_10(device) && info->family != format)
		support |= D3D11_FORMAT_SUPPORT_CAST_WITHIN_BIT_LAYOUT;
	if (support & D3D11_FORMAT_SUPPORT_DISPLAY && level_10(device))
		support |= D3D11_FORMAT_SUPPORT_BACK_BUFFER_CAST;
	return support;
}

UINT format_family_support(struct d3d11_device *device, DXGI_FORMAT family)
{
	UINT support = 0;

	for (unsigned i = 0; i < ARRAY_COUNT(formats); i++)
		if (formats[i].bytes && formats[i].family == family && !(formats[i].flags & FORMAT_TYPELESS))
			support |= format_support(device, (DXGI_FORMAT)i);
	return support;
}

/* A typeless format can be stored wherever one of its family can. */
static UINT typeless_support(struct d3d11_device *device, DXGI_FORMAT format, const struct format_info *info)
{
	const UINT storage = D3D11_FORMAT_SUPPORT_TEXTURE1D | D3D11_FORMAT_SUPPORT_TEXTURE2D |
			     D3D11_FORMAT_SUPPORT_TEXTURE3D | D3D11_FORMAT_SUPPORT_TEXTURECUBE |
			     D3D11_FORMAT_SUPPORT_MIP | D3D11_FORMAT_SUPPORT_CPU_LOCKABLE;
	UINT support = format_family_support(device, format);

	/* Below level 10 they are there for depth textures alone. */
	if (!level_10(device) && (!device->options.shadow || !(support & D3D11_FORMAT_SUPPORT_DEPTH_STENCIL)))
		return 0;
	if (!from_level(device, info->shader_level) || !(support & storage))
		return 0;
	return (support & storage) | (level_10(device) ? D3D11_FORMAT_SUPPORT_CAST_WITHIN_BIT_LAYOUT : 0);
}

UINT format_support(struct d3d11_device *device, DXGI_FORMAT format)
{
	const struct format_info *info = format_info(format);

	if (!info)
		return 0;
	if (info->flags & FORMAT_TYPELESS)
		return typeless_support(device, format, info);
	if (info->flags & FORMAT_DEPTH)
		return depth_support(device, info, driver_support(device, format));
	return typed_support(device, format, info, driver_support(device, format));
}

HRESULT d3d11_check_format(struct d3d11_device *device, DXGI_FORMAT format, UINT *support)
{
	if (!support)
		return E_INVALIDARG;
	*support = format_support(device, format);
	return *support ? S_OK : E_FAIL;
}

HRESULT d3d11_check_samples(struct d3d11_device *device, DXGI_FORMAT format, UINT count, UINT *levels)
{
	const struct format_info *info = format_info(format);
	const UINT needed = D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_DEPTH_STENCIL;

	if (!levels)
		return E_INVALIDARG;
	*levels = 0;
	if (!info)
		return E_INVALIDARG;
	if (!count)
		return E_FAIL;
	if (count > D3D11_MAX_MULTISAMPLE_SAMPLE_COUNT || info->flags & FORMAT_TYPELESS)
		return S_OK;
	if (count == 1) {
		*levels = format_support(device, format) ? 1 : 0;
		return S_OK;
	}
	if (!(format_support(device, format) & needed))
		return S_OK;
	d3d11_enter(device);
	device->funcs.pfnCheckMultisampleQualityLevels(device->ddi, format, count, levels);
	d3d11_leave(device);
	return S_OK;
}
