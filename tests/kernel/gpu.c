/* SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "d3dgpu_stream.h"
#include "tap.h"

static int open_node(const char *format, unsigned first)
{
	for (unsigned i = first; i < first + 16; i++) {
		drmVersion *version;
		bool ours;
		char path[64];
		int fd;

		snprintf(path, sizeof(path), format, i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		ours = version && !strcmp(version->name, D3DGPU_DRIVER_NAME);
		drmFreeVersion(version);
		if (ours)
			return fd;
		close(fd);
	}
	tap_bail("no node of a d3dgpu");
}

int gpu_open(void)
{
	return open_node("/dev/dri/renderD%u", 128);
}

int gpu_open_card(void)
{
	return open_node("/dev/dri/card%u", 0);
}

int gpu_call(int fd, unsigned long request, void *argument)
{
	int ret;

	do
		ret = ioctl(fd, request, argument);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : 0;
}

uint64_t gpu_param(int fd, uint32_t param)
{
	struct drm_d3dgpu_get_param args = {.param = param};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GET_PARAM, &args);

	if (ret)
		tap_bail("GET_PARAM %u: %s", param, strerror(-ret));
	return args.value;
}

void gpu_caps(int fd, struct d3dgpu_caps *caps)
{
	struct drm_d3dgpu_get_caps args = {.ptr = (uintptr_t)caps, .size = sizeof(*caps)};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GET_CAPS, &args);

	if (ret)
		tap_bail("GET_CAPS: %s", strerror(-ret));
}

/* ---- contexts ---- */

int gpu_ctx_create(int fd, uint32_t priority, uint32_t *ctx)
{
	struct drm_d3dgpu_ctx_create args = {.priority = priority};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &args);

	*ctx = args.ctx_id;
	return ret;
}

int gpu_ctx_destroy(int fd, uint32_t ctx)
{
	struct drm_d3dgpu_ctx_destroy args = {.ctx_id = ctx};

	return gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_DESTROY, &args);
}

uint32_t gpu_ctx(int fd)
{
	uint32_t ctx;
	int ret = gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &ctx);

	if (ret)
		tap_bail("CTX_CREATE: %s", strerror(-ret));
	return ctx;
}

struct drm_d3dgpu_ctx_query gpu_ctx_query(int fd, uint32_t ctx)
{
	struct drm_d3dgpu_ctx_query args = {.ctx_id = ctx};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &args);

	if (ret)
		tap_bail("CTX_QUERY: %s", strerror(-ret));
	return args;
}

/* ---- objects ---- */

int gpu_staging_create(int fd, uint64_t size, struct gpu_bo *out)
{
	struct drm_d3dgpu_staging_create args = {.size = size};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_STAGING_CREATE, &args);

	*out = (struct gpu_bo){.handle = args.handle, .res_id = args.res_id, .size = args.size};
	return ret;
}

int gpu_resource_create(int fd, const struct d3dgpu_resource_desc *desc, struct gpu_bo *out)
{
	struct drm_d3dgpu_resource_create args = {0};
	int ret;

	memcpy(args.desc, desc, sizeof(args.desc));
	ret = gpu_call(fd, DRM_IOCTL_D3DGPU_RESOURCE_CREATE, &args);
	*out = (struct gpu_bo){.handle = args.handle, .res_id = args.res_id, .size = args.size};
	return ret;
}

int gpu_close(int fd, uint32_t handle)
{
	return drmCloseBufferHandle(fd, handle) ? -errno : 0;
}

struct drm_d3dgpu_gem_info gpu_info(int fd, uint32_t handle)
{
	struct drm_d3dgpu_gem_info info = {.handle = handle};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_INFO, &info);

	if (ret)
		tap_bail("GEM_INFO: %s", strerror(-ret));
	return info;
}

struct gpu_bo gpu_staging(int fd, uint64_t size)
{
	struct drm_d3dgpu_gem_mmap args = {0};
	struct gpu_bo bo;
	int ret = gpu_staging_create(fd, size, &bo);

	if (ret)
		tap_bail("STAGING_CREATE of %llu bytes: %s", (unsigned long long)size, strerror(-ret));
	args.handle = bo.handle;
	ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MMAP, &args);
	if (ret)
		tap_bail("GEM_MMAP: %s", strerror(-ret));
	bo.map = mmap(NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.offset);
	if (bo.map == MAP_FAILED)
		tap_bail("mmap: %s", strerror(errno));
	return bo;
}

void gpu_staging_end(int fd, struct gpu_bo *bo)
{
	munmap(bo->map, bo->size);
	gpu_close(fd, bo->handle);
	*bo = (struct gpu_bo){0};
}

struct d3dgpu_resource_desc gpu_texture_desc(uint32_t width, uint32_t height)
{
	return (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_B8G8R8A8_UNORM,
		.target = D3DGPU_TARGET_2D,
		.bind = D3DGPU_BIND_RENDER_TARGET | D3DGPU_BIND_SAMPLER_VIEW,
		.width = width,
		.height = (uint16_t)height,
		.depth = 1,
		.array_size = 1,
	};
}

/* ---- streams ---- */

size_t gpu_put_nops(uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		words[i] = d3dgpu_header(D3DGPU_CMD_NOP, 0, 0);
	return count;
}

static size_t put_copy(uint32_t *words, uint32_t texture, uint32_t width, uint32_t height, uint32_t staging, uint32_t flags)
{
	const uint32_t copy[] = {
		d3dgpu_header(D3DGPU_CMD_COPY_TRANSFER3D, 0, 14),
		texture, 0, 0, width * 4, width * height * 4, /* level, usage, strides */
		0, 0, 0, width, height, 1,		      /* box */
		staging, 0, flags,
	};

	memcpy(words, copy, sizeof(copy));
	return sizeof(copy) / sizeof(*copy);
}

size_t gpu_put_upload(uint32_t *words, uint32_t texture, uint32_t width, uint32_t height, uint32_t staging)
{
	return put_copy(words, texture, width, height, staging, d3dgpu_put(D3DGPU_COPY_SYNCHRONIZED, 1));
}

size_t gpu_put_download(uint32_t *words, uint32_t texture, uint32_t width, uint32_t height, uint32_t staging)
{
	return put_copy(words, texture, width, height, staging,
			d3dgpu_put(D3DGPU_COPY_SYNCHRONIZED, 1) | d3dgpu_put(D3DGPU_COPY_FROM_RESOURCE, 1));
}

/* ---- submits ---- */

struct drm_d3dgpu_submit gpu_submit_args(uint32_t ctx, const struct gpu_bo *commands, uint32_t words,
					 const struct drm_d3dgpu_submit_bo *bos, uint32_t bo_count)
{
	return (struct drm_d3dgpu_submit){
		.ctx_id = ctx,
		.command_handle = words ? commands->handle : 0,
		.command_size = words * 4,
		.bos = (uintptr_t)bos,
		.bo_count = bo_count,
	};
}

int gpu_submit(int fd, struct drm_d3dgpu_submit *args)
{
	return gpu_call(fd, DRM_IOCTL_D3DGPU_SUBMIT, args);
}

int gpu_run(int fd, struct drm_d3dgpu_submit *args)
{
	struct drm_d3dgpu_sync out = {.handle = gpu_syncobj(fd, 0)};
	int ret;

	args->out_syncs = (uintptr_t)&out;
	args->out_sync_count = 1;
	ret = gpu_submit(fd, args);
	if (!ret)
		ret = gpu_syncobj_wait(fd, out.handle, PATIENCE);
	drmSyncobjDestroy(fd, out.handle);
	args->out_syncs = args->out_sync_count = 0;
	return ret;
}

uint32_t gpu_syncobj(int fd, uint32_t flags)
{
	uint32_t handle;

	if (drmSyncobjCreate(fd, flags, &handle))
		tap_bail("syncobj: %s", strerror(errno));
	return handle;
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

int gpu_syncobj_wait(int fd, uint32_t handle, int64_t timeout_ns)
{
	/* libdrm gives -errno or -1 and errno, depending on its version. */
	return drmSyncobjWait(fd, &handle, 1, now() + timeout_ns, 0, NULL) ? -errno : 0;
}

int gpu_sync_file_status(int file)
{
	struct sync_file_info info = {0};

	if (ioctl(file, SYNC_IOC_FILE_INFO, &info))
		tap_bail("SYNC_IOC_FILE_INFO: %s", strerror(errno));
	return info.status;
}

int gpu_syncobj_status(int fd, uint32_t handle)
{
	int file, status;

	if (drmSyncobjExportSyncFile(fd, handle, &file))
		tap_bail("sync file: %s", strerror(errno));
	status = gpu_sync_file_status(file);
	close(file);
	return status;
}

bool gpu_eventually(bool (*condition)(void *data), void *data, int64_t timeout_ns)
{
	int64_t deadline = now() + timeout_ns;

	while (!condition(data)) {
		if (now() > deadline)
			return false;
		usleep(1000);
	}
	return true;
}

struct level {
	int fd;
	uint32_t param;
	uint64_t least;
};

static bool is_reached(void *data)
{
	struct level *level = data;

	return gpu_param(level->fd, level->param) >= level->least;
}

bool gpu_param_reaches(int fd, uint32_t param, uint64_t least)
{
	struct level level = {fd, param, least};

	return gpu_eventually(is_reached, &level, PATIENCE);
}
