/* SPDX-License-Identifier: MIT */
#include "pipeline_private.h"

#include <errno.h>

static int check_draw(const struct gpu_device *dev, const struct gpu_draw *draw)
{
	const struct gpu_shader *vertex = dev->stages[SHADER_VERTEX].shader;

	if (!vertex || draw->topology >= D3DGPU_PRIM_COUNT ||
	    (draw->topology > D3DGPU_PRIM_TRIANGLE_FAN && draw->topology < D3DGPU_PRIM_LINES_ADJACENCY))
		return -EINVAL;
	if (draw->topology == D3DGPU_PRIM_PATCHES)
		return -ENOTSUP; /* tessellation is not built yet */
	if (gpu_shader_info(vertex)->input_count && !dev->vertex_elements)
		return -EINVAL;
	if (dev->vertex_elements && dev->vertex_elements->count < gpu_shader_info(vertex)->input_count)
		return -EINVAL;
	if (draw->indexed && (!dev->index_buffer || (dev->index_size != 2 && dev->index_size != 4)))
		return -EINVAL;
	return 0;
}

int gpu_draw(struct gpu_device *dev, const struct gpu_draw *draw)
{
	struct stream_draw packed = {
		.start = draw->indexed ? 0 : draw->start,
		.count = draw->count,
		.mode = draw->topology,
		.indexed = draw->indexed,
		.instances = draw->instance_count,
		.index_bias = draw->indexed ? draw->base_vertex : 0,
		.start_instance = draw->start_instance,
		.restart = draw->indexed && draw->primitive_restart,
		.restart_index = dev->index_size == 2 ? 0xffff : 0xffffffff,
	};
	int error = check_draw(dev, draw);

	if (error)
		return error;
	if (!draw->count || !draw->instance_count)
		return 0;
	error = emit_state(dev, draw);
	if (error)
		return error;
	stream_draw(&dev->stream, &packed);
	dev->stats.draws++;
	return dev->stream.error;
}
