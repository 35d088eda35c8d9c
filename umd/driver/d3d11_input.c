/* SPDX-License-Identifier: MIT */
/* Input assembly: element layouts, vertex and index buffers, topology. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "d3d11_front.h"

static SIZE_T calc_layout_size(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATEELEMENTLAYOUT *args)
{
	return sizeof(struct d3d11_layout);
}

static void create_layout(D3D10DDI_HDEVICE hDevice, const D3D10DDIARG_CREATEELEMENTLAYOUT *args,
			  D3D10DDI_HELEMENTLAYOUT hLayout, D3D10DDI_HRTELEMENTLAYOUT hRTLayout)
{
	struct d3d11_layout *layout = hLayout.pDrvPrivate;

	*layout = (struct d3d11_layout){.count = args->NumElements};
	if (args->NumElements > sizeof(layout->elements) / sizeof(layout->elements[0]))
		d3d11_check(d3d11_device(hDevice), -EINVAL);
	else
		memcpy(layout->elements, args->pVertexElements, args->NumElements * sizeof(layout->elements[0]));
}

static void destroy_layout(D3D10DDI_HDEVICE hDevice, D3D10DDI_HELEMENTLAYOUT hLayout)
{
	struct d3d11_device *dev = d3d11_device(hDevice);
	struct d3d11_layout *layout = hLayout.pDrvPrivate;

	if (dev->layout == layout)
		dev->layout = NULL;
	for (unsigned i = 0; i < layout->variant_count; i++)
		gpu_vertex_elements_destroy(dev->gpu, layout->variants[i].elements);
	free(layout->variants);
}

static const D3D10DDIARG_INPUT_ELEMENT_DESC *find_element(const struct d3d11_layout *layout, uint32_t reg)
{
	for (unsigned i = 0; layout && i < layout->count; i++)
		if (layout->elements[i].InputRegister == reg)
			return &layout->elements[i];
	return NULL;
}

/* Element i feeds input i of the shader. false: the layout lacks an input that the shader reads. */
static bool collect_elements(const struct d3d11_layout *layout, const struct shader_info *info,
			     struct gpu_vertex_element elements[SHADER_MAX_INPUTS])
{
	for (uint32_t i = 0; i < info->input_count; i++) {
		const D3D10DDIARG_INPUT_ELEMENT_DESC *element = find_element(layout, info->inputs[i].reg);
		const struct d3d11_format *format = element ? d3d11_format(element->Format) : NULL;

		if (!format)
			return false;
		elements[i] = (struct gpu_vertex_element){
			.offset = (uint16_t)element->AlignedByteOffset,
			.buffer = (uint8_t)element->InputSlot,
			.format = format->color,
		};
		if (element->InputSlotClass == D3D10_DDI_INPUT_PER_INSTANCE_DATA)
			elements[i].divisor =
				element->InstanceDataStepRate ? element->InstanceDataStepRate : UINT32_MAX;
	}
	return true;
}

static struct gpu_vertex_elements *create_variant(struct d3d11_device *dev, struct d3d11_layout *layout,
						  const struct d3d11_shader *shader)
{
	const struct shader_info *info = gpu_shader_info(shader->gpu);
	struct gpu_vertex_element elements[SHADER_MAX_INPUTS];
	struct gpu_vertex_elements *gpu;

	if (!collect_elements(layout, info, elements))
		return NULL;
	if (layout->variant_count == layout->variant_capacity) {
		unsigned capacity = layout->variant_capacity ? layout->variant_capacity * 2 : 4;
		void *grown = realloc(layout->variants, capacity * sizeof(layout->variants[0]));

		if (!grown)
			return NULL;
		layout->variants = grown;
		layout->variant_capacity = capacity;
	}
	if (gpu_vertex_elements_create(dev->gpu, elements, info->input_count, &gpu))
		return NULL;
	layout->variants[layout->variant_count++] = (struct d3d11_layout_variant){shader->serial, gpu};
	return gpu;
}

/* Without a layout only shaders without inputs draw. */
static bool prepare_layout(struct d3d11_device *dev)
{
	struct d3d11_layout *layout = dev->layout;
	const struct d3d11_shader *shader = dev->shaders[SHADER_VERTEX];
	struct gpu_vertex_elements *elements = NULL;

	if (!shader)
		return false;
	if (!layout) {
		gpu_set_vertex_elements(dev->gpu, NULL);
		return !gpu_shader_info(shader->gpu)->input_count;
	}
	for (unsigned i = 0; i < layout->variant_count && !elements; i++)
		if (layout->variants[i].shader == shader->serial)
			elements = layout->variants[i].elements;
	if (!elements)
		elements = create_variant(dev, layout, shader);
	if (elements)
		gpu_set_vertex_elements(dev->gpu, elements);
	return elements;
}

static void prepare_rasterizer(struct d3d11_device *dev)
{
	struct gpu_rasterizer_desc desc;

	if (!dev->rasterizer)
		return;
	desc = dev->rasterizer->desc;
	desc.clip_planes = dev->shaders[SHADER_VERTEX]->clip_planes;
	gpu_set_rasterizer(dev->gpu, gpu_rasterizer_get(dev->gpu, &desc));
}

bool d3d11_input_prepare(struct d3d11_device *dev)
{
	if (!dev->topology_known)
		return false;
	if (dev->dirty & D3D11_DIRTY_LAYOUT && !prepare_layout(dev))
		return false;
	if (dev->dirty & D3D11_DIRTY_RASTERIZER)
		prepare_rasterizer(dev);
	dev->dirty &= ~(uint32_t)(D3D11_DIRTY_LAYOUT | D3D11_DIRTY_RASTERIZER);
	return true;
}

static void set_layout(D3D10DDI_HDEVICE hDevice, D3D10DDI_HELEMENTLAYOUT hLayout)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	dev->layout = hLayout.pDrvPrivate;
	dev->dirty |= D3D11_DIRTY_LAYOUT;
}

static void set_vertex_buffers(D3D10DDI_HDEVICE hDevice, UINT StartBuffer, UINT NumBuffers,
			       const D3D10DDI_HRESOURCE *phBuffers, const UINT *pStrides, const UINT *pOffsets)
{
	struct d3d11_device *dev = d3d11_device(hDevice);

	for (UINT i = 0; i < NumBuffers && StartBuffer + i < GPU_MAX_VERTEX_BUFFERS; i++) {
		struct d3d11_resource *res = d3d11_resource(phBuffers[i]);

		gpu_set_vertex_buffer(dev->gpu, StartBuffer + i, res ? res->gpu : NULL, pStrides[i], pOffsets[i]);
	}
}

static void set_index_buffer(D3D10DDI_HDEVICE hDevice, D3D10DDI_HRESOURCE hBuffer, DXGI_FORMAT Format, UINT Offset)
{
	struct d3d11_resource *res = d3d11_resource(hBuffer);

	gpu_set_index_buffer(d3d11_device(hDevice)->gpu, res ? res->gpu : NULL, Format == DXGI_FORMAT_R32_UINT ? 4 : 2,
			     Offset);
}

static void set_topology(D3D10DDI_HDEVICE hDevice, D3D10_DDI_PRIMITIVE_TOPOLOGY topology)
{
	static const uint8_t primitives[] = {
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_POINTLIST] = D3DGPU_PRIM_POINTS,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_LINELIST] = D3DGPU_PRIM_LINES,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_LINESTRIP] = D3DGPU_PRIM_LINE_STRIP,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLELIST] = D3DGPU_PRIM_TRIANGLES,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP] = D3DGPU_PRIM_TRIANGLE_STRIP,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_LINELIST_ADJ] = D3DGPU_PRIM_LINES_ADJACENCY,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ] = D3DGPU_PRIM_LINE_STRIP_ADJACENCY,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLELIST_ADJ] = D3DGPU_PRIM_TRIANGLES_ADJACENCY,
		[D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ] = D3DGPU_PRIM_TRIANGLE_STRIP_ADJACENCY,
	};
	struct d3d11_device *dev = d3d11_device(hDevice);

	/* Patch lists need the tessellation stages, which are not built. */
	dev->topology_known = topology > D3D10_DDI_PRIMITIVE_TOPOLOGY_UNDEFINED &&
			      topology <= D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ;
	if (!dev->topology_known)
		return;
	dev->topology = primitives[topology];
	dev->strip = topology == D3D10_DDI_PRIMITIVE_TOPOLOGY_LINESTRIP ||
		     topology == D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP ||
		     topology == D3D10_DDI_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ ||
		     topology == D3D10_DDI_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ;
}

void d3d11_input_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnCalcPrivateElementLayoutSize = calc_layout_size;
	table->pfnCreateElementLayout = create_layout;
	table->pfnDestroyElementLayout = destroy_layout;
	table->pfnIaSetInputLayout = set_layout;
	table->pfnIaSetVertexBuffers = set_vertex_buffers;
	table->pfnIaSetIndexBuffer = set_index_buffer;
	table->pfnIaSetTopology = set_topology;
}
