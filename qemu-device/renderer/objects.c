/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "resources.h"

#define BUCKETS_FIRST 256u
#define BUCKETS_MOST (1u << 22)

int objects_init(struct objects *objects)
{
	*objects = (struct objects){.bucket_count = BUCKETS_FIRST};
	objects->buckets = calloc(BUCKETS_FIRST, sizeof(struct object *));
	return objects->buckets ? 0 : ENOMEM;
}

void objects_destroy(struct objects *objects)
{
	for (uint32_t i = 0; i < objects->bucket_count; i++) {
		for (struct object *object = objects->buckets[i], *next; object; object = next) {
			next = object->next;
			objects_free(objects, object);
		}
	}
	free(objects->buckets);
	*objects = (struct objects){0};
}

static uint32_t bucket_of(const struct objects *objects, uint32_t handle)
{
	/* Handles rise by one in most drivers: neighbours go into different buckets. */
	return (handle * 2654435769u >> 8) & (objects->bucket_count - 1);
}

struct object *objects_find(const struct objects *objects, uint32_t handle)
{
	struct object *object = objects->buckets[bucket_of(objects, handle)];

	while (object && object->handle != handle)
		object = object->next;
	return object;
}

/* Doubles the table when it is full. Without memory it just stays slower. */
static void grow(struct objects *objects)
{
	uint32_t old_count = objects->bucket_count;
	struct object **old = objects->buckets;
	struct object **buckets;

	if (objects->count < old_count || old_count >= BUCKETS_MOST)
		return;
	buckets = calloc(old_count * 2, sizeof(struct object *));
	if (!buckets)
		return;
	objects->buckets = buckets;
	objects->bucket_count = old_count * 2;
	for (uint32_t i = 0; i < old_count; i++) {
		for (struct object *object = old[i], *next; object; object = next) {
			struct object **head = &buckets[bucket_of(objects, object->handle)];

			next = object->next;
			object->next = *head;
			*head = object;
		}
	}
	free(old);
}

static uint32_t words_of(const uint32_t *command)
{
	return 1 + d3dgpu_get(D3DGPU_HEADER_LENGTH, command[0]);
}

/* Counts memory that is about to be taken. */
static bool charge(struct objects *objects, size_t bytes)
{
	if (bytes > OBJECTS_BYTES_MAX - objects->bytes)
		return false;
	objects->bytes += bytes;
	return true;
}

bool objects_extend(struct objects *objects, struct object *object, const uint32_t *command)
{
	uint32_t count = words_of(command);
	uint32_t *words;

	if (!charge(objects, count * sizeof(uint32_t)))
		return false;
	words = realloc(object->words, (object->count + count) * sizeof(uint32_t));
	if (!words) {
		objects->bytes -= count * sizeof(uint32_t);
		return false;
	}
	memcpy(words + object->count, command, count * sizeof(uint32_t));
	object->words = words;
	object->count += count;
	return true;
}

static void join_resource(struct object *object, struct resource *resource)
{
	object->resource = resource;
	object->sibling = resource->objects;
	object->sibling_link = &resource->objects;
	if (object->sibling)
		object->sibling->sibling_link = &object->sibling;
	resource->objects = object;
}

struct object *objects_add(struct objects *objects, const uint32_t *command, struct resource *resource)
{
	struct object *object;
	struct object **head;

	if (!charge(objects, sizeof(*object)))
		return NULL;
	object = calloc(1, sizeof(*object));
	if (!object) {
		objects->bytes -= sizeof(*object);
		return NULL;
	}
	object->handle = command[1];
	object->type = (uint8_t)d3dgpu_get(D3DGPU_HEADER_OBJECT, command[0]);
	if (!objects_extend(objects, object, command)) {
		objects_free(objects, object);
		return NULL;
	}
	if (resource)
		join_resource(object, resource);
	grow(objects);
	head = &objects->buckets[bucket_of(objects, object->handle)];
	object->next = *head;
	*head = object;
	objects->count++;
	return object;
}

void objects_take_out(struct objects *objects, struct object *object)
{
	struct object **link = &objects->buckets[bucket_of(objects, object->handle)];

	while (*link != object)
		link = &(*link)->next;
	*link = object->next;
	object->next = NULL;
	objects->count--;
}

void object_leave_resource(struct object *object)
{
	if (!object->resource)
		return;
	*object->sibling_link = object->sibling;
	if (object->sibling)
		object->sibling->sibling_link = object->sibling_link;
	object->resource = NULL;
}

void objects_free(struct objects *objects, struct object *object)
{
	object_leave_resource(object);
	objects->bytes -= sizeof(*object) + object->count * sizeof(uint32_t);
	free(object->words);
	free(object);
}

struct object *objects_next(const struct objects *objects, const struct object *object)
{
	uint32_t bucket = 0;

	if (object && object->next)
		return object->next;
	if (object)
		bucket = bucket_of(objects, object->handle) + 1;
	while (bucket < objects->bucket_count && !objects->buckets[bucket])
		bucket++;
	return bucket < objects->bucket_count ? objects->buckets[bucket] : NULL;
}

bool object_unfinished(const struct object *object)
{
	uint32_t headers = 1 + D3DGPU_SHADER_HEADER_WORDS, packets = 0;

	if (object->type != D3DGPU_OBJ_SHADER)
		return false;
	for (uint32_t at = 0; at < object->count; at += words_of(object->words + at))
		packets++;
	headers *= packets;
	/* The first packet declares stream outputs, but for compute shaders. */
	if (object->words[2] != D3DGPU_STAGE_COMPUTE && object->words[5])
		headers += 4 + 2 * object->words[5];
	return (object->count - headers) * sizeof(uint32_t) < object->words[3];
}

void object_put_create(struct script *script, const struct object *object)
{
	uint32_t length;

	for (uint32_t at = 0; at < object->count; at += length) {
		length = words_of(object->words + at);
		/* A ghost's commands still have the handle that it was created with. */
		script_add(script, object->words[at], object->handle);
		script_put(script, length - 2, object->words + at + 2);
	}
}

void object_put_destroy(struct script *script, const struct object *object)
{
	script_add(script, d3dgpu_header(D3DGPU_CMD_DESTROY_OBJECT, object->type, 1), object->handle);
}
