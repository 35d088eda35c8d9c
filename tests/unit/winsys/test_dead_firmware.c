/* SPDX-License-Identifier: MIT */
/* Loopback's firmware dies: whoever waits is told, and nobody waits for ever. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "d3dgpu_gcp.h"
#include "d3dgpu_regs.h"
#include "tap.h"
#include "winsys.h"

/* Says that it is ready, sleeps until a doorbell rings, and runs into an illegal instruction. */
static const uint32_t program[] = {
	0x40000537, /* lui a0, 0x40000: the peripherals */
	0x02a52a23, /* sw a0, 0x34(a0): SET_READY */
	0x00100593, /* li a1, 1: INT_DOORBELL */
	0x00b52223, /* sw a1, 4(a0): INT_ENABLE */
	0x10500073, /* wfi */
	0x00000000,
};

static const uint8_t digest[32] = {0x00, 0x43, 0xbd, 0xe7, 0x8f, 0xa8, 0xca, 0xeb, 0x85, 0x10, 0x60,
				   0xe4, 0x86, 0x05, 0xc6, 0x40, 0x27, 0x92, 0x47, 0x68, 0xe4, 0xe8,
				   0x6e, 0x4a, 0x1c, 0xb8, 0xe3, 0x8f, 0xba, 0x2c, 0x98, 0x84};

static void write_image(char *path)
{
	struct d3dgpu_fw_header header = {
		.magic = D3DGPU_FW_MAGIC,
		.header_size = sizeof(header),
		.interface_version = D3DGPU_VERSION,
		.size = sizeof(program),
		.entry = D3DGPU_GCP_SRAM,
	};
	int fd = mkstemp(path);

	memcpy(header.sha256, digest, sizeof(digest));
	if (fd < 0 || write(fd, &header, sizeof(header)) != sizeof(header) ||
	    write(fd, program, sizeof(program)) != sizeof(program))
		tap_bail("no firmware image in %s", path);
	close(fd);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void)
{
	char path[] = "/tmp/d3dgpu-firmware-XXXXXX", message[512] = "";
	struct winsys_bo *bo = NULL;
	struct winsys_ctx *ctx;
	struct winsys *ws;
	double begin;

	write_image(path);
	setenv("D3DGPU_FIRMWARE", path, 1);
	tap_eq(winsys_loopback_open("vram=64M", &ws, message, sizeof(message)), 0, "the firmware boots %s", message);
	unlink(path);
	begin = seconds();
	tap_eq(ws->ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx), -ENODEV, "it dies of the first entry: -ENODEV");
	tap_eq(ws->ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &ctx), -ENODEV, "and so do later contexts");
	tap_ok(seconds() - begin < 30, "without waiting for ever");
	tap_eq(ws->ops->staging_create(ws, 4096, &bo), 0, "memory can still be had");
	ws->ops->bo_destroy(bo);
	ws->ops->destroy(ws);
	return tap_done();
}
