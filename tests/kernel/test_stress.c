/* SPDX-License-Identifier: MIT */
/* Threads on one file, processes that are killed while they submit, files that are closed under submits. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"
#include "tap.h"

#define THREADS 4
#define ROUNDS 50

struct worker {
	pthread_t thread;
	int fd;
	uint32_t ctx;
	unsigned failures;
};

/* Makes an object, submits it, closes it at once. */
static int one_round(int fd, uint32_t ctx, uint32_t commands)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(32, 32);
	struct gpu_bo stream = {.handle = commands}, texture;
	struct drm_d3dgpu_submit_bo list = {.flags = D3DGPU_SUBMIT_BO_WRITE};
	struct drm_d3dgpu_submit submit;
	int ret = gpu_resource_create(fd, &desc, &texture);

	if (ret)
		return ret;
	list.handle = texture.handle;
	submit = gpu_submit_args(ctx, &stream, 4, &list, 1);
	ret = gpu_submit(fd, &submit);
	gpu_close(fd, texture.handle);
	return ret;
}

static void *work(void *data)
{
	struct worker *worker = data;
	struct gpu_bo commands = gpu_staging(worker->fd, 4096);
	struct drm_d3dgpu_submit submit = gpu_submit_args(worker->ctx, NULL, 0, NULL, 0);

	gpu_put_nops(commands.map, 1024);
	for (unsigned i = 0; i < ROUNDS; i++)
		worker->failures += one_round(worker->fd, worker->ctx, commands.handle) != 0;
	worker->failures += gpu_run(worker->fd, &submit) != 0;
	gpu_staging_end(worker->fd, &commands);
	return NULL;
}

/* Threads with a context each, or all with the same. */
static void test_threads(int fd, bool shared)
{
	struct worker workers[THREADS];
	uint32_t ctx[THREADS];
	unsigned failures = 0;

	for (unsigned i = 0; i < THREADS; i++) {
		ctx[i] = i && shared ? ctx[0] : gpu_ctx(fd);
		workers[i] = (struct worker){.fd = fd, .ctx = ctx[i]};
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		failures += workers[i].failures;
	}
	tap_eq(failures, 0, "%d threads on one file, %s: all submits complete", THREADS,
	       shared ? "one context" : "a context each");
	for (unsigned i = 0; i < (shared ? 1 : THREADS); i++) {
		tap_eq(gpu_ctx_query(fd, ctx[i]).completed, shared ? THREADS * (ROUNDS + 1) : ROUNDS + 1,
		       "context %u has completed them", i);
		gpu_ctx_destroy(fd, ctx[i]);
	}
}

/* A process that submits until it is killed. */
static void submit_for_ever(void)
{
	int fd = gpu_open();
	uint32_t ctx = gpu_ctx(fd);
	struct gpu_bo commands = gpu_staging(fd, 4096);

	gpu_put_nops(commands.map, 1024);
	while (!one_round(fd, ctx, commands.handle))
		;
	_exit(1);
}

static void test_killed(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	uint32_t ctx = gpu_ctx(fd);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, NULL, 0, NULL, 0);
	unsigned killed = 0;

	for (unsigned i = 0; i < 3; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			submit_for_ever();
		usleep(700000);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	}
	tap_eq(killed, 3, "three processes are killed while they submit");
	tap_eq(gpu_run(fd, &submit), 0, "another one goes on");
	tap_ok(gpu_vram_comes_back(fd, free_before), "and all their memory comes back");
	gpu_ctx_destroy(fd, ctx);
}

struct closer {
	pthread_t thread;
	int fd;
	uint32_t ctx, commands;
	atomic_bool stop;
};

static void *submit_until_closed(void *data)
{
	struct closer *closer = data;

	while (!atomic_load(&closer->stop) && !one_round(closer->fd, closer->ctx, closer->commands))
		;
	return NULL;
}

/* The descriptor is closed, and its number taken by nothing else, while another thread is inside an ioctl. */
static void test_closed(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);

	for (unsigned i = 0; i < 5; i++) {
		struct closer closer = {.fd = gpu_open()};
		struct drm_d3dgpu_staging_create create = {.size = 4096};

		closer.ctx = gpu_ctx(closer.fd);
		gpu_call(closer.fd, DRM_IOCTL_D3DGPU_STAGING_CREATE, &create);
		closer.commands = create.handle;
		pthread_create(&closer.thread, NULL, submit_until_closed, &closer);
		usleep(100000);
		close(closer.fd);
		atomic_store(&closer.stop, true);
		pthread_join(closer.thread, NULL);
	}
	tap_ok(gpu_vram_comes_back(fd, free_before), "files closed while a thread submits: all memory comes back");
}

int main(void)
{
	int fd = gpu_open();

	test_threads(fd, false);
	test_threads(fd, true);
	test_killed(fd);
	test_closed(fd);
	close(fd);
	return tap_done();
}
