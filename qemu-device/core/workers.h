/* SPDX-License-Identifier: MIT */
/*
 * Worker processes: started by the core or fetched from a manager, kept warm, given to contexts, reaped.
 *
 * A worker is a socket and, when the core started it, a child process. Its socket takes entries before it has come up: they
 * wait there. workers.c is their life, worker_io.c their sockets, worker_log.c what they say, manager.c the other source of them,
 * spawn.c the program.
 */
#ifndef D3DGPU_CORE_WORKERS_H
#define D3DGPU_CORE_WORKERS_H

#include <sys/types.h>

#include "d3dgpu_core.h"
#include "protocol.h"

#define CORE_MAX_WORKERS (D3DGPU_MAX_CONTEXTS + 64)
#define CORE_HELLO_NS 60000000000u	/* a worker that has not come up after this long is given up */

enum core_worker_state {
	CORE_WORKER_FREE,		/* slot unused */
	CORE_WORKER_STARTING,		/* no hello yet */
	CORE_WORKER_READY,
	CORE_WORKER_DYING,		/* its socket closed under us: waiting for the exit status */
	CORE_WORKER_ENDED,		/* we closed its socket: waiting for the process to go */
};

struct core_worker {
	enum core_worker_state state;
	int socket;			/* -1 once closed */
	pid_t pid;			/* -1: a manager's, or reaped */
	int pidfd;			/* -1: none; a manager's worker may have one, too */
	int exit_status;		/* as wait() gives it, once reaped */
	unsigned context;		/* 0 = spare */
	uint64_t deadline;		/* STARTING: for the hello; DYING, ENDED: for the exit. Device time */
	bool came_up;			/* has said hello */
	bool killed;			/* SIGKILL was sent */
};

/* The pipe that is the workers' standard error. */
struct core_worker_log {
	int from_workers, to_core;	/* its ends, -1 = none */
	char line[1024];		/* that is not complete yet */
	size_t length;
	unsigned lines;			/* that may still go out */
	unsigned dropped;		/* since the last one that went out */
	uint64_t refilled;		/* when lines was last counted up. Device time */
	uint64_t resume;		/* nothing is read before; 0 = no pause. Device time */
};

struct core_workers {
	struct core_worker slots[CORE_MAX_WORKERS];
	char path[1024];		/* of the program */
	int cache_fd;			/* shader cache folder, -1 = none */
	int manager;			/* worker-socket, -1 = none */
	bool manager_gone;		/* it left, or broke the protocol: nothing is asked of it any more */
	unsigned requested;		/* workers that the manager owes us */
	uint64_t due;			/* device time at which core_workers_tick() has something to do */
	uint64_t refill_at;		/* no new spares before. Device time */
	unsigned wasted;		/* workers killed before they had come up, as far as that is not forgiven */
	uint64_t wasted_at;		/* when that was last counted. Device time */
	bool delayed;			/* contexts wait for workers that may not be started yet */
	bool sandbox_told;		/* that it is not complete */
	struct core_worker_log log;
};

/* ---- life ---- */

/*
 * Prepares, and starts the first worker; *hello is what it said. Waits for it. Returns 0, or a negative errno with a
 * message. core_workers_destroy() may follow in either case.
 */
int core_workers_init(struct d3dgpu_core *core, struct worker_hello *hello, char *message, size_t size);
/* Ends all workers and waits for them. */
void core_workers_destroy(struct d3dgpu_core *core);
/* Gives the context a worker, perhaps a little later. false: the host could not start one. */
bool core_workers_assign(struct d3dgpu_core *core, unsigned context);
/* Deadlines, spare workers. core_workers.due says when it wants to be called again. */
void core_workers_tick(struct d3dgpu_core *core, uint64_t now);
/* Device time has jumped. */
void core_workers_shift(struct d3dgpu_core *core, int64_t by);
/*
 * Takes a socket into a free slot, and sends the set-up. pid is that of our child; a manager's worker has -1, and a pidfd or -1.
 * NULL (all closed) on failure.
 */
struct core_worker *core_worker_adopt(struct d3dgpu_core *core, int socket, pid_t pid, int pidfd);
/* A context that has no worker yet, 0 = none. Which has waited longest is not known; it is the one with the lowest number. */
unsigned core_workers_wanted(const struct d3dgpu_core *core);
/* Binds a worker to a context. */
void core_worker_bind(struct d3dgpu_core *core, struct core_worker *worker, unsigned context);
/* Closes its socket. kill: do not trust it to leave. */
void core_worker_end(struct d3dgpu_core *core, struct core_worker *worker, bool kill);
/* Its process has ended (poll event). */
void core_worker_exited(struct d3dgpu_core *core, struct core_worker *worker);
/* Its socket has closed under us. */
void core_worker_closed(struct d3dgpu_core *core, struct core_worker *worker);

/* ---- sockets ---- */

/* Sends the set-up with VRAM. 0 or -errno. */
int core_worker_setup(struct d3dgpu_core *core, struct core_worker *worker);
/* Checks what a worker said. 0, or -EIO with a message. */
int core_hello_check(const struct worker_hello *hello, ssize_t size, char *message, size_t message_size);
/* Tells the user once when the sandbox is not complete. */
void core_hello_sandbox(struct d3dgpu_core *core, const struct worker_hello *hello);
/* Sends an entry. 1; 0 when the socket is full (core_engine_pump() follows when it is not any more) or the worker has ended (which
 * core_worker_readable() will find); or -errno. */
int core_worker_send(struct d3dgpu_core *core, struct core_worker *worker, const struct d3dgpu_entry *entry);
/* Poll events. */
void core_worker_readable(struct d3dgpu_core *core, struct core_worker *worker);
void core_worker_writable(struct d3dgpu_core *core, struct core_worker *worker);

/* ---- what they say ---- */

/* 0 or -errno. */
int core_worker_log_init(struct d3dgpu_core *core);
/* When all workers have ended. */
void core_worker_log_destroy(struct d3dgpu_core *core);
/* Poll event. */
void core_worker_log_readable(struct d3dgpu_core *core);
/* Ends a pause. core_workers.due says when. */
void core_worker_log_tick(struct d3dgpu_core *core, uint64_t now);
/* Device time has jumped. */
void core_worker_log_shift(struct d3dgpu_core *core, int64_t by);

/* ---- manager ---- */

/* Asks for one more worker. 0 or -errno. */
int core_manager_request(struct d3dgpu_core *core);
struct core_manager_answer {
	int error;			/* errno that the manager gives; 0: there is a worker */
	int socket;			/* its, -1 without */
	int pidfd;			/* its, -1 = none */
};

/* Takes an answer; descriptors are the caller's. 0, or -errno (-EAGAIN: none yet). */
int core_manager_take(struct d3dgpu_core *core, struct core_manager_answer *answer);
/* Poll event. */
void core_manager_readable(struct d3dgpu_core *core);

/* ---- program ---- */

/* Finds the program: 0, or -ENOENT with a message. */
int core_worker_find(const char *wanted, char *path, size_t size, char *message, size_t message_size);
/* What the program inherits. */
struct core_worker_files {
	int socket;
	int log;			/* standard output and error */
	int cache;			/* -1 = none */
};

/* Starts it. 0 or -errno. */
int core_worker_spawn(const char *path, const struct core_worker_files *files, pid_t *pid);

#endif
