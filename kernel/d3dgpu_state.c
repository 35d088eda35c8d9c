// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_print.h>

#include "d3dgpu_context.h"
#include "d3dgpu_state.h"

/**
 * DOC: State
 *
 * What the driver, the firmware and the device know, as text: for debugfs, and for the dumps that
 * are made when something has gone wrong (d3dgpu_coredump.c). Whoever prints has entered the
 * device. Nothing is locked: the picture is that of somebody who looks on.
 */

/* Entries of each ring that are printed: the last ones that were written. */
#define D3DGPU_STATE_ENTRIES 16
/* Faults that are printed, whether or not they were reported already. */
#define D3DGPU_STATE_FAULTS 16

/**
 * d3dgpu_fault_text() - a fault in words
 * @fault: enum d3dgpu_fault
 *
 * Return: the words.
 */
const char *d3dgpu_fault_text(u32 fault)
{
	switch (fault) {
	case D3DGPU_FAULT_NONE:
		return "none";
	case D3DGPU_FAULT_BAD_ENTRY:
		return "malformed ring entry";
	case D3DGPU_FAULT_NO_CONTEXT:
		return "no such context";
	case D3DGPU_FAULT_NO_WORKER:
		return "the host could not start a worker";
	case D3DGPU_FAULT_NO_MEMORY:
		return "the host is out of memory";
	case D3DGPU_FAULT_BAD_STREAM:
		return "bad command stream";
	case D3DGPU_FAULT_WORKER_DIED:
		return "worker died";
	case D3DGPU_FAULT_HANG:
		return "hang";
	case D3DGPU_FAULT_BAD_RESOURCE:
		return "resource refused";
	case D3DGPU_FAULT_RESET:
		return "device reset";
	case D3DGPU_FAULT_ENDED:
		return "ended";
	default:
		return "unknown fault";
	}
}

static const char *d3dgpu_opcode_text(u32 opcode)
{
	static const char * const names[D3DGPU_OP_COUNT] = {
		[D3DGPU_OP_NOP] = "NOP",
		[D3DGPU_OP_CTX_CREATE] = "CTX_CREATE",
		[D3DGPU_OP_CTX_DESTROY] = "CTX_DESTROY",
		[D3DGPU_OP_RES_CREATE] = "RES_CREATE",
		[D3DGPU_OP_RES_DESTROY] = "RES_DESTROY",
		[D3DGPU_OP_BIND_BACKING] = "BIND_BACKING",
		[D3DGPU_OP_EXEC] = "EXEC",
		[D3DGPU_OP_FLUSH] = "FLUSH",
		[D3DGPU_OP_LOAD] = "LOAD",
		[D3DGPU_OP_COPY] = "COPY",
		[D3DGPU_OP_FENCE] = "FENCE",
		[D3DGPU_OP_EVICT] = "EVICT",
		[D3DGPU_OP_RESTORE] = "RESTORE",
		[D3DGPU_OP_CTX_SAVE] = "CTX_SAVE",
		[D3DGPU_OP_FILL] = "FILL",
		[D3DGPU_OP_CTX_KILL] = "CTX_KILL",
	};

	return opcode < ARRAY_SIZE(names) && names[opcode] ? names[opcode] : "?";
}

/**
 * d3dgpu_state_print_registers() - the registers that can be read without an effect
 * @gdev: the device
 * @p: where to
 */
void d3dgpu_state_print_registers(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	static const struct {
		const char *name;
		u32 offset;
	} registers[] = {
		{ "ID", D3DGPU_REG_ID },
		{ "VERSION", D3DGPU_REG_VERSION },
		{ "STATUS", D3DGPU_REG_STATUS },
		{ "INTR_STATUS", D3DGPU_REG_INTR_STATUS },
		{ "INTR_ENABLE", D3DGPU_REG_INTR_ENABLE },
		{ "CTRL_BASE_LO", D3DGPU_REG_CTRL_BASE_LO },
		{ "CTRL_BASE_HI", D3DGPU_REG_CTRL_BASE_HI },
		{ "VRAM_SIZE_LO", D3DGPU_REG_VRAM_SIZE_LO },
		{ "VRAM_SIZE_HI", D3DGPU_REG_VRAM_SIZE_HI },
		{ "GUEST_ERRORS", D3DGPU_REG_GUEST_ERRORS },
		{ "LAST_ERROR", D3DGPU_REG_LAST_ERROR },
		{ "HANG_TIMEOUT", D3DGPU_REG_HANG_TIMEOUT },
		{ "HEADS", D3DGPU_REG_HEADS },
		{ "DSU_RUNS", D3DGPU_REG_DSU_RUNS },
		{ "GCP_STATE", D3DGPU_REG_GCP_STATE },
		{ "GCP_FW_ADDR_LO", D3DGPU_REG_GCP_FW_ADDR_LO },
		{ "GCP_FW_ADDR_HI", D3DGPU_REG_GCP_FW_ADDR_HI },
		{ "GCP_FW_SIZE", D3DGPU_REG_GCP_FW_SIZE },
		{ "GCP_FW_VERSION", D3DGPU_REG_GCP_FW_VERSION },
		{ "GCP_PANIC", D3DGPU_REG_GCP_PANIC },
		{ "GCP_PC", D3DGPU_REG_GCP_PC },
		{ "GCP_INSTRET_LO", D3DGPU_REG_GCP_INSTRET_LO },
		{ "GCP_INSTRET_HI", D3DGPU_REG_GCP_INSTRET_HI },
	};
	static const struct {
		const char *name;
		u32 offset;
	} head_registers[] = {
		{ "ENABLE", D3DGPU_HEAD_ENABLE },
		{ "WIDTH", D3DGPU_HEAD_WIDTH },
		{ "HEIGHT", D3DGPU_HEAD_HEIGHT },
		{ "PITCH", D3DGPU_HEAD_PITCH },
		{ "FORMAT", D3DGPU_HEAD_FORMAT },
		{ "OFFSET_LO", D3DGPU_HEAD_OFFSET_LO },
		{ "OFFSET_HI", D3DGPU_HEAD_OFFSET_HI },
		{ "STATUS", D3DGPU_HEAD_STATUS },
		{ "VBLANK_COUNT", D3DGPU_HEAD_VBLANK_COUNT },
		{ "REFRESH", D3DGPU_HEAD_REFRESH },
	};
	unsigned int i, head;

	for (i = 0; i < ARRAY_SIZE(registers); i++)
		drm_printf(p, "%s %#x\n", registers[i].name,
			   d3dgpu_read(gdev, registers[i].offset));
	for (head = 0; head < gdev->head_count; head++)
		for (i = 0; i < ARRAY_SIZE(head_registers); i++)
			drm_printf(p, "HEAD%u_%s %#x\n", head, head_registers[i].name,
				   d3dgpu_read(gdev, D3DGPU_REG_HEAD(head) +
						     head_registers[i].offset));
}

static void d3dgpu_state_print_entry(const struct d3dgpu_entry *entry, u32 index, u32 head,
				     struct drm_printer *p)
{
	const u32 *words = (const u32 *)entry->payload;

	BUILD_BUG_ON(sizeof(entry->payload) != 12 * sizeof(*words));
	drm_printf(p,
		   "  %c%u %s context %u fence %llu flags %#x %08x %08x %08x %08x %08x %08x %08x %08x %08x %08x %08x %08x\n",
		   (s32)(index - head) < 0 ? ' ' : '*', index, d3dgpu_opcode_text(entry->opcode),
		   entry->context, entry->fence, entry->flags, words[0], words[1], words[2],
		   words[3], words[4], words[5], words[6], words[7], words[8], words[9], words[10],
		   words[11]);
}

/**
 * d3dgpu_state_print_rings() - rings, and what was written to them last
 * @gdev: the device
 * @p: where to
 *
 * Entries with a star were not fetched yet.
 */
void d3dgpu_state_print_rings(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	unsigned int i;
	u32 n;

	for (i = 0; i < D3DGPU_MAX_RINGS; i++) {
		u32 head = READ_ONCE(gdev->ctrl->rings[i].head);
		u32 tail = READ_ONCE(gdev->rings[i].tail);

		drm_printf(p, "ring %u: tail %u rung %u head %u of %u\n", i, tail,
			   READ_ONCE(gdev->rings[i].rung), head, D3DGPU_RING_ENTRIES);
		for (n = tail - min_t(u32, tail, D3DGPU_STATE_ENTRIES); n != tail; n++) {
			struct d3dgpu_entry entry =
				gdev->ctrl->entries[i][n % D3DGPU_RING_ENTRIES];

			d3dgpu_state_print_entry(&entry, n, head, p);
		}
	}
}

/**
 * d3dgpu_state_print_contexts() - all contexts
 * @gdev: the device
 * @p: where to
 */
void d3dgpu_state_print_contexts(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	static const char * const states[] = {
		[D3DGPU_CONTEXT_NEW] = "new",
		[D3DGPU_CONTEXT_LIVE] = "live",
		[D3DGPU_CONTEXT_ENDED] = "ended",
		[D3DGPU_CONTEXT_GONE] = "gone",
	};
	const struct d3dgpu_context_usage *usage = gdev->ctrl->usage;
	u32 id;

	for (id = 1; id < D3DGPU_MAX_CONTEXTS; id++) {
		struct d3dgpu_context *context = d3dgpu_context_find(gdev, id);

		if (!context)
			continue;
		drm_printf(p, "%u %s ring %u state %s lost %u submitted %llu completed %llu jobs %d ",
			   id, context->name, context->ring->index,
			   states[READ_ONCE(context->state)], READ_ONCE(context->lost),
			   READ_ONCE(context->submitted), READ_ONCE(context->completed),
			   atomic_read(&context->jobs));
		drm_printf(p, "entries %llu done %llu status %u guilty %llu ",
			   READ_ONCE(context->next_fence) - 1, READ_ONCE(context->slot->value),
			   READ_ONCE(context->slot->status), READ_ONCE(context->slot->guilty));
		drm_printf(p, "engine_ns %llu waited_ns %llu turns %llu\n",
			   READ_ONCE(usage[id].engine_time), READ_ONCE(usage[id].waited),
			   READ_ONCE(usage[id].turns));
		d3dgpu_context_put(context);
	}
}

/**
 * d3dgpu_state_print_faults() - the last faults that the firmware reported
 * @gdev: the device
 * @p: where to
 */
void d3dgpu_state_print_faults(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	u32 tail = virt_load_acquire(&gdev->ctrl->fault_tail); /* the entries are there before it */
	u32 n = tail - min_t(u32, tail, D3DGPU_STATE_FAULTS);

	for (; n != tail; n++) {
		struct d3dgpu_fault_entry fault = gdev->ctrl->faults[n % D3DGPU_FAULT_ENTRIES];

		drm_printf(p, "%llu.%09llu: context %u fence %llu %s: %s, info %#x\n",
			   fault.timestamp / NSEC_PER_SEC, fault.timestamp % NSEC_PER_SEC,
			   fault.context, fault.fence, d3dgpu_opcode_text(fault.opcode),
			   d3dgpu_fault_text(fault.code), fault.info);
	}
}

/**
 * d3dgpu_state_print_counters() - what the firmware and the driver count
 * @gdev: the device
 * @p: where to
 */
void d3dgpu_state_print_counters(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	const struct d3dgpu_counters *counters = &gdev->ctrl->counters;

	drm_printf(p, "entries %llu\n", READ_ONCE(counters->entries));
	drm_printf(p, "dispatches %llu\n", READ_ONCE(counters->dispatches));
	drm_printf(p, "completions %llu\n", READ_ONCE(counters->completions));
	drm_printf(p, "interrupts %llu\n", READ_ONCE(counters->interrupts));
	drm_printf(p, "doorbells %llu\n", READ_ONCE(counters->doorbells));
	drm_printf(p, "faults %llu\n", READ_ONCE(counters->faults));
	drm_printf(p, "faults_dropped %u\n", READ_ONCE(gdev->ctrl->faults_dropped));
	drm_printf(p, "idle_loops %llu\n", READ_ONCE(counters->idle_loops));
	drm_printf(p, "stream_bytes %llu\n", READ_ONCE(counters->stream_bytes));
	drm_printf(p, "turns %llu\n", READ_ONCE(counters->turns));
	drm_printf(p, "waits %llu\n", READ_ONCE(counters->waits));
	drm_printf(p, "overruns %llu\n", READ_ONCE(counters->overruns));
	drm_printf(p, "resets %u\n", READ_ONCE(gdev->resets));
}

/**
 * d3dgpu_state_print_log() - the firmware's log, oldest line first
 * @gdev: the device
 * @p: where to
 */
void d3dgpu_state_print_log(struct d3dgpu_device *gdev, struct drm_printer *p)
{
	u32 tail = virt_load_acquire(&gdev->ctrl->log_tail); /* the text is there before it */
	u32 at = tail - min_t(u32, tail, D3DGPU_LOG_SIZE);
	char line[128];
	u32 length = 0;

	for (; at != tail; at++) {
		char c = READ_ONCE(gdev->ctrl->log[at % D3DGPU_LOG_SIZE]);

		line[length++] = c;
		if (c != '\n' && length < sizeof(line) && at + 1 != tail)
			continue;
		drm_printf(p, "%.*s", (int)length, line);
		length = 0;
	}
}
