/* SPDX-License-Identifier: MIT */
#include "swapchain.h"

#include "device.h"

#ifndef D3DPRESENT_FORCEIMMEDIATE
#define D3DPRESENT_FORCEIMMEDIATE 0x100	/* Windows 7; not in every set of headers */
#endif

static struct d3d9_swapchain *swapchain_from(IDirect3DSwapChain9Ex *iface)
{
	return (struct d3d9_swapchain *)iface;
}

/* ---- parameters ---- */

static D3DFORMAT desktop_format(void)
{
	return D3DFMT_X8R8G8B8;
}

static UINT max_back_buffers(const struct d3d9_device *device, D3DSWAPEFFECT effect)
{
	if (effect == D3DSWAPEFFECT_COPY)
		return 1;
	return device->is_ex ? SWAPCHAIN_MAX_BUFFERS - 1 : 3;
}

static bool effect_good(const struct d3d9_device *device, D3DSWAPEFFECT effect)
{
	return effect >= D3DSWAPEFFECT_DISCARD && effect <= (device->is_ex ? D3DSWAPEFFECT_FLIPEX : D3DSWAPEFFECT_COPY);
}

/* A full-screen chain on a 9Ex device names its display mode; the sizes agree. */
static bool mode_good(const struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params,
		      const D3DDISPLAYMODEEX *mode)
{
	if (params->Windowed)
		return !mode && !params->FullScreen_RefreshRateInHz;
	if (!params->BackBufferWidth || !params->BackBufferHeight || params->BackBufferFormat == D3DFMT_UNKNOWN)
		return false;
	if (!device->is_ex)
		return true;
	return mode && mode->Size == sizeof(*mode) && mode->Width == params->BackBufferWidth &&
	       mode->Height == params->BackBufferHeight;
}

static void fill_unset(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, HWND window)
{
	const struct d3dgpu_wsi *wsi = &device->adapter->wsi;
	struct d3dgpu_wsi_mode mode = {640, 480, 60};
	uint32_t width, height;

	if (!params->BackBufferCount)
		params->BackBufferCount = 1;
	if (params->BackBufferFormat == D3DFMT_UNKNOWN)
		params->BackBufferFormat = desktop_format();
	if (!params->Windowed || (params->BackBufferWidth && params->BackBufferHeight))
		return;
	if (wsi->client_size(wsi->user, window, &width, &height)) {
		wsi->current_mode(wsi->user, &mode);
		width = mode.width;
		height = mode.height;
	}
	if (!params->BackBufferWidth)
		params->BackBufferWidth = width ? width : 8;
	if (!params->BackBufferHeight)
		params->BackBufferHeight = height ? height : 8;
}

static HRESULT check_samples(const struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params, D3DFORMAT format)
{
	UINT levels =
		params->MultiSampleType > D3DMULTISAMPLE_16_SAMPLES
			? 0
			: adapter_quality_levels(device->adapter, format, params->Windowed, params->MultiSampleType);

	return params->MultiSampleQuality < levels ? D3D_OK : D3DERR_INVALIDCALL;
}

HRESULT swapchain_check_params(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode,
			       HWND focus_window)
{
	HWND window = params->hDeviceWindow ? params->hDeviceWindow : focus_window;
	UINT operations;

	if (!mode_good(device, params, mode) || !effect_good(device, params->SwapEffect) ||
	    params->BackBufferCount > max_back_buffers(device, params->SwapEffect)) {
		runtime_refused(__func__, "mode, swap effect %u or %u back buffers", params->SwapEffect,
				params->BackBufferCount);
		return D3DERR_INVALIDCALL;
	}
	if (params->MultiSampleType && params->SwapEffect != D3DSWAPEFFECT_DISCARD)
		return D3DERR_INVALIDCALL;
	fill_unset(device, params, window);
	if (params->BackBufferWidth > device->adapter->caps.MaxTextureWidth ||
	    params->BackBufferHeight > device->adapter->caps.MaxTextureHeight)
		return D3DERR_INVALIDCALL;
	operations = adapter_operations(device->adapter, params->BackBufferFormat);
	if (!(operations & FORMATOP_OFFSCREEN_RENDERTARGET) || !(operations & FORMATOP_CONVERT_TO_ARGB))
		return D3DERR_NOTAVAILABLE;
	if (FAILED(check_samples(device, params, params->BackBufferFormat)))
		return D3DERR_INVALIDCALL;
	if (!params->EnableAutoDepthStencil)
		return D3D_OK;
	if (!format_is_depth(params->AutoDepthStencilFormat) ||
	    !(adapter_operations(device->adapter, params->AutoDepthStencilFormat) & FORMATOP_ZSTENCIL))
		return D3DERR_NOTAVAILABLE;
	return check_samples(device, params, params->AutoDepthStencilFormat);
}

/* ---- buffers ---- */

static bool is_scanned_out(const struct d3d9_swapchain *swapchain)
{
	return swapchain->object.device->adapter->wsi.source == D3DGPU_WSI_BUFFER;
}

static bool rotates(const struct d3d9_swapchain *swapchain)
{
	return swapchain->params.SwapEffect != D3DSWAPEFFECT_COPY && !swapchain->params.MultiSampleType;
}

static HRESULT create_storage(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params, bool front,
			      struct d3d9_storage **out)
{
	bool rotated = params->SwapEffect != D3DSWAPEFFECT_COPY && !params->MultiSampleType;
	struct storage_desc desc = {
		.format = params->BackBufferFormat,
		.width = params->BackBufferWidth,
		.height = params->BackBufferHeight,
		.depth = 1,
		.levels = 1,
		.layers = 1,
		.usage = D3DUSAGE_RENDERTARGET,
		.pool = D3DPOOL_DEFAULT,
		.multisample = front ? D3DMULTISAMPLE_NONE : params->MultiSampleType,
		.quality = front ? 0 : params->MultiSampleQuality,
		.lockable = params->Flags & D3DPRESENTFLAG_LOCKABLE_BACKBUFFER,
		.primary = is_scanned_out(swapchain) && (front || rotated),
	};

	return storage_create(swapchain->object.device, &desc, D3DRTYPE_SURFACE, out);
}

void swapchain_drop(struct swapchain_buffers *buffers)
{
	for (UINT i = 0; i < SWAPCHAIN_MAX_BUFFERS; i++)
		if (buffers->back[i])
			storage_destroy(buffers->back[i]);
	if (buffers->front)
		storage_destroy(buffers->front);
	memset(buffers, 0, sizeof(*buffers));
}

HRESULT swapchain_prepare(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params,
			  struct swapchain_buffers *out)
{
	HRESULT hr;

	memset(out, 0, sizeof(*out));
	hr = create_storage(swapchain, params, true, &out->front);
	for (UINT i = 0; i < params->BackBufferCount && SUCCEEDED(hr); i++)
		hr = create_storage(swapchain, params, false, &out->back[i]);
	if (FAILED(hr))
		swapchain_drop(out);
	return hr;
}

/* Gives buffer `index` its memory; the surface's object stays what the program holds. Takes the storage over. */
static HRESULT adopt_buffer(struct d3d9_swapchain *swapchain, UINT index, struct d3d9_storage *storage)
{
	struct d3d9_surface *surface = swapchain->buffers[index];
	HRESULT hr;

	if (surface) {
		storage_destroy(surface->storage);
		surface->storage = storage;
		return D3D_OK;
	}
	hr = surface_create_implicit(storage, (IUnknown *)swapchain, &swapchain->buffers[index]);
	if (SUCCEEDED(hr))
		surface_bind(swapchain->buffers[index]);
	return hr;
}

/* A buffer that the chain has no more; a program that holds it keeps it with its memory. */
static void leave_buffer(struct d3d9_swapchain *swapchain, UINT index)
{
	struct d3d9_surface *surface = swapchain->buffers[index];

	swapchain->buffers[index] = NULL;
	if (!surface)
		return;
	surface->container = NULL;
	surface_unbind(surface);
}

static HRESULT adopt_buffers(struct d3d9_swapchain *swapchain, struct swapchain_buffers *buffers, UINT count)
{
	HRESULT hr = D3D_OK;

	for (UINT i = count; i < swapchain->buffer_count; i++)
		leave_buffer(swapchain, i);
	if (swapchain->front)
		storage_destroy(swapchain->front);
	swapchain->front = buffers->front;
	buffers->front = NULL;
	for (UINT i = 0; i < count && SUCCEEDED(hr); i++) {
		hr = adopt_buffer(swapchain, i, buffers->back[i]);
		buffers->back[i] = NULL;
	}
	swapchain->buffer_count = count;
	swapchain_drop(buffers);
	return hr;
}

static void destroy_readback(struct d3d9_swapchain *swapchain)
{
	if (swapchain->readback)
		storage_destroy(swapchain->readback);
	swapchain->readback = NULL;
}

/* Forgets the buffers with the window system before their memory goes. */
static void leave_window(struct d3d9_swapchain *swapchain)
{
	const struct d3dgpu_wsi *wsi = &swapchain->object.device->adapter->wsi;
	int fd = swapchain->object.device->adapter->adapter->info.fd;

	for (UINT i = 0; i < swapchain->shown_count; i++)
		wsi->release(wsi->user, swapchain->window, fd, swapchain->shown[i]);
	swapchain->shown_count = 0;
}

static void destroy_buffers(struct d3d9_swapchain *swapchain)
{
	for (UINT i = 0; i < SWAPCHAIN_MAX_BUFFERS; i++)
		leave_buffer(swapchain, i);
	if (swapchain->front)
		storage_destroy(swapchain->front);
	swapchain->front = NULL;
}

/* ---- IUnknown ---- */

static HRESULT STDMETHODCALLTYPE swapchain_QueryInterface(IDirect3DSwapChain9Ex *iface, REFIID iid, void **out)
{
	struct d3d9_swapchain *swapchain = swapchain_from(iface);
	static const GUID *const interfaces[] = {&IID_IDirect3DSwapChain9, &IID_IDirect3DSwapChain9Ex};

	return object_query(&swapchain->object, iid, out, interfaces, swapchain->object.device->is_ex ? 2 : 1);
}

static ULONG STDMETHODCALLTYPE swapchain_AddRef(IDirect3DSwapChain9Ex *iface)
{
	return object_addref(&swapchain_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE swapchain_Release(IDirect3DSwapChain9Ex *iface)
{
	return object_release(&swapchain_from(iface)->object);
}

/* ---- IDirect3DSwapChain9 ---- */

static HRESULT STDMETHODCALLTYPE swapchain_Present(IDirect3DSwapChain9Ex *iface, const RECT *src, const RECT *dst,
						   HWND window, const RGNDATA *dirty, DWORD flags)
{
	struct d3d9_swapchain *swapchain = swapchain_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(swapchain->object.device);

	return swapchain_present(swapchain, src, dst, window, flags);
}

static HRESULT STDMETHODCALLTYPE swapchain_GetFrontBufferData(IDirect3DSwapChain9Ex *iface, IDirect3DSurface9 *dst)
{
	struct d3d9_swapchain *swapchain = swapchain_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(swapchain->object.device);

	return dst ? swapchain_get_front(swapchain, surface_from(dst)) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetBackBuffer(IDirect3DSwapChain9Ex *iface, UINT index,
							 D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **out)
{
	struct d3d9_swapchain *swapchain = swapchain_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(swapchain->object.device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	if (index >= swapchain->buffer_count)
		return D3DERR_INVALIDCALL;
	*out = surface_iface(swapchain->buffers[index]);
	IDirect3DSurface9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetRasterStatus(IDirect3DSwapChain9Ex *iface, D3DRASTER_STATUS *status)
{
	if (!status)
		return D3DERR_INVALIDCALL;
	*status = (D3DRASTER_STATUS){TRUE, 0};
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetDisplayMode(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODE *out)
{
	struct d3d9_swapchain *swapchain = swapchain_from(iface);
	const struct d3dgpu_wsi *wsi = &swapchain->object.device->adapter->wsi;
	struct d3dgpu_wsi_mode mode;

	if (!out)
		return D3DERR_INVALIDCALL;
	if (wsi->current_mode(wsi->user, &mode))
		return D3DERR_NOTAVAILABLE;
	*out = (D3DDISPLAYMODE){mode.width, mode.height, mode.refresh, desktop_format()};
	if (!swapchain->params.Windowed) {
		out->Width = swapchain->params.BackBufferWidth;
		out->Height = swapchain->params.BackBufferHeight;
	}
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetDevice(IDirect3DSwapChain9Ex *iface, IDirect3DDevice9 **out)
{
	return device_get(swapchain_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE swapchain_GetPresentParameters(IDirect3DSwapChain9Ex *iface,
								D3DPRESENT_PARAMETERS *params)
{
	if (!params)
		return D3DERR_INVALIDCALL;
	*params = swapchain_from(iface)->params;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetLastPresentCount(IDirect3DSwapChain9Ex *iface, UINT *count)
{
	if (!count)
		return D3DERR_INVALIDCALL;
	*count = swapchain_from(iface)->present_count;
	return D3D_OK;
}

/* Without D3DCREATE_ENABLE_PRESENTSTATS, and for chains that are not FLIPEX, there are none: zeros, as Windows answers.
 */
static HRESULT STDMETHODCALLTYPE swapchain_GetPresentStats(IDirect3DSwapChain9Ex *iface, D3DPRESENTSTATS *stats)
{
	if (!stats)
		return D3DERR_INVALIDCALL;
	memset(stats, 0, sizeof(*stats));
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE swapchain_GetDisplayModeEx(IDirect3DSwapChain9Ex *iface, D3DDISPLAYMODEEX *mode,
							    D3DDISPLAYROTATION *rotation)
{
	D3DDISPLAYMODE plain;
	HRESULT hr;

	if (mode && mode->Size != sizeof(*mode))
		return D3DERR_INVALIDCALL;
	hr = swapchain_GetDisplayMode(iface, &plain);
	if (FAILED(hr))
		return hr;
	if (mode) {
		mode->Width = plain.Width;
		mode->Height = plain.Height;
		mode->RefreshRate = plain.RefreshRate;
		mode->Format = plain.Format;
		mode->ScanLineOrdering = D3DSCANLINEORDERING_PROGRESSIVE;
	}
	if (rotation)
		*rotation = D3DDISPLAYROTATION_IDENTITY;
	return D3D_OK;
}

static const IDirect3DSwapChain9ExVtbl swapchain_vtbl = {
	.QueryInterface = swapchain_QueryInterface,
	.AddRef = swapchain_AddRef,
	.Release = swapchain_Release,
	.Present = swapchain_Present,
	.GetFrontBufferData = swapchain_GetFrontBufferData,
	.GetBackBuffer = swapchain_GetBackBuffer,
	.GetRasterStatus = swapchain_GetRasterStatus,
	.GetDisplayMode = swapchain_GetDisplayMode,
	.GetDevice = swapchain_GetDevice,
	.GetPresentParameters = swapchain_GetPresentParameters,
	.GetLastPresentCount = swapchain_GetLastPresentCount,
	.GetPresentStats = swapchain_GetPresentStats,
	.GetDisplayModeEx = swapchain_GetDisplayModeEx,
};

/* ---- life ---- */

void swapchain_leave(struct d3d9_swapchain *swapchain)
{
	const struct d3dgpu_wsi *wsi = &swapchain->object.device->adapter->wsi;

	leave_window(swapchain);
	wsi->release(wsi->user, swapchain->window, -1, 0);
}

static void swapchain_destroy(struct d3d9_object *object)
{
	struct d3d9_swapchain *swapchain = (struct d3d9_swapchain *)object;
	struct d3d9_device *device = object->device;

	for (UINT i = 0; i < DEVICE_MAX_SWAPCHAINS; i++)
		if (device->swapchains[i] == swapchain)
			device->swapchains[i] = NULL;
	if (!swapchain->implicit)
		swapchain_leave(swapchain);
	destroy_buffers(swapchain);
	destroy_readback(swapchain);
	free(swapchain);
}

static HRESULT set_display_mode(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params)
{
	const struct d3dgpu_wsi *wsi = &swapchain->object.device->adapter->wsi;
	struct d3dgpu_wsi_mode mode = {params->BackBufferWidth, params->BackBufferHeight,
				       params->FullScreen_RefreshRateInHz};

	if (params->Windowed)
		return D3D_OK;
	return wsi->set_mode(wsi->user, swapchain->window, &mode) ? D3DERR_NOTAVAILABLE : D3D_OK;
}

HRESULT swapchain_create(struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params, bool implicit,
			 struct d3d9_swapchain **out)
{
	struct d3d9_swapchain *swapchain = calloc(1, sizeof(*swapchain));
	struct swapchain_buffers buffers;
	UINT slot = 0;
	HRESULT hr;

	if (!swapchain)
		return E_OUTOFMEMORY;
	while (slot < DEVICE_MAX_SWAPCHAINS && device->swapchains[slot])
		slot++;
	if (slot == DEVICE_MAX_SWAPCHAINS) {
		free(swapchain);
		return D3DERR_NOTAVAILABLE;
	}
	swapchain->params = *params;
	swapchain->implicit = implicit;
	swapchain->window = params->hDeviceWindow ? params->hDeviceWindow : device->creation.hFocusWindow;
	object_init(&swapchain->object, &swapchain_vtbl, device, swapchain_destroy, !implicit);
	/* The implicit chain is the device's. */
	if (implicit)
		object_bind(&swapchain->object);
	device->swapchains[slot] = swapchain;
	*out = swapchain;
	hr = set_display_mode(swapchain, params);
	if (SUCCEEDED(hr))
		hr = swapchain_prepare(swapchain, params, &buffers);
	if (SUCCEEDED(hr))
		hr = adopt_buffers(swapchain, &buffers, params->BackBufferCount);
	if (FAILED(hr) && !implicit)
		object_release(&swapchain->object);
	return hr;
}

HRESULT swapchain_reset(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params,
			struct swapchain_buffers *buffers)
{
	HRESULT hr = set_display_mode(swapchain, params);

	if (FAILED(hr)) {
		swapchain_drop(buffers);
		return hr;
	}
	leave_window(swapchain);
	destroy_readback(swapchain);
	swapchain->params = *params;
	return adopt_buffers(swapchain, buffers, params->BackBufferCount);
}

/* ---- present ---- */

static HRESULT copy_to_front(struct d3d9_swapchain *swapchain, const RECT *src, const RECT *dst)
{
	struct d3d9_device *device = swapchain->object.device;
	struct d3d9_surface *back = swapchain->buffers[0];
	D3DDDIARG_BLT args = {.hSrcResource = back->storage->handle, .hDstResource = swapchain->front->handle};

	if (!surface_rect(back, src, &args.SrcRect) || !surface_rect(back, dst, &args.DstRect))
		return D3DERR_INVALIDCALL;
	args.Flags.Point = 1;
	return device_result(device, device->ddi.pfnBlt(device->driver, &args));
}

/* Back buffer 0 becomes the front buffer, the others move up, the old front buffer is the last back buffer. */
static void rotate(struct d3d9_swapchain *swapchain)
{
	struct d3d9_storage *front = swapchain->buffers[0]->storage;

	for (UINT i = 0; i + 1 < swapchain->buffer_count; i++)
		swapchain->buffers[i]->storage = swapchain->buffers[i + 1]->storage;
	swapchain->buffers[swapchain->buffer_count - 1]->storage = swapchain->front;
	swapchain->front = front;
	for (UINT i = 0; i < swapchain->buffer_count; i++)
		device_rebind_surface(swapchain->object.device, swapchain->buffers[i]);
}

static UINT present_interval(const struct d3d9_swapchain *swapchain, DWORD flags)
{
	if (flags & D3DPRESENT_FORCEIMMEDIATE)
		return 0;
	switch (swapchain->params.PresentationInterval) {
	case D3DPRESENT_INTERVAL_IMMEDIATE:
		return 0;
	case D3DPRESENT_INTERVAL_TWO:
		return 2;
	case D3DPRESENT_INTERVAL_THREE:
		return 3;
	case D3DPRESENT_INTERVAL_FOUR:
		return 4;
	default:
		return 1;
	}
}

static void discard_depth_stencil(struct d3d9_device *device)
{
	if (device->depth_stencil && device->depth_stencil->storage->discard)
		storage_discard(device->depth_stencil->storage);
}

/* Waits until the device has no more frames under way than the program allows. */
static HRESULT limit_latency(struct d3d9_device *device)
{
	struct d3dgpu_ddi_frames frames = {.max_pending = device->max_latency};

	return device_result(device,
			     device->ddi.pfnGetInfo(device->driver, D3DGPU_DEVINFO_FRAMES, &frames, sizeof(frames)));
}

static HRESULT present_front(struct d3d9_swapchain *swapchain, DWORD flags)
{
	struct d3d9_device *device = swapchain->object.device;
	D3DDDIARG_PRESENTSURFACE source = {swapchain->front->handle, 0};
	D3DDDIARG_PRESENT1 args = {
		.phSrcResources = &source,
		.SrcResources = 1,
		.FlipInterval = (D3DDDI_FLIPINTERVAL_TYPE)present_interval(swapchain, flags),
	};
	HRESULT hr;

	args.Flags.Flip = !swapchain->params.Windowed;
	args.Flags.Blt = swapchain->params.Windowed != 0;
	swapchain->interval = args.FlipInterval;
	device->presenting = swapchain;
	hr = device_result(device, device->ddi.pfnPresent1(device->driver, &args));
	device->presenting = NULL;
	return hr;
}

HRESULT swapchain_present(struct d3d9_swapchain *swapchain, const RECT *src, const RECT *dst, HWND window, DWORD flags)
{
	struct d3d9_device *device = swapchain->object.device;
	const struct d3dgpu_wsi *wsi = &device->adapter->wsi;
	HRESULT hr = D3D_OK;

	if ((src || dst) && swapchain->params.SwapEffect != D3DSWAPEFFECT_COPY)
		return D3DERR_INVALIDCALL;
	if (swapchain->buffers[0]->storage->locks[0].locked) {
		runtime_refused(__func__, "the back buffer is locked");
		return D3DERR_INVALIDCALL;
	}
	if (FAILED(device->lost))
		return device->is_ex ? device->lost : D3DERR_DEVICELOST;
	if (!wsi->visible(wsi->user, window ? window : swapchain->window))
		return device->is_ex ? S_PRESENT_OCCLUDED : D3D_OK;
	swapchain->show_in = window ? window : swapchain->window;
	discard_depth_stencil(device);
	if (rotates(swapchain))
		rotate(swapchain);
	else
		hr = copy_to_front(swapchain, src, dst);
	if (SUCCEEDED(hr))
		hr = present_front(swapchain, flags);
	if (SUCCEEDED(hr))
		hr = limit_latency(device);
	if (SUCCEEDED(hr))
		swapchain->present_count++;
	if (runtime_debug_flags() & RUNTIME_DEBUG_PRESENT)
		runtime_log("present %u of swap chain %p: %#x", swapchain->present_count, (void *)swapchain, hr);
	return hr;
}

/* ---- read-back and the window system ---- */

static HRESULT read_front(struct d3d9_swapchain *swapchain)
{
	struct d3d9_device *device = swapchain->object.device;
	struct storage_desc desc = {
		.format = swapchain->front->format,
		.width = swapchain->front->width,
		.height = swapchain->front->height,
		.depth = 1,
		.levels = 1,
		.layers = 1,
		.pool = D3DPOOL_SYSTEMMEM,
		.lockable = true,
	};
	RECT all = {0, 0, (LONG)desc.width, (LONG)desc.height};
	D3DDDIARG_BLT args = {.SrcRect = all, .DstRect = all, .Flags = {.Point = 1}};
	HRESULT hr;

	if (!swapchain->readback) {
		hr = storage_create(device, &desc, D3DRTYPE_SURFACE, &swapchain->readback);
		if (FAILED(hr))
			return hr;
	}
	args.hSrcResource = swapchain->front->handle;
	args.hDstResource = swapchain->readback->handle;
	return device_result(device, device->ddi.pfnBlt(device->driver, &args));
}

static DWORD expand(DWORD value, unsigned shift, unsigned bits)
{
	DWORD component = value >> shift & ((1u << bits) - 1);

	return bits >= 8 ? component >> (bits - 8) : component * 255u / ((1u << bits) - 1);
}

/* A pixel of a display format as A8R8G8B8 with opaque alpha. */
static DWORD to_argb(D3DFORMAT format, const uint8_t *pixel)
{
	DWORD value = 0;

	memcpy(&value, pixel, format_info(format)->block_bytes);
	switch (format) {
	case D3DFMT_R5G6B5:
		return 0xff000000u | expand(value, 11, 5) << 16 | expand(value, 5, 6) << 8 | expand(value, 0, 5);
	case D3DFMT_X1R5G5B5:
	case D3DFMT_A1R5G5B5:
		return 0xff000000u | expand(value, 10, 5) << 16 | expand(value, 5, 5) << 8 | expand(value, 0, 5);
	case D3DFMT_A2R10G10B10:
		return 0xff000000u | expand(value, 20, 10) << 16 | expand(value, 10, 10) << 8 | expand(value, 0, 10);
	default:
		return 0xff000000u | value;
	}
}

HRESULT swapchain_get_front(struct d3d9_swapchain *swapchain, struct d3d9_surface *dst)
{
	struct d3d9_storage *to = dst->storage;
	const struct storage_image *from;
	HRESULT hr;

	if (to->pool != D3DPOOL_SYSTEMMEM || to->format != D3DFMT_A8R8G8B8 ||
	    surface_width(dst) < swapchain->front->width || surface_height(dst) < swapchain->front->height)
		return D3DERR_INVALIDCALL;
	hr = read_front(swapchain);
	if (FAILED(hr))
		return hr;
	from = &swapchain->readback->images[0];
	for (UINT y = 0; y < swapchain->front->height; y++) {
		const uint8_t *src = from->data + (size_t)y * from->pitch;
		uint8_t *row = to->images[dst->subresource].data + (size_t)y * to->images[dst->subresource].pitch;

		for (UINT x = 0; x < swapchain->front->width; x++) {
			DWORD pixel = to_argb(swapchain->front->format,
					      src + (size_t)x * swapchain->front->info->block_bytes);

			memcpy(row + (size_t)x * 4, &pixel, 4);
		}
	}
	return D3D_OK;
}

static void remember_shown(struct d3d9_swapchain *swapchain, D3DKMT_HANDLE allocation)
{
	for (UINT i = 0; i < swapchain->shown_count; i++)
		if (swapchain->shown[i] == allocation)
			return;
	if (swapchain->shown_count < SWAPCHAIN_MAX_BUFFERS)
		swapchain->shown[swapchain->shown_count++] = allocation;
}

HRESULT swapchain_show(struct d3d9_swapchain *swapchain, D3DKMT_HANDLE allocation)
{
	struct d3d9_device *device = swapchain->object.device;
	const struct d3dgpu_wsi *wsi = &device->adapter->wsi;
	struct d3dgpu_wsi_image image = {
		.width = swapchain->front->width,
		.height = swapchain->front->height,
		.drm_fd = -1,
		.interval = swapchain->interval,
	};
	HRESULT hr;
	int err;

	if (wsi->source == D3DGPU_WSI_BUFFER) {
		image.drm_fd = device->adapter->adapter->info.fd;
		image.handle = allocation;
		remember_shown(swapchain, allocation);
	} else if (wsi->source == D3DGPU_WSI_PIXELS) {
		hr = read_front(swapchain);
		if (FAILED(hr))
			return hr;
		image.pixels = swapchain->readback->images[0].data;
		image.pitch = swapchain->readback->images[0].pitch;
	}
	err = wsi->present(wsi->user, swapchain->show_in, &image);
	if (err) {
		runtime_log("the window system could not show a %ux%u picture: %s", image.width, image.height,
			    strerror(-err));
		return E_INVALIDARG;
	}
	return S_OK;
}
