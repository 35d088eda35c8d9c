/* SPDX-License-Identifier: MIT */
/*
 * Bytes to the GPU and back through Direct3D 9, beside memcpy of the same size in the same rounds. The program's own copy into or
 * out of the locked memory is part of it.
 */
#include "bench9.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 1024u
#define HEIGHT 1024u
#define BYTES ((size_t)WIDTH * HEIGHT * 4)

struct transfer {
	struct bench9 bench;
	IDirect3DTexture9 *dynamic;
	IDirect3DVertexBuffer9 *buffer;
	IDirect3DSurface9 *target, *system;
	char *memory;			/* BYTES, the program's */
};

/* To every row of a locked rectangle, or from it. */
static void copy_rows(const D3DLOCKED_RECT *locked, char *memory, bool to_locked)
{
	for (unsigned y = 0; y < HEIGHT; y++) {
		char *row = (char *)locked->pBits + (size_t)y * (size_t)locked->Pitch, *mine = memory + (size_t)y * WIDTH * 4;

		memcpy(to_locked ? row : mine, to_locked ? mine : row, WIDTH * 4);
	}
}

static void lock_texture(void *data, unsigned count)
{
	struct transfer *t = data;
	D3DLOCKED_RECT locked;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DTexture9_LockRect(t->dynamic, 0, &locked, NULL, D3DLOCK_DISCARD), "LockRect");
		copy_rows(&locked, t->memory, true);
		bench_must(IDirect3DTexture9_UnlockRect(t->dynamic, 0), "UnlockRect");
	}
	bench9_finish(&t->bench);
}

static void lock_buffer(void *data, unsigned count)
{
	struct transfer *t = data;
	void *to;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DVertexBuffer9_Lock(t->buffer, 0, 0, &to, D3DLOCK_DISCARD), "Lock");
		memcpy(to, t->memory, BYTES);
		bench_must(IDirect3DVertexBuffer9_Unlock(t->buffer), "Unlock");
	}
	bench9_finish(&t->bench);
}

static void update_surface(void *data, unsigned count)
{
	struct transfer *t = data;
	D3DLOCKED_RECT locked;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DSurface9_LockRect(t->system, &locked, NULL, 0), "LockRect");
		copy_rows(&locked, t->memory, true);
		IDirect3DSurface9_UnlockRect(t->system);
		bench_must(IDirect3DDevice9Ex_UpdateSurface(t->bench.device, t->system, NULL, t->target, NULL), "UpdateSurface");
	}
	bench9_finish(&t->bench);
}

static void read_back(void *data, unsigned count)
{
	struct transfer *t = data;
	D3DLOCKED_RECT locked;

	for (unsigned i = 0; i < count; i++) {
		bench_must(IDirect3DDevice9Ex_GetRenderTargetData(t->bench.device, t->target, t->system), "GetRenderTargetData");
		bench_must(IDirect3DSurface9_LockRect(t->system, &locked, NULL, D3DLOCK_READONLY), "LockRect");
		copy_rows(&locked, t->memory, false);
		IDirect3DSurface9_UnlockRect(t->system);
	}
}

static void create(struct transfer *t)
{
	IDirect3DDevice9Ex *device;

	bench9_open(&t->bench, 64, 64);
	device = t->bench.device;
	t->memory = calloc(BYTES, 1);
	if (!t->memory)
		abort();
	bench_must(IDirect3DDevice9Ex_CreateTexture(device, WIDTH, HEIGHT, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
						    &t->dynamic, NULL),
		   "CreateTexture");
	bench_must(IDirect3DDevice9Ex_CreateVertexBuffer(device, BYTES, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT,
							 &t->buffer, NULL),
		   "CreateVertexBuffer");
	bench_must(IDirect3DDevice9Ex_CreateRenderTarget(device, WIDTH, HEIGHT, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
							 &t->target, NULL),
		   "CreateRenderTarget");
	bench_must(IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, WIDTH, HEIGHT, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
								  &t->system, NULL),
		   "CreateOffscreenPlainSurface");
}

static void destroy(struct transfer *t)
{
	IDirect3DTexture9_Release(t->dynamic);
	IDirect3DVertexBuffer9_Release(t->buffer);
	IDirect3DSurface9_Release(t->target);
	IDirect3DSurface9_Release(t->system);
	free(t->memory);
	bench9_close(&t->bench);
}

int main(int argc, char **argv)
{
	struct transfer t = {0};

	bench_open(argc, argv,
		   "Transfers of 4 MiB through Direct3D 9: LockRect with DISCARD of a dynamic texture, Lock with DISCARD of a dynamic\n"
		   "vertex buffer, UpdateSurface from system memory, GetRenderTargetData; each also as part of memcpy's speed.");
	create(&t);
	bench_throughput("d3d9.upload.texture_lock", BYTES, lock_texture, &t);
	bench_throughput("d3d9.upload.buffer_lock", BYTES, lock_buffer, &t);
	bench_throughput("d3d9.upload.update_surface", BYTES, update_surface, &t);
	bench_throughput("d3d9.readback.render_target", BYTES, read_back, &t);
	destroy(&t);
	return 0;
}
