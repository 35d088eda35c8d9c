/* SPDX-License-Identifier: MIT */
/*
 * What the Direct3D 9 and the Direct3D 10+ user-mode DDI share: the callbacks that a runtime gives to a driver when it opens an
 * adapter. Names and order as Microsoft publishes them. The blob behind pfnQueryAdapterInfoCb is ours: d3dgpu_adapter.h.
 */
#ifndef D3DGPU_DDI_ADAPTER_H
#define D3DGPU_DDI_ADAPTER_H

#include <windows.h>
#include <d3dukmdt.h>	/* D3DKMT_HANDLE */

/* An opaque blob from the kernel's side: pfnQueryAdapterInfoCb fills PrivateDriverDataSize bytes. */
typedef struct D3DDDICB_QUERYADAPTERINFO {
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
} D3DDDICB_QUERYADAPTERINFO;

typedef struct D3DDDICB_GETMULTISAMPLEMETHODLIST D3DDDICB_GETMULTISAMPLEMETHODLIST;

/* First argument: the runtime's adapter handle, as given to OpenAdapter. */
typedef HRESULT (APIENTRY *PFND3DDDI_QUERYADAPTERINFOCB)(HANDLE hAdapter, const D3DDDICB_QUERYADAPTERINFO *pData);
typedef HRESULT (APIENTRY *PFND3DDDI_GETMULTISAMPLEMETHODLISTCB)(HANDLE hAdapter,
	D3DDDICB_GETMULTISAMPLEMETHODLIST *pData);

typedef struct D3DDDI_ADAPTERCALLBACKS {
	PFND3DDDI_QUERYADAPTERINFOCB pfnQueryAdapterInfoCb;
	PFND3DDDI_GETMULTISAMPLEMETHODLISTCB pfnGetMultisampleMethodListCb;
} D3DDDI_ADAPTERCALLBACKS;

#endif
