/* SPDX-License-Identifier: MIT */
/*
 * The firmware dies, or lives and does nothing: the driver resets the device and goes on. For that, this program goes behind
 * the driver's back: it boots a firmware of its own. Mapping the registers needs "iomem=relaxed" on the kernel's command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"
#include "driver.h"
#include "gpu.h"
#include "tap.h"

#define IMAGE_ROOM 4096

/* A firmware of a few instructions, with its SHA-256. */
struct firmware {
	const char *does;
	uint32_t code[5], words;
	uint8_t sha256[32];
};

static const struct firmware dies = {
	.does = "dies",
	.code = {0}, /* illegal */
	.words = 1,
	.sha256 = {0xdf, 0x3f, 0x61, 0x98, 0x04, 0xa9, 0x2f, 0xdb, 0x40, 0x57, 0x19,
		   0x2d, 0xc4, 0x3d, 0xd7, 0x48, 0xea, 0x77, 0x8a, 0xdc, 0x52, 0xbc,
		   0x49, 0x8c, 0xe8, 0x05, 0x24, 0xc0, 0x14, 0xb8, 0x11, 0x19},
};

static const struct firmware idles = {
	.does = "does nothing any more",
	.code = {
		0x400002b7,	/* lui t0, PERIPHERALS >> 12 */
		0x00010337,	/* lui t1, 0x10 */
		0x0262aa23,	/* sw t1, SET_READY(t0) */
		0x10500073,	/* wfi: nothing is enabled */
		0xffdff06f,	/* j -4 */
	},
	.words = 5,
	.sha256 = {0xa2, 0xb5, 0xb3, 0x81, 0xf3, 0x88, 0xfb, 0x25, 0x35, 0x75, 0xfe,
		   0xd2, 0xd0, 0x6c, 0xfb, 0x4c, 0x28, 0x92, 0x91, 0xe8, 0x50, 0x33,
		   0x0c, 0x10, 0x1a, 0xf8, 0xf1, 0x19, 0xc2, 0x4a, 0xce, 0xc7},
};

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

/* Boots another firmware. Its image lies where the driver puts its own: below the control block. */
static bool boot_firmware(const struct firmware *firmware)
{
	struct {
		struct d3dgpu_fw_header header;
		uint32_t code[5];
	} image = {.header = {.magic = D3DGPU_FW_MAGIC,
			      .header_size = sizeof(struct d3dgpu_fw_header),
			      .interface_version = D3DGPU_VERSION,
			      .size = firmware->words * 4,
			      .entry = D3DGPU_GCP_SRAM}};
	volatile uint32_t *regs = map_bar(D3DGPU_BAR_REGS, 0, D3DGPU_BAR_REGS_SIZE);
	volatile void *room;
	uint64_t offset;

	if (!regs)
		return false;
	offset = (regs[D3DGPU_REG_CTRL_BASE_HI / 4] * (1ull << 32) + regs[D3DGPU_REG_CTRL_BASE_LO / 4]) - IMAGE_ROOM;
	room = map_bar(D3DGPU_BAR_VRAM, offset, IMAGE_ROOM);
	if (!room)
		return false;
	memcpy(image.header.sha256, firmware->sha256, sizeof(image.header.sha256));
	memcpy(image.code, firmware->code, sizeof(image.code));
	memcpy((void *)room, &image, sizeof(image));
	regs[D3DGPU_REG_GCP_FW_ADDR_LO / 4] = (uint32_t)offset;
	regs[D3DGPU_REG_GCP_FW_ADDR_HI / 4] = (uint32_t)(offset >> 32);
	regs[D3DGPU_REG_GCP_FW_SIZE / 4] = sizeof(image.header) + image.header.size;
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

static void test_reset(int fd, const struct firmware *firmware)
{
	struct resets resets = {fd, gpu_param(fd, D3DGPU_PARAM_RESETS) + 1};
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct gpu_bo buffer = gpu_staging(fd, 65536);
	struct drm_d3dgpu_submit_bo list = {.handle = buffer.handle};
	uint32_t ctx = gpu_ctx(fd), other;
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, &list, 1);

	memset(buffer.map, 0x42, buffer.size);
	tap_eq(gpu_run(fd, &submit), 0, "a context with an object works");
	if (!boot_firmware(firmware)) {
		tap_skip("the kernel does not let programs map registers (iomem=relaxed)", "reset");
		return;
	}
	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &other), 0,
	       "the firmware %s: who asks for a context then gets one, a little later", firmware->does);
	gpu_ctx_destroy(fd, other);
	if (!tap_ok(gpu_eventually(was_reset, &resets, PATIENCE), "the device is reset"))
		return;
	tap_eq(gpu_submit(fd, &submit), -EIO, "the old context is lost: -EIO");
	tap_eq(gpu_ctx_query(fd, ctx).status, D3DGPU_FAULT_RESET, "and the reset is why");
	tap_eq(((uint8_t *)buffer.map)[65535], 0x42, "video memory keeps its content");
	tap_eq(gpu_ctx_destroy(fd, ctx), 0, "the old context is destroyed");
	gpu_staging_end(fd, &buffer);
	check_memory(fd, free_before);
}

/* ---- with other programs at work ---- */

#define PROGRAMS 3
#define DEATHS 3

/* Submits without end; when its context is lost, goes on with a new one. Ends with status 0 when it was told to. */
static void program(int stop)
{
	struct pollfd told = {.fd = stop, .events = POLLHUP};
	int fd = gpu_open();

	while (poll(&told, 1, 0) == 0) {
		uint32_t ctx;
		struct drm_d3dgpu_submit submit;
		int ret = gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &ctx);

		if (ret)
			_exit(10);
		submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
		do
			ret = gpu_run(fd, &submit);
		while (!ret && poll(&told, 1, 0) == 0);
		if (ret && (ret != -EIO || gpu_ctx_query(fd, ctx).status != D3DGPU_FAULT_RESET))
			_exit(11);
		gpu_ctx_destroy(fd, ctx);
	}
	_exit(0);
}

static void test_programs(int fd)
{
	struct resets resets = {fd, gpu_param(fd, D3DGPU_PARAM_RESETS)};
	unsigned well = 0, died = 0;
	pid_t children[PROGRAMS];
	int stop[2];

	if (pipe(stop))
		tap_bail("no pipe");
	for (unsigned i = 0; i < PROGRAMS; i++) {
		children[i] = fork();
		if (!children[i]) {
			close(stop[1]);
			program(stop[0]);
		}
	}
	for (unsigned i = 0; i < DEATHS; i++) {
		usleep(500000);
		resets.want++;
		died += boot_firmware(&dies) && gpu_eventually(was_reset, &resets, PATIENCE);
	}
	usleep(500000);
	close(stop[1]);
	for (unsigned i = 0; i < PROGRAMS; i++) {
		int status;

		waitpid(children[i], &status, 0);
		well += WIFEXITED(status) && WEXITSTATUS(status) == 0;
	}
	close(stop[0]);
	tap_eq(died, DEATHS, "the firmware dies again and again under programs that submit: the device is reset each time");
	tap_eq(well, PROGRAMS, "each of them goes on with a new context");
}

/* The device goes while it is being reset. */
static void test_unplugged(void)
{
	char address[32];
	int fd;

	driver_find_address(address);
	for (unsigned i = 0; i < 4; i++) {
		fd = gpu_open();
		gpu_ctx(fd);
		boot_firmware(&dies);
		usleep(i * 20000);
		tap_eq(driver_tell("unbind", address), 0, "the device goes %u ms after its firmware died", i * 20);
		close(fd);
		tap_eq(driver_tell("bind", address), 0, "and comes back");
		fd = gpu_open();
		check_memory(fd, gpu_param(fd, D3DGPU_PARAM_VRAM_FREE));
		close(fd);
	}
}

int main(void)
{
	int fd = gpu_open();

	test_reset(fd, &dies);
	test_reset(fd, &dies);
	test_reset(fd, &idles);
	test_programs(fd);
	close(fd);
	test_unplugged();
	return tap_done();
}
