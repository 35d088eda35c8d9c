/* SPDX-License-Identifier: MIT */
/* Names of shared objects: 64 random bits that nobody can guess. */
#ifndef D3DGPU_UMD_WINSYS_SHARE_H
#define D3DGPU_UMD_WINSYS_SHARE_H

#include <errno.h>
#include <stdint.h>
#include <sys/random.h>

/* Never 0. Returns 0 or a negative errno. */
static inline int winsys_random_token(uint64_t *token)
{
	do {
		if (getrandom(token, sizeof(*token), 0) != sizeof(*token))
			return -EIO;
	} while (!*token);
	return 0;
}

#endif
