/* SPDX-License-Identifier: MIT */
/*
 * Register state for migration: one flat structure. It holds no pointers and nothing that is derived. A state that is
 * loaded is checked like everything that comes from outside, as a whole, before anything changes.
 */
#include <errno.h>
#include <string.h>

#include "core.h"

#define STATE_MAGIC 0x53443344u		/* "D3DS" */
#define STATE_VERSION 3
#define ALL_RINGS ((1u << D3DGPU_MAX_RINGS) - 1)
#define MIE_EXTERNAL (1u << 11)		/* of the hart's mie: what wakes it */

struct hart_state {
	uint32_t x[32];
	uint32_t pc;
	uint32_t mstatus, mie, mtvec, mscratch, mepc, mcause, mtval;
	uint32_t in_trap, panicked, panic_code, asleep;
	uint64_t instret, wfi_instret;
};

struct gcp_state {
	uint32_t state, fw_addr_lo, fw_addr_hi, fw_size, fw_version;
	uint32_t int_pending, int_enable, doorbells, time_hi, alarm_lo, dispatch_status, reserved;
	uint64_t alarm, alarm_shown;
	struct hart_state hart;
};

struct state {
	uint32_t magic, version;
	uint64_t size;			/* of this structure */
	uint64_t vram_size;
	uint64_t time;			/* device time goes on from here */
	uint64_t luid;
	uint32_t heads, feature_level, options, time_hi;
	uint32_t intr_status, intr_enable, ctrl_lo, ctrl_hi, ctrl_valid;
	uint32_t guest_errors, last_error, hang_timeout, turn_budget, reserved, dsu_runs, rung;
	uint64_t ctrl_base;
	uint16_t dispi[16];
	struct core_head_state head[D3DGPU_MAX_HEADS];
	struct gcp_state gcp;
	uint8_t sram[D3DGPU_GCP_SRAM_SIZE];
};
_Static_assert(sizeof(struct state) <= D3DGPU_CORE_STATE_MAX, "the state is larger than promised");

/* ---- save ---- */

static void save_hart(const struct core_gcp *gcp, struct hart_state *to)
{
	const struct gcp_cpu *cpu = &gcp->cpu;

	memcpy(to->x, cpu->x, sizeof(to->x));
	to->pc = cpu->pc;
	to->mstatus = cpu->mstatus;
	to->mie = cpu->mie;
	to->mtvec = cpu->mtvec;
	to->mscratch = cpu->mscratch;
	to->mepc = cpu->mepc;
	to->mcause = cpu->mcause;
	to->mtval = cpu->mtval;
	to->in_trap = cpu->in_trap;
	to->panicked = cpu->panicked;
	to->panic_code = cpu->panic_code;
	to->asleep = gcp->asleep;
	to->instret = cpu->instret;
	to->wfi_instret = cpu->wfi_instret;
}

static void save_gcp(const struct core_gcp *gcp, struct gcp_state *to)
{
	to->state = gcp->state;
	to->fw_addr_lo = gcp->fw_addr_lo;
	to->fw_addr_hi = gcp->fw_addr_hi;
	to->fw_size = gcp->fw_size;
	to->fw_version = gcp->fw_version;
	to->int_pending = gcp->int_pending;
	to->int_enable = gcp->int_enable;
	to->doorbells = gcp->doorbells;
	to->time_hi = gcp->time_hi;
	to->alarm_lo = gcp->alarm_lo;
	to->dispatch_status = gcp->dispatch_status;
	to->alarm = gcp->alarm;
	to->alarm_shown = gcp->alarm_shown;
	save_hart(gcp, &to->hart);
}

static void save_regs(const struct core_regs *regs, struct state *to)
{
	to->intr_status = regs->intr_status;
	to->intr_enable = regs->intr_enable;
	to->ctrl_lo = regs->ctrl_lo;
	to->ctrl_hi = regs->ctrl_hi;
	to->ctrl_valid = regs->ctrl_valid;
	to->ctrl_base = regs->ctrl_base;
	to->guest_errors = regs->guest_errors;
	to->last_error = regs->last_error;
	to->hang_timeout = regs->hang_timeout;
	to->turn_budget = regs->turn_budget;
	to->dsu_runs = regs->dsu_runs;
	to->time_hi = regs->time_hi;
}

static bool is_idle(const struct d3dgpu_core *core)
{
	for (unsigned id = 1; id < D3DGPU_MAX_CONTEXTS; id++)
		if (core->engine.contexts[id].state == CORE_CONTEXT_LIVE ||
		    core->engine.contexts[id].state == CORE_CONTEXT_ENDING)
			return false;
	return !core->engine.unanswered && !core->engine.count;
}

int64_t d3dgpu_core_save(struct d3dgpu_core *core, void *buffer, size_t size)
{
	struct state *to = buffer;

	if (size < sizeof(*to))
		return -EINVAL;
	core_lock(core);
	if (!is_idle(core)) {
		core_unlock(core);
		return -EBUSY;
	}
	memset(to, 0, sizeof(*to));
	to->magic = STATE_MAGIC;
	to->version = STATE_VERSION;
	to->size = sizeof(*to);
	to->vram_size = core->vram_size;
	to->time = core_now(core);
	to->luid = core->caps.luid;
	to->heads = core->config.heads;
	to->feature_level = core->caps.feature_level;
	to->options = core->caps.options;
	to->rung = atomic_load(&core->thread.rung) & ALL_RINGS;
	save_regs(&core->regs, to);
	memcpy(to->dispi, core->display.dispi, sizeof(core->display.dispi));
	for (unsigned i = 0; i < D3DGPU_MAX_HEADS; i++)
		core_head_save(&core->display.heads[i], &to->head[i]);
	save_gcp(&core->gcp, &to->gcp);
	memcpy(to->sram, core->gcp.cpu.sram, sizeof(to->sram));
	core_unlock(core);
	return sizeof(*to);
}

/* ---- load ---- */

static bool gcp_good(const struct gcp_state *gcp)
{
	const struct hart_state *hart = &gcp->hart;

	bool wakes = gcp->int_pending & gcp->int_enable && hart->mie & MIE_EXTERNAL;

	if (gcp->state > D3DGPU_GCP_BAD_DIGEST || gcp->doorbells & ~ALL_RINGS || gcp->reserved)
		return false;
	return hart->in_trap <= 1 && hart->panicked <= 1 && hart->asleep <= 1 && !(hart->asleep && wakes) &&
	       !hart->x[0] && !(hart->pc & 1) && hart->wfi_instret <= hart->instret &&
	       hart->panicked == (gcp->state == D3DGPU_GCP_PANICKED);
}

static bool state_good(const struct d3dgpu_core *core, const struct state *from)
{
	if (from->magic != STATE_MAGIC || from->version != STATE_VERSION || from->size != sizeof(*from))
		return false;
	if (from->vram_size != core->vram_size || from->heads != core->config.heads || !from->luid ||
	    from->feature_level != core->caps.feature_level || from->options != core->caps.options ||
	    from->time > INT64_MAX)
		return false;
	if (from->ctrl_valid > 1 || (from->ctrl_valid && ((from->ctrl_base & 4095) ||
							  !core_in_vram(core, from->ctrl_base, D3DGPU_CTRL_SIZE))))
		return false;
	if (!from->ctrl_valid && from->ctrl_base)
		return false;
	if ((from->intr_status | from->intr_enable) >> D3DGPU_VECTOR_COUNT || (from->rung & ~ALL_RINGS) ||
	    from->reserved)
		return false;
	for (unsigned i = D3DGPU_DISPI_COUNT; i < sizeof(from->dispi) / sizeof(from->dispi[0]); i++)
		if (from->dispi[i])
			return false;
	for (unsigned i = 0; i < D3DGPU_MAX_HEADS; i++)
		if (!core_head_state_good(core, &from->head[i]))
			return false;
	return gcp_good(&from->gcp);
}

static void load_hart(struct core_gcp *gcp, const struct hart_state *from)
{
	struct gcp_cpu *cpu = &gcp->cpu;

	memcpy(cpu->x, from->x, sizeof(cpu->x));
	cpu->pc = from->pc;
	cpu->mstatus = from->mstatus;
	cpu->mie = from->mie;
	cpu->mtvec = from->mtvec;
	cpu->mscratch = from->mscratch;
	cpu->mepc = from->mepc;
	cpu->mcause = from->mcause;
	cpu->mtval = from->mtval;
	cpu->in_trap = from->in_trap;
	cpu->panicked = from->panicked;
	cpu->panic_code = from->panic_code;
	cpu->instret = from->instret;
	cpu->wfi_instret = from->wfi_instret;
	gcp->asleep = from->asleep;
}

static void load_gcp(struct d3dgpu_core *core, const struct gcp_state *from)
{
	struct core_gcp *gcp = &core->gcp;

	gcp->state = from->state;
	gcp->fw_addr_lo = from->fw_addr_lo;
	gcp->fw_addr_hi = from->fw_addr_hi;
	gcp->fw_size = from->fw_size;
	gcp->fw_version = from->fw_version;
	gcp->int_pending = from->int_pending;
	gcp->int_enable = from->int_enable;
	gcp->doorbells = from->doorbells;
	gcp->time_hi = from->time_hi;
	gcp->alarm_lo = from->alarm_lo;
	gcp->dispatch_status = from->dispatch_status;
	gcp->alarm = from->alarm;
	gcp->alarm_shown = from->alarm_shown;
	load_hart(gcp, &from->hart);
	core_gcp_set_ctrl(core);
	gcp_cpu_set_interrupt(&gcp->cpu, gcp->int_pending & gcp->int_enable);
}

static void load_regs(struct core_regs *regs, const struct state *from)
{
	*regs = (struct core_regs){
		.intr_status = from->intr_status,
		.intr_enable = from->intr_enable,
		.ctrl_lo = from->ctrl_lo,
		.ctrl_hi = from->ctrl_hi,
		.ctrl_valid = from->ctrl_valid,
		.ctrl_base = from->ctrl_base,
		.guest_errors = from->guest_errors,
		.last_error = from->last_error,
		.hang_timeout = from->hang_timeout,
		.turn_budget = from->turn_budget,
		.dsu_runs = from->dsu_runs,
		.time_hi = from->time_hi,
	};
}

int d3dgpu_core_load(struct d3dgpu_core *core, const void *buffer, size_t size)
{
	const struct state *from = buffer;
	uint64_t now;

	if (size != sizeof(*from) || !state_good(core, from))
		return -EINVAL;
	core_lock(core);
	core_reset_locked(core);
	now = core_now(core);
	atomic_fetch_add(&core->epoch, now - from->time);
	core_workers_shift(core, (int64_t)(from->time - now));
	core->caps.luid = from->luid;
	load_regs(&core->regs, from);
	memcpy(core->display.dispi, from->dispi, sizeof(core->display.dispi));
	for (unsigned i = 0; i < D3DGPU_MAX_HEADS; i++)
		core_head_load(core, &core->display.heads[i], &from->head[i], from->time);
	memcpy(core->gcp.cpu.sram, from->sram, sizeof(from->sram));
	load_gcp(core, &from->gcp);
	core_unlock(core);
	for (unsigned ring = 0; ring < D3DGPU_MAX_RINGS; ring++)
		if (from->rung & 1u << ring)
			core_thread_ring(core, ring);
	core_thread_kick(core);
	return 0;
}
