/* SPDX-License-Identifier: MIT */
/*
 * OpenAdapter10_2 and the adapter's entries: which interface and levels there are, and what the capability block says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "d3d11_front.h"

/* Levels of the DDI in the order in which they contain each other. */
static const struct {
	uint32_t caps_level;
	D3D11DDI_3DPIPELINELEVEL level;
} levels[] = {
	{D3DGPU_LEVEL_9_1, D3D11_1DDI_3DPIPELINELEVEL_9_1},   {D3DGPU_LEVEL_9_2, D3D11_1DDI_3DPIPELINELEVEL_9_2},
	{D3DGPU_LEVEL_9_3, D3D11_1DDI_3DPIPELINELEVEL_9_3},   {D3DGPU_LEVEL_10_0, D3D11DDI_3DPIPELINELEVEL_10_0},
	{D3DGPU_LEVEL_10_1, D3D11DDI_3DPIPELINELEVEL_10_1},   {D3DGPU_LEVEL_11_0, D3D11DDI_3DPIPELINELEVEL_11_0},
	{D3DGPU_LEVEL_11_1, D3D11_1DDI_3DPIPELINELEVEL_11_1},
};

static UINT supported_levels(const struct d3dgpu_caps *caps)
{
	UINT mask = 0;

	for (unsigned i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (levels[i].caps_level <= caps->feature_level)
			mask |= 1u << levels[i].level;
	return mask;
}

/*
 * Fills the whole structure of the type, or says that the type is not known. Nothing is stored when the size is wrong.
 */
static HRESULT answer(struct winsys *ws, D3D10_2DDICAPS_TYPE type, void *data, UINT size)
{
	const struct d3dgpu_caps *caps = &ws->caps;
	union {
		UINT word;
		D3D11_1DDI_D3D11_OPTIONS_DATA options;
		D3D11_1DDI_SHADER_MIN_PRECISION_SUPPORT_DATA precision;
		struct d3dgpu_ddi_adapter adapter;
	} result = {0};
	UINT result_size = sizeof(result.word);

	switch ((unsigned)type) {
	case D3D11DDICAPS_THREADING:           /* neither free-threaded nor command lists */
	case D3D11_1DDICAPS_ARCHITECTURE_INFO: /* not tile-based */
	case D3DWDDM1_3DDICAPS_D3D11_OPTIONS1: /* no tiled resources */
	case D3DWDDM1_3DDICAPS_MARKER:
		break;
	case D3D11DDICAPS_SHADER:
		if (caps->options & D3DGPU_OPTION_DOUBLES && caps->feature_level >= D3DGPU_LEVEL_11_0)
			result.word |= D3D11DDICAPS_SHADER_DOUBLES;
		break;
	case D3D11DDICAPS_3DPIPELINESUPPORT:
		result.word = supported_levels(caps);
		break;
	case D3D11_1DDICAPS_D3D11_OPTIONS:
		result.options.OutputMergerLogicOp = !!(caps->options & D3DGPU_OPTION_LOGIC_OP);
		result_size = sizeof(result.options);
		break;
	case D3D11_1DDICAPS_SHADER_MIN_PRECISION_SUPPORT: /* full precision everywhere */
		result_size = sizeof(result.precision);
		break;
	case D3DGPU_DDICAPS_ADAPTER:
		umd_describe_adapter(ws, &result.adapter);
		result_size = sizeof(result.adapter);
		break;
	case D3DGPU_DDICAPS_CUBE_DEPTH:
		result.word = !!(caps->options & D3DGPU_OPTION_CUBE_DS);
		break;
	default:
		return E_INVALIDARG;
	}
	if (!data || size != result_size)
		return E_INVALIDARG;
	memcpy(data, &result, result_size);
	return S_OK;
}

static HRESULT get_caps(D3D10DDI_HADAPTER hAdapter, const D3D10_2DDIARG_GETCAPS *args)
{
	struct d3d11_adapter *adapter = hAdapter.pDrvPrivate;

	return answer(adapter->ws, args->Type, args->pData, args->DataSize);
}

static HRESULT get_supported_versions(D3D10DDI_HADAPTER hAdapter, UINT32 *puEntries, UINT64 *pVersions)
{
	if (pVersions) {
		if (!*puEntries)
			return E_OUTOFMEMORY;
		pVersions[0] = D3D11_1_DDI_SUPPORTED;
	}
	*puEntries = 1;
	return S_OK;
}

static SIZE_T calc_private_device_size(D3D10DDI_HADAPTER hAdapter, const D3D10DDIARG_CALCPRIVATEDEVICESIZE *args)
{
	return d3d11_device_size();
}

static HRESULT create_device(D3D10DDI_HADAPTER hAdapter, D3D10DDIARG_CREATEDEVICE *args)
{
	struct d3d11_adapter *adapter = hAdapter.pDrvPrivate;
	UINT level = (args->Flags & D3D11DDI_CREATEDEVICE_FLAG_3DPIPELINESUPPORT_MASK) >>
		     D3D11DDI_CREATEDEVICE_FLAG_3DPIPELINESUPPORT_SHIFT;

	if (args->Interface != D3D11_1_DDI_INTERFACE_VERSION || !(supported_levels(&adapter->ws->caps) >> level & 1))
		return E_NOINTERFACE;
	return d3d11_device_create(adapter, args);
}

static HRESULT close_adapter(D3D10DDI_HADAPTER hAdapter)
{
	struct d3d11_adapter *adapter = hAdapter.pDrvPrivate;

	adapter->ws->ops->destroy(adapter->ws);
	free(adapter);
	return S_OK;
}

__attribute__((visibility("default"))) HRESULT OpenAdapter10_2(D3D10DDIARG_OPENADAPTER *args)
{
	struct d3d11_adapter *adapter = calloc(1, sizeof(*adapter));
	HRESULT hr;

	if (!adapter)
		return E_OUTOFMEMORY;
	hr = umd_open_winsys(args->pAdapterCallbacks, args->hRTAdapter.handle, &adapter->ws);
	if (FAILED(hr)) {
		free(adapter);
		return hr;
	}
	args->hAdapter.pDrvPrivate = adapter;
	*args->pAdapterFuncs_2 = (D3D10_2DDI_ADAPTERFUNCS){
		.pfnCalcPrivateDeviceSize = calc_private_device_size,
		.pfnCreateDevice = create_device,
		.pfnCloseAdapter = close_adapter,
		.pfnGetSupportedVersions = get_supported_versions,
		.pfnGetCaps = get_caps,
	};
	return S_OK;
}
