/* SPDX-License-Identifier: MIT */
/* ID3D11RasterizerState1. */
#include "d3d11_private.h"

#include <string.h>

static void STDMETHODCALLTYPE rasterizer_GetDesc1(ID3D11RasterizerState1 *iface, D3D11_RASTERIZER_DESC1 *desc)
{
	*desc = ((struct d3d11_state *)iface)->desc.rasterizer;
}

static void STDMETHODCALLTYPE rasterizer_GetDesc(ID3D11RasterizerState1 *iface, D3D11_RASTERIZER_DESC *desc)
{
	memcpy(desc, &((struct d3d11_state *)iface)->desc.rasterizer, sizeof(*desc));
}

static const ID3D11RasterizerState1Vtbl rasterizer_vtbl = {
	CHILD_METHODS(ID3D11RasterizerState1),
	.GetDesc = rasterizer_GetDesc,
	.GetDesc1 = rasterizer_GetDesc1,
};

D3D11_RASTERIZER_DESC1 rasterizer_default(void)
{
	return (D3D11_RASTERIZER_DESC1){
		.FillMode = D3D11_FILL_SOLID, .CullMode = D3D11_CULL_BACK, .DepthClipEnable = TRUE};
}

HRESULT rasterizer_create(struct d3d11_device *device, const D3D11_RASTERIZER_DESC1 *desc, ID3D11RasterizerState1 **out)
{
	D3D11_RASTERIZER_DESC1 normal;

	if (out)
		*out = NULL;
	if (!desc || (desc->FillMode != D3D11_FILL_WIREFRAME && desc->FillMode != D3D11_FILL_SOLID) ||
	    desc->CullMode < D3D11_CULL_NONE || desc->CullMode > D3D11_CULL_BACK)
		return E_INVALIDARG;
	if (!level_10(device) && !desc->DepthClipEnable)
		return E_INVALIDARG;
	/* The option is not offered: see D3D11_FEATURE_D3D11_OPTIONS. */
	if (desc->ForcedSampleCount)
		return E_INVALIDARG;
	normal = *desc;
	normal.FrontCounterClockwise = !!desc->FrontCounterClockwise;
	normal.DepthClipEnable = !!desc->DepthClipEnable;
	normal.ScissorEnable = !!desc->ScissorEnable;
	normal.MultisampleEnable = !!desc->MultisampleEnable;
	normal.AntialiasedLineEnable = !!desc->AntialiasedLineEnable;
	if (!out)
		return S_FALSE;
	return state_get(device, KIND_RASTERIZER, &rasterizer_vtbl, &normal, sizeof(normal),
			 (struct d3d11_state **)out);
}
