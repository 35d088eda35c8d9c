/* SPDX-License-Identifier: MIT */
/* A program of somebody who has only the packages: clears a texture with Direct3D 11 and looks at a pixel. */
#include <stdint.h>
#include <stdio.h>

#include <windows.h>
#include <d3d11.h>

#include <d3dgpu_statistics.h>

#define EXTENT 16

static ID3D11Texture2D *texture(ID3D11Device *device, D3D11_USAGE usage, UINT bind, UINT access)
{
	const D3D11_TEXTURE2D_DESC desc = {EXTENT, EXTENT, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, usage, bind, access, 0};
	ID3D11Texture2D *made = NULL;

	return SUCCEEDED(ID3D11Device_CreateTexture2D(device, &desc, NULL, &made)) ? made : NULL;
}

static uint32_t first_pixel(ID3D11DeviceContext *context, ID3D11Texture2D *staging)
{
	D3D11_MAPPED_SUBRESOURCE mapped;
	uint32_t pixel;

	if (FAILED(ID3D11DeviceContext_Map(context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped)))
		return 0;
	pixel = *(const uint32_t *)mapped.pData;
	ID3D11DeviceContext_Unmap(context, (ID3D11Resource *)staging, 0);
	return pixel;
}

int main(void)
{
	static const float colour[4] = {1, 0, 0.2f, 1};
	struct d3dgpu_statistics statistics = {0};
	ID3D11Texture2D *target, *staging;
	ID3D11DeviceContext *context;
	ID3D11RenderTargetView *view;
	ID3D11Device *device;
	uint32_t pixel;

	if (FAILED(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &device, NULL, &context)))
		return fprintf(stderr, "no device\n"), 1;
	target = texture(device, D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET, 0);
	staging = texture(device, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ);
	if (!target || !staging || FAILED(ID3D11Device_CreateRenderTargetView(device, (ID3D11Resource *)target, NULL, &view)))
		return fprintf(stderr, "no textures\n"), 1;
	ID3D11DeviceContext_ClearRenderTargetView(context, view, colour);
	ID3D11DeviceContext_CopyResource(context, (ID3D11Resource *)staging, (ID3D11Resource *)target);
	pixel = first_pixel(context, staging);
	D3DGPUGetStatistics11(device, &statistics);
	printf("pixel %08x, %u clears\n", pixel, (unsigned)statistics.clears);

	ID3D11RenderTargetView_Release(view);
	ID3D11Texture2D_Release(staging);
	ID3D11Texture2D_Release(target);
	ID3D11DeviceContext_Release(context);
	ID3D11Device_Release(device);
	return pixel == 0xff3300ff && statistics.clears == 1 ? 0 : 1;
}
