/* SPDX-License-Identifier: MIT */
/* The device's other faces: IDXGIDevice2, ID3D10Multithread, and the private one that swap chains use. */
#include "d3d11_private.h"

#include <string.h>

/* ---- IDXGIDevice2 ---- */

static struct d3d11_device *from_dxgi(IDXGIDevice2 *iface)
{
	return (struct d3d11_device *)((char *)iface - offsetof(struct d3d11_device, dxgi_device));
}

static HRESULT STDMETHODCALLTYPE dxgi_QueryInterface(IDXGIDevice2 *iface, REFIID riid, void **out)
{
	return ID3D11Device1_QueryInterface(&from_dxgi(iface)->ID3D11Device1_iface, riid, out);
}

static ULONG STDMETHODCALLTYPE dxgi_AddRef(IDXGIDevice2 *iface)
{
	return d3d11_device_addref(from_dxgi(iface));
}

static ULONG STDMETHODCALLTYPE dxgi_Release(IDXGIDevice2 *iface)
{
	return d3d11_device_release(from_dxgi(iface));
}

static HRESULT STDMETHODCALLTYPE dxgi_SetPrivateData(IDXGIDevice2 *iface, REFGUID guid, UINT size, const void *data)
{
	return private_data_set(from_dxgi(iface), &from_dxgi(iface)->data, guid, size, data, false);
}

static HRESULT STDMETHODCALLTYPE dxgi_SetPrivateDataInterface(IDXGIDevice2 *iface, REFGUID guid, const IUnknown *data)
{
	return private_data_set(from_dxgi(iface), &from_dxgi(iface)->data, guid, sizeof(void *), data, true);
}

static HRESULT STDMETHODCALLTYPE dxgi_GetPrivateData(IDXGIDevice2 *iface, REFGUID guid, UINT *size, void *data)
{
	return private_data_get(from_dxgi(iface), &from_dxgi(iface)->data, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE dxgi_GetParent(IDXGIDevice2 *iface, REFIID riid, void **parent)
{
	return IDXGIAdapter3_QueryInterface(from_dxgi(iface)->adapter, riid, parent);
}

static HRESULT STDMETHODCALLTYPE dxgi_GetAdapter(IDXGIDevice2 *iface, IDXGIAdapter **adapter)
{
	if (!adapter)
		return E_INVALIDARG;
	*adapter = (IDXGIAdapter *)from_dxgi(iface)->adapter;
	IDXGIAdapter_AddRef(*adapter);
	return S_OK;
}

/* DXGI's own way to make surfaces; Direct3D 11 programs use CreateTexture2D. */
static HRESULT STDMETHODCALLTYPE dxgi_CreateSurface(IDXGIDevice2 *iface, const DXGI_SURFACE_DESC *desc, UINT count,
						    DXGI_USAGE usage, const DXGI_SHARED_RESOURCE *shared,
						    IDXGISurface **surface)
{
	D3D11_TEXTURE2D_DESC texture_desc;
	ID3D11Texture2D *texture;
	HRESULT hr;

	if (!desc || !surface || count != 1 || shared)
		return E_INVALIDARG;
	*surface = NULL;
	texture_desc = (D3D11_TEXTURE2D_DESC){.Width = desc->Width,
					      .Height = desc->Height,
					      .MipLevels = 1,
					      .ArraySize = 1,
					      .Format = desc->Format,
					      .SampleDesc = desc->SampleDesc};
	if (usage & DXGI_USAGE_RENDER_TARGET_OUTPUT)
		texture_desc.BindFlags |= D3D11_BIND_RENDER_TARGET;
	if (usage & DXGI_USAGE_SHADER_INPUT)
		texture_desc.BindFlags |= D3D11_BIND_SHADER_RESOURCE;
	if (!texture_desc.BindFlags)
		texture_desc.BindFlags = D3D11_BIND_SHADER_RESOURCE;
	hr = texture2d_create(from_dxgi(iface), &texture_desc, NULL, &texture);
	if (FAILED(hr))
		return hr;
	hr = ID3D11Texture2D_QueryInterface(texture, &IID_IDXGISurface, (void **)surface);
	ID3D11Texture2D_Release(texture);
	return hr;
}

static HRESULT STDMETHODCALLTYPE dxgi_QueryResourceResidency(IDXGIDevice2 *iface, IUnknown *const *resources,
							     DXGI_RESIDENCY *status, UINT count)
{
	struct d3d11_device *device = from_dxgi(iface);

	if (!resources || !status || !count)
		return E_INVALIDARG;
	for (UINT i = 0; i < count; i++) {
		DXGI_DDI_RESIDENCY residency;
		DXGI_DDI_HRESOURCE handle;
		ID3D11Resource *resource;
		DXGI_DDI_ARG_QUERYRESOURCERESIDENCY args = {(DXGI_DDI_HDEVICE)device->ddi.pDrvPrivate, &handle,
							    &residency, 1};

		if (!resources[i] ||
		    FAILED(IUnknown_QueryInterface(resources[i], &IID_ID3D11Resource, (void **)&resource)))
			return E_INVALIDARG;
		handle = (DXGI_DDI_HRESOURCE)((struct d3d11_resource *)resource)->ddi.pDrvPrivate;
		d3d11_enter(device);
		device->dxgi_funcs.pfnQueryResourceResidency(&args);
		d3d11_leave(device);
		ID3D11Resource_Release(resource);
		status[i] = (DXGI_RESIDENCY)residency;
	}
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE dxgi_SetGPUThreadPriority(IDXGIDevice2 *iface, INT priority)
{
	if (priority < -7 || priority > 7)
		return E_INVALIDARG;
	from_dxgi(iface)->thread_priority = priority;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE dxgi_GetGPUThreadPriority(IDXGIDevice2 *iface, INT *priority)
{
	if (!priority)
		return E_POINTER;
	*priority = from_dxgi(iface)->thread_priority;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE dxgi_SetMaximumFrameLatency(IDXGIDevice2 *iface, UINT latency)
{
	if (latency > 16)
		return DXGI_ERROR_INVALID_CALL;
	from_dxgi(iface)->frame_latency = latency ? latency : 3;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE dxgi_GetMaximumFrameLatency(IDXGIDevice2 *iface, UINT *latency)
{
	if (!latency)
		return DXGI_ERROR_INVALID_CALL;
	*latency = from_dxgi(iface)->frame_latency;
	return S_OK;
}

/* Offered resources keep their content: the pool evicts without losing anything. */
static HRESULT STDMETHODCALLTYPE dxgi_OfferResources(IDXGIDevice2 *iface, UINT count, IDXGIResource *const *resources,
						     DXGI_OFFER_RESOURCE_PRIORITY priority)
{
	if (!count || !resources || priority < DXGI_OFFER_RESOURCE_PRIORITY_LOW ||
	    priority > DXGI_OFFER_RESOURCE_PRIORITY_HIGH)
		return E_INVALIDARG;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE dxgi_ReclaimResources(IDXGIDevice2 *iface, UINT count, IDXGIResource *const *resources,
						       BOOL *discarded)
{
	if (!count || !resources)
		return E_INVALIDARG;
	if (discarded)
		memset(discarded, 0, count * sizeof(*discarded));
	return S_OK;
}

/* Events are the operating system's: a native program has none. */
static HRESULT STDMETHODCALLTYPE dxgi_EnqueueSetEvent(IDXGIDevice2 *iface, HANDLE event)
{
	return E_NOTIMPL;
}

const IDXGIDevice2Vtbl dxgi_device_vtbl = {
	.QueryInterface = dxgi_QueryInterface,
	.AddRef = dxgi_AddRef,
	.Release = dxgi_Release,
	.SetPrivateData = dxgi_SetPrivateData,
	.SetPrivateDataInterface = dxgi_SetPrivateDataInterface,
	.GetPrivateData = dxgi_GetPrivateData,
	.GetParent = dxgi_GetParent,
	.GetAdapter = dxgi_GetAdapter,
	.CreateSurface = dxgi_CreateSurface,
	.QueryResourceResidency = dxgi_QueryResourceResidency,
	.SetGPUThreadPriority = dxgi_SetGPUThreadPriority,
	.GetGPUThreadPriority = dxgi_GetGPUThreadPriority,
	.SetMaximumFrameLatency = dxgi_SetMaximumFrameLatency,
	.GetMaximumFrameLatency = dxgi_GetMaximumFrameLatency,
	.OfferResources = dxgi_OfferResources,
	.ReclaimResources = dxgi_ReclaimResources,
	.EnqueueSetEvent = dxgi_EnqueueSetEvent,
};

/* ---- ID3D10Multithread: the device is always protected; the setting only reads back ---- */

static struct d3d11_device *from_multithread(ID3D10Multithread *iface)
{
	return (struct d3d11_device *)((char *)iface - offsetof(struct d3d11_device, multithread));
}

static HRESULT STDMETHODCALLTYPE multithread_QueryInterface(ID3D10Multithread *iface, REFIID riid, void **out)
{
	return ID3D11Device1_QueryInterface(&from_multithread(iface)->ID3D11Device1_iface, riid, out);
}

static ULONG STDMETHODCALLTYPE multithread_AddRef(ID3D10Multithread *iface)
{
	return d3d11_device_addref(from_multithread(iface));
}

static ULONG STDMETHODCALLTYPE multithread_Release(ID3D10Multithread *iface)
{
	return d3d11_device_release(from_multithread(iface));
}

static void STDMETHODCALLTYPE multithread_Enter(ID3D10Multithread *iface)
{
	pthread_mutex_lock(&from_multithread(iface)->lock);
}

static void STDMETHODCALLTYPE multithread_Leave(ID3D10Multithread *iface)
{
	pthread_mutex_unlock(&from_multithread(iface)->lock);
}

static BOOL STDMETHODCALLTYPE multithread_SetMultithreadProtected(ID3D10Multithread *iface, BOOL protected)
{
	struct d3d11_device *device = from_multithread(iface);
	BOOL before = device->multithread_protected;

	device->multithread_protected = !!protected;
	return before;
}

static BOOL STDMETHODCALLTYPE multithread_GetMultithreadProtected(ID3D10Multithread *iface)
{
	return from_multithread(iface)->multithread_protected;
}

const ID3D10MultithreadVtbl multithread_vtbl = {
	.QueryInterface = multithread_QueryInterface,
	.AddRef = multithread_AddRef,
	.Release = multithread_Release,
	.Enter = multithread_Enter,
	.Leave = multithread_Leave,
	.SetMultithreadProtected = multithread_SetMultithreadProtected,
	.GetMultithreadProtected = multithread_GetMultithreadProtected,
};

/* ---- D3DGPUSurfaceDevice ---- */

static struct d3d11_device *from_surface(D3DGPUSurfaceDevice *iface)
{
	return (struct d3d11_device *)((char *)iface - offsetof(struct d3d11_device, surface_device));
}

static HRESULT STDMETHODCALLTYPE surface_QueryInterface(D3DGPUSurfaceDevice *iface, REFIID riid, void **out)
{
	return ID3D11Device1_QueryInterface(&from_surface(iface)->ID3D11Device1_iface, riid, out);
}

static ULONG STDMETHODCALLTYPE surface_AddRef(D3DGPUSurfaceDevice *iface)
{
	return d3d11_device_addref(from_surface(iface));
}

static ULONG STDMETHODCALLTYPE surface_Release(D3DGPUSurfaceDevice *iface)
{
	return d3d11_device_release(from_surface(iface));
}

static HRESULT surface_CreateSurface(D3DGPUSurfaceDevice *iface, const struct d3dgpu_surface_request *request,
				     IUnknown **out)
{
	struct d3d11_device *device = from_surface(iface);
	struct d3d11_resource desc = {
		.dimension = D3D11_RESOURCE_DIMENSION_TEXTURE2D,
		.width = request->width,
		.height = request->height,
		.depth = 1,
		.levels = 1,
		.layers = 1,
		.format = request->format,
		.samples = request->samples,
		.bind = D3D11_BIND_RENDER_TARGET,
	};
	struct d3d11_resource *resource;
	HRESULT hr;

	if (request->usage & DXGI_USAGE_SHADER_INPUT)
		desc.bind |= D3D11_BIND_SHADER_RESOURCE;
	hr = resource_validate(device, &desc, NULL);
	if (SUCCEEDED(hr))
		hr = resource_create(device, &desc, NULL, request->scanout ? D3D10_DDI_BIND_PRESENT : 0, &resource);
	if (FAILED(hr))
		return hr;
	pthread_mutex_lock(&device->lock);
	child_hold(&resource->base);
	pthread_mutex_unlock(&device->lock);
	child_Release(&resource->base);
	*out = (IUnknown *)resource;
	return S_OK;
}

static void surface_Unpin(D3DGPUSurfaceDevice *iface, IUnknown *surface)
{
	struct d3d11_device *device = from_surface(iface);

	pthread_mutex_lock(&device->lock);
	child_drop((struct d3d11_child *)surface);
	pthread_mutex_unlock(&device->lock);
}

static bool surface_InUse(D3DGPUSurfaceDevice *iface, IUnknown *surface)
{
	struct d3d11_device *device = from_surface(iface);
	bool in_use;

	pthread_mutex_lock(&device->lock);
	in_use = ((struct d3d11_child *)surface)->holds > 1;
	pthread_mutex_unlock(&device->lock);
	return in_use;
}

static HRESULT finish(struct d3d11_device *device, HRESULT hr)
{
	if (hr == D3DDDIERR_DEVICEREMOVED && SUCCEEDED(device->removed))
		device->removed = DXGI_ERROR_DEVICE_REMOVED;
	device->error = hr;
	hr = d3d11_leave(device);
	return hr == E_NOTIMPL ? DXGI_ERROR_UNSUPPORTED : hr;
}

static HRESULT surface_Blit(D3DGPUSurfaceDevice *iface, IUnknown *dst_surface, IUnknown *src_surface)
{
	struct d3d11_device *device = from_surface(iface);
	struct d3d11_resource *dst = (struct d3d11_resource *)dst_surface, *src = (struct d3d11_resource *)src_surface;
	DXGI_DDI_ARG_BLT args = {
		.hDevice = (DXGI_DDI_HDEVICE)device->ddi.pDrvPrivate,
		.hDstResource = (DXGI_DDI_HRESOURCE)dst->ddi.pDrvPrivate,
		.DstRight = dst->width,
		.DstBottom = dst->height,
		.hSrcResource = (DXGI_DDI_HRESOURCE)src->ddi.pDrvPrivate,
		.Flags.Present = 1,
	};

	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	args.Flags.Convert = dst->format != src->format;
	args.Flags.Stretch = dst->width != src->width || dst->height != src->height;
	args.Flags.Resolve = src->samples.Count > 1;
	d3d11_enter(device);
	return finish(device, device->dxgi_funcs.pfnBlt(&args));
}

/* pDXGIContext is where the handle goes. */
HRESULT device_present_callback(HANDLE hDevice, DXGIDDICB_PRESENT *data)
{
	*(D3DKMT_HANDLE *)data->pDXGIContext = data->hSrcAllocation;
	return S_OK;
}

/* The program may be as many frames ahead as SetMaximumFrameLatency says. */
static HRESULT wait_for_frames(struct d3d11_device *device)
{
	struct d3dgpu_ddi_frames frames = {device->frame_latency, 0};

	return device->retrieve_sub_object(device->ddi, D3DGPU_SUBOBJECT_FRAMES, sizeof(frames), &frames, 0, NULL);
}

static HRESULT surface_Present(D3DGPUSurfaceDevice *iface, IUnknown *surface, UINT interval, D3DKMT_HANDLE *handle)
{
	struct d3d11_device *device = from_surface(iface);
	struct d3d11_resource *resource = (struct d3d11_resource *)surface;
	DXGI_DDI_ARG_PRESENT args = {
		.hDevice = (DXGI_DDI_HDEVICE)device->ddi.pDrvPrivate,
		.hSurfaceToPresent = (DXGI_DDI_HRESOURCE)resource->ddi.pDrvPrivate,
		.pDXGIContext = handle,
		.Flags.Flip = 1,
		.FlipInterval = (DXGI_DDI_FLIP_INTERVAL_TYPE)interval,
	};
	HRESULT hr;

	if (FAILED(device->removed))
		return DXGI_ERROR_DEVICE_REMOVED;
	*handle = 0;
	d3d11_enter(device);
	hr = device->dxgi_funcs.pfnPresent(&args);
	if (SUCCEEDED(hr))
		hr = wait_for_frames(device);
	return finish(device, hr);
}

/* Through a staging texture of its own: pictures in memory are for window systems without buffer sharing. */
static HRESULT surface_Read(D3DGPUSurfaceDevice *iface, IUnknown *surface,
			    void (*read)(void *context, const void *pixels, UINT pitch), void *context)
{
	struct d3d11_device *device = from_surface(iface);
	struct d3d11_resource *source = (struct d3d11_resource *)surface;
	ID3D11DeviceContext1 *immediate = (ID3D11DeviceContext1 *)device->context;
	D3D11_TEXTURE2D_DESC desc = {source->width,
				     source->height,
				     1,
				     1,
				     source->format,
				     {1, 0},
				     D3D11_USAGE_STAGING,
				     0,
				     D3D11_CPU_ACCESS_READ,
				     0};
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Texture2D *staging;
	HRESULT hr = texture2d_create(device, &desc, NULL, &staging);

	if (FAILED(hr))
		return hr;
	ID3D11DeviceContext1_CopyResource(immediate, (ID3D11Resource *)staging, (ID3D11Resource *)source);
	hr = ID3D11DeviceContext1_Map(immediate, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped);
	if (SUCCEEDED(hr)) {
		read(context, mapped.pData, mapped.RowPitch);
		ID3D11DeviceContext1_Unmap(immediate, (ID3D11Resource *)staging, 0);
	}
	ID3D11Texture2D_Release(staging);
	return hr;
}

static struct dxgi_ddi_adapter *surface_GetDdiAdapter(D3DGPUSurfaceDevice *iface)
{
	return from_surface(iface)->ddi_adapter;
}

const D3DGPUSurfaceDeviceVtbl surface_device_vtbl = {
	.QueryInterface = surface_QueryInterface,
	.AddRef = surface_AddRef,
	.Release = surface_Release,
	.CreateSurface = surface_CreateSurface,
	.Unpin = surface_Unpin,
	.InUse = surface_InUse,
	.Blit = surface_Blit,
	.Present = surface_Present,
	.Read = surface_Read,
	.GetDdiAdapter = surface_GetDdiAdapter,
};
