/* SPDX-License-Identifier: MIT */
#include "resources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "log.h"

#define BUCKETS_FIRST 256u

int resources_init(struct resources *resources, const struct vram *vram)
{
	*resources = (struct resources){.vram = vram, .bucket_count = BUCKETS_FIRST};
	resources->buckets = calloc(BUCKETS_FIRST, sizeof(struct resource *));
	return resources->buckets ? 0 : ENOMEM;
}

static uint32_t bucket_of(const struct resources *resources, uint32_t id)
{
	/* Fibonacci hashing: kernel ids rise by one, and neighbours should not collide after growth either. */
	return (id * 2654435769u >> 8) & (resources->bucket_count - 1);
}

/* The link that points to the resource, or the end of its bucket's list. */
static struct resource **find_link(const struct resources *resources, uint32_t id)
{
	struct resource **link = &resources->buckets[bucket_of(resources, id)];

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	return link;
}

struct resource *resources_find(const struct resources *resources, uint32_t id)
{
	return *find_link(resources, id);
}

/* Doubles the table when it is full. Without memory it just stays slower. */
static void grow(struct resources *resources)
{
	uint32_t old_count = resources->bucket_count;
	struct resource **old = resources->buckets;
	struct resource **buckets;

	if (resources->count < old_count || old_count >= (1u << 23))
		return;
	buckets = calloc(old_count * 2, sizeof(struct resource *));
	if (!buckets)
		return;
	resources->buckets = buckets;
	resources->bucket_count = old_count * 2;
	for (uint32_t i = 0; i < old_count; i++) {
		for (struct resource *resource = old[i], *next; resource; resource = next) {
			struct resource **head = &buckets[bucket_of(resources, resource->id)];

			next = resource->next;
			resource->next = *head;
			*head = resource;
		}
	}
	free(old);
}

static void destroy(struct resource *resource)
{
	if (resource_in_engine(resource))
		engine_resource_destroy(resource->id);
	free(resource);
}

void resources_destroy(struct resources *resources)
{
	for (uint32_t i = 0; i < resources->bucket_count; i++) {
		for (struct resource *resource = resources->buckets[i], *next; resource; resource = next) {
			next = resource->next;
			destroy(resource);
		}
	}
	free(resources->buckets);
	*resources = (struct resources){0};
}

/* The address of a range that is big enough for the description, or NULL. */
static void *backing_range(const struct resources *resources, const struct d3dgpu_resource_desc *desc, uint64_t backing,
			   uint64_t size)
{
	if (backing % D3DGPU_RESOURCE_ALIGN || size < d3dgpu_linear_size(desc))
		return NULL;
	return vram_range(resources->vram, backing, size);
}

/*
 * Makes a range the resource's backing. The engine moves the content of a query buffer with it: from the old range,
 * which may be somebody else's by now, to the new one, where the kernel has put it already. What is there is what
 * counts, so it is kept aside meanwhile. Staging buffers are not touched by the engine.
 */
static int attach(struct resource *resource, void *range, uint64_t size)
{
	struct iovec backing = {range, size};
	struct iovec previous = resource->backing;
	void *content = NULL;
	int error;

	if (resource->desc.bind & D3DGPU_BIND_CUSTOM) {
		content = malloc(resource->desc.width);
		if (!content)
			return ENOMEM;
		memcpy(content, range, resource->desc.width);
	}
	engine_backing_detach(resource->id);
	resource->backing = backing;
	error = engine_backing_attach(resource->id, &resource->backing);
	if (error)
		resource->backing = previous;
	else if (content)
		memcpy(range, content, resource->desc.width);
	free(content);
	return error;
}

/* GL has volumes of BC6H and BC7, not of the older block formats; the engine would only fail at the first use. */
static bool impossible(const struct d3dgpu_resource_desc *desc)
{
	return desc->target == D3DGPU_TARGET_3D && d3dgpu_format_block(desc->format).width > 1 &&
	       desc->format < D3DGPU_FMT_BPTC_RGBA_UNORM;
}

uint32_t resources_create(struct resources *resources, uint32_t id, const struct d3dgpu_resource_desc *desc,
			  uint64_t backing, uint64_t size, uint32_t *info)
{
	struct resource *resource;
	void *range;
	int error;

	if (!id || id >= RESOURCES_ID_END || !d3dgpu_resource_valid(desc) || resources_find(resources, id))
		return D3DGPU_FAULT_BAD_RESOURCE;
	if (resource_is_range(desc) && desc->bind != D3DGPU_BIND_STAGING && desc->bind != D3DGPU_BIND_CUSTOM)
		return D3DGPU_FAULT_BAD_RESOURCE;
	if (impossible(desc))
		return D3DGPU_FAULT_BAD_RESOURCE;
	range = backing_range(resources, desc, backing, size);
	if (!range)
		return D3DGPU_FAULT_BAD_ENTRY;
	resource = calloc(1, sizeof(*resource));
	if (!resource)
		return D3DGPU_FAULT_NO_MEMORY;
	resource->id = id;
	resource->desc = *desc;
	error = engine_resource_create(id, desc);
	if (error) {
		log_line("resource %u (%s, target %u, %ux%ux%u, bind 0x%x) refused by the engine", id,
			 d3dgpu_format_name(desc->format), desc->target, desc->width, desc->height, desc->depth,
			 desc->bind);
		goto free_resource;
	}
	error = attach(resource, range, size);
	if (error)
		goto destroy_object;
	grow(resources);
	*find_link(resources, id) = resource;
	resources->count++;
	return D3DGPU_FAULT_NONE;

destroy_object:
	engine_resource_destroy(id);
free_resource:
	free(resource);
	*info = (uint32_t)error;
	return error == ENOMEM ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_BAD_RESOURCE;
}

uint32_t resources_rebind(struct resources *resources, uint32_t id, uint64_t backing, uint64_t size, uint32_t *info)
{
	struct resource *resource = resources_find(resources, id);
	void *range;
	int error;

	if (!resource || resource->evicted)
		return D3DGPU_FAULT_BAD_RESOURCE;
	range = backing_range(resources, &resource->desc, backing, size);
	if (!range)
		return D3DGPU_FAULT_BAD_ENTRY;
	error = attach(resource, range, size);
	*info = (uint32_t)error;
	if (error)
		return error == ENOMEM ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_BAD_RESOURCE;
	return D3DGPU_FAULT_NONE;
}

uint32_t resources_restore(struct resources *resources, struct resource *resource, uint64_t backing, uint64_t size,
			   uint32_t *info)
{
	void *range = backing_range(resources, &resource->desc, backing, size);
	int error = 0;

	if (!range)
		return D3DGPU_FAULT_BAD_ENTRY;
	if (!resource_in_engine(resource))
		error = engine_resource_create(resource->id, &resource->desc);
	if (error)
		goto fault;
	error = attach(resource, range, size);
	if (error && !resource_in_engine(resource))
		engine_resource_destroy(resource->id);
	if (error)
		goto fault;
	resource->evicted = false;
	return D3DGPU_FAULT_NONE;

fault:
	*info = (uint32_t)error;
	return error == ENOMEM ? D3DGPU_FAULT_NO_MEMORY : D3DGPU_FAULT_BAD_RESOURCE;
}

void resources_evict(struct resource *resource)
{
	if (resource_is_range(&resource->desc))
		engine_backing_detach(resource->id);
	else
		engine_resource_destroy(resource->id);
	resource->backing = (struct iovec){0};
	resource->evicted = true;
}

void resources_remove(struct resources *resources, struct resource *resource)
{
	*find_link(resources, resource->id) = resource->next;
	resources->count--;
	destroy(resource);
}
