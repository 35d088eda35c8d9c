/* SPDX-License-Identifier: MIT */
/*
 * The CRCs of the frames that a head shows. While they are on, the display engine really reads each frame out of VRAM, as one
 * that drives a cable does: it takes down what the head shows at a vblank, composes it row by row, and at a later vblank says
 * with an event what it has read. The device thread does it in pieces, in between all else.
 *
 * Vblanks pass while a frame is read, or waits for software to take the CRC before. Their frames count with that one if a flip
 * ends it, and with the next one otherwise, which is as new as they are. So each vblank's frame has a CRC, and none is lost. No
 * flip is done meanwhile: its memory is not written while it is read.
 */
#ifndef D3DGPU_CORE_CRC_H
#define D3DGPU_CORE_CRC_H

#include "d3dgpu_core.h"

struct core_head;

struct core_crc {
	uint32_t control, frame, frames, value; /* registers */
	bool changed;			/* the last frame that was read may not be what the head shows now */
	/* the frame that is shown: it is being read, or was and waits for a vblank */
	bool reading, read;
	bool follows;			/* another one that had a CRC */
	struct d3dgpu_picture picture;	/* as it was when the frame began */
	uint32_t begun;			/* VBLANK_COUNT then */
	uint32_t first;			/* of the frames that count with it, before it */
	uint32_t row, sum;		/* rows that were read, and their CRC */
};

/* Registers; offsets are relative to the block. false = no such register, or not writable. */
bool core_crc_read(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t *value);
bool core_crc_write(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t value);

/* At a vblank: ends the frame that was read, if there is one, and sets the registers. Returns whether it did. */
bool core_crc_end_frame(struct core_head *head);
/* Whether a frame goes on behind that: no flip may be done. */
bool core_crc_holds(const struct core_head *head);
/* And when flips are done: a frame begins, unless one goes on. */
void core_crc_begin_frame(struct d3dgpu_core *core, struct core_head *head);
/* The head was switched off. */
void core_crc_abandon_frame(struct core_head *head);
/* Reads a piece of each frame that has begun. Returns whether there is more. */
bool core_crc_run(struct d3dgpu_core *core);

#endif
