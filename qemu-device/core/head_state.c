/* SPDX-License-Identifier: MIT */
/* Heads in a saved device. */
#include <string.h>

#include "core.h"

void core_head_save(const struct core_head *head, struct core_head_state *to)
{
	*to = (struct core_head_state){
		.written = head->written,
		.latched = head->latched,
		.damage_x = head->damage_x,
		.damage_y = head->damage_y,
		.damage_width = head->damage_width,
		.status = head->status,
		.vblanks = head->vblanks,
		.time_hi = head->time_hi,
		.last_vblank = head->last_vblank,
		.reports = head->shown.reports,
		.crc_control = head->crc.control,
		.crc_frame = head->crc.frame,
		.crc_frames = head->crc.frames,
		.crc_value = head->crc.value,
	};
	memcpy(to->lut, head->shown.lut, sizeof(to->lut));
}

static bool lut_good(const struct core_head_state *from)
{
	const uint8_t *bytes = &from->lut[0][0];

	for (size_t i = 0; i < sizeof(from->lut); i++)
		if (bytes[i] && !from->latched.head[D3DGPU_HEAD_GAMMA / 4])
			return false;
	return true;
}

bool core_head_state_good(const struct d3dgpu_core *core, const struct core_head_state *from)
{
	struct d3dgpu_picture picture;

	return core_head_registers_good(&from->written) && core_head_registers_good(&from->latched) &&
	       core_head_describe(core, &from->latched, &picture) && lut_good(from) && from->reports <= 1 &&
	       from->last_vblank <= INT64_MAX && !(from->crc_control & ~D3DGPU_CRC_ENABLED) && !from->reserved;
}

/* Vblanks go on from now on, in the host's new time. A frame whose CRC was being made has none. */
void core_head_load(const struct d3dgpu_core *core, struct core_head *head, const struct core_head_state *from, uint64_t now)
{
	uint32_t serial = head->shown.serial + 1, cursor_serial = head->shown.cursor.serial + 1;

	head->written = from->written;
	head->latched = from->latched;
	core_head_describe(core, &head->latched, &head->shown);
	head->shown.gamma = head->latched.head[D3DGPU_HEAD_GAMMA / 4];
	memcpy(head->shown.lut, from->lut, sizeof(head->shown.lut));
	head->shown.reports = from->reports;
	head->shown.serial = serial;
	head->shown.cursor.serial = cursor_serial;
	head->damage_x = from->damage_x;
	head->damage_y = from->damage_y;
	head->damage_width = from->damage_width;
	head->status = from->status;
	head->vblanks = from->vblanks;
	head->time_hi = from->time_hi;
	head->last_vblank = from->last_vblank;
	head->next_vblank = now;
	head->crc = (struct core_crc){
		.control = from->crc_control,
		.frame = from->crc_frame,
		.frames = from->crc_frames,
		.value = from->crc_value,
		.changed = true,
	};
}
