/* SPDX-License-Identifier: MIT */
#include "socket_worker.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capset_fixture.h"

#define MAX_EVENTS 32
#define MAX_DESCRIPTORS 4u

struct fuzz_workers {
	int epoll, manager;
	unsigned early; /* workers handed out before they were asked for */
};

bool fuzz_manager_answer(int manager, const void *bytes, size_t size, const int *descriptors, unsigned count)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(MAX_DESCRIPTORS * sizeof(int))];
	} control = {0};
	struct iovec packet = {(void *)bytes, size};
	struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1};

	if (count) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
	}
	return sendmsg(manager, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

void fuzz_worker_hello(int socket)
{
	struct worker_hello hello;

	fixture_hello(&hello);
	send(socket, &hello, sizeof(hello), MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void watch(struct fuzz_workers *workers, int socket)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};

	if (epoll_ctl(workers->epoll, EPOLL_CTL_ADD, socket, &event))
		abort();
}

static void hand_out(struct fuzz_workers *workers)
{
	uint8_t good = 0;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		abort();
	watch(workers, pair[1]);
	fuzz_worker_hello(pair[1]);
	fuzz_manager_answer(workers->manager, &good, sizeof(good), &pair[0], 1);
	close(pair[0]);
}

void fuzz_workers_hand_out(struct fuzz_workers *workers)
{
	workers->early++;
	hand_out(workers);
}

static void serve_manager(struct fuzz_workers *workers)
{
	struct worker_request request;

	while (recv(workers->manager, &request, sizeof(request), MSG_DONTWAIT) == sizeof(request)) {
		if (workers->early)
			workers->early--;
		else
			hand_out(workers);
	}
}

/* Everything that is no entry (the set-up) is passed over. */
static void serve(int socket)
{
	struct d3dgpu_entry entry;
	ssize_t size;

	while ((size = recv(socket, &entry, sizeof(entry), MSG_DONTWAIT)) > 0) {
		struct worker_done done = {.fence = entry.fence, .opcode = entry.opcode};

		if (size == sizeof(entry))
			send(socket, &done, sizeof(done), MSG_NOSIGNAL);
	}
	if (!size)
		close(socket);
}

bool fuzz_workers_turn(struct fuzz_workers *workers)
{
	struct epoll_event events[MAX_EVENTS];
	int count = epoll_wait(workers->epoll, events, MAX_EVENTS, 0);

	for (int i = 0; i < count; i++) {
		if (events[i].data.fd == workers->manager)
			serve_manager(workers);
		else
			serve(events[i].data.fd);
	}
	return count > 0;
}

struct fuzz_workers *fuzz_workers_make(int manager)
{
	struct fuzz_workers *workers = calloc(1, sizeof(*workers));

	if (!workers)
		abort();
	*workers = (struct fuzz_workers){.epoll = epoll_create1(EPOLL_CLOEXEC), .manager = manager};
	watch(workers, manager);
	return workers;
}
