/* SPDX-License-Identifier: MIT */
/* A resource as DXGI sees it: IDXGIResource1 of all, IDXGISurface1 of 2D textures with one subresource. */
#include "d3d11_private.h"

bool resource_has_surface(const struct d3d11_resource *resource)
{
	return resource->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D && resource->levels == 1 &&
	       resource->layers == 1;
}

static struct d3d11_resource *from_resource(IDXGIResource1 *iface)
{
	return (struct d3d11_resource *)((char *)iface - offsetof(struct d3d11_resource, dxgi_resource));
}

static struct d3d11_resource *from_surface(IDXGISurface1 *iface)
{
	return (struct d3d11_resource *)((char *)iface - offsetof(struct d3d11_resource, dxgi_surface));
}

static HRESULT get_device(struct d3d11_resource *resource, REFIID riid, void **device)
{
	return ID3D11Device1_QueryInterface(&resource->base.device->ID3D11Device1_iface, riid, device);
}

/* ---- IDXGIResource1 ---- */

static HRESULT STDMETHODCALLTYPE resource_QueryInterface(IDXGIResource1 *iface, REFIID riid, void **out)
{
	return child_QueryInterface(&from_resource(iface)->base, riid, out);
}

static ULONG STDMETHODCALLTYPE resource_AddRef(IDXGIResource1 *iface)
{
	return child_AddRef(&from_resource(iface)->base);
}

static ULONG STDMETHODCALLTYPE resource_Release(IDXGIResource1 *iface)
{
	return child_Release(&from_resource(iface)->base);
}

static HRESULT STDMETHODCALLTYPE resource_SetPrivateData(IDXGIResource1 *iface, REFGUID guid, UINT size,
							 const void *data)
{
	return child_SetPrivateData(&from_resource(iface)->base, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE resource_SetPrivateDataInterface(IDXGIResource1 *iface, REFGUID guid,
								  const IUnknown *data)
{
	return child_SetPrivateDataInterface(&from_resource(iface)->base, guid, data);
}

static HRESULT STDMETHODCALLTYPE resource_GetPrivateData(IDXGIResource1 *iface, REFGUID guid, UINT *size, void *data)
{
	return child_GetPrivateData(&from_resource(iface)->base, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE resource_GetDevice(IDXGIResource1 *iface, REFIID riid, void **device)
{
	return get_device(from_resource(iface), riid, device);
}

/* Only shared resources have a handle, and those cannot be made yet. */
static HRESULT STDMETHODCALLTYPE resource_GetSharedHandle(IDXGIResource1 *iface, HANDLE *handle)
{
	if (handle)
		*handle = NULL;
	return E_INVALIDARG;
}

static HRESULT STDMETHODCALLTYPE resource_GetUsage(IDXGIResource1 *iface, DXGI_USAGE *usage)
{
	struct d3d11_resource *resource = from_resource(iface);

	if (!usage)
		return E_INVALIDARG;
	*usage = 0;
	if (resource->bind & D3D11_BIND_RENDER_TARGET)
		*usage |= DXGI_USAGE_RENDER_TARGET_OUTPUT;
	if (resource->bind & D3D11_BIND_SHADER_RESOURCE)
		*usage |= DXGI_USAGE_SHADER_INPUT;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE resource_SetPriority(IDXGIResource1 *iface, UINT priority)
{
	from_resource(iface)->priority = priority;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE resource_GetPriority(IDXGIResource1 *iface, UINT *priority)
{
	if (!priority)
		return E_INVALIDARG;
	*priority = from_resource(iface)->priority;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE resource_CreateSubresourceSurface(IDXGIResource1 *iface, UINT index,
								   IDXGISurface2 **surface)
{
	if (surface)
		*surface = NULL;
	return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE resource_CreateSharedHandle(IDXGIResource1 *iface,
							     const SECURITY_ATTRIBUTES *attributes, DWORD access,
							     const WCHAR *name, HANDLE *handle)
{
	if (handle)
		*handle = NULL;
	return E_INVALIDARG;
}

const IDXGIResource1Vtbl dxgi_resource_vtbl = {
	.QueryInterface = resource_QueryInterface,
	.AddRef = resource_AddRef,
	.Release = resource_Release,
	.SetPrivateData = resource_SetPrivateData,
	.SetPrivateDataInterface = resource_SetPrivateDataInterface,
	.GetPrivateData = resource_GetPrivateData,
	.GetParent = resource_GetDevice,
	.GetDevice = resource_GetDevice,
	.GetSharedHandle = resource_GetSharedHandle,
	.GetUsage = resource_GetUsage,
	.SetEvictionPriority = resource_SetPriority,
	.GetEvictionPriority = resource_GetPriority,
	.CreateSubresourceSurface = resource_CreateSubresourceSurface,
	.CreateSharedHandle = resource_CreateSharedHandle,
};

/* ---- IDXGISurface1 ---- */

static HRESULT STDMETHODCALLTYPE surface_QueryInterface(IDXGISurface1 *iface, REFIID riid, void **out)
{
	return child_QueryInterface(&from_surface(iface)->base, riid, out);
}

static ULONG STDMETHODCALLTYPE surface_AddRef(IDXGISurface1 *iface)
{
	return child_AddRef(&from_surface(iface)->base);
}

static ULONG STDMETHODCALLTYPE surface_Release(IDXGISurface1 *iface)
{
	return child_Release(&from_surface(iface)->base);
}

static HRESULT STDMETHODCALLTYPE surface_SetPrivateData(IDXGISurface1 *iface, REFGUID guid, UINT size, const void *data)
{
	return child_SetPrivateData(&from_surface(iface)->base, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE surface_SetPrivateDataInterface(IDXGISurface1 *iface, REFGUID guid,
								 const IUnknown *data)
{
	return child_SetPrivateDataInterface(&from_surface(iface)->base, guid, data);
}

static HRESULT STDMETHODCALLTYPE surface_GetPrivateData(IDXGISurface1 *iface, REFGUID guid, UINT *size, void *data)
{
	return child_GetPrivateData(&from_surface(iface)->base, guid, size, data);
}

static HRESULT STDMETHODCALLTYPE surface_GetDevice(IDXGISurface1 *iface, REFIID riid, void **device)
{
	return get_device(from_surface(iface), riid, device);
}

static HRESULT STDMETHODCALLTYPE surface_GetDesc(IDXGISurface1 *iface, DXGI_SURFACE_DESC *desc)
{
	struct d3d11_resource *resource = from_surface(iface);

	if (!desc)
		return E_INVALIDARG;
	*desc = (DXGI_SURFACE_DESC){resource->width, resource->height, resource->format, resource->samples};
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE surface_Map(IDXGISurface1 *iface, DXGI_MAPPED_RECT *mapped, UINT flags)
{
	struct d3d11_resource *resource = from_surface(iface);
	ID3D11DeviceContext1 *context = (ID3D11DeviceContext1 *)resource->base.device->context;
	D3D11_MAPPED_SUBRESOURCE subresource;
	D3D11_MAP type;
	HRESULT hr;

	if (!mapped || !flags || flags & ~(UINT)(DXGI_MAP_READ | DXGI_MAP_WRITE | DXGI_MAP_DISCARD))
		return DXGI_ERROR_INVALID_CALL;
	if (flags & DXGI_MAP_DISCARD)
		type = D3D11_MAP_WRITE_DISCARD;
	else if ((flags & (DXGI_MAP_READ | DXGI_MAP_WRITE)) == (DXGI_MAP_READ | DXGI_MAP_WRITE))
		type = D3D11_MAP_READ_WRITE;
	else
		type = flags & DXGI_MAP_READ ? D3D11_MAP_READ : D3D11_MAP_WRITE;
	hr = ID3D11DeviceContext1_Map(context, (ID3D11Resource *)resource, 0, type, 0, &subresource);
	if (FAILED(hr))
		return hr;
	*mapped = (DXGI_MAPPED_RECT){(INT)subresource.RowPitch, subresource.pData};
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE surface_Unmap(IDXGISurface1 *iface)
{
	struct d3d11_resource *resource = from_surface(iface);

	if (!resource->mapped[0])
		return DXGI_ERROR_INVALID_CALL;
	ID3D11DeviceContext1_Unmap((ID3D11DeviceContext1 *)resource->base.device->context, (ID3D11Resource *)resource,
				   0);
	return S_OK;
}

/* GDI-compatible surfaces cannot be created, so that no surface is one. */
static HRESULT STDMETHODCALLTYPE surface_GetDC(IDXGISurface1 *iface, BOOL discard, HDC *dc)
{
	if (dc)
		*dc = NULL;
	return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE surface_ReleaseDC(IDXGISurface1 *iface, RECT *dirty)
{
	return DXGI_ERROR_INVALID_CALL;
}

const IDXGISurface1Vtbl dxgi_surface_vtbl = {
	.QueryInterface = surface_QueryInterface,
	.AddRef = surface_AddRef,
	.Release = surface_Release,
	.SetPrivateData = surface_SetPrivateData,
	.SetPrivateDataInterface = surface_SetPrivateDataInterface,
	.GetPrivateData = surface_GetPrivateData,
	.GetParent = surface_GetDevice,
	.GetDevice = surface_GetDevice,
	.GetDesc = surface_GetDesc,
	.Map = surface_Map,
	.Unmap = surface_Unmap,
	.GetDC = surface_GetDC,
	.ReleaseDC = surface_ReleaseDC,
};
