/* SPDX-License-Identifier: MIT */
#include <windows.h>
#include <d3d9.h>
#include <d3d11.h>
#include <dxgi.h>
#include <stdio.h>

#include "demo.h"

static void print_driver_version(const char *api, LARGE_INTEGER version)
{
	printf("%s: driver version %u.%u.%u.%u\n", api, HIWORD(version.u.HighPart), LOWORD(version.u.HighPart),
	       HIWORD(version.u.LowPart), LOWORD(version.u.LowPart));
}

static int report_d3d9(void)
{
	IDirect3D9Ex *d3d9;
	D3DADAPTER_IDENTIFIER9 identifier;
	LUID luid;
	D3DCAPS9 caps;
	HRESULT hr;

	if (FAILED(hr = Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d9)))
		return demo_failed("Direct3DCreate9Ex", hr);
	if (FAILED(hr = IDirect3D9Ex_GetAdapterIdentifier(d3d9, 0, 0, &identifier)) ||
	    FAILED(hr = IDirect3D9Ex_GetAdapterLUID(d3d9, 0, &luid)) ||
	    FAILED(hr = IDirect3D9Ex_GetDeviceCaps(d3d9, 0, D3DDEVTYPE_HAL, &caps))) {
		IDirect3D9Ex_Release(d3d9);
		return demo_failed("adapter enumeration", hr);
	}
	printf("IDirect3D9Ex: %u adapter(s); \"%s\" (%s), LUID %08x:%08x\n", IDirect3D9Ex_GetAdapterCount(d3d9),
	       identifier.Description, identifier.Driver, (unsigned)luid.HighPart, (unsigned)luid.LowPart);
	print_driver_version("IDirect3D9Ex", identifier.DriverVersion);
	printf("IDirect3D9Ex: vertex shader %u.%u, pixel shader %u.%u, textures up to %ux%u, %u render targets\n",
	       (unsigned)D3DSHADER_VERSION_MAJOR(caps.VertexShaderVersion), (unsigned)D3DSHADER_VERSION_MINOR(caps.VertexShaderVersion),
	       (unsigned)D3DSHADER_VERSION_MAJOR(caps.PixelShaderVersion), (unsigned)D3DSHADER_VERSION_MINOR(caps.PixelShaderVersion),
	       (unsigned)caps.MaxTextureWidth, (unsigned)caps.MaxTextureHeight, (unsigned)caps.NumSimultaneousRTs);
	IDirect3D9Ex_Release(d3d9);
	return 0;
}

static int report_dxgi(void)
{
	IDXGIFactory *factory;
	IDXGIAdapter *adapter;
	DXGI_ADAPTER_DESC desc;
	LARGE_INTEGER version = { 0 };
	char name[128] = "";
	HRESULT hr;

	if (FAILED(hr = CreateDXGIFactory(&IID_IDXGIFactory, (void **)&factory)))
		return demo_failed("CreateDXGIFactory", hr);
	hr = IDXGIFactory_EnumAdapters(factory, 0, &adapter);
	IDXGIFactory_Release(factory);
	if (FAILED(hr))
		return demo_failed("IDXGIFactory::EnumAdapters", hr);
	hr = IDXGIAdapter_GetDesc(adapter, &desc);
	if (SUCCEEDED(hr))
		hr = IDXGIAdapter_CheckInterfaceSupport(adapter, &IID_IDXGIDevice, &version);
	IDXGIAdapter_Release(adapter);
	if (FAILED(hr))
		return demo_failed("IDXGIAdapter::GetDesc", hr);
	for (unsigned i = 0; i < sizeof(name) - 1 && desc.Description[i]; i++)
		name[i] = (char)desc.Description[i];
	printf("DXGI: \"%s\" (%04x:%04x), LUID %08x:%08x, %llu MiB of VRAM\n", name, (unsigned)desc.VendorId, (unsigned)desc.DeviceId,
	       (unsigned)desc.AdapterLuid.HighPart, (unsigned)desc.AdapterLuid.LowPart,
	       (unsigned long long)desc.DedicatedVideoMemory >> 20);
	print_driver_version("DXGI", version);
	return 0;
}

static HRESULT check(ID3D11Device *device, D3D11_FEATURE feature, void *data, UINT size)
{
	return ID3D11Device_CheckFeatureSupport(device, feature, data, size);
}

static int report_options(void)
{
	D3D11_FEATURE_DATA_D3D9_OPTIONS1 all = { 0 };
	D3D11_FEATURE_DATA_D3D9_OPTIONS npot = { 0 };
	D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT shadow = { 0 };
	D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT instancing = { 0 };
	D3D_FEATURE_LEVEL level;
	ID3D11Device *device;
	HRESULT hr;

	hr = D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &device, &level, NULL);
	if (FAILED(hr))
		return demo_failed("D3D11CreateDevice", hr);
	if (FAILED(hr = check(device, D3D11_FEATURE_D3D9_OPTIONS1, &all, sizeof(all))) ||
	    FAILED(hr = check(device, D3D11_FEATURE_D3D9_OPTIONS, &npot, sizeof(npot))) ||
	    FAILED(hr = check(device, D3D11_FEATURE_D3D9_SHADOW_SUPPORT, &shadow, sizeof(shadow))) ||
	    FAILED(hr = check(device, D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT, &instancing, sizeof(instancing)))) {
		ID3D11Device_Release(device);
		return demo_failed("ID3D11Device::CheckFeatureSupport", hr);
	}
	ID3D11Device_Release(device);
	printf("ID3D11Device: feature level %u_%u\n", level >> 12, level >> 8 & 15);
	printf("D3D11_FEATURE_DATA_D3D9_OPTIONS1:\n");
	printf("  FullNonPow2TextureSupported                                 %d (D3D9_OPTIONS: %d)\n",
	       all.FullNonPow2TextureSupported, npot.FullNonPow2TextureSupport);
	printf("  DepthAsTextureWithLessEqualComparisonFilterSupported        %d (D3D9_SHADOW_SUPPORT: %d)\n",
	       all.DepthAsTextureWithLessEqualComparisonFilterSupported,
	       shadow.SupportsDepthAsTextureWithLessEqualComparisonFilter);
	printf("  SimpleInstancingSupported                                   %d (D3D9_SIMPLE_INSTANCING_SUPPORT: %d)\n",
	       all.SimpleInstancingSupported, instancing.SimpleInstancingSupported);
	printf("  TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported %d\n",
	       all.TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported);
	return 0;
}

int demo_report(void)
{
	return report_d3d9() || report_dxgi() || report_options() ? -1 : 0;
}
