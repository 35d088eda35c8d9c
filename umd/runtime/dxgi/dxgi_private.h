/* SPDX-License-Identifier: MIT */
/* What the files of libdxgi.so share. One file per COM object. */
#ifndef D3DGPU_DXGI_PRIVATE_H
#define D3DGPU_DXGI_PRIVATE_H

#include "dxgi_runtime.h"

#include "private_data.h"
#include "wsi.h"

#define DXGI_EXPORT __attribute__((visibility("default")))

/* The start of every object here: IUnknown's counter and IDXGIObject's private data. */
struct dxgi_object {
	const void *vtbl;
	LONG references;
	struct private_store data;
};

struct dxgi_factory {
	struct dxgi_object base; /* IDXGIFactory2 */
	bool extended;           /* made by CreateDXGIFactory1 or later: IDXGIFactory1 is there */
	HWND associated;
};

struct dxgi_adapter {
	struct dxgi_object base; /* IDXGIAdapter3 */
	D3DGPUAdapter private_iface;
	struct dxgi_factory *factory; /* referenced */
	struct dxgi_ddi_adapter *ddi;
};

struct dxgi_output {
	struct dxgi_object base;      /* IDXGIOutput1 */
	struct dxgi_adapter *adapter; /* referenced */
	struct d3dgpu_wsi wsi;
};

void dxgi_object_init(struct dxgi_object *object, const void *vtbl);
/* IDXGIObject's data methods, for vtables of any object. */
HRESULT STDMETHODCALLTYPE dxgi_set_private_data(struct dxgi_object *object, REFGUID guid, UINT size, const void *data);
HRESULT STDMETHODCALLTYPE dxgi_set_private_data_interface(struct dxgi_object *object, REFGUID guid,
							  const IUnknown *data);
HRESULT STDMETHODCALLTYPE dxgi_get_private_data(struct dxgi_object *object, REFGUID guid, UINT *size, void *data);
ULONG STDMETHODCALLTYPE dxgi_add_ref(struct dxgi_object *object);
/* The object of one of ids (count of them), with a reference; E_NOINTERFACE, E_POINTER. */
HRESULT dxgi_query(struct dxgi_object *object, const GUID *const *ids, size_t count, REFIID riid, void **out);

HRESULT dxgi_factory_create(bool extended, REFIID riid, void **out);
HRESULT dxgi_adapter_create(struct dxgi_factory *factory, UINT index, struct dxgi_adapter **out);
HRESULT dxgi_output_create(struct dxgi_adapter *adapter, struct dxgi_output **out);
/* fullscreen may be NULL. */
HRESULT dxgi_swap_chain_create(struct dxgi_factory *factory, IUnknown *device, HWND window,
			       const DXGI_SWAP_CHAIN_DESC1 *desc, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen,
			       IDXGISwapChain1 **out);

/* The signature of a vtable's slot, for the methods that all objects share. */
#define DXGI_OBJECT_METHODS(type)                                                                                      \
	.AddRef = (ULONG(STDMETHODCALLTYPE *)(type *))dxgi_add_ref,                                                    \
	.SetPrivateData = (HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, UINT, const void *))dxgi_set_private_data,    \
	.SetPrivateDataInterface =                                                                                     \
		(HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, const IUnknown *))dxgi_set_private_data_interface,      \
	.GetPrivateData = (HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, UINT *, void *))dxgi_get_private_data

#endif
