/* SPDX-License-Identifier: MIT */
/*
 * The worker locks itself in: see the policy at the top of sandbox.c.
 */
#ifndef D3DGPU_RENDERER_SANDBOX_H
#define D3DGPU_RENDERER_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/* Closes everything that was inherited but 0, 1, 2 and the two descriptors given (-1 = none). Before anything else. */
void sandbox_close_inherited(int socket, int cache);

/*
 * First stage, before GL starts threads, which inherit it: no new privileges, and where the kernel has Landlock only
 * system folders can be read and only the cache folder (-1 = none) can be written. Returns WORKER_SANDBOX_* flags in
 * force.
 */
uint32_t sandbox_prepare(int cache);

/*
 * Second stage, once GL is up: resource limits and the system call filter, for all threads. `memory` is the address
 * space that may be used altogether, in bytes. Adds to *flags what is in force. Returns 0, or an errno when the filter
 * could not be installed: then the worker must not go on.
 */
int sandbox_lock(uint64_t memory, uint32_t *flags);

/*
 * Tries, after the lock, what must be refused, and what GL needs. Prints a line "attempt: refused|ALLOWED (error)" for
 * each, "threads: work|BROKEN" and "generated code: works|BROKEN". Returns how many went wrong. In probe.c.
 */
int sandbox_probe(void);

#endif
