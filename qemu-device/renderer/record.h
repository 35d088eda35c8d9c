/* SPDX-License-Identifier: MIT */
/*
 * The record of a context: what its command streams have created and bound. With it a resource can be taken out of the
 * engine with everything that refers to it and be put back (residency.h), and the whole context be written as a command
 * stream (replay.h).
 *
 * It follows every stream that passed the checker, command by command, on the way to the engine: copies into slots, and
 * a table of objects. It relies on a wrong name ending the context, as the engine does it, so that a record may be out of
 * step only when nobody needs it any more.
 *
 * Destroying an object frees its handle, but views, surfaces, shaders, blend and rasterizer states stay bound. Such an
 * object lives on here as a ghost, under a handle that no command has used, until it is bound no more. Any other object
 * is unbound when it is destroyed.
 */
#ifndef D3DGPU_RENDERER_RECORD_H
#define D3DGPU_RENDERER_RECORD_H

#include "bindings.h"
#include "objects.h"
#include "resources.h"

struct record {
	struct resources *resources;
	struct objects objects;
	struct bindings bindings;
	struct object *ghosts;
	bool followed;			/* a stream */
	bool failed;
	uint32_t undone;		/* binding groups, as of the last stop */
	uint32_t stand_in;		/* handle of the youngest ghost: they go down from the top */
};

/* Returns 0 or ENOMEM. The resources must outlive the record. */
int record_init(struct record *record, struct resources *resources);
void record_destroy(struct record *record);

/*
 * Follows a stream that passed the checker, from word `at` on. Returns `count`, or where it stopped: before a command that
 * destroys a depth-stencil state or sampler which is bound. The engine would go on using its memory, so it is unbound in
 * the record: what comes before the command is to be executed, then record->undone (binding groups) to be bound anew.
 * record->failed: there was no memory, and the context must be given up.
 */
uint32_t record_stream(struct record *record, const uint32_t *words, uint32_t at, uint32_t count);

/* Whether no stream has been followed yet. */
bool record_empty(const struct record *record);

/* Bits of the binding groups that name the resource or an object of it. */
uint32_t record_groups_of(struct record *record, const struct resource *resource);

/* The resource is about to be destroyed: its views, surfaces and targets go with it, and what is bound of it is no more.
 * Queries that wrote into it stay. */
void record_forget(struct record *record, struct resource *resource);

/* Frees ghosts that are not bound any more. */
void record_sweep(struct record *record);

/* The object of a type that a slot names, or NULL. */
const struct object *record_object(const struct record *record, enum d3dgpu_object type, uint32_t handle);

/* The group whose slots name objects of a type. */
enum binding_group record_group_of_type(enum d3dgpu_object type);

#endif
