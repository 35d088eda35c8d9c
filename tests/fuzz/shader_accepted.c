/* SPDX-License-Identifier: MIT */
#include "shader_accepted.h"

#include "shader_text.h"

const char *shader_refused(uint8_t stage, const char *tgsi, size_t size)
{
	struct shader_text text;

	shader_text_begin(&text, stage);
	return shader_text_read(&text, tgsi, size);
}
