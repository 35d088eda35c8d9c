/* SPDX-License-Identifier: MIT */
/* CPU access: locks of resources in video memory. System memory is the runtime's own; it does not lock it here. */
#include "d3d9_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t map_flags(const D3DDDI_LOCKFLAGS *flags)
{
	uint32_t out = flags->ReadOnly ? GPU_MAP_READ : flags->WriteOnly ? GPU_MAP_WRITE : GPU_MAP_READ | GPU_MAP_WRITE;

	/* What is thrown away or promised not to be in use is not read either. */
	if (flags->Discard)
		out = GPU_MAP_WRITE | GPU_MAP_DISCARD;
	if (flags->NoOverwrite)
		out = GPU_MAP_WRITE | GPU_MAP_NO_OVERWRITE;
	if (flags->DoNotWait)
		out |= GPU_MAP_DONT_WAIT;
	return out;
}

static struct gpu_box lock_box(const struct d3d9_resource *resource, const D3DDDIARG_LOCK *args)
{
	UINT level = args->SubResourceIndex % resource->levels;
	struct gpu_box box = {
		.width = d3dgpu_level_extent(resource->width, level),
		.height = d3dgpu_level_extent(resource->height, level),
		.depth = d3dgpu_level_extent(resource->depth, level),
	};

	if (args->Flags.RangeValid) {
		box.x = args->Range.Offset;
		box.width = args->Range.Size;
	} else if (args->Flags.AreaValid) {
		box.x = (uint32_t)args->Area.left;
		box.y = (uint32_t)args->Area.top;
		box.width = (uint32_t)(args->Area.right - args->Area.left);
		box.height = (uint32_t)(args->Area.bottom - args->Area.top);
	} else if (args->Flags.BoxValid) {
		box.x = args->Box.Left;
		box.y = args->Box.Top;
		box.z = args->Box.Front;
		box.width = args->Box.Right - args->Box.Left;
		box.height = args->Box.Bottom - args->Box.Top;
		box.depth = args->Box.Back - args->Box.Front;
	}
	return box;
}

/* ---- S8_LOCKABLE: one byte per pixel for the program, the highest of four in the storage (over 24 bits of depth) ----
 */

static HRESULT lock_stencil(struct d3d9_device *dev, struct d3d9_resource *resource, D3DDDIARG_LOCK *args,
			    const struct gpu_box *box)
{
	struct d3d9_stencil_lock *lock = calloc(1, sizeof(*lock));
	int err;

	if (!lock)
		return E_OUTOFMEMORY;
	lock->width = box->width;
	lock->height = box->height;
	lock->write = !args->Flags.ReadOnly;
	lock->bytes = malloc((size_t)box->width * box->height);
	err = lock->bytes ? gpu_map(dev->gpu, resource->gpu, args->SubResourceIndex, box,
				    GPU_MAP_READ | (lock->write ? GPU_MAP_WRITE : 0), &lock->mapping)
			  : -ENOMEM;
	if (err) {
		free(lock->bytes);
		free(lock);
		return d3d9_result(dev, err);
	}
	for (UINT y = 0; y < lock->height; y++) {
		const uint8_t *row = (const uint8_t *)lock->mapping.data + (size_t)y * lock->mapping.pitch;

		for (UINT x = 0; x < lock->width; x++)
			lock->bytes[(size_t)y * lock->width + x] = row[x * 4 + 3];
	}
	resource->stencil_lock = lock;
	args->pSurfData = lock->bytes;
	args->Pitch = lock->width;
	args->SlicePitch = lock->width * lock->height;
	return S_OK;
}

static void unlock_stencil(struct d3d9_resource *resource)
{
	struct d3d9_stencil_lock *lock = resource->stencil_lock;

	for (UINT y = 0; lock->write && y < lock->height; y++) {
		uint8_t *row = (uint8_t *)lock->mapping.data + (size_t)y * lock->mapping.pitch;

		for (UINT x = 0; x < lock->width; x++)
			row[x * 4 + 3] = lock->bytes[(size_t)y * lock->width + x];
	}
	resource->stencil_lock = NULL;
	free(lock->bytes);
	free(lock);
}

/* ---- entries ---- */

static HRESULT lock(HANDLE hDevice, D3DDDIARG_LOCK *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource = args->hResource;
	struct gpu_mapping mapping;
	struct gpu_box box;
	int err;

	if (!resource->gpu || args->SubResourceIndex >= resource->levels * resource->layers)
		return E_INVALIDARG;
	box = lock_box(resource, args);
	if (resource->format && resource->format->ds_format == D3DGPU_DS_S8_LOCKABLE)
		return resource->stencil_lock ? E_INVALIDARG : lock_stencil(dev, resource, args, &box);
	err = gpu_map(dev->gpu, resource->gpu, args->SubResourceIndex, &box, map_flags(&args->Flags), &mapping);
	if (err)
		return d3d9_result(dev, err);
	args->pSurfData = mapping.data;
	args->Pitch = mapping.pitch;
	args->SlicePitch = mapping.slice_pitch;
	return S_OK;
}

static HRESULT unlock(HANDLE hDevice, const D3DDDIARG_UNLOCK *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *resource = args->hResource;

	if (!resource->gpu || args->SubResourceIndex >= resource->levels * resource->layers)
		return E_INVALIDARG;
	if (resource->stencil_lock)
		unlock_stencil(resource);
	gpu_unmap(dev->gpu, resource->gpu, args->SubResourceIndex);
	return S_OK;
}

void d3d9_lock_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnLock = lock;
	table->pfnUnlock = unlock;
}
