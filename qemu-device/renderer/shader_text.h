/* SPDX-License-Identifier: MIT */
/*
 * A reader of shader text that knows only as much as keeps the engine's translator from indexing its tables beyond
 * their ends: the processor named first, and the indices of registers and semantics. What it lets through may still be
 * no shader: the engine says so itself. Text comes in pieces, as it does in the command stream.
 */
#ifndef D3DGPU_RENDERER_SHADER_TEXT_H
#define D3DGPU_RENDERER_SHADER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHADER_WORD_MAX 12u

struct shader_text {
	uint8_t stage;			/* enum d3dgpu_stage */
	uint8_t state;			/* where in the text: private to shader_text.c */
	bool has_processor;		/* the first word has been read */
	bool ended;			/* a NUL has been read */
	char word[SHADER_WORD_MAX + 1];	/* the word being read, or the one before a bracket; upper case */
	uint8_t word_length;		/* SHADER_WORD_MAX + 1 = longer than any known word */
	uint32_t limit;			/* what the index in a bracket must be below */
	uint32_t number;		/* of that index, so far */
};

void shader_text_begin(struct shader_text *text, uint8_t stage);
/* Reads the next piece. Returns NULL, or what is wrong; the text must then be given up. */
const char *shader_text_read(struct shader_text *text, const void *piece, size_t size);

#endif
