/* SPDX-License-Identifier: MIT */
/*
 * DXGI base DDI: presentation entries of a Direct3D 10+ driver, version 1.2 (Windows 8). Names and order as Microsoft
 * publishes them. All entries return S_OK, D3DDDIERR_DEVICEREMOVED, E_OUTOFMEMORY or, where said,
 * DXGI_DDI_ERR_UNSUPPORTED.
 */
#ifndef D3DGPU_DXGIDDI_H
#define D3DGPU_DXGIDDI_H

#include <stddef.h>
#include <windows.h>
#include <dxgitype.h>

#include "d3dumddi.h"

/* The driver's device (D3D10DDI_HDEVICE.pDrvPrivate) and resources (D3D10DDI_HRESOURCE.pDrvPrivate). */
typedef UINT_PTR DXGI_DDI_HDEVICE;
typedef UINT_PTR DXGI_DDI_HRESOURCE;

typedef union DXGI_DDI_PRESENT_FLAGS {
	struct {
		UINT Blt : 1, Flip : 1, PreferRight : 1, TemporaryMono : 1, Reserved : 28;
	};
	UINT Value;
} DXGI_DDI_PRESENT_FLAGS;

typedef enum DXGI_DDI_FLIP_INTERVAL_TYPE {
	DXGI_DDI_FLIP_INTERVAL_IMMEDIATE,
	DXGI_DDI_FLIP_INTERVAL_ONE,
	DXGI_DDI_FLIP_INTERVAL_TWO,
	DXGI_DDI_FLIP_INTERVAL_THREE,
	DXGI_DDI_FLIP_INTERVAL_FOUR,
} DXGI_DDI_FLIP_INTERVAL_TYPE;

/* The driver submits pending work, then calls pfnPresentCb with pDXGIContext unchanged. */
typedef struct DXGI_DDI_ARG_PRESENT {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hSurfaceToPresent;
	UINT SrcSubResourceIndex;
	DXGI_DDI_HRESOURCE hDstResource;
	UINT DstSubResourceIndex;
	void *pDXGIContext;
	DXGI_DDI_PRESENT_FLAGS Flags;
	DXGI_DDI_FLIP_INTERVAL_TYPE FlipInterval;
} DXGI_DDI_ARG_PRESENT;

typedef struct DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_GAMMA_CONTROL_CAPABILITIES *pGammaCapabilities;
} DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS;

typedef struct DXGI_DDI_ARG_SETDISPLAYMODE {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hResource;
	UINT SubResourceIndex;
} DXGI_DDI_ARG_SETDISPLAYMODE;

typedef struct DXGI_DDI_ARG_SETRESOURCEPRIORITY {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hResource;
	UINT Priority;
} DXGI_DDI_ARG_SETRESOURCEPRIORITY;

typedef enum DXGI_DDI_RESIDENCY {
	DXGI_DDI_RESIDENCY_FULLY_RESIDENT = 1,
	DXGI_DDI_RESIDENCY_RESIDENT_IN_SHARED_MEMORY = 2,
	DXGI_DDI_RESIDENCY_EVICTED_TO_DISK = 3,
} DXGI_DDI_RESIDENCY;

typedef struct DXGI_DDI_ARG_QUERYRESOURCERESIDENCY {
	DXGI_DDI_HDEVICE hDevice;
	const DXGI_DDI_HRESOURCE *pResources;
	DXGI_DDI_RESIDENCY *pStatus;
	SIZE_T Resources;
} DXGI_DDI_ARG_QUERYRESOURCERESIDENCY;

/* Handle i takes over the storage of handle (i + 1) mod Resources; views follow. */
typedef struct DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES {
	DXGI_DDI_HDEVICE hDevice;
	const DXGI_DDI_HRESOURCE *pResources;
	UINT Resources;
} DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES;

typedef union DXGI_DDI_ARG_BLT_FLAGS {
	struct {
		UINT Resolve : 1, Convert : 1, Stretch : 1, Present : 1, Reserved : 28;
	};
	UINT Value;
} DXGI_DDI_ARG_BLT_FLAGS;

typedef struct DXGI_DDI_ARG_BLT {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hDstResource;
	UINT DstSubresource;
	UINT DstLeft, DstTop, DstRight, DstBottom;
	DXGI_DDI_HRESOURCE hSrcResource;
	UINT SrcSubresource;
	DXGI_DDI_ARG_BLT_FLAGS Flags;
	UINT Rotate;
} DXGI_DDI_ARG_BLT;

typedef struct DXGI_DDI_ARG_BLT1 {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hDstResource;
	UINT DstSubresource;
	UINT DstLeft, DstTop, DstRight, DstBottom;
	DXGI_DDI_HRESOURCE hSrcResource;
	UINT SrcSubresource;
	UINT SrcLeft, SrcTop, SrcRight, SrcBottom;
	DXGI_DDI_ARG_BLT_FLAGS Flags;
	UINT Rotate;
} DXGI_DDI_ARG_BLT1;

typedef struct DXGI_DDI_ARG_RESOLVESHAREDRESOURCE {
	DXGI_DDI_HDEVICE hDevice;
	DXGI_DDI_HRESOURCE hResource;
} DXGI_DDI_ARG_RESOLVESHAREDRESOURCE;

typedef struct DXGI_DDI_ARG_OFFERRESOURCES {
	DXGI_DDI_HDEVICE hDevice;
	const DXGI_DDI_HRESOURCE *pResources;
	UINT Resources;
	UINT Priority;
} DXGI_DDI_ARG_OFFERRESOURCES;

typedef struct DXGI_DDI_ARG_RECLAIMRESOURCES {
	DXGI_DDI_HDEVICE hDevice;
	const DXGI_DDI_HRESOURCE *pResources;
	BOOL *pDiscarded;
	UINT Resources;
} DXGI_DDI_ARG_RECLAIMRESOURCES;

typedef struct DXGI1_2_DDI_BASE_FUNCTIONS {
	HRESULT (*pfnPresent)(DXGI_DDI_ARG_PRESENT *pArgs);
	HRESULT (*pfnGetGammaCaps)(DXGI_DDI_ARG_GET_GAMMA_CONTROL_CAPS *pArgs);
	HRESULT (*pfnSetDisplayMode)(DXGI_DDI_ARG_SETDISPLAYMODE *pArgs);
	HRESULT (*pfnSetResourcePriority)(DXGI_DDI_ARG_SETRESOURCEPRIORITY *pArgs);
	HRESULT (*pfnQueryResourceResidency)(DXGI_DDI_ARG_QUERYRESOURCERESIDENCY *pArgs);
	HRESULT (*pfnRotateResourceIdentities)(DXGI_DDI_ARG_ROTATE_RESOURCE_IDENTITIES *pArgs);
	HRESULT (*pfnBlt)(DXGI_DDI_ARG_BLT *pArgs);
	HRESULT (*pfnResolveSharedResource)(DXGI_DDI_ARG_RESOLVESHAREDRESOURCE *pArgs);
	HRESULT (*pfnBlt1)(DXGI_DDI_ARG_BLT1 *pArgs);
	HRESULT (*pfnOfferResources)(DXGI_DDI_ARG_OFFERRESOURCES *pArgs);
	HRESULT (*pfnReclaimResources)(DXGI_DDI_ARG_RECLAIMRESOURCES *pArgs);
	HRESULT (*pfnGetMultiPlaneOverlayCaps)(void *pArgs);
	HRESULT (*pfnGetMultiPlaneOverlayFilterRange)(void *pArgs);
	HRESULT (*pfnCheckMultiPlaneOverlaySupport)(void *pArgs);
	HRESULT (*pfnPresentMultiPlaneOverlay)(void *pArgs);
} DXGI1_2_DDI_BASE_FUNCTIONS;

_Static_assert(sizeof(DXGI1_2_DDI_BASE_FUNCTIONS) == 15 * sizeof(void *), "DXGI 1.2 base functions");

/* hSrcAllocation: the kernel's handle of the surface, 0 where the winsys has none (loopback, null). */
typedef struct DXGIDDICB_PRESENT {
	D3DKMT_HANDLE hSrcAllocation;
	D3DKMT_HANDLE hDstAllocation;
	void *pDXGIContext;
	HANDLE hContext;
	UINT BroadcastContextCount;
	HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
} DXGIDDICB_PRESENT;

typedef struct DXGI_DDI_BASE_CALLBACKS {
	HRESULT (*pfnPresentCb)(HANDLE hDevice, DXGIDDICB_PRESENT *pData);
	HRESULT (*pfnPresentMultiplaneOverlayCb)(HANDLE hDevice, const void *pData);
} DXGI_DDI_BASE_CALLBACKS;

typedef struct DXGI_DDI_BASE_ARGS {
	DXGI_DDI_BASE_CALLBACKS *pDXGIBaseCallbacks;
	DXGI1_2_DDI_BASE_FUNCTIONS *pDXGIDDIBaseFunctions3;
} DXGI_DDI_BASE_ARGS;

#endif
