/* SPDX-License-Identifier: MIT */
/* What the description of a resource must satisfy: by usage, binding, feature level, format and GPU option. */
#include "d3d11_private.h"

#define BUFFER_BINDS                                                                                                   \
	(D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER |                             \
	 D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_STREAM_OUTPUT | D3D11_BIND_RENDER_TARGET |                            \
	 D3D11_BIND_UNORDERED_ACCESS)
#define TEXTURE_BINDS                                                                                                  \
	(D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_UNORDERED_ACCESS)
#define CPU_ACCESS (D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE)
#define BUFFER_MISC                                                                                                    \
	(D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS |                                          \
	 D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS | D3D11_RESOURCE_MISC_BUFFER_STRUCTURED |                          \
	 D3D11_RESOURCE_MISC_RESOURCE_CLAMP)
#define TEXTURE_MISC                                                                                                   \
	(D3D11_RESOURCE_MISC_GENERATE_MIPS | D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_TEXTURECUBE |            \
	 D3D11_RESOURCE_MISC_RESOURCE_CLAMP | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX |                                  \
	 D3D11_RESOURCE_MISC_GDI_COMPATIBLE)
/*
 * Valid where Windows takes them, but not built: sharing, GDI, clamps, indirect arguments, raw and structured buffers.
 */
#define UNBUILT_MISC                                                                                                   \
	(D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX | D3D11_RESOURCE_MISC_GDI_COMPATIBLE |     \
	 D3D11_RESOURCE_MISC_RESOURCE_CLAMP | D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS |                                  \
	 D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS | D3D11_RESOURCE_MISC_BUFFER_STRUCTURED)

static HRESULT refuse(const char *why)
{
	runtime_refused("CreateResource", "%s", why);
	return E_INVALIDARG;
}

static HRESULT check_usage(const struct d3d11_resource *desc, const D3D11_SUBRESOURCE_DATA *data)
{
	const UINT outputs = D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_UNORDERED_ACCESS |
			     D3D11_BIND_STREAM_OUTPUT;

	if (desc->cpu_access & ~(UINT)CPU_ACCESS)
		return refuse("CPU access flags");
	switch (desc->usage) {
	case D3D11_USAGE_DEFAULT:
		return desc->cpu_access ? refuse("CPU access to a DEFAULT resource") : S_OK;
	case D3D11_USAGE_IMMUTABLE:
		if (desc->cpu_access || desc->bind & outputs || !desc->bind || !data)
			return refuse("IMMUTABLE with CPU access, an output binding, no binding, or no data");
		return S_OK;
	case D3D11_USAGE_DYNAMIC:
		if (desc->cpu_access != D3D11_CPU_ACCESS_WRITE || desc->bind & outputs || !desc->bind)
			return refuse(
				"DYNAMIC without CPU write access alone, with an output binding, or without binding");
		return desc->levels == 1 && desc->layers == 1 ? S_OK : refuse("DYNAMIC with several subresources");
	case D3D11_USAGE_STAGING:
		return desc->bind || !desc->cpu_access ? refuse("STAGING with a binding, or without CPU access") : S_OK;
	default:
		return refuse("usage");
	}
}

static HRESULT check_buffer(struct d3d11_device *device, const struct d3d11_resource *desc)
{
	const UINT max_constants = D3D11_REQ_CONSTANT_BUFFER_ELEMENT_COUNT * 16;

	if (!desc->width || desc->bind & ~(UINT)BUFFER_BINDS || desc->misc & ~(UINT)BUFFER_MISC)
		return refuse("buffer size, binding or miscellaneous flags");
	if (desc->bind & D3D11_BIND_CONSTANT_BUFFER) {
		if (desc->bind != D3D11_BIND_CONSTANT_BUFFER || desc->width % 16)
			return refuse("constant buffer with another binding or a size that is no multiple of 16");
		if (desc->width > max_constants && device->level < D3D_FEATURE_LEVEL_11_1)
			return refuse("constant buffer larger than 64 KiB");
	}
	if (!level_10(device) &&
	    desc->bind & ~(UINT)(D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER))
		return refuse("buffer binding below level 10_0");
	if (desc->bind & D3D11_BIND_UNORDERED_ACCESS && device->level < D3D_FEATURE_LEVEL_11_0)
		return refuse("unordered access below level 11_0");
	if (desc->misc & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED &&
	    (!desc->stride || desc->stride % 4 || desc->stride > 2048 || desc->width % desc->stride ||
	     device->level < D3D_FEATURE_LEVEL_11_0))
		return refuse("structure stride");
	if (desc->misc & UNBUILT_MISC ||
	    desc->bind & (D3D11_BIND_UNORDERED_ACCESS | D3D11_BIND_STREAM_OUTPUT | D3D11_BIND_RENDER_TARGET))
		return E_NOTIMPL;
	return S_OK;
}

struct extents {
	UINT one, two, cube, three, layers;
};

/* Largest extents and array sizes of the level. */
static struct extents level_limits(D3D_FEATURE_LEVEL level)
{
	if (level >= D3D_FEATURE_LEVEL_11_0)
		return (struct extents){16384, 16384, 16384, 2048, 2048};
	if (level >= D3D_FEATURE_LEVEL_10_0)
		return (struct extents){8192, 8192, 8192, 2048, 512};
	if (level >= D3D_FEATURE_LEVEL_9_3)
		return (struct extents){0, 4096, 4096, 256, 1};
	return (struct extents){0, 2048, 512, 256, 1};
}

static UINT largest_extent(const struct d3d11_resource *desc, struct extents limits)
{
	if (desc->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE1D)
		return limits.one;
	if (desc->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D)
		return limits.three;
	return desc->misc & D3D11_RESOURCE_MISC_TEXTURECUBE ? limits.cube : limits.two;
}

static HRESULT check_extents(struct d3d11_device *device, const struct d3d11_resource *desc)
{
	struct extents limits = level_limits(device->level);
	bool cube = desc->misc & D3D11_RESOURCE_MISC_TEXTURECUBE;
	UINT largest = largest_extent(desc, limits);

	if (!desc->width || !desc->height || !desc->depth || !desc->layers)
		return refuse("extent 0");
	if (desc->width > largest || desc->height > largest || desc->depth > limits.three)
		return refuse("extent above the level's");
	if (cube) {
		if (desc->dimension != D3D11_RESOURCE_DIMENSION_TEXTURE2D || desc->width != desc->height ||
		    desc->layers < 6)
			return refuse("cube that is not square or has less than six faces");
		if (!level_10(device) && desc->layers != 6)
			return refuse("cube array below level 10");
	} else if (!level_10(device) && desc->layers != 1) {
		return refuse("array below level 10_0");
	}
	return desc->layers <= (cube && limits.layers < 6 ? 6 : limits.layers) ? S_OK
									       : refuse("array size above the level's");
}

static bool is_power_of_two(UINT value)
{
	return !(value & (value - 1));
}

/* Fills in a full chain for 0. */
static HRESULT check_levels(struct d3d11_device *device, struct d3d11_resource *desc)
{
	UINT largest = desc->width, full = 1;
	bool plain = desc->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D &&
		     !(desc->misc & D3D11_RESOURCE_MISC_TEXTURECUBE);

	if (desc->height > largest)
		largest = desc->height;
	if (desc->depth > largest)
		largest = desc->depth;
	while (largest >> full)
		full++;
	if (!desc->levels)
		desc->levels = desc->samples.Count > 1 ? 1 : full;
	if (desc->levels > full)
		return refuse("more levels than the extents have");
	/* Without the full option, extents that are no powers of two go with a single level of a plain texture. */
	if (!level_10(device) && !device->options.full_npot && (desc->levels > 1 || !plain) &&
	    !(is_power_of_two(desc->width) && is_power_of_two(desc->height) && is_power_of_two(desc->depth)))
		return refuse("extents that are no powers of two, with mip levels or faces or slices, on a GPU without "
			      "the option");
	return S_OK;
}

static UINT quality_levels(struct d3d11_device *device, DXGI_FORMAT format, UINT count)
{
	UINT levels = 0;

	if (!(format_info(format)->flags & FORMAT_TYPELESS)) {
		d3d11_check_samples(device, format, count, &levels);
		return levels;
	}
	/* Typeless storage has the samples that its family's members have. */
	for (DXGI_FORMAT member = 0; member <= DXGI_FORMAT_B4G4R4A4_UNORM && !levels; member++)
		if (format_castable(format, member))
			d3d11_check_samples(device, member, count, &levels);
	return levels;
}

static HRESULT check_samples(struct d3d11_device *device, struct d3d11_resource *desc)
{
	if (!desc->samples.Count)
		return refuse("sample count 0");
	if (desc->samples.Count == 1)
		return desc->samples.Quality ? refuse("quality of a single-sampled texture") : S_OK;
	if (desc->dimension != D3D11_RESOURCE_DIMENSION_TEXTURE2D || desc->levels != 1 ||
	    desc->usage != D3D11_USAGE_DEFAULT ||
	    desc->misc & (D3D11_RESOURCE_MISC_TEXTURECUBE | D3D11_RESOURCE_MISC_GENERATE_MIPS) ||
	    !(desc->bind & (D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL)))
		return refuse("multisampled texture that is no plain target");
	if (desc->bind & D3D11_BIND_DEPTH_STENCIL && desc->bind & D3D11_BIND_SHADER_RESOURCE &&
	    device->level < D3D_FEATURE_LEVEL_10_1)
		return refuse("multisampled depth as shader resource below level 10_1");
	/* The two patterns that levels from 10_1 on have names for are quality level 0 here. */
	if (desc->samples.Quality >= (UINT)D3D11_CENTER_MULTISAMPLE_PATTERN && device->level >= D3D_FEATURE_LEVEL_10_1)
		desc->samples.Quality = 0;
	return desc->samples.Quality < quality_levels(device, desc->format, desc->samples.Count)
		       ? S_OK
		       : refuse("sample count or quality that the format does not have");
}

static UINT dimension_bit(const struct d3d11_resource *desc)
{
	switch (desc->dimension) {
	case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
		return D3D11_FORMAT_SUPPORT_TEXTURE1D;
	case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
		return D3D11_FORMAT_SUPPORT_TEXTURE3D;
	default:
		return desc->misc & D3D11_RESOURCE_MISC_TEXTURECUBE ? D3D11_FORMAT_SUPPORT_TEXTURECUBE
								    : D3D11_FORMAT_SUPPORT_TEXTURE2D;
	}
}

static HRESULT check_depth_stencil(struct d3d11_device *device, const struct d3d11_resource *desc, UINT family)
{
	if (!(family & D3D11_FORMAT_SUPPORT_DEPTH_STENCIL) || desc->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D)
		return refuse("not a depth-stencil format or dimension");
	if (desc->usage != D3D11_USAGE_DEFAULT ||
	    desc->bind & (D3D11_BIND_RENDER_TARGET | D3D11_BIND_UNORDERED_ACCESS) ||
	    desc->misc & D3D11_RESOURCE_MISC_GENERATE_MIPS)
		return refuse("depth-stencil with another usage, as target, or with generated levels");
	if (!level_10(device) && (desc->levels != 1 || desc->layers != 1))
		return refuse("depth-stencil with levels or slices below level 10_0");
	if (!level_10(device) && desc->bind & D3D11_BIND_SHADER_RESOURCE && !device->options.shadow)
		return refuse("depth as texture on a GPU without the shadow option");
	return S_OK;
}

static HRESULT check_binding(struct d3d11_device *device, const struct d3d11_resource *desc,
			     const struct format_info *info, UINT family)
{
	const UINT shader = D3D11_FORMAT_SUPPORT_SHADER_LOAD | D3D11_FORMAT_SUPPORT_SHADER_SAMPLE;
	const UINT both = D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE;

	if (desc->bind & D3D11_BIND_SHADER_RESOURCE && (info->flags & FORMAT_DEPTH || !(family & shader)))
		return refuse("format that is no shader resource");
	if (desc->bind & D3D11_BIND_RENDER_TARGET && !(family & D3D11_FORMAT_SUPPORT_RENDER_TARGET))
		return refuse("format that is no render target");
	if (desc->bind & D3D11_BIND_RENDER_TARGET && desc->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D &&
	    !level_10(device))
		return refuse("volume as render target below level 10_0");
	/* No typed unordered access: CheckFeatureSupport says so. */
	if (desc->bind & D3D11_BIND_UNORDERED_ACCESS)
		return refuse("unordered access");
	if (desc->misc & D3D11_RESOURCE_MISC_GENERATE_MIPS &&
	    ((desc->bind & both) != both || !(family & D3D11_FORMAT_SUPPORT_MIP_AUTOGEN)))
		return refuse("generated levels need a filterable format bound as target and shader resource");
	return S_OK;
}

static HRESULT check_format(struct d3d11_device *device, const struct d3d11_resource *desc)
{
	const struct format_info *info = format_info(desc->format);
	UINT support = format_support(device, desc->format);
	UINT family = info->flags & FORMAT_TYPELESS ? format_family_support(device, desc->format) : support;
	HRESULT hr = S_OK;

	if (!(support & dimension_bit(desc)))
		return refuse("format that the device does not have in this dimension");
	if (info->flags & (FORMAT_DEPTH_PLANE | FORMAT_STENCIL_PLANE))
		return refuse("format that is for views only");
	if (info->flags & FORMAT_COMPRESSED && (desc->width % 4 || desc->height % 4))
		return refuse("compressed texture whose extents are no multiples of 4");
	if (desc->bind & D3D11_BIND_DEPTH_STENCIL)
		hr = check_depth_stencil(device, desc, family);
	return SUCCEEDED(hr) ? check_binding(device, desc, info, family) : hr;
}

static HRESULT check_texture(struct d3d11_device *device, struct d3d11_resource *desc)
{
	HRESULT hr;

	if (!format_info(desc->format) || desc->bind & ~(UINT)TEXTURE_BINDS || desc->misc & ~(UINT)TEXTURE_MISC)
		return refuse("texture format, binding or miscellaneous flags");
	hr = check_extents(device, desc);
	if (SUCCEEDED(hr))
		hr = check_levels(device, desc);
	if (SUCCEEDED(hr))
		hr = check_samples(device, desc);
	if (SUCCEEDED(hr))
		hr = check_format(device, desc);
	if (SUCCEEDED(hr) && desc->misc & UNBUILT_MISC)
		hr = E_NOTIMPL;
	return hr;
}

HRESULT resource_validate(struct d3d11_device *device, struct d3d11_resource *desc, const D3D11_SUBRESOURCE_DATA *data)
{
	HRESULT hr;

	if (desc->dimension == D3D11_RESOURCE_DIMENSION_BUFFER)
		hr = check_buffer(device, desc);
	else
		hr = check_texture(device, desc);
	if (SUCCEEDED(hr))
		hr = check_usage(desc, data);
	if (FAILED(hr) || !data)
		return hr;
	if (desc->samples.Count > 1)
		return refuse("initial data of a multisampled texture");
	for (UINT i = 0; i < resource_subresources(desc); i++)
		if (!data[i].pSysMem)
			return refuse("initial data NULL");
	return S_OK;
}
