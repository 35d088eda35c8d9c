/* SPDX-License-Identifier: MIT */
/*
 * The firmware dies: the driver resets the device and goes on. To kill it, this program goes behind the driver's back: it
 * boots a firmware whose only instruction is illegal. Mapping the registers needs "iomem=relaxed" on the kernel's
 * command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"
#include "gpu.h"
#include "tap.h"

#define IMAGE_ROOM 4096

/* The SHA-256 of four bytes 0, which are an illegal instruction. */
static const uint8_t digest[32] = {0xdf, 0x3f, 0x61, 0x98, 0x04, 0xa9, 0x2f, 0xdb, 0x40, 0x57, 0x19,
				   0x2d, 0xc4, 0x3d, 0xd7, 0x48, 0xea, 0x77, 0x8a, 0xdc, 0x52, 0xbc,
				   0x49, 0x8c, 0xe8, 0x05, 0x24, 0xc0, 0x14, 0xb8, 0x11, 0x19};

/* Maps part of a BAR of the device that the driver has. NULL: the kernel does not allow it. */
static volatile void *map_bar(unsigned bar, uint64_t offset, size_t size)
{
	glob_t found;
	char path[128];
	void *map;
	int fd;

	if (glob("/sys/bus/pci/drivers/d3dgpu/0*", 0, NULL, &found))
		tap_bail("the driver has no device");
	snprintf(path, sizeof(path), "%.100s/resource%u", found.gl_pathv[0], bar);
	globfree(&found);
	fd = open(path, O_RDWR | O_CLOEXEC);
	map = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

/* Boots the firmware that dies. Its image lies where the driver puts its own: below the control block. */
static bool kill_firmware(void)
{
	struct {
		struct d3dgpu_fw_header header;
		uint32_t code;
	} image = {{.magic = D3DGPU_FW_MAGIC,
		    .header_size = sizeof(struct d3dgpu_fw_header),
		    .interface_version = D3DGPU_VERSION,
		    .size = 4,
		    .entry = D3DGPU_GCP_SRAM},
		   0};
	volatile uint32_t *regs = map_bar(D3DGPU_BAR_REGS, 0, D3DGPU_BAR_REGS_SIZE);
	volatile void *room;
	uint64_t offset;

	if (!regs)
		return false;
	offset = (regs[D3DGPU_REG_CTRL_BASE_HI / 4] * (1ull << 32) + regs[D3DGPU_REG_CTRL_BASE_LO / 4]) - IMAGE_ROOM;
	room = map_bar(D3DGPU_BAR_VRAM, offset, IMAGE_ROOM);
	if (!room)
		return false;
	memcpy(image.header.sha256, digest, sizeof(digest));
	memcpy((void *)room, &image, sizeof(image));
	regs[D3DGPU_REG_GCP_FW_ADDR_LO / 4] = (uint32_t)offset;
	regs[D3DGPU_REG_GCP_FW_ADDR_HI / 4] = (uint32_t)(offset >> 32);
	regs[D3DGPU_REG_GCP_FW_SIZE / 4] = sizeof(image);
	regs[D3DGPU_REG_GCP_CONTROL / 4] = D3DGPU_GCP_BOOT;
	munmap((void *)room, IMAGE_ROOM);
	munmap((void *)regs, D3DGPU_BAR_REGS_SIZE);
	return true;
}

struct resets {
	int fd;
	uint64_t want;
};

static bool was_reset(void *data)
{
	struct resets *resets = data;

	return gpu_param(resets->fd, D3DGPU_PARAM_RESETS) >= resets->want;
}

/* Memory of closed objects comes back whether or not their context outlived the reset. */
static void check_memory(int fd, uint64_t free_before)
{
	struct drm_d3dgpu_submit submit;
	uint32_t ctx = gpu_ctx(fd);

	submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "a new context works");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and is well");
	gpu_ctx_destroy(fd, ctx);
	tap_eq(gpu_param(fd, D3DGPU_PARAM_VRAM_FREE), free_before, "all memory is free again");
}

static void test_reset(int fd)
{
	struct resets resets = {fd, gpu_param(fd, D3DGPU_PARAM_RESETS) + 1};
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct gpu_bo buffer = gpu_staging(fd, 65536);
	struct drm_d3dgpu_submit_bo list = {.handle = buffer.handle};
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, &list, 1);

	memset(buffer.map, 0x42, buffer.size);
	tap_eq(gpu_run(fd, &submit), 0, "a context with an object works");
	if (!kill_firmware()) {
		tap_skip("the kernel does not let programs map registers (iomem=relaxed)", "reset");
		return;
	}
	if (!tap_ok(gpu_eventually(was_reset, &resets, PATIENCE), "the firmware dies: the device is reset"))
		return;
	tap_eq(gpu_submit(fd, &submit), -EIO, "the old context is lost: -EIO");
	tap_eq(gpu_ctx_query(fd, ctx).status, D3DGPU_FAULT_RESET, "and the reset is why");
	tap_eq(((uint8_t *)buffer.map)[65535], 0x42, "video memory keeps its content");
	tap_eq(gpu_ctx_destroy(fd, ctx), 0, "the old context is destroyed");
	gpu_staging_end(fd, &buffer);
	check_memory(fd, free_before);
}

int main(void)
{
	int fd = gpu_open();

	test_reset(fd);
	test_reset(fd);
	close(fd);
	return tap_done();
}
