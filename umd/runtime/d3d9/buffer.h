/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexBuffer9 and IDirect3DIndexBuffer9: one structure, two method tables. */
#ifndef D3DGPU_D3D9_BUFFER_H
#define D3DGPU_D3D9_BUFFER_H

#include "storage.h"

struct d3d9_buffer {
	struct d3d9_object object;
	struct d3d9_storage *storage;
	D3DRESOURCETYPE type;
	D3DFORMAT format;		/* D3DFMT_VERTEXDATA, INDEX16, INDEX32 */
	DWORD fvf;
	DWORD priority;
	UINT locks;			/* nested Lock calls */
	uint8_t *mapped;		/* start of the buffer while locked */
	UINT mapped_offset, mapped_size; /* range that the driver mapped */
};

HRESULT buffer_create(struct d3d9_device *device, D3DRESOURCETYPE type, UINT size, DWORD usage, D3DFORMAT format,
		      DWORD fvf, D3DPOOL pool, HANDLE *shared, struct d3d9_buffer **out);
static inline UINT buffer_size(const struct d3d9_buffer *buffer)
{
	return buffer->storage->width;
}

#endif
