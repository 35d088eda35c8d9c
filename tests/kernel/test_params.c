/* SPDX-License-Identifier: MIT */
/* GET_PARAM and GET_CAPS. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "d3dgpu_regs.h"
#include "gpu.h"
#include "tap.h"

static int get_param(int fd, uint32_t param)
{
	struct drm_d3dgpu_get_param args = {.param = param};

	return gpu_call(fd, DRM_IOCTL_D3DGPU_GET_PARAM, &args);
}

static void test_params(int fd)
{
	struct drm_d3dgpu_get_param args;
	uint64_t entries, interrupts;

	tap_eq(gpu_param(fd, D3DGPU_PARAM_INTERFACE_VERSION) >> 16, D3DGPU_VERSION_MAJOR, "interface version");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE) >= 60u << 20, "the pool has at least 60 MiB");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_VRAM_FREE) <= gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE), "free is at most size");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_FIRMWARE_VERSION) != 0, "the firmware has a version");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_LUID) != 0, "the LUID is not 0");
	tap_eq(gpu_param(fd, D3DGPU_PARAM_MAX_STREAM), D3DGPU_MAX_STREAM, "largest stream");
	entries = gpu_param(fd, D3DGPU_PARAM_RING_ENTRIES);
	interrupts = gpu_param(fd, D3DGPU_PARAM_INTERRUPTS);
	gpu_ctx(fd);
	tap_ok(gpu_param(fd, D3DGPU_PARAM_RING_ENTRIES) > entries, "a context's creation is a ring entry");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_INTERRUPTS) > interrupts, "and its completion an interrupt");

	tap_eq(gpu_param(fd, D3DGPU_PARAM_HEADS), 1, "one head unless the property says more");
	tap_ok(gpu_param(fd, D3DGPU_PARAM_ENGINES) >= 1, "an engine");
	tap_eq(gpu_param(fd, D3DGPU_PARAM_HANG_TIMEOUT), 10000, "the hang timeout in milliseconds");

	tap_eq(get_param(fd, 99), -EINVAL, "unknown parameter: -EINVAL");
	tap_eq(get_param(fd, UINT32_MAX), -EINVAL, "the largest number: -EINVAL");
	args = (struct drm_d3dgpu_get_param){.param = D3DGPU_PARAM_LUID, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GET_PARAM, &args), -EINVAL, "padding: -EINVAL");
	tap_eq(args.value, 0, "and no value");
}

static void test_caps(int fd)
{
	struct drm_d3dgpu_get_caps args = {0};
	struct d3dgpu_caps caps = {0}, part, words;

	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GET_CAPS, &args), 0, "asking for the size of the block");
	tap_eq(args.size, sizeof(caps), "it is that of struct d3dgpu_caps");
	gpu_caps(fd, &caps);
	tap_eq(caps.magic, D3DGPU_CAPS_MAGIC, "the block has its magic");
	tap_ok(caps.feature_level >= D3DGPU_LEVEL_9_1, "and a feature level (%x)", caps.feature_level);
	tap_eq(caps.luid, gpu_param(fd, D3DGPU_PARAM_LUID), "and the same LUID");
	for (uint32_t at = 0; at < sizeof(caps); at += 4)
		((uint32_t *)&words)[at / 4] = (uint32_t)gpu_param(fd, D3DGPU_PARAM_CAPS + at);
	tap_mem(&words, &caps, sizeof(caps), "GET_PARAM gives the same, word by word");
	tap_eq(get_param(fd, D3DGPU_PARAM_CAPS + 2), -EINVAL, "not between words: -EINVAL");
	tap_eq(get_param(fd, D3DGPU_PARAM_CAPS + sizeof(caps)), -EINVAL, "not behind the block: -EINVAL");
	tap_eq(get_param(fd, D3DGPU_PARAM_CAPS - 4), -EINVAL, "not before it: -EINVAL");

	memset(&part, 0x55, sizeof(part));
	args = (struct drm_d3dgpu_get_caps){.ptr = (uintptr_t)&part, .size = 16};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GET_CAPS, &args), 0, "a small room");
	tap_mem(&part, &caps, 16, "takes what fits");
	tap_eq(((uint8_t *)&part)[16], 0x55, "and no byte more");

	args = (struct drm_d3dgpu_get_caps){.ptr = (uintptr_t)&part, .size = 16, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GET_CAPS, &args), -EINVAL, "padding: -EINVAL");
	args = (struct drm_d3dgpu_get_caps){.ptr = 8, .size = 16};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GET_CAPS, &args), -EFAULT, "bad pointer: -EFAULT");
}

int main(void)
{
	int fd = gpu_open();

	test_params(fd);
	test_caps(fd);
	close(fd);
	return tap_done();
}
