/* SPDX-License-Identifier: MIT */
/* What a submit costs when nothing is new: one ring entry, one doorbell at most, one interrupt at most. From debugfs. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define SUBMITS 200
#define OBJECTS 50

static uint64_t counter(const char *name)
{
	unsigned long long value = 0;
	bool found = false;
	char line[128], word[64];
	glob_t paths;
	FILE *file;

	if (glob("/sys/kernel/debug/dri/*/counters", 0, NULL, &paths))
		tap_bail("no counters in debugfs");
	file = fopen(paths.gl_pathv[0], "r");
	globfree(&paths);
	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%63s %llu", word, &value) == 2 && !strcmp(word, name);
	if (file)
		fclose(file);
	if (!found)
		tap_bail("no counter %s", name);
	return value;
}

static void test_submits(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(16, 16);
	struct gpu_bo commands = gpu_staging(fd, 4096), texture;
	struct drm_d3dgpu_submit_bo list[OBJECTS];
	uint64_t entries, doorbells, interrupts;
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, &commands, 4, list, OBJECTS);
	unsigned completed = 0;

	gpu_put_nops(commands.map, 1024);
	for (unsigned i = 0; i < OBJECTS; i++) {
		if (gpu_resource_create(fd, &desc, &texture))
			tap_bail("no texture");
		list[i] = (struct drm_d3dgpu_submit_bo){.handle = texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	}
	entries = counter("entries");
	tap_eq(gpu_run(fd, &submit), 0, "the first submit with %d objects", OBJECTS);
	tap_eq(counter("entries") - entries, OBJECTS + 2,
	       "takes an entry for each of them, one for the command buffer and one for the stream");

	entries = counter("entries");
	doorbells = counter("doorbells");
	interrupts = counter("interrupts");
	for (unsigned i = 0; i < SUBMITS; i++)
		completed += !gpu_run(fd, &submit);
	tap_eq(completed, SUBMITS, "%d more complete", SUBMITS);
	tap_eq(counter("entries") - entries, SUBMITS, "and take an entry each");
	tap_ok(counter("doorbells") - doorbells <= SUBMITS, "at most a doorbell each");
	tap_ok(counter("interrupts") - interrupts <= SUBMITS + 1, "and at most an interrupt each");
	for (unsigned i = 0; i < OBJECTS; i++)
		gpu_close(fd, list[i].handle);
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, ctx);
}

int main(void)
{
	int fd = gpu_open();

	test_submits(fd);
	close(fd);
	return tap_done();
}
