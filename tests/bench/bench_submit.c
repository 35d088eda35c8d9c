/* SPDX-License-Identifier: MIT */
/* Submits through the kernel driver: how many in a second, and how long one takes. */
#include <unistd.h>

#include "bench.h"
#include "gpu.h"

#define CONTEXTS 8u
#define OBJECTS 1000u
#define SINGLE_SUBMITS 100u	/* for latencies, in each round */

struct submitter {
	int fd;
	unsigned contexts;		/* that take part */
	uint32_t words;			/* of the stream; 0: only a fence */
	uint32_t ids[CONTEXTS], syncobjs[CONTEXTS];
	struct gpu_bo commands;
	struct drm_d3dgpu_submit_bo objects[OBJECTS]; /* textures */
	uint32_t listed;		/* how many of them a submit lists */
};

static struct drm_d3dgpu_submit job(struct submitter *s, unsigned context)
{
	return gpu_submit_args(s->ids[context], &s->commands, s->words, s->objects, s->listed);
}

/* A job with a syncobj that it signals. */
static void submit_signalling(struct submitter *s, unsigned context, uint32_t syncobj)
{
	struct drm_d3dgpu_sync out = {.handle = syncobj};
	struct drm_d3dgpu_submit submit = job(s, context);

	submit.out_syncs = (uintptr_t)&out;
	submit.out_sync_count = 1;
	bench_must(gpu_submit(s->fd, &submit), "SUBMIT");
}

/* Contexts in turn; then waits for a last job of each. */
static void submits(void *data, unsigned count)
{
	struct submitter *s = data;

	for (unsigned i = 0; i < count; i++) {
		struct drm_d3dgpu_submit submit = job(s, i % s->contexts);

		bench_must(gpu_submit(s->fd, &submit), "SUBMIT");
	}
	for (unsigned i = 0; i < s->contexts; i++)
		submit_signalling(s, i, s->syncobjs[i]);
	for (unsigned i = 0; i < s->contexts; i++)
		bench_must(gpu_syncobj_wait(s->fd, s->syncobjs[i], PATIENCE), "waiting for a fence");
}

/* One at a time: from the ioctl until the waiter is awake again. */
static void measure_latency(const char *name, struct submitter *s)
{
	struct bench_samples times = {0};

	for (unsigned i = 0; i < SINGLE_SUBMITS * bench_rounds(); i++) {
		double start = bench_now();

		submit_signalling(s, 0, s->syncobjs[0]);
		bench_must(gpu_syncobj_wait(s->fd, s->syncobjs[0], PATIENCE), "waiting for a fence");
		bench_add(&times, bench_now() - start);
	}
	bench_report_times(name, &times);
}

static void create(struct submitter *s)
{
	struct d3dgpu_resource_desc desc = gpu_texture_desc(4, 4);
	struct gpu_bo texture;

	s->fd = gpu_open();
	s->commands = gpu_staging(s->fd, 4096);
	gpu_put_nops(s->commands.map, 1);
	for (unsigned i = 0; i < CONTEXTS; i++) {
		s->ids[i] = gpu_ctx(s->fd);
		s->syncobjs[i] = gpu_syncobj(s->fd, 0);
	}
	for (unsigned i = 0; i < OBJECTS; i++) {
		bench_must(gpu_resource_create(s->fd, &desc, &texture), "RESOURCE_CREATE");
		s->objects[i] = (struct drm_d3dgpu_submit_bo){.handle = texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	}
}

static void destroy(struct submitter *s)
{
	for (unsigned i = 0; i < CONTEXTS; i++) {
		drmSyncobjDestroy(s->fd, s->syncobjs[i]);
		gpu_ctx_destroy(s->fd, s->ids[i]);
	}
	gpu_staging_end(s->fd, &s->commands);
	close(s->fd);
}

int main(int argc, char **argv)
{
	struct submitter s = {0};

	bench_open(argc, argv,
		   "Empty command streams (one NOP) through the kernel driver: submits in a second from one context and from eight in\n"
		   "turn, and from the SUBMIT of one until its fence has woken the waiter; the same for a fence without a stream;\n"
		   "and submits that list 1, 100 and 1000 textures.");
	create(&s);
	s.contexts = 1;
	measure_latency("kernel.latency.fence", &s);
	s.words = 1;
	measure_latency("kernel.latency.stream", &s);
	bench_rate("kernel.submit.1_context", "submits/s", submits, &s);
	s.listed = 1;
	bench_rate("kernel.submit.1_object", "submits/s", submits, &s);
	s.listed = 100;
	bench_rate("kernel.submit.100_objects", "submits/s", submits, &s);
	s.listed = OBJECTS;
	bench_rate("kernel.submit.1000_objects", "submits/s", submits, &s);
	s.listed = 0;
	s.contexts = CONTEXTS;
	bench_rate("kernel.submit.8_contexts", "submits/s", submits, &s);
	destroy(&s);
	return 0;
}
