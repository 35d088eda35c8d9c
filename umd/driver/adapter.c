/* SPDX-License-Identifier: MIT */
#include "adapter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "d3dgpu_adapter.h"
#include "d3dgpu_regs.h"

#define DRIVER_VERSION (1u << 16 | 0u) /* major << 16 | minor */

static int open_by_kind(struct d3dgpu_adapter_info *info, struct winsys **out)
{
	char message[256] = "";
	int err;

	switch (info->kind) {
	case D3DGPU_ADAPTER_DRM:
		return winsys_drm_open(info->fd, out);
	case D3DGPU_ADAPTER_LOOPBACK:
		err = winsys_loopback_open(info->caps, out, message, sizeof(message));
		if (err && *message)
			fprintf(stderr, "d3dgpu: %s\n", message);
		return err;
	case D3DGPU_ADAPTER_NULL:
		return winsys_null_open(NULL, out);
	default:
		return -EINVAL;
	}
}

HRESULT umd_open_winsys(const D3DDDI_ADAPTERCALLBACKS *callbacks, HANDLE hAdapter, struct winsys **out)
{
	struct d3dgpu_adapter_info info = {0};
	D3DDDICB_QUERYADAPTERINFO query = {&info, sizeof(info)};
	HRESULT hr = callbacks->pfnQueryAdapterInfoCb(hAdapter, &query);
	int err;

	if (FAILED(hr))
		return hr;
	if (info.size != sizeof(info))
		return E_INVALIDARG;
	info.caps[sizeof(info.caps) - 1] = 0;
	err = open_by_kind(&info, out);
	if (err)
		fprintf(stderr, "d3dgpu: cannot open the adapter: %s\n", strerror(-err));
	return err == 0 ? S_OK : err == -ENOMEM ? E_OUTOFMEMORY : err == -EINVAL ? E_INVALIDARG : E_FAIL;
}

void umd_describe_adapter(struct winsys *ws, struct d3dgpu_ddi_adapter *out)
{
	const struct d3dgpu_caps *caps = &ws->caps;

	*out = (struct d3dgpu_ddi_adapter){
		.luid = caps->luid,
		.vram_size = caps->vram_size,
		.vram_free = ws->ops->vram_free(ws),
		.feature_level = caps->feature_level,
		.driver_version = DRIVER_VERSION,
		.vendor_id = D3DGPU_PCI_VENDOR,
		.device_id = D3DGPU_PCI_DEVICE,
		.cube_face_with_2d_depth = (caps->options & D3DGPU_OPTION_CUBE_DS) != 0,
	};
	snprintf(out->description, sizeof(out->description), "d3dgpu (%.*s)", (int)sizeof(caps->engine_name),
		 caps->engine_name);
}

void umd_statistics(struct gpu_device *gpu, struct d3dgpu_statistics *out)
{
	struct gpu_stats stats;

	gpu_get_stats(gpu, &stats);
	*out = (struct d3dgpu_statistics){
		.draws = stats.draws,
		.clears = stats.clears,
		.copies = stats.copies,
		.state_objects = stats.state_objects,
		.shaders = stats.shaders,
		.allocations = stats.allocations,
		.staging_buffers = stats.staging_buffers,
		.ioctls = stats.winsys.ioctls,
		.submits = stats.winsys.submits,
		.stream_bytes = stats.winsys.stream_bytes,
		.waits = stats.winsys.waits,
		.ring_entries = stats.winsys.ring_entries,
		.interrupts = stats.winsys.interrupts,
		.vram_used = stats.winsys.vram_used,
		.vram_size = stats.winsys.vram_size,
	};
}
