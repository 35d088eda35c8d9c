/* SPDX-License-Identifier: MIT */
#include "port.h"

static volatile uint32_t *peripheral(uint32_t offset)
{
	return (volatile uint32_t *)(D3DGPU_GCP_PERIPHERALS + offset);
}

uint32_t port_read(uint32_t offset)
{
	return *peripheral(offset);
}

void port_write(uint32_t offset, uint32_t value)
{
	*peripheral(offset) = value;
}

struct d3dgpu_ctrl *port_ctrl(void)
{
	return (struct d3dgpu_ctrl *)D3DGPU_GCP_CTRL;
}

uint32_t port_dispatch(const struct d3dgpu_entry *entry)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	port_write(D3DGPU_GCP_DISPATCH, (uint32_t)entry);
	return port_read(D3DGPU_GCP_DISPATCH_STATUS);
}

void port_pop_event(struct d3dgpu_engine_event *event)
{
	port_write(D3DGPU_GCP_EVENT_POP, (uint32_t)event);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void port_sleep(void)
{
	__asm__ volatile("wfi" ::: "memory");
}
