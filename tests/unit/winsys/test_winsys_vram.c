/* SPDX-License-Identifier: MIT */
/* The pool of the loopback device. */
#include <errno.h>
#include <stdlib.h>

#include "loopback.h"
#include "tap.h"

#define PAGE 4096ull
#define PAGES 64
#define PIECES 16

static void test_holes(void)
{
	struct vram vram;
	uint64_t a, b, c, d;

	vram_init(&vram, PAGES * PAGE);
	tap_eq(vram_alloc(&vram, 4 * PAGE, PAGE, &a), 0, "first range");
	tap_eq(vram_alloc(&vram, 4 * PAGE, PAGE, &b), 0, "second");
	tap_eq(vram_alloc(&vram, 4 * PAGE, PAGE, &c), 0, "third");
	tap_ok(a == 0 && b == 4 * PAGE && c == 8 * PAGE, "lie one after the other");
	vram_free(&vram, b, 4 * PAGE);
	tap_eq(vram_alloc(&vram, 5 * PAGE, PAGE, &d), 0, "a larger one");
	tap_eq(d, 12 * PAGE, "does not fit in the hole");
	tap_eq(vram_alloc(&vram, 4 * PAGE, PAGE, &b), 0, "one of the same size does");
	tap_eq(b, 4 * PAGE, "there");
	tap_eq(vram_alloc(&vram, PAGE, 16 * PAGE, &b), 0, "an aligned range");
	tap_eq(b, 32 * PAGE, "lies at a multiple of its alignment");
	tap_eq(vram_alloc(&vram, PAGES * PAGE, PAGE, &a), -ENOMEM, "what does not fit is refused");
	tap_eq(vram.used, 18 * PAGE, "the used bytes are counted");
	tap_eq(vram_alloc_top(&vram, 3 * PAGE, 2 * PAGE, &c), 0, "a range from the other end");
	tap_eq(c, 60 * PAGE, "lies at the last multiple of its alignment");
	tap_eq(vram_alloc_top(&vram, PAGE, PAGE, &d), 0, "the next one");
	tap_eq(d, 63 * PAGE, "behind it, where it fits");
	tap_eq(vram_alloc_top(&vram, PAGE, PAGE, &d), 0, "then");
	tap_eq(d, 59 * PAGE, "before it");
	vram_fini(&vram);
}

/* After any order of frees the pool is one hole again. */
static void test_merge(void)
{
	struct vram vram;
	uint64_t offsets[PIECES], all;
	unsigned order[PIECES], wrong = 0;

	srand(1);
	vram_init(&vram, PIECES * PAGE);
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 0; i < PIECES; i++) {
			unsigned j = (unsigned)rand() % (i + 1);

			wrong += vram_alloc(&vram, PAGE, PAGE, &offsets[i]) != 0;
			order[i] = order[j];
			order[j] = i;
		}
		for (unsigned i = 0; i < PIECES; i++)
			vram_free(&vram, offsets[order[i]], PAGE);
		wrong += vram_alloc(&vram, PIECES * PAGE, PAGE, &all) != 0;
		vram_free(&vram, all, PIECES * PAGE);
	}
	tap_eq(wrong, 0, "200 rounds of frees in random order leave one hole");
	tap_eq(vram.used, 0, "and nothing used");
	vram_fini(&vram);
}

int main(void)
{
	test_holes();
	test_merge();
	return tap_done();
}
