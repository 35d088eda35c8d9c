/* SPDX-License-Identifier: MIT */
/* Workers in this process: what a manager and its workers say. */
#ifndef D3DGPU_TESTS_SOCKET_WORKER_H
#define D3DGPU_TESTS_SOCKET_WORKER_H

#include <stdbool.h>
#include <stddef.h>

struct fuzz_workers;

/* A manager at its end of a socket, whose workers answer every entry, and well. Lives as long as the process. */
struct fuzz_workers *fuzz_workers_make(int manager);
/* Hands a worker out before it is asked for. */
void fuzz_workers_hand_out(struct fuzz_workers *workers);
/* Does all there is to do now. Returns whether there was something. */
bool fuzz_workers_turn(struct fuzz_workers *workers);

/* A manager's answer: `size` bytes and `count` descriptors (0..4; they stay open here). */
bool fuzz_manager_answer(int manager, const void *bytes, size_t size, const int *descriptors, unsigned count);
/* A worker's good hello. */
void fuzz_worker_hello(int socket);

#endif
