/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer, as a TAP test: first every file of a corpus folder as it is, then a number of
 * mutations of them from a fixed seed, so that a failure happens again, on any machine. A crash fails the test; under
 * sanitizers more is a crash.
 *
 *	fuzz_NAME CORPUS [ROUNDS [SEED]]
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "tap.h"

#define ROUNDS_DEFAULT 20000
#define INPUT_MAX (64u << 10)
#define CORPUS_MAX 256u

struct input {
	uint8_t *data;
	size_t size;
};

static struct input corpus[CORPUS_MAX];
static uint32_t corpus_count;
static uint64_t random_state;
static struct input current; /* what the target works on */

/* xorshift: enough for choosing where to break things */
static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16) % limit;
}

/* Sanitizers end through abort() too, and UBSan does end. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "abort_on_error=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
	return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}

/* Keeps the input that broke something: it is the corpus's next entry. */
static void keep_current(int signal_number)
{
	static const char name[] = "fuzz-finding";
	FILE *file;

	signal(signal_number, SIG_DFL);
	file = fopen(name, "wb"); /* not safe in a handler, but the program is lost already */
	if (file) {
		fwrite(current.data, 1, current.size, file);
		fclose(file);
	}
	printf("# the input that broke it is in %s\n", name);
	fflush(stdout);
	raise(signal_number);
}

static void try_input(const uint8_t *data, size_t size)
{
	current = (struct input){(uint8_t *)data, size};
	LLVMFuzzerTestOneInput(data, size);
}

static void read_input(const char *folder, const char *name)
{
	char path[4096];
	struct input *input = &corpus[corpus_count];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (!file)
		tap_bail("cannot read %s", path);
	input->data = malloc(INPUT_MAX);
	if (!input->data)
		tap_bail("no memory");
	input->size = fread(input->data, 1, INPUT_MAX, file);
	fclose(file);
	try_input(input->data, input->size);
	tap_ok(true, "%s", name);
	corpus_count++;
}

/* A few changes of one kind each: a bit, a byte, a word of a telling value, a piece of another input, a cut. */
static size_t mutate(uint8_t *data, size_t size)
{
	static const uint32_t telling[] = {0,      1,       2,          0x7f,       0xff,      0x100,
					   0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};

	for (uint32_t changes = 1 + random_below(4); changes && size >= 8; changes--) {
		uint32_t at = random_below((uint32_t)size - 4);
		const struct input *other = &corpus[random_below(corpus_count)];
		uint32_t length;

		switch (random_below(6)) {
		case 0:
			data[at] ^= (uint8_t)(1u << random_below(8));
			break;
		case 1:
			data[at] = (uint8_t)random_below(256);
			break;
		case 2:
			memcpy(data + (at & ~3u), &telling[random_below(sizeof(telling) / sizeof(telling[0]))], 4);
			break;
		case 3:
			data[at & ~3u] = (uint8_t)random_below(64);
			break;
		case 4:
			length = other->size ? random_below((uint32_t)other->size) : 0;
			length = length < size - at ? length : (uint32_t)size - at;
			memcpy(data + at, other->data, length);
			break;
		default:
			size = at;
			break;
		}
	}
	return size;
}

static void try_mutations(uint32_t rounds, uint8_t *data)
{
	for (uint32_t round = 0; round < rounds; round++) {
		const struct input *input = &corpus[random_below(corpus_count)];

		memcpy(data, input->data, input->size);
		try_input(data, mutate(data, input->size));
	}
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : ROUNDS_DEFAULT;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
	uint8_t *data = malloc(INPUT_MAX);
	struct dirent **names;
	int count;

	if (argc < 2 || !data)
		tap_bail("usage: %s CORPUS [ROUNDS [SEED]]", argv[0]);
	signal(SIGABRT, keep_current);
	signal(SIGSEGV, keep_current);
	count = scandir(argv[1], &names, is_input, compare_names);
	if (count < 1)
		tap_bail("no corpus in %s", argv[1]);
	for (int i = 0; i < count; i++) {
		if ((uint32_t)i < CORPUS_MAX)
			read_input(argv[1], names[i]->d_name);
		free(names[i]);
	}
	free(names);
	random_state = seed * 0x9e3779b97f4a7c15ull | 1;
	try_mutations(rounds, data);
	tap_ok(true, "%u mutations from seed %llu", rounds, (unsigned long long)seed);
	for (uint32_t i = 0; i < corpus_count; i++)
		free(corpus[i].data);
	free(data);
	return tap_done();
}
