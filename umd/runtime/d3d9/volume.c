/* SPDX-License-Identifier: MIT */
/* IDirect3DVolume9: a level of a volume texture. */
#include "device.h"
#include "surface.h"

static struct d3d9_surface *volume_from(IDirect3DVolume9 *iface)
{
	return (struct d3d9_surface *)iface;
}

static HRESULT STDMETHODCALLTYPE volume_QueryInterface(IDirect3DVolume9 *iface, REFIID iid, void **out)
{
	static const GUID *const interfaces[] = {&IID_IDirect3DVolume9};

	return object_query(&volume_from(iface)->object, iid, out, interfaces, 1);
}

static ULONG STDMETHODCALLTYPE volume_AddRef(IDirect3DVolume9 *iface)
{
	return object_addref(volume_from(iface)->owner);
}

static ULONG STDMETHODCALLTYPE volume_Release(IDirect3DVolume9 *iface)
{
	return object_release(volume_from(iface)->owner);
}

static HRESULT STDMETHODCALLTYPE volume_GetDevice(IDirect3DVolume9 *iface, IDirect3DDevice9 **out)
{
	return device_get(volume_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE volume_SetPrivateData(IDirect3DVolume9 *iface, REFGUID guid, const void *data,
						       DWORD size, DWORD flags)
{
	return private_set(&volume_from(iface)->object, guid, data, size, flags);
}

static HRESULT STDMETHODCALLTYPE volume_GetPrivateData(IDirect3DVolume9 *iface, REFGUID guid, void *data, DWORD *size)
{
	return private_get(&volume_from(iface)->object, guid, data, size);
}

static HRESULT STDMETHODCALLTYPE volume_FreePrivateData(IDirect3DVolume9 *iface, REFGUID guid)
{
	return private_free(&volume_from(iface)->object, guid);
}

static HRESULT STDMETHODCALLTYPE volume_GetContainer(IDirect3DVolume9 *iface, REFIID iid, void **out)
{
	return IUnknown_QueryInterface(volume_from(iface)->container, iid, out);
}

static HRESULT STDMETHODCALLTYPE volume_GetDesc(IDirect3DVolume9 *iface, D3DVOLUME_DESC *desc)
{
	const struct d3d9_surface *volume = volume_from(iface);
	D3DBOX box;

	if (!desc)
		return D3DERR_INVALIDCALL;
	box = storage_level_box(volume->storage, volume->subresource);
	desc->Format = volume->storage->format;
	desc->Type = D3DRTYPE_VOLUME;
	desc->Usage = volume->storage->usage;
	desc->Pool = volume->storage->pool;
	desc->Width = box.Right;
	desc->Height = box.Bottom;
	desc->Depth = box.Back;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE volume_LockBox(IDirect3DVolume9 *iface, D3DLOCKED_BOX *locked, const D3DBOX *box,
						DWORD flags)
{
	struct d3d9_surface *volume = volume_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(volume->object.device);

	return locked ? storage_lock(volume->storage, volume->subresource, box, flags, locked) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE volume_UnlockBox(IDirect3DVolume9 *iface)
{
	struct d3d9_surface *volume = volume_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(volume->object.device);

	return storage_unlock(volume->storage, volume->subresource);
}

static const IDirect3DVolume9Vtbl volume_vtbl = {
	.QueryInterface = volume_QueryInterface,
	.AddRef = volume_AddRef,
	.Release = volume_Release,
	.GetDevice = volume_GetDevice,
	.SetPrivateData = volume_SetPrivateData,
	.GetPrivateData = volume_GetPrivateData,
	.FreePrivateData = volume_FreePrivateData,
	.GetContainer = volume_GetContainer,
	.GetDesc = volume_GetDesc,
	.LockBox = volume_LockBox,
	.UnlockBox = volume_UnlockBox,
};

HRESULT volume_create_level(struct d3d9_storage *storage, UINT level, struct d3d9_object *texture,
			    struct d3d9_surface **out)
{
	HRESULT hr = surface_create_level(storage, level, texture, out);

	if (SUCCEEDED(hr))
		(*out)->object.vtbl = &volume_vtbl;
	return hr;
}
