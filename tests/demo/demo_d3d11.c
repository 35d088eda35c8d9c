/* SPDX-License-Identifier: MIT */
/* The scene through ID3D11Device: shader model 4, a Texture2D as depth-stencil, a DXGI swap chain. */
#include <windows.h>
#include <d3d11.h>
#include <dxgi.h>
#include <stdio.h>
#include <string.h>

#include "demo.h"
#include "hlsl/scene_ps_4_0.h"
#include "hlsl/scene_vs_4_0.h"

struct program {
	const struct demo_options *options;
	const struct scene *scene;
	ID3D11Device *device;
	ID3D11DeviceContext *context;
	IDXGISwapChain *swap_chain;
	ID3D11Texture2D *back_buffer, *depth, *readback;
	ID3D11RenderTargetView *target_view;
	ID3D11DepthStencilView *depth_view;
	ID3D11Buffer *vertices, *indices, *constants;
	ID3D11InputLayout *layout;
	ID3D11VertexShader *vertex_shader;
	ID3D11PixelShader *pixel_shader;
	ID3D11DepthStencilState *depth_state;
};

static HRESULT create_device(struct program *p)
{
	DXGI_SWAP_CHAIN_DESC desc = {
		.BufferDesc = { .Width = p->options->width, .Height = p->options->height, .RefreshRate = { 60, 1 },
				.Format = DXGI_FORMAT_B8G8R8A8_UNORM },
		.SampleDesc = { 1, 0 }, .BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT, .BufferCount = 2,
		.Windowed = !p->options->fullscreen, .SwapEffect = DXGI_SWAP_EFFECT_DISCARD };

	return D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &desc,
					     &p->swap_chain, &p->device, NULL, &p->context);
}

static HRESULT create_targets(struct program *p)
{
	D3D11_TEXTURE2D_DESC desc = { .Width = p->options->width, .Height = p->options->height, .MipLevels = 1, .ArraySize = 1,
				      .Format = DXGI_FORMAT_D24_UNORM_S8_UINT, .SampleDesc = { 1, 0 },
				      .Usage = D3D11_USAGE_DEFAULT, .BindFlags = D3D11_BIND_DEPTH_STENCIL };
	HRESULT hr;

	if (FAILED(hr = IDXGISwapChain_GetBuffer(p->swap_chain, 0, &IID_ID3D11Texture2D, (void **)&p->back_buffer)) ||
	    FAILED(hr = ID3D11Device_CreateRenderTargetView(p->device, (ID3D11Resource *)p->back_buffer, NULL, &p->target_view)) ||
	    FAILED(hr = ID3D11Device_CreateTexture2D(p->device, &desc, NULL, &p->depth)) ||
	    FAILED(hr = ID3D11Device_CreateDepthStencilView(p->device, (ID3D11Resource *)p->depth, NULL, &p->depth_view)))
		return hr;
	desc.Format = DXGI_FORMAT_B8G8R8A8_UNORM;
	desc.Usage = D3D11_USAGE_STAGING;
	desc.BindFlags = 0;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
	return ID3D11Device_CreateTexture2D(p->device, &desc, NULL, &p->readback);
}

static HRESULT create_buffer(struct program *p, UINT size, UINT bind, const void *content, ID3D11Buffer **buffer)
{
	D3D11_BUFFER_DESC desc = { .ByteWidth = size, .BindFlags = bind,
				   .Usage = content ? D3D11_USAGE_IMMUTABLE : D3D11_USAGE_DYNAMIC,
				   .CPUAccessFlags = content ? 0 : D3D11_CPU_ACCESS_WRITE };
	D3D11_SUBRESOURCE_DATA data = { .pSysMem = content };

	return ID3D11Device_CreateBuffer(p->device, &desc, content ? &data : NULL, buffer);
}

static HRESULT create_objects(struct program *p)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{ "POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0 },
		{ "NORMAL", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0 },
	};
	D3D11_DEPTH_STENCIL_DESC depth = { .DepthEnable = TRUE, .DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL,
					   .DepthFunc = D3D11_COMPARISON_LESS_EQUAL };
	const struct scene *s = p->scene;
	HRESULT hr;

	if (FAILED(hr = create_buffer(p, s->vertex_count * (UINT)sizeof(*s->vertices), D3D11_BIND_VERTEX_BUFFER, s->vertices, &p->vertices)) ||
	    FAILED(hr = create_buffer(p, s->index_count * (UINT)sizeof(*s->indices), D3D11_BIND_INDEX_BUFFER, s->indices, &p->indices)) ||
	    FAILED(hr = create_buffer(p, sizeof(struct scene_constants), D3D11_BIND_CONSTANT_BUFFER, NULL, &p->constants)) ||
	    FAILED(hr = ID3D11Device_CreateInputLayout(p->device, elements, 2, scene_vs_4_0, sizeof(scene_vs_4_0), &p->layout)) ||
	    FAILED(hr = ID3D11Device_CreateVertexShader(p->device, scene_vs_4_0, sizeof(scene_vs_4_0), NULL, &p->vertex_shader)) ||
	    FAILED(hr = ID3D11Device_CreatePixelShader(p->device, scene_ps_4_0, sizeof(scene_ps_4_0), NULL, &p->pixel_shader)))
		return hr;
	return ID3D11Device_CreateDepthStencilState(p->device, &depth, &p->depth_state);
}

static void bind_state(struct program *p)
{
	D3D11_VIEWPORT viewport = { .Width = (float)p->options->width, .Height = (float)p->options->height, .MaxDepth = 1 };
	UINT stride = sizeof(struct scene_vertex), offset = 0;

	ID3D11DeviceContext_IASetInputLayout(p->context, p->layout);
	ID3D11DeviceContext_IASetVertexBuffers(p->context, 0, 1, &p->vertices, &stride, &offset);
	ID3D11DeviceContext_IASetIndexBuffer(p->context, p->indices, DXGI_FORMAT_R16_UINT, 0);
	ID3D11DeviceContext_IASetPrimitiveTopology(p->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(p->context, p->vertex_shader, NULL, 0);
	ID3D11DeviceContext_VSSetConstantBuffers(p->context, 0, 1, &p->constants);
	ID3D11DeviceContext_PSSetShader(p->context, p->pixel_shader, NULL, 0);
	ID3D11DeviceContext_PSSetConstantBuffers(p->context, 0, 1, &p->constants);
	ID3D11DeviceContext_RSSetViewports(p->context, 1, &viewport);
	ID3D11DeviceContext_OMSetDepthStencilState(p->context, p->depth_state, 0);
}

static HRESULT draw_frame(struct program *p, float seconds)
{
	static const float background[4] = { SCENE_CLEAR_R / 255.0f, SCENE_CLEAR_G / 255.0f, SCENE_CLEAR_B / 255.0f, 1 };
	struct scene_object objects[SCENE_OBJECTS];

	scene_animate(seconds, (float)p->options->width / (float)p->options->height, objects);
	ID3D11DeviceContext_OMSetRenderTargets(p->context, 1, &p->target_view, p->depth_view);
	ID3D11DeviceContext_ClearRenderTargetView(p->context, p->target_view, background);
	ID3D11DeviceContext_ClearDepthStencilView(p->context, p->depth_view, D3D11_CLEAR_DEPTH, 1, 0);
	for (unsigned i = 0; i < SCENE_OBJECTS; i++) {
		const struct scene_mesh *mesh = &p->scene->meshes[objects[i].mesh];
		D3D11_MAPPED_SUBRESOURCE mapped;
		HRESULT hr = ID3D11DeviceContext_Map(p->context, (ID3D11Resource *)p->constants, 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped);

		if (FAILED(hr))
			return hr;
		memcpy(mapped.pData, &objects[i].constants, sizeof(objects[i].constants));
		ID3D11DeviceContext_Unmap(p->context, (ID3D11Resource *)p->constants, 0);
		ID3D11DeviceContext_DrawIndexed(p->context, mesh->index_count, mesh->first_index, mesh->base_vertex);
	}
	return S_OK;
}

/* The picture that was drawn last, through CopyResource and Map. */
static int save_picture(struct program *p)
{
	D3D11_MAPPED_SUBRESOURCE mapped;
	HRESULT hr;
	int saved;

	ID3D11DeviceContext_CopyResource(p->context, (ID3D11Resource *)p->readback, (ID3D11Resource *)p->back_buffer);
	if (FAILED(hr = ID3D11DeviceContext_Map(p->context, (ID3D11Resource *)p->readback, 0, D3D11_MAP_READ, 0, &mapped)))
		return demo_failed("ID3D11DeviceContext::Map", hr);
	saved = demo_write_png(p->options->output, "demo_d3d11.png", mapped.pData, p->options->width, p->options->height, mapped.RowPitch);
	ID3D11DeviceContext_Unmap(p->context, (ID3D11Resource *)p->readback, 0);
	return saved;
}

static int draw_frames(struct program *p)
{
	struct d3dgpu_statistics before, after;
	HRESULT hr = S_OK;
	double start;

	for (unsigned frame = 0; frame < 3 && SUCCEEDED(hr); frame++) /* shaders and buffers settle */
		if (SUCCEEDED(hr = draw_frame(p, 0)))
			hr = IDXGISwapChain_Present(p->swap_chain, 0, 0);
	D3DGPUGetStatistics11(p->device, &before);
	start = demo_now();
	for (uint32_t frame = 0; frame < p->options->frames && SUCCEEDED(hr); frame++)
		if (SUCCEEDED(hr = draw_frame(p, (float)frame / 60)))
			hr = IDXGISwapChain_Present(p->swap_chain, 0, 0);
	if (FAILED(hr))
		return demo_failed("drawing a frame", hr);
	D3DGPUGetStatistics11(p->device, &after);
	demo_print_rate("d3d11 d24s8", p->options->frames, demo_now() - start, &before, &after);
	if (FAILED(hr = draw_frame(p, 0.8f)))
		return demo_failed("drawing the picture", hr);
	return save_picture(p);
}

static void release(struct program *p)
{
	IUnknown *objects[] = { (IUnknown *)p->depth_state, (IUnknown *)p->pixel_shader, (IUnknown *)p->vertex_shader,
				(IUnknown *)p->layout, (IUnknown *)p->constants, (IUnknown *)p->indices, (IUnknown *)p->vertices,
				(IUnknown *)p->depth_view, (IUnknown *)p->target_view, (IUnknown *)p->readback,
				(IUnknown *)p->depth, (IUnknown *)p->back_buffer, (IUnknown *)p->swap_chain,
				(IUnknown *)p->context, (IUnknown *)p->device };

	if (p->options->fullscreen && p->swap_chain)
		IDXGISwapChain_SetFullscreenState(p->swap_chain, FALSE, NULL);
	for (unsigned i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (objects[i])
			IUnknown_Release(objects[i]);
}

int demo_d3d11(const struct demo_options *options, const struct scene *scene)
{
	struct program p = { .options = options, .scene = scene };
	int result = 0;
	HRESULT hr;

	if (FAILED(hr = create_device(&p)))
		result = demo_failed("D3D11CreateDeviceAndSwapChain", hr);
	else if (FAILED(hr = create_targets(&p)) || FAILED(hr = create_objects(&p)))
		result = demo_failed("creating the scene's objects", hr);
	if (!result) {
		bind_state(&p);
		result = draw_frames(&p);
	}
	release(&p);
	return result;
}
