/* SPDX-License-Identifier: MIT */
/* The machine sleeps while programs use the GPU: all that they had is there when it wakes up. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu.h"
#include "power.h"
#include "tap.h"

#define EXTENT 64
#define BYTES (EXTENT * EXTENT * 4)
#define SLEEP_SECONDS 4
#define TEXTURES 8

/* A context with textures that it has written, and buffers. */
struct program {
	int fd;
	uint32_t ctx;
	struct gpu_bo textures[TEXTURES], transfer, commands;
};

static uint8_t byte_of(unsigned texture, unsigned at)
{
	return (uint8_t)(texture * 37 + at * 11 + (at >> 8));
}

static int copy(struct program *program, unsigned texture, bool upload)
{
	struct drm_d3dgpu_submit_bo list[2] = {
		{.handle = program->transfer.handle, .flags = upload ? 0 : D3DGPU_SUBMIT_BO_WRITE},
		{.handle = program->textures[texture].handle, .flags = upload ? D3DGPU_SUBMIT_BO_WRITE : 0},
	};
	struct drm_d3dgpu_submit submit;
	size_t words = (upload ? gpu_put_upload : gpu_put_download)(program->commands.map, program->textures[texture].res_id,
								    EXTENT, EXTENT, program->transfer.res_id);

	submit = gpu_submit_args(program->ctx, &program->commands, (uint32_t)words, list, 2);
	return gpu_run(program->fd, &submit);
}

static int upload(struct program *program, unsigned texture, unsigned seed)
{
	uint8_t *bytes = program->transfer.map;

	for (unsigned i = 0; i < BYTES; i++)
		bytes[i] = byte_of(seed, i);
	return copy(program, texture, true);
}

/* Whether a texture has the content of a seed. */
static bool has_content(struct program *program, unsigned texture, unsigned seed)
{
	const uint8_t *bytes = program->transfer.map;

	memset(program->transfer.map, 0, BYTES);
	if (copy(program, texture, false))
		return false;
	for (unsigned i = 0; i < BYTES; i++)
		if (bytes[i] != byte_of(seed, i))
			return false;
	return true;
}

static unsigned count_content(struct program *program)
{
	unsigned good = 0;

	for (unsigned i = 0; i < TEXTURES; i++)
		good += has_content(program, i, i);
	return good;
}

static void begin(struct program *program)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(EXTENT, EXTENT);

	*program = (struct program){.fd = gpu_open()};
	program->ctx = gpu_ctx(program->fd);
	program->transfer = gpu_staging(program->fd, BYTES);
	program->commands = gpu_staging(program->fd, 4096);
	for (unsigned i = 0; i < TEXTURES; i++)
		if (gpu_resource_create(program->fd, &desc, &program->textures[i]) || upload(program, i, i))
			tap_bail("no texture");
}

static void end(struct program *program)
{
	gpu_staging_end(program->fd, &program->transfer);
	gpu_staging_end(program->fd, &program->commands);
	close(program->fd);
}

/* A process that uploads and downloads until it is told to stop; its status says whether all was well. */
static pid_t busy_process(int stop[2])
{
	struct program program;
	pid_t child = fork();
	unsigned round = 0;
	char end;

	if (child)
		return child;
	close(stop[1]);
	begin(&program);
	while (recv(stop[0], &end, 1, MSG_DONTWAIT) < 0) {
		unsigned texture = round % TEXTURES;

		if (upload(&program, texture, round) || !has_content(&program, texture, round))
			_exit(1);
		round++;
	}
	_exit(round ? 0 : 2);
}

static void test_sleep(struct program *program, const struct power_sleep *sleep)
{
	struct drm_d3dgpu_ctx_query before, after;
	int stop[2], status = -1;
	uint8_t *bytes = program->transfer.map;
	pid_t child;

	if (!power_can(sleep)) {
		tap_skip("this kernel cannot do that", sleep->name);
		return;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, stop))
		tap_bail("no sockets");
	child = busy_process(stop);
	close(stop[0]);
	usleep(700000);
	before = gpu_ctx_query(program->fd, program->ctx);
	for (unsigned i = 0; i < BYTES; i++)
		bytes[i] = byte_of(99, i);

	tap_eq(power_sleep(sleep, SLEEP_SECONDS), 0, "%s: the machine sleeps and wakes up", sleep->name);
	after = gpu_ctx_query(program->fd, program->ctx);
	tap_eq(after.status, 0, "the context is alive");
	tap_eq(after.completed, before.completed, "and has forgotten nothing");
	tap_ok(bytes[0] == byte_of(99, 0) && bytes[BYTES - 1] == byte_of(99, BYTES - 1), "mapped memory has its content");
	tap_eq(count_content(program), TEXTURES, "all textures have their content");
	tap_eq(upload(program, 0, 50), 0, "work goes on");
	tap_ok(has_content(program, 0, 50), "with the same objects");
	upload(program, 0, 0);

	usleep(500000);
	close(stop[1]);
	waitpid(child, &status, 0);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a process that was at work has noticed nothing (status %#x)", status);
}

int main(void)
{
	int fd = gpu_open();
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct program program;

	begin(&program);
	for (unsigned i = 0; i < POWER_SLEEPS; i++)
		test_sleep(&program, &power_sleeps[i]);
	end(&program);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all memory is free in the end");
	close(fd);
	return tap_done();
}
