/* SPDX-License-Identifier: MIT */
/* Draws, queries, predication. */
#include "d3d11_private.h"

/* ---- draws ---- */

/* Whether a draw reaches the driver: the device is there, and the targets' pairing is one that the GPU has. */
static bool can_draw(const struct d3d11_context *context)
{
	return SUCCEEDED(context->base.device->removed) && !context->targets_refused;
}

static bool can_draw_instances(const struct d3d11_context *context, UINT count)
{
	const struct d3d11_device *device = context->base.device;

	if (!level_10(device) && !device->options.simple_instancing && count > 1) {
		runtime_refused("DrawInstanced", "a GPU without the instancing option");
		return false;
	}
	return can_draw(context);
}

static void STDMETHODCALLTYPE context_Draw(ID3D11DeviceContext1 *iface, UINT count, UINT start)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;

	if (!can_draw(context))
		return;
	d3d11_enter(device);
	device->funcs.pfnDraw(device->ddi, count, start);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DrawIndexed(ID3D11DeviceContext1 *iface, UINT count, UINT start, INT base)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;

	if (!can_draw(context) || !context->bound.index)
		return;
	d3d11_enter(device);
	device->funcs.pfnDrawIndexed(device->ddi, count, start, base);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DrawInstanced(ID3D11DeviceContext1 *iface, UINT count, UINT instances, UINT start,
						    UINT start_instance)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;

	if (!can_draw_instances(context, instances))
		return;
	d3d11_enter(device);
	device->funcs.pfnDrawInstanced(device->ddi, count, instances, start, start_instance);
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_DrawIndexedInstanced(ID3D11DeviceContext1 *iface, UINT count, UINT instances,
							   UINT start, INT base, UINT start_instance)
{
	struct d3d11_context *context = context_impl(iface);
	struct d3d11_device *device = context->base.device;

	if (!can_draw_instances(context, instances) || !context->bound.index)
		return;
	d3d11_enter(device);
	device->funcs.pfnDrawIndexedInstanced(device->ddi, count, instances, start, base, start_instance);
	d3d11_leave(device);
}

/* ---- queries ---- */

/* Events and timestamps are points in time: they have an end only. */
static bool has_begin(const struct d3d11_query *query)
{
	return query->desc.Query != D3D11_QUERY_EVENT && query->desc.Query != D3D11_QUERY_TIMESTAMP;
}

static void STDMETHODCALLTYPE context_Begin(ID3D11DeviceContext1 *iface, ID3D11Asynchronous *async)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_query *query = (struct d3d11_query *)async;

	if (!query || !has_begin(query) || FAILED(device->removed))
		return;
	d3d11_enter(device);
	/* A query that is open starts anew. */
	if (query->state == QUERY_BUILDING)
		device->funcs.pfnQueryEnd(device->ddi, (D3D10DDI_HQUERY){query->ddi});
	query->state = QUERY_BUILDING;
	device->funcs.pfnQueryBegin(device->ddi, (D3D10DDI_HQUERY){query->ddi});
	d3d11_leave(device);
}

static void STDMETHODCALLTYPE context_End(ID3D11DeviceContext1 *iface, ID3D11Asynchronous *async)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_query *query = (struct d3d11_query *)async;

	if (!query || FAILED(device->removed))
		return;
	d3d11_enter(device);
	if (has_begin(query) && query->state != QUERY_BUILDING)
		device->funcs.pfnQueryBegin(device->ddi, (D3D10DDI_HQUERY){query->ddi});
	query->state = QUERY_ISSUED;
	device->funcs.pfnQueryEnd(device->ddi, (D3D10DDI_HQUERY){query->ddi});
	d3d11_leave(device);
}

static HRESULT STDMETHODCALLTYPE context_GetData(ID3D11DeviceContext1 *iface, ID3D11Asynchronous *async, void *data,
						 UINT size, UINT flags)
{
	struct d3d11_device *device = context_impl(iface)->base.device;
	struct d3d11_query *query = (struct d3d11_query *)async;
	HRESULT hr;

	if (!query || (!data && size) || (data && size != ID3D11Asynchronous_GetDataSize(async)) ||
	    flags & ~(UINT)D3D11_ASYNC_GETDATA_DONOTFLUSH)
		return E_INVALIDARG;
	if (query->state != QUERY_ISSUED)
		return DXGI_ERROR_INVALID_CALL;
	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	d3d11_enter(device);
	device->funcs.pfnQueryGetData(device->ddi, (D3D10DDI_HQUERY){query->ddi}, data, size,
				      flags & D3D11_ASYNC_GETDATA_DONOTFLUSH ? D3D10_DDI_GET_DATA_DO_NOT_FLUSH : 0);
	hr = d3d11_leave(device);
	return hr == DXGI_ERROR_WAS_STILL_DRAWING ? S_FALSE : hr;
}

/* Predication is not built: draws are not skipped, which a program may not rely on anyway when it uses hints. */
static void STDMETHODCALLTYPE context_SetPredication(ID3D11DeviceContext1 *iface, ID3D11Predicate *predicate,
						     BOOL value)
{
	if (predicate)
		runtime_log("SetPredication is not built: draws go on unconditionally");
}

static void STDMETHODCALLTYPE context_GetPredication(ID3D11DeviceContext1 *iface, ID3D11Predicate **predicate,
						     BOOL *value)
{
	if (predicate)
		*predicate = NULL;
	if (value)
		*value = FALSE;
}

void context_draw_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	vtbl->Draw = context_Draw;
	vtbl->DrawIndexed = context_DrawIndexed;
	vtbl->DrawInstanced = context_DrawInstanced;
	vtbl->DrawIndexedInstanced = context_DrawIndexedInstanced;
	vtbl->Begin = context_Begin;
	vtbl->End = context_End;
	vtbl->GetData = context_GetData;
	vtbl->SetPredication = context_SetPredication;
	vtbl->GetPredication = context_GetPredication;
}
