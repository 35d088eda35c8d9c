/* SPDX-License-Identifier: MIT */
/*
 * ID3D11Device::CheckFeatureSupport: the whole table. On the host for every feature level and every combination of the
 * four Direct3D 9 switches, each in a child with a GPU of its own; in the guest for the GPU that is there.
 */
#include "child.h"
#include "test11.h"

#include <d3d11_3.h>
#include <stdio.h>
#include <string.h>

#define NO_SWITCHES ~0u
enum { NPOT = 1, SHADOW = 2, INSTANCING = 4, CUBE_DS = 8 };

static bool is_bool(BOOL value)
{
	return value == TRUE || value == FALSE;
}

/* ---- the four Direct3D 9 questions ---- */

/* switches NO_SWITCHES: the GPU is not ours to choose; the answers must agree with each other. */
static void test_d3d9_options(struct test11 *t, unsigned switches)
{
	const char *level = test11_level_name(t->level);
	D3D11_FEATURE_DATA_D3D9_OPTIONS1 all = {7, 7, 7, 7};
	D3D11_FEATURE_DATA_D3D9_OPTIONS npot = {7};
	D3D11_FEATURE_DATA_D3D9_SHADOW_SUPPORT shadow = {7};
	D3D11_FEATURE_DATA_D3D9_SIMPLE_INSTANCING_SUPPORT instancing = {7};
	bool ten = t->level >= D3D_FEATURE_LEVEL_10_0;

	tap_eq(ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D9_OPTIONS1, &all, sizeof(all)), S_OK,
	       "%s: D3D9_OPTIONS1 is answered", level);
	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D9_OPTIONS, &npot, sizeof(npot));
	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D9_SHADOW_SUPPORT, &shadow, sizeof(shadow));
	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT, &instancing,
					 sizeof(instancing));
	tap_eq(npot.FullNonPow2TextureSupport, all.FullNonPow2TextureSupported, "%s: D3D9_OPTIONS agrees", level);
	tap_eq(shadow.SupportsDepthAsTextureWithLessEqualComparisonFilter,
	       all.DepthAsTextureWithLessEqualComparisonFilterSupported, "%s: D3D9_SHADOW_SUPPORT agrees", level);
	tap_eq(instancing.SimpleInstancingSupported, all.SimpleInstancingSupported,
	       "%s: D3D9_SIMPLE_INSTANCING_SUPPORT agrees", level);
	if (switches == NO_SWITCHES && !ten) {
		tap_ok(is_bool(all.FullNonPow2TextureSupported) && is_bool(all.SimpleInstancingSupported) &&
			       is_bool(all.DepthAsTextureWithLessEqualComparisonFilterSupported) &&
			       is_bool(all.TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported),
		       "%s: all four are TRUE or FALSE", level);
		return;
	}
	tap_eq(all.FullNonPow2TextureSupported, ten || switches & NPOT ? TRUE : FALSE,
	       "%s: FullNonPow2TextureSupported", level);
	tap_eq(all.DepthAsTextureWithLessEqualComparisonFilterSupported, ten || switches & SHADOW ? TRUE : FALSE,
	       "%s: DepthAsTextureWithLessEqualComparisonFilterSupported", level);
	tap_eq(all.SimpleInstancingSupported, ten || switches & INSTANCING ? TRUE : FALSE,
	       "%s: SimpleInstancingSupported", level);
	tap_eq(all.TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported,
	       ten || switches & CUBE_DS ? TRUE : FALSE,
	       "%s: TextureCubeFaceRenderTargetWithNonCubeDepthStencilSupported", level);
}

/* ---- what follows from the answers ---- */

static HRESULT create_2d(struct test11 *t, UINT width, UINT height, UINT levels, UINT layers, DXGI_FORMAT format,
			 UINT bind, UINT misc)
{
	D3D11_TEXTURE2D_DESC desc = {width, height, levels, layers, format, {1, 0}, D3D11_USAGE_DEFAULT, bind, 0, misc};

	return ID3D11Device_CreateTexture2D(t->device, &desc, NULL, NULL);
}

static void test_consequences(struct test11 *t, unsigned switches)
{
	const char *level = test11_level_name(t->level);
	bool ten = t->level >= D3D_FEATURE_LEVEL_10_0, npot = ten || switches & NPOT, shadow = ten || switches & SHADOW;
	const UINT both = D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_SHADER_RESOURCE;

	tap_eq(create_2d(t, 100, 60, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_SHADER_RESOURCE, 0), S_FALSE,
	       "%s: 100x60 with one level is allowed", level);
	tap_eq(create_2d(t, 100, 60, 2, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_SHADER_RESOURCE, 0),
	       npot ? S_FALSE : E_INVALIDARG, "%s: 100x60 with mip levels follows FullNonPow2TextureSupported", level);
	tap_eq(create_2d(t, 100, 100, 1, 6, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_BIND_SHADER_RESOURCE,
			 D3D11_RESOURCE_MISC_TEXTURECUBE),
	       npot ? S_FALSE : E_INVALIDARG, "%s: a cube of 100x100 follows it, too", level);
	tap_eq(create_2d(t, 64, 64, 1, 1, DXGI_FORMAT_R16_TYPELESS, both, 0), shadow ? S_FALSE : E_INVALIDARG,
	       "%s: a depth texture follows DepthAsTexture...", level);
	tap_eq(create_2d(t, 64, 64, 1, 1, DXGI_FORMAT_D16_UNORM, D3D11_BIND_DEPTH_STENCIL, 0), S_FALSE,
	       "%s: D16_UNORM as a depth-stencil is always there", level);
}

/* ---- sizes, NULL, unknown features ---- */

static const struct {
	D3D11_FEATURE feature;
	UINT size;
	const char *name;
} features[] = {
	{D3D11_FEATURE_THREADING, 8, "THREADING"},
	{D3D11_FEATURE_DOUBLES, 4, "DOUBLES"},
	{D3D11_FEATURE_FORMAT_SUPPORT, 8, "FORMAT_SUPPORT"},
	{D3D11_FEATURE_FORMAT_SUPPORT2, 8, "FORMAT_SUPPORT2"},
	{D3D11_FEATURE_D3D10_X_HARDWARE_OPTIONS, 4, "D3D10_X_HARDWARE_OPTIONS"},
	{D3D11_FEATURE_D3D11_OPTIONS, 56, "D3D11_OPTIONS"},
	{D3D11_FEATURE_ARCHITECTURE_INFO, 4, "ARCHITECTURE_INFO"},
	{D3D11_FEATURE_D3D9_OPTIONS, 4, "D3D9_OPTIONS"},
	{D3D11_FEATURE_SHADER_MIN_PRECISION_SUPPORT, 8, "SHADER_MIN_PRECISION_SUPPORT"},
	{D3D11_FEATURE_D3D9_SHADOW_SUPPORT, 4, "D3D9_SHADOW_SUPPORT"},
	{D3D11_FEATURE_D3D11_OPTIONS1, 16, "D3D11_OPTIONS1"},
	{D3D11_FEATURE_D3D9_SIMPLE_INSTANCING_SUPPORT, 4, "D3D9_SIMPLE_INSTANCING_SUPPORT"},
	{D3D11_FEATURE_MARKER_SUPPORT, 4, "MARKER_SUPPORT"},
	{D3D11_FEATURE_D3D9_OPTIONS1, 16, "D3D9_OPTIONS1"},
	{D3D11_FEATURE_D3D11_OPTIONS2, 32, "D3D11_OPTIONS2"},
	{D3D11_FEATURE_D3D11_OPTIONS3, 4, "D3D11_OPTIONS3"},
	{D3D11_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, 8, "GPU_VIRTUAL_ADDRESS_SUPPORT"},
	{D3D11_FEATURE_D3D11_OPTIONS4, 4, "D3D11_OPTIONS4"},
	{D3D11_FEATURE_SHADER_CACHE, 4, "SHADER_CACHE"},
	{D3D11_FEATURE_D3D11_OPTIONS5, 4, "D3D11_OPTIONS5"},
};

static bool untouched(const unsigned char *buffer, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (buffer[i] != 0xa5)
			return false;
	return true;
}

static void test_sizes(struct test11 *t)
{
	for (unsigned i = 0; i < COUNT(features); i++) {
		UINT size = features[i].size;
		unsigned char buffer[128];
		HRESULT smaller, larger, right;

		memset(buffer, 0xa5, sizeof(buffer));
		smaller = ID3D11Device_CheckFeatureSupport(t->device, features[i].feature, buffer, size - 1);
		larger = ID3D11Device_CheckFeatureSupport(t->device, features[i].feature, buffer, size + 4);
		tap_ok(smaller == E_INVALIDARG && larger == E_INVALIDARG && untouched(buffer, sizeof(buffer)),
		       "%s: a wrong size is E_INVALIDARG and the buffer untouched", features[i].name);
		memset(buffer, 0, sizeof(buffer));
		*(DXGI_FORMAT *)buffer = DXGI_FORMAT_R8G8B8A8_UNORM;
		right = ID3D11Device_CheckFeatureSupport(t->device, features[i].feature, buffer, size);
		tap_eq(right, S_OK, "%s: the right size (%u bytes) is answered", features[i].name, size);
		memset(buffer, 0xa5, sizeof(buffer));
		*(DXGI_FORMAT *)buffer = DXGI_FORMAT_R8G8B8A8_UNORM;
		ID3D11Device_CheckFeatureSupport(t->device, features[i].feature, buffer, size);
		tap_ok(untouched(buffer + size, sizeof(buffer) - size), "%s: nothing is written behind it",
		       features[i].name);
		tap_eq(ID3D11Device_CheckFeatureSupport(t->device, features[i].feature, NULL, size), E_INVALIDARG,
		       "%s: NULL is E_INVALIDARG", features[i].name);
	}
}

static void test_unknown(struct test11 *t)
{
	UINT word = 0xa5a5a5a5;

	tap_eq(ID3D11Device_CheckFeatureSupport(t->device, (D3D11_FEATURE)20, &word, sizeof(word)), E_INVALIDARG,
	       "feature 20 is unknown: E_INVALIDARG");
	tap_eq(ID3D11Device_CheckFeatureSupport(t->device, (D3D11_FEATURE)-1, &word, sizeof(word)), E_INVALIDARG,
	       "feature -1 is unknown: E_INVALIDARG");
	tap_eq(word, 0xa5a5a5a5, "and the buffer is untouched");
	tap_eq(ID3D11Device_CheckFormatSupport(t->device, DXGI_FORMAT_R8G8B8A8_UNORM, NULL), E_INVALIDARG,
	       "CheckFormatSupport into NULL is E_INVALIDARG");
}

static void test_other_answers(struct test11 *t)
{
	D3D11_FEATURE_DATA_THREADING threading = {7, 7};
	D3D11_FEATURE_DATA_DOUBLES doubles = {7};
	D3D11_FEATURE_DATA_D3D11_OPTIONS options;
	ID3D11DeviceContext *deferred = (void *)1;
	HRESULT hr;

	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_THREADING, &threading, sizeof(threading));
	tap_ok(is_bool(threading.DriverConcurrentCreates) && is_bool(threading.DriverCommandLists),
	       "THREADING: booleans");
	hr = ID3D11Device_CreateDeferredContext(t->device, 0, &deferred);
	tap_ok(hr == E_NOTIMPL && !deferred && !threading.DriverCommandLists,
	       "no command lists, and deferred contexts say so");
	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_DOUBLES, &doubles, sizeof(doubles));
	tap_ok(is_bool(doubles.DoublePrecisionFloatShaderOps) &&
		       (t->level >= D3D_FEATURE_LEVEL_11_0 || !doubles.DoublePrecisionFloatShaderOps),
	       "DOUBLES: a boolean, FALSE below level 11_0");
	memset(&options, 0xa5, sizeof(options));
	ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_D3D11_OPTIONS, &options, sizeof(options));
	tap_eq(options.DiscardAPIsSeenByDriver, options.FlagsForUpdateAndCopySeenByDriver,
	       "D3D11_OPTIONS: Discard and copy flags come together");
	tap_ok(options.ClearView == options.CopyWithOverlap &&
		       options.ClearView == options.ConstantBufferPartialUpdate &&
		       options.ClearView == options.ConstantBufferOffsetting &&
		       options.ClearView == options.MapNoOverwriteOnDynamicConstantBuffer,
	       "D3D11_OPTIONS: ClearView and its four companions come together");
	tap_eq(options.MapNoOverwriteOnDynamicBufferSRV, options.MultisampleRTVWithForcedSampleCountOne,
	       "D3D11_OPTIONS: the last two come together");
}

/* ---- formats ---- */

static void test_formats(struct test11 *t)
{
	const UINT level_10 = D3D11_FORMAT_SUPPORT_SHADER_SAMPLE_COMPARISON | D3D11_FORMAT_SUPPORT_BUFFER;
	unsigned disagree = 0, wrong_code = 0, comparison = 0, gather = 0, supported = 0;
	const char *level = test11_level_name(t->level);

	for (unsigned format = 0; format < 200; format++) {
		D3D11_FEATURE_DATA_FORMAT_SUPPORT data = {(DXGI_FORMAT)format, 0xa5a5a5a5};
		UINT support = 0x5a5a5a5a;
		HRESULT hr = ID3D11Device_CheckFormatSupport(t->device, (DXGI_FORMAT)format, &support);
		HRESULT feature =
			ID3D11Device_CheckFeatureSupport(t->device, D3D11_FEATURE_FORMAT_SUPPORT, &data, sizeof(data));

		disagree += hr != feature || support != data.OutFormatSupport;
		wrong_code += hr != (support ? S_OK : E_FAIL);
		comparison += t->level < D3D_FEATURE_LEVEL_10_0 && support & level_10;
		gather += t->level < D3D_FEATURE_LEVEL_10_1 && support & D3D11_FORMAT_SUPPORT_SHADER_GATHER;
		supported += support != 0;
	}
	tap_eq(disagree, 0, "%s: FORMAT_SUPPORT and CheckFormatSupport agree for 200 formats (%u supported)", level,
	       supported);
	tap_eq(wrong_code, 0, "%s: a format without support gives E_FAIL and zero, others S_OK", level);
	tap_eq(comparison, 0, "%s: below level 10_0 no SAMPLE_COMPARISON or BUFFER", level);
	tap_eq(gather, 0, "%s: below level 10_1 no GATHER", level);
}

static void expect_support(struct test11 *t, DXGI_FORMAT format, UINT bits, const char *name)
{
	UINT support = 0;

	ID3D11Device_CheckFormatSupport(t->device, format, &support);
	tap_eq(support & bits, bits, "%s: %s has what the level requires", test11_level_name(t->level), name);
}

static void test_required_formats(struct test11 *t)
{
	const UINT texture = D3D11_FORMAT_SUPPORT_TEXTURE2D | D3D11_FORMAT_SUPPORT_TEXTURECUBE |
			     D3D11_FORMAT_SUPPORT_SHADER_SAMPLE | D3D11_FORMAT_SUPPORT_MIP;
	const UINT target = D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_BLENDABLE;
	UINT support = 0;

	expect_support(t, DXGI_FORMAT_R8G8B8A8_UNORM, texture | target | D3D11_FORMAT_SUPPORT_DISPLAY,
		       "R8G8B8A8_UNORM");
	expect_support(t, DXGI_FORMAT_BC1_UNORM, texture, "BC1_UNORM");
	expect_support(t, DXGI_FORMAT_R16_UINT, D3D11_FORMAT_SUPPORT_IA_INDEX_BUFFER, "R16_UINT");
	expect_support(t, DXGI_FORMAT_R32G32B32_FLOAT, D3D11_FORMAT_SUPPORT_IA_VERTEX_BUFFER, "R32G32B32_FLOAT");
	expect_support(t, DXGI_FORMAT_D24_UNORM_S8_UINT, D3D11_FORMAT_SUPPORT_DEPTH_STENCIL, "D24_UNORM_S8_UINT");
	ID3D11Device_CheckFormatSupport(t->device, DXGI_FORMAT_D32_FLOAT, &support);
	if (t->level < D3D_FEATURE_LEVEL_10_0) {
		tap_eq(support, 0, "%s: no D32_FLOAT below level 10_0", test11_level_name(t->level));
		return;
	}
	expect_support(t, DXGI_FORMAT_D32_FLOAT, D3D11_FORMAT_SUPPORT_DEPTH_STENCIL, "D32_FLOAT");
	expect_support(t, DXGI_FORMAT_R32G32B32A32_FLOAT,
		       D3D11_FORMAT_SUPPORT_SHADER_LOAD | D3D11_FORMAT_SUPPORT_RENDER_TARGET, "R32G32B32A32_FLOAT");
	expect_support(t, DXGI_FORMAT_R24_UNORM_X8_TYPELESS, D3D11_FORMAT_SUPPORT_SHADER_SAMPLE_COMPARISON,
		       "R24_UNORM_X8_TYPELESS");
	expect_support(t, DXGI_FORMAT_R32_UINT, D3D11_FORMAT_SUPPORT_RENDER_TARGET | D3D11_FORMAT_SUPPORT_SHADER_LOAD,
		       "R32_UINT");
}

/* What a format says it supports can be created, and the rest cannot. */
static void test_formats_work(struct test11 *t)
{
	static const struct {
		UINT support, bind;
	} uses[] = {
		{D3D11_FORMAT_SUPPORT_RENDER_TARGET, D3D11_BIND_RENDER_TARGET},
		{D3D11_FORMAT_SUPPORT_DEPTH_STENCIL, D3D11_BIND_DEPTH_STENCIL},
		{D3D11_FORMAT_SUPPORT_SHADER_SAMPLE | D3D11_FORMAT_SUPPORT_SHADER_LOAD, D3D11_BIND_SHADER_RESOURCE},
	};
	unsigned wrong = 0, checked = 0;

	for (unsigned format = 1; format < 120; format++) {
		UINT support = 0;

		/* Typeless formats and views of planes are storage of their families: another table. */
		ID3D11Device_CheckFormatSupport(t->device, (DXGI_FORMAT)format, &support);
		if (!(support & (uses[0].support | uses[1].support | uses[2].support)) ||
		    format == DXGI_FORMAT_R24_UNORM_X8_TYPELESS || format == DXGI_FORMAT_X24_TYPELESS_G8_UINT ||
		    format == DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS || format == DXGI_FORMAT_X32_TYPELESS_G8X24_UINT)
			continue;
		for (unsigned i = 0; i < COUNT(uses); i++) {
			D3D11_TEXTURE2D_DESC desc = {
				64, 64, 1, 1, (DXGI_FORMAT)format, {1, 0}, D3D11_USAGE_DEFAULT, uses[i].bind, 0, 0};
			ID3D11Texture2D *texture = NULL;
			HRESULT hr = ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture);

			checked++;
			if (hr != (support & uses[i].support ? S_OK : E_INVALIDARG)) {
				tap_diag("format %u, bind %#x: %#x, support %#x", format, uses[i].bind, (unsigned)hr,
					 support);
				wrong++;
			}
			if (texture)
				ID3D11Texture2D_Release(texture);
		}
	}
	tap_eq(wrong, 0, "%s: creation agrees with the support bits in %u cases", test11_level_name(t->level), checked);
}

/* ---- the parts ---- */

static void test_level(D3D_FEATURE_LEVEL level, unsigned switches)
{
	struct test11 t;

	if (!test11_open(&t, level)) {
		tap_ok(false, "%s: a device is created", test11_level_name(level));
		return;
	}
	tap_eq(t.level, level, "%s: a device of this level", test11_level_name(level));
	test_d3d9_options(&t, switches);
	if (switches != NO_SWITCHES)
		test_consequences(&t, switches);
	test_formats(&t);
	test_required_formats(&t);
	test11_close(&t);
}

/* Of the GPU that is there, all levels. */
static void test_present_gpu(void)
{
	for (unsigned i = 0; i < COUNT(test11_levels); i++) {
		struct test11 t;

		if (!test11_open(&t, test11_levels[i]))
			break;
		test11_close(&t);
		test_level(test11_levels[i], NO_SWITCHES);
	}
}

/* In a child: a GPU whose highest level is given has that level and nothing above. */
static void test_highest(D3D_FEATURE_LEVEL highest)
{
	for (unsigned i = 0; i < COUNT(test11_levels); i++) {
		D3D_FEATURE_LEVEL level = test11_levels[i], got = (D3D_FEATURE_LEVEL)7;
		HRESULT hr = D3D11CreateDevice(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, &level, 1, D3D11_SDK_VERSION,
					       NULL, &got, NULL);

		if (level <= highest)
			tap_ok(hr == S_FALSE && got == level, "level %s is there", test11_level_name(level));
		else
			tap_ok(hr == DXGI_ERROR_UNSUPPORTED && !got, "level %s is DXGI_ERROR_UNSUPPORTED",
			       test11_level_name(level));
	}
}

static void run_children(D3D_FEATURE_LEVEL level)
{
	const char *name = test11_level_name(level);
	char caps[160], label[48], part[32];

	for (unsigned switches = 0; switches < 16; switches++) {
		snprintf(caps, sizeof(caps), "feature-level=%s,npot=%s,shadow=%s,instancing=%s,cube-ds=%s", name,
			 switches & NPOT ? "on" : "off", switches & SHADOW ? "on" : "off",
			 switches & INSTANCING ? "on" : "off", switches & CUBE_DS ? "on" : "off");
		snprintf(label, sizeof(label), "GPU %s %c%c%c%c", name, switches & NPOT ? 'n' : '-',
			 switches & SHADOW ? 's' : '-', switches & INSTANCING ? 'i' : '-',
			 switches & CUBE_DS ? 'c' : '-');
		snprintf(part, sizeof(part), "switches:%x:%u", level, switches);
		child_run(caps, part, label);
	}
	snprintf(caps, sizeof(caps), "feature-level=%s", name);
	snprintf(part, sizeof(part), "highest:%x", level);
	snprintf(label, sizeof(label), "GPU %s", name);
	child_run(caps, part, label);
}

int main(int argc, char **argv)
{
	D3D_FEATURE_LEVEL highest;
	unsigned level, switches;
	struct test11 t;

	if (argc > 1) {
		if (sscanf(argv[1], "switches:%x:%u", &level, &switches) == 2)
			test_level((D3D_FEATURE_LEVEL)level, switches);
		else if (sscanf(argv[1], "highest:%x", &level) == 1)
			test_highest((D3D_FEATURE_LEVEL)level);
		return tap_done();
	}
	test11_must_open(&t);
	highest = t.level;
	tap_diag("feature level %s", test11_level_name(highest));
	test_sizes(&t);
	test_unknown(&t);
	test_other_answers(&t);
	test_formats_work(&t);
	test11_close(&t);
	test_present_gpu();
	for (unsigned i = 0; i < COUNT(test11_levels) && child_can_choose_gpu(); i++)
		if (test11_levels[i] <= highest)
			run_children(test11_levels[i]);
	return tap_done();
}
