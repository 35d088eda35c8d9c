/* SPDX-License-Identifier: MIT */
/*
 * The resources of the worker's context: id → description and VRAM range. Ids are the kernel's, unique within the
 * device and not dense, so this is a hash table. An entry's address is stable from creation to destruction.
 */
#ifndef D3DGPU_RENDERER_RESOURCES_H
#define D3DGPU_RENDERER_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "d3dgpu_ring.h"
#include "vram.h"

/* Ids from here on belong to the worker itself. */
#define RESOURCES_ID_END 0xfffffff0u
#define RESOURCES_ID_SAMPLES (RESOURCES_ID_END + 0)	/* samples.c */
#define RESOURCES_ID_ZEROS (RESOURCES_ID_END + 1)	/* residency.h */
#define RESOURCES_ID_PIXEL (RESOURCES_ID_END + 2)	/* tidy.c */

struct object;

struct resource {
	uint32_t id;
	struct d3dgpu_resource_desc desc;
	struct iovec backing;		/* the VRAM range; the engine keeps this structure's address */
	bool evicted;			/* no range, and no object in the engine unless the range is the storage */
	bool in_arrays;			/* was bound as vertex or index buffer */
	struct object *objects;		/* views, surfaces, targets and queries of it, evicted or not (objects.h) */
	struct resource *next;		/* in its bucket */
};

struct resources {
	const struct vram *vram;
	struct resource **buckets;
	uint32_t bucket_count;		/* a power of two */
	uint32_t count;
};

/* Returns 0 or ENOMEM. `vram` must outlive the table. */
int resources_init(struct resources *resources, const struct vram *vram);
/* Destroys what is left, in the engine too. */
void resources_destroy(struct resources *resources);

struct resource *resources_find(const struct resources *resources, uint32_t id);

/*
 * The steps of the ring entries about resources. They return an enum d3dgpu_fault; nothing has changed when it is not
 * NONE. `info` is set to the engine's errno, for logs.
 */
uint32_t resources_create(struct resources *resources, uint32_t id, const struct d3dgpu_resource_desc *desc,
			  uint64_t backing, uint64_t size, uint32_t *info);
uint32_t resources_rebind(struct resources *resources, uint32_t id, uint64_t backing, uint64_t size, uint32_t *info);
/* Gives an evicted resource its object and a range again. */
uint32_t resources_restore(struct resources *resources, struct resource *resource, uint64_t backing, uint64_t size,
			   uint32_t *info);

/* The engine's object goes, or only the range where that is the storage; the resource remains, as evicted. */
void resources_evict(struct resource *resource);
/* Neither the engine nor the table knows it any more. */
void resources_remove(struct resources *resources, struct resource *resource);

/* Whether the VRAM range is the storage itself: staging and query buffers. */
static inline bool resource_is_range(const struct d3dgpu_resource_desc *desc)
{
	return desc->bind & (D3DGPU_BIND_STAGING | D3DGPU_BIND_CUSTOM);
}

/* Whether the engine has an object of it. */
static inline bool resource_in_engine(const struct resource *resource)
{
	return !resource->evicted || resource_is_range(&resource->desc);
}

#endif
