/* SPDX-License-Identifier: MIT */
#define INITGUID
#include "test11.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hlsl/color_ps.h"
#include "hlsl/color_vs.h"

const D3D_FEATURE_LEVEL test11_levels[7] = {
	D3D_FEATURE_LEVEL_9_1,  D3D_FEATURE_LEVEL_9_2,  D3D_FEATURE_LEVEL_9_3,  D3D_FEATURE_LEVEL_10_0,
	D3D_FEATURE_LEVEL_10_1, D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_11_1,
};

const char *test11_level_name(D3D_FEATURE_LEVEL level)
{
	static const char *const names[] = {"9_1", "9_2", "9_3", "10_0", "10_1", "11_0", "11_1"};

	for (unsigned i = 0; i < COUNT(test11_levels); i++)
		if (test11_levels[i] == level)
			return names[i];
	return "?";
}

/* ---- devices ---- */

bool test11_open(struct test11 *t, D3D_FEATURE_LEVEL level)
{
	HRESULT hr;

	memset(t, 0, sizeof(*t));
	hr = D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, level ? &level : NULL, level ? 1 : 0,
			       D3D11_SDK_VERSION, &t->device, &t->level, &t->context);
	if (FAILED(hr) && hr != DXGI_ERROR_UNSUPPORTED)
		tap_diag("D3D11CreateDevice: %#x", (unsigned)hr);
	return SUCCEEDED(hr);
}

void test11_must_open(struct test11 *t)
{
	if (!test11_open(t, 0))
		tap_bail("no Direct3D 11 device");
}

void test11_close(struct test11 *t)
{
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11DeviceContext_Release(t->context);
	tap_eq(ID3D11Device_Release(t->device), 0, "the device's last reference is released");
}

/* ---- targets ---- */

bool test11_target_create(struct test11 *t, UINT width, UINT height, DXGI_FORMAT format, struct test11_target *out)
{
	D3D11_TEXTURE2D_DESC desc = {width, height, 1, 1, format, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET,
				     0,     0};
	HRESULT hr;

	*out = (struct test11_target){.width = width, .height = height, .pixels = calloc(width * height, 4)};
	hr = ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &out->texture);
	if (SUCCEEDED(hr))
		hr = ID3D11Device_CreateRenderTargetView(t->device, (ID3D11Resource *)out->texture, NULL, &out->view);
	desc.Usage = D3D11_USAGE_STAGING;
	desc.BindFlags = 0;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
	if (SUCCEEDED(hr))
		hr = ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &out->staging);
	if (FAILED(hr))
		tap_diag("target %ux%u: %#x", width, height, (unsigned)hr);
	return SUCCEEDED(hr);
}

void test11_target_destroy(struct test11_target *target)
{
	if (target->view)
		ID3D11RenderTargetView_Release(target->view);
	if (target->texture)
		ID3D11Texture2D_Release(target->texture);
	if (target->staging)
		ID3D11Texture2D_Release(target->staging);
	free(target->pixels);
	memset(target, 0, sizeof(*target));
}

bool test11_read(struct test11 *t, struct test11_target *target, ID3D11Texture2D *source, UINT subresource)
{
	ID3D11Resource *staging = (ID3D11Resource *)target->staging;
	D3D11_MAPPED_SUBRESOURCE mapped;
	HRESULT hr;

	ID3D11DeviceContext_CopySubresourceRegion(t->context, staging, 0, 0, 0, 0,
						  (ID3D11Resource *)(source ? source : target->texture), subresource,
						  NULL);
	hr = ID3D11DeviceContext_Map(t->context, staging, 0, D3D11_MAP_READ, 0, &mapped);
	if (FAILED(hr)) {
		tap_diag("Map for reading: %#x", (unsigned)hr);
		return false;
	}
	for (UINT y = 0; y < target->height; y++)
		memcpy(target->pixels + y * target->width * 4, (char *)mapped.pData + y * mapped.RowPitch,
		       target->width * 4);
	ID3D11DeviceContext_Unmap(t->context, staging, 0);
	return true;
}

uint32_t test11_pixel(const struct test11_target *target, UINT x, UINT y)
{
	uint32_t pixel;

	memcpy(&pixel, target->pixels + (y * target->width + x) * 4, sizeof(pixel));
	return pixel;
}

bool test11_check(const struct test11_target *target, UINT x, UINT y, uint32_t want, unsigned tolerance,
		  const char *name)
{
	uint32_t got = test11_pixel(target, x, y);

	for (unsigned shift = 0; shift < 32; shift += 8) {
		int difference = (int)(got >> shift & 255) - (int)(want >> shift & 255);

		if (difference > (int)tolerance || -difference > (int)tolerance)
			return tap_eq(got, want, "%s (pixel %u, %u)", name, x, y);
	}
	return tap_ok(true, "%s", name);
}

void test11_bind(struct test11 *t, struct test11_target *target, ID3D11DepthStencilView *depth)
{
	D3D11_VIEWPORT viewport = {0, 0, (float)target->width, (float)target->height, 0, 1};

	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &target->view, depth);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
}

void test11_clear(struct test11 *t, struct test11_target *target, float r, float g, float b, float a)
{
	const float color[4] = {r, g, b, a};

	ID3D11DeviceContext_ClearRenderTargetView(t->context, target->view, color);
}

/* ---- objects ---- */

ID3D11Buffer *test11_buffer(struct test11 *t, UINT bind, const void *data, UINT size)
{
	D3D11_BUFFER_DESC desc = {size, D3D11_USAGE_DEFAULT, bind, 0, 0, 0};
	D3D11_SUBRESOURCE_DATA initial = {data, 0, 0};
	ID3D11Buffer *buffer = NULL;
	HRESULT hr = ID3D11Device_CreateBuffer(t->device, &desc, data ? &initial : NULL, &buffer);

	if (FAILED(hr))
		tap_diag("CreateBuffer: %#x", (unsigned)hr);
	return buffer;
}

ID3D11DepthStencilView *test11_depth(struct test11 *t, UINT width, UINT height, DXGI_FORMAT format, UINT samples)
{
	D3D11_TEXTURE2D_DESC desc = {
		width, height, 1, 1, format, {samples, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_DEPTH_STENCIL, 0, 0};
	ID3D11DepthStencilView *view = NULL;
	ID3D11Texture2D *texture;
	HRESULT hr = ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture);

	if (SUCCEEDED(hr)) {
		hr = ID3D11Device_CreateDepthStencilView(t->device, (ID3D11Resource *)texture, NULL, &view);
		ID3D11Texture2D_Release(texture);
	}
	if (FAILED(hr))
		tap_diag("depth-stencil: %#x", (unsigned)hr);
	return view;
}

ID3D11VertexShader *test11_vs(struct test11 *t, const uint32_t *code, size_t size)
{
	ID3D11VertexShader *shader = NULL;
	HRESULT hr = ID3D11Device_CreateVertexShader(t->device, code, size, NULL, &shader);

	if (FAILED(hr))
		tap_diag("CreateVertexShader: %#x", (unsigned)hr);
	return shader;
}

ID3D11PixelShader *test11_ps(struct test11 *t, const uint32_t *code, size_t size)
{
	ID3D11PixelShader *shader = NULL;
	HRESULT hr = ID3D11Device_CreatePixelShader(t->device, code, size, NULL, &shader);

	if (FAILED(hr))
		tap_diag("CreatePixelShader: %#x", (unsigned)hr);
	return shader;
}

bool test11_color_pipe(struct test11 *t, struct test11_color_pipe *out)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0},
	};
	HRESULT hr;

	*out = (struct test11_color_pipe){
		TEST11_VS(t, color_vs), TEST11_PS(t, color_ps), NULL,
		test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 6 * sizeof(struct test11_vertex))};
	hr = ID3D11Device_CreateInputLayout(t->device, elements, COUNT(elements), color_vs, sizeof(color_vs),
					    &out->layout);
	return out->vs && out->ps && out->vertices && SUCCEEDED(hr);
}

void test11_color_pipe_destroy(struct test11_color_pipe *pipe)
{
	if (pipe->vs)
		ID3D11VertexShader_Release(pipe->vs);
	if (pipe->ps)
		ID3D11PixelShader_Release(pipe->ps);
	if (pipe->layout)
		ID3D11InputLayout_Release(pipe->layout);
	if (pipe->vertices)
		ID3D11Buffer_Release(pipe->vertices);
}

void test11_draw_rect(struct test11 *t, struct test11_color_pipe *pipe, float left, float top, float right,
		      float bottom, float z, const float c[4])
{
	const struct test11_vertex vertices[6] = {
		{left, top, z, c[0], c[1], c[2], c[3]},    {right, top, z, c[0], c[1], c[2], c[3]},
		{left, bottom, z, c[0], c[1], c[2], c[3]}, {left, bottom, z, c[0], c[1], c[2], c[3]},
		{right, top, z, c[0], c[1], c[2], c[3]},   {right, bottom, z, c[0], c[1], c[2], c[3]},
	};
	UINT stride = sizeof(vertices[0]), offset = 0;

	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)pipe->vertices, 0, NULL, vertices, 0, 0);
	ID3D11DeviceContext_IASetInputLayout(t->context, pipe->layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &pipe->vertices, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, pipe->vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe->ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 6, 0);
}
