/* SPDX-License-Identifier: MIT */
/* Opening the winsys that a runtime's pfnQueryAdapterInfoCb names; for both fronts. */
#ifndef D3DGPU_UMD_ADAPTER_H
#define D3DGPU_UMD_ADAPTER_H

#include "d3dumddi.h"
#include "winsys.h"

/* hAdapter: the runtime's handle. The caller owns *out. S_OK, E_OUTOFMEMORY, E_INVALIDARG (malformed blob), E_FAIL (logged). */
HRESULT umd_open_winsys(const D3DDDI_ADAPTERCALLBACKS *callbacks, HANDLE hAdapter, struct winsys **out);

#endif
