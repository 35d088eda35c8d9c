/* SPDX-License-Identifier: MIT */
/* What the engine port asks of an entry before anything is done with it. Who is right about a context is engine.c's matter. */
#ifndef D3DGPU_CORE_ENTRY_H
#define D3DGPU_CORE_ENTRY_H

#include "d3dgpu_core.h"

/* Format, and ranges against VRAM. false: it was a guest error, ENTRY or RANGE. */
bool core_entry_check(struct d3dgpu_core *core, const struct d3dgpu_entry *entry);

#endif
