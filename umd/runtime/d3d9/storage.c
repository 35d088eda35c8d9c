/* SPDX-License-Identifier: MIT */
#include "storage.h"

#include "device.h"

#include <limits.h>

static bool is_buffer(const struct d3d9_storage *storage)
{
	return !storage->info;
}

/* ---- memory ---- */

/* Lays the images out one after the other, each at a multiple of 16 bytes. With data NULL only counts. */
static size_t place_images(struct d3d9_storage *storage, uint8_t *data)
{
	size_t offset = 0;

	for (UINT i = 0; i < storage_subresources(storage); i++) {
		D3DBOX box = storage_level_box(storage, i);
		struct storage_image *image = &storage->images[i];

		image->pitch = format_pitch(storage->info, box.Right);
		image->slice_pitch = image->pitch * format_rows(storage->info, box.Bottom);
		image->data = data ? data + offset : NULL;
		offset += ((size_t)image->slice_pitch * box.Back + 15) & ~(size_t)15;
	}
	return offset;
}

/* Pitches are INTs in Direct3D: whether those of level 0 fit. */
static bool images_fit(const struct d3d9_storage *storage)
{
	const struct format_info *info = storage->info;
	uint64_t blocks = ((uint64_t)storage->width + info->block_width - 1) / info->block_width;
	uint64_t rows = ((uint64_t)storage->height + info->block_height - 1) / info->block_height;
	uint64_t pitch = blocks * info->block_bytes + 3;

	return pitch <= INT_MAX && rows <= INT_MAX / pitch;
}

static HRESULT create_images(struct d3d9_storage *storage, void *user_memory)
{
	size_t size;

	if (!images_fit(storage))
		return E_OUTOFMEMORY;
	storage->images = calloc(storage_subresources(storage), sizeof(*storage->images));
	if (!storage->images)
		return E_OUTOFMEMORY;
	size = place_images(storage, NULL);
	if (!user_memory) {
		storage->memory = calloc(1, size);
		if (!storage->memory)
			return E_OUTOFMEMORY;
	}
	place_images(storage, user_memory ? user_memory : storage->memory);
	/* The program's memory has rows without gaps. */
	if (user_memory) {
		UINT blocks = (storage->width + storage->info->block_width - 1) / storage->info->block_width;

		storage->images[0].pitch = blocks * storage->info->block_bytes;
		storage->images[0].slice_pitch = storage->images[0].pitch * format_rows(storage->info, storage->height);
	}
	return D3D_OK;
}

/* ---- the driver's resource ---- */

static D3DDDI_RESOURCEFLAGS resource_flags(const struct storage_desc *desc, D3DRESOURCETYPE type)
{
	D3DDDI_RESOURCEFLAGS flags = {0};

	flags.RenderTarget = (desc->usage & D3DUSAGE_RENDERTARGET) != 0;
	flags.ZBuffer = (desc->usage & D3DUSAGE_DEPTHSTENCIL) != 0;
	flags.Dynamic = (desc->usage & D3DUSAGE_DYNAMIC) != 0;
	flags.AutogenMipmap = (desc->usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
	flags.WriteOnly = (desc->usage & D3DUSAGE_WRITEONLY) != 0;
	flags.RestrictedContent = (desc->usage & D3DUSAGE_RESTRICTED_CONTENT) != 0;
	flags.RestrictSharedAccess =
		(desc->usage & (D3DUSAGE_RESTRICT_SHARED_RESOURCE | D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER)) != 0;
	flags.SharedResource = desc->shared != NULL && desc->pool == D3DPOOL_DEFAULT;
	flags.DiscardRenderTarget = desc->discard;
	flags.Primary = desc->primary;
	flags.NotLockable = (flags.RenderTarget || flags.ZBuffer) && !desc->lockable;
	flags.VertexBuffer = type == D3DRTYPE_VERTEXBUFFER;
	flags.IndexBuffer = type == D3DRTYPE_INDEXBUFFER;
	flags.Texture = type == D3DRTYPE_TEXTURE || type == D3DRTYPE_CUBETEXTURE || type == D3DRTYPE_VOLUMETEXTURE;
	flags.CubeMap = type == D3DRTYPE_CUBETEXTURE;
	flags.Volume = type == D3DRTYPE_VOLUMETEXTURE;
	return flags;
}

static D3DDDI_SURFACEINFO *surface_list(const struct d3d9_storage *storage)
{
	UINT count = storage_subresources(storage);
	D3DDDI_SURFACEINFO *list = calloc(count, sizeof(*list));

	for (UINT i = 0; list && i < count; i++) {
		D3DBOX box = storage_level_box(storage, i);

		list[i].Width = box.Right;
		list[i].Height = box.Bottom;
		list[i].Depth = box.Back;
		if (storage->pool == D3DPOOL_SYSTEMMEM && storage->images) {
			list[i].pSysMem = storage->images[i].data;
			list[i].SysMemPitch = storage->images[i].pitch;
			list[i].SysMemSlicePitch = storage->images[i].slice_pitch;
		}
	}
	return list;
}

static HRESULT create_driver_resource(struct d3d9_storage *storage)
{
	struct d3d9_device *device = storage->device;
	D3DDDI_SURFACEINFO *list = surface_list(storage);
	D3DDDIARG_CREATERESOURCE2 args = {
		.Format = storage->format,
		.Pool = storage->pool == D3DPOOL_SYSTEMMEM && storage->images ? D3DDDIPOOL_SYSTEMMEM
									      : D3DDDIPOOL_VIDEOMEMORY,
		.MultisampleType = (D3DDDIMULTISAMPLE_TYPE)storage->multisample,
		.MultisampleQuality = storage->quality,
		.pSurfList = list,
		.SurfCount = storage_subresources(storage),
		.MipLevels = storage->levels,
		.hResource = storage,
		.Flags = storage->flags,
		.Rotation = D3DDDI_ROTATION_IDENTITY,
	};
	HRESULT hr;

	if (!list)
		return E_OUTOFMEMORY;
	hr = device_result(device, device->ddi.pfnCreateResource2(device->driver, &args));
	free(list);
	if (SUCCEEDED(hr))
		storage->handle = args.hResource;
	return hr;
}

static HRESULT open_driver_resource(struct d3d9_storage *storage, uint64_t token)
{
	struct d3d9_device *device = storage->device;
	struct d3dgpu_ddi_shared shared = {
		.token = token,
		.width = storage->width,
		.height = storage->height,
		.depth = storage->depth,
		.format = storage->info ? storage->format : D3DFMT_UNKNOWN,
		.levels = storage->levels,
		.samples = storage->multisample <= 1 ? 1 : storage->multisample,
		.flags = storage->flags.Value,
		.layers = storage->layers,
	};
	D3DDDIARG_OPENRESOURCE args = {
		.pPrivateDriverData = &shared,
		.PrivateDriverDataSize = sizeof(shared),
		.hResource = storage,
	};
	HRESULT hr = device_result(device, device->ddi.pfnOpenResource(device->driver, &args));

	if (SUCCEEDED(hr))
		storage->handle = args.hResource;
	storage->token = token;
	return hr;
}

static HRESULT create_in_video_memory(struct d3d9_storage *storage, const struct storage_desc *desc)
{
	HRESULT hr;

	if (desc->shared && *desc->shared)
		return open_driver_resource(storage, (uint64_t)(uintptr_t)*desc->shared);
	hr = create_driver_resource(storage);
	if (SUCCEEDED(hr) && desc->shared)
		*desc->shared = (HANDLE)(uintptr_t)storage->token;
	return hr;
}

static HRESULT fill_storage(struct d3d9_storage *storage, const struct storage_desc *desc)
{
	HRESULT hr = D3D_OK;

	/* Buffers of every pool are drawn from: they live where the GPU reads them. */
	if (is_buffer(storage))
		return create_in_video_memory(storage, desc);
	if (storage->pool != D3DPOOL_DEFAULT)
		hr = create_images(storage, desc->shared && storage->pool == D3DPOOL_SYSTEMMEM ? *desc->shared : NULL);
	if (SUCCEEDED(hr) && (storage->pool == D3DPOOL_SYSTEMMEM || storage->pool == D3DPOOL_MANAGED)) {
		storage->dirty = calloc(storage->layers, sizeof(*storage->dirty));
		hr = storage->dirty ? D3D_OK : E_OUTOFMEMORY;
		for (UINT layer = 0; layer < storage->layers && SUCCEEDED(hr); layer++)
			storage_add_dirty(storage, layer, NULL);
	}
	if (SUCCEEDED(hr) && storage->pool == D3DPOOL_SYSTEMMEM)
		/* The driver need not know a format to keep it in system memory: then only the runtime uses it. */
		return adapter_operations(storage->device->adapter, storage->format) ? create_driver_resource(storage)
										     : hr;
	if (SUCCEEDED(hr) && storage->pool != D3DPOOL_SCRATCH)
		hr = create_in_video_memory(storage, desc);
	return hr;
}

HRESULT storage_create(struct d3d9_device *device, const struct storage_desc *desc, D3DRESOURCETYPE type,
		       struct d3d9_storage **out)
{
	struct d3d9_storage *storage = calloc(1, sizeof(*storage));
	HRESULT hr;

	if (!storage)
		return E_OUTOFMEMORY;
	storage->device = device;
	storage->format = desc->format;
	storage->info =
		type == D3DRTYPE_VERTEXBUFFER || type == D3DRTYPE_INDEXBUFFER ? NULL : format_info(desc->format);
	storage->width = desc->width;
	storage->height = desc->height;
	storage->depth = desc->depth;
	storage->levels = desc->levels;
	storage->layers = desc->layers;
	storage->usage = desc->usage;
	storage->pool = desc->pool;
	storage->multisample = desc->multisample;
	storage->quality = desc->quality;
	storage->discard = desc->discard;
	storage->flags = resource_flags(desc, type);
	storage->locks = calloc(storage_subresources(storage), sizeof(*storage->locks));
	hr = storage->locks ? fill_storage(storage, desc) : E_OUTOFMEMORY;
	if (FAILED(hr)) {
		storage_destroy(storage);
		return hr;
	}
	*out = storage;
	return D3D_OK;
}

void storage_destroy(struct d3d9_storage *storage)
{
	if (storage->handle)
		storage->device->ddi.pfnDestroyResource(storage->device->driver, storage->handle);
	free(storage->dirty);
	free(storage->locks);
	free(storage->images);
	free(storage->memory);
	free(storage);
}

/* ---- locks ---- */

D3DBOX storage_level_box(const struct d3d9_storage *storage, UINT subresource)
{
	UINT level = subresource % storage->levels;

	return (D3DBOX){0, 0, level_extent(storage->width, level), level_extent(storage->height, level), 0,
			level_extent(storage->depth, level)};
}

bool storage_lockable(const struct d3d9_storage *storage)
{
	if (storage->images || is_buffer(storage))
		return true;
	if (storage->flags.RenderTarget || storage->flags.ZBuffer)
		return !storage->flags.NotLockable;
	/* A texture in video memory can be locked when it is dynamic, a plain surface always. */
	return storage->flags.Dynamic || !storage->flags.Texture;
}

static bool box_inside(const struct d3d9_storage *storage, UINT subresource, const D3DBOX *box)
{
	D3DBOX whole = storage_level_box(storage, subresource);
	const struct format_info *info = storage->info;

	if (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back || box->Right > whole.Right ||
	    box->Bottom > whole.Bottom || box->Back > whole.Back)
		return false;
	if (!info || (info->block_width == 1 && info->block_height == 1))
		return true;
	/* Whole blocks, but for those that the right and lower border cut. */
	return !(box->Left % info->block_width) && !(box->Top % info->block_height) &&
	       (!(box->Right % info->block_width) || box->Right == whole.Right) &&
	       (!(box->Bottom % info->block_height) || box->Bottom == whole.Bottom);
}

static bool flags_good(const struct d3d9_storage *storage, DWORD flags)
{
	if ((flags & D3DLOCK_READONLY) && (flags & D3DLOCK_DISCARD))
		return false;
	if ((flags & D3DLOCK_DISCARD) && !is_buffer(storage) && !(storage->usage & D3DUSAGE_DYNAMIC))
		return false;
	return !(flags & ~(DWORD)(D3DLOCK_READONLY | D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE | D3DLOCK_NOSYSLOCK |
				  D3DLOCK_NO_DIRTY_UPDATE | D3DLOCK_DONOTWAIT));
}

static HRESULT lock_in_driver(struct d3d9_storage *storage, UINT subresource, const D3DBOX *box, DWORD flags,
			      D3DLOCKED_BOX *out)
{
	struct d3d9_device *device = storage->device;
	D3DDDIARG_LOCK args = {.hResource = storage->handle, .SubResourceIndex = subresource};
	bool dynamic = storage->usage & D3DUSAGE_DYNAMIC;
	HRESULT hr;

	/* The promises only hold for dynamic resources; elsewhere they are ignored. */
	args.Flags.ReadOnly = (flags & D3DLOCK_READONLY) != 0;
	args.Flags.Discard = (flags & D3DLOCK_DISCARD) && dynamic;
	args.Flags.NoOverwrite = (flags & D3DLOCK_NOOVERWRITE) && dynamic && !args.Flags.Discard;
	args.Flags.WriteOnly = (storage->usage & D3DUSAGE_WRITEONLY) && !args.Flags.ReadOnly;
	args.Flags.DoNotWait = (flags & D3DLOCK_DONOTWAIT) != 0;
	if (is_buffer(storage)) {
		args.Flags.RangeValid = 1;
		args.Range.Offset = box->Left;
		args.Range.Size = box->Right - box->Left;
	} else {
		args.Flags.BoxValid = 1;
		args.Box = (D3DDDIBOX){box->Left, box->Top, box->Right, box->Bottom, box->Front, box->Back};
	}
	hr = device_result(device, device->ddi.pfnLock(device->driver, &args));
	if (FAILED(hr))
		return hr;
	out->pBits = args.pSurfData;
	out->RowPitch = (INT)args.Pitch;
	out->SlicePitch = (INT)args.SlicePitch;
	return D3D_OK;
}

static void *image_at(const struct d3d9_storage *storage, UINT subresource, const D3DBOX *box)
{
	const struct storage_image *image = &storage->images[subresource];

	return image->data + (size_t)box->Front * image->slice_pitch +
	       (size_t)(box->Top / storage->info->block_height) * image->pitch +
	       (size_t)(box->Left / storage->info->block_width) * storage->info->block_bytes;
}

HRESULT storage_lock(struct d3d9_storage *storage, UINT subresource, const D3DBOX *box, DWORD flags, D3DLOCKED_BOX *out)
{
	struct storage_lock *lock = &storage->locks[subresource];
	D3DBOX whole = storage_level_box(storage, subresource);
	HRESULT hr = D3D_OK;

	if (!box)
		box = &whole;
	if (lock->locked || !storage_lockable(storage) || !flags_good(storage, flags) ||
	    !box_inside(storage, subresource, box)) {
		runtime_refused(__func__, "%s, flags %#x, box %u,%u,%u-%u,%u,%u", lock->locked ? "locked already" :
				storage_lockable(storage) ? "flags or box" : "not lockable", flags, box->Left, box->Top,
				box->Front, box->Right, box->Bottom, box->Back);
		return D3DERR_INVALIDCALL;
	}
	if (storage->images) {
		out->pBits = image_at(storage, subresource, box);
		out->RowPitch = (INT)storage->images[subresource].pitch;
		out->SlicePitch = (INT)storage->images[subresource].slice_pitch;
	} else {
		hr = lock_in_driver(storage, subresource, box, flags, out);
	}
	if (FAILED(hr))
		return hr;
	lock->locked = true;
	lock->flags = flags;
	lock->box = *box;
	return D3D_OK;
}

/* Sends what was written into a managed image to its video memory. */
static HRESULT upload_managed(struct d3d9_storage *storage, UINT subresource, const D3DBOX *box)
{
	struct d3d9_device *device = storage->device;
	D3DDDIARG_UPDATESUBRESOURCEUP args = {
		.hResource = storage->handle,
		.SubResourceIndex = subresource,
		.DstBox = {box->Left, box->Top, box->Right, box->Bottom, box->Front, box->Back},
		.pSysMemUP = image_at(storage, subresource, box),
		.RowPitch = storage->images[subresource].pitch,
		.DepthPitch = storage->images[subresource].slice_pitch,
		.Flags = {.BoxValid = 1},
	};

	return device_result(device, device->ddi.pfnUpdateSubresourceUP(device->driver, &args));
}

static D3DBOX to_level_0(const struct d3d9_storage *storage, UINT level, const D3DBOX *box)
{
	D3DBOX out = {box->Left << level,   box->Top << level,   box->Right << level,
		      box->Bottom << level, box->Front << level, box->Back << level};

	out.Right = out.Right < storage->width ? out.Right : storage->width;
	out.Bottom = out.Bottom < storage->height ? out.Bottom : storage->height;
	out.Back = out.Back < storage->depth ? out.Back : storage->depth;
	return out;
}

HRESULT storage_unlock(struct d3d9_storage *storage, UINT subresource)
{
	struct storage_lock *lock = &storage->locks[subresource];
	D3DDDIARG_UNLOCK args = {.hResource = storage->handle, .SubResourceIndex = subresource};
	D3DBOX dirty;

	if (!lock->locked)
		return D3DERR_INVALIDCALL;
	lock->locked = false;
	if (!storage->images)
		return device_result(storage->device, storage->device->ddi.pfnUnlock(storage->device->driver, &args));
	if (lock->flags & D3DLOCK_READONLY)
		return D3D_OK;
	if (storage->dirty && !(lock->flags & D3DLOCK_NO_DIRTY_UPDATE)) {
		dirty = to_level_0(storage, subresource % storage->levels, &lock->box);
		storage_add_dirty(storage, subresource / storage->levels, &dirty);
	}
	return storage->pool == D3DPOOL_MANAGED ? upload_managed(storage, subresource, &lock->box) : D3D_OK;
}

void storage_add_dirty(struct d3d9_storage *storage, UINT layer, const D3DBOX *box)
{
	D3DBOX whole = {0, 0, storage->width, storage->height, 0, storage->depth}, *dirty;

	if (!storage->dirty)
		return;
	dirty = &storage->dirty[layer];
	if (!box || dirty->Left >= dirty->Right) {
		*dirty = box ? *box : whole;
		return;
	}
	dirty->Left = box->Left < dirty->Left ? box->Left : dirty->Left;
	dirty->Top = box->Top < dirty->Top ? box->Top : dirty->Top;
	dirty->Front = box->Front < dirty->Front ? box->Front : dirty->Front;
	dirty->Right = box->Right > dirty->Right ? box->Right : dirty->Right;
	dirty->Bottom = box->Bottom > dirty->Bottom ? box->Bottom : dirty->Bottom;
	dirty->Back = box->Back > dirty->Back ? box->Back : dirty->Back;
}

void storage_discard(struct d3d9_storage *storage)
{
	D3DDDIARG_DISCARD args = {.hResource = storage->handle, .NumSubResources = storage_subresources(storage)};

	storage->device->ddi.pfnDiscard(storage->device->driver, &args);
}
