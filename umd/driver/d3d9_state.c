/* SPDX-License-Identifier: MIT */
/* Render states, targets, viewport, scissor and clip planes: stored as they come, derived before a draw. */
#include "d3d9_front.h"

#include <string.h>

static float as_float(UINT bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* ---- blend ---- */

static uint8_t blend_factor(UINT factor, bool alpha)
{
	switch (factor) {
	case D3DBLEND_ZERO:
		return D3DGPU_FACTOR_ZERO;
	case D3DBLEND_SRCCOLOR:
		return alpha ? D3DGPU_FACTOR_SRC_ALPHA : D3DGPU_FACTOR_SRC_COLOR;
	case D3DBLEND_INVSRCCOLOR:
		return alpha ? D3DGPU_FACTOR_INV_SRC_ALPHA : D3DGPU_FACTOR_INV_SRC_COLOR;
	case D3DBLEND_SRCALPHA:
		return D3DGPU_FACTOR_SRC_ALPHA;
	case D3DBLEND_INVSRCALPHA:
		return D3DGPU_FACTOR_INV_SRC_ALPHA;
	case D3DBLEND_DESTALPHA:
		return D3DGPU_FACTOR_DST_ALPHA;
	case D3DBLEND_INVDESTALPHA:
		return D3DGPU_FACTOR_INV_DST_ALPHA;
	case D3DBLEND_DESTCOLOR:
		return alpha ? D3DGPU_FACTOR_DST_ALPHA : D3DGPU_FACTOR_DST_COLOR;
	case D3DBLEND_INVDESTCOLOR:
		return alpha ? D3DGPU_FACTOR_INV_DST_ALPHA : D3DGPU_FACTOR_INV_DST_COLOR;
	case D3DBLEND_SRCALPHASAT:
		return D3DGPU_FACTOR_SRC_ALPHA_SATURATE;
	case D3DBLEND_BLENDFACTOR:
		return alpha ? D3DGPU_FACTOR_CONST_ALPHA : D3DGPU_FACTOR_CONST_COLOR;
	case D3DBLEND_INVBLENDFACTOR:
		return alpha ? D3DGPU_FACTOR_INV_CONST_ALPHA : D3DGPU_FACTOR_INV_CONST_COLOR;
	default:
		return D3DGPU_FACTOR_ONE;
	}
}

static uint8_t blend_func(UINT op)
{
	return op >= D3DBLENDOP_ADD && op <= D3DBLENDOP_MAX ? (uint8_t)(op - 1) : D3DGPU_BLEND_ADD;
}

/* BOTHSRCALPHA and BOTHINVSRCALPHA as source set both factors. */
static void blend_pair(UINT src, UINT dst, bool alpha, uint8_t *src_out, uint8_t *dst_out)
{
	if (src == D3DBLEND_BOTHSRCALPHA) {
		src = D3DBLEND_SRCALPHA;
		dst = D3DBLEND_INVSRCALPHA;
	} else if (src == D3DBLEND_BOTHINVSRCALPHA) {
		src = D3DBLEND_INVSRCALPHA;
		dst = D3DBLEND_SRCALPHA;
	}
	*src_out = blend_factor(src, alpha);
	*dst_out = blend_factor(dst, alpha);
}

static void update_blend(struct d3d9_device *dev)
{
	static const D3DRENDERSTATETYPE masks[D3D9_TARGETS] = {D3DRS_COLORWRITEENABLE, D3DRS_COLORWRITEENABLE1,
							       D3DRS_COLORWRITEENABLE2, D3DRS_COLORWRITEENABLE3};
	const UINT *states = dev->states;
	bool separate = states[D3DRS_SEPARATEALPHABLENDENABLE];
	struct gpu_blend_desc desc = {.dither = states[D3DRS_DITHERENABLE]};
	struct gpu_blend_target target = {.enable = states[D3DRS_ALPHABLENDENABLE]};
	UINT factor = states[D3DRS_BLENDFACTOR];
	const float color[4] = {(float)(factor >> 16 & 0xff) / 255.0f, (float)(factor >> 8 & 0xff) / 255.0f,
				(float)(factor & 0xff) / 255.0f, (float)(factor >> 24) / 255.0f};
	bool multisampled = dev->targets[0].resource && dev->targets[0].resource->samples > 1;

	if (target.enable) {
		blend_pair(states[D3DRS_SRCBLEND], states[D3DRS_DESTBLEND], false, &target.rgb_src, &target.rgb_dst);
		target.rgb_func = blend_func(states[D3DRS_BLENDOP]);
		blend_pair(states[separate ? D3DRS_SRCBLENDALPHA : D3DRS_SRCBLEND],
			   states[separate ? D3DRS_DESTBLENDALPHA : D3DRS_DESTBLEND], true, &target.alpha_src,
			   &target.alpha_dst);
		target.alpha_func = blend_func(states[separate ? D3DRS_BLENDOPALPHA : D3DRS_BLENDOP]);
	} else {
		target.rgb_src = target.alpha_src = D3DGPU_FACTOR_ONE;
		target.rgb_dst = target.alpha_dst = D3DGPU_FACTOR_ZERO;
	}
	for (unsigned i = 0; i < GPU_MAX_RENDER_TARGETS; i++) {
		desc.targets[i] = target;
		desc.targets[i].write_mask = states[masks[i < D3D9_TARGETS ? i : 0]] & D3DGPU_MASK_RGBA;
		desc.independent |= desc.targets[i].write_mask != desc.targets[0].write_mask;
	}
	gpu_set_blend(dev->gpu, gpu_blend_get(dev->gpu, &desc), color,
		      multisampled ? states[D3DRS_MULTISAMPLEMASK] : ~0u);
}

/* ---- depth and stencil ---- */

static uint8_t compare(UINT func)
{
	return func >= D3DCMP_NEVER && func <= D3DCMP_ALWAYS ? (uint8_t)(func - 1) : D3DGPU_COMPARE_ALWAYS;
}

static uint8_t stencil_op(UINT op)
{
	static const uint8_t ops[] = {D3DGPU_STENCIL_KEEP,	D3DGPU_STENCIL_KEEP,	D3DGPU_STENCIL_ZERO,
				      D3DGPU_STENCIL_REPLACE,	D3DGPU_STENCIL_INCR_SAT, D3DGPU_STENCIL_DECR_SAT,
				      D3DGPU_STENCIL_INVERT,	D3DGPU_STENCIL_INCR,	D3DGPU_STENCIL_DECR};

	return op < sizeof(ops) ? ops[op] : D3DGPU_STENCIL_KEEP;
}

static struct gpu_stencil_face stencil_face(const UINT *states, bool back)
{
	return (struct gpu_stencil_face){
		.func = compare(states[back ? D3DRS_CCW_STENCILFUNC : D3DRS_STENCILFUNC]),
		.fail_op = stencil_op(states[back ? D3DRS_CCW_STENCILFAIL : D3DRS_STENCILFAIL]),
		.zfail_op = stencil_op(states[back ? D3DRS_CCW_STENCILZFAIL : D3DRS_STENCILZFAIL]),
		.zpass_op = stencil_op(states[back ? D3DRS_CCW_STENCILPASS : D3DRS_STENCILPASS]),
		.read_mask = (uint8_t)states[D3DRS_STENCILMASK],
		.write_mask = (uint8_t)states[D3DRS_STENCILWRITEMASK],
	};
}

static void update_depth_stencil(struct d3d9_device *dev)
{
	const UINT *states = dev->states;
	const struct d3d9_resource *bound = dev->depth_stencil;
	struct gpu_depth_stencil_desc desc = {0};
	uint8_t ref = (uint8_t)states[D3DRS_STENCILREF];

	if (bound && states[D3DRS_ZENABLE]) {
		desc.depth_test = true;
		desc.depth_write = states[D3DRS_ZWRITEENABLE];
		desc.depth_func = compare(states[D3DRS_ZFUNC]);
	}
	if (bound && (bound->format->flags & D3D9_FORMAT_STENCIL) && states[D3DRS_STENCILENABLE]) {
		desc.stencil = true;
		desc.two_sided = states[D3DRS_TWOSIDEDSTENCILMODE];
		desc.front = stencil_face(states, false);
		/* Counter-clockwise faces, which are back faces here. */
		desc.back = desc.two_sided ? stencil_face(states, true) : desc.front;
	}
	if (states[D3DRS_ALPHATESTENABLE]) {
		desc.alpha_test = true;
		desc.alpha_func = compare(states[D3DRS_ALPHAFUNC]);
		desc.alpha_ref = (float)(states[D3DRS_ALPHAREF] & 0xff) / 255.0f;
	}
	gpu_set_depth_stencil(dev->gpu, gpu_depth_stencil_get(dev->gpu, &desc), ref, ref);
}

/* ---- rasterizer ---- */

static uint8_t cull_mode(UINT mode)
{
	/* Clockwise is front: culling clockwise faces culls fronts. */
	return mode == D3DCULL_CW ? D3DGPU_CULL_FRONT : mode == D3DCULL_CCW ? D3DGPU_CULL_BACK : D3DGPU_CULL_NONE;
}

static uint8_t fill_mode(UINT mode)
{
	return mode == D3DFILL_POINT       ? D3DGPU_FILL_POINT
	       : mode == D3DFILL_WIREFRAME ? D3DGPU_FILL_LINE
					   : D3DGPU_FILL_SOLID;
}

static bool writes_point_size(const struct d3d9_shader *shader)
{
	const struct shader_info *info = shader ? gpu_shader_info(shader->gpu) : NULL;

	for (unsigned i = 0; info && i < info->output_count; i++)
		if (info->outputs[i].semantic.usage == D3DDECLUSAGE_PSIZE)
			return true;
	return false;
}

static void update_rasterizer(struct d3d9_device *dev)
{
	const UINT *states = dev->states;
	float units = dev->depth_stencil ? dev->depth_stencil->format->depth_units : 0.0f;
	struct gpu_rasterizer_desc desc = {
		.cull = cull_mode(states[D3DRS_CULLMODE]),
		.fill = fill_mode(states[D3DRS_FILLMODE]),
		.scissor = states[D3DRS_SCISSORTESTENABLE],
		.depth_clip = true,
		.flat_shade = states[D3DRS_SHADEMODE] == D3DSHADE_FLAT,
		.multisample = states[D3DRS_MULTISAMPLEANTIALIAS],
		.line_smooth = states[D3DRS_ANTIALIASEDLINEENABLE],
		.point_sprite = states[D3DRS_POINTSPRITEENABLE],
		.point_size_per_vertex = writes_point_size(dev->vs),
		.clip_planes = (uint8_t)states[D3DRS_CLIPPLANEENABLE],
		.depth_bias_units = as_float(states[D3DRS_DEPTHBIAS]) * units,
		.depth_bias_slope = as_float(states[D3DRS_SLOPESCALEDEPTHBIAS]),
		.point_size = as_float(states[D3DRS_POINTSIZE]),
	};

	if (desc.point_size < 1.0f)
		desc.point_size = 1.0f;
	/* All texture coordinates of the pixel shader become the point's. */
	if (desc.point_sprite)
		desc.sprite_coords = ~0u;
	gpu_set_rasterizer(dev->gpu, gpu_rasterizer_get(dev->gpu, &desc));
}

/* ---- targets, viewport, scissor, clip planes ---- */

HRESULT d3d9_update_targets(struct d3d9_device *dev)
{
	struct gpu_surface *colors[D3D9_TARGETS] = {0}, *depth_stencil = NULL;
	bool srgb = dev->states[D3DRS_SRGBWRITEENABLE];
	unsigned count = 0;

	if (!(dev->dirty & D3D9_DIRTY_TARGETS))
		return S_OK;
	for (unsigned i = 0; i < D3D9_TARGETS; i++) {
		if (!dev->targets[i].resource)
			continue;
		colors[i] = d3d9_surface(dev, dev->targets[i].resource, dev->targets[i].subresource, srgb);
		if (!colors[i])
			return E_OUTOFMEMORY;
		count = i + 1;
	}
	if (dev->depth_stencil) {
		depth_stencil = d3d9_surface(dev, dev->depth_stencil, 0, false);
		if (!depth_stencil)
			return E_OUTOFMEMORY;
	}
	gpu_set_targets(dev->gpu, count, colors, depth_stencil);
	dev->dirty &= ~(uint32_t)D3D9_DIRTY_TARGETS;
	return S_OK;
}

static void update_viewport(struct d3d9_device *dev)
{
	struct gpu_viewport viewport = {
		.x = (float)dev->viewport.X,
		.y = (float)dev->viewport.Y,
		.width = (float)dev->viewport.Width,
		.height = (float)dev->viewport.Height,
		.min_depth = dev->zrange.MinZ,
		.max_depth = dev->zrange.MaxZ,
	};
	/* Pixel centres at integers: move everything by half a pixel to where this GPU has them. */
	const float offset[4] = {viewport.width > 0 ? 1.0f / viewport.width : 0,
				 viewport.height > 0 ? -1.0f / viewport.height : 0, 0, 0};

	gpu_set_viewports(dev->gpu, 1, &viewport);
	gpu_set_system_constant(dev->gpu, SHADER_VERTEX, SHADER_SYS_POSITION, offset);
}

static void update_scissor(struct d3d9_device *dev)
{
	struct gpu_rect rect = {dev->scissor.left, dev->scissor.top, dev->scissor.right, dev->scissor.bottom};

	gpu_set_scissors(dev->gpu, 1, &rect);
}

static void update_fog(struct d3d9_device *dev)
{
	const UINT *states = dev->states;
	UINT color = states[D3DRS_FOGCOLOR];
	float start = as_float(states[D3DRS_FOGSTART]), end = as_float(states[D3DRS_FOGEND]);
	const float rgb[4] = {(float)(color >> 16 & 0xff) / 255.0f, (float)(color >> 8 & 0xff) / 255.0f,
			      (float)(color & 0xff) / 255.0f, 1.0f};
	const float params[4] = {start, end, as_float(states[D3DRS_FOGDENSITY]),
				 end != start ? 1.0f / (end - start) : 0.0f};

	gpu_set_system_constant(dev->gpu, SHADER_PIXEL, SHADER_SYS_FOG, rgb);
	gpu_set_system_constant(dev->gpu, SHADER_PIXEL, SHADER_SYS_FOG_PARAMS, params);
}

static void update_bump(struct d3d9_device *dev)
{
	for (unsigned i = 0; i < D3D9_PS1_STAGES; i++) {
		const UINT *stage = dev->stages[i];
		const float matrix[4] = {
			as_float(stage[D3DDDITSS_BUMPENVMAT00]), as_float(stage[D3DDDITSS_BUMPENVMAT01]),
			as_float(stage[D3DDDITSS_BUMPENVMAT10]), as_float(stage[D3DDDITSS_BUMPENVMAT11])};
		const float luminance[4] = {as_float(stage[D3DDDITSS_BUMPENVLSCALE]),
					    as_float(stage[D3DDDITSS_BUMPENVLOFFSET]), 0, 0};

		gpu_set_system_constant(dev->gpu, SHADER_PIXEL, SHADER_SYS_BUMP + i, matrix);
		gpu_set_system_constant(dev->gpu, SHADER_PIXEL, SHADER_SYS_BUMP_LUMINANCE + i, luminance);
	}
}

HRESULT d3d9_update_states(struct d3d9_device *dev)
{
	HRESULT hr = d3d9_update_targets(dev);

	if (FAILED(hr))
		return hr;
	if (dev->dirty & D3D9_DIRTY_BLEND)
		update_blend(dev);
	if (dev->dirty & D3D9_DIRTY_DEPTH_STENCIL)
		update_depth_stencil(dev);
	/* Before the viewport: the engine reads the depth range with the bound rasterizer's rules. */
	if (dev->dirty & D3D9_DIRTY_RASTERIZER)
		update_rasterizer(dev);
	if (dev->dirty & D3D9_DIRTY_VIEWPORT)
		update_viewport(dev);
	if (dev->dirty & D3D9_DIRTY_SCISSOR)
		update_scissor(dev);
	if (dev->dirty & D3D9_DIRTY_CLIP)
		gpu_set_clip_planes(dev->gpu, dev->clip_planes);
	if (dev->dirty & D3D9_DIRTY_FOG)
		update_fog(dev);
	if (dev->dirty & D3D9_DIRTY_BUMP)
		update_bump(dev);
	dev->dirty &= ~(uint32_t)(D3D9_DIRTY_BLEND | D3D9_DIRTY_DEPTH_STENCIL | D3D9_DIRTY_RASTERIZER |
				  D3D9_DIRTY_VIEWPORT | D3D9_DIRTY_SCISSOR | D3D9_DIRTY_CLIP | D3D9_DIRTY_FOG |
				  D3D9_DIRTY_BUMP);
	return S_OK;
}

/* ---- entries ---- */

static uint32_t dirty_of_state(UINT state)
{
	switch (state) {
	case D3DRS_ALPHABLENDENABLE:
	case D3DRS_SRCBLEND:
	case D3DRS_DESTBLEND:
	case D3DRS_BLENDOP:
	case D3DRS_SEPARATEALPHABLENDENABLE:
	case D3DRS_SRCBLENDALPHA:
	case D3DRS_DESTBLENDALPHA:
	case D3DRS_BLENDOPALPHA:
	case D3DRS_BLENDFACTOR:
	case D3DRS_COLORWRITEENABLE:
	case D3DRS_COLORWRITEENABLE1:
	case D3DRS_COLORWRITEENABLE2:
	case D3DRS_COLORWRITEENABLE3:
	case D3DRS_DITHERENABLE:
	case D3DRS_MULTISAMPLEMASK:
		return D3D9_DIRTY_BLEND;
	case D3DRS_ZENABLE:
	case D3DRS_ZWRITEENABLE:
	case D3DRS_ZFUNC:
	case D3DRS_STENCILENABLE:
	case D3DRS_STENCILFAIL:
	case D3DRS_STENCILZFAIL:
	case D3DRS_STENCILPASS:
	case D3DRS_STENCILFUNC:
	case D3DRS_STENCILREF:
	case D3DRS_STENCILMASK:
	case D3DRS_STENCILWRITEMASK:
	case D3DRS_TWOSIDEDSTENCILMODE:
	case D3DRS_CCW_STENCILFAIL:
	case D3DRS_CCW_STENCILZFAIL:
	case D3DRS_CCW_STENCILPASS:
	case D3DRS_CCW_STENCILFUNC:
	case D3DRS_ALPHATESTENABLE:
	case D3DRS_ALPHAFUNC:
	case D3DRS_ALPHAREF:
		return D3D9_DIRTY_DEPTH_STENCIL;
	case D3DRS_CULLMODE:
	case D3DRS_FILLMODE:
	case D3DRS_SCISSORTESTENABLE:
	case D3DRS_MULTISAMPLEANTIALIAS:
	case D3DRS_ANTIALIASEDLINEENABLE:
	case D3DRS_DEPTHBIAS:
	case D3DRS_SLOPESCALEDEPTHBIAS:
	case D3DRS_POINTSIZE:
	case D3DRS_POINTSPRITEENABLE:
		return D3D9_DIRTY_RASTERIZER;
	case D3DRS_SHADEMODE:
	case D3DRS_CLIPPLANEENABLE:
		return D3D9_DIRTY_RASTERIZER | D3D9_DIRTY_KEYS;
	case D3DRS_SRGBWRITEENABLE:
		return D3D9_DIRTY_TARGETS;
	case D3DRS_FOGENABLE:
	case D3DRS_FOGTABLEMODE:
		return D3D9_DIRTY_KEYS;
	case D3DRS_FOGCOLOR:
	case D3DRS_FOGSTART:
	case D3DRS_FOGEND:
	case D3DRS_FOGDENSITY:
		return D3D9_DIRTY_FOG;
	default:
		return 0;	/* fixed function, or without effect here */
	}
}

static HRESULT set_render_state(HANDLE hDevice, const D3DDDIARG_RENDERSTATE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (args->State >= D3D9_STATES || args->State == D3DDDIRS_SCENECAPTURE)
		return S_OK;
	dev->states[args->State] = args->Value;
	dev->dirty |= dirty_of_state(args->State);
	return S_OK;
}

static HRESULT set_render_target(HANDLE hDevice, const D3DDDIARG_SETRENDERTARGET *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (args->RenderTargetIndex >= D3D9_TARGETS)
		return E_INVALIDARG;
	dev->targets[args->RenderTargetIndex] = (struct d3d9_target){args->hRenderTarget, args->SubResourceIndex};
	dev->dirty |= D3D9_DIRTY_TARGETS | D3D9_DIRTY_BLEND;
	return S_OK;
}

static HRESULT set_depth_stencil(HANDLE hDevice, const D3DDDIARG_SETDEPTHSTENCIL *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->depth_stencil = args->hZBuffer;
	dev->dirty |= D3D9_DIRTY_TARGETS | D3D9_DIRTY_DEPTH_STENCIL | D3D9_DIRTY_RASTERIZER;
	return S_OK;
}

static HRESULT set_viewport(HANDLE hDevice, const D3DDDIARG_VIEWPORTINFO *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->viewport = *args;
	dev->dirty |= D3D9_DIRTY_VIEWPORT;
	return S_OK;
}

static HRESULT set_z_range(HANDLE hDevice, const D3DDDIARG_ZRANGE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->zrange = *args;
	dev->dirty |= D3D9_DIRTY_VIEWPORT;
	return S_OK;
}

static HRESULT set_scissor_rect(HANDLE hDevice, const RECT *rect)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->scissor = *rect;
	dev->dirty |= D3D9_DIRTY_SCISSOR;
	return S_OK;
}

static HRESULT set_clip_plane(HANDLE hDevice, const D3DDDIARG_SETCLIPPLANE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (args->Index >= sizeof(dev->clip_planes) / sizeof(dev->clip_planes[0]))
		return E_INVALIDARG;
	memcpy(dev->clip_planes[args->Index], args->Plane, sizeof(args->Plane));
	dev->dirty |= D3D9_DIRTY_CLIP;
	return S_OK;
}

/* Any combination of states is drawn in one pass. */
static HRESULT validate_device(HANDLE hDevice, D3DDDIARG_VALIDATETEXTURESTAGESTATE *args)
{
	args->NumPasses = 1;
	return S_OK;
}

/* For depth buffers of w, which this GPU does not have. */
static HRESULT update_w_info(HANDLE hDevice, const D3DDDIARG_WINFO *args)
{
	return S_OK;
}

void d3d9_state_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnValidateDevice = validate_device;
	table->pfnUpdateWInfo = update_w_info;
	table->pfnSetRenderState = set_render_state;
	table->pfnSetRenderTarget = set_render_target;
	table->pfnSetDepthStencil = set_depth_stencil;
	table->pfnSetViewport = set_viewport;
	table->pfnSetZRange = set_z_range;
	table->pfnSetScissorRect = set_scissor_rect;
	table->pfnSetClipPlane = set_clip_plane;
}
