/* SPDX-License-Identifier: MIT */
/* IDirect3D9Ex: adapters, what they can do, devices. Also the exported functions of the library. */
#include "device.h"

#include <stdio.h>

#define MAX_ADAPTERS 8

struct d3d9 {
	const IDirect3D9ExVtbl *vtbl;	/* first, as COM wants it */
	LONG refs;
	bool is_ex;
	UINT adapter_count;
	struct d3d9_adapter_caps *adapters[MAX_ADAPTERS];
};

static struct d3d9 *d3d9_from(IDirect3D9Ex *iface)
{
	return (struct d3d9 *)iface;
}

static const struct d3d9_adapter_caps *adapter_at(IDirect3D9Ex *iface, UINT index)
{
	struct d3d9 *d3d9 = d3d9_from(iface);

	return index < d3d9->adapter_count ? d3d9->adapters[index] : NULL;
}

/* ---- IUnknown ---- */

static HRESULT STDMETHODCALLTYPE d3d9_QueryInterface(IDirect3D9Ex *iface, REFIID iid, void **out)
{
	struct d3d9 *d3d9 = d3d9_from(iface);

	if (!out)
		return E_POINTER;
	*out = NULL;
	if (!IsEqualGUID(iid, &IID_IUnknown) && !IsEqualGUID(iid, &IID_IDirect3D9) &&
	    !(d3d9->is_ex && IsEqualGUID(iid, &IID_IDirect3D9Ex)))
		return E_NOINTERFACE;
	IDirect3D9Ex_AddRef(iface);
	*out = iface;
	return S_OK;
}

static ULONG STDMETHODCALLTYPE d3d9_AddRef(IDirect3D9Ex *iface)
{
	return (ULONG)__atomic_add_fetch(&d3d9_from(iface)->refs, 1, __ATOMIC_RELAXED);
}

static ULONG STDMETHODCALLTYPE d3d9_Release(IDirect3D9Ex *iface)
{
	struct d3d9 *d3d9 = d3d9_from(iface);
	LONG refs = __atomic_sub_fetch(&d3d9->refs, 1, __ATOMIC_ACQ_REL);

	if (refs)
		return (ULONG)refs;
	for (UINT i = 0; i < d3d9->adapter_count; i++)
		adapter_caps_unref(d3d9->adapters[i]);
	free(d3d9);
	return 0;
}

/* ---- adapters ---- */

static HRESULT STDMETHODCALLTYPE d3d9_RegisterSoftwareDevice(IDirect3D9Ex *iface, void *init)
{
	return D3DERR_INVALIDCALL;
}

static UINT STDMETHODCALLTYPE d3d9_GetAdapterCount(IDirect3D9Ex *iface)
{
	return d3d9_from(iface)->adapter_count;
}

static HRESULT STDMETHODCALLTYPE d3d9_GetAdapterIdentifier(IDirect3D9Ex *iface, UINT index, DWORD flags,
							   D3DADAPTER_IDENTIFIER9 *out)
{
	/* The driver's own identity; a program uses it as a key for what it stores per driver. */
	static const GUID identity = {0xd3d91234, 0x1af4, 0x4d3d, {0x9d, 0x33, 0x64, 0x39, 0x67, 0x70, 0x75, 0x01}};
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);

	if (!adapter || !out)
		return D3DERR_INVALIDCALL;
	memset(out, 0, sizeof(*out));
	snprintf(out->Driver, sizeof(out->Driver), "d3dgpu_umd.so");
	snprintf(out->Description, sizeof(out->Description), "%s", adapter->info.description);
	snprintf(out->DeviceName, sizeof(out->DeviceName), "\\\\.\\DISPLAY%u", index + 1);
	out->DriverVersion.QuadPart = (LONGLONG)adapter->info.driver_version << 32; /* four 16-bit parts */
	out->VendorId = adapter->info.vendor_id;
	out->DeviceId = adapter->info.device_id;
	out->DeviceIdentifier = identity;
	out->WHQLLevel = flags & D3DENUM_WHQL_LEVEL ? 1 : 0;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE d3d9_GetAdapterLUID(IDirect3D9Ex *iface, UINT index, LUID *luid)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);

	if (!adapter || !luid)
		return D3DERR_INVALIDCALL;
	luid->LowPart = (DWORD)adapter->info.luid;
	luid->HighPart = (LONG)(adapter->info.luid >> 32);
	return D3D_OK;
}

/* There is no monitor object without a window system; any non-NULL value names the adapter's display. */
static HMONITOR STDMETHODCALLTYPE d3d9_GetAdapterMonitor(IDirect3D9Ex *iface, UINT index)
{
	return adapter_at(iface, index) ? (HMONITOR)(UINT_PTR)(index + 1) : NULL;
}

static HRESULT STDMETHODCALLTYPE d3d9_GetDeviceCaps(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type, D3DCAPS9 *caps)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);

	if (!adapter || !caps || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF)
		return D3DERR_INVALIDCALL;
	if (type != D3DDEVTYPE_HAL)
		return D3DERR_NOTAVAILABLE;
	*caps = adapter->caps;
	return D3D_OK;
}

/* ---- display modes ---- */

static bool mode_format(D3DFORMAT format)
{
	return format == D3DFMT_X8R8G8B8;
}

static UINT STDMETHODCALLTYPE d3d9_GetAdapterModeCount(IDirect3D9Ex *iface, UINT index, D3DFORMAT format)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);

	return adapter && mode_format(format) ? adapter->wsi.mode_count(adapter->wsi.user) : 0;
}

static HRESULT STDMETHODCALLTYPE d3d9_EnumAdapterModes(IDirect3D9Ex *iface, UINT index, D3DFORMAT format,
						       UINT mode_index, D3DDISPLAYMODE *out)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	struct d3dgpu_wsi_mode mode;

	if (!adapter || !out || !mode_format(format) || adapter->wsi.get_mode(adapter->wsi.user, mode_index, &mode))
		return D3DERR_INVALIDCALL;
	*out = (D3DDISPLAYMODE){mode.width, mode.height, mode.refresh, format};
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE d3d9_GetAdapterDisplayMode(IDirect3D9Ex *iface, UINT index, D3DDISPLAYMODE *out)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	struct d3dgpu_wsi_mode mode;

	if (!adapter || !out)
		return D3DERR_INVALIDCALL;
	if (adapter->wsi.current_mode(adapter->wsi.user, &mode))
		return D3DERR_NOTAVAILABLE;
	*out = (D3DDISPLAYMODE){mode.width, mode.height, mode.refresh, D3DFMT_X8R8G8B8};
	return D3D_OK;
}

static bool filter_good(const D3DDISPLAYMODEFILTER *filter)
{
	return !filter ||
	       (filter->Size == sizeof(*filter) && filter->ScanLineOrdering <= D3DSCANLINEORDERING_INTERLACED);
}

/* Interlaced modes: none. */
static D3DFORMAT filter_format(const D3DDISPLAYMODEFILTER *filter)
{
	if (!filter)
		return D3DFMT_X8R8G8B8;
	return filter->ScanLineOrdering == D3DSCANLINEORDERING_INTERLACED ? D3DFMT_UNKNOWN : filter->Format;
}

static UINT STDMETHODCALLTYPE d3d9_GetAdapterModeCountEx(IDirect3D9Ex *iface, UINT index,
							 const D3DDISPLAYMODEFILTER *filter)
{
	return filter_good(filter) ? d3d9_GetAdapterModeCount(iface, index, filter_format(filter)) : 0;
}

static void fill_mode_ex(D3DDISPLAYMODEEX *out, const D3DDISPLAYMODE *mode)
{
	out->Width = mode->Width;
	out->Height = mode->Height;
	out->RefreshRate = mode->RefreshRate;
	out->Format = mode->Format;
	out->ScanLineOrdering = D3DSCANLINEORDERING_PROGRESSIVE;
}

static HRESULT STDMETHODCALLTYPE d3d9_EnumAdapterModesEx(IDirect3D9Ex *iface, UINT index,
							 const D3DDISPLAYMODEFILTER *filter, UINT mode_index,
							 D3DDISPLAYMODEEX *out)
{
	D3DDISPLAYMODE mode;
	HRESULT hr;

	if (!out || out->Size != sizeof(*out) || !filter_good(filter))
		return D3DERR_INVALIDCALL;
	hr = d3d9_EnumAdapterModes(iface, index, filter_format(filter), mode_index, &mode);
	if (SUCCEEDED(hr))
		fill_mode_ex(out, &mode);
	return hr;
}

static HRESULT STDMETHODCALLTYPE d3d9_GetAdapterDisplayModeEx(IDirect3D9Ex *iface, UINT index, D3DDISPLAYMODEEX *out,
							      D3DDISPLAYROTATION *rotation)
{
	D3DDISPLAYMODE mode;
	HRESULT hr;

	if (!out || out->Size != sizeof(*out))
		return D3DERR_INVALIDCALL;
	hr = d3d9_GetAdapterDisplayMode(iface, index, &mode);
	if (FAILED(hr))
		return hr;
	fill_mode_ex(out, &mode);
	if (rotation)
		*rotation = D3DDISPLAYROTATION_IDENTITY;
	return D3D_OK;
}

/* ---- checks ---- */

/* What the checks have in common: adapter, device type, adapter format. */
static HRESULT check_common(const struct d3d9_adapter_caps *adapter, D3DDEVTYPE type, D3DFORMAT adapter_format)
{
	if (!adapter || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF || adapter_format == D3DFMT_UNKNOWN)
		return D3DERR_INVALIDCALL;
	if (type != D3DDEVTYPE_HAL || !adapter_is_display_format(adapter, adapter_format))
		return D3DERR_NOTAVAILABLE;
	return D3D_OK;
}

/* Formats that a windowed back buffer of a display format can have. */
static bool can_show(const struct d3d9_adapter_caps *adapter, D3DFORMAT format)
{
	UINT operations = adapter_operations(adapter, format);

	return (operations & FORMATOP_OFFSCREEN_RENDERTARGET) && (operations & FORMATOP_CONVERT_TO_ARGB);
}

static HRESULT STDMETHODCALLTYPE d3d9_CheckDeviceType(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type,
						      D3DFORMAT display, D3DFORMAT back_buffer, BOOL windowed)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	HRESULT hr;

	if (back_buffer == D3DFMT_UNKNOWN && windowed)
		back_buffer = display;
	if (back_buffer == D3DFMT_UNKNOWN)
		return D3DERR_INVALIDCALL;
	hr = check_common(adapter, type, display);
	if (FAILED(hr))
		return hr;
	/* Full screen the formats agree but for alpha. */
	if (!windowed && back_buffer != display && back_buffer != D3DFMT_A8R8G8B8)
		return D3DERR_NOTAVAILABLE;
	return can_show(adapter, back_buffer) ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static HRESULT STDMETHODCALLTYPE d3d9_CheckDeviceFormat(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type,
							D3DFORMAT display, DWORD usage, D3DRESOURCETYPE resource,
							D3DFORMAT format)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	HRESULT hr = check_common(adapter, type, display);

	if (FAILED(hr))
		return hr;
	if ((usage & D3DUSAGE_RENDERTARGET) && (usage & D3DUSAGE_DEPTHSTENCIL))
		return D3DERR_INVALIDCALL;
	if ((usage & (D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL)) &&
	    (resource == D3DRTYPE_VERTEXBUFFER || resource == D3DRTYPE_INDEXBUFFER))
		return D3DERR_INVALIDCALL;
	if (resource < D3DRTYPE_SURFACE || resource > D3DRTYPE_INDEXBUFFER)
		return D3DERR_INVALIDCALL;
	return adapter_check_format(adapter, usage, resource, format);
}

static HRESULT STDMETHODCALLTYPE d3d9_CheckDeviceMultiSampleType(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type,
								 D3DFORMAT format, BOOL windowed,
								 D3DMULTISAMPLE_TYPE samples, DWORD *levels)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	UINT operations, count;

	if (!adapter || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF || format == D3DFMT_UNKNOWN ||
	    samples > D3DMULTISAMPLE_16_SAMPLES)
		return D3DERR_INVALIDCALL;
	operations = adapter_operations(adapter, format);
	if (type != D3DDEVTYPE_HAL || !operations)
		return D3DERR_NOTAVAILABLE;
	count = adapter_quality_levels(adapter, format, windowed, samples);
	if (levels)
		*levels = count ? count : 1;
	return count ? D3D_OK : D3DERR_NOTAVAILABLE;
}

static HRESULT STDMETHODCALLTYPE d3d9_CheckDepthStencilMatch(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type,
							     D3DFORMAT display, D3DFORMAT target, D3DFORMAT depth)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);
	HRESULT hr = check_common(adapter, type, display);

	if (FAILED(hr))
		return hr;
	if (!(adapter_operations(adapter, target) & FORMATOP_OFFSCREEN_RENDERTARGET) ||
	    !(adapter_operations(adapter, depth) & FORMATOP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH))
		return D3DERR_NOTAVAILABLE;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE d3d9_CheckDeviceFormatConversion(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type,
								  D3DFORMAT from, D3DFORMAT to)
{
	const struct d3d9_adapter_caps *adapter = adapter_at(iface, index);

	if (!adapter || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF)
		return D3DERR_INVALIDCALL;
	if (type != D3DDEVTYPE_HAL || !adapter_operations(adapter, from) || !adapter_operations(adapter, to))
		return D3DERR_NOTAVAILABLE;
	if (from == to)
		return D3D_OK;
	return (adapter_operations(adapter, from) & FORMATOP_CONVERT_TO_ARGB) &&
			       (adapter_operations(adapter, to) & FORMATOP_MEMBEROFGROUP_ARGB) ?
		       D3D_OK :
		       D3DERR_NOTAVAILABLE;
}

/* ---- devices ---- */

/* Exactly one kind of vertex processing, and nothing that only other devices have. */
static bool behavior_good(DWORD flags)
{
	DWORD processing = flags & (D3DCREATE_SOFTWARE_VERTEXPROCESSING | D3DCREATE_HARDWARE_VERTEXPROCESSING |
				    D3DCREATE_MIXED_VERTEXPROCESSING);

	if (!processing || (processing & (processing - 1)))
		return false;
	return !(flags & D3DCREATE_PUREDEVICE) || processing == D3DCREATE_HARDWARE_VERTEXPROCESSING;
}

static HRESULT create_device(IDirect3D9Ex *iface, bool is_ex, UINT index, D3DDEVTYPE type, HWND focus, DWORD flags,
			     D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode, struct d3d9_device **out)
{
	struct d3d9 *d3d9 = d3d9_from(iface);
	D3DDEVICE_CREATION_PARAMETERS creation = {index, type, focus, flags};

	if (index >= d3d9->adapter_count || !params || !out || type < D3DDEVTYPE_HAL || type > D3DDEVTYPE_NULLREF ||
	    !behavior_good(flags)) {
		runtime_refused(__func__, "adapter %u, type %u, flags %#x", index, type, flags);
		return D3DERR_INVALIDCALL;
	}
	*out = NULL;
	if (type != D3DDEVTYPE_HAL)
		return D3DERR_NOTAVAILABLE;
	return device_create(iface, d3d9->adapters[index], is_ex, &creation, params, mode, out);
}

static HRESULT STDMETHODCALLTYPE d3d9_CreateDevice(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type, HWND focus,
						   DWORD flags, D3DPRESENT_PARAMETERS *params, IDirect3DDevice9 **out)
{
	struct d3d9 *d3d9 = d3d9_from(iface);
	D3DDISPLAYMODEEX mode = {.Size = sizeof(mode)};
	bool full_screen = params && !params->Windowed;

	if (full_screen) {
		mode.Width = params->BackBufferWidth;
		mode.Height = params->BackBufferHeight;
	}
	return create_device(iface, d3d9->is_ex, index, type, focus, flags, params, full_screen ? &mode : NULL,
			     (struct d3d9_device **)out);
}

static HRESULT STDMETHODCALLTYPE d3d9_CreateDeviceEx(IDirect3D9Ex *iface, UINT index, D3DDEVTYPE type, HWND focus,
						     DWORD flags, D3DPRESENT_PARAMETERS *params, D3DDISPLAYMODEEX *mode,
						     IDirect3DDevice9Ex **out)
{
	return create_device(iface, true, index, type, focus, flags, params, mode, (struct d3d9_device **)out);
}

static const IDirect3D9ExVtbl d3d9_vtbl = {
	.QueryInterface = d3d9_QueryInterface,
	.AddRef = d3d9_AddRef,
	.Release = d3d9_Release,
	.RegisterSoftwareDevice = d3d9_RegisterSoftwareDevice,
	.GetAdapterCount = d3d9_GetAdapterCount,
	.GetAdapterIdentifier = d3d9_GetAdapterIdentifier,
	.GetAdapterModeCount = d3d9_GetAdapterModeCount,
	.EnumAdapterModes = d3d9_EnumAdapterModes,
	.GetAdapterDisplayMode = d3d9_GetAdapterDisplayMode,
	.CheckDeviceType = d3d9_CheckDeviceType,
	.CheckDeviceFormat = d3d9_CheckDeviceFormat,
	.CheckDeviceMultiSampleType = d3d9_CheckDeviceMultiSampleType,
	.CheckDepthStencilMatch = d3d9_CheckDepthStencilMatch,
	.CheckDeviceFormatConversion = d3d9_CheckDeviceFormatConversion,
	.GetDeviceCaps = d3d9_GetDeviceCaps,
	.GetAdapterMonitor = d3d9_GetAdapterMonitor,
	.CreateDevice = d3d9_CreateDevice,
	.GetAdapterModeCountEx = d3d9_GetAdapterModeCountEx,
	.EnumAdapterModesEx = d3d9_EnumAdapterModesEx,
	.GetAdapterDisplayModeEx = d3d9_GetAdapterDisplayModeEx,
	.CreateDeviceEx = d3d9_CreateDeviceEx,
	.GetAdapterLUID = d3d9_GetAdapterLUID,
};

/* ---- exports ---- */

static HRESULT create_d3d9(bool is_ex, IDirect3D9Ex **out)
{
	struct d3d9 *d3d9 = calloc(1, sizeof(*d3d9));

	if (!d3d9)
		return E_OUTOFMEMORY;
	d3d9->vtbl = &d3d9_vtbl;
	d3d9->refs = 1;
	d3d9->is_ex = is_ex;
	while (d3d9->adapter_count < MAX_ADAPTERS &&
	       !adapter_caps_open(d3d9->adapter_count, &d3d9->adapters[d3d9->adapter_count]))
		d3d9->adapter_count++;
	if (!d3d9->adapter_count) {
		runtime_log("no d3dgpu adapter found");
		free(d3d9);
		return D3DERR_NOTAVAILABLE;
	}
	*out = (IDirect3D9Ex *)d3d9;
	return D3D_OK;
}

__attribute__((visibility("default"))) HRESULT WINAPI Direct3DCreate9Ex(UINT version, IDirect3D9Ex **out)
{
	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	return create_d3d9(true, out);
}

__attribute__((visibility("default"))) IDirect3D9 *WINAPI Direct3DCreate9(UINT version)
{
	IDirect3D9Ex *d3d9;

	return SUCCEEDED(create_d3d9(false, &d3d9)) ? (IDirect3D9 *)d3d9 : NULL;
}
