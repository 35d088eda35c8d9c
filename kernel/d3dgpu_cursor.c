// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>

#include "d3dgpu_compat.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Cursor
 *
 * The device shows and moves a cursor at once, apart from commits: the host's pointer is the
 * cursor, and does not wait for vblanks. So what the legacy interface asks for is done without a
 * commit.
 */

static const u32 d3dgpu_cursor_formats[] = {
	DRM_FORMAT_ARGB8888,
};

static const u64 d3dgpu_cursor_modifiers[] = {
	DRM_FORMAT_MOD_LINEAR,
	DRM_FORMAT_MOD_INVALID,
};

static struct d3dgpu_head *cursor_to_head(struct drm_plane *plane)
{
	return container_of(plane, struct d3dgpu_head, cursor);
}

/* The image is shown whole, in its own size; the device cuts off what is outside the screen. */
static int d3dgpu_cursor_atomic_check(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);

	if (new_state->fb && (new_state->crtc_w > D3DGPU_CURSOR_MAX_EXTENT ||
			      new_state->crtc_h > D3DGPU_CURSOR_MAX_EXTENT))
		return -EINVAL;
	return d3dgpu_plane_check(plane, state, 1, true);
}

static u32 d3dgpu_cursor_pair(u32 x, u32 y)
{
	return (x & 0xffff) | y << 16;
}

static void d3dgpu_cursor_move(struct d3dgpu_head *head, const struct drm_plane_state *state)
{
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_POSITION,
			  d3dgpu_cursor_pair(clamp(state->crtc_x, S16_MIN, S16_MAX),
					     clamp(state->crtc_y, S16_MIN, S16_MAX)));
}

/* The hot spot is somewhere in the image, whatever user space says. */
static u32 d3dgpu_cursor_hot(const struct drm_plane_state *state)
{
	s32 x = d3dgpu_compat_hotspot_x(state), y = d3dgpu_compat_hotspot_y(state);

	return d3dgpu_cursor_pair(clamp_t(s32, x, 0, state->crtc_w - 1),
				  clamp_t(s32, y, 0, state->crtc_h - 1));
}

static void d3dgpu_cursor_define(struct d3dgpu_head *head, const struct drm_plane_state *state)
{
	u64 offset = d3dgpu_plane_offset(state, state->src_x >> 16, state->src_y >> 16);

	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_OFFSET_LO, lower_32_bits(offset));
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_OFFSET_HI, upper_32_bits(offset));
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_PITCH, state->fb->pitches[0]);
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_SIZE,
			  d3dgpu_cursor_pair(state->crtc_w, state->crtc_h));
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_HOT, d3dgpu_cursor_hot(state));
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_ENABLE, 1);
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_COMMIT, 1);
}

/**
 * d3dgpu_cursor_off() - show no cursor
 * @head: the head
 */
void d3dgpu_cursor_off(struct d3dgpu_head *head)
{
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_ENABLE, 0);
	d3dgpu_head_write(head, D3DGPU_HEAD_CURSOR_COMMIT, 1);
}

/* A cursor that only moves has the same image, and nobody says that it was drawn anew. */
static bool d3dgpu_cursor_only_moves(const struct drm_plane_state *old_state,
				     const struct drm_plane_state *new_state)
{
	return old_state->visible && old_state->crtc == new_state->crtc &&
	       old_state->fb == new_state->fb && !new_state->fb_damage_clips &&
	       old_state->src_x == new_state->src_x && old_state->src_y == new_state->src_y &&
	       old_state->crtc_w == new_state->crtc_w && old_state->crtc_h == new_state->crtc_h &&
	       d3dgpu_compat_hotspot_x(old_state) == d3dgpu_compat_hotspot_x(new_state) &&
	       d3dgpu_compat_hotspot_y(old_state) == d3dgpu_compat_hotspot_y(new_state);
}

static void d3dgpu_cursor_update(struct d3dgpu_head *head, const struct drm_plane_state *old_state,
				 const struct drm_plane_state *new_state, bool anew)
{
	if (!new_state->visible) {
		d3dgpu_cursor_off(head);
		return;
	}
	d3dgpu_cursor_move(head, new_state);
	if (anew || !d3dgpu_cursor_only_moves(old_state, new_state))
		d3dgpu_cursor_define(head, new_state);
}

static void d3dgpu_cursor_atomic_update(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = cursor_to_head(plane);

	d3dgpu_cursor_update(head, drm_atomic_get_old_plane_state(state, plane),
			     drm_atomic_get_new_plane_state(state, plane),
			     drm_atomic_crtc_needs_modeset(head->crtc.state));
}

static int d3dgpu_cursor_async_check(struct drm_plane *plane,
				     struct drm_atomic_state *state D3DGPU_COMPAT_FLIP_PARAMETER)
{
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state;

	crtc_state = drm_atomic_get_new_crtc_state(state, new_state->crtc);
	if (!new_state->fb || !crtc_state->active || drm_atomic_crtc_needs_modeset(crtc_state))
		return -EINVAL;
	return 0;
}

/* The plane's state stays the same structure; the old framebuffer goes out with the new one. */
static void d3dgpu_cursor_async_update(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct drm_plane_state *now = plane->state;

	d3dgpu_cursor_update(cursor_to_head(plane), now, new_state, false);
	swap(now->fb, new_state->fb);
	now->crtc_x = new_state->crtc_x;
	now->crtc_y = new_state->crtc_y;
	now->crtc_w = new_state->crtc_w;
	now->crtc_h = new_state->crtc_h;
	now->src_x = new_state->src_x;
	now->src_y = new_state->src_y;
	now->src_w = new_state->src_w;
	now->src_h = new_state->src_h;
	now->src = new_state->src;
	now->dst = new_state->dst;
	now->visible = new_state->visible;
	d3dgpu_compat_copy_hotspot(now, new_state);
}

static const struct drm_plane_helper_funcs d3dgpu_cursor_helper_funcs = {
	.prepare_fb = d3dgpu_plane_prepare_fb,
	.cleanup_fb = d3dgpu_plane_cleanup_fb,
	.atomic_check = d3dgpu_cursor_atomic_check,
	.atomic_update = d3dgpu_cursor_atomic_update,
	.atomic_async_check = d3dgpu_cursor_async_check,
	.atomic_async_update = d3dgpu_cursor_async_update,
};

/**
 * d3dgpu_cursor_init() - set up a head's cursor plane
 * @head: the head
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_cursor_init(struct d3dgpu_head *head)
{
	struct drm_plane *plane = &head->cursor;
	int ret;

	ret = drm_universal_plane_init(head->primary.dev, plane, BIT(head->index),
				       &d3dgpu_plane_funcs, d3dgpu_cursor_formats,
				       ARRAY_SIZE(d3dgpu_cursor_formats), d3dgpu_cursor_modifiers,
				       DRM_PLANE_TYPE_CURSOR, NULL);
	if (ret)
		return ret;
	drm_plane_helper_add(plane, &d3dgpu_cursor_helper_funcs);
	return drm_plane_create_zpos_immutable_property(plane, 2);
}
