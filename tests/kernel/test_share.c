/* SPDX-License-Identifier: MIT */
/*
 * GEM_SHARE and GEM_OPEN: between files and processes. What is shared synchronises by itself, and what one context has written,
 * another reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "content.h"
#include "tap.h"

#define WIDTH 32
#define HEIGHT 32
#define BYTES (WIDTH * HEIGHT * 4)
#define ROUNDS 50

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

/* A dma-buf of another driver, whose memory the GPU does not reach. */
static int foreign_buffer(int vgem)
{
	struct drm_mode_create_dumb create = {.width = 64, .height = 64, .bpp = 32};
	int buffer;

	if (gpu_call(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create) ||
	    drmPrimeHandleToFD(vgem, create.handle, DRM_CLOEXEC | DRM_RDWR, &buffer))
		tap_bail("vgem gives no dma-buf");
	return buffer;
}

static void test_foreign(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	struct gpu_bo texture;
	int vgem, buffer;
	uint32_t handle;

	tap_eq(system("modprobe vgem"), 0, "load another driver");
	vgem = drmOpen("vgem", NULL);
	if (vgem < 0)
		tap_bail("no vgem");
	buffer = foreign_buffer(vgem);
	tap_eq(drmPrimeFDToHandle(fd, buffer, &handle) ? errno : 0, EINVAL, "its dma-buf is refused: -EINVAL");
	close(buffer);
	if (gpu_resource_create(fd, &desc, &texture) || drmPrimeHandleToFD(fd, texture.handle, DRM_CLOEXEC, &buffer))
		tap_bail("no dma-buf of a texture");
	tap_ok(drmPrimeFDToHandle(vgem, buffer, &handle) < 0, "it does not get ours");
	close(buffer);
	gpu_close(fd, texture.handle);
	close(vgem);
}

/* By the old names of GEM, which only the node with the display has. */
static void test_names(void)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(WIDTH, HEIGHT);
	int card = gpu_open_card(), other = gpu_open_card();
	struct drm_d3dgpu_gem_info info = {0};
	struct drm_gem_flink flink = {0};
	struct drm_gem_open open = {0};
	struct gpu_bo texture;

	if (gpu_resource_create(card, &desc, &texture))
		tap_bail("no texture");
	info.handle = flink.handle = texture.handle;
	gpu_call(card, DRM_IOCTL_D3DGPU_GEM_INFO, &info);
	tap_eq(info.flags & D3DGPU_INFO_SHARED, 0, "a new texture is private");
	tap_eq(gpu_call(card, DRM_IOCTL_GEM_FLINK, &flink), 0, "GEM_FLINK gives it a name");
	open.name = flink.name;
	tap_eq(gpu_call(other, DRM_IOCTL_GEM_OPEN, &open), 0, "another file opens it");
	gpu_call(card, DRM_IOCTL_D3DGPU_GEM_INFO, &info);
	tap_ok(info.flags & D3DGPU_INFO_SHARED, "from then on submits synchronise on it");
	close(other);
	close(card);
}

/* ---- content ---- */

/* Two contexts in turn: each reads what the other has written, and writes. */
static void ping_pong(struct content_mover movers[2], const struct gpu_bo bos[2], const char *name)
{
	unsigned right = 0, written = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		written += !content_write(&movers[i % 2], CONTENT_PLAIN, &bos[i % 2], i);
		right += content_matches(&movers[(i + 1) % 2], CONTENT_PLAIN, &bos[(i + 1) % 2], i);
	}
	tap_eq(written, ROUNDS, "two contexts of %s write a texture in turn", name);
	tap_eq(right, ROUNDS, "and each reads what the other has written");
}

static void test_contexts(int fd)
{
	struct content_mover movers[2] = {content_mover_begin(fd), content_mover_begin(fd)};
	struct gpu_bo bos[2];

	if (content_create(fd, CONTENT_PLAIN, &bos[0]))
		tap_bail("no texture");
	bos[1] = bos[0];
	ping_pong(movers, bos, "one file");
	gpu_close(fd, bos[0].handle);
	content_mover_end(&movers[0]);
	content_mover_end(&movers[1]);
}

static void test_files(int fd)
{
	int other = gpu_open();
	struct content_mover movers[2] = {content_mover_begin(fd), content_mover_begin(other)};
	struct drm_d3dgpu_gem_open opened;
	struct gpu_bo bos[2];
	uint64_t token;

	if (content_create(fd, CONTENT_PLAIN, &bos[0]) || share(fd, bos[0].handle, &token) || open_token(other, token, &opened))
		tap_bail("no shared texture");
	bos[1] = (struct gpu_bo){.handle = opened.handle, .res_id = opened.res_id, .size = opened.size};
	ping_pong(movers, bos, "two files");
	gpu_close(fd, bos[0].handle);
	content_mover_end(&movers[0]);
	tap_ok(content_matches(&movers[1], CONTENT_PLAIN, &bos[1], ROUNDS - 1), "the content stays when the owner has closed it");
	content_mover_end(&movers[1]);
	close(other);
}

/* In a process of its own: writes a texture and says its token. It ends when the parent has opened it. */
static void write_and_leave(int to_parent, int from_parent, uint32_t seed)
{
	int fd = gpu_open();
	struct content_mover mover = content_mover_begin(fd);
	uint64_t token = 0;
	struct gpu_bo bo;

	if (content_create(fd, CONTENT_PLAIN, &bo) || share(fd, bo.handle, &token) || content_write(&mover, CONTENT_PLAIN, &bo, seed))
		_exit(1);
	_exit(write(to_parent, &token, sizeof(token)) != sizeof(token) || read(from_parent, &token, 1) != 1);
}

static void test_legacy(int fd)
{
	struct content_mover mover = content_mover_begin(fd);
	struct drm_d3dgpu_gem_open opened = {0};
	int up[2], down[2], status;
	uint64_t token = 0;
	struct gpu_bo bo;
	pid_t child;

	if (pipe(up) || pipe(down))
		tap_bail("no pipes");
	child = fork();
	if (!child)
		write_and_leave(up[1], down[0], 4242);
	tap_eq(read(up[0], &token, sizeof(token)), sizeof(token), "another process writes a texture and shares it");
	tap_eq(open_token(fd, token, &opened), 0, "this one opens it");
	bo = (struct gpu_bo){.handle = opened.handle, .res_id = opened.res_id, .size = opened.size};
	tap_eq(write(down[1], "x", 1), 1, "then the other ends");
	waitpid(child, &status, 0);
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status), "without destroying anything");
	tap_ok(content_matches(&mover, CONTENT_PLAIN, &bo, 4242), "and what it had written is there");
	gpu_close(fd, bo.handle);
	content_mover_end(&mover);
	for (unsigned i = 0; i < 2; i++) {
		close(up[i]);
		close(down[i]);
	}
}

/* A context that is lost takes what only it had along, and nothing else. */
static void test_lost_writer(int fd)
{
	struct content_mover writer = content_mover_begin(fd), reader = content_mover_begin(fd);
	struct drm_d3dgpu_submit bad;
	struct gpu_bo bo;

	if (content_create(fd, CONTENT_PLAIN, &bo))
		tap_bail("no texture");
	tap_eq(content_write(&writer, CONTENT_PLAIN, &bo, 1), 0, "a context writes a texture");
	tap_ok(content_matches(&reader, CONTENT_PLAIN, &bo, 1), "another reads it");
	tap_eq(content_write(&writer, CONTENT_PLAIN, &bo, 2), 0, "the first writes it again");
	memset(writer.commands.map, 0xff, 64);
	bad = gpu_submit_args(writer.ctx, &writer.commands, 16, NULL, 0);
	gpu_run(fd, &bad);
	tap_ok(gpu_ctx_query(fd, writer.ctx).status != 0, "and is lost by a bad stream");
	tap_ok(content_matches(&reader, CONTENT_PLAIN, &bo, 1) || content_matches(&reader, CONTENT_PLAIN, &bo, 2),
	       "the other still reads one of the two");
	tap_eq(gpu_ctx_query(fd, reader.ctx).status, 0, "and is well");
	tap_eq(content_write(&reader, CONTENT_PLAIN, &bo, 3), 0, "it can write it");
	tap_ok(content_matches(&reader, CONTENT_PLAIN, &bo, 3), "and read that");
	gpu_close(fd, bo.handle);
	content_mover_end(&writer);
	content_mover_end(&reader);
}

int main(void)
{
	int fd = gpu_open();

	test_tokens(fd);
	test_processes(fd);
	test_prime(fd);
	test_foreign(fd);
	test_names();
	test_contexts(fd);
	test_files(fd);
	test_legacy(fd);
	test_lost_writer(fd);
	close(fd);
	return tap_done();
}
