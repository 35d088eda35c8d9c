/* SPDX-License-Identifier: MIT */
/* The driver's entry point for Direct3D 9, and GetCaps: every answer comes from the capability block. */
#include "d3d9_front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"


static const D3DDDIQUERYTYPE always_queries[] = {D3DQUERYTYPE_EVENT};
static const D3DDDIQUERYTYPE occlusion_queries[] = {D3DQUERYTYPE_OCCLUSION};
static const D3DDDIQUERYTYPE timestamp_queries[] = {D3DQUERYTYPE_TIMESTAMP, D3DQUERYTYPE_TIMESTAMPDISJOINT,
						    D3DQUERYTYPE_TIMESTAMPFREQ};

static unsigned fill_queries(const struct d3dgpu_caps *caps, D3DDDIQUERYTYPE out[8])
{
	unsigned count = 0;

	out[count++] = always_queries[0];
	if (caps->options & D3DGPU_OPTION_OCCLUSION)
		out[count++] = occlusion_queries[0];
	if (caps->options & D3DGPU_OPTION_TIMESTAMP)
		for (unsigned i = 0; i < sizeof(timestamp_queries) / sizeof(timestamp_queries[0]); i++)
			out[count++] = timestamp_queries[i];
	return count;
}

/* Copies an answer of one fixed size. */
static HRESULT answer(const D3DDDIARG_GETCAPS *args, const void *data, size_t size)
{
	if (!args->pData || args->DataSize < size)
		return E_INVALIDARG;
	memcpy(args->pData, data, size);
	return S_OK;
}

static HRESULT answer_formats(const struct d3dgpu_caps *caps, const D3DDDIARG_GETCAPS *args)
{
	FORMATOP *out = args->pData;
	unsigned count = d3d9_format_count();

	if (!out || args->DataSize < count * sizeof(*out))
		return E_INVALIDARG;
	for (unsigned i = 0; i < count; i++)
		d3d9_format_operations(caps, i, &out[i]);
	return S_OK;
}

static HRESULT answer_quality(const struct d3dgpu_caps *caps, const D3DDDIARG_GETCAPS *args)
{
	DDIMULTISAMPLEQUALITYLEVELSDATA *data = args->pData;
	const struct d3d9_format *format;

	if (!data || args->DataSize < sizeof(*data))
		return E_INVALIDARG;
	format = d3d9_format(data->Format);
	data->QualityLevels = format ? d3d9_quality_levels(caps, format, data->MsType) : 0;
	return S_OK;
}

static HRESULT answer_adapter(struct d3d9_adapter *adapter, const D3DDDIARG_GETCAPS *args)
{
	struct d3dgpu_ddi_adapter out;

	umd_describe_adapter(adapter->ws, &out);
	return answer(args, &out, sizeof(out));
}

static HRESULT get_caps(HANDLE hAdapter, const D3DDDIARG_GETCAPS *args)
{
	struct d3d9_adapter *adapter = hAdapter;
	const struct d3dgpu_caps *caps = &adapter->ws->caps;
	D3DDDIQUERYTYPE queries[8];
	UINT count = fill_queries(caps, queries);
	D3DCAPS9 caps9;

	switch ((UINT)args->Type) {
	case D3DDDICAPS_GETFORMATCOUNT:
		count = d3d9_format_count();
		return answer(args, &count, sizeof(count));
	case D3DDDICAPS_GETFORMATDATA:
		return answer_formats(caps, args);
	case D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS:
		return answer_quality(caps, args);
	case D3DDDICAPS_GETD3DQUERYCOUNT:
		return answer(args, &count, sizeof(count));
	case D3DDDICAPS_GETD3DQUERYDATA:
		return answer(args, queries, count * sizeof(queries[0]));
	case D3DDDICAPS_GETD3D9CAPS:
		d3d9_fill_caps(caps, &caps9);
		return answer(args, &caps9, sizeof(caps9));
	case D3DDDICAPS_GET_ARCHITECTURE_INFO:
		return answer(args, &(D3DDDICAPS_ARCHITECTURE_INFO){FALSE}, sizeof(D3DDDICAPS_ARCHITECTURE_INFO));
	case D3DDDICAPS_GET_SHADER_MIN_PRECISION_SUPPORT:
		return answer(args, &(D3DDDICAPS_SHADER_MIN_PRECISION_SUPPORT){0},
			      sizeof(D3DDDICAPS_SHADER_MIN_PRECISION_SUPPORT));
	case D3DDDICAPS_GET_SIMPLE_INSTANCING_SUPPORT:
		return answer(args,
			      &(D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT){(caps->options & D3DGPU_OPTION_INSTANCING) != 0},
			      sizeof(D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT));
	case D3DDDICAPS_GETDECODEGUIDCOUNT:
	case D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT:
	case D3DDDICAPS_GETEXTENSIONGUIDCOUNT:
		return answer(args, &(UINT){0}, sizeof(UINT));
	case D3DGPU_DDICAPS_ADAPTER:
		return answer_adapter(adapter, args);
	default:
		return E_NOTIMPL;
	}
}

static HRESULT close_adapter(HANDLE hAdapter)
{
	struct d3d9_adapter *adapter = hAdapter;

	adapter->ws->ops->destroy(adapter->ws);
	free(adapter);
	return S_OK;
}

__attribute__((visibility("default"))) HRESULT OpenAdapter(D3DDDIARG_OPENADAPTER *args)
{
	struct d3d9_adapter *adapter;
	HRESULT hr;

	if (!args || !args->pAdapterCallbacks || !args->pAdapterFuncs || args->Interface != 9)
		return E_INVALIDARG;
	adapter = calloc(1, sizeof(*adapter));
	if (!adapter)
		return E_OUTOFMEMORY;
	adapter->runtime = args->hAdapter;
	adapter->callbacks = *args->pAdapterCallbacks;
	hr = umd_open_winsys(&adapter->callbacks, adapter->runtime, &adapter->ws);
	if (FAILED(hr)) {
		free(adapter);
		return hr;
	}
	*args->pAdapterFuncs = (D3DDDI_ADAPTERFUNCS){
		.pfnGetCaps = get_caps,
		.pfnCreateDevice = d3d9_create_device,
		.pfnCloseAdapter = close_adapter,
	};
	args->hAdapter = adapter;
	args->DriverVersion = D3D_UMD_INTERFACE_VERSION;
	return S_OK;
}
