/* SPDX-License-Identifier: MIT */
/* What both fronts do alike: opening the winsys that a runtime's pfnQueryAdapterInfoCb names, describing it, counting. */
#ifndef D3DGPU_UMD_ADAPTER_H
#define D3DGPU_UMD_ADAPTER_H

#include "d3dgpu_ddi.h"
#include "d3dumddi.h"
#include "pipeline.h"
#include "winsys.h"

/* hAdapter: the runtime's handle. The caller owns *out. S_OK, E_OUTOFMEMORY, E_INVALIDARG (malformed blob), E_FAIL
 * (logged). */
HRESULT umd_open_winsys(const D3DDDI_ADAPTERCALLBACKS *callbacks, HANDLE hAdapter, struct winsys **out);

/* What both interfaces tell of the adapter. */
void umd_describe_adapter(struct winsys *ws, struct d3dgpu_ddi_adapter *out);

/* The device's counters, as programs see them. */
void umd_statistics(struct gpu_device *gpu, struct d3dgpu_statistics *out);

#endif
