/* SPDX-License-Identifier: MIT */
/* Resources in a second through Direct3D 11: each is created, used by the GPU, and released; and the device's own creation. */
#define INITGUID
#include "bench11.h"

static void textures(void *data, unsigned count)
{
	struct bench11 *b = data;
	const float color[4] = {0.1f, 0.2f, 0.3f, 1};
	ID3D11RenderTargetView *view;

	for (unsigned i = 0; i < count; i++) {
		ID3D11Texture2D *texture = bench11_texture(b, 256, 256, D3D11_BIND_RENDER_TARGET, D3D11_USAGE_DEFAULT, 0);

		bench_must(ID3D11Device_CreateRenderTargetView(b->device, (ID3D11Resource *)texture, NULL, &view),
			   "CreateRenderTargetView");
		ID3D11DeviceContext_ClearRenderTargetView(b->context, view, color);
		ID3D11RenderTargetView_Release(view);
		ID3D11Texture2D_Release(texture);
	}
	bench11_finish(b);
}

static void vertex_buffers(void *data, unsigned count)
{
	struct bench11 *b = data;

	for (unsigned i = 0; i < count; i++) {
		ID3D11Buffer *buffer = bench11_buffer(b, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_IMMUTABLE, bench11_triangle,
						      sizeof(bench11_triangle));

		bench11_use_vertices(b, buffer);
		ID3D11DeviceContext_Draw(b->context, 3, 0);
		bench11_use_vertices(b, b->vertices);
		ID3D11Buffer_Release(buffer);
	}
	bench11_finish(b);
}

static void depth_stencils(void *data, unsigned count)
{
	const D3D11_TEXTURE2D_DESC desc = {640, 480, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
					   D3D11_BIND_DEPTH_STENCIL, 0, 0};
	struct bench11 *b = data;
	ID3D11DepthStencilView *view;
	ID3D11Texture2D *texture;

	for (unsigned i = 0; i < count; i++) {
		bench_must(ID3D11Device_CreateTexture2D(b->device, &desc, NULL, &texture), "CreateTexture2D");
		bench_must(ID3D11Device_CreateDepthStencilView(b->device, (ID3D11Resource *)texture, NULL, &view),
			   "CreateDepthStencilView");
		ID3D11DeviceContext_ClearDepthStencilView(b->context, view, D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL, 1, 0);
		ID3D11DepthStencilView_Release(view);
		ID3D11Texture2D_Release(texture);
	}
	bench11_finish(b);
}

static void create_device(void *data, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct bench11 other;

		bench11_open(&other, 64, 64);
		bench11_finish(&other);
		bench11_close(&other);
	}
}

int main(int argc, char **argv)
{
	struct bench11 b;

	bench_open(argc, argv,
		   "Resources that are created, used and released through Direct3D 11: textures of 256x256 that are cleared, vertex\n"
		   "buffers that are drawn from, depth-stencil textures (D24S8, 640x480) with a view that is cleared. Milliseconds for\n"
		   "a device with its first objects and its release.");
	bench11_open(&b, 64, 64);
	bench_rate("d3d11.resource.texture", "resources/s", textures, &b);
	bench_rate("d3d11.resource.vertex_buffer", "resources/s", vertex_buffers, &b);
	bench_rate("d3d11.resource.depth_stencil", "resources/s", depth_stencils, &b);
	bench_duration("d3d11.device.create", create_device, NULL);
	bench11_close(&b);
	return 0;
}
