/* SPDX-License-Identifier: MIT */
/*
 * The firmware of the GPU's core. It is one loop: take what the interrupts announce, fetch ring entries, take what the
 * engines have finished, give them more, tell the kernel, sleep. Nothing is handled in interrupt context, so nothing is locked.
 */
#include "firmware.h"

#include "context.h"
#include "fence.h"
#include "log.h"
#include "sched.h"

static uint32_t heads[D3DGPU_MAX_RINGS];	/* entries fetched; published in the control block */

void firmware_init(void)
{
	struct d3dgpu_ctrl *ctrl = port_ctrl();

	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++) {
		heads[ring] = shared_load(&ctrl->rings[ring].tail);
		shared_store(&ctrl->rings[ring].head, heads[ring]);
	}
	device_time_read();
	counters_init();
	sched_init();
	port_write(D3DGPU_GCP_INT_ENABLE, D3DGPU_GCP_INT_DOORBELL | D3DGPU_GCP_INT_EVENT | D3DGPU_GCP_INT_ALARM);
	log_line("firmware %u.%u.%u ready", FIRMWARE_VERSION >> 16, FIRMWARE_VERSION >> 8 & 0xff, FIRMWARE_VERSION & 0xff);
	port_write(D3DGPU_GCP_SET_READY, FIRMWARE_VERSION);
}

/* Copies an entry out of the ring: the kernel may be broken, so it is read once and believed only after checks. */
static void read_entry(const struct d3dgpu_entry *shared, struct d3dgpu_entry *entry)
{
	const volatile uint32_t *from = (const volatile uint32_t *)shared;
	uint32_t *to = (uint32_t *)entry;

	for (unsigned i = 0; i < sizeof(*entry) / 4; i++)
		to[i] = from[i];
}

enum progress {
	RING_IDLE,			/* nothing new */
	RING_DRAINED,			/* took all there was */
	RING_STOPPED,			/* took what there was room for */
	RING_BLOCKED,			/* no room for anything */
};

static enum progress serve_ring(uint8_t ring)
{
	struct d3dgpu_ctrl *ctrl = port_ctrl();
	uint32_t tail = shared_load(&ctrl->rings[ring].tail);
	uint32_t waiting = tail - heads[ring], taken = 0;

	if (waiting > D3DGPU_RING_ENTRIES) { /* no kernel that keeps the rules gets here: drop what cannot be told apart */
		fence_fault(0, D3DGPU_FAULT_BAD_ENTRY, 0, tail, 0);
		heads[ring] = tail;
		shared_store(&ctrl->rings[ring].head, tail);
		return RING_DRAINED;
	}
	if (!waiting)
		return RING_IDLE;
	for (struct d3dgpu_entry *entry; taken < waiting && (entry = pool_room(ring)); taken++, heads[ring]++) {
		read_entry(&ctrl->entries[ring][heads[ring] % D3DGPU_RING_ENTRIES], entry);
		if (!sched_submit(entry, ring))
			break;
	}
	if (!taken)
		return RING_BLOCKED;
	shared_store(&ctrl->rings[ring].head, heads[ring]);
	counters.entries += taken;
	return taken < waiting ? RING_STOPPED : RING_DRAINED;
}

/* Fetches and dispatches until no ring gets on: a queue that was full may have drained into an engine, or completed at once. */
static void serve_rings(void)
{
	bool again = false;

	do {
		if (again)
			device_time_read();
		again = false;
		for (unsigned i = 0; i < D3DGPU_MAX_RINGS; i++)
			again |= serve_ring((D3DGPU_PAGING_RING + i) % D3DGPU_MAX_RINGS) == RING_STOPPED;
		sched_dispatch();
	} while (again);
}

static void serve_events(void)
{
	struct d3dgpu_engine_event event;

	for (uint32_t waiting = port_read(D3DGPU_GCP_EVENT_COUNT); waiting; waiting--) {
		port_pop_event(&event);
		sched_event(&event);
	}
}

void firmware_step(void)
{
	uint32_t pending = port_read(D3DGPU_GCP_INT_PENDING);

	device_time_read();
	port_write(D3DGPU_GCP_INT_ACK, pending); /* before looking: what comes later sets it again */
	if (pending & D3DGPU_GCP_INT_DOORBELL) {
		port_read(D3DGPU_GCP_DOORBELLS);
		counters.doorbells++;
	}
	serve_events();
	if (pending & D3DGPU_GCP_INT_ALARM)
		sched_watch();
	sched_dispatch();
	serve_rings();
	interrupts_raise();
	sched_arm();
	counters.idle_loops++;
	counters_publish();
}

_Noreturn void firmware_main(void)
{
	firmware_init();
	for (;;) {
		firmware_step();
		port_sleep();
	}
}

_Noreturn void firmware_trap(uint32_t cause, uint32_t pc, uint32_t value)
{
	log_line("trap: cause %u at %x, value %x", (unsigned)cause, (unsigned)pc, (unsigned)value);
	for (;;)
		port_write(D3DGPU_GCP_PANIC_CODE, FIRMWARE_PANIC_TRAP + cause);
}
