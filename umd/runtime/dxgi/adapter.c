/* SPDX-License-Identifier: MIT */
/* IDXGIAdapter3: name, identity and memory of the GPU, and its output. */
#include "dxgi_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static inline struct dxgi_adapter *impl(IDXGIAdapter3 *iface)
{
	return (struct dxgi_adapter *)iface;
}

/* ---- the driver's adapter ---- */

static HRESULT query_info(struct dxgi_ddi_adapter *ddi, struct d3dgpu_ddi_adapter *info)
{
	D3D10_2DDIARG_GETCAPS caps = {(D3D10_2DDICAPS_TYPE)D3DGPU_DDICAPS_ADAPTER, NULL, info, sizeof(*info)};

	return ddi->funcs.pfnGetCaps(ddi->handle, &caps);
}

static void ddi_adapter_unref(struct dxgi_ddi_adapter *ddi)
{
	if (__atomic_sub_fetch(&ddi->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (ddi->funcs.pfnCloseAdapter)
		ddi->funcs.pfnCloseAdapter(ddi->handle);
	if (ddi->runtime)
		runtime_adapter_unref(ddi->runtime);
	free(ddi);
}

static HRESULT hresult_of(int err)
{
	return err == -ENOENT ? DXGI_ERROR_NOT_FOUND : err == -ENOMEM ? E_OUTOFMEMORY : E_FAIL;
}

static HRESULT ddi_adapter_open(UINT index, struct dxgi_ddi_adapter **out)
{
	static const D3DDDI_ADAPTERCALLBACKS callbacks = {.pfnQueryAdapterInfoCb = runtime_adapter_query};
	struct dxgi_ddi_adapter *ddi = calloc(1, sizeof(*ddi));
	D3D10DDIARG_OPENADAPTER args = {.Interface = D3D11_1_DDI_INTERFACE_VERSION,
					.Version = D3D11_1_DDI_BUILD_VERSION << 16,
					.pAdapterCallbacks = &callbacks};
	PFND3D10DDI_OPENADAPTER open_adapter;
	HRESULT hr = E_FAIL;
	int err;

	if (!ddi)
		return E_OUTOFMEMORY;
	ddi->references = 1;
	err = runtime_adapter_open(index, &ddi->runtime);
	if (err) {
		ddi_adapter_unref(ddi);
		return hresult_of(err);
	}
	open_adapter = (PFND3D10DDI_OPENADAPTER)runtime_adapter_symbol(ddi->runtime, "OpenAdapter10_2");
	args.hRTAdapter.handle = ddi->runtime;
	args.pAdapterFuncs_2 = &ddi->funcs;
	if (open_adapter)
		hr = open_adapter(&args);
	if (SUCCEEDED(hr)) {
		ddi->handle = args.hAdapter;
		hr = query_info(ddi, &ddi->info);
	}
	if (FAILED(hr)) {
		ddi_adapter_unref(ddi);
		return hr;
	}
	*out = ddi;
	return S_OK;
}

/* ---- IUnknown, IDXGIObject ---- */

static HRESULT STDMETHODCALLTYPE adapter_QueryInterface(IDXGIAdapter3 *iface, REFIID riid, void **out)
{
	static const GUID *const ids[] = {&IID_IUnknown,      &IID_IDXGIObject,   &IID_IDXGIAdapter,
					  &IID_IDXGIAdapter1, &IID_IDXGIAdapter2, &IID_IDXGIAdapter3};

	if (out && IsEqualGUID(riid, &IID_D3DGPUAdapter)) {
		dxgi_add_ref(&impl(iface)->base);
		*out = &impl(iface)->private_iface;
		return S_OK;
	}
	return dxgi_query(&impl(iface)->base, ids, sizeof(ids) / sizeof(ids[0]), riid, out);
}

static ULONG STDMETHODCALLTYPE adapter_Release(IDXGIAdapter3 *iface)
{
	struct dxgi_adapter *adapter = impl(iface);
	ULONG references = (ULONG)__atomic_sub_fetch(&adapter->base.references, 1, __ATOMIC_ACQ_REL);

	if (!references) {
		private_store_clear(&adapter->base.data);
		ddi_adapter_unref(adapter->ddi);
		IDXGIFactory2_Release((IDXGIFactory2 *)adapter->factory);
		free(adapter);
	}
	return references;
}

static HRESULT STDMETHODCALLTYPE adapter_GetParent(IDXGIAdapter3 *iface, REFIID riid, void **parent)
{
	return IDXGIFactory2_QueryInterface((IDXGIFactory2 *)impl(iface)->factory, riid, parent);
}

/* ---- IDXGIAdapter ---- */

static HRESULT STDMETHODCALLTYPE adapter_EnumOutputs(IDXGIAdapter3 *iface, UINT index, IDXGIOutput **output)
{
	struct dxgi_output *object;
	HRESULT hr;

	if (!output)
		return E_INVALIDARG;
	*output = NULL;
	if (index)
		return DXGI_ERROR_NOT_FOUND;
	hr = dxgi_output_create(impl(iface), &object);
	if (SUCCEEDED(hr))
		*output = (IDXGIOutput *)object;
	return hr;
}

/* ASCII into the fixed array of a description. */
static void widen(WCHAR *out, size_t count, const char *text)
{
	size_t i = 0;

	for (; text[i] && i + 1 < count; i++)
		out[i] = (unsigned char)text[i];
	for (; i < count; i++)
		out[i] = 0;
}

static LUID luid_of(const struct dxgi_ddi_adapter *ddi)
{
	return (LUID){(DWORD)ddi->info.luid, (LONG)(ddi->info.luid >> 32)};
}

static HRESULT STDMETHODCALLTYPE adapter_GetDesc2(IDXGIAdapter3 *iface, DXGI_ADAPTER_DESC2 *desc)
{
	struct dxgi_ddi_adapter *ddi = impl(iface)->ddi;

	if (!desc)
		return E_INVALIDARG;
	memset(desc, 0, sizeof(*desc));
	widen(desc->Description, sizeof(desc->Description) / sizeof(desc->Description[0]), ddi->info.description);
	desc->VendorId = ddi->info.vendor_id;
	desc->DeviceId = ddi->info.device_id;
	desc->DedicatedVideoMemory = ddi->info.vram_size;
	desc->AdapterLuid = luid_of(ddi);
	desc->GraphicsPreemptionGranularity = DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
	desc->ComputePreemptionGranularity = DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE adapter_GetDesc1(IDXGIAdapter3 *iface, DXGI_ADAPTER_DESC1 *desc)
{
	DXGI_ADAPTER_DESC2 desc2;

	if (!desc)
		return E_INVALIDARG;
	adapter_GetDesc2(iface, &desc2);
	_Static_assert(offsetof(DXGI_ADAPTER_DESC2, GraphicsPreemptionGranularity) >=
			       offsetof(DXGI_ADAPTER_DESC1, Flags) + 4,
		       "a description is a prefix of the next version's");
	memcpy(desc, &desc2, sizeof(*desc));
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE adapter_GetDesc(IDXGIAdapter3 *iface, DXGI_ADAPTER_DESC *desc)
{
	DXGI_ADAPTER_DESC2 desc2;

	if (!desc)
		return E_INVALIDARG;
	adapter_GetDesc2(iface, &desc2);
	memcpy(desc, &desc2, sizeof(*desc));
	return S_OK;
}

/*
 * Windows answers for the Direct3D 10 interfaces and IDXGIDevice only, with the driver's version in four 16-bit parts.
 */
static HRESULT STDMETHODCALLTYPE adapter_CheckInterfaceSupport(IDXGIAdapter3 *iface, REFGUID guid,
							       LARGE_INTEGER *version)
{
	static const GUID d3d10_device = {0x9b7e4c0f, 0x342c, 0x4106, {0xa1, 0x9f, 0x4f, 0x27, 0x04, 0xf6, 0x89, 0xf0}};
	static const GUID d3d10_device1 = {
		0x9b7e4c8f, 0x342c, 0x4106, {0xa1, 0x9f, 0x4f, 0x27, 0x04, 0xf6, 0x89, 0xf0}};
	uint32_t driver = impl(iface)->ddi->info.driver_version;

	if (!guid)
		return E_INVALIDARG;
	if (!IsEqualGUID(guid, &IID_IDXGIDevice) && !IsEqualGUID(guid, &d3d10_device) &&
	    !IsEqualGUID(guid, &d3d10_device1))
		return DXGI_ERROR_UNSUPPORTED;
	if (version)
		version->QuadPart = (LONGLONG)driver << 32;
	return S_OK;
}

/* ---- IDXGIAdapter3 ---- */

static HRESULT STDMETHODCALLTYPE adapter_RegisterEvent(IDXGIAdapter3 *iface, HANDLE event, DWORD *cookie)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static void STDMETHODCALLTYPE adapter_UnregisterEvent(IDXGIAdapter3 *iface, DWORD cookie)
{
}

static HRESULT STDMETHODCALLTYPE adapter_QueryVideoMemoryInfo(IDXGIAdapter3 *iface, UINT node,
							      DXGI_MEMORY_SEGMENT_GROUP group,
							      DXGI_QUERY_VIDEO_MEMORY_INFO *info)
{
	struct d3dgpu_ddi_adapter now = {0};
	HRESULT hr;

	if (!info || node || (group != DXGI_MEMORY_SEGMENT_GROUP_LOCAL && group != DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL))
		return E_INVALIDARG;
	memset(info, 0, sizeof(*info));
	if (group == DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL)
		return S_OK;
	hr = query_info(impl(iface)->ddi, &now);
	if (FAILED(hr))
		return hr;
	info->Budget = now.vram_size;
	info->CurrentUsage = now.vram_size - now.vram_free;
	info->AvailableForReservation = now.vram_size / 2;
	return S_OK;
}

/* Nothing can be reserved: the pool is shared by demand. */
static HRESULT STDMETHODCALLTYPE adapter_SetVideoMemoryReservation(IDXGIAdapter3 *iface, UINT node,
								   DXGI_MEMORY_SEGMENT_GROUP group, UINT64 reservation)
{
	return reservation ? DXGI_ERROR_UNSUPPORTED : S_OK;
}

static const IDXGIAdapter3Vtbl adapter_vtbl = {
	DXGI_OBJECT_METHODS(IDXGIAdapter3),
	.QueryInterface = adapter_QueryInterface,
	.Release = adapter_Release,
	.GetParent = adapter_GetParent,
	.EnumOutputs = adapter_EnumOutputs,
	.GetDesc = adapter_GetDesc,
	.CheckInterfaceSupport = adapter_CheckInterfaceSupport,
	.GetDesc1 = adapter_GetDesc1,
	.GetDesc2 = adapter_GetDesc2,
	.RegisterHardwareContentProtectionTeardownStatusEvent = adapter_RegisterEvent,
	.UnregisterHardwareContentProtectionTeardownStatus = adapter_UnregisterEvent,
	.QueryVideoMemoryInfo = adapter_QueryVideoMemoryInfo,
	.SetVideoMemoryReservation = adapter_SetVideoMemoryReservation,
	.RegisterVideoMemoryBudgetChangeNotificationEvent = adapter_RegisterEvent,
	.UnregisterVideoMemoryBudgetChangeNotification = adapter_UnregisterEvent,
};

/* ---- D3DGPUAdapter ---- */

static struct dxgi_adapter *private_impl(D3DGPUAdapter *iface)
{
	return (struct dxgi_adapter *)((char *)iface - offsetof(struct dxgi_adapter, private_iface));
}

static HRESULT STDMETHODCALLTYPE private_QueryInterface(D3DGPUAdapter *iface, REFIID riid, void **out)
{
	return adapter_QueryInterface((IDXGIAdapter3 *)private_impl(iface), riid, out);
}

static ULONG STDMETHODCALLTYPE private_AddRef(D3DGPUAdapter *iface)
{
	return dxgi_add_ref(&private_impl(iface)->base);
}

static ULONG STDMETHODCALLTYPE private_Release(D3DGPUAdapter *iface)
{
	return adapter_Release((IDXGIAdapter3 *)private_impl(iface));
}

static struct dxgi_ddi_adapter *private_GetDdiAdapter(D3DGPUAdapter *iface)
{
	return private_impl(iface)->ddi;
}

static const D3DGPUAdapterVtbl private_vtbl = {
	.QueryInterface = private_QueryInterface,
	.AddRef = private_AddRef,
	.Release = private_Release,
	.GetDdiAdapter = private_GetDdiAdapter,
};

HRESULT dxgi_adapter_create(struct dxgi_factory *factory, UINT index, struct dxgi_adapter **out)
{
	struct dxgi_adapter *adapter = calloc(1, sizeof(*adapter));
	HRESULT hr;

	if (!adapter)
		return E_OUTOFMEMORY;
	hr = ddi_adapter_open(index, &adapter->ddi);
	if (FAILED(hr)) {
		free(adapter);
		return hr;
	}
	dxgi_object_init(&adapter->base, &adapter_vtbl);
	adapter->private_iface.lpVtbl = &private_vtbl;
	adapter->factory = factory;
	dxgi_add_ref(&factory->base);
	*out = adapter;
	return S_OK;
}
