/* SPDX-License-Identifier: MIT */
/*
 * d3dgpu-worker: the renderer of one GPU context.
 *
 * Process model. The device core (or a manager on its behalf) starts one of these processes for each GPU context, ahead
 * of need where it wants the start-up hidden. The process gets a socket and nothing else but its standard streams and
 * perhaps the shader cache's folder. It lives like this:
 *
 *   1. close what was inherited by accident
 *   2. receive struct worker_setup with the VRAM memfd; first stage of the sandbox; map VRAM, drop the descriptor
 *   3. bring GL up: the only time when files are opened and libraries loaded
 *   4. lock the sandbox: from here on no file, no network, no process, no program can be had
 *   5. send struct worker_hello
 *   6. execute ring entries until CTX_DESTROY, a fault, or the end of the socket
 *
 * Nobody trusts this process: it parses what a guest's program wrote with code that was not made for that, and a crash
 * of it costs one context. It in turn believes the core in nothing but that a packet has the size it has.
 *
 * Threads: the main thread does everything with GL; llvmpipe or the host's GL driver adds its own; the watch thread
 * ends the process when the other side has gone while the main thread is inside an endless shader.
 *
 * Exit status: 0 after CTX_DESTROY or when the other side closed; 1 when the worker did not come up; 2 after a fault
 * that was answered; 3 for wrong usage.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine.h"
#include "log.h"
#include "protocol.h"
#include "sandbox.h"
#include "vram.h"
#include "worker.h"

enum exit_status { EXIT_ENDED = 0, EXIT_NOT_UP = 1, EXIT_FAULT = 2, EXIT_USAGE = 3 };

#define MEMORY_DEFAULT (4ull << 30)	/* bytes of address space beyond VRAM; 3D objects are bounded by VRAM's size */
#define LINGER_NS 1000000000		/* after the other side has gone, before the watch thread ends the process */
#define THREADS_MAX 4			/* of llvmpipe, in one worker */

struct arguments {
	int socket;
	int cache;			/* folder, -1 = none */
	bool probe;
};

static bool parse_descriptor(const char *text, int *fd)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 0 || value > 0xfffff || fcntl((int)value, F_GETFD) < 0)
		return false;
	*fd = (int)value;
	return true;
}

static bool parse_arguments(int argc, char **argv, struct arguments *arguments)
{
	static const struct option options[] = {
		{"fd", required_argument, NULL, 'f'},
		{"shader-cache", required_argument, NULL, 'c'},
		{"sandbox-probe", no_argument, NULL, 'p'},
		{0},
	};
	int option;

	*arguments = (struct arguments){.socket = -1, .cache = -1};
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f' && parse_descriptor(optarg, &arguments->socket))
			continue;
		if (option == 'c' && parse_descriptor(optarg, &arguments->cache))
			continue;
		if (option != 'p')
			return false;
		arguments->probe = true;
	}
	return optind == argc && (arguments->probe || arguments->socket >= 0);
}

/*
 * glibc gives freed memory at the top of the heap back and takes it again with the next texture: a page fault for each
 * 4 KiB, which costs more than the copy. Keep it.
 */
static void keep_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, 256 << 20);
	mallopt(M_TOP_PAD, 64 << 20);
}

/*
 * GL is configured by the environment only. The cache is Mesa's single-file one: it is opened once, while GL comes up,
 * so that no file has to be opened later. What is in it is machine code that other workers will run: the folder must
 * not be shared between VMs. llvmpipe takes a thread per processor, in each process; several workers share the
 * processors, so it gets at most four.
 */
static void prepare_environment(int cache)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	char text[64];

	if (cache >= 0) {
		snprintf(text, sizeof(text), "/proc/self/fd/%d", cache);
		setenv("MESA_SHADER_CACHE_DIR", text, 1);
		setenv("MESA_DISK_CACHE_SINGLE_FILE", "true", 1);
	} else {
		setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
	}
	if (processors > THREADS_MAX)
		processors = THREADS_MAX;
	snprintf(text, sizeof(text), "%ld", processors > 0 ? processors : 1);
	setenv("LP_NUM_THREADS", text, 0);
}

/*
 * Receives the first packet. The descriptor is -1 when there was none; more than one are closed. Returns 0 or an
 * errno.
 */
static int receive_setup(int socket, struct worker_setup *setup, int *vram_fd)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec packet = {setup, sizeof(*setup)};
	struct msghdr message = {
		.msg_iov = &packet,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(sizeof(int)), /* not CMSG_SPACE: its padding would take a second one */
	};
	ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = size < 0 ? NULL : CMSG_FIRSTHDR(&message);

	*vram_fd = -1;
	if (size < 0)
		return errno;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len >= CMSG_LEN(sizeof(int)))
		memcpy(vram_fd, CMSG_DATA(header), sizeof(int));
	if (!size)
		return ECONNRESET;
	if (size != sizeof(*setup) || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || *vram_fd < 0)
		return EPROTO;
	if (setup->version != WORKER_PROTOCOL_VERSION || (setup->flags & ~WORKER_SETUP_NO_SANDBOX))
		return EPROTO;
	return 0;
}

/* Ends the process when the other side has gone and the main thread does not notice. */
static void *watch(void *argument)
{
	struct pollfd socket = {.fd = *(int *)argument, .events = POLLRDHUP};
	struct timespec linger = {.tv_sec = LINGER_NS / 1000000000};

	while (poll(&socket, 1, -1) < 1 || !(socket.revents & (POLLRDHUP | POLLHUP | POLLERR)))
		;
	nanosleep(&linger, NULL);
	_exit(EXIT_ENDED);
}

static int start_watch(int *socket)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 64 << 10);
	error = pthread_create(&thread, &attributes, watch, socket);
	pthread_attr_destroy(&attributes);
	return error;
}

/* Steps 2 to 4. Returns 0 or an errno; hello is filled as far as it came. */
static int come_up(struct arguments *arguments, struct vram *vram, struct worker_hello *hello)
{
	struct worker_setup setup;
	int vram_fd;
	int error = receive_setup(arguments->socket, &setup, &vram_fd);

	if (!error && !(setup.flags & WORKER_SETUP_NO_SANDBOX))
		hello->sandbox = sandbox_prepare(arguments->cache);
	if (!error)
		error = vram_map(vram, vram_fd, setup.vram_size);
	if (vram_fd >= 0)
		close(vram_fd);
	if (!error)
		error = engine_start();
	if (error)
		return error;
	if (arguments->cache >= 0)
		close(arguments->cache);
	error = start_watch(&arguments->socket);
	if (error)
		return error;
	hello->capset_size = (uint32_t)engine_capset(hello->capset, sizeof(hello->capset));
	if (!hello->capset_size)
		return EIO;
	if (setup.flags & WORKER_SETUP_NO_SANDBOX) {
		log_line("WARNING: running without a sandbox, as asked");
		return 0;
	}
	return sandbox_lock(setup.vram_size + (setup.memory_limit ? setup.memory_limit : MEMORY_DEFAULT),
			    &hello->sandbox);
}

static int serve(struct arguments *arguments)
{
	struct worker_hello hello = {.version = WORKER_PROTOCOL_VERSION, .engine_version = engine_version()};
	static struct worker worker;
	struct vram vram = {0};
	uint32_t status;

	hello.status = (uint32_t)come_up(arguments, &vram, &hello);
	if (!hello.status)
		hello.status = (uint32_t)worker_init(&worker, arguments->socket, &vram);
	if (hello.status == ECONNRESET)
		return EXIT_ENDED; /* a spare that was not needed */
	if (hello.status)
		log_line("did not come up: %s", strerror((int)hello.status));
	if (send(arguments->socket, &hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello) || hello.status)
		return EXIT_NOT_UP;
	status = worker_run(&worker);
	/* The engine and GL are left as they are: tearing them down takes longer than the kernel does. */
	worker_destroy(&worker);
	return status == D3DGPU_FAULT_NONE ? EXIT_ENDED : EXIT_FAULT;
}

/* Locks the sandbox in with GL up, as in service, and tries what it must refuse. For tests. */
static int probe(int cache)
{
	uint32_t sandbox = sandbox_prepare(cache);
	int error = engine_start();

	if (!error)
		error = sandbox_lock(MEMORY_DEFAULT, &sandbox);
	if (error) {
		log_line("did not come up: %s", strerror(error));
		return EXIT_NOT_UP;
	}
	printf("in force: 0x%x\n", sandbox);
	return sandbox_probe() ? EXIT_FAULT : EXIT_ENDED;
}

int main(int argc, char **argv)
{
	struct arguments arguments;

	if (!parse_arguments(argc, argv, &arguments)) {
		fprintf(stderr, "usage: d3dgpu-worker --fd SOCKET [--shader-cache FOLDER]\n"
				"Both are numbers of open descriptors. The d3dgpu device starts this program.\n");
		return EXIT_USAGE;
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* the cache is full: a write fails */
	keep_memory();
	sandbox_close_inherited(arguments.socket, arguments.cache);
	prepare_environment(arguments.cache);
	return arguments.probe ? probe(arguments.cache) : serve(&arguments);
}
