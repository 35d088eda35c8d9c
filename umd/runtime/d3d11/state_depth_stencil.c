/* SPDX-License-Identifier: MIT */
/* ID3D11DepthStencilState. */
#include "d3d11_private.h"

#include <string.h>

static void STDMETHODCALLTYPE depth_stencil_GetDesc(ID3D11DepthStencilState *iface, D3D11_DEPTH_STENCIL_DESC *desc)
{
	*desc = ((struct d3d11_state *)iface)->desc.depth_stencil;
}

static const ID3D11DepthStencilStateVtbl depth_stencil_vtbl = {
	CHILD_METHODS(ID3D11DepthStencilState),
	.GetDesc = depth_stencil_GetDesc,
};

D3D11_DEPTH_STENCIL_DESC depth_stencil_default(void)
{
	const D3D11_DEPTH_STENCILOP_DESC face = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
						 D3D11_COMPARISON_ALWAYS};
	D3D11_DEPTH_STENCIL_DESC desc;

	memset(&desc, 0, sizeof(desc));
	desc.DepthEnable = TRUE;
	desc.DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL;
	desc.DepthFunc = D3D11_COMPARISON_LESS;
	desc.StencilReadMask = D3D11_DEFAULT_STENCIL_READ_MASK;
	desc.StencilWriteMask = D3D11_DEFAULT_STENCIL_WRITE_MASK;
	desc.FrontFace = desc.BackFace = face;
	return desc;
}

static bool valid_stencil_op(D3D11_STENCIL_OP op)
{
	return op >= D3D11_STENCIL_OP_KEEP && op <= D3D11_STENCIL_OP_DECR;
}

static bool valid_face(const D3D11_DEPTH_STENCILOP_DESC *face)
{
	return valid_stencil_op(face->StencilFailOp) && valid_stencil_op(face->StencilDepthFailOp) &&
	       valid_stencil_op(face->StencilPassOp) && valid_comparison(face->StencilFunc);
}

/* Tests that are off have the default's values. */
static D3D11_DEPTH_STENCIL_DESC normalise(const D3D11_DEPTH_STENCIL_DESC *desc)
{
	D3D11_DEPTH_STENCIL_DESC out = depth_stencil_default();

	out.DepthEnable = !!desc->DepthEnable;
	if (desc->DepthEnable) {
		out.DepthWriteMask = desc->DepthWriteMask;
		out.DepthFunc = desc->DepthFunc;
	}
	out.StencilEnable = !!desc->StencilEnable;
	if (desc->StencilEnable) {
		out.StencilReadMask = desc->StencilReadMask;
		out.StencilWriteMask = desc->StencilWriteMask;
		out.FrontFace = desc->FrontFace;
		out.BackFace = desc->BackFace;
	}
	return out;
}

HRESULT depth_stencil_create(struct d3d11_device *device, const D3D11_DEPTH_STENCIL_DESC *desc,
			     ID3D11DepthStencilState **out)
{
	D3D11_DEPTH_STENCIL_DESC normal;

	if (out)
		*out = NULL;
	if (!desc)
		return E_INVALIDARG;
	normal = normalise(desc);
	if ((unsigned)normal.DepthWriteMask > D3D11_DEPTH_WRITE_MASK_ALL || !valid_comparison(normal.DepthFunc) ||
	    !valid_face(&normal.FrontFace) || !valid_face(&normal.BackFace))
		return E_INVALIDARG;
	if (!out)
		return S_FALSE;
	return state_get(device, KIND_DEPTH_STENCIL, &depth_stencil_vtbl, &normal, sizeof(normal),
			 (struct d3d11_state **)out);
}
