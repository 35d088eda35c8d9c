/* SPDX-License-Identifier: MIT */
/* The pool: a list of holes, sorted by offset, neighbours merged. First fit, from either end. */
#include <errno.h>
#include <stdlib.h>

#include "d3dgpu_resource.h"
#include "loopback.h"

struct vram_hole {
	struct vram_hole *next;
	uint64_t offset, size;
};

int vram_init(struct vram *vram, uint64_t size)
{
	vram->holes = calloc(1, sizeof(*vram->holes));
	if (!vram->holes)
		return -ENOMEM;
	vram->holes->size = size;
	vram->size = size;
	vram->used = 0;
	return 0;
}

void vram_fini(struct vram *vram)
{
	while (vram->holes) {
		struct vram_hole *hole = vram->holes;

		vram->holes = hole->next;
		free(hole);
	}
}

/* Cuts [offset, offset + size) out of the hole *link. */
static int take(struct vram_hole **link, uint64_t offset, uint64_t size)
{
	struct vram_hole *hole = *link, *rest;
	uint64_t before = offset - hole->offset, after = hole->offset + hole->size - offset - size;

	if (before && after) {
		rest = calloc(1, sizeof(*rest));
		if (!rest)
			return -ENOMEM;
		*rest = (struct vram_hole){hole->next, offset + size, after};
		hole->next = rest;
		hole->size = before;
	} else if (before) {
		hole->size = before;
	} else if (after) {
		hole->offset = offset + size;
		hole->size = after;
	} else {
		*link = hole->next;
		free(hole);
	}
	return 0;
}

int vram_alloc_top(struct vram *vram, uint64_t size, uint64_t alignment, uint64_t *offset)
{
	struct vram_hole **best = NULL;
	uint64_t at = 0;
	int error;

	for (struct vram_hole **link = &vram->holes; *link; link = &(*link)->next) {
		uint64_t last;

		if ((*link)->size < size)
			continue;
		last = ((*link)->offset + (*link)->size - size) & ~(alignment - 1);
		if (last < (*link)->offset)
			continue;
		best = link;
		at = last;
	}
	if (!best)
		return -ENOMEM;
	error = take(best, at, size);
	if (error)
		return error;
	vram->used += size;
	*offset = at;
	return 0;
}

int vram_alloc(struct vram *vram, uint64_t size, uint64_t alignment, uint64_t *offset)
{
	for (struct vram_hole **link = &vram->holes; *link; link = &(*link)->next) {
		uint64_t at = d3dgpu_align((*link)->offset, alignment);
		int error;

		if (at - (*link)->offset > (*link)->size || (*link)->size - (at - (*link)->offset) < size)
			continue;
		error = take(link, at, size);
		if (error)
			return error;
		vram->used += size;
		*offset = at;
		return 0;
	}
	return -ENOMEM;
}

void vram_free(struct vram *vram, uint64_t offset, uint64_t size)
{
	struct vram_hole **link = &vram->holes, *before = NULL, *hole;

	while (*link && (*link)->offset < offset) {
		before = *link;
		link = &before->next;
	}
	vram->used -= size;
	if (before && before->offset + before->size == offset) {
		before->size += size;
		hole = before;
	} else {
		hole = malloc(sizeof(*hole));
		if (!hole)
			return; /* the range is lost to the pool, nothing else is */
		*hole = (struct vram_hole){*link, offset, size};
		*link = hole;
	}
	if (hole->next && hole->offset + hole->size == hole->next->offset) {
		struct vram_hole *next = hole->next;

		hole->size += next->size;
		hole->next = next->next;
		free(next);
	}
}
