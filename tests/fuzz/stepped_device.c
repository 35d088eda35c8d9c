/* SPDX-License-Identifier: MIT */
#include "stepped_device.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "copy.h"
#include "socket_worker.h"

#define GUARD (1u << 20) /* bytes before and behind VRAM that fault */

static struct fuzz_workers *workers; /* of the device that is kept */

static void on_irq(void *opaque, unsigned vector)
{
	fuzz_check(vector < D3DGPU_VECTOR_COUNT, "interrupt vector %u", vector);
}

static void on_log(void *opaque, enum d3dgpu_log_level level, const char *text)
{
	if (getenv("FUZZ_LOG"))
		fprintf(stderr, "%d: %s\n", level, text);
}

static void on_damage(void *opaque, unsigned head, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	fuzz_check(head < FUZZ_HEADS && width && height && x + width <= 16384 && y + height <= 16384,
		   "damage of head %u: %u,%u %ux%u", head, x, y, width, height);
}

/* ---- life ---- */

/* Puts VRAM where an access beside it ends the program, which no sanitizer sees of a mapping. */
static void fence_vram(struct d3dgpu_core *core)
{
	uint8_t *area =
		mmap(NULL, FUZZ_VRAM + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (area == MAP_FAILED || mmap(area + GUARD, FUZZ_VRAM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
				       core->vram_fd, 0) == MAP_FAILED)
		abort();
	core_lock(core);
	munmap(core->vram, core->vram_size);
	core->vram = area + GUARD;
	core_gcp_set_ctrl(core);
	core_unlock(core);
}

int fuzz_device_create(struct fuzz_device *device, int manager, char *message, size_t size)
{
	struct d3dgpu_callbacks callbacks = {.irq = on_irq, .log = on_log, .damage = on_damage};
	struct d3dgpu_config config;
	int error;

	d3dgpu_config_defaults(&config);
	config.vram_size = FUZZ_VRAM;
	config.heads = FUZZ_HEADS;
	config.warm_workers = 0;
	config.worker_socket = manager;
	error = d3dgpu_core_create(&config, &callbacks, &device->core, message, size);
	if (error)
		return error;
	core_thread_stop(device->core); /* from here on, fuzz_turn() is the thread */
	atomic_store(&device->core->thread.stop, false);
	fence_vram(device->core);
	device->vram = d3dgpu_core_vram(device->core);
	device->ctrl = (struct d3dgpu_ctrl *)(device->vram + FUZZ_CTRL);
	return 0;
}

void fuzz_device_destroy(struct fuzz_device *device)
{
	uint8_t *vram = device->vram;

	d3dgpu_core_destroy(device->core);
	munmap(vram - GUARD, FUZZ_VRAM + 2 * GUARD); /* the guards are still there; nothing else is in between */
}

struct fuzz_device *fuzz_device_get(void)
{
	static struct fuzz_device device;
	char message[256] = "";
	int pair[2];

	if (device.core)
		return &device;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		abort();
	workers = fuzz_workers_make(pair[1]);
	fuzz_workers_hand_out(workers); /* creation waits for one */
	if (fuzz_device_create(&device, pair[0], message, sizeof(message))) {
		fprintf(stderr, "no device: %s\n", message);
		abort();
	}
	return &device;
}

void fuzz_device_reset(struct fuzz_device *device)
{
	d3dgpu_core_reset(device->core);
	memset(device->ctrl, 0, sizeof(*device->ctrl));
}

/* ---- registers and firmware ---- */

uint32_t fuzz_read(struct fuzz_device *device, uint32_t offset)
{
	return (uint32_t)d3dgpu_core_read(device->core, offset, 4);
}

void fuzz_write(struct fuzz_device *device, uint32_t offset, uint32_t value)
{
	d3dgpu_core_write(device->core, offset, value, 4);
}

void fuzz_latch_ctrl(struct fuzz_device *device)
{
	fuzz_write(device, D3DGPU_REG_CTRL_BASE_LO, FUZZ_CTRL);
	fuzz_write(device, D3DGPU_REG_CTRL_BASE_HI, 0);
}

const uint8_t *fuzz_firmware(uint32_t *size)
{
	static uint8_t image[sizeof(struct d3dgpu_fw_header) + D3DGPU_GCP_SRAM_SIZE];
	static uint32_t image_size;
	FILE *file;

	if (!image_size) {
		file = fopen(FUZZ_FIRMWARE, "rb");
		if (file) {
			image_size = (uint32_t)fread(image, 1, sizeof(image), file);
			fclose(file);
		}
		if (image_size < sizeof(struct d3dgpu_fw_header)) {
			fprintf(stderr, "no firmware image %s\n", FUZZ_FIRMWARE);
			abort();
		}
	}
	*size = image_size;
	return image;
}

void fuzz_boot_image(struct fuzz_device *device, uint32_t size)
{
	fuzz_latch_ctrl(device);
	fuzz_write(device, D3DGPU_REG_GCP_FW_ADDR_LO, FUZZ_IMAGE);
	fuzz_write(device, D3DGPU_REG_GCP_FW_ADDR_HI, 0);
	fuzz_write(device, D3DGPU_REG_GCP_FW_SIZE, size);
	fuzz_write(device, D3DGPU_REG_GCP_CONTROL, D3DGPU_GCP_BOOT);
}

static void boot(struct fuzz_device *device)
{
	const uint8_t *image;
	uint32_t size, state;

	image = fuzz_firmware(&size);
	memcpy(device->vram + FUZZ_IMAGE, image, size);
	fuzz_boot_image(device, size);
	fuzz_settle(device, 16);
	state = fuzz_read(device, D3DGPU_REG_GCP_STATE);
	fuzz_check(state == D3DGPU_GCP_READY, "the firmware does not boot: state %u", state);
}

/* Booting takes hundreds of thousands of instructions: it is done once, later devices start from the saved state. */
void fuzz_boot(struct fuzz_device *device)
{
	static uint8_t state[D3DGPU_CORE_STATE_MAX];
	static struct d3dgpu_ctrl ctrl;
	static int64_t size;

	if (!size) {
		boot(device);
		size = d3dgpu_core_save(device->core, state, sizeof(state));
		ctrl = *device->ctrl;
		fuzz_check(size > 0, "a device at rest cannot be saved: %lld", (long long)size);
		return;
	}
	*device->ctrl = ctrl;
	fuzz_check(!d3dgpu_core_load(device->core, state, (size_t)size), "the device refuses its own state");
	fuzz_settle(device, 16);
}

/* ---- looking at it ---- */

static bool is_idle(struct d3dgpu_core *core)
{
	const struct core_gcp *gcp = &core->gcp;

	if (atomic_load(&core->thread.rung) || core->engine.unanswered || core->engine.copying ||
	    core->workers.requested)
		return false;
	return !core_gcp_running(core) || (gcp->asleep && !(gcp->int_pending & gcp->int_enable) && !core->engine.count);
}

void fuzz_turn(struct fuzz_device *device)
{
	core_lock(device->core);
	core_thread_turn(device->core);
	core_unlock(device->core);
}

bool fuzz_settle(struct fuzz_device *device, unsigned turns)
{
	while (turns--) {
		fuzz_turn(device);
		if (workers && fuzz_workers_turn(workers))
			continue;
		if (is_idle(device->core))
			return true;
	}
	return false;
}

static void check_surface(const struct d3dgpu_scanout *shown, unsigned head)
{
	uint64_t bytes = shown->format == D3DGPU_SCANOUT_RGB565 ? 2 : 4;
	bool turned = shown->transform & 1;
	uint32_t across = shown->surface_width, down = shown->surface_height;
	uint32_t width = turned ? down : across, height = turned ? across : down;

	if (shown->format == D3DGPU_SCANOUT_NONE)
		return;
	fuzz_check(shown->left + across <= shown->width && shown->top + down <= shown->height,
		   "head %u shows %ux%u at %u,%u", head, across, down, shown->left, shown->top);
	fuzz_check(width && height && shown->pitch >= width * bytes, "head %u shows %ux%u, pitch %u", head, width, height,
		   shown->pitch);
	bytes = (uint64_t)shown->pitch * (height - 1) + width * bytes;
	fuzz_check(shown->offset < FUZZ_VRAM && bytes <= FUZZ_VRAM - shown->offset, "head %u shows what is not VRAM", head);
}

/* Composes the last pixels of the screen: row by row into a canvas that has only them. */
static void check_picture(struct d3dgpu_core *core, unsigned head)
{
	enum { PART = 16 };
	static uint32_t row[D3DGPU_HEAD_MAX_EXTENT];
	struct d3dgpu_picture picture;
	uint32_t width, height;

	d3dgpu_core_picture(core, head, &picture);
	if (!picture.surface.enabled)
		return;
	check_surface(&picture.surface, head);
	width = picture.surface.width < PART ? picture.surface.width : PART;
	height = picture.surface.height < PART ? picture.surface.height : PART;
	for (uint32_t y = 0; y < height; y++) {
		d3dgpu_picture_compose(&picture, core->vram, true, 0, y, width, 1, row, 0);
		d3dgpu_picture_compose(&picture, core->vram, true, picture.surface.width - width,
				       picture.surface.height - 1 - y, width, 1, row, 0);
	}
}

static void check_engine(struct d3dgpu_core *core)
{
	const struct core_engine *engine = &core->engine;
	unsigned waiting = 0, copying = 0;

	fuzz_check(engine->count <= CORE_ENGINE_EVENTS, "%u events", engine->count);
	for (unsigned id = 0; id < D3DGPU_MAX_CONTEXTS; id++) {
		const struct core_context *context = &engine->contexts[id];
		unsigned mine = context->tail - context->head;

		fuzz_check(context->credits <= CORE_ENGINE_DEPTH && mine <= context->credits &&
				   context->sent - context->head <= mine,
			   "context %u: %u credits, %u entries, %u sent", id, context->credits, mine,
			   context->sent - context->head);
		fuzz_check(context->state != CORE_CONTEXT_LOST || (!mine && !context->worker),
			   "context %u: lost, yet alive", id);
		waiting += mine;
		copying += core_copy_running(context);
	}
	fuzz_check(waiting == engine->unanswered, "%u entries wait, %u are counted", waiting, engine->unanswered);
	fuzz_check(copying == engine->copying, "%u copies run, %u are counted", copying, engine->copying);
}

void fuzz_check_device(struct fuzz_device *device)
{
	struct d3dgpu_core *core = device->core;

	for (unsigned head = 0; head < D3DGPU_MAX_HEADS; head++)
		check_picture(core, head);
	core_lock(core);
	check_engine(core);
	fuzz_check(!core->gcp.cpu.x[0], "the hart's x0 is 0x%x", core->gcp.cpu.x[0]);
	fuzz_check(!core->regs.ctrl_valid || core_in_vram(core, core->regs.ctrl_base, D3DGPU_CTRL_SIZE),
		   "control block");
	core_unlock(core);
	fuzz_check(fuzz_read(device, D3DGPU_REG_ID) == D3DGPU_ID, "the device does not know its name");
}
