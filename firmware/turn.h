/* SPDX-License-Identifier: MIT */
/*
 * Turns: whose engine may have work now.
 *
 * Each context has an engine of its own, a process of the host. There are as many slots as the device says that engines can
 * run side by side; a context needs one to give its engine an entry, and keeps it while the engine has something. When more want
 * one than there are, time is shared by start-time fair queueing: engine time that a context gets, divided by the weight of
 * its priority, moves its virtual time on; the furthest behind is next. Within a window of one budget the higher priority goes first,
 * whoever is furthest behind: short frames of a high priority do not wait in line, and nobody is passed for ever. Who comes back after
 * a pause, and so is as far behind as one can be, finds a slot beyond the others, if nobody else has just done so.
 *
 * A turn lasts for one budget when others wait: then the context gets nothing more into its engine, and leaves the slot when that has
 * run dry. Entries cannot be interrupted, so when it has not for another budget, the slot is handed on all the same: that
 * engine runs beside the others for as long as it takes. So whoever is next waits two budgets at most, whatever others do.
 */
#ifndef D3DGPU_FIRMWARE_TURN_H
#define D3DGPU_FIRMWARE_TURN_H

#include "context.h"

#define TURN_BUDGET_MIN_US 100u		/* shorter ones count as this */

void turns_init(void);
/* A new life with this priority: no slot, no debt, no credit. */
void turn_begin(struct context *context, uint32_t priority);

/*
 * Whether the context may give its engine one entry more. When it has no slot, it waits for one from now on: turn_next() will
 * name it.
 */
bool turn_may_dispatch(struct context *context);
/* Gives a free slot to the next context that waits. NULL when there is no slot, or nobody waits. */
struct context *turn_next(void);
/* The engine spent this much device time, in nanoseconds, on the context's oldest entry. */
void turn_charge(struct context *context, uint64_t spent);
/* The engine has nothing of the context, and gets nothing now: its slot is free, or it waits for none any more. */
void turn_leave(struct context *context);

/* Device time from which a slot can be handed on to somebody who waits; UINT64_MAX when nobody does. */
uint64_t turn_deadline(void);

#endif
