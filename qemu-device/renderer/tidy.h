/* SPDX-License-Identifier: MIT */
/*
 * Giving memory back that the engine is done with. What is evicted or destroyed is not quite gone: GL's driver keeps what
 * its last draw in each GL context used until the next draw there, and the allocator keeps free pages for the next
 * resource. Both are good while a program runs, and wrong when it pauses. So this is done when the worker has nothing to
 * do, and when much was freed.
 */
#ifndef D3DGPU_RENDERER_TIDY_H
#define D3DGPU_RENDERER_TIDY_H

#include "record.h"
#include "script.h"

#define TIDY_BYTES (64ull << 20)	/* freed since the last time: do it at once */
#define TIDY_IDLE_MS 50			/* nothing to do for so long: do it now */

struct tidy {
	struct record *record;
	uint64_t freed;			/* bytes of resources since the last time */
	bool ready;			/* what the draw needs is there */
};

/* A resource of this size has left the engine. */
static inline void tidy_note(struct tidy *tidy, uint64_t size)
{
	tidy->freed += size;
}

static inline bool tidy_pending(const struct tidy *tidy)
{
	return tidy->freed;
}

/* Makes GL's driver and the allocator let go. Returns 0 or an errno: the context is lost then. */
int tidy_run(struct tidy *tidy, struct script *script);

#endif
