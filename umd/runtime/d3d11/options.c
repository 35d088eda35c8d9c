/* SPDX-License-Identifier: MIT */
/*
 * The four Direct3D 9 options. From level 10_0 on they are TRUE. Below, they are what the driver's Direct3D 9 interface
 * says, as on Windows, whose 9_x devices run on that interface; the cube face option has no published bit there and is
 * asked for through our own.
 */
#include "d3d11_private.h"

#include <stdlib.h>
#include <string.h>

#include "d3d9umddi.h"

struct d3d9_adapter {
	D3DDDI_ADAPTERFUNCS funcs;
	HANDLE handle;
};

static HRESULT open_d3d9(struct runtime_adapter *runtime, struct d3d9_adapter *out)
{
	static const D3DDDI_ADAPTERCALLBACKS callbacks = {.pfnQueryAdapterInfoCb = runtime_adapter_query};
	D3DDDIARG_OPENADAPTER args = {.hAdapter = runtime,
				      .Interface = 9,
				      .Version = 1,
				      .pAdapterCallbacks = &callbacks,
				      .pAdapterFuncs = &out->funcs};
	PFND3DDDI_OPENADAPTER open_adapter = (PFND3DDDI_OPENADAPTER)runtime_adapter_symbol(runtime, "OpenAdapter");
	HRESULT hr = open_adapter ? open_adapter(&args) : E_FAIL;

	out->handle = args.hAdapter;
	return hr;
}

static HRESULT get_caps(struct d3d9_adapter *adapter, D3DDDICAPS_TYPE type, void *data, UINT size)
{
	D3DDDIARG_GETCAPS args = {.Type = type, .pData = data, .DataSize = size};

	return adapter->funcs.pfnGetCaps(adapter->handle, &args);
}

static BOOL has_full_npot(struct d3d9_adapter *adapter)
{
	D3DCAPS9 caps = {0};

	return SUCCEEDED(get_caps(adapter, D3DDDICAPS_GETD3D9CAPS, &caps, sizeof(caps))) &&
	       !(caps.TextureCaps & (D3DPTEXTURECAPS_POW2 | D3DPTEXTURECAPS_NONPOW2CONDITIONAL));
}

/* Shadow: a depth format that can also be a texture. */
static BOOL has_shadow(struct d3d9_adapter *adapter)
{
	BOOL found = FALSE;
	FORMATOP *formats;
	UINT count = 0;

	if (FAILED(get_caps(adapter, D3DDDICAPS_GETFORMATCOUNT, &count, sizeof(count))) || !count)
		return FALSE;
	formats = calloc(count, sizeof(*formats));
	if (!formats)
		return FALSE;
	if (SUCCEEDED(get_caps(adapter, D3DDDICAPS_GETFORMATDATA, formats, count * (UINT)sizeof(*formats))))
		for (UINT i = 0; i < count; i++)
			if ((UINT)formats[i].Format == D3DFMT_D16 && formats[i].Operations & FORMATOP_TEXTURE &&
			    formats[i].Operations & (FORMATOP_ZSTENCIL | FORMATOP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH))
				found = TRUE;
	free(formats);
	return found;
}

static BOOL has_simple_instancing(struct d3d9_adapter *adapter)
{
	D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT support = {FALSE};

	return SUCCEEDED(get_caps(adapter, D3DDDICAPS_GET_SIMPLE_INSTANCING_SUPPORT, &support, sizeof(support))) &&
	       support.SimpleInstancingSupported;
}

static BOOL has_cube_depth(struct dxgi_ddi_adapter *adapter)
{
	BOOL support = FALSE;
	D3D10_2DDIARG_GETCAPS args = {(D3D10_2DDICAPS_TYPE)D3DGPU_DDICAPS_CUBE_DEPTH, NULL, &support, sizeof(support)};

	return SUCCEEDED(adapter->funcs.pfnGetCaps(adapter->handle, &args)) && support;
}

void d3d11_derive_options(struct dxgi_ddi_adapter *adapter, D3D_FEATURE_LEVEL level, struct d3d11_d3d9_options *out)
{
	struct d3d9_adapter d3d9 = {0};

	if (level >= D3D_FEATURE_LEVEL_10_0) {
		*out = (struct d3d11_d3d9_options){TRUE, TRUE, TRUE, TRUE};
		return;
	}
	*out = (struct d3d11_d3d9_options){.cube_depth = has_cube_depth(adapter)};
	if (FAILED(open_d3d9(adapter->runtime, &d3d9))) {
		runtime_log("the driver has no Direct3D 9 interface: level 9 options are off");
		return;
	}
	out->full_npot = has_full_npot(&d3d9);
	out->shadow = has_shadow(&d3d9);
	out->simple_instancing = has_simple_instancing(&d3d9);
	d3d9.funcs.pfnCloseAdapter(d3d9.handle);
}
