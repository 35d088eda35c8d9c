/* SPDX-License-Identifier: MIT */
/* IDirect3DSurface9: one subresource of a storage. Also the volumes of a volume texture's levels (volume.c). */
#ifndef D3DGPU_D3D9_SURFACE_H
#define D3DGPU_D3D9_SURFACE_H

#include "storage.h"

struct d3d9_surface {
	struct d3d9_object object;
	struct d3d9_object *owner;	/* counts references: &object itself, or the texture */
	IUnknown *container;		/* what GetContainer answers; NULL = the device */
	struct d3d9_storage *storage;
	UINT subresource;
	bool owns_storage;
	DWORD priority;
};

/* A surface with a storage of its own; takes the storage over, also on failure. */
HRESULT surface_create(struct d3d9_storage *storage, struct d3d9_surface **out);
/* A swap chain's buffer: no reference of the program yet. */
HRESULT surface_create_implicit(struct d3d9_storage *storage, IUnknown *container, struct d3d9_surface **out);
/* A level of a texture, which owns it and frees it with surface_free. */
HRESULT surface_create_level(struct d3d9_storage *storage, UINT subresource, struct d3d9_object *texture,
			     struct d3d9_surface **out);
void surface_free_level(struct d3d9_surface *surface);

static inline struct d3d9_surface *surface_from(IDirect3DSurface9 *iface)
{
	return (struct d3d9_surface *)iface;
}

static inline IDirect3DSurface9 *surface_iface(struct d3d9_surface *surface)
{
	return (IDirect3DSurface9 *)surface;
}

/* Size of the surface in pixels. */
static inline UINT surface_width(const struct d3d9_surface *surface)
{
	return level_extent(surface->storage->width, surface->subresource % surface->storage->levels);
}

static inline UINT surface_height(const struct d3d9_surface *surface)
{
	return level_extent(surface->storage->height, surface->subresource % surface->storage->levels);
}

/* The rectangle, or all with NULL, when it lies inside; else false. */
bool surface_rect(const struct d3d9_surface *surface, const RECT *rect, RECT *out);

/* IDirect3DVolume9 of a level. */
HRESULT volume_create_level(struct d3d9_storage *storage, UINT level, struct d3d9_object *texture,
			    struct d3d9_surface **out);

/* For surfaces and volumes: container's IUnknown methods count on the owner. */
static inline void surface_bind(struct d3d9_surface *surface)
{
	if (surface)
		object_bind(surface->owner);
}

static inline void surface_unbind(struct d3d9_surface *surface)
{
	if (surface)
		object_unbind(surface->owner);
}

#endif
