/* SPDX-License-Identifier: MIT */
/* CTX_SAVE, and EXEC of what it left: a context leaves its worker and enters another. */
#ifndef D3DGPU_RENDERER_SAVE_H
#define D3DGPU_RENDERER_SAVE_H

#include "record.h"
#include "script.h"
#include "vram.h"

/*
 * Both return an enum d3dgpu_fault; *info is a detail for logs.
 *
 * Writes struct d3dgpu_saved_context and the stream. The context goes on as if nothing had happened.
 */
uint32_t save_context(struct record *record, struct script *script, const struct vram *vram,
		      const struct d3dgpu_entry *entry, uint32_t *info);

/* Makes the engine's state what is recorded, except for what is of evicted resources. */
uint32_t save_restore(struct record *record, struct script *script, uint32_t *info);

#endif
