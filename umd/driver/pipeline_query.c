/* SPDX-License-Identifier: MIT */
/*
 * Queries. Results stay in the engine until the submit in which a query ended is about to go; then they are written
 * into a buffer of the engine and from there into staging memory, where the CPU finds them when the fence is done.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>

#define SLOTS 4096u			/* results of one device */
#define SEGMENTS 8u			/* parts that a query may be cut into: see queries_pause() */
#define PENDING_LIMIT 128u		/* ended queries that one submit can take: fits COMMAND_TAIL */

struct gpu_query {
	enum gpu_query_type type;
	uint32_t handle;		/* 0 for events */
	uint32_t slot;
	uint32_t segments[SEGMENTS];	/* slots of earlier parts */
	uint32_t segment_count;
	uint64_t serial;		/* submit that brings the result; 0 = never ended */
	struct gpu_query *next;		/* in the pool's list of active ones */
	bool active;			/* between begin and end */
	bool paused;
	bool pending;			/* in the pool's list */
};

struct query_pool {
	struct gpu_resource *sink;	/* the engine insists on a result resource; nothing is ever written to it */
	struct tracked_bo results, readback; /* SLOTS results of 8 bytes: in the engine, and for the CPU */
	struct gpu_query *pending[PENDING_LIMIT];
	uint32_t pending_count;
	struct gpu_query *active;	/* occlusion queries between begin and end */
	uint8_t used[SLOTS];
};

static int buffer_bo(struct gpu_device *dev, uint32_t bind, uint32_t size, struct winsys_bo **out)
{
	const struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = bind,
		.width = size,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};

	return dev->ws->ops->resource_create(dev->ws, &desc, out);
}

static int pool_init(struct gpu_device *dev)
{
	const struct d3dgpu_resource_desc sink = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_CUSTOM,
		.width = 64,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	struct query_pool *pool;
	int error;

	if (dev->queries)
		return 0;
	pool = dev->queries = device_alloc(dev, sizeof(*pool));
	if (!pool)
		return -ENOMEM;
	error = gpu_resource_create(dev, &sink, GPU_USAGE_DEFAULT, &pool->sink);
	if (!error)
		error = buffer_bo(dev, D3DGPU_BIND_QUERY_BUFFER, SLOTS * 8, &pool->results.bo);
	if (!error)
		error = dev->ws->ops->staging_create(dev->ws, SLOTS * 8, &pool->readback.bo);
	if (error)
		queries_fini(dev);
	return error;
}

void queries_fini(struct gpu_device *dev)
{
	struct query_pool *pool = dev->queries;

	if (!pool)
		return;
	gpu_resource_destroy(dev, pool->sink);
	device_retire(dev, &pool->results);
	device_retire(dev, &pool->readback);
	free(pool);
	dev->queries = NULL;
}

static int take_slot(struct query_pool *pool, uint32_t *slot)
{
	for (uint32_t i = 0; i < SLOTS; i++)
		if (!pool->used[i]) {
			pool->used[i] = 1;
			*slot = i;
			return 0;
		}
	return -ENOMEM;
}

static const uint32_t engine_types[] = {
	[GPU_QUERY_OCCLUSION] = D3DGPU_QUERY_OCCLUSION,
	[GPU_QUERY_OCCLUSION_PREDICATE] = D3DGPU_QUERY_OCCLUSION_PREDICATE,
	[GPU_QUERY_TIMESTAMP] = D3DGPU_QUERY_TIMESTAMP,
};

static bool available(const struct gpu_device *dev, enum gpu_query_type type)
{
	switch (type) {
	case GPU_QUERY_EVENT:
		return true;
	case GPU_QUERY_OCCLUSION:
	case GPU_QUERY_OCCLUSION_PREDICATE:
		return dev->caps.options & D3DGPU_OPTION_OCCLUSION;
	case GPU_QUERY_TIMESTAMP:
		return dev->caps.options & D3DGPU_OPTION_TIMESTAMP;
	default:
		return false;
	}
}

/* The engine's side of a query. */
static int query_init(struct gpu_device *dev, struct gpu_query *query)
{
	struct list_use use;
	int error = pool_init(dev);

	if (error)
		return error;
	use = use_of(to_resource(dev->queries->sink), false);
	error = device_claim(dev, STREAM_COMMAND_WORDS, &use, 1);
	if (!error)
		error = take_slot(dev->queries, &query->slot);
	if (error)
		return error;
	query->handle = device_handle(dev);
	stream_create_query(&dev->stream, query->handle, engine_types[query->type], 0, dev->queries->sink->bo->res_id);
	if (dev->stream.error)
		dev->queries->used[query->slot] = 0;
	dev->stats.state_objects++;
	return dev->stream.error;
}

int gpu_query_create(struct gpu_device *dev, enum gpu_query_type type, struct gpu_query **out)
{
	struct gpu_query *query;
	int error = 0;

	if (!available(dev, type))
		return -ENOTSUP;
	query = device_alloc(dev, sizeof(*query));
	if (!query)
		return -ENOMEM;
	query->type = type;
	if (type != GPU_QUERY_EVENT)
		error = query_init(dev, query);
	if (error) {
		free(query);
		return error;
	}
	*out = query;
	return 0;
}

/* ---- cutting active queries ---- */

static void drop_segments(struct query_pool *pool, struct gpu_query *query)
{
	while (query->segment_count)
		pool->used[query->segments[--query->segment_count]] = 0;
}

static void deactivate(struct query_pool *pool, struct gpu_query *query)
{
	struct gpu_query **link = &pool->active;

	while (*link && *link != query)
		link = &(*link)->next;
	if (*link)
		*link = query->next;
	query->active = false;
}

uint32_t queries_pause_uses(struct gpu_device *dev, struct list_use *use)
{
	if (!dev->queries || !dev->queries->active)
		return 0;
	*use = use_of_memory(&dev->queries->results, true);
	return 1;
}

void queries_pause(struct gpu_device *dev)
{
	struct query_pool *pool = dev->queries;
	struct gpu_query *query = pool ? pool->active : NULL;

	for (; query; query = query->next) {
		uint32_t *slot = &query->segments[query->segment_count];

		query->paused = query->segment_count < SEGMENTS && !take_slot(pool, slot);
		if (!query->paused)
			continue; /* counts what it should not, rather than fail the clear */
		query->segment_count++;
		stream_end_query(&dev->stream, query->handle);
		stream_query_to_buffer(&dev->stream, query->handle, pool->results.bo->res_id, *slot * 8);
	}
}

void queries_resume(struct gpu_device *dev)
{
	for (struct gpu_query *query = dev->queries ? dev->queries->active : NULL; query; query = query->next) {
		if (query->paused)
			stream_begin_query(&dev->stream, query->handle);
		query->paused = false;
	}
}

static void forget_pending(struct query_pool *pool, const struct gpu_query *query)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < pool->pending_count; i++)
		if (pool->pending[i] != query)
			pool->pending[kept++] = pool->pending[i];
	pool->pending_count = kept;
}

void gpu_query_destroy(struct gpu_device *dev, struct gpu_query *query)
{
	if (!query)
		return;
	if (query->active)
		gpu_query_end(dev, query);
	if (query->handle) {
		forget_pending(dev->queries, query);
		stream_destroy_object(&dev->stream, D3DGPU_OBJ_QUERY, query->handle);
		drop_segments(dev->queries, query);
		dev->queries->used[query->slot] = 0;
	}
	free(query);
}

int gpu_query_begin(struct gpu_device *dev, struct gpu_query *query)
{
	if (query->type == GPU_QUERY_EVENT || query->type == GPU_QUERY_TIMESTAMP)
		return 0; /* only their end means something */
	if (query->active)
		gpu_query_end(dev, query);
	drop_segments(dev->queries, query);
	stream_begin_query(&dev->stream, query->handle);
	query->active = true;
	query->next = dev->queries->active;
	dev->queries->active = query;
	return dev->stream.error;
}

int gpu_query_end(struct gpu_device *dev, struct gpu_query *query)
{
	struct query_pool *pool = dev->queries;
	struct list_use uses[3];
	bool begun = query->active;
	int error = 0;

	if (query->type == GPU_QUERY_EVENT) {
		/* with nothing recorded, the last submit is what it waits for */
		query->serial = dev->stream.used ? dev->serial : dev->serial - 1;
		if (!query->serial)
			query->serial = dev->serial;
		return 0;
	}
	uses[0] = use_of_memory(&pool->results, true);
	uses[1] = use_of_memory(&pool->readback, true);
	uses[2] = use_of(to_resource(pool->sink), true);
	deactivate(pool, query); /* whatever happens: the list must not outlive the query */
	if (query->type != GPU_QUERY_TIMESTAMP && !begun) {
		/* D3D allows an end without a begin: the query is then empty */
		drop_segments(pool, query);
		stream_begin_query(&dev->stream, query->handle);
	}
	if (pool->pending_count == PENDING_LIMIT && !query->pending)
		error = gpu_flush(dev, NULL);
	if (!error)
		error = device_claim(dev, STREAM_COMMAND_WORDS, uses, 3);
	if (error)
		return error;
	stream_end_query(&dev->stream, query->handle);
	query->serial = dev->serial;
	if (!query->pending)
		pool->pending[pool->pending_count++] = query;
	query->pending = true;
	return dev->stream.error;
}

/* Widens a range of slots by one. */
static void include(uint32_t *first, uint32_t *last, uint32_t slot)
{
	*first = slot < *first ? slot : *first;
	*last = slot > *last ? slot : *last;
}

void queries_submit(struct gpu_device *dev)
{
	struct query_pool *pool = dev->queries;
	uint32_t first = SLOTS, last = 0;
	struct stream_transfer transfer = {.from_resource = true, .synchronized = true};

	if (!pool || !pool->pending_count)
		return;
	for (uint32_t i = 0; i < pool->pending_count; i++) {
		struct gpu_query *query = pool->pending[i];

		query->pending = false;
		if (query->active)
			continue; /* begun again in the same submit: its next end counts */
		stream_query_to_buffer(&dev->stream, query->handle, pool->results.bo->res_id, query->slot * 8);
		include(&first, &last, query->slot);
		for (uint32_t part = 0; part < query->segment_count; part++)
			include(&first, &last, query->segments[part]);
	}
	pool->pending_count = 0;
	if (first > last)
		return;
	transfer.resource = pool->results.bo->res_id;
	transfer.staging = pool->readback.bo->res_id;
	transfer.offset = first * 8;
	transfer.box = (struct stream_box){first * 8, 0, 0, (last - first + 1) * 8, 1, 1};
	stream_transfer(&dev->stream, &transfer);
}

/* The sum of a query's parts. */
static uint64_t read_result(const struct query_pool *pool, const struct gpu_query *query)
{
	const volatile uint64_t *results = pool->readback.bo->map;
	uint64_t sum = results[query->slot];

	for (uint32_t part = 0; part < query->segment_count; part++)
		sum += results[query->segments[part]];
	return query->type == GPU_QUERY_OCCLUSION_PREDICATE ? sum != 0 : sum;
}

int gpu_query_result(struct gpu_device *dev, struct gpu_query *query, bool flush, uint64_t *result)
{
	int error;

	if (!query->serial || query->active)
		return query->active ? -EBUSY : -EINVAL;
	if (query->serial >= dev->serial) {
		error = flush ? gpu_flush(dev, NULL) : 0;
		if (error)
			return error;
		if (!dev->stream.used && query->type == GPU_QUERY_EVENT && query->serial >= dev->serial)
			goto done; /* nothing was ever submitted */
		if (!flush)
			return -EBUSY;
	}
	if (!gpu_fence_done(dev, query->serial)) {
		error = device_error(dev);
		return error ? error : -EBUSY;
	}
done:
	*result = query->type == GPU_QUERY_EVENT ? 1 : read_result(dev->queries, query);
	return 0;
}
