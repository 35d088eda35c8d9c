/* SPDX-License-Identifier: MIT */
/* Views and clears through them. */
#include <errno.h>
#include <string.h>

#include "d3d11_front.h"

static const uint8_t swizzle_rgba[4] = {D3DGPU_SWIZZLE_RED, D3DGPU_SWIZZLE_GREEN, D3DGPU_SWIZZLE_BLUE,
					D3DGPU_SWIZZLE_ALPHA};
/* One plane of a depth format reads as a one-component format: (depth, 0, 0, 1), and stencil as (0, stencil, 0, 1). */
static const uint8_t swizzle_depth[4] = {D3DGPU_SWIZZLE_RED, D3DGPU_SWIZZLE_ZERO, D3DGPU_SWIZZLE_ZERO,
					 D3DGPU_SWIZZLE_ONE};
static const uint8_t swizzle_stencil[4] = {D3DGPU_SWIZZLE_ZERO, D3DGPU_SWIZZLE_RED, D3DGPU_SWIZZLE_ZERO,
					   D3DGPU_SWIZZLE_ONE};

/* ---- shader resource views ---- */

static void describe_format(const struct d3d11_resource *res, DXGI_FORMAT dxgi, struct gpu_view_desc *desc)
{
	const struct d3d11_format *format = d3d11_format(dxgi);

	memcpy(desc->swizzle, swizzle_rgba, sizeof(swizzle_rgba));
	if (!format)
		return;
	if (!res->depth_stencil) {
		desc->format = format->color;
		return;
	}
	if (format->flags & D3D11_FORMAT_STENCIL_READ) {
		desc->format = format->color;
		memcpy(desc->swizzle, swizzle_stencil, sizeof(swizzle_stencil));
	} else {
		memcpy(desc->swizzle, swizzle_depth, sizeof(swizzle_depth));
	}
}

static int describe_view(const struct d3d11_resource *res, const D3D11DDIARG_CREATESHADERRESOURCEVIEW *args,
			 struct gpu_view_desc *desc)
{
	const D3D10DDIARG_TEX2D_SHADERRESOURCEVIEW *tex = &args->Tex2D;
	bool array = tex->ArraySize > 1;

	describe_format(res, args->Format, desc);
	switch (args->ResourceDimension) {
	case D3D10DDIRESOURCE_BUFFER:
		desc->target = D3DGPU_TARGET_BUFFER;
		desc->first_element = args->Buffer.FirstElement;
		desc->last_element = args->Buffer.FirstElement + args->Buffer.NumElements - 1;
		return 0;
	case D3D10DDIRESOURCE_TEXTURE3D:
		desc->target = D3DGPU_TARGET_3D;
		desc->first_level = (uint8_t)args->Tex3D.MostDetailedMip;
		desc->last_level = (uint8_t)(args->Tex3D.MostDetailedMip + args->Tex3D.MipLevels - 1);
		return 0;
	case D3D10DDIRESOURCE_TEXTURECUBE:
		desc->target = args->TexCube.NumCubes > 1 ? D3DGPU_TARGET_CUBE_ARRAY : D3DGPU_TARGET_CUBE;
		desc->first_level = (uint8_t)args->TexCube.MostDetailedMip;
		desc->last_level = (uint8_t)(args->TexCube.MostDetailedMip + args->TexCube.MipLevels - 1);
		desc->first_layer = (uint16_t)args->TexCube.First2DArrayFace;
		desc->last_layer = (uint16_t)(args->TexCube.First2DArrayFace + args->TexCube.NumCubes * 6 - 1);
		return 0;
	case D3D10DDIRESOURCE_TEXTURE1D:
		desc->target = array ? D3DGPU_TARGET_1D_ARRAY : D3DGPU_TARGET_1D;
		break;
	case D3D10DDIRESOURCE_TEXTURE2D:
		desc->target = array ? D3DGPU_TARGET_2D_ARRAY : D3DGPU_TARGET_2D;
		break;
	default:
		return -ENOTSUP;
	}
	desc->first_level = (uint8_t)tex->MostDetailedMip;
	desc->last_level = (uint8_t)(tex->MostDetailedMip + tex->MipLevels - 1);
	desc->first_layer = (uint16_t)tex->FirstArraySlice;
	desc->last_layer = (uint16_t)(tex->FirstArraySlice + tex->ArraySize - 1);
	return 0;
}

static SIZE_T calc_srv_size(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATESHADERRESOURCEVIEW *args)
{
	return sizeof(struct d3d11_srv);
}

static void create_srv(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATESHADERRESOURCEVIEW *args,
		       D3D10DDI_HSHADERRESOURCEVIEW hView, D3D10DDI_HRTSHADERRESOURCEVIEW hRTView)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_srv *srv = hView.pDrvPrivate;
	int err;

	*srv = (struct d3d11_srv){.resource = d3d11_resource(args->hDrvResource)};
	err = describe_view(srv->resource, args, &srv->desc);
	if (!err)
		err = gpu_view_create(dev->gpu, srv->resource->gpu, &srv->desc, &srv->view);
	d3d11_check(dev, err);
}

static void destroy_srv(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADERRESOURCEVIEW hView)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_srv *srv = hView.pDrvPrivate;

	for (unsigned stage = 0; stage < D3D11_STAGES; stage++)
		for (unsigned i = 0; i < D3D11_SRV_SLOTS; i++)
			if (dev->views[stage][i] == srv)
				dev->views[stage][i] = NULL;
	gpu_view_destroy(dev->gpu, srv->view);
	if (srv->array_view)
		gpu_view_destroy(dev->gpu, srv->array_view);
}

/* ---- render target views ---- */

static SIZE_T calc_rtv_size(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATERENDERTARGETVIEW *args)
{
	return sizeof(struct d3d11_rtv);
}

static void create_rtv(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATERENDERTARGETVIEW *args,
		       D3D10DDI_HRENDERTARGETVIEW hView, D3D10DDI_HRTRENDERTARGETVIEW hRTView)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_rtv *rtv = hView.pDrvPrivate;
	const struct d3d11_format *format = d3d11_format(args->Format);
	struct gpu_surface_desc desc = {.format = format ? format->color : 0};
	int err = -ENOTSUP;

	/* Texture1D, 2D, cube and 3D views have the same three numbers. */
	*rtv = (struct d3d11_rtv){.resource = d3d11_resource(args->hDrvResource),
				  .format = args->Format,
				  .level = args->Tex2D.MipSlice,
				  .first_layer = args->Tex2D.FirstArraySlice,
				  .layers = args->Tex2D.ArraySize};
	desc.level = (uint8_t)rtv->level;
	desc.first_layer = (uint16_t)rtv->first_layer;
	desc.last_layer = (uint16_t)(rtv->first_layer + rtv->layers - 1);
	if (args->ResourceDimension != D3D10DDIRESOURCE_BUFFER)
		err = gpu_surface_create(dev->gpu, rtv->resource->gpu, &desc, &rtv->surface);
	d3d11_check(dev, err);
}

static void destroy_rtv(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRENDERTARGETVIEW hView)
{
	gpu_surface_destroy(d3d11_device(hDevice)->gpu, ((struct d3d11_rtv *)hView.pDrvPrivate)->surface);
}

/* The colour is given as floats; integer formats take their integral part. */
static void color_bits(DXGI_FORMAT dxgi, const FLOAT color[4], uint32_t bits[4])
{
	const struct d3d11_format *format = d3d11_format(dxgi);

	for (int i = 0; i < 4; i++) {
		double value = color[i] == color[i] ? color[i] : 0;

		if (format && format->flags & D3D11_FORMAT_UINT)
			bits[i] = value <= 0 ? 0 : value >= UINT32_MAX ? UINT32_MAX : (uint32_t)value;
		else if (format && format->flags & D3D11_FORMAT_SINT)
			bits[i] = (uint32_t)(value <= INT32_MIN   ? INT32_MIN
					     : value >= INT32_MAX ? INT32_MAX
								  : (int32_t)value);
		else
			memcpy(&bits[i], &color[i], sizeof(bits[i]));
	}
}

static void clear_rtv(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRENDERTARGETVIEW hView, FLOAT pColorRGBA[4])
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_rtv *rtv = hView.pDrvPrivate;
	uint32_t bits[4];

	color_bits(rtv->format, pColorRGBA, bits);
	d3d11_check_lost(dev, gpu_clear_color(dev->gpu, rtv->surface, bits, 0, NULL));
}

static void clear_view(D3D10DDI_HDEVICE hDevice, D3D11DDI_HANDLETYPE HandleType, VOID *hView, const FLOAT Color[4],
		       const D3D10_DDI_RECT *pRect, UINT NumRects)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_rtv *rtv = hView;
	uint32_t bits[4];

	_Static_assert(sizeof(D3D10_DDI_RECT) == sizeof(struct gpu_rect), "both are left, top, right, bottom");
	if (HandleType != D3D10DDI_HT_RENDERTARGETVIEW)
		return;
	color_bits(rtv->format, Color, bits);
	d3d11_check_lost(dev, gpu_clear_color(dev->gpu, rtv->surface, bits, NumRects, (const struct gpu_rect *)pRect));
}

/* ---- depth-stencil views ---- */

static SIZE_T calc_dsv_size(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATEDEPTHSTENCILVIEW *args)
{
	return sizeof(struct d3d11_dsv);
}

static void create_dsv(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATEDEPTHSTENCILVIEW *args,
		       D3D10DDI_HDEPTHSTENCILVIEW hView, D3D10DDI_HRTDEPTHSTENCILVIEW hRTView)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_dsv *dsv = hView.pDrvPrivate;
	struct gpu_surface_desc desc = {
		.level = (uint8_t)args->Tex2D.MipSlice,
		.first_layer = (uint16_t)args->Tex2D.FirstArraySlice,
		.last_layer = (uint16_t)(args->Tex2D.FirstArraySlice + args->Tex2D.ArraySize - 1),
	};

	*dsv = (struct d3d11_dsv){
		.resource = d3d11_resource(args->hDrvResource), .flags = args->Flags, .level = desc.level};
	d3d11_check(dev, gpu_surface_create(dev->gpu, dsv->resource->gpu, &desc, &dsv->surface));
}

static void destroy_dsv(D3D10DDI_HDEVICE hDevice, D3D10DDI_HDEPTHSTENCILVIEW hView)
{
	gpu_surface_destroy(d3d11_device(hDevice)->gpu, ((struct d3d11_dsv *)hView.pDrvPrivate)->surface);
}

static void clear_dsv(D3D10DDI_HDEVICE hDevice, D3D10DDI_HDEPTHSTENCILVIEW hView, UINT Flags, FLOAT Depth,
		      UINT8 Stencil)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_dsv *dsv = hView.pDrvPrivate;
	uint32_t planes = 0;

	if (Flags & D3D10_DDI_CLEAR_DEPTH && !(dsv->flags & D3D11_DDI_CREATE_DSV_READ_ONLY_DEPTH))
		planes |= GPU_CLEAR_DEPTH;
	if (Flags & D3D10_DDI_CLEAR_STENCIL && !(dsv->flags & D3D11_DDI_CREATE_DSV_READ_ONLY_STENCIL))
		planes |= GPU_CLEAR_STENCIL;
	if (planes)
		d3d11_check_lost(dev, gpu_clear_depth_stencil(dev->gpu, dsv->surface, planes, Depth, Stencil, 0, NULL));
}

void d3d11_view_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateShaderResourceViewSize = calc_srv_size;
	table->pfnCreateShaderResourceView = create_srv;
	table->pfnDestroyShaderResourceView = destroy_srv;
	table->pfnCalcPrivateRenderTargetViewSize = calc_rtv_size;
	table->pfnCreateRenderTargetView = create_rtv;
	table->pfnDestroyRenderTargetView = destroy_rtv;
	table->pfnClearRenderTargetView = clear_rtv;
	table->pfnClearView = clear_view;
	table->pfnCalcPrivateDepthStencilViewSize = calc_dsv_size;
	table->pfnCreateDepthStencilView = create_dsv;
	table->pfnDestroyDepthStencilView = destroy_dsv;
	table->pfnClearDepthStencilView = clear_dsv;
}
