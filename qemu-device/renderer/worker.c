/* SPDX-License-Identifier: MIT */
/*
 * Entries are executed as they come and answered in order. An entry that wants its fence signalled is answered once the
 * GPU has finished it; until then later entries are executed already, up to WORKER_PENDING_MAX. A fault ends the
 * context: what came before is still answered, then the fault, then nothing more.
 */
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "engine.h"
#include "log.h"
#include "replay.h"
#include "save.h"
#include "transfer.h"

#define SPIN_POLLS 200       /* looks at the GPU before the thread sleeps: some tens of microseconds */
#define SLEEP_NS 100000      /* and how long it sleeps between looks afterwards */
#define ENTRIES_PER_POLL 16u /* executed between two looks while more arrive */
#define STREAM_ROOM_FIRST (256u << 10)

static const struct d3dgpu_resource_desc *find_resource(void *opaque, uint32_t id)
{
	const struct worker *worker = opaque;
	const struct resource *resource = resources_find(&worker->resources, id);

	return resource && (!resource->evicted || worker->evicted_too) ? &resource->desc : NULL;
}

int worker_init(struct worker *worker, int socket, const struct vram *vram)
{
	int error;

	*worker = (struct worker){.socket = socket, .vram = *vram, .stream_room = STREAM_ROOM_FIRST};
	worker->stream = malloc(STREAM_ROOM_FIRST);
	if (!worker->stream)
		return ENOMEM;
	stream_check_init(&worker->check, find_resource, worker);
	worker->residency = (struct residency){
		.resources = &worker->resources,
		.record = &worker->record,
		.tidy = {.record = &worker->record},
	};
	error = resources_init(&worker->resources, &worker->vram);
	return error ? error : record_init(&worker->record, &worker->resources);
}

void worker_destroy(struct worker *worker)
{
	record_destroy(&worker->record);
	script_free(&worker->residency.script);
	if (worker->resources.buckets)
		resources_destroy(&worker->resources);
	if (worker->has_context)
		engine_context_destroy();
	free(worker->stream);
	vram_unmap(&worker->vram);
}

/* Bytes of the payload that each opcode uses; the rest must be 0. */
static const uint8_t payload_size[D3DGPU_OP_COUNT] = {
	[D3DGPU_OP_CTX_CREATE] = sizeof(((struct d3dgpu_entry *)0)->ctx_create),
	[D3DGPU_OP_CTX_DESTROY] = sizeof(((struct d3dgpu_entry *)0)->ctx_destroy),
	[D3DGPU_OP_RES_CREATE] = sizeof(((struct d3dgpu_entry *)0)->res_create),
	[D3DGPU_OP_RES_DESTROY] = sizeof(((struct d3dgpu_entry *)0)->res_destroy),
	[D3DGPU_OP_BIND_BACKING] = sizeof(((struct d3dgpu_entry *)0)->bind_backing),
	[D3DGPU_OP_EXEC] = sizeof(((struct d3dgpu_entry *)0)->exec),
	[D3DGPU_OP_FLUSH] = sizeof(((struct d3dgpu_entry *)0)->transfer),
	[D3DGPU_OP_LOAD] = sizeof(((struct d3dgpu_entry *)0)->transfer),
	[D3DGPU_OP_EVICT] = sizeof(((struct d3dgpu_entry *)0)->evict),
	[D3DGPU_OP_RESTORE] = sizeof(((struct d3dgpu_entry *)0)->restore),
	[D3DGPU_OP_CTX_SAVE] = sizeof(((struct d3dgpu_entry *)0)->ctx_save),
};

static bool entry_well_formed(const struct worker *worker, const struct d3dgpu_entry *entry)
{
	if (entry->opcode >= D3DGPU_OP_COUNT || (entry->flags & ~D3DGPU_ENTRY_FLAGS) || entry->reserved)
		return false;
	if (worker->has_context && entry->context != worker->context)
		return false;
	for (size_t i = payload_size[entry->opcode]; i < sizeof(entry->payload); i++)
		if (entry->payload[i])
			return false;
	return true;
}

static uint32_t create_context(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	char name[sizeof(entry->ctx_create.name) + 1];

	if (worker->has_context || !entry->context || entry->ctx_create.reserved)
		return D3DGPU_FAULT_BAD_ENTRY;
	memcpy(name, entry->ctx_create.name, sizeof(entry->ctx_create.name));
	name[sizeof(name) - 1] = '\0';
	log_set_name(name);
	*info = (uint32_t)engine_context_create(name);
	if (*info)
		return D3DGPU_FAULT_NO_MEMORY;
	worker->has_context = true;
	worker->context = entry->context;
	*info = (uint32_t)residency_begin();
	return *info ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_NONE;
}

/* Room for the private copy of a stream. */
static bool stream_reserve(struct worker *worker, uint32_t size)
{
	uint32_t *stream;

	if (size <= worker->stream_room)
		return true;
	stream = realloc(worker->stream, size);
	if (!stream)
		return false;
	worker->stream = stream;
	worker->stream_room = size;
	return true;
}

/* Takes a private copy of the stream, as the guest can change the original at any time, and checks it. */
static uint32_t fetch_stream(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	uint32_t size = entry->exec.size;
	struct stream_error error;
	const void *range;

	if (entry->exec.offset % 4 || size % 4 || size > D3DGPU_MAX_STREAM)
		return D3DGPU_FAULT_BAD_ENTRY;
	range = vram_range(&worker->vram, entry->exec.offset, size);
	if (!range)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (!stream_reserve(worker, size))
		return D3DGPU_FAULT_NO_MEMORY;
	memcpy(worker->stream, range, size);
	if (!stream_check(&worker->check, worker->stream, size / 4, &error)) {
		log_line("stream refused at word %u, %s: %s", error.word,
			 d3dgpu_command_name(worker->stream[error.word] & 0xff), error.reason);
		*info = error.word;
		return D3DGPU_FAULT_BAD_STREAM;
	}
	return D3DGPU_FAULT_NONE;
}

/* What another worker saved: it goes into the record, and from there into the engine. */
static uint32_t execute_saved(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	uint32_t count = entry->exec.size / 4, fault;

	if (!record_empty(&worker->record))
		return D3DGPU_FAULT_BAD_ENTRY;
	worker->evicted_too = true;
	fault = fetch_stream(worker, entry, info);
	worker->evicted_too = false;
	if (fault)
		return fault;
	if (!replay_is_state(worker->stream, count))
		return D3DGPU_FAULT_BAD_STREAM;
	for (uint32_t at = 0; at < count && !worker->record.failed;)
		at = record_stream(&worker->record, worker->stream, at, count);
	if (worker->record.failed)
		return D3DGPU_FAULT_NO_MEMORY;
	return save_restore(&worker->record, &worker->residency.script, info);
}

/*
 * Gives a checked stream to the record and the engine. Resources are created, transferred and destroyed with the
 * texture unit that GL used last, and the engine does not notice that it holds another texture now: binding samplers
 * makes it look.
 */
static uint32_t run_stream(struct worker *worker, uint32_t count, uint32_t *info)
{
	uint32_t groups = worker->units_disturbed ? 1u << GROUP_SAMPLERS : 0;

	worker->units_disturbed = false;
	for (uint32_t at = 0, end; at < count; at = end) {
		if (groups && residency_bind(&worker->residency, groups))
			return D3DGPU_FAULT_NO_MEMORY;
		end = record_stream(&worker->record, worker->stream, at, count);
		if (worker->record.failed)
			return D3DGPU_FAULT_NO_MEMORY;
		if (end > at && engine_submit(worker->stream + at, end - at)) {
			*info = UINT32_MAX; /* the engine does not say where */
			return D3DGPU_FAULT_BAD_STREAM;
		}
		groups = worker->record.undone;
	}
	return D3DGPU_FAULT_NONE;
}

static uint32_t execute_stream(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	uint32_t fault;

	if (entry->exec.flags & ~D3DGPU_EXEC_SAVED)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (entry->exec.flags & D3DGPU_EXEC_SAVED)
		return execute_saved(worker, entry, info);
	fault = fetch_stream(worker, entry, info);
	return fault ? fault : run_stream(worker, entry->exec.size / 4, info);
}

static uint32_t transfer(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	const struct resource *resource = resources_find(&worker->resources, entry->transfer.resource);
	enum transfer_direction direction = entry->opcode == D3DGPU_OP_FLUSH ? TRANSFER_FLUSH : TRANSFER_LOAD;

	if (!resource || resource->evicted)
		return D3DGPU_FAULT_BAD_RESOURCE;
	return transfer_run(resource, direction, entry->transfer.first, entry->transfer.count, info);
}

/* Entries about one resource. */
static uint32_t execute_resource(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	worker->units_disturbed = true;
	switch (entry->opcode) {
	case D3DGPU_OP_RES_CREATE:
		if (entry->res_create.reserved)
			return D3DGPU_FAULT_BAD_ENTRY;
		return resources_create(&worker->resources, entry->res_create.resource, &entry->res_create.desc,
					entry->res_create.backing, entry->res_create.size, info);
	case D3DGPU_OP_RES_DESTROY:
		return residency_destroy(&worker->residency, entry->res_destroy.resource, info);
	case D3DGPU_OP_BIND_BACKING:
		if (entry->bind_backing.reserved)
			return D3DGPU_FAULT_BAD_ENTRY;
		return resources_rebind(&worker->resources, entry->bind_backing.resource, entry->bind_backing.backing,
					entry->bind_backing.size, info);
	case D3DGPU_OP_EVICT:
		return residency_evict(&worker->residency, entry->evict.resource, entry->evict.flags, info);
	case D3DGPU_OP_RESTORE:
		return residency_restore(&worker->residency, entry, info);
	default:
		return transfer(worker, entry, info);
	}
}

/* Returns an enum d3dgpu_fault and a detail for logs. */
static uint32_t execute(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t *info)
{
	if (!entry_well_formed(worker, entry))
		return D3DGPU_FAULT_BAD_ENTRY;
	if (!worker->has_context && entry->opcode != D3DGPU_OP_CTX_CREATE)
		return D3DGPU_FAULT_NO_CONTEXT;
	switch (entry->opcode) {
	case D3DGPU_OP_NOP:
	case D3DGPU_OP_FENCE:
		return D3DGPU_FAULT_NONE;
	case D3DGPU_OP_CTX_CREATE:
		return create_context(worker, entry, info);
	case D3DGPU_OP_CTX_DESTROY:
		worker->ended = true;
		return D3DGPU_FAULT_NONE;
	case D3DGPU_OP_EXEC:
		return execute_stream(worker, entry, info);
	case D3DGPU_OP_RES_CREATE:
	case D3DGPU_OP_RES_DESTROY:
	case D3DGPU_OP_BIND_BACKING:
	case D3DGPU_OP_FLUSH:
	case D3DGPU_OP_LOAD:
	case D3DGPU_OP_EVICT:
	case D3DGPU_OP_RESTORE:
		return execute_resource(worker, entry, info);
	case D3DGPU_OP_CTX_SAVE:
		return save_context(&worker->record, &worker->residency.script, &worker->vram, entry, info);
	default:
		/* COPY, FILL and CTX_KILL are not for workers. */
		return D3DGPU_FAULT_BAD_ENTRY;
	}
}

/* Queues the answer to an entry, behind a fence of the engine where the entry asked for one. There is room. */
static void answer(struct worker *worker, const struct d3dgpu_entry *entry, uint32_t status, uint32_t info)
{
	struct worker_answer *last = &worker->pending[(worker->first + worker->count++) % WORKER_PENDING_MAX];

	*last = (struct worker_answer){
		.done = {.status = status, .info = info, .fence = entry->fence, .opcode = entry->opcode},
	};
	if (status != D3DGPU_FAULT_NONE) {
		log_line("fault %u (info %u) at entry with opcode %u, fence %llu", status, info, entry->opcode,
			 (unsigned long long)entry->fence);
		worker->ended = true;
	} else if (worker->has_context && (entry->flags & D3DGPU_ENTRY_FENCE)) {
		last->fence = engine_fence();
		if (!last->fence) {
			last->done.status = D3DGPU_FAULT_NO_MEMORY;
			worker->ended = true;
		}
	}
}

static bool fences_pending(const struct worker *worker)
{
	return worker->count && worker->pending[worker->first].fence;
}

/* Sends the answers that are due by what is known of the GPU. Returns false when the other side is gone. */
static bool send_answers(struct worker *worker)
{
	while (worker->count) {
		struct worker_answer *oldest = &worker->pending[worker->first];

		if (oldest->fence && !engine_fence_reached(oldest->fence))
			break;
		if (send(worker->socket, &oldest->done, sizeof(oldest->done), MSG_NOSIGNAL) != sizeof(oldest->done))
			return false;
		worker->first = (worker->first + 1) % WORKER_PENDING_MAX;
		worker->count--;
	}
	return true;
}

/*
 * Executes at most one entry that has arrived. Returns 1, 0 when there was none, or -1 when the other side is gone.
 * A packet that is no entry is answered as one of opcode 0.
 */
static int take_entry(struct worker *worker)
{
	struct d3dgpu_entry entry = {0};
	uint32_t info = 0, status;
	ssize_t size = recv(worker->socket, &entry, sizeof(entry), MSG_DONTWAIT | MSG_TRUNC);

	if (size < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (!size)
		return -1;
	if (size != sizeof(entry)) {
		entry = (struct d3dgpu_entry){0};
		info = (uint32_t)size;
		status = D3DGPU_FAULT_BAD_ENTRY;
	} else {
		status = execute(worker, &entry, &info);
	}
	answer(worker, &entry, status, info);
	return 1;
}

/* Between two entries. If the engine does not bear it the next stream will end in the error. */
static void tidy_up(struct worker *worker)
{
	worker->units_disturbed = true;
	if (tidy_run(&worker->residency.tidy, &worker->residency.script))
		log_line("memory could not be given back");
}

/*
 * Until there is something to do: an entry when there is room for its answer, the GPU when it has been asked. `spins`
 * counts fruitless looks since the last progress.
 */
static void wait_for_work(struct worker *worker, unsigned spins)
{
	bool room = worker->count < WORKER_PENDING_MAX && !worker->ended;
	struct pollfd socket = {.fd = worker->socket, .events = room ? POLLIN : 0};
	struct timespec nap = {.tv_nsec = SLEEP_NS};
	struct timespec idle = {.tv_nsec = TIDY_IDLE_MS * 1000000l};
	bool untidy = tidy_pending(&worker->residency.tidy) && !worker->ended;

	if (!fences_pending(worker)) {
		if (!ppoll(&socket, 1, untidy ? &idle : NULL, NULL))
			tidy_up(worker);
	} else if (spins > SPIN_POLLS) {
		ppoll(&socket, 1, &nap, NULL);
	} else {
		sched_yield(); /* llvmpipe's threads may want this processor */
	}
}

uint32_t worker_run(struct worker *worker)
{
	uint32_t status = D3DGPU_FAULT_NONE;
	unsigned spins = 0, unseen = 0;

	while (!worker->ended || worker->count) {
		uint32_t pending = worker->count;
		int taken = 0;

		if (!worker->ended && worker->count < WORKER_PENDING_MAX)
			taken = take_entry(worker);
		if (taken < 0)
			break;
		if (worker->count)
			status = worker->pending[(worker->first + worker->count - 1) % WORKER_PENDING_MAX].done.status;
		/* Looking at the GPU switches GL contexts, which flushes: not between any two entries. */
		if (fences_pending(worker) && (!taken || ++unseen >= ENTRIES_PER_POLL)) {
			engine_poll();
			unseen = 0;
		}
		if (!send_answers(worker))
			break;
		if (taken > 0 || worker->count < pending) {
			spins = 0;
			continue;
		}
		wait_for_work(worker, ++spins);
	}
	return status;
}
