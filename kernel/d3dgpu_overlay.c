// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_blend.h>
#include <drm/drm_drv.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>

#include "d3dgpu_drv.h"

/* How much a picture may be enlarged or made smaller, in each direction. */
#define D3DGPU_OVERLAY_MAX_SCALE 64

static const u32 d3dgpu_overlay_formats[] = {
	DRM_FORMAT_ARGB8888,
	DRM_FORMAT_XRGB8888,
	DRM_FORMAT_ABGR8888,
	DRM_FORMAT_XBGR8888,
	DRM_FORMAT_RGB565,
};

static const u64 d3dgpu_overlay_modifiers[] = {
	DRM_FORMAT_MOD_LINEAR,
	DRM_FORMAT_MOD_INVALID,
};

static struct d3dgpu_head *overlay_to_head(struct drm_plane *plane)
{
	return container_of(plane, struct d3dgpu_head, overlay);
}

static int d3dgpu_overlay_atomic_check(struct drm_plane *plane, struct drm_atomic_state *state)
{
	return d3dgpu_plane_check(plane, state, D3DGPU_OVERLAY_MAX_SCALE, true);
}

static u32 d3dgpu_overlay_blend(const struct drm_plane_state *state)
{
	if (!state->fb->format->has_alpha)
		return D3DGPU_BLEND_NONE;
	switch (state->pixel_blend_mode) {
	case DRM_MODE_BLEND_PIXEL_NONE:
		return D3DGPU_BLEND_NONE;
	case DRM_MODE_BLEND_COVERAGE:
		return D3DGPU_BLEND_COVERAGE;
	default:
		return D3DGPU_BLEND_PREMULTIPLIED;
	}
}

/* The registers of an overlay that is seen. */
static void d3dgpu_overlay_write(struct d3dgpu_head *head, const struct drm_plane_state *state)
{
	const struct drm_framebuffer *fb = state->fb;
	u64 offset = d3dgpu_plane_offset(state, 0, 0);
	const struct {
		u32 reg, value;
	} writes[] = {
		{ D3DGPU_OVERLAY_FORMAT, d3dgpu_fb_scanout_format(fb->format->format) },
		{ D3DGPU_OVERLAY_PITCH, fb->pitches[0] },
		{ D3DGPU_OVERLAY_OFFSET_LO, lower_32_bits(offset) },
		{ D3DGPU_OVERLAY_OFFSET_HI, upper_32_bits(offset) },
		{ D3DGPU_OVERLAY_WIDTH, fb->width },
		{ D3DGPU_OVERLAY_HEIGHT, fb->height },
		{ D3DGPU_OVERLAY_SRC_X, state->src.x1 },
		{ D3DGPU_OVERLAY_SRC_Y, state->src.y1 },
		{ D3DGPU_OVERLAY_SRC_WIDTH, drm_rect_width(&state->src) },
		{ D3DGPU_OVERLAY_SRC_HEIGHT, drm_rect_height(&state->src) },
		{ D3DGPU_OVERLAY_DST_X, state->dst.x1 },
		{ D3DGPU_OVERLAY_DST_Y, state->dst.y1 },
		{ D3DGPU_OVERLAY_DST_WIDTH, drm_rect_width(&state->dst) },
		{ D3DGPU_OVERLAY_DST_HEIGHT, drm_rect_height(&state->dst) },
		{ D3DGPU_OVERLAY_TRANSFORM, d3dgpu_plane_transform(state) },
		{ D3DGPU_OVERLAY_ALPHA, state->alpha },
		{ D3DGPU_OVERLAY_BLEND, d3dgpu_overlay_blend(state) },
		{ D3DGPU_OVERLAY_FILTER, state->scaling_filter == DRM_SCALING_FILTER_DEFAULT ?
						 D3DGPU_SCALING_LINEAR :
						 D3DGPU_SCALING_NEAREST },
		{ D3DGPU_OVERLAY_ENABLE, 1 },
	};
	unsigned int i;
	int idx;

	if (!drm_dev_enter(head->crtc.dev, &idx))
		return;
	for (i = 0; i < ARRAY_SIZE(writes); i++)
		writel(writes[i].value, head->overlay_regs + writes[i].reg);
	drm_dev_exit(idx);
}

/**
 * d3dgpu_overlay_off() - have the next commit show no overlay
 * @head: the head
 */
void d3dgpu_overlay_off(struct d3dgpu_head *head)
{
	int idx;

	if (!drm_dev_enter(head->crtc.dev, &idx))
		return;
	writel(0, head->overlay_regs + D3DGPU_OVERLAY_ENABLE);
	drm_dev_exit(idx);
}

static void d3dgpu_overlay_atomic_update(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *old_state = drm_atomic_get_old_plane_state(state, plane);
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct d3dgpu_head *head = overlay_to_head(plane);

	if (old_state->visible && old_state->crtc == &head->crtc)
		d3dgpu_plane_report(head, &old_state->dst);
	if (!new_state->visible) {
		d3dgpu_overlay_off(head);
		return;
	}
	d3dgpu_overlay_write(head, new_state);
	d3dgpu_plane_report(head, &new_state->dst);
}

static const struct drm_plane_helper_funcs d3dgpu_overlay_helper_funcs = {
	.prepare_fb = d3dgpu_plane_prepare_fb,
	.cleanup_fb = d3dgpu_plane_cleanup_fb,
	.atomic_check = d3dgpu_overlay_atomic_check,
	.atomic_update = d3dgpu_overlay_atomic_update,
};

static int d3dgpu_overlay_create_properties(struct drm_plane *plane)
{
	unsigned int filters = BIT(DRM_SCALING_FILTER_DEFAULT) |
			       BIT(DRM_SCALING_FILTER_NEAREST_NEIGHBOR);
	int ret;

	ret = drm_plane_create_zpos_immutable_property(plane, 1);
	if (ret)
		return ret;
	ret = drm_plane_create_alpha_property(plane);
	if (ret)
		return ret;
	ret = drm_plane_create_blend_mode_property(plane, BIT(DRM_MODE_BLEND_PIXEL_NONE) |
								  BIT(DRM_MODE_BLEND_PREMULTI) |
								  BIT(DRM_MODE_BLEND_COVERAGE));
	if (ret)
		return ret;
	ret = drm_plane_create_scaling_filter_property(plane, filters);
	if (ret)
		return ret;
	return drm_plane_create_rotation_property(plane, DRM_MODE_ROTATE_0,
						  DRM_MODE_ROTATE_MASK | DRM_MODE_REFLECT_MASK);
}

/**
 * d3dgpu_overlay_init() - set up a head's overlay plane
 * @head: the head
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_overlay_init(struct d3dgpu_head *head)
{
	struct drm_plane *plane = &head->overlay;
	int ret;

	ret = drm_universal_plane_init(head->primary.dev, plane, BIT(head->index),
				       &d3dgpu_plane_funcs, d3dgpu_overlay_formats,
				       ARRAY_SIZE(d3dgpu_overlay_formats),
				       d3dgpu_overlay_modifiers, DRM_PLANE_TYPE_OVERLAY, NULL);
	if (ret)
		return ret;
	drm_plane_helper_add(plane, &d3dgpu_overlay_helper_funcs);
	return d3dgpu_overlay_create_properties(plane);
}
