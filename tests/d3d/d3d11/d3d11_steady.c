/* SPDX-License-Identifier: MIT */
/*
 * A steady frame costs one submit, and nothing is allocated, created or compiled again. By the driver's own counters.
 */
#include "test11.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "d3dgpu_statistics.h"
#include "hlsl/constants_ps.h"
#include "hlsl/constants_vs.h"

#define SIZE 64u
#define FRAMES 50u
#define LARGE 2048u
#define LAYERS 100u	/* over all of a large target: a good part of a second where the GPU is a processor */

struct scene {
	struct test11_color_pipe pipe;
	struct test11_target large;
	ID3D11VertexShader *vs;
	ID3D11PixelShader *ps;
	ID3D11InputLayout *layout;
	ID3D11Buffer *vertices, *constants[4];
	ID3D11DepthStencilState *states[2];
	ID3D11BlendState *blend;
	ID3D11DepthStencilView *depth;
	ID3D11RenderTargetView *target;
	IDXGISwapChain *chain;
};

static ID3D11Buffer *dynamic_buffer(struct test11 *t)
{
	D3D11_BUFFER_DESC desc = {16, D3D11_USAGE_DYNAMIC, D3D11_BIND_CONSTANT_BUFFER, D3D11_CPU_ACCESS_WRITE, 0, 0};
	ID3D11Buffer *buffer = NULL;

	ID3D11Device_CreateBuffer(t->device, &desc, NULL, &buffer);
	return buffer;
}

static void write_constants(struct test11 *t, ID3D11Buffer *buffer, float x, float y, float z, float w)
{
	D3D11_MAPPED_SUBRESOURCE mapped;

	if (FAILED(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)buffer, 0, D3D11_MAP_WRITE_DISCARD, 0,
					   &mapped)))
		return;
	((float *)mapped.pData)[0] = x;
	((float *)mapped.pData)[1] = y;
	((float *)mapped.pData)[2] = z;
	((float *)mapped.pData)[3] = w;
	ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)buffer, 0);
}

static void create_scene(struct test11 *t, struct scene *s)
{
	static const D3D11_INPUT_ELEMENT_DESC element = {
		"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
	static const float square[4][3] = {{-1, 1, 0.5f}, {1, 1, 0.5f}, {-1, -1, 0.5f}, {1, -1, 0.5f}};
	D3D11_DEPTH_STENCIL_DESC depth = {.DepthEnable = TRUE,
					  .DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL,
					  .DepthFunc = D3D11_COMPARISON_LESS_EQUAL};
	D3D11_BLEND_DESC blend = {.RenderTarget[0] = {TRUE, D3D11_BLEND_SRC_ALPHA, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD,
						      D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD, 0xf}};
	ID3D11Texture2D *buffer;

	IDXGISwapChain_GetBuffer(s->chain, 0, &IID_ID3D11Texture2D, (void **)&buffer);
	ID3D11Device_CreateRenderTargetView(t->device, (ID3D11Resource *)buffer, NULL, &s->target);
	ID3D11Texture2D_Release(buffer);
	s->depth = test11_depth(t, SIZE, SIZE, DXGI_FORMAT_D24_UNORM_S8_UINT, 1);
	s->vs = TEST11_VS(t, constants_vs);
	s->ps = TEST11_PS(t, constants_ps);
	s->vertices = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, square, sizeof(square));
	for (unsigned i = 0; i < 4; i++)
		s->constants[i] = dynamic_buffer(t);
	ID3D11Device_CreateInputLayout(t->device, &element, 1, constants_vs, sizeof(constants_vs), &s->layout);
	ID3D11Device_CreateDepthStencilState(t->device, &depth, &s->states[0]);
	depth.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ZERO;
	ID3D11Device_CreateDepthStencilState(t->device, &depth, &s->states[1]);
	ID3D11Device_CreateBlendState(t->device, &blend, &s->blend);
	if (!test11_color_pipe(t, &s->pipe) || !test11_target_create(t, LARGE, LARGE, DXGI_FORMAT_R8G8B8A8_UNORM, &s->large))
		tap_bail("no scene");
}

static void destroy_scene(struct test11 *t, struct scene *s)
{
	ID3D11DeviceContext_ClearState(t->context);
	for (unsigned i = 0; i < 4; i++)
		ID3D11Buffer_Release(s->constants[i]);
	ID3D11Buffer_Release(s->vertices);
	ID3D11VertexShader_Release(s->vs);
	ID3D11PixelShader_Release(s->ps);
	ID3D11InputLayout_Release(s->layout);
	ID3D11DepthStencilState_Release(s->states[0]);
	ID3D11DepthStencilState_Release(s->states[1]);
	ID3D11BlendState_Release(s->blend);
	ID3D11DepthStencilView_Release(s->depth);
	ID3D11RenderTargetView_Release(s->target);
	test11_color_pipe_destroy(&s->pipe);
	test11_target_destroy(&s->large);
	IDXGISwapChain_Release(s->chain);
}

/* Clears, then ten squares with constants of their own, half of them blended. */
static void draw_frame(struct test11 *t, struct scene *s, unsigned frame)
{
	const float black[4] = {0, 0, 0, 1};
	D3D11_VIEWPORT viewport = {0, 0, SIZE, SIZE, 0, 1};
	UINT stride = 12, offset = 0;

	ID3D11DeviceContext_ClearRenderTargetView(t->context, s->target, black);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, s->depth, D3D11_CLEAR_DEPTH, 1, 0);
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &s->target, s->depth);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
	ID3D11DeviceContext_IASetInputLayout(t->context, s->layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &s->vertices, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
	ID3D11DeviceContext_VSSetShader(t->context, s->vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, s->ps, NULL, 0);
	ID3D11DeviceContext_VSSetConstantBuffers(t->context, 0, 2, &s->constants[0]);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 0, 1, &s->constants[2]);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 2, 1, &s->constants[3]);
	for (unsigned i = 0; i < 10; i++) {
		write_constants(t, s->constants[0], 0.1f, 0.1f, 1, 1);
		write_constants(t, s->constants[1], (float)i / 5 - 0.9f, (float)(frame % 10) / 10 - 0.5f, 0, 0);
		write_constants(t, s->constants[2], (float)i / 10, 0.5f, 0.25f, 0.5f);
		write_constants(t, s->constants[3], 0, 0, 0, 0);
		ID3D11DeviceContext_OMSetDepthStencilState(t->context, s->states[i % 2], 0);
		ID3D11DeviceContext_OMSetBlendState(t->context, i % 2 ? s->blend : NULL, NULL, ~0u);
		ID3D11DeviceContext_Draw(t->context, 4, 0);
	}
	IDXGISwapChain_Present(s->chain, 0, 0);
}

/* Puts the program as far ahead of the GPU as it may be: whatever that takes is allocated then. */
static void warm_up(struct test11 *t, struct scene *s)
{
	const float grey[4] = {0.5f, 0.5f, 0.5f, 1};

	test11_bind(t, &s->large, NULL);
	for (unsigned i = 0; i < LAYERS; i++)
		test11_draw_rect(t, &s->pipe, -1, 1, 1, -1, 0.5f, grey);
	ID3D11DeviceContext_Flush(t->context);
	for (unsigned frame = 0; frame < 20; frame++)
		draw_frame(t, s, frame);
}

int main(void)
{
	DXGI_SWAP_CHAIN_DESC desc = {.BufferDesc = {SIZE, SIZE, {60, 1}, DXGI_FORMAT_B8G8R8A8_UNORM, 0, 0},
				     .SampleDesc = {1, 0},
				     .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
				     .BufferCount = 1,
				     .Windowed = TRUE};
	const char *winsys = getenv("D3DGPU_WINSYS");
	bool loopback = winsys && !strcmp(winsys, "loopback");
	struct d3dgpu_statistics before, after;
	struct scene scene = {0};
	struct test11 t = {0};
	HRESULT hr = D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION,
						   &desc, &scene.chain, &t.device, &t.level, &t.context);

	if (FAILED(hr))
		tap_bail("D3D11CreateDeviceAndSwapChain: %#x", (unsigned)hr);
	create_scene(&t, &scene);
	warm_up(&t, &scene);
	D3DGPUGetStatistics11(t.device, &before);
	for (unsigned frame = 0; frame < FRAMES; frame++)
		draw_frame(&t, &scene, frame);
	D3DGPUGetStatistics11(t.device, &after);
	tap_eq(after.draws - before.draws, 10 * FRAMES, "%u frames have ten draws each", FRAMES);
	tap_eq(after.submits - before.submits, FRAMES, "one submit a frame");
	tap_eq(after.ioctls - before.ioctls - (after.waits - before.waits), FRAMES,
	       "which is the only call into the kernel, but for %llu that slept until the GPU had caught up",
	       (unsigned long long)(after.waits - before.waits));
	tap_eq(after.allocations - before.allocations, 0, "no allocation");
	tap_eq(after.state_objects - before.state_objects, 0, "no state object is created");
	tap_eq(after.shaders - before.shaders, 0, "no shader is created");
	tap_eq(after.staging_buffers - before.staging_buffers, 0, "no staging buffer is created");
	/* The pool is the whole GPU's: in the guest, what the program before this one had may still be on its way back. */
	tap_ok(after.vram_used == before.vram_used || (!loopback && after.vram_used < before.vram_used), "the VRAM pool stays as it is (%lld bytes)",
	       (long long)(after.vram_used - before.vram_used));
	tap_diag("%.0f bytes of stream a frame", (double)(after.stream_bytes - before.stream_bytes) / FRAMES);
	tap_eq(D3DGPUGetStatistics11(NULL, &after), (uint64_t)-1, "statistics of no device");
	destroy_scene(&t, &scene);
	test11_close(&t);
	return tap_done();
}
