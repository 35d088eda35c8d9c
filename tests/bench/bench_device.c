/* SPDX-License-Identifier: MIT */
#include "bench_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMAGE_AT (1u << 20)

static const uint32_t empty_stream[] = {0x00010000, 0}; /* NOP of one word */

static void on_irq(void *opaque, unsigned vector)
{
	struct bench_device *device = opaque;

	pthread_mutex_lock(&device->lock);
	pthread_cond_signal(&device->interrupt);
	pthread_mutex_unlock(&device->lock);
}

static void on_log(void *opaque, enum d3dgpu_log_level level, const char *text)
{
	if (level == D3DGPU_LOG_ERROR)
		fprintf(stderr, "%s\n", text);
}

static void write_register(struct bench_device *device, uint32_t offset, uint32_t value)
{
	d3dgpu_core_write(device->core, offset, value, 4);
}

static bool boot(struct bench_device *device, const char *path)
{
	uint64_t ctrl = d3dgpu_core_vram_size(device->core) - D3DGPU_CTRL_SIZE;
	char *vram = d3dgpu_core_vram(device->core);
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file)
		return false;
	size = fread(vram + IMAGE_AT, 1, 1u << 20, file);
	fclose(file);
	device->ctrl = (struct d3dgpu_ctrl *)(vram + ctrl);
	write_register(device, D3DGPU_REG_CTRL_BASE_LO, (uint32_t)ctrl);
	write_register(device, D3DGPU_REG_CTRL_BASE_HI, (uint32_t)(ctrl >> 32));
	write_register(device, D3DGPU_REG_GCP_FW_ADDR_LO, IMAGE_AT);
	write_register(device, D3DGPU_REG_GCP_FW_SIZE, (uint32_t)size);
	write_register(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
	for (unsigned i = 0; i < 10000; i++) {
		if (d3dgpu_core_read(device->core, D3DGPU_REG_GCP_STATE, 4) == D3DGPU_GCP_READY)
			return true;
		usleep(1000);
	}
	return false;
}

static void fail(const char *message)
{
	fprintf(stderr, "%s\n", message);
	exit(1);
}

void bench_device_create(struct bench_device *device, const char *properties, const char *worker, const char *firmware)
{
	struct d3dgpu_callbacks callbacks = {.opaque = device, .irq = on_irq, .log = on_log};
	struct d3dgpu_config config;
	char message[256];

	*device = (struct bench_device){.lock = PTHREAD_MUTEX_INITIALIZER, .interrupt = PTHREAD_COND_INITIALIZER};
	d3dgpu_config_defaults(&config);
	config.vram_size = 64u << 20;
	snprintf(config.worker_path, sizeof(config.worker_path), "%s", worker);
	if (d3dgpu_config_parse(&config, properties, message, sizeof(message)) ||
	    d3dgpu_core_create(&config, &callbacks, &device->core, message, sizeof(message)))
		fail(message);
	if (!boot(device, firmware))
		fail("the firmware does not boot");
	memcpy((char *)d3dgpu_core_vram(device->core) + BENCH_STREAM_AT, empty_stream, sizeof(empty_stream));
	write_register(device, D3DGPU_REG_INTR_ENABLE, 0x3f);
}

void bench_device_destroy(struct bench_device *device)
{
	d3dgpu_core_destroy(device->core);
}

void bench_device_context(struct bench_device *device, uint16_t context)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .flags = D3DGPU_ENTRY_FENCE, .context = context};

	entry.ctx_create.priority = D3DGPU_PRIORITY_NORMAL;
	bench_device_submit(device, 0, entry);
	while (!bench_device_signalled(device, context, 1))
		usleep(1000);
	if (device->ctrl->fences[context].status)
		fail("a context does not come up");
}

uint64_t bench_device_submit(struct bench_device *device, unsigned ring, struct d3dgpu_entry entry)
{
	struct d3dgpu_ring_state *state = &device->ctrl->rings[ring];

	while (state->tail - __atomic_load_n(&state->head, __ATOMIC_ACQUIRE) >= D3DGPU_RING_ENTRIES)
		usleep(100);
	entry.fence = ++device->fences[entry.context];
	device->ctrl->entries[ring][state->tail % D3DGPU_RING_ENTRIES] = entry;
	__atomic_store_n(&state->tail, state->tail + 1, __ATOMIC_RELEASE);
	write_register(device, D3DGPU_REG_DOORBELL(ring), 1);
	return entry.fence;
}

bool bench_device_signalled(struct bench_device *device, uint16_t context, uint64_t fence)
{
	return __atomic_load_n(&device->ctrl->fences[context].value, __ATOMIC_ACQUIRE) >= fence;
}

void bench_device_spin(struct bench_device *device, uint16_t context, uint64_t fence)
{
	while (!bench_device_signalled(device, context, fence))
		;
}

void bench_device_sleep(struct bench_device *device, uint16_t context, uint64_t fence)
{
	pthread_mutex_lock(&device->lock);
	while (!bench_device_signalled(device, context, fence))
		pthread_cond_wait(&device->interrupt, &device->lock);
	pthread_mutex_unlock(&device->lock);
}
