/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct text *text, size_t extra)
{
	size_t capacity = text->capacity ? text->capacity : 1024;
	char *data;

	while (capacity < text->size + extra)
		capacity *= 2;
	if (capacity == text->capacity)
		return true;
	data = realloc(text->data, capacity);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->capacity = capacity;
	return true;
}

void text_add(struct text *text, const char *format, ...)
{
	char line[512];
	va_list arguments;
	int length;

	if (text->failed)
		return;
	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(line)) {
		text->failed = true;
		return;
	}
	text_append(text, line);
}

void text_append(struct text *text, const char *string)
{
	size_t length = strlen(string);

	if (text->failed || !reserve(text, length + 1))
		return;
	memcpy(text->data + text->size, string, length + 1);
	text->size += length;
}

char *text_take(struct text *text, size_t *size)
{
	char *data;

	if (!text->data)
		text_append(text, "");
	data = text->data;
	if (text->failed) {
		text_free(text);
		return NULL;
	}
	if (size)
		*size = text->size + 1;
	*text = (struct text){0};
	return data;
}

void text_free(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}
