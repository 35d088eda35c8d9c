/* SPDX-License-Identifier: MIT */
/* What the compiler may call for copies and fills of structures: there is no C library here. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

void *memcpy(void *to, const void *from, size_t size)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	for (; size >= 4 && !(((uintptr_t)t | (uintptr_t)f) & 3); size -= 4, t += 4, f += 4)
		*(uint32_t *)t = *(const uint32_t *)f;
	while (size--)
		*t++ = *f++;
	return to;
}

void *memset(void *to, int value, size_t size)
{
	uint8_t *t = to;

	while (size--)
		*t++ = (uint8_t)value;
	return to;
}
