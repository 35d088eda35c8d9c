/* SPDX-License-Identifier: MIT */
#include "regs.h"

#include <string.h>

#include "core.h"
#include "dsu.h"

#define HEAD_STRIDE 0x80u
#define CRC_STRIDE 0x10u

enum access {
	ACCESS_READ = 1,
	ACCESS_WRITE = 2,
};

struct name {
	uint32_t offset;
	unsigned access;
	const char *name;
};

/* 32-bit registers that stand alone. */
static const struct name names[] = {
	{D3DGPU_REG_ID, ACCESS_READ, "ID"},
	{D3DGPU_REG_VERSION, ACCESS_READ, "VERSION"},
	{D3DGPU_REG_STATUS, ACCESS_READ, "STATUS"},
	{D3DGPU_REG_CONTROL, ACCESS_WRITE, "CONTROL"},
	{D3DGPU_REG_INTR_STATUS, ACCESS_READ | ACCESS_WRITE, "INTR_STATUS"},
	{D3DGPU_REG_INTR_ENABLE, ACCESS_READ | ACCESS_WRITE, "INTR_ENABLE"},
	{D3DGPU_REG_CTRL_BASE_LO, ACCESS_READ | ACCESS_WRITE, "CTRL_BASE_LO"},
	{D3DGPU_REG_CTRL_BASE_HI, ACCESS_READ | ACCESS_WRITE, "CTRL_BASE_HI"},
	{D3DGPU_REG_VRAM_SIZE_LO, ACCESS_READ, "VRAM_SIZE_LO"},
	{D3DGPU_REG_VRAM_SIZE_HI, ACCESS_READ, "VRAM_SIZE_HI"},
	{D3DGPU_REG_GUEST_ERRORS, ACCESS_READ, "GUEST_ERRORS"},
	{D3DGPU_REG_LAST_ERROR, ACCESS_READ | ACCESS_WRITE, "LAST_ERROR"},
	{D3DGPU_REG_HANG_TIMEOUT, ACCESS_READ | ACCESS_WRITE, "HANG_TIMEOUT"},
	{D3DGPU_REG_HEADS, ACCESS_READ, "HEADS"},
	{D3DGPU_REG_TIME_LO, ACCESS_READ, "TIME_LO"},
	{D3DGPU_REG_TIME_HI, ACCESS_READ, "TIME_HI"},
	{D3DGPU_REG_ENGINES, ACCESS_READ, "ENGINES"},
	{D3DGPU_REG_TURN_BUDGET, ACCESS_READ | ACCESS_WRITE, "TURN_BUDGET"},
	{D3DGPU_REG_DSU_RUN, ACCESS_WRITE, "DSU_RUN"},
	{D3DGPU_REG_DSU_RUNS, ACCESS_READ, "DSU_RUNS"},
	{D3DGPU_REG_GCP_CONTROL, ACCESS_WRITE, "GCP_CONTROL"},
	{D3DGPU_REG_GCP_STATE, ACCESS_READ, "GCP_STATE"},
	{D3DGPU_REG_GCP_FW_ADDR_LO, ACCESS_READ | ACCESS_WRITE, "GCP_FW_ADDR_LO"},
	{D3DGPU_REG_GCP_FW_ADDR_HI, ACCESS_READ | ACCESS_WRITE, "GCP_FW_ADDR_HI"},
	{D3DGPU_REG_GCP_FW_SIZE, ACCESS_READ | ACCESS_WRITE, "GCP_FW_SIZE"},
	{D3DGPU_REG_GCP_FW_VERSION, ACCESS_READ, "GCP_FW_VERSION"},
	{D3DGPU_REG_GCP_PANIC, ACCESS_READ, "GCP_PANIC"},
	{D3DGPU_REG_GCP_PC, ACCESS_READ, "GCP_PC"},
	{D3DGPU_REG_GCP_INSTRET_LO, ACCESS_READ, "GCP_INSTRET_LO"},
	{D3DGPU_REG_GCP_INSTRET_HI, ACCESS_READ, "GCP_INSTRET_HI"},
};

static const struct name *find(uint64_t offset)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].offset == offset)
			return &names[i];
	return NULL;
}

static bool inside(uint64_t offset, unsigned size, uint64_t start, uint64_t length)
{
	return offset >= start && offset - start < length && length - (offset - start) >= size;
}

static bool is_dispi(uint64_t offset, unsigned size)
{
	return inside(offset, size, D3DGPU_REG_DISPI, D3DGPU_DISPI_COUNT * 2) && size == 2 && !(offset & 1);
}

/* The head whose block an offset is in, among the blocks of all heads from `start` on, or -1. */
static int head_of(const struct d3dgpu_core *core, uint64_t start, uint32_t stride, uint64_t offset)
{
	if (!inside(offset, 4, start, (uint64_t)core->config.heads * stride))
		return -1;
	return (int)((offset - start) / stride);
}

/* The EDID byte range that an access hits, or NULL. Head 0's is in two places. */
static const uint8_t *edid_at(const struct d3dgpu_core *core, uint64_t offset, unsigned size)
{
	uint64_t start = D3DGPU_REG_HEAD_EDID(0);
	uint64_t length = (uint64_t)core->config.heads * D3DGPU_REG_EDID_SIZE, at;

	if (size > 4)
		return NULL;
	if (inside(offset, size, D3DGPU_REG_EDID, D3DGPU_REG_EDID_SIZE))
		return core->display.heads[0].edid + offset;
	if (!inside(offset, size, start, length))
		return NULL;
	at = (offset - start) % D3DGPU_REG_EDID_SIZE;
	return at + size > D3DGPU_REG_EDID_SIZE
		       ? NULL
		       : core->display.heads[(offset - start) / D3DGPU_REG_EDID_SIZE].edid + at;
}

const char *core_register_name(uint64_t offset)
{
	const struct name *name = find(offset);

	if (name)
		return name->name;
	if (inside(offset, 1, D3DGPU_REG_EDID, D3DGPU_REG_EDID_SIZE) ||
	    inside(offset, 1, D3DGPU_REG_HEAD_EDID(0), D3DGPU_MAX_HEADS * D3DGPU_REG_EDID_SIZE))
		return "EDID";
	if (inside(offset, 1, D3DGPU_REG_DISPI, D3DGPU_DISPI_COUNT * 2))
		return "DISPI";
	if (inside(offset, 1, D3DGPU_REG_HEAD(0), D3DGPU_MAX_HEADS * HEAD_STRIDE))
		return "HEAD";
	if (inside(offset, 1, D3DGPU_REG_OVERLAY(0), D3DGPU_MAX_HEADS * HEAD_STRIDE))
		return "OVERLAY";
	if (inside(offset, 1, D3DGPU_REG_CRC(0), D3DGPU_MAX_HEADS * CRC_STRIDE))
		return "CRC";
	if (inside(offset, 1, D3DGPU_REG_CAPS, D3DGPU_REG_CAPS_SIZE))
		return "CAPS";
	if (inside(offset, 1, D3DGPU_REG_DOORBELL(0), D3DGPU_MAX_RINGS * 4))
		return "DOORBELL";
	return "?";
}

void core_regs_reset(struct d3dgpu_core *core)
{
	core->regs = (struct core_regs){
		.hang_timeout = core->config.hang_timeout_ms,
		.turn_budget = D3DGPU_TURN_BUDGET_RESET,
	};
	core->irq_out = 0;
}

/* ---- reading ---- */

static uint32_t status(const struct d3dgpu_core *core)
{
	uint32_t value = core->regs.ctrl_valid ? D3DGPU_STATUS_CTRL_VALID : 0;

	if (core->gcp.state == D3DGPU_GCP_READY)
		value |= D3DGPU_STATUS_GCP_RUNNING;
	if (core->gcp.state >= D3DGPU_GCP_PANICKED)
		value |= D3DGPU_STATUS_FATAL;
	return value;
}

static uint32_t read_time(struct d3dgpu_core *core)
{
	uint64_t now = core_now(core);

	core->regs.time_hi = (uint32_t)(now >> 32);
	return (uint32_t)now;
}

static uint32_t read_register(struct d3dgpu_core *core, uint32_t offset)
{
	switch (offset) {
	case D3DGPU_REG_ID:
		return D3DGPU_ID;
	case D3DGPU_REG_VERSION:
		return D3DGPU_VERSION;
	case D3DGPU_REG_STATUS:
		return status(core);
	case D3DGPU_REG_INTR_STATUS:
		return core->regs.intr_status;
	case D3DGPU_REG_INTR_ENABLE:
		return core->regs.intr_enable;
	case D3DGPU_REG_CTRL_BASE_LO:
		return core->regs.ctrl_lo;
	case D3DGPU_REG_CTRL_BASE_HI:
		return core->regs.ctrl_hi;
	case D3DGPU_REG_VRAM_SIZE_LO:
		return (uint32_t)core->vram_size;
	case D3DGPU_REG_VRAM_SIZE_HI:
		return (uint32_t)(core->vram_size >> 32);
	case D3DGPU_REG_GUEST_ERRORS:
		return core->regs.guest_errors;
	case D3DGPU_REG_LAST_ERROR:
		return core->regs.last_error;
	case D3DGPU_REG_HANG_TIMEOUT:
		return core->regs.hang_timeout;
	case D3DGPU_REG_HEADS:
		return core->config.heads;
	case D3DGPU_REG_TIME_LO:
		return read_time(core);
	case D3DGPU_REG_TIME_HI:
		return core->regs.time_hi;
	case D3DGPU_REG_ENGINES:
		return core->config.engines;
	case D3DGPU_REG_TURN_BUDGET:
		return core->regs.turn_budget;
	case D3DGPU_REG_DSU_RUNS:
		return core->regs.dsu_runs;
	case D3DGPU_REG_GCP_STATE:
		return core->gcp.state;
	case D3DGPU_REG_GCP_FW_ADDR_LO:
		return core->gcp.fw_addr_lo;
	case D3DGPU_REG_GCP_FW_ADDR_HI:
		return core->gcp.fw_addr_hi;
	case D3DGPU_REG_GCP_FW_SIZE:
		return core->gcp.fw_size;
	case D3DGPU_REG_GCP_FW_VERSION:
		return core->gcp.fw_version;
	case D3DGPU_REG_GCP_PANIC:
		return core->gcp.cpu.panic_code;
	case D3DGPU_REG_GCP_PC:
		return core->gcp.cpu.pc;
	case D3DGPU_REG_GCP_INSTRET_LO:
		return (uint32_t)core->gcp.cpu.instret;
	case D3DGPU_REG_GCP_INSTRET_HI:
		return (uint32_t)(core->gcp.cpu.instret >> 32);
	default:
		return 0;
	}
}

static uint64_t bad_access(struct d3dgpu_core *core, const char *what, uint64_t offset, unsigned size)
{
	core_guest_error(core, D3DGPU_GUEST_ERROR_REGISTER, "%s of %u bytes at 0x%llx (%s)", what, size,
			 (unsigned long long)offset, core_register_name(offset));
	return 0;
}

uint64_t core_regs_read(struct d3dgpu_core *core, uint64_t offset, unsigned size)
{
	const uint8_t *edid = edid_at(core, offset, size);
	const struct name *name;
	uint32_t value = 0;
	int head;

	if (edid) {
		memcpy(&value, edid, size);
		return value;
	}
	if (is_dispi(offset, size))
		return core_dispi_read(core, (unsigned)(offset - D3DGPU_REG_DISPI) / 2);
	if (size != 4 || offset & 3)
		return bad_access(core, "read", offset, size);
	if (inside(offset, 4, D3DGPU_REG_CAPS, D3DGPU_REG_CAPS_SIZE)) {
		memcpy(&value, (const uint8_t *)&core->caps + (offset - D3DGPU_REG_CAPS), sizeof(value));
		return value;
	}
	head = head_of(core, D3DGPU_REG_HEAD(0), HEAD_STRIDE, offset);
	if (head >= 0 && core_head_read(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_HEAD(head)), &value))
		return value;
	head = head_of(core, D3DGPU_REG_OVERLAY(0), HEAD_STRIDE, offset);
	if (head >= 0 && core_overlay_read(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_OVERLAY(head)), &value))
		return value;
	head = head_of(core, D3DGPU_REG_CRC(0), CRC_STRIDE, offset);
	if (head >= 0 && core_crc_read(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_CRC(head)), &value))
		return value;
	name = find(offset);
	if (!name || !(name->access & ACCESS_READ))
		return bad_access(core, "read", offset, size);
	return read_register(core, (uint32_t)offset);
}

/* ---- writing ---- */

static void enable_interrupts(struct d3dgpu_core *core, uint32_t enable)
{
	uint32_t fresh;

	enable &= (1u << D3DGPU_VECTOR_COUNT) - 1;
	fresh = enable & ~core->regs.intr_enable & core->regs.intr_status;
	core->regs.intr_enable = enable;
	core->irq_out |= fresh; /* what happened while it was off is not lost */
}

static void latch_ctrl(struct d3dgpu_core *core)
{
	uint64_t base = (uint64_t)core->regs.ctrl_hi << 32 | core->regs.ctrl_lo;

	core->regs.ctrl_valid = !(base & 4095) && core_in_vram(core, base, D3DGPU_CTRL_SIZE);
	core->regs.ctrl_base = core->regs.ctrl_valid ? base : 0;
	if (!core->regs.ctrl_valid)
		core_guest_error(core, D3DGPU_GUEST_ERROR_CTRL_BASE, "control block at 0x%llx",
				 (unsigned long long)base);
	core_gcp_set_ctrl(core);
}

static void run_dsu(struct d3dgpu_core *core)
{
	struct d3dgpu_ctrl *ctrl = core_ctrl(core);
	struct d3dgpu_ds_mailbox box;

	core->regs.dsu_runs++;
	if (!ctrl) {
		core_guest_error(core, D3DGPU_GUEST_ERROR_DSU, "depth-stencil unit run without a control block");
		return;
	}
	core_copy_in(&box, &ctrl->dsu, sizeof(box));
	core_dsu_answer(&core->caps, &box);
	memcpy(&ctrl->dsu.status, &box.status, sizeof(box) - offsetof(struct d3dgpu_ds_mailbox, status));
	core_trace(core, D3DGPU_TRACE_DSU, 0, 0, box.format, box.status);
}

static void write_register(struct d3dgpu_core *core, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case D3DGPU_REG_CONTROL:
		if (value & ~D3DGPU_CONTROL_RESET)
			core_guest_error(core, D3DGPU_GUEST_ERROR_REGISTER, "CONTROL: unknown bits 0x%x", value);
		if (value & D3DGPU_CONTROL_RESET)
			core_reset_locked(core);
		break;
	case D3DGPU_REG_INTR_STATUS:
		core->regs.intr_status &= ~value;
		break;
	case D3DGPU_REG_INTR_ENABLE:
		enable_interrupts(core, value);
		break;
	case D3DGPU_REG_CTRL_BASE_LO:
		core->regs.ctrl_lo = value;
		break;
	case D3DGPU_REG_CTRL_BASE_HI:
		core->regs.ctrl_hi = value;
		latch_ctrl(core);
		break;
	case D3DGPU_REG_LAST_ERROR:
		core->regs.last_error = D3DGPU_GUEST_ERROR_NONE;
		break;
	case D3DGPU_REG_HANG_TIMEOUT:
		core->regs.hang_timeout = value;
		break;
	case D3DGPU_REG_TURN_BUDGET:
		core->regs.turn_budget = value;
		break;
	case D3DGPU_REG_DSU_RUN:
		run_dsu(core);
		break;
	case D3DGPU_REG_GCP_CONTROL:
		core_gcp_command(core, value);
		break;
	case D3DGPU_REG_GCP_FW_ADDR_LO:
		core->gcp.fw_addr_lo = value;
		break;
	case D3DGPU_REG_GCP_FW_ADDR_HI:
		core->gcp.fw_addr_hi = value;
		break;
	case D3DGPU_REG_GCP_FW_SIZE:
		core->gcp.fw_size = value;
		break;
	}
}

void core_regs_write(struct d3dgpu_core *core, uint64_t offset, uint64_t value, unsigned size, struct core_notice *notice)
{
	const struct name *name;
	int head;

	if (is_dispi(offset, size)) {
		core_dispi_write(core, (unsigned)(offset - D3DGPU_REG_DISPI) / 2, (uint16_t)value, notice);
		return;
	}
	if (size != 4 || offset & 3) {
		bad_access(core, "write", offset, size);
		return;
	}
	head = head_of(core, D3DGPU_REG_HEAD(0), HEAD_STRIDE, offset);
	if (head >= 0 && core_head_write(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_HEAD(head)), (uint32_t)value,
					 notice))
		return;
	head = head_of(core, D3DGPU_REG_OVERLAY(0), HEAD_STRIDE, offset);
	if (head >= 0 && core_overlay_write(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_OVERLAY(head)),
					    (uint32_t)value))
		return;
	head = head_of(core, D3DGPU_REG_CRC(0), CRC_STRIDE, offset);
	if (head >= 0 && core_crc_write(core, (unsigned)head, (uint32_t)(offset - D3DGPU_REG_CRC(head)), (uint32_t)value))
		return;
	name = find(offset);
	if (!name || !(name->access & ACCESS_WRITE)) {
		bad_access(core, "write", offset, size);
		return;
	}
	write_register(core, (uint32_t)offset, (uint32_t)value);
}
