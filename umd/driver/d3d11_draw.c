/* SPDX-License-Identifier: MIT */
/* Draws. */
#include <errno.h>
#include <string.h>

#include "d3d11_front.h"

/* SV_VertexID counts from the base vertex: the shader subtracts it. */
static void set_base_vertex(struct d3d11_device *dev, int32_t base_vertex)
{
	float data[4] = {0};

	if (dev->base_vertex == base_vertex)
		return;
	memcpy(&data[0], &base_vertex, sizeof(base_vertex));
	gpu_set_system_constant(dev->gpu, SHADER_VERTEX, SHADER_SYS_DRAW, data);
	dev->base_vertex = base_vertex;
}

static void draw(struct d3d11_device *dev, struct gpu_draw *draw)
{
	if (!draw->count || !draw->instance_count || !d3d11_input_prepare(dev))
		return;
	d3d11_views_prepare(dev);
	draw->topology = dev->topology;
	draw->primitive_restart = draw->indexed && dev->strip;
	set_base_vertex(dev, draw->indexed ? draw->base_vertex : (int32_t)draw->start);
	d3d11_check_lost(dev, gpu_draw(dev->gpu, draw));
}

static void draw_plain(D3D10DDI_HDEVICE hDevice, UINT VertexCount, UINT StartVertexLocation)
{
	struct gpu_draw args = {.start = StartVertexLocation, .count = VertexCount, .instance_count = 1};

	draw(d3d11_device(hDevice), &args);
}

static void draw_indexed(D3D10DDI_HDEVICE hDevice, UINT IndexCount, UINT StartIndexLocation, INT BaseVertexLocation)
{
	struct gpu_draw args = {.indexed = true,
				.start = StartIndexLocation,
				.count = IndexCount,
				.instance_count = 1,
				.base_vertex = BaseVertexLocation};

	draw(d3d11_device(hDevice), &args);
}

static void draw_instanced(D3D10DDI_HDEVICE hDevice, UINT VertexCountPerInstance, UINT InstanceCount,
			   UINT StartVertexLocation, UINT StartInstanceLocation)
{
	struct gpu_draw args = {.start = StartVertexLocation,
				.count = VertexCountPerInstance,
				.instance_count = InstanceCount,
				.start_instance = StartInstanceLocation};

	draw(d3d11_device(hDevice), &args);
}

static void draw_indexed_instanced(D3D10DDI_HDEVICE hDevice, UINT IndexCountPerInstance, UINT InstanceCount,
				   UINT StartIndexLocation, INT BaseVertexLocation, UINT StartInstanceLocation)
{
	struct gpu_draw args = {.indexed = true,
				.start = StartIndexLocation,
				.count = IndexCountPerInstance,
				.instance_count = InstanceCount,
				.start_instance = StartInstanceLocation,
				.base_vertex = BaseVertexLocation};

	draw(d3d11_device(hDevice), &args);
}

void d3d11_draw_entries(D3D11_1DDI_DEVICEFUNCS *table)
{
	table->pfnDraw = draw_plain;
	table->pfnDrawIndexed = draw_indexed;
	table->pfnDrawInstanced = draw_instanced;
	table->pfnDrawIndexedInstanced = draw_indexed_instanced;
}
