/* SPDX-License-Identifier: MIT */
/*
 * The firmware dies, or lives and does nothing: the driver resets the device and goes on. For that, this program goes behind
 * the driver's back: it boots a firmware of its own. Mapping the registers needs "iomem=relaxed" on the kernel's command line.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coredump.h"
#include "driver.h"
#include "firmware.h"
#include "gpu.h"
#include "tap.h"

/* Memory of closed objects comes back whether or not their context outlived the reset. */
static void check_memory(int fd, uint64_t free_before)
{
	struct drm_d3dgpu_submit submit;
	uint32_t ctx = gpu_ctx(fd);

	submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "a new context works");
	tap_eq(gpu_ctx_query(fd, ctx).status, 0, "and is well");
	gpu_ctx_destroy(fd, ctx);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all memory is free again");
}

static void check_dump(const struct firmware *firmware)
{
	char *dump = coredump_read();

	if (!tap_ok(dump != NULL, "a core dump was made"))
		return;
	tap_ok(coredump_has(dump, "reason: firmware %s", firmware->reason), "it says why");
	tap_ok(coredump_has(dump, "GCP_STATE %#x", firmware->state), "it has the registers from before the reset");
	tap_ok(coredump_has(dump, " test_reset ring 1 state live"), "and the contexts");
	tap_ok(coredump_has(dump, " CTX_CREATE context "), "and the rings");
	tap_ok(coredump_has(dump, "[firmware log]\n"), "and the firmware's log");
	free(dump);
}

static void test_reset(int fd, const struct firmware *firmware)
{
	uint64_t resets = gpu_param(fd, D3DGPU_PARAM_RESETS);
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct gpu_bo buffer = gpu_staging(fd, 65536);
	struct drm_d3dgpu_submit_bo list = {.handle = buffer.handle};
	uint32_t ctx = gpu_ctx(fd), other;
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, &list, 1);

	coredump_clear();
	memset(buffer.map, 0x42, buffer.size);
	tap_eq(gpu_run(fd, &submit), 0, "a context with an object works");
	if (!firmware_boot(firmware)) {
		tap_skip("the kernel does not let programs map registers (iomem=relaxed)", "reset");
		return;
	}
	tap_eq(gpu_ctx_create(fd, D3DGPU_PRIORITY_NORMAL, &other), 0,
	       "the firmware %s: who asks for a context then gets one, a little later", firmware->does);
	gpu_ctx_destroy(fd, other);
	if (!tap_ok(gpu_param_reaches(fd, D3DGPU_PARAM_RESETS, resets + 1), "the device is reset"))
		return;
	check_dump(firmware);
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
	uint64_t resets = gpu_param(fd, D3DGPU_PARAM_RESETS);
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
		died += firmware_boot(&firmware_dies) && gpu_param_reaches(fd, D3DGPU_PARAM_RESETS, ++resets);
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
		firmware_boot(&firmware_dies);
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

	test_reset(fd, &firmware_dies);
	test_reset(fd, &firmware_dies);
	test_reset(fd, &firmware_idles);
	test_programs(fd);
	close(fd);
	test_unplugged();
	return tap_done();
}
