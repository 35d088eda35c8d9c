/* SPDX-License-Identifier: MIT */
/*
 * EVICT, RESTORE and RES_DESTROY: taking a resource out of the engine and bringing it back, with everything in the engine
 * that refers to it. Views and bindings hold references there, so the memory is only free when they are gone too.
 */
#ifndef D3DGPU_RENDERER_RESIDENCY_H
#define D3DGPU_RENDERER_RESIDENCY_H

#include "record.h"
#include "script.h"
#include "tidy.h"

struct residency {
	struct resources *resources;
	struct record *record;
	struct script script;		/* what the engine is told, reused */
	struct tidy tidy;
};

/* With the context created: the worker's own buffer of zeros. Returns 0 or an errno. */
int residency_begin(void);

/*
 * The ring entries' steps. They return an enum d3dgpu_fault; *info is a detail for logs. A fault means that the context
 * must be given up.
 */
uint32_t residency_evict(struct residency *residency, uint32_t id, uint32_t flags, uint32_t *info);
uint32_t residency_restore(struct residency *residency, const struct d3dgpu_entry *entry, uint32_t *info);
uint32_t residency_destroy(struct residency *residency, uint32_t id, uint32_t *info);

/* Binds groups (a mask) as they are recorded. Returns 0 or an errno. */
int residency_bind(struct residency *residency, uint32_t groups);

#endif
