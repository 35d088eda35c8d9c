/* SPDX-License-Identifier: MIT */
/* Queries. The engine's clock counts nanoseconds and never stops, so the disjoint query is answered without it. */
#include "d3d9_front.h"

#include <errno.h>
#include <stdlib.h>

static bool gpu_type(D3DDDIQUERYTYPE type, enum gpu_query_type *out)
{
	switch (type) {
	case D3DQUERYTYPE_EVENT:
		*out = GPU_QUERY_EVENT;
		return true;
	case D3DQUERYTYPE_OCCLUSION:
		*out = GPU_QUERY_OCCLUSION;
		return true;
	case D3DQUERYTYPE_TIMESTAMP:
		*out = GPU_QUERY_TIMESTAMP;
		return true;
	default:
		return false;
	}
}

static HRESULT create_query(HANDLE hDevice, D3DDDIARG_CREATEQUERY *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_query *query = calloc(1, sizeof(*query));
	enum gpu_query_type type;
	int err = 0;

	if (!query)
		return E_OUTOFMEMORY;
	query->type = args->QueryType;
	if (gpu_type(args->QueryType, &type))
		err = gpu_query_create(dev->gpu, type, &query->gpu);
	else if (args->QueryType != D3DQUERYTYPE_TIMESTAMPDISJOINT && args->QueryType != D3DQUERYTYPE_TIMESTAMPFREQ)
		err = -ENOTSUP;
	if (err) {
		free(query);
		return d3d9_result(dev, err);
	}
	args->hQuery = query;
	return S_OK;
}

static HRESULT destroy_query(HANDLE hDevice, const HANDLE hQuery)
{
	struct d3d9_query *query = hQuery;

	if (query->gpu)
		gpu_query_destroy(d3d9_device(hDevice)->gpu, query->gpu);
	free(query);
	return S_OK;
}

static HRESULT issue_query(HANDLE hDevice, const D3DDDIARG_ISSUEQUERY *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_query *query = args->hQuery;
	int err = 0;

	if (query->gpu && args->Flags.Begin)
		err = gpu_query_begin(dev->gpu, query->gpu);
	if (query->gpu && args->Flags.End && !err)
		err = gpu_query_end(dev->gpu, query->gpu);
	return d3d9_result(dev, err);
}

static HRESULT get_query_data(HANDLE hDevice, const D3DDDIARG_GETQUERYDATA *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_query *query = args->hQuery;
	uint64_t result = 0;
	int err = query->gpu ? gpu_query_result(dev->gpu, query->gpu, false, &result) : 0;

	if (err == -EBUSY)
		return S_FALSE;
	if (err)
		return d3d9_result(dev, err);
	switch (query->type) {
	case D3DQUERYTYPE_EVENT:
		*(BOOL *)args->pData = TRUE;
		break;
	case D3DQUERYTYPE_OCCLUSION:
		*(UINT *)args->pData = (UINT)result;
		break;
	case D3DQUERYTYPE_TIMESTAMP:
		*(UINT64 *)args->pData = result;
		break;
	case D3DQUERYTYPE_TIMESTAMPFREQ:
		*(UINT64 *)args->pData = gpu_device_caps(dev->gpu)->timestamp_frequency;
		break;
	default:
		*(BOOL *)args->pData = FALSE;
		break;
	}
	return S_OK;
}

void d3d9_query_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnCreateQuery = create_query;
	table->pfnDestroyQuery = destroy_query;
	table->pfnIssueQuery = issue_query;
	table->pfnGetQueryData = get_query_data;
}
