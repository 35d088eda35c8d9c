/* SPDX-License-Identifier: MIT */
/* What /proc/self/fdinfo says about an open node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define FLOOD_BYTES (2u << 20)	/* of commands that do nothing, for a worker to read */

/* The value behind a key, without blanks around it; empty if there is no such key. */
static void read_key(int fd, const char *key, char value[64])
{
	char path[64], line[256];
	size_t length = strlen(key);
	FILE *file;

	value[0] = '\0';
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, length) || line[length] != ':')
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, 64, "%.63s", line + length + 1 + strspn(line + length + 1, " \t"));
	}
	if (file)
		fclose(file);
}

static uint64_t read_number(int fd, const char *key)
{
	char value[64];

	read_key(fd, key, value);
	return strtoull(value, NULL, 10);
}

static void test_identity(int fd)
{
	int other = gpu_open();
	char value[64];

	read_key(fd, "drm-driver", value);
	tap_ok(!strcmp(value, "d3dgpu"), "drm-driver is d3dgpu (\"%s\")", value);
	read_key(fd, "drm-pdev", value);
	tap_ok(!strncmp(value, "0000:", 5), "drm-pdev is a PCI address (\"%s\")", value);
	tap_ok(read_number(fd, "drm-client-id") > 0, "there is a drm-client-id");
	tap_ok(read_number(fd, "drm-client-id") != read_number(other, "drm-client-id"), "another open node has another");
	close(other);
}

static void test_memory(int fd)
{
	uint64_t before = read_number(fd, "drm-memory-vram");
	struct drm_d3dgpu_gem_madvise advice = {.advice = D3DGPU_ADVICE_DONTNEED};
	struct gpu_bo bo = gpu_staging(fd, 1 << 20);
	char value[64];

	tap_eq(read_number(fd, "drm-memory-vram"), before + 1024, "a buffer of 1 MiB adds 1024 to drm-memory-vram");
	read_key(fd, "drm-memory-vram", value);
	tap_ok(strstr(value, " KiB"), "whose unit is KiB (\"%s\")", value);
	tap_eq(read_number(fd, "drm-resident-vram"), before + 1024, "drm-resident-vram is the same");
	tap_eq(read_number(fd, "drm-total-vram"), before + 1024, "and drm-total-vram, for nothing is evicted");
	tap_eq(read_number(fd, "drm-shared-vram"), 0, "nothing is shared");
	tap_eq(read_number(fd, "drm-purgeable-vram"), 0, "nothing is purgeable");
	tap_eq(read_number(fd, "drm-resident-system"), 0, "nothing is in system memory");
	advice.handle = bo.handle;
	gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MADVISE, &advice);
	tap_eq(read_number(fd, "drm-purgeable-vram"), 1024, "until the content of the buffer is not needed");
	gpu_staging_end(fd, &bo);
	tap_eq(read_number(fd, "drm-memory-vram"), before, "all of it goes when it is closed");
}

struct flood {
	int fd;
	struct drm_d3dgpu_submit submit;
	uint64_t active; /* KiB that were, when some were */
};

/* Gives the GPU something to do, and looks whether it is known to use the objects that the submit lists. */
static bool seen_active(void *data)
{
	struct flood *flood = data;

	gpu_submit(flood->fd, &flood->submit);
	flood->active = read_number(flood->fd, "drm-active-vram");
	return flood->active > 0;
}

static void test_active(int fd)
{
	struct gpu_bo commands = gpu_staging(fd, FLOOD_BYTES), listed = gpu_staging(fd, 1 << 20), idle = gpu_staging(fd, 1 << 20);
	struct drm_d3dgpu_submit_bo list[] = {{.handle = listed.handle}, {.handle = listed.handle}};
	struct drm_d3dgpu_gem_madvise advice = {.handle = listed.handle, .advice = D3DGPU_ADVICE_DONTNEED};
	uint32_t ctx = gpu_ctx(fd);
	struct flood flood = {fd, gpu_submit_args(ctx, &commands, FLOOD_BYTES / 4, list, 2), 0};
	struct drm_d3dgpu_submit last = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	uint64_t purgeable;

	gpu_put_nops(commands.map, FLOOD_BYTES / 4);
	tap_eq(read_number(fd, "drm-active-vram"), 0, "nothing is active before it is listed");
	tap_ok(gpu_eventually(seen_active, &flood, PATIENCE), "submits are under way");
	tap_eq(flood.active, (FLOOD_BYTES + (1 << 20)) >> 10, "their commands and what they list, once, is active, and nothing else");
	gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MADVISE, &advice);
	purgeable = read_number(fd, "drm-purgeable-vram");
	tap_ok(!purgeable || !read_number(fd, "drm-active-vram"), "what is active is not purgeable");
	tap_eq(gpu_run(fd, &last), 0, "wait for all");
	tap_eq(read_number(fd, "drm-active-vram"), 0, "nothing is active any more");
	tap_eq(read_number(fd, "drm-purgeable-vram"), 1024, "and what is not needed is purgeable");
	gpu_ctx_destroy(fd, ctx);
	gpu_staging_end(fd, &commands);
	gpu_staging_end(fd, &listed);
	gpu_staging_end(fd, &idle);
}

static void test_engine(int fd)
{
	struct gpu_bo bo = gpu_staging(fd, 65536);
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit;
	uint64_t used;

	tap_eq(read_number(fd, "drm-engine-3d"), 0, "no engine time before the first submit");
	gpu_put_nops(bo.map, 1024);
	submit = gpu_submit_args(ctx, &bo, 1024, NULL, 0);
	tap_eq(gpu_run(fd, &submit), 0, "a submit");
	used = read_number(fd, "drm-engine-3d");
	tap_ok(used > 0, "took some (%llu ns)", (unsigned long long)used);
	tap_ok(used < (uint64_t)PATIENCE, "but not more than there was");
	gpu_ctx_destroy(fd, ctx);
	tap_ok(read_number(fd, "drm-engine-3d") >= used, "it stays when the context goes");
	gpu_staging_end(fd, &bo);
}

int main(void)
{
	int fd = gpu_open();

	test_identity(fd);
	test_memory(fd);
	test_engine(fd);
	test_active(fd);
	close(fd);
	return tap_done();
}
