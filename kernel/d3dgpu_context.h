/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_CONTEXT_H
#define D3DGPU_CONTEXT_H

#include <linux/dma-fence.h>
#include <linux/dma-resv.h>
#include <linux/kref.h>

#include <drm/gpu_scheduler.h>

#include "d3dgpu_drv.h"

struct d3dgpu_bo;

/**
 * enum d3dgpu_context_state - what the device knows about a context
 * @D3DGPU_CONTEXT_NEW: nothing yet
 * @D3DGPU_CONTEXT_LIVE: it was told to create it
 * @D3DGPU_CONTEXT_ENDED: it was told to destroy it, &d3dgpu_context.end tells when it has
 * @D3DGPU_CONTEXT_GONE: nothing any more: destroyed, or the device was reset
 */
enum d3dgpu_context_state {
	D3DGPU_CONTEXT_NEW,
	D3DGPU_CONTEXT_LIVE,
	D3DGPU_CONTEXT_ENDED,
	D3DGPU_CONTEXT_GONE,
};

/**
 * struct d3dgpu_context - one engine context, a renderer process of the host
 */
struct d3dgpu_context {
	/** @refcount: One for the file's handle, one for whoever looks. */
	struct kref refcount;

	/** @gdev: The device; referenced. */
	struct d3dgpu_device *gdev;

	/** @usage: What its file has used; referenced. */
	struct d3dgpu_usage *usage;

	/** @ring: The ring of its priority; constant. */
	struct d3dgpu_ring *ring;

	/** @id: The device's name for it and the number of its fence slot. */
	u32 id;

	/** @priority: enum d3dgpu_priority; constant. */
	u32 priority;

	/** @name: The program that made it. */
	char name[TASK_COMM_LEN];

	/** @slot: Where the firmware writes which fences are done. */
	struct d3dgpu_fence_slot *slot;

	/** @ring_link: Entry of &d3dgpu_ring.contexts. */
	struct list_head ring_link;

	/** @pending: Fences the device has, in order; under the fence lock. */
	struct list_head pending;

	/** @timeline: Of the fences of its jobs. */
	u64 timeline;

	/** @job_count: Number on @timeline of the last job. */
	u64 job_count;

	/** @next_fence: Number of the next entry; under the ring's lock. */
	u64 next_fence;

	/** @done: Highest number that @slot had when it was looked at last. */
	u64 done;

	/** @busy: When the last submit was done, ns; under the fence lock. */
	u64 busy;

	/** @state: What the device knows; under the ring's lock. */
	enum d3dgpu_context_state state;

	/**
	 * @end: Signalled when the worker has ended; set with ENDED. Only then
	 * does a lost context touch VRAM no more: its other fences are
	 * signalled as soon as it is lost, before the worker is dead.
	 */
	struct dma_fence *end;

	/** @ended: When it was told to, in jiffies. */
	unsigned long ended;

	/**
	 * @lost: 0, or enum d3dgpu_fault: why nothing more can be done in it.
	 * Set once, by d3dgpu_progress_lost(); read without a lock.
	 */
	u32 lost;

	/**
	 * @dumped: What can be said about its loss is noted; only then may its
	 * fences be signalled.
	 */
	bool dumped;

	/** @submit_lock: Orders submits: protects @closed, @submitted. */
	struct mutex submit_lock;

	/** @closed: The handle is gone; no more submits. */
	bool closed;

	/** @submitted: Number of the last submit. */
	u64 submitted;

	/**
	 * @push_lock: Orders jobs, those of others too who need something of
	 * this context: protects @shut, @last, @job_count. Never held for long.
	 */
	struct mutex push_lock;

	/** @shut: It takes no jobs any more. */
	bool shut;

	/**
	 * @completed: Highest submit that is done. Written under the fence
	 * lock, by d3dgpu_progress_done() only; read without a lock.
	 */
	u64 completed;

	/** @progress: Page of its file, referenced, where its program reads it. */
	struct page *progress;

	/** @last: Fence of the last job, or NULL. */
	struct dma_fence *last;

	/** @sched: Its scheduler. */
	struct drm_gpu_scheduler sched;

	/** @entity: Its queue in it. */
	struct drm_sched_entity entity;

	/** @jobs: Jobs that were pushed and not freed. */
	atomic_t jobs;

	/** @queue_lock: Protects @queue. The scheduler waits for it: nothing is allocated under it. */
	struct mutex queue_lock;

	/** @queue: These jobs, in order, &d3dgpu_job.link. */
	struct list_head queue;

	/** @idle: Woken when @jobs gets 0. */
	wait_queue_head_t idle;

	/** @saved: While the machine sleeps: a stream that makes its state again. */
	void *saved;

	/** @saved_size: Bytes of it. */
	u32 saved_size;

	/** @lost_work: Tells the device to end it once it is lost. */
	struct work_struct lost_work;

	/** @cancel: End without running what is queued; set with @closed. */
	bool cancel;

	/** @close_work: Ends it. */
	struct work_struct close_work;
};

/**
 * struct d3dgpu_fence - completion of a job, or of a ring entry
 */
struct d3dgpu_fence {
	/** @base: The fence. */
	struct dma_fence base;

	/** @lock: Of @base. One each, because fences outlive everything. */
	spinlock_t lock;

	/** @link: Entry of &d3dgpu_context.pending. */
	struct list_head link;

	/** @entry: Number in the context's slot; 0 until it is armed. */
	u64 entry;

	/** @stream_offset: Where in VRAM the job's command stream lies, for dumps. */
	u64 stream_offset;

	/** @stream_size: Bytes of it, or 0. */
	u32 stream_size;

	/** @clear_offset: Of paging: where in VRAM the range lies that is cleared. */
	u64 clear_offset;

	/** @clear_size: Bytes of it. */
	u64 clear_size;

	/** @started: When its entry was written, ns. */
	u64 started;

	/** @submit: Number of the submit in its context, or 0. */
	u64 submit;

	/** @context_id: For messages. */
	u32 context_id;
};

/* What a worker has to do for an object before the job, in this order. */
#define D3DGPU_STEP_CREATE	BIT(0)	/* it does not know it */
#define D3DGPU_STEP_RESTORE	BIT(1)	/* it was evicted */
#define D3DGPU_STEP_LOAD	BIT(2)	/* the content is in the image */

/**
 * struct d3dgpu_job_bo - an object of a job
 * @bo: the object, referenced
 * @write: the stream writes it
 * @reserved: while the submit is queued: the object's reservation is held
 * @implicit: and the submit synchronises on it
 * @steps: D3DGPU_STEP_*: what its worker has still to be told
 */
struct d3dgpu_job_bo {
	struct d3dgpu_bo *bo;
	bool write;
	bool reserved;
	bool implicit;
	u8 steps;
};

/**
 * struct d3dgpu_job - a submit, or something that the kernel wants of a context
 */
struct d3dgpu_job {
	/** @base: The scheduler's part. */
	struct drm_sched_job base;

	/** @context: Its context, kept by &d3dgpu_context.jobs. */
	struct d3dgpu_context *context;

	/** @link: Entry of &d3dgpu_context.queue, from when it is pushed until it is freed. */
	struct list_head link;

	/** @fence: Tells everybody that it is done. */
	struct d3dgpu_fence *fence;

	/** @armed: It has its place in the queue; @fence is a fence. */
	bool armed;

	/** @ran: Its entries were written: the device signals @fence. */
	bool ran;

	/** @opcode: EXEC, FENCE; FLUSH or EVICT of the first of @bos. */
	u8 opcode;

	/** @flags: D3DGPU_EVICT_* */
	u32 flags;

	/** @commands: Holds the stream; one of @bos. */
	struct d3dgpu_bo *commands;

	/** @offset: Bytes from the start of @commands. */
	u32 offset;

	/** @size: Bytes of the stream. */
	u32 size;

	/** @seqno: Number among the submits of its context, or 0. */
	u64 seqno;

	/** @has_steps: Of some of @bos the worker has still to be told something. */
	bool has_steps;

	/** @bo_count: Length of @bos. */
	u32 bo_count;

	/** @bos: All objects the stream names, and the one that it is in. */
	struct d3dgpu_job_bo bos[];
};

static inline struct d3dgpu_job *to_d3dgpu_job(struct drm_sched_job *base)
{
	return container_of(base, struct d3dgpu_job, base);
}

/* d3dgpu_context.c */
void d3dgpu_contexts_init(struct d3dgpu_device *gdev);
struct d3dgpu_context *d3dgpu_context_lookup(struct d3dgpu_file *dfile, u32 handle);
struct d3dgpu_context *d3dgpu_context_find(struct d3dgpu_device *gdev, u32 id);
void d3dgpu_context_put(struct d3dgpu_context *context);
int d3dgpu_context_start(struct d3dgpu_context *context, bool interruptible);
int d3dgpu_context_write(struct d3dgpu_context *context, struct d3dgpu_entry *entry,
			 struct d3dgpu_fence *fence);
int d3dgpu_context_write_steps(struct d3dgpu_context *context, struct d3dgpu_job_bo *entry);
struct dma_fence *d3dgpu_context_get_last(struct d3dgpu_context *context);
int d3dgpu_context_wait_dead(struct d3dgpu_context *context, bool interruptible);
struct dma_fence *d3dgpu_context_forget(struct d3dgpu_context *context, struct list_head *bos,
					struct list_head *told, bool *end);
void d3dgpu_context_kill(struct d3dgpu_context *context, u32 fault);
void d3dgpu_context_lose(struct d3dgpu_context *context, u32 fault);
void d3dgpu_contexts_abandon(struct d3dgpu_device *gdev);
void d3dgpu_contexts_close(struct d3dgpu_device *gdev, struct d3dgpu_file *dfile);
int d3dgpu_ctx_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_ctx_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int d3dgpu_ctx_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* d3dgpu_fence.c */
void d3dgpu_fences_init(void);
void d3dgpu_fences_fini(void);
struct d3dgpu_fence *d3dgpu_fence_alloc(gfp_t gfp);
struct d3dgpu_fence *d3dgpu_fence_create(gfp_t gfp);
void d3dgpu_fence_init(struct d3dgpu_fence *fence, u64 timeline, u64 seqno);
void d3dgpu_fence_arm(struct d3dgpu_fence *fence, struct d3dgpu_context *context, u64 entry);
void d3dgpu_fence_fail(struct d3dgpu_fence *fence, struct d3dgpu_context *context, int error);
void d3dgpu_fence_process(struct d3dgpu_ring *ring);
void d3dgpu_fence_sync(struct d3dgpu_device *gdev);
void d3dgpu_fence_abandon(struct d3dgpu_context *context);

/* d3dgpu_paging.c */
int d3dgpu_paging_init(struct d3dgpu_device *gdev);
struct dma_fence *d3dgpu_paging_clear(struct d3dgpu_device *gdev, u64 offset, u64 size);
void d3dgpu_paging_abandon(struct d3dgpu_device *gdev);

/* d3dgpu_sched.c */
int d3dgpu_sched_init(struct d3dgpu_context *context);
void d3dgpu_sched_fini(struct d3dgpu_context *context);
struct d3dgpu_job *d3dgpu_job_alloc(struct d3dgpu_context *context, u32 bo_count);
int d3dgpu_job_add_dependency(struct d3dgpu_job *job, struct dma_fence *fence);
int d3dgpu_job_add_dependencies(struct d3dgpu_job *job, struct dma_resv *resv,
				enum dma_resv_usage usage);
void d3dgpu_job_free(struct d3dgpu_job *job);
struct dma_fence *d3dgpu_job_arm(struct d3dgpu_job *job);
void d3dgpu_job_push(struct d3dgpu_job *job);
struct dma_fence *d3dgpu_sched_push(struct d3dgpu_context *context, u8 opcode, u32 flags,
				    struct d3dgpu_bo *bo);

/* d3dgpu_submit.c */
int d3dgpu_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif
