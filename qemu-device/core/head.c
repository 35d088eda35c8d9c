/* SPDX-License-Identifier: MIT */
#include "head.h"

#include <string.h>

#include "core.h"

#define REFRESH_DEFAULT 60000u		/* millihertz */
#define REFRESH_MIN 1000u
#define REFRESH_MAX 240000u

#define ALL ~0u

/* Bits that registers keep of what is written to them; 0 = not a register of this kind. */
static const uint32_t head_masks[CORE_HEAD_WORDS] = {
	[D3DGPU_HEAD_ENABLE / 4] = 1,
	[D3DGPU_HEAD_WIDTH / 4] = ALL,
	[D3DGPU_HEAD_HEIGHT / 4] = ALL,
	[D3DGPU_HEAD_PITCH / 4] = ALL,
	[D3DGPU_HEAD_FORMAT / 4] = ALL,
	[D3DGPU_HEAD_OFFSET_LO / 4] = ALL,
	[D3DGPU_HEAD_OFFSET_HI / 4] = ALL,
	[D3DGPU_HEAD_REFRESH / 4] = ALL,
	[D3DGPU_HEAD_TRANSFORM / 4] = ALL,
	[D3DGPU_HEAD_GAMMA / 4] = 1,
	[D3DGPU_HEAD_EVENT_ENABLE / 4] = D3DGPU_HEAD_STATUS_EVENTS,
	[D3DGPU_HEAD_CURSOR_ENABLE / 4] = 1,
	[D3DGPU_HEAD_CURSOR_OFFSET_LO / 4] = ALL,
	[D3DGPU_HEAD_CURSOR_OFFSET_HI / 4] = ALL,
	[D3DGPU_HEAD_CURSOR_PITCH / 4] = ALL,
	[D3DGPU_HEAD_CURSOR_SIZE / 4] = ALL,
	[D3DGPU_HEAD_CURSOR_HOT / 4] = ALL,
	[D3DGPU_HEAD_CURSOR_POSITION / 4] = ALL,
	[D3DGPU_HEAD_SURFACE_POSITION / 4] = ALL,
	[D3DGPU_HEAD_SURFACE_SIZE / 4] = ALL,
};

static const uint32_t overlay_masks[CORE_HEAD_WORDS] = {
	[D3DGPU_OVERLAY_ENABLE / 4] = 1,
	[D3DGPU_OVERLAY_FORMAT / 4] = ALL,
	[D3DGPU_OVERLAY_PITCH / 4] = ALL,
	[D3DGPU_OVERLAY_OFFSET_LO / 4] = ALL,
	[D3DGPU_OVERLAY_OFFSET_HI / 4] = ALL,
	[D3DGPU_OVERLAY_WIDTH / 4] = ALL,
	[D3DGPU_OVERLAY_HEIGHT / 4] = ALL,
	[D3DGPU_OVERLAY_SRC_X / 4] = ALL,
	[D3DGPU_OVERLAY_SRC_Y / 4] = ALL,
	[D3DGPU_OVERLAY_SRC_WIDTH / 4] = ALL,
	[D3DGPU_OVERLAY_SRC_HEIGHT / 4] = ALL,
	[D3DGPU_OVERLAY_DST_X / 4] = ALL,
	[D3DGPU_OVERLAY_DST_Y / 4] = ALL,
	[D3DGPU_OVERLAY_DST_WIDTH / 4] = ALL,
	[D3DGPU_OVERLAY_DST_HEIGHT / 4] = ALL,
	[D3DGPU_OVERLAY_TRANSFORM / 4] = ALL,
	[D3DGPU_OVERLAY_ALPHA / 4] = ALL,
	[D3DGPU_OVERLAY_BLEND / 4] = ALL,
	[D3DGPU_OVERLAY_FILTER / 4] = ALL,
};

static uint32_t head_word(const struct core_head_registers *registers, uint32_t offset)
{
	return registers->head[offset / 4];
}

static uint32_t overlay_word(const struct core_head_registers *registers, uint32_t offset)
{
	return registers->overlay[offset / 4];
}

static bool is_cursor(uint32_t offset)
{
	return offset >= D3DGPU_HEAD_CURSOR_ENABLE && offset <= D3DGPU_HEAD_CURSOR_POSITION;
}

static bool refresh_good(uint32_t refresh)
{
	return refresh >= REFRESH_MIN && refresh <= REFRESH_MAX;
}

bool core_head_registers_good(const struct core_head_registers *registers)
{
	for (unsigned i = 0; i < CORE_HEAD_WORDS; i++)
		if (registers->head[i] & ~head_masks[i] || registers->overlay[i] & ~overlay_masks[i])
			return false;
	return refresh_good(head_word(registers, D3DGPU_HEAD_REFRESH));
}

uint64_t core_head_period(const struct core_head *head)
{
	return 1000000000000ull / head_word(&head->written, D3DGPU_HEAD_REFRESH);
}

void core_head_reset(struct d3dgpu_core *core, unsigned index)
{
	struct core_head *head = &core->display.heads[index];
	struct core_head fresh = {
		.preferred_width = head->preferred_width ? head->preferred_width : core->config.xres,
		.preferred_height = head->preferred_height ? head->preferred_height : core->config.yres,
		.edid_given = head->edid_given,
		.shown.serial = head->shown.serial + 1,
		.shown.cursor.serial = head->shown.cursor.serial + 1,
	};

	fresh.written.head[D3DGPU_HEAD_REFRESH / 4] = REFRESH_DEFAULT;
	fresh.written.head[D3DGPU_HEAD_EVENT_ENABLE / 4] = D3DGPU_HEAD_STATUS_EVENTS;
	fresh.latched = fresh.written;
	/* The display itself was not switched off: its size and EDID stay. */
	memcpy(fresh.edid, head->edid, sizeof(fresh.edid));
	if (!fresh.edid_given)
		core_edid_make(fresh.edid, index, fresh.preferred_width, fresh.preferred_height);
	*head = fresh;
}

void core_head_event(struct d3dgpu_core *core, struct core_head *head, uint32_t event)
{
	head->status |= event;
	if (event & head_word(&head->written, D3DGPU_HEAD_EVENT_ENABLE))
		core_raise(core, D3DGPU_VECTOR_DISPLAY);
}

/* ---- what registers describe ---- */

static uint32_t pixel_bytes(uint32_t format)
{
	switch (format) {
	case D3DGPU_SCANOUT_XRGB8888:
	case D3DGPU_SCANOUT_XBGR8888:
	case D3DGPU_SCANOUT_ARGB8888:
	case D3DGPU_SCANOUT_ABGR8888:
		return 4;
	case D3DGPU_SCANOUT_RGB565:
		return 2;
	default:
		return 0;
	}
}

static bool extent_good(uint32_t width, uint32_t height)
{
	return width && width <= D3DGPU_HEAD_MAX_EXTENT && height && height <= D3DGPU_HEAD_MAX_EXTENT;
}

static bool buffer_good(const struct d3dgpu_core *core, uint32_t format, uint32_t width, uint32_t height, uint32_t pitch,
			uint64_t offset)
{
	uint32_t bytes = pixel_bytes(format);

	if (!bytes || !extent_good(width, height))
		return false;
	if (pitch < width * bytes || pitch > D3DGPU_HEAD_MAX_PITCH || pitch % 4 || offset % bytes)
		return false;
	return core_in_vram(core, offset, (uint64_t)pitch * height);
}

bool core_scanout_good(const struct d3dgpu_core *core, const struct d3dgpu_scanout *shown)
{
	uint32_t width = shown->surface_width, height = shown->surface_height;
	bool turned = shown->transform & 1; /* an odd number of quarters */

	if (!extent_good(shown->width, shown->height) || shown->transform & ~D3DGPU_TRANSFORM_MASK)
		return false;
	if (shown->format == D3DGPU_SCANOUT_NONE)
		return true;
	return width <= shown->width && shown->left <= shown->width - width && height <= shown->height &&
	       shown->top <= shown->height - height &&
	       buffer_good(core, shown->format, turned ? height : width, turned ? width : height, shown->pitch, shown->offset);
}

/* A place and a size in registers of two halves each; a size of 0 is that of the screen. */
static void describe_place(const struct core_head_registers *from, struct d3dgpu_scanout *out)
{
	uint32_t position = head_word(from, D3DGPU_HEAD_SURFACE_POSITION), size = head_word(from, D3DGPU_HEAD_SURFACE_SIZE);

	out->left = position & 0xffff;
	out->top = position >> 16;
	out->surface_width = size ? size & 0xffff : out->width;
	out->surface_height = size ? size >> 16 : out->height;
}

static bool describe_surface(const struct d3dgpu_core *core, const struct core_head_registers *from,
			     struct d3dgpu_scanout *out)
{
	*out = (struct d3dgpu_scanout){.enabled = head_word(from, D3DGPU_HEAD_ENABLE)};
	if (!out->enabled)
		return true;
	out->width = head_word(from, D3DGPU_HEAD_WIDTH);
	out->height = head_word(from, D3DGPU_HEAD_HEIGHT);
	out->pitch = head_word(from, D3DGPU_HEAD_PITCH);
	out->format = head_word(from, D3DGPU_HEAD_FORMAT);
	out->offset = (uint64_t)head_word(from, D3DGPU_HEAD_OFFSET_HI) << 32 | head_word(from, D3DGPU_HEAD_OFFSET_LO);
	out->transform = head_word(from, D3DGPU_HEAD_TRANSFORM);
	describe_place(from, out);
	return core_scanout_good(core, out);
}

/* 16.16 pixels of a buffer with so many. */
static bool span_good(uint32_t start, uint32_t length, uint32_t pixels)
{
	return length && (uint64_t)start + length <= (uint64_t)pixels << 16;
}

static bool place_good(int32_t place)
{
	return place >= -D3DGPU_HEAD_MAX_EXTENT && place <= D3DGPU_HEAD_MAX_EXTENT;
}

static bool describe_overlay(const struct d3dgpu_core *core, const struct core_head_registers *from,
			     struct d3dgpu_overlay *out)
{
	*out = (struct d3dgpu_overlay){.enabled = overlay_word(from, D3DGPU_OVERLAY_ENABLE)};
	if (!out->enabled)
		return true;
	out->format = overlay_word(from, D3DGPU_OVERLAY_FORMAT);
	out->pitch = overlay_word(from, D3DGPU_OVERLAY_PITCH);
	out->width = overlay_word(from, D3DGPU_OVERLAY_WIDTH);
	out->height = overlay_word(from, D3DGPU_OVERLAY_HEIGHT);
	out->offset = (uint64_t)overlay_word(from, D3DGPU_OVERLAY_OFFSET_HI) << 32 |
		      overlay_word(from, D3DGPU_OVERLAY_OFFSET_LO);
	out->src_x = overlay_word(from, D3DGPU_OVERLAY_SRC_X);
	out->src_y = overlay_word(from, D3DGPU_OVERLAY_SRC_Y);
	out->src_width = overlay_word(from, D3DGPU_OVERLAY_SRC_WIDTH);
	out->src_height = overlay_word(from, D3DGPU_OVERLAY_SRC_HEIGHT);
	out->dst_x = (int32_t)overlay_word(from, D3DGPU_OVERLAY_DST_X);
	out->dst_y = (int32_t)overlay_word(from, D3DGPU_OVERLAY_DST_Y);
	out->dst_width = overlay_word(from, D3DGPU_OVERLAY_DST_WIDTH);
	out->dst_height = overlay_word(from, D3DGPU_OVERLAY_DST_HEIGHT);
	out->transform = overlay_word(from, D3DGPU_OVERLAY_TRANSFORM);
	out->alpha = overlay_word(from, D3DGPU_OVERLAY_ALPHA);
	out->blend = overlay_word(from, D3DGPU_OVERLAY_BLEND);
	out->filter = overlay_word(from, D3DGPU_OVERLAY_FILTER);
	return buffer_good(core, out->format, out->width, out->height, out->pitch, out->offset) &&
	       span_good(out->src_x, out->src_width, out->width) && span_good(out->src_y, out->src_height, out->height) &&
	       place_good(out->dst_x) && place_good(out->dst_y) && extent_good(out->dst_width, out->dst_height) &&
	       !(out->transform & ~D3DGPU_TRANSFORM_MASK) && out->alpha <= 0xffff &&
	       out->blend <= D3DGPU_BLEND_COVERAGE && out->filter <= D3DGPU_SCALING_LINEAR;
}

/* Registers with two signed halves, or two unsigned ones. */
static int32_t signed_half(uint32_t word, unsigned shift)
{
	return (int16_t)(word >> shift);
}

static bool describe_cursor(const struct d3dgpu_core *core, const struct core_head_registers *from,
			    struct d3dgpu_cursor *out)
{
	uint32_t size = head_word(from, D3DGPU_HEAD_CURSOR_SIZE), hot = head_word(from, D3DGPU_HEAD_CURSOR_HOT);
	uint32_t position = head_word(from, D3DGPU_HEAD_CURSOR_POSITION);

	*out = (struct d3dgpu_cursor){.enabled = head_word(from, D3DGPU_HEAD_CURSOR_ENABLE)};
	out->x = signed_half(position, 0);
	out->y = signed_half(position, 16);
	if (!out->enabled)
		return true;
	out->width = size & 0xffff;
	out->height = size >> 16;
	out->pitch = head_word(from, D3DGPU_HEAD_CURSOR_PITCH);
	out->offset = (uint64_t)head_word(from, D3DGPU_HEAD_CURSOR_OFFSET_HI) << 32 |
		      head_word(from, D3DGPU_HEAD_CURSOR_OFFSET_LO);
	out->hot_x = hot & 0xffff;
	out->hot_y = hot >> 16;
	return out->width <= D3DGPU_CURSOR_MAX_EXTENT && out->height <= D3DGPU_CURSOR_MAX_EXTENT &&
	       buffer_good(core, D3DGPU_SCANOUT_ARGB8888, out->width, out->height, out->pitch, out->offset) &&
	       out->hot_x < out->width && out->hot_y < out->height;
}

bool core_head_describe(const struct d3dgpu_core *core, const struct core_head_registers *registers,
			struct d3dgpu_picture *out)
{
	return describe_surface(core, registers, &out->surface) && describe_overlay(core, registers, &out->overlay) &&
	       describe_cursor(core, registers, &out->cursor);
}

/* ---- commits ---- */

/* The written registers are latched in place of the latched ones: those of the cursor, or all others. */
static struct core_head_registers latch(const struct core_head *head, bool cursor)
{
	struct core_head_registers next = head->latched;

	for (uint32_t offset = 0; offset < CORE_HEAD_WORDS * 4; offset += 4)
		if (is_cursor(offset) == cursor)
			next.head[offset / 4] = head->written.head[offset / 4];
	if (!cursor)
		memcpy(next.overlay, head->written.overlay, sizeof(next.overlay));
	return next;
}

static void refuse(struct d3dgpu_core *core, unsigned index)
{
	struct core_head *head = &core->display.heads[index];
	const struct core_head_registers *written = &head->written;

	head->status |= D3DGPU_HEAD_STATUS_BAD_MODE;
	core_guest_error(core, D3DGPU_GUEST_ERROR_DISPLAY, "head %u: %ux%u pitch %u format %u at 0x%x%08x refused", index,
			 head_word(written, D3DGPU_HEAD_WIDTH), head_word(written, D3DGPU_HEAD_HEIGHT),
			 head_word(written, D3DGPU_HEAD_PITCH), head_word(written, D3DGPU_HEAD_FORMAT),
			 head_word(written, D3DGPU_HEAD_OFFSET_HI), head_word(written, D3DGPU_HEAD_OFFSET_LO));
}

static uint8_t intensity(uint16_t value)
{
	return (uint8_t)((value * 255u + 32767) / 65535);
}

/* Takes the head's gamma table out of the control block. false: there is none. */
static bool take_gamma(struct d3dgpu_core *core, unsigned index, struct d3dgpu_picture *picture)
{
	struct d3dgpu_ctrl *ctrl = core_ctrl(core);
	struct d3dgpu_gamma table;

	if (!ctrl)
		return false;
	core_copy_in(&table, &ctrl->gamma[index], sizeof(table));
	for (unsigned i = 0; i < D3DGPU_GAMMA_ENTRIES; i++) {
		picture->lut[0][i] = intensity(table.entries[i].red);
		picture->lut[1][i] = intensity(table.entries[i].green);
		picture->lut[2][i] = intensity(table.entries[i].blue);
	}
	return true;
}

/* When the flip that was just latched is done: at once, or with the next vblank. */
static void finish_flip(struct d3dgpu_core *core, struct core_head *head, bool was_on, bool at_once)
{
	if (head->shown.surface.enabled && !was_on) {
		head->last_vblank = core_now(core);
		head->next_vblank = head->last_vblank + core_head_period(head);
		core_thread_kick(core);
	}
	if (at_once || !head->shown.surface.enabled) { /* a head that is off has no vblanks */
		head->status &= ~D3DGPU_HEAD_STATUS_FLIP_PENDING;
		core_head_event(core, head, D3DGPU_HEAD_STATUS_FLIP_DONE);
	} else {
		head->status |= D3DGPU_HEAD_STATUS_FLIP_PENDING;
	}
}

static void commit(struct d3dgpu_core *core, unsigned index, uint32_t flags, struct core_notice *notice)
{
	struct core_head *head = &core->display.heads[index];
	struct core_head_registers next = latch(head, false);
	struct d3dgpu_picture picture = {0};
	bool was_on = head->shown.surface.enabled;

	head->status &= ~D3DGPU_HEAD_STATUS_BAD_MODE;
	picture.gamma = head_word(&next, D3DGPU_HEAD_GAMMA);
	if (!core_head_describe(core, &next, &picture) || (picture.gamma && !take_gamma(core, index, &picture))) {
		refuse(core, index);
		return;
	}
	picture.cursor.serial = head->shown.cursor.serial;
	picture.serial = head->shown.serial + !(flags & D3DGPU_COMMIT_PARTIAL);
	picture.reports = flags & D3DGPU_COMMIT_REPORTS;
	head->latched = next;
	head->shown = picture;
	head->crc.changed = true;
	if (!picture.surface.enabled)
		core_crc_abandon_frame(head);
	notice->scanout = true;
	notice->head = index;
	finish_flip(core, head, was_on, flags & D3DGPU_COMMIT_ASYNC);
}

static void commit_cursor(struct d3dgpu_core *core, unsigned index, struct core_notice *notice)
{
	struct core_head *head = &core->display.heads[index];
	struct core_head_registers next = latch(head, true);
	struct d3dgpu_cursor cursor;

	head->status &= ~D3DGPU_HEAD_STATUS_BAD_MODE;
	if (!describe_cursor(core, &next, &cursor)) {
		head->status |= D3DGPU_HEAD_STATUS_BAD_MODE;
		core_guest_error(core, D3DGPU_GUEST_ERROR_DISPLAY, "head %u: cursor refused", index);
		return;
	}
	cursor.serial = head->shown.cursor.serial + 1;
	head->latched = next;
	head->shown.cursor = cursor;
	head->crc.changed = true;
	notice->cursor = true;
	notice->head = index;
}

static void move_cursor(struct core_head *head, unsigned index, uint32_t position, struct core_notice *notice)
{
	head->written.head[D3DGPU_HEAD_CURSOR_POSITION / 4] = position;
	head->latched.head[D3DGPU_HEAD_CURSOR_POSITION / 4] = position;
	head->shown.cursor.x = signed_half(position, 0);
	head->shown.cursor.y = signed_half(position, 16);
	head->crc.changed = true;
	notice->cursor = true;
	notice->head = index;
}

/* ---- registers ---- */

/*
 * Whoever looks, or writes, does so after the vblanks that are due, although the device's thread may be late: a flip is never
 * done with a vblank that was before it.
 */

/* Bits of a plain register in a block, 0 = not one. */
static uint32_t mask_of(const uint32_t masks[CORE_HEAD_WORDS], uint32_t offset)
{
	return offset % 4 || offset / 4 >= CORE_HEAD_WORDS ? 0 : masks[offset / 4];
}

bool core_head_read(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t *value)
{
	struct core_head *head = &core->display.heads[index];

	core_display_tick(core, core_now(core));
	if (mask_of(head_masks, offset)) {
		*value = head_word(&head->written, offset);
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
	case D3DGPU_HEAD_VBLANK_TIME_LO:
		head->time_hi = (uint32_t)(head->last_vblank >> 32);
		*value = (uint32_t)head->last_vblank;
		return true;
	case D3DGPU_HEAD_VBLANK_TIME_HI:
		*value = head->time_hi;
		return true;
	default:
		return false;
	}
}

/* Clipped to what the head shows; nothing is reported when nothing is left. */
static void report_damage(struct core_head *head, unsigned index, uint32_t height, struct core_notice *notice)
{
	const struct d3dgpu_scanout *shown = &head->shown.surface;
	uint32_t x = head->damage_x, y = head->damage_y;

	if (!shown->enabled || x >= shown->width || y >= shown->height)
		return;
	notice->head = index;
	notice->x = x;
	notice->y = y;
	notice->width = head->damage_width < shown->width - x ? head->damage_width : shown->width - x;
	notice->height = height < shown->height - y ? height : shown->height - y;
	notice->damage = notice->width && notice->height;
	head->crc.changed |= notice->damage;
}

static void set_refresh(struct d3dgpu_core *core, struct core_head *head, uint32_t value)
{
	if (refresh_good(value))
		head->written.head[D3DGPU_HEAD_REFRESH / 4] = value;
	else
		core_guest_error(core, D3DGPU_GUEST_ERROR_DISPLAY, "refresh rate of %u mHz", value);
}

bool core_head_write(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t value, struct core_notice *notice)
{
	struct core_head *head = &core->display.heads[index];

	core_display_tick(core, core_now(core));
	switch (offset) {
	case D3DGPU_HEAD_REFRESH:
		set_refresh(core, head, value);
		return true;
	case D3DGPU_HEAD_COMMIT:
		commit(core, index, value, notice);
		return true;
	case D3DGPU_HEAD_CURSOR_COMMIT:
		commit_cursor(core, index, notice);
		return true;
	case D3DGPU_HEAD_CURSOR_POSITION:
		move_cursor(head, index, value, notice);
		return true;
	case D3DGPU_HEAD_STATUS:
		head->status &= ~(value & D3DGPU_HEAD_STATUS_EVENTS);
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
		break;
	}
	if (!mask_of(head_masks, offset))
		return false;
	head->written.head[offset / 4] = value & head_masks[offset / 4];
	return true;
}

bool core_overlay_read(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t *value)
{
	if (!mask_of(overlay_masks, offset))
		return false;
	*value = overlay_word(&core->display.heads[index].written, offset);
	return true;
}

bool core_overlay_write(struct d3dgpu_core *core, unsigned index, uint32_t offset, uint32_t value)
{
	uint32_t mask = mask_of(overlay_masks, offset);

	if (!mask)
		return false;
	core->display.heads[index].written.overlay[offset / 4] = value & mask;
	return true;
}
