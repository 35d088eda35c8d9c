/* SPDX-License-Identifier: MIT */
/* What libd3dgpu_loopback.so exports. */
#ifndef D3DGPU_UMD_LOOPBACK_ENTRY_H
#define D3DGPU_UMD_LOOPBACK_ENTRY_H

#include "winsys.h"

#define LOOPBACK_LIBRARY "libd3dgpu_loopback.so"
#define LOOPBACK_ENTRY "d3dgpu_loopback_open"

/* As winsys_loopback_open(). */
__attribute__((visibility("default"))) int d3dgpu_loopback_open(const char *caps, struct winsys **out, char *message,
								size_t size);

#endif
