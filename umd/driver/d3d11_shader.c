/* SPDX-License-Identifier: MIT */
/* Vertex and pixel shaders. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d11_front.h"

#define SYSTEM_VALUE_CLIP_DISTANCE 2u

static uint64_t last_serial;

static bool debug_shaders(void)
{
	const char *flags = getenv("D3DGPU_DEBUG");

	return flags && strstr(flags, "shaders");
}

/* Clip distances are numbered by register and component in the order of the signature. */
static uint8_t clip_planes_of(const struct shader_info *info)
{
	unsigned planes = 0;

	for (uint32_t i = 0; i < info->output_count; i++)
		if (info->outputs[i].system_value == SYSTEM_VALUE_CLIP_DISTANCE)
			planes += (unsigned)__builtin_popcount(info->outputs[i].mask & 15u);
	return (uint8_t)((1u << planes) - 1);
}

static SIZE_T calc_shader_size(D3D10DDI_HDEVICE hDevice, const UINT *pShaderCode,
			       const D3D11_1DDIARG_STAGE_IO_SIGNATURES *pSignatures)
{
	return sizeof(struct d3d11_shader);
}

static void create_shader(D3D10DDI_HDEVICE hDevice, const UINT *pShaderCode, D3D10DDI_HSHADER hShader,
			  D3D10DDI_HRTSHADER hRTShader, const D3D11_1DDIARG_STAGE_IO_SIGNATURES *pSignatures)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_shader *shader = hShader.pDrvPrivate;
	char message[256] = "";
	size_t size = 0;
	void *container = d3d11_container(pShaderCode, pSignatures, &size);
	int err = -ENOMEM;

	*shader = (struct d3d11_shader){.serial = __atomic_add_fetch(&last_serial, 1, __ATOMIC_RELAXED)};
	if (container)
		err = gpu_shader_create(dev->gpu, container, size, &shader->gpu, message, sizeof(message));
	free(container);
	if (err && debug_shaders())
		fprintf(stderr, "d3dgpu: shader refused: %s\n", message);
	if (err == -ENOTSUP || err == -EINVAL) {
		dev->callbacks->pfnSetErrorCb(dev->core, DXGI_DDI_ERR_UNSUPPORTED);
		return;
	}
	if (d3d11_check(dev, err))
		shader->clip_planes = clip_planes_of(gpu_shader_info(shader->gpu));
}

static void destroy_shader(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADER hShader)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_shader *shader = hShader.pDrvPrivate;

	for (unsigned stage = 0; stage < D3D11_STAGES; stage++)
		if (dev->shaders[stage] == shader)
			dev->shaders[stage] = NULL;
	gpu_shader_destroy(dev->gpu, shader->gpu);
}

static void set_shader(struct d3d11_device *dev, enum shader_stage stage, D3D10DDI_HSHADER hShader, uint32_t dirty)
{
	struct d3d11_shader *shader = hShader.pDrvPrivate;

	dev->shaders[stage] = shader;
	dev->dirty |= dirty;
	gpu_set_shader(dev->gpu, stage, shader ? shader->gpu : NULL);
}

static void vs_set_shader(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADER hShader)
{
	set_shader(d3d11_device(hDevice), SHADER_VERTEX, hShader,
		   D3D11_DIRTY_LAYOUT | D3D11_DIRTY_RASTERIZER | D3D11_DIRTY_VERTEX_VIEWS);
}

static void ps_set_shader(D3D10DDI_HDEVICE hDevice, D3D10DDI_HSHADER hShader)
{
	set_shader(d3d11_device(hDevice), SHADER_PIXEL, hShader, D3D11_DIRTY_PIXEL_VIEWS);
}

void d3d11_shader_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateShaderSize = calc_shader_size;
	table->pfnCreateVertexShader = create_shader;
	table->pfnCreatePixelShader = create_shader;
	table->pfnDestroyShader = destroy_shader;
	table->pfnVsSetShader = vs_set_shader;
	table->pfnPsSetShader = ps_set_shader;
}
