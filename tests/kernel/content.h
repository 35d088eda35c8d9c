/* SPDX-License-Identifier: MIT */
/*
 * Content of resources of all kinds: a pattern that a seed determines, written by the device from a staging buffer, read back
 * through one and compared bit for bit.
 */
#ifndef TESTS_KERNEL_CONTENT_H
#define TESTS_KERNEL_CONTENT_H

#include "gpu.h"

struct content_kind {
	const char *name;
	struct d3dgpu_resource_desc desc;	/* depth-stencil: format is what the unit says */
	uint32_t ds_format;			/* enum d3dgpu_ds_format, or 0 */
	uint32_t mask, value;			/* of each word of the pattern: (hash & mask) | value, a number that survives */
};

extern const struct content_kind content_kinds[];
extern const unsigned content_kind_count;

/* The simplest of them. */
#define CONTENT_PLAIN (&content_kinds[0])

/* Whether the pool is so small that a test can fill it several times in a minute; if not, it says so. The boot `small` has one. */
bool content_pool_is_small(int fd);

/* A context with staging buffers to move content through. */
struct content_mover {
	int fd;
	uint32_t ctx;
	struct gpu_bo commands, staging;
};

struct content_mover content_mover_begin(int fd);
void content_mover_end(struct content_mover *mover);

int content_create(int fd, const struct content_kind *kind, struct gpu_bo *out);
/* Writes the pattern of a seed and waits. 0 or -errno. */
int content_write(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo, uint32_t seed);
/* Whether it can be read back, and is the pattern of a seed. */
bool content_matches(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo, uint32_t seed);
/* Whether it reads as zeros. */
bool content_is_clear(struct content_mover *mover, const struct content_kind *kind, const struct gpu_bo *bo);

#endif
