/* SPDX-License-Identifier: MIT */
/* What the access tracker sees in streams: named resources, writes, and bindings that live on from stream to stream. */
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "d3dgpu_stream.h"
#include "tap.h"

static unsigned reads, writes; /* bit n: resource n */

static void visit(void *opaque, uint32_t resource, bool write)
{
	(void)opaque;
	reads |= 1u << resource;
	writes |= write ? 1u << resource : 0;
}

#define HEADER(command, object, length) d3dgpu_header(D3DGPU_CMD_##command, object, length)
#define FOLLOW(tracker, ...) \
	follow(tracker, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static bool follow(struct access_tracker *tracker, const uint32_t *words, uint32_t count)
{
	reads = writes = 0;
	return access_follow(tracker, words, count, visit, NULL);
}

static void expect(unsigned want_reads, unsigned want_writes, const char *name)
{
	tap_eq(reads, want_reads, "%s: resources", name);
	tap_eq(writes, want_writes, "%s: those written", name);
}

int main(void)
{
	struct access_tracker *t = access_create();

	FOLLOW(t, HEADER(RESOURCE_COPY_REGION, 0, 13), 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 4, 1);
	expect(6, 2, "a copy");
	FOLLOW(t, HEADER(COPY_TRANSFER3D, 0, 14), 1, 0, 0, 0, 0, 0, 0, 0, 4, 4, 1, 3, 0,
	       d3dgpu_put(D3DGPU_COPY_FROM_RESOURCE, 1));
	expect(1 << 1 | 1 << 3, 1 << 3, "a read-back");
	FOLLOW(t, HEADER(COPY_TRANSFER3D, 0, 14), 1, 0, 0, 0, 0, 0, 0, 0, 4, 4, 1, 3, 0, 0);
	expect(1 << 1 | 1 << 3, 1 << 1, "an upload");

	FOLLOW(t, HEADER(CREATE_OBJECT, D3DGPU_OBJ_SURFACE, 5), 70, 4, 0, 0, 0,
	       HEADER(CREATE_OBJECT, D3DGPU_OBJ_SURFACE, 5), 71, 5, 0, 0, 0,
	       HEADER(CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 6), 72, 6, 0, 0, 0, 0);
	expect(1 << 4 | 1 << 5 | 1 << 6, 0, "views name their resources");
	FOLLOW(t, HEADER(SET_FRAMEBUFFER_STATE, 0, 3), 1, 71, 70, HEADER(SET_SAMPLER_VIEWS, 0, 3), 1, 0, 72,
	       HEADER(SET_VERTEX_BUFFERS, 0, 3), 16, 0, 7);
	expect(1 << 4 | 1 << 5 | 1 << 6 | 1 << 7, 0, "binding them writes nothing");
	FOLLOW(t, HEADER(DRAW_VBO, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0);
	expect(1 << 4 | 1 << 5 | 1 << 6 | 1 << 7, 1 << 4 | 1 << 5, "a draw in a later stream");
	FOLLOW(t, HEADER(CLEAR, 0, 8), D3DGPU_CLEAR_COLOR(0), 0, 0, 0, 0, 0, 0, 0);
	expect(1 << 4, 1 << 4, "a clear of the colour");
	FOLLOW(t, HEADER(CLEAR, 0, 8), D3DGPU_CLEAR_STENCIL, 0, 0, 0, 0, 0, 0, 0);
	expect(1 << 5, 1 << 5, "a clear of the stencil buffer");
	FOLLOW(t, HEADER(SET_FRAMEBUFFER_STATE, 0, 2), 0, 0, HEADER(DRAW_VBO, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0);
	expect(1 << 6 | 1 << 7, 0, "a draw without targets");

	tap_ok(!FOLLOW(t, HEADER(CLEAR, 0, 8), 1), "a stream that ends within a command is malformed");
	access_destroy(t);
	access_destroy(NULL);
	return tap_done();
}
