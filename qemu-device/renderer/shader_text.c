/* SPDX-License-Identifier: MIT */
#include "shader_text.h"

#include <string.h>

#include "d3dgpu_stream.h"

enum state {
	IN_TEXT,		/* between words, or in one */
	AFTER_WORD,		/* white space since the word: a bracket still belongs to it */
	IN_INDEX,		/* behind a bracket, in its number or second number of a range */
	AFTER_INDEX,		/* behind the closing bracket: another one has the same word */
};

#define NO_LIMIT UINT32_MAX
#define NUMBER_MAX 0xffffffu	/* larger numbers stay at this */

/* What may be indexed, and how many the engine has room for. */
static const struct {
	char word[SHADER_WORD_MAX + 1];
	uint32_t limit;
} limits[] = {
	/* registers */
	{"IN", 64}, {"OUT", 64}, {"TEMP", 4096}, {"CONST", 4096}, {"IMM", 1024}, {"ADDR", 4}, {"SV", 32}, {"SAMP", 32},
	{"SVIEW", 32}, {"IMAGE", 32}, {"BUFFER", 32}, {"HWATOMIC", 32}, {"MEMORY", 1}, {"PRED", 1},
	/* semantics */
	{"GENERIC", 64}, {"TEXCOORD", 8}, {"COLOR", 8}, {"BCOLOR", 2}, {"CLIPDIST", 2}, {"CULLDIST", 2}, {"PATCH", 32},
	{"POSITION", 1}, {"PSIZE", 1}, {"FOG", 1}, {"LAYER", 1}, {"STENCIL", 1}, {"SAMPLEMASK", 1},
};

static const char processors[D3DGPU_STAGE_COUNT][SHADER_WORD_MAX] = {
	[D3DGPU_STAGE_VERTEX] = "VERT",
	[D3DGPU_STAGE_PIXEL] = "FRAG",
	[D3DGPU_STAGE_GEOMETRY] = "GEOM",
	[D3DGPU_STAGE_HULL] = "TESS_CTRL",
	[D3DGPU_STAGE_DOMAIN] = "TESS_EVAL",
	[D3DGPU_STAGE_COMPUTE] = "COMP",
};

void shader_text_begin(struct shader_text *text, uint8_t stage)
{
	*text = (struct shader_text){.stage = stage};
}

static uint32_t limit_of(const char *word)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (!strcmp(limits[i].word, word))
			return limits[i].limit;
	return NO_LIMIT;
}

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (upper(c) >= 'A' && upper(c) <= 'Z') || is_digit(c) || c == '_';
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void clear_word(struct shader_text *text)
{
	text->word_length = 0;
	text->word[0] = '\0';
}

static void add_to_word(struct shader_text *text, char c)
{
	if (text->word_length >= SHADER_WORD_MAX) {
		text->word_length = SHADER_WORD_MAX + 1;
		text->word[0] = '\0'; /* nothing known is so long */
		return;
	}
	text->word[text->word_length++] = upper(c);
	text->word[text->word_length] = '\0';
}

/* The first word of a text says what it is for; the engine would compile it for that, whatever the command says. */
static const char *end_word(struct shader_text *text)
{
	if (text->has_processor || !text->word_length)
		return NULL;
	text->has_processor = true;
	return strcmp(text->word, processors[text->stage]) ? "shader text for another stage" : NULL;
}

static void begin_index(struct shader_text *text)
{
	text->state = IN_INDEX;
	text->number = 0;
}

static const char *read_in_index(struct shader_text *text, char c)
{
	if (is_digit(c)) {
		text->number = text->number * 10 + (uint32_t)(c - '0');
		if (text->number > NUMBER_MAX)
			text->number = NUMBER_MAX;
	} else if (c == '.' || c == ']') {
		/* The end of the index, or of the first number of a range. */
		if (text->number >= text->limit)
			return "shader register or semantic index out of range";
		text->number = 0;
		if (c == ']')
			text->state = AFTER_INDEX;
	} else if (is_word(c)) {
		/* Indirect: the register that holds the index is a word of its own. */
		text->state = IN_TEXT;
		clear_word(text);
		add_to_word(text, c);
	} else if (c == '-' || c == '+' || c == '[') {
		return "shader index is no number";
	}
	return NULL;
}

static const char *read_character(struct shader_text *text, char c)
{
	const char *wrong;

	switch (text->state) {
	case IN_INDEX:
		return read_in_index(text, c);
	case AFTER_INDEX:
		if (is_space(c))
			return NULL;
		if (c == '[') {
			begin_index(text);
			return NULL;
		}
		text->state = IN_TEXT;
		clear_word(text);
		break;
	case AFTER_WORD:
		if (is_space(c))
			return NULL;
		text->state = IN_TEXT;
		if (c != '[')
			clear_word(text);
		break;
	default:
		break;
	}
	if (is_word(c)) {
		add_to_word(text, c);
		return NULL;
	}
	wrong = end_word(text);
	if (wrong)
		return wrong;
	if (c == '[') {
		text->limit = limit_of(text->word);
		begin_index(text);
	} else if (is_space(c) && text->word_length) {
		text->state = AFTER_WORD;
	} else {
		clear_word(text);
	}
	return NULL;
}

const char *shader_text_read(struct shader_text *text, const void *piece, size_t size)
{
	const char *characters = piece;

	for (size_t i = 0; i < size && !text->ended; i++) {
		const char *wrong = NULL;

		if (!characters[i])
			text->ended = true;
		else
			wrong = read_character(text, characters[i]);
		if (wrong)
			return wrong;
	}
	return NULL;
}
