/* SPDX-License-Identifier: MIT */
/* IDXGIFactory2: enumeration of adapters, creation of swap chains. */
#include "dxgi_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debug.h"

static inline struct dxgi_factory *impl(IDXGIFactory2 *iface)
{
	return (struct dxgi_factory *)iface;
}

static HRESULT STDMETHODCALLTYPE factory_QueryInterface(IDXGIFactory2 *iface, REFIID riid, void **out)
{
	static const GUID *const ids[] = {&IID_IUnknown, &IID_IDXGIObject, &IID_IDXGIFactory, &IID_IDXGIFactory1,
					  &IID_IDXGIFactory2};
	size_t count = sizeof(ids) / sizeof(ids[0]);

	/* A factory of CreateDXGIFactory is one of DXGI 1.0. */
	return dxgi_query(&impl(iface)->base, ids, impl(iface)->extended ? count : 3, riid, out);
}

static ULONG STDMETHODCALLTYPE factory_Release(IDXGIFactory2 *iface)
{
	struct dxgi_factory *factory = impl(iface);
	ULONG references = (ULONG)__atomic_sub_fetch(&factory->base.references, 1, __ATOMIC_ACQ_REL);

	if (!references) {
		private_store_clear(&factory->base.data);
		free(factory);
	}
	return references;
}

static HRESULT STDMETHODCALLTYPE factory_GetParent(IDXGIFactory2 *iface, REFIID riid, void **parent)
{
	if (!parent)
		return E_POINTER;
	*parent = NULL;
	return E_NOINTERFACE;
}

static HRESULT enumerate(struct dxgi_factory *factory, UINT index, void **out)
{
	struct dxgi_adapter *adapter;
	HRESULT hr;

	if (!out)
		return DXGI_ERROR_INVALID_CALL;
	*out = NULL;
	hr = dxgi_adapter_create(factory, index, &adapter);
	if (SUCCEEDED(hr))
		*out = adapter;
	return hr;
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapters(IDXGIFactory2 *iface, UINT index, IDXGIAdapter **adapter)
{
	return enumerate(impl(iface), index, (void **)adapter);
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapters1(IDXGIFactory2 *iface, UINT index, IDXGIAdapter1 **adapter)
{
	return enumerate(impl(iface), index, (void **)adapter);
}

static HRESULT STDMETHODCALLTYPE factory_MakeWindowAssociation(IDXGIFactory2 *iface, HWND window, UINT flags)
{
	if (flags > 7 || (flags && !window))
		return DXGI_ERROR_INVALID_CALL;
	impl(iface)->associated = window;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_GetWindowAssociation(IDXGIFactory2 *iface, HWND *window)
{
	if (!window)
		return DXGI_ERROR_INVALID_CALL;
	*window = impl(iface)->associated;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_CreateSwapChain(IDXGIFactory2 *iface, IUnknown *device,
							 DXGI_SWAP_CHAIN_DESC *desc, IDXGISwapChain **swap_chain)
{
	DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen;
	DXGI_SWAP_CHAIN_DESC1 desc1;

	if (!device || !desc || !swap_chain)
		return DXGI_ERROR_INVALID_CALL;
	desc1 = (DXGI_SWAP_CHAIN_DESC1){
		.Width = desc->BufferDesc.Width,
		.Height = desc->BufferDesc.Height,
		.Format = desc->BufferDesc.Format,
		.SampleDesc = desc->SampleDesc,
		.BufferUsage = desc->BufferUsage,
		.BufferCount = desc->BufferCount,
		.Scaling = DXGI_SCALING_STRETCH,
		.SwapEffect = desc->SwapEffect,
		.AlphaMode = DXGI_ALPHA_MODE_IGNORE,
		.Flags = desc->Flags,
	};
	fullscreen = (DXGI_SWAP_CHAIN_FULLSCREEN_DESC){desc->BufferDesc.RefreshRate, desc->BufferDesc.ScanlineOrdering,
						       desc->BufferDesc.Scaling, desc->Windowed};
	return dxgi_swap_chain_create(impl(iface), device, desc->OutputWindow, &desc1, &fullscreen,
				      (IDXGISwapChain1 **)swap_chain);
}

static HRESULT STDMETHODCALLTYPE factory_CreateSoftwareAdapter(IDXGIFactory2 *iface, HMODULE module,
							       IDXGIAdapter **adapter)
{
	if (adapter)
		*adapter = NULL;
	return DXGI_ERROR_UNSUPPORTED;
}

static BOOL STDMETHODCALLTYPE factory_IsCurrent(IDXGIFactory2 *iface)
{
	return TRUE;
}

static BOOL STDMETHODCALLTYPE factory_IsWindowedStereoEnabled(IDXGIFactory2 *iface)
{
	return FALSE;
}

static HRESULT STDMETHODCALLTYPE factory_CreateSwapChainForHwnd(IDXGIFactory2 *iface, IUnknown *device, HWND window,
								const DXGI_SWAP_CHAIN_DESC1 *desc,
								const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen,
								IDXGIOutput *output, IDXGISwapChain1 **swap_chain)
{
	if (!device || !desc || !swap_chain)
		return DXGI_ERROR_INVALID_CALL;
	return dxgi_swap_chain_create(impl(iface), device, window, desc, fullscreen, swap_chain);
}

static HRESULT STDMETHODCALLTYPE factory_CreateSwapChainForCoreWindow(IDXGIFactory2 *iface, IUnknown *device,
								      IUnknown *window,
								      const DXGI_SWAP_CHAIN_DESC1 *desc,
								      IDXGIOutput *output, IDXGISwapChain1 **swap_chain)
{
	if (swap_chain)
		*swap_chain = NULL;
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE factory_GetSharedResourceAdapterLuid(IDXGIFactory2 *iface, HANDLE resource, LUID *luid)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE factory_RegisterStereoStatusWindow(IDXGIFactory2 *iface, HWND window, UINT msg,
								    DWORD *cookie)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE factory_RegisterStereoStatusEvent(IDXGIFactory2 *iface, HANDLE event, DWORD *cookie)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static void STDMETHODCALLTYPE factory_Unregister(IDXGIFactory2 *iface, DWORD cookie)
{
}

static HRESULT STDMETHODCALLTYPE factory_RegisterOcclusionStatusWindow(IDXGIFactory2 *iface, HWND window, UINT msg,
								       DWORD *cookie)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE factory_RegisterOcclusionStatusEvent(IDXGIFactory2 *iface, HANDLE event, DWORD *cookie)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE factory_CreateSwapChainForComposition(IDXGIFactory2 *iface, IUnknown *device,
								       const DXGI_SWAP_CHAIN_DESC1 *desc,
								       IDXGIOutput *output,
								       IDXGISwapChain1 **swap_chain)
{
	if (swap_chain)
		*swap_chain = NULL;
	return DXGI_ERROR_UNSUPPORTED;
}

static const IDXGIFactory2Vtbl factory_vtbl = {
	DXGI_OBJECT_METHODS(IDXGIFactory2),
	.QueryInterface = factory_QueryInterface,
	.Release = factory_Release,
	.GetParent = factory_GetParent,
	.EnumAdapters = factory_EnumAdapters,
	.MakeWindowAssociation = factory_MakeWindowAssociation,
	.GetWindowAssociation = factory_GetWindowAssociation,
	.CreateSwapChain = factory_CreateSwapChain,
	.CreateSoftwareAdapter = factory_CreateSoftwareAdapter,
	.EnumAdapters1 = factory_EnumAdapters1,
	.IsCurrent = factory_IsCurrent,
	.IsWindowedStereoEnabled = factory_IsWindowedStereoEnabled,
	.CreateSwapChainForHwnd = factory_CreateSwapChainForHwnd,
	.CreateSwapChainForCoreWindow = factory_CreateSwapChainForCoreWindow,
	.GetSharedResourceAdapterLuid = factory_GetSharedResourceAdapterLuid,
	.RegisterStereoStatusWindow = factory_RegisterStereoStatusWindow,
	.RegisterStereoStatusEvent = factory_RegisterStereoStatusEvent,
	.UnregisterStereoStatus = factory_Unregister,
	.RegisterOcclusionStatusWindow = factory_RegisterOcclusionStatusWindow,
	.RegisterOcclusionStatusEvent = factory_RegisterOcclusionStatusEvent,
	.UnregisterOcclusionStatus = factory_Unregister,
	.CreateSwapChainForComposition = factory_CreateSwapChainForComposition,
};

HRESULT dxgi_factory_create(bool extended, REFIID riid, void **out)
{
	struct dxgi_factory *factory;
	HRESULT hr;

	if (!out)
		return E_POINTER;
	*out = NULL;
	factory = calloc(1, sizeof(*factory));
	if (!factory)
		return E_OUTOFMEMORY;
	dxgi_object_init(&factory->base, &factory_vtbl);
	factory->extended = extended;
	hr = factory_QueryInterface((IDXGIFactory2 *)factory, riid, out);
	factory_Release((IDXGIFactory2 *)factory);
	return hr;
}
