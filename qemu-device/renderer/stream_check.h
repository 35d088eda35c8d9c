/* SPDX-License-Identifier: MIT */
/*
 * The checker that a command stream passes before the engine sees it. The engine parses streams without asserts and
 * indexes tables with what it finds; this keeps out what is known to crash it, whatever would reach beyond the
 * context's own resources, and commands that a Direct3D driver has no use for. It does not promise that the engine
 * accepts the stream.
 *
 * It knows no engine and no process: resources come through a function, so that it can be tested and fuzzed alone.
 */
#ifndef D3DGPU_RENDERER_STREAM_CHECK_H
#define D3DGPU_RENDERER_STREAM_CHECK_H

#include "d3dgpu_resource.h"
#include "d3dgpu_stream.h"
#include "shader_text.h"

/* Description of a resource by its id, or NULL when there is none. Valid until the next change of the resources. */
typedef const struct d3dgpu_resource_desc *(*stream_find_resource)(void *opaque, uint32_t id);

/* A shader whose text has not come completely: it may continue in the next stream. */
struct stream_shader {
	uint32_t handle;
	uint32_t size, received;	/* bytes of text with its NUL; complete when received >= size */
	struct shader_text text;
};

/* What is remembered from one stream of a context to the next. */
struct stream_check {
	stream_find_resource find;
	void *opaque;
	struct stream_shader shaders[D3DGPU_STAGE_COUNT];
};

/* Why a stream is refused. */
struct stream_error {
	uint32_t word;			/* of the command's header, from the beginning of the stream */
	const char *reason;		/* static text */
};

void stream_check_init(struct stream_check *check, stream_find_resource find, void *opaque);

/* Returns whether the stream may be given to the engine. When not, *error says why and the context must be given up. */
bool stream_check(struct stream_check *check, const uint32_t *words, uint32_t count, struct stream_error *error);

/* ---- between stream_check.c and stream_objects.c ---- */

/* A command whose length fits its header. Word 0 is the header. */
struct stream_command {
	const uint32_t *words;
	uint32_t length;		/* payload words */
};

enum stream_resource_kind {
	STREAM_OBJECT,			/* texture or buffer in the engine */
	STREAM_BUFFER,
	STREAM_TEXTURE,
	STREAM_STAGING,
	STREAM_QUERY,			/* holds query results */
};

/* The resource when there is one of that kind, otherwise NULL. */
const struct d3dgpu_resource_desc *stream_resource(const struct stream_check *check, uint32_t id,
						   enum stream_resource_kind kind);
/* Whether [offset, offset + size) lies in a buffer. */
bool stream_range_inside(const struct d3dgpu_resource_desc *desc, uint32_t offset, uint32_t size);
/* Whether these layers (slices of a volume's level) exist, in this order. */
bool stream_layers_inside(const struct d3dgpu_resource_desc *desc, uint32_t level, uint32_t first, uint32_t last);

/* CREATE_OBJECT. Returns NULL or the reason to refuse it. */
const char *stream_check_object(struct stream_check *check, const struct stream_command *command);

#endif
