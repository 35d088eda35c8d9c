/* SPDX-License-Identifier: MIT */
/* ID3D11DeviceChild: references and holds, private data, the interfaces that an object answers to. */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

void *child_alloc(size_t size, SIZE_T driver_size, void **driver)
{
	size_t offset = (size + 15) & ~(size_t)15;
	char *object = calloc(1, offset + driver_size);

	if (object)
		*driver = object + offset;
	return object;
}

void child_init(struct d3d11_child *child, struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl,
		void (*destroy)(struct d3d11_child *))
{
	child->vtbl = vtbl;
	child->device = device;
	child->kind = (uint8_t)kind;
	child->destroy = destroy;
	child->references = 1;
	child->holds = 1;
	d3d11_device_addref(device);
}

void child_hold(struct d3d11_child *child)
{
	if (child)
		child->holds++;
}

void child_drop(struct d3d11_child *child)
{
	if (!child || --child->holds)
		return;
	private_store_clear(&child->data);
	child->destroy(child);
}

ULONG STDMETHODCALLTYPE child_AddRef(struct d3d11_child *child)
{
	ULONG references = (ULONG)__atomic_add_fetch(&child->references, 1, __ATOMIC_ACQ_REL);

	if (references == 1) {
		/* Back from being held only by a binding. */
		d3d11_device_addref(child->device);
		pthread_mutex_lock(&child->device->lock);
		child_hold(child);
		pthread_mutex_unlock(&child->device->lock);
	}
	return references;
}

ULONG STDMETHODCALLTYPE child_Release(struct d3d11_child *child)
{
	struct d3d11_device *device = child->device;
	ULONG references = (ULONG)__atomic_sub_fetch(&child->references, 1, __ATOMIC_ACQ_REL);

	if (!references) {
		pthread_mutex_lock(&device->lock);
		child_drop(child);
		pthread_mutex_unlock(&device->lock);
		d3d11_device_release(device);
	}
	return references;
}

/* ---- interfaces ---- */

static const GUID *const *kind_ids(uint8_t kind, size_t *count)
{
#define KIND_IDS(...)                                                                                                  \
	{                                                                                                              \
		static const GUID *const ids[] = {__VA_ARGS__};                                                        \
		*count = ARRAY_COUNT(ids);                                                                             \
		return ids;                                                                                            \
	}
	switch (kind) {
	case KIND_BUFFER:
		KIND_IDS(&IID_ID3D11Resource, &IID_ID3D11Buffer)
	case KIND_TEXTURE1D:
		KIND_IDS(&IID_ID3D11Resource, &IID_ID3D11Texture1D)
	case KIND_TEXTURE2D:
		KIND_IDS(&IID_ID3D11Resource, &IID_ID3D11Texture2D)
	case KIND_TEXTURE3D:
		KIND_IDS(&IID_ID3D11Resource, &IID_ID3D11Texture3D)
	case KIND_SRV:
		KIND_IDS(&IID_ID3D11View, &IID_ID3D11ShaderResourceView)
	case KIND_RTV:
		KIND_IDS(&IID_ID3D11View, &IID_ID3D11RenderTargetView)
	case KIND_DSV:
		KIND_IDS(&IID_ID3D11View, &IID_ID3D11DepthStencilView)
	case KIND_INPUT_LAYOUT:
		KIND_IDS(&IID_ID3D11InputLayout)
	case KIND_VERTEX_SHADER:
		KIND_IDS(&IID_ID3D11VertexShader)
	case KIND_PIXEL_SHADER:
		KIND_IDS(&IID_ID3D11PixelShader)
	case KIND_BLEND:
		KIND_IDS(&IID_ID3D11BlendState, &IID_ID3D11BlendState1)
	case KIND_DEPTH_STENCIL:
		KIND_IDS(&IID_ID3D11DepthStencilState)
	case KIND_RASTERIZER:
		KIND_IDS(&IID_ID3D11RasterizerState, &IID_ID3D11RasterizerState1)
	case KIND_SAMPLER:
		KIND_IDS(&IID_ID3D11SamplerState)
	case KIND_QUERY:
		KIND_IDS(&IID_ID3D11Asynchronous, &IID_ID3D11Query)
	case KIND_PREDICATE:
		KIND_IDS(&IID_ID3D11Asynchronous, &IID_ID3D11Query, &IID_ID3D11Predicate)
	case KIND_CONTEXT:
		KIND_IDS(&IID_ID3D11DeviceContext, &IID_ID3D11DeviceContext1)
	default:
		KIND_IDS(&IID_ID3DDeviceContextState)
	}
#undef KIND_IDS
}

/* The other interfaces of resources and of the context. */
static void *extra_interface(struct d3d11_child *child, REFIID riid)
{
	struct d3d11_resource *resource = (struct d3d11_resource *)child;

	if (child->kind == KIND_CONTEXT)
		return IsEqualGUID(riid, &IID_ID3DUserDefinedAnnotation) ? &((struct d3d11_context *)child)->annotation
									 : NULL;
	if (child->kind > KIND_TEXTURE3D)
		return NULL;
	if (IsEqualGUID(riid, &IID_IDXGIObject) || IsEqualGUID(riid, &IID_IDXGIDeviceSubObject) ||
	    IsEqualGUID(riid, &IID_IDXGIResource) || IsEqualGUID(riid, &IID_IDXGIResource1))
		return &resource->dxgi_resource;
	if (resource_has_surface(resource) &&
	    (IsEqualGUID(riid, &IID_IDXGISurface) || IsEqualGUID(riid, &IID_IDXGISurface1)))
		return &resource->dxgi_surface;
	return NULL;
}

static bool is_own_interface(const struct d3d11_child *child, REFIID riid)
{
	size_t count;
	const GUID *const *ids = kind_ids(child->kind, &count);

	if (IsEqualGUID(riid, &IID_IUnknown) || IsEqualGUID(riid, &IID_ID3D11DeviceChild))
		return true;
	for (size_t i = 0; i < count; i++)
		if (IsEqualGUID(riid, ids[i]))
			return true;
	return false;
}

HRESULT STDMETHODCALLTYPE child_QueryInterface(struct d3d11_child *child, REFIID riid, void **out)
{
	if (!out)
		return E_POINTER;
	*out = is_own_interface(child, riid) ? child : extra_interface(child, riid);
	if (!*out)
		return E_NOINTERFACE;
	child_AddRef(child);
	return S_OK;
}

void STDMETHODCALLTYPE child_GetDevice(struct d3d11_child *child, ID3D11Device **device)
{
	*device = (ID3D11Device *)&child->device->ID3D11Device1_iface;
	d3d11_device_addref(child->device);
}

/* ---- private data ---- */

/* data NULL asks for the size; a buffer that is too small gives MORE_DATA and the size. */
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
	memcpy(data, bytes, stored);
	if (is_interface) {
		IUnknown *unknown;

		memcpy(&unknown, bytes, sizeof(unknown));
		IUnknown_AddRef(unknown);
	}
	return S_OK;
}

HRESULT private_data_get(struct d3d11_device *device, struct private_store *store, REFGUID guid, UINT *size, void *data)
{
	HRESULT hr;

	if (!guid || !size)
		return E_INVALIDARG;
	pthread_mutex_lock(&device->lock);
	hr = read_entry(private_store_find(store, guid), size, data);
	pthread_mutex_unlock(&device->lock);
	return hr;
}

HRESULT private_data_set(struct d3d11_device *device, struct private_store *store, REFGUID guid, UINT size,
			 const void *data, bool is_interface)
{
	HRESULT hr = S_OK;

	if (!guid)
		return E_INVALIDARG;
	pthread_mutex_lock(&device->lock);
	if (!data)
		hr = private_store_remove(store, guid) ? S_OK : S_FALSE;
	else if (!private_store_set(store, guid, data, size, is_interface))
		hr = E_OUTOFMEMORY;
	pthread_mutex_unlock(&device->lock);
	return hr;
}

HRESULT STDMETHODCALLTYPE child_GetPrivateData(struct d3d11_child *child, REFGUID guid, UINT *size, void *data)
{
	return private_data_get(child->device, &child->data, guid, size, data);
}

HRESULT STDMETHODCALLTYPE child_SetPrivateData(struct d3d11_child *child, REFGUID guid, UINT size, const void *data)
{
	return private_data_set(child->device, &child->data, guid, size, data, false);
}

HRESULT STDMETHODCALLTYPE child_SetPrivateDataInterface(struct d3d11_child *child, REFGUID guid, const IUnknown *data)
{
	return private_data_set(child->device, &child->data, guid, sizeof(void *), data, true);
}
