/* SPDX-License-Identifier: MIT */
#include "gcp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "sha256.h"

/* Instructions between two looks at who else wants the lock: some tens of microseconds. */
#define SLICE 4096u

static bool bus_load(void *opaque, uint32_t address, unsigned size, uint32_t *value);
static bool bus_store(void *opaque, uint32_t address, unsigned size, uint32_t value);

int core_gcp_init(struct d3dgpu_core *core)
{
	struct gcp_cpu *cpu = &core->gcp.cpu;

	cpu->sram = calloc(1, D3DGPU_GCP_SRAM_SIZE);
	if (!cpu->sram)
		return -ENOMEM;
	cpu->sram_base = D3DGPU_GCP_SRAM;
	cpu->sram_size = D3DGPU_GCP_SRAM_SIZE;
	cpu->ctrl_base = D3DGPU_GCP_CTRL;
	cpu->ctrl_size = D3DGPU_CTRL_SIZE;
	cpu->bus = (struct gcp_bus){core, bus_load, bus_store};
	core_gcp_reset(core);
	return 0;
}

void core_gcp_destroy(struct d3dgpu_core *core)
{
	free(core->gcp.cpu.sram);
	core->gcp.cpu.sram = NULL;
}

/* The peripherals as the firmware finds them at its start. */
static void reset_peripherals(struct core_gcp *gcp)
{
	gcp->int_pending = gcp->int_enable = gcp->doorbells = 0;
	gcp->time_hi = gcp->alarm_lo = gcp->dispatch_status = 0;
	gcp->alarm = gcp->alarm_shown = UINT64_MAX;
	gcp->asleep = false;
}

void core_gcp_reset(struct d3dgpu_core *core)
{
	struct core_gcp *gcp = &core->gcp;

	gcp->state = D3DGPU_GCP_STOPPED;
	gcp->fw_addr_lo = gcp->fw_addr_hi = gcp->fw_size = gcp->fw_version = 0;
	reset_peripherals(gcp);
	gcp_cpu_reset(&gcp->cpu, 0);
	memset(gcp->cpu.sram, 0, D3DGPU_GCP_SRAM_SIZE);
	core_gcp_set_ctrl(core);
}

bool core_gcp_running(const struct d3dgpu_core *core)
{
	return core->gcp.state == D3DGPU_GCP_BOOTING || core->gcp.state == D3DGPU_GCP_READY;
}

void core_gcp_set_ctrl(struct d3dgpu_core *core)
{
	core->gcp.cpu.ctrl = (uint8_t *)core_ctrl(core);
}

/* ---- boot ---- */

/* The state that the image leads to: BOOTING, or why it is refused. *header gets a copy. */
static uint32_t check_header(struct d3dgpu_core *core, uint64_t address, struct d3dgpu_fw_header *header)
{
	const struct core_gcp *gcp = &core->gcp;

	if (gcp->fw_size < sizeof(*header) || gcp->fw_size > sizeof(*header) + D3DGPU_GCP_SRAM_SIZE ||
	    !core_in_vram(core, address, gcp->fw_size))
		return D3DGPU_GCP_BAD_ADDRESS;
	core_copy_in(header, core->vram + address, sizeof(*header));
	if (header->magic != D3DGPU_FW_MAGIC)
		return D3DGPU_GCP_BAD_HEADER;
	if (header->interface_version >> 16 != D3DGPU_VERSION_MAJOR ||
	    (header->interface_version & 0xffff) > D3DGPU_VERSION_MINOR)
		return D3DGPU_GCP_BAD_VERSION;
	if (header->header_size != sizeof(*header) || header->reserved || !header->size || header->size % 4 ||
	    header->size > gcp->fw_size - sizeof(*header) || header->bss_size > D3DGPU_GCP_SRAM_SIZE - header->size)
		return D3DGPU_GCP_BAD_HEADER;
	if (header->entry % 2 || header->entry - D3DGPU_GCP_SRAM >= header->size)
		return D3DGPU_GCP_BAD_HEADER;
	return D3DGPU_GCP_BOOTING;
}

/* What is checked is the copy that will run. */
static uint32_t load_image(struct d3dgpu_core *core, uint64_t address, const struct d3dgpu_fw_header *header)
{
	uint8_t *sram = core->gcp.cpu.sram;
	uint8_t digest[32];

	core_copy_in(sram, core->vram + address + sizeof(*header), header->size);
	core_sha256(sram, header->size, digest);
	if (!memcmp(digest, header->sha256, sizeof(digest)))
		return D3DGPU_GCP_BOOTING;
	memset(sram, 0, header->size);
	return D3DGPU_GCP_BAD_DIGEST;
}

static void boot(struct d3dgpu_core *core)
{
	static const char *const reasons[] = {
		[D3DGPU_GCP_BAD_ADDRESS] = "address or size",
		[D3DGPU_GCP_BAD_HEADER] = "header",
		[D3DGPU_GCP_BAD_VERSION] = "interface version",
		[D3DGPU_GCP_BAD_DIGEST] = "digest",
	};
	struct core_gcp *gcp = &core->gcp;
	uint64_t address = (uint64_t)gcp->fw_addr_hi << 32 | gcp->fw_addr_lo;
	struct d3dgpu_fw_header header;

	core_engine_reset(core);
	reset_peripherals(gcp);
	gcp->fw_version = 0;
	memset(gcp->cpu.sram, 0, D3DGPU_GCP_SRAM_SIZE);
	gcp->state = check_header(core, address, &header);
	if (gcp->state == D3DGPU_GCP_BOOTING)
		gcp->state = load_image(core, address, &header);
	if (gcp->state != D3DGPU_GCP_BOOTING) {
		gcp_cpu_reset(&gcp->cpu, 0);
		core_guest_error(core, D3DGPU_GUEST_ERROR_FIRMWARE, "firmware refused: bad %s", reasons[gcp->state]);
		return;
	}
	gcp_cpu_reset(&gcp->cpu, header.entry);
	gcp->fw_version = header.fw_version;
	core_thread_kick(core);
}

void core_gcp_command(struct d3dgpu_core *core, uint32_t command)
{
	switch (command) {
	case D3DGPU_GCP_BOOT:
		boot(core);
		break;
	case D3DGPU_GCP_HALT:
		core->gcp.state = D3DGPU_GCP_STOPPED;
		core_engine_reset(core);
		break;
	default:
		core_guest_error(core, D3DGPU_GUEST_ERROR_FIRMWARE, "GCP_CONTROL: no command %u", command);
	}
}

/* ---- interrupts ---- */

static void update_line(struct core_gcp *gcp)
{
	bool pending = gcp->int_pending & gcp->int_enable;

	gcp_cpu_set_interrupt(&gcp->cpu, pending);
	if (pending)
		gcp->asleep = false;
}

void core_gcp_interrupt(struct d3dgpu_core *core, uint32_t bits)
{
	core->gcp.int_pending |= bits;
	update_line(&core->gcp);
}

void core_gcp_doorbell(struct d3dgpu_core *core, uint32_t rings)
{
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		if (rings & 1u << ring)
			core_trace(core, D3DGPU_TRACE_DOORBELL, 0, 0, ring, 0);
	if (!core_gcp_running(core)) {
		core_guest_error(core, D3DGPU_GUEST_ERROR_RING, "doorbell while the firmware core is not running");
		return;
	}
	core->gcp.doorbells |= rings;
	core_gcp_interrupt(core, D3DGPU_GCP_INT_DOORBELL);
}

uint64_t core_gcp_next(const struct d3dgpu_core *core)
{
	return core_gcp_running(core) ? core->gcp.alarm : UINT64_MAX;
}

void core_gcp_tick(struct d3dgpu_core *core, uint64_t now)
{
	if (now < core_gcp_next(core) || core_gcp_next(core) == UINT64_MAX)
		return;
	core->gcp.alarm = UINT64_MAX; /* fires once */
	core_gcp_interrupt(core, D3DGPU_GCP_INT_ALARM);
}

/* ---- peripherals ---- */

static uint32_t take_doorbells(struct core_gcp *gcp)
{
	uint32_t rings = gcp->doorbells;

	gcp->doorbells = 0;
	return rings;
}

static uint32_t latch_time(struct d3dgpu_core *core)
{
	uint64_t now = core_now(core);

	core->gcp.time_hi = (uint32_t)(now >> 32);
	return (uint32_t)now;
}

static bool read_peripheral(struct d3dgpu_core *core, uint32_t offset, uint32_t *value)
{
	struct core_gcp *gcp = &core->gcp;

	switch (offset) {
	case D3DGPU_GCP_INT_PENDING:
		*value = gcp->int_pending;
		return true;
	case D3DGPU_GCP_INT_ENABLE:
		*value = gcp->int_enable;
		return true;
	case D3DGPU_GCP_DOORBELLS:
		*value = take_doorbells(gcp);
		return true;
	case D3DGPU_GCP_TIME_LO:
		*value = latch_time(core);
		return true;
	case D3DGPU_GCP_TIME_HI:
		*value = gcp->time_hi;
		return true;
	case D3DGPU_GCP_ALARM_LO:
		*value = (uint32_t)gcp->alarm_shown;
		return true;
	case D3DGPU_GCP_ALARM_HI:
		*value = (uint32_t)(gcp->alarm_shown >> 32);
		return true;
	case D3DGPU_GCP_DISPATCH_STATUS:
		*value = gcp->dispatch_status;
		return true;
	case D3DGPU_GCP_EVENT_COUNT:
		*value = core->engine.count;
		return true;
	case D3DGPU_GCP_HANG_TIMEOUT:
		*value = core->regs.hang_timeout;
		return true;
	case D3DGPU_GCP_ENGINES:
		*value = core->config.engines;
		return true;
	case D3DGPU_GCP_TURN_BUDGET:
		*value = core->regs.turn_budget;
		return true;
	default:
		return false;
	}
}

/* Bytes of SRAM at an address of the firmware; NULL when they are not all there or not aligned. */
static uint8_t *sram_at(struct core_gcp *gcp, uint32_t address, uint32_t size)
{
	if (address & 3 || address - D3DGPU_GCP_SRAM > D3DGPU_GCP_SRAM_SIZE - size)
		return NULL;
	return gcp->cpu.sram + (address - D3DGPU_GCP_SRAM);
}

static bool dispatch(struct d3dgpu_core *core, uint32_t address)
{
	const uint8_t *memory = sram_at(&core->gcp, address, sizeof(struct d3dgpu_entry));
	struct d3dgpu_entry entry;

	if (!memory)
		return false;
	memcpy(&entry, memory, sizeof(entry));
	core->gcp.dispatch_status = core_engine_dispatch(core, &entry);
	return true;
}

static bool pop_event(struct d3dgpu_core *core, uint32_t address)
{
	uint8_t *memory = sram_at(&core->gcp, address, sizeof(struct d3dgpu_engine_event));
	struct d3dgpu_engine_event event;

	if (!memory)
		return false;
	core_engine_pop(core, &event);
	memcpy(memory, &event, sizeof(event));
	return true;
}

static void arm_alarm(struct core_gcp *gcp, uint32_t high)
{
	gcp->alarm = gcp->alarm_shown = (uint64_t)high << 32 | gcp->alarm_lo;
}

static void become_ready(struct d3dgpu_core *core, uint32_t version)
{
	if (core->gcp.state != D3DGPU_GCP_BOOTING)
		return;
	core->gcp.state = D3DGPU_GCP_READY;
	core_log(core, D3DGPU_LOG_INFO, "firmware %u.%u.%u is ready", version >> 16, version >> 8 & 0xff, version & 0xff);
}

static bool write_peripheral(struct d3dgpu_core *core, uint32_t offset, uint32_t value)
{
	struct core_gcp *gcp = &core->gcp;

	switch (offset) {
	case D3DGPU_GCP_INT_ENABLE:
		gcp->int_enable = value;
		update_line(gcp);
		return true;
	case D3DGPU_GCP_INT_ACK:
		gcp->int_pending &= ~value;
		update_line(gcp);
		return true;
	case D3DGPU_GCP_ALARM_LO:
		gcp->alarm_lo = value;
		return true;
	case D3DGPU_GCP_ALARM_HI:
		arm_alarm(gcp, value);
		return true;
	case D3DGPU_GCP_DISPATCH:
		return dispatch(core, value);
	case D3DGPU_GCP_EVENT_POP:
		return pop_event(core, value);
	case D3DGPU_GCP_RAISE:
		if (value >= D3DGPU_VECTOR_COUNT)
			return false;
		core_raise(core, value);
		return true;
	case D3DGPU_GCP_SET_READY:
		become_ready(core, value);
		return true;
	case D3DGPU_GCP_PANIC_CODE:
		gcp_cpu_panic(&gcp->cpu, value ? value : 1);
		gcp->cpu.stop_request = true;
		return true;
	default:
		return false;
	}
}

static bool bus_load(void *opaque, uint32_t address, unsigned size, uint32_t *value)
{
	if (size != 4 || address - D3DGPU_GCP_PERIPHERALS >= 4096)
		return false;
	return read_peripheral(opaque, address - D3DGPU_GCP_PERIPHERALS, value);
}

static bool bus_store(void *opaque, uint32_t address, unsigned size, uint32_t value)
{
	if (size != 4 || address - D3DGPU_GCP_PERIPHERALS >= 4096)
		return false;
	return write_peripheral(opaque, address - D3DGPU_GCP_PERIPHERALS, value);
}

/* ---- running ---- */

static void die(struct d3dgpu_core *core)
{
	struct core_gcp *gcp = &core->gcp;

	gcp->state = D3DGPU_GCP_PANICKED;
	core_guest_error(core, D3DGPU_GUEST_ERROR_FIRMWARE, "firmware panic 0x%x at pc 0x%x", gcp->cpu.panic_code,
			 gcp->cpu.pc);
	core_raise(core, D3DGPU_VECTOR_FAULT);
}

bool core_gcp_run(struct d3dgpu_core *core)
{
	struct core_gcp *gcp = &core->gcp;
	enum gcp_stop stop;

	if (!core_gcp_running(core) || gcp->asleep)
		return false;
	gcp->cpu.stop_request = false;
	stop = gcp_cpu_run(&gcp->cpu, SLICE);
	if (gcp->cpu.panicked || stop == GCP_STOP_PANIC) {
		die(core);
		return false;
	}
	if (stop == GCP_STOP_WFI) {
		gcp->asleep = true;
		return false;
	}
	if (gcp->cpu.instret - gcp->cpu.wfi_instret > CORE_GCP_WATCHDOG) {
		gcp_cpu_panic(&gcp->cpu, D3DGPU_GCP_PANIC_WATCHDOG);
		die(core);
		return false;
	}
	return true;
}
