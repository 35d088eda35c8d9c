/* SPDX-License-Identifier: MIT */
/* ID3D11SamplerState. */
#include "d3d11_private.h"

#include <float.h>
#include <string.h>

#define POINT_OR_LINEAR 0x15 /* D3D11_FILTER: the three filters' linear bits */
#define ANISOTROPIC 0x55
#define COMPARISON 0x80
#define LOD_BIAS_MIN -16.0f
#define LOD_BIAS_MAX 15.99f

static void STDMETHODCALLTYPE sampler_GetDesc(ID3D11SamplerState *iface, D3D11_SAMPLER_DESC *desc)
{
	*desc = ((struct d3d11_state *)iface)->desc.sampler;
}

static const ID3D11SamplerStateVtbl sampler_vtbl = {
	CHILD_METHODS(ID3D11SamplerState),
	.GetDesc = sampler_GetDesc,
};

D3D11_SAMPLER_DESC sampler_default(void)
{
	D3D11_SAMPLER_DESC desc;

	memset(&desc, 0, sizeof(desc));
	desc.Filter = D3D11_FILTER_MIN_MAG_MIP_LINEAR;
	desc.AddressU = desc.AddressV = desc.AddressW = D3D11_TEXTURE_ADDRESS_CLAMP;
	desc.ComparisonFunc = D3D11_COMPARISON_NEVER;
	desc.MinLOD = -FLT_MAX;
	desc.MaxLOD = FLT_MAX;
	return desc;
}

/* Minimum and maximum filters come with level 11_1's tiled resources, which are not there. */
static bool valid_filter(UINT filter)
{
	filter &= ~(UINT)COMPARISON;
	return filter == ANISOTROPIC || !(filter & ~(UINT)POINT_OR_LINEAR);
}

static bool is_comparison(const D3D11_SAMPLER_DESC *desc)
{
	return desc->Filter & COMPARISON;
}

static bool valid_address(struct d3d11_device *device, const D3D11_SAMPLER_DESC *desc, D3D11_TEXTURE_ADDRESS_MODE mode)
{
	if (mode < D3D11_TEXTURE_ADDRESS_WRAP || mode > D3D11_TEXTURE_ADDRESS_MIRROR_ONCE)
		return false;
	if (mode == D3D11_TEXTURE_ADDRESS_MIRROR_ONCE)
		return device->level >= D3D_FEATURE_LEVEL_9_2;
	/* The shadow option brings the border to levels 9_1 and 9_2, for comparison. */
	if (mode == D3D11_TEXTURE_ADDRESS_BORDER)
		return device->level >= D3D_FEATURE_LEVEL_9_3 || (device->options.shadow && is_comparison(desc));
	return true;
}

static bool valid_comparison_filter(struct d3d11_device *device, const D3D11_SAMPLER_DESC *desc)
{
	if (!is_comparison(desc))
		return true;
	if (!valid_comparison(desc->ComparisonFunc))
		return false;
	return level_10(device) || (device->options.shadow && desc->ComparisonFunc == D3D11_COMPARISON_LESS_EQUAL &&
				    (desc->Filter & ANISOTROPIC) != ANISOTROPIC);
}

static bool valid_anisotropy(struct d3d11_device *device, const D3D11_SAMPLER_DESC *desc)
{
	UINT most = device->level >= D3D_FEATURE_LEVEL_9_2 ? D3D11_MAX_MAXANISOTROPY : 2;

	return (desc->Filter & ANISOTROPIC) != ANISOTROPIC || (desc->MaxAnisotropy && desc->MaxAnisotropy <= most);
}

static D3D11_SAMPLER_DESC normalise(const D3D11_SAMPLER_DESC *desc)
{
	D3D11_SAMPLER_DESC out = *desc;

	if ((desc->Filter & ANISOTROPIC) != ANISOTROPIC)
		out.MaxAnisotropy = 0;
	if (!is_comparison(desc))
		out.ComparisonFunc = D3D11_COMPARISON_NEVER;
	if (desc->AddressU != D3D11_TEXTURE_ADDRESS_BORDER && desc->AddressV != D3D11_TEXTURE_ADDRESS_BORDER &&
	    desc->AddressW != D3D11_TEXTURE_ADDRESS_BORDER)
		memset(out.BorderColor, 0, sizeof(out.BorderColor));
	return out;
}

HRESULT sampler_create(struct d3d11_device *device, const D3D11_SAMPLER_DESC *desc, ID3D11SamplerState **out)
{
	D3D11_SAMPLER_DESC normal;

	if (out)
		*out = NULL;
	if (!desc || !valid_filter(desc->Filter) || !valid_address(device, desc, desc->AddressU) ||
	    !valid_address(device, desc, desc->AddressV) || !valid_address(device, desc, desc->AddressW) ||
	    !valid_comparison_filter(device, desc) || !valid_anisotropy(device, desc))
		return E_INVALIDARG;
	if (!(desc->MipLODBias >= LOD_BIAS_MIN && desc->MipLODBias <= LOD_BIAS_MAX))
		return E_INVALIDARG;
	/* Levels 9_x cannot clamp from above. */
	if (!level_10(device) && desc->MaxLOD != FLT_MAX)
		return E_INVALIDARG;
	normal = normalise(desc);
	if (!out)
		return S_FALSE;
	return state_get(device, KIND_SAMPLER, &sampler_vtbl, &normal, sizeof(normal), (struct d3d11_state **)out);
}
