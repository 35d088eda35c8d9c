/* SPDX-License-Identifier: MIT */
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core.h"

#define STATUS_WAIT_NS 200000000u	/* for the exit status of a worker whose socket has closed */
#define LEAVE_WAIT_NS 2000000000u	/* for a worker to leave by itself */
#define REAP_RETRY_NS 10000000u
#define REFILL_DELAY_NS 100000000u	/* a spare is replaced this long after it was used: short programs do not pay for it */
#define FAILURE_DELAY_NS 1000000000u	/* and this long after one has failed */

/*
 * A worker that is killed before it has come up was started for nothing. Firmware that does so in a loop gets so many at once, and
 * from then on one in this time: its contexts wait for their workers.
 */
#define WASTE_MAX 64u
#define WASTE_NS 50000000u

static bool is_alive(const struct core_worker *worker)
{
	return worker->state == CORE_WORKER_STARTING || worker->state == CORE_WORKER_READY;
}

static void set_deadline(struct d3dgpu_core *core, struct core_worker *worker, uint64_t after)
{
	worker->deadline = core_now(core) + after;
	if (worker->deadline < core->workers.due)
		core->workers.due = worker->deadline;
}

static struct core_worker *free_slot(struct d3dgpu_core *core)
{
	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++)
		if (core->workers.slots[i].state == CORE_WORKER_FREE)
			return &core->workers.slots[i];
	return NULL;
}

/* ---- end of life ---- */

static void signal_kill(struct core_worker *worker)
{
	if (worker->killed)
		return;
	worker->killed = true;
	if (worker->pidfd >= 0 && !pidfd_send_signal(worker->pidfd, SIGKILL, NULL, 0))
		return;
	if (worker->pid > 0) /* kill() means others by 0 and -1 */
		kill(worker->pid, SIGKILL);
}

static void close_pidfd(struct core_worker *worker)
{
	if (worker->pidfd >= 0)
		close(worker->pidfd);
	worker->pidfd = -1;
}

/* Takes the exit status if there is one. Afterwards pid is -1. Whoever else may have waited for our child is forgiven. */
static void reap(struct d3dgpu_core *core, struct core_worker *worker, int options)
{
	pid_t pid = worker->pid, reaped;
	int status = 0;

	if (pid < 0) /* its parent is the manager */
		return;
	do
		reaped = waitpid(pid, &status, options);
	while (reaped < 0 && errno == EINTR);
	if (!reaped)
		return;
	worker->exit_status = reaped == pid ? status : 0;
	worker->pid = -1;
	close_pidfd(worker);
	core_trace(core, D3DGPU_TRACE_WORKER_END, worker->context, 0, (uint64_t)pid, (uint64_t)worker->exit_status);
	if (WIFSIGNALED(worker->exit_status) && !worker->killed)
		core_log(core, D3DGPU_LOG_INFO, "worker %d of context %u: ended by signal %d", (int)pid, worker->context,
			 WTERMSIG(worker->exit_status));
}

static void close_socket(struct d3dgpu_core *core, struct core_worker *worker)
{
	if (worker->socket < 0)
		return;
	epoll_ctl(core->thread.epoll, EPOLL_CTL_DEL, worker->socket, NULL);
	close(worker->socket);
	worker->socket = -1;
}

void core_worker_end(struct d3dgpu_core *core, struct core_worker *worker, bool kill)
{
	core->workers.wasted += kill && worker->state == CORE_WORKER_STARTING;
	close_socket(core, worker);
	if (kill)
		signal_kill(worker);
	reap(core, worker, WNOHANG);
	if (worker->pid < 0) {
		close_pidfd(worker);
		worker->state = CORE_WORKER_FREE;
		return;
	}
	worker->state = CORE_WORKER_ENDED;
	set_deadline(core, worker, LEAVE_WAIT_NS);
}

/* Its context learns of it, or its place among the spares falls vacant. */
static void report_death(struct d3dgpu_core *core, struct core_worker *worker)
{
	uint32_t info = WIFSIGNALED(worker->exit_status) ? (uint32_t)WTERMSIG(worker->exit_status) : 0;

	if (worker->context) {
		core_engine_lose(core, worker->context, worker->came_up ? D3DGPU_FAULT_WORKER_DIED : D3DGPU_FAULT_NO_WORKER,
				 info);
		return;
	}
	core->workers.refill_at = core_now(core) + FAILURE_DELAY_NS;
	core->workers.due = 0;
	core_worker_end(core, worker, true);
}

void core_worker_closed(struct d3dgpu_core *core, struct core_worker *worker)
{
	reap(core, worker, WNOHANG);
	if (worker->pid < 0) {
		report_death(core, worker);
		return;
	}
	close_socket(core, worker);
	worker->state = CORE_WORKER_DYING; /* the status comes in a moment; a worker that lives on has only itself to blame */
	set_deadline(core, worker, STATUS_WAIT_NS);
}

void core_worker_exited(struct d3dgpu_core *core, struct core_worker *worker)
{
	if (worker->state == CORE_WORKER_FREE)
		return;
	if (is_alive(worker))
		core_worker_readable(core, worker); /* its last answers count */
	if (is_alive(worker)) {
		core_worker_closed(core, worker);
		return;
	}
	reap(core, worker, WNOHANG);
	if (worker->pid >= 0 || worker->state == CORE_WORKER_FREE)
		return;
	if (worker->state == CORE_WORKER_DYING)
		report_death(core, worker);
	else
		worker->state = CORE_WORKER_FREE;
}

/* ---- birth ---- */

struct core_worker *core_worker_adopt(struct d3dgpu_core *core, int socket, pid_t pid, int pidfd)
{
	struct core_worker *worker = free_slot(core);
	unsigned slot;
	int error;

	if (!worker) {
		close(socket);
		if (pidfd >= 0)
			close(pidfd);
		return NULL;
	}
	slot = (unsigned)(worker - core->workers.slots);
	*worker = (struct core_worker){.state = CORE_WORKER_STARTING, .socket = socket, .pid = pid, .pidfd = pidfd};
	set_deadline(core, worker, CORE_HELLO_NS);
	if (pid >= 0) {
		worker->pidfd = pidfd_open(pid, 0);
		if (worker->pidfd >= 0)
			core_thread_watch(core, worker->pidfd, CORE_SOURCE_CHILD, slot, EPOLLIN);
	}
	error = core_worker_setup(core, worker);
	if (error == -EPIPE) /* dead already: its socket will tell, as at any other time */
		error = 0;
	if (!error)
		error = core_thread_watch(core, socket, CORE_SOURCE_WORKER, slot, EPOLLIN);
	if (!error)
		return worker;
	core_log(core, D3DGPU_LOG_ERROR, "cannot set a worker up: %s", strerror(-error));
	core_worker_end(core, worker, true);
	return NULL;
}

static struct core_worker *start(struct d3dgpu_core *core)
{
	struct core_worker_files files = {.log = core->workers.log.to_core, .cache = core->workers.cache_fd};
	int pair[2], error;
	pid_t pid = -1;

	if (!free_slot(core))
		return NULL;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		core_log(core, D3DGPU_LOG_ERROR, "no socket for a worker: %s", strerror(errno));
		return NULL;
	}
	files.socket = pair[1];
	error = core_worker_spawn(core->workers.path, &files, &pid);
	close(pair[1]);
	if (error) {
		close(pair[0]);
		core_log(core, D3DGPU_LOG_ERROR, "cannot start %s: %s", core->workers.path, strerror(-error));
		return NULL;
	}
	return core_worker_adopt(core, pair[0], pid, -1);
}

void core_worker_bind(struct d3dgpu_core *core, struct core_worker *worker, unsigned context)
{
	worker->context = context;
	core->engine.contexts[context].worker = worker;
	core_trace(core, D3DGPU_TRACE_WORKER_START, context, 0, (uint64_t)worker->pid, 0);
}

static bool may_start(struct d3dgpu_core *core)
{
	struct core_workers *workers = &core->workers;
	uint64_t forgiven = (core_now(core) - workers->wasted_at) / WASTE_NS;

	workers->wasted -= forgiven < workers->wasted ? (unsigned)forgiven : workers->wasted;
	workers->wasted_at += forgiven * WASTE_NS;
	return workers->wasted < WASTE_MAX;
}

unsigned core_workers_wanted(const struct d3dgpu_core *core)
{
	for (unsigned id = 1; id < D3DGPU_MAX_CONTEXTS; id++) {
		const struct core_context *context = &core->engine.contexts[id];

		if (!context->worker && (context->state == CORE_CONTEXT_LIVE || context->state == CORE_CONTEXT_ENDING))
			return id;
	}
	return 0;
}

/* The spare that is furthest ahead, or NULL. */
static struct core_worker *best_spare(struct d3dgpu_core *core)
{
	struct core_worker *best = NULL;

	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++) {
		struct core_worker *worker = &core->workers.slots[i];

		if (is_alive(worker) && !worker->context && (!best || worker->state > best->state))
			best = worker;
	}
	return best;
}

bool core_workers_assign(struct d3dgpu_core *core, unsigned context)
{
	struct core_worker *worker = best_spare(core);

	core->workers.refill_at = core_now(core) + REFILL_DELAY_NS;
	core->workers.due = 0;
	if (!worker && core->workers.manager >= 0)
		return !core_manager_request(core);
	if (!worker && !may_start(core)) {
		core->workers.delayed = true;
		return true;
	}
	if (!worker)
		worker = start(core);
	if (worker)
		core_worker_bind(core, worker, context);
	return worker;
}

/* ---- time ---- */

static void refill(struct d3dgpu_core *core)
{
	bool started;

	if (core->workers.manager >= 0)
		started = !core_manager_request(core);
	else
		started = start(core);
	core->workers.refill_at = started ? 0 : core_now(core) + FAILURE_DELAY_NS;
}

/* Contexts that wait because too many workers were wasted get theirs as that is forgiven. */
static void start_delayed(struct d3dgpu_core *core)
{
	struct core_workers *workers = &core->workers;

	while (workers->delayed && may_start(core)) {
		unsigned context = core_workers_wanted(core);
		struct core_worker *worker = context ? start(core) : NULL;

		workers->delayed = context;
		if (worker) {
			core_worker_bind(core, worker, context);
			core_engine_pump(core, context);
		} else if (context) {
			core_engine_lose(core, context, D3DGPU_FAULT_NO_WORKER, 0);
		}
	}
	if (workers->delayed && workers->wasted_at + WASTE_NS < workers->due)
		workers->due = workers->wasted_at + WASTE_NS;
}

static void overdue(struct d3dgpu_core *core, struct core_worker *worker)
{
	if (worker->state == CORE_WORKER_STARTING) {
		core_log(core, D3DGPU_LOG_ERROR, "worker %d does not come up", (int)worker->pid);
		signal_kill(worker);
		report_death(core, worker);
		return;
	}
	signal_kill(worker);
	reap(core, worker, WNOHANG);
	if (worker->state == CORE_WORKER_DYING) {
		report_death(core, worker);
		return;
	}
	if (worker->pid < 0)
		worker->state = CORE_WORKER_FREE;
	else
		worker->deadline = core_now(core) + REAP_RETRY_NS;
}

void core_workers_tick(struct d3dgpu_core *core, uint64_t now)
{
	struct core_workers *workers = &core->workers;
	unsigned spares = workers->requested;

	if (now < workers->due)
		return;
	workers->due = UINT64_MAX;
	core_worker_log_tick(core, now);
	start_delayed(core);
	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++) {
		struct core_worker *worker = &workers->slots[i];

		if (worker->state == CORE_WORKER_FREE)
			continue;
		if (worker->state != CORE_WORKER_READY && now >= worker->deadline)
			overdue(core, worker);
		if (worker->state != CORE_WORKER_READY && worker->state != CORE_WORKER_FREE &&
		    worker->deadline < workers->due)
			workers->due = worker->deadline;
		if (is_alive(worker) && !worker->context)
			spares++;
	}
	if (spares >= core->config.warm_workers)
		return;
	if (now >= workers->refill_at)
		refill(core);
	if (spares + 1 < core->config.warm_workers || workers->refill_at > now)
		workers->due = workers->refill_at < workers->due ? workers->refill_at : workers->due;
}

void core_workers_shift(struct d3dgpu_core *core, int64_t by)
{
	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++)
		core->workers.slots[i].deadline += (uint64_t)by;
	core->workers.refill_at += (uint64_t)by;
	core->workers.wasted_at += (uint64_t)by;
	core_worker_log_shift(core, by);
	core->workers.due = 0;
}

/* ---- creation and end of the device ---- */

static int open_cache(struct d3dgpu_core *core, char *message, size_t size)
{
	const char *folder = core->config.shader_cache;

	if (!*folder)
		return 0;
	mkdir(folder, 0700);
	core->workers.cache_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (core->workers.cache_fd >= 0)
		return 0;
	snprintf(message, size, "cannot use the shader cache's folder '%s': %s", folder, strerror(errno));
	return -EINVAL;
}

/* Waits for something to read. false: nothing came in time. */
static bool wait_readable(int fd)
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	int ready;

	do
		ready = poll(&poll_fd, 1, (int)(CORE_HELLO_NS / 1000000));
	while (ready < 0 && errno == EINTR);
	return ready > 0;
}

static struct core_worker *first_worker(struct d3dgpu_core *core)
{
	struct core_manager_answer answer;

	if (core->workers.manager < 0)
		return start(core);
	if (core_manager_request(core) || !wait_readable(core->workers.manager) || core_manager_take(core, &answer))
		return NULL;
	return answer.error ? NULL : core_worker_adopt(core, answer.socket, -1, answer.pidfd);
}

static int meet(struct d3dgpu_core *core, struct core_worker *worker, struct worker_hello *hello, char *message,
		size_t size)
{
	ssize_t received = 0;
	int error;

	memset(hello, 0, sizeof(*hello));
	if (wait_readable(worker->socket))
		received = recv(worker->socket, hello, sizeof(*hello), MSG_DONTWAIT | MSG_TRUNC);
	if (received > 0) {
		error = core_hello_check(hello, received, message, size);
		if (!error)
			core_hello_sandbox(core, hello);
		return error;
	}
	if (received < 0 && errno != ECONNRESET)
		snprintf(message, size, "cannot talk to the worker: %s", strerror(errno));
	else
		snprintf(message, size, "the worker %s ended or hung before it came up (see its messages)",
			 core->workers.path);
	return -EIO;
}

int core_workers_init(struct d3dgpu_core *core, struct worker_hello *hello, char *message, size_t size)
{
	struct core_workers *workers = &core->workers;
	struct core_worker *worker;
	int error;

	workers->manager = core->config.worker_socket;
	error = core_worker_log_init(core);
	if (error) {
		snprintf(message, size, "no pipe for the workers' messages: %s", strerror(-error));
		return error;
	}
	error = open_cache(core, message, size);
	if (error)
		return error;
	if (workers->manager < 0) {
		error = core_worker_find(core->config.worker_path, workers->path, sizeof(workers->path), message, size);
		if (error)
			return error;
	} else {
		snprintf(workers->path, sizeof(workers->path), "of the manager");
		error = core_thread_watch(core, workers->manager, CORE_SOURCE_MANAGER, 0, EPOLLIN);
		if (error) {
			snprintf(message, size, "property 'worker-socket': descriptor %d cannot be used: %s",
				 workers->manager, strerror(-error));
			return -EINVAL;
		}
	}
	worker = first_worker(core);
	if (!worker) {
		snprintf(message, size, "cannot start the worker %s", workers->path);
		return -EIO;
	}
	error = meet(core, worker, hello, message, size);
	if (error || !core->config.warm_workers) {
		core_worker_end(core, worker, true);
		return error;
	}
	worker->state = CORE_WORKER_READY;
	worker->came_up = true;
	return 0;
}

void core_workers_destroy(struct d3dgpu_core *core)
{
	struct core_workers *workers = &core->workers;

	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++)
		if (workers->slots[i].state != CORE_WORKER_FREE)
			core_worker_end(core, &workers->slots[i], true);
	for (unsigned i = 0; i < CORE_MAX_WORKERS; i++)
		if (workers->slots[i].state != CORE_WORKER_FREE)
			reap(core, &workers->slots[i], 0);
	core_worker_log_destroy(core);
	if (workers->cache_fd >= 0)
		close(workers->cache_fd);
	workers->cache_fd = -1;
}
