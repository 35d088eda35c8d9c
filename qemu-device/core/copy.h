/* SPDX-License-Identifier: MIT */
/*
 * The copy engine: COPY and FILL, inside VRAM. It works in pieces on the device thread, a piece for each context in turn, so that
 * neither firmware nor workers wait for gigabytes.
 */
#ifndef D3DGPU_CORE_COPY_H
#define D3DGPU_CORE_COPY_H

#include "d3dgpu_core.h"

struct core_context;

/* Whether the entry is the copy engine's. One that moves nothing is not: it is done when its turn comes. */
bool core_copy_takes(const struct d3dgpu_entry *entry);
/* Begins with the context's oldest entry, the only one that it has sent. */
void core_copy_start(struct d3dgpu_core *core, struct core_context *context);
/* The context has a COPY or FILL that was started and is not done. Nothing behind it may start. */
bool core_copy_running(const struct core_context *context);
/* One turn: a bounded piece. Returns whether there is more to do. */
bool core_copy_run(struct d3dgpu_core *core);

#endif
