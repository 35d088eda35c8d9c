/* SPDX-License-Identifier: MIT */
/*
 * Bytes to the GPU and back through Direct3D 11, beside memcpy of the same size in the same rounds. The program's own copy into
 * or out of the mapped memory is part of it.
 */
#define INITGUID
#include "bench11.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 1024u
#define HEIGHT 1024u
#define BYTES ((size_t)WIDTH * HEIGHT * 4)

struct transfer {
	struct bench11 bench;
	ID3D11Texture2D *dynamic, *target, *staging;
	ID3D11Buffer *buffer;
	char *memory;			/* BYTES, the program's */
};

/* To every row of a mapped texture, or from it. */
static void copy_rows(const D3D11_MAPPED_SUBRESOURCE *mapped, char *memory, bool to_mapped)
{
	for (size_t y = 0; y < HEIGHT; y++) {
		char *row = (char *)mapped->pData + y * mapped->RowPitch, *mine = memory + y * WIDTH * 4;

		memcpy(to_mapped ? row : mine, to_mapped ? mine : row, WIDTH * 4);
	}
}

static void map_texture(void *data, unsigned count)
{
	struct transfer *t = data;
	ID3D11Resource *texture = (ID3D11Resource *)t->dynamic;
	D3D11_MAPPED_SUBRESOURCE mapped;

	for (unsigned i = 0; i < count; i++) {
		bench_must(ID3D11DeviceContext_Map(t->bench.context, texture, 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), "Map");
		copy_rows(&mapped, t->memory, true);
		ID3D11DeviceContext_Unmap(t->bench.context, texture, 0);
	}
	bench11_finish(&t->bench);
}

static void map_buffer(void *data, unsigned count)
{
	struct transfer *t = data;
	ID3D11Resource *buffer = (ID3D11Resource *)t->buffer;
	D3D11_MAPPED_SUBRESOURCE mapped;

	for (unsigned i = 0; i < count; i++) {
		bench_must(ID3D11DeviceContext_Map(t->bench.context, buffer, 0, D3D11_MAP_WRITE_DISCARD, 0, &mapped), "Map");
		memcpy(mapped.pData, t->memory, BYTES);
		ID3D11DeviceContext_Unmap(t->bench.context, buffer, 0);
	}
	bench11_finish(&t->bench);
}

static void update_subresource(void *data, unsigned count)
{
	struct transfer *t = data;

	for (unsigned i = 0; i < count; i++)
		ID3D11DeviceContext_UpdateSubresource(t->bench.context, (ID3D11Resource *)t->target, 0, NULL, t->memory, WIDTH * 4, 0);
	bench11_finish(&t->bench);
}

static void read_back(void *data, unsigned count)
{
	struct transfer *t = data;
	ID3D11Resource *staging = (ID3D11Resource *)t->staging;
	D3D11_MAPPED_SUBRESOURCE mapped;

	for (unsigned i = 0; i < count; i++) {
		ID3D11DeviceContext_CopyResource(t->bench.context, staging, (ID3D11Resource *)t->target);
		bench_must(ID3D11DeviceContext_Map(t->bench.context, staging, 0, D3D11_MAP_READ, 0, &mapped), "Map");
		copy_rows(&mapped, t->memory, false);
		ID3D11DeviceContext_Unmap(t->bench.context, staging, 0);
	}
}

static void create(struct transfer *t)
{
	bench11_open(&t->bench, 64, 64);
	t->memory = calloc(BYTES, 1);
	if (!t->memory)
		abort();
	t->dynamic = bench11_texture(&t->bench, WIDTH, HEIGHT, D3D11_BIND_SHADER_RESOURCE, D3D11_USAGE_DYNAMIC,
				     D3D11_CPU_ACCESS_WRITE);
	t->target = bench11_texture(&t->bench, WIDTH, HEIGHT, D3D11_BIND_RENDER_TARGET, D3D11_USAGE_DEFAULT, 0);
	t->staging = bench11_texture(&t->bench, WIDTH, HEIGHT, 0, D3D11_USAGE_STAGING, D3D11_CPU_ACCESS_READ);
	t->buffer = bench11_buffer(&t->bench, D3D11_BIND_VERTEX_BUFFER, D3D11_USAGE_DYNAMIC, NULL, BYTES);
}

static void destroy(struct transfer *t)
{
	ID3D11Texture2D_Release(t->dynamic);
	ID3D11Texture2D_Release(t->target);
	ID3D11Texture2D_Release(t->staging);
	ID3D11Buffer_Release(t->buffer);
	free(t->memory);
	bench11_close(&t->bench);
}

int main(int argc, char **argv)
{
	struct transfer t = {0};

	bench_open(argc, argv,
		   "Transfers of 4 MiB through Direct3D 11: Map with WRITE_DISCARD of a dynamic texture and of a dynamic buffer,\n"
		   "UpdateSubresource, CopyResource to a staging texture that is mapped; each also as part of memcpy's speed.");
	create(&t);
	bench_throughput("d3d11.upload.texture_map", BYTES, map_texture, &t);
	bench_throughput("d3d11.upload.buffer_map", BYTES, map_buffer, &t);
	bench_throughput("d3d11.upload.update_subresource", BYTES, update_subresource, &t);
	bench_throughput("d3d11.readback.staging", BYTES, read_back, &t);
	destroy(&t);
	return 0;
}
