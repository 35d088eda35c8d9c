/* SPDX-License-Identifier: MIT */
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "caps.h"
#include "regs.h"

/* Lines of one level that may go into the host's log in a second. */
#define LINES_PER_SECOND 20

/* ---- shared by all parts ---- */

void core_lock(struct d3dgpu_core *core)
{
	atomic_fetch_add(&core->waiters, 1);
	pthread_mutex_lock(&core->lock);
	atomic_fetch_sub(&core->waiters, 1);
}

void core_unlock(struct d3dgpu_core *core)
{
	uint32_t vectors = core->irq_out;

	core->irq_out = 0;
	pthread_mutex_unlock(&core->lock);
	for (unsigned vector = 0; vectors; vector++, vectors >>= 1)
		if (vectors & 1 && core->callbacks.irq)
			core->callbacks.irq(core->callbacks.opaque, vector);
}

static uint64_t monotonic(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t core_now(const struct d3dgpu_core *core)
{
	return monotonic() - atomic_load_explicit(&core->epoch, memory_order_relaxed);
}

uint64_t d3dgpu_core_time(struct d3dgpu_core *core)
{
	return core_now(core);
}

void core_raise(struct d3dgpu_core *core, unsigned vector)
{
	core->regs.intr_status |= 1u << vector;
	core_trace(core, D3DGPU_TRACE_INTERRUPT, 0, 0, vector, 0);
	if (core->regs.intr_enable & 1u << vector)
		core->irq_out |= 1u << vector;
}

/* A guest that is wrong in a loop, or asks the host for what it does not have, must not fill the host's disk. */
static bool may_log(struct d3dgpu_core *core, enum d3dgpu_log_level level)
{
	struct core_log_limit *limit = &core->log_limits[level];
	uint64_t second = core_now(core) / 1000000000u;

	if (limit->second != second)
		*limit = (struct core_log_limit){.second = second};
	return ++limit->lines <= LINES_PER_SECOND;
}

__attribute__((format(printf, 3, 0))) static void log_text(struct d3dgpu_core *core, enum d3dgpu_log_level level,
							   const char *format, va_list arguments)
{
	char text[256];

	if (!core->callbacks.log || !may_log(core, level))
		return;
	vsnprintf(text, sizeof(text), format, arguments);
	core->callbacks.log(core->callbacks.opaque, level, text);
}

void core_log(struct d3dgpu_core *core, enum d3dgpu_log_level level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_text(core, level, format, arguments);
	va_end(arguments);
}

void core_guest_error(struct d3dgpu_core *core, enum d3dgpu_guest_error code, const char *format, ...)
{
	va_list arguments;

	if (core->regs.guest_errors != UINT32_MAX)
		core->regs.guest_errors++;
	core->regs.last_error = code;
	va_start(arguments, format);
	log_text(core, D3DGPU_LOG_GUEST, format, arguments);
	va_end(arguments);
}

void core_trace(struct d3dgpu_core *core, enum d3dgpu_trace_point point, uint32_t context, uint64_t fence, uint64_t a,
		uint64_t b)
{
	if (core->callbacks.trace)
		core->callbacks.trace(core->callbacks.opaque, point, context, fence, a, b);
}

struct d3dgpu_ctrl *core_ctrl(struct d3dgpu_core *core)
{
	return core->regs.ctrl_valid ? (struct d3dgpu_ctrl *)(core->vram + core->regs.ctrl_base) : NULL;
}

void core_reset_locked(struct d3dgpu_core *core)
{
	core_engine_reset(core);
	core_regs_reset(core);
	core_gcp_reset(core);
	core_display_reset(core);
	atomic_store(&core->thread.rung, 0);
}

/* ---- creation ---- */

/* VRAM cannot change its size afterwards: no side can make the other fault by truncating it. */
static int make_vram(struct d3dgpu_core *core, char *message, size_t size)
{
	void *memory;

	core->vram_size = core->config.vram_size;
	core->vram_fd = memfd_create("d3dgpu-vram", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (core->vram_fd < 0 || ftruncate(core->vram_fd, (off_t)core->vram_size) ||
	    fcntl(core->vram_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		snprintf(message, size, "cannot make VRAM: %s", strerror(errno));
		return -ENOMEM;
	}
	memory = mmap(NULL, core->vram_size, PROT_READ | PROT_WRITE, MAP_SHARED, core->vram_fd, 0);
	if (memory == MAP_FAILED) {
		snprintf(message, size, "cannot map %llu MiB of VRAM: %s",
			 (unsigned long long)core->vram_size >> 20, strerror(errno));
		return -ENOMEM;
	}
	core->vram = memory;
	return 0;
}

static bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

/* For users that filled the structure without d3dgpu_config_set(). */
static int check_config(const struct d3dgpu_config *config, char *message, size_t size)
{
	const char *bad = NULL;

	if (config->vram_size < 64ull << 20 || config->vram_size > 16ull << 30 || !is_power_of_two(config->vram_size))
		bad = "vram";
	else if (!config->heads || config->heads > D3DGPU_MAX_HEADS)
		bad = "heads";
	else if (config->warm_workers > 16)
		bad = "warm-workers";
	else if (config->engines >= D3DGPU_MAX_CONTEXTS)
		bad = "engines";
	else if (config->xres < 64 || config->xres > 8192 || config->yres < 64 || config->yres > 8192)
		bad = "xres or yres";
	if (!bad)
		return 0;
	snprintf(message, size, "property '%s' is out of range", bad);
	return -EINVAL;
}

/* A worker keeps about one processor busy; more at once would only take time from each other. */
static uint32_t host_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return (uint32_t)(count < D3DGPU_MAX_CONTEXTS ? count : D3DGPU_MAX_CONTEXTS - 1);
}

static uint64_t random_luid(void)
{
	uint64_t luid = 0;

	if (getrandom(&luid, sizeof(luid), 0) != sizeof(luid) || !luid)
		luid = monotonic() | 1;
	return luid;
}

/* Everything that can fail. What is done so far is undone by d3dgpu_core_destroy(). */
static int bring_up(struct d3dgpu_core *core, char *message, size_t size)
{
	struct worker_hello hello;
	int error = check_config(&core->config, message, size);

	if (error)
		return error;
	error = make_vram(core, message, size);
	if (error)
		return error;
	error = core_gcp_init(core);
	if (!error)
		error = core_thread_init(core);
	if (error) {
		snprintf(message, size, "cannot start the device: %s", strerror(-error));
		return error;
	}
	error = core_workers_init(core, &hello, message, size);
	if (error)
		return error;
	error = core_caps_build(&core->caps, &hello, &core->config, message, size);
	if (error)
		return error;
	core->caps.luid = random_luid();
	core_reset_locked(core);
	error = core_thread_start(core);
	if (error)
		snprintf(message, size, "cannot start the device thread: %s", strerror(-error));
	return error;
}

int d3dgpu_core_create(const struct d3dgpu_config *config, const struct d3dgpu_callbacks *callbacks,
		       struct d3dgpu_core **out, char *message, size_t message_size)
{
	struct d3dgpu_core *core = calloc(1, sizeof(*core));
	int error;

	*out = NULL;
	if (!core) {
		snprintf(message, message_size, "no memory for the device");
		return -ENOMEM;
	}
	core->config = *config;
	if (!core->config.engines)
		core->config.engines = host_processors();
	core->callbacks = *callbacks;
	core->vram_fd = core->workers.cache_fd = core->workers.manager = -1;
	core->workers.log.from_workers = core->workers.log.to_core = -1;
	core->thread.epoll = core->thread.kick = -1;
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		core->thread.doorbells[ring] = -1;
	atomic_init(&core->epoch, monotonic());
	pthread_mutex_init(&core->lock, NULL);
	error = bring_up(core, message, message_size);
	if (error) {
		d3dgpu_core_destroy(core);
		return error;
	}
	*out = core;
	return 0;
}

void d3dgpu_core_destroy(struct d3dgpu_core *core)
{
	if (!core)
		return;
	core_thread_stop(core);
	core_workers_destroy(core);
	core_thread_destroy(core);
	core_gcp_destroy(core);
	if (core->vram)
		munmap(core->vram, core->vram_size);
	if (core->vram_fd >= 0)
		close(core->vram_fd);
	pthread_mutex_destroy(&core->lock);
	free(core);
}

/* ---- for the device's user ---- */

void *d3dgpu_core_vram(struct d3dgpu_core *core)
{
	return core->vram;
}

int d3dgpu_core_vram_fd(struct d3dgpu_core *core)
{
	return core->vram_fd;
}

uint64_t d3dgpu_core_vram_size(struct d3dgpu_core *core)
{
	return core->vram_size;
}

const struct d3dgpu_caps *d3dgpu_core_caps(struct d3dgpu_core *core)
{
	return &core->caps;
}

int d3dgpu_core_doorbell_fd(struct d3dgpu_core *core, unsigned ring)
{
	return ring < D3DGPU_MAX_RINGS ? core->thread.doorbells[ring] : -1;
}

void d3dgpu_core_reset(struct d3dgpu_core *core)
{
	core_lock(core);
	core_reset_locked(core);
	core_unlock(core);
}

uint64_t d3dgpu_core_read(struct d3dgpu_core *core, uint64_t offset, unsigned size)
{
	uint64_t value;

	core_lock(core);
	value = core_regs_read(core, offset, size);
	core_unlock(core);
	return value;
}

static bool is_doorbell(uint64_t offset, unsigned size)
{
	return size == 4 && !(offset & 3) && offset >= D3DGPU_REG_DOORBELL(0) &&
	       offset < D3DGPU_REG_DOORBELL(D3DGPU_MAX_RINGS);
}

void d3dgpu_core_write(struct d3dgpu_core *core, uint64_t offset, uint64_t value, unsigned size)
{
	const struct d3dgpu_callbacks *callbacks = &core->callbacks;
	struct core_notice notice = {0};

	if (is_doorbell(offset, size)) { /* the one register of the fast path: no lock */
		core_thread_ring(core, (unsigned)(offset - D3DGPU_REG_DOORBELL(0)) / 4);
		return;
	}
	core_lock(core);
	core_regs_write(core, offset, value, size, &notice);
	core_unlock(core);
	if (notice.scanout && callbacks->scanout)
		callbacks->scanout(callbacks->opaque, notice.head);
	if (notice.damage && callbacks->damage)
		callbacks->damage(callbacks->opaque, notice.head, notice.x, notice.y, notice.width, notice.height);
	if (notice.cursor && callbacks->cursor)
		callbacks->cursor(callbacks->opaque, notice.head);
}
