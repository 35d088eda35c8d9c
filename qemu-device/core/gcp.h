/* SPDX-License-Identifier: MIT */
/* The firmware core: what surrounds the hart (hw/d3dgpu_gcp.h). */
#ifndef D3DGPU_CORE_GCP_H
#define D3DGPU_CORE_GCP_H

#include "d3dgpu_core.h"
#include "gcp_cpu.h"

/* Instructions without WFI after which the firmware counts as hung: about half a second. */
#define CORE_GCP_WATCHDOG 50000000u

struct core_gcp {
	struct gcp_cpu cpu;
	uint32_t state;			/* enum d3dgpu_gcp_state */
	uint32_t fw_addr_lo, fw_addr_hi, fw_size; /* registers */
	uint32_t fw_version;
	bool asleep;			/* in WFI */
	/* peripherals */
	uint32_t int_pending, int_enable;
	uint32_t doorbells;
	uint32_t time_hi;		/* latched */
	uint32_t alarm_lo;		/* written, takes effect with HI */
	uint64_t alarm;			/* device time; UINT64_MAX = disarmed */
	uint64_t alarm_shown;		/* what the registers read */
	uint32_t dispatch_status;
};

/* SRAM comes and goes with the core. 0 or -ENOMEM. */
int core_gcp_init(struct d3dgpu_core *core);
void core_gcp_destroy(struct d3dgpu_core *core);
/* Power-on state: stopped, SRAM cleared. */
void core_gcp_reset(struct d3dgpu_core *core);
/* D3DGPU_REG_GCP_CONTROL. */
void core_gcp_command(struct d3dgpu_core *core, uint32_t command);
bool core_gcp_running(const struct d3dgpu_core *core);
/* The control block was latched or dropped. */
void core_gcp_set_ctrl(struct d3dgpu_core *core);

/* Something for the firmware to look at: D3DGPU_GCP_INT_*. */
void core_gcp_interrupt(struct d3dgpu_core *core, uint32_t bits);
/* A doorbell rang (bits = rings). Guest error when the firmware does not run. */
void core_gcp_doorbell(struct d3dgpu_core *core, uint32_t rings);

/* Fires the alarm if due. */
void core_gcp_tick(struct d3dgpu_core *core, uint64_t now);
/* Device time of the next alarm, UINT64_MAX for none. */
uint64_t core_gcp_next(const struct d3dgpu_core *core);
/* Runs one slice. Returns whether the hart wants more. */
bool core_gcp_run(struct d3dgpu_core *core);

#endif
