/* SPDX-License-Identifier: MIT */
#include "entry.h"

#include <string.h>

#include "core.h"

#define OPS(opcode) (1u << (opcode))
/* What the device itself, context 0, can do. */
#define OPS_DEVICE (OPS(D3DGPU_OP_NOP) | OPS(D3DGPU_OP_FENCE) | OPS(D3DGPU_OP_COPY) | OPS(D3DGPU_OP_FILL))

#define PAYLOAD(last_member) \
	(offsetof(struct d3dgpu_entry, last_member) + sizeof(((struct d3dgpu_entry *)0)->last_member) - \
	 offsetof(struct d3dgpu_entry, payload))

/*
 * Bytes of the payload that each opcode uses; the rest must be 0. CTX_DESTROY has flags for the firmware only: it ends a worker
 * with CTX_KILL.
 */
static const uint8_t payload_used[D3DGPU_OP_COUNT] = {
	[D3DGPU_OP_CTX_CREATE] = PAYLOAD(ctx_create),
	[D3DGPU_OP_RES_CREATE] = PAYLOAD(res_create),
	[D3DGPU_OP_RES_DESTROY] = PAYLOAD(res_destroy),
	[D3DGPU_OP_BIND_BACKING] = PAYLOAD(bind_backing),
	[D3DGPU_OP_EXEC] = PAYLOAD(exec),
	[D3DGPU_OP_FLUSH] = PAYLOAD(transfer.count),
	[D3DGPU_OP_LOAD] = PAYLOAD(transfer.count),
	[D3DGPU_OP_COPY] = PAYLOAD(copy),
	[D3DGPU_OP_EVICT] = PAYLOAD(evict),
	[D3DGPU_OP_RESTORE] = PAYLOAD(restore),
	[D3DGPU_OP_CTX_SAVE] = PAYLOAD(ctx_save),
	[D3DGPU_OP_FILL] = PAYLOAD(fill.value),
};

static bool name_ends(const char *name, size_t size)
{
	return memchr(name, '\0', size);
}

/* Everything but where ranges lie. */
static bool payload_good(const struct d3dgpu_entry *entry)
{
	switch (entry->opcode) {
	case D3DGPU_OP_CTX_CREATE:
		return entry->ctx_create.priority < D3DGPU_PRIORITY_COUNT && !entry->ctx_create.reserved &&
		       name_ends(entry->ctx_create.name, sizeof(entry->ctx_create.name));
	case D3DGPU_OP_RES_CREATE:
		return entry->res_create.resource && !entry->res_create.reserved &&
		       d3dgpu_resource_valid(&entry->res_create.desc) &&
		       entry->res_create.size >= d3dgpu_linear_size(&entry->res_create.desc);
	case D3DGPU_OP_RES_DESTROY:
		return entry->res_destroy.resource;
	case D3DGPU_OP_BIND_BACKING:
		return entry->bind_backing.resource && !entry->bind_backing.reserved && entry->bind_backing.size;
	case D3DGPU_OP_EXEC:
		return !(entry->exec.size % 4) && entry->exec.size && entry->exec.size <= D3DGPU_MAX_STREAM &&
		       !(entry->exec.flags & ~D3DGPU_EXEC_SAVED);
	case D3DGPU_OP_FLUSH:
	case D3DGPU_OP_LOAD:
		return entry->transfer.resource;
	case D3DGPU_OP_EVICT:
		return entry->evict.resource && !(entry->evict.flags & ~D3DGPU_EVICT_FLUSH);
	case D3DGPU_OP_RESTORE:
		return entry->restore.resource && !(entry->restore.flags & ~D3DGPU_RESTORE_LOAD) && entry->restore.size;
	case D3DGPU_OP_CTX_SAVE:
		return entry->ctx_save.size >= D3DGPU_RESOURCE_ALIGN;
	case D3DGPU_OP_FILL:
		return !(entry->fill.size % 4);
	default:
		return true;
	}
}

static bool range_good(const struct d3dgpu_core *core, uint64_t offset, uint64_t size, uint64_t alignment)
{
	return !(offset % alignment) && core_in_vram(core, offset, size);
}

static bool ranges_good(const struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	switch (entry->opcode) {
	case D3DGPU_OP_RES_CREATE:
		return range_good(core, entry->res_create.backing, entry->res_create.size, D3DGPU_RESOURCE_ALIGN);
	case D3DGPU_OP_BIND_BACKING:
		return range_good(core, entry->bind_backing.backing, entry->bind_backing.size, D3DGPU_RESOURCE_ALIGN);
	case D3DGPU_OP_EXEC:
		return range_good(core, entry->exec.offset, entry->exec.size, 4);
	case D3DGPU_OP_COPY:
		return range_good(core, entry->copy.source, entry->copy.size, 1) &&
		       range_good(core, entry->copy.destination, entry->copy.size, 1);
	case D3DGPU_OP_RESTORE:
		return range_good(core, entry->restore.backing, entry->restore.size, D3DGPU_RESOURCE_ALIGN);
	case D3DGPU_OP_CTX_SAVE:
		return range_good(core, entry->ctx_save.offset, entry->ctx_save.size, D3DGPU_RESOURCE_ALIGN);
	case D3DGPU_OP_FILL:
		return range_good(core, entry->fill.offset, entry->fill.size, 4);
	default:
		return true;
	}
}

static bool well_formed(const struct d3dgpu_entry *entry)
{
	if (entry->opcode >= D3DGPU_OP_COUNT || (entry->flags & ~D3DGPU_ENTRY_FLAGS) || entry->reserved ||
	    entry->context >= D3DGPU_MAX_CONTEXTS)
		return false;
	if (!entry->context && !(OPS(entry->opcode) & OPS_DEVICE))
		return false;
	for (size_t i = payload_used[entry->opcode]; i < sizeof(entry->payload); i++)
		if (entry->payload[i])
			return false;
	return payload_good(entry);
}

bool core_entry_check(struct d3dgpu_core *core, const struct d3dgpu_entry *entry)
{
	if (!well_formed(entry)) {
		core_guest_error(core, D3DGPU_GUEST_ERROR_ENTRY, "context %u: malformed entry, opcode %u", entry->context,
				 entry->opcode);
		return false;
	}
	if (ranges_good(core, entry))
		return true;
	core_guest_error(core, D3DGPU_GUEST_ERROR_RANGE, "context %u: range misaligned or outside VRAM, opcode %u",
			 entry->context, entry->opcode);
	return false;
}
