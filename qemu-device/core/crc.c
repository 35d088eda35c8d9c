/* SPDX-License-Identifier: MIT */
#include "crc.h"

#include "core.h"
#include "crc32.h"

/* Pixels that are read at a time: little enough for those who wait for the lock. */
#define PIECE 8192u

/* ---- registers ---- */

static void control(struct core_crc *crc, uint32_t value)
{
	value &= D3DGPU_CRC_ENABLED;
	if (value == crc->control)
		return;
	crc->control = value;
	crc->changed = true;
	crc->reading = crc->read = crc->follows = false;
}

bool core_crc_read(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t *value)
{
	struct core_crc *crc = &core->display.heads[index].crc;

	core_display_tick(core, core_now(core));
	switch (offset) {
	case D3DGPU_CRC_CONTROL:
		*value = crc->control;
		return true;
	case D3DGPU_CRC_FRAME:
		*value = crc->frame;
		return true;
	case D3DGPU_CRC_FRAMES:
		*value = crc->frames;
		return true;
	case D3DGPU_CRC_VALUE:
		*value = crc->value;
		return true;
	default:
		return false;
	}
}

bool core_crc_write(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t value)
{
	core_display_tick(core, core_now(core));
	if (offset != D3DGPU_CRC_CONTROL)
		return false;
	control(&core->display.heads[index].crc, value);
	return true;
}

/* ---- frames ---- */

bool core_crc_end_frame(struct core_head *head)
{
	struct core_crc *crc = &head->crc;
	uint32_t end = head->status & D3DGPU_HEAD_STATUS_FLIP_PENDING ? head->vblanks : crc->begun + 1;

	if (!crc->read || head->status & D3DGPU_HEAD_STATUS_CRC)
		return false;
	crc->read = false;
	crc->frame = crc->first;
	crc->frames = end - crc->first;
	crc->value = crc->sum;
	crc->first = end;
	return true;
}

bool core_crc_holds(const struct core_head *head)
{
	return head->crc.reading || head->crc.read;
}

void core_crc_begin_frame(struct d3dgpu_core *core, struct core_head *head)
{
	struct core_crc *crc = &head->crc;

	if (!crc->control || core_crc_holds(head))
		return;
	crc->begun = head->vblanks;
	if (!crc->follows)
		crc->first = crc->begun;
	crc->follows = true;
	crc->read = head->shown.reports && !crc->changed; /* the same pixels once more */
	if (crc->read)
		return;
	crc->picture = head->shown;
	crc->row = crc->sum = 0;
	crc->changed = false;
	crc->reading = true;
	core_thread_kick(core);
}

void core_crc_abandon_frame(struct core_head *head)
{
	head->crc.reading = head->crc.read = head->crc.follows = false;
}

static void read_piece(struct d3dgpu_core *core, struct core_crc *crc)
{
	const struct d3dgpu_scanout *surface = &crc->picture.surface;
	uint32_t left = surface->height - crc->row, rows = PIECE / surface->width ? PIECE / surface->width : 1;
	uint32_t *pixels = core->display.row;

	for (uint32_t end = crc->row + (rows < left ? rows : left); crc->row < end; crc->row++) {
		/* Without a pitch all rows lie in the same place. */
		d3dgpu_picture_compose(&crc->picture, core->vram, true, 0, crc->row, surface->width, 1, pixels, 0);
		crc->sum = core_crc32_pixels(crc->sum, pixels, surface->width);
	}
	crc->read = crc->row == surface->height;
	crc->reading = !crc->read;
}

bool core_crc_run(struct d3dgpu_core *core)
{
	bool more = false;

	for (unsigned i = 0; i < core->config.heads; i++) {
		struct core_crc *crc = &core->display.heads[i].crc;

		if (crc->reading)
			read_piece(core, crc);
		more |= crc->reading;
	}
	return more;
}
