/* SPDX-License-Identifier: MIT */
/*
 * The CRCs of the frames that a head shows. While they are on, the display engine really reads each frame out of VRAM, as one
 * that drives a cable does: it takes down what the head shows at a vblank, composes it row by row, and at the first vblank
 * behind that says with an event what it has read. No flip is done before that, so its memory is not written while it is read.
 *
 * The device thread does it in pieces, in between all else; frames that begin meanwhile have no CRC.
 */
#ifndef D3DGPU_CORE_CRC_H
#define D3DGPU_CORE_CRC_H

#include "d3dgpu_core.h"

struct core_head;

struct core_crc {
	uint32_t control, frame, value;	/* registers */
	uint32_t latched;		/* by a read of FRAME: what VALUE reads */
	bool changed;			/* the last frame that was read may not be what the head shows now */
	/* the frame that is being read, or that was and waits for the vblank */
	bool reading, read;
	struct d3dgpu_picture picture;	/* as it was when the frame began */
	uint32_t begun;			/* VBLANK_COUNT then */
	uint32_t row, sum;		/* rows that were read, and their CRC */
};

/* Registers; offsets are relative to the block. false = no such register, or not writable. */
bool core_crc_read(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t *value);
bool core_crc_write(struct d3dgpu_core *core, unsigned head, uint32_t offset, uint32_t value);

/* At a vblank: sets the registers, if a frame was read by then. Returns whether it did. */
bool core_crc_end_frame(struct core_head *head);
/* And behind that, when the flip that it was for is done: a frame begins, if none is still being read. */
void core_crc_begin_frame(struct d3dgpu_core *core, struct core_head *head);
/* The head was switched off. */
void core_crc_abandon_frame(struct core_head *head);
/* Reads a piece of each frame that has begun. Returns whether there is more. */
bool core_crc_run(struct d3dgpu_core *core);

#endif
