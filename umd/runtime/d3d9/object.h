/* SPDX-License-Identifier: MIT */
/*
 * What every child object of a device is made of. A child has two counts: `refs` are the program's (AddRef, Release),
 * `binds` are ours (bound to the device, held by a state block or container). While refs is not 0, the child holds a
 * reference on its device. It is destroyed when both are 0.
 *
 * Surfaces of textures and of other containers have no life of their own: their methods count on the owner.
 */
#ifndef D3DGPU_D3D9_OBJECT_H
#define D3DGPU_D3D9_OBJECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <d3d9.h>

#include "debug.h"
#include "private_data.h"

struct d3d9_device;

struct d3d9_object {
	const void *vtbl;		/* first, as COM wants it */
	struct d3d9_device *device;
	LONG refs, binds;
	void (*destroy)(struct d3d9_object *object);
	struct private_store private_data;
};

/* Starts with one reference of the program, or with none (implicit objects). */
void object_init(struct d3d9_object *object, const void *vtbl, struct d3d9_device *device,
		 void (*destroy)(struct d3d9_object *object), bool referenced);
ULONG object_addref(struct d3d9_object *object);
ULONG object_release(struct d3d9_object *object);
/* NULL is fine for these. */
void object_bind(struct d3d9_object *object);
void object_unbind(struct d3d9_object *object);

/* QueryInterface for an object whose interfaces, besides IUnknown, are the `count` given ones. */
HRESULT object_query(struct d3d9_object *object, REFIID iid, void **out, const GUID *const *interfaces, unsigned count);

/* The three private data methods. */
HRESULT private_set(struct d3d9_object *object, const GUID *guid, const void *data, DWORD size, DWORD flags);
HRESULT private_get(struct d3d9_object *object, const GUID *guid, void *data, DWORD *size);
HRESULT private_free(struct d3d9_object *object, const GUID *guid);

#endif
