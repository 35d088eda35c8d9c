/* SPDX-License-Identifier: MIT */
/*
 * The display engine: heads, and the DISPI window that shows the boot screen.
 *
 * What a head shows is latched at a commit; the host sees it at once, the guest gets FLIP_DONE at the next vblank.
 */
#ifndef D3DGPU_CORE_DISPLAY_H
#define D3DGPU_CORE_DISPLAY_H

#include "head.h"

struct core_display {
	struct core_head heads[D3DGPU_MAX_HEADS];
	uint16_t dispi[D3DGPU_DISPI_COUNT];
	uint32_t row[D3DGPU_HEAD_MAX_EXTENT]; /* room for one in which CRCs are made */
};

void core_display_reset(struct d3dgpu_core *core);
uint16_t core_dispi_read(struct d3dgpu_core *core, unsigned index);
void core_dispi_write(struct d3dgpu_core *core, unsigned index, uint16_t value, struct core_notice *notice);
/* What head 0 shows through DISPI while it is off. */
void core_dispi_scanout(struct d3dgpu_core *core, struct d3dgpu_scanout *out);

/* Does the vblanks that are due. */
void core_display_tick(struct d3dgpu_core *core, uint64_t now);
/* Device time of the next vblank, UINT64_MAX when all heads are off. */
uint64_t core_display_next(const struct d3dgpu_core *core);

/* An EDID of 128 bytes for a digital display whose preferred mode is width × height at 60 Hz. */
void core_edid_make(uint8_t edid[128], unsigned head, uint32_t width, uint32_t height);

#endif
