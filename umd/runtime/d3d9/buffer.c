/* SPDX-License-Identifier: MIT */
#include "buffer.h"

#include "device.h"

/* Both interfaces have the same methods up to GetDesc: written once, for the base of both. */
static struct d3d9_buffer *buffer_from(IDirect3DResource9 *iface)
{
	return (struct d3d9_buffer *)iface;
}

static HRESULT STDMETHODCALLTYPE buffer_QueryInterface(IDirect3DResource9 *iface, REFIID iid, void **out)
{
	struct d3d9_buffer *buffer = buffer_from(iface);
	const GUID *interfaces[] = {&IID_IDirect3DResource9, buffer->type == D3DRTYPE_VERTEXBUFFER ?
								     &IID_IDirect3DVertexBuffer9 :
								     &IID_IDirect3DIndexBuffer9};

	return object_query(&buffer->object, iid, out, interfaces, 2);
}

static ULONG STDMETHODCALLTYPE buffer_AddRef(IDirect3DResource9 *iface)
{
	return object_addref(&buffer_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE buffer_Release(IDirect3DResource9 *iface)
{
	return object_release(&buffer_from(iface)->object);
}

static HRESULT STDMETHODCALLTYPE buffer_GetDevice(IDirect3DResource9 *iface, IDirect3DDevice9 **out)
{
	return device_get(buffer_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE buffer_SetPrivateData(IDirect3DResource9 *iface, REFGUID guid, const void *data,
						       DWORD size, DWORD flags)
{
	return private_set(&buffer_from(iface)->object, guid, data, size, flags);
}

static HRESULT STDMETHODCALLTYPE buffer_GetPrivateData(IDirect3DResource9 *iface, REFGUID guid, void *data, DWORD *size)
{
	return private_get(&buffer_from(iface)->object, guid, data, size);
}

static HRESULT STDMETHODCALLTYPE buffer_FreePrivateData(IDirect3DResource9 *iface, REFGUID guid)
{
	return private_free(&buffer_from(iface)->object, guid);
}

static DWORD STDMETHODCALLTYPE buffer_SetPriority(IDirect3DResource9 *iface, DWORD priority)
{
	struct d3d9_buffer *buffer = buffer_from(iface);
	DWORD old = buffer->priority;

	if (buffer->storage->pool == D3DPOOL_MANAGED)
		buffer->priority = priority;
	return old;
}

static DWORD STDMETHODCALLTYPE buffer_GetPriority(IDirect3DResource9 *iface)
{
	return buffer_from(iface)->priority;
}

static void STDMETHODCALLTYPE buffer_PreLoad(IDirect3DResource9 *iface)
{
}

static D3DRESOURCETYPE STDMETHODCALLTYPE buffer_GetType(IDirect3DResource9 *iface)
{
	return buffer_from(iface)->type;
}

/* A lock inside a lock gets a pointer into what is mapped; the last unlock unmaps. */
static HRESULT STDMETHODCALLTYPE buffer_Lock(IDirect3DResource9 *iface, UINT offset, UINT size, void **data,
					     DWORD flags)
{
	struct d3d9_buffer *buffer = buffer_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(buffer->object.device);
	D3DLOCKED_BOX locked;
	D3DBOX box;
	HRESULT hr;

	if (!data || offset >= buffer_size(buffer) || size > buffer_size(buffer) - offset)
		return D3DERR_INVALIDCALL;
	if (!size)
		size = buffer_size(buffer) - offset;
	if (buffer->locks) {
		if (offset < buffer->mapped_offset || offset + size > buffer->mapped_offset + buffer->mapped_size)
			return D3DERR_INVALIDCALL;
	} else {
		box = (D3DBOX){offset, 0, offset + size, 1, 0, 1};
		hr = storage_lock(buffer->storage, 0, &box, flags, &locked);
		if (FAILED(hr))
			return hr;
		buffer->mapped = (uint8_t *)locked.pBits - offset;
		buffer->mapped_offset = offset;
		buffer->mapped_size = size;
	}
	buffer->locks++;
	*data = buffer->mapped + offset;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE buffer_Unlock(IDirect3DResource9 *iface)
{
	struct d3d9_buffer *buffer = buffer_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(buffer->object.device);

	if (!buffer->locks)
		return D3DERR_INVALIDCALL;
	return --buffer->locks ? D3D_OK : storage_unlock(buffer->storage, 0);
}

static HRESULT STDMETHODCALLTYPE vertex_buffer_GetDesc(IDirect3DVertexBuffer9 *iface, D3DVERTEXBUFFER_DESC *desc)
{
	const struct d3d9_buffer *buffer = (struct d3d9_buffer *)iface;

	if (!desc)
		return D3DERR_INVALIDCALL;
	*desc = (D3DVERTEXBUFFER_DESC){D3DFMT_VERTEXDATA, D3DRTYPE_VERTEXBUFFER, buffer->storage->usage,
				       buffer->storage->pool, buffer_size(buffer), buffer->fvf};
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE index_buffer_GetDesc(IDirect3DIndexBuffer9 *iface, D3DINDEXBUFFER_DESC *desc)
{
	const struct d3d9_buffer *buffer = (struct d3d9_buffer *)iface;

	if (!desc)
		return D3DERR_INVALIDCALL;
	*desc = (D3DINDEXBUFFER_DESC){buffer->format, D3DRTYPE_INDEXBUFFER, buffer->storage->usage,
				      buffer->storage->pool, buffer_size(buffer)};
	return D3D_OK;
}

static const IDirect3DVertexBuffer9Vtbl vertex_buffer_vtbl = {
	.QueryInterface = (void *)buffer_QueryInterface,
	.AddRef = (void *)buffer_AddRef,
	.Release = (void *)buffer_Release,
	.GetDevice = (void *)buffer_GetDevice,
	.SetPrivateData = (void *)buffer_SetPrivateData,
	.GetPrivateData = (void *)buffer_GetPrivateData,
	.FreePrivateData = (void *)buffer_FreePrivateData,
	.SetPriority = (void *)buffer_SetPriority,
	.GetPriority = (void *)buffer_GetPriority,
	.PreLoad = (void *)buffer_PreLoad,
	.GetType = (void *)buffer_GetType,
	.Lock = (void *)buffer_Lock,
	.Unlock = (void *)buffer_Unlock,
	.GetDesc = vertex_buffer_GetDesc,
};

static const IDirect3DIndexBuffer9Vtbl index_buffer_vtbl = {
	.QueryInterface = (void *)buffer_QueryInterface,
	.AddRef = (void *)buffer_AddRef,
	.Release = (void *)buffer_Release,
	.GetDevice = (void *)buffer_GetDevice,
	.SetPrivateData = (void *)buffer_SetPrivateData,
	.GetPrivateData = (void *)buffer_GetPrivateData,
	.FreePrivateData = (void *)buffer_FreePrivateData,
	.SetPriority = (void *)buffer_SetPriority,
	.GetPriority = (void *)buffer_GetPriority,
	.PreLoad = (void *)buffer_PreLoad,
	.GetType = (void *)buffer_GetType,
	.Lock = (void *)buffer_Lock,
	.Unlock = (void *)buffer_Unlock,
	.GetDesc = index_buffer_GetDesc,
};

static void buffer_destroy(struct d3d9_object *object)
{
	struct d3d9_buffer *buffer = (struct d3d9_buffer *)object;

	if (buffer->locks)
		storage_unlock(buffer->storage, 0);
	storage_destroy(buffer->storage);
	free(buffer);
}

static bool args_good(const struct d3d9_device *device, D3DRESOURCETYPE type, UINT size, DWORD usage, D3DFORMAT format,
		      D3DPOOL pool, const HANDLE *shared)
{
	const DWORD bad_usage = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL | D3DUSAGE_AUTOGENMIPMAP | D3DUSAGE_DMAP;

	if (!size || (usage & bad_usage) || pool == D3DPOOL_SCRATCH || pool > D3DPOOL_SCRATCH)
		return false;
	if (pool == D3DPOOL_MANAGED && (device->is_ex || (usage & D3DUSAGE_DYNAMIC)))
		return false;
	if (type == D3DRTYPE_INDEXBUFFER && format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32)
		return false;
	return !shared || (device->is_ex && pool == D3DPOOL_DEFAULT);
}

HRESULT buffer_create(struct d3d9_device *device, D3DRESOURCETYPE type, UINT size, DWORD usage, D3DFORMAT format,
		      DWORD fvf, D3DPOOL pool, HANDLE *shared, struct d3d9_buffer **out)
{
	struct storage_desc desc = {
		.format = format,
		.width = size,
		.height = 1,
		.depth = 1,
		.levels = 1,
		.layers = 1,
		.usage = usage,
		.pool = pool,
		.shared = shared,
	};
	struct d3d9_buffer *buffer;
	HRESULT hr;

	if (!args_good(device, type, size, usage, format, pool, shared)) {
		runtime_refused(__func__, "size %u, usage %#x, format %u, pool %u", size, usage, format, pool);
		return D3DERR_INVALIDCALL;
	}
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer)
		return E_OUTOFMEMORY;
	hr = storage_create(device, &desc, type, &buffer->storage);
	if (FAILED(hr)) {
		free(buffer);
		return hr;
	}
	buffer->type = type;
	buffer->format = format;
	buffer->fvf = fvf;
	object_init(&buffer->object,
		    type == D3DRTYPE_VERTEXBUFFER ? (const void *)&vertex_buffer_vtbl
						  : (const void *)&index_buffer_vtbl,
		    device, buffer_destroy, true);
	*out = buffer;
	return D3D_OK;
}
