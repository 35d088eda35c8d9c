/* SPDX-License-Identifier: MIT */
/* A texture that a context draws is shown without a copy of the processor's: the kernel brings its image up to date. */
#include <unistd.h>

#include <drm_fourcc.h>

#include "display.h"
#include "gpu.h"
#include "screen.h"
#include "tap.h"

static struct {
	struct display display;
	uint32_t ctx, width, height;
	struct gpu_bo commands, staging;
} state;

/* A context fills a texture with pixels that tell where they are. Nothing in its stream flushes it. */
static void draw(const struct gpu_bo *texture, uint32_t seed)
{
	struct drm_d3dgpu_submit_bo list[] = {{.handle = texture->handle, .flags = D3DGPU_SUBMIT_BO_WRITE},
					      {.handle = state.staging.handle}};
	uint32_t *pixels = state.staging.map;
	struct drm_d3dgpu_submit submit;
	size_t words;

	for (uint32_t y = 0; y < state.height; y++)
		for (uint32_t x = 0; x < state.width; x++)
			pixels[y * state.width + x] = display_colour(x, y, seed) & 0xffffff;
	words = gpu_put_upload(state.commands.map, texture->res_id, state.width, state.height, state.staging.res_id);
	submit = gpu_submit_args(state.ctx, &state.commands, (uint32_t)words, list, 2);
	tap_eq(gpu_submit(state.display.fd, &submit), 0, "a context draws a texture");
}

static void check(const char *name, const char *what)
{
	screen_check(name, state.display.head, state.width, state.height, state.staging.map, what);
}

int main(void)
{
	struct d3dgpu_resource_desc desc;
	struct gpu_bo textures[2];
	struct picture pictures[2] = {0};
	struct flip flip;
	int fd;

	state.display = display_open(0);
	fd = state.display.fd;
	state.ctx = gpu_ctx(fd);
	state.width = state.display.mode.hdisplay;
	state.height = state.display.mode.vdisplay;
	state.commands = gpu_staging(fd, 65536);
	state.staging = gpu_staging(fd, (uint64_t)state.width * state.height * 4);
	desc = gpu_texture_desc(state.width, state.height);
	for (unsigned i = 0; i < 2; i++) {
		if (gpu_resource_create(fd, &desc, &textures[i]) ||
		    display_add_fb(fd, state.width, state.height, DRM_FORMAT_XRGB8888, textures[i].handle,
				   d3dgpu_linear_pitch(&desc, 0), &pictures[i].fb))
			tap_bail("no texture as framebuffer");
	}
	draw(&textures[0], 3);
	tap_eq(display_show(&state.display, &pictures[0]), 0, "which is shown");
	check("scanout-first", "the host sees what was drawn");
	draw(&textures[1], 4);
	tap_ok(display_flip(&state.display, pictures[1].fb, 0, &flip), "a flip waits for what was drawn last");
	check("scanout-flipped", "and the host sees it");
	draw(&textures[1], 5);
	tap_eq(drmModeDirtyFB(fd, pictures[1].fb, NULL, 0), 0, "drawn anew while it is shown, and reported");
	check("scanout-again", "the host sees that, too");
	display_off(&state.display);
	for (unsigned i = 0; i < 2; i++) {
		drmModeRmFB(fd, pictures[i].fb);
		gpu_close(fd, textures[i].handle);
	}
	gpu_staging_end(fd, &state.commands);
	gpu_staging_end(fd, &state.staging);
	close(fd);
	return tap_done();
}
