/* SPDX-License-Identifier: MIT */
#include "mock.h"

#include <string.h>

#include "firmware.h"
#include "tap.h"

struct mock mock;
static unsigned answered[D3DGPU_MAX_CONTEXTS];	/* per context: dispatches that got their DONE */

uint32_t port_read(uint32_t offset)
{
	switch (offset) {
	case D3DGPU_GCP_INT_PENDING:
		return mock.pending;
	case D3DGPU_GCP_TIME_LO:
		return (uint32_t)mock.time;
	case D3DGPU_GCP_TIME_HI:
		return (uint32_t)(mock.time >> 32);
	case D3DGPU_GCP_EVENT_COUNT:
		return mock.event_count;
	case D3DGPU_GCP_HANG_TIMEOUT:
		return mock.hang_timeout;
	case D3DGPU_GCP_ENGINES:
		return mock.engines;
	case D3DGPU_GCP_TURN_BUDGET:
		return mock.turn_budget;
	default:
		return 0;
	}
}

void port_write(uint32_t offset, uint32_t value)
{
	switch (offset) {
	case D3DGPU_GCP_INT_ACK:
		mock.pending &= ~value;
		break;
	case D3DGPU_GCP_ALARM_LO:
		mock.alarm = value;
		break;
	case D3DGPU_GCP_ALARM_HI:
		mock.alarm |= (uint64_t)value << 32;
		break;
	case D3DGPU_GCP_RAISE:
		if (value < D3DGPU_VECTOR_COUNT)
			mock.raised[value]++;
		else
			tap_ok(false, "the firmware raises only vectors that exist");
		break;
	case D3DGPU_GCP_SET_READY:
		mock.ready = value;
		break;
	case D3DGPU_GCP_PANIC_CODE:
		mock.panic = value;
		break;
	}
}

struct d3dgpu_ctrl *port_ctrl(void)
{
	return &mock.ctrl;
}

uint32_t port_dispatch(const struct d3dgpu_entry *entry)
{
	if (mock.refuse)
		return mock.refuse;
	if (mock.dispatch_count == MOCK_DISPATCHES)
		tap_bail("the mock's dispatch log is full");
	mock.dispatched[mock.dispatch_count++] = *entry;
	return 0;
}

void port_pop_event(struct d3dgpu_engine_event *event)
{
	*event = mock.events[0];
	mock.event_count--;
	memmove(mock.events, mock.events + 1, mock.event_count * sizeof(mock.events[0]));
}

void port_sleep(void)
{
}

void mock_start(void)
{
	mock_start_with(16);
}

void mock_start_with(unsigned engines)
{
	memset(&mock, 0, sizeof(mock));
	memset(answered, 0, sizeof(answered));
	mock.hang_timeout = 2000;
	mock.engines = engines;
	mock.turn_budget = 2000;
	firmware_init();
}

void mock_ring(unsigned ring, const struct d3dgpu_entry *entry)
{
	struct d3dgpu_ring_state *state = &mock.ctrl.rings[ring];

	mock.ctrl.entries[ring][state->tail % D3DGPU_RING_ENTRIES] = *entry;
	state->tail++;
	mock.pending |= D3DGPU_GCP_INT_DOORBELL;
}

void mock_event(uint32_t type, uint32_t context, uint64_t fence, uint32_t status)
{
	mock.events[mock.event_count++] =
		(struct d3dgpu_engine_event){ .type = type, .context = context, .fence = fence, .status = status };
	mock.pending |= D3DGPU_GCP_INT_EVENT;
}

void mock_complete(uint32_t context, unsigned n)
{
	unsigned seen = 0;

	for (unsigned i = 0; i < mock.dispatch_count && n; i++) {
		const struct d3dgpu_entry *entry = &mock.dispatched[i];

		if (entry->context != context || entry->opcode == D3DGPU_OP_CTX_KILL || seen++ < answered[context])
			continue;
		mock_event(D3DGPU_EVENT_DONE, context, entry->fence, D3DGPU_FAULT_NONE);
		answered[context]++;
		n--;
	}
	tap_ok(!n, "the engine had as many entries as it is to complete");
}

void mock_step(void)
{
	firmware_step();
}
