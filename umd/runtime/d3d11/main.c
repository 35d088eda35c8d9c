/* SPDX-License-Identifier: MIT */
/* The exports of libd3d11.so: D3D11CreateDevice and D3D11CreateDeviceAndSwapChain. */
#include "d3d11_private.h"

#include <string.h>

#define KNOWN_FLAGS                                                                                                    \
	(D3D11_CREATE_DEVICE_SINGLETHREADED | D3D11_CREATE_DEVICE_DEBUG | D3D11_CREATE_DEVICE_SWITCH_TO_REF |          \
	 D3D11_CREATE_DEVICE_PREVENT_INTERNAL_THREADING_OPTIMIZATIONS | D3D11_CREATE_DEVICE_BGRA_SUPPORT |             \
	 D3D11_CREATE_DEVICE_DEBUGGABLE | D3D11_CREATE_DEVICE_PREVENT_ALTERING_LAYER_SETTINGS_FROM_REGISTRY |          \
	 D3D11_CREATE_DEVICE_DISABLE_GPU_TIMEOUT | D3D11_CREATE_DEVICE_VIDEO_SUPPORT)

/* Without a list: no 11_1, which programs have to ask for. */
static const D3D_FEATURE_LEVEL default_levels[] = {
	D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_10_0,
	D3D_FEATURE_LEVEL_9_3,  D3D_FEATURE_LEVEL_9_2,  D3D_FEATURE_LEVEL_9_1,
};

static HRESULT check_arguments(IDXGIAdapter *adapter, D3D_DRIVER_TYPE type, HMODULE software, UINT flags,
			       UINT sdk_version)
{
	if (sdk_version != D3D11_SDK_VERSION || flags & ~(UINT)KNOWN_FLAGS)
		return E_INVALIDARG;
	if (adapter ? type != D3D_DRIVER_TYPE_UNKNOWN : type == D3D_DRIVER_TYPE_UNKNOWN)
		return E_INVALIDARG;
	if ((unsigned)type > D3D_DRIVER_TYPE_WARP || !software != (type != D3D_DRIVER_TYPE_SOFTWARE))
		return E_INVALIDARG;
	/* The debug and switch-to-reference layers come with an SDK that does not exist here. */
	if (flags & (D3D11_CREATE_DEVICE_DEBUG | D3D11_CREATE_DEVICE_SWITCH_TO_REF))
		return DXGI_ERROR_SDK_COMPONENT_MISSING;
	if (type != D3D_DRIVER_TYPE_UNKNOWN && type != D3D_DRIVER_TYPE_HARDWARE)
		return DXGI_ERROR_UNSUPPORTED;
	return S_OK;
}

static bool is_level(D3D_FEATURE_LEVEL level)
{
	switch (level) {
	case D3D_FEATURE_LEVEL_9_1:
	case D3D_FEATURE_LEVEL_9_2:
	case D3D_FEATURE_LEVEL_9_3:
	case D3D_FEATURE_LEVEL_10_0:
	case D3D_FEATURE_LEVEL_10_1:
	case D3D_FEATURE_LEVEL_11_0:
	case D3D_FEATURE_LEVEL_11_1:
		return true;
	default:
		return false;
	}
}

/* The first level of the list that the adapter has. Levels newer than this runtime are an error, as on Windows. */
static HRESULT choose_level(struct dxgi_ddi_adapter *adapter, const D3D_FEATURE_LEVEL *levels, UINT count,
			    D3D_FEATURE_LEVEL *chosen)
{
	D3D11DDI_3DPIPELINESUPPORT_CAPS support = {0};
	D3D10_2DDIARG_GETCAPS args = {D3D11DDICAPS_3DPIPELINESUPPORT, NULL, &support, sizeof(support)};
	HRESULT hr = adapter->funcs.pfnGetCaps(adapter->handle, &args);

	if (FAILED(hr))
		return hr;
	for (UINT i = 0; i < count; i++)
		if (!is_level(levels[i]))
			return E_INVALIDARG;
	for (UINT i = 0; i < count; i++)
		if (support.Caps >> d3d11_ddi_level(levels[i]) & 1) {
			*chosen = levels[i];
			return S_OK;
		}
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT default_adapter(IDXGIAdapter **out)
{
	IDXGIFactory1 *factory;
	HRESULT hr = CreateDXGIFactory1(&IID_IDXGIFactory1, (void **)&factory);

	if (FAILED(hr))
		return hr;
	hr = IDXGIFactory1_EnumAdapters(factory, 0, out);
	IDXGIFactory1_Release(factory);
	return hr == DXGI_ERROR_NOT_FOUND ? DXGI_ERROR_UNSUPPORTED : hr;
}

static HRESULT create_on(IDXGIAdapter *adapter, UINT flags, const D3D_FEATURE_LEVEL *levels, UINT level_count,
			 bool want_device, D3D_FEATURE_LEVEL *level, struct d3d11_device **out)
{
	D3DGPUAdapter *private;
	D3D_FEATURE_LEVEL chosen = 0;
	HRESULT hr = IDXGIAdapter_QueryInterface(adapter, &IID_D3DGPUAdapter, (void **)&private);

	if (FAILED(hr))
		return E_INVALIDARG;
	hr = choose_level(private->lpVtbl->GetDdiAdapter(private), levels, level_count, &chosen);
	if (SUCCEEDED(hr) && want_device)
		hr = d3d11_device_create(adapter, chosen, flags, out);
	private->lpVtbl->Release(private);
	if (SUCCEEDED(hr) && level)
		*level = chosen;
	return hr;
}

D3D11_EXPORT HRESULT WINAPI D3D11CreateDevice(IDXGIAdapter *adapter, D3D_DRIVER_TYPE type, HMODULE software, UINT flags,
					      const D3D_FEATURE_LEVEL *levels, UINT level_count, UINT sdk_version,
					      ID3D11Device **out, D3D_FEATURE_LEVEL *level,
					      ID3D11DeviceContext **context)
{
	struct d3d11_device *device = NULL;
	IDXGIAdapter *chosen = adapter;
	HRESULT hr;

	if (out)
		*out = NULL;
	if (level)
		*level = 0;
	if (context)
		*context = NULL;
	if (!levels || !level_count) {
		levels = default_levels;
		level_count = ARRAY_COUNT(default_levels);
	}
	hr = check_arguments(adapter, type, software, flags, sdk_version);
	if (SUCCEEDED(hr) && !adapter)
		hr = default_adapter(&chosen);
	if (FAILED(hr))
		return hr;
	hr = create_on(chosen, flags, levels, level_count, out || context, level, &device);
	if (!adapter)
		IDXGIAdapter_Release(chosen);
	if (FAILED(hr))
		return hr;
	if (!device)
		return S_FALSE;
	if (context)
		ID3D11Device1_GetImmediateContext(&device->ID3D11Device1_iface, context);
	if (out)
		*out = (ID3D11Device *)&device->ID3D11Device1_iface;
	else
		d3d11_device_release(device);
	return S_OK;
}

static HRESULT create_swap_chain(ID3D11Device *device, const DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **out)
{
	DXGI_SWAP_CHAIN_DESC copy = *desc;
	IDXGIDevice *dxgi_device;
	IDXGIAdapter *adapter;
	IDXGIFactory *factory;
	HRESULT hr = ID3D11Device_QueryInterface(device, &IID_IDXGIDevice, (void **)&dxgi_device);

	if (FAILED(hr))
		return hr;
	hr = IDXGIDevice_GetAdapter(dxgi_device, &adapter);
	IDXGIDevice_Release(dxgi_device);
	if (FAILED(hr))
		return hr;
	hr = IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory, (void **)&factory);
	IDXGIAdapter_Release(adapter);
	if (FAILED(hr))
		return hr;
	hr = IDXGIFactory_CreateSwapChain(factory, (IUnknown *)device, &copy, out);
	IDXGIFactory_Release(factory);
	return hr;
}

D3D11_EXPORT HRESULT WINAPI D3D11CreateDeviceAndSwapChain(IDXGIAdapter *adapter, D3D_DRIVER_TYPE type, HMODULE software,
							  UINT flags, const D3D_FEATURE_LEVEL *levels, UINT level_count,
							  UINT sdk_version, const DXGI_SWAP_CHAIN_DESC *desc,
							  IDXGISwapChain **swap_chain, ID3D11Device **out,
							  D3D_FEATURE_LEVEL *level, ID3D11DeviceContext **context)
{
	ID3D11Device *device;
	HRESULT hr;

	if (swap_chain)
		*swap_chain = NULL;
	if (out)
		*out = NULL;
	if (context)
		*context = NULL;
	if (swap_chain && !desc)
		return E_INVALIDARG;
	if (!swap_chain)
		return D3D11CreateDevice(adapter, type, software, flags, levels, level_count, sdk_version, out, level,
					 context);
	hr = D3D11CreateDevice(adapter, type, software, flags, levels, level_count, sdk_version, &device, level, NULL);
	if (FAILED(hr))
		return hr;
	hr = create_swap_chain(device, desc, swap_chain);
	if (SUCCEEDED(hr) && context)
		ID3D11Device_GetImmediateContext(device, context);
	if (SUCCEEDED(hr) && out)
		*out = device;
	else
		ID3D11Device_Release(device);
	return hr;
}
