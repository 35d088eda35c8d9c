/* SPDX-License-Identifier: MIT */
/* Pictures: clears, triangles, depth, textures, constants, instances, scissors, blending, samples, formats. */
#include "test11.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "hlsl/color_vs.h"
#include "hlsl/constants_ps.h"
#include "hlsl/constants_vs.h"
#include "hlsl/instanced_vs.h"
#include "hlsl/texture_array_ps.h"
#include "hlsl/texture_cube_ps.h"
#include "hlsl/texture_ps.h"
#include "hlsl/texture_vs.h"
#include "hlsl/two_targets_ps.h"
#include "hlsl/vertex_id_vs.h"

#define SIZE 64u
#define RED 0xff0000ffu
#define GREEN 0xff00ff00u
#define BLUE 0xffff0000u
#define BLACK 0xff000000u

static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};

static void test_clear(struct test11 *t, struct test11_target *target)
{
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0.2f, 0.4f, 0.6f, 0.8f);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 0, 0, 0xcc996633, 1, "a clear reaches the first pixel");
		test11_check(target, SIZE - 1, SIZE - 1, 0xcc996633, 1, "and the last");
	}
}

static void test_triangle(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	const struct test11_vertex triangle[3] = {
		{-1, 1, 0, 1, 0, 0, 1},
		{1, 1, 0, 0, 1, 0, 1},
		{-1, -1, 0, 0, 0, 1, 1},
	};
	UINT stride = sizeof(triangle[0]), offset = 0;
	ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, triangle, sizeof(triangle));

	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_IASetInputLayout(t->context, pipe->layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &buffer, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, pipe->vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe->ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 3, 0);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 0, 0, RED, 6, "the upper left corner has the first vertex's colour: y points up");
		test11_check(target, SIZE - 3, 0, GREEN, 12, "the upper right corner has the second's");
		test11_check(target, 0, SIZE - 3, BLUE, 12, "the lower left corner has the third's");
		test11_check(target, SIZE - 1, SIZE - 1, BLACK, 0, "outside of the triangle nothing is drawn");
	}
	ID3D11Buffer_Release(buffer);
}

static void test_cull(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	D3D11_RASTERIZER_DESC desc = {
		.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_FRONT, .DepthClipEnable = TRUE};
	ID3D11RasterizerState *state;

	ID3D11Device_CreateRasterizerState(t->device, &desc, &state);
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_RSSetState(t->context, state);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, red);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 5, 5, BLACK, 0, "clockwise triangles are front-facing: CULL_FRONT removes them");
	ID3D11RasterizerState_Release(state);
	desc.FrontCounterClockwise = TRUE;
	ID3D11Device_CreateRasterizerState(t->device, &desc, &state);
	ID3D11DeviceContext_RSSetState(t->context, state);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, red);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 5, 5, RED, 0, "with FrontCounterClockwise they are back-facing and stay");
	ID3D11DeviceContext_RSSetState(t->context, NULL);
	ID3D11RasterizerState_Release(state);
}

static void test_depth_format(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe,
			      DXGI_FORMAT format, const char *name)
{
	ID3D11DepthStencilView *depth = test11_depth(t, SIZE, SIZE, format, 1);
	char text[96];

	if (!depth) {
		tap_ok(false, "%s depth-stencil is created", name);
		return;
	}
	test11_bind(t, target, depth);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, depth, D3D11_CLEAR_DEPTH, 0.6f, 0);
	test11_draw_rect(t, pipe, -1, 1, 0, -1, 0.5f, red);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0.55f, green);
	test11_draw_rect(t, pipe, -1, 0, 1, -1, 0.7f, blue);
	if (test11_read(t, target, NULL, 0)) {
		snprintf(text, sizeof(text), "%s: what is nearer stays", name);
		test11_check(target, 5, 5, RED, 0, text);
		snprintf(text, sizeof(text), "%s: beside it the farther rectangle passes", name);
		test11_check(target, SIZE - 5, 5, GREEN, 0, text);
		snprintf(text, sizeof(text), "%s: what is behind the cleared depth does not", name);
		test11_check(target, SIZE - 5, SIZE - 5, GREEN, 0, text);
	}
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 0, NULL, NULL);
	ID3D11DepthStencilView_Release(depth);
}

static void test_depth(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	test_depth_format(t, target, pipe, DXGI_FORMAT_D16_UNORM, "D16_UNORM");
	test_depth_format(t, target, pipe, DXGI_FORMAT_D24_UNORM_S8_UINT, "D24_UNORM_S8_UINT");
	if (t->level < D3D_FEATURE_LEVEL_10_0)
		return;
	test_depth_format(t, target, pipe, DXGI_FORMAT_D32_FLOAT, "D32_FLOAT");
	test_depth_format(t, target, pipe, DXGI_FORMAT_D32_FLOAT_S8X24_UINT, "D32_FLOAT_S8X24_UINT");
}

/* A rectangle writes the stencil; a second one passes only there. */
static void test_stencil(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	const D3D11_DEPTH_STENCILOP_DESC replace = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
						    D3D11_STENCIL_OP_REPLACE, D3D11_COMPARISON_ALWAYS};
	const D3D11_DEPTH_STENCILOP_DESC equal = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
						  D3D11_COMPARISON_EQUAL};
	D3D11_DEPTH_STENCIL_DESC desc = {
		FALSE, D3D11_DEPTH_WRITE_MASK_ZERO, D3D11_COMPARISON_ALWAYS, TRUE, 0xff, 0xff, replace, replace};
	ID3D11DepthStencilView *depth = test11_depth(t, SIZE, SIZE, DXGI_FORMAT_D24_UNORM_S8_UINT, 1);
	ID3D11DepthStencilState *write, *test;

	ID3D11Device_CreateDepthStencilState(t->device, &desc, &write);
	desc.FrontFace = desc.BackFace = equal;
	ID3D11Device_CreateDepthStencilState(t->device, &desc, &test);
	test11_bind(t, target, depth);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, depth, D3D11_CLEAR_STENCIL, 1, 0x11);
	ID3D11DeviceContext_OMSetDepthStencilState(t->context, write, 0x42);
	test11_draw_rect(t, pipe, -1, 1, 0, -1, 0, red);
	ID3D11DeviceContext_OMSetDepthStencilState(t->context, test, 0x42);
	test11_draw_rect(t, pipe, -1, 0, 1, -1, 0, green);
	ID3D11DeviceContext_OMSetDepthStencilState(t->context, test, 0x11);
	test11_draw_rect(t, pipe, 0.5f, 1, 1, -1, 0, blue);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 5, SIZE - 5, GREEN, 0, "stencil: passes where the reference was written");
		test11_check(target, SIZE / 2 + 2, SIZE - 5, BLACK, 0, "stencil: and nowhere else");
		test11_check(target, SIZE - 2, 5, BLUE, 0, "stencil: the cleared value is there, too");
	}
	ID3D11DeviceContext_OMSetDepthStencilState(t->context, NULL, 0);
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 0, NULL, NULL);
	ID3D11DepthStencilState_Release(write);
	ID3D11DepthStencilState_Release(test);
	ID3D11DepthStencilView_Release(depth);
}

struct textured_vertex {
	float x, y, z, u, v, w;
};

static void draw_textured(struct test11 *t, ID3D11PixelShader *ps, float w)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, D3D11_APPEND_ALIGNED_ELEMENT,
		 D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"TEXCOORD", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, D3D11_APPEND_ALIGNED_ELEMENT,
		 D3D11_INPUT_PER_VERTEX_DATA, 0},
	};
	const struct textured_vertex vertices[4] = {
		{-1, 1, 0, 0, 0, w},
		{1, 1, 0, 1, 0, w},
		{-1, -1, 0, 0, 1, w},
		{1, -1, 0, 1, 1, w},
	};
	ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, vertices, sizeof(vertices));
	ID3D11VertexShader *vs = TEST11_VS(t, texture_vs);
	UINT stride = sizeof(vertices[0]), offset = 0;
	ID3D11InputLayout *layout;

	ID3D11Device_CreateInputLayout(t->device, elements, COUNT(elements), texture_vs, sizeof(texture_vs), &layout);
	ID3D11DeviceContext_IASetInputLayout(t->context, layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &buffer, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 4, 0);
	ID3D11DeviceContext_IASetInputLayout(t->context, NULL);
	ID3D11Buffer_Release(buffer);
	ID3D11VertexShader_Release(vs);
	ID3D11InputLayout_Release(layout);
}

static ID3D11SamplerState *point_sampler(struct test11 *t)
{
	D3D11_SAMPLER_DESC desc = {.Filter = D3D11_FILTER_MIN_MAG_MIP_POINT,
				   .AddressU = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .AddressV = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .AddressW = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .ComparisonFunc = D3D11_COMPARISON_NEVER,
				   .MaxLOD = FLT_MAX};
	ID3D11SamplerState *sampler = NULL;

	ID3D11Device_CreateSamplerState(t->device, &desc, &sampler);
	return sampler;
}

static void test_texture(struct test11 *t, struct test11_target *target)
{
	const uint32_t texels[4] = {RED, GREEN, BLUE, 0xffffffff};
	D3D11_TEXTURE2D_DESC desc = {
		2, 2, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_IMMUTABLE, D3D11_BIND_SHADER_RESOURCE,
		0, 0};
	D3D11_SUBRESOURCE_DATA data = {texels, 8, 0};
	ID3D11SamplerState *sampler = point_sampler(t);
	ID3D11PixelShader *ps = TEST11_PS(t, texture_ps);
	ID3D11ShaderResourceView *view;
	ID3D11Texture2D *texture;

	ID3D11Device_CreateTexture2D(t->device, &desc, &data, &texture);
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, NULL, &view);
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 0, 1, &view);
	ID3D11DeviceContext_PSSetSamplers(t->context, 0, 1, &sampler);
	draw_textured(t, ps, 0);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 4, 4, RED, 0, "texture: row 0 is the upper one");
		test11_check(target, SIZE - 4, 4, GREEN, 0, "texture: second texel");
		test11_check(target, 4, SIZE - 4, BLUE, 0, "texture: third texel");
		test11_check(target, SIZE - 4, SIZE - 4, 0xffffffff, 0, "texture: fourth texel");
	}
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11ShaderResourceView_Release(view);
	ID3D11Texture2D_Release(texture);
	ID3D11SamplerState_Release(sampler);
	ID3D11PixelShader_Release(ps);
}

/* Views of slices: the whole array, and one slice that the shader declares as an array. */
static void test_texture_array(struct test11 *t, struct test11_target *target)
{
	const uint32_t slices[3] = {RED, GREEN, BLUE};
	D3D11_TEXTURE2D_DESC desc = {
		1, 1, 1, 3, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, 0};
	D3D11_SUBRESOURCE_DATA data[3] = {{&slices[0], 4, 0}, {&slices[1], 4, 0}, {&slices[2], 4, 0}};
	D3D11_SHADER_RESOURCE_VIEW_DESC one = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
					       .ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DARRAY,
					       .Texture2DArray = {0, 1, 2, 1}};
	ID3D11SamplerState *sampler = point_sampler(t);
	ID3D11PixelShader *ps = TEST11_PS(t, texture_array_ps);
	ID3D11ShaderResourceView *all, *last;
	ID3D11Texture2D *texture;

	ID3D11Device_CreateTexture2D(t->device, &desc, data, &texture);
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, NULL, &all);
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, &one, &last);
	test11_bind(t, target, NULL);
	ID3D11DeviceContext_PSSetSamplers(t->context, 0, 1, &sampler);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 1, 1, &all);
	draw_textured(t, ps, 1);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, GREEN, 0, "array: the coordinate chooses the slice");
	ID3D11DeviceContext_PSSetShaderResources(t->context, 1, 1, &last);
	draw_textured(t, ps, 0);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, BLUE, 0, "array: a view of one slice starts there");
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11ShaderResourceView_Release(all);
	ID3D11ShaderResourceView_Release(last);
	ID3D11Texture2D_Release(texture);
	ID3D11SamplerState_Release(sampler);
	ID3D11PixelShader_Release(ps);
}

static void test_cube(struct test11 *t, struct test11_target *target)
{
	const uint32_t faces[6] = {RED, GREEN, BLUE, 0xffffff00, 0xffff00ff, 0xff00ffff};
	D3D11_TEXTURE2D_DESC desc = {1,
				     1,
				     1,
				     6,
				     DXGI_FORMAT_R8G8B8A8_UNORM,
				     {1, 0},
				     D3D11_USAGE_DEFAULT,
				     D3D11_BIND_SHADER_RESOURCE,
				     0,
				     D3D11_RESOURCE_MISC_TEXTURECUBE};
	D3D11_SUBRESOURCE_DATA data[6];
	ID3D11SamplerState *sampler = point_sampler(t);
	ID3D11PixelShader *ps = TEST11_PS(t, texture_cube_ps);
	ID3D11ShaderResourceView *view;
	ID3D11Texture2D *texture;

	for (unsigned i = 0; i < 6; i++)
		data[i] = (D3D11_SUBRESOURCE_DATA){&faces[i], 4, 0};
	ID3D11Device_CreateTexture2D(t->device, &desc, data, &texture);
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, NULL, &view);
	test11_bind(t, target, NULL);
	ID3D11DeviceContext_PSSetSamplers(t->context, 0, 1, &sampler);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 2, 1, &view);
	draw_textured(t, ps, 10);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, 0xffff00ff, 0, "cube: the direction +z shows the fifth face");
	draw_textured(t, ps, -10);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, 0xff00ffff, 0, "cube: the direction -z shows the sixth face");
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11ShaderResourceView_Release(view);
	ID3D11Texture2D_Release(texture);
	ID3D11SamplerState_Release(sampler);
	ID3D11PixelShader_Release(ps);
}

/* The upper left quarter moves by constants; the colour is a sum of two buffers. */
static void test_constants(struct test11 *t, struct test11_target *target)
{
	static const D3D11_INPUT_ELEMENT_DESC element = {
		"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0};
	const float square[4][3] = {{-1, 1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
	const float scale[4] = {0.5f, 0.5f, 1, 1}, offset[4] = {-0.5f, 0.5f, 0, 0}, moved[4] = {0.5f, -0.5f, 0, 0};
	const float tint[4] = {0.25f, 0, 0, 0.5f}, bias[4] = {0.25f, 1, 0, 0.5f};
	ID3D11Buffer *vertices = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, square, sizeof(square));
	ID3D11Buffer *buffers[2] = {test11_buffer(t, D3D11_BIND_CONSTANT_BUFFER, scale, sizeof(scale)),
				    test11_buffer(t, D3D11_BIND_CONSTANT_BUFFER, offset, sizeof(offset))};
	ID3D11Buffer *colors[2] = {test11_buffer(t, D3D11_BIND_CONSTANT_BUFFER, tint, sizeof(tint)),
				   test11_buffer(t, D3D11_BIND_CONSTANT_BUFFER, bias, sizeof(bias))};
	ID3D11VertexShader *vs = TEST11_VS(t, constants_vs);
	ID3D11PixelShader *ps = TEST11_PS(t, constants_ps);
	UINT stride = 12, zero = 0;
	ID3D11InputLayout *layout;

	ID3D11Device_CreateInputLayout(t->device, &element, 1, constants_vs, sizeof(constants_vs), &layout);
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_IASetInputLayout(t->context, layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &vertices, &stride, &zero);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, ps, NULL, 0);
	ID3D11DeviceContext_VSSetConstantBuffers(t->context, 0, 2, buffers);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 0, 1, &colors[0]);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 2, 1, &colors[1]);
	ID3D11DeviceContext_Draw(t->context, 4, 0);
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)buffers[1], 0, NULL, moved, 0, 0);
	ID3D11DeviceContext_Draw(t->context, 4, 0);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 4, 4, 0xff00ff80, 1, "constants: both stages read their buffers");
		test11_check(target, SIZE - 4, 4, BLACK, 0, "constants: the square is scaled");
		test11_check(target, SIZE - 4, SIZE - 4, 0xff00ff80, 1,
			     "constants: an update between draws moves the second only");
	}
	ID3D11DeviceContext_ClearState(t->context);
	for (unsigned i = 0; i < 2; i++) {
		ID3D11Buffer_Release(buffers[i]);
		ID3D11Buffer_Release(colors[i]);
	}
	ID3D11Buffer_Release(vertices);
	ID3D11InputLayout_Release(layout);
	ID3D11VertexShader_Release(vs);
	ID3D11PixelShader_Release(ps);
}

static void test_instances(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"PLACE", 0, DXGI_FORMAT_R32G32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1},
		{"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 8, D3D11_INPUT_PER_INSTANCE_DATA, 1},
	};
	const float square[4][3] = {{-1, 1, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 0}};
	const float instances[4][6] = {
		{9, 9, 1, 1, 1, 1},
		{0, 0, 1, 0, 0, 1},
		{1, 0, 0, 1, 0, 1},
		{0, -1, 0, 0, 1, 1},
	};
	const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
	ID3D11Buffer *buffers[2] = {test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, square, sizeof(square)),
				    test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, instances, sizeof(instances))};
	ID3D11Buffer *index = test11_buffer(t, D3D11_BIND_INDEX_BUFFER, indices, sizeof(indices));
	ID3D11VertexShader *vs = TEST11_VS(t, instanced_vs);
	UINT strides[2] = {12, 24}, offsets[2] = {0, 0};
	ID3D11InputLayout *layout = NULL;
	HRESULT hr = ID3D11Device_CreateInputLayout(t->device, elements, COUNT(elements), instanced_vs,
						    sizeof(instanced_vs), &layout);

	if (!tap_eq(hr, S_OK, "a layout with per-instance data is created"))
		return;
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_IASetInputLayout(t->context, layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 2, buffers, strides, offsets);
	ID3D11DeviceContext_IASetIndexBuffer(t->context, index, DXGI_FORMAT_R16_UINT, 0);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe->ps, NULL, 0);
	ID3D11DeviceContext_DrawIndexedInstanced(t->context, 6, 3, 0, 0, 1);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 4, 4, RED, 0, "instances: the start instance is the first");
		test11_check(target, SIZE - 4, 4, GREEN, 0, "instances: the second has its own place and colour");
		test11_check(target, 4, SIZE - 4, BLUE, 0, "instances: so has the third");
		test11_check(target, SIZE - 4, SIZE - 4, BLACK, 0, "instances: there is no fourth");
	}
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11Buffer_Release(buffers[0]);
	ID3D11Buffer_Release(buffers[1]);
	ID3D11Buffer_Release(index);
	ID3D11InputLayout_Release(layout);
	ID3D11VertexShader_Release(vs);
}

static void test_vertex_id(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	ID3D11VertexShader *vs = TEST11_VS(t, vertex_id_vs);

	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_IASetInputLayout(t->context, NULL);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe->ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 3, 0);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 0, 0, GREEN, 0, "SV_VertexID alone makes a triangle over the target");
		test11_check(target, SIZE - 1, SIZE - 1, GREEN, 0, "to its last pixel");
	}
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_Draw(t->context, 3, 100);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, SIZE - 1, SIZE - 1, GREEN, 0,
			     "SV_VertexID starts at 0 whatever the first vertex is");
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11VertexShader_Release(vs);
}

static void test_scissor(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	D3D11_RASTERIZER_DESC desc = {.FillMode = D3D11_FILL_SOLID,
				      .CullMode = D3D11_CULL_NONE,
				      .DepthClipEnable = TRUE,
				      .ScissorEnable = TRUE};
	D3D11_RECT rect = {8, 16, 24, 32};
	ID3D11RasterizerState *state;

	ID3D11Device_CreateRasterizerState(t->device, &desc, &state);
	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_RSSetState(t->context, state);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, blue);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 10, 20, BLACK, 0, "scissor: without a rectangle nothing is drawn");
	ID3D11DeviceContext_RSSetScissorRects(t->context, 1, &rect);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, red);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 8, 16, RED, 0, "scissor: left and top are inside");
		test11_check(target, 23, 31, RED, 0, "scissor: the pixel before right and bottom is inside");
		test11_check(target, 24, 31, BLACK, 0, "scissor: right is outside");
		test11_check(target, 23, 32, BLACK, 0, "scissor: bottom is outside");
		test11_check(target, 7, 16, BLACK, 0, "scissor: left of it nothing is drawn");
	}
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11RasterizerState_Release(state);
}

static void test_viewport(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	D3D11_VIEWPORT viewport = {16, 8, 32, 16, 0, 1};

	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, green);
	if (test11_read(t, target, NULL, 0)) {
		test11_check(target, 16, 8, GREEN, 0, "viewport: its first pixel");
		test11_check(target, 47, 23, GREEN, 0, "viewport: its last pixel");
		test11_check(target, 15, 8, BLACK, 0, "viewport: left of it nothing is drawn");
		test11_check(target, 47, 24, BLACK, 0, "viewport: below it nothing is drawn");
	}
}

static void test_blend(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	const float half_red[4] = {1, 0, 0, 0.5f}, factor[4] = {0.25f, 0.5f, 0.75f, 1};
	D3D11_BLEND_DESC desc = {.RenderTarget[0] = {TRUE, D3D11_BLEND_SRC_ALPHA, D3D11_BLEND_INV_SRC_ALPHA,
						     D3D11_BLEND_OP_ADD, D3D11_BLEND_ONE, D3D11_BLEND_ZERO,
						     D3D11_BLEND_OP_ADD, 0xf}};
	const float white[4] = {1, 1, 1, 1};
	ID3D11BlendState *state;

	test11_bind(t, target, NULL);
	ID3D11Device_CreateBlendState(t->device, &desc, &state);
	test11_clear(t, target, 0, 0, 1, 1);
	ID3D11DeviceContext_OMSetBlendState(t->context, state, NULL, ~0u);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, half_red);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, 0x80800080, 1, "blend: half of the source over the destination");
	ID3D11BlendState_Release(state);
	desc.RenderTarget[0].SrcBlend = D3D11_BLEND_BLEND_FACTOR;
	desc.RenderTarget[0].DestBlend = D3D11_BLEND_ZERO;
	ID3D11Device_CreateBlendState(t->device, &desc, &state);
	ID3D11DeviceContext_OMSetBlendState(t->context, state, factor, ~0u);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, white);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, 0xffbf8040, 1, "blend: by the blend factor");
	ID3D11BlendState_Release(state);
	memset(&desc, 0, sizeof(desc));
	desc.RenderTarget[0].RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_GREEN;
	ID3D11Device_CreateBlendState(t->device, &desc, &state);
	test11_clear(t, target, 0, 0, 0, 1);
	ID3D11DeviceContext_OMSetBlendState(t->context, state, NULL, ~0u);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, white);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, GREEN, 0, "blend: the write mask lets green through");
	ID3D11DeviceContext_OMSetBlendState(t->context, NULL, NULL, ~0u);
	ID3D11BlendState_Release(state);
}

static void test_two_targets(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	struct test11_target second;
	struct test11_color_pipe two = *pipe;
	ID3D11RenderTargetView *views[2];

	if (!test11_target_create(t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &second))
		return;
	two.ps = TEST11_PS(t, two_targets_ps);
	test11_bind(t, target, NULL);
	views[0] = target->view;
	views[1] = second.view;
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 2, views, NULL);
	test11_draw_rect(t, &two, -1, 1, 1, -1, 0, red);
	if (test11_read(t, target, NULL, 0))
		test11_check(target, 4, 4, RED, 0, "two targets: the first gets its output");
	if (test11_read(t, &second, NULL, 0))
		test11_check(&second, 4, 4, 0x00ffff00, 0, "two targets: the second gets the other");
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 0, NULL, NULL);
	ID3D11PixelShader_Release(two.ps);
	test11_target_destroy(&second);
}

/* A slanted edge has intermediate values after the resolve, and only there. */
static void test_multisample(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	const struct test11_vertex triangle[3] = {
		{-1, 1, 0, 1, 1, 1, 1}, {1, 0.9f, 0, 1, 1, 1, 1}, {-1, -1, 0, 1, 1, 1, 1}};
	D3D11_TEXTURE2D_DESC desc = {
		SIZE, SIZE, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {4, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_RENDER_TARGET,
		0,    0};
	D3D11_VIEWPORT viewport = {0, 0, SIZE, SIZE, 0, 1};
	const float black[4] = {0, 0, 0, 1};
	UINT levels = 0, stride = sizeof(triangle[0]), offset = 0;
	unsigned between = 0, full = 0;
	ID3D11DepthStencilView *depth;
	ID3D11RenderTargetView *view;
	ID3D11Texture2D *texture;
	ID3D11Buffer *buffer;

	ID3D11Device_CheckMultisampleQualityLevels(t->device, desc.Format, 4, &levels);
	if (!levels) {
		tap_skip("the GPU has no four samples per pixel", "multisampled edges");
		return;
	}
	if (!tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture), S_OK,
		    "a multisampled target is created"))
		return;
	ID3D11Device_CreateRenderTargetView(t->device, (ID3D11Resource *)texture, NULL, &view);
	depth = test11_depth(t, SIZE, SIZE, DXGI_FORMAT_D24_UNORM_S8_UINT, 4);
	buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, triangle, sizeof(triangle));
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &view, depth);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
	ID3D11DeviceContext_ClearRenderTargetView(t->context, view, black);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, depth, D3D11_CLEAR_DEPTH, 1, 0);
	ID3D11DeviceContext_IASetInputLayout(t->context, pipe->layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &buffer, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, pipe->vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe->ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 3, 0);
	ID3D11DeviceContext_ResolveSubresource(t->context, (ID3D11Resource *)target->texture, 0,
					       (ID3D11Resource *)texture, 0, DXGI_FORMAT_R8G8B8A8_UNORM);
	if (test11_read(t, target, NULL, 0)) {
		for (unsigned i = 0; i < SIZE * SIZE; i++) {
			full += target->pixels[i * 4] == 255;
			between += target->pixels[i * 4] > 0 && target->pixels[i * 4] < 255;
		}
		tap_ok(full > SIZE * SIZE / 4, "multisampled: inside the triangle pixels are covered (%u)", full);
		tap_ok(between > SIZE / 4 && between < 4 * SIZE, "multisampled: along its edges they are partly (%u)",
		       between);
	}
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11Buffer_Release(buffer);
	ID3D11DepthStencilView_Release(depth);
	ID3D11RenderTargetView_Release(view);
	ID3D11Texture2D_Release(texture);
}

static void test_integer_target(struct test11 *t)
{
	const float color[4] = {7, 300, 2, -1};
	struct test11_target target;

	if (!test11_target_create(t, 4, 4, DXGI_FORMAT_R8G8B8A8_UINT, &target)) {
		tap_ok(false, "an integer target is created");
		return;
	}
	ID3D11DeviceContext_ClearRenderTargetView(t->context, target.view, color);
	if (test11_read(t, &target, NULL, 0))
		tap_eq(test11_pixel(&target, 1, 1) & 0xff00ff, 0x020007, "an integer target is cleared with integers");
	test11_target_destroy(&target);
}

static void test_srgb(struct test11 *t)
{
	struct test11_target target;

	if (!test11_target_create(t, 4, 4, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, &target)) {
		tap_ok(false, "an sRGB target is created");
		return;
	}
	test11_clear(t, &target, 0.5f, 0, 1, 0.5f);
	if (test11_read(t, &target, NULL, 0))
		test11_check(&target, 1, 1, 0x80ff00bc, 1, "an sRGB target encodes colour but not alpha");
	test11_target_destroy(&target);
}

static void test_mips(struct test11 *t)
{
	const uint32_t texels[16] = {RED,  RED,  RED,  RED,  RED,  RED,  RED,  RED,
				     BLUE, BLUE, BLUE, BLUE, BLUE, BLUE, BLUE, BLUE};
	D3D11_TEXTURE2D_DESC desc = {4,
				     4,
				     0,
				     1,
				     DXGI_FORMAT_R8G8B8A8_UNORM,
				     {1, 0},
				     D3D11_USAGE_DEFAULT,
				     D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET,
				     0,
				     D3D11_RESOURCE_MISC_GENERATE_MIPS};
	ID3D11ShaderResourceView *view;
	struct test11_target pixel;
	ID3D11Texture2D *texture;

	if (!tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture), S_OK,
		    "a texture for generated levels"))
		return;
	ID3D11Texture2D_GetDesc(texture, &desc);
	tap_eq(desc.MipLevels, 3, "MipLevels 0 is the full chain");
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, NULL, &view);
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)texture, 0, NULL, texels, 16, 0);
	ID3D11DeviceContext_GenerateMips(t->context, view);
	if (test11_target_create(t, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, &pixel) && test11_read(t, &pixel, texture, 2))
		test11_check(&pixel, 0, 0, 0xff800080, 2, "the last level is the average");
	test11_target_destroy(&pixel);
	ID3D11ShaderResourceView_Release(view);
	ID3D11Texture2D_Release(texture);
}

int main(void)
{
	struct test11_color_pipe pipe;
	struct test11_target target;
	struct test11 t;
	bool level_10;

	test11_must_open(&t);
	level_10 = t.level >= D3D_FEATURE_LEVEL_10_0;
	tap_diag("feature level %s", test11_level_name(t.level));
	if (!test11_target_create(&t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target) || !test11_color_pipe(&t, &pipe))
		tap_bail("no target or shaders");
	test_clear(&t, &target);
	test_triangle(&t, &target, &pipe);
	test_cull(&t, &target, &pipe);
	test_depth(&t, &target, &pipe);
	test_stencil(&t, &target, &pipe);
	test_texture(&t, &target);
	test_constants(&t, &target);
	test_scissor(&t, &target, &pipe);
	test_viewport(&t, &target, &pipe);
	test_blend(&t, &target, &pipe);
	test_cube(&t, &target);
	test_srgb(&t);
	test_mips(&t);
	if (level_10) {
		test_texture_array(&t, &target);
		test_instances(&t, &target, &pipe);
		test_vertex_id(&t, &target, &pipe);
		test_two_targets(&t, &target, &pipe);
		test_multisample(&t, &target, &pipe);
		test_integer_target(&t);
	}
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	test11_close(&t);
	return tap_done();
}
