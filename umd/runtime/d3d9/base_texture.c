/* SPDX-License-Identifier: MIT */
#include "texture.h"

#include "device.h"

static struct d3d9_texture *texture_from(IDirect3DBaseTexture9 *iface)
{
	return (struct d3d9_texture *)iface;
}

HRESULT STDMETHODCALLTYPE texture_QueryInterface(IDirect3DBaseTexture9 *iface, REFIID iid, void **out)
{
	struct d3d9_texture *texture = texture_from(iface);
	const GUID *interfaces[] = {&IID_IDirect3DResource9, &IID_IDirect3DBaseTexture9, &IID_IDirect3DTexture9};

	if (texture->type == D3DRTYPE_CUBETEXTURE)
		interfaces[2] = &IID_IDirect3DCubeTexture9;
	else if (texture->type == D3DRTYPE_VOLUMETEXTURE)
		interfaces[2] = &IID_IDirect3DVolumeTexture9;
	return object_query(&texture->object, iid, out, interfaces, 3);
}

ULONG STDMETHODCALLTYPE texture_AddRef(IDirect3DBaseTexture9 *iface)
{
	return object_addref(&texture_from(iface)->object);
}

ULONG STDMETHODCALLTYPE texture_Release(IDirect3DBaseTexture9 *iface)
{
	return object_release(&texture_from(iface)->object);
}

HRESULT STDMETHODCALLTYPE texture_GetDevice(IDirect3DBaseTexture9 *iface, IDirect3DDevice9 **out)
{
	return device_get(texture_from(iface)->object.device, out);
}

HRESULT STDMETHODCALLTYPE texture_SetPrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid, const void *data,
						 DWORD size, DWORD flags)
{
	return private_set(&texture_from(iface)->object, guid, data, size, flags);
}

HRESULT STDMETHODCALLTYPE texture_GetPrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid, void *data, DWORD *size)
{
	return private_get(&texture_from(iface)->object, guid, data, size);
}

HRESULT STDMETHODCALLTYPE texture_FreePrivateData(IDirect3DBaseTexture9 *iface, REFGUID guid)
{
	return private_free(&texture_from(iface)->object, guid);
}

DWORD STDMETHODCALLTYPE texture_SetPriority(IDirect3DBaseTexture9 *iface, DWORD priority)
{
	struct d3d9_texture *texture = texture_from(iface);
	DWORD old = texture->priority;

	if (texture->storage->pool == D3DPOOL_MANAGED)
		texture->priority = priority;
	return old;
}

DWORD STDMETHODCALLTYPE texture_GetPriority(IDirect3DBaseTexture9 *iface)
{
	return texture_from(iface)->priority;
}

void STDMETHODCALLTYPE texture_PreLoad(IDirect3DBaseTexture9 *iface)
{
}

D3DRESOURCETYPE STDMETHODCALLTYPE texture_GetType(IDirect3DBaseTexture9 *iface)
{
	return texture_from(iface)->type;
}

/* Level of detail is a property of managed textures only. */
DWORD STDMETHODCALLTYPE texture_SetLOD(IDirect3DBaseTexture9 *iface, DWORD lod)
{
	struct d3d9_texture *texture = texture_from(iface);
	DWORD old = texture->lod;

	if (texture->storage->pool == D3DPOOL_MANAGED)
		texture->lod = lod < texture->visible_levels ? lod : texture->visible_levels - 1;
	return old;
}

DWORD STDMETHODCALLTYPE texture_GetLOD(IDirect3DBaseTexture9 *iface)
{
	return texture_from(iface)->lod;
}

DWORD STDMETHODCALLTYPE texture_GetLevelCount(IDirect3DBaseTexture9 *iface)
{
	return texture_from(iface)->visible_levels;
}

HRESULT STDMETHODCALLTYPE texture_SetAutoGenFilterType(IDirect3DBaseTexture9 *iface, D3DTEXTUREFILTERTYPE filter)
{
	if (filter == D3DTEXF_NONE)
		return D3DERR_INVALIDCALL;
	texture_from(iface)->autogen_filter = filter;
	return D3D_OK;
}

D3DTEXTUREFILTERTYPE STDMETHODCALLTYPE texture_GetAutoGenFilterType(IDirect3DBaseTexture9 *iface)
{
	return texture_from(iface)->autogen_filter;
}

void STDMETHODCALLTYPE texture_GenerateMipSubLevels(IDirect3DBaseTexture9 *iface)
{
	struct d3d9_texture *texture = texture_from(iface);
	struct d3d9_device *device = texture->object.device;
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_GENERATEMIPSUBLEVELS args = {.hResource = texture->storage->handle,
					       .Filter = texture->autogen_filter};

	if (texture->storage->usage & D3DUSAGE_AUTOGENMIPMAP)
		device_result(device, device->ddi.pfnGenerateMipSubLevels(device->driver, &args));
}

struct d3d9_surface *texture_level(struct d3d9_texture *texture, UINT layer, UINT level)
{
	if (level >= texture->visible_levels || layer >= texture->storage->layers)
		return NULL;
	return texture->subresources[layer * texture->storage->levels + level];
}

/* ---- creation ---- */

static bool is_power_of_2(UINT value)
{
	return !(value & (value - 1));
}

static bool size_good(const struct d3d9_device *device, const struct texture_args *args)
{
	const D3DCAPS9 *caps = &device->adapter->caps;
	const struct format_info *info = format_info(args->format);
	bool pow2 = is_power_of_2(args->width) && is_power_of_2(args->height) && is_power_of_2(args->depth);

	if (!args->width || !args->height || !args->depth)
		return false;
	/* A compressed texture begins with whole blocks. */
	if (args->pool != D3DPOOL_SCRATCH && (args->width % info->block_width || args->height % info->block_height))
		return false;
	if (args->pool == D3DPOOL_SCRATCH)
		return true;
	if (args->type == D3DRTYPE_VOLUMETEXTURE) {
		if (args->width > caps->MaxVolumeExtent || args->height > caps->MaxVolumeExtent ||
		    args->depth > caps->MaxVolumeExtent)
			return false;
	} else if (args->width > caps->MaxTextureWidth || args->height > caps->MaxTextureHeight) {
		return false;
	}
	if (pow2 || !(caps->TextureCaps & D3DPTEXTURECAPS_POW2))
		return true;
	/* Conditionally: a 2D texture with one level. */
	return (caps->TextureCaps & D3DPTEXTURECAPS_NONPOW2CONDITIONAL) && args->type == D3DRTYPE_TEXTURE &&
	       args->levels == 1;
}

/* A combination that Direct3D refuses whatever the adapter can do. */
static bool combination_good(const struct d3d9_device *device, const struct texture_args *args)
{
	DWORD target = args->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL);

	if (args->pool > D3DPOOL_SCRATCH || (args->pool == D3DPOOL_MANAGED && device->is_ex))
		return false;
	if (args->usage & (D3DUSAGE_WRITEONLY | D3DUSAGE_POINTS | D3DUSAGE_RTPATCHES | D3DUSAGE_NPATCHES))
		return false;
	if (target && (args->pool != D3DPOOL_DEFAULT || (args->usage & D3DUSAGE_DYNAMIC) ||
		       target == (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)))
		return false;
	if ((args->usage & D3DUSAGE_DYNAMIC) && args->pool == D3DPOOL_MANAGED)
		return false;
	if (args->usage & D3DUSAGE_AUTOGENMIPMAP)
		if (args->pool == D3DPOOL_SYSTEMMEM || args->pool == D3DPOOL_SCRATCH || args->levels > 1)
			return false;
	if (format_is_depth(args->format) && args->pool == D3DPOOL_DEFAULT && !(args->usage & D3DUSAGE_DEPTHSTENCIL))
		return false;
	return args->levels <=
	       full_levels(args->width, args->height, args->type == D3DRTYPE_VOLUMETEXTURE ? args->depth : 1);
}

static bool shared_good(const struct d3d9_device *device, const struct texture_args *args)
{
	if (!args->shared)
		return true;
	if (!device->is_ex)
		return false;
	if (args->pool == D3DPOOL_SYSTEMMEM)	/* the program's memory */
		return args->type == D3DRTYPE_TEXTURE && args->levels == 1 && *args->shared;
	return args->pool == D3DPOOL_DEFAULT;
}

static HRESULT check_args(const struct d3d9_device *device, const struct texture_args *args)
{
	HRESULT hr;

	if (!format_info(args->format) || !combination_good(device, args) || !shared_good(device, args) ||
	    !size_good(device, args)) {
		runtime_refused(__func__, "%ux%ux%u, %u levels, usage %#x, format %u, pool %u", args->width,
				args->height, args->depth, args->levels, args->usage, args->format, args->pool);
		return D3DERR_INVALIDCALL;
	}
	if (args->pool == D3DPOOL_SCRATCH)
		return D3D_OK;
	hr = adapter_check_format(device->adapter, args->usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL),
				  args->type, args->format);
	return FAILED(hr) ? D3DERR_INVALIDCALL : D3D_OK;
}

static void texture_destroy(struct d3d9_object *object)
{
	struct d3d9_texture *texture = (struct d3d9_texture *)object;

	for (UINT i = 0; texture->subresources && i < storage_subresources(texture->storage); i++)
		surface_free_level(texture->subresources[i]);
	free(texture->subresources);
	storage_destroy(texture->storage);
	free(texture);
}

static HRESULT create_levels(struct d3d9_texture *texture)
{
	UINT count = storage_subresources(texture->storage);
	HRESULT hr = D3D_OK;

	texture->subresources = calloc(count, sizeof(*texture->subresources));
	if (!texture->subresources)
		return E_OUTOFMEMORY;
	for (UINT i = 0; i < count && SUCCEEDED(hr); i++)
		hr = texture->type == D3DRTYPE_VOLUMETEXTURE ?
			     volume_create_level(texture->storage, i, &texture->object, &texture->subresources[i]) :
			     surface_create_level(texture->storage, i, &texture->object, &texture->subresources[i]);
	return hr;
}

static const void *vtbl_of(D3DRESOURCETYPE type)
{
	return type == D3DRTYPE_CUBETEXTURE ? (const void *)&texture_cube_vtbl :
	       type == D3DRTYPE_VOLUMETEXTURE ? (const void *)&texture_volume_vtbl :
						(const void *)&texture_2d_vtbl;
}

HRESULT texture_create(struct d3d9_device *device, const struct texture_args *args, struct d3d9_texture **out)
{
	struct storage_desc desc = {
		.format = args->format,
		.width = args->width,
		.height = args->height,
		.depth = args->depth,
		.layers = args->type == D3DRTYPE_CUBETEXTURE ? 6 : 1,
		.usage = args->usage,
		.pool = args->pool,
		.shared = args->shared,
	};
	struct d3d9_texture *texture;
	bool autogen = false;
	HRESULT hr = check_args(device, args);

	if (FAILED(hr))
		return hr;
	/* Where levels cannot be generated the texture is made without them, and the program told so. */
	if (args->usage & D3DUSAGE_AUTOGENMIPMAP)
		autogen = adapter_check_format(device->adapter, D3DUSAGE_AUTOGENMIPMAP, args->type, args->format) ==
			  D3D_OK;
	if ((args->usage & D3DUSAGE_AUTOGENMIPMAP) && !autogen)
		desc.usage &= ~(DWORD)D3DUSAGE_AUTOGENMIPMAP;
	desc.levels = args->levels ? args->levels :
				     full_levels(args->width, args->height,
						 args->type == D3DRTYPE_VOLUMETEXTURE ? args->depth : 1);
	if (autogen)
		desc.levels = full_levels(args->width, args->height, 1);
	else if (args->usage & D3DUSAGE_AUTOGENMIPMAP)
		desc.levels = 1;

	texture = calloc(1, sizeof(*texture));
	if (!texture)
		return E_OUTOFMEMORY;
	texture->type = args->type;
	texture->autogen_filter = D3DTEXF_LINEAR;
	hr = storage_create(device, &desc, args->type, &texture->storage);
	if (FAILED(hr)) {
		free(texture);
		return hr;
	}
	object_init(&texture->object, vtbl_of(args->type), device, texture_destroy, false);
	texture->visible_levels = autogen ? 1 : desc.levels;
	hr = create_levels(texture);
	if (FAILED(hr)) {
		texture_destroy(&texture->object);
		return hr;
	}
	object_addref(&texture->object);
	*out = texture;
	return (args->usage & D3DUSAGE_AUTOGENMIPMAP) && !autogen ? D3DOK_NOAUTOGEN : D3D_OK;
}
