/* SPDX-License-Identifier: MIT */
/* The device goes away under a program that uses it, and comes back. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"
#include "gpu.h"
#include "tap.h"

/* What a program may have of the device when it goes. Each leaves something else to clean up. */
enum possession { NOTHING, CONTEXT, OBJECT, MAPPING, SUBMITS, POSSESSIONS };

static const char *const names[POSSESSIONS] = {"an open node", "a context", "an object", "mapped memory", "submits on their way"};

static uint32_t take(int fd, enum possession what, struct gpu_bo *bo)
{
	struct drm_d3dgpu_submit submit;
	uint32_t ctx = 0;

	if (what == CONTEXT || what == SUBMITS)
		ctx = gpu_ctx(fd);
	if (what == OBJECT)
		gpu_staging_create(fd, 65536, bo);
	if (what == MAPPING || what == SUBMITS)
		*bo = gpu_staging(fd, 65536);
	if (what == SUBMITS) {
		gpu_put_nops(bo->map, 1024);
		submit = gpu_submit_args(ctx, bo, 1024, NULL, 0);
		for (unsigned i = 0; i < 100; i++)
			gpu_submit(fd, &submit);
	}
	return ctx;
}

static void test_gone(enum possession what, const char *address)
{
	int fd = gpu_open();
	struct gpu_bo bo = {0}, other;
	uint32_t ctx = take(fd, what, &bo);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	struct drm_d3dgpu_ctx_query query = {.ctx_id = ctx};

	tap_eq(driver_tell("unbind", address), 0, "the device goes under a program with %s", names[what]);
	tap_eq(gpu_submit(fd, &submit), -ENODEV, "submit: -ENODEV");
	tap_eq(gpu_staging_create(fd, 4096, &other), -ENODEV, "create: -ENODEV");
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_QUERY, &query), -ENODEV, "query: -ENODEV");
	if (bo.map) {
		memset(bo.map, 1, bo.size);
		tap_eq(((uint8_t *)bo.map)[bo.size - 1], 1, "mapped memory can still be touched");
		munmap(bo.map, bo.size);
	}
	close(fd);
}

/* The console's screen, mapped and drawn to when the device has gone. */
static void test_console(const char *address)
{
	const size_t size = 65536;
	int fd = open("/dev/fb0", O_RDWR | O_CLOEXEC);
	uint8_t *screen = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (tap_ok(screen != MAP_FAILED, "the console's screen is mapped")) {
		tap_eq(driver_tell("unbind", address), 0, "the device goes under a program with the console's screen");
		memset(screen, 0xff, size);
		usleep(500000);	/* the kernel draws what was written a little later */
		tap_eq(screen[size - 1], 0xff, "which can still be drawn to");
		munmap(screen, size);
	}
	if (fd >= 0)
		close(fd);
}

static void test_back(const char *address)
{
	struct drm_d3dgpu_submit submit;
	uint32_t ctx;
	int fd;

	tap_eq(driver_tell("bind", address), 0, "the driver gets the device again");
	tap_ok(!access("/dev/dri/card0", F_OK), "its node has the first number: nothing of the old one is left");
	fd = gpu_open();
	ctx = gpu_ctx(fd);
	submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "and all is well");
	close(fd);
}

int main(void)
{
	char address[32];

	driver_find_address(address);
	for (enum possession what = NOTHING; what < POSSESSIONS; what++) {
		test_gone(what, address);
		test_back(address);
	}
	test_console(address);
	test_back(address);
	return tap_done();
}
