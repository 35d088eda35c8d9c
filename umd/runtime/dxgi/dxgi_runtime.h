/* SPDX-License-Identifier: MIT */
/*
 * Between libdxgi.so and libd3d11.so: two private interfaces, reached through QueryInterface. The DXGI adapter gives
 * the opened Direct3D 10+ adapter of the driver; the Direct3D device gives swap chains what they need to make and show
 * surfaces.
 */
#ifndef D3DGPU_DXGI_RUNTIME_H
#define D3DGPU_DXGI_RUNTIME_H

/* COM objects point to constant tables. */
#define CONST_VTABLE
#include <windows.h>
#include <stdbool.h>
#include <dxgi1_3.h>
#include <dxgi1_4.h>

#include "adapter.h"
#include "d3d10umddi.h"
#include "d3dgpu_ddi.h"

/* The driver's adapter object (OpenAdapter10_2). Closed with the last reference. */
struct dxgi_ddi_adapter {
	int references;
	struct runtime_adapter *runtime;
	D3D10DDI_HADAPTER handle;
	D3D10_2DDI_ADAPTERFUNCS funcs;
	struct d3dgpu_ddi_adapter info; /* as it was when the adapter was opened */
};

/* {8D7A1F0E-3C52-4F5B-9E0B-6C1D3D9A0001} */
static const GUID IID_D3DGPUAdapter = {0x8d7a1f0e, 0x3c52, 0x4f5b, {0x9e, 0x0b, 0x6c, 0x1d, 0x3d, 0x9a, 0x00, 0x01}};
/* {8D7A1F0E-3C52-4F5B-9E0B-6C1D3D9A0002} */
static const GUID IID_D3DGPUSurfaceDevice = {
	0x8d7a1f0e, 0x3c52, 0x4f5b, {0x9e, 0x0b, 0x6c, 0x1d, 0x3d, 0x9a, 0x00, 0x02}};

typedef struct D3DGPUAdapter D3DGPUAdapter;
typedef struct D3DGPUAdapterVtbl {
	HRESULT(STDMETHODCALLTYPE *QueryInterface)(D3DGPUAdapter *This, REFIID riid, void **out);
	ULONG(STDMETHODCALLTYPE *AddRef)(D3DGPUAdapter *This);
	ULONG(STDMETHODCALLTYPE *Release)(D3DGPUAdapter *This);
	/* Lives as long as the adapter. */
	struct dxgi_ddi_adapter *(*GetDdiAdapter)(D3DGPUAdapter *This);
} D3DGPUAdapterVtbl;
struct D3DGPUAdapter {
	const D3DGPUAdapterVtbl *lpVtbl;
};

/* A surface that a swap chain wants. */
struct d3dgpu_surface_request {
	UINT width, height; /* pixels */
	DXGI_FORMAT format;
	DXGI_SAMPLE_DESC samples;
	DXGI_USAGE usage;
	bool scanout; /* can be shown by the display engine */
};

/*
 * Surfaces are ID3D11Texture2D. The swap chain holds them by a pin, which is no reference of the program: GetBuffer
 * starts at one reference, and ResizeBuffers sees what is outstanding.
 */
typedef struct D3DGPUSurfaceDevice D3DGPUSurfaceDevice;
typedef struct D3DGPUSurfaceDeviceVtbl {
	HRESULT(STDMETHODCALLTYPE *QueryInterface)(D3DGPUSurfaceDevice *This, REFIID riid, void **out);
	ULONG(STDMETHODCALLTYPE *AddRef)(D3DGPUSurfaceDevice *This);
	ULONG(STDMETHODCALLTYPE *Release)(D3DGPUSurfaceDevice *This);
	/* *surface has one pin and no reference. */
	HRESULT (*CreateSurface)
	(D3DGPUSurfaceDevice *This, const struct d3dgpu_surface_request *request, IUnknown **surface);
	void (*Unpin)(D3DGPUSurfaceDevice *This, IUnknown *surface);
	/* References and pins other than the swap chain's own: views, bindings, the program's. */
	bool (*InUse)(D3DGPUSurfaceDevice *This, IUnknown *surface);
	/* Copies, scaling, converting and resolving as needed. */
	HRESULT (*Blit)(D3DGPUSurfaceDevice *This, IUnknown *dst, IUnknown *src);
	/* Submits what was drawn. *handle: the surface for the display engine, 0 if it has none. */
	HRESULT (*Present)(D3DGPUSurfaceDevice *This, IUnknown *surface, UINT interval, D3DKMT_HANDLE *handle);
	/* Calls read with the picture (B8G8R8X8 or whatever the format is) in memory. */
	HRESULT (*Read)
	(D3DGPUSurfaceDevice *This, IUnknown *surface, void (*read)(void *context, const void *pixels, UINT pitch),
	 void *context);
	struct dxgi_ddi_adapter *(*GetDdiAdapter)(D3DGPUSurfaceDevice *This);
} D3DGPUSurfaceDeviceVtbl;
struct D3DGPUSurfaceDevice {
	const D3DGPUSurfaceDeviceVtbl *lpVtbl;
};

#endif
