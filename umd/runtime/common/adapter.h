/* SPDX-License-Identifier: MIT */
/*
 * The adapter below a runtime: which GPU, and its user-mode driver module. Shared by libd3d9, libd3d11 and libdxgi.
 *
 * D3DGPU_WINSYS chooses the road: "drm" (default: render nodes whose kernel driver is d3dgpu), "loopback" (the device
 * inside this process, with the properties in D3DGPU_CAPS) or "null" (records only). The driver is d3dgpu_umd.so:
 * D3DGPU_UMD, else beside this library, else in the library path.
 */
#ifndef D3DGPU_RUNTIME_ADAPTER_H
#define D3DGPU_RUNTIME_ADAPTER_H

#include "d3dgpu_adapter.h"
#include "d3dumddi.h"

struct runtime_adapter {
	int references;
	void *module;			/* dlopen handle of the driver */
	struct d3dgpu_adapter_info info;
	char node[64];			/* DRM: path of the render node; else "loopback" or "null" */
};

/*
 * Opens the index-th adapter (0 = the first). -ENOENT: there are not so many; -ELIBACC: the driver module cannot be
 * loaded (logged); other negative errno of opening the node. The caller owns one reference.
 */
int runtime_adapter_open(unsigned index, struct runtime_adapter **out);
struct runtime_adapter *runtime_adapter_ref(struct runtime_adapter *adapter);
void runtime_adapter_unref(struct runtime_adapter *adapter);
/* An exported function of the driver (OpenAdapter, OpenAdapter10_2), or NULL. */
void *runtime_adapter_symbol(struct runtime_adapter *adapter, const char *name);
/* pfnQueryAdapterInfoCb for tables whose hAdapter is a struct runtime_adapter. */
HRESULT runtime_adapter_query(HANDLE hAdapter, const D3DDDICB_QUERYADAPTERINFO *data);

#endif
