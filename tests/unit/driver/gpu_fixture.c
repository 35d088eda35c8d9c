/* SPDX-License-Identifier: MIT */
#include "gpu_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "null.h"
#include "tap.h"

static void must(int error, const char *what)
{
	if (error)
		tap_bail("%s: %s", what, strerror(-error));
}

struct gpu gpu_open_device(const char *caps)
{
	const char *which = getenv("D3DGPU_WINSYS");
	char message[512] = "";
	struct gpu gpu = {0};
	int error, fd;

	if (which && !strcmp(which, "drm")) {
		fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
		error = fd < 0 ? -errno : winsys_drm_open(fd, &gpu.ws);
		close(fd);
	} else {
		error = winsys_loopback_open(caps, &gpu.ws, message, sizeof(message));
	}
	if (error)
		tap_bail("no device: %s (%s)", message, strerror(-error));
	must(gpu_device_create(gpu.ws, &gpu.dev), "gpu_device_create");
	return gpu;
}

struct gpu gpu_open_null(uint32_t quirks)
{
	struct d3dgpu_caps caps;
	struct gpu gpu = {0};

	winsys_null_caps(&caps);
	caps.quirks = quirks;
	must(winsys_null_open(&caps, &gpu.ws), "winsys_null_open");
	must(gpu_device_create(gpu.ws, &gpu.dev), "gpu_device_create");
	return gpu;
}

void gpu_close(struct gpu *gpu)
{
	gpu_device_destroy(gpu->dev);
	gpu->ws->ops->destroy(gpu->ws);
}

struct gpu_resource *gpu_texture(struct gpu *gpu, uint32_t format, uint32_t width, uint32_t height, uint32_t levels,
				 uint32_t layers, uint32_t bind)
{
	struct d3dgpu_resource_desc desc = {
		.format = (uint16_t)format,
		.target = layers > 1 ? D3DGPU_TARGET_2D_ARRAY : D3DGPU_TARGET_2D,
		.bind = bind,
		.width = width,
		.height = (uint16_t)height,
		.depth = 1,
		.array_size = (uint16_t)layers,
		.last_level = (uint8_t)(levels - 1),
	};
	struct gpu_resource *res;

	must(gpu_resource_create(gpu->dev, &desc, GPU_USAGE_DEFAULT, &res), "texture");
	return res;
}

struct gpu_resource *gpu_target(struct gpu *gpu, uint32_t format, uint32_t width, uint32_t height)
{
	return gpu_texture(gpu, format, width, height, 1, 1, D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW);
}

struct gpu_resource *gpu_depth(struct gpu *gpu, uint32_t ds_format, uint32_t width, uint32_t height, uint32_t samples)
{
	struct d3dgpu_ds_mailbox ds = {
		.width = width,
		.height = height,
		.format = ds_format,
		.samples = samples,
		.layers = 1,
		.levels = 1,
	};
	struct gpu_resource *res;

	must(gpu_ds_create(gpu->dev, &ds, &res), "depth-stencil surface");
	return res;
}

struct gpu_resource *gpu_buffer(struct gpu *gpu, uint32_t bind, enum gpu_usage usage, uint32_t size, const void *data)
{
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = bind,
		.width = size,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	struct gpu_resource *res;

	must(gpu_resource_create(gpu->dev, &desc, usage, &res), "buffer");
	if (data)
		must(gpu_update(gpu->dev, res, 0, NULL, data, size, size), "buffer content");
	return res;
}

struct gpu_surface *gpu_surface(struct gpu *gpu, struct gpu_resource *res, uint32_t level, uint32_t layer)
{
	struct gpu_surface_desc desc = {
		.level = (uint8_t)level,
		.first_layer = (uint16_t)layer,
		.last_layer = (uint16_t)layer,
	};
	struct gpu_surface *surface;

	must(gpu_surface_create(gpu->dev, res, &desc, &surface), "surface");
	return surface;
}

struct gpu_view *gpu_view_of(struct gpu *gpu, struct gpu_resource *res)
{
	struct gpu_view_desc desc = {
		.target = res->desc.target,
		.last_level = (uint8_t)(res->levels - 1),
		.last_layer = (uint16_t)(res->layers - 1),
		.swizzle = {0, 1, 2, 3},
	};
	struct gpu_view *view;

	must(gpu_view_create(gpu->dev, res, &desc, &view), "view");
	return view;
}

struct gpu_shader *gpu_tgsi(struct gpu *gpu, enum shader_stage stage, const char *text)
{
	struct gpu_shader *shader;

	must(gpu_shader_create_tgsi(gpu->dev, stage, text, &shader), "shader");
	return shader;
}

void gpu_pixels(struct gpu *gpu, struct gpu_resource *res, uint32_t subresource, void *out, uint32_t row_bytes)
{
	struct gpu_mapping map;
	uint32_t height = d3dgpu_level_extent(res->desc.height, subresource % res->levels);

	must(gpu_map(gpu->dev, res, subresource, NULL, GPU_MAP_READ, &map), "map");
	for (uint32_t y = 0; y < height; y++)
		memcpy((char *)out + y * row_bytes, (char *)map.data + y * map.pitch, row_bytes);
	gpu_unmap(gpu->dev, res, subresource);
}

uint32_t gpu_pixel(struct gpu *gpu, struct gpu_resource *res, uint32_t subresource, uint32_t x, uint32_t y)
{
	struct gpu_box box = {x, y, 0, 1, 1, 1};
	struct gpu_mapping map;
	uint32_t value;

	must(gpu_map(gpu->dev, res, subresource, &box, GPU_MAP_READ, &map), "map of a pixel");
	memcpy(&value, map.data, sizeof(value));
	gpu_unmap(gpu->dev, res, subresource);
	return value;
}

struct gpu_plain gpu_plain_pipeline(struct gpu *gpu, struct gpu_surface *color, struct gpu_surface *depth, float width,
				    float height)
{
	static const char vertex[] = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
				     "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nEND\n";
	static const char pixel[] =
		"FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
	static const struct gpu_vertex_element elements[] = {
		{.format = D3DGPU_FMT_R32G32B32A32_FLOAT},
		{.offset = 16, .format = D3DGPU_FMT_R32G32B32A32_FLOAT},
	};
	struct gpu_rasterizer_desc rasterizer = {.cull = D3DGPU_CULL_NONE, .depth_clip = true, .multisample = true};
	struct gpu_depth_stencil_desc no_depth = {0};
	struct gpu_viewport viewport = {0, 0, width, height, 0, 1};
	struct gpu_plain plain;

	plain.vertex = gpu_tgsi(gpu, SHADER_VERTEX, vertex);
	plain.pixel = gpu_tgsi(gpu, SHADER_PIXEL, pixel);
	must(gpu_vertex_elements_create(gpu->dev, elements, 2, &plain.elements), "vertex elements");
	must(gpu_rasterizer_create(gpu->dev, &rasterizer, &plain.rasterizer), "rasterizer");
	must(gpu_depth_stencil_create(gpu->dev, &no_depth, &plain.no_depth), "depth-stencil state");
	gpu_set_shader(gpu->dev, SHADER_VERTEX, plain.vertex);
	gpu_set_shader(gpu->dev, SHADER_PIXEL, plain.pixel);
	gpu_set_vertex_elements(gpu->dev, plain.elements);
	gpu_set_rasterizer(gpu->dev, plain.rasterizer);
	if (!depth)
		gpu_set_depth_stencil(gpu->dev, plain.no_depth, 0, 0);
	gpu_set_targets(gpu->dev, color ? 1 : 0, &color, depth);
	gpu_set_viewports(gpu->dev, 1, &viewport);
	return plain;
}

void gpu_plain_destroy(struct gpu *gpu, struct gpu_plain *plain)
{
	gpu_shader_destroy(gpu->dev, plain->vertex);
	gpu_shader_destroy(gpu->dev, plain->pixel);
	gpu_vertex_elements_destroy(gpu->dev, plain->elements);
	gpu_rasterizer_destroy(gpu->dev, plain->rasterizer);
	gpu_depth_stencil_destroy(gpu->dev, plain->no_depth);
}
