/* SPDX-License-Identifier: MIT */
/*
 * Drawing with depth-stencil surfaces: tests, stencil, bias, discard, multisampling, depth as texture, and which
 * targets a surface goes with.
 */
#define INITGUID
#include "child.h"
#include "draw9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hlsl9/projected_ps.h"

#define SIZE 64
#define BLACK 0xff000000u
#define RED 0xffff0000u
#define GREEN 0xff00ff00u
#define BLUE 0xff0000ffu
#define WHITE 0xffffffffu
#define FMT_INTZ ((D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'))

static struct test9 t;
static struct draw9 d;
static struct test9_target target;
#define DEVICE t.device

static const struct {
	D3DFORMAT format;
	const char *name;
	bool stencil;
} formats[] = {
	{D3DFMT_D16, "D16", false},
	{D3DFMT_D24X8, "D24X8", false},
	{D3DFMT_D24S8, "D24S8", true},
	{D3DFMT_D32, "D32", false},
	{D3DFMT_D32F_LOCKABLE, "D32F_LOCKABLE", false},
	{D3DFMT_D16_LOCKABLE, "D16_LOCKABLE", false},
	{D3DFMT_D24FS8, "D24FS8", true},
	{D3DFMT_D24X4S4, "D24X4S4", true},
	{D3DFMT_D15S1, "D15S1", true},
};

static void check(UINT x, UINT y, DWORD want, const char *name)
{
	test9_check_pixel(&target, x, y, want, 2, name);
}

static IDirect3DSurface9 *make_depth(UINT size, D3DFORMAT format, BOOL discard)
{
	IDirect3DSurface9 *surface = NULL;

	IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(DEVICE, size, size, format, D3DMULTISAMPLE_NONE, 0, discard,
						       &surface, NULL, 0);
	return surface;
}

/* Target and depth-stencil surface bound and cleared: black, far, 0. */
static void start(IDirect3DSurface9 *depth, bool stencil)
{
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, depth);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | (stencil ? D3DCLEAR_STENCIL : 0),
				 BLACK, 1.0f, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZFUNC, D3DCMP_LESSEQUAL);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZWRITEENABLE, TRUE);
}

static void stop(IDirect3DSurface9 *depth)
{
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, NULL);
	if (depth)
		IDirect3DSurface9_Release(depth);
}

/* ---- the depth test ---- */

static void test_format(unsigned index)
{
	const char *name = formats[index].name;
	IDirect3DSurface9 *depth = make_depth(SIZE, formats[index].format, FALSE);
	char text[96];

	if (!depth)
		return;	/* not on this GPU */
	start(depth, formats[index].stencil);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.75f, GREEN);
	draw9_rect(&d, 32, 0, SIZE, SIZE, 0.25f, BLUE);
	test9_read(DEVICE, &target);
	snprintf(text, sizeof(text), "%s: what lies behind is hidden", name);
	check(16, 32, RED, text);
	snprintf(text, sizeof(text), "%s: what lies in front is seen", name);
	check(48, 32, BLUE, text);
	stop(depth);
}

static void test_functions(void)
{
	static const struct {
		DWORD func;
		bool nearer, equal, farther;	/* passes */
		const char *name;
	} functions[] = {
		{D3DCMP_NEVER, false, false, false, "NEVER"}, {D3DCMP_LESS, true, false, false, "LESS"},
		{D3DCMP_EQUAL, false, true, false, "EQUAL"}, {D3DCMP_LESSEQUAL, true, true, false, "LESSEQUAL"},
		{D3DCMP_GREATER, false, false, true, "GREATER"}, {D3DCMP_NOTEQUAL, true, false, true, "NOTEQUAL"},
		{D3DCMP_GREATEREQUAL, false, true, true, "GREATEREQUAL"}, {D3DCMP_ALWAYS, true, true, true, "ALWAYS"},
	};
	IDirect3DSurface9 *depth = make_depth(SIZE, D3DFMT_D24S8, FALSE);

	for (unsigned i = 0; i < 8; i++) {
		start(depth, true);
		draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
		IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZFUNC, functions[i].func);
		draw9_rect(&d, 0, 0, 16, SIZE, 0.25f, WHITE);
		draw9_rect(&d, 16, 0, 32, SIZE, 0.5f, WHITE);
		draw9_rect(&d, 32, 0, 48, SIZE, 0.75f, WHITE);
		test9_read(DEVICE, &target);
		tap_ok((test9_pixel(&target, 8, 8) == WHITE) == functions[i].nearer &&
			       (test9_pixel(&target, 24, 8) == WHITE) == functions[i].equal &&
			       (test9_pixel(&target, 40, 8) == WHITE) == functions[i].farther,
		       "depth test %s", functions[i].name);
	}
	start(depth, true);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZWRITEENABLE, FALSE);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.25f, RED);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, GREEN);
	test9_read(DEVICE, &target);
	check(8, 8, GREEN, "without depth writes nothing is remembered");
	stop(depth);
}

/* Viewport depth range, bias, and a clear of a part. */
static void test_ranges(void)
{
	const D3DVIEWPORT9 behind = {0, 0, SIZE, SIZE, 0.5f, 1.0f};
	const D3DRECT part = {16, 16, 48, 48};
	const float bias = -0.001f, none = 0.0f;
	IDirect3DSurface9 *depth = make_depth(SIZE, D3DFMT_D24S8, FALSE);
	DWORD bits;

	start(depth, true);
	IDirect3DDevice9Ex_SetViewport(DEVICE, &behind);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.0f, RED);	/* at 0.5 */
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.49f, GREEN);
	draw9_rect(&d, 32, 0, SIZE, SIZE, 0.51f, BLUE);
	test9_read(DEVICE, &target);
	check(8, 8, GREEN, "the viewport's depth range: 0.49 is in front of 0.5");
	check(40, 8, RED, "0.51 is behind it");

	start(depth, true);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZFUNC, D3DCMP_LESS);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.5f, GREEN);
	memcpy(&bits, &bias, 4);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_DEPTHBIAS, bits);
	draw9_rect(&d, 32, 0, SIZE, SIZE, 0.5f, BLUE);
	memcpy(&bits, &none, 4);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_DEPTHBIAS, bits);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZFUNC, D3DCMP_GREATEREQUAL);
	draw9_rect(&d, 32, 32, SIZE, SIZE, 0.4985f, WHITE);
	draw9_rect(&d, 48, 32, SIZE, SIZE, 0.4995f, GREEN);
	test9_read(DEVICE, &target);
	check(8, 8, RED, "without bias equal depth is not nearer");
	check(40, 8, BLUE, "a negative bias brings it nearer");
	check(40, 40, BLUE, "by no more than asked for");
	check(56, 40, GREEN, "and no less");

	start(depth, true);
	IDirect3DDevice9Ex_Clear(DEVICE, 1, &part, D3DCLEAR_ZBUFFER, 0, 0.0f, 0);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	test9_read(DEVICE, &target);
	check(8, 8, RED, "a depth clear of a rectangle leaves the rest");
	check(32, 32, BLACK, "and clears the rectangle");
	stop(depth);
}

/* ---- stencil ---- */

static void set_stencil(DWORD func, DWORD ref, DWORD pass, DWORD fail, DWORD zfail)
{
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILENABLE, TRUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILFUNC, func);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILREF, ref);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILPASS, pass);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILFAIL, fail);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILZFAIL, zfail);
}

static void stencil_off(void)
{
	set_stencil(D3DCMP_ALWAYS, 0, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILENABLE, FALSE);
}

/* Whether the stencil value at a place is the given one. */
static bool stencil_is(DWORD value, UINT x, UINT y)
{
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, BLACK, 0, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
	set_stencil(D3DCMP_EQUAL, value, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, WHITE);
	stencil_off();
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	test9_read(DEVICE, &target);
	return test9_pixel(&target, x, y) == WHITE;
}

static void test_stencil(void)
{
	static const struct {
		DWORD op, before, after;
		const char *name;
	} ops[] = {
		{D3DSTENCILOP_KEEP, 5, 5, "KEEP"},          {D3DSTENCILOP_ZERO, 5, 0, "ZERO"},
		{D3DSTENCILOP_REPLACE, 5, 0x33, "REPLACE"}, {D3DSTENCILOP_INCRSAT, 255, 255, "INCRSAT"},
		{D3DSTENCILOP_DECRSAT, 0, 0, "DECRSAT"},    {D3DSTENCILOP_INVERT, 0x0f, 0xf0, "INVERT"},
		{D3DSTENCILOP_INCR, 255, 0, "INCR"},        {D3DSTENCILOP_DECR, 0, 255, "DECR"},
	};
	IDirect3DSurface9 *depth = make_depth(SIZE, D3DFMT_D24S8, FALSE);

	start(depth, true);
	for (unsigned i = 0; i < 8; i++) {
		IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_STENCIL, 0, 0, ops[i].before);
		set_stencil(D3DCMP_ALWAYS, 0x33, ops[i].op, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP);
		draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
		tap_ok(stencil_is(ops[i].after, 8, 8), "stencil operation %s", ops[i].name);
	}
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_STENCIL | D3DCLEAR_ZBUFFER, 0, 0.25f, 1);
	set_stencil(D3DCMP_ALWAYS, 7, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP, D3DSTENCILOP_REPLACE);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.5f, RED);
	tap_ok(stencil_is(7, 8, 8), "the operation for a failed depth test");
	set_stencil(D3DCMP_NEVER, 9, D3DSTENCILOP_KEEP, D3DSTENCILOP_REPLACE, D3DSTENCILOP_KEEP);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.1f, RED);
	tap_ok(stencil_is(9, 8, 8), "the operation for a failed stencil test");
	tap_ok(stencil_is(1, 48, 8), "elsewhere the cleared value stays");

	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_STENCIL, 0, 0, 0xff);
	set_stencil(D3DCMP_ALWAYS, 0, D3DSTENCILOP_REPLACE, D3DSTENCILOP_KEEP, D3DSTENCILOP_REPLACE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILWRITEMASK, 0x0f);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILWRITEMASK, 0xffffffff);
	tap_ok(stencil_is(0xf0, 8, 8), "the write mask keeps the other bits");
	stop(depth);
}

/* Clockwise faces count up, counter-clockwise faces down. */
static void test_two_sided(void)
{
	const struct color_vertex clockwise[3] = {{-1, 1, 0.5f, 1, RED}, {1, 1, 0.5f, 1, RED}, {-1, -1, 0.5f, 1, RED}};
	const struct color_vertex counter[3] = {{-1, 1, 0.5f, 1, RED}, {-1, -1, 0.5f, 1, RED}, {1, 1, 0.5f, 1, RED}};
	IDirect3DSurface9 *depth = make_depth(SIZE, D3DFMT_D24S8, FALSE);

	start(depth, true);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_STENCIL, 0, 0, 10);
	set_stencil(D3DCMP_ALWAYS, 0, D3DSTENCILOP_INCR, D3DSTENCILOP_KEEP, D3DSTENCILOP_KEEP);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_TWOSIDEDSTENCILMODE, TRUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CCW_STENCILPASS, D3DSTENCILOP_DECR);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, clockwise, sizeof(clockwise[0]));
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, clockwise, sizeof(clockwise[0]));
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, counter, sizeof(counter[0]));
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_TWOSIDEDSTENCILMODE, FALSE);
	tap_ok(stencil_is(11, 8, 8), "two-sided stencil: 10, twice up for clockwise, once down for counter-clockwise");
	stop(depth);
}

/* ---- discard ---- */

/* Whether depth 0 survives in a surface after what `between` does. Equal depth passes only where it does. */
static bool depth_survives(BOOL discard, bool present)
{
	IDirect3DSurface9 *depth = make_depth(SIZE, D3DFMT_D24S8, discard),
			  *other = make_depth(SIZE, D3DFMT_D24S8, FALSE);
	bool survives;

	start(depth, true);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_ZBUFFER, 0, 0.5f, 0);
	if (present) {
		IDirect3DDevice9Ex_PresentEx(DEVICE, NULL, NULL, NULL, NULL, 0);
	} else {
		IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, other);
		IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, depth);
	}
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZFUNC, D3DCMP_EQUAL);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, WHITE);
	test9_read(DEVICE, &target);
	survives = test9_pixel(&target, 8, 8) == WHITE && test9_pixel(&target, 56, 56) == WHITE;
	stop(depth);
	IDirect3DSurface9_Release(other);
	return survives;
}

/* In a child with D3DGPU_DEBUG=discard: what is thrown away is overwritten with a pattern. */
static void test_discard_pattern(void)
{
	tap_ok(depth_survives(FALSE, false), "without Discard the content survives SetDepthStencilSurface");
	tap_ok(depth_survives(FALSE, true), "without Discard the content survives Present");
	tap_ok(!depth_survives(TRUE, false), "with Discard it is overwritten after SetDepthStencilSurface");
	tap_ok(!depth_survives(TRUE, true), "with Discard it is overwritten after Present");
}

/* ---- what goes together ---- */

static void test_pairing(void)
{
	IDirect3DSurface9 *smaller = make_depth(32, D3DFMT_D24S8, FALSE),
			  *larger = make_depth(128, D3DFMT_D24S8, FALSE);
	IDirect3DSurface9 *sampled = NULL;

	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, smaller), D3D_OK,
	       "a smaller depth-stencil surface can be set");
	tap_eq(draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED), D3DERR_INVALIDCALL, "but not drawn with");
	start(larger, true);
	tap_eq(draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED), D3D_OK, "a larger one can");
	test9_read(DEVICE, &target);
	check(63, 63, RED, "and the target is drawn to its last pixel");
	if (SUCCEEDED(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(
		    DEVICE, SIZE, SIZE, D3DFMT_D24S8, D3DMULTISAMPLE_4_SAMPLES, 0, FALSE, &sampled, NULL, 0))) {
		IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, sampled);
		tap_eq(draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, GREEN), D3DERR_INVALIDCALL,
		       "a multisampled depth-stencil surface does not go with a single-sampled target");
		IDirect3DSurface9_Release(sampled);
	}
	stop(smaller);
	IDirect3DSurface9_Release(larger);
}

/* ---- multisampling ---- */

static void test_multisampling(D3DMULTISAMPLE_TYPE samples)
{
	IDirect3DSurface9 *color = NULL, *depth = NULL;
	D3DLOCKED_RECT locked;
	DWORD edge;

	if (FAILED(IDirect3DDevice9Ex_CreateRenderTarget(DEVICE, SIZE, SIZE, D3DFMT_A8R8G8B8, samples, 0, FALSE, &color,
							 NULL)))
		return;
	tap_eq(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(DEVICE, SIZE, SIZE, D3DFMT_D24S8, samples, 0, TRUE,
							      &depth, NULL, 0),
	       D3D_OK, "%ux: a depth-stencil surface for the target", samples);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, color);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, depth);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, BLACK, 1.0f, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	tap_eq(draw9_rect(&d, 8, 8, 40, 40, 0.25f, WHITE), D3D_OK, "%ux: drawn", samples);
	draw9_rect(&d, 4, 4, 60, 60, 0.5f, RED);
	/* A border through the middle of column 48's pixels. */
	draw9_rect(&d, 48, 0, SIZE, 4, 0.1f, WHITE);
	tap_eq(IDirect3DSurface9_LockRect(color, &locked, NULL, 0), D3DERR_INVALIDCALL,
	       "%ux: the target is not lockable", samples);
	tap_eq(IDirect3DDevice9Ex_GetRenderTargetData(DEVICE, color, target.copy), D3DERR_INVALIDCALL,
	       "%ux: nor read back directly", samples);
	tap_eq(IDirect3DDevice9Ex_StretchRect(DEVICE, color, NULL, target.surface, NULL, D3DTEXF_NONE), D3D_OK,
	       "%ux: StretchRect resolves it", samples);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	test9_read(DEVICE, &target);
	check(20, 20, WHITE, "multisampling: in front");
	check(50, 50, RED, "multisampling: behind it, what is not covered");
	check(2, 32, BLACK, "multisampling: background");
	edge = test9_pixel(&target, 48, 2) & 0xff;
	tap_ok(edge > 0x20 && edge < 0xe0, "%ux: a pixel on the edge is partly covered (%02x)", samples,
	       (unsigned)edge);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, NULL);
	IDirect3DSurface9_Release(depth);
	IDirect3DSurface9_Release(color);
}

/* ---- depth as texture ---- */

static bool is_offered(D3DFORMAT format)
{
	return IDirect3D9Ex_CheckDeviceFormat(t.d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DUSAGE_DEPTHSTENCIL,
					      D3DRTYPE_TEXTURE, format) == D3D_OK;
}

/* A texture whose left half has depth 0.25 and whose right half has 0.75. */
static IDirect3DTexture9 *draw_depth_texture(D3DFORMAT format)
{
	IDirect3DTexture9 *texture = NULL;
	IDirect3DSurface9 *surface;

	if (FAILED(IDirect3DDevice9Ex_CreateTexture(DEVICE, SIZE, SIZE, 1, D3DUSAGE_DEPTHSTENCIL, format,
						    D3DPOOL_DEFAULT, &texture, NULL)))
		return NULL;
	IDirect3DTexture9_GetSurfaceLevel(texture, 0, &surface);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, surface);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_ZBUFFER, 0, 1.0f, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
	draw9_use_color(&d);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.25f, RED);
	draw9_rect(&d, 32, 0, SIZE, SIZE, 0.75f, RED);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, NULL);
	IDirect3DSurface9_Release(surface);
	return texture;
}

static void test_shadow(D3DFORMAT format, const char *name)
{
	IDirect3DPixelShader9 *ps;
	IDirect3DTexture9 *texture = NULL;
	char text[96];

	if (!is_offered(format)) {
		tap_eq(IDirect3DDevice9Ex_CreateTexture(DEVICE, SIZE, SIZE, 1, D3DUSAGE_DEPTHSTENCIL, format,
							D3DPOOL_DEFAULT, &texture, NULL),
		       D3DERR_INVALIDCALL, "%s as texture is refused where it is not offered", name);
		return;
	}
	texture = draw_depth_texture(format);
	if (!tap_ok(texture != NULL, "%s as texture is created and drawn to", name))
		return;
	ps = test9_ps(DEVICE, projected_ps);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, 0xff00ff00, 0, 0);
	draw9_use_texture(&d);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)texture);
	tap_eq(draw9_textured(&d, 0.5f, 1.0f), D3D_OK, "%s: drawn with reference depth 0.5", name);
	test9_read(DEVICE, &target);
	snprintf(text, sizeof(text), "%s: 0.5 is not less or equal to 0.25: in shadow", name);
	tap_eq(test9_pixel(&target, 16, 32) >> 16 & 0xff, 0, "%s", text);
	tap_eq(test9_pixel(&target, 48, 32) >> 16 & 0xff, 255, "%s: 0.5 is less or equal to 0.75: lit", name);
	draw9_textured(&d, 1.0f, 2.0f);
	test9_read(DEVICE, &target);
	tap_eq(test9_pixel(&target, 16, 32) >> 16 & 0xff, 0, "%s: the same projected by q = 2: in shadow", name);
	tap_eq(test9_pixel(&target, 48, 32) >> 16 & 0xff, 255, "%s: projected: lit", name);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	draw9_use_color(&d);
	IDirect3DPixelShader9_Release(ps);
	IDirect3DTexture9_Release(texture);
}

static void test_raw_depth(void)
{
	IDirect3DTexture9 *texture;

	if (!is_offered(FMT_INTZ))
		return;
	texture = draw_depth_texture(FMT_INTZ);
	if (!tap_ok(texture != NULL, "INTZ is created and drawn to"))
		return;
	draw9_use_texture(&d);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, (IDirect3DBaseTexture9 *)texture);
	draw9_textured(&d, 0.5f, 1.0f);
	test9_read(DEVICE, &target);
	tap_near(test9_pixel(&target, 16, 32) >> 16 & 0xff, 64, 1, "INTZ reads the depth itself: 0.25");
	tap_near(test9_pixel(&target, 48, 32) >> 16 & 0xff, 191, 1, "INTZ reads the depth itself: 0.75");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 0, NULL);
	draw9_use_color(&d);
	IDirect3DTexture9_Release(texture);
}

/* ---- cube faces ---- */

/* `offered`: what the GPU was started with; -1 = not known, either answer is right if it is kept. */
static void test_cube_faces(int offered)
{
	IDirect3DCubeTexture9 *cube = NULL;
	IDirect3DSurface9 *face, *depth = make_depth(SIZE, D3DFMT_D24S8, FALSE);
	HRESULT hr;

	tap_eq(IDirect3DDevice9Ex_CreateCubeTexture(DEVICE, SIZE, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
						    D3DPOOL_DEFAULT, &cube, NULL),
	       D3D_OK, "a cube of targets");
	for (unsigned i = 0; i < 6; i++) {
		IDirect3DCubeTexture9_GetCubeMapSurface(cube, (D3DCUBEMAP_FACES)i, 0, &face);
		IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, face);
		tap_eq(IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, depth), D3D_OK,
		       "face %u with a 2D depth-stencil surface", i);
		IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_TRUE);
		IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, BLACK, 1.0f, 0);
		hr = draw9_rect(&d, 0, 0, SIZE, SIZE, 0.25f, 0xff000000u | 40 * (i + 1));
		if (offered < 0)
			offered = SUCCEEDED(hr);
		tap_eq(hr, offered ? D3D_OK : D3DERR_INVALIDCALL, "drawing to face %u is %s", i,
		       offered ? "possible" : "refused");
		if (offered) {
			draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
			IDirect3DDevice9Ex_GetRenderTargetData(DEVICE, face, target.copy);
			IDirect3DDevice9Ex_StretchRect(DEVICE, face, NULL, target.surface, NULL, D3DTEXF_NONE);
			test9_read(DEVICE, &target);
			test9_check_pixel(&target, 32, 32, 0xff000000u | 40 * (i + 1), 1,
					  "the face is drawn with depth test");
		}
		IDirect3DDevice9Ex_SetDepthStencilSurface(DEVICE, NULL);
		IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ZENABLE, D3DZB_FALSE);
		tap_eq(draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED), D3D_OK,
		       "face %u without depth is drawn in any case", i);
		IDirect3DSurface9_Release(face);
	}
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DSurface9_Release(depth);
	IDirect3DCubeTexture9_Release(cube);
}

static void open_all(void)
{
	test9_open(&t, SIZE, SIZE);
	test9_target_create(DEVICE, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_open(&d, DEVICE, SIZE, SIZE);
}

static int close_all(void)
{
	draw9_close(&d);
	test9_target_destroy(&target);
	test9_close(&t);
	return tap_done();
}

int main(int argc, char **argv)
{
	open_all();
	if (argc > 1 && !strcmp(argv[1], "discard")) {
		test_discard_pattern();
		return close_all();
	}
	if (argc > 1) {
		test_cube_faces(!strcmp(argv[1], "cube"));
		test_shadow(D3DFMT_D24S8, "D24S8");
		return close_all();
	}
	for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		test_format(i);
	test_functions();
	test_ranges();
	test_stencil();
	test_two_sided();
	test_pairing();
	test_multisampling(D3DMULTISAMPLE_2_SAMPLES);
	test_multisampling(D3DMULTISAMPLE_4_SAMPLES);
	test_multisampling(D3DMULTISAMPLE_8_SAMPLES);
	test_shadow(D3DFMT_D16, "D16");
	test_shadow(D3DFMT_D24X8, "D24X8");
	test_shadow(D3DFMT_D24S8, "D24S8");
	test_raw_depth();
	test_cube_faces(-1);
	setenv("D3DGPU_DEBUG", "discard", 1);
	child_run(NULL, "discard", "debug mode");
	unsetenv("D3DGPU_DEBUG");
	if (child_can_choose_gpu()) {
		child_run("cube-ds=on,shadow=on,feature-level=9_3", "cube", "9_3 with cube-ds and shadow");
		child_run("cube-ds=off,shadow=off,feature-level=9_3", "no-cube",
				"9_3 without cube-ds and shadow");
	}
	return close_all();
}
