/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "core.h"

/* Answers taken from one worker in a row, so that a babbling one does not keep the thread. */
#define ANSWERS_AT_ONCE 64

/* A sanitizer's shadow memory and helper calls do not fit into the sandbox. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SETUP_FLAGS WORKER_SETUP_NO_SANDBOX
#else
#define SETUP_FLAGS 0
#endif

int core_worker_setup(struct d3dgpu_core *core, struct core_worker *worker)
{
	struct worker_setup setup = {
		.version = WORKER_PROTOCOL_VERSION, .flags = SETUP_FLAGS, .vram_size = core->vram_size};
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec packet = {&setup, sizeof(setup)};
	struct msghdr message = {
		.msg_iov = &packet,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&control.header), &core->vram_fd, sizeof(int));
	return sendmsg(worker->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(setup) ? 0 : -errno;
}

int core_hello_check(const struct worker_hello *hello, ssize_t size, char *message, size_t message_size)
{
	if (size != sizeof(*hello) || hello->version != WORKER_PROTOCOL_VERSION)
		snprintf(message, message_size, "the worker speaks another protocol version");
	else if (hello->status)
		snprintf(message, message_size, "the worker did not come up: %s (see its messages)",
			 strerror((int)hello->status));
	else if (hello->capset_size > WORKER_CAPSET_MAX)
		snprintf(message, message_size, "the worker's capability set is too long");
	else
		return 0;
	return -EIO;
}

void core_hello_sandbox(struct d3dgpu_core *core, const struct worker_hello *hello)
{
	const uint32_t needed = WORKER_SANDBOX_NO_NEW_PRIVS | WORKER_SANDBOX_SECCOMP | WORKER_SANDBOX_RLIMITS;

	if (core->workers.sandbox_told || !(needed & ~hello->sandbox))
		return;
	core->workers.sandbox_told = true;
	core_log(core, D3DGPU_LOG_ERROR, "the worker's sandbox is not complete (0x%x of 0x%x): guest programs' 3D work is %s",
		 hello->sandbox, needed, SETUP_FLAGS ? "not confined, as this is a sanitizer build" : "not fully confined");
}

int core_worker_send(struct d3dgpu_core *core, struct core_worker *worker, const struct d3dgpu_entry *entry)
{
	unsigned slot = (unsigned)(worker - core->workers.slots);
	ssize_t sent;

	if (worker->socket < 0) /* it is dying: its context will hear of it when the reason is known */
		return 0;
	sent = send(worker->socket, entry, sizeof(*entry), MSG_DONTWAIT | MSG_NOSIGNAL);
	if (sent == sizeof(*entry))
		return 1;
	if (errno == EPIPE || errno == ECONNRESET) /* it has ended: its last answers, yet unread, say why */
		return 0;
	if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
		return -errno;
	return core_thread_watch(core, worker->socket, CORE_SOURCE_WORKER, slot, EPOLLIN | EPOLLOUT);
}

void core_worker_writable(struct d3dgpu_core *core, struct core_worker *worker)
{
	if (worker->state != CORE_WORKER_READY && worker->state != CORE_WORKER_STARTING)
		return;
	core_thread_watch(core, worker->socket, CORE_SOURCE_WORKER, (unsigned)(worker - core->workers.slots), EPOLLIN);
	if (worker->context)
		core_engine_pump(core, worker->context);
}

/* What a worker does that it must not costs its context. */
static void broke_protocol(struct d3dgpu_core *core, struct core_worker *worker, const char *how)
{
	core_log(core, D3DGPU_LOG_ERROR, "worker %d: %s", (int)worker->pid, how);
	if (worker->context)
		core_engine_lose(core, worker->context,
				 worker->came_up ? D3DGPU_FAULT_WORKER_DIED : D3DGPU_FAULT_NO_WORKER, EPROTO);
	else
		core_worker_end(core, worker, true);
}

/* As recv() of one packet. That the worker ended before it had read everything comes first, once; then come its last answers. */
static ssize_t receive(struct core_worker *worker, void *packet, size_t room)
{
	ssize_t size = recv(worker->socket, packet, room, MSG_DONTWAIT | MSG_TRUNC);

	return size < 0 && errno == ECONNRESET ? recv(worker->socket, packet, room, MSG_DONTWAIT | MSG_TRUNC) : size;
}

/* Returns false when nothing more is to be read now. */
static bool receive_hello(struct d3dgpu_core *core, struct core_worker *worker)
{
	struct worker_hello hello;
	ssize_t size = receive(worker, &hello, sizeof(hello));
	char message[128];

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (size <= 0) {
		core_worker_closed(core, worker);
		return false;
	}
	if (core_hello_check(&hello, size, message, sizeof(message))) {
		broke_protocol(core, worker, message);
		return false;
	}
	core_hello_sandbox(core, &hello);
	worker->state = CORE_WORKER_READY;
	worker->came_up = true;
	return true;
}

static bool receive_answer(struct d3dgpu_core *core, struct core_worker *worker)
{
	struct worker_done done;
	ssize_t size = receive(worker, &done, sizeof(done));

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (size <= 0) {
		core_worker_closed(core, worker);
		return false;
	}
	if (size != sizeof(done) || !worker->context || !core_engine_answer(core, worker->context, &done)) {
		broke_protocol(core, worker, "an answer that was not asked for");
		return false;
	}
	return true;
}

void core_worker_readable(struct d3dgpu_core *core, struct core_worker *worker)
{
	if (worker->state == CORE_WORKER_STARTING && !receive_hello(core, worker))
		return;
	for (unsigned i = 0; i < ANSWERS_AT_ONCE && worker->state == CORE_WORKER_READY; i++) {
		if (!receive_answer(core, worker))
			return;
		if (worker->context && !core_engine_waits(core, worker->context))
			return; /* the next look would find nothing; should there be more, the poll set tells */
	}
}
