/* SPDX-License-Identifier: MIT */
/* Page flips, each asked for when the one before is done: how regular they are, and how many there can be. */
#include <math.h>

#include <drm_fourcc.h>

#include "bench.h"
#include "display.h"

#define FLIPS 60u	/* in a round */

static struct {
	struct display display;
	struct picture pictures[2];
	unsigned flips;
} state;

static struct flip flip(uint32_t flags)
{
	struct flip flip;

	bench_must(display_flip(&state.display, state.pictures[state.flips++ % 2].fb, flags, &flip) ? 0 : -1, "a flip");
	return flip;
}

/* Seconds from vblank to vblank, by the mode's numbers. */
static double period(void)
{
	const drmModeModeInfo *mode = &state.display.mode;

	return mode->htotal * mode->vtotal / (mode->clock * 1e3);
}

/* What the times of flips, by their events, and of their arrival here are off from what the mode says. */
static void measure_jitter(void)
{
	struct bench_samples times = {0}, arrivals = {0}, missed = {0};

	for (unsigned round = 0; round < bench_rounds(); round++) {
		struct flip last = flip(0);
		double arrived = bench_now();
		unsigned first = last.sequence;

		for (unsigned i = 0; i < FLIPS; i++) {
			struct flip next = flip(0);
			double now = bench_now(), due = (next.sequence - last.sequence) * period();

			bench_add(&times, fabs((double)(next.time - last.time) / 1e6 - due));
			bench_add(&arrivals, fabs(now - arrived - due));
			last = next;
			arrived = now;
		}
		bench_add(&missed, (double)(last.sequence - first) / FLIPS);
	}
	bench_report_times("kernel.flip.timestamp_jitter", &times);
	bench_report_times("kernel.flip.event_jitter", &arrivals);
	bench_report("kernel.flip.vblanks", "vblanks/flip", &missed);
}

static void flip_at_once(void *data, unsigned count)
{
	while (count--)
		flip(DRM_MODE_PAGE_FLIP_ASYNC);
}

int main(int argc, char **argv)
{
	bench_open(argc, argv, "Measures page flips of the display: jitter of synchronous ones, rate of asynchronous ones.\n");
	state.display = display_open(0);
	for (unsigned i = 0; i < 2; i++)
		state.pictures[i] = display_picture(state.display.fd, state.display.mode.hdisplay, state.display.mode.vdisplay,
						    DRM_FORMAT_XRGB8888);
	bench_must(display_show(&state.display, &state.pictures[0]), "setting the mode");
	measure_jitter();
	bench_rate("kernel.flip.async", "flips/s", flip_at_once, NULL);
	display_off(&state.display);
	return 0;
}
