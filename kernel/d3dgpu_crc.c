// SPDX-License-Identifier: GPL-2.0-only
#include <drm/drm_crtc.h>
#include <drm/drm_drv.h>
#include <drm/drm_vblank.h>

#include "d3dgpu_drv.h"

/**
 * DOC: Frame CRCs
 *
 * What a head shows, as a number, for tests: /sys/kernel/debug/dri/N/crtc-M/crc/ has them. The
 * device makes one for each frame as long as somebody reads them, and has it ready with the vblank
 * that ends the frame, or the last of several that look the same. There is one source, "auto": all planes and gamma, the cursor included, also where
 * the host shows it by itself.
 *
 * The device counts the vblanks since its reset, the DRM core since it was loaded. Users know the
 * latter's numbers: a frame's is as far behind the count of now as the device says.
 */

/* Frames that look the same, of which there can be many after a stop of the machine: as many count. */
#define D3DGPU_CRC_MAX_FRAMES 64

static const char d3dgpu_crc_auto[] = "auto";

static const char * const d3dgpu_crc_names[] = { d3dgpu_crc_auto };

/**
 * d3dgpu_crc_sources() - what there are CRCs of
 * @crtc: the CRTC
 * @count: how many there are
 *
 * Return: their names.
 */
const char * const *d3dgpu_crc_sources(struct drm_crtc *crtc, size_t *count)
{
	*count = ARRAY_SIZE(d3dgpu_crc_names);
	return d3dgpu_crc_names;
}

/**
 * d3dgpu_crc_verify_source() - see whether there are CRCs of something
 * @crtc: the CRTC
 * @source: its name, or NULL: nothing
 * @values: how many numbers each CRC has
 *
 * Return: 0, or -EINVAL if there are none.
 */
int d3dgpu_crc_verify_source(struct drm_crtc *crtc, const char *source, size_t *values)
{
	if (source && strcmp(source, d3dgpu_crc_auto))
		return -EINVAL;
	*values = 1;
	return 0;
}

/* Under the event lock. */
static void d3dgpu_crc_write_control(struct d3dgpu_head *head)
{
	int idx;

	if (!drm_dev_enter(head->crtc.dev, &idx))
		return;
	writel(head->crc_on ? D3DGPU_CRC_ENABLED : 0, head->crc_regs + D3DGPU_CRC_CONTROL);
	drm_dev_exit(idx);
}

/**
 * d3dgpu_crc_set_source() - begin to make CRCs, or end it
 * @crtc: the CRTC
 * @source: of what, or NULL: of nothing
 *
 * Return: 0, or -EINVAL if there are none of that.
 */
int d3dgpu_crc_set_source(struct drm_crtc *crtc, const char *source)
{
	struct d3dgpu_head *head = crtc_to_head(crtc);
	size_t values;
	int ret = d3dgpu_crc_verify_source(crtc, source, &values);

	if (ret)
		return ret;
	spin_lock_irq(&crtc->dev->event_lock);
	head->crc_on = source;
	d3dgpu_crc_write_control(head);
	spin_unlock_irq(&crtc->dev->event_lock);
	return 0;
}

/**
 * d3dgpu_crc_restore() - have the device make the CRCs that are read
 * @head: the head, which is being switched on, perhaps after a reset of the device
 */
void d3dgpu_crc_restore(struct d3dgpu_head *head)
{
	spin_lock_irq(&head->crtc.dev->event_lock);
	d3dgpu_crc_write_control(head);
	spin_unlock_irq(&head->crtc.dev->event_lock);
}

/* The DRM core's count at a vblank that the device numbers like this. */
static u32 d3dgpu_crc_count(struct d3dgpu_head *head, u32 frame)
{
	u32 now, count;

	do {
		now = readl(head->regs + D3DGPU_HEAD_VBLANK_COUNT);
		count = drm_crtc_accurate_vblank_count(&head->crtc);
	} while (now != readl(head->regs + D3DGPU_HEAD_VBLANK_COUNT));
	return count - (now - frame);
}

/**
 * d3dgpu_crc_send() - take the CRC of frames that have ended to those who read them
 * @head: the head
 *
 * Called in interrupts, with the event CRC set; the device keeps what it says until that is
 * cleared.
 */
void d3dgpu_crc_send(struct d3dgpu_head *head)
{
	u32 first = readl(head->crc_regs + D3DGPU_CRC_FRAME);
	u32 frames = readl(head->crc_regs + D3DGPU_CRC_FRAMES);
	u32 crc = readl(head->crc_regs + D3DGPU_CRC_VALUE);
	u32 end = d3dgpu_crc_count(head, first + frames);
	u32 frame;

	for (frame = end - min_t(u32, frames, D3DGPU_CRC_MAX_FRAMES); frame != end; frame++)
		drm_crtc_add_crc_entry(&head->crtc, true, frame, &crc);
	writel(D3DGPU_HEAD_STATUS_CRC, head->regs + D3DGPU_HEAD_STATUS);
}
