/* SPDX-License-Identifier: MIT */
/* What a worker on virglrenderer 0.10.4 and llvmpipe says in its hello, as far as the device looks at it. */
#ifndef TESTS_CORE_CAPSET_FIXTURE_H
#define TESTS_CORE_CAPSET_FIXTURE_H

#include "protocol.h"

void fixture_hello(struct worker_hello *hello);
/* Changes a word, a float or a bit of a format mask in the capability set. Offsets: capset.h. */
void fixture_set(struct worker_hello *hello, unsigned offset, uint32_t value);
void fixture_set_float(struct worker_hello *hello, unsigned offset, float value);
void fixture_set_format(struct worker_hello *hello, unsigned mask, uint32_t format, bool on);

#endif
