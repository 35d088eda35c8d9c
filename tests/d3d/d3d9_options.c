/* SPDX-License-Identifier: MIT */
/*
 * The four Direct3D 9 options: what a GPU says of them is what it does. In the guest, on the GPU that it was booted
 * with; on the host, on every combination of the four at every feature level.
 */
#define INITGUID
#include "child.h"
#include "draw9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hlsl9/instanced_vs.h"

#define SIZE 64
#define BLACK 0xff000000u

static struct test9 t;
static struct draw9 d;
static struct test9_target target;
#define DEVICE t.device

/* Whether the text of D3DGPU_CAPS has a word. */
static bool started_with(const char *word)
{
	const char *caps = getenv("D3DGPU_CAPS");

	return caps && strstr(caps, word);
}

/* What an option was started with: 1 on, 0 off, -1 not known. From level 10_0 on all four belong to the level. */
static int option(const char *name)
{
	char on[32], off[32];

	snprintf(on, sizeof(on), "%s=on", name);
	snprintf(off, sizeof(off), "%s=off", name);
	if (!started_with(on) && !started_with(off))
		return -1;
	return started_with("feature-level=1") || started_with(on);
}

/* ---- non-power-of-two textures ---- */

static HRESULT create_texture(UINT width, UINT height, UINT levels)
{
	IDirect3DTexture9 *texture = NULL;
	HRESULT hr = IDirect3DDevice9Ex_CreateTexture(DEVICE, width, height, levels, 0, D3DFMT_A8R8G8B8,
						      D3DPOOL_DEFAULT, &texture, NULL);

	if (texture)
		IDirect3DTexture9_Release(texture);
	return hr;
}

static void test_npot(void)
{
	bool restricted = t.caps.TextureCaps & D3DPTEXTURECAPS_POW2;
	bool conditional = t.caps.TextureCaps & D3DPTEXTURECAPS_NONPOW2CONDITIONAL;
	IDirect3DCubeTexture9 *cube = NULL;
	IDirect3DVolumeTexture9 *volume = NULL;
	HRESULT hr;

	tap_eq(create_texture(64, 32, 0), D3D_OK, "powers of two with levels are created");
	tap_eq(create_texture(60, 44, 0), restricted ? D3DERR_INVALIDCALL : D3D_OK, "60x44 with levels is %s",
	       restricted ? "refused" : "created");
	tap_eq(create_texture(60, 44, 1), restricted && !conditional ? D3DERR_INVALIDCALL : D3D_OK,
	       "60x44 with one level is %s", restricted && !conditional ? "refused" : "created");
	hr = IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, 60, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &cube, NULL);
	tap_eq(hr, restricted ? D3DERR_INVALIDCALL : D3D_OK, "a cube of 60 is %s", restricted ? "refused" : "created");
	if (cube)
		IDirect3DCubeTexture9_Release(cube);
	hr = IDirect3DDevice9Ex_CreateVolumeTexture(DEVICE, 16, 12, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &volume,
						    NULL);
	tap_eq(hr, restricted ? D3DERR_INVALIDCALL : D3D_OK, "a volume of height 12 is %s",
	       restricted ? "refused" : "created");
	if (volume)
		IDirect3DVolumeTexture9_Release(volume);
}

/* ---- instancing ---- */

static void make_buffer(const void *data, UINT size, IDirect3DVertexBuffer9 **out)
{
	void *place;

	IDirect3DDevice9Ex_CreateVertexBuffer(DEVICE, size, 0, 0, D3DPOOL_DEFAULT, out, NULL);
	IDirect3DVertexBuffer9_Lock(*out, 0, 0, &place, 0);
	memcpy(place, data, size);
	IDirect3DVertexBuffer9_Unlock(*out);
}

static void draw_instances(void)
{
	static const D3DVERTEXELEMENT9 elements[] = {
		{0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
		{1, 0, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
		{1, 4, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 1},
		D3DDECL_END(),
	};
	/* A quarter of the target, moved to its four corners. */
	static const float corners[4][4] = {{-1, 1, 0, 1}, {0, 1, 0, 1}, {-1, 0, 0, 1}, {0, 0, 0, 1}};
	static const struct {
		DWORD color;
		float place[4];
	} instances[4] = {{0xffff0000, {0, 0, 0, 0}}, {0xff00ff00, {1, 0, 0, 0}}, {0xff0000ff, {0, -1, 0, 0}},
			  {0xffffffff, {1, -1, 0, 0}}};
	static const uint16_t indices[4] = {0, 1, 2, 3};
	IDirect3DVertexShader9 *vs = test9_vs(DEVICE, instanced_vs);
	IDirect3DVertexDeclaration9 *declaration;
	IDirect3DVertexBuffer9 *vertices, *data;
	IDirect3DIndexBuffer9 *ib;
	void *place;

	make_buffer(corners, sizeof(corners), &vertices);
	make_buffer(instances, sizeof(instances), &data);
	IDirect3DDevice9Ex_CreateIndexBuffer(DEVICE, sizeof(indices), 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, &ib, NULL);
	IDirect3DIndexBuffer9_Lock(ib, 0, 0, &place, 0);
	memcpy(place, indices, sizeof(indices));
	IDirect3DIndexBuffer9_Unlock(ib);
	IDirect3DDevice9Ex_CreateVertexDeclaration(DEVICE, elements, &declaration);
	IDirect3DDevice9Ex_SetVertexDeclaration(DEVICE, declaration);
	IDirect3DDevice9Ex_SetVertexShader(DEVICE, vs);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, vertices, 0, sizeof(corners[0]));
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 1, data, 0, sizeof(instances[0]));
	IDirect3DDevice9Ex_SetIndices(DEVICE, ib);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, BLACK, 0, 0);
	tap_eq(IDirect3DDevice9Ex_DrawIndexedPrimitive(DEVICE, D3DPT_TRIANGLESTRIP, 0, 0, 4, 0, 2), D3D_OK,
	       "four instances are drawn");
	test9_read(DEVICE, &target);
	test9_check_pixel(&target, 8, 8, 0xffff0000, 0, "the first instance");
	test9_check_pixel(&target, 40, 8, 0xff00ff00, 0, "the second instance");
	test9_check_pixel(&target, 8, 40, 0xff0000ff, 0, "the third instance");
	test9_check_pixel(&target, 40, 40, 0xffffffff, 0, "the fourth instance");
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, NULL, 0, 0);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 1, NULL, 0, 0);
	IDirect3DDevice9Ex_SetIndices(DEVICE, NULL);
	draw9_use_color(&d);
	IDirect3DVertexDeclaration9_Release(declaration);
	IDirect3DVertexShader9_Release(vs);
	IDirect3DVertexBuffer9_Release(vertices);
	IDirect3DVertexBuffer9_Release(data);
	IDirect3DIndexBuffer9_Release(ib);
}

static void test_instancing(void)
{
	HRESULT hr = IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 0, D3DSTREAMSOURCE_INDEXEDDATA | 4);
	UINT frequency = 0;
	int wanted = option("instancing");

	if (wanted >= 0)
		tap_eq(hr, wanted ? D3D_OK : D3DERR_INVALIDCALL, "SetStreamSourceFreq with instances is %s",
		       wanted ? "accepted" : "refused");
	tap_eq(IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 1, D3DSTREAMSOURCE_INSTANCEDATA | 1), hr,
	       "instance data agree");
	tap_eq(IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 0, 0), D3DERR_INVALIDCALL, "a frequency of 0 is refused");
	tap_eq(IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 0, D3DSTREAMSOURCE_INSTANCEDATA | 1), D3DERR_INVALIDCALL,
	       "instance data on stream 0 are refused");
	if (SUCCEEDED(hr)) {
		IDirect3DDevice9Ex_GetStreamSourceFreq(DEVICE, 0, &frequency);
		tap_eq(frequency, D3DSTREAMSOURCE_INDEXEDDATA | 4, "GetStreamSourceFreq gives back what was set");
		draw_instances();
	}
	IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 0, 1);
	tap_eq(IDirect3DDevice9Ex_SetStreamSourceFreq(DEVICE, 1, 1), D3D_OK, "a frequency of 1 is always accepted");
}

/* ---- depth as texture ---- */

static void test_shadow(void)
{
	static const D3DFORMAT formats[] = {D3DFMT_D16, D3DFMT_D24X8, D3DFMT_D24S8,
					    (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z')};
	int wanted = option("shadow");

	for (unsigned i = 0; i < 4; i++) {
		IDirect3DTexture9 *texture = NULL;
		HRESULT offered = IDirect3D9Ex_CheckDeviceFormat(t.d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8,
								 D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, formats[i]);
		HRESULT made = IDirect3DDevice9Ex_CreateTexture(DEVICE, SIZE, SIZE, 1, D3DUSAGE_DEPTHSTENCIL,
								formats[i], D3DPOOL_DEFAULT, &texture, NULL);

		if (wanted >= 0)
			tap_eq(offered, wanted ? D3D_OK : D3DERR_NOTAVAILABLE, "depth format %u as texture is %s", i,
			       wanted ? "offered" : "not offered");
		tap_eq(made, SUCCEEDED(offered) ? D3D_OK : D3DERR_INVALIDCALL,
		       "depth format %u as texture is created as offered", i);
		if (texture)
			IDirect3DTexture9_Release(texture);
	}
}

/* ---- a cube's face with a 2D depth-stencil surface ---- */

static void test_cube(void)
{
	IDirect3DCubeTexture9 *cube = NULL;
	IDirect3DSurface9 *face = NULL, *depth = NULL;
	int wanted = option("cube-ds");
	HRESULT hr;

	IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, SIZE, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
					     &cube, NULL);
	IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(DEVICE, SIZE, SIZE, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE,
						       &depth, NULL, 0);
	if (!tap_ok(cube && depth, "a cube of targets and a 2D depth-stencil surface"))
		return;
	IDirect3DCubeTexture9_GetCubeMapSurface(cube, D3DCUBEMAP_FACE_NEGATIVE_Y, 0, &face);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, face);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, depth);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, BLACK, 1.0f, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	hr = draw9_rect(&d, 0, 0, SIZE, SIZE, 0.25f, 0xff445566);
	if (wanted >= 0)
		tap_eq(hr, wanted ? D3D_OK : D3DERR_INVALIDCALL, "drawing to them together is %s",
		       wanted ? "possible" : "refused");
	if (SUCCEEDED(hr)) {
		draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, 0xffffffff);
		IDirect3DDevice9Ex_StretchRect(DEVICE, face, NULL, target.surface, NULL, D3DTEXF_NONE);
		test9_read(DEVICE, &target);
		test9_check_pixel(&target, 20, 20, 0xff445566, 0, "the face is drawn with depth test");
	}
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, NULL);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DSurface9_Release(face);
	IDirect3DSurface9_Release(depth);
	IDirect3DCubeTexture9_Release(cube);
}

static void test_level(void)
{
	bool sm3 = !started_with("feature-level=9_1") && !started_with("feature-level=9_2");

	if (!started_with("feature-level="))
		return;
	tap_eq(t.caps.PixelShaderVersion, sm3 ? D3DPS_VERSION(3, 0) : D3DPS_VERSION(2, 0), "the level's pixel shaders");
	tap_eq(t.caps.VertexShaderVersion, sm3 ? D3DVS_VERSION(3, 0) : D3DVS_VERSION(2, 0),
	       "the level's vertex shaders");
	if (option("npot") >= 0)
		tap_eq((t.caps.TextureCaps & D3DPTEXTURECAPS_POW2) == 0, option("npot"),
		       "POW2 is set exactly without unconditional support");
}

static void run(void)
{
	test9_open(&t, SIZE, SIZE);
	test9_target_create(DEVICE, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_open(&d, DEVICE, SIZE, SIZE);
	test_level();
	test_npot();
	test_instancing();
	test_shadow();
	test_cube();
	draw9_close(&d);
	test9_target_destroy(&target);
	test9_close(&t);
}

int main(int argc, char **argv)
{
	static const char *const levels[] = {"9_1", "9_2", "9_3", "10_0", "10_1", "11_0", "11_1"};

	run();
	if (argc > 1 || !child_can_choose_gpu())
		return tap_done();
	for (unsigned level = 0; level < 7; level++) {
		for (unsigned options = 0; options < 16; options++) {
			char caps[128];

			snprintf(caps, sizeof(caps), "feature-level=%s,npot=%s,shadow=%s,instancing=%s,cube-ds=%s",
				 levels[level], options & 1 ? "on" : "off", options & 2 ? "on" : "off",
				 options & 4 ? "on" : "off", options & 8 ? "on" : "off");
			child_run(caps, "child", caps);
		}
	}
	return tap_done();
}
