/* SPDX-License-Identifier: MIT */
/*
 * soak [SECONDS [SEED]]: programs come and go, are killed at any moment, lose their contexts and want more memory than there
 * is; the firmware dies, the device goes and comes back, the module is unloaded. In the end nothing is left of it all. The
 * kernel's log is judged by scripts/vm.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver.h"
#include "firmware.h"
#include "gpu.h"
#include "tap.h"

#define ACTORS 4
#define PAUSE_US 50000

struct soak {
	pid_t actors[ACTORS];		/* 0: none */
	char address[32];
	unsigned started, killed, deaths, removals, unloads;
};

static unsigned below(unsigned limit)
{
	return (unsigned)rand() % limit;
}

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* ---- actors: they run until they are killed, or the device is gone ---- */

/* Streams, good ones and now and then a bad one. */
static void submit_streams(int fd)
{
	struct gpu_bo commands = gpu_staging(fd, 65536);

	for (;;) {
		uint32_t ctx = gpu_ctx(fd);
		struct drm_d3dgpu_submit submit;

		gpu_put_nops(commands.map, 16384);
		if (!below(3))
			((uint32_t *)commands.map)[below(16384)] = ~0u;
		submit = gpu_submit_args(ctx, &commands, 1 + below(16384), NULL, 0);
		for (unsigned i = below(50); i && !gpu_submit(fd, &submit); i--)
			;
		if (below(2))
			gpu_run(fd, &submit);
		gpu_ctx_destroy(fd, ctx);
	}
}

/* Textures that are written, in more memory than there is. */
static void fill_memory(int fd)
{
	const unsigned extent = 512, most = 100;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(extent, extent);
	struct gpu_bo buffer = gpu_staging(fd, extent * extent * 4), commands = gpu_staging(fd, 4096), textures[100] = {0};
	uint32_t ctx = gpu_ctx(fd);

	for (;;) {
		struct gpu_bo *texture = &textures[below(most)];
		struct drm_d3dgpu_submit_bo list[2] = {{.handle = buffer.handle}};
		struct drm_d3dgpu_submit submit;
		size_t words;

		if (texture->handle)
			gpu_close(fd, texture->handle);
		if (gpu_resource_create(fd, &desc, texture)) {
			*texture = (struct gpu_bo){0};
			continue;
		}
		list[1] = (struct drm_d3dgpu_submit_bo){.handle = texture->handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
		words = gpu_put_upload(commands.map, texture->res_id, extent, extent, buffer.res_id);
		submit = gpu_submit_args(ctx, &commands, (uint32_t)words, list, 2);
		if (gpu_run(fd, &submit) == -EIO) {
			gpu_ctx_destroy(fd, ctx);
			ctx = gpu_ctx(fd);
		}
	}
}

/* Files that are opened and closed with everything in them. */
static void open_and_close(int fd)
{
	for (;;) {
		int other = gpu_open();
		struct drm_d3dgpu_submit submit = gpu_submit_args(gpu_ctx(other), NULL, 0, NULL, 0);
		struct gpu_bo bo;

		gpu_staging_create(other, 4096 + below(1 << 20), &bo);
		for (unsigned i = below(20); i; i--)
			gpu_submit(other, &submit);
		close(other);
		gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	}
}

static void start_actor(struct soak *soak, unsigned slot)
{
	static void (*const plays[])(int fd) = {submit_streams, fill_memory, open_and_close};
	unsigned play = below(3), seed = (unsigned)rand();

	soak->actors[slot] = fork();
	soak->started++;
	if (soak->actors[slot])
		return;
	srand(seed);
	if (!freopen("/dev/null", "w", stdout)) /* it bails out when the device goes */
		_exit(1);
	plays[play](gpu_open());
	_exit(0);
}

static void kill_actor(struct soak *soak, unsigned slot)
{
	if (!soak->actors[slot])
		return;
	kill(soak->actors[slot], SIGKILL);
	waitpid(soak->actors[slot], NULL, 0);
	soak->actors[slot] = 0;
	soak->killed++;
}

static void reap_actors(struct soak *soak)
{
	for (unsigned i = 0; i < ACTORS; i++)
		if (soak->actors[i] && waitpid(soak->actors[i], NULL, WNOHANG) > 0)
			soak->actors[i] = 0;
}

static void kill_actors(struct soak *soak)
{
	for (unsigned i = 0; i < ACTORS; i++)
		kill_actor(soak, i);
}

/* ---- what happens to them ---- */

static void remove_device(struct soak *soak)
{
	if (driver_tell("unbind", soak->address))
		tap_bail("the device cannot be taken away");
	usleep(below(200000));
	if (driver_tell("bind", soak->address))
		tap_bail("the device does not come back");
	soak->removals++;
}

/* With users it is refused, and nothing happens. */
static void unload(struct soak *soak)
{
	if (syscall(SYS_delete_module, "d3dgpu", O_NONBLOCK)) {
		if (errno != EAGAIN && errno != EBUSY && errno != EWOULDBLOCK)
			tap_bail("the module cannot be unloaded: %s", strerror(errno));
		return;
	}
	if (system("modprobe d3dgpu"))
		tap_bail("the module cannot be loaded again");
	soak->unloads++;
}

static void one_event(struct soak *soak)
{
	unsigned slot = below(ACTORS);

	reap_actors(soak);
	switch (below(40)) {
	case 0:
		soak->deaths += firmware_boot(&firmware_dies);
		break;
	case 1:
		remove_device(soak);
		break;
	case 2:
		kill_actors(soak);
		unload(soak);
		break;
	case 3:
		unload(soak);
		break;
	default:
		if (below(3))
			kill_actor(soak, slot);
		if (!soak->actors[slot])
			start_actor(soak, slot);
	}
}

/* Bytes of memory that the kernel could give to programs. */
static long available_kib(void)
{
	long kib = 0;
	char line[128];
	FILE *file = fopen("/proc/meminfo", "r");

	while (file && fgets(line, sizeof(line), file) && sscanf(line, "MemAvailable: %ld", &kib) != 1)
		;
	if (file)
		fclose(file);
	return kib;
}

static void check_end(uint64_t free_before, long kib_before)
{
	int fd = gpu_open();
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	long kib;

	tap_eq(gpu_run(fd, &submit), 0, "in the end a program works");
	gpu_ctx_destroy(fd, ctx);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all video memory is free");
	close(fd);
	kib = available_kib();
	tap_ok(kib > kib_before - 32768, "and memory is where it was (KiB: %ld, then %ld)", kib_before, kib);
}

int main(int argc, char **argv)
{
	time_t end = now() + (argc > 1 ? atol(argv[1]) : 30);
	unsigned seed = argc > 2 ? (unsigned)atol(argv[2]) : (unsigned)time(NULL);
	struct soak soak = {0};
	int fd = gpu_open();
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	long kib_before = available_kib();

	close(fd);
	tap_diag("seed %u", seed);
	srand(seed);
	driver_find_address(soak.address);
	while (now() < end) {
		one_event(&soak);
		usleep(below(PAUSE_US));
	}
	kill_actors(&soak);
	tap_ok(soak.started && soak.killed, "%u programs were started, %u killed; %u times the firmware died, %u times the device went, %u times the module",
	       soak.started, soak.killed, soak.deaths, soak.removals, soak.unloads);
	check_end(free_before, kib_before);
	return tap_done();
}
