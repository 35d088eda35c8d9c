/* SPDX-License-Identifier: MIT */
#include "display.h"

#include <string.h>

#include "core.h"

void core_display_reset(struct d3dgpu_core *core)
{
	memset(core->display.dispi, 0, sizeof(core->display.dispi));
	for (unsigned i = 0; i < D3DGPU_MAX_HEADS; i++)
		core_head_reset(core, i);
}

/* ---- vblanks ---- */

uint64_t core_display_next(const struct d3dgpu_core *core)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < core->config.heads; i++) {
		const struct core_head *head = &core->display.heads[i];

		if (head->shown.surface.enabled && head->next_vblank < next)
			next = head->next_vblank;
	}
	return next;
}

/* The time of a vblank is when it was due, however late the host is. */
static void vblank(struct d3dgpu_core *core, struct core_head *head, uint64_t now)
{
	uint64_t period = core_head_period(head), passed = (now - head->next_vblank) / period + 1;
	uint32_t events = D3DGPU_HEAD_STATUS_VBLANK;

	head->vblanks += (uint32_t)passed;
	head->next_vblank += passed * period;
	head->last_vblank = head->next_vblank - period;
	if (core_crc_end_frame(head))
		events |= D3DGPU_HEAD_STATUS_CRC;
	if (head->status & D3DGPU_HEAD_STATUS_FLIP_PENDING && !core_crc_holds(head)) {
		head->status &= ~D3DGPU_HEAD_STATUS_FLIP_PENDING;
		events |= D3DGPU_HEAD_STATUS_FLIP_DONE;
	}
	core_head_event(core, head, events);
	core_crc_begin_frame(core, head);
}

void core_display_tick(struct d3dgpu_core *core, uint64_t now)
{
	for (unsigned i = 0; i < core->config.heads; i++) {
		struct core_head *head = &core->display.heads[i];

		if (head->shown.surface.enabled && now >= head->next_vblank)
			vblank(core, head, now);
	}
}

/* ---- for the device's user ---- */

void d3dgpu_core_picture(struct d3dgpu_core *core, unsigned head, struct d3dgpu_picture *out)
{
	*out = (struct d3dgpu_picture){0};
	if (head >= core->config.heads)
		return;
	core_lock(core);
	if (core->display.heads[head].shown.surface.enabled)
		*out = core->display.heads[head].shown;
	else if (!head)
		core_dispi_scanout(core, &out->surface);
	out->serial = core->display.heads[head].shown.serial;
	core_unlock(core);
}

void d3dgpu_core_scanout(struct d3dgpu_core *core, unsigned head, struct d3dgpu_scanout *out)
{
	struct d3dgpu_picture picture;

	d3dgpu_core_picture(core, head, &picture);
	*out = picture.surface;
}

void d3dgpu_core_resize(struct d3dgpu_core *core, unsigned index, uint32_t width, uint32_t height)
{
	struct core_head *head;

	if (index >= core->config.heads || !width || !height || width > D3DGPU_HEAD_MAX_EXTENT ||
	    height > D3DGPU_HEAD_MAX_EXTENT)
		return;
	core_lock(core);
	head = &core->display.heads[index];
	if (head->preferred_width != width || head->preferred_height != height) {
		head->preferred_width = width;
		head->preferred_height = height;
		if (!head->edid_given)
			core_edid_make(head->edid, index, width, height);
		core_head_event(core, head, D3DGPU_HEAD_STATUS_HOTPLUG);
	}
	core_unlock(core);
}

void d3dgpu_core_set_edid(struct d3dgpu_core *core, unsigned index, const void *edid, size_t size)
{
	struct core_head *head;

	if (index >= core->config.heads || size > D3DGPU_REG_EDID_SIZE)
		return;
	core_lock(core);
	head = &core->display.heads[index];
	memset(head->edid, 0, sizeof(head->edid));
	memcpy(head->edid, edid, size);
	head->edid_given = true;
	core_unlock(core);
}
