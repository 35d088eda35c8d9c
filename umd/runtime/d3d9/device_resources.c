/* SPDX-License-Identifier: MIT */
/* Creation of textures, buffers and surfaces: what Direct3D refuses, what this adapter does not have, and with which
 * code. */
#include "buffer.h"
#include "device.h"
#include "texture.h"

/* What CreateDepthStencilSurfaceEx and its siblings accept in Usage. */
#define RESTRICT_SHARED (D3DUSAGE_RESTRICT_SHARED_RESOURCE | D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER)
#define EX_USAGES (D3DUSAGE_RESTRICTED_CONTENT | RESTRICT_SHARED)

static bool usage_good(DWORD usage, const HANDLE *shared)
{
	if (usage & ~(DWORD)EX_USAGES)
		return false;
	return !(usage & RESTRICT_SHARED) || shared;
}

static HRESULT STDMETHODCALLTYPE device_CreateTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height, UINT levels,
						      DWORD usage, D3DFORMAT format, D3DPOOL pool,
						      IDirect3DTexture9 **out, HANDLE *shared)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));
	struct texture_args args = {D3DRTYPE_TEXTURE, width, height, 1, levels, usage, format, pool, shared};

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return texture_create(device_from(iface), &args, (struct d3d9_texture **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateVolumeTexture(IDirect3DDevice9Ex *iface, UINT width, UINT height,
							    UINT depth, UINT levels, DWORD usage, D3DFORMAT format,
							    D3DPOOL pool, IDirect3DVolumeTexture9 **out, HANDLE *shared)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));
	struct texture_args args = {D3DRTYPE_VOLUMETEXTURE, width, height, depth, levels, usage, format, pool, shared};

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return texture_create(device_from(iface), &args, (struct d3d9_texture **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateCubeTexture(IDirect3DDevice9Ex *iface, UINT edge, UINT levels,
							  DWORD usage, D3DFORMAT format, D3DPOOL pool,
							  IDirect3DCubeTexture9 **out, HANDLE *shared)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));
	struct texture_args args = {D3DRTYPE_CUBETEXTURE, edge, edge, 1, levels, usage, format, pool, shared};

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return texture_create(device_from(iface), &args, (struct d3d9_texture **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateVertexBuffer(IDirect3DDevice9Ex *iface, UINT size, DWORD usage, DWORD fvf,
							   D3DPOOL pool, IDirect3DVertexBuffer9 **out, HANDLE *shared)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return buffer_create(device_from(iface), D3DRTYPE_VERTEXBUFFER, size, usage, D3DFMT_VERTEXDATA, fvf, pool,
			     shared, (struct d3d9_buffer **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateIndexBuffer(IDirect3DDevice9Ex *iface, UINT size, DWORD usage,
							  D3DFORMAT format, D3DPOOL pool, IDirect3DIndexBuffer9 **out,
							  HANDLE *shared)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return buffer_create(device_from(iface), D3DRTYPE_INDEXBUFFER, size, usage, format, 0, pool, shared,
			     (struct d3d9_buffer **)out);
}

/* ---- surfaces ---- */

static HRESULT create_surface(struct d3d9_device *device, struct storage_desc *desc, struct d3d9_surface **out)
{
	struct d3d9_storage *storage;
	HRESULT hr;

	desc->depth = desc->levels = desc->layers = 1;
	hr = storage_create(device, desc, D3DRTYPE_SURFACE, &storage);
	return FAILED(hr) ? hr : surface_create(storage, out);
}

static bool size_good(const struct d3d9_device *device, UINT width, UINT height)
{
	return width && height && width <= device->adapter->caps.MaxTextureWidth &&
	       height <= device->adapter->caps.MaxTextureHeight;
}

/* D3DERR_NOTAVAILABLE: the sample type; D3DERR_INVALIDCALL: the quality. */
static HRESULT check_samples(const struct d3d9_device *device, D3DFORMAT format, D3DMULTISAMPLE_TYPE type,
			     DWORD quality)
{
	UINT levels;

	if (type > D3DMULTISAMPLE_16_SAMPLES)
		return D3DERR_INVALIDCALL;
	levels = adapter_quality_levels(device->adapter, format, TRUE, type);
	if (!levels)
		return D3DERR_NOTAVAILABLE;
	return quality < levels ? D3D_OK : D3DERR_INVALIDCALL;
}

/* Everything about a depth-stencil surface's arguments but its usage. */
static HRESULT check_depth_stencil(const struct d3d9_device *device, UINT width, UINT height, D3DFORMAT format,
				   D3DMULTISAMPLE_TYPE type, DWORD quality, BOOL discard, const HANDLE *shared)
{
	HRESULT hr;

	if (!format_is_depth(format) || !size_good(device, width, height) || (shared && !device->is_ex))
		return D3DERR_INVALIDCALL;
	if (!(adapter_operations(device->adapter, format) & FORMATOP_ZSTENCIL))
		return D3DERR_NOTAVAILABLE;
	hr = check_samples(device, format, type, quality);
	if (FAILED(hr))
		return hr;
	return discard && format_info(format)->lockable_depth ? D3DERR_INVALIDCALL : D3D_OK;
}

HRESULT device_create_depth_stencil(struct d3d9_device *device, UINT width, UINT height, D3DFORMAT format,
				    D3DMULTISAMPLE_TYPE type, DWORD quality, BOOL discard, HANDLE *shared, DWORD usage,
				    struct d3d9_surface **out)
{
	struct storage_desc desc = {
		.format = format,
		.width = width,
		.height = height,
		.usage = usage | D3DUSAGE_DEPTHSTENCIL,
		.pool = D3DPOOL_DEFAULT,
		.multisample = type,
		.quality = quality,
		.discard = discard != 0,
		.shared = shared,
	};
	HRESULT hr = check_depth_stencil(device, width, height, format, type, quality, discard, shared);

	if (FAILED(hr)) {
		runtime_refused(__func__, "%ux%u, format %u, samples %u, quality %u, discard %d: %#x", width, height,
				format, type, quality, discard, hr);
		return hr;
	}
	desc.lockable = format_info(format)->lockable_depth;
	return create_surface(device, &desc, out);
}

static HRESULT STDMETHODCALLTYPE device_CreateDepthStencilSurfaceEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
								    D3DFORMAT format, D3DMULTISAMPLE_TYPE type,
								    DWORD quality, BOOL discard,
								    IDirect3DSurface9 **out, HANDLE *shared,
								    DWORD usage)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	/* A wrong usage is refused before the out pointer is touched. */
	if (!out || !usage_good(usage, shared))
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return device_create_depth_stencil(device, width, height, format, type, quality, discard, shared, usage,
					   (struct d3d9_surface **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateDepthStencilSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
								  D3DFORMAT format, D3DMULTISAMPLE_TYPE type,
								  DWORD quality, BOOL discard, IDirect3DSurface9 **out,
								  HANDLE *shared)
{
	return device_CreateDepthStencilSurfaceEx(iface, width, height, format, type, quality, discard, out, shared, 0);
}

static HRESULT STDMETHODCALLTYPE device_CreateRenderTargetEx(IDirect3DDevice9Ex *iface, UINT width, UINT height,
							     D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality,
							     BOOL lockable, IDirect3DSurface9 **out, HANDLE *shared,
							     DWORD usage)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct storage_desc desc = {
		.format = format,
		.width = width,
		.height = height,
		.usage = usage | D3DUSAGE_RENDERTARGET,
		.pool = D3DPOOL_DEFAULT,
		.multisample = type,
		.quality = quality,
		.lockable = lockable != 0,
		.shared = shared,
	};
	HRESULT hr;

	if (!out || !usage_good(usage, shared))
		return D3DERR_INVALIDCALL;
	*out = NULL;
	if (!format_info(format) || format_is_depth(format) || !size_good(device, width, height) ||
	    (shared && !device->is_ex) || (lockable && type != D3DMULTISAMPLE_NONE))
		return D3DERR_INVALIDCALL;
	if (!(adapter_operations(device->adapter, format) & FORMATOP_OFFSCREEN_RENDERTARGET))
		return D3DERR_NOTAVAILABLE;
	hr = check_samples(device, format, type, quality);
	return FAILED(hr) ? hr : create_surface(device, &desc, (struct d3d9_surface **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateRenderTarget(IDirect3DDevice9Ex *iface, UINT width, UINT height,
							   D3DFORMAT format, D3DMULTISAMPLE_TYPE type, DWORD quality,
							   BOOL lockable, IDirect3DSurface9 **out, HANDLE *shared)
{
	return device_CreateRenderTargetEx(iface, width, height, format, type, quality, lockable, out, shared, 0);
}

/* With a shared handle a plain surface in system memory is the program's memory. */
static bool plain_args_good(const struct d3d9_device *device, UINT width, UINT height, D3DFORMAT format, D3DPOOL pool,
			    const HANDLE *shared)
{
	if (!format_info(format) || !width || !height)
		return false;
	if (pool != D3DPOOL_DEFAULT && pool != D3DPOOL_SYSTEMMEM && pool != D3DPOOL_SCRATCH)
		return false;
	if (shared && (!device->is_ex || pool == D3DPOOL_SCRATCH || (pool == D3DPOOL_SYSTEMMEM && !*shared)))
		return false;
	if (pool == D3DPOOL_DEFAULT)
		return size_good(device, width, height) &&
		       (adapter_operations(device->adapter, format) & FORMATOP_OFFSCREENPLAIN);
	return true;
}

static HRESULT STDMETHODCALLTYPE device_CreateOffscreenPlainSurfaceEx(IDirect3DDevice9Ex *iface, UINT width,
								      UINT height, D3DFORMAT format, D3DPOOL pool,
								      IDirect3DSurface9 **out, HANDLE *shared,
								      DWORD usage)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct storage_desc desc = {
		.format = format,
		.width = width,
		.height = height,
		.usage = usage,
		.pool = pool,
		.lockable = true,
		.shared = shared,
	};

	if (!out || !usage_good(usage, shared))
		return D3DERR_INVALIDCALL;
	*out = NULL;
	if (!plain_args_good(device, width, height, format, pool, shared)) {
		runtime_refused(__func__, "%ux%u, format %u, pool %u", width, height, format, pool);
		return D3DERR_INVALIDCALL;
	}
	return create_surface(device, &desc, (struct d3d9_surface **)out);
}

static HRESULT STDMETHODCALLTYPE device_CreateOffscreenPlainSurface(IDirect3DDevice9Ex *iface, UINT width, UINT height,
								    D3DFORMAT format, D3DPOOL pool,
								    IDirect3DSurface9 **out, HANDLE *shared)
{
	return device_CreateOffscreenPlainSurfaceEx(iface, width, height, format, pool, out, shared, 0);
}

void device_resource_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->CreateTexture = device_CreateTexture;
	vtbl->CreateVolumeTexture = device_CreateVolumeTexture;
	vtbl->CreateCubeTexture = device_CreateCubeTexture;
	vtbl->CreateVertexBuffer = device_CreateVertexBuffer;
	vtbl->CreateIndexBuffer = device_CreateIndexBuffer;
	vtbl->CreateDepthStencilSurface = device_CreateDepthStencilSurface;
	vtbl->CreateDepthStencilSurfaceEx = device_CreateDepthStencilSurfaceEx;
	vtbl->CreateRenderTarget = device_CreateRenderTarget;
	vtbl->CreateRenderTargetEx = device_CreateRenderTargetEx;
	vtbl->CreateOffscreenPlainSurface = device_CreateOffscreenPlainSurface;
	vtbl->CreateOffscreenPlainSurfaceEx = device_CreateOffscreenPlainSurfaceEx;
}
