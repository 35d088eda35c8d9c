/* SPDX-License-Identifier: MIT */
#include "surface.h"

#include "device.h"

bool surface_rect(const struct d3d9_surface *surface, const RECT *rect, RECT *out)
{
	LONG width = (LONG)surface_width(surface), height = (LONG)surface_height(surface);

	if (!rect) {
		*out = (RECT){0, 0, width, height};
		return true;
	}
	*out = *rect;
	return rect->left >= 0 && rect->top >= 0 && rect->left < rect->right && rect->top < rect->bottom &&
	       rect->right <= width && rect->bottom <= height;
}

/* ---- IUnknown ---- */

static HRESULT STDMETHODCALLTYPE surface_QueryInterface(IDirect3DSurface9 *iface, REFIID iid, void **out)
{
	static const GUID *const interfaces[] = {&IID_IDirect3DSurface9, &IID_IDirect3DResource9};

	return object_query(&surface_from(iface)->object, iid, out, interfaces, 2);
}

static ULONG STDMETHODCALLTYPE surface_AddRef(IDirect3DSurface9 *iface)
{
	return object_addref(surface_from(iface)->owner);
}

static ULONG STDMETHODCALLTYPE surface_Release(IDirect3DSurface9 *iface)
{
	return object_release(surface_from(iface)->owner);
}

/* ---- IDirect3DResource9 ---- */

static HRESULT STDMETHODCALLTYPE surface_GetDevice(IDirect3DSurface9 *iface, IDirect3DDevice9 **out)
{
	return device_get(surface_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE surface_SetPrivateData(IDirect3DSurface9 *iface, REFGUID guid, const void *data,
							DWORD size, DWORD flags)
{
	return private_set(&surface_from(iface)->object, guid, data, size, flags);
}

static HRESULT STDMETHODCALLTYPE surface_GetPrivateData(IDirect3DSurface9 *iface, REFGUID guid, void *data, DWORD *size)
{
	return private_get(&surface_from(iface)->object, guid, data, size);
}

static HRESULT STDMETHODCALLTYPE surface_FreePrivateData(IDirect3DSurface9 *iface, REFGUID guid)
{
	return private_free(&surface_from(iface)->object, guid);
}

/* Only managed resources have a priority that matters. */
static DWORD STDMETHODCALLTYPE surface_SetPriority(IDirect3DSurface9 *iface, DWORD priority)
{
	struct d3d9_surface *surface = surface_from(iface);
	DWORD old = surface->priority;

	if (surface->storage->pool == D3DPOOL_MANAGED)
		surface->priority = priority;
	return old;
}

static DWORD STDMETHODCALLTYPE surface_GetPriority(IDirect3DSurface9 *iface)
{
	return surface_from(iface)->priority;
}

static void STDMETHODCALLTYPE surface_PreLoad(IDirect3DSurface9 *iface)
{
}

static D3DRESOURCETYPE STDMETHODCALLTYPE surface_GetType(IDirect3DSurface9 *iface)
{
	return D3DRTYPE_SURFACE;
}

/* ---- IDirect3DSurface9 ---- */

static HRESULT STDMETHODCALLTYPE surface_GetContainer(IDirect3DSurface9 *iface, REFIID iid, void **out)
{
	struct d3d9_surface *surface = surface_from(iface);
	IUnknown *container = surface->container ? surface->container : (IUnknown *)surface->object.device;

	return IUnknown_QueryInterface(container, iid, out);
}

static HRESULT STDMETHODCALLTYPE surface_GetDesc(IDirect3DSurface9 *iface, D3DSURFACE_DESC *desc)
{
	const struct d3d9_surface *surface = surface_from(iface);
	const struct d3d9_storage *storage = surface->storage;

	if (!desc)
		return D3DERR_INVALIDCALL;
	desc->Format = storage->format;
	desc->Type = D3DRTYPE_SURFACE;
	desc->Usage = storage->usage & ~(DWORD)D3DUSAGE_WRITEONLY;
	desc->Pool = storage->pool;
	desc->MultiSampleType = storage->multisample;
	desc->MultiSampleQuality = storage->quality;
	desc->Width = surface_width(surface);
	desc->Height = surface_height(surface);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE surface_LockRect(IDirect3DSurface9 *iface, D3DLOCKED_RECT *locked, const RECT *rect,
						  DWORD flags)
{
	struct d3d9_surface *surface = surface_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(surface->object.device);
	D3DLOCKED_BOX box_locked;
	D3DBOX box;
	RECT area;
	HRESULT hr;

	if (!locked)
		return D3DERR_INVALIDCALL;
	if (!surface_rect(surface, rect, &area)) {
		runtime_refused(__func__, "rectangle outside of the surface");
		return D3DERR_INVALIDCALL;
	}
	box = (D3DBOX){(UINT)area.left, (UINT)area.top, (UINT)area.right, (UINT)area.bottom, 0, 1};
	hr = storage_lock(surface->storage, surface->subresource, &box, flags, &box_locked);
	if (FAILED(hr))
		return hr;
	locked->pBits = box_locked.pBits;
	locked->Pitch = box_locked.RowPitch;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE surface_UnlockRect(IDirect3DSurface9 *iface)
{
	struct d3d9_surface *surface = surface_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(surface->object.device);

	return storage_unlock(surface->storage, surface->subresource);
}

/* Drawing with GDI needs a Windows device context, which a native program does not have. */
static HRESULT STDMETHODCALLTYPE surface_GetDC(IDirect3DSurface9 *iface, HDC *dc)
{
	return D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE surface_ReleaseDC(IDirect3DSurface9 *iface, HDC dc)
{
	return D3DERR_INVALIDCALL;
}

static const IDirect3DSurface9Vtbl surface_vtbl = {
	.QueryInterface = surface_QueryInterface,
	.AddRef = surface_AddRef,
	.Release = surface_Release,
	.GetDevice = surface_GetDevice,
	.SetPrivateData = surface_SetPrivateData,
	.GetPrivateData = surface_GetPrivateData,
	.FreePrivateData = surface_FreePrivateData,
	.SetPriority = surface_SetPriority,
	.GetPriority = surface_GetPriority,
	.PreLoad = surface_PreLoad,
	.GetType = surface_GetType,
	.GetContainer = surface_GetContainer,
	.GetDesc = surface_GetDesc,
	.LockRect = surface_LockRect,
	.UnlockRect = surface_UnlockRect,
	.GetDC = surface_GetDC,
	.ReleaseDC = surface_ReleaseDC,
};

/* ---- creation ---- */

static void surface_destroy(struct d3d9_object *object)
{
	struct d3d9_surface *surface = (struct d3d9_surface *)object;

	if (surface->owns_storage)
		storage_destroy(surface->storage);
	free(surface);
}

static struct d3d9_surface *new_surface(struct d3d9_storage *storage, UINT subresource, bool referenced)
{
	struct d3d9_surface *surface = calloc(1, sizeof(*surface));

	if (!surface)
		return NULL;
	surface->storage = storage;
	surface->subresource = subresource;
	surface->owner = &surface->object;
	object_init(&surface->object, &surface_vtbl, storage->device, surface_destroy, referenced);
	return surface;
}

HRESULT surface_create(struct d3d9_storage *storage, struct d3d9_surface **out)
{
	*out = new_surface(storage, 0, true);
	if (!*out) {
		storage_destroy(storage);
		return E_OUTOFMEMORY;
	}
	(*out)->owns_storage = true;
	return D3D_OK;
}

HRESULT surface_create_implicit(struct d3d9_storage *storage, IUnknown *container, struct d3d9_surface **out)
{
	*out = new_surface(storage, 0, false);
	if (!*out) {
		storage_destroy(storage);
		return E_OUTOFMEMORY;
	}
	(*out)->owns_storage = true;
	(*out)->container = container;
	return D3D_OK;
}

HRESULT surface_create_level(struct d3d9_storage *storage, UINT subresource, struct d3d9_object *texture,
			     struct d3d9_surface **out)
{
	*out = new_surface(storage, subresource, false);
	if (!*out)
		return E_OUTOFMEMORY;
	(*out)->owner = texture;
	(*out)->container = (IUnknown *)texture;
	return D3D_OK;
}

void surface_free_level(struct d3d9_surface *surface)
{
	if (!surface)
		return;
	private_store_clear(&surface->object.private_data);
	free(surface);
}
