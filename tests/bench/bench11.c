/* SPDX-License-Identifier: MIT */
#include "bench11.h"

#include <string.h>
#include <unistd.h>

#include "hlsl/moved_vs_4.h"
#include "hlsl/tinted_ps_4.h"

const struct bench11_vertex bench11_triangle[3] = {{0, 0, 0.5f, 1}, {0, 0.2f, 0.5f, 1}, {0.2f, 0, 0.5f, 1}};

ID3D11Buffer *bench11_buffer(struct bench11 *b, UINT bind, D3D11_USAGE usage, const void *data, UINT size)
{
	D3D11_BUFFER_DESC desc = {size, usage, bind, usage == D3D11_USAGE_DYNAMIC ? D3D11_CPU_ACCESS_WRITE : 0, 0, 0};
	D3D11_SUBRESOURCE_DATA initial = {data, 0, 0};
	ID3D11Buffer *buffer;

	bench_must(ID3D11Device_CreateBuffer(b->device, &desc, data ? &initial : NULL, &buffer), "CreateBuffer");
	return buffer;
}

ID3D11Texture2D *bench11_texture(struct bench11 *b, UINT width, UINT height, UINT bind, D3D11_USAGE usage, UINT cpu)
{
	D3D11_TEXTURE2D_DESC desc = {width, height, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, usage, bind, cpu, 0};
	ID3D11Texture2D *texture;

	bench_must(ID3D11Device_CreateTexture2D(b->device, &desc, NULL, &texture), "CreateTexture2D");
	return texture;
}

ID3D11PixelShader *bench11_pixel_shader(struct bench11 *b, const uint32_t *code, size_t size)
{
	ID3D11PixelShader *shader;

	bench_must(ID3D11Device_CreatePixelShader(b->device, code, size, NULL, &shader), "CreatePixelShader");
	return shader;
}

void bench11_use_vertices(struct bench11 *b, ID3D11Buffer *buffer)
{
	UINT stride = sizeof(struct bench11_vertex), offset = 0;

	ID3D11DeviceContext_IASetVertexBuffers(b->context, 0, 1, &buffer, &stride, &offset);
}

void bench11_set_constants(struct bench11 *b, const float values[4])
{
	D3D11_MAPPED_SUBRESOURCE mapped;

	bench_must(ID3D11DeviceContext_Map(b->context, (ID3D11Resource *)b->constants, 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), "Map");
	memcpy(mapped.pData, values, 4 * sizeof(*values));
	ID3D11DeviceContext_Unmap(b->context, (ID3D11Resource *)b->constants, 0);
}

static void create_triangle(struct bench11 *b)
{
	static const D3D11_INPUT_ELEMENT_DESC element = {
		"POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};

	bench_must(ID3D11Device_CreateVertexShader(b->device, moved_vs_4, sizeof(moved_vs_4), NULL, &b->moved_vs),
		   "CreateVertexShader");
	b->tinted_ps = bench11_pixel_shader(b, tinted_ps_4, sizeof(tinted_ps_4));
	bench_must(ID3D11Device_CreateInputLayout(b->device, &element, 1, moved_vs_4, sizeof(moved_vs_4), &b->layout),
		   "CreateInputLayout");
	b->vertices = bench11_buffer(b, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DEFAULT, bench11_triangle, sizeof(bench11_triangle));
	b->constants = bench11_buffer(b, D3D11_BIND_CONSTANT_BUFFER, D3D11_USAGE_DYNAMIC, NULL, 16);
}

static void create_target(struct bench11 *b, UINT width, UINT height)
{
	ID3D11Texture2D *texture = bench11_texture(b, width, height, D3D11_BIND_RENDER_TARGET, D3D11_USAGE_DEFAULT, 0);

	bench_must(ID3D11Device_CreateRenderTargetView(b->device, (ID3D11Resource *)texture, NULL, &b->target),
		   "CreateRenderTargetView");
	ID3D11Texture2D_Release(texture); /* the view keeps it */
}

void bench11_open(struct bench11 *b, UINT width, UINT height)
{
	static const D3D11_QUERY_DESC event = {D3D11_QUERY_EVENT, 0};
	const D3D11_VIEWPORT viewport = {0, 0, (float)width, (float)height, 0, 1};
	const float zero[4] = {0};

	bench_must(D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &b->device, NULL,
				     &b->context),
		   "D3D11CreateDevice");
	bench_must(ID3D11Device_CreateQuery(b->device, &event, &b->event), "CreateQuery");
	create_target(b, width, height);
	create_triangle(b);
	bench11_set_constants(b, zero);
	bench11_use_vertices(b, b->vertices);
	ID3D11DeviceContext_OMSetRenderTargets(b->context, 1, &b->target, NULL);
	ID3D11DeviceContext_RSSetViewports(b->context, 1, &viewport);
	ID3D11DeviceContext_IASetInputLayout(b->context, b->layout);
	ID3D11DeviceContext_IASetPrimitiveTopology(b->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(b->context, b->moved_vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(b->context, b->tinted_ps, NULL, 0);
	ID3D11DeviceContext_VSSetConstantBuffers(b->context, 0, 1, &b->constants);
	ID3D11DeviceContext_PSSetConstantBuffers(b->context, 0, 1, &b->constants);
}

void bench11_close(struct bench11 *b)
{
	ID3D11DeviceContext_ClearState(b->context);
	ID3D11PixelShader_Release(b->tinted_ps);
	ID3D11VertexShader_Release(b->moved_vs);
	ID3D11Buffer_Release(b->constants);
	ID3D11Buffer_Release(b->vertices);
	ID3D11InputLayout_Release(b->layout);
	ID3D11RenderTargetView_Release(b->target);
	ID3D11Query_Release(b->event);
	ID3D11DeviceContext_Release(b->context);
	ID3D11Device_Release(b->device);
}

void bench11_finish(struct bench11 *b)
{
	HRESULT hr;

	ID3D11DeviceContext_End(b->context, (ID3D11Asynchronous *)b->event);
	while ((hr = ID3D11DeviceContext_GetData(b->context, (ID3D11Asynchronous *)b->event, NULL, 0, 0)) == S_FALSE)
		usleep(20);
	bench_must(hr, "waiting for the GPU");
}
