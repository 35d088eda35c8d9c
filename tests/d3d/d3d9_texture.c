/* SPDX-License-Identifier: MIT */
/* Textures: what is uploaded is sampled; copies between surfaces; pools and locks. */
#define INITGUID
#include "draw9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hlsl9/cube_ps.h"
#include "hlsl9/volume_ps.h"

#define SIZE 64
#define BLACK 0xff000000u
#define FMT_ATI2 ((D3DFORMAT)MAKEFOURCC('A', 'T', 'I', '2'))

static struct test9 t;
static struct draw9 d;
static struct test9_target target;
#define DEVICE t.device

static void check(UINT x, UINT y, DWORD want, unsigned tolerance, const char *name)
{
	test9_check_pixel(&target, x, y, want, tolerance, name);
}

static bool offered(DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
	return IDirect3D9Ex_CheckDeviceFormat(t.d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, format) == D3D_OK;
}

/* Draws the whole target with the texture and reads it. */
static void draw_with(void *texture)
{
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, 0x12345678, 0, 0);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, texture);
	draw9_textured(&d, 0, 1);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	test9_read(DEVICE, &target);
}

/* ---- formats ---- */

struct texel_format {
	D3DFORMAT format;
	const char *name;
	unsigned bytes;
	uint8_t texel[16];
	DWORD want;			/* as A8R8G8B8 */
	unsigned tolerance;
};

static const struct texel_format texel_formats[] = {
	{D3DFMT_A8R8G8B8, "A8R8G8B8", 4, {0x10, 0x20, 0x40, 0x80}, 0x80402010, 0},
	{D3DFMT_X8R8G8B8, "X8R8G8B8", 4, {0x10, 0x20, 0x40, 0x80}, 0xff402010, 0},
	{D3DFMT_A8B8G8R8, "A8B8G8R8", 4, {0x10, 0x20, 0x40, 0x80}, 0x80102040, 0},
	{D3DFMT_X8B8G8R8, "X8B8G8R8", 4, {0x10, 0x20, 0x40, 0x80}, 0xff102040, 0},
	{D3DFMT_R5G6B5, "R5G6B5", 2, {0x1f, 0xf8}, 0xffff00ff, 0},
	{D3DFMT_X1R5G5B5, "X1R5G5B5", 2, {0xe0, 0x03}, 0xff00ff00, 0},
	{D3DFMT_A1R5G5B5, "A1R5G5B5", 2, {0x1f, 0x80}, 0xff0000ff, 0},
	{D3DFMT_A4R4G4B4, "A4R4G4B4", 2, {0x34, 0x12}, 0x11223344, 0},
	{D3DFMT_X4R4G4B4, "X4R4G4B4", 2, {0x34, 0x12}, 0xff223344, 0},
	{D3DFMT_A8, "A8", 1, {0x5a}, 0x5a000000, 0},
	{D3DFMT_L8, "L8", 1, {0x5a}, 0xff5a5a5a, 0},
	{D3DFMT_A8L8, "A8L8", 2, {0x5a, 0xa5}, 0xa55a5a5a, 0},
	{D3DFMT_L16, "L16", 2, {0x00, 0x80}, 0xff808080, 1},
	{D3DFMT_G16R16, "G16R16", 4, {0x00, 0x40, 0x00, 0x80}, 0xff4080ff, 1},
	{D3DFMT_A2R10G10B10, "A2R10G10B10", 4, {0x00, 0x02, 0xf0, 0xff}, 0xffff0080, 1},
	{D3DFMT_A2B10G10R10, "A2B10G10R10", 4, {0x00, 0x02, 0xf0, 0xff}, 0xff8000ff, 1},
	{D3DFMT_A16B16G16R16, "A16B16G16R16", 8, {0, 0x20, 0, 0x40, 0, 0x80, 0, 0xff}, 0xff204080, 1},
	{D3DFMT_R16F, "R16F", 2, {0x00, 0x38}, 0xff80ffff, 1},
	{D3DFMT_G16R16F, "G16R16F", 4, {0x00, 0x38, 0x00, 0x34}, 0xff8040ff, 1},
	{D3DFMT_A16B16G16R16F, "A16B16G16R16F", 8, {0, 0x38, 0, 0x34, 0, 0, 0, 0x3c}, 0xff804000, 1},
	{D3DFMT_R32F, "R32F", 4, {0, 0, 0, 0x3f}, 0xff80ffff, 1},
	{D3DFMT_G32R32F, "G32R32F", 8, {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e}, 0xff8040ff, 1},
	{D3DFMT_A32B32G32R32F,
	 "A32B32G32R32F",
	 16,
	 {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e, 0, 0, 0, 0, 0, 0, 0x80, 0x3f},
	 0xff804000,
	 1},
	{D3DFMT_V8U8, "V8U8", 2, {0x40, 0x20}, 0xff8140ff, 2},
	{D3DFMT_Q8W8V8U8, "Q8W8V8U8", 4, {0x7f, 0x40, 0x20, 0x7f}, 0xffff8140, 2},
};

/* One format: uploaded through system memory, sampled; and locked again. */
static void test_format(const struct texel_format *format)
{
	IDirect3DTexture9 *system = NULL, *texture = NULL;
	D3DLOCKED_RECT locked;

	if (!offered(0, D3DRTYPE_TEXTURE, format->format)) {
		tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 4, 4, 1, 0, format->format, D3DPOOL_DEFAULT, &texture,
							NULL),
		       D3DERR_INVALIDCALL, "%s is refused where it is not offered", format->name);
		return;
	}
	IDirect3DDevice9Ex_CreateTexture(DEVICE, 4, 4, 1, 0, format->format, D3DPOOL_SYSTEMMEM, &system, NULL);
	IDirect3DDevice9Ex_CreateTexture(DEVICE, 4, 4, 1, 0, format->format, D3DPOOL_DEFAULT, &texture, NULL);
	if (!tap_ok(system && texture, "%s: textures are created", format->name))
		return;
	IDirect3DTexture9_LockRect(system, 0, &locked, NULL, 0);
	for (unsigned y = 0; y < 4; y++)
		for (unsigned x = 0; x < 4; x++)
			memcpy((uint8_t *)locked.pBits + (size_t)y * locked.Pitch + x * format->bytes, format->texel,
			       format->bytes);
	IDirect3DTexture9_UnlockRect(system, 0);
	tap_eq(IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system,
						(IDirect3DBaseTexture9 *)texture),
	       D3D_OK, "%s: UpdateTexture", format->name);
	draw_with(texture);
	check(33, 20, format->want, format->tolerance, format->name);
	IDirect3DTexture9_Release(system);
	IDirect3DTexture9_Release(texture);
}

/* A block of one colour and a block of another. */
static void test_compressed(void)
{
	static const uint8_t dxt1[16] = {0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0, 0xe0, 0x07, 0xe0, 0x07, 0, 0, 0, 0};
	static const uint8_t dxt5[32] = {0x80, 0x80, 0, 0, 0, 0, 0, 0, 0x1f, 0, 0x1f, 0, 0, 0, 0, 0,
					 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0};
	static const struct {
		D3DFORMAT format;
		const char *name;
		const uint8_t *data;
		unsigned bytes;		/* of a block */
		DWORD left, right;
	} formats[] = {{D3DFMT_DXT1, "DXT1", dxt1, 8, 0xffff0000, 0xff00ff00},
		       {D3DFMT_DXT5, "DXT5", dxt5, 16, 0x800000ff, 0xffff0000}};
	const RECT crooked = {1, 0, 4, 4}, block = {4, 0, 8, 4};

	for (unsigned i = 0; i < 2; i++) {
		IDirect3DTexture9 *system = NULL, *texture = NULL;
		D3DLOCKED_RECT locked;
		char text[64];

		if (!offered(0, D3DRTYPE_TEXTURE, formats[i].format))
			continue;
		IDirect3DDevice9Ex_CreateTexture(DEVICE, 8, 4, 1, 0, formats[i].format, D3DPOOL_SYSTEMMEM, &system,
						 NULL);
		IDirect3DDevice9Ex_CreateTexture(DEVICE, 8, 4, 1, 0, formats[i].format, D3DPOOL_DEFAULT, &texture,
						 NULL);
		IDirect3DTexture9_LockRect(system, 0, &locked, NULL, 0);
		memcpy(locked.pBits, formats[i].data, 2 * formats[i].bytes);
		IDirect3DTexture9_UnlockRect(system, 0);
		tap_eq(IDirect3DTexture9_LockRect(system, 0, &locked, &crooked, 0), D3DERR_INVALIDCALL,
		       "%s: a rectangle through blocks is refused", formats[i].name);
		tap_eq(IDirect3DTexture9_LockRect(system, 0, &locked, &block, D3DLOCK_READONLY), D3D_OK,
		       "%s: one block is locked", formats[i].name);
		tap_mem(locked.pBits, formats[i].data + formats[i].bytes, formats[i].bytes,
			"%s: its bytes are those of the block", formats[i].name);
		IDirect3DTexture9_UnlockRect(system, 0);
		IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system,
						 (IDirect3DBaseTexture9 *)texture);
		draw_with(texture);
		snprintf(text, sizeof(text), "%s: left block", formats[i].name);
		check(10, 20, formats[i].left, 1, text);
		snprintf(text, sizeof(text), "%s: right block", formats[i].name);
		check(50, 20, formats[i].right, 1, text);
		IDirect3DTexture9_Release(texture);
		IDirect3DTexture9_Release(system);
		tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 6, 4, 1, 0, formats[i].format, D3DPOOL_DEFAULT,
							&texture, NULL),
		       D3DERR_INVALIDCALL, "%s: a width that cuts a block is refused", formats[i].name);
	}
}

/* ---- levels ---- */

static IDirect3DTexture9 *make_levels(DWORD usage, D3DPOOL pool, UINT size, UINT levels)
{
	IDirect3DTexture9 *texture = NULL;

	IDirect3DDevice9Ex_CreateTexture(DEVICE, size, size, levels, usage, D3DFMT_A8R8G8B8, pool, &texture, NULL);
	return texture;
}

static void fill_level(IDirect3DTexture9 *texture, UINT level, UINT size, DWORD color)
{
	D3DLOCKED_RECT locked;

	if (FAILED(IDirect3DTexture9_LockRect(texture, level, &locked, NULL, 0)))
		return;
	for (UINT y = 0; y < size; y++)
		for (UINT x = 0; x < size; x++)
			memcpy((uint8_t *)locked.pBits + (size_t)y * locked.Pitch + x * 4, &color, 4);
	IDirect3DTexture9_UnlockRect(texture, level);
}

static void test_levels(void)
{
	static const DWORD colors[4] = {0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff};
	IDirect3DTexture9 *system = make_levels(0, D3DPOOL_SYSTEMMEM, 8, 0),
			  *texture = make_levels(0, D3DPOOL_DEFAULT, 8, 0);
	D3DSURFACE_DESC desc;

	tap_eq(IDirect3DTexture9_GetLevelCount(texture), 4, "levels 0 makes a full chain");
	tap_eq(IDirect3DTexture9_GetLevelDesc(texture, 2, &desc), D3D_OK, "GetLevelDesc");
	tap_eq(desc.Width, 2, "the third level of 8 has width 2");
	tap_eq(IDirect3DTexture9_GetLevelDesc(texture, 4, &desc), D3DERR_INVALIDCALL, "there is no fifth level");
	for (unsigned i = 0; i < 4; i++)
		fill_level(system, i, 8u >> i, colors[i]);
	IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system, (IDirect3DBaseTexture9 *)texture);
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
	for (unsigned i = 0; i < 4; i++) {
		IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAXMIPLEVEL, i);
		draw_with(texture);
		tap_eq(test9_pixel(&target, 20, 20), colors[i], "MAXMIPLEVEL %u samples level %u", i, i);
	}
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAXMIPLEVEL, 0);
	/* Only what changed is copied. */
	fill_level(texture, 0, 8, 0);
	fill_level(system, 0, 8, 0xff808080);
	IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system, (IDirect3DBaseTexture9 *)texture);
	draw_with(texture);
	check(20, 20, 0xff808080, 0, "a level that was locked is copied again");
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MIPFILTER, D3DTEXF_NONE);
	IDirect3DTexture9_Release(system);
	IDirect3DTexture9_Release(texture);
}

/* The last texel of 7 lies behind the three of the next level. */
static void test_odd_texel(void)
{
	const RECT last = {6, 6, 7, 7};
	IDirect3DTexture9 *system = make_levels(0, D3DPOOL_SYSTEMMEM, 7, 0),
			  *texture = make_levels(0, D3DPOOL_DEFAULT, 7, 0);

	tap_eq(IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system,
						(IDirect3DBaseTexture9 *)texture),
	       D3D_OK, "all of a texture of odd size is copied");
	tap_eq(IDirect3DTexture9_AddDirtyRect(system, &last), D3D_OK, "its last texel is dirty");
	tap_eq(IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system,
						(IDirect3DBaseTexture9 *)texture),
	       D3D_OK, "and is copied with the levels below");
	IDirect3DTexture9_Release(system);
	IDirect3DTexture9_Release(texture);
}

static void test_last_texel(void)
{
	const RECT block = {4, 4, 8, 8};
	IDirect3DTexture9 *system, *texture;

	if (!(t.caps.TextureCaps & D3DPTEXTURECAPS_POW2))
		test_odd_texel(); /* such a mip chain exists with full non-power-of-two textures only */
	/* Half of a block of the next level. */
	IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 0, 0, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM, &system, NULL);
	IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 0, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, &texture, NULL);
	IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system, (IDirect3DBaseTexture9 *)texture);
	IDirect3DTexture9_AddDirtyRect(system, &block);
	tap_eq(IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system,
						(IDirect3DBaseTexture9 *)texture),
	       D3D_OK, "a dirty block of a compressed texture is copied with the levels below");
	IDirect3DTexture9_Release(system);
	IDirect3DTexture9_Release(texture);
}

static void test_autogen(void)
{
	IDirect3DTexture9 *texture =
		make_levels(D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DPOOL_DEFAULT, 16, 0);
	IDirect3DSurface9 *surface;
	const D3DRECT half = {0, 0, 8, 16};

	if (!texture || !offered(D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8))
		return;
	tap_eq(IDirect3DTexture9_GetLevelCount(texture), 1, "a texture with generated levels shows one");
	IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, surface);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, BLACK, 0, 0);
	IDirect3DDevice9Ex_Clear(DEVICE, 1, &half, D3DCLEAR_TARGET, 0xffffffff, 0, 0);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DTexture9_GenerateMipSubLevels(texture);
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAXMIPLEVEL, 4);
	draw_with(texture);
	check(20, 20, 0xff808080, 2, "the smallest generated level is the average");
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAXMIPLEVEL, 0);
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MIPFILTER, D3DTEXF_NONE);
	IDirect3DSurface9_Release(surface);
	IDirect3DTexture9_Release(texture);
}

/* ---- sampler states ---- */

static void test_sampling(void)
{
	static const struct {
		DWORD mode;
		DWORD want;		/* of the texel right of the right edge of red, green */
		const char *name;
	} modes[] = {
		{D3DTADDRESS_WRAP, 0xffff0000, "WRAP"}, {D3DTADDRESS_MIRROR, 0xff00ff00, "MIRROR"},
		{D3DTADDRESS_CLAMP, 0xff00ff00, "CLAMP"}, {D3DTADDRESS_BORDER, 0x80123456, "BORDER"},
	};
	/* u runs from 0 to 2 */
	const float twice[4][4] = {{0, 0, 0, 1}, {2, 0, 0, 1}, {0, 1, 0, 1}, {2, 1, 0, 1}};
	IDirect3DTexture9 *texture = make_levels(D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, 2, 1);
	D3DLOCKED_RECT locked;

	tap_eq(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, D3DLOCK_DISCARD), D3D_OK,
	       "a dynamic texture is locked");
	for (unsigned y = 0; y < 2; y++) {
		DWORD *row = (DWORD *)((uint8_t *)locked.pBits + (size_t)y * locked.Pitch);

		row[0] = 0xffff0000;
		row[1] = 0xff00ff00;
	}
	IDirect3DTexture9_UnlockRect(texture, 0);
	draw_with(texture);
	check(31, 10, 0xffff0000, 0, "point sampling: the left texel to its last pixel");
	check(32, 10, 0xff00ff00, 0, "point sampling: the right texel from its first pixel");
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAGFILTER, D3DTEXF_LINEAR);
	draw_with(texture);
	check(32, 10, 0xff7e8100, 4, "linear sampling: half way");
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_MAGFILTER, D3DTEXF_POINT);
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_BORDERCOLOR, 0x80123456);
	for (unsigned i = 0; i < 4; i++) {
		IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_ADDRESSU, modes[i].mode);
		IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)texture);
		draw9_corners(&d, twice);
		test9_read(DEVICE, &target);
		check(40, 10, modes[i].want, 1, modes[i].name);
	}
	IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_ADDRESSU, D3DTADDRESS_WRAP);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	IDirect3DTexture9_Release(texture);
}

/* sRGB on reading and on writing. 0.5 encoded is 0x80; linear it is 0x37. */
static void test_srgb(void)
{
	IDirect3DTexture9 *texture = make_levels(D3DUSAGE_DYNAMIC, D3DPOOL_DEFAULT, 4, 1);

	fill_level(texture, 0, 4, 0xff808080);
	if (offered(D3DUSAGE_QUERY_SRGBREAD, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8)) {
		IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_SRGBTEXTURE, TRUE);
		draw_with(texture);
		check(20, 20, 0xff373737, 1, "SRGBTEXTURE decodes");
		IDirect3DDevice9Ex_SetSamplerState(DEVICE, 0, D3DSAMP_SRGBTEXTURE, FALSE);
		draw_with(texture);
		check(20, 20, 0xff808080, 0, "without it the texel is taken as it is");
	}
	if (offered(D3DUSAGE_QUERY_SRGBWRITE | D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8)) {
		fill_level(texture, 0, 4, 0xff373737);
		IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRGBWRITEENABLE, TRUE);
		draw_with(texture);
		IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRGBWRITEENABLE, FALSE);
		check(20, 20, 0xff808080, 1, "SRGBWRITEENABLE encodes");
	}
	IDirect3DTexture9_Release(texture);
}

/* ---- cubes and volumes ---- */

static void test_cube(void)
{
	/* A direction into each face, in Direct3D's order. */
	static const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
	IDirect3DCubeTexture9 *system = NULL, *cube = NULL;
	IDirect3DPixelShader9 *ps = test9_ps(DEVICE, cube_ps);
	D3DLOCKED_RECT locked;

	IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &system, NULL);
	tap_eq(IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &cube, NULL),
	       D3D_OK, "a cube texture is created");
	for (unsigned face = 0; face < 6; face++) {
		IDirect3DCubeTexture9_LockRect(system, (D3DCUBEMAP_FACES)face, 0, &locked, NULL, 0);
		for (unsigned y = 0; y < 4; y++)
			for (unsigned x = 0; x < 4; x++)
				((DWORD *)((uint8_t *)locked.pBits + (size_t)y * locked.Pitch))[x] =
					BLACK | (face + 1) << 4;
		IDirect3DCubeTexture9_UnlockRect(system, (D3DCUBEMAP_FACES)face, 0);
	}
	tap_eq(IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system, (IDirect3DBaseTexture9 *)cube),
	       D3D_OK, "all six faces are copied");
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)cube);
	for (unsigned face = 0; face < 6; face++) {
		float corners[4][4];

		for (unsigned i = 0; i < 4; i++)
			memcpy(corners[i], directions[face], sizeof(directions[face]));
		draw9_corners(&d, corners);
		test9_read(DEVICE, &target);
		tap_eq(test9_pixel(&target, 20, 20), BLACK | (face + 1) << 4, "direction %u samples face %u", face,
		       face);
	}
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	draw9_use_texture(&d);
	IDirect3DPixelShader9_Release(ps);
	IDirect3DCubeTexture9_Release(system);
	IDirect3DCubeTexture9_Release(cube);
}

static void test_volume(void)
{
	IDirect3DVolumeTexture9 *system = NULL, *volume = NULL;
	IDirect3DPixelShader9 *ps = test9_ps(DEVICE, volume_ps);
	const D3DBOX box = {1, 1, 3, 3, 1, 2};
	D3DLOCKED_BOX locked;
	D3DVOLUME_DESC desc;

	IDirect3DDevice9Ex_CreateVolumeTexture(DEVICE, 4, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &system,
					       NULL);
	tap_eq(IDirect3DDevice9Ex_CreateVolumeTexture(DEVICE, 4, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &volume,
						      NULL),
	       D3D_OK, "a volume texture is created");
	IDirect3DVolumeTexture9_GetLevelDesc(volume, 0, &desc);
	tap_eq(desc.Depth, 4, "its depth is 4");
	IDirect3DVolumeTexture9_LockBox(system, 0, &locked, NULL, 0);
	for (unsigned z = 0; z < 4; z++)
		for (unsigned y = 0; y < 4; y++)
			for (unsigned x = 0; x < 4; x++)
				((DWORD *)((uint8_t *)locked.pBits + (size_t)z * locked.SlicePitch +
					   (size_t)y * locked.RowPitch))[x] = BLACK | z << 20 | y << 12 | x << 4;
	IDirect3DVolumeTexture9_UnlockBox(system, 0);
	tap_eq(IDirect3DVolumeTexture9_LockBox(system, 0, &locked, &box, D3DLOCK_READONLY), D3D_OK, "a box is locked");
	tap_eq(*(DWORD *)locked.pBits, BLACK | 1 << 20 | 1 << 12 | 1 << 4, "its first texel is 1,1,1");
	IDirect3DVolumeTexture9_UnlockBox(system, 0);
	IDirect3DDevice9Ex_UpdateTexture(DEVICE, (IDirect3DBaseTexture9 *)system, (IDirect3DBaseTexture9 *)volume);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)volume);
	draw9_textured(&d, 0.625f, 1);
	test9_read(DEVICE, &target);
	tap_eq(test9_pixel(&target, 56, 20), BLACK | 2 << 20 | 1 << 12 | 3 << 4, "texel 3,1,2 is sampled");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	draw9_use_texture(&d);
	IDirect3DPixelShader9_Release(ps);
	IDirect3DVolumeTexture9_Release(system);
	IDirect3DVolumeTexture9_Release(volume);
}

/* ---- copies between surfaces ---- */

static void test_stretch(void)
{
	const RECT source = {0, 0, 8, 8}, destination = {16, 16, 48, 48}, outside = {0, 0, 65, 64},
		   part = {4, 4, 12, 12};
	const POINT place = {20, 30}, corner = {60, 60};
	IDirect3DSurface9 *plain = NULL, *system = NULL;
	struct test9_target other;
	D3DLOCKED_RECT locked;

	test9_target_create(DEVICE, SIZE, SIZE, &other);
	tap_eq(IDirect3DDevice9Ex_ColorFill(DEVICE, other.surface, NULL, 0xff204060), D3D_OK, "ColorFill of a target");
	tap_eq(IDirect3DDevice9Ex_ColorFill(DEVICE, other.surface, &source, 0xff0000ff), D3D_OK,
	       "ColorFill of a rectangle");
	tap_eq(IDirect3DDevice9Ex_ColorFill(DEVICE, target.surface, NULL, BLACK), D3D_OK,
	       "ColorFill of another target");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, other.surface, &source, target.surface, &destination,
					      D3DTEXF_POINT),
	       D3D_OK, "StretchRect four times larger");
	test9_read(DEVICE, &target);
	check(16, 16, 0xff0000ff, 0, "the first pixel of the destination");
	check(47, 47, 0xff0000ff, 0, "the last pixel of the destination");
	check(48, 47, BLACK, 0, "beyond it nothing changes");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, other.surface, NULL, target.surface, NULL, D3DTEXF_NONE), D3D_OK,
	       "a whole copy");
	test9_read(DEVICE, &target);
	check(60, 60, 0xff204060, 0, "copies the last pixel");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, other.surface, &outside, target.surface, NULL, D3DTEXF_NONE),
	       D3DERR_INVALIDCALL, "a rectangle outside is refused");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, other.copy, NULL, target.surface, NULL, D3DTEXF_NONE),
	       D3DERR_INVALIDCALL, "system memory is refused");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, target.surface, NULL, target.surface, NULL, D3DTEXF_NONE),
	       D3DERR_INVALIDCALL, "a surface onto itself is refused");

	tap_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(DEVICE, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
							      &plain, NULL),
	       D3D_OK, "a plain surface in video memory");
	tap_eq(IDirect3DSurface9_LockRect(plain, &locked, NULL, 0), D3D_OK, "it can be locked");
	for (unsigned y = 0; y < SIZE; y++)
		for (unsigned x = 0; x < SIZE; x++)
			((DWORD *)((uint8_t *)locked.pBits + (size_t)y * locked.Pitch))[x] = BLACK | x << 8 | y;
	IDirect3DSurface9_UnlockRect(plain);
	IDirect3DDevice9Ex_StretchRect(DEVICE, plain, NULL, target.surface, NULL, D3DTEXF_NONE);
	test9_read(DEVICE, &target);
	check(50, 9, BLACK | 50 << 8 | 9, 0, "what was written through the lock is copied");
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, target.surface, NULL, plain, NULL, D3DTEXF_NONE),
	       D3DERR_INVALIDCALL, "a target into a plain surface is refused");
	IDirect3DDevice9Ex_ColorFill(DEVICE, plain, &source, 0xffabcdef);
	IDirect3DSurface9_LockRect(plain, &locked, NULL, D3DLOCK_READONLY);
	tap_eq(*(DWORD *)locked.pBits, 0xffabcdef, "ColorFill of a plain surface is seen through a lock");
	tap_eq(((DWORD *)locked.pBits)[8], BLACK | 8 << 8, "beside the rectangle the old content stays");
	IDirect3DSurface9_UnlockRect(plain);

	IDirect3DDevice9Ex_CreateOffscreenPlainSurface(DEVICE, 16, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &system,
						       NULL);
	IDirect3DSurface9_LockRect(system, &locked, NULL, 0);
	for (unsigned i = 0; i < 16; i++)
		memset((uint8_t *)locked.pBits + (size_t)i * locked.Pitch, (int)(i * 16), 64);
	IDirect3DSurface9_UnlockRect(system);
	tap_eq(IDirect3DDevice9Ex_UpdateSurface(DEVICE, system, &part, target.surface, &place), D3D_OK,
	       "UpdateSurface of a part to a point");
	test9_read(DEVICE, &target);
	check(20, 30, 0x40404040, 0, "its first pixel");
	check(27, 37, 0xb0b0b0b0, 0, "its last pixel");
	check(28, 37, BLACK | 28 << 8 | 37, 0, "beside it the old content stays");
	tap_eq(IDirect3DDevice9Ex_UpdateSurface(DEVICE, system, NULL, target.surface, &corner), D3DERR_INVALIDCALL,
	       "an update that leaves the surface is refused");
	tap_eq(IDirect3DDevice9Ex_UpdateSurface(DEVICE, plain, NULL, target.surface, NULL), D3DERR_INVALIDCALL,
	       "an update from video memory is refused");
	IDirect3DSurface9_Release(system);
	IDirect3DSurface9_Release(plain);
	test9_target_destroy(&other);
}

/* Surfaces of another device are refused, not handed to this device's driver. */
static void test_other_device(void)
{
	IDirect3DDevice9Ex *device = test9_device(t.d3d, SIZE, SIZE, 0);
	struct test9_target other;

	test9_target_create(device, SIZE, SIZE, &other);
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, other.surface, NULL, target.surface, NULL, D3DTEXF_POINT),
	       D3DERR_INVALIDCALL, "StretchRect from another device's surface");
	tap_eq(IDirect3DDevice9Ex_ColorFill(DEVICE, other.surface, NULL, BLACK), D3DERR_INVALIDCALL,
	       "ColorFill of another device's surface");
	tap_eq(IDirect3DDevice9Ex_GetRenderTargetData(DEVICE, target.surface, other.copy), D3DERR_INVALIDCALL,
	       "GetRenderTargetData into another device's surface");
	tap_eq(IDirect3DDevice9Ex_UpdateSurface(DEVICE, other.copy, NULL, target.surface, NULL), D3DERR_INVALIDCALL,
	       "UpdateSurface from another device's surface");
	test9_target_destroy(&other);
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "the other device is released");
}

/* ---- pools ---- */

/* Sizes whose pitch, or whose bytes, do not fit into 32 bits: a small image would be the wrong answer. */
static void test_too_large(D3DPOOL pool)
{
	static const UINT sizes[][2] = {{0x40000001, 1}, {0x10000, 0x10000}, {1, 0xffffffff}, {0xffffffff, 1}};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		IDirect3DSurface9 *surface = (void *)1;

		tap_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(DEVICE, sizes[i][0], sizes[i][1],
								      D3DFMT_A8R8G8B8, pool, &surface, NULL),
		       E_OUTOFMEMORY, "a plain surface of %ux%u in pool %u", sizes[i][0], sizes[i][1], pool);
		tap_ok(!surface, "is not created");
	}
}

static void test_pools(void)
{
	IDirect3DTexture9 *texture = NULL;
	IDirect3DSurface9 *surface = NULL, *level;
	DWORD memory[16 * 16];
	HANDLE pointer = memory;
	D3DLOCKED_RECT locked;
	void *container = NULL;

	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
	       D3DERR_INVALIDCALL, "the MANAGED pool is refused on a 9Ex device");
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &texture,
						&pointer),
	       D3D_OK, "a texture in the program's memory");
	IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0);
	tap_ok(locked.pBits == memory, "its lock gives the program's pointer");
	tap_eq(locked.Pitch, 64, "with rows one after the other");
	IDirect3DTexture9_UnlockRect(texture, 0);
	IDirect3DTexture9_Release(texture);
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &texture,
						&pointer),
	       D3DERR_INVALIDCALL, "with more than one level it is refused");
	tap_eq(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(DEVICE, 16, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
							      &surface, &pointer),
	       D3D_OK, "a plain surface in the program's memory");
	IDirect3DSurface9_LockRect(surface, &locked, NULL, 0);
	tap_ok(locked.pBits == memory, "its lock gives the program's pointer, too");
	IDirect3DSurface9_UnlockRect(surface);
	IDirect3DSurface9_Release(surface);
	test_too_large(D3DPOOL_SCRATCH);
	test_too_large(D3DPOOL_SYSTEMMEM);
	texture = make_levels(0, D3DPOOL_DEFAULT, 16, 1);
	tap_eq(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, 0), D3DERR_INVALIDCALL,
	       "a texture in video memory that is not dynamic cannot be locked");
	IDirect3DTexture9_GetSurfaceLevel(texture, 0, &level);
	tap_eq(IDirect3DSurface9_GetContainer(level, &IID_IDirect3DTexture9, &container), D3D_OK,
	       "a level's container");
	tap_ok(container == texture, "is its texture");
	IDirect3DTexture9_Release((IDirect3DTexture9 *)container);
	tap_eq(IDirect3DSurface9_Release(level), 1, "a level counts its texture's references");
	IDirect3DTexture9_Release(texture);
	texture = make_levels(0, D3DPOOL_SCRATCH, 16, 1);
	tap_ok(texture != NULL, "a SCRATCH texture");
	tap_eq(IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)texture), D3DERR_INVALIDCALL,
	       "cannot be bound");
	IDirect3DTexture9_Release(texture);
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 6, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL),
	       D3DERR_INVALIDCALL, "more levels than the size has are refused");
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 0, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL),
	       D3DERR_INVALIDCALL, "a width of 0 is refused");
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, t.caps.MaxTextureWidth + 1, 16, 1, 0, D3DFMT_A8R8G8B8,
						D3DPOOL_DEFAULT, &texture, NULL),
	       D3DERR_INVALIDCALL, "a width above the limit is refused");
	tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
						D3DPOOL_SYSTEMMEM, &texture, NULL),
	       D3DERR_INVALIDCALL, "a target in system memory is refused");
}

/* A managed texture of a device that is not 9Ex. */
static void test_managed(void)
{
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = SIZE,
					.BackBufferHeight = SIZE,
					.SwapEffect = D3DSWAPEFFECT_DISCARD,
					.BackBufferFormat = D3DFMT_X8R8G8B8,
					.Windowed = TRUE};
	IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
	IDirect3DDevice9 *device = NULL;
	IDirect3DTexture9 *texture = NULL;
	struct test9_target managed;
	struct draw9 draw;

	if (FAILED(IDirect3D9_CreateDevice(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   &device)))
		tap_bail("no plain device");
	test9_target_create((IDirect3DDevice9Ex *)device, SIZE, SIZE, &managed);
	IDirect3DDevice9_SetRenderTarget(device, 0, managed.surface);
	draw9_open(&draw, (IDirect3DDevice9Ex *)device, SIZE, SIZE);
	tap_eq(IDirect3DDevice9_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, &texture, NULL),
	       D3D_OK, "a MANAGED texture");
	fill_level(texture, 0, 4, 0xff112233);
	draw9_use_texture(&draw);
	IDirect3DDevice9_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture);
	draw9_textured(&draw, 0, 1);
	test9_read((IDirect3DDevice9Ex *)device, &managed);
	test9_check_pixel(&managed, 20, 20, 0xff112233, 0, "what was written into it is drawn");
	IDirect3DDevice9_SetTexture(device, 0, NULL);
	IDirect3DTexture9_Release(texture);
	draw9_close(&draw);
	test9_target_destroy(&managed);
	tap_eq(IDirect3DDevice9_Release(device), 0, "the plain device is released");
	IDirect3D9_Release(d3d);
}

int main(void)
{
	test9_open(&t, SIZE, SIZE);
	test9_target_create(DEVICE, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_open(&d, DEVICE, SIZE, SIZE);
	draw9_use_texture(&d);
	for (size_t i = 0; i < sizeof(texel_formats) / sizeof(texel_formats[0]); i++)
		test_format(&texel_formats[i]);
	test_compressed();
	test_levels();
	test_last_texel();
	test_autogen();
	test_sampling();
	test_srgb();
	test_cube();
	test_volume();
	test_stretch();
	test_other_device();
	test_pools();
	draw9_close(&d);
	test9_target_destroy(&target);
	test9_close(&t);
	test_managed();
	return tap_done();
}
