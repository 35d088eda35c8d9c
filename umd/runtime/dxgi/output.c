/* SPDX-License-Identifier: MIT */
/* IDXGIOutput1: the display of the window system, its modes and its vertical blank. */
#include "dxgi_private.h"

#include <stdlib.h>
#include <string.h>

static inline struct dxgi_output *impl(IDXGIOutput1 *iface)
{
	return (struct dxgi_output *)iface;
}

static HRESULT STDMETHODCALLTYPE output_QueryInterface(IDXGIOutput1 *iface, REFIID riid, void **out)
{
	static const GUID *const ids[] = {&IID_IUnknown, &IID_IDXGIObject, &IID_IDXGIOutput, &IID_IDXGIOutput1};

	return dxgi_query(&impl(iface)->base, ids, sizeof(ids) / sizeof(ids[0]), riid, out);
}

static ULONG STDMETHODCALLTYPE output_Release(IDXGIOutput1 *iface)
{
	struct dxgi_output *output = impl(iface);
	ULONG references = (ULONG)__atomic_sub_fetch(&output->base.references, 1, __ATOMIC_ACQ_REL);

	if (!references) {
		private_store_clear(&output->base.data);
		IDXGIAdapter3_Release((IDXGIAdapter3 *)output->adapter);
		free(output);
	}
	return references;
}

static HRESULT STDMETHODCALLTYPE output_GetParent(IDXGIOutput1 *iface, REFIID riid, void **parent)
{
	return IDXGIAdapter3_QueryInterface((IDXGIAdapter3 *)impl(iface)->adapter, riid, parent);
}

static HRESULT STDMETHODCALLTYPE output_GetDesc(IDXGIOutput1 *iface, DXGI_OUTPUT_DESC *desc)
{
	static const char name[] = "\\\\.\\DISPLAY1";
	struct dxgi_output *output = impl(iface);
	struct d3dgpu_wsi_mode mode = {0};

	if (!desc)
		return E_INVALIDARG;
	memset(desc, 0, sizeof(*desc));
	for (size_t i = 0; name[i]; i++)
		desc->DeviceName[i] = (WCHAR)name[i];
	if (!output->wsi.current_mode(output->wsi.user, &mode)) {
		desc->DesktopCoordinates.right = (LONG)mode.width;
		desc->DesktopCoordinates.bottom = (LONG)mode.height;
	}
	desc->AttachedToDesktop = TRUE;
	desc->Rotation = DXGI_MODE_ROTATION_IDENTITY;
	return S_OK;
}

/* Formats that a full-screen swap chain can have: they are converted to the display's when they are shown. */
static bool is_display_format(DXGI_FORMAT format)
{
	switch (format) {
	case DXGI_FORMAT_R8G8B8A8_UNORM:
	case DXGI_FORMAT_R8G8B8A8_UNORM_SRGB:
	case DXGI_FORMAT_B8G8R8A8_UNORM:
	case DXGI_FORMAT_B8G8R8A8_UNORM_SRGB:
	case DXGI_FORMAT_R10G10B10A2_UNORM:
	case DXGI_FORMAT_R16G16B16A16_FLOAT:
		return true;
	default:
		return false;
	}
}

static DXGI_MODE_DESC1 mode_desc(const struct d3dgpu_wsi_mode *mode, DXGI_FORMAT format)
{
	return (DXGI_MODE_DESC1){
		.Width = mode->width,
		.Height = mode->height,
		.RefreshRate = {mode->refresh, 1},
		.Format = format,
		.ScanlineOrdering = DXGI_MODE_SCANLINE_ORDER_PROGRESSIVE,
		.Scaling = DXGI_MODE_SCALING_UNSPECIFIED,
	};
}

/* *count: room in, number out. modes NULL only counts. Copies `size` bytes of each description. */
static HRESULT list_modes(struct dxgi_output *output, DXGI_FORMAT format, UINT *count, void *modes, size_t size)
{
	UINT available = is_display_format(format) ? output->wsi.mode_count(output->wsi.user) : 0;
	UINT written = 0;

	if (!count)
		return DXGI_ERROR_INVALID_CALL;
	if (!modes) {
		*count = available;
		return S_OK;
	}
	if (*count < available)
		return DXGI_ERROR_MORE_DATA;
	for (UINT i = 0; i < available; i++) {
		struct d3dgpu_wsi_mode mode;
		DXGI_MODE_DESC1 desc;

		if (output->wsi.get_mode(output->wsi.user, i, &mode))
			continue;
		desc = mode_desc(&mode, format);
		memcpy((char *)modes + written++ * size, &desc, size);
	}
	*count = written;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE output_GetDisplayModeList(IDXGIOutput1 *iface, DXGI_FORMAT format, UINT flags,
							   UINT *count, DXGI_MODE_DESC *modes)
{
	_Static_assert(offsetof(DXGI_MODE_DESC1, Stereo) == sizeof(DXGI_MODE_DESC),
		       "the older description is a prefix");
	return list_modes(impl(iface), format, count, modes, sizeof(DXGI_MODE_DESC));
}

static HRESULT STDMETHODCALLTYPE output_GetDisplayModeList1(IDXGIOutput1 *iface, DXGI_FORMAT format, UINT flags,
							    UINT *count, DXGI_MODE_DESC1 *modes)
{
	return list_modes(impl(iface), format, count, modes, sizeof(DXGI_MODE_DESC1));
}

static uint64_t distance(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* The mode nearest in size, then in rate; fields that are 0 do not matter. */
static HRESULT closest_mode(struct dxgi_output *output, const DXGI_MODE_DESC *wanted, DXGI_MODE_DESC1 *closest)
{
	UINT count = output->wsi.mode_count(output->wsi.user);
	UINT rate =
		wanted->RefreshRate.Denominator ? wanted->RefreshRate.Numerator / wanted->RefreshRate.Denominator : 0;
	uint64_t best = UINT64_MAX;

	if (!wanted->Width != !wanted->Height)
		return DXGI_ERROR_INVALID_CALL;
	for (UINT i = 0; i < count; i++) {
		struct d3dgpu_wsi_mode mode;
		uint64_t score = 0;

		if (output->wsi.get_mode(output->wsi.user, i, &mode))
			continue;
		if (wanted->Width)
			score = (distance(mode.width, wanted->Width) + distance(mode.height, wanted->Height)) << 16;
		if (rate)
			score += distance(mode.refresh, rate);
		if (score < best) {
			best = score;
			*closest = mode_desc(&mode, wanted->Format ? wanted->Format : DXGI_FORMAT_R8G8B8A8_UNORM);
		}
	}
	return best == UINT64_MAX ? DXGI_ERROR_NOT_FOUND : S_OK;
}

static HRESULT STDMETHODCALLTYPE output_FindClosestMatchingMode(IDXGIOutput1 *iface, const DXGI_MODE_DESC *mode,
								DXGI_MODE_DESC *closest, IUnknown *device)
{
	DXGI_MODE_DESC1 found;
	HRESULT hr;

	if (!mode || !closest || (mode->Format == DXGI_FORMAT_UNKNOWN && !device))
		return DXGI_ERROR_INVALID_CALL;
	hr = closest_mode(impl(iface), mode, &found);
	if (SUCCEEDED(hr))
		memcpy(closest, &found, sizeof(*closest));
	return hr;
}

static HRESULT STDMETHODCALLTYPE output_FindClosestMatchingMode1(IDXGIOutput1 *iface, const DXGI_MODE_DESC1 *mode,
								 DXGI_MODE_DESC1 *closest, IUnknown *device)
{
	DXGI_MODE_DESC wanted;

	if (!mode || !closest || (mode->Format == DXGI_FORMAT_UNKNOWN && !device))
		return DXGI_ERROR_INVALID_CALL;
	memcpy(&wanted, mode, sizeof(wanted));
	return closest_mode(impl(iface), &wanted, closest);
}

static HRESULT STDMETHODCALLTYPE output_WaitForVBlank(IDXGIOutput1 *iface)
{
	struct dxgi_output *output = impl(iface);

	return output->wsi.wait_vblank(output->wsi.user) ? E_FAIL : S_OK;
}

static HRESULT STDMETHODCALLTYPE output_TakeOwnership(IDXGIOutput1 *iface, IUnknown *device, BOOL exclusive)
{
	return E_NOTIMPL;
}

static void STDMETHODCALLTYPE output_ReleaseOwnership(IDXGIOutput1 *iface)
{
}

/* The display engine has no gamma table: DXGI's answer for windowed programs, too. */
static HRESULT STDMETHODCALLTYPE output_GetGammaControlCapabilities(IDXGIOutput1 *iface,
								    DXGI_GAMMA_CONTROL_CAPABILITIES *caps)
{
	return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE output_SetGammaControl(IDXGIOutput1 *iface, const DXGI_GAMMA_CONTROL *gamma)
{
	return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE output_GetGammaControl(IDXGIOutput1 *iface, DXGI_GAMMA_CONTROL *gamma)
{
	return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE output_SetDisplaySurface(IDXGIOutput1 *iface, IDXGISurface *surface)
{
	return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE output_GetDisplaySurfaceData(IDXGIOutput1 *iface, IDXGISurface *surface)
{
	return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE output_GetFrameStatistics(IDXGIOutput1 *iface, DXGI_FRAME_STATISTICS *statistics)
{
	return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE output_GetDisplaySurfaceData1(IDXGIOutput1 *iface, IDXGIResource *resource)
{
	return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE output_DuplicateOutput(IDXGIOutput1 *iface, IUnknown *device,
							IDXGIOutputDuplication **out)
{
	return DXGI_ERROR_UNSUPPORTED;
}

static const IDXGIOutput1Vtbl output_vtbl = {
	DXGI_OBJECT_METHODS(IDXGIOutput1),
	.QueryInterface = output_QueryInterface,
	.Release = output_Release,
	.GetParent = output_GetParent,
	.GetDesc = output_GetDesc,
	.GetDisplayModeList = output_GetDisplayModeList,
	.FindClosestMatchingMode = output_FindClosestMatchingMode,
	.WaitForVBlank = output_WaitForVBlank,
	.TakeOwnership = output_TakeOwnership,
	.ReleaseOwnership = output_ReleaseOwnership,
	.GetGammaControlCapabilities = output_GetGammaControlCapabilities,
	.SetGammaControl = output_SetGammaControl,
	.GetGammaControl = output_GetGammaControl,
	.SetDisplaySurface = output_SetDisplaySurface,
	.GetDisplaySurfaceData = output_GetDisplaySurfaceData,
	.GetFrameStatistics = output_GetFrameStatistics,
	.GetDisplayModeList1 = output_GetDisplayModeList1,
	.FindClosestMatchingMode1 = output_FindClosestMatchingMode1,
	.GetDisplaySurfaceData1 = output_GetDisplaySurfaceData1,
	.DuplicateOutput = output_DuplicateOutput,
};

HRESULT dxgi_output_create(struct dxgi_adapter *adapter, struct dxgi_output **out)
{
	struct dxgi_output *output = calloc(1, sizeof(*output));

	if (!output)
		return E_OUTOFMEMORY;
	dxgi_object_init(&output->base, &output_vtbl);
	output->adapter = adapter;
	dxgi_add_ref(&adapter->base);
	wsi_get(&output->wsi);
	*out = output;
	return S_OK;
}
