/* SPDX-License-Identifier: MIT */
/*
 * Sub-allocation of CPU-mapped memory. Chunks are filled front to back; a full one is used again when the last submit
 * that uses it is done and nobody holds a range of it. In a steady frame chunks go round without a system call. A program
 * that uploads faster than the GPU takes it waits; it does not use up the pool. Chunks that nobody has asked for during
 * many submits may be thrown away by the kernel when it needs room, which costs nothing: they are filled before use.
 */
#include "pipeline_private.h"

#include <errno.h>
#include <stdlib.h>

#define CHUNK_SIZE (1ull << 20)  /* bytes, of a plain chunk */
#define CHUNK_ALIGN 256ull       /* bytes, of ranges */
#define IDLE_LIMIT (64ull << 20) /* bytes of chunks beyond which idle ones are given back */
#define STREAM_LIMIT (16ull << 20) /* bytes that one stream may hold before it is submitted */
#define IDLE_SUBMITS 120u	   /* after so many without it, a chunk is the kernel's to take */
#define POOL_SHARE 4		   /* the chunks of one device take at most this part of VRAM before it waits */

static void chunk_destroy(struct gpu_device *dev, struct staging_chunk *chunk)
{
	struct staging_chunk **link = &dev->chunks;

	while (*link != chunk)
		link = &(*link)->next;
	*link = chunk->next;
	if (dev->chunk == chunk)
		dev->chunk = NULL;
	dev->staging_size -= chunk->tracked.bo->size;
	device_retire(dev, &chunk->tracked);
	free(chunk);
}

static bool chunk_idle(struct gpu_device *dev, const struct staging_chunk *chunk)
{
	return !chunk->pins && device_done(dev, chunk->serial);
}

/* The smallest idle chunk that is large enough. */
static struct staging_chunk *find_idle(struct gpu_device *dev, uint64_t size)
{
	struct staging_chunk *best = NULL;

	for (struct staging_chunk *chunk = dev->chunks; chunk; chunk = chunk->next) {
		uint64_t room = chunk->tracked.bo->size;

		if (room >= size && (!best || room < best->tracked.bo->size) && chunk_idle(dev, chunk))
			best = chunk;
	}
	if (best && best->unneeded && dev->ws->ops->set_needed(best->tracked.bo, true) >= 0)
		best->unneeded = false;
	return best && !best->unneeded ? best : NULL;
}

void staging_age(struct gpu_device *dev)
{
	if (dev->serial % IDLE_SUBMITS)
		return;
	for (struct staging_chunk *chunk = dev->chunks; chunk; chunk = chunk->next)
		if (chunk != dev->chunk && !chunk->unneeded && chunk->serial + IDLE_SUBMITS < dev->serial &&
		    chunk_idle(dev, chunk))
			chunk->unneeded = dev->ws->ops->set_needed(chunk->tracked.bo, false) >= 0;
}

static void trim(struct gpu_device *dev, uint64_t limit)
{
	struct staging_chunk *chunk = dev->chunks, *next;

	for (; chunk && dev->staging_size > limit; chunk = next) {
		next = chunk->next;
		if (chunk_idle(dev, chunk))
			chunk_destroy(dev, chunk);
	}
}

void staging_trim(struct gpu_device *dev)
{
	trim(dev, 0);
}

static int chunk_create(struct gpu_device *dev, uint64_t size, struct staging_chunk **out)
{
	struct staging_chunk *chunk = device_alloc(dev, sizeof(*chunk));
	uint64_t room = CHUNK_SIZE;
	int error;

	if (!chunk)
		return -ENOMEM;
	while (room < size)
		room *= 2;
	trim(dev, IDLE_LIMIT);
	error = dev->ws->ops->staging_create(dev->ws, room, &chunk->tracked.bo);
	if (error == -ENOMEM) {
		/* Work that is recorded or pending may hold what is missing. */
		error = dev->submitting ? 0 : gpu_flush(dev, NULL);
		if (!error)
			error = device_wait(dev, dev->serial - 1);
		dev->looked = 0;
		trim(dev, 0);
		if (!error)
			error = dev->ws->ops->staging_create(dev->ws, d3dgpu_align(size, D3DGPU_RESOURCE_ALIGN),
							     &chunk->tracked.bo);
	}
	if (error) {
		free(chunk);
		return error;
	}
	chunk->next = dev->chunks;
	dev->chunks = chunk;
	dev->staging_size += chunk->tracked.bo->size;
	dev->stats.staging_buffers++;
	*out = chunk;
	return 0;
}

/* The program is ahead of the GPU: waits for the oldest chunk that is large enough. NULL when there is none. */
static struct staging_chunk *wait_idle(struct gpu_device *dev, uint64_t size)
{
	const struct staging_chunk *oldest = NULL;

	for (const struct staging_chunk *chunk = dev->chunks; chunk; chunk = chunk->next)
		if (!chunk->pins && chunk->tracked.bo->size >= size && (!oldest || chunk->serial < oldest->serial))
			oldest = chunk;
	if (!oldest || dev->submitting || device_wait(dev, oldest->serial))
		return NULL;
	return find_idle(dev, size);
}

/* A chunk with room for `size` bytes. */
static int find_chunk(struct gpu_device *dev, uint64_t size, struct staging_chunk **out)
{
	struct staging_chunk *chunk = dev->chunk;
	int error;

	if (chunk && chunk->tracked.bo->size - chunk->used >= size) {
		*out = chunk;
		return 0;
	}
	chunk = find_idle(dev, size);
	if (!chunk && dev->staging_size + size > dev->ws->caps.vram_size / POOL_SHARE)
		chunk = wait_idle(dev, size);
	if (!chunk) {
		/* The first has a companion: with two, a program of steady needs never asks for a third. */
		if (!dev->chunks && size <= CHUNK_SIZE)
			chunk_create(dev, size, &chunk);
		error = chunk_create(dev, size, &chunk);
		if (error)
			return error;
	}
	chunk->used = 0;
	/* A large range has its chunk alone; small ones go on in the plain one. */
	if (size <= CHUNK_SIZE / 2 || !dev->chunk)
		dev->chunk = chunk;
	*out = chunk;
	return 0;
}

int staging_alloc(struct gpu_device *dev, uint64_t size, struct staging_range *out)
{
	struct staging_chunk *chunk;
	int error;

	size = d3dgpu_align(size ? size : 1, CHUNK_ALIGN);
	if (dev->staged && dev->staged + size > STREAM_LIMIT && !dev->submitting) {
		error = gpu_flush(dev, NULL);
		if (error)
			return error;
	}
	error = find_chunk(dev, size, &chunk);
	if (error)
		return error;
	dev->staged += size;
	out->chunk = chunk;
	out->offset = chunk->used;
	out->data = (uint8_t *)chunk->tracked.bo->map + chunk->used;
	chunk->used += size;
	chunk->pins++;
	return 0;
}

void staging_release(struct gpu_device *dev, struct staging_range *range)
{
	range->chunk->pins--;
	range->chunk->serial = dev->serial;
	range->chunk = NULL;
}

void staging_fini(struct gpu_device *dev)
{
	while (dev->chunks)
		chunk_destroy(dev, dev->chunks);
}
