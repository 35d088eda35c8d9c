/* SPDX-License-Identifier: MIT */
/* ID3D11Device1: the device's own life, the driver below it, and the methods that create nothing. */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

#include "d3dgpu_statistics.h"

static inline struct d3d11_device *impl(ID3D11Device1 *iface)
{
	return (struct d3d11_device *)iface;
}

/* ---- calls of the driver ---- */

void d3d11_enter(struct d3d11_device *device)
{
	pthread_mutex_lock(&device->lock);
	device->error = S_OK;
}

static HRESULT api_code(HRESULT error)
{
	switch (error) {
	case D3DDDIERR_DEVICEREMOVED:
		return DXGI_ERROR_DEVICE_REMOVED;
	case DXGI_DDI_ERR_WASSTILLDRAWING:
		return DXGI_ERROR_WAS_STILL_DRAWING;
	case DXGI_DDI_ERR_UNSUPPORTED:
		return E_NOTIMPL;
	default:
		return error;
	}
}

HRESULT d3d11_leave(struct d3d11_device *device)
{
	HRESULT hr = api_code(device->error);

	pthread_mutex_unlock(&device->lock);
	return hr;
}

/* The driver reports an error of the call that is on: the lock is held. */
static void set_error(D3D10DDI_HRTCORELAYER core, HRESULT hr)
{
	struct d3d11_device *device = core.handle;

	switch (hr) {
	case D3DDDIERR_DEVICEREMOVED:
		if (SUCCEEDED(device->removed))
			device->removed = DXGI_ERROR_DEVICE_REMOVED;
		break;
	case E_OUTOFMEMORY:
	case DXGI_DDI_ERR_WASSTILLDRAWING:
	case DXGI_DDI_ERR_UNSUPPORTED:
		break;
	default:
		runtime_log("driver bug: error 0x%08x is not allowed; the device is removed", (unsigned)hr);
		device->removed = DXGI_ERROR_DRIVER_INTERNAL_ERROR;
		hr = D3DDDIERR_DEVICEREMOVED;
	}
	device->error = hr;
}

/* The driver follows its state by itself and never asks for it again. */
static const D3D11DDI_CORELAYER_DEVICECALLBACKS core_callbacks = {.pfnSetErrorCb = set_error};

UINT d3d11_ddi_level(D3D_FEATURE_LEVEL level)
{
	switch (level) {
	case D3D_FEATURE_LEVEL_9_1:
		return D3D11_1DDI_3DPIPELINELEVEL_9_1;
	case D3D_FEATURE_LEVEL_9_2:
		return D3D11_1DDI_3DPIPELINELEVEL_9_2;
	case D3D_FEATURE_LEVEL_9_3:
		return D3D11_1DDI_3DPIPELINELEVEL_9_3;
	case D3D_FEATURE_LEVEL_10_0:
		return D3D11DDI_3DPIPELINELEVEL_10_0;
	case D3D_FEATURE_LEVEL_10_1:
		return D3D11DDI_3DPIPELINELEVEL_10_1;
	case D3D_FEATURE_LEVEL_11_0:
		return D3D11DDI_3DPIPELINELEVEL_11_0;
	default:
		return D3D11_1DDI_3DPIPELINELEVEL_11_1;
	}
}

/* ---- IUnknown ---- */

static HRESULT STDMETHODCALLTYPE device_QueryInterface(ID3D11Device1 *iface, REFIID riid, void **out)
{
	struct d3d11_device *device = impl(iface);

	if (!out)
		return E_POINTER;
	*out = NULL;
	if (IsEqualGUID(riid, &IID_IUnknown) || IsEqualGUID(riid, &IID_ID3D11Device) ||
	    IsEqualGUID(riid, &IID_ID3D11Device1))
		*out = iface;
	else if (IsEqualGUID(riid, &IID_IDXGIObject) || IsEqualGUID(riid, &IID_IDXGIDevice) ||
		 IsEqualGUID(riid, &IID_IDXGIDevice1) || IsEqualGUID(riid, &IID_IDXGIDevice2))
		*out = &device->dxgi_device;
	else if (IsEqualGUID(riid, &IID_ID3D10Multithread))
		*out = &device->multithread;
	else if (IsEqualGUID(riid, &IID_D3DGPUSurfaceDevice))
		*out = &device->surface_device;
	if (!*out)
		return E_NOINTERFACE;
	d3d11_device_addref(device);
	return S_OK;
}

ULONG d3d11_device_addref(struct d3d11_device *device)
{
	return (ULONG)__atomic_add_fetch(&device->references, 1, __ATOMIC_RELAXED);
}

static void destroy_device(struct d3d11_device *device)
{
	if (device->context)
		context_destroy(device->context);
	private_store_clear(&device->data);
	if (device->funcs.pfnDestroyDevice)
		device->funcs.pfnDestroyDevice(device->ddi);
	free(device->ddi.pDrvPrivate);
	IDXGIAdapter3_Release(device->adapter);
	pthread_mutex_destroy(&device->lock);
	free(device);
}

ULONG d3d11_device_release(struct d3d11_device *device)
{
	ULONG references = (ULONG)__atomic_sub_fetch(&device->references, 1, __ATOMIC_ACQ_REL);

	if (!references)
		destroy_device(device);
	return references;
}

static ULONG STDMETHODCALLTYPE device_AddRef(ID3D11Device1 *iface)
{
	return d3d11_device_addref(impl(iface));
}

static ULONG STDMETHODCALLTYPE device_Release(ID3D11Device1 *iface)
{
	return d3d11_device_release(impl(iface));
}

/* ---- creation: the objects' files do the work ---- */

static HRESULT STDMETHODCALLTYPE device_CreateBuffer(ID3D11Device1 *iface, const D3D11_BUFFER_DESC *desc,
						     const D3D11_SUBRESOURCE_DATA *data, ID3D11Buffer **buffer)
{
	return buffer_create(impl(iface), desc, data, buffer);
}

static HRESULT STDMETHODCALLTYPE device_CreateTexture1D(ID3D11Device1 *iface, const D3D11_TEXTURE1D_DESC *desc,
							const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture1D **texture)
{
	return texture1d_create(impl(iface), desc, data, texture);
}

static HRESULT STDMETHODCALLTYPE device_CreateTexture2D(ID3D11Device1 *iface, const D3D11_TEXTURE2D_DESC *desc,
							const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture2D **texture)
{
	return texture2d_create(impl(iface), desc, data, texture);
}

static HRESULT STDMETHODCALLTYPE device_CreateTexture3D(ID3D11Device1 *iface, const D3D11_TEXTURE3D_DESC *desc,
							const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture3D **texture)
{
	return texture3d_create(impl(iface), desc, data, texture);
}

static HRESULT STDMETHODCALLTYPE device_CreateShaderResourceView(ID3D11Device1 *iface, ID3D11Resource *resource,
								 const D3D11_SHADER_RESOURCE_VIEW_DESC *desc,
								 ID3D11ShaderResourceView **view)
{
	return srv_create(impl(iface), (struct d3d11_resource *)resource, desc, view);
}

/* Unordered access is not built: what could be valid says so, the rest is invalid. */
static HRESULT STDMETHODCALLTYPE device_CreateUnorderedAccessView(ID3D11Device1 *iface, ID3D11Resource *resource,
								  const D3D11_UNORDERED_ACCESS_VIEW_DESC *desc,
								  ID3D11UnorderedAccessView **view)
{
	struct d3d11_resource *object = (struct d3d11_resource *)resource;

	if (view)
		*view = NULL;
	return object && object->bind & D3D11_BIND_UNORDERED_ACCESS ? E_NOTIMPL : E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE device_CreateRenderTargetView(ID3D11Device1 *iface, ID3D11Resource *resource,
							       const D3D11_RENDER_TARGET_VIEW_DESC *desc,
							       ID3D11RenderTargetView **view)
{
	return rtv_create(impl(iface), (struct d3d11_resource *)resource, desc, view);
}

static HRESULT STDMETHODCALLTYPE device_CreateDepthStencilView(ID3D11Device1 *iface, ID3D11Resource *resource,
							       const D3D11_DEPTH_STENCIL_VIEW_DESC *desc,
							       ID3D11DepthStencilView **view)
{
	return dsv_create(impl(iface), (struct d3d11_resource *)resource, desc, view);
}

static HRESULT STDMETHODCALLTYPE device_CreateInputLayout(ID3D11Device1 *iface,
							  const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
							  const void *code, SIZE_T size, ID3D11InputLayout **layout)
{
	return input_layout_create(impl(iface), elements, count, code, size, layout);
}

static HRESULT STDMETHODCALLTYPE device_CreateVertexShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							   ID3D11ClassLinkage *linkage, ID3D11VertexShader **shader)
{
	return shader_create(impl(iface), code, size, STAGE_VS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateGeometryShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							     ID3D11ClassLinkage *linkage, ID3D11GeometryShader **shader)
{
	return shader_refuse(impl(iface), code, size, STAGE_GS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateGeometryShaderWithStreamOutput(
	ID3D11Device1 *iface, const void *code, SIZE_T size, const D3D11_SO_DECLARATION_ENTRY *entries,
	UINT entry_count, const UINT *strides, UINT stride_count, UINT stream, ID3D11ClassLinkage *linkage,
	ID3D11GeometryShader **shader)
{
	return shader_refuse(impl(iface), code, size, STAGE_GS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreatePixelShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							  ID3D11ClassLinkage *linkage, ID3D11PixelShader **shader)
{
	return shader_create(impl(iface), code, size, STAGE_PS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateHullShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							 ID3D11ClassLinkage *linkage, ID3D11HullShader **shader)
{
	return shader_refuse(impl(iface), code, size, STAGE_HS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateDomainShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							   ID3D11ClassLinkage *linkage, ID3D11DomainShader **shader)
{
	return shader_refuse(impl(iface), code, size, STAGE_DS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateComputeShader(ID3D11Device1 *iface, const void *code, SIZE_T size,
							    ID3D11ClassLinkage *linkage, ID3D11ComputeShader **shader)
{
	return shader_refuse(impl(iface), code, size, STAGE_CS, (void **)shader);
}

static HRESULT STDMETHODCALLTYPE device_CreateClassLinkage(ID3D11Device1 *iface, ID3D11ClassLinkage **linkage)
{
	if (linkage)
		*linkage = NULL;
	return impl(iface)->level >= D3D_FEATURE_LEVEL_11_0 ? E_NOTIMPL : E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE device_CreateBlendState1(ID3D11Device1 *iface, const D3D11_BLEND_DESC1 *desc,
							  ID3D11BlendState1 **state)
{
	return blend_create(impl(iface), desc, state);
}

static HRESULT STDMETHODCALLTYPE device_CreateBlendState(ID3D11Device1 *iface, const D3D11_BLEND_DESC *desc,
							 ID3D11BlendState **state)
{
	D3D11_BLEND_DESC1 desc1 = {0};

	if (!desc)
		return E_INVALIDARG;
	desc1.AlphaToCoverageEnable = desc->AlphaToCoverageEnable;
	desc1.IndependentBlendEnable = desc->IndependentBlendEnable;
	for (unsigned i = 0; i < ARRAY_COUNT(desc->RenderTarget); i++) {
		const D3D11_RENDER_TARGET_BLEND_DESC *in = &desc->RenderTarget[i];
		D3D11_RENDER_TARGET_BLEND_DESC1 *out = &desc1.RenderTarget[i];

		out->BlendEnable = in->BlendEnable;
		out->SrcBlend = in->SrcBlend;
		out->DestBlend = in->DestBlend;
		out->BlendOp = in->BlendOp;
		out->SrcBlendAlpha = in->SrcBlendAlpha;
		out->DestBlendAlpha = in->DestBlendAlpha;
		out->BlendOpAlpha = in->BlendOpAlpha;
		out->LogicOp = D3D11_LOGIC_OP_NOOP;
		out->RenderTargetWriteMask = in->RenderTargetWriteMask;
	}
	return blend_create(impl(iface), &desc1, (ID3D11BlendState1 **)state);
}

static HRESULT STDMETHODCALLTYPE device_CreateDepthStencilState(ID3D11Device1 *iface,
								const D3D11_DEPTH_STENCIL_DESC *desc,
								ID3D11DepthStencilState **state)
{
	return depth_stencil_create(impl(iface), desc, state);
}

static HRESULT STDMETHODCALLTYPE device_CreateRasterizerState1(ID3D11Device1 *iface, const D3D11_RASTERIZER_DESC1 *desc,
							       ID3D11RasterizerState1 **state)
{
	return rasterizer_create(impl(iface), desc, state);
}

static HRESULT STDMETHODCALLTYPE device_CreateRasterizerState(ID3D11Device1 *iface, const D3D11_RASTERIZER_DESC *desc,
							      ID3D11RasterizerState **state)
{
	D3D11_RASTERIZER_DESC1 desc1 = {0};

	_Static_assert(offsetof(D3D11_RASTERIZER_DESC1, ForcedSampleCount) == sizeof(D3D11_RASTERIZER_DESC),
		       "a prefix");
	if (!desc)
		return E_INVALIDARG;
	memcpy(&desc1, desc, sizeof(*desc));
	return rasterizer_create(impl(iface), &desc1, (ID3D11RasterizerState1 **)state);
}

static HRESULT STDMETHODCALLTYPE device_CreateSamplerState(ID3D11Device1 *iface, const D3D11_SAMPLER_DESC *desc,
							   ID3D11SamplerState **state)
{
	return sampler_create(impl(iface), desc, state);
}

static HRESULT STDMETHODCALLTYPE device_CreateQuery(ID3D11Device1 *iface, const D3D11_QUERY_DESC *desc,
						    ID3D11Query **query)
{
	return query_create(impl(iface), desc, false, (void **)query);
}

static HRESULT STDMETHODCALLTYPE device_CreatePredicate(ID3D11Device1 *iface, const D3D11_QUERY_DESC *desc,
							ID3D11Predicate **predicate)
{
	return query_create(impl(iface), desc, true, (void **)predicate);
}

/* There are no performance counters: every counter is unsupported, as on most adapters. */
static HRESULT STDMETHODCALLTYPE device_CreateCounter(ID3D11Device1 *iface, const D3D11_COUNTER_DESC *desc,
						      ID3D11Counter **counter)
{
	if (counter)
		*counter = NULL;
	return desc ? DXGI_ERROR_UNSUPPORTED : E_INVALIDARG;
}

static void STDMETHODCALLTYPE device_CheckCounterInfo(ID3D11Device1 *iface, D3D11_COUNTER_INFO *info)
{
	if (info)
		memset(info, 0, sizeof(*info));
}

static HRESULT STDMETHODCALLTYPE device_CheckCounter(ID3D11Device1 *iface, const D3D11_COUNTER_DESC *desc,
						     D3D11_COUNTER_TYPE *type, UINT *active, LPSTR name,
						     UINT *name_length, LPSTR units, UINT *units_length, LPSTR text,
						     UINT *text_length)
{
	if (!desc || !type || !active)
		return E_INVALIDARG;
	return desc->Counter >= D3D11_COUNTER_DEVICE_DEPENDENT_0 ? E_INVALIDARG : DXGI_ERROR_UNSUPPORTED;
}

/* Deferred contexts are not built. On a single-threaded device Windows refuses them, too. */
static HRESULT refuse_deferred(struct d3d11_device *device, UINT flags)
{
	if (flags)
		return E_INVALIDARG;
	if (device->flags & D3D11_CREATE_DEVICE_SINGLETHREADED)
		return DXGI_ERROR_INVALID_CALL;
	return FAILED(device->removed) ? DXGI_ERROR_DEVICE_REMOVED : E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE device_CreateDeferredContext(ID3D11Device1 *iface, UINT flags,
							      ID3D11DeviceContext **context)
{
	if (context)
		*context = NULL;
	return refuse_deferred(impl(iface), flags);
}

static HRESULT STDMETHODCALLTYPE device_CreateDeferredContext1(ID3D11Device1 *iface, UINT flags,
							       ID3D11DeviceContext1 **context)
{
	if (context)
		*context = NULL;
	return refuse_deferred(impl(iface), flags);
}

static HRESULT STDMETHODCALLTYPE device_CreateDeviceContextState(ID3D11Device1 *iface, UINT flags,
								 const D3D_FEATURE_LEVEL *levels, UINT level_count,
								 UINT sdk_version, REFIID emulated,
								 D3D_FEATURE_LEVEL *chosen,
								 ID3DDeviceContextState **state)
{
	if (state)
		*state = NULL;
	return !levels || !level_count || sdk_version != D3D11_SDK_VERSION ? E_INVALIDARG : E_NOTIMPL;
}

/* Sharing between Direct3D 11 devices is not built. */
static HRESULT STDMETHODCALLTYPE device_OpenSharedResource(ID3D11Device1 *iface, HANDLE handle, REFIID riid, void **out)
{
	if (out)
		*out = NULL;
	return out && handle ? E_NOTIMPL : E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE device_OpenSharedResource1(ID3D11Device1 *iface, HANDLE handle, REFIID riid,
							    void **out)
{
	return device_OpenSharedResource(iface, handle, riid, out);
}

static HRESULT STDMETHODCALLTYPE device_OpenSharedResourceByName(ID3D11Device1 *iface, LPCWSTR name, DWORD access,
								 REFIID riid, void **out)
{
	if (out)
		*out = NULL;
	return out && name ? E_NOTIMPL : E_INVALIDARG;
}

/* ---- questions ---- */

static HRESULT STDMETHODCALLTYPE device_CheckFormatSupport(ID3D11Device1 *iface, DXGI_FORMAT format, UINT *support)
{
	return d3d11_check_format(impl(iface), format, support);
}

static HRESULT STDMETHODCALLTYPE device_CheckMultisampleQualityLevels(ID3D11Device1 *iface, DXGI_FORMAT format,
								      UINT count, UINT *levels)
{
	return d3d11_check_samples(impl(iface), format, count, levels);
}

static HRESULT STDMETHODCALLTYPE device_CheckFeatureSupport(ID3D11Device1 *iface, D3D11_FEATURE feature, void *data,
							    UINT size)
{
	return d3d11_check_feature(impl(iface), feature, data, size);
}

static HRESULT STDMETHODCALLTYPE device_GetPrivateData(ID3D11Device1 *iface, REFGUID guid, UINT *size, void *data)
{
	return private_data_get(impl(iface), &impl(iface)->data, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE device_SetPrivateData(ID3D11Device1 *iface, REFGUID guid, UINT size, const void *data)
{
	return private_data_set(impl(iface), &impl(iface)->data, guid, size, data, false);
}

static HRESULT STDMETHODCALLTYPE device_SetPrivateDataInterface(ID3D11Device1 *iface, REFGUID guid,
								const IUnknown *data)
{
	return private_data_set(impl(iface), &impl(iface)->data, guid, sizeof(void *), data, true);
}

static D3D_FEATURE_LEVEL STDMETHODCALLTYPE device_GetFeatureLevel(ID3D11Device1 *iface)
{
	return impl(iface)->level;
}

static UINT STDMETHODCALLTYPE device_GetCreationFlags(ID3D11Device1 *iface)
{
	return impl(iface)->flags;
}

/* A flush finds out: it asks the context's state even when nothing is pending. */
static HRESULT STDMETHODCALLTYPE device_GetDeviceRemovedReason(ID3D11Device1 *iface)
{
	struct d3d11_device *device = impl(iface);

	if (SUCCEEDED(device->removed)) {
		d3d11_enter(device);
		device->funcs.pfnFlush(device->ddi, D3D11_1DDI_FLUSH_UNLESS_NO_COMMANDS);
		d3d11_leave(device);
	}
	return device->removed;
}

static void STDMETHODCALLTYPE device_GetImmediateContext1(ID3D11Device1 *iface, ID3D11DeviceContext1 **context)
{
	*context = (ID3D11DeviceContext1 *)impl(iface)->context;
	child_AddRef(&impl(iface)->context->base);
}

static void STDMETHODCALLTYPE device_GetImmediateContext(ID3D11Device1 *iface, ID3D11DeviceContext **context)
{
	device_GetImmediateContext1(iface, (ID3D11DeviceContext1 **)context);
}

static HRESULT STDMETHODCALLTYPE device_SetExceptionMode(ID3D11Device1 *iface, UINT flags)
{
	if (flags & ~(UINT)D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR)
		return E_INVALIDARG;
	impl(iface)->exception_mode = flags;
	return S_OK;
}

static UINT STDMETHODCALLTYPE device_GetExceptionMode(ID3D11Device1 *iface)
{
	return impl(iface)->exception_mode;
}

static const ID3D11Device1Vtbl device_vtbl = {
	.QueryInterface = device_QueryInterface,
	.AddRef = device_AddRef,
	.Release = device_Release,
	.CreateBuffer = device_CreateBuffer,
	.CreateTexture1D = device_CreateTexture1D,
	.CreateTexture2D = device_CreateTexture2D,
	.CreateTexture3D = device_CreateTexture3D,
	.CreateShaderResourceView = device_CreateShaderResourceView,
	.CreateUnorderedAccessView = device_CreateUnorderedAccessView,
	.CreateRenderTargetView = device_CreateRenderTargetView,
	.CreateDepthStencilView = device_CreateDepthStencilView,
	.CreateInputLayout = device_CreateInputLayout,
	.CreateVertexShader = device_CreateVertexShader,
	.CreateGeometryShader = device_CreateGeometryShader,
	.CreateGeometryShaderWithStreamOutput = device_CreateGeometryShaderWithStreamOutput,
	.CreatePixelShader = device_CreatePixelShader,
	.CreateHullShader = device_CreateHullShader,
	.CreateDomainShader = device_CreateDomainShader,
	.CreateComputeShader = device_CreateComputeShader,
	.CreateClassLinkage = device_CreateClassLinkage,
	.CreateBlendState = device_CreateBlendState,
	.CreateDepthStencilState = device_CreateDepthStencilState,
	.CreateRasterizerState = device_CreateRasterizerState,
	.CreateSamplerState = device_CreateSamplerState,
	.CreateQuery = device_CreateQuery,
	.CreatePredicate = device_CreatePredicate,
	.CreateCounter = device_CreateCounter,
	.CreateDeferredContext = device_CreateDeferredContext,
	.OpenSharedResource = device_OpenSharedResource,
	.CheckFormatSupport = device_CheckFormatSupport,
	.CheckMultisampleQualityLevels = device_CheckMultisampleQualityLevels,
	.CheckCounterInfo = device_CheckCounterInfo,
	.CheckCounter = device_CheckCounter,
	.CheckFeatureSupport = device_CheckFeatureSupport,
	.GetPrivateData = device_GetPrivateData,
	.SetPrivateData = device_SetPrivateData,
	.SetPrivateDataInterface = device_SetPrivateDataInterface,
	.GetFeatureLevel = device_GetFeatureLevel,
	.GetCreationFlags = device_GetCreationFlags,
	.GetDeviceRemovedReason = device_GetDeviceRemovedReason,
	.GetImmediateContext = device_GetImmediateContext,
	.SetExceptionMode = device_SetExceptionMode,
	.GetExceptionMode = device_GetExceptionMode,
	.GetImmediateContext1 = device_GetImmediateContext1,
	.CreateDeferredContext1 = device_CreateDeferredContext1,
	.CreateBlendState1 = device_CreateBlendState1,
	.CreateRasterizerState1 = device_CreateRasterizerState1,
	.CreateDeviceContextState = device_CreateDeviceContextState,
	.OpenSharedResource1 = device_OpenSharedResource1,
	.OpenSharedResourceByName = device_OpenSharedResourceByName,
};

/* ---- creation of the device ---- */

static HRESULT open_adapter(struct d3d11_device *device, IDXGIAdapter *adapter)
{
	D3DGPUAdapter *private;
	HRESULT hr = IDXGIAdapter_QueryInterface(adapter, &IID_D3DGPUAdapter, (void **)&private);

	/* Somebody else's adapter object. */
	if (FAILED(hr))
		return E_INVALIDARG;
	device->ddi_adapter = private->lpVtbl->GetDdiAdapter(private);
	hr = private->lpVtbl->QueryInterface(private, &IID_IDXGIAdapter3, (void **)&device->adapter);
	private->lpVtbl->Release(private);
	return hr;
}

static HRESULT create_driver_device(struct d3d11_device *device)
{
	D3D10_2DDI_ADAPTERFUNCS *funcs = &device->ddi_adapter->funcs;
	D3D10DDIARG_CALCPRIVATEDEVICESIZE calc = {D3D11_1_DDI_INTERFACE_VERSION, D3D11_1_DDI_BUILD_VERSION << 16, 0};
	D3D10DDIARG_CREATEDEVICE args = {
		.hRTDevice.handle = device,
		.Interface = calc.Interface,
		.Version = calc.Version,
		.p11_1DeviceFuncs = &device->funcs,
		.DXGIBaseDDI = {&device->dxgi_callbacks, &device->dxgi_funcs},
		.hRTCoreLayer.handle = device,
		.p11UMCallbacks = &core_callbacks,
		.Flags = d3d11_ddi_level(device->level) << D3D11DDI_CREATEDEVICE_FLAG_3DPIPELINESUPPORT_SHIFT,
		.ppfnRetrieveSubObject = &device->retrieve_sub_object,
	};

	calc.Flags = args.Flags;
	device->ddi.pDrvPrivate = calloc(1, funcs->pfnCalcPrivateDeviceSize(device->ddi_adapter->handle, &calc));
	if (!device->ddi.pDrvPrivate)
		return E_OUTOFMEMORY;
	args.hDrvDevice = device->ddi;
	device->dxgi_callbacks.pfnPresentCb = device_present_callback;
	return funcs->pfnCreateDevice(device->ddi_adapter->handle, &args);
}

static void init_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

HRESULT d3d11_device_create(IDXGIAdapter *adapter, D3D_FEATURE_LEVEL level, UINT flags, struct d3d11_device **out)
{
	struct d3d11_device *device = calloc(1, sizeof(*device));
	HRESULT hr;

	if (!device)
		return E_OUTOFMEMORY;
	hr = open_adapter(device, adapter);
	if (FAILED(hr)) {
		free(device);
		return hr;
	}
	device->ID3D11Device1_iface.lpVtbl = &device_vtbl;
	device->dxgi_device.lpVtbl = &dxgi_device_vtbl;
	device->surface_device.lpVtbl = &surface_device_vtbl;
	device->multithread.lpVtbl = &multithread_vtbl;
	device->references = 1;
	device->level = level;
	device->flags = flags;
	device->frame_latency = 3;
	init_lock(&device->lock);
	d3d11_derive_options(device->ddi_adapter, level, &device->options);
	hr = create_driver_device(device);
	if (FAILED(hr)) {
		device->funcs.pfnDestroyDevice = NULL;
		destroy_device(device);
		return hr;
	}
	device->context = context_create(device);
	if (!device->context) {
		destroy_device(device);
		return E_OUTOFMEMORY;
	}
	*out = device;
	return S_OK;
}

D3D11_EXPORT int D3DGPUGetStatistics11(void *iface, struct d3dgpu_statistics *statistics)
{
	struct d3d11_device *device = iface;
	HRESULT hr;

	if (!device || !statistics || FAILED(device->removed))
		return -1;
	d3d11_enter(device);
	hr = device->retrieve_sub_object(device->ddi, D3DGPU_SUBOBJECT_STATISTICS, 0, NULL, sizeof(*statistics),
					 statistics);
	d3d11_leave(device);
	return FAILED(hr) ? -1 : 0;
}
