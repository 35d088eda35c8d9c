/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the worker's stream checker. Input: a command stream, as it is. It is checked twice, as two streams of one
 * context, so that shader texts left unfinished by the first are continued by the second. Beyond not crashing, the
 * checker must report errors inside the stream, and must only accept what splits into whole commands.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stream_check.h"

static const struct d3dgpu_resource_desc resources[] = {
	[1] = {.format = D3DGPU_FMT_R8G8B8A8_UNORM, .target = D3DGPU_TARGET_2D_ARRAY, .bind = D3DGPU_BIND_SAMPLER_VIEW,
	       .width = 64, .height = 32, .depth = 1, .array_size = 4, .last_level = 3},
	[2] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_VERTEX_BUFFER, .width = 1024, .height = 1, .depth = 1,
	       .array_size = 1},
	[3] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_STAGING, .width = 65536, .height = 1, .depth = 1,
	       .array_size = 1},
	[4] = {.format = D3DGPU_FMT_R8_UNORM, .bind = D3DGPU_BIND_CUSTOM, .width = 16, .height = 1, .depth = 1,
	       .array_size = 1},
	[5] = {.format = D3DGPU_FMT_DXT1_RGBA, .target = D3DGPU_TARGET_CUBE, .bind = D3DGPU_BIND_SAMPLER_VIEW,
	       .width = 16, .height = 16, .depth = 1, .array_size = 6, .last_level = 4},
};

static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	return id && id < sizeof(resources) / sizeof(resources[0]) ? &resources[id] : NULL;
}

static void check_framing(const uint32_t *words, uint32_t count)
{
	uint32_t at = 0;

	while (at < count) {
		if (!d3dgpu_header_valid(words[at]))
			abort();
		at += 1 + d3dgpu_get(D3DGPU_HEADER_LENGTH, words[at]);
	}
	if (at != count)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t count = (uint32_t)(size / 4);
	uint32_t *words = malloc(count ? count * 4 : 1); /* as large as the stream: sanitizers see its end */
	struct stream_error error;
	struct stream_check check;

	if (!words)
		return 0;
	memcpy(words, data, count * 4);
	stream_check_init(&check, find, NULL);
	for (int round = 0; round < 2; round++) {
		if (stream_check(&check, words, count, &error))
			check_framing(words, count);
		else if (error.word >= count || !error.reason)
			abort();
	}
	free(words);
	return 0;
}
