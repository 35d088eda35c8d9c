/* SPDX-License-Identifier: MIT */
/* The page in which a program sees without a system call what is done, and which contexts are lost. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define PAGE 4096u

static volatile const struct drm_d3dgpu_progress *map_page(int fd)
{
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, D3DGPU_PROGRESS_OFFSET);

	if (page == MAP_FAILED)
		tap_bail("no progress page: %s", strerror(errno));
	return page;
}

static void unmap_page(volatile const struct drm_d3dgpu_progress *page)
{
	munmap((void *)page, PAGE);
}

/* A context, and the index of its entry. */
static uint32_t create_context(int fd, uint32_t *ctx)
{
	struct drm_d3dgpu_ctx_create create = {.priority = D3DGPU_PRIORITY_NORMAL};
	int error = gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &create);

	if (error)
		tap_bail("CTX_CREATE: %s", strerror(-error));
	*ctx = create.ctx_id;
	return create.progress;
}

static int refused(int fd, size_t size, int protection, int flags)
{
	return mmap(NULL, size, protection, flags, fd, D3DGPU_PROGRESS_OFFSET) == MAP_FAILED ? errno : 0;
}

static void test_mapping(int fd)
{
	volatile const struct drm_d3dgpu_progress *page = map_page(fd);

	tap_eq(mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE), -1, "it cannot be made writable");
	tap_eq(errno, EACCES, "EACCES");
	unmap_page(page);
	tap_eq(refused(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED), EACCES, "mapped to write: EACCES");
	tap_eq(refused(fd, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE), EACCES, "and as a private copy: EACCES");
	tap_eq(refused(fd, 2 * PAGE, PROT_READ, MAP_SHARED), EINVAL, "two pages: EINVAL");
}

static void test_submits(int fd)
{
	volatile const struct drm_d3dgpu_progress *page = map_page(fd), *mine;
	uint32_t ctx, index = create_context(fd, &ctx);
	unsigned same = 0;

	mine = &page[index];
	tap_ok(index < PAGE / sizeof(*page), "a context has an entry of the page");
	tap_eq(mine->completed, 0, "nothing is done in a new context");
	tap_eq(mine->status, 0, "and it is alive");
	for (unsigned i = 1; i <= 20; i++) {
		struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);

		if (gpu_run(fd, &submit))
			break;
		same += mine->completed == i && gpu_ctx_query(fd, ctx).completed == i;
	}
	tap_eq(same, 20, "when a fence is signalled its number is there, as CTX_QUERY has it");
	gpu_ctx_destroy(fd, ctx);
	unmap_page(page);
}

static void test_lost(int fd)
{
	volatile const struct drm_d3dgpu_progress *page = map_page(fd);
	struct gpu_bo commands = gpu_staging(fd, PAGE);
	uint32_t ctx, other_ctx, index = create_context(fd, &ctx), other = create_context(fd, &other_ctx);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, &commands, 2, NULL, 0);

	tap_ok(index != other, "two contexts have two entries");
	memset(commands.map, 0xff, PAGE);
	gpu_run(fd, &submit);
	tap_eq(page[index].completed, 1, "a stream that the engine refuses is done");
	tap_eq(page[index].status, D3DGPU_FAULT_BAD_STREAM, "and why its context is lost was there before");
	tap_eq(page[other].status, 0, "the other context is alive");
	gpu_ctx_destroy(fd, ctx);
	gpu_ctx_destroy(fd, other_ctx);
	gpu_staging_end(fd, &commands);
	unmap_page(page);
}

static void test_files(int fd)
{
	int second = gpu_open();
	volatile const struct drm_d3dgpu_progress *own, *theirs = map_page(second);
	uint32_t ctx, index = create_context(fd, &ctx);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);

	own = map_page(fd);
	tap_eq(gpu_run(fd, &submit), 0, "a submit of one file");
	tap_eq(own[index].completed, 1, "is in its page");
	tap_eq(theirs[index].completed, 0, "and in nobody else's");
	close(second);
	tap_eq(theirs[index].completed, 0, "a page stays readable after the file is closed");
	gpu_ctx_destroy(fd, ctx);
	unmap_page(own);
	unmap_page(theirs);
}

int main(void)
{
	int fd = gpu_open();

	test_mapping(fd);
	test_submits(fd);
	test_lost(fd);
	test_files(fd);
	close(fd);
	return tap_done();
}
