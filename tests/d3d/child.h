/* SPDX-License-Identifier: MIT */
/* A test program as a child of itself: the device lives inside the process, and another GPU needs another process. */
#ifndef TESTS_D3D_CHILD_H
#define TESTS_D3D_CHILD_H

#include <stdbool.h>

/* Whether the GPU can be chosen: on the host, where the device is inside the process. */
bool child_can_choose_gpu(void);

/* Runs this program again with D3DGPU_CAPS=caps (NULL: as it is) and the argument `part`; its results count here, with
 * `label` before their names. */
void child_run(const char *caps, const char *part, const char *label);

#endif
