/* SPDX-License-Identifier: MIT */
/*
 * FLUSH and LOAD of multisampled resources. The engine transfers single-sampled textures only, so each sample is drawn
 * by a shader into a single-sampled texture of the same size, or from one, and that is transferred.
 */
#ifndef D3DGPU_RENDERER_SAMPLES_H
#define D3DGPU_RENDERER_SAMPLES_H

#include "resources.h"
#include "transfer.h"

/* All samples of one layer. Returns 0 or an errno. */
int samples_transfer(const struct resource *resource, enum transfer_direction direction, uint32_t layer);

/* Frees what was kept for the next time. Returns 0 or an errno. */
int samples_end(void);

#endif
