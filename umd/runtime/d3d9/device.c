/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <limits.h>

#include "buffer.h"
#include "d3dgpu_statistics.h"
#include "declaration.h"
#include "query.h"
#include "swapchain.h"

#define MEGABYTE (1u << 20)

HRESULT device_result(struct d3d9_device *device, HRESULT hr)
{
	switch (hr) {
	case D3DDDIERR_DEVICEHUNG:
	case D3DDDIERR_DEVICEREMOVED:
		if (SUCCEEDED(device->lost))
			runtime_log("the GPU context of device %p is lost (%#x)", (void *)device, hr);
		device->lost = hr;
		return device->is_ex ? hr : D3DERR_DEVICELOST;
	case E_INVALIDARG:
		return D3DERR_INVALIDCALL;
	case E_NOTIMPL:
		return D3DERR_NOTAVAILABLE;
	default:
		return hr;
	}
}

/* ---- IUnknown ---- */

static HRESULT STDMETHODCALLTYPE device_QueryInterface(IDirect3DDevice9Ex *iface, REFIID iid, void **out)
{
	struct d3d9_device *device = device_from(iface);

	if (!out)
		return E_POINTER;
	*out = NULL;
	if (!IsEqualGUID(iid, &IID_IUnknown) && !IsEqualGUID(iid, &IID_IDirect3DDevice9) &&
	    !(device->is_ex && IsEqualGUID(iid, &IID_IDirect3DDevice9Ex)))
		return E_NOINTERFACE;
	device_addref(device);
	*out = iface;
	return S_OK;
}

ULONG device_addref(struct d3d9_device *device)
{
	return (ULONG)__atomic_add_fetch(&device->refs, 1, __ATOMIC_RELAXED);
}

static ULONG STDMETHODCALLTYPE device_AddRef(IDirect3DDevice9Ex *iface)
{
	return device_addref(device_from(iface));
}

/* Everything that only the device still holds. */
static void release_bound(struct d3d9_device *device)
{
	state_block_cancel(device);
	state_unbind_all(&device->state);
	for (DWORD i = 0; i < DEVICE_TARGETS; i++) {
		surface_unbind(device->targets[i]);
		device->targets[i] = NULL;
	}
	surface_unbind(device->depth_stencil);
	surface_unbind(device->auto_depth_stencil);
	device->depth_stencil = device->auto_depth_stencil = NULL;
	for (UINT i = 0; i < device->fvf_count; i++)
		object_unbind(&device->fvf_declarations[i]->object);
	free(device->fvf_declarations);
	object_unbind((struct d3d9_object *)device->up_vertices.buffer);
	object_unbind((struct d3d9_object *)device->up_indices.buffer);
	if (device->swapchains[0]) {
		swapchain_leave(device->swapchains[0]);
		object_unbind((struct d3d9_object *)device->swapchains[0]);
	}
}

static void device_destroy(struct d3d9_device *device)
{
	if (device->driver) {
		release_bound(device);
		device->ddi.pfnDestroyDevice(device->driver);
	}
	adapter_caps_unref(device->adapter);
	pthread_mutex_destroy(&device->lock);
	IDirect3D9Ex_Release(device->parent);
	free(device);
}

ULONG device_release(struct d3d9_device *device)
{
	LONG refs = __atomic_sub_fetch(&device->refs, 1, __ATOMIC_ACQ_REL);

	if (refs)
		return (ULONG)refs;
	/* Objects that are destroyed now may hold the device for a moment: they must not destroy it again. */
	device->refs = 1 << 30;
	device_destroy(device);
	return 0;
}

static ULONG STDMETHODCALLTYPE device_Release(IDirect3DDevice9Ex *iface)
{
	return device_release(device_from(iface));
}

HRESULT device_get(struct d3d9_device *device, IDirect3DDevice9 **out)
{
	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DDevice9 *)device;
	device_addref(device);
	return D3D_OK;
}

/* ---- the device itself ---- */

static HRESULT STDMETHODCALLTYPE device_TestCooperativeLevel(IDirect3DDevice9Ex *iface)
{
	struct d3d9_device *device = device_from(iface);

	return device->is_ex || SUCCEEDED(device->lost) ? D3D_OK : D3DERR_DEVICELOST;
}

/* In whole megabytes, as Direct3D says; 4 GiB and more do not fit the answer. */
static UINT STDMETHODCALLTYPE device_GetAvailableTextureMem(IDirect3DDevice9Ex *iface)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	uint64_t bytes = adapter_free_memory(device->adapter);

	return (UINT)(bytes < UINT_MAX ? bytes : UINT_MAX) & ~(UINT)(MEGABYTE - 1);
}

static HRESULT STDMETHODCALLTYPE device_EvictManagedResources(IDirect3DDevice9Ex *iface)
{
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetDirect3D(IDirect3DDevice9Ex *iface, IDirect3D9 **out)
{
	struct d3d9_device *device = device_from(iface);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3D9 *)device->parent;
	IDirect3D9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetDeviceCaps(IDirect3DDevice9Ex *iface, D3DCAPS9 *caps)
{
	if (!caps)
		return D3DERR_INVALIDCALL;
	*caps = device_from(iface)->adapter->caps;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetCreationParameters(IDirect3DDevice9Ex *iface,
							      D3DDEVICE_CREATION_PARAMETERS *params)
{
	if (!params)
		return D3DERR_INVALIDCALL;
	*params = device_from(iface)->creation;
	return D3D_OK;
}

/* A hardware cursor: validated; the display shows it when the window system has one. */
static HRESULT STDMETHODCALLTYPE device_SetCursorProperties(IDirect3DDevice9Ex *iface, UINT x, UINT y,
							    IDirect3DSurface9 *bitmap)
{
	const struct d3d9_surface *surface = surface_from(bitmap);

	if (!bitmap || surface->storage->format != D3DFMT_A8R8G8B8)
		return D3DERR_INVALIDCALL;
	if ((surface_width(surface) & (surface_width(surface) - 1)) ||
	    (surface_height(surface) & (surface_height(surface) - 1)))
		return D3DERR_INVALIDCALL;
	return D3DERR_NOTAVAILABLE;
}

static void STDMETHODCALLTYPE device_SetCursorPosition(IDirect3DDevice9Ex *iface, int x, int y, DWORD flags)
{
}

static BOOL STDMETHODCALLTYPE device_ShowCursor(IDirect3DDevice9Ex *iface, BOOL show)
{
	return FALSE;
}

static HRESULT STDMETHODCALLTYPE device_SetDialogBoxMode(IDirect3DDevice9Ex *iface, BOOL enable)
{
	return D3D_OK;
}

/* Kept and given back; the display engine has no gamma yet. */
static void STDMETHODCALLTYPE device_SetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, DWORD flags,
						  const D3DGAMMARAMP *ramp)
{
	if (ramp)
		device_from(iface)->gamma = *ramp;
}

static void STDMETHODCALLTYPE device_GetGammaRamp(IDirect3DDevice9Ex *iface, UINT chain, D3DGAMMARAMP *ramp)
{
	if (ramp)
		*ramp = device_from(iface)->gamma;
}

static HRESULT STDMETHODCALLTYPE device_SetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface, BOOL software)
{
	struct d3d9_device *device = device_from(iface);

	if (!(device->creation.BehaviorFlags & D3DCREATE_MIXED_VERTEXPROCESSING) &&
	    software != ((device->creation.BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING) != 0))
		return D3DERR_INVALIDCALL;
	device->software_vertex_processing = software;
	return D3D_OK;
}

static BOOL STDMETHODCALLTYPE device_GetSoftwareVertexProcessing(IDirect3DDevice9Ex *iface)
{
	return device_from(iface)->software_vertex_processing;
}

static HRESULT STDMETHODCALLTYPE device_CreateQuery(IDirect3DDevice9Ex *iface, D3DQUERYTYPE type, IDirect3DQuery9 **out)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return query_create(device_from(iface), type, out);
}

/* Higher-order surfaces, A1 text, palettes: this adapter says in its caps that it has none. */
static HRESULT STDMETHODCALLTYPE device_DrawRectPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
						      const D3DRECTPATCH_INFO *info)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_DrawTriPatch(IDirect3DDevice9Ex *iface, UINT handle, const float *segments,
						     const D3DTRIPATCH_INFO *info)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_DeletePatch(IDirect3DDevice9Ex *iface, UINT handle)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_SetConvolutionMonoKernel(IDirect3DDevice9Ex *iface, UINT width, UINT height,
								 float *rows, float *columns)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_ComposeRects(IDirect3DDevice9Ex *iface, IDirect3DSurface9 *src,
						     IDirect3DSurface9 *dst, IDirect3DVertexBuffer9 *src_rects,
						     UINT count, IDirect3DVertexBuffer9 *dst_rects,
						     D3DCOMPOSERECTSOP operation, int x, int y)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_SetPaletteEntries(IDirect3DDevice9Ex *iface, UINT index,
							  const PALETTEENTRY *entries)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_GetPaletteEntries(IDirect3DDevice9Ex *iface, UINT index, PALETTEENTRY *entries)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_SetCurrentTexturePalette(IDirect3DDevice9Ex *iface, UINT index)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_GetCurrentTexturePalette(IDirect3DDevice9Ex *iface, UINT *index)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_SetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT priority)
{
	if (priority < -7 || priority > 7)
		return D3DERR_INVALIDCALL;
	device_from(iface)->gpu_priority = priority;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetGPUThreadPriority(IDirect3DDevice9Ex *iface, INT *priority)
{
	if (!priority)
		return D3DERR_INVALIDCALL;
	*priority = device_from(iface)->gpu_priority;
	return D3D_OK;
}

static IDirect3DDevice9ExVtbl device_vtbl = {
	.QueryInterface = device_QueryInterface,
	.AddRef = device_AddRef,
	.Release = device_Release,
	.TestCooperativeLevel = device_TestCooperativeLevel,
	.GetAvailableTextureMem = device_GetAvailableTextureMem,
	.EvictManagedResources = device_EvictManagedResources,
	.GetDirect3D = device_GetDirect3D,
	.GetDeviceCaps = device_GetDeviceCaps,
	.GetCreationParameters = device_GetCreationParameters,
	.SetCursorProperties = device_SetCursorProperties,
	.SetCursorPosition = device_SetCursorPosition,
	.ShowCursor = device_ShowCursor,
	.SetDialogBoxMode = device_SetDialogBoxMode,
	.SetGammaRamp = device_SetGammaRamp,
	.GetGammaRamp = device_GetGammaRamp,
	.SetSoftwareVertexProcessing = device_SetSoftwareVertexProcessing,
	.GetSoftwareVertexProcessing = device_GetSoftwareVertexProcessing,
	.CreateQuery = device_CreateQuery,
	.DrawRectPatch = device_DrawRectPatch,
	.DrawTriPatch = device_DrawTriPatch,
	.DeletePatch = device_DeletePatch,
	.SetConvolutionMonoKernel = device_SetConvolutionMonoKernel,
	.ComposeRects = device_ComposeRects,
	.SetPaletteEntries = device_SetPaletteEntries,
	.GetPaletteEntries = device_GetPaletteEntries,
	.SetCurrentTexturePalette = device_SetCurrentTexturePalette,
	.GetCurrentTexturePalette = device_GetCurrentTexturePalette,
	.SetGPUThreadPriority = device_SetGPUThreadPriority,
	.GetGPUThreadPriority = device_GetGPUThreadPriority,
};

static void fill_vtbl(void)
{
	device_state_methods(&device_vtbl);
	device_bind_methods(&device_vtbl);
	device_shader_methods(&device_vtbl);
	device_draw_methods(&device_vtbl);
	device_resource_methods(&device_vtbl);
	device_copy_methods(&device_vtbl);
	device_present_methods(&device_vtbl);
}

/* ---- creation ---- */

/* The driver created a resource to be shared: its token is the handle that the program gets. */
static HRESULT allocate_callback(HANDLE hDevice, D3DDDICB_ALLOCATE *data)
{
	const struct d3dgpu_ddi_shared *shared = data->pPrivateDriverData;
	struct d3d9_storage *storage = data->hResource;

	if (!shared || data->PrivateDriverDataSize != sizeof(*shared) || !storage)
		return E_INVALIDARG;
	storage->token = shared->token;
	return S_OK;
}

static HRESULT present_callback(HANDLE hDevice, const D3DDDICB_PRESENT *data)
{
	struct d3d9_device *device = hDevice;

	return device->presenting ? swapchain_show(device->presenting, data->hSrcAllocation) : E_INVALIDARG;
}

static HRESULT open_driver_device(struct d3d9_device *device)
{
	static const D3DDDI_DEVICECALLBACKS callbacks = {
		.pfnAllocateCb = allocate_callback,
		.pfnPresentCb = present_callback,
	};
	D3DDDIARG_CREATEDEVICE args = {
		.hDevice = device,
		.Interface = 9,
		.Version = 1,
		.pCallbacks = &callbacks,
		.pDeviceFuncs = &device->ddi,
	};
	HRESULT hr = device->adapter->funcs.pfnCreateDevice(device->adapter->driver, &args);

	if (SUCCEEDED(hr))
		device->driver = args.hDevice;
	return hr == E_FAIL ? D3DERR_NOTAVAILABLE : hr;
}

static HRESULT create_buffers(struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params)
{
	HRESULT hr = swapchain_create(device, params, true, &device->swapchains[0]);

	if (FAILED(hr) || !params->EnableAutoDepthStencil)
		return hr;
	hr = device_create_depth_stencil(
		device, params->BackBufferWidth, params->BackBufferHeight, params->AutoDepthStencilFormat,
		params->MultiSampleType, params->MultiSampleQuality,
		(params->Flags & D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL) != 0, NULL, 0, &device->auto_depth_stencil);
	if (FAILED(hr))
		return hr;
	/* It is the device's: the reference becomes a bind. */
	surface_bind(device->auto_depth_stencil);
	object_release(device->auto_depth_stencil->owner);
	return D3D_OK;
}

static void init_lock(struct d3d9_device *device)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&device->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

HRESULT device_create(IDirect3D9Ex *parent, struct d3d9_adapter_caps *adapter, bool is_ex,
		      const D3DDEVICE_CREATION_PARAMETERS *creation, D3DPRESENT_PARAMETERS *params,
		      const D3DDISPLAYMODEEX *mode, struct d3d9_device **out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct d3d9_device *device = calloc(1, sizeof(*device));
	HRESULT hr;

	if (!device)
		return E_OUTOFMEMORY;
	pthread_once(&once, fill_vtbl);
	device->vtbl = &device_vtbl;
	device->refs = 1;
	device->is_ex = is_ex;
	device->multithreaded = creation->BehaviorFlags & D3DCREATE_MULTITHREADED;
	device->creation = *creation;
	device->max_latency = DEVICE_DEFAULT_LATENCY;
	device->software_vertex_processing = creation->BehaviorFlags & D3DCREATE_SOFTWARE_VERTEXPROCESSING;
	init_lock(device);
	device->adapter = adapter_caps_ref(adapter);
	device->parent = parent;
	IDirect3D9Ex_AddRef(parent);
	hr = swapchain_check_params(device, params, mode, creation->hFocusWindow);
	if (SUCCEEDED(hr))
		hr = open_driver_device(device);
	if (SUCCEEDED(hr))
		hr = create_buffers(device, params);
	if (FAILED(hr)) {
		device_release(device);
		return hr;
	}
	state_set_defaults(&device->state, params->BackBufferWidth, params->BackBufferHeight,
			   params->EnableAutoDepthStencil);
	device_send_state(device);
	device_bind_target(device, 0, device->swapchains[0]->buffers[0]);
	device_bind_depth_stencil(device, device->auto_depth_stencil);
	*out = device;
	return D3D_OK;
}

/* ---- counters ---- */

__attribute__((visibility("default"))) int D3DGPUGetStatistics9(void *iface, struct d3dgpu_statistics *statistics)
{
	struct d3d9_device *device = iface;
	HRESULT hr;

	if (!device || !statistics)
		return -1;
	device_lock(device);
	hr = device->ddi.pfnGetInfo(device->driver, D3DGPU_DEVINFO_STATISTICS, statistics, sizeof(*statistics));
	device_unlock(device);
	return FAILED(hr) ? -1 : 0;
}
