/* SPDX-License-Identifier: MIT */
/*
 * No window system: every window has the back buffer's size and is visible, the display is a virtual one of 60 Hz whose
 * blanks are multiples of 1/60 s of the monotonic clock.
 */
#include "wsi.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#define HEADLESS_REFRESH 60u		/* Hz */
#define HEADLESS_DEFAULT 5		/* index into headless_modes */

static const struct d3dgpu_wsi_mode headless_modes[] = {
	{640, 480, HEADLESS_REFRESH},	{800, 600, HEADLESS_REFRESH},	{1024, 768, HEADLESS_REFRESH},
	{1280, 720, HEADLESS_REFRESH},	{1280, 1024, HEADLESS_REFRESH}, {1920, 1080, HEADLESS_REFRESH},
};

static int headless_client_size(void *user, void *window, uint32_t *width, uint32_t *height)
{
	return -ENOENT;
}

static bool headless_yes(void *user, void *window)
{
	return true;
}

static uint32_t headless_mode_count(void *user)
{
	return sizeof(headless_modes) / sizeof(headless_modes[0]);
}

static int headless_get_mode(void *user, uint32_t index, struct d3dgpu_wsi_mode *mode)
{
	if (index >= headless_mode_count(user))
		return -EINVAL;
	*mode = headless_modes[index];
	return 0;
}

static int headless_current_mode(void *user, struct d3dgpu_wsi_mode *mode)
{
	return headless_get_mode(user, HEADLESS_DEFAULT, mode);
}

static int headless_set_mode(void *user, void *window, const struct d3dgpu_wsi_mode *mode)
{
	return 0;
}

static int headless_wait_vblank(void *user)
{
	const uint64_t period = 1000000000u / HEADLESS_REFRESH;
	struct timespec now;
	uint64_t next;

	clock_gettime(CLOCK_MONOTONIC, &now);
	next = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) / period * period + period;
	now.tv_sec = (time_t)(next / 1000000000u);
	now.tv_nsec = (long)(next % 1000000000u);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL) == EINTR)
		;
	return 0;
}

/* Nothing is seen, so nothing is waited for: a program runs as fast as it can whatever interval it asks for. */
static int headless_present(void *user, void *window, const struct d3dgpu_wsi_image *image)
{
	return 0;
}

static void headless_release(void *user, void *window, int drm_fd, uint32_t handle)
{
}

const struct d3dgpu_wsi wsi_headless = {
	.size = sizeof(struct d3dgpu_wsi),
	.source = D3DGPU_WSI_NOTHING,
	.client_size = headless_client_size,
	.visible = headless_yes,
	.focused = headless_yes,
	.mode_count = headless_mode_count,
	.get_mode = headless_get_mode,
	.current_mode = headless_current_mode,
	.set_mode = headless_set_mode,
	.present = headless_present,
	.wait_vblank = headless_wait_vblank,
	.release = headless_release,
};
