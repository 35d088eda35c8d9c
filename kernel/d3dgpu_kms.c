// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_mode_config.h>
#include <drm/drm_probe_helper.h>
#include <drm/drm_vblank.h>

#include "d3dgpu_drv.h"

/**
 * DOC: Display
 *
 * One to four heads, each with planes, a CRTC, an encoder and a connector that belong together:
 *
 * ====================  ===================================================
 * d3dgpu_kms.c          set-up, commits, interrupts
 * d3dgpu_crtc.c         modes, flips, gamma
 * d3dgpu_vblank.c       vblank counts and times
 * d3dgpu_crc.c          CRCs of frames
 * d3dgpu_blackout.c     resets
 * d3dgpu_plane.c        what planes have in common: pinning, damage
 * d3dgpu_primary.c      the surface of the screen
 * d3dgpu_overlay.c      the scaled plane
 * d3dgpu_cursor.c       the cursor
 * d3dgpu_connector.c    the host's window: EDID and modes
 * d3dgpu_fb.c           framebuffers
 * d3dgpu_panic.c        the last picture
 * ====================  ===================================================
 *
 * Registers of a head take effect with a write to COMMIT; at the next vblank the device says
 * FLIP_DONE, which completes the commit here. The device redraws what is reported as damage, and
 * more only when it is told to.
 */

/* When the device has gone, registers read 0, and writes go nowhere. */

/**
 * d3dgpu_head_read() - read one of a head's registers
 * @head: the head
 * @reg: offset in its block
 *
 * Return: the value.
 */
u32 d3dgpu_head_read(struct d3dgpu_head *head, u32 reg)
{
	u32 value;
	int idx;

	if (!drm_dev_enter(head->crtc.dev, &idx))
		return 0;
	value = readl(head->regs + reg);
	drm_dev_exit(idx);
	return value;
}

/**
 * d3dgpu_head_write() - write one of a head's registers
 * @head: the head
 * @reg: offset in its block
 * @value: the value
 */
void d3dgpu_head_write(struct d3dgpu_head *head, u32 reg, u32 value)
{
	int idx;

	if (!drm_dev_enter(head->crtc.dev, &idx))
		return;
	writel(value, head->regs + reg);
	drm_dev_exit(idx);
}

static void d3dgpu_kms_head_irq(struct d3dgpu_device *gdev, struct d3dgpu_head *head)
{
	u32 status = readl(head->regs + D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_EVENTS;

	if (!status)
		return;
	writel(status & ~D3DGPU_HEAD_STATUS_CRC, head->regs + D3DGPU_HEAD_STATUS);
	/* Who waits for a vblank finds the CRC of the frame that it ends. */
	if (status & D3DGPU_HEAD_STATUS_CRC)
		d3dgpu_crc_send(head);
	/* The counter is brought up to date before events that carry it are sent. */
	if (status & D3DGPU_HEAD_STATUS_VBLANK)
		drm_crtc_handle_vblank(&head->crtc);
	if (status & D3DGPU_HEAD_STATUS_FLIP_DONE)
		d3dgpu_crtc_flip_done(head);
	if (status & D3DGPU_HEAD_STATUS_HOTPLUG)
		schedule_work(&gdev->hotplug_work);
}

/**
 * d3dgpu_kms_irq() - see what the display engine wants
 * @gdev: the device
 *
 * Called in interrupts.
 */
void d3dgpu_kms_irq(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < gdev->head_count; i++)
		d3dgpu_kms_head_irq(gdev, &gdev->heads[i]);
}

static void d3dgpu_kms_hotplug_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, hotplug_work);

	drm_kms_helper_hotplug_event(&gdev->drm);
}

static const struct drm_mode_config_funcs d3dgpu_mode_config_funcs = {
	.fb_create = d3dgpu_fb_create,
	.atomic_check = drm_atomic_helper_check,
	.atomic_commit = drm_atomic_helper_commit,
};

/*
 * CRTCs before planes: a flush must find the mode written. The wait is for the device's
 * FLIP_DONE: the helper that waits for a vblank count warns after 100 ms, which a busy host
 * exceeds without anything being wrong.
 */
static void d3dgpu_atomic_commit_tail(struct drm_atomic_state *state)
{
	struct drm_device *drm = state->dev;

	drm_atomic_helper_commit_modeset_disables(drm, state);
	drm_atomic_helper_commit_modeset_enables(drm, state);
	drm_atomic_helper_commit_planes(drm, state, DRM_PLANE_COMMIT_ACTIVE_ONLY);
	drm_atomic_helper_fake_vblank(state);
	drm_atomic_helper_commit_hw_done(state);
	drm_atomic_helper_wait_for_flip_done(drm, state);
	drm_atomic_helper_cleanup_planes(drm, state);
}

static const struct drm_mode_config_helper_funcs d3dgpu_mode_config_helper_funcs = {
	.atomic_commit_tail = d3dgpu_atomic_commit_tail,
};

static const struct drm_encoder_funcs d3dgpu_encoder_funcs = {
	.destroy = drm_encoder_cleanup,
};

static int d3dgpu_head_init(struct d3dgpu_device *gdev, unsigned int index)
{
	struct d3dgpu_head *head = &gdev->heads[index];
	int ret;

	head->index = index;
	head->regs = gdev->regs + D3DGPU_REG_HEAD(index);
	head->overlay_regs = gdev->regs + D3DGPU_REG_OVERLAY(index);
	head->crc_regs = gdev->regs + D3DGPU_REG_CRC(index);

	ret = d3dgpu_primary_init(head);
	if (ret)
		return ret;
	ret = d3dgpu_overlay_init(head);
	if (ret)
		return ret;
	ret = d3dgpu_cursor_init(head);
	if (ret)
		return ret;
	ret = d3dgpu_crtc_init(head);
	if (ret)
		return ret;
	ret = drm_encoder_init(&gdev->drm, &head->encoder, &d3dgpu_encoder_funcs,
			       DRM_MODE_ENCODER_VIRTUAL, NULL);
	if (ret)
		return ret;
	head->encoder.possible_crtcs = drm_crtc_mask(&head->crtc);
	return d3dgpu_connector_init(head);
}

/**
 * d3dgpu_kms_init() - set up the heads, all off
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_kms_init(struct d3dgpu_device *gdev)
{
	struct drm_device *drm = &gdev->drm;
	unsigned int i;
	int ret;

	INIT_WORK(&gdev->hotplug_work, d3dgpu_kms_hotplug_work);
	d3dgpu_blackout_init(gdev);
	ret = drmm_mode_config_init(drm);
	if (ret)
		return ret;
	drm->mode_config.max_width = D3DGPU_HEAD_MAX_EXTENT;
	drm->mode_config.max_height = D3DGPU_HEAD_MAX_EXTENT;
	drm->mode_config.cursor_width = D3DGPU_CURSOR_MAX_EXTENT;
	drm->mode_config.cursor_height = D3DGPU_CURSOR_MAX_EXTENT;
	drm->mode_config.preferred_depth = 24;
	drm->mode_config.async_page_flip = true;
	drm->mode_config.normalize_zpos = true;
	drm->mode_config.funcs = &d3dgpu_mode_config_funcs;
	drm->mode_config.helper_private = &d3dgpu_mode_config_helper_funcs;
	d3dgpu_vblank_init(gdev);
	for (i = 0; i < gdev->head_count; i++) {
		ret = d3dgpu_head_init(gdev, i);
		if (ret)
			return ret;
	}
	ret = drm_vblank_init(drm, gdev->head_count);
	if (ret)
		return ret;
	drm_mode_config_reset(drm);
	return d3dgpu_panic_init(gdev);
}
