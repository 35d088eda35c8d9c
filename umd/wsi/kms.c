/* SPDX-License-Identifier: MIT */
/*
 * Full screen through KMS: the back buffer itself is scanned out. Its linear image (the driver has flushed the picture
 * into it) is imported into the card node, gets a framebuffer once, and is flipped to. One process is master of a
 * display: this one.
 */
#include "wsi.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#include "d3dgpu_resource.h"

#define KMS_MAX_BUFFERS 64		/* presented buffers alive at a time: 30 back buffers and a front one, twice */
#define KMS_FLIP_TIMEOUT 20000		/* milliseconds until a flip is given up; it waits for what is drawn */
#define KMS_CARDS 16

struct kms_buffer {
	int drm_fd;			/* render node and handle that it was presented with; fd -1: slot free */
	uint32_t handle;
	uint32_t card_handle, framebuffer;
	uint32_t width, height;
};

struct kms {
	int fd;				/* card node */
	uint32_t connector, crtc, pipe;
	drmModeModeInfo *modes;		/* of the connector */
	uint32_t mode_count;
	uint32_t preferred;		/* index into modes */
	int wanted;			/* index set by set_mode; -1: whatever fits the picture */
	int active;			/* index that is on the screen; -1: not ours yet */
	drmModeCrtc *saved;		/* what was on the screen before us */
	bool flip_pending;
	void *window;			/* whose picture is on the screen */
	bool said_no_mode;		/* logged that a picture fits no mode */
	struct kms_buffer buffers[KMS_MAX_BUFFERS];
};

/* One display, which all devices of the process share. */
static pthread_mutex_t display_lock = PTHREAD_MUTEX_INITIALIZER;
static struct kms display = {.fd = -1};

static bool kms_yes(void *user, void *window)
{
	return true;
}

static uint32_t kms_mode_count(void *user)
{
	const struct kms *kms = user;

	return kms->mode_count;
}

static int kms_get_mode(void *user, uint32_t index, struct d3dgpu_wsi_mode *mode)
{
	const struct kms *kms = user;

	if (index >= kms->mode_count)
		return -EINVAL;
	mode->width = kms->modes[index].hdisplay;
	mode->height = kms->modes[index].vdisplay;
	mode->refresh = kms->modes[index].vrefresh;
	return 0;
}

static int kms_current_mode(void *user, struct d3dgpu_wsi_mode *mode)
{
	const struct kms *kms = user;

	return kms_get_mode(user, kms->active >= 0 ? (uint32_t)kms->active : kms->preferred, mode);
}

/* Every window fills the screen. */
static int kms_client_size(void *user, void *window, uint32_t *width, uint32_t *height)
{
	struct d3dgpu_wsi_mode mode;
	int err = kms_current_mode(user, &mode);

	if (err)
		return err;
	*width = mode.width;
	*height = mode.height;
	return 0;
}

static int find_mode(const struct kms *kms, uint32_t width, uint32_t height, uint32_t refresh)
{
	int found = -1;

	for (uint32_t i = 0; i < kms->mode_count; i++) {
		if (kms->modes[i].hdisplay != width || kms->modes[i].vdisplay != height)
			continue;
		if (!refresh || kms->modes[i].vrefresh == refresh)
			return (int)i;
		found = (int)i;
	}
	return refresh ? -1 : found;
}

static void restore_screen(struct kms *kms)
{
	if (kms->active < 0)
		return;
	if (kms->saved)
		drmModeSetCrtc(kms->fd, kms->saved->crtc_id, kms->saved->buffer_id, kms->saved->x, kms->saved->y,
			       &kms->connector, 1, kms->saved->mode_valid ? &kms->saved->mode : NULL);
	kms->active = kms->wanted = -1;
}

/* The change itself happens with the first picture of that mode. */
static int kms_set_mode(void *user, void *window, const struct d3dgpu_wsi_mode *mode)
{
	struct kms *kms = user;
	int found = mode ? find_mode(kms, mode->width, mode->height, mode->refresh) : -1;

	if (mode && found < 0)
		return -EINVAL;
	pthread_mutex_lock(&display_lock);
	kms->wanted = found;
	pthread_mutex_unlock(&display_lock);
	return 0;
}

static void flip_done(int fd, unsigned sequence, unsigned seconds, unsigned microseconds, void *data)
{
	struct kms *kms = data;

	kms->flip_pending = false;
}

static void wait_flip(struct kms *kms)
{
	drmEventContext events = {.version = 2, .page_flip_handler = flip_done};
	struct pollfd ready = {.fd = kms->fd, .events = POLLIN};

	while (kms->flip_pending) {
		int count = poll(&ready, 1, KMS_FLIP_TIMEOUT);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			fprintf(stderr, "d3dgpu: wsi: a page flip did not complete within %d ms\n", KMS_FLIP_TIMEOUT);
			kms->flip_pending = false;
			return;
		}
		drmHandleEvent(kms->fd, &events);
	}
}

static void drop_buffer(struct kms *kms, struct kms_buffer *buffer)
{
	drmModeRmFB(kms->fd, buffer->framebuffer);
	drmCloseBufferHandle(kms->fd, buffer->card_handle);
	buffer->drm_fd = -1;
	buffer->handle = 0;
}

static struct kms_buffer *find_buffer(struct kms *kms, int drm_fd, uint32_t handle)
{
	for (unsigned i = 0; i < KMS_MAX_BUFFERS; i++)
		if (kms->buffers[i].drm_fd == drm_fd && kms->buffers[i].handle == handle)
			return &kms->buffers[i];
	return NULL;
}

/* A picture that says no pitch has the one of the GPU's linear images. */
static uint32_t image_pitch(const struct d3dgpu_wsi_image *image)
{
	struct d3dgpu_resource_desc desc = {.format = D3DGPU_FMT_B8G8R8X8_UNORM, .width = image->width};

	return image->pitch ? image->pitch : d3dgpu_linear_pitch(&desc, 0);
}

static int import_buffer(struct kms *kms, const struct d3dgpu_wsi_image *image, struct kms_buffer *buffer)
{
	uint32_t handles[4] = {0}, pitches[4] = {image_pitch(image)}, offsets[4] = {0};
	int prime, err;

	if (drmPrimeHandleToFD(image->drm_fd, image->handle, DRM_CLOEXEC, &prime))
		return -errno;
	err = drmPrimeFDToHandle(kms->fd, prime, &buffer->card_handle) ? -errno : 0;
	close(prime);
	if (err)
		return err;
	handles[0] = buffer->card_handle;
	if (drmModeAddFB2(kms->fd, image->width, image->height, DRM_FORMAT_XRGB8888, handles, pitches, offsets,
			  &buffer->framebuffer, 0)) {
		err = -errno;
		drmCloseBufferHandle(kms->fd, buffer->card_handle);
		return err;
	}
	buffer->drm_fd = image->drm_fd;
	buffer->handle = image->handle;
	buffer->width = image->width;
	buffer->height = image->height;
	return 0;
}

static int get_buffer(struct kms *kms, const struct d3dgpu_wsi_image *image, struct kms_buffer **out)
{
	struct kms_buffer *buffer = find_buffer(kms, image->drm_fd, image->handle);

	if (buffer && (buffer->width != image->width || buffer->height != image->height)) {
		drop_buffer(kms, buffer);
		buffer = NULL;
	}
	if (!buffer) {
		int err;

		buffer = find_buffer(kms, -1, 0);
		if (!buffer)
			return -ENOSPC;
		err = import_buffer(kms, image, buffer);
		if (err) {
			buffer->drm_fd = -1;
			buffer->handle = 0;
			return err;
		}
	}
	*out = buffer;
	return 0;
}

static int switch_mode(struct kms *kms, const struct kms_buffer *buffer)
{
	int mode = kms->wanted;

	if (mode < 0)
		mode = find_mode(kms, buffer->width, buffer->height, 0);
	if (mode < 0 || kms->modes[mode].hdisplay != buffer->width || kms->modes[mode].vdisplay != buffer->height)
		return -EINVAL;
	if (mode == kms->active)
		return 1;
	if (!kms->saved)
		kms->saved = drmModeGetCrtc(kms->fd, kms->crtc);
	if (drmModeSetCrtc(kms->fd, kms->crtc, buffer->framebuffer, 0, 0, &kms->connector, 1, &kms->modes[mode]))
		return -errno;
	kms->active = mode;
	return 0;
}

static int wait_blank(const struct kms *kms)
{
	drmVBlank blank = {.request = {.type = DRM_VBLANK_RELATIVE, .sequence = 1}};

	if (kms->pipe == 1)
		blank.request.type |= DRM_VBLANK_SECONDARY;
	else if (kms->pipe > 1)
		blank.request.type |= (kms->pipe << DRM_VBLANK_HIGH_CRTC_SHIFT) & DRM_VBLANK_HIGH_CRTC_MASK;
	return drmWaitVBlank(kms->fd, &blank) ? -errno : 0;
}

/* A window of another size than every mode is not on the screen; the program goes on as without a display. */
static bool fits_screen(struct kms *kms, const struct d3dgpu_wsi_image *image)
{
	bool fits = find_mode(kms, image->width, image->height, 0) >= 0;

	if (!fits && !kms->said_no_mode)
		fprintf(stderr, "d3dgpu: wsi: the display has no mode of %ux%u: such pictures are not shown\n",
			image->width, image->height);
	kms->said_no_mode |= !fits;
	return fits;
}

static int show(struct kms *kms, void *window, const struct d3dgpu_wsi_image *image)
{
	struct kms_buffer *buffer;
	int err;

	err = get_buffer(kms, image, &buffer);
	if (err)
		return err;
	err = switch_mode(kms, buffer);
	if (err >= 0)
		kms->window = window;
	if (err <= 0)
		return err;
	for (uint32_t blank = 1; blank < image->interval; blank++)
		wait_blank(kms);
	if (drmModePageFlip(kms->fd, kms->crtc, buffer->framebuffer, DRM_MODE_PAGE_FLIP_EVENT, kms))
		return -errno;
	kms->flip_pending = true;
	wait_flip(kms);
	return 0;
}

static int kms_present(void *user, void *window, const struct d3dgpu_wsi_image *image)
{
	struct kms *kms = user;
	int err = 0;

	pthread_mutex_lock(&display_lock);
	if (fits_screen(kms, image))
		err = show(kms, window, image);
	pthread_mutex_unlock(&display_lock);
	return err;
}

static int kms_wait_vblank(void *user)
{
	return wait_blank(user);
}

static void kms_release(void *user, void *window, int drm_fd, uint32_t handle)
{
	struct kms *kms = user;
	struct kms_buffer *buffer;

	pthread_mutex_lock(&display_lock);
	buffer = handle ? find_buffer(kms, drm_fd, handle) : NULL;
	/* Another window's picture stays. */
	if (!handle && window == kms->window)
		restore_screen(kms);
	if (buffer)
		drop_buffer(kms, buffer);
	pthread_mutex_unlock(&display_lock);
}

/* ---- start ---- */

static int open_card(void)
{
	const char *named = getenv("D3DGPU_KMS_DEVICE");
	char path[64];

	if (named && *named)
		return open(named, O_RDWR | O_CLOEXEC);
	for (int minor = 0; minor < KMS_CARDS; minor++) {
		drmVersion *version;
		bool ours;
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		version = drmGetVersion(fd);
		ours = version && version->name_len == 6 && !memcmp(version->name, "d3dgpu", 6);
		drmFreeVersion(version);
		if (ours)
			return fd;
		close(fd);
	}
	return -1;
}

/* The first CRTC that can drive the connector. */
static bool choose_crtc(struct kms *kms, const drmModeRes *resources, const drmModeConnector *connector)
{
	for (int i = 0; i < connector->count_encoders; i++) {
		drmModeEncoder *encoder = drmModeGetEncoder(kms->fd, connector->encoders[i]);
		uint32_t possible = encoder ? encoder->possible_crtcs : 0;

		drmModeFreeEncoder(encoder);
		for (int pipe = 0; pipe < resources->count_crtcs && pipe < 32; pipe++) {
			if (!(possible & 1u << pipe))
				continue;
			kms->crtc = resources->crtcs[pipe];
			kms->pipe = (uint32_t)pipe;
			return true;
		}
	}
	return false;
}

static bool take_connector(struct kms *kms, const drmModeRes *resources, const drmModeConnector *connector)
{
	if (connector->connection != DRM_MODE_CONNECTED || !connector->count_modes ||
	    !choose_crtc(kms, resources, connector))
		return false;
	kms->modes = calloc((size_t)connector->count_modes, sizeof(*kms->modes));
	if (!kms->modes)
		return false;
	memcpy(kms->modes, connector->modes, (size_t)connector->count_modes * sizeof(*kms->modes));
	kms->mode_count = (uint32_t)connector->count_modes;
	kms->connector = connector->connector_id;
	for (uint32_t i = 0; i < kms->mode_count; i++) {
		if (kms->modes[i].type & DRM_MODE_TYPE_PREFERRED) {
			kms->preferred = i;
			break;
		}
	}
	return true;
}

static bool choose_display(struct kms *kms)
{
	drmModeRes *resources = drmModeGetResources(kms->fd);
	bool found = false;

	for (int i = 0; resources && i < resources->count_connectors && !found; i++) {
		drmModeConnector *connector = drmModeGetConnector(kms->fd, resources->connectors[i]);

		if (connector)
			found = take_connector(kms, resources, connector);
		drmModeFreeConnector(connector);
	}
	drmModeFreeResources(resources);
	return found;
}

bool wsi_kms_open(struct d3dgpu_wsi *out)
{
	struct kms *kms = &display;

	kms->fd = open_card();
	if (kms->fd < 0) {
		fprintf(stderr, "d3dgpu: wsi: no card node of the d3dgpu driver can be opened\n");
		return false;
	}
	if (!drmIsMaster(kms->fd) && drmSetMaster(kms->fd)) {
		fprintf(stderr, "d3dgpu: wsi: another program is master of the display\n");
		close(kms->fd);
		return false;
	}
	if (!choose_display(kms)) {
		fprintf(stderr, "d3dgpu: wsi: no connected display with a mode\n");
		close(kms->fd);
		return false;
	}
	kms->wanted = kms->active = -1;
	for (unsigned i = 0; i < KMS_MAX_BUFFERS; i++)
		kms->buffers[i].drm_fd = -1;
	*out = (struct d3dgpu_wsi){
		.size = sizeof(struct d3dgpu_wsi),
		.source = D3DGPU_WSI_BUFFER,
		.user = kms,
		.client_size = kms_client_size,
		.visible = kms_yes,
		.focused = kms_yes,
		.mode_count = kms_mode_count,
		.get_mode = kms_get_mode,
		.current_mode = kms_current_mode,
		.set_mode = kms_set_mode,
		.present = kms_present,
		.wait_vblank = kms_wait_vblank,
		.release = kms_release,
	};
	return true;
}
