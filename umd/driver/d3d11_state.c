/* SPDX-License-Identifier: MIT */
/* State objects: blend, depth-stencil, rasterizer, sampler. Translated once, at creation. */
#include <string.h>

#include "d3d11_front.h"

/* ---- blend ---- */

static uint8_t blend_factor(D3D10_DDI_BLEND factor)
{
	static const uint8_t map[] = {
		[D3D10_DDI_BLEND_ZERO] = D3DGPU_FACTOR_ZERO,
		[D3D10_DDI_BLEND_ONE] = D3DGPU_FACTOR_ONE,
		[D3D10_DDI_BLEND_SRC_COLOR] = D3DGPU_FACTOR_SRC_COLOR,
		[D3D10_DDI_BLEND_INV_SRC_COLOR] = D3DGPU_FACTOR_INV_SRC_COLOR,
		[D3D10_DDI_BLEND_SRC_ALPHA] = D3DGPU_FACTOR_SRC_ALPHA,
		[D3D10_DDI_BLEND_INV_SRC_ALPHA] = D3DGPU_FACTOR_INV_SRC_ALPHA,
		[D3D10_DDI_BLEND_DEST_ALPHA] = D3DGPU_FACTOR_DST_ALPHA,
		[D3D10_DDI_BLEND_INV_DEST_ALPHA] = D3DGPU_FACTOR_INV_DST_ALPHA,
		[D3D10_DDI_BLEND_DEST_COLOR] = D3DGPU_FACTOR_DST_COLOR,
		[D3D10_DDI_BLEND_INV_DEST_COLOR] = D3DGPU_FACTOR_INV_DST_COLOR,
		[D3D10_DDI_BLEND_SRC_ALPHASAT] = D3DGPU_FACTOR_SRC_ALPHA_SATURATE,
		[D3D10_DDI_BLEND_BLEND_FACTOR] = D3DGPU_FACTOR_CONST_COLOR,
		[D3D10_DDI_BLEND_INVBLEND_FACTOR] = D3DGPU_FACTOR_INV_CONST_COLOR,
		[D3D10_DDI_BLEND_SRC1_COLOR] = D3DGPU_FACTOR_SRC1_COLOR,
		[D3D10_DDI_BLEND_INV_SRC1_COLOR] = D3DGPU_FACTOR_INV_SRC1_COLOR,
		[D3D10_DDI_BLEND_SRC1_ALPHA] = D3DGPU_FACTOR_SRC1_ALPHA,
		[D3D10_DDI_BLEND_INV_SRC1_ALPHA] = D3DGPU_FACTOR_INV_SRC1_ALPHA,
	};

	return map[factor];
}

static uint8_t logic_op(D3D11_1_DDI_LOGIC_OP op)
{
	static const uint8_t map[] = {
		[D3D11_1_DDI_LOGIC_OP_CLEAR] = D3DGPU_LOGIC_CLEAR,
		[D3D11_1_DDI_LOGIC_OP_SET] = D3DGPU_LOGIC_SET,
		[D3D11_1_DDI_LOGIC_OP_COPY] = D3DGPU_LOGIC_COPY,
		[D3D11_1_DDI_LOGIC_OP_COPY_INVERTED] = D3DGPU_LOGIC_COPY_INVERTED,
		[D3D11_1_DDI_LOGIC_OP_NOOP] = D3DGPU_LOGIC_NOOP,
		[D3D11_1_DDI_LOGIC_OP_INVERT] = D3DGPU_LOGIC_INVERT,
		[D3D11_1_DDI_LOGIC_OP_AND] = D3DGPU_LOGIC_AND,
		[D3D11_1_DDI_LOGIC_OP_NAND] = D3DGPU_LOGIC_NAND,
		[D3D11_1_DDI_LOGIC_OP_OR] = D3DGPU_LOGIC_OR,
		[D3D11_1_DDI_LOGIC_OP_NOR] = D3DGPU_LOGIC_NOR,
		[D3D11_1_DDI_LOGIC_OP_XOR] = D3DGPU_LOGIC_XOR,
		[D3D11_1_DDI_LOGIC_OP_EQUIV] = D3DGPU_LOGIC_EQUIV,
		[D3D11_1_DDI_LOGIC_OP_AND_REVERSE] = D3DGPU_LOGIC_AND_REVERSE,
		[D3D11_1_DDI_LOGIC_OP_AND_INVERTED] = D3DGPU_LOGIC_AND_INVERTED,
		[D3D11_1_DDI_LOGIC_OP_OR_REVERSE] = D3DGPU_LOGIC_OR_REVERSE,
		[D3D11_1_DDI_LOGIC_OP_OR_INVERTED] = D3DGPU_LOGIC_OR_INVERTED,
	};

	return map[op];
}

/* Blend functions and comparisons of the device are Direct3D's number - 1. */
static struct gpu_blend_target blend_target(const D3D11_1_DDI_RENDER_TARGET_BLEND_DESC *desc)
{
	struct gpu_blend_target target = {.write_mask = desc->RenderTargetWriteMask};

	_Static_assert(D3DGPU_BLEND_ADD == D3D10_DDI_BLEND_OP_ADD - 1 && D3DGPU_BLEND_MAX == D3D10_DDI_BLEND_OP_MAX - 1,
		       "blend functions");
	if (!desc->BlendEnable)
		return target;
	target.enable = true;
	target.rgb_func = (uint8_t)(desc->BlendOp - 1);
	target.rgb_src = blend_factor(desc->SrcBlend);
	target.rgb_dst = blend_factor(desc->DestBlend);
	target.alpha_func = (uint8_t)(desc->BlendOpAlpha - 1);
	target.alpha_src = blend_factor(desc->SrcBlendAlpha);
	target.alpha_dst = blend_factor(desc->DestBlendAlpha);
	return target;
}

static SIZE_T calc_blend_size(D3D10DDI_HDEVICE hDevice, const D3D11_1_DDI_BLEND_DESC *desc)
{
	return sizeof(struct d3d11_blend);
}

static void create_blend(D3D10DDI_HDEVICE hDevice, const D3D11_1_DDI_BLEND_DESC *desc, D3D10DDI_HBLENDSTATE hState,
			 D3D10DDI_HRTBLENDSTATE hRTState)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_blend *blend = hState.pDrvPrivate;
	struct gpu_blend_desc gpu = {
		.independent = desc->IndependentBlendEnable,
		.alpha_to_coverage = desc->AlphaToCoverageEnable,
		.logic_op_enable = desc->RenderTarget[0].LogicOpEnable,
		.logic_op = logic_op(desc->RenderTarget[0].LogicOp),
	};

	for (unsigned i = 0; i < GPU_MAX_RENDER_TARGETS; i++)
		gpu.targets[i] = blend_target(&desc->RenderTarget[desc->IndependentBlendEnable ? i : 0]);
	d3d11_check(dev, gpu_blend_create(dev->gpu, &gpu, &blend->gpu));
}

static void destroy_blend(D3D10DDI_HDEVICE hDevice, D3D10DDI_HBLENDSTATE hState)
{
	gpu_blend_destroy(d3d11_device(hDevice)->gpu, ((struct d3d11_blend *)hState.pDrvPrivate)->gpu);
}

static void set_blend(D3D10DDI_HDEVICE hDevice, D3D10DDI_HBLENDSTATE hState, const FLOAT pBlendFactor[4],
		      UINT SampleMask)
{
	struct d3d11_blend *blend = hState.pDrvPrivate;

	gpu_set_blend(d3d11_device(hDevice)->gpu, blend->gpu, pBlendFactor, SampleMask);
}

/* ---- depth-stencil ---- */

static uint8_t stencil_op(D3D10_DDI_STENCIL_OP op)
{
	static const uint8_t map[] = {
		[D3D10_DDI_STENCIL_OP_KEEP] = D3DGPU_STENCIL_KEEP,
		[D3D10_DDI_STENCIL_OP_ZERO] = D3DGPU_STENCIL_ZERO,
		[D3D10_DDI_STENCIL_OP_REPLACE] = D3DGPU_STENCIL_REPLACE,
		[D3D10_DDI_STENCIL_OP_INCR_SAT] = D3DGPU_STENCIL_INCR_SAT,
		[D3D10_DDI_STENCIL_OP_DECR_SAT] = D3DGPU_STENCIL_DECR_SAT,
		[D3D10_DDI_STENCIL_OP_INVERT] = D3DGPU_STENCIL_INVERT,
		[D3D10_DDI_STENCIL_OP_INCR] = D3DGPU_STENCIL_INCR,
		[D3D10_DDI_STENCIL_OP_DECR] = D3DGPU_STENCIL_DECR,
	};

	return map[op];
}

static struct gpu_stencil_face stencil_face(const D3D10_DDI_DEPTH_STENCIL_DESC *desc,
					    const D3D10_DDI_DEPTH_STENCILOP_DESC *face)
{
	return (struct gpu_stencil_face){
		.func = (uint8_t)(face->StencilFunc - 1),
		.fail_op = stencil_op(face->StencilFailOp),
		.zpass_op = stencil_op(face->StencilPassOp),
		.zfail_op = stencil_op(face->StencilDepthFailOp),
		.read_mask = desc->StencilReadMask,
		.write_mask = desc->StencilWriteMask,
	};
}

static SIZE_T calc_depth_stencil_size(D3D10DDI_HDEVICE hDevice, const D3D10_DDI_DEPTH_STENCIL_DESC *desc)
{
	return sizeof(struct d3d11_depth_stencil);
}

static void create_depth_stencil(D3D10DDI_HDEVICE hDevice, const D3D10_DDI_DEPTH_STENCIL_DESC *desc,
				 D3D10DDI_HDEPTHSTENCILSTATE hState, D3D10DDI_HRTDEPTHSTENCILSTATE hRTState)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_depth_stencil *state = hState.pDrvPrivate;
	struct gpu_depth_stencil_desc gpu = {0};

	if (desc->DepthEnable) {
		gpu.depth_test = true;
		gpu.depth_write = desc->DepthWriteMask == D3D10_DDI_DEPTH_WRITE_MASK_ALL;
		gpu.depth_func = (uint8_t)(desc->DepthFunc - 1);
	}
	if (desc->StencilEnable) {
		gpu.stencil = gpu.two_sided = true;
		gpu.front = stencil_face(desc, &desc->FrontFace);
		gpu.back = stencil_face(desc, &desc->BackFace);
	}
	d3d11_check(dev, gpu_depth_stencil_create(dev->gpu, &gpu, &state->gpu));
}

static void destroy_depth_stencil(D3D10DDI_HDEVICE hDevice, D3D10DDI_HDEPTHSTENCILSTATE hState)
{
	gpu_depth_stencil_destroy(d3d11_device(hDevice)->gpu, ((struct d3d11_depth_stencil *)hState.pDrvPrivate)->gpu);
}

static void set_depth_stencil(D3D10DDI_HDEVICE hDevice, D3D10DDI_HDEPTHSTENCILSTATE hState, UINT StencilRef)
{
	struct d3d11_depth_stencil *state = hState.pDrvPrivate;

	gpu_set_depth_stencil(d3d11_device(hDevice)->gpu, state->gpu, (uint8_t)StencilRef, (uint8_t)StencilRef);
}

/* ---- rasterizer: the device object also depends on the vertex shader's clip planes, see d3d11_input_prepare ---- */

static SIZE_T calc_rasterizer_size(D3D10DDI_HDEVICE hDevice, const D3D11_1_DDI_RASTERIZER_DESC *desc)
{
	return sizeof(struct d3d11_rasterizer);
}

static void create_rasterizer(D3D10DDI_HDEVICE hDevice, const D3D11_1_DDI_RASTERIZER_DESC *desc,
			      D3D10DDI_HRASTERIZERSTATE hState, D3D10DDI_HRTRASTERIZERSTATE hRTState)
{
	static const uint8_t cull[] = {
		[D3D10_DDI_CULL_NONE] = D3DGPU_CULL_NONE,
		[D3D10_DDI_CULL_FRONT] = D3DGPU_CULL_FRONT,
		[D3D10_DDI_CULL_BACK] = D3DGPU_CULL_BACK,
	};
	struct d3d11_rasterizer *state = hState.pDrvPrivate;

	state->desc = (struct gpu_rasterizer_desc){
		.cull = cull[desc->CullMode],
		.fill = desc->FillMode == D3D10_DDI_FILL_WIREFRAME ? D3DGPU_FILL_LINE : D3DGPU_FILL_SOLID,
		.front_ccw = desc->FrontCounterClockwise,
		.scissor = desc->ScissorEnable,
		.depth_clip = desc->DepthClipEnable,
		/* From level 10 on, a multisampled target is always rasterised as such; MultisampleEnable is about
		   lines. */
		.multisample = true,
		.line_smooth = desc->AntialiasedLineEnable && !desc->MultisampleEnable,
		.depth_bias_units = (float)desc->DepthBias,
		.depth_bias_slope = desc->SlopeScaledDepthBias,
		.depth_bias_clamp = desc->DepthBiasClamp,
		.point_size = 1.0f,
	};
}

static void destroy_rasterizer(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRASTERIZERSTATE hState)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	if (dev->rasterizer == hState.pDrvPrivate)
		dev->rasterizer = NULL;
}

static void set_rasterizer(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRASTERIZERSTATE hState)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	dev->rasterizer = hState.pDrvPrivate;
	dev->dirty |= D3D11_DIRTY_RASTERIZER;
}

/* ---- samplers ---- */

static uint8_t wrap_mode(D3D10_DDI_TEXTURE_ADDRESS_MODE mode)
{
	static const uint8_t map[] = {
		[D3D10_DDI_TEXTURE_ADDRESS_WRAP] = D3DGPU_WRAP_REPEAT,
		[D3D10_DDI_TEXTURE_ADDRESS_MIRROR] = D3DGPU_WRAP_MIRROR_REPEAT,
		[D3D10_DDI_TEXTURE_ADDRESS_CLAMP] = D3DGPU_WRAP_CLAMP_TO_EDGE,
		[D3D10_DDI_TEXTURE_ADDRESS_BORDER] = D3DGPU_WRAP_CLAMP_TO_BORDER,
		[D3D10_DDI_TEXTURE_ADDRESS_MIRRORONCE] = D3DGPU_WRAP_MIRROR_CLAMP_TO_EDGE,
	};

	return map[mode];
}

static uint8_t linear_if(D3D10_DDI_FILTER filter, UINT bit)
{
	return filter & bit ? D3DGPU_FILTER_LINEAR : D3DGPU_FILTER_NEAREST;
}

static SIZE_T calc_sampler_size(D3D10DDI_HDEVICE hDevice, const D3D10_DDI_SAMPLER_DESC *desc)
{
	return sizeof(struct d3d11_sampler);
}

static void create_sampler(D3D10DDI_HDEVICE hDevice, const D3D10_DDI_SAMPLER_DESC *desc, D3D10DDI_HSAMPLER hSampler,
			   D3D10DDI_HRTSAMPLER hRTSampler)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_sampler *sampler = hSampler.pDrvPrivate;
	struct gpu_sampler_desc gpu = {
		.wrap_s = wrap_mode(desc->AddressU),
		.wrap_t = wrap_mode(desc->AddressV),
		.wrap_r = wrap_mode(desc->AddressW),
		.min_filter = linear_if(desc->Filter, D3D10_DDI_FILTER_MIN_LINEAR),
		.mag_filter = linear_if(desc->Filter, D3D10_DDI_FILTER_MAG_LINEAR),
		.mip_filter = desc->Filter & D3D10_DDI_FILTER_MIP_LINEAR ? D3DGPU_MIP_LINEAR : D3DGPU_MIP_NEAREST,
		.seamless_cube = true,
		.lod_bias = desc->MipLODBias,
		.min_lod = desc->MinLOD < 0 ? 0 : desc->MinLOD,
		.max_lod = desc->MaxLOD < 0 ? 0 : desc->MaxLOD,
	};

	if (desc->Filter & D3D10_DDI_FILTER_ANISOTROPIC_BIT)
		gpu.max_anisotropy = (uint8_t)desc->MaxAnisotropy;
	if (desc->Filter & D3D10_DDI_FILTER_COMPARISON_BIT) {
		gpu.compare = true;
		gpu.compare_func = (uint8_t)(desc->ComparisonFunc - 1);
	}
	memcpy(gpu.border, desc->BorderColor, sizeof(gpu.border));
	d3d11_check(dev, gpu_sampler_create(dev->gpu, &gpu, &sampler->gpu));
}

static void destroy_sampler(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSAMPLER hSampler)
{
	gpu_sampler_destroy(d3d11_device(hDevice)->gpu, ((struct d3d11_sampler *)hSampler.pDrvPrivate)->gpu);
}

void d3d11_state_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateBlendStateSize = calc_blend_size;
	table->pfnCreateBlendState = create_blend;
	table->pfnDestroyBlendState = destroy_blend;
	table->pfnSetBlendState = set_blend;
	table->pfnCalcPrivateDepthStencilStateSize = calc_depth_stencil_size;
	table->pfnCreateDepthStencilState = create_depth_stencil;
	table->pfnDestroyDepthStencilState = destroy_depth_stencil;
	table->pfnSetDepthStencilState = set_depth_stencil;
	table->pfnCalcPrivateRasterizerStateSize = calc_rasterizer_size;
	table->pfnCreateRasterizerState = create_rasterizer;
	table->pfnDestroyRasterizerState = destroy_rasterizer;
	table->pfnSetRasterizerState = set_rasterizer;
	table->pfnCalcPrivateSamplerSize = calc_sampler_size;
	table->pfnCreateSampler = create_sampler;
	table->pfnDestroySampler = destroy_sampler;
}
