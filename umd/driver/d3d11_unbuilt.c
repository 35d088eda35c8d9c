/* SPDX-License-Identifier: MIT */
/*
 * Stages and objects that the driver does not have yet: geometry, hull, domain and compute shaders, unordered access
 * views. Their creation reports DXGI_DDI_ERR_UNSUPPORTED; the entries that would use such objects stay NULL, because a
 * runtime has nothing to call them with. So do deferred contexts: the threading caps say that there are none.
 */
#include "d3d11_front.h"

static void refuse(D3D10DDI_HDEVICE hDevice)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	dev->callbacks->pfnSetErrorCb(dev->core, DXGI_DDI_ERR_UNSUPPORTED);
}

static void create_geometry_shader(D3D10DDI_HDEVICE hDevice, const UINT *pShaderCode, D3D10DDI_HSHADER hShader,
				   D3D10DDI_HRTSHADER hRTShader, const D3D11_1DDIARG_STAGE_IO_SIGNATURES *pSignatures)
{
	refuse(hDevice);
}

static SIZE_T calc_stream_output_size(D3D10DDI_HDEVICE hDevice,
				      const D3D11DDIARG_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT *pOutput,
				      const D3D11_1DDIARG_STAGE_IO_SIGNATURES *pSignatures)
{
	return sizeof(struct d3d11_shader);
}

static void create_stream_output(D3D10DDI_HDEVICE hDevice,
				 const D3D11DDIARG_CREATEGEOMETRYSHADERWITHSTREAMOUTPUT *pOutput,
				 D3D10DDI_HSHADER hShader, D3D10DDI_HRTSHADER hRTShader,
				 const D3D11_1DDIARG_STAGE_IO_SIGNATURES *pSignatures)
{
	refuse(hDevice);
}

static SIZE_T calc_tessellation_size(D3D10DDI_HDEVICE hDevice, const UINT *pShaderCode,
				     const D3D11_1DDIARG_TESSELLATION_IO_SIGNATURES *pSignatures)
{
	return sizeof(struct d3d11_shader);
}

static void create_tessellation_shader(D3D10DDI_HDEVICE hDevice, const UINT *pShaderCode, D3D10DDI_HSHADER hShader,
				       D3D10DDI_HRTSHADER hRTShader,
				       const D3D11_1DDIARG_TESSELLATION_IO_SIGNATURES *pSignatures)
{
	refuse(hDevice);
}

static void create_compute_shader(D3D10DDI_HDEVICE hDevice, const UINT *pCode, D3D10DDI_HSHADER hShader,
				  D3D10DDI_HRTSHADER hRTShader)
{
	refuse(hDevice);
}

static SIZE_T calc_uav_size(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATEUNORDEREDACCESSVIEW *args)
{
	return sizeof(void *);
}

static void create_uav(D3D10DDI_HDEVICE hDevice, const D3D11DDIARG_CREATEUNORDEREDACCESSVIEW *args,
		       D3D11DDI_HUNORDEREDACCESSVIEW hView, D3D11DDI_HRTUNORDEREDACCESSVIEW hRTView)
{
	refuse(hDevice);
}

void d3d11_unbuilt_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCreateGeometryShader = create_geometry_shader;
	table->pfnCalcPrivateGeometryShaderWithStreamOutput = calc_stream_output_size;
	table->pfnCreateGeometryShaderWithStreamOutput = create_stream_output;
	table->pfnCalcPrivateTessellationShaderSize = calc_tessellation_size;
	table->pfnCreateHullShader = create_tessellation_shader;
	table->pfnCreateDomainShader = create_tessellation_shader;
	table->pfnCreateComputeShader = create_compute_shader;
	table->pfnCalcPrivateUnorderedAccessViewSize = calc_uav_size;
	table->pfnCreateUnorderedAccessView = create_uav;
}
