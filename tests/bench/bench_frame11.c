/* SPDX-License-Identifier: MIT */
/* What a frame costs through Direct3D 11: time, and the driver's counters; as bench_frame9.c. */
#define INITGUID
#include "bench11.h"

#include "counters.h"
#include "hlsl/textured_ps_4.h"

#define WIDTH 640u
#define HEIGHT 480u
#define DRAWS 100u	/* of a frame: each with its own constants, every tenth with another texture */
#define TEXTURES 4u

struct scene {
	struct bench11 bench;
	IDXGISwapChain *chain;
	ID3D11RenderTargetView *back_buffer;
	ID3D11DepthStencilView *depth;
	ID3D11PixelShader *textured_ps;
	ID3D11ShaderResourceView *textures[TEXTURES];
};

static void frame(void *data)
{
	struct scene *s = data;
	ID3D11DeviceContext *context = s->bench.context;
	const float background[4] = {0.1f, 0.2f, 0.3f, 1};

	ID3D11DeviceContext_OMSetRenderTargets(context, 1, &s->back_buffer, s->depth);
	ID3D11DeviceContext_ClearRenderTargetView(context, s->back_buffer, background);
	ID3D11DeviceContext_ClearDepthStencilView(context, s->depth, D3D11_CLEAR_DEPTH, 1, 0);
	for (unsigned i = 0; i < DRAWS; i++) {
		const float place[4] = {(float)(i % 10) / 6 - 0.9f, (float)(i / 10) / 6 - 0.9f, 0, 0};

		if (i % 10 == 0)
			ID3D11DeviceContext_PSSetShaderResources(context, 0, 1, &s->textures[i / 10 % TEXTURES]);
		bench11_set_constants(&s->bench, place);
		ID3D11DeviceContext_Draw(context, 3, 0);
	}
	bench_must(IDXGISwapChain_Present(s->chain, 0, 0), "Present");
}

static void frames(void *data, unsigned count)
{
	struct scene *s = data;

	for (unsigned i = 0; i < count; i++)
		frame(s);
	bench11_finish(&s->bench);
}

static void read_statistics(void *data, struct d3dgpu_statistics *out)
{
	struct scene *s = data;

	bench_must(D3DGPUGetStatistics11(s->bench.device, out), "D3DGPUGetStatistics11");
}

static void create_chain(struct scene *s)
{
	DXGI_SWAP_CHAIN_DESC desc = {.BufferDesc = {WIDTH, HEIGHT, {60, 1}, DXGI_FORMAT_B8G8R8A8_UNORM, 0, 0},
				     .SampleDesc = {1, 0},
				     .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
				     .BufferCount = 2,
				     .Windowed = TRUE};
	ID3D11Texture2D *buffer;
	IDXGIFactory *factory;

	bench_must(CreateDXGIFactory(&IID_IDXGIFactory, (void **)&factory), "CreateDXGIFactory");
	bench_must(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)s->bench.device, &desc, &s->chain), "CreateSwapChain");
	bench_must(IDXGISwapChain_GetBuffer(s->chain, 0, &IID_ID3D11Texture2D, (void **)&buffer), "GetBuffer");
	bench_must(ID3D11Device_CreateRenderTargetView(s->bench.device, (ID3D11Resource *)buffer, NULL, &s->back_buffer),
		   "CreateRenderTargetView");
	ID3D11Texture2D_Release(buffer); /* the view keeps it */
	IDXGIFactory_Release(factory);
}

static void create_depth(struct scene *s)
{
	D3D11_TEXTURE2D_DESC desc = {WIDTH, HEIGHT, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
				     D3D11_BIND_DEPTH_STENCIL, 0, 0};
	ID3D11Texture2D *texture;

	bench_must(ID3D11Device_CreateTexture2D(s->bench.device, &desc, NULL, &texture), "CreateTexture2D");
	bench_must(ID3D11Device_CreateDepthStencilView(s->bench.device, (ID3D11Resource *)texture, NULL, &s->depth),
		   "CreateDepthStencilView");
	ID3D11Texture2D_Release(texture); /* the view keeps it */
}

static void create(struct scene *s)
{
	bench11_open(&s->bench, WIDTH, HEIGHT);
	create_chain(s);
	create_depth(s);
	s->textured_ps = bench11_pixel_shader(&s->bench, textured_ps_4, sizeof(textured_ps_4));
	ID3D11DeviceContext_PSSetShader(s->bench.context, s->textured_ps, NULL, 0);
	for (unsigned i = 0; i < TEXTURES; i++) {
		ID3D11Texture2D *texture = bench11_texture(&s->bench, 64, 64, D3D11_BIND_SHADER_RESOURCE, D3D11_USAGE_DEFAULT, 0);

		bench_must(ID3D11Device_CreateShaderResourceView(s->bench.device, (ID3D11Resource *)texture, NULL, &s->textures[i]),
			   "CreateShaderResourceView");
		ID3D11Texture2D_Release(texture); /* the view keeps it */
	}
}

static void destroy(struct scene *s)
{
	for (unsigned i = 0; i < TEXTURES; i++)
		ID3D11ShaderResourceView_Release(s->textures[i]);
	ID3D11PixelShader_Release(s->textured_ps);
	ID3D11DepthStencilView_Release(s->depth);
	ID3D11RenderTargetView_Release(s->back_buffer);
	IDXGISwapChain_Release(s->chain);
	bench11_close(&s->bench);
}

int main(int argc, char **argv)
{
	struct scene s = {0};

	bench_open(argc, argv,
		   "A frame of 640x480 through Direct3D 11: clears of colour and depth, 100 draws of a small triangle with a constant\n"
		   "buffer each and ten texture changes, Present. Frames in a second, then system calls and more for each.");
	create(&s);
	bench_rate("d3d11.frame", "frames/s", frames, &s);
	counters_report("d3d11.frame", frame, read_statistics, &s);
	destroy(&s);
	return 0;
}
