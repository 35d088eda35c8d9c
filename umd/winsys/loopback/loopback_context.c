/* SPDX-License-Identifier: MIT */
/*
 * Contexts. The winsys numbers submits from 1; the device numbers entries, of which a submit may need several. A
 * submit is done when the fence slot has reached the number of its last entry.
 */
#include <errno.h>
#include <string.h>

#include "loopback.h"

extern char *program_invocation_short_name;

static struct loopback_context *to_context(struct winsys_ctx *ctx)
{
	return (struct loopback_context *)ctx;
}

uint64_t context_value(const struct loopback_context *context)
{
	return __atomic_load_n(&context->device->ctrl->fences[context->base.id].value, __ATOMIC_ACQUIRE);
}

uint32_t context_fault(const struct loopback_context *context)
{
	if (device_dead(context->device))
		return D3DGPU_FAULT_RESET;
	return __atomic_load_n(&context->device->ctrl->fences[context->base.id].status, __ATOMIC_ACQUIRE);
}

/* Of a context that has a fault. */
static int context_error(const struct loopback_context *context)
{
	return device_dead(context->device) ? -ENODEV : -EIO;
}

void context_wait_entry(struct loopback_context *context, uint32_t generation, uint64_t number)
{
	for (;;) {
		uint32_t seen = device_interrupts(context->device);

		if (device_dead(context->device) || context->generation != generation || context->state == CONTEXT_NONE ||
		    context->state == CONTEXT_ENDED || context_value(context) >= number)
			return;
		device_sleep_unlocked(context->device, seen);
	}
}

static struct loopback_context *find_slot(struct loopback_device *device)
{
	uint32_t most = device->base.caps.max_contexts;

	for (uint32_t i = 1; i < D3DGPU_MAX_CONTEXTS && (!most || i <= most); i++)
		if (device->contexts[i].state == CONTEXT_NONE)
			return &device->contexts[i];
	return NULL;
}

int context_create(struct winsys *ws, uint32_t priority, struct winsys_ctx **out)
{
	struct loopback_device *device = (struct loopback_device *)ws;
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .ctx_create.priority = priority};
	struct loopback_context *context;
	uint64_t number;
	int error;

	if (priority >= D3DGPU_PRIORITY_COUNT)
		return -EINVAL;
	strncpy(entry.ctx_create.name, program_invocation_short_name, sizeof(entry.ctx_create.name) - 1);
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	context = find_slot(device);
	if (!context) {
		pthread_mutex_unlock(&device->lock);
		return -ENOSPC;
	}
	memset(&device->ctrl->fences[context->base.id], 0, sizeof(device->ctrl->fences[0]));
	context->state = CONTEXT_LIVE;
	context->generation++;
	context->ring = priority;
	context->next_entry = 1;
	context->submitted = context->done = 0;
	error = ring_write(context, &entry, true, &number);
	ring_kick(device);
	if (!error)
		context_wait_entry(context, context->generation, number);
	if (!error && context_fault(context)) {
		error = context_error(context);
		context_end(context);
	}
	if (error)
		context->state = CONTEXT_NONE;
	pthread_mutex_unlock(&device->lock);
	*out = error ? NULL : &context->base;
	return error;
}

void context_end(struct loopback_context *context)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_DESTROY};
	uint32_t generation = context->generation;
	uint64_t number;

	/* Another thread is at it. */
	while (context->state == CONTEXT_ENDING && context->generation == generation)
		device_sleep_unlocked(context->device, device_interrupts(context->device));
	if (context->state != CONTEXT_LIVE || context->generation != generation)
		return;
	context->state = CONTEXT_ENDING;
	if (!ring_write(context, &entry, true, &number)) {
		ring_kick(context->device);
		context_wait_entry(context, generation, number);
	}
	context->state = CONTEXT_ENDED;
}

void contexts_end_lost(struct loopback_device *device)
{
	for (uint32_t id = 1; id < D3DGPU_MAX_CONTEXTS; id++)
		if (device->contexts[id].state == CONTEXT_LIVE && context_fault(&device->contexts[id]))
			context_end(&device->contexts[id]);
}

void context_destroy(struct winsys_ctx *ctx)
{
	struct loopback_context *context = to_context(ctx);
	struct loopback_device *device;

	if (!ctx)
		return;
	device = context->device;
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	if (context->state == CONTEXT_LIVE && !context_fault(context))
		objects_flush_context(context);
	context_end(context);
	context->state = CONTEXT_NONE;
	objects_reap(device);
	pthread_mutex_unlock(&device->lock);
}

uint32_t context_status(struct winsys_ctx *ctx)
{
	return context_fault(to_context(ctx));
}

/* ---- submits ---- */

static int check_submit(const struct winsys_submit *submit)
{
	if (submit->size % 4 || submit->offset % 4 || submit->size > D3DGPU_MAX_STREAM ||
	    !submit->size != !submit->commands)
		return -EINVAL;
	if (submit->commands && (submit->commands->kind != WINSYS_BO_STAGING ||
				 (uint64_t)submit->offset + submit->size > submit->commands->size))
		return -EINVAL;
	return 0;
}

/* Writes the entries of a submit, whose objects are held. *number is the last one's. */
static int write_entries(struct loopback_context *context, const struct winsys_submit *submit, uint64_t *number)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FENCE};
	int error = 0;

	for (uint32_t i = 0; !error && i < submit->bo_count; i++)
		error = object_prepare(context, ((struct loopback_bo *)submit->bos[i])->object);
	if (error)
		return error;
	if (submit->size) {
		entry.opcode = D3DGPU_OP_EXEC;
		entry.exec.offset = ((struct loopback_bo *)submit->commands)->object->offset + submit->offset;
		entry.exec.size = submit->size;
	}
	error = ring_write(context, &entry, true, number);
	for (uint32_t i = 0; !error && i < submit->bo_count; i++)
		object_used(context, ((struct loopback_bo *)submit->bos[i])->object, *number,
			    submit->writes && submit->writes[i]);
	return error;
}

static int write_submit(struct loopback_context *context, const struct winsys_submit *submit, uint64_t *number)
{
	int error = objects_hold(context->device, submit->bos, submit->bo_count);

	if (error)
		return error;
	error = write_entries(context, submit, number);
	objects_release(submit->bos, submit->bo_count);
	return error;
}

int context_submit(struct winsys_ctx *ctx, const struct winsys_submit *submit, uint64_t *fence)
{
	struct loopback_context *context = to_context(ctx);
	struct loopback_device *device = context->device;
	uint64_t number;
	int error = check_submit(submit);

	if (error)
		return error;
	pthread_mutex_lock(&device->lock);
	device->stats.ioctls++;
	error = context_fault(context) ? context_error(context) : write_submit(context, submit, &number);
	ring_kick(device);
	if (!error) {
		context->submitted++;
		context->entries[context->submitted % SUBMIT_WINDOW] = number;
		*fence = context->submitted;
		device->stats.submits++;
		device->stats.stream_bytes += submit->size;
	}
	pthread_mutex_unlock(&device->lock);
	return error;
}

/* Called by the thread that submits. */
uint64_t context_completed(struct winsys_ctx *ctx)
{
	struct loopback_context *context = to_context(ctx);
	uint64_t value = context_value(context);

	while (context->done < context->submitted && context->entries[(context->done + 1) % SUBMIT_WINDOW] <= value)
		context->done++;
	return context->done;
}

int context_wait(struct winsys_ctx *ctx, uint64_t fence, uint64_t timeout)
{
	struct loopback_context *context = to_context(ctx);
	struct loopback_device *device = context->device;
	uint64_t now = now_ns(), deadline = timeout > UINT64_MAX - now ? UINT64_MAX : now + timeout;
	bool slept = false;

	if (fence > context->submitted)
		return -EINVAL;
	for (;;) {
		uint32_t seen = device_interrupts(device);

		if (context_fault(context))
			return context_error(context);
		if (context_completed(ctx) >= fence)
			break;
		if (!device_sleep(device, seen, deadline))
			return -ETIME;
		slept = true;
	}
	if (slept) {
		pthread_mutex_lock(&device->lock);
		device->stats.ioctls++;
		device->stats.waits++;
		pthread_mutex_unlock(&device->lock);
	}
	return 0;
}
