/* SPDX-License-Identifier: MIT */
/* Fences that outlive everything they came from: the file, the device, and the driver's module. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "driver.h"
#include "gpu.h"
#include "tap.h"

/* A sync_file of a new submit, whose context stays open. */
static int submit_fence(int fd, uint32_t ctx, struct gpu_bo *commands, uint32_t words)
{
	struct drm_d3dgpu_sync out = {.handle = gpu_syncobj(fd, 0)};
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, commands, words, NULL, 0);
	int file, ret;

	submit.out_syncs = (uintptr_t)&out;
	submit.out_sync_count = 1;
	ret = gpu_submit(fd, &submit);
	if (ret)
		tap_bail("SUBMIT: %s", strerror(-ret));
	if (drmSyncobjExportSyncFile(fd, out.handle, &file))
		tap_bail("sync file: %s", strerror(errno));
	drmSyncobjDestroy(fd, out.handle);
	return file;
}

static bool is_signalled(int file, int patience_ms)
{
	struct pollfd poll_file = {.fd = file, .events = POLLIN};

	return poll(&poll_file, 1, patience_ms) == 1;
}

/* Whether the kernel can tell everything about a sync_file and the one fence in it, which has ended with `status`. */
static void check_info(int file, int status, const char *when)
{
	struct sync_fence_info fence = {0};
	struct sync_file_info info = {.num_fences = 1, .sync_fence_info = (uintptr_t)&fence};

	tap_eq(ioctl(file, SYNC_IOC_FILE_INFO, &info) ? -errno : 0, 0, "%s: the fence can be asked about", when);
	tap_eq(info.num_fences, 1, "%s: it is one fence", when);
	tap_ok(fence.driver_name[0] && fence.obj_name[0], "%s: it has names (\"%s\", \"%s\")", when, fence.driver_name,
	       fence.obj_name);
	tap_eq(fence.status, status, "%s: it has its status", when);
}

static void check_merge(int first, int second, const char *when)
{
	struct sync_merge_data merge = {.name = "outlive", .fd2 = second};

	tap_eq(ioctl(first, SYNC_IOC_MERGE, &merge) ? -errno : 0, 0, "%s: fences can be merged", when);
	tap_ok(is_signalled(merge.fence, 0), "%s: and what comes of it is signalled", when);
	close(merge.fence);
}

/* The file goes while a long queue is on its way; its fences are signalled all the same. */
static void leave_fences(int files[2])
{
	int fd = gpu_open();
	uint32_t ctx = gpu_ctx(fd);
	struct gpu_bo commands = gpu_staging(fd, 65536);

	gpu_put_nops(commands.map, 16384);
	files[0] = submit_fence(fd, ctx, NULL, 0);
	tap_ok(is_signalled(files[0], (int)(PATIENCE / 1000000)), "a submit is done");
	for (unsigned i = 0; i < 200; i++) {
		if (i)
			close(files[1]);
		files[1] = submit_fence(fd, ctx, &commands, 16384);
	}
	gpu_staging_end(fd, &commands);
	close(fd);
}

int main(void)
{
	char address[32];
	int files[2], status;

	driver_find_address(address);
	leave_fences(files);
	check_info(files[0], 1, "the file is closed");

	tap_eq(driver_tell("unbind", address), 0, "the device goes");
	tap_ok(is_signalled(files[1], 0), "all fences are signalled then");
	status = gpu_sync_file_status(files[1]);
	tap_ok(status == 1 || status == -EIO || status == -ESRCH, "done, lost or thrown away (status %d)", status);
	check_info(files[0], 1, "the device is gone");
	check_info(files[1], status, "the device is gone, of a submit on its way");

	tap_eq(syscall(SYS_delete_module, "d3dgpu", O_NONBLOCK) ? -errno : 0, 0, "held fences do not keep the module loaded");
	check_info(files[0], 1, "the module is gone");
	check_info(files[1], status, "the module is gone, of a submit on its way");
	check_merge(files[0], files[1], "the module is gone");

	tap_eq(system("modprobe d3dgpu"), 0, "the module is loaded again");
	check_info(files[0], 1, "another module is there");
	close(files[0]);
	close(files[1]);
	close(gpu_open());
	return tap_done();
}
