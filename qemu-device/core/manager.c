/* SPDX-License-Identifier: MIT */
/*
 * Workers from a manager (property worker-socket): it starts and confines them as it likes, and hands their sockets out.
 * The core does not know their processes: closing the socket is all it can do to them.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
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

/* The descriptor that came with a message, or -1. */
static int take_descriptor(struct msghdr *message)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

int core_manager_take(struct d3dgpu_core *core, int *socket)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	uint8_t status = 0;
	struct iovec packet = {&status, sizeof(status)};
	struct msghdr message = {
		.msg_iov = &packet,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(sizeof(int)), /* not CMSG_SPACE: its padding would take a second descriptor */
	};
	ssize_t size = recvmsg(core->workers.manager, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	int fd;

	if (size < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (!size)
		return -EPIPE;
	fd = take_descriptor(&message);
	if (!core->workers.requested || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || (fd < 0) == !status) {
		if (fd >= 0)
			close(fd);
		return -EPROTO;
	}
	core->workers.requested--;
	*socket = status ? -(int)status : fd;
	return 0;
}

/* The context that has waited longest is not known; the lowest number will do. */
static unsigned waiting_context(const struct d3dgpu_core *core)
{
	for (unsigned id = 1; id < D3DGPU_MAX_CONTEXTS; id++) {
		const struct core_context *context = &core->engine.contexts[id];

		if (!context->worker && (context->state == CORE_CONTEXT_LIVE || context->state == CORE_CONTEXT_ENDING))
			return id;
	}
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
	while ((context = waiting_context(core)))
		core_engine_lose(core, context, D3DGPU_FAULT_NO_WORKER, (uint32_t)-error);
}

void core_manager_readable(struct d3dgpu_core *core)
{
	unsigned context = waiting_context(core);
	struct core_worker *worker = NULL;
	int socket = -1, error = core_manager_take(core, &socket);

	if (error == -EAGAIN)
		return;
	if (error) {
		manager_gone(core, error);
		return;
	}
	if (socket >= 0)
		worker = core_worker_adopt(core, socket, -1);
	if (worker && context) {
		core_worker_bind(core, worker, context);
		core_engine_pump(core, context);
	} else if (!worker && context) {
		core_engine_lose(core, context, D3DGPU_FAULT_NO_WORKER, socket < 0 ? (uint32_t)-socket : EIO);
	}
}
