/* SPDX-License-Identifier: MIT */
/* What all DXGI objects have: the counter and private data. */
#include "dxgi_private.h"

#include <pthread.h>
#include <string.h>

/* Private data is rare: one lock for all objects. */
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;

void dxgi_object_init(struct dxgi_object *object, const void *vtbl)
{
	object->vtbl = vtbl;
	object->references = 1;
}

ULONG STDMETHODCALLTYPE dxgi_add_ref(struct dxgi_object *object)
{
	return (ULONG)__atomic_add_fetch(&object->references, 1, __ATOMIC_RELAXED);
}

HRESULT dxgi_query(struct dxgi_object *object, const GUID *const *ids, size_t count, REFIID riid, void **out)
{
	if (!out)
		return E_POINTER;
	*out = NULL;
	for (size_t i = 0; i < count; i++)
		if (IsEqualGUID(ids[i], riid)) {
			dxgi_add_ref(object);
			*out = object;
			return S_OK;
		}
	return E_NOINTERFACE;
}

HRESULT STDMETHODCALLTYPE dxgi_set_private_data(struct dxgi_object *object, REFGUID guid, UINT size, const void *data)
{
	HRESULT hr = S_OK;

	if (!guid)
		return DXGI_ERROR_INVALID_CALL;
	pthread_mutex_lock(&data_lock);
	if (!data)
		hr = private_store_remove(&object->data, guid) ? S_OK : S_FALSE;
	else if (!private_store_set(&object->data, guid, data, size, false))
		hr = E_OUTOFMEMORY;
	pthread_mutex_unlock(&data_lock);
	return hr;
}

HRESULT STDMETHODCALLTYPE dxgi_set_private_data_interface(struct dxgi_object *object, REFGUID guid,
							  const IUnknown *data)
{
	HRESULT hr = S_OK;

	if (!guid)
		return DXGI_ERROR_INVALID_CALL;
	pthread_mutex_lock(&data_lock);
	if (!data)
		hr = private_store_remove(&object->data, guid) ? S_OK : S_FALSE;
	else if (!private_store_set(&object->data, guid, data, sizeof(void *), true))
		hr = E_OUTOFMEMORY;
	pthread_mutex_unlock(&data_lock);
	return hr;
}

/* The rules of IDXGIObject::GetPrivateData: data NULL asks for the size; a buffer too small gives MORE_DATA and the
 * size. */
static HRESULT read_entry(const struct private_entry *entry, UINT *size, void *data)
{
	const void *bytes;
	bool is_interface;
	UINT stored;

	if (!entry) {
		*size = 0;
		return DXGI_ERROR_NOT_FOUND;
	}
	bytes = private_entry_data(entry, &stored, &is_interface);
	if (data && *size < stored) {
		*size = stored;
		return DXGI_ERROR_MORE_DATA;
	}
	*size = stored;
	if (!data)
		return S_OK;
	if (is_interface) {
		IUnknown *unknown;

		memcpy(&unknown, bytes, sizeof(unknown));
		IUnknown_AddRef(unknown);
		memcpy(data, &unknown, sizeof(unknown));
	} else {
		memcpy(data, bytes, stored);
	}
	return S_OK;
}

HRESULT STDMETHODCALLTYPE dxgi_get_private_data(struct dxgi_object *object, REFGUID guid, UINT *size, void *data)
{
	HRESULT hr;

	if (!guid || !size)
		return E_POINTER;
	pthread_mutex_lock(&data_lock);
	hr = read_entry(private_store_find(&object->data, guid), size, data);
	pthread_mutex_unlock(&data_lock);
	return hr;
}
