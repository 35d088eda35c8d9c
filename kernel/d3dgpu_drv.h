/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_DRV_H
#define D3DGPU_DRV_H

#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>
#include <drm/ttm/ttm_device.h>

#include <d3dgpu_caps.h>
#include <d3dgpu_ctrl.h>
#include <d3dgpu_gcp.h>
#include <d3dgpu_regs.h>
#include <d3dgpu_drm.h>

#include "d3dgpu_compat.h"
#include "d3dgpu_kms.h"

struct firmware;
struct drm_minor;
struct d3dgpu_context;
struct d3dgpu_device;
struct d3dgpu_usage;

/* How many rings contexts use, one per priority. The fourth is left for paging. */
#define D3DGPU_CONTEXT_RINGS	D3DGPU_PRIORITY_COUNT

/**
 * struct d3dgpu_ring - one of the device's command rings
 */
struct d3dgpu_ring {
	/** @gdev: The device it belongs to. */
	struct d3dgpu_device *gdev;

	/** @index: Number of the ring, of its doorbell and of its vector. */
	unsigned int index;

	/**
	 * @lock: Protects @tail, @rung and the entries, and of every context
	 * on this ring its state and the numbering of its fences. Held while
	 * waiting for space, so that entries stay in order. Reset holds the
	 * locks of all rings.
	 */
	struct mutex lock;

	/** @tail: Entries written; the copy in VRAM may not be trusted. */
	u32 tail;

	/** @rung: Value of @tail at the last doorbell. */
	u32 rung;

	/** @space: Woken by the ring's interrupt: there may be space. */
	wait_queue_head_t space;

	/**
	 * @fence_lock: Protects @contexts and the list of pending fences of
	 * each of them. Taken in the interrupt handler.
	 */
	spinlock_t fence_lock;

	/** @contexts: Contexts on this ring, &d3dgpu_context.ring_link. */
	struct list_head contexts;
};

/**
 * struct d3dgpu_device - a d3dgpu PCI device
 */
struct d3dgpu_device {
	/** @drm: The DRM device. */
	struct drm_device drm;

	/** @regs: BAR 2. */
	void __iomem *regs;

	/** @vram: BAR 0, mapped cached: it is the host's memory. */
	void *vram;

	/** @vram_base: Where BAR 0 lies for the CPU. */
	resource_size_t vram_base;

	/** @vram_size: Bytes of BAR 0. */
	u64 vram_size;

	/** @pool_size: Bytes of it, from offset 0, that buffer objects use. */
	u64 pool_size;

	/** @firmware_offset: Where in VRAM the firmware image is put. */
	u64 firmware_offset;

	/** @ctrl_offset: Where in VRAM the control block lies. */
	u64 ctrl_offset;

	/** @ctrl: The control block. */
	struct d3dgpu_ctrl *ctrl;

	/** @caps: Copy of the capability block. */
	struct d3dgpu_caps caps;

	/** @hang_timeout: Milliseconds that the device allows a job; 0 = any. */
	u32 hang_timeout;

	/** @firmware: The image; kept for resets. */
	const struct firmware *firmware;

	/** @firmware_version: Version of the running image. */
	u32 firmware_version;

	/** @rings: The command rings. */
	struct d3dgpu_ring rings[D3DGPU_MAX_RINGS];

	/** @wq: Ends contexts and resets the device. */
	struct workqueue_struct *wq;

	/** @timeout_wq: Ordered: time-outs of jobs of all contexts. */
	struct workqueue_struct *timeout_wq;

	/** @context_ids: Ids that the device knows, 1..255. */
	struct ida context_ids;

	/** @contexts: Contexts by the device's id; holds no reference. */
	struct xarray contexts;

	/** @paging: The context that is the device itself, see d3dgpu_paging.c. */
	struct d3dgpu_context *paging;

	/** @ttm: TTM's part of the device. */
	struct ttm_device ttm;

	/** @res_ids: Names of buffer objects in command streams. */
	struct ida res_ids;

	/** @bo_lock: Protects @bos. */
	struct mutex bo_lock;

	/** @bos: All buffer objects, &d3dgpu_bo.link. */
	struct list_head bos;

	/**
	 * @residency: Protects what is known about where objects are and where
	 * their content is, see d3dgpu_residency.c.
	 */
	struct rw_semaphore residency;

	/** @vram_pool: Who uses how much of the pool, see d3dgpu_vram.c. */
	struct {
		/**
		 * @vram_pool.lock: Held by who brings objects into VRAM, so
		 * that two lists that both fit do not evict each other's half.
		 */
		struct mutex lock;
		/**
		 * @vram_pool.reservers: Held for reading by who reserves objects
		 * with a ticket, from before until after; for writing by who
		 * must know that nobody else does. Taken after @vram_pool.lock.
		 */
		struct rw_semaphore reservers;
		/** @vram_pool.limit: Bytes that all objects together may have. */
		u64 limit;
		/** @vram_pool.bytes: Bytes that they have. */
		atomic64_t bytes;
		/** @vram_pool.files: Files that have something in VRAM. */
		atomic_t files;
		/** @vram_pool.evictions: Objects that have left it for others. */
		atomic64_t evictions;
		/** @vram_pool.evicted: Their bytes. */
		atomic64_t evicted;
		/** @vram_pool.restored: Bytes that have come back. */
		atomic64_t restored;
	} vram_pool;

	/** @reap: Buffer objects on their way out, see d3dgpu_reap.c. */
	struct {
		/** @reap.lock: Protects @reap.dead; taken in interrupts. */
		spinlock_t lock;
		/** @reap.dead: To be looked at, &d3dgpu_bo.reap_link. */
		struct list_head dead;
		/** @reap.work: Looks at them. */
		struct delayed_work work;
		/** @reap.wq: Ordered; where it runs. */
		struct workqueue_struct *wq;
		/** @reap.count: Objects whose VRAM is not free yet. */
		atomic_t count;
		/** @reap.jobs_queued: Jobs that took references, ever. */
		atomic64_t jobs_queued;
		/** @reap.jobs_freed: Those that gave them back. */
		atomic64_t jobs_freed;
		/** @reap.progress: Counts objects and jobs that were freed. */
		atomic_t progress;
		/** @reap.wait: Woken when @reap.progress counts. */
		wait_queue_head_t wait;
	} reap;

	/** @implicit_lock: Held while an object begins to synchronise implicitly. */
	struct mutex implicit_lock;

	/** @share_lock: Protects @shares and the tokens of all objects. */
	struct mutex share_lock;

	/** @shares: Objects that have a token, &d3dgpu_bo.share_link. */
	DECLARE_HASHTABLE(shares, 8);

	/** @dsu_lock: Protects the depth-stencil unit's mailbox. */
	struct mutex dsu_lock;

	/** @heads: The display heads. */
	struct d3dgpu_head heads[D3DGPU_MAX_HEADS];

	/** @head_count: How many there are. */
	unsigned int head_count;

	/** @engine_count: How many contexts may have their engine at work at once. */
	u32 engine_count;

	/** @clock: The device's clock and the system's. */
	struct d3dgpu_clock clock;

	/** @panic_notifier: Shows the console when the kernel panics. */
	struct notifier_block panic_notifier;

	/** @hotplug_work: Tells user space about a hotplug. */
	struct work_struct hotplug_work;

	/** @reset_work: Resets the device and carries on. */
	struct work_struct reset_work;

	/** @relight_work: Sets the modes of heads that a reset has switched off. */
	struct work_struct relight_work;

	/** @pm: What is kept while the machine sleeps, see d3dgpu_pm.c. */
	struct {
		/** @pm.pinned: Content of objects that may not leave VRAM, struct d3dgpu_pinned. */
		struct list_head pinned;
	} pm;

	/** @coredump: The last dump, see d3dgpu_coredump.c. */
	struct {
		/** @coredump.lock: Held while a dump is made; protects @coredump.made. */
		struct mutex lock;
		/** @coredump.made: When that was, in jiffies; 0: never. */
		unsigned long made;
	} coredump;

	/** @watch: Looks after the device while it has something to do. */
	struct {
		/** @watch.work: Does so. */
		struct delayed_work work;
		/** @watch.turns: The firmware's loop when it was looked at last. */
		u64 turns;
		/** @watch.looks: How often in a row it had not turned. */
		unsigned int looks;
	} watch;

	/** @resets: Resets since the module was loaded. */
	u32 resets;

	/**
	 * @down: The device takes no entries: in reset, gone, or it did not
	 * come up again. Written under the locks of all rings, but set before
	 * they are taken, so that nobody waits for a dead device.
	 */
	bool down;

	/** @dead: It did not come up again, or is gone: @down for ever. */
	bool dead;

	/** @up: Woken when @down or @dead may have changed. */
	wait_queue_head_t up;
};

static inline struct d3dgpu_device *to_d3dgpu(struct drm_device *drm)
{
	return container_of(drm, struct d3dgpu_device, drm);
}

/**
 * struct d3dgpu_file - an open file
 */
struct d3dgpu_file {
	/** @contexts: Its contexts by handle; holds a reference. */
	struct xarray contexts;

	/** @usage: What it has used, referenced. */
	struct d3dgpu_usage *usage;

	/** @progress: How far its contexts are, referenced; it may map it. */
	struct page *progress;
};

static inline u32 d3dgpu_read(struct d3dgpu_device *gdev, u32 reg)
{
	return readl(gdev->regs + reg);
}

static inline u64 d3dgpu_read64(struct d3dgpu_device *gdev, u32 reg_lo)
{
	u64 lo = d3dgpu_read(gdev, reg_lo);

	return lo | (u64)d3dgpu_read(gdev, reg_lo + 4) << 32;
}

static inline void d3dgpu_write(struct d3dgpu_device *gdev, u32 reg, u32 value)
{
	writel(value, gdev->regs + reg);
}

/* The high half goes last: it is the one that latches. */
static inline void d3dgpu_write64(struct d3dgpu_device *gdev, u32 reg_lo, u64 value)
{
	d3dgpu_write(gdev, reg_lo, lower_32_bits(value));
	d3dgpu_write(gdev, reg_lo + 4, upper_32_bits(value));
}

/* d3dgpu_device.c */
int d3dgpu_device_init(struct d3dgpu_device *gdev);
int d3dgpu_device_start(struct d3dgpu_device *gdev);
void d3dgpu_device_halt(struct d3dgpu_device *gdev);
void d3dgpu_device_stop(struct d3dgpu_device *gdev);
void d3dgpu_device_sleep(struct d3dgpu_device *gdev);
int d3dgpu_device_wake(struct d3dgpu_device *gdev);
void d3dgpu_device_check(struct d3dgpu_device *gdev);
void d3dgpu_device_give_up(struct d3dgpu_device *gdev);
int d3dgpu_device_wait(struct d3dgpu_device *gdev);

/* d3dgpu_firmware.c */
int d3dgpu_firmware_init(struct d3dgpu_device *gdev);
int d3dgpu_firmware_boot(struct d3dgpu_device *gdev);

/* d3dgpu_ring.c */
int d3dgpu_rings_init(struct d3dgpu_device *gdev);
void d3dgpu_rings_lock(struct d3dgpu_device *gdev);
void d3dgpu_rings_unlock(struct d3dgpu_device *gdev);
void d3dgpu_rings_clear(struct d3dgpu_device *gdev);
void d3dgpu_ring_begin(struct d3dgpu_ring *ring);
int d3dgpu_ring_wait(struct d3dgpu_ring *ring);
void d3dgpu_ring_put(struct d3dgpu_ring *ring, const struct d3dgpu_entry *entry);
void d3dgpu_ring_end(struct d3dgpu_ring *ring);

/* d3dgpu_irq.c */
int d3dgpu_irq_init(struct d3dgpu_device *gdev);
void d3dgpu_irq_enable(struct d3dgpu_device *gdev, u32 vectors);
void d3dgpu_irq_disable(struct d3dgpu_device *gdev);
bool d3dgpu_irq_is_enabled(struct d3dgpu_device *gdev, unsigned int vector);
void d3dgpu_irq_sync(struct d3dgpu_device *gdev);

/* d3dgpu_watch.c */
void d3dgpu_watch_init(struct d3dgpu_device *gdev);
void d3dgpu_watch(struct d3dgpu_device *gdev);
void d3dgpu_watch_stop(struct d3dgpu_device *gdev);

/* d3dgpu_ttm.c */
int d3dgpu_ttm_init(struct d3dgpu_device *gdev);
u64 d3dgpu_ttm_free(struct d3dgpu_device *gdev);

/* d3dgpu_ds.c */
int d3dgpu_ds_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* d3dgpu_debugfs.c */
#ifdef CONFIG_DEBUG_FS
void d3dgpu_debugfs_init(struct drm_minor *minor);
#endif

#endif
