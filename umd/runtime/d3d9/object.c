/* SPDX-License-Identifier: MIT */
#include "object.h"

#include "device.h"

void object_init(struct d3d9_object *object, const void *vtbl, struct d3d9_device *device,
		 void (*destroy)(struct d3d9_object *object), bool referenced)
{
	object->vtbl = vtbl;
	object->device = device;
	object->destroy = destroy;
	object->refs = object->binds = 0;
	if (referenced)
		object_addref(object);
}

ULONG object_addref(struct d3d9_object *object)
{
	LONG refs = __atomic_add_fetch(&object->refs, 1, __ATOMIC_RELAXED);

	if (refs == 1)
		device_addref(object->device);
	return (ULONG)refs;
}

static void destroy_if_unused(struct d3d9_object *object)
{
	if (__atomic_load_n(&object->refs, __ATOMIC_ACQUIRE) || __atomic_load_n(&object->binds, __ATOMIC_ACQUIRE))
		return;
	private_store_clear(&object->private_data);
	object->destroy(object);
}

/*
 * The last reference goes under the device's lock: as soon as it is gone, a thread that unbinds the object there destroys
 * it, so whoever takes it away must be the one that looks whether the object is still bound.
 */
ULONG object_release(struct d3d9_object *object)
{
	struct d3d9_device *device = object->device;
	LONG refs = __atomic_load_n(&object->refs, __ATOMIC_RELAXED);

	while (refs > 1)
		if (__atomic_compare_exchange_n(&object->refs, &refs, refs - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return (ULONG)refs - 1;
	/* Implicit objects are released more often than referenced by many programs; Direct3D lets them. */
	if (!refs)
		return 0;
	device_lock(device);
	refs = __atomic_sub_fetch(&object->refs, 1, __ATOMIC_ACQ_REL);
	if (!refs)
		destroy_if_unused(object);
	device_unlock(device);
	if (!refs)
		device_release(device);
	return (ULONG)refs;
}

void object_bind(struct d3d9_object *object)
{
	if (object)
		__atomic_add_fetch(&object->binds, 1, __ATOMIC_RELAXED);
}

void object_unbind(struct d3d9_object *object)
{
	if (object && !__atomic_sub_fetch(&object->binds, 1, __ATOMIC_ACQ_REL))
		destroy_if_unused(object);
}

HRESULT object_query(struct d3d9_object *object, REFIID iid, void **out, const GUID *const *interfaces, unsigned count)
{
	bool known;

	if (!out)
		return E_POINTER;
	*out = NULL;
	known = IsEqualGUID(iid, &IID_IUnknown);
	for (unsigned i = 0; i < count && !known; i++)
		known = IsEqualGUID(iid, interfaces[i]);
	if (!known)
		return E_NOINTERFACE;
	IUnknown_AddRef((IUnknown *)object);
	*out = object;
	return S_OK;
}

HRESULT private_set(struct d3d9_object *object, const GUID *guid, const void *data, DWORD size, DWORD flags)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(object->device);
	bool is_interface = flags & D3DSPD_IUNKNOWN;

	if (!guid || (!data && size) || (is_interface && size != sizeof(IUnknown *)))
		return D3DERR_INVALIDCALL;
	return private_store_set(&object->private_data, guid, data, size, is_interface) ? D3D_OK : E_OUTOFMEMORY;
}

HRESULT private_get(struct d3d9_object *object, const GUID *guid, void *data, DWORD *size)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(object->device);
	const struct private_entry *entry;
	const void *stored;
	bool is_interface;
	DWORD room;
	UINT bytes;

	if (!guid || !size)
		return D3DERR_INVALIDCALL;
	entry = private_store_find(&object->private_data, guid);
	if (!entry)
		return D3DERR_NOTFOUND;
	stored = private_entry_data(entry, &bytes, &is_interface);
	room = *size;
	*size = bytes;
	if (!data)
		return D3D_OK;
	if (room < bytes)
		return D3DERR_MOREDATA;
	memcpy(data, stored, bytes);
	if (is_interface)
		IUnknown_AddRef(*(IUnknown *const *)stored);
	return D3D_OK;
}

HRESULT private_free(struct d3d9_object *object, const GUID *guid)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(object->device);

	if (!guid)
		return D3DERR_INVALIDCALL;
	return private_store_remove(&object->private_data, guid) ? D3D_OK : D3DERR_NOTFOUND;
}
