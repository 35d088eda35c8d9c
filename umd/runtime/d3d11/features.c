/* SPDX-License-Identifier: MIT */
/* ID3D11Device::CheckFeatureSupport. */
#include "d3d11_private.h"

#include <string.h>

/* Asks the driver's adapter; leaves data zero when it does not know the question. */
static void adapter_caps(struct d3d11_device *device, D3D10_2DDICAPS_TYPE type, void *data, UINT size)
{
	D3D10_2DDIARG_GETCAPS args = {type, NULL, data, size};

	if (FAILED(device->ddi_adapter->funcs.pfnGetCaps(device->ddi_adapter->handle, &args)))
		memset(data, 0, size);
}

static UINT adapter_word(struct d3d11_device *device, D3D10_2DDICAPS_TYPE type)
{
	UINT word = 0;

	adapter_caps(device, type, &word, sizeof(word));
	return word;
}

static void threading(struct d3d11_device *device, D3D11_FEATURE_DATA_THREADING *out)
{
	UINT caps = adapter_word(device, D3D11DDICAPS_THREADING);

	out->DriverConcurrentCreates = !!(caps & D3D11DDICAPS_FREETHREADED);
	out->DriverCommandLists = !!(caps & D3D11DDICAPS_COMMANDLISTS_BUILD_2);
}

static void doubles(struct d3d11_device *device, D3D11_FEATURE_DATA_DOUBLES *out)
{
	UINT caps = device->level >= D3D_FEATURE_LEVEL_11_0 ? adapter_word(device, D3D11DDICAPS_SHADER) : 0;

	out->DoublePrecisionFloatShaderOps = !!(caps & D3D11DDICAPS_SHADER_DOUBLES);
}

static void compute_4_x(struct d3d11_device *device, D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS *out)
{
	UINT caps = adapter_word(device, D3D11DDICAPS_SHADER);

	out->ComputeShaders_Plus_RawAndStructuredBuffers_Via_Shader_4_x =
		!!(caps & D3D11DDICAPS_SHADER_COMPUTE_PLUS_RAW_AND_STRUCTURED_BUFFERS_IN_SHADER_4_X);
}

/* What the 11.1 interface brings by itself; the rest waits for the stages that it is about. */
static void d3d11_options(struct d3d11_device *device, D3D11_FEATURE_DATA_D3D11_OPTIONS *out)
{
	D3D11_1DDI_D3D11_OPTIONS_DATA caps;

	if (!level_10(device))
		return;
	adapter_caps(device, D3D11_1DDICAPS_D3D11_OPTIONS, &caps, sizeof(caps));
	out->OutputMergerLogicOp = caps.OutputMergerLogicOp && device->level >= D3D_FEATURE_LEVEL_11_1;
	out->DiscardAPIsSeenByDriver = TRUE;
	out->FlagsForUpdateAndCopySeenByDriver = TRUE;
	out->ClearView = TRUE;
	out->CopyWithOverlap = TRUE;
	out->ConstantBufferPartialUpdate = TRUE;
	out->ConstantBufferOffsetting = TRUE;
	out->MapNoOverwriteOnDynamicConstantBuffer = TRUE;
}

static void min_precision(struct d3d11_device *device, D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT *out)
{
	D3D11_1DDI_SHADER_MIN_PRECISION_SUPPORT_DATA caps;

	adapter_caps(device, D3D11_1DDICAPS_SHADER_MIN_PRECISION_SUPPORT, &caps, sizeof(caps));
	out->PixelShaderMinPrecision = caps.PixelShaderMinPrecision;
	out->AllOtherShaderStagesMinPrecision = caps.AllOtherStagesMinPrecision;
}

static void d3d9_options1(struct d3d11_device *device, D3D11_FEATURE_DATA_D3D9_OPTIONS1 *out)
{
	out->FullNonPow2TextureSupported = device->options.full_npot;
	out->DepthAsTextureWithLessEqualComparisonFilterSupported = device->options.shadow;
	out->SimpleInstancingSupported = device->options.simple_instancing;
	out->TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported = device->options.cube_depth;
}

/* Size of a feature's structure; 0 = no such feature. */
static UINT feature_size(D3D11_FEATURE feature)
{
	static const UINT sizes[] = {
		[D3D11_FEATURE_THREADING] = sizeof(D3D11_FEATURE_DATA_THREADING),
		[D3D11_FEATURE_DOUBLES] = sizeof(D3D11_FEATURE_DATA_DOUBLES),
		[D3D11_FEATURE_FORMAT_SUPPORT] = sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT),
		[D3D11_FEATURE_FORMAT_SUPPORT2] = sizeof(D3D11_FEATURE_DATA_FORMAT_SUPPORT2),
		[D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS] = sizeof(D3D11_FEATURE_DATA_D3D10_X_HARDWARE_OPTIONS),
		[D3D11_FEATURE_D3D11_OPTIONS] = sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS),
		[D3D11_FEATURE_ARCHITECTURE_INFO] = sizeof(D3D11_FEATURE_DATA_ARCHITECTURE_INFO),
		[D3D11_FEATURE_D3D9_OPTIONS] = sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS),
		[D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT] = sizeof(D3D11_FEATURE_DATA_SHADER_MIN_PRECISION_SUPPORT),
		[D3D11_FEATURE_D3D9_SHADOW_SUPPORT] = sizeof(D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT),
		[D3D11_FEATURE_D3D11_OPTIONS1] = sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS1),
		[D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT] =
			sizeof(D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT),
		[D3D11_FEATURE_MARKER_SUPPORT] = sizeof(D3D11_FEATURE_DATA_MARKER_SUPPORT),
		[D3D11_FEATURE_D3D9_OPTIONS1] = sizeof(D3D11_FEATURE_DATA_D3D9_OPTIONS1),
		[D3D11_FEATURE_D3D11_OPTIONS2] = sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS2),
		[D3D11_FEATURE_D3D11_OPTIONS3] = sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS3),
		[D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT] = sizeof(D3D11_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT),
		/* One BOOL; the headers do not have the structure. */
		[D3D11_FEATURE_D3D11_OPTIONS4] = sizeof(BOOL),
		[D3D11_FEATURE_SHADER_CACHE] = sizeof(D3D11_FEATURE_DATA_SHADER_CACHE),
		[D3D11_FEATURE_D3D11_OPTIONS5] = sizeof(D3D11_FEATURE_DATA_D3D11_OPTIONS5),
	};

	return (unsigned)feature < ARRAY_COUNT(sizes) ? sizes[feature] : 0;
}

static HRESULT check_format(struct d3d11_device *device, D3D11_FEATURE_DATA_FORMAT_SUPPORT *data)
{
	return d3d11_check_format(device, data->InFormat, &data->OutFormatSupport);
}

/* Unordered access and tiling are not there; logic operations as the driver says. */
static HRESULT check_format2(struct d3d11_device *device, D3D11_FEATURE_DATA_FORMAT_SUPPORT2 *data)
{
	UINT support, driver = 0;
	HRESULT hr = d3d11_check_format(device, data->InFormat, &support);

	data->OutFormatSupport2 = 0;
	if (FAILED(hr))
		return hr;
	d3d11_enter(device);
	device->funcs.pfnCheckFormatSupport(device->ddi, data->InFormat, &driver);
	d3d11_leave(device);
	if (!(driver & D3D11_1DDI_FORMAT_SUPPORT_NOT_SUPPORTED) &&
	    driver & D3D11_1DDI_FORMAT_SUPPORT_OUTPUT_MERGER_LOGIC_OP)
		data->OutFormatSupport2 |= D3D11_FORMAT_SUPPORT2_OUTPUT_MERGER_LOGIC_OP;
	return S_OK;
}

/* What stays zero is not there: tiled resources, options of later runtimes, GPU virtual addresses, the shader cache. */
static void fill(struct d3d11_device *device, D3D11_FEATURE feature, void *data)
{
	switch (feature) {
	case D3D11_FEATURE_THREADING:
		threading(device, data);
		break;
	case D3D11_FEATURE_DOUBLES:
		doubles(device, data);
		break;
	case D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS:
		compute_4_x(device, data);
		break;
	case D3D11_FEATURE_D3D11_OPTIONS:
		d3d11_options(device, data);
		break;
	case D3D11_FEATURE_ARCHITECTURE_INFO:
		adapter_caps(device, D3D11_1DDICAPS_ARCHITECTURE_INFO, data, sizeof(D3D11_1DDI_ARCHITECTURE_INFO_DATA));
		break;
	case D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT:
		min_precision(device, data);
		break;
	case D3D11_FEATURE_D3D9_OPTIONS:
		((D3D11_FEATURE_DATA_D3D9_OPTIONS *)data)->FullNonPow2TextureSupport = device->options.full_npot;
		break;
	case D3D11_FEATURE_D3D9_SHADOW_SUPPORT:
		((D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT *)data)->SupportsDepthAsTextureWithLessEqualComparisonFilter =
			device->options.shadow;
		break;
	case D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT:
		((D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT *)data)->SimpleInstancingSupported =
			device->options.simple_instancing;
		break;
	case D3D11_FEATURE_D3D9_OPTIONS1:
		d3d9_options1(device, data);
		break;
	case D3D11_FEATURE_MARKER_SUPPORT:
		((D3D11_FEATURE_DATA_MARKER_SUPPORT *)data)->Profile = !!adapter_word(device, D3DWDDM1_3DDICAPS_MARKER);
		break;
	default:
		break;
	}
}

HRESULT d3d11_check_feature(struct d3d11_device *device, D3D11_FEATURE feature, void *data, UINT size)
{
	UINT expected = feature_size(feature);

	if (!data || !expected || size != expected)
		return E_INVALIDARG;
	if (feature == D3D11_FEATURE_FORMAT_SUPPORT)
		return check_format(device, data);
	if (feature == D3D11_FEATURE_FORMAT_SUPPORT2)
		return check_format2(device, data);
	memset(data, 0, size);
	fill(device, feature, data);
	return S_OK;
}
