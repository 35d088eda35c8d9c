/* SPDX-License-Identifier: MIT */
/* Known answers of FIPS 180-4's examples, and lengths around the block's end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"
#include "tap.h"

static void check(const void *data, size_t size, const char *want, const char *what)
{
	uint8_t digest[32];
	char text[65];

	core_sha256(data, size, digest);
	for (unsigned i = 0; i < 32; i++)
		snprintf(text + i * 2, 3, "%02x", digest[i]);
	tap_str(text, want, "SHA-256 of %s", what);
}

int main(void)
{
	char *million = malloc(1000000), block[128];

	check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "nothing");
	check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "abc");
	check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
	      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "56 bytes: the length needs a block of its own");
	memset(million, 'a', 1000000);
	check(million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "a million a");
	memset(block, 'a', sizeof(block));
	check(block, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318", "55 a: the last length that fits");
	check(block, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb", "64 a: a whole block");
	free(million);
	return tap_done();
}
