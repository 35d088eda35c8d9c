/* SPDX-License-Identifier: MIT */
/*
 * From the record back to commands: what an engine must be told so that its objects and bindings are the recorded ones.
 */
#ifndef D3DGPU_RENDERER_REPLAY_H
#define D3DGPU_RENDERER_REPLAY_H

#include "record.h"
#include "script.h"

#define REPLAY_ALL_GROUPS ((1u << GROUP_COUNT) - 1)

/*
 * Binds what is recorded for these groups (a mask). With `present_only`, what is of an evicted resource is left out, as if
 * nothing were bound there, and vertex buffers are zeros (RESOURCES_ID_ZEROS).
 */
void replay_groups(struct script *script, struct record *record, uint32_t groups, bool present_only);

/* Creates all objects, binds all state, begins running queries: for an engine that knows nothing yet. */
void replay_all(struct script *script, struct record *record, bool present_only);

/* Whether a stream is of the kind that replay_all() writes: nothing but objects and state. */
bool replay_is_state(const uint32_t *words, uint32_t count);

#endif
