/* SPDX-License-Identifier: MIT */
/*
 * Textures and samplers. A depth texture that compares (not INTZ) makes its sampler a comparison sampler and its unit a
 * shadow unit in the shader's key. ps_1_x takes the dimension of what it samples from the bound texture, by the key too.
 */
#include "d3d9_front.h"

#include <string.h>

static uint8_t wrap(UINT address)
{
	switch (address) {
	case D3DTADDRESS_MIRROR:
		return D3DGPU_WRAP_MIRROR_REPEAT;
	case D3DTADDRESS_CLAMP:
		return D3DGPU_WRAP_CLAMP_TO_EDGE;
	case D3DTADDRESS_BORDER:
		return D3DGPU_WRAP_CLAMP_TO_BORDER;
	case D3DTADDRESS_MIRRORONCE:
		return D3DGPU_WRAP_MIRROR_CLAMP_TO_EDGE;
	default:
		return D3DGPU_WRAP_REPEAT;
	}
}

static uint8_t image_filter(UINT filter)
{
	return filter >= D3DTEXF_LINEAR ? D3DGPU_FILTER_LINEAR : D3DGPU_FILTER_NEAREST;
}

static uint8_t mip_filter(UINT filter)
{
	return filter == D3DTEXF_NONE    ? D3DGPU_MIP_NONE
	       : filter == D3DTEXF_POINT ? D3DGPU_MIP_NEAREST
					 : D3DGPU_MIP_LINEAR;
}

static bool compares(const struct d3d9_resource *texture)
{
	return texture && (texture->format->flags & D3D9_FORMAT_DEPTH) &&
	       !(texture->format->flags & D3D9_FORMAT_RAW_DEPTH);
}

static enum shader_dimension dimension_of(const struct d3d9_resource *texture)
{
	return texture->flags.Volume ? SHADER_DIM_3D : texture->flags.CubeMap ? SHADER_DIM_CUBE : SHADER_DIM_2D;
}

static struct gpu_sampler *sampler_for(struct d3d9_device *dev, unsigned index)
{
	const UINT *stage = dev->stages[index];
	UINT border = stage[D3DDDITSS_BORDERCOLOR];
	struct gpu_sampler_desc desc = {
		.wrap_s = wrap(stage[D3DDDITSS_ADDRESSU]),
		.wrap_t = wrap(stage[D3DDDITSS_ADDRESSV]),
		.wrap_r = wrap(stage[D3DDDITSS_ADDRESSW]),
		.min_filter = image_filter(stage[D3DDDITSS_MINFILTER]),
		.mag_filter = image_filter(stage[D3DDDITSS_MAGFILTER]),
		.mip_filter = mip_filter(stage[D3DDDITSS_MIPFILTER]),
		.min_lod = (float)stage[D3DDDITSS_MAXMIPLEVEL],
		.max_lod = 15.0f,
		.border = {(float)(border >> 16 & 0xff) / 255.0f, (float)(border >> 8 & 0xff) / 255.0f,
			   (float)(border & 0xff) / 255.0f, (float)(border >> 24) / 255.0f},
	};

	memcpy(&desc.lod_bias, &stage[D3DDDITSS_MIPMAPLODBIAS], sizeof(desc.lod_bias));
	if (stage[D3DDDITSS_MINFILTER] == D3DTEXF_ANISOTROPIC)
		desc.max_anisotropy = (uint8_t)stage[D3DDDITSS_MAXANISOTROPY];
	if (compares(dev->textures[index])) {
		desc.compare = true;
		desc.compare_func = D3DGPU_COMPARE_LESS_EQUAL;
	}
	return gpu_sampler_get(dev->gpu, &desc);
}

static enum shader_stage stage_of(unsigned index, unsigned *reg)
{
	*reg = index < D3D9_PIXEL_SAMPLERS ? index : index - D3D9_PIXEL_SAMPLERS;
	return index < D3D9_PIXEL_SAMPLERS ? SHADER_PIXEL : SHADER_VERTEX;
}

HRESULT d3d9_update_samplers(struct d3d9_device *dev)
{
	uint32_t pending = dev->dirty_samplers | dev->dirty_textures;

	while (pending) {
		unsigned index = (unsigned)__builtin_ctz(pending), reg;
		enum shader_stage stage = stage_of(index, &reg);
		struct d3d9_resource *texture = dev->textures[index];

		pending &= pending - 1;
		if (!texture) {
			gpu_set_texture(dev->gpu, stage, reg, NULL);
			continue;	/* the sampler stays pending until there is something to sample */
		}
		gpu_set_texture(dev->gpu, stage, reg,
				d3d9_view(dev, texture, dev->stages[index][D3DDDITSS_SRGBTEXTURE]));
		gpu_set_sampler(dev->gpu, stage, reg, sampler_for(dev, index));
		dev->dirty_samplers &= ~(1u << index);
	}
	dev->dirty_textures = 0;
	return S_OK;
}

/* ---- entries ---- */

/* Sampler index of a DDI stage number, or -1 (the displacement map's, which this driver does not have). */
static int sampler_index(UINT stage)
{
	if (stage < D3D9_PIXEL_SAMPLERS)
		return (int)stage;
	if (stage >= D3DVERTEXTEXTURESAMPLER0 && stage <= D3DVERTEXTEXTURESAMPLER3)
		return (int)(D3D9_PIXEL_SAMPLERS + stage - D3DVERTEXTEXTURESAMPLER0);
	return -1;
}

static HRESULT set_texture_stage_state(HANDLE hDevice, const D3DDDIARG_TEXTURESTAGESTATE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	int index = sampler_index(args->Stage);

	if (index < 0 || args->State >= D3D9_STAGE_STATES)
		return S_OK;
	dev->stages[index][args->State] = args->Value;
	switch (args->State) {
	case D3DDDITSS_SRGBTEXTURE:
		dev->dirty_textures |= 1u << index;
		break;
	case D3DDDITSS_TEXTURETRANSFORMFLAGS:
		dev->dirty |= D3D9_DIRTY_KEYS;
		break;
	case D3DDDITSS_BUMPENVMAT00:
	case D3DDDITSS_BUMPENVMAT01:
	case D3DDDITSS_BUMPENVMAT10:
	case D3DDDITSS_BUMPENVMAT11:
	case D3DDDITSS_BUMPENVLSCALE:
	case D3DDDITSS_BUMPENVLOFFSET:
		dev->dirty |= D3D9_DIRTY_BUMP;
		break;
	default:
		dev->dirty_samplers |= 1u << index;
		break;
	}
	return S_OK;
}

static HRESULT set_texture(HANDLE hDevice, UINT stage, HANDLE hTexture)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_resource *texture = hTexture;
	int index = sampler_index(stage);
	uint32_t bit;

	if (index < 0)
		return S_OK;
	bit = 1u << index;
	dev->textures[index] = texture;
	dev->dirty_textures |= bit;
	if (index < D3D9_PIXEL_SAMPLERS && compares(texture) != ((dev->shadow_samplers & bit) != 0)) {
		dev->shadow_samplers ^= bit;
		dev->dirty_samplers |= bit;
		dev->dirty |= D3D9_DIRTY_KEYS;
	}
	if (index < D3D9_PS1_STAGES) {
		uint8_t dimension = texture ? (uint8_t)dimension_of(texture) : 0;

		if (dev->dimensions[index] != dimension)
			dev->dirty |= D3D9_DIRTY_KEYS;
		dev->dimensions[index] = dimension;
	}
	return S_OK;
}

void d3d9_sampler_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnSetTextureStageState = set_texture_stage_state;
	table->pfnSetTexture = set_texture;
}
