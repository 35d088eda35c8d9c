/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), for the digest in the firmware's header. */
#ifndef D3DGPU_CORE_SHA256_H
#define D3DGPU_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

void core_sha256(const void *data, size_t size, uint8_t digest[32]);

#endif
