/* SPDX-License-Identifier: MIT */
/* The depth-stencil formats: their names, how the 3D engine stores them, and what each of them is. */
#ifndef D3DGPU_CORE_DS_FORMATS_H
#define D3DGPU_CORE_DS_FORMATS_H

#include "d3dgpu_ds.h"

struct core_ds_format {
	uint32_t number;	/* enum d3dgpu_ds_format */
	const char *name;	/* as in the property ds-formats */
	uint32_t storage;	/* enum d3dgpu_format */
	uint32_t flags;		/* D3DGPU_DS_FLAG_* */
};

/* The format with this number, or NULL: not a depth-stencil format. */
const struct core_ds_format *core_ds_format_find(uint32_t number);
/* Table access for loops; NULL behind the last one. */
const struct core_ds_format *core_ds_format_at(unsigned index);

/* The bit of a format in d3dgpu_caps.ds_formats. */
static inline uint32_t core_ds_format_bit(const struct core_ds_format *format)
{
	return 1u << (format->number - D3DGPU_DS_FIRST_FORMAT);
}

/*
 * Parses names separated by '+' into bits as in d3dgpu_caps.ds_formats; "" gives all. Returns false when a name is
 * unknown or empty.
 */
bool core_ds_formats_parse(const char *text, uint32_t *bits);

#endif
