/* SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 256u

static bool reserve(struct script *script, uint32_t count)
{
	uint32_t room = script->room ? script->room : ROOM_FIRST;
	uint32_t *words;

	if (count <= script->room - script->count)
		return true;
	while (room - script->count < count) {
		if (room > UINT32_MAX / 8)
			return false;
		room *= 2;
	}
	words = realloc(script->words, room * sizeof(uint32_t));
	if (!words)
		return false;
	script->words = words;
	script->room = room;
	return true;
}

void script_put(struct script *script, uint32_t count, const uint32_t *words)
{
	if (!reserve(script, count)) {
		script->failed = true;
		return;
	}
	memcpy(script->words + script->count, words, count * sizeof(uint32_t));
	script->count += count;
}

void script_clear(struct script *script)
{
	script->count = 0;
	script->failed = false;
}

void script_free(struct script *script)
{
	free(script->words);
	*script = (struct script){0};
}
