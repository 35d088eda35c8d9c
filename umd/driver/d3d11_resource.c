/* SPDX-License-Identifier: MIT */
/* Resources: creation from the DDI's description, initial data, destruction. */
#include <errno.h>
#include <string.h>

#include "d3d11_front.h"

static uint32_t bind_flags(UINT flags)
{
	static const struct {
		UINT ddi;
		uint32_t device;
	} map[] = {
		{D3D10_DDI_BIND_VERTEX_BUFFER, D3DGPU_BIND_VERTEX_BUFFER},
		{D3D10_DDI_BIND_INDEX_BUFFER, D3DGPU_BIND_INDEX_BUFFER},
		{D3D10_DDI_BIND_CONSTANT_BUFFER, D3DGPU_BIND_CONSTANT_BUFFER},
		{D3D10_DDI_BIND_SHADER_RESOURCE, D3DGPU_BIND_SAMPLER_VIEW},
		{D3D10_DDI_BIND_STREAM_OUTPUT, D3DGPU_BIND_STREAM_OUTPUT},
		{D3D10_DDI_BIND_RENDER_TARGET, D3DGPU_BIND_RENDER_TARGET},
		{D3D10_DDI_BIND_DEPTH_STENCIL, D3DGPU_BIND_DEPTH_STENCIL},
		{D3D10_DDI_BIND_PRESENT, D3DGPU_BIND_SCANOUT},
	};
	uint32_t bind = 0;

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (flags & map[i].ddi)
			bind |= map[i].device;
	return bind;
}

static uint8_t target_of(const D3D11DDIARG_CREATERESOURCE *args)
{
	bool array = args->ArraySize > 1;

	switch (args->ResourceDimension) {
	case D3D10DDIRESOURCE_TEXTURE1D:
		return array ? D3DGPU_TARGET_1D_ARRAY : D3DGPU_TARGET_1D;
	case D3D10DDIRESOURCE_TEXTURE2D:
		return array ? D3DGPU_TARGET_2D_ARRAY : D3DGPU_TARGET_2D;
	case D3D10DDIRESOURCE_TEXTURE3D:
		return D3DGPU_TARGET_3D;
	case D3D10DDIRESOURCE_TEXTURECUBE:
		return args->ArraySize > 6 ? D3DGPU_TARGET_CUBE_ARRAY : D3DGPU_TARGET_CUBE;
	default:
		return D3DGPU_TARGET_BUFFER;
	}
}

static enum gpu_usage usage_of(const D3D11DDIARG_CREATERESOURCE *args)
{
	switch (args->Usage) {
	case D3D10_DDI_USAGE_DYNAMIC:
		return GPU_USAGE_DYNAMIC;
	case D3D10_DDI_USAGE_STAGING:
		return GPU_USAGE_STAGING;
	default:
		return GPU_USAGE_DEFAULT;
	}
}

static struct d3dgpu_resource_desc describe(const D3D11DDIARG_CREATERESOURCE *args, const struct d3d11_format *format)
{
	const D3D10DDI_MIPINFO *top = &args->pMipInfoList[0];
	struct d3dgpu_resource_desc desc = {
		.target = target_of(args),
		.samples = args->SampleDesc.Count > 1 ? (uint8_t)args->SampleDesc.Count : 0,
		.bind = bind_flags(args->BindFlags),
		.width = top->TexelWidth,
		.height = (uint16_t)top->TexelHeight,
		.depth = (uint16_t)top->TexelDepth,
		.array_size = (uint16_t)args->ArraySize,
		.last_level = (uint8_t)(args->MipLevels - 1),
	};

	if (desc.target == D3DGPU_TARGET_BUFFER) {
		desc.format = D3DGPU_FMT_R8_UNORM;
		desc.height = desc.depth = desc.array_size = 1;
	} else {
		desc.format = format->color;
	}
	/* The device wants a purpose; a staging resource has none. */
	if (!desc.bind)
		desc.bind = desc.target == D3DGPU_TARGET_BUFFER ? D3DGPU_BIND_VERTEX_BUFFER : D3DGPU_BIND_SAMPLER_VIEW;
	return desc;
}

/* Depth-stencil surfaces are sized and admitted by the depth-stencil unit. */
static int create_depth_stencil(struct d3d11_device *dev, const D3D11DDIARG_CREATERESOURCE *args,
				const struct d3d11_format *format, struct gpu_resource **out)
{
	struct d3dgpu_ds_mailbox ds = {
		.width = args->pMipInfoList[0].TexelWidth,
		.height = args->pMipInfoList[0].TexelHeight,
		.format = format->ds_format,
		.samples = args->SampleDesc.Count,
		.quality = args->SampleDesc.Quality,
		.layers = (uint16_t)args->ArraySize,
		.levels = (uint16_t)args->MipLevels,
	};

	if (args->BindFlags & D3D10_DDI_BIND_SHADER_RESOURCE)
		ds.usage |= D3DGPU_DS_USAGE_SAMPLE;
	if (args->ResourceDimension == D3D10DDIRESOURCE_TEXTURECUBE)
		ds.usage |= D3DGPU_DS_USAGE_CUBE;
	return gpu_ds_create(dev->gpu, &ds, out);
}

static int write_initial_data(struct d3d11_device *dev, struct gpu_resource *gpu,
			      const D3D11DDIARG_CREATERESOURCE *args)
{
	int err = 0;

	for (UINT i = 0; i < args->MipLevels * args->ArraySize && !err; i++) {
		const D3D10_DDIARG_SUBRESOURCE_UP *data = &args->pInitialDataUP[i];

		err = gpu_update(dev->gpu, gpu, i, NULL, data->pSysMem, data->SysMemPitch, data->SysMemSlicePitch);
	}
	return err;
}

static SIZE_T calc_private_resource_size(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATERESOURCE *pCreateResource)
{
	return sizeof(struct d3d11_resource);
}

static void create_resource(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATERESOURCE *args,
			    D3D10DDI_HRESOURCE hResource, D3D10DDI_HRTRESOURCE hRTResource)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_resource *res = d3d11_resource(hResource);
	const struct d3d11_format *format = d3d11_format(args->Format);
	bool buffer = args->ResourceDimension == D3D10DDIRESOURCE_BUFFER;
	int err;

	*res = (struct d3d11_resource){
		.format = args->Format,
		.type = args->ResourceDimension,
		.usage = args->Usage,
		.levels = args->MipLevels,
		.layers = args->ArraySize,
		.samples = args->SampleDesc.Count ? args->SampleDesc.Count : 1,
		.depth_stencil = args->BindFlags & D3D10_DDI_BIND_DEPTH_STENCIL,
	};
	if (!buffer && !format) {
		err = -EINVAL;
	} else if (res->depth_stencil) {
		err = create_depth_stencil(dev, args, format, &res->gpu);
	} else {
		struct d3dgpu_resource_desc desc = describe(args, format);

		err = gpu_resource_create(dev->gpu, &desc, usage_of(args), &res->gpu);
	}
	if (!err && args->pInitialDataUP) {
		err = write_initial_data(dev, res->gpu, args);
		if (err)
			gpu_resource_destroy(dev->gpu, res->gpu);
	}
	d3d11_check(dev, err);
}

static void destroy_resource(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hResource)
{
	gpu_resource_destroy(d3d11_device(hDevice)->gpu, d3d11_resource(hResource)->gpu);
}

static SIZE_T calc_private_opened_resource_size(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_OPENRESOURCE *pOpenResource)
{
	return sizeof(struct d3d11_resource);
}

static void open_resource(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_OPENRESOURCE *args, D3D10DDI_HRESOURCE hResource,
			  D3D10DDI_HRTRESOURCE hRTResource)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_resource *res = d3d11_resource(hResource);
	const struct d3dgpu_ddi_shared *shared = args->pPrivateDriverData;
	int err = -EINVAL;

	*res = (struct d3d11_resource){.type = D3D10DDIRESOURCE_TEXTURE2D, .samples = 1};
	if (args->PrivateDriverDataSize == sizeof(*shared))
		err = gpu_resource_open(dev->gpu, shared->token, &res->gpu);
	if (!err) {
		res->format = (DXGI_FORMAT)shared->format;
		res->levels = res->gpu->levels;
		res->layers = res->gpu->layers;
		res->depth_stencil = res->gpu->desc.bind & D3DGPU_BIND_DEPTH_STENCIL;
	}
	d3d11_check(dev, err);
}

void d3d11_resource_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateResourceSize = calc_private_resource_size;
	table->pfnCreateResource = create_resource;
	table->pfnCalcPrivateOpenedResourceSize = calc_private_opened_resource_size;
	table->pfnOpenResource = open_resource;
	table->pfnDestroyResource = destroy_resource;
}
