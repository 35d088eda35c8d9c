/* SPDX-License-Identifier: MIT */
#include "draw9.h"

#include <string.h>

#include "hlsl9/color_ps.h"
#include "hlsl9/color_vs.h"
#include "hlsl9/textured_ps.h"
#include "hlsl9/textured_vs.h"

static const D3DVERTEXELEMENT9 color_elements[] = {
	{0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
	{0, 16, D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
	D3DDECL_END(),
};

static const D3DVERTEXELEMENT9 textured_elements[] = {
	{0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
	{0, 16, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
	D3DDECL_END(),
};

void draw9_open(struct draw9 *d, IDirect3DDevice9Ex *device, UINT width, UINT height)
{
	memset(d, 0, sizeof(*d));
	d->device = device;
	d->width = width;
	d->height = height;
	IDirect3DDevice9Ex_CreateVertexDeclaration(device, color_elements, &d->color_declaration);
	IDirect3DDevice9Ex_CreateVertexDeclaration(device, textured_elements, &d->textured_declaration);
	d->color_vs = test9_vs(device, color_vs);
	d->textured_vs = test9_vs(device, textured_vs);
	d->color_ps = test9_ps(device, color_ps);
	d->textured_ps = test9_ps(device, textured_ps);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_CULLMODE, D3DCULL_NONE);
	IDirect3DDevice9Ex_SetRenderState(device, D3DRS_ZENABLE, D3DZB_FALSE);
	draw9_use_color(d);
}

void draw9_close(struct draw9 *d)
{
	IDirect3DDevice9Ex_SetVertexDeclaration(d->device, NULL);
	IDirect3DDevice9Ex_SetVertexShader(d->device, NULL);
	IDirect3DDevice9Ex_SetPixelShader(d->device, NULL);
	IDirect3DVertexDeclaration9_Release(d->color_declaration);
	IDirect3DVertexDeclaration9_Release(d->textured_declaration);
	IDirect3DVertexShader9_Release(d->color_vs);
	IDirect3DVertexShader9_Release(d->textured_vs);
	IDirect3DPixelShader9_Release(d->color_ps);
	IDirect3DPixelShader9_Release(d->textured_ps);
}

void draw9_use_color(struct draw9 *d)
{
	IDirect3DDevice9Ex_SetVertexDeclaration(d->device, d->color_declaration);
	IDirect3DDevice9Ex_SetVertexShader(d->device, d->color_vs);
	IDirect3DDevice9Ex_SetPixelShader(d->device, d->color_ps);
}

void draw9_use_texture(struct draw9 *d)
{
	IDirect3DDevice9Ex_SetVertexDeclaration(d->device, d->textured_declaration);
	IDirect3DDevice9Ex_SetVertexShader(d->device, d->textured_vs);
	IDirect3DDevice9Ex_SetPixelShader(d->device, d->textured_ps);
}

static float clip_x(const struct draw9 *d, float x)
{
	return x / (float)d->width * 2.0f - 1.0f;
}

static float clip_y(const struct draw9 *d, float y)
{
	return 1.0f - y / (float)d->height * 2.0f;
}

HRESULT draw9_rect(struct draw9 *d, float left, float top, float right, float bottom, float z, DWORD color)
{
	const struct color_vertex corners[4] = {
		{clip_x(d, left), clip_y(d, top), z, 1.0f, color},
		{clip_x(d, right), clip_y(d, top), z, 1.0f, color},
		{clip_x(d, left), clip_y(d, bottom), z, 1.0f, color},
		{clip_x(d, right), clip_y(d, bottom), z, 1.0f, color},
	};

	return IDirect3DDevice9Ex_DrawPrimitiveUP(d->device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
}

HRESULT draw9_corners(struct draw9 *d, const float coordinates[4][4])
{
	struct textured_vertex corners[4];

	for (unsigned i = 0; i < 4; i++) {
		/* Half a pixel up and left, so that pixel centres lie in the middle of what they show. */
		float x = (float)(i & 1 ? d->width : 0) - 0.5f, y = (float)(i & 2 ? d->height : 0) - 0.5f;

		corners[i] = (struct textured_vertex){clip_x(d, x), clip_y(d, y), 0.5f, 1.0f, coordinates[i][0],
						      coordinates[i][1], coordinates[i][2], coordinates[i][3]};
	}
	return IDirect3DDevice9Ex_DrawPrimitiveUP(d->device, D3DPT_TRIANGLESTRIP, 2, corners, sizeof(corners[0]));
}

HRESULT draw9_textured(struct draw9 *d, float s, float q)
{
	const float coordinates[4][4] = {{0, 0, s, q}, {q, 0, s, q}, {0, q, s, q}, {q, q, s, q}};

	return draw9_corners(d, coordinates);
}
