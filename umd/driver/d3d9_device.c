/* SPDX-License-Identifier: MIT */
/* One device: a GPU context, the table of entries, errors, counters. */
#include "d3d9_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"

HRESULT d3d9_status(struct d3d9_device *dev)
{
	return gpu_device_status(dev->gpu) ? D3DDDIERR_DEVICEHUNG : S_OK;
}

HRESULT d3d9_result(struct d3d9_device *dev, int err)
{
	switch (err) {
	case 0:
		return S_OK;
	case -ENOMEM:
		/* The kernel reports both kinds of memory alike; a full pool is what a program can do something about.
		 */
		return D3DDDIERR_OUTOFVIDEOMEMORY;
	case -EBUSY:
		return D3DDDIERR_WASSTILLDRAWING;
	case -ENOTSUP:
		return D3DDDIERR_NOTAVAILABLE;
	case -EIO:
		return D3DDDIERR_DEVICEHUNG;
	case -ENODEV:
		return D3DDDIERR_DEVICEREMOVED;
	default:
		return E_INVALIDARG;
	}
}

static HRESULT flush(HANDLE hDevice)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	int err = gpu_flush(dev->gpu, NULL);

	return err ? d3d9_result(dev, err) : d3d9_status(dev);
}

static HRESULT flush1(HANDLE hDevice, UINT flags)
{
	return flush(hDevice);
}

static HRESULT wait_frames(struct d3d9_device *dev, const struct d3dgpu_ddi_frames *frames)
{
	uint64_t fence;
	int err;

	if (frames->reserved || frames->max_pending >= D3D9_MAX_FRAMES)
		return E_INVALIDARG;
	if (dev->frame_count <= frames->max_pending)
		return S_OK;
	fence = dev->frames[(dev->frame_count - frames->max_pending - 1) % D3D9_MAX_FRAMES];
	err = gpu_fence_done(dev->gpu, fence) ? 0 : gpu_fence_wait(dev->gpu, fence, UINT64_MAX);
	return err ? d3d9_result(dev, err) : d3d9_status(dev);
}

static HRESULT get_info(HANDLE hDevice, UINT id, VOID *data, UINT size)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (!data)
		return E_INVALIDARG;
	if (id == D3DGPU_DEVINFO_STATISTICS) {
		if (size != sizeof(struct d3dgpu_statistics))
			return E_INVALIDARG;
		umd_statistics(dev->gpu, data);
		return S_OK;
	}
	if (id == D3DGPU_DEVINFO_FRAMES)
		return size == sizeof(struct d3dgpu_ddi_frames) ? wait_frames(dev, data) : E_INVALIDARG;
	return E_NOTIMPL;
}

static HRESULT destroy_device(HANDLE hDevice)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (dev->constant_input)
		gpu_resource_destroy(dev->gpu, dev->constant_input);
	gpu_device_destroy(dev->gpu);
	free(dev);
	return S_OK;
}

static HRESULT set_priority(HANDLE hDevice, const D3DDDIARG_SETPRIORITY *data)
{
	return S_OK;
}

static void device_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnFlush = flush;
	table->pfnFlush1 = flush1;
	table->pfnGetInfo = get_info;
	table->pfnDestroyDevice = destroy_device;
	table->pfnSetPriority = set_priority;
}

HRESULT d3d9_create_device(HANDLE hAdapter, D3DDDIARG_CREATEDEVICE *args)
{
	struct d3d9_adapter *adapter = hAdapter;
	D3DDDI_DEVICEFUNCS *table = args->pDeviceFuncs;
	struct d3d9_device *dev = calloc(1, sizeof(*dev));
	int err;

	if (!dev)
		return E_OUTOFMEMORY;
	err = gpu_device_create(adapter->ws, &dev->gpu);
	if (err) {
		free(dev);
		return err == -ENOMEM ? E_OUTOFMEMORY : E_FAIL;
	}
	dev->adapter = adapter;
	dev->runtime = args->hDevice;
	if (args->pCallbacks)
		dev->callbacks = *args->pCallbacks;
	dev->dirty = D3D9_DIRTY_ALL;
	dev->dirty_samplers = dev->dirty_textures = (1u << D3D9_SAMPLERS) - 1;
	dev->constant_slot = -1;
	for (unsigned i = 0; i < D3D9_STREAMS; i++)
		dev->streams[i].frequency = 1;

	memset(table, 0, sizeof(*table));
	device_entries(table);
	d3d9_resource_entries(table);
	d3d9_lock_entries(table);
	d3d9_copy_entries(table);
	d3d9_state_entries(table);
	d3d9_sampler_entries(table);
	d3d9_vertex_entries(table);
	d3d9_shader_entries(table);
	d3d9_draw_entries(table);
	d3d9_query_entries(table);
	d3d9_present_entries(table);
	args->hDevice = dev;
	return S_OK;
}
