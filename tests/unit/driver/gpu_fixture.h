/* SPDX-License-Identifier: MIT */
/* A device with a small render target, and short ways to make what tests need. Failures to create anything end the
 * program. */
#ifndef D3DGPU_TESTS_GPU_FIXTURE_H
#define D3DGPU_TESTS_GPU_FIXTURE_H

#include "pipeline.h"

struct gpu {
	struct winsys *ws;
	struct gpu_device *dev;
};

/* On the loopback device; caps = D3DGPU_CAPS text or NULL. With D3DGPU_WINSYS=drm on the first render node,
 * as it is. */
struct gpu gpu_open_device(const char *caps);
/* On the null winsys, with its own capabilities plus quirks. */
struct gpu gpu_open_null(uint32_t quirks);
void gpu_close(struct gpu *gpu);

struct gpu_resource *gpu_texture(struct gpu *gpu, uint32_t format, uint32_t width, uint32_t height, uint32_t levels,
				 uint32_t layers, uint32_t bind);
struct gpu_resource *gpu_target(struct gpu *gpu, uint32_t format, uint32_t width, uint32_t height);
struct gpu_resource *gpu_depth(struct gpu *gpu, uint32_t ds_format, uint32_t width, uint32_t height, uint32_t samples);
/* data may be NULL. */
struct gpu_resource *gpu_buffer(struct gpu *gpu, uint32_t bind, enum gpu_usage usage, uint32_t size, const void *data);
struct gpu_surface *gpu_surface(struct gpu *gpu, struct gpu_resource *res, uint32_t level, uint32_t layer);
struct gpu_view *gpu_view_of(struct gpu *gpu, struct gpu_resource *res);
struct gpu_shader *gpu_tgsi(struct gpu *gpu, enum shader_stage stage, const char *text);
/* One dword of a 32-bit texel. */
uint32_t gpu_pixel(struct gpu *gpu, struct gpu_resource *res, uint32_t subresource, uint32_t x, uint32_t y);
void gpu_pixels(struct gpu *gpu, struct gpu_resource *res, uint32_t subresource, void *out, uint32_t row_bytes);

/* Binds shaders that draw position (R32G32B32A32 at 0) with a colour (R32G32B32A32 at 16), and full-size viewport. */
struct gpu_plain {
	struct gpu_shader *vertex, *pixel;
	struct gpu_vertex_elements *elements;
	struct gpu_rasterizer *rasterizer;
	struct gpu_depth_stencil *no_depth;
};
struct gpu_plain gpu_plain_pipeline(struct gpu *gpu, struct gpu_surface *color, struct gpu_surface *depth, float width,
				    float height);
void gpu_plain_destroy(struct gpu *gpu, struct gpu_plain *plain);

struct gpu_vertex { float position[4], color[4]; };

#endif
