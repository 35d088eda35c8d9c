/* SPDX-License-Identifier: MIT */
/*
 * Which resources a command stream reads and writes. The kernel moves the content of resources by what a submit's list
 * says of them: one that is not listed may be away, and a write that is not flagged is lost with the next eviction. This
 * finds both from the stream itself, for D3DGPU_DEBUG=access and for tests.
 *
 * Bindings live on from stream to stream, so a tracker follows all streams of a context, in order.
 */
#ifndef D3DGPU_UMD_ACCESS_H
#define D3DGPU_UMD_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct access_tracker;

/* NULL: no memory. */
struct access_tracker *access_create(void);
void access_destroy(struct access_tracker *tracker);
/* Called for each use of a resource; the same one may come often. */
typedef void (*access_visit)(void *opaque, uint32_t resource, bool write);
/* Follows a stream. Returns false where it is malformed, or memory is short. */
bool access_follow(struct access_tracker *tracker, const uint32_t *words, uint32_t count, access_visit visit,
		   void *opaque);

#endif
