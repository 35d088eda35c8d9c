/* SPDX-License-Identifier: MIT */
/* The CRCs of the frames that a CRTC shows, from debugfs. */
#ifndef TESTS_KERNEL_CRC_H
#define TESTS_KERNEL_CRC_H

#include <stdbool.h>
#include <stdint.h>

#include "display.h"

/* Says what CRCs are to be of: 0 or -errno. */
int crc_choose(const struct display *display, const char *source);
/* Begins: a descriptor or -errno. Returns when there is a first one. */
int crc_open(const struct display *display);
/* The next CRC, and the count of the vblank that began its frame. False when none comes for a minute. */
bool crc_next(int crcs, uint32_t *frame, uint32_t *value);
/* The first CRC of a frame that begins with vblank `count` or later; bails out when none comes. Its frame, if wanted. */
uint32_t crc_from(int crcs, uint32_t count, uint32_t *frame);
/* The CRC of a frame that begins after this call. */
uint32_t crc_now(int crcs, const struct display *display);
/* The count of the last vblank. */
uint32_t crc_vblank(const struct display *display);

#endif
