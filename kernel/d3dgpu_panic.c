// SPDX-License-Identifier: GPL-2.0-only
#include <linux/panic_notifier.h>

#include <drm/drm_fourcc.h>
#include <drm/drm_framebuffer.h>
#include <drm/drm_managed.h>

#include "d3dgpu_compat.h"
#include "d3dgpu_drv.h"

/**
 * DOC: Panics
 *
 * When the kernel panics, nothing is scheduled any more: what the console draws stays in its shadow
 * in system memory, and the screen shows what some program has drawn last. But the buffer that is
 * scanned out is pinned in VRAM, which is mapped, and registers can be written from anywhere. So
 * the console's text is copied over what is shown. Kernels that have a panic screen of their own
 * (DRM_PANIC) draw it there instead.
 */

/**
 * d3dgpu_panic_picture() - where a panic's text can be drawn
 * @plane: a primary plane
 * @picture: what it shows
 *
 * Takes no lock; called when nothing else runs.
 *
 * Return: false if it shows nothing that could be drawn on.
 */
bool d3dgpu_panic_picture(struct drm_plane *plane, struct d3dgpu_picture *picture)
{
	const struct drm_plane_state *state = plane->state;
	struct d3dgpu_device *gdev = to_d3dgpu(plane->dev);

	if (!state || !state->visible || d3dgpu_plane_transform(state) & 1)
		return false;
	picture->format = state->fb->format;
	picture->pixels = gdev->vram + d3dgpu_plane_offset(state, state->src.x1 >> 16,
							   state->src.y1 >> 16);
	picture->width = drm_rect_width(&state->src) >> 16;
	picture->height = drm_rect_height(&state->src) >> 16;
	picture->pitch = state->fb->pitches[0];
	return true;
}

/**
 * d3dgpu_panic_flush() - show all of what was drawn on a primary plane, and nothing over it
 * @plane: the plane
 */
void d3dgpu_panic_flush(struct drm_plane *plane)
{
	struct d3dgpu_head *head = container_of(plane, struct d3dgpu_head, primary);

	d3dgpu_cursor_off(head);
	d3dgpu_overlay_off(head);
	d3dgpu_head_write(head, D3DGPU_HEAD_GAMMA, 0);
	d3dgpu_head_write(head, D3DGPU_HEAD_TRANSFORM, 0);
	d3dgpu_head_write(head, D3DGPU_HEAD_COMMIT, D3DGPU_COMMIT_LATCH);
}

/* The upper left part that both have; black around it. */
static void d3dgpu_panic_copy(const struct d3dgpu_picture *from, const struct d3dgpu_picture *to)
{
	size_t row = min(from->width, to->width) * sizeof(u32);
	size_t rest = to->width * sizeof(u32) - row;
	unsigned int y;

	for (y = 0; y < to->height; y++) {
		u8 *line = to->pixels + (size_t)to->pitch * y;

		if (y < from->height)
			memcpy(line, from->pixels + (size_t)from->pitch * y, row);
		else
			memset(line, 0, row);
		memset(line + row, 0, rest);
	}
}

static int d3dgpu_panic_notify(struct notifier_block *notifier, unsigned long event, void *data)
{
	struct d3dgpu_device *gdev = container_of(notifier, struct d3dgpu_device, panic_notifier);
	struct d3dgpu_picture console, shown;
	unsigned int i;

	if (!d3dgpu_compat_console(&gdev->drm, &console))
		return NOTIFY_DONE;
	for (i = 0; i < gdev->head_count; i++) {
		struct drm_plane *plane = &gdev->heads[i].primary;

		if (!d3dgpu_panic_picture(plane, &shown) ||
		    (shown.format->format != DRM_FORMAT_XRGB8888 &&
		     shown.format->format != DRM_FORMAT_ARGB8888))
			continue;
		d3dgpu_panic_copy(&console, &shown);
		d3dgpu_panic_flush(plane);
	}
	return NOTIFY_DONE;
}

static void d3dgpu_panic_fini(struct drm_device *drm, void *data)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &to_d3dgpu(drm)->panic_notifier);
}

/**
 * d3dgpu_panic_init() - be told of panics
 * @gdev: the device
 *
 * Return: 0 or a negative error code.
 */
int d3dgpu_panic_init(struct d3dgpu_device *gdev)
{
	gdev->panic_notifier.notifier_call = d3dgpu_panic_notify;
	atomic_notifier_chain_register(&panic_notifier_list, &gdev->panic_notifier);
	return drmm_add_action_or_reset(&gdev->drm, d3dgpu_panic_fini, NULL);
}
