/* SPDX-License-Identifier: MIT */
/* Clears and draws: what arrives in the pixels. */
#define INITGUID
#include "draw9.h"

#include <string.h>

#include "hlsl9/color_ps_3.h"
#include "hlsl9/color_vs_3.h"
#include "hlsl9/constant_ps.h"
#include "hlsl9/moved_vs.h"
#include "hlsl9/two_ps.h"

#define SIZE 64
#define BLACK 0xff000000u
#define RED 0xffff0000u
#define GREEN 0xff00ff00u
#define BLUE 0xff0000ffu
#define WHITE 0xffffffffu

static struct test9 t;
static struct draw9 d;
static struct test9_target target;
#define DEVICE t.device

static void start(DWORD color)
{
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, color, 0, 0);
}

static void check(UINT x, UINT y, DWORD want, const char *name)
{
	test9_check_pixel(&target, x, y, want, 1, name);
}

/* ---- clears ---- */

static void test_clear(void)
{
	const D3DRECT rects[2] = {{4, 4, 12, 12}, {40, 40, 80, 80}};
	const D3DVIEWPORT9 viewport = {16, 16, 16, 16, 0, 1};
	const RECT scissor = {20, 20, 24, 24};

	start(0x80402010);
	test9_read(DEVICE, &target);
	test9_check_pixel(&target, 0, 0, 0x80402010, 0, "a clear reaches the first pixel");
	test9_check_pixel(&target, 63, 63, 0x80402010, 0, "a clear reaches the last pixel");

	start(BLACK);
	tap_eq(IDirect3DDevice9Ex_Clear(DEVICE, 2, rects, D3DCLEAR_TARGET, RED, 0, 0), D3D_OK,
	       "clear of two rectangles");
	test9_read(DEVICE, &target);
	check(3, 4, BLACK, "left of a cleared rectangle nothing changes");
	check(4, 4, RED, "the rectangle's first pixel is cleared");
	check(11, 11, RED, "the rectangle's last pixel is cleared");
	check(12, 11, BLACK, "the right edge does not belong to it");
	check(63, 63, RED, "a rectangle that leaves the target is cut");

	IDirect3DDevice9Ex_SetViewport(DEVICE, &viewport);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, GREEN, 0, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SCISSORTESTENABLE, TRUE);
	IDirect3DDevice9Ex_SetScissorRect(DEVICE, &scissor);
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, BLUE, 0, 0);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SCISSORTESTENABLE, FALSE);
	test9_read(DEVICE, &target);
	check(15, 20, BLACK, "a clear stays inside the viewport");
	check(16, 16, GREEN, "a clear fills the viewport");
	check(31, 31, GREEN, "to its last pixel");
	check(32, 31, BLACK, "and not beyond");
	check(20, 20, BLUE, "a clear with scissor test fills the scissor rectangle");
	check(24, 24, GREEN, "and not beyond");
	tap_eq(IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, 0, 0, 0, 0), D3DERR_INVALIDCALL,
	       "a clear of nothing is refused");
	tap_eq(IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, 0x10, 0, 0, 0), D3DERR_INVALIDCALL,
	       "unknown clear flags are refused");
}

/* ---- rectangles and their edges ---- */

static void test_edges(void)
{
	start(BLACK);
	tap_eq(draw9_rect(&d, 8, 4, 16, 12, 0.5f, RED), D3D_OK, "a rectangle is drawn");
	draw9_rect(&d, 24.25f, 4, 32.25f, 12, 0.5f, GREEN);
	draw9_rect(&d, 40, 4.75f, 48, 12.75f, 0.5f, BLUE);
	test9_read(DEVICE, &target);
	check(8, 4, RED, "its top left pixel is covered");
	check(15, 11, RED, "its bottom right pixel is covered");
	check(7, 4, BLACK, "left of it is background");
	check(16, 11, BLACK, "its right edge is not covered");
	check(15, 12, BLACK, "its bottom edge is not covered");
	check(24, 6, BLACK, "pixel centres are whole numbers: an edge at 24.25 leaves pixel 24 out");
	check(25, 6, GREEN, "and covers pixel 25");
	check(32, 6, GREEN, "an edge at 32.25 covers pixel 32");
	check(42, 4, BLACK, "an edge at 4.75 leaves row 4 out");
	check(42, 5, BLUE, "and covers row 5");
	check(42, 12, BLUE, "an edge at 12.75 covers row 12");
	check(42, 13, BLACK, "and leaves row 13 out");
}

static void test_interpolation(void)
{
	const struct color_vertex corners[4] = {{-1, 1, 0, 1, BLACK}, {1, 1, 0, 1, RED}, {-1, -1, 0, 1, BLUE},
						{1, -1, 0, 1, 0xffff00ff}};

	start(0);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
	test9_read(DEVICE, &target);
	test9_check_pixel(&target, 0, 0, BLACK, 2, "colours interpolate: top left");
	test9_check_pixel(&target, 32, 0, 0xff800000, 2, "colours interpolate: half way right");
	test9_check_pixel(&target, 0, 32, 0xff000080, 2, "colours interpolate: half way down");
	test9_check_pixel(&target, 16, 48, 0xff4000bf, 3, "colours interpolate: inside");

	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SHADEMODE, D3DSHADE_FLAT);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SHADEMODE, D3DSHADE_GOURAUD);
	test9_read(DEVICE, &target);
	check(4, 4, BLACK, "flat shading takes the first vertex's colour");
	check(60, 60, RED, "flat shading: the strip's second triangle");
}

/* ---- culling and winding ---- */

static DWORD culled(DWORD mode, bool clockwise)
{
	const struct color_vertex triangle[2][3] = {
		{{-1, 1, 0, 1, RED}, {-1, -1, 0, 1, RED}, {1, 1, 0, 1, RED}},	/* counter-clockwise as seen */
		{{-1, 1, 0, 1, RED}, {1, 1, 0, 1, RED}, {-1, -1, 0, 1, RED}},
	};

	start(BLACK);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CULLMODE, mode);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, triangle[clockwise], sizeof(triangle[0][0]));
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CULLMODE, D3DCULL_NONE);
	test9_read(DEVICE, &target);
	return test9_pixel(&target, 4, 4);
}

static void test_culling(void)
{
	tap_eq(culled(D3DCULL_CW, true), BLACK, "CULL_CW drops clockwise triangles");
	tap_eq(culled(D3DCULL_CW, false), RED, "CULL_CW keeps counter-clockwise triangles");
	tap_eq(culled(D3DCULL_CCW, true), RED, "CULL_CCW keeps clockwise triangles");
	tap_eq(culled(D3DCULL_CCW, false), BLACK, "CULL_CCW drops counter-clockwise triangles");
	tap_eq(culled(D3DCULL_NONE, true), RED, "CULL_NONE keeps both: clockwise");
	tap_eq(culled(D3DCULL_NONE, false), RED, "CULL_NONE keeps both: counter-clockwise");
}

/* ---- blending and write masks ---- */

static void test_blending(void)
{
	start(0xff204060);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHABLENDENABLE, TRUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRCBLEND, D3DBLEND_SRCALPHA);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA);
	draw9_rect(&d, 0, 0, 8, 64, 0.5f, 0x80ff0000);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRCBLEND, D3DBLEND_ONE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_DESTBLEND, D3DBLEND_ONE);
	draw9_rect(&d, 8, 0, 16, 64, 0.5f, 0x00102030);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_BLENDOP, D3DBLENDOP_REVSUBTRACT);
	draw9_rect(&d, 16, 0, 24, 64, 0.5f, 0x00101010);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_BLENDOP, D3DBLENDOP_ADD);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRCBLEND, D3DBLEND_BLENDFACTOR);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_DESTBLEND, D3DBLEND_ZERO);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_BLENDFACTOR, 0xff80ff40);
	draw9_rect(&d, 24, 0, 32, 64, 0.5f, WHITE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHABLENDENABLE, FALSE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_COLORWRITEENABLE, D3DCOLORWRITEENABLE_GREEN);
	draw9_rect(&d, 32, 0, 40, 64, 0.5f, WHITE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_COLORWRITEENABLE, 0xf);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHATESTENABLE, TRUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAREF, 0x80);
	draw9_rect(&d, 40, 0, 48, 64, 0.5f, 0x7f00ff00);
	draw9_rect(&d, 48, 0, 56, 64, 0.5f, 0x80ff0000);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHATESTENABLE, FALSE);
	test9_read(DEVICE, &target);
	test9_check_pixel(&target, 4, 4, 0xbf902030, 2, "source alpha blending");
	check(12, 4, 0xff306090, "additive blending");
	check(20, 4, 0xff103050, "reverse subtraction");
	check(28, 4, 0xff80ff40, "blend factor");
	check(36, 4, 0xff20ff60, "a write mask keeps the other channels");
	check(44, 4, 0xff204060, "alpha test drops what is below the reference");
	check(52, 4, 0x80ff0000, "alpha test keeps what reaches it");
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SRCBLEND, D3DBLEND_ONE);
}

/* ---- viewport, scissor, clip planes ---- */

static void test_viewport(void)
{
	const D3DVIEWPORT9 viewport = {16, 8, 32, 16, 0, 1};
	const RECT scissor = {10, 10, 20, 20};
	const float plane[4] = {1, 0, 0, 0};	/* keeps x >= 0 */

	start(BLACK);
	IDirect3DDevice9Ex_SetViewport(DEVICE, &viewport);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	test9_read(DEVICE, &target);
	check(15, 12, BLACK, "left of the viewport is background");
	check(16, 8, RED, "the viewport's first pixel is covered");
	check(47, 23, RED, "the viewport's last pixel is covered");
	check(48, 23, BLACK, "right of it is background");
	check(47, 24, BLACK, "below it is background");

	start(BLACK);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SCISSORTESTENABLE, TRUE);
	IDirect3DDevice9Ex_SetScissorRect(DEVICE, &scissor);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, GREEN);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_SCISSORTESTENABLE, FALSE);
	test9_read(DEVICE, &target);
	check(9, 12, BLACK, "scissor test: outside");
	check(10, 10, GREEN, "scissor test: first pixel");
	check(19, 19, GREEN, "scissor test: last pixel");
	check(20, 19, BLACK, "scissor test: beyond");

	start(BLACK);
	IDirect3DDevice9Ex_SetClipPlane(DEVICE, 0, plane);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CLIPPLANEENABLE, D3DCLIPPLANE0);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, BLUE);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CLIPPLANEENABLE, 0);
	test9_read(DEVICE, &target);
	check(28, 32, BLACK, "a clip plane cuts the half with negative x");
	check(36, 32, BLUE, "and keeps the other");
}

/* ---- buffers ---- */

static void test_buffers(void)
{
	const struct color_vertex vertices[8] = {
		{9, 9, 9, 1, RED}, {-1, 1, 0, 1, RED}, {0, 1, 0, 1, RED}, {-1, 0, 0, 1, RED},
		{0, 0, 0, 1, RED}, {0, 0, 0, 1, GREEN}, {1, 0, 0, 1, GREEN}, {0, -1, 0, 1, GREEN},
	};
	const uint16_t indices[9] = {7, 7, 7, 0, 1, 2, 1, 3, 2};
	IDirect3DVertexBuffer9 *vb = NULL, *got_vb = NULL;
	IDirect3DIndexBuffer9 *ib = NULL;
	UINT offset, stride;
	void *data;

	tap_eq(IDirect3DDevice9Ex_CreateVertexBuffer(DEVICE, sizeof(vertices), 0, 0, D3DPOOL_DEFAULT, &vb, NULL),
	       D3D_OK, "a vertex buffer is created");
	tap_eq(IDirect3DVertexBuffer9_Lock(vb, 0, 0, &data, 0), D3D_OK, "and locked");
	memcpy(data, vertices, sizeof(vertices));
	tap_eq(IDirect3DVertexBuffer9_Unlock(vb), D3D_OK, "and unlocked");
	tap_eq(IDirect3DDevice9Ex_CreateIndexBuffer(DEVICE, sizeof(indices), D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
						    D3DPOOL_DEFAULT, &ib, NULL),
	       D3D_OK, "an index buffer is created");
	IDirect3DIndexBuffer9_Lock(ib, 0, 0, &data, 0);
	memcpy(data, indices, sizeof(indices));
	IDirect3DIndexBuffer9_Unlock(ib);

	start(BLACK);
	tap_eq(IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, vb, sizeof(vertices[0]), sizeof(vertices[0])), D3D_OK,
	       "SetStreamSource");
	tap_eq(IDirect3DDevice9Ex_DrawPrimitive(DEVICE, D3DPT_TRIANGLELIST, 4, 1), D3D_OK, "DrawPrimitive");
	IDirect3DDevice9Ex_SetIndices(DEVICE, ib);
	tap_eq(IDirect3DDevice9Ex_DrawIndexedPrimitive(DEVICE, D3DPT_TRIANGLELIST, 0, 0, 4, 3, 2), D3D_OK,
	       "DrawIndexedPrimitive");
	test9_read(DEVICE, &target);
	check(8, 8, RED, "indices, stream offset: the upper left half");
	check(28, 28, RED, "indices: the quad's second triangle");
	check(40, 34, GREEN, "start vertex and stream offset");
	check(40, 8, BLACK, "nothing else is drawn");

	start(BLACK);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, vb, 0, sizeof(vertices[0]));
	IDirect3DDevice9Ex_DrawIndexedPrimitive(DEVICE, D3DPT_TRIANGLELIST, 5, 0, 3, 3, 1);
	test9_read(DEVICE, &target);
	check(40, 34, GREEN, "a base vertex moves the indices");

	tap_eq(IDirect3DDevice9Ex_GetStreamSource(DEVICE, 0, &got_vb, &offset, &stride), D3D_OK, "GetStreamSource");
	tap_ok(got_vb == vb && !offset && stride == sizeof(vertices[0]), "gives back what was set");
	IDirect3DVertexBuffer9_Release(got_vb);
	draw9_rect(&d, 0, 0, 1, 1, 0, 0);
	IDirect3DDevice9Ex_GetStreamSource(DEVICE, 0, &got_vb, &offset, &stride);
	tap_ok(!got_vb, "DrawPrimitiveUP leaves stream 0 unbound");
	tap_eq(IDirect3DVertexBuffer9_Lock(vb, sizeof(vertices) + 1, 0, &data, 0), D3DERR_INVALIDCALL,
	       "a lock beyond the buffer is refused");
	IDirect3DVertexBuffer9_Release(vb);
	IDirect3DIndexBuffer9_Release(ib);
	IDirect3DDevice9Ex_SetIndices(DEVICE, NULL);
}

/* A dynamic buffer rewritten with DISCARD between draws: every draw sees what it was given. */
static void test_dynamic_buffer(void)
{
	IDirect3DVertexBuffer9 *vb = NULL;
	bool right = true;

	IDirect3DDevice9Ex_CreateVertexBuffer(DEVICE, 4 * sizeof(struct color_vertex),
					      D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT, &vb, NULL);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, vb, 0, sizeof(struct color_vertex));
	start(BLACK);
	for (unsigned i = 0; i < SIZE; i++) {
		float left = (float)i / SIZE * 2 - 1, right_edge = (float)(i + 1) / SIZE * 2 - 1;
		DWORD color = BLACK | i << 18 | (63 - i) << 2;
		struct color_vertex *v;

		if (FAILED(IDirect3DVertexBuffer9_Lock(vb, 0, 0, (void **)&v, D3DLOCK_DISCARD)))
			break;
		v[0] = (struct color_vertex){left, 1, 0, 1, color};
		v[1] = (struct color_vertex){right_edge, 1, 0, 1, color};
		v[2] = (struct color_vertex){left, -1, 0, 1, color};
		v[3] = (struct color_vertex){right_edge, -1, 0, 1, color};
		IDirect3DVertexBuffer9_Unlock(vb);
		IDirect3DDevice9Ex_DrawPrimitive(DEVICE, D3DPT_TRIANGLESTRIP, 0, 2);
	}
	test9_read(DEVICE, &target);
	for (unsigned i = 0; i < SIZE; i++)
		right &= test9_pixel(&target, i, 32) == (BLACK | i << 18 | (63 - i) << 2);
	tap_ok(right, "64 draws from one dynamic buffer with DISCARD each see their own vertices");
	IDirect3DVertexBuffer9_Release(vb);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, NULL, 0, 0);
}

static void test_user_memory(void)
{
	struct color_vertex vertices[6];
	const uint16_t indices[6] = {2, 3, 4, 3, 5, 4};
	const uint32_t wide[3] = {2, 3, 4};

	for (unsigned i = 0; i < 4; i++)
		vertices[2 + i] = (struct color_vertex){i & 1 ? 1.0f : 0.0f, i & 2 ? 0.0f : 1.0f, 0, 1, BLUE};
	start(BLACK);
	tap_eq(IDirect3DDevice9Ex_DrawIndexedPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 2, 4, 2, indices, D3DFMT_INDEX16,
							 vertices, sizeof(vertices[0])),
	       D3D_OK, "DrawIndexedPrimitiveUP");
	test9_read(DEVICE, &target);
	check(34, 2, BLUE, "16-bit indices with a minimum index");
	check(60, 30, BLUE, "the second triangle");
	check(30, 2, BLACK, "and nothing else");
	start(BLACK);
	IDirect3DDevice9Ex_DrawIndexedPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 2, 3, 1, wide, D3DFMT_INDEX32, vertices,
						  sizeof(vertices[0]));
	test9_read(DEVICE, &target);
	check(34, 2, BLUE, "32-bit indices");
	tap_eq(IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, NULL, 20), D3DERR_INVALIDCALL,
	       "no vertices are refused");
	tap_eq(IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 1, vertices, 0), D3DERR_INVALIDCALL,
	       "a stride of 0 is refused");
	tap_eq(IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, (D3DPRIMITIVETYPE)0, 1, vertices, 20), D3DERR_INVALIDCALL,
	       "an unknown primitive is refused");
	/* Their bytes do not fit into 32 bits: nothing of them may be read. Lower levels have limits below that. */
	if (3ull * t.caps.MaxPrimitiveCount * t.caps.MaxStreamStride > UINT32_MAX)
		tap_eq(IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, t.caps.MaxPrimitiveCount, vertices,
							  t.caps.MaxStreamStride),
		       E_OUTOFMEMORY, "more than 4 GiB of vertices are refused");
	if ((uint64_t)t.caps.MaxVertexIndex * t.caps.MaxStreamStride > UINT32_MAX)
		tap_eq(IDirect3DDevice9Ex_DrawIndexedPrimitiveUP(DEVICE, D3DPT_TRIANGLELIST, 0, t.caps.MaxVertexIndex, 1,
								 indices, D3DFMT_INDEX16, vertices,
								 t.caps.MaxStreamStride),
		       E_OUTOFMEMORY, "with indices, too");
	tap_eq(IDirect3DDevice9Ex_DrawPrimitive(DEVICE, D3DPT_TRIANGLELIST, 0, 0x55555556), D3DERR_INVALIDCALL,
	       "a draw whose vertices cannot be counted in 32 bits is refused");
}

/* CLIPPLANEENABLE has a bit for each plane; what programs leave in the others counts for nothing. */
static void test_clip_plane_bits(void)
{
	start(BLACK);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CLIPPLANEENABLE, 0x100);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, RED);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_CLIPPLANEENABLE, 0);
	test9_read(DEVICE, &target);
	check(20, 20, RED, "bits above the clip planes clip nothing");
}

static void test_primitives(void)
{
	const struct color_vertex fan[5] = {
		{0, 0, 0, 1, RED}, {-1, 1, 0, 1, RED}, {1, 1, 0, 1, RED}, {1, -1, 0, 1, RED}, {-1, -1, 0, 1, RED}};
	/* Row 20's centres lie at y = 1 - 20 / 32. */
	const struct color_vertex line[2] = {{-1, 0.375f, 0, 1, GREEN}, {1, 0.375f, 0, 1, GREEN}};
	const struct color_vertex point[1] = {{-0.5f, 0.5f, 0, 1, BLUE}};

	start(BLACK);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_TRIANGLEFAN, 3, fan, sizeof(fan[0]));
	test9_read(DEVICE, &target);
	check(32, 4, RED, "triangle fan: first triangle");
	check(60, 32, RED, "triangle fan: second triangle");
	check(32, 60, RED, "triangle fan: third triangle");
	check(4, 32, BLACK, "triangle fan: no fourth");
	start(BLACK);
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_LINELIST, 1, line, sizeof(line[0]));
	IDirect3DDevice9Ex_DrawPrimitiveUP(DEVICE, D3DPT_POINTLIST, 1, point, sizeof(point[0]));
	test9_read(DEVICE, &target);
	check(32, 20, GREEN, "a line covers its row");
	check(32, 22, BLACK, "and not the one below");
	check(16, 16, BLUE, "a point covers its pixel");
}

/* ---- shaders, constants, targets ---- */

static void test_constants(void)
{
	const float scale[4] = {0.5f, 0.5f, 1, 1}, offset[4] = {0.5f, 0.5f, 0, 0},
		    color[4] = {0.25f, 0.5f, 0.75f, 1.0f};
	float back[4] = {0};
	IDirect3DVertexShader9 *vs = test9_vs(DEVICE, moved_vs);
	IDirect3DPixelShader9 *ps = test9_ps(DEVICE, constant_ps);

	start(BLACK);
	IDirect3DDevice9Ex_SetVertexShader(DEVICE, vs);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetVertexShaderConstantF(DEVICE, 0, scale, 1);
	IDirect3DDevice9Ex_SetVertexShaderConstantF(DEVICE, 1, offset, 1);
	IDirect3DDevice9Ex_SetPixelShaderConstantF(DEVICE, 0, color, 1);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, WHITE);
	test9_read(DEVICE, &target);
	check(32, 0, 0xff4080bf, "vertex shader constants move the rectangle to the upper right");
	check(63, 31, 0xff4080bf, "pixel shader constants colour it");
	check(31, 0, BLACK, "left of it is background");
	check(32, 32, BLACK, "below it is background");
	IDirect3DDevice9Ex_GetVertexShaderConstantF(DEVICE, 1, back, 1);
	tap_mem(back, offset, sizeof(back), "GetVertexShaderConstantF gives back what was set");
	tap_eq(IDirect3DDevice9Ex_SetVertexShaderConstantF(DEVICE, 255, scale, 2), D3DERR_INVALIDCALL,
	       "register 256 is refused");
	tap_eq(IDirect3DDevice9Ex_SetPixelShaderConstantF(DEVICE, 224, scale, 1), D3DERR_INVALIDCALL,
	       "pixel shader register 224 is refused");
	draw9_use_color(&d);
	IDirect3DVertexShader9_Release(vs);
	IDirect3DPixelShader9_Release(ps);
}

static void test_shader_model_3(void)
{
	IDirect3DVertexShader9 *vs;
	IDirect3DPixelShader9 *ps;

	if (t.caps.VertexShaderVersion < D3DVS_VERSION(3, 0)) {
		vs = NULL;
		tap_eq(IDirect3DDevice9Ex_CreateVertexShader(DEVICE, (const DWORD *)color_vs_3, &vs),
		       D3DERR_INVALIDCALL, "vs_3_0 is refused where the caps do not have it");
		return;
	}
	vs = test9_vs(DEVICE, color_vs_3);
	ps = test9_ps(DEVICE, color_ps_3);
	start(BLACK);
	IDirect3DDevice9Ex_SetVertexShader(DEVICE, vs);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, 0xff123456);
	test9_read(DEVICE, &target);
	check(32, 32, 0xff123456, "vs_3_0 and ps_3_0");
	draw9_use_color(&d);
	IDirect3DVertexShader9_Release(vs);
	IDirect3DPixelShader9_Release(ps);
}

static void test_bad_shaders(void)
{
	static const DWORD no_version[] = {0x12345678, 0xffff}, pixel_as_vertex[] = {0xffff0200, 0xffff};
	static const DWORD garbage[] = {0xfffe0200, 0x00000fff, 0x12345678, 0xffff};
	IDirect3DVertexShader9 *vs = NULL;

	tap_eq(IDirect3DDevice9Ex_CreateVertexShader(DEVICE, no_version, &vs), D3DERR_INVALIDCALL, "no version token");
	tap_eq(IDirect3DDevice9Ex_CreateVertexShader(DEVICE, pixel_as_vertex, &vs), D3DERR_INVALIDCALL,
	       "a pixel shader is no vertex shader");
	tap_eq(IDirect3DDevice9Ex_CreateVertexShader(DEVICE, garbage, &vs), D3DERR_INVALIDCALL,
	       "an unknown instruction");
	tap_eq(IDirect3DDevice9Ex_CreateVertexShader(DEVICE, NULL, &vs), D3DERR_INVALIDCALL, "no code");
}

static void test_two_targets(void)
{
	struct test9_target second;
	IDirect3DPixelShader9 *ps;

	if (t.caps.NumSimultaneousRTs < 2) {
		tap_eq(IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 1, target.surface), D3DERR_INVALIDCALL,
		       "a second target is refused where the caps have one");
		return;
	}
	ps = test9_ps(DEVICE, two_ps);
	test9_target_create(DEVICE, SIZE, SIZE, &second);
	start(BLACK);
	tap_eq(IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 1, second.surface), D3D_OK, "a second target");
	IDirect3DDevice9Ex_Clear(DEVICE, 0, NULL, D3DCLEAR_TARGET, 0x40404040, 0, 0);
	IDirect3DDevice9Ex_SetPixelShader(DEVICE, ps);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_COLORWRITEENABLE1, D3DCOLORWRITEENABLE_RED);
	draw9_rect(&d, 0, 0, 32, SIZE, 0.5f, 0xff804020);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_COLORWRITEENABLE1, 0xf);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 1, NULL);
	draw9_use_color(&d);
	test9_read(DEVICE, &target);
	test9_read(DEVICE, &second);
	check(4, 4, 0xff804020, "the first target gets COLOR0");
	check(60, 4, 0x40404040, "both targets were cleared");
	test9_check_pixel(&second, 4, 4, 0x407f4040, 1, "the second target gets COLOR1 through its own write mask");
	test9_check_pixel(&second, 60, 4, 0x40404040, 1, "the second target was cleared");
	test9_target_destroy(&second);
	IDirect3DPixelShader9_Release(ps);
}

/* What is not there to draw with. */
static void test_refusals(void)
{
	tap_eq(IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, NULL), D3DERR_INVALIDCALL, "target 0 cannot be unbound");
	tap_eq(IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 4, target.surface), D3DERR_INVALIDCALL,
	       "there is no target 4");
	tap_eq(IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.copy), D3DERR_INVALIDCALL,
	       "a plain surface is no target");
	IDirect3DDevice9Ex_SetVertexShader(DEVICE, NULL);
	tap_eq(draw9_rect(&d, 0, 0, 8, 8, 0, RED), D3DERR_INVALIDCALL, "a draw without vertex shader is refused");
	draw9_use_color(&d);
	IDirect3DDevice9Ex_SetVertexDeclaration(DEVICE, NULL);
	tap_eq(draw9_rect(&d, 0, 0, 8, 8, 0, RED), D3DERR_INVALIDCALL, "a draw without declaration is refused");
	draw9_use_color(&d);
	tap_eq(IDirect3DDevice9Ex_BeginScene(DEVICE), D3D_OK, "BeginScene");
	tap_eq(IDirect3DDevice9Ex_BeginScene(DEVICE), D3DERR_INVALIDCALL, "a scene inside a scene is refused");
	tap_eq(IDirect3DDevice9Ex_EndScene(DEVICE), D3D_OK, "EndScene");
	tap_eq(IDirect3DDevice9Ex_EndScene(DEVICE), D3DERR_INVALIDCALL, "EndScene without a scene is refused");
}

int main(void)
{
	test9_open(&t, SIZE, SIZE);
	test9_target_create(DEVICE, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, target.surface);
	draw9_open(&d, DEVICE, SIZE, SIZE);
	test_clear();
	test_edges();
	test_interpolation();
	test_culling();
	test_blending();
	test_viewport();
	test_buffers();
	test_dynamic_buffer();
	test_user_memory();
	test_clip_plane_bits();
	test_primitives();
	test_constants();
	test_shader_model_3();
	test_bad_shaders();
	test_two_targets();
	test_refusals();
	draw9_close(&d);
	test9_target_destroy(&target);
	test9_close(&t);
	return tap_done();
}
