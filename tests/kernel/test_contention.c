/* SPDX-License-Identifier: MIT */
/*
 * Threads whose objects fit into VRAM one thread at a time only: each gets its turn, and none is told that there is no memory.
 * Meant for a device with little VRAM.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "tap.h"

#define THREADS 3
#define ROUNDS 25
#define SIDE 512		/* texels: objects of 1 MiB */
#define PINNED (12u << 20)	/* the console's framebuffer is not smaller */
#define OWN_MOST 64
#define GROUPS 2
#define GROUP_MOST 32
#define LIST_MOST (OWN_MOST + GROUPS * GROUP_MOST)

struct worker {
	pthread_t thread;
	pthread_barrier_t *start;	/* of a round */
	unsigned number;
	int fd;
	uint32_t ctx;
	unsigned own_count, group_count;
	uint32_t own[OWN_MOST], groups[GROUPS][GROUP_MOST]; /* handles; the groups' objects are everybody's */
	unsigned refused, failed; /* with -ENOMEM, otherwise */
};

static uint32_t object(int fd)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(SIDE, SIDE);
	struct gpu_bo bo;
	int ret = gpu_resource_create(fd, &desc, &bo);

	if (ret)
		tap_bail("a texture: %s", strerror(-ret));
	return bo.handle;
}

/* Another file's handle of an object. */
static uint32_t handle_for(int fd, uint32_t handle, int other)
{
	struct drm_d3dgpu_gem_share shared = {.handle = handle};
	struct drm_d3dgpu_gem_open opened = {0};

	if (gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_SHARE, &shared))
		tap_bail("sharing an object");
	opened.token = shared.token;
	if (gpu_call(other, DRM_IOCTL_D3DGPU_GEM_OPEN, &opened))
		tap_bail("opening an object");
	return opened.handle;
}

/* Lists handles from one end or from the other. Returns how many. */
static unsigned list_handles(struct drm_d3dgpu_submit_bo *list, const uint32_t *handles, unsigned count, bool backwards)
{
	for (unsigned i = 0; i < count; i++)
		list[i] = (struct drm_d3dgpu_submit_bo){.handle = handles[backwards ? count - 1 - i : i]};
	return count;
}

static void submit_list(struct worker *worker, const struct drm_d3dgpu_submit_bo *list, unsigned count)
{
	struct drm_d3dgpu_submit submit = gpu_submit_args(worker->ctx, NULL, 0, list, count);
	int ret = gpu_submit(worker->fd, &submit);

	worker->refused += ret == -ENOMEM;
	worker->failed += ret && ret != -ENOMEM;
}

/* In rounds: all that it has, and all that everybody has, each thread in an order of its own; in between, only what everybody has. */
static void *work(void *data)
{
	struct worker *worker = data;
	struct drm_d3dgpu_submit_bo list[LIST_MOST];
	struct drm_d3dgpu_submit last = gpu_submit_args(worker->ctx, NULL, 0, NULL, 0);
	bool backwards = worker->number & 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned count = list_handles(list, worker->own, worker->own_count, backwards);

		pthread_barrier_wait(worker->start);
		for (unsigned group = 0; group < (worker->group_count ? GROUPS : 0); group++)
			count += list_handles(list + count, worker->groups[(group + worker->number) % GROUPS], worker->group_count,
					      backwards);
		submit_list(worker, list, count);
		if (worker->group_count) {
			count = list_handles(list, worker->groups[i % GROUPS], worker->group_count, backwards);
			submit_list(worker, list, count);
		}
	}
	worker->failed += gpu_run(worker->fd, &last) != 0;
	return NULL;
}

/* own, group: percent of the room that a thread's own objects have, and each group of those that all have. */
static void test_turns(unsigned own, unsigned group, const char *what)
{
	int fd = gpu_open();
	unsigned room = (unsigned)((gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE) - PINNED) / (SIDE * SIDE * 4));
	uint64_t evictions = gpu_param(fd, D3DGPU_PARAM_EVICTIONS);
	unsigned refused = 0, failed = 0;
	struct worker workers[THREADS] = {0};
	pthread_barrier_t start;

	pthread_barrier_init(&start, NULL, THREADS);
	for (unsigned i = 0; i < THREADS; i++) {
		struct worker *worker = &workers[i];

		worker->start = &start;
		worker->number = i;
		worker->fd = gpu_open();
		worker->ctx = gpu_ctx(worker->fd);
		worker->own_count = room * own / 100;
		worker->group_count = room * group / 100;
		for (unsigned k = 0; k < worker->own_count; k++)
			worker->own[k] = object(worker->fd);
		for (unsigned k = 0; k < GROUPS * worker->group_count; k++)
			worker->groups[k % GROUPS][k / GROUPS] =
				i ? handle_for(workers[0].fd, workers[0].groups[k % GROUPS][k / GROUPS], worker->fd) : object(worker->fd);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		refused += workers[i].refused;
		failed += workers[i].failed;
		close(workers[i].fd);
	}
	pthread_barrier_destroy(&start);
	tap_eq(refused, 0, "%s: none is told that there is no memory", what);
	tap_eq(failed, 0, "%s: no other error, and all is done in the end", what);
	tap_ok(gpu_param(fd, D3DGPU_PARAM_EVICTIONS) > evictions, "%s: they had to make room for each other (%llu times)", what,
	       (unsigned long long)(gpu_param(fd, D3DGPU_PARAM_EVICTIONS) - evictions));
	close(fd);
}

int main(void)
{
	int fd = gpu_open();
	uint64_t free_before = gpu_param(fd, D3DGPU_PARAM_VRAM_FREE);

	if (!content_pool_is_small(fd))
		return tap_done();
	test_turns(60, 0, "three threads with 60 % of VRAM each");
	test_turns(95, 0, "three threads with 95 % of VRAM each");
	test_turns(30, 30, "three threads with 30 % each, and 60 % that all of them use");
	tap_ok(gpu_vram_comes_back(fd, free_before), "all memory comes back");
	close(fd);
	return tap_done();
}
