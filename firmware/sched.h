/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: what becomes of each entry, and when. Entries of a context go to its engine in order, when the context has its
 * turn (turn.h); an engine has up to ENGINE_DEPTH of them, so that it never waits for the firmware. It also watches for hangs.
 */
#ifndef D3DGPU_FIRMWARE_SCHED_H
#define D3DGPU_FIRMWARE_SCHED_H

#include "context.h"

void sched_init(void);
/* Takes the entry in pool_room(), which a ring delivered. false: its context has no room now, offer it again later. */
bool sched_submit(const struct d3dgpu_entry *entry, uint8_t ring);
/* An engine has finished something. */
void sched_event(const struct d3dgpu_engine_event *event);
/* Gives the engines what they can take. */
void sched_dispatch(void);
/* Ends contexts whose oldest entry has kept its engine for too long. sched_arm() arms the alarm for the next look. */
void sched_watch(void);
/* Arms the alarm if an engine has work and the alarm is not armed. */
void sched_arm(void);

#endif
