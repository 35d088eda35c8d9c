// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic.h>
#include <drm/drm_atomic_helper.h>
#include <drm/drm_damage_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_gem_atomic_helper.h>
#include <drm/drm_gem_framebuffer_helper.h>
#include <drm/drm_managed.h>
#include <drm/drm_mode_config.h>
#include <drm/drm_probe_helper.h>
#include <drm/drm_vblank.h>

#include "d3dgpu_bo.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Display
 *
 * One to four heads, each a plane, a CRTC, an encoder and a connector that belong together. A
 * head scans out of VRAM, where every buffer object lies anyway, so there is nothing to pin.
 *
 * Registers of a head take effect with a write to COMMIT; at the next vblank the device says
 * FLIP_DONE, which completes the commit here. A framebuffer may be a dumb buffer, or a resource
 * with one level and a format that the head reads: then the stream that flushes the resource to
 * its linear image must have listed it as written, and the commit waits for that.
 */

#define D3DGPU_MAX_EXTENT 16384

static const u32 d3dgpu_plane_formats[] = {
	DRM_FORMAT_XRGB8888,
	DRM_FORMAT_XBGR8888,
	DRM_FORMAT_RGB565,
};

static u32 d3dgpu_scanout_format(u32 fourcc)
{
	switch (fourcc) {
	case DRM_FORMAT_XRGB8888:
		return D3DGPU_SCANOUT_XRGB8888;
	case DRM_FORMAT_XBGR8888:
		return D3DGPU_SCANOUT_XBGR8888;
	case DRM_FORMAT_RGB565:
		return D3DGPU_SCANOUT_RGB565;
	default:
		return 0;
	}
}

static struct d3dgpu_head *plane_to_head(struct drm_plane *plane)
{
	return container_of(plane, struct d3dgpu_head, plane);
}

static struct d3dgpu_head *crtc_to_head(struct drm_crtc *crtc)
{
	return container_of(crtc, struct d3dgpu_head, crtc);
}

static struct d3dgpu_head *connector_to_head(struct drm_connector *connector)
{
	return container_of(connector, struct d3dgpu_head, connector);
}

/* When the device has gone, registers read 0, and writes go nowhere. */
static u32 d3dgpu_head_read(struct d3dgpu_head *head, u32 reg)
{
	u32 value;
	int idx;

	if (!drm_dev_enter(head->plane.dev, &idx))
		return 0;
	value = readl(head->regs + reg);
	drm_dev_exit(idx);
	return value;
}

static void d3dgpu_head_write(struct d3dgpu_head *head, u32 reg, u32 value)
{
	int idx;

	if (!drm_dev_enter(head->plane.dev, &idx))
		return;
	writel(value, head->regs + reg);
	drm_dev_exit(idx);
}

/* ---- plane ---- */

static int d3dgpu_plane_atomic_check(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct drm_crtc_state *crtc_state;

	if (!new_state->crtc)
		return 0;
	crtc_state = drm_atomic_get_new_crtc_state(state, new_state->crtc);
	return drm_atomic_helper_check_plane_state(new_state, crtc_state, DRM_PLANE_NO_SCALING,
						   DRM_PLANE_NO_SCALING, false, true);
}

static void d3dgpu_plane_report_damage(struct d3dgpu_head *head, struct drm_plane_state *old_state,
				       struct drm_plane_state *new_state)
{
	struct drm_rect rect;

	if (!drm_atomic_helper_damage_merged(old_state, new_state, &rect))
		return;
	/* Clips are in the framebuffer's coordinates, the device wants the screen's. */
	drm_rect_translate(&rect, -(new_state->src.x1 >> 16), -(new_state->src.y1 >> 16));
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_X, rect.x1);
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_Y, rect.y1);
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_WIDTH, drm_rect_width(&rect));
	d3dgpu_head_write(head, D3DGPU_HEAD_DAMAGE_HEIGHT, drm_rect_height(&rect));
}

static void d3dgpu_plane_atomic_update(struct drm_plane *plane, struct drm_atomic_state *state)
{
	struct drm_plane_state *old_state = drm_atomic_get_old_plane_state(state, plane);
	struct drm_plane_state *new_state = drm_atomic_get_new_plane_state(state, plane);
	struct drm_framebuffer *fb = new_state->fb;
	struct d3dgpu_head *head = plane_to_head(plane);
	u64 offset;

	if (!fb || !new_state->crtc)
		return;
	offset = d3dgpu_bo_offset(to_d3dgpu_bo(drm_gem_fb_get_obj(fb, 0))) + fb->offsets[0] +
		 (u64)(new_state->src.y1 >> 16) * fb->pitches[0] +
		 (new_state->src.x1 >> 16) * fb->format->cpp[0];
	d3dgpu_head_write(head, D3DGPU_HEAD_PITCH, fb->pitches[0]);
	d3dgpu_head_write(head, D3DGPU_HEAD_FORMAT, d3dgpu_scanout_format(fb->format->format));
	d3dgpu_head_write(head, D3DGPU_HEAD_OFFSET_LO, lower_32_bits(offset));
	d3dgpu_head_write(head, D3DGPU_HEAD_OFFSET_HI, upper_32_bits(offset));
	if (old_state->fb == fb)
		d3dgpu_plane_report_damage(head, old_state, new_state);
}

static const struct drm_plane_helper_funcs d3dgpu_plane_helper_funcs = {
	.prepare_fb = drm_gem_plane_helper_prepare_fb,
	.atomic_check = d3dgpu_plane_atomic_check,
	.atomic_update = d3dgpu_plane_atomic_update,
};

static const struct drm_plane_funcs d3dgpu_plane_funcs = {
	.update_plane = drm_atomic_helper_update_plane,
	.disable_plane = drm_atomic_helper_disable_plane,
	.destroy = drm_plane_cleanup,
	.reset = drm_atomic_helper_plane_reset,
	.atomic_duplicate_state = drm_atomic_helper_plane_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_plane_destroy_state,
};

/* ---- CRTC ---- */

/* The device refuses to show nothing. */
static int d3dgpu_crtc_atomic_check(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct drm_crtc_state *new_state = drm_atomic_get_new_crtc_state(state, crtc);

	if (new_state->enable && !(new_state->plane_mask & drm_plane_mask(crtc->primary)))
		return -EINVAL;
	return drm_atomic_add_affected_planes(state, crtc);
}

static void d3dgpu_crtc_atomic_enable(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);
	const struct drm_display_mode *mode = &crtc->state->adjusted_mode;

	d3dgpu_head_write(head, D3DGPU_HEAD_WIDTH, mode->hdisplay);
	d3dgpu_head_write(head, D3DGPU_HEAD_HEIGHT, mode->vdisplay);
	d3dgpu_head_write(head, D3DGPU_HEAD_REFRESH, drm_mode_vrefresh(mode) * 1000);
	d3dgpu_head_write(head, D3DGPU_HEAD_ENABLE, 1);
	drm_crtc_vblank_on(crtc);
}

static void d3dgpu_crtc_send_event(struct drm_crtc *crtc)
{
	spin_lock_irq(&crtc->dev->event_lock);
	if (crtc->state->event)
		drm_crtc_send_vblank_event(crtc, crtc->state->event);
	crtc->state->event = NULL;
	spin_unlock_irq(&crtc->dev->event_lock);
}

static void d3dgpu_crtc_atomic_disable(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);

	drm_crtc_vblank_off(crtc);
	d3dgpu_head_write(head, D3DGPU_HEAD_ENABLE, 0);
	d3dgpu_head_write(head, D3DGPU_HEAD_COMMIT, 1);
	if (!crtc->state->active)
		d3dgpu_crtc_send_event(crtc);
}

/* Latches what plane and CRTC have written. The interrupt takes the event when the flip is done. */
static void d3dgpu_crtc_atomic_flush(struct drm_crtc *crtc, struct drm_atomic_state *state)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);
	struct drm_device *drm = crtc->dev;
	int idx;

	if (!crtc->state->active)
		return;
	if (!drm_dev_enter(drm, &idx)) {
		d3dgpu_crtc_send_event(crtc); /* there will be no interrupt */
		return;
	}
	spin_lock_irq(&drm->event_lock);
	if (crtc->state->event) {
		WARN_ON(head->event);
		WARN_ON(drm_crtc_vblank_get(crtc));
		head->event = crtc->state->event;
		crtc->state->event = NULL;
	}
	/* A flip before this one is none of this event's business. */
	d3dgpu_head_write(head, D3DGPU_HEAD_STATUS, D3DGPU_HEAD_STATUS_FLIP_DONE);
	d3dgpu_head_write(head, D3DGPU_HEAD_COMMIT, 1);
	spin_unlock_irq(&drm->event_lock);
	drm_dev_exit(idx);
}

static int d3dgpu_crtc_enable_vblank(struct drm_crtc *crtc)
{
	WRITE_ONCE(crtc_to_head(crtc)->vblank_on, true);
	return 0;
}

/* The device's vblank interrupt stays on, for hotplug comes with it. */
static void d3dgpu_crtc_disable_vblank(struct drm_crtc *crtc)
{
	WRITE_ONCE(crtc_to_head(crtc)->vblank_on, false);
}

static const struct drm_crtc_helper_funcs d3dgpu_crtc_helper_funcs = {
	.atomic_check = d3dgpu_crtc_atomic_check,
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
	.enable_vblank = d3dgpu_crtc_enable_vblank,
	.disable_vblank = d3dgpu_crtc_disable_vblank,
};

static void d3dgpu_head_flip_done(struct d3dgpu_head *head)
{
	struct drm_device *drm = head->crtc.dev;

	spin_lock(&drm->event_lock);
	if (head->event) {
		drm_crtc_send_vblank_event(&head->crtc, head->event);
		drm_crtc_vblank_put(&head->crtc);
		head->event = NULL;
	}
	spin_unlock(&drm->event_lock);
}

/**
 * d3dgpu_kms_irq() - see what the display engine wants
 * @gdev: the device
 *
 * Called in interrupts, which come as long as the registers are mapped: also while the device is
 * being unplugged, for commits in flight wait for them. The counter is brought up to date before
 * events that carry it are sent.
 */
void d3dgpu_kms_irq(struct d3dgpu_device *gdev)
{
	unsigned int i;

	for (i = 0; i < gdev->head_count; i++) {
		struct d3dgpu_head *head = &gdev->heads[i];
		u32 status = readl(head->regs + D3DGPU_HEAD_STATUS);

		status &= D3DGPU_HEAD_STATUS_VBLANK | D3DGPU_HEAD_STATUS_FLIP_DONE |
			  D3DGPU_HEAD_STATUS_HOTPLUG;
		if (!status)
			continue;
		writel(status, head->regs + D3DGPU_HEAD_STATUS);
		if (status & D3DGPU_HEAD_STATUS_VBLANK && READ_ONCE(head->vblank_on))
			drm_crtc_handle_vblank(&head->crtc);
		if (status & D3DGPU_HEAD_STATUS_FLIP_DONE)
			d3dgpu_head_flip_done(head);
		if (status & D3DGPU_HEAD_STATUS_HOTPLUG)
			schedule_work(&gdev->hotplug_work);
	}
}

static void d3dgpu_kms_hotplug_work(struct work_struct *work)
{
	struct d3dgpu_device *gdev = container_of(work, struct d3dgpu_device, hotplug_work);

	drm_kms_helper_hotplug_event(&gdev->drm);
}

/* ---- connector ---- */

static int d3dgpu_connector_read_edid(void *data, u8 *buffer, unsigned int block, size_t size)
{
	struct d3dgpu_head *head = data;
	struct d3dgpu_device *gdev = to_d3dgpu(head->connector.dev);
	size_t i;
	int idx;

	if ((block + 1) * EDID_LENGTH > D3DGPU_REG_EDID_SIZE)
		return -EINVAL;
	if (!drm_dev_enter(&gdev->drm, &idx))
		return -ENODEV;
	for (i = 0; i < size; i++)
		buffer[i] = readb(gdev->regs + D3DGPU_REG_HEAD_EDID(head->index) +
				  block * EDID_LENGTH + i);
	drm_dev_exit(idx);
	return 0;
}

/* The host's window is a mode too, even where the EDID cannot say it. */
static int d3dgpu_connector_add_window_mode(struct d3dgpu_head *head)
{
	u32 width = d3dgpu_head_read(head, D3DGPU_HEAD_PREFERRED_WIDTH);
	u32 height = d3dgpu_head_read(head, D3DGPU_HEAD_PREFERRED_HEIGHT);
	struct drm_display_mode *mode;

	if (!width || !height || width > D3DGPU_MAX_EXTENT || height > D3DGPU_MAX_EXTENT)
		return 0;
	mode = drm_cvt_mode(head->connector.dev, width, height, 60, false, false, false);
	if (!mode)
		return 0;
	mode->hdisplay = width; /* CVT rounds it */
	mode->type |= DRM_MODE_TYPE_PREFERRED;
	drm_mode_set_name(mode);
	drm_mode_probed_add(&head->connector, mode);
	return 1;
}

static int d3dgpu_connector_get_modes(struct drm_connector *connector)
{
	struct d3dgpu_head *head = connector_to_head(connector);
	struct edid *edid = drm_do_get_edid(connector, d3dgpu_connector_read_edid, head);
	int count;

	drm_connector_update_edid_property(connector, edid);
	count = drm_add_edid_modes(connector, edid);
	kfree(edid);
	count += d3dgpu_connector_add_window_mode(head);
	return count + drm_add_modes_noedid(connector, 4096, 4096);
}

static int d3dgpu_connector_detect(struct drm_connector *connector,
				   struct drm_modeset_acquire_ctx *ctx, bool force)
{
	struct d3dgpu_head *head = connector_to_head(connector);

	return d3dgpu_head_read(head, D3DGPU_HEAD_STATUS) & D3DGPU_HEAD_STATUS_CONNECTED ?
		       connector_status_connected :
		       connector_status_disconnected;
}

static const struct drm_connector_helper_funcs d3dgpu_connector_helper_funcs = {
	.get_modes = d3dgpu_connector_get_modes,
	.detect_ctx = d3dgpu_connector_detect,
};

static const struct drm_connector_funcs d3dgpu_connector_funcs = {
	.fill_modes = drm_helper_probe_single_connector_modes,
	.destroy = drm_connector_cleanup,
	.reset = drm_atomic_helper_connector_reset,
	.atomic_duplicate_state = drm_atomic_helper_connector_duplicate_state,
	.atomic_destroy_state = drm_atomic_helper_connector_destroy_state,
};

static const struct drm_encoder_funcs d3dgpu_encoder_funcs = {
	.destroy = drm_encoder_cleanup,
};

/* ---- framebuffers ---- */

static bool d3dgpu_format_scans_out(u32 format, u32 fourcc)
{
	switch (fourcc) {
	case DRM_FORMAT_XRGB8888:
		return format == D3DGPU_FMT_B8G8R8A8_UNORM || format == D3DGPU_FMT_B8G8R8X8_UNORM ||
		       format == D3DGPU_FMT_B8G8R8A8_SRGB || format == D3DGPU_FMT_B8G8R8X8_SRGB;
	case DRM_FORMAT_XBGR8888:
		return format == D3DGPU_FMT_R8G8B8A8_UNORM || format == D3DGPU_FMT_R8G8B8X8_UNORM ||
		       format == D3DGPU_FMT_R8G8B8A8_SRGB || format == D3DGPU_FMT_R8G8B8X8_SRGB;
	case DRM_FORMAT_RGB565:
		return format == D3DGPU_FMT_B5G6R5_UNORM;
	default:
		return false;
	}
}

/* What the device refuses would be a flip that never ends. */
static bool d3dgpu_layout_scans_out(const struct drm_mode_fb_cmd2 *cmd)
{
	return d3dgpu_scanout_format(cmd->pixel_format) && !(cmd->pitches[0] & 3) &&
	       cmd->pitches[0] <= D3DGPU_HEAD_MAX_PITCH && !(cmd->offsets[0] & 3);
}

/* Whether an object's range, read as the command says, is a picture. DRM checks the size. */
static bool d3dgpu_bo_scans_out(const struct d3dgpu_bo *bo, const struct drm_mode_fb_cmd2 *cmd)
{
	switch (bo->kind) {
	case D3DGPU_KIND_DUMB:
		return true;
	case D3DGPU_KIND_RESOURCE:
		return bo->desc.target == D3DGPU_TARGET_2D && !bo->desc.samples &&
		       cmd->width <= bo->desc.width && cmd->height <= bo->desc.height &&
		       !cmd->offsets[0] && cmd->pitches[0] == d3dgpu_linear_pitch(&bo->desc, 0) &&
		       d3dgpu_format_scans_out(bo->desc.format, cmd->pixel_format);
	default:
		return false;
	}
}

static struct drm_framebuffer *d3dgpu_fb_create(struct drm_device *drm, struct drm_file *file,
						const struct drm_mode_fb_cmd2 *cmd)
{
	struct d3dgpu_bo *bo;
	bool suitable;

	bo = d3dgpu_bo_lookup(file, cmd->handles[0]);
	if (!bo)
		return ERR_PTR(-ENOENT);
	suitable = d3dgpu_layout_scans_out(cmd) && d3dgpu_bo_scans_out(bo, cmd);
	if (suitable)
		d3dgpu_bo_make_implicit(bo, file);
	d3dgpu_bo_put(bo);
	if (!suitable)
		return ERR_PTR(-EINVAL);
	return drm_gem_fb_create_with_dirty(drm, file, cmd);
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

/* ---- set-up ---- */

static int d3dgpu_head_init(struct d3dgpu_device *gdev, unsigned int index)
{
	struct d3dgpu_head *head = &gdev->heads[index];
	struct drm_device *drm = &gdev->drm;
	int ret;

	head->index = index;
	head->regs = gdev->regs + D3DGPU_REG_HEAD(index);

	ret = drm_universal_plane_init(drm, &head->plane, BIT(index), &d3dgpu_plane_funcs,
				       d3dgpu_plane_formats, ARRAY_SIZE(d3dgpu_plane_formats), NULL,
				       DRM_PLANE_TYPE_PRIMARY, NULL);
	if (ret)
		return ret;
	drm_plane_helper_add(&head->plane, &d3dgpu_plane_helper_funcs);
	drm_plane_enable_fb_damage_clips(&head->plane);

	ret = drm_crtc_init_with_planes(drm, &head->crtc, &head->plane, NULL, &d3dgpu_crtc_funcs,
					NULL);
	if (ret)
		return ret;
	drm_crtc_helper_add(&head->crtc, &d3dgpu_crtc_helper_funcs);

	ret = drm_encoder_init(drm, &head->encoder, &d3dgpu_encoder_funcs, DRM_MODE_ENCODER_VIRTUAL,
			       NULL);
	if (ret)
		return ret;
	head->encoder.possible_crtcs = drm_crtc_mask(&head->crtc);

	ret = drm_connector_init(drm, &head->connector, &d3dgpu_connector_funcs,
				 DRM_MODE_CONNECTOR_VIRTUAL);
	if (ret)
		return ret;
	drm_connector_helper_add(&head->connector, &d3dgpu_connector_helper_funcs);
	head->connector.polled = DRM_CONNECTOR_POLL_HPD;
	/* Virtual connectors do not have it by themselves. */
	drm_connector_attach_edid_property(&head->connector);
	return drm_connector_attach_encoder(&head->connector, &head->encoder);
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
	ret = drmm_mode_config_init(drm);
	if (ret)
		return ret;
	drm->mode_config.max_width = D3DGPU_MAX_EXTENT;
	drm->mode_config.max_height = D3DGPU_MAX_EXTENT;
	drm->mode_config.preferred_depth = 24;
	drm->mode_config.funcs = &d3dgpu_mode_config_funcs;
	drm->mode_config.helper_private = &d3dgpu_mode_config_helper_funcs;
	for (i = 0; i < gdev->head_count; i++) {
		ret = d3dgpu_head_init(gdev, i);
		if (ret)
			return ret;
	}
	ret = drm_vblank_init(drm, gdev->head_count);
	if (ret)
		return ret;
	drm_mode_config_reset(drm);
	return 0;
}
