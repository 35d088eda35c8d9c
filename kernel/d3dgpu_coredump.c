// SPDX-License-Identifier: GPL-2.0-only
#include <linux/devcoredump.h>
#include <linux/module.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "d3dgpu_context.h"
#include "d3dgpu_coredump.h"
#include "d3dgpu_state.h"

/**
 * DOC: Core dumps
 *
 * When a context is lost, or the device must be reset, the state of everything goes into a device
 * core dump, /sys/class/devcoredump/devcdN/data, together with the command streams that were being
 * executed: the guilty one if there is one. It is text, described in docs/uapi.md.
 *
 * The streams lie in memory that the program may write again as soon as it hears that they are
 * done. So the fences of a lost context are signalled only when the dump is there.
 *
 * The kernel keeps one dump of a device at a time, for five minutes or until somebody has read it
 * and says so by writing to the file. What is lost meanwhile is not dumped; a program that loses
 * contexts in a loop makes one dump every few seconds at most.
 */

static bool d3dgpu_coredump_enabled = true;
module_param_named(coredump, d3dgpu_coredump_enabled, bool, 0644);
MODULE_PARM_DESC(coredump, "Make device core dumps of lost contexts and resets (default: on)");

/* Bytes of a whole dump. */
#define D3DGPU_COREDUMP_SIZE	SZ_1M
/* Bytes of one stream; and how many of them there are in all. */
#define D3DGPU_COREDUMP_STREAM	SZ_64K
#define D3DGPU_COREDUMP_STREAMS	4
/* At least so long after another. */
#define D3DGPU_COREDUMP_PERIOD	(2 * HZ)

/**
 * struct d3dgpu_coredump_stream - a command stream that the device has
 * @context: its context
 * @fence: number of its entry
 * @offset: of its first byte in VRAM
 * @size: bytes
 */
struct d3dgpu_coredump_stream {
	u32 context;
	u64 fence;
	u64 offset;
	u32 size;
};

/* The first stream of a context from an entry on that is not done. */
static bool d3dgpu_coredump_find(struct d3dgpu_context *context, u64 from,
				 struct d3dgpu_coredump_stream *stream)
{
	struct d3dgpu_fence *fence;
	bool found = false;

	spin_lock_irq(&context->ring->fence_lock);
	list_for_each_entry(fence, &context->pending, link) {
		if (fence->entry < from || !fence->stream_size)
			continue;
		*stream = (struct d3dgpu_coredump_stream){
			.context = context->id,
			.fence = fence->entry,
			.offset = fence->stream_offset,
			.size = fence->stream_size,
		};
		found = true;
		break;
	}
	spin_unlock_irq(&context->ring->fence_lock);
	return found;
}

/* Of each context the stream that it executes, as far as they go into a dump. */
static unsigned int d3dgpu_coredump_find_all(struct d3dgpu_device *gdev,
					     struct d3dgpu_coredump_stream *streams)
{
	unsigned int count = 0;
	u32 id;

	for (id = 1; id < D3DGPU_MAX_CONTEXTS && count < D3DGPU_COREDUMP_STREAMS; id++) {
		struct d3dgpu_context *context = d3dgpu_context_find(gdev, id);

		if (!context)
			continue;
		count += d3dgpu_coredump_find(context, 0, &streams[count]);
		d3dgpu_context_put(context);
	}
	return count;
}

/* What the firmware says about an entry, such as the word at which the engine stopped. */
static u32 d3dgpu_coredump_info(struct d3dgpu_device *gdev, u32 context, u64 fence)
{
	u32 tail = virt_load_acquire(&gdev->ctrl->fault_tail); /* the entries are there before it */
	u32 i;

	/* The newest first: ids and numbers were used before. */
	for (i = 1; i <= min_t(u32, tail, D3DGPU_FAULT_ENTRIES); i++) {
		struct d3dgpu_fault_entry fault =
			gdev->ctrl->faults[(tail - i) % D3DGPU_FAULT_ENTRIES];

		if (fault.context == context && fault.fence == fence)
			return fault.info;
	}
	return U32_MAX;
}

/* Of a long stream the part around the word at which the engine stopped. */
static void d3dgpu_coredump_print_stream(struct d3dgpu_device *gdev,
					 const struct d3dgpu_coredump_stream *stream,
					 struct drm_printer *p)
{
	const u32 *words = gdev->vram + stream->offset;
	u32 count = stream->size / sizeof(*words);
	u32 most = D3DGPU_COREDUMP_STREAM / sizeof(*words);
	u32 info = d3dgpu_coredump_info(gdev, stream->context, stream->fence);
	u32 first = 0;
	u32 i;

	if (count > most && info < count)
		first = rounddown(clamp_t(s64, (s64)info - most / 2, 0, count - most), 8);
	drm_printf(p, "\n[stream]\ncontext %u fence %llu: %u words, from word %u on\n",
		   stream->context, stream->fence, count, first);
	count = min(count - first, most);
	for (i = 0; i < count; i++)
		drm_printf(p, i % 8 ? " %08x" : i ? "\n%08x" : "%08x", READ_ONCE(words[first + i]));
	drm_puts(p, "\n");
}

static void d3dgpu_coredump_print(struct d3dgpu_device *gdev, struct d3dgpu_context *context,
				  const char *reason, struct drm_printer *p)
{
	struct timespec64 now;

	ktime_get_real_ts64(&now);
	drm_printf(p, "d3dgpu core dump, version 1\nkernel: %s\nmodule: " D3DGPU_DRIVER_NAME "\n",
		   init_utsname()->release);
	drm_printf(p, "time: %lld.%09ld\n", (s64)now.tv_sec, now.tv_nsec);
	drm_printf(p, "device: %s\n", dev_name(gdev->drm.dev));
	drm_printf(p, "interface: %u.%u\n", gdev->caps.version >> 16, gdev->caps.version & 0xffff);
	drm_printf(p, "firmware: %u.%u.%u\n", gdev->firmware_version >> 16,
		   gdev->firmware_version >> 8 & 0xff, gdev->firmware_version & 0xff);
	drm_printf(p, "engine: %s\n", gdev->caps.engine_name);
	drm_printf(p, "reason: %s\n", reason);
	if (context)
		drm_printf(p, "context: %u\nprogram: %s\nguilty: %llu\n", context->id,
			   context->name, READ_ONCE(context->slot->guilty));
}

static void d3dgpu_coredump_print_state(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	drm_puts(p, "\n[registers]\n");
	d3dgpu_state_print_registers(gdev, p);
	drm_puts(p, "\n[contexts]\n");
	d3dgpu_state_print_contexts(gdev, p);
	drm_puts(p, "\n[faults]\n");
	d3dgpu_state_print_faults(gdev, p);
	drm_puts(p, "\n[rings]\n");
	d3dgpu_state_print_rings(gdev, p);
	drm_puts(p, "\n[counters]\n");
	d3dgpu_state_print_counters(gdev, p);
	drm_puts(p, "\n[firmware log]\n");
	d3dgpu_state_print_log(gdev, p);
}

static void d3dgpu_coredump_make(struct d3dgpu_device *gdev, struct d3dgpu_context *context,
				 const char *reason)
{
	struct d3dgpu_coredump_stream streams[D3DGPU_COREDUMP_STREAMS];
	struct drm_print_iterator iter = { .remain = D3DGPU_COREDUMP_SIZE };
	struct drm_printer p = drm_coredump_printer(&iter);
	unsigned int count, i;

	iter.data = vmalloc(D3DGPU_COREDUMP_SIZE);
	if (!iter.data)
		return;
	if (context)
		count = d3dgpu_coredump_find(context, READ_ONCE(context->slot->guilty), streams);
	else
		count = d3dgpu_coredump_find_all(gdev, streams);

	d3dgpu_coredump_print(gdev, context, reason, &p);
	for (i = 0; i < count; i++)
		d3dgpu_coredump_print_stream(gdev, &streams[i], &p);
	d3dgpu_coredump_print_state(gdev, &p);
	dev_coredumpv(gdev->drm.dev, iter.data, D3DGPU_COREDUMP_SIZE - iter.remain, GFP_KERNEL);
	gdev->coredump.made = jiffies;
	drm_info(&gdev->drm, "core dump in /sys/class/devcoredump (%s)\n", reason);
}

/**
 * d3dgpu_coredump() - dump the state of the device
 * @gdev: the device
 * @context: the context that is lost; its fences are not signalled yet. NULL: the device is at fault
 * @reason: what has happened
 *
 * Does nothing if another dump was made a moment ago.
 */
void d3dgpu_coredump(struct d3dgpu_device *gdev, struct d3dgpu_context *context,
		     const char *reason)
{
	int idx;

	if (!READ_ONCE(d3dgpu_coredump_enabled) || !drm_dev_enter(&gdev->drm, &idx))
		return;
	if (mutex_trylock(&gdev->coredump.lock)) {
		if (!gdev->coredump.made ||
		    time_after(jiffies, gdev->coredump.made + D3DGPU_COREDUMP_PERIOD))
			d3dgpu_coredump_make(gdev, context, reason);
		mutex_unlock(&gdev->coredump.lock);
	}
	drm_dev_exit(idx);
}

/**
 * d3dgpu_coredump_init() - get ready to make dumps
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_coredump_init(struct d3dgpu_device *gdev)
{
	return drmm_mutex_init(&gdev->drm, &gdev->coredump.lock);
}
