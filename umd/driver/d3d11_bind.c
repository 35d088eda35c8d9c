/* SPDX-License-Identifier: MIT */
/* Binding of shader resources, samplers, constant buffers, targets, viewports and scissors. */
#include "d3d11_front.h"

static void set_views(struct d3d11_device *dev, enum shader_stage stage, UINT first, UINT count,
		      const D3D10DDI_HSHADERRESOURCEVIEW *views)
{
	for (UINT i = 0; i < count && first + i < D3D11_SRV_SLOTS; i++)
		dev->views[stage][first + i] = views[i].pDrvPrivate;
	dev->dirty |= stage == SHADER_VERTEX ? D3D11_DIRTY_VERTEX_VIEWS : D3D11_DIRTY_PIXEL_VIEWS;
}

static void vs_set_shader_resources(D3D10DDI_HDEVICE hDevice, UINT Offset, UINT NumViews,
				    const D3D10DDI_HSHADERRESOURCEVIEW *phShaderResourceViews)
{
	set_views(d3d11_device(hDevice), SHADER_VERTEX, Offset, NumViews, phShaderResourceViews);
}

static void ps_set_shader_resources(D3D10DDI_HDEVICE hDevice, UINT Offset, UINT NumViews,
				    const D3D10DDI_HSHADERRESOURCEVIEW *phShaderResourceViews)
{
	set_views(d3d11_device(hDevice), SHADER_PIXEL, Offset, NumViews, phShaderResourceViews);
}

static uint8_t array_target(uint8_t target)
{
	switch (target) {
	case D3DGPU_TARGET_1D:
		return D3DGPU_TARGET_1D_ARRAY;
	case D3DGPU_TARGET_2D:
		return D3DGPU_TARGET_2D_ARRAY;
	case D3DGPU_TARGET_CUBE:
		return D3DGPU_TARGET_CUBE_ARRAY;
	default:
		return target;
	}
}

static bool wants_array(uint8_t dimension)
{
	return dimension == SHADER_DIM_1D_ARRAY || dimension == SHADER_DIM_2D_ARRAY ||
	       dimension == SHADER_DIM_CUBE_ARRAY || dimension == SHADER_DIM_2D_MS_ARRAY;
}

/* The device's view for what the shader declares. */
static struct gpu_view *view_for(struct d3d11_device *dev, struct d3d11_srv *srv, uint8_t dimension)
{
	struct gpu_view_desc desc;

	if (!srv)
		return NULL;
	if (!wants_array(dimension) || array_target(srv->desc.target) == srv->desc.target)
		return srv->view;
	if (!srv->array_view) {
		desc = srv->desc;
		desc.target = array_target(desc.target);
		if (gpu_view_create(dev->gpu, srv->resource->gpu, &desc, &srv->array_view))
			return NULL;
	}
	return srv->array_view;
}

static void prepare_stage(struct d3d11_device *dev, enum shader_stage stage)
{
	const struct d3d11_shader *shader = dev->shaders[stage];
	const struct shader_info *info = shader ? gpu_shader_info(shader->gpu) : NULL;

	for (uint32_t i = 0; info && i < info->unit_count; i++) {
		uint32_t reg = info->units[i].texture;

		if (reg < D3D11_SRV_SLOTS)
			gpu_set_texture(dev->gpu, stage, reg,
					view_for(dev, dev->views[stage][reg], info->units[i].dimension));
	}
}

void d3d11_views_prepare(struct d3d11_device *dev)
{
	if (dev->dirty & D3D11_DIRTY_VERTEX_VIEWS)
		prepare_stage(dev, SHADER_VERTEX);
	if (dev->dirty & D3D11_DIRTY_PIXEL_VIEWS)
		prepare_stage(dev, SHADER_PIXEL);
	dev->dirty &= ~(uint32_t)(D3D11_DIRTY_VERTEX_VIEWS | D3D11_DIRTY_PIXEL_VIEWS);
}

static void set_samplers(struct d3d11_device *dev, enum shader_stage stage, UINT first, UINT count,
			 const D3D10DDI_HSAMPLER *samplers)
{
	for (UINT i = 0; i < count && first + i < D3D11_SAMPLER_SLOTS; i++) {
		struct d3d11_sampler *sampler = samplers[i].pDrvPrivate;

		gpu_set_sampler(dev->gpu, stage, first + i, sampler ? sampler->gpu : NULL);
	}
}

static void vs_set_samplers(D3D10DDI_HDEVICE hDevice, UINT Offset, UINT NumSamplers,
			    const D3D10DDI_HSAMPLER *phSamplers)
{
	set_samplers(d3d11_device(hDevice), SHADER_VERTEX, Offset, NumSamplers, phSamplers);
}

static void ps_set_samplers(D3D10DDI_HDEVICE hDevice, UINT Offset, UINT NumSamplers,
			    const D3D10DDI_HSAMPLER *phSamplers)
{
	set_samplers(d3d11_device(hDevice), SHADER_PIXEL, Offset, NumSamplers, phSamplers);
}

/* Offsets and sizes come in constants of 16 bytes; without them the buffer is bound whole. */
static void set_constant_buffers(struct d3d11_device *dev, enum shader_stage stage, UINT first, UINT count,
				 const D3D10DDI_HRESOURCE *buffers, const UINT *first_constant,
				 const UINT *num_constants)
{
	for (UINT i = 0; i < count && first + i < GPU_MAX_CONSTANT_BUFFERS; i++) {
		struct d3d11_resource *res = d3d11_resource(buffers[i]);

		gpu_set_constant_buffer(dev->gpu, stage, first + i, res ? res->gpu : NULL,
					first_constant ? first_constant[i] * 16 : 0,
					num_constants ? num_constants[i] * 16 : 0);
	}
}

static void vs_set_constant_buffers(D3D10DDI_HDEVICE hDevice, UINT StartBuffer, UINT NumBuffers,
				    const D3D10DDI_HRESOURCE *phBuffers, const UINT *pFirstConstant,
				    const UINT *pNumConstants)
{
	set_constant_buffers(d3d11_device(hDevice), SHADER_VERTEX, StartBuffer, NumBuffers, phBuffers, pFirstConstant,
			     pNumConstants);
}

static void ps_set_constant_buffers(D3D10DDI_HDEVICE hDevice, UINT StartBuffer, UINT NumBuffers,
				    const D3D10DDI_HRESOURCE *phBuffers, const UINT *pFirstConstant,
				    const UINT *pNumConstants)
{
	set_constant_buffers(d3d11_device(hDevice), SHADER_PIXEL, StartBuffer, NumBuffers, phBuffers, pFirstConstant,
			     pNumConstants);
}

static void set_render_targets(D3D10DDI_HDEVICE hDevice, const D3D10DDI_HRENDERTARGETVIEW *phRenderTargetView,
			       UINT NumRTVs, UINT RTVNumbertoUnbind, D3D10DDI_HDEPTHSTENCILVIEW hDepthStencilView,
			       const D3D11DDI_HUNORDEREDACCESSVIEW *phUnorderedAccessView,
			       const UINT *pUAVInitialCounts, UINT UAVIndex, UINT NumUAVs, UINT UAVFirsttoSet,
			       UINT UAVNumberUpdated)
{
	struct gpu_surface *colors[GPU_MAX_RENDER_TARGETS] = {0};
	struct d3d11_dsv *dsv = hDepthStencilView.pDrvPrivate;

	for (UINT i = 0; i < NumRTVs && i < GPU_MAX_RENDER_TARGETS; i++) {
		struct d3d11_rtv *rtv = phRenderTargetView[i].pDrvPrivate;

		colors[i] = rtv ? rtv->surface : NULL;
	}
	gpu_set_targets(d3d11_device(hDevice)->gpu, NumRTVs, colors, dsv ? dsv->surface : NULL);
}

static void set_viewports(D3D10DDI_HDEVICE hDevice, UINT NumViewports, UINT ClearViewports,
			  const D3D10_DDI_VIEWPORT *pViewports)
{
	_Static_assert(sizeof(D3D10_DDI_VIEWPORT) == sizeof(struct gpu_viewport),
		       "both are x, y, width, height, near, far");
	if (NumViewports)
		gpu_set_viewports(d3d11_device(hDevice)->gpu, NumViewports, (const struct gpu_viewport *)pViewports);
}

static void set_scissors(D3D10DDI_HDEVICE hDevice, UINT NumScissorRects, UINT ClearScissorRects,
			 const D3D10_DDI_RECT *pRects)
{
	struct gpu_rect rects[GPU_MAX_VIEWPORTS] = {0};
	UINT count = NumScissorRects + ClearScissorRects;

	if (count > GPU_MAX_VIEWPORTS)
		count = GPU_MAX_VIEWPORTS;
	for (UINT i = 0; i < NumScissorRects && i < count; i++)
		rects[i] = (struct gpu_rect){pRects[i].left, pRects[i].top, pRects[i].right, pRects[i].bottom};
	if (count)
		gpu_set_scissors(d3d11_device(hDevice)->gpu, count, rects);
}

/* The device orders reads behind writes by itself. */
static void srv_hazard(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADERRESOURCEVIEW hShaderResourceView,
		       D3D10DDI_HRESOURCE hResource)
{
}

static void resource_hazard(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hResource)
{
}

void d3d11_bind_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnVsSetShaderResources = vs_set_shader_resources;
	table->pfnPsSetShaderResources = ps_set_shader_resources;
	table->pfnVsSetSamplers = vs_set_samplers;
	table->pfnPsSetSamplers = ps_set_samplers;
	table->pfnVsSetConstantBuffers = vs_set_constant_buffers;
	table->pfnPsSetConstantBuffers = ps_set_constant_buffers;
	table->pfnSetRenderTargets = set_render_targets;
	table->pfnSetViewports = set_viewports;
	table->pfnSetScissorRects = set_scissors;
	table->pfnShaderResourceViewReadAfterWriteHazard = srv_hazard;
	table->pfnResourceReadAfterWriteHazard = resource_hazard;
}
