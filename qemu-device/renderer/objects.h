/* SPDX-License-Identifier: MIT */
/*
 * The objects that command streams have created (states, shaders, views, surfaces, queries, stream output targets), each
 * with the commands that created it, so that it can be created again. A table by handle: all types share one name space.
 */
#ifndef D3DGPU_RENDERER_OBJECTS_H
#define D3DGPU_RENDERER_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "d3dgpu_stream.h"
#include "script.h"

struct resource;

struct object {
	uint32_t handle;		/* of a ghost: a stand-in that no command has used */
	uint8_t type;			/* enum d3dgpu_object */
	bool ghost;			/* its handle was destroyed, but it is still bound: record.h */
	bool running;			/* query: begun and not ended */
	bool used;			/* vertex elements: were bound, so GL may keep buffers for them */
	struct resource *resource;	/* that it is of, or NULL */
	struct object *sibling, **sibling_link;	/* in that resource's list */
	struct object *next;		/* in its bucket, or of the ghosts */
	uint32_t *words;		/* owned: the CREATE commands, headers included; several for a long shader */
	uint32_t count;
};

struct objects {
	struct object **buckets;
	uint32_t bucket_count;		/* a power of two */
	uint32_t count;
	uint64_t bytes;			/* of memory, ghosts included */
};

/* Memory that the objects of a context may take. Far above what programs need: 65536 shaders of 4 KiB. */
#define OBJECTS_BYTES_MAX (256ull << 20)

/* Returns 0 or ENOMEM. */
int objects_init(struct objects *objects);
void objects_destroy(struct objects *objects);

struct object *objects_find(const struct objects *objects, uint32_t handle);
/* Enters an object, whose handle is free; `resource` may be NULL. Returns NULL when there is no memory for it. */
struct object *objects_add(struct objects *objects, const uint32_t *command, struct resource *resource);
/* Appends a command to those that create it: the next piece of a shader's text. Returns false without memory. */
bool objects_extend(struct objects *objects, struct object *object, const uint32_t *command);
/* Takes the object out of the table; it lives on. */
void objects_take_out(struct objects *objects, struct object *object);
/* Frees an object that is not in the table any more, and takes it out of its resource's list. */
void objects_free(struct objects *objects, struct object *object);

/* The object is not of its resource any more. */
void object_leave_resource(struct object *object);

/* One after the other, in no order that means anything: NULL begins, NULL ends. The table must not change meanwhile. */
struct object *objects_next(const struct objects *objects, const struct object *object);

/* Whether a shader's text has not come completely. */
bool object_unfinished(const struct object *object);

/* Writes the commands that create the object under its handle, and the one that destroys it. */
void object_put_create(struct script *script, const struct object *object);
void object_put_destroy(struct script *script, const struct object *object);

#endif
