/* SPDX-License-Identifier: MIT */
/*
 * Textures of the three kinds. They share one structure and the methods of IDirect3DBaseTexture9 (base_texture.c);
 * texture.c, cube_texture.c and volume_texture.c add what is their own.
 */
#ifndef D3DGPU_D3D9_TEXTURE_H
#define D3DGPU_D3D9_TEXTURE_H

#include "surface.h"

struct d3d9_texture {
	struct d3d9_object object;
	D3DRESOURCETYPE type;
	struct d3d9_storage *storage;
	struct d3d9_surface **subresources; /* surfaces or volumes, one per subresource */
	UINT visible_levels;		/* 1 with D3DUSAGE_AUTOGENMIPMAP, else the storage's */
	DWORD priority, lod;
	D3DTEXTUREFILTERTYPE autogen_filter;
};

/* Arguments of CreateTexture, CreateCubeTexture (height = width) and CreateVolumeTexture. */
struct texture_args {
	D3DRESOURCETYPE type;
	UINT width, height, depth, levels;
	DWORD usage;
	D3DFORMAT format;
	D3DPOOL pool;
	HANDLE *shared;
};

/* Validates and creates; one reference of the program. */
HRESULT texture_create(struct d3d9_device *device, const struct texture_args *args, struct d3d9_texture **out);

/* Entries of IDirect3DBaseTexture9, in the order of its table, for the tables of the three kinds. */
HRESULT STDMETHODCALLTYPE texture_QueryInterface(IDirect3DBaseTexture9 *iface, REFIID iid, void **out);
ULONG STDMETHODCALLTYPE texture_AddRef(IDirect3DBaseTexture9 *iface);
ULONG STDMETHODCALLTYPE texture_Release(IDirect3DBaseTexture9 *iface);
HRESULT STDMETHODCALLTYPE texture_GetDevice(IDirect3DBaseTexture9 *iface, IDirect3DDevice9 **out);
HRESULT STDMETHODCALLTYPE texture_SetPrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid, const void *data,
						 DWORD size, DWORD flags);
HRESULT STDMETHODCALLTYPE texture_GetPrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid, void *data, DWORD *size);
HRESULT STDMETHODCALLTYPE texture_FreePrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid);
DWORD STDMETHODCALLTYPE texture_SetPriority(IDirect3DBaseTexture9 *iface, DWORD priority);
DWORD STDMETHODCALLTYPE texture_GetPriority(IDirect3DBaseTexture9 *iface);
void STDMETHODCALLTYPE texture_PreLoad(IDirect3DBaseTexture9 *iface);
D3DRESOURCETYPE STDMETHODCALLTYPE texture_GetType(IDirect3DBaseTexture9 *iface);
DWORD STDMETHODCALLTYPE texture_SetLOD(IDirect3DBaseTexture9 *iface, DWORD lod);
DWORD STDMETHODCALLTYPE texture_GetLOD(IDirect3DBaseTexture9 *iface);
DWORD STDMETHODCALLTYPE texture_GetLevelCount(IDirect3DBaseTexture9 *iface);
HRESULT STDMETHODCALLTYPE texture_SetAutoGenFilterType(IDirect3DBaseTexture9 *iface, D3DTEXTUREFILTERTYPE filter);
D3DTEXTUREFILTERTYPE STDMETHODCALLTYPE texture_GetAutoGenFilterType(IDirect3DBaseTexture9 *iface);
void STDMETHODCALLTYPE texture_GenerateMipSubLevels(IDirect3DBaseTexture9 *iface);

/* For the table of a kind. Its own interface stands for the base's in the first parameter, which is all that differs. */
#define TEXTURE_METHODS                                                                                                \
	.QueryInterface = (void *)texture_QueryInterface,                                                              \
	.AddRef = (void *)texture_AddRef,                                                                              \
	.Release = (void *)texture_Release,                                                                            \
	.GetDevice = (void *)texture_GetDevice,                                                                        \
	.SetPrivateData = (void *)texture_SetPrivateData,                                                              \
	.GetPrivateData = (void *)texture_GetPrivateData,                                                              \
	.FreePrivateData = (void *)texture_FreePrivateData,                                                            \
	.SetPriority = (void *)texture_SetPriority,                                                                    \
	.GetPriority = (void *)texture_GetPriority,                                                                    \
	.PreLoad = (void *)texture_PreLoad,                                                                            \
	.GetType = (void *)texture_GetType,                                                                            \
	.SetLOD = (void *)texture_SetLOD,                                                                              \
	.GetLOD = (void *)texture_GetLOD,                                                                              \
	.GetLevelCount = (void *)texture_GetLevelCount,                                                                \
	.SetAutoGenFilterType = (void *)texture_SetAutoGenFilterType,                                                  \
	.GetAutoGenFilterType = (void *)texture_GetAutoGenFilterType,                                                  \
	.GenerateMipSubLevels = (void *)texture_GenerateMipSubLevels

extern const IDirect3DTexture9Vtbl texture_2d_vtbl;
extern const IDirect3DCubeTexture9Vtbl texture_cube_vtbl;
extern const IDirect3DVolumeTexture9Vtbl texture_volume_vtbl;

/* Shared by the three: the surface or volume at an index that the program named; NULL when there is none. */
struct d3d9_surface *texture_level(struct d3d9_texture *texture, UINT layer, UINT level);

#endif
