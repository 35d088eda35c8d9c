/* SPDX-License-Identifier: MIT */
/* A command stream that the worker writes itself, for its engine or for CTX_SAVE: grows as needed. */
#ifndef D3DGPU_RENDERER_SCRIPT_H
#define D3DGPU_RENDERER_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

struct script {
	uint32_t *words;		/* owned */
	uint32_t count, room;		/* words */
	bool failed;			/* there was no memory: the script is not complete */
};

void script_put(struct script *script, uint32_t count, const uint32_t *words);
/* Appends the words that follow. */
#define script_add(script, ...) \
	script_put(script, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

/* Empty again; the room stays. */
void script_clear(struct script *script);
void script_free(struct script *script);

#endif
