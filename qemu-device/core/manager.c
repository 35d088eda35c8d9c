/* SPDX-License-Identifier: MIT */
/*
 * Workers from a manager (property worker-socket): it starts and confines them as it likes, and hands their sockets out.
 * Of their processes the core knows only the pidfd, if the manager sends one along: by it a worker that hangs is killed. Without
 * one, closing the socket is all that it can do to them.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core.h"

int core_manager_request(struct d3dgpu_core *core)
{
	struct worker_request request = {.version = WORKER_PROTOCOL_VERSION};

	if (core->workers.manager_gone)
		return -EPIPE;
	if (send(core->workers.manager, &request, sizeof(request), MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof(request)) {
		int error = errno; /* the log may change it */

		core_log(core, D3DGPU_LOG_ERROR, "cannot ask the manager for a worker: %s", strerror(error));
		return -error;
	}
	core->workers.requested++;
	return 0;
}

#define DESCRIPTORS_MAX 2u

/* The descriptors that came with a message. Returns how many. */
static unsigned take_descriptors(struct msghdr *message, int fds[DESCRIPTORS_MAX])
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	size_t size;

	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return 0;
	size = header->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(header), size);
	return (unsigned)(size / sizeof(int));
}

/* Signal 0 is the question whether there is a process behind it. That it is not ours to signal shows when it must be. */
static bool is_pidfd(int fd)
{
	return !pidfd_send_signal(fd, 0, NULL, 0) || errno == EPERM || errno == ESRCH;
}

/* What the manager means, if the message is as it must be. */
static bool understand(uint8_t status, const int fds[DESCRIPTORS_MAX], unsigned count, struct core_manager_answer *answer)
{
	*answer = (struct core_manager_answer){
		.error = status, .socket = count ? fds[0] : -1, .pidfd = count > 1 ? fds[1] : -1};
	if (status)
		return !count;
	return count == 1 || (count == 2 && is_pidfd(fds[1]));
}

int core_manager_take(struct d3dgpu_core *core, struct core_manager_answer *answer)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(DESCRIPTORS_MAX * sizeof(int))]; /* exactly: no padding could take one more */
	} control = {0};
	uint8_t status = 0;
	struct iovec packet = {&status, sizeof(status)};
	struct msghdr message = {
		.msg_iov = &packet,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t size = recvmsg(core->workers.manager, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int fds[DESCRIPTORS_MAX];
	unsigned count;

	*answer = (struct core_manager_answer){.socket = -1, .pidfd = -1};
	if (size < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (!size)
		return -EPIPE;
	count = take_descriptors(&message, fds);
	if (!core->workers.requested || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) ||
	    !understand(status, fds, count, answer)) {
		while (count)
			close(fds[--count]);
		return -EPROTO;
	}
	core->workers.requested--;
	return 0;
}

/* Contexts that wait for a worker will not get one. */
static void manager_gone(struct d3dgpu_core *core, int error)
{
	unsigned context;

	core_log(core, D3DGPU_LOG_ERROR, "the worker manager %s: no new contexts from now on",
		 error == -EPROTO ? "broke the protocol" : "has gone");
	epoll_ctl(core->thread.epoll, EPOLL_CTL_DEL, core->workers.manager, NULL);
	core->workers.manager_gone = true;
	core->workers.requested = 0;
	while ((context = core_workers_wanted(core)))
		core_engine_lose(core, context, D3DGPU_FAULT_NO_WORKER, (uint32_t)-error);
}

void core_manager_readable(struct d3dgpu_core *core)
{
	unsigned context = core_workers_wanted(core);
	struct core_manager_answer answer;
	struct core_worker *worker = NULL;
	int error = core_manager_take(core, &answer);

	if (error == -EAGAIN)
		return;
	if (error) {
		manager_gone(core, error);
		return;
	}
	if (!answer.error)
		worker = core_worker_adopt(core, answer.socket, -1, answer.pidfd);
	if (worker && context) {
		core_worker_bind(core, worker, context);
		core_engine_pump(core, context);
	} else if (!worker && context) {
		core_engine_lose(core, context, D3DGPU_FAULT_NO_WORKER, answer.error ? (uint32_t)answer.error : EIO);
	}
}
