/* SPDX-License-Identifier: MIT */
#include "fence.h"

#include "log.h"

struct d3dgpu_counters counters;
static struct d3dgpu_counters published;	/* what the control block shows */
static uint32_t pending_interrupts;	/* bit = enum d3dgpu_vector */
static uint64_t time;

uint64_t device_time(void)
{
	return time;
}

void device_time_read(void)
{
	uint32_t low = port_read(D3DGPU_GCP_TIME_LO);

	time = (uint64_t)port_read(D3DGPU_GCP_TIME_HI) << 32 | low;
}

void counters_init(void)
{
	counters = published = (struct d3dgpu_counters){ 0 };
	for (unsigned i = 0; i < sizeof(counters) / sizeof(uint64_t); i++)
		shared_store_rising((uint64_t *)&port_ctrl()->counters + i, 0);
}

void counters_publish(void)
{
	struct d3dgpu_ctrl *ctrl = port_ctrl();
	const uint64_t *now = (const uint64_t *)&counters;
	uint64_t *last = (uint64_t *)&published, *shared = (uint64_t *)&ctrl->counters;

	for (unsigned i = 0; i < sizeof(counters) / sizeof(*now); i++) {
		if ((uint32_t)now[i] == (uint32_t)last[i]) /* they do not rise by 2^32 in one turn */
			continue;
		last[i] = now[i];
		shared_store_rising(&shared[i], now[i]);
	}
}

void fence_reset(uint32_t id)
{
	struct d3dgpu_fence_slot *slot = &port_ctrl()->fences[id];

	context_get(id)->done = 0;
	shared_store_rising(&slot->value, 0);
	shared_store(&slot->status, D3DGPU_FAULT_NONE);
	shared_store_rising(&slot->guilty, 0);
}

void fence_complete(uint32_t id, uint64_t fence, uint8_t flags, uint8_t ring)
{
	struct d3dgpu_fence_slot *slot = &port_ctrl()->fences[id];
	struct context *context = context_get(id);

	if (flags & D3DGPU_ENTRY_FENCE && fence > context->done) {
		context->done = fence;
		shared_store_rising(&slot->timestamp, device_time());
		shared_store_rising(&slot->value, fence);
	}
	if (flags & D3DGPU_ENTRY_IRQ)
		pending_interrupts |= 1u << (D3DGPU_VECTOR_RING0 + ring);
}

static void queue_fault(const struct d3dgpu_fault_entry *fault)
{
	struct d3dgpu_ctrl *ctrl = port_ctrl();
	uint32_t tail = ctrl->fault_tail;

	if (tail - shared_load(&ctrl->fault_head) >= D3DGPU_FAULT_ENTRIES) {
		shared_store(&ctrl->faults_dropped, ctrl->faults_dropped + 1);
		return;
	}
	ctrl->faults[tail % D3DGPU_FAULT_ENTRIES] = *fault;
	shared_store(&ctrl->fault_tail, tail + 1);
}

void fence_lost(uint32_t id, uint32_t code, uint64_t fence)
{
	struct d3dgpu_fence_slot *slot = &port_ctrl()->fences[id];

	shared_store_rising(&slot->guilty, fence);
	shared_store(&slot->status, code);
}

void fence_fault(uint32_t id, uint32_t code, uint64_t fence, uint32_t info, uint8_t opcode)
{
	if (id) /* the device itself is never lost */
		fence_lost(id, code, fence);
	queue_fault(&(struct d3dgpu_fault_entry){
		.code = code, .context = id, .fence = fence, .timestamp = device_time(), .info = info, .opcode = opcode });
	counters.faults++;
	pending_interrupts |= 1u << D3DGPU_VECTOR_FAULT;
	log_line("context %u: fault %u at fence %u, opcode %u, info %x", id, code, (unsigned)fence, opcode, info);
}

void interrupts_raise(void)
{
	for (uint32_t vector = 0; pending_interrupts; vector++, pending_interrupts >>= 1) {
		if (!(pending_interrupts & 1))
			continue;
		port_write(D3DGPU_GCP_RAISE, vector);
		counters.interrupts++;
	}
}
