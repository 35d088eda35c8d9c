/* SPDX-License-Identifier: MIT */
/* The depth-stencil unit (hw/d3dgpu_ds.h). */
#ifndef D3DGPU_CORE_DSU_H
#define D3DGPU_CORE_DSU_H

#include "d3dgpu_caps.h"
#include "d3dgpu_ds.h"

/*
 * Answers a request: reads the software's half of the mailbox and fills the unit's. The mailbox must be the caller's own
 * copy. When several things are wrong, the status is the first of: BAD_FIELD, BAD_SIZE (a 0), NOT_A_DS_FORMAT,
 * FORMAT_UNAVAILABLE, BAD_SIZE (a limit), BAD_SAMPLES, BAD_QUALITY, BAD_USAGE, DISCARD_LOCKABLE.
 */
void core_dsu_answer(const struct d3dgpu_caps *caps, struct d3dgpu_ds_mailbox *box);

#endif
