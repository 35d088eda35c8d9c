/* SPDX-License-Identifier: MIT */
/* ID3D11Query and ID3D11Predicate. */
#include "d3d11_private.h"

#include <stdlib.h>

static void STDMETHODCALLTYPE query_GetDesc(ID3D11Query *iface, D3D11_QUERY_DESC *desc)
{
	*desc = ((struct d3d11_query *)iface)->desc;
}

static UINT STDMETHODCALLTYPE query_GetDataSize(ID3D11Query *iface)
{
	switch (((struct d3d11_query *)iface)->desc.Query) {
	case D3D11_QUERY_EVENT:
	case D3D11_QUERY_OCCLUSION_PREDICATE:
		return sizeof(BOOL);
	case D3D11_QUERY_TIMESTAMP_DISJOINT:
		return sizeof(D3D11_QUERY_DATA_TIMESTAMP_DISJOINT);
	default:
		return sizeof(UINT64);
	}
}

static const ID3D11QueryVtbl query_vtbl = {
	CHILD_METHODS(ID3D11Query),
	.GetDataSize = query_GetDataSize,
	.GetDesc = query_GetDesc,
};

/* A predicate is a query: the interface adds nothing. */
static const ID3D11PredicateVtbl predicate_vtbl = {
	CHILD_METHODS(ID3D11Predicate),
	.GetDataSize = (UINT(STDMETHODCALLTYPE *)(ID3D11Predicate *))query_GetDataSize,
	.GetDesc = (void(STDMETHODCALLTYPE *)(ID3D11Predicate *, D3D11_QUERY_DESC *))query_GetDesc,
};

static void destroy(struct d3d11_child *child)
{
	D3D10DDI_HQUERY handle = {((struct d3d11_query *)child)->ddi};

	child->device->funcs.pfnDestroyQuery(child->device->ddi, handle);
	free(child);
}

/* Kinds that the driver has. Statistics and stream output are not built. */
static HRESULT check_kind(struct d3d11_device *device, const D3D11_QUERY_DESC *desc, bool predicate,
			  D3D10DDI_QUERY *ddi)
{
	switch (desc->Query) {
	case D3D11_QUERY_EVENT:
		*ddi = D3D10DDI_QUERY_EVENT;
		break;
	case D3D11_QUERY_OCCLUSION:
		if (device->level < D3D_FEATURE_LEVEL_9_2)
			return E_INVALIDARG;
		*ddi = D3D10DDI_QUERY_OCCLUSION;
		break;
	case D3D11_QUERY_TIMESTAMP:
		*ddi = D3D10DDI_QUERY_TIMESTAMP;
		break;
	case D3D11_QUERY_TIMESTAMP_DISJOINT:
		*ddi = D3D10DDI_QUERY_TIMESTAMPDISJOINT;
		break;
	case D3D11_QUERY_OCCLUSION_PREDICATE:
		*ddi = D3D10DDI_QUERY_OCCLUSIONPREDICATE;
		return level_10(device) ? S_OK : E_INVALIDARG;
	default:
		return (unsigned)desc->Query <= D3D11_QUERY_SO_OVERFLOW_PREDICATE_STREAM3 ? E_NOTIMPL : E_INVALIDARG;
	}
	return predicate || desc->MiscFlags & D3D11_QUERY_MISC_PREDICATEHINT ? E_INVALIDARG : S_OK;
}

static HRESULT construct(struct d3d11_device *device, const D3D10DDIARG_CREATEQUERY *args, struct d3d11_query **out)
{
	D3D10DDI_HQUERY handle;
	D3D10DDI_HRTQUERY runtime;
	struct d3d11_query *query;
	void *driver = NULL;
	HRESULT hr;

	d3d11_enter(device);
	query = child_alloc(sizeof(*query), device->funcs.pfnCalcPrivateQuerySize(device->ddi, args), &driver);
	if (!query) {
		d3d11_leave(device);
		return E_OUTOFMEMORY;
	}
	query->ddi = handle.pDrvPrivate = driver;
	runtime.handle = query;
	device->funcs.pfnCreateQuery(device->ddi, args, handle, runtime);
	hr = d3d11_leave(device);
	if (FAILED(hr)) {
		free(query);
		return hr;
	}
	*out = query;
	return S_OK;
}

HRESULT query_create(struct d3d11_device *device, const D3D11_QUERY_DESC *desc, bool predicate, void **out)
{
	D3D10DDIARG_CREATEQUERY args;
	struct d3d11_query *query;
	HRESULT hr;

	if (out)
		*out = NULL;
	if (!desc || desc->MiscFlags & ~(UINT)D3D11_QUERY_MISC_PREDICATEHINT)
		return E_INVALIDARG;
	hr = check_kind(device, desc, predicate, &args.Query);
	if (FAILED(hr))
		return hr;
	if (!out)
		return S_FALSE;
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	args.MiscFlags = desc->MiscFlags;
	hr = construct(device, &args, &query);
	if (FAILED(hr))
		return hr;
	query->desc = *desc;
	child_init(&query->base, device, predicate ? KIND_PREDICATE : KIND_QUERY,
		   predicate ? (const void *)&predicate_vtbl : (const void *)&query_vtbl, destroy);
	*out = query;
	return S_OK;
}
