/* SPDX-License-Identifier: MIT */
/*
 * Several times the VRAM pool in live objects of all kinds: their content comes back, whatever else goes on. Meant for a device
 * with little VRAM.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "content.h"
#include "tap.h"

#define OVERCOMMIT 4		/* times the pool */
#define MOST 1024		/* objects */
#define TICK 80000		/* microseconds after which a use counts as a later one */

struct object {
	const struct content_kind *kind;
	struct gpu_bo bo;
	uint32_t seed;
};

/* Makes and writes objects, all kinds in turn, until they have so many bytes. Returns how many. */
static unsigned fill(struct content_mover *mover, struct object *objects, uint64_t bytes, uint32_t seed)
{
	uint64_t made = 0;
	unsigned count = 0;

	for (; made < bytes && count < MOST; count++) {
		struct object *object = &objects[count];
		int ret;

		object->kind = &content_kinds[count % content_kind_count];
		object->seed = seed + count;
		ret = content_create(mover->fd, object->kind, &object->bo);
		if (!ret)
			ret = content_write(mover, object->kind, &object->bo, object->seed);
		if (ret) {
			tap_diag("object %u, %s: %s", count, object->kind->name, strerror(-ret));
			break;
		}
		made += object->bo.size;
	}
	if (made < bytes)
		tap_diag("made %llu bytes only", (unsigned long long)made);
	return made < bytes ? 0 : count;
}

static void close_all(int fd, struct object *objects, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		gpu_close(fd, objects[i].bo.handle);
}

/* How many objects of a kind do not have their content; NULL: of any. */
static unsigned count_wrong(struct content_mover *mover, struct object *objects, unsigned count, const struct content_kind *kind)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < count; i++)
		if (!kind || objects[i].kind == kind)
			wrong += !content_matches(mover, objects[i].kind, &objects[i].bo, objects[i].seed);
	return wrong;
}

static void test_kinds(int fd, struct object *objects)
{
	uint64_t pool = gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE);
	uint64_t evictions = gpu_param(fd, D3DGPU_PARAM_EVICTIONS);
	uint64_t restored = gpu_param(fd, D3DGPU_PARAM_BYTES_RESTORED);
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	struct content_mover mover = content_mover_begin(fd);
	unsigned count = fill(&mover, objects, OVERCOMMIT * pool, 1);

	if (!tap_ok(count, "%d times the pool in live objects of all kinds, each written by the device", OVERCOMMIT))
		return;
	tap_ok(gpu_param(fd, D3DGPU_PARAM_EVICTIONS) > evictions, "some have left VRAM");
	for (unsigned k = 0; k < content_kind_count; k++)
		tap_eq(count_wrong(&mover, objects, count, &content_kinds[k]), 0, "%s: all come back bit for bit",
		       content_kinds[k].name);
	tap_ok(gpu_param(fd, D3DGPU_PARAM_BYTES_RESTORED) - restored > pool, "more than the pool has been brought back for that");
	tap_eq(gpu_ctx_query(fd, mover.ctx).status, 0, "the context is well");
	close_all(fd, objects, count);
	content_mover_end(&mover);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all memory comes back");
}

/* In another process: one and a half times the pool. Returns an exit status. */
static int flood(void)
{
	int fd = gpu_open();
	struct object *objects = calloc(MOST, sizeof(*objects));
	struct content_mover mover = content_mover_begin(fd);
	unsigned count = fill(&mover, objects, gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE) / 2 * 3, 5000);

	return !count || count_wrong(&mover, objects, count, NULL);
}

static bool child_succeeded(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void test_fairness(int fd)
{
	struct content_mover mover = content_mover_begin(fd);
	struct gpu_bo bos[4];
	unsigned there = 0, right = 0;
	pid_t child;

	for (unsigned i = 0; i < 4; i++)
		if (content_create(fd, CONTENT_PLAIN, &bos[i]) || content_write(&mover, CONTENT_PLAIN, &bos[i], 200 + i))
			tap_bail("object %u", i);
	usleep(TICK);
	child = fork();
	if (!child)
		_exit(flood());
	tap_ok(child_succeeded(child), "another process makes one and a half times the pool, and its content is right");
	for (unsigned i = 0; i < 4; i++)
		there += gpu_info(fd, bos[i].handle).placement == D3DGPU_PLACEMENT_VRAM;
	tap_eq(there, 4, "what a small process has stays where it is, though it was idle");
	for (unsigned i = 0; i < 4; i++)
		right += content_matches(&mover, CONTENT_PLAIN, &bos[i], 200 + i);
	tap_eq(right, 4, "with its content");
	for (unsigned i = 0; i < 4; i++)
		gpu_close(fd, bos[i].handle);
	content_mover_end(&mover);
}

static void test_two_processes(void)
{
	pid_t children[2];
	unsigned right = 0;

	for (unsigned i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i])
			_exit(flood());
	}
	for (unsigned i = 0; i < 2; i++)
		right += child_succeeded(children[i]);
	tap_eq(right, 2, "two processes with that much each, at the same time: all content is right");
}

static void test_killed(int fd)
{
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);
	unsigned killed = 0;

	for (unsigned i = 0; i < 3; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			_exit(flood());
		usleep(1500000 + i * 300000);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		killed += WIFSIGNALED(status);
	}
	tap_ok(killed > 0, "processes are killed while they move objects in and out (%u)", killed);
	tap_ok(gpu_vram_comes_back(fd, free_before), "all their memory comes back");
}

int main(void)
{
	struct object *objects = calloc(MOST, sizeof(*objects));
	int fd = gpu_open();

	if (!content_pool_is_small(fd))
		return tap_done();
	test_kinds(fd, objects);
	test_fairness(fd);
	test_two_processes();
	test_killed(fd);
	close(fd);
	free(objects);
	return tap_done();
}
