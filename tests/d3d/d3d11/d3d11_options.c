/* SPDX-License-Identifier: MIT */
/*
 * What the Direct3D 9 options promise is what is drawn: shadows by comparison, cube faces with a 2D depth-stencil,
 * instances. At the GPU's own level, and at level 9_x on GPUs with and without the options.
 */
#include "child.h"
#include "test11.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "hlsl/instanced_vs.h"
#include "hlsl/shadow_ps.h"
#include "hlsl/texture_vs.h"

#define SIZE 32u
#define RED 0xff0000ffu
#define GREEN 0xff00ff00u
#define BLACK 0xff000000u

static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1};

static D3D11_FEATURE_DATA_D3D9_OPTIONS1 options_of(struct test11 *t)
{
	D3D11_FEATURE_DATA_D3D9_OPTIONS1 options = {0};

	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D9_OPTIONS1, &options, sizeof(options));
	return options;
}

/* ---- shadow: a depth texture, left half nearer, sampled with LESS_EQUAL ---- */

static ID3D11SamplerState *comparison_sampler(struct test11 *t, HRESULT *hr)
{
	D3D11_SAMPLER_DESC desc = {.Filter = D3D11_FILTER_COMPARISON_MIN_MAG_MIP_POINT,
				   .AddressU = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .AddressV = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .AddressW = D3D11_TEXTURE_ADDRESS_CLAMP,
				   .ComparisonFunc = D3D11_COMPARISON_LESS_EQUAL,
				   .MaxLOD = FLT_MAX};
	ID3D11SamplerState *sampler = NULL;

	*hr = ID3D11Device_CreateSamplerState(t->device, &desc, &sampler);
	return sampler;
}

struct textured_vertex {
	float x, y, z, u, v, w;
};

static void draw_comparison(struct test11 *t, float reference)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"TEXCOORD", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 12, D3D11_INPUT_PER_VERTEX_DATA, 0},
	};
	const struct textured_vertex vertices[4] = {
		{-1, 1, 0, 0, 0, reference},
		{1, 1, 0, 1, 0, reference},
		{-1, -1, 0, 0, 1, reference},
		{1, -1, 0, 1, 1, reference},
	};
	ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, vertices, sizeof(vertices));
	ID3D11VertexShader *vs = TEST11_VS(t, texture_vs);
	ID3D11PixelShader *ps = TEST11_PS(t, shadow_ps);
	UINT stride = sizeof(vertices[0]), offset = 0;
	ID3D11InputLayout *layout;

	ID3D11Device_CreateInputLayout(t->device, elements, COUNT(elements), texture_vs, sizeof(texture_vs), &layout);
	ID3D11DeviceContext_IASetInputLayout(t->context, layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 1, &buffer, &stride, &offset);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, ps, NULL, 0);
	ID3D11DeviceContext_Draw(t->context, 4, 0);
	ID3D11Buffer_Release(buffer);
	ID3D11VertexShader_Release(vs);
	ID3D11PixelShader_Release(ps);
	ID3D11InputLayout_Release(layout);
}

static void test_shadow_format(struct test11 *t, DXGI_FORMAT typeless, DXGI_FORMAT depth, DXGI_FORMAT read,
			       const char *name)
{
	D3D11_TEXTURE2D_DESC desc = {SIZE,
				     SIZE,
				     1,
				     1,
				     typeless,
				     {1, 0},
				     D3D11_USAGE_DEFAULT,
				     D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_SHADER_RESOURCE,
				     0,
				     0};
	D3D11_DEPTH_STENCIL_VIEW_DESC dsv = {.Format = depth, .ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2D};
	D3D11_SHADER_RESOURCE_VIEW_DESC srv = {
		.Format = read, .ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D, .Texture2D = {0, 1}};
	struct test11_color_pipe pipe;
	struct test11_target target;
	ID3D11ShaderResourceView *view;
	ID3D11SamplerState *sampler;
	ID3D11DepthStencilView *dsview;
	ID3D11Texture2D *texture;
	char text[96];
	HRESULT hr;

	if (!tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture), S_OK,
		    "%s: a depth texture is created", name))
		return;
	ID3D11Device_CreateDepthStencilView(t->device, (ID3D11Resource *)texture, &dsv, &dsview);
	ID3D11Device_CreateShaderResourceView(t->device, (ID3D11Resource *)texture, &srv, &view);
	sampler = comparison_sampler(t, &hr);
	tap_eq(hr, S_OK, "%s: and a sampler with LESS_EQUAL", name);
	test11_target_create(t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target);
	test11_color_pipe(t, &pipe);
	test11_bind(t, &target, dsview);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, dsview, D3D11_CLEAR_DEPTH, 0.75f, 0);
	test11_draw_rect(t, &pipe, -1, 1, 0, -1, 0.25f, red);
	test11_bind(t, &target, NULL);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 3, 1, &view);
	ID3D11DeviceContext_PSSetSamplers(t->context, 1, 1, &sampler);
	draw_comparison(t, 0.5f);
	if (test11_read(t, &target, NULL, 0)) {
		snprintf(text, sizeof(text), "%s: behind the nearer half is shadow", name);
		test11_check(&target, 4, 4, BLACK, 0, text);
		snprintf(text, sizeof(text), "%s: before the farther half is light", name);
		test11_check(&target, SIZE - 4, 4, 0xffffffff, 0, text);
	}
	ID3D11DeviceContext_ClearState(t->context);
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	ID3D11SamplerState_Release(sampler);
	ID3D11ShaderResourceView_Release(view);
	ID3D11DepthStencilView_Release(dsview);
	ID3D11Texture2D_Release(texture);
}

static void test_shadow(struct test11 *t)
{
	ID3D11SamplerState *sampler;
	HRESULT hr;

	if (!options_of(t).DepthAsTextureWithLessEqualComparisonFilterSupported) {
		sampler = comparison_sampler(t, &hr);
		tap_ok(hr == E_INVALIDARG && !sampler, "without the option there is no comparison sampler");
		return;
	}
	test_shadow_format(t, DXGI_FORMAT_R16_TYPELESS, DXGI_FORMAT_D16_UNORM, DXGI_FORMAT_R16_UNORM, "shadow D16");
	test_shadow_format(t, DXGI_FORMAT_R24G8_TYPELESS, DXGI_FORMAT_D24_UNORM_S8_UINT,
			   DXGI_FORMAT_R24_UNORM_X8_TYPELESS, "shadow D24S8");
	if (t->level >= D3D_FEATURE_LEVEL_10_0)
		test_shadow_format(t, DXGI_FORMAT_R32_TYPELESS, DXGI_FORMAT_D32_FLOAT, DXGI_FORMAT_R32_FLOAT,
				   "shadow D32F");
}

/* ---- a cube face as target, with a 2D depth-stencil ---- */

static void test_cube_face(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {SIZE,
				     SIZE,
				     1,
				     6,
				     DXGI_FORMAT_R8G8B8A8_UNORM,
				     {1, 0},
				     D3D11_USAGE_DEFAULT,
				     D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE,
				     0,
				     D3D11_RESOURCE_MISC_TEXTURECUBE};
	D3D11_RENDER_TARGET_VIEW_DESC face = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
					      .ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DARRAY,
					      .Texture2DArray = {0, 3, 1}};
	bool works = options_of(t).TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported;
	ID3D11DepthStencilView *depth = test11_depth(t, SIZE, SIZE, DXGI_FORMAT_D24_UNORM_S8_UINT, 1);
	D3D11_VIEWPORT viewport = {0, 0, SIZE, SIZE, 0, 1};
	const float black[4] = {0, 0, 0, 1};
	struct test11_color_pipe pipe;
	struct test11_target target;
	ID3D11RenderTargetView *view;
	ID3D11Texture2D *cube;

	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &cube);
	tap_eq(ID3D11Device_CreateRenderTargetView(t->device, (ID3D11Resource *)cube, &face, &view), S_OK,
	       "a view of a cube face");
	test11_target_create(t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target);
	test11_color_pipe(t, &pipe);
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &view, depth);
	ID3D11DeviceContext_RSSetViewports(t->context, 1, &viewport);
	ID3D11DeviceContext_ClearRenderTargetView(t->context, view, black);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, depth, D3D11_CLEAR_DEPTH, 1, 0);
	test11_draw_rect(t, &pipe, -1, 1, 0, -1, 0.25f, red);
	test11_draw_rect(t, &pipe, -1, 1, 1, -1, 0.5f, green);
	if (test11_read(t, &target, cube, 3)) {
		test11_check(&target, 4, 4, works ? RED : BLACK, 0,
			     works ? "a cube face with a 2D depth-stencil: what is nearer stays"
				   : "without the option the pairing draws nothing");
		test11_check(&target, SIZE - 4, 4, works ? GREEN : BLACK, 0,
			     works ? "a cube face with a 2D depth-stencil: the rest is drawn" : "nothing at all");
	}
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &view, NULL);
	test11_draw_rect(t, &pipe, -1, 1, 1, -1, 0.5f, green);
	if (test11_read(t, &target, cube, 3))
		test11_check(&target, 4, 4, GREEN, 0, "a cube face without depth is always a target");
	ID3D11DeviceContext_ClearState(t->context);
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	ID3D11RenderTargetView_Release(view);
	ID3D11Texture2D_Release(cube);
	ID3D11DepthStencilView_Release(depth);
}

/* ---- instances ---- */

static void test_instancing(struct test11 *t)
{
	static const D3D11_INPUT_ELEMENT_DESC elements[] = {
		{"POSITION", 0, DXGI_FORMAT_R32G32B32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
		{"PLACE", 0, DXGI_FORMAT_R32G32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1},
		{"COLOR", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 8, D3D11_INPUT_PER_INSTANCE_DATA, 1},
	};
	bool works = options_of(t).SimpleInstancingSupported;
	const float square[4][3] = {{-1, 1, 0}, {0, 1, 0}, {-1, -1, 0}, {0, -1, 0}},
		    instances[2][6] = {{0, 0, 1, 0, 0, 1}, {1, 0, 0, 1, 0, 1}};
	const uint16_t indices[6] = {0, 1, 2, 2, 1, 3};
	ID3D11InputLayout *layout = NULL;
	struct test11_color_pipe pipe;
	struct test11_target target;
	ID3D11Buffer *buffers[2], *index;
	UINT strides[2] = {12, 24}, offsets[2] = {0};
	ID3D11VertexShader *vs;
	HRESULT hr = ID3D11Device_CreateInputLayout(t->device, elements, COUNT(elements), instanced_vs,
						    sizeof(instanced_vs), &layout);

	tap_eq(hr, works ? S_OK : E_INVALIDARG, "per-instance data follows SimpleInstancingSupported");
	if (FAILED(hr))
		return;
	buffers[0] = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, square, sizeof(square));
	buffers[1] = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, instances, sizeof(instances));
	index = test11_buffer(t, D3D11_BIND_INDEX_BUFFER, indices, sizeof(indices));
	vs = TEST11_VS(t, instanced_vs);
	test11_target_create(t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target);
	test11_color_pipe(t, &pipe);
	test11_bind(t, &target, NULL);
	ID3D11DeviceContext_IASetInputLayout(t->context, layout);
	ID3D11DeviceContext_IASetVertexBuffers(t->context, 0, 2, buffers, strides, offsets);
	ID3D11DeviceContext_IASetIndexBuffer(t->context, index, DXGI_FORMAT_R16_UINT, 0);
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_PSSetShader(t->context, pipe.ps, NULL, 0);
	ID3D11DeviceContext_DrawIndexedInstanced(t->context, 6, 2, 0, 0, 0);
	if (test11_read(t, &target, NULL, 0)) {
		test11_check(&target, 4, 4, RED, 0, "the first instance");
		test11_check(&target, SIZE - 4, 4, GREEN, 0, "the second instance");
	}
	ID3D11DeviceContext_ClearState(t->context);
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	ID3D11Buffer_Release(buffers[0]);
	ID3D11Buffer_Release(buffers[1]);
	ID3D11Buffer_Release(index);
	ID3D11InputLayout_Release(layout);
	ID3D11VertexShader_Release(vs);
}

static void test_all(D3D_FEATURE_LEVEL level)
{
	struct test11 t;

	if (!test11_open(&t, level))
		return;
	tap_diag("feature level %s", test11_level_name(t.level));
	test_shadow(&t);
	test_cube_face(&t);
	test_instancing(&t);
	test11_close(&t);
}

int main(int argc, char **argv)
{
	test_all(0);
	if (argc > 1)
		return tap_done();
	test_all(D3D_FEATURE_LEVEL_9_1);
	test_all(D3D_FEATURE_LEVEL_9_3);
	if (child_can_choose_gpu()) {
		child_run("feature-level=9_1,npot=off,shadow=off,instancing=off,cube-ds=off", "child",
				 "GPU 9_1 without options");
		child_run("feature-level=9_1,npot=on,shadow=on,instancing=on,cube-ds=on", "child",
				 "GPU 9_1 with options");
		child_run("feature-level=9_3,shadow=off,cube-ds=on", "child", "GPU 9_3 without shadow");
		child_run("feature-level=9_3,shadow=on,cube-ds=off", "child", "GPU 9_3 without cube-ds");
	}
	return tap_done();
}
