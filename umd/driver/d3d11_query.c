/* SPDX-License-Identifier: MIT */
/* Queries: event, occlusion, timestamps. */
#include <errno.h>
#include <string.h>

#include "d3d11_front.h"

static bool gpu_type(D3D10DDI_QUERY type, enum gpu_query_type *out)
{
	switch (type) {
	case D3D10DDI_QUERY_EVENT:
		*out = GPU_QUERY_EVENT;
		return true;
	case D3D10DDI_QUERY_OCCLUSION:
		*out = GPU_QUERY_OCCLUSION;
		return true;
	case D3D10DDI_QUERY_OCCLUSIONPREDICATE:
		*out = GPU_QUERY_OCCLUSION_PREDICATE;
		return true;
	case D3D10DDI_QUERY_TIMESTAMP:
		*out = GPU_QUERY_TIMESTAMP;
		return true;
	default:
		return false;
	}
}

static SIZE_T calc_query_size(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATEQUERY *args)
{
	return sizeof(struct d3d11_query);
}

static void create_query(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATEQUERY *args, D3D10DDI_HQUERY hQuery,
			 D3D10DDI_HRTQUERY hRTQuery)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_query *query = hQuery.pDrvPrivate;
	enum gpu_query_type type;

	*query = (struct d3d11_query){.type = args->Query};
	/* The engine's clock never changes its rate: a disjoint query has nothing to measure. */
	if (args->Query == D3D10DDI_QUERY_TIMESTAMPDISJOINT)
		return;
	d3d11_check(dev, gpu_type(args->Query, &type) ? gpu_query_create(dev->gpu, type, &query->gpu) : -ENOTSUP);
}

static void destroy_query(D3D10DDI_HDEVICE hDevice, D3D10DDI_HQUERY hQuery)
{
	struct d3d11_query *query = hQuery.pDrvPrivate;

	if (query->gpu)
		gpu_query_destroy(d3d11_device(hDevice)->gpu, query->gpu);
}

static void query_begin(D3D10DDI_HDEVICE hDevice, D3D10DDI_HQUERY hQuery)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_query *query = hQuery.pDrvPrivate;

	if (query->gpu)
		d3d11_check_lost(dev, gpu_query_begin(dev->gpu, query->gpu));
}

static void query_end(D3D10DDI_HDEVICE hDevice, D3D10DDI_HQUERY hQuery)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_query *query = hQuery.pDrvPrivate;

	if (query->gpu)
		d3d11_check_lost(dev, gpu_query_end(dev->gpu, query->gpu));
}

static void store(VOID *data, UINT size, const void *value, UINT value_size)
{
	if (data && size)
		memcpy(data, value, size < value_size ? size : value_size);
}

static void query_get_data(D3D10DDI_HDEVICE hDevice, D3D10DDI_HQUERY hQuery, VOID *pData, UINT DataSize, UINT Flags)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_query *query = hQuery.pDrvPrivate;
	uint64_t result = 0;
	BOOL truth;

	if (!query->gpu) {
		D3D10_DDI_QUERY_DATA_TIMESTAMP_DISJOINT disjoint = {0};

		disjoint.Frequency = gpu_device_caps(dev->gpu)->timestamp_frequency;
		store(pData, DataSize, &disjoint, sizeof(disjoint));
		return;
	}
	if (!d3d11_check(dev,
			 gpu_query_result(dev->gpu, query->gpu, !(Flags & D3D10_DDI_GET_DATA_DO_NOT_FLUSH), &result)))
		return;
	truth = query->type == D3D10DDI_QUERY_EVENT || result;
	if (query->type == D3D10DDI_QUERY_EVENT || query->type == D3D10DDI_QUERY_OCCLUSIONPREDICATE)
		store(pData, DataSize, &truth, sizeof(truth));
	else
		store(pData, DataSize, &result, sizeof(result));
}

void d3d11_query_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateQuerySize = calc_query_size;
	table->pfnCreateQuery = create_query;
	table->pfnDestroyQuery = destroy_query;
	table->pfnQueryBegin = query_begin;
	table->pfnQueryEnd = query_end;
	table->pfnQueryGetData = query_get_data;
}
