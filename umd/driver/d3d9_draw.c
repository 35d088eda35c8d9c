/* SPDX-License-Identifier: MIT */
/* Draws and clears. */
#include "d3d9_front.h"

#include <string.h>

/* ---- shader keys ---- */

static uint8_t clip_plane_count(UINT mask)
{
	mask &= 0xff;
	return mask ? (uint8_t)(32 - __builtin_clz(mask)) : 0;
}

static uint8_t fog_mode(const struct d3d9_device *dev)
{
	const struct shader_info *info = gpu_shader_info(dev->ps->gpu);

	if (!dev->states[D3DRS_FOGENABLE] || info->major >= 3)
		return SHADER_FOG_NONE;
	switch (dev->states[D3DRS_FOGTABLEMODE]) {
	case D3DFOG_LINEAR:
		return SHADER_FOG_LINEAR;
	case D3DFOG_EXP:
		return SHADER_FOG_EXP;
	case D3DFOG_EXP2:
		return SHADER_FOG_EXP2;
	default:
		return SHADER_FOG_VERTEX;
	}
}

static void update_keys(struct d3d9_device *dev)
{
	const struct shader_info *ps = gpu_shader_info(dev->ps->gpu);
	struct shader_key vertex, pixel;

	memset(&vertex, 0, sizeof(vertex));
	vertex.position_offset = 1;
	vertex.clip_planes = clip_plane_count(dev->states[D3DRS_CLIPPLANEENABLE]);
	vertex.point_size = 1;
	gpu_set_shader_key(dev->gpu, SHADER_VERTEX, &vertex);

	memset(&pixel, 0, sizeof(pixel));
	pixel.fog = fog_mode(dev);
	pixel.flat_shading = dev->states[D3DRS_SHADEMODE] == D3DSHADE_FLAT;
	for (unsigned unit = 0; unit < ps->unit_count; unit++) {
		UINT sampler = ps->units[unit].texture;

		if (sampler >= D3D9_PIXEL_SAMPLERS)
			continue;
		if (dev->shadow_samplers & 1u << sampler)
			pixel.shadow_units |= 1u << unit;
		if (ps->major == 1 && (dev->stages[sampler][D3DDDITSS_TEXTURETRANSFORMFLAGS] & D3DTTFF_PROJECTED))
			pixel.projected_units |= 1u << unit;
		if (ps->major == 1 && sampler < D3D9_PS1_STAGES)
			pixel.stage_dimension[sampler] = dev->dimensions[sampler];
	}
	gpu_set_shader_key(dev->gpu, SHADER_PIXEL, &pixel);
	dev->dirty &= ~(uint32_t)D3D9_DIRTY_KEYS;
}

/* ---- draws ---- */

static HRESULT prepare_draw(struct d3d9_device *dev)
{
	HRESULT hr = S_OK;

	/* Fixed-function processing is translated to shaders above this interface. */
	if (!dev->vs || !dev->ps || !dev->decl)
		return E_INVALIDARG;
	if (dev->dirty & D3D9_DIRTY_KEYS)
		update_keys(dev);
	if (dev->dirty)
		hr = d3d9_update_states(dev);
	if (SUCCEEDED(hr) && (dev->dirty_samplers | dev->dirty_textures))
		hr = d3d9_update_samplers(dev);
	if (SUCCEEDED(hr) && dev->dirty)
		hr = d3d9_update_vertex_input(dev);
	return hr;
}

static bool primitive_vertices(D3DPRIMITIVETYPE type, UINT primitives, uint8_t *topology, uint32_t *count)
{
	switch (type) {
	case D3DPT_POINTLIST:
		*topology = D3DGPU_PRIM_POINTS;
		*count = primitives;
		return true;
	case D3DPT_LINELIST:
		*topology = D3DGPU_PRIM_LINES;
		*count = primitives * 2;
		return true;
	case D3DPT_LINESTRIP:
		*topology = D3DGPU_PRIM_LINE_STRIP;
		*count = primitives + 1;
		return true;
	case D3DPT_TRIANGLELIST:
		*topology = D3DGPU_PRIM_TRIANGLES;
		*count = primitives * 3;
		return true;
	case D3DPT_TRIANGLESTRIP:
		*topology = D3DGPU_PRIM_TRIANGLE_STRIP;
		*count = primitives + 2;
		return true;
	case D3DPT_TRIANGLEFAN:
		*topology = D3DGPU_PRIM_TRIANGLE_FAN;
		*count = primitives + 2;
		return true;
	default:
		return false;
	}
}

static HRESULT draw_primitive(HANDLE hDevice, const D3DDDIARG_DRAWPRIMITIVE *args, const UINT *edge_flags)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct gpu_draw draw = {.start = args->VStart, .instance_count = 1};
	HRESULT hr;

	if (!primitive_vertices(args->PrimitiveType, args->PrimitiveCount, &draw.topology, &draw.count))
		return E_INVALIDARG;
	hr = prepare_draw(dev);
	return FAILED(hr) ? hr : d3d9_result(dev, gpu_draw(dev->gpu, &draw));
}

static HRESULT draw_indexed_primitive(HANDLE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	UINT frequency = dev->streams[0].frequency;
	struct gpu_draw draw = {
		.indexed = true,
		.start = args->StartIndex,
		.instance_count = frequency & D3DSTREAMSOURCE_INDEXEDDATA ? frequency & 0x3fffffff : 1,
		.base_vertex = args->BaseVertexIndex,
	};
	HRESULT hr;

	if (!dev->indices ||
	    !primitive_vertices(args->PrimitiveType, args->PrimitiveCount, &draw.topology, &draw.count))
		return E_INVALIDARG;
	hr = prepare_draw(dev);
	return FAILED(hr) ? hr : d3d9_result(dev, gpu_draw(dev->gpu, &draw));
}

/* ---- clear ---- */

#define MAX_CLEAR_RECTS 64	/* cleared by one call of the core */

static bool intersect(struct gpu_rect *rect, const struct gpu_rect *with)
{
	if (rect->left < with->left)
		rect->left = with->left;
	if (rect->top < with->top)
		rect->top = with->top;
	if (rect->right > with->right)
		rect->right = with->right;
	if (rect->bottom > with->bottom)
		rect->bottom = with->bottom;
	return rect->left < rect->right && rect->top < rect->bottom;
}

static HRESULT clear_rects(struct d3d9_device *dev, const D3DDDIARG_CLEAR *args, unsigned count,
			   const struct gpu_rect *rects)
{
	const float color[4] = {(float)(args->FillColor >> 16 & 0xff) / 255.0f,
				(float)(args->FillColor >> 8 & 0xff) / 255.0f, (float)(args->FillColor & 0xff) / 255.0f,
				(float)(args->FillColor >> 24) / 255.0f};
	uint32_t bits[4], flags = 0;
	int err = 0;

	memcpy(bits, color, sizeof(bits));
	for (unsigned i = 0; (args->Flags & D3DCLEAR_TARGET) && i < D3D9_TARGETS && !err; i++) {
		struct gpu_surface *surface;

		if (!dev->targets[i].resource)
			continue;
		surface = d3d9_surface(dev, dev->targets[i].resource, dev->targets[i].subresource,
				       dev->states[D3DRS_SRGBWRITEENABLE]);
		if (!surface)
			return E_OUTOFMEMORY;
		err = gpu_clear_color(dev->gpu, surface, bits, count, rects);
	}
	if (args->Flags & D3DCLEAR_ZBUFFER)
		flags |= GPU_CLEAR_DEPTH;
	if (args->Flags & D3DCLEAR_STENCIL)
		flags |= GPU_CLEAR_STENCIL;
	if (flags && dev->depth_stencil && !err) {
		struct gpu_surface *surface = d3d9_surface(dev, dev->depth_stencil, 0, false);

		if (!surface)
			return E_OUTOFMEMORY;
		err = gpu_clear_depth_stencil(dev->gpu, surface, flags, args->FillDepth, (uint8_t)args->FillStencil,
					      count, rects);
	}
	return d3d9_result(dev, err);
}

/* A clear of everything is one command of the engine; rectangles cost a draw each. */
static bool covers_targets(const struct d3d9_device *dev, const struct gpu_rect *rect)
{
	const struct d3d9_resource *depth_stencil = dev->depth_stencil;

	for (unsigned i = 0; i < D3D9_TARGETS; i++) {
		const struct d3d9_resource *target = dev->targets[i].resource;
		UINT level = target ? dev->targets[i].subresource % target->levels : 0;

		if (target && (rect->left > 0 || rect->top > 0 ||
			       rect->right < (int32_t)d3dgpu_level_extent(target->width, level) ||
			       rect->bottom < (int32_t)d3dgpu_level_extent(target->height, level)))
			return false;
	}
	return !depth_stencil || (rect->left <= 0 && rect->top <= 0 && rect->right >= (int32_t)depth_stencil->width &&
				  rect->bottom >= (int32_t)depth_stencil->height);
}

static HRESULT clear(HANDLE hDevice, const D3DDDIARG_CLEAR *args, UINT count, const RECT *list)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct gpu_rect bounds = {(int32_t)dev->viewport.X, (int32_t)dev->viewport.Y,
				  (int32_t)(dev->viewport.X + dev->viewport.Width),
				  (int32_t)(dev->viewport.Y + dev->viewport.Height)};
	struct gpu_rect scissor = {dev->scissor.left, dev->scissor.top, dev->scissor.right, dev->scissor.bottom};
	struct gpu_rect rects[MAX_CLEAR_RECTS];
	bool compute = args->Flags & D3DCLEAR_COMPUTERECTS;
	HRESULT hr = S_OK;

	if (!count && !compute)
		return S_OK;
	if (dev->states[D3DRS_SCISSORTESTENABLE] && !intersect(&bounds, &scissor))
		return S_OK;
	if (!count)
		return clear_rects(dev, args, covers_targets(dev, &bounds) ? 0 : 1, &bounds);
	while (count && SUCCEEDED(hr)) {
		UINT batch = count < MAX_CLEAR_RECTS ? count : MAX_CLEAR_RECTS, kept = 0;

		for (UINT i = 0; i < batch; i++) {
			rects[kept] = (struct gpu_rect){list[i].left, list[i].top, list[i].right, list[i].bottom};
			kept += !compute || intersect(&rects[kept], &bounds);
		}
		if (kept)
			hr = clear_rects(dev, args, kept, rects);
		list += batch;
		count -= batch;
	}
	return hr;
}

void d3d9_draw_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnDrawPrimitive = draw_primitive;
	table->pfnDrawIndexedPrimitive = draw_indexed_primitive;
	table->pfnClear = clear;
}
