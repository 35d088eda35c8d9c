/* SPDX-License-Identifier: MIT */
/* Flips and vblanks: asynchronous ones, counts and times; leases; two programs that set modes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "display.h"
#include "gpu.h"
#include "tap.h"

#define FLIPS 30u

static uint64_t sequence(const struct display *display, uint64_t *time)
{
	uint64_t count = 0;

	if (drmCrtcGetSequence(display->fd, display->crtc, &count, time))
		tap_bail("no sequence: %s", strerror(errno));
	return count;
}

/* Nanoseconds from vblank to vblank, by the mode's numbers. */
static double period(const struct display *display)
{
	return 1e6 * display->mode.htotal * display->mode.vtotal / display->mode.clock;
}

static void test_vblanks(const struct display *display)
{
	uint64_t first_time, last_time, first = sequence(display, &first_time), last, queued;
	drmVBlank wait = {.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 30}};

	tap_eq(drmWaitVBlank(display->fd, &wait) ? -errno : 0, 0, "waiting for thirty vblanks");
	last = sequence(display, &last_time);
	tap_ok(last - first >= 30, "they are counted (%llu)", (unsigned long long)(last - first));
	/* The refresh rate is in millihertz: off by a hundred-thousandth. And the clocks are compared to some microseconds. */
	tap_near((double)(last_time - first_time) / (double)(last - first), period(display), period(display) * 1e-4 + 1e4,
		 "and the mode's period apart, however late the interrupts were");
	tap_eq(drmCrtcQueueSequence(display->fd, display->crtc, DRM_CRTC_SEQUENCE_RELATIVE, 1, &queued, 0) ? -errno : 0, 0,
	       "an event for the next one");
	tap_ok(queued > last, "which has not passed");
	usleep(300000);
	first = sequence(display, &first_time);
	usleep(300000);
	last = sequence(display, &last_time);
	tap_ok(last > first, "vblanks are counted while nobody waits");
}

static void test_async(const struct display *display, struct picture pictures[2])
{
	struct flip first = {0}, flip = {0};
	unsigned done = 0;

	tap_ok(display_flip(display, pictures[0].fb, 0, &first), "a flip");
	for (unsigned i = 0; i < FLIPS; i++)
		done += display_flip(display, pictures[i % 2].fb, DRM_MODE_PAGE_FLIP_ASYNC, &flip);
	tap_eq(done, FLIPS, "asynchronous flips complete");
	tap_diag("%u asynchronous flips took %u vblanks", FLIPS, flip.sequence - first.sequence);
	tap_ok(display_flip(display, pictures[0].fb, 0, &flip), "and one that waits for the vblank");
}

/* Queues a flip: 0 or -errno. */
static int queue_flip(const struct display *display, const struct picture *picture, struct flip *flip)
{
	return drmModePageFlip(display->fd, display->crtc, picture->fb, DRM_MODE_PAGE_FLIP_EVENT, flip) ? -errno : 0;
}

/* A guest without KVM may be so slow that the vblank comes between the two calls: then once more. */
static void test_order(const struct display *display, struct picture pictures[2])
{
	struct flip flip = {0}, other = {0};
	int first = 0, second = 0;

	for (unsigned i = 0; i < 20 && !first && !second; i++) {
		flip = other = (struct flip){0};
		first = queue_flip(display, &pictures[1], &flip);
		second = queue_flip(display, &pictures[0], &other);
		if (!second)
			display_wait_flip(display->fd, &other);
	}
	tap_eq(first, 0, "a flip is queued");
	tap_eq(second, -EBUSY, "another before it is done: -EBUSY");
	tap_ok(display_wait_flip(display->fd, &flip), "the first completes");
}

static void test_lease(const struct display *display, const struct picture *picture)
{
	uint32_t objects[] = {display->connector, display->crtc, display->primary, display->cursor}, lessee;
	int lease = drmModeCreateLease(display->fd, objects, 4, 0, &lessee);
	struct display leased = *display;
	drmModeRes *resources;
	struct picture own;

	if (!tap_ok(lease >= 0, "a head is leased"))
		return;
	drmSetClientCap(lease, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
	resources = drmModeGetResources(lease);
	tap_ok(resources && resources->count_crtcs == 1 && resources->count_connectors == 1, "the lease has it and no other");
	drmModeFreeResources(resources);
	leased.fd = lease;
	own = display_picture(lease, picture->width, picture->height, DRM_FORMAT_XRGB8888);
	display_paint(&own, 9);
	tap_eq(display_show(&leased, &own), 0, "whoever has the lease sets the mode");
	tap_eq(drmModeRevokeLease(display->fd, lessee) ? -errno : 0, 0, "the lease is revoked");
	tap_ok(display_show(&leased, &own) < 0, "and is good for nothing any more");
	display_picture_end(lease, &own);
	close(lease);
	tap_eq(display_show(display, picture), 0, "the owner shows its picture again");
}

/* Another program shows pictures while this one is not master; the result is its exit status. */
static int other_program(void)
{
	struct display display = display_open(0);
	int status = 0;

	for (unsigned i = 0; i < 5 && !status; i++) {
		struct picture picture =
			display_picture(display.fd, display.mode.hdisplay, display.mode.vdisplay, DRM_FORMAT_XRGB8888);

		status = drmSetMaster(display.fd) || display_show_atomic(&display, &picture) || drmDropMaster(display.fd);
		display_picture_end(display.fd, &picture);
	}
	close(display.fd);
	return status;
}

static void test_two_programs(const struct display *display, const struct picture *picture)
{
	int status = -1;
	pid_t child;

	tap_eq(drmDropMaster(display->fd) ? -errno : 0, 0, "no longer master");
	tap_eq(display_show(display, picture), -EACCES, "a program that is not master sets no mode: -EACCES");
	child = fork();
	if (!child)
		_exit(other_program());
	waitpid(child, &status, 0);
	tap_eq(status, 0, "another does, and ends");
	tap_eq(drmSetMaster(display->fd) ? -errno : 0, 0, "master again");
	tap_eq(display_show_atomic(display, picture), 0, "and the screen is ours");
}

int main(void)
{
	struct display display = display_open(0);
	struct picture pictures[2];

	for (unsigned i = 0; i < 2; i++) {
		pictures[i] = display_picture(display.fd, display.mode.hdisplay, display.mode.vdisplay, DRM_FORMAT_XRGB8888);
		display_paint(&pictures[i], i);
	}
	if (tap_eq(display_show(&display, &pictures[0]), 0, "set the mode")) {
		test_vblanks(&display);
		test_async(&display, pictures);
		test_order(&display, pictures);
		test_lease(&display, &pictures[0]);
		test_two_programs(&display, &pictures[0]);
		display_off(&display);
	}
	for (unsigned i = 0; i < 2; i++)
		display_picture_end(display.fd, &pictures[i]);
	close(display.fd);
	return tap_done();
}
