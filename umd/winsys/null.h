/* SPDX-License-Identifier: MIT */
/* What tests may do with the null winsys beyond winsys.h: see every stream that is submitted. */
#ifndef D3DGPU_UMD_WINSYS_NULL_H
#define D3DGPU_UMD_WINSYS_NULL_H

#include "winsys.h"

/* What winsys_null_open(NULL) makes: a level 11_0 GPU without quirks. */
void winsys_null_caps(struct d3dgpu_caps *caps);
/* Called for each submit with the words of its stream, on the submitting thread. NULL = none. */
typedef void (*winsys_null_recorder)(void *opaque, const struct winsys_submit *submit, const uint32_t *words,
				     uint32_t count);
void winsys_null_record(struct winsys *ws, winsys_null_recorder recorder, void *opaque);
/* Fences stay pending until they are released up to `fence` here; UINT64_MAX (the start) = complete at once. */
void winsys_null_hold(struct winsys *ws, uint64_t fence);
/* Bytes of all objects whose content is not needed. */
uint64_t winsys_null_unneeded(struct winsys *ws);
/* From now on every context is lost for this reason (enum d3dgpu_fault). */
void winsys_null_lose(struct winsys *ws, uint32_t fault);

#endif
