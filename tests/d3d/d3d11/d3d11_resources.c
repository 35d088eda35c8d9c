/* SPDX-License-Identifier: MIT */
/* Creation of resources and views: depth-stencil tables, usages, limits, formats, samples. */
#include "child.h"
#include "test11.h"

#include <stdio.h>
#include <string.h>

#define DS D3D11_BIND_DEPTH_STENCIL
#define SR D3D11_BIND_SHADER_RESOURCE
#define RT D3D11_BIND_RENDER_TARGET
#define UAV D3D11_BIND_UNORDERED_ACCESS

/* ---- CreateTexture2D with depth-stencil, levels 10_0 and up ---- */

static const struct {
	const char *name;
	DXGI_FORMAT format;
	UINT layers, bind, misc;
	HRESULT result;
} depth_textures[] = {
	{"R32G8X24_TYPELESS DS", DXGI_FORMAT_R32G8X24_TYPELESS, 1, DS, 0, S_OK},
	{"R32_TYPELESS DS", DXGI_FORMAT_R32_TYPELESS, 1, DS, 0, S_OK},
	{"R24G8_TYPELESS DS", DXGI_FORMAT_R24G8_TYPELESS, 1, DS, 0, S_OK},
	{"R16_TYPELESS DS", DXGI_FORMAT_R16_TYPELESS, 1, DS, 0, S_OK},
	{"D32_FLOAT DS", DXGI_FORMAT_D32_FLOAT, 1, DS, 0, S_OK},
	{"D24_UNORM_S8_UINT DS", DXGI_FORMAT_D24_UNORM_S8_UINT, 1, DS, 0, S_OK},
	{"D16_UNORM DS", DXGI_FORMAT_D16_UNORM, 1, DS, 0, S_OK},
	{"D32_FLOAT_S8X24_UINT DS", DXGI_FORMAT_D32_FLOAT_S8X24_UINT, 1, DS, 0, S_OK},
	{"R32_TYPELESS[9] SR", DXGI_FORMAT_R32_TYPELESS, 9, SR, 0, S_OK},
	{"R32_TYPELESS[9] DS", DXGI_FORMAT_R32_TYPELESS, 9, DS, 0, S_OK},
	{"R24G8_TYPELESS SR", DXGI_FORMAT_R24G8_TYPELESS, 1, SR, 0, S_OK},
	{"R16_TYPELESS SR", DXGI_FORMAT_R16_TYPELESS, 1, SR, 0, S_OK},
	{"R24G8_TYPELESS DS|SR", DXGI_FORMAT_R24G8_TYPELESS, 1, DS | SR, 0, S_OK},
	{"R32_TYPELESS RT", DXGI_FORMAT_R32_TYPELESS, 1, RT, 0, S_OK},
	{"R32_TYPELESS DS|RT", DXGI_FORMAT_R32_TYPELESS, 1, DS | RT, 0, E_INVALIDARG},
	{"R32_TYPELESS DS|UAV", DXGI_FORMAT_R32_TYPELESS, 1, DS | UAV, 0, E_INVALIDARG},
	{"R32G8X24_TYPELESS UAV", DXGI_FORMAT_R32G8X24_TYPELESS, 1, UAV, 0, E_INVALIDARG},
	{"R24G8_TYPELESS UAV", DXGI_FORMAT_R24G8_TYPELESS, 1, UAV, 0, E_INVALIDARG},
	{"X24_TYPELESS_G8_UINT UAV", DXGI_FORMAT_X24_TYPELESS_G8_UINT, 1, UAV, 0, E_INVALIDARG},
	{"X32_TYPELESS_G8X24_UINT UAV", DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, 1, UAV, 0, E_INVALIDARG},
	{"D24_UNORM_S8_UINT SR", DXGI_FORMAT_D24_UNORM_S8_UINT, 1, SR, 0, E_INVALIDARG},
	{"D24_UNORM_S8_UINT RT", DXGI_FORMAT_D24_UNORM_S8_UINT, 1, RT, 0, E_INVALIDARG},
	{"D24_UNORM_S8_UINT DS|SR", DXGI_FORMAT_D24_UNORM_S8_UINT, 1, DS | SR, 0, E_INVALIDARG},
	{"D32_FLOAT SR", DXGI_FORMAT_D32_FLOAT, 1, SR, 0, E_INVALIDARG},
	{"D32_FLOAT RT", DXGI_FORMAT_D32_FLOAT, 1, RT, 0, E_INVALIDARG},
	{"D32_FLOAT DS|SR", DXGI_FORMAT_D32_FLOAT, 1, DS | SR, 0, E_INVALIDARG},
	{"R8G8B8A8_UNORM DS", DXGI_FORMAT_R8G8B8A8_UNORM, 1, DS, 0, E_INVALIDARG},
	{"R8G8B8A8_TYPELESS DS", DXGI_FORMAT_R8G8B8A8_TYPELESS, 1, DS, 0, E_INVALIDARG},
	{"R8G8B8A8_UINT DS", DXGI_FORMAT_R8G8B8A8_UINT, 1, DS, 0, E_INVALIDARG},
	{"R32G32B32A32_TYPELESS DS", DXGI_FORMAT_R32G32B32A32_TYPELESS, 1, DS, 0, E_INVALIDARG},
	{"R9G9B9E5 DS", DXGI_FORMAT_R9G9B9E5_SHAREDEXP, 1, DS, 0, E_INVALIDARG},
	{"BC1 DS", DXGI_FORMAT_BC1_UNORM, 1, DS, 0, E_INVALIDARG},
	{"R8G8B8A8_UNORM VERTEX_BUFFER", DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_BIND_VERTEX_BUFFER, 0, E_INVALIDARG},
	{"R8G8B8A8_UNORM INDEX_BUFFER", DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_BIND_INDEX_BUFFER, 0, E_INVALIDARG},
	{"R8G8B8A8_UNORM CONSTANT_BUFFER", DXGI_FORMAT_R8G8B8A8_UNORM, 1, D3D11_BIND_CONSTANT_BUFFER, 0, E_INVALIDARG},
	{"no slices", DXGI_FORMAT_R8G8B8A8_UNORM, 0, SR, 0, E_INVALIDARG},
	{"cube of 5 faces", DXGI_FORMAT_R8G8B8A8_UNORM, 5, SR, D3D11_RESOURCE_MISC_TEXTURECUBE, E_INVALIDARG},
	{"cube of 6 faces", DXGI_FORMAT_R8G8B8A8_UNORM, 6, SR, D3D11_RESOURCE_MISC_TEXTURECUBE, S_OK},
	{"cube of 7 slices", DXGI_FORMAT_R8G8B8A8_UNORM, 7, SR, D3D11_RESOURCE_MISC_TEXTURECUBE, S_OK},
	{"cube of 10 slices", DXGI_FORMAT_R8G8B8A8_UNORM, 10, SR, D3D11_RESOURCE_MISC_TEXTURECUBE, S_OK},
	{"depth cube", DXGI_FORMAT_D32_FLOAT, 6, DS, D3D11_RESOURCE_MISC_TEXTURECUBE, S_OK},
	{"unknown format", DXGI_FORMAT_UNKNOWN, 1, SR, 0, E_INVALIDARG},
	{"format 200", (DXGI_FORMAT)200, 1, SR, 0, E_INVALIDARG},
	{"generated levels of depth", DXGI_FORMAT_R24G8_TYPELESS, 1, DS, D3D11_RESOURCE_MISC_GENERATE_MIPS,
	 E_INVALIDARG},
	{"generated levels without target", DXGI_FORMAT_R8G8B8A8_UNORM, 1, SR, D3D11_RESOURCE_MISC_GENERATE_MIPS,
	 E_INVALIDARG},
};

static void test_depth_textures(struct test11 *t)
{
	for (unsigned i = 0; i < COUNT(depth_textures); i++) {
		D3D11_TEXTURE2D_DESC desc = {32,
					     32,
					     1,
					     depth_textures[i].layers,
					     depth_textures[i].format,
					     {1, 0},
					     D3D11_USAGE_DEFAULT,
					     depth_textures[i].bind,
					     0,
					     depth_textures[i].misc};
		ID3D11Texture2D *texture = (void *)1;
		HRESULT hr = ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture);

		tap_eq(hr, depth_textures[i].result, "CreateTexture2D: %s", depth_textures[i].name);
		if (FAILED(hr) && texture)
			tap_ok(false, "CreateTexture2D: %s: the result is NULL after a failure",
			       depth_textures[i].name);
		if (SUCCEEDED(hr))
			ID3D11Texture2D_Release(texture);
	}
}

static HRESULT create_2d(struct test11 *t, D3D11_TEXTURE2D_DESC desc, const D3D11_SUBRESOURCE_DATA *data)
{
	return ID3D11Device_CreateTexture2D(t->device, &desc, data, NULL);
}

static void test_depth_rules(struct test11 *t)
{
	const D3D11_TEXTURE2D_DESC ds = {32, 32, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
					 DS, 0,  0};
	D3D11_TEXTURE2D_DESC desc = ds;
	const uint32_t texels[32 * 32] = {0};
	D3D11_SUBRESOURCE_DATA data = {texels, 32 * 4, 0}, nothing = {NULL, 32 * 4, 0};
	UINT levels = 0;

	tap_eq(create_2d(t, ds, NULL), S_FALSE, "a NULL result with valid parameters is S_FALSE");
	tap_eq(ID3D11Device_CreateTexture2D(t->device, NULL, NULL, NULL), E_INVALIDARG,
	       "a NULL description is E_INVALIDARG");
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_WRITE;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "depth-stencil with CPU access");
	desc = ds;
	desc.Usage = D3D11_USAGE_DYNAMIC;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_WRITE;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "dynamic depth-stencil");
	desc = ds;
	desc.Usage = D3D11_USAGE_IMMUTABLE;
	tap_eq(create_2d(t, desc, &data), E_INVALIDARG, "immutable depth-stencil");
	desc = ds;
	desc.SampleDesc.Count = 15;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "15 samples");
	desc.SampleDesc.Count = 0;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "0 samples");
	ID3D11Device_CheckMultisampleQualityLevels(t->device, ds.Format, 4, &levels);
	desc.SampleDesc = (DXGI_SAMPLE_DESC){4, 0};
	tap_eq(create_2d(t, desc, NULL), levels ? S_FALSE : E_INVALIDARG,
	       "4 samples, as CheckMultisampleQualityLevels says");
	desc.SampleDesc.Quality = levels;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "quality = the number of levels");
	desc = ds;
	desc.Width = 0;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "width 0");
	desc.Width = t->level >= D3D_FEATURE_LEVEL_11_0 ? 16385 : 8193;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "width above the level's");
	desc = ds;
	desc.MipLevels = 7;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "more levels than 32x32 has");
	desc = (D3D11_TEXTURE2D_DESC){32, 32, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, SR, 0, 0};
	tap_eq(create_2d(t, desc, &data), S_FALSE, "initial data");
	tap_eq(create_2d(t, desc, &nothing), E_INVALIDARG, "initial data NULL");
	desc.Usage = D3D11_USAGE_IMMUTABLE;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "immutable without data");
	desc.SampleDesc.Count = 4;
	desc.Usage = D3D11_USAGE_DEFAULT;
	desc.BindFlags = RT;
	tap_eq(create_2d(t, desc, &data), E_INVALIDARG, "initial data of a multisampled texture");
	desc = (D3D11_TEXTURE2D_DESC){30, 30, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, SR, 0, 0};
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "a compressed texture of 30x30");
}

static void test_usages(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {
		32, 32, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, 0};

	tap_eq(create_2d(t, desc, NULL), S_FALSE, "staging texture for reading");
	desc.BindFlags = SR;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "staging with a binding");
	desc.BindFlags = 0;
	desc.CPUAccessFlags = 0;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "staging without CPU access");
	desc.Usage = D3D11_USAGE_DYNAMIC;
	desc.BindFlags = SR;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_WRITE;
	tap_eq(create_2d(t, desc, NULL), S_FALSE, "dynamic texture");
	desc.CPUAccessFlags |= D3D11_CPU_ACCESS_READ;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "dynamic with read access");
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_WRITE;
	desc.BindFlags = RT;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "dynamic render target");
	desc.Usage = (D3D11_USAGE)4;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "usage 4");
}

static void test_buffers(struct test11 *t)
{
	static const struct {
		const char *name;
		D3D11_BUFFER_DESC desc;
		HRESULT result;
	} cases[] = {
		{"vertex buffer", {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0}, S_FALSE},
		{"vertex and index buffer",
		 {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER, 0, 0, 0},
		 S_FALSE},
		{"no bytes", {0, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, 0, 0}, E_INVALIDARG},
		{"constant buffer", {64, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0}, S_FALSE},
		{"constant buffer of 20 bytes",
		 {20, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER, 0, 0, 0},
		 E_INVALIDARG},
		{"constant and vertex buffer",
		 {64, D3D11_USAGE_DEFAULT, D3D11_BIND_CONSTANT_BUFFER | D3D11_BIND_VERTEX_BUFFER, 0, 0, 0},
		 E_INVALIDARG},
		{"dynamic vertex buffer",
		 {64, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE, 0, 0},
		 S_FALSE},
		{"default buffer with CPU access",
		 {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE, 0, 0},
		 E_INVALIDARG},
		{"staging buffer", {64, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, 0, 0}, S_FALSE},
		{"depth-stencil buffer", {64, D3D11_USAGE_DEFAULT, D3D11_BIND_DEPTH_STENCIL, 0, 0, 0}, E_INVALIDARG},
		{"cube buffer",
		 {64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0, D3D11_RESOURCE_MISC_TEXTURECUBE, 0},
		 E_INVALIDARG},
	};

	for (unsigned i = 0; i < COUNT(cases); i++)
		tap_eq(ID3D11Device_CreateBuffer(t->device, &cases[i].desc, NULL, NULL), cases[i].result,
		       "CreateBuffer: %s", cases[i].name);
	tap_eq(ID3D11Device_CreateBuffer(t->device, NULL, NULL, NULL), E_INVALIDARG, "CreateBuffer: no description");
}

static void test_1d_3d(struct test11 *t)
{
	D3D11_TEXTURE1D_DESC one = {64, 0, 3, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, SR, 0, 0}, got1;
	D3D11_TEXTURE3D_DESC three = {16, 8, 4, 0, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, SR | RT, 0, 0},
			     got3;
	D3D11_RESOURCE_DIMENSION dimension;
	ID3D11Texture1D *texture1 = NULL;
	ID3D11Texture3D *texture3 = NULL;

	if (tap_eq(ID3D11Device_CreateTexture1D(t->device, &one, NULL, &texture1), S_OK,
		   "Texture1D array with a full chain")) {
		ID3D11Texture1D_GetDesc(texture1, &got1);
		tap_eq(got1.MipLevels, 7, "64 texels have 7 levels");
		ID3D11Texture1D_GetType(texture1, &dimension);
		tap_eq(dimension, D3D11_RESOURCE_DIMENSION_TEXTURE1D, "its type is TEXTURE1D");
		ID3D11Texture1D_Release(texture1);
	}
	if (tap_eq(ID3D11Device_CreateTexture3D(t->device, &three, NULL, &texture3), S_OK,
		   "Texture3D with a full chain")) {
		ID3D11Texture3D_GetDesc(texture3, &got3);
		tap_eq(got3.MipLevels, 5, "16x8x4 has 5 levels");
		ID3D11Texture3D_Release(texture3);
	}
	three.BindFlags = DS;
	three.Format = DXGI_FORMAT_D32_FLOAT;
	tap_eq(ID3D11Device_CreateTexture3D(t->device, &three, NULL, &texture3), E_INVALIDARG,
	       "a volume is no depth-stencil");
	three = (D3D11_TEXTURE3D_DESC){16, 8, 0, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, SR, 0, 0};
	tap_eq(ID3D11Device_CreateTexture3D(t->device, &three, NULL, NULL), E_INVALIDARG, "a volume of depth 0");
}

/* ---- CreateDepthStencilView ---- */

static ID3D11Resource *depth_array(struct test11 *t, DXGI_FORMAT format, UINT levels, UINT layers, UINT bind)
{
	D3D11_TEXTURE2D_DESC desc = {32, 32, levels, layers, format, {1, 0}, D3D11_USAGE_DEFAULT, bind, 0, 0};
	ID3D11Texture2D *texture = NULL;

	if (FAILED(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture)))
		tap_bail("depth texture");
	return (ID3D11Resource *)texture;
}

static HRESULT view_of(struct test11 *t, ID3D11Resource *resource, const D3D11_DEPTH_STENCIL_VIEW_DESC *desc)
{
	ID3D11DepthStencilView *view = (void *)1;
	HRESULT hr = ID3D11Device_CreateDepthStencilView(t->device, resource, desc, &view);

	if (SUCCEEDED(hr))
		ID3D11DepthStencilView_Release(view);
	else
		tap_ok(!view, "the view is NULL after a failure");
	return hr;
}

static void test_depth_views(struct test11 *t)
{
	ID3D11Resource *plain = depth_array(t, DXGI_FORMAT_D24_UNORM_S8_UINT, 3, 4, DS);
	ID3D11Resource *typeless = depth_array(t, DXGI_FORMAT_R32_TYPELESS, 1, 1, DS);
	ID3D11Resource *shader = depth_array(t, DXGI_FORMAT_R32_TYPELESS, 1, 1, SR);
	D3D11_DEPTH_STENCIL_VIEW_DESC desc = {.Format = DXGI_FORMAT_D24_UNORM_S8_UINT,
					      .ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2DARRAY,
					      .Texture2DArray = {1, 1, ~0u}};
	bool eleven = t->level >= D3D_FEATURE_LEVEL_11_0;
	ID3D11DepthStencilView *view;

	tap_eq(view_of(t, plain, NULL), S_OK, "DSV: NULL description of a typed texture");
	tap_eq(view_of(t, typeless, NULL), E_INVALIDARG, "DSV: NULL description of a typeless texture");
	tap_eq(view_of(t, shader, NULL), E_INVALIDARG, "DSV: of a texture without D3D11_BIND_DEPTH_STENCIL");
	tap_eq(view_of(t, NULL, NULL), E_INVALIDARG, "DSV: of no resource");
	tap_eq(ID3D11Device_CreateDepthStencilView(t->device, plain, NULL, NULL), S_FALSE,
	       "DSV: a NULL result is S_FALSE");
	if (tap_eq(ID3D11Device_CreateDepthStencilView(t->device, plain, &desc, &view), S_OK,
		   "DSV: level 1, slices from 1 on")) {
		D3D11_DEPTH_STENCIL_VIEW_DESC got;

		ID3D11DepthStencilView_GetDesc(view, &got);
		tap_eq(got.Texture2DArray.ArraySize, 3, "DSV: ArraySize ~0 is the rest");
		ID3D11DepthStencilView_Release(view);
	}
	desc.Texture2DArray.MipSlice = 3;
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: MipSlice = MipLevels");
	desc.Texture2DArray = (D3D11_TEX2D_ARRAY_DSV){0, 4, 1};
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: FirstArraySlice = ArraySize");
	desc.Texture2DArray = (D3D11_TEX2D_ARRAY_DSV){0, 2, 3};
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: slices behind the last");
	desc.Texture2DArray = (D3D11_TEX2D_ARRAY_DSV){0, 0, 0};
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: no slices");
	desc = (D3D11_DEPTH_STENCIL_VIEW_DESC){.Format = DXGI_FORMAT_D24_UNORM_S8_UINT};
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: dimension UNKNOWN");
	desc.ViewDimension = D3D11_DSV_DIMENSION_TEXTURE1D;
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: 1D of a 2D texture");
	desc.ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2DMS;
	tap_eq(view_of(t, plain, &desc), E_INVALIDARG, "DSV: multisampled of a single-sampled array");
	desc.Format = DXGI_FORMAT_D32_FLOAT;
	tap_eq(view_of(t, typeless, &desc), S_OK, "DSV: multisampled of a plain single-sampled texture is accepted");
	desc.ViewDimension = D3D11_DSV_DIMENSION_TEXTURE2D;
	tap_eq(view_of(t, typeless, &desc), S_OK, "DSV: D32_FLOAT of R32_TYPELESS");
	desc.Format = DXGI_FORMAT_D24_UNORM_S8_UINT;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: a format of another family");
	desc.Format = DXGI_FORMAT_R32_TYPELESS;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: a typeless format");
	desc.Format = DXGI_FORMAT_R32_FLOAT;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: a colour format");
	desc.Format = DXGI_FORMAT_UNKNOWN;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: format UNKNOWN of a typeless texture");
	desc.Format = DXGI_FORMAT_D32_FLOAT;
	desc.Flags = D3D11_DSV_READ_ONLY_DEPTH;
	tap_eq(view_of(t, typeless, &desc), eleven ? S_OK : E_INVALIDARG, "DSV: read-only depth from level 11_0 on");
	desc.Flags = D3D11_DSV_READ_ONLY_STENCIL;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: read-only stencil of a format without");
	desc.Flags = 4;
	tap_eq(view_of(t, typeless, &desc), E_INVALIDARG, "DSV: unknown flag");
	ID3D11Resource_Release(plain);
	ID3D11Resource_Release(typeless);
	ID3D11Resource_Release(shader);
}

/* ---- other views ---- */

static void test_shader_views(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {32,      32, 3, 4, DXGI_FORMAT_R8G8B8A8_TYPELESS, {1, 0}, D3D11_USAGE_DEFAULT,
				     SR | RT, 0,  0};
	D3D11_SHADER_RESOURCE_VIEW_DESC srv = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM_SRGB,
					       .ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2DARRAY,
					       .Texture2DArray = {1, ~0u, 2, ~0u}};
	D3D11_RENDER_TARGET_VIEW_DESC rtv = {.Format = DXGI_FORMAT_R8G8B8A8_UINT,
					     .ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2DARRAY,
					     .Texture2DArray = {2, 3, 1}};
	ID3D11ShaderResourceView *view;
	ID3D11RenderTargetView *target;
	ID3D11Texture2D *texture;
	ID3D11Resource *resource;

	if (!tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture), S_OK, "a typeless array"))
		return;
	resource = (ID3D11Resource *)texture;
	if (tap_eq(ID3D11Device_CreateShaderResourceView(t->device, resource, &srv, &view), S_OK,
		   "SRV: sRGB of levels 1.., slices 2..")) {
		D3D11_SHADER_RESOURCE_VIEW_DESC got;

		ID3D11ShaderResourceView_GetDesc(view, &got);
		tap_ok(got.Texture2DArray.MipLevels == 2 && got.Texture2DArray.ArraySize == 2,
		       "SRV: ~0 counts are the rest");
		ID3D11ShaderResourceView_Release(view);
	}
	tap_eq(ID3D11Device_CreateShaderResourceView(t->device, resource, NULL, &view), E_INVALIDARG,
	       "SRV: NULL of a typeless texture");
	srv.Format = DXGI_FORMAT_R32_FLOAT;
	tap_eq(ID3D11Device_CreateShaderResourceView(t->device, resource, &srv, &view), E_INVALIDARG,
	       "SRV: another family");
	srv.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
	srv.Texture2DArray.MostDetailedMip = 3;
	tap_eq(ID3D11Device_CreateShaderResourceView(t->device, resource, &srv, &view), E_INVALIDARG,
	       "SRV: level behind the last");
	srv.ViewDimension = D3D11_SRV_DIMENSION_TEXTURECUBE;
	srv.TextureCube = (D3D11_TEXCUBE_SRV){0, 1};
	tap_eq(ID3D11Device_CreateShaderResourceView(t->device, resource, &srv, &view), E_INVALIDARG,
	       "SRV: cube of no cube");
	if (tap_eq(ID3D11Device_CreateRenderTargetView(t->device, resource, &rtv, &target), S_OK,
		   "RTV: R8G8B8A8_UINT of a slice"))
		ID3D11RenderTargetView_Release(target);
	rtv.Texture2DArray.FirstArraySlice = 4;
	tap_eq(ID3D11Device_CreateRenderTargetView(t->device, resource, &rtv, &target), E_INVALIDARG,
	       "RTV: slice behind the last");
	tap_eq(ID3D11Device_CreateRenderTargetView(t->device, resource, NULL, NULL), E_INVALIDARG,
	       "RTV: NULL of a typeless texture");
	tap_eq(ID3D11Device_CreateUnorderedAccessView(t->device, resource, NULL, NULL), E_INVALIDARG,
	       "UAV: of a texture without the binding");
	ID3D11Texture2D_Release(texture);
}

static void test_samples(struct test11 *t)
{
	UINT levels = 7;

	tap_eq(ID3D11Device_CheckMultisampleQualityLevels(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, 1, &levels), S_OK,
	       "one sample");
	tap_eq(levels, 1, "has one quality level");
	tap_eq(ID3D11Device_CheckMultisampleQualityLevels(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, 0, &levels), E_FAIL,
	       "0 samples are E_FAIL");
	tap_eq(levels, 0, "with no levels");
	levels = 7;
	tap_eq(ID3D11Device_CheckMultisampleQualityLevels(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, 33, &levels), S_OK,
	       "33 samples are no error");
	tap_eq(levels, 0, "but have no levels");
	ID3D11Device_CheckMultisampleQualityLevels(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, 15, &levels);
	tap_eq(levels, 0, "nor have 15");
	tap_eq(ID3D11Device_CheckMultisampleQualityLevels(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, 4, NULL), E_INVALIDARG,
	       "NULL is E_INVALIDARG");
	tap_eq(ID3D11Device_CheckMultisampleQualityLevels(t->device, (DXGI_FORMAT)200, 4, &levels), E_INVALIDARG,
	       "an unknown format is E_INVALIDARG");
}

/* Below level 10 the rules are others. */
static void test_level_9(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {32, 32, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
				     DS, 0,  0};
	D3D11_TEXTURE1D_DESC one = {64, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, SR, 0, 0};

	tap_eq(create_2d(t, desc, NULL), S_FALSE, "9_x: D24_UNORM_S8_UINT");
	desc.Format = DXGI_FORMAT_D16_UNORM;
	tap_eq(create_2d(t, desc, NULL), S_FALSE, "9_x: D16_UNORM");
	desc.Format = DXGI_FORMAT_D32_FLOAT;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "9_x: no D32_FLOAT");
	desc.Format = DXGI_FORMAT_D16_UNORM;
	desc.MipLevels = 2;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "9_x: no depth-stencil with mip levels");
	desc.MipLevels = 1;
	desc.ArraySize = 2;
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "9_x: no arrays");
	desc = (D3D11_TEXTURE2D_DESC){4097, 32, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT,
				      SR,   0,  0};
	tap_eq(create_2d(t, desc, NULL), E_INVALIDARG, "9_x: no textures above 4096");
	tap_eq(ID3D11Device_CreateTexture1D(t->device, &one, NULL, NULL), E_INVALIDARG, "9_x: no Texture1D");
}

/* In a child with a pool of 64 MiB: many surfaces share it, one that is as large is too large. */
static void test_exhaustion(void)
{
	D3D11_TEXTURE2D_DESC desc = {1024, 1024, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
				     DS,   0,    0};
	ID3D11Texture2D *textures[100] = {0}, *large = NULL;
	unsigned count = 0;
	struct test11 t;

	test11_must_open(&t);
	while (count < COUNT(textures) &&
	       SUCCEEDED(ID3D11Device_CreateTexture2D(t.device, &desc, NULL, &textures[count])))
		count++;
	tap_eq(count, 100, "100 surfaces of 4 MiB");
	desc.Width = desc.Height = 4096;
	tap_eq(ID3D11Device_CreateTexture2D(t.device, &desc, NULL, &large), E_OUTOFMEMORY,
	       "one of 64 MiB is E_OUTOFMEMORY");
	tap_ok(!large, "and the result is NULL");
	tap_eq(ID3D11Device_GetDeviceRemovedReason(t.device), S_OK, "the device is not lost");
	for (unsigned i = 0; i < count; i++)
		ID3D11Texture2D_Release(textures[i]);
	test11_close(&t);
}

int main(int argc, char **argv)
{
	struct test11 t;

	if (argc > 1) {
		test_exhaustion();
		return tap_done();
	}
	test11_must_open(&t);
	tap_diag("feature level %s", test11_level_name(t.level));
	test_buffers(&t);
	test_usages(&t);
	test_samples(&t);
	if (t.level >= D3D_FEATURE_LEVEL_10_0) {
		test_depth_textures(&t);
		test_depth_rules(&t);
		test_1d_3d(&t);
		test_depth_views(&t);
		test_shader_views(&t);
	}
	test11_close(&t);
	if (test11_open(&t, D3D_FEATURE_LEVEL_9_3) || test11_open(&t, D3D_FEATURE_LEVEL_9_1)) {
		test_level_9(&t);
		test11_close(&t);
	}
	if (child_can_choose_gpu())
		child_run("vram=64M", "exhaustion", "64 MiB");
	return tap_done();
}
