/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the decoder of command streams. Input: the words of a stream. What decode_print() takes for well-formed must
 * split into whole commands, and every command that decode_next() gives must lie inside the words.
 */
#include "decode.h"
#include "fuzz.h"

static bool walk(const uint32_t *words, uint32_t count)
{
	struct decode_command command;
	uint32_t position = 0, before = 0;

	while (decode_next(words, count, &position, &command)) {
		fuzz_check(command.payload == words + before + 1, "payload of the command at %u", before);
		fuzz_check(position == before + 1 + command.length && position <= count, "command at %u: length %u",
			   before, command.length);
		before = position;
	}
	return position == count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	uint32_t count = (uint32_t)(size / 4);
	uint32_t *words = malloc(count ? count * 4 : 1); /* as large as the stream: sanitizers see its end */

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!words || !nowhere)
		abort();
	memcpy(words, data, count * 4);
	fuzz_check(decode_print(nowhere, words, count) == walk(words, count), "two readings of one stream");
	free(words);
	return 0;
}
