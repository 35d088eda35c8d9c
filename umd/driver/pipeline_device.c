/* SPDX-License-Identifier: MIT */
/* The context: recording, submits, fences. */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "decode.h"

static uint32_t debug_flags(void)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} names[] = {
		{"stream", DEBUG_STREAM},
		{"discard", DEBUG_DISCARD},
		{"shaders", DEBUG_SHADERS},
		{"access", DEBUG_ACCESS},
	};
	const char *text = getenv("D3DGPU_DEBUG");
	uint32_t flags = 0;

	while (text && *text) {
		size_t length = strcspn(text, ",");

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strlen(names[i].name) == length && !strncmp(text, names[i].name, length))
				flags |= names[i].flag;
		text += length + (text[length] == ',');
	}
	return flags;
}

void *device_alloc(struct gpu_device *dev, size_t size)
{
	dev->stats.allocations++;
	return calloc(1, size);
}

uint32_t device_handle(struct gpu_device *dev)
{
	return ++dev->next_handle;
}

int device_error(struct gpu_device *dev)
{
	return gpu_device_status(dev) ? -EIO : 0;
}

/* ---- command buffers ---- */

/* Points the stream behind the `used` bytes of the last submit, or at the next buffer when fewer than `need` words
 * are left. */
static int commands_next(struct gpu_device *dev, uint32_t used, uint32_t need)
{
	uint32_t next = (dev->command_offset + used + 63) & ~63u;
	int error;

	if (next / 4 + COMMAND_TAIL + need > COMMAND_BUFFER_SIZE / 4) {
		dev->command_serials[dev->command_current] = dev->serial;
		dev->command_current = (dev->command_current + 1) % COMMAND_BUFFER_COUNT;
		next = 0;
		error = device_wait(dev, dev->command_serials[dev->command_current]);
		if (error)
			return error;
	}
	dev->command_offset = next;
	stream_set_buffer(&dev->stream, (uint32_t *)((char *)dev->commands[dev->command_current].bo->map + next),
			  (COMMAND_BUFFER_SIZE - next) / 4 - COMMAND_TAIL);
	return 0;
}

/* The stream is full: submit it, and go on in a fresh buffer. */
static int commands_full(struct stream *s, uint32_t words)
{
	struct gpu_device *dev = s->opaque;

	int error;

	if (dev->submitting || words > COMMAND_BUFFER_SIZE / 4 - COMMAND_TAIL)
		return -ENOSPC;
	error = gpu_flush(dev, NULL);
	if (!error && s->capacity < words)
		error = commands_next(dev, 0, words);
	return error;
}

static int commands_init(struct gpu_device *dev)
{
	for (uint32_t i = 0; i < COMMAND_BUFFER_COUNT; i++) {
		int error = dev->ws->ops->staging_create(dev->ws, COMMAND_BUFFER_SIZE, &dev->commands[i].bo);

		if (error)
			return error;
	}
	dev->stream.full = commands_full;
	dev->stream.opaque = dev;
	return commands_next(dev, 0, COMMAND_LEAST);
}

/* ---- submits ---- */

/* Queues what was recorded. Memory that it lacks may be held by pending work and by idle staging memory: waits for the
 * one, gives the other back, and tries once more. */
static int submit_stream(struct gpu_device *dev, uint64_t *value)
{
	struct winsys_submit submit = {
		.commands = dev->commands[dev->command_current].bo,
		.offset = dev->command_offset,
		.size = dev->stream.used * 4,
		.bos = dev->bos,
		.writes = dev->bo_writes,
		.bo_count = dev->bo_count,
	};
	int error;

	if (dev->debug & DEBUG_STREAM)
		decode_print(stderr, dev->stream.words, dev->stream.used);
	error = list_check(dev, &submit);
	if (error)
		return error;
	error = dev->ws->ops->submit(dev->ctx, &submit, value);
	if (error != -ENOMEM || dev->ws->ops->wait(dev->ctx, dev->serial - 1, UINT64_MAX))
		return error;
	dev->completed = dev->serial - 1;
	staging_trim(dev);
	return dev->ws->ops->submit(dev->ctx, &submit, value);
}

/* Commands are lost, and with them what is known of the engine's state: the device is of no use any more. */
static int device_lose(struct gpu_device *dev, int error)
{
	dev->fault = error == -ENOMEM ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_BAD_STREAM;
	dev->bo_count = 0;
	dev->bo_bytes = 0;
	dev->stream.used = 0;
	dev->stream.error = -EIO;
	retire_listed(dev);
	return -EIO;
}

int gpu_flush(struct gpu_device *dev, uint64_t *fence)
{
	uint64_t value = 0;
	int error = dev->stream.error;

	if (fence)
		*fence = dev->serial - 1;
	if (dev->fault)
		return -EIO;
	if (!error && !dev->stream.used)
		return 0;
	dev->submitting = true;
	dev->stream.capacity += COMMAND_TAIL;
	if (!error) {
		queries_submit(dev);
		error = dev->stream.error;
	}
	dev->submitting = false;
	if (!error)
		error = submit_stream(dev, &value);
	if (error)
		return device_lose(dev, error);
	if (fence)
		*fence = value;
	dev->command_serials[dev->command_current] = value;
	dev->serial = value + 1;
	dev->units_disturbed = true;	/* resources are created between submits */
	dev->bo_count = 0;
	dev->bo_bytes = 0;
	dev->staged = 0;
	retire_listed(dev);
	staging_age(dev);
	error = commands_next(dev, dev->stream.used * 4, COMMAND_LEAST);
	return error ? device_lose(dev, error) : 0;
}

bool gpu_fence_done(struct gpu_device *dev, uint64_t fence)
{
	if (fence > dev->completed)
		dev->completed = dev->ws->ops->completed(dev->ctx);
	return fence <= dev->completed;
}

bool device_done(struct gpu_device *dev, uint64_t serial)
{
	if (serial > dev->completed && dev->looked != dev->serial) {
		dev->looked = dev->serial;
		dev->completed = dev->ws->ops->completed(dev->ctx);
	}
	return serial <= dev->completed;
}

int gpu_fence_wait(struct gpu_device *dev, uint64_t fence, uint64_t timeout_ns)
{
	int error;

	if (fence >= dev->serial) {
		error = gpu_flush(dev, NULL);
		if (error)
			return error;
		if (fence >= dev->serial)
			return -EINVAL;
	}
	if (fence <= dev->completed)
		return 0;
	error = dev->ws->ops->wait(dev->ctx, fence, timeout_ns);
	if (!error && fence > dev->completed)
		dev->completed = fence;
	return error;
}

int device_wait(struct gpu_device *dev, uint64_t serial)
{
	return gpu_fence_wait(dev, serial, UINT64_MAX);
}

/* ---- life ---- */

int gpu_device_create(struct winsys *ws, struct gpu_device **out)
{
	struct gpu_device *dev = calloc(1, sizeof(*dev));
	int error;

	if (!dev)
		return -ENOMEM;
	dev->ws = ws;
	dev->caps = ws->caps;
	dev->debug = debug_flags();
	dev->serial = 1;
	dev->dirty = DIRTY_ALL;
	dev->sample_mask = UINT32_MAX;
	for (unsigned i = 0; i < STAGE_COUNT; i++)
		dev->stages[i].dirty = STAGE_DIRTY_ALL;
	error = ws->ops->ctx_create(ws, D3DGPU_PRIORITY_NORMAL, &dev->ctx);
	if (!error)
		error = commands_init(dev);
	if (error) {
		gpu_device_destroy(dev);
		return error;
	}
	*out = dev;
	return 0;
}

void gpu_device_destroy(struct gpu_device *dev)
{
	if (!dev)
		return;
	if (dev->ctx && dev->stream.words)
		gpu_flush(dev, NULL);
	queries_fini(dev);
	quad_fini(dev);
	gpu_shader_destroy(dev, dev->null_pixel_shader);
	gpu_vertex_elements_destroy(dev, dev->empty_elements);
	gpu_resource_destroy(dev, dev->zero_buffer);
	state_fini(dev);
	mappings_fini(dev);
	staging_fini(dev);
	/* The last commands only destroyed objects of the engine, which the context takes with it. */
	if (dev->ctx)
		dev->ws->ops->ctx_destroy(dev->ctx);
	for (uint32_t i = 0; i < COMMAND_BUFFER_COUNT; i++)
		dev->ws->ops->bo_destroy(dev->commands[i].bo);
	retire_listed(dev);
	free(dev->bos);
	free(dev->retired);
	free(dev->bo_writes);
	access_destroy(dev->access);
	free(dev);
}

struct winsys *gpu_device_winsys(struct gpu_device *dev)
{
	return dev->ws;
}

const struct d3dgpu_caps *gpu_device_caps(struct gpu_device *dev)
{
	return &dev->caps;
}

uint32_t gpu_device_status(struct gpu_device *dev)
{
	uint32_t status = dev->ws->ops->ctx_status(dev->ctx);

	return status ? status : dev->fault;
}

void gpu_get_stats(struct gpu_device *dev, struct gpu_stats *out)
{
	*out = dev->stats;
	dev->ws->ops->get_stats(dev->ws, &out->winsys);
}
