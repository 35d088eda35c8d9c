/* SPDX-License-Identifier: MIT */
/*
 * From submit to fence for an empty job: doorbell, device core, firmware, worker and back. What the kernel driver would add is
 * not in it. Three roads: a fence of the device itself (no worker), an empty command stream with the waiter spinning on the
 * fence slot, and one with the waiter asleep until the interrupt.
 *
 * usage: bench_latency WORKER FIRMWARE [ROUNDS]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "d3dgpu_core.h"

#define IMAGE_AT (1u << 20)
#define STREAM_AT (2u << 20)
#define WARM_UP 200

static const uint32_t empty_stream[] = {0x00010000, 0}; /* NOP of one word */

struct bench {
	struct d3dgpu_core *core;
	struct d3dgpu_ctrl *ctrl;
	uint64_t fences[2];		/* last one of context 0 and 1 */
	pthread_mutex_t lock;
	pthread_cond_t interrupt;
	unsigned interrupts;
};

static void on_irq(void *opaque, unsigned vector)
{
	struct bench *bench = opaque;

	pthread_mutex_lock(&bench->lock);
	bench->interrupts++;
	pthread_cond_signal(&bench->interrupt);
	pthread_mutex_unlock(&bench->lock);
}

static void on_log(void *opaque, enum d3dgpu_log_level level, const char *text)
{
	if (level == D3DGPU_LOG_ERROR)
		fprintf(stderr, "%s\n", text);
}

static void write_register(struct bench *bench, uint32_t offset, uint32_t value)
{
	d3dgpu_core_write(bench->core, offset, value, 4);
}

static bool boot(struct bench *bench, const char *path)
{
	uint64_t ctrl = d3dgpu_core_vram_size(bench->core) - D3DGPU_CTRL_SIZE;
	char *vram = d3dgpu_core_vram(bench->core);
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file)
		return false;
	size = fread(vram + IMAGE_AT, 1, 1u << 20, file);
	fclose(file);
	bench->ctrl = (struct d3dgpu_ctrl *)(vram + ctrl);
	write_register(bench, D3DGPU_REG_CTRL_BASE_LO, (uint32_t)ctrl);
	write_register(bench, D3DGPU_REG_CTRL_BASE_HI, (uint32_t)(ctrl >> 32));
	write_register(bench, D3DGPU_REG_GCP_FW_ADDR_LO, IMAGE_AT);
	write_register(bench, D3DGPU_REG_GCP_FW_SIZE, (uint32_t)size);
	write_register(bench, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
	for (unsigned i = 0; i < 2000; i++) {
		if (d3dgpu_core_read(bench->core, D3DGPU_REG_GCP_STATE, 4) == D3DGPU_GCP_READY)
			return true;
		usleep(1000);
	}
	return false;
}

static uint64_t submit(struct bench *bench, uint8_t opcode, uint16_t context, bool interrupt)
{
	struct d3dgpu_ring_state *ring = &bench->ctrl->rings[0];
	uint64_t fence = ++bench->fences[context];
	struct d3dgpu_entry *entry = &bench->ctrl->entries[0][ring->tail % D3DGPU_RING_ENTRIES];

	*entry = (struct d3dgpu_entry){.opcode = opcode, .context = context, .fence = fence};
	entry->flags = D3DGPU_ENTRY_FENCE | (interrupt ? D3DGPU_ENTRY_IRQ : 0);
	if (opcode == D3DGPU_OP_EXEC) {
		entry->exec.offset = STREAM_AT;
		entry->exec.size = sizeof(empty_stream);
	}
	__atomic_store_n(&ring->tail, ring->tail + 1, __ATOMIC_RELEASE);
	write_register(bench, D3DGPU_REG_DOORBELL(0), 1);
	return fence;
}

static bool signalled(struct bench *bench, uint16_t context, uint64_t fence)
{
	return __atomic_load_n(&bench->ctrl->fences[context].value, __ATOMIC_ACQUIRE) >= fence;
}

static void wait_asleep(struct bench *bench, uint16_t context, uint64_t fence)
{
	pthread_mutex_lock(&bench->lock);
	while (!signalled(bench, context, fence))
		pthread_cond_wait(&bench->interrupt, &bench->lock);
	pthread_mutex_unlock(&bench->lock);
}

static void measure(struct bench *bench, const char *name, uint8_t opcode, uint16_t context, bool asleep, unsigned rounds)
{
	struct bench_samples times = {0};

	for (unsigned i = 0; i < rounds + WARM_UP; i++) {
		double start = bench_now();
		uint64_t fence = submit(bench, opcode, context, asleep);

		if (asleep)
			wait_asleep(bench, context, fence);
		while (!signalled(bench, context, fence))
			;
		if (i >= WARM_UP)
			bench_add(&times, bench_now() - start);
		if (i % 16 == 0)
			usleep(1000); /* sometimes everybody has gone to sleep, as between frames */
	}
	bench_report_times(name, &times);
}

/* Of the firmware core, since the start: a figure without a spread. */
static void report_instructions(struct bench *bench, unsigned jobs)
{
	struct bench_samples instructions = {0};

	bench_add(&instructions, (double)d3dgpu_core_read(bench->core, D3DGPU_REG_GCP_INSTRET_LO, 4) / jobs);
	bench_report("device.firmware.instructions", "instructions/job", &instructions);
}

int main(int argc, char **argv)
{
	struct bench bench = {.lock = PTHREAD_MUTEX_INITIALIZER, .interrupt = PTHREAD_COND_INITIALIZER};
	struct d3dgpu_callbacks callbacks = {.opaque = &bench, .irq = on_irq, .log = on_log};
	unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 3000;
	struct d3dgpu_config config;
	char message[256];
	uint32_t status;

	if (argc < 3 || !rounds) {
		fprintf(stderr, "usage: bench_latency WORKER FIRMWARE [ROUNDS]\n");
		return 2;
	}
	d3dgpu_config_defaults(&config);
	config.vram_size = 64u << 20;
	snprintf(config.worker_path, sizeof(config.worker_path), "%s", argv[1]);
	if (d3dgpu_core_create(&config, &callbacks, &bench.core, message, sizeof(message))) {
		fprintf(stderr, "%s\n", message);
		return 1;
	}
	if (!boot(&bench, argv[2])) {
		fprintf(stderr, "the firmware does not boot\n");
		return 1;
	}
	memcpy((char *)d3dgpu_core_vram(bench.core) + STREAM_AT, empty_stream, sizeof(empty_stream));
	write_register(&bench, D3DGPU_REG_INTR_ENABLE, 0x3f);
	submit(&bench, D3DGPU_OP_CTX_CREATE, 1, false);
	while (!signalled(&bench, 1, 1))
		usleep(1000);
	usleep(500000); /* the next spare worker starts meanwhile */
	measure(&bench, "device.latency.fence", D3DGPU_OP_FENCE, 0, false, rounds);
	measure(&bench, "device.latency.worker", D3DGPU_OP_EXEC, 1, false, rounds);
	measure(&bench, "device.latency.worker_interrupt", D3DGPU_OP_EXEC, 1, true, rounds);
	report_instructions(&bench, 3 * (rounds + WARM_UP));
	status = bench.ctrl->fences[1].status;
	if (status)
		fprintf(stderr, "the context was lost: fault %u\n", status);
	d3dgpu_core_destroy(bench.core);
	return status ? 1 : 0;
}
