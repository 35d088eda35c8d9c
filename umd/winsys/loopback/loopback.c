/* SPDX-License-Identifier: MIT */
/* The winsys itself, and the one function that this library exports. There is one device per process. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loopback.h"
#include "loopback_entry.h"

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static struct loopback_device *the_device; /* and its references: under library_lock */

static void close_device(struct winsys *ws)
{
	pthread_mutex_lock(&library_lock);
	if (!--the_device->references) {
		device_close(the_device);
		the_device = NULL;
	}
	pthread_mutex_unlock(&library_lock);
}

static void get_stats(struct winsys *ws, struct winsys_stats *out)
{
	struct loopback_device *device = (struct loopback_device *)ws;

	pthread_mutex_lock(&device->lock);
	objects_reap(device);
	*out = device->stats;
	out->vram_used = device->vram.used;
	pthread_mutex_unlock(&device->lock);
	out->ring_entries = __atomic_load_n(&device->ctrl->counters.entries, __ATOMIC_RELAXED);
	out->interrupts = __atomic_load_n(&device->ctrl->counters.interrupts, __ATOMIC_RELAXED);
}

static uint64_t get_free(struct winsys *ws)
{
	struct winsys_stats stats;

	get_stats(ws, &stats);
	return stats.vram_size - stats.vram_used;
}

static const struct winsys_ops loopback_ops = {
	.destroy = close_device,
	.ctx_create = context_create,
	.ctx_destroy = context_destroy,
	.ctx_status = context_status,
	.staging_create = object_staging,
	.resource_create = object_resource,
	.ds_create = object_depth_stencil,
	.set_needed = object_set_needed,
	.bo_destroy = object_destroy,
	.submit = context_submit,
	.completed = context_completed,
	.wait = context_wait,
	.share = object_share,
	.open = object_open,
	.get_stats = get_stats,
	.vram_free = get_free,
};

static int open_locked(const char *caps, char *message, size_t size)
{
	int error;

	if (the_device && !strcmp(the_device->caps_text, caps ? caps : ""))
		return 0;
	if (the_device) {
		snprintf(message, size, "this process has a loopback device with other properties (%s)",
			 the_device->caps_text);
		return -EBUSY;
	}
	error = device_open(caps, &the_device, message, size);
	if (!error)
		the_device->base.ops = &loopback_ops;
	return error;
}

int d3dgpu_loopback_open(const char *caps, struct winsys **out, char *message, size_t size)
{
	int error;

	pthread_mutex_lock(&library_lock);
	error = open_locked(caps, message, size);
	if (!error) {
		the_device->references++;
		*out = &the_device->base;
	}
	pthread_mutex_unlock(&library_lock);
	return error;
}
