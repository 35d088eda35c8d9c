/* SPDX-License-Identifier: MIT */
#include "display.h"

#include <string.h>

#include "core.h"

#define DEFAULT_REFRESH 60000u		/* millihertz */

#define EVENTS (D3DGPU_HEAD_STATUS_VBLANK | D3DGPU_HEAD_STATUS_FLIP_DONE | D3DGPU_HEAD_STATUS_HOTPLUG)

uint32_t core_scanout_bytes(uint32_t format)
{
	switch (format) {
	case D3DGPU_SCANOUT_XRGB8888:
	case D3DGPU_SCANOUT_XBGR8888:
		return 4;
	case D3DGPU_SCANOUT_RGB565:
		return 2;
	default:
		return 0;
	}
}

bool core_scanout_good(const struct d3dgpu_core *core, const struct d3dgpu_scanout *shown)
{
	uint32_t bytes = core_scanout_bytes(shown->format);

	if (!bytes || !shown->width || shown->width > D3DGPU_HEAD_MAX_EXTENT || !shown->height ||
	    shown->height > D3DGPU_HEAD_MAX_EXTENT)
		return false;
	if (shown->pitch < shown->width * bytes || shown->pitch > D3DGPU_HEAD_MAX_PITCH || shown->pitch % 4 ||
	    shown->offset % bytes)
		return false;
	return core_in_vram(core, shown->offset, (uint64_t)shown->pitch * shown->height);
}

static uint64_t period(const struct core_head *head)
{
	return 1000000000000ull / head->refresh;
}

void core_display_reset(struct d3dgpu_core *core)
{
	memset(core->display.dispi, 0, sizeof(core->display.dispi));
	for (unsigned i = 0; i < D3DGPU_MAX_HEADS; i++) {
		struct core_head *head = &core->display.heads[i];
		struct core_head fresh = {
			.refresh = DEFAULT_REFRESH,
			.preferred_width = head->preferred_width ? head->preferred_width : core->config.xres,
			.preferred_height = head->preferred_height ? head->preferred_height : core->config.yres,
			.edid_given = head->edid_given,
		};

		/* The display itself was not switched off: its size and EDID stay. */
		memcpy(fresh.edid, head->edid, sizeof(fresh.edid));
		if (!fresh.edid_given)
			core_edid_make(fresh.edid, i, fresh.preferred_width, fresh.preferred_height);
		*head = fresh;
	}
}

static void raise_event(struct d3dgpu_core *core, struct core_head *head, uint32_t event)
{
	head->status |= event;
	core_raise(core, D3DGPU_VECTOR_DISPLAY);
}

/* ---- commit ---- */

/* The registers as a scan-out. false when the host cannot show it. */
static bool describe(const struct d3dgpu_core *core, const struct core_head *head, struct d3dgpu_scanout *out)
{
	uint64_t offset = (uint64_t)head->offset_hi << 32 | head->offset_lo;

	*out = (struct d3dgpu_scanout){0};
	if (!head->enable)
		return true;
	*out = (struct d3dgpu_scanout){true, head->width, head->height, head->pitch, head->format, offset};
	return core_scanout_good(core, out);
}

static void commit(struct d3dgpu_core *core, unsigned index, struct core_notice *notice)
{
	struct core_head *head = &core->display.heads[index];
	bool was_on = head->shown.enabled;
	struct d3dgpu_scanout next;

	head->status &= ~D3DGPU_HEAD_STATUS_BAD_MODE;
	if (!describe(core, head, &next)) {
		head->status |= D3DGPU_HEAD_STATUS_BAD_MODE;
		core_guest_error(core, D3DGPU_GUEST_ERROR_DISPLAY, "head %u: %ux%u pitch %u format %u at 0x%x%08x refused",
				 index, head->width, head->height, head->pitch, head->format, head->offset_hi,
				 head->offset_lo);
		return;
	}
	head->shown = next;
	notice->scanout = true;
	notice->head = index;
	if (!next.enabled) { /* no vblank to wait for */
		head->status &= ~D3DGPU_HEAD_STATUS_FLIP_PENDING;
		raise_event(core, head, D3DGPU_HEAD_STATUS_FLIP_DONE);
		return;
	}
	head->status |= D3DGPU_HEAD_STATUS_FLIP_PENDING;
	if (was_on)
		return;
	head->vblanks = 0;
	head->next_vblank = core_now(core) + period(head);
	core_thread_kick(core);
}

uint64_t core_display_next(const struct d3dgpu_core *core)
{
	uint64_t next = UINT64_MAX;

	for (unsigned i = 0; i < core->config.heads; i++) {
		const struct core_head *head = &core->display.heads[i];

		if (head->shown.enabled && head->next_vblank < next)
			next = head->next_vblank;
	}
	return next;
}

void core_display_tick(struct d3dgpu_core *core, uint64_t now)
{
	for (unsigned i = 0; i < core->config.heads; i++) {
		struct core_head *head = &core->display.heads[i];
		uint64_t passed;

		if (!head->shown.enabled || now < head->next_vblank)
			continue;
		passed = (now - head->next_vblank) / period(head) + 1;
		head->vblanks += (uint32_t)passed;
		head->next_vblank += passed * period(head);
		if (head->status & D3DGPU_HEAD_STATUS_FLIP_PENDING)
			head->status |= D3DGPU_HEAD_STATUS_FLIP_DONE;
		head->status &= ~D3DGPU_HEAD_STATUS_FLIP_PENDING;
		raise_event(core, head, D3DGPU_HEAD_STATUS_VBLANK);
	}
}

/* ---- registers ---- */

/* Registers that read what was written to them. */
static uint32_t *plain_register(struct core_head *head, uint32_t offset)
{
	switch (offset) {
	case D3DGPU_HEAD_ENABLE:
		return &head->enable;
	case D3DGPU_HEAD_WIDTH:
		return &head->width;
	case D3DGPU_HEAD_HEIGHT:
		return &head->height;
	case D3DGPU_HEAD_PITCH:
		return &head->pitch;
	case D3DGPU_HEAD_FORMAT:
		return &head->format;
	case D3DGPU_HEAD_OFFSET_LO:
		return &head->offset_lo;
	case D3DGPU_HEAD_OFFSET_HI:
		return &head->offset_hi;
	case D3DGPU_HEAD_REFRESH:
		return &head->refresh;
	default:
		return NULL;
	}
}

bool core_head_read(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t *value)
{
	struct core_head *head = &core->display.heads[index];
	const uint32_t *plain = plain_register(head, offset);

	if (plain) {
		*value = *plain;
		return true;
	}
	switch (offset) {
	case D3DGPU_HEAD_STATUS:
		*value = head->status | D3DGPU_HEAD_STATUS_CONNECTED;
		return true;
	case D3DGPU_HEAD_VBLANK_COUNT:
		*value = head->vblanks;
		return true;
	case D3DGPU_HEAD_PREFERRED_WIDTH:
		*value = head->preferred_width;
		return true;
	case D3DGPU_HEAD_PREFERRED_HEIGHT:
		*value = head->preferred_height;
		return true;
	default:
		return false;
	}
}

/* Clipped to what the head shows; nothing is reported when nothing is left. */
static void report_damage(const struct core_head *head, unsigned index, uint32_t height, struct core_notice *notice)
{
	const struct d3dgpu_scanout *shown = &head->shown;
	uint32_t x = head->damage_x, y = head->damage_y;

	if (!shown->enabled || x >= shown->width || y >= shown->height)
		return;
	notice->head = index;
	notice->x = x;
	notice->y = y;
	notice->width = head->damage_width < shown->width - x ? head->damage_width : shown->width - x;
	notice->height = height < shown->height - y ? height : shown->height - y;
	notice->damage = notice->width && notice->height;
}

static void set_refresh(struct d3dgpu_core *core, struct core_head *head, uint32_t value)
{
	if (value < 1000 || value > 240000) {
		core_guest_error(core, D3DGPU_GUEST_ERROR_DISPLAY, "refresh rate of %u mHz", value);
		return;
	}
	head->refresh = value;
}

bool core_head_write(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t value, struct core_notice *notice)
{
	struct core_head *head = &core->display.heads[index];
	uint32_t *plain = plain_register(head, offset);

	switch (offset) {
	case D3DGPU_HEAD_REFRESH:
		set_refresh(core, head, value);
		return true;
	case D3DGPU_HEAD_ENABLE:
		head->enable = value & 1;
		return true;
	case D3DGPU_HEAD_COMMIT:
		commit(core, index, notice);
		return true;
	case D3DGPU_HEAD_STATUS:
		head->status &= ~(value & EVENTS);
		return true;
	case D3DGPU_HEAD_DAMAGE_X:
		head->damage_x = value;
		return true;
	case D3DGPU_HEAD_DAMAGE_Y:
		head->damage_y = value;
		return true;
	case D3DGPU_HEAD_DAMAGE_WIDTH:
		head->damage_width = value;
		return true;
	case D3DGPU_HEAD_DAMAGE_HEIGHT:
		report_damage(head, index, value, notice);
		return true;
	default:
		if (plain)
			*plain = value;
		return plain;
	}
}

/* ---- for the device's user ---- */

void d3dgpu_core_scanout(struct d3dgpu_core *core, unsigned head, struct d3dgpu_scanout *out)
{
	*out = (struct d3dgpu_scanout){0};
	if (head >= core->config.heads)
		return;
	core_lock(core);
	*out = core->display.heads[head].shown;
	if (!head && !out->enabled)
		core_dispi_scanout(core, out);
	core_unlock(core);
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
		raise_event(core, head, D3DGPU_HEAD_STATUS_HOTPLUG);
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
