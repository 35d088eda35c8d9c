/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_KMS_H
#define D3DGPU_KMS_H

#include <drm/drm_connector.h>
#include <drm/drm_crtc.h>
#include <drm/drm_encoder.h>
#include <drm/drm_plane.h>
#include <drm/drm_rect.h>

#include <d3dgpu_regs.h>

#include "d3dgpu_compat.h"

struct d3dgpu_device;
struct drm_atomic_state;
struct drm_file;
struct drm_mode_fb_cmd2;

/**
 * struct d3dgpu_head - one display head: its planes, CRTC, encoder and connector
 */
struct d3dgpu_head {
	/** @primary: The surface of the screen's size. */
	struct drm_plane primary;

	/** @overlay: A scaled picture over it. */
	struct drm_plane overlay;

	/** @cursor: The cursor. */
	struct drm_plane cursor;

	/** @crtc: The CRTC. */
	struct drm_crtc crtc;

	/** @encoder: Does nothing, but the mode setting code wants one. */
	struct drm_encoder encoder;

	/** @connector: The host's window. */
	struct drm_connector connector;

	/** @regs: The head's block of registers. */
	void __iomem *regs;

	/** @overlay_regs: The overlay's block. */
	void __iomem *overlay_regs;

	/** @crc_regs: The block of its frame CRCs. */
	void __iomem *crc_regs;

	/** @index: Number of the head. */
	unsigned int index;

	/**
	 * @redraw: The commit that is being put together changes more than the
	 * damage that it reports. Commits of a head do not overlap.
	 */
	bool redraw;

	/** @reports: Who draws into the primary plane's buffer reports the damage. */
	bool reports;

	/**
	 * @event: Event of the flip that the device was given last, or NULL.
	 * Protected by &drm_device.event_lock.
	 */
	struct drm_pending_vblank_event *event;

	/**
	 * @crc_on: Somebody reads the CRCs of frames. Protected by
	 * &drm_device.event_lock.
	 */
	bool crc_on;

	/**
	 * @dark: A reset has switched the head off: there are no vblanks, and
	 * flips are done at once. Protected by &drm_device.event_lock.
	 */
	bool dark;

	/** @extra_vblanks: How many there were that the device has not counted. */
	atomic_t extra_vblanks;
};

/**
 * struct d3dgpu_clock - how much the device's clock is ahead of the system's
 */
struct d3dgpu_clock {
	/** @lock: Protects all this, and the registers that latch times. */
	spinlock_t lock;

	/** @low: The least that it may be, nanoseconds. */
	s64 low;

	/** @high: The most that it may be. */
	s64 high;

	/** @sampled: When it was looked at last; 0: never. */
	ktime_t sampled;
};

static inline struct d3dgpu_head *crtc_to_head(struct drm_crtc *crtc)
{
	return container_of(crtc, struct d3dgpu_head, crtc);
}

static inline struct d3dgpu_head *connector_to_head(struct drm_connector *connector)
{
	return container_of(connector, struct d3dgpu_head, connector);
}

/* d3dgpu_kms.c */
int d3dgpu_kms_init(struct d3dgpu_device *gdev);
void d3dgpu_kms_irq(struct d3dgpu_device *gdev);
u32 d3dgpu_head_read(struct d3dgpu_head *head, u32 reg);
void d3dgpu_head_write(struct d3dgpu_head *head, u32 reg, u32 value);

/* d3dgpu_crtc.c */
int d3dgpu_crtc_init(struct d3dgpu_head *head);
void d3dgpu_crtc_flip_done(struct d3dgpu_head *head);

/* d3dgpu_blackout.c */
void d3dgpu_blackout_init(struct d3dgpu_device *gdev);
void d3dgpu_blackout_begin(struct d3dgpu_device *gdev);
void d3dgpu_blackout_lift(struct d3dgpu_head *head);
void d3dgpu_blackout_end(struct d3dgpu_device *gdev);

/* d3dgpu_vblank.c */
void d3dgpu_vblank_init(struct d3dgpu_device *gdev);
void d3dgpu_vblank_on(struct d3dgpu_head *head);
void d3dgpu_vblank_off(struct d3dgpu_head *head);
int d3dgpu_vblank_enable(struct drm_crtc *crtc);
void d3dgpu_vblank_disable(struct drm_crtc *crtc);
u32 d3dgpu_vblank_count(struct drm_crtc *crtc);
bool d3dgpu_vblank_timestamp(struct drm_crtc *crtc, int *max_error, ktime_t *time,
			     bool in_vblank_irq);

/* d3dgpu_crc.c */
const char * const *d3dgpu_crc_sources(struct drm_crtc *crtc, size_t *count);
int d3dgpu_crc_verify_source(struct drm_crtc *crtc, const char *source, size_t *values);
int d3dgpu_crc_set_source(struct drm_crtc *crtc, const char *source);
void d3dgpu_crc_restore(struct d3dgpu_head *head);
void d3dgpu_crc_send(struct d3dgpu_head *head);

/* d3dgpu_plane.c: what planes have in common */
extern const struct drm_plane_funcs d3dgpu_plane_funcs;
int d3dgpu_plane_prepare_fb(struct drm_plane *plane, struct drm_plane_state *state);
void d3dgpu_plane_cleanup_fb(struct drm_plane *plane, struct drm_plane_state *state);
int d3dgpu_plane_check(struct drm_plane *plane, struct drm_atomic_state *state, int max_scale,
		       bool can_position);
u64 d3dgpu_plane_offset(const struct drm_plane_state *state, unsigned int x, unsigned int y);
u32 d3dgpu_plane_transform(const struct drm_plane_state *state);
void d3dgpu_plane_report(struct d3dgpu_head *head, const struct drm_rect *rect);

/* d3dgpu_primary.c, d3dgpu_overlay.c, d3dgpu_cursor.c */
int d3dgpu_primary_init(struct d3dgpu_head *head);
void d3dgpu_primary_off(struct d3dgpu_head *head);
int d3dgpu_overlay_init(struct d3dgpu_head *head);
void d3dgpu_overlay_off(struct d3dgpu_head *head);
int d3dgpu_cursor_init(struct d3dgpu_head *head);
void d3dgpu_cursor_off(struct d3dgpu_head *head);

/* d3dgpu_panic.c */
int d3dgpu_panic_init(struct d3dgpu_device *gdev);

/* d3dgpu_connector.c */
int d3dgpu_connector_init(struct d3dgpu_head *head);

/* d3dgpu_fb.c */
u32 d3dgpu_fb_scanout_format(u32 fourcc);
struct drm_framebuffer *d3dgpu_fb_create(struct drm_device *drm,
					 struct drm_file *file D3DGPU_COMPAT_FORMAT_PARAMETER,
					 const struct drm_mode_fb_cmd2 *cmd);

#endif
