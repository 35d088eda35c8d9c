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
#include "stream_resources.h"

static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	return id && id < STREAM_RESOURCES ? &stream_resources[id] : NULL;
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
