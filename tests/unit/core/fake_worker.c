/* SPDX-License-Identifier: MIT */
/*
 * A worker for tests: speaks protocol.h, but has no 3D engine. It answers every entry at once, unless the environment
 * variable FAKE_WORKER says otherwise:
 *
 *   crash=N        dies by SIGSEGV at entry N (counted from 1), without answering it
 *   hang=N         never answers entry N
 *   fault=N        answers entry N with D3DGPU_FAULT_BAD_STREAM and detail 77, and exits
 *   fence=N        answers entry N with another fence
 *   twice=N        answers entry N twice
 *   short=N        answers entry N with a packet that is too short
 *   no-hello       exits before it says anything
 *   mute           never says anything
 *   bad-hello      says another protocol version
 *   status=E       says that it did not come up, with errno E
 *   garbage        says a capability set of zeros
 *   bare           says that it has no sandbox
 *   chatty         says 5000 lines on standard error, with a control character in each
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capset_fixture.h"

static const char *mode;

static bool is_mode(const char *name)
{
	return mode && !strcmp(mode, name);
}

/* The number behind "name=", or 0. */
static unsigned long mode_number(const char *name)
{
	size_t length = strlen(name);

	if (!mode || strncmp(mode, name, length) || mode[length] != '=')
		return 0;
	return strtoul(mode + length + 1, NULL, 10);
}

/* Returns VRAM, mapped, or NULL. */
static uint8_t *receive_setup(int socket)
{
	struct worker_setup setup;
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec packet = {&setup, sizeof(setup)};
	struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1, .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	struct stat stat;
	void *memory;
	int fd;

	if (recvmsg(socket, &message, 0) != sizeof(setup) || setup.version != WORKER_PROTOCOL_VERSION)
		return NULL;
	if (control.header.cmsg_type != SCM_RIGHTS || control.header.cmsg_len != CMSG_LEN(sizeof(int)))
		return NULL;
	memcpy(&fd, CMSG_DATA(&control.header), sizeof(fd));
	if (fstat(fd, &stat) || (uint64_t)stat.st_size < setup.vram_size)
		return NULL;
	memory = mmap(NULL, setup.vram_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

static int say_hello(int socket)
{
	struct worker_hello hello;

	if (is_mode("no-hello"))
		return -1;
	if (is_mode("mute"))
		pause();
	for (unsigned i = 0; is_mode("chatty") && i < 5000; i++)
		dprintf(STDERR_FILENO, "chatter %u\033[2J\n", i);
	fixture_hello(&hello);
	if (is_mode("bad-hello"))
		hello.version = 99;
	if (is_mode("garbage"))
		memset(hello.capset, 0, sizeof(hello.capset));
	if (is_mode("bare"))
		hello.sandbox = 0;
	hello.status = (uint32_t)mode_number("status");
	return send(socket, &hello, sizeof(hello), MSG_NOSIGNAL) == sizeof(hello) && !hello.status ? 0 : -1;
}

/* An EXEC's "stream" is copied to the start of VRAM, as a sign that it was seen. */
static void execute(uint8_t *vram, const struct d3dgpu_entry *entry)
{
	if (entry->opcode == D3DGPU_OP_EXEC && entry->exec.size <= 4096)
		memmove(vram, vram + entry->exec.offset, entry->exec.size);
}

static int serve(int socket, uint8_t *vram)
{
	struct d3dgpu_entry entry;
	struct worker_done done;

	for (unsigned long n = 1; recv(socket, &entry, sizeof(entry), 0) == sizeof(entry); n++) {
		size_t size = sizeof(done);

		if (n == mode_number("crash"))
			raise(SIGSEGV);
		if (n == mode_number("hang"))
			for (;;)
				pause();
		execute(vram, &entry);
		done = (struct worker_done){.fence = entry.fence, .opcode = entry.opcode};
		if (n == mode_number("fault")) {
			done.status = D3DGPU_FAULT_BAD_STREAM;
			done.info = 77;
		}
		if (n == mode_number("fence"))
			done.fence++;
		if (n == mode_number("short"))
			size = 8;
		if (send(socket, &done, size, MSG_NOSIGNAL) != (ssize_t)size)
			return 0;
		if (n == mode_number("twice"))
			send(socket, &done, size, MSG_NOSIGNAL);
		if (done.status)
			return 2;
		if (entry.opcode == D3DGPU_OP_CTX_DESTROY)
			return 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"fd", required_argument, NULL, 'f'},
						{"shader-cache", required_argument, NULL, 'c'},
						{0}};
	int option, socket = -1;
	uint8_t *vram;

	signal(SIGSEGV, SIG_DFL); /* a sanitizer would print a report */
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		if (option == 'f')
			socket = atoi(optarg);
	mode = getenv("FAKE_WORKER");
	if (socket < 0)
		return 3;
	vram = receive_setup(socket);
	if (!vram || say_hello(socket))
		return 1;
	return serve(socket, vram);
}
