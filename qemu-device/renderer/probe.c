/* SPDX-License-Identifier: MIT */
/*
 * The sandbox, tried from inside: what a guest that has taken a worker over would do first. Every attempt goes to the
 * kernel directly, so that no library spoils it.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct sockaddr_in nowhere = {.sin_family = AF_INET, .sin_port = 0x3500, .sin_addr = {0x0100007f}};
static char *const no_arguments[] = {"true", NULL};
static const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
static uint64_t big[32]; /* an argument block of zeros */

/* A system call with its arguments, as in syscall(). */
static const struct attempt {
	const char *name;
	long number;
	long arguments[6];
} forbidden[] = {
	{"open /etc/passwd", SYS_openat, {AT_FDCWD, (long)"/etc/passwd", O_RDONLY}},
	{"open /etc/passwd (open)", SYS_open, {(long)"/etc/passwd", O_RDONLY}},
	{"open /etc/passwd (openat2)", SYS_openat2, {AT_FDCWD, (long)"/etc/passwd", (long)big, 24}},
	{"create a file", SYS_openat, {AT_FDCWD, (long)"/tmp/d3dgpu-probe", O_WRONLY | O_CREAT, 0600}},
	{"make a folder", SYS_mkdir, {(long)"/tmp/d3dgpu-probe", 0700}},
	{"make a memory file", SYS_memfd_create, {(long)"probe", 0}},
	{"remove a file", SYS_unlink, {(long)"/tmp/d3dgpu-probe"}},
	{"look at a file", SYS_newfstatat, {AT_FDCWD, (long)"/etc/passwd", (long)big, 0}},
	{"change the folder", SYS_chdir, {(long)"/"}},
	{"run a program", SYS_execve, {(long)"/bin/true", (long)no_arguments, (long)&no_arguments[1]}},
	{"fork", SYS_fork, {0}},
	{"vfork by clone", SYS_clone, {SIGCHLD, 0}},
	{"fork by clone3", SYS_clone3, {(long)big, 64}},
	{"internet socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
	{"unix socket", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
	{"netlink socket", SYS_socket, {AF_NETLINK, SOCK_RAW, 0}},
	{"socket pair", SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0, (long)big}},
	{"connect", SYS_connect, {0, (long)&nowhere, sizeof(nowhere)}},
	{"send to an address", SYS_sendto, {0, (long)"x", 1, 0, (long)&nowhere, sizeof(nowhere)}},
	{"send descriptors", SYS_sendmsg, {0, (long)big, 0}},
	{"ptrace", SYS_ptrace, {PTRACE_TRACEME, 0, 0, 0}},
	{"read another process", SYS_process_vm_readv, {1, (long)big, 1, (long)big, 1, 0}},
	{"signal another process", SYS_kill, {1, 0}},
	{"signal another's thread", SYS_tgkill, {1, 1, 0}},
	{"new namespaces", SYS_unshare, {CLONE_NEWUSER}},
	{"mount", SYS_mount, {(long)"none", (long)"/tmp", (long)"tmpfs", 0, 0}},
	{"raise a limit", SYS_prlimit64, {0, RLIMIT_NOFILE, (long)&unlimited, 0}},
	{"become dumpable", SYS_prctl, {4 /* PR_SET_DUMPABLE */, 1}},
	{"terminal ioctl", SYS_ioctl, {0, TIOCSTI, (long)"x"}},
	{"bpf", SYS_bpf, {0, (long)big, sizeof(big)}},
	{"perf events", SYS_perf_event_open, {(long)big, 0, -1, -1, 0}},
	{"io_uring", SYS_io_uring_setup, {1, (long)big}},
	{"user faults", SYS_userfaultfd, {0}},
	{"keys", SYS_keyctl, {0, -3}},
};

static void *do_nothing(void *argument)
{
	return argument;
}

/* What llvmpipe needs must go on working. */
static bool thread_works(void)
{
	pthread_t thread;

	return !pthread_create(&thread, NULL, do_nothing, NULL) && !pthread_join(thread, NULL);
}

static bool code_works(void)
{
	static const uint8_t answer[] = {0xb8, 42, 0, 0, 0, 0xc3}; /* mov $42, %eax; ret */
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int (*function)(void);

	if (page == MAP_FAILED)
		return false;
	memcpy(page, answer, sizeof(answer));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		return false;
	memcpy(&function, &page, sizeof(function));
	return function() == 42;
}

int sandbox_probe(void)
{
	int failures = 0;

	setvbuf(stdout, NULL, _IONBF, 0);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
		const struct attempt *attempt = &forbidden[i];
		const long *a = attempt->arguments;
		long result = syscall(attempt->number, a[0], a[1], a[2], a[3], a[4], a[5]);
		bool refused = result < 0 && (errno == EPERM || errno == ENOSYS);

		if (!result &&
		    (attempt->number == SYS_fork || attempt->number == SYS_clone || attempt->number == SYS_clone3))
			_exit(0); /* a child that should not be */
		printf("%s: %s (%s)\n", attempt->name, refused ? "refused" : "ALLOWED",
		       result < 0 ? strerror(errno) : "success");
		failures += !refused;
	}
	printf("threads: %s\n", thread_works() ? "work" : "BROKEN");
	printf("generated code: %s\n", code_works() ? "works" : "BROKEN");
	return failures + !thread_works() + !code_works();
}
