/* SPDX-License-Identifier: MIT */
/* IDirect3DQuery9 */
#ifndef D3DGPU_D3D9_QUERY_H
#define D3DGPU_D3D9_QUERY_H

#include "object.h"

struct d3d9_query;

/* out NULL: only asks whether the type is there. D3DERR_NOTAVAILABLE. */
HRESULT query_create(struct d3d9_device *device, D3DQUERYTYPE type, IDirect3DQuery9 **out);

#endif
