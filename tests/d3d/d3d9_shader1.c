/* SPDX-License-Identifier: MIT */
/* Pixel shaders of model 1: what they take from texture stages and bound textures instead of from their code. */
#define INITGUID
#include "draw9.h"

#include <string.h>

#define SIZE 16
#define EDGE 4			/* of all textures, in texels */
#define BLACK 0xff000000u

static struct test9 t;
static struct draw9 d;
static struct test9_target target;
#define DEVICE t.device

/* vs_1_1: dcl_position v0, dcl_texcoord v1, mov oPos, v0, mov oT0, v1, mov oT1, v1 */
static const uint32_t two_coordinates_vs[] = {
	0xfffe0101, 0x0000001f, 0x80000000, 0x900f0000, 0x0000001f, 0x80000005, 0x900f0001, 0x00000001, 0xc00f0000,
	0x90e40000, 0x00000001, 0xe00f0000, 0x90e40001, 0x00000001, 0xe00f0001, 0x90e40001, 0x0000ffff,
};
/* ps_1_1: tex t0, mov r0, t0 */
static const uint32_t tex_ps[] = {
	0xffff0101, 0x00000042, 0xb00f0000, 0x00000001, 0x800f0000, 0xb0e40000, 0x0000ffff,
};
/* ps_1_1: tex t0, texbem t1, t0, mov r0, t1 */
static const uint32_t texbem_ps[] = {
	0xffff0101, 0x00000042, 0xb00f0000, 0x00000043, 0xb00f0001, 0xb0e40000,
	0x00000001, 0x800f0000, 0xb0e40001, 0x0000ffff,
};
/* ps_1_1: tex t0, texbeml t1, t0, mov r0, t1 */
static const uint32_t texbeml_ps[] = {
	0xffff0101, 0x00000042, 0xb00f0000, 0x00000044, 0xb00f0001, 0xb0e40000,
	0x00000001, 0x800f0000, 0xb0e40001, 0x0000ffff,
};

/* The pixel that a draw with the same coordinates everywhere gives. */
static DWORD drawn(float u, float v, float s)
{
	const float corners[4][4] = {{u, v, s, 1}, {u, v, s, 1}, {u, v, s, 1}, {u, v, s, 1}};

	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, 0x12345678, 0, 0);
	tap_eq(draw9_corners(&d, corners), D3D_OK, "a draw with a shader of model 1");
	test9_read(DEVICE, &target);
	return test9_pixel(&target, SIZE / 2, SIZE / 2);
}

/* ---- textures ---- */

/* Texel (x, y) is y << 12 | x << 4: its place can be read from its colour. */
static IDirect3DTexture9 *place_texture(void)
{
	IDirect3DTexture9 *texture = NULL;
	D3DLOCKED_RECT locked;

	if (FAILED(IDirect3DDevice9Ex_CreateTexture(DEVICE, EDGE, EDGE, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8,
						    D3DPOOL_DEFAULT, &texture, NULL)) ||
	    FAILED(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0)))
		tap_bail("no texture");
	for (DWORD y = 0; y < EDGE; y++)
		for (DWORD x = 0; x < EDGE; x++)
			((DWORD *)((uint8_t *)locked.pBits + (size_t)y * (size_t)locked.Pitch))[x] =
				BLACK | y << 12 | x << 4;
	IDirect3DTexture9_UnlockRect(texture, 0);
	return texture;
}

/* Puts (du, dv), in 127ths, into all of a bump map. */
static void fill_bump(IDirect3DTexture9 *texture, int8_t du, int8_t dv)
{
	D3DLOCKED_RECT locked;

	if (FAILED(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0)))
		tap_bail("a bump map cannot be locked");
	for (unsigned y = 0; y < EDGE; y++)
		for (unsigned x = 0; x < EDGE; x++)
			((uint16_t *)((uint8_t *)locked.pBits + y * (size_t)locked.Pitch))[x] =
				(uint16_t)((uint8_t)dv << 8 | (uint8_t)du);
	IDirect3DTexture9_UnlockRect(texture, 0);
}

static IDirect3DTexture9 *bump_texture(int8_t du, int8_t dv)
{
	IDirect3DTexture9 *texture = NULL;

	if (FAILED(IDirect3DDevice9Ex_CreateTexture(DEVICE, EDGE, EDGE, 1, D3DUSAGE_DYNAMIC, D3DFMT_V8U8,
						    D3DPOOL_DEFAULT, &texture, NULL)))
		tap_bail("no bump map");
	fill_bump(texture, du, dv);
	return texture;
}

static void fill_face(IDirect3DCubeTexture9 *cube, D3DCUBEMAP_FACES face, DWORD color)
{
	D3DLOCKED_RECT locked;

	if (FAILED(IDirect3DCubeTexture9_LockRect(cube, face, 0, &locked, NULL, 0)))
		tap_bail("a cube's face cannot be locked");
	for (unsigned y = 0; y < EDGE; y++)
		for (unsigned x = 0; x < EDGE; x++)
			((DWORD *)((uint8_t *)locked.pBits + y * (size_t)locked.Pitch))[x] = color;
	IDirect3DCubeTexture9_UnlockRect(cube, face, 0);
}

static void fill_volume(IDirect3DVolumeTexture9 *volume)
{
	D3DLOCKED_BOX locked;

	if (FAILED(IDirect3DVolumeTexture9_LockBox(volume, 0, &locked, NULL, 0)))
		tap_bail("a volume cannot be locked");
	for (DWORD z = 0; z < EDGE; z++)
		for (unsigned y = 0; y < EDGE; y++)
			for (unsigned x = 0; x < EDGE; x++)
				((DWORD *)((uint8_t *)locked.pBits + z * (size_t)locked.SlicePitch +
					   y * (size_t)locked.RowPitch))[x] = BLACK | z << 20;
	IDirect3DVolumeTexture9_UnlockBox(volume, 0);
}

/* ---- environment bump mapping ---- */

static void set_stage_float(DWORD stage, D3DTEXTURESTAGESTATETYPE state, float value)
{
	DWORD bits;

	memcpy(&bits, &value, sizeof(bits));
	IDirect3DDevice9Ex_SetTextureStageState(DEVICE, stage, state, bits);
}

static void test_bump(void)
{
	IDirect3DTexture9 *places = place_texture(), *along_u = bump_texture(127, 0), *along_v = bump_texture(0, 127);
	IDirect3DPixelShader9 *texbem = test9_ps(DEVICE, texbem_ps), *texbeml = test9_ps(DEVICE, texbeml_ps);

	IDirect3DDevice9Ex_SetPixelShader(DEVICE, texbem);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)along_u);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 1, (IDirect3DBaseTexture9 *)places);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK, "texbem without a matrix moves nothing");
	set_stage_float(1, D3DTSS_BUMPENVMAT00, 0.5f);
	set_stage_float(1, D3DTSS_BUMPENVMAT01, 0.25f);
	set_stage_float(1, D3DTSS_BUMPENVMAT10, 0.75f);
	set_stage_float(1, D3DTSS_BUMPENVMAT11, 0.5f);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK | 1 << 12 | 2 << 4, "du moves by BUMPENVMAT00 and 01");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)along_v);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK | 2 << 12 | 3 << 4, "dv moves by BUMPENVMAT10 and 11");
	set_stage_float(1, D3DTSS_BUMPENVMAT11, 0.25f);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK | 1 << 12 | 3 << 4, "a changed matrix counts in the next draw");
	set_stage_float(0, D3DTSS_BUMPENVMAT10, 0.25f);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK | 1 << 12 | 3 << 4, "the matrix of another stage does not");

	fill_bump(along_v, 127, 0);
	tap_eq(drawn(0.125f, 0.125f, 0), BLACK | 1 << 12 | 2 << 4, "a bump map with new content moves otherwise");
	fill_bump(along_v, 0, 127);

	IDirect3DDevice9Ex_SetPixelShader(DEVICE, texbeml);
	set_stage_float(1, D3DTSS_BUMPENVLSCALE, 0.5f);
	tap_eq(drawn(0.125f, 0.125f, 0) & 0xffffff, 1 << 11 | 3 << 3, "texbeml scales by BUMPENVLSCALE");
	set_stage_float(1, D3DTSS_BUMPENVLOFFSET, 0.5f);
	tap_eq(drawn(0.125f, 0.125f, 0) & 0xffffff, 1 << 12 | 3 << 4, "and adds BUMPENVLOFFSET");

	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 1, NULL);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, NULL);
	IDirect3DPixelShader9_Release(texbem);
	IDirect3DPixelShader9_Release(texbeml);
	IDirect3DTexture9_Release(places);
	IDirect3DTexture9_Release(along_u);
	IDirect3DTexture9_Release(along_v);
}

/* ---- the bound texture gives the dimension ---- */

static void test_dimensions(void)
{
	IDirect3DTexture9 *places = place_texture();
	IDirect3DCubeTexture9 *cube = NULL;
	IDirect3DVolumeTexture9 *volume = NULL;
	IDirect3DPixelShader9 *ps = test9_ps(DEVICE, tex_ps);

	if (FAILED(IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, EDGE, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8,
							D3DPOOL_DEFAULT, &cube, NULL)) ||
	    FAILED(IDirect3DDevice9Ex_CreateVolumeTexture(DEVICE, EDGE, EDGE, EDGE, 1, D3DUSAGE_DYNAMIC,
							  D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &volume, NULL)))
		tap_bail("no cube or volume texture");
	for (DWORD face = 0; face < 6; face++)
		fill_face(cube, (D3DCUBEMAP_FACES)face, BLACK | (face + 1) << 4);
	fill_volume(volume);

	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)places);
	tap_eq(drawn(0.875f, 0.375f, 0), BLACK | 1 << 12 | 3 << 4, "tex samples a 2D texture by u and v");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)cube);
	tap_eq(drawn(-1, 0, 0), BLACK | 2 << 4, "the same shader samples a cube's face -x");
	tap_eq(drawn(0, 1, 0), BLACK | 3 << 4, "its face +y");
	tap_eq(drawn(0, 0, -1), BLACK | 6 << 4, "and its face -z");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)volume);
	tap_eq(drawn(0.5f, 0.5f, 0.625f), BLACK | 2 << 20, "and a volume's slice");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)places);
	tap_eq(drawn(0.375f, 0.875f, 0), BLACK | 3 << 12 | 1 << 4, "and the 2D texture again");

	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, NULL);
	IDirect3DPixelShader9_Release(ps);
	IDirect3DTexture9_Release(places);
	IDirect3DCubeTexture9_Release(cube);
	IDirect3DVolumeTexture9_Release(volume);
}

int main(void)
{
	IDirect3DVertexShader9 *vs;

	test9_open(&t, SIZE, SIZE);
	test9_target_create(DEVICE, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_open(&d, DEVICE, SIZE, SIZE);
	draw9_use_texture(&d);
	vs = test9_vs(DEVICE, two_coordinates_vs);
	IDirect3DDevice9Ex_SetVertexShader(DEVICE, vs);
	test_bump();
	test_dimensions();
	draw9_close(&d);
	IDirect3DVertexShader9_Release(vs);
	test9_target_destroy(&target);
	test9_close(&t);
	return tap_done();
}
