/* SPDX-License-Identifier: MIT */
/* IDirect3DCubeTexture9 */
#include "texture.h"

#include "device.h"

static struct d3d9_texture *texture_from(IDirect3DCubeTexture9 *iface)
{
	return (struct d3d9_texture *)iface;
}

static HRESULT STDMETHODCALLTYPE cube_GetLevelDesc(IDirect3DCubeTexture9 *iface, UINT level, D3DSURFACE_DESC *desc)
{
	struct d3d9_surface *surface = texture_level(texture_from(iface), 0, level);

	return surface ? IDirect3DSurface9_GetDesc(surface_iface(surface), desc) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE cube_GetCubeMapSurface(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face, UINT level,
							IDirect3DSurface9 **out)
{
	struct d3d9_surface *surface = texture_level(texture_from(iface), face, level);

	if (!surface || !out)
		return D3DERR_INVALIDCALL;
	*out = surface_iface(surface);
	IDirect3DSurface9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE cube_LockRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face, UINT level,
					       D3DLOCKED_RECT *locked, const RECT *rect, DWORD flags)
{
	struct d3d9_surface *surface = texture_level(texture_from(iface), face, level);

	return surface ? IDirect3DSurface9_LockRect(surface_iface(surface), locked, rect, flags) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE cube_UnlockRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face, UINT level)
{
	struct d3d9_surface *surface = texture_level(texture_from(iface), face, level);

	return surface ? IDirect3DSurface9_UnlockRect(surface_iface(surface)) : D3DERR_INVALIDCALL;
}

static HRESULT STDMETHODCALLTYPE cube_AddDirtyRect(IDirect3DCubeTexture9 *iface, D3DCUBEMAP_FACES face,
						   const RECT *rect)
{
	struct d3d9_texture *texture = texture_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(texture->object.device);
	D3DBOX box = {0, 0, 0, 0, 0, 1};
	RECT area;

	if (face > D3DCUBEMAP_FACE_NEGATIVE_Z || !surface_rect(texture->subresources[0], rect, &area))
		return D3DERR_INVALIDCALL;
	box.Left = (UINT)area.left;
	box.Top = (UINT)area.top;
	box.Right = (UINT)area.right;
	box.Bottom = (UINT)area.bottom;
	storage_add_dirty(texture->storage, face, &box);
	return D3D_OK;
}

const IDirect3DCubeTexture9Vtbl texture_cube_vtbl = {
	TEXTURE_METHODS,
	.GetLevelDesc = cube_GetLevelDesc,
	.GetCubeMapSurface = cube_GetCubeMapSurface,
	.LockRect = cube_LockRect,
	.UnlockRect = cube_UnlockRect,
	.AddDirtyRect = cube_AddDirtyRect,
};
