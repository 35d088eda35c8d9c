/* SPDX-License-Identifier: MIT */
/* Swap chains, present, reset, display modes and the state of the device. */
#include "device.h"
#include "swapchain.h"

static struct d3d9_swapchain *swapchain_at(struct d3d9_device *device, UINT index)
{
	return index < DEVICE_MAX_SWAPCHAINS ? device->swapchains[index] : NULL;
}

static IDirect3DSwapChain9Ex *chain_iface(struct d3d9_swapchain *swapchain)
{
	return (IDirect3DSwapChain9Ex *)swapchain;
}

static HRESULT STDMETHODCALLTYPE device_CreateAdditionalSwapChain(IDirect3DDevice9Ex *iface,
								  D3DPRESENT_PARAMETERS *params,
								  IDirect3DSwapChain9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_swapchain *swapchain;
	HRESULT hr;

	if (!params || !out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	/* Only the implicit chain can be full screen. */
	if (!params->Windowed)
		return D3DERR_INVALIDCALL;
	hr = swapchain_check_params(device, params, NULL, device->creation.hFocusWindow);
	if (SUCCEEDED(hr))
		hr = swapchain_create(device, params, false, &swapchain);
	if (SUCCEEDED(hr))
		*out = (IDirect3DSwapChain9 *)swapchain;
	return hr;
}

static HRESULT STDMETHODCALLTYPE device_GetSwapChain(IDirect3DDevice9Ex *iface, UINT index, IDirect3DSwapChain9 **out)
{
	struct d3d9_device *device = device_from(iface);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	/* Only implicit chains are found by number. */
	if (index)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DSwapChain9 *)device->swapchains[0];
	IDirect3DSwapChain9_AddRef(*out);
	return D3D_OK;
}

static UINT STDMETHODCALLTYPE device_GetNumberOfSwapChains(IDirect3DDevice9Ex *iface)
{
	return 1;
}

static HRESULT STDMETHODCALLTYPE device_GetBackBuffer(IDirect3DDevice9Ex *iface, UINT chain, UINT index,
						      D3DBACKBUFFER_TYPE type, IDirect3DSurface9 **out)
{
	struct d3d9_swapchain *swapchain = swapchain_at(device_from(iface), chain);

	return swapchain && !chain ? IDirect3DSwapChain9Ex_GetBackBuffer(chain_iface(swapchain), index, type, out) :
				     D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_GetRasterStatus(IDirect3DDevice9Ex *iface, UINT chain, D3DRASTER_STATUS *status)
{
	struct d3d9_swapchain *swapchain = swapchain_at(device_from(iface), chain);

	return swapchain ? IDirect3DSwapChain9Ex_GetRasterStatus(chain_iface(swapchain), status) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_GetDisplayMode(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODE *mode)
{
	struct d3d9_swapchain *swapchain = swapchain_at(device_from(iface), chain);

	return swapchain ? IDirect3DSwapChain9Ex_GetDisplayMode(chain_iface(swapchain), mode) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE device_GetDisplayModeEx(IDirect3DDevice9Ex *iface, UINT chain, D3DDISPLAYMODEEX *mode,
							 D3DDISPLAYROTATION *rotation)
{
	struct d3d9_swapchain *swapchain = swapchain_at(device_from(iface), chain);

	return swapchain ? IDirect3DSwapChain9Ex_GetDisplayModeEx(chain_iface(swapchain), mode, rotation)
			 : D3DERR_INVALIDCALL;
}

/* ---- present ---- */

static HRESULT STDMETHODCALLTYPE device_PresentEx(IDirect3DDevice9Ex *iface, const RECT *src, const RECT *dst,
						  HWND window, const RGNDATA *dirty, DWORD flags)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	return swapchain_present(device->swapchains[0], src, dst, window, flags);
}

static HRESULT STDMETHODCALLTYPE device_Present(IDirect3DDevice9Ex *iface, const RECT *src, const RECT *dst,
						HWND window, const RGNDATA *dirty)
{
	return device_PresentEx(iface, src, dst, window, dirty, 0);
}

static HRESULT STDMETHODCALLTYPE device_WaitForVBlank(IDirect3DDevice9Ex *iface, UINT chain)
{
	struct d3d9_device *device = device_from(iface);
	const struct d3dgpu_wsi *wsi = &device->adapter->wsi;

	if (!swapchain_at(device, chain))
		return D3DERR_INVALIDCALL;
	wsi->wait_vblank(wsi->user);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT latency)
{
	struct d3d9_device *device = device_from(iface);

	if (latency > DEVICE_MAX_LATENCY)
		return D3DERR_INVALIDCALL;
	device->max_latency = latency ? latency : DEVICE_DEFAULT_LATENCY;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetMaximumFrameLatency(IDirect3DDevice9Ex *iface, UINT *latency)
{
	if (!latency)
		return D3DERR_INVALIDCALL;
	*latency = device_from(iface)->max_latency;
	return D3D_OK;
}

/* Asks the driver, so that a context that died in the background is seen. */
static HRESULT STDMETHODCALLTYPE device_CheckDeviceState(IDirect3DDevice9Ex *iface, HWND window)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	const struct d3dgpu_wsi *wsi = &device->adapter->wsi;

	if (SUCCEEDED(device->lost))
		device_result(device, device->ddi.pfnFlush1(device->driver, 0));
	if (FAILED(device->lost))
		return device->lost;
	/* The device of a full-screen window without the focus is hidden. */
	if (!device->swapchains[0]->params.Windowed && window && !wsi->focused(wsi->user, window))
		return S_PRESENT_OCCLUDED;
	return D3D_OK;
}

/* ---- reset ---- */

/* Everything that the new parameters need, or nothing. */
static HRESULT prepare_reset(struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params,
			     struct swapchain_buffers *buffers, struct d3d9_surface **depth)
{
	HRESULT hr = swapchain_prepare(device->swapchains[0], params, buffers);

	*depth = NULL;
	if (FAILED(hr) || !params->EnableAutoDepthStencil)
		return hr;
	hr = device_create_depth_stencil(device, params->BackBufferWidth, params->BackBufferHeight,
					 params->AutoDepthStencilFormat, params->MultiSampleType,
					 params->MultiSampleQuality,
					 (params->Flags & D3DPRESENTFLAG_DISCARD_DEPTHSTENCIL) != 0, NULL, 0, depth);
	if (FAILED(hr)) {
		swapchain_drop(buffers);
		return hr;
	}
	/* It is the device's: the reference becomes a bind. */
	surface_bind(*depth);
	object_release((*depth)->owner);
	return D3D_OK;
}

static void unbind_targets(struct d3d9_device *device)
{
	device_bind_depth_stencil(device, NULL);
	for (DWORD i = 0; i < DEVICE_TARGETS; i++)
		device_bind_target(device, i, NULL);
	state_block_cancel(device);
	device->in_scene = false;
}

/* Without 9Ex a reset is refused while the program holds anything in the DEFAULT pool; that is not tracked: what exists
 * stays valid, which is more than Direct3D promises. A reset that fails leaves the device as it was. */
static HRESULT reset(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode)
{
	struct d3d9_swapchain *swapchain = device->swapchains[0];
	struct swapchain_buffers buffers;
	struct d3d9_surface *depth;
	D3DPRESENT_PARAMETERS wanted;
	HRESULT hr;

	if (!params)
		return D3DERR_INVALIDCALL;
	wanted = *params;
	hr = swapchain_check_params(device, &wanted, mode, device->creation.hFocusWindow);
	if (FAILED(hr))
		return hr;
	if (FAILED(device->lost))
		return device->is_ex ? device->lost : D3DERR_DEVICELOST;
	hr = prepare_reset(device, &wanted, &buffers, &depth);
	if (FAILED(hr))
		return hr;
	unbind_targets(device);
	hr = swapchain_reset(swapchain, &wanted, &buffers);
	if (SUCCEEDED(hr)) {
		surface_unbind(device->auto_depth_stencil);
		device->auto_depth_stencil = depth;
		*params = wanted;
	} else {
		surface_unbind(depth);
	}
	device_bind_target(device, 0, swapchain->buffers[0]);
	device_bind_depth_stencil(device, device->auto_depth_stencil);
	return hr;
}

/* 9Ex: states, bound textures and resources survive; viewport and scissor follow the new back buffer. */
static HRESULT STDMETHODCALLTYPE device_ResetEx(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params,
						D3DDISPLAYMODEEX *mode)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	HRESULT hr = reset(device, params, mode);

	if (SUCCEEDED(hr))
		device_reset_viewport(device, params->BackBufferWidth, params->BackBufferHeight);
	return hr;
}

/* Without 9Ex everything goes back to its default. */
static HRESULT STDMETHODCALLTYPE device_Reset(IDirect3DDevice9Ex *iface, D3DPRESENT_PARAMETERS *params)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDISPLAYMODEEX mode = {.Size = sizeof(mode)};
	HRESULT hr;

	if (!params)
		return D3DERR_INVALIDCALL;
	mode.Width = params->BackBufferWidth;
	mode.Height = params->BackBufferHeight;
	hr = reset(device, params, params->Windowed ? NULL : &mode);
	if (FAILED(hr))
		return hr;
	if (device->is_ex) {
		device_reset_viewport(device, params->BackBufferWidth, params->BackBufferHeight);
		return D3D_OK;
	}
	device_unset_all(device);
	state_set_defaults(&device->state, params->BackBufferWidth, params->BackBufferHeight,
			   params->EnableAutoDepthStencil);
	device_send_state(device);
	return D3D_OK;
}

void device_present_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->CreateAdditionalSwapChain = device_CreateAdditionalSwapChain;
	vtbl->GetSwapChain = device_GetSwapChain;
	vtbl->GetNumberOfSwapChains = device_GetNumberOfSwapChains;
	vtbl->GetBackBuffer = device_GetBackBuffer;
	vtbl->GetRasterStatus = device_GetRasterStatus;
	vtbl->GetDisplayMode = device_GetDisplayMode;
	vtbl->GetDisplayModeEx = device_GetDisplayModeEx;
	vtbl->PresentEx = device_PresentEx;
	vtbl->Present = device_Present;
	vtbl->WaitForVBlank = device_WaitForVBlank;
	vtbl->SetMaximumFrameLatency = device_SetMaximumFrameLatency;
	vtbl->GetMaximumFrameLatency = device_GetMaximumFrameLatency;
	vtbl->CheckDeviceState = device_CheckDeviceState;
	vtbl->ResetEx = device_ResetEx;
	vtbl->Reset = device_Reset;
}
