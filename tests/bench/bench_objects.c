/* SPDX-License-Identifier: MIT */
/* Objects of the kernel driver that are created and destroyed in a second. No engine sees them: they are in no submit. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "gpu.h"

#define EXITS 100u	/* objects for which exits are counted, in each round */

static void staging_buffers(void *data, unsigned count)
{
	int fd = *(int *)data;
	struct gpu_bo bo;

	for (unsigned i = 0; i < count; i++) {
		bench_must(gpu_staging_create(fd, 64 << 10, &bo), "STAGING_CREATE");
		bench_must(gpu_close(fd, bo.handle), "GEM_CLOSE");
	}
}

static void textures(void *data, unsigned count)
{
	int fd = *(int *)data;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(256, 256);
	struct gpu_bo bo;

	for (unsigned i = 0; i < count; i++) {
		bench_must(gpu_resource_create(fd, &desc, &bo), "RESOURCE_CREATE");
		bench_must(gpu_close(fd, bo.handle), "GEM_CLOSE");
	}
}

/* Each is admitted by the device's depth-stencil unit: one register write. */
static void depth_stencils(void *data, unsigned count)
{
	int fd = *(int *)data;

	for (unsigned i = 0; i < count; i++) {
		struct drm_d3dgpu_ds_create args = {
			.width = 640, .height = 480, .format = D3DGPU_DS_D24S8, .layers = 1, .levels = 1};

		bench_must(gpu_call(fd, DRM_IOCTL_D3DGPU_DS_CREATE, &args), "DS_CREATE");
		bench_must(gpu_close(fd, args.handle), "GEM_CLOSE");
	}
}

/* A number that a file of debugfs has behind a name. */
static double debugfs_number(const char *file, const char *name)
{
	char path[64], line[128], word[64];
	unsigned long long value = 0;
	bool found = false;
	glob_t paths;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/*/%s", file);
	bench_must(glob(path, 0, NULL, &paths) ? -1 : 0, path);
	f = fopen(paths.gl_pathv[0], "r");
	globfree(&paths);
	while (f && !found && fgets(line, sizeof(line), f))
		found = sscanf(line, "%63s %lli", word, (long long *)&value) == 2 && !strcmp(word, name);
	if (f)
		fclose(f);
	bench_must(found ? 0 : -1, name);
	return (double)value;
}

/* What an allocation has the host do: runs of the unit, and doorbells (large ranges are cleared by the copy engine). */
static void depth_stencil_exits(int *fd)
{
	struct bench_samples runs = {0}, doorbells = {0};

	for (unsigned i = 0; i < bench_rounds(); i++) {
		double runs_before = debugfs_number("registers", "DSU_RUNS");
		double doorbells_before = debugfs_number("counters", "doorbells");

		depth_stencils(fd, EXITS);
		bench_add(&runs, (debugfs_number("registers", "DSU_RUNS") - runs_before) / EXITS);
		bench_add(&doorbells, (debugfs_number("counters", "doorbells") - doorbells_before) / EXITS);
	}
	bench_report("kernel.object.depth_stencil.unit_runs", "exits/object", &runs);
	bench_report("kernel.object.depth_stencil.doorbells", "exits/object", &doorbells);
}

/* Each is a process of the host; some may be started beforehand. */
static void contexts(void *data, unsigned count)
{
	int fd = *(int *)data;

	for (unsigned i = 0; i < count; i++)
		gpu_ctx_destroy(fd, gpu_ctx(fd));
}

int main(int argc, char **argv)
{
	int fd;

	bench_open(argc, argv,
		   "Objects of the kernel driver, created and destroyed: staging buffers of 64 KiB, textures of 256x256, depth-stencil\n"
		   "surfaces of 640x480 (D24S8) through the depth-stencil unit; milliseconds for a context.");
	fd = gpu_open();
	bench_rate("kernel.object.staging", "objects/s", staging_buffers, &fd);
	bench_rate("kernel.object.texture", "objects/s", textures, &fd);
	bench_rate("kernel.object.depth_stencil", "objects/s", depth_stencils, &fd);
	depth_stencil_exits(&fd);
	bench_duration("kernel.context", contexts, &fd);
	close(fd);
	return 0;
}
