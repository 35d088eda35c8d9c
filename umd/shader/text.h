/* SPDX-License-Identifier: MIT */
/* A growing string. Memory errors are sticky; text_take reports them. */
#ifndef D3DGPU_SHADER_TEXT_H
#define D3DGPU_SHADER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *data;
	size_t size, capacity;		/* size without the NUL */
	bool failed;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a string of any length. */
void text_append(struct text *text, const char *string);
/* Hands the NUL-terminated string over (free it), NULL when out of memory. size, if not NULL, counts the NUL. */
char *text_take(struct text *text, size_t *size);
void text_free(struct text *text);

#endif
