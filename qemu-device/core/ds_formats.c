/* SPDX-License-Identifier: MIT */
#include "ds_formats.h"

#include <string.h>

#include "d3dgpu_format.h"

#define LOCKABLE D3DGPU_DS_FLAG_LOCKABLE
#define STENCIL D3DGPU_DS_FLAG_STENCIL

/*
 * Formats that the engine does not have are promoted to the next one that holds all of their bits. The engine has no
 * stencil-only storage; S8 uses the stencil part of a depth-stencil surface. D24X8 is stored as D24S8: the engine converts
 * its own 24-bit format without stencil through floats, which costs low bits in transfers.
 */
static const struct core_ds_format formats[] = {
	{D3DGPU_DS_D16_LOCKABLE, "D16_LOCKABLE", D3DGPU_FMT_Z16_UNORM, LOCKABLE},
	{D3DGPU_DS_D32, "D32", D3DGPU_FMT_Z32_UNORM, 0},
	{D3DGPU_DS_D15S1, "D15S1", D3DGPU_FMT_S8_UINT_Z24_UNORM, STENCIL},
	{D3DGPU_DS_D24S8, "D24S8", D3DGPU_FMT_S8_UINT_Z24_UNORM, STENCIL},
	{D3DGPU_DS_D24X8, "D24X8", D3DGPU_FMT_S8_UINT_Z24_UNORM, 0},
	{D3DGPU_DS_D24X4S4, "D24X4S4", D3DGPU_FMT_S8_UINT_Z24_UNORM, STENCIL},
	{D3DGPU_DS_D16, "D16", D3DGPU_FMT_Z16_UNORM, 0},
	{D3DGPU_DS_D32F_LOCKABLE, "D32F_LOCKABLE", D3DGPU_FMT_Z32_FLOAT, LOCKABLE},
	{D3DGPU_DS_D24FS8, "D24FS8", D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, STENCIL},
	{D3DGPU_DS_D32_LOCKABLE, "D32_LOCKABLE", D3DGPU_FMT_Z32_UNORM, LOCKABLE},
	{D3DGPU_DS_S8_LOCKABLE, "S8_LOCKABLE", D3DGPU_FMT_S8_UINT_Z24_UNORM, LOCKABLE | STENCIL},
	{D3DGPU_DS_D32FS8, "D32FS8", D3DGPU_FMT_Z32_FLOAT_S8X24_UINT, STENCIL},
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

const struct core_ds_format *core_ds_format_at(unsigned index)
{
	return index < FORMAT_COUNT ? &formats[index] : NULL;
}

const struct core_ds_format *core_ds_format_find(uint32_t number)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].number == number)
			return &formats[i];
	return NULL;
}

static const struct core_ds_format *find_name(const char *name, size_t length)
{
	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		if (strlen(formats[i].name) == length && !memcmp(formats[i].name, name, length))
			return &formats[i];
	return NULL;
}

bool core_ds_formats_parse(const char *text, uint32_t *bits)
{
	uint32_t found = 0;

	if (!*text) {
		*bits = ~0u;
		return true;
	}
	for (;;) {
		size_t length = strcspn(text, "+");
		const struct core_ds_format *format = find_name(text, length);

		if (!format)
			return false;
		found |= core_ds_format_bit(format);
		if (!text[length])
			break;
		text += length + 1;
	}
	*bits = found;
	return true;
}
