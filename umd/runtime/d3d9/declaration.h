/* SPDX-License-Identifier: MIT */
/* IDirect3DVertexDeclaration9, also made from FVF codes. */
#ifndef D3DGPU_D3D9_DECLARATION_H
#define D3DGPU_D3D9_DECLARATION_H

#include "object.h"

#define DECLARATION_MAX_ELEMENTS 64

struct d3d9_declaration {
	struct d3d9_object object;
	HANDLE handle;			/* the driver's */
	DWORD fvf;			/* 0: made from elements */
	UINT count;			/* without the end */
	D3DVERTEXELEMENT9 elements[DECLARATION_MAX_ELEMENTS + 1]; /* with the end */
};

/* referenced: whether the program gets a reference (an FVF's declaration is the device's). */
HRESULT declaration_create(struct d3d9_device *device, const D3DVERTEXELEMENT9 *elements, DWORD fvf, bool referenced,
			   struct d3d9_declaration **out);
/* D3DERR_INVALIDCALL for a code that is none. */
HRESULT declaration_create_fvf(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **out);

#endif
