/* SPDX-License-Identifier: MIT */
/* What the host says: who runs the guest (scripts/vm) answers lines that a program prints. */
#ifndef TESTS_KERNEL_HOST_H
#define TESTS_KERNEL_HOST_H

#include <stdint.h>

#define HOST_ANSWER_MAX 256u

/* The answer to the request that was printed before, without its first word, `name`; "no answer" after a minute. */
void host_answer(const char *name, char answer[HOST_ANSWER_MAX]);

/* Memory that the virtual machine's processes have of their own, in KiB: not the guest's, not VRAM. */
struct host_memory {
	uint64_t vmm;
	unsigned workers;		/* how many there are */
	uint64_t of_workers;		/* of all of them together */
};

struct host_memory host_memory(void);

#endif
