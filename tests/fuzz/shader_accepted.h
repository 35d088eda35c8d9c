/* SPDX-License-Identifier: MIT */
/* Whether the worker lets a shader text through: compiler and worker call different things struct shader_text. */
#ifndef D3DGPU_TESTS_SHADER_ACCEPTED_H
#define D3DGPU_TESTS_SHADER_ACCEPTED_H

#include <stddef.h>
#include <stdint.h>

/* NULL, or what the worker finds wrong. */
const char *shader_refused(uint8_t stage, const char *tgsi, size_t size);

#endif
