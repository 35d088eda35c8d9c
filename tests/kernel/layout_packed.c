/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include <drm.h>
#pragma pack(push, 4)
#include "d3dgpu_drm.h"
#pragma pack(pop)

const struct layout_row layout_packed[] = {LAYOUT_ROWS};
const size_t layout_packed_count = sizeof(layout_packed) / sizeof(*layout_packed);
