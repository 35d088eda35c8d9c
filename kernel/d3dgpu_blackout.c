// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_modeset_lock.h>

#include "d3dgpu_drv.h"

/**
 * DOC: Blackout
 *
 * A reset of the device switches all heads off, and nobody who sets modes knows. It cannot tell
 * them first: a commit that waits for a fence of the GPU has the locks of all heads, and if the GPU
 * is dead, only its reset signals that fence.
 *
 * So a reset takes no lock of theirs. It declares the heads dark: events of flips are sent, waits
 * for vblanks end, and until a mode is set anew, flips are done as soon as they are asked for.
 * Commits under way go on then, into registers that do nothing. Behind them a work, which may wait
 * for whom it likes, sets the modes of dark heads again: those of the last commit.
 */

static void d3dgpu_blackout_head(struct d3dgpu_head *head)
{
	struct drm_device *drm = head->crtc.dev;

	spin_lock_irq(&drm->event_lock);
	WRITE_ONCE(head->dark, true);
	spin_unlock_irq(&drm->event_lock);
	d3dgpu_crtc_flip_done(head);
	d3dgpu_vblank_off(head);
}

/**
 * d3dgpu_blackout_begin() - nobody shall wait for the heads any more
 * @gdev: the device, whose interrupts are disabled, and which is about to be reset
 */
void d3dgpu_blackout_begin(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < gdev->head_count; i++)
		d3dgpu_blackout_head(&gdev->heads[i]);
}

/**
 * d3dgpu_blackout_lift() - a mode is about to be set
 * @head: the head, which is not dark any more if its interrupts come
 */
void d3dgpu_blackout_lift(struct d3dgpu_head *head)
{
	struct drm_device *drm = head->crtc.dev;
	int idx;

	if (!drm_dev_enter(drm, &idx))
		return;
	/* A blackout disables interrupts before it takes the lock. */
	spin_lock_irq(&drm->event_lock);
	WRITE_ONCE(head->dark, !d3dgpu_irq_is_enabled(to_d3dgpu(drm), D3DGPU_VECTOR_DISPLAY));
	spin_unlock_irq(&drm->event_lock);
	drm_dev_exit(idx);
}

static int d3dgpu_blackout_set_modes(struct drm_device *drm, struct drm_modeset_acquire_ctx *ctx)
{
	struct drm_atomic_state *state = drm_atomic_helper_duplicate_state(drm, ctx);
	struct drm_crtc_state *crtc_state;
	struct drm_crtc *crtc;
	unsigned int i;
	int ret;

	if (IS_ERR(state))
		return PTR_ERR(state);
	for_each_new_crtc_in_state(state, crtc, crtc_state, i)
		crtc_state->mode_changed = crtc_state->active && crtc_to_head(crtc)->dark;
	ret = drm_atomic_helper_commit_duplicated_state(state, ctx);
	drm_atomic_state_put(state);
	return ret;
}

static void d3dgpu_blackout_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, relight_work);
	struct drm_modeset_acquire_ctx ctx;
	int ret;

	DRM_MODESET_LOCK_ALL_BEGIN((&gdev->drm), ctx, 0, ret);
	ret = d3dgpu_blackout_set_modes(&gdev->drm, &ctx);
	DRM_MODESET_LOCK_ALL_END((&gdev->drm), ctx, ret);
	if (ret)
		drm_err(&gdev->drm, "the display does not come back (%d)\n", ret);
}

/**
 * d3dgpu_blackout_end() - have the heads show again what they are to show
 * @gdev: the device, which has been reset
 *
 * Does not wait for it: it comes behind all commits that are under way.
 */
void d3dgpu_blackout_end(struct d3dgpu_device *gdev)
{
	schedule_work(&gdev->relight_work);
}

/**
 * d3dgpu_blackout_init() - get ready for resets
 * @gdev: the device
 */
void d3dgpu_blackout_init(struct d3dgpu_device *gdev)
{
	INIT_WORK(&gdev->relight_work, d3dgpu_blackout_work);
}
