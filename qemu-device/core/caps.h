/* SPDX-License-Identifier: MIT */
/* Makes the capability block (hw/d3dgpu_caps.h) from what the 3D engine reports and how the device was configured. */
#ifndef D3DGPU_CORE_CAPS_H
#define D3DGPU_CORE_CAPS_H

#include <stddef.h>

#include "d3dgpu_core.h"
#include "protocol.h"

/*
 * Fills *caps but for the LUID. The hello is the engine's word; it is checked, not believed. Returns 0, or -EIO with a
 * message when the engine cannot carry even level 9_1, or what it says cannot be true.
 */
int core_caps_build(struct d3dgpu_caps *caps, const struct worker_hello *hello, const struct d3dgpu_config *config,
		    char *message, size_t size);

#endif
