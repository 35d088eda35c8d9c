/* SPDX-License-Identifier: MIT */
/* Devices, DXGI objects, state objects, input layouts, references, private data, and what is not built. */
#include "test11.h"

#include <float.h>
#include <string.h>

#include "hlsl/color_ps.h"
#include "hlsl/color_vs.h"

static HRESULT create(D3D_DRIVER_TYPE type, UINT flags, const D3D_FEATURE_LEVEL *levels, UINT count, UINT sdk)
{
	ID3D11DeviceContext *context = (void *)1;
	D3D_FEATURE_LEVEL level = (D3D_FEATURE_LEVEL)7;
	ID3D11Device *device = (void *)1;
	HRESULT hr = D3D11CreateDevice(NULL, type, NULL, flags, levels, count, sdk, &device, &level, &context);

	if (SUCCEEDED(hr)) {
		ID3D11DeviceContext_Release(context);
		ID3D11Device_Release(device);
	} else {
		tap_ok(!device && !context && !level, "after a failure everything is NULL");
	}
	return hr;
}

static void test_arguments(void)
{
	const D3D_FEATURE_LEVEL impossible[] = {(D3D_FEATURE_LEVEL)0x1234},
				down[] = {D3D_FEATURE_LEVEL_11_1, D3D_FEATURE_LEVEL_9_1};

	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, 0, NULL, 0, D3D11_SDK_VERSION), S_OK, "a hardware device");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, 0, NULL, 0, D3D11_SDK_VERSION - 1), E_INVALIDARG,
	       "another SDK version");
	tap_eq(create(D3D_DRIVER_TYPE_UNKNOWN, 0, NULL, 0, D3D11_SDK_VERSION), E_INVALIDARG,
	       "UNKNOWN without an adapter");
	tap_eq(create((D3D_DRIVER_TYPE)9, 0, NULL, 0, D3D11_SDK_VERSION), E_INVALIDARG, "driver type 9");
	tap_eq(create(D3D_DRIVER_TYPE_SOFTWARE, 0, NULL, 0, D3D11_SDK_VERSION), E_INVALIDARG,
	       "SOFTWARE without a module");
	tap_eq(create(D3D_DRIVER_TYPE_WARP, 0, NULL, 0, D3D11_SDK_VERSION), DXGI_ERROR_UNSUPPORTED,
	       "WARP is not there");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, 0x80000000, NULL, 0, D3D11_SDK_VERSION), E_INVALIDARG, "unknown flag");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, D3D11_CREATE_DEVICE_DEBUG, NULL, 0, D3D11_SDK_VERSION),
	       DXGI_ERROR_SDK_COMPONENT_MISSING, "the debug layer is not there");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, D3D11_CREATE_DEVICE_SINGLETHREADED | D3D11_CREATE_DEVICE_BGRA_SUPPORT,
		      NULL, 0, D3D11_SDK_VERSION),
	       S_OK, "single-threaded with BGRA");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, 0, impossible, 1, D3D11_SDK_VERSION), E_INVALIDARG,
	       "a level that does not exist");
	tap_eq(create(D3D_DRIVER_TYPE_HARDWARE, 0, down, 2, D3D11_SDK_VERSION), S_OK,
	       "the first level of the list that there is");
	tap_eq(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, NULL, NULL, NULL),
	       S_FALSE, "nothing asked for is S_FALSE");
}

static void test_dxgi(void)
{
	DXGI_QUERY_VIDEO_MEMORY_INFO memory;
	IDXGIFactory1 *factory, *parent;
	DXGI_ADAPTER_DESC1 desc1;
	DXGI_ADAPTER_DESC desc;
	LARGE_INTEGER version = {0};
	IDXGIAdapter1 *adapter;
	IDXGIAdapter3 *adapter3;
	DXGI_OUTPUT_DESC output_desc;
	ID3D11Device *device;
	IDXGIOutput *output;
	UINT count = 0;

	if (!tap_eq(CreateDXGIFactory1(&IID_IDXGIFactory1, (void **)&factory), S_OK, "CreateDXGIFactory1"))
		return;
	tap_eq(IDXGIFactory1_EnumAdapters1(factory, 1000, &adapter), DXGI_ERROR_NOT_FOUND,
	       "the 1000th adapter is not there");
	if (!tap_eq(IDXGIFactory1_EnumAdapters1(factory, 0, &adapter), S_OK, "the first adapter"))
		return;
	IDXGIAdapter1_GetDesc(adapter, &desc);
	IDXGIAdapter1_GetDesc1(adapter, &desc1);
	tap_ok(desc.Description[0] == 'd' && desc.Description[1] == '3', "it has a name");
	tap_ok(desc.AdapterLuid.LowPart || desc.AdapterLuid.HighPart, "its LUID is not 0");
	tap_ok(desc.DedicatedVideoMemory >= 16 << 20, "it has video memory (%zu MiB)",
	       (size_t)desc.DedicatedVideoMemory >> 20);
	tap_ok(desc.VendorId == 0x1234 && desc.DeviceId == 0xd3d9, "its PCI id is 1234:d3d9");
	tap_ok(!memcmp(&desc, &desc1, sizeof(desc)) && !desc1.Flags, "GetDesc1 agrees");
	tap_eq(sizeof(DXGI_ADAPTER_DESC), 304, "DXGI_ADAPTER_DESC has the size that it has on Windows");
	tap_eq(IDXGIAdapter1_CheckInterfaceSupport(adapter, &IID_IDXGIDevice, &version), S_OK, "driver version");
	tap_ok(version.QuadPart > 0, "is not 0");
	tap_eq(IDXGIAdapter1_CheckInterfaceSupport(adapter, &IID_ID3D11Device, &version), DXGI_ERROR_UNSUPPORTED,
	       "ID3D11Device is not asked for this way");
	tap_eq(IDXGIAdapter1_GetParent(adapter, &IID_IDXGIFactory1, (void **)&parent), S_OK, "the adapter's parent");
	tap_ok(parent == factory, "is the factory");
	IDXGIFactory1_Release(parent);
	if (tap_eq(IDXGIAdapter1_QueryInterface(adapter, &IID_IDXGIAdapter3, (void **)&adapter3), S_OK,
		   "IDXGIAdapter3")) {
		IDXGIAdapter3_QueryVideoMemoryInfo(adapter3, 0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, &memory);
		tap_eq(memory.Budget, desc.DedicatedVideoMemory, "the budget is the video memory");
		IDXGIAdapter3_Release(adapter3);
	}
	tap_eq(IDXGIAdapter1_EnumOutputs(adapter, 0, &output), S_OK, "an output");
	IDXGIOutput_GetDesc(output, &output_desc);
	tap_ok(output_desc.DeviceName[0] == '\\', "has a name");
	IDXGIOutput_GetDisplayModeList(output, DXGI_FORMAT_R8G8B8A8_UNORM, 0, &count, NULL);
	tap_ok(count > 0, "and display modes (%u)", count);
	IDXGIOutput_Release(output);
	tap_eq(D3D11CreateDevice((IDXGIAdapter *)adapter, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
				 &device, NULL, NULL),
	       E_INVALIDARG, "an adapter with HARDWARE is E_INVALIDARG");
	if (tap_eq(D3D11CreateDevice((IDXGIAdapter *)adapter, D3D_DRIVER_TYPE_UNKNOWN, NULL, 0, NULL, 0,
				     D3D11_SDK_VERSION, &device, NULL, NULL),
		   S_OK, "an adapter with UNKNOWN makes a device"))
		tap_eq(ID3D11Device_Release(device), 0, "that goes away");
	tap_eq(IDXGIAdapter1_Release(adapter), 0, "the adapter goes away");
	tap_eq(IDXGIFactory1_Release(factory), 0, "the factory goes away");
}

static void test_interfaces(struct test11 *t)
{
	static const struct {
		const GUID *id;
		const char *name;
	} ids[] = {
		{&IID_IUnknown, "IUnknown"},           {&IID_ID3D11Device, "ID3D11Device"},
		{&IID_ID3D11Device1, "ID3D11Device1"}, {&IID_IDXGIDevice, "IDXGIDevice"},
		{&IID_IDXGIDevice1, "IDXGIDevice1"},   {&IID_IDXGIObject, "IDXGIObject"},
	};
	IDXGIAdapter *adapter;
	IDXGIDevice *dxgi;
	IUnknown *object;

	for (unsigned i = 0; i < COUNT(ids); i++) {
		HRESULT hr = ID3D11Device_QueryInterface(t->device, ids[i].id, (void **)&object);

		if (tap_eq(hr, S_OK, "the device is a %s", ids[i].name))
			IUnknown_Release(object);
	}
	tap_eq(ID3D11Device_QueryInterface(t->device, &IID_ID3D11Texture2D, (void **)&object), E_NOINTERFACE,
	       "but no texture");
	tap_ok(!object, "and the result is NULL");
	ID3D11Device_QueryInterface(t->device, &IID_IDXGIDevice, (void **)&dxgi);
	tap_eq(IDXGIDevice_GetAdapter(dxgi, &adapter), S_OK, "IDXGIDevice::GetAdapter");
	IDXGIAdapter_Release(adapter);
	IDXGIDevice_Release(dxgi);
}

static ULONG references(IUnknown *object)
{
	IUnknown_AddRef(object);
	return IUnknown_Release(object);
}

static void test_references(struct test11 *t)
{
	ULONG before = references((IUnknown *)t->device);
	ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 64), *got;
	UINT stride = 16, offset = 0;
	ID3D11Device *device;

	tap_eq(references((IUnknown *)t->device), before + 1, "a buffer has a reference on the device");
	ID3D11Buffer_GetDevice(buffer, &device);
	tap_ok(device == t->device, "GetDevice is the device");
	ID3D11Device_Release(device);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &buffer, &stride, &offset);
	tap_eq(references((IUnknown *)buffer), 1, "a binding is not a reference");
	tap_eq(ID3D11Buffer_Release(buffer), 0, "the last reference goes");
	tap_eq(references((IUnknown *)t->device), before, "and the one on the device");
	ID3D11DeviceContext_IAGetVertexBuffers(t->context, 0, 1, &got, &stride, &offset);
	tap_ok(got == buffer, "the bound buffer is still there");
	tap_eq(references((IUnknown *)t->device), before + 1, "and has its reference on the device again");
	ID3D11Buffer_Release(got);
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11DeviceContext_IAGetVertexBuffers(t->context, 0, 1, &got, &stride, &offset);
	tap_ok(!got && !stride && !offset, "ClearState unbinds it");
}

/* {4e4ff1e0-0000-4f3e-8000-1234567890ab} */
static const GUID test_guid = {0x4e4ff1e0, 0, 0x4f3e, {0x80, 0, 0x12, 0x34, 0x56, 0x78, 0x90, 0xab}};

static void test_private_data(struct test11 *t)
{
	ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 64), *other;
	const char name[] = "vertices";
	char got[32] = "";
	UINT size = sizeof(got);
	IUnknown *object;

	tap_eq(ID3D11Buffer_GetPrivateData(buffer, &test_guid, &size, got), DXGI_ERROR_NOT_FOUND,
	       "no private data at first");
	tap_eq(ID3D11Buffer_SetPrivateData(buffer, &test_guid, sizeof(name), name), S_OK, "a debug name is set");
	size = 0;
	tap_eq(ID3D11Buffer_GetPrivateData(buffer, &test_guid, &size, NULL), S_OK, "its size is asked for");
	tap_eq(size, sizeof(name), "and is right");
	size = 3;
	tap_eq(ID3D11Buffer_GetPrivateData(buffer, &test_guid, &size, got), DXGI_ERROR_MORE_DATA,
	       "a small buffer is MORE_DATA");
	tap_eq(size, sizeof(name), "with the size");
	size = sizeof(got);
	ID3D11Buffer_GetPrivateData(buffer, &test_guid, &size, got);
	tap_str(got, name, "the name comes back");
	other = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 64);
	tap_eq(ID3D11Buffer_SetPrivateDataInterface(buffer, &test_guid, (IUnknown *)other), S_OK,
	       "an interface is set");
	tap_eq(references((IUnknown *)other), 2, "and referenced");
	size = sizeof(object);
	ID3D11Buffer_GetPrivateData(buffer, &test_guid, &size, &object);
	tap_ok(object == (IUnknown *)other && references(object) == 3, "getting it adds a reference");
	IUnknown_Release(object);
	tap_eq(ID3D11Buffer_SetPrivateData(buffer, &test_guid, 0, NULL), S_OK, "NULL removes");
	tap_eq(references((IUnknown *)other), 1, "and releases");
	tap_eq(ID3D11Buffer_SetPrivateData(buffer, &test_guid, 0, NULL), S_FALSE, "removing nothing is S_FALSE");
	ID3D11Buffer_Release(other);
	ID3D11Buffer_Release(buffer);
}

static void test_state_objects(struct test11 *t)
{
	D3D11_RASTERIZER_DESC raster = {
		.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_BACK, .DepthClipEnable = TRUE};
	D3D11_DEPTH_STENCIL_DESC depth = {.DepthEnable = TRUE,
					  .DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL,
					  .DepthFunc = D3D11_COMPARISON_LESS_EQUAL};
	D3D11_BLEND_DESC blend = {.RenderTarget[0].RenderTargetWriteMask = 0xf};
	D3D11_SAMPLER_DESC sampler = {.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR,
				      .AddressU = D3D11_TEXTURE_ADDRESS_WRAP,
				      .AddressV = D3D11_TEXTURE_ADDRESS_WRAP,
				      .AddressW = D3D11_TEXTURE_ADDRESS_WRAP,
				      .ComparisonFunc = D3D11_COMPARISON_NEVER,
				      .MaxLOD = FLT_MAX};
	ID3D11RasterizerState *rasters[2];
	ID3D11DepthStencilState *depths[2];
	ID3D11SamplerState *samplers[2];
	ID3D11BlendState *blends[2];

	for (unsigned i = 0; i < 2; i++) {
		ID3D11Device_CreateRasterizerState(t->device, &raster, &rasters[i]);
		ID3D11Device_CreateDepthStencilState(t->device, &depth, &depths[i]);
		ID3D11Device_CreateSamplerState(t->device, &sampler, &samplers[i]);
		ID3D11Device_CreateBlendState(t->device, &blend, &blends[i]);
		/* What is switched off makes no difference. */
		depth.FrontFace.StencilFunc = D3D11_COMPARISON_NEVER;
		blend.RenderTarget[0].SrcBlend = D3D11_BLEND_DEST_ALPHA;
		sampler.MaxAnisotropy = 4;
	}
	tap_ok(rasters[0] && rasters[0] == rasters[1], "the same rasterizer description is the same object");
	tap_ok(depths[0] && depths[0] == depths[1], "so is a depth-stencil description that differs in what is off");
	tap_ok(samplers[0] && samplers[0] == samplers[1], "and a sampler description");
	tap_ok(blends[0] && blends[0] == blends[1], "and a blend description");
	tap_eq(references((IUnknown *)rasters[0]), 2, "each creation is a reference");
	for (unsigned i = 0; i < 2; i++) {
		ID3D11RasterizerState_Release(rasters[i]);
		ID3D11DepthStencilState_Release(depths[i]);
		ID3D11SamplerState_Release(samplers[i]);
		ID3D11BlendState_Release(blends[i]);
	}
	raster.CullMode = (D3D11_CULL_MODE)0;
	tap_eq(ID3D11Device_CreateRasterizerState(t->device, &raster, NULL), E_INVALIDARG, "cull mode 0");
	depth.DepthFunc = (D3D11_COMPARISON_FUNC)9;
	tap_eq(ID3D11Device_CreateDepthStencilState(t->device, &depth, NULL), E_INVALIDARG, "depth function 9");
	sampler.AddressU = (D3D11_TEXTURE_ADDRESS_MODE)6;
	tap_eq(ID3D11Device_CreateSamplerState(t->device, &sampler, NULL), E_INVALIDARG, "address mode 6");
	blend.RenderTarget[0].BlendEnable = TRUE;
	tap_eq(ID3D11Device_CreateBlendState(t->device, &blend, NULL), E_INVALIDARG, "blending without factors");
	tap_eq(ID3D11Device_CreateBlendState(t->device, NULL, NULL), E_INVALIDARG, "no description");
}

static void test_input_layouts(struct test11 *t)
{
	D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, D3D11_APPEND_ALIGNED_ELEMENT,
		 D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"color", 0, DXGI_FORMAT_R8G8B8A8_UNORM, 0, D3D11_APPEND_ALIGNED_ELEMENT, D3D11_INPUT_PER_VERTEX_DATA,
		 0},
		{"EXTRA", 3, DXGI_FORMAT_R32G32_FLOAT, 1, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
	};
	uint32_t damaged[COUNT(color_vs)];
	ID3D11InputLayout *layout;

	if (tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 3, color_vs, sizeof(color_vs), &layout), S_OK,
		   "semantics match without regard to case; unused elements are fine"))
		ID3D11InputLayout_Release(layout);
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 1, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "an input without an element");
	tap_ok(!layout, "the result is NULL");
	elements[1].SemanticIndex = 1;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "another semantic index");
	elements[1].SemanticIndex = 0;
	elements[1].Format = DXGI_FORMAT_BC1_UNORM;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "a format that is no vertex format");
	elements[1].Format = DXGI_FORMAT_R8G8B8A8_UNORM;
	elements[1].InputSlot = 32;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "slot 32");
	elements[1].InputSlot = 0;
	elements[1].InstanceDataStepRate = 1;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "a step rate of per-vertex data");
	elements[1].InstanceDataStepRate = 0;
	elements[1].AlignedByteOffset = 13;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, color_vs, sizeof(color_vs), &layout),
	       E_INVALIDARG, "offset 13");
	memcpy(damaged, color_vs, sizeof(damaged));
	damaged[COUNT(damaged) - 1] ^= 1;
	tap_eq(ID3D11Device_CreateInputLayout(t->device, elements, 2, damaged, sizeof(damaged), &layout), E_INVALIDARG,
	       "bytecode with a wrong checksum");
}

static void test_shaders(struct test11 *t)
{
	uint32_t damaged[COUNT(color_vs)];
	ID3D11VertexShader *vs;
	ID3D11PixelShader *ps;

	tap_eq(ID3D11Device_CreateVertexShader(t->device, color_ps, sizeof(color_ps), NULL, &vs), E_INVALIDARG,
	       "a pixel shader is no vertex shader");
	tap_eq(ID3D11Device_CreatePixelShader(t->device, color_ps, sizeof(color_ps) - 4, NULL, &ps), E_INVALIDARG,
	       "truncated bytecode");
	tap_eq(ID3D11Device_CreatePixelShader(t->device, NULL, 0, NULL, &ps), E_INVALIDARG, "no bytecode");
	memcpy(damaged, color_vs, sizeof(damaged));
	for (unsigned i = 8; i < COUNT(damaged); i += 7) {
		damaged[i] ^= 0x55555555;
		if (FAILED(ID3D11Device_CreateVertexShader(t->device, damaged, sizeof(damaged), NULL, &vs)))
			continue;
		ID3D11VertexShader_Release(vs);
		tap_ok(false, "damaged bytecode is refused (word %u)", i);
	}
	tap_ok(true, "damaged bytecode is refused");
	tap_eq(ID3D11Device_CreateVertexShader(t->device, color_vs, sizeof(color_vs), NULL, NULL), S_FALSE,
	       "a NULL result is S_FALSE");
}

static void test_unbuilt(struct test11 *t)
{
	D3D11_QUERY_DESC statistics = {D3D11_QUERY_PIPELINE_STATISTICS, 0};
	D3D11_COUNTER_DESC counter = {D3D11_COUNTER_DEVICE_DEPENDENT_0, 0};
	ID3D11DeviceContext *deferred = (void *)1;
	ID3D11GeometryShader *gs = (void *)1;

	tap_eq(ID3D11Device_CreateGeometryShader(t->device, color_vs, sizeof(color_vs), NULL, &gs), E_INVALIDARG,
	       "a vertex shader is no geometry shader");
	tap_ok(!gs, "the result is NULL");
	tap_eq(ID3D11Device_CreateDeferredContext(t->device, 0, &deferred), E_NOTIMPL,
	       "deferred contexts are not built");
	tap_ok(!deferred, "the result is NULL");
	tap_eq(ID3D11Device_CreateDeferredContext(t->device, 1, &deferred), E_INVALIDARG,
	       "with flags they are invalid anyway");
	tap_eq(ID3D11Device_CreateQuery(t->device, &statistics, NULL), E_NOTIMPL, "pipeline statistics are not built");
	statistics.Query = (D3D11_QUERY)100;
	tap_eq(ID3D11Device_CreateQuery(t->device, &statistics, NULL), E_INVALIDARG, "query 100 does not exist");
	tap_eq(ID3D11Device_CreateCounter(t->device, &counter, NULL), DXGI_ERROR_UNSUPPORTED, "there are no counters");
}

static void test_modes(struct test11 *t)
{
	tap_eq(ID3D11Device_GetDeviceRemovedReason(t->device), S_OK, "the device is there");
	tap_eq(ID3D11Device_SetExceptionMode(t->device, D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR), S_OK,
	       "the exception mode is set");
	tap_eq(ID3D11Device_GetExceptionMode(t->device), D3D11_RAISE_FLAG_DRIVER_INTERNAL_ERROR, "and read back");
	tap_eq(ID3D11Device_SetExceptionMode(t->device, 0x100), E_INVALIDARG, "unknown exception flags");
	tap_eq(ID3D11Device_GetCreationFlags(t->device), 0, "creation flags are read back");
	tap_eq(ID3D11DeviceContext_GetType(t->context), D3D11_DEVICE_CONTEXT_IMMEDIATE,
	       "the context is the immediate one");
}

int main(void)
{
	struct test11 t;

	test_arguments();
	test_dxgi();
	test11_must_open(&t);
	test_interfaces(&t);
	test_references(&t);
	test_private_data(&t);
	test_state_objects(&t);
	test_input_layouts(&t);
	test_shaders(&t);
	test_unbuilt(&t);
	test_modes(&t);
	test11_close(&t);
	return tap_done();
}
