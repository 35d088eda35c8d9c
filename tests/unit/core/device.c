/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sha256.h"
#include "tap.h"

#define PATIENCE_NS 60000000000ull	/* with a sanitizer, on a loaded machine */
#define IMAGE_AT (1u << 20)

static const char *worker_path, *firmware_path;

void device_arguments(int argc, char **argv)
{
	worker_path = argc > 1 ? argv[1] : "";
	firmware_path = argc > 2 ? argv[2] : NULL;
}

/* ---- callbacks ---- */

static void on_irq(void *opaque, unsigned vector)
{
	struct device *device = opaque;

	pthread_mutex_lock(&device->lock);
	device->irqs[vector]++;
	pthread_cond_broadcast(&device->changed);
	pthread_mutex_unlock(&device->lock);
}

static void on_log(void *opaque, enum d3dgpu_log_level level, const char *text)
{
	struct device *device = opaque;

	pthread_mutex_lock(&device->lock);
	device->guest_lines += level == D3DGPU_LOG_GUEST;
	device->error_lines += level == D3DGPU_LOG_ERROR;
	if (level != D3DGPU_LOG_INFO)
		snprintf(device->last_line, sizeof(device->last_line), "%s", text);
	pthread_mutex_unlock(&device->lock);
}

static void on_scanout(void *opaque, unsigned head)
{
	((struct device *)opaque)->scanouts++;
}

static void on_damage(void *opaque, unsigned head, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	struct device *device = opaque;

	device->damages++;
	device->damage = (struct core_notice){.head = head, .x = x, .y = y, .width = width, .height = height};
}

static void on_cursor(void *opaque, unsigned head)
{
	((struct device *)opaque)->cursors++;
}

/* ---- creation ---- */

int device_try(struct device *device, const char *properties)
{
	struct d3dgpu_callbacks callbacks = {.opaque = device,
					     .irq = on_irq,
					     .log = on_log,
					     .scanout = on_scanout,
					     .damage = on_damage,
					     .cursor = on_cursor};
	struct d3dgpu_config config;
	int error;

	memset(device, 0, sizeof(*device));
	pthread_mutex_init(&device->lock, NULL);
	pthread_cond_init(&device->changed, NULL);
	d3dgpu_config_defaults(&config);
	config.vram_size = 64u << 20;
	snprintf(config.worker_path, sizeof(config.worker_path), "%s", worker_path);
	error = d3dgpu_config_parse(&config, properties, device->last_line, sizeof(device->last_line));
	if (!error)
		error = d3dgpu_core_create(&config, &callbacks, &device->core, device->last_line, sizeof(device->last_line));
	if (error)
		return error;
	device->ctrl_offset = d3dgpu_core_vram_size(device->core) - D3DGPU_CTRL_SIZE;
	device->ctrl = (struct d3dgpu_ctrl *)((char *)d3dgpu_core_vram(device->core) + device->ctrl_offset);
	return 0;
}

void device_create(struct device *device, const char *properties)
{
	int error = device_try(device, properties);

	if (error)
		tap_bail("no device with '%s': %d, %s", properties, error, device->last_line);
}

void device_destroy(struct device *device)
{
	d3dgpu_core_destroy(device->core);
	pthread_cond_destroy(&device->changed);
	pthread_mutex_destroy(&device->lock);
}

/* ---- registers and interrupts ---- */

uint32_t device_read(struct device *device, uint32_t offset)
{
	return (uint32_t)d3dgpu_core_read(device->core, offset, 4);
}

void device_write(struct device *device, uint32_t offset, uint32_t value)
{
	d3dgpu_core_write(device->core, offset, value, 4);
}

void device_latch_ctrl(struct device *device)
{
	device_write(device, D3DGPU_REG_CTRL_BASE_LO, (uint32_t)device->ctrl_offset);
	device_write(device, D3DGPU_REG_CTRL_BASE_HI, (uint32_t)(device->ctrl_offset >> 32));
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

unsigned device_wait_irq(struct device *device, unsigned vector, unsigned count)
{
	struct timespec until;
	unsigned seen;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(PATIENCE_NS / 1000000000u);
	pthread_mutex_lock(&device->lock);
	while (device->irqs[vector] < count)
		if (pthread_cond_timedwait(&device->changed, &device->lock, &until) == ETIMEDOUT)
			break;
	seen = device->irqs[vector];
	pthread_mutex_unlock(&device->lock);
	return seen;
}

uint32_t device_wait_register(struct device *device, uint32_t offset, uint32_t mask, uint32_t value)
{
	uint64_t until = now() + PATIENCE_NS;
	uint32_t got;

	while (((got = device_read(device, offset)) & mask) != value && now() < until)
		nap();
	return got;
}

/* ---- firmware ---- */

static void boot(struct device *device, uint32_t size)
{
	device_latch_ctrl(device);
	device_write(device, D3DGPU_REG_GCP_FW_ADDR_LO, IMAGE_AT);
	device_write(device, D3DGPU_REG_GCP_FW_ADDR_HI, 0);
	device_write(device, D3DGPU_REG_GCP_FW_SIZE, size);
	device_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
}

void device_boot_code(struct device *device, const uint32_t *code, unsigned words)
{
	uint8_t *image = (uint8_t *)d3dgpu_core_vram(device->core) + IMAGE_AT;
	struct d3dgpu_fw_header header = {
		.magic = D3DGPU_FW_MAGIC,
		.header_size = sizeof(header),
		.interface_version = D3DGPU_VERSION,
		.fw_version = 0x010203,
		.size = words * 4,
		.entry = D3DGPU_GCP_SRAM,
	};

	core_sha256(code, words * 4, header.sha256);
	memcpy(image, &header, sizeof(header));
	memcpy(image + sizeof(header), code, words * 4);
	boot(device, (uint32_t)sizeof(header) + words * 4);
}

bool device_boot_firmware(struct device *device)
{
	FILE *file = firmware_path ? fopen(firmware_path, "rb") : NULL;
	size_t size;

	if (!file)
		return false;
	size = fread((char *)d3dgpu_core_vram(device->core) + IMAGE_AT, 1, 1u << 20, file);
	fclose(file);
	boot(device, (uint32_t)size);
	return device_wait_register(device, D3DGPU_REG_GCP_STATE, ~0u, D3DGPU_GCP_READY) == D3DGPU_GCP_READY;
}

/* ---- engine port ---- */

uint32_t device_dispatch(struct device *device, const struct d3dgpu_entry *entry)
{
	uint32_t status;

	core_lock(device->core);
	status = core_engine_dispatch(device->core, entry);
	core_unlock(device->core);
	return status;
}

struct d3dgpu_engine_event device_event(struct device *device)
{
	uint64_t until = now() + PATIENCE_NS;
	struct d3dgpu_engine_event event = {0};

	while (now() < until) {
		core_lock(device->core);
		core_engine_pop(device->core, &event);
		core_unlock(device->core);
		if (event.type)
			break;
		nap();
	}
	return event;
}

uint32_t device_create_context(struct device *device, uint16_t context)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .context = context, .fence = 1};
	uint32_t status;

	strcpy(entry.ctx_create.name, "test");
	status = device_dispatch(device, &entry);
	return status ? status : device_event(device).status;
}

int device_kill_worker(struct device *device, unsigned context)
{
	int pid = d3dgpu_core_worker_pid(device->core, context);

	if (pid <= 1)
		tap_bail("context %u has no worker to kill", context);
	kill(pid, SIGKILL);
	return pid;
}

/* ---- rings ---- */

void device_submit(struct device *device, unsigned ring, const struct d3dgpu_entry *entry)
{
	struct d3dgpu_ring_state *state = &device->ctrl->rings[ring];
	uint32_t tail = state->tail;

	device->ctrl->entries[ring][tail % D3DGPU_RING_ENTRIES] = *entry;
	__atomic_store_n(&state->tail, tail + 1, __ATOMIC_RELEASE);
	device_write(device, D3DGPU_REG_DOORBELL(ring), 1);
}

bool device_wait_fence(struct device *device, unsigned context, uint64_t fence)
{
	uint64_t until = now() + PATIENCE_NS;

	while (__atomic_load_n(&device->ctrl->fences[context].value, __ATOMIC_ACQUIRE) < fence) {
		if (now() >= until)
			return false;
		nap();
	}
	return true;
}
