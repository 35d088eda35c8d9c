/* SPDX-License-Identifier: MIT */
/*
 * One display head: its registers, what it shows, its vblanks and events.
 *
 * What is shown is described by registers alone: those that the last good commit latched. So it is checked in one place, and
 * saved as they are.
 */
#ifndef D3DGPU_CORE_HEAD_H
#define D3DGPU_CORE_HEAD_H

#include "crc.h"
#include "d3dgpu_core.h"

#define CORE_HEAD_WORDS 32u		/* registers in a block, used or not */

/* The registers that read what was written to them, by offset / 4; the others are 0 here. */
struct core_head_registers {
	uint32_t head[CORE_HEAD_WORDS], overlay[CORE_HEAD_WORDS];
};

struct core_head {
	struct core_head_registers written, latched; /* latched: by COMMIT; the cursor's by CURSOR_COMMIT and CURSOR_POSITION */
	struct d3dgpu_picture shown;	/* what `latched` describes */
	uint32_t damage_x, damage_y, damage_width;
	uint32_t status;		/* D3DGPU_HEAD_STATUS_* but for CONNECTED */
	uint32_t vblanks;
	uint64_t last_vblank, next_vblank; /* device time; the next is valid while the surface is enabled */
	uint32_t time_hi;		/* latched by a read of VBLANK_TIME_LO */
	struct core_crc crc;
	uint32_t preferred_width, preferred_height;
	bool edid_given;		/* by the user: do not make our own any more */
	uint8_t edid[D3DGPU_REG_EDID_SIZE];
};

/* What a register write means for the host, to be reported when the lock is released. */
struct core_notice {
	bool scanout, damage, cursor;
	unsigned head;
	uint32_t x, y, width, height;	/* of the damage */
};

/* A head as it is in a saved device. */
struct core_head_state {
	struct core_head_registers written, latched;
	uint8_t lut[3][256];		/* 0 when no gamma table is latched */
	uint32_t damage_x, damage_y, damage_width;
	uint32_t status, vblanks, time_hi;
	uint64_t last_vblank;
	uint32_t reports;
	uint32_t crc_control, crc_frame, crc_frames, crc_value, reserved;
};

/* Offsets are relative to the block. false = no such register, or not writable. */
bool core_head_read(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t *value);
bool core_head_write(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t value, struct core_notice *notice);
bool core_overlay_read(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t *value);
bool core_overlay_write(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t value);

void core_head_reset(struct d3dgpu_core *core, unsigned index);
void core_head_event(struct d3dgpu_core *core, struct core_head *head, uint32_t event);
/* Nanoseconds from vblank to vblank. */
uint64_t core_head_period(const struct core_head *head);

/* What registers describe, gamma apart. false = not to be shown: something is out of its range, or of VRAM. */
bool core_head_describe(const struct d3dgpu_core *core, const struct core_head_registers *registers,
			struct d3dgpu_picture *out);
/* Whether registers are such as writes can leave. */
bool core_head_registers_good(const struct core_head_registers *registers);
/*
 * Whether an enabled scan-out is one that the host can show: extent, place, format and pitch (the host's pixel code counts
 * pitches in words, and offsets in ints), and whole rows inside VRAM.
 */
bool core_scanout_good(const struct d3dgpu_core *core, const struct d3dgpu_scanout *shown);

/* Saved heads. Loading changes nothing but the head; it must be good. */
void core_head_save(const struct core_head *head, struct core_head_state *to);
bool core_head_state_good(const struct d3dgpu_core *core, const struct core_head_state *from);
void core_head_load(const struct d3dgpu_core *core, struct core_head *head, const struct core_head_state *from, uint64_t now);

#endif
