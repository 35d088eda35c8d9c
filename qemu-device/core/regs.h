/* SPDX-License-Identifier: MIT */
/* The register file: decodes accesses to BAR2 (hw/d3dgpu_regs.h). */
#ifndef D3DGPU_CORE_REGS_H
#define D3DGPU_CORE_REGS_H

#include "d3dgpu_core.h"
#include "display.h"

void core_regs_reset(struct d3dgpu_core *core);
/* With the lock held. */
uint64_t core_regs_read(struct d3dgpu_core *core, uint64_t offset, unsigned size);
void core_regs_write(struct d3dgpu_core *core, uint64_t offset, uint64_t value, unsigned size, struct core_notice *notice);

/* The name of the register at an offset, for traces; "?" when there is none. Heads and rings share one name each. */
const char *core_register_name(uint64_t offset);

#endif
