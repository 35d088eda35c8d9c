/* SPDX-License-Identifier: MIT */
/*
 * The loopback winsys: the whole device inside this process. This library plays the part that the kernel driver plays
 * in a guest: it owns the VRAM pool and the control block, boots the firmware, writes ring entries, sleeps on
 * interrupts.
 *
 *   loopback_vram.c     the pool
 *   loopback_device.c   device and firmware, interrupts
 *   loopback_ring.c     rings and contexts' entries
 *   loopback_context.c  contexts, submits, fences
 *   loopback_object.c   buffer objects and their end
 *   loopback_residency.c  what lies in VRAM, and who has its present content
 *   loopback.c          the winsys
 *
 * Locks: device->lock covers everything here and all register accesses. Interrupts come on the core's own thread;
 * they only take interrupt_lock, which nobody holds while taking the other.
 */
#ifndef D3DGPU_UMD_LOOPBACK_H
#define D3DGPU_UMD_LOOPBACK_H

#include <pthread.h>
#include <sys/queue.h>

#include "d3dgpu_core.h"
#include "winsys.h"

/* ---- VRAM ---- */

struct vram_hole;
struct vram { struct vram_hole *holes; uint64_t size, used; };

int vram_init(struct vram *vram, uint64_t size);
void vram_fini(struct vram *vram);
/* alignment is a power of two. -ENOMEM when no hole is large enough. */
int vram_alloc(struct vram *vram, uint64_t size, uint64_t alignment, uint64_t *offset);
/* The same as near to the pool's end as possible. */
int vram_alloc_top(struct vram *vram, uint64_t size, uint64_t alignment, uint64_t *offset);
void vram_free(struct vram *vram, uint64_t offset, uint64_t size);

/* ---- device ---- */

#define SUBMIT_WINDOW 1024u		/* more submits of one context than the firmware can hold entries */

enum context_state {
	CONTEXT_NONE,
	CONTEXT_LIVE,
	CONTEXT_ENDING,			/* somebody waits for its worker's end */
	CONTEXT_ENDED,			/* its worker is gone; its user has not destroyed it yet */
};

/* Slot n is GPU context n. */
struct loopback_context {
	struct winsys_ctx base;
	struct loopback_device *device;
	enum context_state state;
	uint32_t generation;		/* of this slot: rises with every context in it, the first is 1 */
	uint32_t ring;
	uint64_t next_entry;		/* the device's fence number of the next entry */
	uint64_t submitted, done;	/* submits, as the winsys numbers them */
	uint64_t entries[SUBMIT_WINDOW]; /* per submit: its entry's number */
};

#define VRAM_NOWHERE UINT64_MAX

/* What the worker of one context has of an object. */
struct object_user {
	uint32_t context, generation;	/* 0 = it never heard of it */
	bool resident;			/* not evicted */
	uint64_t version;		/* content of its 3D object */
};

/* Where an object that is gone was known, and when the worker has forgotten it. */
struct zombie {
	struct zombie *next;
	uint64_t offset, size;		/* VRAM */
	unsigned count;
	struct { uint32_t context, generation; uint64_t entry; } users[]; /* UINT64_MAX: with the context's end */
};

struct loopback_object {
	struct loopback_object *next;	/* in device->shared */
	TAILQ_ENTRY(loopback_object) link; /* in device->objects */
	uint32_t references;
	uint64_t offset, size;		/* VRAM; offset VRAM_NOWHERE: evicted */
	uint64_t alignment;		/* bytes, of the offset */
	uint8_t *saved;			/* evicted: its linear image, NULL if it never had content */
	uint64_t token;			/* 0 = not shared */
	struct winsys_bo image;		/* what a new name of it starts from */
	struct object_user *users;
	unsigned user_count;
	uint64_t version;		/* of the content: rises with every submit that writes it; 0 = none yet */
	bool image_current;		/* the linear image has that version */
	uint32_t writer, writer_generation; /* who made it */
	uint32_t last_context, last_generation; /* who used it last, and with which entry */
	uint64_t last_entry;
	unsigned held;			/* submits whose entries are being written */
	bool wanted;			/* the placer is placing it */
	bool moving;			/* the placer is evicting it */
	bool unneeded;			/* evicted without keeping its content */
};

struct loopback_bo {
	struct winsys_bo base;
	struct loopback_object *object;
};

struct loopback_device {
	struct winsys base;
	unsigned references;		/* under the library's own lock */
	struct d3dgpu_core *core;
	uint8_t *memory;		/* VRAM */
	struct d3dgpu_ctrl *ctrl;
	char caps_text[512];

	pthread_mutex_t lock;
	struct vram vram;
	struct winsys_stats stats;
	struct loopback_context contexts[D3DGPU_MAX_CONTEXTS]; /* 0 unused */
	TAILQ_HEAD(, loopback_object) objects; /* all, those used longest ago first */
	struct loopback_object *shared;
	bool placing;			/* a thread is placing objects */
	bool dead;			/* the firmware has died: nothing is done any more; set once, atomically */
	struct zombie *zombies;
	uint32_t next_resource;
	uint32_t tails[D3DGPU_MAX_RINGS], rung[D3DGPU_MAX_RINGS];

	pthread_mutex_t interrupt_lock;
	pthread_cond_t interrupt;
	uint32_t interrupts;		/* so far */
};

int device_open(const char *caps, struct loopback_device **out, char *message, size_t size);
void device_close(struct loopback_device *device);
uint32_t device_interrupts(struct loopback_device *device);
static inline bool device_dead(const struct loopback_device *device)
{
	return __atomic_load_n(&device->dead, __ATOMIC_ACQUIRE);
}
/* Sleeps until an interrupt comes after `seen`, or until the deadline (CLOCK_MONOTONIC, nanoseconds; UINT64_MAX =
 * none). Returns false when the time is over. */
bool device_sleep(struct loopback_device *device, uint32_t seen, uint64_t deadline);
/* The same with device->lock held, which is given up meanwhile. */
void device_sleep_unlocked(struct loopback_device *device, uint32_t seen);
uint64_t now_ns(void);

/* ---- rings: device->lock is held, and may be given up while waiting ---- */

/* Writes an entry of a live context; context and number are filled in. Returns 0, -EIO: the
 * context is lost, -ENODEV: the device is dead. */
int ring_write(struct loopback_context *context, struct d3dgpu_entry *entry, bool signal, uint64_t *number);
/* Rings the doorbells of what was written. */
void ring_kick(struct loopback_device *device);

/* ---- contexts ---- */

int context_create(struct winsys *ws, uint32_t priority, struct winsys_ctx **out);
void context_destroy(struct winsys_ctx *ctx);
uint32_t context_status(struct winsys_ctx *ctx);
int context_submit(struct winsys_ctx *ctx, const struct winsys_submit *submit, uint64_t *fence);
uint64_t context_completed(struct winsys_ctx *ctx);
int context_wait(struct winsys_ctx *ctx, uint64_t fence, uint64_t timeout);
/* What the device's fence slot says now. */
uint64_t context_value(const struct loopback_context *context);
uint32_t context_fault(const struct loopback_context *context);
/* Waits for an entry of the context that had this generation of its slot. device->lock is held, and given up meanwhile. */
void context_wait_entry(struct loopback_context *context, uint32_t generation, uint64_t number);
/* Takes a context out of the device and waits until its worker is gone. device->lock is held, and given up meanwhile. */
void context_end(struct loopback_context *context);
/* The same for all contexts that are lost. */
void contexts_end_lost(struct loopback_device *device);

/* ---- objects ---- */

int object_staging(struct winsys *ws, uint64_t size, struct winsys_bo **out);
int object_resource(struct winsys *ws, const struct d3dgpu_resource_desc *desc, struct winsys_bo **out);
int object_depth_stencil(struct winsys *ws, struct d3dgpu_ds_mailbox *ds, struct winsys_bo **out);
int object_set_needed(struct winsys_bo *bo, bool needed);
void object_destroy(struct winsys_bo *bo);
int object_share(struct winsys_bo *bo, uint64_t *token);
int object_open(struct winsys *ws, uint64_t token, struct winsys_bo **out);
/* Gives memory of forgotten objects back to the pool. device->lock is held, and may be given up before it looks. */
void objects_reap(struct loopback_device *device);

/* ---- residency: device->lock is held, and may be given up while waiting ---- */

/* Gives an object its range; what was used longest ago makes room. -ENOMEM when nothing more can. */
int object_place(struct loopback_device *device, struct loopback_object *object);
/* Brings all objects of a list into VRAM and keeps them there. -ENOMEM: they do not fit together; none is held then. */
int objects_hold(struct loopback_device *device, struct winsys_bo *const *bos, uint32_t count);
void objects_release(struct winsys_bo *const *bos, uint32_t count);
/* Writes what a context's worker needs before a stream may name a held object. */
int object_prepare(struct loopback_context *context, struct loopback_object *object);
/* The stream that names it was written, as this entry. */
void object_used(struct loopback_context *context, struct loopback_object *object, uint64_t entry, bool write);
/* A context is about to end: writes the flushes of what only its worker has. */
void objects_flush_context(struct loopback_context *context);

#endif
