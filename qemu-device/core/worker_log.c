/* SPDX-License-Identifier: MIT */
/*
 * What workers say on standard error, which a guest can influence: it comes through one pipe, line by line and a limited number of
 * them, and goes to our own standard error. Neither the host's disk nor its terminal is the guest's, and a worker that says
 * more than the pipe takes loses it: the writing end does not block, and the sandbox lets no worker change that.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core.h"

#define LINES_BURST 400u		/* a dozen workers that come up */
#define LINE_NS 100000000u		/* one line more in this time */
#define BYTES_AT_ONCE 65536		/* read in a row */
#define PAUSE_NS 100000000u		/* and then not for this long */

int core_worker_log_init(struct d3dgpu_core *core)
{
	struct core_worker_log *log = &core->workers.log;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	log->from_workers = ends[0];
	log->to_core = ends[1];
	log->lines = LINES_BURST;
	return core_thread_watch(core, log->from_workers, CORE_SOURCE_WORKER_LOG, 0, EPOLLIN);
}

/* Never waits for whoever reads our standard error. */
static void say(const char *line, size_t size)
{
	struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&out, 1, 0) == 1 && out.revents & POLLOUT && write(STDERR_FILENO, line, size) < 0)
		return; /* nowhere to say it */
}

static void refill(struct core_worker_log *log, uint64_t now)
{
	uint64_t fresh = (now - log->refilled) / LINE_NS;

	log->refilled += fresh * LINE_NS;
	log->lines = fresh < LINES_BURST - log->lines ? log->lines + (unsigned)fresh : LINES_BURST;
}

static void end_line(struct core_worker_log *log)
{
	char notice[64];

	if (!log->lines) {
		log->dropped++;
	} else {
		log->lines--;
		if (log->dropped)
			say(notice, (size_t)snprintf(notice, sizeof(notice), "d3dgpu: %u lines of workers dropped\n",
						     log->dropped));
		log->dropped = 0;
		log->line[log->length] = '\n';
		say(log->line, log->length + 1);
	}
	log->length = 0;
}

/* Control characters would be the terminal's, not the log's. */
static char printable(char c)
{
	if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f)
		return '?';
	return c;
}

static void take_text(struct core_worker_log *log, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			end_line(log);
		else
			log->line[log->length++] = printable(text[i]);
		if (log->length == sizeof(log->line) - 1)
			end_line(log);
	}
}

/* Returns whether all there was has been read. */
static bool read_some(struct core_worker_log *log)
{
	char text[4096];

	for (unsigned i = 0; i < BYTES_AT_ONCE / sizeof(text); i++) {
		ssize_t size = read(log->from_workers, text, sizeof(text));

		if (size <= 0)
			return true;
		take_text(log, text, (size_t)size);
	}
	return false;
}

void core_worker_log_readable(struct d3dgpu_core *core)
{
	struct core_worker_log *log = &core->workers.log;
	uint64_t now = core_now(core);

	refill(log, now);
	if (read_some(log))
		return;
	core_thread_watch(core, log->from_workers, CORE_SOURCE_WORKER_LOG, 0, 0);
	log->resume = now + PAUSE_NS;
	if (log->resume < core->workers.due)
		core->workers.due = log->resume;
}

void core_worker_log_tick(struct d3dgpu_core *core, uint64_t now)
{
	struct core_worker_log *log = &core->workers.log;

	if (!log->resume)
		return;
	if (now >= log->resume) {
		log->resume = 0;
		core_thread_watch(core, log->from_workers, CORE_SOURCE_WORKER_LOG, 0, EPOLLIN);
	} else if (log->resume < core->workers.due) {
		core->workers.due = log->resume;
	}
}

void core_worker_log_shift(struct d3dgpu_core *core, int64_t by)
{
	struct core_worker_log *log = &core->workers.log;

	log->refilled += (uint64_t)by;
	if (log->resume)
		log->resume += (uint64_t)by;
}

void core_worker_log_destroy(struct d3dgpu_core *core)
{
	struct core_worker_log *log = &core->workers.log;

	if (log->from_workers < 0)
		return;
	refill(log, core_now(core));
	read_some(log); /* what the last ones said */
	if (log->length)
		end_line(log);
	close(log->from_workers);
	close(log->to_core);
	log->from_workers = log->to_core = -1;
}
