/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi.h"
#include "d3dgpu_resource.h"
#include "d3dgpu_ring.h"
#include "d3dgpu_stream.h"
#include "tap.h"

int abi_ioctl(int fd, unsigned long request, void *argument)
{
	int ret;

	do
		ret = ioctl(fd, request, argument);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

void abi_need(int fd, unsigned long request, void *argument, const char *name)
{
	int ret = abi_ioctl(fd, request, argument);

	if (ret)
		tap_bail("%s: %s", name, strerror(-ret));
}

/* The first render node whose driver is ours. */
static int open_node(void)
{
	for (unsigned i = 128; i < 144; i++) {
		char path[32], name[16] = "";
		struct drm_version version = {.name = name, .name_len = sizeof(name) - 1};
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%u", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (!abi_ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, D3DGPU_DRIVER_NAME))
			return fd;
		close(fd);
	}
	tap_bail("no node of a d3dgpu");
}

uint32_t abi_new_context(int fd)
{
	struct drm_d3dgpu_ctx_create args = {.priority = D3DGPU_PRIORITY_NORMAL};

	abi_need(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &args, "CTX_CREATE");
	return args.ctx_id;
}

void *abi_map(int fd, uint64_t offset)
{
	void *map = mmap(NULL, ABI_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);

	return map == MAP_FAILED ? NULL : map;
}

/* A staging buffer of one page, full of NOPs. */
static void open_stream(struct abi_world *world)
{
	struct drm_d3dgpu_staging_create staging = {.size = ABI_PAGE};
	struct drm_d3dgpu_gem_mmap map = {0};

	abi_need(world->fd, DRM_IOCTL_D3DGPU_STAGING_CREATE, &staging, "STAGING_CREATE");
	world->staging = map.handle = staging.handle;
	abi_need(world->fd, DRM_IOCTL_D3DGPU_GEM_MMAP, &map, "GEM_MMAP");
	world->stream = abi_map(world->fd, map.offset);
	if (!world->stream)
		tap_bail("mmap: %s", strerror(errno));
	for (size_t i = 0; i < ABI_PAGE / sizeof(*world->stream); i++)
		world->stream[i] = d3dgpu_header(D3DGPU_CMD_NOP, 0, 0);
}

/* A texture that has a token. */
static void open_texture(struct abi_world *world)
{
	const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = D3DGPU_BIND_SAMPLER_VIEW,
		.width = 64, .height = 64, .depth = 1, .array_size = 1};
	struct drm_d3dgpu_resource_create texture = {0};
	struct drm_d3dgpu_gem_share share = {0};

	memcpy(texture.desc, &desc, sizeof(desc));
	abi_need(world->fd, DRM_IOCTL_D3DGPU_RESOURCE_CREATE, &texture, "RESOURCE_CREATE");
	world->texture = share.handle = texture.handle;
	abi_need(world->fd, DRM_IOCTL_D3DGPU_GEM_SHARE, &share, "GEM_SHARE");
	world->token = share.token;
}

void abi_world_open(struct abi_world *world)
{
	struct drm_syncobj_create syncobj = {.flags = DRM_SYNCOBJ_CREATE_SIGNALED};

	*world = (struct abi_world){.fd = open_node()};
	world->ctx = abi_new_context(world->fd);
	open_stream(world);
	open_texture(world);
	abi_need(world->fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj, "SYNCOBJ_CREATE");
	world->syncobj = syncobj.handle;
}

void abi_world_close(struct abi_world *world)
{
	munmap(world->stream, ABI_PAGE);
	close(world->fd);
}
