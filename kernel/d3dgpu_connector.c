// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_atomic_helper.h>
#include <drm/drm_atomic_state_helper.h>
#include <drm/drm_drv.h>
#include <drm/drm_edid.h>
#include <drm/drm_modes.h>
#include <drm/drm_probe_helper.h>

#include "d3dgpu_drv.h"

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

static bool d3dgpu_connector_has_mode(struct drm_connector *connector, u32 width, u32 height)
{
	struct drm_display_mode *mode;

	list_for_each_entry(mode, &connector->probed_modes, head)
		if (mode->hdisplay == width && mode->vdisplay == height)
			return true;
	return false;
}

/* The host's window is a mode too, also where the EDID cannot say it. */
static int d3dgpu_connector_add_window_mode(struct d3dgpu_head *head)
{
	u32 width = d3dgpu_head_read(head, D3DGPU_HEAD_PREFERRED_WIDTH);
	u32 height = d3dgpu_head_read(head, D3DGPU_HEAD_PREFERRED_HEIGHT);
	struct drm_display_mode *mode;

	if (!width || !height || width > D3DGPU_HEAD_MAX_EXTENT ||
	    height > D3DGPU_HEAD_MAX_EXTENT ||
	    d3dgpu_connector_has_mode(&head->connector, width, height))
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
	const struct drm_edid *edid;
	int count;

	edid = drm_edid_read_custom(connector, d3dgpu_connector_read_edid, head);
	count = d3dgpu_compat_edid_modes(connector, edid);
	drm_edid_free(edid);
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

/**
 * d3dgpu_connector_init() - set up a head's connector
 * @head: the head, with its encoder
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_connector_init(struct d3dgpu_head *head)
{
	int ret;

	ret = drm_connector_init(head->encoder.dev, &head->connector, &d3dgpu_connector_funcs,
				 DRM_MODE_CONNECTOR_VIRTUAL);
	if (ret)
		return ret;
	drm_connector_helper_add(&head->connector, &d3dgpu_connector_helper_funcs);
	head->connector.polled = DRM_CONNECTOR_POLL_HPD;
	/* Virtual connectors do not have it by themselves. */
	drm_connector_attach_edid_property(&head->connector);
	return drm_connector_attach_encoder(&head->connector, &head->encoder);
}
