/* SPDX-License-Identifier: MIT */
/* IDirect3DVolumeTexture9 */
#include "texture.h"

#include "device.h"

static struct d3d9_texture *texture_from(IDirect3DVolumeTexture9 *iface)
{
	return (struct d3d9_texture *)iface;
}

static HRESULT STDMETHODCALLTYPE volume_texture_GetLevelDesc(IDirect3DVolumeTexture9 *iface, UINT level,
							     D3DVOLUME_DESC *desc)
{
	struct d3d9_surface *volume = texture_level(texture_from(iface), 0, level);

	return volume ? IDirect3DVolume9_GetDesc((IDirect3DVolume9 *)volume, desc) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE volume_texture_GetVolumeLevel(IDirect3DVolumeTexture9 *iface, UINT level,
							       IDirect3DVolume9 **out)
{
	struct d3d9_surface *volume = texture_level(texture_from(iface), 0, level);

	if (!volume || !out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DVolume9 *)volume;
	IDirect3DVolume9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE volume_texture_LockBox(IDirect3DVolumeTexture9 *iface, UINT level,
							D3DLOCKED_BOX *locked, const D3DBOX *box, DWORD flags)
{
	struct d3d9_surface *volume = texture_level(texture_from(iface), 0, level);

	return volume ? IDirect3DVolume9_LockBox((IDirect3DVolume9 *)volume, locked, box, flags) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE volume_texture_UnlockBox(IDirect3DVolumeTexture9 *iface, UINT level)
{
	struct d3d9_surface *volume = texture_level(texture_from(iface), 0, level);

	return volume ? IDirect3DVolume9_UnlockBox((IDirect3DVolume9 *)volume) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE volume_texture_AddDirtyBox(IDirect3DVolumeTexture9 *iface, const D3DBOX *box)
{
	struct d3d9_texture *texture = texture_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(texture->object.device);
	const struct d3d9_storage *storage = texture->storage;

	if (box && (box->Left >= box->Right || box->Top >= box->Bottom || box->Front >= box->Back ||
		    box->Right > storage->width || box->Bottom > storage->height || box->Back > storage->depth))
		return D3DERR_INVALIDCALL;
	storage_add_dirty(texture->storage, 0, box);
	return D3D_OK;
}

const IDirect3DVolumeTexture9Vtbl texture_volume_vtbl = {
	TEXTURE_METHODS,
	.GetLevelDesc = volume_texture_GetLevelDesc,
	.GetVolumeLevel = volume_texture_GetVolumeLevel,
	.LockBox = volume_texture_LockBox,
	.UnlockBox = volume_texture_UnlockBox,
	.AddDirtyBox = volume_texture_AddDirtyBox,
};
