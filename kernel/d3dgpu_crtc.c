// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_color_mgmt.h>
#include <drm/drm_drv.h>
#include <drm/drm_modes.h>
#include <drm/drm_vblank.h>

#include "d3dgpu_drv.h"

/* In millihertz. */
static u64 d3dgpu_mode_refresh(const struct drm_display_mode *mode)
{
	u32 pixels = mode->htotal * mode->vtotal;

	return pixels ? DIV_ROUND_CLOSEST_ULL(mode->clock * 1000000ull, pixels) : 0;
}

static enum drm_mode_status d3dgpu_crtc_mode_valid(struct drm_crtc *crtc,
						   const struct drm_display_mode *mode)
{
	u64 refresh = d3dgpu_mode_refresh(mode);

	if (mode->flags & DRM_MODE_FLAG_INTERLACE)
		return MODE_NO_INTERLACE;
	if (mode->flags & DRM_MODE_FLAG_DBLSCAN)
		return MODE_NO_DBLESCAN;
	if (mode->vscan > 1)
		return MODE_NO_VSCAN;
	if (refresh < 1000 || refresh > 240000)
		return MODE_CLOCK_RANGE;
	if ((u64)mode->hdisplay * mode->vdisplay * 4 > to_d3dgpu(crtc->dev)->pool_size)
		return MODE_MEM;
	return MODE_OK;
}

/* A mode that is set anew is so for all planes. */
static int d3dgpu_crtc_atomic_check(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct drm_crtc_state *new_state = drm_atomic_get_new_crtc_state(state, crtc);
	const struct drm_property_blob *gamma = new_state->gamma_lut;

	if (gamma && drm_color_lut_size(gamma) != D3DGPU_GAMMA_ENTRIES)
		return -EINVAL;
	if (!drm_atomic_crtc_needs_modeset(new_state))
		return 0;
	return drm_atomic_add_affected_planes(state, crtc);
}

static void d3dgpu_crtc_atomic_enable(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);
	const struct drm_display_mode *mode = &crtc->state->adjusted_mode;

	d3dgpu_blackout_lift(head);
	d3dgpu_head_write(head, D3DGPU_HEAD_WIDTH, mode->hdisplay);
	d3dgpu_head_write(head, D3DGPU_HEAD_HEIGHT, mode->vdisplay);
	d3dgpu_head_write(head, D3DGPU_HEAD_REFRESH, d3dgpu_mode_refresh(mode));
	d3dgpu_head_write(head, D3DGPU_HEAD_ENABLE, 1);
	d3dgpu_crc_restore(head);
	d3dgpu_vblank_on(head);
}

static void d3dgpu_crtc_send_event_locked(struct drm_crtc *crtc)
{
	if (crtc->state->event)
		drm_crtc_send_vblank_event(crtc, crtc->state->event);
	crtc->state->event = NULL;
}

static void d3dgpu_crtc_send_event(struct drm_crtc *crtc)
{
	spin_lock_irq(&crtc->dev->event_lock);
	d3dgpu_crtc_send_event_locked(crtc);
	spin_unlock_irq(&crtc->dev->event_lock);
}

static void d3dgpu_crtc_atomic_disable(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);

	d3dgpu_vblank_off(head);
	d3dgpu_cursor_off(head);
	d3dgpu_overlay_off(head);
	d3dgpu_primary_off(head);
	d3dgpu_head_write(head, D3DGPU_HEAD_ENABLE, 0);
	d3dgpu_head_write(head, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
	if (!crtc->state->active)
		d3dgpu_crtc_send_event(crtc);
}

static void d3dgpu_crtc_atomic_begin(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	const struct drm_crtc_state *new_state = drm_atomic_get_new_crtc_state(state, crtc);

	crtc_to_head(crtc)->redraw = drm_atomic_crtc_needs_modeset(new_state) ||
				     new_state->color_mgmt_changed;
}

/* The table is in VRAM; the device copies it with the commit. Entries have the same form. */
static void d3dgpu_crtc_write_gamma(struct d3dgpu_head *head, const struct drm_property_blob *gamma)
{
	struct d3dgpu_device *gdev = to_d3dgpu(head->crtc.dev);

	BUILD_BUG_ON(sizeof(struct d3dgpu_gamma) !=
		     D3DGPU_GAMMA_ENTRIES * sizeof(struct drm_color_lut));
	if (gamma)
		memcpy(&gdev->ctrl->gamma[head->index], gamma->data, sizeof(struct d3dgpu_gamma));
	d3dgpu_head_write(head, D3DGPU_HEAD_GAMMA, gamma ? 1 : 0);
}

static u32 d3dgpu_crtc_commit_flags(struct d3dgpu_head *head)
{
	u32 flags = D3DGPU_COMMIT_LATCH;

	if (head->crtc.state->async_flip)
		flags |= D3DGPU_COMMIT_ASYNC;
	if (!head->redraw)
		flags |= D3DGPU_COMMIT_PARTIAL;
	if (head->reports)
		flags |= D3DGPU_COMMIT_REPORTS;
	return flags;
}

/* Latches what planes and CRTC have written. The interrupt takes the event when the flip is done. */
static void d3dgpu_crtc_atomic_flush(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);
	struct drm_device *drm = crtc->dev;
	int idx;

	if (!crtc->state->active)
		return;
	if (!drm_dev_enter(drm, &idx)) {
		d3dgpu_crtc_send_event(crtc);
		return;
	}
	if (crtc->state->color_mgmt_changed || drm_atomic_crtc_needs_modeset(crtc->state))
		d3dgpu_crtc_write_gamma(head, crtc->state->gamma_lut);
	spin_lock_irq(&drm->event_lock);
	if (head->dark) {
		d3dgpu_crtc_send_event_locked(crtc); /* there will be no interrupt */
		goto unlock;
	}
	if (crtc->state->event) {
		WARN_ON(head->event);
		WARN_ON(drm_crtc_vblank_get(crtc));
		head->event = crtc->state->event;
		crtc->state->event = NULL;
	}
	/* A flip before this one is none of this event's business. */
	d3dgpu_head_write(head, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_FLIP_DONE);
	d3dgpu_head_write(head, D3DGPU_HEAD_COMMIT, d3dgpu_crtc_commit_flags(head));
unlock:
	spin_unlock_irq(&drm->event_lock);
	drm_dev_exit(idx);
}

/**
 * d3dgpu_crtc_flip_done() - what was committed last is what the screen shows
 * @head: the head
 *
 * Any context, interrupts included.
 */
void d3dgpu_crtc_flip_done(struct d3dgpu_head *head)
{
	struct drm_device *drm = head->crtc.dev;
	unsigned long flags;

	spin_lock_irqsave(&drm->event_lock, flags);
	if (head->event) {
		drm_crtc_send_vblank_event(&head->crtc, head->event);
		drm_crtc_vblank_put(&head->crtc);
		head->event = NULL;
	}
	spin_unlock_irqrestore(&drm->event_lock, flags);
}

static const struct drm_crtc_helper_funcs d3dgpu_crtc_helper_funcs = {
	.mode_valid = d3dgpu_crtc_mode_valid,
	.atomic_check = d3dgpu_crtc_atomic_check,
	.atomic_begin = d3dgpu_crtc_atomic_begin,
	.atomic_enable = d3dgpu_crtc_atomic_enable,
	.atomic_disable = d3dgpu_crtc_atomic_disable,
	.atomic_flush = d3dgpu_crtc_atomic_flush,
};

static const struct drm_crtc_funcs d3dgpu_crtc_funcs = {
	.set_config = drm_atomic_helper_set_config,
	.page_flip = drm_atomic_helper_page_flip,
	.destroy = drm_crtc_cleanup,
	.reset = drm_atomic_helper_crtc_reset,
	.atomic_duplicate_state = drm_atomic_helper_crtc_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_crtc_destroy_state,
	.enable_vblank = d3dgpu_vblank_enable,
	.disable_vblank = d3dgpu_vblank_disable,
	.get_vblank_counter = d3dgpu_vblank_count,
	.get_vblank_timestamp = d3dgpu_vblank_timestamp,
	.get_crc_sources = d3dgpu_crc_sources,
	.verify_crc_source = d3dgpu_crc_verify_source,
	.set_crc_source = d3dgpu_crc_set_source,
};

/**
 * d3dgpu_crtc_init() - set up a head's CRTC
 * @head: the head, with its planes
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_crtc_init(struct d3dgpu_head *head)
{
	struct drm_crtc *crtc = &head->crtc;
	int ret;

	ret = drm_crtc_init_with_planes(head->primary.dev, crtc, &head->primary, &head->cursor,
					&d3dgpu_crtc_funcs, NULL);
	if (ret)
		return ret;
	drm_crtc_helper_add(crtc, &d3dgpu_crtc_helper_funcs);
	drm_crtc_enable_color_mgmt(crtc, 0, false, D3DGPU_GAMMA_ENTRIES);
	return drm_mode_crtc_set_gamma_size(crtc, D3DGPU_GAMMA_ENTRIES);
}
