/* SPDX-License-Identifier: MIT */
/* A small frame of one process through the kernel driver, while another process floods the GPU or does not. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "gpu.h"

#define FRAMES 20u			/* in each round */
#define FRAME_PAUSE_US 5000
#define LONG_WORDS (1u << 19)		/* 2 MiB of NOPs, one word each */

struct program {
	int fd;
	uint32_t context, syncobj;
	struct gpu_bo commands;
	uint32_t words;
};

static void start(struct program *program, uint32_t words)
{
	program->fd = gpu_open();
	program->words = words;
	program->commands = gpu_staging(program->fd, (words * 4 + 4095) & ~4095u);
	gpu_put_nops(program->commands.map, words);
	program->context = gpu_ctx(program->fd);
	program->syncobj = gpu_syncobj(program->fd, 0);
}

static void submit(struct program *program, uint32_t syncobj)
{
	struct drm_d3dgpu_sync out = {.handle = syncobj};
	struct drm_d3dgpu_submit args = gpu_submit_args(program->context, &program->commands, program->words, NULL, 0);

	if (syncobj) {
		args.out_syncs = (uintptr_t)&out;
		args.out_sync_count = 1;
	}
	bench_must(gpu_submit(program->fd, &args), "SUBMIT");
}

/* Another process that submits as fast as the driver takes it, until it is killed; 0: none. It is at work when this returns. */
static pid_t flood(uint32_t words)
{
	struct program program;
	pid_t pid = words ? fork() : 0;

	bench_must(pid, "fork");
	if (pid || !words) {
		sleep(words ? 2 : 0);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	start(&program, words);
	for (;;)
		submit(&program, 0);
}

static void measure(const char *name, struct program *program, uint32_t flood_words)
{
	struct bench_samples times = {0};
	pid_t pid = flood(flood_words);

	for (unsigned i = 0; i < FRAMES * bench_rounds(); i++) {
		double begun;

		usleep(FRAME_PAUSE_US);
		begun = bench_now();
		submit(program, program->syncobj);
		bench_must(gpu_syncobj_wait(program->fd, program->syncobj, PATIENCE), "waiting for a fence");
		bench_add(&times, bench_now() - begun);
	}
	if (pid) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	bench_report_times(name, &times);
}

int main(int argc, char **argv)
{
	struct program program;

	bench_open(argc, argv,
		   "A small frame (one NOP, every 5 ms) from SUBMIT until its fence has woken the waiter: with nothing beside it, beside\n"
		   "another process that floods the GPU with such streams, and beside one that floods it with streams of 2 MiB.");
	start(&program, 1);
	measure("kernel.frame.alone", &program, 0);
	measure("kernel.frame.flood_small", &program, 1);
	measure("kernel.frame.flood_long", &program, LONG_WORDS);
	return 0;
}
