/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the worker's record of a context. Input: a command stream. One that passes the checker is followed, and what the
 * record would tell another engine must itself be a stream that passes, leave the same record, and name nothing of a
 * resource that is evicted or destroyed.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "record.h"
#include "replay.h"
#include "stream_check.h"
#include "stream_resources.h"

static struct resource resources[STREAM_RESOURCES];

/* What the record asks the worker for. An id of 0 is a resource that is gone. */
struct resource *resources_find(const struct resources *unused, uint32_t id)
{
	return id && id < STREAM_RESOURCES && resources[id].id ? &resources[id] : NULL;
}

/* Of query buffers the record knows that they stay in the engine. */
static const struct d3dgpu_resource_desc *find(void *opaque, uint32_t id)
{
	const struct resource *resource = resources_find(NULL, id);

	return resource && resource_in_engine(resource) ? &resource->desc : NULL;
}

static void reset_resources(void)
{
	for (uint32_t id = 1; id < STREAM_RESOURCES; id++)
		resources[id] = (struct resource){.id = id, .desc = stream_resources[id]};
}

static void follow(struct record *record, const uint32_t *words, uint32_t count)
{
	uint32_t at = 0;

	while (at < count && !record->failed)
		at = record_stream(record, words, at, count);
	if (at != count && !record->failed)
		abort();
}

/* Whether a script passes a checker that knows nothing yet. The zeros of absent vertex buffers are the worker's own. */
static void must_pass(struct script *script)
{
	struct stream_error error;
	struct stream_check check;

	for (uint32_t word = 0; word < script->count; word++)
		if (script->words[word] == RESOURCES_ID_ZEROS)
			script->words[word] = 0;
	stream_check_init(&check, find, NULL);
	if (!stream_check(&check, script->words, script->count, &error))
		abort();
}

/* The record as a stream, followed by another record, is the same record. */
static void check_save(struct record *record)
{
	struct script first = {0}, second = {0};
	struct record other;

	replay_all(&first, record, false);
	must_pass(&first);
	if (!replay_is_state(first.words, first.count) || record_init(&other, NULL))
		abort();
	follow(&other, first.words, first.count);
	replay_all(&second, &other, false);
	if (second.count != first.count)
		abort();
	record_destroy(&other);
	script_free(&first);
	script_free(&second);
}

static void check_without(struct record *record)
{
	struct script script = {0};

	replay_all(&script, record, true);
	must_pass(&script);
	script_free(&script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t count = (uint32_t)(size / 4);
	uint32_t *words = malloc(count ? count * 4 : 1); /* as large as the stream: sanitizers see its end */
	struct stream_error error;
	struct stream_check check;
	struct record record;

	if (!words)
		return 0;
	memcpy(words, data, count * 4);
	reset_resources();
	stream_check_init(&check, find, NULL);
	if (record_init(&record, NULL))
		abort();
	for (int round = 0; round < 2 && stream_check(&check, words, count, &error); round++)
		follow(&record, words, count);
	check_save(&record);
	for (uint32_t id = 1; id < STREAM_RESOURCES; id++) {
		record_groups_of(&record, &resources[id]);
		resources[id].evicted = true;
		check_without(&record);
	}
	for (uint32_t id = 1; id < STREAM_RESOURCES; id++) {
		record_forget(&record, &resources[id]);
		resources[id].id = 0;
		check_without(&record);
	}
	record_destroy(&record);
	free(words);
	return 0;
}
