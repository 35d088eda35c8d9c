/* SPDX-License-Identifier: MIT */
/* CTX_CREATE, CTX_DESTROY, CTX_QUERY. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define MANY 12

static void test_life(int fd)
{
	struct drm_d3dgpu_ctx_query query;
	uint32_t ctx;

	if (!tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &ctx), 0, "create a context"))
		return;
	tap_ok(ctx != 0, "its id is not 0");
	query = gpu_ctx_query(fd, ctx);
	tap_eq(query.status, 0, "it is alive");
	tap_eq(query.submitted, 0, "nothing was submitted");
	tap_eq(query.completed, 0, "nothing was completed");
	tap_eq(gpu_ctx_destroy(fd, ctx), 0, "destroy it");
	tap_eq(gpu_ctx_destroy(fd, ctx), -ENOENT, "again: -ENOENT");
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &(struct drm_d3dgpu_ctx_query){.ctx_id = ctx}), -ENOENT,
	       "query: -ENOENT");
}

static void test_bad_fields(int fd)
{
	struct drm_d3dgpu_ctx_create create = {.priority = D3DGPU_PRIORITY_NORMAL, .flags = 1};
	struct drm_d3dgpu_ctx_destroy destroy;
	uint32_t ctx = gpu_ctx(fd);

	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &create), -EINVAL, "create with a flag: -EINVAL");
	create = (struct drm_d3dgpu_ctx_create){.priority = D3DGPU_PRIORITY_NORMAL, .progress = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &create), -EINVAL, "create with an answer: -EINVAL");
	create = (struct drm_d3dgpu_ctx_create){.priority = D3DGPU_PRIORITY_COUNT};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &create), -EINVAL, "create with an unknown priority: -EINVAL");

	destroy = (struct drm_d3dgpu_ctx_destroy){.ctx_id = ctx, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_DESTROY, &destroy), -EINVAL, "destroy with padding: -EINVAL");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and the context lives");
	tap_eq(gpu_ctx_destroy(fd, 0), -ENOENT, "destroy of 0: -ENOENT");
	tap_eq(gpu_ctx_destroy(fd, ctx + 1000), -ENOENT, "destroy of an unknown one: -ENOENT");
	gpu_ctx_destroy(fd, ctx);
}

static void test_priorities(int fd)
{
	uint32_t ctx;

	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_LOW, &ctx), 0, "low priority");
	gpu_ctx_destroy(fd, ctx);
	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_HIGH, &ctx), 0, "root may have high priority");
	gpu_ctx_destroy(fd, ctx);
	if (seteuid(65534))
		tap_bail("seteuid: %s", strerror(errno));
	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_HIGH, &ctx), -EACCES, "others may not: -EACCES");
	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &ctx), 0, "but normal they may");
	if (seteuid(0))
		tap_bail("seteuid: %s", strerror(errno));
	gpu_ctx_destroy(fd, ctx);
}

static void test_files(int fd)
{
	int other = gpu_open();
	uint32_t ctx = gpu_ctx(fd);

	tap_eq(gpu_ctx_destroy(other, ctx), -ENOENT, "another file does not have this context");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and it lives");
	close(other);
	gpu_ctx_destroy(fd, ctx);
}

static void test_many(int fd)
{
	uint32_t ctx[MANY];
	unsigned made = 0, works = 0;

	while (made < MANY && !gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &ctx[made]))
		made++;
	tap_eq(made, MANY, "%u contexts at a time", MANY);
	for (unsigned i = 0; i < made; i++) {
		struct drm_d3dgpu_submit submit = gpu_submit_args(ctx[i], NULL, 0, NULL, 0);

		works += !gpu_run(fd, &submit);
	}
	tap_eq(works, made, "all of them complete a fence");
	for (unsigned i = 0; i < made; i++)
		gpu_ctx_destroy(fd, ctx[i]);
}

int main(void)
{
	int fd = gpu_open();

	test_life(fd);
	test_bad_fields(fd);
	test_priorities(fd);
	test_files(fd);
	test_many(fd);
	close(fd);
	return tap_done();
}
