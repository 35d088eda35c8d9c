/* SPDX-License-Identifier: MIT */
/*
 * The memory of a resource: what its COM objects (a texture and its surfaces, a standalone surface, a buffer) share. In
 * the DEFAULT pool it is a driver resource in video memory; in SYSTEMMEM the runtime's own images, which the driver
 * knows as a system memory resource; SCRATCH images the driver never sees; MANAGED has both, and what is written by the
 * CPU is uploaded when it is unlocked.
 *
 * Subresource index = level + layer * levels.
 */
#ifndef D3DGPU_D3D9_STORAGE_H
#define D3DGPU_D3D9_STORAGE_H

#include "format.h"
#include "object.h"

struct storage_image {
	uint8_t *data;
	UINT pitch, slice_pitch;	/* bytes */
};

struct storage_lock {
	bool locked;
	DWORD flags;			/* D3DLOCK_* */
	D3DBOX box;			/* texels */
};

struct d3d9_storage {
	struct d3d9_device *device;
	HANDLE handle;			/* the driver's; NULL: SCRATCH */
	D3DFORMAT format;		/* D3DFMT_VERTEXDATA: buffer */
	const struct format_info *info;	/* NULL: buffer */
	UINT width, height, depth;
	UINT levels, layers;
	DWORD usage;			/* D3DUSAGE_* */
	D3DPOOL pool;
	D3DMULTISAMPLE_TYPE multisample;
	DWORD quality;
	D3DDDI_RESOURCEFLAGS flags;	/* as the driver got them */
	uint64_t token;			/* shared: name for other processes */
	struct storage_image *images;	/* NULL: only in video memory */
	void *memory;			/* of the images; NULL when it is the program's */
	struct storage_lock *locks;	/* one per subresource */
	D3DBOX *dirty; /* SYSTEMMEM and MANAGED textures: part of level 0 of each layer changed since UpdateTexture */
	bool discard;			/* content need not survive presents and unbinding */
};

/* What to create. levels and layers are exact. */
struct storage_desc {
	D3DFORMAT format;
	UINT width, height, depth;
	UINT levels, layers;
	DWORD usage;
	D3DPOOL pool;
	D3DMULTISAMPLE_TYPE multisample;
	DWORD quality;
	bool lockable, discard, primary;
	HANDLE *shared;			/* NULL: not shared */
};

/* D3D_OK, D3DERR_INVALIDCALL, D3DERR_NOTAVAILABLE, D3DERR_OUTOFVIDEOMEMORY, E_OUTOFMEMORY. */
HRESULT storage_create(struct d3d9_device *device, const struct storage_desc *desc, D3DRESOURCETYPE type,
		       struct d3d9_storage **out);
void storage_destroy(struct d3d9_storage *storage);

static inline UINT storage_subresources(const struct d3d9_storage *storage)
{
	return storage->levels * storage->layers;
}

/* The whole of a subresource. */
D3DBOX storage_level_box(const struct d3d9_storage *storage, UINT subresource);
/* Whether a program may lock it at all. */
bool storage_lockable(const struct d3d9_storage *storage);
/* box NULL = all. D3DERR_INVALIDCALL for what Direct3D forbids, D3DERR_WASSTILLDRAWING with D3DLOCK_DONOTWAIT. */
HRESULT storage_lock(struct d3d9_storage *storage, UINT subresource, const D3DBOX *box, DWORD flags,
		     D3DLOCKED_BOX *out);
HRESULT storage_unlock(struct d3d9_storage *storage, UINT subresource);
/* Grows the dirty part of a layer of a texture; box in texels of level 0, NULL = all. */
void storage_add_dirty(struct d3d9_storage *storage, UINT layer, const D3DBOX *box);
/* The driver's contents become undefined. */
void storage_discard(struct d3d9_storage *storage);

#endif
