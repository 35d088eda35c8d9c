/* SPDX-License-Identifier: MIT */
/* ID3D11BlendState1. */
#include "d3d11_private.h"

#include <string.h>

static void STDMETHODCALLTYPE blend_GetDesc1(ID3D11BlendState1 *iface, D3D11_BLEND_DESC1 *desc)
{
	*desc = ((struct d3d11_state *)iface)->desc.blend;
}

static void STDMETHODCALLTYPE blend_GetDesc(ID3D11BlendState1 *iface, D3D11_BLEND_DESC *desc)
{
	const D3D11_BLEND_DESC1 *desc1 = &((struct d3d11_state *)iface)->desc.blend;

	desc->AlphaToCoverageEnable = desc1->AlphaToCoverageEnable;
	desc->IndependentBlendEnable = desc1->IndependentBlendEnable;
	for (unsigned i = 0; i < ARRAY_COUNT(desc->RenderTarget); i++) {
		const D3D11_RENDER_TARGET_BLEND_DESC1 *in = &desc1->RenderTarget[i];

		desc->RenderTarget[i] = (D3D11_RENDER_TARGET_BLEND_DESC){
			in->BlendEnable,   in->SrcBlend,       in->DestBlend,    in->BlendOp,
			in->SrcBlendAlpha, in->DestBlendAlpha, in->BlendOpAlpha, in->RenderTargetWriteMask,
		};
	}
}

static const ID3D11BlendState1Vtbl blend_vtbl = {
	CHILD_METHODS(ID3D11BlendState1),
	.GetDesc = blend_GetDesc,
	.GetDesc1 = blend_GetDesc1,
};

static D3D11_RENDER_TARGET_BLEND_DESC1 target_default(void)
{
	return (D3D11_RENDER_TARGET_BLEND_DESC1){
		.SrcBlend = D3D11_BLEND_ONE,
		.DestBlend = D3D11_BLEND_ZERO,
		.BlendOp = D3D11_BLEND_OP_ADD,
		.SrcBlendAlpha = D3D11_BLEND_ONE,
		.DestBlendAlpha = D3D11_BLEND_ZERO,
		.BlendOpAlpha = D3D11_BLEND_OP_ADD,
		.LogicOp = D3D11_LOGIC_OP_NOOP,
		.RenderTargetWriteMask = D3D11_COLOR_WRITE_ENABLE_ALL,
	};
}

D3D11_BLEND_DESC1 blend_default(void)
{
	D3D11_BLEND_DESC1 desc = {0};

	for (unsigned i = 0; i < ARRAY_COUNT(desc.RenderTarget); i++)
		desc.RenderTarget[i] = target_default();
	return desc;
}

static bool valid_factor(D3D11_BLEND factor, bool alpha)
{
	switch (factor) {
	case D3D11_BLEND_SRC_COLOR:
	case D3D11_BLEND_INV_SRC_COLOR:
	case D3D11_BLEND_DEST_COLOR:
	case D3D11_BLEND_INV_DEST_COLOR:
	case D3D11_BLEND_SRC1_COLOR:
	case D3D11_BLEND_INV_SRC1_COLOR:
		return !alpha;
	default:
		return factor >= D3D11_BLEND_ZERO && factor <= D3D11_BLEND_INV_SRC1_ALPHA &&
		       factor != (D3D11_BLEND)12 && factor != (D3D11_BLEND)13;
	}
}

static bool valid_op(D3D11_BLEND_OP op)
{
	return op >= D3D11_BLEND_OP_ADD && op <= D3D11_BLEND_OP_MAX;
}

static bool valid_target(const D3D11_RENDER_TARGET_BLEND_DESC1 *target)
{
	if (target->RenderTargetWriteMask > D3D11_COLOR_WRITE_ENABLE_ALL)
		return false;
	if (target->LogicOpEnable && (target->BlendEnable || target->LogicOp < D3D11_LOGIC_OP_CLEAR ||
				      target->LogicOp > D3D11_LOGIC_OP_OR_INVERTED))
		return false;
	return !target->BlendEnable ||
	       (valid_factor(target->SrcBlend, false) && valid_factor(target->DestBlend, false) &&
		valid_op(target->BlendOp) && valid_factor(target->SrcBlendAlpha, true) &&
		valid_factor(target->DestBlendAlpha, true) && valid_op(target->BlendOpAlpha));
}

/* What is switched off, and targets that follow target 0, get fixed values. */
static D3D11_BLEND_DESC1 normalise(const D3D11_BLEND_DESC1 *desc)
{
	D3D11_BLEND_DESC1 out;

	memset(&out, 0, sizeof(out));
	out.AlphaToCoverageEnable = !!desc->AlphaToCoverageEnable;
	out.IndependentBlendEnable = !!desc->IndependentBlendEnable;
	for (unsigned i = 0; i < ARRAY_COUNT(out.RenderTarget); i++) {
		const D3D11_RENDER_TARGET_BLEND_DESC1 *in = &desc->RenderTarget[desc->IndependentBlendEnable ? i : 0];
		D3D11_RENDER_TARGET_BLEND_DESC1 *target = &out.RenderTarget[i], fixed = target_default();

		target->BlendEnable = !!in->BlendEnable;
		target->LogicOpEnable = !!in->LogicOpEnable;
		target->SrcBlend = in->BlendEnable ? in->SrcBlend : fixed.SrcBlend;
		target->DestBlend = in->BlendEnable ? in->DestBlend : fixed.DestBlend;
		target->BlendOp = in->BlendEnable ? in->BlendOp : fixed.BlendOp;
		target->SrcBlendAlpha = in->BlendEnable ? in->SrcBlendAlpha : fixed.SrcBlendAlpha;
		target->DestBlendAlpha = in->BlendEnable ? in->DestBlendAlpha : fixed.DestBlendAlpha;
		target->BlendOpAlpha = in->BlendEnable ? in->BlendOpAlpha : fixed.BlendOpAlpha;
		target->LogicOp = in->LogicOpEnable ? in->LogicOp : fixed.LogicOp;
		target->RenderTargetWriteMask = in->RenderTargetWriteMask;
	}
	return out;
}

HRESULT blend_create(struct d3d11_device *device, const D3D11_BLEND_DESC1 *desc, ID3D11BlendState1 **out)
{
	D3D11_FEATURE_DATA_D3D11_OPTIONS options = {0};
	D3D11_BLEND_DESC1 normal;

	if (out)
		*out = NULL;
	if (!desc)
		return E_INVALIDARG;
	normal = normalise(desc);
	d3d11_check_feature(device, D3D11_FEATURE_D3D11_OPTIONS, &options, sizeof(options));
	for (unsigned i = 0; i < ARRAY_COUNT(normal.RenderTarget); i++) {
		if (!valid_target(&normal.RenderTarget[i]))
			return E_INVALIDARG;
		/* Logic operations are one for all targets. */
		if (normal.RenderTarget[i].LogicOpEnable &&
		    (!options.OutputMergerLogicOp || normal.IndependentBlendEnable))
			return E_INVALIDARG;
	}
	if (!out)
		return S_FALSE;
	return state_get(device, KIND_BLEND, &blend_vtbl, &normal, sizeof(normal), (struct d3d11_state **)out);
}
