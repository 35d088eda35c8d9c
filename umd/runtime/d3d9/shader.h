/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexShader9 and IDirect3DPixelShader9: one structure, one set of methods. */
#ifndef D3DGPU_D3D9_SHADER_H
#define D3DGPU_D3D9_SHADER_H

#include "object.h"

struct d3d9_shader {
	struct d3d9_object object;
	bool pixel;
	HANDLE handle;			/* the driver's */
	UINT size;			/* bytes of code */
	DWORD code[];
};

/* code: token stream with the end token within SHADER_MAX_TOKENS. */
HRESULT shader_create(struct d3d9_device *device, bool pixel, const DWORD *code, struct d3d9_shader **out);

#endif
