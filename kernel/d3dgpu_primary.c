// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_damage_helper.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>

#include "d3dgpu_compat.h"
#include "d3dgpu_drv.h"

static const u32 d3dgpu_primary_formats[] = {
	DRM_FORMAT_XRGB8888,
	DRM_FORMAT_ARGB8888,
	DRM_FORMAT_XBGR8888,
	DRM_FORMAT_ABGR8888,
	DRM_FORMAT_RGB565,
};

static const u64 d3dgpu_primary_modifiers[] = {
	DRM_FORMAT_MOD_LINEAR,
	DRM_FORMAT_MOD_INVALID,
};

static struct d3dgpu_head *primary_to_head(struct drm_plane *plane)
{
	return container_of(plane, struct d3dgpu_head, primary);
}

static int d3dgpu_primary_atomic_check(struct drm_plane *plane, struct drm_atomic_state *state)
{
	return d3dgpu_plane_check(plane, state, 1, true);
}

/*
 * Whoever gives damage clips once gives all of them, until a framebuffer comes without: the device
 * need not watch what processors write.
 */
static void d3dgpu_primary_report(struct d3dgpu_head *head, struct drm_plane_state *old_state,
				  struct drm_plane_state *new_state)
{
	struct drm_atomic_helper_damage_iter iter;
	struct drm_rect rect;

	head->reports = new_state->fb_damage_clips ||
			(head->reports && new_state->fb == old_state->fb);
	if (!old_state->visible || !drm_rect_equals(&old_state->dst, &new_state->dst)) {
		head->redraw = true;
		return;
	}
	if (!new_state->fb_damage_clips || old_state->rotation != new_state->rotation ||
	    d3dgpu_plane_transform(new_state)) {
		d3dgpu_plane_report(head, &new_state->dst);
		return;
	}
	drm_atomic_helper_damage_iter_init(&iter, old_state, new_state);
	drm_atomic_for_each_plane_damage(&iter, &rect) {
		/* Clips are in the framebuffer's coordinates. */
		drm_rect_translate(&rect, new_state->dst.x1 - (new_state->src.x1 >> 16),
				   new_state->dst.y1 - (new_state->src.y1 >> 16));
		d3dgpu_plane_report(head, &rect);
	}
}

/**
 * d3dgpu_primary_off() - have the next commit show no surface
 * @head: the head
 *
 * Below the other planes the screen is black.
 */
void d3dgpu_primary_off(struct d3dgpu_head *head)
{
	head->redraw = true;
	head->reports = false;
	d3dgpu_head_write(head, D3DGPU_HEAD_FORMAT, D3DGPU_SCANOUT_NONE);
}

static u32 d3dgpu_primary_pair(u32 x, u32 y)
{
	return x | y << 16;
}

static void d3dgpu_primary_atomic_update(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *old_state = drm_atomic_get_old_plane_state(state, plane);
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	const struct drm_rect *dst = &new_state->dst;
	struct drm_framebuffer *fb = new_state->fb;
	struct d3dgpu_head *head = primary_to_head(plane);
	u64 offset;

	if (!new_state->visible) {
		d3dgpu_primary_off(head);
		return;
	}
	offset = d3dgpu_plane_offset(new_state, new_state->src.x1 >> 16, new_state->src.y1 >> 16);
	d3dgpu_head_write(head, D3DGPU_HEAD_PITCH, fb->pitches[0]);
	d3dgpu_head_write(head, D3DGPU_HEAD_FORMAT, d3dgpu_fb_scanout_format(fb->format->format));
	d3dgpu_head_write(head, D3DGPU_HEAD_TRANSFORM, d3dgpu_plane_transform(new_state));
	d3dgpu_head_write(head, D3DGPU_HEAD_SURFACE_POSITION,
			  d3dgpu_primary_pair(dst->x1, dst->y1));
	d3dgpu_head_write(head, D3DGPU_HEAD_SURFACE_SIZE,
			  d3dgpu_primary_pair(drm_rect_width(dst), drm_rect_height(dst)));
	d3dgpu_head_write(head, D3DGPU_HEAD_OFFSET_LO, lower_32_bits(offset));
	d3dgpu_head_write(head, D3DGPU_HEAD_OFFSET_HI, upper_32_bits(offset));
	d3dgpu_primary_report(head, old_state, new_state);
}

static const struct drm_plane_helper_funcs d3dgpu_primary_helper_funcs = {
	.prepare_fb = d3dgpu_plane_prepare_fb,
	.cleanup_fb = d3dgpu_plane_cleanup_fb,
	.atomic_check = d3dgpu_primary_atomic_check,
	.atomic_update = d3dgpu_primary_atomic_update,
	D3DGPU_COMPAT_PANIC_FUNCS
};

/**
 * d3dgpu_primary_init() - set up a head's primary plane
 * @head: the head
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_primary_init(struct d3dgpu_head *head)
{
	struct d3dgpu_device *gdev = container_of(head, struct d3dgpu_device, heads[head->index]);
	struct drm_plane *plane = &head->primary;
	int ret;

	ret = drm_universal_plane_init(&gdev->drm, plane, BIT(head->index), &d3dgpu_plane_funcs,
				       d3dgpu_primary_formats, ARRAY_SIZE(d3dgpu_primary_formats),
				       d3dgpu_primary_modifiers, DRM_PLANE_TYPE_PRIMARY, NULL);
	if (ret)
		return ret;
	drm_plane_helper_add(plane, &d3dgpu_primary_helper_funcs);
	drm_plane_enable_fb_damage_clips(plane);
	ret = drm_plane_create_zpos_immutable_property(plane, 0);
	if (ret)
		return ret;
	return drm_plane_create_rotation_property(plane, DRM_MODE_ROTATE_0,
						  DRM_MODE_ROTATE_MASK | DRM_MODE_REFLECT_MASK);
}
