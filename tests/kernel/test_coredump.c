/* SPDX-License-Identifier: MIT */
/* The loss of a context leaves a core dump, with the stream that was to blame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coredump.h"
#include "d3dgpu_stream.h"
#include "gpu.h"
#include "tap.h"

#define BAD 0xfeedf00du		/* no command */

/* Loses a context by a stream whose word `bad` is none; its fence has been signalled when this returns. */
static void lose(int fd, uint32_t words, uint32_t bad)
{
	uint32_t ctx = gpu_ctx(fd);
	struct gpu_bo commands = gpu_staging(fd, words * 4);
	struct drm_d3dgpu_submit submit = gpu_submit_args(ctx, &commands, words, NULL, 0);

	gpu_put_nops(commands.map, words);
	((uint32_t *)commands.map)[bad] = BAD;
	if (gpu_run(fd, &submit))
		tap_bail("the stream was not taken");
	memset(commands.map, 0, commands.size); /* as a program may that heard of the fence */
	gpu_staging_end(fd, &commands);
	gpu_ctx_destroy(fd, ctx);
}

static void check_head(const char *dump)
{
	const char *guilty = strstr(dump, "\nguilty: ");
	unsigned long long entry = 0;

	tap_ok(!strncmp(dump, "d3dgpu core dump, version 1\n", 28), "it says what it is");
	tap_ok(coredump_has(dump, "\nreason: bad command stream\n"), "why it was made");
	tap_ok(coredump_has(dump, "\nprogram: test_coredump\n"), "whose context it was");
	tap_ok(guilty && sscanf(guilty, "\nguilty: %llu", &entry) == 1, "and which entry was to blame");
	tap_ok(coredump_has(dump, " fence %llu: 16 words", entry), "which is that of the stream");
}

static void check_sections(const char *dump)
{
	static const char *const sections[] = {"stream", "registers", "contexts", "faults", "rings", "counters", "firmware log"};
	unsigned found = 0;

	for (unsigned i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		found += coredump_has(dump, "\n[%s]\n", sections[i]);
	tap_eq(found, sizeof(sections) / sizeof(*sections), "it has all sections");
	tap_ok(coredump_has(dump, "\nID 0x47443344\n"), "the registers are those of the device");
	tap_ok(coredump_has(dump, " EXEC context "), "the ring has the entry");
	tap_ok(coredump_has(dump, ": bad command stream, info 0x5\n"), "the fault names the word");
}

static void test_small(int fd)
{
	char *dump;

	coredump_clear();
	lose(fd, 16, 5);
	dump = coredump_read();
	if (!tap_ok(dump != NULL, "a bad stream: the dump is there when the fence is signalled"))
		return;
	check_head(dump);
	check_sections(dump);
	tap_ok(coredump_has(dump, ": 16 words, from word 0 on\n00000000 00000000 00000000 00000000 00000000 feedf00d 00000000"),
	       "the stream is there as it was executed, word by word");
	free(dump);
}

/* One dump at a time: the first stays until somebody has read it. */
static void test_second(int fd)
{
	char *dump;

	usleep(2500000);
	lose(fd, 32, 3);
	dump = coredump_read();
	tap_ok(dump && coredump_has(dump, ": 16 words"), "another bad stream: the first dump stays");
	free(dump);
	coredump_clear();
	dump = coredump_read();
	tap_ok(!dump, "somebody has read it: it goes");
	free(dump);
	lose(fd, 32, 3);
	dump = coredump_read();
	tap_ok(dump && coredump_has(dump, ": 32 words"), "now there is room for another");
	free(dump);
}

static void test_large(int fd)
{
	char *dump;

	coredump_clear();
	lose(fd, 300000, 200000);
	dump = coredump_read();
	if (!tap_ok(dump != NULL, "a bad stream of more than a megabyte"))
		return;
	tap_ok(strlen(dump) < 1u << 20, "the dump is bounded (%zu bytes)", strlen(dump));
	tap_ok(coredump_has(dump, ": 300000 words, from word 191808 on\n"), "it has the part around the bad word");
	tap_ok(coredump_has(dump, "feedf00d"), "and the word itself");
	free(dump);
}

int main(void)
{
	int fd = gpu_open();

	test_small(fd);
	test_second(fd);
	test_large(fd);
	coredump_clear();
	close(fd);
	return tap_done();
}
