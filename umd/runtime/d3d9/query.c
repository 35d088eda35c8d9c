/* SPDX-License-Identifier: MIT */
#include "query.h"

#include "device.h"

enum query_state { QUERY_SIGNALED, QUERY_BUILDING, QUERY_ISSUED };

struct d3d9_query {
	struct d3d9_object object;
	D3DQUERYTYPE type;
	HANDLE handle;			/* the driver's */
	enum query_state state;
	UINT64 result;			/* kept once it is there */
	bool has_result;
};

static struct d3d9_query *query_from(IDirect3DQuery9 *iface)
{
	return (struct d3d9_query *)iface;
}

static HRESULT STDMETHODCALLTYPE query_QueryInterface(IDirect3DQuery9 *iface, REFIID iid, void **out)
{
	static const GUID *const interfaces[] = {&IID_IDirect3DQuery9};

	return object_query(&query_from(iface)->object, iid, out, interfaces, 1);
}

static ULONG STDMETHODCALLTYPE query_AddRef(IDirect3DQuery9 *iface)
{
	return object_addref(&query_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE query_Release(IDirect3DQuery9 *iface)
{
	return object_release(&query_from(iface)->object);
}

static HRESULT STDMETHODCALLTYPE query_GetDevice(IDirect3DQuery9 *iface, IDirect3DDevice9 **out)
{
	return device_get(query_from(iface)->object.device, out);
}

static D3DQUERYTYPE STDMETHODCALLTYPE query_GetType(IDirect3DQuery9 *iface)
{
	return query_from(iface)->type;
}

static DWORD STDMETHODCALLTYPE query_GetDataSize(IDirect3DQuery9 *iface)
{
	switch (query_from(iface)->type) {
	case D3DQUERYTYPE_TIMESTAMP:
	case D3DQUERYTYPE_TIMESTAMPFREQ:
		return sizeof(UINT64);
	default:
		return sizeof(DWORD);
	}
}

static bool has_begin(D3DQUERYTYPE type)
{
	return type == D3DQUERYTYPE_OCCLUSION || type == D3DQUERYTYPE_TIMESTAMPDISJOINT;
}

static HRESULT STDMETHODCALLTYPE query_Issue(IDirect3DQuery9 *iface, DWORD flags)
{
	struct d3d9_query *query = query_from(iface);
	struct d3d9_device *device = query->object.device;
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_ISSUEQUERY args = {.hQuery = query->handle};
	HRESULT hr;

	if ((flags != D3DISSUE_BEGIN && flags != D3DISSUE_END) || (flags == D3DISSUE_BEGIN && !has_begin(query->type)))
		return D3DERR_INVALIDCALL;
	/* An end without a begin counts nothing: an empty pair. */
	if (flags == D3DISSUE_BEGIN || (has_begin(query->type) && query->state != QUERY_BUILDING)) {
		args.Flags.Begin = 1;
		hr = device_result(device, device->ddi.pfnIssueQuery(device->driver, &args));
		if (FAILED(hr))
			return hr;
		query->state = QUERY_BUILDING;
		query->has_result = false;
	}
	if (flags == D3DISSUE_BEGIN)
		return D3D_OK;
	args.Flags.Value = 0;
	args.Flags.End = 1;
	hr = device_result(device, device->ddi.pfnIssueQuery(device->driver, &args));
	query->state = QUERY_ISSUED;
	query->has_result = false;
	return hr;
}

static HRESULT fetch_result(struct d3d9_query *query, bool flush)
{
	struct d3d9_device *device = query->object.device;
	D3DDDIARG_GETQUERYDATA args = {.hQuery = query->handle, .pData = &query->result};
	HRESULT hr;

	query->result = 0;
	hr = device->ddi.pfnGetQueryData(device->driver, &args);
	if (hr == S_FALSE && flush) {
		hr = device_result(device, device->ddi.pfnFlush1(device->driver, 0));
		if (SUCCEEDED(hr))
			hr = device->ddi.pfnGetQueryData(device->driver, &args);
	}
	query->has_result = hr == S_OK;
	return hr == S_FALSE ? S_FALSE : device_result(device, hr);
}

static HRESULT STDMETHODCALLTYPE query_GetData(IDirect3DQuery9 *iface, void *data, DWORD size, DWORD flags)
{
	struct d3d9_query *query = query_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(query->object.device);
	DWORD bytes = query_GetDataSize(iface);
	HRESULT hr = D3D_OK;

	if ((flags & ~(DWORD)D3DGETDATA_FLUSH) || (!data && size) || query->state == QUERY_BUILDING)
		return D3DERR_INVALIDCALL;
	if (query->state == QUERY_SIGNALED) {
		/* Never issued: nothing is pending, an event has happened. */
		query->result = query->type == D3DQUERYTYPE_EVENT;
		query->has_result = true;
	}
	if (!query->has_result)
		hr = fetch_result(query, flags & D3DGETDATA_FLUSH);
	if (hr != S_OK)
		return hr;
	if (data)
		memcpy(data, &query->result, size < bytes ? size : bytes);
	return S_OK;
}

static const IDirect3DQuery9Vtbl query_vtbl = {
	.QueryInterface = query_QueryInterface,
	.AddRef = query_AddRef,
	.Release = query_Release,
	.GetDevice = query_GetDevice,
	.GetType = query_GetType,
	.GetDataSize = query_GetDataSize,
	.Issue = query_Issue,
	.GetData = query_GetData,
};

static void query_destroy(struct d3d9_object *object)
{
	struct d3d9_query *query = (struct d3d9_query *)object;

	object->device->ddi.pfnDestroyQuery(object->device->driver, query->handle);
	free(query);
}

HRESULT query_create(struct d3d9_device *device, D3DQUERYTYPE type, IDirect3DQuery9 **out)
{
	D3DDDIARG_CREATEQUERY args = {.QueryType = type};
	struct d3d9_query *query;
	HRESULT hr;

	if (!adapter_has_query(device->adapter, type))
		return D3DERR_NOTAVAILABLE;
	if (!out)
		return D3D_OK;
	query = calloc(1, sizeof(*query));
	if (!query)
		return E_OUTOFMEMORY;
	hr = device_result(device, device->ddi.pfnCreateQuery(device->driver, &args));
	if (FAILED(hr)) {
		free(query);
		return hr;
	}
	query->type = type;
	query->handle = args.hQuery;
	object_init(&query->object, &query_vtbl, device, query_destroy, true);
	*out = (IDirect3DQuery9 *)query;
	return D3D_OK;
}
