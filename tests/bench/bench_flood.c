/* SPDX-License-Identifier: MIT */
/*
 * What a context that floods the GPU does to another's small frame, an empty command stream every 5 ms: without a flood, with one
 * of many small entries, with one of few that take long, and with as many floods as there are engine slots and two more. With the
 * turns of firmware and, for comparison, with a slot for each context: then only the host decides.
 *
 * usage: bench_flood WORKER FIRMWARE [FRAMES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "bench_device.h"

#define FRAME_CONTEXT 9u
#define FRAME_RING 1u
#define FLOODS_MAX 4u
#define DEPTH 16u			/* entries of each flood in the device */
#define TEXTURE_EXTENT 1024u		/* of what long entries flush: 4 MiB */
#define TEXTURE_SIZE (TEXTURE_EXTENT * TEXTURE_EXTENT * 4u)

struct flood {
	const char *name;
	unsigned count;
	bool is_long;
};

static struct d3dgpu_entry empty_stream(uint16_t context)
{
	return (struct d3dgpu_entry){.opcode = D3DGPU_OP_EXEC, .flags = D3DGPU_ENTRY_FENCE, .context = context,
				     .exec = {.offset = BENCH_STREAM_AT, .size = 8}};
}

static struct d3dgpu_entry texture_flush(uint16_t context)
{
	return (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH, .flags = D3DGPU_ENTRY_FENCE, .context = context,
				     .transfer = {.resource = context}};
}

static void create_texture(struct bench_device *device, uint16_t context)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_RES_CREATE, .flags = D3DGPU_ENTRY_FENCE, .context = context};

	entry.res_create.resource = context;
	entry.res_create.backing = BENCH_MEMORY_AT + context * TEXTURE_SIZE;
	entry.res_create.size = TEXTURE_SIZE;
	entry.res_create.desc = (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_B8G8R8A8_UNORM, .target = D3DGPU_TARGET_2D, .bind = D3DGPU_BIND_RENDER_TARGET,
		.width = TEXTURE_EXTENT, .height = TEXTURE_EXTENT, .depth = 1, .array_size = 1};
	bench_device_spin(device, context, bench_device_submit(device, 0, entry));
}

static void keep_flooding(struct bench_device *device, const struct flood *flood)
{
	for (uint16_t context = 1; context <= flood->count; context++)
		while (device->fences[context] < device->ctrl->fences[context].value + DEPTH)
			bench_device_submit(device, 0, flood->is_long ? texture_flush(context) : empty_stream(context));
}

/* Lets the floods run for a while. */
static void pause_between_frames(struct bench_device *device, const struct flood *flood)
{
	for (unsigned i = 0; i < 10; i++) {
		keep_flooding(device, flood);
		usleep(500);
	}
}

static void measure(struct bench_device *device, const struct flood *flood, const char *suffix, unsigned frames)
{
	struct bench_samples times = {0};
	char name[64];

	for (unsigned i = 0; i < frames; i++) {
		uint64_t fence;
		double start;

		pause_between_frames(device, flood);
		start = bench_now();
		fence = bench_device_submit(device, FRAME_RING, empty_stream(FRAME_CONTEXT));
		while (!bench_device_signalled(device, FRAME_CONTEXT, fence)) {
			keep_flooding(device, flood);
			usleep(20);
		}
		bench_add(&times, bench_now() - start);
	}
	for (uint16_t context = 1; context <= flood->count; context++)
		bench_device_spin(device, context, device->fences[context]);
	snprintf(name, sizeof(name), "device.frame.%s%s", flood->name, suffix);
	bench_report_times(name, &times);
}

static void measure_all(const char *properties, const char *suffix, char **argv, unsigned frames)
{
	static const struct flood floods[] = {
		{"alone", 0, false}, {"flood_small", 1, false}, {"flood_long", 1, true}, {"four_floods_long", FLOODS_MAX, true}};
	struct bench_device device;

	bench_device_create(&device, properties, argv[1], argv[2]);
	bench_device_context(&device, FRAME_CONTEXT);
	for (uint16_t context = 1; context <= FLOODS_MAX; context++) {
		bench_device_context(&device, context);
		create_texture(&device, context);
	}
	for (size_t i = 0; i < sizeof(floods) / sizeof(floods[0]); i++)
		measure(&device, &floods[i], suffix, frames);
	bench_device_destroy(&device);
}

int main(int argc, char **argv)
{
	unsigned frames = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 200;

	if (argc < 3 || !frames) {
		fprintf(stderr, "usage: bench_flood WORKER FIRMWARE [FRAMES]\n");
		return 2;
	}
	measure_all("engines=1", ".one_slot", argv, frames);
	measure_all("engines=0", "", argv, frames);
	measure_all("engines=255", ".no_turns", argv, frames);
	return 0;
}
