/* SPDX-License-Identifier: MIT */
/* The interface's structures are the same for 32-bit and 64-bit programs. */
#include <drm.h>

#include "d3dgpu_drm.h"
#include "layout.h"
#include "tap.h"

static const struct layout_row rows[] = {LAYOUT_ROWS};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		tap_eq(layout_packed[i].value, rows[i].value, "%s is the same in a 32-bit program", rows[i].name);
	tap_eq(layout_packed_count, sizeof(rows) / sizeof(*rows), "all rows were compared");
	return tap_done();
}
