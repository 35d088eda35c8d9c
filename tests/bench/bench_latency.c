/* SPDX-License-Identifier: MIT */
/*
 * From submit to fence for an empty job: doorbell, device core, firmware, worker and back. What the kernel driver would add is
 * not in it. Three roads: a fence of the device itself (no worker), an empty command stream with the waiter spinning on the
 * fence slot, and one with the waiter asleep until the interrupt.
 *
 * usage: bench_latency WORKER FIRMWARE [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "bench_device.h"

#define WARM_UP 200

static void measure(struct bench_device *device, const char *name, uint8_t opcode, uint16_t context, bool asleep, unsigned rounds)
{
	struct d3dgpu_entry entry = {.opcode = opcode, .context = context, .flags = D3DGPU_ENTRY_FENCE};
	struct bench_samples times = {0};

	if (asleep)
		entry.flags |= D3DGPU_ENTRY_IRQ;
	if (opcode == D3DGPU_OP_EXEC)
		entry.exec.offset = BENCH_STREAM_AT, entry.exec.size = 8;
	for (unsigned i = 0; i < rounds + WARM_UP; i++) {
		double start = bench_now();
		uint64_t fence = bench_device_submit(device, 0, entry);

		if (asleep)
			bench_device_sleep(device, context, fence);
		bench_device_spin(device, context, fence);
		if (i >= WARM_UP)
			bench_add(&times, bench_now() - start);
		if (i % 16 == 0)
			usleep(1000); /* sometimes everybody has gone to sleep, as between frames */
	}
	bench_report_times(name, &times);
}

/* Of the firmware core, since the start: a figure without a spread. */
static void report_instructions(struct bench_device *device, unsigned jobs)
{
	struct bench_samples instructions = {0};

	bench_add(&instructions, (double)d3dgpu_core_read(device->core, D3DGPU_REG_GCP_INSTRET_LO, 4) / jobs);
	bench_report("device.firmware.instructions", "instructions/job", &instructions);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 3000;
	struct bench_device device;
	uint32_t status;

	if (argc < 3 || !rounds) {
		fprintf(stderr, "usage: bench_latency WORKER FIRMWARE [ROUNDS]\n");
		return 2;
	}
	bench_device_create(&device, "", argv[1], argv[2]);
	bench_device_context(&device, 1);
	usleep(500000); /* the next spare worker starts meanwhile */
	measure(&device, "device.latency.fence", D3DGPU_OP_FENCE, 0, false, rounds);
	measure(&device, "device.latency.worker", D3DGPU_OP_EXEC, 1, false, rounds);
	measure(&device, "device.latency.worker_interrupt", D3DGPU_OP_EXEC, 1, true, rounds);
	report_instructions(&device, 3 * (rounds + WARM_UP));
	status = device.ctrl->fences[1].status;
	if (status)
		fprintf(stderr, "the context was lost: fault %u\n", status);
	bench_device_destroy(&device);
	return status ? 1 : 0;
}
