/* SPDX-License-Identifier: MIT */
/*
 * The worker's view of VRAM: the whole memfd, mapped shared. The guest writes to it at any time: what is read from it
 * to be checked must be copied first.
 */
#ifndef D3DGPU_RENDERER_VRAM_H
#define D3DGPU_RENDERER_VRAM_H

#include <stdint.h>

struct vram {
	uint8_t *base;
	uint64_t size; /* bytes */
};

/* Maps `size` bytes of a descriptor, which stays the caller's. Returns 0 or an errno (EINVAL: smaller than `size`). */
int vram_map(struct vram *vram, int fd, uint64_t size);
void vram_unmap(struct vram *vram);

/* Address of a range, or NULL when it is empty or not wholly inside VRAM. */
void *vram_range(const struct vram *vram, uint64_t offset, uint64_t size);

#endif
