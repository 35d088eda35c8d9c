/* SPDX-License-Identifier: MIT */
#include "adapter_caps.h"

#include <errno.h>
#include <stdlib.h>

#include <d3d9.h>

#include "debug.h"
#include "format.h"

static HRESULT ask(const struct d3d9_adapter_caps *adapter, UINT type, void *data, UINT size)
{
	D3DDDIARG_GETCAPS args = {.Type = (D3DDDICAPS_TYPE)type, .pData = data, .DataSize = size};

	return adapter->funcs.pfnGetCaps(adapter->driver, &args);
}

static bool ask_formats(struct d3d9_adapter_caps *adapter)
{
	if (FAILED(ask(adapter, D3DDDICAPS_GETFORMATCOUNT, &adapter->format_count, sizeof(adapter->format_count))))
		return false;
	adapter->formats = calloc(adapter->format_count + 1, sizeof(*adapter->formats));
	return adapter->formats && SUCCEEDED(ask(adapter, D3DDDICAPS_GETFORMATDATA, adapter->formats,
						 adapter->format_count * (UINT)sizeof(*adapter->formats)));
}

static bool ask_queries(struct d3d9_adapter_caps *adapter)
{
	const UINT room = sizeof(adapter->queries) / sizeof(adapter->queries[0]);

	if (FAILED(ask(adapter, D3DDDICAPS_GETD3DQUERYCOUNT, &adapter->query_count, sizeof(UINT))) ||
	    adapter->query_count > room)
		return false;
	return SUCCEEDED(ask(adapter, D3DDDICAPS_GETD3DQUERYDATA, adapter->queries, sizeof(adapter->queries)));
}

static bool ask_driver(struct d3d9_adapter_caps *adapter)
{
	D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT instancing = {FALSE};

	if (FAILED(ask(adapter, D3DDDICAPS_GETD3D9CAPS, &adapter->caps, sizeof(adapter->caps))) ||
	    !ask_formats(adapter) || !ask_queries(adapter) ||
	    FAILED(ask(adapter, D3DGPU_DDICAPS_ADAPTER, &adapter->info, sizeof(adapter->info))))
		return false;
	ask(adapter, D3DDDICAPS_GET_SIMPLE_INSTANCING_SUPPORT, &instancing, sizeof(instancing));
	adapter->instancing = instancing.SimpleInstancingSupported;
	return true;
}

static int open_driver(struct d3d9_adapter_caps *adapter)
{
	static const D3DDDI_ADAPTERCALLBACKS callbacks = {.pfnQueryAdapterInfoCb = runtime_adapter_query};
	PFND3DDDI_OPENADAPTER open = (PFND3DDDI_OPENADAPTER)runtime_adapter_symbol(adapter->adapter, "OpenAdapter");
	D3DDDIARG_OPENADAPTER args = {
		.hAdapter = adapter->adapter,
		.Interface = 9,
		.Version = 1,
		.pAdapterCallbacks = &callbacks,
		.pAdapterFuncs = &adapter->funcs,
	};

	if (!open) {
		runtime_log("the user-mode driver has no Direct3D 9 part");
		return -EIO;
	}
	if (FAILED(open(&args)))
		return -EIO;
	adapter->driver = args.hAdapter;
	if (args.DriverVersion != D3D_UMD_INTERFACE_VERSION) {
		runtime_log("the user-mode driver has interface version %#x, not %#x", args.DriverVersion,
			    D3D_UMD_INTERFACE_VERSION);
		return -EIO;
	}
	return ask_driver(adapter) ? 0 : -EIO;
}

int adapter_caps_open(unsigned index, struct d3d9_adapter_caps **out)
{
	struct d3d9_adapter_caps *adapter = calloc(1, sizeof(*adapter));
	int err;

	if (!adapter)
		return -ENOMEM;
	adapter->references = 1;
	err = runtime_adapter_open(index, &adapter->adapter);
	if (!err)
		err = open_driver(adapter);
	if (err) {
		adapter_caps_unref(adapter);
		return err;
	}
	wsi_get(&adapter->wsi);
	adapter->caps.AdapterOrdinal = index;
	adapter->caps.MasterAdapterOrdinal = index;
	*out = adapter;
	return 0;
}

struct d3d9_adapter_caps *adapter_caps_ref(struct d3d9_adapter_caps *adapter)
{
	__atomic_fetch_add(&adapter->references, 1, __ATOMIC_RELAXED);
	return adapter;
}

void adapter_caps_unref(struct d3d9_adapter_caps *adapter)
{
	if (!adapter || __atomic_sub_fetch(&adapter->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (adapter->driver)
		adapter->funcs.pfnCloseAdapter(adapter->driver);
	if (adapter->adapter)
		runtime_adapter_unref(adapter->adapter);
	free(adapter->formats);
	free(adapter);
}

static const FORMATOP *find_format(const struct d3d9_adapter_caps *adapter, D3DFORMAT format)
{
	for (UINT i = 0; i < adapter->format_count; i++)
		if (adapter->formats[i].Format == format)
			return &adapter->formats[i];
	return NULL;
}

UINT adapter_operations(const struct d3d9_adapter_caps *adapter, D3DFORMAT format)
{
	const FORMATOP *op = find_format(adapter, format);

	return op ? op->Operations : 0;
}

bool adapter_is_display_format(const struct d3d9_adapter_caps *adapter, D3DFORMAT format)
{
	return adapter_operations(adapter, format) & FORMATOP_DISPLAYMODE;
}

UINT adapter_quality_levels(const struct d3d9_adapter_caps *adapter, D3DFORMAT format, BOOL windowed,
			    D3DMULTISAMPLE_TYPE type)
{
	DDIMULTISAMPLEQUALITYLEVELSDATA data = {
		.Format = format, .Flip = !windowed, .MsType = (D3DDDIMULTISAMPLE_TYPE)type};
	const FORMATOP *op = find_format(adapter, format);

	if (!op || !op->Operations)
		return 0;
	if (type == D3DMULTISAMPLE_NONE)
		return 1;
	if (!((windowed ? op->BltMsTypes : op->FlipMsTypes) & 1u << (type - 1)))
		return 0;
	return SUCCEEDED(ask(adapter, D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, &data, sizeof(data))) ? data.QualityLevels
												    : 0;
}

bool adapter_has_query(const struct d3d9_adapter_caps *adapter, D3DQUERYTYPE type)
{
	for (UINT i = 0; i < adapter->query_count; i++)
		if (adapter->queries[i] == type)
			return true;
	return false;
}

uint64_t adapter_free_memory(const struct d3d9_adapter_caps *adapter)
{
	struct d3dgpu_ddi_adapter info;

	return SUCCEEDED(ask(adapter, D3DGPU_DDICAPS_ADAPTER, &info, sizeof(info))) ? info.vram_free : 0;
}

/* ---- formats for a use ---- */

static bool can_be_type(UINT operations, D3DRESOURCETYPE type, DWORD usage)
{
	switch (type) {
	case D3DRTYPE_SURFACE:
		return operations & (usage & D3DUSAGE_RENDERTARGET ? FORMATOP_OFFSCREEN_RENDERTARGET :
				     usage & D3DUSAGE_DEPTHSTENCIL ? FORMATOP_ZSTENCIL :
								     FORMATOP_OFFSCREENPLAIN | FORMATOP_ZSTENCIL);
	case D3DRTYPE_TEXTURE:
		return operations & FORMATOP_TEXTURE;
	case D3DRTYPE_CUBETEXTURE:
		return operations & FORMATOP_CUBETEXTURE;
	case D3DRTYPE_VOLUME:
	case D3DRTYPE_VOLUMETEXTURE:
		return operations & FORMATOP_VOLUMETEXTURE;
	default:
		return false;
	}
}

static bool can_be_used(UINT operations, DWORD usage)
{
	if ((usage & D3DUSAGE_RENDERTARGET) && !(operations & FORMATOP_OFFSCREEN_RENDERTARGET))
		return false;
	if ((usage & D3DUSAGE_DEPTHSTENCIL) && !(operations & FORMATOP_ZSTENCIL))
		return false;
	if ((usage & D3DUSAGE_QUERY_FILTER) && (operations & FORMATOP_NOFILTER))
		return false;
	if ((usage & D3DUSAGE_QUERY_SRGBREAD) && !(operations & FORMATOP_SRGBREAD))
		return false;
	if ((usage & D3DUSAGE_QUERY_SRGBWRITE) && !(operations & FORMATOP_SRGBWRITE))
		return false;
	if ((usage & D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING) &&
	    ((operations & FORMATOP_NOALPHABLEND) || !(operations & FORMATOP_OFFSCREEN_RENDERTARGET)))
		return false;
	if ((usage & D3DUSAGE_QUERY_VERTEXTEXTURE) && !(operations & FORMATOP_VERTEXTEXTURE))
		return false;
	if ((usage & D3DUSAGE_QUERY_WRAPANDMIP) && (operations & FORMATOP_NOTEXCOORDWRAPNORMIP))
		return false;
	return !(usage & (D3DUSAGE_QUERY_LEGACYBUMPMAP | D3DUSAGE_DMAP));
}

HRESULT adapter_check_format(const struct d3d9_adapter_caps *adapter, DWORD usage, D3DRESOURCETYPE type,
			     D3DFORMAT format)
{
	UINT operations = adapter_operations(adapter, format);

	if (type == D3DRTYPE_VERTEXBUFFER)
		return format == D3DFMT_VERTEXDATA ? D3D_OK : D3DERR_NOTAVAILABLE;
	if (type == D3DRTYPE_INDEXBUFFER)
		return format == D3DFMT_INDEX16 || format == D3DFMT_INDEX32 ? D3D_OK : D3DERR_NOTAVAILABLE;
	if ((usage & D3DUSAGE_DEPTHSTENCIL) && (type == D3DRTYPE_CUBETEXTURE || type == D3DRTYPE_VOLUMETEXTURE))
		return D3DERR_NOTAVAILABLE;
	if ((usage & D3DUSAGE_RENDERTARGET) && type == D3DRTYPE_VOLUMETEXTURE)
		return D3DERR_NOTAVAILABLE;
	if (!operations || !can_be_type(operations, type, usage) || !can_be_used(operations, usage))
		return D3DERR_NOTAVAILABLE;
	if ((usage & D3DUSAGE_AUTOGENMIPMAP) && !(operations & FORMATOP_AUTOGENMIPMAP))
		return D3DOK_NOAUTOGEN;
	return D3D_OK;
}
