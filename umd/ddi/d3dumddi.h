/* SPDX-License-Identifier: MIT */
/*
 * The part of the user-mode display driver interface that Direct3D 9 and Direct3D 10/11 drivers share: handles, adapter and
 * device callbacks (what the runtime, and the kernel behind it, does for the driver) and their arguments. Names, order
 * and layout are those that Microsoft documents for WDDM 1.3; sizes are x86-64.
 *
 * On Windows the callbacks of the kernel thunk reach dxgkrnl. Here the driver talks to the kernel through its winsys, so
 * that the runtime provides only
 *   pfnQueryAdapterInfoCb   where the adapter is: struct d3dgpu_adapter_info (d3dgpu_adapter.h)
 *   pfnAllocateCb           for shared resources: tells the runtime the share token (d3dgpu_ddi.h)
 *   pfnPresentCb            shows a presented allocation
 * and leaves the others NULL.
 *
 * Calls between runtime and driver use the platform's own C calling convention (Windows on x86-64 has only one).
 */
#ifndef D3DUMDDI_H
#define D3DUMDDI_H

#include <windows.h>
#include <stdint.h>

/* UMD interface versions, D3DDDIARG_OPENADAPTER.DriverVersion */
#define D3D_UMD_INTERFACE_VERSION_VISTA 0x000C
#define D3D_UMD_INTERFACE_VERSION_WIN7 0x2003
#define D3D_UMD_INTERFACE_VERSION_WIN8 0x3004
#define D3D_UMD_INTERFACE_VERSION_WDDM1_3 0x4002
/* The version that these headers describe. */
#define D3D_UMD_INTERFACE_VERSION D3D_UMD_INTERFACE_VERSION_WDDM1_3

/* Failures that only travel between driver and runtime have the value of the public D3DERR_ code of the same name. */
#define D3DDDIERR_WASSTILLDRAWING ((HRESULT)0x8876021Cu)
#define D3DDDIERR_OUTOFVIDEOMEMORY ((HRESULT)0x8876017Cu)
#define D3DDDIERR_NOTAVAILABLE ((HRESULT)0x8876086Au)
#define D3DDDIERR_DEVICEREMOVED ((HRESULT)0x88760870u)
#define D3DDDIERR_DEVICEHUNG ((HRESULT)0x88760874u)

typedef UINT D3DKMT_HANDLE;
typedef UINT D3DDDI_VIDEO_PRESENT_SOURCE_ID;
typedef UINT64 D3DGPU_VIRTUAL_ADDRESS;

#define D3DDDI_ID_NOTAPPLICABLE 0u
#define D3DDDI_ID_UNINITIALIZED (~0u)

#define D3DDDI_MAX_BROADCAST_CONTEXT 64
#define D3DDDI_MAX_OBJECT_WAITED_ON 32
#define D3DDDI_MAX_OBJECT_SIGNALED 32

typedef enum _D3DDDI_ROTATION {
	D3DDDI_ROTATION_IDENTITY = 1,
	D3DDDI_ROTATION_90 = 2,
	D3DDDI_ROTATION_180 = 3,
	D3DDDI_ROTATION_270 = 4,
} D3DDDI_ROTATION;

typedef enum _D3DDDI_OFFER_PRIORITY {
	D3DDDI_OFFER_PRIORITY_NONE = 0,
	D3DDDI_OFFER_PRIORITY_LOW = 1,
	D3DDDI_OFFER_PRIORITY_NORMAL = 2,
	D3DDDI_OFFER_PRIORITY_HIGH = 3,
	D3DDDI_OFFER_PRIORITY_AUTO = 4,
} D3DDDI_OFFER_PRIORITY;

typedef enum _D3DDDI_RESIDENCYSTATUS {
	D3DDDI_RESIDENCYSTATUS_RESIDENTINGPUMEMORY = 1,
	D3DDDI_RESIDENCYSTATUS_RESIDENTINSHAREDMEMORY = 2,
	D3DDDI_RESIDENCYSTATUS_NOTRESIDENT = 3,
} D3DDDI_RESIDENCYSTATUS;

typedef enum _D3DDDI_SYNCHRONIZATIONOBJECT_TYPE {
	D3DDDI_SYNCHRONIZATION_MUTEX = 1,
	D3DDDI_SEMAPHORE = 2,
	D3DDDI_FENCE = 3,
	D3DDDI_CPU_NOTIFICATION = 4,
	D3DDDI_MONITORED_FENCE = 5,
} D3DDDI_SYNCHRONIZATIONOBJECT_TYPE;

typedef struct _D3DDDIRECT {
	INT left;
	INT top;
	INT right;
	INT bottom;
} D3DDDIRECT;

/* Not offered by this driver: overlays, overlay planes, multisample methods. Their arguments stay opaque. */
typedef struct _D3DDDICB_PRESENTMULTIPLANEOVERLAY D3DDDICB_PRESENTMULTIPLANEOVERLAY;
typedef struct _D3DDDICB_GETMULTISAMPLEMETHODLIST D3DDDICB_GETMULTISAMPLEMETHODLIST;

typedef struct _D3DDDICB_QUERYADAPTERINFO {
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
} D3DDDICB_QUERYADAPTERINFO;

typedef struct _D3DDDI_ALLOCATIONINFO {
	D3DKMT_HANDLE hAllocation;
	const VOID *pSystemMem;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
	D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
	union {
		struct {
			UINT Primary : 1;
			UINT Stereo : 1;
			UINT Reserved : 30;
		};
		UINT Value;
	} Flags;
} D3DDDI_ALLOCATIONINFO;

typedef struct _D3DDDI_ALLOCATIONINFO2 {
	D3DKMT_HANDLE hAllocation;
	union {
		HANDLE hSection;
		const VOID *pSystemMem;
	};
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
	D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
	union {
		struct {
			UINT Primary : 1;
			UINT Stereo : 1;
			UINT Reserved : 30;
		};
		UINT Value;
	} Flags;
	D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
	ULONG_PTR Reserved[6];
} D3DDDI_ALLOCATIONINFO2;

typedef struct _D3DDDICB_ALLOCATE {
	const VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
	HANDLE hResource;
	D3DKMT_HANDLE hKMResource;
	UINT NumAllocations;
	union {
		D3DDDI_ALLOCATIONINFO *pAllocationInfo;
		D3DDDI_ALLOCATIONINFO2 *pAllocationInfo2;
	};
} D3DDDICB_ALLOCATE;

typedef struct _D3DDDICB_DEALLOCATE {
	HANDLE hResource;
	UINT NumAllocations;
	const D3DKMT_HANDLE *HandleList;
} D3DDDICB_DEALLOCATE;

typedef struct _D3DDDICB_SETPRIORITY {
	HANDLE hResource;
	UINT NumAllocations;
	const D3DKMT_HANDLE *HandleList;
	const UINT *pPriorities;
} D3DDDICB_SETPRIORITY;

typedef struct _D3DDDICB_QUERYRESIDENCY {
	HANDLE hResource;
	UINT NumAllocations;
	const D3DKMT_HANDLE *HandleList;
	D3DDDI_RESIDENCYSTATUS *pResidencyStatus;
} D3DDDICB_QUERYRESIDENCY;

typedef struct _D3DDDICB_SETDISPLAYMODE {
	D3DKMT_HANDLE hPrimaryAllocation;
	UINT PrivateDriverFormatAttribute;
} D3DDDICB_SETDISPLAYMODE;

typedef struct _D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT {
	D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
	UINT PrivateDriverFormatAttribute;
} D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT;

typedef struct _D3DDDICB_PRESENT {
	D3DKMT_HANDLE hSrcAllocation;
	D3DKMT_HANDLE hDstAllocation;
	HANDLE hContext;
	UINT BroadcastContextCount;
	HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
} D3DDDICB_PRESENT;

typedef struct _D3DDDI_ALLOCATIONLIST {
	D3DKMT_HANDLE hAllocation;
	union {
		struct {
			UINT WriteOperation : 1;
			UINT DoNotRetireInstance : 1;
			UINT OfferPriority : 3;
			UINT Reserved : 27;
		};
		UINT Value;
	};
} D3DDDI_ALLOCATIONLIST;

typedef struct _D3DDDI_PATCHLOCATIONLIST {
	UINT AllocationIndex;
	union {
		struct {
			UINT SlotId : 24;
			UINT Reserved : 8;
		};
		UINT Value;
	};
	UINT DriverId;
	UINT AllocationOffset;
	UINT PatchOffset;
	UINT SplitOffset;
} D3DDDI_PATCHLOCATIONLIST;

typedef struct _D3DDDICB_RENDERFLAGS {
	union {
		struct {
			UINT ResizeCommandBuffer : 1;
			UINT ResizeAllocationList : 1;
			UINT ResizePatchLocationList : 1;
			UINT NullRendering : 1;
			UINT Reserved : 28;
		};
		UINT Value;
	};
} D3DDDICB_RENDERFLAGS;

typedef struct _D3DDDICB_RENDER {
	UINT CommandLength;
	UINT CommandOffset;
	UINT NumAllocations;
	UINT NumPatchLocations;
	VOID *pNewCommandBuffer;
	UINT NewCommandBufferSize;
	D3DDDI_ALLOCATIONLIST *pNewAllocationList;
	UINT NewAllocationListSize;
	D3DDDI_PATCHLOCATIONLIST *pNewPatchLocationList;
	UINT NewPatchLocationListSize;
	D3DDDICB_RENDERFLAGS Flags;
	HANDLE hContext;
	UINT BroadcastContextCount;
	HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
	ULONG QueuedBufferCount;
	D3DGPU_VIRTUAL_ADDRESS NewCommandBuffer;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
} D3DDDICB_RENDER;

typedef struct _D3DDDICB_LOCKFLAGS {
	union {
		struct {
			UINT ReadOnly : 1;
			UINT WriteOnly : 1;
			UINT DonotWait : 1;
			UINT IgnoreSync : 1;
			UINT LockEntire : 1;
			UINT DonotEvict : 1;
			UINT AcquireAperture : 1;
			UINT Discard : 1;
			UINT NoExistingReference : 1;
			UINT UseAlternateVA : 1;
			UINT IgnoreReadSync : 1;
			UINT Reserved : 21;
		};
		UINT Value;
	};
} D3DDDICB_LOCKFLAGS;

typedef struct _D3DDDICB_LOCK {
	D3DKMT_HANDLE hAllocation;
	UINT PrivateDriverData;
	UINT NumPages;
	const UINT *pPages;
	VOID *pData;
	D3DDDICB_LOCKFLAGS Flags;
	D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
} D3DDDICB_LOCK;

typedef struct _D3DDDICB_UNLOCK {
	UINT NumAllocations;
	const D3DKMT_HANDLE *phAllocations;
} D3DDDICB_UNLOCK;

typedef struct _D3DDDI_ESCAPEFLAGS {
	union {
		struct {
			UINT HardwareAccess : 1;
			UINT DeviceStatusQuery : 1;
			UINT ChangeFrameLatency : 1;
			UINT Reserved : 29;
		};
		UINT Value;
	};
} D3DDDI_ESCAPEFLAGS;

typedef struct _D3DDDICB_ESCAPE {
	HANDLE hDevice;
	D3DDDI_ESCAPEFLAGS Flags;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
	HANDLE hContext;
} D3DDDICB_ESCAPE;

typedef struct _D3DDDI_KERNELOVERLAYINFO {
	D3DKMT_HANDLE hAllocation;
	D3DDDIRECT DstRect;
	D3DDDIRECT SrcRect;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
} D3DDDI_KERNELOVERLAYINFO;

typedef struct _D3DDDICB_CREATEOVERLAY {
	D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
	D3DDDI_KERNELOVERLAYINFO OverlayInfo;
	D3DKMT_HANDLE hKernelOverlay;
} D3DDDICB_CREATEOVERLAY;

typedef struct _D3DDDICB_UPDATEOVERLAY {
	D3DKMT_HANDLE hKernelOverlay;
	D3DDDI_KERNELOVERLAYINFO OverlayInfo;
} D3DDDICB_UPDATEOVERLAY;

typedef struct _D3DDDICB_FLIPOVERLAY {
	D3DKMT_HANDLE hKernelOverlay;
	D3DKMT_HANDLE hSource;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
} D3DDDICB_FLIPOVERLAY;

typedef struct _D3DDDICB_DESTROYOVERLAY {
	D3DKMT_HANDLE hKernelOverlay;
} D3DDDICB_DESTROYOVERLAY;

typedef struct _D3DDDI_CREATECONTEXTFLAGS {
	union {
		struct {
			UINT NullRendering : 1;
			UINT InitialData : 1;
			UINT Reserved : 30;
		};
		UINT Value;
	};
} D3DDDI_CREATECONTEXTFLAGS;

typedef struct _D3DDDICB_CREATECONTEXT {
	UINT NodeOrdinal;
	UINT EngineAffinity;
	D3DDDI_CREATECONTEXTFLAGS Flags;
	VOID *pPrivateDriverData;
	UINT PrivateDriverDataSize;
	HANDLE hContext;
	VOID *pCommandBuffer;
	UINT CommandBufferSize;
	D3DDDI_ALLOCATIONLIST *pAllocationList;
	UINT AllocationListSize;
	D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
	UINT PatchLocationListSize;
	D3DGPU_VIRTUAL_ADDRESS CommandBuffer;
} D3DDDICB_CREATECONTEXT;

typedef struct _D3DDDICB_DESTROYCONTEXT {
	HANDLE hContext;
} D3DDDICB_DESTROYCONTEXT;

typedef struct _D3DDDI_SYNCHRONIZATIONOBJECTINFO {
	D3DDDI_SYNCHRONIZATIONOBJECT_TYPE Type;
	union {
		struct {
			BOOL InitialState;
		} SynchronizationMutex;
		struct {
			UINT MaxCount;
			UINT InitialCount;
		} Semaphore;
		struct {
			UINT Reserved[16];
		} Reserved;
	};
} D3DDDI_SYNCHRONIZATIONOBJECTINFO;

typedef struct _D3DDDICB_CREATESYNCHRONIZATIONOBJECT {
	D3DDDI_SYNCHRONIZATIONOBJECTINFO Info;
	D3DKMT_HANDLE hSyncObject;
} D3DDDICB_CREATESYNCHRONIZATIONOBJECT;

typedef struct _D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT {
	D3DKMT_HANDLE hSyncObject;
} D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT;

typedef struct _D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT {
	HANDLE hContext;
	UINT ObjectCount;
	D3DKMT_HANDLE ObjectHandleArray[D3DDDI_MAX_OBJECT_WAITED_ON];
} D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT;

typedef struct _D3DDDICB_SIGNALFLAGS {
	union {
		struct {
			UINT SignalAtSubmission : 1;
			UINT EnqueueCpuEvent : 1;
			UINT Reserved : 30;
		};
		UINT Value;
	};
} D3DDDICB_SIGNALFLAGS;

typedef struct _D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT {
	HANDLE hContext;
	UINT ObjectCount;
	D3DKMT_HANDLE ObjectHandleArray[D3DDDI_MAX_OBJECT_SIGNALED];
	D3DDDICB_SIGNALFLAGS Flags;
} D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT;

typedef struct _D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS {
	union {
		struct {
			UINT Shared : 1;
			UINT NtSecuritySharing : 1;
			UINT CrossAdapter : 1;
			UINT Reserved : 29;
		};
		UINT Value;
	};
} D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS;

typedef struct _D3DDDI_SYNCHRONIZATIONOBJECTINFO2 {
	D3DDDI_SYNCHRONIZATIONOBJECT_TYPE Type;
	D3DDDI_SYNCHRONIZATIONOBJECT_FLAGS Flags;
	union {
		struct {
			BOOL InitialState;
		} SynchronizationMutex;
		struct {
			UINT MaxCount;
			UINT InitialCount;
		} Semaphore;
		struct {
			UINT64 FenceValue;
		} Fence;
		struct {
			HANDLE Event;
		} CPUNotification;
		struct {
			UINT64 Reserved[8];
		} Reserved;
	};
	D3DKMT_HANDLE SharedHandle;
} D3DDDI_SYNCHRONIZATIONOBJECTINFO2;

typedef struct _D3DDDICB_CREATESYNCHRONIZATIONOBJECT2 {
	D3DDDI_SYNCHRONIZATIONOBJECTINFO2 Info;
	D3DKMT_HANDLE hSyncObject;
} D3DDDICB_CREATESYNCHRONIZATIONOBJECT2;

typedef struct _D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT2 {
	HANDLE hContext;
	UINT ObjectCount;
	D3DKMT_HANDLE ObjectHandleArray[D3DDDI_MAX_OBJECT_WAITED_ON];
	UINT64 FenceValue;
} D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT2;

typedef struct _D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT2 {
	HANDLE hContext;
	UINT ObjectCount;
	D3DKMT_HANDLE ObjectHandleArray[D3DDDI_MAX_OBJECT_SIGNALED];
	D3DDDICB_SIGNALFLAGS Flags;
	ULONG BroadcastContextCount;
	D3DKMT_HANDLE BroadcastContext[D3DDDI_MAX_BROADCAST_CONTEXT];
	union {
		UINT64 FenceValue;
		HANDLE CpuEventHandle;
	};
} D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT2;

typedef struct _D3DDDICB_OFFERALLOCATIONS {
	const HANDLE *pResources;
	const D3DKMT_HANDLE *HandleList;
	UINT NumAllocations;
	D3DDDI_OFFER_PRIORITY Priority;
} D3DDDICB_OFFERALLOCATIONS;

typedef struct _D3DDDICB_RECLAIMALLOCATIONS {
	const HANDLE *pResources;
	const D3DKMT_HANDLE *HandleList;
	BOOL *pDiscarded;
	UINT NumAllocations;
} D3DDDICB_RECLAIMALLOCATIONS;

typedef struct _D3DDDICB_LOGUMDMARKER {
	HANDLE hContext;
	UINT64 APISequenceNumber;
	INT Index;
	INT StringIndex;
	LPCWSTR Info;
} D3DDDICB_LOGUMDMARKER;
/* The first argument is the runtime's handle: of the adapter. */
typedef struct _D3DDDI_ADAPTERCALLBACKS {
	HRESULT (*pfnQueryAdapterInfoCb)(HANDLE hAdapter, const D3DDDICB_QUERYADAPTERINFO *pData);
	HRESULT (*pfnGetMultisampleMethodListCb)(HANDLE hAdapter, D3DDDICB_GETMULTISAMPLEMETHODLIST *pData);
} D3DDDI_ADAPTERCALLBACKS;

/* ... of the device, as passed to the driver's pfnCreateDevice. */
typedef struct _D3DDDI_DEVICECALLBACKS {
	HRESULT (*pfnAllocateCb)(HANDLE hDevice, D3DDDICB_ALLOCATE *pData);
	HRESULT (*pfnDeallocateCb)(HANDLE hDevice, const D3DDDICB_DEALLOCATE *pData);
	HRESULT (*pfnSetPriorityCb)(HANDLE hDevice, D3DDDICB_SETPRIORITY *pData);
	HRESULT (*pfnQueryResidencyCb)(HANDLE hDevice, const D3DDDICB_QUERYRESIDENCY *pData);
	HRESULT (*pfnSetDisplayModeCb)(HANDLE hDevice, D3DDDICB_SETDISPLAYMODE *pData);
	HRESULT (*pfnPresentCb)(HANDLE hDevice, const D3DDDICB_PRESENT *pData);
	HRESULT (*pfnRenderCb)(HANDLE hDevice, D3DDDICB_RENDER *pData);
	HRESULT (*pfnLockCb)(HANDLE hDevice, D3DDDICB_LOCK *pData);
	HRESULT (*pfnUnlockCb)(HANDLE hDevice, const D3DDDICB_UNLOCK *pData);
	HRESULT (*pfnEscapeCb)(HANDLE hAdapter, const D3DDDICB_ESCAPE *pData);
	HRESULT (*pfnCreateOverlayCb)(HANDLE hDevice, D3DDDICB_CREATEOVERLAY *pData);
	HRESULT (*pfnUpdateOverlayCb)(HANDLE hDevice, const D3DDDICB_UPDATEOVERLAY *pData);
	HRESULT (*pfnFlipOverlayCb)(HANDLE hDevice, const D3DDDICB_FLIPOVERLAY *pData);
	HRESULT (*pfnDestroyOverlayCb)(HANDLE hDevice, const D3DDDICB_DESTROYOVERLAY *pData);
	HRESULT (*pfnCreateContextCb)(HANDLE hDevice, D3DDDICB_CREATECONTEXT *pData);
	HRESULT (*pfnDestroyContextCb)(HANDLE hDevice, const D3DDDICB_DESTROYCONTEXT *pData);
	HRESULT (*pfnCreateSynchronizationObjectCb)(HANDLE hDevice, D3DDDICB_CREATESYNCHRONIZATIONOBJECT *pData);
	HRESULT (*pfnDestroySynchronizationObjectCb)(HANDLE hDevice, const D3DDDICB_DESTROYSYNCHRONIZATIONOBJECT *pData);
	HRESULT (*pfnWaitForSynchronizationObjectCb)(HANDLE hDevice, const D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT *pData);
	HRESULT (*pfnSignalSynchronizationObjectCb)(HANDLE hDevice, const D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT *pData);
	HRESULT (*pfnSetAsyncCallbacksCb)(HANDLE hDevice, BOOL Enable);
	HRESULT (*pfnSetDisplayPrivateDriverFormatCb)(HANDLE hDevice, const D3DDDICB_SETDISPLAYPRIVATEDRIVERFORMAT *pData);
	HRESULT (*pfnOfferAllocationsCb)(HANDLE hDevice, const D3DDDICB_OFFERALLOCATIONS *pData);
	HRESULT (*pfnReclaimAllocationsCb)(HANDLE hDevice, const D3DDDICB_RECLAIMALLOCATIONS *pData);
	HRESULT (*pfnCreateSynchronizationObject2Cb)(HANDLE hDevice, D3DDDICB_CREATESYNCHRONIZATIONOBJECT2 *pData);
	HRESULT (*pfnWaitForSynchronizationObject2Cb)(HANDLE hDevice, const D3DDDICB_WAITFORSYNCHRONIZATIONOBJECT2 *pData);
	HRESULT (*pfnSignalSynchronizationObject2Cb)(HANDLE hDevice, const D3DDDICB_SIGNALSYNCHRONIZATIONOBJECT2 *pData);
	HRESULT (*pfnPresentMultiPlaneOverlayCb)(HANDLE hDevice, const D3DDDICB_PRESENTMULTIPLANEOVERLAY *pPresent);
	HRESULT (*pfnLogUMDMarkerCb)(HANDLE hDevice, const D3DDDICB_LOGUMDMARKER *pLogUMDMarker);
} D3DDDI_DEVICECALLBACKS;

_Static_assert(sizeof(D3DDDI_DEVICECALLBACKS) == 29 * sizeof(void *), "WDDM 1.3 has 29 device callbacks");
_Static_assert(sizeof(D3DDDICB_PRESENT) == 24 + 64 * sizeof(void *), "layout of D3DDDICB_PRESENT");
_Static_assert(sizeof(D3DDDICB_ALLOCATE) == 40, "layout of D3DDDICB_ALLOCATE");

#endif
