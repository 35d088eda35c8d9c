/* SPDX-License-Identifier: MIT */
/* The driver's device: creation, the table, errors, flush, questions about formats and samples. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "d3d11_front.h"

static void report(struct d3d11_device *dev, HRESULT hr)
{
	dev->callbacks->pfnSetErrorCb(dev->core, hr);
}

/*
 * The first failed call of a lost context tells the runtime; later calls do nothing and stay silent, as the DDI asks.
 */
static void report_removed(struct d3d11_device *dev)
{
	dev->removed = true;
	report(dev, D3DDDIERR_DEVICEREMOVED);
}

bool d3d11_check(struct d3d11_device *dev, int err)
{
	if (!err)
		return true;
	if (err == -EIO || err == -ENODEV)
		report_removed(dev);
	else if (err == -EBUSY)
		report(dev, DXGI_DDI_ERR_WASSTILLDRAWING);
	else
		report(dev, E_OUTOFMEMORY);
	return false;
}

void d3d11_check_lost(struct d3d11_device *dev, int err)
{
	if ((err == -EIO || err == -ENODEV) && !dev->removed)
		report_removed(dev);
}

SIZE_T d3d11_device_size(void)
{
	return sizeof(struct d3d11_device);
}

static void destroy_device(D3D10DDI_HDEVICE hDevice)
{
	gpu_device_destroy(d3d11_device(hDevice)->gpu);
}

static BOOL flush(D3D10DDI_HDEVICE hDevice, UINT FlushFlags)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	int err = gpu_flush(dev->gpu, NULL);

	if (!err && gpu_device_status(dev->gpu))
		err = -EIO;
	d3d11_check_lost(dev, err);
	return !err;
}

static void check_format_support(D3D10DDI_HDEVICE hDevice, DXGI_FORMAT Format, UINT *pFormatCaps)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	*pFormatCaps = d3d11_format_support(gpu_device_caps(dev->gpu), dev->level, Format);
}

static void check_multisample_quality_levels(D3D10DDI_HDEVICE hDevice, DXGI_FORMAT Format, UINT SampleCount,
					     UINT *pNumQualityLevels)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	*pNumQualityLevels = d3d11_quality_levels(gpu_device_caps(dev->gpu), Format, SampleCount);
}

static void check_counter_info(D3D10DDI_HDEVICE hDevice, D3D10DDI_COUNTER_INFO *pCounterInfo)
{
	memset(pCounterInfo, 0, sizeof(*pCounterInfo));
}

static void check_counter(D3D10DDI_HDEVICE hDevice, D3D10DDI_QUERY Query, D3D10DDI_COUNTER_TYPE *pCounterType,
			  UINT *pActiveCounters, LPSTR pName, UINT *pNameLength, LPSTR pUnits, UINT *pUnitsLength,
			  LPSTR pDescription, UINT *pDescriptionLength)
{
	report(d3d11_device(hDevice), (unsigned)Query < 0x40000000u ? DXGI_DDI_ERR_UNSUPPORTED : E_INVALIDARG);
}

/* The table is filled once: where it lies does not matter. */
static void relocate_device_funcs(D3D10DDI_HDEVICE hDevice, struct D3D11_1DDI_DEVICEFUNCS *pDeviceFunctions)
{
}

static HRESULT retrieve_sub_object(D3D10DDI_HDEVICE hDevice, UINT32 SubDeviceID, SIZE_T ParamSize, void *pParams,
				   SIZE_T OutputParamSize, void *pOutputParamsBuffer)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	const struct d3dgpu_ddi_frames *frames = pParams;

	if (SubDeviceID == D3DGPU_SUBOBJECT_STATISTICS && OutputParamSize == sizeof(struct d3dgpu_statistics)) {
		umd_statistics(dev->gpu, pOutputParamsBuffer);
		return S_OK;
	}
	if (SubDeviceID == D3DGPU_SUBOBJECT_FRAMES && ParamSize == sizeof(*frames))
		return d3d11_wait_presents(dev, frames->max_pending) ? D3DDDIERR_DEVICEREMOVED : S_OK;
	return E_INVALIDARG;
}

static void fill_table(D3D11_1DDI_DEVICEFUNCS *table)
{
	memset(table, 0, sizeof(*table));
	table->pfnDestroyDevice = destroy_device;
	table->pfnFlush = flush;
	table->pfnCheckFormatSupport = check_format_support;
	table->pfnCheckMultisampleQualityLevels = check_multisample_quality_levels;
	table->pfnCheckCounterInfo = check_counter_info;
	table->pfnCheckCounter = check_counter;
	table->pfnRelocateDeviceFuncs = relocate_device_funcs;
	d3d11_resource_entries(table);
	d3d11_transfer_entries(table);
	d3d11_view_entries(table);
	d3d11_state_entries(table);
	d3d11_shader_entries(table);
	d3d11_input_entries(table);
	d3d11_bind_entries(table);
	d3d11_draw_entries(table);
	d3d11_query_entries(table);
	d3d11_unbuilt_entries(table);
}

HRESULT d3d11_device_create(struct d3d11_adapter *adapter, D3D10DDIARG_CREATEDEVICE *args)
{
	static const struct gpu_rect empty[GPU_MAX_VIEWPORTS];
	struct d3d11_device *dev = args->hDrvDevice.pDrvPrivate;
	int err;

	memset(dev, 0, sizeof(*dev));
	dev->ws = adapter->ws;
	dev->core = args->hRTCoreLayer;
	dev->callbacks = args->p11UMCallbacks;
	dev->runtime = args->hRTDevice.handle;
	dev->dxgi = args->DXGIBaseDDI.pDXGIBaseCallbacks;
	dev->level = (args->Flags & D3D11DDI_CREATEDEVICE_FLAG_3DPIPELINESUPPORT_MASK) >>
		     D3D11DDI_CREATEDEVICE_FLAG_3DPIPELINESUPPORT_SHIFT;
	err = gpu_device_create(adapter->ws, &dev->gpu);
	if (err) {
		fprintf(stderr, "d3dgpu: cannot create a context: %s\n", strerror(-err));
		return err == -ENOMEM ? E_OUTOFMEMORY : E_FAIL;
	}
	/* Direct3D 11 starts with empty scissor rectangles. */
	gpu_set_scissors(dev->gpu, GPU_MAX_VIEWPORTS, empty);
	fill_table(args->p11_1DeviceFuncs);
	d3d11_present_entries(args->DXGIBaseDDI.pDXGIDDIBaseFunctions3);
	if (args->ppfnRetrieveSubObject)
		*args->ppfnRetrieveSubObject = retrieve_sub_object;
	return S_OK;
}
