/* SPDX-License-Identifier: MIT */
#include "vram.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>

int vram_map(struct vram *vram, int fd, uint64_t size)
{
	struct stat status;
	void *base;

	if (fstat(fd, &status))
		return errno;
	/* Touching a page beyond the end of the file would be a SIGBUS later. */
	if (!size || size > SIZE_MAX || status.st_size < 0 || (uint64_t)status.st_size < size)
		return EINVAL;
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return errno;
	/* Guest memory is large, and no core dump needs it. */
	madvise(base, size, MADV_DONTDUMP);
	vram->base = base;
	vram->size = size;
	return 0;
}

void vram_unmap(struct vram *vram)
{
	if (vram->base)
		munmap(vram->base, vram->size);
	*vram = (struct vram){0};
}

void *vram_range(const struct vram *vram, uint64_t offset, uint64_t size)
{
	if (!size || offset > vram->size || size > vram->size - offset)
		return NULL;
	return vram->base + offset;
}
