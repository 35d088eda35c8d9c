/* SPDX-License-Identifier: MIT */
/* What a format is by its nature, as far as the engine's masks do not say it. */
#ifndef D3DGPU_CORE_FORMATS_H
#define D3DGPU_CORE_FORMATS_H

#include "d3dgpu_format.h"

#define CORE_FORMAT_INTEGER (1u << 0)	/* pure integer: neither filtered nor blended */
#define CORE_FORMAT_DEPTH (1u << 1)
#define CORE_FORMAT_VERTEX (1u << 2)	/* the engine accepts it in vertex elements (measured on virglrenderer) */

/* CORE_FORMAT_* of a format number; 0 for numbers that are none. */
uint32_t core_format_traits(uint32_t format);

#endif
