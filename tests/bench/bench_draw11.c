/* SPDX-License-Identifier: MIT */
/* Draws and clears in a second through Direct3D 11, from the call until the GPU has done them; as bench_draw9.c. */
#define INITGUID
#include "bench11.h"

#include <string.h>

#include "hlsl/inverted_ps_4.h"
#include "hlsl/textured_ps_4.h"

#define BUFFER_TRIANGLES 4096u

struct drawing {
	struct bench11 bench;
	ID3D11PixelShader *inverted_ps, *textured_ps;
	ID3D11ShaderResourceView *textures[2];
	ID3D11Buffer *dynamic;		/* of BUFFER_TRIANGLES */
	unsigned next;			/* free triangle of it */
	ID3D11RenderTargetView *target;	/* of clears: large, with depth */
	ID3D11DepthStencilView *depth;
};

static void draw_unchanged(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++)
		ID3D11DeviceContext_Draw(d->bench.context, 3, 0);
	bench11_finish(&d->bench);
}

static void draw_with_constants(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++) {
		const float move[4] = {(float)(i % 8) / 16, 0, 0, 0};

		bench11_set_constants(&d->bench, move);
		ID3D11DeviceContext_Draw(d->bench.context, 3, 0);
	}
	bench11_finish(&d->bench);
}

static void draw_with_textures(void *data, unsigned count)
{
	struct drawing *d = data;

	ID3D11DeviceContext_PSSetShader(d->bench.context, d->textured_ps, NULL, 0);
	for (unsigned i = 0; i < count; i++) {
		ID3D11DeviceContext_PSSetShaderResources(d->bench.context, 0, 1, &d->textures[i % 2]);
		ID3D11DeviceContext_Draw(d->bench.context, 3, 0);
	}
	ID3D11DeviceContext_PSSetShader(d->bench.context, d->bench.tinted_ps, NULL, 0);
	bench11_finish(&d->bench);
}

static void draw_with_shaders(void *data, unsigned count)
{
	struct drawing *d = data;

	for (unsigned i = 0; i < count; i++) {
		ID3D11DeviceContext_PSSetShader(d->bench.context, i % 2 ? d->inverted_ps : d->bench.tinted_ps, NULL, 0);
		ID3D11DeviceContext_Draw(d->bench.context, 3, 0);
	}
	ID3D11DeviceContext_PSSetShader(d->bench.context, d->bench.tinted_ps, NULL, 0);
	bench11_finish(&d->bench);
}

static void draw_dynamic(void *data, unsigned count)
{
	struct drawing *d = data;
	ID3D11Resource *buffer = (ID3D11Resource *)d->dynamic;
	D3D11_MAPPED_SUBRESOURCE mapped;

	bench11_use_vertices(&d->bench, d->dynamic);
	for (unsigned i = 0; i < count; i++) {
		d->next %= BUFFER_TRIANGLES;
		bench_must(ID3D11DeviceContext_Map(d->bench.context, buffer, 0,
						   d->next ? D3D11_MAP_WRITE_NO_OVERWRITE : D3D11_MAP_WRITE_DISCARD, 0, &mapped),
			   "Map");
		memcpy((char *)mapped.pData + d->next * sizeof(bench11_triangle), bench11_triangle, sizeof(bench11_triangle));
		ID3D11DeviceContext_Unmap(d->bench.context, buffer, 0);
		ID3D11DeviceContext_Draw(d->bench.context, 3, d->next * 3);
		d->next++;
	}
	bench11_use_vertices(&d->bench, d->bench.vertices);
	bench11_finish(&d->bench);
}

static void clear(struct drawing *d, bool depth, unsigned count)
{
	const float color[4] = {0.25f, 0.5f, 0.75f, 1};

	for (unsigned i = 0; i < count; i++) {
		ID3D11DeviceContext_ClearRenderTargetView(d->bench.context, d->target, color);
		if (depth)
			ID3D11DeviceContext_ClearDepthStencilView(d->bench.context, d->depth, D3D11_CLEAR_DEPTH | D3D11_CLEAR_STENCIL,
								  1, 0);
		ID3D11DeviceContext_Draw(d->bench.context, 3, 0);
	}
	bench11_finish(&d->bench);
}

static void clear_color(void *data, unsigned count)
{
	clear(data, false, count);
}

static void clear_all(void *data, unsigned count)
{
	clear(data, true, count);
}

static void measure_clears(struct drawing *d)
{
	ID3D11DeviceContext_OMSetRenderTargets(d->bench.context, 1, &d->target, d->depth);
	bench_rate("d3d11.clear.color", "clears/s", clear_color, d);
	bench_rate("d3d11.clear.color_depth_stencil", "clears/s", clear_all, d);
	ID3D11DeviceContext_OMSetRenderTargets(d->bench.context, 1, &d->bench.target, NULL);
}

static void create_large_target(struct drawing *d)
{
	D3D11_TEXTURE2D_DESC desc = {1280, 720, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT,
				     D3D11_BIND_DEPTH_STENCIL, 0, 0};
	ID3D11Texture2D *color = bench11_texture(&d->bench, 1280, 720, D3D11_BIND_RENDER_TARGET, D3D11_USAGE_DEFAULT, 0), *depth;

	bench_must(ID3D11Device_CreateTexture2D(d->bench.device, &desc, NULL, &depth), "CreateTexture2D");
	bench_must(ID3D11Device_CreateRenderTargetView(d->bench.device, (ID3D11Resource *)color, NULL, &d->target),
		   "CreateRenderTargetView");
	bench_must(ID3D11Device_CreateDepthStencilView(d->bench.device, (ID3D11Resource *)depth, NULL, &d->depth),
		   "CreateDepthStencilView");
	ID3D11Texture2D_Release(color); /* the views keep them */
	ID3D11Texture2D_Release(depth);
}

static void create(struct drawing *d)
{
	bench11_open(&d->bench, 64, 64);
	d->inverted_ps = bench11_pixel_shader(&d->bench, inverted_ps_4, sizeof(inverted_ps_4));
	d->textured_ps = bench11_pixel_shader(&d->bench, textured_ps_4, sizeof(textured_ps_4));
	for (unsigned i = 0; i < 2; i++) {
		ID3D11Texture2D *texture = bench11_texture(&d->bench, 16, 16, D3D11_BIND_SHADER_RESOURCE, D3D11_USAGE_DEFAULT, 0);

		bench_must(ID3D11Device_CreateShaderResourceView(d->bench.device, (ID3D11Resource *)texture, NULL, &d->textures[i]),
			   "CreateShaderResourceView");
		ID3D11Texture2D_Release(texture); /* the view keeps it */
	}
	d->dynamic = bench11_buffer(&d->bench, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DYNAMIC, NULL,
				    BUFFER_TRIANGLES * sizeof(bench11_triangle));
	create_large_target(d);
}

static void destroy(struct drawing *d)
{
	ID3D11DepthStencilView_Release(d->depth);
	ID3D11RenderTargetView_Release(d->target);
	ID3D11Buffer_Release(d->dynamic);
	for (unsigned i = 0; i < 2; i++)
		ID3D11ShaderResourceView_Release(d->textures[i]);
	ID3D11PixelShader_Release(d->textured_ps);
	ID3D11PixelShader_Release(d->inverted_ps);
	bench11_close(&d->bench);
}

int main(int argc, char **argv)
{
	struct drawing d = {0};

	bench_open(argc, argv,
		   "Draws of one small triangle through Direct3D 11: with nothing changed between them, with a constant buffer, the\n"
		   "texture or the pixel shader changed, from a dynamic vertex buffer; clears of 1280x720, with a draw between them.");
	create(&d);
	bench_rate("d3d11.draw.unchanged", "draws/s", draw_unchanged, &d);
	bench_rate("d3d11.draw.constants", "draws/s", draw_with_constants, &d);
	bench_rate("d3d11.draw.texture", "draws/s", draw_with_textures, &d);
	bench_rate("d3d11.draw.shader", "draws/s", draw_with_shaders, &d);
	bench_rate("d3d11.draw.dynamic", "draws/s", draw_dynamic, &d);
	measure_clears(&d);
	destroy(&d);
	return 0;
}
