/* SPDX-License-Identifier: MIT */
/* GEM_SHARE and GEM_OPEN: between files and processes; what is shared synchronises by itself. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define WIDTH 32
#define HEIGHT 32
#define BYTES (WIDTH * HEIGHT * 4)

static int share(int fd, uint32_t handle, uint64_t *token)
{
	struct drm_d3dgpu_gem_share args = {.handle = handle};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_SHARE, &args);

	*token = args.token;
	return ret;
}

static int open_token(int fd, uint64_t token, struct drm_d3dgpu_gem_open *args)
{
	*args = (struct drm_d3dgpu_gem_open){.token = token};
	return gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_OPEN, args);
}

static void test_tokens(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	struct drm_d3dgpu_gem_share bad_share;
	struct drm_d3dgpu_gem_open opened, bad_open;
	uint64_t token, again;
	int other = gpu_open();
	struct gpu_bo texture;

	if (gpu_resource_create(fd, &desc, &texture))
		tap_bail("no texture");
	bad_share = (struct drm_d3dgpu_gem_share){.handle = texture.handle, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_SHARE, &bad_share), -EINVAL, "share with padding: -EINVAL");
	tap_eq(share(fd, 4711, &token), -EINVAL, "share of no handle: -EINVAL");
	tap_eq(share(fd, texture.handle, &token), 0, "share a texture");
	tap_ok(token != 0, "its token is not 0");
	share(fd, texture.handle, &again);
	tap_eq(again, token, "the same object has the same token");

	bad_open = (struct drm_d3dgpu_gem_open){.token = token, .pad = 1};
	tap_eq(gpu_call(other, DRM_IOCTL_D3DGPU_GEM_OPEN, &bad_open), -EINVAL, "open with padding: -EINVAL");
	tap_eq(open_token(other, 0, &opened), -ENOENT, "open of token 0: -ENOENT");
	tap_eq(open_token(other, token + 1, &opened), -ENOENT, "open of an unknown token: -ENOENT");
	tap_eq(open_token(other, token, &opened), 0, "open it in another file");
	tap_eq(opened.kind, D3DGPU_KIND_RESOURCE, "its kind");
	tap_eq(opened.res_id, texture.res_id, "it is the same object");
	tap_eq(opened.size, texture.size, "its size");
	tap_mem(opened.desc, &desc, sizeof(desc), "its descriptor");

	gpu_close(fd, texture.handle);
	tap_eq(open_token(fd, token, &bad_open), 0, "the token holds while the other file has it");
	gpu_close(fd, bad_open.handle);
	gpu_close(other, opened.handle);
	tap_eq(open_token(fd, token, &bad_open), -ENOENT, "and not after the last handle: -ENOENT");
	close(other);
}

/* Writes a texture in one process, without waiting for it. */
static void write_shared(int fd, uint32_t ctx, const struct gpu_bo *texture, struct gpu_bo *from, struct gpu_bo *commands)
{
	struct drm_d3dgpu_submit_bo list[] = {
		{.handle = from->handle},
		{.handle = texture->handle, .flags = D3DGPU_SUBMIT_BO_WRITE},
	};
	uint32_t *words = commands->map;
	size_t count = gpu_put_nops(words, 500000);
	struct drm_d3dgpu_submit submit;

	for (unsigned i = 0; i < BYTES; i++)
		((uint8_t *)from->map)[i] = (uint8_t)(i * 7);
	count += gpu_put_upload(words + count, texture->res_id, WIDTH, HEIGHT, from->res_id);
	submit = gpu_submit_args(ctx, commands, (uint32_t)count, list, 2);
	tap_eq(gpu_submit(fd, &submit), 0, "one process writes a shared texture");
}

/* In the other process: a submit that only names the texture has to wait for its writer. Returns an exit status. */
static int wait_for_shared(uint64_t token)
{
	int fd = gpu_open();
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_gem_open opened;
	struct drm_d3dgpu_submit_bo list = {0};
	struct drm_d3dgpu_submit submit;

	if (open_token(fd, token, &opened))
		return 1;
	list.handle = opened.handle;
	submit = gpu_submit_args(ctx, NULL, 0, &list, 1);
	return gpu_run(fd, &submit) ? 2 : gpu_ctx_query(fd, ctx).status ? 3 : 0;
}

static void test_processes(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	struct gpu_bo from = gpu_staging(fd, BYTES), commands = gpu_staging(fd, 4u << 20), texture;
	uint32_t ctx = gpu_ctx(fd);
	uint64_t token;
	pid_t child;
	int status;

	if (gpu_resource_create(fd, &desc, &texture) || share(fd, texture.handle, &token))
		tap_bail("no shared texture");
	write_shared(fd, ctx, &texture, &from, &commands);
	child = fork();
	if (!child)
		_exit(wait_for_shared(token));
	waitpid(child, &status, 0);
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status), "another process submits with it (exit status %d)",
	       WEXITSTATUS(status));
	tap_eq(gpu_ctx_query(fd, ctx).completed, 1, "which ran only when the writer was done");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and well");
	gpu_close(fd, texture.handle);
	gpu_staging_end(fd, &from);
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, ctx);
}

/* As a dma-buf to the node with the display, and to nobody else. */
static void test_prime(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	struct drm_d3dgpu_gem_info info = {0};
	struct gpu_bo texture;
	int card = gpu_open_card(), buffer = -1;

	if (gpu_resource_create(fd, &desc, &texture))
		tap_bail("no texture");
	tap_eq(drmPrimeHandleToFD(fd, texture.handle, DRM_CLOEXEC | DRM_RDWR, &buffer), 0, "a texture as dma-buf");
	gpu_close(fd, texture.handle);
	tap_eq(drmPrimeFDToHandle(card, buffer, &info.handle), 0, "the node with the display takes it");
	tap_eq(gpu_call(card, DRM_IOCTL_D3DGPU_GEM_INFO, &info), 0, "it has a handle there");
	tap_eq(info.res_id, texture.res_id, "of the same object");
	tap_ok(mmap(NULL, 4096, PROT_READ, MAP_SHARED, buffer, 0) == MAP_FAILED, "the dma-buf is not mapped");
	close(buffer);
	close(card);
}

int main(void)
{
	int fd = gpu_open();

	test_tokens(fd);
	test_processes(fd);
	test_prime(fd);
	close(fd);
	return tap_done();
}
