/* SPDX-License-Identifier: MIT */
/*
 * The device model as a plain C library, without QEMU: register file, capability registers, depth-stencil unit, firmware
 * core, rings, copy engine, worker management, display registers. QEMU's d3dgpu device and the loopback winsys are its two
 * users; both see the same device.
 *
 * Threads. d3dgpu_core_create() starts one thread, the device thread, which runs the firmware and talks to the workers.
 * d3dgpu_core_read/write may be called from any one thread at a time (QEMU: under the BQL) and never wait for an
 * engine; registers that the device thread shares are under the core's lock. Callbacks say which thread they come from.
 *
 * Errors. Creation reports through a message buffer. What the guest does wrong is counted, logged through the log
 * callback at D3DGPU_LOG_GUEST and answered with an error status: it never aborts.
 */
#ifndef D3DGPU_CORE_H
#define D3DGPU_CORE_H

#include "d3dgpu_caps.h"
#include "d3dgpu_ctrl.h"
#include "d3dgpu_gcp.h"
#include "d3dgpu_regs.h"

struct d3dgpu_core;

/* How the device is to be: QEMU's -device properties and loopback's D3DGPU_CAPS have the same names and values. */
struct d3dgpu_config {
	uint64_t vram_size;		/* "vram": bytes, 64M..16G, power of two; suffixes K, M, G */
	uint32_t feature_level;		/* "feature-level": 9_1 9_2 9_3 10_0 10_1 11_0 11_1 */
	bool npot;			/* "npot": on, off (then conditional) */
	bool shadow;			/* "shadow" */
	bool instancing;		/* "instancing" */
	bool cube_ds;			/* "cube-ds" */
	uint32_t max_texture;		/* "max-texture": texels, 0 = what the level and engine give; power of two 256..16384 */
	uint32_t msaa;			/* "msaa": highest sample count 1, 2, 4, 8, 16; 0 = what the engine gives */
	char ds_formats[256];		/* "ds-formats": names separated by '+', e.g. D16+D24S8; "" = all the engine can do */
	uint32_t heads;			/* "heads": 1..4 */
	uint32_t hang_timeout_ms;	/* "hang-timeout": reset value of D3DGPU_REG_HANG_TIMEOUT */
	uint32_t warm_workers;		/* "warm-workers": started ahead of need, 0..16 */
	uint32_t engines;		/* "engines": contexts whose engines work at once, 1..255; 0 = the host's processors */
	uint32_t xres, yres;		/* "xres", "yres": preferred mode of head 0 */
	char worker_path[1024];		/* "worker": program; "" = d3dgpu-worker beside the library, then in libexec */
	int worker_socket;		/* "worker-socket": pre-opened AF_UNIX SOCK_SEQPACKET descriptor of a manager that
					 * hands out workers (see renderer/protocol.h); -1 = the core spawns them */
	char shader_cache[1024];	/* "shader-cache": folder for Mesa's shader cache; "" = none */
};

void d3dgpu_config_defaults(struct d3dgpu_config *config);
/* Sets one property from text. Returns 0 or -EINVAL with a message that names the property and what it accepts. */
int d3dgpu_config_set(struct d3dgpu_config *config, const char *name, const char *value, char *message, size_t size);
/* Parses "name=value,name=value". NULL and "" are fine. Same errors. */
int d3dgpu_config_parse(struct d3dgpu_config *config, const char *text, char *message, size_t size);

enum d3dgpu_log_level {
	D3DGPU_LOG_ERROR,		/* the host's fault: worker cannot start, sandbox refused */
	D3DGPU_LOG_GUEST,		/* the guest's fault */
	D3DGPU_LOG_INFO,
};

enum d3dgpu_trace_point {
	D3DGPU_TRACE_DOORBELL,		/* a = ring */
	D3DGPU_TRACE_DISPATCH,		/* context, fence, a = opcode */
	D3DGPU_TRACE_COMPLETE,		/* context, fence, a = opcode, b = enum d3dgpu_fault */
	D3DGPU_TRACE_INTERRUPT,		/* a = vector */
	D3DGPU_TRACE_WORKER_START,	/* context, a = pid */
	D3DGPU_TRACE_WORKER_END,	/* context, a = pid, b = wait status */
	D3DGPU_TRACE_DSU,		/* a = format, b = status */
};

struct d3dgpu_callbacks {
	void *opaque;
	/* An interrupt vector that is enabled was raised. Any thread; must not call back into the core. */
	void (*irq)(void *opaque, unsigned vector);
	/* One line, no newline. Any thread. */
	void (*log)(void *opaque, enum d3dgpu_log_level level, const char *text);
	/* What head `head` shows changed (mode, offset, on/off): ask d3dgpu_core_scanout(). Thread of the register write. */
	void (*scanout)(void *opaque, unsigned head);
	/* Damage reported by the guest for a head. Thread of the register write. */
	void (*damage)(void *opaque, unsigned head, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
	/* A head's cursor moved, changed, came or went; NULL = nobody cares. Thread of the register write. */
	void (*cursor)(void *opaque, unsigned head);
	/* Trace event; NULL = none. Any thread. */
	void (*trace)(void *opaque, enum d3dgpu_trace_point point, uint32_t context, uint64_t fence, uint64_t a, uint64_t b);
};

/*
 * Creates the device: makes VRAM (a memfd, sealed against resizing), starts a first worker to learn what the engine can do,
 * and fills the capability block from it and the configuration.
 * Returns 0, or a negative errno with a message for the user (-ENOENT: no worker program; -EINVAL: property; -EIO: the
 * worker started but did not come up; -ENOMEM).
 */
int d3dgpu_core_create(const struct d3dgpu_config *config, const struct d3dgpu_callbacks *callbacks,
		       struct d3dgpu_core **out, char *message, size_t message_size);
/* Stops the device thread and all workers; VRAM is unmapped. */
void d3dgpu_core_destroy(struct d3dgpu_core *core);

/* VRAM as seen by this process; and its memfd, owned by the core. */
void *d3dgpu_core_vram(struct d3dgpu_core *core);
int d3dgpu_core_vram_fd(struct d3dgpu_core *core);
uint64_t d3dgpu_core_vram_size(struct d3dgpu_core *core);
const struct d3dgpu_caps *d3dgpu_core_caps(struct d3dgpu_core *core);

/* Register accesses (BAR2). size = 1, 2, 4 or 8 bytes. */
uint64_t d3dgpu_core_read(struct d3dgpu_core *core, uint64_t offset, unsigned size);
void d3dgpu_core_write(struct d3dgpu_core *core, uint64_t offset, uint64_t value, unsigned size);
/* eventfd that rings the doorbell of a ring when written (for ioeventfd); owned by the core. */
int d3dgpu_core_doorbell_fd(struct d3dgpu_core *core, unsigned ring);

/* Resets registers, firmware core, contexts and workers, as power-on does; VRAM content stays. */
void d3dgpu_core_reset(struct d3dgpu_core *core);

/* A head's surface. DISPI's frame buffer counts as that of head 0 while the head is off. */
struct d3dgpu_scanout {
	bool enabled;
	uint32_t width, height;		/* pixels of the screen */
	uint32_t pitch;			/* bytes */
	uint32_t format;		/* enum d3dgpu_scanout_format; NONE: there is no surface */
	uint64_t offset;		/* VRAM; all rows of PITCH bytes from here on are inside VRAM */
	uint32_t transform;		/* D3DGPU_TRANSFORM_* */
	/* the surface's place, inside the screen, and its size there; of its buffer too, but for a quarter turn, where they change places */
	uint32_t left, top, surface_width, surface_height;
};
void d3dgpu_core_scanout(struct d3dgpu_core *core, unsigned head, struct d3dgpu_scanout *out);

/* A rectangle of a buffer in VRAM, shown in a rectangle of the screen. */
struct d3dgpu_overlay {
	bool enabled;
	uint32_t format, pitch, width, height; /* of the buffer, as the registers have them */
	uint64_t offset;
	uint32_t src_x, src_y, src_width, src_height; /* 16.16 pixels, inside the buffer */
	int32_t dst_x, dst_y;
	uint32_t dst_width, dst_height;
	uint32_t transform, alpha, blend, filter;
};

/* An image of pre-multiplied ARGB8888 in VRAM. */
struct d3dgpu_cursor {
	bool enabled;
	uint32_t width, height, pitch;
	uint64_t offset;
	uint32_t hot_x, hot_y;
	int32_t x, y;			/* of the image on the screen */
	uint32_t serial;		/* another one: the image may be another */
};

/* All that a head shows. What it says about VRAM is checked; the pixels may change at any moment. */
struct d3dgpu_picture {
	struct d3dgpu_scanout surface;
	struct d3dgpu_overlay overlay;
	struct d3dgpu_cursor cursor;
	bool gamma;
	uint8_t lut[3][256];		/* red, green, blue, if gamma */
	uint32_t serial;		/* another one: everything may look different */
	bool reports;			/* the guest's driver reports all that is drawn: nobody needs to look for it */
};
void d3dgpu_core_picture(struct d3dgpu_core *core, unsigned head, struct d3dgpu_picture *out);
/* Whether the surface covers the screen, without a transform. */
bool d3dgpu_scanout_covers(const struct d3dgpu_scanout *scanout);
/* Whether the surface, as it lies in VRAM, is the picture but for the cursor. */
bool d3dgpu_picture_is_surface(const struct d3dgpu_picture *picture);
/*
 * Draws a part of a picture, which must be inside it, into an image of XRGB8888 pixels as large as all of it. Work: so much for
 * each pixel, whatever the registers say. Needs no lock.
 */
void d3dgpu_picture_compose(const struct d3dgpu_picture *picture, const void *vram, bool with_cursor, uint32_t x, uint32_t y,
			    uint32_t width, uint32_t height, void *pixels, size_t pitch);

/* The host's window for a head has this size: updates PREFERRED_*, raises HOTPLUG. */
void d3dgpu_core_resize(struct d3dgpu_core *core, unsigned head, uint32_t width, uint32_t height);
/* EDID of a head, made by the user (QEMU's generator, or a built-in one until this is called). size <= 1024. */
void d3dgpu_core_set_edid(struct d3dgpu_core *core, unsigned head, const void *edid, size_t size);

/* Contexts that have a worker now (migration is refused while it is not 0). */
unsigned d3dgpu_core_contexts(struct d3dgpu_core *core);
/* Process id of a context's worker, or -1 (which kill() would take for everybody: check it): for tests and the monitor. */
int d3dgpu_core_worker_pid(struct d3dgpu_core *core, unsigned context);

/* Register state for migration: a flat, versioned blob. Returns its size, or -EBUSY while contexts are alive. */
int64_t d3dgpu_core_save(struct d3dgpu_core *core, void *buffer, size_t size);
/* Returns 0 or -EINVAL (wrong version or size, or a state that no device can have): nothing changed then. */
int d3dgpu_core_load(struct d3dgpu_core *core, const void *buffer, size_t size);
#define D3DGPU_CORE_STATE_MAX 0x90000	/* bytes that a saved state never exceeds */

/* Device time in nanoseconds, as the firmware and fence slots see it. */
uint64_t d3dgpu_core_time(struct d3dgpu_core *core);

#endif
