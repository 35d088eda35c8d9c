/* SPDX-License-Identifier: MIT */
/* Rings: entry, tail, one doorbell per batch. All entries of a context go through the ring of its priority. */
#include <errno.h>

#include "loopback.h"

/* Entries that the firmware may hold of one context, as the kernel driver has it; every MARKth signals. */
#define CONTEXT_DEPTH 384u
#define CONTEXT_MARK 128u

static uint32_t ring_space(const struct loopback_device *device, uint32_t ring)
{
	uint32_t used = device->tails[ring] - __atomic_load_n(&device->ctrl->rings[ring].head, __ATOMIC_ACQUIRE);

	return used > D3DGPU_RING_ENTRIES ? 0 : D3DGPU_RING_ENTRIES - used;
}

void ring_kick(struct loopback_device *device)
{
	for (uint32_t ring = 0; ring < D3DGPU_MAX_RINGS; ring++) {
		if (device->rung[ring] == device->tails[ring])
			continue;
		device->rung[ring] = device->tails[ring];
		d3dgpu_core_write(device->core, D3DGPU_REG_DOORBELL(ring), 1, 4);
	}
}

static bool context_full(const struct loopback_context *context)
{
	return context->next_entry - context_value(context) > CONTEXT_DEPTH;
}

/* Waits until the ring and the firmware's queue have room. */
static int ring_wait(struct loopback_context *context)
{
	struct loopback_device *device = context->device;

	for (;;) {
		uint32_t seen = device_interrupts(device);

		if (device_dead(device))
			return -ENODEV;
		if (context->state != CONTEXT_LIVE && context->state != CONTEXT_ENDING)
			return -EIO;
		if (!context_full(context) && ring_space(device, context->ring))
			return 0;
		if (context_fault(context) && !ring_space(device, context->ring))
			return -EIO;
		ring_kick(device);
		device_sleep_unlocked(device, seen);
	}
}

int ring_write(struct loopback_context *context, struct d3dgpu_entry *entry, bool signal, uint64_t *number)
{
	struct loopback_device *device = context->device;
	uint32_t ring = context->ring;
	int error = ring_wait(context);

	if (error)
		return error;
	entry->context = (uint16_t)context->base.id;
	entry->fence = context->next_entry++;
	if (signal || entry->fence % CONTEXT_MARK == 0)
		entry->flags = D3DGPU_ENTRY_FENCE | D3DGPU_ENTRY_IRQ;
	device->ctrl->entries[ring][device->tails[ring] % D3DGPU_RING_ENTRIES] = *entry;
	device->tails[ring]++;
	__atomic_store_n(&device->ctrl->rings[ring].tail, device->tails[ring], __ATOMIC_RELEASE);
	if (number)
		*number = entry->fence;
	return 0;
}
