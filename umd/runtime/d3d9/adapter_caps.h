/* SPDX-License-Identifier: MIT */
/*
 * One adapter opened through the D3D9 DDI, with the answers of its GetCaps kept. IDirect3D9 has it, every device opens
 * its driver device on it.
 */
#ifndef D3DGPU_D3D9_ADAPTER_CAPS_H
#define D3DGPU_D3D9_ADAPTER_CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"
#include "d3d9umddi.h"
#include "d3dgpu_ddi.h"
#include "wsi.h"

struct d3d9_adapter_caps {
	int references;
	struct runtime_adapter *adapter;
	HANDLE driver;			/* the driver's adapter handle */
	D3DDDI_ADAPTERFUNCS funcs;
	D3DCAPS9 caps;
	FORMATOP *formats;
	UINT format_count;
	D3DDDIQUERYTYPE queries[32];
	UINT query_count;
	bool instancing;
	struct d3dgpu_ddi_adapter info;	/* as it was when the adapter was opened */
	struct d3dgpu_wsi wsi;
};

/* Errors as of runtime_adapter_open; -EIO when the driver refuses. */
int adapter_caps_open(unsigned index, struct d3d9_adapter_caps **out);
struct d3d9_adapter_caps *adapter_caps_ref(struct d3d9_adapter_caps *adapter);
void adapter_caps_unref(struct d3d9_adapter_caps *adapter);

/* FORMATOP_* of a format; 0 = not offered. */
UINT adapter_operations(const struct d3d9_adapter_caps *adapter, D3DFORMAT format);
/* Formats that a display can have. */
bool adapter_is_display_format(const struct d3d9_adapter_caps *adapter, D3DFORMAT format);
/* Quality levels of a format and sample type; 0 = not available. */
UINT adapter_quality_levels(const struct d3d9_adapter_caps *adapter, D3DFORMAT format, BOOL windowed,
			    D3DMULTISAMPLE_TYPE type);
bool adapter_has_query(const struct d3d9_adapter_caps *adapter, D3DQUERYTYPE type);
/* Bytes of video memory that are free now. */
uint64_t adapter_free_memory(const struct d3d9_adapter_caps *adapter);
/* The checks that IDirect3D9 and resource creation share. */
HRESULT adapter_check_format(const struct d3d9_adapter_caps *adapter, DWORD usage, D3DRESOURCETYPE type,
			     D3DFORMAT format);

#endif
