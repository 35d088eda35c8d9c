/* SPDX-License-Identifier: MIT */
/*
 * The display engine: heads with their scan-out, vblank and flips, and the DISPI window that shows the boot screen.
 *
 * What a head shows is latched at a commit; the host sees it at once, the guest gets FLIP_DONE at the next vblank.
 */
#ifndef D3DGPU_CORE_DISPLAY_H
#define D3DGPU_CORE_DISPLAY_H

#include "d3dgpu_core.h"

struct core_head {
	/* registers as written */
	uint32_t enable, width, height, pitch, format, offset_lo, offset_hi, refresh;
	uint32_t damage_x, damage_y, damage_width;
	/* state */
	struct d3dgpu_scanout shown;	/* latched by the last good commit */
	uint32_t status;		/* D3DGPU_HEAD_STATUS_* but for CONNECTED */
	uint32_t vblanks;
	uint64_t next_vblank;		/* device time; valid while shown.enabled */
	uint32_t preferred_width, preferred_height;
	bool edid_given;		/* by the user: do not make our own any more */
	uint8_t edid[D3DGPU_REG_EDID_SIZE];
};

struct core_display {
	struct core_head heads[D3DGPU_MAX_HEADS];
	uint16_t dispi[D3DGPU_DISPI_COUNT];
};

/* What a register write means for the host, to be reported when the lock is released. */
struct core_notice {
	bool scanout, damage;
	unsigned head;
	uint32_t x, y, width, height;
};

void core_display_reset(struct d3dgpu_core *core);
/* Offsets are relative to the head's block. false = no such register, or not writable. */
bool core_head_read(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t *value);
bool core_head_write(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t value, struct core_notice *notice);
uint16_t core_dispi_read(struct d3dgpu_core *core, unsigned index);
void core_dispi_write(struct d3dgpu_core *core, unsigned index, uint16_t value, struct core_notice *notice);
/* What head 0 shows through DISPI while it is off. */
void core_dispi_scanout(struct d3dgpu_core *core, struct d3dgpu_scanout *out);

/* Does the vblanks that are due. */
void core_display_tick(struct d3dgpu_core *core, uint64_t now);
/* Device time of the next vblank, UINT64_MAX when all heads are off. */
uint64_t core_display_next(const struct d3dgpu_core *core);

/* Bytes per pixel of a scan-out format; 0 = no such format. */
uint32_t core_scanout_bytes(uint32_t format);
/*
 * Whether an enabled scan-out is one that the host can show: extent, format and pitch (the host's pixel code counts pitches in
 * words, and offsets in ints), and whole rows inside VRAM.
 */
bool core_scanout_good(const struct d3dgpu_core *core, const struct d3dgpu_scanout *shown);

/* An EDID of 128 bytes for a digital display whose preferred mode is width × height at 60 Hz. */
void core_edid_make(uint8_t edid[128], unsigned head, uint32_t width, uint32_t height);

#endif
