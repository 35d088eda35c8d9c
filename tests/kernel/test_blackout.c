/* SPDX-License-Identifier: MIT */
/*
 * The firmware dies while mode setting waits for the GPU: the reset waits for nobody, whoever waits goes on, and the display
 * comes back. Then the device goes, or the module, while somebody waits. A wait that the kernel gives up is a line in its log, and
 * a failure of the boot. Killing the firmware needs "iomem=relaxed" on the kernel's command line.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "busy.h"
#include "display.h"
#include "driver.h"
#include "firmware.h"
#include "screen.h"
#include "tap.h"

/* A screen with a picture, another picture, and a context that is busy for minutes. */
struct scene {
	struct display display;
	struct picture pictures[2];
	struct picture drawn;		/* the texture that the context draws; only its framebuffer */
	struct busy busy;
	uint32_t syncobj;		/* signalled when it is done */
};

static struct scene scene_begin(void)
{
	struct scene scene = {.display = display_open(0)};
	uint32_t width = scene.display.mode.hdisplay, height = scene.display.mode.vdisplay;
	int fd = scene.display.fd;

	for (unsigned i = 0; i < 2; i++) {
		scene.pictures[i] = display_picture(fd, width, height, DRM_FORMAT_XRGB8888);
		display_paint(&scene.pictures[i], i);
	}
	if (!tap_eq(display_show(&scene.display, &scene.pictures[0]), 0, "a screen with a picture"))
		tap_bail("no display");
	scene.syncobj = gpu_syncobj(fd, 0);
	scene.busy = busy_begin(fd, width, height, scene.syncobj);
	scene.drawn = (struct picture){.width = width, .height = height};
	if (display_add_fb(fd, width, height, DRM_FORMAT_XRGB8888, scene.busy.texture.handle, width * 4, &scene.drawn.fb))
		tap_bail("no framebuffer of what is drawn");
	return scene;
}

static void scene_end(struct scene *scene)
{
	int fd = scene->display.fd;

	drmModeRmFB(fd, scene->drawn.fb);
	busy_end(fd, &scene->busy);
	drmSyncobjDestroy(fd, scene->syncobj);
	for (unsigned i = 0; i < 2; i++)
		display_picture_end(fd, &scene->pictures[i]);
	close(fd);
}

/* ---- commits that wait for the context ---- */

enum wait { EXPLICIT, IMPLICIT, ANOTHER_MODE, EXPLICIT_EVENT, LEGACY_EVENT, WAITS };

static const char *const names[WAITS] = {
	[EXPLICIT] = "a commit with a fence",
	[IMPLICIT] = "a commit of what is being drawn",
	[ANOTHER_MODE] = "a commit of another mode with a fence",
	[EXPLICIT_EVENT] = "a commit with a fence and an event, which does not block",
	[LEGACY_EVENT] = "a flip to what is being drawn",
};

struct waiter {
	const struct scene *scene;
	enum wait how;
	pthread_t thread;
	atomic_bool done;
	int result;
	struct flip flip;
};

static bool has_event(enum wait how)
{
	return how == EXPLICIT_EVENT || how == LEGACY_EVENT;
}

/* The picture that is on the screen when the commit is done: NULL is a black one. */
static const struct picture *shown(const struct scene *scene, enum wait how)
{
	return how == IMPLICIT || how == LEGACY_EVENT ? NULL : &scene->pictures[1];
}

static void add_fence(drmModeAtomicReq *request, const struct scene *scene, int file)
{
	display_set(request, scene->display.fd, scene->display.primary, DRM_MODE_OBJECT_PLANE, "IN_FENCE_FD", (uint64_t)file);
}

/* The same size at another rate. */
static uint32_t add_mode(drmModeAtomicReq *request, const struct display *display)
{
	drmModeModeInfo mode = display->mode;
	uint32_t blob;

	mode.clock = mode.clock / 2;
	if (drmModeCreatePropertyBlob(display->fd, &mode, sizeof(mode), &blob))
		tap_bail("no blob");
	display_set(request, display->fd, display->crtc, DRM_MODE_OBJECT_CRTC, "MODE_ID", blob);
	return blob;
}

static int commit(struct waiter *waiter)
{
	const struct scene *scene = waiter->scene;
	const struct display *display = &scene->display;
	const struct picture *picture = waiter->how == IMPLICIT ? &scene->drawn : &scene->pictures[1];
	drmModeAtomicReq *request = drmModeAtomicAlloc();
	uint32_t flags = 0, blob = 0;
	int file, ret;

	if (drmSyncobjExportSyncFile(display->fd, scene->syncobj, &file))
		tap_bail("no sync file");
	display_set_plane(request, display, display->primary, picture, 0, 0, picture->width, picture->height);
	if (waiter->how != IMPLICIT)
		add_fence(request, scene, file);
	if (waiter->how == ANOTHER_MODE) {
		flags = DRM_MODE_ATOMIC_ALLOW_MODESET;
		blob = add_mode(request, display);
	}
	if (waiter->how == EXPLICIT_EVENT)
		flags = DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT;
	ret = drmModeAtomicCommit(display->fd, request, flags, &waiter->flip) ? -errno : 0;
	drmModeAtomicFree(request);
	if (blob)
		drmModeDestroyPropertyBlob(display->fd, blob);
	close(file);
	return ret;
}

static void *wait_thread(void *data)
{
	struct waiter *waiter = data;
	const struct scene *scene = waiter->scene;

	if (waiter->how == LEGACY_EVENT)
		waiter->result = drmModePageFlip(scene->display.fd, scene->display.crtc, scene->drawn.fb, DRM_MODE_PAGE_FLIP_EVENT,
						 &waiter->flip) ? -errno : 0;
	else
		waiter->result = commit(waiter);
	waiter->done = true;
	return NULL;
}

static bool is_done(void *data)
{
	struct waiter *waiter = data;

	return waiter->done;
}

static void waiter_begin(struct waiter *waiter, const struct scene *scene, enum wait how)
{
	*waiter = (struct waiter){.scene = scene, .how = how};
	if (pthread_create(&waiter->thread, NULL, wait_thread, waiter))
		tap_bail("no thread");
	if (has_event(how)) {
		tap_ok(gpu_eventually(is_done, waiter, PATIENCE), "%s returns", names[how]);
	} else {
		usleep(300000);
		tap_ok(!waiter->done, "%s waits", names[how]);
	}
}

/* What waits goes on. A thread that does not would keep the device: nothing can be tested after it. */
static void waiter_end(struct waiter *waiter, const char *when)
{
	if (!tap_ok(gpu_eventually(is_done, waiter, PATIENCE), "%s: %s ends", when, names[waiter->how]))
		tap_bail("a commit waits for ever");
	pthread_join(waiter->thread, NULL);
}

/* ---- resets ---- */

static void kill_firmware(void)
{
	if (!firmware_boot(&firmware_dies))
		tap_bail("the kernel does not let programs map registers (iomem=relaxed)");
}

static void check_screen(const struct scene *scene, const struct picture *picture, const char *what)
{
	uint32_t width = scene->display.mode.hdisplay, height = scene->display.mode.vdisplay;
	uint32_t *black = calloc((size_t)width * height, sizeof(*black));

	screen_check("blackout", scene->display.head, width, height, picture ? picture->pixels : black, what);
	free(black);
}

static void test_reset(enum wait how)
{
	struct scene scene = scene_begin();
	uint64_t resets = gpu_param(scene.display.fd, D3DGPU_PARAM_RESETS);
	struct waiter waiter;
	struct flip flip;

	waiter_begin(&waiter, &scene, how);
	kill_firmware();
	tap_ok(gpu_param_reaches(scene.display.fd, D3DGPU_PARAM_RESETS, resets + 1), "the firmware dies: the device is reset");
	waiter_end(&waiter, "after the reset");
	tap_eq(waiter.result, 0, "without an error");
	tap_eq(gpu_syncobj_wait(scene.display.fd, scene.syncobj, PATIENCE), 0, "the fence is signalled");
	tap_eq(gpu_syncobj_status(scene.display.fd, scene.syncobj), -EIO, "with an error");
	if (has_event(how))
		tap_ok(display_wait_flip(scene.display.fd, &waiter.flip), "the event comes");
	check_screen(&scene, shown(&scene, how), "the host sees the new picture");
	tap_ok(display_flip(&scene.display, scene.pictures[0].fb, 0, &flip), "a flip completes");
	check_screen(&scene, &scene.pictures[0], "and the host sees it");
	scene_end(&scene);
}

/* ---- flips under way ---- */

#define DEATHS 4
#define RACES 24u	/* a millisecond later each time: longer than a reset takes */

static void *kill_thread(void *data)
{
	int fd = *(int *)data;
	uint64_t resets = gpu_param(fd, D3DGPU_PARAM_RESETS);

	for (unsigned i = 1; i <= DEATHS; i++) {
		usleep(300000);
		kill_firmware();
		if (!gpu_param_reaches(fd, D3DGPU_PARAM_RESETS, resets + i))
			tap_bail("no reset");
	}
	return NULL;
}

static void test_flips(void)
{
	struct scene scene = scene_begin();
	uint64_t last = gpu_param(scene.display.fd, D3DGPU_PARAM_RESETS) + DEATHS;
	unsigned asked = 0, done = 0;
	struct flip flip;
	pthread_t thread;

	if (pthread_create(&thread, NULL, kill_thread, &scene.display.fd))
		tap_bail("no thread");
	do
		done += display_flip(&scene.display, scene.pictures[++asked % 2].fb, 0, &flip);
	while (done == asked && gpu_param(scene.display.fd, D3DGPU_PARAM_RESETS) < last);
	pthread_join(thread, NULL);
	tap_eq(done, asked, "the firmware dies %u times while pictures are flipped: each flip has its event", DEATHS);
	tap_ok(display_flip(&scene.display, scene.pictures[1].fb, 0, &flip), "one more");
	check_screen(&scene, &scene.pictures[1], "and the host sees it");
	scene_end(&scene);
}

/* ---- the end of the device ---- */

static void check_back(void)
{
	struct scene scene = scene_begin();

	check_screen(&scene, &scene.pictures[0], "which the host sees");
	scene_end(&scene);
}

static void test_unplugged(enum wait how, const struct firmware *firmware)
{
	const char *does = firmware ? firmware->does : "works";
	struct scene scene = scene_begin();
	struct waiter waiter;
	char address[32];

	driver_find_address(address);
	waiter_begin(&waiter, &scene, how);
	if (firmware && !firmware_boot(firmware))
		tap_bail("the kernel does not let programs map registers (iomem=relaxed)");
	tap_eq(driver_tell("unbind", address), 0, "the firmware %s, and the device goes", does);
	waiter_end(&waiter, "without the device");
	scene_end(&scene);
	tap_eq(driver_tell("bind", address), 0, "and comes back");
	check_back();
}

/* Makes contexts until the device is gone. */
static void *create_thread(void *data)
{
	struct drm_d3dgpu_ctx_create create = {0};
	int fd = *(int *)data, ret = 0;

	while (!ret || ret == -EIO || ret == -ENOSPC)
		ret = gpu_call(fd, DRM_IOCTL_D3DGPU_CTX_CREATE, &create);
	return NULL;
}

/* The device goes while a reset of it is under way; contexts that are just being made must leave it alone. */
static void test_unplugged_in_reset(void)
{
	unsigned gone = 0, back = 0;
	char address[32];

	driver_find_address(address);
	for (unsigned i = 0; i < RACES; i++) {
		int fd = gpu_open();
		pthread_t thread;

		if (pthread_create(&thread, NULL, create_thread, &fd))
			tap_bail("no thread");
		kill_firmware();
		usleep(i * 1000);
		gone += !driver_tell("unbind", address);
		pthread_join(thread, NULL);
		close(fd);
		back += !driver_tell("bind", address);
	}
	tap_eq(gone, RACES, "the device goes %u times, at any moment of a reset", RACES);
	tap_eq(back, RACES, "and comes back");
}

/* A program leaves a commit that does not block behind, and the module is unloaded. */
static void test_unloaded(void)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct scene scene;
		struct waiter waiter;

		if (!freopen("/dev/null", "w", stdout)) /* its tests are not ours */
			_exit(1);
		scene = scene_begin();
		waiter_begin(&waiter, &scene, EXPLICIT_EVENT);
		kill_firmware();
		_exit(waiter.done && !waiter.result ? 0 : 1);
	}
	waitpid(child, &status, 0);
	tap_eq(status, 0, "a program kills the firmware and ends");
	tap_eq(system("rmmod d3dgpu && modprobe d3dgpu"), 0, "the module is unloaded, and loaded again");
	check_back();
}

int main(void)
{
	for (enum wait how = EXPLICIT; how < WAITS; how++)
		test_reset(how);
	test_flips();
	test_unplugged(EXPLICIT, NULL);
	test_unplugged(IMPLICIT, &firmware_dies);
	test_unplugged(EXPLICIT_EVENT, &firmware_idles);
	test_unplugged_in_reset();
	test_unloaded();
	return tap_done();
}
