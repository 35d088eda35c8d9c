/* SPDX-License-Identifier: MIT */
/* [SECONDS]: contexts and objects that come and go: nothing is left of them, and nothing grows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "content.h"
#include "host.h"
#include "tap.h"

#define WARM_UP 5		/* seconds */
#define NOTE_SECONDS 30		/* between signs of life: silence is taken for a hang */
#define CHURN 15		/* seconds, unless told */
#define OBJECTS 6		/* in a round */
#define GROWTH (8u << 10)	/* KiB that count as none: caches breathe */
#define WAIT_SECONDS 20		/* for workers to end */
#define SPARE 1u		/* workers that the device keeps ready; one may be on its way when it is looked for */

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* KiB, by the name of the line in /proc/meminfo. */
static unsigned long memory(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long value = 0;
	size_t length = strlen(name);
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, length) && line[length] == ':')
			sscanf(line + length + 1, "%lu", &value);
	if (file)
		fclose(file);
	return value;
}

/*
 * KiB of growth that count as none. A debug kernel, which looks for leaks itself, has KASAN keep what was freed for a while: up
 * to a thirty-second of all memory.
 */
static unsigned long allowance(void)
{
	return GROWTH + (access("/sys/kernel/debug/kmemleak", F_OK) ? 0 : memory("MemTotal") / 32);
}

/* A file and a context, objects of all kinds that it uses and that are closed with it or before. */
static bool round_of(unsigned number)
{
	int fd = gpu_open();
	struct content_mover mover = content_mover_begin(fd);
	bool well = true;

	for (unsigned i = 0; i < OBJECTS; i++) {
		const struct content_kind *kind = &content_kinds[(number * OBJECTS + i) % content_kind_count];
		struct gpu_bo bo;

		well = well && !content_create(fd, kind, &bo) && !content_write(&mover, kind, &bo, number + i);
		if (well && i % 2)
			gpu_close(fd, bo.handle);
	}
	if (number % 3) {
		content_mover_end(&mover);
	} else {
		munmap(mover.commands.map, mover.commands.size);
		munmap(mover.staging.map, mover.staging.size);
	}
	close(fd);
	return well;
}

static unsigned churn(unsigned first, unsigned seconds, unsigned *failed)
{
	time_t end = now() + seconds, note = now() + NOTE_SECONDS;
	unsigned number = first;

	for (; now() < end; number++) {
		*failed += !round_of(number);
		if (now() >= note) {
			tap_diag("%u times", number);
			note += NOTE_SECONDS;
		}
	}
	return number - first;
}

/*
 * What the host has when no more workers than `most` are left, or after a while. Workers that are there before are kept for the
 * contexts to come: they are new, and none of the churn's.
 */
static struct host_memory host_at_rest(unsigned most)
{
	struct host_memory memory = host_memory();

	for (unsigned i = 0; i < WAIT_SECONDS && memory.workers > most; i++) {
		sleep(1);
		memory = host_memory();
	}
	return memory;
}

static void check_host(const struct host_memory *before, unsigned most)
{
	struct host_memory after = host_at_rest(most);

	tap_diag("VMM %llu -> %llu KiB, %u workers with %llu -> %u with %llu KiB", (unsigned long long)before->vmm,
		 (unsigned long long)after.vmm, before->workers, (unsigned long long)before->of_workers, after.workers,
		 (unsigned long long)after.of_workers);
	tap_ok(after.vmm < before->vmm + GROWTH, "the VMM has not grown");
	tap_ok(after.workers <= most, "no worker is left on the host");
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : CHURN;
	int fd = gpu_open();
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct host_memory host = host_memory();
	unsigned workers = host.workers > SPARE ? host.workers : SPARE;
	unsigned long slab, available;
	unsigned rounds, failed = 0;

	rounds = churn(0, WARM_UP, &failed);
	tap_ok(gpu_vram_comes_back(fd, free_before), "warmed up: all VRAM is free");
	slab = memory("Slab");
	available = memory("MemAvailable");
	host = host_at_rest(workers);
	rounds += churn(rounds, seconds, &failed);
	tap_eq(failed, 0, "files, contexts and objects come and go, %u times", rounds);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all VRAM is free again");
	tap_diag("Slab %lu -> %lu KiB, MemAvailable %lu -> %lu KiB", slab, memory("Slab"), available, memory("MemAvailable"));
	tap_ok(memory("Slab") < slab + allowance(), "the kernel's own memory has not grown");
	tap_ok(memory("MemAvailable") + allowance() > available, "nor has what the system can use become less");
	check_host(&host, workers);
	close(fd);
	return tap_done();
}
