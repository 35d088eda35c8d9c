/* SPDX-License-Identifier: MIT */
/* The device: core, control block, firmware, interrupts. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loopback.h"

#define BOOT_TIMEOUT_NS 10000000000ull
#define CLOCK_SECOND 1000000000ull

uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * CLOCK_SECOND + (uint64_t)time.tv_nsec;
}

static uint32_t read_register(struct loopback_device *device, uint32_t offset)
{
	return (uint32_t)d3dgpu_core_read(device->core, offset, 4);
}

static void write_register(struct loopback_device *device, uint32_t offset, uint64_t value)
{
	d3dgpu_core_write(device->core, offset, (uint32_t)value, 4);
}

/* ---- interrupts ---- */

static void on_interrupt(void *opaque, unsigned vector)
{
	struct loopback_device *device = opaque;

	/* There is no second device to go on with: whoever waits is told. */
	if (vector == D3DGPU_VECTOR_FAULT && read_register(device, D3DGPU_REG_GCP_STATE) == D3DGPU_GCP_PANICKED)
		__atomic_store_n(&device->dead, true, __ATOMIC_RELEASE);
	pthread_mutex_lock(&device->interrupt_lock);
	__atomic_add_fetch(&device->interrupts, 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&device->interrupt);
	pthread_mutex_unlock(&device->interrupt_lock);
}

uint32_t device_interrupts(struct loopback_device *device)
{
	return __atomic_load_n(&device->interrupts, __ATOMIC_ACQUIRE);
}

bool device_sleep(struct loopback_device *device, uint32_t seen, uint64_t deadline)
{
	struct timespec until = {(time_t)(deadline / CLOCK_SECOND), (long)(deadline % CLOCK_SECOND)};
	int error = 0;

	pthread_mutex_lock(&device->interrupt_lock);
	while (!error && device->interrupts == seen)
		error = deadline == UINT64_MAX
				? pthread_cond_wait(&device->interrupt, &device->interrupt_lock)
				: pthread_cond_timedwait(&device->interrupt, &device->interrupt_lock, &until);
	pthread_mutex_unlock(&device->interrupt_lock);
	return !error;
}

void device_sleep_unlocked(struct loopback_device *device, uint32_t seen)
{
	pthread_mutex_unlock(&device->lock);
	/* The ring's head moves without an interrupt: look again soon. */
	device_sleep(device, seen, now_ns() + 1000000);
	pthread_mutex_lock(&device->lock);
}

static void on_log(void *opaque, enum d3dgpu_log_level level, const char *text)
{
	if (level != D3DGPU_LOG_INFO)
		fprintf(stderr, "d3dgpu: %s\n", text);
}

static void no_scanout(void *opaque, unsigned head)
{
}

static void no_damage(void *opaque, unsigned head, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
}

/* ---- firmware ---- */

/* The folder that this library was loaded from. */
static bool own_folder(char *path, size_t size)
{
	Dl_info info;
	char *slash;

	if (!dladdr((void *)(uintptr_t)device_open, &info) || !info.dli_fname ||
	    snprintf(path, size, "%s", info.dli_fname) >= (int)size)
		return false;
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	*slash = 0;
	return true;
}

static FILE *open_firmware(char *path, size_t size)
{
	/* beside the library; the build folder's layout; where the kernel looks */
	static const char *const places[] = {"gcp.bin", "../../firmware/gcp.bin", "../../../firmware/gcp.bin"};
	const char *named = getenv("D3DGPU_FIRMWARE");
	char folder[PATH_MAX];
	FILE *file = NULL;

	if (named) {
		snprintf(path, size, "%s", named);
		return fopen(path, "rb");
	}
	for (size_t i = 0; !file && own_folder(folder, sizeof(folder)) && i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(path, size, "%s/%s", folder, places[i]) < (int)size)
			file = fopen(path, "rb");
	if (!file) {
		snprintf(path, size, "/lib/firmware/" D3DGPU_FW_FILE);
		file = fopen(path, "rb");
	}
	return file;
}

static int boot_firmware(struct loopback_device *device, char *message, size_t message_size)
{
	size_t most = sizeof(struct d3dgpu_fw_header) + D3DGPU_GCP_SRAM_SIZE, size;
	uint64_t deadline = now_ns() + BOOT_TIMEOUT_NS;
	char path[PATH_MAX + 32];
	uint32_t state;
	FILE *file = open_firmware(path, sizeof(path));

	if (!file) {
		snprintf(message, message_size, "no firmware image: %s: %s (D3DGPU_FIRMWARE names one)", path,
			 strerror(errno));
		return -ENOENT;
	}
	size = fread(device->memory, 1, most, file); /* the pool is still empty */
	fclose(file);
	write_register(device, D3DGPU_REG_GCP_FW_ADDR_LO, 0);
	write_register(device, D3DGPU_REG_GCP_FW_ADDR_HI, 0);
	write_register(device, D3DGPU_REG_GCP_FW_SIZE, size);
	write_register(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
	while ((state = read_register(device, D3DGPU_REG_GCP_STATE)) == D3DGPU_GCP_BOOTING && now_ns() < deadline)
		usleep(100);
	if (state == D3DGPU_GCP_READY)
		return 0;
	snprintf(message, message_size, "firmware %s does not run: state %u, panic %#x, pc %#x", path, state,
		 read_register(device, D3DGPU_REG_GCP_PANIC), read_register(device, D3DGPU_REG_GCP_PC));
	return state >= D3DGPU_GCP_BAD_ADDRESS ? -EINVAL : -EIO;
}

/* ---- life ---- */

/* The worker of the build folder; elsewhere the core knows where to look. */
static void find_built_worker(struct d3dgpu_config *config)
{
	char folder[PATH_MAX];

	if (!own_folder(folder, sizeof(folder)) ||
	    snprintf(config->worker_path, sizeof(config->worker_path), "%s/../../qemu-device/renderer/d3dgpu-worker",
		     folder) >= (int)sizeof(config->worker_path) ||
	    access(config->worker_path, X_OK))
		config->worker_path[0] = 0;
}

static int configure(struct d3dgpu_config *config, const char *caps, char *message, size_t size)
{
	const char *worker = getenv("D3DGPU_LOOPBACK_WORKER");

	d3dgpu_config_defaults(config);
	find_built_worker(config);
	if (worker && d3dgpu_config_set(config, "worker", worker, message, size))
		return -EINVAL;
	return d3dgpu_config_parse(config, caps, message, size);
}

static int core_start(struct loopback_device *device, const char *caps, char *message, size_t size)
{
	struct d3dgpu_callbacks callbacks = {
		.opaque = device,
		.irq = on_interrupt,
		.log = on_log,
		.scanout = no_scanout,
		.damage = no_damage,
	};
	struct d3dgpu_config config;
	uint64_t place;
	int error = configure(&config, caps, message, size);

	if (!error)
		error = d3dgpu_core_create(&config, &callbacks, &device->core, message, size);
	if (error)
		return error;
	place = d3dgpu_core_vram_size(device->core) - D3DGPU_CTRL_SIZE;
	device->memory = d3dgpu_core_vram(device->core);
	device->ctrl = (struct d3dgpu_ctrl *)(device->memory + place);
	memset(device->ctrl, 0, sizeof(*device->ctrl));
	write_register(device, D3DGPU_REG_CTRL_BASE_LO, place);
	write_register(device, D3DGPU_REG_CTRL_BASE_HI, place >> 32);
	write_register(device, D3DGPU_REG_INTR_ENABLE, ((1u << D3DGPU_MAX_RINGS) - 1) | 1u << D3DGPU_VECTOR_FAULT);
	device->base.caps = *d3dgpu_core_caps(device->core);
	device->base.drm_fd = -1;
	device->stats.vram_size = place;
	return vram_init(&device->vram, place);
}

int device_open(const char *caps, struct loopback_device **out, char *message, size_t size)
{
	struct loopback_device *device = calloc(1, sizeof(*device));
	pthread_condattr_t attributes;
	int error;

	if (!device)
		return -ENOMEM;
	snprintf(device->caps_text, sizeof(device->caps_text), "%s", caps ? caps : "");
	TAILQ_INIT(&device->objects);
	pthread_mutex_init(&device->lock, NULL);
	pthread_mutex_init(&device->interrupt_lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&device->interrupt, &attributes);
	pthread_condattr_destroy(&attributes);
	for (uint32_t i = 0; i < D3DGPU_MAX_CONTEXTS; i++) {
		device->contexts[i].base = (struct winsys_ctx){&device->base, i};
		device->contexts[i].device = device;
	}
	error = core_start(device, caps, message, size);
	if (!error)
		error = boot_firmware(device, message, size);
	if (error) {
		device_close(device);
		return error;
	}
	*out = device;
	return 0;
}

void device_close(struct loopback_device *device)
{
	if (device->core)
		d3dgpu_core_destroy(device->core);
	while (device->zombies) {
		struct zombie *zombie = device->zombies;

		device->zombies = zombie->next;
		free(zombie);
	}
	vram_fini(&device->vram);
	pthread_cond_destroy(&device->interrupt);
	pthread_mutex_destroy(&device->interrupt_lock);
	pthread_mutex_destroy(&device->lock);
	free(device);
}
