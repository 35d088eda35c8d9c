// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Planes
 *
 * What a plane shows is pinned from before the commit until after the one that replaces it. Of a
 * resource it shows the linear image: the last writer flushes it, and the commit waits for that.
 *
 * Each update of a plane reports what it changes on the screen; if that is all of it, the whole
 * commit redraws the screen, and nothing has to be reported.
 */

static struct d3dgpu_bo *d3dgpu_plane_bo(const struct drm_plane_state *state)
{
	return to_d3dgpu_bo(drm_gem_fb_get_obj(state->fb, 0));
}

/**
 * d3dgpu_plane_prepare_fb() - keep what a plane is about to show where it is
 * @plane: the plane
 * @state: its next state
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *state)
{
	int ret;

	if (!state->fb)
		return 0;
	ret = d3dgpu_vram_pin(d3dgpu_plane_bo(state));
	if (ret)
		return ret;
	ret = drm_gem_plane_helper_prepare_fb(plane, state);
	if (ret)
		d3dgpu_vram_unpin(d3dgpu_plane_bo(state));
	return ret;
}

/**
 * d3dgpu_plane_cleanup_fb() - let go of what a plane does not show any more
 * @plane: the plane
 * @state: the state that it had
 */
void d3dgpu_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *state)
{
	if (state->fb)
		d3dgpu_vram_unpin(d3dgpu_plane_bo(state));
}

/**
 * d3dgpu_plane_check() - check a plane's next state, and find out what of it is seen
 * @plane: the plane
 * @state: the commit
 * @max_scale: how much a picture may be enlarged or made smaller
 * @can_position: it need not cover the screen
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_plane_check(struct drm_plane *plane, struct drm_atomic_state *state, int max_scale,
		       bool can_position)
{
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state = NULL;

	if (new_state->crtc)
		crtc_state = drm_atomic_get_new_crtc_state(state, new_state->crtc);
	return drm_atomic_helper_check_plane_state(new_state, crtc_state,
						   DRM_PLANE_NO_SCALING / max_scale,
						   DRM_PLANE_NO_SCALING * max_scale, can_position,
						   true);
}

/**
 * d3dgpu_plane_offset() - where in VRAM a pixel of a plane's framebuffer lies
 * @state: the plane's state, whose framebuffer is pinned
 * @x: column of the pixel
 * @y: row of the pixel
 *
 * Return: the offset.
 */
u64 d3dgpu_plane_offset(const struct drm_plane_state *state, unsigned int x, unsigned int y)
{
	const struct drm_framebuffer *fb = state->fb;

	return d3dgpu_bo_offset(d3dgpu_plane_bo(state)) + fb->offsets[0] +
	       (u64)y * fb->pitches[0] + x * fb->format->cpp[0];
}

/**
 * d3dgpu_plane_transform() - the display engine's word for a rotation
 * @state: the plane's state
 *
 * Return: D3DGPU_TRANSFORM_*.
 */
u32 d3dgpu_plane_transform(const struct drm_plane_state *state)
{
	u32 transform;

	switch (state->rotation & DRM_MODE_ROTATE_MASK) {
	case DRM_MODE_ROTATE_90:
		transform = 1;
		break;
	case DRM_MODE_ROTATE_180:
		transform = 2;
		break;
	case DRM_MODE_ROTATE_270:
		transform = 3;
		break;
	default:
		transform = 0;
		break;
	}
	if (state->rotation & DRM_MODE_REFLECT_X)
		transform |= D3DGPU_TRANSFORM_REFLECT_X;
	if (state->rotation & DRM_MODE_REFLECT_Y)
		transform |= D3DGPU_TRANSFORM_REFLECT_Y;
	return transform;
}

/**
 * d3dgpu_plane_report() - tell the device what changes on the screen with the next commit
 * @head: the head
 * @rect: the part of the screen
 */
void d3dgpu_plane_report(struct d3dgpu_head *head, const struct drm_rect *rect)
{
	const struct drm_display_mode *mode = &head->crtc.state->mode;
	struct drm_rect part = *rect;
	struct drm_rect screen = DRM_RECT_INIT(0, 0, mode->hdisplay, mode->vdisplay);

	if (head->redraw || !drm_rect_intersect(&part, &screen))
		return;
	if (drm_rect_equals(&part, &screen)) {
		head->redraw = true;
		return;
	}
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_X, part.x1);
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_Y, part.y1);
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_WIDTH, drm_rect_width(&part));
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_HEIGHT, drm_rect_height(&part));
}

const struct drm_plane_funcs d3dgpu_plane_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	.reset = drm_atomic_helper_plane_reset,
	.atomic_duplicate_state = drm_atomic_helper_plane_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_plane_destroy_state,
};
