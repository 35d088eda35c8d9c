/* SPDX-License-Identifier: MIT */
#include "firmware.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"
#include "tap.h"

#define IMAGE_ROOM 4096

const struct firmware firmware_dies = {
	.does = "dies",
	.reason = "died",
	.state = D3DGPU_GCP_PANICKED,
	.code = {0}, /* illegal */
	.words = 1,
	.sha256 = {0xdf, 0x3f, 0x61, 0x98, 0x04, 0xa9, 0x2f, 0xdb, 0x40, 0x57, 0x19,
		   0x2d, 0xc4, 0x3d, 0xd7, 0x48, 0xea, 0x77, 0x8a, 0xdc, 0x52, 0xbc,
		   0x49, 0x8c, 0xe8, 0x05, 0x24, 0xc0, 0x14, 0xb8, 0x11, 0x19},
};

const struct firmware firmware_idles = {
	.does = "does nothing any more",
	.reason = "does nothing",
	.state = D3DGPU_GCP_READY,
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

/* Its image lies where the driver puts its own: below the control block. */
bool firmware_boot(const struct firmware *firmware)
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
