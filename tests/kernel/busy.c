/* SPDX-License-Identifier: MIT */
#include "busy.h"

#include "tap.h"

#define COPIES 200000u		/* of 2 MiB or more each */

struct busy busy_begin(int fd, uint32_t width, uint32_t height, uint32_t syncobj)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(width, height);
	struct busy busy = {
		.ctx = gpu_ctx(fd),
		.buffer = gpu_staging(fd, (uint64_t)width * height * 4),
		.commands = gpu_staging(fd, COPIES * 60 + 4096),
	};
	struct drm_d3dgpu_sync out = {.handle = syncobj};
	struct drm_d3dgpu_submit_bo list[2];
	struct drm_d3dgpu_submit submit;
	size_t words = 0;

	if (gpu_resource_create(fd, &desc, &busy.texture))
		tap_bail("no texture");
	for (unsigned i = 0; i < COPIES; i++)
		words += gpu_put_upload((uint32_t *)busy.commands.map + words, busy.texture.res_id, width, height, busy.buffer.res_id);
	list[0] = (struct drm_d3dgpu_submit_bo){.handle = busy.buffer.handle};
	list[1] = (struct drm_d3dgpu_submit_bo){.handle = busy.texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	submit = gpu_submit_args(busy.ctx, &busy.commands, (uint32_t)words, list, 2);
	submit.out_syncs = (uintptr_t)&out;
	submit.out_sync_count = syncobj ? 1 : 0;
	tap_eq(gpu_submit(fd, &submit), 0, "a stream that copies for minutes is taken");
	return busy;
}

void busy_end(int fd, struct busy *busy)
{
	gpu_close(fd, busy->texture.handle);
	gpu_staging_end(fd, &busy->buffer);
	gpu_staging_end(fd, &busy->commands);
	gpu_ctx_destroy(fd, busy->ctx);
}
