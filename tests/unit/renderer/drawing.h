/* SPDX-License-Identifier: MIT */
/*
 * A drawing that uses a resource of every role, for tests of what happens to resources in use: two indexed triangles,
 * textured, tinted by constants, added to what is in the target. Each draw of it depends on everything bound.
 */
#ifndef D3DGPU_TESTS_RENDERER_DRAWING_H
#define D3DGPU_TESTS_RENDERER_DRAWING_H

#include "client.h"

enum drawing_resource_id {
	DRAWING_COLOR = 1,		/* B8G8R8A8 */
	DRAWING_DEPTH,			/* D24S8 */
	DRAWING_VERTICES,
	DRAWING_INDICES,
	DRAWING_UNIFORMS,
	DRAWING_TEXTURE,		/* R8G8B8A8 with levels */
};

#define DRAWING_SIZE 128u		/* pixels, each way */
#define DRAWING_STREAM_AT 0xf00000u
#define DRAWING_HANDLES 32u		/* handles below this are the drawing's */

struct d3dgpu_resource_desc drawing_resource(uint32_t id);
/* VRAM offset of its range. */
uint64_t drawing_place(uint32_t id);

/* Creates and loads the resources. Bails out when that fails. */
void drawing_create(struct client *client);
/* All objects and state, and a clear. */
void drawing_begin(struct stream *stream);
/* Triangle 0 or 1, nothing but the draw. */
void drawing_draw(struct stream *stream, uint32_t triangle);
/* Destroys all handles that are bound and stay so, and uses some of them for other objects. */
void drawing_destroy_handles(struct stream *stream);
/* Destroys the depth-stencil state and the sampler, which unbinds them. */
void drawing_destroy_states(struct stream *stream);
/* Creates a sampler view of the texture. */
void drawing_view(struct stream *stream, uint32_t handle);

#endif
